package tieline;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.util.List;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.jdt.ls.core.internal.IDelegateCommandHandler;

/**
 * The commands that this bundle adds to the server.
 *
 * <p>{@code tieline.open} sets up the projects of one repository, once; {@code tieline.bindings} answers what names
 * are bound to. Each takes one JSON object; the shapes are described at the classes that do the work.
 */
public final class Commands implements IDelegateCommandHandler {
    private static final Gson GSON = new Gson();
    private static Projects projects;

    @Override
    public Object executeCommand(String command, List<Object> arguments, IProgressMonitor monitor) throws Exception {
        JsonObject request = GSON.toJsonTree(arguments.get(0)).getAsJsonObject();
        switch (command) {
            case "tieline.open":
                synchronized (Commands.class) {
                    projects = new Projects(request, monitor);
                    return projects.report();
                }
            case "tieline.bindings":
                synchronized (Commands.class) {
                    if (projects == null) {
                        throw new IllegalStateException("tieline.open comes first");
                    }
                    return new Bindings(projects).answer(request, monitor);
                }
            default:
                throw new UnsupportedOperationException(command);
        }
    }
}

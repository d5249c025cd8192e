package tieline;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.jdt.core.ICompilationUnit;
import org.eclipse.jdt.core.IJavaProject;
import org.eclipse.jdt.core.dom.AST;
import org.eclipse.jdt.core.dom.ASTParser;
import org.eclipse.jdt.core.dom.ASTRequestor;
import org.eclipse.jdt.core.dom.CompilationUnit;

/**
 * What names are bound to, for many files at a time.
 *
 * <p>The request: {@code {"files": [{"path", "offsets": [..]}]}}, offsets in UTF-16 code units from the start of the
 * text. The answer: {@code {"targets": [..], "files": [{"length", "answers": [..]} or {"problem"}]}}, files as asked;
 * {@code length} is that of the text that was read, a number of {@code answers} is an index into {@code targets} or one
 * of the constants here, a list of numbers stands for several targets. A target is {@code ["source", path, start,
 * length]} or {@code ["outside", package, version, symbol]}.
 *
 * <p>The files of one project are resolved together. A file that is resolved in another project than its own is bound
 * to what that one sees, so the number of answers would depend on which files are asked about together.
 */
final class Bindings {
    /** The compiler knows no binding, or says that there is an error at this very name. */
    static final int NOTHING = -1;
    /** No name starts at the offset. */
    static final int NO_NAME = -2;

    private final Projects projects;
    private final Targets targets;

    Bindings(Projects projects) {
        this.projects = projects;
        this.targets = new Targets(projects);
    }

    Map<String, Object> answer(JsonObject request, IProgressMonitor monitor) {
        JsonArray files = request.getAsJsonArray("files");
        Object[] answers = new Object[files.size()];
        Map<IJavaProject, List<Asked>> byProject = new LinkedHashMap<>();
        for (int number = 0; number < answers.length; number++) {
            JsonObject file = files.get(number).getAsJsonObject();
            ICompilationUnit unit = projects.unit(file.get("path").getAsString());
            if (unit == null) {
                answers[number] = Map.of("problem", "in no source folder");
                continue;
            }
            answers[number] = Map.of("problem", "not parsed");
            int[] offsets = numbers(file.getAsJsonArray("offsets"));
            byProject.computeIfAbsent(unit.getJavaProject(), key -> new ArrayList<>())
                    .add(new Asked(number, unit, file.get("path").getAsString(), offsets));
        }
        byProject.forEach((project, asked) -> resolve(project, asked, answers, monitor));
        return Map.of("targets", targets.rows(), "files", Arrays.asList(answers));
    }

    private record Asked(int number, ICompilationUnit unit, String path, int[] offsets) {}

    private void resolve(IJavaProject project, List<Asked> asked, Object[] answers, IProgressMonitor monitor) {
        Map<ICompilationUnit, Asked> byUnit = new HashMap<>();
        for (Asked one : asked) {
            byUnit.put(one.unit(), one);
        }
        ASTParser parser = ASTParser.newParser(AST.getJLSLatest());
        parser.setProject(project);
        parser.setResolveBindings(true);
        // So a member is bound although the type that it is declared with is missing. Such types themselves are not.
        parser.setBindingsRecovery(true);
        parser.setStatementsRecovery(true);
        ASTRequestor requestor = new ASTRequestor() {
            @Override
            public void acceptAST(ICompilationUnit source, CompilationUnit ast) {
                Asked one = byUnit.get(source);
                answers[one.number()] = read(one, ast);
            }
        };
        parser.createASTs(byUnit.keySet().toArray(new ICompilationUnit[0]), new String[0], requestor, monitor);
        targets.settle(monitor);
    }

    private Map<String, Object> read(Asked asked, CompilationUnit ast) {
        Object[] found = new Names(asked.path(), asked.offsets(), ast, targets).answers();
        return Map.of("length", ast.getLength(), "answers", found);
    }

    private static int[] numbers(JsonArray array) {
        int[] numbers = new int[array.size()];
        int next = 0;
        for (JsonElement element : array) {
            numbers[next++] = element.getAsInt();
        }
        return numbers;
    }
}

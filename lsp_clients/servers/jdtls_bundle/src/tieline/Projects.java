package tieline;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IProjectDescription;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.IWorkspace;
import org.eclipse.core.resources.IWorkspaceDescription;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.Path;
import org.eclipse.jdt.core.IClasspathEntry;
import org.eclipse.jdt.core.ICompilationUnit;
import org.eclipse.jdt.core.IJavaProject;
import org.eclipse.jdt.core.JavaCore;
import org.eclipse.jdt.internal.core.JavaModelManager;
import org.eclipse.jdt.launching.JavaRuntime;

/**
 * The projects of one repository: one for each source set of each module, in the workspace's own folder.
 *
 * <p>Nothing is written outside of that folder: sources are linked into the projects, nothing is built, and what Maven
 * knows is read from the local repository without the network and without running a plugin.
 *
 * <p>The request: {@code {"projects": [{"name", "pom": path or "", "sources": "main" or "test" or ..., "level": "17" or "",
 * "release": bool, "roots": [{"path", "entries": [names of the folders and files directly below that belong to it],
 * "exclude": [patterns], "others": {file below the root: [its top-level types that are not called like it]}}],
 * "depends": [names], "libraries": [paths]}]}}, paths absolute, dependencies nearest first.
 */
final class Projects {
    private static final String MAIN = "main";

    private final Map<String, IJavaProject> byName = new LinkedHashMap<>();
    /** Path of a pom and a source set -> the project. */
    private final Map<List<String>, IJavaProject> bySources = new HashMap<>();
    /** Absolute path of a source folder -> its project and the path of the link. */
    private final Map<String, IFolder> folders = new HashMap<>();
    private final Map<String, IJavaProject> owners = new HashMap<>();
    private final Map<String, String[]> libraries = new HashMap<>();
    private final Set<String> missing = new TreeSet<>();
    private final Set<String> notes = new LinkedHashSet<>();

    Projects(JsonObject request, IProgressMonitor monitor) throws CoreException {
        IWorkspace workspace = ResourcesPlugin.getWorkspace();
        IWorkspaceDescription settings = workspace.getDescription();
        settings.setAutoBuilding(false);
        workspace.setDescription(settings);
        // All that the search index would be read for here is known already, see setOtherTypes below.
        JavaModelManager.getIndexManager().disable();
        List<JsonObject> described = new ArrayList<>();
        for (JsonElement element : request.getAsJsonArray("projects")) {
            described.add(element.getAsJsonObject());
        }
        Map<String, List<Dependencies.Entry>> resolved = resolve(described, monitor);
        workspace.run(inner -> {
            for (JsonObject one : described) {
                create(one, inner);
            }
            for (JsonObject one : described) {
                setClassPath(one, resolved, inner);
            }
        }, workspace.getRoot(), IWorkspace.AVOID_UPDATE, monitor);
        for (JsonObject one : described) {
            setOtherTypes(byName.get(one.get("name").getAsString()), one.getAsJsonArray("roots"));
        }
    }

    /**
     * Tells the Java model which types lie in files of other names.
     *
     * <p>It looks for them in its search index, and does not wait until that is complete: what a name is bound to would
     * depend on how far the index is, and on which files are resolved at the same time. So it gets them from us, by the
     * way that its indexer takes, and nothing is indexed.
     */
    private void setOtherTypes(IJavaProject java, JsonArray roots) throws CoreException {
        JavaModelManager model = JavaModelManager.getJavaModelManager();
        int expected = 0;
        // An empty answer of the index is the base that the types are added to.
        JavaModelManager.getIndexManager().discardJobs(null);
        model.secondaryTypes(java, false, null);
        for (JsonElement element : roots) {
            JsonObject root = element.getAsJsonObject();
            IFolder folder = folders.get(root.get("path").getAsString());
            for (Map.Entry<String, JsonElement> one : root.getAsJsonObject("others").entrySet()) {
                IPath path = new Path(one.getKey());
                String name = String.join(".", path.removeLastSegments(1).segments());
                String file = folder.getFullPath().append(path).toString();
                for (JsonElement type : one.getValue().getAsJsonArray()) {
                    model.secondaryTypeAdding(file, type.getAsString().toCharArray(), name.toCharArray());
                    expected++;
                }
            }
        }
        JavaModelManager.getIndexManager().discardJobs(null);
        int known = 0;
        for (Map<String, ?> types : model.secondaryTypes(java, false, null).values()) {
            known += types.size();
        }
        if (known < expected) {
            notes.add("of " + expected + " types in files of other names jdtls knows " + known);
        }
    }

    /** {@code {"projects": number, "missing": [coordinates], "notes": [text]}}. */
    Map<String, Object> report() {
        return Map.of(
                "projects", byName.size(), "missing", List.copyOf(missing), "notes", List.copyOf(notes));
    }

    /** The unit of a file with its project; null when the file belongs to no project. */
    ICompilationUnit unit(String path) {
        for (int end = path.lastIndexOf('/'); end >= 0; end = end == 0 ? -1 : path.lastIndexOf('/', end - 1)) {
            IFolder folder = folders.get(path.substring(0, end));
            if (folder != null) {
                IFile file = folder.getFile(new Path(path.substring(end + 1)));
                ICompilationUnit unit = (ICompilationUnit) JavaCore.create(file, owners.get(path.substring(0, end)));
                if (unit != null && unit.exists()) {
                    return unit;
                }
            }
        }
        return null;
    }

    /** Package and version of a library; null when no build says what it is. */
    String[] library(String path) {
        return libraries.get(path);
    }

    private Map<String, List<Dependencies.Entry>> resolve(List<JsonObject> described, IProgressMonitor monitor) {
        Set<File> poms = new LinkedHashSet<>();
        for (JsonObject one : described) {
            String pom = one.get("pom").getAsString();
            if (!pom.isEmpty()) {
                poms.add(new File(pom));
            }
        }
        if (poms.isEmpty()) {
            return Map.of();
        }
        try {
            return Dependencies.resolve(poms, missing, notes, monitor);
        } catch (CoreException | LinkageError | RuntimeException error) {
            notes.add("Maven's model cannot be read, the libraries of its modules are unknown: " + error);
            return Map.of();
        }
    }

    private void create(JsonObject one, IProgressMonitor monitor) throws CoreException {
        String name = one.get("name").getAsString();
        IProject project = ResourcesPlugin.getWorkspace().getRoot().getProject(name);
        IProjectDescription description = ResourcesPlugin.getWorkspace().newProjectDescription(name);
        description.setNatureIds(new String[] {JavaCore.NATURE_ID});
        project.create(description, monitor);
        project.open(monitor);
        project.setDefaultCharset("UTF-8", monitor);
        IJavaProject java = JavaCore.create(project);
        byName.put(name, java);
        bySources.put(List.of(one.get("pom").getAsString(), one.get("sources").getAsString()), java);
        int number = 0;
        for (JsonElement element : one.getAsJsonArray("roots")) {
            JsonObject root = element.getAsJsonObject();
            String path = root.get("path").getAsString();
            IFolder folder = project.getFolder("source" + number++);
            folder.create(true, true, monitor);
            for (JsonElement entry : root.getAsJsonArray("entries")) {
                File file = new File(path, entry.getAsString());
                IPath location = Path.fromOSString(file.getPath());
                if (file.isDirectory()) {
                    folder.getFolder(entry.getAsString()).createLink(location, IResource.NONE, monitor);
                } else if (file.isFile()) {
                    folder.getFile(entry.getAsString()).createLink(location, IResource.NONE, monitor);
                }
            }
            folders.put(path, folder);
            owners.put(path, java);
        }
    }

    private void setClassPath(JsonObject one, Map<String, List<Dependencies.Entry>> resolved, IProgressMonitor monitor)
            throws CoreException {
        IJavaProject java = byName.get(one.get("name").getAsString());
        List<IClasspathEntry> entries = new ArrayList<>();
        for (JsonElement element : one.getAsJsonArray("roots")) {
            JsonObject root = element.getAsJsonObject();
            JsonArray patterns = root.getAsJsonArray("exclude");
            IPath[] excluded = new IPath[patterns.size()];
            for (int i = 0; i < excluded.length; i++) {
                excluded[i] = new Path(patterns.get(i).getAsString());
            }
            IFolder folder = folders.get(root.get("path").getAsString());
            entries.add(JavaCore.newSourceEntry(folder.getFullPath(), excluded));
        }
        entries.add(JavaCore.newContainerEntry(JavaRuntime.newDefaultJREContainerPath()));
        Set<Object> seen = new HashSet<>();
        seen.add(java);
        addMaven(one, resolved.get(one.get("pom").getAsString()), entries, seen);
        for (JsonElement element : one.getAsJsonArray("depends")) {
            addProject(byName.get(element.getAsString()), entries, seen);
        }
        for (JsonElement element : one.getAsJsonArray("libraries")) {
            addLibrary(element.getAsString(), entries, seen);
        }
        setOptions(java, one.get("level").getAsString(), one.get("release").getAsBoolean());
        IPath output = java.getProject().getFullPath().append("output");
        java.setRawClasspath(entries.toArray(new IClasspathEntry[0]), output, monitor);
    }

    /** What Maven gives, in its order: the main sources of the module itself come before it all. */
    private void addMaven(
            JsonObject one, List<Dependencies.Entry> given, List<IClasspathEntry> entries, Set<Object> seen) {
        if (given == null) {
            return;
        }
        boolean main = one.get("sources").getAsString().equals(MAIN);
        if (!main) {
            addProject(bySources.get(List.of(one.get("pom").getAsString(), MAIN)), entries, seen);
        }
        for (Dependencies.Entry entry : given) {
            if (main && entry.tests()) {
                continue;
            }
            if (entry.pom() == null) {
                libraries.put(entry.file(), new String[] {entry.module(), entry.version()});
                addLibrary(entry.file(), entries, seen);
            } else {
                addProject(bySources.get(List.of(entry.pom(), entry.sources())), entries, seen);
            }
        }
    }

    private static void addProject(IJavaProject other, List<IClasspathEntry> entries, Set<Object> seen) {
        if (other != null && seen.add(other)) {
            entries.add(JavaCore.newProjectEntry(other.getPath()));
        }
    }

    private static void addLibrary(String file, List<IClasspathEntry> entries, Set<Object> seen) {
        if (seen.add(file)) {
            entries.add(JavaCore.newLibraryEntry(Path.fromOSString(file), null, null));
        }
    }

    private static void setOptions(IJavaProject java, String level, boolean release) {
        String latest = JavaCore.latestSupportedJavaVersion();
        String used = JavaCore.isSupportedJavaVersion(level) ? level : latest;
        Map<String, String> options = new HashMap<>();
        JavaCore.setComplianceOptions(used, options);
        options.put(JavaCore.COMPILER_RELEASE, release ? JavaCore.ENABLED : JavaCore.DISABLED);
        options.put("org.eclipse.jdt.core.compiler.processAnnotations", JavaCore.DISABLED);
        options.put(JavaCore.COMPILER_DOC_COMMENT_SUPPORT, JavaCore.DISABLED);
        options.put(
                JavaCore.COMPILER_PB_ENABLE_PREVIEW_FEATURES,
                used.equals(latest) ? JavaCore.ENABLED : JavaCore.DISABLED);
        options.put(JavaCore.COMPILER_PB_REPORT_PREVIEW_FEATURES, JavaCore.IGNORE);
        options.put(JavaCore.COMPILER_PB_MAX_PER_UNIT, "10000");
        java.setOptions(options);
    }
}

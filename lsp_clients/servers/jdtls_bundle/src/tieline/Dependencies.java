package tieline;

import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenExecutionRequest;
import org.apache.maven.model.Model;
import org.apache.maven.model.building.ModelBuildingRequest;
import org.apache.maven.project.DependencyResolutionResult;
import org.apache.maven.project.MavenProject;
import org.apache.maven.project.ProjectBuilder;
import org.apache.maven.project.ProjectBuildingException;
import org.apache.maven.project.ProjectBuildingRequest;
import org.apache.maven.project.ProjectBuildingResult;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.repository.WorkspaceReader;
import org.eclipse.aether.repository.WorkspaceRepository;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.m2e.core.MavenPlugin;
import org.eclipse.m2e.core.embedder.IMavenExecutionContext;

/**
 * The class paths of Maven modules, from their models and the local repository alone.
 *
 * <p>Offline, and with {@code processPlugins} off: neither plugins nor build extensions are looked at, so nothing that
 * a pom names is run.
 */
final class Dependencies {
    private static final String MAIN = "main";

    /**
     * One entry of a class path.
     *
     * @param pom of the module of the repository that it is; null for a library
     * @param sources the source set of that module
     * @param file the library; null for a module
     * @param module {@code group:artifact}
     * @param tests whether only tests see it
     */
    record Entry(String pom, String sources, String file, String module, String version, boolean tests) {}

    private Dependencies() {}

    /** Path of each pom -> its class path in Maven's order. What cannot be had is added to {@code missing}. */
    static Map<String, List<Entry>> resolve(
            Set<File> poms, Set<String> missing, Set<String> notes, IProgressMonitor monitor) throws CoreException {
        Modules modules = new Modules();
        List<ProjectBuildingResult> models = inContext(poms, false, modules, notes, monitor);
        for (ProjectBuildingResult one : models) {
            if (one.getProject() != null) {
                modules.add(one.getProject());
            }
        }
        Map<String, List<Entry>> found = new HashMap<>();
        for (ProjectBuildingResult one : inContext(poms, true, modules, notes, monitor)) {
            MavenProject project = one.getProject();
            if (project == null || project.getFile() == null) {
                continue;
            }
            note(project, one.getDependencyResolutionResult(), missing, notes);
            found.put(project.getFile().getPath(), entries(project, modules, missing));
        }
        return found;
    }

    private static List<ProjectBuildingResult> inContext(
            Set<File> poms, boolean dependencies, WorkspaceReader reader, Set<String> notes, IProgressMonitor monitor)
            throws CoreException {
        IMavenExecutionContext context = MavenPlugin.getMaven().createExecutionContext();
        MavenExecutionRequest request = context.getExecutionRequest();
        request.setOffline(true);
        request.setWorkspaceReader(reader);
        // Else a file counts only for the repository that it was once downloaded from.
        request.setUseLegacyLocalRepository(true);
        return context.execute((inner, ignored) -> {
            ProjectBuildingRequest building = inner.newProjectBuildingRequest();
            building.setProcessPlugins(false);
            building.setResolveDependencies(dependencies);
            building.setValidationLevel(ModelBuildingRequest.VALIDATION_LEVEL_MINIMAL);
            ProjectBuilder builder = inner.getComponentLookup().lookup(ProjectBuilder.class);
            List<ProjectBuildingResult> results = new ArrayList<>();
            for (File pom : poms) {
                try {
                    results.add(builder.build(pom, building));
                } catch (ProjectBuildingException error) {
                    List<ProjectBuildingResult> partial = error.getResults();
                    if (partial != null) {
                        results.addAll(partial);
                    }
                    if (dependencies) {
                        notes.add(firstLine(error));
                    }
                }
            }
            return results;
        }, monitor);
    }

    private static void note(
            MavenProject project, DependencyResolutionResult result, Set<String> missing, Set<String> notes) {
        if (result == null) {
            return;
        }
        for (Dependency one : result.getUnresolvedDependencies()) {
            missing.add(coordinates(
                    one.getArtifact().getGroupId(), one.getArtifact().getArtifactId(), one.getArtifact().getVersion()));
        }
        for (Exception error : result.getCollectionErrors()) {
            notes.add(project.getGroupId() + ":" + project.getArtifactId() + ": " + firstLine(error));
        }
    }

    private static List<Entry> entries(MavenProject project, Modules modules, Set<String> missing) {
        List<Entry> entries = new ArrayList<>();
        for (Artifact artifact : project.getArtifacts()) {
            File file = artifact.getFile();
            String module = artifact.getGroupId() + ":" + artifact.getArtifactId();
            boolean tests = !artifact.getArtifactHandler().isAddedToClasspath()
                    || Artifact.SCOPE_TEST.equals(artifact.getScope())
                    || Artifact.SCOPE_RUNTIME.equals(artifact.getScope());
            MavenProject other = modules.find(artifact.getGroupId(), artifact.getArtifactId(), artifact.getBaseVersion());
            if (other != null) {
                boolean itsTests = "tests".equals(artifact.getClassifier()) || "test-jar".equals(artifact.getType());
                entries.add(new Entry(
                        other.getFile().getPath(), itsTests ? "test" : MAIN, null, module, artifact.getVersion(), tests));
            } else if (file != null && file.isFile() && file.getName().endsWith(".jar")) {
                entries.add(new Entry(null, "", file.getPath(), module, artifact.getVersion(), tests));
            } else if (file == null || !file.exists()) {
                missing.add(coordinates(artifact.getGroupId(), artifact.getArtifactId(), artifact.getVersion()));
            }
        }
        return entries;
    }

    private static String coordinates(String group, String artifact, String version) {
        return group + ":" + artifact + ":" + version;
    }

    private static String firstLine(Exception error) {
        String text = String.valueOf(error.getMessage());
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    /** The modules of the repository, as Maven looks for them before it looks anywhere else. */
    private static final class Modules implements WorkspaceReader {
        private final WorkspaceRepository repository = new WorkspaceRepository("tieline");
        private final Map<List<String>, MavenProject> projects = new HashMap<>();

        void add(MavenProject project) {
            projects.putIfAbsent(key(project.getGroupId(), project.getArtifactId(), project.getVersion()), project);
        }

        MavenProject find(String group, String artifact, String version) {
            return projects.get(key(group, artifact, version));
        }

        private static List<String> key(String group, String artifact, String version) {
            return List.of(group, artifact, version);
        }

        @Override
        public WorkspaceRepository getRepository() {
            return repository;
        }

        @Override
        public File findArtifact(org.eclipse.aether.artifact.Artifact artifact) {
            MavenProject found = find(artifact.getGroupId(), artifact.getArtifactId(), artifact.getBaseVersion());
            if (found == null) {
                return null;
            }
            // Of its classes nothing is read: that the module is there is all that has to be known.
            return artifact.getExtension().equals("pom") ? found.getFile() : found.getBasedir();
        }

        @Override
        public List<String> findVersions(org.eclipse.aether.artifact.Artifact artifact) {
            Set<String> versions = new LinkedHashSet<>();
            for (MavenProject one : projects.values()) {
                Model model = one.getModel();
                if (one.getGroupId().equals(artifact.getGroupId())
                        && model.getArtifactId().equals(artifact.getArtifactId())) {
                    versions.add(one.getVersion());
                }
            }
            return List.copyOf(versions);
        }
    }
}

package tieline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.jdt.core.ICompilationUnit;
import org.eclipse.jdt.core.IJavaElement;
import org.eclipse.jdt.core.IJavaProject;
import org.eclipse.jdt.core.IMember;
import org.eclipse.jdt.core.IPackageFragmentRoot;
import org.eclipse.jdt.core.ISourceRange;
import org.eclipse.jdt.core.ITypeParameter;
import org.eclipse.jdt.core.JavaModelException;
import org.eclipse.jdt.core.SourceRange;
import org.eclipse.jdt.core.dom.AST;
import org.eclipse.jdt.core.dom.ASTNode;
import org.eclipse.jdt.core.dom.ASTParser;
import org.eclipse.jdt.core.dom.ASTRequestor;
import org.eclipse.jdt.core.dom.CompilationUnit;
import org.eclipse.jdt.core.dom.IBinding;
import org.eclipse.jdt.core.dom.IMethodBinding;
import org.eclipse.jdt.core.dom.IModuleBinding;
import org.eclipse.jdt.core.dom.ITypeBinding;
import org.eclipse.jdt.core.dom.IVariableBinding;

/** From bindings to the places that declare them. Each target is one row; its number is what is handed out. */
final class Targets {
    private final Projects projects;
    private final List<List<Object>> rows = new ArrayList<>();
    private final Map<List<Object>, Integer> numbers = new HashMap<>();
    /** Bindings are one object each inside one resolution of many units. */
    private final Map<IBinding, Integer> known = new IdentityHashMap<>();
    private final Map<ICompilationUnit, List<Waiting>> waiting = new HashMap<>();

    Targets(Projects projects) {
        this.projects = projects;
    }

    List<List<Object>> rows() {
        return rows;
    }

    /** The number of what a binding stands for, as it is declared: no type arguments, no captures. */
    int of(IBinding binding, CompilationUnit unit, String path) {
        if (binding == null || binding.isRecovered()) {
            return Bindings.NOTHING;
        }
        if (binding instanceof IVariableBinding variable && !variable.isField()) {
            return local(variable.getVariableDeclaration(), unit, path);
        }
        Integer number = known.get(binding);
        if (number == null) {
            number = row(declaration(binding), unit, path);
            known.put(binding, number);
        }
        return number;
    }

    private static IBinding declaration(IBinding binding) {
        if (binding instanceof IMethodBinding method) {
            IMethodBinding declared = method.getMethodDeclaration();
            // An implicit constructor stands at its class (JLS 8.8.9).
            return declared.isDefaultConstructor() ? declared.getDeclaringClass().getTypeDeclaration() : declared;
        }
        if (binding instanceof IVariableBinding variable) {
            return variable.getVariableDeclaration();
        }
        if (binding instanceof ITypeBinding type) {
            ITypeBinding plain = type.isArray() ? type.getElementType() : type;
            return plain.isTypeVariable() ? plain : plain.getErasure().getTypeDeclaration();
        }
        return binding;
    }

    private int row(IBinding binding, CompilationUnit unit, String path) {
        if (binding instanceof IVariableBinding field && field.getDeclaringClass() == null) {
            // The length of an array is a member of no class (JLS 10.7).
            return number(List.of("outside", "java.base", "", "array." + field.getName()));
        }
        ITypeBinding owner = owner(binding);
        if (owner == null || owner.isRecovered()) {
            return Bindings.NOTHING;
        }
        if (owner.isFromSource()) {
            return source(binding, owner, unit, path);
        }
        return outside(binding, owner);
    }

    private static ITypeBinding owner(IBinding binding) {
        if (binding instanceof IMethodBinding method) {
            return method.getDeclaringClass();
        }
        if (binding instanceof IVariableBinding field) {
            return field.getDeclaringClass();
        }
        if (binding instanceof ITypeBinding type) {
            if (!type.isTypeVariable()) {
                return type.isPrimitive() || type.isNullType() ? null : type;
            }
            return type.getDeclaringClass() != null
                    ? type.getDeclaringClass()
                    : type.getDeclaringMethod() == null ? null : type.getDeclaringMethod().getDeclaringClass();
        }
        return null;
    }

    private int source(IBinding binding, ITypeBinding owner, CompilationUnit unit, String path) {
        ASTNode node = unit.findDeclaringNode(binding);
        ISourceRange here = node == null ? null : Places.nameOf(node);
        if (here != null) {
            return number(List.of("source", path, here.getOffset(), here.getLength()));
        }
        IJavaElement element = binding.getJavaElement();
        try {
            ISourceRange range = element == null || !element.exists() ? null : nameRange(element);
            if (range == null && binding instanceof IMethodBinding method) {
                return implicit(method, owner, unit, path);
            }
            if (binding instanceof IMethodBinding method && hasTwin(method) && element instanceof IMember member) {
                return later(method, member.getCompilationUnit());
            }
            return range == null ? Bindings.NOTHING : place(element, range);
        } catch (JavaModelException error) {
            // The declaration is gone from the disk.
            return Bindings.NOTHING;
        }
    }

    /**
     * Whether there is another method whose parameters look the same but for their packages. The Java model takes one of
     * these for the other: it compares the names of types as they are written.
     */
    private static boolean hasTwin(IMethodBinding method) {
        int alike = 0;
        for (IMethodBinding one : method.getDeclaringClass().getDeclaredMethods()) {
            if (one.getName().equals(method.getName()) && looks(one).equals(looks(method))) {
                alike++;
            }
        }
        return alike > 1;
    }

    private static List<String> looks(IMethodBinding method) {
        List<String> names = new ArrayList<>();
        for (ITypeBinding parameter : method.getParameterTypes()) {
            ITypeBinding element = parameter.isArray() ? parameter.getElementType() : parameter;
            String name = element.isTypeVariable() ? element.getName() : element.getErasure().getName();
            names.add(name + "[]".repeat(parameter.getDimensions()));
        }
        return names;
    }

    private record Waiting(int number, String key) {}

    private int later(IMethodBinding method, ICompilationUnit unit) {
        int number = rows.size();
        rows.add(List.of("nothing"));
        waiting.computeIfAbsent(unit, key -> new ArrayList<>()).add(new Waiting(number, method.getKey()));
        return number;
    }

    /** Ends a resolution: looks up the declarations that can only be told from others by their bindings. */
    void settle(IProgressMonitor monitor) {
        known.clear();
        Map<IJavaProject, List<ICompilationUnit>> byProject = new HashMap<>();
        for (ICompilationUnit unit : waiting.keySet()) {
            byProject.computeIfAbsent(unit.getJavaProject(), key -> new ArrayList<>()).add(unit);
        }
        ASTRequestor requestor = new ASTRequestor() {
            @Override
            public void acceptAST(ICompilationUnit source, CompilationUnit ast) {
                settle(source, ast);
            }
        };
        byProject.forEach((project, units) -> {
            ASTParser parser = ASTParser.newParser(AST.getJLSLatest());
            parser.setProject(project);
            parser.setResolveBindings(true);
            parser.setIgnoreMethodBodies(true);
            parser.createASTs(units.toArray(new ICompilationUnit[0]), new String[0], requestor, monitor);
        });
        waiting.clear();
    }

    private void settle(ICompilationUnit source, CompilationUnit ast) {
        for (Waiting one : waiting.get(source)) {
            ASTNode node = ast.findDeclaringNode(one.key());
            ISourceRange range = node == null ? null : Places.nameOf(node);
            if (range != null) {
                String file = source.getResource().getLocation().toOSString();
                rows.set(one.number(), List.of("source", file, range.getOffset(), range.getLength()));
            }
        }
    }

    /** Methods that nobody wrote: of records (JLS 8.10.3) they stand at the component, of enums (JLS 8.9.3) nowhere. */
    private int implicit(IMethodBinding method, ITypeBinding owner, CompilationUnit unit, String path) {
        if (owner.isRecord()) {
            for (IVariableBinding field : owner.getDeclaredFields()) {
                if (field.getName().equals(method.getName()) && method.getParameterTypes().length == 0) {
                    return of(field, unit, path);
                }
            }
            if (method.isConstructor()) {
                return of(owner.getTypeDeclaration(), unit, path);
            }
        }
        if (owner.isEnum()) {
            return number(List.of("outside", "java.base", "", "java.lang.Enum." + method.getName()));
        }
        return Bindings.NOTHING;
    }

    private static ISourceRange nameRange(IJavaElement element) throws JavaModelException {
        ISourceRange range = null;
        if (element instanceof IMember member) {
            range = member.getNameRange();
        } else if (element instanceof ITypeParameter parameter) {
            range = parameter.getNameRange();
        }
        return range == null || !SourceRange.isAvailable(range) || range.getLength() <= 0 ? null : range;
    }

    private int place(IJavaElement element, ISourceRange range) {
        IResource resource = element.getResource();
        if (resource == null || resource.getLocation() == null) {
            return Bindings.NOTHING;
        }
        String file = resource.getLocation().toOSString();
        return number(List.of("source", file, range.getOffset(), range.getLength()));
    }

    /** A variable of a body; its declaration lies in the same unit. */
    private int local(IVariableBinding variable, CompilationUnit unit, String path) {
        if (variable.getDeclaringMethod() == null && variable.getDeclaringClass() == null && variable.getName().equals("length")) {
            return number(List.of("outside", "java.base", "", "array.length"));
        }
        ASTNode node = unit.findDeclaringNode(variable);
        ISourceRange range = node == null ? null : Places.nameOf(node);
        if (range == null) {
            return Bindings.NOTHING;
        }
        return number(List.of("source", path, range.getOffset(), range.getLength()));
    }

    private int outside(IBinding binding, ITypeBinding owner) {
        ITypeBinding type = owner.getErasure().getTypeDeclaration();
        String symbol = type.getQualifiedName();
        boolean isMember = binding instanceof IMethodBinding method && !method.isConstructor()
                || binding instanceof IVariableBinding;
        if (isMember) {
            symbol += "." + binding.getName();
        }
        IJavaElement element = type.getJavaElement();
        IJavaElement root = element == null ? null : element.getAncestor(IJavaElement.PACKAGE_FRAGMENT_ROOT);
        if (root instanceof IPackageFragmentRoot library && root.getPath() != null) {
            String[] module = projects.library(library.getPath().toOSString());
            if (module != null) {
                return number(List.of("outside", module[0], module[1], symbol));
            }
            IModuleBinding named = type.getModule();
            if (named != null && named.getName().matches("(java|jdk)\\..*")) {
                return number(List.of("outside", named.getName(), "", symbol));
            }
            return number(List.of("outside", library.getElementName().replaceFirst("\\.jar$", ""), "", symbol));
        }
        return number(List.of("outside", "", "", symbol));
    }

    private int number(List<Object> row) {
        Integer found = numbers.get(row);
        if (found == null) {
            found = rows.size();
            numbers.put(row, found);
            rows.add(row);
        }
        return found;
    }
}

package tieline;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jdt.core.dom.ASTNode;
import org.eclipse.jdt.core.dom.ASTVisitor;
import org.eclipse.jdt.core.dom.ClassInstanceCreation;
import org.eclipse.jdt.core.dom.CompilationUnit;
import org.eclipse.jdt.core.dom.ConstructorInvocation;
import org.eclipse.jdt.core.dom.CreationReference;
import org.eclipse.jdt.core.dom.Expression;
import org.eclipse.jdt.core.dom.IBinding;
import org.eclipse.jdt.core.dom.IMemberValuePairBinding;
import org.eclipse.jdt.core.dom.IMethodBinding;
import org.eclipse.jdt.core.dom.ITypeBinding;
import org.eclipse.jdt.core.dom.IVariableBinding;
import org.eclipse.jdt.core.dom.ImportDeclaration;
import org.eclipse.jdt.core.dom.MemberValuePair;
import org.eclipse.jdt.core.dom.MethodInvocation;
import org.eclipse.jdt.core.dom.Modifier;
import org.eclipse.jdt.core.dom.Name;
import org.eclipse.jdt.core.dom.NameQualifiedType;
import org.eclipse.jdt.core.dom.ParameterizedType;
import org.eclipse.jdt.core.dom.QualifiedName;
import org.eclipse.jdt.core.dom.QualifiedType;
import org.eclipse.jdt.core.dom.SimpleName;
import org.eclipse.jdt.core.dom.SimpleType;
import org.eclipse.jdt.core.dom.SuperConstructorInvocation;
import org.eclipse.jdt.core.dom.SuperMethodInvocation;

/** Finds the names at some offsets of one unit, and what each is bound to. */
final class Names extends ASTVisitor {
    private final String path;
    private final CompilationUnit unit;
    private final Targets targets;
    private final Map<Integer, Integer> wanted = new HashMap<>();
    private final Doubts doubts;
    private final Object[] answers;

    Names(String path, int[] offsets, CompilationUnit unit, Targets targets) {
        super(false);
        this.path = path;
        this.unit = unit;
        this.targets = targets;
        answers = new Object[offsets.length];
        Arrays.fill(answers, Bindings.NO_NAME);
        for (int number = 0; number < offsets.length; number++) {
            wanted.put(offsets[number], number);
        }
        doubts = new Doubts(unit);
    }

    /** One answer for each offset: a number, or a list of numbers; see {@link Bindings}. */
    Object[] answers() {
        unit.accept(this);
        return answers;
    }

    @Override
    public boolean visit(SimpleName name) {
        Integer number = wanted.get(name.getStartPosition());
        if (number != null) {
            answers[number] = doubts.at(name.getStartPosition()) ? (Object) Bindings.NOTHING : meaning(name);
        }
        return false;
    }

    @Override
    public boolean visit(ConstructorInvocation call) {
        int start = call.typeArguments().isEmpty() ? call.getStartPosition() : -1;
        answer(start, called(call.resolveConstructorBinding(), call.arguments(), null, call), call);
        return true;
    }

    @Override
    public boolean visit(SuperConstructorInvocation call) {
        // The keyword comes after the expression and a dot: the offset asked about that lies there is it.
        int start = call.getStartPosition();
        if (call.getExpression() != null) {
            int from = call.getExpression().getStartPosition() + call.getExpression().getLength();
            start = first(from, call.getStartPosition() + call.getLength());
        }
        answer(start, called(call.resolveConstructorBinding(), call.arguments(), null, call), call);
        return true;
    }

    @Override
    public boolean visit(CreationReference reference) {
        int from = reference.getType().getStartPosition() + reference.getType().getLength();
        int start = first(from, reference.getStartPosition() + reference.getLength());
        IMethodBinding constructor = reference.resolveMethodBinding();
        answer(start, constructor == null ? reference.getType().resolveBinding() : constructor, reference);
        return true;
    }

    private void answer(int start, IBinding binding, ASTNode node) {
        Integer number = wanted.get(start);
        if (number != null) {
            boolean doubt = doubts.at(start) || doubts.at(node.getStartPosition());
            answers[number] = doubt ? Bindings.NOTHING : targets.of(binding, unit, path);
        }
    }

    /** A method that is called; null when it may be another one. */
    private IMethodBinding called(IMethodBinding method, List<?> arguments, ITypeBinding receiver, ASTNode call) {
        if (method == null || doubts.at(call.getStartPosition())) {
            return null;
        }
        return doubts.about(method, call.getStartPosition(), arguments, receiver) ? null : method;
    }

    /** The first offset asked about in a range, -1 when there is none. */
    private int first(int from, int to) {
        int best = -1;
        for (int offset : wanted.keySet()) {
            if (offset >= from && offset < to && (best < 0 || offset < best)) {
                best = offset;
            }
        }
        return best;
    }

    private Object meaning(SimpleName name) {
        if (name.getParent() instanceof MemberValuePair pair && pair.getName() == name) {
            IMemberValuePairBinding bound = pair.resolveMemberValuePairBinding();
            return targets.of(bound == null ? null : bound.getMethodBinding(), unit, path);
        }
        ClassInstanceCreation creation = creationOf(name);
        if (creation != null) {
            return targets.of(constructor(creation), unit, path);
        }
        if (name.getParent() instanceof MethodInvocation call && call.getName() == name) {
            Expression receiver = call.getExpression();
            ITypeBinding type = receiver == null ? null : receiver.resolveTypeBinding();
            IMethodBinding method = call.resolveMethodBinding();
            boolean doubt = method == null || doubts.about(method, name.getStartPosition(), call.arguments(), type);
            return targets.of(doubt ? null : method, unit, path);
        }
        if (name.getParent() instanceof SuperMethodInvocation call && call.getName() == name) {
            IMethodBinding method = call.resolveMethodBinding();
            boolean doubt = method == null || doubts.about(method, name.getStartPosition(), call.arguments(), null);
            return targets.of(doubt ? null : method, unit, path);
        }
        if (name.getParent() instanceof ImportDeclaration declaration) {
            return imported(declaration, name.resolveBinding());
        }
        if (name.getParent() instanceof QualifiedName qualified
                && qualified.getName() == name
                && qualified.getParent() instanceof ImportDeclaration declaration) {
            return imported(declaration, qualified.resolveBinding());
        }
        return targets.of(name.resolveBinding(), unit, path);
    }

    /** The construction whose class a name is the last part of; null when there is none. */
    private static ClassInstanceCreation creationOf(SimpleName name) {
        ASTNode node = name;
        ASTNode parent = node.getParent();
        if (parent instanceof QualifiedName qualified && qualified.getName() == node) {
            node = parent;
            parent = node.getParent();
        }
        boolean isType = parent instanceof SimpleType
                || parent instanceof QualifiedType qualified && qualified.getName() == node
                || parent instanceof NameQualifiedType named && named.getName() == node;
        if (!isType) {
            return null;
        }
        node = parent;
        parent = node.getParent();
        if (parent instanceof ParameterizedType generic && generic.getType() == node) {
            node = parent;
            parent = node.getParent();
        }
        return parent instanceof ClassInstanceCreation creation && creation.getType() == node ? creation : null;
    }

    /** The constructor that is called; the type where that is an interface. */
    private IBinding constructor(ClassInstanceCreation creation) {
        ITypeBinding named = creation.getType().resolveBinding();
        if (named != null && named.isInterface()) {
            return named;
        }
        IMethodBinding found = called(creation.resolveConstructorBinding(), creation.arguments(), null, creation);
        if (found == null || named == null) {
            // Which class is constructed is known all the same.
            return named;
        }
        if (creation.getAnonymousClassDeclaration() == null) {
            return found;
        }
        // That of an anonymous class has the parameters of the one of its superclass that it calls (JLS 15.9.5.1).
        for (IMethodBinding candidate : named.getDeclaredMethods()) {
            if (candidate.isConstructor() && haveSameParameters(candidate, found)) {
                return candidate;
            }
        }
        return named;
    }

    private static boolean haveSameParameters(IMethodBinding one, IMethodBinding other) {
        ITypeBinding[] left = one.getParameterTypes();
        ITypeBinding[] right = other.getParameterTypes();
        if (left.length != right.length) {
            return false;
        }
        for (int i = 0; i < left.length; i++) {
            if (!left[i].getErasure().isEqualTo(right[i].getErasure())) {
                return false;
            }
        }
        return true;
    }

    /** A static import brings in every member of the name (JLS 7.5.3). */
    private Object imported(ImportDeclaration declaration, IBinding binding) {
        if (!declaration.isStatic() || declaration.isOnDemand() || !(declaration.getName() instanceof QualifiedName)) {
            return targets.of(binding, unit, path);
        }
        QualifiedName name = (QualifiedName) declaration.getName();
        Name owner = name.getQualifier();
        if (!(owner.resolveBinding() instanceof ITypeBinding type)) {
            return targets.of(binding, unit, path);
        }
        Set<Integer> found = new LinkedHashSet<>();
        Set<ITypeBinding> seen = new HashSet<>();
        collect(type, name.getName().getIdentifier(), found, seen);
        found.remove(Bindings.NOTHING);
        if (found.isEmpty()) {
            return targets.of(binding, unit, path);
        }
        return found.size() == 1 ? (Object) found.iterator().next() : List.copyOf(found);
    }

    private void collect(ITypeBinding type, String name, Set<Integer> found, Set<ITypeBinding> seen) {
        if (type == null || !seen.add(type)) {
            return;
        }
        for (IMethodBinding method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && Modifier.isStatic(method.getModifiers())) {
                found.add(targets.of(method, unit, path));
            }
        }
        for (IVariableBinding field : type.getDeclaredFields()) {
            if (field.getName().equals(name) && Modifier.isStatic(field.getModifiers())) {
                found.add(targets.of(field, unit, path));
            }
        }
        for (ITypeBinding member : type.getDeclaredTypes()) {
            if (member.getName().equals(name)) {
                found.add(targets.of(member, unit, path));
            }
        }
        if (found.isEmpty()) {
            collect(type.getSuperclass(), name, found, seen);
            for (ITypeBinding one : type.getInterfaces()) {
                collect(one, name, found, seen);
            }
        }
    }
}

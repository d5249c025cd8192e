package tieline;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jdt.core.compiler.IProblem;
import org.eclipse.jdt.core.dom.CompilationUnit;
import org.eclipse.jdt.core.dom.Expression;
import org.eclipse.jdt.core.dom.IMethodBinding;
import org.eclipse.jdt.core.dom.ITypeBinding;

/**
 * Where the compiler binds a name although it cannot know what the name means.
 *
 * <p>At an error it offers what comes nearest; and when the type of an argument is unknown it takes one of the methods of
 * that name for the one that is called, without saying that this is a guess.
 */
final class Doubts {
    /** Errors that say that a name means nothing, or not surely what it is bound to all the same. */
    private static final Set<Integer> AT_THE_NAME = Set.of(
            IProblem.UndefinedMethod, IProblem.ParameterMismatch, IProblem.AmbiguousMethod, IProblem.NotVisibleMethod,
            IProblem.UndefinedConstructor, IProblem.NotVisibleConstructor, IProblem.AmbiguousConstructor,
            IProblem.UndefinedConstructorInDefaultConstructor, IProblem.UndefinedType, IProblem.NotVisibleType,
            IProblem.AmbiguousType, IProblem.UndefinedField, IProblem.NotVisibleField, IProblem.AmbiguousField,
            IProblem.UndefinedName, IProblem.UnresolvedVariable, IProblem.ImportNotFound, IProblem.ImportNotVisible,
            IProblem.ImportAmbiguous, IProblem.GenericMethodTypeArgumentMismatch,
            IProblem.GenericConstructorTypeArgumentMismatch);
    /** Errors about a method that is bound: a type in its declaration is missing, so others may fit as well. */
    private static final Set<Integer> MISSING =
            Set.of(IProblem.MissingTypeInMethod, IProblem.MissingTypeInConstructor);
    private static final int DEEPEST_TYPE_ARGUMENT = 3;

    private final Set<Integer> names = new HashSet<>();
    private final Set<Integer> incomplete = new HashSet<>();
    /** Starts of all errors, ascending. */
    private final int[] errors;

    Doubts(CompilationUnit unit) {
        errors = Arrays.stream(unit.getProblems())
                .filter(IProblem::isError)
                .mapToInt(IProblem::getSourceStart)
                .sorted()
                .toArray();
        for (IProblem problem : unit.getProblems()) {
            if (problem.isError() && AT_THE_NAME.contains(problem.getID())) {
                names.add(problem.getSourceStart());
            }
            if (MISSING.contains(problem.getID())) {
                incomplete.add(problem.getSourceStart());
            }
        }
    }

    /** Whether there is an error about the very name that starts at an offset. */
    boolean at(int offset) {
        return names.contains(offset);
    }

    /**
     * Whether a call may be one of another method of the same name: there are several that take this many arguments, and
     * what some argument or parameter is cannot be known.
     *
     * @param start of the name, or of the whole construction
     * @param receiver the type whose members are called; null for that of the method
     */
    boolean about(IMethodBinding method, int start, List<?> arguments, ITypeBinding receiver) {
        if (!incomplete.contains(start) && arguments.stream().noneMatch(one -> isUnknown((Expression) one))) {
            return false;
        }
        Set<String> signatures = new HashSet<>();
        Set<ITypeBinding> seen = new HashSet<>();
        collect(method.getDeclaringClass(), method, arguments.size(), signatures, seen);
        if (receiver != null && !method.isConstructor()) {
            collect(receiver, method, arguments.size(), signatures, seen);
        }
        return signatures.size() > 1;
    }

    private boolean isUnknown(Expression argument) {
        int end = argument.getStartPosition() + argument.getLength();
        int next = Arrays.binarySearch(errors, argument.getStartPosition());
        int first = next >= 0 ? next : -next - 1;
        if (first < errors.length && errors[first] < end) {
            return true;
        }
        return isUnknown(argument.resolveTypeBinding(), 0);
    }

    private static boolean isUnknown(ITypeBinding type, int depth) {
        if (type == null || type.isRecovered()) {
            return true;
        }
        if (type.isArray()) {
            return isUnknown(type.getElementType(), depth);
        }
        if (depth < DEEPEST_TYPE_ARGUMENT) {
            for (ITypeBinding one : type.getTypeArguments()) {
                if (!one.isWildcardType() && !one.isCapture() && isUnknown(one, depth + 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void collect(
            ITypeBinding type, IMethodBinding method, int arguments, Set<String> signatures, Set<ITypeBinding> seen) {
        if (type == null || !seen.add(type)) {
            return;
        }
        for (IMethodBinding one : type.getDeclaredMethods()) {
            boolean isOfThatName = method.isConstructor() ? one.isConstructor() : one.getName().equals(method.getName());
            int parameters = one.getParameterTypes().length;
            if (isOfThatName && (parameters == arguments || one.isVarargs() && arguments >= parameters - 1)) {
                StringBuilder signature = new StringBuilder();
                for (ITypeBinding parameter : one.getMethodDeclaration().getParameterTypes()) {
                    signature.append(parameter.getErasure().getQualifiedName()).append(',');
                }
                signatures.add(signature.toString());
            }
        }
        if (!method.isConstructor()) {
            collect(type.getSuperclass(), method, arguments, signatures, seen);
            for (ITypeBinding one : type.getInterfaces()) {
                collect(one, method, arguments, signatures, seen);
            }
        }
    }
}

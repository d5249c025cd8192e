package tieline;

import org.eclipse.jdt.core.ISourceRange;
import org.eclipse.jdt.core.SourceRange;
import org.eclipse.jdt.core.dom.ASTNode;
import org.eclipse.jdt.core.dom.AbstractTypeDeclaration;
import org.eclipse.jdt.core.dom.AnnotationTypeMemberDeclaration;
import org.eclipse.jdt.core.dom.EnumConstantDeclaration;
import org.eclipse.jdt.core.dom.MethodDeclaration;
import org.eclipse.jdt.core.dom.SimpleName;
import org.eclipse.jdt.core.dom.TypeParameter;
import org.eclipse.jdt.core.dom.VariableDeclaration;

/** Where the name of a declaration stands. */
final class Places {
    private Places() {}

    /** The range of the name that a node declares; null for nodes without one, such as anonymous classes. */
    static ISourceRange nameOf(ASTNode node) {
        SimpleName name = null;
        if (node instanceof AbstractTypeDeclaration type) {
            name = type.getName();
        } else if (node instanceof MethodDeclaration method) {
            name = method.getName();
        } else if (node instanceof VariableDeclaration variable) {
            name = variable.getName();
        } else if (node instanceof EnumConstantDeclaration constant) {
            name = constant.getName();
        } else if (node instanceof AnnotationTypeMemberDeclaration member) {
            name = member.getName();
        } else if (node instanceof TypeParameter parameter) {
            name = parameter.getName();
        }
        return name == null || name.getLength() <= 0 ? null : new SourceRange(name.getStartPosition(), name.getLength());
    }
}

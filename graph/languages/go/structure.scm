; What stands directly in a Go source file. Everything inside of a declaration is read through it, in source order.

(package_clause) @package
(import_declaration) @declaration
(const_declaration) @declaration
(var_declaration) @declaration
(type_declaration) @declaration
(function_declaration) @declaration
(method_declaration) @declaration

; Pieces that could not be parsed, and statements left over where a declaration is broken.
(ERROR) @damaged
(expression_statement) @damaged
(short_var_declaration) @damaged
(assignment_statement) @damaged
(if_statement) @damaged
(for_statement) @damaged
(return_statement) @damaged
(block) @damaged

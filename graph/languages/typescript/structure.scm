; The statements and declarations of JavaScript that the adapter is told about, each under its role. What stands inside
; an expression (functions, classes, object literals) is read by the statement that holds it.

(import_statement) @import
(export_statement) @export
[(function_declaration) (generator_function_declaration)] @function
(class_declaration) @class
(lexical_declaration) @lexical
(variable_declaration) @variable
(expression_statement) @expression
(return_statement) @return
(throw_statement) @throw
[(if_statement) (while_statement) (do_statement) (switch_statement) (switch_case) (with_statement)] @plain
(for_statement) @for
(for_in_statement) @for_in
(catch_clause) @catch
[(statement_block) (switch_body)] @block
(ERROR) @error

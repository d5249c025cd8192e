; The statements of Python, and the clauses that hold expressions of their own, with their roles.
; Expressions are read below these nodes by the adapter and are not captured here as well.
; Where two captured nodes have one extent, the order here is the order in which they are read.

(module (_) @statement)
(block (_) @statement)
(module (ERROR (_) @statement))
(block (ERROR (_) @statement))
(decorated_definition definition: (_) @statement)
(decorator) @decorator
(elif_clause) @elif
(except_clause) @except
(with_item) @with_item
(case_clause) @case
(else_clause) @branch
(finally_clause) @branch

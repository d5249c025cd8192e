; The declarations of Rust, with their roles, wherever they stand. What a function body holds besides declarations is read
; by the adapter below the function and is not captured here; attributes belong to the declaration that follows them.

(function_item) @function
(function_signature_item) @function
(struct_item) @struct
(union_item) @struct
(enum_item) @enum
(trait_item) @trait
(impl_item) @impl
(mod_item) @module
(foreign_mod_item) @foreign
(use_declaration) @use
(extern_crate_declaration) @extern_crate
(const_item) @constant
(static_item) @constant
(type_item) @alias
(associated_type) @alias
(macro_definition) @macro
(attribute_item) @attribute
(source_file (inner_attribute_item) @inner)
(source_file (macro_invocation) @invocation)
(source_file (expression_statement (macro_invocation) @invocation))
(declaration_list (macro_invocation) @invocation)
(source_file (ERROR (_) @stray))

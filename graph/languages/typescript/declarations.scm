; What TypeScript adds to `structure.scm`: declarations of types, namespaces and of what is implemented elsewhere.

(function_signature) @function
(abstract_class_declaration) @class
(interface_declaration) @interface
(type_alias_declaration) @type
(enum_declaration) @enum
[(internal_module) (module)] @namespace
(ambient_declaration) @ambient
(import_alias) @import_alias

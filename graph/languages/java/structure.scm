; The declarations of Java with their roles. What stands inside a body - statements and expressions - is read below
; the member that holds it, and is not captured here as well; class bodies inside of it are.
; Where two captured nodes have one extent, the order here is the order in which they are read.

(package_declaration) @package
(import_declaration) @import

(class_declaration) @type
(interface_declaration) @type
(enum_declaration) @type
(record_declaration) @type
(annotation_type_declaration) @type

(class_body) @body
(interface_body) @body
(enum_body) @body
(annotation_type_body) @body

(field_declaration) @field
(constant_declaration) @field
(enum_constant) @constant
(method_declaration) @method
(annotation_type_element_declaration) @method
(constructor_declaration) @constructor
(compact_constructor_declaration) @constructor
(static_initializer) @initializer
(class_body (block) @initializer)
(enum_body_declarations (block) @initializer)

(ERROR) @damaged

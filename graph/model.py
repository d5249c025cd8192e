"""The vocabulary of the index: kinds, statuses, flags, and the facts that one file yields.

Everything here is plain data that survives a round trip through JSON, so that facts can cross a process border and be
stored. Kinds and statuses are small integers in facts and in the store (`IntEnum`), and lower-case words in output
(`word`). Offsets are byte offsets into the UTF-8 text that was parsed, 0-based, half-open.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Any, NamedTuple, TypeAlias


def word(member: IntEnum) -> str:
    """The word that output uses for a kind or a status, e.g. `not-ready` for `NOT_READY`."""
    return member.name.lower().replace("_", "-")


class DefinitionKind(IntEnum):
    """What a definition is. The numbers are stored: append, never renumber."""

    MODULE = 0
    """A file as a unit: a Python or Rust module, an ECMAScript module, one file of a Go or Java package. Always index
    0.
    """
    NAMESPACE = 1
    """A named block that only groups names: an inline Rust `mod`, a TypeScript `namespace`."""
    CLASS = 2
    INTERFACE = 3
    """A Java or TypeScript interface, a Go interface type, a Java annotation type."""
    STRUCT = 4
    ENUM = 5
    TRAIT = 6
    TYPE = 7
    """A type alias or a defined type without members of its own."""
    FUNCTION = 8
    METHOD = 9
    CONSTRUCTOR = 10
    FIELD = 11
    """A member that holds a value: instance or class attribute, struct field, property."""
    VARIABLE = 12
    """A variable; with `Flag.LOCAL` one of a function, otherwise one of a module or namespace."""
    CONSTANT = 13
    ENUM_MEMBER = 14
    PARAMETER = 15
    MACRO = 16
    TYPE_PARAMETER = 17
    UNION = 18


class ReferenceKind(IntEnum):
    """How a reference uses what it names. The numbers are stored: append, never renumber."""

    CALL = 0
    CONSTRUCT = 1
    """A construction that the syntax itself shows: `new Foo()`, `Foo{}`."""
    IMPORT = 2
    REEXPORT = 3
    BASE = 4
    """A base class, a supertrait, an embedded type, an extended interface."""
    IMPLEMENT = 5
    """An interface that a class names, a trait that an `impl` names."""
    TYPE = 6
    RAISE = 7
    DECORATE = 8
    """A decorator, annotation or attribute."""
    READ = 9
    """Any other use of the value, a function passed as a value among them."""
    WRITE = 10
    JSX = 11
    MACRO = 12
    DELETE = 13


CALL_KINDS = frozenset({ReferenceKind.CALL, ReferenceKind.CONSTRUCT, ReferenceKind.JSX})
"""The reference kinds that count as calls in `calls_in_repo`."""

TYPE_KINDS = frozenset(
    {
        DefinitionKind.CLASS,
        DefinitionKind.INTERFACE,
        DefinitionKind.STRUCT,
        DefinitionKind.ENUM,
        DefinitionKind.TRAIT,
        DefinitionKind.TYPE,
        DefinitionKind.UNION,
        DefinitionKind.TYPE_PARAMETER,
    }
)
CALLABLE_KINDS = frozenset(
    {DefinitionKind.FUNCTION, DefinitionKind.METHOD, DefinitionKind.CONSTRUCTOR, DefinitionKind.MACRO}
)


class Status(IntEnum):
    """What one resolution says. The numbers are stored: append, never renumber."""

    RESOLVED = 0
    EXTERNAL = 1
    AMBIGUOUS = 2
    UNRESOLVED = 3
    EXCLUDED = 4
    FAILED = 5


class Visibility(IntEnum):
    """Who may use a definition. The numbers are stored: append, never renumber."""

    PUBLIC = 0
    PRIVATE = 1
    PROTECTED = 2
    PACKAGE = 3
    """Visible in its package, module or crate only: Java's default, Go's lower case, Rust's `pub(crate)`."""


class Flag(IntFlag):
    """Properties of a definition. The numbers are stored: append, never renumber."""

    ASYNC = 1
    STATIC = 2
    ABSTRACT = 4
    EXPORTED = 8
    DEPRECATED = 16
    TEST = 32
    DAMAGED = 64
    """Lies inside a region that the parser could not read cleanly."""
    LOCAL = 128
    """A local variable or a parameter that became a definition because it is called."""
    PROPERTY = 256
    """Reading it calls it: a Python property, a getter."""
    GENERATOR = 512
    CLASSMETHOD = 1024
    OVERLOAD = 2048
    """A signature without a body that a later definition implements."""
    CONDITIONAL = 4096
    """Exists in some builds only; `condition` says in which."""
    RECEIVER = 8192
    """A function of a type that takes a receiver, where the language has both kinds (a Rust `fn f(&self)`)."""


class ScopeKind(IntEnum):
    """What opens a scope. The numbers are stored: append, never renumber."""

    MODULE = 0
    CLASS = 1
    FUNCTION = 2
    BLOCK = 3


class BindingTag(IntEnum):
    """What a name is bound to in a scope: the first number of a binding, the second being its payload."""

    DEFINITION = 0
    """Payload: index of a definition of this file."""
    IMPORT = 1
    """Payload: index into `imports` of this file."""
    VALUE = 2
    """Payload: index of the expression that the local name holds, or -1 where nothing is known of it."""


class Op(IntEnum):
    """Operations of an expression: the first number of its list. See `Expression`.

    Operands called *type expression* are read as types: a NAME that is a class stands for the class there, and
    becomes a value of that class only through `INSTANCE`.
    """

    NAME = 0
    """[NAME, scope, name]: the name as it is seen from the scope (index)."""
    ATTRIBUTE = 1
    """[ATTRIBUTE, expression, name]: member of a value, of a type, of a module or of a namespace; path segments too."""
    CALL = 2
    """[CALL, callee, argument count, [argument expressions]]: what the call gives. Arguments may be left out ([])."""
    INDEX = 3
    """[INDEX, expression, index expression]: an element, by subscript."""
    AWAIT = 4
    """[AWAIT, expression]."""
    ITERATE = 5
    """[ITERATE, expression]: an element, by iteration."""
    INSTANCE = 6
    """[INSTANCE, type expression]: a value of that type (a declared type, a construction)."""
    GENERIC = 7
    """[GENERIC, type expression, [type expressions]]: a type with arguments."""
    UNION = 8
    """[UNION, [expressions]]: one of them."""
    BUILTIN = 9
    """[BUILTIN, name, [type expressions]]: a value of a type built into the language, e.g. `str`, `list` of
    something.
    """
    SELF = 10
    """[SELF, definition]: an instance of the class that is that definition of this file."""
    SUPER = 11
    """[SUPER, definition]: the bases of that class, seen through an instance."""
    TUPLE = 12
    """[TUPLE, [expressions]]."""
    PICK = 13
    """[PICK, expression, position]: one part of a tuple that is taken apart (0-based)."""
    FUNCTION_TYPE = 14
    """[FUNCTION_TYPE, result expression]: something that gives a value when called (a lambda, a function type)."""
    DEFINITION = 15
    """[DEFINITION, definition]: that definition of this file itself (an anonymous class, a function expression)."""
    IMPORTED = 16
    """[IMPORTED, import]: what that import of this file names."""
    ENTER = 17
    """[ENTER, expression]: what a context manager gives on entry."""
    SPECIAL = 18
    """[SPECIAL, word, expression or -1, ...]: an operation of one language; its linker knows the word."""
    CALLBACK = 19
    """[CALLBACK, callee, argument position, parameter position]: parameter of a function that is passed to a call."""
    TYPE_PARAMETER = 20
    """[TYPE_PARAMETER, definition, position]: a type parameter of that definition of this file, as a type."""


Expression: TypeAlias = list[Any]
"""[Op, operands...] as documented at `Op`; operands that are expressions are indices into `FileFacts.expressions`, -1
unknown.
"""

Binding: TypeAlias = list[int]
"""[BindingTag, payload]."""


class DefinitionFact(NamedTuple):
    """One definition as extraction sees it. The fields after `condition` are for display and are not needed to link."""

    kind: int
    name: str
    parent: int
    """Index of the enclosing definition; -1 for the module itself."""
    scope: int
    """Index of the scope that it opens (its members, its locals), or -1."""
    flags: int
    visibility: int
    bases: list[int]
    """Type expressions of base classes, interfaces, embedded types, in source order."""
    type: int
    """Expression of its declared type (a value: `INSTANCE`), or of what it returns when called; -1 when not declared.
    """
    values: list[int]
    """Expressions of the values assigned to it, or of the values it returns, where no type is declared."""
    parameters: list[list[Any]]
    """[name, type expression or -1, has default (0/1), kind: 0 positional, 1 rest, 2 keyword only, 3 keyword rest]
    each.
    """
    type_parameters: list[list[Any]]
    """[name, bound type expression or -1] each."""
    decorators: list[int]
    """Expressions of decorators (annotations, attributes), outermost first."""
    condition: str
    """The build condition under which it exists, as written; empty for always."""
    extra: dict[str, Any]
    """Facts that only the language's own linker reads."""
    qualified_name: str
    start: int
    end: int
    name_start: int
    name_end: int
    signature: str
    doc: str


class ReferenceFact(NamedTuple):
    """One reference as extraction sees it."""

    kind: int
    start: int
    end: int
    """Byte range of the name alone."""
    expression: int
    """The expression (NAME, ATTRIBUTE, IMPORTED, ...) whose last name this is; -1 when it can only stay unresolved."""
    enclosing: int
    """Index of the definition it stands in; 0 is the module."""
    arguments: int
    """Number of arguments of a call; -1 when it is not a call or the number is not known (spread)."""
    name: str
    qualifier: str
    """Source text before the name that selects it (`self.store` of `self.store.fetch`), cut to 80 characters."""


class FileFacts(NamedTuple):
    """All that extraction takes from one file: a pure function of (bytes, language, grammar version, query version)."""

    scopes: list[list[int]]
    """[parent scope or -1, ScopeKind, definition that owns it] each; scope 0 is the module's."""
    bindings: list[dict[str, list[Binding]]]
    """Per scope: name -> what is bound to it, in source order."""
    stars: list[list[int]]
    """[scope, import] of each import that brings in every name."""
    definitions: list[DefinitionFact]
    expressions: list[Expression]
    imports: list[list[Any]]
    """[specifier as written, imported name ('' for the module itself, '*' for all), flags of the language] each."""
    exports: dict[str, Binding]
    """Exported name -> binding, where export is a statement of its own (ECMAScript); empty elsewhere."""
    star_exports: list[int]
    """Imports whose every name is exported again."""
    all: list[str] | None
    """An explicit list of public names (`__all__`), or None."""
    package: str
    """The package or namespace that the file declares itself a member of (Java, Go), or ''."""
    references: list[ReferenceFact]
    damage: list[tuple[int, int]]
    """Byte ranges that the parser could not read cleanly, conflict markers among them."""
    conflict_markers: bool
    extra: dict[str, Any]
    """Facts about the file that only the language's own linker reads."""

"""What a language says of itself, and what the parts of the engine ask of one another."""

from __future__ import annotations

from typing import ClassVar

from mypy_extensions import mypyc_attr

from graph.link.answers import NOBODY, Named
from graph.link.circles import Circles
from graph.link.values import (
    NESTING,
    NOTHING,
    Value,
    Values,
)
from graph.link.world import FileInterface
from graph.model import (
    BindingTag,
    Flag,
    Op,
    ScopeKind,
)

_NAME, _ATTRIBUTE, _IMPORTED, _DEFINITION_OP = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.IMPORTED), int(Op.DEFINITION)
_DEFINITION, _IMPORT, _VALUE = int(BindingTag.DEFINITION), int(BindingTag.IMPORT), int(BindingTag.VALUE)
_CLASS_SCOPE = int(ScopeKind.CLASS)
_PROPERTY, _CONDITIONAL = int(Flag.PROPERTY), int(Flag.CONDITIONAL)


@mypyc_attr(allow_interpreted_subclasses=True)
class Questions(Circles):
    """The questions that every part may ask; a language answers the first of them."""

    class_scopes_visible: ClassVar[bool] = False
    """Whether class members are visible as bare names in everything inside the class (Java)."""
    class_body_visible: ClassVar[bool] = False
    """Whether class members are visible as bare names in the class body itself only (Python)."""
    self_types: ClassVar[bool] = False
    """Whether `self` keeps the type of the receiver when a method is inherited (so that `return self` gives the
    subclass).
    """
    nesting: ClassVar[int] = NESTING
    """Deepest nesting of type arguments that is kept."""
    overloads: ClassVar[bool] = False
    """Whether the number of arguments takes part in finding the target of a call."""
    builtin_package: ClassVar[str] = "builtins"
    """The package that external targets of the language's own types and functions are given."""

    # -- what a language must say -------------------------------------------------------------------------------------

    def import_things(self, file: FileInterface, index: int) -> Values:
        """The things that an import (index) of a file names; () when it cannot be found."""
        raise NotImplementedError

    def star_things(self, file: FileInterface, index: int, name: str) -> Values:
        """The things that a star import (index) brings in under a name; () when it brings none."""
        raise NotImplementedError

    def module_things(self, number: int, name: str, asker: int) -> Values:
        """The things named by member `name` of a module (file number), seen from another file."""
        raise NotImplementedError

    def package_things(self, key: str, name: str, file: FileInterface) -> Values:
        """The things named by member `name` of a package, seen from a file. None by default."""
        return NOTHING

    def package_targets(self, key: str) -> tuple[int, ...]:
        """The definitions that stand for a package itself."""
        return ()

    def outermost(self, file: FileInterface, scope: int, name: str) -> Named:
        """The things that a bare name names when no scope of the file binds it: same package, builtins, prelude."""
        return NOBODY

    # -- what the parts of the engine answer --------------------------------------------------------------------------

    def denote(self, file: FileInterface, expression: int) -> Named:
        """The things that an expression of a file names. `NOBODY` when nothing is known."""
        raise NotImplementedError

    def denote_name(self, file: FileInterface, scope: int, name: str) -> Named:
        """The things that a bare name names, seen from a scope."""
        raise NotImplementedError

    def evaluate(self, file: FileInterface, expression: int) -> Values:
        """The values that an expression of a file can stand for; () when nothing is known."""
        raise NotImplementedError

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        """The things that `value.name` names, asked by a file."""
        raise NotImplementedError

"""The questions about Rust types that lean on each other, as one list: the modules that answer them follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from graph.languages.rust.macro_scopes import MacroScopes
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import Given
from graph.link.values import EXTERNAL, EXTERNAL_INSTANCE, INSTANCE, PARAMETER, TUPLE, TYPE, Value, Values, gid
from graph.link.world import World
from graph.model import CALLABLE_KINDS, DefinitionKind

NESTING: Final = 40
"""Deepest nesting of questions about associated types and bounds inside each other."""


class Impl(NamedTuple):
    """One impl block."""

    file: int
    number: int
    owner: int
    """What its type parameters belong to."""
    target: Value
    """The type it is for, as a value."""
    trait: Value | None
    """(TYPE, gid, arguments), (EXTERNAL, ...), `UNKNOWN` when it could not be found, or None for an inherent impl."""
    members: dict[str, list[int]]
    parameters: int
    condition: str


class Questions(MacroScopes):
    """What can be asked of types and values; each is answered by a class further down."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._impls: dict[Any, list[Impl]] = {}
        self._blanket: list[Impl] = []
        self._building = False
        self._prepared = False
        self._bounds: dict[tuple[int, int], Values] = {}
        self._supertraits: dict[int, list[Value]] = {}
        self._methods: dict[int, dict[int, Impl]] = {}
        self._associated: dict[int, tuple[str, ...]] = {}
        self._derived: dict[int, tuple[Value, ...]] = {}
        self._extra_bounds: dict[int, dict[Any, list[int]]] = {}
        self._nesting: int = 0
        self._traits_seen: dict[tuple[int, int], bool] = {}
        by_name = {
            d.name: i for i, d in enumerate(self.standard.definitions) if d.kind not in CALLABLE_KINDS and d.parent >= 0
        }
        by_name.update(
            {
                d.name: i
                for i, d in enumerate(self.standard.definitions)
                if d.kind in (DefinitionKind.STRUCT, DefinitionKind.ENUM, DefinitionKind.TRAIT, DefinitionKind.UNION)
                and not d.qualified_name.startswith(("sync.atomic", "sync.Weak", "fmt.", "io.Error"))
            }
        )
        self._standard_names = by_name
        self.fn_traits = frozenset(self.std(name) for name in ("Fn", "FnMut", "FnOnce", "AsyncFn"))

    def std(self, name: str) -> int:
        """The gid of a type or trait of the standard library's declarations."""
        return gid(STANDARD, self._standard_names[name])

    def std_value(self, name: str, *arguments: Values) -> Value:
        """A value of a type of the standard library."""
        return (INSTANCE, self.std(name), arguments)

    def head_of(self, value: Value) -> Any:
        """What impl blocks are kept under: the definition of a type, or a word; None for what has none."""
        tag = value[0]
        if tag == INSTANCE or tag == TYPE:
            return value[1]
        if tag in (EXTERNAL, EXTERNAL_INSTANCE):
            return value[1:3]
        if tag == PARAMETER:
            return "parameter"
        return "tuple" if tag == TUPLE else None

    def own(self, owner: int, key: str) -> tuple[int, ...]:
        """The gids of what the scope of a type or trait binds a key to."""
        return self.own_members(owner, key)

    def impls(self, head: Any) -> list[Impl]:
        """The impl blocks for the type with that head."""
        raise NotImplementedError

    def impl_of(self, member: int) -> Impl | None:
        """The impl block in which a member (gid) stands."""
        raise NotImplementedError

    def matching(self, value: Value, wanted: Callable[[Impl], bool]) -> list[tuple[Impl, Given]]:
        """The impl blocks that are for a value's type, with what their type parameters stand for then."""
        raise NotImplementedError

    def blanket(self, value: Value, wanted: Callable[[Impl], bool]) -> list[tuple[Impl, Given]]:
        """The impl blocks for every type within bounds that do not rule the value's type out."""
        raise NotImplementedError

    def implemented(self, value: Value, trait: int) -> bool:
        """Whether a type has an impl or a derive of a trait."""
        raise NotImplementedError

    def is_below(self, trait: int, above: int) -> bool:
        """Whether a trait is another one, or has it among its supertraits."""
        raise NotImplementedError

    def derived(self, definition: int) -> tuple[Value, ...]:
        """The traits that a type derives."""
        raise NotImplementedError

    def supertraits(self, trait: int) -> list[Value]:
        """The traits (TYPE, gid, arguments) that a trait asks for, near ones first, in terms of its own parameters."""
        raise NotImplementedError

    def associated(self, trait: int) -> tuple[str, ...]:
        """The names of the associated types of a trait: its own, then those of its supertraits."""
        raise NotImplementedError

    def place_of(self, trait: int, name: str) -> int:
        """The position of an associated type among the arguments of a trait; -1 when it has none of that name."""
        raise NotImplementedError

    def trait_arguments(self, trait: Value, self_values: Values) -> tuple[Values, ...]:
        """The arguments of a trait with the type itself put in first."""
        raise NotImplementedError

    def trait_member(self, trait: Value, key: str, self_value: Value) -> Values:
        """The things of a trait, or of its supertraits, under a name, for a type."""
        raise NotImplementedError

    def member_thing(self, member: int, given: tuple[Any, ...]) -> Value:
        """A member as the thing named, with what the type parameters of its owners stand for."""
        raise NotImplementedError

    def bounds(self, value: Value) -> Values:
        """The traits (TYPE, gid, arguments) that a type parameter, a trait object or an associated type offers."""
        raise NotImplementedError

    def substituted(self, values: Values, given: Given) -> Values:
        """The values with type parameters replaced, and associated types of what they now stand for looked up."""
        raise NotImplementedError

    def project(self, values: Values, name: str, trait: int | None) -> Values:
        """What an associated type is for values of a type; the associated type itself where it stays open."""
        raise NotImplementedError

    def unify(self, pattern: Values, actual: Values, given: Given, *, loose: bool = False) -> bool:
        """Match a declared type against a value, noting what the owners' type parameters stand for; false on a clash.

        `loose` allows what the compiler converts on the way into a parameter: dereferencing, an impl of a trait.
        """
        raise NotImplementedError

    def callable(self, value: Value) -> tuple[tuple[Values, ...] | None, Values]:
        """What a value takes and gives when it is called."""
        raise NotImplementedError

    def steps(self, value: Value) -> list[Value]:
        """A value, and what it gives by dereferencing again and again (Rust reference, "Method-call expressions")."""
        raise NotImplementedError

    def impl_things(self, impl: Impl, key: str, given: Given) -> Values:
        """The members of an impl block under a key."""
        raise NotImplementedError

    def result(self, function: int, receiver: Any, asker: int, arguments: tuple[Values, ...]) -> Values:
        raise NotImplementedError

"""Linking of Rust: resolutions of references, definitions of different builds told apart, and what implements what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graph.languages.rust.conditions import compatible
from graph.languages.rust.names import VALUE
from graph.languages.rust.operations import Operations
from graph.languages.rust.questions import Impl
from graph.languages.rust.standard import STANDARD
from graph.languages.rust.terms import PROJECTED
from graph.link.answers import Ancestry, Resolution
from graph.link.values import EXTERNAL, EXTERNAL_INSTANCE, TYPE, Value, Values, file_of, gid, index_of
from graph.link.world import FileInterface, World
from graph.model import DefinitionKind, ReferenceKind, Status

_IMPORTS: Final = frozenset({int(ReferenceKind.IMPORT), int(ReferenceKind.REEXPORT)})


class RustLinker(Operations):
    """Links Rust files."""

    builtin_package = "std"

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._conditions: dict[int, tuple[str, ...]] = {}

    def link(self, number: int, references: Sequence[Sequence[int]]) -> list[Resolution]:
        self.prepare()
        resolutions = super().link(number, references)
        for place, resolution in enumerate(resolutions):
            if len(resolution.targets) > 1 and references[place][0] not in _IMPORTS:
                resolutions[place] = self._one_build(number, references[place][3], resolution)
        return resolutions

    def resolve(self, file: FileInterface, kind: int, expression: int, arguments: int, enclosing: int) -> Resolution:
        resolution = super().resolve(file, kind, expression, arguments, enclosing)
        if not resolution.targets:
            if resolution.reason == "local-value" and self.denote(file, expression).things[0][0] == PROJECTED:
                return Resolution(
                    Status.EXTERNAL, "receiver-type", "", (), "pin-project", file.expressions[expression][2][1:]
                )
            return resolution
        inside = tuple(target for target in resolution.targets if file_of(target) != STANDARD)
        if not inside:
            symbol = self.definition(resolution.targets[0]).qualified_name
            return Resolution(Status.EXTERNAL, resolution.rule, "", (), "std", symbol)
        if kind in _IMPORTS:
            return resolution._replace(targets=inside)
        outside = len(inside) < len(resolution.targets) or any(
            thing[0] in (EXTERNAL, EXTERNAL_INSTANCE) for thing in self.denote(file, expression).things
        )
        if (
            len(inside) > 1
            or outside
            or (resolution.rule.endswith("-partial") and resolution.rule.startswith("receiver"))
        ):
            return Resolution(Status.AMBIGUOUS, resolution.rule, "several-definitions", inside, "", "")
        return resolution._replace(targets=inside)

    def _one_build(self, number: int, enclosing: int, resolution: Resolution) -> Resolution:
        """Of several targets those that can be in one build with the item that refers to them."""
        own = self.condition(gid(number, enclosing))
        fitting = tuple(target for target in resolution.targets if compatible((*own, *self.condition(target))))
        if len(fitting) == 1:
            return resolution._replace(
                status=Status.RESOLVED, reason="", targets=fitting, rule=f"{resolution.rule}-cfg"
            )
        return resolution

    def condition(self, definition: int) -> tuple[str, ...]:
        """The `cfg` predicates under which a definition (gid) is compiled: its own and those of what is around it."""
        found = self._conditions.get(definition)
        if found is None:
            file = self.world.file(file_of(definition), file_of(definition))
            index = index_of(definition)
            predicates: list[str] = []
            impl = self.impl_of(definition)
            if impl is not None and impl.condition:
                predicates.append(impl.condition)
            while index >= 0:
                facts = file.definitions[index]
                if facts.condition:
                    predicates.append(facts.condition)
                index = facts.parent
            number = file.number
            for _ in range(64):
                place = self.modules.places.get(number)
                if place is None or place.parent < 0:
                    break
                if place.condition:
                    predicates.append(place.condition)
                number = place.parent
            found = self._conditions[definition] = tuple(dict.fromkeys(predicates))
        return found

    # -- relations ----------------------------------------------------------------------------------------------------

    def inherit(self, owner: int) -> Ancestry:
        """The traits of a type: those it implements and derives, and their supertraits; for a trait its supertraits."""
        self.prepare()
        classes: dict[int, tuple[Values, ...]] = {owner: ()}
        outside: dict[Value, None] = {}
        traits: list[Value] = []
        if self.definition(owner).kind == DefinitionKind.TRAIT:
            traits.extend(self.supertraits(owner))
        else:
            traits.extend(impl.trait for impl in self.impls(owner) if impl.trait is not None)
            traits.extend(self.derived(owner))
        for trait in traits:
            if trait[0] != TYPE or file_of(trait[1]) == STANDARD:
                outside[trait if trait[0] in (EXTERNAL, EXTERNAL_INSTANCE) else (EXTERNAL, "std", "")] = None
                continue
            classes.setdefault(trait[1], ())
            for above in self.supertraits(trait[1]):
                if file_of(above[1]) != STANDARD:
                    classes.setdefault(above[1], ())
        return Ancestry(tuple(classes.items()), tuple(outside))

    def overridden(self, method: int) -> tuple[int, ...]:
        """The declaration in a trait of the repository that a member of an impl block implements."""
        self.prepare()
        impl: Impl | None = self.impl_of(method)
        if impl is None or impl.trait is None or impl.trait[0] != TYPE:
            return ()
        facts = self.definition(method)
        key = facts.name if facts.kind == DefinitionKind.TYPE else VALUE + facts.name
        found = self.own(impl.trait[1], key)
        for member in found:
            self.world.note(file_of(method), file_of(member))
        return tuple(member for member in found if file_of(member) != STANDARD)

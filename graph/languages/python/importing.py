"""Imports: which module, and what in it, an import names (Python reference, 5 and 7.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from graph.languages.python.modules import Module, Modules
from graph.languages.python.rebinding import ANY
from graph.languages.python.standard import BUILTINS, MODULES
from graph.link.answers import NOBODY, Named
from graph.link.linker import Linker
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    MODULE,
    NOTHING,
    PACKAGE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    merge,
)
from graph.link.world import FileInterface, World
from graph.model import BindingTag, Flag, Op

_HELD = "held"
"""Marks, among what a local name stands for, the values that it may hold instead: (AMBIGUITY, it, values)."""
_LOCAL = int(Flag.LOCAL)
_NONE = (EXTERNAL_INSTANCE, "builtins", "None")
_MODULE_MEMBERS = frozenset(
    "__name__ __file__ __doc__ __dict__ __path__ __package__ __spec__ __loader__ __builtins__ __cached__".split()
)


REBOUND: Final[Value] = (AMBIGUITY[0], "rebound")
"""Among the things named: the others are candidates, and which one holds is seen when the program runs only."""


class ImportLinker(Linker):
    """Finds what imports and the names of modules stand for."""

    class_body_visible: ClassVar[bool] = True
    self_types: ClassVar[bool] = True

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.modules = Modules(world)

    def import_things(self, file: FileInterface, index: int) -> Values:
        specifier, name = file.imports[index][0], file.imports[index][1]
        module = self._module(file, specifier, name)
        if module is None:
            return self._outside(file, specifier, name)
        if not name:
            return (self._module_value(module),)
        if module.file >= 0:
            return self.module_things(module.file, name, file.number)
        found = self.modules.at(f"{module.folder}/{name}" if module.folder else name)
        return (self._module_value(found),) if found is not None else NOTHING

    def _module(self, file: FileInterface, specifier: str, member: str = "") -> Module | None:
        if specifier.startswith("."):
            location = self.modules.absolute(file.path, specifier)
            return None if location is None else self.modules.at(location)
        return self.modules.find(file.path, specifier, member)

    def _module_value(self, module: Module) -> Value:
        return (MODULE, module.file) if module.file >= 0 else (PACKAGE, module.folder)

    def _outside(self, file: FileInterface, specifier: str, name: str) -> Values:
        """A module that was not found: external, unless the repository has, or may have, its top-level package."""
        if specifier.startswith(".") or self.modules.inside(file.path, specifier):
            return NOTHING
        top, _, rest = specifier.partition(".")
        symbol = ".".join(part for part in (rest, name) if part)
        return ((EXTERNAL, top, symbol),)

    def star_things(self, file: FileInterface, index: int, name: str) -> Values:
        """Star imports bring what `__all__` lists, else every name without a leading underscore (reference, 7.11)."""
        module = self._module(file, file.imports[index][0])
        if module is None or module.file < 0:
            return NOTHING
        source = self.world.file(module.file, file.number)
        if source.all is not None:
            if not self._is_public(source, name):
                return NOTHING
        elif name.startswith("_"):
            return NOTHING
        things = self.once(("star", module.file, name), lambda: self._namespace(source, name))
        if not things and source.all is not None:
            return self._submodule(source, name)
        return things

    def _is_public(self, module: FileInterface, name: str) -> bool:
        """Whether `__all__` of a module has a name, by itself or through that of modules that are part of it."""
        seen: set[int] = set()
        pending = [module]
        while pending:
            part = pending.pop()
            if part.number in seen:
                continue
            seen.add(part.number)
            if part.all is not None and name in part.all:
                return True
            for expression in part.extra.get("all_of", ()):
                for value in self.evaluate(part, expression):
                    if value[0] == MODULE:
                        pending.append(self.world.file(value[1], module.number))
        return False

    def module_things(self, number: int, name: str, asker: int) -> Values:
        module = self.world.file(number, asker)
        things = self._namespace(module, name)
        if things and things != BOTTOMS:
            return things
        submodule = self._submodule(module, name)
        if submodule:
            return submodule
        if name in _MODULE_MEMBERS:
            return ((EXTERNAL, "builtins", f"module.{name}"),)
        if things:
            return things
        if "__getattr__" in module.bindings[0]:
            # The module makes up its members (PEP 562).
            return (UNKNOWN,)
        outside = self._outside_stars(module)
        return ((EXTERNAL, outside[0], name),) if len(outside) == 1 else NOTHING

    def _submodule(self, module: FileInterface, name: str) -> Values:
        """The module of that name in the folder of a package."""
        if not module.path.rsplit("/", 1)[-1].startswith("__init__."):
            return NOTHING
        folder = module.path.rsplit("/", 1)[0] if "/" in module.path else ""
        submodule = self.modules.at(f"{folder}/{name}" if folder else name)
        return (self._module_value(submodule),) if submodule is not None else NOTHING

    def _namespace(self, module: FileInterface, name: str) -> Values:
        """The things that a name is bound to at the top level of a module."""
        key = (0, name)
        known = module.names.get(key)
        if known is not None and known.rule != "builtin":
            return known.things
        found = module.bindings[0].get(name)
        if found is not None:
            things = self.bound(module, 0, name, found).things
            if things == ((MODULE, module.number),) and found[0][0] == BindingTag.IMPORT:
                # `from . import name` in a package itself: the submodule, not the package that is being read.
                return self._submodule(module, name)
            return things
        if module.stars:
            named = self.starred(module, 0, name)
            if named is not None:
                return named.things
        return NOTHING

    def _outside_stars(self, module: FileInterface) -> list[str]:
        """Top-level names of the modules outside of the repository that a file star-imports."""
        result: list[str] = []
        for scope, index in module.stars:
            specifier = module.imports[index][0]
            if scope == 0 and not specifier.startswith(".") and not self.modules.inside(module.path, specifier):
                result.append(specifier.split(".", 1)[0])
        return result

    def package_things(self, key: str, name: str, file: FileInterface) -> Values:
        """Members of a namespace package: the modules in its folder."""
        found = self.modules.at(f"{key}/{name}" if key else name)
        return (self._module_value(found),) if found is not None else NOTHING

    def outermost(self, file: FileInterface, scope: int, name: str) -> Named:
        """Builtins, and names that only a star import from outside can have brought."""
        if file.path.rsplit("/", 1)[-1].startswith("__init__."):
            submodule = self._imported_submodule(file, name)
            if submodule:
                return Named(submodule, "import")
        if name in BUILTINS:
            return Named(((EXTERNAL, "builtins", name),), "builtin")
        outside = self._outside_stars(file)
        if len(outside) == 1:
            return Named(((EXTERNAL, outside[0], name),), "star-import")
        return NOBODY

    def denote_special(self, file: FileInterface, operation: list[Any]) -> Named:
        """A name that is bound more than once, with those of its bindings that a use can see (`rebinding`)."""
        if operation[1] != "bound":
            return NOBODY
        scope: int = operation[3]
        name: str = operation[4]
        span: str = operation[5]
        bindings = file.bindings[scope][name]
        if span == ANY:
            return self._any_of(file, scope, name, [pair for pair in bindings if pair[0] != BindingTag.VALUE])
        start, _, stop = span.partition(":")
        return self._any_of(file, scope, name, bindings[int(start) : int(stop)])

    def _any_of(self, file: FileInterface, scope: int, name: str, bindings: Sequence[Sequence[int]]) -> Named:
        """The things of some bindings, each of which may hold; `None` is nothing that anybody means by the name."""
        if len(bindings) == 1:
            return super().bound(file, scope, name, bindings)
        sets = [super(ImportLinker, self).bound(file, scope, name, (pair,)).things for pair in bindings]
        things = tuple([thing for thing in merge(sets) if thing[0] != AMBIGUITY[0]])
        real = tuple([thing for thing in things if not self._is_none(thing)]) or things
        rule = "import" if any(pair[0] == BindingTag.IMPORT for pair in bindings) else "lexical"
        known = [thing for thing in real if thing[0] not in (UNKNOWN[0], BOTTOM[0])]
        return Named((*real, REBOUND) if len(known) > 1 or len(known) < len(real) else real, rule)

    def values_of(self, things: Values, asker: int) -> Values:
        """Of a name that is bound again to something unknown, nothing is known."""
        last = things[-1] if len(things) > 1 else UNKNOWN
        if last[0] == AMBIGUITY[0] and last[1:2] == (_HELD,):
            return merge([self.values_of(things[:-1], asker), last[2]])
        values = super().values_of(things, asker)
        return NOTHING if UNKNOWN in values and REBOUND in things else values

    def _imported_submodule(self, file: FileInterface, name: str) -> Values:
        """In a package, the module of that name in it, if the package imports from it: that binds it (5.4.2)."""
        for specifier, *_ in file.imports:
            if specifier == f".{name}" or specifier.startswith(f".{name}."):
                return self._submodule(file, name)
        return NOTHING

    def bound(self, file: FileInterface, scope: int, name: str, bindings: Sequence[Sequence[int]]) -> Named:
        """A local name that is imported or defined as well as assigned may be either.

        A name of the module that is bound again is what may be left of that at the end.
        """
        if scope == 0 and len(bindings) > 1 and name in file.extra.get("rebound", ()):
            rebound: list[int] = file.extra["rebound"][name]
            start, loose = rebound[0], rebound[1:]
            early = [bindings[index] for index in loose if index < start]
            return self._any_of(file, scope, name, [*early, *bindings[start:]])
        named = super().bound(file, scope, name, bindings)
        values = [payload for tag, payload in bindings if tag == BindingTag.VALUE]
        if not values or len(values) == len(bindings) or named.rule == "local":
            return named
        if any(tag == BindingTag.DEFINITION and file.definitions[index].flags & _LOCAL for tag, index in bindings):
            return named  # a local that is called: its definition holds these values
        held = tuple([value for value in merge([self.evaluate(file, one) for one in values]) if value[:3] != _NONE])
        if not named.things or held == BOTTOMS:
            return Named(merge([named.things, held or (UNKNOWN,)]), named.rule)
        # What the name holds is no other thing that it names.
        return Named((*named.things, (AMBIGUITY[0], _HELD, held)), named.rule)

    def preferred(self, things: Values) -> Values:
        """Of an import and what stands in where it fails, `None` is no candidate: nobody means it by the name."""
        real = tuple([thing for thing in things if not self._is_none(thing)])
        if real and real[0][0] == EXTERNAL and real[0][1] in MODULES:
            return real[:1]  # the standard library is there; what follows stands in for versions that lack it
        return super().preferred(real or things)

    def _is_none(self, thing: Value) -> bool:
        if thing[0] != VARIABLE:
            return False
        file = self.world.file(file_of(thing[1]), file_of(thing[1]))
        definition = self.definition(thing[1])
        return definition.type < 0 < len(definition.values) and all(
            value >= 0 and file.expressions[value][:2] == [Op.BUILTIN, "None"] for value in definition.values
        )

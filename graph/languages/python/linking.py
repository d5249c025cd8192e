"""Linking of Python: modules and imports, members along the method resolution order, and what builtins give back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph.languages.python.modules import Module, Modules
from graph.languages.python.standard import (
    BUILTIN_CLASSES,
    BUILTINS,
    CONTAINER_METHODS,
    ELEMENT_CALLS,
    FIRST_ARGUMENT_CALLS,
    ITERABLE_CLASSES,
    MAPPING_CLASSES,
    OBJECT_MEMBERS,
    RESULT_CLASSES,
    STRING_METHODS,
    TRANSPARENT_TYPES,
    VALUE_METHODS,
)
from graph.link.linker import NOBODY, Ancestry, Linker, Named
from graph.link.values import (
    BOTTOMS,
    CALLABLE,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FUNCTION,
    INSTANCE,
    MODULE,
    NOTHING,
    PACKAGE,
    PARAMETER,
    SELF_POSITION,
    SUPERS,
    TUPLE,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
    instances,
    merge,
)
from graph.link.world import FileInterface, World
from graph.model import Flag

_PROPERTY = int(Flag.PROPERTY)
_TYPING = ("typing", "typing_extensions", "collections.abc", "t", "types", "builtins", "collections")
_MODULE_MEMBERS = frozenset(
    "__name__ __file__ __doc__ __dict__ __path__ __package__ __spec__ __loader__ __version__".split()
)


class PythonLinker(Linker):
    """Links Python files."""

    class_body_visible = True
    self_types = True

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.modules = Modules(world)

    # -- modules and imports ------------------------------------------------------------------------------------------

    def import_things(self, file: FileInterface, index: int) -> Values:
        specifier, name = file.imports[index][0], file.imports[index][1]
        module = self._module(file, specifier)
        if module is None:
            return self._outside(file, specifier, name)
        if not name:
            return (self._module_value(module),)
        if module.file >= 0:
            things = self.module_things(module.file, name, file.number)
            if things:
                return things
            return NOTHING
        found = self.modules.at(f"{module.folder}/{name}" if module.folder else name)
        return (self._module_value(found),) if found is not None else NOTHING

    def _module(self, file: FileInterface, specifier: str) -> Module | None:
        if specifier.startswith("."):
            location = self.modules.absolute(file.path, specifier)
            return None if location is None else self.modules.at(location)
        return self.modules.find(file.path, specifier)

    def _module_value(self, module: Module) -> Value:
        return (MODULE, module.file) if module.file >= 0 else (PACKAGE, module.folder)

    def _outside(self, file: FileInterface, specifier: str, name: str) -> Values:
        """A module that is not in the repository: external, unless its top-level package is here."""
        if specifier.startswith(".") or (self.modules.inside(file.path, specifier)):
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
            if name not in source.all:
                return NOTHING
        elif name.startswith("_"):
            return NOTHING
        return self.once(("star", module.file, name), lambda: self._namespace(source, name))

    def module_things(self, number: int, name: str, asker: int) -> Values:
        module = self.world.file(number, asker)
        things = self._namespace(module, name)
        if things and things != BOTTOMS:
            return things
        if module.path.rsplit("/", 1)[-1].startswith("__init__."):
            folder = module.path.rsplit("/", 1)[0] if "/" in module.path else ""
            submodule = self.modules.at(f"{folder}/{name}" if folder else name)
            if submodule is not None:
                return (self._module_value(submodule),)
        if name in _MODULE_MEMBERS:
            return ((EXTERNAL, "builtins", f"module.{name}"),)
        if things:
            return things
        outside = self._outside_stars(module)
        return ((EXTERNAL, outside[0], name),) if len(outside) == 1 else NOTHING

    def _namespace(self, module: FileInterface, name: str) -> Values:
        """The things that a name is bound to at the top level of a module."""
        key = (0, name)
        known = module.names.get(key)
        if known is not None and known.rule != "builtin":
            return known.things
        found = module.bindings[0].get(name)
        if found is not None:
            return self.bound(module, 0, name, found).things
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
        if name in BUILTINS:
            return Named(((EXTERNAL, "builtins", name),), "builtin")
        outside = self._outside_stars(file)
        if len(outside) == 1:
            return Named(((EXTERNAL, outside[0], name),), "star-import")
        return NOBODY

    # -- classes ------------------------------------------------------------------------------------------------------

    def inherit(self, owner: int) -> Ancestry:
        """The method resolution order: C3 linearisation (docs.python.org, "The Python 2.3 Method Resolution Order").

        A class whose bases cannot be put in such an order, or are not all known, keeps the order of a depth-first walk.
        """
        walked = super().inherit(owner)
        file = self.world.file(file_of(owner), file_of(owner))
        rows: list[list[int]] = []
        direct: list[int] = []
        for base in file.definitions[index_of(owner)].bases:
            for value in self.evaluate(file, base):
                if value[0] == TYPE:
                    rows.append([class_ for class_, _ in self.ancestry(value[1]).classes])
                    direct.append(value[1])
        if len(rows) < 2:
            return walked
        order = _linearise([*rows, direct])
        if order is None:
            return walked
        arguments = dict(walked.classes)
        return Ancestry(tuple((class_, arguments.get(class_, ())) for class_ in (owner, *order)), walked.outside)

    def member(self, owner: int, name: str, receiver: Value | None, asker: int, skip: int = 0) -> Values:
        """A property of a class or its bases comes before what is assigned to instances (data model, 3.3.2.2)."""
        things = super().member(owner, name, receiver, asker, skip)
        if len(things) == 1 and things[0][0] == VARIABLE and "instance" in self.definition(things[0][1]).extra:
            for class_, _ in self.ancestry(owner).classes[skip:]:
                for member in self.own_members(class_, name):
                    facts = self.definition(member)
                    if facts.flags & _PROPERTY and "cached_property" not in facts.extra.get("decorators", ()):
                        return (self.thing(member, things[0][2]),)
        return things

    def outside_member(self, outside: Values, name: str) -> Values:
        """Every class inherits from `object`; `Generic` and the like add nothing else."""
        real = tuple(base for base in outside if not (base[0] == EXTERNAL and _is_empty_base(base)))
        if name in OBJECT_MEMBERS and all(base[0] == EXTERNAL for base in real):
            return ((EXTERNAL, "builtins", f"object.{name}"),) if not real else super().outside_member(real, name)
        return super().outside_member(real, name)

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        tag = value[0]
        if tag == EXTERNAL_INSTANCE:
            if value[2] == "None" and value[1] == "builtins":
                return BOTTOMS
            return ((EXTERNAL, value[1], f"{value[2]}.{name}", value[3]),)
        if tag == FUNCTION:
            return (
                ((EXTERNAL, "builtins", f"function.{name}"),)
                if name in OBJECT_MEMBERS or name == "__wrapped__"
                else NOTHING
            )
        if tag == TUPLE:
            found = self._named_part(value, name)
            return found or ((EXTERNAL, "builtins", f"tuple.{name}"),)
        return super().members(value, name, file)

    def _named_part(self, value: Value, name: str) -> Values:
        return NOTHING

    # -- values -------------------------------------------------------------------------------------------------------

    def value_of(self, thing: Value, asker: int) -> Values:
        if thing[0] == VARIABLE:
            definition = self.definition(thing[1])
            if definition.type < 0 and len(definition.values) == 1 and self._is_enum_member(thing):
                owner = gid(file_of(thing[1]), definition.parent)
                return ((INSTANCE, owner, ()),)
        return super().value_of(thing, asker)

    def _is_enum_member(self, thing: Value) -> bool:
        """A class attribute of a class that derives from `enum.Enum` is a value of that class."""
        receiver = thing[2]
        if receiver is None or receiver[0] != TYPE:
            return False
        return any(base[0] == EXTERNAL and base[1] == "enum" for base in self.ancestry(receiver[1]).outside)

    def called(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        tag = callee[0]
        if tag == EXTERNAL:
            return self._external_call(callee, asker, arguments)
        if tag == INSTANCE or (tag == PARAMETER and callee[3]):
            file = self.world.file(asker, asker)
            things = self.members(callee, "__call__", file)
            return merge(
                [self.called(thing, asker, arguments) for thing in things if thing[0] == FUNCTION] or [NOTHING]
            )
        return super().called(callee, asker, arguments)

    def constructed(self, type_: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """A class that is called gives an instance; its type arguments come from `__init__` where they are evident."""
        definition = self.definition(type_[1])
        if definition.type_parameters and not type_[2]:
            file = self.world.file(asker, asker)
            given: list[Values] = [NOTHING] * len(definition.type_parameters)
            for thing in self.member(type_[1], "__init__", None, asker):
                if thing[0] == FUNCTION and file_of(thing[1]) in self.world.records:
                    where = self.world.file(file_of(thing[1]), file.number)
                    for parameter, argument in zip(
                        where.definitions[index_of(thing[1])].parameters, arguments, strict=False
                    ):
                        if parameter[1] >= 0:
                            self._infer(self.evaluate(where, parameter[1]), argument, type_[1], given)
            if any(given):
                return ((INSTANCE, type_[1], tuple(given)),)
        return ((INSTANCE, type_[1], type_[2]),)

    def _external_call(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        package, symbol = callee[1], callee[2]
        given: tuple[Values, ...] = callee[3] if len(callee) > 3 else ()
        name = f"{package}.{symbol}"
        file = self.world.file(asker, asker)
        if name in ELEMENT_CALLS:
            source = arguments[-1] if arguments and symbol == "filter" else arguments[0] if arguments else NOTHING
            elements = merge([self.iterated(value, file) for value in source]) if source else NOTHING
            return (_container(ELEMENT_CALLS[name], self._types(elements)),)
        if name in FIRST_ARGUMENT_CALLS or symbol == "cast":
            first = arguments[0] if arguments else NOTHING
            return instances(first) if symbol == "cast" else first
        if name == "functools.partial" and arguments and arguments[0]:
            return ((CALLABLE, merge([self.called(value, asker, ()) for value in arguments[0]])),)
        if package != "builtins":
            return ((EXTERNAL_RESULT, package, symbol),)
        return self._builtin_call(symbol, given, arguments, file)

    def _builtin_call(
        self, symbol: str, given: tuple[Values, ...], arguments: tuple[Values, ...], file: FileInterface
    ) -> Values:
        if symbol in BUILTIN_CLASSES:
            return (_container(symbol, NOTHING),)
        if symbol == "next" and arguments:
            return merge([self.iterated(value, file) for value in arguments[0]] or [NOTHING])
        if symbol == "enumerate" and arguments:
            elements = merge([self.iterated(value, file) for value in arguments[0]] or [NOTHING])
            return (_container("list", ((TUPLE, ((_container("int", NOTHING),), elements)),)),)
        if symbol == "zip":
            parts = tuple(merge([self.iterated(value, file) for value in part] or [NOTHING]) for part in arguments)
            return (_container("list", ((TUPLE, parts),)),)
        if symbol == "map" and arguments and arguments[0]:
            results = merge([self.called(value, file.number, ()) for value in arguments[0]])
            return (_container("list", self._types(results)),)
        if symbol in ("min", "max") and len(arguments) == 1:
            return merge([self.iterated(value, file) for value in arguments[0]] or [NOTHING])
        if symbol == "type" and len(arguments) == 1:
            return self._types(arguments[0])
        if symbol == "super":
            return NOTHING
        if symbol in VALUE_METHODS:
            position = VALUE_METHODS[symbol]
            return instances(given[position]) if position < len(given) else NOTHING
        if symbol in CONTAINER_METHODS:
            class_, positions = CONTAINER_METHODS[symbol]
            parts = tuple(given[position] if position < len(given) else NOTHING for position in positions)
            return ((EXTERNAL_INSTANCE, "builtins", class_, parts),)
        if symbol == "dict.items":
            pair = (TUPLE, tuple(instances(part) for part in given)) if len(given) == 2 else UNKNOWN
            return (_container("list", (pair,)),)
        owner, _, method = symbol.partition(".")
        if owner == "str" and method in STRING_METHODS:
            return (_container("str", NOTHING),)
        if symbol in RESULT_CLASSES:
            class_ = RESULT_CLASSES[symbol]
            return (_container(class_, ((EXTERNAL, "builtins", "str"),) if class_ == "list" else NOTHING),)
        return ((EXTERNAL_RESULT, "builtins", symbol),)

    def _types(self, values: Values) -> Values:
        return tuple(self.type_of(value) for value in values)

    def type_of(self, value: Value) -> Value:
        if value[0] == EXTERNAL_INSTANCE and value[1] == "builtins" and not value[3]:
            return (EXTERNAL, "builtins", value[2])
        return super().type_of(value)

    def iterated(self, value: Value, file: FileInterface) -> Values:
        tag = value[0]
        if tag == EXTERNAL_INSTANCE:
            name = value[2].rsplit(".", 1)[-1]
            if name in MAPPING_CLASSES or name in ITERABLE_CLASSES:
                return instances(value[3][0]) if value[3] else NOTHING
            return (_container("str", NOTHING),) if name == "str" else NOTHING
        if tag == INSTANCE or (tag == PARAMETER and value[3]):
            return self._by_method(value, ("__iter__", "__aiter__"), file) or self._by_method(
                value, ("__getitem__",), file
            )
        return super().iterated(value, file)

    def _by_method(self, value: Value, names: Sequence[str], file: FileInterface) -> Values:
        for name in names:
            for thing in self.members(value, name, file):
                if thing[0] == FUNCTION:
                    result = self.result(thing[1], thing[2], file.number, ())
                    if name not in ("__iter__", "__aiter__"):
                        return result
                    parts: list[Values] = []
                    for part in result:
                        step = (
                            self._by_method(part, ("__next__", "__anext__"), file) if part[0] == INSTANCE else NOTHING
                        )
                        parts.append(step or (self.iterated(part, file) if part != value else NOTHING))
                    return merge(parts) if parts else NOTHING
        return NOTHING

    def indexed(self, value: Value, file: FileInterface) -> Values:
        tag = value[0]
        if tag == TYPE or tag == EXTERNAL:
            return (value,)
        if tag == EXTERNAL_INSTANCE and value[2].rsplit(".", 1)[-1] in MAPPING_CLASSES:
            return instances(value[3][1]) if len(value[3]) > 1 else NOTHING
        if tag == INSTANCE or (tag == PARAMETER and value[3]):
            return self._by_method(value, ("__getitem__",), file)
        return super().indexed(value, file)

    def evaluate_enter(self, file: FileInterface, operation: list[Any]) -> Values:
        """What `with` binds: the result of `__enter__`, or what a generator function with `contextmanager` yields."""
        values = self.evaluate(file, operation[1])
        parts: list[Values] = []
        for value in values:
            if value[0] == INSTANCE or value[0] == PARAMETER:
                parts.append(self._by_method(value, ("__enter__", "__aenter__"), file))
            elif value[0] == EXTERNAL_INSTANCE and value[2].rsplit(".", 1)[-1] in ITERABLE_CLASSES | {"generator"}:
                parts.append(self.iterated(value, file))
            elif value[0] == EXTERNAL_INSTANCE:
                parts.append((value,))
            else:
                parts.append(NOTHING)
        return merge(parts) if parts else NOTHING

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        """`class` (the class of the receiver), `display`, `dictionary`, `generator`, `operator`."""
        word = operation[1]
        if word == "class":
            return ((PARAMETER, gid(file.number, operation[3]), -1, False),)
        if word == "super":
            receiver = (PARAMETER, gid(file.number, operation[3]), SELF_POSITION, True)
            return tuple([(SUPERS, value[1], receiver) for value in self.evaluate(file, operation[2]) if value[0] == TYPE])
        if word == "display":
            elements = merge([self.evaluate(file, part) for part in operation[4]]) if operation[4] else NOTHING
            return (_container(operation[3], self._types(elements)),)
        if word == "dictionary":
            keys = merge([self.evaluate(file, part) for part in operation[3]]) if operation[3] else NOTHING
            values = merge([self.evaluate(file, part) for part in operation[4]]) if operation[4] else NOTHING
            return ((EXTERNAL_INSTANCE, "builtins", "dict", (self._types(keys), self._types(values))),)
        if word == "generator":
            elements = merge([self.evaluate(file, part) for part in operation[3]])
            return (_container("generator", self._types(elements)),)
        if word == "operator":
            left = self.evaluate(file, operation[2])
            if left and all(value[0] == EXTERNAL_INSTANCE and value[1] == "builtins" for value in left):
                return left
        return NOTHING

    def external_applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """Type arguments of the forms of `typing`; anything else outside keeps its arguments."""
        name = base[2].rsplit(".", 1)[-1]
        if base[1] in _TYPING or not base[2]:
            if name in TRANSPARENT_TYPES:
                return arguments[-1 if name == "Coroutine" else 0] if arguments else NOTHING
            if name == "Union":
                return merge([part or NOTHING for part in arguments]) if arguments else NOTHING
            if name == "Callable":
                return ((CALLABLE, instances(arguments[-1]) if arguments else NOTHING),)
            if name in ("Type", "type"):
                return ((CALLABLE, instances(arguments[0])),) if not arguments[0] else _as_classes(arguments[0])
            if name in ("tuple", "Tuple") and arguments:
                if len(arguments) == 2 and arguments[1] == (_container("ellipsis", NOTHING),):
                    return (_container("tuple", arguments[0]),)
                return ((TUPLE, tuple(instances(part) for part in arguments)),)
        package = "builtins" if base[1] in ("typing", "collections", "typing_extensions") else base[1]
        return ((EXTERNAL_INSTANCE, package, _BUILTIN_ALIASES.get(name, base[2]), arguments),)

    def evaluate_instance(self, file: FileInterface, operation: list[Any]) -> Values:
        types = self.evaluate(file, operation[1])
        if any(type_[0] == EXTERNAL and type_[2].rsplit(".", 1)[-1] in ("Any", "TypeVar") for type_ in types):
            types = (*[type_ for type_ in types if type_[0] != EXTERNAL], UNKNOWN)
        result = instances(types)
        return tuple(_class_itself(value) for value in result)


_BUILTIN_ALIASES = {
    "List": "list",
    "Dict": "dict",
    "Set": "set",
    "FrozenSet": "frozenset",
    "Deque": "deque",
    "DefaultDict": "defaultdict",
}


def _as_classes(types: Values) -> Values:
    """`type[X]`: as a type; a value of it is the class X itself."""
    return tuple((CALLABLE, instances((type_,)), type_) for type_ in types)


def _class_itself(value: Value) -> Value:
    return value[2] if value[0] == CALLABLE and len(value) > 2 else value


def _container(name: str, elements: Values) -> Value:
    return (EXTERNAL_INSTANCE, "builtins", name, (elements,) if elements else ())


def _is_empty_base(base: Value) -> bool:
    return base[1] in ("typing", "typing_extensions", "abc", "builtins") and base[2].rsplit(".", 1)[-1] in (
        "Generic",
        "Protocol",
        "ABC",
        "object",
    )


def _linearise(rows: list[list[int]]) -> list[int] | None:
    """The C3 merge of several orders; None when there is no such order."""
    pending = [list(row) for row in rows if row]
    result: list[int] = []
    while pending:
        for row in pending:
            head = row[0]
            if not any(head in other[1:] for other in pending):
                break
        else:
            return None
        result.append(head)
        pending = [rest for row in pending if (rest := row[1:] if row[0] == head else row)]
    return result

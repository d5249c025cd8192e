"""What the JDK declares: its public types, and the signatures of those that code uses most.

`data/jdk.txt` is written by `data/Signatures.java` from a running JDK. One line each:

    module java.base                       the module of what follows
    package java.util                      the package of what follows
    I List<E> : java.util.Collection<E>    a type: kind (I interface, @ annotation, E enum, A abstract, F final,
                                           C class), name, type parameters with bounds, supertypes joined by ' & '
    <tab>get a(int)E                       a method: name, s static or a abstract, type parameters, parameters, result
    <tab>new (int)                         a constructor
    <tab>MAX_VALUE = int                   a field

Types of `java.lang` are written without their package. `+T` and `-T` are wildcards with an upper and a lower bound, `?`
one without, read as `Object`; `T...` is the last parameter of a variable arity method.

Values that stand for types of the JDK are `(EXTERNAL, module, full name)` and `(EXTERNAL_INSTANCE, module, full name,
arguments)`; its type parameters are `(PARAMETER, owner, position, ...)` with a text as owner.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from graph.link.values import EXTERNAL, EXTERNAL_INSTANCE, NOTHING, PARAMETER, Value, Values, instances

BASE: Final = "java.base"
PRIMITIVES: Final = frozenset({"boolean", "byte", "short", "char", "int", "long", "float", "double", "void", "null"})
ARRAY: Final = "[]"
OBJECT: Final = "java.lang.Object"

_HEADER = re.compile(r"^[^\t\n].*$", re.MULTILINE)
_TOKEN = re.compile(r"[\w.$]+(?<!\.\.\.)|\.\.\.|\[\]|.")


class Signature(NamedTuple):
    """What a method or constructor takes and gives."""

    owner: Any
    """What its type parameters belong to: the gid of a definition, or a text for one of the JDK."""
    type_parameters: int
    """How many type parameters it has."""
    parameters: tuple[Values, ...]
    """Types of the parameters; of a variable arity one the element type."""
    variable: bool
    """Whether the last parameter takes any number of arguments."""
    result: Values
    """What a call gives: values."""


class JdkMethod(NamedTuple):
    """One method or constructor of the JDK."""

    declaring: str
    name: str
    flag: str
    """`s` static, `a` abstract, '' otherwise."""
    signature: Signature
    bounds: tuple[Values, ...]
    """Bound of each type parameter."""


class JdkType(NamedTuple):
    """One type of the JDK."""

    module: str
    name: str
    kind: str
    bounds: tuple[Values, ...]
    """Bound of each type parameter; their number is the number of type parameters."""
    supertypes: tuple[Value, ...]
    methods: dict[str, tuple[JdkMethod, ...]]
    fields: dict[str, Values]
    """Name -> what it holds."""
    whole: bool
    """Whether its members are known; otherwise only its supertypes are."""


class Jdk:
    """The types of the JDK, each read when it is first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places: dict[str, tuple[str, str, int]] = {}
        self._types: dict[str, JdkType] = {}
        self.packages: dict[str, str] = {}
        """Package -> module."""
        self.nested: dict[str, list[str]] = {}
        """Full name of a type -> simple names of its member types."""
        self._whole: set[str] = set()
        module = package = ""
        for match in _HEADER.finditer(text):
            line = match.group()
            if line.startswith("module "):
                module = line[7:]
            elif line.startswith("package "):
                package = line[8:]
                self.packages[package] = module
            else:
                name = line[2:].partition(" ")[0].partition("<")[0]
                self._places[f"{package}.{name}"] = (module, package, match.start())
                outer, _, inner = name.rpartition(".")
                if outer:
                    self.nested.setdefault(f"{package}.{outer}", []).append(inner)
                if text.startswith("\n\t", match.end()):
                    self._whole.add(package)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def module(self, name: str) -> str:
        """The module of a type by full name."""
        return self._places[name][0]

    def type(self, name: str) -> JdkType | None:
        """A type by full name (nested ones with a dot), None when the JDK has none of it."""
        known = self._types.get(name)
        if known is None and name in self._places:
            known = self._types[name] = self._read(name)
        return known

    def named(self, name: str) -> Value:
        """The value that stands for a type that is in the JDK."""
        return (EXTERNAL, self._places[name][0], name)

    def _read(self, name: str) -> JdkType:
        module, package, start = self._places[name]
        end = self._text.index("\n", start)
        kind, parameters, supers = _split_header(self._text[start:end])
        scope: dict[str, Value] = {}
        bounds = self._type_parameters(parameters, name, scope)
        supertypes = tuple(part[0] for text in supers if (part := _Reader(self, text, scope).type()))
        methods: dict[str, list[JdkMethod]] = {}
        fields: dict[str, Values] = {}
        while self._text.startswith("\t", end + 1):
            start, end = end + 2, self._text.index("\n", end + 1)
            text = self._text[start:end]
            member, _, rest = text.partition(" ")
            if rest.startswith("= "):
                fields[member] = instances(_Reader(self, rest[2:], scope).type())
            else:
                key = "<init>" if member == "new" else member
                found = methods.setdefault(key, [])
                found.append(self._method(name, key, rest, scope, len(found)))
        frozen = {key: tuple(found) for key, found in methods.items()}
        return JdkType(module, name, kind, bounds, supertypes, frozen, fields, package in self._whole)

    def _type_parameters(self, text: str, owner: str, scope: dict[str, Value]) -> tuple[Values, ...]:
        parts = _split(text, ",")
        for position, part in enumerate(parts):
            scope[part.partition(":")[0]] = (PARAMETER, owner, position, False)
        bounds: list[Values] = []
        for part in parts:
            bound = part.partition(":")[2]
            bounds.append(tuple(value for one in _split(bound, "&") for value in _Reader(self, one, scope).type()))
        return tuple(bounds)

    def _method(self, declaring: str, name: str, text: str, outer: dict[str, Value], number: int) -> JdkMethod:
        owner = f"{declaring}.{name}~{number}"
        head, _, rest = text.partition("(")
        flag = head[:1] if head[:1] in "sa" and head[:1] else ""
        scope = outer
        bounds: tuple[Values, ...] = ()
        if "<" in head:
            close = _closing(text, text.index("<"))
            scope = dict(outer)
            bounds = self._type_parameters(text[text.index("<") + 1 : close], owner, scope)
            rest = text[close + 2 :]
        inside, _, result = rest.rpartition(")")
        parts = _split(inside, ",")
        variable = bool(parts) and parts[-1].endswith("...")
        if variable:
            parts[-1] = parts[-1][:-3]
        parameters = tuple(_Reader(self, part, scope).type() for part in parts)
        given = instances(_Reader(self, result, scope).type()) if result else NOTHING
        return JdkMethod(declaring, name, flag, Signature(owner, len(bounds), parameters, variable, given), bounds)


def _split_header(line: str) -> tuple[str, str, list[str]]:
    """Kind, text of the type parameters and texts of the supertypes of a type's line."""
    head, _, supers = line.partition(" : ")
    if head.count("<") != head.count(">"):
        close = _closing(line, line.index("<"))
        head, supers = line[: close + 1], line[close + 4 :]
    parameters = head[head.index("<") + 1 : -1] if "<" in head else ""
    return line[0], parameters, [part.strip() for part in _split(supers, "&")]


def _closing(text: str, start: int) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == "<") - (text[position] == ">")
        if depth == 0:
            return position
    return len(text)


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand outside of angle brackets."""
    if not text:
        return []
    parts: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts


class _Reader:
    """Reads one type as `jdk.txt` writes it."""

    def __init__(self, jdk: Jdk, text: str, scope: dict[str, Value]) -> None:
        self._jdk = jdk
        self._tokens = _TOKEN.findall(text.strip())
        self._position = 0
        self._scope = scope

    def _next(self) -> str:
        return self._tokens[self._position] if self._position < len(self._tokens) else ""

    def type(self) -> Values:
        """The type as a value set: one value; a wildcard is its bound."""
        token = self._next()
        self._position += 1
        if token in "+-" and token:
            return self.type()
        if token == "?":
            return ((*self._jdk.named(OBJECT), "?"),)
        value: Value = self._named(token)
        if self._next() == "<":
            arguments: list[Values] = []
            while self._next() not in (">", ""):
                self._position += 1
                arguments.append(self.type())
            self._position += 1
            if value[0] == EXTERNAL:
                value = (EXTERNAL_INSTANCE, value[1], value[2], tuple(arguments))
            if self._next().startswith("."):
                self._position += 1
        while self._next() == "[]":
            self._position += 1
            element: Values = (value,)
            value = (EXTERNAL_INSTANCE, BASE, ARRAY, (element,))
        return (value,)

    def _named(self, token: str) -> Value:
        parameter = self._scope.get(token)
        if parameter is not None:
            return parameter
        if token in PRIMITIVES:
            return (EXTERNAL_INSTANCE, BASE, token, ())
        full = token if token in self._jdk else f"java.lang.{token}"
        if full in self._jdk:
            return self._jdk.named(full)
        return (EXTERNAL, BASE, token)


@cache
def jdk() -> Jdk:
    """The JDK that is described beside this module."""
    return Jdk(resources.files("graph.languages.java.data").joinpath("jdk.txt").read_text("utf-8"))

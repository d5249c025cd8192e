"""What a call passes to a lambda among its arguments: what the parameter it is given to declares, or an element."""

from __future__ import annotations

from typing import Any

from graph.languages.python.fixtures import FixtureLinker
from graph.languages.python.standard import CALLBACK_SOURCES
from graph.link.values import (
    EXTERNAL,
    FUNCTION,
    NOTHING,
    TYPE,
    VARIABLE,
    Value,
    Values,
    file_of,
    index_of,
    merge,
    substitute,
)
from graph.link.world import FileInterface
from graph.model import DefinitionKind, Op

_ALIASES = 4
"""Most type aliases that are followed to a `Callable`."""


class CallbackLinker(FixtureLinker):
    """Evaluates the parameters of lambdas."""

    def callback(self, file: FileInterface, operation: list[Any]) -> Values:
        """[SPECIAL, "callback", callee, arguments, position or keyword, position of the parameter]."""
        arguments = tuple([self.evaluate(file, argument) for argument in operation[3]])
        place, position = operation[4], int(operation[5])
        sets = [self._passed(value, arguments, place, position, file) for value in self.evaluate(file, operation[2])]
        return merge(sets) if sets else NOTHING

    def _passed(
        self, callee: Value, arguments: tuple[Values, ...], place: str, position: int, file: FileInterface
    ) -> Values:
        if callee[0] == EXTERNAL:
            return self._element(callee, arguments, place, position, file)
        functions: list[Value] = [callee] if callee[0] == FUNCTION else []
        if callee[0] == TYPE:
            functions = [
                thing for thing in self.member(callee[1], "__init__", callee, file.number) if thing[0] == FUNCTION
            ]
        sets: list[Values] = []
        for function in functions:
            where = self.world.file(file_of(function[1]), file.number)
            facts = where.definitions[index_of(function[1])]
            index = int(place) if place.isdecimal() else -1
            for number, parameter in enumerate(facts.parameters):
                if (number == index or parameter[0] == place) and parameter[1] >= 0:
                    values = self._parameter_of(where, parameter[1], position, _ALIASES)
                    if facts.type_parameters:
                        given = self.inferred(where, function[1], facts, arguments)
                        values = substitute(values, function[1], given)
                    sets.append(self.seen_through(values, function[2]))
        return merge(sets) if sets else NOTHING

    def _element(
        self, callee: Value, arguments: tuple[Values, ...], place: str, position: int, file: FileInterface
    ) -> Values:
        """`sorted(items, key=lambda item: ...)`, `map(lambda item: ..., items)`, `items.sort(key=...)`."""
        source = CALLBACK_SOURCES.get((f"{callee[1]}.{callee[2]}", place))
        if source is None or position:
            return NOTHING
        if source < 0:
            return self.elements(callee[3][0]) if len(callee) > 3 and callee[3] else NOTHING
        values = arguments[source] if source < len(arguments) else NOTHING
        return merge([self.iterated(value, file) for value in values]) if values else NOTHING

    def _parameter_of(self, file: FileInterface, type_: int, position: int, depth: int) -> Values:
        """A parameter of the `Callable` that a type expression of a file is, through `Optional`, unions and aliases."""
        if type_ < 0 or depth < 0:
            return NOTHING
        operation = file.expressions[type_]
        op = operation[0]
        if op == Op.GENERIC:
            base = self.evaluate(file, operation[1])
            names = {value[2].rsplit(".", 1)[-1] for value in base if value[0] == EXTERNAL}
            if "Callable" in names and operation[2] and operation[2][0] >= 0:
                listed = file.expressions[operation[2][0]]
                if listed[0] == Op.TUPLE and position < len(listed[1]):
                    return self.elements(self.evaluate(file, listed[1][position]))
            elif names & {"Optional", "Union", "Annotated"}:
                return self._first(file, operation[2], position, depth)
        elif op == Op.UNION:
            return self._first(file, operation[1], position, depth)
        elif op == Op.NAME or op == Op.ATTRIBUTE:
            for thing in self.denote(file, type_).things:
                if thing[0] in (VARIABLE, TYPE):
                    where = self.world.file(file_of(thing[1]), file.number)
                    facts = where.definitions[index_of(thing[1])]
                    alias = facts.type if facts.kind == DefinitionKind.TYPE else (facts.values or [-1])[0]
                    return self._parameter_of(where, alias, position, depth - 1)
        return NOTHING

    def _first(self, file: FileInterface, types: list[int], position: int, depth: int) -> Values:
        for type_ in types:
            found = self._parameter_of(file, type_, position, depth - 1)
            if found:
                return found
        return NOTHING

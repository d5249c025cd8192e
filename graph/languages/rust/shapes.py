"""Struct expressions and patterns of Rust: what they make, and what they take apart.

Source of the rules: the Rust reference, "Struct expressions", "Patterns".
"""

from __future__ import annotations

from typing import Any

from graph.languages.rust.names import FIELD
from graph.languages.rust.results import Results
from graph.languages.rust.terms import ALIAS, VARIANT, Given, known
from graph.link.values import (
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FUNCTION,
    INSTANCE,
    NOTHING,
    TYPE,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
    instances,
    merge,
)
from graph.link.world import FileInterface
from graph.model import DefinitionKind


class Shapes(Results):
    """Works out struct expressions and patterns."""

    def shapes(self, file: FileInterface, path: int) -> Values:
        """What a path to a struct or variant gives the fields of: (INSTANCE, ...) or (VARIANT, gid, ())."""
        found: list[Value] = []
        for thing in self.denote(file, path).things:
            if thing[0] in (VARIABLE, FUNCTION) and self.definition(thing[1]).kind == DefinitionKind.ENUM_MEMBER:
                found.append((VARIANT, thing[1], ()))
            elif thing[0] in (VARIABLE, FUNCTION, TYPE) and self.definition(thing[1]).kind in (
                DefinitionKind.STRUCT,
                DefinitionKind.UNION,
            ):
                found.append((INSTANCE, thing[1], ()))
            elif thing[0] == ALIAS:
                found.extend(instances(thing[2]))
            elif thing[0] in (EXTERNAL, EXTERNAL_INSTANCE):
                found.append((EXTERNAL_INSTANCE, thing[1], thing[2], ()))
        return tuple(found) or instances(self.evaluate(file, path))

    def _special_shape(self, file: FileInterface, operation: list[Any]) -> Values:
        return self.shapes(file, operation[2])

    def _special_struct(self, file: FileInterface, operation: list[Any]) -> Values:
        """A struct expression: a value of the struct, or of the enum of the variant."""
        _, _, path, names, values = operation
        result: list[Value] = []
        written = instances(self.evaluate(file, path))
        for shape in self.shapes(file, path):
            if shape[0] not in (VARIANT, INSTANCE):
                result.append(shape)
                continue
            owner = shape[1]
            if shape[0] == VARIANT:
                owner = gid(file_of(owner), self.definition(owner).parent)
            count = len(self.definition(owner).type_parameters)
            if not count:
                result.append((INSTANCE, owner, ()))
                continue
            given = next(
                (value for value in written if value[0] == INSTANCE and value[1] == owner and any(value[2])), None
            )
            if given is not None:
                result.append(given)
                continue
            table: Given = {owner: [NOTHING] * count}
            for name, expression in zip(names, values, strict=True):
                for member in self.own(shape[1], FIELD + name):
                    source = self.world.file(file_of(member), file.number)
                    declared = self.evaluate(source, source.definitions[index_of(member)].type)
                    self.unify(declared, self.evaluate(file, expression), table, loose=True)
            result.append((INSTANCE, owner, tuple(table[owner])))
        return tuple(result)

    def _special_part(self, file: FileInterface, operation: list[Any]) -> Values:
        """What a pattern takes out of a value: a field of a struct or variant, by name or by position."""
        _, _, value, path, key, _ = operation
        found: list[Values] = []
        scrutinee = known(self.evaluate(file, value)) if value >= 0 else NOTHING
        for shape in self.shapes(file, path) if path >= 0 else ():
            if shape[0] not in (VARIANT, INSTANCE):
                found.append(((EXTERNAL_RESULT, shape[1], shape[2]),) if shape[0] == EXTERNAL_INSTANCE else NOTHING)
                continue
            owner = shape[1]
            if shape[0] == VARIANT:
                owner = gid(file_of(owner), self.definition(owner).parent)
            arguments: tuple[Values, ...] = ()
            for candidate in scrutinee:
                for step in self.steps(candidate):
                    if step[0] == INSTANCE and step[1] == owner:
                        arguments = step[2]
                        break
                if arguments:
                    break
            table: Given = {owner: list(arguments)} if self.definition(owner).type_parameters else {}
            if key.lstrip("-").isdigit():
                source = self.world.file(file_of(shape[1]), file.number)
                parameters = source.definitions[index_of(shape[1])].parameters
                at = int(key) if int(key) >= 0 else len(parameters) + int(key)
                declared = instances(self.evaluate(source, parameters[at][1])) if 0 <= at < len(parameters) else NOTHING
                found.append(self.substituted(declared, table))
            else:
                for member in self.own(shape[1], FIELD + key):
                    source = self.world.file(file_of(member), file.number)
                    declared = self.evaluate(source, source.definitions[index_of(member)].type)
                    found.append(self.substituted(declared, table))
        return merge(found) if found else NOTHING

"""What types mean: aliases, functions, merged declarations, anonymous objects, members, calls and what generics infer.

Values of this language beside the engine's: the synthetic owners `INTERSECTION`, `SIGNATURE` and `TYPEOF`, gids of anonymous
object types (`OBJECT_BIT`), and `LAMBDA`. Sources of the rules: the TypeScript handbook ("Object Types", "More on Functions",
"Classes", "Utility Types").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from graph.languages.typescript.library import (
    INTERSECTION,
    LAMBDA,
    LIBRARY,
    OBJECT_BIT,
    SIGNATURE,
    TYPEOF,
    is_declared,
    is_named,
    library_names,
    library_type,
)
from graph.link.linker import Ancestry, Linker
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    BOTTOMS,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FUNCTION,
    INSTANCE,
    MODULE,
    NOTHING,
    PARAMETER,
    SELF_POSITION,
    TUPLE,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
    Values,
    file_of,
    gid,
    index_of,
    instance,
    instances,
    merge,
    substitute,
)
from graph.link.world import FileInterface, LinkDefinition, World
from graph.model import CALLABLE_KINDS, BindingTag, DefinitionKind, Flag

_DEFINITION = int(BindingTag.DEFINITION)
_OPEN_LIMIT: Final = 12
"""Longest chain of aliases that is followed."""
_VALUE_LIMIT: Final = 24
"""Most values of a union that are looked at."""
_ITERABLES: Final = frozenset({"Iterable", "AsyncIterable"})
_PROMISES: Final = frozenset({"PromiseLike"})
_NO_MEMBERS: Final = frozenset({DefinitionKind.FIELD, DefinitionKind.VARIABLE, DefinitionKind.CONSTANT})


class TypeRules(Linker):
    """The rules of types, for the linker of the family."""

    overloads = True
    self_types = True
    builtin_package = "lib"

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._special: dict[str, Callable[[FileInterface, list[Any]], Values]] = {
            "nothing": self._nothing,
            "type": self._type,
            "lib": self._lib,
            "shape": self._shape,
            "object": self._object,
            "signature": self._signature,
            "intersection": self._intersection,
            "typeof": self._typeof,
            "lookup": self._lookup,
            "element": self._element,
            "polymorphic": self._polymorphic,
            "promise": self._promise,
            "lambda": self._lambda,
            "parameter": self._parameter,
            "argument": self._argument,
            "constructor": self._constructor,
            "new": self._new,
            "array": self._array,
            "at": self._at,
            "superclass": self._superclass,
        }

    # -- declarations that belong together ----------------------------------------------------------------------------

    def group(self, owner: int) -> list[int]:
        """The declarations (gids) that are merged with one, itself among them."""
        if not is_named(owner):
            return [owner]
        file = self.world.file(file_of(owner), file_of(owner))
        found = file.extra.get("merged", {}).get(str(index_of(owner)))
        return [owner] if found is None else [gid(file.number, index) for index in found]

    def canonical(self, owner: int) -> int:
        """The declaration that stands for all that are merged with one: the class, else the first."""
        group = self.group(owner)
        if len(group) == 1:
            return owner
        kind = self.definition(owner).kind
        if kind == DefinitionKind.NAMESPACE:
            return next((one for one in group if self.definition(one).kind == kind), owner)
        for one in group:
            if self.definition(one).kind == DefinitionKind.CLASS:
                return one
        return next((one for one in group if self.definition(one).kind == kind), owner)

    def _members_of(self, owner: int, name: str) -> tuple[int, ...]:
        """The gids of the members of one declaration that have a name."""
        file = self.world.file(file_of(owner), file_of(owner))
        index = index_of(owner)
        if index & OBJECT_BIT:
            scope = index & ~OBJECT_BIT
        else:
            definition = file.definitions[index]
            scope = definition.extra.get("members", -1) if definition.kind in CALLABLE_KINDS else definition.scope
            if definition.kind in _NO_MEMBERS:
                return ()
        if scope < 0:
            return ()
        return tuple(
            gid(file.number, payload) for tag, payload in file.bindings[scope].get(name, ()) if tag == _DEFINITION
        )

    def own_members(self, owner: int, name: str) -> tuple[int, ...]:
        """The members that a class and everything merged with it declare under a name."""
        key = (owner, name)
        known = self._members.get(key)
        if known is None:
            found = [member for one in self.group(owner) for member in self._members_of(one, name)]
            known = self._members[key] = tuple(dict.fromkeys(found))
        return known

    def shape_of(self, owner: int) -> tuple[FileInterface, dict[str, Any]]:
        """Call, construct and index signatures and spreads of a type, with the file that they are expressions of."""
        file = self.world.file(file_of(owner), file_of(owner))
        index = index_of(owner)
        scope = index & ~OBJECT_BIT if index & OBJECT_BIT else file.definitions[index].scope
        return file, file.extra.get("shapes", {}).get(str(scope), {})

    def inherit(self, owner: int) -> Ancestry:
        """A class with its bases, depth first; what an object literal spreads counts as its base."""
        classes: dict[int, tuple[Values, ...]] = {owner: ()}
        outside: dict[Value, None] = {}
        bases: list[Values] = []
        for one in self.group(owner):
            if not is_declared(one):
                continue
            file, shape = self.shape_of(one)
            if not index_of(one) & OBJECT_BIT:
                definition = file.definitions[index_of(one)]
                bases.extend(self.base_types(self.evaluate(file, base)) for base in definition.bases)
            for base in (*shape.get("spread", ()), *shape.get("mapped", ())):
                bases.append(self.flat(self.evaluate(file, base)))
        for values in bases:
            if not values:
                outside[UNKNOWN] = None
            for value in values:
                if value[0] in (TYPE, INSTANCE) and is_declared(value[1]):
                    self.world.note(file_of(owner), file_of(value[1]))
                    above = self.ancestry(value[1])
                    for class_, arguments in above.classes:
                        given = (
                            value[2]
                            if class_ == value[1]
                            else tuple(substitute(part, value[1], value[2]) for part in arguments)
                        )
                        classes.setdefault(class_, given)
                    outside.update(dict.fromkeys(above.outside))
                elif value[0] == EXTERNAL:
                    outside[value] = None
                elif value[0] == EXTERNAL_INSTANCE:
                    outside[(EXTERNAL, value[1], value[2])] = None
                elif value[0] == TUPLE or value[0] == MODULE:
                    continue
                elif value[0] != BOTTOM[0]:
                    outside[UNKNOWN] = None
        return Ancestry(tuple(classes.items()), tuple(outside))

    def base_types(self, values: Values) -> Values:
        """The types that the values of an `extends` stand for: classes themselves, else what they construct."""
        result: list[Value] = []
        for value in self.flat(values):
            if value[0] == INSTANCE and value[1] not in (INTERSECTION, SIGNATURE) and not self._is_type_position(value):
                made = self._constructs(value)
                result.extend(made or (UNKNOWN,))
            elif value[0] == FUNCTION:
                result.append((TYPE, value[1], ()))
            else:
                result.append(value)
        return tuple(result)

    def _is_type_position(self, value: Value) -> bool:
        return value[0] == TYPE

    def _constructs(self, value: Value) -> Values:
        """The types that `new` of a value gives, by its construct signatures."""
        file, shape = self.shape_of(value[1])
        found = [self.evaluate(file, signature) for signature in shape.get("construct", ())]
        results = [
            substitute(one[2][0], value[1], value[2]) for values in found for one in values if one[1] == SIGNATURE
        ]
        return merge(results) if results else NOTHING

    def flat(self, values: Values) -> Values:
        """Values or types with aliases opened and intersections taken apart."""
        result: list[Value] = []
        for value in values:
            for opened in self.opened(value):
                if opened[0] in (INSTANCE, TYPE) and opened[1] == INTERSECTION:
                    for part in opened[2]:
                        flat = self.flat(part)
                        result.extend(flat if opened[0] == TYPE else instances(flat))
                        if not part:
                            result.append(UNKNOWN)
                else:
                    result.append(opened)
        return tuple(dict.fromkeys(result))

    def base_values(self, owner: int) -> Values:
        """The classes that a class extends, as values."""
        file = self.world.file(file_of(owner), file_of(owner))
        bases = [self.evaluate(file, base) for base in file.definitions[index_of(owner)].bases]
        return merge(bases) if bases else NOTHING

    # -- opening ------------------------------------------------------------------------------------------------------

    def opened(self, value: Value, depth: int = 0) -> Values:
        """What a value is behind aliases, `typeof` and the bounds of type parameters."""
        tag = value[0]
        if tag == INSTANCE or tag == TYPE:
            owner = value[1]
            if owner == TYPEOF:
                return value[2][0] if tag == INSTANCE else (value,)
            if not is_named(owner):
                return (value,)
            definition = self.definition(owner)
            if definition.kind != DefinitionKind.TYPE or definition.scope >= 0:
                return (value,)
            if depth > _OPEN_LIMIT:
                return NOTHING
            file = self.world.file(file_of(owner), file_of(owner))
            aliased = self.evaluate(file, definition.type)
            if definition.type_parameters:
                aliased = substitute(aliased, owner, value[2])
            found = [self.opened(part, depth + 1) for part in aliased[:_VALUE_LIMIT]]
            values = merge(found) if found else NOTHING
            return values if tag == INSTANCE else tuple(self.type_of(part) for part in values)
        if tag == PARAMETER and value[2] != SELF_POSITION:
            if depth > _OPEN_LIMIT:
                return NOTHING
            bound = self.parameter_bound(value)
            found = [self.opened(part, depth + 1) for part in bound]
            return merge(found) if found else NOTHING
        return (value,)

    def opened_all(self, values: Values) -> Values:
        """`opened` of every value."""
        if not values:
            return NOTHING
        return merge([self.opened(value) for value in values[:_VALUE_LIMIT]])

    def type_of(self, value: Value) -> Value:
        """The type of a value; values that are no instances are wrapped, so that `instance` gives them back."""
        tag = value[0]
        if tag in (TYPE, FUNCTION, MODULE, LAMBDA, EXTERNAL, EXTERNAL_RESULT, VARIABLE):
            return (TYPE, TYPEOF, ((value,),))
        return super().type_of(value)

    def types_of(self, values: Values) -> Values:
        """`type_of` of every value."""
        return tuple(self.type_of(value) for value in values)

    # -- operations ---------------------------------------------------------------------------------------------------

    def evaluate_special(self, file: FileInterface, operation: list[Any]) -> Values:
        """SPECIAL, by its word."""
        return self._special[operation[1]](file, operation)

    def evaluate_builtin(self, file: FileInterface, operation: list[Any]) -> Values:
        """BUILTIN: a value of a type of the library."""
        return ((INSTANCE, library_type(operation[1]), ()),)

    def evaluate_instance(self, file: FileInterface, operation: list[Any]) -> Values:
        """INSTANCE: values of a type; a constructor of a repository that stands for a type gives what it constructs."""
        return instances(self.evaluate(file, operation[1]))

    def applied(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        """A type or a generic function with type arguments; the utility types that compute are worked out."""
        if base[0] == TYPE:
            return ((TYPE, base[1], arguments),)
        if base[0] == FUNCTION:
            return ((FUNCTION, base[1], base[2], arguments),)
        if base[0] == EXTERNAL:
            if base[1] == "es" and arguments:
                return self._utility(base, arguments)
            return self.external_applied(base, arguments)
        if base[0] == INSTANCE and is_declared(base[1]):
            return ((INSTANCE, base[1], base[2], arguments),)
        return (base,)

    def _utility(self, base: Value, arguments: tuple[Values, ...]) -> Values:
        name, given = base[2], arguments[0]
        if name == "Awaited":
            return self.types_of(self.awaited(instances(given)))
        if name == "ReturnType":
            results = [self.called(value, LIBRARY, ()) for value in instances(given)]
            return self.types_of(merge(results)) if results else NOTHING
        if name == "InstanceType":
            results = [self.made(value, LIBRARY, ()) for value in instances(given)]
            return self.types_of(merge(results)) if results else NOTHING
        if name == "Extract" and len(arguments) > 1:
            return arguments[1]
        return self.external_applied(base, arguments)

    def _nothing(self, file: FileInterface, operation: list[Any]) -> Values:
        return NOTHING

    def _type(self, file: FileInterface, operation: list[Any]) -> Values:
        """The type meaning of a name."""
        found: dict[Value, None] = {}
        loose: list[Value] = []
        for thing in self.denote(file, operation[2]).things:
            tag = thing[0]
            if tag == TYPE:
                if not is_named(thing[1]):
                    found[thing] = None
                elif self.definition(thing[1]).kind != DefinitionKind.NAMESPACE:
                    found[(TYPE, self.canonical(thing[1]), thing[2])] = None
            elif tag in (PARAMETER, EXTERNAL, UNKNOWN[0], BOTTOM[0]):
                found[thing] = None
            elif tag == FUNCTION or tag == VARIABLE:
                loose.append(thing)
            elif tag == INSTANCE and thing[1] < 0:
                found[thing] = None
        if found or not loose:
            return tuple(found)
        for thing in loose:
            # In JavaScript a constructor function, or a variable that holds a class, is used as a type.
            if thing[0] == FUNCTION:
                found[(TYPE, thing[1], ())] = None
            else:
                for value in self.values_of((thing,), file.number):
                    found[value if value[0] in (TYPE, EXTERNAL) else UNKNOWN] = None
        return tuple(found)

    def _lib(self, file: FileInterface, operation: list[Any]) -> Values:
        arguments = tuple(self.evaluate(file, part) for part in operation[3])
        return ((TYPE, library_type(operation[2]), arguments),)

    def _shape(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((TYPE, gid(file.number, operation[2] | OBJECT_BIT), ()),)

    def _object(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((INSTANCE, gid(file.number, operation[2] | OBJECT_BIT), ()),)

    def _signature(self, file: FileInterface, operation: list[Any]) -> Values:
        parts = tuple(self.evaluate(file, part) for part in (operation[2], *operation[3]))
        return ((TYPE, SIGNATURE, parts),)

    def _intersection(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((TYPE, INTERSECTION, tuple(self.evaluate(file, part) for part in operation[2])),)

    def _typeof(self, file: FileInterface, operation: list[Any]) -> Values:
        return self.types_of(self.evaluate(file, operation[2]))

    def _lookup(self, file: FileInterface, operation: list[Any]) -> Values:
        found: list[Values] = []
        for value in instances(self.evaluate(file, operation[2])):
            things = self.members(value, operation[3], file)
            if things:
                found.append(self.types_of(self.values_of(things, file.number)))
        return merge(found) if found else NOTHING

    def _element(self, file: FileInterface, operation: list[Any]) -> Values:
        found = [self.indexed(value, file) for value in instances(self.evaluate(file, operation[2]))]
        return self.types_of(merge(found)) if found else NOTHING

    def _polymorphic(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((PARAMETER, gid(file.number, operation[2]), SELF_POSITION, False),)

    def _promise(self, file: FileInterface, operation: list[Any]) -> Values:
        values = self.awaited(self.evaluate(file, operation[2]))
        return ((INSTANCE, library_type("Promise"), (self.types_of(values),)),)

    def _lambda(self, file: FileInterface, operation: list[Any]) -> Values:
        return ((LAMBDA, file.number, operation[2]),)

    def _array(self, file: FileInterface, operation: list[Any]) -> Values:
        elements = merge([self.evaluate(file, part) for part in operation[2]]) if operation[2] else NOTHING
        return ((INSTANCE, library_type("Array"), (self.types_of(elements),)),)

    def _at(self, file: FileInterface, operation: list[Any]) -> Values:
        """A subscript that is a number."""
        found: list[Values] = []
        for value in self.opened_all(self.evaluate(file, operation[2])):
            if value[0] == TUPLE:
                found.append(value[1][operation[3]] if operation[3] < len(value[1]) else NOTHING)
            else:
                found.append(self.indexed(value, file))
        return merge(found) if found else NOTHING

    def evaluate_pick(self, file: FileInterface, operation: list[Any]) -> Values:
        """PICK: destructuring takes what iteration gives, and the parts of a tuple one by one."""
        found: list[Values] = []
        for value in self.opened_all(self.evaluate(file, operation[1])):
            if value[0] == TUPLE:
                found.append(value[1][operation[2]] if operation[2] < len(value[1]) else NOTHING)
            else:
                found.append(self.iterated(value, file))
        return merge(found) if found else NOTHING

    def _superclass(self, file: FileInterface, operation: list[Any]) -> Values:
        return self.base_values(gid(file.number, operation[2]))

    # -- functions that are passed ------------------------------------------------------------------------------------

    def _parameter(self, file: FileInterface, operation: list[Any]) -> Values:
        """What a function gets for a parameter, by what its context expects of it."""
        found = [self.parameter_values(value, operation[3], file) for value in self.evaluate(file, operation[2])]
        known = [values for values in found if values]
        return merge(known) if known else NOTHING

    def _argument(self, file: FileInterface, operation: list[Any]) -> Values:
        """What a call expects for one of its arguments, with what the other arguments tell of its type parameters."""
        _, _, callee, position, others = operation
        found: list[Values] = []
        for value in self.fitting(self.evaluate(file, callee), len(others)):
            expected = self.parameter_values(value, position, file)
            if expected and value[0] == FUNCTION:
                expected = self._with_inferred(value, expected, file, others)
            if expected:
                found.append(expected)
        return merge(found) if found else NOTHING

    def _with_inferred(self, function: Value, expected: Values, file: FileInterface, others: list[int]) -> Values:
        declaring = self.world.file(file_of(function[1]), file.number)
        definition = declaring.definitions[index_of(function[1])]
        if not definition.type_parameters:
            return expected
        if len(function) > 3:
            return substitute(expected, function[1], function[3])
        arguments = tuple(self.evaluate(file, other) for other in others)
        return substitute(expected, function[1], self.inferred(declaring, function[1], definition, arguments))

    def parameter_values(self, value: Value, position: int, file: FileInterface) -> Values:
        """The values that a function value is given at a position, as it declares them."""
        found: list[Values] = []
        for opened in self.opened(value):
            tag = opened[0]
            if tag == FUNCTION:
                declaring = self.world.file(file_of(opened[1]), file.number)
                type_ = self._parameter_type(declaring, declaring.definitions[index_of(opened[1])].parameters, position)
                found.append(self.seen_through(instances(type_), opened[2]))
            elif tag == LAMBDA:
                declaring = self.world.file(opened[1], file.number)
                types = declaring.extra["lambdas"][opened[2]][2]
                if position < len(types):
                    found.append(instances(self.evaluate(declaring, types[position])))
            elif tag == INSTANCE and opened[1] == SIGNATURE:
                if position + 1 < len(opened[2]):
                    found.append(instances(opened[2][position + 1]))
            elif tag == INSTANCE and opened[1] == INTERSECTION:
                for part in opened[2]:
                    found.extend(self.parameter_values(one, position, file) for one in instances(part))
            elif tag == INSTANCE:
                for signature in self.call_signatures(opened):
                    if position + 1 < len(signature[2]):
                        found.append(instances(signature[2][position + 1]))
        known = [values for values in found if values]
        return merge(known) if known else NOTHING

    def _parameter_type(self, file: FileInterface, parameters: Sequence[Sequence[Any]], position: int) -> Values:
        if position >= len(parameters):
            if not parameters or parameters[-1][3] != 1:
                return NOTHING
            row = parameters[-1]
        else:
            row = parameters[position]
        types = self.evaluate(file, row[1])
        if row[3] == 1:
            elements = [self.indexed(value, file) for value in instances(types)]
            return self.types_of(merge(elements)) if elements else NOTHING
        return types

    def call_signatures(self, value: Value) -> list[Value]:
        """The call signatures of an instance, as (TYPE, SIGNATURE, ...)."""
        owner = value[1]
        if not is_declared(owner):
            return []
        found: list[Value] = []
        for class_, arguments in self.ancestry(owner).classes:
            given = value[2] if class_ == owner else tuple(substitute(part, owner, value[2]) for part in arguments)
            for one in self.group(class_):
                file, shape = self.shape_of(one)
                for signature in shape.get("call", ()):
                    found.extend(substitute(self.evaluate(file, signature), class_, given))
        return [signature for signature in found if signature[:2] == (TYPE, SIGNATURE)]

    # -- calls --------------------------------------------------------------------------------------------------------

    def evaluate_call(self, file: FileInterface, operation: list[Any]) -> Values:
        """CALL."""
        callees = self.evaluate(file, operation[1])
        if not callees:
            return NOTHING
        arguments = tuple(self.evaluate(file, argument) for argument in operation[3])
        return merge([self.called(callee, file.number, arguments) for callee in self.fitting(callees, operation[2])])

    def fitting(self, callees: Values, count: int) -> Values:
        """Without the overloads that a call of that many arguments cannot mean."""
        functions = [callee for callee in callees if callee[0] == FUNCTION]
        if len(functions) < 2:
            return callees
        kept = [one[1] for one in functions]
        kept = self.implementations(kept)
        accepted = [one for one in kept if self.accepts(self.definition(one), count)] or kept
        signatures = [one for one in (one[1] for one in functions) if self.definition(one).flags & Flag.OVERLOAD]
        if len(kept) < len(functions) and signatures:
            # The implementation's signature is not seen from outside: results are those of the declared ones.
            accepted = [one for one in signatures if self.accepts(self.definition(one), count)] or signatures
        return tuple(callee for callee in callees if callee[0] != FUNCTION or callee[1] in accepted)

    def implementations(self, targets: list[int]) -> list[int]:
        """Without the signatures that one of the others implements."""
        return targets

    def called(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """What a call of one value gives."""
        found: list[Values] = []
        for value in self.opened(callee):
            tag = value[0]
            if tag == FUNCTION and len(value) > 3:
                found.append(substitute(self.result(value[1], value[2], asker, ()), value[1], value[3]))
            elif tag == LAMBDA:
                found.append(self._lambda_result(value, asker))
            elif tag == INSTANCE and value[1] == SIGNATURE:
                found.append(instances(value[2][0]))
            elif tag == INSTANCE and value[1] == INTERSECTION:
                results = [self.called(one, asker, arguments) for part in value[2] for one in instances(part)]
                found.append(merge([one for one in results if one]) if any(results) else NOTHING)
            elif tag == INSTANCE:
                signatures = self.call_signatures(value)
                found.append(merge([instances(one[2][0]) for one in signatures]) if signatures else NOTHING)
            elif tag == TYPE:
                found.append(NOTHING)
            else:
                found.append(super().called(value, asker, arguments))
        return merge(found) if found else NOTHING

    def _lambda_result(self, value: Value, asker: int) -> Values:
        file = self.world.file(value[1], asker)
        declared, results, _, _ = file.extra["lambdas"][value[2]]
        if declared >= 0:
            return self.evaluate(file, declared)
        return merge([self.evaluate(file, one) for one in results]) if results else NOTHING

    def _constructor(self, file: FileInterface, operation: list[Any]) -> Values:
        """The constructors of a class, as functions."""
        found: list[Value] = []
        for value in self.opened_all(self.evaluate(file, operation[2])):
            if value[0] == TYPE and value[1] >= 0:
                found.extend(
                    (FUNCTION, member, (INSTANCE, value[1], value[2], None))
                    for member in self.constructors_of(value[1])
                )
            elif value[0] == INSTANCE and is_declared(value[1]):
                where, shape = self.shape_of(value[1])
                for signature in shape.get("construct", ()):
                    found.extend(instances(self.evaluate(where, signature)))
        return tuple(found)

    def constructors_of(self, owner: int) -> tuple[int, ...]:
        """The constructors that `new` of a class calls: its own, else the nearest inherited ones."""
        for class_, _ in self.ancestry(owner).classes:
            found = self.own_members(class_, "constructor")
            if found:
                return found
        return ()

    def _new(self, file: FileInterface, operation: list[Any]) -> Values:
        """`new` of a value with arguments."""
        arguments = tuple(self.evaluate(file, part) for part in operation[3])
        values = self.evaluate(file, operation[2])
        return merge([self.made(value, file.number, arguments) for value in values]) if values else NOTHING

    def made(self, callee: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """What `new` of one value gives."""
        found: list[Values] = []
        for value in self.opened(callee):
            tag = value[0]
            if tag == TYPE:
                found.append(self._class_made(value, asker, arguments))
            elif tag == FUNCTION:
                found.append(((INSTANCE, value[1], ()),))
            elif tag == INSTANCE and is_declared(value[1]):
                found.append(self._made_by_signature(value, arguments))
            elif tag == INSTANCE and value[1] == SIGNATURE:
                found.append(instances(value[2][0]))
            elif tag == EXTERNAL:
                found.append(((EXTERNAL_INSTANCE, value[1], value[2], ()),))
            elif tag == EXTERNAL_INSTANCE or tag == EXTERNAL_RESULT:
                found.append(((EXTERNAL_RESULT, value[1], value[2]),))
            elif tag == PARAMETER and value[2] == SELF_POSITION:
                found.append((instance(value),))
            else:
                found.append(BOTTOMS if value == BOTTOM else NOTHING)
        return merge(found) if found else NOTHING

    def _class_made(self, value: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        owner = value[1]
        given = value[2]
        definition = self.definition(owner) if is_named(owner) else None
        if definition is not None and definition.type_parameters and not given and arguments:
            file = self.world.file(file_of(owner), asker)
            for member in self.own_members(owner, "constructor"):
                facts = file.definitions[index_of(member)]
                given = self._inferred_for(file, owner, len(definition.type_parameters), facts.parameters, arguments)
        return ((INSTANCE, owner, given),)

    def _made_by_signature(self, value: Value, arguments: tuple[Values, ...]) -> Values:
        file, shape = self.shape_of(value[1])
        explicit: tuple[Values, ...] = value[3] if len(value) > 3 else ()
        found: list[Values] = []
        for expression in shape.get("construct", ()):
            for signature in self.evaluate(file, expression):
                results = substitute(signature[2][0], value[1], value[2])
                if explicit:
                    results = tuple(
                        (TYPE, one[1], explicit) if one[0] == TYPE and file_of(one[1]) == LIBRARY else one
                        for one in results
                    )
                elif file.number == LIBRARY:
                    results = self._library_made(results, arguments)
                found.append(instances(results))
        return merge(found) if found else NOTHING

    def _library_made(self, results: Values, arguments: tuple[Values, ...]) -> Values:
        """`new Set(items)`: the element type, from what is iterated."""
        made: list[Value] = []
        for one in results:
            name = self.definition(one[1]).name if one[0] == TYPE and file_of(one[1]) == LIBRARY else ""
            given: tuple[Values, ...] = ()
            if name in ("Set", "Map", "WeakSet", "WeakMap") and arguments and arguments[0]:
                file = self.world.file(LIBRARY, LIBRARY)
                elements = merge([self.iterated(value, file) for value in arguments[0]])
                if name in ("Set", "WeakSet"):
                    given = (self.types_of(elements),)
                elif elements and all(element[0] == TUPLE and len(element[1]) == 2 for element in elements):
                    given = tuple(self.types_of(merge([element[1][side] for element in elements])) for side in (0, 1))
            made.append((TYPE, one[1], given) if one[0] == TYPE else one)
        return tuple(made)

    def constructed(self, type_: Value, asker: int, arguments: tuple[Values, ...]) -> Values:
        """Calling a class gives nothing: it is constructed with `new`."""
        return NOTHING

    # -- inference ----------------------------------------------------------------------------------------------------

    def inferred(
        self, file: FileInterface, owner: int, facts: LinkDefinition, arguments: tuple[Values, ...]
    ) -> tuple[Values, ...]:
        """Type arguments for a generic function, from the arguments of a call."""
        return self._inferred_for(file, owner, len(facts.type_parameters), facts.parameters, arguments)

    def _inferred_for(
        self,
        file: FileInterface,
        owner: int,
        count: int,
        parameters: Sequence[Sequence[Any]],
        arguments: tuple[Values, ...],
    ) -> tuple[Values, ...]:
        given: list[Values] = [NOTHING] * count
        for position, actual in enumerate(arguments):
            if actual:
                pattern = self._parameter_type(file, parameters, position)
                if pattern:
                    self.infer(pattern, actual, owner, given, file, 0)
        return tuple(given)

    def infer(
        self, pattern: Values, actual: Values, owner: int, given: list[Values], file: FileInterface, depth: int
    ) -> None:
        """Match the types of a pattern against values; what a type parameter meets first is what it stands for."""
        if depth > _OPEN_LIMIT or not actual:
            return
        direct: list[int] = []
        matched = False
        for part in pattern:
            if part[0] == PARAMETER and part[1] == owner:
                if part[2] >= 0:
                    direct.append(part[2])
            elif part[0] == TYPE:
                matched = self._infer_structure(part, actual, owner, given, file, depth) or matched
            elif part[0] == TUPLE:
                for value in actual:
                    if value[0] == TUPLE:
                        for inner, outer in zip(part[1], value[1], strict=False):
                            self.infer(self.types_of(inner), outer, owner, given, file, depth + 1)
                        matched = True
        if direct and not matched:
            for position in direct:
                if position < len(given) and not given[position]:
                    given[position] = self.types_of(actual)

    def _infer_structure(
        self, part: Value, actual: Values, owner: int, given: list[Values], file: FileInterface, depth: int
    ) -> bool:
        matched = False
        if part[1] == SIGNATURE:
            results = [self.called(value, file.number, ()) for value in actual]
            known = [values for values in results if values]
            if known:
                self.infer(part[2][0], merge(known), owner, given, file, depth + 1)
            return bool(known)
        if not part[2] and is_named(part[1]):
            return False
        for value in self.opened_all(actual):
            if value[0] == INSTANCE and is_declared(value[1]):
                for class_, arguments in self.ancestry(value[1]).classes:
                    if class_ == part[1]:
                        seen = (
                            value[2]
                            if class_ == value[1]
                            else tuple(substitute(one, value[1], value[2]) for one in arguments)
                        )
                        for inner, outer in zip(part[2], seen, strict=False):
                            self.infer(inner, instances(outer), owner, given, file, depth + 1)
                        matched = True
            elif value[0] == TUPLE and file_of(part[1]) == LIBRARY and part[2]:
                elements = [one for one in value[1] if one]
                if elements:
                    self.infer(part[2][0], merge(elements), owner, given, file, depth + 1)
                    matched = True
        if not matched and self._index_pattern(part):
            where, shape = self.shape_of(part[1])
            pattern = self.evaluate(where, shape["index"])
            for value in actual:
                element = self.indexed(value, file)
                if element:
                    self.infer(pattern, element, owner, given, file, depth + 1)
        return matched

    def _index_pattern(self, part: Value) -> bool:
        return is_declared(part[1]) and "index" in self.shape_of(part[1])[1]

    # -- elements and promises ----------------------------------------------------------------------------------------

    def iterated(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value by iteration: the argument of the `Iterable` that it is or gives."""
        found: list[Values] = []
        for opened in self.opened(value):
            if opened[0] == TUPLE:
                found.append(merge(list(opened[1])) if opened[1] else NOTHING)
            elif opened[0] == BOTTOM[0]:
                found.append(BOTTOMS)
            elif opened[0] == INSTANCE and is_declared(opened[1]):
                found.append(self._elements(opened, file))
            elif opened[0] == INSTANCE and opened[1] == INTERSECTION:
                parts = [self.iterated(one, file) for part in opened[2] for one in instances(part)]
                known = [values for values in parts if values]
                found.append(merge(known) if known else NOTHING)
            else:
                found.append(NOTHING)
        return merge(found) if found else NOTHING

    def _elements(self, value: Value, file: FileInterface) -> Values:
        argument = self._argument_of(value, _ITERABLES)
        if argument is not None:
            return instances(argument)
        for symbol in ("[Symbol.iterator]", "[Symbol.asyncIterator]"):
            things = self.members(value, symbol, file)
            if things and things != (UNKNOWN,):
                results = [self.called(one, file.number, ()) for one in self.values_of(things, file.number)]
                found = [
                    instances(argument)
                    for one in merge(results)
                    if one[0] == INSTANCE and (argument := self._argument_of(one, _ITERABLES)) is not None
                ]
                if found:
                    return merge(found)
        return NOTHING

    def _argument_of(self, value: Value, names: frozenset[str]) -> Values | None:
        """The first type argument that a value has as one of the library's interfaces, None when it is none of them."""
        if not is_declared(value[1]):
            return None
        for class_, arguments in self.ancestry(value[1]).classes:
            if (
                file_of(class_) == LIBRARY
                and not index_of(class_) & OBJECT_BIT
                and self.definition(class_).name in names
            ):
                given = (
                    value[2] if class_ == value[1] else tuple(substitute(one, value[1], value[2]) for one in arguments)
                )
                return given[0] if given else NOTHING
        return None

    def indexed(self, value: Value, file: FileInterface) -> Values:
        """The elements of one value by subscript: by its index signature, else as by iteration."""
        found: list[Values] = []
        for opened in self.opened(value):
            if opened[0] == INSTANCE and is_declared(opened[1]):
                found.append(self._by_index(opened))
            else:
                found.append(self.iterated(opened, file))
        return merge(found) if found else NOTHING

    def has_index(self, owner: int) -> bool:
        """Whether a type has an index signature: any name is a member of it then, and nothing declares it."""
        shapes = (self.shape_of(class_)[1] for class_, _ in self.ancestry(owner).classes)
        return any("index" in shape and "numeric" not in shape for shape in shapes)

    def _by_index(self, value: Value) -> Values:
        owner = value[1]
        for class_, arguments in self.ancestry(owner).classes:
            file, shape = self.shape_of(class_)
            if "index" in shape:
                given = value[2] if class_ == owner else tuple(substitute(one, owner, value[2]) for one in arguments)
                return instances(substitute(self.evaluate(file, shape["index"]), class_, given))
        return NOTHING

    def evaluate_await(self, file: FileInterface, operation: list[Any]) -> Values:
        """AWAIT."""
        return self.awaited(self.evaluate(file, operation[1]))

    def awaited(self, values: Values, depth: int = 0) -> Values:
        """What is awaited: what promises give, other values as they are."""
        if not values:
            return NOTHING
        found: list[Values] = []
        for value in self.opened_all(values):
            argument = None
            if value[0] == INSTANCE and is_declared(value[1]):
                argument = self._argument_of(value, _PROMISES)
            if argument is None:
                found.append((value,))
            else:
                inner = instances(argument)
                found.append(self.awaited(inner, depth + 1) if depth < _OPEN_LIMIT else NOTHING)
        return merge(found) if found else NOTHING

    # -- members ------------------------------------------------------------------------------------------------------

    def members(self, value: Value, name: str, file: FileInterface) -> Values:
        """The things named by a member of one value."""
        found: list[Values] = []
        for opened in self.opened(value):
            found.append(self._members_of_value(opened, name, file))
        return merge([things for things in found if things]) if any(found) else NOTHING

    def _members_of_value(self, value: Value, name: str, file: FileInterface) -> Values:
        tag = value[0]
        if tag == INSTANCE or tag == TYPE:
            owner = value[1]
            if owner == INTERSECTION:
                return self._intersection_member(value, name, file)
            if owner == SIGNATURE:
                return self._function_member(name, file)
            if owner == TYPEOF:
                return NOTHING
            if tag == TYPE and name == "prototype":
                return ((INSTANCE, owner, value[2]),)
            return self.member(owner, name, value, file.number)
        if tag == FUNCTION:
            return self._member_of_function(value, name, file)
        if tag == LAMBDA:
            return self._function_member(name, file)
        if tag == TUPLE:
            elements = merge(list(value[1])) if value[1] else NOTHING
            array = (INSTANCE, library_type("Array"), (self.types_of(elements),))
            return self.member(array[1], name, array, file.number)
        return super().members(value, name, file)

    def _function_member(self, name: str, file: FileInterface) -> Values:
        function = (INSTANCE, library_type("Function"), ())
        return self.member(function[1], name, function, file.number)

    def _member_of_function(self, value: Value, name: str, file: FileInterface) -> Values:
        """A member that was assigned to a function, or that a namespace of its name has."""
        owner = value[1]
        self.world.note(file.number, file_of(owner))
        if name == "prototype":
            return ((INSTANCE, owner, ()),)
        receiver = (TYPE, owner, (), None)
        found = [
            one for one in self.own_members(owner, name) if self.definition(one).flags & Flag.STATIC or self._loose(one)
        ]
        if found:
            return self.with_ambiguity(tuple(self.thing(one, receiver) for one in found))
        return self.property_of_export(owner, name, file) or self._function_member(name, file)

    def _loose(self, member: int) -> bool:
        """Whether a member is one of a namespace, where there is no difference between static and not."""
        parent = self.definition(member).parent
        return self.definition(gid(file_of(member), parent)).kind == DefinitionKind.NAMESPACE if parent >= 0 else False

    def _intersection_member(self, value: Value, name: str, file: FileInterface) -> Values:
        found: list[Values] = []
        known = True
        for part in value[2]:
            known = known and bool(part)
            for one in instances(part) if value[0] == INSTANCE else part:
                things = self.members(one, name, file)
                if things and things != (UNKNOWN,):
                    if self._is_own(things):
                        return things
                    found.append(things)
                known = known and things != (UNKNOWN,)
        if found and known:
            return merge(found)
        return NOTHING if known else (UNKNOWN,)

    def _is_own(self, things: Values) -> bool:
        """Whether things are definitions of the repository."""
        return any(thing[0] in (VARIABLE, FUNCTION, TYPE) and file_of(thing[1]) >= 0 for thing in things)

    def member(self, owner: int, name: str, receiver: Value | None, asker: int, skip: int = 0) -> Values:
        """A member of a class, interface, namespace, enumeration or object: of the side (static or not) that is asked for."""
        self.world.note(asker, file_of(owner))
        ancestry = self.ancestry(owner)
        arguments: tuple[Values, ...] = ()
        tag = INSTANCE
        if receiver is not None:
            if receiver[0] == PARAMETER:
                tag = INSTANCE if receiver[3] else TYPE
                arguments = self.own_arguments(owner)
            elif receiver[0] in (INSTANCE, TYPE):
                tag, arguments = receiver[0], receiver[2]
        for class_, class_arguments in ancestry.classes[skip:] if skip else ancestry.classes:
            found = self._on_side(class_, name, tag == TYPE)
            if found:
                given = arguments
                if class_ != owner:
                    given = tuple(substitute(part, owner, arguments) for part in class_arguments)
                self.world.note(asker, file_of(class_))
                seen = (tag, class_, given, receiver)
                return self.with_ambiguity(tuple(self.thing(member, seen) for member in found))
        spread = self._spread_module(ancestry, name, asker)
        return spread or self._missing(owner, name, tag, receiver, ancestry, asker)

    def _spread_module(self, ancestry: Ancestry, name: str, asker: int) -> Values:
        """A member that an object literal has because a module is spread into it."""
        for class_, _ in ancestry.classes:
            if class_ >= 0 and index_of(class_) & OBJECT_BIT:
                file, shape = self.shape_of(class_)
                for spread in shape.get("spread", ()):
                    for value in self.evaluate(file, spread):
                        if value[0] == MODULE:
                            found = self.module_things(value[1], name, asker)
                            if found:
                                return found
        return NOTHING

    def _on_side(self, class_: int, name: str, static: bool) -> tuple[int, ...]:
        found = self.own_members(class_, name)
        if not found:
            return ()
        if index_of(class_) & OBJECT_BIT:
            return found
        definition = self.definition(class_)
        if definition.kind == DefinitionKind.NAMESPACE:
            return found
        if static:
            return tuple(one for one in found if self.definition(one).flags & Flag.STATIC or self._loose(one))
        return tuple(one for one in found if not self.definition(one).flags & Flag.STATIC and not self._loose(one))

    def _missing(
        self, owner: int, name: str, tag: int, receiver: Value | None, ancestry: Ancestry, asker: int
    ) -> Values:
        """A member that nothing in the repository declares."""
        if any(value == UNKNOWN for value in ancestry.outside):
            return (UNKNOWN,)
        if ancestry.outside:
            return self.outside_member(ancestry.outside, name)
        file = self.world.file(file_of(owner), asker)
        if tag == TYPE:
            return self.property_of_export(owner, name, file)
        if self.has_index(owner):
            return self._by_index(receiver) if receiver is not None and receiver[0] == INSTANCE else NOTHING
        in_library = any(file_of(class_) == LIBRARY for class_, _ in ancestry.classes)
        if in_library:
            nearest = next(class_ for class_, _ in ancestry.classes if file_of(class_) == LIBRARY)
            prefix = "" if index_of(nearest) & OBJECT_BIT else f"{self.definition(nearest).name}."
            return ((EXTERNAL, "lib", f"{prefix}{name}"),)
        inherited = self._members_of(library_names()["Object"][0], name)
        if inherited:
            return tuple(self.thing(one, None) for one in inherited)
        if not index_of(owner) & OBJECT_BIT and self.definition(owner).kind == DefinitionKind.ENUM:
            return ((EXTERNAL, "lib", f"Number.{name}"),)
        return NOTHING

    def property_of_export(self, owner: int, name: str, file: FileInterface) -> Values:
        """`module.exports = X; module.exports.name = ...`: a member of X, where X is what its module is."""
        declaring = self.world.file(file_of(owner), file.number)
        expression = declaring.extra.get("properties", {}).get(name, -1)
        whole = declaring.exports.get("export=")
        if expression < 0 or whole is None or whole[1] < 0:
            return NOTHING
        targets = {thing[1] for thing in self.denote(declaring, whole[1]).things if thing[0] in (TYPE, FUNCTION)}
        return self.denote(declaring, expression).things if owner in targets else NOTHING

    def with_ambiguity(self, things: Values) -> Values:
        """Several overloads of which none is the implementation are candidates; merged declarations are not."""
        if len(things) < 2:
            return things
        signatures = 0
        for thing in things:
            if thing[0] == FUNCTION:
                flags = self.definition(thing[1]).flags
                if not flags & Flag.PROPERTY:
                    if not flags & Flag.OVERLOAD:
                        return things
                    signatures += 1
        return (*things, AMBIGUITY) if signatures > 1 else things

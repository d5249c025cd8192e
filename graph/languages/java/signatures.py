"""What Java methods take and give, and when two of them override each other (JLS 8.4.2)."""

from __future__ import annotations

from typing import Any, Final

from graph.languages.java.jdk import ARRAY, BASE, OBJECT, JdkMethod, Signature
from graph.languages.java.supertypes import Supertypes
from graph.languages.java.values import (
    Key,
    arguments_of,
    fill,
    key_of,
)
from graph.link.values import (
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    NOTHING,
    PARAMETER,
    TYPE,
    VARIABLE,
    Value,
    Values,
    file_of,
    index_of,
    instances,
)
from graph.model import Flag

_UNKNOWN_SIGNATURE: Final = Signature("", 0, (), True, NOTHING)


class Signatures(Supertypes):
    """Signatures of methods and constructors."""

    def signature(self, thing: Value) -> Signature:
        """What a callable thing takes and gives, seen through its receiver."""
        tag = thing[0]
        if tag == FUNCTION:
            plain = self._plain_signature(thing[1])
            receiver = thing[2]
            if receiver is None:
                return plain
            return self._through(plain, receiver[1], receiver[2])
        if tag == TYPE:
            return self._through(self._plain_signature(thing[1])._replace(owner=""), thing[1], thing[2])
        if tag == VARIABLE:
            return Signature("", 0, (), False, self.held(thing[1], thing[2], file_of(thing[1])))
        if tag == EXTERNAL and len(thing) == 5:
            return self._jdk_signature(thing)
        return _UNKNOWN_SIGNATURE

    def _through(self, plain: Signature, owner: Key, arguments: tuple[Values, ...]) -> Signature:
        if not arguments:
            return plain
        parameters = tuple([fill(part, owner, arguments) for part in plain.parameters])
        return Signature(
            plain.owner, plain.type_parameters, parameters, plain.variable, fill(plain.result, owner, arguments)
        )

    def _plain_signature(self, method: int) -> Signature:
        known = self._signatures.get(method)
        if known is not None:
            return known
        file = self.world.file(file_of(method), file_of(method))
        facts = file.definitions[index_of(method)]
        parameters = tuple(self.evaluate(file, parameter[1]) for parameter in facts.parameters)
        variable = any(parameter[3] == 1 for parameter in facts.parameters)
        result = self.evaluate(file, facts.type)
        found = Signature(method, len(facts.type_parameters), parameters, variable, result)
        if self.settled():
            self._signatures[method] = found
        return found

    def _jdk_signature(self, thing: Value) -> Signature:
        detail, receiver = thing[4], thing[3]
        if detail[0] == "field":
            return _UNKNOWN_SIGNATURE
        if detail[0] == "array":
            return Signature("", 0, (), False, (receiver,))
        if detail[0] == "enum":
            own: Values = ((TYPE, receiver[2], ()),)
            if detail[1] == "values":
                return Signature("", 0, (), False, ((EXTERNAL_INSTANCE, BASE, ARRAY, (own,)),))
            return Signature("", 0, (((EXTERNAL, BASE, "java.lang.String"),),), False, instances(own))
        return self._through(self.jdk_method(thing).signature, detail[0], arguments_of(receiver))

    def jdk_method(self, thing: Value) -> JdkMethod:
        """The description of a method or constructor of the JDK that is named."""
        declaring: str = thing[4][0]
        name: str = thing[4][1]
        number: int = thing[4][2]
        described = self.jdk.type(declaring)
        assert described is not None, declaring
        return described.methods[name][number]

    def arity(self, thing: Value) -> tuple[int, bool] | None:
        """How many parameters a callable thing has, and whether the last takes any number; None when not known."""
        tag = thing[0]
        if tag == FUNCTION:
            parameters = self.definition(thing[1]).parameters
            return len(parameters), any(parameter[3] == 1 for parameter in parameters)
        if tag == VARIABLE:
            return 0, False
        if tag == TYPE:
            components = self.definition(thing[1]).extra.get("components")
            if components is None:
                return None
            return len(components), any(parameter[3] == 1 for parameter in self.definition(thing[1]).parameters)
        if tag == EXTERNAL and len(thing) == 5 and thing[4][0] != "field":
            signature = self._jdk_signature(thing)
            return len(signature.parameters), signature.variable
        return None

    def erased(self, thing: Value) -> tuple[Any, ...]:
        """The erasure of a callable thing's parameter types (JLS 4.6)."""
        signature = self.signature(thing)
        erasures = [self.erasure(part) for part in signature.parameters]
        if signature.variable and erasures:
            erasures[-1] = (ARRAY, erasures[-1])
        return tuple(erasures)

    def erasure(self, types: Values) -> Any:
        """The erasure of a type: its key, an array of one, or None when it is not known."""
        if len(types) != 1:
            return None
        value = types[0]
        if value[0] == PARAMETER:
            bound = self.parameter_bound(value)
            return self.erasure(bound[:1]) if bound else OBJECT
        key = key_of(value)
        if key == ARRAY:
            arguments = arguments_of(value)
            return (ARRAY, self.erasure(arguments[0]) if arguments else None)
        return key

    def _is_abstract(self, thing: Value) -> bool:
        if thing[0] == FUNCTION:
            return bool(self.definition(thing[1]).flags & Flag.ABSTRACT)
        if thing[0] == EXTERNAL and len(thing) == 5 and thing[4][0] in self.jdk:
            described = self.jdk.type(thing[4][0])
            return described is not None and self.jdk_method(thing).flag == "a"
        return False

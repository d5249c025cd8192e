"""The linking engine that all languages share: what expressions name, and what they stand for.

A language derives from `Linker` and says how its modules are found, how members are inherited and how its own
operations behave. Two questions are asked of every expression. `denote` gives the *things named* (for `a.b`: the
definitions of `b`); `evaluate` gives the *values* it can stand for (for `a.b`: what that `b` holds). Both are memoised
per expression, and both are the least fixed point where definitions depend on each other in a circle, so that the
order of the questions does not matter.

Invariants: the engine names no language, opens no file, and never ties a name to a definition because the two only
happen to be spelt alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from mypy_extensions import mypyc_attr

from graph.link.answers import Resolution
from graph.link.naming import Naming
from graph.link.values import (
    AMBIGUITY,
    BOTTOM,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    EXTERNAL_RESULT,
    FILE_SHIFT,
    FUNCTION,
    MODULE,
    PACKAGE,
    TYPE,
    UNKNOWN,
    VARIABLE,
    Value,
)
from graph.link.world import FileInterface, LinkDefinition
from graph.model import (
    CALLABLE_KINDS,
    BindingTag,
    Flag,
    Op,
    ScopeKind,
    Status,
)

_NAME, _ATTRIBUTE, _IMPORTED, _DEFINITION_OP = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.IMPORTED), int(Op.DEFINITION)
_DEFINITION, _IMPORT, _VALUE = int(BindingTag.DEFINITION), int(BindingTag.IMPORT), int(BindingTag.VALUE)
_CLASS_SCOPE = int(ScopeKind.CLASS)
_PROPERTY, _CONDITIONAL = int(Flag.PROPERTY), int(Flag.CONDITIONAL)


TARGET_LIMIT: Final = 32
"""Most targets or candidates that one resolution keeps."""

# What a NamedTuple does, without its keyword handling.
_new = cast(Callable[..., Any], tuple.__new__)  # pyright: ignore[reportUnknownMemberType]  # generic
_RESOLVED_STATUS, _EXTERNAL_STATUS = Status.RESOLVED, Status.EXTERNAL


@mypyc_attr(allow_interpreted_subclasses=True)
class Linker(Naming):
    """Links the files of one language family. One instance serves one world; it may be forked, never shared by
    threads.
    """

    def link(self, number: int, references: Sequence[Sequence[int]]) -> list[Resolution]:
        """The resolutions of a file's references, one each, in their order.

        A reference is (kind, expression, arguments, enclosing definition), as in `ReferenceFact`.
        """
        file = self.world.file(number, number)
        cache: dict[Any, Resolution] = {}
        result: list[Resolution] = []
        overloads = self.overloads
        for kind, expression, arguments, enclosing in references:
            key = (expression, kind, arguments) if overloads else (expression, kind)
            resolution = cache.get(key)
            if resolution is None:
                resolution = cache[key] = self.resolve(file, kind, expression, arguments, enclosing)
            result.append(resolution)
        return result

    def resolve(self, file: FileInterface, kind: int, expression: int, arguments: int, enclosing: int) -> Resolution:
        """The resolution of one reference."""
        if expression < 0:
            return Resolution(Status.UNRESOLVED, "", "dynamic", (), "", "")
        named = self.denote(file, expression)
        if len(named.things) == 1:
            thing = named.things[0]
            tag = thing[0]
            if tag == EXTERNAL:
                return _new(Resolution, (_EXTERNAL_STATUS, named.rule, "", (), thing[1], thing[2]))
            if tag == FUNCTION or tag == TYPE or tag == VARIABLE:
                chosen = self.choose(file, (thing[1],), kind, arguments)
                return _new(Resolution, (_RESOLVED_STATUS, named.rule, "", chosen, "", ""))
        targets: dict[int, None] = {}
        outside: Value | None = None
        partial = ambiguous = local = False
        for thing in named.things:
            tag = thing[0]
            if tag == UNKNOWN[0]:
                partial = True
            elif tag == AMBIGUITY[0]:
                ambiguous = True
            elif tag == EXTERNAL or tag == EXTERNAL_INSTANCE or tag == EXTERNAL_RESULT:
                outside = outside or thing
            elif tag == BOTTOM[0]:
                continue
            else:
                found = self.targets_of(thing)
                local = local or not found
                for target in found:
                    targets[target] = None
        if targets:
            chosen = self.choose(file, tuple(sorted(targets)), kind, arguments)
            if len(chosen) > TARGET_LIMIT:
                return Resolution(Status.UNRESOLVED, "", "too-many-candidates", (), "", "")
            if ambiguous and len(chosen) > 1:
                return Resolution(Status.AMBIGUOUS, named.rule, "several-definitions", chosen, "", "")
            rule = f"{named.rule}-partial" if partial or outside is not None else named.rule
            return Resolution(Status.RESOLVED, rule, "", chosen, "", "")
        if outside is not None and not partial:
            return Resolution(Status.EXTERNAL, named.rule, "", (), outside[1], outside[2])
        if local:
            return Resolution(Status.UNRESOLVED, "", "local-value", (), "", "")
        return Resolution(Status.UNRESOLVED, "", self.reason(file, expression), (), "", "")

    def reason(self, file: FileInterface, expression: int) -> str:
        """Why an expression that names nothing does so: a stable word."""
        operation = file.expressions[expression]
        if operation[0] == _ATTRIBUTE:
            if operation[1] < 0:
                return "dynamic"
            receiver = self.evaluate(file, operation[1])
            if not receiver:
                return "receiver-unknown"
            tags = {value[0] for value in receiver}
            if tags <= {EXTERNAL_RESULT, UNKNOWN[0], BOTTOM[0]}:
                return "external-result" if EXTERNAL_RESULT in tags else "receiver-unknown"
            if UNKNOWN[0] in tags or EXTERNAL_RESULT in tags:
                return "receiver-partly-unknown"
            return "no-member"
        if operation[0] == _IMPORTED:
            return "import-not-found"
        return "no-candidate"

    def targets_of(self, thing: Value) -> tuple[int, ...]:
        """The definitions (gids) that a thing named stands for; empty when it is no definition."""
        tag = thing[0]
        if tag == TYPE or tag == FUNCTION or tag == VARIABLE:
            return (thing[1],)
        if tag == MODULE:
            return (thing[1] << FILE_SHIFT,)
        if tag == PACKAGE:
            return self.package_targets(thing[1])
        return ()

    def choose(self, file: FileInterface, targets: tuple[int, ...], kind: int, arguments: int) -> tuple[int, ...]:
        """Narrow several targets of one reference: overloads by the number of arguments, where there are any."""
        if not self.overloads or arguments < 0 or len(targets) < 2:
            return targets
        fitting = tuple(target for target in targets if self.accepts(self.definition(target), arguments))
        return fitting or targets

    def accepts(self, definition: LinkDefinition, arguments: int) -> bool:
        """Whether a definition can be called with that many arguments; what is no function always can."""
        if definition.kind not in CALLABLE_KINDS:
            return True
        rest = any(parameter[3] == 1 for parameter in definition.parameters)
        required = sum(1 for parameter in definition.parameters if parameter[3] == 0 and not parameter[2])
        most = sum(1 for parameter in definition.parameters if parameter[3] == 0)
        return required <= arguments and (rest or arguments <= most)

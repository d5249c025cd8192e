"""The order in which the classes that a class derives from are looked into, those from outside among them."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from graph.languages.python.importing import ImportLinker
from graph.languages.python.standard import CLASS_MEMBERS
from graph.link.answers import Ancestry
from graph.link.values import EXTERNAL, EXTERNAL_INSTANCE, TYPE, UNKNOWN, Value, Values, file_of, index_of

_Base = TypeVar("_Base", int, Value)


class BaseLinker(ImportLinker):
    """Puts base classes in order."""

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

    def ancestry_of(self, owner: int) -> Ancestry:
        """The ancestry of a class (gid), without a question where it is known."""
        return self._ancestry.get(owner) or self.ancestry(owner)

    def behind_outside(self, owner: int, name: str, things: Values, skip: int) -> Values:
        """Members of a class of the repository, unless a base from outside that has, or may have, one comes before."""
        receiver = things[0][2]
        if receiver is None or (receiver[1] == owner and not skip):
            return things
        passed = 0
        unsure = False
        for value in self.once(("order", owner), lambda: self._whole_order(owner)):
            if value[0] == TYPE:
                if value[1] == receiver[1]:
                    break
                passed += 1
            elif passed >= skip and value == UNKNOWN:
                unsure = True
            elif passed >= skip and value[0] == EXTERNAL:
                members = CLASS_MEMBERS.get(f"{value[1]}.{value[2]}")
                special = name[:2] == "__"
                if members is None or (special and value[1] != "builtins"):
                    unsure = True
                elif name in members or special:
                    return ((EXTERNAL, value[1], f"{value[2]}.{name}"),)
        return (*things, UNKNOWN) if unsure else things

    def _whole_order(self, owner: int) -> Values:
        """The method resolution order of a class (gid) with the bases from outside, those without members left out."""
        file = self.world.file(file_of(owner), file_of(owner))
        rows: list[list[Value]] = []
        direct: list[Value] = []
        for base in file.definitions[index_of(owner)].bases:
            for value in self.evaluate(file, base) or (UNKNOWN,):
                if value[0] == TYPE:
                    above: int = value[1]
                    direct.append((TYPE, above, ()))
                    rows.append(list(self.once(("order", above), partial(self._whole_order, above))))
                elif value == UNKNOWN:
                    rows.append([value])
                elif value[0] in (EXTERNAL, EXTERNAL_INSTANCE) and not is_empty_base(value):
                    direct.append((EXTERNAL, value[1], value[2]))
                    rows.append([direct[-1]])
        order = _linearise([*rows, direct])
        return ((TYPE, owner, ()), *(order or [value for value in direct if value[0] == TYPE]))


def is_empty_base(base: Value) -> bool:
    """Whether a base from outside brings no members but those of `object`."""
    return base[1] in ("typing", "typing_extensions", "abc", "builtins") and base[2].rsplit(".", 1)[-1] in (
        "Generic",
        "Protocol",
        "ABC",
        "object",
    )


def _linearise(rows: list[list[_Base]]) -> list[_Base] | None:
    """The C3 merge of several orders; None when there is no such order."""
    pending = [list(row) for row in rows if row]
    result: list[_Base] = []
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

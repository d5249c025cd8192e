"""What the locals of one function hold at the place that is read at the moment.

A function body is read in source order. After `x = value` every later read of `x` in the same block stands for `value`;
what was assigned inside a branch, a loop or a `try` is forgotten behind it, and the name then stands for everything
that is bound to it anywhere in the function. `isinstance` tests narrow what a name or a member holds where they pass.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from graph.model import Expression, Op

_NOTHING = -2
_MOST_EXCLUDED = 16
_MOST_MEMBERS = 64


class Region:
    """A compound statement whose branches may or may not be taken."""

    __slots__ = ("assigned", "completed", "end", "first", "is_try", "otherwise", "pending", "saved", "terminated")

    def __init__(self, end: int, *, is_try: bool) -> None:
        self.end = end
        """Byte offset at which it ends."""
        self.is_try = is_try
        self.first = True
        """Whether its first branch is being read."""
        self.terminated = False
        """Whether the branch ends by leaving (return, raise, continue, break)."""
        self.saved: dict[int, int] = {}
        """What the keys that this branch changes held before it."""
        self.assigned: set[int] = set()
        """Keys that this branch assigns."""
        self.pending: set[int] = set()
        """Keys that branches before this one may have assigned."""
        self.completed: dict[int, int] = {}
        """Of a `try`: what the keys that its body assigns hold at its end, `_NOTHING` where that is not known."""
        self.otherwise: dict[int, tuple[int, int]] = {}
        """Key -> what it holds where no branch so far is taken, and the name that a member belongs to (-1)."""


class Flow:
    """The known values of one function body. Keys and values are expression indices of names and members."""

    __slots__ = ("_expressions", "_keys", "declared", "members", "regions", "values")

    def __init__(self, expressions: list[Expression]) -> None:
        self._expressions = expressions
        self._keys: dict[str, int] = {}
        self.values: dict[int, int] = {}
        """Key -> what it holds here, -1 where nothing is known of that; a key that is not in it may hold anything."""
        self.declared: dict[int, int] = {}
        """Key of a name -> value of its declared type."""
        self.members: dict[int, list[int]] = {}
        """Key of a name -> keys of its members that are narrowed."""
        self.regions: list[Region] = []

    def advance(self, place: int) -> None:
        """Leave the regions that end at or before a byte offset."""
        while self.regions and place >= self.regions[-1].end:
            region = self.regions[-1]
            left = region.first and region.terminated
            self._end_branch(region)
            self.regions.pop()
            for key in region.pending:
                self.forget(key)
            if left:
                for key, (value, root) in region.otherwise.items():
                    if key not in region.pending:
                        self.narrow(key, value, root)

    def enter(self, end: int, *, is_try: bool = False) -> None:
        """Go into a compound statement that ends at a byte offset; its first branch begins."""
        self.regions.append(Region(end, is_try=is_try))

    def exclude(self, narrowings: Sequence[tuple[int, int, int]]) -> None:
        """What holds in the branches of the innermost compound statement that come after the one whose test this is."""
        if self.regions:
            otherwise = self.regions[-1].otherwise
            for key, value, root in narrowings:
                if key in otherwise or len(otherwise) < _MOST_EXCLUDED:
                    otherwise[key] = (value, root)

    def branch(self, *, completed: bool = False) -> None:
        """Begin the next branch (`elif`, `else`, `except`, `case`) of the innermost compound statement.

        With `completed`, the `else` of a `try`: its body has been run to its end.
        """
        if not self.regions:
            return
        region = self.regions[-1]
        if region.is_try and region.first:
            region.completed = {key: self.values.get(key, _NOTHING) for key in region.assigned}
        self._end_branch(region)
        if region.first:
            region.first = False
        if completed and region.is_try:
            for key, value in region.completed.items():
                self._change(key)
                if value == _NOTHING:
                    self.values.pop(key, None)
                else:
                    self.values[key] = value
        for key, (value, root) in region.otherwise.items():
            self.narrow(key, value, root)

    def terminate(self) -> None:
        """The branch that is read ends here by leaving."""
        if self.regions:
            self.regions[-1].terminated = True

    def assign(self, key: int, value: int) -> None:
        """A name holds a value from here on."""
        self._change(key)
        self.values[key] = value
        self._keys[self._expressions[key][2]] = key
        for member in self.members.pop(key, ()):
            self.forget(member)

    def forget(self, key: int) -> None:
        """Nothing in particular is known of a key from here on."""
        if key in self.values or self.regions:
            self._change(key)
        self.values.pop(key, None)
        for member in self.members.pop(key, ()):
            self.forget(member)

    def narrow(self, key: int, value: int, root: int = -1) -> None:
        """A key holds a value as far as the branch that is read goes; `root` is the name that a member belongs to."""
        if self.regions:
            self.regions[-1].saved.setdefault(key, self.values.get(key, _NOTHING))
        self.values[key] = value
        if root >= 0:
            self.members.setdefault(root, []).append(key)
        name = root if root >= 0 else key
        if self._expressions[name][0] == Op.NAME:
            self._keys[self._expressions[name][2]] = name

    def forget_names(self, names: Set[str] | None) -> None:
        """Forget what holds of names, and of members that are called or belong so, before a loop that may assign them.

        None stands for any name.
        """
        if names is None:
            for key in list(self.values):
                self.forget(key)
            return
        for name in names:
            known = self._keys.get(name)
            if known is not None:
                self.forget(known)
        members = [member for found in self.members.values() for member in found]
        for member in members:
            if len(members) > _MOST_MEMBERS or self._mentions(member, names):
                self.forget(member)

    def _mentions(self, key: int, names: Set[str]) -> bool:
        """Whether a part of a chain of members is one of some names."""
        operation: Expression = self._expressions[key]
        while operation[0] == Op.ATTRIBUTE and operation[1] >= 0:
            if operation[2] in names:
                return True
            operation = self._expressions[operation[1]]
        return operation[0] == Op.NAME and operation[2] in names

    def _change(self, key: int) -> None:
        if self.regions:
            region = self.regions[-1]
            region.saved.setdefault(key, self.values.get(key, _NOTHING))
            region.assigned.add(key)

    def _end_branch(self, region: Region) -> None:
        interrupted = region.is_try and region.first
        if not region.terminated or interrupted:
            region.pending |= region.assigned
        for key, value in region.saved.items():
            if value == _NOTHING or (interrupted and key in region.assigned):
                self.values.pop(key, None)
            else:
                self.values[key] = value
        region.saved.clear()
        region.assigned.clear()
        region.terminated = False

"""The outline of a tree without errors says what the query says."""

from __future__ import annotations

from tree_sitter import Parser

from graph.extract.sweep import anchors, grammar, outlined, query
from graph.languages.python.outline import OUTLINE

SOURCE = '''\
"""Doc."""
import a
@first
@second(1)
class C(B, metaclass=M):
    x: int = 1
    @property
    async def f(self, y=lambda: 0): return y
    class D: pass
if a: b()
elif c:
    if d: e
    else: f = 1; g = 2
else:
    for i in j: k
    else: l
while m:
    break
else:
    n = [o for o in p]
async with q as r, s: t
with (u as v, w): x
try:
    y
except* Z as z: raise
except (A, B): pass
else: C
finally: D
match e:
    case [f, g] if h: i
    case _:
        match j:
            case k: l
try: pass
finally:
    type X = int
    # last
    del m
'''


def test_same_as_query() -> None:
    root = Parser(grammar("python")).parse(SOURCE.encode()).root_node
    assert not root.has_error
    expected = anchors(query("graph.languages.python", "structure.scm", "python"), root)
    found = outlined(OUTLINE, root)
    assert [(start, end, role, node.id) for start, end, role, node in found] == [
        (start, end, role, node.id) for start, end, role, node in expected
    ]
    roles = {role for _, _, role, _ in found}
    assert roles == {"statement", "decorator", "elif", "except", "with_item", "case", "branch"}

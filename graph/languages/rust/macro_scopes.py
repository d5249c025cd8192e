"""Macros of Rust by their scope: the text that follows them, `macro_use`, the root of a crate.

Source of the rules: the Rust reference, "Macros by example" ("Scoping, exporting, and importing").
"""

from __future__ import annotations

from graph.languages.rust.places import Viewpoint
from graph.languages.rust.scopes import Scopes
from graph.languages.rust.standard import STANDARD, STANDARD_MACROS
from graph.link.circles import DEPTH_LIMIT
from graph.link.values import AMBIGUITY, EXTERNAL, FUNCTION, MODULE, NOTHING, Value, Values, file_of, gid
from graph.model import BindingTag, DefinitionKind

_DEFINITION, _IMPORT = int(BindingTag.DEFINITION), int(BindingTag.IMPORT)


class MacroScopes(Scopes):
    """Finds macros."""

    def exported_macro(self, root: int, name: str) -> Values:
        """The macros of a crate that `#[macro_export]` puts at its root under a name."""
        if root == STANDARD:
            return ((EXTERNAL, "std", name),) if name in STANDARD_MACROS else NOTHING
        table = self._exported.get(root)
        if table is None:
            collected: dict[str, list[Value]] = {}
            for number in self.modules.members.get(root, ()):
                for exported, indices in self.world.file(number, number).extra.get("macros", {}).items():
                    collected.setdefault(exported, []).extend((FUNCTION, gid(number, index), None) for index in indices)
            table = self._exported[root] = {
                exported: (*things, AMBIGUITY) if len(things) > 1 else tuple(things)
                for exported, things in collected.items()
            }
        found = table.get(name, NOTHING)
        for thing in found:
            if thing[0] == FUNCTION:
                self.world.note(root, file_of(thing[1]))
        return found

    def textual_macro(self, at: Viewpoint, name: str) -> Values:
        """The macro that is in textual scope in a module: declared around it, or let out by `macro_use`."""
        current: Viewpoint | None = at
        for _ in range(DEPTH_LIMIT):
            if current is None:
                break
            file = self.world.file(current.file, at.file)
            indices = [payload for tag, payload in file.bindings[current.scope].get(name, ()) if tag == _DEFINITION]
            if indices:
                return self.things(file, indices, name)
            found = self._let_out(current, name, at.file, 0)
            if found:
                return found
            current = self.parent(current)
        root = self.root(at.file)
        if root != STANDARD:
            file = self.world.file(root, at.file)
            for index in file.extra.get("macro_crates", ()):
                for crate in self.imported(file, index):
                    if crate[0] == MODULE:
                        found = self.exported_macro(crate[1], name[1:])
                        if found:
                            return found
            exported = self.exported_macro(root, name[1:])
            if exported:
                return exported
        return NOTHING

    def _let_out(self, at: Viewpoint, name: str, asker: int, depth: int) -> Values:
        """Macros of the modules below that are declared with `#[macro_use]`."""
        if depth > 8:
            return NOTHING
        file = self.world.file(at.file, asker)
        below: list[Viewpoint] = []
        for index, _, _, scope, _, _, macro_use in file.extra.get("modules", ()):
            if macro_use and self.module_scope(file, scope) == at.scope:
                child = self.modules.children.get((at.file, index))
                if child is not None:
                    below.append(Viewpoint(child, 0))
        for definition in file.definitions:
            if definition.kind != DefinitionKind.NAMESPACE or not definition.extra.get("macro_use"):
                continue
            if self.module_scope(file, definition.extra.get("outer", 0)) == at.scope:
                below.append(Viewpoint(at.file, definition.scope))
        for place in below:
            inner = self.world.file(place.file, asker)
            indices = [payload for tag, payload in inner.bindings[place.scope].get(name, ()) if tag == _DEFINITION]
            found = self.things(inner, indices, name) if indices else self._let_out(place, name, asker, depth + 1)
            if found:
                return found
        return NOTHING

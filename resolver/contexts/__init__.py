"""Compilation contexts: one build's view of the code each, found from manifests and folders as plain data.

What a build system is stays in the module of its ecosystem; the rest of the resolver sees only `Context`.
"""

from resolver.contexts.context import Context, ContextOptions
from resolver.contexts.registry import contexts_of

__all__ = ["Context", "ContextOptions", "contexts_of"]

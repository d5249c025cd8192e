"""Rust's namespaces, written into names: one identifier can name a type, a value and a macro at the same time.

Inside expressions and bindings a name carries its namespace as a first character (Rust reference, "Namespaces");
fields and methods, which are reached only through a value, are told apart in the same way. A bare name is one of the
type namespace.
"""

from __future__ import annotations

from typing import Final

VALUE: Final = "="
"""Functions, constants, statics, constructors, associated functions."""
MACRO: Final = "!"
FIELD: Final = "."
METHOD: Final = "~"
"""A function reached by method call syntax: associated functions that take a receiver."""
ANY: Final = "?"
"""Every namespace at once: the last segment of a `use`."""

PREFIXES: Final = frozenset({VALUE, MACRO, FIELD, METHOD, ANY})

PRIMITIVES: Final = frozenset(
    "bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f16 f32 f64 f128".split()
)


def plain(name: str) -> str:
    """The identifier without its namespace."""
    return name[1:] if name[:1] in PREFIXES else name


def identifier(text: str) -> str:
    """The identifier as the language compares it: raw identifiers lose their `r#`."""
    return text.removeprefix("r#")

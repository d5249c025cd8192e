"""Rust."""

from __future__ import annotations

from graph.languages.base import Language
from graph.languages.rust.adapter import extract
from graph.languages.rust.linking import RustLinker

LANGUAGES: tuple[Language, ...] = (
    Language(
        name="rust",
        family="rust",
        grammars={".rs": "rust"},
        extract=extract,
        linker=RustLinker,
        version="1",
        cr_ends_lines=False,
        shebangs=("rust-script", "cargo"),
        manifests=("Cargo.toml",),
        test_paths=("tests/", "benches/", "*_test.rs", "*_tests.rs", "test.rs", "tests.rs"),
        vendored_folders=("vendor",),
        generated_paths=("*.generated.rs", "bindgen.rs"),
    ),
)

"""Go."""

from __future__ import annotations

from graph.languages.base import Language
from graph.languages.go.adapter import extract
from graph.languages.go.linking import GoLinker

LANGUAGES = (
    Language(
        name="go",
        family="go",
        grammars={".go": "go"},
        extract=extract,
        linker=GoLinker,
        version="2",
        cr_ends_lines=False,
        manifests=("go.mod", "go.work"),
        test_paths=("*_test.go",),
        vendored_folders=("vendor",),
        generated_paths=("*.pb.go", "*.pb.gw.go", "zz_generated.*.go", "zz_generated_*.go"),
    ),
)

"""TypeScript and JavaScript: one family, linked together."""

from __future__ import annotations

from graph.languages.base import Language
from graph.languages.typescript.adapter import extract
from graph.languages.typescript.linking import EcmascriptLinker

_VERSION = "3"
_MANIFESTS = ("package.json", "tsconfig*.json", "*.tsconfig.json", "jsconfig*.json", "pnpm-workspace.yaml")
_TEST_PATHS = (
    "*.test.*",
    "*.spec.*",
    "*.e2e.*",
    "*.cy.*",
    "__tests__/",
    "__mocks__/",
    "test/",
    "tests/",
    "e2e/",
    "cypress/",
)
_VENDORED = ("node_modules", "bower_components", "jspm_packages")
_GENERATED = ("*.min.js", "*.bundle.js", "*.generated.*", "*.pb.ts", "*_pb.js", "*_pb.d.ts", "__generated__/")

LANGUAGES: tuple[Language, ...] = (
    Language(
        name="typescript",
        family="ecmascript",
        grammars={".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx"},
        extract=extract,
        linker=EcmascriptLinker,
        version=_VERSION,
        shebangs=("ts-node", "tsx", "deno"),
        manifests=_MANIFESTS,
        test_paths=_TEST_PATHS,
        vendored_folders=_VENDORED,
        generated_paths=_GENERATED,
    ),
    Language(
        name="javascript",
        family="ecmascript",
        grammars={
            ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript", "": "javascript"
        },
        extract=extract,
        linker=EcmascriptLinker,
        version=_VERSION,
        shebangs=("node", "bun"),
        manifests=_MANIFESTS,
        test_paths=_TEST_PATHS,
        vendored_folders=_VENDORED,
        generated_paths=_GENERATED,
    ),
)  # fmt: skip

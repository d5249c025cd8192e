"""The projects of a TypeScript repository: which there are, which files each has, and why not others."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from graph.index import IndexOptions, build_index
from graph.store import Store
from graph.store.semantic import files_of
from lsp_clients import list_servers
from resolver.contexts import Context, ContextOptions, contexts_of
from tests.harness.indexing import Repository
from tests.resolver.support import resolved, said, statuses, write

INFERRED = "tsconfig:.@inferred"
_FILE = re.compile(r"^-- (.+) --$", re.MULTILINE)


class Found:
    """The contexts of a repository written from `-- path --` lines, each followed by the text of that file."""

    def __init__(self, root: Path, text: str) -> None:
        parts = _FILE.split(text)
        for path, content in zip(parts[1::2], parts[2::2], strict=True):
            write(root, path, content.lstrip("\n"))
        build_index(root, folder=root / ".index", options=IndexOptions(jobs=1))
        with closing(Store(root, root / ".index").reader()) as connection:
            self._paths = {file.number: file.path for file in files_of(connection)}
            self.contexts = {one.name: one for one in contexts_of(connection, root.resolve(), ContextOptions())}

    def __getitem__(self, name: str) -> Context:
        return self.contexts[name]

    def files(self) -> dict[str, list[str]]:
        """Context to the paths of its members."""
        return {name: [self._paths[number] for number in one.files] for name, one in self.contexts.items()}

    def excluded(self, name: str) -> dict[str, str]:
        """Path of a file that is not a member to the reason."""
        return {self._paths[number]: why for number, why in self.contexts[name].excluded.items()}


def test_files_include_and_exclude_say_what_belongs_to_a_project(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        """
-- tsconfig.json --
{ /* JSON with comments */ "include": ["src/**/*"], "exclude": ["src/skip"], "files": ["extra.ts"], }
-- extra.ts --
export {}
-- src/a.ts --
export {}
-- src/a.js --
// beside its source
-- src/plain.js --
// no TypeScript
-- src/skip/b.ts --
export {}
-- other.ts --
export {}
""",
    )
    assert found.files() == {
        "tsconfig:tsconfig.json": ["extra.ts", "src/a.ts"],
        INFERRED: ["other.ts", "src/a.js", "src/plain.js", "src/skip/b.ts"],
    }
    assert found.excluded("tsconfig:tsconfig.json") == {
        "other.ts": "neither `files` nor `include` names it",
        "src/a.js": "JavaScript, and `allowJs` is off",
        "src/plain.js": "JavaScript, and `allowJs` is off",
        "src/skip/b.ts": "left out by `exclude`",
    }


def test_of_one_name_the_compiler_takes_the_source(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        """
-- tsconfig.json --
{ "compilerOptions": { "allowJs": true } }
-- a.ts --
export {}
-- a.js --
export {}
-- b.js --
export {}
-- b.d.ts --
export {}
-- c.mts --
export {}
-- c.mjs --
export {}
-- d.tsx --
export {}
-- lib.min.js --
var x
""",
    )
    assert found.files()["tsconfig:tsconfig.json"] == ["a.ts", "b.d.ts", "b.js", "c.mts", "d.tsx"]
    assert found.excluded("tsconfig:tsconfig.json") == {
        "a.js": "the project has a.ts in its place",
        "c.mjs": "the project has c.mts in its place",
        "lib.min.js": "patterns of `include` match no hidden and no minified files",
    }


def test_references_are_projects_and_a_file_can_be_in_several(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        """
-- tsconfig.json --
{ "files": [], "references": [{ "path": "app" }, { "path": "app/tsconfig.node.json" }] }
-- tsconfig.base.json --
{ "compilerOptions": { "strict": true } }
-- app/tsconfig.json --
{ "extends": "../tsconfig.base.json", "include": ["src", "shared"] }
-- app/tsconfig.node.json --
{ "include": ["vite.config.ts", "shared"] }
-- app/src/a.ts --
export {}
-- app/shared/s.ts --
export {}
-- app/vite.config.ts --
export {}
""",
    )
    assert found.files() == {
        "tsconfig:app/tsconfig.json": ["app/shared/s.ts", "app/src/a.ts"],
        "tsconfig:app/tsconfig.node.json": ["app/shared/s.ts", "app/vite.config.ts"],
    }


def test_what_is_imported_belongs_to_the_project_that_imports_it(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        """
-- tsconfig.json --
{ "files": ["main.ts"] }
-- main.ts --
import "./one"; import { three } from "./barrel";
-- one.ts --
import { x } from "./script.js";
-- barrel.ts --
export * from "./three";
-- three.ts --
export const three = 3;
-- script.js --
export const x = 1;
-- alone.ts --
import { three } from "./three";
""",
    )
    assert found.files() == {
        "tsconfig:tsconfig.json": ["barrel.ts", "main.ts", "one.ts", "three.ts"],
        INFERRED: ["alone.ts", "script.js"],
    }


def test_configurations_of_other_names_count_where_they_cover_more(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        """
-- tsconfig.json --
{ "include": ["src"] }
-- tsconfig.build.json --
{ "extends": "./tsconfig.json", "exclude": ["src/b.ts"] }
-- tsconfig.test.json --
{ "extends": "./tsconfig.json", "include": ["src", "test"] }
-- tsconfig.unit.json --
{ "include": ["test/unit"] }
-- src/a.ts --
export {}
-- test/unit/u.ts --
export {}
-- test/e2e/e.ts --
export {}
""",
    )
    assert found.files() == {
        "tsconfig:tsconfig.json": ["src/a.ts"],
        "tsconfig:tsconfig.test.json": ["src/a.ts", "test/e2e/e.ts", "test/unit/u.ts"],
    }


def test_a_jsconfig_beside_a_tsconfig_does_not_count(tmp_path: Path) -> None:
    sources = '-- jsconfig.json --\n{}\n-- web/jsconfig.json --\n{}\n-- tsconfig.json --\n{ "files": ["b.ts"] }\n'
    found = Found(tmp_path, sources + "-- b.ts --\nexport {}\n-- web/a.js --\nvar a\n")
    assert found.files() == {"tsconfig:tsconfig.json": ["b.ts"], "tsconfig:web/jsconfig.json": ["web/a.js"]}


def test_a_context_is_what_the_configurations_say(tmp_path: Path) -> None:
    """Comments and files come and go, and it stays the same one; options do not."""
    base = '-- base.tsconfig.json --\n{ "compilerOptions": { "strict": %s } } %s\n'
    own = '-- tsconfig.json --\n{ "extends": "./base.tsconfig.json" }\n-- a.ts --\nexport {}\n'
    name = "tsconfig:tsconfig.json"
    ids = [
        Found(tmp_path / folder, base % options + own + more)[name].id
        for folder, options, more in (
            ("one", ("true", ""), ""),
            ("two", ("true", "// a comment"), "-- b.ts --\nexport {}\n"),
            ("three", ("false", ""), ""),
        )
    ]
    assert ids[0] == ids[1] != ids[2]
    before = Found(tmp_path / "one", own)[name]
    (tmp_path / "one/node_modules").mkdir()
    assert Found(tmp_path / "one", own)[name].id != before.id


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "latin.js").write_bytes("// caf\xe9\nvar x = '\xe9'\n".encode("utf-16"))
    found = Found(tmp_path, "-- a.js --\nvar a\n")
    assert found.files() == {INFERRED: ["a.js"]}
    assert [why.split(",")[0] for why in found.excluded(INFERRED).values()] == ["the server reads UTF-8"]


def test_packages_of_a_workspace_are_known_to_the_server(tmp_path: Path) -> None:
    found = Found(
        tmp_path,
        """
-- package.json --
{ "private": true, "workspaces": ["packages/*"] }
-- packages/a/package.json --
{ "name": "@Org/a", "exports": { ".": "./src/index.ts", "./sub": "./src/sub.ts" } }
-- packages/a/src/index.ts --
export const x = 1;
-- packages/a/src/sub.ts --
export const y = 1;
-- packages/b/package.json --
{ "name": "b" }
-- packages/b/use.ts --
import { x } from "@Org/a"; import { y } from "@Org/a/sub"; import z from "elsewhere";
""",
    )
    context = found[INFERRED]
    assert {"@Org/a", "b"} <= context.workspace_names
    a = tmp_path.resolve() / "packages/a/src"
    assert context.settings["project"]["modules"] == {"@Org/a": str(a / "index.ts"), "@Org/a/sub": str(a / "sub.ts")}


@pytest.mark.parametrize(
    ("manifest", "installed", "note"),
    [
        ('{ "devDependencies": { "typescript": "^7.0.0" } }', "", "uses TypeScript ^7.0.0, which has no tsserver"),
        ('{ "devDependencies": { "typescript": "^7.0.0" } }', "5.8.2", ""),
        ("{}", "7.0.2", "uses TypeScript 7.0.2, which has no tsserver"),
        ('{ "dependencies": { "typescript": "~5.4" } }', "", ""),
    ],
)
def test_a_typescript_without_a_tsserver_is_noticed(tmp_path: Path, manifest: str, installed: str, note: str) -> None:
    if installed:
        write(tmp_path, "node_modules/typescript/package.json", f'{{ "version": "{installed}" }}')
    found = Found(tmp_path, f"-- package.json --\n{manifest}\n-- a.ts --\nexport {{}}\n")
    notes = found[INFERRED].settings["project"]["notes"]
    assert len(notes) == bool(note)
    assert note in "".join(notes)


# -- with the real server ---------------------------------------------------------------------------------------------


@pytest.mark.server
def test_a_repository_of_several_projects(tmp_path: Path) -> None:
    """What a server alone knows, each answer in its context, and packages that are not linked."""
    row = next(row for row in list_servers() if row.name == "typescript-language-server")
    assert row.usable, row.problem
    parts = _FILE.split("""
-- package.json --
{ "private": true, "workspaces": ["packages/*"], "devDependencies": { "typescript": "^7.1.0" } }
-- packages/a/package.json --
{ "name": "@org/a", "main": "src/index.ts" }
-- packages/a/src/index.ts --
export class Foo { run() {} }
-- packages/b/tsconfig.json --
{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "strict": true } }
-- packages/b/src/use.ts --
import { Foo } from "@org/a";
type Pick1<T, K extends keyof T> = { [P in K]: T[P] };
declare const part: Pick1<Foo, "run">;
part.run();
new Foo().run();
[new Foo()].save;
-- web/tsconfig.json --
{ "compilerOptions": { "paths": { "@/*": ["./*"] } }, "include": ["*.ts", "../shared"] }
-- web/nav.ts --
export function go() {}
-- admin/tsconfig.json --
{ "compilerOptions": { "paths": { "@/*": ["./*"] } }, "include": ["*.ts", "../shared"] }
-- admin/nav.ts --
export function go() {}
-- shared/page.ts --
import { go } from "@/nav";
go();
""")
    files = {path: content.lstrip("\n") for path, content in zip(parts[1::2], parts[2::2], strict=True)}
    repository = Repository(tmp_path, files)
    report = resolved(repository)
    assert [context.name for context in report.contexts] == [
        "tsconfig:admin/tsconfig.json",
        "tsconfig:packages/b/tsconfig.json",
        "tsconfig:web/tsconfig.json",
    ]
    assert not report.failed, report
    for context in report.contexts:
        assert [note.split(",")[0] for note in context.notes] == ["the repository uses TypeScript ^7.1.0"]
        assert context.version == "5.3.0 (TypeScript 5.9.3)"
    use = "packages/b/src/use.ts"
    assert said(repository, use, 4, "run") == "upgraded -> packages/a/src/index.ts:method:Foo.run"
    assert said(repository, use, 5, "run") == "confirmed -> packages/a/src/index.ts:method:Foo.run"
    assert said(repository, use, 6, "save") == "unresolved [no-member]"
    assert (
        said(repository, "shared/page.ts", 2, "go") == "contextual -> admin/nav.ts:function:go, web/nav.ts:function:go"
    )
    assert "failed" not in statuses(repository)

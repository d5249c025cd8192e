"""A real tsserver on small repositories. The expected places are marked in the sources.

`«name»` is a name that is asked about, `‹label›` in front of a name is a place that an answer may lead to.
"""

import asyncio
import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from lsp_clients import (
    Empty,
    Failed,
    Located,
    Outcome,
    Server,
    ServerMissingError,
    SessionInfo,
    Workspace,
    adapter_for,
    list_servers,
    load_settings,
)
from lsp_clients.answers import Outside
from lsp_clients.servers.typescript_packages import package_of
from tests.lsp_clients.marked import Repository, repository
from tests.lsp_clients.support import LIMIT_SECONDS

NAME = "typescript-language-server"
server = pytest.mark.server


@pytest.fixture(scope="module")
def typescript() -> Path:
    """The folder of the real TypeScript; the test fails when there is none."""
    row = next(row for row in list_servers() if row.name == NAME)
    if not row.usable:
        pytest.fail(f"{row.problem} (or `python -c 'import lsp_clients; lsp_clients.install(\"{NAME}\")'`)")
    folder = adapter_for(NAME).find(load_settings()[NAME]).folder
    assert folder is not None
    return folder


@dataclass(frozen=True)
class Run:
    info: SessionInfo
    answers: list[tuple[str, Outcome]]
    """(the name asked about, its outcome)."""


def run(repo: Repository, workspace: Path | None = None, **settings: Any) -> Run:
    """Asks about every site, in order; `settings` are laid over those of the server."""

    async def work() -> Run:
        own = load_settings({NAME: {"settings": settings}})[NAME]
        contents = {file.path: file.content for file in repo.asked}
        one = Server(adapter_for(NAME), own, Workspace(workspace or repo.root))
        async with asyncio.timeout(LIMIT_SECONDS), one:
            info = await one.start()
            assert info is not None, one.report
            answers = [
                (re.match(rb"[\w$#]+", contents[answer.path][answer.offset :]), answer.outcome)
                async for answer in one.ask(repo.asked)
            ]
        assert not one.report.crashes
        return Run(info, [(name[0].decode() if name else "", outcome) for name, outcome in answers])

    return asyncio.run(work())


def said(repo: Repository, outcome: Outcome) -> str:
    """The labels of the places an outcome leads to (a place without one is its file's name), or what else it is."""
    match outcome:
        case Located():
            return " ".join(
                repo.places.get((at.path, at.start), Path(at.path).name if at.end else f"module:{Path(at.path).name}")
                for at in outcome.locations
            )
        case Outside():
            return f"outside {outcome.package}:{outcome.symbol}"
        case Empty():
            return "nothing"
        case Failed():
            return f"failed {outcome.detail}"


def expect(repo: Repository, got: Run, wanted: str) -> None:
    """Holds the answers against `name -> answer` lines, in order."""
    lines = [f"{name} -> {said(repo, outcome)}" for name, outcome in got.answers]
    assert lines == [line.strip() for line in wanted.strip().splitlines()]


CONFIG = {"tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler", '
          '"target": "es2022", "jsx": "preserve", "allowJs": true }, "include": ["src"] }'}  # fmt: skip


@server
@pytest.mark.usefixtures("typescript")
def test_names_lead_to_their_definitions(tmp_path: Path) -> None:
    repo = repository(
        tmp_path,
        {
            **CONFIG,
            "src/m.ts": (
                "export const ‹a›a = (x: number) => x;\nexport ‹default›default function () { return 1; }\n"
                "export interface ‹C›C { ‹Cx›x: number; ‹Cm›m(): void }\n"
                "export class ‹K›K { ‹p›#p = 1; constructor(readonly ‹given›given: C) {}\n"
                "  get ‹q›q() { return this.«#p»; } }\n"
                "export class ‹Sub›Sub extends «K» { ‹own›own() { this.«given».«x»; } }\n"
                "export function over(x: string): void;\nexport function ‹over2›over(x: number, y: number): void;\n"
                "export function over(...x: unknown[]) {}\n"
                'type A = { tag: "a"; ‹Av›v: 1 }; type B = { tag: "b"; ‹Bv›v: 2; only: 1 };\n'
                "export type U = A | B; export enum ‹E›E { ‹One›One }\n"
            ),
            "src/barrel.ts": 'export { «a» as «b», «default» as «made» } from "./m";\nexport * as «all» from "./m";\n',
            "src/use.ts": (
                '\ufeffimport «def», { «a» as first, type «C» } from "./m";\r\n'
                'import { «b», «made», «all» } from "./barrel";\r\n'
                'import * as «ns» from "./m"; const 漢 = "😀"; «def»(); «first»(1); «ns».«a»(2); «b»(3); «made»();\r\n'
                "const o = { «first», ‹key›key: 1 }; const { «key», «first»: second } = o; o.«key»;\r\n"
                "new «ns».«Sub»({ «x»: 1, «m»() {} }).«q»; «ns».«over»(1, 2); «ns».«E».«One»;\r\n"
                "declare const u: ns.«U»; u.«v»; if (u.tag === 'a') u.«v»;\r\n"
                "declare const any: any; any.«v»; u.«none»;\r\n"
                'const later = await import("./m"); later.«a»(1); function local(‹par›par: number) { «par»; }\r\n'
                "[1].«map»(String); new «Promise»<void>(() => {}); «nowhere»();\r\n"
            ),
            "src/view.tsx": (
                "declare namespace JSX { interface IntrinsicElements { ‹div›div: {} } }\n"
                "function ‹View›View(p: { ‹title›title: string }) { return <«div»/>; }\n"
                "const v = <«View» title='x'></«View»>;\n"
            ),
            "src/old.js": (
                'const «whole» = require("./lib"); const { «made» } = require("./lib"); «whole».«made»(); «made»();\n'
                '/** @param {import("./m").«C»} c @returns {«T»} */ function f(c) { c.«x»; }\n'
                "/** @typedef {object} ‹T›T */\n"
            ),
            "src/lib.js": "function ‹made_js›made() {}\nmodule.exports = { made };\n",
        },
    )
    got = run(repo)
    expect(
        repo,
        got,
        """
        #p -> p
        K -> K
        given -> given
        x -> Cx
        a -> a
        b -> a
        default -> default
        made -> default
        all -> module:m.ts
        def -> default
        a -> a
        C -> C
        b -> a
        made -> default
        all -> module:m.ts
        ns -> module:m.ts
        def -> default
        first -> a
        ns -> module:m.ts
        a -> a
        b -> a
        made -> default
        first -> a
        key -> key
        first -> use.ts
        key -> key
        ns -> module:m.ts
        Sub -> Sub
        x -> Cx
        m -> Cm
        q -> q
        ns -> module:m.ts
        over -> over2
        ns -> module:m.ts
        E -> E
        One -> One
        U -> m.ts
        v -> Av Bv
        v -> Av
        v -> nothing
        none -> nothing
        a -> a
        par -> par
        map -> outside lib:Array.map
        Promise -> outside lib:Promise
        nowhere -> nothing
        div -> div
        View -> View
        View -> View
        whole -> module:lib.js
        made -> made_js
        whole -> module:lib.js
        made -> made_js
        made -> made_js
        C -> C
        T -> T
        x -> Cx
        """,
    )
    assert got.info.version == f"{load_settings()[NAME].version} (TypeScript 5.9.3)"
    assert (got.info.files_found, got.info.notes) == (6, ())
    versions = {outcome.version for _, outcome in got.answers if isinstance(outcome, Outside)}
    assert versions == {"5.9.3"}


@server
@pytest.mark.usefixtures("typescript")
def test_packages_have_their_name_and_version(tmp_path: Path) -> None:
    repo = repository(
        tmp_path,
        {
            **CONFIG,
            "node_modules/plain/package.json": '{ "name": "plain", "version": "1.2.3", "types": "index.d.ts" }',
            "node_modules/plain/index.d.ts": "export declare class Box { open(): void }\n",
            "node_modules/@types/scope__pkg/package.json": '{ "name": "@types/scope__pkg", "version": "9.9.9" }',
            "node_modules/@types/scope__pkg/index.d.ts": "export declare function f(): void;\n",
            "src/use.ts": 'import { «Box» } from "plain"; import { «f» } from "@scope/pkg";\n'
            "new Box().«open»(); «f»();\n",
        },
    )
    found = [outcome for _, outcome in run(repo).answers]
    box, f = Outside("plain", "1.2.3", "Box"), Outside("@scope/pkg", "", "f")
    assert found == [box, f, Outside("plain", "1.2.3", "Box.open"), f]


def test_the_package_of_a_path() -> None:
    assert package_of("/x/node_modules/a/node_modules/@s/b/lib/c.d.ts").name == "@s/b"
    assert package_of("/x/node_modules/@types/node/fs.d.ts").name == "node"
    assert package_of("/x/node_modules/typescript/lib/lib.es2015.core.d.ts").name == "lib"
    assert package_of("/x/node_modules/typescript/lib/lib.dom.iterable.d.ts").name == "dom"
    assert package_of("/x/node_modules/typescript/lib/typescript.d.ts").name == "typescript"
    assert package_of("/elsewhere/a.ts") == ("", "")


@server
@pytest.mark.usefixtures("typescript")
def test_each_project_is_asked_by_itself(tmp_path: Path) -> None:
    options = '"compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "paths": { "@/*": ["./%s/*"] } }'
    repo = repository(
        tmp_path,
        {
            "tsconfig.json": f'{{ {options % "web"}, "include": ["shared"] }}',
            "tsconfig.admin.json": f'{{ {options % "admin"}, "include": ["shared"] }}',
            "web/nav.ts": "export function ‹web›go() {}\n",
            "admin/nav.ts": "export function ‹admin›go() {}\n",
            "shared/use.ts": 'import { go } from "@/nav";\n«go»();\n',
        },
    )
    for config, label in (("tsconfig.json", "web"), ("tsconfig.admin.json", "admin")):
        path = repo.root / config
        # As contexts ask: the workspace is called by its configuration.
        expect(repo, run(repo, path, project={"config": str(path), "folder": str(repo.root)}), f"go -> {label}")


@server
def test_answers_in_declaration_files_lead_to_their_sources(tmp_path: Path, typescript: Path) -> None:
    options = '"compilerOptions": { "composite": true, "declarationMap": true, "outDir": "dist", "rootDir": "src" }'
    sources = {
        "built/tsconfig.json": f'{{ {options}, "include": ["src"] }}',
        "built/src/index.ts": "export class ‹Built›Built {\n  ‹run›run(): void {}\n}\n",
        "built/package.json": '{ "name": "built", "types": "dist/index.d.ts" }',
        # Never built: a reference alone says what its output would be.
        "referred/tsconfig.json": f'{{ {options}, "include": ["src"] }}',
        "referred/src/index.ts": "export function ‹referred›referred() {}\n",
        "app/tsconfig.json": '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler" }, '
        '"references": [{ "path": "../referred" }] }',
        "app/use.ts": 'import { Built } from "../built/dist/index";\n'
        'import { «referred» } from "../referred/dist/index";\n'
        "new «Built»().«run»(); «referred»();\n",
    }
    repo = repository(tmp_path, sources)
    compiler = ["node", str(typescript / "lib/tsc.js"), "-p", str(repo.root / "built")]
    subprocess.run(compiler, check=True, capture_output=True)
    expect(repo, run(repo, repo.root / "app"), "referred -> referred\nBuilt -> Built\nrun -> run\nreferred -> referred")


@server
@pytest.mark.usefixtures("typescript")
def test_files_of_no_project_and_packages_that_are_not_linked(tmp_path: Path) -> None:
    repo = repository(
        tmp_path,
        {
            "packages/a/src/index.ts": "export class ‹Foo›Foo { ‹run›run() {} }\n",
            "packages/b/use.ts": 'import { «Foo» } from "@org/a";\nnew Foo().«run»();\n',
            "bin/start": "#!/usr/bin/env node\nfunction ‹go›go() {}\n«go»();\n",
        },
    )
    project = {
        "files": [file.path for file in repo.asked],
        "options": {"allowJs": True, "module": "esnext", "moduleResolution": "bundler"},
        "modules": {"@org/a": str(repo.root / "packages/a/src/index.ts")},
    }
    expect(repo, run(repo, project=project), "Foo -> Foo\nrun -> run\ngo -> go")


@server
@pytest.mark.usefixtures("typescript")
def test_plugins_of_a_repository_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = json.loads(CONFIG["tsconfig.json"])
    config["compilerOptions"]["plugins"] = [{"name": "theirs"}]
    was_run = tmp_path / "was-run"
    code = f"require('fs').writeFileSync({json.dumps(str(was_run))}, '');\nmodule.exports = () => ({{}});\n"
    repo = repository(
        tmp_path,
        {
            "tsconfig.json": json.dumps(config),
            "node_modules/theirs/package.json": '{ "name": "theirs", "main": "index.js" }',
            "node_modules/theirs/index.js": code,
            "src/a.ts": "function ‹f›f() {}\n«f»();\n",
        },
    )
    # tsserver looks for plugins in all folders above ours: here it would find theirs.
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    got = run(repo)
    expect(repo, got, "f -> f")
    assert got.info.notes == ("plugins that the repository names are not run: theirs",)
    assert not was_run.exists()


@server
@pytest.mark.usefixtures("typescript")
def test_files_that_the_project_does_not_have(tmp_path: Path) -> None:
    repo = repository(tmp_path, {**CONFIG, "src/a.ts": "function f() {}\n«f»();\n", "other.ts": "«x»;\n"})
    changed = repo.asked[0]._replace(content=repo.asked[0].content + b"\n")
    got = run(replace(repo, files=[changed, repo.asked[1]]))
    expect(
        repo, got, "f -> failed the server has other bytes of the file\nx -> failed the file is not part of the project"
    )


@server
@pytest.mark.usefixtures("typescript")
def test_without_the_plugin_definitions_are_asked_for(tmp_path: Path) -> None:
    repo = repository(
        tmp_path,
        {
            **CONFIG,
            "src/m.ts": "export function ‹f›f() {}\n",
            "src/a.ts": 'import { «f» } from "./m";\n/* 😀 */ «f»();\n[1].«map»(f);\n',
        },
    )
    got = run(repo, plugin=False)
    expect(repo, got, "f -> f\nf -> f\nmap -> lib.es5.d.ts")
    assert any("the plugin could not be loaded" in note for note in got.info.notes)


# -- finding and starting ---------------------------------------------------------------------------------------------


def _package(folder: Path, name: str, version: str, file: str) -> Path:
    (folder / name / file).parent.mkdir(parents=True)
    (folder / name / file).write_text("")
    (folder / name / "package.json").write_text(json.dumps({"name": name, "version": version}))
    return folder / name / file


def test_a_server_without_a_tsserver_is_not_usable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path / "none"))
    modules = tmp_path / "node_modules"
    script = _package(modules, NAME, "5.3.0", "lib/cli.mjs")
    _package(modules, "typescript", "7.0.0", "lib/tsc.js")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / NAME).symlink_to(script)
    script.chmod(0o755)
    node = shutil.which("node")
    assert node is not None
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{Path(node).parent}")
    settings = load_settings()[NAME]
    with pytest.raises(ServerMissingError, match="no TypeScript with a tsserver") as error:
        adapter_for(NAME).find(settings)
    assert f"tieline servers install {NAME}" in str(error.value)
    _package(tmp_path / "old", "typescript", "5.9.3", "lib/tsserver.js")
    own = load_settings({NAME: {"settings": {"typescript": str(tmp_path / "old/typescript")}}})[NAME]
    found = adapter_for(NAME).find(own)
    assert (found.origin, found.version, found.folder) == ("path", "5.3.0", tmp_path / "old/typescript")
    with pytest.raises(ServerMissingError, match="lies in the repository"):
        adapter_for(NAME).launch(found, own, Workspace(tmp_path))


def test_nothing_installed_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = shutil.which("node")
    assert node is not None
    (tmp_path / "node").symlink_to(node)
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServerMissingError, match=f"tieline servers install {NAME}"):
        adapter_for(NAME).find(load_settings()[NAME])

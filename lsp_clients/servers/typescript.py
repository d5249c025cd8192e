"""typescript-language-server with tsserver, for TypeScript and JavaScript.

One process per project (tsconfig). Our tsserver plugin (`typescript_plugin.cjs`) loads the project without opening a
file of it, and answers whole files with the type checker. Measured with 5.3.0 and TypeScript 5.9.3, in processor
seconds, over every reference of effect 4.1.0 (566 files, 239,969 sites) and of webpack 5.113.0 (849 files of JavaScript
with types in comments, 236,646 sites):

| what | effect | webpack |
|---|---|---|
| `tsc --noEmit` of the same project | 46.0 | 48.4 |
| plugin: start of the server, project loaded | 6.1 | 7.7 |
| plugin: all sites (used) | 24.5 | 21.2 |
| this client meanwhile | 1.6 | 1.6 |

So the pass takes 0.7 and 0.6 times the check, start included. On every twelfth file
of effect (20,734 sites) the plugin took 4.6 s after a start of 6.2 s. `textDocument/definition` for each site, with the
files opened in groups, took 19.7 s, loading the project included, and cannot tell which project it is asked in.

- tsserver loads plugins by name, from folders that it is given *and all folders above them*; the repository's tsconfig
  may name some. Ours lies in a folder of the process's own, is there before anything of the repository is read, and
  keeps all others from being loaded.
- Nothing is watched, no typings are fetched, and there is no second (syntax) server.
- TypeScript 7 has no tsserver: whatever a repository brings, the pinned 5.x is used, and never one of the repository.
"""

import json
import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from lsp_clients.adapter import Adapter, Found, Launch, Workspace
from lsp_clients.errors import InstallError, ServerMissingError
from lsp_clients.installing import managed_folder, npm_install
from lsp_clients.servers.typescript_project import PLUGIN, open_project
from lsp_clients.settings import ServerSettings

NAME = "typescript-language-server"
_SCRIPT = "lib/cli.mjs"
_TSSERVER = "lib/tsserver.js"
_LANGUAGE_IDS = {
    ".tsx": "typescriptreact", ".jsx": "javascriptreact", ".js": "javascript", ".mjs": "javascript",
    ".cjs": "javascript", ".ts": "typescript", ".mts": "typescript", ".cts": "typescript",
}  # fmt: skip


def find(settings: ServerSettings) -> Found:
    """The configured command, else the managed installation of the pinned version, else the PATH.

    Raises ServerMissingError, also where there is no TypeScript with a tsserver beside it.
    """
    if settings.command:
        program = shutil.which(settings.command[0])
        if program is None:
            raise ServerMissingError(f"{NAME}: the configured command {settings.command[0]} is not there")
        return Found((program, *settings.command[1:]), "", "configured", _typescript(settings, None))
    node = shutil.which("node")
    if node is None:
        raise ServerMissingError(f"{NAME} runs on Node.js, and node is not on the PATH: install Node.js 20 or newer")
    managed = managed_folder(NAME, settings.version) / "node_modules" / NAME
    if (managed / _SCRIPT).is_file():
        return _found(node, managed, "managed", settings)
    if program := shutil.which(NAME):
        script = Path(program).resolve()
        if script.as_posix().endswith(f"/{_SCRIPT}"):
            return _found(node, script.parent.parent, "path", settings)
        return Found((program, "--stdio"), "", "path", _typescript(settings, None))
    raise ServerMissingError(f"{NAME} is not installed: run `tieline servers install {NAME}`")


def _found(node: str, package: Path, origin: str, settings: ServerSettings) -> Found:
    command = (node, str(package / _SCRIPT), "--stdio")
    return Found(command, _version(package), origin, _typescript(settings, package.parent / "typescript"))


def _typescript(settings: ServerSettings, beside: Path | None) -> Path:
    """The folder of the `typescript` package to use: the one that is set, else beside the server, else the managed one.

    Never that of a repository: it is repository content, and would be run.
    """
    own = settings.settings.get("typescript", "")
    managed = managed_folder(NAME, settings.version) / "node_modules/typescript"
    choice = [Path(own).expanduser()] if own else [*([beside] if beside else []), managed]
    for folder in choice:
        if (folder / _TSSERVER).is_file():
            return folder
    looked = ", ".join(map(str, choice))
    raise ServerMissingError(
        f"{NAME}: no TypeScript with a tsserver (7 has none) in {looked}: run `tieline servers install {NAME}`, or name"
        " the folder of a typescript 5 package in its setting `typescript`"
    )


def _version(package: Path) -> str:
    try:
        manifest = json.loads((package / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ServerMissingError(f"the package in {package} is broken: {error}") from error
    return str(cast(Mapping[str, object], manifest).get("version", "")) if isinstance(manifest, dict) else ""


def install(settings: ServerSettings, folder: Path) -> None:
    """Installs the pinned versions into an empty folder. Raises InstallError."""
    npm_install(settings.package_names(), folder)
    for part in (f"{NAME}/{_SCRIPT}", f"typescript/{_TSSERVER}"):
        if not (folder / "node_modules" / part).is_file():
            raise InstallError(f"npm installed something else: there is no {part}")


def launch(found: Found, settings: ServerSettings, workspace: Workspace) -> Launch:
    """The server as it is, with our plugin laid out where tsserver looks for plugins.

    A repository may hold what the PATH leads to, or even our own package (in a virtual environment): tsserver looks
    for plugins in every folder above, so ours lies in the process's own folder. Raises ServerMissingError.
    """
    program = Path(found.command[1 if found.command[0].endswith("node") else 0])
    repository = settings.settings.get("project", {}).get("folder") or workspace.root
    if found.origin == "path" and program.is_relative_to(repository):
        raise ServerMissingError(f"{NAME}: {program} of the PATH lies in the repository, whose content is not run")
    if workspace.scratch is not None:
        folder = workspace.scratch / "node_modules" / PLUGIN
        folder.mkdir(parents=True)
        source = files("lsp_clients.servers").joinpath("typescript_plugin.cjs").read_bytes()
        (folder / "index.js").write_bytes(source)
        (folder / "package.json").write_text(json.dumps({"name": PLUGIN, "main": "index.js"}), encoding="utf-8")
    return Launch(found.command, {**settings.environment, "TIELINE_TYPESCRIPT": str(found.folder)})


def initialization_options(settings: ServerSettings, workspace: Workspace) -> dict[str, Any]:
    """One tsserver with everything, no downloads, no typings fetched, our plugin alone."""
    typescript = find(settings).folder
    plugins = [{"name": PLUGIN, "location": str(workspace.scratch)}] if settings.settings.get("plugin", True) else []
    return {
        "disableAutomaticTypingAcquisition": True,
        "maxTsServerMemory": settings.settings.get("heap_mib", 3072),
        "plugins": plugins,
        "tsserver": {"path": str(typescript), "useSyntaxServer": "never"},
    }


class Initialized:
    """Ready with the answer to `initialize`: what takes time is loading the project, which is asked for."""

    ready = True
    files: int | None = None

    def observe(self, method: str, params: Any) -> None:
        """Nothing is waited for."""


def language_id(path: str) -> str:
    """The LSP language id of a path."""
    return _LANGUAGE_IDS.get(Path(path).suffix, "javascript")


ADAPTER = Adapter(
    name=NAME,
    languages=("typescript", "javascript"),
    method="textDocument/definition",
    opens_files=True,
    counts_bom=False,
    capabilities={},
    find=find,
    install=install,
    launch=launch,
    initialization_options=initialization_options,
    configuration=lambda section, settings, workspace: None,
    readiness=Initialized,
    language_id=language_id,
    open=open_project,
)

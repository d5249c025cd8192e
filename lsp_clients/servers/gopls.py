"""gopls, for Go.

One process for each build: GOOS, GOARCH and tags come with the workspace as settings (`env`, `buildFlags`) beside
what holds always (`configs/servers.toml`). gopls runs the `go` command of the PATH. It fetches nothing (GOPROXY=off),
switches to no other toolchain (GOTOOLCHAIN=local) and runs nothing of the repository: cgo reads C headers with the
compiler of the machine, under the rules that the go command has for flags in sources.

How it is asked, measured with v0.23.0 on 200 files of hugo 0.152 (below `tpl`), 34,165 sites (every reference),
64 in flight: processor seconds of the server, type-checking of all 846 files of the workspace, which it does by itself
after the start, included.

| request | seconds |
|---|---|
| definition, files not kept as packages of the workspace (`directoryFilters = ["-"]`) | 80.9 |
| definition, 4 MiB of files opened at a time | 38.0 |
| definition, 0.3 MiB opened at a time | 24.6 |
| definition, 0.5 MiB opened at a time, GOGC=400 | 18.8 |
| definition, 8 MiB opened at a time, GOGC=400 (used, with 2 MiB: it holds less) | 16.8 |

All of hugo, 141,232 sites: 135 processor seconds for a build, start included. `go vet` of the same files, its
dependencies compiled, had used 117 when it was stopped unfinished.

- Only packages with an open file keep their types between requests; for every other one they are made anew.
- What is left is mostly not the answer: a third of the time goes into the events that gopls keeps for its debug pages,
  which cannot be switched off, the rest into messages and the lines of the target's file.
- Other requests give no more at a time: calls by function leave out everything that is no call, references by
  definition go through every package that imports it.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from lsp_clients.adapter import Adapter, Found, Launch, Workspace
from lsp_clients.errors import InstallError, ServerMissingError
from lsp_clients.installing import managed_folder
from lsp_clients.servers.gopls_answers import answers
from lsp_clients.settings import ServerSettings

_INSTALL_SECONDS = 1800
_VERSION = re.compile(r"\bv(\d+\.\d+\.\d+\S*)")
_NEEDED = "gopls runs the go command, and go is not on the PATH: install Go (https://go.dev/dl)"
_PLATFORM = ("GOOS", "GOARCH")
"""Variables that must not change what is installed."""


def find(settings: ServerSettings) -> Found:
    """The configured command, else the managed installation of the pinned version, else the PATH.

    Raises ServerMissingError.
    """
    if settings.command:
        program = shutil.which(settings.command[0])
        if program is None:
            raise ServerMissingError(f"gopls: the configured command {settings.command[0]} is not there")
        return Found((program, *settings.command[1:]), "", "configured", None)
    if shutil.which("go") is None:
        raise ServerMissingError(_NEEDED)
    managed = managed_folder("gopls", settings.version) / "gopls"
    if managed.is_file():
        return Found((str(managed),), settings.version, "managed", None)
    if program := shutil.which("gopls"):
        return Found((program,), "", "path", None)
    raise ServerMissingError("gopls is not installed: run `tieline servers install gopls`")


def install(settings: ServerSettings, folder: Path) -> None:
    """Builds the pinned version into an empty folder with `go install`. Raises InstallError."""
    go = shutil.which("go")
    if go is None:
        raise InstallError(f"{_NEEDED}, then try again")
    own = {
        "GOBIN": str(folder),
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
        "GO111MODULE": "on",
        "GOFLAGS": "-buildvcs=false",
    }
    environment = {name: value for name, value in os.environ.items() if name not in _PLATFORM} | own
    command = [go, "install", *settings.package_names()]
    try:
        # In the folder itself: the go command reads a go.mod of the place that it is started from.
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{' '.join(command)}: {error}") from error
    if done.returncode != 0:
        last = "\n".join(done.stderr.strip().splitlines()[-8:])
        raise InstallError(
            f"{' '.join(command)} ended with code {done.returncode}. It needs the network, and a Go that is new "
            f"enough for this version of gopls:\n{last}"
        )
    if not (folder / "gopls").is_file():
        raise InstallError("go installed something that is not gopls: there is no such program")


def launch(found: Found, settings: ServerSettings, workspace: Workspace) -> Launch:
    """The process has the environment that its go commands have; it sends nothing anywhere about its use."""
    own = cast("Mapping[str, Any] | None", configuration("gopls", settings, workspace))
    variables: Mapping[str, Any] = own.get("env", {}) if own is not None else {}
    environment = {**settings.environment, **{name: str(value) for name, value in variables.items()}}
    if workspace.scratch is not None:
        # golang.org/x/telemetry looks for its mode below os.UserConfigDir; the go command's own settings stay in place.
        mode = workspace.scratch / "go/telemetry/mode"
        mode.parent.mkdir(parents=True, exist_ok=True)
        mode.write_text("off\n", encoding="utf-8")
        environment |= {"XDG_CONFIG_HOME": str(workspace.scratch)}
        environment.setdefault("GOENV", os.environ.get("GOENV") or str(_user_configuration() / "go/env"))
    return Launch(found.command, environment)


def _user_configuration() -> Path:
    """os.UserConfigDir of Go's standard library, where Unix systems other than macOS have it."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def configuration(section: str, settings: ServerSettings, workspace: Workspace) -> Any:
    """The answer for one section; gopls asks for its own name alone."""
    return settings.settings.get(section)


def version_of(given: str) -> str:
    """The version in what gopls calls its own, which is build information as JSON; '' for a build from a checkout."""
    try:
        main: Any = json.loads(given)["Main"]["Version"]
    except (ValueError, LookupError, TypeError):
        main = given
    match = _VERSION.search(str(main))
    return match[1] if match else ""


class GoplsReadiness:
    """Ready once the progress that it reports of loading the workspace has ended.

    Measured: an answer before that is an error or none at all.
    """

    def __init__(self) -> None:
        self._token: Any = None
        self._loaded = False
        self.files = None

    @property
    def ready(self) -> bool:
        return self._loaded

    def observe(self, method: str, params: Any) -> None:
        if method != "$/progress":
            return
        value = params["value"]
        if value["kind"] == "begin" and value.get("title") == "Setting up workspace":
            self._token = params["token"]
        elif value["kind"] == "end" and self._token is not None and params["token"] == self._token:
            self._loaded = True


ADAPTER = Adapter(
    name="gopls",
    languages=("go",),
    method="textDocument/definition",
    opens_files=True,
    counts_bom=True,
    capabilities={},
    find=find,
    install=install,
    launch=launch,
    initialization_options=lambda settings, workspace: settings.settings.get("gopls"),
    configuration=configuration,
    readiness=GoplsReadiness,
    language_id=lambda path: "go",
    version_of=version_of,
    bulk=answers,
)

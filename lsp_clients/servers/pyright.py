"""pyright, for Python.

One process per interpreter. How it is asked, measured with 1.1.414 on 150 files spread evenly over django 5.2, 8,555
sites (every callee and every imported name): processor time of the server as a multiple of that of pyright's own
check of the same files.

| request | times the check |
|---|---|
| definition, files not opened | 3.9 |
| declaration, files not opened: it maps stubs to sources all the same, then filters | 3.6 |
| definition, all files opened first | 2.9 |
| definition, external stubs not mapped, files not opened | 1.7 |
| definition, external stubs not mapped, all files opened first, pull diagnostics (used) | 0.9 |

All five give the same answers for the 4,025 sites that lead into the repository. On all 883 files (41,502 sites) the
way used took 0.8 times the check, with this client's own time 0.9.

- A file that is not open is tokenized again for every request; one that is open keeps its tokens.
- Mapping a stub's declaration to its source searches every import and every stub package, and for builtins walks the
  import graph. The launcher switches that off for stubs outside the repository; answers in the repository are the same.
- Opened files are checked unless the client has pull diagnostics, which pyright believes only with
  `dynamicRegistration`.
"""

import json
import re
import shutil
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, cast

from lsp_clients.adapter import Adapter, Found, Launch, Workspace
from lsp_clients.errors import InstallError, ServerMissingError
from lsp_clients.installing import managed_folder, npm_install
from lsp_clients.settings import ServerSettings

_LAUNCHER = "pyright_launcher.cjs"
_FOUND_FILES = re.compile(r"\bFound (\d+) source files?\b")
_NO_FILES = re.compile(r"\bNo source files found\b")
_NOTE = re.compile(r"^tieline: (.*)$", re.MULTILINE)


def find(settings: ServerSettings) -> Found:
    """The configured command, else the managed installation of the pinned version, else the PATH.

    What a user wrote down comes first; the pin comes before whatever happens to be on the PATH.
    Raises ServerMissingError.
    """
    if settings.command:
        program = shutil.which(settings.command[0])
        if program is None:
            raise ServerMissingError(f"pyright: the configured command {settings.command[0]} is not there")
        return Found((program, *settings.command[1:]), "", "configured", None)
    node = shutil.which("node")
    if node is None:
        raise ServerMissingError("pyright runs on Node.js, and node is not on the PATH: install Node.js 20 or newer")
    managed = managed_folder("pyright", settings.version) / "node_modules/pyright"
    if (managed / "langserver.index.js").is_file():
        return _found(node, managed, "managed")
    if program := shutil.which("pyright-langserver"):
        script = Path(program).resolve()
        # npm links the script itself; any other file of that name is some wrapper, started as it is.
        if script.name == "langserver.index.js":
            return _found(node, script.parent, "path")
        return Found((program, "--stdio"), "", "path", None)
    raise ServerMissingError("pyright is not installed: run `tieline servers install pyright`")


def _found(node: str, package: Path, origin: str) -> Found:
    return Found((node, str(package / "langserver.index.js"), "--stdio"), _version(package), origin, package)


def _version(package: Path) -> str:
    try:
        manifest = json.loads((package / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ServerMissingError(f"the pyright in {package} is broken: {error}") from error
    return str(cast(Mapping[str, object], manifest).get("version", "")) if isinstance(manifest, dict) else ""


def install(settings: ServerSettings, folder: Path) -> None:
    """Installs the pinned version into an empty folder. Raises InstallError."""
    npm_install(settings.package_names(), folder)
    if not (folder / "node_modules/pyright/langserver.index.js").is_file():
        raise InstallError("npm installed something that is not pyright: it has no langserver.index.js")


def launch(found: Found, settings: ServerSettings, workspace: Workspace) -> Launch:
    """Node with our heap limits; through the launcher when external stubs are not to be mapped."""
    if found.folder is None:
        return Launch(found.command, settings.environment)
    node, script, *rest = found.command
    environment = dict(settings.environment)
    if not settings.settings.get("map_external_stubs", False):
        with as_file(files("lsp_clients.servers").joinpath(_LAUNCHER)) as launcher:
            # Our wheels are always unpacked, so this is a real file that stays.
            script = str(launcher)
        environment |= {"TIELINE_PYRIGHT": str(found.folder), "TIELINE_ROOT": str(workspace.root)}
    flags = [
        f"--{flag}={settings.settings[key]}"
        for key, flag in (("heap_mib", "max-old-space-size"), ("semi_space_mib", "max-semi-space-size"))
        if key in settings.settings
    ]
    return Launch((node, *flags, script, *rest), environment)


def configuration(section: str, settings: ServerSettings, workspace: Workspace) -> Any:
    """The answer for one section: `python` has the interpreter, the rest is data."""
    value: Any = settings.settings
    for key in section.split("."):
        if not isinstance(value, Mapping):
            return None
        value = cast(Mapping[str, Any], value).get(key)
    if section == "python" and isinstance(value, Mapping) and workspace.interpreter is not None:
        return {**cast(Mapping[str, Any], value), "pythonPath": str(workspace.interpreter)}
    return cast(Any, value)


class PyrightReadiness:
    """Ready once it has logged how many source files it found, which it does after reading its configuration."""

    def __init__(self) -> None:
        self._configured = False
        self._files: int | None = None

    @property
    def ready(self) -> bool:
        return self._configured and self._files is not None

    @property
    def files(self) -> int | None:
        return self._files

    def observe(self, method: str, params: Any) -> None:
        if method == "workspace/configuration":
            self._configured = True
        elif method == "window/logMessage":
            message = str(params["message"])
            if match := _FOUND_FILES.search(message):
                self._files = int(match[1])
            elif _NO_FILES.search(message):
                self._files = 0


ADAPTER = Adapter(
    name="pyright",
    languages=("python",),
    method="textDocument/definition",
    opens_files=True,
    counts_bom=True,
    capabilities={
        "textDocument": {
            "diagnostic": {"dynamicRegistration": True},
            # With it, a definition is the source alone where a stub lies beside it.
            "declaration": {"linkSupport": False},
        }
    },
    find=find,
    install=install,
    launch=launch,
    initialization_options=lambda settings, workspace: {},
    configuration=configuration,
    readiness=PyrightReadiness,
    language_id=lambda path: "python",
    notes=lambda stderr: tuple(_NOTE.findall(stderr)),
)

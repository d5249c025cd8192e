"""rust-analyzer, for Rust.

One process for each cargo workspace with its features, target and cfgs, which come with the workspace as settings
(`configs/servers.toml` has what holds always). It asks cargo and rustc about the workspace, offline; the lock file it
works on is a copy. Nothing of the repository is run unless the settings switch build scripts and procedural macros on:
wrappers and compilers that its `.cargo/config.toml` names are overruled, and the toolchain is an installed one,
whatever its `rust-toolchain.toml` says.

How it is asked: by `textDocument/definition` for each site, files not opened, while a formatting that sleeps keeps the
server from cleaning up in every pause (see rust_analyzer_answers.py). Measured with 1.97.1, processor seconds of the
server for all 40,635 sites of ripgrep 15 with its libraries (98 files), and for 16,251 sites of 40 files of
rust-analyzer's own sources. A fresh `cargo check` of the first, dependencies, tests and examples included, takes 26.

| request | ripgrep | rust-analyzer |
|---|---|---|
| definition | 30 | 28 |
| definition, all files opened first | 36 | |
| definition, kept from cleaning up (used) | 13 | 10 |
| `rust-analyzer scip`, loading and output included | 19 | ended by a panic |

The answers are the same for the first three. `rust-analyzer scip`, one run for a whole
workspace, would spare the messages, but is no way to ask about code that is not trusted: measured with 1.97.1, it runs
build scripts and loads procedural macros whatever its configuration says (`load_out_dirs_from_check` is fixed in it),
a panic in one place of the code (in ra_ap_hir 0.0.352) ends the run without any output, where a request fails alone,
and of two definitions with one symbol it does not say which is meant.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from lsp_clients.adapter import Adapter, Found, Launch, Ready, Workspace
from lsp_clients.errors import NotReadyError, ServerMissingError
from lsp_clients.installing import managed_folder
from lsp_clients.servers.rust_analyzer_answers import answers
from lsp_clients.servers.rust_analyzer_install import install, installed
from lsp_clients.session import open_connected
from lsp_clients.settings import ServerSettings

NAME = "rust-analyzer"
_NEEDED = "rust-analyzer asks cargo and rustc, and {} is not on the PATH: install Rust (https://rustup.rs)"
_SLEEP = ("sleep", "1000000")
_ASK_SECONDS = 30
_VERSION = re.compile(r"\d+\.\d+\.\d+\S*")
_CHANNEL = re.compile(r"""^\s*channel\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)


def find(settings: ServerSettings) -> Found:
    """The configured command, else the managed installation, else that of rustup's toolchain, else the PATH.

    Raises ServerMissingError.
    """
    for program in ("cargo", "rustc"):
        if shutil.which(program) is None:
            raise ServerMissingError(_NEEDED.format(program))
    if settings.command:
        program = shutil.which(settings.command[0])
        if program is None:
            raise ServerMissingError(f"{NAME}: the configured command {settings.command[0]} is not there")
        return Found((program, *settings.command[1:]), "", "configured", None)
    folder = managed_folder(NAME, settings.version)
    if (managed := installed(folder)) is not None:
        return Found(managed.command, managed.version, "managed", folder)
    if (program := _of_toolchain() or _of_path()) is not None:
        return Found((program,), version_of(_asked((program, "--version")).removeprefix(f"{NAME} ")), "path", None)
    raise ServerMissingError(f"{NAME} is not installed: run `tieline servers install {NAME}`")


def _of_toolchain() -> str | None:
    rustup = shutil.which("rustup")
    return None if rustup is None else _asked((rustup, "which", NAME)) or None


def _of_path() -> str | None:
    """A program of the PATH that works: rustup puts a link there that only says that the server is missing."""
    program = shutil.which(NAME)
    return program if program is not None and _asked((program, "--version")) else None


@lru_cache(maxsize=64)
def _asked(command: tuple[str, ...], folder: str = "/") -> str:
    """A program's output; '' when it fails."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=_ASK_SECONDS, check=False, errors="replace",
            env={**os.environ, "RUSTUP_AUTO_INSTALL": "0"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def forget() -> None:
    """Ask the programs of this machine anew: their answers are kept."""
    _asked.cache_clear()


def toolchain(root: Path) -> tuple[str, str]:
    """(name of the installed toolchain that a workspace is read with, a note or ''); ('', '') without rustup.

    The one that the repository asks for when it is installed, else the user's own. (The rustup book, "Overrides"; its
    `path` names a folder of programs, which is not followed.)
    """
    rustup = shutil.which("rustup")
    if rustup is None:
        return "", ""
    own = os.environ.get("RUSTUP_TOOLCHAIN") or _asked((rustup, "show", "active-toolchain")).split(" ")[0]
    wanted = _wanted_channel(root)
    if not wanted or own == wanted or own.startswith(wanted + "-"):
        return own, ""
    names = [line.split(" ")[0] for line in _asked((rustup, "toolchain", "list")).splitlines()]
    fitting = [name for name in names if name == wanted or name.startswith(wanted + "-")]
    if fitting:
        return fitting[0], ""
    return own, f"the repository asks for the toolchain {wanted}, which is not installed: {own} is used"


def _wanted_channel(root: Path) -> str:
    for folder in (root, *root.parents):
        for name in ("rust-toolchain", "rust-toolchain.toml"):
            try:
                text = (folder / name).read_text("utf-8", "replace")
            except OSError:
                continue
            if match := _CHANNEL.search(text):
                return match[1]
            # The older form is a file that holds the name alone.
            words = text.split()
            return words[0] if len(words) == 1 and re.fullmatch(r"[\w.-]+", words[0]) else ""
    return ""


def _is_trusted(settings: ServerSettings) -> bool:
    value: Any = settings.settings
    for key in ("cargo", "buildScripts", "enable"):
        value = cast(Mapping[str, Any], value).get(key) if isinstance(value, Mapping) else None
    return value is True


def launch(found: Found, settings: ServerSettings, workspace: Workspace) -> Launch:
    """The process has the environment that cargo and rustc run with."""
    environment = {"CARGO_NET_OFFLINE": "true", "RUSTUP_AUTO_INSTALL": "0", **settings.environment}
    chosen, _ = toolchain(workspace.root)
    if chosen:
        environment["RUSTUP_TOOLCHAIN"] = chosen
    if not _is_trusted(settings):
        # They come before what the repository's `.cargo/config.toml` says (the cargo book, "Configuration").
        environment |= {"RUSTC_WRAPPER": "", "RUSTC_WORKSPACE_WRAPPER": "", "RUSTC": shutil.which("rustc") or "rustc"}
    return Launch(found.command, environment)


def options(settings: ServerSettings, workspace: Workspace) -> dict[str, Any]:
    """The settings as the server reads them, with what depends on the machine and the workspace."""
    own = dict(settings.settings)
    own["linkedProjects"] = [str(workspace.root / "Cargo.toml")]
    cargo = dict(cast(Mapping[str, Any], own.get("cargo", {})))
    if "sysrootSrc" not in cargo and (source := _sysroot_source(settings, workspace)) is not None:
        cargo["sysrootSrc"] = str(source)
    if workspace.scratch is not None and _is_trusted(settings):
        # Build scripts write; they need not do it in the repository.
        cargo["targetDir"] = str(workspace.scratch / "target")
    own["cargo"] = cargo
    # What `answers` keeps the server occupied with.
    own["rustfmt"] = {"overrideCommand": list(_SLEEP)}
    return own


def _sysroot_source(settings: ServerSettings, workspace: Workspace) -> Path | None:
    """The sources of the standard library to read: those that were installed along with the server, or the toolchain's.

    The first have what they depend on beside them. The toolchain's cannot be resolved offline, and then the server
    would read them without any dependency, not even of `std` on `core`. A folder of links without their `Cargo.toml`
    makes it join the crates by its own knowledge of them.
    """
    managed = installed(managed_folder(NAME, settings.version))
    if managed is not None and managed.sysroot_source is not None:
        return managed.sysroot_source
    library = _toolchain_library(workspace.root)
    if library is None or workspace.scratch is None:
        return library
    view = workspace.scratch / "rust/library"
    if not view.is_dir():
        view.mkdir(parents=True)
        for entry in library.iterdir():
            if entry.is_dir():
                (view / entry.name).symlink_to(entry)
    return view


def _toolchain_library(root: Path) -> Path | None:
    chosen, _ = toolchain(root)
    rustc = shutil.which("rustc") or "rustc"
    command = (rustc, f"+{chosen}", "--print", "sysroot") if chosen else (rustc, "--print", "sysroot")
    library = Path(_asked(command)) / "lib/rustlib/src/rust/library"
    return library if library.is_dir() else None


class RustAnalyzerReadiness:
    """Ready when it is quiescent again after it was not: it says so once before it begins to load, too."""

    def __init__(self) -> None:
        self._began = False
        self._ready = False
        self.health = "ok"
        self.message = ""
        self.files = None

    @property
    def ready(self) -> bool:
        return self._ready

    def observe(self, method: str, params: Any) -> None:
        if method != "experimental/serverStatus":
            return
        self.health, self.message = str(params["health"]), str(params.get("message") or "").strip()
        if not params["quiescent"]:
            self._began = True
        # Where the workspace cannot be loaded there is no loading either.
        elif self._began or self.health == "error":
            self._ready = True


@asynccontextmanager
async def open_checked(adapter: Adapter, settings: ServerSettings, workspace: Workspace) -> AsyncGenerator[Ready]:
    """A session, with what the server says about the state of the workspace among its notes.

    Raises NotReadyError where it could not load the workspace, and what `open_session` does.
    """
    watched: list[RustAnalyzerReadiness] = []

    def readiness() -> RustAnalyzerReadiness:
        watched.append(RustAnalyzerReadiness())
        return watched[-1]

    async with open_connected(replace(adapter, readiness=readiness), settings, workspace, None) as session:
        status = watched[-1]
        if status.health == "error":
            told = _causes(session.connection.stderr_tail()) or status.message
            raise NotReadyError(f"{NAME} cannot load {workspace.root / 'Cargo.toml'}: {told}")
        notes = [_shortened(status.message)] if status.message else []
        notes.append(toolchain(workspace.root)[1])
        if "sysrootSrc" not in settings.settings.get("cargo", {}) and _sysroot_source(settings, workspace) is None:
            notes.append(
                "the sources of the standard library are not installed, so what leads there is not known: "
                f"`rustup component add rust-src`, or `tieline servers install {NAME}`"
            )
        session.info = replace(session.info, notes=(*session.info.notes, *filter(None, notes)))
        yield session


def _causes(stderr: str) -> str:
    """What cargo said, of a log of everything."""
    lines = [line.strip() for line in stderr.splitlines()]
    found = [line for line in lines if line.startswith(("error:", "Caused by", "required by", "-->"))]
    return " ".join(dict.fromkeys(found))[:600]


def _shortened(message: str) -> str:
    return " ".join(message.split())[:600]


def version_of(given: str) -> str:
    """Without the commit and its date."""
    match = _VERSION.match(given)
    return match[0] if match else ""


ADAPTER = Adapter(
    name=NAME,
    languages=("rust",),
    method="textDocument/definition",
    opens_files=False,
    counts_bom=True,
    capabilities={"experimental": {"serverStatusNotification": True}},
    find=find,
    install=install,
    launch=launch,
    initialization_options=options,
    configuration=lambda section, settings, workspace: options(settings, workspace) if section == NAME else None,
    readiness=RustAnalyzerReadiness,
    language_id=lambda path: "rust",
    version_of=version_of,
    bulk=answers,
    open=open_checked,
)

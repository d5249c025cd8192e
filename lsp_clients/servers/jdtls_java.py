"""What jdtls runs on and what is added to it: a JDK that is new enough, and our extension compiled for it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from lsp_clients.errors import InstallError, ServerMissingError
from lsp_clients.installing import install_managed

NEWEST_NEEDED = 21
"""The feature version that jdtls 1.59 needs to run: under an older one `initialize` is never answered."""

_FOLDERS = (
    "/usr/lib/jvm/*",
    "/usr/java/*",
    "/opt/java/*",
    "/opt/jdk*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
    "/usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
    "~/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "~/.sdkman/candidates/java/*",
    "~/.jdks/*",
    "~/.asdf/installs/java/*",
    "~/.local/share/mise/installs/java/*",
    "C:/Program Files/Java/*",
    "C:/Program Files/Eclipse Adoptium/*",
)
"""Where package managers and version managers put JDKs."""
_VERSION = re.compile(r'^JAVA_VERSION="(\d+)', re.MULTILINE)
_COMPILE_SECONDS = 120
_MANIFEST = "META-INF/MANIFEST.MF"


class Jdk(NamedTuple):
    """A Java installation."""

    home: Path
    version: int
    """Its feature version: 21, 25, ..."""

    @property
    def java(self) -> Path:
        """The program that runs Java."""
        return self.home / "bin" / ("java.exe" if os.name == "nt" else "java")


def find_jdk(configured: str) -> Jdk:
    """The JDK to run the server: the configured folder, else `JAVA_HOME`, else the newest that is found.

    Versions are read from the `release` file that every JDK has; nothing is run. Raises ServerMissingError.
    """
    if configured:
        jdk = _jdk(Path(configured).expanduser())
        if jdk is None or jdk.version < NEWEST_NEEDED:
            raise ServerMissingError(
                f"jdtls: the configured java_home {configured} is no Java of version {NEWEST_NEEDED} or newer"
            )
        return jdk
    found = list(dict.fromkeys(_jdks()))
    usable = [jdk for jdk in found if jdk.version >= NEWEST_NEEDED]
    home = os.environ.get("JAVA_HOME", "")
    for jdk in usable:
        if home and jdk.home == Path(home).resolve():
            return jdk
    if usable:
        return max(usable, key=lambda jdk: (jdk.version, str(jdk.home)))
    seen = ", ".join(sorted({f"{jdk.version} in {jdk.home}" for jdk in found})) or "none"
    raise ServerMissingError(
        f"jdtls runs on Java {NEWEST_NEEDED} or newer, and there is none (found: {seen}): install a JDK"
        f" {NEWEST_NEEDED} or newer beside that of the project, or set JAVA_HOME, or java_home of [jdtls.settings]"
    )


def _jdks() -> Iterator[Jdk]:
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    if program := shutil.which("java"):
        homes.append(Path(program).resolve().parent.parent)
    for pattern in _FOLDERS:
        path = Path(pattern).expanduser()
        anchor = Path(path.anchor)
        homes += sorted(anchor.glob(str(path.relative_to(anchor)))) if path.anchor else []
    for home in homes:
        if (jdk := _jdk(home)) is not None:
            yield jdk


def _jdk(home: Path) -> Jdk | None:
    try:
        match = _VERSION.search((home / "release").read_text("utf-8", "replace"))
    except OSError:
        return None
    if match is None:
        return None
    jdk = Jdk(home.resolve(), int(match[1]))
    return jdk if jdk.java.is_file() else None


def bundle(installation: Path, jdk: Jdk) -> Path:
    """Our extension as a jar for this installation; compiled into the managed folder when it is not there yet.

    The compiler is the one that jdtls itself is made of, so a Java runtime is enough. Raises InstallError.
    """
    plugins = installation / "plugins"
    with as_file(files("lsp_clients.servers").joinpath("jdtls_bundle")) as sources:
        inputs = sorted(path for path in sources.rglob("*") if path.suffix in (".java", ".xml", ".MF"))
        key = hashlib.sha256()
        for path in inputs:
            key.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        for jar in sorted(plugins.glob("org.eclipse.jdt.*.jar")):
            key.update(jar.name.encode() + b"\0")
        folder = install_managed(
            "jdtls-extension", key.hexdigest()[:16], lambda empty: _compile(plugins, jdk, sources, empty)
        )
    return folder / "tieline.jar"


def _compile(plugins: Path, jdk: Jdk, sources: Path, folder: Path) -> None:
    compiler = sorted(plugins.glob("org.eclipse.jdt.core.compiler.batch_*.jar"))
    if not compiler:
        raise InstallError(f"{plugins} has no org.eclipse.jdt.core.compiler.batch: this is no jdtls that is known")
    jars = [*sorted(plugins.glob("*.jar")), *sorted(plugins.glob("org.eclipse.m2e.maven.runtime_*/jars/*.jar"))]
    classes = folder / "classes"
    command = [
        str(jdk.java), "-cp", str(compiler[-1]), "org.eclipse.jdt.internal.compiler.batch.Main",
        "--release", str(NEWEST_NEEDED), "-encoding", "UTF-8", "-nowarn", "-proc:none", "-d", str(classes),
        "-classpath", os.pathsep.join(map(str, jars)), str(sources / "src"),
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_COMPILE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"the extension of jdtls cannot be compiled: {error}") from error
    if done.returncode != 0:
        last = "\n".join((done.stderr or done.stdout).strip().splitlines()[-20:])
        raise InstallError(f"the extension of jdtls cannot be compiled against {plugins}:\n{last}")
    with zipfile.ZipFile(folder / "tieline.jar", "w") as jar:
        # The manifest comes first (JAR file specification, JarInputStream).
        jar.write(sources / "MANIFEST.MF", _MANIFEST)
        jar.write(sources / "plugin.xml", "plugin.xml")
        for path in sorted(classes.rglob("*.class")):
            jar.write(path, path.relative_to(classes).as_posix())
    shutil.rmtree(classes)

"""Installing pinned servers into a folder of our own.

A server lies in `<servers folder>/<name>-<version>`. It is built beside that place and renamed into it, so what is
there is whole; a second installation finds it and does nothing.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from lsp_clients.errors import InstallError

_NPM_SECONDS = 600


def servers_folder() -> Path:
    """`TIELINE_SERVERS_DIR`, or `tieline/servers` in the XDG data folder (XDG Base Directory, XDG_DATA_HOME)."""
    if own := os.environ.get("TIELINE_SERVERS_DIR"):
        return Path(own).expanduser().absolute()
    # The specification: a relative XDG_DATA_HOME is invalid and ignored.
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (data if data.is_absolute() else Path.home() / ".local/share") / "tieline/servers"


def managed_folder(name: str, version: str) -> Path:
    """Where a server of this version is, or would be, installed."""
    return servers_folder() / f"{name}-{version}"


def install_managed(name: str, version: str, build: Callable[[Path], None]) -> Path:
    """Installs unless it is there; `build` fills an empty folder. Gives the folder.

    Raises InstallError, also when `build` does; then nothing is left behind.
    """
    target = managed_folder(name, version)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.parent / f".{target.name}.lock"):
            if target.is_dir():
                return target
            beside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
            try:
                build(beside)
                beside.chmod(0o755)
                beside.rename(target)
            finally:
                shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise InstallError(f"{target} cannot be written: {error}") from error
    return target


def npm_install(packages: tuple[str, ...], folder: Path) -> None:
    """Installs npm packages into a folder. Raises InstallError with npm's own words."""
    npm = shutil.which("npm")
    if npm is None:
        raise InstallError("npm is not on the PATH: install Node.js 20 or newer (https://nodejs.org), then try again")
    command = [npm, "install", "--prefix", str(folder), "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        # In the folder itself: npm reads a package.json of the place that it is started from.
        done = subprocess.run(
            [*command, *packages], cwd=folder, capture_output=True, text=True, timeout=_NPM_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"npm install {' '.join(packages)}: {error}") from error
    if done.returncode != 0:
        last = "\n".join((done.stderr or done.stdout).strip().splitlines()[-8:])
        raise InstallError(
            f"npm install {' '.join(packages)} ended with code {done.returncode}. "
            f"It needs the network, and the registry that npm is set up for:\n{last}"
        )

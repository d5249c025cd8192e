"""What language servers run on and read: which of it is on this machine, and what to do where it is not."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import NamedTuple

_SECONDS = 20
_VERSION = re.compile(r"(\d+)\.(\d+)")


class Toolchain(NamedTuple):
    """A program that some servers need."""

    name: str
    command: tuple[str, ...]
    """Prints its version."""
    minimum: tuple[int, int]
    servers: tuple[str, ...]
    purpose: str
    hint: str
    """What to do where it is missing or too old."""


TOOLCHAINS = (
    Toolchain(
        "Node.js", ("node", "--version"), (20, 0), ("pyright", "typescript-language-server"), "runs the server",
        "install Node.js 20 or newer (https://nodejs.org) and put `node` on the PATH",
    ),
    Toolchain(
        "Go", ("go", "version"), (1, 21), ("gopls",), "builds gopls, and tells it how packages are built",
        "install Go 1.21 or newer (https://go.dev/dl) and put `go` on the PATH",
    ),
    Toolchain(
        "Cargo", ("cargo", "--version"), (1, 70), ("rust-analyzer",), "describes the crates to rust-analyzer",
        "install Rust with rustup (https://rustup.rs) and put `cargo` on the PATH",
    ),
    Toolchain(
        "Python", ("python3", "--version"), (3, 8), ("pyright",), "says where installed packages are",
        "put `python3` on the PATH, or name one with `tieline resolve --python`",
    ),
)  # fmt: skip
"""A JDK is not among them: which one jdtls runs on, and why none will do, is said by the server itself."""


class Finding(NamedTuple):
    """How things are with a toolchain."""

    good: bool
    message: str


def look_at(toolchain: Toolchain) -> Finding:
    """Whether a toolchain is there and new enough. Runs nothing but the program of the PATH itself."""
    program = shutil.which(toolchain.command[0])
    if program is None:
        return Finding(False, f"{toolchain.command[0]} is not on the PATH; it {toolchain.purpose}")
    try:
        done = subprocess.run(
            [program, *toolchain.command[1:]], cwd="/", capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding(False, f"{program} cannot be run: {error}")
    match = _VERSION.search(done.stdout)
    if done.returncode != 0 or match is None:
        said = (done.stderr or done.stdout).strip().splitlines()
        return Finding(False, f"{program} does not say its version: {said[0] if said else 'nothing'}")
    version = int(match[1]), int(match[2])
    shown = ".".join(map(str, version))
    if version < toolchain.minimum:
        needed = ".".join(map(str, toolchain.minimum))
        return Finding(False, f"{program} is {shown}, {needed} or newer is needed; it {toolchain.purpose}")
    return Finding(True, f"{shown}, {program}")

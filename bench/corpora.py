"""The real projects that are measured: fetched once through the ordinary clients, pinned by hash."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path


class CorpusError(RuntimeError):
    """A corpus that cannot be had; the message says why and what to do."""


@dataclass(frozen=True)
class Corpus:
    """One project of `configs/corpora.toml`."""

    key: str
    language: str
    registry: str
    name: str
    version: str
    sha256: str
    """Of the archive as the registry serves it, hexadecimal."""


def corpora() -> dict[str, Corpus]:
    """All corpora by key."""
    text = resources.files("configs").joinpath("corpora.toml").read_text("utf-8")
    return {key: Corpus(key, **row) for key, row in tomllib.loads(text).items()}


def folder() -> Path:
    """Where corpora are kept: `TIELINE_BENCH_DIR`, else the user's cache folder."""
    named = os.environ.get("TIELINE_BENCH_DIR")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tieline" / "corpora"


def fetch(corpus: Corpus) -> Path:
    """The unpacked project; fetched unless it is there. Raises CorpusError."""
    target = folder() / f"{corpus.key}-{corpus.version}"
    if target.is_dir():
        return target
    if corpus.registry != "pypi":
        raise CorpusError(f"{corpus.key}: no client is known for the registry {corpus.registry!r}")
    folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder()) as scratch:
        archive = _download(corpus, Path(scratch))
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != corpus.sha256:
            raise CorpusError(f"{corpus.key}: {archive.name} has SHA-256 {found}, {corpus.sha256} was expected")
        unpacked = Path(scratch) / "unpacked"
        with tarfile.open(archive) as packed:
            packed.extractall(unpacked, filter="data")
        inner = list(unpacked.iterdir())
        shutil.move(inner[0] if len(inner) == 1 else unpacked, target)
    return target


def _download(corpus: Corpus, scratch: Path) -> Path:
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", corpus.name,
        "--dest", str(scratch), f"{corpus.name}=={corpus.version}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, timeout=600, check=False)
    archives = sorted(scratch.glob("*.tar.gz"))
    if done.returncode or not archives:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no archive"]
        raise CorpusError(f"{corpus.key}: pip could not download {corpus.name}=={corpus.version}: {reason[0]}")
    return archives[0]

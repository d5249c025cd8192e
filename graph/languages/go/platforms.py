"""The builds that Go knows: operating systems, architectures, and the pairs that its toolchain can build for.

Sources: `go tool dist list` (pairs), package internal/syslist (names that count in file names), package go/build (tags
that follow from an operating system).
"""

from __future__ import annotations

from typing import Final

_PAIRS: Final = """
aix/ppc64 android/386 android/amd64 android/arm android/arm64 darwin/amd64 darwin/arm64 dragonfly/amd64 freebsd/386
freebsd/amd64 freebsd/arm freebsd/arm64 illumos/amd64 ios/amd64 ios/arm64 js/wasm linux/386 linux/amd64 linux/arm
linux/arm64 linux/loong64 linux/mips linux/mips64 linux/mips64le linux/mipsle linux/ppc64 linux/ppc64le linux/riscv64
linux/s390x netbsd/386 netbsd/amd64 netbsd/arm netbsd/arm64 openbsd/386 openbsd/amd64 openbsd/arm openbsd/arm64
openbsd/ppc64 openbsd/riscv64 plan9/386 plan9/amd64 plan9/arm solaris/amd64 wasip1/wasm windows/386 windows/amd64
windows/arm64
"""

PLATFORMS: Final = tuple((pair.partition("/")[0], pair.partition("/")[2]) for pair in _PAIRS.split())
"""(GOOS, GOARCH) pairs that can be built."""

SYSTEMS: Final = frozenset(
    "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows "
    "zos".split()
)
"""GOOS values that count in file names and constraints, those of the past and of the future among them."""

ARCHITECTURES: Final = frozenset(
    "386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 "
    "ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm".split()
)
"""GOARCH values, likewise."""

UNIX: Final = frozenset("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris".split())
"""Operating systems that satisfy the tag `unix`."""

ALSO: Final = {"android": "linux", "illumos": "solaris", "ios": "darwin"}
"""Operating systems that satisfy a second operating system's tag."""

STANDARD_ROOTS: Final = frozenset(
    "archive bufio builtin bytes cmp compress container context crypto database debug embed encoding errors expvar "
    "flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime "
    "slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak".split()
)
"""First path elements of the packages of the standard library."""

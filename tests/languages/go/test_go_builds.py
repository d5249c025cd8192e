"""Build constraints (`go help buildconstraint`): variants stay apart; a file sees those it can be built with."""

import pytest

from graph.languages.go.constraints import compatible, file_constraint, satisfiable
from graph.model import Flag
from tests.languages.go.go_repository import check, definition, link, names


@pytest.mark.parametrize(
    ("path", "head", "constraint"),
    [
        ("a.go", "", ""),
        ("linux.go", "", ""),
        ("a_linux.go", "", "linux"),
        ("a_linux_test.go", "", "linux"),
        ("a_windows_amd64.go", "", "windows && amd64"),
        ("a_amd64.go", "", "amd64"),
        ("a_linux_extra.go", "", ""),
        ("amd64_linux.go", "", "linux"),
        ("x/y_js.go", "//go:build  !cgo\n\n", "js && !cgo"),
        ("a.go", "// Copyright\n\n//go:build (linux||darwin)&&!arm64 // why\n\n", "(linux || darwin) && !arm64"),
        ("a.go", "//go:build !(linux || (darwin && cgo))\n", "!(linux || darwin && cgo)"),
        ("a.go", "// +build linux,cgo darwin\n// +build !appengine\n\n", "(linux && cgo || darwin) && !appengine"),
        ("a.go", "//go:build unix\n// +build linux\n", "unix"),
        ("a.go", "//go:build linux &&\n", ""),
        ("a.go", "/* //go:build */\n", ""),
    ],
)
def test_the_constraint_of_a_file_in_its_normal_form(path: str, head: str, constraint: str) -> None:
    assert file_constraint(path, head.encode(), cgo=False) == constraint


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("unix", "!unix", False),
        ("unix", "windows", False),
        ("unix", "linux", True),
        ("linux", "android", True),
        ("linux && !android", "android", False),
        ("solaris", "illumos", True),
        ("linux", "darwin", False),
        ("amd64", "arm64", False),
        ("wasm", "!js", True),
        ("wasm", "!js && !wasip1", False),
        ("js", "amd64", False),
        ("integration", "!integration", False),
        ("integration", "slow || !fast", True),
        ("", "ignore", False),
        ("ignore", "ignore", True),
        ("gc", "gccgo", False),
        ("", "!go1.18", False),
        ("go1.99", "!go1.99", False),
        ("", "go1.99", True),
        ("nacl", "nacl", True),
        ("nacl", "linux", False),
    ],
)
def test_whether_two_constraints_can_hold_at_once(first: str, second: str, together: bool) -> None:
    assert compatible(first, second) is together


def test_constraints_that_no_build_meets() -> None:
    assert not satisfiable("linux && windows")
    assert not satisfiable("ignore")
    assert satisfiable("linux && !amd64 && custom")


def test_too_many_tags_to_try_count_as_compatible() -> None:
    tags = [f"tag{number}" for number in range(30)]
    assert compatible(" && ".join(tags), "!tag0")


TWINS = """
-- lock_unix.go --
//go:build unix

package twins

func lock() {}

type handle struct{ fd int }
-- lock_windows.go --
package twins

func lock() {}

type handle struct{ id int }
-- twins.go --
package twins

func Open(h handle) {
	lock()
	_ = h.common()
	_ = h.close()
}

func (h handle) common() int { return 0 }
-- close_unix.go --
//go:build unix

package twins

func (h handle) close() int { return h.fd }
-- close_windows.go --
package twins

func (h handle) close() int {
	lock()
	return h.id
}
"""


def test_a_file_of_every_build_has_all_variants_as_candidates() -> None:
    linked = link(TWINS)
    answer = linked.at("twins.go", 4, "lock")
    assert (answer.status, answer.reason) == ("ambiguous", "several-definitions")
    assert answer.targets == ("lock_unix.go:5:function:lock", "lock_windows.go:3:function:lock")
    assert linked.at("twins.go", 5, "common").targets == ("twins.go:9:method:handle.common",)
    close = linked.at("twins.go", 6, "close")
    assert (close.status, names(close)) == ("ambiguous", {"handle.close"})


def test_a_file_of_some_builds_sees_the_variants_of_these_alone() -> None:
    linked = link(TWINS)
    assert linked.at("close_windows.go", 4, "lock").targets == ("lock_windows.go:3:function:lock",)
    assert linked.at("close_windows.go", 5, "id").targets == ("lock_windows.go:5:field:handle.id",)
    assert linked.at("close_unix.go", 5, "fd").targets == ("lock_unix.go:7:field:handle.fd",)
    assert linked.at("close_unix.go", 5, "handle").targets == ("lock_unix.go:7:struct:handle",)


def test_variants_of_another_package() -> None:
    linked = check("""
-- go.mod --
module example.test/app
-- sys/sys_linux.go --
package sys

func Now() {} // @def Now as L
-- sys/sys_other.go --
//go:build !linux

package sys

func Now() {} // @def Now as O
-- a_darwin.go --
package main

import "example.test/app/sys"

func init() { sys.Now() } // @ref Now -> O
-- a_arm64_extra.go --
package main

import "example.test/app/sys"

func init() { sys.Now() }
-- a_linux_amd64.go --
package main

import "example.test/app/sys"

func init() { sys.Now() } // @ref Now -> L
""")
    assert linked.at("a_arm64_extra.go", 5, "Now").status == "ambiguous"


def test_definitions_carry_their_condition() -> None:
    linked = link(TWINS)
    fact = definition(linked, "lock_windows.go", "lock")
    assert (fact.condition, bool(fact.flags & Flag.CONDITIONAL)) == ("windows", True)
    plain = definition(linked, "twins.go", "Open")
    assert (plain.condition, bool(plain.flags & Flag.CONDITIONAL)) == ("", False)

"""Packages, module files and conditional compilation (Cargo book; reference, "Modules", "Conditional compilation")."""

import pytest

from graph.languages.rust.cargo import packages
from graph.languages.rust.conditions import compatible
from graph.link.world import Manifest
from graph.model import Flag
from tests.languages.rust.rust_repository import check, check_files, definition, link, manifest


def test_twins_stay_apart_and_are_told_by_the_condition_of_who_asks() -> None:
    linked = check("""
#[cfg(unix)] fn pick() -> u8 { 1 } // @def pick as UNIX
#[cfg(windows)] fn pick() -> u8 { 2 } // @def pick as WINDOWS
fn any() { pick(); } // @ref pick -> open
#[cfg(target_os = "windows")] fn one() { pick(); } // @ref pick -> WINDOWS
#[cfg(not(windows))] mod inner { fn two() { super::pick(); } } // @ref pick -> UNIX
""")
    answer = linked.at("src/lib.rs", 4, "pick")
    assert answer.status == "ambiguous"
    assert answer.targets == ("src/lib.rs:2:function:pick", "src/lib.rs:3:function:pick")
    twins = [fact for fact in linked.facts["src/lib.rs"].definitions if fact.name == "pick"]
    assert [fact.condition for fact in twins] == ["unix", "windows"]
    assert all(fact.flags & Flag.CONDITIONAL for fact in twins)


def test_twins_of_modules_impls_and_imports() -> None:
    check(
        """
#[cfg(feature = "a")] mod imp;
#[cfg(not(feature = "a"))] #[path = "other.rs"] mod imp;
fn any() { imp::f(); } // @ref f -> open
#[cfg(feature = "a")] fn one() { imp::f(); } // @ref f -> IMP
#[cfg(not(feature = "a"))] fn two() { imp::f(); } // @ref f -> OTHER
struct S;
#[cfg(feature = "a")] impl S { fn m(&self) {} } // @def m as MA
#[cfg(not(feature = "a"))] impl S { fn m(&self) {} } // @def m as MB
#[cfg(feature = "a")] fn three(s: S) { s.m(); } // @ref m -> MA
fn four(s: S) { s.m(); } // @ref m -> open
""",
        src__imp="pub fn f() {} // @def f as IMP\n",
        src__other="pub fn f() {} // @def f as OTHER\n",
    )


def test_items_inside_macros_that_only_add_conditions() -> None:
    linked = check("""
cfg_if::cfg_if! {
    if #[cfg(unix)] { pub fn f() {} } // @def f as UNIX
    else if #[cfg(windows)] { pub fn f() {} } // @def f as WINDOWS
    else { pub fn f() {} } // @def f as REST
}
#[cfg(unix)] fn one() { f(); } // @ref f -> UNIX
fn two() { f(); } // @ref f -> open
cfg_net! { pub struct Net; impl Net { pub fn go(&self) {} } } // @def go as GO
fn three(n: Net) { n.go(); } // @ref go -> GO
thread_local! { static LOCAL: Net = Net; } // @def LOCAL as LOCAL
fn four() { LOCAL.with(|n| n.go()); } // @ref LOCAL -> LOCAL; @ref with -> external; @ref go -> GO
""")
    conditions = [fact.condition for fact in linked.facts["src/lib.rs"].definitions if fact.name == "f"]
    assert conditions == ["unix", "all(not(unix), windows)", "all(not(unix), not(windows))"]
    assert definition(linked, "Net").condition == "cfg_net!"


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("unix", "windows", False),
        ("unix", "not(unix)", False),
        ('feature = "a"', 'feature = "b"', True),
        ('feature = "a"', 'not(feature="a")', False),
        ('target_os = "linux"', 'target_os = "macos"', False),
        ('target_os = "windows"', "unix", False),
        ('target_os = "windows"', "windows", True),
        ("any(unix, windows)", "not(unix)", True),
        ("all(unix, test)", "not(any(test, unix))", False),
        ("", "unix", True),
        ("cfg_net!", "unix", True),
        ("any(", "unix", True),
    ],
)
def test_whether_two_predicates_can_hold_in_one_build(first: str, second: str, together: bool) -> None:
    assert compatible((first, second)) is together


def test_module_files() -> None:
    check(
        """
mod a;
mod b { mod inner; pub mod direct { #[path = "x.rs"] pub mod moved; } fn f() { inner::f(); } } // @ref f#2 -> BI
fn run() {
    a::f(); // @ref f -> A
    a::c::f(); // @ref f -> C
    a::c::d::f(); // @ref f -> D
    b::direct::moved::f(); // @ref f -> X
    missing::f(); // @ref f -> open
}
mod missing;
""",
        src__a__mod="pub mod c; pub fn f() {} // @def f as A\n",
        src__a__c="pub mod d; pub fn f() { super::f(); crate::a::f(); } // @def f as C; @ref f#2 -> A; @ref f#3 -> A\n",
        src__a__c__d="pub fn f() { super::super::f(); } // @def f as D; @ref f#2 -> A\n",
        src__b__inner="pub fn f() {} // @def f as BI\n",
        src__b__direct__x="pub fn f() {} // @def f as X\n",
    )


def test_crates_of_a_package_and_of_a_workspace() -> None:
    check_files(
        {
            "Cargo.toml": """
[workspace]
members = ["*"]
[workspace.dependencies]
common = { path = "common-rs", package = "common-rs" }
""",
            "app/Cargo.toml": manifest("my-app", rest='[dependencies]\ncommon.workspace = true\nserde = "1"\n'),
            "app/src/lib.rs": "pub fn lib() {} // @def lib as LIB\n",
            "app/src/main.rs": """
mod util;
use common::shared as s; // @ref shared -> SHARED
use serde::Serialize; // @ref serde -> external; @ref Serialize -> external
fn main() {
    my_app::lib(); // @ref lib -> LIB
    util::help(); // @ref help -> HELP
    s(); // @ref s -> SHARED
    ::common::shared(); // @ref shared -> SHARED
    crate::main(); // @ref main -> MAIN
    nowhere::f(); // @ref f -> open
}
""".replace("fn main() {", "fn main() { // @def main as MAIN"),
            "app/src/util.rs": "pub fn help() {} // @def help as HELP\n",
            "app/tests/it.rs": """
mod helpers;
use my_app::lib;
#[test] fn t() { lib(); helpers::h(); } // @ref lib -> LIB; @ref h -> H
""",
            "app/tests/helpers/mod.rs": "pub fn h() {} // @def h as H\n",
            "app/examples/demo/main.rs": "fn main() { my_app::lib(); } // @ref lib -> LIB\n",
            "common-rs/Cargo.toml": manifest("common-rs", rest='[lib]\nname = "common_lib"\npath = "lib/root.rs"\n'),
            "common-rs/lib/root.rs": "pub fn shared() {} // @def shared as SHARED\n",
        }
    )


def test_a_version_alone_is_not_the_package_of_that_name_here() -> None:
    linked = check_files(
        {
            "a/Cargo.toml": manifest("a", rest='[dependencies]\nb = "1"\n'),
            "a/src/lib.rs": "fn run() { b::f(); } // @ref b -> external; @ref f -> external\n",
            "b/Cargo.toml": manifest("b"),
            "b/src/lib.rs": "pub fn f() {}\n",
        }
    )
    assert linked.at("a/src/lib.rs", 1, "f").external == "b:f"


def test_a_patch_leads_back_into_the_repository() -> None:
    check_files(
        {
            "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n[patch.crates-io]\nb = { path = "b" }\n',
            "a/Cargo.toml": manifest("a", rest='[dependencies]\nb = "1"\n'),
            "a/src/lib.rs": "fn run() { b::f(); } // @ref f -> F\n",
            "b/Cargo.toml": manifest("b"),
            "b/src/lib.rs": "pub fn f() {} // @def f as F\n",
        }
    )


def test_targets_that_are_switched_off_or_named() -> None:
    data = b"""
[package]
name = "p"
autotests = false
[[test]]
name = "all"
path = "tests/all.rs"
[[bin]]
name = "tool"
"""
    files = ["build.rs", "src/bin/tool.rs", "src/lib.rs", "src/main.rs", "tests/all.rs", "tests/part.rs"]
    (package,) = packages([Manifest("Cargo.toml", data)], files)
    assert {(crate.kind, crate.root) for crate in package.crates} == {
        ("lib", "src/lib.rs"), ("build", "build.rs"), ("bin", "src/bin/tool.rs"), ("bin", "src/main.rs"),
        ("test", "tests/all.rs"),
    }  # fmt: skip


def test_manifests_that_cannot_be_read_describe_nothing() -> None:
    assert packages([Manifest("Cargo.toml", b"[package\nname = 1"), Manifest("x/Cargo.toml", b"\xff\xfe")], []) == []


def test_a_file_of_no_module_tree_is_a_crate_of_its_own() -> None:
    linked = link("mod a;", src__a="", loose="mod b { pub fn f() {} }\nfn run() { crate::b::f(); }\n")
    assert linked.at("loose.rs", 2, "f").targets == ("loose.rs:1:function:b.f",)


def test_procedural_macros_of_the_workspace() -> None:
    check_files(
        {
            "app/Cargo.toml": manifest("app", rest='[dependencies]\nderives = { path = "../derives" }\n'),
            "app/src/lib.rs": """
use derives::{Shiny, shine}; // @ref Shiny -> D; @ref shine -> A
#[derive(Shiny)] struct S; // @ref Shiny -> D
#[shine] fn f() {} // @ref shine -> A
""",
            "derives/Cargo.toml": manifest("derives", rest="[lib]\nproc-macro = true\n"),
            "derives/src/lib.rs": """
#[proc_macro_derive(Shiny)] pub fn derive_shiny(i: T) -> T { i } // @def derive_shiny as D
#[proc_macro_attribute] pub fn shine(a: T, i: T) -> T { i } // @def shine as A
""",
        }
    )

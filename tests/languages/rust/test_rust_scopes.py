"""Names of Rust (reference, "Scopes", "Name resolution", "Use declarations"): what a bare name or a path means."""

from tests.languages.rust.rust_repository import check, check_files, link, manifest


def test_a_local_hides_an_item_from_its_statement_on() -> None:
    check("""
fn size() -> u32 { 1 } // @def size as F
fn run(f: fn() -> u32) {
    size(); // @ref size -> F
    let size = f; // @ref f -> external
    size(); // @ref size -> external
    { let size = 3; let _ = size; } // @ref size#2 -> external
}
fn other() { size(); } // @ref size -> F
""")


def test_an_item_of_a_block_is_seen_in_the_whole_block_and_hides_outer_locals() -> None:
    check("""
fn help() {} // @def help as OUTER
fn run(help: u8) {
    {
        help(); // @ref help -> INNER
        fn help() {} // @def help as INNER
    }
}
fn other() { help(); } // @ref help -> OUTER
""")


def test_pattern_names_are_locals_and_capitals_are_constants_or_variants() -> None:
    check("""
const LIMIT: u8 = 1; // @def LIMIT as L
enum Kind { One, Two(u8) } // @def One as ONE; @def Two as TWO; @def Kind as KIND
use Kind::*; // @ref Kind -> KIND
fn run(kind: Kind, n: u8) {
    match kind { // @ref kind -> external
        One => {} // @ref One -> ONE
        Two(LIMIT) => {} // @ref Two -> TWO; @ref LIMIT -> L
        Kind::Two(other) => drop(other), // @ref Two -> TWO; @ref drop -> external
    }
    if let Two(x) | Two(x) = kind { let _ = x; } // @ref Two#2 -> TWO
}
""")


def test_modules_do_not_see_the_names_around_them() -> None:
    check("""
fn helper() {} // @def helper as H
mod inner {
    fn run() {
        super::helper(); // @ref helper -> H
        crate::helper(); // @ref helper -> H
        self::local(); // @ref local -> L
        helper(); // @ref helper -> open
    }
    fn local() {} // @def local as L
}
""")


def test_use_trees_with_groups_renames_and_self() -> None:
    check("""
mod a {
    pub mod b { // @def b as B
        pub fn c() {} // @def c as C
        pub struct D; // @def D as D
    }
}
use a::{b::{self, c as renamed, D}, b as again}; // @ref c -> C; @ref D -> D
fn run(_: D) { // @ref D -> D
    b::c(); // @ref b -> B; @ref c -> C
    renamed(); // @ref renamed -> C
    again::c(); // @ref again -> B; @ref c -> C
}
""")


def test_reexports_are_followed_to_the_end() -> None:
    check(
        """
mod one;
mod two;
pub use two::made as exported; // @ref made -> M
fn run() {
    exported(); // @ref exported -> M
    one::made(); // @ref made -> M
    two::made(); // @ref made -> M
}
""",
        src__one="pub use crate::two::*;",
        src__two="pub fn made() {} // @def made as M",
    )


def test_a_named_import_beats_a_glob_and_an_item_beats_both() -> None:
    check("""
mod a { pub fn f() {} pub fn g() {} } // @def f as AF; @def g as AG
mod b { pub fn f() {} } // @def f as BF
use a::*;
use b::f;
fn g() {} // @def g as OWN
fn run() {
    f(); // @ref f -> BF
    g(); // @ref g -> OWN
}
""")


def test_globs_bring_only_what_can_be_seen() -> None:
    check("""
mod a {
    use std::fmt::Result;
    fn hidden() {}
    pub fn shown() -> Result { Ok(()) } // @def shown as S
    mod inside { use super::*; fn run() { hidden2(); } } // @ref hidden2 -> H
    fn hidden2() {} // @def hidden2 as H
}
use a::*;
fn run() -> Result<u8, u8> { // @ref Result -> external
    shown(); // @ref shown -> S
    hidden(); // @ref hidden -> open
    Ok(1) // @ref Ok -> external
}
""")


def test_globs_in_a_circle() -> None:
    check("""
mod a { pub use super::b::*; pub fn one() {} } // @def one as ONE
mod b { pub use super::a::*; pub fn two() {} } // @def two as TWO
fn run() {
    a::two(); // @ref two -> TWO
    b::one(); // @ref one -> ONE
    a::three(); // @ref three -> open
}
""")


def test_types_values_and_macros_have_names_of_their_own() -> None:
    check("""
mod thing { pub fn f() {} } // @def thing as MOD; @def f as F
fn thing() {} // @def thing as FN
macro_rules! thing { () => {} } // @def thing as MACRO
struct Named { name: u8 } // @def name as FIELD
impl Named { fn name(&self) -> u8 { self.name } } // @def name as METHOD; @ref name#2 -> FIELD
fn run(n: Named) {
    thing(); // @ref thing -> FN
    thing::f(); // @ref thing -> MOD; @ref f -> F
    thing!(); // @ref thing -> MACRO
    n.name(); // @ref name -> METHOD
    n.name; // @ref name -> FIELD
}
""")


def test_the_prelude_gives_way_to_everything() -> None:
    check("""
fn run() -> Option<String> { Some(String::new()) } // @ref Option -> external; @ref Some -> external
mod own {
    pub enum Option<T> { Nothing(T) } // @def Option as OWN; @def Nothing as N
    fn run() -> Option<u8> { Option::Nothing(1) } // @ref Option -> OWN; @ref Nothing -> N
}
""")


def test_a_use_does_not_see_what_it_brings_in() -> None:
    linked = check_files(
        {
            "Cargo.toml": manifest(rest='[dependencies]\nshared = { path = "shared" }\n'),
            "src/lib.rs": "use shared::shared; // @ref shared#2 -> F\nfn run() { shared(); } // @ref shared -> F\n",
            "shared/Cargo.toml": manifest("shared"),
            "shared/src/lib.rs": "pub fn shared() {} // @def shared as F\n",
        }
    )
    assert linked.at("src/lib.rs", 1, "shared").targets == ("shared/src/lib.rs:1:module:lib",)


def test_paths_of_imports_begin_at_the_root_before_2018() -> None:
    check_files(
        {
            "Cargo.toml": manifest(edition="2015"),
            "src/lib.rs": "mod a;\nmod b;\n",
            "src/a.rs": "pub fn f() {} // @def f as F\n",
            "src/b.rs": """use a::f; // @ref f -> F
fn run() { f(); ::a::f(); } // @ref f -> F; @ref f#2 -> F
""",
        }
    )


def test_a_macro_is_in_scope_after_its_text_and_where_it_is_exported() -> None:
    check(
        """
#[macro_use]
mod macros;
mod user;
macro_rules! late { () => {} } // @def late as LATE
fn run() {
    one!(); // @ref one -> ONE
    late!(); // @ref late -> LATE
    crate::two!(); // @ref two -> TWO
    println!("{}", 1); // @ref println -> external
}
""",
        src__macros="""
macro_rules! one { () => {} } // @def one as ONE
#[macro_export]
macro_rules! two { () => { 1 } } // @def two as TWO
""",
        src__user="fn run() { one!(); two!(); } // @ref one -> ONE; @ref two -> TWO",
    )


def test_raw_identifiers_are_the_names_without_their_prefix() -> None:
    linked = link("fn r#type() {}\nfn run() { r#type(); }\n")
    assert linked.at("src/lib.rs", 2, "type").targets == ("src/lib.rs:1:function:type",)


def test_an_import_of_nothing_stays_open() -> None:
    linked = link("use crate::missing::Thing;\nfn run(t: Thing) { t.go(); Thing::make(); }\n")
    assert linked.at("src/lib.rs", 1, "Thing").status == "unresolved"
    assert linked.at("src/lib.rs", 2, "go").status == "unresolved"
    assert linked.at("src/lib.rs", 2, "make").status == "unresolved"

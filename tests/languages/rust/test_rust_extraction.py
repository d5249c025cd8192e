"""What extraction takes from one Rust file: definitions with their properties, references of every kind, damage."""

from graph.languages.facts import extract
from graph.languages.rust import LANGUAGES
from graph.model import DefinitionFact, DefinitionKind, FileFacts, Flag, ReferenceKind, Visibility, word

(RUST,) = LANGUAGES


def facts(source: str, path: str = "src/lib.rs") -> FileFacts:
    return extract(RUST, path, source.encode())


def outline(source: str) -> list[str]:
    return [f"{word(DefinitionKind(fact.kind))} {fact.qualified_name}" for fact in facts(source).definitions[1:]]


def only(source: str, name: str) -> DefinitionFact:
    found = [fact for fact in facts(source).definitions if fact.name == name]
    assert len(found) == 1, [fact.name for fact in found]
    return found[0]


def references(source: str) -> list[str]:
    return [f"{word(ReferenceKind(fact.kind))} {fact.name}" for fact in facts(source).references]


def test_definitions_of_every_kind() -> None:
    source = """
mod inner { pub(crate) union U { a: u8 } }
struct S { field: u8 }
enum E { One, Two { x: u8 } }
trait T { type A; const C: u8; fn f(&self); }
impl S { const K: u8 = 1; fn m(&self) { fn nested() {} } }
impl T for Vec<S> { type A = u8; const C: u8 = 1; fn f(&self) {} }
type Alias = S; const X: u8 = 1; static Y: u8 = 2; macro_rules! mac { () => {} }
extern "C" { fn outside(a: u8); }
"""
    wanted = """
namespace inner, union inner.U, field inner.U.a, struct S, field S.field, enum E, enum-member E.One, enum-member E.Two,
field E.Two.x, trait T, type T.A, constant T.C, method T.f, constant S.K, method S.m, function S.m.nested, type Vec.A,
constant Vec.C, method Vec.f, type Alias, constant X, variable Y, macro mac, function outside
"""
    assert outline(source) == wanted.replace("\n", " ").strip().split(", ")


def test_members_of_an_impl_belong_to_the_type_even_when_it_is_declared_later() -> None:
    found = facts("impl S { fn m() {} }\nstruct S;\nimpl Other { fn n() {} }\n").definitions
    by_name = {fact.name: (index, fact) for index, fact in enumerate(found)}
    assert by_name["m"][1].parent == by_name["S"][0]
    assert by_name["n"][1].parent == 0


def test_signatures_docs_and_parameters() -> None:
    source = """
/// Fetches one.
/// Still the summary.
///
/// Details.
#[deprecated]
pub async unsafe fn fetch<'a, T: Into<u8>>(&'a self, key: &str,
    rest: T) -> Option<T> where T: Clone { None }
/** Block
 * doc. */
struct S;
#[doc = "Attribute doc."] const C: u8 = 1;
"""
    fetch = only(source, "fetch")
    assert fetch.doc == "Fetches one. Still the summary."
    expected = "pub async unsafe fn fetch<'a, T: Into<u8>>(&'a self, key: &str, rest: T) -> Option<T> where T: Clone"
    assert fetch.signature == expected
    assert [parameter[0] for parameter in fetch.parameters] == ["key", "rest"]
    assert fetch.flags & Flag.DEPRECATED and fetch.flags & Flag.ASYNC and fetch.flags & Flag.EXPORTED
    assert only(source, "S").doc == "Block doc."
    assert only(source, "C").doc == "Attribute doc."
    assert facts("//! About this.\n//! More.\n\nfn f() {}\n").definitions[0].doc == "About this. More."


def test_visibility_and_receivers() -> None:
    source = """
pub fn a() {} pub(crate) fn b() {} fn c() {}
struct S; impl S { fn d(self: Box<Self>) {} fn e() {} } trait T { fn f(); }
"""
    wanted = [Visibility.PUBLIC, Visibility.PACKAGE, Visibility.PRIVATE]
    assert [only(source, name).visibility for name in "abc"] == wanted
    assert only(source, "d").flags & Flag.RECEIVER and not only(source, "d").flags & Flag.STATIC
    assert only(source, "e").flags & Flag.STATIC
    assert only(source, "f").flags & Flag.ABSTRACT and only(source, "f").visibility == Visibility.PUBLIC


def test_tests_are_marked() -> None:
    source = """
#[test] fn a() {}
#[tokio::test(flavor = "x")] async fn b() {}
#[cfg(test)] mod tests { fn c() {} struct D; }
#[cfg(feature = "test")] fn e() {}
fn f() {}
"""
    assert {name for name in "abcDef" if only(source, name).flags & Flag.TEST} == set("abcD")


def test_references_of_every_kind() -> None:
    source = """
use a::b;
pub use a::c;
#[derive(Debug)] #[route] struct S<T: Bound>(T);
trait T: Base {}
impl<X> T for S<X> where X: Other {}
fn f(p: S<u8>) -> Made {
    p.method(free(1)); S::<u8>::build(); p.field = CONST; let s = Named { x: 1 };
    if let Some(y) = p { mac!(y); } p as Cast; run(callback);
}
"""
    wanted = """
import a, import b, reexport a, reexport c, decorate Debug, decorate route, type Bound, base Base, implement T, type S,
type Other, type S, type Made, call method, call free, type S, call build, write field, read CONST, construct Named,
write x, read Some, macro mac, type Cast, call run, read callback
"""
    assert references(source) == wanted.replace("\n", " ").strip().split(", ")


def test_references_stand_in_the_definition_around_them() -> None:
    found = facts("impl S { fn m(&self) { go(); fn inner() { go(); } } }\nconst C: u8 = go();\n")
    names = [found.definitions[fact.enclosing].qualified_name for fact in found.references if fact.name == "go"]
    assert names == ["S.m", "S.m.inner", "C"]


def test_arguments_and_qualifiers_of_calls() -> None:
    calls = {fact.name: fact for fact in facts("fn f(x: X) { a(1, 2); x.b::<u8>(|y| y); c::d(); }").references}
    assert [calls[name].arguments for name in "abd"] == [2, 1, 0]
    assert [calls[name].qualifier for name in "abd"] == ["", "x", "c"]


def test_locals_are_no_references_and_called_ones_are_definitions() -> None:
    found = facts("fn f(g: fn()) { let x = 1; let h = || x; g(); h(); }")
    assert [fact.name for fact in found.references] == ["g", "h"]
    locals_ = [fact for fact in found.definitions if fact.flags & Flag.LOCAL]
    kinds = [(fact.name, fact.kind) for fact in locals_]
    assert kinds == [("g", DefinitionKind.PARAMETER), ("h", DefinitionKind.VARIABLE)]


def test_tokens_of_unknown_macros_are_not_guessed() -> None:
    assert references("fn f() { unknown!(a.b(), c::d()); }") == ["macro unknown"]
    assert references("fn f() { println!(broken +, a.b()); }") == ["macro println"]


def test_ranges_inside_of_macros_are_those_of_the_file() -> None:
    source = 'fn f() { println!("é {}", outer(format!("{}", Inner::new().go()))); }'
    found = facts(source).references
    assert [source.encode()[fact.start : fact.end].decode() for fact in found] == [
        "println", "outer", "format", "Inner", "new", "go",
    ]  # fmt: skip


def test_damage_and_conflicts_are_kept_apart_from_the_rest() -> None:
    source = "fn a() {}\n<<<<<<< ours\nfn b() {}\n=======\nfn c() {}\n>>>>>>> theirs\nfn d() {}\nfn e() {}\n"
    found = facts(source)
    assert found.conflict_markers
    damaged = [fact.name for fact in found.definitions if fact.flags & Flag.DAMAGED]
    assert damaged == ["b", "c"]
    assert outline(source) == [f"function {name}" for name in "abcde"]
    assert only("fn a() { let = ; }\nfn b() {}\n", "a").flags & Flag.DAMAGED
    assert not only("fn a() { let = ; }\nfn b() {}\n", "b").flags & Flag.DAMAGED
    assert outline("macro_rules ! spaced { () => {} }\n") == ["macro spaced"]

"""Extraction and linking of anything: no input makes them fail, and what they give is well formed."""

import random

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.languages.facts import extract, interface
from graph.languages.rust import LANGUAGES
from graph.link.world import FileRecord, World
from graph.model import DefinitionKind, FileFacts

(RUST,) = LANGUAGES
SOURCE = """//! Docs.
#![cfg(feature = "all")]
pub(crate) use self::inner::{Shape::*, r#type as kind};
use std::{
    collections::HashMap as Map,
    fmt::{self, Display as Show},
    io::*,
};
extern crate alloc as memory;
/// A box.
#[derive(Clone, Debug, other::Trait)]
#[cfg_attr(test, allow(dead_code))]
pub struct Wrap<'a, T: Show + 'a, const N: usize = 3>(pub &'a [T; N], Box<dyn Fn(&T) -> Option<u8> + Send>)
where
    T: Clone;
mod inner {
    pub fn r#type() {}
    pub enum Shape {
        Unit = 1,
        Pair(u8, Vec<u8>),
        Named { x: (u8, u8) },
    }
    #[path = "é.rs"]
    mod file;
}
#[cfg(all(unix, not(test)))]
trait Go<A = Self>: Show
where
    Self: Sized,
{
    type Out: Default;
    const MAX: u8 = 1;
    fn go(self: Box<Self>) -> Self::Out;
    fn other() {}
}
impl<'a, T: Show, const N: usize> Go for Wrap<'a, T, N>
where
    T: Iterator<Item = u8>,
{
    type Out = <T as Iterator>::Item;
    fn go(self: Box<Self>) -> Self::Out {
        self.0[N - 1].next().unwrap()
    }
}
macro_rules! mac { ($($x:expr),* $(,)?) => { $crate::run($($x),*) }; }
cfg_net! { pub fn net() { mac!(1, 2); } }
thread_local! { static KEY: u8 = 1; }
cfg_if::cfg_if! { if #[cfg(unix)] { fn f() {} } else { fn f() {} } }
static mut COUNT: u32 = 0x1f_u32;
const NAMES: &[&str] = &["日本", r#"raw"#];
type Alias<T> = Result<T, Box<dyn std::error::Error>>;
async fn run<F, R>(mut f: F, (a, [b, .., c]): (u8, [u8; 4])) -> Alias<impl Show>
where
    F: FnMut(u8) -> R,
    R: Into<String>,
{
    let mut list = Vec::new();
    list.push(f(a)?.into());
    'outer: for (i, x) in list.iter().enumerate().rev() {
        if i > 3
            && let Some(y @ 1..=4) = x.get(i)
        {
            break 'outer;
        } else {
            continue;
        }
    }
    let Wrap(ref slice, _) = *make::<u8>(b, |n, m: u8| -> u8 { n + m }).await? else {
        return Err("é".into());
    };
    match (a, &list[..]) {
        (0 | 1, [first, rest @ ..]) if first == "x" => {
            fn nested() {
                struct Deep;
            }
            nested()
        }
        (_, []) => unsafe { COUNT += 1 },
        Pair(p, ..) => drop(p),
        Named { x: (q, _), .. } => println!("{} {q} {n}", q.max(1), n = a),
        _ => unreachable!("{}", c),
    }
    let s = Struct {
        a,
        b: {
            use inner::*;
            r#type();
            1
        },
        ..Default::default()
    };
    s.b.0.1 = async move { vec![1; 3] }.await as f64;
    assert!(matches!(s, Struct { a: 1, .. } if a.b(c!()), ));
    <Vec<u8> as IntoIterator>::into_iter(vec![1])
        .map(Some)
        .fold(0, |acc, _| acc + 1);
    loop {
        while let Some(z) = list.pop() {
            z;
        }
    }
    Ok(format!("{a}{}", s))
}
""".encode()


def check_facts(source: bytes) -> FileFacts:
    """Extract and link one file alone: names slice, indices are in range, and every reference gets a resolution."""
    facts = extract(RUST, "src/lib.rs", source)
    for reference in facts.references:
        assert source[reference.start : reference.end].decode("utf-8", "replace") == reference.name
        assert -1 <= reference.expression < len(facts.expressions)
        assert 0 <= reference.enclosing < len(facts.definitions)
    for fact in facts.definitions:
        if fact.kind != DefinitionKind.MODULE:
            assert source[fact.name_start : fact.name_end].decode("utf-8", "replace") == fact.name
            assert fact.start <= fact.name_start <= fact.name_end <= fact.end
            assert 0 <= fact.parent < len(facts.definitions)
    rows = [(fact.kind, fact.expression, fact.arguments, fact.enclosing) for fact in facts.references]
    stored = orjson.loads(orjson.dumps(interface(facts)))
    world = World([FileRecord(0, "src/lib.rs", "rust", "", False)], [], lambda _: stored)
    linker = RUST.linker(world)
    assert len(linker.link(0, rows)) == len(rows)
    for index in range(len(facts.definitions)):
        linker.overridden(index)
        if facts.definitions[index].kind in (DefinitionKind.STRUCT, DefinitionKind.TRAIT):
            linker.ancestry(index)
    return facts


def test_the_sample_is_clean() -> None:
    facts = check_facts(SOURCE)
    assert facts.damage == []
    assert len(facts.references) > 80


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes(source: bytes) -> None:
    check_facts(source)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(SOURCE.split()), max_size=60))
def test_words_in_any_order(words: list[bytes]) -> None:
    check_facts(b" ".join(words))


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_deletions_and_duplications(seed: int) -> None:
    chance = random.Random(seed)
    source = SOURCE
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(source))
        end = min(len(source), start + chance.randint(1, 40))
        piece = b"" if chance.random() < 0.6 else source[start:end] * 2
        source = source[:start] + piece + source[end:]
    check_facts(source)


DEPTH = 5_000


@pytest.mark.parametrize(
    ("before", "opening", "middle", "closing"),
    [
        ("fn f() { ", "{ ", "g()", " }"),
        ("fn f() { ", "(", "g()", ")"),
        ("fn f() { ", "g(", "h()", ")"),
        ("fn f() { x", ".y().z", ".g()", ""),
        ("fn f() { x", " + y()", ".g()", ""),
        ("fn f() { ", "if a { g() } else ", "{ g() }", ""),
        ("fn f() { ", "|x| ", "g(x)", ""),
        ("fn f() { ", "&", "g()", ""),
        ("fn f() { ", "fn g() { ", "h();", " }"),
        ("fn f() { ", "let x = y.g(); ", "x.g();", ""),
        ("fn f() { ", "match x { _ => ", "g()", " }"),
        ("fn f() { ", "vec![", "g()", "]"),
        ("fn f(x: ", "Vec<", "u8", ">) { g() "),
        ("fn f() { let ", "(", "x", ",) = y; "),
        ("use ", "a::", "b; fn f() { g() ", ""),
        ("fn f() { a", "::b", "::g()", ""),
    ],
)
def test_deep_nesting(before: str, opening: str, middle: str, closing: str) -> None:
    if closing.endswith(("{ g() ", " = y; ")):
        closing, tail = closing[0], closing[1:]
        closing = closing * DEPTH + tail if opening == "Vec<" else ",)" * DEPTH + tail[2:]
    else:
        closing *= DEPTH
    facts = check_facts(f"{before}{opening * DEPTH}{middle}{closing} }}\n".encode())
    assert facts.definitions[1].name == "f"


def test_deep_nesting_of_items() -> None:
    depth = 1_000
    modules = b"mod m { " * depth + b"fn f() {}" + b" }" * depth
    assert len(check_facts(modules).definitions) == depth + 2
    tree = b"use " + b"a::{" * depth + b"b" + b"}" * depth + b";"
    assert len(check_facts(tree).imports) == 1


def test_types_that_lead_into_themselves() -> None:
    check_facts(b"""
type A = B; type B = A; type C = Vec<C>; type D<T> = D<Option<T>>;
struct S<T>(Box<S<Option<T>>>); impl<T> S<T> { fn go(self) { self.0.0.0.go(); } }
trait T: U { type X: T; } trait U: T { fn f(&self) -> Self::X; }
impl<A: T> U for A { fn f(&self) -> Self::X { self.f().f() } }
impl<A: U> T for A { type X = <A as T>::X; }
struct L; impl std::ops::Deref for L { type Target = R; fn deref(&self) -> &R { todo!() } }
struct R; impl std::ops::Deref for R { type Target = L; fn deref(&self) -> &L { todo!() } }
fn a(l: L, c: C, d: D<u8>) { l.nothing(); c[0][0].nothing(); d.nothing(); let mut x = None; x = Some(x); x.go(); }
fn c<G: V<N = G::N>>(g: G) -> G::N { g.n() } trait V { type N: V; fn n(&self) -> Self::N; } struct W<G>(G);
impl<G: V> V for W<G> where G: V<N = <G as V>::N> { type N = W<G::N>; fn n(&self) -> W<G::N> { c(self).n() } }
fn e<G>(w: W<G>) where W<G>: V<N = W<W<G>>>, G: V<N = W<G>> { c(w).n().n(); c(&w.0).n().0.n(); }
fn b() -> impl T { b() } use self::g as g; use h::*; mod h { pub use super::*; }
""")


CIRCLE = {
    "src/fs/mod.rs": """
mod read_dir; pub use self::read_dir::{read_dir, DirEntry}; mod open; pub use self::open::open;
use crate::util::*;
pub fn x() { read_dir(); open(); }
""",
    "src/fs/open.rs": """
use crate::fs::*; use super::read_dir;
pub fn open() -> read_dir::DirEntry { read_dir().go(); }
""",
    "src/fs/read_dir.rs": """
use crate::fs::open; pub fn read_dir() -> DirEntry { open() } pub struct DirEntry;
impl DirEntry { pub fn go(&self) { super::read_dir().go() } }
""",
    "src/lib.rs": "pub mod fs; mod util;",
    "src/util.rs": """
pub use crate::fs::*; pub use crate::fs::read_dir; use super::fs::DirEntry;
fn y(d: DirEntry) { d.go(); read_dir().go(); }
""",
}


def test_answers_do_not_depend_on_the_order_of_questions() -> None:
    facts = [extract(RUST, path, source.encode()) for path, source in CIRCLE.items()]
    records = [FileRecord(number, path, "rust", "", False) for number, path in enumerate(CIRCLE)]
    questions = [(number, index) for number, fact in enumerate(facts) for index in range(len(fact.references))]

    def answers(order: list[tuple[int, int]]) -> dict[tuple[int, int], object]:
        linker = RUST.linker(World(records, [], lambda number: interface(facts[number])))
        found: dict[tuple[int, int], object] = {}
        for number, index in order:
            fact = facts[number].references[index]
            (found[number, index],) = linker.link(
                number, [(fact.kind, fact.expression, fact.arguments, fact.enclosing)]
            )
        return found

    first = answers(questions)
    for seed in range(30):
        assert answers(random.Random(seed).sample(questions, len(questions))) == first

"""How types flow (reference, "Expressions", "Patterns", "Generic parameters"): receivers whose type is not declared."""

from tests.languages.rust.rust_repository import check

THING = """
#[derive(Clone, Debug)]
pub struct Thing { pub next: Option<Box<Thing>>, pub parts: Vec<Part> }
impl Thing {
    fn go(&self) -> u8 { 1 } // @def go as GO
    fn make() -> Result<Thing, Fault> { todo!() }
    async fn wait() -> Thing { todo!() }
}
#[derive(Clone, Debug)] pub struct Part; impl Part { fn part(&self) -> u8 { 1 } } // @def part as PART
pub struct Fault; impl Fault { fn why(&self) {} } // @def why as WHY
"""


def test_options_and_results() -> None:
    check(
        THING
        + """
fn run(t: Option<Thing>, r: &Result<Thing, Fault>) -> Result<(), Fault> {
    t.as_ref().unwrap().go(); // @ref unwrap -> external; @ref go -> GO
    if let Some(x) = &t { x.go(); } // @ref go -> GO
    let Some(y) = t.clone() else { return Ok(()) };
    y.go(); // @ref go -> GO
    match r { Ok(v) => { v.go(); } Err(e) => e.why() } // @ref go -> GO; @ref why -> WHY
    let made = Thing::make()?;
    made.next.as_deref().map(|n| n.go()); // @ref go -> GO
    made.parts.first().unwrap().part(); // @ref part -> PART
    Thing::make().map_err(|e| e.why())?.go(); // @ref why -> WHY; @ref go -> GO
    let z = if true { t.unwrap() } else { panic!() };
    z.go(); // @ref go -> GO
    Ok(())
}
"""
    )


def test_iterators_closures_and_collections() -> None:
    check(
        THING
        + """
use std::collections::HashMap;
fn run(things: &[Thing], map: HashMap<String, Vec<Thing>>) {
    for (i, t) in things.iter().enumerate().filter(|(_, t)| t.go() > 0) { // @ref go -> GO
        t.go(); i.count_ones(); // @ref go -> GO; @ref count_ones -> external
    }
    let parts: Vec<_> = things.iter().flat_map(|t| t.parts.iter()).collect();
    parts[0].part(); // @ref part -> PART
    let cloned = things.iter().cloned().collect::<Vec<_>>();
    cloned.last().map(|t| t.go()); // @ref go -> GO
    for (name, list) in &map {
        name.len(); list[1..].iter().any(|t| t.go() == 1); // @ref len -> external; @ref go -> GO
    }
    map.get("x").and_then(|l| l.iter().find(|t| t.go() == 2)).unwrap().go(); // @ref go -> GO; @ref go#2 -> GO
    let last = map.into_iter().map(|(_, v)| v).fold(None, |_: Option<Thing>, v| v.into_iter().next());
    last.unwrap().go(); // @ref go -> GO
    let [first, rest @ ..] = things else { return };
    first.go(); rest[0].go(); // @ref go -> GO; @ref go#2 -> GO
}
"""
    )


def test_generics_are_inferred_from_arguments() -> None:
    check(
        THING
        + """
fn same<T>(t: T) -> T { t }
fn apply<A, B, F: Fn(A) -> B>(a: A, f: F) -> B { f(a) }
struct Wrap<T> { inner: T }
impl<T> Wrap<T> { fn new(inner: T) -> Self { Wrap { inner } } fn get(&self) -> &T { &self.inner } } // @def get as GET
fn run(t: Thing, p: Part) {
    same(t.clone()).go(); // @ref go -> GO
    same::<Part>(p.clone()).part(); // @ref part -> PART
    Wrap::new(p.clone()).get().part(); // @ref get -> GET; @ref part -> PART
    Wrap { inner: t.clone() }.inner.go(); // @ref go -> GO
    apply(t, |x| { x.go(); p }).part(); // @ref go -> GO; @ref part -> PART
    (1, Part).1.part(); // @ref part -> PART
    let (a, b) = (Part, 2); a.part(); let _ = b; // @ref part -> PART
}
"""
    )


def test_what_is_made_empty_is_told_by_what_is_put_in() -> None:
    check(
        THING
        + """
fn run(t: Thing) {
    let mut list = Vec::new();
    list.push(t.clone());
    list[0].go(); // @ref go -> GO
    let mut slot = None;
    slot = Some(t);
    slot.unwrap().go(); // @ref go -> GO
    let later;
    later = Part;
    later.part(); // @ref part -> PART
}
"""
    )


def test_futures_and_function_values() -> None:
    check(
        THING
        + """
use std::future::Future;
async fn run<F: Future<Output = Part>>(f: F, g: fn() -> Thing, h: Box<dyn Fn(u8) -> Part>) {
    Thing::wait().await.go(); // @ref go -> GO
    f.await.part(); // @ref part -> PART
    g().go(); // @ref g -> external; @ref go -> GO
    h(1).part(); // @ref part -> PART
    let block = async { Part };
    block.await.part(); // @ref part -> PART
    let made = Some(1).map(Part_::from_u8);
    made.unwrap().part(); // @ref part -> PART
}
struct Part_; impl Part_ { fn from_u8(_: u8) -> Part { Part } }
"""
    )


def test_constants_statics_aliases_and_casts() -> None:
    check(
        THING
        + """
static ONE: Part = Part; // @def ONE as ONE
const LIST: [Part; 1] = [Part]; // @def LIST as LIST
type Short<T> = Result<T, Fault>; // @def Short as SHORT
fn load() -> Short<Thing> { Thing::make() } // @ref Short -> SHORT
fn run(p: *const Part) {
    ONE.part(); // @ref ONE -> ONE; @ref part -> PART
    LIST[0].part(); // @ref LIST -> LIST; @ref part -> PART
    load().unwrap().go(); // @ref go -> GO
    unsafe { (*p).part() }; // @ref part -> PART
    (p as *const Thing).cast::<Part>();
}
"""
    )


def test_operators_and_indexing_of_own_types() -> None:
    check(
        THING
        + """
use std::ops::{Add, Index};
struct Sum; impl Sum { fn sum(&self) {} } // @def sum as SUM
impl Add<u8> for Thing { type Output = Sum; fn add(self, _: u8) -> Sum { Sum } }
impl Index<usize> for Sum { type Output = Part; fn index(&self, _: usize) -> &Part { &Part } }
fn run(t: Thing) {
    (t + 1).sum(); // @ref sum -> SUM
    Sum[0].part(); // @ref part -> PART
}
"""
    )


def test_arguments_of_known_macros_are_read() -> None:
    check(
        THING
        + """
fn run(t: Thing, p: Option<Part>) -> String {
    println!("{} {n}", t.go(), n = t.go()); // @ref println -> external; @ref go -> GO; @ref go#2 -> GO
    assert_eq!(t.go(), 1, "not {}", t.go()); // @ref go -> GO; @ref go#2 -> GO
    let list = vec![t.clone(); 3];
    list[0].go(); // @ref go -> GO
    assert!(matches!(&p, Some(x) if x.part() == 1)); // @ref part -> PART
    dbg!(p).unwrap().part(); // @ref part -> PART
    own!(t.go());
    format!("{}", vec![t][0].go()) // @ref go -> GO
}
macro_rules! own { ($x:expr) => { $x } }
"""
    )


def test_from_is_chosen_by_what_it_is_given() -> None:
    check("""
struct A; struct B; struct Wide;
impl From<A> for Wide { fn from(_: A) -> Self { Wide } } // @def from as FA
impl From<B> for Wide { fn from(_: B) -> Self { Wide } } // @def from as FB
fn run(a: A, b: B, c: impl Sized) {
    Wide::from(a); // @ref from -> FA
    Wide::from(b); // @ref from -> FB
    Wide::from(unknown()); // @ref from -> open
}
""")

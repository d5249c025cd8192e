"""Members (reference, "Method-call expressions", "Implementations", "Traits"): what a method, field or path names."""

from graph.languages.facts import extract, interface
from graph.languages.rust import LANGUAGES
from graph.link.world import FileRecord, World
from tests.languages.rust.rust_repository import check

(RUST,) = LANGUAGES

SHAPES = """
pub trait Shape {
    fn area(&self) -> u8; // @def area as DECL
    fn twice(&self) -> u8 { self.area() } // @def twice as TWICE
}
pub struct Square(pub u8);
pub struct Circle { pub radius: u8 } // @def radius as R
impl Shape for Square { fn area(&self) -> u8 { self.0 } } // @def area as SQ
impl Shape for Circle {
    fn area(&self) -> u8 { self.radius } // @def area as CI; @ref radius -> R
    fn twice(&self) -> u8 { 2 } // @def twice as CI2
}
"""


def test_a_method_of_a_concrete_type_is_the_impls_or_the_traits_default() -> None:
    check(
        SHAPES
        + """
fn run(a: Square, b: &Circle) {
    a.area(); // @ref area -> SQ
    a.twice(); // @ref twice -> TWICE
    b.twice(); // @ref twice -> CI2
    Square::area(&a); // @ref area -> SQ
    Shape::area(&a); // @ref area -> DECL
    <Circle as Shape>::area(b); // @ref area -> CI
    <Square as Shape>::twice(&a); // @ref twice -> TWICE
}
"""
    )


def test_a_method_through_a_bound_or_an_object_is_the_declaration() -> None:
    check(
        SHAPES
        + """
fn generic<T: Shape>(t: T) { t.area(); } // @ref area -> DECL
fn bounded<T>(t: &T) where T: Shape { t.area(); T::area(t); } // @ref area -> DECL; @ref area#2 -> DECL
fn object(t: &dyn Shape, u: Box<dyn Shape>) { t.area(); u.area(); } // @ref area -> DECL; @ref area#2 -> DECL
fn opaque(t: impl Shape) -> impl Shape { t.area(); Square(1) } // @ref area -> DECL
fn user() { opaque(Square(1)).area(); } // @ref area -> DECL
struct Holder<T>(T);
impl<T: Shape> Holder<T> { fn run(&self) { self.0.area(); } } // @ref area -> DECL
fn concrete(h: Holder<Circle>) { h.0.area(); } // @ref area -> CI
"""
    )


def test_supertraits_and_where_self() -> None:
    check("""
trait Base { fn base(&self); } // @def base as BASE
trait Sub: Base { fn sub(&self) { self.base(); } } // @ref base -> BASE; @def sub as SUB
trait Other where Self: Base { fn other(&self) { self.base(); } } // @ref base -> BASE
fn run<T: Sub>(t: T, d: &dyn Sub) {
    t.base(); d.base(); t.sub(); // @ref base -> BASE; @ref base#2 -> BASE; @ref sub -> SUB
}
""")


def test_inherent_methods_come_before_those_of_traits() -> None:
    check("""
struct S;
trait T { fn go(&self); }
impl T for S { fn go(&self) {} } // @def go as TRAIT
impl S { fn go(&self) {} } // @def go as OWN
fn run(s: S) {
    s.go(); // @ref go -> OWN
    T::go(&s);
    <S as T>::go(&s); // @ref go -> TRAIT
}
""")


def test_impls_stand_anywhere_in_the_crate() -> None:
    check(
        """
pub struct Store { items: Vec<Item> }
pub struct Item { pub name: String } // @def name as NAME
mod part;
mod away;
fn run(s: &Store) {
    s.find("x").unwrap().show(); // @ref find -> FIND; @ref show -> SHOW
    for item in &s.items { item.show(); item.name.len(); } // @ref show -> SHOW; @ref name -> NAME; @ref len -> external
}
""",
        src__part="""
use super::*;
impl Store {
    pub fn find(&self, n: &str) -> Option<&Item> { self.items.iter().find(|i| i.name == n) } // @def find as FIND
}
""",
        src__away="impl crate::Item { pub fn show(&self) {} } // @def show as SHOW\n",
    )


def test_dereferencing_step_by_step() -> None:
    check("""
use std::{rc::Rc, sync::{Arc, Mutex}, cell::RefCell, ops::Deref};
struct Inner;
impl Inner { fn go(&self) {} } // @def go as GO
struct Outer(Inner);
impl Deref for Outer { type Target = Inner; fn deref(&self) -> &Inner { &self.0 } }
fn run(a: Box<Inner>, b: Rc<RefCell<Inner>>, c: Arc<Mutex<Vec<Inner>>>, d: &&Outer) {
    a.go(); // @ref go -> GO
    b.borrow().go(); // @ref borrow -> external; @ref go -> GO
    c.lock().unwrap()[0].go(); // @ref go -> GO
    d.go(); // @ref go -> GO
    Rc::clone(&b).borrow_mut().go(); // @ref clone -> external; @ref go -> GO
}
""")


def test_self_and_associated_items() -> None:
    check("""
struct Counter { n: u32 } // @def Counter as C; @def n as N
impl Counter {
    const START: u32 = 1; // @def START as START
    fn new() -> Self { Self { n: Self::START } } // @def new as NEW; @ref Self#2 -> C; @ref n -> N; @ref START -> START
    fn bump(mut self) -> Self { self.n += 1; self } // @def bump as BUMP; @ref n -> N
}
fn run() {
    Counter::new().bump().bump(); // @ref new -> NEW; @ref bump -> BUMP; @ref bump#2 -> BUMP
    let Counter { n } = Counter::new(); // @ref n -> N
    let c = Counter { n, ..Counter::new() }; // @ref n -> N
    c.bump(); // @ref bump -> BUMP
}
""")


def test_enums_with_every_shape_of_variant() -> None:
    check("""
enum Shape {
    Unit, // @def Unit as U
    Pair(Left, u8), // @def Pair as P
    Named { left: Left }, // @def Named as N; @def left as F
}
struct Left;
impl Left { fn go(&self) {} } // @def go as GO
use Shape::Pair as Two; // @ref Pair -> P
fn run(s: Shape) {
    match s {
        Shape::Unit => {} // @ref Unit -> U
        Two(l, ..) => l.go(), // @ref Two -> P; @ref go -> GO
        Shape::Named { left } => left.go(), // @ref Named -> N; @ref left -> F; @ref go -> GO
    }
    let made = Shape::Named { left: Left }; // @ref Named -> N; @ref left -> F
    let f = Some(Left).map(|l| Shape::Pair(l, 1)); // @ref Pair -> P
}
""")


def test_associated_types_of_bounds_and_impls() -> None:
    check("""
struct Thing; impl Thing { fn go(&self) {} } // @def go as GO
trait Source { type Out; fn get(&self) -> Self::Out; } // @def Out as OUT; @ref Out#2 -> OUT; @def get as GET
struct Real;
impl Source for Real { type Out = Thing; fn get(&self) -> Thing { Thing } } // @def get as REAL
fn concrete(r: Real) { r.get().go(); } // @ref get -> REAL; @ref go -> GO
fn bound<S: Source<Out = Thing>>(s: S) { s.get().go(); } // @ref get -> GET; @ref go -> GO
fn object(s: &dyn Source<Out = Thing>) { s.get().go(); } // @ref go -> GO
fn projected<S>(x: <S as Source>::Out, s: S) where S: Source, S::Out: Go {
    x.run(); s.get().run(); // @ref run -> RUN; @ref run#2 -> RUN
}
trait Go { fn run(&self); } // @def run as RUN
""")


def test_a_qualified_path_takes_the_impl_of_the_arguments_that_it_names() -> None:
    check("""
use std::ops::Index;
struct Row; struct Column; struct Table;
impl Index<Row> for Table { type Output = u8; fn index(&self, _: Row) -> &u8 { &1 } } // @def index as ROW
impl Index<Column> for Table { type Output = u8; fn index(&self, _: Column) -> &u8 { &1 } } // @def index as COLUMN
fn run<K>(t: Table, k: K) where Table: Index<K> {
    <Table as Index<Row>>::index(&t, Row); // @ref index -> ROW
    <Table as Index<Column>>::index(&t, Column); // @ref index -> COLUMN
    <Table as Index<K>>::index(&t, k); // @ref index -> open
}
""")


def test_blanket_impls_reach_what_their_bounds_allow() -> None:
    check("""
trait Named { fn name(&self) -> u8; }
struct A; struct B;
impl Named for A { fn name(&self) -> u8 { 1 } }
trait Loud { fn shout(&self) {} } // @def shout as SHOUT
impl<T: Named> Loud for T {}
fn run(a: A, b: B) {
    a.shout(); // @ref shout -> SHOUT
    b.shout(); // @ref shout -> open
}
""")


def test_an_impl_within_bounds_is_for_types_that_satisfy_them() -> None:
    check("""
use std::sync::Arc;
trait Inner { fn name(&self) -> u8; } // @def name as INNER
trait Outer { fn name(&self) -> u8; } // @def name as OUTER
impl<P: Inner + ?Sized> Inner for Arc<P> { fn name(&self) -> u8 { 1 } } // @def name as ARC
fn run(a: Arc<dyn Outer>, b: Arc<dyn Inner>) {
    a.name(); // @ref name -> OUTER
    b.name(); // @ref name -> ARC
}
""")


def test_traits_that_a_file_brings_in_come_first() -> None:
    check(
        """
pub mod one { pub trait One { fn go(&self) {} } } // @def go as ONE
pub mod two { pub trait Two { fn go(&self) {} } } // @def go as TWO
pub struct S;
mod first;
mod second;
""",
        src__first="use crate::one::One;\nfn run(s: crate::S) { s.go(); } // @ref go -> ONE\n",
        src__second="""
use crate::two::Two as _;
impl crate::one::One for crate::S {}
impl crate::two::Two for crate::S {}
fn run(s: crate::S) { s.go(); } // @ref go -> TWO
""",
    )


def test_receivers_in_smart_pointers() -> None:
    check("""
use std::pin::Pin;
trait Poller { fn poll(self: Pin<&mut Self>) -> u8; } // @def poll as DECL
struct Real;
impl Poller for Real { fn poll(self: Pin<&mut Self>) -> u8 { 1 } } // @def poll as REAL
impl<P: Poller> Poller for Pin<P> { fn poll(self: Pin<&mut Self>) -> u8 { 2 } }
fn run<P: Poller + Unpin>(mut p: P, mut r: Real) {
    Pin::new(&mut p).poll(); // @ref poll -> DECL
    Pin::new(&mut r).poll(); // @ref poll -> REAL
}
""")


def test_derived_and_unknown_methods() -> None:
    linked = check("""
#[derive(Clone, Default)] struct S; // @ref Clone -> external
impl S { fn go(&self) {} } // @def go as GO
fn run(s: S) {
    s.clone().go(); // @ref clone -> external; @ref go -> GO
    S::default().go(); // @ref default -> external; @ref go -> GO
    s.missing(); // @ref missing -> open
    unknown(s).go(); // @ref go -> open
}
""")
    assert linked.at("src/lib.rs", 5, "clone").external == "std:clone.Clone.clone"


def test_only_core_gives_standard_types_inherent_methods() -> None:
    check("""
mod mock { impl<T> [T] { fn len(&self) -> usize { 0 } } }
fn run(v: Vec<u8>) { v.len(); } // @ref len -> external
trait Extra { fn extra(&self) {} } // @def extra as E
impl Extra for str {}
impl<T> Extra for Vec<T> {}
fn more(s: String, v: Vec<u8>) { s.extra(); v.extra(); } // @ref extra -> E; @ref extra#2 -> E
""")


def test_overridden_gives_the_declaration_in_the_trait() -> None:
    source = b"""trait T { type O; fn f(&self); fn g(&self) {} }
struct S;
impl T for S { type O = u8; fn f(&self) {} }
impl S { fn f(&self) {} }
"""
    facts = extract(RUST, "src/lib.rs", source)
    linker = RUST.linker(World([FileRecord(0, "src/lib.rs", "rust", "", False)], [], lambda _: interface(facts)))
    at = {(fact.name, source.count(b"\n", 0, fact.start)): index for index, fact in enumerate(facts.definitions)}
    assert linker.overridden(at["f", 2]) == (at["f", 0],)
    assert linker.overridden(at["O", 2]) == (at["O", 0],)
    assert linker.overridden(at["f", 3]) == ()

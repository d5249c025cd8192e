"""Extraction and linking of anything: no input makes them fail, and the order of files changes nothing."""

import random

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.languages.facts import extract, interface
from graph.languages.java import LANGUAGES
from graph.link.answers import Resolution
from graph.link.world import FileRecord, World
from graph.model import FileFacts

(JAVA,) = LANGUAGES
SOURCE = """
package a.b;
import static x.Y.z;
import x.*;
/** Doc. */
@A(b = 1, c = {2, 3}) public sealed class Foo<T extends Bar & Baz<T>> extends x.Q<T>.R implements I, J permits K {
  @B("x") private final int[] a = {1, 2}, b[];
  enum E { X(1) { void f() {} }, Y; int q; E(int... n) {} }
  record P<T>(int x, @N String... y) { P { x = 1; } }
  @interface An { int v() default 3; }
  static { foo(); }
  { bar(); }
  <U> Foo(U u) throws IOException, a.X { <String>super(u); this.<X>foo(); }
  int m(final Foo<? super T> this, int... xs)[] {
    var x = (Foo & Bar) y;
    for (int i = 0, j = 1; i < 2; i++, j--) ;
    for (final var q : list) {}
    try (var r = open(); this.s; InputStream t = z) {} catch (final A | B e) {} finally {}
    switch (x) { case A, B: foo(); break; default: }
    int k = switch (x) { case Circle(int r, var s) -> r; case null, default -> { yield 2; } };
    if (x instanceof final Foo f && y instanceof P(int a, var b)) return;
    F g = (a, b) -> a; G h = (int a, String b) -> { return a; }; H i = q -> q; L l = (var v) -> v;
    use(Foo::bar, this::<X>x, int[]::new, Foo<X>::new, super::foo, a.B::c);
    a.b.c.D.e(); Outer.this.x = 1; Outer.super.foo(); super.x++;
    new Foo<>(1) { int z; }; o.new Inner(); new int[3][]; new @A int[] {1};
    assert x : "y\u00e9\u4e16"; synchronized (a) {} lab: while (true) break lab; do {} while (x);
    x[1].y = 2; a = a ? b : c; s = "s" + 'c' + 1L + 1.0f + null + true + String.class;
    class Local extends Foo<T> { void n() { x(); } }
    new Local().n();
  }
}
"""


def check_facts(source: bytes) -> FileFacts:
    """Extract and link one file alone: names slice, indices are in range, and every reference gets a resolution."""
    facts = extract(JAVA, "p/Foo.java", source)
    for reference in facts.references:
        assert source[reference.start : reference.end].decode("utf-8", "replace") == reference.name
        assert -1 <= reference.expression < len(facts.expressions)
        assert 0 <= reference.enclosing < len(facts.definitions)
    for fact in facts.definitions[1:]:
        name = source[fact.name_start : fact.name_end].decode("utf-8", "replace")
        assert name == fact.name or (fact.name == "<anonymous>" and not name)
        assert fact.start <= fact.name_start <= fact.name_end <= fact.end
    stored = orjson.loads(orjson.dumps(interface(facts)))
    world = World([FileRecord(0, "p/Foo.java", "java", facts.package, False)], [], lambda _: stored)
    rows = [(fact.kind, fact.expression, fact.arguments, fact.enclosing) for fact in facts.references]
    assert len(JAVA.linker(world).link(0, rows)) == len(rows)
    return facts


def test_the_sample_is_read_whole() -> None:
    facts = check_facts(SOURCE.encode())
    assert not facts.damage
    assert len(facts.references) > 80


@given(st.binary(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_bytes(source: bytes) -> None:
    check_facts(source)


@given(st.lists(st.sampled_from(SOURCE.split()), max_size=60))
@settings(max_examples=60, deadline=None)
def test_any_words(words: list[str]) -> None:
    check_facts(" ".join(words).encode())


@pytest.mark.parametrize("seed", range(25))
def test_mutations_of_real_code(seed: int) -> None:
    """Parts are deleted, repeated and moved."""
    choose = random.Random(seed)
    source = SOURCE.encode()
    for _ in range(choose.randint(1, 6)):
        start = choose.randrange(len(source))
        end = min(len(source), start + choose.randint(1, 80))
        kind = choose.randrange(3)
        middle = b"" if kind == 0 else source[start:end] * 2
        rest = source[end:]
        source = source[:start] + middle + rest if kind < 2 else source[:start] + rest + source[start:end]
    check_facts(source)


@pytest.mark.parametrize(
    "body",
    [
        "{" * 5000 + "}" * 5000,
        "x = " + "(" * 5000 + "1" + ")" * 5000 + ";",
        "x = " + "f(" * 5000 + "1" + ")" * 5000 + ";",
        "x" + ".a().b" * 5000 + "();",
        "x = 1" + " + 1" * 5000 + ";",
        "if (a) b(); else " * 5000 + "c();",
        "x = " + "a -> " * 5000 + "1;",
        "x = " + "a ? b : " * 5000 + "c;",
        "new A() { void m() { " * 1000 + "}};" * 1000,
        "int" + "[]" * 5000 + " x;",
        "List" + "<List" * 5000 + ">" * 5000 + " x;",
    ],
    ids=[
        "blocks",
        "parentheses",
        "calls",
        "chain",
        "sum",
        "else",
        "lambdas",
        "ternaries",
        "classes",
        "array",
        "generic",
    ],
)
def test_deep_nesting(body: str) -> None:
    facts = check_facts(f"class A {{ void m() {{ {body} }} }}".encode())
    assert facts.definitions[1].name == "A"


FILES = {
    "p/Base.java": """package p;
public class Base<T> { T get() { return null; } void m(Object o) {} void m(T t) {} }
""",
    "p/Child.java": """package p;
class Child extends Base<Other> { void go() { get().run(x -> x.m(get())); m(get()); } }
""",
    "p/Circle.java": """package p;
class Circle extends Ring { void a() { b(); } }
class Ring extends Circle { void b() { a(); } }
""",
    "p/Other.java": """package p;
class Other {
    <R> R run(java.util.function.Function<Child, R> f) { return null; }
    Child all() { return run(c -> run(d -> c.get().all())); }
}
""",
}


def links(order: list[int]) -> dict[int, list[Resolution]]:
    paths = sorted(FILES)
    facts = [extract(JAVA, path, FILES[path].encode()) for path in paths]
    records = [FileRecord(number, path, "java", "p", False) for number, path in enumerate(paths)]
    linker = JAVA.linker(World(records, [], lambda number: interface(facts[number])))
    return {
        number: linker.link(
            number, [(one.kind, one.expression, one.arguments, one.enclosing) for one in facts[number].references]
        )
        for number in order
    }


def test_the_order_of_files_does_not_matter() -> None:
    expected = links([0, 1, 2, 3])
    for order in ([3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]):
        found = links(order)
        assert {number: found[number] for number in sorted(found)} == expected

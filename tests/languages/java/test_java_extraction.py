"""What extraction says of definitions and references by themselves."""

import pytest

from graph.model import DefinitionKind, Flag, Visibility, word
from tests.languages.java.java_repository import definition, link

SOURCE = """
package p;

/**
 * Keeps {@code things}. More is said
 * later.
 *
 * @param <T> what is kept
 */
@SuppressWarnings("all")
public abstract class A<T extends Comparable<T>> extends Base implements Face, Other<T> {
    /** How many. */
    protected static final int COUNT = 1, other[] = {};
    private T held; /* ... */ private String url = "http://x"; // not a part

    /** @deprecated use another */
    public A(T held) throws java.io.IOException { this.held = held; }

    abstract <R> R give(final java.util.List<? extends R> many, int... rest);

    @Test
    @Deprecated
    // Here is why.
    void works() {}

    interface Inner { int LIMIT = 2; void m(); default void d() {} }
    enum Kind { ONE, TWO { void x() {} }; Kind() {} }
    record Pair(int left, String right) {}
    @interface Mark { String value(); }
    { int n = 0; }
    static { COUNT2 = 1; }
}
"""


def test_kinds_and_qualified_names() -> None:
    linked = link(SOURCE)
    found = [(word(DefinitionKind(fact.kind)), fact.qualified_name) for fact in linked.definitions("A.java")]
    assert found == [
        ("class", "A"), ("field", "A.COUNT"), ("field", "A.other"), ("field", "A.held"), ("field", "A.url"),
        ("constructor", "A.A"), ("method", "A.give"), ("method", "A.works"),
        ("interface", "A.Inner"), ("field", "A.Inner.LIMIT"), ("method", "A.Inner.m"), ("method", "A.Inner.d"),
        ("enum", "A.Kind"), ("enum-member", "A.Kind.ONE"), ("enum-member", "A.Kind.TWO"),
        ("class", "A.Kind.TWO.<anonymous>"), ("method", "A.Kind.TWO.<anonymous>.x"), ("constructor", "A.Kind.Kind"),
        ("class", "A.Pair"), ("field", "A.Pair.left"), ("field", "A.Pair.right"),
        ("interface", "A.Mark"), ("method", "A.Mark.value"),
    ]  # fmt: skip
    assert linked.facts["A.java"].package == "p"


@pytest.mark.parametrize(
    ("name", "signature", "doc"),
    [
        (
            "A",
            "public abstract class A<T extends Comparable<T>> extends Base implements Face, Other<T>",
            "Keeps things.",
        ),
        ("A.COUNT", "protected static final int COUNT = 1, other[] = {}", "How many."),
        ("A.A", "public A(T held) throws java.io.IOException", ""),
        ("A.give", "abstract <R> R give(final java.util.List<? extends R> many, int... rest)", ""),
        ("A.works", "void works()", ""),
        ("A.url", 'private String url = "http://x"', ""),
        ("A.Pair", "record Pair(int left, String right)", ""),
    ],
)
def test_signatures_and_summaries(name: str, signature: str, doc: str) -> None:
    fact = definition(link(SOURCE), name)
    assert (fact.signature, fact.doc) == (signature, doc)


@pytest.mark.parametrize(
    ("name", "flags", "visibility"),
    [
        ("A", Flag.ABSTRACT | Flag.EXPORTED, Visibility.PUBLIC),
        ("A.COUNT", Flag.STATIC, Visibility.PROTECTED),
        ("A.held", Flag(0), Visibility.PRIVATE),
        ("A.A", Flag.DEPRECATED | Flag.EXPORTED, Visibility.PUBLIC),
        ("A.give", Flag.ABSTRACT, Visibility.PACKAGE),
        ("A.works", Flag.TEST | Flag.DEPRECATED, Visibility.PACKAGE),
        ("A.Inner.LIMIT", Flag.STATIC | Flag.EXPORTED, Visibility.PUBLIC),
        ("A.Inner.m", Flag.ABSTRACT | Flag.EXPORTED, Visibility.PUBLIC),
        ("A.Inner.d", Flag.EXPORTED, Visibility.PUBLIC),
        ("A.Inner", Flag.ABSTRACT | Flag.STATIC, Visibility.PACKAGE),
        ("A.Kind.ONE", Flag.STATIC | Flag.EXPORTED, Visibility.PUBLIC),
    ],
)
def test_flags_and_visibility(name: str, flags: Flag, visibility: Visibility) -> None:
    fact = definition(link(SOURCE), name)
    assert (Flag(fact.flags), fact.visibility) == (flags, visibility)


def test_parameters_and_type_parameters() -> None:
    linked = link(SOURCE)
    assert [(part[0], part[3]) for part in definition(linked, "A.give").parameters] == [("many", 0), ("rest", 1)]
    assert [part[0] for part in definition(linked, "A").type_parameters] == ["T"]
    assert [part[0] for part in definition(linked, "A.Pair").parameters] == ["left", "right"]


def test_classes_under_test_sources_are_tests() -> None:
    linked = link("-- m/src/test/java/p/ATest.java --\nclass ATest {}\n-- m/src/main/java/p/B.java --\nclass B {}\n")
    assert definition(linked, "ATest", "m/src/test/java/p/ATest.java").flags & Flag.TEST
    assert not definition(linked, "B", "m/src/main/java/p/B.java").flags & Flag.TEST


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("class A extends B implements C, D<E> {}", "base B, implement C, implement D, type E"),
        ("interface A extends B, C {}", "base B, base C"),
        ("sealed interface A permits B {}", "type B"),
        ("class A { @M(x = 1) int f; }", "decorate M, read x"),
        ("class A { void m() throws X { throw new Y(1); } }", "raise X, raise Y"),
        ("class A { Object o = (B) new C<D>(); }", "type Object, type B, construct C, type D"),
        ("class A { int f; void m() { f = f + 1; this.f++; f(f); } }", "write f, read f, write f, call f, read f"),
        ("class A { Object o = B::m; Object p = C::new; }", "type Object, type B, read m, type Object, construct C"),
        ("class A { boolean b = o instanceof B x && x.y; }", "read o, type B, read y"),
        ("class A { void m() { try { } catch (X | Y e) { e.z(); } } }", "type X, type Y, call z"),
        ("class A { void m() { new int[3].length(); B.class.n(); } }", "call length, type B, call n"),
        ("class A { void m(A this, int... x) { A.this.k(); super.k(); } }", "type A, type A, call k, call k"),
        ("class A { void m() { o.<T>k(); new <U>B(); } }", "read o, type T, call k, type U, construct B"),
        ("import a.B; import static c.D.e; import f.*;", "import B, import D, import e"),
        ("class A { A() { this(1); } A(int n) { super(n); } }", "call this, call super"),
        ("class A { void m(B b) { b.c.d = b.e[0].f; } }", "type B, read c, write d, read e, read f"),
    ],
)
def test_references_of_every_kind(line: str, kinds: str) -> None:
    linked = link(line)
    found = sorted(linked.answers, key=lambda one: (one.line, one.column))
    assert ", ".join(f"{one.kind} {one.name}" for one in found) == kinds


def test_references_stand_in_the_definition_around_them() -> None:
    facts = link("""
class A {
    int f = a();
    { b(); }
    A() { c(); }
    void m() { Runnable r = () -> d(); new Object() { void n() { e(); } }; }
    enum K { X(g()); K(int n) {} }
}
""").facts["A.java"]
    found = {one.name: facts.definitions[one.enclosing].qualified_name for one in facts.references if one.kind == 0}
    assert found == {
        "a": "A.f", "b": "A", "c": "A.A", "d": "A.m", "e": "A.m.<anonymous>.n", "g": "A.K.X",
    }  # fmt: skip


def test_damaged_code_keeps_what_can_be_read() -> None:
    linked = link("""
class A {
    void before() {}
    void broken( { before(; }
    void after() { before(); }
}
""")
    assert linked.facts["A.java"].damage
    assert linked.at("A.java", 4, "before").targets == ("A.java:2:method:A.before",)


def test_conflict_markers_are_damage() -> None:
    facts = link("""
class A {
<<<<<<< ours
    void m() {}
=======
    void m(int n) {}
>>>>>>> theirs
}
""").facts["A.java"]
    assert facts.conflict_markers
    assert [fact.flags & Flag.DAMAGED for fact in facts.definitions if fact.name == "m"] == [Flag.DAMAGED] * 2

"""Overloads: by number and by types of arguments, most specific first (JLS 15.12.2)."""

import pytest

from tests.languages.java.java_repository import answer, check, link


def test_by_number_of_arguments_and_variable_arity() -> None:
    check("""
class A {
    void m() {} // @def m as NONE
    void m(int a) {} // @def m as ONE
    void m(String first, Object... rest) {} // @def m as REST
    void k(Object o) {} // @def k as K_ONE
    void k(Object... o) {} // @def k as K_REST
    void go(Object[] many) {
        m(); // @ref m -> NONE
        m(1); // @ref m -> ONE
        m("a"); // @ref m -> REST
        m("a", 1, 2); // @ref m -> REST
        k(1); // @ref k -> K_ONE
        k(1, 2); // @ref k -> K_REST
        k(many); // @ref k -> K_REST
        k(); // @ref k -> K_REST
    }
}
""")


def test_subtyping_comes_before_boxing_and_boxing_before_variable_arity() -> None:
    check("""
class A {
    void m(long a) {} // @def m as LONG
    void m(Integer a) {} // @def m as BOX
    void m(Object a) {} // @def m as OBJECT
    void m(int... a) {} // @def m as MANY
    void b(Integer a) {} // @def b as B_BOX
    void b(int... a) {} // @def b as B_MANY
    void go(Integer boxed, short s, boolean flag) {
        m(1); // @ref m -> LONG
        m(boxed); // @ref m -> BOX
        m(s + 1); // @ref m -> LONG
        m('c'); // @ref m -> LONG
        m(1.5); // @ref m -> OBJECT
        m(flag); // @ref m -> OBJECT
        m("text" + 1); // @ref m -> OBJECT
        m(1, 2); // @ref m -> MANY
        b(1); // @ref b -> B_BOX
        b(1, 2); // @ref b -> B_MANY
    }
}
""")


def test_the_most_specific_type_wins() -> None:
    check("""
class A {
    static class Base {}
    static class Child extends Base {}
    void m(Object a) {} // @def m as OBJECT
    void m(Base a) {} // @def m as BASE
    void m(Child a) {} // @def m as CHILD
    void m(CharSequence a) {} // @def m as CHARS
    void m(Base[] a) {} // @def m as ARRAY
    void go(Base base, Child child, Object object, boolean flag, Child[] children, StringBuilder builder) {
        m(base); // @ref m -> BASE
        m(child); // @ref m -> CHILD
        m(object); // @ref m -> OBJECT
        m(flag ? base : child); // @ref m -> BASE
        m((Base) child); // @ref m -> BASE
        m("text"); // @ref m -> CHARS
        m(builder.append(1)); // @ref m -> CHARS
        m(children); // @ref m -> ARRAY
        m(new int[0]); // @ref m -> OBJECT
        m(A.class); // @ref m -> OBJECT
    }
}
""")


def test_null_goes_to_the_most_specific_reference_type() -> None:
    check("""
class A {
    void m(Object a) {}
    void m(String a) {} // @def m as STRING
    void m(int a) {}
    void go() { m(null); } // @ref m -> STRING
}
""")


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("unknown()", "a value of an unknown type"),
        ("org.elsewhere.Lib.make()", "what something from elsewhere gives"),
        ("null", "two types of which neither is more specific"),
    ],
)
def test_what_does_not_decide_leaves_the_candidates(argument: str, why: str) -> None:
    linked = link(f"""
class A {{
    void m(String a) {{}}
    void m(Integer a) {{}}
    void m(int a, int b) {{}}
    void go() {{ m({argument}); }}
}}
""")
    found = answer(linked, "m")
    assert found.status == "ambiguous", why
    assert [target.split(":")[1] for target in found.targets] == ["2", "3"], why


def test_unknown_arguments_do_not_matter_where_all_candidates_want_the_same() -> None:
    check("""
class A {
    void m(String name, int a) {} // @def m as INT
    void m(String name, boolean a) {} // @def m as FLAG
    void go() {
        m(unknown(), 1); // @ref m -> INT
        m(unknown(), true); // @ref m -> FLAG
    }
}
""")


def test_overloads_of_a_supertype_take_part_and_overridden_ones_do_not() -> None:
    check("""
class A {
    static class Base<T> {
        void m(T a) {}
        void m(String a, int b) {} // @def m as TWO
        void m(boolean a) {} // @def m as FLAG
    }
    static class Child extends Base<Integer> {
        @Override void m(Integer a) {} // @def m as OWN
        void m(String a) {} // @def m as STRING
        void go() {
            m(1); // @ref m -> OWN
            m("a"); // @ref m -> STRING
            m(true); // @ref m -> FLAG
            m("a", 1); // @ref m -> TWO
        }
    }
}
""")


def test_overloads_of_the_jdk_take_part() -> None:
    check("""
class A extends java.util.ArrayList<String> {
    boolean add(Integer a) { return true; } // @def add as OWN
    void go() {
        add(1); // @ref add -> OWN
        add("x"); // @ref add -> external
        add(0, "x"); // @ref add -> external
        remove(1); // @ref remove -> external
    }
}
""")


def test_constructors_by_arguments_and_the_class_where_that_does_not_decide() -> None:
    linked = check("""
class A { // @def A as CLASS
    A(int a) {}
    A(String a) {} // @def A as STRING
    static class Plain {} // @def Plain as PLAIN
    static class Box<T> {
        Box(T value, T other) {} // @def Box as BOX
    }
    static A[] many = { new A("x"), new A(unknown()) }; // @ref A#2 -> STRING; @ref A#3 -> CLASS
    static Object plain = new Plain(); // @ref Plain -> PLAIN
    static Box<String> box = new Box<>("a", "b"); // @ref Box#2 -> BOX
}
""")
    assert answer(linked, "Plain").kind == "construct"


def test_lambdas_choose_by_shape_and_number_of_parameters() -> None:
    check("""
import java.util.concurrent.Callable;
import java.util.function.*;
class A {
    void run(Runnable r) {} // @def run as RUNNABLE
    <T> void run(Callable<T> c) {} // @def run as CALLABLE
    void take(Function<String, Integer> f) {} // @def take as ONE
    void take(BiFunction<String, String, Integer> f) {} // @def take as TWO
    void take(Consumer<String> f, int n) {}
    String give() { return ""; }
    void nothing() {}
    void go() {
        run(() -> {}); // @ref run -> RUNNABLE
        run(() -> { return 1; }); // @ref run -> CALLABLE
        run(() -> 1); // @ref run -> CALLABLE
        run(() -> give()); // @ref run -> CALLABLE
        run(this::nothing); // @ref run -> RUNNABLE
        run(() -> { throw new IllegalStateException(); }); // @ref run -> CALLABLE
        take(a -> a.length()); // @ref take -> ONE; @ref length -> external
        take((a, b) -> a.length() + b.length()); // @ref take -> TWO
        take(String::length); // @ref take -> ONE
    }
}
""")


def test_method_references_choose_by_the_functional_interface() -> None:
    check("""
import java.util.*;
import java.util.function.*;
class A {
    int size() { return 0; } // @def size as OWN
    static int size(A a, int n) { return n; } // @def size as STATIC
    static A make(String s) { return new A(); } // @def make as STRING
    static A make(int n) { return new A(); } // @def make as INT
    A() {} // @def A as NONE
    A(String s) {} // @def A as TEXT
    void go(List<String> texts, Optional<Integer> number) {
        ToIntFunction<A> f = A::size; // @ref size -> OWN
        ToIntBiFunction<A, Integer> g = A::size; // @ref size -> STATIC
        IntSupplier h = this::size; // @ref size -> OWN
        texts.stream().map(A::make); // @ref make -> STRING
        number.map(A::make); // @ref make -> INT
        texts.stream().map(A::new).forEach(A::size); // @ref A -> TEXT; @ref size -> OWN
        Supplier<A> s = A::new; // @ref A#2 -> NONE
    }
}
""")


def test_methods_that_may_not_be_called_take_no_part() -> None:
    check("""
-- p/Tool.java --
package p;
public class Tool {
    public static void m(Object a) {} // @def m as PUBLIC
    private static void m(String a) {}
    static void m(Integer a) {} // @def m as PACKAGE
}
-- p/Near.java --
package p;
class Near { void go() { Tool.m("a"); Tool.m(1); } } // @ref m -> PUBLIC; @ref m#2 -> PACKAGE
-- q/Far.java --
package q;
class Far { void go() { p.Tool.m("a"); p.Tool.m(1); } } // @ref m -> PUBLIC; @ref m#2 -> PUBLIC
""")


def test_type_arguments_that_have_nothing_in_common_do_not_fit() -> None:
    check("""
import java.util.*;
class A {
    void m(List<String> a) {} // @def m as STRINGS
    void m(Collection<Integer> a) {} // @def m as INTEGERS
    void k(Iterable<? extends Object> a) {} // @def k as ANY
    void k(Object... a) {}
    void go(List<String> strings, List<Integer> integers, List raw, List<?> any) {
        m(strings); // @ref m -> STRINGS
        m(integers); // @ref m -> INTEGERS
        m(raw); // @ref m -> STRINGS
        k(any); // @ref k -> ANY
    }
}
""")

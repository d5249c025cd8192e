"""Names and their scopes: locals, members, inherited members, imports, packages (JLS 6.3, 6.4.1, 6.5, 7.5)."""

import pytest

from tests.languages.java.java_repository import answer, check, link


def test_a_local_hides_a_field_only_where_it_is_in_force() -> None:
    linked = check("""
class A {
    int x; // @def x as FIELD

    int before() {
        int y = x; // @ref x -> FIELD
        int x = y;
        return x; // @ref x -> external
    }

    int after() {
        for (int x = 0; x < 3; x++) { // @ref x#2 -> external
            this.x = x; // @ref x -> FIELD; @ref x#2 -> external
        }
        return x; // @ref x -> FIELD
    }

    int lambda() {
        Runnable r = () -> { int x = 1; };
        return x; // @ref x -> FIELD
    }
}
""")
    assert [one.kind for one in linked.answers if one.name == "x"] == ["read", "write", "read", "read"]


def test_locals_around_an_anonymous_class() -> None:
    check("""
class A {
    static class T { void go() {} } // @def go as GO
    static class U { void go() {} } // @def go as OTHER
    U t;

    void outer() {
        { U t = new U(); t.go(); } // @ref go -> OTHER
        T t = new T();
        new Object() {
            void inner() { t.go(); } // @ref go -> GO
        };
        this.t.go(); // @ref go -> OTHER
    }

    void dead() {
        { T t = new T(); }
        new Object() {
            void inner() { t.go(); } // @ref go -> OTHER
        };
    }
}
""")


def test_members_of_the_innermost_class_come_before_those_around_it() -> None:
    check("""
class A {
    void m(int n) {} // @def m as OUTER_INT
    void k() {} // @def k as OUTER_K
    int f; // @def f as OUTER_F

    class B extends Base {
        void test() {
            k(); // @ref k -> BASE_K
            f = 1; // @ref f -> BASE_F
            A.this.k(); // @ref k -> OUTER_K
            A.this.f = 2; // @ref f -> OUTER_F
            m(1); // @ref m -> OUTER_INT
        }
    }
}

class Base {
    void k() {} // @def k as BASE_K
    protected int f; // @def f as BASE_F
    private void m(int n) {}
}
""")


def test_private_and_foreign_package_members_are_not_inherited() -> None:
    check("""
-- p/Base.java --
package p;
public class Base {
    void hidden() {}
    protected void open() {} // @def open as OPEN
}
-- q/Child.java --
package q;
class Outer {
    void hidden() {} // @def hidden as OUTER
    class Child extends p.Base {
        void go() {
            hidden(); // @ref hidden -> OUTER
            open(); // @ref open -> OPEN
        }
    }
}
""")


def test_single_type_import_beats_same_package_beats_imports_on_demand() -> None:
    linked = check("""
-- a/Thing.java --
package a;
public class Thing {} // @def Thing as A_THING
-- a/Other.java --
package a;
public class Other {} // @def Other as A_OTHER
-- b/Thing.java --
package b;
public class Thing {} // @def Thing as B_THING
-- b/Other.java --
package b;
public class Other {} // @def Other as B_OTHER
-- b/Record.java --
package b;
public class Record {} // @def Record as B_RECORD
-- b/Use.java --
package b;
import a.Thing; // @ref Thing -> A_THING
import a.*;
class Use {
    Thing thing; // @ref Thing -> A_THING
    Other other; // @ref Other -> B_OTHER
    String text; // @ref String -> external
    Record record; // @ref Record -> B_RECORD
}
""")
    assert linked.at("b/Use.java", 7, "String").external == "java.base:java.lang.String"


def test_nested_types_by_import_by_inheritance_and_by_qualified_name() -> None:
    check("""
-- a/Outer.java --
package a;
public class Outer { // @def Outer as OUTER
    public static class Inner { // @def Inner as INNER
        public static int size; // @def size as SIZE
        public enum Kind { ONE } // @def Kind as KIND; @def ONE as ONE
    }
}
-- b/Use.java --
package b;
import a.Outer.Inner; // @ref Outer -> OUTER; @ref Inner -> INNER
import a.Outer.Inner.*;
class Use extends a.Outer { // @ref Outer -> OUTER
    Inner inner; // @ref Inner -> INNER
    Kind kind = Kind.ONE; // @ref Kind -> KIND; @ref Kind#2 -> KIND; @ref ONE -> ONE
    int size = a.Outer.Inner.size; // @ref Outer -> OUTER; @ref Inner -> INNER; @ref size#2 -> SIZE
}
""")


def test_static_imports_single_and_on_demand() -> None:
    check("""
-- a/Tools.java --
package a;
public class Tools {
    public static int LIMIT = 1; // @def LIMIT as LIMIT
    public static void run() {} // @def run as RUN
    public static void run(int n) {} // @def run as RUN_INT
    public static void walk() {} // @def walk as WALK
    public interface Kind {} // @def Kind as KIND
}
-- b/Use.java --
package b;
import static a.Tools.run; // @ref run -> RUN, RUN_INT
import static a.Tools.*;
class Use {
    Kind kind; // @ref Kind -> KIND
    void go() {
        run(); // @ref run -> RUN
        run(LIMIT); // @ref run -> RUN_INT; @ref LIMIT -> LIMIT
        walk(); // @ref walk -> WALK
    }
    static class Own {
        void walk(int n) {} // @def walk as OWN
        void go() { walk(1); } // @ref walk -> OWN
    }
}
""")


def test_imports_of_what_is_not_there() -> None:
    linked = link("""
-- a/Tools.java --
package a;
public class Tools {}
-- b/Use.java --
package b;
import a.Missing;
import org.elsewhere.Thing;
import java.util.List;
class Use { Missing m; Thing t; List<Thing> l; }
""")
    assert answer(linked, "Missing").reason == "import-not-found"
    assert answer(linked, "Missing", 2).reason == "import-not-found"
    assert answer(linked, "Thing").external == "org.elsewhere:org.elsewhere.Thing"
    assert answer(linked, "List").external == "java.base:java.util.List"


def test_one_unknown_import_on_demand_must_bring_the_name_and_of_two_nobody_knows() -> None:
    one = link("import org.elsewhere.*;\nclass A { Thing t; }")
    assert answer(one, "Thing").external == "org.elsewhere:org.elsewhere.Thing"
    two = link("import org.elsewhere.*;\nimport org.other.*;\nclass A { Thing t; String s; }")
    assert answer(two, "Thing").status == "unresolved"
    assert answer(two, "String").external == "java.base:java.lang.String"


def test_type_parameters_hide_types_and_are_no_references() -> None:
    linked = check("""
class T { void wrong() {} }
class Base { void right() {} } // @def right as RIGHT
class A<T extends Base> {
    T held;
    void go() { held.right(); } // @ref right -> RIGHT
    <U extends T> void more(U u) { u.right(); } // @ref right -> RIGHT
    static <E extends Exception> void fail(E e) throws E { throw e; }
}
""")
    assert not [one for one in linked.answers if one.name in ("T", "U", "E")]


def test_local_classes_and_records_hide_members_and_see_locals() -> None:
    check("""
class A {
    static class Part { void go() {} }
    void outer(Helper seen) {
        record Part(int size) { void go() {} } // @def Part as LOCAL; @def size as SIZE; @def go as GO
        class Walker {
            Part next; // @ref Part -> LOCAL
            void walk() { next.go(); seen.help(); } // @ref go -> GO; @ref help -> HELP
        }
        int n = new Part(1).size(); // @ref Part -> LOCAL; @ref size -> SIZE
    }
}
class Helper { void help() {} } // @def help as HELP
""")


def test_a_name_before_a_dot_is_a_variable_then_a_type_then_a_package() -> None:
    check("""
-- p/Tool.java --
package p;
public class Tool { public static void run() {} } // @def run as RUN
-- q/Use.java --
package q;
class Use {
    static class Tool { static void run() {} } // @def run as OWN
    void go(Holder Tool) {
        Tool.run(); // @ref run -> HELD
        p.Tool.run(); // @ref run -> RUN
    }
    void direct() { Tool.run(); } // @ref run -> OWN
}
class Holder { void run() {} } // @def run as HELD
""")


@pytest.mark.parametrize("body", ["Unknown.go();", "unknown.go();", "go();", "new Unknown().go();"])
def test_a_method_that_nobody_declares_is_never_tied_to_one_of_its_name(body: str) -> None:
    linked = link(f"class A {{ void m() {{ {body} }} }}\nclass B {{ void go() {{}} }}")
    assert answer(linked, "go").status == "unresolved"


def test_an_unknown_superclass_may_have_any_member() -> None:
    linked = check("""
-- A.java --
import org.elsewhere.Base;
class A extends Base {
    void own() {} // @def own as OWN
    void go() {
        own(); // @ref own -> OWN
        foreign(); // @ref foreign -> external
        super.foreign(); // @ref foreign -> external
        toString(); // @ref toString -> external
        missing.go();
    }
}
""")
    assert answer(linked, "foreign").external == "org.elsewhere:org.elsewhere.Base.foreign"
    assert answer(linked, "toString").external == "java.base:java.lang.Object.toString"

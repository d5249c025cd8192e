"""Members through receivers: inheritance, interfaces, generics, enums, records, arrays (JLS 8, 9, 10, 15.11, 15.12)."""

from graph.model import Flag
from tests.languages.java.java_repository import answer, check, definition, link


def test_the_static_type_of_the_receiver_decides() -> None:
    check("""
class A {
    interface Shape { double area(); } // @def area as DECLARED
    static class Circle implements Shape {
        public double area() { return 1; } // @def area as CIRCLE
    }
    void go(Shape shape, Circle circle) {
        shape.area(); // @ref area -> DECLARED
        circle.area(); // @ref area -> CIRCLE
        ((Shape) circle).area(); // @ref area -> DECLARED
        new Circle().area(); // @ref area -> CIRCLE
        Shape other = new Circle();
        other.area(); // @ref area -> DECLARED
        var mine = new Circle();
        mine.area(); // @ref area -> CIRCLE
    }
}
""")


def test_superclasses_come_before_interfaces_and_subinterfaces_before_their_supers() -> None:
    check("""
class A {
    interface Top { default void m() {} }
    interface Left extends Top { default void m() {} } // @def m as LEFT
    interface Right extends Top {}
    static class Base { public void k() {} } // @def k as BASE
    interface K { void k(); }
    static class Both extends Base implements K, Right, Left {}
    void go(Both both) {
        both.m(); // @ref m -> LEFT
        both.k(); // @ref k -> BASE
    }
}
""")


def test_super_and_qualified_super() -> None:
    check("""
class A {
    static class Base {
        Base(int n) {} // @def Base as BASE_NEW
        void m() {} // @def m as BASE
    }
    interface Face { default void m() {} } // @def m as FACE
    static class Child extends Base implements Face {
        Child() { // @def Child as CHILD_NEW
            super(1); // @ref super -> BASE_NEW
        }
        Child(String s) {
            this(); // @ref this -> CHILD_NEW
        }
        public void m() {
            super.m(); // @ref m -> BASE
            Face.super.m(); // @ref m -> FACE
        }
    }
}
""")


def test_overridden_gives_what_a_method_overrides() -> None:
    linked = link("""
interface Face<T> { void put(T value); void put(T value, int n); }
abstract class Base implements Face<String> { public void put(String value, int n) {} private void own() {} }
class A extends Base {
    public void put(String value) {}
    public void put(String value, int n) {}
    public void put(Integer value) {}
    void own() {}
    static void put() {}
}
""")
    from graph.languages.facts import interface
    from graph.languages.java import LANGUAGES
    from graph.link.world import FileRecord, World

    facts = linked.facts["A.java"]
    linker = LANGUAGES[0].linker(World([FileRecord(0, "A.java", "java", "", False)], [], lambda _: interface(facts)))
    found = {
        (fact.qualified_name, fact.signature): sorted(
            facts.definitions[one].qualified_name for one in linker.overridden(index)
        )
        for index, fact in enumerate(facts.definitions)
        if fact.qualified_name.startswith("A.")
    }
    assert found == {
        ("A.put", "public void put(String value)"): ["Face.put"],
        ("A.put", "public void put(String value, int n)"): ["Base.put", "Face.put"],
        ("A.put", "public void put(Integer value)"): [],
        ("A.own", "void own()"): [],
        ("A.put", "static void put()"): [],
    }


def test_type_arguments_are_carried_through_members_and_supertypes() -> None:
    check("""
class A {
    static class Item { void go() {} } // @def go as GO
    interface Source<T> { T next(); } // @def next as NEXT
    static class Box<T> implements Source<T> {
        T value;
        public T next() { return value; }
        <R> Box<R> map(java.util.function.Function<? super T, ? extends R> f) { return null; }
    }
    static class Items extends Box<Item> {}
    static <T> T first(java.util.List<? extends T> values) { return null; }
    void test(Source<Item> source, Items items, Box<? extends Item> wild, java.util.Map<String, Box<Item>> map) {
        source.next().go(); // @ref next -> NEXT; @ref go -> GO
        items.value.go(); // @ref go -> GO
        items.next().go(); // @ref go -> GO
        wild.value.go(); // @ref go -> GO
        map.get("a").value.go(); // @ref get -> external; @ref go -> GO
        first(new java.util.ArrayList<Item>()).go(); // @ref go -> GO
        items.map(item -> item).value.go(); // @ref go -> GO
        new Box<>() {}.toString(); // @ref toString -> external
        for (Box<Item> box : map.values()) box.value.go(); // @ref go -> GO
        for (var entry : map.entrySet()) entry.getValue().value.go(); // @ref go -> GO
        Item[] many = {};
        many[0].go(); // @ref go -> GO
        for (var one : many) one.go(); // @ref go -> GO
        many.clone()[0].go(); // @ref clone -> external; @ref go -> GO
    }
}
""")


def test_bounds_of_type_parameters_give_members() -> None:
    check("""
class A {
    interface Named { String name(); } // @def name as NAME
    interface Sized { int size(); } // @def size as SIZE
    static <T extends Named & Sized> void go(T value) {
        value.name().length(); // @ref name -> NAME; @ref length -> external
        value.size(); // @ref size -> SIZE
        value.hashCode(); // @ref hashCode -> external
    }
}
""")


def test_enums_constants_bodies_and_switch_labels() -> None:
    linked = check("""
class A {
    static final int ONE = 1; // @def ONE as FIELD
    enum Kind {
        ONE { int weight() { return 1; } }, // @def ONE as ONE
        TWO; // @def TWO as TWO
        int weight() { return 2; } // @def weight as WEIGHT
    }
    int go(Kind kind, int n) {
        switch (kind) {
            case ONE: return kind.weight(); // @ref ONE -> ONE; @ref weight -> WEIGHT
            default:
        }
        switch (n) { case ONE: break; } // @ref ONE -> FIELD
        return switch (kind) { case ONE, TWO -> Kind.TWO.weight(); }; // @ref TWO -> TWO; @ref TWO#2 -> TWO
    }
    void implicit() {
        Kind.values()[0].weight(); // @ref values -> external; @ref weight -> WEIGHT
        Kind.valueOf("ONE").weight(); // @ref weight -> WEIGHT
        Kind.ONE.ordinal(); // @ref ordinal -> external
    }
}
""")
    assert answer(linked, "values").external == "java.base:java.lang.Enum.values"


def test_records_accessors_constructors_and_patterns() -> None:
    linked = check("""
class A {
    record Point(Coordinate x, int... rest) { // @def Point as POINT; @def x as X; @def rest as REST
        Point { x.check(); } // @def Point as COMPACT; @ref check -> CHECK
        Point(int n) { this(new Coordinate(), n); } // @def Point as SHORT; @ref this -> COMPACT
        static Point of() { return new Point(3); } // @ref Point#2 -> SHORT
    }
    record Line(Point from, Point to) { // @def from as FROM
        public Point to() { return to; } // @def to as TO
    }
    static class Coordinate { void check() {} } // @def check as CHECK
    void go(Object o, Line line) {
        line.from().x().check(); // @ref from -> FROM; @ref x -> X; @ref check -> CHECK
        line.to(); // @ref to -> TO
        if (o instanceof Line(Point(var x, var r), Point to) && x != null) {
            x.check(); // @ref check -> CHECK
            to.x(); // @ref x -> X
        }
        if (!(o instanceof Point p)) return;
        p.x(); // @ref x -> X
    }
}
""")
    assert definition(linked, "A.Line.from").extra == {"component": True}


def test_anonymous_classes_inherit_from_what_they_name() -> None:
    check("""
class A {
    static abstract class Task { abstract void run(); void stop() {} } // @def run as RUN; @def stop as STOP
    interface Face { void face(); } // @def face as FACE
    Task task = new Task() {
        void run() { stop(); helper(); } // @def run as OWN; @ref stop -> STOP; @ref helper -> HELPER
    };
    void helper() {} // @def helper as HELPER
    void go() {
        task.run(); // @ref run -> RUN
        new Task() { void run() {} void more() {} }.more(); // @def more as MORE; @ref more#2 -> MORE
        new Face() { public void face() { super.toString(); } }.face(); // @ref toString -> external
    }
}
""")


def test_object_methods_of_anything_are_external_unless_overridden() -> None:
    check("""
class A {
    interface Face {}
    static class Own { public String toString() { return ""; } } // @def toString as OWN
    void go(Face face, Own own, int[] numbers, A a) {
        face.toString(); // @ref toString -> external
        own.toString(); // @ref toString -> OWN
        numbers.hashCode(); // @ref hashCode -> external
        int n = numbers.length; // @ref length -> external
        a.getClass().getName(); // @ref getClass -> external; @ref getName -> external
    }
}
""")


def test_members_of_the_jdk_are_known_and_what_it_gives_back() -> None:
    check("""
import java.util.*;
import java.util.stream.*;
class A {
    String name() { return ""; } // @def name as NAME
    List<A> parts() { return List.of(); } // @def parts as PARTS
    void go(List<A> all, Optional<A> one, Map<String, List<A>> groups) {
        all.stream()
            .filter(a -> a.name().isEmpty()) // @ref name -> NAME; @ref isEmpty -> external
            .map(A::name) // @ref name -> NAME
            .forEach(s -> s.trim()); // @ref trim -> external
        one.map(a -> a.parts()) // @ref parts -> PARTS
            .orElseGet(() -> new ArrayList<>())
            .get(0).name(); // @ref name -> NAME
        groups.forEach((key, value) -> value.get(0).name()); // @ref name -> NAME
        groups.computeIfAbsent("x", k -> new ArrayList<>()).get(0).name(); // @ref name -> NAME
        all.sort(Comparator.comparing(a -> a.name())); // @ref name -> NAME
        var map = all.stream().collect(Collectors.groupingBy(a -> a.name())); // @ref name -> NAME
        map.get("x").get(0).name(); // @ref name -> NAME
        all.iterator().next().name(); // @ref name -> NAME
        System.out.println(all); // @ref out -> external; @ref println -> external
    }
}
""")


def test_members_of_a_class_with_a_generator_may_be_generated() -> None:
    linked = link("""
import lombok.*;
import lombok.extern.slf4j.Slf4j;
@Data @Slf4j
class A {
    private String name;
    void go() { getName(); log.info("x"); this.setName("y"); missing(); }
}
class B { void go(A a) { a.getName(); } void plain() { getName(); } }
class C { @Getter int n; void go() { getN(); } }
""")
    for name, occurrence in (("getName", 1), ("log", 1), ("setName", 1), ("getName", 2), ("getN", 1)):
        found = answer(linked, name, occurrence)
        assert (found.status, found.reason) == ("unresolved", "generated-member"), name
    assert answer(linked, "getName", 3).reason == "no-candidate"


def test_annotations_name_their_elements() -> None:
    linked = check("""
class A {
    @interface Mark { // @def Mark as MARK
        String value() default ""; // @def value as VALUE
        int size() default 1; // @def size as SIZE
        Deep[] deep() default {}; // @def deep as DEEP
    }
    @interface Deep { int value(); }
    static final int LIMIT = 1; // @def LIMIT as LIMIT
    @Mark( // @ref Mark -> MARK
        value = "x", // @ref value -> VALUE
        size = LIMIT, // @ref size -> SIZE; @ref LIMIT -> LIMIT
        deep = @Deep(2)) // @ref deep -> DEEP
    @Deprecated @Override public String toString() { return ""; } // @ref Override -> external
}
""")
    assert answer(linked, "Mark").kind == "decorate"
    method = definition(linked, "A.toString")
    assert method.flags & Flag.DEPRECATED
    assert method.extra == {"override": True}

"""What is recorded of definitions and references, and of files that cannot be read cleanly."""

from graph.model import DefinitionKind, FileFacts, Flag, Visibility, word
from tests.languages.go.go_repository import definition, link

SHAPES = """
-- shapes.go --
// Package shapes draws. It does more.
package shapes

// Limit is how many there are.
//
// Deprecated: ask [Count].
const Limit = 3

// Count counts
// over two lines. And more.
//
//go:noinline
func Count(items []Shape, rest ...int) (n int, err error) {
	return 0, nil
}

/*
Shape has an area.
*/
type Shape interface {
	// Area gives it.
	Area() float64
}

type (
	// Box is a box.
	Box[T any] struct {
		Width, height T
	}

	alias = Box[int]
)

var hidden, Seen = 1, 2

// not a doc comment

func (b *Box[T]) Area() float64 { return 0 }
"""


def test_kinds_names_and_visibility() -> None:
    linked = link(SHAPES)
    assert [
        (word(DefinitionKind(fact.kind)), fact.qualified_name, Visibility(fact.visibility).name)
        for fact in linked.definitions("shapes.go")
    ] == [
        ("constant", "Limit", "PUBLIC"),
        ("function", "Count", "PUBLIC"),
        ("interface", "Shape", "PUBLIC"),
        ("method", "Shape.Area", "PUBLIC"),
        ("struct", "Box", "PUBLIC"),
        ("field", "Box.Width", "PUBLIC"),
        ("field", "Box.height", "PACKAGE"),
        ("type", "alias", "PACKAGE"),
        ("variable", "hidden", "PACKAGE"),
        ("variable", "Seen", "PUBLIC"),
        ("method", "Box.Area", "PUBLIC"),
    ]
    module = linked.facts["shapes.go"].definitions[0]
    assert (module.name, module.doc) == ("shapes", "Package shapes draws.")


def test_signatures_and_docs() -> None:
    linked = link(SHAPES)
    shown = {fact.qualified_name: (fact.signature, fact.doc) for fact in linked.definitions("shapes.go")}
    assert shown["Count"] == (
        "func Count(items []Shape, rest ...int) (n int, err error)",
        "Count counts over two lines.",
    )
    assert shown["Limit"] == ("const Limit = 3", "Limit is how many there are.")
    assert shown["Shape"] == ("type Shape interface", "Shape has an area.")
    assert shown["Shape.Area"] == ("Area() float64", "Area gives it.")
    assert shown["Box"] == ("type Box[T any] struct", "Box is a box.")
    assert shown["Box.Width"] == ("Width, height T", "")
    assert shown["alias"] == ("type alias = Box[int]", "")
    assert shown["Seen"] == ("var hidden, Seen", "")
    assert shown["Box.Area"] == ("func (b *Box[T]) Area() float64", "")


def test_flags() -> None:
    linked = link(
        SHAPES
        + """
-- shapes_test.go --
package shapes

func TestCount() {}
func Test() {}
func Testament() {}
func ExampleCount() {}
func helper() {}
"""
    )
    assert definition(linked, "shapes.go", "Limit").flags & Flag.DEPRECATED
    assert definition(linked, "shapes.go", "Count").flags == Flag.EXPORTED
    assert definition(linked, "shapes.go", "Shape.Area").flags & Flag.ABSTRACT
    tests = [fact.name for fact in linked.definitions("shapes_test.go") if fact.flags & Flag.TEST]
    assert tests == ["TestCount", "Test", "ExampleCount"]


def test_methods_belong_to_the_type_that_their_file_declares() -> None:
    linked = link(SHAPES)
    facts = linked.facts["shapes.go"].definitions
    assert facts[definition(linked, "shapes.go", "Box.Area").parent].name == "Box"


def test_kinds_of_references() -> None:
    linked = link("""
-- a.go --
package a

import "fmt"

type Base struct{}

type Sink interface{ Base2 }

type Base2 interface{}

type T struct {
	Base
	other *Base
}

func main(sink Sink) {
	_ = T{other: nil}
	fmt.Println(main)
	var _ Sink = sink
}
""")
    assert [(answer.line, answer.kind, answer.name) for answer in linked.answers] == [
        (3, "import", "fmt"),
        (7, "base", "Base2"),
        (12, "base", "Base"),
        (13, "type", "Base"),
        (16, "type", "Sink"),
        (17, "construct", "T"),
        (17, "write", "other"),
        (18, "read", "fmt"),
        (18, "call", "Println"),
        (18, "read", "main"),
        (19, "type", "Sink"),
    ]


def test_references_stand_in_the_definition_around_them() -> None:
    linked = link("""
-- a.go --
package a

var start = build()

func build() int { return 1 }

type Config struct {
	Value Kind
}

type Kind int

func (c Config) Run() {
	func() { build() }()
}
""")
    facts = linked.facts["a.go"]
    inside = {(reference.name, facts.definitions[reference.enclosing].qualified_name) for reference in facts.references}
    assert inside == {
        ("build", "start"),
        ("Kind", "Config.Value"),
        ("Config", "Config.Run"),
        ("build", "Config.Run"),
    }


def test_qualifiers_and_argument_counts() -> None:
    linked = link("""
-- a.go --
package a

func main(list []int) {
	one.two.Three(1, /* two */ 2)
	four(list...)
}
""")
    found = {fact.name: (fact.qualifier, fact.arguments) for fact in linked.facts["a.go"].references if fact.kind == 0}
    assert found == {"Three": ("one.two", 2), "four": ("", -1)}


def test_names_beyond_ascii_are_sliced_by_bytes() -> None:
    linked = link("""
-- a.go --
package a

// Größe ist groß.
type Größe struct{ 世界 int }

func (g Größe) Zählen() int { return g.世界 + len("é") }
""")
    answer = linked.at("a.go", 6, "世界")
    assert answer.targets == ("a.go:4:field:Größe.世界",)
    _slices(linked.facts["a.go"], linked.sources["a.go"])


def test_damage_costs_only_what_it_covers() -> None:
    linked = link("""
-- a.go --
package a

func good() { help() }

func broken() {
	x := good().
	if {
}

func after() { good() }

func help() {}
""")
    facts = linked.facts["a.go"]
    assert facts.damage
    assert linked.at("a.go", 3, "help").targets == ("a.go:12:function:help",)
    assert linked.at("a.go", 6, "good").targets == ("a.go:3:function:good",)
    assert linked.at("a.go", 10, "good").targets == ("a.go:3:function:good",)
    assert not definition(linked, "a.go", "good").flags & Flag.DAMAGED


def test_conflict_markers_are_seen() -> None:
    linked = link("""
-- a.go --
package a

<<<<<<< HEAD
func one() {}
=======
func two() {}
>>>>>>> branch

func three() { one() }
""")
    assert linked.facts["a.go"].conflict_markers
    assert linked.at("a.go", 9, "one").targets == ("a.go:4:function:one",)


def test_an_empty_file_and_one_without_a_package_clause() -> None:
    linked = link("""
-- a.go --
-- b.go --
func alone() {}
""")
    assert linked.definitions("a.go") == []
    assert [fact.name for fact in linked.definitions("b.go")] == ["alone"]
    assert linked.facts["b.go"].package == ""


def _slices(facts: FileFacts, source: bytes) -> None:
    for reference in facts.references:
        assert source[reference.start : reference.end].decode() == reference.name
    for fact in facts.definitions[1:]:
        assert source[fact.name_start : fact.name_end].decode() == fact.name

"""Lexical scope (Go spec, Declarations and scope): what a bare name means."""

from tests.languages.go.go_repository import check, link


def test_parameters_and_locals_hide_package_level_names() -> None:
    check("""
-- a.go --
package a

func size() int { return 1 } // @def size as F

var limit = 2 // @def limit as V

func use(size func() int) int {
	return size() + limit // @ref size -> external; @ref limit -> V
}

func other() int {
	limit := 3
	return size() + limit // @ref size -> F; @ref limit -> external
}
""")


def test_a_short_declaration_is_in_scope_after_its_statement() -> None:
    check("""
-- a.go --
package a

type client struct{}

func connect() client { return client{} } // @def connect as F

func (client) close() {} // @def close as C

func main() {
	connect().close() // @ref connect -> F; @ref close -> C
	connect := connect() // @ref connect#2 -> F
	connect.close() // @ref connect -> external; @ref close -> C
}
""")


def test_a_block_ends_what_it_declares() -> None:
    check("""
-- a.go --
package a

func get() int { return 1 } // @def get as F

func main() {
	if get := 1; get > 0 { // @ref get#2 -> external
		_ = get // @ref get -> external
	}
	for get := range 3 {
		_ = get
	}
	switch get := 2; {
	case get > 1: // @ref get -> external
	}
	{
		get := 1
		_ = get
	}
	get() // @ref get -> F
}
""")


def test_each_case_of_a_type_switch_has_its_own_type() -> None:
    check("""
-- a.go --
package a

type Cat struct{}

func (Cat) Speak() {} // @def Speak as CatSpeak

type Dog struct{}

func (*Dog) Speak() {} // @def Speak as DogSpeak

type Animal interface {
	Speak() // @def Speak as Any
}

func main(animal Animal) {
	switch it := animal.(type) { // a comment in between
	case Cat:
		it.Speak() // @ref Speak -> CatSpeak
	case *Dog:
		it.Speak() // @ref Speak -> DogSpeak
	case nil:
		it.Speak() // @ref Speak -> Any
	default:
		it.Speak() // @ref Speak -> Any
	}
}
""")


def test_closures_see_what_is_around_them_and_hide_it() -> None:
    check("""
-- a.go --
package a

type T struct{}

func (T) run() {} // @def run as R

func run() {} // @def run as F

func main() {
	value := T{}
	func() {
		value.run() // @ref run -> R
		run()       // @ref run -> F
	}()
	func(run func()) {
		run() // @ref run -> external
	}(run) // @ref run -> F
}
""")


def test_a_receiver_or_parameter_does_not_hide_its_own_type_in_the_signature() -> None:
    check("""
-- a.go --
package a

type node struct{ next *node } // @def node as N

func (node node) link(other *node) *node { // @ref node#2 -> N; @ref node#3 -> N; @ref node#4 -> N
	return node.next // @ref node -> external
}

func walk(node *node) {} // @ref node#2 -> N
""")


def test_local_types_are_definitions_of_their_function() -> None:
    check("""
-- a.go --
package a

type point struct{ x int } // @def point as Outer

func (point) show() {} // @def show as Show

func main() {
	point{}.show() // @ref point -> Outer; @ref show -> Show
	type point struct { // @def point as Inner
		y int // @def y as Y
	}
	p := point{y: 1} // @ref point -> Inner; @ref y -> Y
	_ = p.y          // @ref y -> Y
}
""")


def test_a_local_type_has_no_methods_of_its_namesake() -> None:
    linked = link("""
-- a.go --
package a

type point struct{}

func (point) Show() {}

func main() {
	type point struct{}
	var p point
	p.Show()
}
""")
    assert linked.at("a.go", 10, "Show").status == "unresolved"


def test_constants_repeat_the_type_before_them() -> None:
    check("""
-- a.go --
package a

type Kind int

func (Kind) String() string { return "" } // @def String as S

const (
	First Kind = iota // @def First as One
	Second            // @def Second as Two
)

func main() {
	_ = First.String()  // @ref First -> One; @ref String -> S
	_ = Second.String() // @ref Second -> Two; @ref String -> S
}
""")


def test_labels_are_no_references_and_hide_nothing() -> None:
    linked = check("""
-- a.go --
package a

func next() bool { return false } // @def next as F

func main() {
next:
	for next() { // @ref next -> F
		continue next
	}
}
""")
    assert [answer.line for answer in linked.answers if answer.name == "next"] == [7]


def test_called_locals_become_definitions_others_do_not() -> None:
    linked = link("""
-- a.go --
package a

func main(handler func(), unused int) {
	helper := func() {}
	plain := 1
	helper()
	handler()
	_ = plain
}
""")
    assert [fact.qualified_name for fact in linked.definitions("a.go")] == ["main", "main.helper", "main.handler"]
    assert linked.at("a.go", 6, "helper").targets == ("a.go:4:variable:main.helper",)
    assert linked.at("a.go", 7, "handler").targets == ("a.go:3:parameter:main.handler",)


def test_builtin_functions_are_external_unless_the_package_declares_them() -> None:
    linked = check("""
-- a/a.go --
package a

func main(values []int) {
	_ = len(append(values, 1)) // @ref len -> external; @ref append -> external
	_ = min(1, 2)              // @ref min -> M
}
-- a/b.go --
package a

func min(a, b int) int { return a } // @def min as M
""")
    assert linked.at("a/a.go", 4, "len").external == "builtin:len"
    assert not [answer for answer in linked.answers if answer.name == "int"]


def test_a_predeclared_type_that_the_file_declares_anew_is_a_name_like_any_other() -> None:
    check("""
-- a.go --
package a

type error interface { // @def error as E
	Code() int // @def Code as C
}

func main(err error) { // @ref error -> E
	err.Code() // @ref Code -> C
}
""")


def test_init_functions_cannot_be_named() -> None:
    linked = link("""
-- a.go --
package a

func init() {}

func init() {}

func main() { init() }
""")
    assert linked.at("a.go", 7, "init").status == "unresolved"

"""Types that follow from declarations: what variables, calls, ranges and literals hold (Go spec)."""

from tests.languages.go.go_repository import check, link

THING = """
type Thing struct { // @def Thing as T
	Part *Thing // @def Part as P
}

func (Thing) Do() *Thing { return nil } // @def Do as D

func Make() Thing { return Thing{} } // @def Make as M

func Pair() (Thing, error) { return Thing{}, nil } // @def Pair as Pr
"""


def check_body(body: str, declarations: str = "", imports: str = "") -> None:
    """Check the body of a function beside `THING`."""
    check(f"-- a.go --\npackage a\n{imports}\n{THING}\n{declarations}\nfunc main() {{\n{body}\n}}\n")


def test_short_declarations_take_the_type_of_the_value() -> None:
    check_body("""
	one, two := Make(), Make().Do()
	one.Do() // @ref Do -> D
	two.Part.Do() // @ref Part -> P; @ref Do -> D
	var three = one
	three.Do() // @ref Do -> D
	var four, five *Thing
	four.Do() // @ref Do -> D
	five.Do() // @ref Do -> D
""")


def test_several_results() -> None:
    check_body("""
	thing, err := Pair() // @ref Pair -> Pr
	thing.Do()  // @ref Do -> D
	err.Error() // @ref Error -> external
	var again, _ = Pair()
	again.Do() // @ref Do -> D
""")


def test_a_redeclared_variable_keeps_its_type() -> None:
    check_body("""
	thing, err := Pair()
	other, err := Make(), error(nil)
	err.Error() // @ref Error -> external
	thing.Do()  // @ref Do -> D
	other.Do()  // @ref Do -> D
""")


def test_elements_of_containers() -> None:
    check_body(
        """
	var list []*Thing
	var fixed [3]Thing
	var named Things
	table := map[string][]Thing{}
	list[0].Do()           // @ref Do -> D
	list[1:][0].Do()       // @ref Do -> D
	fixed[0].Do()          // @ref Do -> D
	named[0].Do()          // @ref Do -> D
	table["a"][0].Do()     // @ref Do -> D
	append(list, nil)[0].Do() // @ref Do -> D
	if thing, ok := table["a"]; ok {
		thing[0].Do() // @ref Do -> D
	}
""",
        "type Things []Thing",
    )


def test_range_over_everything() -> None:
    check_body(
        """
	for _, thing := range []Thing{} {
		thing.Do() // @ref Do -> D
	}
	for key, value := range map[Thing]*Thing{} {
		key.Do()   // @ref Do -> D
		value.Do() // @ref Do -> D
	}
	for thing := range make(chan Thing) {
		thing.Do() // @ref Do -> D
	}
	for thing := range each {
		thing.Do() // @ref Do -> D
	}
	for index, thing := range pairs() {
		thing.Do() // @ref Do -> D
		_ = index
	}
	for thing := range slices.Values([]Thing{}) {
		thing.Do() // @ref Do -> D
	}
	for key := range maps.Keys(map[Thing]int{}) {
		key.Do() // @ref Do -> D
	}
	for number := range 10 {
		_ = number
	}
""",
        "func each(yield func(Thing) bool) {}\n\nfunc pairs() iter.Seq2[int, Thing] { return nil }",
        'import (\n\t"iter"\n\t"maps"\n\t"slices"\n)\n',
    )


def test_channels() -> None:
    check_body("""
	var things chan *Thing
	(<-things).Do() // @ref Do -> D
	thing, ok := <-things
	thing.Do() // @ref Do -> D
	select {
	case got := <-things:
		got.Do() // @ref Do -> D
	case thing, ok = <-things:
		thing.Do() // @ref Do -> D
	}
	_ = ok
""")


def test_assertions_and_conversions() -> None:
    check_body("""
	var anything any
	anything.(Thing).Do() // @ref Do -> D
	if thing, ok := anything.(*Thing); ok {
		thing.Do() // @ref Do -> D
	}
	Thing(Make()).Do()    // @ref Thing -> T; @ref Do -> D
	(*Thing)(nil).Do()    // @ref Thing -> T; @ref Do -> D
	[]Thing(nil)[0].Do()  // @ref Thing -> T; @ref Do -> D
	new(Thing).Do()       // @ref Thing -> T; @ref Do -> D
	new(Make()).Do()      // @ref Make -> M; @ref Do -> D
""")


def test_composite_literals_with_elided_types() -> None:
    check_body(
        """
	size := 1
	_ = Thing{Part: &Thing{}}            // @ref Thing#1 -> T; @ref Part -> P
	_ = []Thing{{Part: nil}}             // @ref Part -> P
	_ = []*Thing{{Part: nil}, 3: {}}     // @ref Part -> P
	_ = map[string]Thing{"a": {Part: nil}} // @ref Part -> P
	_ = [...][]Thing{{{Part: nil}}}      // @ref Part -> P
	_ = Named{{Part: nil}}               // @ref Part -> P
	_ = map[Thing]int{{Part: nil}: size} // @ref Part -> P
	_ = Table{Part: 1, size: 2}          // @ref Part -> C; @ref size -> external
	_ = Generic[Thing]{Value: Make()}    // @ref Value -> V
	Generic[Thing]{}.Value.Do()          // @ref Value -> V; @ref Do -> D
""",
        """
const Part = 1 // @def Part as C

type Named []Thing

type Table map[int]int

type Generic[X any] struct {
	Value X // @def Value as V
}
""",
    )


def test_keys_of_literals_of_types_from_outside() -> None:
    linked = link("""
-- a.go --
package a

import "net/http"

var Name = "x"

func Path() {}

func main() {
	_ = http.Cookie{Value: "", Path: "", Name: ""}
}
""")
    assert linked.at("a.go", 10, "Value").external == "net/http:Cookie.Value"
    assert linked.at("a.go", 10, "Path").external == "net/http:Cookie.Path"
    assert linked.at("a.go", 10, "Name").status == "unresolved"


def test_generic_types_and_their_methods() -> None:
    check("""
-- a.go --
package a

type Thing struct{}

func (Thing) Do() {} // @def Do as D

type Stack[T any] struct {
	items []T // @def items as I
}
-- b.go --
package a

func (s *Stack[E]) Pop() E { return s.items[0] } // @def Pop as P; @ref items -> I

func (s *Stack[_]) All() []int { return nil }

type Deep[K comparable, V any] struct {
	Stack[V]
	index map[K]V // @def index as X
}

func main(stack Stack[*Thing], deep *Deep[string, Thing]) {
	stack.Pop().Do()      // @ref Pop -> P; @ref Do -> D
	deep.Pop().Do()       // @ref Pop -> P; @ref Do -> D
	deep.index["a"].Do()  // @ref index -> X; @ref Do -> D
	deep.items[0].Do()    // @ref items -> I; @ref Do -> D
}
""")


def test_type_arguments_are_inferred() -> None:
    check_body(
        """
	First([]Thing{}).Do()                 // @ref Do -> D
	First(named).Do()                     // @ref Do -> D
	Map([]int{}, func(int) Thing { return Make() })[0].Do() // @ref Do -> D
	Map([]int{}, Convert)[0].Do()         // @ref Do -> D
	Zero[Thing]().Do()                    // @ref Do -> D
	Cast[Thing](1).Do()                   // @ref Do -> D
	Sum(Make(), Make()).Do()              // @ref Do -> D
	Must(Pair()).Do()                     // @ref Do -> D
	Core(named).Do()                      // @ref Do -> D
""",
        """
type Things []Thing

var named Things

func First[E any](list []E) E { return list[0] }

func Map[A, B any](list []A, convert func(A) B) []B { return nil }

func Convert(int) Thing { return Make() }

func Zero[T any]() T { panic(0) }

func Cast[T any](value any) T { panic(0) }

func Sum[T any](values ...T) T { return values[0] }

func Must[T any](value T, err error) T { return value }

func Core[S ~[]E, E any](list S) E { return list[0] }
""",
    )


def test_members_of_type_parameters_are_those_of_their_constraint() -> None:
    check("""
-- a.go --
package a

type Shape interface {
	Area() float64 // @def Area as A
}

func Total[S Shape, P interface {
	*S
	Set(int) // @def Set as Se
}](shapes []S, p P) {
	for _, shape := range shapes {
		shape.Area() // @ref Area -> A
	}
	p.Set(1) // @ref Set -> Se
}
""")


def test_values_from_outside_stay_outside() -> None:
    check("""
-- a.go --
package a

import (
	"net/http"
	"sync"
	"sync/atomic"
)

type Thing struct{}

func (Thing) Do() {}    // @def Do as D
func (Thing) Close() {} // @def Close as C

func main(pointer *atomic.Pointer[Thing]) {
	response, err := http.Get("")
	response.Body.Close() // @ref Close -> external
	for _, cookie := range response.Cookies() {
		cookie.String() // @ref String -> external
	}
	pointer.Load().Do() // @ref Load -> external; @ref Do -> D
	once := sync.OnceValue(func() Thing { return Thing{} })
	once().Close() // @ref Close -> C
	_ = err
}
""")


def test_what_a_generic_function_from_elsewhere_gives_is_not_guessed() -> None:
    linked = link("""
-- a.go --
package a

import "github.com/some/lo"

type Thing struct{}

func (Thing) Do() {}

func main(things []Thing) {
	lo.First(things).Do()
	lo.Plain(1).Do()
}
""")
    assert linked.at("a.go", 10, "Do").status == "unresolved"
    assert linked.at("a.go", 11, "Do").status == "external"


def test_arithmetic_keeps_the_type() -> None:
    check("""
-- a.go --
package a

type Span int

func (Span) Long() bool { return false } // @def Long as L

const unit = 10

func main(span Span, count int) {
	(span * 2).Long()     // @ref Long -> L
	(2 * span).Long()     // @ref Long -> L
	(unit * span).Long()  // @ref Long -> L
	(-span).Long()        // @ref Long -> L
	(span << count).Long() // @ref Long -> L
}
""")


def test_variables_of_the_package() -> None:
    check("""
-- a.go --
package a

var shared = build() // @ref build -> B

var typed *Thing

var first, second = pair()

var run = func() *Thing { return nil } // @def run as R

func main() {
	shared.Do() // @ref Do -> D
	typed.Do()  // @ref Do -> D
	second.Do() // @ref Do -> D
	run().Do()  // @ref run -> R; @ref Do -> D
	_ = first
}
-- b.go --
package a

type Thing struct{}

func (*Thing) Do() {} // @def Do as D

func build() *Thing { return nil } // @def build as B

func pair() (int, *Thing) { return 0, nil }
""")


def test_circular_initialisation_ends_without_an_answer() -> None:
    linked = link("""
-- a.go --
package a

var a = b

var b = a

func main() { a.Do() }
""")
    assert linked.at("a.go", 7, "Do").status == "unresolved"

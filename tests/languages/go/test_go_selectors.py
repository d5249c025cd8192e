"""Selectors: fields, methods, promotion by depth, interfaces, aliases (Go spec, Selectors, Struct types)."""

from tests.languages.go.go_repository import check, link, names


def test_methods_with_pointer_and_value_receivers() -> None:
    check("""
-- a.go --
package a

type T struct {
	next *T // @def next as N
}

func (t *T) First() *T { return t } // @def First as F

func (T) Second() {} // @def Second as S

func main() {
	t := &T{}
	t.First().next.Second() // @ref First -> F; @ref next -> N; @ref Second -> S
	(*t).First()            // @ref First -> F
	new(T).Second()         // @ref Second -> S
	(&T{}).Second()         // @ref Second -> S
}
""")


def test_two_receivers_on_one_line() -> None:
    check("""
-- a.go --
package a

type A struct{}

func (A) Do() int { return 1 } // @def Do as OfA

type B struct{}

func (B) Do() int { return 2 } // @def Do as OfB

func sum(a A, b *B) int {
	return a.Do() + b.Do() // @ref Do#1 -> OfA; @ref Do#2 -> OfB
}
""")


def test_the_shallowest_promoted_member_wins() -> None:
    check("""
-- a.go --
package a

type Deep struct{}

func (Deep) Name() {} // @def Name as DeepName
func (Deep) Only() {} // @def Only as DeepOnly

type Middle struct{ Deep }

func (Middle) Name() {} // @def Name as MiddleName

type Top struct {
	*Middle // @def Middle as Embedded
}

func main(t Top) {
	t.Name()        // @ref Name -> MiddleName
	t.Only()        // @ref Only -> DeepOnly
	t.Deep.Name()   // @ref Name -> DeepName
	t.Middle.Name() // @ref Middle -> Embedded; @ref Name -> MiddleName
}
""")


def test_two_members_at_one_depth_are_none() -> None:
    linked = link("""
-- a.go --
package a

type A struct{}

func (A) Do() {}

type B struct{}

func (B) Do() {}

type Both struct {
	A
	B
}

func main(both Both) { both.Do() }
""")
    assert linked.at("a.go", 16, "Do").status == "unresolved"


def test_members_of_an_embedded_interface_are_as_deep_as_its_own() -> None:
    check("""
-- a.go --
package a

type Closer interface {
	Close() // @def Close as C
}

type File interface {
	Closer
	Read() // @def Read as R
}

type Deep struct{}

func (Deep) Close() {}

type Holder struct{ Deep }

type Handle struct {
	File
	Holder
}

func main(h Handle, f File) {
	h.Close() // @ref Close -> C
	h.Read()  // @ref Read -> R
	f.Close() // @ref Close -> C
}
""")


def test_circular_embedding_ends() -> None:
    linked = check("""
-- a.go --
package a

type A struct{ *B }

type B struct{ *A }

func (B) Do() {} // @def Do as D

func main(a A) {
	a.Do()   // @ref Do -> D
	a.Nope()
}
""")
    assert linked.at("a.go", 11, "Nope").status == "unresolved"


def test_embedding_something_outside_makes_unknown_members_external() -> None:
    linked = check("""
-- a.go --
package a

import "sync"

type Cache struct {
	sync.Mutex
	size int
}

func (c *Cache) Put() { // @def Put as P
	c.Lock() // @ref Lock -> external
	c.Put()  // @ref Put -> P
}
""")
    assert linked.at("a.go", 11, "Lock").external == "sync:Mutex.Lock"


def test_a_defined_type_keeps_fields_but_not_methods() -> None:
    linked = check("""
-- a.go --
package a

type Base struct {
	Size int // @def Size as S
}

func (Base) Do() {}

type Other Base

func (Other) Own() {} // @def Own as O

type Sink interface {
	Log() // @def Log as L
}

type Named Sink

func main(o Other, n Named) {
	_ = o.Size // @ref Size -> S
	o.Own()    // @ref Own -> O
	o.Do()
	n.Log() // @ref Log -> L
}
""")
    assert linked.at("a.go", 22, "Do").status == "unresolved"


def test_aliases_are_the_type_that_they_name() -> None:
    check("""
-- a.go --
package a

type Real struct{}

func (Real) Do() {} // @def Do as D

type Alias = Real // @def Alias as A

func (*Alias) More() {} // @def More as M

type List[T any] struct{ head T }

func (l List[T]) Head() T { return l.head } // @def Head as H

type Reals[X any] = List[Real]

func main(a Alias, all Reals[int]) { // @ref Alias -> A
	a.Do()          // @ref Do -> D
	Real{}.More()   // @ref More -> M
	all.Head().Do() // @ref Head -> H; @ref Do -> D
}
""")


def test_method_values_and_method_expressions() -> None:
    check("""
-- a.go --
package a

type T struct{}

func (T) Self() T { return T{} } // @def Self as S
func (*T) Ptr()   {}             // @def Ptr as P

func main(t T) {
	bound := t.Self // @ref Self -> S
	free := T.Self  // @ref Self -> S
	(*T).Ptr(&t)    // @ref Ptr -> P
	bound().Ptr()   // @ref Ptr -> P
	free(t).Ptr()   // @ref Ptr -> P
}
""")


def test_fields_that_hold_functions_are_called() -> None:
    check("""
-- a.go --
package a

type Result struct{}

func (Result) Ok() {} // @def Ok as O

type Handler func(int) Result

type Server struct {
	handle Handler       // @def handle as H
	plain  func() Result // @def plain as P
}

func main(s Server) {
	s.handle(1).Ok() // @ref handle -> H; @ref Ok -> O
	s.plain().Ok()   // @ref plain -> P; @ref Ok -> O
}
""")


def test_fields_of_anonymous_structs() -> None:
    linked = check("""
-- a.go --
package a

type Config struct {
	Server struct {
		Port int // @def Port as P
	}
}

func main(c Config) {
	_ = c.Server.Port // @ref Port -> P
	tests := []struct {
		name string // @def name as N
	}{
		{name: "one"}, // @ref name -> N
		{"two"},
	}
	for _, test := range tests {
		_ = test.name // @ref name -> N
	}
}
""")
    assert {fact.qualified_name for fact in linked.definitions("a.go")} >= {"Config.Server.Port", "main.name"}


def test_an_unexported_name_on_an_unknown_receiver_is_the_only_one_of_its_package() -> None:
    linked = check("""
-- a.go --
package a

import "example.test/generic"

type T struct{}

func (T) quiet() {} // @def quiet as Q
func (T) twice() {}
func (T) Loud()  {}

type U struct{ twice func() }

func main(t T) {
	x := generic.Make(t)
	x.quiet() // @ref quiet -> Q
	x.twice()
	x.Loud()
	x.nothing()
}
""")
    twice = linked.at("a.go", 16, "twice")
    assert twice.status == "ambiguous"
    assert names(twice) == {"T.twice", "U.twice"}
    assert linked.at("a.go", 17, "Loud").status == "unresolved"
    assert linked.at("a.go", 18, "nothing").status == "unresolved"


def test_members_of_types_in_other_function_bodies_are_not_candidates() -> None:
    check("""
-- a.go --
package a

import "example.test/generic"

type T struct{}

func (T) quiet() {} // @def quiet as Q

func main(t T) {
	generic.Make(t).quiet() // @ref quiet -> Q
}
-- b.go --
package a

func other() {
	type local struct{ quiet func() }
	_ = []struct{ quiet func() }{}
}
""")


def test_errors_and_other_builtin_types_have_the_members_of_the_language() -> None:
    linked = check("""
-- a.go --
package a

type failure struct{ error }

func main(err error, f failure) {
	err.Error() // @ref Error -> external
	f.Error()   // @ref Error -> external
}
""")
    assert linked.at("a.go", 6, "Error").external == "builtin:error.Error"


def test_writes_to_fields_and_package_variables() -> None:
    linked = check("""
-- a.go --
package a

var total int // @def total as T

type Box struct {
	size int // @def size as S
}

func main(b *Box) {
	total = 1  // @ref total -> T
	b.size++   // @ref size -> S
	b.size += total // @ref size -> S; @ref total -> T
}
""")
    kinds = [(answer.line, answer.name, answer.kind) for answer in linked.answers if answer.line > 9]
    assert kinds == [
        (10, "total", "write"),
        (11, "size", "write"),
        (12, "size", "write"),
        (12, "total", "read"),
    ]


def test_a_pointer_to_a_pointer_has_no_members() -> None:
    check("""
-- a.go --
package a

type A struct {
	next *A // @def next as N
	up   **A
}

func (a *A) Run() {} // @def Run as R

func (a *A) stop() {} // @def stop as S

func main(q **A, p *(*A), deep ***A) {
	(*q).Run()           // @ref Run -> R
	(*p).next.stop()     // @ref next -> N; @ref stop -> S
	(**deep).Run()       // @ref Run -> R
	(*(*q).up).stop()    // @ref stop -> S
	one := *q
	one.Run()            // @ref Run -> R
	for _, each := range []**A{q} {
		(*each).Run() // @ref Run -> R
	}
}
""")
    linked = link("""
-- a.go --
package a

type A struct{ up **A }

func (a *A) Run() {}

func (a *A) stop() {}

func main(deep ***A) {
	var q **A
	q.Run()
	q.stop()
	(*deep).Run()
	(*q).up.stop()
}
""")
    found = {
        (answer.line, answer.name): (answer.status, answer.reason)
        for answer in linked.answers
        if answer.name in ("Run", "stop")
    }
    assert found == dict.fromkeys([(11, "Run"), (12, "stop"), (13, "Run"), (14, "stop")], ("unresolved", "no-member"))

"""Extraction and linking of anything: no input makes them fail, and what they give is well formed."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.languages.facts import extract, interface
from graph.languages.go import LANGUAGES
from graph.link.world import FileRecord, World
from graph.model import FileFacts

(GO,) = LANGUAGES
SOURCE = b"""// Package a.
package a

import (
	"fmt"
	str "strings"
)

type Box[T any] struct {
	*Inner
	value T `json:"value"`
	nested struct{ deep []map[string]func(int, ...string) (a, b error) }
}

type Reader interface {
	~int | str.Builder
	Read(p []byte) (n int, err error)
	interface{ Close() }
}

func (b *Box[T]) Get(key string, rest ...T) (out T, err error) {
	switch v := any(key).(type) {
	case nil, *int:
		fmt.Println(v, b.value, str.ToUpper("\xc3\xa9\xe4\xb8\x96"))
	default:
		for i, x := range rest { _ = x; go func() { defer b.Get(key) }(); i++ }
	}
	select {
	case m, ok := <-make(chan int):
		_, _ = m, ok
	case nil <- 1:
	}
	if x, err := Make[int](1), error(nil); err != nil {
		return out, err
	} else if y := x.(Reader); y != nil {
	outer:
		for { break outer }
	}
	b.nested.deep[0]["a"](1, "b")
	pairs := map[Point][]Point{{1, 2}: {{x: 1}, {y: new(3)}}, key: nil}
	return *new(T), pairs[Point{}][1:2:3]
}

const ( A Kind = iota << 1; B; C )

var x, y = f(), func(a int) (b int) { return a }(1)
"""


def check_facts(source: bytes) -> FileFacts:
    """Extract and link one file alone: names slice, indices are in range, and every reference gets a resolution."""
    facts = extract(GO, "a_linux_test.go", source)
    for reference in facts.references:
        assert source[reference.start : reference.end].decode("utf-8", "replace") == reference.name
        assert -1 <= reference.expression < len(facts.expressions)
        assert 0 <= reference.enclosing < len(facts.definitions)
    for fact in facts.definitions[1:]:
        assert source[fact.name_start : fact.name_end].decode("utf-8", "replace") == fact.name
        assert fact.start <= fact.name_start <= fact.name_end <= fact.end
    assert [(fact.start, fact.kind, fact.end) for fact in facts.references] == sorted(
        (fact.start, fact.kind, fact.end) for fact in facts.references
    )
    world = World([FileRecord(0, "a_linux_test.go", "go", facts.package, True)], [], lambda _: interface(facts))
    rows = [(fact.kind, fact.expression, fact.arguments, fact.enclosing) for fact in facts.references]
    linker = GO.linker(world)
    assert len(linker.link(0, rows)) == len(rows)
    for index in range(len(facts.definitions)):
        linker.overridden(index)
    return facts


def test_the_sample_is_clean() -> None:
    assert check_facts(SOURCE).damage == []


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes(source: bytes) -> None:
    check_facts(source)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(SOURCE.split()), max_size=60))
def test_words_in_any_order(words: list[bytes]) -> None:
    check_facts(b" ".join(words))


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_deletions_and_duplications(seed: int) -> None:
    chance = random.Random(seed)
    source = SOURCE
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(source))
        end = min(len(source), start + chance.randint(1, 40))
        piece = b"" if chance.random() < 0.6 else source[start:end] * 2
        source = source[:start] + piece + source[end:]
    check_facts(source)


DEPTH = 5_000


@pytest.mark.parametrize(
    "body",
    [
        b"{" * DEPTH + b"}" * DEPTH,
        b"_ = " + b"(" * DEPTH + b"1" + b")" * DEPTH,
        b"f(" * DEPTH + b")" * DEPTH,
        b"a" + b".b()" * DEPTH,
        b"_ = a" + b".b" * DEPTH,
        b"_ = 1" + b"+1" * DEPTH,
        b"_ = " + b"[]" * DEPTH + b"int{}",
        b"_ = T" + b"{" * DEPTH + b"}" * DEPTH,
        b"if a {} else " * DEPTH + b"{}",
        b"_ = " + b"func() { _ = " * 500 + b"1" + b"}" * 500,
        b"_ = " + b"&*" * DEPTH + b"x",
        b"x := x\n" * DEPTH,
    ],
    ids=lambda body: body[:12].decode(),
)
def test_deep_nesting(body: bytes) -> None:
    facts = check_facts(b"package a\n\nfunc main() {\n" + body + b"\n}\n\nfunc after() { main() }\n")
    assert "main" in {fact.name for fact in facts.definitions}


def test_the_same_bytes_give_the_same_facts() -> None:
    assert extract(GO, "a.go", SOURCE) == extract(GO, "a.go", SOURCE)


def test_the_order_in_which_files_are_linked_does_not_matter() -> None:
    sources = {
        "a/a.go": b"package a\n\nvar X = Y.Next\n\ntype T struct{ Next *T }\n\nfunc (t *T) Do() { X.Do() }\n",
        "a/b.go": b"package a\n\nvar Y = Z()\n\nfunc Z() *T { return X }\n\nfunc main() { Y.Next.Do(); X.Next.Do() }\n",
        "a/c_linux.go": b"package a\n\nfunc (t *T) Twin() { X.Twin() }\n",
        "a/c_other.go": b"//go:build !linux\n\npackage a\n\nfunc (t *T) Twin() { Y.Twin() }\n",
    }
    facts = [extract(GO, path, source) for path, source in sources.items()]
    results: list[dict[int, object]] = []
    for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]):
        records = [FileRecord(n, path, "go", "a", False) for n, path in enumerate(sources)]
        linker = GO.linker(World(records, [], lambda number: interface(facts[number])))
        rows = [[(r.kind, r.expression, r.arguments, r.enclosing) for r in fact.references] for fact in facts]
        results.append({number: linker.link(number, rows[number]) for number in order})
    assert results[0] == results[1] == results[2]

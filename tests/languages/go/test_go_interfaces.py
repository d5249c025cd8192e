"""Which interface methods a method implements (Go spec, Implementing an interface)."""

from graph.languages.facts import extract, interface
from graph.languages.go import LANGUAGES
from graph.link.values import file_of, gid, index_of
from graph.link.world import FileRecord, Manifest, World
from tests.harness.case_file import parse_case


def overridden(archive: str, path: str, qualified_name: str) -> list[str]:
    """`path:qualified.name` of what a method overrides."""
    case = parse_case(f"title: test\n{archive.lstrip()}".encode(), "test")
    (language,) = LANGUAGES
    sources = [file for file in case.files if file.path.endswith(".go")]
    facts = [extract(language, file.path, file.content) for file in sources]
    records = [FileRecord(n, file.path, "go", facts[n].package, False) for n, file in enumerate(sources)]
    manifests = [Manifest(file.path, file.content) for file in case.files if not file.path.endswith(".go")]
    linker = language.linker(World(records, manifests, lambda number: interface(facts[number])))
    number = [file.path for file in sources].index(path)
    (index,) = [
        position for position, fact in enumerate(facts[number].definitions) if fact.qualified_name == qualified_name
    ]
    return [
        f"{sources[file_of(found)].path}:{facts[file_of(found)].definitions[index_of(found)].qualified_name}"
        for found in linker.overridden(gid(number, index))
    ]


SINKS = """
-- go.mod --
module example.test/app
-- sink/sink.go --
package sink

type Item struct{}

type Closer interface{ Close() error }

type Sink interface {
	Closer
	Put(item Item) error
}

type Puts interface{ Put(item *Item) error }

type OtherPut interface{ Put(item string) error }

type TwoPuts interface{ Put(a, b Item) error }

type hidden interface{ Put(item Item) error }
-- file/file.go --
package file

import "example.test/app/sink"

type base struct{}

func (base) Close() error { return nil }

type File struct{ base }

func (f *File) Put(item sink.Item) error { return nil }

func (f *File) other() {}

type Half struct{}

func (Half) Put(item sink.Item) error { return nil }
"""


def test_interfaces_of_imported_packages_whose_whole_method_set_is_there() -> None:
    assert overridden(SINKS, "file/file.go", "File.Put") == ["sink/sink.go:Sink.Put", "sink/sink.go:Puts.Put"]


def test_an_interface_of_which_a_method_is_missing_is_not_implemented() -> None:
    assert overridden(SINKS, "file/file.go", "Half.Put") == ["sink/sink.go:Puts.Put"]


def test_methods_that_no_interface_has_override_nothing() -> None:
    assert overridden(SINKS, "file/file.go", "File.other") == []


def test_interfaces_of_the_same_package_and_generic_ones() -> None:
    archive = """
-- a.go --
package a

type walker interface{ walk() }

type Getter[T any] interface{ Get(key string) T }

type Tree struct{}

func (Tree) walk() {}

func (Tree) Get(key string) int { return 0 }

func (Tree) walkFast() {}
"""
    assert overridden(archive, "a.go", "Tree.walk") == ["a.go:walker.walk"]
    assert overridden(archive, "a.go", "Tree.Get") == ["a.go:Getter.Get"]
    assert overridden(archive, "a.go", "Tree.walkFast") == []


def test_interfaces_that_embed_something_outside_are_not_known_whole() -> None:
    archive = """
-- a.go --
package a

import "io"

type Big interface {
	io.Reader
	Size() int
}

type T struct{}

func (T) Size() int { return 0 }
"""
    assert overridden(archive, "a.go", "T.Size") == []

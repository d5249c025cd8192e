"""Import paths, modules, workspaces and package names (Go Modules Reference; Go spec, Import declarations)."""

from tests.languages.go.go_repository import check, link

APP = """
-- go.mod --
module example.test/app

go 1.22
"""


def test_all_files_of_a_folder_are_one_package() -> None:
    check("""
-- a.go --
package a

func main() { help().Do() } // @ref help -> H; @ref Do -> D
-- b.go --
package a

type tool struct{}

func help() tool { return tool{} } // @def help as H
-- c.go --
package a

func (t tool) Do() {} // @def Do as D
""")


def test_the_package_clause_names_an_import_not_the_last_path_element() -> None:
    check(
        APP
        + """
-- go-store/v2/store.go --
package storage

func Open() {} // @def Open as O
-- main.go --
package main

import "example.test/app/go-store/v2"

func main() { storage.Open() } // @ref Open -> O
"""
    )


def test_aliases_dot_imports_and_blank_imports() -> None:
    linked = check(
        APP
        + """
-- store/store.go --
package store

func Open() {} // @def Open as O

func hidden() {}
-- a.go --
package main

import (
	db "example.test/app/store"
	_ "example.test/app/store"
)

func first() { db.Open() } // @ref Open -> O
-- b.go --
package main

import . "example.test/app/store"

func second() {
	Open() // @ref Open -> O
	hidden()
}
"""
    )
    assert linked.at("b.go", 7, "hidden").status == "unresolved"
    assert linked.at("a.go", 4, "store").targets == ("store/store.go:1:module:store",)


def test_an_import_is_seen_in_its_own_file_only() -> None:
    linked = link(
        APP
        + """
-- store/store.go --
package store

func Open() {}
-- a.go --
package main

import "example.test/app/store"

func first() { store.Open() }
-- b.go --
package main

func second() { store.Open() }
"""
    )
    assert linked.at("a.go", 5, "Open").status == "resolved"
    assert linked.at("b.go", 3, "Open").status == "unresolved"


def test_unexported_names_of_other_packages_are_not_reached() -> None:
    linked = link(
        APP
        + """
-- store/store.go --
package store

func open() {}
-- a.go --
package main

import "example.test/app/store"

func first() { store.open() }
"""
    )
    assert linked.at("a.go", 5, "open").status == "unresolved"


def test_packages_outside_are_external_under_their_import_path() -> None:
    linked = link(
        APP
        + """
-- a.go --
package main

import (
	"net/http"

	"github.com/some/go-thing/v3"
	"gopkg.in/yaml.v3"
	"example.test/application/store"
)

func first() {
	http.Get("")
	thing.Do()
	yaml.Marshal(nil)
	store.Open()
}
"""
    )
    found = {answer.name: answer.external for answer in linked.answers if answer.kind == "call"}
    assert found == {
        "Get": "net/http:Get",
        "Do": "github.com/some/go-thing/v3:Do",
        "Marshal": "gopkg.in/yaml.v3:Marshal",
        "Open": "example.test/application/store:Open",
    }


def test_a_package_of_the_module_without_files_is_missing_not_external() -> None:
    linked = link(
        APP
        + """
-- a.go --
package main

import "example.test/app/generated"

func first() { generated.Do() }
"""
    )
    answer = linked.at("a.go", 3, "generated")
    assert (answer.status, answer.reason) == ("unresolved", "import-not-found")
    assert linked.at("a.go", 5, "Do").status == "unresolved"


def test_a_nested_module_is_another_module() -> None:
    linked = link(
        APP
        + """
-- tools/go.mod --
module example.test/app/tools
-- tools/lint/lint.go --
package lint

func Run() {}
-- tools/main.go --
package main

import "example.test/app/tools/lint"

func main() { lint.Run() }
-- main.go --
package main

import "example.test/app/tools/lint"

func main() { lint.Run() }
"""
    )
    assert linked.at("tools/main.go", 5, "Run").targets == ("tools/lint/lint.go:3:function:Run",)
    assert linked.at("main.go", 5, "Run").external == "example.test/app/tools/lint:Run"


def test_replace_leads_to_a_folder() -> None:
    check("""
-- api/go.mod --
module example.test/api
-- api/v1/api.go --
package v1

func Call() {} // @def Call as C
-- app/go.mod --
module example.test/app

require (
	example.test/api v1.0.0 // indirect
	example.test/other v1.0.0
)

replace (
	example.test/api v1.0.0 => ../api
	example.test/other => example.test/fork v1.2.3
)
-- app/main.go --
package main

import (
	"example.test/api/v1"
	"example.test/other"
)

func main() {
	v1.Call()    // @ref Call -> C
	other.Call() // @ref Call -> external
}
""")


def test_without_replace_or_workspace_a_sibling_module_is_the_published_one() -> None:
    linked = link("""
-- api/go.mod --
module example.test/api
-- api/api.go --
package api

func Call() {}
-- app/go.mod --
module example.test/app

require example.test/api v1.0.0
-- app/main.go --
package main

import "example.test/api"

func main() { api.Call() }
""")
    assert linked.at("app/main.go", 5, "Call").external == "example.test/api:Call"


def test_a_workspace_joins_the_modules_that_it_uses() -> None:
    linked = check("""
-- go.work --
go 1.22

use (
	./app
	./api
)

use ./unrelated // a comment

replace example.test/lib => ./third/lib
-- api/go.mod --
module example.test/api
-- api/api.go --
package api

func Call() {} // @def Call as C
-- third/lib/go.mod --
module example.test/lib
-- third/lib/lib.go --
package lib

func Help() {} // @def Help as H
-- apart/go.mod --
module example.test/apart
-- apart/apart.go --
package apart

func Far() {}
-- app/go.mod --
module example.test/app
-- app/main.go --
package main

import (
	"example.test/api"
	"example.test/apart"
	"example.test/lib"
)

func main() {
	api.Call() // @ref Call -> C
	lib.Help() // @ref Help -> H
	apart.Far()
}
""")
    assert linked.at("app/main.go", 12, "Far").external == "example.test/apart:Far"


def test_a_vendor_folder_holds_what_is_imported() -> None:
    check(
        APP
        + """
-- vendor/github.com/some/lib/lib.go --
package lib

func Help() {} // @def Help as H
-- main.go --
package main

import "github.com/some/lib"

func main() { lib.Help() } // @ref Help -> H
"""
    )


def test_gopath_folders_without_a_module() -> None:
    check("""
-- work/src/example.test/lib/lib.go --
package lib

func Help() {} // @def Help as H
-- work/src/example.test/app/main.go --
package main

import (
	"example.test/lib"
	"example.test/app/vendor/x"
	"fmt"
)

func main() {
	lib.Help()    // @ref Help -> H
	fmt.Println() // @ref Println -> external
}
-- work/src/fmt/fmt.go --
package fmt

func Println() {}
""")


def test_without_any_module_an_own_path_is_neither_here_nor_outside() -> None:
    linked = link("""
-- store/store.go --
package store

func Open() {}
-- main.go --
package main

import (
	"github.com/me/app/store"
	"github.com/me/other/thing"
)

func main() {
	store.Open()
	thing.Do()
}
""")
    assert linked.at("main.go", 9, "Open").status == "unresolved"
    assert linked.at("main.go", 10, "Do").external == "github.com/me/other/thing:Do"


def test_tests_see_their_package_and_nobody_sees_tests() -> None:
    linked = check(
        APP
        + """
-- store/store.go --
package store

func open() {} // @def open as O

func useHelp() { help() }
-- store/store_test.go --
package store

func help() { open() } // @def help as H; @ref open -> O

func Export() {} // @def Export as E
-- store/external_test.go --
package store_test

import "example.test/app/store"

func check() {
	store.Export() // @ref Export -> E
	helper()       // @ref helper -> L
}
-- store/helper_test.go --
package store_test

func helper() {} // @def helper as L
-- main.go --
package main

import "example.test/app/store"

func main() { store.Export() }
"""
    )
    assert linked.at("store/store.go", 5, "help").status == "unresolved"
    assert linked.at("main.go", 5, "Export").status == "unresolved"


def test_files_run_on_their_own_are_no_part_of_the_package() -> None:
    linked = check(
        APP
        + """
-- store/store.go --
package store

func Open() { usage() }

func usage() {} // @def usage as U
-- store/gen.go --
//go:build ignore

package main

func main() { usage() } // @ref usage -> G

func usage() {} // @def usage as G
-- main.go --
package main

import "example.test/app/store"

func main() { store.Open() }
"""
    )
    assert linked.at("store/store.go", 3, "usage").targets == ("store/store.go:5:function:usage",)
    assert linked.at("main.go", 5, "Open").status == "resolved"


def test_a_local_name_hides_an_import() -> None:
    check(
        APP
        + """
-- store/store.go --
package store

type Store struct{}

func (Store) Open() {} // @def Open as M

func Open() {} // @def Open as F
-- main.go --
package main

import "example.test/app/store"

func main(store store.Store) {
	store.Open() // @ref Open -> M
}

func other() {
	store.Open() // @ref Open -> F
}
"""
    )


def test_cgo_names_are_external() -> None:
    linked = link("""
-- a.go --
package a

// int add(int a, int b);
import "C"

func add() { C.add(1, 2) }
""")
    assert linked.at("a.go", 6, "add").external == "C:add"
    assert [fact.condition for fact in linked.definitions("a.go")] == ["cgo"]


JOINED = """
-- api{internal}/go.mod --
module example.test/api{internal}
-- api{internal}/api.go --
package api

type Call struct{{}}

func (Call) Run() {{}}
-- app/go.mod --
module example.test/app

replace example.test/api{internal} => ../api{internal}
-- app/main.go --
package main

import (
	"os"

	"github.com/some/lib"
)

func main() {{
	lib.Calls().Run()
	os.Getpid().Run()
}}
"""


def test_what_a_package_from_outside_gives_may_be_of_a_module_that_both_use() -> None:
    linked = link(JOINED.format(internal=""))
    answer = linked.at("app/main.go", 10, "Run")
    assert (answer.status, answer.reason) == ("unresolved", "external-result")
    assert linked.at("app/main.go", 11, "Run").status == "external"


def test_modules_below_internal_are_used_by_nobody_outside() -> None:
    linked = link(JOINED.format(internal="/internal/x"))
    assert linked.at("app/main.go", 10, "Run").external == "github.com/some/lib:Calls.Run"

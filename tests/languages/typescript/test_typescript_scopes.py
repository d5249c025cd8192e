"""Lexical scoping: blocks, hoisting, shadowing, closures (ECMA-262, "Executable Code and Execution Contexts")."""

from tests.languages.typescript.ecmascript_repository import check


def test_a_parameter_shadows_a_function() -> None:
    check("""
-- a.ts --
function helper() {}
function outer(helper: () => void) {
  helper(); //: helper -> outer.helper
}
helper(); //: helper -> helper
""")


def test_block_scope_of_let_const_function_and_class() -> None:
    check("""
-- a.ts --
function f() { return 1; }
class C { m() {} }
{
  const f = () => 2;
  class C { m() {} n() {} }
  f(); //: f -> a.ts|f
  new C().n(); //: n -> C.n
}
new C().n(); //: n -> unresolved no-member
""")


def test_the_inner_block_binding_is_another_definition() -> None:
    linked = check("""
-- a.ts --
function f() { return 1; }
{
  function f() { return 2; }
  f(); //: f -> f
}
f(); //: f -> f
""")
    inner, outer = linked.at("a.ts", 4, "f"), linked.at("a.ts", 6, "f")
    assert inner.targets[0].startswith("a.ts:3:")
    assert outer.targets[0].startswith("a.ts:1:")


def test_var_is_hoisted_to_its_function() -> None:
    check("""
-- a.js --
function g() {
  if (true) { var helper = function () {}; }
  helper(); //: helper -> g.helper
}
function helper() {}
""")


def test_functions_are_used_before_their_declaration() -> None:
    check("""
-- a.js --
start(); //: start -> start
function start() { later(); } //: later -> later
function later() {}
""")


def test_loops_and_catch_have_scopes_of_their_own() -> None:
    check("""
-- a.ts --
import { log } from "./log";
for (const log of [() => 1]) {
  log(); //: log -> log
}
try { log(); } catch (log) { //: log -> log.ts|log
  (log as () => void)();
}
log(); //: log -> log.ts|log
-- log.ts --
export function log() {}
""")


def test_closures_see_the_names_around_them() -> None:
    check("""
-- a.ts --
class Store { save() {} }
function make() {
  const store = new Store();
  return () => [1].map(() => store.save()); //: save -> Store.save
}
""")


def test_the_name_of_a_function_expression_is_its_own() -> None:
    check("""
-- a.js --
const run = function again(n) {
  if (n) again(n - 1); //: again -> run
};
again(1); //: again -> unresolved no-candidate
""")


def test_class_members_are_no_bare_names() -> None:
    check("""
-- a.ts --
class Worker {
  fetch() {}
  run() { fetch("x"); } //: fetch -> external dom:fetch
  other() { describe(); } //: describe -> external test-runner
}
""")


def test_assigned_locals_hold_any_of_their_values() -> None:
    check("""
-- a.ts --
class A { go() {} }
class B { go() {} }
function f(flag: boolean) {
  let x = new A();
  if (flag) x = new B() as any;
  let y;
  y = new A();
  y.go(); //: go -> A.go
  let z: A | null = null;
  z = new A();
  z.go(); //: go -> A.go
}
""")


def test_the_first_value_declares_the_type_and_a_base_covers_its_subclass() -> None:
    check("""
-- a.ts --
class Base { go() {} }
class Sub extends Base { go() {} }
class Other { go() {} }
function f(flag: boolean, given: Base | undefined, { made = new Sub() }: { made?: Base }) {
  let x = new Base();
  x = new Sub();
  x.go(); //: go -> Base.go
  (given ?? new Sub()).go(); //: go -> Base.go
  (flag ? new Sub() : given).go(); //: go -> Base.go
  made.go(); //: go -> Base.go
  (flag ? new Base() : new Other()).go(); //: go -> Base.go, Other.go
}
-- b.js --
const { Base, Other } = require("./c");
function g(flag) {
  let x = new Base();
  if (flag) x = new Other();
  x.go(); //: go -> Base.go, Other.go
}
-- c.js --
exports.Base = class { go() {} };
exports.Other = class { go() {} };
""")


def test_a_type_parameter_shadows_a_class() -> None:
    check("""
-- a.ts --
class T { go() {} }
function f<T>(x: T) {
  (x as any).go(); //: go -> unresolved
}
function g(x: T) { x.go(); } //: T -> T; go -> T.go
""")


def test_locals_are_no_references_unless_they_are_called() -> None:
    check("""
-- a.ts --
function f(callback: () => void, size: number) {
  const twice = size * 2; //: size -> none
  callback(); //: callback -> f.callback
  return twice; //: twice -> none
}
""")

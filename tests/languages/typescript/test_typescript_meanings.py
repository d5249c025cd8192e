"""What a name means as a type and as a value, declared types that say nothing, and what the library does not have.

Sources: the TypeScript handbook ("Declaration Merging", "Everyday Types", "Global Modifying Module"), the compiler.
"""

from tests.languages.typescript.ecmascript_repository import check


def test_a_declared_type_that_says_nothing_wins_over_the_value() -> None:
    check("""
-- a.ts --
class Store { save() {} }
const known = { ...new Store() };
known.save; //: save -> Store.save
const any: any = { ...new Store() };
any.save(); //: save -> unresolved
const unknown: unknown = new Store();
unknown.save(); //: save -> unresolved
let later: any;
later = new Store();
later.save(); //: save -> unresolved
class Holder { held: any = new Store(); use() { this.held.save(); } } //: held -> Holder.held; save -> unresolved
function f(given: any = new Store(), open = new Store()) {
  given.save(); //: save -> unresolved
  open.save(); //: save -> Store.save
  const { part }: any = { part: new Store() };
  part.save(); //: save -> unresolved
  const local: any = new Store();
  local.save(); //: save -> unresolved
}
-- b.js --
class Store { save() {} }
/** @type {any} */
const any = new Store();
any.save(); //: save -> unresolved
const open = new Store();
open.save(); //: save -> Store.save
""")


def test_an_object_of_declared_type_any_still_defines_its_members() -> None:
    linked = check("""
-- a.ts --
const table: any = { save() {} };
table.save(); //: save -> unresolved
""")
    assert [fact.qualified_name for fact in linked.definitions("a.ts")] == ["table", "table.save"]


def test_members_that_the_library_does_not_have() -> None:
    check("""
-- a.ts --
export class Store { save() {} }
[].save(); //: save -> unresolved no-member
[1].map(String).save(); //: map -> external lib:ReadonlyArray.map; save -> unresolved no-member
Promise.resolve().save(); //: resolve -> external lib; save -> unresolved no-member
"x".save(); //: save -> unresolved no-member
new Map().save(); //: save -> unresolved no-member
Array.save(); //: save -> unresolved no-member
class List extends Array<number> {}
new List().save(); //: save -> unresolved no-member
[].toString(); //: toString -> external lib
[].hasOwnProperty("x"); //: hasOwnProperty -> external lib:Object.hasOwnProperty
"x".isWellFormed(); //: isWellFormed -> external lib:String.isWellFormed
Array.name; //: name -> external lib
new Error("x").save(); //: save -> external lib
""")


def test_members_that_the_repository_adds_to_the_library() -> None:
    check("""
-- a.ts --
class Store { rename() {} }
declare global {
  interface Array<T> { save(): T; }
  interface Promise<T> { stored: Store; }
}
[new Store()].save().rename(); //: save -> Array.save; rename -> Store.rename
Promise.resolve(1).stored.rename(); //: stored -> Promise.stored; rename -> Store.rename
[].rename(); //: rename -> unresolved no-member
export {};
""")


def test_a_value_hides_no_type_and_a_type_no_value() -> None:
    check("""
-- lib.ts --
export function isEmpty() {}
-- a.ts --
import * as Iterable from "./lib";
export const Array = globalThis.Array;
function Record() {}
namespace ReadonlyArray { export type Infer = string; }
type Error = { kind: string };
export function f(
  a: Array<string>, //: Array -> external lib:Array
  b: Iterable<string>, //: Iterable -> external lib
  c: Record<string, string>, //: Record -> external
  d: ReadonlyArray<string>, //: ReadonlyArray -> external lib
  e: Error, //: Error -> Error
  g: ReadonlyArray.Infer, //: ReadonlyArray -> ReadonlyArray; Infer -> ReadonlyArray.Infer
) {
  a.map(String); //: map -> external lib:ReadonlyArray.map
  Iterable.isEmpty(); //: Iterable -> lib; isEmpty -> isEmpty
  Record(); //: Record -> Record
  Array.isArray(a); //: Array -> Array
  throw new Error("x"); //: Error -> external lib:Error
}
""")


def test_a_global_interface_is_no_value() -> None:
    check("""
-- globals.ts --
declare global { interface Error { kind: string } }
export {};
-- a.ts --
try { throw new Error("x"); } catch (e) { if (e instanceof Error) e; } //: Error#1 -> external lib:Error
export function f(e: Error) {} //: Error -> Error
""")


def test_a_variable_that_holds_a_class_is_no_type() -> None:
    check("""
-- a.ts --
interface Shape { area: number; readonly kind: string }
const Shape = class { area = 1; kind = "x"; get() { return this.area; } }; //: area -> Shape.area
export function f(s: Shape) { s.area; return new Shape(); } //: Shape#1 -> Shape; area -> Shape.area; Shape#2 -> Shape
""")


def test_a_base_that_several_types_make_together_is_no_target() -> None:
    check("""
-- a.ts --
class Store { save() {} }
interface Named { name: string }
function extended<S extends Named>(Base: S & { new (x: number): Named & Store }) {
  return class extends Base {
    constructor() { super(1); } //: super -> unresolved receiver-unknown
  };
}
""")


def test_a_frozen_object_has_its_members() -> None:
    linked = check("""
-- a.js --
class Hook { tap() {} }
class Compiler {
  constructor() {
    this.hooks = Object.freeze({ done: new Hook(), failed: 1 }); //: freeze -> external lib
  }
}
const Types = Object.seal({ error: "error" });
const made = Object.create({ other: 1 });
new Compiler().hooks.done.tap(); //: done -> Compiler.hooks.done; tap -> Hook.tap
new Compiler().hooks.failed; //: failed -> Compiler.hooks.failed
Types.error; //: error -> Types.error
""")
    names = {fact.qualified_name for fact in linked.definitions("a.js")}
    assert {"Compiler.hooks.done", "Types.error"} <= names
    assert not any(name.endswith("other") for name in names)

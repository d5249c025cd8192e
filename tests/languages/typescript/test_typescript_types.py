"""Members through declared and evident types (handbook: "Classes", "Generics", "Declaration Merging")."""

from tests.languages.typescript.ecmascript_repository import check

SHOP = """
-- shop.ts --
export class Item { price() { return 1; } name = ""; }
export class Special extends Item { price() { return 2; } discount() {} }
export interface Cart {
  items: Item[]; first(): Item; owner?: User | null; byName: Map<string, Item>; lookup: Record<string, Item>;
}
export interface User { rename(to: string): void }
export declare function load(): Promise<Cart>;
"""


def test_annotations_of_parameters_locals_fields_and_results() -> None:
    check(
        SHOP
        + """
-- a.ts --
import { Item, Special, load, type Cart } from "./shop";
class Page {
  private item: Item;
  constructor(private cart: Cart, readonly special = new Special()) {
    this.item = cart.first(); //: first -> Cart.first
  }
  total() {
    this.item.price(); //: item -> Page.item; price -> Item.price
    this.cart.first().price(); //: cart -> Page.cart; first -> Cart.first; price -> Item.price
    this.special.discount(); //: discount -> Special.discount
    this.cart.owner?.rename("x"); //: owner -> Cart.owner; rename -> User.rename
    this.cart.owner!.rename("x"); //: rename -> User.rename
  }
}
async function f(given: unknown) {
  const cart = await load(); //: load -> load
  cart.first(); //: first -> Cart.first
  (given as Item).price(); //: price -> Item.price
  (<Special>given).discount(); //: discount -> Special.discount
  load().then((c) => c.first()); //: first -> Cart.first
}
"""
    )


def test_elements_of_arrays_maps_records_and_tuples() -> None:
    check(
        SHOP
        + """
-- a.ts --
import type { Cart, Item, User } from "./shop";
function f(cart: Cart, pair: [Item, User], ids: number[], one: keyof Cart) {
  cart.items.forEach((item) => item.price()); //: price -> Item.price; forEach -> external lib
  cart.items.map((item) => item).filter(Boolean)[0].price(); //: price -> Item.price
  cart.items.find((item) => item.name)?.price(); //: name -> Item.name; price -> Item.price
  for (const item of cart.items) item.price(); //: price -> Item.price
  cart.items[0].price(); //: price -> Item.price
  cart.byName.get("x")!.price(); //: price -> Item.price
  for (const [key, item] of cart.byName) item.price(); //: price -> Item.price
  cart.lookup["x"].price(); //: price -> Item.price
  Object.values(cart.lookup).forEach((item) => item.price()); //: price -> Item.price
  pair[1].rename("x"); //: rename -> User.rename
  pair[0].rename("x"); //: rename -> unresolved no-member
  const [item, user] = pair;
  user.rename("x"); //: rename -> User.rename
  const { items: [head], owner } = cart; //: items -> Cart.items; owner -> Cart.owner
  head.price(); //: price -> Item.price
  owner?.rename("y"); //: rename -> User.rename
  cart.items.reduce((sum, item) => sum + item.price(), 0); //: price -> Item.price
  new Set(cart.items).forEach((item) => item.price()); //: price -> Item.price
  [cart.items[0], ...cart.items].at(0)?.price(); //: price -> Item.price
}
async function g(promises: Promise<Item>[]) {
  (await Promise.all(promises)).map((item) => item.price()); //: price -> Item.price
}
"""
    )


def test_inheritance_overrides_and_super() -> None:
    linked = check("""
-- a.ts --
abstract class Base {
  abstract draw(): void;
  render() { this.draw(); return this; } //: draw -> Base.draw
  static create() { return new this(); }
  static shared() {}
}
class Circle extends Base { //: Base -> Base
  override draw() { super.render(); } //: render -> Base.render
  constructor() { super(); } //: super -> Base
  static shared() { super.shared(); } //: shared -> Base.shared
  radius() {}
}
new Circle().render().radius(); //: render -> Base.render; radius -> Circle.radius
Circle.create(); //: create -> Base.create
Circle.shared(); //: shared -> Circle.shared
Circle.draw(); //: draw -> unresolved
new Circle().shared(); //: shared -> unresolved
const shape: Base = new Circle();
shape.draw(); //: draw -> Base.draw
""")
    draws = [fact for fact in linked.definitions("a.ts") if fact.qualified_name == "Circle.draw"]
    assert draws[0].extra["override"] is True


def test_members_that_an_outside_base_must_have_are_external() -> None:
    check("""
-- a.ts --
import { Component } from "react";
class Page extends Component { //: Component -> external react:Component
  own() { this.setState({}); this.own(); } //: setState -> external react; own -> Page.own
}
class Failure extends Error { //: Error -> external lib
  show() { return this.message + this.code(); } //: message -> external lib; code -> external lib
}
class Odd extends (null as any) { run() { this.x(); this.run(); } } //: x -> unresolved; run -> Odd.run
""")


def test_declaration_merging() -> None:
    check("""
-- a.ts --
interface Box { left: number }
interface Box { right: number }
class Tool { use() {} }
interface Tool { extra(): void }
function jq(x: string): string { return x; }
namespace jq { export function ajax() {} }
enum Color { Red }
namespace Color { export function parse(): Color { return Color.Red; } } //: Red -> Color.Red
interface Dual { tag: string }
const Dual = { make(): Dual { return { tag: "" }; } }; //: tag -> Dual.tag
declare const box: Box;
box.left + box.right; //: left -> Box.left; right -> Box.right
new Tool().extra(); //: Tool -> Tool; extra -> Tool.extra
jq("x"); //: jq -> jq
jq.ajax(); //: ajax -> jq.ajax
Color.parse(); //: parse -> Color.parse
const d: Dual = Dual.make(); //: make -> Dual.make
d.tag; //: tag -> Dual.tag
""")


def test_a_name_in_its_type_and_its_value_meaning() -> None:
    linked = check("""
-- a.ts --
interface Dual { tag: string }
const Dual = () => 1;
let x: Dual; //: Dual -> Dual
Dual(); //: Dual -> Dual
""")
    assert "interface" in linked.at("a.ts", 3, "Dual").targets[0]
    assert "function" in linked.at("a.ts", 4, "Dual").targets[0]


def test_overloads_lead_to_the_implementation_or_by_arity() -> None:
    check("""
-- a.ts --
export function parse(text: string): Tree;
export function parse(text: string, deep: boolean): Tree[];
export function parse(text: string, deep?: boolean): any {}
export interface Tree { leaves(): void }
parse("x").leaves(); //: leaves -> Tree.leaves; parse -> parse
parse("x", true)[0].leaves(); //: leaves -> Tree.leaves
-- b.d.ts --
export declare function on(event: string): void;
export declare function on(event: string, run: () => void): number;
export declare function on(event: number): void;
-- c.ts --
import { on } from "./b";
on("x", () => 1); //: on -> on
on("x"); //: on -> ambiguous on, on
""")


def test_accessors() -> None:
    linked = check("""
-- a.ts --
class Part { go() {} }
class Whole {
  get part(): Part { return new Part(); }
  set part(value: Part) {}
}
const whole = new Whole();
whole.part.go(); //: part -> Whole.part; go -> Part.go
whole.part = new Part(); //: part -> Whole.part
""")
    assert linked.at("a.ts", 7, "part").targets[0].startswith("a.ts:3:")
    assert linked.at("a.ts", 8, "part").targets[0].startswith("a.ts:4:")


def test_generics_and_their_bounds() -> None:
    check("""
-- a.ts --
interface Named { label(): string }
class User implements Named { label() { return ""; } login() {} } //: Named -> Named
class List<T extends Named> {
  constructor(private head: T) {}
  first(): T { return this.head; }
  show() { return this.head.label(); } //: label -> Named.label
  map<U>(change: (item: T) => U): U { return change(this.head); } //: change -> List.map.change
}
function identity<T>(x: T): T { return x; }
function firstOf<T>(items: T[], test: (item: T) => boolean): T { return items[0]; }
const users = new List(new User());
users.first().login(); //: login -> User.login
users.map((user) => user.login()); //: login -> User.login
const explicit: List<User> = users;
explicit.first().login(); //: login -> User.login
identity(new User()).login(); //: login -> User.login
identity<User>(null as any).login(); //: login -> User.login
firstOf([new User()], (user) => user.login()).login(); //: login -> User.login; login#2 -> User.login
class Users extends List<User> { run() { this.first().login(); } } //: login -> User.login
type Maybe<T> = T | undefined;
declare const maybe: Maybe<User>;
maybe?.login(); //: login -> User.login
declare const partial: Partial<Readonly<User>>;
partial.login?.(); //: login -> User.login
""")


def test_unions_intersections_and_aliases() -> None:
    check("""
-- a.ts --
class A { both() {} onlyA() {} }
class B { both() {} }
type Either = A | B;
type Both = A & { extra: B };
type Options = { target: A; nested: { deep: B } };
function f(either: Either, all: Both, options: Options, plain: A | string) {
  either.both(); //: both -> A.both, B.both
  all.onlyA(); //: onlyA -> A.onlyA
  all.extra.both(); //: extra -> Both.extra; both -> B.both
  options.target.onlyA(); //: target -> Options.target; onlyA -> A.onlyA
  options.nested.deep.both(); //: nested -> Options.nested; deep -> Options.deep; both -> B.both
  plain.onlyA(); //: onlyA -> A.onlyA
  all.missing(); //: missing -> unresolved
}
""")


def test_computed_types() -> None:
    check("""
-- a.ts --
class Model { save() {} child = new Child(); }
class Child { grow() {} }
const make = (): Model => new Model();
type Result = ReturnType<typeof make>;
function f(a: Result, b: InstanceType<typeof Model>, c: Model["child"], d: typeof make, e: Awaited<Promise<Model>>) {
  a.save(); //: save -> Model.save
  b.save(); //: save -> Model.save
  c.grow(); //: grow -> Child.grow
  d().save(); //: save -> Model.save
  e.save(); //: save -> Model.save
}
""")


def test_functions_that_are_passed_know_what_they_get() -> None:
    check("""
-- a.ts --
class Event { stop() {} }
type Handler = (event: Event) => void;
interface Options { onClick: Handler; onKey?(event: Event): void }
function listen(handler: Handler, options?: Options) {}
listen((event) => event.stop()); //: stop -> Event.stop
listen(function (event) { event.stop(); }); //: stop -> Event.stop
listen(() => {}, { onClick: (event) => event.stop() }); //: stop -> Event.stop
listen(() => {}, { onKey(event) { event.stop(); } }); //: stop -> Event.stop
const handler: Handler = (event) => event.stop(); //: stop -> Event.stop
const options: Options = { onClick(event) { event.stop(); } }; //: stop -> Event.stop
const satisfied = { onClick: (event) => event.stop() } satisfies Options; //: stop -> Event.stop
handler(new Event()); //: handler -> handler
""")


def test_what_is_returned_without_a_declaration() -> None:
    check("""
-- a.ts --
class Client { send() {} }
const make = () => new Client();
function wrap() { if (Math.random()) return null; return make(); }
async function later() { return make(); }
class Api { client = make(); get() { return this.client; } }
make().send(); //: send -> Client.send
wrap()?.send(); //: send -> Client.send
(async () => (await later()).send())(); //: send -> Client.send
new Api().get().send(); //: get -> Api.get; send -> Client.send
""")


def test_enums_and_namespaces() -> None:
    check("""
-- a.ts --
export enum Level { Low, High = Low + 1 } //: Low -> Level.Low
export namespace Outer.Inner { export class Leaf { fall() {} } export const leaf = new Leaf(); }
-- b.ts --
import { Level, Outer } from "./a";
Level.High; //: High -> Level.High; Level -> Level
const x: Level.Low = Level.Low; //: Low -> Level.Low; Low#2 -> Level.Low
new Outer.Inner.Leaf().fall(); //: Inner -> Outer.Inner; Leaf -> Outer.Inner.Leaf; fall -> Outer.Inner.Leaf.fall
Outer.Inner.leaf.fall(); //: fall -> Outer.Inner.Leaf.fall
let leaf: Outer.Inner.Leaf; //: Leaf -> Outer.Inner.Leaf
import Inner = Outer.Inner; //: Inner -> Outer.Inner
new Inner.Leaf(); //: Leaf -> Outer.Inner.Leaf
""")


def test_private_names_and_index_signatures() -> None:
    check("""
-- a.ts --
class Safe {
  #secret = 1;
  #hide() { return this.#secret; } //: #secret -> Safe.#secret
  open(other: Safe) { other.#hide(); } //: #hide -> Safe.#hide
}
interface Bag { [key: string]: Safe; known: Safe }
declare const bag: Bag;
bag.known.open(null!); //: known -> Bag.known; open -> Safe.open
bag.anything.open(null!); //: anything -> unresolved index-signature; open -> Safe.open
""")


def test_jsx_components() -> None:
    check("""
-- a.tsx --
import { Button } from "./button";
import * as ui from "./button";
const Local = (props: { onOpen: (menu: ui.Menu) => void }) => <div />; //: div -> none
export const page = () => (
  <Button kind="x"> //: Button -> Button
    <ui.Icon /> //: ui -> button; Icon -> Icon
    <Local onOpen={(menu) => menu.show()} /> //: Local -> Local; show -> Menu.show
  </Button> //: Button -> Button
);
-- button.tsx --
export function Button(props: { kind: string; children: unknown }) { return null; }
export const Icon = () => null;
export class Menu { show() {} }
""")


def test_decorators_and_what_is_thrown() -> None:
    linked = check("""
-- a.ts --
function injectable() { return (target: any) => target; }
function field(target: any, key: string) {}
class Missing extends Error {}
@injectable() //: injectable -> injectable
class Service {
  @field name = ""; //: field -> field
  @injectable() run(@field x: string) { //: injectable -> injectable; field -> field
    throw new Missing(); //: Missing -> Missing
  }
}
""")
    assert linked.at("a.ts", 4, "injectable").kind == "decorate"
    assert linked.at("a.ts", 8, "Missing").kind == "raise"


def test_documentation_types_in_javascript() -> None:
    check("""
-- store.js --
class Store { save() {} }
module.exports = Store;
/** @typedef {{ store: Store, size: number }} Options */
-- a.js --
/** @typedef {import("./store")} Store */
/** @import Again from "./store" */
/** @typedef {import("./store").Options} Options */
/**
 * @param {Store} store the store //: Store -> Store
 * @param {Array<Store>} all
 * @param {Options=} options
 * @param {...Again} rest
 * @returns {Promise<Store>}
 */
async function f(store, all, options, ...rest) {
  store.save(); //: save -> Store.save
  all.forEach((one) => one.save()); //: save -> Store.save
  options.store.save(); //: store -> Options.store; save -> Store.save
  rest[0].save(); //: save -> Store.save
  /** @type {Store} */
  const other = JSON.parse("");
  other.save(); //: save -> Store.save
  /** @type {Store} */ (JSON.parse("")).save(); //: save -> Store.save
  (await f(store)).save(); //: save -> Store.save
}
class Holder {
  constructor() {
    /** @type {Map<string, Store>} */
    this.map = new Map();
  }
  /** @template T @param {T} value @returns {T} */
  same(value) { return value; }
  run() {
    this.map.get("x").save(); //: save -> Store.save
    this.same(new (require("./store"))()).save(); //: save -> Store.save
  }
}
""")


def test_a_receiver_of_unknown_type_stays_unresolved() -> None:
    check("""
-- a.ts --
class Only { uniqueMethodName() {} }
export function f(x: any, y: unknown, z) {
  x.uniqueMethodName(); //: uniqueMethodName -> unresolved
  (y as any).uniqueMethodName(); //: uniqueMethodName -> unresolved
  z.uniqueMethodName(); //: uniqueMethodName -> unresolved
  fetch("x").then((r) => r.uniqueMethodName()); //: uniqueMethodName -> unresolved
}
""")


def test_variance_annotations_and_generic_members_are_no_damage() -> None:
    linked = check("""
-- a.ts --
export interface Effect<out A, in out E = never> { value: A; error: E }
export const dual: {
  <A>(self: Effect<A>): Effect<A>
  <B>(other: B): Effect<B>
} = null!
export type * from "./b";
export function f(e: Effect<Leaf>) { e.value.fall(); } //: value -> Effect.value; fall -> Leaf.fall
class Leaf { fall() {} }
-- b.ts --
export interface Gone {}
""")
    assert linked.facts["a.ts"].damage == []


def test_a_destructuring_default_adds_nothing_to_a_declared_type() -> None:
    check("""
-- a.ts --
interface Target { go(): void }
class Other { go() {} }
interface Options { make?: () => Target }
function f(options: Options) {
  const { make = () => new Other() } = options;
  make().go(); //: go -> Target.go
}
function g({ plain = new Other() }) {
  plain.go(); //: go -> Other.go
}
""")

"""CommonJS, and members that assignments declare (Node.js manual, "CommonJS modules")."""

from tests.languages.typescript.ecmascript_repository import check


def test_exports_of_every_form() -> None:
    check("""
-- lib.js --
function one() {}
exports.one = one;
exports.two = function () {};
module.exports.Three = class {};
exports.four = () => 4;
exports.five = { deep() {} };
-- use.js --
const lib = require("./lib"); //: lib -> lib; require -> external node
const { one, two: second } = require("./lib"); //: one -> one; two -> two
lib.one(); //: one -> one
lib.two(); //: two -> two
new lib.Three(); //: Three -> Three
lib.four(); //: four -> four
lib.five.deep(); //: five -> five; deep -> five.deep
one(); //: one -> one
second(); //: second -> two
lib.six(); //: six -> unresolved
""")


def test_an_exported_object_leads_to_what_it_names() -> None:
    check("""
-- lib.js --
const helper = () => 1;
class Report { make() {} }
module.exports = { helper, Report, alias: helper, own() {}, arrow: () => 2, ...require("./more") }; //: helper -> helper
-- more.js --
exports.extra = function () {};
-- use.js --
const { helper, alias, own, arrow, extra, Report } = require("./lib");
helper(); //: helper -> helper
alias(); //: alias -> helper
own(); //: own -> own
arrow(); //: arrow -> arrow
extra(); //: extra -> extra
new Report().make(); //: make -> Report.make
""")


def test_a_module_that_is_a_class_or_function() -> None:
    check("""
-- Shape.js --
class Shape { area() {} static unit() {} }
module.exports = Shape;
module.exports.helper = function () {};
-- make.js --
module.exports = function make() { return new (require("./Shape"))(); };
-- use.js --
const Shape = require("./Shape"); //: Shape -> Shape
const make = require("./make"); //: make -> make
new Shape().area(); //: area -> Shape.area; Shape -> Shape
Shape.unit(); //: unit -> Shape.unit
Shape.helper(); //: helper -> helper
make().area(); //: make -> make; area -> Shape.area
const unit = require("./Shape").unit; //: unit -> Shape.unit
-- esm.mjs --
import Shape, { helper } from "./Shape.js"; //: Shape -> Shape; helper -> helper
""")


def test_constructor_functions_and_prototypes() -> None:
    check("""
-- a.js --
function Point(x) { this.x = x; }
Point.prototype.move = function () { return this.x; }; //: x -> Point.x
Point.prototype.twice = function () { this.move(); }; //: move -> Point.move
Point.origin = function () { return new Point(0); };
Point.origin().move(); //: origin -> Point.origin; move -> Point.move
new Point(1).move(); //: Point -> Point; move -> Point.move
""")


def test_fields_that_methods_assign() -> None:
    check("""
-- a.js --
class Store { save() {} }
class App {
  constructor() {
    this.store = new Store();
    this.handler = () => this.store.save(); //: store -> App.store; save -> Store.save
  }
  run() {
    this.store.save(); //: store -> App.store; save -> Store.save
    this.handler(); //: handler -> App.handler
    this.store = null; //: store -> App.store
  }
}
""")


def test_members_of_object_literals() -> None:
    check("""
-- a.js --
const api = {
  get() { return this.send(); }, //: send -> api.send
  send: () => 1,
  nested: { deep() {} },
};
api.later = function () {};
api.get(); //: get -> api.get
api.nested.deep(); //: nested -> api.nested; deep -> api.nested.deep
api.later(); //: later -> api.later
api["get"]();
api.missing(); //: missing -> unresolved no-member
""")


def test_what_a_factory_returns() -> None:
    check("""
-- a.js --
function create() {
  function start() {}
  return { start, stop() {} };
}
const machine = create();
machine.stop(); //: stop -> create.stop
machine.start(); //: start -> create.start
""")


def test_a_shadowed_require_is_no_import() -> None:
    check("""
-- a.js --
function f(require) {
  const x = require("./b"); //: require -> f.require
  x.go(); //: go -> unresolved
}
-- b.js --
exports.go = function () {};
""")


def test_export_assignment_and_import_require_of_typescript() -> None:
    check("""
-- a.ts --
class Engine { run() {} }
export = Engine; //: Engine -> Engine
-- b.ts --
import Engine = require("./a"); //: Engine -> Engine
import Alias = Engine; //: Engine -> Engine
new Engine().run(); //: run -> Engine.run
new Alias().run(); //: run -> Engine.run
""")

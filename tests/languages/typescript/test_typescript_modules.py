"""ECMAScript modules and their resolution (handbook, "Modules - Reference"; Node.js manual, "Modules: Packages")."""

from tests.languages.typescript.ecmascript_repository import check


def test_default_named_and_namespace_imports() -> None:
    check("""
-- a.ts --
import make, { helper as h, type Shape } from "./lib"; //: make -> make; helper -> helper; Shape -> Shape
import * as lib from "./lib"; //: lib -> lib
make(); //: make -> make
h(); //: h -> helper
lib.helper(); //: helper -> helper; lib -> lib
lib.default(); //: default -> make
const s: Shape = { size: 1 }; //: Shape -> Shape; size -> Shape.size
-- lib.ts --
export default function make() {}
export function helper() {}
export interface Shape { size: number }
""")


def test_barrels_are_followed_to_the_definition() -> None:
    check("""
-- a.ts --
import { Foo, deep, ns, renamed } from "./barrel";
new Foo(); //: Foo -> Foo
deep(); //: deep -> deep
ns.deep(); //: deep -> deep; ns -> two
renamed(); //: renamed -> deep
-- barrel/index.ts --
export { default as Foo } from "../one"; //: default -> Foo
export * from "./middle";
export * as ns from "../two"; //: ns -> two
export { deep as renamed } from "../two"; //: deep -> deep
-- barrel/middle.ts --
export * from "../two";
-- one.ts --
export default class Foo {}
-- two.ts --
export const deep = () => 1;
""")


def test_export_star_leaves_out_the_default_and_own_names_win() -> None:
    check("""
-- a.ts --
import def, { f } from "./b"; //: def -> unresolved; f -> b.ts|f
-- b.ts --
export * from "./c";
export function f() {}
-- c.ts --
export default function d() {}
export function f() {}
""")


def test_circular_re_exports_end() -> None:
    check("""
-- a.ts --
export * from "./b";
export { gone } from "./b"; //: gone -> unresolved
export function here() {}
-- b.ts --
export * from "./a";
export { gone } from "./a"; //: gone -> unresolved
-- c.ts --
import { here } from "./b"; //: here -> here
""")


def test_a_name_from_the_only_outside_star_is_external() -> None:
    check("""
-- a.ts --
import { pick, own } from "./b"; //: pick -> external lodash:pick; own -> own
-- b.ts --
export * from "lodash";
export const own = 1;
""")


def test_default_exports_of_expressions() -> None:
    check("""
-- a.ts --
import api from "./api"; //: api -> default
import run from "./run"; //: run -> default
api.get(); //: get -> default.get
run(); //: run -> default
-- api.ts --
export default { get() {} };
-- run.ts --
export default () => 1;
""")


def test_extensions_and_index_files() -> None:
    check("""
-- a.ts --
import { x } from "./x.js"; //: x -> x.ts|x
import { y } from "./y"; //: y -> y.tsx|y
import { z } from "./z"; //: z -> z/index.ts|z
import { w } from "./w.mjs"; //: w -> w.mts|w
import { d } from "./d"; //: d -> d.d.ts|d
import { j } from "./j"; //: j -> j.jsx|j
-- x.ts --
export const x = 1;
-- x.js --
export const x = 1;
-- y.tsx --
export const y = 1;
-- z/index.ts --
export const z = 1;
-- w.mts --
export const w = 1;
-- d.d.ts --
export declare const d: number;
-- j.jsx --
export const j = 1;
""")


def test_paths_of_the_nearest_configuration_with_comments_and_extends() -> None:
    check("""
-- tsconfig.base.json --
{
  // everybody's
  "compilerOptions": { "paths": { "@lib/*": ["./shared/*"], }, },
}
-- tsconfig.json --
{ "extends": "./tsconfig.base.json", }
-- app/tsconfig.json --
{ "extends": ["../tsconfig.base.json"],
  "compilerOptions": { "paths": { "@lib/*": ["./lib/*"], "exact": ["./lib/one.ts"] } } }
-- shared/tool.ts --
export function tool() {}
-- app/lib/tool.ts --
export function tool() {}
-- app/lib/one.ts --
export function one() {}
-- app/main.ts --
import { tool } from "@lib/tool"; //: tool -> app/lib/tool.ts|tool
import { one } from "exact"; //: one -> one
import { gone } from "@lib/gone"; //: gone -> unresolved
-- main.ts --
import { tool } from "@lib/tool"; //: tool -> shared/tool.ts|tool
""")


def test_base_url_and_the_longest_pattern() -> None:
    check("""
-- tsconfig.json --
{ "compilerOptions": { "baseUrl": "src", "paths": { "*": ["fallback/*"], "app/*": ["application/*"] } } }
-- src/fallback/one.ts --
export const one = 1;
-- src/application/two.ts --
export const two = 1;
-- src/plain/three.ts --
export const three = 1;
-- src/main.ts --
import { one } from "one"; //: one -> one
import { two } from "app/two"; //: two -> two
import { three } from "plain/three"; //: three -> three
import { four } from "four"; //: four -> external four
""")


def test_the_referenced_project_that_includes_the_file_owns_it() -> None:
    check("""
-- tsconfig.json --
{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.test.json" }] }
-- tsconfig.app.json --
{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } }, "include": ["src"], "exclude": ["src/**/*.spec.ts"] }
-- tsconfig.test.json --
{ "compilerOptions": { "paths": { "~/*": ["./mocks/*"] } }, "include": ["src/**/*.spec.ts"] }
-- src/db.ts --
export function open() {}
-- mocks/db.ts --
export function open() {}
-- src/main.ts --
import { open } from "~/db"; //: open -> src/db.ts|open
-- src/main.spec.ts --
import { open } from "~/db"; //: open -> mocks/db.ts|open
""")


def test_root_dirs_are_one_folder() -> None:
    check("""
-- tsconfig.json --
{ "compilerOptions": { "rootDirs": ["src", "generated"] } }
-- src/main.ts --
import { query } from "./query"; //: query -> query
-- generated/query.ts --
export const query = 1;
""")


def test_workspace_members_by_name_exports_and_built_outputs() -> None:
    check("""
-- package.json --
{ "name": "root", "workspaces": { "packages": ["packages/*"] } }
-- packages/core/package.json --
{ "name": "@acme/Core", "exports": {
  ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" },
  "./features/*": "./src/features/*.ts", "./internal/*": null } }
-- packages/core/tsconfig.json --
{ "compilerOptions": { "outDir": "dist", "rootDir": "src" }, "include": ["src"] }
-- packages/core/src/index.ts --
export function core() {}
export { self } from "@acme/core/features/self"; //: self -> self
-- packages/core/src/features/self.ts --
export function self() {}
-- packages/plain/package.json --
{ "name": "plain", "main": "./lib/main.js" }
-- packages/plain/lib/main.js --
module.exports = { plain() {} };
-- packages/app/main.ts --
import { core } from "@acme/core"; //: core -> core
import { self } from "@acme/core/features/self"; //: self -> self
import { hidden } from "@acme/core/src/index"; //: hidden -> unresolved
import { plain } from "plain"; //: plain -> plain
import { debounce } from "lodash/fp"; //: debounce -> external lodash:fp.debounce
""")


def test_an_unbuilt_output_without_a_configuration_is_not_guessed() -> None:
    check("""
-- package.json --
{ "workspaces": ["packages/*"] }
-- packages/a/package.json --
{ "name": "a", "main": "dist/index.js" }
-- packages/a/src/index.ts --
export function a() {}
-- packages/b/use.ts --
import { a } from "a"; //: a -> unresolved
""")


def test_internal_imports_of_a_package() -> None:
    check("""
-- package.json --
{ "name": "app", "imports": { "#db": "./src/db.ts", "#util/*": "./src/util/*.ts", "#dep": "lodash" } }
-- src/db.ts --
export const db = 1;
-- src/util/text.ts --
export const text = 1;
-- src/main.ts --
import { db } from "#db"; //: db -> db
import { text } from "#util/text"; //: text -> text
import { pick } from "#dep"; //: pick -> external lodash:pick
import { none } from "#none"; //: none -> unresolved
""")


def test_builtins_packages_and_aliases_that_nobody_explains() -> None:
    check("""
-- a.ts --
import { readFile } from "node:fs/promises"; //: readFile -> external node:fs.promises.readFile
import path from "path"; //: path -> external node
import { x } from "@/x"; //: x -> unresolved
import { y } from "~/y"; //: y -> unresolved
import { button } from "components/button"; //: button -> unresolved
import React from "react"; //: React -> external react:default
path.join("a"); //: join -> external node
-- components/other.ts --
export const other = 1;
-- package.json --
{ "name": "app", "dependencies": { "react": "*" } }
""")


def test_packages_that_only_tests_hold_are_nobodys_import() -> None:
    check("""
-- package.json --
{ "name": "app" }
-- tests/fixtures/react/package.json --
{ "name": "react", "main": "index.js" }
-- tests/fixtures/react/index.js --
exports.useState = function () {};
-- src/a.js --
import { useState } from "react"; //: useState -> external react
""")


def test_dynamic_imports_and_type_imports() -> None:
    check("""
-- a.ts --
async function f() {
  const m = await import("./m");
  m.go(); //: go -> go
  import("./m").then((m) => m.go()); //: go -> go
  const { go } = await import("./m"); //: go -> go
}
let t: import("./m").T; //: T -> T
let u: typeof import("./m");
u.go(); //: go -> go
-- m.ts --
export function go() {}
export interface T {}
""")


def test_ambient_modules_and_augmentations() -> None:
    check("""
-- shims.d.ts --
declare module "virtual:icons" {
  export function icon(): string;
}
-- aug.ts --
import { Foo } from "./foo";
declare module "./foo" {
  interface Foo { extra(): void }
}
export function g(f: Foo) { f.own(); } //: own -> Foo.own
-- foo.ts --
export interface Foo { own(): void }
-- a.ts --
import { icon } from "virtual:icons"; //: icon -> icon
""")


def test_global_declarations() -> None:
    check("""
-- globals.d.ts --
declare function gettext(key: string): string;
declare const VERSION: string;
-- setup.ts --
export {};
declare global {
  interface Window { app: App }
  function track(): void;
}
interface App {}
-- a.ts --
export const t = gettext("x"); //: gettext -> gettext
track(); //: track -> track
console.log(VERSION); //: VERSION -> VERSION; log -> external lib
""")

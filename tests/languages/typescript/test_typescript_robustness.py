"""Any bytes in, facts out: nothing raises, every range slices to its name, depth costs no stack."""

import random
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.languages.facts import extract, interface
from graph.languages.registry import by_name
from graph.model import FileFacts
from tests.harness.linking import link_sources

HERE = Path(__file__).parent
SAMPLES = {
    "sample.tsx": """
import React, { useState as state, type FC } from "react";
export * from "./other"; export { default as X } from "./x"; import fs = require("fs");
/** Doc. @deprecated */
export abstract class View<T extends object = {}> extends Base<T> implements A, B.C {
  static #count = 0; @field() private readonly name?: string; declare x: [A, ...B[]];
  constructor(private a: A, public b = new B<T>(), ...rest: string[]) { super(a); this.name = a.name; }
  get size(): number { return this.#x?.y![0] ?? 1; } set size(v) {} async *gen() { yield* other; }
  render = () => <><Foo.Bar on={(e) => e.x} {...p}>{list.map((i) => <li key={i}>{i}</li>)}</Foo.Bar></>;
  static { View.#count++; }
}
declare global { interface Window { app: View<{}> } } declare module "m" { export const z: number; }
namespace N.M { export enum E { A, B = 2, "c-d" = f() } export import Q = A.B; }
type F<T> = T extends (infer U)[] ? { readonly [K in keyof T]?: U } : `a${T & string}` | (new (x: T) => is never);
function over(a: string): void;
function over({ a, b: [c = 1, ...d], ...e }: any = {}, u?: unknown) { label: for (const k in a) break label; }
for await (const [k, v] of m) {
  try { throw new Error(`x${k}`) } catch ({ message }) { delete a.b, void 0, typeof c } finally { }
}
const { a: { b }, ...c } = await import("./lazy"), d = <T,>(x: T): x is T => x as unknown satisfies T;
switch (a) { case 1: { let z = 1 } default: var hoisted = function named() { return arguments } }
""",
    "sample.js": """
'use strict'; const { a, b: c } = require('./x'), d = require("y").z;
/** @typedef {import("./x").T} T  @template Q
 * @param {Array.<T>} x @param {...?number} [y=1] @returns {Promise<T>} */
async function f(x, ...y) { this.z = x; const g = async () => { for (const i of await x) yield_(i); }; }
f.prototype.run = function () { return this.z }; f.prototype = { other() {} }; f.static = class extends (a || b) {};
exports.one = exports.two = f;
module.exports = { f, g() {}, get h() { return 1 }, ['i']: 2, j: { k: () => 1 }, ...require('z') };
Object.defineProperty(exports, "__esModule", { value: true }); var x = (a, b) => ({ a, b }), y = x`t${1}`;
if (a) b(); else if (c) { d?.e?.[f](...g) } do { x ||= 1 } while (!y); new.target; import.meta.url; /re/g.test(a);
""",
}


def extracted(path: str, source: bytes) -> FileFacts:
    name = "javascript" if path.endswith(".js") else "typescript"
    facts = extract(by_name()[name], path, source)
    text = source.decode("utf-8", "replace")
    for fact in facts.references:
        assert source[fact.start : fact.end].decode("utf-8", "replace") == fact.name, text
        assert fact.name
        assert 0 <= fact.enclosing < len(facts.definitions)
        assert -1 <= fact.expression < len(facts.expressions)
    for fact in facts.definitions[1:]:
        assert source[fact.name_start : fact.name_end].decode("utf-8", "replace") == fact.name, text
        assert -1 <= fact.scope < len(facts.scopes)
    orjson.dumps(interface(facts))
    return facts


@given(st.binary(max_size=300), st.sampled_from(sorted(SAMPLES)))
def test_random_bytes(source: bytes, path: str) -> None:
    extracted(path, source)


TOKENS = [
    "class", "function", "(", ")", "{", "}", "[", "]", "<", ">", "=>", "=", ".", "?.", ",", ";", ":", "a", "b",
    "T", "export", "import", "from", '"x"', "`", "${", "...", "async", "await", "new", "this", "super", "extends",
    "interface", "type", "enum", "namespace", "default", "const", "let", "var", "for", "of", "in", "return",
    "module.exports", "require", "@", "#p", "static", "get", "1", "/** @param {", "*/", "\n", "as", "is", "infer",
    "keyof", "typeof", "é",
]  # fmt: skip


@given(st.lists(st.sampled_from(TOKENS), max_size=60), st.sampled_from(sorted(SAMPLES)))
def test_random_tokens(tokens: list[str], path: str) -> None:
    extracted(path, " ".join(tokens).encode())


@given(st.data())
def test_mutated_files(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(SAMPLES)))
    source = SAMPLES[path].encode()
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(source) - 1))
        end = data.draw(st.integers(start, min(len(source), start + 120)))
        target = data.draw(st.integers(0, len(source)))
        if data.draw(st.booleans()):
            source = source[:start] + source[end:]
        else:
            source = source[:target] + source[start:end] + source[target:]
        if not source:
            break
    extracted(path, source)


@given(st.randoms(use_true_random=False))
def test_linking_of_mutated_files_never_raises(source: random.Random) -> None:
    files: dict[str, str | bytes] = {}
    for path, text in SAMPLES.items():
        cut, end = sorted(source.sample(range(len(text)), 2))
        files[path] = text[:cut] + text[end:] if end - cut < 200 else text
    files["tsconfig.json"] = '{ "extends": "./tsconfig.json", "compilerOptions": { "paths": { "*": ["*"] } } }'
    files["package.json"] = (
        '{ "name": "x", "exports": { ".": { "import": null }, "./*": ["./*.ts", 3] }, "workspaces": 7 }'
    )
    assert link_sources(files).answers is not None


DEEP = 5000
NESTED = {
    "blocks": "{" * DEEP + "f();" + "}" * DEEP,
    "parentheses": "(" * DEEP + "f()" + ")" * DEEP,
    "calls": "f(" * DEEP + ")" * DEEP,
    "functions": "(() => " * DEEP + "f()" + ")" * DEEP,
    "function bodies": "function g() {" * DEEP + "f();" + "}" * DEEP,
    "members": "a" + ".b" * DEEP + ".f()",
    "call chains": "a" + ".b(x => x.f())" * DEEP,
    "sums": " + ".join(["f()"] * DEEP),
    "arrays": "[" * DEEP + "f()" + "]" * DEEP,
    "objects": "x = " + "{ a: " * DEEP + "f()" + "}" * DEEP,
    "ternaries": "a ? b : " * DEEP + "f()",
    "conditions": "if (a) " * DEEP + "f();",
    "else": "if (a) {} else " * DEEP + "f();",
    "unions": "type T = " + " | ".join(["F"] * DEEP) + "; f();",
    "generics": "let x: " + "F<" * DEEP + "F" + ">" * DEEP + "; f();",
    "classes": "class A { m() { " * DEEP + "f();" + "} }" * DEEP,
}


@pytest.mark.parametrize("shape", sorted(NESTED))
def test_deep_nesting(shape: str) -> None:
    facts = extracted("deep.ts", NESTED[shape].encode())
    assert any(fact.name == "f" for fact in facts.references)


@pytest.mark.parametrize("shape", ["members", "call chains", "sums", "calls", "parentheses", "functions"])
def test_deep_nesting_links(shape: str) -> None:
    linked = link_sources({"deep.ts": NESTED[shape], "f.ts": "export function f() {}"})
    assert any(answer.name == "f" for answer in linked.answers)

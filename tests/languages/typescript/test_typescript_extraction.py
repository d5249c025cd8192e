"""What extraction says of one file: definitions with flags, signatures, documentation; references by kind; damage."""

from graph.languages.facts import extract
from graph.languages.registry import by_name
from graph.model import DefinitionFact, DefinitionKind, FileFacts, Flag, ReferenceKind, Visibility


def facts_of(text: str, path: str = "a.ts") -> FileFacts:
    language = by_name()["javascript" if path.endswith((".js", ".jsx")) else "typescript"]
    return extract(language, path, text.encode())


def definition(facts: FileFacts, name: str) -> DefinitionFact:
    found = [fact for fact in facts.definitions[1:] if fact.qualified_name == name]
    assert len(found) == 1, [fact.qualified_name for fact in facts.definitions]
    return found[0]


def references(facts: FileFacts, kind: ReferenceKind) -> list[str]:
    return [fact.name for fact in facts.references if fact.kind == kind]


def test_kinds_and_qualified_names() -> None:
    facts = facts_of("""
export class Service {
  field = 1; static create() {} get size() { return 1; } #hidden() {} handler = () => 1;
  constructor(public port: number) {}
}
interface Shape { area(): number; sides: number }
type Alias = { inner: string };
enum Level { Low }
namespace Space { export const inside = 1; }
const constant = 1;
let variable = 2;
const arrow = () => 1;
function* gen() {}
const Named = class {};
export default { entry() {} };
""")
    kinds = {fact.qualified_name: DefinitionKind(fact.kind).name for fact in facts.definitions[1:]}
    assert kinds == {
        "Service": "CLASS", "Service.field": "FIELD", "Service.create": "METHOD", "Service.size": "METHOD",
        "Service.#hidden": "METHOD", "Service.handler": "METHOD", "Service.constructor": "CONSTRUCTOR",
        "Service.port": "FIELD", "Shape": "INTERFACE", "Shape.area": "METHOD", "Shape.sides": "FIELD", "Alias": "TYPE",
        "Alias.inner": "FIELD", "Level": "ENUM", "Level.Low": "ENUM_MEMBER", "Space": "NAMESPACE",
        "Space.inside": "CONSTANT", "constant": "CONSTANT", "variable": "VARIABLE", "arrow": "FUNCTION",
        "gen": "FUNCTION", "Named": "CLASS", "default": "CONSTANT", "default.entry": "METHOD",
    }  # fmt: skip


def test_flags_and_visibility() -> None:
    facts = facts_of("""
export abstract class A { private static async x() {} protected abstract y(): void; get z() { return 1; } }
class B {}
/** @deprecated use B */
export function old() {}
async function* both() {}
""")
    x, y, z = definition(facts, "A.x"), definition(facts, "A.y"), definition(facts, "A.z")
    assert definition(facts, "A").flags == Flag.EXPORTED | Flag.ABSTRACT
    assert x.flags == Flag.STATIC | Flag.ASYNC
    assert x.visibility == Visibility.PRIVATE
    assert y.flags & Flag.ABSTRACT
    assert y.visibility == Visibility.PROTECTED
    assert z.flags == Flag.PROPERTY
    assert definition(facts, "B").visibility == Visibility.PACKAGE
    assert definition(facts, "old").flags == Flag.EXPORTED | Flag.DEPRECATED
    assert definition(facts, "both").flags == Flag.ASYNC | Flag.GENERATOR


def test_exported_later_counts_as_exported() -> None:
    facts = facts_of("function a() {}\nfunction b() {}\nexport { a };")
    assert definition(facts, "a").flags & Flag.EXPORTED
    assert not definition(facts, "b").flags & Flag.EXPORTED


def test_signatures_and_documentation() -> None:
    facts = facts_of("""
/**
 * Adds two numbers.
 * Both of them.
 *
 * More about it.
 * @param a the first
 */
export async function add(
  a: number,
  b: number,
): Promise<number> { return a + b; }
/* no documentation */
export class Plain extends Base { }
""")
    add = definition(facts, "add")
    assert add.signature == "async function add( a: number, b: number, ): Promise<number>"
    assert add.doc == "Adds two numbers. Both of them."
    assert definition(facts, "Plain").signature == "class Plain extends Base"
    assert definition(facts, "Plain").doc == ""


def test_reference_kinds() -> None:
    facts = facts_of("""
import { used } from "./x";
export { other } from "./y";
@deco class C extends Base implements Face { field: Type = read; }
new Made(); called(); target = 1; delete obj.prop; obj.written = 2; obj.read; throw new Thrown();
""")
    assert references(facts, ReferenceKind.IMPORT) == ["used"]
    assert references(facts, ReferenceKind.REEXPORT) == ["other"]
    assert references(facts, ReferenceKind.DECORATE) == ["deco"]
    assert references(facts, ReferenceKind.BASE) == ["Base"]
    assert references(facts, ReferenceKind.IMPLEMENT) == ["Face"]
    assert references(facts, ReferenceKind.TYPE) == ["Type"]
    assert references(facts, ReferenceKind.CONSTRUCT) == ["Made"]
    assert references(facts, ReferenceKind.CALL) == ["called"]
    assert references(facts, ReferenceKind.WRITE) == ["target", "written"]
    assert references(facts, ReferenceKind.DELETE) == ["prop"]
    assert references(facts, ReferenceKind.RAISE) == ["Thrown"]
    assert references(facts, ReferenceKind.READ) == ["read", "obj", "obj", "obj", "read"]


def test_every_reference_once() -> None:
    facts = facts_of("""
for (const x of list()) { if (test(x)) { while (more()) { go(); } } }
switch (pick()) { case one(): two(); default: three(); }
const f = async ({ a = start() } = init()) => { try { await run(); } catch { stop(); } finally { end(); } };
class K { m = first(); static { second(); } [key()]() { third(); } }
label: do { last(); } while (again());
`${inTemplate()}`; tag`x${y()}`; a?.b?.(c()); (d())(); e()?.[f2()]; ({ ...g(), h: i(), [j()]: k() }); [...l()];
""")
    calls = references(facts, ReferenceKind.CALL)
    assert sorted(calls) == sorted(
        [
            "list", "test", "more", "go", "pick", "one", "two", "three", "start", "init", "run", "stop", "end",
            "first", "second", "key", "third", "last", "again", "inTemplate", "tag", "y", "b", "c", "d", "e", "f2",
            "g", "i", "j", "k", "l",
        ]
    )  # fmt: skip


def test_the_enclosing_definition_of_a_reference() -> None:
    facts = facts_of("""
top();
class A { m() { inner(() => deep()); } f = value(); }
const arrow = () => { body(); };
""")
    owners = {fact.name: facts.definitions[fact.enclosing].qualified_name for fact in facts.references}
    assert owners == {"top": "a", "inner": "A.m", "deep": "A.m", "value": "A", "body": "arrow"}


def test_qualifiers_and_argument_counts() -> None:
    facts = facts_of("this.store.fetch(1, 2); a?.b!.c(...xs); f(/* none */);")
    rows = {fact.name: (fact.qualifier, fact.arguments) for fact in facts.references if fact.kind == ReferenceKind.CALL}
    assert rows == {"fetch": ("this.store", 2), "c": ("a?.b", -1), "f": ("", 0)}


def test_damage_and_conflict_markers() -> None:
    facts = facts_of("""
function good() { fine(); }
function broken( { oops();
<<<<<<< HEAD
const a = 1;
=======
const a = 2;
>>>>>>> other
""")
    assert facts.conflict_markers
    assert facts.damage
    assert not definition(facts, "good").flags & Flag.DAMAGED
    assert "fine" in references(facts, ReferenceKind.CALL)


def test_text_outside_ascii_keeps_byte_ranges() -> None:
    text = 'const größe = "日本"; 測る(größe); /* é */ obj.ñame();'
    facts = facts_of(text)
    source = text.encode()
    for fact in facts.references:
        assert source[fact.start : fact.end].decode() == fact.name
    assert [fact.name for fact in facts.references if fact.kind == ReferenceKind.CALL] == ["測る", "ñame"]


def test_flow_of_javascript_files() -> None:
    facts = facts_of("exports.a = function () {};\nmodule.exports.b = class {};", "lib.js")
    kinds = {fact.name: DefinitionKind(fact.kind).name for fact in facts.definitions[1:]}
    assert kinds == {"a": "FUNCTION", "b": "CLASS"}
    assert set(facts.exports) == {"a", "b"}

"""Small Rust repositories with the right answers beside the references, written as in the resolution cases."""

from __future__ import annotations

from graph.model import DefinitionFact
from tests.harness.case_file import parse_case
from tests.harness.linking import Answer, Linked, link_sources

MANIFEST = '[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "{edition}"\n'


def manifest(name: str = "demo", edition: str = "2021", rest: str = "") -> str:
    """A `Cargo.toml`."""
    return MANIFEST.format(name=name, edition=edition) + rest


def link(source: str, **others: str) -> Linked:
    """Link a crate whose root is `source`; further files by path, with `__` for `/`."""
    files = {"Cargo.toml": manifest(), "src/lib.rs": source}
    files.update({path.replace("__", "/") + ".rs": text for path, text in others.items()})
    return link_sources(files)


def check(source: str, **others: str) -> Linked:
    """Fail unless every `@ref` comment of a crate is met exactly by the syntactic layer.

    `NAME -> LABEL` asks for `resolved` with exactly that definition; `external` for an external answer or a local name;
    the label `open` for `unresolved` or `ambiguous`.
    """
    files = {"Cargo.toml": manifest(), "src/lib.rs": source}
    files.update({path.replace("__", "/") + ".rs": text for path, text in others.items()})
    return check_files(files)


def check_files(files: dict[str, str]) -> Linked:
    """As `check`, for files given as path -> text."""
    open_spots = {
        path: [line for line, text in enumerate(content.split("\n"), 1) if "-> open" in text]
        for path, content in files.items()
    }
    archive = "title: test\n" + "".join(f"-- {path} --\n{text.rstrip()}\n" for path, text in files.items())
    case = parse_case(archive.replace("-> open", "-> external").encode(), "test")
    linked = link_sources({path: text.rstrip() + "\n" for path, text in files.items()})
    assert case.expectations, "nothing is expected"
    faults: list[str] = []
    for expectation in case.expectations:
        spot = expectation.spot
        found = [a for a in linked.answers if (a.path, a.line, a.column) == (spot.path, spot.line, spot.column)]
        if spot.line in open_spots[spot.path]:
            right = bool(found) and all(answer.status in ("unresolved", "ambiguous") for answer in found)
        elif expectation.external:
            right = all(answer.status == "external" or is_local(answer) for answer in found)
        else:
            places = [case.definitions[label].spot for label in expectation.labels]
            wanted = {f"{place.path}:{place.line}" for place in places}
            right = bool(found) and all(
                answer.status == "resolved" and {":".join(target.split(":")[:2]) for target in answer.targets} == wanted
                for answer in found
            )
        if not right:
            faults.append(f"{spot}: {expectation.name} -> {sorted(expectation.labels) or 'external/open'}: got {found}")
    assert not faults, "\n".join(faults)
    return linked


def is_local(answer: Answer) -> bool:
    """Whether an answer names a local variable or a parameter."""
    return answer.status == "resolved" and all(
        target.split(":")[2] in ("variable", "parameter") for target in answer.targets
    )


def definition(linked: Linked, qualified_name: str, path: str = "src/lib.rs") -> DefinitionFact:
    """The only definition of that qualified name in a file."""
    found = [fact for fact in linked.facts[path].definitions if fact.qualified_name == qualified_name]
    assert len(found) == 1, f"{qualified_name}: {[fact.qualified_name for fact in linked.facts[path].definitions]}"
    return found[0]

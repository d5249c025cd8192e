"""Small Java repositories with the right answers beside the references: the format of the resolution cases."""

from __future__ import annotations

from graph.model import DefinitionFact
from tests.harness.case_file import Case, Expectation, parse_case
from tests.harness.linking import Answer, Linked, link_sources


def link(archive: str) -> Linked:
    """Extract and link the files of a txtar archive (`-- path --` lines); a source without such a line is `A.java`."""
    return _linked(_case(archive))


def check(archive: str) -> Linked:
    """Fail unless the syntactic layer alone gives exactly what each `@ref` of the archive says.

    `external` is met by an external answer, and by a name that is no reference because it is a local variable.
    """
    case = _case(archive)
    assert case.expectations, "nothing is expected"
    linked = _linked(case)
    faults = [fault for expectation in case.expectations if (fault := _fault(linked, case, expectation))]
    assert not faults, "\n".join(faults)
    return linked


def answer(linked: Linked, name: str, occurrence: int = 1) -> Answer:
    """The n-th reference of that name in the only file that has one, in source order."""
    found = sorted(
        (one for one in linked.answers if one.name == name), key=lambda one: (one.path, one.line, one.column)
    )
    assert len(found) >= occurrence, f"no reference {name}#{occurrence}"
    return found[occurrence - 1]


def definition(linked: Linked, qualified_name: str, path: str = "A.java") -> DefinitionFact:
    """The only definition of that qualified name in a file, the file as a module left out."""
    found = [fact for fact in linked.definitions(path) if fact.qualified_name == qualified_name]
    assert len(found) == 1, f"{qualified_name}: {[fact.qualified_name for fact in linked.facts[path].definitions]}"
    return found[0]


def _case(archive: str) -> Case:
    text = archive.lstrip()
    if not text.startswith("-- "):
        text = f"-- A.java --\n{text}"
    return parse_case(f"title: test\n{text}".encode(), "test")


def _linked(case: Case) -> Linked:
    return link_sources({file.path: file.content for file in case.files})


def _fault(linked: Linked, case: Case, expectation: Expectation) -> str:
    spot = expectation.spot
    answers = [one for one in linked.answers if (one.path, one.line, one.column) == (spot.path, spot.line, spot.column)]
    if expectation.external:
        wrong = [one for one in answers if one.status != "external"]
        return f"{spot}: {expectation.name} is not external: {wrong}" if wrong else ""
    wanted = {f"{place.path}:{place.line}" for label in expectation.labels for place in [case.definitions[label].spot]}
    if len(answers) != 1:
        return f"{spot}: {expectation.name}: no single reference here: {answers}"
    found = {":".join(target.split(":")[:2]) for target in answers[0].targets}
    last = {target.rsplit(":", 1)[1].rsplit(".", 1)[-1] for target in answers[0].targets}
    named = {case.definitions[label].name for label in expectation.labels}
    right = answers[0].status == "resolved" and found == wanted and last == named
    return "" if right else f"{spot}: {expectation.name}: wanted {sorted(wanted)}, got {answers[0]}"

"""Small Go repositories with the right answers beside the references: the format of the resolution cases."""

from __future__ import annotations

from graph.model import DefinitionFact
from tests.harness.case_file import Case, Expectation, parse_case
from tests.harness.linking import Answer, Linked, link_sources


def link(archive: str) -> Linked:
    """Extract and link the files of a txtar archive (`-- path --` lines)."""
    return link_case(_case(archive))


def link_case(case: Case) -> Linked:
    """Extract and link the files of a case."""
    return link_sources({file.path: file.content for file in case.files})


def check(archive: str) -> Linked:
    """Fail unless the syntactic layer alone gives exactly what each `@ref` of the archive says.

    `external` is met by an external answer, and by one that names a local variable or nothing at all but a local.
    """
    case = _case(archive)
    assert case.expectations, "nothing is expected"
    linked = link_case(case)
    faults = [fault for expectation in case.expectations if (fault := _fault(linked, case, expectation))]
    assert not faults, "\n".join(faults)
    return linked


def definition(linked: Linked, path: str, qualified_name: str) -> DefinitionFact:
    """The only definition of that qualified name in a file."""
    found = [fact for fact in linked.facts[path].definitions if fact.qualified_name == qualified_name]
    assert len(found) == 1, f"{qualified_name}: {[fact.qualified_name for fact in linked.facts[path].definitions]}"
    return found[0]


def names(answer: Answer) -> set[str]:
    """Qualified names of targets or candidates."""
    return {target.rsplit(":", 1)[1] for target in answer.targets}


def _case(archive: str) -> Case:
    return parse_case(f"title: test\n{archive.lstrip()}".encode(), "test")


def _fault(linked: Linked, case: Case, expectation: Expectation) -> str:
    spot = expectation.spot
    answers = [
        answer
        for answer in linked.answers
        if (answer.path, answer.line, answer.column) == (spot.path, spot.line, spot.column)
    ]
    if expectation.external:
        wrong = [answer for answer in answers if answer.status != "external" and not _is_local(answer)]
        return f"{spot}: {expectation.name} is not external: {wrong}" if wrong else ""
    wanted = {f"{place.path}:{place.line}" for label in expectation.labels for place in [case.definitions[label].spot]}
    if len(answers) != 1:
        return f"{spot}: {expectation.name}: no single reference here: {answers}"
    found = {":".join(target.split(":")[:2]) for target in answers[0].targets}
    last = {target.rsplit(":", 1)[1].rsplit(".", 1)[-1] for target in answers[0].targets}
    named = {case.definitions[label].name for label in expectation.labels}
    right = answers[0].status == "resolved" and found == wanted and last == named
    return "" if right else f"{spot}: {expectation.name}: wanted {sorted(wanted)}, got {answers[0]}"


def _is_local(answer: Answer) -> bool:
    return answer.reason == "local-value" or (
        answer.status == "resolved"
        and all(target.split(":")[2] in ("variable", "parameter") for target in answer.targets)
    )

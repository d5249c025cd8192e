"""The table of verdicts, row by row."""

import pytest

from graph.model import Status
from graph.store.semantic import Judgement
from graph.store.vocabulary import Verdict
from resolver.judging import LOCAL, NO_ANSWER, NO_DEFINITION, NOT_FOLLOWED, NOT_INDEXED, Claim, Situation, judge

REFERENCE, A, B, OUTSIDE = 7, 100, 200, 31
HOST, OTHER = ("host",), ("other",)
WHOLE = Situation(frozenset({"host", "other"}))
BROKEN_IMPORTS = Situation(frozenset())

TIED = Claim(Status.RESOLVED, frozenset({A}))
UNRESOLVED = Claim(Status.UNRESOLVED, reason="receiver-unknown")
AMBIGUOUS = Claim(Status.AMBIGUOUS, frozenset({A, B}))
ELSEWHERE = Claim(Status.EXTERNAL, external=30, package="os")


def says(*targets: int, contexts: tuple[str, ...] = HOST, current: bool = True) -> Claim:
    return Claim(Status.RESOLVED, frozenset(targets), contexts=contexts, current=current)


def external(package: str = "os", contexts: tuple[str, ...] = HOST, *, current: bool = True) -> Claim:
    return Claim(Status.EXTERNAL, external=OUTSIDE, package=package, contexts=contexts, current=current)


def nothing(reason: str = NO_ANSWER, contexts: tuple[str, ...] = HOST, *, current: bool = True) -> Claim:
    return Claim(Status.UNRESOLVED, reason=reason, contexts=contexts, current=current)


def failed(contexts: tuple[str, ...] = HOST) -> Claim:
    return Claim(Status.FAILED, reason="timeout", contexts=contexts)


def verdict(syntactic: Claim, *semantic: Claim, situation: Situation = WHOLE) -> tuple[Verdict, tuple[int, ...]] | None:
    found = judge(REFERENCE, syntactic, semantic, situation)
    return None if found is None else (found.verdict, found.targets)


def test_both_layers_give_the_same_target() -> None:
    assert verdict(TIED, says(A)) == (Verdict.CONFIRMED, (A,))


@pytest.mark.parametrize("syntactic", [UNRESOLVED, AMBIGUOUS])
def test_only_the_semantic_layer_gives_a_target(syntactic: Claim) -> None:
    assert verdict(syntactic, says(B)) == (Verdict.UPGRADED, (B,))


def test_several_targets_of_one_answer_all_count() -> None:
    assert verdict(UNRESOLVED, says(B, A)) == (Verdict.UPGRADED, (A, B))


@pytest.mark.parametrize("syntactic", [TIED, ELSEWHERE])
def test_different_targets(syntactic: Claim) -> None:
    assert verdict(syntactic, says(B)) == (Verdict.CORRECTED, (B,))
    assert verdict(syntactic, says(A, B)) == (Verdict.CORRECTED, (A, B))


@pytest.mark.parametrize("syntactic", [TIED, UNRESOLVED, AMBIGUOUS, ELSEWHERE])
def test_what_was_not_answered_changes_nothing(syntactic: Claim) -> None:
    assert verdict(syntactic) is None
    assert verdict(syntactic, failed(), Claim(Status.EXCLUDED, contexts=OTHER)) is None


def test_nothing_refutes_where_every_import_was_found() -> None:
    assert judge(REFERENCE, TIED, [nothing()], WHOLE) == Judgement(
        REFERENCE, Verdict.REFUTED, reason="nothing-there"
    )  # fmt: skip
    assert verdict(TIED, nothing(), situation=BROKEN_IMPORTS) is None


def test_external_refutes_where_every_import_was_found() -> None:
    assert judge(REFERENCE, TIED, [external()], WHOLE) == Judgement(
        REFERENCE, Verdict.REFUTED, external=OUTSIDE, reason="external"
    )
    assert verdict(TIED, external(), situation=BROKEN_IMPORTS) is None


def test_a_member_of_the_repository_is_not_external() -> None:
    workspace = Situation(WHOLE.whole, frozenset({"acme"}))
    assert verdict(TIED, external("acme"), situation=workspace) is None
    assert verdict(TIED, external("acme"), external("os", OTHER), situation=workspace) is None
    assert verdict(TIED, external("os"), situation=workspace) == (Verdict.REFUTED, ())


def test_a_local_refutes_what_is_none() -> None:
    assert judge(REFERENCE, TIED, [nothing(LOCAL)], WHOLE) == Judgement(REFERENCE, Verdict.REFUTED, reason=LOCAL)
    assert verdict(TIED, nothing(LOCAL), situation=BROKEN_IMPORTS) is None


@pytest.mark.parametrize("reason", [NOT_FOLLOWED, NO_DEFINITION, NOT_INDEXED])
def test_what_leads_to_an_unknown_place_refutes_nothing(reason: str) -> None:
    assert verdict(TIED, nothing(reason)) is None


def test_one_context_that_failed_or_cannot_know_does_not_refute_alone() -> None:
    assert verdict(TIED, nothing(), failed(OTHER)) == (Verdict.REFUTED, ())
    assert verdict(TIED, nothing(), nothing(NOT_FOLLOWED, OTHER)) is None
    assert verdict(TIED, nothing(), nothing(contexts=OTHER), situation=Situation(frozenset({"host"}))) is None


def test_contexts_give_different_targets() -> None:
    assert verdict(TIED, says(A), says(B, contexts=OTHER)) == (Verdict.CONTEXTUAL, (A, B))
    assert verdict(UNRESOLVED, says(A), says(B, contexts=OTHER)) == (Verdict.CONTEXTUAL, (A, B))


def test_a_target_in_one_context_and_external_in_another() -> None:
    found = judge(REFERENCE, TIED, [says(A), external(contexts=OTHER)], WHOLE)
    assert found == Judgement(REFERENCE, Verdict.CONTEXTUAL, (A,), OUTSIDE)


def test_nothing_in_another_context_leaves_the_target() -> None:
    assert verdict(TIED, says(A), nothing(contexts=OTHER)) == (Verdict.CONFIRMED, (A,))


@pytest.mark.parametrize("syntactic", [UNRESOLVED, AMBIGUOUS])
def test_only_the_semantic_layer_knows_that_it_is_external(syntactic: Claim) -> None:
    assert judge(REFERENCE, syntactic, [external()], WHOLE) == Judgement(
        REFERENCE, Verdict.EXTERNAL, external=OUTSIDE
    )  # fmt: skip


def test_external_of_the_syntactic_layer_stays() -> None:
    assert verdict(ELSEWHERE, external()) is None
    assert verdict(ELSEWHERE, nothing()) is None


@pytest.mark.parametrize("reason", [LOCAL, NO_DEFINITION, NOT_INDEXED])
def test_a_known_place_without_definition_is_a_reason_and_never_external(reason: str) -> None:
    found = judge(REFERENCE, UNRESOLVED, [nothing(reason)], WHOLE)
    assert found == Judgement(REFERENCE, Verdict.UNRESOLVED, reason=reason)
    assert verdict(AMBIGUOUS, nothing(reason)) is None


def test_nothing_leaves_what_is_open_as_it_is() -> None:
    assert verdict(UNRESOLVED, nothing()) is None
    assert verdict(AMBIGUOUS, nothing()) is None


def test_outdated_answers_count_where_nothing_contradicts_them() -> None:
    assert verdict(TIED, says(A, current=False)) == (Verdict.CONFIRMED, (A,))
    assert verdict(UNRESOLVED, says(B, current=False)) == (Verdict.UPGRADED, (B,))
    assert verdict(UNRESOLVED, external(current=False)) == (Verdict.EXTERNAL, ())


def test_outdated_answers_neither_correct_nor_refute() -> None:
    assert verdict(TIED, says(B, current=False)) is None
    assert verdict(ELSEWHERE, says(B, current=False)) is None
    assert verdict(TIED, nothing(current=False)) is None
    assert verdict(TIED, external(current=False)) is None
    assert verdict(UNRESOLVED, says(A, current=False), says(B, contexts=OTHER, current=False)) is None


def test_a_current_answer_counts_before_an_outdated_one() -> None:
    assert verdict(UNRESOLVED, says(A), says(B, contexts=OTHER, current=False)) == (Verdict.UPGRADED, (A,))

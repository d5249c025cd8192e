"""The table of verdicts: what the resolutions of one reference amount to, together. Pure.

Neither layer simply wins. A target that both give is confirmed; one that only the semantic layer gives is upgraded;
where they differ the semantic one counts and the other stays visible. An answer of "external" or "nothing" refutes a
syntactic target only when the server was in a position to know. What a server failed to answer changes nothing, and
an answer from before something that it rests on changed neither corrects nor refutes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from graph.model import Status
from graph.store.semantic import Judgement
from graph.store.vocabulary import Verdict

NO_ANSWER = "no-answer"
"""The server answered that there is no target."""
LOCAL = "local-value"
"""The target is a local variable or a parameter: in this repository, but nothing that the index keeps."""
NOT_FOLLOWED = "import-not-followed"
"""An import was answered with another declaration of its name beside it: where it leads was not found."""
NO_DEFINITION = "no-definition-there"
"""The target is a place of this repository at which the index has no definition."""
NOT_INDEXED = "target-not-indexed"
"""The target lies in a file of this repository that is not in the index."""

DENIALS = frozenset({NO_ANSWER, LOCAL})
"""Reasons of unresolved answers that deny every target."""
KNOWN_PLACES = frozenset({LOCAL, NO_DEFINITION, NOT_INDEXED})
"""Reasons of unresolved answers that say more than an unresolved syntactic resolution does."""


class Claim(NamedTuple):
    """What one layer says about one reference, in one set of contexts."""

    status: int
    targets: frozenset[int] = frozenset()
    """Definitions; of the syntactic layer also the candidates of an ambiguous resolution."""
    external: int | None = None
    """Id of the table `external`."""
    package: str = ""
    """Package of `external`."""
    reason: str = ""
    contexts: tuple[str, ...] = ()
    """Ids of contexts."""
    current: bool = True
    """Nothing that the answer rests on is known to have changed."""


class Situation(NamedTuple):
    """What is known about the file of a reference when it is judged."""

    whole: frozenset[str] = frozenset()
    """Ids of the contexts whose server found every import of the file: only then does "nothing" mean nothing."""
    workspace_names: frozenset[str] = frozenset()
    """Import names of the packages of this repository: that they lie elsewhere is the environment's mistake."""


def judge(reference: int, syntactic: Claim, semantic: Iterable[Claim], situation: Situation) -> Judgement | None:
    """The verdict on one reference; None where the syntactic resolution counts as it is."""
    answers = [claim for claim in semantic if claim.status not in (Status.FAILED, Status.EXCLUDED)]
    current = [claim for claim in answers if claim.current]
    if not current:
        return _judge_outdated(reference, syntactic, answers)
    resolved = [claim for claim in current if claim.targets]
    outside = [
        claim for claim in current if claim.external is not None and claim.package not in situation.workspace_names
    ]
    if resolved:
        return _judge_targets(reference, syntactic, resolved, outside)
    if syntactic.status == Status.RESOLVED:
        return _judge_denials(reference, current, outside, situation)
    return _judge_unknown(reference, syntactic, current)


def _judge_targets(
    reference: int, syntactic: Claim, resolved: list[Claim], outside: list[Claim]
) -> Judgement:  # fmt: skip
    distinct = list(dict.fromkeys(claim.targets for claim in resolved))
    everything = tuple(sorted(frozenset[int]().union(*distinct)))
    if len(distinct) > 1 or outside:
        return Judgement(reference, Verdict.CONTEXTUAL, everything, outside[0].external if outside else None)
    if syntactic.status == Status.RESOLVED and distinct[0] == syntactic.targets:
        return Judgement(reference, Verdict.CONFIRMED, everything)
    known = syntactic.status in (Status.RESOLVED, Status.EXTERNAL)
    return Judgement(reference, Verdict.CORRECTED if known else Verdict.UPGRADED, everything)


def _judge_denials(
    reference: int, answers: list[Claim], outside: list[Claim], situation: Situation
) -> Judgement | None:
    """Of a syntactic target that no context gives."""
    knows_better = all(claim in outside or claim.reason in DENIALS for claim in answers)
    if not knows_better or not situation.whole.issuperset(name for claim in answers for name in claim.contexts):
        return None
    if outside:
        return Judgement(reference, Verdict.REFUTED, external=outside[0].external, reason="external")
    reason = LOCAL if any(claim.reason == LOCAL for claim in answers) else "nothing-there"
    return Judgement(reference, Verdict.REFUTED, reason=reason)


def _judge_unknown(reference: int, syntactic: Claim, answers: list[Claim]) -> Judgement | None:
    """Of a reference that neither layer gives a target."""
    if syntactic.status == Status.EXTERNAL:
        return None
    for claim in answers:
        if claim.external is not None:
            return Judgement(reference, Verdict.EXTERNAL, external=claim.external)
    if syntactic.status != Status.AMBIGUOUS:
        for claim in answers:
            if claim.reason in KNOWN_PLACES:
                return Judgement(reference, Verdict.UNRESOLVED, reason=claim.reason)
    return None


def _judge_outdated(reference: int, syntactic: Claim, answers: list[Claim]) -> Judgement | None:
    """Of answers that may not hold any more: they count where nothing contradicts them."""
    distinct = {claim.targets for claim in answers if claim.targets}
    if len(distinct) == 1:
        (targets,) = distinct
        if syntactic.status == Status.RESOLVED and targets == syntactic.targets:
            return Judgement(reference, Verdict.CONFIRMED, tuple(sorted(targets)))
        if syntactic.status in (Status.UNRESOLVED, Status.AMBIGUOUS):
            return Judgement(reference, Verdict.UPGRADED, tuple(sorted(targets)))
        return None
    outside = [claim for claim in answers if claim.external is not None]
    if not distinct and outside and syntactic.status in (Status.UNRESOLVED, Status.AMBIGUOUS):
        return Judgement(reference, Verdict.EXTERNAL, external=outside[0].external)
    return None

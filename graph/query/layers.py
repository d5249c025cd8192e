"""The resolutions of one reference, and what they amount to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graph.model import ReferenceKind, Status, word
from graph.query.records import DefinitionInfo, ExternalInfo, LayerClaim, ReferenceInfo, ResolutionInfo, TargetInfo
from graph.query.snapshot import Snapshot
from graph.store.numbers import definition_file, reference_file, reference_start
from graph.store.vocabulary import VERDICT_OF_STATUS, Layer, Verdict

REFERENCE_COLUMNS = "r.id, r.end, r.kind, t.value, q.value, r.enclosing, r.outcome, r.target, r.external"
REFERENCE_TABLES = "reference r JOIN text t ON t.id = r.name JOIN text q ON q.id = r.qualifier"
KIND_OF_REFERENCE = {int(kind): word(kind) for kind in ReferenceKind}


@dataclass(frozen=True)
class Judged:
    """A reference with everything that is said of it."""

    reference: ReferenceInfo
    verdict: Verdict
    targets: tuple[TargetInfo, ...]
    """The targets that count, by path and place."""
    candidates: tuple[DefinitionInfo, ...]
    external: ExternalInfo | None
    reason: str
    resolutions: tuple[ResolutionInfo, ...]
    """All of both layers, the syntactic one first."""


def reference_info(snapshot: Snapshot, row: tuple[Any, ...]) -> ReferenceInfo:
    """A reference from a row of `REFERENCE_COLUMNS`."""
    number, end, kind, name, qualifier, enclosing = row[:6]
    file = reference_file(number)
    start = reference_start(number)
    return ReferenceInfo(
        number, name, qualifier, KIND_OF_REFERENCE[kind], file, snapshot.file(file).path, *snapshot.position(file,
        start),
        start, end, enclosing,
    )  # fmt: skip


def judge(snapshot: Snapshot, row: tuple[Any, ...]) -> Judged:
    """Everything that is said of a reference, from a row of `REFERENCE_COLUMNS`."""
    reference = reference_info(snapshot, row)
    syntactic = _syntactic(snapshot, reference, row)
    resolutions = (syntactic, *_semantic(snapshot, reference.number))
    found = snapshot.connection.execute(
        "SELECT verdict, external, reason FROM verdict WHERE reference = ?", (reference.number,)
    ).fetchone()
    if found is None:
        status = snapshot.outcome(row[6])[0]
        verdict = VERDICT_OF_STATUS[status]
        targets = syntactic.targets if status == Status.RESOLVED else ()
        external = syntactic.external
        reason = syntactic.reason
    else:
        verdict = Verdict(found[0])
        rows = snapshot.connection.execute(
            "SELECT definition FROM verdict_target WHERE reference = ?", (reference.number,)
        ).fetchall()
        targets = _definitions(snapshot, [target for (target,) in rows])
        external = _external(snapshot, found[1])
        reason = found[2]
    candidates = syntactic.targets if verdict == Verdict.AMBIGUOUS and syntactic.status == "ambiguous" else ()
    return Judged(
        reference, verdict, tuple(_with_layers(snapshot, target, resolutions, reference.file) for target in targets),
        candidates, external, reason, resolutions,
    )  # fmt: skip


def _syntactic(snapshot: Snapshot, reference: ReferenceInfo, row: tuple[Any, ...]) -> ResolutionInfo:
    status, rule, reason = snapshot.outcome(row[6])
    if row[7] is not None:
        targets = [row[7]]
    else:
        rows = snapshot.connection.execute(
            "SELECT definition FROM syntactic_target WHERE reference = ?", (reference.number,)
        ).fetchall()
        targets = [target for (target,) in rows]
    version = snapshot.meta.get(f"language:{snapshot.file(reference.file).language}", "")
    return ResolutionInfo(
        word(Layer.SYNTACTIC), rule, version, (), word(Status(status)), reason, _definitions(snapshot, targets),
        _external(snapshot, row[8]), False,
    )  # fmt: skip


def _semantic(snapshot: Snapshot, reference: int) -> list[ResolutionInfo]:
    rows = snapshot.connection.execute(
        "SELECT engine, context_set, status, reason, target, external, source_hash, target_hash FROM semantic"
        " WHERE reference = ? ORDER BY n", (reference,)
    ).fetchall()  # fmt: skip
    source_hash = snapshot.file(reference_file(reference)).hash if rows else b""
    answers: dict[tuple[str, int], list[tuple[Any, ...]]] = {}
    for row in rows:
        for context in snapshot.context_ids(row[1]):
            answers.setdefault((context, row[0]), []).append(row)
    # What a context says is all of its rows: another may share one of them and differ in the rest.
    contexts: dict[tuple[Any, ...], list[str]] = {}
    for (context, engine), own in answers.items():
        _, _, status, reason, _, external, _, _ = own[0]
        targets = tuple(sorted(row[4] for row in own if row[4] is not None))
        stale = any(_is_stale(snapshot, source_hash, *row[4:]) for row in own)
        contexts.setdefault((engine, status, reason, external, targets, stale), []).append(
            snapshot.context_name(context)
        )
    found: list[ResolutionInfo] = []
    for (engine, status, reason, external, targets, stale), names in contexts.items():
        layer, name, version = snapshot.engine(engine)
        found.append(ResolutionInfo(
            word(Layer(layer)), name, version, tuple(sorted(names)), word(Status(status)), reason,
            _definitions(snapshot, list(targets)), _external(snapshot, external), stale,
        ))  # fmt: skip
    return sorted(found, key=lambda one: (one.contexts, one.engine, one.version))


def _is_stale(
    snapshot: Snapshot, source_hash: bytes, target: int | None, _: int | None, source: bytes, target_hash: bytes | None
) -> bool:
    """Whether the file of an answer, or of its target, has been indexed anew since."""
    if source != source_hash:
        return True
    return target is not None and target_hash is not None and target_hash != snapshot.file(definition_file(target)).hash


def _definitions(snapshot: Snapshot, numbers: list[int]) -> tuple[DefinitionInfo, ...]:
    found = [definition for number in numbers if (definition := snapshot.definition(number)) is not None]
    return tuple(sorted(found, key=lambda definition: (definition.path, definition.name_start, definition.id)))


def _external(snapshot: Snapshot, number: int | None) -> ExternalInfo | None:
    if number is None:
        return None
    row = snapshot.connection.execute(
        "SELECT package, symbol, version FROM external WHERE id = ?", (number,)
    ).fetchone()
    return None if row is None else ExternalInfo(*row)


def _with_layers(
    snapshot: Snapshot, target: DefinitionInfo, resolutions: tuple[ResolutionInfo, ...], file: int
) -> TargetInfo:
    language = snapshot.file(file).language
    claims: list[LayerClaim] = []
    for resolution in resolutions:
        if resolution.status == "resolved" and any(other.number == target.number for other in resolution.targets):
            confidence = snapshot.confidence(language, resolution.layer, resolution.engine)
            claims.append(
                LayerClaim(resolution.layer, resolution.engine, resolution.version, resolution.contexts, confidence)
            )
    return TargetInfo(target, tuple(claims))

"""What an answer does not know: uses of the name that lead nowhere known, files that were not read."""

from __future__ import annotations

from dataclasses import dataclass

from graph.query.records import DefinitionInfo
from graph.query.snapshot import Snapshot
from graph.store.vocabulary import ParseStatus, Verdict

_UNKNOWN = (int(Verdict.AMBIGUOUS), int(Verdict.UNRESOLVED))


@dataclass(frozen=True)
class Unknown:
    """What may be missing from an answer about one definition."""

    unresolved_same_name: int
    """References of the same name, in files of the same language, whose target is not known."""
    candidate_of: int
    """References that are ambiguous and have the definition among their candidates."""
    failed_files: int
    """Files from which nothing could be extracted, or whose references could not be linked."""
    damaged_files: int
    """Files that could only be read in part."""
    excluded_files: int
    """Files of some language that are left out of the index."""


def unknown_uses(snapshot: Snapshot, symbol: DefinitionInfo) -> Unknown:
    """What may be missing from the uses of a definition."""
    connection = snapshot.connection
    (same,) = connection.execute(
        "SELECT COUNT(*) FROM reference r WHERE r.name = (SELECT id FROM text WHERE value = ?) AND r.target IS NULL"
        " AND r.external IS NULL AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.reference = r.id)"
        " AND NOT EXISTS (SELECT 1 FROM syntactic_target s JOIN outcome o ON o.id = r.outcome"
        "                 WHERE s.reference = r.id AND o.status = 0)"
        " AND (SELECT language FROM file WHERE id = r.id >> 40) = ?",
        (symbol.name, snapshot.file(symbol.file).language),
    ).fetchone()
    (judged,) = connection.execute(
        "SELECT COUNT(*) FROM verdict v JOIN reference r ON r.id = v.reference WHERE v.verdict IN (?, ?)"
        " AND r.name = (SELECT id FROM text WHERE value = ?)",
        (*_UNKNOWN, symbol.name),
    ).fetchone() if _has_verdicts(snapshot) else (0,)  # fmt: skip
    (candidate,) = connection.execute(
        "SELECT COUNT(*) FROM syntactic_target s JOIN reference r ON r.id = s.reference JOIN outcome o ON o.id"
        " = r.outcome"
        " WHERE s.definition = ? AND o.status = 2 AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.reference = r.id)",
        (symbol.number,),
    ).fetchone()
    return Unknown(same + judged, candidate, *files_not_read(snapshot))


def files_not_read(snapshot: Snapshot) -> tuple[int, int, int]:
    """Numbers of files that failed, that are damaged, and that have a language and are left out."""
    known = snapshot.cache.get("files_not_read")
    if known is None:
        failed, damaged = snapshot.connection.execute(
            "SELECT COALESCE(SUM(parse_status = ? OR id IN (SELECT file FROM unlinked)), 0),"
            " COALESCE(SUM(parse_status = ?), 0) FROM file",
            (int(ParseStatus.FAILED), int(ParseStatus.DAMAGED)),
        ).fetchone()
        (excluded,) = snapshot.connection.execute(
            "SELECT COUNT(*) FROM excluded WHERE language IS NOT NULL AND NOT is_directory"
        ).fetchone()
        known = snapshot.cache["files_not_read"] = (failed, damaged, excluded)
    return known


def _has_verdicts(snapshot: Snapshot) -> bool:
    return snapshot.connection.execute("SELECT 1 FROM verdict LIMIT 1").fetchone() is not None

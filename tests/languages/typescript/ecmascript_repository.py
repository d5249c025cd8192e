"""Small repositories in one string, with the right answer beside each reference.

A repository is `-- path --` lines, each followed by the text of that file. A trailing comment `//: name -> answer; ...`
says what a name on its line leads to (`name#2` is the second reference of that name on the line). An answer is

- qualified names of definitions, separated by commas; `path|name` where the name alone does not say which;
- `external`, `external package`, or `external package:symbol`;
- `unresolved`, `unresolved reason`; `ambiguous name, name`;
- `none`: there is no reference of that name on the line.
"""

from __future__ import annotations

import re

from tests.harness.linking import Answer, Linked, link_sources

_FILE = re.compile(r"^-- (.+) --$", re.MULTILINE)
_MARK = "//:"


def parse(text: str) -> dict[str, str]:
    """Path -> content."""
    parts = _FILE.split(text.lstrip("\n"))
    assert parts[0].strip() == "", "text before the first file"
    return {path: content.lstrip("\n") for path, content in zip(parts[1::2], parts[2::2], strict=True)}


def check(text: str) -> Linked:
    """Link a repository and hold every answer against what stands beside it."""
    files = parse(text)
    linked = link_sources(files)
    faults: list[str] = []
    expectations = 0
    for path, content in files.items():
        for number, line in enumerate(content.split("\n"), 1):
            if _MARK not in line:
                continue
            for item in line.split(_MARK, 1)[1].split(";"):
                expectations += 1
                name, _, answer = item.strip().partition(" -> ")
                faults.extend(_check(linked, path, number, name.strip(), answer.strip()))
    assert expectations, "a repository without expectations tests nothing"
    assert not faults, "\n".join(faults)
    return linked


def _check(linked: Linked, path: str, line: int, name: str, expected: str) -> list[str]:
    name, _, occurrence = name.rpartition("#") if name[-1:].isdigit() and "#" in name[1:] else (name, "", "")
    found = [answer for answer in linked.answers if (answer.path, answer.line, answer.name) == (path, line, name)]
    where = f"{path}:{line} {name}"
    if expected == "none":
        return [f"{where}: expected no reference, there is {found[0].kind}"] if found else []
    position = int(occurrence or 1) - 1
    if len(found) <= position:
        return [f"{where}: there is no such reference"]
    answer = sorted(found, key=lambda one: one.column)[position]
    return [] if _fits(answer, expected) else [f"{where}: expected {expected}, got {_said(answer)}"]


def _fits(answer: Answer, expected: str) -> bool:
    word, _, rest = expected.partition(" ")
    if word == "external":
        return answer.status == "external" and (
            not rest or answer.external == rest or answer.external.split(":")[0] == rest
        )
    if word == "unresolved":
        return answer.status == "unresolved" and (not rest or answer.reason == rest)
    status = "ambiguous" if word == "ambiguous" else "resolved"
    names = sorted(part.strip() for part in (rest if word == "ambiguous" else expected).split(","))
    if answer.status != status or len(names) != len(answer.targets):
        return False
    targets = [(target.split(":")[0], target.split(":")[-1]) for target in answer.targets]
    return names == sorted(
        next((wanted for wanted in names if wanted in (name, f"{path}|{name}")), name) for path, name in targets
    )


def _said(answer: Answer) -> str:
    return f"{answer.status} {answer.rule}{answer.reason} {', '.join(answer.targets)}{answer.external}"

"""A server that crashes, hangs, eats memory or answers nonsense costs its own answers and nothing else."""

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lsp_clients import Canary, FailReason, FileSites, Located
from lsp_clients.answers import SiteAnswer
from tests.lsp_clients.support import LIMIT_SECONDS, READINESS, are_gone, ask, fake, is_itself, reason


def reasons(answers: list[SiteAnswer]) -> Counter[str]:
    return Counter(reason(answer.outcome) for answer in answers)


def test_every_site_gets_its_answer_in_the_order_asked(tmp_path: Path) -> None:
    server = fake(tmp_path, "none")
    files = [server.file("b.py", 200), server.file("a.py", 3)]
    answers = ask(server.server(), files)
    assert [(answer.path, answer.offset) for answer in answers] == [
        (path, offset) for path, _, offsets in files for offset in offsets
    ]
    assert all(is_itself(answer) for answer in answers)
    assert are_gone(server.processes())


def test_the_server_gets_answers_to_its_own_requests(tmp_path: Path) -> None:
    server = fake(tmp_path, "none")
    ask(server.server(), [server.file("a.py")])
    # Configuration; method not found (-32601); invalid params (-32602).
    assert READINESS[-1].replies == [["a", ["COLOUR", None], None], ["b", None, -32601], ["c", None, -32602]]


def test_a_server_that_dies_at_its_start_is_given_up_after_the_restarts(tmp_path: Path) -> None:
    server = fake(tmp_path, "stillborn", restarts=2)
    running = server.server()
    answers = ask(running, [server.file("a.py")])
    assert reasons(answers) == {"crashed": 3}
    assert len(server.processes()) == 3
    assert running.report.gave_up is not None
    assert "cannot start today" in running.report.gave_up.detail


@pytest.mark.parametrize(
    ("fault", "expected"), [("dies", FailReason.CRASHED), ("hangs", FailReason.TIMEOUT), ("eats", FailReason.CRASHED)]
)
def test_the_file_that_does_it_is_set_aside_and_the_rest_answered(
    tmp_path: Path, fault: str, expected: FailReason
) -> None:
    server = fake(tmp_path, fault, request_seconds=20 if fault == "eats" else 1, memory_mib=300)
    killer = server.file("killer.py")
    running = server.server()
    answers = ask(running, [server.file("a.py"), killer, server.file("b.py")])
    assert {answer.path for answer in answers if reason(answer.outcome) == expected} == {killer.path}
    assert reasons(answers) == {"Located": 6, expected: 3}
    assert [(crash.reason, crash.path) for crash in running.report.crashes] == [(expected, killer.path)]
    assert len(server.processes()) == 2
    assert are_gone(server.processes())


def test_the_file_that_kills_it_when_opened_is_found_by_halving(tmp_path: Path) -> None:
    server = fake(tmp_path, "open")
    killer = server.file("killer.py")
    running = server.server()
    answers = ask(running, [*(server.file(f"{name}.py") for name in "abc"), killer])
    assert {answer.path for answer in answers if not is_itself(answer)} == {killer.path}
    assert running.report.crashes[-1].path == killer.path
    assert running.report.gave_up is None


def test_what_is_left_when_the_restarts_are_used_up_has_failed(tmp_path: Path) -> None:
    server = fake(tmp_path, "dies", restarts=1)
    running = server.server()
    answers = ask(
        running, [server.file("a.py"), server.file("killer1.py"), server.file("killer2.py"), server.file("b.py")]
    )
    assert reasons(answers) == {"Located": 3, "crashed": 9}
    assert len(server.processes()) == 2


def test_standard_error_without_line_ends_harms_nothing(tmp_path: Path) -> None:
    server = fake(tmp_path, "floods")
    answers = ask(server.server(), [server.file("a.py", 20)])
    assert all(is_itself(answer) for answer in answers)


def test_errors_are_the_answers_of_their_own_sites_alone(tmp_path: Path) -> None:
    server = fake(tmp_path, "errors")
    running = server.server()
    answers = ask(running, [server.file("a.py", 4)])
    assert [reason(answer.outcome) for answer in answers] == ["error", "Located", "error", "Located"]
    assert not running.report.crashes


@pytest.mark.parametrize("fault", ["header", "endless", "json", "huge", "id"])
def test_what_is_not_the_protocol_ends_the_server(tmp_path: Path, fault: str) -> None:
    server = fake(tmp_path, fault, restarts=1)
    running = server.server()
    answers = ask(running, [server.file("a.py"), server.file("b.py")])
    assert reasons(answers) == {"garbage": 6}
    assert {crash.reason for crash in running.report.crashes} == {FailReason.GARBAGE}
    assert are_gone(server.processes())


@pytest.mark.parametrize(("fault", "expected"), [("beyond", "out-of-range"), ("shape", "garbage"), ("gone", "garbage")])
def test_an_answer_that_cannot_be_true_is_a_failure(tmp_path: Path, fault: str, expected: str) -> None:
    server = fake(tmp_path, fault)
    running = server.server()
    assert reasons(ask(running, [server.file("a.py")])) == {expected: 3}
    assert not running.report.crashes


def test_an_offset_that_is_no_place_in_the_file_is_not_asked(tmp_path: Path) -> None:
    server = fake(tmp_path, "none")
    file = server.file("a.py")._replace(content="é\n".encode(), offsets=(0, 1, 99))
    assert [reason(answer.outcome) for answer in ask(server.server(), [file])] == [
        "out-of-range",  # é is two bytes, and the answer that ends after one of them is none
        "out-of-range",
        "out-of-range",
    ]


@pytest.mark.parametrize(("fault", "expected"), [("sleepy", "not-ready"), ("mute", "not-ready")])
def test_a_server_that_never_becomes_ready_is_not_tried_again(tmp_path: Path, fault: str, expected: str) -> None:
    server = fake(tmp_path, fault, ready_seconds=1)
    assert reasons(ask(server.server(), [server.file("a.py")])) == {expected: 3}
    assert len(server.processes()) == 1


def test_an_unknown_position_encoding_is_garbage(tmp_path: Path) -> None:
    server = fake(tmp_path, "encoding", restarts=0)
    assert reasons(ask(server.server(), [server.file("a.py")])) == {"garbage": 3}


def test_the_canary_is_asked_until_it_is_right_and_stable(tmp_path: Path) -> None:
    server = fake(tmp_path, "late")
    file = server.file("a.py")
    running = server.server(canaries=[Canary(file.path, file.content, 4, file.path, 4)])
    assert all(is_itself(answer) for answer in ask(running, [file]))
    # Three that are wrong, two that are right.
    assert [session.checks for session in running.report.sessions] == [5]


def canaries(file: FileSites, *, right: int, wrong: int) -> list[Canary]:
    return [
        Canary(file.path, file.content, offset, file.path, offset if place < right else offset + 1)
        for place, offset in enumerate(file.offsets[: right + wrong])
    ]


def test_canaries_that_stay_wrong_are_not_ready(tmp_path: Path) -> None:
    server = fake(tmp_path, "none", ready_seconds=1)
    file = server.file("a.py", 5)
    running = server.server(canaries=canaries(file, right=0, wrong=4))
    assert reasons(ask(running, [file])) == {"not-ready": 5}
    assert running.report.gave_up is not None
    assert "0 of 4 references whose targets are known were answered rightly" in running.report.gave_up.detail


def test_a_server_that_sees_a_part_is_asked_and_that_is_said(tmp_path: Path) -> None:
    server = fake(tmp_path, "none")
    file = server.file("a.py", 5)
    running = server.server(canaries=canaries(file, right=1, wrong=4))
    assert all(is_itself(answer) for answer in ask(running, [file]))
    (session,) = running.report.sessions
    assert any("1 of 5 references whose targets are known were answered rightly" in note for note in session.notes)


def test_one_canary_may_be_wrong(tmp_path: Path) -> None:
    server = fake(tmp_path, "none")
    file = server.file("a.py", 5)
    running = server.server(canaries=canaries(file, right=3, wrong=2))
    assert all(is_itself(answer) for answer in ask(running, [file]))
    assert [session.checks for session in running.report.sessions] == [10]


def test_a_canary_that_kills_costs_its_own_file_alone(tmp_path: Path) -> None:
    server = fake(tmp_path, "dies")
    killer, file = server.file("killer.py"), server.file("a.py")
    answers = ask(server.server(canaries=canaries(killer, right=3, wrong=0)), [file, killer])
    assert {answer.path for answer in answers if not is_itself(answer)} == {killer.path}
    assert len(server.processes()) == 2


def test_a_server_that_has_grown_is_started_anew_between_groups(tmp_path: Path) -> None:
    server = fake(tmp_path, "grows", group_mib=1 / (1 << 20), memory_mib=420)
    running = server.server()
    answers = ask(running, [server.file(f"{name}.py") for name in "abc"])
    assert all(is_itself(answer) for answer in answers)
    assert (running.report.crashes, running.report.recycled) == ([], 2)
    assert len(server.processes()) == 3


def test_a_server_that_ignores_shutdown_is_killed_with_its_children(tmp_path: Path) -> None:
    server = fake(tmp_path, "stubborn")
    assert all(is_itself(answer) for answer in ask(server.server(), [server.file("a.py")]))
    assert len(server.processes()) == 2
    assert are_gone(server.processes())


def test_a_cancellation_leaves_no_process(tmp_path: Path) -> None:
    server = fake(tmp_path, "hangs")

    async def run() -> list[SiteAnswer]:
        got: list[SiteAnswer] = []

        async def work() -> None:
            async with server.server() as running:
                async for answer in running.ask([server.file("a.py"), server.file("killer.py")]):
                    got.append(answer)

        task = asyncio.create_task(work())
        while len(got) < 3:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return got

    async def bounded() -> list[SiteAnswer]:
        async with asyncio.timeout(LIMIT_SECONDS):
            return await run()

    assert all(is_itself(answer) for answer in asyncio.run(bounded()))
    assert are_gone(server.processes())


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_the_end_of_the_client_leaves_no_process(tmp_path: Path, sign: signal.Signals) -> None:
    server = fake(tmp_path, "none")
    program = (
        "import asyncio, pathlib\n"
        "from tests.lsp_clients.support import fake\n"
        "async def work():\n"
        f"    async with fake(pathlib.Path({str(tmp_path)!r}), 'none').server() as running:\n"
        "        await running.start()\n"
        "        print('ready', flush=True)\n"
        "        await asyncio.sleep(3600)\n"
        "asyncio.run(work())\n"
    )
    client = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with client:
        assert client.stdout is not None
        assert client.stdout.readline() == b"ready\n"
        client.send_signal(sign)
        assert client.wait(LIMIT_SECONDS) != 0
    assert are_gone(server.processes())


def test_an_error_in_the_callers_loop_leaves_no_process(tmp_path: Path) -> None:
    server = fake(tmp_path, "none")

    async def run() -> None:
        async with asyncio.timeout(LIMIT_SECONDS), server.server() as running:
            async for answer in running.ask([server.file("a.py")]):
                assert isinstance(answer.outcome, Located)
                raise LookupError("the caller's own")

    with pytest.raises(LookupError):
        asyncio.run(run())
    assert are_gone(server.processes())


def test_groups_are_opened_one_after_the_other(tmp_path: Path) -> None:
    server = fake(tmp_path, "none", group_mib=10 / (1 << 20))
    answers = ask(server.server(), (server.file(f"{name}.py") for name in "abcdefg"))
    assert len(answers) == 21
    assert all(is_itself(answer) for answer in answers)

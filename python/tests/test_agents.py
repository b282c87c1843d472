# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Python callable behind a command line: what travels there and back."""
import json
import shlex
import subprocess
import sys
import tempfile

from swizzle.agents import Proposal, answer_text, serving

REQUEST = {"schema": "swizzle-request/1", "kernel": "k", "note": "π"}


def ask(command, request=REQUEST):
    return subprocess.run(shlex.split(command), input=json.dumps(request), text=True,
                          capture_output=True, timeout=60)


def test_the_request_arrives_and_the_proposals_return():
    seen = []

    def agent(request):
        seen.append(request)
        return [Proposal("return y, x", params=[{"G": 4}], change="swaps"), "return x, y"]

    with serving(agent) as command:
        first, second = ask(command), ask(command)
    assert seen == [REQUEST, REQUEST]
    assert first.returncode == 0 and first.stdout == second.stdout
    proposals = json.loads(first.stdout)["proposals"]
    assert [p["formula"] for p in proposals] == ["return y, x", "return x, y"]
    assert proposals[0]["params"] == [{"G": 4}] and proposals[0]["change"] == "swaps"


def test_a_callable_that_raises_is_a_failing_program():
    def agent(request):
        raise ValueError("no idea")

    with serving(agent) as command:
        done = ask(command)
    assert done.returncode == 1 and "ValueError: no idea" in done.stderr and not done.stdout


def test_a_callable_that_exits_fails_and_is_asked_again():
    with serving(lambda request: sys.exit("enough")) as command:
        first, second = ask(command), ask(command)
    assert first.returncode == second.returncode == 1
    assert "SystemExit: enough" in first.stderr and first.stderr == second.stderr


def test_a_long_temporary_folder_is_no_obstacle(tmp_path, monkeypatch):
    folder = tmp_path / ("deep" * 25)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with serving(lambda request: ["return x"]) as command:
        assert ask(command).returncode == 0


def test_after_the_block_nobody_answers():
    with serving(lambda request: ["return x"]) as command:
        pass
    assert ask(command).returncode != 0


def test_a_string_is_a_formula():
    (proposal,) = json.loads(answer_text(["return x"]))["proposals"]
    assert proposal["formula"] == "return x" and proposal["params"] == []

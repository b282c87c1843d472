# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Agents as Python callables.

A callable takes a request (what the `command` agent writes to a program) and returns
its proposals. `serving` lends it to a tool: it yields a command line; each time the
tool runs that, the request travels to this process through a socket that only this
user can open, and the answer travels back.

    >>> with serving(lambda request: [Proposal("return gx - 1 - x, y")]) as command:
    ...     run_tool("swizzle-tune", [file, "--chip=h200", "--agent=command",
    ...                               f"--command={command}"])
"""
from __future__ import annotations

import contextlib
import json
import os
import shlex
import socket
import sys
import tempfile
import threading
import traceback
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, Mapping

__all__ = ["Proposal", "Request", "AgentFunction", "answer_text", "serving"]

Request = Mapping[str, Any]  #: schema `swizzle-request/1`, docs/agents.md


@dataclass(frozen=True)
class Proposal:
    """One formula and what its author says of it."""
    formula: str
    params: list[Mapping[str, int]] = field(default_factory=list)
    limits: str = ""
    change: str = ""
    expect: str = ""
    critique: str = ""


AgentFunction = Callable[[Request], "Iterable[Proposal | str] | Proposal | str"]


def answer_text(proposals: Iterable[Proposal | str] | Proposal | str) -> str:
    """The answer that the tools read, to one proposal or to several; a plain
    string is a formula."""
    entries = []
    if isinstance(proposals, (str, Proposal)):
        proposals = [proposals]
    for proposal in proposals:
        if isinstance(proposal, str):
            proposal = Proposal(proposal)
        entries.append({"critique": proposal.critique, "limits": proposal.limits,
                        "change": proposal.change, "expect": proposal.expect,
                        "formula": proposal.formula,
                        "params": [dict(values) for values in proposal.params]})
    return json.dumps({"proposals": entries})


def receive(connection: socket.socket) -> bytes:
    """All that the other side writes until it shuts its writing down."""
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def handle(connection: socket.socket, agent: AgentFunction) -> None:
    """Answers one request; a callable that raises is told to the tool as such."""
    with connection:
        try:
            reply = {"answer": answer_text(agent(json.loads(receive(connection))))}
        except BaseException:  # whatever the callable raises, sys.exit() too, is its answer
            reply = {"error": traceback.format_exc(limit=-3)}
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(json.dumps(reply).encode())


#: What the address of a socket leaves for the folder of it: of 108 bytes, 30 go to names.
LONGEST_FOLDER = 78


def folder_of_sockets() -> str | None:
    """Where temporary folders are made; None: where Python makes them anyway."""
    return "/tmp" if len(os.fsencode(tempfile.gettempdir())) > LONGEST_FOLDER else None


@contextlib.contextmanager
def serving(agent: AgentFunction) -> Iterator[str]:
    """Yields the command line behind which `agent` answers, for as long as the block
    runs. Requests are answered one at a time."""
    with tempfile.TemporaryDirectory(prefix="swizzle-", dir=folder_of_sockets()) as folder:
        path = os.path.join(folder, "agent.socket")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(path)
            listener.listen()
            stop = threading.Event()

            def loop() -> None:
                while not stop.is_set():
                    try:
                        connection, _ = listener.accept()
                    except OSError:
                        return
                    if not stop.is_set():
                        handle(connection, agent)

            thread = threading.Thread(target=loop, daemon=True)
            thread.start()
            try:
                yield shlex.join([sys.executable, os.path.abspath(__file__), path])
            finally:
                stop.set()
                with contextlib.suppress(OSError), \
                        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as waker:
                    waker.connect(path)
                thread.join(timeout=5)


def relay(path: str) -> int:
    """The program behind the command line: standard input to the socket, the answer to
    standard output."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(path)
        connection.sendall(sys.stdin.buffer.read())
        connection.shutdown(socket.SHUT_WR)
        reply = json.loads(receive(connection))
    if "error" in reply:
        sys.stderr.write(reply["error"])
        return 1
    sys.stdout.write(reply["answer"])
    return 0


if __name__ == "__main__":
    sys.exit(relay(sys.argv[1]))

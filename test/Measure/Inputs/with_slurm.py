# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command beside a Slurm of its own: one node, this machine, without systemd.

    with_slurm.py COMMAND...

The command finds the queue by SLURM_CONF. Exit status: the command's.
"""
from __future__ import annotations

import ctypes
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
MpiDefault=none
SwitchType=switch/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_for_node(attempts: int = 120) -> None:
    """Until the node can take jobs; how many times it is asked is the limit."""
    for _ in range(attempts):
        said = subprocess.run(["sinfo", "--noheader", "--format=%T"], text=True,
                              capture_output=True, check=False)
        if said.stdout.strip() == "idle":
            return
        time.sleep(0.5)
    sys.exit(f"with_slurm.py: the node is not ready: {said.stdout}{said.stderr}")


def adopt_orphans() -> None:
    """Steps of jobs become children of this process when their daemon ends."""
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER


def end(running: list[subprocess.Popen[bytes]], seconds: float = 10) -> None:
    """Waits for daemons that were asked to end; kills those that do not, and what they
    leave. A daemon may wait for a step for good that has lost it."""
    until = time.monotonic() + seconds
    for one in running:
        try:
            one.wait(max(0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(one.pid, signal.SIGKILL)
            one.wait()
    me = os.getpid()
    children = pathlib.Path(f"/proc/{me}/task/{me}/children")
    for child in children.read_text(encoding="utf-8").split() if children.exists() else []:
        os.kill(int(child), signal.SIGKILL)


def main() -> int:
    adopt_orphans()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # munged insists
        for part in ("state", "spool"):
            (folder / part).mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        config = folder / "slurm.conf"
        config.write_text(CONFIG.format(host=socket.gethostname().split(".")[0], folder=folder,
                                        ports=free_ports(2)))
        os.environ["SLURM_CONF"] = str(config)
        daemons = [["munged", "--foreground", "--force", f"--socket={folder}/munge.socket",
                    f"--key-file={key}", f"--pid-file={folder}/munged.pid",
                    f"--log-file={folder}/munged.log", f"--seed-file={folder}/seed"],
                   ["slurmctld", "-D"], ["slurmd", "-D"]]
        running = []
        try:
            for daemon in daemons:
                with open(folder / f"{daemon[0]}.out", "w", encoding="utf-8") as log:
                    running.append(subprocess.Popen(daemon, stdout=log, stderr=log,
                                                    start_new_session=True))
            wait_for_node()
            return subprocess.run(sys.argv[1:], check=False).returncode
        finally:
            for one in reversed(running):
                os.killpg(one.pid, signal.SIGTERM)
            end(running)


if __name__ == "__main__":
    sys.exit(main())

# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command beside an ssh server of its own, which is the host `gpu-machine`.

    with_ssh.py HOME COMMAND...

The server listens on this machine, with keys made for it, and lets this user in; a
session starts in the folder HOME, made anew, with the variables of this environment that
begin with SWIZZLE_ or FAKE_. `ssh`, `scp` and `rsync` of the command find it by name.
Exit status: the command's.
"""
from __future__ import annotations

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SERVER = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
Subsystem sftp {sftp}
{variables}
ForceCommand cd {home} && eval "${{SSH_ORIGINAL_COMMAND:?}}"
"""
CLIENT = """\
Host gpu-machine
  HostName 127.0.0.1
  Port {port}
  IdentityFile {folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  StrictHostKeyChecking yes
  LogLevel ERROR
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def write_files(folder: pathlib.Path, home: pathlib.Path, port: int) -> None:
    """Keys, both configurations, and programs that use the client's."""
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name],
                       check=True)
    host = (folder / "host.pub").read_text(encoding="utf-8")
    (folder / "known").write_text(f"[127.0.0.1]:{port} {host}", encoding="utf-8")
    pairs = [f'"{name}={value}"' for name, value in os.environ.items()
             if name.startswith(("SWIZZLE_", "FAKE_"))]
    variables = "SetEnv " + " ".join(pairs) if pairs else ""
    sftp = shutil.which("sftp-server", path="/usr/lib/openssh:/usr/libexec/openssh")
    server = SERVER.format(folder=folder, home=home, port=port, sftp=sftp, variables=variables)
    (folder / "sshd_config").write_text(server, encoding="utf-8")
    (folder / "config").write_text(CLIENT.format(folder=folder, port=port), encoding="utf-8")
    (folder / "bin").mkdir()
    for name in ("ssh", "scp"):
        program = folder / "bin" / name
        # scp calls the first ssh of the path, which is this one.
        flag = f'-F "{folder}/config" ' if name == "ssh" else f'-S "{folder}/bin/ssh" '
        program.write_text(f'#!/bin/sh\nexec {shutil.which(name)} {flag}"$@"\n', encoding="utf-8")
        program.chmod(0o755)


def wait_for(port: int, server: subprocess.Popen[bytes], log: pathlib.Path) -> None:
    """Until the server listens; how many times it is asked is the limit."""
    for _ in range(100):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        if server.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit(f"with_ssh.py: the server does not listen: {log.read_text(encoding='utf-8')}")


def main() -> int:
    home = pathlib.Path(sys.argv[1]).absolute()
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    if os.geteuid() == 0:  # the server insists on it
        pathlib.Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    program = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
    if not program:
        sys.exit("with_ssh.py: there is no sshd")
    with tempfile.TemporaryDirectory() as name:
        folder, port = pathlib.Path(name), free_port()
        write_files(folder, home, port)
        os.environ["PATH"] = f"{folder}/bin:{os.environ['PATH']}"
        with open(folder / "log", "w", encoding="utf-8") as log:
            server = subprocess.Popen([program, "-D", "-e", "-f", folder / "sshd_config"],
                                      stdout=log, stderr=log, start_new_session=True)
        try:
            wait_for(port, server, folder / "log")
            return subprocess.run(sys.argv[2:], check=False).returncode
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()


if __name__ == "__main__":
    sys.exit(main())

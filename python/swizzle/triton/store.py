# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that outlive the process: decisions and binaries, each under a key that is a
hash of all that it depends on. Nothing of Triton's own cache is touched.
"""
from __future__ import annotations

import hashlib
import json
import os
import pathlib
import tempfile
from typing import Any

__all__ = ["Store", "key_of"]


def key_of(*parts: Any) -> str:
    """A key that no other parts have."""
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()


class Store:
    """Files by key and name. Reads and writes that fail are misses: a cache must not be
    able to stop a launch."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def path(self, key: str, name: str) -> pathlib.Path:
        return self.folder / key[:2] / key / name

    def get(self, key: str, name: str) -> bytes | None:
        try:
            return self.path(key, name).read_bytes()
        except OSError:
            return None

    def put(self, key: str, name: str, data: bytes) -> None:
        """Others see the whole file or none."""
        path = self.path(key, name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, path)
        except OSError:
            pass

    def get_json(self, key: str, name: str) -> Any:
        """None if there is nothing that can be read."""
        data = self.get(key, name)
        try:
            return None if data is None else json.loads(data)
        except ValueError:
            return None

    def put_json(self, key: str, name: str, value: Any) -> None:
        self.put(key, name, json.dumps(value).encode())

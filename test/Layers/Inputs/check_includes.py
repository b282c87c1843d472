#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that includes keep the order of the parts.

    check_includes.py ROOT

What a part may include is what its CMake file links, and nothing is written down
twice: `lib/CMakeLists.txt` lists the parts from bottom to top, DEPS of
`swizzle_add_library` says which parts a library may use (and those that they
use), MAY_USE of `swizzle_folder` which folders of its part. Prints one line for
each thing that is wrong; exit status 1 if there are any.
"""
import re
import sys
from pathlib import Path


class Layers:
    """The parts below `root` and what their CMake files allow."""

    def __init__(self, root: Path):
        self.root = root
        self.problems: list[str] = []
        self.deps: dict[str, list[str]] = {}  # library -> libraries, upstream too
        self.folder_of: dict[str, Path] = {}  # library -> folder
        self.may_use: dict[Path, set[str]] = {}  # folder -> folders of its part
        self.parts = re.search(
            r"foreach\(part ([^)]*)\)", self.read(root / "lib/CMakeLists.txt")
        )[1].split()
        for file in sorted((root / "lib").rglob("CMakeLists.txt")):
            self.read_cmake(file)

    @staticmethod
    def read(path: Path) -> str:
        return path.read_text(encoding="utf-8")

    def complain(self, path: Path, line: int, what: str) -> None:
        self.problems.append(f"{path.relative_to(self.root)}:{line}: {what}")

    def part_of(self, path: Path) -> str:
        """`X` of lib/X/... and of include/swizzle/X/..."""
        parts = path.relative_to(self.root).parts
        return parts[1] if parts[0] == "lib" else parts[2]

    def folder_in_library(self, path: Path) -> Path | None:
        """lib/X/F of lib/X/F/file and of include/swizzle/X/F/file, where lib/X is the folder
        of the nearest library; nothing for a file that lies in lib/X itself."""
        if path.is_relative_to(self.root / "include/swizzle"):
            path = self.root / "lib" / path.relative_to(self.root / "include/swizzle")
        above = [path, *path.parents]
        for inner, outer in zip(above[1:], above[2:]):
            if inner in self.folder_of.values():
                return None
            if outer in self.folder_of.values():
                return inner
        return None

    def read_cmake(self, file: Path) -> None:
        text = re.sub(r"#.*", "", self.read(file))
        sources: set[str] = set()
        for command, arguments in re.findall(
            r"(swizzle_add_library|swizzle_folder)\(([^)]*)\)", text
        ):
            words = arguments.split()
            lists: dict[str, list[str]] = {}
            key = ""
            for word in words[1:]:
                if re.fullmatch(r"[A-Z][A-Z_]+", word) and word not in ("MLIR", "LLVM"):
                    key = word
                else:
                    lists.setdefault(key, []).append(word)
            sources |= set(lists.get("SOURCES", []))
            if command == "swizzle_folder":
                self.may_use[file.parent] = set(lists.get("MAY_USE", []))
            else:
                self.deps[words[0]] = lists.get("DEPS", [])
                self.folder_of[words[0]] = file.parent
        for source in sorted(file.parent.glob("*.cpp")):
            if source.name not in sources:
                self.complain(source, 1, "no library lists this file")

    def closure(self, library: str) -> set[str]:
        """`library` and everything that it links."""
        seen: set[str] = set()
        todo = [library]
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo += self.deps.get(one, [])
        return seen

    def check_order(self) -> None:
        """A part links parts that stand before it."""
        for library, deps in self.deps.items():
            part = self.part_of(self.folder_of[library] / "x")
            for dep in deps:
                if dep not in self.folder_of:
                    continue
                other = self.part_of(self.folder_of[dep] / "x")
                if self.parts.index(other) > self.parts.index(part):
                    self.complain(
                        self.folder_of[library] / "CMakeLists.txt", 1,
                        f"{part} must not link {dep}: {other} stands after it in "
                        "lib/CMakeLists.txt")

    def allowed(self, path: Path) -> tuple[set[str], set[str]]:
        """Parts that `path` may include, and the libraries it links. A file of
        lib belongs to the library of the nearest folder, a public header to
        all libraries of its part."""
        part = self.part_of(path)
        owners = [
            library for library, folder in self.folder_of.items()
            if (folder in path.parents
                if path.is_relative_to(self.root / "lib")
                else self.part_of(folder / "x") == part)
        ]
        libraries = set().union(*(self.closure(one) for one in owners))
        parts = {self.part_of(self.folder_of[one] / "x")
                 for one in libraries if one in self.folder_of}
        return parts | {part}, libraries

    def check_file(self, path: Path) -> None:
        part, folder = self.part_of(path), self.folder_in_library(path)
        parts, libraries = self.allowed(path)
        lib = self.root / "lib" / part
        for number, line in enumerate(self.read(path).splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if not match:
                continue
            name = match[1]
            if name.startswith("mlir/"):
                if "MLIR" not in libraries:
                    self.complain(path, number, f"{part} is a part without MLIR, "
                                  f"and this includes {name}")
                continue
            if name.startswith("llvm/") or name.endswith(".inc"):
                continue
            if name.startswith("swizzle/"):
                target = self.root / "include" / name
            else:
                tried = [path.parent / name, *(above / name for above in path.parents
                                               if above.is_relative_to(lib))]
                target = next((one for one in tried if one.exists()), None)
                if target is None:
                    continue  # upstream's
                target = target.resolve()
                if self.part_of(target) != part:
                    self.complain(path, number, f"{name} is a private header of "
                                  f"the part {self.part_of(target)}")
                    continue
            other = self.part_of(target)
            if other != part:
                if other not in parts:
                    self.complain(path, number, f"{part} must not include {name}: "
                                  f"its CMake file does not list {other} in DEPS")
                continue
            inner = self.folder_in_library(target)
            if folder in self.may_use and inner and inner != folder and \
                    inner.parent == folder.parent and \
                    inner.name not in self.may_use[folder]:
                self.complain(path, number,
                              f"{folder.relative_to(self.root / 'lib')} must not include "
                              f"{name}: its CMake file does not list {inner.name} in "
                              "MAY_USE")

    def check(self) -> None:
        self.check_order()
        for top in (self.root / "lib", self.root / "include/swizzle"):
            for path in sorted(top.rglob("*")):
                if path.suffix in (".h", ".cpp", ".def") and path.parent != top:
                    self.check_file(path)


def main() -> int:
    layers = Layers(Path(sys.argv[1]).resolve())
    layers.check()
    print("\n".join(layers.problems))
    print(f"{len(layers.parts)} parts, {len(layers.problems)} wrong")
    return 1 if layers.problems else 0


if __name__ == "__main__":
    sys.exit(main())

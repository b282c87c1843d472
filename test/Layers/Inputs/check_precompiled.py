#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that files include what they use of the precompiled headers.

    check_precompiled.py ROOT UPSTREAM

A compiler that starts from precompiled headers does not miss an include. So: a type that
one of those headers declares, or a header below UPSTREAM that it includes, is to be named
only in files that include a header which declares it, through however many headers. For
what the standard library, GoogleTest and LLVM's functions are called there are tables.
Names of ours win; conditions of the preprocessor are not looked at. Prints one line for
each name whose header is missing; exit status 1 if there are any.
"""
import os
import re
import sys
from functools import lru_cache
from pathlib import Path

FOLDERS = ("fuzz", "include", "lib", "tools", "unittests")
#: In which tests and fuzzers look for includes besides.
LOOKED_IN = ("unittests", "fuzz", "lib/Agent", "lib/Analysis")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]', re.MULTILINE)
WORD = re.compile(r"(?<![\w.>])(?:std::)?[A-Za-z_]\w+")
#: Types of LLVM and of MLIR start with a capital, and their namespaces do not indent.
TYPE = re.compile(r"^(?:class|struct|enum class|enum|using)\s+(?:LLVM_\w+\s+|\[\[\w+\]\]\s+)*"
                  r"([A-Z]\w+)(?=[^;{]*(?:[{=]|$))", re.MULTILINE)
FORWARD = re.compile(r"\b(?:class|struct)\s+([A-Z]\w+)\s*;")
OURS = re.compile(r"\b(?:class|struct|enum|using|typename|constexpr int)\s+([A-Z]\w+)(?!\s*;)")
ENUMERATORS = re.compile(r"\benum\b[^{;]*\{([^}]*)\}")

#: What headers declare that start with no capital, or in other places.
NAMES = {
    "gtest/gtest.h": "EXPECT_EQ EXPECT_TRUE TEST TEST_F TEST_P",
    "llvm/ADT/STLExtras.h": "all_of any_of is_contained map_range none_of",
    "llvm/ADT/StringExtras.h": "toHex utostr",
    "llvm/Support/Error.h": "cantFail createStringError handleAllErrors",
    "llvm/Support/FormatVariadic.h": "formatv",
    "llvm/Support/raw_ostream.h": "errs outs raw_fd_ostream raw_string_ostream",
    "mlir/IR/Matchers.h": "m_Constant m_ConstantInt m_One m_Zero matchPattern",
}
STANDARD = {
    "algorithm": "all_of any_of clamp copy count_if equal fill find find_if is_sorted "
                 "lower_bound max max_element min min_element minmax next_permutation none_of "
                 "remove_if replace reverse rotate shuffle sort stable_sort unique upper_bound",
    "array": "array",
    "atomic": "atomic",
    "chrono": "chrono",
    "cmath": "ceil exp exp2 fabs floor hypot isfinite isinf isnan llround log log2 lround pow "
             "round sqrt",
    "functional": "function greater hash less not_fn plus reference_wrapper",
    "limits": "numeric_limits",
    "map": "map multimap",
    "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "call_once lock_guard mutex once_flag scoped_lock unique_lock",
    "numeric": "accumulate gcd inner_product iota lcm partial_sum",
    "optional": "make_optional nullopt optional",
    "random": "mt19937 mt19937_64 uniform_int_distribution uniform_real_distribution",
    "set": "multiset set",
    "sstream": "istringstream ostringstream stringstream",
    "string": "stod stoi stoll string to_string",
    "tuple": "apply make_tuple tie tuple",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "variant": "monostate variant visit",
    "vector": "vector",
}


@lru_cache(maxsize=None)
def text_of(path: Path) -> str:
    """Without comments and what stands in quotes, but for includes."""
    text = path.read_text(encoding="utf-8", errors="replace")
    text = re.sub(r'/\*.*?\*/|//[^\n]*|R"(\w*)\(.*?\)\1"', " ", text, flags=re.DOTALL)
    return re.sub(r'(?<!include )"(?:\\.|[^"\\\n])*"', '""', text)


@lru_cache(maxsize=None)
def types_of(header: Path) -> frozenset[str]:
    return frozenset(TYPE.findall(text_of(header)))


class Includes:
    """What files include, ours and those below `upstream`."""

    def __init__(self, root: Path, upstream: Path):
        self.root, self.upstream = root, upstream
        self.direct: dict[Path, tuple[list[Path], set[str]]] = {}

    def find(self, name: str, path: Path) -> Path | None:
        folders = [path.parent, self.upstream]
        if self.upstream not in path.parents:
            # What a test is of, it may include by the names that lib/X itself uses.
            part = Path("lib", *path.relative_to(self.root).parts[1:2])
            folders = [*path.parents, self.root / "include", self.root / part,
                       *(self.root / folder for folder in LOOKED_IN), self.upstream]
        return next((folder / name for folder in folders if (folder / name).is_file()), None)

    def includes_of(self, path: Path) -> tuple[list[Path], set[str]]:
        """Files that `path` includes, and the names of all headers."""
        if path not in self.direct:
            names = set(INCLUDE.findall(text_of(path)))
            found = [file for name in names if (file := self.find(name, path))]
            self.direct[path] = [Path(os.path.normpath(file)) for file in found], names
        return self.direct[path]

    def reach(self, path: Path) -> tuple[set[Path], set[str]]:
        """The same, through whatever is included, and `path` itself."""
        seen: set[Path] = set()
        names: set[str] = set()
        todo = [path]
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                files, more = self.includes_of(one)
                todo += files
                names |= more
        return seen, names


class Check:
    """Names that precompiled headers declare, and who may use them."""

    def __init__(self, root: Path, upstream: Path):
        self.root, self.upstream = root, upstream
        self.includes = Includes(root, upstream)
        self.files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")
                            if path.suffix in (".h", ".cpp"))
        self.header_of = {f"std::{name}": header for header, names in STANDARD.items()
                          for name in names.split()}
        self.header_of |= {name: header for header, names in NAMES.items()
                           for name in names.split()}
        self.types: dict[str, Path] = {}
        for header in self.precompiled():
            self.types |= {name: header for name in types_of(header)}
        for path in self.files:
            enumerators = " ".join(ENUMERATORS.findall(text_of(path)))
            for name in OURS.findall(text_of(path)) + re.findall(r"\w+", enumerators):
                self.types.pop(name, None)

    def precompiled(self) -> list[Path]:
        """The headers below `upstream` that any precompiled header includes."""
        text = (self.root / "cmake/PrecompileHeaders.cmake").read_text(encoding="utf-8")
        listed = [self.upstream / name for name in re.findall(r'"([\w./]+)"', text)]
        reached = [self.includes.reach(path)[0] for path in listed if path.is_file()]
        return sorted(set().union(*reached))

    def missing(self, path: Path) -> dict[str, str]:
        """For each name whose header `path` does not include, that header."""
        files, names = self.includes.reach(path)
        upstream = [file for file in files if self.upstream in file.parents]
        forward = {name for file in files.difference(upstream)
                   for name in FORWARD.findall(text_of(file))}
        found = {}
        for word in set(WORD.findall(INCLUDE.sub("", text_of(path)))):
            header = self.header_of.get(word)
            if header and header not in names:
                found[word] = header
            elif word in self.types and word not in forward and \
                    not any(word in types_of(file) for file in upstream):
                found[word] = str(self.types[word].relative_to(self.upstream))
        return found


def main() -> int:
    root, upstream = (Path(os.path.abspath(word)) for word in sys.argv[1:])
    check = Check(root, upstream)
    wrong = 0
    for path in check.files:
        missing = check.missing(path)
        wrong += len(missing)
        for name, header in sorted(missing.items()):
            print(f"{path.relative_to(root)}: {name} needs {header}")
    print(f"{len(check.files)} files, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

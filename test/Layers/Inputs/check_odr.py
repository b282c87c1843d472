#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that no two files define one name with external linkage.

    check_odr.py ROOT [OBJECT OR FOLDER OF ARCHIVES...]

Two types of one name in one namespace are undefined behaviour even where no
linker says so: of two inline members, such as destructors, it keeps one, and
which one depends on the order of files. So this reads the sources: types and
inline functions outside of anonymous namespaces, by their qualified name, in all
files of `lib` and `include`. Functions that are not inline are compared by the
symbols of the object files and archives given, since archives hide from the linker what no
program needs twice. A type that only one part knows stands in a namespace of that
part, so that no other part can take its name. Prints one line for each thing that is
wrong; exit status 1 if there are any.
"""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

# Everything that is no code: comments, literals, directives with continuations.
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*",
    re.S | re.M,
)
TYPE = re.compile(
    r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+"
    r"(?:(?:LLVM_\w+|alignas\([^)]*\)|\[\[[^\]]*\]\])\s+)*(\w+)\s*(?:final\s*)?(?::[^:].*)?$",
    re.S,
)
NAMESPACE = re.compile(r"^(?:inline\s+)?namespace(?:\s+([\w:]+))?$")


def blank(match: re.Match) -> str:
    """Nothing, in as many lines."""
    return " " + "\n" * match[0].count("\n")


def definitions(text: str):
    """(qualified name, line) of each type and inline function in `text` that is
    not in an anonymous namespace."""
    text = NOISE.sub(blank, text)
    scopes: list[str | None] = []  # namespaces; None: anonymous, or not a scope
    head, line = "", 1
    for token in re.findall(r"[{};]|\n|[^{};\n]+", text):
        if token == "\n":
            line += 1
            head += " "
        elif token == "{":
            words = " ".join(head.split())
            match = NAMESPACE.match(words)
            if match:
                scopes.append(match[1])
            else:
                if None not in scopes:
                    name = name_of(words)
                    if name:
                        yield "::".join([*scopes, name]), line
                scopes.append(None)
            head = ""
        elif token in ";}":
            if token == "}" and scopes:
                scopes.pop()
            head = ""
        else:
            head += token


def name_of(words: str) -> str | None:
    """What the declaration in front of a brace defines; None for what has no
    linkage, and for members and specialisations, whose types are compared."""
    if words.startswith("template <>"):
        return None
    words = re.sub(r"^template\s*<.*?>\s*(?=class|struct|inline|[\w:&*<> ]+\()", "",
                   words)
    match = TYPE.search(words)
    if match:
        return match[1]
    if re.match(r"(inline|constexpr)\b", words) and "(" in words:
        signature = re.sub(r"\b(inline|constexpr)\s+", "", words)
        if "::" in signature.split("(")[0].split()[-1]:
            return None
        return signature
    return None


def from_sources(root: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for top in ("lib", "include"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                where = str(path.relative_to(root))
                for name, line in definitions(path.read_text(encoding="utf-8")):
                    found[name].add(f"{where}:{line}")
    return found


def without_namespace(root: Path, found: dict[str, set[str]]) -> list[str]:
    """Types of `lib` that no public header names, and that stand in no namespace of
    their part."""
    public = "\n".join(path.read_text(encoding="utf-8")
                       for path in sorted((root / "include").rglob("*.h")))
    declared = set(re.findall(r"\b(?:struct|class) (\w+)", public))
    return [f"{place}: {name} is a type of one part, and in no namespace of it"
            for name, places in sorted(found.items())
            if re.fullmatch(r"(swizzle::)?\w+", name)
            and name.split("::")[-1] not in declared
            for place in sorted(places) if place.startswith("lib/")]


def from_objects(places: list[str]) -> dict[str, set[str]]:
    """Strong definitions, by demangled name."""
    files: list[str] = []
    for place in places:
        if Path(place).is_dir():
            files += sorted(map(str, Path(place).rglob("*.a")))
        else:
            files.append(place)
    found: dict[str, set[str]] = defaultdict(set)
    for start in range(0, len(files), 50):
        text = subprocess.run(
            ["llvm-nm", "--defined-only", "--extern-only", "--demangle",
             "--print-file-name", *files[start:start + 50]],
            check=True, capture_output=True, text=True).stdout
        for row in text.splitlines():
            match = re.match(r"(.*?): *[0-9a-f]* ([A-Z]) (.*)", row)
            if match and match[2] in "TDBR":
                found[match[3]].add(match[1])
    return found


def main() -> int:
    sources = from_sources(Path(sys.argv[1]))
    problems = without_namespace(Path(sys.argv[1]), sources)
    print("\n".join(problems), end="\n" if problems else "")
    wrong = len(problems)
    counts = []
    for found in (sources, from_objects(sys.argv[2:])):
        counts.append(len(found))
        for name, places in sorted(found.items()):
            if len(places) > 1:
                wrong += 1
                print(f"{name} is defined in {', '.join(sorted(places))}")
    print(f"{counts[0]} types and inline functions, {counts[1]} symbols, "
          f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

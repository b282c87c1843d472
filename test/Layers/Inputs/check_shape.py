#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the size of functions and that no error is dropped without a reason.

    check_shape.py ROOT FOLDER...

A function has at most 80 lines and six parameters, a file at most 500 lines, and a
`consumeError` has a comment on its line or on one of the five before it that says why.
A header in lib, include/swizzle or tools is guarded by its path.
The parser knows braces, comments and strings, not C++: what it takes for a function is
a block at the level of a namespace or class with parentheses before it. Functions of
Python are measured alike, but for GPU kernels, whose parameters are those of the launch.
Prints one line for each thing that is wrong; exit status 1 if there are any.
"""
import ast
import re
import sys
from pathlib import Path

MOST_LINES, MOST_PARAMETERS, MOST_FILE_LINES, REACH = 80, 6, 500, 5
CONTAINER = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")


def blank(match: re.Match[str]) -> str:
    """As many lines and columns, with nothing on them."""
    return re.sub(r"[^\n]", " ", match[0])


def clean(text: str) -> str:
    """`text` without comments, strings, characters and directives."""
    pattern = (r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"'
               r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
               r"|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*")
    return re.sub(pattern, blank, text, flags=re.S | re.M)


def parameters(head: str) -> list[str] | None:
    """The parameters of the function whose definition begins with `head`."""
    head = re.sub(r"\boperator\s*\(\s*\)", "operator_call", head)
    depth = {"<": 0, "(": 0}
    found: list[str] = []
    for at, char in enumerate(head):
        if char == "<" and not depth["("] and re.search(r"[\w>]\s*$", head[:at]):
            depth["<"] += 1
        elif char == ">" and depth["<"] and head[at - 1] != "-":
            depth["<"] -= 1
        elif char == "(" and not depth["<"]:
            start, level, commas = at + 1, 0, [at]
            for end in range(start, len(head)):
                if head[end] in "(<[{":
                    level += 1
                elif head[end] in ")>]}" and head[end - 1] != "-":
                    if level == 0:
                        commas.append(end)
                        break
                    level -= 1
                elif head[end] == "," and level == 0:
                    commas.append(end)
            found = [head[a + 1:b].strip() for a, b in zip(commas, commas[1:])]
            return [one for one in found if one and one != "void"]
    return None


def check(path: Path, name: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    problems = []
    if len(lines) > MOST_FILE_LINES:
        problems.append(f"{name}:1: {len(lines)} lines; {MOST_FILE_LINES} at most")
    for number, written in enumerate(lines):
        near = lines[max(0, number - REACH):number + 1]
        if "consumeError(" in written and not any("//" in one for one in near):
            problems.append(f"{name}:{number + 1}: consumeError without a comment that "
                            "says why the error can be dropped")
    guarded = re.match(r"(?:include/swizzle/|(?=lib/|tools/))(.*\.h)$", name)
    if guarded:
        guard = "SWIZZLE_" + re.sub(r"\W", "_", guarded[1]).upper()
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            problems.append(f"{name}:1: is not guarded by {guard}")
    code = clean(text)
    stack: list[tuple[str, int, str]] = []  # kind, line of the brace, head
    start = 0  # of what stands before the next brace
    for match in re.finditer(r"[{};]", code):
        at, line = match.start(), code.count("\n", 0, match.start()) + 1
        outside = all(kind == "container" for kind, _, _ in stack)
        if match[0] == "{":
            head = code[start:at]
            kind = "block"
            if outside:
                names = CONTAINER.search(head)
                call = head.find("(")
                if names and (call < 0 or names.start() < call and "=" not in head
                              and not re.search(r"\)\s*(const|override)?\s*$", head)):
                    kind = "container"
                elif call >= 0:
                    kind = "function"
            stack.append((kind, line, head))
        elif match[0] == "}" and stack:
            kind, begun, head = stack.pop()
            if kind == "function":
                label = re.search(r"([\w~:]+)\s*\(", head)
                what = label[1] if label else "a function"
                if line - begun + 1 > MOST_LINES:
                    problems.append(f"{name}:{begun}: {what} has {line - begun + 1} "
                                    f"lines; {MOST_LINES} at most")
                given = parameters(head) or []
                if len(given) > MOST_PARAMETERS:
                    problems.append(f"{name}:{begun}: {what} has {len(given)} "
                                    f"parameters; {MOST_PARAMETERS} at most")
        if match[0] != ";" or not stack or outside:
            start = at + 1
    return problems


def check_python(path: Path, name: str) -> list[str]:
    problems = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if any("jit" in ast.unparse(one) for one in node.decorator_list):
            continue
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        given = [one for one in (*node.args.posonlyargs, *node.args.args,
                                 *node.args.kwonlyargs) if one.arg not in ("self", "cls")]
        if lines > MOST_LINES:
            problems.append(f"{name}:{node.lineno}: {node.name} has {lines} lines; "
                            f"{MOST_LINES} at most")
        if len(given) > MOST_PARAMETERS:
            problems.append(f"{name}:{node.lineno}: {node.name} has {len(given)} "
                            f"parameters; {MOST_PARAMETERS} at most")
    return problems


def main() -> int:
    root = Path(sys.argv[1])
    files = [path for folder in sys.argv[2:]
             for path in sorted((root / folder).rglob("*"))
             if path.suffix in (".h", ".cpp", ".py")]
    problems = [one for path in files
                for one in (check_python if path.suffix == ".py" else check)(
                    path, str(path.relative_to(root)))]
    print("\n".join(problems))
    print(f"{len(files)} files, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

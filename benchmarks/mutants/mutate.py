#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Switches the rules of the independence judge off, one at a time, and lets random
kernels find out.

  ninja -C build/dev JudgeFuzz
  benchmarks/mutants/mutate.py                     all mutants, 10,000 kernels each
  benchmarks/mutants/mutate.py --kernels 2000 nothing-wraps any-two-updates
  benchmarks/mutants/mutate.py --check             the table only; builds nothing

A mutant is an edit of one source file (mutants.json). It is applied to a copy in a
temporary folder, which is compiled and linked with the objects of the build; the
sources stay as they are. Only kernels that the mutated analysis answers otherwise
than the real one are run, or that have the `feature` which the mutant's entry names;
the first disagreement ends the run.

Exit status 1 if a mutant was not noticed, or if the table is wrong.
"""
from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).resolve().with_name("mutants.json")
RULES = ROOT / "docs" / "legality.md"
FEATURES = ROOT / "fuzz" / "kernels" / "Features.def"
REFUSALS = ROOT / "fuzz" / "kernels" / "Refusals.def"
# Of processor time, for each kernel on average: a mutant may never end.
LIMIT_SECONDS = 0.03


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    rule: str
    file: str
    text: str
    replacement: str
    feature: str  # that a kernel needs to notice; "" if any may


@dataclasses.dataclass(frozen=True)
class Outcome:
    mutant: Mutant
    kernels: int  # until the first disagreement, or all
    noticed: str  # "false accept", "wrong model", ...; "" if it was not
    seconds: float


def load() -> list[Mutant]:
    def text(lines: str | list[str]) -> str:
        return lines if isinstance(lines, str) else "\n".join(lines)

    with TABLE.open() as file:
        entries = json.load(file)
    return [Mutant(name=e["name"], rule=e["rule"], file=e["file"], text=text(e["text"]),
                   replacement=text(e["with"]), feature=e.get("feature", "")) for e in entries]


def section(title: str) -> str:
    """A section of docs/legality.md."""
    text = RULES.read_text()
    return text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def check(mutants: list[Mutant]) -> list[str]:
    """What is wrong with the table, one sentence each."""
    wrong = []
    names = [mutant.name for mutant in mutants]
    wrong += [f"{name}: two mutants have this name" for name in sorted(set(names))
              if names.count(name) > 1]
    for mutant in mutants:
        path = ROOT / mutant.file
        if not path.is_file():
            wrong.append(f"{mutant.name}: {mutant.file} does not exist")
            continue
        found = path.read_text().count(mutant.text)
        if found != 1:
            wrong.append(f"{mutant.name}: its text occurs {found} times in {mutant.file}; "
                         "expected once")
        if mutant.feature and f"FEATURE({mutant.feature}," not in FEATURES.read_text():
            wrong.append(f"{mutant.name}: no feature is called {mutant.feature}")
        if mutant.text == mutant.replacement:
            wrong.append(f"{mutant.name}: text and replacement are the same")
    stated = re.findall(r"^\| `([a-z-]+)` \|", section("The rules"), re.MULTILINE)
    tried = {mutant.rule for mutant in mutants}
    wrong += [f"rule {rule}: no mutant switches it off" for rule in stated if rule not in tried]
    wrong += [f"rule {rule}: {RULES.name} does not list it"
              for rule in sorted(tried - set(stated))]
    cells = re.findall(r"^\| (`[^|]*) \|", section("What is refused, and why"), re.MULTILINE)
    codes = {code for cell in cells for code in re.findall(r"`([a-z-]+)`", cell)}
    known = set(re.findall(r'^REFUSAL\("([a-z-]+)"\)', REFUSALS.read_text(), re.MULTILINE))
    wrong += [f"refusal {code}: not in both {RULES.name} and {REFUSALS.name}"
              for code in sorted(codes ^ known)]
    return wrong


class Build:
    """The commands by which the build makes JudgeFuzz."""

    def __init__(self, folder: pathlib.Path, scratch: pathlib.Path):
        self.folder = folder.resolve()
        self.scratch = scratch
        self.headers: dict[str, str] = {}  # precompiled for the build, and for us
        commands = subprocess.run(
            ["ninja", "-C", str(self.folder), "-t", "commands", "benchmarks/JudgeFuzz"],
            check=True, capture_output=True, text=True).stdout.splitlines()
        # ": && clang++ ... && :"
        self.link = shlex.split(commands[-1].split("&&")[1])
        with (self.folder / "compile_commands.json").open() as file:
            self.compile = {entry["file"]: entry["command"] for entry in json.load(file)}

    @property
    def judge(self) -> pathlib.Path:
        return self.folder / "benchmarks" / "JudgeFuzz"

    def unoptimised(self, header: str) -> str:
        """`header`, a precompiled one of the build, without optimisation."""
        if header not in self.headers:
            source = header.removesuffix(".pch") + ".cxx"
            arguments = shlex.split(self.compile[source])
            own = self.scratch / f"header{len(self.headers)}.pch"
            arguments[arguments.index("-o") + 1] = str(own)
            self.run(arguments + ["-O0"])
            self.headers[header] = str(own)
        return self.headers[header]

    def mutate(self, mutant: Mutant) -> pathlib.Path:
        """Builds JudgeFuzz with the mutant in it. One file is compiled, without
        optimisation: that takes longer than to run."""
        original = ROOT / mutant.file
        source = self.scratch / f"{mutant.name}.cpp"
        source.write_text(original.read_text().replace(mutant.text, mutant.replacement))
        target, judge = source.with_suffix(".o"), source.with_suffix("")
        arguments = shlex.split(self.compile[str(original)])
        arguments[arguments.index("-o") + 1] = str(target)
        arguments[arguments.index("-c") + 1] = str(source)
        arguments = [self.unoptimised(word) if word.endswith(".pch") else word
                     for word in arguments]
        # What a switched-off rule leaves unused is no error.
        arguments += ["-O0", "-Wno-error", "-w", "-iquote", str(original.parent)]
        for option in ("-MT", "-MF"):
            if option in arguments:
                arguments[arguments.index(option) + 1] = str(target.with_suffix(".d"))
        self.run(arguments)
        link = list(self.link)
        link[link.index("-o") + 1] = str(judge)
        # Before the archives, so that their own object is not taken.
        link.insert(next(i for i, word in enumerate(link) if word.endswith(".a")), str(target))
        self.run(link)
        return judge

    def run(self, arguments: list[str]) -> None:
        done = subprocess.run(arguments, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip()[:2000])


def needs_answers(mutant: Mutant) -> bool:
    # The answers do not tell how a remap is carried out.
    return not mutant.feature and mutant.file.startswith("lib/Analysis/")


def try_out(build: Build, mutant: Mutant, kernels: int, before: pathlib.Path) -> Outcome:
    judge = build.mutate(mutant)
    arguments = [str(judge), f"--seeds=0..{kernels}", "--first"]
    if mutant.feature:
        arguments.append(f"--with={mutant.feature}")
    elif needs_answers(mutant):
        arguments.append(f"--unless={before}")
    start = time.monotonic()
    limit = int(20 + LIMIT_SECONDS * kernels)
    limits = (limit, limit + 9)
    done = subprocess.run(arguments, capture_output=True, text=True, errors="replace",
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limits))
    judge.unlink()
    seconds = time.monotonic() - start
    if done.returncode == 0:
        return Outcome(mutant, kernels, "", seconds)
    found = re.search(r"^seed (\d+): (invalid|false accept|wrong model|wrong remap):",
                      done.stdout, re.MULTILINE)
    if found:
        return Outcome(mutant, int(found[1]) + 1, found[2], seconds)
    crash = re.search(r"judging seed (\d+)", done.stderr)
    if crash:
        ends = done.returncode != -signal.SIGXCPU
        return Outcome(mutant, int(crash[1]) + 1, "crash" if ends else "no end", seconds)
    raise RuntimeError(f"JudgeFuzz: exit status {done.returncode}: {done.stderr.strip()[:2000]}")


def row(outcome: Outcome) -> str:
    noticed = outcome.noticed or "**not noticed**"
    return (f"| {outcome.mutant.rule} | {outcome.mutant.name} | {outcome.kernels} | {noticed} | "
            f"{outcome.seconds:.0f} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="mutants or rules; all by default")
    parser.add_argument("--check", action="store_true", help="checks the table and builds nothing")
    parser.add_argument("--kernels", type=int, default=10000, help="for each mutant")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "dev")
    parser.add_argument("--answers", type=pathlib.Path,
                        help="what the real analysis answers; written if it is not there, and "
                        "right as long as neither it nor the writer of kernels changes")
    parser.add_argument("--output", type=pathlib.Path,
                        help="where the table is written as it grows")
    options = parser.parse_args()
    mutants = load()
    wrong = check(mutants)
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    if options.check or wrong:
        return bool(wrong)
    known = {mutant.name for mutant in mutants} | {mutant.rule for mutant in mutants}
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no mutant or rule is called {', '.join(unknown)}")
    chosen = [m for m in mutants
              if not options.names or m.name in options.names or m.rule in options.names]

    lines = ["| rule | mutant | kernels | noticed by | seconds |",
             "| --- | --- | --- | --- | --- |"]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        build = Build(options.build, scratch)
        before = options.answers or scratch / "before.txt"
        if not before.exists() and any(map(needs_answers, chosen)):
            subprocess.run([str(build.judge), f"--seeds=0..{options.kernels}",
                            f"--answers={before}"], check=True, stdout=subprocess.DEVNULL)
        print("\n".join(lines), flush=True)
        for mutant in chosen:
            try:
                outcome = try_out(build, mutant, options.kernels, before)
            except RuntimeError as error:
                print(f"error: {mutant.name}: {error}", file=sys.stderr)
                missed += 1
                continue
            missed += not outcome.noticed
            lines.append(row(outcome))
            print(lines[-1], flush=True)
            if options.output:
                options.output.write_text("\n".join(lines) + "\n")
    print(f"{len(chosen) - missed} of {len(chosen)} noticed")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())

# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""swizzle.iree: models are compiled, patched and put together again; nothing is run."""
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("iree.compiler._mlir_libs", reason=(
    "iree-base-compiler is not installed; scripts/lib/setup.sh puts it into build/iree"))

import swizzle.iree  # noqa: E402
from swizzle.iree import compiler, objects, patching  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "benchmarks" / "kernels" / "iree"
CHIPS = {"gfx942": "mi300x", "sm_80": "h200"}
#: What code has in it that reads how large its grid is.
READS_GRID = {"gfx942": b"hidden_block_count_x", "sm_80": b"%nctaid.x"}


@pytest.fixture(params=CHIPS)
def target(request):
    return request.param


def compile_model(name, output, target, **more):
    return swizzle.iree.compile(MODELS / f"{name}.mlir", output, target=target,
                                chip=CHIPS[target], **more)


def llvm_version():
    text = compiler.run_iree(["--version"], "asking for the version")
    return int(re.search(r"LLVM version (\d+)", text)[1])


def test_a_remapped_kernel_is_in_the_module_and_guards_its_grid(target, tmp_path):
    compiler.link(MODELS / "product.mlir", compiler.target_flags(target), [], tmp_path,
                  tmp_path / "own.vmfb")
    (one,) = compile_model("product", tmp_path / "new.vmfb", target, options="formula=@reverse")
    assert one.outcome == "remapped" and one.formula and one.executable == "product_dispatch_0"
    assert None not in one.grid
    assert READS_GRID[target] not in (tmp_path / "own.vmfb").read_bytes()
    assert READS_GRID[target] in (tmp_path / "new.vmfb").read_bytes()


def test_the_planner_finds_an_order_for_a_batch(tmp_path):
    (one,) = compile_model("product_batched", tmp_path / "new.vmfb", "gfx942")
    assert one.outcome == "remapped" and one.reason_code == "improved", one.reason
    assert READS_GRID["gfx942"] in (tmp_path / "new.vmfb").read_bytes()


def test_a_kernel_that_is_kept_is_compiled_by_iree(target, tmp_path, monkeypatch):
    steps = []

    def run_iree(arguments, step, *more):
        steps.append((step, [str(one) for one in arguments]))
        return compiler_run(arguments, step, *more)

    compiler_run = compiler.run_iree
    monkeypatch.setattr(compiler, "run_iree", run_iree)
    (one,) = compile_model("reduction", tmp_path / "mine.vmfb", target)
    assert (one.outcome, one.reason_code) == ("kept", "no-gain"), one.reason
    assert READS_GRID[target] not in (tmp_path / "mine.vmfb").read_bytes()
    step, arguments = steps[-1]
    assert step == "substituting" and not any("substitute" in one for one in arguments)


def test_each_executable_of_a_model_is_planned_by_itself(target, tmp_path):
    kernels = compile_model("two", tmp_path / "new.vmfb", target, options="formula=@reverse")
    assert [one.executable for one in kernels] == ["two_dispatch_0", "two_dispatch_1"]
    assert {one.outcome for one in kernels} == {"remapped"}


def test_a_refused_kernel_stays_and_says_why(tmp_path):
    model = tmp_path / "dynamic.mlir"  # its sizes are known when it is launched
    model.write_text("""
        func.func @dynamic(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
          %sum = arith.addf %a, %a : tensor<?x?xf32>
          return %sum : tensor<?x?xf32>
        }""")
    (one,) = swizzle.iree.compile(model, tmp_path / "new.vmfb", target="gfx942", chip="mi300x",
                                  options="strict;formula=@reverse")
    assert (one.outcome, one.reason_code) == ("refused", "assumption"), one
    compiler.link(model, compiler.target_flags("gfx942"), [], tmp_path, tmp_path / "own.vmfb")
    own, new = ((tmp_path / name).read_bytes().count(READS_GRID["gfx942"])
                for name in ("own.vmfb", "new.vmfb"))
    assert own == new  # it has a size of its own to read


def test_what_is_not_patched_compiles_to_irees_own_code(tmp_path):
    """So that a remapped kernel differs by its order alone."""
    if llvm_version() != 22:
        pytest.skip("this IREE has another LLVM than the tools: its code is another")
    (one,) = compiler.dump(MODELS / "product.mlir", compiler.target_flags("gfx942"), tmp_path)
    own = pathlib.Path(str(one.llir).replace(".optimized.ll", ".rocmasm")).read_text()
    mine = objects.print_assembly(one.llir.read_text(), one.llir, "gfx942")

    def code(text):
        lines = (line.split(";")[0].rstrip() for line in text.splitlines())
        return [line for line in lines if line and not line.startswith("\t.section")
                and line != "\t.text"]

    assert code(mine) == code(own)


def test_three_orders_are_compared():
    (one,) = swizzle.iree.compare(MODELS / "product_wide.mlir", target="gfx942", chip="mi300x")
    assert one.grid == (4096, 1, 1) and one.differs and not one.problem
    assert one.own.time_us and one.planned.time_us <= one.own.time_us
    assert one.transposed.l2_bytes != one.own.l2_bytes
    (one,) = swizzle.iree.compare(MODELS / "product_batched.mlir", target="gfx942",
                                  chip="mi300x")
    assert one.outcome == "remapped" and one.planned.time_us < one.own.time_us
    assert one.transposed is None and "rank 2" in one.problem


def test_steps_that_do_not_work_say_which(tmp_path, monkeypatch):
    with pytest.raises(swizzle.iree.IreeError, match="compiling as it is: .*error:"):
        swizzle.iree.compile(MODELS / "product.mlir", tmp_path / "x", target="sm_9999")
    monkeypatch.setattr(objects.shutil, "which", lambda name: None)
    with pytest.raises(swizzle.iree.IreeError, match="making an object: there is no llc-22"):
        compile_model("product", tmp_path / "x", "gfx942", options="formula=@reverse")
    monkeypatch.setattr(compiler.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(swizzle.iree.IreeError, match="pip install iree-base-compiler"):
        compiler.find_iree()
    assert not (tmp_path / "x").exists()


def test_an_object_that_is_not_taken_is_noticed(tmp_path, monkeypatch):
    made = patching.make_object

    def under_another_name(text, llir, target, output):
        return made(text, llir, target, output).rename(output.with_name("nobody.hsaco"))

    monkeypatch.setattr(patching, "make_object", under_another_name)
    with pytest.raises(swizzle.iree.IreeError, match="substituting"):
        compile_model("product", tmp_path / "x", "gfx942", options="formula=@reverse")


def test_from_a_shell(tmp_path):
    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "swizzle.iree", str(MODELS / "product.mlir"), *arguments],
            capture_output=True, text=True)

    done = run("-o", str(tmp_path / "x.vmfb"), "--target=gfx942", "--options=formula=@reverse",
               "--", "--iree-opt-level=O2")
    assert done.returncode == 0 and "remapped (explicit)" in done.stdout, done.stderr
    done = run("-o", str(tmp_path / "x.vmfb"), "--target=gfx9999")
    assert done.returncode == 1 and done.stderr.startswith("swizzle.iree: compiling as it is")
    assert run("--target=gfx942").returncode == 2


def test_the_page_says_what_the_tool_says():
    if llvm_version() != 22:
        pytest.skip("the page is about IREE 3.10")
    done = subprocess.run([sys.executable, MODELS / "iree_table.py", "--check"],
                          capture_output=True, text=True)
    assert done.returncode == 0, (
        "PYTHONPATH=build/iree benchmarks/kernels/iree/iree_table.py --write\n"
        + done.stdout + done.stderr[-3000:])


def run_module(*arguments):
    return subprocess.run([sys.executable, "-m", "swizzle.iree", *map(str, arguments)],
                          capture_output=True, text=True)


def test_a_file_that_is_read_is_not_replaced(tmp_path):
    model, chip = tmp_path / "model.mlir", tmp_path / "chip.json"
    text = (MODELS / "product.mlir").read_bytes()
    model.write_bytes(text)
    chip.write_text("{}")
    (tmp_path / "link.mlir").symlink_to(model)
    for output, role, options in ((model, "the input", ""),
                                  (tmp_path / "link.mlir", "the input", ""),
                                  (chip, "a file of the options", f"hardware-file={chip}")):
        done = run_module(model, "-o", output, "--target=gfx942", f"--options={options}")
        assert done.returncode == 1
        assert f"swizzle.iree: {role} and the output are one file" in done.stderr
    assert model.read_bytes() == text and chip.read_text() == "{}"


def test_a_binary_file_is_told_from_a_model(tmp_path):
    (tmp_path / "model.mlir").write_bytes(bytes(range(128, 256)))
    done = run_module(tmp_path / "model.mlir", "-o", tmp_path / "out.vmfb", "--target=gfx942")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "swizzle.iree: compiling as it is: iree-compile ended with status" in done.stderr
    assert not (tmp_path / "out.vmfb").exists()

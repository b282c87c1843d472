# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of unusual kinds: those that fail while orders are measured, grids without a
workgroup, kernels in Gluon."""
import gc
import types

import pytest

triton = pytest.importorskip(
    "triton", reason="triton is not installed; scripts/lib/setup.sh puts it into build/triton")
tl = pytest.importorskip("triton.language")

import swizzle.triton as st  # noqa: E402
from swizzle.triton.assembling import why_not  # noqa: E402
from swizzle.triton.measuring import Measurement  # noqa: E402
from triton.experimental import gluon  # noqa: E402
from triton.experimental.gluon import language as gl  # noqa: E402
from triton_device import TARGETS, Clock, Tensor, use  # noqa: E402


@triton.jit
def copy(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at))


@triton.jit
def columns(x, y, S, BLOCK: tl.constexpr):
    at = (tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)) * S + tl.program_id(0)
    tl.store(y + at, tl.load(x + at))


@gluon.jit
def in_gluon(x, y, VOLATILE: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [LANES], [4], [0])
    at = gl.program_id(0) * 1024 + gl.arange(0, 1024, layout=layout)
    gl.store(y + at, gl.load(x + at, volatile=VOLATILE))


@pytest.fixture(params=["sm_90", "gfx942"])
def device(request, monkeypatch):
    monkeypatch.setattr("swizzle.triton.planning.FAMILIES", ("@reverse",))
    for kernel in (copy, columns, in_gluon):
        kernel.device_caches.clear()
    yield use(request.param)
    st.uninstall()


class Failing:
    """A clock for which each launch takes a millisecond, or that raises in one method."""

    def __init__(self, method="", after=0):
        self.method, self.left = method, after

    def answer(self, method, value):
        if method == self.method:
            self.left -= 1
            if self.left < 0:
                raise RuntimeError("invalid device event")
        return value

    def mark(self, stream):
        return self.answer("mark", 0)

    def milliseconds(self, start, end):
        return self.answer("milliseconds", 1.0)

    def is_capturing(self):
        return self.answer("is_capturing", False)

    def device(self):
        return self.answer("device", "none")


class Orders:
    """Three orders of a kernel that note their launches, and what became of measuring."""

    def __init__(self, timer=None, rounds=2):
        self.launched, self.raising, self.errors, self.turns = [], {}, [], []
        self.measurement = Measurement([self.way(number) for number in range(3)],
                                       timer or Failing(), rounds, self.settle,
                                       self.errors.append)

    def way(self, number):
        def run(x, y, z, stream, function, packed, metadata, enter, leave, *arguments):
            if error := self.raising.get(number):
                raise error
            self.launched.append(number)
            if leave is not None:
                leave(metadata)
            return number

        return run

    def settle(self, turns):
        self.turns = turns
        return self.way(2)

    def launch(self, leave=None):
        return self.measurement(4, 1, 1, 0, None, None, None, None, leave, "argument")


def test_a_launch_that_raises_is_repeated_and_loses_no_sample():
    orders = Orders(rounds=1)
    for broken in range(6):  # once at each place
        orders.raising = dict.fromkeys(range(3), KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            orders.launch()
        orders.raising = dict.fromkeys(range(3), ValueError("the user's own"))
        with pytest.raises(ValueError, match="the user's own"):
            orders.launch()
        orders.raising = {}
        assert orders.launch() == broken % 3
    assert orders.launch() == 2 and orders.turns == [[1.0]] * 3 and not orders.errors


def test_an_order_that_cannot_be_launched_ends_measuring():
    orders = Orders()
    orders.raising = {1: RuntimeError("out of resources")}
    assert [orders.launch() for _ in range(5)] == [0] * 5
    assert [str(error) for error in orders.errors] == ["out of resources"]


def test_a_kernel_whose_hook_raises_runs_once():
    def leave(metadata):
        raise ValueError("the user's hook")

    orders = Orders()
    for _ in range(2):
        orders.launch()
    with pytest.raises(ValueError, match="the user's hook"):
        orders.launch(leave)
    assert orders.launched == [0, 1, 2] and not orders.errors
    assert orders.launch() == 2


@pytest.mark.parametrize("method, after", [
    ("mark", 0), ("mark", 1), ("mark", 4), ("milliseconds", 0), ("milliseconds", 3),
    ("is_capturing", 0), ("is_capturing", 2)])
def test_a_clock_that_fails_costs_no_launch(method, after):
    orders = Orders(Failing(method, after))
    results = [orders.launch() for _ in range(12)]
    assert len(orders.launched) == 12 and results == orders.launched
    assert results[-3:] == [0, 0, 0]
    assert [str(error) for error in orders.errors] == ["invalid device event"]


@pytest.mark.parametrize("method", ["mark", "milliseconds", "device"])
def test_measuring_that_fails_is_reported(device, tmp_path, method):
    st.install("measure", cache=tmp_path, timer=Failing(method), rounds=1)
    for _ in range(9):
        columns[(64, 64)](Tensor(), Tensor(), 8192, BLOCK=128)
    (one,) = st.report()
    functions = device.functions((64, 64, 1))
    assert len(functions) == 9 and functions[-1] == functions[0]
    if method == "device":  # measured all the same
        assert one.outcome == "kept" and one.reason.endswith("not kept: invalid device event")
    else:
        assert one.outcome == "failed" and one.reason_code == "error"
        assert one.reason == ("its orders could not be measured: "
                              "RuntimeError: invalid device event")


def test_times_of_which_nothing_follows_are_reported(device, tmp_path):
    clock = Clock(device, lambda function: 0.0)
    st.install("measure", cache=tmp_path, timer=clock, rounds=1)
    for _ in range(9):
        columns[(64, 64)](Tensor(), Tensor(), 8192, BLOCK=128)
    (one,) = st.report()
    assert one.outcome == "failed" and "ZeroDivisionError" in one.reason


@pytest.mark.parametrize("planning", st.settings.PLANNING)
def test_a_grid_without_a_workgroup_is_kept(device, tmp_path, planning):
    st.install(planning, cache=tmp_path, most_grids=1, timer=Failing())
    for grid in (0,), (64, 0), (0, 1, 5), (0,):
        copy[grid](Tensor(), Tensor(), BLOCK=128)
    rows = st.report()
    assert {(one.outcome, one.reason_code) for one in rows} == {("kept", "empty-grid")}
    assert rows[1].reason == "the grid 64x0x1 has no workgroup"
    copy[(64,)](Tensor(), Tensor(), BLOCK=128)
    copy[(65,)](Tensor(), Tensor(), BLOCK=128)
    assert st.report()[-2].reason_code != "many-grids"
    assert st.report()[-1].reason_code == "many-grids"


def test_no_tool_is_asked_about_an_empty_grid(device, tmp_path, monkeypatch):
    monkeypatch.setattr("swizzle.triton.patching.run", lambda *a: pytest.fail("asked"))
    st.install(cache=tmp_path)
    copy[(0,)](Tensor(), Tensor(), BLOCK=128)
    assert [one.outcome for one in st.report()] == ["kept"]


@pytest.mark.parametrize("is_volatile", [False, True])
def test_kernels_in_gluon_are_looked_at(device, tmp_path, is_volatile):
    st.install(cache=tmp_path, options="formula=@reverse;simulate=off")
    in_gluon[(64,)](Tensor(), Tensor(), is_volatile, device.target.warp_size)
    (one,) = st.report()
    expected = ("refused", "volatile") if is_volatile else ("remapped", "explicit")
    assert (one.outcome, one.reason_code) == expected, one.reason


@pytest.mark.parametrize("asm, said", [
    ({"source": "", "cubin": b""}, "unset TRITON_STORE_BINARY_ONLY"),
    ({"llir": "", "cubin": b""}, "not compiled from Triton's own IR"),
    ({"llir": "", "ttgir": "isVolatile = true"}, "a load is volatile"),
    ({"llir": "", "ttir": "", "source": "isVolatile = true"}, "a load is volatile"),
    ({"llir": "", "ttgir": ""}, None), ({"llir": "", "ttir": ""}, None)])
def test_what_is_said_of_ir_is_true(asm, said):
    kernel = types.SimpleNamespace(
        asm=asm, metadata=types.SimpleNamespace(target=TARGETS["sm_90"]))
    reason = why_not(kernel)
    assert reason is None if said is None else said in reason[1]


def test_what_is_launched_stays_loaded(device, tmp_path):
    st.install(cache=tmp_path, options="formula=return gx - 1 - x, y;simulate=off")
    for _ in range(3):
        columns[(64, 64)](Tensor(), Tensor(), 8192, BLOCK=128)
        gc.collect()
    (one,) = st.report()
    assert one.outcome == "remapped", one.reason
    assert len(set(device.functions((64, 64, 1)))) == 1


def test_measured_orders_stay_loaded(device, tmp_path):
    own = []
    columns[(64, 64)](Tensor(), Tensor(), 8192, BLOCK=128)
    own += device.functions((64, 64, 1))
    clock = Clock(device, lambda function: 2.0 if function in own else 1.0)
    st.install("measure", cache=tmp_path, timer=clock, rounds=1, candidates=2)
    for _ in range(12):
        columns[(64, 64)](Tensor(), Tensor(), 8192, BLOCK=128)
        gc.collect()
    assert st.report()[-1].outcome in ("remapped", "kept")


def test_any_number_of_grids_costs_nothing_more(device, tmp_path):
    st.install(cache=tmp_path, most_grids=2)
    for blocks in range(1, 40):
        copy[(blocks,)](Tensor(), Tensor(), BLOCK=128)
    rows = st.report()
    assert [one.reason_code for one in rows[2:]] == ["many-grids"]
    assert rows[2].reason == "it was planned for 2 grids already (most_grids)"


@triton.jit
def smooth(x, y, N, BLOCK: tl.constexpr):
    at = (tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)) * N + tl.program_id(0)
    tl.store(y + at, tl.load(x + at) + tl.load(x + at + 1))


@pytest.mark.parametrize("planning", ["planner", "measure"])
def test_one_tensor_in_two_places_is_no_two_buffers(device, tmp_path, planning):
    smooth.device_caches.clear()
    options = "formula=return gx - 1 - x, y;simulate=off"
    st.install(planning, cache=tmp_path, options=options, timer=Clock(device, lambda _: 1.0))
    both = Tensor()
    smooth[(64, 64)](both, both, 8192, BLOCK=128)
    (one,) = st.report()
    assert (one.outcome, one.reason_code) == ("refused", "overlap")
    assert one.reason.startswith("arg0 and arg1 share memory at this launch")
    assert not one.formula and not one.assumptions
    smooth.device_caches.clear()
    smooth[(64, 64)](Tensor(), Tensor(), 8192, BLOCK=128)
    assert st.report()[-1].reason_code != "overlap"


def test_a_tensor_that_is_passed_twice_later_on_meets_the_own_order(device, tmp_path):
    smooth.device_caches.clear()
    apart, both = (Tensor(), Tensor()), Tensor()
    smooth[(64, 64)](*apart, 8192, BLOCK=128)
    (own,) = device.functions((64, 64, 1))
    smooth.device_caches.clear()
    st.install(cache=tmp_path, options="formula=return gx - 1 - x, y;simulate=off")
    for arguments in (apart, (both, both), apart, (both, both)):
        smooth[(64, 64)](*arguments, 8192, BLOCK=128)
    assert [one.outcome for one in st.report()] == ["remapped"]
    is_own = [function == own for function in device.functions((64, 64, 1))[1:]]
    assert is_own == [False, True, False, True]


@triton.jit
def rows(x, STRIDE, BLOCK: tl.constexpr):
    at = tl.program_id(1) * STRIDE + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) + 1)


@pytest.mark.parametrize("planning", ["planner", "measure"])
def test_other_sizes_on_a_grid_are_judged_anew(device, tmp_path, planning):
    """Rows that overlap must stay in their order, though others on the same grid need not."""
    rows.device_caches.clear()
    x = Tensor()
    rows[(64, 64)](x, 8192, BLOCK=128)
    (own,) = device.functions((64, 64, 1))
    rows.device_caches.clear()
    clock = Clock(device, lambda function: 2.0 if function == own else 1.0)
    st.install(planning, cache=tmp_path, timer=clock, rounds=1, candidates=1,
               options="formula=return gx - 1 - x, y;simulate=off")
    for stride in (8192, 64, 8192, 64, 8192, 64, 8192, 64, 8192, 64):
        rows[(64, 64)](x, stride, BLOCK=128)
    launched = [function == own for function in device.functions((64, 64, 1))[1:]]
    assert all(launched[1::2])
    assert not launched[-2]

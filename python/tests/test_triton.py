# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""swizzle.triton on a device that is not there: what is launched, and what is said."""
import itertools
import re
import subprocess
import sys

import pytest

triton = pytest.importorskip(
    "triton", reason="triton is not installed; scripts/lib/setup.sh puts it into build/triton")
tl = pytest.importorskip("triton.language")

import swizzle  # noqa: E402
import swizzle.triton as st  # noqa: E402
from swizzle.triton.families import FAMILIES  # noqa: E402
from swizzle.triton.measuring import choose  # noqa: E402
from swizzle.triton.patching import Order  # noqa: E402
from swizzle.triton.planning import changes_something  # noqa: E402
from triton_device import Clock, Tensor, use  # noqa: E402

GRID = (64, 64, 1)


@triton.jit
def product(a, b, c, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for first in range(0, K, BK):
        total += tl.dot(tl.load(a + m[:, None] * sa + (first + k)[None, :]),
                        tl.load(b + (first + k)[:, None] * sb + n[None, :]))
    tl.store(c + m[:, None] * sc + n[None, :], total.to(tl.float16))


@triton.jit
def ticket(counter, out, BLOCK: tl.constexpr):
    mine = tl.atomic_add(counter, 1)
    tl.store(out + mine * BLOCK + tl.arange(0, BLOCK), tl.program_id(0))


@triton.jit
def waits(flag, out, BLOCK: tl.constexpr):
    seen = tl.load(flag, volatile=True)
    tl.store(out + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), seen)


@pytest.fixture(params=["sm_90", "gfx942"])
def target(request):
    return request.param


@pytest.fixture
def device(target):
    for kernel in (product, ticket, waits):
        kernel.device_caches.clear()
    yield use(target)
    st.uninstall()


def multiply(grid=GRID):
    product[grid](Tensor(), Tensor(), Tensor(), 8192, 8192, 8192, 8192, BM=128, BN=128, BK=32)


def install(tmp_path, **settings):
    st.install(cache=tmp_path / "cache", **settings)


def test_a_new_grid_is_planned_and_later_launches_take_the_result(device, tmp_path):
    multiply()
    install(tmp_path)
    for _ in range(3):
        multiply()
    (one,) = st.report()
    assert one.kernel == "product" and one.grid == GRID
    assert one.outcome == "remapped" and one.reason_code == "improved", one.reason
    assert one.formula and one.modelled / one.accesses >= 0.8
    assert one.simulated_speed_up > 1
    assert any("any other grid takes the identity" in text for text in one.assumptions)
    own, *mine = device.functions(GRID)
    assert len(set(mine)) == 1 and own not in mine


def test_each_grid_is_decided_about_once(device, tmp_path, monkeypatch):
    install(tmp_path, most_grids=2)
    asked = []
    plan = st.planning.Planner.plan
    monkeypatch.setattr(st.planning.Planner, "plan",
                        lambda *a: asked.append(a[2]) or plan(*a))
    for grid in ((64, 64), (1, 1), (64, 64), (1, 1), (8, 8)):
        multiply(grid)
    assert asked == [(64, 64, 1), (1, 1, 1), (8, 8, 1)]
    assert [one.reason_code for one in st.report()] == ["improved", "single-workgroup",
                                                        "many-grids"]
    assert device.functions((1, 1, 1)) == device.functions((8, 8, 1)) * 2


def test_disabled_and_uninstalled_kernels_are_tritons_own(device, tmp_path):
    multiply()
    install(tmp_path)
    multiply()
    with st.disabled():
        multiply()
    multiply()
    st.uninstall()
    assert not st.is_installed()
    multiply()
    own, mine, off, again, gone = device.functions(GRID)
    assert own == off == gone and mine == again != own


def test_refused_kernels_stay_and_say_why(device, target, tmp_path):
    install(tmp_path)
    for kernel, code in (ticket, "atomic-result-used"), (waits, "volatile"):
        st.report.__globals__["log"].clear()
        kernel[(64,)](Tensor("int32"), Tensor("int32"), BLOCK=128)
        (one,) = st.report()
        assert one.outcome == "refused" and one.reason_code == code
    assert len(set(device.functions((64, 1, 1)))) == 2


def test_whatever_fails_tritons_own_kernel_runs(device, tmp_path, monkeypatch):
    multiply()
    chip = tmp_path / "chip.json"
    chip.write_text("{}")
    install(tmp_path, hardware_file=chip)
    multiply()
    (one,) = st.report()
    assert one.outcome == "failed" and "chip.json" in one.reason
    monkeypatch.delenv("SWIZZLE_BIN", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("swizzle.tools.checkout", lambda: tmp_path)
    st.patching.tool_version.cache_clear()
    install(tmp_path)
    multiply()
    (one,) = st.report()
    assert one.outcome == "failed" and "swizzle-llvm is neither in" in one.reason
    assert len(set(device.functions(GRID))) == 1
    st.patching.tool_version.cache_clear()


def test_what_was_planned_is_kept_for_the_next_process(device, tmp_path, monkeypatch):
    install(tmp_path)
    multiply()
    st.uninstall()
    product.device_caches.clear()
    monkeypatch.setattr("swizzle.triton.patching.run", lambda *a: pytest.fail("planned again"))
    monkeypatch.setattr("swizzle.triton.assembling.run_stage",
                        lambda *a: pytest.fail("compiled again"))
    install(tmp_path)
    multiply()
    (one,) = st.report()
    assert one.outcome == "remapped", one.reason
    first, second = device.functions(GRID)
    assert first == second


def test_the_key_holds_formula_grid_and_tool(tmp_path, monkeypatch):
    question = st.patching.Question("llir", "sm_90", GRID)
    settings = st.Settings(cache=tmp_path)
    keys = set()
    orders = iter(range(9))
    monkeypatch.setattr("swizzle.triton.patching.run", lambda *a: st.patching.Order(
        {"number": next(orders)}, None))
    store = st.store.Store(tmp_path)

    def ask(question, **more):
        options = st.patching.options_text(question, settings, **more)
        keys.add(st.patching.ask(question, options, store, 1).entry["number"])

    ask(question)
    ask(question)
    assert keys == {0}
    ask(question, formula="@reverse")
    ask(st.patching.Question("llir", "sm_90", (64, 32, 1)))
    ask(st.patching.Question("other", "sm_90", GRID))
    monkeypatch.setattr("swizzle.triton.patching.tool_version",
                        lambda timeout=None: "another")
    ask(question)
    assert keys == {0, 1, 2, 3, 4}


@pytest.fixture
def few_families(monkeypatch):
    """Searching all families takes a while."""
    monkeypatch.setattr("swizzle.triton.planning.FAMILIES", ("@super-group", "@xcd-balanced"))


def test_measuring_takes_the_fastest_and_writes_it_down(device, few_families, tmp_path):
    order = []  # binaries as they come, the kernel's own first

    def cost(function):
        if function not in order:
            order.append(function)
        return [1.0, 0.9, 0.5][order.index(function)]

    install(tmp_path, planning="measure", timer=Clock(device, cost), rounds=3, candidates=2)
    multiply()
    (one,) = st.report()
    assert one.outcome == "measuring" and "2 orders and its own" in one.reason
    for _ in range(14):
        multiply()
    (one,) = st.report()
    assert one.outcome == "remapped" and one.reason_code == "measured"
    assert one.reason == "measured 2.000 times as fast as its own order"
    assert [timing.milliseconds for timing in one.timings] == [1.0, 0.9, 0.5]
    assert [timing.launches for timing in one.timings] == [3, 3, 3]
    launched = device.functions(GRID)
    assert launched[:12] == launched[:3] * 4 and launched[12:] == [launched[2]] * 3
    (record,) = swizzle.read_database(tmp_path / "cache" / "tuned.db")
    assert record["origin"] == "measured" and record["formula"] == one.formula
    assert record["baseline.time_us"] == 1000 and record["best.time_us"] == 500

    # The next process takes it from there, in production without any search.
    for planning in "measure", "database":
        product.device_caches.clear()
        install(tmp_path, planning=planning, timer=Clock(device, cost))
        multiply()
        (one,) = st.report()
        assert one.outcome == "remapped" and one.reason_code == "database", one.reason
        assert device.functions(GRID)[-1] == launched[2]


def test_measuring_keeps_the_kernels_own_order_where_that_is_best(device, few_families, tmp_path):
    install(tmp_path, planning="measure", timer=Clock(device, lambda function: 1.0), rounds=1)
    for _ in range(20):
        multiply()
    (one,) = st.report()
    assert one.outcome == "kept" and one.reason_code == "measured" and one.formula is None
    assert device.functions(GRID)[-1] == device.functions(GRID)[0]
    (record,) = swizzle.read_database(tmp_path / "cache" / "tuned.db")
    assert record["formula"] is None


@pytest.mark.parametrize("turns, chosen", [
    # Three percent faster in each turn, whatever the clocks do meanwhile.
    ([[1.0, 1.3, 1.0, 0.9], [0.97, 1.26, 0.97, 0.87]], 1),
    # As much in the median, but now faster and now slower.
    ([[1.0] * 5, [0.92, 0.97, 0.97, 1.05, 1.08]], 0),
    # Less than the margin.
    ([[1.0] * 9, [0.995] * 9], 0),
    # Faster in the median, but maybe by chance, which hides no certain gain.
    ([[1.0] * 5, [0.5, 0.6, 0.79, 1.05, 1.2], [0.8] * 5], 2),
    # The faster of two.
    ([[1.0] * 3, [0.9] * 3, [0.8] * 3], 2),
    ([[1.0, 1.0]], 0)])
def test_what_is_measured_has_to_beat_the_noise(turns, chosen):
    assert choose(turns, margin=0.01) == chosen


def test_an_order_that_only_costs_is_none():
    before = {"time_us": 5.0, "l2_hit_rate": 0.5, "dram_read_bytes": 10}
    for after, changes in (({**before, "time_us": 5.1}, False),
                           ({**before, "dram_read_bytes": 9}, True)):
        order = Order({"simulated": {"before": before, "after": after}}, "")
        assert changes_something(order) == changes


@pytest.mark.parametrize("text", [one for one in FAMILIES if not one.startswith("@")])
def test_families_of_one_axis_are_permutations(text):
    params = {name: [int(value) for value in values.split(",")]
              for name, values in re.findall(r"param (\w+) in \{(.*)\}", text)}
    body = "\n".join(line for line in text.splitlines() if not line.startswith("param"))
    code = compile(body.replace("return", "found ="), "family", "exec")
    for values in itertools.product(*params.values()):
        for gx, gy in ((1, 1), (7, 1), (16, 1), (100, 1), (4096, 1), (4099, 1), (13, 20)):
            ids = set()
            for y in range(gy):
                for x in range(gx):
                    names = dict(zip(params, values), x=x, y=y, gx=gx, gy=gy)
                    exec(code, {"min": min, "max": max}, names)
                    ids.add(names["found"])
            assert ids == {(x, y) for x in range(gx) for y in range(gy)}, (values, gx, gy)


def test_nothing_is_timed_into_a_graph(device, few_families, tmp_path):
    clock = Clock(device, lambda function: 1.0)
    install(tmp_path, planning="measure", timer=clock, rounds=1)
    clock.capturing = True
    multiply()
    assert st.report() == []
    clock.capturing = False
    multiply()
    clock.capturing = True
    multiply()
    own, first, captured = device.functions(GRID)
    assert own == first == captured
    (one,) = st.report()
    assert one.outcome == "measuring"


def test_the_database_is_all_that_production_asks(device, tmp_path):
    install(tmp_path, planning="database")
    multiply()
    (one,) = st.report()
    assert one.outcome == "kept" and one.reason_code in ("database-miss", "configuration")
    assert len(set(device.functions(GRID))) == 1


def test_autotuned_kernels_are_timed_in_their_own_order(device, tmp_path):
    seen = []
    tuned = triton.autotune(
        configs=[triton.Config({"BM": size, "BN": size, "BK": 32}) for size in (64, 128)],
        key=["K"], do_bench=lambda call, quantiles: (call(), seen.append(1), [len(seen)] * 3)[2],
    )(product)
    install(tmp_path)
    grid = (64, 64)
    tuned[grid](Tensor(), Tensor(), Tensor(), 8192, 8192, 8192, 8192)
    assert len(seen) == 2
    (one,) = st.report()  # not of the configuration that lost
    assert one.outcome == "remapped"
    assert len(device.functions(GRID)) == 3 and len(set(device.functions(GRID))) == 3


def test_a_later_launch_asks_nobody(device, tmp_path, monkeypatch):
    install(tmp_path)
    tensors = [Tensor() for _ in range(3)]

    def multiply():
        product[GRID](*tensors, 8192, 8192, 8192, 8192, BM=128, BN=128, BK=32)

    multiply()
    before = len(device.functions(GRID))
    monkeypatch.setattr(st.launching.Launcher, "find_way", None)
    monkeypatch.setattr(st.launching, "shared_memory", None)
    multiply()
    first, second = device.functions(GRID)[before - 1:]
    assert first == second and st.report()[-1].outcome == "remapped"


def test_what_inductor_calls_and_pickles(device, tmp_path):
    """Its launchers take `run` when they are made, and call it with what they took then;
    its workers send kernels with all that they hold."""
    import pickle
    multiply()
    ((kernel,),) = (cache[0].values() for cache in product.device_caches.values())
    install(tmp_path)
    runner, function, packed = kernel.run, kernel.function, kernel.packed_metadata
    for _ in range(2):
        runner(64, 64, 1, 0, function, packed, None, None, None)
    own, *mine = device.functions(GRID)
    assert len(set(mine)) == 1 and own not in mine
    assert pickle.loads(pickle.dumps(kernel.__dict__["_swizzle"])) is None


def test_sizes_that_are_passed_are_told(device, tmp_path):
    install(tmp_path)
    multiply()
    (one,) = st.report()
    # K, sa, sb and sc behind three pointers.
    assert one.outcome == "remapped", one.reason
    assert any("arg3 = 8192 (claimed)" in text for text in one.assumptions), one.assumptions
    assert not any("nominal" in text for text in one.assumptions)


def test_sizes_count_the_same_if_they_are_not_told(device, tmp_path):
    install(tmp_path, sizes=False)
    multiply()
    (one,) = st.report()
    assert any("arg3 = 4096 (nominal)" in text for text in one.assumptions), one.assumptions


def test_settings_that_make_no_sense():
    with pytest.raises(ValueError, match="planning='guess': it takes database, planner"):
        st.Settings(planning="guess")
    with pytest.raises(ValueError, match="either chip or hardware_file"):
        st.Settings(chip="h200", hardware_file="x.json")
    with pytest.raises(ValueError, match="rounds=0"):
        st.Settings(rounds=0)


def test_importing_it_loads_neither_triton_nor_torch():
    subprocess.run([sys.executable, "-c", "import sys, swizzle.triton; "
                    "assert not {'triton', 'torch'} & set(sys.modules)"], check=True)

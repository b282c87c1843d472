# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings of swizzle.triton: what they take, what answers to keep depend on, and what is
put back afterwards."""
import os
import pathlib
import subprocess
import sys
import types

import pytest

triton = pytest.importorskip(
    "triton", reason="triton is not installed; scripts/lib/setup.sh puts it into build/triton")
tl = pytest.importorskip("triton.language")

import swizzle.triton as st  # noqa: E402
from swizzle.triton import hooks, patching  # noqa: E402
from swizzle.triton.store import Store  # noqa: E402
from triton_device import Tensor, use  # noqa: E402

HARDWARE = pathlib.Path(__file__).parents[2] / "hardware"
SWITCHES = ("TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER", "TORCHINDUCTOR_USE_STATIC_TRITON_LAUNCHER")


@triton.jit
def copy(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at))


@pytest.fixture
def device():
    copy.device_caches.clear()
    yield use("gfx942")
    st.uninstall()


def launch(blocks=64):
    return copy[(blocks,)](Tensor(), Tensor(), BLOCK=128)


def test_paths_may_be_texts_and_begin_at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SWIZZLE_TRITON_CACHE", "~/elsewhere")
    settings = st.Settings(database="~/tuned.db", hardware_file="~/chip.json")
    assert settings.database_path == tmp_path / "tuned.db"
    assert settings.hardware_file == tmp_path / "chip.json"
    assert settings.cache == tmp_path / "elsewhere"
    assert st.Settings(cache="~/c").database_path == tmp_path / "c" / "tuned.db"


@pytest.mark.parametrize("planning", st.settings.PLANNING)
def test_a_cache_that_is_named_by_a_text_works(device, tmp_path, planning):
    st.install(planning, cache=str(tmp_path / "c"))
    launch()
    (one,) = st.report()
    assert one.outcome == "kept", one.reason


@pytest.mark.parametrize("settings, error, said", [
    ({"chip": "h2000"}, ValueError, "chip='h2000': unknown chip.*did you mean h200.*mi300x"),
    ({"timeout": "5"}, TypeError, "timeout='5': it takes a number of seconds"),
    ({"timeout": 0}, ValueError, "timeout=0: more than 0 seconds"),
    ({"timeout": float("nan")}, ValueError, "timeout=nan: more than 0 seconds"),
    ({"options": ["strict"]}, TypeError, "options=.'strict'.: it takes a text such as")])
def test_what_makes_no_sense_is_refused_at_once(settings, error, said):
    with pytest.raises(error, match=said):
        st.install(**settings)
    assert not st.is_installed()


def test_a_tool_that_is_not_there_stops_no_install(device, tmp_path, monkeypatch):
    def missing(name):
        raise FileNotFoundError(name)

    monkeypatch.setattr("swizzle.remapping.find_tool", missing)
    st.install(chip="h2000", cache=tmp_path)
    assert st.is_installed()


@pytest.fixture
def asked(monkeypatch):
    """Options of what the tool was really asked."""
    texts = []
    monkeypatch.setattr(patching, "run", lambda question, options, timeout: texts.append(options)
                        or patching.Order({"number": len(texts)}, None))
    return texts


def ask(tmp_path, **settings):
    question = patching.Question("llir", "gfx942", (64, 64, 1))
    options = patching.options_text(question, st.Settings(**settings))
    return patching.ask(question, options, Store(tmp_path / "c"), 1).entry["number"]


@pytest.mark.parametrize("settings", [
    {"hardware_file": "FILE"}, {"options": "strict; hardware-file=FILE"},
    {"options": "formula-file=FILE"}, {"options": "launches=FILE;strict"},
    {"options": "agent=planner;agent-config=FILE"}])
def test_answers_are_kept_for_what_a_file_holds(tmp_path, asked, settings):
    file = tmp_path / "file"
    settings = {name: text.replace("FILE", str(file)) for name, text in settings.items()}
    for text, number in ("one", 1), ("one", 1), ("two", 2), ("one", 1):
        file.write_text(text)
        assert ask(tmp_path, **settings) == number
    # What is wrong with a file, the tool says.
    file.unlink()
    assert [ask(tmp_path, **settings), ask(tmp_path, **settings)] == [3, 4]


@pytest.mark.parametrize("options, kept", [
    ("strict", True), ("agent=planner", True), ("agent=openai;agent=planner", True),
    ("agent=openai", False), ("agent=planner+openai", False), ("agent=database", False),
    ("database=FILE", False), ("agent-config=FILE", False)])
def test_only_the_planners_answers_are_kept(tmp_path, asked, options, kept):
    (tmp_path / "file").write_text("{}")
    for _ in range(2):
        ask(tmp_path, options=options.replace("FILE", str(tmp_path / "file")))
    assert len(asked) == (1 if kept else 2)


def test_a_chip_that_is_described_anew_is_planned_for_anew(device, tmp_path):
    file = tmp_path / "chip.json"
    for chip in "mi300x", "mi350x":
        file.write_text((HARDWARE / f"{chip}.json").read_text())
        st.install(cache=tmp_path / "c", hardware_file=str(file))
        launch()
        (one,) = st.report()
        assert one.chip == chip


class FakeInductor:
    """As much of Inductor as is hooked; `load` imports it."""

    def __init__(self, monkeypatch):
        class CachingAutotuner:
            def bench(self, launcher):
                return launcher()

        self.monkeypatch, self.tuner = monkeypatch, CachingAutotuner
        self.own = CachingAutotuner.bench
        self.config = types.SimpleNamespace(use_static_cuda_launcher=True)

    def load(self):
        modules = {"torch._inductor.config": self.config,
                   hooks.HEURISTICS: types.SimpleNamespace(CachingAutotuner=self.tuner)}
        for name, module in modules.items():
            self.monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def inductor(monkeypatch):
    for name in SWITCHES:
        monkeypatch.delenv(name, raising=False)
    return FakeInductor(monkeypatch)


@pytest.mark.parametrize("is_early", [True, False])
def test_inductor_times_in_the_kernels_own_order_whenever_it_comes(device, inductor, tmp_path,
                                                                   is_early):
    kernel = launch()
    if is_early:
        inductor.load()
    st.install(cache=tmp_path)
    inductor.load()
    runner = kernel.run  # as its launchers do, before they are timed
    assert inductor.tuner.bench is not inductor.own
    inductor.tuner().bench(lambda: runner(64, 1, 1, 0, None, None, None, None, None))
    assert st.report() == []
    hooked = inductor.tuner.bench
    st.install(cache=tmp_path)
    assert inductor.tuner.bench is hooked
    st.uninstall()
    assert inductor.tuner.bench is inductor.own
    st.install(cache=tmp_path)
    assert inductor.tuner.bench is not inductor.own


def test_switches_are_as_they_were(inductor, monkeypatch, tmp_path):
    inductor.load()
    monkeypatch.setenv(SWITCHES[1], "1")
    for _ in range(2):
        st.install(cache=tmp_path)
        assert inductor.config.use_static_cuda_launcher is False
        assert [os.environ[name] for name in SWITCHES] == ["0", "1"]
        st.uninstall()
        assert inductor.config.use_static_cuda_launcher is True
        assert SWITCHES[0] not in os.environ and os.environ[SWITCHES[1]] == "1"
    # What somebody else sets meanwhile stays.
    inductor.config.use_static_cuda_launcher = False
    st.install(cache=tmp_path)
    monkeypatch.setenv(SWITCHES[0], "1")
    st.uninstall()
    assert inductor.config.use_static_cuda_launcher is False
    assert os.environ[SWITCHES[0]] == "1"


@pytest.mark.parametrize("name, value, error", [
    ("most_grids", 2.5, TypeError), ("most_grids", True, TypeError), ("most_grids", "3", TypeError),
    ("candidates", 0, ValueError), ("rounds", float("nan"), TypeError), ("margin", -1, ValueError),
    ("margin", float("nan"), ValueError), ("margin", "x", TypeError), ("sizes", "no", TypeError),
    ("timer", None, TypeError), ("chip", "h200;strict", ValueError),
    ("database", "/tmp/d;strict", ValueError), ("cache", "ca;che", ValueError),
])
def test_settings_that_make_no_sense_are_refused(name, value, error):
    with pytest.raises(error, match=name):
        st.Settings(**{name: value})


@pytest.mark.parametrize("settings", [
    {"options": "nonsense=1"}, {"hardware_file": "/nowhere/chip.json"}, {"chip": "h2000"},
])
def test_what_the_tool_does_not_know_is_refused_at_once(device, tmp_path, settings):
    (name,) = settings
    with pytest.raises(ValueError, match=name):
        st.install(cache=tmp_path, **settings)


def test_the_version_is_not_waited_for_forever(tmp_path, monkeypatch):
    tool = tmp_path / "swizzle-llvm"
    tool.write_text("#!/bin/sh\nexec sleep 60\n")
    tool.chmod(0o755)
    monkeypatch.setenv("SWIZZLE_BIN", str(tmp_path))
    patching.tool_version.cache_clear()
    with pytest.raises(subprocess.TimeoutExpired):
        patching.tool_version(0.2)
    patching.tool_version.cache_clear()

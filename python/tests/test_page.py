# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of swizzle-report in a real browser: it draws every kind of report, without
an error and without any network, and what it shows is what the files say."""
from __future__ import annotations

import json
import math
import os
import re
import shutil
from collections.abc import Iterator

import pytest

import page_inputs
import swizzle

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed "
                               "(pip install playwright)")
BROWSER = os.environ.get("SWIZZLE_BROWSER") or shutil.which("chromium-headless-shell") or ""
if not BROWSER:
    pytest.skip("there is no chromium-headless-shell (apt-get install chromium-headless-shell)",
                allow_module_level=True)
try:
    swizzle.find_tool("swizzle-report")
except FileNotFoundError:
    pytest.skip("swizzle-report was not built: D3 is missing (apt-get install node-d3)",
                allow_module_level=True)

KINDS = ["formula", "planner", "one-die", "open-grid", "no-chip", "nothing", "tuning",
         "journal", "torn", "measured", "measured-journal", "measured-kept", "throughout"]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return page_inputs.all_inputs(tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


class Shown:
    """A page in the browser, and everything that it complained about."""

    def __init__(self, browser, path, **options):
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def choose(self, index):
        self.page.locator("#kernels button").nth(index).click()

    def wait_for_map(self):
        self.page.wait_for_selector("html[data-mapped]", state="attached")

    def text(self, selector):
        return self.page.locator(selector).first.inner_text()


@pytest.fixture
def show(browser, tmp_path) -> Iterator:
    opened: list[Shown] = []

    def open_page(*files, **options) -> Shown:
        path = tmp_path / f"page{len(opened)}.html"
        swizzle.run_tool("swizzle-report", [*files, "-o", path])
        opened.append(Shown(browser, path, **options))
        return opened[-1]

    yield open_page
    for one in opened:
        one.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_report_is_drawn(show, inputs, kind, scheme):
    shown = show(inputs[kind], color_scheme=scheme)
    assert shown.page.evaluate("document.documentElement.dataset.theme") == scheme
    assert inputs[kind].name in shown.text("#sources")
    count = shown.page.locator("#kernels button").count()
    assert count == shown.page.evaluate("data.kernels.length")
    for index in range(count):
        shown.choose(index)
        # Nothing that is missing in a file may come out as a word of the language.
        said = shown.text("main")
        assert not re.search(r"undefined|NaN|null|\[object|Infinity", said), said
        name = shown.page.evaluate(f"data.kernels[{index}].name")
        assert name in shown.text("h2")
        if shown.page.evaluate(f"!data.kernels[{index}].mapping.why"):
            shown.wait_for_map()
    assert count or "no kernel" in shown.text("main")
    assert not shown.complaints
    assert [url for url in shown.requests if not url.startswith(("file:", "blob:"))] == []


UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "ns": 1e-3, "µs": 1, "ms": 1e3,
         "s": 1e6, "%": 0.01}


def read_figure(text):
    """The number behind "1.234 MB  (5.0 % hits)", and by how much it may be rounded."""
    number, unit = re.match(r"([\d.e+-]+) (\S+)", text).groups()
    digits = len(number.partition(".")[2].partition("e")[0])
    exponent = int(number.partition("e")[2] or 0)
    return float(number) * UNITS[unit], 0.51 * 10.0 ** (exponent - digits) * UNITS[unit]


def check_figures(shown, before, after):
    """All figures of the table and of the traffic bars against those of a file."""
    checked = 0
    for which, metrics in (("before", before), ("after", after)):
        for key, value in metrics.items():
            for selector in (f'[data-figure="{which}.{key}"]',
                             f'#traffic [data-bar="{key.removesuffix("_bytes")}.{which}"]',
                             f'#traffic [data-bar="{key}.{which}"]'):
                for text in shown.page.locator(selector).all_text_contents():
                    if value is None:
                        assert text == "none"
                        continue
                    number, rounding = read_figure(text)
                    assert math.isclose(number, value, abs_tol=rounding), (key, text, value)
                    checked += 1
        for term in metrics["roofline"]:
            bar = shown.page.locator(f'#resources [data-bar="{term["bound"]}.{which}"]')
            number, rounding = read_figure(bar.text_content())
            assert math.isclose(number, term["time_us"], abs_tol=rounding)
            checked += 1
    return checked


@pytest.mark.parametrize("kind", ["formula", "one-die", "open-grid"])
def test_figures_are_those_of_the_report(show, inputs, kind):
    kernel = page_inputs.read_kernels(inputs[kind])[0]
    shown = show(inputs[kind])
    simulated = kernel["simulated"]
    assert check_figures(shown, simulated["before"], simulated["after"]) > 20
    speed = simulated["before"]["time_us"] / simulated["after"]["time_us"]
    assert f"simulated {speed:.2f} times as fast" in shown.text("#verdict-box")
    assert shown.text("#formula") == kernel["formula"].strip()
    for assumption in kernel["proof"]["assumptions"]:
        assert assumption in shown.text("main")
    assert shown.page.locator("#difference div").all_text_contents() == kernel["ir_difference"]
    assert any(line[0] == "+" for line in kernel["ir_difference"])


def test_a_resource_of_one_order_alone_has_one_bar(show, inputs, tmp_path):
    report = json.loads(inputs["one-die"].read_text())
    simulated = report["kernels"][0]["simulated"]
    simulated["before"]["roofline"][0]["bound"] = "old"
    simulated["after"]["roofline"][0]["bound"] = "new"
    path = tmp_path / "renamed.json"
    path.write_text(json.dumps(report))
    shown = show(path)
    assert check_figures(shown, simulated["before"], simulated["after"]) > 20
    for bar, count in (("old.before", 1), ("old.after", 0), ("new.before", 0), ("new.after", 1)):
        assert shown.page.locator(f'#resources [data-bar="{bar}"]').count() == count


def test_the_roofline_has_both_points(show, inputs):
    kernel = page_inputs.read_kernels(inputs["formula"])[0]
    shown = show(inputs["formula"])
    flops = 2 * 1024 * 2048 * 256
    for which in ("before", "after"):
        text = shown.page.locator(f'#roofline [data-point="{which}"]').text_content()
        number, unit = re.search(r": ([\d.]+) ([GT])FLOP/s", text).groups()
        speed = float(number) * {"G": 1e9, "T": 1e12}[unit]
        assert math.isclose(speed, flops / (kernel["simulated"][which]["time_us"] * 1e-6),
                            rel_tol=2e-3)


def test_a_refusal_says_why(show, inputs):
    kernel = page_inputs.read_kernels(inputs["planner"])[1]
    shown = show(inputs["planner"])
    shown.choose(1)
    box = shown.text("#verdict-box")
    assert kernel["reason"] in box and kernel["counterexample"] in box
    assert kernel["reason_code"] in box


@pytest.mark.parametrize("kind", ["tuning", "journal", "torn"])
def test_attempts_stand_with_verdict_and_figures(show, inputs, kind):
    # A journal has the figures by which each attempt was judged when it was tried, a
    # report those of the closer look at the end.
    attempts = page_inputs.read_attempts(inputs[kind])
    assert len(attempts) > 1
    shown = show(inputs[kind])
    shown.page.focus("#attempts")
    for attempt in attempts:
        shown.page.keyboard.press("ArrowDown")
        row = shown.text(f"#attempt-{attempt['number']}")
        detail = shown.text("#attempt-detail")
        assert detail.startswith(f"Attempt {attempt['number']}: ")
        assert attempt["formula"].strip() in detail
        assert attempt["counterexample"] in detail and attempt["expectation"] in detail
        if attempt["status"] != "profiled":
            assert attempt["status"] in row
        if attempt["measurement"]:
            time = row.split("\n")[4]
            number, rounding = read_figure(time)
            assert math.isclose(number, attempt["measurement"]["time_us"], abs_tol=rounding)
    assert {attempt["status"] for attempt in attempts} >= {"profiled", "illegal", "unreadable"}
    if kind != "torn":
        assert check_figures(shown, *page_inputs.read_decided(inputs[kind])) > 10
    assert shown.page.locator("#curve").count() == 1
    shown.page.select_option("#verdict", "illegal")
    assert shown.page.locator(".body .row").count() == 1


def times_of(shown, number):
    """Of an attempt: simulated time and gain, measured time and gain."""
    return shown.page.locator(f"#attempt-{number} span").all_text_contents()[4:8]


@pytest.mark.parametrize("kind", ["measured", "measured-journal"])
def test_what_a_gpu_said_stands_apart(show, inputs, kind):
    """The headline is the clock's; simulated and measured figures share no column, no bar
    and no axis."""
    (kernel,) = page_inputs.read_kernels(inputs["measured"])
    measured, tuning = kernel["measured"], kernel["tuning"]
    assert measured["attempt"] == 2  # by simulation, another one would have been the best
    shown = show(inputs[kind])
    box = shown.text("#verdict-box")
    assert box.startswith("Remapped: measured 1.43 times as fast")
    assert "On Fake GPU 9: measured 42.9 % faster" in box and "had been simulated to be" in box
    assert "1.43×, measured" in shown.text("#kernels button")
    rows = shown.page.locator("#measured tbody tr").all_inner_texts()
    assert len(rows) == len(measured["rows"]) == 4
    for row, said in zip(measured["rows"], rows):
        if "failure" in row:
            assert f"failed: {row['failure']}" in said
            continue
        number = 0 if row["variant"] == "original" else int(row["variant"].split()[1])
        cell = shown.text(f'[data-figure="measured.{number}.time_us"]')
        time, rounding = read_figure(cell)
        assert math.isclose(time, row["metrics"]["time_us"], abs_tol=rounding)
        assert ("★" in said) == (number == 2)
    # The simulated figures are all there, and called so.
    assert check_figures(shown, tuning["baseline"], tuning["best"]["measurement"]) > 10
    assert "simulated on h200" in shown.text("main")
    assert "time, simulated" in shown.page.text_content("#curve")
    heads = shown.page.locator(".row.head span").all_inner_texts()
    assert heads[4:8] == ["simulated", "gain", "measured", "gain"]
    times = dict.fromkeys((1, 2, 3), "")
    times.update({1: "90.00 µs", 2: "70.00 µs"})
    for attempt in tuning["attempts"]:
        simulated, _, clock, gain = times_of(shown, attempt["number"])
        number, rounding = read_figure(simulated)
        assert math.isclose(number, attempt["measurement"]["time_us"], abs_tol=2 * rounding)
        assert clock == times[attempt["number"]] and bool(gain) == bool(clock)
    shown.page.locator("#attempt-2").click()
    assert "Measured: 70.00 µs, 1.43 times as fast" in shown.text("#attempt-detail")
    assert not shown.complaints


def test_a_gpu_that_keeps_the_kernel_is_quoted(show, inputs):
    shown = show(inputs["measured-kept"])
    box = shown.text("#verdict-box")
    assert box.startswith("Kept as it is")
    assert "On Fake GPU 9: the fastest order gains 0.5 %, which is within the noise" in box
    assert "★" not in shown.text("#measured tbody") and "measured" in shown.text("#kernels button")


def test_what_was_not_counted_is_not_called_nothing(show, inputs):
    """Times that a GPU measured throughout, without counting what memory moved."""
    (kernel,) = page_inputs.read_kernels(inputs["throughout"])
    assert kernel["tuning"]["baseline"]["origin"] == "measured"
    shown = show(inputs["throughout"])
    assert shown.text("#verdict-box").startswith("Remapped: measured 1.25 times as fast")
    assert "measured on Fake GPU 9" in shown.text("main")
    assert "DRAM" not in shown.text("#figures") and not shown.page.locator("#traffic").count()
    assert times_of(shown, 1) == ["", "", "80.00 µs", "1.250×"]
    assert "time, measured" in shown.page.text_content("#curve")
    assert not shown.complaints


@pytest.mark.parametrize("none", [None, 0.0])  # as this version writes it, and earlier ones
def test_counters_that_end_at_the_l2_say_nothing_of_memory(show, inputs, tmp_path, none):
    report = json.loads(inputs["measured"].read_text())
    (kernel,) = report["kernels"]
    told = {"levels": ["l2", "llc"], "l2_hit_rate": 0.5, "l2_bytes": none, "llc_bytes": 4096.0,
            "dram_read_bytes": none, "dram_write_bytes": none, "line_accesses": none}
    for row in kernel["measured"]["rows"]:
        row.get("metrics", {}).update(told)
    path = tmp_path / "counted.json"
    path.write_text(json.dumps(report))
    shown = show(path)
    assert shown.text('[data-figure="measured.0.l2_hit_rate"]') == "50.0 %"
    assert shown.text('[data-figure="measured.0.dram_bytes"]') == "not counted"
    # The same where all is measured.
    for metrics in (kernel["tuning"]["baseline"], kernel["tuning"]["best"]["measurement"]):
        metrics.update(told, origin="measured")
    path.write_text(json.dumps(report))
    shown = show(path)
    assert shown.text('[data-figure="before.l2_hit_rate"]') == "50.0 %"
    assert shown.text('[data-figure="before.dram_read_bytes"]') == "not counted"
    assert shown.page.locator('[data-bar="llc.before"]').count() == 1
    assert not shown.page.locator('[data-bar="dram_read_bytes.before"]').count()
    assert not shown.complaints


def test_hover_says_what_the_evaluator_says(show, inputs):
    kernel = page_inputs.read_kernels(inputs["formula"])[0]
    grid = "x".join(map(str, kernel["grid"]))
    table = re.findall(r"^\((\d+),(\d+).*\) -> \((\d+),(\d+)",
                       swizzle.table(kernel["formula"], grid, chip="mi300x"), re.MULTILINE)
    assert len(table) == math.prod(kernel["grid"])
    workgroup_of = {(int(tx), int(ty)): (int(x), int(y)) for x, y, tx, ty in table}
    shown = show(inputs["formula"])
    shown.wait_for_map()
    canvas = shown.page.locator("#map-after")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    gx, gy = kernel["grid"][:2]
    for k in range(60):
        shown.page.mouse.move(box["x"] + (0.002 + k * 97 % 990 / 1000) * box["width"],
                              box["y"] + (0.004 + k * 61 % 990 / 1000) * box["height"])
        said = shown.text("#readout")
        tile = tuple(map(int, re.search(r"Tile \((\d+), (\d+)\)", said).groups()))
        x, y = workgroup_of[tile]
        expected = y * gx + x
        after = re.search(r"after: workgroup \((\d+), (\d+)\) \(number (\d+)\), on die (\d+), "
                          r"as number (\d+) there", said).groups()
        assert tuple(map(int, after)) == (x, y, expected, expected % 8, expected // 8)
        before = int(re.search(r"before: .*number (\d+)\), on", said).group(1))
        assert before == tile[1] * gx + tile[0]


def test_colours_are_the_dies(show, inputs):
    """Every pixel of both pictures has the colour of the die of its tile."""
    shown = show(inputs["formula"])
    shown.wait_for_map()
    assert shown.page.evaluate("""() => {
      const kernel = data.kernels[0];
      return Order.read(kernel.mapping).then(order => {
        const painter = new Painter(order);
        let wrong = 0;
        for (const after of [false, true]) {
          const canvas = document.getElementById(after ? "map-after" : "map-before");
          const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const pixels = new Uint32Array(image.data.buffer), [gx, gy] = kernel.mapping.grid;
          for (let j = 0; j < canvas.height; ++j) for (let i = 0; i < canvas.width; ++i) {
            const x = Math.floor((i + 0.5) * gx / canvas.width);
            const y = Math.floor((j + 0.5) * gy / canvas.height);
            const workgroup = order.workgroupOf(y * gx + x, after);
            wrong += pixels[j * canvas.width + i] !== painter.dies[workgroup % 8];
          }
        }
        return wrong;
      });
    }""") == 0


def test_everything_is_reached_by_the_keyboard(show, inputs):
    shown = show(inputs["planner"], viewport={"width": 1200, "height": 800})
    page = shown.page
    shown.wait_for_map()
    page.focus("#kernels button")
    page.keyboard.press("ArrowDown")
    assert "race" in shown.text("h2") and page.url.endswith("#2")
    page.keyboard.press("ArrowUp")
    assert "product" in shown.text("h2")
    shown.wait_for_map()
    page.focus("#map-before")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert "Tile (2, 1)" in shown.text("#readout")
    whole = page.evaluate("document.getElementById('map-before').__zoom.k")
    page.keyboard.press("+")
    page.wait_for_function("document.getElementById('map-before').__zoom.k > 1.5")
    assert whole == 1 and page.evaluate(
        "document.querySelectorAll('canvas').length < 2 || "
        "document.getElementById('map-after').__zoom.k > 1.5")
    page.keyboard.press("0")
    page.wait_for_function("document.getElementById('map-before').__zoom.k === 1")
    page.focus("#by-time")
    page.keyboard.press("Enter")
    assert page.get_attribute("#by-time", "aria-pressed") == "true"
    # The tab key comes to every control.
    reached = set()
    page.focus("body")
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert reached >= {"theme", "map-before", "by-die", "by-time", "zoom-in", "only-die"}
    assert not shown.complaints


def test_the_theme_can_be_changed(show, inputs):
    shown = show(inputs["formula"], color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = shown.page.evaluate(ground)
    shown.page.click("#theme")
    assert shown.page.evaluate(ground) != light
    assert shown.text("#theme") == "Light page"


def test_nothing_is_wider_than_the_window(show, inputs):
    for width in (420, 900, 1600):
        shown = show(inputs["tuning"], viewport={"width": width, "height": 800})
        shown.wait_for_map()
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width


def test_names_are_text_and_never_markup(show, tmp_path, inputs):
    report = tmp_path / "evil.json"
    text = inputs["formula"].read_text()
    evil = "</script><script>console.log('run')</script><img src=x onerror=alert(1)>"
    report.write_text(text.replace('"name": "product"', f'"name": "{evil}"'))
    shown = show(report)
    assert evil in shown.text("h2") and not shown.complaints


def test_a_large_grid_is_decoded_exactly(show, tmp_path, inputs):
    """4096 x 4096 tiles: the decoded mapping, summed up, against the formula."""
    report = tmp_path / "large.json"
    text = inputs["formula"].read_text()
    text = re.sub(r'"grid": \[[^]]*\]', '"grid": [4096, 4096, 1]', text, count=1)
    report.write_text(text)
    shown = show(report)
    shown.page.wait_for_selector("html[data-mapped]", state="attached", timeout=60000)
    wrong = shown.page.evaluate("""() => Order.read(data.kernels[0].mapping).then(order => {
      let wrong = 0;
      for (let y = 0; y < 4096; ++y) for (let x = 0; x < 4096; ++x)
        wrong += order.workgroupOf(y * 4096 + x, true) !== x * 4096 + y;
      return wrong;
    })""")
    assert wrong == 0


@pytest.mark.parametrize("text, why", [
    ("", "not JSON"), ("[]", "not a JSON object"), ("{}", "JSON without a schema"),
    ('{"schema": "swizzle-sim/1"}', "its schema is swizzle-sim/1"),
    ('{"schema": "swizzle-report/1"}', "it has no list of kernels"),
    ('{"schema": "swizzle-report/1", "kernels": [3]}', "one of its kernels is no object"),
])
def test_what_is_no_report_is_refused(tmp_path, text, why):
    path = tmp_path / "input"
    path.write_text(text)
    with pytest.raises(swizzle.ToolError, match=re.escape(why)) as refused:
        swizzle.run_tool("swizzle-report", [path, "-o", tmp_path / "page.html"])
    assert refused.value.status == 2
    assert "expected a report (of swizzle-opt or swizzle-tune) or a journal" in str(refused.value)
    assert not (tmp_path / "page.html").exists()


def test_the_page_does_not_replace_its_report(inputs):
    before = inputs["formula"].read_text()
    with pytest.raises(swizzle.ToolError, match="would replace what it is made of"):
        swizzle.run_tool("swizzle-report", [inputs["formula"], "-o", inputs["formula"]])
    assert inputs["formula"].read_text() == before


def test_several_files_make_one_page(show, inputs):
    shown = show(inputs["formula"], inputs["tuning"], inputs["journal"])
    assert shown.page.locator("#kernels button").count() >= 4
    assert "run.jsonl (journal" in shown.text("#sources")


def test_a_kernel_of_an_older_report_has_no_mapping(show, tmp_path, inputs):
    report = tmp_path / "old.json"
    report.write_text(inputs["formula"].read_text().replace('"constants"', '"other"'))
    shown = show(report)
    assert "written by an older version" in shown.text("#mapping")
    assert not shown.complaints

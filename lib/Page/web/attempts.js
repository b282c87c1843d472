// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of attempts. Only the rows in sight are elements, so that thousands of
// attempts scroll like ten.

const rowHeight = 28, rowsBeside = 6;

class AttemptsView {
  constructor(kernel) {
    this.kernel = kernel;
    this.attempts = kernel.tuning.attempts;
    this.shown = this.attempts;
    this.measured = measuredOf(kernel);
    this.chosen = -1;
    this.body = make("div", { class: "body" });
    const gpu = this.measured || this.attempts.some(attempt => originOf(attempt) === "measured");
    this.columns = ["simulated"].concat(gpu ? ["measured"] : []);
    this.box = make("div", { class: `attempts${gpu ? " both" : ""}`, role: "grid", tabindex: 0, id: "attempts",
      "aria-label": "Attempts. Arrow keys choose one; its formula and message stand below.",
      "aria-rowcount": this.attempts.length + 1, scroll: () => this.fill(), keydown: event => this.press(event) },
      this.headRow(), this.body);
    this.detail = make("div", { class: "detail", id: "attempt-detail", "aria-live": "polite", hidden: true });
    this.element = make("div", {}, this.makeFilter(), this.box, this.detail);
    new ResizeObserver(() => this.fill()).observe(this.box);
    this.filter("");
  }

  makeFilter() {
    const counts = d3.nest().key(verdictOf).rollup(list => list.length).entries(this.attempts);
    const select = make("select", { id: "verdict", change: () => this.filter(select.value) },
      make("option", { value: "" }, `all ${this.attempts.length}`),
      ...counts.map(({ key, value }) => make("option", { value: key }, `${key} (${value})`)));
    return make("div", { class: "controls" }, make("label", {}, "Verdict", select));
  }
  filter(verdict) {
    this.shown = this.attempts.filter(attempt => !verdict || verdictOf(attempt) === verdict);
    this.body.style.height = `${this.shown.length * rowHeight}px`;
    this.box.scrollTop = 0;
    this.choose(-1);
  }

  /** Simulated and measured figures never share a column. */
  headRow() {
    const times = this.columns.map(origin => [[origin], ["gain"]]).flat();
    const names = [["#"], ["round"], ["agent", true], ["verdict", true], ...times,
      ["L2 hits"], ["DRAM"], ["formula", true]];
    return make("div", { class: "row head", role: "row" },
      ...names.map(([name, left]) => make("span", { role: "columnheader", class: left ? "left" : null }, name)));
  }
  /** The figures of an attempt and of the kernel as it is that came about in one way. */
  figures(attempt, origin) {
    const { baseline } = this.kernel.tuning;
    if (originOf(attempt) === origin)
      return [baseline && baseline.origin === origin ? baseline : null, attempt.measurement];
    if (origin !== "measured" || !this.measured) return [null, null];
    const row = this.measured.rows.find(one => one.attempt === attempt.number);
    return [row ? row.beside : null, row ? row.metrics : null];
  }
  makeRow(attempt, index) {
    const verdict = verdictOf(attempt), [sign] = verdicts[verdict] || ["·"];
    const times = this.columns.map(origin => {
      const [start, m] = this.figures(attempt, origin);
      const gain = start && m && m.time_us ? `${(start.time_us / m.time_us).toFixed(3)}×` : "";
      return [[m ? format.time(m.time_us) : ""], [gain]];
    }).flat();
    const m = attempt.measurement && countsTraffic(attempt.measurement) ? attempt.measurement : null;
    const hits = m && typeof m.l2_hit_rate === "number" ? format.percent(m.l2_hit_rate) : "";
    const cells = [[attempt.number], [attempt.round], [attempt.agent, true],
      [`${sign} ${verdict}`, true], ...times, [hits],
      [m ? format.counted(dramBytesOf(m)) : ""], [oneLine(attempt), true, true]];
    return make("div", { class: `row${index === this.chosen ? " chosen" : ""}`, role: "row",
      id: `attempt-${attempt.number}`, "aria-selected": index === this.chosen, "aria-rowindex": index + 2,
      style: `top:${index * rowHeight}px`,
      click: () => this.choose(index) },
      ...cells.map(([text, left, code]) => make("span", { role: "gridcell",
        class: [left && "left", code && "code"].filter(Boolean).join(" ") || null }, String(text))));
  }
  /** Makes the rows that are in sight. */
  fill() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / rowHeight) - rowsBeside);
    const end = Math.ceil((this.box.scrollTop + this.box.clientHeight) / rowHeight) + rowsBeside;
    const last = Math.min(this.shown.length, end);
    this.body.replaceChildren(...this.shown.slice(first, last).map((attempt, k) => this.makeRow(attempt, first + k)));
  }

  press(event) {
    const page = Math.floor(this.box.clientHeight / rowHeight) - 2, end = this.shown.length - 1;
    const to = { ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: this.chosen + page,
      PageUp: this.chosen - page, Home: 0, End: end }[event.key];
    if (to === undefined || end < 0) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(end, to)));
    const top = this.chosen * rowHeight, space = this.box.clientHeight - 2 * rowHeight;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top > this.box.scrollTop + space) this.box.scrollTop = top - space;
    this.fill();
  }
  choose(index) {
    this.chosen = index;
    const attempt = this.shown[index];
    this.detail.hidden = !attempt;
    if (attempt) {
      this.box.setAttribute("aria-activedescendant", `attempt-${attempt.number}`);
      this.detail.replaceChildren(...attemptDetail(attempt, this.figures(attempt, "measured")));
    }
    this.fill();
  }
}

function oneLine(attempt) {
  const params = paramText(attempt.params);
  return attempt.formula.trim().split("\n").join("; ") + (params ? `   with ${params}` : "");
}
function paramText(params) {
  return Object.entries(params || {}).map(([name, value]) => `${name} = ${value}`).join(", ");
}

/** "simulated" or "measured"; "" of an attempt without figures. */
function originOf(attempt) {
  return attempt.measurement ? attempt.measurement.origin : "";
}

/** All that is known of one attempt, and what a GPU said of it. */
function attemptDetail(attempt, [original, measured]) {
  const verdict = verdictOf(attempt), [, meaning] = verdicts[verdict] || ["", verdict];
  const parts = [make("h3", {}, `Attempt ${attempt.number}: ${verdict}`), make("p", { class: "quiet" }, meaning)];
  const text = (name, value) => value && parts.push(make("p", {}, make("b", {}, `${name}: `), value));
  if (attempt.message) parts.push(make("pre", { class: "wrap" }, attempt.message));
  text("Counterexample", attempt.counterexample);
  if (attempt.formula) parts.push(make("pre", {}, attempt.formula.trimEnd()));
  text("Parameters", paramText(attempt.params));
  if (original && measured)
    text("Measured", `${format.time(measured.time_us)}, ${format.speed(original.time_us, measured.time_us)}`);
  text("What the agent saw as the limit", attempt.limits);
  text("What it changed", attempt.change);
  text("What it expected", attempt.expectation);
  text("What it said of earlier attempts", attempt.critique);
  if (attempt.unchecked) text("Unchecked", "its results were not compared with the original's on the host");
  return parts;
}

// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words and figures. Names, formulas and messages come from others: they enter the
// page as text, never as markup.

/** An element: `make("td", {class: "good"}, "12 %", otherElement)`. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/** Four digits: 0.06123, 1.204, 35.2, 1204. */
function digits(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 0.001) return value.toExponential(2);
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 5);
}

/** The same without zeros at the end, for axes: "10 TFLOP/s". */
function short(text) {
  return text.replace(/(\.\d*?)0+(?!\d)/, "$1").replace(/\.(?!\d)/, "");
}

/** The largest unit that keeps the number at 1 or more. */
function withUnit(value, units) {
  if (value === null || value === undefined) return "not known";
  for (const [scale, unit] of units)
    if (Math.abs(value) >= scale) return `${digits(value / scale)} ${unit}`;
  const [scale, unit] = units[units.length - 1];
  return `${digits(value / scale)} ${unit}`;
}

/** "1 round", "3 rounds". */
function count(number, what) {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

const format = {
  bytes: value => withUnit(value, [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]]),
  counted: value => value === null ? "not counted" : format.bytes(value),
  time: value => withUnit(value, [[1e6, "s"], [1e3, "ms"], [1, "µs"], [1e-3, "ns"]]),
  joules: value => withUnit(value, [[1, "J"], [1e-3, "mJ"], [1e-6, "µJ"]]),
  flops: value => withUnit(value,
    [[1e15, "PFLOP/s"], [1e12, "TFLOP/s"], [1e9, "GFLOP/s"], [1e6, "MFLOP/s"], [1, "FLOP/s"]]),
  rate: value => withUnit(value, [[1e12, "TB/s"], [1e9, "GB/s"], [1e6, "MB/s"], [1, "B/s"]]),
  percent: value => value === null || value === undefined ? "none" : `${(100 * value).toFixed(1)} %`,
  grid: grid => (grid || []).map(extent => extent === null ? "?" : extent).join(" × "),
  /** "−12.3 %" from `before` to `after`; "" where that says nothing. */
  change(before, after) {
    if (!before || after === null || after === undefined) return "";
    const percent = Math.abs(100 * (after / before - 1)).toFixed(1);
    return percent === "0.0" ? "the same" : `${after > before ? "+" : "−"}${percent} %`;
  },
  /** How much faster, as a ratio of times: "1.13 times as fast". */
  speed(before, after) {
    return before && after ? `${(before / after).toFixed(2)} times as fast` : "";
  },
};

/** What people call a level of the caches, or what limits a kernel. */
function title(key) {
  const titles = {
    l1: "L1", l2: "L2", llc: "last-level cache", dram: "DRAM", vector: "vector arithmetic",
    tensor: "matrix units", launch: "launch of workgroups", issue: "instruction issue",
    lds: "workgroup memory", delivery: "delivery to compute units",
    fabric: "fabric between caches", latency: "latency of caches and memory",
  };
  return titles[key] || `${key} cache`;
}

const verdicts = {
  best: ["★", "the best so far"], better: ["▲", "better than the kernel as it is"],
  "no-gain": ["=", "no gain"], worse: ["▽", "worse"], slower: ["▽", "slower"],
  measured: ["●", "measured"], simulated: ["●", "simulated"], profiled: ["●", "profiled"],
  illegal: ["✕", "not a permutation"],
  unreadable: ["?", "not a formula"], infeasible: ["∅", "no parameters fit"],
  duplicate: ["≡", "the same order as before"], "no-answer": ["…", "no answer"],
  "build-failed": ["!", "did not compile"], "check-failed": ["!", "computed something else"],
  "run-failed": ["!", "could not be profiled"],
};

/** The verdict of an attempt, as docs/tuning.md lists them; where its figures came
 *  from, if nothing was decided by them. */
function verdictOf(attempt) {
  if (attempt.status !== "profiled") return attempt.status;
  const { origin } = attempt.measurement || {};
  return attempt.best ? "best" : attempt.code || origin || "profiled";
}

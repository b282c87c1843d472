// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objective's figure of every attempt, and the best so far as the tuner decided.

/** Attempts that are far off would flatten what matters: they stand at the edge. */
function figureRange(figures, start, upwards) {
  const sorted = figures.slice().sort(d3.ascending);
  const low = sorted[0], last = sorted[sorted.length - 1];
  const high = upwards ? last : Math.min(last, 2 * (start || d3.median(sorted)));
  const pad = (high - low || Math.abs(high) || 1) * 0.08;
  return [low - pad, high + pad];
}

function bestCurve(kernel) {
  const { tuning } = kernel, objective = objectiveOf(kernel);
  const value = measurement => measurement ? objective.read(measurement) : null;
  const known = number => typeof number === "number" && isFinite(number);
  const start = value(tuning.baseline), started = known(start);
  // Simulated and measured figures never share an axis.
  const origin = tuning.baseline ? tuning.baseline.origin : "simulated";
  const tried = tuning.attempts.filter(attempt => originOf(attempt) === origin && known(value(attempt.measurement)));
  if (!tried.length) return null;
  const last = d3.max(tuning.attempts, attempt => attempt.number);
  const best = started ? [[0, start]] : [];
  const gains = attempt => attempt.best || attempt.code === "best" || attempt.code === "better";
  const leads = (now, before) => objective.upwards ? now > before : now < before;
  for (const attempt of tried.filter(gains)) {
    const now = value(attempt.measurement);
    if (!best.length || leads(now, best[best.length - 1][1])) best.push([attempt.number, now]);
  }
  if (best.length) best.push([last, best[best.length - 1][1]]);
  const figures = tried.map(attempt => value(attempt.measurement)).concat(started ? [start] : []);
  const told = `Best ${objective.name} so far over ${last} attempts: from ${
    started ? objective.print(start) : "not known"} to ${
    best.length ? objective.print(best[best.length - 1][1]) : "none"}`;
  const plot = curveAxes(told, [0, last], figureRange(figures, start, objective.upwards), { ...objective, origin });
  const { svg, x, y, bottom, end } = plot;
  if (started) {
    svg.append("line").attr("class", "baseline").attr("x1", x(0)).attr("x2", end)
      .attr("y1", y(start)).attr("y2", y(start));
    svg.append("text").attr("class", "small").attr("x", end).attr("y", y(start) - 6)
      .attr("text-anchor", "end").text("as it is");
  }
  // One path for all points of a kind: thousands of elements would be slow.
  const ring = attempt => `M${x(attempt.number) - 3},${y(value(attempt.measurement))}` +
    "a3,3 0 1,0 6,0a3,3 0 1,0 -6,0";
  svg.append("path").attr("class", "dots").attr("d", tried.map(ring).join(""));
  const cross = attempt => `M${x(attempt.number) - 3},${bottom - 8}l6,6m0,-6l-6,6`;
  const failed = tuning.attempts.filter(attempt => !attempt.measurement);
  svg.append("path").attr("class", "failed").attr("d", failed.map(cross).join(""));
  svg.append("path").attr("class", "curve")
    .attr("d", d3.line().curve(d3.curveStepAfter).x(p => x(p[0])).y(p => y(p[1]))(best));
  return svg.node();
}

/** Axes of attempts and figures, named. */
function curveAxes(told, across, range, objective) {
  const width = 820, height = 300, left = 100, end = width - 20, bottom = height - 46;
  const x = d3.scaleLinear().domain(across).range([left, end]);
  const y = d3.scaleLinear().domain(range).range([bottom, 16]).clamp(true);
  const svg = drawing(width, height, told).attr("id", "curve");
  svg.append("g").attr("class", "axis").attr("transform", `translate(0,${bottom})`)
    .call(d3.axisBottom(x).ticks(Math.min(10, across[1])).tickFormat(d3.format("d")));
  svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
    .call(d3.axisLeft(y).ticks(6).tickFormat(value => short(objective.print(value))));
  svg.append("text").attr("class", "small").attr("x", (left + end) / 2).attr("y", height - 8)
    .attr("text-anchor", "middle")
    .text(`attempt (○ ${objective.name}, ${objective.origin}; ✕ no figure; line: the best so far)`);
  return { svg, x, y, bottom, end };
}

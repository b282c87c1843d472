// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bars before and after, and the roofline.
// Before is hatched or hollow, after is solid: no chart needs its colours.

/** An SVG of `width` x `height` units that fills its column, with a name for those
 *  who hear it. */
function drawing(width, height, label) {
  const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${height}`)
    .attr("role", "img").attr("aria-label", label).style("max-width", `${width}px`);
  const pattern = svg.append("defs").append("pattern").attr("id", "hatch").attr("width", 6)
    .attr("height", 6).attr("patternUnits", "userSpaceOnUse").attr("patternTransform", "rotate(45)");
  pattern.append("line").attr("y2", 6).attr("x1", 1).attr("x2", 1).attr("class", "hatching");
  return svg;
}

/** Two bars a row: `rows` are {name, before, after, print, note}. One scale for all. */
function bars(rows, label, id) {
  const width = 820, left = 170, barsWidth = 380, rowHeight = 54;
  const top = 26, height = top + rows.length * rowHeight;
  const svg = drawing(width, height, label).attr("id", id);
  const most = d3.max(rows, row => Math.max(row.before || 0, row.after || 0)) || 1;
  const scale = d3.scaleLinear().domain([0, most]).range([0, barsWidth]);
  const both = rows.some(row => row.after !== null && row.after !== undefined);
  const legend = [["bar-before", both ? "before" : "as it is"]].concat(both ? [["bar-after", "after"]] : []);
  legend.forEach(([kind, text], k) => {
    svg.append("rect").attr("x", left + 110 * k).attr("y", 2).attr("width", 22).attr("height", 12).attr("class", kind);
    svg.append("text").attr("x", left + 28 + 110 * k).attr("y", 13).text(text);
  });
  rows.forEach((row, r) => {
    const y = top + r * rowHeight;
    svg.append("text").attr("x", left - 12).attr("y", y + 24).attr("text-anchor", "end").text(row.name);
    if (row.note) svg.append("text").attr("x", left - 12).attr("y", y + 39).attr("text-anchor", "end")
      .attr("class", "small").text(row.note);
    ["before", "after"].forEach((which, k) => {
      const value = row[which];
      if (value === null || value === undefined) return;
      svg.append("rect").attr("x", left).attr("y", y + 8 + 19 * k).attr("height", 15)
        .attr("width", Math.max(1, scale(value))).attr("class", `bar-${which}`);
      const change = which === "after" ? format.change(row.before, value) : "";
      const more = [row[`${which}Note`], change].filter(Boolean).join(", ");
      svg.append("text").attr("x", left + scale(value) + 8).attr("y", y + 20 + 19 * k)
        .attr("data-bar", `${row.key}.${which}`).text(row.print(value) + (more ? `  (${more})` : ""));
    });
  });
  return svg.node();
}

/** Traffic at each level, nearest to the compute units first, where it was counted. */
function trafficRows(before, after) {
  const rows = levelsOf(before).map(level => ({
    key: level, name: title(level), print: format.bytes,
    before: bytesOf(before, `${level}_bytes`), after: after ? bytesOf(after, `${level}_bytes`) : null,
    beforeNote: hitNote(before[`${level}_hit_rate`]),
    afterNote: after ? hitNote(after[`${level}_hit_rate`]) : "",
  }));
  const dram = (name, key) => ({ key, name, print: format.bytes, before: bytesOf(before, key),
    after: after ? bytesOf(after, key) : null });
  return rows.concat([dram("read from DRAM", "dram_read_bytes"), dram("written to DRAM", "dram_write_bytes")])
    .filter(row => row.before !== null || row.after !== null);
}
function hitNote(rate) {
  return typeof rate === "number" ? `${format.percent(rate)} hits` : "";
}

/** How long each resource alone would take; the longest one limits the kernel. Of two
 *  that the same bytes pass, the metrics have the slower: which one that is may differ
 *  before and after, and the other has no bar. */
function resourceRows(before, after) {
  const scatter = metrics => metrics && metrics.scatter_us || 0;
  const termsOf = metrics => metrics && metrics.roofline || [];
  const timeOf = (metrics, bound) => {
    const term = termsOf(metrics).find(term => term.bound === bound);
    return term ? term.time_us : null;
  };
  const bounds = new Set([...termsOf(before), ...termsOf(after)].map(term => term.bound));
  return [...bounds].map(bound => ({
    key: bound, name: title(bound), print: format.time,
    before: timeOf(before, bound), after: timeOf(after, bound),
  })).concat(scatter(before) || scatter(after) ? [{
    key: "scatter", name: "scattered memory", print: format.time, before: scatter(before),
    after: after ? scatter(after) : null }] : []);
}

/** Floating-point operations of a launch and what bounds them; null where no
 *  arithmetic or no bandwidth is known. */
function rooflineOf(metrics) {
  const terms = metrics && metrics.roofline || [];
  const arithmetic = terms.filter(term => ["vector", "tensor"].includes(term.bound) &&
    term.work > 0 && term.rate > 0);
  const dram = terms.find(term => term.bound === "dram" && term.rate > 0);
  const bytes = metrics && dramBytesOf(metrics);
  if (!arithmetic.length || !(bytes > 0) || !metrics.time_us) return null;
  const flops = d3.sum(arithmetic, term => term.work);
  // Where the fabric is slower than memory, it has the term of both.
  return { intensity: flops / bytes, speed: flops / (metrics.time_us * 1e-6), bandwidth: dram && dram.rate,
           peaks: arithmetic.map(term => ({ name: title(term.bound), rate: term.rate })) };
}

function roofline(before, after) {
  const points = [["before", rooflineOf(before)], ["after", rooflineOf(after)]].filter(([, point]) => point);
  const known = points.find(([, point]) => point.bandwidth);
  if (!known) return null;
  const { bandwidth, peaks } = known[1];
  const width = 820, height = 380, left = 110, right = 30, top = 20, bottom = 50;
  const highest = d3.max(peaks, peak => peak.rate), ridge = highest / bandwidth;
  const xs = points.map(([, point]) => point.intensity).concat([ridge]);
  const ys = points.map(([, point]) => point.speed);
  const x = d3.scaleLog().domain([d3.min(xs) / 4, d3.max(xs) * 6]).range([left, width - right]);
  const y = d3.scaleLog().domain([Math.min(d3.min(ys) / 3, x.domain()[0] * bandwidth), highest * 2.5])
    .range([height - bottom, top]);
  const told = points.map(([name, point]) =>
    `${name} ${format.flops(point.speed)} at ${digits(point.intensity)} operations a byte`);
  const svg = drawing(width, height, `Roofline: ${told.join("; ")}`).attr("id", "roofline");
  const ticks = axis => axis.ticks(6).tickSize(-4);
  svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
    .call(ticks(d3.axisBottom(x)).tickFormat(value => isPower(value) ? short(digits(value)) : ""));
  svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
    .call(ticks(d3.axisLeft(y)).tickFormat(value => isPower(value) ? short(format.flops(value)) : ""));
  svg.append("text").attr("x", (left + width - right) / 2).attr("y", height - 10).attr("text-anchor", "middle")
    .attr("class", "small").text("floating-point operations for each byte from and to DRAM");
  drawRoofs(svg, bandwidth, peaks, x, y);
  drawPoints(svg, points, x, y);
  return svg.node();
}
function isPower(value) {
  return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6;
}
/** The slope of the bandwidth up to the highest peak, and the peaks. */
function drawRoofs(svg, bandwidth, peaks, x, y) {
  const [least, most] = x.domain(), end = x.range()[1];
  const edge = Math.min(d3.max(peaks, peak => peak.rate) / bandwidth, most);
  const start = Math.max(least, y.domain()[0] / bandwidth), middle = Math.sqrt(start * edge);
  const at = intensity => [x(intensity), y(intensity * bandwidth)];
  const roof = points => svg.append("path").attr("class", "roof").attr("d", d3.line()(points));
  roof([at(start), at(edge)]);
  const [x0, y0] = at(start), [x1, y1] = at(edge), [xm, ym] = at(middle);
  svg.append("text").attr("class", "small").attr("text-anchor", "middle")
    .attr("transform", `translate(${xm},${ym - 10}) rotate(${Math.atan2(y1 - y0, x1 - x0) * 180 / Math.PI})`)
    .text(`DRAM: ${format.rate(bandwidth)}`);
  for (const peak of peaks) {
    const from = Math.min(most, Math.max(start, peak.rate / bandwidth));
    roof([[x(from), y(peak.rate)], [end, y(peak.rate)]]);
    svg.append("text").attr("class", "small").attr("x", end).attr("y", y(peak.rate) - 7)
      .attr("text-anchor", "end").text(`${peak.name}: ${format.flops(peak.rate)}`);
  }
}
/** A circle before, a diamond after; their texts above and below, so that points
 *  near each other stay readable. */
function drawPoints(svg, points, x, y) {
  const tops = points.map(([, point]) => y(point.speed));
  points.forEach(([name, point], k) => {
    const px = x(point.intensity), py = tops[k];
    const kind = name === "before" ? d3.symbolCircle : d3.symbolDiamond;
    svg.append("path").attr("class", `point-${name}`).attr("transform", `translate(${px},${py})`)
      .attr("d", d3.symbol().type(kind).size(110)());
    const above = points.length > 1 && (py < tops[1 - k] || (py === tops[1 - k] && k));
    svg.append("text").attr("x", px + 12).attr("y", above ? py - 9 : py + 19).attr("data-point", name)
      .text(`${points.length > 1 ? name : "as it is"}: ${format.flops(point.speed)}`);
  });
}

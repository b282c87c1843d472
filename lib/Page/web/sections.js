// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections about one kernel, from what was decided down to the lines of its IR. One
// without contents is left out.

function section(name, note, ...children) {
  const shown = children.filter(Boolean);
  if (!shown.length) return null;
  return make("section", {}, make("h3", {}, name),
    note ? make("p", { class: "quiet" }, note) : null, ...shown);
}
/** What may be wider than a narrow window scrolls by itself. */
function wide(element) {
  return element ? make("div", { class: "wide" }, element) : null;
}
function list(items) {
  return items && items.length ? make("ul", {}, ...items.map(item => make("li", {}, item))) : null;
}
/** Rows of cells under heads; the first cell of a row names it. A cell is a text, or
 *  attributes and a text. */
function table(id, heads, rows) {
  const row = ([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name),
    ...cells.map(cell => Array.isArray(cell) ? make("td", ...cell) : make("td", {}, cell)));
  return make("table", { id },
    make("thead", {}, make("tr", {}, ...heads.map(head => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...rows.map(row)));
}

function sectionsOf(kernel) {
  const { before, after } = figuresOf(kernel);
  return [
    make("h2", {}, nameOf(kernel)), factsLine(kernel), verdictBox(kernel),
    measuredSection(kernel), figuresSection(kernel), formulaSection(kernel), mappingSection(kernel),
    ...(before && countsTraffic(before) ? chartSections(before, after) : []),
    ...(kernel.tuning ? tuningSections(kernel) : []),
    section("What is assumed",
      "The remap is right only where this holds; the option strict refuses what is not checked " +
      "at run time.", list(assumptionsOf(kernel))),
    section("What neighbours share",
      "Data that two workgroups next to each other both touch: what an order can keep in a cache.",
      wide(reuseTable(kernel))),
    section("Not modelled", "Accesses that no figure here knows of.", notModelled(kernel)),
    section("Change of the IR",
      "Lines put in (+) and taken out (−); numbers of values are not compared.",
      differenceBox(kernel)),
    section("Notes", "", list(kernel.notes)),
  ];
}

function factsLine(kernel) {
  const facts = [kernel.chip && `chip ${kernel.chip}`, kernel.grid && `grid ${format.grid(kernel.grid)}`,
    kernel.block && `block ${format.grid(kernel.block)}`, kernel.source];
  return make("p", { class: "facts" }, facts.filter(Boolean).join("  ·  "));
}

/** What was decided, and why. */
function verdictBox(kernel) {
  const { tuning } = kernel;
  const box = make("div", { class: `verdict ${kernel.outcome}`, id: "verdict-box" },
    make("b", {}, headline(kernel)));
  if (measuredOf(kernel)) box.append(make("p", {}, measuredLine(kernel)));
  if (kernel.reason) box.append(make("p", {}, kernel.reason));
  if (kernel.counterexample) box.append(make("p", {}, `Counterexample: ${kernel.counterexample}`));
  if (kernel.reason_code && kernel.outcome !== "remapped")
    box.append(make("p", { class: "quiet" }, `code: ${kernel.reason_code} (docs/legality.md lists all)`));
  if (tuning && tuning.end)
    box.append(make("p", { class: "quiet" }, `${count(tuning.attempts.length, "attempt")} in ` +
      `${count(tuning.rounds, "round")}; ended: ${tuning.end_reason || tuning.end}`));
  return box;
}

/** What a GPU said, order by order. Simulated figures stand in sections of their own. */
function measuredSection(kernel) {
  const measured = measuredOf(kernel);
  if (!measured) return null;
  const { original, rows } = measured;
  const has = test => rows.some(row => row.metrics && test(row.metrics));
  const energy = has(m => typeof m.energy_joules === "number"), counted = has(countsTraffic);
  const heads = ["", "measured time", "noise", "speed-up", "outputs"]
    .concat(energy ? ["energy"] : [], counted ? ["L2 hits", "DRAM"] : []);
  const cells = row => {
    const key = name => ({ "data-figure": `measured.${row.attempt}.${name}` });
    const name = row.attempt ? `attempt ${row.attempt}` : "as it is";
    const chosen = row === measured.chosen ? " ★" : "";
    if (!row.metrics)
      return [name, [{ colspan: heads.length - 1, class: "left" }, `failed: ${row.failure || "not told"}`]];
    const m = row.metrics, told = row.measurement || {};
    return [name + chosen, [key("time_us"), format.time(m.time_us)],
      typeof m.noise === "number" ? `±${(100 * m.noise).toFixed(2)} %` : "",
      `${(row.beside.time_us / m.time_us).toFixed(3)}×`, told.outputs || "",
      ...(energy ? [[key("energy_joules"), format.joules(m.energy_joules)]] : []),
      ...(counted ? (countsTraffic(m) ? [[key("l2_hit_rate"), format.percent(m.l2_hit_rate)],
        [key("dram_bytes"), format.counted(dramBytesOf(m))]] : ["", ""]) : [])];
  };
  const { driver, date } = original.measurement || {};
  return section("Measured", `${["By " + measured.device, driver, date].filter(Boolean).join(", ")}: medians, ` +
    "each order in turns with the kernel as it is. ★ is what was written.", wide(table("measured", heads, rows.map(cells))),
    list(measured.notes));
}

/** The main figures before and after. */
function figuresSection(kernel) {
  const { before, after, origin, how } = figuresOf(kernel);
  if (!before) return null;
  const bottleneck = kernel.bottleneck || before.bottleneck;
  const rows = [["time", "time_us", format.time, true]];
  for (const level of levelsOf(before))
    rows.push([`${title(level)} hits`, `${level}_hit_rate`, format.percent, false]);
  if (countsTraffic(before)) {
    rows.push(["read from DRAM", "dram_read_bytes", format.counted, true]);
    rows.push(["written to DRAM", "dram_write_bytes", format.counted, true]);
  }
  if (typeof before.energy_joules === "number")
    rows.push(["energy", "energy_joules", format.joules, true]);
  const cells = ([name, key, print, smaller]) => {
    const told = metrics => key.endsWith("_bytes") ? bytesOf(metrics, key) : metrics[key];
    const was = told(before), is = after ? told(after) : null;
    const row = [name, [{ "data-figure": `before.${key}` }, print(was)]];
    return after ? row.concat([[{ "data-figure": `after.${key}` }, print(is)], changeCell(was, is, smaller)]) : row;
  };
  const limit = bottleneck && origin !== "measured" ? `; the kernel as it came is ${bottleneck}` : "";
  return section("Figures", `${origin} ${how}${limit}.`,
    wide(table("figures", after ? ["", "before", "after", "change"] : ["", "as it is"], rows.map(cells))));
}
/** The change of a size that should be smaller, or of a rate that should be larger. */
function changeCell(was, is, smaller) {
  if (typeof was !== "number" || typeof is !== "number") return "";
  const better = Math.abs(is - was) > 0.001 * Math.abs(was) ? ((is < was) === smaller ? "good" : "bad") : null;
  const points = Math.abs(100 * (is - was)).toFixed(1);
  const text = smaller ? format.change(was, is)
    : points === "0.0" ? "the same" : `${is > was ? "+" : "−"}${points} points`;
  return [{ class: better }, text];
}

const proofs = {
  enumerated: ids => `Proved to be a permutation: all ${ids.toLocaleString("en")} workgroups were enumerated.`,
  nest: () => "Proved to be a permutation of every grid: it is a loop nest over the grid.",
  guarded: () => "Proved to be a permutation of this grid; on any other grid the kernel keeps its order.",
};

function formulaSection(kernel) {
  const formula = formulaOf(kernel);
  if (!formula) return null;
  const params = paramText(paramsOf(kernel)), proof = proofOf(kernel), cost = kernel.remap_cost || {};
  const told = [params && `With ${params}.`,
    proof && (proofs[proof.kind] || (() => `Proof: ${proof.kind}.`))(proof.ids),
    typeof cost.scalar === "number" && `It costs each wave about ${cost.scalar} scalar instructions.`];
  return section("Formula", "The workgroup x, y, z does the work of the tile that the formula returns.",
    make("pre", { id: "formula" }, formula.trimEnd()), make("p", {}, told.filter(Boolean).join(" ")));
}

/** The mapping is unpacked after the rest stands on the page. */
function mappingSection(kernel) {
  const place = make("div", { id: "mapping" });
  const { mapping } = kernel;
  if (mapping.why) place.append(make("p", {}, mapping.why));
  else Order.read(mapping).then(order => {
    const view = new MappingView(order);
    place.replaceChildren(view.element);
    view.show();
    if (place.isConnected) document.documentElement.dataset.mapped = "true";
  }, error => place.replaceChildren(make("p", {}, `The mapping cannot be read: ${error.message}`)));
  const note = mapping.why ? "" : `Each cell is a tile of the ${format.grid(mapping.grid)} grid, x to the ` +
    `right and y down${mapping.nominal ? "; the launch decides the extents, and this grid is an example" : ""}. ` +
    "Its colour says which die computes it, or when.";
  return section("Which die computes which tile, and when", note, place);
}

function chartSections(before, after) {
  const resources = before.roofline && before.roofline.length
    ? bars(resourceRows(before, after), "Time of each resource, before and after", "resources") : null;
  return [
    section("Traffic at each level",
      "Bytes asked of each level of the memory, from the compute units outwards.",
      wide(bars(trafficRows(before, after), "Traffic at each level, before and after", "traffic"))),
    section("What sets the time",
      "How long each resource would take if it were alone; the longest bar limits the kernel.",
      wide(resources)),
    section("Roofline",
      "Left of the ridge memory limits the kernel, right of it arithmetic does. A remap that saves DRAM " +
      "traffic moves the kernel to the right, one that makes it faster upwards.",
      wide(roofline(before, after)) || make("p", {},
        "No arithmetic or no bandwidth is known for this kernel and chip, so there is no roofline.")),
  ];
}

function tuningSections(kernel) {
  const { objective, objective_reason: reason, attempts } = kernel.tuning;
  if (!attempts.length) return [];
  return [
    section("Best so far", `Objective: ${objective}${reason ? ` (${reason})` : ""}.`, wide(bestCurve(kernel))),
    section("Attempts", "", new AttemptsView(kernel).element),
  ];
}

function assumptionsOf(kernel) {
  const own = kernel.assumptions || [];
  return own.length ? own : (proofOf(kernel) || {}).assumptions;
}

function reuseTable(kernel) {
  if (!kernel.reuse || !kernel.reuse.length) return null;
  const words = { none: "nothing shared", overlap: "overlapping", shared: "the same data", absent: "–" };
  const share = (buffer, axis) => {
    const word = words[buffer.axes[axis]];
    const part = buffer.axes[axis] === "overlap" && buffer.shared_fraction;
    return part ? `${word} ${format.percent(part[axis])}` : word;
  };
  const rows = kernel.reuse.map(buffer => [buffer.buffer,
    [buffer.read && "read", buffer.written && "written"].filter(Boolean).join(", "),
    format.bytes(buffer.bytes_per_workgroup), share(buffer, 0), share(buffer, 1), share(buffer, 2)]);
  return table("reuse", ["buffer", "use", "each workgroup", "neighbours in x", "in y", "in z"], rows);
}

function notModelled(kernel) {
  return list((kernel.not_modelled || []).map(one =>
    `${one.what}: ${one.reason}${one.location ? ` (${one.location})` : ""}`));
}

function differenceBox(kernel) {
  const lines = kernel.ir_difference;
  if (!lines || !lines.length) return null;
  const kinds = { "+": "put", "-": "taken", ".": "gap" };
  return make("pre", { class: "diff", id: "difference", tabindex: 0 },
    ...lines.map(line => make("div", { class: kinds[line[0]] || null }, line)));
}

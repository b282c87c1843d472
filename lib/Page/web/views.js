// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One shape for kernels of all reports: a report of the passes has `simulated`, one
// of the tuner and a journal have `tuning`.

function nameOf(kernel) {
  return [kernel.module, kernel.name].filter(Boolean).join("::");
}

/** Figures before and after, and where they come from; null where none are known. */
function figuresOf(kernel) {
  if (kernel.tuning) {
    const before = kernel.tuning.baseline, best = kernel.tuning.best;
    const after = best && best.attempt ? best.measurement : null;
    return { before, after, origin: before ? before.origin : "simulated",
             how: before ? `on ${before.device}` : "" };
  }
  const simulated = kernel.simulated;
  if (!simulated) return { before: null, after: null, origin: "simulated", how: "" };
  const remapped = kernel.outcome === "remapped";
  return { before: simulated.before, after: remapped ? simulated.after : null,
           origin: "simulated", how: `on ${kernel.chip}, ${simulated.mode}` };
}

function formulaOf(kernel) {
  return kernel.tuning ? kernel.tuning.best && kernel.tuning.best.formula : kernel.formula;
}

function paramsOf(kernel) {
  return (kernel.tuning ? kernel.tuning.best && kernel.tuning.best.params : kernel.params) || {};
}

function proofOf(kernel) {
  return kernel.tuning ? kernel.tuning.best && kernel.tuning.best.proof : kernel.proof;
}

/** The levels of the caches that have figures, nearest first. */
function levelsOf(metrics) {
  const listed = metrics.levels || ["l1", "l2", "llc"];
  return listed.filter(level => bytesOf(metrics, `${level}_bytes`) !== null ||
    typeof metrics[`${level}_hit_rate`] === "number");
}

/** A number of bytes, or null where nobody counted them. Earlier versions wrote 0
 *  there. */
function bytesOf(metrics, key) {
  const bytes = metrics[key];
  if (typeof bytes !== "number") return null;
  const older = metrics.origin === "measured" && metrics.line_accesses === 0;
  return older && bytes === 0 ? null : bytes;
}

/** What memory read and wrote together. */
function dramBytesOf(metrics) {
  const read = bytesOf(metrics, "dram_read_bytes"), written = bytesOf(metrics, "dram_write_bytes");
  return read === null || written === null ? null : read + written;
}

/** False of times that a GPU measured without counting what caches or memory moved. */
function countsTraffic(metrics) {
  return levelsOf(metrics).length > 0 || dramBytesOf(metrics) !== null;
}

/** The figure that a run improves: how to read it, print it, and its name. */
function objectiveOf(kernel) {
  const rows = {
    "time": [m => m.time_us, format.time, "time", false],
    "l2-hit-rate": [m => m.l2_hit_rate, format.percent, "L2 hit rate", true],
    "dram-bytes": [dramBytesOf, format.bytes, "DRAM traffic", false],
    "energy": [m => m.energy_joules, format.joules, "energy", false],
  };
  const [read, print, name, upwards] = rows[kernel.tuning.objective] || rows.time;
  return { read, print, name, upwards };
}

/** What a GPU said of the kernel as it is and of the best orders, which were simulated
 *  before: {device, original, chosen, reason, rows}; null where nobody measured. Each
 *  row has an attempt's number, 0 for the kernel as it is. */
function measuredOf(kernel) {
  const { measured } = kernel;
  if (!measured || !measured.rows || !measured.rows.length) return null;
  const numberOf = variant => Number((/^attempt (\d+)$/.exec(variant) || [0, 0])[1]);
  const rows = measured.rows.map(row => ({ ...row, attempt: numberOf(row.variant) }));
  const find = number => rows.find(row => row.attempt === number && row.metrics);
  const original = find(0), chosen = measured.attempt ? find(measured.attempt) : null;
  const { reason, notes } = measured;
  // Another process may have measured a row: gains are over the original in the same turns.
  for (const row of original ? rows : [])
    row.beside = { ...original.metrics,
      time_us: (row.measurement || {}).original_us || original.metrics.time_us };
  return original ? { device: original.metrics.device, original, chosen, reason, notes, rows } : null;
}

/** One sentence: what became of the kernel. What was measured has the first word. */
function headline(kernel) {
  const { before, after, origin } = figuresOf(kernel);
  const measured = measuredOf(kernel);
  if (kernel.outcome === "refused") return "Not remapped";
  if (kernel.outcome !== "remapped")
    return kernel.running ? "The run has not ended; nothing better was found so far" : "Kept as it is";
  if (measured && measured.chosen)
    return `Remapped: measured ${format.speed(measured.chosen.beside.time_us, measured.chosen.metrics.time_us)}`;
  if (!before || !after) return "Remapped";
  if (kernel.tuning && kernel.tuning.objective !== "time") {
    const { read, print, name } = objectiveOf(kernel);
    return `Remapped: ${origin} ${name} ${print(read(before))} → ${print(read(after))}`;
  }
  return `Remapped: ${origin} ${format.speed(before.time_us, after.time_us)}`;
}

/** Below it, where a GPU decided: by what, and what had been simulated. */
function measuredLine(kernel) {
  const { before, after } = figuresOf(kernel);
  const measured = measuredOf(kernel);
  if (!measured) return "";
  const simulated = before && after
    ? ` It had been simulated to be ${format.speed(before.time_us, after.time_us)}.` : "";
  return `On ${measured.device}: ${measured.reason}.${simulated}`;
}

/** The short form of the headline, for the list of kernels. */
function shortOutcome(kernel) {
  const { before, after, origin } = figuresOf(kernel);
  const measured = measuredOf(kernel);
  if (kernel.outcome === "refused") return `✕ refused: ${kernel.reason_code}`;
  if (kernel.outcome !== "remapped")
    return `= kept${kernel.reason_code ? ": " + kernel.reason_code : measured ? ": measured" : ""}`;
  const gain = (from, to, how) => ` ${(from.time_us / to.time_us).toFixed(2)}×${how}`;
  if (measured && measured.chosen)
    return `▲ remapped${gain(measured.chosen.beside, measured.chosen.metrics, ", measured")}`;
  return `▲ remapped${before && after ? gain(before, after, origin === "measured" ? ", measured" : "") : ""}`;
}

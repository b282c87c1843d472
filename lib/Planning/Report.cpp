//===- Report.cpp - The JSON report of a run ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields keep the order of the schema, and numbers that are not known are null,
// so that two reports of the same run are the same bytes. Everything that comes
// from elsewhere as text is made valid UTF-8 on the way out.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planning/Report.h"

#include "swizzle/Hardware/ChipHash.h"
#include "swizzle/Kernel/Signature.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace swizzle {

namespace {
/// Writes one report.
class ReportWriter {
public:
  explicit ReportWriter(llvm::raw_ostream &os) : json(os, 2) {}

  void write(llvm::ArrayRef<PlannedKernel> kernels, llvm::StringRef inputHash);

private:
  void text(llvm::StringRef key, llvm::StringRef value) {
    json.attribute(key, llvm::json::isUTF8(value) ? value.str()
                                                  : llvm::json::fixUTF8(value));
  }
  void textOrNull(llvm::StringRef key, llvm::StringRef value) {
    if (value.empty())
      json.attribute(key, nullptr);
    else
      text(key, value);
  }
  template <typename T>
  void number(llvm::StringRef key, const std::optional<T> &value) {
    if (value)
      json.attribute(key, *value);
    else
      json.attribute(key, nullptr);
  }
  void extents(llvm::StringRef key, const Grid &grid);
  void kernel(const PlannedKernel &planned);
  void proof(const Decision &decision);
  void reuse(const KernelModel &model, const ReuseTable &reuse);
  void lines(llvm::StringRef key, llvm::ArrayRef<std::string> lines);
  void constants(const TargetChip &chip);
  void simulated(const std::optional<Prediction> &prediction);
  void metrics(llvm::StringRef key, const Metrics &metrics);

  llvm::json::OStream json;
};
} // namespace

static const char *toString(Outcome outcome) {
  switch (outcome) {
  case Outcome::Remapped:
    return "remapped";
  case Outcome::Kept:
    return "kept";
  case Outcome::Refused:
  case Outcome::Failed:
    return "refused";
  }
  return "refused";
}

static const char *toString(AxisReuse reuse) {
  switch (reuse) {
  case AxisReuse::None:
    return "none";
  case AxisReuse::Overlap:
    return "overlap";
  case AxisReuse::Shared:
    return "shared";
  case AxisReuse::Absent:
    return "absent";
  }
  return "none";
}

void ReportWriter::extents(llvm::StringRef key, const Grid &grid) {
  json.attributeArray(key, [&] {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (grid[axis] == kUnknownExtent)
        json.value(nullptr);
      else
        json.value(grid[axis]);
  });
}

void ReportWriter::proof(const Decision &decision) {
  if (!decision.remap) {
    json.attribute("proof", nullptr);
    return;
  }
  const Proof &proof = decision.remap->proof;
  json.attributeObject("proof", [&] {
    text("kind", toString(proof.kind));
    json.attribute("ids", proof.ids);
    std::vector<std::string> assumptions = proof.assumptions;
    llvm::append_range(assumptions, decision.assumptions);
    lines("assumptions", assumptions);
  });
}

void ReportWriter::reuse(const KernelModel &model, const ReuseTable &reuse) {
  json.attributeArray("reuse", [&] {
    for (const BufferReuse &one : reuse.buffers)
      json.object([&] {
        text("buffer", model.buffers[one.buffer].name);
        json.attribute("read", one.read);
        json.attribute("written", one.written);
        json.attribute("bytes_per_workgroup", one.bytesPerWorkgroup);
        json.attributeArray("axes", [&] {
          for (AxisReuse axis : one.axis)
            json.value(toString(axis));
        });
        json.attributeArray("shared_fraction", [&] {
          for (double fraction : one.sharedFraction)
            json.value(fraction);
        });
        if (one.distance != std::array<int64_t, 3>{0, 0, 0})
          json.attributeArray("shared_at_distance", [&] {
            for (int64_t distance : one.distance)
              json.value(distance);
          });
      });
  });
  json.attribute("modelled", static_cast<int64_t>(countAccesses(model.body)));
  json.attributeArray("not_modelled", [&] {
    for (const NotModelled &one : model.notModelled)
      json.object([&] {
        text("what", one.what);
        text("reason", one.reason);
        text("location", one.location);
        json.attribute("assumed", one.assumed);
      });
  });
}

void ReportWriter::metrics(llvm::StringRef key, const Metrics &metrics) {
  json.attributeObject(key, [&] {
    for (const char *usual : {"l1", "l2", "llc"})
      if (!metrics.find(usual))
        json.attribute(std::string(usual) + "_hit_rate", nullptr);
    for (const LevelMetrics &level : metrics.levels) {
      number(level.name + "_hit_rate", level.hitRate);
      json.attribute(level.name + "_bytes", double(level.bytes));
    }
    json.attribute("dram_read_bytes", double(metrics.dramReadBytes));
    json.attribute("dram_write_bytes", double(metrics.dramWriteBytes));
    json.attribute("time_us", metrics.timeUs);
    if (metrics.scatterUs > 0)
      json.attribute("scatter_us", metrics.scatterUs);
    json.attributeArray("levels", [&] {
      for (const LevelMetrics &level : metrics.levels)
        json.value(level.name);
    });
    json.attributeArray("roofline", [&] {
      for (const RooflineTerm &term : metrics.roofline)
        json.object([&] {
          json.attribute("bound", boundKey(term.bound));
          json.attribute("time_us", term.timeUs);
          json.attribute("work", term.work);
          json.attribute("rate", term.rate);
        });
    });
  });
}

void ReportWriter::lines(llvm::StringRef key,
                         llvm::ArrayRef<std::string> lines) {
  json.attributeArray(key, [&] {
    for (const std::string &line : lines)
      json.value(llvm::json::isUTF8(line) ? line : llvm::json::fixUTF8(line));
  });
}

/// The chip's numbers that a formula may use: who reads the report needs them
/// to evaluate it.
void ReportWriter::constants(const TargetChip &chip) {
  json.attributeObject("constants", [&] {
    if (chip.hardware)
      for (const auto &[name, value] : chip.hardware->formulaConstants())
        if (value)
          json.attribute(name, *value);
  });
}

void ReportWriter::simulated(const std::optional<Prediction> &prediction) {
  if (!prediction) {
    json.attribute("simulated", nullptr);
    return;
  }
  json.attributeObject("simulated", [&] {
    text("mode", prediction->mode);
    json.attribute("error", std::max(prediction->before.samplingError,
                                     prediction->after.samplingError));
    metrics("before", prediction->before);
    metrics("after", prediction->after);
  });
}

void ReportWriter::kernel(const PlannedKernel &planned) {
  const KernelFacts &facts = planned.facts;
  const TargetChip &chip = planned.chip;
  const Decision &decision = planned.decision;
  const ProvedRemap *remap = decision.remap ? &*decision.remap : nullptr;
  text("module", facts.module);
  text("name", facts.name);
  text("kernel_hash", facts.hash);
  text("signature", accessSignature(facts.model));
  textOrNull("chip", chip.hardware ? chip.hardware->name : "");
  textOrNull("chip_hash",
             chip.hardware ? hashUnlessBuiltIn(*chip.hardware) : "");
  extents("grid", facts.sizes.grid);
  extents("block", facts.sizes.block);
  extents("model_grid", facts.model.grid);
  text("outcome", toString(decision.outcome));
  text("reason_code", decision.reasonCode);
  text("reason", decision.reason);
  textOrNull("counterexample", decision.counterexample);
  textOrNull("formula", remap ? remap->formula.print() : "");
  json.attributeObject("params", [&] {
    if (remap)
      for (const auto &[name, value] : remap->environment.params)
        json.attribute(name, value);
  });
  proof(decision);
  const std::optional<Prediction> &prediction = decision.prediction;
  if (prediction && !prediction->before.roofline.empty())
    text("bottleneck", describeBottleneck(prediction->before).text);
  else
    json.attribute("bottleneck", nullptr);
  reuse(facts.model, decision.reuse);
  json.attributeObject("remap_cost", [&] {
    number("scalar", remap ? remap->scalarCost : std::nullopt);
    number("vector", remap ? remap->vectorCost : std::nullopt);
  });
  constants(chip);
  simulated(prediction);
  lines("notes", decision.notes);
  lines("ir_difference", planned.irDifference);
}

void ReportWriter::write(llvm::ArrayRef<PlannedKernel> kernels,
                         llvm::StringRef inputHash) {
  json.object([&] {
    json.attribute("schema", "swizzle-report/1");
    json.attribute("tool_version", SWIZZLE_VERSION);
    json.attribute("input_hash", inputHash);
    json.attributeArray("kernels", [&] {
      for (const PlannedKernel &planned : kernels)
        json.object([&] { kernel(planned); });
    });
  });
}

std::string printReport(llvm::ArrayRef<PlannedKernel> kernels,
                        llvm::StringRef inputHash) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ReportWriter(os).write(kernels, inputHash);
  os << "\n";
  return text;
}

} // namespace swizzle

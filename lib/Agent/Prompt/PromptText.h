//===- PromptText.h - Facts in the words of a prompt ---------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function words one kind of fact. Text that comes from elsewhere (names,
// IR, formulas, messages) is data to the reader: inline it stands in double
// quotes with everything odd escaped, in blocks each of its lines begins with
// "| ", so that nothing in it can pass for the prompt's own words.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_PROMPT_PROMPTTEXT_H
#define SWIZZLE_LIB_AGENT_PROMPT_PROMPTTEXT_H

#include "swizzle/Agent/Core/Context.h"
#include "llvm/ADT/StringRef.h"

namespace swizzle::agent {

/// `"name"`, printable ASCII only, shortened to `cap` characters.
std::string quoteInline(llvm::StringRef text, size_t cap = 200);

/// Each line of `text` behind "| ", without control characters and of valid
/// UTF-8; what exceeds `cap` bytes is cut, which a last line says.
std::string quoteBlock(llvm::StringRef text, size_t cap = 16 * 1024);

/// "4 MiB", "1.5 KiB", "12 B".
std::string formatBytes(double bytes);
/// "5.3 TB/s".
std::string formatRate(double bytesPerSecond);
/// "12.5 us", "12.50 ms".
std::string formatMicroseconds(double us);

/// The facts about the chip of `context` that an order can depend on; only
/// numbers that are known.
std::string describeHardware(const AgentContext &context);
/// The names of constants that formulas may use on this chip, in a list.
std::string describeHardwareNames(const AgentContext &context);
/// How workgroups fill the compute units: in which order, and how many at a
/// time.
std::string describeResidency(const AgentContext &context);
/// The share of workgroups that do nothing; empty if none is known to.
std::string describeIdle(const KernelModel &model);
/// The bytes that DRAM moves in any order; empty if that is not known.
std::string describeLeastTraffic(const AgentContext &context);
/// What the baseline's time is made of; empty if the profiler does not tell.
std::string describeTimeParts(const AgentContext &context);
std::string describeReuse(const KernelModel &model, const ReuseTable &reuse);
/// What the model assumes or leaves out; empty if nothing.
std::string describeModelNotes(const KernelModel &model);
/// "simulated on "mi300x"", or without the device.
std::string describeOrigin(const Metrics &measurement, bool nameDevice);
/// ", error 0.5 %": the relative standard error of figures, where there is one.
std::string describeError(const Metrics &measurement);
/// One figure a line; with `baseline`, each with its change.
std::string describeMetrics(const Metrics &measurement,
                            const Metrics *baseline = nullptr);
std::string describeParams(const ParamValues &params);
std::string describeNearest(llvm::ArrayRef<NearRecord> records);
/// All attempts, oldest first; old ones that did not win in one line each.
std::string describeHistory(const AgentContext &context);
/// "The best so far is #2: ..."
std::string describeBest(const AgentContext &context);

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_PROMPT_PROMPTTEXT_H

//===- Contexts.cpp - A context to test agents with -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures are made up: prompts word them, they do not judge them.
//
//===----------------------------------------------------------------------===//

#include "Contexts.h"
#include "Simulation/Models.h"
#include "swizzle/Hardware/Database.h"

namespace swizzle::contexts {

static Metrics measure(const std::string &chip, double time, double hit) {
  Metrics measurement;
  measurement.from = {Origin::Simulated, chip};
  measurement.timeUs = time;
  measurement.level("l2").hitRate = hit;
  measurement.level("l2").bytes = 1e9;
  measurement.dramReadBytes = 4e8 * (1 - hit);
  measurement.dramWriteBytes = 1.25e8;
  return measurement;
}

AgentContext fresh(const std::string &chip) {
  AgentContext context;
  context.module = "kernels";
  context.kernel = "matmul";
  context.kernelText = "%x = gpu.block_id x\n%v = memref.load %a[%x, %k]";
  context.model = models::gemmFp16(2048, 2048, 1024);
  llvm::Expected<HardwareSpec> hardware = findChip(chip);
  context.hardware = llvm::cantFail(std::move(hardware));
  context.environment.grid = context.model.grid;
  context.environment.hardware = context.hardware.formulaConstants();
  context.environment.chip = context.hardware.name;
  context.reuse = analyseReuse(
      context.model, context.hardware.sharedLevel().lineBytes.value_or(128));
  context.baseline = measure(chip, 1000, 0.5);
  context.bottleneck = "memory-bound: L2";
  context.rounds = 4;
  return context;
}

AgentContext tried(const std::string &chip) {
  AgentContext context = fresh(chip);
  context.round = 3;
  auto add = [&](AttemptStatus status, std::string formula) -> Attempt & {
    Attempt attempt;
    attempt.number = unsigned(context.history.size()) + 1;
    attempt.round = attempt.number < 5 ? 1 : 2;
    attempt.agent = "openai";
    attempt.formula = std::move(formula);
    attempt.status = status;
    context.history.push_back(std::move(attempt));
    return context.history.back();
  };
  add(AttemptStatus::Unreadable, "return x /").message =
      "formula:1:11: a value is missing\nreturn x /\n          ^";
  Attempt &illegal = add(AttemptStatus::Illegal, "return x // 2, y");
  illegal.code = "duplicate";
  illegal.message = "two workgroups get the same id";
  illegal.counterexample = "workgroups (0,0) and (1,0) both map to (0,0)";
  Attempt &won = add(AttemptStatus::Profiled, "return y, x");
  won.params = {{"G", 8}};
  won.best = true;
  won.expectation = "L2 hit 50 % -> 70 %";
  won.measurement = measure(chip, 800, 0.75);
  add(AttemptStatus::Duplicate, "return (y, x)").sameAs = 3;
  Attempt &crash = add(AttemptStatus::BuildFailed, "return gx - 1 - x, y");
  crash.code = "crash";
  crash.message = "the compiler ended by signal 11";
  Attempt &wrong = add(AttemptStatus::CheckFailed, "return x, gy - 1 - y");
  wrong.message = "workgroup (0,0) writes another value to \"C\" at byte 16";
  Attempt &slow = add(AttemptStatus::Profiled, "return x ^ 1, y");
  slow.expectation = "5 % faster";
  slow.measurement = measure(chip, 1100, 0.45);
  add(AttemptStatus::Infeasible, "param G in {3}\nrequire G < 2\nreturn x, y");
  add(AttemptStatus::RunFailed, "return x ^ 2, y").message = "timed out";
  add(AttemptStatus::Duplicate, "return x, y").sameAs = 0;
  context.best = 3;
  NearRecord near;
  near.kernel = "matmul_small";
  near.grid = "32x32";
  near.chip = "some-chip";
  near.formula = "d = num_xcds\nreturn y, x";
  near.gain = 1.25;
  near.origin = "simulated";
  context.nearest.push_back(near);
  context.hint = "rows of A are large";
  return context;
}

} // namespace swizzle::contexts

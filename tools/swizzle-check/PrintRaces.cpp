//===- PrintRaces.cpp - What --races says ---------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PrintRaces.h.
//
//===----------------------------------------------------------------------===//

#include "PrintRaces.h"

#include "swizzle/Formula/Formula.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace swizzle {

static llvm::json::Array arrayOf(const Grid &grid) {
  return llvm::json::Array{grid.x(), grid.y(), grid.z()};
}

static llvm::json::Array arrayOf(WorkgroupId id) {
  return llvm::json::Array{id.x, id.y, id.z};
}

static llvm::json::Object toJSON(const RaceAccess &access) {
  const char *kinds[] = {"read", "write", "atomic"};
  return llvm::json::Object{{"workgroup", arrayOf(access.workgroup)},
                            {"thread", arrayOf(access.thread)},
                            {"kind", kinds[int(access.kind)]},
                            {"op", access.op},
                            {"location", llvm::json::fixUTF8(access.location)},
                            {"bytes", access.bytes}};
}

static llvm::json::Object toJSON(const RaceResult &result) {
  llvm::json::Object object{{"schema", "swizzle-check-races/1"},
                            {"tool_version", SWIZZLE_VERSION},
                            {"outcome", toString(result.outcome)},
                            {"reason", llvm::json::fixUTF8(result.reason)},
                            {"grid", arrayOf(result.grid)},
                            {"block", arrayOf(result.block)},
                            {"launch", result.launch},
                            {"launches", result.launches},
                            {"workgroups", result.workgroups},
                            {"complete", result.complete},
                            {"accesses", result.accesses},
                            {"steps", result.steps},
                            {"seed", int64_t(result.seed)}};
  if (const auto &race = result.race)
    object["race"] =
        llvm::json::Object{{"buffer", llvm::json::fixUTF8(race->buffer)},
                           {"argument", race->argument},
                           {"byte", race->byte},
                           {"same_value", race->sameValue},
                           {"first", toJSON(race->first)},
                           {"second", toJSON(race->second)}};
  return object;
}

void printRaces(const RaceResult &result, bool json) {
  if (json) {
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(toJSON(result)));
  } else {
    llvm::outs() << toString(result.outcome);
    if (!result.reason.empty())
      llvm::outs() << ": " << result.reason;
    llvm::outs() << llvm::formatv(
        "\n  {0} workgroups run, grid {1}, block {2}, {3} accesses, seed "
        "{4}\n",
        (result.complete ? "all " : "") + std::to_string(result.workgroups),
        toString(result.grid), toString(result.block), result.accesses,
        result.seed);
  }
}

} // namespace swizzle

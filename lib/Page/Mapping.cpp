//===- Mapping.cpp - Which workgroup computes each tile -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formula is read and proved anew: a report is not trusted either. Ids of
// neighbouring tiles differ by few values, over and over, so that differences
// pack well: 16 million tiles of a loop nest in some 100 kB.
//
//   return y, x on 2x2   workgroups of the tiles 0 2 1 3, differences 0 2 -1 2
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Page/Page.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace swizzle {

namespace {
/// Largest grid that is shown, as of swizzle-formula.
constexpr int64_t kMaxIds = int64_t(1) << 26;
/// Of one mapping in the page.
constexpr size_t kMaxPackedBytes = size_t(48) << 20;

json::Object because(const Twine &why) {
  return json::Object{{"why", "The mapping is not shown: " + why.str() + "."}};
}
} // namespace

/// Extents as reports have them; nullopt if one is not known.
static std::optional<Grid> readGrid(const json::Array *extents) {
  if (!extents || extents->size() != 3)
    return std::nullopt;
  Grid grid;
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::optional<int64_t> extent = (*extents)[axis].getAsInteger();
    if (!extent || *extent < 1 || *extent > INT32_MAX)
      return std::nullopt;
    grid[axis] = *extent;
  }
  return grid;
}

static std::map<std::string, int64_t> readNumbers(const json::Object *object) {
  std::map<std::string, int64_t> numbers;
  if (object)
    for (const auto &[name, value] : *object)
      if (std::optional<int64_t> number = value.getAsInteger())
        numbers[name.str()] = *number;
  return numbers;
}

/// Differences of linear ids, packed as Page.h says.
static std::string pack(ArrayRef<uint32_t> workgroups) {
  SmallVector<uint8_t, 0> bytes(workgroups.size() * 4);
  uint32_t last = 0;
  for (size_t tile = 0; tile < workgroups.size(); ++tile) {
    support::endian::write32le(&bytes[4 * tile], workgroups[tile] - last);
    last = workgroups[tile];
  }
  SmallVector<uint8_t, 0> packed;
  compression::zlib::compress(bytes, packed);
  return packed.size() > kMaxPackedBytes ? std::string() : encodeBase64(packed);
}

/// Adds the workgroups of `formula` to `mapping`, or says why it cannot.
static json::Object addWorkgroups(json::Object mapping, StringRef text,
                                  const Environment &environment) {
  Expected<Formula> formula = Formula::parse(text);
  if (!formula)
    return because("the formula cannot be read: " +
                   toString(formula.takeError()));
  ProofOptions options;
  options.maxIds = kMaxIds;
  std::vector<uint32_t> tiles;
  Verdict verdict = prove(*formula, environment, options, tiles);
  if (!verdict.legal()) {
    StringRef more =
        addedTo(verdict.refusal->message, verdict.refusal->counterexample);
    return because(verdict.refusal->message + (more.empty() ? "" : ": ") +
                   more);
  }
  if (int64_t(tiles.size()) != environment.grid.count())
    return because("the grid is too large to be enumerated");
  if (!compression::zlib::isAvailable())
    return because("LLVM was built without zlib");
  std::vector<uint32_t> workgroups(tiles.size());
  for (size_t id = 0; id < tiles.size(); ++id)
    workgroups[tiles[id]] = uint32_t(id);
  std::string packed = pack(workgroups);
  if (packed.empty())
    return because("it is too irregular to be put into a page");
  mapping["workgroups"] = std::move(packed);
  return mapping;
}

json::Object mappingOf(const json::Object &kernel) {
  const json::Object *constants = kernel.getObject("constants");
  if (!constants)
    return because("the report does not say the chip's numbers; it was "
                   "written by an older version");
  std::optional<Grid> grid = readGrid(kernel.getArray("grid"));
  bool nominal = !grid;
  if (nominal)
    grid = readGrid(kernel.getArray("model_grid"));
  if (!grid)
    return because("the grid is not known");
  if (grid->count() > kMaxIds)
    return because("the grid " + toString(*grid) + " has more than 2^26 tiles");
  Environment environment;
  environment.grid = *grid;
  environment.chip = kernel.getString("chip").value_or("").str();
  for (const auto &[name, number] : readNumbers(constants))
    environment.hardware[name] = number;
  auto constant = [&](const char *name) {
    std::optional<int64_t> value = environment.hardware[name];
    return std::max<int64_t>(1, value.value_or(1));
  };
  json::Object mapping{{"grid", json::Array{grid->x(), grid->y(), grid->z()}},
                       {"nominal", nominal},
                       {"dies", constant("num_xcds")},
                       {"chunk", constant("dispatch_chunk")}};
  const json::Object *answer = &kernel;
  if (const json::Object *tuning = kernel.getObject("tuning"))
    answer = tuning->getObject("best");
  std::optional<StringRef> formula;
  if (answer)
    formula = answer->getString("formula");
  if (!formula || kernel.getString("outcome") != StringRef("remapped"))
    return mapping;
  environment.params = readNumbers(answer->getObject("params"));
  return addWorkgroups(std::move(mapping), *formula, environment);
}

} // namespace swizzle

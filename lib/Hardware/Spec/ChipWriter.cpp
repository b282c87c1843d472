//===- ChipWriter.cpp - A chip as JSON ------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inverse of ChipReader.cpp: fields in the order of the schema, each with
// its source, levels as rows.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/ChipJSON.h"

#include "swizzle/Hardware/Schema.h"
#include "swizzle/Support/PlainJson.h"

#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;

namespace swizzle {

namespace {

/// {"value": V, "source": S}, or {"value": null, "reason": R}; nothing for a
/// number of which nothing is said.
Json entryOf(const HardwareSpec &spec, const std::string &key,
             const std::optional<FieldValue> &value) {
  auto found = spec.sources.find(key);
  std::string note = found == spec.sources.end() ? "" : found->second;
  if (note.compare(0, kUnknownSource.size(), kUnknownSource) == 0)
    return {{"value", nullptr}, {"reason", note.substr(kUnknownSource.size())}};
  if (!value)
    return nullptr;
  Json entry;
  std::visit([&](const auto &one) { entry["value"] = one; }, *value);
  entry["source"] = note.empty() ? "not stated" : note;
  return entry;
}

/// The order of the compute units, which is a list.
Json orderOf(const HardwareSpec &spec) {
  std::string key(kDispatchOrder);
  Json entry = entryOf(spec, key, std::nullopt);
  if (spec.dispatchOrder.empty())
    return entry;
  auto found = spec.sources.find(key);
  return {
      {"value", spec.dispatchOrder},
      {"source", found == spec.sources.end() ? "not stated" : found->second}};
}

void add(Json &object, std::string_view key, Json entry) {
  if (!entry.is_null())
    object[std::string(key)] = std::move(entry);
}

Json levelOf(const HardwareSpec &spec, const CacheLevel &level) {
  Json row = {{"name", level.name},
              {"scope", toString(level.scope)},
              {"policy", toString(level.policy)}};
  for (const ChipField &field : levelFields())
    add(row, field.key,
        entryOf(spec, level.name + "." + std::string(field.key),
                getLevelField(level, field)));
  return row;
}

} // namespace

std::string writeHardware(const HardwareSpec &spec) {
  Json root = {{"schema", kHardwareSchema},
               {"name", spec.name},
               {"description", spec.description},
               {"vendor", spec.vendor},
               {"target", spec.target}};
  if (spec.defaultForTarget)
    root["default_for_target"] = true;
  for (const ChipField &field : chipFields()) {
    if (!levelOf(field).empty())
      continue;
    std::optional<FieldValue> value = getChipField(spec, field);
    // Where the sustained rate is not known, the peak is used.
    bool standsIn = field.key == "effective_dram_bandwidth" &&
                    spec.dramBandwidth == spec.peakDramBandwidth &&
                    !spec.sources.count(std::string(field.key));
    if (!standsIn)
      add(root, field.key, entryOf(spec, std::string(field.key), value));
    if (field.key == "dispatch_chunk")
      add(root, kDispatchOrder, orderOf(spec));
  }
  if (auto source = spec.sources.find("levels"); source != spec.sources.end())
    root["levels_source"] = source->second;
  root["levels"] = Json::array();
  for (const CacheLevel &level : spec.levels)
    root["levels"].push_back(levelOf(spec, level));
  for (const auto &[name, value] : spec.fitted)
    root["fitted"][name] = entryOf(spec, "fitted." + name, FieldValue(value));
  return plain::print(root);
}

} // namespace swizzle

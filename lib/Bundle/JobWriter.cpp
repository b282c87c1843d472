//===- JobWriter.cpp - Jobs and results as JSON ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inverse of JobReader.cpp.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Bundle/Job.h"

#include "swizzle/Support/PlainJson.h"

#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;

namespace swizzle {

namespace {

Json treeOf(const LaunchArgument &argument) {
  Json tree = {{"name", argument.name}};
  if (auto *scalar = std::get_if<ScalarArgument>(&argument.value)) {
    tree["kind"] = "scalar";
    tree["type"] = toString(scalar->type);
    std::visit([&](auto value) { tree["value"] = value; }, scalar->value);
    return tree;
  }
  const BufferArgument &buffer = std::get<BufferArgument>(argument.value);
  tree["kind"] = "buffer";
  tree["bytes"] = buffer.bytes;
  tree["type"] = toString(buffer.type);
  if (buffer.type == ElementType::Unknown)
    tree["element_bytes"] = buffer.elementBytes;
  tree["direction"] = toString(buffer.direction);
  tree["fill"] = toString(buffer.fill.kind);
  if (buffer.fill.kind == FillKind::Random)
    tree["seed"] = buffer.fill.seed;
  if (!buffer.sizes.empty()) {
    tree["sizes"] = buffer.sizes;
    tree["strides"] = buffer.strides;
  }
  return tree;
}

Json treeOf(const LaunchDescription &launch) {
  Json tree = {{"kernel", launch.kernel},
               {"grid", launch.grid},
               {"block", launch.block},
               {"dynamic_workgroup_bytes", launch.dynamicWorkgroupBytes},
               {"arguments", Json::array()}};
  for (const LaunchArgument &argument : launch.arguments)
    tree["arguments"].push_back(treeOf(argument));
  return tree;
}

Json treeOf(const JobVariant &variant) {
  return {{"name", variant.name},
          {"file", variant.artifact.file},
          {"format", variant.artifact.format},
          {"target", variant.artifact.target},
          {"formula", variant.formula},
          {"params", variant.params}};
}

} // namespace

std::string writeJob(const Job &job) {
  Json tree = {{"schema", kJobSchema},
               {"name", job.name},
               {"chip", job.chip},
               {"variants", Json::array()},
               {"launches", Json::array()},
               {"measure",
                {{"warm_ups", job.measure.warmUps},
                 {"repeats", job.measure.repeats},
                 {"max_seconds", job.measure.maxSeconds},
                 {"energy_seconds", job.measure.energySeconds},
                 {"cold", job.measure.cold}}},
               {"check",
                {{"compare", job.check.compare},
                 {"relative", job.check.relative},
                 {"absolute", job.check.absolute}}}};
  if (job.measure.mostRepeats)
    tree["measure"]["most_repeats"] = job.measure.mostRepeats;
  if (!job.lastLevel.empty())
    tree["last_level"] = job.lastLevel;
  for (const JobVariant &variant : job.variants)
    tree["variants"].push_back(treeOf(variant));
  for (const LaunchDescription &launch : job.launches)
    tree["launches"].push_back(treeOf(launch));
  return plain::print(tree);
}

} // namespace swizzle

//===- Target.cpp - What a kernel is compiled for -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The back ends decide which architectures exist: their subtarget tables are
// searched, and give the features (the wave size is one) as well.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Device/Target.h"
#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Support/RegisterTargets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

using namespace swizzle;

/// The up to `count` names of `table` that are nearest to `name`.
static std::string nearestNames(llvm::ArrayRef<llvm::SubtargetSubTypeKV> table,
                                llvm::StringRef prefix, llvm::StringRef name,
                                unsigned count) {
  std::vector<std::pair<unsigned, llvm::StringRef>> names;
  for (const llvm::SubtargetSubTypeKV &entry : table)
    if (llvm::StringRef(entry.Key).starts_with(prefix))
      names.emplace_back(name.edit_distance(entry.Key), entry.Key);
  llvm::sort(names);
  std::string text;
  for (const auto &[distance, key] : llvm::ArrayRef(names).take_front(count))
    text += (text.empty() ? "" : ", ") + key.str();
  return text;
}

/// "sramecc+:xnack-" as LLVM writes it: "+sramecc,-xnack".
static llvm::Expected<std::string> readFeatures(llvm::StringRef text,
                                                llvm::StringRef whole) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ':');
  std::string features;
  for (llvm::StringRef part : parts) {
    if (part.size() < 2 || (part.back() != '+' && part.back() != '-'))
      return llvm::createStringError(
          "target '" + whole +
          "': expected a feature that ends "
          "with + or -, as in gfx942:xnack-, but found '" +
          part + "'");
    features += (features.empty() ? "" : ",") + llvm::Twine(part.back()).str() +
                part.drop_back().str();
  }
  return features;
}

llvm::Expected<Target> swizzle::parseTarget(llvm::StringRef text) {
  registerTargets();
  auto [arch, featureText] = text.split(':');
  Target target;
  target.arch = arch.str();
  if (arch.starts_with("sm_")) {
    target.vendor = GpuVendor::NVIDIA;
    target.triple = "nvptx64-nvidia-cuda";
  } else if (arch.starts_with("gfx")) {
    target.vendor = GpuVendor::AMD;
    target.triple = "amdgcn-amd-amdhsa";
  } else {
    return llvm::createStringError(
        "unknown target '" + text +
        "': expected sm_NN (NVIDIA) or gfxNNN (AMD), as in sm_90 "
        "or gfx942");
  }
  if (arch.size() != text.size()) {
    if (target.vendor == GpuVendor::NVIDIA)
      return llvm::createStringError("target '" + text +
                                     "': only AMD's targets have features");
    llvm::Expected<std::string> features = readFeatures(featureText, text);
    if (!features)
      return features.takeError();
    target.features = std::move(*features);
  }

  std::string error;
  llvm::Triple triple(target.triple);
  const llvm::Target *backEnd =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backEnd)
    return llvm::createStringError("target '" + text +
                                   "': this LLVM has no such back end (" +
                                   error + ")");
  // An unknown name makes the constructor of the subtarget print; look first.
  std::unique_ptr<llvm::MCSubtargetInfo> any(
      backEnd->createMCSubtargetInfo(triple, "", ""));
  llvm::StringRef prefix = arch.starts_with("sm_") ? "sm_" : "gfx";
  if (!any->isCPUStringValid(arch))
    return llvm::createStringError(
        "LLVM's back end knows no target '" + arch + "'; near it: " +
        nearestNames(any->getAllProcessorDescriptions(), prefix, arch, 5));
  for (llvm::StringRef feature :
       llvm::split(llvm::StringRef(target.features), ',')) {
    if (feature.empty())
      continue;
    auto has = [&](const llvm::SubtargetFeatureKV &known) {
      return feature.drop_front() == llvm::StringRef(known.Key);
    };
    if (llvm::none_of(any->getAllProcessorFeatures(), has))
      return llvm::createStringError("target '" + text +
                                     "': LLVM's back end knows no feature '" +
                                     feature.drop_front() + "'");
  }
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      backEnd->createMCSubtargetInfo(triple, arch, target.features));
  target.waveSize =
      target.vendor == GpuVendor::AMD && info->checkFeatures("+wavefrontsize64")
          ? 64
          : 32;
  return target;
}

std::string Target::str() const {
  std::string text = arch;
  for (llvm::StringRef feature : llvm::split(llvm::StringRef(features), ','))
    if (!feature.empty())
      text += (":" + feature.drop_front() + llvm::Twine(feature.front())).str();
  return text;
}

llvm::Expected<Target> swizzle::targetOf(const HardwareSpec &hardware) {
  if (hardware.target.empty())
    return llvm::createStringError("chip " + hardware.name +
                                   " names no compiler target");
  llvm::Expected<Target> target = parseTarget(hardware.target);
  if (!target)
    return llvm::createStringError("chip " + hardware.name + ": " +
                                   llvm::toString(target.takeError()));
  return target;
}

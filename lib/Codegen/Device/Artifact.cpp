//===- Artifact.cpp - A compiled kernel -----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON form, in both directions from one list of fields.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Device/Artifact.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace swizzle;

static constexpr const char *kSchema = "swizzle-compile/1";

static const std::pair<const char *, std::optional<int64_t> KernelResources::*>
    kResourceFields[] = {
        {"vgprs", &KernelResources::vgprs},
        {"agprs", &KernelResources::agprs},
        {"sgprs", &KernelResources::sgprs},
        {"vgpr_spills", &KernelResources::vgprSpills},
        {"sgpr_spills", &KernelResources::sgprSpills},
        {"workgroup_bytes", &KernelResources::workgroupBytes},
        {"private_bytes", &KernelResources::privateBytes},
};

llvm::StringRef swizzle::toString(ArtifactKind kind) {
  switch (kind) {
  case ArtifactKind::LLVM:
    return "llvm";
  case ArtifactKind::Assembly:
    return "asm";
  case ArtifactKind::PTX:
    return "ptx";
  case ArtifactKind::HSACO:
    return "hsaco";
  }
  llvm_unreachable("all kinds are listed");
}

llvm::json::Object swizzle::toJSON(const Artifact &artifact) {
  llvm::json::Array kernels;
  for (const CompiledKernel &kernel : artifact.kernels) {
    llvm::json::Object resources;
    for (auto [name, field] : kResourceFields) {
      const std::optional<int64_t> &number = kernel.resources.*field;
      resources[name] =
          number ? llvm::json::Value(*number) : llvm::json::Value(nullptr);
    }
    llvm::json::Value block = nullptr;
    if (kernel.block)
      block = llvm::json::Array(*kernel.block);
    kernels.push_back(
        llvm::json::Object{{"name", llvm::json::fixUTF8(kernel.name)},
                           {"block", std::move(block)},
                           {"resources", std::move(resources)}});
  }
  return llvm::json::Object{
      {"schema", kSchema},
      {"kind", toString(artifact.kind)},
      {"target", artifact.target},
      {"size", int64_t(artifact.bytes.size())},
      {"memref_arguments", artifact.barePointers ? "pointer" : "descriptor"},
      {"kernels", std::move(kernels)}};
}

static llvm::Error missing(llvm::StringRef field) {
  return llvm::createStringError("the compiler's description of its output "
                                 "has no valid '" +
                                 field + "'");
}

static llvm::Expected<CompiledKernel>
kernelFromJSON(const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  std::optional<llvm::StringRef> name =
      object ? object->getString("name") : std::nullopt;
  if (!name)
    return missing("kernels[].name");
  CompiledKernel kernel;
  kernel.name = name->str();
  if (const llvm::json::Array *block = object->getArray("block")) {
    kernel.block.emplace();
    if (block->size() != 3)
      return missing("kernels[].block");
    for (auto [value, extent] : llvm::zip_equal(*block, *kernel.block)) {
      std::optional<int64_t> number = value.getAsInteger();
      if (!number)
        return missing("kernels[].block");
      extent = *number;
    }
  }
  const llvm::json::Object *resources = object->getObject("resources");
  if (!resources)
    return missing("kernels[].resources");
  for (auto [field, member] : kResourceFields)
    kernel.resources.*member = resources->getInteger(field);
  return kernel;
}

llvm::Expected<Artifact>
swizzle::artifactFromJSON(const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object || object->getString("schema") != kSchema)
    return missing("schema");
  Artifact artifact;
  std::optional<llvm::StringRef> kind = object->getString("kind");
  bool known = false;
  for (ArtifactKind each : {ArtifactKind::LLVM, ArtifactKind::Assembly,
                            ArtifactKind::PTX, ArtifactKind::HSACO})
    if (kind == toString(each)) {
      artifact.kind = each;
      known = true;
    }
  if (!known)
    return missing("kind");
  std::optional<llvm::StringRef> target = object->getString("target");
  if (!target)
    return missing("target");
  artifact.target = target->str();
  std::optional<llvm::StringRef> arguments =
      object->getString("memref_arguments");
  if (arguments != "pointer" && arguments != "descriptor")
    return missing("memref_arguments");
  artifact.barePointers = arguments == "pointer";
  const llvm::json::Array *kernels = object->getArray("kernels");
  if (!kernels)
    return missing("kernels");
  for (const llvm::json::Value &each : *kernels) {
    llvm::Expected<CompiledKernel> kernel = kernelFromJSON(each);
    if (!kernel)
      return kernel.takeError();
    artifact.kernels.push_back(std::move(*kernel));
  }
  return artifact;
}

//===- ReadFacts.cpp - From IR to the facts of planning -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes, then one walk for model and effects, then the verdict; and at last
// what agents and the tuning database know the kernel by.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Describe/ReadFacts.h"

#include "../Read/KernelReader.h"
#include "swizzle/Analysis/Describe/KernelHash.h"
#include "swizzle/Analysis/Describe/KernelText.h"
#include "swizzle/Analysis/Legality/Legality.h"
#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Kernel/JoinReads.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace swizzle {

using namespace analysis;

/// The verdict on a kernel, without the IR; where it is a refusal, `location`
/// becomes that of what is refused.
static KernelVerdict toVerdict(KernelLegality legality, Location &location) {
  KernelVerdict verdict;
  verdict.assumptions = std::move(legality.assumptions);
  verdict.notes = std::move(legality.notes);
  if (!legality.existingRemap.empty())
    verdict.notes.push_back("a remap by hand is part of the kernel: " +
                            legality.existingRemap);
  if (legality.refusal) {
    verdict.code = legality.refusal->code;
    verdict.message = legality.refusal->message;
    verdict.counterexample = legality.refusal->counterexample;
    location = legality.refusal->location;
  }
  return verdict;
}

static ElementType elementTypeOf(Type type) {
  if (type.isIndex() || type.isInteger(64))
    return ElementType::I64;
  if (type.isInteger(8))
    return ElementType::I8;
  if (type.isInteger(16))
    return ElementType::I16;
  if (type.isInteger(32))
    return ElementType::I32;
  return type.isF16()    ? ElementType::F16
         : type.isBF16() ? ElementType::BF16
         : type.isF32()  ? ElementType::F32
         : type.isF64()  ? ElementType::F64
                         : ElementType::Unknown;
}

/// What the arguments are by their types.
static std::vector<KernelArgument> argumentsOf(FunctionOpInterface kernel) {
  using Kind = KernelArgument::Kind;
  auto orOpen = [](int64_t number) {
    return ShapedType::isDynamic(number) ? -1 : number;
  };
  std::vector<KernelArgument> arguments;
  for (Type type : kernel.getArgumentTypes()) {
    KernelArgument argument;
    argument.kind = Kind::Scalar;
    argument.type = elementTypeOf(type);
    if (auto memref = dyn_cast<MemRefType>(type)) {
      argument.kind = Kind::MemRef;
      argument.type = elementTypeOf(memref.getElementType());
      int64_t offset;
      SmallVector<int64_t> strides;
      if (succeeded(memref.getStridesAndOffset(strides, offset)))
        for (auto [dim, stride] : llvm::enumerate(strides)) {
          argument.sizes.push_back(orOpen(memref.getDimSize(dim)));
          argument.strides.push_back(orOpen(stride));
        }
    } else if (isa<LLVM::LLVMPointerType>(type)) {
      argument.kind = Kind::Pointer;
    } else if (isa<nvgpu::TensorMapDescriptorType>(type)) {
      argument.kind = Kind::TensorMap;
    } else if (argument.type == ElementType::Unknown) {
      argument.kind = Kind::Other;
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

LocatedFacts readFacts(FunctionOpInterface kernel,
                       const FactsOptions &options) {
  return readFacts(kernel, options, ModuleFacts(kernel));
}

LocatedFacts readFacts(FunctionOpInterface kernel, const FactsOptions &options,
                       const ModuleFacts &module) {
  LocatedFacts result{{}, kernel.getLoc()};
  KernelFacts &facts = result.facts;
  facts.name = kernel.getName().str();
  if (auto parent = kernel->getParentOfType<gpu::GPUModuleOp>())
    facts.module = parent.getName().str();
  facts.sizes = findLaunchSizes(kernel, options.grid, options.block, module);
  facts.sizes.subgroup = statedWaveSize(kernel).value_or(options.subgroup);
  facts.sizes.registers = options.registers;
  facts.sizes.dynamicWorkgroupBytes = options.dynamicWorkgroupBytes;
  KernelReading reading;
  auto readAndJudge = [&] {
    reading = readKernel(kernel, facts.sizes, module);
    // A grid without workgroups has nothing to judge.
    if (facts.gridIsEmpty())
      return;
    LegalityOptions legality;
    legality.strict = options.strict;
    legality.compose = options.compose;
    facts.verdict =
        toVerdict(judgeKernel(kernel, reading, facts.sizes, legality, module),
                  result.location);
  };
  readAndJudge();
  // Numbers that were made smaller may not go with the launch, and workgroups
  // meet under them alone.
  if (reading.hasFittedNumbers && !facts.verdict.counterexample.empty()) {
    facts.sizes.fitNumbers = false;
    result.location = kernel.getLoc();
    readAndJudge();
  }
  if (Operation *reserved = options.imported
                                ? nullptr
                                : module.findReserved(kernel->getParentOp())) {
    facts.verdict = {"unknown-callee",
                     "names that begin with 'swizzle.ptx.' stand for what "
                     "importing made; rename the function",
                     "",
                     {},
                     {}};
    result.location = reserved->getLoc();
  }
  facts.location = describeLocation(result.location);
  facts.model = std::move(reading.model);
  joinReads(facts.model);
  facts.model.arguments = argumentsOf(kernel);
  if (facts.gridIsGuarded())
    facts.model.gridKnown = {true, true, true};
  facts.model.guardInstructions = facts.guardInstructions();
  facts.text = kernelText(kernel);
  facts.hash = hashKernel(kernel, facts.sizes.block);
  return result;
}

} // namespace swizzle

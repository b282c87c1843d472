//===- CompiledFor.cpp - Whose GPUs lowered code is for -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See CompiledFor.h.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/CompiledFor.h"

#include "swizzle/Hardware/Database.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace swizzle {

static constexpr StringLiteral kAmd = "amd", kNvidia = "nvidia";

StringRef vendorOfTriple(StringRef text) {
  Triple triple(text);
  if (triple.isAMDGCN())
    return kAmd;
  return triple.isNVPTX() ? StringRef(kNvidia) : StringRef();
}

/// The target triple of the nearest module around `op` that is for a GPU.
static StringRef gpuTriple(mlir::Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto triple = op->getAttrOfType<mlir::StringAttr>(
            mlir::LLVM::LLVMDialect::getTargetTripleAttrName());
        triple && !vendorOfTriple(triple.getValue()).empty())
      return triple.getValue();
  return "";
}

StringRef vendorOf(mlir::Operation *op) {
  if (StringRef triple = gpuTriple(op); !triple.empty())
    return vendorOfTriple(triple);
  StringRef vendor;
  op->walk([&](mlir::LLVM::LLVMFuncOp function) {
    switch (function.getCConv()) {
    case mlir::LLVM::CConv::AMDGPU_KERNEL:
      vendor = kAmd;
      break;
    case mlir::LLVM::CConv::PTX_Kernel:
      vendor = kNvidia;
      break;
    default:
      break;
    }
  });
  return vendor;
}

StringRef readPassedThrough(mlir::Operation *kernel, StringRef name) {
  auto entries = kernel->getAttrOfType<mlir::ArrayAttr>("passthrough");
  if (!entries)
    return "";
  for (mlir::Attribute entry : entries)
    if (auto pair = mlir::dyn_cast<mlir::ArrayAttr>(entry);
        pair && pair.size() == 2 &&
        pair[0] == mlir::StringAttr::get(kernel->getContext(), name))
      if (auto value = mlir::dyn_cast<mlir::StringAttr>(pair[1]))
        return value.getValue();
  return "";
}

/// "AMD" as people write it.
static std::string write(StringRef vendor) { return vendor.upper(); }

static std::string chipsOf(StringRef vendor) {
  std::vector<std::string> names;
  for (const std::string &name : listChips())
    if (Expected<HardwareSpec> chip = findChip(name); !chip)
      consumeError(chip.takeError()); // not a chip to recommend
    else if (chip->vendor == vendor)
      names.push_back(name);
  return join(names, ", ");
}

Error checkVendor(mlir::Operation *op, StringRef vendor, StringRef name) {
  return checkVendors(vendorOf(op), gpuTriple(op), vendor, name);
}

Error checkVendors(StringRef ours, StringRef triple, StringRef vendor,
                   StringRef name) {
  if (ours.empty() || ours == vendor || (vendor != kAmd && vendor != kNvidia))
    return Error::success();
  return createStringError(
      "the LLVM IR is compiled for " + write(ours) +
      (triple.empty() ? "" : " (" + triple.str() + ")") + ", and " + name +
      " is by " + write(vendor) + "; give a chip by " + write(ours) + " (" +
      chipsOf(ours) +
      ") or a target of one, or compile the kernel's source "
      "for " +
      write(vendor));
}

} // namespace swizzle

//===- Images.cpp - Textures and surfaces ---------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handle tells where an image lies and how its elements are laid out, and
// whoever launches the kernel made it. So no access to one is modelled, and it
// may reach all of any image. Textures are read alone; what a kernel writes that
// it reads as a texture, too, is undefined (CUDA's Programming Guide, "Texture
// and Surface Memory"), which the proof lists as an assumption.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../Operations/Operations.h"

using namespace mlir;

namespace swizzle::analysis {

static void readImage(KernelReader &reader, Operation *op, StringRef all) {
  reader.setUnknown(op, kLoaded);
  reader.notModelled(op,
                     AbstractValue::pointer(MemorySpace::Global,
                                            reader.imageBuffer(all), nullptr),
                     classify(op).access,
                     "an image, whose layout its handle alone tells");
}

void readTexture(KernelReader &reader, Operation *op) {
  readImage(reader, op, "the textures");
}

void readSurface(KernelReader &reader, Operation *op) {
  readImage(reader, op, "the surfaces");
}

} // namespace swizzle::analysis

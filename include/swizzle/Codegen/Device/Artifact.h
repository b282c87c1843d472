//===- Artifact.h - A compiled kernel ------------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An artifact (swizzle/Bundle/Artifact.h) as JSON: it crosses a process
// boundary and lies in the compile cache.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_DEVICE_ARTIFACT_H
#define SWIZZLE_CODEGEN_DEVICE_ARTIFACT_H

#include "swizzle/Bundle/Artifact.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace swizzle {

llvm::StringRef toString(ArtifactKind kind);

/// All but the bytes, as an object of schema "swizzle-compile/1".
llvm::json::Object toJSON(const Artifact &artifact);

/// The inverse of toJSON(); an error names what is missing or mistyped.
llvm::Expected<Artifact> artifactFromJSON(const llvm::json::Value &value);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_DEVICE_ARTIFACT_H

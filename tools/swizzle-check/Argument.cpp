//===- Argument.cpp - What --argument gives -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Argument.h"

#include "swizzle/Support/ReadFile.h"

namespace swizzle {

llvm::Error readArgument(llvm::StringRef text, HostOptions &options) {
  auto [number, value] = text.split('=');
  unsigned index;
  if (number.getAsInteger(10, index) || value.empty())
    return llvm::createStringError(
        "--argument=" + text +
        ": expected NUMBER=SHAPE, NUMBER=VALUE or NUMBER=@FILE");
  HostArgument &argument = options.arguments[index];
  if (value.consume_front("@")) {
    if (!argument.bytes.empty())
      return llvm::createStringError("--argument=" + text + ": argument " +
                                     number + " has contents already");
    auto file = readWholeFile(value, kDataLimit);
    if (!file)
      return llvm::createStringError("cannot read " + value + ": " +
                                     toString(file.takeError()));
    argument.bytes.assign((*file)->getBufferStart(), (*file)->getBufferEnd());
    return llvm::Error::success();
  }
  if (!argument.shape.empty())
    return llvm::createStringError("--argument=" + text + ": argument " +
                                   number + " has a shape or a value already");
  llvm::SmallVector<llvm::StringRef> parts;
  value.split(parts, 'x');
  for (llvm::StringRef part : parts) {
    int64_t extent;
    if (part.getAsInteger(10, extent))
      return llvm::createStringError("--argument=" + text + ": " + part +
                                     " is not a whole number");
    argument.shape.push_back(extent);
  }
  if (parts.size() == 1)
    argument.value = argument.shape[0];
  return llvm::Error::success();
}

} // namespace swizzle

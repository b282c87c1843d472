//===- ReadFile.cpp - Reads files that may have no end --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file on a disk tells its size and is mapped. Of anything else one byte more
// than the limit is asked for.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/ReadFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace llvm;

namespace swizzle {

using Buffer = std::unique_ptr<MemoryBuffer>;

static Error isTooLarge(const char *what, uint64_t limit) {
  bool whole = limit >= (1 << 20);
  return createStringError(
      formatv("{0} more than {1} {2}, the most that is read", what,
              whole ? limit >> 20 : limit, whole ? "MiB" : "bytes"));
}

/// What comes in until the end.
static Expected<Buffer> readStream(sys::fs::file_t file, StringRef name,
                                   sys::fs::file_type type, uint64_t limit) {
  bool isDevice = type == sys::fs::file_type::character_file ||
                  type == sys::fs::file_type::block_file;
  if (isDevice)
    limit = std::min(limit, kTextLimit);
  constexpr size_t chunk = 1 << 16;
  SmallVector<char, 0> text;
  for (;;) {
    size_t done = text.size();
    text.resize_for_overwrite(done + chunk);
    Expected<size_t> count = sys::fs::readNativeFile(
        file, MutableArrayRef(text.data() + done, chunk));
    if (!count)
      return count.takeError();
    text.truncate(done + *count);
    if (text.size() > limit)
      return isTooLarge(isDevice ? "it is a device that gives" : "it gives",
                        limit);
    if (!*count)
      return std::make_unique<SmallVectorMemoryBuffer>(std::move(text), name);
  }
}

static Expected<Buffer> readOpen(sys::fs::file_t file, StringRef name,
                                 bool mayMap, uint64_t limit) {
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(file, status))
    return errorCodeToError(error);
  // Files of the kernel say 0, and hold something.
  bool tellsSize =
      status.type() == sys::fs::file_type::regular_file && status.getSize();
  if (tellsSize && status.getSize() > limit)
    return isTooLarge("it has", limit);
  return tellsSize && mayMap ? errorOrToExpected(MemoryBuffer::getOpenFile(
                                   file, name, status.getSize()))
                             : readStream(file, name, status.type(), limit);
}

Expected<Buffer> readWholeFile(StringRef path, uint64_t limit) {
  Expected<sys::fs::file_t> file = sys::fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  scope_exit close([&] { (void)sys::fs::closeFile(*file); });
  return readOpen(*file, path, /*mayMap=*/true, limit);
}

Expected<Buffer> readWholeInput(StringRef path, uint64_t limit) {
  // A file that comes in may have been read in part.
  return path == "-" ? readOpen(sys::fs::getStdinHandle(), "<stdin>",
                                /*mayMap=*/false, limit)
                     : readWholeFile(path, limit);
}

Expected<Buffer> readModuleText(StringRef path) {
  Expected<Buffer> buffer = readWholeInput(path, kDataLimit);
  if (buffer)
    return buffer;
  return createStringError("cannot open input file '" + path +
                           "': " + toString(buffer.takeError()));
}

} // namespace swizzle

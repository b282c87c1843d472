//===- CompileCache.h - Compiled kernels by content ----------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder of entries named by a hash of everything that decides them. Many
// processes may use it at once: entries appear by rename, are checked when
// read, and never change. A damaged entry is a miss; a folder that cannot be
// written is no error, only slow.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_DEVICE_COMPILECACHE_H
#define SWIZZLE_CODEGEN_DEVICE_COMPILECACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace swizzle {

struct CacheStatistics {
  uint64_t hits = 0, misses = 0;
  uint64_t damaged = 0; ///< of the misses: an entry was there, but not whole
  uint64_t stored = 0, notStored = 0;
  uint64_t pruned = 0;
  std::string whyNotStored; ///< of the last that was not
};

class CompileCache {
public:
  /// Uses `folder`, made when first written to; keeps it below `maxBytes` by
  /// removing what was not used for longest. No folder: every look-up misses.
  explicit CompileCache(std::string folder, uint64_t maxBytes = 1ULL << 30);

  /// $XDG_CACHE_HOME/swizzle, or ~/.cache/swizzle; empty if there is neither.
  static std::string defaultFolder();

  /// The name of the entry that `parts` decide: hexadecimal BLAKE3 over all of
  /// them and their lengths.
  static std::string key(llvm::ArrayRef<llvm::StringRef> parts);

  std::optional<std::string> lookup(llvm::StringRef key);
  void store(llvm::StringRef key, llvm::StringRef content);

  CacheStatistics statistics() const;
  const std::string &folder() const { return root; }

private:
  std::string pathOf(llvm::StringRef key) const;
  void noteFailure(const std::string &why);
  void prune();

  std::string root;
  uint64_t maxBytes;
  uint64_t storedSincePrune = 0;
  bool pruned = false;
  mutable std::mutex mutex;
  CacheStatistics counts;
};

/// MLIR's text without what changes no code: locations, comments, white space
/// at line ends. For keys, not for parsing.
std::string withoutLocations(llvm::StringRef ir);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_DEVICE_COMPILECACHE_H

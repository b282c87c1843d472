//===- CompileCache.cpp - Compiled kernels by content ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry is a line with the checksum and the size, and the content. The time
// of its last change is that of its last use: look-ups set it, pruning goes by
// it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Device/CompileCache.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <vector>

using namespace swizzle;
namespace fs = llvm::sys::fs;

static constexpr llvm::StringLiteral kMagic = "swizzle-cache/2";
static constexpr llvm::StringLiteral kSuffix = ".kernel";
/// A temporary file this old belongs to a process that was killed.
static constexpr std::chrono::hours kStale(1);

static std::string headerOf(llvm::StringRef content) {
  return llvm::formatv("{0} {1} {2}\n", kMagic, hashText(content),
                       content.size());
}

CompileCache::CompileCache(std::string folder, uint64_t maxBytes)
    : root(std::move(folder)), maxBytes(maxBytes) {}

std::string CompileCache::defaultFolder() {
  llvm::SmallString<128> path;
  if (auto cache = llvm::sys::Process::GetEnv("XDG_CACHE_HOME");
      cache && llvm::sys::path::is_absolute(*cache))
    path = *cache;
  else if (!llvm::sys::path::home_directory(path))
    return {};
  else
    llvm::sys::path::append(path, ".cache");
  llvm::sys::path::append(path, "swizzle");
  return std::string(path);
}

std::string CompileCache::key(llvm::ArrayRef<llvm::StringRef> parts) {
  llvm::BLAKE3 hasher;
  for (llvm::StringRef part : parts) {
    hasher.update(llvm::formatv("{0}:", part.size()).str());
    hasher.update(part);
  }
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

std::string CompileCache::pathOf(llvm::StringRef key) const {
  llvm::SmallString<128> path(root);
  llvm::sys::path::append(path, key.take_front(2), key + kSuffix);
  return std::string(path);
}

std::optional<std::string> CompileCache::lookup(llvm::StringRef key) {
  std::string path = pathOf(key);
  auto buffer = root.empty()
                    ? std::make_error_code(std::errc::no_such_file_or_directory)
                    : llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                                  /*RequiresNullTerminator=*/
                                                  false);
  std::lock_guard<std::mutex> lock(mutex);
  if (!buffer) {
    ++counts.misses;
    return std::nullopt;
  }
  auto [header, content] = (*buffer)->getBuffer().split('\n');
  if ((header + "\n").str() != headerOf(content)) {
    ++counts.misses;
    ++counts.damaged;
    fs::remove(path); // so that a whole one can take its place
    return std::nullopt;
  }
  ++counts.hits;
  int fd;
  if (!fs::openFileForReadWrite(path, fd, fs::CD_OpenExisting, fs::OF_None)) {
    fs::setLastAccessAndModificationTime(fd, std::chrono::system_clock::now());
    llvm::sys::Process::SafelyCloseFileDescriptor(fd);
  }
  return content.str();
}

void CompileCache::noteFailure(const std::string &why) {
  std::lock_guard<std::mutex> lock(mutex);
  ++counts.notStored;
  counts.whyNotStored = why;
}

void CompileCache::store(llvm::StringRef key, llvm::StringRef content) {
  if (root.empty())
    return;
  std::string path = pathOf(key), header = headerOf(content);
  if (std::error_code error =
          fs::create_directories(llvm::sys::path::parent_path(path)))
    return noteFailure(path + ": " + error.message());
  // A damaged entry is not believed: no need to force it to the disk.
  if (llvm::Error error = writeFileWhole(path, (header + content).str()))
    return noteFailure(path + ": " + llvm::toString(std::move(error)));
  std::lock_guard<std::mutex> lock(mutex);
  ++counts.stored;
  storedSincePrune += header.size() + content.size();
  if (!pruned || storedSincePrune > maxBytes / 16)
    prune();
}

/// Removes the entries unused for longest until 7/8 of the limit are left.
/// Others may do the same at the same time: what is gone is gone.
void CompileCache::prune() {
  pruned = true;
  storedSincePrune = 0;
  struct Entry {
    llvm::sys::TimePoint<> used;
    uint64_t bytes;
    std::string path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  auto now = std::chrono::system_clock::now();
  for (fs::recursive_directory_iterator it(root, error), end;
       it != end && !error; it.increment(error)) {
    llvm::ErrorOr<fs::basic_file_status> status = it->status();
    if (!status || status->type() != fs::file_type::regular_file)
      continue;
    auto used = status->getLastModificationTime();
    llvm::StringRef path = it->path();
    if (path.ends_with(".tmp") && used + kStale < now)
      fs::remove(path);
    if (!path.ends_with(kSuffix))
      continue;
    entries.push_back({used, status->getSize(), path.str()});
    total += status->getSize();
  }
  if (total <= maxBytes)
    return;
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.used, a.path) < std::tie(b.used, b.path);
  });
  for (const Entry &entry : entries) {
    if (total <= maxBytes - maxBytes / 8)
      return;
    fs::remove(entry.path);
    total -= entry.bytes;
    ++counts.pruned;
  }
}

CacheStatistics CompileCache::statistics() const {
  std::lock_guard<std::mutex> lock(mutex);
  return counts;
}

/// Length of the string literal that `text` begins with.
static size_t literalLength(llvm::StringRef text) {
  size_t i = 1;
  while (i < text.size() && text[i] != '"')
    i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

/// Length of the parenthesised text that `text` begins with.
static size_t parenthesisedLength(llvm::StringRef text) {
  size_t i = 0, depth = 0;
  while (i < text.size()) {
    if (text[i] == '"') {
      i += literalLength(text.drop_front(i));
      continue;
    }
    depth += text[i] == '(';
    depth -= text[i] == ')';
    ++i;
    if (depth == 0)
      break;
  }
  return i;
}

std::string swizzle::withoutLocations(llvm::StringRef ir) {
  std::string result;
  auto endLine = [&] {
    while (!result.empty() && (result.back() == ' ' || result.back() == '\t'))
      result.pop_back();
    if (!result.empty() && result.back() != '\n')
      result += '\n';
  };
  // `loc` as a word of its own: `@loc`, `%loc` and `x.loc` are names.
  auto endsName = [&] {
    return !result.empty() &&
           (llvm::isAlnum(result.back()) ||
            llvm::StringRef("_.$-@%#!^").contains(result.back()));
  };
  while (!ir.empty()) {
    bool lineStart = result.empty() || result.back() == '\n';
    if (lineStart && ir.starts_with("#loc")) {
      // `#loc3 = loc(...)`: a definition that only locations refer to.
      llvm::StringRef rest = ir.drop_front(4).ltrim("0123456789").ltrim(' ');
      if (rest.consume_front("=") && rest.ltrim(' ').starts_with("loc(")) {
        rest = rest.ltrim(' ').drop_front(3);
        ir = rest.drop_front(parenthesisedLength(rest));
        continue;
      }
    }
    if (ir.front() == '"') {
      size_t length = literalLength(ir);
      result += ir.take_front(length);
      ir = ir.drop_front(length);
    } else if (ir.starts_with("//")) {
      ir = ir.drop_front(std::min(ir.find('\n'), ir.size()));
    } else if (ir.starts_with("loc(") && !endsName()) {
      ir = ir.drop_front(3);
      ir = ir.drop_front(parenthesisedLength(ir));
    } else if (ir.front() == '\n' || ir.front() == '\r') {
      endLine();
      ir = ir.drop_front();
    } else {
      result += ir.front();
      ir = ir.drop_front();
    }
  }
  endLine();
  return result;
}

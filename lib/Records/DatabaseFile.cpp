//===- DatabaseFile.cpp - Many writers, one file --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A writer holds a lock on a file beside the database from reading to renaming,
// so no two of them work from the same old state. Readers need no lock: a
// rename shows them the old file or the new one. The lock is `flock`'s: it ends
// with the process that holds it, however that ends, and it tells threads
// apart.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/TuningDatabase.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;

namespace swizzle {

namespace {
/// Held while it lives.
class FileLock {
public:
  explicit FileLock(const std::string &path) {
    descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      failure = std::error_code(errno, std::generic_category());
      return;
    }
    while (::flock(descriptor, LOCK_EX) != 0)
      if (errno != EINTR) {
        failure = std::error_code(errno, std::generic_category());
        return;
      }
  }
  ~FileLock() {
    // Closing gives the lock back. The file stays: another writer may be
    // waiting for it already.
    if (descriptor >= 0)
      ::close(descriptor);
  }
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;

  std::error_code failure;

private:
  int descriptor = -1;
};
} // namespace

Error updateDatabase(StringRef path,
                     function_ref<Error(TuningDatabase &)> change) {
  // Through a link to the file itself: a rename would replace the link.
  SmallString<256> real;
  if (sys::fs::real_path(path, real))
    real = path;
  std::string target = real.str().str();
  FileLock lock(target + ".lock");
  if (lock.failure)
    return createStringError("cannot lock the tuning database '" + path +
                             "': " + lock.failure.message());
  TuningDatabase database;
  if (sys::fs::exists(target)) {
    // A device may have no end.
    if (!sys::fs::is_regular_file(target))
      return createStringError("'" + path +
                               "' is no tuning database: it is no "
                               "regular file");
    Expected<TuningDatabase> old = TuningDatabase::read(target);
    if (!old)
      return old.takeError();
    database = std::move(*old);
    if (database.records().empty() && !database.problems().empty())
      return createStringError("'" + path + "' is no tuning database: " +
                               database.problems().front().message);
  }
  std::string before = database.print();
  if (Error error = change(database))
    return error;
  std::string after = database.print();
  // An empty result is written too, so that a file that was asked for exists.
  if (after == before && sys::fs::exists(target))
    return Error::success();
  if (Error error = writeFileWhole(target, after, Durability::Disk))
    return createStringError("cannot write the tuning database '" + path +
                             "': " + toString(std::move(error)));
  return Error::success();
}

Error addToDatabase(StringRef path, ArrayRef<DatabaseRecord> records) {
  return updateDatabase(path, [&](TuningDatabase &database) {
    for (const DatabaseRecord &record : records)
      database.add(record);
    return Error::success();
  });
}

} // namespace swizzle

//===- FileRoles.cpp - No file is read and written at once ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files that exist are compared by device and number; others by where they will
// be: the folder that their name leads to, and the last part of it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/FileRoles.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace swizzle {

namespace {
/// What a file is told by.
struct Identity {
  bool isFile = false, exists = false;
  sys::fs::UniqueID id; ///< of the file, or of the folder it will be in
  std::string name;     ///< of a file that does not exist yet
};
} // namespace

static Identity identify(StringRef path) {
  Identity identity;
  if (path.empty() || path == "-" || descriptorOf(path))
    return identity;
  sys::fs::file_status status;
  if (!sys::fs::status(path, status)) {
    identity.isFile = sys::fs::is_regular_file(status);
    identity.exists = true;
    identity.id = status.getUniqueID();
    return identity;
  }
  SmallString<256> target = followLinks(path);
  StringRef folder = sys::path::parent_path(target);
  if (sys::fs::status(folder.empty() ? "." : folder, status))
    return identity; // it can neither be read nor written
  identity.isFile = true;
  identity.id = status.getUniqueID();
  identity.name = sys::path::filename(target).str();
  return identity;
}

Error checkDistinct(ArrayRef<FileRole> files) {
  std::vector<Identity> identities;
  for (const FileRole &file : files)
    identities.push_back(identify(file.path));
  for (size_t i = 0; i < files.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const Identity &a = identities[j], &b = identities[i];
      // The second one would find it read to the end.
      if (!files[i].written && !files[j].written && files[i].path == "-" &&
          files[j].path == "-")
        return createStringError(files[j].role + " and " + files[i].role +
                                 " cannot both be standard input ('-'); name a "
                                 "file for one");
      if (!a.isFile || !b.isFile || a.exists != b.exists || a.id != b.id ||
          a.name != b.name || !(files[i].written || files[j].written))
        continue;
      const FileRole &other = files[i].written ? files[i] : files[j];
      return createStringError(files[j].role + " and " + files[i].role +
                               " are one file ('" + files[j].path + "' and '" +
                               files[i].path + "'); name another one for " +
                               other.role);
    }
  return Error::success();
}

} // namespace swizzle

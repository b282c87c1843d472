//===- DatabaseFuzzer.cpp - Databases of any content ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a file holds, it is read; what is written out again is read as the
// same, and no line is lost.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/TuningDatabase.h"

#include <cstdio>
#include <cstdlib>

using namespace swizzle;

static void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  TuningDatabase database = TuningDatabase::parse(text, "fuzz");
  std::string printed = database.print();
  TuningDatabase again = TuningDatabase::parse(printed, "again");
  require(again.print() == printed, "written out and read again, it differs");
  require(again.problems().size() == database.problems().size(),
          "a line that could not be read was lost");
  for (const DatabaseRecord &record : database.records()) {
    require(database.find(record.key) == &record, "a record is not found");
    (void)record.gain();
    for (const DatabaseRecord *near :
         database.nearest(record.key, record.signature, 3))
      require(near != &record, "a record is near to itself");
  }
  return 0;
}

//===- WorkgroupMemory.h - How banks serve an access ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroup memory is dealt out over banks, word by word. A bank serves one
// word at a time, to all lanes that ask for it, so that lanes that ask one bank
// for different words wait for each other:
//
//   32 banks of 4 bytes, lane i at   4*i    one pass
//                                    128*i  32 passes: all in bank 0
//                                    132*i  one pass: a row is padded by a word
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_WORKGROUPMEMORY_H
#define SWIZZLE_KERNEL_WORKGROUPMEMORY_H

#include "swizzle/Kernel/KernelModel.h"

namespace swizzle {

/// As a chip's description has them: `lds_banks`, `lds_bank_bytes`.
struct MemoryBanks {
  int64_t count = 0;
  int64_t bytes = 0; ///< of a word

  bool areKnown() const { return count > 0 && bytes > 0; }
  /// Bytes that all banks together serve at a time.
  int64_t width() const { return count * bytes; }
};

/// In how many passes the banks serve `access` by one subgroup, if each pass
/// takes one word from each bank. `values` are those of the model's variables
/// for the subgroup's first thread; quotients need not be filled in.
///
/// Lanes go together as far as their bytes fill one word of every bank, so that
/// wide accesses take several passes however they are placed. Reads and writes
/// of one word by several lanes are served at once, atomic updates one by one.
/// Lanes that `active` names as idle (none if it is empty) ask for nothing.
/// A fragment, which a subgroup accesses together, is served like the rows of
/// an `ldmatrix`: pieces of 16 bytes, of which those that lie below each other
/// go together. What a workgroup does together takes the fewest passes that its
/// words allow. Nullopt if the address, the extent or the banks are not known.
std::optional<int64_t> countBankPasses(const KernelModel &model,
                                       const WorkgroupAccess &access,
                                       const MemoryBanks &banks,
                                       int64_t subgroupSize,
                                       std::vector<int64_t> values,
                                       const std::vector<bool> &active = {});

} // namespace swizzle

#endif // SWIZZLE_KERNEL_WORKGROUPMEMORY_H

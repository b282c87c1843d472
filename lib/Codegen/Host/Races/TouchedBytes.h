//===- TouchedBytes.h - Who touched which byte ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shadow memory: for each byte that workgroups, run one after the other, have
// touched, the first one that wrote it, that read it, and that updated it
// atomically. The first is enough: a second one of another workgroup either
// does the same harmless thing, or is a race, and that has been found.
//
//   out[x / 2] = x:  workgroup 0 is the writer of bytes 0 to 3; workgroup 1
//                    writes them as well: a conflict
//
// Bytes that are only touched together share a record: a page starts with
// records of 16 bytes and is split when an access does not fit them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_RACES_TOUCHEDBYTES_H
#define SWIZZLE_LIB_CODEGEN_HOST_RACES_TOUCHEDBYTES_H

#include "swizzle/Codegen/Host/HostKernel.h"
#include "llvm/ADT/DenseMap.h"

namespace swizzle::host {

class TouchedBytes {
public:
  /// One of the accesses of a conflict.
  struct Toucher {
    uint32_t workgroup = 0; ///< its turn, from 0
    uint16_t site = 0, thread = 0;
  };
  struct Conflict {
    Toucher first, second;
    uint64_t place = 0; ///< as `HostAccess::place`
    bool sameValue = false;
  };

  TouchedBytes(llvm::ArrayRef<HostSite> sites, int64_t maxBytes);
  ~TouchedBytes();

  /// What the workgroup whose turn is `workgroup` touches while it runs, with
  /// the `HostKernel::operands` of it; turns only rise.
  void add(uint32_t workgroup, llvm::ArrayRef<HostAccess> accesses,
           llvm::ArrayRef<uint64_t> operands);
  /// To be called when that workgroup has ended, on memory as it left it:
  /// decides whether those that wrote one place left the same value there.
  void finish(llvm::ArrayRef<HostBuffer> buffers);

  /// The worst conflict so far: one of different values or with a read if there
  /// is one.
  const std::optional<Conflict> &conflict() const { return worst; }
  bool isFull() const { return full; }

private:
  struct Cell;
  struct Page;

  Page &pageOf(uint64_t place);
  void split(Page &page, uint32_t unit);
  uint32_t familyOf(uint16_t site, llvm::ArrayRef<uint64_t> &operands);
  void touch(Page &page, Cell &cell, uint64_t place, uint32_t workgroup,
             const HostAccess &access, uint32_t family);
  void report(Toucher first, Toucher second, uint64_t place, bool sameValue);

  llvm::ArrayRef<HostSite> sites;
  /// Families of updates that commute are numbered from 1 on; 0: none.
  uint32_t families = 0;
  std::vector<uint32_t> classes; ///< by site: its family, operands aside
  /// By class and operand, where these decide: the family.
  llvm::DenseMap<std::pair<uint32_t, uint64_t>, uint32_t> byOperand;
  int64_t bytesLeft;
  bool full = false;
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages;
  Page *last = nullptr;
  uint64_t lastNumber = 0;
  /// Of the workgroup that runs: bytes that it was the first to write, and
  /// those that somebody else had written before.
  struct Write {
    uint64_t place;
    uint32_t bytes;
  };
  std::vector<Write> firstWrites;
  struct Rewrite {
    Write write;
    Toucher first, second;
  };
  std::vector<Rewrite> rewrites;
  std::optional<Conflict> worst;
};

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_RACES_TOUCHEDBYTES_H

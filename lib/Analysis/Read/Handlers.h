//===- Handlers.h - Operations with addresses or values ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that rows of the table of operations name: each reads one kind
// of operation, its addresses into the model and its results into the values of
// the reader.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_HANDLERS_H
#define SWIZZLE_LIB_ANALYSIS_READ_HANDLERS_H

#include "KernelReader.h"

namespace mlir {
class CFGLoopInfo;
} // namespace mlir

namespace swizzle::analysis {

/// \name Registers.cpp: ids and extents of the launch
/// @{
void readWorkgroupId(KernelReader &reader, mlir::Operation *op);
void readThreadId(KernelReader &reader, mlir::Operation *op);
void readExtent(KernelReader &reader, mlir::Operation *op);
void readLane(KernelReader &reader, mlir::Operation *op);
void readSubgroupSize(KernelReader &reader, mlir::Operation *op);
void readLanesBelow(KernelReader &reader, mlir::Operation *op);
void readFirstLane(KernelReader &reader, mlir::Operation *op);
/// True if `value` may differ between the threads of a workgroup.
bool dependsOnThread(const Domain &domain, const CasesRef &value);
void readElected(KernelReader &reader, mlir::Operation *op);
void readShuffledLane(KernelReader &reader, mlir::Operation *op);
CasesRef laneOf(KernelReader &reader);
/// @}

/// \name AddressSums.cpp, AddressBits.cpp
/// @{
/// Reads a sum of an address, as a number of 64 bits, and a number; false if
/// `op` is something else.
bool readAddressSum(KernelReader &reader, mlir::Operation *op);
/// AddressBits.cpp: reads the lowest bits of an address, or the address without
/// them; false if `op` is something else.
bool readAddressBits(KernelReader &reader, mlir::Operation *op);
/// @}

/// \name JoinedBits.cpp
/// @{
/// Reads `(a | b) == 0` and its like, where a | b has no form; false if `op` is
/// something else.
bool readJoinedBits(KernelReader &reader, mlir::Operation *op);
/// BitCounts.cpp: true if `op` counts bits of a number that is known, which are
/// then known as well.
bool readBitCount(KernelReader &reader, mlir::Operation *op);
/// @}

/// \name Integers.cpp, SelectedArms.cpp
/// @{
/// True for integer arithmetic, comparisons, selects and casts.
bool isIntegerArithmetic(mlir::Operation *op);
/// An arm of `select` where its condition is `truth`.
AbstractValue readArm(KernelReader &reader, mlir::Operation *select,
                      const CasesRef &condition, bool truth);
/// @}

/// \name NullTests.cpp, SpaceTests.cpp
/// @{
/// Reads whether an address is one of global, workgroup or private memory.
void readSpaceTest(KernelReader &reader, mlir::Operation *op);
/// Reads whether a pointer that is passed is null; false if `op` is something
/// else.
bool readNullTest(KernelReader &reader, mlir::Operation *op);
/// @}

/// \name BitCasts.cpp, MagicNumbers.cpp, Reductions.cpp
/// @{
void readBitCast(KernelReader &reader, mlir::Operation *op);
void readHighProduct(KernelReader &reader, mlir::Operation *op);
void readReduction(KernelReader &reader, mlir::Operation *op);
/// @}

/// \name Memory.cpp: pointers, loads and stores
/// @{
void readAddress(KernelReader &reader, mlir::Operation *op);
void readCast(KernelReader &reader, mlir::Operation *op);
void readGlobal(KernelReader &reader, mlir::Operation *op);
void readAllocation(KernelReader &reader, mlir::Operation *op);
void readRelease(KernelReader &reader, mlir::Operation *op);
void readPlainAccess(KernelReader &reader, mlir::Operation *op);
/// True if `offset` is known to be a multiple of `bytes`.
bool isAligned(KernelReader &reader, const CasesRef &offset, int64_t bytes);
/// The bytes of `type` at `pointer`; tells the model what its buffer holds.
KernelReader::Footprint footprintOf(KernelReader &reader, mlir::Value pointer,
                                    mlir::Type type);
/// @}

/// Where a load through a buffer resource reads; nullopt if `op` is none, or one
/// of another kind.
std::optional<AbstractValue> placeOfBufferLoad(KernelReader &reader,
                                               mlir::Operation *op);

/// \name DecidedByData.cpp
/// @{
/// True if numbers from memory, or arguments that are not known, decide whether
/// `condition` holds, or `fails`, and nothing that differs between workgroups
/// beside; but for parts that are known, where `knownIsGuard`. `loops` are of
/// the region in which it is used.
bool isDecidedByData(KernelReader &reader, mlir::Value condition, bool fails,
                     bool knownIsGuard, const mlir::CFGLoopInfo &loops);
/// True if all workgroups have the same `value`.
bool isSameForAll(KernelReader &reader, mlir::Value value);
/// @}

/// \name AssumedAddress.cpp: addresses that rest on loaded numbers
/// @{
/// Where an access goes: `read` tells it of what is known of `restsOn`.
struct AddressSource {
  llvm::ArrayRef<mlir::Value> restsOn;
  llvm::function_ref<AbstractValue()> read;
};
/// Emits the access by `op` at `address`, which is not affine, as an assumed
/// one; false if it cannot be told how the address came about, or nothing is to
/// be assumed here.
bool assumeAccess(KernelReader &reader, mlir::Operation *op,
                  const AddressSource &address, AccessKind kind,
                  const KernelReader::Footprint &footprint);
/// @}

/// \name MemoryLanes.cpp: masks, gathers, copies
/// @{
void readMaskedLoad(KernelReader &reader, mlir::Operation *op);
void readMaskedStore(KernelReader &reader, mlir::Operation *op);
void readGather(KernelReader &reader, mlir::Operation *op);
void readScatter(KernelReader &reader, mlir::Operation *op);
void readCopy(KernelReader &reader, mlir::Operation *op);
void readFill(KernelReader &reader, mlir::Operation *op);
/// `bytes` contiguous ones, if that is known.
void accessBytes(KernelReader &reader, mlir::Operation *op, mlir::Value pointed,
                 std::optional<int64_t> bytes, AccessKind kind);
/// @}

/// \name Values.cpp: structs, vectors, undefined values
/// @{
void readUndefined(KernelReader &reader, mlir::Operation *op);
void readZero(KernelReader &reader, mlir::Operation *op);
void readInsertValue(KernelReader &reader, mlir::Operation *op);
void readExtractValue(KernelReader &reader, mlir::Operation *op);
void readInsertElement(KernelReader &reader, mlir::Operation *op);
void readExtractElement(KernelReader &reader, mlir::Operation *op);
void readShuffle(KernelReader &reader, mlir::Operation *op);
void readFreeze(KernelReader &reader, mlir::Operation *op);
void readExpected(KernelReader &reader, mlir::Operation *op);
/// @}

/// True if `op` reads where the ids of the launch begin.
bool readGlobalOffset(KernelReader &reader, mlir::Operation *op);

/// \name Vendor.cpp: the vendors' own accesses
/// @{
void readMatrixRows(KernelReader &reader, mlir::Operation *op);
void readAsyncCopy(KernelReader &reader, mlir::Operation *op);
void readLoadToWorkgroup(KernelReader &reader, mlir::Operation *op);
void readMakeResource(KernelReader &reader, mlir::Operation *op);
void readBufferAccess(KernelReader &reader, mlir::Operation *op);
void readBulkCopy(KernelReader &reader, mlir::Operation *op);
/// @}

/// \name Fragments.cpp: matrices of subgroups
/// @{
void readFragment(KernelReader &reader, mlir::Operation *op);
/// @}

/// \name Images.cpp: textures and surfaces
/// @{
void readTexture(KernelReader &reader, mlir::Operation *op);
void readSurface(KernelReader &reader, mlir::Operation *op);
/// @}

/// \name TensorMaps.cpp: copies of boxes by a tensor map
/// @{
void readTensorMap(KernelReader &reader, mlir::Operation *op);
void readMadeMap(KernelReader &reader, mlir::Operation *op);
/// @}

/// \name Compute.cpp: arithmetic between accesses
/// @{
void readBarrier(KernelReader &reader, mlir::Operation *op);
void readMatrixProduct(KernelReader &reader, mlir::Operation *op);
/// @}

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_HANDLERS_H

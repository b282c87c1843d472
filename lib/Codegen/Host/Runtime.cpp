//===- Runtime.cpp - What compiled kernels call ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C functions around the members of `Workgroup`; compiled code finds them by
// name. The first argument is where a pointer to the workgroup stands.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "Numbers.h"

namespace swizzle::host {

namespace {

Workgroup &of(void *const *handle) {
  return *static_cast<Workgroup *>(*handle);
}

void access(void *const *w, char *pointer, uint32_t site) {
  of(w).access(pointer, site);
}

void accessRange(void *const *w, char *pointer, uint64_t bytes, uint32_t kind,
                 uint32_t site) {
  if (bytes)
    of(w).accessBytes(pointer, bytes, AccessKind(kind), site);
}

/// Lanes of a vector at consecutive places, those whose bit is set.
void accessMasked(void *const *w, char *pointer, uint64_t mask, uint32_t site) {
  for (; mask; mask &= mask - 1)
    of(w).access(pointer + __builtin_ctzll(mask) * of(w).bytesOf(site), site);
}

/// Lanes of a vector of pointers.
void accessLanes(void *const *w, char **pointers, uint64_t mask,
                 uint32_t site) {
  for (; mask; mask &= mask - 1)
    of(w).access(pointers[__builtin_ctzll(mask)], site);
}

void barrier(void *const *w, uint32_t site) { of(w).barrier(site); }

uint64_t shuffle(void *const *w, uint32_t site, uint64_t value, int32_t offset,
                 int32_t width, uint32_t mode) {
  return of(w).shuffle(site, value, offset, width, ShuffleMode(mode));
}

uint64_t broadcast(void *const *w, uint32_t site, uint64_t value,
                   int32_t lane) {
  return of(w).broadcast(site, value, lane);
}

uint64_t ballot(void *const *w, uint32_t site, uint64_t value) {
  return of(w).ballot(site, value & 1);
}

uint64_t reduce(void *const *w, uint32_t site, uint64_t value, uint32_t op,
                const ElementFormat *format, int64_t cluster, int64_t stride) {
  return of(w).reduce(site, value, ReduceOp(op), *format, cluster, stride);
}

void multiply(void *const *w, uint32_t site, const MatrixShape *shape, char *a,
              char *b, char *c, char *d) {
  of(w).multiply(site, *shape, a, b, c, d);
}

void moveMatrix(void *const *w, uint32_t site, uint64_t at, int64_t lead,
                int64_t rows, int64_t columns, uint32_t transpose,
                char *registers) {
  of(w).moveMatrix(site, reinterpret_cast<char *>(at), lead, rows, columns,
                   transpose, registers);
}

void check(void *const *w, uint32_t site, uint64_t condition,
           const char *message) {
  if (!(condition & 1))
    of(w).failAssertion(site, message);
}

void endless(void *const *w, uint32_t site) { of(w).failSteps(site); }

void stack(void *const *w, const char *pointer, uint32_t site) {
  of(w).checkStack(pointer, site);
}

void emulate(void *const *w, const IntrinsicCall *call, char *frame) {
  call->row->run(of(w), {*call, frame});
}

double decodeFloat(const llvm::fltSemantics *semantics, uint64_t bits) {
  return decode(semantics, bits);
}

uint64_t encodeFloat(const llvm::fltSemantics *semantics, double number) {
  return encode(semantics, number);
}

} // namespace

llvm::ArrayRef<std::pair<const char *, void *>> runtimeFunctions() {
#define SWIZZLE_FUNCTION(name)                                                 \
  {                                                                            \
    "swizzle_" #name, reinterpret_cast<void *>(&name)                          \
  }
  static const std::pair<const char *, void *> functions[] = {
      SWIZZLE_FUNCTION(access),       SWIZZLE_FUNCTION(accessRange),
      SWIZZLE_FUNCTION(accessMasked), SWIZZLE_FUNCTION(accessLanes),
      SWIZZLE_FUNCTION(barrier),      SWIZZLE_FUNCTION(shuffle),
      SWIZZLE_FUNCTION(broadcast),    SWIZZLE_FUNCTION(ballot),
      SWIZZLE_FUNCTION(reduce),       SWIZZLE_FUNCTION(multiply),
      SWIZZLE_FUNCTION(moveMatrix),   SWIZZLE_FUNCTION(check),
      SWIZZLE_FUNCTION(endless),      SWIZZLE_FUNCTION(stack),
      SWIZZLE_FUNCTION(emulate),      SWIZZLE_FUNCTION(decodeFloat),
      SWIZZLE_FUNCTION(encodeFloat),
  };
#undef SWIZZLE_FUNCTION
  return functions;
}

} // namespace swizzle::host

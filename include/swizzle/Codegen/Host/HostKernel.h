//===- HostKernel.h - A kernel compiled for the CPU -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs single workgroups of a GPU kernel on the host: what the lowering for a
// GPU makes of the kernel is compiled for the CPU with a vendor's intrinsics
// emulated, each thread of a workgroup is a fiber, and every access to memory
// passes a bounds check, after which it can be recorded. What a CPU
// cannot run makes compilation fail with an `UncheckedError`; nothing is
// skipped silently.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_HOST_HOSTKERNEL_H
#define SWIZZLE_CODEGEN_HOST_HOSTKERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Support/Grid.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace swizzle {

/// What the host cannot run, or cannot run meaningfully: "op nvgpu.ldmatrix at
/// k.mlir:7:5". Never a verdict about the kernel.
class UncheckedError : public llvm::ErrorInfo<UncheckedError> {
public:
  static char ID;

  explicit UncheckedError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  std::string message;
};

/// Something that a kernel did while it ran and must not: an access out of
/// bounds, a barrier that not all threads reach, a failed assertion.
class HostFault : public llvm::ErrorInfo<HostFault> {
public:
  static char ID;

  HostFault(std::string code, std::string message)
      : code(std::move(code)), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  /// True for what is no fault of the kernel: a limit was reached.
  bool isLimit() const {
    return code == "too-many-accesses" || code == "step-limit" ||
           code == "no-memory";
  }

  /// "out-of-bounds", "read-only", "divergent-barrier", "assertion", and the
  /// limits "too-many-accesses", "step-limit" and "no-memory"
  std::string code;
  std::string message; ///< with buffer, index, workgroup, thread and location
};

/// What the caller puts into one argument of the kernel.
struct HostArgument {
  /// Extents of a memref whose type leaves them open; empty: as the analysis
  /// has them.
  std::vector<int64_t> shape;
  /// Value of an integer or index argument.
  std::optional<int64_t> value;
  /// Contents, from the first byte; what is beyond is random as usual.
  std::vector<char> bytes;
  /// Strides and offset of a memref, in elements, where its type leaves them
  /// open; empty: as if its elements lay one after the other.
  std::vector<int64_t> strides;
  std::optional<int64_t> offset;
  /// An argument before this one whose memory this one is, and the byte of it
  /// where this one begins.
  std::optional<unsigned> sameAs;
  int64_t byteOffset = 0;
};

struct HostOptions {
  std::optional<Grid> grid, block; ///< where the module leaves them open
  uint64_t seed = 1;               ///< of all buffers' contents
  int64_t subgroupSize = 0;        ///< 0: from the target, else 32
  int64_t dynamicWorkgroupBytes = 0;
  /// By argument of the kernel.
  std::map<unsigned, HostArgument> arguments;
  /// Most accesses that one workgroup may make before it counts as endless.
  int64_t maxAccesses = int64_t(1) << 33;
  /// Most steps that one workgroup may take: branches back and calls.
  int64_t maxSteps = int64_t(1) << 32;
  /// Of a pointer's memory, where nobody says how large it is; touched pages
  /// alone cost anything.
  int64_t unknownBytes = int64_t(1) << 30;
  /// Sizes that nobody gives are those of the analysis's model. False: grid and
  /// block must be given, open extents are 1, open numbers are 1.
  bool readModel = true;
  /// Optimises the compiled code: slower to compile, faster to run.
  bool optimise = true;
};

/// Global memory that a kernel can reach.
struct HostBuffer {
  std::string name;  ///< "arg0", or the name in the IR
  int argument = -1; ///< index among the kernel's arguments, or -1
  int64_t bytes = 0;
  int64_t elementBytes = 1;
  const llvm::fltSemantics *semantics = nullptr; ///< null: no floats
  const char *data = nullptr;                    ///< as the last run left it
};

/// One instruction that touches memory.
struct HostSite {
  std::string location; ///< "file:line:column"
  std::string op;       ///< of the user: "memref.load", "llvm.store"
  AccessKind kind = AccessKind::Read;
  bool floatAtomic = false; ///< adds to a float, which is rounded
  bool compares = false;    ///< exchanges if it finds what it expects
  int64_t bytes = 0;        ///< of one access
  /// Atomics whose order among themselves does not matter, as nobody uses the
  /// old value, have the same text here: "add i32". Empty: the order matters.
  std::string commutesAs;
  /// Of these, a counter that wraps around: it commutes with those alone whose
  /// operand, the bound, is the same.
  bool commutesByOperand = false;
};

/// Bits of a place that are a byte offset; above them is the buffer.
inline constexpr unsigned kOffsetBits = 38;

/// One access of one thread to global memory.
struct HostAccess {
  uint64_t place = 0; ///< buffer << kOffsetBits | byte offset
  uint32_t bytes = 0;
  uint16_t site = 0;
  uint16_t thread = 0; ///< linear id in the workgroup

  uint32_t buffer() const { return place >> kOffsetBits; }
  int64_t offset() const { return place & ((uint64_t(1) << kOffsetBits) - 1); }
};

enum class Recording : uint8_t {
  Writes,     ///< writes and atomics
  Everything, ///< reads as well
};

/// What arguments hold that nobody gave contents for.
enum class Inputs : uint8_t {
  Plain,   ///< floats in [0.5, 1.5), integers of any value
  Signed,  ///< both signs and zeros, denormals, equal ones, ends of integers
  Extreme, ///< infinities, no numbers, the largest and smallest numbers
};

/// "plain", "signed", "extreme".
llvm::StringRef toString(Inputs inputs);

/// In which order the threads of a workgroup get their turn.
enum class ThreadOrder : uint8_t { Ascending, Descending };

class HostKernel {
public:
  /// Compiles `kernel`; the module around it is left as it is. Buffers get
  /// contents that only the seed and the place in memory decide. With
  /// `original`, of which it is a variant, they have the sizes and contents that
  /// they have there: what to invent follows from code, and a variant has other
  /// code.
  static llvm::Expected<std::unique_ptr<HostKernel>>
  compile(mlir::FunctionOpInterface kernel, const HostOptions &options,
          const HostKernel *original = nullptr);
  ~HostKernel();

  const Grid &grid() const;
  const Grid &block() const;
  int64_t subgroupSize() const;
  /// Global buffers only, in the numbering of `HostAccess::buffer`.
  llvm::ArrayRef<HostBuffer> buffers() const;
  llvm::ArrayRef<HostSite> sites() const;
  /// Arguments that decide addresses or loops with contents that nobody gave.
  llvm::ArrayRef<unsigned> inventedIndices() const;

  /// Runs one workgroup on memory as it stands. A `HostFault` says what the
  /// kernel did wrong. With a `sink`, accesses go there, some at a time, and
  /// `accesses` has none afterwards.
  using Sink = llvm::function_ref<void(llvm::ArrayRef<HostAccess>)>;
  llvm::Error run(WorkgroupId id, ThreadOrder order, Recording recording,
                  Sink sink = nullptr);

  /// What the last run touched, in the order in which it ran. Of repeated
  /// writes to one place only some may be kept if just writes are recorded.
  llvm::ArrayRef<HostAccess> accesses() const;
  /// Operands of those accesses, or of those that the sink is handed while it
  /// runs, that commute by operand; in the same order. Recorded with reads only.
  llvm::ArrayRef<uint64_t> operands() const;

  /// Accesses to global memory that the last run made, recorded or not.
  int64_t accessCount() const;
  /// Of the last run, by products of matrices.
  int64_t multiplyAdds() const;
  /// Branches back and calls of the last run.
  int64_t stepCount() const;
  /// Replaces the limits of `HostOptions` for the runs to come.
  void limit(int64_t maxAccesses, int64_t maxSteps);

  /// Undoes what the last run wrote.
  void restore();
  /// Gives all arguments whose contents or value nobody gave those of `inputs`.
  /// What the kernel uses as indices stays in range.
  llvm::Error refill(Inputs inputs);

private:
  struct Impl;
  explicit HostKernel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_HOST_HOSTKERNEL_H

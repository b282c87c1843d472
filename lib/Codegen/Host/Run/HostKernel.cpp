//===- HostKernel.cpp - A kernel compiled for the CPU ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers a kernel as the analysis and the device compiler do, for the vendor
// whose operations it uses, and hands the result to LLVM's JIT.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Host/HostKernel.h"

#include "Compile/Jit.h"
#include "Inputs/Arguments.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/IR/HardwareAttr.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"

using namespace mlir;

namespace swizzle {

char UncheckedError::ID = 0;
char HostFault::ID = 0;

void UncheckedError::log(llvm::raw_ostream &os) const { os << message; }
void HostFault::log(llvm::raw_ostream &os) const { os << message; }

using namespace host;

struct HostKernel::Impl {
  Grid grid, block;
  Memory memory;
  std::vector<HostSite> sites;
  std::vector<HostBuffer> buffers;
  std::vector<uint64_t> words;
  std::vector<std::pair<size_t, const llvm::fltSemantics *>> floats;
  std::vector<unsigned> invented;
  std::vector<BoundSize> sizes; ///< of arguments, that nobody gave
  uint64_t seed = 0;
  std::unique_ptr<Compilation> compilation;
  void *handle = nullptr; ///< compiled code finds the workgroup here
  std::unique_ptr<Workgroup> workgroup;
  JitCode code;

  llvm::Error compile(FunctionOpInterface kernel, const KernelModel &model,
                      const HostOptions &options,
                      const KernelLoweringOptions &how, const Impl *before);
  void start(const HostOptions &options, std::unique_ptr<ThreadState> state);
};

namespace {

void prepareContext(MLIRContext *context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
  context->appendDialectRegistry(registry);
  context->loadDialect<LLVM::LLVMDialect>();
}

/// For whom to lower: the chip decides, else the size of a subgroup, else the
/// operations that occur; where either vendor will do, both, in this order.
std::vector<KernelLoweringOptions> waysToLower(FunctionOpInterface kernel,
                                               int64_t subgroupSize) {
  KernelLoweringOptions how;
  if (std::optional<ChipChoice> chip = knownChip(kernel)) {
    const HardwareSpec &hardware = chip->hardware;
    how.vendor = hardware.vendor == "amd" ? GpuVendor::AMD : GpuVendor::NVIDIA;
    how.waveSize = hardware.waveSize;
    how.architecture = hardware.target;
  }
  if (!how.vendor && subgroupSize == 64)
    how.vendor = GpuVendor::AMD;
  GpuVendor first = chooseVendor(kernel, how.vendor);
  GpuVendor second =
      first == GpuVendor::AMD ? GpuVendor::NVIDIA : GpuVendor::AMD;
  how.vendor = first;
  if (subgroupSize)
    how.waveSize = subgroupSize;
  if (!how.waveSize)
    how.waveSize = first == GpuVendor::AMD ? 64 : 32;
  std::vector<KernelLoweringOptions> ways{how};
  if (chooseVendor(kernel, second) == second) {
    how.vendor = second;
    how.architecture.clear();
    ways.push_back(how);
  }
  return ways;
}

/// The model that sizes are taken from, with the grid and block of the launch.
llvm::Expected<KernelModel> readModel(FunctionOpInterface kernel,
                                      const HostOptions &options) {
  KernelModel model;
  if (options.readModel) {
    LaunchSizes sizes = findLaunchSizes(kernel, options.grid, options.block);
    sizes.subgroup = options.subgroupSize;
    sizes.dynamicWorkgroupBytes = options.dynamicWorkgroupBytes;
    model = buildKernelModel(kernel, sizes);
    // What the module says holds whatever the model makes of the kernel.
    if (sizes.grid.isStatic())
      model.grid = sizes.grid;
    if (sizes.block.isStatic())
      model.block = sizes.block;
  } else if (!options.grid || !options.block) {
    return llvm::createStringError("grid and block are not given");
  } else {
    model.dynamicWorkgroupBytes = options.dynamicWorkgroupBytes;
  }
  model.grid = options.grid.value_or(model.grid);
  model.block = options.block.value_or(model.block);
  if (int64_t threads = model.block.count(); threads < 1 || threads > 1024)
    return llvm::make_error<UncheckedError>(
        "a workgroup of " + std::to_string(threads) +
        " threads; the host runs 1 to 1024");
  if (options.readModel && model.grid.count() < 1)
    return llvm::make_error<UncheckedError>("a grid without workgroups");
  return std::move(model);
}

/// What stopped the lowering, as the user's operation.
llvm::Error cannotLower(llvm::Error error) {
  Origin origin;
  std::string message;
  llvm::handleAllErrors(
      std::move(error),
      [&](const LoweringError &failure) {
        llvm::raw_string_ostream os(message);
        failure.log(os);
        origin.location = describe(failure.where());
        origin.op = originalOperation(failure.where()).str();
      },
      [&](const llvm::ErrorInfoBase &other) { message = other.message(); });
  message = "cannot be lowered: " + message;
  return origin.op.empty() ? llvm::make_error<UncheckedError>(message)
                           : makeUnchecked(origin, message);
}

} // namespace

/// The workgroup that runs the code; what the kernel itself adds to memory are
/// buffers too.
void HostKernel::Impl::start(const HostOptions &options,
                             std::unique_ptr<ThreadState> state) {
  std::vector<int> slotToBuffer;
  int next = 0;
  for (size_t slot = 0; slot < memory.slots.size(); ++slot) {
    const Slot &array = memory.slots[slot];
    bool global = array.space == Space::Global;
    if (slot >= buffers.size() && global)
      buffers.push_back(
          {array.name, -1, array.end - array.begin, 1, nullptr, array.begin});
    slotToBuffer.push_back(global ? next++ : 0);
  }
  WorkgroupSizes sizes{grid, block, compilation->subgroupSize,
                       128 * 1024 + 2 * compilation->privateBytes};
  workgroup =
      std::make_unique<Workgroup>(memory, sites, sizes, std::move(state));
  workgroup->slotToBuffer = std::move(slotToBuffer);
  workgroup->constants = code.constants;
  workgroup->maxAccesses = options.maxAccesses;
  workgroup->maxSteps = options.maxSteps;
  handle = workgroup.get();
}

llvm::Error HostKernel::Impl::compile(FunctionOpInterface kernel,
                                      const KernelModel &model,
                                      const HostOptions &options,
                                      const KernelLoweringOptions &how,
                                      const Impl *before) {
  grid = model.grid;
  block = model.block;
  sizes = model.boundSizes;
  llvm::Expected<LoweredKernel> lowered = lowerKernel(kernel, how);
  if (!lowered)
    return cannotLower(lowered.takeError());
  llvm::Expected<Arguments> arguments =
      bindArguments({kernel, *lowered, model, grid, block, how.waveSize,
                     before ? &before->memory : nullptr},
                    options, memory);
  if (!arguments)
    return arguments.takeError();
  buffers = std::move(arguments->buffers);
  words = std::move(arguments->words);
  floats = std::move(arguments->floats);
  invented = before ? before->invented : std::move(arguments->invented);
  seed = options.seed;
  auto state = std::make_unique<ThreadState>();
  compilation = std::make_unique<Compilation>(memory, sites);
  compilation->subgroupSize = how.waveSize;
  compilation->dynamicWorkgroupBytes = model.dynamicWorkgroupBytes;
  compilation->workgroup = &handle;
  compilation->state = state.get();
  llvm::Expected<JitCode> compiled =
      compileForHost(*lowered, *compilation, options.optimise);
  if (!compiled)
    return compiled.takeError();
  code = std::move(*compiled);
  start(options, std::move(state));
  return llvm::Error::success();
}

HostKernel::HostKernel(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
HostKernel::~HostKernel() = default;

llvm::Expected<std::unique_ptr<HostKernel>>
HostKernel::compile(FunctionOpInterface kernel, const HostOptions &options,
                    const HostKernel *original) {
  prepareContext(kernel.getContext());
  if (kernel.isExternal())
    return llvm::make_error<UncheckedError>("the kernel has no body");
  llvm::Expected<KernelModel> model = readModel(kernel, options);
  if (!model)
    return model.takeError();
  // A variant may be read with other numbers: those of its own remap do not fit.
  if (original)
    model->boundSizes = original->impl->sizes;
  llvm::Error first = llvm::Error::success();
  for (const KernelLoweringOptions &how :
       waysToLower(kernel, options.subgroupSize)) {
    auto impl = std::make_unique<Impl>();
    llvm::Error error =
        impl->compile(kernel, *model, options, how,
                      original ? original->impl.get() : nullptr);
    if (!error) {
      // It runs as the other vendor's kernel; why not as the first's is no
      // error.
      llvm::consumeError(std::move(first));
      return std::unique_ptr<HostKernel>(new HostKernel(std::move(impl)));
    }
    bool other = error.isA<UncheckedError>();
    // The error of the first vendor is reported: the second one is tried only
    // because the kernel does not say for whom it is.
    if (first)
      llvm::consumeError(std::move(error));
    else
      first = std::move(error);
    if (!other)
      break;
  }
  return std::move(first);
}

const Grid &HostKernel::grid() const { return impl->grid; }
const Grid &HostKernel::block() const { return impl->block; }
int64_t HostKernel::subgroupSize() const {
  return impl->compilation->subgroupSize;
}
llvm::ArrayRef<HostBuffer> HostKernel::buffers() const { return impl->buffers; }
llvm::ArrayRef<HostSite> HostKernel::sites() const { return impl->sites; }
llvm::ArrayRef<HostAccess> HostKernel::accesses() const {
  return impl->workgroup->log;
}
llvm::ArrayRef<uint64_t> HostKernel::operands() const {
  return impl->workgroup->operands;
}
int64_t HostKernel::accessCount() const { return impl->workgroup->accessCount; }
int64_t HostKernel::multiplyAdds() const {
  return impl->workgroup->multiplyAdds;
}
int64_t HostKernel::stepCount() const { return impl->workgroup->stepCount(); }
void HostKernel::limit(int64_t maxAccesses, int64_t maxSteps) {
  impl->workgroup->maxAccesses = maxAccesses;
  impl->workgroup->maxSteps = maxSteps;
}
void HostKernel::restore() {
  uint64_t written = impl->workgroup->written();
  int buffer = 0;
  for (size_t slot = 0; slot < impl->memory.slots.size(); ++slot)
    if (impl->memory.slots[slot].space == Space::Global &&
        written >> buffer++ & 1)
      impl->memory.restore(slot);
}

llvm::ArrayRef<unsigned> HostKernel::inventedIndices() const {
  return impl->invented;
}

llvm::Error HostKernel::refill(Inputs inputs) {
  for (auto [word, semantics] : impl->floats)
    impl->words[word] = scalarBits(*semantics, impl->seed, inputs);
  if (!impl->memory.refill(inputs))
    return llvm::make_error<HostFault>("no-memory",
                                       "there is no memory for new contents");
  return llvm::Error::success();
}

llvm::Error HostKernel::run(WorkgroupId id, ThreadOrder order,
                            Recording recording, Sink sink) {
  impl->workgroup->sink = sink;
  impl->workgroup->recordReads = recording == Recording::Everything;
  if (std::optional<HostFault> fault =
          impl->workgroup->run(impl->code.entry, impl->words.data(), id, order))
    return llvm::make_error<HostFault>(std::move(*fault));
  return llvm::Error::success();
}

} // namespace swizzle

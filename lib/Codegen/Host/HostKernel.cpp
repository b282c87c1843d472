//===- HostKernel.cpp - A kernel compiled for the CPU ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers a kernel step by step (Lowering.h), hands it to LLVM's JIT, and runs
// workgroups of it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/HostKernel.h"

#include "Arguments.h"
#include "Lowering.h"
#include "swizzle/Analysis/KernelAnalysis.h"
#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Lowering/LowerKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"

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
  uint64_t seed = 0;
  std::unique_ptr<Compilation> compilation;
  void *handle = nullptr; ///< compiled code finds the workgroup here
  std::unique_ptr<Workgroup> workgroup;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(uint64_t *) = nullptr;
};

namespace {

/// As the analysis decides it: by the chip, else by the operations that occur.
int64_t findSubgroupSize(FunctionOpInterface kernel) {
  if (llvm::Expected<std::optional<ChipChoice>> chip = readChip(kernel)) {
    if (*chip)
      return (*chip)->hardware.waveSize;
  } else {
    // Whoever needs the chip reports what is wrong with its description.
    llvm::consumeError(chip.takeError());
  }
  bool amd = false;
  kernel->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    amd |= dialect == "amdgpu" || dialect == "rocdl";
  });
  return amd ? 64 : 32;
}

void prepareContext(MLIRContext *context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
  context->appendDialectRegistry(registry);
  context
      ->loadDialect<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect,
                    memref::MemRefDialect, vector::VectorDialect>();
}

void optimise(llvm::Module &module, llvm::TargetMachine *machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1)
      .run(module, modules);
}

llvm::Error unresolved(llvm::Error error) {
  return llvm::make_error<UncheckedError>("cannot be linked for the CPU: " +
                                          llvm::toString(std::move(error)));
}

/// Every function that is called must be one of ours, or of the C library.
llvm::Error findMissing(const llvm::Module &module) {
  for (const llvm::Function &function : module) {
    if (!function.isDeclaration() || function.use_empty() ||
        (function.isIntrinsic() && !function.getName().contains(".nvvm.") &&
         !function.getName().contains(".amdgcn.")))
      continue;
    auto ours = [&](const auto &known) {
      return function.getName() == known.first;
    };
    if (!function.isIntrinsic() &&
        (llvm::any_of(runtimeFunctions(), ours) ||
         isLibraryFunction(function.getName())))
      continue;
    return llvm::make_error<UncheckedError>(
        "a call of " + function.getName().str() + ", which is not there");
  }
  return llvm::Error::success();
}

/// To LLVM IR; the error names the operation that has no translation.
llvm::Expected<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, llvm::LLVMContext &context) {
  std::string message;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &d) {
    if (message.empty() && d.getSeverity() == DiagnosticSeverity::Error)
      message = describe(d.getLocation()) + ": " + d.str();
    return success();
  });
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, "kernel",
                              /*disableVerification=*/true);
  if (code)
    return code;
  return llvm::make_error<UncheckedError>("cannot be translated to LLVM IR: " +
                                          message);
}

/// Compiles `module`; fills in `jit` and the address of the entry.
llvm::Error compileModule(ModuleOp module, Compilation &c, bool optimised,
                          std::unique_ptr<llvm::orc::LLJIT> &jit,
                          void (*&entry)(uint64_t *),
                          std::vector<Workgroup::Constant> &constants) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  if (!optimised)
    builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto context = std::make_unique<llvm::LLVMContext>();
  auto translated = translate(module, *context);
  if (!translated)
    return translated.takeError();
  std::unique_ptr<llvm::Module> code = std::move(*translated);
  code->setDataLayout((*machine)->createDataLayout());
  code->setTargetTriple((*machine)->getTargetTriple());
  if (c.lowered)
    if (llvm::Error error = emulateIntrinsics(*code, c))
      return error;
  llvm::StripDebugInfo(*code);
  // The names and sizes of constants that kernels read.
  std::vector<std::pair<std::string, int64_t>> names;
  for (llvm::GlobalVariable &global : code->globals())
    if (global.hasExternalLinkage() && !global.isDeclaration())
      names.push_back(
          {global.getName().str(),
           code->getDataLayout().getTypeAllocSize(global.getValueType())});
  if (optimised)
    optimise(*code, machine->get());
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  if (llvm::Error error = findMissing(*code))
    return error;
  auto created = llvm::orc::LLJITBuilder()
                     .setJITTargetMachineBuilder(std::move(*builder))
                     .create();
  if (!created)
    return created.takeError();
  jit = std::move(*created);
  // What goes wrong is in the errors that are returned.
  jit->getExecutionSession().setErrorReporter(
      [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  llvm::orc::SymbolMap symbols;
  for (auto [name, address] : runtimeFunctions())
    symbols[jit->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error error = jit->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (llvm::Error error = jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(code), std::move(context))))
    return error;
  auto found = jit->lookup(kEntryName);
  if (!found)
    return unresolved(found.takeError());
  entry = found->toPtr<void (*)(uint64_t *)>();
  for (auto &[name, bytes] : names) {
    auto address = jit->lookup(name);
    if (!address)
      return unresolved(address.takeError());
    const char *begin = address->toPtr<const char *>();
    constants.push_back({begin, begin + bytes});
  }
  return llvm::Error::success();
}

} // namespace

/// `kernel` as a module in the llvm dialect: by the way that is made for a CPU,
/// or by that of a GPU, with a vendor's intrinsics.
static llvm::Expected<OwningOpRef<ModuleOp>>
prepare(FunctionOpInterface kernel, const HostOptions &options,
        Compilation &c) {
  LoweredKernel lowered;
  c.lowered = options.lowered || isa<LLVM::LLVMFuncOp>(kernel);
  if (options.lowered && !isa<LLVM::LLVMFuncOp>(kernel)) {
    KernelLoweringOptions how;
    how.vendor = c.subgroupSize == 64 ? GpuVendor::AMD : GpuVendor::NVIDIA;
    how.waveSize = c.subgroupSize;
    llvm::Expected<LoweredKernel> result = lowerKernel(kernel, how);
    if (!result)
      return llvm::make_error<UncheckedError>(
          "cannot be lowered: " + llvm::toString(result.takeError()));
    lowered = std::move(*result);
    kernel = lowered.function;
  }
  auto module = isolate(kernel, c);
  if (!module)
    return module.takeError();
  if (!c.lowered) {
    if (llvm::Error error = lowerOps(**module, c))
      return error;
    if (llvm::Error error = toLLVM(**module))
      return error;
    return std::move(*module);
  }
  // Lines, for what is only recognised in LLVM IR.
  PassManager manager(module->get().getContext());
  manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
  if (failed(manager.run(**module)))
    return llvm::make_error<UncheckedError>("lines cannot be kept");
  return std::move(*module);
}

HostKernel::HostKernel(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
HostKernel::~HostKernel() = default;

llvm::Expected<std::unique_ptr<HostKernel>>
HostKernel::compile(FunctionOpInterface kernel, const HostOptions &options) {
  auto direct = compileOnce(kernel, options);
  if (direct || options.lowered || isa<LLVM::LLVMFuncOp>(kernel))
    return direct;
  llvm::Error error = direct.takeError();
  if (!error.isA<UncheckedError>())
    return std::move(error);
  // What is made for a CPU does not know a vendor's operations.
  HostOptions other = options;
  other.lowered = true;
  auto lowered = compileOnce(kernel, other);
  if (!lowered) {
    llvm::consumeError(lowered.takeError());
    return std::move(error);
  }
  llvm::consumeError(std::move(error));
  return lowered;
}

llvm::Expected<std::unique_ptr<HostKernel>>
HostKernel::compileOnce(FunctionOpInterface kernel,
                        const HostOptions &options) {
  prepareContext(kernel.getContext());
  auto impl = std::make_unique<Impl>();
  KernelModel model;
  if (options.readModel) {
    LaunchSizes sizes = findLaunchSizes(kernel, options.grid, options.block);
    sizes.subgroup = options.subgroupSize;
    model = buildKernelModel(kernel, sizes);
    // What the module says holds whatever the model makes of the kernel.
    if (sizes.grid.isStatic())
      model.grid = sizes.grid;
    if (sizes.block.isStatic())
      model.block = sizes.block;
  } else if (!options.grid || !options.block) {
    return llvm::createStringError("grid and block are not given");
  }
  impl->grid = options.grid.value_or(model.grid);
  impl->block = options.block.value_or(model.block);
  int64_t threads = impl->block.count();
  if (threads < 1 || threads > 1024)
    return llvm::make_error<UncheckedError>(
        "a workgroup of " + std::to_string(threads) +
        " threads; the host runs 1 to 1024");
  llvm::Expected<Arguments> arguments =
      bindArguments(kernel, model, options, impl->memory);
  if (!arguments)
    return arguments.takeError();
  impl->buffers = std::move(arguments->buffers);
  impl->words = std::move(arguments->words);
  impl->floats = std::move(arguments->floats);
  impl->invented = std::move(arguments->invented);
  impl->seed = options.seed;

  auto state = std::make_unique<ThreadState>();
  impl->compilation = std::make_unique<Compilation>(impl->memory, impl->sites);
  Compilation &c = *impl->compilation;
  c.subgroupSize =
      options.subgroupSize ? options.subgroupSize : findSubgroupSize(kernel);
  c.dynamicWorkgroupBytes = options.dynamicWorkgroupBytes;
  c.workgroup = &impl->handle;
  c.state = state.get();
  auto module = prepare(kernel, options, c);
  if (!module)
    return module.takeError();
  if (llvm::Error error = instrument(**module, kernel.getName(), c))
    return error;
  std::vector<Workgroup::Constant> constants;
  if (llvm::Error error =
          compileModule(**module, c, options.optimise, impl->jit,
                        impl->entry, constants))
    return error;

  // What the kernel itself adds to memory are buffers too.
  std::vector<int> slotToBuffer;
  for (size_t slot = 0; slot < impl->memory.slots.size(); ++slot) {
    const Slot &array = impl->memory.slots[slot];
    if (slot >= impl->buffers.size() && array.space == Space::Global)
      impl->buffers.push_back(
          {array.name, -1, array.end - array.begin, 1, nullptr, array.begin});
    slotToBuffer.push_back(0);
  }
  int next = 0;
  for (size_t slot = 0; slot < impl->memory.slots.size(); ++slot)
    if (impl->memory.slots[slot].space == Space::Global)
      slotToBuffer[slot] = next++;
  impl->workgroup = std::make_unique<Workgroup>(
      impl->memory, impl->sites, impl->grid, impl->block, c.subgroupSize,
      128 * 1024 + 2 * c.privateBytes, std::move(state));
  impl->workgroup->slotToBuffer = std::move(slotToBuffer);
  impl->workgroup->constants = std::move(constants);
  impl->workgroup->maxAccesses = options.maxAccesses;
  impl->workgroup->maxSteps = options.maxSteps;
  impl->handle = impl->workgroup.get();
  return std::unique_ptr<HostKernel>(new HostKernel(std::move(impl)));
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
          impl->workgroup->run(impl->entry, impl->words.data(), id, order))
    return llvm::make_error<HostFault>(std::move(*fault));
  return llvm::Error::success();
}

} // namespace swizzle

//===- Serialize.cpp - The llvm dialect to bytes --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's ModuleToObject translates, links and optimises; this decides which
// libraries are linked, refuses calls that nothing resolves (a driver would
// refuse them when it loads the kernel, hours later on another machine), and
// emits the bytes.
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"
#include "LinkObject.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace swizzle;
using namespace swizzle::device;

/// What a driver provides to PTX without being asked.
static bool isProvidedByDriver(llvm::StringRef name, GpuVendor vendor) {
  return vendor == GpuVendor::NVIDIA &&
         (name == "vprintf" || name == "__assertfail" || name == "malloc" ||
          name == "free");
}

/// An error if a kernel calls, or reads, what is defined nowhere.
static LogicalResult checkResolved(llvm::Module &module, Operation &op,
                                   GpuVendor vendor) {
  std::string names;
  auto consider = [&](llvm::GlobalValue &value) {
    if (value.isDeclaration() && !value.use_empty() &&
        !value.getName().starts_with("llvm.") &&
        !isProvidedByDriver(value.getName(), vendor))
      names += (names.empty() ? "" : ", ") + value.getName().str();
  };
  for (llvm::Function &function : module)
    consider(function);
  for (llvm::GlobalVariable &variable : module.globals())
    // Workgroup memory whose size the launch sets is external in PTX.
    if (variable.getAddressSpace() != 3)
      consider(variable);
  if (names.empty())
    return success();
  InFlightDiagnostic error = op.emitError()
                             << "calls " << names
                             << ", which is defined nowhere: no GPU can load "
                                "that";
  if (names.find("__nv_") != std::string::npos)
    error << "; __nv_* are functions of CUDA's libdevice: name it with "
             "--device-library=libdevice.10.bc, or use functions of fp32 that "
             "are expanded without it: exp, log, tanh, erf, sin, powf, ...";
  return failure();
}

/// Whether PTX can call something this: a letter, or one of _ $ % before more,
/// and then letters, digits, _ and $ (PTX ISA 9.0, 4.4 "Identifiers").
static bool isPtxName(llvm::StringRef name) {
  auto follows = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$';
  };
  if (name.empty() || !llvm::all_of(name.drop_front(), follows))
    return false;
  return llvm::isAlpha(name[0]) ||
         (name.size() > 1 && llvm::StringRef("_$%").contains(name[0]));
}

/// An error if others see a name that PTX cannot have: LLVM's printer ends the
/// process at some of them and writes the others. It renames what nobody sees.
static LogicalResult checkNames(llvm::Module &module, Operation &op) {
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.hasLocalLinkage() && !value.getName().starts_with("llvm.") &&
        !isPtxName(value.getName()))
      return op.emitError() << "PTX has no names like '" << value.getName()
                            << "': a letter, then letters, digits, '_' and '$'";
  return success();
}

/// Static workgroup memory of `kernel`: the variables that it, and nobody but
/// it, uses; nullopt if one is used by a function that it calls.
static std::optional<int64_t> workgroupBytes(llvm::Module &module,
                                             llvm::StringRef kernel) {
  int64_t bytes = 0;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != 3 || variable.isDeclaration())
      continue;
    llvm::SmallVector<llvm::User *> users(variable.users());
    bool used = false;
    while (!users.empty()) {
      llvm::User *user = users.pop_back_val();
      if (auto *instruction = dyn_cast<llvm::Instruction>(user)) {
        llvm::Function *function = instruction->getFunction();
        used |= function->getName() == kernel;
        if (function->getCallingConv() != llvm::CallingConv::PTX_Kernel)
          return std::nullopt;
      } else {
        llvm::append_range(users, user->users());
      }
    }
    if (used)
      bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
  }
  return bytes;
}

namespace {

/// What both vendors share: `Base` is upstream's serializer.
template <typename Base> class Serializer : public Base {
public:
  template <typename TargetAttr>
  Serializer(DeviceModule &device, TargetAttr attr, const Target &target,
             ArtifactKind kind, const gpu::TargetOptions &targetOptions)
      : Base(*device.gpuModule, attr, targetOptions), device(device),
        gpuTarget(target), kind(kind) {
    this->initialLlvmIRCallback = takeDiagnostics;
  }

protected:
  /// Errors of the back ends reach MLIR's handler. LLVM's own exits the
  /// program.
  std::function<void(llvm::Module &)> takeDiagnostics =
      [this](llvm::Module &module) {
        module.getContext().setDiagnosticHandlerCallBack(
            [](const llvm::DiagnosticInfo *info, void *self) {
              if (info->getSeverity() != llvm::DS_Error)
                return;
              std::string text;
              llvm::raw_string_ostream stream(text);
              llvm::DiagnosticPrinterRawOStream printer(stream);
              info->print(printer);
              auto *serializer = static_cast<Serializer *>(self);
              serializer->failedInBackEnd = true;
              serializer->getOperation().emitError() << text;
            },
            this);
      };

  void handleModulePreLink(llvm::Module &module) override {
    if (!device.llvmIR.empty() && failed(linkLLVM(module)))
      failedInBackEnd = true;
    Base::handleModulePreLink(module);
  }

  /// Puts the kernels that came as LLVM IR into `module`.
  LogicalResult linkLLVM(llvm::Module &module) {
    Operation &op = this->getOperation();
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> own =
        llvm::parseIR(llvm::MemoryBufferRef(device.llvmIR, "kernels"), problem,
                      module.getContext());
    if (!own)
      return op.emitError() << problem.getMessage();
    // What the target says holds; Triton's kernels for NVIDIA say nothing.
    const llvm::Triple &triple = own->getTargetTriple();
    if (!triple.str().empty() &&
        triple.getArch() != module.getTargetTriple().getArch())
      return op.emitError() << "the module is compiled for " << triple.str();
    own->setTargetTriple(module.getTargetTriple());
    own->setDataLayout(module.getDataLayout());
    if (llvm::Linker::linkModules(module, std::move(own)))
      return op.emitError("the module cannot be linked");
    return success();
  }

  FailureOr<llvm::SmallVector<char, 0>>
  moduleToObject(llvm::Module &module) override {
    Operation &op = this->getOperation();
    if (failedInBackEnd || failed(checkResolved(module, op, gpuTarget.vendor)))
      return failure();
    FailureOr<llvm::TargetMachine *> machine = this->getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    if (gpuTarget.vendor == GpuVendor::NVIDIA)
      for (CompiledKernel &kernel : device.kernels)
        kernel.resources.workgroupBytes = workgroupBytes(module, kernel.name);
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    if (kind == ArtifactKind::LLVM) {
      module.print(stream, nullptr);
      return bytes;
    }
    if (gpuTarget.vendor == GpuVendor::NVIDIA && failed(checkNames(module, op)))
      return failure();
    llvm::legacy::PassManager passes;
    if ((*machine)->addPassesToEmitFile(
            passes, stream, nullptr,
            kind == ArtifactKind::HSACO ? llvm::CodeGenFileType::ObjectFile
                                        : llvm::CodeGenFileType::AssemblyFile))
      return op.emitError("the back end cannot emit this kind of file");
    passes.run(module);
    if (failedInBackEnd)
      return failure();
    return bytes;
  }

  DeviceModule &device;
  const Target &gpuTarget;
  ArtifactKind kind;
  bool failedInBackEnd = false;
};

using NvidiaSerializer = Serializer<NVVM::SerializeGPUModuleBase>;

/// Upstream decides which ROCm device libraries are needed and defines their
/// control constants; only where they lie is decided here.
class AmdSerializer : public Serializer<ROCDL::SerializeGPUModuleBase> {
public:
  AmdSerializer(DeviceModule &device, ROCDL::ROCDLTargetAttr attr,
                const Target &target, ArtifactKind kind,
                const gpu::TargetOptions &targetOptions,
                const CompileOptions &options)
      : Serializer(device, attr, target, kind, targetOptions),
        options(options) {}

  std::string missing; ///< why the device libraries were not found

private:
  std::optional<llvm::SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &module) override {
    static const std::pair<ROCDL::AMDGCNLibraries, const char *> names[] = {
        {ROCDL::AMDGCNLibraries::Ocml, kOcml},
        {ROCDL::AMDGCNLibraries::Ockl, kOckl},
        {ROCDL::AMDGCNLibraries::Hip, "hip.bc"},
        {ROCDL::AMDGCNLibraries::OpenCL, "opencl.bc"}};
    for (auto [library, name] : names) {
      if ((deviceLibs & library) == ROCDL::AMDGCNLibraries::None)
        continue;
      llvm::Expected<std::string> folder = findBitcodeFolder(options);
      if (!folder) {
        missing = llvm::toString(folder.takeError());
        return std::nullopt;
      }
      llvm::SmallString<128> path(*folder);
      llvm::sys::path::append(path, name);
      librariesToLink.push_back(
          StringAttr::get(getOperation().getContext(), path));
    }
    deviceLibs = ROCDL::AMDGCNLibraries::None;
    return Serializer::loadBitcodeFiles(module);
  }

  const CompileOptions &options;
};

} // namespace

/// Fills the resources of the kernels from the metadata of a code object.
static void readMetadata(DeviceModule &device, llvm::StringRef object) {
  Builder builder(device.gpuModule.getContext());
  auto metadata = ROCDL::getAMDHSAKernelsELFMetadata(
      builder, llvm::ArrayRef<char>(object.data(), object.size()));
  if (!metadata)
    return;
  for (CompiledKernel &kernel : device.kernels) {
    auto found = metadata->find(builder.getStringAttr(kernel.name));
    if (found == metadata->end())
      continue;
    auto number = [&](llvm::StringRef name) -> std::optional<int64_t> {
      auto value = dyn_cast_or_null<IntegerAttr>(found->second.get(name));
      // The number of a kind of register that the chip does not have is -1.
      return value && value.getValue().getSExtValue() >= 0 &&
                     !value.getValue().trunc(32).isAllOnes()
                 ? std::optional(value.getInt())
                 : std::nullopt;
    };
    KernelResources &resources = kernel.resources;
    resources.vgprs = number("vgpr_count");
    resources.agprs = number("agpr_count");
    resources.sgprs = number("sgpr_count");
    resources.vgprSpills = number("vgpr_spill_count");
    resources.sgprSpills = number("sgpr_spill_count");
    resources.workgroupBytes = number("group_segment_fixed_size");
    resources.privateBytes = number("private_segment_fixed_size");
  }
}

static llvm::Expected<std::string>
toString(std::optional<llvm::SmallVector<char, 0>> bytes) {
  if (!bytes)
    return llvm::createStringError("");
  return std::string(bytes->begin(), bytes->end());
}

static llvm::Expected<std::string>
serializeNvidia(DeviceModule &device, const Target &target, ArtifactKind kind,
                const CompileOptions &options, ArrayAttr libraries) {
  NVVM::SerializeGPUModuleBase::init();
  auto attr = NVVM::NVVMTargetAttr::get(
      device.gpuModule.getContext(), options.optimisation, target.triple,
      target.arch, options.features, nullptr, libraries);
  NvidiaSerializer serializer(device, attr, target, kind, {});
  return toString(serializer.run());
}

static llvm::Expected<std::string>
serializeAmd(DeviceModule &device, const Target &target, ArtifactKind kind,
             const CompileOptions &options, ArrayAttr libraries) {
  ROCDL::SerializeGPUModuleBase::init();
  std::string features = target.features;
  if (!options.features.empty())
    features += (features.empty() ? "" : ",") + options.features;
  Builder builder(device.gpuModule.getContext());
  DictionaryAttr flags;
  if (target.waveSize != 64)
    flags = builder.getDictionaryAttr(
        builder.getNamedAttr("no_wave64", builder.getUnitAttr()));
  // Version 5 of the code object, which every ROCm from 5.3 on loads.
  auto attr = ROCDL::ROCDLTargetAttr::get(
      device.gpuModule.getContext(), options.optimisation, target.triple,
      target.arch, features, "500", flags, libraries);
  AmdSerializer serializer(device, attr, target, kind, {}, options);
  llvm::Expected<std::string> object = toString(serializer.run());
  if (!serializer.missing.empty()) {
    // What is missing is why it failed.
    llvm::consumeError(object.takeError());
    return llvm::make_error<MissingToolError>(serializer.missing);
  }
  if (!object || kind != ArtifactKind::HSACO)
    return object;
  llvm::Expected<std::string> linked = linkCodeObject(*object, options);
  if (linked)
    readMetadata(device, *linked);
  return linked;
}

llvm::Expected<std::string>
swizzle::device::serialize(DeviceModule &device, const Target &target,
                           ArtifactKind kind, const CompileOptions &options) {
  Builder builder(device.gpuModule.getContext());
  llvm::SmallVector<llvm::StringRef> paths;
  for (const std::string &path : options.deviceLibraries) {
    if (!llvm::sys::fs::exists(path))
      return llvm::make_error<MissingToolError>("the device library " + path +
                                                " does not exist");
    paths.push_back(path);
  }
  ArrayAttr libraries =
      paths.empty() ? nullptr : builder.getStrArrayAttr(paths);
  return target.vendor == GpuVendor::NVIDIA
             ? serializeNvidia(device, target, kind, options, libraries)
             : serializeAmd(device, target, kind, options, libraries);
}

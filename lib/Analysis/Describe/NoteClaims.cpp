//===- NoteClaims.cpp - Claims on the arguments of a kernel ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a claim may be follows from the type of its argument alone, so that all
// that the reader would not look at is known before it reads. As there: sizes
// are integers that hold what is claimed.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Describe/NoteClaims.h"

#include "../Read/Launch/ByValue.h"
#include "../Read/Launch/Launches.h"
#include "../Read/Launch/NominalNumbers.h"
#include "swizzle/Analysis/Describe/ReadFacts.h"
#include "swizzle/Analysis/Read/ModuleFacts.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace swizzle {

using namespace analysis;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '\'' << type << '\'';
  return text;
}

static std::string count(size_t number, llvm::StringRef what) {
  return (llvm::Twine(number) + " " + what + (number == 1 ? "" : "s")).str();
}

/// As `readFacts` takes numbers: why `number` is no value of something of
/// `type`; empty if it is one.
static std::string whyNot(Type type, int64_t number) {
  if (isa<LLVM::LLVMPointerType>(type))
    return "a pointer has no size; '?' is right";
  if (!type.isIntOrIndex())
    return "only integers are sizes; '?' is right";
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width == 1 && number != 0 && number != 1)
    return "it is 0 or 1";
  if (type.isUnsignedInteger() && number < 0)
    return "it holds numbers from 0 on";
  // Signed or not: of a multiplier that divides, any bits may be set.
  if (width < 64 && (type.isSignedInteger() ? !llvm::isIntN(width, number)
                                            : !heldIn(number, width)))
    return "it holds numbers from " + std::to_string(llvm::minIntN(width)) +
           " to " +
           std::to_string(type.isSignedInteger()
                              ? uint64_t(llvm::maxIntN(width))
                              : llvm::maxUIntN(width));
  return "";
}

/// What an argument of `type` is that is claimed to be `number`.
static std::optional<int64_t> heldBy(Type type, int64_t number) {
  return heldIn(number, type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
}

/// The structure that argument `index` is, or that is passed behind it; null if
/// there is none.
static Type structureOf(FunctionOpInterface kernel, unsigned index) {
  Type type = kernel.getArgumentTypes()[index];
  if (isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type))
    return isDescriptor(type) ? Type() : type;
  for (llvm::StringRef name : {"llvm.byval", "llvm.byref"})
    if (auto behind = kernel.getArgAttrOfType<TypeAttr>(index, name))
      return behind.getValue();
  return {};
}

/// True if the kernel loads or stores where `pointer` leads to, as it does not
/// with a tensor map.
static bool isAccessed(Value pointer) {
  return llvm::any_of(pointer.getUsers(), [&](Operation *user) {
    if (auto store = dyn_cast<LLVM::StoreOp>(user))
      return store.getAddr() == pointer;
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user))
      return isAccessed(user->getResult(0));
    return isa<LLVM::LoadOp, LLVM::AtomicRMWOp>(user);
  });
}

static std::string listTypes(llvm::ArrayRef<PassedByValue::Member> members) {
  return llvm::join(llvm::map_range(members,
                                    [](const PassedByValue::Member &member) {
                                      return print(member.type);
                                    }),
                    ", ");
}

namespace {
class Noting {
public:
  Noting(FunctionOpInterface kernel, llvm::ArrayRef<ArgumentClaim> claims)
      : kernel(kernel), claims(claims), builder(kernel.getContext()) {}

  std::vector<std::string> run() {
    size_t known = kernel.getNumArguments();
    if (claims.size() > known)
      problems.push_back(
          std::to_string(claims.size()) + " are given for " +
          count(known, "argument") + (known ? ": " : "") +
          llvm::join(llvm::map_range(kernel.getArgumentTypes(), print), ", "));
    for (index = 0; index < std::min(claims.size(), known); ++index)
      std::visit([&](const auto &what) { note(what); }, claims[index].what);
    return std::move(problems);
  }

private:
  void note(std::monostate) {}
  void note(int64_t size);
  void note(const ClaimedMembers &members);
  void note(const ClaimedTensorMap &map);
  std::string whyNoMember(const PassedByValue::Member &member, size_t number,
                          int64_t claim) const;

  Type type() { return kernel.getArgumentTypes()[index]; }
  void refuse(const llvm::Twine &why) {
    problems.push_back(("'" + claims[index].text + "' for argument " +
                        llvm::Twine(index) + ", which is " + print(type()) +
                        ": " + why)
                           .str());
  }
  std::optional<int64_t> passedByLaunch();

  FunctionOpInterface kernel;
  llvm::ArrayRef<ArgumentClaim> claims;
  Builder builder;
  unsigned index = 0;
  std::vector<std::string> problems;
};
} // namespace

/// What the launch that is read passes; nothing if there is none, or if it is
/// not known either.
std::optional<int64_t> Noting::passedByLaunch() {
  if (isa<LLVM::LLVMFuncOp>(kernel.getOperation()))
    return std::nullopt; // nor are there launches
  ModuleFacts module(kernel);
  llvm::ArrayRef<gpu::LaunchFuncOp> launches = module.launchesOf(kernel);
  gpu::LaunchFuncOp launch = launches.empty() ? nullptr : launches.front();
  if (!launch || index >= launch.getNumKernelOperands())
    return std::nullopt;
  HostValues host;
  std::optional<HostValue> value =
      host.evaluate(launch.getKernelOperand(index));
  return value && !value->nominal ? std::optional(value->value) : std::nullopt;
}

void Noting::note(int64_t size) {
  if (structureOf(kernel, index))
    return refuse("a structure has members; '{?:4096}' claims of each");
  if (isa<LLVM::LLVMPointerType, nvgpu::TensorMapDescriptorType>(type()))
    return refuse("a pointer has no size; '?' is right, or 'map:...' of a "
                  "tensor map");
  if (isa<BaseMemRefType>(type()))
    return refuse("its sizes are those of its type and of the launch; '?' is "
                  "right");
  if (std::string why = whyNot(type(), size); !why.empty())
    return refuse(why);
  if (std::optional<int64_t> passed = passedByLaunch();
      passed && *passed != size && *passed != heldBy(type(), size))
    return refuse("the launch in the module passes " + llvm::Twine(*passed));
  kernel.setArgAttr(index, kClaimedArgument, builder.getI64IntegerAttr(size));
}

/// Why `claim` is no value of the member; empty if it is one.
std::string Noting::whyNoMember(const PassedByValue::Member &member,
                                size_t number, int64_t claim) const {
  std::string why = whyNot(member.type, claim);
  return why.empty() ? why
                     : "member " + std::to_string(number) + ", " +
                           std::to_string(claim) + ", is " +
                           print(member.type) + ": " + why;
}

void Noting::note(const ClaimedMembers &claimed) {
  Type structure = structureOf(kernel, index);
  if (!structure)
    return refuse("that is no structure which is passed by value; a size or "
                  "'?' is right");
  std::vector<PassedByValue::Member> members =
      membersOf(DataLayout::closest(kernel), structure);
  if (members.size() > kMaxMembers)
    return refuse("a structure of more than " + llvm::Twine(kMaxMembers) +
                  " members is not taken apart; '?' is right");
  if (claimed.size() > members.size())
    return refuse("it has " + count(members.size(), "member") + ": " +
                  listTypes(members));
  llvm::SmallVector<Attribute> attributes;
  for (auto [number, claim] : llvm::enumerate(claimed)) {
    attributes.push_back(claim ? builder.getI64IntegerAttr(*claim)
                               : Attribute(builder.getUnitAttr()));
    if (!claim)
      continue;
    if (std::string why = whyNoMember(members[number], number, *claim);
        !why.empty())
      return refuse(why);
  }
  kernel.setArgAttr(index, kClaimedArgument, builder.getArrayAttr(attributes));
}

void Noting::note(const ClaimedTensorMap &map) {
  if (!isa<LLVM::LLVMPointerType, nvgpu::TensorMapDescriptorType>(type()))
    return refuse("that is no tensor map; a size or '?' is right");
  if (!kernel.isExternal() &&
      isAccessed(kernel.getFunctionBody().getArgument(index)))
    return refuse("that is no tensor map, as the kernel loads or stores there; "
                  "'?' is right");
  llvm::SmallVector<int64_t> numbers = {map.elementBytes};
  for (const std::vector<int64_t> *part :
       {&map.extents, &map.strides, &map.box})
    llvm::append_range(numbers, *part);
  kernel.setArgAttr(index, kClaimedTensorMap,
                    builder.getDenseI64ArrayAttr(numbers));
}

std::vector<std::string> noteClaims(FunctionOpInterface kernel,
                                    llvm::ArrayRef<ArgumentClaim> claims) {
  return Noting(kernel, claims).run();
}

} // namespace swizzle

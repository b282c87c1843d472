//===- SwizzleDialect.cpp - The swizzle dialect ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration, verification, and conversions from and to formulas.
//
// Verification is strict about everything that a later step relies on without
// looking again: the text parses, every parameter has one of its values, every
// hardware name that the formula reads has a number, and a remap says enough
// about its grid to be lowered. Whether the formula is a permutation is not
// asked here: that depends on the grid, and `prove` decides it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/SwizzleDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "swizzle/IR/SwizzleDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "swizzle/IR/SwizzleAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "swizzle/IR/SwizzleOps.cpp.inc"

namespace swizzle {

void SwizzleDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "swizzle/IR/SwizzleAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "swizzle/IR/SwizzleOps.cpp.inc"
      >();
}

/// The 64-bit integer that a dictionary of the formula attribute holds, or
/// nullopt for any other attribute.
static std::optional<int64_t> readInteger(mlir::Attribute attr) {
  auto integer = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attr);
  if (!integer || !integer.getType().isSignlessInteger(64))
    return std::nullopt;
  return integer.getInt();
}

llvm::LogicalResult
FormulaAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                    llvm::StringRef text, mlir::DictionaryAttr params,
                    mlir::DictionaryAttr hardware) {
  for (mlir::DictionaryAttr dictionary : {params, hardware})
    for (mlir::NamedAttribute entry : dictionary)
      if (!readInteger(entry.getValue()))
        return emitError() << "'" << entry.getName().getValue()
                           << "' must be a 64-bit integer such as `8 : i64`, "
                              "not "
                           << entry.getValue();

  llvm::Expected<Formula> formula = Formula::parse(text);
  if (!formula)
    return emitError() << "text is not a formula: "
                       << llvm::toString(formula.takeError());

  for (const ParamDecl &param : formula->params()) {
    std::optional<int64_t> value = readInteger(params.get(param.name));
    if (!value)
      return emitError() << "parameter '" << param.name
                         << "' of the formula has no value in `params`";
    if (!llvm::is_contained(param.values, *value))
      return emitError() << "parameter '" << param.name << "' is " << *value
                         << ", which is not in its set";
  }
  for (mlir::NamedAttribute entry : params)
    if (llvm::none_of(formula->params(), [&](const ParamDecl &param) {
          return param.name == entry.getName().getValue();
        }))
      return emitError() << "'" << entry.getName().getValue()
                         << "' in `params` is not a parameter of the formula";

  std::vector<std::string> names = formula->hardwareNames();
  for (const std::string &name : names)
    if (!hardware.get(name))
      return emitError() << "the formula reads '" << name
                         << "', which has no number in `hardware`";
  for (mlir::NamedAttribute entry : hardware)
    if (!llvm::is_contained(names, entry.getName().getValue()))
      return emitError() << "the formula does not read '"
                         << entry.getName().getValue()
                         << "', given in `hardware`";
  return llvm::success();
}

llvm::LogicalResult RemapOp::verify() {
  llvm::ArrayRef<int64_t> grid = getGrid();
  if (grid.size() != 3)
    return emitOpError("expects a grid of three extents, x first; got ")
           << grid.size();
  bool known = true;
  for (int64_t extent : grid) {
    if (extent != kUnknownExtent && (extent < 1 || extent > INT32_MAX))
      return emitOpError("expects each extent of the grid to be 1 to 2^31 - 1, "
                         "or -1 where unknown; got ")
             << extent;
    known &= extent != kUnknownExtent;
  }
  size_t given = getExtents().size();
  if (given != 0 && given != 3)
    return emitOpError("expects no or three `extents` values; got ") << given;
  if (!known && given == 0)
    return emitOpError("needs `extents`, because the grid is not known");
  if (getGuarded() && given == 0)
    return emitOpError("needs `extents` to compare with the grid, because it "
                       "is guarded");
  if (getGuarded() && !known)
    return emitOpError("cannot be guarded on a grid that is not known");
  return llvm::success();
}

FormulaAttr getFormulaAttr(mlir::MLIRContext *context, const Formula &formula,
                           const Environment &environment) {
  mlir::Builder builder(context);
  llvm::SmallVector<mlir::NamedAttribute> params, hardware;
  for (const ParamDecl &param : formula.params()) {
    auto value = environment.params.find(param.name);
    if (value != environment.params.end())
      params.push_back(builder.getNamedAttr(
          param.name, builder.getI64IntegerAttr(value->second)));
  }
  for (const std::string &name : formula.hardwareNames()) {
    auto number = environment.hardware.find(name);
    if (number != environment.hardware.end() && number->second)
      hardware.push_back(builder.getNamedAttr(
          name, builder.getI64IntegerAttr(*number->second)));
  }
  return FormulaAttr::get(context, formula.printLine(),
                          builder.getDictionaryAttr(params),
                          builder.getDictionaryAttr(hardware));
}

llvm::Expected<std::pair<Formula, Environment>>
readFormulaAttr(FormulaAttr attr, llvm::ArrayRef<int64_t> grid) {
  llvm::Expected<Formula> formula = Formula::parse(attr.getText());
  if (!formula)
    return formula.takeError();
  if (grid.size() != 3)
    return llvm::createStringError(
        "a grid has three extents, x first; %zu are given", grid.size());
  Environment environment;
  environment.grid = Grid(grid[0], grid[1], grid[2]);
  for (mlir::NamedAttribute entry : attr.getParams())
    if (std::optional<int64_t> value = readInteger(entry.getValue()))
      environment.params[entry.getName().str()] = *value;
  for (mlir::NamedAttribute entry : attr.getHardware())
    if (std::optional<int64_t> value = readInteger(entry.getValue()))
      environment.hardware[entry.getName().str()] = *value;
  return std::make_pair(std::move(*formula), std::move(environment));
}

} // namespace swizzle

//===- SwizzleDialect.td - The swizzle dialect -------------*- tablegen -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its formula attribute and the one op that stands for a remap
// between planning and materialisation.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IR_SWIZZLEDIALECT_TD
#define SWIZZLE_IR_SWIZZLEDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Swizzle_Dialect : Dialect {
  let name = "swizzle";
  let summary = "Remapping of workgroup ids";
  let description = [{
    A remap changes which workgroup works on which tile and nothing else. Between
    `swizzle-plan` and `swizzle-materialize` it is an op, `swizzle.remap`, that
    carries the proved formula as `#swizzle.formula`; afterwards the kernel keeps
    the formula under the discardable attribute `swizzle.applied`, so that it is
    never remapped twice.
  }];
  let cppNamespace = "::swizzle";
  let useDefaultAttributePrinterParser = 1;
}

def Swizzle_FormulaAttr : AttrDef<Swizzle_Dialect, "Formula"> {
  let mnemonic = "formula";
  let summary = "a remap formula with its parameters and hardware constants bound";
  let description = [{
    The canonical text of a formula, the value of each of its parameters, and the
    value of each hardware name that it reads. Self-contained: its meaning does
    not depend on any chip file.

    ```mlir
    #swizzle.formula<"param G in {8}; ...", params = {G = 8 : i64}, hardware = {num_xcds = 8 : i64}>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"canonical text">:$text,
    "::mlir::DictionaryAttr":$params,
    "::mlir::DictionaryAttr":$hardware);
  let assemblyFormat = "`<` $text `,` `params` `=` $params `,` `hardware` `=` $hardware `>`";
  let genVerifyDecl = 1;
}

def Swizzle_RemapOp : Op<Swizzle_Dialect, "remap", [Pure]> {
  let summary = "workgroup id that the kernel shall believe it has";
  let description = [{
    Maps the workgroup id that the hardware dealt to the id of the tile to work
    on. Stands once at the entry of a kernel; every reading of a workgroup id in
    the kernel uses its results. The formula has been proved a permutation of the
    grid; `swizzle-materialize` turns the op into arithmetic.

    `grid` holds the extents of the launch, `-1` where unknown; `extents` are the
    launch's extents as values, present if any of them is unknown or if `guarded`
    is set. A `guarded` remap compares `extents` with `grid` at run time and is the
    identity where they differ. An `untagged` one leaves no `swizzle.applied` on
    the kernel when it is lowered.

    ```mlir
    %r:3 = swizzle.remap (%x, %y, %z) grid [64, 64, 1]
        #swizzle.formula<"return x, y", params = {}, hardware = {}>
    ```
  }];
  let arguments = (ins Index:$x, Index:$y, Index:$z, Variadic<Index>:$extents,
                       Swizzle_FormulaAttr:$formula, DenseI64ArrayAttr:$grid,
                       UnitAttr:$guarded, UnitAttr:$untagged);
  let results = (outs Index:$newX, Index:$newY, Index:$newZ);
  let assemblyFormat = [{
    `(` $x `,` $y `,` $z `)` (`extents` `(` $extents^ `)`)? `grid` $grid
    (`guarded` $guarded^)? (`untagged` $untagged^)? $formula attr-dict
  }];
  let hasVerifier = 1;
}

#endif // SWIZZLE_IR_SWIZZLEDIALECT_TD

//===- Passes.td - Passes of the swizzle project -----------*- tablegen -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes and the pipeline's options. docs/reference/Passes.md is
// generated from here.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_PASSES_TD
#define SWIZZLE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SwizzlePlanPass : Pass<"swizzle-plan", "::mlir::ModuleOp"> {
  let summary = "Find, prove and record a workgroup remap for each GPU kernel";
  let description = [{
    The hardware deals workgroups to dies and compute units in a fixed order, so
    the map from workgroup id to tile decides which tiles share a cache at the
    same time. This pass finds a better map. It analyses each kernel of the
    module, asks the agent for a remap formula (or takes the explicit one), proves
    it a permutation, and records it as a `swizzle.remap` op at the kernel's entry,
    through which every reading of a workgroup id then goes.

    With `formula="n = gx // num_xcds; return x % num_xcds * n + x // num_xcds, y"
    chip=mi300x`, which gives each of the eight dies a contiguous share of the
    rows, this kernel

    ```mlir
    gpu.module @kernels {
      gpu.func @scale(%a: memref<64x32xf32>) kernel
          attributes {known_grid_size = array<i32: 64, 32, 1>, known_block_size = array<i32: 1, 1, 1>} {
        %x = gpu.block_id x
        %y = gpu.block_id y
        %v = memref.load %a[%x, %y] : memref<64x32xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %a[%x, %y] : memref<64x32xf32>
        gpu.return
      }
    }
    ```

    becomes

    ```mlir
    gpu.module @kernels {
      gpu.func @scale(%a: memref<64x32xf32>) kernel
          attributes {known_grid_size = array<i32: 64, 32, 1>, known_block_size = array<i32: 1, 1, 1>} {
        %x = gpu.block_id x
        %y = gpu.block_id y
        %z = gpu.block_id z
        %newX, %newY, %newZ = swizzle.remap (%x, %y, %z) grid [64, 32, 1]
            #swizzle.formula<"n = gx // num_xcds; return x % num_xcds * n + x // num_xcds, y", params = {}, hardware = {num_xcds = 8 : i64}>
        %v = memref.load %a[%newX, %newY] : memref<64x32xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %a[%newX, %newY] : memref<64x32xf32>
        gpu.return
      }
    }
    ```

    **When it refuses.** A kernel is left exactly as it came, with a `missed`
    remark that carries reason, code and, where there is one, a counterexample, if

    - the formula is not a permutation of the grid, or cannot be proved one,
    - a reading of a workgroup id might be missed: unknown or indirect calls,
      inline assembly, cluster ids,
    - workgroups might communicate: atomics whose result is used, volatile or
      atomic loads of global memory, grid barriers, one workgroup writing what
      another touches,
    - it carries a remap already, and `compose` is not set,
    - its gpu.module names a target for which no chip is described; then there is a
      warning too,
    - nothing wins more than the remap costs by simulation (the agent's choice;
      an explicit formula is applied whenever it is legal).

    An explicit formula that is illegal or cannot be read is an error, and so are a
    chip that is needed and not known, a name in an option that nobody has (of a
    chip, an agent, a kernel, a file), sizes below 1, and files that are one file
    although one of them is written.

    **Which kernels.** Those that are marked: `gpu.func` with `kernel`, `gpu.launch`,
    and functions of the `llvm` dialect with a vendor's attribute or calling
    convention. Where nothing is marked, public functions of the `func` dialect that
    read a workgroup id, return nothing and are not called; that they are launched is
    an assumption then. `kernel=NAME` names one. If there is none, a warning says why.

    **What it costs.** The planner simulates within a budget of work, not of
    time, so that the same input gives the same output: below two seconds for
    nearly every kernel. `simulate=full` takes all figures in full detail, which
    may take hours. An explicit formula and an answer of the database are not
    simulated unless `simulate=fast` or `simulate=full` asks for it, and then no
    speed-up is claimed; `simulate=off` with an agent that decides by simulation
    is an error. `max-seconds` ends planning with the best orders so far, which
    then depend on the machine; the remark says so. docs/compile-time.md has the
    figures.

    **Other agents.** `agent=database database=FILE` takes what was found before
    from a tuning database: no network and no search, one lookup and one proof for
    each kernel. `agent=openai rounds=4` and the like run a loop: what is
    proposed is proved and simulated, and what came of it is told to the agent.
    `agent-config=FILE` says everything else about agents, servers, budgets and
    recordings (AgentConfig.md); options override single keys of it. A server's
    key is neither: `key-variable` names the environment variable that holds it. Whatever fails, from a refused connection to an illegal formula or a
    missing record, leaves the kernel as it is, and the `missed` remark says what
    happened; `on-failure=planner` asks the planner instead, `on-failure=error`
    ends the compilation.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"", "Chip to plan for, a name from the hardware database, or `native`">,
    Option<"hardwareFile", "hardware-file", "std::string", "", "JSON description of the chip">,
    Option<"formula", "formula", "std::string", "", "Explicit formula: text, or `@name` from the catalogue">,
    Option<"formulaFile", "formula-file", "std::string", "", "Explicit formula from a file, `-` for standard input">,
    Option<"agent", "agent", "std::string", "", "Who proposes formulas: planner (the default), neighbours, database, command, openai, anthropic, replay, human, or a list of them that take turns">,
    Option<"model", "model", "std::string", "", "Model that the server shall use">,
    Option<"baseUrl", "base-url", "std::string", "", "Where the language model is served, e.g. http://localhost:8080/v1">,
    Option<"command", "command", "std::string", "", "Program that agent 'command' runs">,
    Option<"database", "database", "std::string", "", "Tuning database of agent 'database'">,
    Option<"rounds", "rounds", "std::string", "", "Rounds of proposals and simulation, 4 if nothing is said">,
    Option<"iterations", "iterations", "std::string", "", "The former name of `rounds`">,
    Option<"agentConfig", "agent-config", "std::string", "", "JSON file with everything else about agents, servers, budgets and recordings; options override it">,
    Option<"grid", "grid", "std::string", "", "Launch grid to assume where the IR does not say, e.g. 64x64">,
    Option<"block", "block", "std::string", "", "Workgroup size to assume where the IR does not say, e.g. 256">,
    Option<"registers", "registers", "std::string", "", "Registers of a thread as the kernel is assembled, which say how many workgroups run beside each other; estimated from the IR if nothing is said">,
    Option<"dynamicWorkgroupBytes", "dynamic-workgroup-bytes", "std::string", "", "Workgroup memory that launches add, where the IR does not say; it says how many workgroups run beside each other">,
    Option<"strict", "strict", "bool", "false", "Refuse kernels whose independence rests on an assumption">,
    Option<"compose", "compose", "bool", "false", "Go on from a remap that a kernel already carries: an agent's takes its place if it beats it, an explicit formula is put on top of it">,
    Option<"onFailure", "on-failure", "std::string", "", "When an agent fails, or the database has no record: keep (the default), planner or error">,
    Option<"simulate", "simulate", "std::string", "", "How much is simulated: off, fast (samples) or full (all, in full detail); if nothing is said, fast for what decides by simulation, nothing for an explicit formula or an answer of the database">,
    Option<"maxSeconds", "max-seconds", "std::string", "", "Seconds for planning all kernels, after which the best orders so far are taken; 0 or nothing: no limit, and the same output for the same input">,
    Option<"kernel", "kernel", "std::string", "", "Only this kernel (`k`, or `module::k`); it may be a function that nothing marks as one">,
    Option<"tag", "tag", "std::string", "\"on\"", "on: kernels that were remapped carry swizzle.applied, which keeps them from being remapped twice; off: nothing is left in them">,
    Option<"report", "report", "std::string", "", "Write a JSON report to this file; /dev/stdout if -o takes the module elsewhere">,
  ];
  let dependentDialects = ["::swizzle::SwizzleDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::DLTIDialect", "::mlir::ub::UBDialect"];
}

def SwizzleMaterializePass : Pass<"swizzle-materialize", "::mlir::ModuleOp"> {
  let summary = "Lower swizzle.remap to the cheapest arithmetic that does it";
  let description = [{
    Every workgroup pays for its remap, so the arithmetic has to be cheap. This
    pass replaces each `swizzle.remap` by `arith` operations in 32 bits wherever
    the values allow it, and the kernel keeps the formula under `swizzle.applied`.

    On a known grid of up to 2^22 workgroups every intermediate value is computed
    for every workgroup first. What always has one value becomes a constant, what
    always agrees becomes one operation, a remap that only moves bits becomes a
    few bit fields of the ids, and a division by a short group's height becomes a
    product with one of two constants. The readings of ids and the new ids get
    bounds, so that back ends see how small addresses are and drop guards that
    have become redundant.

    On any other grid the formula is a loop nest over it, and its decoding is
    emitted in 32 bits under one condition that reads nothing but the extents;
    where the grid is too large for that, every workgroup keeps its id. A
    `guarded` remap is the identity unless the launch has the grid that was
    assumed. No division is executed whose divisor could be zero.

    ```mlir
    gpu.module @kernels {
      gpu.func @scale(%a: memref<64x32xf32>) kernel
          attributes {known_grid_size = array<i32: 64, 32, 1>, known_block_size = array<i32: 1, 1, 1>} {
        %x = gpu.block_id x
        %y = gpu.block_id y
        %z = gpu.block_id z
        %newX, %newY, %newZ = swizzle.remap (%x, %y, %z) grid [64, 32, 1]
            #swizzle.formula<"n = gx // num_xcds; return x % num_xcds * n + x // num_xcds, y", params = {}, hardware = {num_xcds = 8 : i64}>
        %v = memref.load %a[%newX, %newY] : memref<64x32xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %a[%newX, %newY] : memref<64x32xf32>
        gpu.return
      }
    }
    ```

    becomes, after `canonicalize`,

    ```mlir
    gpu.module @kernels {
      gpu.func @scale(%a: memref<64x32xf32>) kernel
          attributes {known_grid_size = array<i32: 64, 32, 1>, known_block_size = array<i32: 1, 1, 1>,
                      swizzle.applied = #swizzle.formula<"n = gx // num_xcds; return x % num_xcds * n + x // num_xcds, y", params = {}, hardware = {num_xcds = 8 : i64}>} {
        %c63 = arith.constant 63 : i32
        %c3 = arith.constant 3 : i32
        %c65 = arith.constant 65 : i32
        %x = gpu.block_id x upper_bound 64
        %y = gpu.block_id y upper_bound 32
        %i = arith.index_cast %x : index to i32
        %copies = arith.muli %i, %c65 overflow<nsw, nuw> : i32
        %turned = arith.shrui %copies, %c3 : i32
        %row = arith.andi %turned, %c63 : i32
        %newX = arith.index_castui %row : i32 to index
        %v = memref.load %a[%newX, %y] : memref<64x32xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %a[%newX, %y] : memref<64x32xf32>
        gpu.return
      }
    }
    ```

    In a function of the `llvm` dialect everything is emitted in that dialect, and
    the tag is a string among the function's `passthrough` attributes, so that
    `mlir-translate` takes it.

    **When it refuses.** The emitted operations are evaluated and compared with the
    formula before they stand: for every workgroup of a known grid, and on sample
    grids where the grid is not known (there the nest is the proof, and the samples
    check the emission). A formula that is undefined for some id, leaves the grid,
    or is no loop nest on a grid that is not known, and operations that differ from
    the formula, are errors that name the workgroup; the ids then stay as they
    were, and the IR is valid.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
}

def SwizzleStripTagsPass : Pass<"swizzle-strip-tags", "::mlir::ModuleOp"> {
  let summary = "Remove what remaps leave behind for later runs";
  let description = [{
    A kernel that was remapped carries `swizzle.applied`, which keeps it from being
    remapped twice. Tools without the swizzle dialect do not know the attribute.
    This pass removes it, and with it that protection; the kernel stays remapped.
    `tag=off` of `hw-aware-swizzle` leaves it out from the start.

    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel attributes {
          swizzle.applied = #swizzle.formula<"return gx - 1 - x", params = {}, hardware = {}>} {
        gpu.return
      }
    }
    ```

    becomes

    ```mlir
    gpu.module @kernels {
      gpu.func @k() kernel {
        gpu.return
      }
    }
    ```

    **When it refuses.** Never.
  }];
}

#endif // SWIZZLE_TRANSFORMS_PASSES_TD

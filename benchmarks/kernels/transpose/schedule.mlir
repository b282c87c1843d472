// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps the outer forall to workgroups and the inner ones to threads, with a
// barrier after each.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tile = transform.structured.match ops{["memref.alloca"]} in %func
      : (!transform.any_op) -> !transform.op<"memref.alloca">
    transform.memref.alloca_to_global %tile
      : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
    // The dynamic variant is launched by hand: nothing to do there.
    transform.alternatives %func : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      transform.gpu.map_forall_to_blocks %scope generate_gpu_launch
        : (!transform.any_op) -> !transform.any_op
    }, {
    ^bb0(%scope: !transform.any_op):
    }
    %launch = transform.structured.match ops{["gpu.launch"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [32, 8, 1]
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

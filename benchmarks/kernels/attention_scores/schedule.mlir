// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies: rows of 128 by 16 threads with 16 bytes each. The product of a thread
// becomes fused multiply-adds on vectors of four.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %staged = transform.structured.match ops{["memref.alloca"]} in %func
      : (!transform.any_op) -> !transform.op<"memref.alloca">
    transform.memref.alloca_to_global %staged
      : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
    %copies = transform.structured.match ops{["linalg.copy"]} in %func
      : (!transform.any_op) -> !transform.any_op
    %part, %threads = transform.structured.tile_using_forall %copies
      num_threads [16, 16] (mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %part : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.lower_outerproduct
      transform.apply_patterns.vector.lower_transpose
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
      transform.apply_patterns.canonicalization
    } : !transform.any_op

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
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [256, 1, 1]
      sync_after_distribute = false
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributes the copies over threads and the product over subgroups, splits the
// product into 16 x 16 x 16, and keeps the scores in registers across features. The
// pass pipeline turns the products into matrix fragments after outlining.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %allocas = transform.structured.match ops{["memref.alloca"]} in %func
      : (!transform.any_op) -> !transform.op<"memref.alloca">
    transform.memref.alloca_to_global %allocas
      : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)

    // Copies: one 16-byte vector a thread and step, rows side by side.
    %copies = transform.structured.match ops{["linalg.copy"]} in %func
      : (!transform.any_op) -> !transform.any_op
    %copy_q, %copy_k = transform.split_handle %copies
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part_q, %threads_q = transform.structured.tile_using_forall %copy_q
      num_threads [64, 4] (mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part_k, %threads_k = transform.structured.tile_using_forall %copy_k
      num_threads [16, 16] (mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %part_q : !transform.any_op
    transform.structured.vectorize %part_k : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
      transform.apply_patterns.canonicalization
    } : !transform.any_op

    // The product: 2 x 4 subgroups of 32 x 32, in fragments of 16 x 16 x 16; the
    // scores start from zeros in the same fragments.
    %fill = transform.structured.match ops{["linalg.fill"]} in %func
      : (!transform.any_op) -> !transform.any_op
    %zeros, %fill_subgroups = transform.structured.tile_using_forall %fill
      tile_sizes [32, 32] (mapping = [#gpu.warp<linear_dim_1>, #gpu.warp<linear_dim_0>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %zero, %fill_ms, %fill_ns = transform.structured.tile_using_for %zeros tile_sizes [16, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %zero : !transform.any_op
    transform.loop.unroll %fill_ns {factor = 2} : !transform.any_op
    transform.loop.unroll %fill_ms {factor = 2} : !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %func
      : (!transform.any_op) -> !transform.any_op
    %part, %subgroups = transform.structured.tile_using_forall %matmul
      tile_sizes [32, 32] (mapping = [#gpu.warp<linear_dim_1>, #gpu.warp<linear_dim_0>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fragment, %ks, %ms, %ns = transform.structured.tile_using_for %part
      tile_sizes [16, 16, 16] interchange = [2, 0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %fragment : !transform.any_op
    transform.loop.unroll %ns {factor = 2} : !transform.any_op
    transform.loop.unroll %ms {factor = 2} : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.fold_arith_extension
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
    %kernel = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %kernel {
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel : !transform.any_op
    %loops = transform.structured.match interface{LoopLikeInterface} in %kernel
      : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    %hoisted = transform.structured.hoist_redundant_vector_transfers %kernel
      : (!transform.any_op) -> !transform.any_op
    // Forwards the stored zeros to the first loads.
    transform.apply_registered_pass "test-vector-transferop-opt" to %hoisted
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

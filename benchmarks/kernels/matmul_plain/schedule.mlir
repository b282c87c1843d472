// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a matmul on tensors to a tensor-core kernel. The operands of each step along
// k are padded by nothing: that is how upstream gives them a buffer of their own,
// here in workgroup memory.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %matmul
      tile_sizes [128, 128] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %k = transform.structured.tile_using_for %tile tile_sizes [0, 0, 32]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %padded, %pad, %back = transform.structured.pad %step {
      padding_values = [0.0 : f16, 0.0 : f16, 0.0 : f32], padding_dimensions = [0, 1, 2],
      nofold_flags = [1, 1, 0], copy_back_op = "none"}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad_a = transform.get_producer_of_operand %padded[0]
      : (!transform.any_op) -> !transform.any_op
    %pad_b = transform.get_producer_of_operand %padded[1]
      : (!transform.any_op) -> !transform.any_op
    %buffer_a, %ops_a = transform.structured.bufferize_to_allocation %pad_a
      {memory_space = #gpu.address_space<workgroup>, bufferize_destination_only,
       memcpy_op = "linalg.copy", alloc_op = "memref.alloca"} : !transform.any_op
    %buffer_b, %ops_b = transform.structured.bufferize_to_allocation %pad_b
      {memory_space = #gpu.address_space<workgroup>, bufferize_destination_only,
       memcpy_op = "linalg.copy", alloc_op = "memref.alloca"} : !transform.any_op
    %bufferized = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true}
      : (!transform.any_op) -> !transform.any_op
    // C must not be returned as well: that would keep it out of registers.
    %buffers = transform.apply_registered_pass "drop-equivalent-buffer-results" to %bufferized
      : (!transform.any_op) -> !transform.any_op
    %early = transform.structured.match ops{["func.func"]} in %buffers
      : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %early : !transform.any_op
    transform.apply_patterns to %early {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %buffers
      : (!transform.any_op) -> !transform.any_op
    %allocas = transform.structured.match ops{["memref.alloca"]} in %func
      : (!transform.any_op) -> !transform.op<"memref.alloca">
    transform.memref.alloca_to_global %allocas
      : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)

    // Copies: one 16-byte vector a thread and step, rows side by side.
    %staging = transform.structured.match ops{["linalg.copy"]} in %func
      : (!transform.any_op) -> !transform.any_op
    %copy_a, %copy_b = transform.split_handle %staging
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part_a, %threads_a = transform.structured.tile_using_forall %copy_a
      num_threads [64, 4] (mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part_b, %threads_b = transform.structured.tile_using_forall %copy_b
      num_threads [16, 16] (mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %part_a : !transform.any_op
    transform.structured.vectorize %part_b : !transform.any_op

    // The product: 2 x 4 subgroups of 64 x 32, in fragments of 16 x 16 x 16.
    %product = transform.structured.match ops{["linalg.matmul"]} in %func
      : (!transform.any_op) -> !transform.any_op
    %part, %subgroups = transform.structured.tile_using_forall %product
      tile_sizes [64, 32] (mapping = [#gpu.warp<linear_dim_1>, #gpu.warp<linear_dim_0>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fragment, %ks, %ms, %ns = transform.structured.tile_using_for %part
      tile_sizes [16, 16, 16] interchange = [2, 0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %fragment : !transform.any_op
    transform.loop.unroll %ns {factor = 2} : !transform.any_op
    transform.loop.unroll %ms {factor = 4} : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.fold_arith_extension
      transform.apply_patterns.canonicalization
    } : !transform.any_op

    %launch = transform.gpu.map_forall_to_blocks %func generate_gpu_launch
      : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [256, 1, 1]
      : (!transform.any_op) -> !transform.any_op
    %kernel = transform.structured.match ops{["func.func"]} in %buffers
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
    transform.apply_cse to %hoisted : !transform.any_op
    %fragments = transform.apply_registered_pass "convert-vector-to-gpu" to %hoisted
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %fragments {
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

// The families of PTX instructions, by their names in selections.def. Each lowers one instruction, or throws Refused
// where its type or a modifier is not supported.
#pragma once

#include "isa/lower/selection.h"

namespace heddle::lower {

// select_integer.cpp: sums
void select_add(Selection& selection, const ptx::Instruction& instruction);
void select_neg(Selection& selection, const ptx::Instruction& instruction);
void select_abs(Selection& selection, const ptx::Instruction& instruction);
void select_min_max(Selection& selection, const ptx::Instruction& instruction);
void select_sad(Selection& selection, const ptx::Instruction& instruction);
// select_product.cpp
void select_mul(Selection& selection, const ptx::Instruction& instruction);
void select_mad(Selection& selection, const ptx::Instruction& instruction);
void select_dot(Selection& selection, const ptx::Instruction& instruction);
// select_carry.cpp: sums with carries
void select_add_with_carry(Selection& selection, const ptx::Instruction& instruction);
void select_mad_with_carry(Selection& selection, const ptx::Instruction& instruction);
// select_quotient.cpp
void select_div(Selection& selection, const ptx::Instruction& instruction);
void select_division_check(Selection& selection, const ptx::Instruction& instruction);
// select_logic.cpp
void select_logic(Selection& selection, const ptx::Instruction& instruction);
void select_not(Selection& selection, const ptx::Instruction& instruction);
void select_lop3(Selection& selection, const ptx::Instruction& instruction);
void select_cnot(Selection& selection, const ptx::Instruction& instruction);
// select_shift.cpp
void select_shift(Selection& selection, const ptx::Instruction& instruction);
void select_funnel_shift(Selection& selection, const ptx::Instruction& instruction);
// select_bits.cpp
void select_popc(Selection& selection, const ptx::Instruction& instruction);
void select_clz(Selection& selection, const ptx::Instruction& instruction);
void select_bfind(Selection& selection, const ptx::Instruction& instruction);
void select_brev(Selection& selection, const ptx::Instruction& instruction);
void select_bfe(Selection& selection, const ptx::Instruction& instruction);
void select_bfi(Selection& selection, const ptx::Instruction& instruction);
void select_bmsk(Selection& selection, const ptx::Instruction& instruction);
void select_szext(Selection& selection, const ptx::Instruction& instruction);
void select_vabsdiff4(Selection& selection, const ptx::Instruction& instruction);
void select_prmt(Selection& selection, const ptx::Instruction& instruction);
// select_compare.cpp
void select_setp(Selection& selection, const ptx::Instruction& instruction);
void select_set(Selection& selection, const ptx::Instruction& instruction);
void select_selp(Selection& selection, const ptx::Instruction& instruction);
void select_slct(Selection& selection, const ptx::Instruction& instruction);
// select_move.cpp
void select_mov(Selection& selection, const ptx::Instruction& instruction);
void select_cvta(Selection& selection, const ptx::Instruction& instruction);
// select_memory.cpp
void select_ld(Selection& selection, const ptx::Instruction& instruction);
void select_st(Selection& selection, const ptx::Instruction& instruction);
void select_createpolicy(Selection& selection, const ptx::Instruction& instruction);
/// What is a hint, or waits for something that has been, as of a launch before: results are the same without.
void select_nothing(Selection& selection, const ptx::Instruction& instruction);
void select_isspacep(Selection& selection, const ptx::Instruction& instruction);
// select_atomic.cpp
void select_atom(Selection& selection, const ptx::Instruction& instruction);
// select_control.cpp
void select_exit(Selection& selection, const ptx::Instruction& instruction);
void select_return(Selection& selection, const ptx::Instruction& instruction);
void select_trap(Selection& selection, const ptx::Instruction& instruction);
void select_nanosleep(Selection& selection, const ptx::Instruction& instruction);
// select_barrier.cpp
void select_bar(Selection& selection, const ptx::Instruction& instruction);
void select_fence(Selection& selection, const ptx::Instruction& instruction);
void select_proxy_fence(Selection& selection, const ptx::Instruction& instruction);
void select_cluster_wait(Selection& selection, const ptx::Instruction& instruction);
// select_warp.cpp
void select_shfl(Selection& selection, const ptx::Instruction& instruction);
void select_vote(Selection& selection, const ptx::Instruction& instruction);
void select_match(Selection& selection, const ptx::Instruction& instruction);
void select_redux(Selection& selection, const ptx::Instruction& instruction);
void select_activemask(Selection& selection, const ptx::Instruction& instruction);
void select_elect(Selection& selection, const ptx::Instruction& instruction);
void select_warp_sync(Selection& selection, const ptx::Instruction& instruction);
// select_float.cpp; each of the three is one of the cases of add, mul and so on
void select_float_sum(Selection& selection, const ptx::Instruction& instruction);
void select_float_product(Selection& selection, const ptx::Instruction& instruction);
void select_fma(Selection& selection, const ptx::Instruction& instruction);
void select_float_sign(Selection& selection, const ptx::Instruction& instruction);
void select_float_min_max(Selection& selection, const ptx::Instruction& instruction);
void select_float_quotient(Selection& selection, const ptx::Instruction& instruction);
void select_root(Selection& selection, const ptx::Instruction& instruction);
void select_approximation(Selection& selection, const ptx::Instruction& instruction);
void select_copysign(Selection& selection, const ptx::Instruction& instruction);
void select_testp(Selection& selection, const ptx::Instruction& instruction);
// select_compare_float.cpp: setp and set of floats
void select_float_setp(Selection& selection, const ptx::Instruction& instruction);
void select_float_set(Selection& selection, const ptx::Instruction& instruction);
// select_convert.cpp
void select_cvt(Selection& selection, const ptx::Instruction& instruction);
// select_copy.cpp: asynchronous copies
void select_cp_async(Selection& selection, const ptx::Instruction& instruction);
void select_commit_group(Selection& selection, const ptx::Instruction& instruction);
void select_wait_group(Selection& selection, const ptx::Instruction& instruction);
// select_matrix.cpp
void select_mma(Selection& selection, const ptx::Instruction& instruction);
void select_ldmatrix(Selection& selection, const ptx::Instruction& instruction);
// select_mbarrier.cpp
void select_mbarrier_init(Selection& selection, const ptx::Instruction& instruction);
void select_mbarrier_arrive(Selection& selection, const ptx::Instruction& instruction);
void select_mbarrier_bytes(Selection& selection, const ptx::Instruction& instruction);
void select_mbarrier_test(Selection& selection, const ptx::Instruction& instruction);
void select_mbarrier_pending_count(Selection& selection, const ptx::Instruction& instruction);
void select_arrival_of_copies(Selection& selection, const ptx::Instruction& instruction);
// select_sparse_matrix.cpp
void select_sparse_mma(Selection& selection, const ptx::Instruction& instruction);
// select_wmma.cpp
void select_wmma_load(Selection& selection, const ptx::Instruction& instruction);
void select_wmma_store(Selection& selection, const ptx::Instruction& instruction);
void select_wmma_mma(Selection& selection, const ptx::Instruction& instruction);

}  // namespace heddle::lower

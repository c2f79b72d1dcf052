// The families of expanded PTX instructions, by their names in expansions.def. Each writes the function that
// stands for one instruction; nothing where selection has the form, or where it does not exist.
#pragma once

#include <optional>

#include "isa/lower/expansion.h"

namespace heddle::lower {

// expand_video.cpp, expand_video_parts.cpp
std::optional<Expansion> expand_video(const ptx::Instruction& instruction);
std::optional<Expansion> expand_video_product(const ptx::Instruction& instruction);
std::optional<Expansion> expand_video_parts(const ptx::Instruction& instruction);
// expand_integer.cpp
std::optional<Expansion> expand_mad(const ptx::Instruction& instruction);
std::optional<Expansion> expand_sad(const ptx::Instruction& instruction);
std::optional<Expansion> expand_fns(const ptx::Instruction& instruction);
std::optional<Expansion> expand_lop3(const ptx::Instruction& instruction);
// expand_float.cpp
std::optional<Expansion> expand_mixed_float(const ptx::Instruction& instruction);
// expand_convert.cpp
std::optional<Expansion> expand_cvt(const ptx::Instruction& instruction);
std::optional<Expansion> expand_cvt_pack(const ptx::Instruction& instruction);
// expand_move.cpp
std::optional<Expansion> expand_mov(const ptx::Instruction& instruction);
std::optional<Expansion> expand_wide_load(const ptx::Instruction& instruction);
std::optional<Expansion> expand_wide_store(const ptx::Instruction& instruction);
std::optional<Expansion> expand_mapa(const ptx::Instruction& instruction);
std::optional<Expansion> expand_getctarank(const ptx::Instruction& instruction);
std::optional<Expansion> expand_fill(const ptx::Instruction& instruction);
// expand_redux.cpp
std::optional<Expansion> expand_redux(const ptx::Instruction& instruction);
// expand_mbarrier.cpp
std::optional<Expansion> expand_mbarrier(const ptx::Instruction& instruction);
std::optional<Expansion> expand_arrival_of_copies(const ptx::Instruction& instruction);
// expand_bulk_copy.cpp
std::optional<Expansion> expand_bulk_copy(const ptx::Instruction& instruction);
std::optional<Expansion> expand_bulk_reduction(const ptx::Instruction& instruction);
std::optional<Expansion> expand_async_store(const ptx::Instruction& instruction);
// expand_atomic.cpp
std::optional<Expansion> expand_atomic(const ptx::Instruction& instruction);
// expand_texture.cpp
std::optional<Expansion> expand_tex(const ptx::Instruction& instruction);
// expand_surface.cpp
std::optional<Expansion> expand_surface_load(const ptx::Instruction& instruction);
std::optional<Expansion> expand_surface_store(const ptx::Instruction& instruction);
// expand_matrix.cpp
std::optional<Expansion> expand_mma(const ptx::Instruction& instruction);
std::optional<Expansion> expand_movmatrix(const ptx::Instruction& instruction);
std::optional<Expansion> expand_stmatrix(const ptx::Instruction& instruction);
std::optional<Expansion> expand_ldmatrix(const ptx::Instruction& instruction);
// expand_wmma.cpp
std::optional<Expansion> expand_wmma_load(const ptx::Instruction& instruction);
std::optional<Expansion> expand_wmma_store(const ptx::Instruction& instruction);
std::optional<Expansion> expand_wmma_mma(const ptx::Instruction& instruction);

}  // namespace heddle::lower

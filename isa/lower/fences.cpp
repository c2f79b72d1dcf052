#include "isa/lower/fences.h"

#include "isa/lower/order_marks.h"

namespace heddle::lower {

FenceScope fence_scope(const ptx::Instruction& instruction, FenceScope otherwise) {
  if (instruction.has(ptx::Modifier::Sys)) return FenceScope::System;
  if (instruction.has(ptx::Modifier::Cta)) return FenceScope::Block;
  const bool is_gpu = instruction.has(ptx::Modifier::Gpu) || instruction.has(ptx::Modifier::Gl) ||
                      instruction.has(ptx::Modifier::Cluster);
  return is_gpu ? FenceScope::Gpu : otherwise;
}

void emit_fence(Selection& selection, FenceScope scope, bool is_in_order) {
  using ir::Opcode;
  switch (scope) {
    case FenceScope::Block:
      selection.emit(is_in_order ? Opcode::MembarScCta : Opcode::MembarAllCta, {});
      return;
    case FenceScope::Gpu:
      selection.emit(is_in_order ? Opcode::MembarScGpu : Opcode::MembarAllGpu, {});
      break;
    case FenceScope::System:
      selection.emit(is_in_order ? Opcode::MembarScSys : Opcode::MembarAllSys, {});
      break;
  }
  selection.emit(Opcode::Errbar, {});
}

void emit_acquire(Selection& selection, FenceScope scope) {
  emit_order_mark(selection.builder);
  // The block's threads share an L1.
  if (scope != FenceScope::Block) selection.emit(ir::Opcode::CctlIvall, {});
}

}  // namespace heddle::lower

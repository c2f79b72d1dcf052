// How bulk copies combine what they bring with what is there: UBLKRED, UTMAREDG.
#pragma once

#include <cstdint>

#include "isa/exec/atomic.h"
#include "isa/ir/instruction.h"

namespace heddle::exec {

/// The elements of a bulk reduction, and of a tensor.
enum class BulkElement : std::uint8_t { U8, U16, U32, S32, U64, S64, F16, F32, F64, Bf16 };

constexpr unsigned bytes_of(BulkElement element) {
  switch (element) {
    case BulkElement::U8: return 1;
    case BulkElement::U16:
    case BulkElement::F16:
    case BulkElement::Bf16: return 2;
    case BulkElement::U32:
    case BulkElement::S32:
    case BulkElement::F32: return 4;
    case BulkElement::U64:
    case BulkElement::S64:
    case BulkElement::F64: return 8;
  }
  return 0;
}

/// The elements that the instruction, an UBLKRED, names.
BulkElement bulk_element(const ir::Instruction& instruction);

/// What one element becomes, by a modifier of AtomicOperation; null if there is no such reduction of these elements.
AtomicFunction bulk_reduction(ir::Modifier operation, BulkElement element);

}  // namespace heddle::exec

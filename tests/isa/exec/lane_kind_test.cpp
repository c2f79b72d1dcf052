// Which translation unit computes a row, and as which other row one of the uniform datapath is computed.
#include "isa/exec/lane_kind.h"

#include "tests/support/catch.h"

namespace heddle::exec {
namespace {

const LaneRow& row_of(ir::Opcode opcode) { return kLaneRows[static_cast<std::size_t>(opcode)]; }

TEST_CASE("an instruction of the uniform datapath is computed as the one behind its U") {
  const std::pair<ir::Opcode, ir::Opcode> cases[] = {
      {ir::Opcode::Uiadd3X, ir::Opcode::Iadd3X},   {ir::Opcode::Uldc, ir::Opcode::Ldc},
      {ir::Opcode::Ldcu, ir::Opcode::Ldc},         {ir::Opcode::Usel64, ir::Opcode::Sel64},
      {ir::Opcode::Ui2fpU32, ir::Opcode::I2fpU32}, {ir::Opcode::Uiadd364, ir::Opcode::Uiadd364},
      {ir::Opcode::Iadd3, ir::Opcode::Iadd3},
  };
  for (const auto& [opcode, as] : cases) {
    CAPTURE(ir::info(opcode).mnemonic);
    CHECK(row_of(opcode).as == as);
  }
}

TEST_CASE("rows that lanes compute, and no others, have a kind and a function") {
  for (std::size_t i = 0; i < ir::kOpcodes; ++i) {
    ir::Instruction instruction;
    instruction.opcode = static_cast<ir::Opcode>(i);
    const ir::OpcodeInfo& row = ir::info(instruction.opcode);
    CAPTURE(row.mnemonic);
    const bool is_computed = row.action == ir::Action::Lanes || row.action == ir::Action::UniformLanes;
    CHECK((row_of(instruction.opcode).kind != LaneKind::None) == is_computed);
    // Comparisons and MUFU have a function once their modifiers are there.
    const bool needs_modifiers = row.modifier_count != 0 && row.modifier_required[0];
    if (!needs_modifiers) CHECK((lane_function(instruction) != nullptr) == is_computed);
  }
}

TEST_CASE("a row stands with those of its operands' type") {
  CHECK(row_of(ir::Opcode::Ffma).kind == LaneKind::Float);
  CHECK(row_of(ir::Opcode::Ufadd).kind == LaneKind::Float);
  CHECK(row_of(ir::Opcode::Dfma).kind == LaneKind::Double);
  CHECK(row_of(ir::Opcode::Hfma2).kind == LaneKind::Half);
  CHECK(row_of(ir::Opcode::F2fpF16).kind == LaneKind::Float);
  CHECK(row_of(ir::Opcode::F2iF64).kind == LaneKind::Convert);
  CHECK(row_of(ir::Opcode::Lop3).kind == LaneKind::Integer);
}

}  // namespace
}  // namespace heddle::exec

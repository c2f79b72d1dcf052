// A kernel made ready to execute: every operand resolved to a place, every function chosen, once per launch.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/exec/launch.h"
#include "isa/exec/semantics.h"
#include "isa/ir/kernel.h"
#include "isa/stream/static_op.h"

namespace heddle::exec {

/// A source operand: rows of the warp's registers, or of the launch's constants.
struct SourceRows {
  std::uint32_t row = 0;
  std::uint8_t rows = 0;        ///< 0: the instruction has no such operand.
  bool constant = false;
  bool negated = false;         ///< Registers and RZ only: other constants are negated when decoded.
  bool absolute = false;
};

struct PredicateSource {
  std::uint8_t index = ir::kPredicateTrue;
  bool negated = false;
};

struct Decoded {
  ir::Action action = ir::Action::Nop;
  bool is_float = false;           ///< How a negated or absolute source is meant.
  bool writes_predicates = false;  ///< A comparison: the function's result goes to predicates.
  bool has_modified_source = false;
  ir::Guard guard;
  LaneFunction function = nullptr;
  std::uint32_t out_row = 0;       ///< First row written.
  bool out_is_lost = false;        ///< The destination is RZ.
  std::uint8_t out_rows = 0;
  SourceRows a, b, c;              ///< Numeric sources in the order they are written.
  PredicateSource predicate;
  std::uint8_t out_predicate[2] = {ir::kPredicateTrue, ir::kPredicateTrue};
  ir::Modifier combine = ir::Modifier::BoolAnd;
  ir::Modifier shuffle = ir::Modifier::ShuffleModeNone;
  std::uint32_t immediate = 0;     ///< Truth table, barrier or special register.
  std::int64_t offset = 0;         ///< Of an address.
  std::uint8_t bytes = 0;          ///< A lane, of a load or store.
  bool shared = false;             ///< Shared memory rather than global.
  Pc target = 0;
  Pc reconvergence = 0;
};

/// A launch, decoded. Rows are `lanes` words; a warp owns `warp_rows` of them.
struct DecodedLaunch {
  std::vector<Decoded> instructions;
  std::vector<stream::StaticOp> static_ops;  ///< Beside `instructions`.
  std::vector<std::uint32_t> constants;      ///< Rows; the first four are zero, for RZ.
  std::uint32_t warp_rows = 0;
  std::vector<ir::RegisterUse> watched;  ///< Beside `instructions`, if a register may be read unwritten; else empty.
};

DecodedLaunch decode(const Launch& launch, unsigned lanes);

}  // namespace heddle::exec

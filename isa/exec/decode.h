// A kernel made ready to execute: every operand resolved to a place, every function chosen, once per launch.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/exec/atomic.h"
#include "isa/exec/launch.h"
#include "isa/exec/matrix_elements.h"
#include "isa/exec/paths.h"
#include "isa/exec/semantics.h"
#include "isa/ir/kernel.h"
#include "isa/ir/texture_operands.h"
#include "isa/stream/static_op.h"

namespace heddle::exec {

/// A source operand: rows of the warp's registers, or of the launch's constants.
struct SourceRows {
  std::uint32_t offset = 0;     ///< Where the first row lies, in words.
  std::uint8_t rows = 0;        ///< 0: the instruction has no such operand.
  bool constant = false;
  bool negated = false;         ///< Registers and RZ only: other constants are negated when decoded.
  bool absolute = false;
  ir::RegisterPart part = ir::RegisterPart::All;  ///< Registers only.

  [[nodiscard]] bool is_modified() const { return negated || absolute || part != ir::RegisterPart::All; }
};

/// A predicate that an instruction reads: its number (PT reads as true), and whether it is negated (!P0).
struct PredicateSource {
  std::uint8_t index = ir::kPredicateTrue;
  bool negated = false;
};

/// An instruction's guard, which names no virtual predicate any more.
struct DecodedGuard {
  std::uint8_t predicate = ir::kPredicateTrue;
  bool negated = false;

  [[nodiscard]] bool always() const { return ir::is_true_predicate(predicate) && !negated; }
};

/// What a branch asks beside its predicates: whether the lanes of a mask are together (BRA.CONV) or not (BRA.DIV), or
/// whether any lane's predicates hold (BRA.ANY).
enum class BranchTest : std::uint8_t { None, Diverged, Converged, Any };

/// A texture's or surface's instruction.
struct TextureForm {
  ir::TextureShape shape = ir::TextureShape::D1;
  std::uint8_t channels = ir::kAllChannels;
  std::uint8_t place = 0;       ///< Where the layer or the first coordinate is among the words of `a`, then `b`.
  bool by_number = false;       ///< Coordinates are numbers of texels.
  bool gathers = false;         ///< One channel of four texels is fetched.
  std::uint8_t gathered = 0;    ///< Which.
  ir::Modifier boundary = ir::Modifier::SurfaceBoundaryClamp;
  bool more_is_lost = true;     ///< The third and fourth channel go to RZ,
  std::uint32_t more_offset = 0;  ///< or there, in words.
};

/// One decoded instruction: where its operands lie, and the functions that compute it. Made once per launch and
/// read at each issue; it never changes.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what each instruction asks for comes first
struct alignas(64) Decoded {
  // What plain instructions need: one line of the host's cache.
  SourceRows a, b, c;              ///< Numeric sources in the order they are written; `c` is a texture's handle.
  LaneFunction function = nullptr;
  std::uint32_t out_offset = 0;    ///< Where the first row that is written lies, in words.
  std::uint32_t immediate = 0;     ///< Truth table, shift, barrier, special register or signs of descriptors; a second one in bits 8 to 15.
  ir::Action action = ir::Action::Nop;
  bool is_plain = false;           ///< Registers and constants in, registers out, lane by lane: nothing else.
  bool is_plain_for_all = false;   ///< Likewise, without a guard, and nobody watches what it reads.
  DecodedGuard guard;
  std::uint8_t out_rows = 0;
  bool is_for_warp = false;        ///< Writes uniform registers or predicates.

  bool out_is_lost = false;        ///< The destination is RZ.
  std::uint32_t sign_bits = 0;     ///< In a source's last row: what a sign turns over; 0: it takes 0 minus that row.
  bool writes_predicates = false;  ///< A comparison: the function's result goes to predicates.
  bool has_second_result = false;  ///< A comparison whose second predicate is not the opposite of the first.
  bool has_modified_source = false;
  AtomicFunction atomic = nullptr;
  bool keeps_predicate = false;    ///< The predicate that is written stays where it holds.
  bool tells_success = false;      ///< A compare-and-swap whose result says whether it has stored.
  PredicateSource predicates[3];   ///< Predicate sources, as written.
  std::uint8_t predicate_sources = 0;
  std::uint8_t first_packed = 0;   ///< P2R and R2P: the first predicate of those packed into a register, P0 or UP0.
  std::uint8_t out_predicate[2] = {ir::kPredicateTrue, ir::kPredicateTrue};
  ir::Modifier combine = ir::Modifier::BoolAnd;
  ir::Modifier shuffle = ir::Modifier::ShuffleModeNone;
  ir::Modifier vote = ir::Modifier::VoteModeNone;
  ir::Modifier reduction = ir::Modifier::ReductionAnd;
  bool reduces_signed = false;
  ir::Modifier barrier_reduction = ir::Modifier::BarrierReductionNone;
  MatrixElements elements;         ///< Of a product of matrices.
  bool is_transposed = false;      ///< LDSM transposes each matrix.
  std::int64_t offset = 0;         ///< Immediate offset of the address; a copy adds it to the address it reads.
  std::int64_t shared_offset = 0;  ///< Immediate offset of the address in shared memory.
  std::uint32_t scale = 1;         ///< The register of that address counts units of so many bytes.
  /// Uniform register that is added to that address; no rows if there is none. A product, which has no address, has the
  /// register with the metadata of a sparse matrix here; `immediate` is the number that chooses its lanes.
  SourceRows near_uniform;
  SourceRows far_uniform;          ///< Uniform register that is added to the address in global memory, likewise.
  std::uint8_t bank = 0;           ///< LDC: the constant bank that it reads.
  std::uint8_t bytes = 0;          ///< Bytes that a load, store or atomic moves for each lane.
  bool sign_extends = false;       ///< A load of fewer than 4 bytes that extends their sign.
  stream::MemorySpace space = stream::MemorySpace::None;
  TextureForm texture;
  ir::Modifier arrival = ir::Modifier::ArrivalAnnounce;  ///< How an mbarrier is arrived at, by lanes or by their copies.
  bool departs = false;            ///< And who arrives will not again.
  bool waits = false;              ///< Whoever tests an mbarrier waits for it.
  BranchTest branch_test = BranchTest::None;  ///< Asked of the lanes in mask `a`.
  Pc target = 0;
  Pc reconvergence = 0;

  [[nodiscard]] const SourceRows& metadata() const { return near_uniform; }
};

/// A launch, decoded. Rows are `lanes` words; a warp owns `warp_rows` of them.
struct DecodedLaunch {
  std::vector<Decoded> instructions;
  std::vector<stream::StaticOp> static_ops;  ///< Beside `instructions`.
  std::vector<std::uint32_t> constants;      ///< Rows; the first four are zero, for RZ.
  std::vector<std::byte> launch_bank;        ///< Constant bank 0, as far as it is not zero.
  std::vector<std::byte> data_bank;          ///< Constant bank 3.
  std::vector<std::byte> table_bank;         ///< Constant bank 2.
  std::vector<bool> is_labelled;             ///< Beside `instructions`: where an indirect branch may go.
  std::uint32_t warp_rows = 0;               ///< Registers, then uniform registers, the same in all lanes.
  std::uint32_t uniform_rows = 0;            ///< How many of `warp_rows` are uniform registers.
  std::uint32_t register_slots = 0;          ///< One more than the highest that may be used.
  std::vector<ir::RegisterUse> watched;  ///< Beside `instructions`, if a register may be read unwritten; else empty.
};

/// The bytes of a constant bank.
const std::vector<std::byte>& bank_of(const DecodedLaunch& launch, std::uint8_t bank);

/// Throws InputError if an instruction needs warps of more lanes, or cannot be executed at all.
DecodedLaunch decode(const Launch& launch, unsigned lanes, Divergence divergence);

}  // namespace heddle::exec

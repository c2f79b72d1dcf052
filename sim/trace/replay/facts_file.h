// Reads the facts file of a trace that Heddle recorded. With it the replay is exactly the run that was
// recorded.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/stream/static_op.h"
#include "sim/trace/format/facts.h"
#include "sim/trace/format/trace_header.h"
#include "sim/trace/read/line_window.h"
#include "sim/trace/replay/packed_step.h"

namespace heddle::trace {

/// Reads facts in the order of the trace: by block, by warp, by instruction.
class FactsFile {
 public:
  /// Throws InputError, with file and line, if the file is not a facts file.
  explicit FactsFile(const std::string& path);

  [[nodiscard]] std::uint32_t barriers() const { return head_.barriers; }
  [[nodiscard]] const ir::Kernel& kernel() const { return kernel_; }
  /// By Pc.
  [[nodiscard]] const std::vector<stream::StaticOp>& ops() const { return ops_; }
  /// The operation of a line. Throws LineMistake if the kernel has no such instruction.
  [[nodiscard]] std::uint32_t op_of(const TraceLine& line) const;

  /// Throws LineMistake if the kernel has another instruction at this pc: the trace or the kernel was
  /// changed.
  void require_same(const TraceInstruction& instruction) const;

  /// Adds the facts of an instruction to a step that was made from its line. `number` is the instruction's
  /// number in its warp. Throws InputError.
  void complete(BlockId block, std::uint32_t warp, std::uint64_t number, TraceStep& step);

  /// The facts of this block are not needed.
  void skip(BlockId block);
  /// No more facts are needed. Throws InputError if facts are left.
  void require_end() const;

 private:
  /// The instruction that the next facts belong to.
  struct Place {
    BlockId block = 0;
    std::uint32_t warp = 0;
    std::uint64_t number = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
  };

  static constexpr std::uint64_t kAny = ~std::uint64_t{0};

  void read_head();
  void read_kernel(std::uint64_t lines);
  void find_next();
  [[noreturn]] void fail_at_next() const;
  void take(TraceStep& step);
  void take(Fact fact, std::string_view said, TraceStep& step) const;
  std::string_view next_line();
  void require_lanes(const Place& here, const TraceStep& step) const;
  void require_addresses(const Place& here, const TraceStep& step) const;
  [[nodiscard]] std::uint64_t number_in(std::string_view text, std::string_view what,
                                        std::uint64_t most = kAny) const;
  [[nodiscard]] std::array<Addr, kLanes> addresses_in(std::string_view text, std::uint32_t mask) const;
  [[nodiscard]] std::array<Addr, kLanes> constants_in(std::string_view text, const TraceStep& step) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  LineWindow lines_;
  FactsHead head_;
  ir::Kernel kernel_;
  std::vector<stream::StaticOp> ops_;
  bool has_next_ = false;
  Place next_;
  std::string said_;          // facts of next_: "active=0000ffff barrier=1,4"
  std::uint32_t active_ = 0;  // active lanes of the last step
};

/// The path of the facts file that a trace's head names, beside the trace. Nothing if it names none.
std::optional<std::string> facts_path(const std::string& trace, const TraceHeader& header);
/// Opens that file; null if the head names none. Throws InputError if the file is missing.
std::unique_ptr<FactsFile> open_facts(const std::string& trace, const TraceHeader& header);

}  // namespace heddle::trace

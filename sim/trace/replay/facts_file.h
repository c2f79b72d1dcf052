// Reads what stands beside a recording of our own: all that makes its replay the run that it was.
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

/// Asked in the order of the trace: blocks, in them warps, in them instructions.
class FactsFile {
 public:
  /// Throws InputError, with file and line, where it is not such a file.
  explicit FactsFile(const std::string& path);

  [[nodiscard]] std::uint32_t barriers() const { return head_.barriers; }
  [[nodiscard]] const ir::Kernel& kernel() const { return kernel_; }
  /// By Pc.
  [[nodiscard]] const std::vector<stream::StaticOp>& ops() const { return ops_; }
  /// The operation of a line. Throws LineMistake if the kernel has no such instruction.
  [[nodiscard]] std::uint32_t op_of(const TraceLine& line) const;

  /// Throws LineMistake if the kernel's instruction at this place is another one: somebody has
  /// changed the trace, or the kernel.
  void require_same(const TraceInstruction& instruction) const;

  /// Puts into a step, made from the line alone, what is known beyond it. `number`: of the instruction in its
  /// warp. Throws InputError.
  void complete(BlockId block, std::uint32_t warp, std::uint64_t number, TraceStep& step);

  /// Of this block, nothing is asked.
  void skip(BlockId block);
  /// Nothing is asked any more. Throws InputError if there are facts left.
  void require_end() const;

 private:
  /// What the file's next facts are of.
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
  std::string said_;          // of next_: "active=0000ffff barrier=1,4"
  std::uint32_t active_ = 0;  // of the last step
};

/// The path of the file that a trace's head names, beside the trace; nothing if it names none.
std::optional<std::string> facts_path(const std::string& trace, const TraceHeader& header);
/// That file; null if it names none. Throws InputError if it is not there.
std::unique_ptr<FactsFile> open_facts(const std::string& trace, const TraceHeader& header);

}  // namespace heddle::trace

#include "sim/trace/replay/facts_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "isa/base/diagnostic.h"
#include "isa/base/read_number.h"
#include "isa/stream/block_barrier.h"
#include "isa/stream/warp_source.h"
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "sim/trace/format/sass_form.h"
#include "sim/trace/replay/line_mistake.h"

namespace heddle::trace {

namespace {

constexpr std::uint64_t kMostKernelLines = 1U << 20;
constexpr std::uint64_t kMostWarpsToMeet = 0xffff;

/// Removes and returns the text before the next `separator`; the whole text if there is none.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view first = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return first;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

FactsFile::FactsFile(const std::string& path) : path_(path), lines_(open_source(path)) {
  read_head();
  find_next();
}

void FactsFile::read_head() {
  if (next_line() != kFactsFirstLine) fail(fmt::format("the first line must be '{}'", kFactsFirstLine));
  std::string_view barriers = next_line();
  if (!take_prefix(barriers, kFactsBarriers)) fail(fmt::format("here must be '{}N'", kFactsBarriers));
  head_.barriers =
      static_cast<std::uint32_t>(number_in(barriers, "the number of barriers", stream::kBarriersPerBlock));
  std::string_view lines = next_line();
  if (!take_prefix(lines, kFactsKernel) || !lines.ends_with(kFactsKernelLines)) {
    fail(fmt::format("here must be '{}N{}'", kFactsKernel, kFactsKernelLines));
  }
  lines.remove_suffix(kFactsKernelLines.size());
  read_kernel(number_in(lines, "the number of lines"));
}

void FactsFile::read_kernel(std::uint64_t lines) {
  if (lines > kMostKernelLines) fail(fmt::format("a kernel has at most {} lines", kMostKernelLines));
  for (; lines != 0; --lines) head_.kernel.append(next_line()) += '\n';
  std::vector<ir::Kernel> kernels = text::assemble(head_.kernel, fmt::format("the kernel in {}", path_));
  if (kernels.size() != 1) fail("there must be one kernel");
  kernel_ = std::move(kernels.front());
  ops_ = stream::make_static_ops(kernel_);
  stream::obey_control_codes(kernel_, ops_);
}

std::uint32_t FactsFile::op_of(const TraceLine& line) const {
  const std::uint64_t pc = line.instruction->pc / ir::kInstructionBytes;
  if (pc < ops_.size()) return static_cast<std::uint32_t>(pc);
  throw LineMistake(fmt::format("the kernel in {} has {} instructions, so none at {:04x}", path_, ops_.size(),
                                line.instruction->pc));
}

void FactsFile::require_same(const TraceInstruction& instruction) const {
  const std::uint64_t pc = instruction.pc / ir::kInstructionBytes;
  if (pc >= ops_.size()) return;  // op_of() reports it
  const TraceInstruction expected = sass_form(kernel_, static_cast<Pc>(pc)).instruction;
  const bool same = expected.opcode == instruction.opcode &&
                    expected.has_destination == instruction.has_destination &&
                    expected.destination == instruction.destination &&
                    expected.sources == instruction.sources && expected.source == instruction.source;
  if (same) return;
  throw LineMistake(fmt::format(
      "{} at {:04x}, where the kernel in {} has {}{}: one of them was changed after the recording; without "
      "the line '{}...' in its head, the trace alone is replayed",
      instruction.opcode, instruction.pc, path_, expected.opcode,
      expected.opcode == instruction.opcode ? " with other registers" : "", kFactsKey));
}

void FactsFile::complete(BlockId block, std::uint32_t warp, std::uint64_t number, TraceStep& step) {
  if (number == 0) active_ = step.live;
  const bool guarded = !kernel_.instructions[step.op].guard.always();
  step.active = expected_active(step.executed, guarded, active_, step.live);
  const Place here{block, warp, number};
  if (has_next_ && next_ < here) fail_at_next();
  if (has_next_ && next_ == here) {
    take(step);
    find_next();
  }
  require_lanes(here, step);
  require_addresses(here, step);
  active_ = step.active;
}

void FactsFile::skip(BlockId block) {
  while (has_next_ && next_.block == block) find_next();
}

void FactsFile::require_end() const {
  if (has_next_) fail_at_next();
}

void FactsFile::fail_at_next() const {
  fail(fmt::format("facts of block {}, warp {}, instruction {}, which the trace has not, or not here",
                   next_.block, next_.warp, next_.number));
}

void FactsFile::take(TraceStep& step) {
  std::string_view rest = said_;
  while (!rest.empty()) {
    std::string_view said = cut(rest, ' ');
    const std::string_view name = cut(said, '=');
    const std::optional<Fact> fact = find_fact(name);
    if (!fact) fail(fmt::format("'{}' is no fact; there are {}", name, fmt::join(kFactNames, ", ")));
    take(*fact, said, step);
  }
}

void FactsFile::take(Fact fact, std::string_view said, TraceStep& step) const {
  switch (fact) {
    case Fact::Active:
      if (!read_number(said, step.active, 16)) fail("active: must be a mask");
      break;
    case Fact::Barrier:
      step.barrier = {};
      step.barrier.id =
          static_cast<std::uint8_t>(number_in(cut(said, ','), "the barrier", ir::kMaxBlockBarrier));
      step.barrier.warps =
          static_cast<std::uint16_t>(number_in(said, "the number of warps", kMostWarpsToMeet));
      break;
    case Fact::Sleep:
      step.nanoseconds = static_cast<std::uint32_t>(number_in(said, "the time", stream::kLongestSleep));
      break;
    case Fact::Shared:
      step.shared_addresses = addresses_in(said, step.executed);
      step.has_shared_addresses = true;
      break;
    case Fact::Constant:
      step.addresses = constants_in(said, step);
      step.has_addresses = true;
      break;
  }
}

/// Active lanes must be live, and executing lanes must be active.
void FactsFile::require_lanes(const Place& here, const TraceStep& step) const {
  if ((step.executed & ~step.active) == 0 && (step.active & ~step.live) == 0) return;
  fail(fmt::format(
      "block {}, warp {}, instruction {}: the active lanes, {:08x}, must be those that execute, {:08x}, or "
      "more, but live, {:08x}",
      here.block, here.warp, here.number, step.active, step.executed, step.live));
}

/// Constant loads with lane addresses are timed by these addresses, which a trace's line does not have.
void FactsFile::require_addresses(const Place& here, const TraceStep& step) const {
  if (step.executed == 0 || step.has_addresses || !ops_[step.op].has_constant_address) return;
  fail(fmt::format("block {}, warp {}, instruction {}: no fact says which constants the lanes of '{}' read",
                   here.block, here.warp, here.number, text::disassemble(kernel_, step.op)));
}

/// Moves to the next line with facts, past the lines that name its block and warp.
void FactsFile::find_next() {
  for (;;) {
    const LineWindow::Found found = lines_.next();
    has_next_ = found == LineWindow::Found::Line;
    if (found == LineWindow::Found::End) return;
    if (!has_next_) fail("the file ends within a line, or the line is too long");
    std::string_view text = lines_.text();
    if (take_prefix(text, kFactsBlock)) {
      next_ = {number_in(text, "the block"), 0, 0};
    } else if (take_prefix(text, kFactsWarp)) {
      next_ = {next_.block, static_cast<std::uint32_t>(number_in(text, "the warp")), 0};
    } else {
      next_.number = number_in(cut(text, ' '), "the instruction's number");
      said_ = text;
      return;
    }
  }
}

std::string_view FactsFile::next_line() {
  if (lines_.next() != LineWindow::Found::Line) fail("the file ends before its head does");
  return lines_.text();
}

std::uint64_t FactsFile::number_in(std::string_view text, std::string_view what, std::uint64_t most) const {
  std::uint64_t value = 0;
  if (!read_number(text, value)) fail(fmt::format("'{}': {} must be a number", text, what));
  if (value > most) fail(fmt::format("'{}': {} must be at most {}", text, what, most));
  return value;
}

/// Reads addresses in one of the formats of trace_text.h, with colons: a list, a base and a stride, or a base
/// and differences.
std::array<Addr, kLanes> FactsFile::addresses_in(std::string_view text, std::uint32_t mask) const {
  const std::string_view format = cut(text, ':');
  std::array<Addr, kLanes> addresses{};
  Addr last = 0;
  std::int64_t step = 0;
  bool is_first = true;
  for_each_lane(mask, [&](unsigned lane) {
    if (is_first || format == "0") {
      std::string_view address = cut(text, ':');
      if (!take_prefix(address, "0x") || !read_number(address, last, 16)) fail("here must be an address");
    } else {
      if ((format == "2" || !text.empty()) && !read_number(cut(text, ':'), step))
        fail("here must be a difference");
      last += static_cast<Addr>(step);
    }
    is_first = false;
    addresses[lane] = last;
  });
  return addresses;
}

/// Reads constant addresses. They must lie in the bank, because a table of its size times them.
std::array<Addr, kLanes> FactsFile::constants_in(std::string_view text, const TraceStep& step) const {
  if (!ops_[step.op].has_constant_address) {
    fail(fmt::format("the lanes of '{}' name no constants", text::disassemble(kernel_, step.op)));
  }
  const std::array<Addr, kLanes> offsets = addresses_in(text, step.executed);
  for_each_lane(step.executed, [&](unsigned lane) {
    if (offsets[lane] < ir::kConstantBankBytes) return;
    fail(fmt::format("lane {} names {:#x}, but a bank of constants has {} bytes", lane, offsets[lane],
                     ir::kConstantBankBytes));
  });
  return offsets;
}

void FactsFile::fail(const std::string& what) const {
  throw InputError({path_, static_cast<std::uint32_t>(lines_.number()), 0}, what);
}

std::optional<std::string> facts_path(const std::string& trace, const TraceHeader& header) {
  for (const std::string& line : header.unknown) {
    std::string_view name = line;
    if (take_prefix(name, kFactsKey)) return (std::filesystem::path(trace).parent_path() / name).string();
  }
  return std::nullopt;
}

std::unique_ptr<FactsFile> open_facts(const std::string& trace, const TraceHeader& header) {
  const std::optional<std::string> path = facts_path(trace, header);
  if (!path) return nullptr;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(*path, ignored)) return std::make_unique<FactsFile>(*path);
  const std::string name = std::filesystem::path(*path).filename().string();
  throw InputError(
      {trace, 0, 0},
      fmt::format("it was recorded by Heddle, and its file {} is not beside it; without the line "
                  "'{}{}' it is replayed as any other trace",
                  name, kFactsKey, name));
}

}  // namespace heddle::trace

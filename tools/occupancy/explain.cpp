#include "tools/occupancy/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/types.h"
#include "tools/report/text_columns.h"
#include "tools/report/words.h"

namespace heddle::occupancy {

namespace {

using report::counted;
using report::grouped;
using sim::Resource;

/// A quotient and its integer part: "12.8, so 12"; just "12" if it is whole.
std::string quotient_text(std::uint64_t amount, std::uint64_t by) {
  if (amount % by == 0) return grouped(amount / by);
  const double exact = static_cast<double>(amount) / static_cast<double>(by);
  return fmt::format("{:.2f}, so {}", exact, grouped(amount / by));
}

/// "rounded up to a multiple of 256: 1,280"; empty if there is nothing to round.
std::string rounding_text(std::uint64_t exact, std::uint64_t rounded, std::uint64_t unit) {
  if (exact == rounded) return "";
  return fmt::format(", rounded up to a multiple of {}: {}", grouped(unit), grouped(rounded));
}

class Explainer {
 public:
  explicit Explainer(const Answer& answer)
      : answer_(answer),
        limits_(answer.question.device.limits),
        kernel_(answer.question.resources),
        found_(answer.occupancy) {}

  Explanation explain() const {
    Explanation result;
    result.block = block_lines();
    result.hardware = hardware_lines();
    result.textbook = textbook_lines();
    if (answer_.textbook.warps != found_.warps_per_sm) result.differences = differences();
    return result;
  }

 private:
  [[nodiscard]] std::vector<ExplainedLine> block_lines() const {
    std::vector<ExplainedLine> lines;
    lines.push_back(
        {"warps", fmt::format("{} / {} = {}", counted(kernel_.block.count(), "thread"), limits_.warp_size,
                              quotient_up(kernel_.block.count(), limits_.warp_size))});
    const std::uint64_t exact = std::uint64_t{kernel_.registers_per_thread} * limits_.warp_size;
    lines.push_back(
        {"registers",
         fmt::format("{} x {} threads = {} a warp{}; x {} = {}",
                     counted(kernel_.registers_per_thread, "register"), limits_.warp_size, grouped(exact),
                     rounding_text(exact, found_.block.registers_per_warp, limits_.register_unit),
                     counted(found_.block.warps, "warp"), grouped(found_.block.registers))});
    lines.push_back({"shared", shared_of_block()});
    if (limits_.barriers > 0) lines.push_back({"barriers", grouped(kernel_.barriers)});
    return lines;
  }

  [[nodiscard]] std::string shared_of_block() const {
    const std::uint64_t asked = kernel_.shared_bytes();
    const std::uint64_t exact = asked + limits_.shared_reserved;
    std::string text = counted(asked, "byte");
    if (kernel_.static_shared > 0 && kernel_.dynamic_shared > 0) {
      text = fmt::format("{} static + {} dynamic", grouped(kernel_.static_shared),
                         grouped(kernel_.dynamic_shared));
    }
    if (limits_.shared_reserved > 0)
      text += fmt::format(" + {} reserved by the system", grouped(limits_.shared_reserved));
    if (exact != asked || text.find('+') != std::string::npos) text += fmt::format(" = {}", grouped(exact));
    return text + rounding_text(exact, found_.block.shared_bytes, limits_.shared_unit);
  }

  [[nodiscard]] std::vector<ExplainedLine> hardware_lines() const {
    std::vector<ExplainedLine> lines;
    lines.push_back({"warps", warps_text()});
    lines.push_back({"blocks", counted(limits_.max_blocks, "block slot")});
    lines.push_back({"registers", registers_text()});
    lines.push_back({"shared", shared_text()});
    if (found_.limit(Resource::Barriers) != sim::kNoBlockLimit) {
      lines.push_back({"barriers", fmt::format("{} / {} = {}", limits_.barriers, kernel_.barriers,
                                               quotient_text(limits_.barriers, kernel_.barriers))});
    }
    if (found_.limit(Resource::Virtual) != sim::kNoBlockLimit) {
      lines.push_back(
          {"virtual", fmt::format("{} / {} = {}", limits_.virtual_resources, kernel_.virtual_resources,
                                  quotient_text(limits_.virtual_resources, kernel_.virtual_resources))});
    }
    lines.push_back(
        {"least",
         fmt::format("{} x {} = {} of {} warps = {}, limited by {}", counted(found_.blocks_per_sm, "block"),
                     counted(found_.block.warps, "warp"), found_.warps_per_sm, limits_.max_warps,
                     report::percent(found_.occupancy), report::limiters_text(found_))});
    return lines;
  }

  [[nodiscard]] std::string warps_text() const {
    if (!found_.partitioned_caching) {
      return fmt::format("{} / {} = {}", limits_.max_warps, found_.block.warps,
                         quotient_text(limits_.max_warps, found_.block.warps));
    }
    return fmt::format("{} in each half of the SM, / {} = {}; x 2 = {}", limits_.max_warps / 2,
                       found_.block.warps, quotient_text(limits_.max_warps / 2, found_.block.warps),
                       found_.limit(Resource::Warps));
  }

  [[nodiscard]] std::string registers_text() const {
    if (found_.block.registers_per_warp == 0) return "none are used: no limit";
    const std::uint64_t pool = limits_.registers / limits_.register_partitions;
    const std::uint64_t warps = pool / found_.block.registers_per_warp;
    std::string text = fmt::format(
        "{} in {} of {}; / {} = {} in each, {} in all", grouped(limits_.registers),
        counted(limits_.register_partitions, "pool"), grouped(pool), grouped(found_.block.registers_per_warp),
        quotient_text(pool, found_.block.registers_per_warp) + (warps == 1 ? " warp" : " warps"),
        warps * limits_.register_partitions);
    if (found_.partitioned_caching) {
      return text + fmt::format("; a half of them / {} x 2 = {}", found_.block.warps,
                                found_.limit(Resource::Registers));
    }
    return text + fmt::format("; / {} = {}", found_.block.warps,
                              quotient_text(warps * limits_.register_partitions, found_.block.warps));
  }

  [[nodiscard]] std::string shared_text() const {
    if (found_.block.shared_bytes == 0) return "none is used: no limit";
    std::string text;
    if (kernel_.carveout_percent) {
      text = fmt::format("a carve-out of {} % of {} is {}: ", *kernel_.carveout_percent,
                         grouped(limits_.shared_bytes), report::byte_text(found_.shared_capacity));
    }
    return text + fmt::format("{} / {} = {}", grouped(found_.shared_capacity),
                              grouped(found_.block.shared_bytes),
                              quotient_text(found_.shared_capacity, found_.block.shared_bytes));
  }

  [[nodiscard]] std::vector<ExplainedLine> textbook_lines() const {
    const std::uint64_t registers = std::uint64_t{kernel_.registers_per_thread} * limits_.warp_size;
    std::vector<ExplainedLine> lines;
    lines.push_back({"warps", fmt::format("{} an SM", counted(limits_.max_warps, "warp"))});
    lines.push_back({"blocks", fmt::format("{} x {} = {}", counted(limits_.max_blocks, "block"),
                                           counted(found_.block.warps, "warp"),
                                           counted(*answer_.textbook.limit(Resource::Blocks), "warp"))});
    if (registers > 0) {
      lines.push_back({"registers", fmt::format("{} / ({} x {}) = {} warps", grouped(limits_.registers),
                                                kernel_.registers_per_thread, limits_.warp_size,
                                                quotient_text(limits_.registers, registers))});
    }
    if (kernel_.shared_bytes() > 0) {
      lines.push_back({"shared", fmt::format("{} / {} = {} blocks; x {} = {}", grouped(limits_.shared_bytes),
                                             grouped(kernel_.shared_bytes()),
                                             quotient_text(limits_.shared_bytes, kernel_.shared_bytes()),
                                             counted(found_.block.warps, "warp"),
                                             counted(*answer_.textbook.limit(Resource::Shared), "warp"))});
    }
    lines.push_back({"least", fmt::format("{} of {} warps = {}", answer_.textbook.warps, limits_.max_warps,
                                          report::percent(answer_.textbook.occupancy))});
    return lines;
  }

  /// Each rule that the textbook's formula lacks, if it changes the number of warps.
  [[nodiscard]] std::vector<std::string> differences() const {
    std::vector<std::string> reasons;
    add_register_reasons(reasons);
    add_shared_reasons(reasons);
    add_other_reasons(reasons);
    return reasons;
  }

  /// Whether the hardware's rules allow fewer warps for this resource than the formula.
  [[nodiscard]] bool allows_less(Resource resource) const {
    const std::uint64_t blocks = found_.limit(resource);
    return blocks * found_.block.warps < answer_.textbook.warps;
  }

  void add_register_reasons(std::vector<std::string>& reasons) const {
    if (found_.block.registers_per_warp == 0 || !allows_less(Resource::Registers)) return;
    const std::uint64_t exact = std::uint64_t{kernel_.registers_per_thread} * limits_.warp_size;
    const std::uint64_t allocated = found_.block.registers_per_warp;
    const std::uint64_t pool = limits_.registers / limits_.register_partitions;
    const std::uint64_t by_unit = limits_.registers / allocated;
    const std::uint64_t by_pool = pool / allocated * limits_.register_partitions;
    if (by_unit < limits_.registers / exact) {
      reasons.push_back(fmt::format("a warp's {} registers are allocated in units of {}: {}", grouped(exact),
                                    limits_.register_unit, grouped(allocated)));
    }
    if (by_pool < by_unit) {
      reasons.push_back(fmt::format(
          "a warp's registers come from one of {} pools of {}, and what a pool has left over does not "
          "add up to another warp: {} warps, not {}",
          limits_.register_partitions, grouped(pool), by_pool, by_unit));
    }
    if (by_pool % found_.block.warps != 0) {
      reasons.push_back(fmt::format("blocks come whole: {} warps have room for {} of {} warps", by_pool,
                                    counted(found_.limit(Resource::Registers), "block"), found_.block.warps));
    } else if (answer_.textbook.warps % found_.block.warps != 0) {
      reasons.push_back(fmt::format("{} warps are no whole number of blocks of {} warps",
                                    answer_.textbook.warps, found_.block.warps));
    }
  }

  void add_shared_reasons(std::vector<std::string>& reasons) const {
    if (found_.block.shared_bytes == 0 || !allows_less(Resource::Shared)) return;
    const std::uint64_t asked = kernel_.shared_bytes();
    const std::uint64_t with_reserved = asked + limits_.shared_reserved;
    if (limits_.shared_reserved > 0) {
      reasons.push_back(
          fmt::format("the system reserves {} bytes of shared memory for each block: {} instead of {}",
                      grouped(limits_.shared_reserved), grouped(with_reserved), grouped(asked)));
    }
    if (with_reserved != found_.block.shared_bytes) {
      reasons.push_back(fmt::format("shared memory is allocated in units of {} bytes: {} for each block",
                                    limits_.shared_unit, grouped(found_.block.shared_bytes)));
    }
    if (found_.shared_capacity < limits_.shared_bytes) {
      reasons.push_back(fmt::format("the carve-out leaves {} of {} for shared memory",
                                    report::byte_text(found_.shared_capacity),
                                    report::byte_text(limits_.shared_bytes)));
    }
  }

  void add_other_reasons(std::vector<std::string>& reasons) const {
    if (allows_less(Resource::Warps)) {
      reasons.push_back(found_.partitioned_caching
                            ? fmt::format("a block keeps to one half of the SM, for its loads to be cached")
                            : fmt::format("blocks come whole: {} warp slots hold {} of {} warps",
                                          limits_.max_warps, counted(found_.limit(Resource::Warps), "block"),
                                          found_.block.warps));
    }
    for (const Resource resource : {Resource::Barriers, Resource::Virtual}) {
      if (!allows_less(resource)) continue;
      reasons.push_back(fmt::format("the formula knows nothing of {}", info(resource).summary));
    }
  }

  static std::string quotient_up(std::uint64_t amount, std::uint64_t by) {
    if (amount % by == 0) return counted(amount / by, "warp");
    return fmt::format("{:.2f}, so {}", static_cast<double>(amount) / static_cast<double>(by),
                       counted(divide_up(amount, by), "warp"));
  }

  const Answer& answer_;
  const sim::OccupancySpec& limits_;
  const sim::KernelResources& kernel_;
  const sim::Occupancy& found_;
};

/// Adds the words after the label. What does not fit continues on the next lines.
void add_line(std::string& text, const std::string& label, std::string_view words, std::size_t columns) {
  const std::size_t room = columns - std::min(label.size(), columns - 1);
  std::string indent = label;
  for (const std::string& line : report::wrapped_lines(words, room, room)) {
    text += fmt::format("{}{}\n", indent, line);
    indent.assign(label.size(), ' ');
  }
}

void add_lines(std::string& text, std::string_view title, const std::vector<ExplainedLine>& lines,
               std::size_t columns) {
  text += fmt::format("{}\n", title);
  for (const ExplainedLine& line : lines)
    add_line(text, fmt::format("  {:<10} ", line.about), line.text, columns);
}

}  // namespace

Explanation explain(const Answer& answer) { return Explainer(answer).explain(); }

std::string to_text(const Explanation& explanation, std::size_t columns) {
  std::string text;
  add_lines(text, "What one block takes", explanation.block, columns);
  add_lines(text, "\nHow many blocks an SM holds", explanation.hardware, columns);
  add_lines(text, "\nThe textbook's formula", explanation.textbook, columns);
  if (explanation.differences.empty()) return text + "\nBoth agree.\n";
  text += "\nWhy they differ\n";
  for (const std::string& reason : explanation.differences) add_line(text, "  - ", reason, columns);
  return text;
}

}  // namespace heddle::occupancy

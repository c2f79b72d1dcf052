#include "sim/trace/format/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/trace/format/trace_text.h"

namespace heddle::trace {

namespace {

using Out = std::back_insert_iterator<std::string>;

void append_addresses(std::string& text, std::uint32_t mask, const std::array<Addr, kLanes>& addresses) {
  std::string columns;
  append_addresses(columns, mask, addresses, shortest_format(mask, addresses));
  columns.pop_back();
  std::replace(columns.begin(), columns.end(), ' ', ':');
  text += columns;
}

}  // namespace

std::optional<Fact> find_fact(std::string_view name) {
  const auto found = std::find(kFactNames.begin(), kFactNames.end(), name);
  if (found == kFactNames.end()) return std::nullopt;
  return static_cast<Fact>(found - kFactNames.begin());
}

std::string to_text(const FactsHead& head) {
  const auto lines = std::count(head.kernel.begin(), head.kernel.end(), '\n');
  return fmt::format("{}\n{}{}\n{}{}{}\n{}", kFactsFirstLine, kFactsBarriers, head.barriers, kFactsKernel,
                     lines, kFactsKernelLines, head.kernel);
}

void append_facts(std::string& text, const Facts& facts, std::uint32_t mask) {
  std::string said;
  const auto begin = [&said](Fact fact) -> std::string& {
    return said.append(" ").append(name_of(fact)) += '=';
  };
  if (facts.active) fmt::format_to(Out(begin(Fact::Active)), "{:08x}", *facts.active);
  if (facts.barrier)
    fmt::format_to(Out(begin(Fact::Barrier)), "{},{}", facts.barrier->id, facts.barrier->warps);
  if (facts.nanoseconds) fmt::format_to(Out(begin(Fact::Sleep)), "{}", *facts.nanoseconds);
  if (facts.shared) append_addresses(begin(Fact::Shared), mask, *facts.shared);
  if (facts.constant) append_addresses(begin(Fact::Constant), mask, *facts.constant);
  if (!said.empty()) fmt::format_to(Out(text), "{}{}\n", facts.number, said);
}

}  // namespace heddle::trace

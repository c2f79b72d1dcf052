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

std::string to_text(const FactsHead& head) {
  const auto lines = std::count(head.kernel.begin(), head.kernel.end(), '\n');
  return fmt::format("{}\n{}{}\n{}{}{}\n{}", kFactsFirstLine, kFactsBarriers, head.barriers, kFactsKernel,
                     lines, kFactsKernelLines, head.kernel);
}

void append_facts(std::string& text, const Facts& facts, std::uint32_t mask) {
  std::string said;
  if (facts.active) fmt::format_to(Out(said), " active={:08x}", *facts.active);
  if (facts.barrier) fmt::format_to(Out(said), " barrier={},{}", facts.barrier->id, facts.barrier->warps);
  if (facts.nanoseconds) fmt::format_to(Out(said), " sleep={}", *facts.nanoseconds);
  if (facts.shared) append_addresses(said += " shared=", mask, *facts.shared);
  if (facts.constant) append_addresses(said += " constant=", mask, *facts.constant);
  if (!said.empty()) fmt::format_to(Out(text), "{}{}\n", facts.number, said);
}

}  // namespace heddle::trace

#include "isa/ptx/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/quoted.h"
#include "isa/base/read_number.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

namespace {

constexpr std::size_t kMostDigits = 10;   // in a register's number
constexpr std::size_t kMostHidden = 100;  // so that a search through them stays short

}  // namespace

void Names::leave() {
  const std::size_t begin = scopes_.back();
  scopes_.pop_back();
  for (; undo_.size() > begin; undo_.pop_back()) {
    const Undo& undo = undo_.back();
    if (undo.before) {
      (*undo.map)[undo.name] = *undo.before;
    } else {
      undo.map->erase(undo.name);
    }
  }
  if (scopes_.empty()) ranges_.clear();
}

void Names::bind(Map& map, const Token& name, Binding binding) {
  binding.depth = scopes_.size();
  const auto [place, is_new] = map.try_emplace(name.text, binding);
  if (!is_new && place->second.depth == binding.depth) {
    fail(name, fmt::format("{} is declared twice", quoted(name.text)));
  }
  if (!scopes_.empty())
    undo_.push_back({&map, name.text, is_new ? std::nullopt : std::optional(place->second)});
  place->second = binding;
}

void Names::declare(const Token& name, SymbolRef symbol) { bind(names_, name, {.symbol = symbol}); }

void Names::declare_register(const Token& name, std::uint32_t index) {
  bind(names_, name, {.symbol = {}, .reg = index});
}

/// A range hides what is around it only as far as it goes: %r7 beside %r<5> may be one of a block further
/// out.
void Names::declare_registers(const Token& name, std::uint64_t count, const Register& like) {
  Range range{.count = count, .like = like, .depth = scopes_.size(), .used = {}};
  const auto around = bases_.find(name.text);
  if (around != bases_.end()) range.outer = around->second.range;
  while (range.outer != kNone && ranges_[range.outer].count <= count)
    range.outer = ranges_[range.outer].outer;
  if (range.outer != kNone) range.hidden = ranges_[range.outer].hidden + 1;
  if (range.hidden > kMostHidden) {
    fail(name, fmt::format("at most {} blocks within each other may declare {}<n>", kMostHidden, name.text));
  }
  bind(bases_, name, {.symbol = {}, .range = static_cast<std::uint32_t>(ranges_.size())});
  ranges_.push_back(std::move(range));
}

std::optional<SymbolRef> Names::symbol(std::string_view name) const {
  const auto found = names_.find(name);
  if (found == names_.end() || found->second.symbol.kind == SymbolRef::Kind::None) return std::nullopt;
  return found->second.symbol;
}

/// The range of %r for %r12. Where a base ends in a digit, %r1<9> beside %r<9>, the one that has the
/// register; where none has it, any one.
Names::Numbered Names::in_range(std::string_view name) const {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits == name.size()) return {};
  Numbered any;
  const std::size_t most = std::min(name.size() - digits, kMostDigits);
  for (std::size_t split = name.size() - most; split < name.size(); ++split) {
    if (name[split] == '0' && split + 1 < name.size()) continue;
    const auto found = bases_.find(name.substr(0, split));
    const auto number = number_in<std::uint64_t>(name.substr(split));
    if (found == bases_.end() || !number) continue;
    any = {found->second.range, *number};
    std::uint32_t range = found->second.range;
    while (range != kNone && ranges_[range].count <= *number) range = ranges_[range].outer;
    if (range != kNone) return {range, *number, true};
  }
  return any;
}

std::optional<std::uint32_t> Names::find_register(std::string_view name, Function& function) {
  const auto exact = names_.find(name);
  const Numbered numbered = in_range(name);
  const bool is_hidden =
      exact != names_.end() && numbered.is_declared && exact->second.depth < ranges_[numbered.range].depth;
  if (exact != names_.end() && !is_hidden) {
    if (exact->second.reg == kNone) return std::nullopt;
    return exact->second.reg;
  }
  if (!numbered.is_declared) return std::nullopt;
  Range& range = ranges_[numbered.range];
  const auto next = static_cast<std::uint32_t>(function.registers.size());
  const auto [place, is_new] = range.used.try_emplace(numbered.number, next);
  if (is_new) {
    function.registers.push_back(range.like);
    function.registers.back().name = name;
  }
  return place->second;
}

std::string Names::undeclared(std::string_view name) const {
  const Numbered numbered = in_range(name);
  if (numbered.range == kNone) return fmt::format("{} is not declared", quoted(name));
  const Range& range = ranges_[numbered.range];
  if (range.count == 0)
    return fmt::format("{} is not declared; {}<0> are no registers", quoted(name), range.like.name);
  return fmt::format("{} is not declared; {}<{}> are {}0 to {}{}", quoted(name), range.like.name, range.count,
                     range.like.name, range.like.name, range.count - 1);
}

}  // namespace heddle::ptx

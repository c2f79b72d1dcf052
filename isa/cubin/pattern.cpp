#include "isa/cubin/pattern.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace heddle::cubin {

namespace {

using Kind = Item::Kind;

class FieldParser {
 public:
  explicit FieldParser(std::string_view field) : field_(field), rest_(field) {}

  Item parse();

 private:
  [[noreturn]] void fail() const {
    throw std::logic_error(fmt::format("encodings.def: field {{{}}}", field_));
  }
  [[nodiscard]] bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }
  bool accept(std::string_view word) {
    const bool is_there = rest_.starts_with(word);
    if (is_there) rest_.remove_prefix(word.size());
    return is_there;
  }
  unsigned number() {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  BitRange range(unsigned otherwise) {
    const unsigned first = number();
    return {first, accept("+") ? number() : otherwise};
  }
  void read_choices(Item& item);
  void read_flags(Item& item);
  void read_kinds(Item& item);
  bool read_condition(Item& item);
  bool read_operand(Item& item);

  std::string_view field_;
  std::string_view rest_;
};

void FieldParser::read_choices(Item& item) {
  item.bits = range(1);
  if (!accept(":")) fail();
  while (true) {
    const std::size_t end = rest_.find('|');
    item.choices.emplace_back(rest_.substr(0, end));
    if (end == std::string_view::npos) break;
    rest_.remove_prefix(end + 1);
  }
  rest_ = {};
}

void FieldParser::read_flags(Item& item) {
  while (!rest_.empty()) {
    if (accept("-"))
      item.negate = number();
    else if (accept("|"))
      item.absolute = number();
    else if (accept("~"))
      item.invert = number();
    else if (accept("!"))
      item.negate = number();
    else if (accept("r"))
      item.reuse = number();
    else if (accept("h"))
      item.half = number();
    else if (accept("s"))
      item.shown_from = number();
    else
      fail();
  }
}

/// Signs of {b} and {c}: their bits follow from where the operand lies.
void FieldParser::read_kinds(Item& item) {
  constexpr unsigned kThere = 0;
  while (!rest_.empty()) {
    if (accept("-"))
      item.negate = kThere;
    else if (accept("|"))
      item.absolute = kThere;
    else if (accept("~"))
      item.invert = kThere;
    else if (accept("r"))
      item.reuse = kPlaceOfSource;
    else if (accept("R"))
      item.reuse = kPlaceOfThird;
    else if (std::string_view("ixfdhg").find(rest_.front()) != std::string_view::npos) {
      item.text += rest_.front();
      rest_.remove_prefix(1);
    } else
      fail();
  }
}

bool FieldParser::read_condition(Item& item) {
  if (accept("cc>="))
    item.kind = Kind::FromCapability;
  else if (accept("cc<"))
    item.kind = Kind::BelowCapability;
  else if (accept("#")) {
    item.bits = range(1);
    item.kind = accept("!=") ? Kind::Unequal : Kind::Equal;
    if (item.kind == Kind::Equal && !accept("=")) fail();
  } else
    return false;
  item.value = number();
  return true;
}

bool FieldParser::read_operand(Item& item) {
  item.is_last = accept(",");
  item.is_optional = item.is_last || accept("?");
  for (const auto& [letter, kind, count] :
       {std::tuple{'R', Kind::Register, 8U}, std::tuple{'U', Kind::Uniform, 8U},
        std::tuple{'P', Kind::Predicate, 3U}, std::tuple{'Q', Kind::UniformPredicate, 3U},
        std::tuple{'x', Kind::Unsigned, 1U}, std::tuple{'s', Kind::Signed, 1U}}) {
    const bool is_number = rest_.size() > 1 && rest_[1] >= '0' && rest_[1] <= '9';
    if (!next_is(letter) || !is_number) continue;
    rest_.remove_prefix(1);
    item.kind = kind;
    item.bits = range(count);
    read_flags(item);
    return true;
  }
  return false;
}

Item FieldParser::parse() {
  Item item;
  if (accept("@")) {
    item.kind = Kind::Choice;
    read_choices(item);
  } else if (read_condition(item) || read_operand(item)) {
  } else if (accept("~")) {
    item.kind = Kind::Unused;
    item.bits = range(1);
  } else if (next_is('b') || next_is('c')) {
    item.kind = accept("b") ? Kind::Second : Kind::Third;
    if (item.kind == Kind::Third) accept("c");
    read_kinds(item);
  } else if (accept("=")) {
    item.kind = Kind::Named;
    item.text = rest_;
    rest_ = {};
  }
  if (!rest_.empty()) fail();
  return item;
}

}  // namespace

std::vector<Item> parse_pattern(std::string_view pattern) {
  std::vector<Item> items;
  while (!pattern.empty()) {
    const std::size_t begin = std::min(pattern.find('{'), pattern.size());
    if (begin != 0) {
      Item& text = items.emplace_back();
      text.text = pattern.substr(0, begin);
      pattern.remove_prefix(begin);
      continue;
    }
    const std::size_t end = pattern.find('}');
    if (end == std::string_view::npos) throw std::logic_error("encodings.def: a brace is missing");
    items.push_back(FieldParser(pattern.substr(1, end - 1)).parse());
    pattern.remove_prefix(end + 1);
  }
  return items;
}

}  // namespace heddle::cubin

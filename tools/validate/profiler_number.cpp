#include "tools/validate/profiler_number.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "isa/base/read_number.h"

namespace heddle::validate {

namespace {

constexpr std::size_t kGroup = 3;

/// Spaces and apostrophes that locales use between thousands, in UTF-8: no-break space, narrow no-break
/// space, thin space, right single quotation mark.
constexpr std::string_view kGroupMarks[] = {"\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99", " ",
                                            "'"};

bool are_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Whether the marks in "1.234.567" separate thousands; false if there are none.
bool parts_thousands(std::string_view text, char mark) {
  std::size_t end = text.find(mark);
  if (end == std::string_view::npos || end == 0 || end > kGroup || text.front() == '0') return false;
  if (!are_digits(text.substr(0, end))) return false;
  while (end != std::string_view::npos) {
    text.remove_prefix(end + 1);
    end = text.find(mark);
    const std::string_view group = text.substr(0, end);
    if (group.size() != kGroup || !are_digits(group)) return false;
  }
  return true;
}

/// Replaces other separators of thousands by commas.
std::string with_commas(std::string text) {
  for (const std::string_view mark : kGroupMarks) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), 1, ',');
  }
  return text;
}

}  // namespace

void PointUse::look_at(std::string_view text, bool must_be_whole) {
  const auto points = std::count(text.begin(), text.end(), '.');
  if (points == 0) return;
  const bool may_group = parts_thousands(text, '.');
  if (may_group && (points > 1 || must_be_whole)) groups_digits = true;
  if (!may_group && points == 1 && are_digits(text.substr(text.find('.') + 1))) begins_fraction = true;
}

std::optional<double> profiler_number(std::string text, const PointUse& use, bool must_be_whole) {
  if (use.groups_digits && parts_thousands(text, '.')) {
    if (use.begins_fraction) return std::nullopt;
    std::erase(text, '.');
  }
  text = with_commas(std::move(text));
  const std::string whole = text.substr(0, text.find('.'));
  if (whole.find(',') != std::string::npos && !parts_thousands(whole, ',')) return std::nullopt;
  if (text.find(',', whole.size()) != std::string::npos) return std::nullopt;
  std::erase(text, ',');
  const auto value = number_in<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return must_be_whole && *value != std::floor(*value) ? std::nullopt : value;
}

}  // namespace heddle::validate

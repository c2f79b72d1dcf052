#include "tools/conditions/fail_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "isa/base/diagnostic.h"
#include "isa/base/read_number.h"
#include "sim/config/suggest.h"
#include "tools/conditions/baseline_file.h"
#include "tools/conditions/known_figures.h"

namespace heddle::conditions {

namespace {

/// A way to compare, the longer ones first: ">=" begins as ">" does.
struct Comparison {
  std::string_view text;
  bool (*holds)(double value, double bound);
};

constexpr std::array kComparisons = {
    Comparison{">=", [](double value, double bound) { return value >= bound; }},
    Comparison{"<=", [](double value, double bound) { return value <= bound; }},
    Comparison{"==", [](double value, double bound) { return value == bound; }},
    Comparison{"!=", [](double value, double bound) { return value != bound; }},
    Comparison{">", [](double value, double bound) { return value > bound; }},
    Comparison{"<", [](double value, double bound) { return value < bound; }}};

/// Reads one condition from left to right.
class Reader {
 public:
  Reader(const std::string& text, const std::string& origin) : text_(text), origin_(origin) {}

  FailCondition read() {
    FailCondition condition;
    condition.text = text_;
    condition.figure = figure();
    condition.comparison = comparison();
    condition.number = number();
    skip_blanks();
    if (at_ == text_.size()) return condition;
    if (text_[at_] != '*') fail(at_, fmt::format("found '{}'; '* FILE' or the end is needed", rest()));
    ++at_;
    condition.baseline = baseline(condition.figure);
    return condition;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    Diagnostics problems;
    problems.add({origin_, 1, static_cast<std::uint32_t>(at + 1)}, message, text_);
    throw InputError(problems.list());
  }

  [[nodiscard]] std::string rest() const { return text_.substr(at_); }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }

  template <typename Test>
  std::string take_while(const Test& test) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && test(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string figure() {
    skip_blanks();
    const std::size_t begin = at_;
    const std::string name =
        take_while([](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; });
    if (name.empty()) fail(begin, "a figure of the JSON report is needed, as cycles");
    const std::vector<std::string> known = known_figures();
    if (name.starts_with("pipes.") || std::ranges::find(known, name) != known.end()) return name;
    fail(begin, fmt::format("'{}' is no figure of the JSON report; {}", name, sim::suggestion(name, known)));
  }

  std::string comparison() {
    skip_blanks();
    for (const Comparison& each : kComparisons) {
      if (!std::string_view(text_).substr(at_).starts_with(each.text)) continue;
      at_ += each.text.size();
      return std::string(each.text);
    }
    fail(at_, at_ == text_.size() ? "a comparison is needed: >, >=, <, <=, == or !="
                                  : fmt::format("found '{}'; >, >=, <, <=, == or != is needed", rest()));
  }

  double number() {
    skip_blanks();
    const std::size_t begin = at_;
    const std::string word = take_while([](unsigned char c) { return std::isspace(c) == 0 && c != '*'; });
    const auto value = number_in<double>(word);
    if (value && std::isfinite(*value)) return *value;
    fail(begin, word.empty()
                    ? "a number is needed, as 20000 or 1.05 * baseline.json"
                    : fmt::format("'{}' is no number; 20000 and 1.05 * baseline.json are right", word));
  }

  Baseline baseline(const std::string& figure) {
    skip_blanks();
    const std::size_t begin = at_;
    const std::size_t end = text_.find_last_not_of(" \t") + 1;
    if (begin >= end) fail(begin, "a file with earlier figures is needed");
    const std::string path = text_.substr(begin, end - begin);
    try {
      return {path, figure_in_file(path, figure)};
    } catch (const InputError& error) {
      std::string message = error.what();
      if (message.ends_with('\n')) message.pop_back();
      fail(begin, message);
    }
  }

  const std::string& text_;
  const std::string& origin_;
  std::size_t at_ = 0;
};

/// Whole numbers without digits behind a point.
std::string number_text(double value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  if (std::abs(value) < kExact && value == std::floor(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.6g}", value);
}

}  // namespace

bool FailCondition::holds_for(double value) const {
  const auto* found = std::ranges::find(kComparisons, std::string_view(comparison), &Comparison::text);
  return found != kComparisons.end() && found->holds(value, bound());
}

std::string FailCondition::rooted_text() const {
  if (!baseline) return text;
  return fmt::format("{} {} {} * {}", figure, comparison, number,
                     std::filesystem::absolute(baseline->path).string());
}

FailCondition read_fail_condition(const std::string& text, const std::string& origin) {
  return Reader(text, origin).read();
}

std::optional<std::string> fulfilled(const FailCondition& condition, const nlohmann::ordered_json& run,
                                     const std::string& origin) {
  const auto value = number_of(run, condition.figure);
  if (!value)
    throw InputError({origin, 0, 0}, fmt::format("'{}' cannot be decided: this run has no figure '{}'",
                                                 condition.text, condition.figure));
  if (!condition.holds_for(*value)) return std::nullopt;
  std::string bound = number_text(condition.bound());
  if (condition.baseline)
    bound = fmt::format("{}, {} times the {} of {}", bound, condition.number,
                        number_text(condition.baseline->value), condition.baseline->path);
  return fmt::format("'{}' is true: {} is {}, compared with {}", condition.text, condition.figure,
                     number_text(*value), bound);
}

}  // namespace heddle::conditions

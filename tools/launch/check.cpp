#include "tools/launch/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "tools/launch/launch_file.h"

namespace heddle::launch {

namespace {

constexpr std::size_t kMostElementBytes = 8;
using ElementBytes = std::array<std::byte, kMostElementBytes>;

bool equal(Number expected, Number found, double tolerance) {
  if (expected == found) return true;
  const double wanted = to_double(expected);
  const double got = to_double(found);
  if (std::isnan(wanted) && std::isnan(got)) return true;
  return tolerance > 0 && std::isfinite(wanted) && std::fabs(got - wanted) <= tolerance * std::fabs(wanted);
}

/// One check under way.
class Comparison {
 public:
  Comparison(LaunchFile& file, const Check& check)
      : interpreter_(*file.interpreter),
        check_(check),
        buffer_(*file.find_buffer(check.buffer)),
        bytes_(file.memory.find(check.buffer)->bytes()) {
    failure_.where = check.where;
    failure_.buffer = check.buffer;
  }

  CheckFailure run() {
    const std::uint64_t sample = std::min(check_.sample.value_or(buffer_.count), buffer_.count);
    for (std::uint64_t k = 0; k < sample; ++k) compare(sample_index(k, sample, buffer_.count));
    failure_.compared = sample;
    return failure_;
  }

 private:
  void compare(std::uint64_t i) {
    const std::byte* found = &bytes_[i * info(buffer_.type).bytes];
    const ElementBytes expected = expected_at(i);
    if (std::memcmp(expected.data(), found, info(buffer_.type).bytes) == 0) return;
    const Number wanted = load_element(buffer_.type, expected.data());
    if (equal(wanted, load_element(buffer_.type, found), check_.tolerance)) return;
    ++failure_.differing;
    if (failure_.first.size() == CheckFailure::kMostShown) return;
    failure_.first.push_back(
        {i, element_text(buffer_.type, expected.data()), element_text(buffer_.type, found)});
  }

  ElementBytes expected_at(std::uint64_t i) {
    const Number number = evaluate(i);
    if (!info(buffer_.type).is_float && !to_integer(number))
      fail(i, fmt::format("{} {}", to_text(number), *misfit(buffer_.type, number)));
    ElementBytes element{};
    store_element(buffer_.type, element.data(), number);
    return element;
  }

  Number evaluate(std::uint64_t i) {
    try {
      return interpreter_.evaluate_at(check_.expected, i);
    } catch (const ExpressionError& error) {
      fail(i, error.what());
    }
  }

  [[noreturn]] void fail(std::uint64_t i, const std::string& reason) const {
    throw InputError(check_.where, fmt::format("check of '{}', for i = {}: {}", check_.buffer, i, reason));
  }

  Interpreter& interpreter_;
  const Check& check_;
  const BufferInfo& buffer_;
  std::span<const std::byte> bytes_;
  CheckFailure failure_;
};

}  // namespace

std::vector<CheckFailure> run_checks(LaunchFile& file) {
  std::vector<CheckFailure> failures;
  for (const Check& check : file.checks) {
    CheckFailure result = Comparison(file, check).run();
    if (result.differing != 0) failures.push_back(std::move(result));
  }
  return failures;
}

std::string to_text(const CheckFailure& failure) {
  std::string text = fmt::format("{}:{}:{}: check failed: {} of {} compared elements of '{}' differ\n",
                                 failure.where.file, failure.where.line, failure.where.column,
                                 failure.differing, failure.compared, failure.buffer);
  for (const CheckFailure::Difference& difference : failure.first) {
    text += fmt::format("  {}[{}]: expected {}, found {}\n", failure.buffer, difference.index,
                        difference.expected, difference.found);
  }
  if (failure.differing > failure.first.size()) {
    text += fmt::format("  and {} more\n", failure.differing - failure.first.size());
  }
  return text;
}

std::uint64_t sample_index(std::uint64_t k, std::uint64_t sample, std::uint64_t count) {
  if (sample < 2) return 0;
  // (count - 1) * k / (sample - 1), split so that it cannot overflow.
  const std::uint64_t whole = (count - 1) / (sample - 1);
  const std::uint64_t rest = (count - 1) % (sample - 1);
  return whole * k + rest * k / (sample - 1);
}

}  // namespace heddle::launch

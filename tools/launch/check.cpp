#include "tools/launch/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>

#include "isa/base/thread_team.h"
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

/// An interpreter with the numbers and buffers of a launch.
std::unique_ptr<Interpreter> interpreter_of(const LaunchFile& file) {
  auto interpreter = std::make_unique<Interpreter>();
  for (const auto& [name, value] : file.macros) interpreter->set_number(name, value);
  for (const auto& [name, value] : file.values) interpreter->set_number(name, value);
  for (const BufferInfo& buffer : file.buffers)
    interpreter->set_buffer(buffer.name, buffer.type, file.memory.find(buffer.name)->bytes());
  for (const auto& [name, bytes] : file.initial)
    interpreter->set_initial(name, file.find_buffer(name)->type, bytes);
  return interpreter;
}

/// Compares some of the elements of a check.
class Comparison {
 public:
  Comparison(const LaunchFile& file, const Check& check, Interpreter& interpreter)
      : interpreter_(interpreter),
        expected_(interpreter.compile_for_index(check.expected)),
        check_(check),
        buffer_(*file.find_buffer(check.buffer)),
        bytes_(file.memory.find(check.buffer)->bytes()) {
    failure_.where = check.where;
    failure_.buffer = check.buffer;
  }

  /// Compares the elements `first` to `end` - 1 of the `sample`.
  CheckFailure run(std::uint64_t first, std::uint64_t end, std::uint64_t sample) {
    for (std::uint64_t k = first; k < end; ++k) compare(sample_index(k, sample, buffer_.count));
    failure_.compared = end - first;
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
      return interpreter_.evaluate_at(expected_, i);
    } catch (const ExpressionError& error) {
      fail(i, error.what());
    }
  }

  [[noreturn]] void fail(std::uint64_t i, const std::string& reason) const {
    throw InputError(check_.where, fmt::format("check of '{}', for i = {}: {}", check_.buffer, i, reason));
  }

  Interpreter& interpreter_;
  Expression expected_;
  const Check& check_;
  const BufferInfo& buffer_;
  std::span<const std::byte> bytes_;
  CheckFailure failure_;
};

/// Adds the result of a part. Parts come in the order of their elements.
void add(CheckFailure& all, const CheckFailure& part) {
  all.compared += part.compared;
  all.differing += part.differing;
  for (const CheckFailure::Difference& difference : part.first) {
    if (all.first.size() < CheckFailure::kMostShown) all.first.push_back(difference);
  }
}

/// Runs the checks of a launch one after another.
class Checker {
 public:
  Checker(const LaunchFile& file, unsigned threads)
      : file_(file), threads_(threads), interpreter_(interpreter_of(file)) {}

  CheckFailure run(const Check& check) {
    const std::uint64_t count = file_.find_buffer(check.buffer)->count;
    const std::uint64_t sample = std::min(check.sample.value_or(count), count);
    const std::uint64_t parts = std::min(kPartsOfThread * threads_, sample / kSmallestPart);
    if (threads_ > 1 && parts > 1) {
      if (auto result = run_parts(check, sample, parts)) return *std::move(result);
    }
    return Comparison(file_, check, *interpreter_).run(0, sample, sample);
  }

 private:
  // several per thread, so that all threads finish at about the same time
  static constexpr std::uint64_t kPartsOfThread = 8;
  static constexpr std::uint64_t kSmallestPart = 4096;  // elements; waking threads for fewer is not worth it

  /// Runs the parts in parallel. Returns nothing if an expression fails or if all parts together take too
  /// many steps; then the check runs again on one thread, where it fails at the right element.
  std::optional<CheckFailure> run_parts(const Check& check, std::uint64_t sample, std::uint64_t parts) {
    std::vector<CheckFailure> results(parts);
    std::vector<std::int64_t> steps(parts);
    try {
      ThreadTeam(threads_).run(parts, [&](std::size_t part, std::size_t) {
        const std::unique_ptr<Interpreter> interpreter = interpreter_of(file_);
        results[part] = Comparison(file_, check, *interpreter)
                            .run(sample * part / parts, sample * (part + 1) / parts, sample);
        steps[part] = interpreter->steps();
      });
    } catch (const InputError&) {
      return std::nullopt;
    }
    const std::int64_t taken = std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
    if (interpreter_->steps() + taken > ExpressionLimits().steps_in_all) return std::nullopt;
    interpreter_->add_steps(taken);
    for (std::size_t part = 1; part < parts; ++part) add(results[0], results[part]);
    return std::move(results[0]);
  }

  const LaunchFile& file_;
  unsigned threads_;
  std::unique_ptr<Interpreter> interpreter_;  // for checks that run on one thread
};

}  // namespace

std::vector<CheckFailure> run_checks(const LaunchFile& file, unsigned threads) {
  Checker checker(file, threads);
  std::vector<CheckFailure> failures;
  for (const Check& check : file.checks) {
    CheckFailure result = checker.run(check);
    if (result.differing != 0) failures.push_back(std::move(result));
  }
  return failures;
}

std::string to_text(const CheckFailure& failure, std::string_view at) {
  std::string text = fmt::format("{}:{}:{}: check failed{}: {} of {} compared elements of '{}' differ\n",
                                 failure.where.file, failure.where.line, failure.where.column, at,
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

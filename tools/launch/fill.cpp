#include "tools/launch/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

#include "tools/launch/chain.h"
#include "tools/launch/npy.h"
#include "tools/launch/random.h"

namespace heddle::launch {

struct Filler::Target {
  ElementType type;
  std::span<std::byte> bytes;
  const sim::YamlValue& how;

  [[nodiscard]] std::uint64_t count() const { return bytes.size() / info(type).bytes; }
  void store(std::uint64_t i, Number number) const {
    store_element(type, &bytes[i * info(type).bytes], number);
  }
};

struct Filler::Kind {
  std::string_view name;
  /// Null if nothing has to be done.
  void (Filler::*apply)(const sim::YamlValue* settings, const Target& target);
  bool needs_settings;
};

namespace {

struct Range {
  Number min;
  Number max;
  std::uint64_t seed = 1;
};

/// Number of random bits in a float of the type.
unsigned significand_bits(ElementType type) { return type == ElementType::F64 ? 53 : 24; }

class RandomNumbers {
 public:
  RandomNumbers(ElementType type, const Range& range)
      : is_float_(info(type).is_float),
        bits_(significand_bits(type)),
        min_(to_double(range.min)),
        max_(to_double(range.max)),
        range_(range),
        engine_(range.seed) {}

  Number next() {
    if (is_float_) return uniform_real(engine_, bits_, min_, max_);
    return uniform_integer(engine_, *to_integer(range_.min), *to_integer(range_.max));
  }

 private:
  bool is_float_;
  unsigned bits_;
  double min_;
  double max_;
  Range range_;
  std::mt19937_64 engine_;
};

std::optional<Number> setting(sim::YamlMap& map, const std::string& key, ElementType type, Number otherwise,
                              Evaluator& evaluator) {
  const auto value = map.find(key);
  return value ? evaluator.element(*value, type) : otherwise;
}

/// An integer as the u64 with the same bits.
std::uint64_t all_bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }

bool is_ascending(ElementType type, Number min, Number max) {
  if (info(type).is_float) return to_double(min) <= to_double(max);
  const std::int64_t least = *to_integer(min);
  const std::int64_t most = *to_integer(max);
  return type == ElementType::U64 ? all_bits(least) <= all_bits(most) : least <= most;
}

/// The bits of an element of a u64 buffer that is kept as an integer; nothing for all others.
std::optional<std::uint64_t> all_bits(ElementType type, Number element) {
  const auto* integer = std::get_if<std::int64_t>(&element);
  return type == ElementType::U64 && integer != nullptr ? std::optional(all_bits(*integer)) : std::nullopt;
}

std::string text_of(ElementType type, Number element) {
  const auto bits = all_bits(type, element);
  return bits ? fmt::format("{}", *bits) : to_text(element);
}

/// The least and the greatest value, and the seed. Nothing if one of them is wrong.
std::optional<Range> read_range(const sim::YamlValue* settings, ElementType type, Evaluator& evaluator) {
  Range range{std::int64_t{0}, std::int64_t{1}};
  if (settings == nullptr) return range;
  sim::YamlMap map(*settings, evaluator.problems());
  const auto seed_value = map.find("seed");
  const auto seed =
      seed_value ? evaluator.integer(*seed_value, 0, std::numeric_limits<std::int64_t>::max()) : 1;
  const auto min = setting(map, "min", type, range.min, evaluator);
  const auto max = setting(map, "max", type, range.max, evaluator);
  map.finish();
  if (!settings->is_map() || !seed || !min || !max) return std::nullopt;
  if (!is_ascending(type, *min, *max) || !std::isfinite(to_double(*max) - to_double(*min))) {
    settings->error(evaluator.problems(),
                    fmt::format("{}'min' to 'max' must be a finite range; found {} to {}", label(*settings),
                                text_of(type, *min), text_of(type, *max)));
    return std::nullopt;
  }
  return Range{*min, *max, static_cast<std::uint64_t>(*seed)};
}

/// first + i * step, if the result fits the Integer type.
template <typename Integer>
std::optional<Integer> ramp_integer(Integer first, std::int64_t step, std::uint64_t i) {
  __extension__ using Wide = __int128;
  const Wide sum = Wide{first} + Wide{step} * static_cast<Wide>(i);
  using Limits = std::numeric_limits<Integer>;
  if (sum < Wide{Limits::min()} || sum > Wide{Limits::max()}) return std::nullopt;
  return static_cast<Integer>(sum);
}

/// start + i * step, in integers if both are integers. For u64, an integer is the number with the same bits.
Number ramp_element(ElementType type, Number start, Number step, std::uint64_t i) {
  const auto* first = std::get_if<std::int64_t>(&start);
  const auto* increment = std::get_if<std::int64_t>(&step);
  const auto bits = all_bits(type, start);
  if (first != nullptr && increment != nullptr) {
    if (bits) {
      const auto sum = ramp_integer(*bits, *increment, i);
      if (sum) return static_cast<std::int64_t>(*sum);
    } else if (const auto sum = ramp_integer(*first, *increment, i)) {
      return *sum;
    }
  }
  const double from = bits ? static_cast<double>(*bits) : to_double(start);
  return from + to_double(step) * static_cast<double>(i);
}

/// The reason why an element of the ramp does not fit; see misfit().
std::optional<std::string> ramp_misfit(ElementType type, Number element) {
  return all_bits(type, element) ? std::nullopt : misfit(type, element);
}

std::string one_of(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

std::string Filler::resolve(const std::string& path) const {
  return (std::filesystem::path(folder_) / path).lexically_normal().string();
}

void Filler::fill(const sim::YamlValue& how, ElementType type, std::span<std::byte> bytes) {
  static constexpr std::array<Kind, 8> kKinds = {{{"zeros", nullptr, false},
                                                  {"ramp", &Filler::ramp, false},
                                                  {"random", &Filler::random, false},
                                                  {"sorted", &Filler::sorted, false},
                                                  {"value", &Filler::value, true},
                                                  {"npy", &Filler::npy, true},
                                                  {"each", &Filler::each, true},
                                                  {"chain", &Filler::chain, true}}};
  const Target target{type, bytes, how};
  const Kind* kind = nullptr;
  std::optional<sim::YamlValue> settings;
  const auto items = how.items();
  for (const Kind& candidate : kKinds) {
    if (how.is_scalar() && how.text() == candidate.name && !candidate.needs_settings) kind = &candidate;
    if (how.is_map() && items.size() == 1 && items[0].key() == candidate.name && candidate.apply != nullptr) {
      kind = &candidate;
      settings = items[0];
    }
  }
  if (kind == nullptr) {
    std::vector<std::string_view> with_settings;
    for (const Kind& each : kKinds) {
      if (each.apply != nullptr) with_settings.push_back(each.name);
    }
    how.error(evaluator_.problems(),
              fmt::format("{}must be zeros, ramp, random, sorted, or a map of one of {}; found {}",
                          label(how), one_of(with_settings), how.found()));
    return;
  }
  if (kind->apply == nullptr || !claim(target)) return;
  (this->*kind->apply)(settings ? &*settings : nullptr, target);
}

std::uint64_t Filler::elements_to_make(const Target& target) const {
  constexpr std::uint64_t kToCheck = 256;
  return contents_ == Contents::Filled ? target.count() : std::min(target.count(), kToCheck);
}

bool Filler::claim(const Target& target) {
  filled_bytes_ += target.bytes.size();
  if (filled_bytes_ <= kMostFilledBytes) return true;
  target.how.error(evaluator_.problems(),
                   fmt::format("{}the buffers up to here hold {} bytes that are not just zeros; a "
                               "launch can fill {}",
                               label(target.how), filled_bytes_, kMostFilledBytes));
  return false;
}

void Filler::ramp(const sim::YamlValue* settings, const Target& target) {
  std::optional<Number> start = std::int64_t{0};
  std::optional<Number> step = std::int64_t{1};
  if (settings != nullptr) {
    sim::YamlMap map(*settings, evaluator_.problems());
    if (const auto given = map.find("start")) start = evaluator_.element(*given, target.type);
    if (const auto given = map.find("step")) step = evaluator_.number(*given);
    map.finish();
    if (!settings->is_map()) return;
  }
  if (!start || !step || target.count() == 0) return;
  const std::uint64_t last = target.count() - 1;
  for (const std::uint64_t i : {std::min<std::uint64_t>(1, last), last}) {
    const Number end = ramp_element(target.type, *start, *step, i);
    if (const auto reason = ramp_misfit(target.type, end)) {
      return target.how.error(evaluator_.problems(), fmt::format("{}the ramp reaches {}, which {}",
                                                                 label(target.how), to_text(end), *reason));
    }
  }
  for (std::uint64_t i = 0; i < elements_to_make(target); ++i)
    target.store(i, ramp_element(target.type, *start, *step, i));
}

void Filler::value(const sim::YamlValue* settings, const Target& target) {
  const auto number = evaluator_.element(*settings, target.type);
  if (!number) return;
  for (std::uint64_t i = 0; i < elements_to_make(target); ++i) target.store(i, *number);
}

void Filler::random(const sim::YamlValue* settings, const Target& target) {
  const auto range = read_range(settings, target.type, evaluator_);
  if (!range) return;
  RandomNumbers numbers(target.type, *range);
  const std::uint64_t bytes = elements_to_make(target) * info(target.type).bytes;
  store_elements(target.type, target.bytes.first(bytes), [&] { return numbers.next(); });
}

void Filler::sorted(const sim::YamlValue* settings, const Target& target) {
  random(settings, target);
  if (contents_ == Contents::Filled) sort_elements(target.type, target.bytes);
}

void Filler::npy(const sim::YamlValue* settings, const Target& target) {
  const auto path = settings->as_string(evaluator_.problems());
  if (!path) return;
  sources_.push_back(resolve(*path));
  try {
    const NpyHeader header = read_npy_header(resolve(*path));
    if (header.type == target.type && header.count == target.count()) {
      if (contents_ == Contents::Filled) read_npy_elements(resolve(*path), header, target.bytes);
      return;
    }
    settings->error(
        evaluator_.problems(),
        fmt::format("{}the file holds {} elements of {}, the buffer {} of {}", label(*settings), header.count,
                    info(header.type).name, target.count(), info(target.type).name));
  } catch (const InputError& error) {
    say(*settings, error);
  }
}

/// Records a mistake in a file that the launch file names.
void Filler::say(const sim::YamlValue& place, const InputError& error) {
  const Diagnostic& first = error.list().front();
  place.error(evaluator_.problems(), fmt::format("{}{}: {}", label(place), first.where.file, first.message));
}

std::optional<std::uint64_t> Filler::npy_count(const sim::YamlValue& path) {
  const auto text = path.as_string(evaluator_.problems());
  if (!text) return std::nullopt;
  try {
    return read_npy_header(resolve(*text)).count;
  } catch (const InputError& error) {
    say(path, error);
    return std::nullopt;
  }
}

void Filler::each(const sim::YamlValue* settings, const Target& target) {
  if (!settings->is_map()) return evaluate_each(*settings, 1, target);
  sim::YamlMap map(*settings, evaluator_.problems());
  const auto expression = map.require("value");
  const auto every = map.find("every");
  const auto step = every ? evaluator_.integer(*every, 1, std::numeric_limits<std::int64_t>::max()) : 1;
  map.finish();
  if (expression && step) evaluate_each(*expression, static_cast<std::uint64_t>(*step), target);
}

void Filler::evaluate_each(const sim::YamlValue& expression, std::uint64_t every, const Target& target) {
  const auto text = expression.as_string(evaluator_.problems());
  if (!text) return;
  Interpreter& interpreter = evaluator_.interpreter();
  std::optional<std::uint64_t> i;
  try {
    const Expression compiled = interpreter.compile_for_index(*text);
    const std::uint64_t end = elements_to_make(target);
    for (i = 0; *i < end; *i += std::min(every, end - *i)) {
      const Number number = interpreter.evaluate_at(compiled, *i);
      const bool has_all_bits = target.type == ElementType::U64 && to_integer(number);
      if (const auto reason = misfit(target.type, number); reason && !has_all_bits) {
        throw ExpressionError(fmt::format("{} {}", to_text(number), *reason));
      }
      target.store(*i, number);
    }
  } catch (const ExpressionError& error) {
    const std::string place = i ? fmt::format("for i = {}: ", *i) : "";
    expression.error(evaluator_.problems(), label(expression) + place + error.what());
  }
}

void Filler::chain(const sim::YamlValue* settings, const Target& target) {
  const auto chain = read_chain(*settings, target.type, target.bytes.size(), evaluator_);
  if (!chain || target.bytes.empty() || contents_ == Contents::Checked) return;
  const std::uint64_t apart = static_cast<std::uint64_t>(chain->stride) / info(target.type).bytes;
  const std::vector<std::uint32_t> walk = chain->walk();
  for (std::size_t i = 0; i < walk.size(); ++i) {
    target.store(walk[i] * apart, chain->value_of(walk[(i + 1) % walk.size()]));
  }
}

}  // namespace heddle::launch

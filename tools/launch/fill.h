// What a buffer holds before the kernel runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/config/yaml_document.h"
#include "tools/launch/evaluator.h"

namespace heddle::launch {

/// More than this is not filled in one launch: every byte takes memory of the host. Zeros take none.
inline constexpr std::uint64_t kMostFilledBytes = std::uint64_t{4} << 30;

/// What is wanted of a launch's buffers.
enum class Contents : std::uint8_t {
  Filled,
  Checked,  ///< What is said of them is checked, and a few elements are made. The others stay zero.
};

/// Fills the buffers of one launch, in their order.
class Filler {
 public:
  /// Paths in the file are relative to `folder`.
  Filler(Evaluator& evaluator, std::string folder, Contents contents)
      : evaluator_(evaluator), folder_(std::move(folder)), contents_(contents) {}

  /// Fills zeroed elements as `how` says: zeros, ramp, random, sorted, or a map of one of ramp, value,
  /// random, sorted, npy, each, chain and its settings.
  void fill(const sim::YamlValue& how, ElementType type, std::span<std::byte> bytes);

  /// How many elements the file holds; nothing, and a recorded problem, if it cannot be read.
  std::optional<std::uint64_t> npy_count(const sim::YamlValue& path);

  /// The path as the program opens it.
  [[nodiscard]] std::string resolve(const std::string& path) const;

  /// The files that buffers were filled from.
  [[nodiscard]] const std::vector<std::string>& sources() const { return sources_; }

 private:
  struct Target;
  struct Kind;

  void ramp(const sim::YamlValue* settings, const Target& target);
  void value(const sim::YamlValue* settings, const Target& target);
  void random(const sim::YamlValue* settings, const Target& target);
  void sorted(const sim::YamlValue* settings, const Target& target);
  void npy(const sim::YamlValue* settings, const Target& target);
  void each(const sim::YamlValue* settings, const Target& target);
  void chain(const sim::YamlValue* settings, const Target& target);
  void evaluate_each(const sim::YamlValue& expression, std::uint64_t every, const Target& target);
  [[nodiscard]] std::uint64_t elements_to_make(const Target& target) const;
  bool claim(const Target& target);
  void say(const sim::YamlValue& place, const InputError& error);

  Evaluator& evaluator_;
  std::string folder_;
  Contents contents_;
  std::vector<std::string> sources_;
  std::uint64_t filled_bytes_ = 0;
};

}  // namespace heddle::launch

// Fills buffers before the kernel runs.
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

/// Limit for the bytes that one launch fills, because each takes memory of the host. Zeros take none.
inline constexpr std::uint64_t kMostFilledBytes = std::uint64_t{4} << 30;

/// What to do with the contents of a launch's buffers.
enum class Contents : std::uint8_t {
  Filled,
  Checked,  ///< Fills are checked, but only a few elements are computed. The others stay zero.
};

/// Fills the buffers of one launch in order.
class Filler {
 public:
  /// Paths in the file are relative to `folder`.
  Filler(Evaluator& evaluator, std::string folder, Contents contents)
      : evaluator_(evaluator), folder_(std::move(folder)), contents_(contents) {}

  /// Fills elements, which must be zero, as `how` says: zeros, ramp, random, sorted, or a map with one of
  /// ramp, value, random, sorted, npy, each, chain and its settings.
  void fill(const sim::YamlValue& how, ElementType type, std::span<std::byte> bytes);

  /// Number of elements in the .npy file. If it cannot be read, a problem is recorded and the result is not
  /// set.
  std::optional<std::uint64_t> npy_count(const sim::YamlValue& path);

  /// The path relative to the current folder.
  [[nodiscard]] std::string resolve(const std::string& path) const;

  /// The files from which buffers were filled.
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

// YAML files as trees of values that know where they stand: the only door to yaml-cpp.
//
// Maps, lists and scalars are taken. Anchors, aliases, tags, duplicate keys and several documents in one file
// are refused, and so is what could exhaust the program: more than 16 MiB, 64 levels or 1,000,000 values.
//
//   const YamlDocument document = YamlDocument::load("saxpy.yaml");
//   Diagnostics problems;
//   YamlMap launch(document.root(), problems);
//   if (auto kernel = launch.require("kernel")) name = kernel->as_string(problems).value_or("");
//   if (auto repeat = launch.find("repeat")) times = repeat->as_unsigned(problems, 1, 1000).value_or(1);
//   launch.finish();          // refuses the keys that nobody asked for
//   problems.throw_if_any();  // "saxpy.yaml:7:9: error: 'repeat' must be a whole number from 1 to 1000;
//   found 'x'"
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::sim {

struct YamlTree;

/// One value of a document. Cheap to copy; keeps its document alive.
///
/// The typed reads answer with nothing, and record what was found and what is allowed, where the value is not
/// of the type or out of the range (both ends included).
class YamlValue {
 public:
  YamlValue(std::shared_ptr<const YamlTree> tree, std::uint32_t node);

  [[nodiscard]] bool is_null() const;    ///< Nothing, `~` or `null`.
  [[nodiscard]] bool is_scalar() const;  ///< Text or a number, quoted or not; not null.
  [[nodiscard]] bool is_quoted() const;  ///< A scalar in quotes or a block scalar: text, never a number.
  [[nodiscard]] bool is_list() const;
  [[nodiscard]] bool is_map() const;

  /// The text of a scalar as written, without quotes; empty for all else.
  [[nodiscard]] const std::string& text() const;
  /// The key that leads to this value in its map; empty for the root and for list items.
  [[nodiscard]] const std::string& key() const;
  /// All keys from the root: "sm.instructions.fp32.pipes[0]"; empty for the root.
  [[nodiscard]] std::string path() const;
  /// What stands here, for messages: "'abc'", "a list", "a map", "nothing".
  [[nodiscard]] std::string found() const;
  [[nodiscard]] SourceLocation where() const;

  /// A list's items, a map's values in the order of the file; none for all else.
  [[nodiscard]] std::vector<YamlValue> items() const;
  /// A map's value under this key.
  [[nodiscard]] std::optional<YamlValue> find(std::string_view key) const;

  [[nodiscard]] std::optional<std::string> as_string(Diagnostics& problems) const;
  [[nodiscard]] std::optional<bool> as_bool(Diagnostics& problems) const;
  /// Decimal, or hexadecimal after 0x.
  [[nodiscard]] std::optional<std::uint64_t> as_unsigned(
      Diagnostics& problems, std::uint64_t least = 0,
      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  [[nodiscard]] std::optional<std::int64_t> as_signed(
      Diagnostics& problems, std::int64_t least = std::numeric_limits<std::int64_t>::min(),
      std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  /// Finite numbers only.
  [[nodiscard]] std::optional<double> as_double(Diagnostics& problems,
                                                double least = std::numeric_limits<double>::lowest(),
                                                double most = std::numeric_limits<double>::max()) const;
  /// Plain bytes, or a whole number of KiB, MiB or GiB: `65536`, `64 KiB`.
  [[nodiscard]] std::optional<std::uint64_t> as_bytes(
      Diagnostics& problems, std::uint64_t least = 0,
      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  [[nodiscard]] std::optional<std::vector<YamlValue>> as_list(Diagnostics& problems) const;

  /// Records a message at this value. From the hundredth problem on, only that there are more.
  void error(Diagnostics& problems, std::string message) const;
  /// The same at the key before the value.
  void error_at_key(Diagnostics& problems, std::string message) const;
  /// "'l1.ways' must be <allowed>; found 'abc'".
  void must_be(Diagnostics& problems, std::string_view allowed) const;

 private:
  std::shared_ptr<const YamlTree> tree_;
  std::uint32_t node_;
};

class YamlDocument {
 public:
  /// Throws InputError where the file cannot be read or is not the YAML described above.
  static YamlDocument load(const std::string& path);
  /// `name` stands for the file in messages.
  static YamlDocument parse(std::string text, const std::string& name);
  /// A value given on the command line: messages name `argument` ("--set l1.ways=4") without line and column,
  /// and call the value `path` ("l1.ways").
  static YamlDocument parse_argument(std::string text, const std::string& argument, const std::string& path);

  [[nodiscard]] YamlValue root() const;

 private:
  explicit YamlDocument(std::shared_ptr<const YamlTree> tree) : tree_(std::move(tree)) {}
  std::shared_ptr<const YamlTree> tree_;
};

/// Reads a map and sees to it that no key is unknown or missing.
class YamlMap {
 public:
  /// Records a problem where the value is no map; then nothing is found, and nothing more is said.
  YamlMap(YamlValue value, Diagnostics& problems);

  /// The value of an optional key, if it is there. A key with nothing behind it is there, and null.
  std::optional<YamlValue> find(const std::string& key);
  /// The value of a key that must be there: a problem is recorded if it is not.
  std::optional<YamlValue> require(const std::string& key);
  /// Refuses all keys that were not asked for, with the nearest or all of those that were.
  void finish();

  [[nodiscard]] const YamlValue& value() const { return value_; }

 private:
  YamlValue value_;
  Diagnostics& problems_;
  std::vector<std::string> asked_;
};

/// "unknown key 'wayz' in 'l1'; did you mean 'ways'?", or the known keys where none is near.
std::string unknown_key(std::string_view key, std::string_view place, const std::vector<std::string>& known);

}  // namespace heddle::sim

// YAML files as trees of values that know their position in the file. Only this code uses yaml-cpp.
//
// Maps, lists and scalars are allowed. Anchors, aliases, tags, duplicate keys and several documents in one
// file are refused. To protect the program, so are files of more than 16 MiB, 64 levels or 1,000,000 values.
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

/// One value of a document. It is cheap to copy and keeps its document alive.
///
/// The typed reads return nothing if the value has another type or is out of range; then they record what was
/// found and what is allowed. Both ends of a range are allowed.
class YamlValue {
 public:
  YamlValue(std::shared_ptr<const YamlTree> tree, std::uint32_t node);

  [[nodiscard]] bool is_null() const;    ///< Nothing, `~` or `null`.
  [[nodiscard]] bool is_scalar() const;  ///< Text or a number, quoted or not; not null.
  [[nodiscard]] bool is_quoted() const;  ///< A scalar in quotes or a block scalar: text, never a number.
  [[nodiscard]] bool is_list() const;
  [[nodiscard]] bool is_map() const;

  /// The text of a scalar as written, without quotes. Empty for any other kind of value.
  [[nodiscard]] const std::string& text() const;
  /// The key of this value in its map. Empty for the root and for list items.
  [[nodiscard]] const std::string& key() const;
  /// All keys from the root: "sm.instructions.fp32.pipes[0]". Empty for the root.
  [[nodiscard]] std::string path() const;
  /// What this value is, for messages: "'abc'", "a list", "a map", "nothing".
  [[nodiscard]] std::string found() const;
  [[nodiscard]] SourceLocation where() const;

  /// The items of a list, or the values of a map in the order of the file. Empty for any other kind of value.
  [[nodiscard]] std::vector<YamlValue> items() const;
  /// The value of this key in a map.
  [[nodiscard]] std::optional<YamlValue> find(std::string_view key) const;

  [[nodiscard]] std::optional<std::string> as_string(Diagnostics& problems) const;
  [[nodiscard]] std::optional<bool> as_bool(Diagnostics& problems) const;
  /// Decimal, or hexadecimal with 0x.
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

  /// Records a message at this value. After 100 problems it records only that there are more.
  void error(Diagnostics& problems, std::string message) const;
  /// Records a message at the key of this value.
  void error_at_key(Diagnostics& problems, std::string message) const;
  /// "'l1.ways' must be <allowed>; found 'abc'".
  void must_be(Diagnostics& problems, std::string_view allowed) const;

 private:
  std::shared_ptr<const YamlTree> tree_;
  std::uint32_t node_;
};

/// A parsed YAML file, text or command-line argument.
class YamlDocument {
 public:
  /// Throws InputError if the file cannot be read or is not YAML of the kind described above.
  static YamlDocument load(const std::string& path);
  /// Messages call the text `name`.
  static YamlDocument parse(std::string text, const std::string& name);
  /// Parses a value from the command line. Messages name `argument` ("--set l1.ways=4") without line and
  /// column, and call the value `path` ("l1.ways").
  static YamlDocument parse_argument(std::string text, const std::string& argument, const std::string& path);

  [[nodiscard]] YamlValue root() const;

 private:
  explicit YamlDocument(std::shared_ptr<const YamlTree> tree) : tree_(std::move(tree)) {}
  std::shared_ptr<const YamlTree> tree_;
};

/// Reads a map and reports keys that are unknown or missing.
class YamlMap {
 public:
  /// If the value is not a map, one problem is recorded; then no key is found and no further problem is
  /// recorded.
  YamlMap(YamlValue value, Diagnostics& problems);

  /// The value of an optional key, if it is there. A key without a value is there, and its value is null.
  std::optional<YamlValue> find(const std::string& key);
  /// The value of a required key. A problem is recorded if it is missing.
  std::optional<YamlValue> require(const std::string& key);
  /// Records a problem for each key that was not asked for. The message names the most similar known key, or
  /// all of them.
  void finish();

  [[nodiscard]] const YamlValue& value() const { return value_; }

 private:
  YamlValue value_;
  Diagnostics& problems_;
  std::vector<std::string> asked_;
};

/// "unknown key 'wayz' in 'l1'; did you mean 'ways'?", or the known keys if none is similar.
std::string unknown_key(std::string_view key, std::string_view place, const std::vector<std::string>& known);

}  // namespace heddle::sim

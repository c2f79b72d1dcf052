// Typed reads of YAML values, and what is said where they fail.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "isa/base/read_bytes.h"
#include "isa/base/read_number.h"
#include "sim/config/suggest.h"
#include "sim/config/yaml_document.h"
#include "sim/config/yaml_tree.h"

namespace heddle::sim {

namespace {

/// "a whole number", with the ends of the range that say anything.
template <typename Number>
std::string allowed(std::string_view what, Number least, Number most) {
  const bool from = std::is_unsigned_v<Number> || least != std::numeric_limits<Number>::lowest();
  const bool to = most != std::numeric_limits<Number>::max();
  if (from && to) return fmt::format("{} from {} to {}", what, least, most);
  if (to) return fmt::format("{} of at most {}", what, most);
  if (from) return fmt::format("{} of at least {}", what, least);
  return std::string(what);
}

/// Long text is cut, so that a message stays one.
std::string shortened(const std::string& text) {
  constexpr std::size_t kLongest = 60;
  return text.size() <= kLongest ? text : fmt::format("{}...", text.substr(0, kLongest));
}

/// "1.0" is a fraction, though one that is whole.
std::optional<std::uint64_t> whole_in(std::string_view text) {
  return text.find('.') == std::string_view::npos ? count_in(text) : std::nullopt;
}

}  // namespace

YamlValue::YamlValue(std::shared_ptr<const YamlTree> tree, std::uint32_t node)
    : tree_(std::move(tree)), node_(node) {}

bool YamlValue::is_null() const { return tree_->nodes[node_].kind == YamlKind::Null; }
bool YamlValue::is_scalar() const { return tree_->nodes[node_].kind == YamlKind::Plain || is_quoted(); }
bool YamlValue::is_quoted() const { return tree_->nodes[node_].kind == YamlKind::Quoted; }
bool YamlValue::is_list() const { return tree_->nodes[node_].kind == YamlKind::List; }
bool YamlValue::is_map() const { return tree_->nodes[node_].kind == YamlKind::Map; }

const std::string& YamlValue::text() const { return tree_->nodes[node_].text; }
const std::string& YamlValue::key() const { return tree_->nodes[node_].key; }

std::string YamlValue::path() const {
  const YamlNode& node = tree_->nodes[node_];
  if (node.parent == kNoNode) return tree_->root_path;
  const YamlNode& parent = tree_->nodes[node.parent];
  const std::string before = YamlValue(tree_, node.parent).path();
  if (parent.kind == YamlKind::Map) return before.empty() ? node.key : before + "." + node.key;
  // Children come in the order of the file, so the index can be searched for.
  const auto place = std::lower_bound(parent.children.begin(), parent.children.end(), node_);
  return fmt::format("{}[{}]", before, place - parent.children.begin());
}

std::string YamlValue::found() const {
  switch (tree_->nodes[node_].kind) {
    case YamlKind::Null:
      return "nothing";
    case YamlKind::Plain:
      return fmt::format("'{}'", shortened(text()));
    case YamlKind::Quoted:
      return fmt::format("the text \"{}\"", shortened(text()));
    case YamlKind::List:
      return "a list";
    case YamlKind::Map:
      return "a map";
  }
  return {};
}

SourceLocation YamlValue::where() const {
  if (tree_->is_argument) return {tree_->name, 0, 0};
  const YamlMark mark = tree_->nodes[node_].mark;
  return {tree_->name, mark.line, mark.column};
}

std::vector<YamlValue> YamlValue::items() const {
  std::vector<YamlValue> values;
  for (const std::uint32_t child : tree_->nodes[node_].children) values.emplace_back(tree_, child);
  return values;
}

std::optional<YamlValue> YamlValue::find(std::string_view key) const {
  if (!is_map()) return std::nullopt;
  for (const std::uint32_t child : tree_->nodes[node_].children) {
    if (tree_->nodes[child].key == key) return YamlValue(tree_, child);
  }
  return std::nullopt;
}

std::optional<std::string> YamlValue::as_string(Diagnostics& problems) const {
  if (is_scalar()) return text();
  must_be(problems, "text");
  return std::nullopt;
}

std::optional<bool> YamlValue::as_bool(Diagnostics& problems) const {
  if (!is_quoted() && text() == "true") return true;
  if (!is_quoted() && text() == "false") return false;
  must_be(problems, "true or false");
  return std::nullopt;
}

std::optional<std::uint64_t> YamlValue::as_unsigned(Diagnostics& problems, std::uint64_t least,
                                                    std::uint64_t most) const {
  const auto number = is_quoted() ? std::nullopt : whole_in(text());
  if (number && *number >= least && *number <= most) return number;
  must_be(problems, allowed("a whole number", least, most));
  return std::nullopt;
}

std::optional<std::int64_t> YamlValue::as_signed(Diagnostics& problems, std::int64_t least,
                                                 std::int64_t most) const {
  auto number = is_quoted() ? std::nullopt : number_in<std::int64_t>(text());
  if (!number && !is_quoted() && text().starts_with("0x")) {
    number = number_in<std::int64_t>(std::string_view(text()).substr(2), 16);
  }
  if (number && *number >= least && *number <= most) return number;
  must_be(problems, allowed("a whole number", least, most));
  return std::nullopt;
}

std::optional<double> YamlValue::as_double(Diagnostics& problems, double least, double most) const {
  const auto number = is_quoted() ? std::nullopt : number_in<double>(text());
  if (number && std::isfinite(*number) && *number >= least && *number <= most) return number;
  must_be(problems, allowed("a number", least, most));
  return std::nullopt;
}

std::optional<std::uint64_t> YamlValue::as_bytes(Diagnostics& problems, std::uint64_t least,
                                                 std::uint64_t most) const {
  const auto number = is_quoted() ? std::nullopt : whole_in(text());
  if (number && *number >= least && *number <= most) return number;
  must_be(problems, allowed("a number of bytes (64 KiB, 6 MiB, 65536)", least, most));
  return std::nullopt;
}

std::optional<std::vector<YamlValue>> YamlValue::as_list(Diagnostics& problems) const {
  if (is_list()) return items();
  must_be(problems, "a list");
  return std::nullopt;
}

void YamlValue::error(Diagnostics& problems, std::string message) const {
  if (problems.list().size() > kMostProblems) return;
  if (problems.list().size() == kMostProblems) message = "more mistakes follow; the first 100 are shown";
  const SourceLocation place = where();
  problems.add(place, std::move(message), std::string(tree_->line(place.line)));
}

void YamlValue::error_at_key(Diagnostics& problems, std::string message) const {
  if (tree_->is_argument || problems.list().size() >= kMostProblems)
    return error(problems, std::move(message));
  const YamlMark mark = tree_->nodes[node_].key_mark;
  problems.add({tree_->name, mark.line, mark.column}, std::move(message),
               std::string(tree_->line(mark.line)));
}

void YamlValue::must_be(Diagnostics& problems, std::string_view allowed) const {
  const std::string name = path();
  const std::string subject = name.empty() ? "this" : fmt::format("'{}'", shortened(name));
  error(problems, fmt::format("{} must be {}; found {}", subject, allowed, found()));
}

YamlMap::YamlMap(YamlValue value, Diagnostics& problems) : value_(std::move(value)), problems_(problems) {
  if (!value_.is_map()) value_.must_be(problems_, "a map (key: value)");
}

std::optional<YamlValue> YamlMap::find(const std::string& key) {
  asked_.push_back(key);
  return value_.find(key);
}

std::optional<YamlValue> YamlMap::require(const std::string& key) {
  std::optional<YamlValue> found = find(key);
  if (!found && value_.is_map()) {
    const std::string place = value_.path();
    value_.error_at_key(problems_, place.empty() ? fmt::format("key '{}' is missing", key)
                                                 : fmt::format("key '{}' is missing in '{}'", key, place));
  }
  return found;
}

void YamlMap::finish() {
  if (!value_.is_map()) return;
  for (const YamlValue& entry : value_.items()) {
    if (std::find(asked_.begin(), asked_.end(), entry.key()) != asked_.end()) continue;
    entry.error_at_key(problems_, unknown_key(entry.key(), value_.path(), asked_));
  }
}

std::string unknown_key(std::string_view key, std::string_view place, const std::vector<std::string>& known) {
  const std::string in = place.empty() ? "" : fmt::format(" in '{}'", place);
  return fmt::format("unknown key '{}'{}; {}", shortened(std::string(key)), in, suggestion(key, known));
}

}  // namespace heddle::sim

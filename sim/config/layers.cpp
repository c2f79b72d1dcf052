#include "sim/config/layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/config/check.h"
#include "sim/config/describe.h"
#include "sim/config/inherited_limits.h"
#include "sim/config/keys.h"

namespace heddle::sim {

namespace {

std::string join(const std::string& group, std::string_view key) {
  return group.empty() ? std::string(key) : fmt::format("{}.{}", group, key);
}

/// "l1" of "l1.latency"; empty of "l1".
std::string group_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), is_letter);
}

bool is_absent_class(const YamlValue& value) { return value.is_scalar() && value.text() == kAbsentClass; }

/// Fills a spec from the values, or where there is none from those of the base, in the order of its
/// description.
class SpecReader {
 public:
  using ValueMap = std::map<std::string, YamlValue>;

  SpecReader(const ValueMap& values, const ValueMap& base, Diagnostics& problems)
      : values_(values), base_(base), problems_(problems) {}

  void text(std::string_view key, std::string_view, std::string& field) {
    if (const YamlValue* value = find(key)) read_text(*value, field);
  }

  void policy(std::string_view key, std::string_view, const PolicyKind& kind, std::string& field) {
    const YamlValue* value = find(key);
    if (value == nullptr || !read_text(*value, field)) return;
    const std::string refusal = unknown_policy(kind, field, join(group_, key));
    if (!refusal.empty()) value->error(problems_, refusal);
  }

  void boolean(std::string_view key, std::string_view, bool& field) {
    if (const YamlValue* value = find(key)) field = value->as_bool(problems_).value_or(field);
  }

  void number(const NumberKey& key, double& field) {
    if (const YamlValue* value = find(key.key)) {
      field = value->as_double(problems_, key.least, key.most).value_or(field);
    }
  }

  template <std::unsigned_integral Integer>
  void number(const NumberKey& key, Integer& field) {
    const YamlValue* value = find(key.key);
    if (value == nullptr) return;
    field = static_cast<Integer>(read_number(key, *value).value_or(field));
  }

  void sizes(std::string_view key, std::string_view, std::vector<std::uint32_t>& field) {
    for (const YamlValue& item : list(key, 0, 64)) {
      field.push_back(static_cast<std::uint32_t>(item.as_bytes(problems_, 0, 1u << 20).value_or(0)));
    }
  }

  void pipe_names(std::string_view key, std::string_view, std::vector<PipeSpec>& field) {
    for (const YamlValue& item : list(key, 1, kMostPipes)) {
      if (!item.is_scalar() || !is_name(item.text())) {
        item.must_be(problems_, "a name of letters, digits, '-' and '_'");
      } else if (pipe_index(item.text())) {
        item.error(problems_, fmt::format("pipe '{}' is named twice", item.text()));
      } else {
        field.push_back({item.text()});
        pipes_.push_back(item.text());
      }
    }
  }

  void pipe_choice(std::string_view key, std::string_view, std::vector<std::uint8_t>& field) {
    const std::vector<YamlValue> items = list(key, 1, kMostPipesOfClass);
    if (pipes_.empty()) return;  // they have been refused
    for (const YamlValue& item : items) {
      const std::optional<std::uint8_t> pipe = pipe_index(item.text());
      if (!pipe) {
        item.must_be(problems_, fmt::format("one of sm.pipes ({})", fmt::join(pipes_, ", ")));
      } else if (std::find(field.begin(), field.end(), *pipe) != field.end()) {
        item.error(problems_, fmt::format("pipe '{}' is named twice", item.text()));
      } else {
        field.push_back(*pipe);
      }
    }
  }

  /// A class of instructions: keys below it, or none at all.
  void group(std::string_view key, std::string_view doc, ClassSpec& spec) {
    const std::string path = join(group_, key);
    const YamlValue* value = value_at(path);
    if (value == nullptr || !is_absent_class(*value)) return group<ClassSpec>(key, doc, spec);
    spec = {};
    const auto below = values_.lower_bound(path + ".");
    if (below == values_.end() || !below->first.starts_with(path + ".")) return;
    below->second.error(problems_,
                        fmt::format("'{0}' is {1}: to have it, give all its keys, as in {0}={{pipes: "
                                    "[...], interval: 1, latency: 4}}",
                                    path, kAbsentClass));
  }

  template <typename Spec>
  void group(std::string_view key, std::string_view, Spec& spec) {
    const std::string path = join(group_, key);
    const YamlValue* value = find(key);
    if (value != nullptr ? !value->is_map() : !has_any_below(path)) return;
    const std::string outer = std::exchange(group_, path);
    describe(*this, spec);
    group_ = outer;
  }

 private:
  /// The value of a key of the current group. A key that no layer has is recorded, unless it is a group of
  /// which an override gave a part.
  const YamlValue* find(std::string_view key) {
    const std::string path = join(group_, key);
    const YamlValue* value = value_at(path);
    if (value == nullptr && !has_any_below(path)) refuse_missing(key);
    return value;
  }

  /// That of the base where no other layer has it, nor a part of it.
  [[nodiscard]] const YamlValue* value_at(const std::string& path) const {
    const auto found = values_.find(path);
    if (found != values_.end()) return &found->second;
    if (has_any_below(path)) return nullptr;
    const auto below = base_.find(path);
    return below != base_.end() ? &below->second : nullptr;
  }

  [[nodiscard]] bool has_any_below(const std::string& path) const {
    const auto next = values_.lower_bound(path + ".");
    return next != values_.end() && next->first.starts_with(path + ".");
  }

  void refuse_missing(std::string_view key) {
    std::string place = group_;
    while (!values_.contains(place)) place = group_of(place);
    const std::string in = group_.empty() ? "" : fmt::format(" in '{}'", group_);
    values_.at(place).error_at_key(problems_, fmt::format("key '{}' is missing{}", key, in));
  }

  std::optional<std::uint64_t> read_number(const NumberKey& key, const YamlValue& value) {
    const auto least = static_cast<std::uint64_t>(key.least);
    const auto most = static_cast<std::uint64_t>(key.most);
    const auto read = [&](Diagnostics& problems) {
      return key.unit == "bytes" ? value.as_bytes(problems, least, most)
                                 : value.as_unsigned(problems, least, most);
    };
    if (key.values == Values::All) return read(problems_);
    Diagnostics quiet;
    const auto number = read(quiet);
    if (number && std::has_single_bit(*number)) return number;
    value.must_be(problems_, fmt::format("a power of two from {} to {}", least, most));
    return std::nullopt;
  }

  bool read_text(const YamlValue& value, std::string& field) {
    constexpr std::size_t kLongest = 200;
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    const std::optional<std::string> text = value.as_string(problems_);
    if (!text) return false;
    if (text->empty() || text->size() > kLongest || std::any_of(text->begin(), text->end(), is_control)) {
      value.must_be(problems_, fmt::format("one line of at most {} characters", kLongest));
      return false;
    }
    field = *text;
    return true;
  }

  /// The items of a list with a sensible number of them.
  std::vector<YamlValue> list(std::string_view key, std::size_t least, std::size_t most) {
    const YamlValue* value = find(key);
    if (value == nullptr) return {};
    std::vector<YamlValue> items = value->items();
    if (value->is_list() && items.size() >= least && items.size() <= most) return items;
    value->must_be(problems_, fmt::format("a list of {} to {} items", least, most));
    return {};
  }

  [[nodiscard]] std::optional<std::uint8_t> pipe_index(const std::string& name) const {
    const auto found = std::find(pipes_.begin(), pipes_.end(), name);
    if (found == pipes_.end()) return std::nullopt;
    return static_cast<std::uint8_t>(found - pipes_.begin());
  }

  const ValueMap& values_;
  const ValueMap& base_;
  Diagnostics& problems_;
  std::string group_;
  std::vector<std::string> pipes_;  ///< The names of sm.pipes, once they are read.
};

}  // namespace

Layers::Layers(Diagnostics& problems) : problems_(problems) {
  for (const KeyInfo& key : gpu_keys()) {
    const std::string group = group_of(key.path);
    groups_[group].push_back(group.empty() ? key.path : key.path.substr(group.size() + 1));
    if (key.is_group) groups_[key.path];
    if (key.may_be_absent) classes_.insert(key.path);
  }
}

void Layers::add_base(const YamlValue& root) {
  if (!root.is_map()) return root.must_be(problems_, "a map (key: value)");
  values_ = std::exchange(base_, {});
  add_map("", root);
  base_ = std::exchange(values_, {});
  std::erase_if(base_, [this](const auto& entry) {
    return groups_.contains(entry.first) && !is_absent_class(entry.second) && !is_whole_in_base(entry.first);
  });
}

bool Layers::is_whole_in_base(const std::string& group) const {
  const std::vector<std::string>& keys = groups_.at(group);
  return std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
    const std::string path = join(group, key);
    const auto found = base_.find(path);
    const bool is_group = groups_.contains(path);
    if (found == base_.end()) return false;
    return !is_group || is_absent_class(found->second) || is_whole_in_base(path);
  });
}

void Layers::add(const YamlValue& root) {
  if (!root.is_map()) return root.must_be(problems_, "a map (key: value)");
  files_.push_back(root.where().file);
  add_map("", root);
}

void Layers::add_map(const std::string& path, const YamlValue& map) {
  values_.insert_or_assign(path, map);
  const std::vector<std::string>& known = groups_.at(path);
  for (const YamlValue& entry : map.items()) {
    if (path.empty() && entry.key() == "extends") continue;
    if (std::find(known.begin(), known.end(), entry.key()) == known.end()) {
      entry.error_at_key(problems_, unknown_key(entry.key(), path, known));
    } else {
      add_entry(join(path, entry.key()), entry);
    }
  }
}

void Layers::add_entry(const std::string& path, const YamlValue& value) {
  if (!groups_.contains(path)) {
    values_.insert_or_assign(path, value);
  } else if (classes_.contains(path) && is_absent_class(value)) {
    forget_below(path);
    values_.insert_or_assign(path, value);
  } else if (value.is_map()) {
    add_map(path, value);
  } else {
    // Kept, or the group would be said to be missing on top of this.
    values_.try_emplace(path, value);
    value.must_be(problems_, classes_.contains(path) ? "a map (key: value) or none" : "a map (key: value)");
  }
}

void Layers::forget_below(const std::string& path) {
  values_.erase(values_.lower_bound(path + "."), values_.lower_bound(path + "/"));  // '/' follows '.'
}

void Layers::add_override(const Override& override) {
  overrides_.insert(override.source);
  if (!override.has_value) return problems_.add({override.source}, "must be KEY=VALUE, as in l1.latency=40");
  const std::string& key = override.key;
  const std::string group = group_of(key);
  const auto known = groups_.find(group);
  const std::string last = group.empty() ? key : key.substr(group.size() + 1);
  if (known == groups_.end() ||
      std::find(known->second.begin(), known->second.end(), last) == known->second.end()) {
    return refuse_key(override);
  }
  try {
    add_entry(key, YamlDocument::parse_argument(override.value, override.source, key).root());
  } catch (const InputError& error) {
    problems_.add(error);
  }
}

/// "sm.scheduler" for "scheduler", if there is no other such key.
std::string Layers::key_that_ends_in(const std::string& name) const {
  std::string found;
  for (const auto& [group, keys] : groups_) {
    if (group.empty() || std::find(keys.begin(), keys.end(), name) == keys.end()) continue;
    if (!found.empty()) return {};
    found = join(group, name);
  }
  return found;
}

void Layers::refuse_key(const Override& override) const {
  const std::string& key = override.key;
  std::string group;
  std::size_t begin = 0;
  // The first part of the path that is unknown is what was mistyped.
  while (true) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    const std::string part = key.substr(begin, end - begin);
    const auto known = groups_.find(group);
    if (known == groups_.end()) {
      problems_.add({override.source}, fmt::format("'{}' has no keys below it", group));
      return;
    }
    if (std::find(known->second.begin(), known->second.end(), part) == known->second.end()) {
      const std::string elsewhere = key_that_ends_in(key);
      problems_.add({override.source},
                    elsewhere.empty() ? unknown_key(part, group, known->second)
                                      : fmt::format("unknown key '{}'; did you mean '{}'?", key, elsewhere));
      return;
    }
    group = join(group, part);
    begin = end + 1;
  }
}

bool Layers::is_overridden(const std::string& path) const {
  const auto value = values_.find(path);
  return value != values_.end() && overrides_.contains(value->second.where().file);
}

void Layers::fit_largest_block(OccupancySpec& spec) const {
  if (!is_overridden("occupancy.warp_size") || is_overridden("occupancy.max_threads_per_block")) return;
  const std::uint64_t most = std::uint64_t{spec.max_warps} * spec.warp_size;
  spec.max_threads_per_block =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(spec.max_threads_per_block, most));
}

/// By the file that gave a key last; overrides stand above all files.
std::size_t Layers::layer_of(const std::string& path) const {
  const std::string& file = values_.at(path).where().file;
  const auto found = std::find(files_.begin(), files_.end(), file);
  return static_cast<std::size_t>(found - files_.begin());
}

void Layers::check_compute_capability(const GpuSpec& spec) const {
  const std::size_t layer = layer_of("compute_capability");
  if (layer == 0) return;
  const std::string told = inherited_limits(
      spec, [&](const std::string& key) { return values_.contains(key) && layer_of(key) < layer; });
  if (!told.empty()) values_.at("compute_capability").error(problems_, told);
}

GpuSpec Layers::read() const {
  GpuSpec spec;
  if (!values_.contains("")) return spec;
  SpecReader reader(values_, base_, problems_);
  describe(reader, spec);
  fit_largest_block(spec.occupancy);
  if (problems_.empty()) check_compute_capability(spec);
  if (problems_.empty()) {
    check(spec, [this](const std::string& path, std::string message) {
      const auto found = values_.find(path);
      (found != values_.end() ? found->second : base_.at(path)).error(problems_, std::move(message));
    });
  }
  return spec;
}

}  // namespace heddle::sim

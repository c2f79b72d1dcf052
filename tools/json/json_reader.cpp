#include "tools/json/json_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/file_kind.h"
#include "sim/config/suggest.h"

namespace heddle {

namespace {

bool is_whole(const Json& value, std::uint64_t most) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() <= most;
}

bool is_extent(const Json& value) { return is_whole(value, std::numeric_limits<std::uint32_t>::max()); }

/// The value if it is short. Nested lists are not shown, because they may be nested deeper than the recursive
/// dump() can go.
std::string shown(const Json& found) {
  constexpr std::size_t kLongest = 40;
  if (std::any_of(found.begin(), found.end(), [](const Json& each) { return each.is_structured(); }))
    return found.type_name();
  const std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= kLongest ? text : found.type_name();
}

}  // namespace

Json parse_json(const std::string& text, const std::string& path) {
  try {
    return Json::parse(text);
  } catch (const Json::out_of_range&) {
    throw InputError({path, 0, 0}, "a number is too large");
  } catch (const Json::parse_error& error) {
    require_role(FileRole::Document, path, text);
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw InputError({path, static_cast<std::uint32_t>(std::count(text.begin(), end, '\n')) + 1, 0},
                     "not valid JSON");
  }
}

const Json* look_up(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string JsonReader::text(const Json& object, const char* key, const std::string& path) {
  const Json* value = find(object, key, path);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  complain(path, key, "be text", *value);
  return {};
}

std::optional<std::uint64_t> JsonReader::whole(const Json& object, const char* key, const std::string& path,
                                               std::uint64_t most) {
  const Json* value = find(object, key, path);
  if (value == nullptr) return std::nullopt;
  if (is_whole(*value, most)) return value->get<std::uint64_t>();
  complain(path, key, "be a whole number", *value);
  return std::nullopt;
}

std::optional<double> JsonReader::number(const Json& object, const char* key, const std::string& path) {
  const Json* value = find(object, key, path);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  complain(path, key, "be a number", *value);
  return std::nullopt;
}

std::optional<double> JsonReader::amount(const Json& object, const char* key, const std::string& path,
                                         double most) {
  const std::optional<double> value = number(object, key, path);
  if (!value || (*value >= 0 && *value <= most)) return value;
  complain(path, key, *value < 0 ? "not be negative" : fmt::format("be at most {:g}", most), *value);
  return std::nullopt;
}

bool JsonReader::flag(const Json& object, const char* key, const std::string& path) {
  const Json* value = look_up(object, key);
  if (value == nullptr) return true;
  if (value->is_boolean()) return value->get<bool>();
  complain(path, key, "be true or false", *value);
  return true;
}

std::optional<Dim3> JsonReader::extents(const Json& object, const char* key, const std::string& path) {
  const Json* value = find(object, key, path);
  if (value == nullptr) return std::nullopt;
  if (value->is_array() && value->size() == 3 && std::all_of(value->begin(), value->end(), is_extent))
    return Dim3{(*value)[0].get<std::uint32_t>(), (*value)[1].get<std::uint32_t>(),
                (*value)[2].get<std::uint32_t>()};
  complain(path, key, "be a list of three whole numbers", *value);
  return std::nullopt;
}

const Json* JsonReader::part(const Json& object, const char* key, const std::string& path, Part kind) {
  const Json* value = find(object, key, path);
  const bool is_list = kind == Part::List;
  if (value == nullptr || (is_list ? value->is_array() : value->is_object())) return value;
  complain(path, key, is_list ? "be a list" : "be an object", *value);
  return nullptr;
}

void JsonReader::allow_only(const std::vector<std::string>& known, const Json& object,
                            const std::string& path) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    problems_.add({file_, 0, 0},
                  fmt::format("unknown key '{}{}'; {}", path, key, sim::suggestion(key, known)));
  }
}

const Json* JsonReader::find(const Json& object, const char* key, const std::string& path) {
  const Json* found = look_up(object, key);
  if (found == nullptr) problems_.add({file_, 0, 0}, fmt::format("'{}{}' is missing", path, key));
  return found;
}

void JsonReader::complain(const std::string& path, const char* key, const std::string& allowed,
                          const Json& found) {
  problems_.add({file_, 0, 0}, fmt::format("'{}{}' must {}; found {}", path, key, allowed, shown(found)));
}

}  // namespace heddle

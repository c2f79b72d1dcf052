#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "sim/config/suggest.h"
#include "tools/validate/measured_kernel.h"

namespace heddle::validate {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "heddle-measured-1";

Json parse(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return Json::parse(text);
  } catch (const Json::out_of_range&) {
    throw InputError({path, 0, 0}, "a number is too large");
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw InputError({path, static_cast<std::uint32_t>(std::count(text.begin(), end, '\n')) + 1, 0},
                     "not valid JSON");
  }
}

/// Null if this is no object, or has no such key.
const Json* look_up(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

/// Reads values by name; what is missing or of another kind is a problem at its path in the document.
class Reader {
 public:
  Reader(const std::string& file, Diagnostics& problems) : file_(file), problems_(problems) {}

  std::string text(const Json& object, const char* key, const std::string& path) {
    const Json* value = find(object, key, path);
    if (value == nullptr) return {};
    if (value->is_string()) return value->get<std::string>();
    complain(path, key, "must be text", *value);
    return {};
  }

  std::optional<std::uint32_t> size(const Json& object, const char* key, const std::string& path) {
    const Json* value = find(object, key, path);
    if (value == nullptr) return std::nullopt;
    if (value->is_number_unsigned() &&
        value->get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max()) {
      return value->get<std::uint32_t>();
    }
    complain(path, key, "must be a whole number", *value);
    return std::nullopt;
  }

  std::optional<double> number(const Json& object, const char* key, const std::string& path) {
    const Json* value = find(object, key, path);
    if (value == nullptr) return std::nullopt;
    if (value->is_number()) return value->get<double>();
    complain(path, key, "must be a number", *value);
    return std::nullopt;
  }

  /// Of what is measured nothing is negative.
  std::optional<double> amount(const Json& object, const char* key, const std::string& path, double most) {
    const std::optional<double> value = number(object, key, path);
    if (!value || (*value >= 0 && *value <= most)) return value;
    const std::string allowed = *value < 0 ? "not be negative" : fmt::format("be at most {:g}", most);
    problems_.add({file_, 0, 0}, fmt::format("'{}{}' must {}; found {:g}", path, key, allowed, *value));
    return std::nullopt;
  }

  /// True if it is not there.
  bool flag(const Json& object, const char* key, const std::string& path) {
    const Json* value = look_up(object, key);
    if (value == nullptr) return true;
    if (value->is_boolean()) return value->get<bool>();
    complain(path, key, "must be true or false", *value);
    return true;
  }

  std::optional<Dim3> extents(const Json& object, const char* key, const std::string& path) {
    const Json* value = find(object, key, path);
    if (value == nullptr) return std::nullopt;
    const bool good = value->is_array() && value->size() == 3 &&
                      std::all_of(value->begin(), value->end(), [](const Json& one) {
                        return one.is_number_unsigned() &&
                               one.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
                      });
    if (good)
      return Dim3{(*value)[0].get<std::uint32_t>(), (*value)[1].get<std::uint32_t>(),
                  (*value)[2].get<std::uint32_t>()};
    complain(path, key, "must be a list of three whole numbers", *value);
    return std::nullopt;
  }

  /// What is misspelt is not passed over. What the kit writes is known, but of a device and of places it can
  /// say anything.
  void allow_only(const std::vector<std::string>& known, const Json& object, const std::string& path) {
    if (!object.is_object()) return;
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      problems_.add({file_, 0, 0},
                    fmt::format("unknown key '{}{}'; {}", path, key, sim::suggestion(key, known)));
    }
  }

  /// Null if it is not there, or no object or list as it must be.
  const Json* part(const Json& object, const char* key, const std::string& path, bool is_list) {
    const Json* value = find(object, key, path);
    if (value == nullptr || (is_list ? value->is_array() : value->is_object())) return value;
    complain(path, key, is_list ? "must be a list" : "must be an object", *value);
    return nullptr;
  }

 private:
  const Json* find(const Json& object, const char* key, const std::string& path) {
    const Json* found = look_up(object, key);
    if (found == nullptr) problems_.add({file_, 0, 0}, fmt::format("'{}{}' is missing", path, key));
    return found;
  }

  void complain(const std::string& path, const char* key, const char* allowed, const Json& found) {
    problems_.add({file_, 0, 0}, fmt::format("'{}{}' {}; found {}", path, key, allowed, shown(found)));
  }

  /// The value itself, if it is short. Not of lists of lists: they may lie in one another deeper than dump(),
  /// which calls itself, can go.
  static std::string shown(const Json& found) {
    constexpr std::size_t kLongest = 40;
    if (std::any_of(found.begin(), found.end(), [](const Json& each) { return each.is_structured(); }))
      return found.type_name();
    const std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() <= kLongest ? text : found.type_name();
  }

  const std::string& file_;
  Diagnostics& problems_;
};

void read_params(Reader& reader, const Json& params, const std::string& path, MeasuredKernel& kernel) {
  for (const auto& [name, value] : params.items()) {
    if (reader.number(params, name.c_str(), path))
      kernel.params.push_back(fmt::format("{}={}", name, value.dump()));
  }
}

void read_metrics(Reader& reader, const Json& values, const std::string& path, MeasuredKernels& result,
                  MeasuredKernel& kernel) {
  for (const auto& [name, value] : values.items()) {
    const Metric* metric = find_metric(name);
    if (value.is_null()) {
      result.not_compared.push_back(fmt::format("{}, {}: it came out as no number", kernel.name, name));
    } else if (metric != nullptr) {
      if (const auto amount = reader.amount(values, name.c_str(), path, most_of(*metric)))
        kernel.metrics.emplace_back(metric, *amount);
    } else {
      result.not_compared.push_back(fmt::format("{}, {}: the model has no such figure", kernel.name, name));
    }
  }
}

void read_kernel(Reader& reader, const Json& object, const std::string& path, MeasuredKernels& result) {
  MeasuredKernel kernel;
  reader.allow_only(
      {"name", "launch", "params", "grid", "block", "registers", "shared_bytes", "checked", "metrics"},
      object, path);
  kernel.name = reader.text(object, "name", path);
  kernel.launch = reader.text(object, "launch", path);
  kernel.grid = reader.extents(object, "grid", path);
  kernel.block = reader.extents(object, "block", path);
  kernel.registers = reader.size(object, "registers", path);
  if (const Json* params = reader.part(object, "params", path, false))
    read_params(reader, *params, path + "params.", kernel);
  if (const Json* values = reader.part(object, "metrics", path, false))
    read_metrics(reader, *values, path + "metrics.", result, kernel);
  if (reader.flag(object, "checked", path)) {
    result.kernels.push_back(std::move(kernel));
  } else {
    result.not_compared.push_back(fmt::format("{}: its result on the GPU was wrong", kernel.name));
  }
}

void read_left_out(const Json& document, MeasuredKernels& result) {
  const Json* left_out = look_up(document, "left_out");
  if (left_out == nullptr || !left_out->is_array()) return;
  for (const Json& reason : *left_out) {
    if (reason.is_string())
      result.not_compared.push_back(fmt::format("{} (not measured)", reason.get<std::string>()));
  }
}

void read_point(Reader& reader, const Json& at, const std::string& path, MeasuredFigure& figure) {
  for (const auto& [key, value] : at.items()) {
    if (const auto number = reader.number(at, key.c_str(), path)) figure.at.emplace_back(key, *number);
  }
}

void read_figure(Reader& reader, const Json& object, const std::string& path, MeasuredKernels& result) {
  MeasuredFigure figure;
  reader.allow_only({"name", "at", "value", "unit"}, object, path);
  figure.name = reader.text(object, "name", path);
  figure.unit = reader.text(object, "unit", path);
  if (const Json* value = look_up(object, "value"); value != nullptr && value->is_null()) {
    result.not_compared.push_back(fmt::format("{}: it came out as no number", figure.name));
    return;
  }
  figure.value = reader.number(object, "value", path).value_or(0);
  if (look_up(object, "at") != nullptr) {
    if (const Json* at = reader.part(object, "at", path, false))
      read_point(reader, *at, path + "at.", figure);
  }
  result.figures.push_back(std::move(figure));
}

/// Files from before there were any have none.
void read_figures(Reader& reader, const Json& document, MeasuredKernels& result) {
  if (look_up(document, "microbenchmarks") == nullptr) return;
  const Json* list = reader.part(document, "microbenchmarks", "", true);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    read_figure(reader, (*list)[i], fmt::format("microbenchmarks[{}].", i), result);
  }
}

}  // namespace

MeasuredKernels load_measured(const std::string& path) {
  const Json document = parse(path);
  Diagnostics problems;
  Reader reader(path, problems);
  const std::string format = reader.text(document, "format", "");
  if (!format.empty() && format != kFormat) {
    problems.add({path, 0, 0}, fmt::format("'format' must be '{}'; found '{}'", kFormat, format));
  }
  problems.throw_if_any();
  reader.allow_only(
      {"format", "device", "profiler", "took_s", "left_out", "units", "kernels", "microbenchmarks"}, document,
      "");
  MeasuredKernels result;
  result.file = path;
  if (const Json* device = reader.part(document, "device", "", false)) {
    result.device.name = reader.text(*device, "name", "device.");
    result.device.compute_capability = reader.text(*device, "compute_capability", "device.");
    result.device.sms = reader.size(*device, "sms", "device.");
    const Json* clock = look_up(*device, "clock_under_load_mhz");
    if (clock != nullptr && clock->is_number()) result.device.clock_mhz = clock->get<double>();
  }
  if (const Json* kernels = reader.part(document, "kernels", "", true)) {
    for (std::size_t i = 0; i < kernels->size(); ++i) {
      read_kernel(reader, (*kernels)[i], fmt::format("kernels[{}].", i), result);
    }
  }
  read_figures(reader, document, result);
  read_left_out(document, result);
  problems.throw_if_any();
  return result;
}

}  // namespace heddle::validate

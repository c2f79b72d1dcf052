#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "tools/json/json_reader.h"
#include "tools/validate/measured_kernel.h"

namespace heddle::validate {

namespace {

using Part = JsonReader::Part;

constexpr std::string_view kFormat = "heddle-measured-1";

void read_params(JsonReader& reader, const Json& params, const std::string& path, MeasuredKernel& kernel) {
  for (const auto& [name, value] : params.items()) {
    if (reader.number(params, name.c_str(), path))
      kernel.params.push_back(fmt::format("{}={}", name, value.dump()));
  }
}

/// Hits and requests come from different passes over the kernel. Where little is asked for, what else the GPU
/// does in one of them is more than that: on an H200, 33 sectors of a kernel and 1,912 in L2.
bool is_mixed_rate(const Metric& metric, const Json& value) {
  constexpr std::string_view kSuffix = "hit_rate";
  const std::string_view key = metric.key;
  const bool is_rate = key.size() > kSuffix.size() && key.substr(key.size() - kSuffix.size()) == kSuffix;
  return is_rate && value.is_number() && value.get<double>() > most_of(metric);
}

void read_metrics(JsonReader& reader, const Json& values, const std::string& path, MeasuredKernels& result,
                  MeasuredKernel& kernel) {
  for (const auto& [name, value] : values.items()) {
    const Metric* metric = find_metric(name);
    if (value.is_null()) {
      result.not_compared.push_back(fmt::format("{}, {}: it came out as no number", kernel.name, name));
    } else if (metric != nullptr && is_mixed_rate(*metric, value)) {
      result.not_compared.push_back(fmt::format(
          "{}, {}: more than 1, hits and requests being those of different passes", kernel.name, name));
    } else if (metric != nullptr) {
      if (const auto amount = reader.amount(values, name.c_str(), path, most_of(*metric)))
        kernel.metrics.emplace_back(metric, *amount);
    } else {
      result.not_compared.push_back(fmt::format("{}, {}: the model has no such figure", kernel.name, name));
    }
  }
}

void read_kernel(JsonReader& reader, const Json& object, const std::string& path, MeasuredKernels& result) {
  MeasuredKernel kernel;
  reader.allow_only(
      {"name", "launch", "params", "grid", "block", "registers", "shared_bytes", "checked", "metrics"},
      object, path);
  kernel.name = reader.text(object, "name", path);
  kernel.launch = reader.text(object, "launch", path);
  kernel.grid = reader.extents(object, "grid", path);
  kernel.block = reader.extents(object, "block", path);
  kernel.registers = reader.whole(object, "registers", path);
  if (const Json* params = reader.part(object, "params", path, Part::Object))
    read_params(reader, *params, path + "params.", kernel);
  if (const Json* values = reader.part(object, "metrics", path, Part::Object))
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

void read_point(JsonReader& reader, const Json& at, const std::string& path, MeasuredFigure& figure) {
  for (const auto& [key, value] : at.items()) {
    if (const auto number = reader.number(at, key.c_str(), path)) figure.at.emplace_back(key, *number);
  }
}

void read_figure(JsonReader& reader, const Json& object, const std::string& path, MeasuredKernels& result) {
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
    if (const Json* at = reader.part(object, "at", path, Part::Object))
      read_point(reader, *at, path + "at.", figure);
  }
  result.figures.push_back(std::move(figure));
}

/// Older files have no figures.
void read_figures(JsonReader& reader, const Json& document, MeasuredKernels& result) {
  if (look_up(document, "microbenchmarks") == nullptr) return;
  const Json* list = reader.part(document, "microbenchmarks", "", Part::List);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    read_figure(reader, (*list)[i], fmt::format("microbenchmarks[{}].", i), result);
  }
}

}  // namespace

MeasuredKernels load_measured(const std::string& path) {
  const Json document = parse_json(read_file(path), path);
  Diagnostics problems;
  JsonReader reader(path, problems);
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
  if (const Json* device = reader.part(document, "device", "", Part::Object)) {
    result.device.name = reader.text(*device, "name", "device.");
    result.device.compute_capability = reader.text(*device, "compute_capability", "device.");
    result.device.sms = reader.whole(*device, "sms", "device.");
    const Json* clock = look_up(*device, "clock_under_load_mhz");
    if (clock != nullptr && clock->is_number()) result.device.clock_mhz = clock->get<double>();
  }
  if (const Json* kernels = reader.part(document, "kernels", "", Part::List)) {
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

#include "tools/hardware/kit/report.h"

#include <cmath>
#include <cstdio>

namespace kit {

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  const bool whole = value == std::floor(value) && std::fabs(value) < 1e15;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.6g", value);
  return text;
}

std::string object(const Named& named) {
  std::string text;
  for (const auto& [name, value] : named)
    text += (text.empty() ? "" : ", ") + quoted(name) + ": " + number(value);
  return "{" + text + "}";
}

std::string triple(const unsigned (&size)[3]) {
  return "[" + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " + std::to_string(size[2]) +
         "]";
}

std::string line(const KernelFigures& kernel) {
  return "{\"name\": " + quoted(kernel.launch) + ", \"launch\": " + quoted(kernel.launch) +
         ", \"params\": " + object(kernel.params) + ", \"grid\": " + triple(kernel.grid) +
         ", \"block\": " + triple(kernel.block) + ", \"registers\": " + std::to_string(kernel.registers) +
         ", \"shared_bytes\": " + std::to_string(kernel.shared_bytes) +
         ", \"checked\": true, \"metrics\": " + object(kernel.metrics) + "}";
}

std::string line(const Figure& figure) {
  const std::string at = figure.at.empty() ? "" : ", \"at\": " + object(figure.at);
  return "{\"name\": " + quoted(figure.name) + at + ", \"value\": " + number(figure.value) +
         ", \"unit\": " + quoted(figure.unit) + "}";
}

std::string line(const std::string& text) { return quoted(text); }

template <class Element>
std::string list(const std::vector<Element>& elements) {
  std::string text;
  for (const Element& element : elements) text += (text.empty() ? "\n    " : ",\n    ") + line(element);
  return "[" + text + (elements.empty() ? "]" : "\n  ]");
}

std::string device_object(const DeviceFacts& device) {
  std::string text = "{\"name\": " + quoted(device.name) +
                     ", \"compute_capability\": " + quoted(device.compute_capability) +
                     ", \"driver\": " + quoted(device.driver) + ", \"cuda\": " + quoted(device.cuda);
  for (const auto& [name, value] : device.numbers) text += ", " + quoted(name) + ": " + number(value);
  return text + "}";
}

std::string units() {
  std::string text = "\"duration_us\": \"us\", \"event_us\": \"us\"";
  for (const Metric& metric : metrics()) text += ", " + quoted(metric.name) + ": " + quoted(metric.unit);
  return "{" + text + "}";
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all = {
#define METRIC(name, unit, profiler_name, factor) {#name, unit, profiler_name, factor},
#include "tools/hardware/kit/metrics.def"
#undef METRIC
  };
  return all;
}

std::string Report::json() const {
  return "{\n  \"format\": \"heddle-measured-1\",\n  \"device\": " + device_object(device) +
         ",\n  \"profiler\": " + quoted(profiler) + ",\n  \"took_s\": " + number(took_s) +
         ",\n  \"left_out\": " + list(left_out) + ",\n  \"units\": " + units() +
         ",\n  \"kernels\": " + list(kernels) + ",\n  \"microbenchmarks\": " + list(figures) + "\n}\n";
}

}  // namespace kit

// The parts of a launch file about buffers: contents, addresses for parameters, and checks.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "tools/launch/launch_reader.h"
#include "tools/launch/parameters.h"

namespace heddle::launch {

namespace {

constexpr std::uint64_t kMostBufferBytes = std::uint64_t{64} << 30;
constexpr std::int64_t kMostSamples = std::int64_t{1} << 30;

/// Whether the text contains `before.NAME`.
bool asks_for_initial(const std::string& text, const std::string& name) {
  const std::string needle = "before." + name;
  const auto continues_name = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find(needle); at != std::string::npos; at = text.find(needle, at + 1)) {
    if (!continues_name(at + needle.size())) return true;
  }
  return false;
}

std::string buffer_names(const std::vector<BufferInfo>& buffers) {
  std::string names;
  for (const BufferInfo& buffer : buffers)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", buffer.name);
  return names.empty() ? "there are no buffers" : "the buffers are " + names;
}

}  // namespace

void LaunchReader::read_buffers() {
  const auto buffers = root_.find("buffers");
  if (!buffers) return;
  if (!buffers->is_map()) return buffers->must_be(problems_, "a map of names and buffers");
  for (const sim::YamlValue& value : buffers->items()) {
    const std::optional<BufferInfo> buffer = read_buffer(value);
    if (!buffer || !add_buffer(*buffer, value)) broken_buffers_.push_back(value.key());
  }
}

std::optional<BufferInfo> LaunchReader::read_buffer(const sim::YamlValue& value) {
  const bool has_name = is_name(value);
  if (file_.find_value(value.key())) {
    value.error_at_key(problems_, fmt::format("'{}' is already the name of a value", value.key()));
    return std::nullopt;
  }
  sim::YamlMap map(value, problems_);
  if (!value.is_map()) return std::nullopt;
  const auto type_name = map.require("type");
  const auto fill = map.find("fill");
  const auto type = type_name ? find_element_type(type_name->text()) : std::nullopt;
  if (type_name && !type) type_name->must_be(problems_, element_type_names());
  const ElementType element = type.value_or(ElementType::U8);
  const auto count = read_count(map, element, fill);
  const auto copied = map.find("copied");
  map.finish();
  const bool is_copied = copied && copied->as_bool(problems_).value_or(false);
  if (!has_name || !type || !count) return std::nullopt;
  return BufferInfo{value.key(), element, *count, is_copied};
}

std::optional<std::uint64_t> LaunchReader::read_count(sim::YamlMap& map, ElementType type,
                                                      const std::optional<sim::YamlValue>& fill) {
  const auto file = fill ? fill->find("npy") : std::nullopt;
  const auto given = file ? map.find("count") : map.require("count");
  if (!given) return file ? filler_.npy_count(*file) : std::nullopt;
  const auto most = static_cast<std::int64_t>(kMostBufferBytes / info(type).bytes);
  const auto count = evaluator_.integer(*given, 0, most);
  if (!count) return std::nullopt;
  return static_cast<std::uint64_t>(*count);
}

bool LaunchReader::add_buffer(const BufferInfo& buffer, const sim::YamlValue& value) {
  const std::uint64_t bytes = buffer.count * info(buffer.type).bytes;
  if (bytes > kMostBufferBytes - buffer_bytes_) {
    value.error_at_key(problems_, fmt::format("with '{}' the buffers take more than 64 GiB", buffer.name));
    return false;
  }
  try {
    const exec::Buffer& memory = file_.memory.allocate(buffer.name, bytes);
    interpreter_.set_buffer(buffer.name, buffer.type, memory.bytes());
    if (const auto fill = value.find("fill")) filler_.fill(*fill, buffer.type, memory.bytes());
  } catch (const InputError& error) {
    value.error_at_key(problems_, error.list()[0].message);
    return false;
  } catch (const ExpressionError& error) {
    value.error_at_key(problems_, error.what());
    return false;
  }
  buffer_bytes_ += bytes;
  file_.buffers.push_back(buffer);
  return true;
}

void LaunchReader::read_params() {
  if (has_kernel_ && file_.launch.kernel.has_open_params) {
    const auto given = root_.find("params");
    return given ? read_open_params(*given) : check_open_params(file_.launch.kernel, 0, root_.value().where(), problems_);
  }
  const std::vector<ir::Param>& wanted = file_.launch.kernel.params;
  const auto params = has_kernel_ && !wanted.empty() ? root_.require("params") : root_.find("params");
  if (!has_kernel_ || !params) return;
  std::size_t end = 0;
  for (const ir::Param& param : wanted)
    end = std::max<std::size_t>(end, param.offset - file_.launch.kernel.param_base + size_of(param.type));
  file_.launch.params.resize(end);
  sim::YamlMap map(*params, problems_);
  for (const ir::Param& param : wanted) {
    const sim::YamlValue* option = file_.find_value(param.name) ? nullptr : overrides_.find_param(param.name);
    const auto given = option != nullptr ? map.find(param.name) : map.require(param.name);
    if (option != nullptr || given) read_param(param, option != nullptr ? *option : *given);
  }
  map.finish();
}

void LaunchReader::read_param(const ir::Param& param, const sim::YamlValue& value) {
  std::byte* place = &file_.launch.params[param.offset - file_.launch.kernel.param_base];
  if (param.type == ir::ParamType::Pointer) {
    if (const auto address = read_address(value)) std::memcpy(place, &*address, sizeof *address);
    return;
  }
  const ElementType type = element_type_of(param.type);
  if (const auto number = evaluator_.element(value, type)) store_element(type, place, *number);
}

std::optional<Addr> LaunchReader::read_address(const sim::YamlValue& value) {
  const exec::Buffer* buffer = value.is_scalar() ? file_.memory.find(value.text()) : nullptr;
  if (buffer != nullptr) return buffer->address();
  const auto is_same = [&](const std::string& name) { return name == value.text(); };
  if (std::none_of(broken_buffers_.begin(), broken_buffers_.end(), is_same)) {
    value.error(problems_, fmt::format("{}must be a buffer; {}; found {}", label(value),
                                       buffer_names(file_.buffers), value.found()));
  }
  return std::nullopt;
}

void LaunchReader::read_checks() {
  const auto checks = root_.find("check");
  if (!checks) return;
  const auto list = checks->as_list(problems_);
  if (!list) return;
  for (const sim::YamlValue& value : *list) read_check(value);
}

void LaunchReader::read_check(const sim::YamlValue& value) {
  sim::YamlMap map(value, problems_);
  const auto buffer = map.require("buffer");
  const auto equals = map.require("equals");
  const auto tolerance = map.find("tolerance");
  const auto sample = map.find("sample");
  map.finish();

  Check check;
  if (buffer && read_address(*buffer)) check.buffer = buffer->text();
  if (tolerance) {
    const auto number = evaluator_.number(*tolerance);
    check.tolerance = number ? to_double(*number) : 0;
    if (!(check.tolerance >= 0) || std::isinf(check.tolerance))
      tolerance->must_be(problems_, "a number of at least 0");
  }
  if (sample) check.sample = evaluator_.integer(*sample, 2, kMostSamples);
  if (!equals || !equals->as_string(problems_)) return;
  check.where = equals->where();
  try {
    interpreter_.compile_for_index(equals->text());
    check.expected = equals->text();
    keep_initial_contents(*equals);
  } catch (const ExpressionError& error) {
    equals->error(problems_, label(*equals) + error.what());
  }
  file_.checks.push_back(std::move(check));
}

void LaunchReader::keep_initial_contents(const sim::YamlValue& expression) {
  for (const BufferInfo& buffer : file_.buffers) {
    const bool is_kept = std::any_of(file_.initial.begin(), file_.initial.end(),
                                     [&](const auto& kept) { return kept.first == buffer.name; });
    if (is_kept || !asks_for_initial(expression.text(), buffer.name)) continue;
    const std::span<const std::byte> bytes = file_.memory.find(buffer.name)->bytes();
    initial_bytes_ += bytes.size();
    if (initial_bytes_ > kMostFilledBytes)
      throw ExpressionError(fmt::format("'before' can keep at most {} bytes", kMostFilledBytes));
    if (contents_ == Contents::Filled)
      file_.initial.emplace_back(buffer.name, std::vector(bytes.begin(), bytes.end()));
  }
}

}  // namespace heddle::launch

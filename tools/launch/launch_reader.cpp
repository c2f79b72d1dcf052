#include "tools/launch/launch_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "isa/base/cuda_limits.h"
#include "isa/base/file_kind.h"

namespace heddle::launch {

namespace {

constexpr std::uint32_t kMostSharedBytes = 1024 * 1024;

std::string folder_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

/// "-" means standard input.
sim::YamlDocument document_of(const std::string& path, const LaunchOverrides& options) {
  if (path == "-") {
    require_role(FileRole::Launch, options.standard_input_name, options.standard_input);
    return sim::YamlDocument::parse(options.standard_input, options.standard_input_name);
  }
  require_role_of_file(FileRole::Launch, path);
  return sim::YamlDocument::load(path);
}

}  // namespace

LaunchReader::LaunchReader(const std::string& path, const LaunchOverrides& overrides, Contents contents)
    : options_(overrides),
      contents_(contents),
      document_(document_of(path, overrides)),
      root_(document_.root(), problems_),
      evaluator_(interpreter_, problems_),
      filler_(evaluator_, folder_of(path), contents),
      overrides_(overrides, problems_) {
  file_.path = path == "-" ? overrides.standard_input_name : path;
}

std::optional<LaunchFile> LaunchReader::read() {
  if (const auto text = root_.find("description"))
    file_.description = text->as_string(problems_).value_or("");
  read_kernel();
  read_values();
  read_shape();
  read_buffers();
  place_variables();
  read_params();
  read_checks();
  root_.finish();
  overrides_.refuse_unused(file_.path, names());
  if (contents_ == Contents::Checked && interpreter_.has_read_buffers()) return std::nullopt;

  std::vector<Diagnostic> found = problems_.list();
  const auto order = [&](const Diagnostic& a) {
    return std::pair(a.where.file != file_.path, a.where.file == file_.path ? a.where.line : 0);
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return order(a) < order(b); });
  if (!found.empty()) throw InputError(std::move(found));
  file_.sources.insert(file_.sources.end(), filler_.sources().begin(), filler_.sources().end());
  return std::move(file_);
}

std::vector<std::string> LaunchReader::names() const {
  std::vector<std::string> names;
  for (const auto& [name, number] : file_.values) names.push_back(name);
  for (const ir::Param& param : file_.launch.kernel.params) names.push_back(param.name);
  return names;
}

bool LaunchReader::is_name(const sim::YamlValue& value) {
  if (is_usable_name(value.key())) return true;
  value.error_at_key(problems_,
                     fmt::format("'{}' cannot be a name here: names are letters, digits and _, begin with no "
                                 "digit, and mean nothing else in an expression",
                                 value.key()));
  return false;
}

void LaunchReader::read_values() {
  const auto values = root_.find("values");
  if (!values) return;
  if (!values->is_map()) return values->must_be(problems_, "a map of names and numbers");
  for (const sim::YamlValue& value : values->items()) {
    if (is_name(value)) read_value(value);
  }
}

void LaunchReader::read_value(const sim::YamlValue& value) {
  const sim::YamlValue* source = overrides_.find_param(value.key());
  const sim::YamlValue* size = overrides_.find_size(value.key());
  if (source == nullptr && size != nullptr && size->is_scalar()) source = size;
  const auto number = evaluator_.number(source == nullptr ? value : *source);
  // After a mistake another number is used, so that expressions with the value are still checked.
  const Number known = number.value_or(std::int64_t{1});
  file_.values.emplace_back(value.key(), known);
  try {
    interpreter_.set_number(value.key(), known);
  } catch (const ExpressionError& error) {
    value.error(problems_, error.what());
  }
}

void LaunchReader::read_shape() {
  exec::Launch& launch = file_.launch;
  launch.grid = read_extents("grid", kLargestGrid);
  launch.block = read_extents("block", kLargestBlock);
  if (launch.block.count() > kMostThreadsPerBlock) {
    const sim::YamlValue* option = overrides_.find_size("block");
    const sim::YamlValue where = option != nullptr ? *option : *root_.find("block");
    where.error(problems_,
                fmt::format("a block has at most {} threads; found {} x {} x {} = {}", kMostThreadsPerBlock,
                            launch.block.x, launch.block.y, launch.block.z, launch.block.count()));
  }
  launch.dynamic_shared_bytes = read_size("shared", 0, 0, kMostSharedBytes);
  const std::uint32_t needed = std::max(launch.kernel.registers, 1U);
  launch.registers_per_thread = read_size("registers", needed, needed, kMostRegistersPerThread);
}

Dim3 LaunchReader::read_extents(const std::string& key, Dim3 most) {
  const sim::YamlValue* option = overrides_.find_size(key);
  const auto given = option != nullptr ? root_.find(key) : root_.require(key);
  if (option == nullptr && !given) return {};
  const sim::YamlValue value = option != nullptr ? *option : *given;
  const std::vector<sim::YamlValue> items = value.is_list() ? value.items() : std::vector{value};
  if (items.empty() || items.size() > 3) {
    value.must_be(problems_, "a number, an expression, or a list of up to three");
    return {};
  }
  const std::array<std::uint32_t, 3> limits = {most.x, most.y, most.z};
  std::array<std::uint32_t, 3> extents = {1, 1, 1};
  for (std::size_t i = 0; i < items.size(); ++i) {
    extents[i] = static_cast<std::uint32_t>(evaluator_.integer(items[i], 1, limits[i]).value_or(1));
  }
  return {extents[0], extents[1], extents[2]};
}

std::uint32_t LaunchReader::read_size(const std::string& key, std::uint32_t otherwise, std::uint32_t least,
                                      std::uint32_t most) {
  const auto given = root_.find(key);
  const sim::YamlValue* option = overrides_.find_size(key);
  if (option == nullptr && !given) return otherwise;
  return static_cast<std::uint32_t>(
      evaluator_.integer(option != nullptr ? *option : *given, least, most).value_or(otherwise));
}

}  // namespace heddle::launch

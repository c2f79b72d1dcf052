#include "tools/heddle/base/provenance.h"

#include <algorithm>
#include <filesystem>

#include "sim/config/load.h"
#include "sim/config/print.h"
#include "tools/heddle/base/file_hash.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// Stands for the folder of GPU files, wherever it is installed.
constexpr std::string_view kShipped = "configs/";

bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_shipped(const fs::path& gpu_file) {
  std::error_code ignored;
  return fs::equivalent(gpu_file.parent_path(), sim::default_configs_directory(), ignored);
}

void add_file_as(report::Provenance& provenance, const std::string& shown, const std::string& path) {
  const auto is_same = [&](const report::HashedFile& file) { return file.path == shown; };
  if (std::none_of(provenance.files.begin(), provenance.files.end(), is_same))
    provenance.files.push_back({shown, sha256_of_file(path)});
}

}  // namespace

std::string_view program_version() { return HEDDLE_VERSION; }

Arguments essential_arguments(const Syntax& syntax, const Arguments& arguments,
                              std::span<const std::string_view> passed_over) {
  Arguments operands;
  Arguments options;
  for (const po::option& option : given_options(syntax, arguments)) {
    if (option.position_key >= 0) {
      operands.insert(operands.end(), option.value.begin(), option.value.end());
    } else if (!is_among(passed_over, option.string_key)) {
      options.push_back("--" + option.string_key);
      options.insert(options.end(), option.value.begin(), option.value.end());
    }
  }
  const bool has_dash = std::any_of(operands.begin(), operands.end(), [](const std::string& operand) {
    return operand.size() > 1 && operand.front() == '-';
  });
  if (!has_dash) {
    operands.insert(operands.end(), options.begin(), options.end());
    return operands;
  }
  options.emplace_back("--");
  options.insert(options.end(), operands.begin(), operands.end());
  return options;
}

report::Provenance provenance_of(std::string_view command, const Arguments& essential) {
  report::Provenance provenance;
  provenance.version = program_version();
  provenance.command = {"heddle", std::string(command)};
  provenance.command.insert(provenance.command.end(), essential.begin(), essential.end());
  return provenance;
}

void add_gpu(report::Provenance& provenance, const std::string& name_or_path, const sim::GpuSpec& spec,
             bool has_settings) {
  if (has_settings) provenance.gpu_changes = sim::changed_values(sim::load_gpu(name_or_path), spec);
  for (const std::string& path : sim::gpu_files(name_or_path))
    add_file_as(provenance,
                is_shipped(path) ? std::string(kShipped) + fs::path(path).filename().string() : path, path);
}

void add_file(report::Provenance& provenance, const std::string& path) {
  add_file_as(provenance, path, path);
}

std::string place_of(const std::string& path) {
  if (!path.starts_with(kShipped)) return path;
  const fs::path shipped = fs::path(sim::default_configs_directory()) / path.substr(kShipped.size());
  std::error_code ignored;
  return fs::exists(shipped, ignored) ? shipped.string() : path;
}

}  // namespace heddle::command

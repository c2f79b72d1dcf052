#include "tools/heddle/base/provenance.h"

#include <algorithm>
#include <filesystem>

#include "sim/config/load.h"
#include "sim/config/print.h"
#include "tools/heddle/base/again.h"
#include "tools/heddle/base/data_files.h"
#include "tools/heddle/base/file_hash.h"
#include "tools/heddle/base/input.h"
#include "tools/report/provenance_section.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// Folders that come with Heddle. Their place changes when it is installed.
constexpr std::string_view kShipped[] = {"configs", "traces", "tests/validation/kit",
                                          "tests/validation/kernels"};

bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

fs::path shipped_folder(std::string_view name) {
  return name == "configs" ? fs::path(sim::default_configs_directory()) : data_folder(name);
}

/// The path without the part that leads to the folders of Heddle.
std::string shown_path(const fs::path& path) {
  std::error_code ignored;
  for (const std::string_view name : kShipped) {
    if (fs::equivalent(path.parent_path(), shipped_folder(name), ignored))
      return (fs::path(name) / path.filename()).string();
  }
  return path.string();
}

bool has_file(const report::Provenance& provenance, const std::string& shown) {
  return std::any_of(provenance.files.begin(), provenance.files.end(),
                     [&](const report::HashedFile& file) { return file.path == shown; });
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
  provenance.command = {"heddle"};
  for (std::size_t begin = 0; begin < command.size();) {
    const std::size_t end = std::min(command.find(' ', begin), command.size());
    provenance.command.emplace_back(command.substr(begin, end - begin));
    begin = end + 1;
  }
  provenance.command.insert(provenance.command.end(), essential.begin(), essential.end());
  return provenance;
}

std::optional<ReportedCommand> read_reported(const Syntax& syntax, std::string_view command,
                                             const Arguments& arguments,
                                             std::span<const std::string_view> passed_over) {
  if (!parse_or_help(syntax, arguments)) return std::nullopt;
  const Arguments whole = with_report_again(syntax, command, arguments);
  return ReportedCommand{parse(syntax, whole),
                         provenance_of(command, essential_arguments(syntax, whole, passed_over))};
}

void add_gpu(report::Provenance& provenance, const std::string& name_or_path, const sim::GpuSpec& spec,
             bool has_settings) {
  if (has_settings) provenance.gpu_changes = sim::changed_values(sim::load_gpu(name_or_path), spec);
  for (const std::string& path : sim::gpu_files(name_or_path)) add_file(provenance, path);
}

std::string gpu_file_of(report::Provenance provenance, const std::string& name_or_path, const sim::GpuSpec& spec,
                        bool has_settings) {
  add_gpu(provenance, name_or_path, spec, has_settings);
  return report::provenance_comment(provenance, spec.name, "# ") + sim::to_yaml(spec);
}

void add_file(report::Provenance& provenance, const std::string& path) {
  const std::string shown = shown_path(path);
  if (has_file(provenance, shown)) return;
  std::error_code ignored;
  const bool is_pipe = fs::is_fifo(path, ignored);
  provenance.files.push_back({shown, is_pipe ? std::string() : sha256_of_file(path)});
}

void add_input(report::Provenance& provenance, const std::string& path, const std::string& text) {
  const std::string shown = path == kStandardInput ? path : shown_path(path);
  if (!has_file(provenance, shown)) provenance.files.push_back({shown, sha256_of_text(text)});
}

void add_standard_input(report::Provenance& provenance, const std::string& text) {
  add_input(provenance, std::string(kStandardInput), text);
}

std::string place_of(const std::string& path) {
  std::error_code ignored;
  for (const std::string_view name : kShipped) {
    const fs::path shipped = shipped_folder(name) / fs::path(path).filename();
    if (fs::path(path).parent_path() == name && fs::exists(shipped, ignored)) return shipped.string();
  }
  return path;
}

}  // namespace heddle::command

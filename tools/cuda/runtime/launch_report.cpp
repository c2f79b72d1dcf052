#include "tools/cuda/runtime/launch_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <utility>

#include "isa/base/host.h"
#include "isa/base/new_file.h"
#include "sim/config/load.h"
#include "sim/config/print.h"
#include "tools/report/json.h"
#include "tools/report/render_text.h"
#include "tools/report/run_document.h"

namespace heddle::cudart {

namespace {

/// What every file system takes: "ns__scale_float_" of "ns::scale<float>".
std::string file_name_of(std::string name) {
  constexpr std::size_t kLongest = 60;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  if (name.size() > kLongest) name.resize(kLongest);
  return name;
}

void write_file(const std::string& path, const std::string& text) {
  NewFile file(path);
  file.write(text);
  file.keep();
}

}  // namespace

report::Provenance provenance_of(const Settings& settings, const sim::GpuSpec& gpu) {
  report::Provenance provenance;
  provenance.version = HEDDLE_VERSION;
  provenance.command = {"heddle", "exec", "--gpu", settings.gpu, "--"};
  for (std::string& word : own_command_line()) provenance.command.push_back(std::move(word));
  if (!settings.overrides.empty())
    provenance.gpu_changes = sim::changed_values(sim::load_gpu(settings.gpu), gpu);
  return provenance;
}

void write_launch_report(const Settings& settings, std::uint64_t number, const report::Summary& summary) {
  const std::string stem =
      fmt::format("{}/{:04}-{}", settings.report_folder, number, file_name_of(summary.info.short_name));
  write_file(stem + ".txt", report::render_text(report::run_document(summary), {}));
  write_file(stem + ".json", report::to_json({&summary, 1}));
}

}  // namespace heddle::cudart

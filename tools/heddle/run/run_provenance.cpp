#include "tools/heddle/run/run_provenance.h"

#include <utility>

#include "isa/base/diagnostic.h"
#include "sim/trace/read/kernels_list.h"
#include "sim/trace/replay/facts_file.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tools/heddle/base/file_hash.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/base/provenance.h"
#include "tools/launch/parameters.h"

namespace heddle::command {

namespace {

/// Two builds of one version can give different figures.
std::string program_hash() {
  try {
    return sha256_of_file("/proc/self/exe");
  } catch (const InputError&) {
    return {};
  }
}

report::Provenance command_of(const RunRequest& request) { return provenance_of("run", request.command); }

}  // namespace

report::Provenance launch_provenance(const RunRequest& request, const sim::GpuSpec& spec,
                                     const launch::LaunchFile& file) {
  report::Provenance provenance = command_of(request);
  provenance.parameters = launch::parameters_of(file);
  if (file.path == input_name(std::string(kStandardInput))) {
    add_standard_input(provenance, request.overrides.standard_input);
  } else if (file.path != request.overrides.standard_input_name) {  // what --args says is in the command
    add_file(provenance, file.path);
  }
  for (const std::string& source : file.sources) add_file(provenance, source);
  add_gpu(provenance, request.gpu, spec, !request.settings.empty());
  return provenance;
}

report::Provenance trace_provenance(const RunRequest& request, const sim::GpuSpec& spec,
                                    const std::string& path) {
  report::Provenance provenance = command_of(request);
  for (const std::string& launch : request.launches) {
    if (trace::is_kernels_list(launch)) add_file(provenance, launch);
  }
  add_trace(provenance, path);
  add_gpu(provenance, request.gpu, spec, !request.settings.empty());
  return provenance;
}

void add_trace(report::Provenance& provenance, const std::string& path) {
  add_file(provenance, path);
  if (const auto facts = trace::facts_path(path, trace::open_trace(path)->header()))
    add_file(provenance, *facts);
}

report::Provenance list_provenance(std::span<const report::Summary> kernels) {
  report::Provenance all = kernels.front().info.provenance;
  for (const report::Summary& kernel : kernels) all.add_files(kernel.info.provenance.files);
  return all;
}

JournalHead journal_head(std::span<const RunRequest> points, std::span<const std::string> inputs,
                         std::size_t runs) {
  report::Provenance provenance = provenance_of("run", points[0].subject);
  for (const std::string& input : inputs) {
    if (input == input_name(std::string(kStandardInput))) {
      add_standard_input(provenance, points[0].overrides.standard_input);
    } else {
      add_file(provenance, input);
    }
  }
  return {provenance.version, program_hash(), std::move(provenance.command), std::move(provenance.files),
          runs};
}

report::Provenance failure_provenance(const RunRequest& request, const std::string& path) {
  report::Provenance provenance = command_of(request);
  try {
    add_file(provenance, path);
  } catch (const InputError&) {  // the failure's message says what is wrong
  }
  return provenance;
}

}  // namespace heddle::command

#include "tools/heddle/show/shown_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "isa/base/new_file.h"
#include "sim/device/device.h"
#include "sim/device/run.h"
#include "tools/heddle/base/examples.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/base/text_style.h"
#include "tools/heddle/run/gpu_options.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/launch/parameters.h"
#include "tools/report/provenance_section.h"

namespace heddle::command {

namespace {

/// The picture does not depend on where it goes.
constexpr std::string_view kPlaces[] = {"svg", "output"};

}  // namespace

void add_show_options(Syntax& syntax, const char* gpu) {
  auto add = syntax.options.add_options();
  add("gpu", text_option("GPU|FILE")->default_value(gpu), "GPU to simulate; see heddle gpus");
  add("set", list_option("KEY=VALUE"), "changes a value of the GPU, as l1.latency=40");
  add("scheduler", text_option("POLICY"), "policy of the warp schedulers");
  add("divergence", text_option("stack|barrier"),
      "how the lanes of a warp meet again: SIMT stack or convergence barriers");
  add("param", list_option("NAME=VALUE"), "changes a value or a parameter of the launch");
  add("svg", text_option("FILE"), "draws the picture into a file, too: all of it, or nothing");
  add("output,o", text_option("FILE"), "writes the text to a file: all of it, or nothing");
}

ShowRequest show_request_of(const Syntax& syntax, const OptionValues& values, const Arguments& arguments,
                            std::string_view command, const std::string& example) {
  ShowRequest request;
  request.launches = launches_of(values, command);
  if (request.launches.empty()) request.launches = {launch_path(example)};
  request.gpu = values["gpu"].as<std::string>();
  request.settings = gpu_settings(values);
  request.overrides.params = overrides_of(values, "param");
  request.svg = text_of(values, "svg");
  request.output = output_of(values);
  request.provenance = provenance_of(command, essential_arguments(syntax, arguments, kPlaces));
  std::vector<std::string> outputs;
  if (request.output) outputs.push_back(*request.output);
  if (request.svg) outputs.push_back(*request.svg);
  require_own_places(outputs, request.launches);
  for (const std::string& path : outputs) require_writable(path);
  return request;
}

std::string short_name(const std::string& path) { return std::filesystem::path(path).stem().string(); }

void add_inputs(ShowRequest& request, const launch::LaunchFile& file, const sim::GpuSpec& spec) {
  request.provenance.parameters = launch::parameters_of(file);
  add_file(request.provenance, file.path);
  for (const std::string& source : file.sources) add_file(request.provenance, source);
  add_gpu(request.provenance, request.gpu, spec, !request.settings.empty());
}

report::Summary watched(launch::LaunchFile& file, const sim::GpuSpec& spec, const MakeObserver& observer,
                        const MakeSource& source, sim::CycleRange samples) {
  exec::LiveKernel kernel = live_kernel(spec, file);
  sim::RunOptions options;
  options.samples = samples;
  if (observer) options.observer = observer(kernel);
  stream::KernelSource* const source_of_run = source ? source(kernel) : &kernel;
  sim::Device device(spec, {});
  copy_from_host(file, device);
  report::RunInfo info;
  info.launch_path = file.path;
  info.short_name = short_name(file.path);
  return report::summarize(sim::run(*source_of_run, device, options), spec, info);
}

void deliver_picture(const ShowRequest& request, show::Picture picture) {
  const report::TextStyle style = text_style(request.output);
  picture.text.items.emplace_back(report::Gap{});
  report::add_provenance(picture.text, request.provenance, request.gpu, style.columns);
  if (request.svg) write_file(*request.svg, picture.svg);
  deliver(picture.before + report::render_text(picture.text, style), request.output);
}

}  // namespace heddle::command

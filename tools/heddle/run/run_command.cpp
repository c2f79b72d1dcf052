#include "tools/heddle/run/run_command.h"

#include <algorithm>
#include <utility>

#include "sim/config/load.h"
#include "tools/heddle/base/again.h"
#include "tools/heddle/base/gpu_choice.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/run/launch_runs.h"
#include "tools/heddle/run/replay_command.h"
#include "tools/heddle/trace/trace_list.h"

namespace heddle::command {

int run_command(const Arguments& arguments) {
  const Syntax syntax = run_syntax();
  if (!parse_or_help(syntax, arguments)) return kDone;
  std::vector<RunRequest> points = read_run_requests(syntax, with_report_again(syntax, "run", arguments));
  const RunRequest& first = points[0];
  if (first.list_schedulers) {
    write_output(policies_text());
    return kDone;
  }
  if (first.print_gpu) {
    const sim::GpuSpec spec =
        say_as_written(first.wordings, [&first] { return sim::load_gpu(first.gpu, first.settings); });
    write_output(gpu_file_of(provenance_of("run", first.command), first.gpu, spec, !first.settings.empty()));
    return kDone;
  }
  std::for_each(first.launches.begin(), first.launches.end(), refuse_unnamed_trace);
  const bool has_trace = std::any_of(first.launches.begin(), first.launches.end(), is_trace);
  if (first.samples_kernels && !has_trace)
    throw UsageError(
        "--sample kernels goes with traces: launch files are run one by one, each from its start");
  const std::shared_ptr<Checkpoints> checkpoints = first.checkpoints;
  if (checkpoints && first.resume) checkpoints->go_on();
  const int code = has_trace ? replay_all(std::move(points)) : run_launches(std::move(points));
  if (checkpoints) checkpoints->end();
  return code;
}

}  // namespace heddle::command

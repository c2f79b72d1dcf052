#include "tools/heddle/bench/bench_command.h"

#include "sim/config/load.h"
#include "tools/bench/report.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/text_style.h"
#include "tools/heddle/bench/bench_request.h"
#include "tools/heddle/bench/bench_rows.h"
#include "tools/report/provenance_section.h"
#include "tools/report/render_text.h"

namespace heddle::command {

namespace {

std::string report_of(const bench::Run& run, const BenchRequest& request) {
  const bench::Baseline* baseline = request.baseline ? &*request.baseline : nullptr;
  if (request.format == "json") return to_json(run, baseline);
  if (request.format == "csv") return to_csv(run, baseline);
  const report::TextStyle style = text_style();
  report::Document all = document(run, baseline);
  all.items.emplace_back(report::Gap{});
  report::add_provenance(all, run.provenance, run.gpu, style.columns);
  return report::render_text(all, style);
}

}  // namespace

int bench_command(const Arguments& arguments) {
  constexpr std::string_view kOnlyHow[] = {"save"};
  const auto command = read_reported(bench_syntax(), "bench", arguments, kOnlyHow);
  if (!command) return kDone;
  const BenchRequest request = read_bench_request(*command);
  const sim::GpuSpec gpu = sim::load_gpu(request.gpu, request.settings);
  require_given(request);
  bench::Run run{std::string(program_version()), bench::this_machine(),    gpu.name,
                 request.plan.threads,           request.plan.repetitions, measure_all(request)};
  run.provenance = request.provenance;
  for (const bench::Row& row : run.rows) run.provenance.add_files(row.provenance.files);
  add_gpu(run.provenance, request.gpu, gpu, !request.settings.empty());
  if (request.save) write_file(*request.save, to_json(run, nullptr));
  write_output(report_of(run, request));
  return kDone;
}

}  // namespace heddle::command

#include "tools/heddle/occupancy/occupancy_table.h"

#include <fmt/format.h>

#include "isa/base/file_kind.h"
#include "isa/base/read_file.h"
#include "sim/config/load.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/occupancy/occupancy_questions.h"
#include "tools/occupancy/batch.h"
#include "tools/report/json_object.h"

namespace heddle::command {

namespace {

/// Changes to the command line's GPU do not apply to rows with another GPU.
occupancy::RowEndings endings_for(const report::Provenance& table, const report::Provenance& defaults) {
  const report::ProvenanceCells given = report::provenance_cells(defaults);
  const auto of_other = [table, changes = defaults.gpu_changes](const std::string& gpu) {
    report::Provenance made = table;
    for (const auto& [key, value] : changes) made.gpu_changes.emplace_back(key, "");
    if (!gpu.empty()) add_gpu(made, gpu, sim::load_gpu(gpu, {}), false);
    return fmt::format(",{}", report::provenance_cells(made).row);
  };
  return {fmt::format(",{}", given.columns), fmt::format(",{}", given.row), of_other};
}

}  // namespace

void answer_table(const OccupancyRequest& request) {
  occupancy::Question defaults = request.question;
  const auto find_device = [](const std::string& name) {
    return occupancy::device_of(sim::load_gpu(name, {}));
  };
  if (request.output) require_own_places({*request.output}, {*request.batch});
  const std::string table = read_input(*request.batch);
  const std::string name = input_name(*request.batch);
  require_role(FileRole::Table, name, table);
  const std::string_view csv = without_byte_order_mark(table, name);
  report::Provenance made = request.provenance;
  made.gpu_changes.clear();
  made.files.clear();
  add_input(made, *request.batch, table);
  defaults.provenance = request.provenance;
  choose_device(request, defaults);
  defaults.provenance.add_files(made.files);
  deliver(occupancy::answer_batch(csv, name, defaults, find_device, endings_for(made, defaults.provenance)),
          request.output);
}

}  // namespace heddle::command

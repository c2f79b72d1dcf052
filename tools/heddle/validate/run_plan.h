// Simulations that are made together, each once, however many ask for it.
#pragma once

#include <exception>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/config/gpu_spec.h"
#include "tools/launch/launch_file.h"
#include "tools/report/figures.h"
#include "tools/report/summary.h"
#include "tools/validate/suite.h"

namespace heddle::command {

struct PlannedRun {
  std::string gpu;                    ///< A name or a path.
  std::vector<std::string> settings;  ///< Of the GPU.
  std::string launch;                 ///< Path of a launch file, or of a trace.
  launch::LaunchOverrides overrides;
  SourceLocation where;                             ///< Who asked.
  std::optional<validate::MadeKernel> kernel = {};  ///< In the place of a launch file.
};

class RunPlan {
 public:
  /// The number of the run.
  std::size_t add(const PlannedRun& run);

  /// So many at a time. Throws InputError, before any run, for GPUs and launch files that cannot be used;
  /// what only a run finds out is thrown when the others are done.
  void run(unsigned threads, bool quiet);
  /// The same, but what is wrong with a launch, or what only a run finds out, is kept as the run's failure.
  void attempt(unsigned threads, bool quiet);
  /// What is wrong with the launch, or what its kernel did wrong; nothing if the run has been made.
  [[nodiscard]] std::optional<std::string> failure(std::size_t run) const;

  /// What launches say of results that are not as they expect; empty if all are.
  [[nodiscard]] std::string failed_checks() const;
  [[nodiscard]] const report::Summary& summary(std::size_t run) const { return done_.at(run).summary; }
  /// What is changed of its GPU, the values that were given to the launch, and the files that went in.
  [[nodiscard]] const report::Provenance& provenance(std::size_t run) const {
    return done_.at(run).summary.info.provenance;
  }
  /// Those of the report, and the launch's values as "values.NAME".
  [[nodiscard]] const std::vector<report::Figure>& figures(std::size_t run) const {
    return done_.at(run).figures;
  }

 private:
  struct Done {
    std::exception_ptr failure;
    report::Summary summary;
    std::vector<report::Figure> figures;
    std::string failed_checks;
  };

  struct Gpu {
    sim::GpuSpec spec;
    report::Provenance provenance;  ///< Its files, and what is changed of it.
  };

  void load_gpus();
  void try_launches() const;
  void simulate_all(unsigned threads, bool quiet);
  [[nodiscard]] Done try_simulate(std::size_t run) const;
  [[nodiscard]] Done simulate(std::size_t run) const;
  [[nodiscard]] static Done replay(const std::string& path, const Gpu& gpu);

  std::vector<PlannedRun> runs_;
  std::map<std::vector<std::string>, std::size_t> numbers_;  ///< By all that makes a run what it is.
  std::map<std::vector<std::string>, Gpu> gpus_;             ///< By name and settings.
  std::vector<Done> done_;
};

}  // namespace heddle::command

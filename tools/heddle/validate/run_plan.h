// Simulations that are made together. Equal simulations are made only once.
#pragma once

#include <exception>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/override.h"
#include "sim/config/gpu_spec.h"
#include "tools/launch/launch_file.h"
#include "tools/report/figures.h"
#include "tools/report/summary.h"
#include "tools/validate/suite.h"

namespace heddle::command {

/// A simulation to make.
struct PlannedRun {
  std::string gpu;     ///< A name or a path.
  Overrides settings;  ///< GPU settings.
  std::string launch;  ///< Path of a launch file, or of a trace.
  launch::LaunchOverrides overrides;
  SourceLocation where;                             ///< The place in the input that asks for it.
  std::optional<validate::MadeKernel> kernel = {};  ///< Used instead of a launch file.
};

/// A set of simulations. They are added first, then run together.
class RunPlan {
 public:
  /// Returns the number of the run.
  std::size_t add(const PlannedRun& run);

  /// Runs all on this many threads. Throws InputError before any run for GPUs and launch files that cannot be
  /// used. Errors that occur during a run are thrown when the others are done.
  void run(unsigned threads, bool quiet);
  /// The same, but an error of a launch or of a run is kept as the run's failure.
  void attempt(unsigned threads, bool quiet);
  /// The mistake in the launch, or the fault of its kernel; nothing if the run succeeded.
  [[nodiscard]] std::optional<std::string> failure(std::size_t run) const;

  /// The failed result checks of all launches; empty if all checks hold.
  [[nodiscard]] std::string failed_checks() const;
  [[nodiscard]] const report::Summary& summary(std::size_t run) const { return done_.at(run).summary; }
  /// The changes to its GPU, the values given to the launch, and the input files.
  [[nodiscard]] const report::Provenance& provenance(std::size_t run) const {
    return done_.at(run).summary.info.provenance;
  }
  /// The figures of the report, and the launch's values as "values.NAME".
  [[nodiscard]] const std::vector<report::Figure>& figures(std::size_t run) const {
    return done_.at(run).figures;
  }

 private:
  /// The result of a run, or its failure.
  struct Done {
    std::exception_ptr failure;
    report::Summary summary;
    std::vector<report::Figure> figures;
    std::string failed_checks;
  };

  /// A loaded GPU.
  struct Gpu {
    sim::GpuSpec spec;
    report::Provenance provenance;  ///< Its files and its changes.
  };

  void load_gpus();
  void try_launches() const;
  void simulate_all(unsigned threads, bool quiet);
  [[nodiscard]] Done try_simulate(std::size_t run) const;
  [[nodiscard]] Done simulate(std::size_t run) const;
  [[nodiscard]] static Done replay(const std::string& path, const Gpu& gpu);

  std::vector<PlannedRun> runs_;
  std::map<std::vector<std::string>, std::size_t> numbers_;  ///< By everything that distinguishes runs.
  std::map<std::vector<std::string>, Gpu> gpus_;             ///< By name and settings.
  std::vector<Done> done_;
};

}  // namespace heddle::command

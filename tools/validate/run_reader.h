// Reads the runs of a case: launches, loops from which kernels are generated, and series of both.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/config/yaml_document.h"
#include "tools/validate/case_draft.h"
#include "tools/validate/loop_kernel.h"
#include "tools/validate/suite.h"

namespace heddle::validate {

/// Reads the runs of one case after another.
class RunReader {
 public:
  /// Launches are in or below `folder`. Each run has these lists of settings, if they are given, before its
  /// own.
  RunReader(std::string folder, std::vector<std::optional<sim::YamlValue>> settings, Diagnostics& problems)
      : folder_(std::move(folder)), settings_(std::move(settings)), problems_(problems) {}

  /// Adds the runs of the map to the draft's case. Mistakes are recorded.
  void read(CaseDraft& draft, const sim::YamlValue& runs);

 private:
  /// The parameters of a `launch`, or the description of a `loop` from which a kernel is generated.
  struct Source {
    std::optional<sim::YamlValue> params;
    std::optional<sim::YamlValue> loop;
  };

  void read_run(CaseDraft& draft, const sim::YamlValue& value);
  void read_settings(const CaseDraft& draft, const sim::YamlValue& list, Run& run);
  void add(CaseDraft& draft, Run run, const Source& source);
  void read_series(CaseDraft& draft, const Run& run, const sim::YamlValue& each, const Source& source);
  void check_loop(Loop loop, const sim::YamlValue& value);
  MadeKernel read_loop(CaseDraft& draft, const sim::YamlValue& value);

  std::string folder_;
  std::vector<std::optional<sim::YamlValue>> settings_;
  Diagnostics& problems_;
};

}  // namespace heddle::validate

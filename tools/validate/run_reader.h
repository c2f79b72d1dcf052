// Reads the runs of a case: launches, loops of which kernels are made, and series of either.
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

class RunReader {
 public:
  /// Launches lie in or below `folder`. All runs have these lists of settings, if they are given, before
  /// their own.
  RunReader(std::string folder, std::vector<std::optional<sim::YamlValue>> settings, Diagnostics& problems)
      : folder_(std::move(folder)), settings_(std::move(settings)), problems_(problems) {}

  /// Adds the runs of the map to the draft's case. Records what is wrong.
  void read(CaseDraft& draft, const sim::YamlValue& runs);

 private:
  /// What stands behind `launch`, or `loop` for a made kernel, with the numbers that it needs.
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

// GPU files to GpuSpec: finding, `extends:`, overrides, checks.
//
// All mistakes of a file are told at once, by InputError, with file, line, column and what is allowed.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// $HEDDLE_CONFIGS if set; else `configs` or `share/heddle/configs` up to two folders above the program's,
/// whichever holds GPU files, so that a build finds its own whatever is installed; else where they were to be
/// installed, or `configs` in the current folder if there are none.
std::string default_configs_directory();

/// A name ("h100", "H100", "RTX 4090") is looked up in the directory; what has a slash or ends in .yaml is the path of a file.
/// Overrides ("l1.latency=40") come after the file, in their order, and are checked together: each may be
/// wrong without the others.
GpuSpec load_gpu(const std::string& name_or_path, const std::vector<std::string>& overrides = {},
                 const std::string& configs_directory = default_configs_directory());

/// The same of the text of a GPU file, which `name` stands for in messages. What it extends is looked up in
/// the directory.
GpuSpec load_gpu_text(const std::string& text, const std::string& name,
                      const std::vector<std::string>& overrides = {},
                      const std::string& configs_directory = default_configs_directory());

/// The paths of a GPU's file and of those that it extends, in this order. Throws InputError where one is
/// missing or cannot be read.
std::vector<std::string> gpu_files(const std::string& name_or_path,
                                   const std::string& configs_directory = default_configs_directory());

/// Names of the GPU files in a directory, sorted.
std::vector<std::string> available_gpus(const std::string& configs_directory = default_configs_directory());

}  // namespace heddle::sim

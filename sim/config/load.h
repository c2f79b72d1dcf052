// Loads GPU files into a GpuSpec: finds the file, follows `extends:`, applies overrides, checks the values.
//
// Below all files lies base.yaml, whose values hold where a file has none, whether it extends it or extends
// nothing. It has no name, and is no GPU. A folder of GPU files may have one of its own, which lies over
// Heddle's.
//
// InputError reports all mistakes of a file at once, with file, line, column and what is allowed.
#pragma once

#include <string>
#include <vector>

#include "isa/base/override.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// The folder with the GPU files. It is $HEDDLE_CONFIGS if that is set. Otherwise it is `configs` or
/// `share/heddle/configs` beside the program or up to two folders above it, whichever holds GPU files; so a
/// build finds its own files even if others are installed. Otherwise it is the folder they were to be
/// installed in, or `configs` in the current folder if that has none.
std::string default_configs_directory();

/// Loads a GPU by name or by path. A name ("h100", "H100", "RTX 4090") is looked up in the directory; text
/// with a slash or with the ending .yaml is the path of a file. Overrides ("l1.latency=40") apply after the
/// file, in order. They are checked only together, so a single one may be wrong without the others.
GpuSpec load_gpu(const std::string& name_or_path, const Overrides& overrides = {},
                 const std::string& configs_directory = default_configs_directory());

/// Loads a GPU from the text of a GPU file. Messages call the text `name`. A file that it extends is looked
/// up in the directory.
GpuSpec load_gpu_text(const std::string& text, const std::string& name, const Overrides& overrides = {},
                      const std::string& configs_directory = default_configs_directory());

/// The paths of a GPU's file and of all files that it extends, in this order, base.yaml last. Throws
/// InputError if one is missing or cannot be read.
std::vector<std::string> gpu_files(const std::string& name_or_path,
                                   const std::string& configs_directory = default_configs_directory());

/// Names of the GPU files in a directory, sorted; base.yaml is none of them.
std::vector<std::string> available_gpus(const std::string& configs_directory = default_configs_directory());

}  // namespace heddle::sim

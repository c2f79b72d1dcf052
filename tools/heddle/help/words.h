// Word lists that depend on the files beside Heddle. Completion scripts ask for them when they need them.
#pragma once

#include <string>

namespace heddle::command {

/// The words of the kind "gpus", "examples", "policies" or "keys" (of a GPU file: "l1.latency"), one per
/// line. Throws UsageError for another kind, InputError for GPU files that cannot be read.
std::string words_text(const std::string& kind);

}  // namespace heddle::command

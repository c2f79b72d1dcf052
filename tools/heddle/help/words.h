// Lists of words that depend on the files beside Heddle, so that completion asks for them when it needs them.
#pragma once

#include <string>

namespace heddle::command {

/// A line each, of "gpus", "examples", "policies" or "keys" (of a GPU file: "l1.latency"). Throws UsageError
/// for another kind, InputError for GPU files that cannot be read.
std::string words_text(const std::string& kind);

}  // namespace heddle::command

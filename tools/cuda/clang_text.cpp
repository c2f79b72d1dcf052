#include "tools/cuda/clang_text.h"

#include "tools/cuda/alignas_first.h"
#include "tools/cuda/launch_syntax.h"

namespace heddle::cuda {

std::optional<std::string> text_for_clang(const std::string& preprocessed) {
  auto aligned = with_alignas_first(preprocessed);
  auto launched = with_launches_for_clang(aligned ? *aligned : preprocessed);
  return launched ? std::move(launched) : std::move(aligned);
}

}  // namespace heddle::cuda

#include "isa/stream/forgiven_mistakes.h"

#include <utility>

namespace heddle::stream {

void ForgivenMistakes::note(ForgivenMistake mistake) {
  const std::lock_guard lock(mutex_);
  all_.insert(std::move(mistake));
}

std::vector<ForgivenMistake> ForgivenMistakes::list() const {
  const std::lock_guard lock(mutex_);
  return {all_.begin(), all_.end()};
}

}  // namespace heddle::stream

// PTX that was compiled before, in $XDG_CACHE_HOME/heddle or ~/.cache/heddle. HEDDLE_CACHE=off turns it off.
#pragma once

#include <optional>
#include <string>

namespace heddle::cuda {

/// One entry of the cache. Its name is made from everything that decides about the PTX: the preprocessed
/// source, the options, the compiler's version. A cache that cannot be read or written is no error.
class PtxCache {
 public:
  explicit PtxCache(const std::string& key);

  [[nodiscard]] std::optional<std::string> find() const;
  /// The entry appears whole or not at all.
  void store(const std::string& ptx) const;

 private:
  std::string path_;  ///< Empty: there is no cache.
};

/// The folder of the cache. Empty if it is off.
std::string cache_folder();

}  // namespace heddle::cuda

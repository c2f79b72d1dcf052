// When a run in which warps still issue is over all the same: they only wait, for one another.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

namespace heddle::stream {

/// Looks at a run now and then. Warps that spin (WarpSource::spins) get on where somebody changes memory, and
/// the last to do so may have done it just before a look, unseen yet by those that wait for it. So a single
/// look proves nothing; but where as many spin at the next one, each of which has been doubted
/// (WarpSource::doubt_spin) since and has gone round again, nothing will ever change.
class StillStand {
 public:
  /// `spinning` warps spin and nobody else can go on; 0: somebody can. Whether that is so for good.
  [[nodiscard]] bool is_for_good(std::uint64_t spinning) {
    return std::exchange(last_, spinning) == spinning && spinning != 0;
  }

  /// "2 warps spin; all others that have started have ended or wait at barriers".
  [[nodiscard]] static std::string text(std::uint64_t spinning) {
    return fmt::format("{}; all others that have started have ended or wait at barriers",
                       spinning == 1 ? "one warp spins" : fmt::format("{} warps spin", spinning));
  }

 private:
  std::uint64_t last_ = 0;
};

}  // namespace heddle::stream

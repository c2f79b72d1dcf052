#include "tools/show/lane_text.h"

#include <fmt/format.h>

#include "tools/show/coalescing.h"

namespace heddle::show {

std::string lanes_text(LaneMask lanes) {
  std::string text;
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    unsigned last = lane;
    while (last + 1 < kMaxWarpSize && (lanes >> (last + 1) & 1) != 0) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", lane);
    if (last > lane) text += fmt::format("-{}", last);
    lane = last;
  }
  return text;
}

char lane_letter(unsigned lane) {
  constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@&";
  return kLetters[lane % kLetters.size()];
}

std::string access_title(std::string_view picture, const ShownAccesses& shown) {
  return fmt::format("{}: {} on {}, block {}, warp {}", picture, shown.launch, shown.gpu, shown.block,
                     shown.warp);
}

}  // namespace heddle::show

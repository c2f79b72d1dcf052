// Things that are used for a while, and then again by others: each has a number, by which it is named
// meanwhile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

template <typename Thing>
class Pool {
 public:
  /// The number of one that is not in use, as its last user left it; of a new one if there is none. Moves the
  /// others to another place, perhaps.
  std::uint32_t take() {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(things_.size()));
      things_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }

  /// It is no longer in use. Who takes next, takes this one.
  void give_back(std::uint32_t number) { free_.push_back(number); }

  [[nodiscard]] Thing& operator[](std::uint32_t number) { return things_[number]; }
  [[nodiscard]] const Thing& operator[](std::uint32_t number) const { return things_[number]; }

  /// By number, in use or not.
  [[nodiscard]] std::span<const Thing> all() const { return things_; }

 private:
  std::vector<Thing> things_;
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle

// A pool of objects that are reused. Each has a number that identifies it while it is in use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// Objects by number. Freed numbers are reused, the last freed one first.
template <typename Thing>
class Pool {
 public:
  /// Returns the number of a free object, in the state that its last user left it in, or of a new object.
  /// This may move the other objects in memory.
  std::uint32_t take() {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(things_.size()));
      things_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }

  /// Frees an object. The next take() returns it.
  void give_back(std::uint32_t number) { free_.push_back(number); }

  [[nodiscard]] Thing& operator[](std::uint32_t number) { return things_[number]; }
  [[nodiscard]] const Thing& operator[](std::uint32_t number) const { return things_[number]; }

  /// All objects by number, in use or free.
  [[nodiscard]] std::span<const Thing> all() const { return things_; }

 private:
  std::vector<Thing> things_;
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle

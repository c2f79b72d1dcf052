// The simulated GPU's global memory: named buffers in one 64-bit address space, with gaps between them, so
// that an access past a buffer's end never falls into the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "isa/base/types.h"

namespace heddle::exec {

/// A buffer as cudaMalloc would have made it. Addresses are 256-byte aligned and depend only on the order and
/// sizes of the allocations: those of a freed buffer are not given again, so that whoever still uses them is
/// found out. Host memory is taken when it is touched; fresh buffers read as zero.
class Buffer {
 public:
  Buffer(std::string name, Addr address, std::uint64_t bytes);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Addr address() const { return address_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return {data_.get(), size_}; }

  /// The contents as elements of a type; trailing bytes that make no whole element are left out.
  template <typename Element>
  [[nodiscard]] std::span<Element> as() const {
    return {reinterpret_cast<Element*>(data_.get()), size_ / sizeof(Element)};
  }

  /// Its contents are gone, and it holds no address any more.
  void release() {
    data_.reset();
    size_ = 0;
  }

  [[nodiscard]] bool holds(Addr first, std::uint64_t count) const {
    return first >= address_ && first - address_ <= size_ && count <= size_ - (first - address_);
  }

 private:
  struct Unmap {
    std::uint64_t bytes = 0;
    void operator()(std::byte* data) const;
  };

  std::string name_;
  Addr address_;
  std::uint64_t size_;
  std::unique_ptr<std::byte, Unmap> data_;
};

class GlobalMemory {
 public:
  /// Throws InputError if the host cannot reserve that much. Zero bytes make a buffer that holds no address.
  Buffer& allocate(const std::string& name, std::uint64_t bytes);
  /// Frees the buffer that begins at `address`, while no kernel runs that may use it. False if none does: it
  /// has been freed already, or there never was one.
  bool release(Addr address);

  /// Those that have not been freed: at the end, what was forgotten.
  [[nodiscard]] const std::vector<std::unique_ptr<Buffer>>& buffers() const { return buffers_; }
  [[nodiscard]] Buffer* find(std::string_view name) const;  ///< Null if there is none of that name.

  /// The buffer in which all of [first, first + count) lies; null if none holds it.
  [[nodiscard]] Buffer* buffer_at(Addr first, std::uint64_t count) const;

  /// A buffer as it was.
  struct Freed {
    std::unique_ptr<Buffer> buffer;  ///< Whoever has a pointer to it finds that it holds nothing.
    std::uint64_t bytes = 0;
  };
  /// The freed buffer in which `address` lay; null if it lay in none.
  [[nodiscard]] const Freed* freed_at(Addr address) const;

 private:
  std::vector<std::unique_ptr<Buffer>> buffers_;  // ascending addresses
  std::vector<Freed> freed_;                      // likewise
  Addr next_ =
      0x7f0000000000;  // where CUDA's own allocations begin on Linux, so that addresses look familiar
};

}  // namespace heddle::exec

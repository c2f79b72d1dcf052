// The simulated GPU's global memory: named buffers in one 64-bit address space, with gaps between them, so
// that an access past a buffer's end never falls into the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/types.h"

namespace heddle::exec {

/// A buffer as cudaMalloc would have made it. Addresses are 256-byte aligned and depend only on the order and
/// sizes of the allocations: those of a freed buffer are not given again, so that whoever still uses them is
/// found out. Host memory is taken when it is touched; fresh buffers read as zero.
class Buffer {
 public:
  Buffer(std::string name, Addr address, std::uint64_t bytes);
  /// Memory of the host, which outlives the buffer.
  Buffer(std::string name, Addr address, std::span<std::byte> memory);
  /// Its bytes lie at the host's address of the same number. Null if something lies there already.
  static std::unique_ptr<Buffer> at_host_address(const std::string& name, Addr address, std::uint64_t bytes);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Addr address() const { return address_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return {data_.get(), size_}; }

  /// The contents as elements of a type; trailing bytes that make no whole element are left out.
  template <typename Element>
  [[nodiscard]] std::span<Element> as() const {
    return {reinterpret_cast<Element*>(data_.get()), size_ / sizeof(Element)};
  }

  /// Whether nothing else of the host's lies in the pages of its bytes.
  [[nodiscard]] bool is_own_memory() const { return data_.get_deleter().bytes != 0; }

  /// Drops the contents; the buffer holds no address any more.
  void release() {
    data_.reset();
    size_ = reach_ = 0;
  }

  [[nodiscard]] bool holds(Addr first, std::uint64_t count) const { return lies_within(size_, first, count); }
  /// Whether a GPU lets pass an access there: its pages are the buffer's to their end.
  [[nodiscard]] bool reaches(Addr first, std::uint64_t count) const { return lies_within(reach_, first, count); }
  /// The bytes of its pages; of memory that is not at the host's addresses, its own alone.
  [[nodiscard]] std::uint64_t reach() const { return reach_; }

 private:
  [[nodiscard]] bool lies_within(std::uint64_t bytes, Addr first, std::uint64_t count) const {
    return first >= address_ && first - address_ <= bytes && count <= bytes - (first - address_);
  }

  /// Gives a buffer's pages back to the host when the buffer goes.
  struct Unmap {
    std::uint64_t bytes = 0;  // 0: it is another's
    void operator()(std::byte* data) const;
  };

  std::string name_;
  Addr address_;
  std::uint64_t size_;
  std::uint64_t reach_;
  std::unique_ptr<std::byte, Unmap> data_;
};

/// Where the bytes of buffers are for the host. `Same`: what the device calls an address, the host does, too; so both
/// can use a pointer, as unified memory promises.
enum class HostAddresses : std::uint8_t { Any, Same };

/// The global memory of one device: it owns the buffers, chooses their addresses, and remembers those that were freed.
/// Kernels read and write the bytes; only the host allocates and frees, while no kernel runs that may use them.
class GlobalMemory {
 public:
  GlobalMemory() = default;
  explicit GlobalMemory(HostAddresses host) : host_(host), next_(host == HostAddresses::Same ? kSharedBase : kBase) {}

  /// Throws InputError if the host cannot reserve that much. Zero bytes make a buffer that holds no address.
  Buffer& allocate(const std::string& name, std::uint64_t bytes);
  /// Likewise at an address below 2^32, for what machine code names by 32 bits. Throws InputError if there is no
  /// such place left.
  Buffer& allocate_low(const std::string& name, std::uint64_t bytes);
  /// The host's own memory, at its address there. Null if a buffer lies there already.
  Buffer* adopt(const std::string& name, std::span<std::byte> memory);
  /// Frees the buffer that begins at `address`, while no kernel runs that may use it. False if none does: it
  /// has been freed already, or there never was one.
  bool release(Addr address);

  /// The buffers that have not been freed. At the end of a program these are its leaks.
  [[nodiscard]] const std::vector<std::unique_ptr<Buffer>>& buffers() const { return buffers_; }
  [[nodiscard]] Buffer* find(std::string_view name) const;  ///< Null if there is none of that name.

  /// A module's variable, which no buffer of the same name stands for.
  Buffer& allocate_variable(const std::string& name, std::uint64_t bytes);
  /// The same in the host's own memory, at its address there. Null if a buffer lies there already.
  Buffer* adopt_variable(const std::string& name, std::span<std::byte> memory);
  [[nodiscard]] Buffer* find_variable(std::string_view name) const;

  /// The buffer in which all of [first, first + count) lies; null if none holds it.
  [[nodiscard]] Buffer* buffer_at(Addr first, std::uint64_t count) const;

  /// The first buffer that begins there or later; null if none does.
  [[nodiscard]] Buffer* buffer_at_or_after(Addr address) const;
  /// The buffer that reaches so far; null if none does.
  [[nodiscard]] Buffer* buffer_reaching(Addr first, std::uint64_t count) const;

  /// A buffer that has been freed.
  struct Freed {
    std::unique_ptr<Buffer> buffer;  ///< Whoever has a pointer to it finds that it holds nothing.
    std::uint64_t bytes = 0;
  };
  /// The freed buffer in which `address` lay; null if it lay in none.
  [[nodiscard]] const Freed* freed_at(Addr address) const;

 private:
  static constexpr Addr kBase = 0x7f0000000000;  // where CUDA's own begin on Linux, so that addresses look familiar
  static constexpr Addr kLowBase = 0x10000000;  // above the host's programs that are not independent of their place
  static constexpr Addr kLowEnd = 0x70000000;   // below what sanitizers use
  // Far from where Linux puts programs, libraries, stacks and heaps of the host.
  static constexpr Addr kSharedBase = 0x200000000000;

  /// The last buffer that begins at the address or before it; null if none does.
  [[nodiscard]] Buffer* buffer_before(Addr address) const;
  std::unique_ptr<Buffer> make(const std::string& name, std::uint64_t bytes);
  Buffer& add(std::unique_ptr<Buffer> made);

  HostAddresses host_ = HostAddresses::Any;
  std::vector<std::unique_ptr<Buffer>> buffers_;  // ascending addresses
  std::vector<Freed> freed_;                      // likewise
  std::map<std::string, Buffer*, std::less<>> variables_;
  Addr next_ = kBase;
  Addr next_low_ = kLowBase;
};

}  // namespace heddle::exec

// The arguments that a launch hands to its kernel.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "isa/base/types.h"
#include "isa/ir/kernel.h"

namespace heddle::session {

/// An address in a device's memory, as cudaMalloc gives it.
struct DevicePointer {
  Addr address = 0;

  friend DevicePointer operator+(DevicePointer pointer, std::uint64_t bytes) {
    return {pointer.address + bytes};
  }
  friend bool operator==(const DevicePointer&, const DevicePointer&) = default;
};

/// A value in the bytes that it has in memory: a number, a pointer, or a structure of these.
class Argument {
 public:
  /// What the value is: a float is given to parameters of floats only.
  enum class Kind : std::uint8_t { Integer, Float, Pointer, Structure };

  template <typename Value>
    requires std::is_trivially_copyable_v<Value>
  Argument(const Value& value)  // NOLINT(google-explicit-constructor): arguments are written as in CUDA
      : kind_(kind_of<Value>()), alignment_(alignof(Value)), bytes_(sizeof value) {
    std::memcpy(bytes_.data(), &value, sizeof value);
  }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::uint32_t alignment() const { return alignment_; }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  template <typename Value>
  static constexpr Kind kind_of() {
    if constexpr (std::is_same_v<Value, DevicePointer>) return Kind::Pointer;
    if constexpr (std::floating_point<Value>) return Kind::Float;
    if constexpr (std::integral<Value> || std::is_enum_v<Value>) return Kind::Integer;
    return Kind::Structure;
  }

  Kind kind_;
  std::uint32_t alignment_;
  std::vector<std::byte> bytes_;
};

using Arguments = std::vector<Argument>;

/// The bytes of the kernel's constant bank from its first parameter on. Throws Error if the arguments do not fit:
/// each must have the size of its parameter, and a float is given to a float only.
std::vector<std::byte> parameter_bytes(const ir::Kernel& kernel, const Arguments& arguments);

}  // namespace heddle::session

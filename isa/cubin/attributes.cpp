#include "isa/cubin/attributes.h"

#include <algorithm>
#include <map>

namespace heddle::cubin {

namespace {

// Formats: how the value behind the two bytes is kept.
constexpr std::uint8_t kByteFormat = 2;
constexpr std::uint8_t kHalfFormat = 3;
constexpr std::uint8_t kSizedFormat = 4;  // two bytes say how many follow

// EIATTR_...
constexpr std::uint8_t kParamBank = 0x0a;
constexpr std::uint8_t kFrameSize = 0x11;
constexpr std::uint8_t kParamInfo = 0x17;
constexpr std::uint8_t kRegisterCount = 0x2f;
constexpr std::uint8_t kClusterExtents = 0x3d;
constexpr std::uint8_t kBarrierCount = 0x4c;

constexpr std::uint64_t kMostParamBytes = 32764;  // CUDA's limit from 7.0 on
constexpr unsigned kParamSizeShift = 18;

struct Attribute {
  std::uint8_t name = 0;
  std::uint32_t number = 0;  ///< Of formats that hold one.
  ByteView record;           ///< Of the sized format; else empty.
};

/// Calls `take` for each attribute.
template <typename Take>
void each_attribute(const ByteView& section, const Take& take) {
  for (std::uint64_t at = 0; at < section.size();) {
    const std::uint8_t format = section.u8(at);
    Attribute attribute{section.u8(at + 1), section.u16(at + 2), section.part(0, 0, "")};
    at += 4;
    if (format == kSizedFormat) {
      attribute.record = section.part(at, attribute.number, "an attribute");
      at += (std::uint64_t{attribute.number} + 3) & ~std::uint64_t{3};
    } else if (format == 0 || format > kSizedFormat) {
      section.fail(at - 4, fmt::format("format {} of an attribute is none of 1 to 4", format));
    }
    if (format == kByteFormat) attribute.number &= 0xff;
    take(attribute);
  }
}

ir::ParamSlot slot_of(const ByteView& record) {
  const ir::ParamSlot slot{record.u16(6), record.u32(8) >> kParamSizeShift};
  if (slot.bytes == 0 || slot.offset + slot.bytes > kMostParamBytes)
    record.fail(4, fmt::format("parameter {} has {} bytes from byte {} on; all have at most {}",
                               record.u16(4), slot.bytes, slot.offset, kMostParamBytes));
  return slot;
}

}  // namespace

void read_common_attributes(const ByteView& section, const std::vector<std::size_t>& function_of,
                            Image& image) {
  each_attribute(section, [&](const Attribute& attribute) {
    if (attribute.name != kRegisterCount && attribute.name != kFrameSize) return;
    const std::uint32_t symbol = attribute.record.u32(0);
    const std::size_t index = symbol < function_of.size() ? function_of[symbol] : kNoFunction;
    if (index == kNoFunction) return;
    std::uint32_t Function::*const count =
        attribute.name == kFrameSize ? &Function::frame_bytes : &Function::registers;
    image.functions[index].*count = attribute.record.u32(4);
  });
}

void read_attributes(const ByteView& section, Function& function) {
  std::map<std::uint16_t, ir::ParamSlot> params;
  each_attribute(section, [&](const Attribute& attribute) {
    if (attribute.name == kBarrierCount) function.barriers = attribute.number & 0xff;
    if (attribute.name == kParamInfo) params[attribute.record.u16(4)] = slot_of(attribute.record);
    if (attribute.name == kClusterExtents)
      function.cluster = {attribute.record.u32(0), attribute.record.u32(4), attribute.record.u32(8)};
    if (attribute.name != kParamBank) return;
    function.param_base = attribute.record.u16(4);
    function.param_bytes = attribute.record.u16(6);
  });
  std::uint16_t next = 0;
  for (const auto& [place, slot] : params) {
    if (place != next++) section.fail(0, fmt::format("parameter {} is missing", next - 1));
    function.params.push_back(slot);
  }
}

}  // namespace heddle::cubin

#include "isa/exec/tensor_map.h"

#include <cstring>
#include <span>

namespace heddle::exec {

namespace {

constexpr std::uint32_t kMark = 0x504d5448;  // "HTMP"

/// How the 128 bytes begin.
struct Words {
  std::uint32_t mark = kMark;
  std::uint8_t element = 0;
  std::uint8_t rank = 0;
  std::uint16_t swizzle = 0;
  std::uint64_t address = 0;
  std::uint64_t strides[TensorMap::kMostDimensions - 1] = {};
  std::uint32_t last[TensorMap::kMostDimensions] = {};  // one less than the size
  std::uint16_t box[TensorMap::kMostDimensions] = {};
  std::uint16_t steps[TensorMap::kMostDimensions] = {};
};
static_assert(sizeof(Words) + sizeof(std::uint64_t) <= TensorMap::kBytes);

/// Behind the words: tells a map of which something else has been changed (FNV-1a).
std::uint64_t checksum(const Words& words) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const std::byte byte : std::as_bytes(std::span(&words, 1))) sum = (sum ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
  return sum;
}

}  // namespace

std::uint64_t TensorMap::tile_bytes() const {
  std::uint64_t bytes = bytes_of(element);
  for (unsigned i = 0; i < rank; ++i) bytes *= tile_size(i);
  return bytes;
}

std::array<std::byte, TensorMap::kBytes> encoded(const TensorMap& map) {
  Words words;
  words.element = static_cast<std::uint8_t>(map.element);
  words.rank = static_cast<std::uint8_t>(map.rank);
  words.swizzle = static_cast<std::uint16_t>(map.swizzle);
  words.address = map.address;
  for (unsigned i = 0; i < map.rank; ++i) {
    words.last[i] = static_cast<std::uint32_t>(map.sizes[i] - 1);
    words.box[i] = static_cast<std::uint16_t>(map.box[i]);
    words.steps[i] = static_cast<std::uint16_t>(map.steps[i]);
    if (i + 1 < map.rank) words.strides[i] = map.strides[i];
  }
  std::array<std::byte, TensorMap::kBytes> bytes{};
  const std::uint64_t sum = checksum(words);
  std::memcpy(bytes.data(), &words, sizeof words);
  std::memcpy(bytes.data() + sizeof words, &sum, sizeof sum);
  return bytes;
}

std::optional<TensorMap> decode_tensor_map(std::span<const std::byte> bytes) {
  Words words;
  std::uint64_t sum = 0;
  if (bytes.size() < TensorMap::kBytes) return {};
  std::memcpy(&words, bytes.data(), sizeof words);
  std::memcpy(&sum, bytes.data() + sizeof words, sizeof sum);
  if (words.mark != kMark || sum != checksum(words)) return {};
  TensorMap map;
  map.element = static_cast<BulkElement>(words.element);
  map.rank = words.rank;
  map.swizzle = words.swizzle;
  map.address = words.address;
  for (unsigned i = 0; i < map.rank; ++i) {
    map.sizes[i] = std::uint64_t{words.last[i]} + 1;
    map.box[i] = words.box[i];
    map.steps[i] = words.steps[i];
    if (i + 1 < map.rank) map.strides[i] = words.strides[i];
  }
  return map;
}

}  // namespace heddle::exec

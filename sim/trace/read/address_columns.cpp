#include "sim/trace/read/address_columns.h"

#include <bit>
#include <cstring>

// Compiles this file once for each vector target, then picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/trace/read/address_columns.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::trace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::CappedTag<std::uint8_t, 32>;
using Block = hn::Full128<std::uint8_t>;

constexpr unsigned kMostDigits = 16;
constexpr std::size_t kLongestColumn = 2 + kMostDigits + 1;
constexpr std::size_t kLongestList = kLanes * kLongestColumn;
static_assert(kLongestList + 64 < kBehindColumns);

/// Where each column ends: the offsets of the first `count` blanks, with that of a blank before the first
/// column in front.
struct Blanks {
  std::int32_t at[1 + kLanes + 64];
};

/// False if the columns are longer than any list of addresses is.
HWY_INLINE bool find_blanks(const char* columns, unsigned count, Blanks& blanks) {
  const Bytes tag;
  const auto blank = hn::Set(tag, std::uint8_t{' '});
  blanks.at[0] = -1;
  unsigned found = 0;
  for (std::size_t begin = 0; found < count; begin += hn::Lanes(tag)) {
    if (HWY_UNLIKELY(begin >= kLongestList)) return false;
    const auto here = hn::LoadU(tag, reinterpret_cast<const std::uint8_t*>(columns) + begin);
    std::uint64_t bits = 0;
    hn::StoreMaskBits(tag, hn::Eq(here, blank), reinterpret_cast<std::uint8_t*>(&bits));
    for (; bits != 0; bits &= bits - 1) {
      blanks.at[++found] = static_cast<std::int32_t>(begin) + std::countr_zero(bits);
    }
  }
  return true;
}

// -- hexadecimal -------------------------------------------------------------------------------------------

/// From kKeep + n on there are 16 bytes, of which the last n are 0xff.
constexpr std::uint8_t kYes = 0xff;
alignas(64) constexpr std::uint8_t kKeep[48] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes};

// Take the lower bytes of eight words, the last word first, as the lower or upper half of a block.
constexpr std::uint8_t kOff = 0x80;
alignas(16) constexpr std::uint8_t kToLower[16] = {14,   12,   10,   8,    6,    4,    2,    0,
                                                   kOff, kOff, kOff, kOff, kOff, kOff, kOff, kOff};
alignas(16) constexpr std::uint8_t kToUpper[16] = {kOff, kOff, kOff, kOff, kOff, kOff, kOff, kOff,
                                                   14,   12,   10,   8,    6,    4,    2,    0};

#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
using Blocks = hn::Full256<std::uint8_t>;
constexpr unsigned kBlocks = 2;
#else
using Blocks = Block;
constexpr unsigned kBlocks = 1;
#endif
constexpr unsigned kNumbers = 2 * kBlocks;  // decoded at once

HWY_INLINE hn::Vec<Block> block_at(const std::uint8_t* first) { return hn::LoadU(Block(), first); }

/// A block from each place.
HWY_INLINE hn::Vec<Blocks> blocks_at(const std::uint8_t* first, const std::uint8_t* second) {
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
  return hn::Combine(Blocks(), block_at(second), block_at(first));
#else
  (void)second;
  return block_at(first);
#endif
}

/// The two bytes "0x", as they are read into a number.
HWY_INLINE std::uint16_t prefix() {
  std::uint16_t characters = 0;
  std::memcpy(&characters, "0x", sizeof characters);
  return characters;
}

/// Several numbers at a time: the digits of each are the last characters of a block.
class HexColumns {
 public:
  explicit HexColumns(const char* columns) : columns_(columns) {}

  HWY_INLINE void decode(const std::int32_t* blanks, Addr* numbers) {
    constexpr unsigned kOther = kBlocks == 1 ? 0 : 2;
    const auto lower = bytes_of(blanks, blanks + kOther);
    const auto upper = bytes_of(blanks + 1, blanks + 1 + kOther);
    const auto both = hn::Or(hn::TableLookupBytesOr0(lower, hn::LoadDup128(Blocks(), kToLower)),
                             hn::TableLookupBytesOr0(upper, hn::LoadDup128(Blocks(), kToUpper)));
    hn::StoreU(both, Blocks(), reinterpret_cast<std::uint8_t*>(numbers));
  }

  /// Whether all columns so far had the form.
  [[nodiscard]] HWY_INLINE bool are_good() const {
    return is_good_ && hn::AllTrue(Blocks(), hn::Eq(strays_, hn::Zero(Blocks())));
  }

 private:
  /// The number of digits between two blanks. 0 to 31, whatever there is.
  HWY_INLINE std::uint32_t length(const std::int32_t* blanks) {
    std::uint16_t begin = 0;
    std::memcpy(&begin, columns_ + blanks[0] + 1, sizeof begin);
    const auto digits = static_cast<std::uint32_t>(blanks[1] - blanks[0] - 3);
    is_good_ &= begin == prefix() && digits - 1 < kMostDigits;
    return digits & 31;
  }

  [[nodiscard]] const std::uint8_t* digits(const std::int32_t* blanks) const {
    return reinterpret_cast<const std::uint8_t*>(columns_) + blanks[1] - kMostDigits;
  }

  /// In the lower byte of each word of a block: what its two digits mean.
  HWY_INLINE hn::Vec<Blocks> bytes_of(const std::int32_t* first, const std::int32_t* second) {
    const Blocks tag;
    const hn::Repartition<std::uint16_t, Blocks> words;
    const std::uint32_t first_length = length(first);
    const std::uint32_t second_length = kBlocks == 1 ? first_length : length(second);
    const auto keep = blocks_at(kKeep + first_length, kKeep + second_length);
    const auto text = blocks_at(digits(first), digits(second));
    const auto digit = hn::Sub(text, hn::Set(tag, std::uint8_t{'0'}));
    const auto lower = hn::Or(text, hn::Set(tag, std::uint8_t{0x20}));
    const auto letter = hn::Sub(lower, hn::Set(tag, std::uint8_t{'a'}));
    const auto is_digit = hn::Eq(hn::Min(digit, hn::Set(tag, std::uint8_t{9})), digit);
    const auto is_letter = hn::Eq(hn::Min(letter, hn::Set(tag, std::uint8_t{5})), letter);
    const auto value = hn::IfThenElse(is_digit, digit, hn::Add(letter, hn::Set(tag, std::uint8_t{10})));
    strays_ = hn::Or(strays_, hn::AndNot(hn::VecFromMask(tag, hn::Or(is_digit, is_letter)), keep));
    const auto pairs = hn::BitCast(words, hn::And(keep, value));
    return hn::BitCast(tag, hn::Or(hn::ShiftLeft<4>(pairs), hn::ShiftRight<8>(pairs)));
  }

  const char* columns_;
  hn::Vec<Blocks> strays_ = hn::Zero(Blocks());
  bool is_good_ = true;
};

const char* addresses(const char* at, unsigned count, Addr* numbers) {
  Blanks blanks;
  if (count < kNumbers || !find_blanks(at, count, blanks)) return nullptr;
  HexColumns columns(at);
  for (unsigned i = 0; i + kNumbers <= count; i += kNumbers) columns.decode(blanks.at + i, numbers + i);
  const unsigned last = count - kNumbers;  // some for the second time
  if (count % kNumbers != 0) columns.decode(blanks.at + last, numbers + last);
  return columns.are_good() ? at + blanks.at[count] + 1 : nullptr;
}

// -- decimal -----------------------------------------------------------------------------------------------

constexpr unsigned kMostDecimals = 8;
using Numbers = hn::CappedTag<std::uint64_t, 4>;

/// Columns taken apart: the last eight characters, how many of them, in bits, are no digits, and whether all
/// bits are to be inverted and one added.
struct Decimals {
  alignas(32) std::uint64_t text[kLanes];
  alignas(32) std::uint64_t no_digits[kLanes];
  alignas(32) std::uint64_t sign[kLanes];
};

HWY_INLINE bool take_apart(const char* columns, const Blanks& blanks, unsigned count, Decimals& parts) {
  bool is_good = true;
  for (unsigned i = 0; i < count; ++i) {
    const char* const begin = columns + blanks.at[i] + 1;
    const char* const end = columns + blanks.at[i + 1];
    const bool is_negative = *begin == '-';
    const auto digits = static_cast<std::uint64_t>(end - begin) - (is_negative ? 1 : 0);
    is_good &= digits - 1 < kMostDecimals;
    std::memcpy(&parts.text[i], end - kMostDecimals, sizeof parts.text[i]);
    parts.no_digits[i] = (kMostDecimals - digits) * 8 & 63;
    parts.sign[i] = is_negative ? ~std::uint64_t{0} : 0;
  }
  return is_good;
}

/// Eight digits in each number, the first in its lowest byte; strays have a high bit where there is none.
template <typename V>
HWY_INLINE V value_of(V digits, V& strays) {
  const Numbers tag;
  const hn::Repartition<std::uint16_t, Numbers> pairs;
  const hn::Repartition<std::uint32_t, Numbers> fours;
  const auto above_9 = hn::Add(digits, hn::Set(tag, std::uint64_t{0x7676767676767676}));
  strays = hn::Or(strays, hn::Or(above_9, digits));
  const auto hundreds = hn::ShiftRight<8>(
      hn::Mul(hn::BitCast(pairs, digits), hn::Set(pairs, static_cast<std::uint16_t>(10 << 8 | 1))));
  const auto myriads =
      hn::ShiftRight<16>(hn::Mul(hn::BitCast(fours, hundreds), hn::Set(fours, std::uint32_t{100} << 16 | 1)));
  const auto upper = hn::MulEven(myriads, hn::Set(fours, std::uint32_t{10000}));
  return hn::Add(upper, hn::ShiftRight<32>(hn::BitCast(tag, myriads)));
}

const char* distances(const char* at, unsigned count, std::int64_t* numbers) {
  Blanks blanks;
  if (!find_blanks(at, count, blanks)) return nullptr;
  Decimals parts;
  if (!take_apart(at, blanks, count, parts)) return nullptr;
  const Numbers tag;
  const auto zeros = hn::Set(tag, std::uint64_t{0x3030303030303030});
  const auto all = hn::Set(tag, ~std::uint64_t{0});
  auto strays = hn::Zero(tag);
  const unsigned step = static_cast<unsigned>(hn::Lanes(tag));
  for (unsigned i = count; i % step != 0; ++i) {
    parts.text[i] = 0x3030303030303030;
    parts.no_digits[i] = parts.sign[i] = 0;
  }
  for (unsigned i = 0; i < count; i += step) {
    const auto keep = hn::Shl(all, hn::Load(tag, parts.no_digits + i));
    const auto digits = hn::And(keep, hn::Xor(zeros, hn::Load(tag, parts.text + i)));
    const auto sign = hn::Load(tag, parts.sign + i);
    const auto value = hn::Sub(hn::Xor(value_of(digits, strays), sign), sign);
    hn::StoreU(value, tag, reinterpret_cast<std::uint64_t*>(numbers) + i);
  }
  const auto high = hn::Set(tag, std::uint64_t{0x8080808080808080});
  if (!hn::AllTrue(tag, hn::Eq(hn::And(strays, high), hn::Zero(tag)))) return nullptr;
  return at + blanks.at[count] + 1;
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::trace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::trace {

HWY_EXPORT(addresses);
HWY_EXPORT(distances);

const char* decode_addresses(const char* at, unsigned count, Addr* numbers) {
  return HWY_DYNAMIC_DISPATCH(addresses)(at, count, numbers);
}

const char* decode_distances(const char* at, unsigned count, std::int64_t* numbers) {
  return HWY_DYNAMIC_DISPATCH(distances)(at, count, numbers);
}

}  // namespace heddle::trace
#endif

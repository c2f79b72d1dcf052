// Numbers in instructions, as nvdisasm prints them.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::cubin {

std::string float_text(std::uint32_t bits);
/// The double whose high word has these bits. Its low word is zero.
std::string double_text(std::uint32_t high_word);
/// Two halves, the upper one first: "1, -0.5".
std::string half_pair_text(std::uint32_t bits);
/// The same of bfloat16.
std::string bfloat_pair_text(std::uint32_t bits);
/// "0x10", "-0x1".
std::string signed_text(std::int64_t value);
std::string unsigned_text(std::uint64_t value);

}  // namespace heddle::cubin

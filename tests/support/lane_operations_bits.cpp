#include <fmt/format.h>

#include "tests/support/lane_operations.h"

namespace heddle::test {

namespace {

using U32 = std::uint32_t;

LaneOperation plain(const std::string& mnemonic, unsigned sources, std::function<U32(U32, U32, U32)> of) {
  return {mnemonic, sources, Signs::None, sources == 1, "", std::move(of)};
}

void add_extremes(std::vector<LaneOperation>& all) {
  for (const bool is_signed : {true, false}) {
    const std::string type = is_signed ? "" : ".U32";
    for (const std::string name : {"IMNMX", "VIMNMX"}) {
      all.push_back({name + type, 2, Signs::None, false, ", PT",
                     [=](U32 a, U32 b, U32) { return reference::lesser(a, b, is_signed); }});
      all.push_back({name + type, 2, Signs::None, false, ", !PT",
                     [=](U32 a, U32 b, U32) { return reference::greater(a, b, is_signed); }});
    }
    all.push_back({"VIADDMNMX" + type, 3, Signs::Integer, false, ", PT",
                   [=](U32 a, U32 b, U32 c) { return reference::lesser(a + b, c, is_signed); }});
    all.push_back({"VIADDMNMX" + type, 3, Signs::Integer, false, ", !PT",
                   [=](U32 a, U32 b, U32 c) { return reference::greater(a + b, c, is_signed); }});
    all.push_back({"VIMNMX3" + type, 3, Signs::None, false, ", PT", [=](U32 a, U32 b, U32 c) {
                     return reference::lesser(a, reference::lesser(b, c, is_signed), is_signed);
                   }});
    all.push_back({"VIMNMX3" + type, 3, Signs::None, false, ", !PT", [=](U32 a, U32 b, U32 c) {
                     return reference::greater(a, reference::greater(b, c, is_signed), is_signed);
                   }});
    all.push_back({"VABSDIFF" + type, 3, Signs::None, false, "",
                   [=](U32 a, U32 b, U32 c) { return reference::distance(a, b, is_signed) + c; }});
  }
  all.push_back({"VIADD", 2, Signs::Integer, false, "", [](U32 a, U32 b, U32) { return a + b; }});
}

/// The lesser or the greater of each half.
U32 extreme_halves(U32 a, U32 b, bool is_signed, bool is_least) {
  U32 result = 0;
  for (const unsigned place : {0U, 16U}) {
    const U32 x = reference::extend(a >> place, 16, is_signed, true);
    const U32 y = reference::extend(b >> place, 16, is_signed, true);
    const U32 chosen = is_least ? reference::lesser(x, y, is_signed) : reference::greater(x, y, is_signed);
    result |= (chosen & 0xffff) << place;
  }
  return result;
}

void add_extremes_of_halves(std::vector<LaneOperation>& all) {
  for (const bool is_signed : {true, false}) {
    for (const bool is_least : {true, false}) {
      const std::string type = is_signed ? ".S16x2" : ".U16x2";
      const char* tail = is_least ? ", PT" : ", !PT";
      all.push_back({"VIMNMX" + type, 2, Signs::None, false, tail,
                     [=](U32 a, U32 b, U32) { return extreme_halves(a, b, is_signed, is_least); }});
      all.push_back({"VIMNMX3" + type, 3, Signs::None, false, tail, [=](U32 a, U32 b, U32 c) {
                       return extreme_halves(a, extreme_halves(b, c, is_signed, is_least), is_signed, is_least);
                     }});
    }
  }
}

void add_searches(std::vector<LaneOperation>& all) {
  for (const bool is_signed : {true, false}) {
    for (const bool shift : {true, false}) {
      all.push_back(plain(fmt::format("FLO{}{}", is_signed ? "" : ".U32", shift ? ".SH" : ""), 1,
                          [=](U32 a, U32, U32) { return reference::find_leading_one(a, is_signed, shift); }));
    }
  }
}

void add_fields(std::vector<LaneOperation>& all) {
  for (const bool clamp : {true, false}) {
    const std::string suffix = clamp ? "" : ".W";
    all.push_back(plain("BMSK" + suffix, 2, [=](U32 a, U32 b, U32) { return reference::bit_mask(a, b, clamp); }));
    for (const bool is_signed : {true, false}) {
      all.push_back(plain("SGXT" + suffix + (is_signed ? "" : ".U32"), 2,
                          [=](U32 a, U32 b, U32) { return reference::extend(a, b, is_signed, clamp); }));
    }
  }
}

void add_dot_products(std::vector<LaneOperation>& all) {
  for (const bool a_signed : {true, false}) {
    for (const bool b_signed : {true, false}) {
      all.push_back(plain(fmt::format("IDP.4A.{}8.{}8", a_signed ? 'S' : 'U', b_signed ? 'S' : 'U'), 3,
                          [=](U32 a, U32 b, U32 c) { return reference::dot_bytes(a, b, c, a_signed, b_signed); }));
    }
  }
}

/// PTX dp2a: 16-bit numbers by bytes of the lower or the upper half.
void add_half_products(std::vector<LaneOperation>& all) {
  for (unsigned kind = 0; kind < 8; ++kind) {
    const bool is_upper = (kind & 1) != 0;
    const bool a_signed = (kind & 2) != 0;
    const bool b_signed = (kind & 4) != 0;
    const auto name = fmt::format("IDP.2A.{}.{}16.{}8", is_upper ? "HI" : "LO", a_signed ? 'S' : 'U', b_signed ? 'S' : 'U');
    all.push_back(plain(name, 3, [=](U32 a, U32 b, U32 c) {
      for (unsigned i = 0; i < 2; ++i) {
        const U32 half = reference::extend(a >> (16 * i), 16, a_signed, true);
        const U32 byte = reference::extend(b >> (8 * i + (is_upper ? 16 : 0)), 8, b_signed, true);
        c += half * byte;
      }
      return c;
    }));
  }
}

U32 byte_distance(U32 a, U32 b, unsigned byte) {
  return reference::distance(a >> (8 * byte) & 0xff, b >> (8 * byte) & 0xff, false);
}

void add_byte_distances(std::vector<LaneOperation>& all) {
  all.push_back({"VABSDIFF4.U8", 2, Signs::None, false, ", RZ", [](U32 a, U32 b, U32) {
                   U32 result = 0;
                   for (unsigned byte = 0; byte < 4; ++byte)
                     result += byte_distance(a, b, byte) * (U32{1} << (8 * byte));
                   return result;
                 }});
  all.push_back(plain("VABSDIFF4.U8.ACC", 3, [](U32 a, U32 b, U32 c) {
    for (unsigned byte = 0; byte < 4; ++byte) c += byte_distance(a, b, byte);
    return c;
  }));
}

void add_narrow_integers(std::vector<LaneOperation>& all) {
  for (const bool is_signed : {true, false}) {
    for (const unsigned bits : {8U, 16U}) {
      all.push_back({fmt::format("I2I.{}{}.S32.SAT", is_signed ? 'S' : 'U', bits), 1, Signs::None, true, "",
                     [=](U32 a, U32, U32) { return reference::narrowed_integer(a, bits, is_signed); }});
    }
  }
}

void add_addresses(std::vector<LaneOperation>& all) {
  for (const unsigned shift : {0U, 2U, 31U}) {
    const std::string tail = fmt::format(", {:#x}", shift);
    all.push_back({"LEA", 2, Signs::None, false, tail,
                   [=](U32 a, U32 b, U32) { return static_cast<U32>(reference::lea(a, b, shift)); }});
    all.push_back({"LEA.HI", 3, Signs::None, false, tail, [=](U32 a, U32 b, U32 c) {
                     return static_cast<U32>(reference::lea_high(a, b, c, shift, false));
                   }});
    all.push_back({"LEA.HI.SX32", 2, Signs::None, false, tail, [=](U32 a, U32 b, U32) {
                     const U32 sign = a >= 0x80000000 ? 0xffffffff : 0;
                     return static_cast<U32>(reference::lea_high(a, b, sign, shift, false));
                   }});
  }
}

/// PTX prmt's modes: the bytes 3, 2, 1 and 0 of the result for selectors 0 to 3.
struct PermuteMode {
  const char* token;
  unsigned bytes[4][4];
};

constexpr PermuteMode kPermuteModes[] = {
    {"F4E", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
    {"B4E", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
    {"RC8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
    {"ECL", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
    {"ECR", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
    {"RC16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}},
};

void add_permutations(std::vector<LaneOperation>& all) {
  for (const PermuteMode& mode : kPermuteModes) {
    all.push_back(plain(fmt::format("PRMT.{}", mode.token), 3, [&mode](U32 a, U32 selector, U32 c) {
      const std::uint64_t both = std::uint64_t{c} << 32 | a;
      U32 result = 0;
      for (const unsigned byte : mode.bytes[selector & 3]) {
        result = result << 8 | static_cast<U32>(both >> (8 * byte) & 0xff);
      }
      return result;
    }));
  }
}

}  // namespace

void add_bit_operations(std::vector<LaneOperation>& all) {
  add_extremes(all);
  add_extremes_of_halves(all);
  add_searches(all);
  add_fields(all);
  add_dot_products(all);
  add_half_products(all);
  add_byte_distances(all);
  add_narrow_integers(all);
  add_addresses(all);
  all.push_back(plain("IABS", 1, [](U32 a, U32, U32) { return reference::absolute(a); }));
  all.push_back(plain("POPC", 1, [](U32 a, U32, U32) { return reference::population(a); }));
  all.push_back(plain("BREV", 1, [](U32 a, U32, U32) { return reference::reversed(a); }));
  all.push_back(plain("PRMT", 3, reference::permute));
  all.push_back({"IADD3.X", 3, Signs::Inverse, false, "", reference::iadd3});
  all.push_back({"IADD3.X", 3, Signs::Inverse, false, ", PT",
                 [](U32 a, U32 b, U32 c) { return reference::iadd3(reference::iadd3(a, b, c), 1, 0); }});
  add_permutations(all);
  all.push_back({"IMAD.X", 3, Signs::Inverse, false, ", !PT", reference::imad});
  all.push_back({"IMAD.X", 3, Signs::Inverse, false, ", PT", [](U32 a, U32 b, U32 c) { return a * b + c + 1; }});
  for (const char* form : {"IMAD.MOV.U32", "IMAD.SHL.U32", "IMAD.IADD"}) {
    all.push_back({form, 3, Signs::Integer, false, "", reference::imad});
  }
}

}  // namespace heddle::test

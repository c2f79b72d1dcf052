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
    const std::string mnemonic = is_signed ? "IMNMX" : "IMNMX.U32";
    all.push_back({mnemonic, 2, Signs::None, false, ", PT",
                   [=](U32 a, U32 b, U32) { return reference::lesser(a, b, is_signed); }});
    all.push_back({mnemonic, 2, Signs::None, false, ", !PT",
                   [=](U32 a, U32 b, U32) { return reference::greater(a, b, is_signed); }});
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

}  // namespace

void add_bit_operations(std::vector<LaneOperation>& all) {
  add_extremes(all);
  add_searches(all);
  add_fields(all);
  add_dot_products(all);
  add_addresses(all);
  all.push_back(plain("IABS", 1, [](U32 a, U32, U32) { return reference::absolute(a); }));
  all.push_back(plain("POPC", 1, [](U32 a, U32, U32) { return reference::population(a); }));
  all.push_back(plain("BREV", 1, [](U32 a, U32, U32) { return reference::reversed(a); }));
  all.push_back(plain("PRMT", 3, reference::permute));
  all.push_back({"IADD3.X", 3, Signs::Inverse, false, "", reference::iadd3});
  all.push_back({"IADD3.X", 3, Signs::Inverse, false, ", PT",
                 [](U32 a, U32 b, U32 c) { return reference::iadd3(reference::iadd3(a, b, c), 1, 0); }});
  for (const char* form : {"IMAD.MOV.U32", "IMAD.SHL.U32", "IMAD.IADD"}) {
    all.push_back({form, 3, Signs::Integer, false, "", reference::imad});
  }
}

}  // namespace heddle::test

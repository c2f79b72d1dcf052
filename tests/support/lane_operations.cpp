#include "tests/support/lane_operations.h"

#include <fmt/format.h>

namespace heddle::test {

namespace {

using reference::Relation;
using reference::Rounding;
using U32 = std::uint32_t;

LaneOperation shift(const reference::Shift& shift) {
  LaneOperation operation;
  operation.mnemonic = fmt::format("SHF.{}{}.{}{}{}", shift.left ? "L" : "R", shift.wraps ? ".W" : "",
                                   shift.is_signed ? "S" : "U", shift.bits, shift.high ? ".HI" : "");
  operation.sources = 3;
  operation.reference = [=](U32 a, U32 b, U32 c) { return reference::funnel_shift(a, b, c, shift); };
  return operation;
}

LaneOperation conversion(const std::string& suffix, Rounding rounding, bool is_signed) {
  return {"F2I" + suffix,
          1,
          Signs::Float,
          true,
          "",
          [=](U32 a, U32, U32) {
            return reference::float_to_integer(a, rounding, is_signed); }};
}

void add_conversions(std::vector<LaneOperation>& all) {
  const auto from_signed = [](U32 a, U32, U32) { return reference::integer_to_float(a, true); };
  all.push_back({"I2F", 1, Signs::None, true, "", from_signed});
  all.push_back({"I2F.S32", 1, Signs::None, true, "", from_signed});
  all.push_back({"I2F.U32", 1, Signs::None, true, "",
                 [](U32 a, U32, U32) { return reference::integer_to_float(a, false); }});
  for (const bool is_signed : {true, false}) {
    const std::string type = is_signed ? ".S32" : ".U32";
    all.push_back(conversion(type, Rounding::Nearest, is_signed));
    all.push_back(conversion(type + ".RN", Rounding::Nearest, is_signed));
    all.push_back(conversion(type + ".TRUNC", Rounding::Trunc, is_signed));
    all.push_back(conversion(type + ".FLOOR", Rounding::Floor, is_signed));
    all.push_back(conversion(type + ".CEIL", Rounding::Ceil, is_signed));
  }
  all.push_back(conversion("", Rounding::Nearest, true));
  all.push_back(conversion(".TRUNC", Rounding::Trunc, true));
}

LaneComparison integer_comparison(const std::string& token, Relation relation, bool is_signed) {
  return {fmt::format("ISETP.{}{}", token, is_signed ? "" : ".U32"), false,
          [=](U32 a, U32 b) { return reference::compare_integers(a, b, relation, is_signed); }};
}

LaneComparison float_comparison(const std::string& token, Relation relation, bool unordered) {
  return {fmt::format("FSETP.{}{}", token, unordered ? "U" : ""), true,
          [=](U32 a, U32 b) { return reference::compare_floats(a, b, relation, unordered); }};
}

LaneComparison flushed_comparison(const std::string& token, Relation relation, bool unordered) {
  return {fmt::format("FSETP.{}{}.FTZ", token, unordered ? "U" : ""), true, [=](U32 a, U32 b) {
            return reference::compare_floats(reference::flushed(a), reference::flushed(b), relation, unordered);
          }};
}

}  // namespace

LaneOperation lop3_operation(unsigned table) {
  return {"LOP3.LUT", 3, Signs::None, false, fmt::format(", {:#x}, !PT", table), [=](U32 a, U32 b, U32 c) {
            return reference::lop3(a, b, c, table);
          }};
}

std::vector<LaneOperation> lane_shifts() {
  std::vector<LaneOperation> all;
  for (unsigned choice = 0; choice < 32; ++choice) {
    const auto is = [choice](unsigned bit) { return (choice >> bit & 1) != 0; };
    all.push_back(shift({is(0), is(1), is(2), is(3), is(4) ? 64U : 32U}));
  }
  return all;
}

std::vector<LaneOperation> lane_operations() {
  std::vector<LaneOperation> all = {
      {"MOV", 1, Signs::None, true, "", [](U32 a, U32, U32) { return a; }},
      {"IADD3", 3, Signs::Integer, false, "", reference::iadd3},
      {"IMAD", 3, Signs::Integer, false, "", reference::imad},
      lop3_operation(0x96),
      {"FADD", 2, Signs::Float, false, "", [](U32 a, U32 b, U32) { return reference::fadd(a, b); }},
      {"FMUL", 2, Signs::Float, false, "", [](U32 a, U32 b, U32) { return reference::fmul(a, b); }},
      {"FFMA", 3, Signs::Float, false, "", reference::ffma},
  };
  const std::vector<LaneOperation> shifts = lane_shifts();
  all.insert(all.end(), shifts.begin(), shifts.begin() + 8);  // of 32 bits that do not wrap
  add_conversions(all);
  add_bit_operations(all);
  add_float_operations(all);
  return all;
}

std::vector<LaneComparison> lane_comparisons() {
  constexpr std::pair<const char*, Relation> kRelations[] = {
      {"LT", Relation::Less},    {"EQ", Relation::Equal},    {"LE", Relation::LessOrEqual},
      {"GT", Relation::Greater}, {"NE", Relation::NotEqual}, {"GE", Relation::GreaterOrEqual}};
  std::vector<LaneComparison> all;
  for (const auto& [token, relation] : kRelations) {
    all.push_back(integer_comparison(token, relation, true));
    all.push_back(integer_comparison(token, relation, false));
    all.push_back(float_comparison(token, relation, false));
    all.push_back(float_comparison(token, relation, true));
    all.push_back(flushed_comparison(token, relation, false));
    all.push_back(flushed_comparison(token, relation, true));
  }
  all.push_back(
      {"FSETP.NUM", true, [](U32 a, U32 b) { return !reference::is_nan(a) && !reference::is_nan(b); }});
  all.push_back(
      {"FSETP.NAN", true, [](U32 a, U32 b) { return reference::is_nan(a) || reference::is_nan(b); }});
  return all;
}

std::vector<std::string> special_functions() { return {"RCP", "RSQ", "SQRT", "EX2", "LG2", "SIN", "COS"}; }

}  // namespace heddle::test

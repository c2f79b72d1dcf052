// Several instructions of PTX that a GPU has as one. That they compute the same is what the tests of forms
// say.
#include <algorithm>
#include <initializer_list>

#include "tests/support/catch.h"
#include "tests/support/ptx_kernel_run.h"

namespace heddle::lower {
namespace {

using ir::Opcode;

long count(const ir::Kernel& kernel, std::initializer_list<Opcode> opcodes) {
  return std::ranges::count_if(kernel.instructions, [&](const ir::Instruction& each) {
    return std::ranges::find(opcodes, each.opcode) != opcodes.end();
  });
}

TEST_CASE("A comparison combines its outcome with another predicate by itself, if nobody else wants it") {
  const char* const store = "selp.b32 %x9, 1, 0, %p3; st.global.b32 [%outa], %x9;";
  const ir::Kernel alone = test::lower_statements(
      {std::string("setp.lt.s32 %p1, %a, 5; setp.ge.u32 %p2, %t, 7; or.pred %p3, %p1, %p2;") + store});
  CHECK(count(alone, {Opcode::Plop3}) == 0);
  CHECK(count(alone, {Opcode::Isetp}) == 2);
  const ir::Kernel floats = test::lower_statements(
      {std::string(
           "mov.b32 %f1, %a; setp.lt.f32 %p1, %f1, 0f3f800000; setp.ge.u32 %p2, %t, 7; and.pred %p3, %p1, %p2;") +
       store});
  CHECK(count(floats, {Opcode::Plop3}) == 0);
  const ir::Kernel shared = test::lower_statements(
      {std::string(
           "setp.lt.s32 %p1, %a, 5; setp.ge.u32 %p2, %t, 7; or.pred %p3, %p1, %p2;"
           "selp.b32 %x1, 3, 4, %p1; selp.b32 %x2, 5, 6, %p2; st.global.v2.b32 [%outa], {%x1, %x2};") +
       store});
  CHECK(count(shared, {Opcode::Plop3}) == 1);
}

TEST_CASE("A shift or a product is part of each sum that wants it") {
  const ir::Kernel shifted = test::lower_statements(
      {"shl.b32 %x1, %a, 5; add.s32 %x2, %x1, %t; add.s32 %x3, %lane, %x1; st.global.v2.b32 [%outa], {%x2, %x3};"});
  CHECK(count(shifted, {Opcode::Lea}) == 2);
  const ir::Kernel product = test::lower_statements(
      {"mul.wide.s32 %y1, %a, 4; add.s64 %y2, %y1, %in; add.s64 %y3, %y1, %outa; ld.global.b32 %x1, [%y2];"
       "st.global.b32 [%y3], %x1;"});
  const ir::Kernel none =
      test::lower_statements({"ld.global.b32 %x1, [%in]; xor.b32 %x1, %x1, %a; st.global.b32 [%outa], %x1;"});
  CHECK(count(product, {Opcode::ImadWide}) == count(none, {Opcode::ImadWide}) + 2);
  CHECK(count(product, {Opcode::Iadd3, Opcode::Iadd3X}) == count(none, {Opcode::Iadd3, Opcode::Iadd3X}));
}

}  // namespace
}  // namespace heddle::lower

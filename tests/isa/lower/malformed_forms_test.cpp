// PTX instructions that do not exist, or that read what nobody has written: refused, or lowered, never a
// crash.
#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/ptx_kernel_run.h"

namespace heddle::test {
namespace {

TEST_CASE("instructions with other operands than theirs are refused") {
  for (const char* text :
       {"add.s32 %x0, %x1;", "add.s32 %x0, %x1, %x2, %x3;", "cvt.f32.u32 %f0;", "bfe.u32 %x0, %x1, %x2;",
        "clz.b32 %x0;", "div.rn.f32 %f0, %f1;", "vadd.u32.u32.u32 %x0, %x1;",
        "mbarrier.init.shared.b64 [words];", "ld.global.b32 5, [%in];", "ld.global.v2.b32 words, [%in];",
        "ld.global.b32 {%x0}, [%in];", "st.global.b32 [%out], words;", "st.global.b32 [%out], {%x0};",
        "st.global.v2.b32 [%out], {%x0, words};", "mov.b64 %y0, {%s0, %s1, %s2};",
        "atom.global.v2.f16.min.noftz {%s0}, [%out], {%s1, %s2};"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(lower_statements({text}), InputError);
  }
}

TEST_CASE("an instruction may read its own result that nobody has written before") {
  for (const char* text :
       {"abs.f64 %d1, %d1;", "neg.f16x2 %x1, %x1;", "neg.f32 %f1, %f1; abs.f32 %f2, %f1;"}) {
    CAPTURE(text);
    CHECK_NOTHROW(lower_statements({text}));
  }
}

}  // namespace
}  // namespace heddle::test

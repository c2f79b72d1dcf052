#include "tools/report/kernel_name.h"

#include <string>

#include "tests/support/catch.h"

namespace heddle::report {
namespace {

/// The text before the list of parameters.
std::string head(std::string_view kernel) { return std::string(kernel.substr(0, parameters_of(kernel))); }

TEST_CASE("A kernel's list of parameters begins where no template or namespace is open") {
  CHECK(head("") == "");
  CHECK(head("vecadd") == "vecadd");
  CHECK(head("gemm(float *)") == "gemm");
  CHECK(head("void axpy<float>(float, float const*)") == "void axpy<float>");
  CHECK(head("void k<int (*)(int), (int)3>(int (*)(int))") == "void k<int (*)(int), (int)3>");
  CHECK(head("(anonymous namespace)::scale(float *)") == "(anonymous namespace)::scale");
  CHECK(head("a::(anonymous namespace)::b<(anonymous namespace)::c>::d(e)") ==
        "a::(anonymous namespace)::b<(anonymous namespace)::c>::d");
}

}  // namespace
}  // namespace heddle::report

// The parameters of kernels as CUDA C++ declares them.
#include "tools/cuda/declared_parameters.h"

#include "tests/support/catch.h"

namespace heddle::cuda {
namespace {

/// "a:1 b:2"
std::string text_of(const std::string& source, const std::string& kernel) {
  std::string text;
  for (const DeclaredParameter& one : declared_parameters(source, kernel))
    text += (text.empty() ? "" : " ") + one.name + ":" + std::to_string(one.line);
  return text;
}

TEST_CASE("A kernel's parameters are found by name and line") {
  CHECK(text_of("__global__ void k(int* x, float a) {}", "_Z1kPif") == "x:1 a:1");
  CHECK(text_of("__global__ void k(int* x, float a) {}", "k") == "x:1 a:1");
  CHECK(
      text_of(
          "\n__global__ void k(int* x, // the first, of all\n  float a,\n  /* b, */ std::pair<int, int> p,\n"
          "  int (&q)[4], int r = f(1, 2)) {}",
          "k") == "x:2 a:3 p:4 q:5 r:5");
  CHECK(text_of("__global__ void __launch_bounds__(256, 2)\nk(\n  const float *__restrict__ x)\n{}", "k") ==
        "x:3");
  CHECK(text_of("template <typename T> __global__ void k(T a) {}", "_Z1kIfEvT_") == "a:1");
  CHECK(text_of("namespace n { __global__ void k(int a) {} }", "_ZN1n1kEi") == "a:1");
  CHECK(text_of("__global__ void kk(int b) {}\n__global__ void k(int a) {}\nvoid f() { k<<<1, 1>>>(3); }",
                "k") == "a:2");
  CHECK(text_of("__global__ void k();", "k").empty());
}

TEST_CASE("What is not certain is not said") {
  CHECK(text_of("#define KERNEL(n) __global__ void n(int a) {}\nKERNEL(k)", "k").empty());
  CHECK(text_of("__global__ void k(int a) {}\n__global__ void k(int a, int b) {}", "_Z1kii").empty());
  CHECK(text_of("// __global__ void k(int a)", "k").empty());
  CHECK(text_of("__global__ void other(int a) {} void k(int b);", "k").empty());
  CHECK(text_of("__global__ void k(int a", "k").empty());
  CHECK(text_of("", "").empty());
}

}  // namespace
}  // namespace heddle::cuda

#include "isa/base/cpp_name.h"

#include <array>
#include <initializer_list>

#include "tests/support/catch.h"

namespace heddle {

namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// f(A<int, int>, A<that, that>, A<that, that>, ...): each parameter stands for twice as much text as the one
/// before.
std::string doubling(int parameters) {
  REQUIRE(parameters <= 36);
  std::string name = "_Z1f1AIiiE";
  for (int i = 0; i + 1 < parameters; ++i) {
    const std::string one_before = {'S', "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i], '_'};
    name += "S_I" + one_before + one_before + "E";
  }
  return name;
}

/// The text before the list of parameters.
std::string_view head(std::string_view signature) {
  return signature.substr(0, parameters_position(signature));
}

}  // namespace

TEST_CASE("names are C++ where they are mangled") {
  CHECK(demangled("_Z4axpyIfEvT_PKS0_PS0_i") == "void axpy<float>(float, float const*, float*, int)");
  CHECK(demangled("_ZN2ns4tileEPKfPf") == "ns::tile(float const*, float*)");
  CHECK(demangled("f") == "f");
  CHECK(demangled("") == "");
  CHECK(demangled("_Z") == "_Z");
  CHECK(demangled("_Zwhatever") == "_Zwhatever");
}

TEST_CASE("names of more than a thousand characters are read") {
  const std::string name = "_Z1f" + repeated("PKi", 600);
  CHECK(demangled(name) == "f(" + repeated("int const*, ", 599) + "int const*)");
}

TEST_CASE("names that stand for more text than any kernel has stay as they are") {
  CHECK(demangled(doubling(3)) ==
        "f(A<int, int>, A<A<int, int>, A<int, int> >, A<A<A<int, int>, A<int, int> >, "
        "A<A<int, int>, A<int, int> > >)");
  // 2^36 times "A<int, int>" in 300 characters.
  CHECK(demangled(doubling(36)) == doubling(36));
}

TEST_CASE("a malformed name ends") {
  // libstdc++'s demangler does not come to an end over this one.
  const std::string endless =
      "_ZN4llvm4yaml7yamlizeIhEENSt9enable_ifIXsrntChannel16KLoadBal16has_ScalarTraitsIT_ErrorCodE5valueEvE4typeERNS0_"
      "2IOERS3_bRNS0_12EmptyContextE";
  CHECK(demangled(endless) == endless);
}

TEST_CASE("names nested deeply do not fill the stack") {
  for (const char* level : {"P", "I", "FN", "N1A", "X", "DTcl", "L_Z1f", "XadL_Z1f", "S_I", "dtdt"}) {
    for (const int times : {2'000, 10'000, 100'000}) {
      const std::string name = "_Z1f" + repeated(level, times) + "i";
      INFO(level << " " << times);
      CHECK(demangled(name) == name);  // deeper than it goes, or no name at all
    }
  }
}

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

TEST_CASE("A signature has its name behind the type of its result") {
  for (const auto& [signature, qualified, unqualified] :
       std::initializer_list<std::array<std::string_view, 3>>{
           {"saxpy", "saxpy", "saxpy"},
           {"gemm(float *)", "gemm", "gemm"},
           {"void axpy<float>(float, float const*)", "axpy<float>", "axpy"},
           {"reduce<256>(int*)", "reduce<256>", "reduce"},
           {"void a::b::scale<c::d<int>, 4>(const float *, e<f> &)", "a::b::scale<c::d<int>, 4>", "scale"},
           {"void k<int (*)(int), (int)3>(int (*)(int))", "k<int (*)(int), (int)3>", "k"},
           {"(anonymous namespace)::scale(float *)", "(anonymous namespace)::scale", "scale"},
           {"void (anonymous namespace)::scale<float>(float const*)", "(anonymous namespace)::scale<float>",
            "scale"},
           {"void <unnamed>::scale<float>(const float *)", "<unnamed>::scale<float>", "scale"},
           {"", "", ""}}) {
    INFO(signature);
    CHECK(qualified_name(signature) == qualified);
    CHECK(unqualified_name(signature) == unqualified);
  }
}

TEST_CASE("the number by which linked files tell their own names apart is left out") {
  CHECK(demangled("_ZL6kernelPi$1") == "kernel(int*)");
  CHECK(demangled("helper$12") == "helper");
  CHECK(demangled("a$b") == "a$b");
  CHECK(demangled("price$") == "price$");
  CHECK(demangled("$1") == "$1");
}

}  // namespace heddle

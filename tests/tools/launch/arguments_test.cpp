// Launches that a command line describes without a launch file.
#include "tools/launch/arguments.h"

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"

namespace heddle::launch {

TEST_CASE("Arguments become the launch file that says the same") {
  const std::string text = launch_text_of_arguments(
      "k.cu", "x=f32[32*n]:random, y=f32[64], u32[4]:7, x, 1024, {f32: 1.5}", "4x2", "32*n");
  CHECK(text ==
        "kernel: \"k.cu\"\n"
        "grid: [4,2]\n"
        "block: \"32*n\"\n"
        "params:\n"
        "  - x\n  - y\n  - arg2\n  - x\n  - 1024\n  - {f32: 1.5}\n"
        "buffers:\n"
        "  x: {type: f32, count: \"32*n\", fill: random}\n"
        "  y: {type: f32, count: \"64\"}\n"
        "  arg2: {type: u32, count: \"4\", fill: {value: 7}}\n");
  CHECK(launch_text_of_arguments("k.cu", " ", "", "") == "kernel: \"k.cu\"\ngrid: 1\nblock: 1\n");
  CHECK(launch_text_of_arguments("k.cu", "x=f32[8]:in.npy", "1", "8").find("fill: {npy: \"in.npy\"}") !=
        std::string::npos);
}

TEST_CASE("Arguments that mean nothing are refused") {
  const auto text = [](const char* arguments) {
    return launch_text_of_arguments("k.cu", arguments, "1", "1");
  };
  CHECK_THROWS_WITH(text("x=f32[4"), Catch::Contains("a bracket is not closed"));
  CHECK_THROWS_WITH(text("x=f32]4"), Catch::Contains("closes no bracket"));
  CHECK_THROWS_WITH(text("1,,2"), Catch::Contains("nothing between two commas"));
  CHECK_THROWS_WITH(text("x=4"), Catch::Contains("a buffer is NAME=TYPE[COUNT]"));
  CHECK_THROWS_WITH(text("x=f32[4] random"), Catch::Contains("after the count"));
  CHECK_THROWS_WITH(text("1 # 2"), Catch::Contains("'#' cannot be"));
  CHECK_THROWS_WITH(text("1\n2"), Catch::Contains("cannot be"));
}

}  // namespace heddle::launch

// Which GPU file is of the GPU that something was measured on.
#include "tools/heddle/base/gpu_choice.h"

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"

namespace heddle::command {

TEST_CASE("A measured GPU is known by its compute capability, its SMs and the words of its name") {
  CHECK(matching_gpu("m.json", "Tesla V100-SXM2-16GB", "7.0", 80) == "v100");
  CHECK(matching_gpu("m.json", "NVIDIA H100 80GB HBM3", "9.0", 132) == "h100");
  CHECK(matching_gpu("m.json", "NVIDIA H200", "9.0", 132) == "h200");
  CHECK(matching_gpu("m.json", "NVIDIA H100 PCIe", "9.0", 114) == "h100-pcie");
  CHECK(matching_gpu("m.json", "NVIDIA GeForce RTX 3080", "8.6", {}) == "rtx3080");
  CHECK(matching_gpu("m.json", "NVIDIA A40", "8.6", {}) == "a40");
  CHECK(matching_gpu("m.json", "NVIDIA L40-48Q", "8.9", {}) == "l40");
}

TEST_CASE("A name that has a file's name within a word is of another GPU") {
  CHECK_THROWS_AS(matching_gpu("m.csv", "NVIDIA RTX A4000", "8.6", {}), InputError);
  CHECK_THROWS_AS(matching_gpu("m.csv", "NVIDIA L40S", "8.9", {}), InputError);
  CHECK_THROWS_AS(matching_gpu("m.csv", "", "8.6", {}), InputError);
}

}  // namespace heddle::command

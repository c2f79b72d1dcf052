// The page of a program: what stands in it. What needs clang says so and passes where there is none.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "isa/base/read_file.h"
#include "tests/tools/cuda/cuda_program.h"
#include "tests/tools/cuda/many_launches.h"
#include "tests/tools/page/page_reader.h"

namespace heddle::cuda {

using Json = nlohmann::json;

TEST_CASE("The page of a program has a row for each launch, whose times sum to those of the kernels") {
  if (!has_clang() || !has_plain_library()) return;
  const test::ScratchFolder folder;
  const std::string path = folder.path("page.html");
  const CudaProgram program(test::many_launches(200));
  const FinishedProgram finished = program.run({"HEDDLE_GPU=tiny", "HEDDLE_HTML=" + path});
  REQUIRE(finished.errors == "");
  const std::string page = read_file(path);
  CHECK(page.size() < 10'000'000);
  const Json data = test::data_of_page(page);
  REQUIRE(data["launches"].size() == 200);
  REQUIRE(data["kernels"].size() == 2);
  std::vector<double> times(2);
  std::vector<unsigned> with_lines(2);
  double end_us = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    const Json& launch = data["launches"][i];
    CHECK(launch["number"] == i + 1);
    const auto kernel = launch["kernel"].get<std::size_t>();
    CHECK(kernel == i % 2);
    times[kernel] += launch["time_us"].get<double>();
    // One stream: each begins when the one before has ended.
    CHECK(launch["begin_us"].get<double>() >= end_us - 0.001);
    end_us = launch["begin_us"].get<double>() + launch["time_us"].get<double>();
    if (launch.contains("view") && launch["view"].contains("time")) ++with_lines[kernel];
  }
  CHECK(end_us <= data["program"]["clock_us"].get<double>() + 0.001);
  for (std::size_t kernel = 0; kernel < 2; ++kernel) {
    CHECK(data["kernels"][kernel]["calls"] == 100);
    CHECK(data["kernels"][kernel]["time_us"].get<double>() == Approx(times[kernel]));
    CHECK(with_lines[kernel] == data["program"]["detailed"]);
  }
  // The same bytes on any number of threads.
  REQUIRE(program.run({"HEDDLE_GPU=tiny", "HEDDLE_THREADS=2", "HEDDLE_HTML=" + path}).exit_code == 0);
  CHECK(read_file(path) == page);
}

TEST_CASE("A page that cannot be is refused before the program begins, or said not to be written") {
  if (!has_clang() || !has_plain_library()) return;
  const test::ScratchFolder folder;
  const CudaProgram program(test::many_launches(2));
  const std::string page = "HEDDLE_HTML=" + folder.path("page.html");
  CHECK_THAT(program.run({page, "HEDDLE_GPUS=2"}).errors, Catch::Contains("a page shows one GPU"));
  CHECK_THAT(program.run({page, "HEDDLE_TIMED=none"}).errors, Catch::Contains("no launch was timed"));
  CHECK_FALSE(std::ifstream(folder.path("page.html")).good());
}

}  // namespace heddle::cuda

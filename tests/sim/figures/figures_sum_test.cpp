// Figures added up launch by launch are those of all launches together.
#include "sim/figures/figures_sum.h"

#include "sim/config/load.h"
#include "sim/session/device.h"
#include "sim/session/module.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

constexpr const char* kScale = R"(
.kernel scale
.param data ptr
    S2R R0, SR_TID.X
    IMAD.WIDE R2, R0, 0x4, c[data]
    LDG.E R4, [R2.64]
    FADD R4, R4, R4
    STG.E [R2.64], R4
    EXIT
)";

}  // namespace

TEST_CASE("A sum of launches has the figures of a list of the same launches") {
  const GpuSpec gpu = load_gpu("tiny");
  session::Device device(gpu);
  const session::Module module = session::Module::from_text(kScale, "scale.sass");
  const auto data = device.allocate(4096);
  std::vector<RunFigures> each;
  std::vector<SmCounters> sms;
  FiguresSum one;
  FiguresSum two;
  for (const std::uint32_t blocks : {1U, 3U, 2U}) {
    const auto launch = device.launch(module.kernel("scale"), {.grid = {blocks}, .block = {64}}, {data});
    each.push_back(device.figures(launch));
    const RunResult& result = device.result(launch);
    sms.resize(result.sms.size());
    for (std::size_t i = 0; i < sms.size(); ++i) sms[i] += result.sms[i];
    (blocks == 3 ? two : one).add(each.back(), result.sms);
  }
  one.add(two);
  const RunFigures* const pointers[] = {&each[0], &each[1], &each[2]};
  const RunFigures expected = figures_of_all(pointers, sms, gpu);
  const RunFigures sum = one.figures(gpu);
  CHECK(one.launches() == 3);
  CHECK(one.cycles() == expected.cycles);
  CHECK(sum.kernel == "3 launches");
  CHECK(sum.cycles == expected.cycles);
  CHECK(sum.after_blocks == expected.after_blocks);
  CHECK(sum.kernel_launch_cycles == expected.kernel_launch_cycles);
  CHECK(sum.total == expected.total);
  CHECK(sum.theoretical_occupancy == Approx(expected.theoretical_occupancy));
  CHECK(sum.achieved_occupancy == expected.achieved_occupancy);
  CHECK(sum.sm_cycles.most == expected.sm_cycles.most);
}

}  // namespace heddle::sim

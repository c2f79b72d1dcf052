// Histograms of data that all fall into bin 0, on the RTX 3080, 2^26 elements (github
// R100001/Programming-Massively-Parallel-Processors, commit a972fb5).
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/sim/validation/published.h"
#include "tests/support/catch.h"

namespace heddle::test {
namespace {

constexpr double kElements = 1 << 26;

/// Each thread reads its element, which is 0.
constexpr const char* kElement = R"(
    S2R R0, SR_CTAID.X
    S2R R1, SR_TID.X
    IMAD R0, R0, c[blockDim.x], R1
    IMAD.WIDE.U32 R2, R0, 0x4, c[data]
    LDG.E R4, [R2.64]
    MOV R5, 0x1
)";

constexpr const char* kGlobal = R"(
    IMAD.WIDE.U32 R2, R4, 0x4, c[bins]
    RED.E.ADD.STRONG.GPU [R2.64], R5
)";

/// 512 bins in shared memory, cleared first and then added to those in global memory.
constexpr const char* kShared = R"(
    MOV R6, R1
    ISETP.GE.U32.AND P1, PT, R1, 0x200, PT
@P1 BRA cleared
clear:
    SHF.L.U32 R7, R6, 0x2, RZ
    IADD3 R6, R6, c[blockDim.x], RZ
    STS [R7], RZ
    ISETP.LT.U32.AND P0, PT, R6, 0x200, PT
@P0 BRA clear
cleared:
    BAR.SYNC 0x0
    SHF.L.U32 R4, R4, 0x2, RZ
    ATOMS.ADD RZ, [R4], R5
    BAR.SYNC 0x0
@P1 EXIT
add:
    SHF.L.U32 R7, R1, 0x2, RZ
    LDS R8, [R7]
    IMAD.WIDE.U32 R2, R1, 0x4, c[bins]
    IADD3 R1, R1, c[blockDim.x], RZ
    ISETP.LT.U32.AND P0, PT, R1, 0x200, PT
    RED.E.ADD.STRONG.GPU [R2.64], R8
@P0 BRA add
)";

Cycle cycles_for(const sim::GpuSpec& spec, const char* body, unsigned block, unsigned elements) {
  TextKernel kernel(std::string(kElement) + body, {.x = block}, {.x = elements / block},
                    ".param data ptr\n.param bins ptr\n.shared own 2048");
  kernel.add_buffer("data", std::uint64_t{4} * elements);
  kernel.add_buffer("bins", 2048);
  return kernel.run(spec).result.cycles;
}

/// By what an element costs once the GPU is full.
double milliseconds(const sim::GpuSpec& spec, const char* body, unsigned block) {
  constexpr unsigned kFew = 1 << 18;
  constexpr unsigned kMany = 1 << 19;
  const Cycle cycles = cycles_for(spec, body, block, kMany) - cycles_for(spec, body, block, kFew);
  return static_cast<double>(cycles) / (kMany - kFew) * kElements / (spec.clock_mhz * 1e3);
}

TEST_CASE("V8: a histogram by atomics in global memory, or in shared memory first") {
  const sim::GpuSpec spec = sim::load_gpu("rtx3080");
  std::vector<Figure> figures;
  for (const unsigned block : {32U, 256U, 1024U}) {
    figures.push_back(
        {"rtx3080", fmt::format("global, {} threads, ms", block), 36.16, milliseconds(spec, kGlobal, block)});
  }
  struct Row {
    unsigned block;
    double measured;
  };
  for (const Row& row : {Row{32, 22.6}, {64, 11.3}, {128, 5.67}, {256, 2.84}, {512, 1.43}, {1024, 0.733}}) {
    figures.push_back({"rtx3080", fmt::format("shared, {} threads, ms", row.block), row.measured,
                       milliseconds(spec, kShared, row.block)});
  }
  check_published("V8", figures);
}

}  // namespace
}  // namespace heddle::test

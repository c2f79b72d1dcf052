// S5: a product of matrices on tensor cores keeps their pipe busy with a handful of warps.
#include <algorithm>

#include "sim/config/load.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"

namespace heddle::examples {
namespace {

struct Use {
  double occupancy;  ///< Mean resident warps / most warps, in cycles in which the SM holds a block.
  double tensor;     ///< Share of those cycles in which a sub-partition's tensor pipe is busy.
  double products;   ///< Busy cycles that all products take, each for its interval.
  double active;     ///< Cycles in which the SM holds a block.
};

Use product_on(const char* gpu, const char* launch, const char* k, const char* n = "n=128") {
  launch::LaunchFile file = load_example(launch, {"m=128", n, k});
  const sim::GpuSpec spec = sim::load_gpu(gpu);
  const sim::SmCounters total = run_example(file, spec).total;
  const auto pipe = std::find_if(spec.sm.pipes.begin(), spec.sm.pipes.end(),
                                 [](const sim::PipeSpec& each) { return each.name == "tensor"; });
  const auto busy =
      static_cast<double>(total.pipe_busy[static_cast<std::size_t>(pipe - spec.sm.pipes.begin())]);
  const auto active = static_cast<double>(total.active_cycles);
  const auto resident = static_cast<double>(total.warp_slots[sim::WarpSlotPart::Resident]);
  return {resident / (active * spec.occupancy.max_warps), busy / (active * spec.sm.sub_partitions), busy,
          active};
}

TEST_CASE("S5: four warps of an SM keep the tensor pipes busy") {
  // 128 x 128 x 1024 are 8 x 16 x 64 products of 16 x 8 x 16, each of which keeps a pipe for 32 cycles.
  for (const char* gpu : {"rtx3080", "rtx4090"}) {
    CAPTURE(gpu);
    const Use use = product_on(gpu, "hgemm", "k=1024");
    CHECK(use.products == 8 * 16 * 64 * 32.0);
    CHECK(use.occupancy < 0.09);
    CHECK(use.tensor > 0.9);
  }
  // An A100's take 8 cycles, and wait for what loads, stores and LDSM ask of shared memory.
  const Use a100 = product_on("a100", "hgemm", "k=1024");
  CHECK(a100.products == 8 * 16 * 64 * 8.0);
  CHECK(a100.occupancy < 0.07);
  CHECK(a100.tensor > 0.5);
}

TEST_CASE("S5: asynchronous copies keep the tensor pipes of an A100 busy") {
  const double products = 8 * 16 * 128 * 8.0;
  const Use loads = product_on("a100", "hgemm", "k=2048");
  const Use copies = product_on("a100", "hgemm_async", "k=2048");
  CHECK(loads.products == products);
  CHECK(copies.products == products);
  CHECK(copies.occupancy < 0.07);
  CHECK(copies.tensor > 0.8);
  CHECK(copies.tensor > loads.tensor + 0.15);
}

TEST_CASE("S5: one warpgroup keeps the tensor pipes of an H100 busy") {
  // 128 x 192 x 16 are two products of 64 x 192 x 16, which keep each of four pipes for 96 cycles.
  const auto products = [](double k) { return k / 16 * 2 * 96 * 4; };
  for (const char* gpu : {"h100", "h200"}) {
    CAPTURE(gpu);
    const Use shorter = product_on(gpu, "hgemm_warpgroup", "k=1024", "n=192");
    const Use longer = product_on(gpu, "hgemm_warpgroup", "k=4096", "n=192");
    CHECK(shorter.products == products(1024));
    CHECK(longer.products == products(4096));
    CHECK(longer.occupancy < 0.07);
    CHECK(longer.tensor > 0.9);
    // Beyond its start and its end, the block loses nothing: all that more of K costs is the products.
    CHECK(longer.active - shorter.active == Approx((longer.products - shorter.products) / 4).epsilon(0.002));
  }
}

TEST_CASE("hgemm_warpgroup's swizzle keeps its copies clear of bank conflicts") {
  launch::LaunchFile file = load_example("hgemm_warpgroup", {"m=128", "n=192", "k=512"});
  const sim::MemoryCounters memory = run_example(file, sim::load_gpu("h100")).total.memory;
  const std::uint64_t copies = 512 / 64 * 80;  // tiles of 40 KiB by 512 bytes
  CHECK(memory.shared_store_requests == copies);
  CHECK(memory.shared_store_passes == copies * 4);  // 512 bytes by 128
  CHECK(memory.global_load_sectors == copies * 16);
  CHECK(memory.shared_load_requests == 0);
}

TEST_CASE("hgemm_async stores its tiles to shared memory by copies alone, without bank conflicts") {
  launch::LaunchFile file = load_example("hgemm_async", {"m=128", "n=128", "k=2048"});
  const sim::MemoryCounters memory = run_example(file, sim::load_gpu("a100")).total.memory;
  const std::uint64_t tiles = 2048 / 32;
  const std::uint64_t copies = tiles * 4 * 8;  // 16 KiB by 512 bytes
  CHECK(memory.shared_store_requests == copies);
  CHECK(memory.shared_store_passes == copies * 4);  // 512 bytes by 128
  CHECK(memory.global_load_requests == copies);
  CHECK(memory.global_load_sectors == copies * 16);
  CHECK(memory.l1_hit_sectors == 0);
  const std::uint64_t matrices = (tiles * 16 + 6) * 4;  // each warp: 16 a tile, and 6 before the first
  CHECK(memory.shared_load_requests == matrices);
  CHECK(memory.shared_load_passes == matrices * 4);  // four matrices of 128 bytes each
}

}  // namespace
}  // namespace heddle::examples

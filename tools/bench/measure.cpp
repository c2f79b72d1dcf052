#include "tools/bench/measure.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "isa/stream/kernel_fault.h"
#include "sim/device/run.h"

namespace heddle::bench {

namespace {

template <typename Action>
double seconds_of(Action action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// -- the heap -------------------------------------------------------------------------------------

std::uint64_t heap_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Reads the heap size when the SMs are created and at each exchange.
class MeteredKernel final : public stream::KernelSource {
 public:
  explicit MeteredKernel(stream::KernelSource& whole) : whole_(whole) {}

  [[nodiscard]] const stream::LaunchShape& shape() const override { return whole_.shape(); }
  [[nodiscard]] std::span<const stream::StaticOp> static_ops() const override { return whole_.static_ops(); }
  std::unique_ptr<stream::WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) override {
    auto source = whole_.make_warp_source(sm, warp_slots);
    made_ = most_ = heap_in_use();
    return source;
  }
  void commit_writes(ThreadTeam& team) override {
    whole_.commit_writes(team);
    most_ = std::max(most_, heap_in_use());
  }

  [[nodiscard]] std::uint64_t made() const { return made_; }
  [[nodiscard]] std::uint64_t most() const { return most_; }

 private:
  stream::KernelSource& whole_;
  std::uint64_t made_ = 0;  // heap size when the last SM has its warp slots
  std::uint64_t most_ = 0;
};

// -- rounds ---------------------------------------------------------------------------------------

class Measurement {
 public:
  Measurement(const std::string& name, Subject& subject, const sim::GpuSpec& spec, const Plan& plan)
      : subject_(subject), spec_(spec), plan_(plan) {
    row_.name = name;
  }

  Row take() {
    warm_up();
    double seconds = 0;
    for (unsigned i = 0; i < plan_.repetitions || seconds < plan_.least_seconds; ++i) {
      seconds += seconds_of([this] { run_round(); });
    }
    return std::move(row_);
  }

 private:
  void warm_up() {
    subject_.restore();
    const std::uint64_t before = heap_in_use();
    const auto source = subject_.source();
    MeteredKernel metered(*source);
    const sim::RunResult result = sim::run(metered, spec_);
    row_.gpu_bytes = metered.made() - std::min(before, metered.made());
    row_.heap_bytes = std::max(row_.gpu_bytes, metered.most() - std::min(before, metered.most()));
    row_.cycles = result.cycles;
    const stream::LaunchShape& shape = result.launch;
    const std::uint64_t places = std::uint64_t{result.occupancy.blocks_per_sm} * spec_.sms;
    row_.resident_warps = std::min(shape.blocks(), places) * shape.warps_per_block();
    if (plan_.threads > 1) row_.threaded.emplace();
    find_whether_functional();
  }

  void find_whether_functional() {
    try {
      subject_.restore();
      subject_.run_functionally();
      row_.functional.emplace();
    } catch (const stream::KernelFault&) {
      row_.functional.reset();
    }
  }

  void run_round() {
    if (row_.functional) run_functionally(*row_.functional);
    run_timed(row_.timed, 1);
    if (row_.threaded) run_timed(*row_.threaded, plan_.threads);
  }

  void run_functionally(Speed& speed) {
    subject_.restore();
    speed.time.add(seconds_of([&] { speed.warp_instructions = subject_.run_functionally(); }));
  }

  void run_timed(Speed& speed, unsigned threads) {
    subject_.restore();
    sim::RunOptions options;
    options.threads = threads;
    sim::RunResult result;
    speed.time.add(seconds_of([&] {
      const auto source = subject_.source();
      result = sim::run(*source, spec_, options);
    }));
    speed.warp_instructions = result.total.warp_instructions;
    if (result.cycles == row_.cycles) return;
    throw std::logic_error(fmt::format("{}: {} cycles in one run, {} in another, on {} threads", row_.name,
                                       row_.cycles, result.cycles, threads));
  }

  Subject& subject_;
  const sim::GpuSpec& spec_;
  Plan plan_;
  Row row_;
};

}  // namespace

Row measure(const std::string& name, Subject& subject, const sim::GpuSpec& spec, const Plan& plan) {
  return Measurement(name, subject, spec, plan).take();
}

}  // namespace heddle::bench

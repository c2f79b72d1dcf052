#include "tools/hardware/examples/placed.h"

namespace kit {

namespace {

__global__ void nothing() {}

}  // namespace

Placed::Placed(const Twin& twin) : twin_(twin) {
  for (const Image& image : twin.images) {
    pristine_.emplace_back(image.before);
    used_.emplace_back(image.before);
    addresses_.push_back(used_.back().data());
  }
}

void Placed::restore() const {
  for (std::size_t i = 0; i < used_.size(); ++i)
    KIT_CUDA(
        cudaMemcpyAsync(used_[i].data(), pristine_[i].data(), used_[i].bytes(), cudaMemcpyDeviceToDevice));
}

std::string Placed::wrong() const {
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (!twin_.images[i].judge) continue;
    const std::string message = twin_.images[i].judge(used_[i].host().data());
    if (!message.empty()) return "buffer " + std::to_string(i) + ": " + message;
  }
  return "";
}

Timed check_and_time(const Gpu& gpu, const Twin& twin) {
  const Placed placed(twin);
  placed.run();
  finish("an example");
  Timed timed;
  timed.wrong = placed.wrong();
  if (!timed.wrong.empty()) return timed;
  const auto before = [&] {
    placed.restore();
    gpu.empty_l2();
  };
  timed.us = median_us(before, [&] { placed.run(); });
  timed.empty_us =
      median_us([&] { gpu.empty_l2(); }, [&] { nothing<<<twin.shape.grid, twin.shape.block>>>(); }, 0.03);
  const std::string later = placed.wrong();
  if (!later.empty()) timed.wrong = "after many launches: " + later;
  return timed;
}

}  // namespace kit

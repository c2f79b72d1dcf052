// Runs the twins in the emulator and compares what they compute with their references: no GPU, no CUDA.
//   check_cpu [--list] [NAME...]
#include <chrono>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>

#include "twin.h"

namespace {

using kit::Twin;

std::string wrong(const Twin& twin) {
  std::vector<std::vector<unsigned char>> memory;
  kit::Addresses addresses;
  for (const kit::Image& image : twin.images) memory.push_back(image.before);
  for (auto& bytes : memory) addresses.push_back(bytes.data());
  twin.run(addresses);
  unsigned judged = 0;
  for (std::size_t i = 0; i < twin.images.size(); ++i) {
    if (!twin.images[i].judge) continue;
    ++judged;
    const std::string message = twin.images[i].judge(memory[i].data());
    if (!message.empty()) return "buffer " + std::to_string(i) + ": " + message;
  }
  return judged == 0 ? "nothing is compared" : "";
}

/// Whether the reference tells a run from none.
bool can_fail(const Twin& twin) {
  for (const kit::Image& image : twin.images)
    if (image.judge && !image.judge(image.before.data()).empty()) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::set<std::string> names(argv + 1, argv + argc);
  int failures = 0, checked = 0;
  for (const kit::TwinEntry& entry : kit::twins()) {
    if (names.count("--list") != 0) {
      std::printf("%s\n", entry.launch);
      continue;
    }
    if (!names.empty() && names.count(entry.launch) == 0) continue;
    const auto start = std::chrono::steady_clock::now();
    kit::Values values;
    const Twin twin = entry.make(values);
    std::string message =
        can_fail(twin) ? wrong(twin) : "the inputs pass the check before the kernel has run";
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%-28s %5.2f s  %s\n", entry.launch, took.count(), message.empty() ? "ok" : message.c_str());
    ++checked;
    failures += !message.empty();
  }
  if (names.count("--list") == 0)
    std::printf("%d of %d twins agree with their references\n", checked - failures, checked);
  if (checked == 0 && names.count("--list") == 0) std::fprintf(stderr, "check_cpu: no such twin\n");
  return failures == 0 && (checked != 0 || names.count("--list") != 0) ? 0 : 1;
}

#include "tests/sim/occupancy/configurations.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace heddle::sim {

namespace {

/// The numbers of the calculator's factors, in the order of our resources.
constexpr std::uint32_t kFactors[kResources] = {/*warps*/ 1,  /*blocks*/ 8,    /*registers*/ 2,
                                                /*shared*/ 4, /*barriers*/ 16, /*virtual*/ 32};

std::uint32_t factor(Resource resource) { return kFactors[static_cast<std::size_t>(resource)]; }

std::string text_or_blank(std::optional<std::uint32_t> number) {
  return number ? fmt::format("{}", *number) : std::string();
}

std::optional<std::uint32_t> number_or_blank(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return static_cast<std::uint32_t>(std::stoul(text));
}

}  // namespace

std::uint32_t Configurations::between(std::uint32_t least, std::uint32_t most) {
  return least + static_cast<std::uint32_t>(random_() % (std::uint64_t{most} - least + 1));
}

std::uint32_t Configurations::block() {
  if (one_in(3)) return 32 * between(1, 32);
  return one_in(50) ? between(1025, 1100) : between(1, 1024);
}

void Configurations::draw_shared(const OccupancySpec& spec, KernelResources& kernel) {
  const std::uint32_t most = one_in(4) ? spec.shared_bytes + 2048 : between(0, spec.shared_bytes_per_block);
  const std::uint32_t total = one_in(5) ? 0 : between(0, between(0, most));
  kernel.static_shared = one_in(2) ? 0 : between(0, std::min(total, spec.shared_without_opt_in));
  kernel.dynamic_shared = total - kernel.static_shared;
  if (one_in(8)) kernel.shared_opt_in = false;
  if (one_in(8)) kernel.max_dynamic_shared = between(0, between(0, spec.shared_bytes));
  if (one_in(3)) kernel.carveout_percent = between(0, 100);
}

KernelResources Configurations::kernel_for(const OccupancySpec& spec) {
  KernelResources kernel;
  kernel.block = {block(), 1, 1};
  kernel.registers_per_thread = one_in(3) ? between(0, 256) : between(0, between(0, 128));
  if (one_in(40)) kernel.registers_per_thread = between(250, 270);
  draw_shared(spec, kernel);
  kernel.barriers = one_in(2) ? between(0, 1) : between(0, 16);
  kernel.virtual_resources = one_in(4) ? between(0, 40) : 0;
  kernel.caching = static_cast<PartitionedCaching>(one_in(3) ? between(0, 2) : 0);
  return kernel;
}

Answer answer_of(const Configuration& configuration) {
  const Occupancy found = occupancy_of(configuration.device->occupancy, configuration.kernel);
  Answer answer{found.blocks_per_sm, 0};
  // The calculator turns to barriers last, and then lets stand what bound before.
  std::uint32_t before = kNoBlockLimit;
  for (std::size_t i = 0; i < kResources; ++i) {
    if (static_cast<Resource>(i) != Resource::Barriers) before = std::min(before, found.limits[i]);
  }
  for (std::size_t i = 0; i < kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    const std::uint32_t least = resource == Resource::Barriers ? found.blocks_per_sm : before;
    if (found.limits[i] == least) answer.factors |= factor(resource);
  }
  return answer;
}

std::string to_line(const Configuration& configuration, const Answer& answer) {
  const KernelResources& kernel = configuration.kernel;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", configuration.device->version, kernel.block.x,
                     kernel.registers_per_thread, kernel.static_shared, kernel.dynamic_shared,
                     kernel.shared_opt_in ? 1 : 0, text_or_blank(kernel.max_dynamic_shared), kernel.barriers,
                     kernel.virtual_resources, text_or_blank(kernel.carveout_percent),
                     static_cast<int>(kernel.caching), answer.blocks, answer.factors);
}

std::pair<Configuration, Answer> from_line(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  constexpr std::size_t kFields = 13;
  if (fields.size() != kFields) throw std::runtime_error("not a line of 13 fields: " + line);
  const auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(std::stoul(fields[i])); };
  KernelResources kernel;
  kernel.block = {number(1), 1, 1};
  kernel.registers_per_thread = number(2);
  kernel.static_shared = number(3);
  kernel.dynamic_shared = number(4);
  kernel.shared_opt_in = number(5) != 0;
  kernel.max_dynamic_shared = number_or_blank(fields[6]);
  kernel.barriers = number(7);
  kernel.virtual_resources = number(8);
  kernel.carveout_percent = number_or_blank(fields[9]);
  kernel.caching = static_cast<PartitionedCaching>(number(10));
  return {{find_compute_capability(fields[0]), kernel}, {number(11), number(12)}};
}

}  // namespace heddle::sim

#include "tools/heddle/run/checkpoints.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/base/host.h"
#include "isa/base/read_number.h"
#include "tools/checkpoint/process_image.h"
#include "tools/checkpoint/support.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"

namespace heddle::command {

std::chrono::milliseconds read_duration(const std::string& text, const std::string& option) {
  struct Unit {
    std::string_view name;
    std::uint64_t milliseconds;
  };
  constexpr std::array<Unit, 4> kUnits = {{{"ms", 1}, {"s", 1000}, {"min", 60'000}, {"h", 3'600'000}}};
  constexpr std::uint64_t kMost = 1'000'000;
  const std::size_t digits = text.find_first_not_of("0123456789");
  const auto number = number_in<std::uint64_t>(text.substr(0, digits));
  for (const Unit& unit : kUnits) {
    if (digits != std::string::npos && text.substr(digits) == unit.name && number && *number >= 1 &&
        *number <= kMost)
      return std::chrono::milliseconds(*number * unit.milliseconds);
  }
  throw UsageError(fmt::format("{} {}: must be a time, as 90s, 10min or 2h", option, text));
}

std::string label_of_command() {
  struct stat program {};
  ::stat("/proc/self/exe", &program);
  std::string label = fmt::format("heddle {} ({} bytes of {}) in {}:", HEDDLE_VERSION, program.st_size,
                                  program.st_mtim.tv_sec, std::filesystem::current_path().string());
  for (const std::string& word : own_command_line()) {
    if (word != "--resume") label += fmt::format(" {}", word);
  }
  return label;
}

Checkpoints::Checkpoints(CheckpointRequest request) : request_(std::move(request)), last_(Clock::now()) {
  const std::string reason = checkpoint::why_not();
  if (!reason.empty()) throw UsageError(fmt::format("--checkpoint: none can be made: {}", reason));
}

void Checkpoints::go_on() const {
  if (!std::filesystem::exists(request_.path)) return;
  const std::string label = checkpoint::label_of(request_.path);
  if (label != request_.label) {
    throw InputError(
        {request_.path, 0, 0},
        fmt::format("this is the checkpoint of another command: {}; without --resume this one begins anew",
                    label));
  }
  checkpoint::restore(request_.path);
}

void Checkpoints::update(ThreadTeam& team) {
  if (Clock::now() - last_ < request_.every) return;
  team.without_threads([this] {
    if (checkpoint::save(request_.path, request_.label) == checkpoint::Side::Restored)
      print_error(fmt::format("note: the run goes on from {}\n", request_.path));
  });
  last_ = Clock::now();
}

void Checkpoints::end() {
  checkpoint::finish();
  checkpoint::remove(request_.path);
}

}  // namespace heddle::command

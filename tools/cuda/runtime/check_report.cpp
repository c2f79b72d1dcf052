#include "tools/cuda/runtime/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "isa/base/cpp_name.h"
#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

namespace {

std::string text_of(const Dim3& place) { return fmt::format("({},{},{})", place.x, place.y, place.z); }

/// A byte of an allocation, by its name.
std::string place_in(const Gpu& gpu, const stream::MemoryFinding& finding) {
  const Allocation* found = gpu.memory.find(reinterpret_cast<const void*>(finding.address));
  if (found == nullptr) return fmt::format("{:#x} in '{}'", finding.address, finding.buffer);
  return fmt::format("byte {} of '{}', which has {}", finding.address - found->address, finding.buffer,
                     found->bytes);
}

/// "app.cu:12", or which instruction it is.
std::string source_text(Gpu& gpu, const std::string& kernel, Pc pc) {
  const std::string place = gpu.source_of(kernel, pc);
  return place.empty() ? fmt::format("instruction {}", pc) : place;
}

std::string race_text(Gpu& gpu, const stream::MemoryFinding& finding) {
  const auto verbs = [&]() -> std::pair<const char*, const char*> {
    switch (finding.kind) {
      case stream::FindingKind::ReadAfterWrite:
        return {"reads", "wrote"};
      case stream::FindingKind::WriteAfterRead:
        return {"writes", "read"};
      default:
        return {"writes", "wrote"};
    }
  }();
  const stream::FindingThread& other = finding.other.value();
  const std::string before =
      fmt::format("thread {} {} at {}", text_of(finding.block_extents.position_of(other.thread)),
                  verbs.second, source_text(gpu, finding.kernel, other.pc));
  if (finding.other_block)
    return fmt::format("{} {}, which thread {} of block {} {} at {}, and nothing orders the two blocks",
                       verbs.first, place_in(gpu, finding),
                       text_of(finding.block_extents.position_of(other.thread)),
                       text_of(finding.grid.position_of(*finding.other_block)), verbs.second,
                       source_text(gpu, finding.kernel, other.pc));
  const char* why = finding.kind == stream::FindingKind::SameStore ? "by the same store, another value"
                                                                   : "with no barrier between them";
  return fmt::format("{} byte {} of shared memory, which {}, {}", verbs.first, finding.address, before, why);
}

std::string finding_text(Gpu& gpu, const stream::MemoryFinding& finding) {
  const bool is_race = finding.other.has_value();
  const std::string what = is_race
                               ? race_text(gpu, finding)
                               : fmt::format("reads {}, which nobody has written", place_in(gpu, finding));
  return fmt::format("heddle: check {}: kernel {}, {}: thread {} of block {} {}{}\n",
                     is_race ? "races" : "initial", qualified_name(demangled(finding.kernel)),
                     source_text(gpu, finding.kernel, finding.at.pc),
                     text_of(finding.block_extents.position_of(finding.at.thread)),
                     text_of(finding.grid.position_of(finding.block)), what,
                     finding.count == 1 ? "" : fmt::format("; {} times", finding.count));
}

std::string leaks(const Gpu& gpu) {
  std::string text;
  for (const auto& [address, allocation] : gpu.memory.all()) {
    if (allocation.call.empty()) continue;
    text += fmt::format("heddle: check memory: {} bytes of '{}', at {:#x}, were not freed\n",
                        allocation.bytes, allocation.call, address);
  }
  return text;
}

/// "\n  app.cu:13, thread (31,0,0) of scale"; empty if nothing is known of it.
std::string fault_place(Gpu& gpu, const stream::KernelFault& fault) {
  constexpr std::string_view kBegin = "kernel ";
  const std::string_view message = fault.what();
  const std::size_t end = message.find(':');
  if (!message.starts_with(kBegin) || end == std::string_view::npos || !fault.place().pc) return "";
  const std::string kernel(message.substr(kBegin.size(), end - kBegin.size()));
  std::string text = gpu.source_of(kernel, *fault.place().pc);
  const LoadedKernel* loaded = gpu.find_kernel(kernel);
  if (loaded != nullptr && fault.place().warp && fault.place().lane) {
    const std::uint64_t thread =
        std::uint64_t{*fault.place().warp} * gpu.spec().occupancy.warp_size + *fault.place().lane;
    text += fmt::format("{}thread {} of {}", text.empty() ? "" : ", ",
                        text_of(loaded->block.position_of(thread)), qualified_name(demangled(kernel)));
  }
  return text.empty() ? "" : "\n  " + text;
}

}  // namespace

std::string note_fault(Gpu& gpu, const stream::KernelFault& fault) {
  // Failed assertions are told of as CUDA does.
  gpu.launches.note_fault(fault.kind());
  gpu.sticky = gpu.output.print() ? cudaErrorAssert : code_of(fault.kind());
  return fault.what() + fault_place(gpu, fault);
}

std::string notes_on(Gpu& gpu) {
  std::string text;
  if (gpu.timed_beside_peers != 0)
    text += fmt::format(
        "heddle: GPU {}: {} timed launches could reach memory of other GPUs; what they read and write "
        "there takes the time of their own GPU's memory, not of the link\n",
        gpu.index, gpu.timed_beside_peers);
  if (gpu.timed_with_persisting != 0)
    text += fmt::format(
        "heddle: GPU {}: lines that the program wants to persist in L2 were replaced like others in {} timed "
        "launches\n",
        gpu.index, gpu.timed_with_persisting);
  for (const stream::ForgivenMistake& mistake : gpu.device.forgiven())
    text += fmt::format("heddle: kernel {}, {}: a {}; a GPU lets it pass, heddle exec --check memory does not\n",
                        qualified_name(demangled(mistake.kernel)), source_text(gpu, mistake.kernel, mistake.pc),
                        mistake.what);
  return text;
}

std::string check_report(Gpu& gpu, const CheckChoice& wanted) {
  std::string text;
  for (const stream::MemoryFinding& finding : gpu.device.findings()) text += finding_text(gpu, finding);
  // What a program that failed leaves is no leak.
  if (wanted.memory && !gpu.sticky) text += leaks(gpu);
  return text;
}

}  // namespace heddle::cudart

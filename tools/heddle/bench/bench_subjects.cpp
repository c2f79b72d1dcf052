#include "tools/heddle/bench/bench_subjects.h"

#include <algorithm>

#include "isa/exec/functional.h"
#include "sim/trace/read/trace_reader.h"
#include "tools/heddle/run/kernel_sources.h"

namespace heddle::command {

LaunchSubject::LaunchSubject(launch::LaunchFile file, const sim::GpuSpec& spec)
    : file_(std::move(file)), spec_(spec) {
  for (const auto& buffer : file_.memory.buffers()) {
    initial_.emplace_back(buffer->bytes().begin(), buffer->bytes().end());
  }
}

void LaunchSubject::restore() {
  for (std::size_t i = 0; i < initial_.size(); ++i) {
    std::copy(initial_[i].begin(), initial_[i].end(), file_.memory.buffers()[i]->bytes().begin());
  }
}

std::uint64_t LaunchSubject::run_functionally() {
  exec::LiveKernel kernel = live_kernel(spec_, file_);
  return exec::run_functionally(kernel).warp_instructions;
}

std::unique_ptr<stream::KernelSource> LaunchSubject::source() {
  return std::make_unique<exec::LiveKernel>(live_kernel(spec_, file_));
}

std::uint64_t TraceSubject::run_functionally() {
  using Event = trace::TraceReader::Event;
  const auto reader = trace::open_trace(path_);
  std::uint64_t lines = 0;
  for (Event event = reader->next(); event != Event::End; event = reader->next())
    lines += event == Event::Line;
  return lines;
}

std::unique_ptr<stream::KernelSource> TraceSubject::source() {
  return std::make_unique<trace::ReplayKernel>(trace::open_trace(path_), replay_options(spec_));
}

}  // namespace heddle::command

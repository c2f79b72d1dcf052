#include "tools/cuda/runtime/device_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/gpu.h"
#include "tools/cuda/runtime/launch.h"

namespace heddle::cudart {

namespace {

/// So many streams take the launches of one grid; a GPU runs no more grids at a time.
constexpr std::size_t kMostStreams = 128;

std::uint64_t number_of(cudaStream_t stream) { return reinterpret_cast<std::uint64_t>(stream); }

bool is_tail(const ir::LaunchRecord& record) { return record.stream == number_of(cudaStreamTailLaunch); }

/// Launches with the same key are done one after the other.
std::pair<std::uint64_t, std::uint64_t> order_key(const ir::LaunchRecord& record) {
  const bool is_alone = record.stream == number_of(cudaStreamFireAndForget);
  return {record.parent_block, is_alone ? ~record.order : record.stream};
}

ir::LaunchHeader header_of(std::span<const std::byte> variable) {
  ir::LaunchHeader header;
  std::memcpy(&header, variable.data(), sizeof header);
  return header;
}

std::span<std::byte> record_at(std::span<std::byte> variable, std::uint64_t place) {
  return variable.subspan(sizeof(ir::LaunchHeader) + place * ir::kLaunchRecordBytes, ir::kLaunchRecordBytes);
}

ir::LaunchRecord record_of(std::span<const std::byte> bytes) {
  ir::LaunchRecord record;
  std::memcpy(&record, bytes.data(), sizeof record);
  return record;
}

bool is_asked_by(const ir::LaunchRecord& record, session::LaunchId parent) {
  return record.order != 0 && record.parent == static_cast<std::uint32_t>(parent);
}

std::uint64_t records_in(const ir::LaunchHeader& header) {
  return std::min(header.taken, ir::kLaunchRecords);
}

}  // namespace

void DeviceLaunches::follow(session::LaunchId launch, session::StreamId stream, unsigned depth) {
  const session::EventId all_done = gpu_.device.add_event();
  const auto launch_children = [this, launch, all_done, depth] { launch_all(launch, all_done, depth + 1); };
  gpu_.device.submit(stream, {sim::Engine::None, 0, launch_children});
  gpu_.device.wait(stream, all_done);
}

session::StreamId DeviceLaunches::idle_stream(std::vector<session::StreamId>& taken) {
  const auto found = std::ranges::find_if(streams_, [&](session::StreamId stream) {
    return gpu_.device.is_idle(stream) && std::ranges::find(taken, stream) == taken.end();
  });
  if (found == streams_.end()) {
    streams_.push_back(gpu_.device.create_stream());
    taken.push_back(streams_.back());
  } else {
    taken.push_back(*found);
  }
  return taken.back();
}

std::vector<DeviceLaunches::Asked> DeviceLaunches::take_asked_by(session::LaunchId parent,
                                                                 Variable& variable) {
  std::vector<Asked> asked;
  ir::LaunchHeader header = header_of(variable.bytes);
  for (std::uint64_t place = 0; place < records_in(header); ++place) {
    const std::span<std::byte> bytes = record_at(variable.bytes, place);
    ir::LaunchRecord record = record_of(bytes);
    if (!is_asked_by(record, parent)) continue;
    asked.push_back({record, bytes.subspan(ir::kLaunchParameters)});
    record.order = 0;
    std::memcpy(bytes.data(), &record, sizeof record);
  }
  std::ranges::sort(asked, {}, [](const Asked& each) { return each.record.order; });
  if (header.lost != 0)
    std::fputs(
        fmt::format("heddle: {} launches by kernels are lost: {} are kept until the grid that asks for "
                    "them ends\n",
                    header.lost, ir::kLaunchRecords)
            .c_str(),
        stderr);
  header.lost = 0;
  // Places can be taken again as soon as none is left.
  variable.done += asked.size();
  if (variable.done == records_in(header)) header.taken = variable.done = 0;
  std::memcpy(variable.bytes.data(), &header, sizeof header);
  return asked;
}

void DeviceLaunches::launch_all(session::LaunchId parent, session::EventId all_done, unsigned depth) {
  std::vector<session::StreamId> taken;
  const session::StreamId join = idle_stream(taken);
  std::vector<session::StreamId> streams;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> stream_of;
  std::vector<Asked> tails;
  for (Variable& variable : variables_) {
    for (const Asked& asked : take_asked_by(parent, variable)) {
      if (is_tail(asked.record)) {
        tails.push_back(asked);
        continue;
      }
      const std::size_t next = stream_of.size() % kMostStreams;
      const std::size_t place = stream_of.try_emplace(order_key(asked.record), next).first->second;
      if (place == streams.size()) streams.push_back(idle_stream(taken));
      launch(asked, streams[place], depth);
    }
  }
  for (const session::StreamId stream : streams) gpu_.device.wait(join, gpu_.device.record(stream));
  for (const Asked& asked : tails) launch(asked, join, depth);
  gpu_.device.record(join, all_done);
}

void DeviceLaunches::launch(const Asked& asked, session::StreamId stream, unsigned depth) {
  const ir::LaunchRecord& record = asked.record;
  const auto refuse = [](const std::string& why) {
    throw stream::KernelFault(stream::FaultKind::Other,
                              fmt::format("a kernel's launch of a kernel: {}", why));
  };
  if (depth > kDeepestLaunch) refuse(fmt::format("kernels launch kernels {} deep at most", kDeepestLaunch));
  session::LaunchConfig config;
  config.grid = {record.grid[0], record.grid[1], record.grid[2]};
  config.block = {record.block[0], record.block[1], record.block[2]};
  config.dynamic_shared_bytes = record.shared_bytes;
  config.stream = stream;
  try {
    LoadedKernel& loaded = gpu_.kernel_at(record.kernel);
    const auto bytes = asked.parameters.first(parameter_bytes(loaded.kernel));
    start(gpu_, loaded, config, {bytes.begin(), bytes.end()}, {.depth = depth});
  } catch (const Failure& failure) {
    refuse(failure.what());
  } catch (const session::Error& error) {
    refuse(error.what());
  } catch (const InputError& error) {
    refuse(error.what());
  }
}

}  // namespace heddle::cudart

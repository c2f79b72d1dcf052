#include "tools/cuda/runtime/stream_order.h"

#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

namespace {

/// Each thread's own default stream is the legacy one here.
bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

}  // namespace

cudaStream_t StreamOrder::create(unsigned flags, int priority) {
  auto stream = std::make_unique<CUstream_st>();
  stream->id = device_.create_stream(priority);
  stream->flags = flags;
  stream->priority = priority;
  CUstream_st* handle = stream.get();
  made_.emplace(handle, std::move(stream));
  return handle;
}

void StreamOrder::destroy(cudaStream_t stream) {
  if (find(stream) == nullptr)
    throw Failure(cudaErrorInvalidResourceHandle, "the default stream cannot be destroyed");
  if (stream->is_dirty && stream->is_blocking())
    device_.wait(session::StreamId{}, device_.record(stream->id));
  made_.erase(stream);
}

CUstream_st* StreamOrder::find(cudaStream_t stream) const {
  if (is_default(stream)) return nullptr;
  const auto found = made_.find(stream);
  if (found == made_.end()) throw Failure(cudaErrorInvalidResourceHandle, "there is no such stream");
  return found->second.get();
}

void StreamOrder::end_capture(const std::shared_ptr<CUgraph_st>& graph) {
  for (auto& [handle, stream] : made_) {
    if (stream->capture == graph) stream->capture.reset();
  }
}

session::StreamId StreamOrder::enter_legacy() {
  for (auto& [handle, stream] : made_) {
    if (!stream->is_dirty || !stream->is_blocking()) continue;
    device_.wait(session::StreamId{}, device_.record(stream->id));
    stream->is_dirty = false;
  }
  return {};
}

session::StreamId StreamOrder::enter(cudaStream_t handle) {
  CUstream_st* stream = find(handle);
  if (stream == nullptr) {
    ++legacy_work_;
    return catch_up(enter_legacy(), legacy_host_seen_);
  }
  if (stream->is_blocking() && stream->legacy_seen != legacy_work_) {
    device_.wait(stream->id, device_.record(session::StreamId{}));
    stream->legacy_seen = legacy_work_;
  }
  stream->is_dirty = true;
  return catch_up(stream->id, stream->host_seen);
}

/// A GPU alone is never behind: the host has waited for nothing else.
session::StreamId StreamOrder::catch_up(session::StreamId stream, Cycle& seen) {
  if (host_clock_ > std::max(seen, device_.clock())) {
    device_.submit(stream, {.not_before = host_clock_});
    seen = host_clock_;
  }
  return stream;
}

void StreamOrder::delay(cudaStream_t stream, Cycle until) {
  device_.submit(enter(stream), {.not_before = until});
}

session::StreamId StreamOrder::id_of(cudaStream_t handle) {
  CUstream_st* stream = find(handle);
  return stream == nullptr ? enter_legacy() : stream->id;
}

}  // namespace heddle::cudart

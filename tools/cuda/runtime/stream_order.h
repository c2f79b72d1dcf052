// Streams as programs have them, in the order that CUDA promises: the legacy default stream waits for all
// other streams, and they wait for it, unless they were made with cudaStreamNonBlocking.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>

#include "sim/session/device.h"
#include "tools/cuda/runtime/api.h"
#include "tools/cuda/runtime/graph.h"

/// What a cudaStream_t points to.
struct CUstream_st {
  heddle::session::StreamId id{};
  unsigned flags = 0;
  int priority = 0;
  bool is_dirty = false;  ///< It was given work that the legacy stream has not been told to wait for.
  std::shared_ptr<CUgraph_st> capture = nullptr;  ///< What it is given becomes nodes of this graph.
  std::uint64_t legacy_seen = 0;  ///< The work of the legacy stream that it waits for, by count.
  heddle::Cycle host_seen = 0;    ///< What it is given begins no earlier.

  [[nodiscard]] bool is_blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
};

namespace heddle::cudart {

/// The streams of one GPU. It owns what handles point to.
///
/// The clocks of a program's GPUs count from one moment. What the host gives to one of them after it waited
/// for another begins no earlier than what it waited for had ended: `host_clock` is how far it has come, for
/// all.
class StreamOrder {
 public:
  StreamOrder(session::Device& device, Cycle& host_clock) : device_(device), host_clock_(host_clock) {}

  cudaStream_t create(unsigned flags, int priority);
  /// What was submitted still runs. Throws Failure if there is no such stream.
  void destroy(cudaStream_t stream);

  /// The stream that work is about to be submitted to, which from now on waits for whatever it must.
  session::StreamId enter(cudaStream_t stream);
  /// The same without work of its own: what one waits for who waits for the stream.
  session::StreamId id_of(cudaStream_t stream);
  /// The host knows that this has been reached.
  void host_has_seen(Cycle time) { host_clock_ = std::max(host_clock_, time); }
  /// What the stream is given from now on begins no earlier.
  void delay(cudaStream_t stream, Cycle until);
  [[nodiscard]] bool has(cudaStream_t stream) const { return made_.contains(stream); }
  /// Null: the legacy default stream. Throws Failure if there is no such stream.
  [[nodiscard]] CUstream_st* find(cudaStream_t stream) const;
  /// All streams that the graph is captured from are streams again.
  void end_capture(const std::shared_ptr<CUgraph_st>& graph);

 private:
  session::StreamId enter_legacy();
  session::StreamId catch_up(session::StreamId stream, Cycle& seen);

  session::Device& device_;
  Cycle& host_clock_;
  Cycle legacy_host_seen_ = 0;
  std::map<cudaStream_t, std::unique_ptr<CUstream_st>> made_;
  std::uint64_t legacy_work_ = 0;
};

}  // namespace heddle::cudart

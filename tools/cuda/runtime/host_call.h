// Functions of the program that streams call, on the thread that simulates.
#pragma once

#include <functional>
#include <utility>

#include "tools/cuda/runtime/process.h"

namespace heddle::cudart {

/// Queues the call. The function may not call the API, as with CUDA.
inline void submit_call(Gpu& gpu, cudaStream_t stream, std::function<void()> function) {
  gpu.device.submit(gpu.streams.enter(stream), {sim::Engine::None, 0, [function = std::move(function)] {
                                                  HostThread& thread = HostThread::current();
                                                  thread.is_in_callback = true;
                                                  function();
                                                  thread.is_in_callback = false;
                                                }});
}

}  // namespace heddle::cudart

// An emulator on the CPU for the part of CUDA that the example kernels use. Each thread of a block is a
// fiber; fibers switch at barriers, shuffles and atomics. It checks that a kernel computes the right result;
// it does not model time.
#pragma once

#include <cmath>
#include <cstring>
#include <functional>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
// One block runs at a time, so the shared memory of a block is a variable that lives on; unlike static it allows
// extern __shared__, the definition of which stands beside the #include of such a kernel.
#define __shared__ thread_local

/// As in CUDA.
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

/// As in CUDA.
struct uint4 {
  unsigned x, y, z, w;
};

/// As in CUDA.
struct float4 {
  float x, y, z, w;
};

inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

namespace kit {

/// The launch configuration of a kernel.
struct Shape {
  dim3 grid;
  dim3 block;
  unsigned shared_bytes = 0;
  bool blocks_together = false;  ///< Blocks wait for each other; such a kernel must not use shared memory.
};

/// The indices and extents of the running fiber. The macros below give them CUDA's names.
struct Place {
  dim3 thread, block, block_size, grid_size;
};

const Place& place();
/// Lets other threads run.
void yield();
void block_barrier();
void warp_barrier();
/// Each of the 32 lanes of a warp passes a value; when all have, each gets the values of all lanes. Valid
/// until the next call.
const void* warp_exchange(const void* value, std::size_t bytes);

/// The order in which warps and lanes run if nothing else orders them. The result of a kernel must not depend
/// on it.
enum class WarpOrder { Forwards, Backwards };
void set_order(WarpOrder order);
WarpOrder order();

/// Runs `body` once for each thread. Ends the program with a message if the threads deadlock.
void emulate(const Shape& shape, const std::function<void()>& body);

template <class... Parameters>
void launch(void (*kernel)(Parameters...), const Shape& shape, Parameters... arguments) {
  emulate(shape, [=] { kernel(arguments...); });
}

/// The values that the 32 lanes of the calling warp passed.
template <class T>
const T* all_lanes(const T& value) {
  return static_cast<const T*>(warp_exchange(&value, sizeof value));
}

inline unsigned lane() {
  const Place& at = place();
  return (at.thread.x + at.block_size.x * (at.thread.y + at.block_size.y * at.thread.z)) % 32;
}

}  // namespace kit

#define threadIdx (kit::place().thread)
#define blockIdx (kit::place().block)
#define blockDim (kit::place().block_size)
#define gridDim (kit::place().grid_size)

inline void __syncthreads() { kit::block_barrier(); }
inline void __syncwarp() { kit::warp_barrier(); }
inline void __threadfence() {}

template <class T>
T __shfl_down_sync(unsigned, T value, unsigned offset) {
  const unsigned from = kit::lane() + offset;
  const T* lanes = kit::all_lanes(value);
  return from < 32 ? lanes[from] : value;
}

/// The common part of all atomics. Other threads run before or after it, so that spinning threads see the
/// write.
template <class T, class Change>
T change_atomically(T* address, Change change) {
  if (kit::order() == kit::WarpOrder::Backwards) kit::yield();
  const T old = *address;
  *address = change(old);
  if (kit::order() == kit::WarpOrder::Forwards) kit::yield();
  return old;
}

template <class T>
T atomicAdd(T* address, T value) {
  return change_atomically(address, [=](T old) { return old + value; });
}

inline unsigned atomicAdd(unsigned* address, int value) {
  return atomicAdd(address, static_cast<unsigned>(value));
}

inline unsigned atomicExch(unsigned* address, unsigned value) {
  return change_atomically(address, [=](unsigned) { return value; });
}

inline unsigned atomicCAS(unsigned* address, unsigned expected, unsigned value) {
  return change_atomically(address, [=](unsigned old) { return old == expected ? value : old; });
}

inline unsigned atomicInc(unsigned* address, unsigned limit) {
  return change_atomically(address, [=](unsigned old) { return old >= limit ? 0 : old + 1; });
}

inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __expf(float x) { return std::exp(x); }
inline float __logf(float x) { return std::log(x); }

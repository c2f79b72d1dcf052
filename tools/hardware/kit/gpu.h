// The GPU: its properties, its memory, and timing. Every CUDA call is checked; an error becomes an exception.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/hardware/kit/report.h"

namespace kit {

/// There is no CUDA device.
struct NoDevice : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require(cudaError_t result, const char* what);

#define KIT_CUDA(call) ::kit::require((call), #call)

/// An array in device memory. The destructor frees it.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    void* pointer = nullptr;
    KIT_CUDA(cudaMalloc(&pointer, bytes()));
    data_ = static_cast<T*>(pointer);
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    KIT_CUDA(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  DeviceArray(DeviceArray&& other) noexcept : data_(other.data_), count_(other.count_) {
    other.data_ = nullptr;
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  std::vector<T> host() const {
    std::vector<T> values(count_);
    KIT_CUDA(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// The GPU that is measured.
class Gpu {
 public:
  /// Uses the first device. Throws NoDevice if there is none.
  Gpu();

  DeviceFacts facts() const;
  int capability() const { return 10 * properties_.major + properties_.minor; }
  int sms() const { return properties_.multiProcessorCount; }
  unsigned threads_per_sm() const { return static_cast<unsigned>(properties_.maxThreadsPerMultiProcessor); }
  std::size_t l2_bytes() const { return static_cast<std::size_t>(properties_.l2CacheSize); }
  std::size_t free_bytes() const;

  /// Reads other data until L2 holds nothing of a kernel. Writes nothing.
  void empty_l2() const;
  /// SM clock in MHz while all SMs compute, from the device's own cycle and nanosecond counters.
  double clock_under_load_mhz() const;

 private:
  cudaDeviceProp properties_;
  DeviceArray<unsigned> scratch_;
  DeviceArray<unsigned> sink_;
};

/// Waits for the device. Throws if a launch failed.
void finish(const char* what);

/// The median time of `work` in microseconds, measured by events. `before` runs before each repetition and is
/// not timed.
double median_us(const std::function<void()>& before, const std::function<void()>& work,
                 double seconds = 0.15);

double median(std::vector<double> values);

/// A time budget in seconds. Work that would exceed it is left out.
class Budget {
 public:
  explicit Budget(double seconds) : start_(Time::now()), seconds_(seconds) {}
  double spent() const { return std::chrono::duration<double>(Time::now() - start_).count(); }
  bool allows(double more) const { return spent() + more < seconds_; }

 private:
  using Time = std::chrono::steady_clock;
  Time::time_point start_;
  double seconds_;
};

}  // namespace kit

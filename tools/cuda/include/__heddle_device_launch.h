// What heddle cuda makes of a launch by a kernel, which clang does not compile:
//
//   child<N><<<grid, block>>>(x)    __heddle_device_launch<decltype(&child<N>), &child<N>>(grid, block)(x)
#pragma once

// An address that is a constant: device code may not name a kernel otherwise.
template <class Kernel, Kernel kernel>
struct __heddle_kernel_address {
  static constexpr Kernel value = kernel;
};

template <class Kernel>
struct __heddle_device_launcher;

template <class... Parameters>
struct __heddle_device_launcher<void (*)(Parameters...)> {
  void* kernel;
  dim3 grid;
  dim3 block;
  unsigned int shared;
  cudaStream_t stream;

  // Parameters lie behind one another, each at a multiple of its alignment.
  __device__ void operator()(Parameters... parameters) const {
    char* buffer = (char*)cudaGetParameterBufferV2(kernel, grid, block, shared);
    if (buffer == nullptr) return;
    size_t at = 0;
    int all[] = {0, (put(buffer, at, parameters), 0)...};
    (void)all;
    cudaLaunchDeviceV2(buffer, stream);
  }

 private:
  template <class Parameter>
  static __device__ void put(char* buffer, size_t& at, const Parameter& parameter) {
    at = (at + alignof(Parameter) - 1) / alignof(Parameter) * alignof(Parameter);
    __builtin_memcpy(buffer + at, &parameter, sizeof(Parameter));
    at += sizeof(Parameter);
  }
};

template <class Kernel, Kernel kernel>
static __device__ __heddle_device_launcher<Kernel> __heddle_device_launch(dim3 grid, dim3 block, size_t shared = 0,
                                                                          cudaStream_t stream = 0) {
  return {(void*)__heddle_kernel_address<Kernel, kernel>::value, grid, block, (unsigned int)shared, stream};
}

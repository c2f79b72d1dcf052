// What compilers call before main(), and between <<< and >>>.
#include <cstdio>
#include <exception>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::HostThread;
using heddle::cudart::Image;
using heddle::cudart::Process;

namespace {

Image* image_of(void** handle) { return reinterpret_cast<Image*>(handle); }

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Process& process = Process::get();
  const std::lock_guard lock(process.mutex);
  return reinterpret_cast<void**>(process.registry.add_image(wrapper));
}

void __heddleRegisterManaged(void* begin, void* end) {
  Process& process = Process::get();
  const std::lock_guard lock(process.mutex);
  process.registry.add_managed({static_cast<std::byte*>(begin), static_cast<std::byte*>(end)});
}

// The host uses what it shares with the GPU without asking: it is to find there what the variables begin
// with.
void __cudaRegisterFatBinaryEnd(void** handle) {
  if (image_of(handle)->shared_with_host.empty()) return;
  try {
    image_of(handle)->write_shared_variables();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle: __managed__ variables have no values yet: %s\n", error.what());
  }
}
void __cudaUnregisterFatBinary(void**) {}

char __cudaInitModule(void** handle) {
  const cudaError_t code = gpu_call("__cudaInitModule", [&](Gpu& gpu) { gpu.load(*image_of(handle)); });
  return code == cudaSuccess ? 1 : 0;
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* device_name, int,
                            uint3*, uint3*, dim3*, dim3*, int*) {
  Process& process = Process::get();
  const std::lock_guard lock(process.mutex);
  process.registry.add_function(host_function, {image_of(handle), device_name});
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int, size_t size,
                       int, int) {
  Process& process = Process::get();
  const std::lock_guard lock(process.mutex);
  process.registry.add_variable(std::as_writable_bytes(std::span(host_variable, size)),
                                {image_of(handle), device_name});
}

void __cudaRegisterTexture(void** handle, const textureReference* reference, const void**,
                           const char* device_name, int, int is_normalized, int) {
  Process& process = Process::get();
  const std::lock_guard lock(process.mutex);
  process.registry.add_texture(reference, {image_of(handle), device_name}, is_normalized != 0);
}

// The host reaches such a variable by a pointer, and asks for __cudaInitModule() before it does.
void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*, const char* device_name, int, size_t,
                              int, int) {
  Process& process = Process::get();
  const std::lock_guard lock(process.mutex);
  image_of(handle)->managed.push_back({host_pointer, device_name});
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  HostThread::current().configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  auto& configurations = HostThread::current().configurations;
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const auto last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}
}

// Variables of device code, by what stands for them in host code.
#include <fmt/format.h>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/copy.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::require;

namespace {

std::byte* bytes_at(Gpu& gpu, const void* host_variable, std::size_t offset, std::size_t count) {
  const heddle::session::Symbol symbol = gpu.symbol(host_variable);
  require(offset <= symbol.bytes && count <= symbol.bytes - offset,
          fmt::format("{} bytes from byte {} on; the variable has {}", count, offset, symbol.bytes));
  return reinterpret_cast<std::byte*>(symbol.pointer.address) + offset;
}

/// Kernels take constants along when they are launched: the host waits, whichever way it asks.
cudaError_t copied(const char* function, const void* variable, void* host, std::size_t count,
                   std::size_t offset, cudaMemcpyKind kind, bool is_to_symbol,
                   cudaStream_t stream = nullptr) {
  return gpu_call(function, [&](Gpu& gpu) {
    const heddle::cudart::Rows device{bytes_at(gpu, variable, offset, count), count, count};
    const heddle::cudart::Rows other{static_cast<std::byte*>(host), count, count};
    if (is_to_symbol) {
      heddle::cudart::copy(gpu, {device, other, count, 1, 1, kind, stream});
    } else {
      heddle::cudart::copy(gpu, {other, device, count, 1, 1, kind, stream});
    }
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return copied("cudaMemcpyToSymbol", symbol, const_cast<void*>(from), count, offset, kind, true);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  return copied("cudaMemcpyFromSymbol", symbol, to, count, offset, kind, false);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return copied("cudaMemcpyToSymbolAsync", symbol, const_cast<void*>(from), count, offset, kind, true,
                stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return copied("cudaMemcpyFromSymbolAsync", symbol, to, count, offset, kind, false, stream);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return gpu_call("cudaGetSymbolAddress", [&](Gpu& gpu) {
    require(pointer != nullptr, "there is no place for the pointer");
    *pointer = bytes_at(gpu, symbol, 0, 0);
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return gpu_call("cudaGetSymbolSize", [&](Gpu& gpu) {
    require(size != nullptr, "there is no place for the size");
    *size = gpu.symbol(symbol).bytes;
  });
}
}

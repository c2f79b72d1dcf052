// Modules, from PTX and fat binaries, and their kernels and variables.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "tools/cuda/runtime/driver/driver_call.h"
#include "tools/cuda/runtime/image_text.h"

using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::HostThread;
using heddle::cudart::Image;
using heddle::cudart::in_context;
using heddle::cudart::Process;
using heddle::cudart::require;

namespace {

/// Where a program wants to read what a compiler says. The driver's options come with values in an array of
/// pointers, which a size is written into itself.
struct Log {
  char* text = nullptr;
  void** size = nullptr;

  void write(const std::string& message) const {
    if (text == nullptr || size == nullptr) return;
    const auto room = reinterpret_cast<std::uintptr_t>(*size);
    if (room == 0) return;
    const std::size_t taken = std::min<std::size_t>(room - 1, message.size());
    std::memcpy(text, message.data(), taken);
    text[taken] = '\0';
    *size = reinterpret_cast<void*>(taken);
  }
};

Log log_of(unsigned count, const CUjit_option* options, void** values, CUjit_option text, CUjit_option size) {
  Log log;
  for (unsigned i = 0; i < count && options != nullptr && values != nullptr; ++i) {
    if (options[i] == text) log.text = static_cast<char*>(values[i]);
    if (options[i] == size) log.size = &values[i];
  }
  return log;
}

/// The process's mutex is held by gpu_call().
CUmod_st& module_of(CUmodule module) {
  auto& known = Process::get().modules.modules;
  const auto found = known.find(module);
  if (found == known.end()) throw Failure(cudaErrorInvalidResourceHandle, "there is no such module");
  return *found->second;
}

void load(Gpu& gpu, CUmodule* module, const void* image, const Log& errors) {
  require(module != nullptr && image != nullptr, "there is no image, or no place for the module");
  try {
    auto made = std::make_unique<CUmod_st>(CUmod_st{
        Image::of_ptx(heddle::cudart::ptx_of({heddle::cudart::image_in_wrapper(image)}, gpu.capability())),
        HostThread::current().gpu});
    gpu.load(made->image);
    *module = made.get();
    Process::get().modules.modules.emplace(*module, std::move(made));
  } catch (const heddle::InputError& error) {
    errors.write(error.what());
    throw;
  }
}

CUresult loaded(const char* function, CUmodule* module, const void* image, const Log& errors = {}) {
  return in_context(function,
                    [&] { return gpu_call(function, [&](Gpu& gpu) { load(gpu, module, image, errors); }); });
}

std::string bytes_of(const char* file) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  require(file != nullptr, "there is no name of a file");
  try {
    return heddle::read_file(file, heddle::Pipes::Refused, kMostBytes);
  } catch (const heddle::InputError& error) {
    throw Failure(cudaErrorFileNotFound, error.what());
  }
}

void unload(Gpu& gpu, CUmodule module) {
  CUmod_st& known = module_of(module);
  gpu.synchronize();
  heddle::cudart::Registry& registry = Process::get().registry;
  for (const auto& [name, function] : known.functions) {
    gpu.forget_kernel(function.get());
    registry.remove(function.get());
  }
  for (const auto& [name, variable] : known.variables) registry.remove(variable.get());
  gpu.forget(known.image);
  Process::get().modules.modules.erase(module);
}

/// A place in the registry for what has this name; made at the first call.
template <typename Add>
CUfunc_st* place_of(std::map<std::string, std::unique_ptr<CUfunc_st>>& known, CUmodule module,
                    const char* name, const Add& add) {
  std::unique_ptr<CUfunc_st>& place = known[name];
  if (!place) {
    place = std::make_unique<CUfunc_st>(CUfunc_st{module, name});
    add(place.get());
  }
  return place.get();
}

CUfunction function_in(Gpu& gpu, CUmodule module, const char* name) {
  CUmod_st& known = module_of(module);
  const std::vector<std::string> kernels = known.image.module(gpu.capability()).kernels();
  if (std::ranges::find(kernels, name) == kernels.end())
    throw Failure(cudaErrorSymbolNotFound, fmt::format("the module has no kernel '{}'", name));
  CUfunc_st* place = place_of(known.functions, module, name, [&](const void* key) {
    Process::get().registry.add_function(key, {&known.image, name});
  });
  gpu.kernel(place);  // what cannot be launched is told of now
  return place;
}

heddle::session::Symbol variable_in(Gpu& gpu, CUmodule module, const char* name) {
  CUmod_st& known = module_of(module);
  if (!gpu.device.symbol(gpu.load(known.image), name))
    throw Failure(cudaErrorSymbolNotFound, fmt::format("the module has no variable '{}'", name));
  return gpu.symbol(place_of(known.variables, module, name, [&](const void* key) {
    Process::get().registry.add_variable(key, {&known.image, name});
  }));
}

CUlinkState_st& link_of(CUlinkState state) {
  auto& known = Process::get().modules.links;
  const auto found = known.find(state);
  if (found == known.end()) throw Failure(cudaErrorInvalidResourceHandle, "there is no such linker");
  return *found->second;
}

/// Fat binaries say themselves how long they are.
void add_image(Gpu& gpu, CUlinkState state, CUjitInputType type, const void* data, std::size_t bytes) {
  require(data != nullptr && bytes != 0, "there is nothing to link");
  CUlinkState_st& link = link_of(state);
  if (type == CU_JIT_INPUT_PTX) {
    const std::string text(static_cast<const char*>(data), bytes);
    link.images.emplace_back(text.c_str());
  } else if (type == CU_JIT_INPUT_FATBINARY) {
    link.images.push_back(heddle::cudart::ptx_of({heddle::cudart::image_in_wrapper(data)}, gpu.capability()));
  } else {
    throw Failure(cudaErrorNoKernelImageForDevice, "PTX and fat binaries can be linked");
  }
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return in_context("cuModuleLoad", [&] {
    return gpu_call("cuModuleLoad", [&](Gpu& gpu) { load(gpu, module, bytes_of(file).c_str(), {}); });
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return loaded("cuModuleLoadData", module, image);
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options,
                            void** values) {
  const Log errors =
      log_of(count, options, values, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
  log_of(count, options, values, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES).write("");
  return loaded("cuModuleLoadDataEx", module, image, errors);
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return loaded("cuModuleLoadFatBinary", module, image);
}

CUresult cuModuleUnload(CUmodule module) {
  return in_context("cuModuleUnload",
                    [&] { return gpu_call("cuModuleUnload", [&](Gpu& gpu) { unload(gpu, module); }); });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return in_context("cuModuleGetFunction", [&] {
    return gpu_call("cuModuleGetFunction", [&](Gpu& gpu) {
      require(function != nullptr && name != nullptr, "there is no name, or no place for the function");
      *function = function_in(gpu, module, name);
    });
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
  return in_context("cuModuleGetGlobal", [&] {
    return gpu_call("cuModuleGetGlobal", [&](Gpu& gpu) {
      require(name != nullptr, "there is no name");
      const heddle::session::Symbol symbol = variable_in(gpu, module, name);
      if (pointer != nullptr) *pointer = symbol.pointer.address;
      if (bytes != nullptr) *bytes = symbol.bytes;
    });
  });
}

CUresult cuLinkCreate(unsigned int count, CUjit_option* options, void** values, CUlinkState* state) {
  for (const auto& [text, size] : {std::pair(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES),
                                   std::pair(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)})
    log_of(count, options, values, text, size).write("");
  return in_context("cuLinkCreate", [&] {
    return gpu_call("cuLinkCreate", [&](Gpu&) {
      require(state != nullptr, "there is no place for the linker");
      auto made = std::make_unique<CUlinkState_st>();
      *state = made.get();
      Process::get().modules.links.emplace(*state, std::move(made));
    });
  });
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t bytes, const char*,
                       unsigned int, CUjit_option*, void**) {
  return in_context("cuLinkAddData", [&] {
    return gpu_call("cuLinkAddData", [&](Gpu& gpu) { add_image(gpu, state, type, data, bytes); });
  });
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* file, unsigned int, CUjit_option*,
                       void**) {
  return in_context("cuLinkAddFile", [&] {
    return gpu_call("cuLinkAddFile", [&](Gpu& gpu) {
      const std::string bytes = bytes_of(file);
      add_image(gpu, state, type, bytes.data(), bytes.size());
    });
  });
}

// What comes out is PTX, which cuModuleLoadData takes.
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  return in_context("cuLinkComplete", [&] {
    return gpu_call("cuLinkComplete", [&](Gpu& gpu) {
      CUlinkState_st& link = link_of(state);
      std::vector<const void*> images;
      for (const std::string& each : link.images) images.push_back(each.c_str());
      require(!images.empty(), "there is nothing to link");
      link.linked = heddle::cudart::ptx_of(images, gpu.capability());
      if (image != nullptr) *image = link.linked.data();
      if (bytes != nullptr) *bytes = link.linked.size() + 1;
    });
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return in_context("cuLinkDestroy", [&] {
    return gpu_call("cuLinkDestroy", [&](Gpu&) {
      [[maybe_unused]] const CUlinkState_st& known = link_of(state);
      Process::get().modules.links.erase(state);
    });
  });
}
}

#include "tools/launch/launch_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "isa/text/assemble.h"
#include "sim/config/compute_capabilities.h"
#include "tools/launch/launch_reader.h"
#include "tools/launch/npy.h"

namespace heddle::launch {

const BufferInfo* LaunchFile::find_buffer(const std::string& name) const {
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const BufferInfo& buffer) { return buffer.name == name; });
  return found == buffers.end() ? nullptr : &*found;
}

std::optional<Number> LaunchFile::find_value(const std::string& name) const {
  const auto found =
      std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == name; });
  if (found == values.end()) return std::nullopt;
  return found->second;
}

LaunchOverrides for_gpu(LaunchOverrides overrides, const sim::GpuSpec& spec) {
  overrides.compute_capability =
      sim::compute_capability_number(spec.compute_capability, load::kUsualCapability);
  return overrides;
}

LaunchFile load_launch(const std::string& path, const LaunchOverrides& overrides, Contents contents) {
  if (std::optional<LaunchFile> file = LaunchReader(path, overrides, contents).read())
    return std::move(*file);
  return *LaunchReader(path, overrides, Contents::Filled).read();
}

KernelSource kernel_source(const std::string& path, const LaunchOverrides& overrides) {
  LaunchReader reader(path, overrides, Contents::Checked);
  reader.read();
  KernelSource source = reader.source();
  if (source.text.empty()) source.text = read_file(source.name);
  return source;
}

LaunchFile launch_of_text(const std::string& kernel, const std::string& name, Dim3 block) {
  std::vector<ir::Kernel> kernels = text::assemble(kernel, name);
  if (kernels.size() != 1 || !kernels.front().params.empty()) {
    throw InputError({name, 0, 0}, "must be one kernel without parameters");
  }
  LaunchFile file;
  file.path = name;
  file.launch.registers_per_thread = std::max(kernels.front().registers, 1U);
  file.launch.kernel = std::move(kernels.front());
  file.launch.grid = {1, 1, 1};
  file.launch.block = block;
  return file;
}

void save_buffer(const LaunchFile& file, const std::string& name, const std::string& path) {
  const BufferInfo* buffer = file.find_buffer(name);
  if (buffer == nullptr) {
    std::string names;
    for (const BufferInfo& other : file.buffers)
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", other.name);
    throw InputError({file.path, 0, 0}, fmt::format("there is no buffer '{}' to save; there are {}", name,
                                                    names.empty() ? "none" : names));
  }
  write_npy(path, buffer->type, file.memory.find(name)->bytes());
}

}  // namespace heddle::launch

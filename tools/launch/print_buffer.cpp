#include "tools/launch/print_buffer.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::launch {

std::string printed_elements(const LaunchFile& file, const std::string& name, std::uint64_t from,
                             std::uint64_t until) {
  const BufferInfo* buffer = file.find_buffer(name);
  if (buffer == nullptr)
    throw InputError({file.path, 0, 0}, fmt::format("there is no buffer '{}' to print", name));
  if (from >= buffer->count)
    throw InputError({file.path, 0, 0}, fmt::format("--print {}[{}:...]: the buffer has {} elements", name,
                                                    from, buffer->count));
  const std::uint64_t end = std::min(until, buffer->count);
  std::string text = fmt::format("{}[{}:{}] =", name, from, end);
  const auto bytes = file.memory.find(name)->bytes();
  for (std::uint64_t i = from; i < end; ++i)
    text += ' ' + to_text(load_element(buffer->type, bytes.data() + i * info(buffer->type).bytes));
  return text + '\n';
}

}  // namespace heddle::launch

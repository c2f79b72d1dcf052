#include "sim/session/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/types.h"
#include "sim/session/error.h"

namespace heddle::session {

namespace {

std::string_view name_of(Argument::Kind kind) {
  constexpr std::string_view kNames[] = {"an integer", "a float", "a pointer", "a structure"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(ir::ParamType type) {
  constexpr std::string_view kNames[] = {"u32", "s32", "f32", "u64", "a pointer"};
  return kNames[static_cast<std::size_t>(type)];
}

[[noreturn]] void refuse(const ir::Kernel& kernel, const std::string& what) {
  throw Error(ErrorKind::InvalidArguments, fmt::format("kernel {}: {}", kernel.name, what));
}

void require_count(const ir::Kernel& kernel, std::size_t parameters, std::size_t arguments) {
  if (parameters == arguments) return;
  refuse(kernel, fmt::format("it has {} parameters; {} arguments are given", parameters, arguments));
}

/// A float for a float, an integer for an integer or a pointer; a structure for whatever has its size.
bool fits(Argument::Kind kind, ir::ParamType type) {
  const bool is_float = type == ir::ParamType::F32;
  return kind == Argument::Kind::Structure || (kind == Argument::Kind::Float) == is_float;
}

void put(std::vector<std::byte>& bytes, std::uint64_t offset, const Argument& argument) {
  bytes.resize(std::max<std::size_t>(bytes.size(), offset + argument.bytes().size()));
  std::copy(argument.bytes().begin(), argument.bytes().end(),
            bytes.begin() + static_cast<std::ptrdiff_t>(offset));
}

std::vector<std::byte> named_parameters(const ir::Kernel& kernel, const Arguments& arguments) {
  require_count(kernel, kernel.params.size(), arguments.size());
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ir::Param& param = kernel.params[i];
    const Argument& argument = arguments[i];
    if (argument.bytes().size() != ir::size_of(param.type) || !fits(argument.kind(), param.type)) {
      refuse(kernel, fmt::format("parameter {} ('{}') is {} of {} bytes; the argument is {} of {}", i, param.name,
                                 name_of(param.type), ir::size_of(param.type), name_of(argument.kind()),
                                 argument.bytes().size()));
    }
    put(bytes, param.offset - kernel.param_base, argument);
  }
  return bytes;
}

/// The parameters of machine code, which says their sizes at most: arguments are laid out as C++ lays out members.
std::vector<std::byte> open_parameters(const ir::Kernel& kernel, const Arguments& arguments) {
  const std::vector<ir::ParamSlot>& slots = kernel.param_slots;
  if (!slots.empty()) require_count(kernel, slots.size(), arguments.size());
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (!slots.empty() && slots[i].bytes != argument.bytes().size()) {
      refuse(kernel, fmt::format("parameter {} has {} bytes; the argument has {}", i, slots[i].bytes,
                                 argument.bytes().size()));
    }
    put(bytes, slots.empty() ? round_up(bytes.size(), argument.alignment()) : slots[i].offset, argument);
  }
  return bytes;
}

}  // namespace

std::vector<std::byte> parameter_bytes(const ir::Kernel& kernel, const Arguments& arguments) {
  return kernel.has_open_params ? open_parameters(kernel, arguments) : named_parameters(kernel, arguments);
}

}  // namespace heddle::session

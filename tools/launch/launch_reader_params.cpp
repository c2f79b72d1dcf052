// The part of a launch file that gives parameters to disassembled kernels, which have no names for them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "isa/base/read_file.h"
#include "tools/cuda/declared_parameters.h"
#include "tools/cuda/kernel_file.h"
#include "tools/launch/launch_reader.h"

namespace heddle::launch {

namespace {

constexpr std::int64_t kLeastWord = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kGreatestWord = std::numeric_limits<std::uint32_t>::max();

ir::ParamType declared_type(ElementType type) {
  switch (type) {
    case ElementType::F32:
      return ir::ParamType::F32;
    case ElementType::S32:
      return ir::ParamType::S32;
    case ElementType::U32:
      return ir::ParamType::U32;
    default:
      return ir::ParamType::U64;
  }
}

OpenValue stored(ElementType type, Number number) {
  OpenValue value{std::vector<std::byte>(info(type).bytes), info(type).bytes, declared_type(type)};
  store_element(type, value.bytes.data(), number);
  return value;
}

/// The type of a plain number for a parameter of this many bytes; of 32 bits where nothing is known.
ElementType type_of(Number number, const WantedParam& wanted) {
  using Kind = load::Parameter::Kind;
  const auto whole = to_integer(number);
  const bool is_negative = whole && *whole < 0;
  const bool is_written_whole = std::holds_alternative<std::int64_t>(number);
  const bool is_integer = wanted.kind == Kind::Integer || (wanted.kind == Kind::Bytes && is_written_whole);
  switch (wanted.bytes) {
    case 1:
      return is_negative ? ElementType::S8 : ElementType::U8;
    case 2:
      return !is_integer ? ElementType::F16 : is_negative ? ElementType::S16 : ElementType::U16;
    case 8:
      return !is_integer ? ElementType::F64 : is_negative ? ElementType::S64 : ElementType::U64;
    default:
      return !is_integer ? ElementType::F32 : is_negative ? ElementType::S32 : ElementType::U32;
  }
}

/// "an integer of 32 bits"; empty where the kernel's text does not say it.
std::string meaning_of(const WantedParam& wanted) {
  switch (wanted.kind) {
    case load::Parameter::Kind::Integer:
      return fmt::format(", an integer of {} bits", 8 * wanted.bytes);
    case load::Parameter::Kind::Float:
      return fmt::format(", a float of {} bits", 8 * wanted.bytes);
    default:
      return {};
  }
}

std::string sizes_text(const std::vector<ir::ParamSlot>& slots) {
  std::string text;
  for (const ir::ParamSlot& slot : slots) text += fmt::format("{}{}", text.empty() ? "" : ", ", slot.bytes);
  return text;
}

}  // namespace

void LaunchReader::read_open_params(const sim::YamlValue& params) {
  ir::Kernel& kernel = file_.launch.kernel;
  const std::size_t problems_before = problems_.list().size();
  if (!params.is_map() && !params.is_list())
    return params.must_be(problems_, "a map of names and values, or a list of values");
  const std::vector<sim::YamlValue> values = params.items();
  const std::vector<ir::ParamSlot>& slots = kernel.param_slots;
  if (!slots.empty() && slots.size() != values.size()) {
    return params.error(problems_, fmt::format("the kernel has {} parameters, of {} bytes; here are {}",
                                               slots.size(), sizes_text(slots), values.size()));
  }
  OpenParams laid_out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const sim::YamlValue& value = values[i];
    const std::string name = value.key().empty() ? fmt::format("param_{}", i) : value.key();
    const sim::YamlValue* option = file_.find_value(name) ? nullptr : overrides_.find_param(name);
    const ir::ParamSlot* slot = slots.empty() ? nullptr : &slots[i];
    WantedParam wanted{i, slot == nullptr ? 0 : slot->bytes};
    if (i < parameters_.size()) wanted.kind = parameters_[i].kind;
    const auto read = read_open_value(option != nullptr ? *option : value, wanted);
    if (read) laid_out.add(name, *read, slot);
  }
  if (problems_.list().size() != problems_before) return;
  check_open_params(kernel, laid_out.bytes().size(), params.where(), problems_);
  file_.launch.params = laid_out.bytes();
  kernel.params = laid_out.declared(kernel.param_base);
  kernel.has_open_params = false;
  // Parameters are declared as whole words.
  file_.launch.params.resize((file_.launch.params.size() + 3) / 4 * 4);
}

/// " (parameter 2, 'n', an integer of 32 bits: k.cu:7)", counted from 1; empty where nothing is known of it.
std::string LaunchReader::declaration_of(const WantedParam& wanted) const {
  if (!wanted.index || *wanted.index >= parameters_.size()) return {};
  const ir::Kernel& kernel = file_.launch.kernel;
  std::string name, place;
  if (cuda::is_cuda_source(source_.name)) {  // the kernel's own file is the PTX that was made of it
    const auto declared = cuda::declared_parameters(read_file(source_.name, Pipes::Refused), kernel.name);
    if (declared.size() == parameters_.size()) {
      name = fmt::format(", '{}'", declared[*wanted.index].name);
      place = fmt::format(": {}:{}", source_.name, declared[*wanted.index].line);
    }
  } else if (kernel.file.ends_with(".ptx")) {
    place = fmt::format(": {}:{}", kernel.file, parameters_[*wanted.index].line);
  }
  return fmt::format(" (parameter {}{}{}{})", *wanted.index + 1, name, meaning_of(wanted), place);
}

std::optional<OpenValue> LaunchReader::read_open_value(const sim::YamlValue& value,
                                                       const WantedParam& wanted) {
  const auto read = read_plain_value(value, wanted);
  if (!read || wanted.bytes == 0 || read->bytes.size() == wanted.bytes) return read;
  value.error(problems_,
              fmt::format("{}the kernel has a parameter of {} bytes here, not of {}; a type is said so: "
                          "{{type: u64, value: 1}}, and a struct is a list of its members{}",
                          label(value), wanted.bytes, read->bytes.size(), declaration_of(wanted)));
  return std::nullopt;
}

/// Reads a buffer, a number, a number with a type, or a list of these.
std::optional<OpenValue> LaunchReader::read_plain_value(const sim::YamlValue& value,
                                                        const WantedParam& wanted) {
  if (value.is_map()) return read_typed_value(value);
  if (value.is_list()) return read_struct(value);
  const auto is_same = [&](const std::string& name) { return name == value.text(); };
  const bool is_broken = std::any_of(broken_buffers_.begin(), broken_buffers_.end(), is_same);
  if (value.is_scalar() && (file_.memory.find(value.text()) != nullptr || is_broken)) {
    const auto address = read_address(value);
    if (!address) return std::nullopt;
    OpenValue pointer{std::vector<std::byte>(sizeof *address), sizeof *address, ir::ParamType::Pointer};
    std::memcpy(pointer.bytes.data(), &*address, sizeof *address);
    return pointer;
  }
  return read_number(value, wanted);
}

std::optional<OpenValue> LaunchReader::read_number(const sim::YamlValue& value, const WantedParam& wanted) {
  const auto number = evaluator_.number(value);
  if (!number) return std::nullopt;
  const auto* whole = std::get_if<std::int64_t>(&*number);
  if (wanted.bytes == 0 && whole != nullptr && (*whole < kLeastWord || *whole > kGreatestWord)) {
    value.error(problems_, fmt::format("{}{} does not fit 32 bits; with its type: {{type: u64, value: {}}}",
                                       label(value), *whole, *whole));
    return std::nullopt;
  }
  const ElementType type = type_of(*number, wanted);
  const auto reason = misfit(type, *number);
  // Numbers of 64 bits are looked at as they are written.
  if (reason && !(type == ElementType::U64 && whole != nullptr)) {
    value.error(problems_,
                fmt::format("{}{} {}{}", label(value), to_text(*number), *reason, declaration_of(wanted)));
    return std::nullopt;
  }
  const auto fitting = evaluator_.element(value, type);
  return fitting ? std::optional(stored(type, *fitting)) : std::nullopt;
}

/// {type: f32, value: 1.5}, or short {f32: 1.5}.
std::optional<OpenValue> LaunchReader::read_typed_value(const sim::YamlValue& value) {
  const std::vector<sim::YamlValue> items = value.items();
  const auto short_type = items.size() == 1 ? find_element_type(items.front().key()) : std::nullopt;
  if (short_type) {
    const auto number = evaluator_.element(items.front(), *short_type);
    return number ? std::optional(stored(*short_type, *number)) : std::nullopt;
  }
  sim::YamlMap map(value, problems_);
  const auto type_name = map.require("type");
  const auto number = map.require("value");
  map.finish();
  if (!type_name || !number) return std::nullopt;
  const auto type = find_element_type(type_name->text());
  if (!type) {
    type_name->must_be(problems_, element_type_names());
    return std::nullopt;
  }
  const auto fitting = evaluator_.element(*number, *type);
  return fitting ? std::optional(stored(*type, *fitting)) : std::nullopt;
}

/// Lays members out as C++ does.
std::optional<OpenValue> LaunchReader::read_struct(const sim::YamlValue& value) {
  OpenParams members;
  OpenValue made;
  for (const sim::YamlValue& item : value.items()) {
    const auto member = read_plain_value(item, {});
    if (!member) return std::nullopt;
    members.add("", *member, nullptr);
    made.alignment = std::max(made.alignment, member->alignment);
  }
  made.bytes = members.bytes();
  made.bytes.resize((made.bytes.size() + made.alignment - 1) / made.alignment * made.alignment);
  made.type = ir::ParamType::U32;
  return made;
}

}  // namespace heddle::launch

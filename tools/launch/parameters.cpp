#include "tools/launch/parameters.h"

namespace heddle::launch {

ElementType element_type_of(ir::ParamType type) {
  switch (type) {
    case ir::ParamType::U32:
      return ElementType::U32;
    case ir::ParamType::S32:
      return ElementType::S32;
    case ir::ParamType::F32:
      return ElementType::F32;
    case ir::ParamType::U64:
    case ir::ParamType::Pointer:
      break;
  }
  return ElementType::U64;
}

std::vector<std::pair<std::string, std::string>> parameters_of(const LaunchFile& file) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const auto& [name, number] : file.values) parameters.emplace_back(name, to_text(number));
  for (const ir::Param& param : file.launch.kernel.params) {
    if (param.type == ir::ParamType::Pointer || file.find_value(param.name)) continue;
    const std::byte* place = &file.launch.params[param.offset - file.launch.kernel.param_base];
    parameters.emplace_back(param.name, element_text(element_type_of(param.type), place));
  }
  return parameters;
}

}  // namespace heddle::launch

#include "isa/lower/library.h"

namespace heddle::lower {

std::optional<std::string_view> library_function(const ptx::Instruction&) { return std::nullopt; }

const ptx::Module& library() {
  static const ptx::Module module =
      ptx::read_module(".version 8.0\n.target sm_80\n.address_size 64\n", "library.ptx");
  return module;
}

}  // namespace heddle::lower

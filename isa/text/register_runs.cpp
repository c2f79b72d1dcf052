#include "isa/text/register_runs.h"

#include <fmt/format.h>

#include "isa/ir/instruction.h"
#include "isa/text/mistakes.h"

namespace heddle::text {

namespace {

/// What registers are called, and where several can begin.
struct RegisterKind {
  std::string_view name;
  std::string_view prefix;
  unsigned last;
  unsigned alignment;
};

void check_run(const Token& at, std::uint8_t first, unsigned width, const RegisterKind& kind) {
  if (first % kind.alignment != 0) {
    fail(at, fmt::format("{} cannot begin {} {}; their first number must be a multiple of {}",
                         quoted(at.text), width, kind.name, kind.alignment));
  }
  if (first + width - 1 > kind.last) {
    fail(at, fmt::format("{} cannot begin {} {}; the last one is {}{}", quoted(at.text), width, kind.name,
                         kind.prefix, kind.last));
  }
}

}  // namespace

void check_registers(const Token& at, std::uint8_t first, unsigned width) {
  check_registers(at, first, width, width);
}

void check_registers(const Token& at, std::uint8_t first, unsigned width, unsigned alignment) {
  if (first != ir::kRegisterZero && width != 1)
    check_run(at, first, width, {"registers", "R", ir::kMaxRegister, alignment});
}

void check_uniforms(const Token& at, std::uint8_t first, unsigned width) {
  if (first != ir::kUniformZero && width != 1)
    check_run(at, first, width, {"uniform registers", "UR", ir::kMaxUniform, width});
}

}  // namespace heddle::text

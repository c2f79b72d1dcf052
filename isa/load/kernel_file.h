// Kernel files of every kind: SASS text, written for Heddle or printed by a disassembler, machine code, and PTX.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ir/instruction.h"
#include "isa/ir/module.h"
#include "isa/ptx/module.h"
#include "isa/text/assemble.h"

namespace heddle::load {

/// The compute capability, 80 of 8.0, that PTX is lowered for where no GPU says another one.
inline constexpr unsigned kUsualCapability = 80;

/// How PTX is lowered. Other kernel files are what they are.
struct Lowering {
  unsigned compute_capability = kUsualCapability;  ///< 80 of 8.0.
  unsigned most_registers = ir::kMaxRegister + 1U;
};

/// What PTX says of a kernel's parameter.
struct Parameter {
  /// What a number that is given for it becomes. Bytes: a structure, or a type without meaning, as .b32.
  enum class Kind : std::uint8_t { Bytes, Integer, Float };

  Kind kind = Kind::Bytes;
  std::uint32_t line = 0;  ///< Where the PTX declares it.
};

/// A kernel file that has been read. What makes kernels of it throws InputError with their mistakes.
class KernelFile {
 public:
  /// Throws InputError if the file cannot be read, has no kernel, or if its PTX has mistakes.
  static KernelFile from_file(const std::string& path);
  /// `name` stands for the file in messages, and its ending says what is in it where the text does not.
  static KernelFile from_text(const std::string& text, const std::string& name);

  /// The names of its kernels, for ir::find_entry. Kernels in PTX have no instructions yet.
  [[nodiscard]] const ir::Module& names() const { return names_; }
  /// The global and constant variables of PTX or machine code, as they are when it is loaded.
  [[nodiscard]] const std::vector<ir::Variable>& variables() const { return names_.variables; }

  /// Its instructions are those of a .cubin.
  [[nodiscard]] bool is_machine_code() const { return is_machine_code_; }

  /// The PTX text; null if the file is no PTX.
  [[nodiscard]] const std::string* ptx() const { return ptx_ ? &ptx_text_ : nullptr; }

  /// The parameters of the kernel with this index in names(), in order; none if the file is no PTX.
  [[nodiscard]] std::vector<Parameter> parameters(std::size_t index) const;

  /// The kernel with this index in names().
  [[nodiscard]] ir::Kernel kernel(std::size_t index, const Lowering& lowering) const;

  /// The kernel that ir::find_entry finds. If there is none, the message says that `option` chooses a kernel.
  [[nodiscard]] ir::Kernel choose(const std::optional<std::string>& wanted, std::string_view option,
                                  const Lowering& lowering) const;

  /// All kernels. If only some have mistakes, the message says which cannot be run, and that `option` chooses
  /// another.
  [[nodiscard]] std::vector<ir::Kernel> all(std::string_view option, const Lowering& lowering) const;

 private:
  KernelFile() = default;

  ir::Module names_;
  std::optional<text::ModuleText> text_;
  std::shared_ptr<const ptx::Module> ptx_;
  std::string ptx_text_;
  bool is_machine_code_ = false;
};

}  // namespace heddle::load

// Kernels from a file or from text, ready to be launched on any device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ir/kernel.h"

namespace heddle::session {

/// What a file holds: kernels in Heddle's form, what `cuobjdump -sass` and `nvdisasm` print, machine code, or
/// PTX. Cheap to copy.
class Module {
 public:
  /// Throws InputError if the file cannot be read or has no kernel.
  static Module from_file(const std::string& path);
  /// `name` stands for the file in messages. Throws InputError likewise.
  static Module from_text(std::string_view text, const std::string& name = "text");

  /// In the order of the text.
  [[nodiscard]] std::vector<std::string> kernels() const;
  /// The kernel of this name, as the compiler or as the programmer wrote it; without a name the only one. Throws
  /// InputError with all mistakes of its text, or if there is no such kernel, with the names that there are. PTX is
  /// lowered for the compute capability, 80 of 8.0.
  [[nodiscard]] ir::Kernel kernel(const std::optional<std::string>& name = {}, unsigned compute_capability = 80) const;

  /// The source files of PTX, which ir::SourcePlace counts.
  [[nodiscard]] const std::vector<std::string>& source_files() const;

  /// The global and constant variables of PTX or machine code. A device that loads the module has them in its
  /// memory.
  [[nodiscard]] const std::vector<ir::Variable>& variables() const;

 private:
  struct Contents;
  explicit Module(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

  std::shared_ptr<const Contents> contents_;
};

}  // namespace heddle::session

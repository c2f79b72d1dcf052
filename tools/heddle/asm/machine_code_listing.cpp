#include <utility>

#include "isa/cubin/listing.h"
#include "isa/ir/module.h"
#include "isa/text/kernel_choice.h"
#include "tools/heddle/asm/asm_listing.h"

namespace heddle::command {

namespace {

/// Leaves the function that the name chooses.
void keep_chosen(cubin::Image& image, const std::string& file, const std::string& entry) {
  ir::Module names;
  names.file = file;
  for (const cubin::Function& function : image.functions) {
    ir::Kernel& kernel = names.functions.emplace_back();
    kernel.name = function.name;
    kernel.is_entry = function.is_entry;
    kernel.compute_capability = image.capability;
  }
  cubin::Function chosen = std::move(image.functions[text::chosen_entry(names, entry, "--entry")]);
  image.functions.clear();
  image.functions.push_back(std::move(chosen));
}

}  // namespace

bool is_machine_code(std::string_view bytes) { return cubin::is_cubin(bytes); }

std::string machine_code_as_text(std::string_view bytes, const std::string& file,
                                 const std::optional<std::string>& entry) {
  cubin::Image image = cubin::read_image(bytes, file);
  if (entry) keep_chosen(image, file, *entry);
  cubin::Listing listing = cubin::list_image(image, file);
  Diagnostics unknown;
  for (const auto& mistakes : listing.mistakes)
    for (const Diagnostic& mistake : mistakes) unknown.add(mistake);
  unknown.throw_if_any();
  return std::move(listing.text);
}

}  // namespace heddle::command

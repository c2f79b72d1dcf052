#include "tools/heddle/base/source_file.h"

#include <filesystem>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"

namespace heddle::command {

report::SourceText source_file(const std::string& name, const std::string& standard_input) {
  if (!standard_input.empty() && std::filesystem::path(name).filename() == "<stdin>")
    return report::source_text("<stdin>", standard_input);
  try {
    return report::source_text(name, read_file(name));
  } catch (const InputError&) {
    return {name, {}};
  }
}

}  // namespace heddle::command

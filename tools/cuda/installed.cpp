#include "tools/cuda/installed.h"

#include <fmt/format.h>

#include <filesystem>

#include "isa/base/diagnostic.h"

namespace heddle::cuda {

std::string installed_file(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path here = fs::read_symlink("/proc/self/exe", failure).parent_path();
  for (const fs::path& folder :
       {here, here / "lib", here.parent_path() / HEDDLE_LIBRARY_FOLDER, here.parent_path() / "lib"})
    if (fs::exists(folder / name, failure)) return (folder / name).string();
  throw InputError({here.string(), 0, 0}, fmt::format("Heddle's runtime library, {}, is not there", name));
}

}  // namespace heddle::cuda

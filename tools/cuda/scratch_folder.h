// A folder for the files of one compilation.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "isa/base/diagnostic.h"

namespace heddle::cuda {

/// A new folder, which goes with the object. Throws InputError if it cannot be made.
class ScratchFolder {
 public:
  ScratchFolder() : path_((std::filesystem::temp_directory_path() / "heddle-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw InputError({path_, 0, 0}, "a folder for the compiler's output cannot be made");
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace heddle::cuda

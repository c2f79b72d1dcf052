// A folder for one test case, gone afterwards, with the files that launches need.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle::launch {

/// A kernel with a parameter of each type; uses 4 registers.
inline constexpr std::string_view kScaleKernel = R"(.kernel scale
.param data ptr
.param n u32
.param shift s32
.param factor f32
.param big u64
    S2R R0, SR_TID.X
    ISETP.GE.U32.AND P0, PT, R0, c[n], PT
@P0 EXIT
    IMAD.WIDE.U32 R2, R0, 0x4, c[data]
    LDG.E R1, [R2.64]
    FMUL R1, R1, c[factor]
    STG.E [R2.64], R1
    EXIT
)";

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "heddle_launch_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
    write("scale.sass", kScaleKernel);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// The file's path.
  std::string write(const std::string& name, std::string_view contents) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    return path(name);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

  [[nodiscard]] std::size_t files() const {
    const std::filesystem::directory_iterator all(path_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle::launch

#include "tools/cuda/clang_arguments.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string_view>

#include "isa/base/read_file.h"

namespace heddle::cuda {

namespace {

namespace fs = std::filesystem;

/// "c++17" of "17", "c++17" and "-std=c++17".
std::string standard_name(std::string standard) {
  if (standard.starts_with("-std=")) standard.erase(0, 5);
  const bool is_number = !standard.empty() && standard.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? "c++" + standard : standard;
}

/// Whether texture<...> stands there, between words and blanks: not in a name, and no comparison.
bool has_texture_template(std::string_view text) {
  constexpr std::string_view kName = "texture";
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(kName); at != std::string_view::npos; at = text.find(kName, at + 1)) {
    const std::size_t open = text.find_first_not_of(" \t", at + kName.size());
    if (open == std::string_view::npos || text[open] != '<' || (at > 0 && is_word(text[at - 1]))) continue;
    const std::size_t end = text.find_first_not_of(
        " \t:_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", open + 1);
    if (end != std::string_view::npos && end > open + 1 && (text[end] == ',' || text[end] == '>'))
      return true;
  }
  return false;
}

/// The same of a file and of those that it includes in quotes and that lie beside it. Names of CUDA 11 that
/// CUDA 12 has no more are a program's own unless it uses them as CUDA's.
bool names_texture_references(const fs::path& path, std::set<fs::path>& seen) {
  std::error_code failure;
  const fs::path file = fs::weakly_canonical(path, failure);
  if (failure || !fs::is_regular_file(file, failure) || !seen.insert(file).second) return false;
  const std::string text = read_file(file.string());
  if (has_texture_template(text)) return true;
  static const std::regex kInclude(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*"([^"\n]+)")re");
  for (std::sregex_iterator each(text.begin(), text.end(), kInclude), end; each != end; ++each)
    if (names_texture_references(path.parent_path() / (*each)[1].str(), seen)) return true;
  return false;
}

bool names_texture_references(const std::string& path) {
  std::set<fs::path> seen;
  return names_texture_references(path, seen);
}

}  // namespace

Arguments source_arguments(const std::string& path, const CompileOptions& options) {
  const fs::path folder = fs::path(path).parent_path();
  Arguments arguments = {"-std=" + standard_name(options.standard), "-I",
                         folder.empty() ? "." : folder.string()};
  for (const std::string& directory : options.include_directories)
    arguments.insert(arguments.end(), {"-I", directory});
  if (options.is_preprocessed) return arguments;
  for (const std::string& define : options.defines) arguments.insert(arguments.end(), {"-D", define});
  return arguments;
}

Arguments clang_language(const Compiler& compiler, const std::string& path, const CompileOptions& options) {
  Arguments arguments = {compiler.path,
                         "-x",
                         "cuda",
                         "--cuda-path=/nonexistent",
                         "-nocudainc",
                         "-nocudalib",
                         "-Wno-unknown-cuda-version",
                         "-Wno-register"};  // An error in C++17; nvcc takes the word.
  arguments.push_back(
      fmt::format("--cuda-gpu-arch=sm_{}", architecture_for(compiler, options.compute_capability)));
  // Without a version, clang compiles <<<>>> to the calls of CUDA 8.
  arguments.insert(arguments.end(), {"-Xclang", "-target-sdk-version=11.5", "-I", header_folder(options)});
  // libcu++ declares such functions to ask for types, and calls none.
  arguments.insert(arguments.end(), {"-Xclang", "-fcuda-allow-variadic-functions"});
  if (!options.is_preprocessed) {
    arguments.insert(arguments.end(), {"-include", "cuda_runtime.h"});
    if (names_texture_references(path)) arguments.emplace_back("-DHEDDLE_TEXTURE_REFERENCES");
  }
  for (std::string& argument : source_arguments(path, options)) arguments.push_back(std::move(argument));
  arguments.insert(arguments.end(), options.more_arguments.begin(), options.more_arguments.end());
  return arguments;
}

}  // namespace heddle::cuda

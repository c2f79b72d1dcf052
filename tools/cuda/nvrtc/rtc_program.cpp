#include "tools/cuda/nvrtc/rtc_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "isa/base/diagnostic.h"
#include "isa/base/read_number.h"
#include "tools/cuda/scratch_folder.h"

/// Where the GPU files were when heddle cuda linked the program; CUDA's headers lie beside them.
extern "C" __attribute__((weak)) const char heddle_program_configs[];

namespace heddle::nvrtc {

namespace {

namespace fs = std::filesystem;

/// Variables that begin with the address of what an expression names: the compiler writes its name there, and
/// makes a kernel of the template that is named.
constexpr std::string_view kNameVariable = "__heddle_name_";

void write(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw InputError({path, 0, 0}, "the file cannot be written");
}

bool is_inside(const std::string& name) {
  const fs::path path(name);
  return !name.empty() && path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
}

/// The compiler's messages name files as the program does.
std::string without_folder(std::string text, const std::string& folder) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
    text.erase(at, folder.size());
  return text;
}

/// "scale" of "... .u64 __heddle_name_0 = scale;", and of "= generic(scale);".
std::string address_in(std::string_view line) {
  constexpr std::string_view kGeneric = "generic(";
  std::string_view address = line.substr(line.find('=') + 1);
  address.remove_prefix(std::min(address.find_first_not_of(' '), address.size()));
  if (address.starts_with(kGeneric)) address.remove_prefix(kGeneric.size());
  return std::string(address.substr(0, address.find_first_of("+);")));
}

}  // namespace

std::string RtcProgram::whole_source(bool is_for_device) const {
  std::string text = "#include <assert.h>\n";  // NVRTC has it without a header
  if (is_for_device) text += "#pragma clang force_cuda_host_device begin\n";
  text += fmt::format("#line 1 \"{}\"\n{}\n", name_, source_);
  if (is_for_device) text += "#pragma clang force_cuda_host_device end\n";
  std::size_t number = 0;
  for (const auto& [expression, name] : lowered_)
    text += fmt::format(
        "#line 1 \"name expression\"\nextern \"C\" __device__ const void* {}{} = (const void*)({});\n",
        kNameVariable, number++, expression);
  return text;
}

std::string RtcProgram::without_names(const std::string& ptx) {
  std::string rest;
  for (std::size_t begin = 0; begin < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', begin), ptx.size());
    const std::string_view line = std::string_view(ptx).substr(begin, end - begin);
    begin = end + 1;
    const std::size_t at = line.find(kNameVariable);
    if (at == std::string_view::npos) {
      rest.append(line) += '\n';
      continue;
    }
    const std::string_view behind = line.substr(at + kNameVariable.size());
    const auto number = number_in<std::size_t>(behind.substr(0, behind.find_first_not_of("0123456789")));
    if (number && *number < lowered_.size())
      std::next(lowered_.begin(), static_cast<std::ptrdiff_t>(*number))->second = address_in(line);
  }
  return rest;
}

Outcome RtcProgram::compile(std::span<const char* const> words) {
  was_compiled_ = true;
  ptx_.reset();
  log_.clear();
  RtcOptions options;
  try {
    options = read_options(words);
  } catch (const OptionError& error) {
    log_ = fmt::format("{}\n", error.what());
    return Outcome::WrongOption;
  }
  const cuda::ScratchFolder scratch;
  const std::string folder = scratch.file("");
  for (const Header& header : headers_) {
    if (!is_inside(header.name))
      throw InputError({header.name, 0, 0},
                       "a header's name must lead to no other folder than the program's");
    write(folder + header.name, header.text);
  }
  const std::string path = scratch.file("heddle_nvrtc_program.cu");
  write(path, whole_source(options.is_for_device));
  options.code.defines.emplace_back("__CUDACC_RTC__");
  options.code.is_cached = false;
  if (heddle_program_configs != nullptr) options.code.configs_directory = heddle_program_configs;
  try {
    const cuda::CompiledPtx made = cuda::compile_cuda(path, options.code);
    log_ = without_folder(made.warnings, folder);
    ptx_ = without_names(made.text);
    return Outcome::Compiled;
  } catch (const cuda::CompileError& error) {
    log_ = without_folder(error.what(), folder);
    return Outcome::Refused;
  }
}

const std::string* RtcProgram::lowered_name(const std::string& expression) const {
  const auto found = lowered_.find(expression);
  return found == lowered_.end() || found->second.empty() ? nullptr : &found->second;
}

}  // namespace heddle::nvrtc

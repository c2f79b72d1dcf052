#include "tools/cuda/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "isa/base/read_file.h"
#include "sim/config/load.h"
#include "tools/cuda/clang_arguments.h"
#include "tools/cuda/installed.h"
#include "tools/cuda/kernel_file.h"
#include "tools/cuda/process.h"
#include "tools/cuda/scratch_folder.h"

namespace heddle::cuda {

namespace {

namespace fs = std::filesystem;

/// What Heddle's runtime needs besides.
constexpr std::array kLibraries = {"-lyaml-cpp", "-lfmt", "-lhwy",    "-lzstd",  "-llz4",
                                   "-llzma",     "-lz",   "-liberty", "-pthread"};

/// Parts of NVIDIA's runtime, in whose place Heddle's stands.
constexpr std::array kReplacedLibraries = {"-lcudart",    "-lcudart_static", "-lcuda",
                                           "-lcudadevrt", "-lcublas",        "-lcublasLt",
                                           "-lnvrtc",     "-lnvrtc_static",  "-lnvrtc-builtins_static"};

void append(Arguments& to, const Arguments& from) { to.insert(to.end(), from.begin(), from.end()); }

bool ends_in_one_of(const std::string& path, std::initializer_list<const char*> endings) {
  return std::ranges::any_of(endings, [&](const char* ending) { return path.ends_with(ending); });
}

bool is_host_source(const std::string& path) {
  return ends_in_one_of(path, {".cpp", ".cc", ".cxx", ".C", ".c"});
}

/// Makes one program of several files.
class Driver {
 public:
  explicit Driver(const ProgramOptions& options)
      : options_(options), compiler_(find_compiler(options.code.compiler)) {
    if (compiler_.kind != Compiler::Kind::Clang)
      throw InputError({},
                       fmt::format("programs are made by clang {} or newer (apt install clang); {} is none",
                                   kOldestClang, compiler_.path));
  }

  std::string build() {
    Arguments linked;
    for (const std::string& input : options_.inputs) {
      if (options_.device_code_ending.empty()) {
        linked.push_back(object_of(input));
      } else {
        write_device_code(input);
      }
    }
    if (!linked.empty() && !options_.is_compiled_only) link(linked);
    return std::move(warnings_);
  }

 private:
  [[nodiscard]] bool is_cuda(const std::string& input) const {
    return is_cuda_source(input) || (options_.are_all_cuda && is_host_source(input));
  }

  /// What is linked: the file itself if it is not compiled.
  std::string object_of(const std::string& input) {
    open_file(input);
    if (!is_cuda_source(input) && !is_host_source(input)) return input;
    std::string made = scratch_.file(fmt::format("{}.o", objects_++).c_str());
    if (is_cuda(input)) {
      compile_cuda_host(input, made);
    } else {
      run(input, host_arguments(input), {"-c", input}, made);
    }
    if (options_.is_compiled_only) keep(made, made_name(input, ".o"));
    return made;
  }

  /// What the file is called that is made of this one.
  [[nodiscard]] std::string made_name(const std::string& input, const std::string& ending) const {
    if (!options_.output.empty()) return options_.output;
    return fs::path(input).filename().replace_extension(ending).string();
  }

  void write_device_code(const std::string& input) {
    if (!is_cuda(input)) throw InputError({input, 0, 0}, "it has no device code: its name must end in .cu");
    const CompiledPtx ptx = compile_cuda(input, options_.code);
    warnings_ += ptx.warnings;
    const std::string made = scratch_.file("device_code");
    std::ofstream(made) << ptx.text;
    keep(made, made_name(input, options_.device_code_ending));
  }

  /// The host half, with the device half in it.
  void compile_cuda_host(const std::string& input, const std::string& made) {
    const CompiledPtx ptx = compile_cuda(input, options_.code);
    warnings_ += ptx.warnings;
    const std::string image = scratch_.file("image.ptx");
    // The runtime reads the text up to a zero, which not every version of clang puts behind it.
    std::ofstream(image) << ptx.text << '\0';
    Arguments more = {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", image};
    append(more, options_.host_arguments);
    Arguments arguments = clang_language(compiler_, input, options_.code);
    append(arguments, more);
    std::string source = input;
    if (ptx.is_changed) {
      if (const auto text = preprocessed_for_clang(compiler_, input, arguments)) {
        source = scratch_.file("host.cu");
        std::ofstream(source) << *text;
        CompileOptions preprocessed = options_.code;
        preprocessed.is_preprocessed = true;
        arguments = clang_language(compiler_, input, preprocessed);
        append(arguments, more);
      }
    }
    run(input, arguments, {"-c", source}, made);
  }

  [[nodiscard]] Arguments host_arguments(const std::string& input) const {
    const bool is_c = input.ends_with(".c");
    Arguments arguments = {compiler_.path, "-x", is_c ? "c" : "c++"};
    for (const std::string& argument : source_arguments(input, options_.code))
      if (!is_c || !argument.starts_with("-std=")) arguments.push_back(argument);
    append(arguments, {"-I", header_folder(options_.code)});
    append(arguments, options_.host_arguments);
    return arguments;
  }

  /// Says where the GPU files are: the program may lie anywhere.
  std::string configs_object() {
    const std::string source = scratch_.file("configs.cpp");
    std::string object = scratch_.file("configs.o");
    std::ofstream(source) << fmt::format("extern \"C\" const char heddle_program_configs[] = R\"({})\";\n",
                                         fs::absolute(sim::default_configs_directory()).string());
    run(options_.inputs.front(), {compiler_.path, "-x", "c++"}, {"-c", source}, object);
    return object;
  }

  void link(const Arguments& objects) {
    Arguments arguments = {compiler_.path};
    append(arguments, options_.host_arguments);
    append(arguments, objects);
    for (const std::string& argument : options_.link_arguments)
      if (std::ranges::find(kReplacedLibraries, argument) == kReplacedLibraries.end())
        arguments.push_back(argument);
    const auto asks_for = [&](const char* library) {
      return std::ranges::find(options_.link_arguments, library) != options_.link_arguments.end();
    };
    arguments.push_back(configs_object());
    if (asks_for("-lnvrtc") || asks_for("-lnvrtc_static"))
      append(arguments, {installed_file("libheddle_nvrtc.a"), "-lcrypto"});
    arguments.push_back(runtime_library());
    arguments.insert(arguments.end(), kLibraries.begin(), kLibraries.end());
    const std::string made = scratch_.file("program");
    run(options_.inputs.front(), arguments, {}, made);
    keep(made, options_.output.empty() ? "a.out" : options_.output);
  }

  void run(const std::string& input, Arguments arguments, const Arguments& action,
           const std::string& output) {
    append(arguments, action);
    append(arguments, {"-o", output});
    const FinishedProgram finished = run_program(arguments);
    if (finished.exit_code != 0)
      throw CompileError(input, compiler_, finished.errors.empty() ? finished.output : finished.errors);
    warnings_ += finished.errors;
  }

  /// Puts a file that is whole where it was asked for.
  static void keep(const std::string& made, const std::string& wanted) {
    const fs::path beside = wanted + ".heddle-new";
    std::error_code failure;
    fs::copy_file(made, beside, fs::copy_options::overwrite_existing, failure);
    if (!failure) fs::rename(beside, wanted, failure);
    if (failure)
      throw InputError({wanted, 0, 0}, fmt::format("the file cannot be written: {}", failure.message()));
  }

  const ProgramOptions& options_;
  Compiler compiler_;
  ScratchFolder scratch_;
  unsigned objects_ = 0;
  std::string warnings_;
};

}  // namespace

std::string build_program(const ProgramOptions& options) { return Driver(options).build(); }

std::string runtime_library() { return installed_file("libheddle_cudart.a"); }

}  // namespace heddle::cuda

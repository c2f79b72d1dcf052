#include "tools/heddle/cuda/nvcc_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "isa/base/read_number.h"
#include "sim/config/compute_capabilities.h"

namespace heddle::command {

namespace {

/// An option with a long name. `also` is another name of nvcc's for it.
struct LongOption {
  std::string_view name;
  std::string_view also;
  const char* value;  ///< As the help shows it; null: it has none.
  const char* help;
};

constexpr LongOption kOptions[] = {
    {"std", "std", "c++17", "the version of C++; c++17 if not given"},
    {"arch", "gpu-architecture", "sm_80",
     "the GPU whose instructions may be used; otherwise all that clang knows"},
    {"code", "gpu-code", "sm_80", "the same"},
    {"gencode", "generate-code", "arch=compute_80,code=sm_80", "the same; the newest counts"},
    {"lineinfo", "generate-line-info", nullptr, "lines of the source, which are always there"},
    {"ptx", "ptx", nullptr, "makes PTX of the device code of each file, and nothing else"},
    {"fatbin", "fatbin", nullptr, "the same, in a file called .fatbin, which cuModuleLoad takes, too"},
    {"use_fast_math", "use-fast-math", nullptr, "approximate functions, no denormals"},
    {"fmad", "fmad", "true|false", "whether products are added without rounding between; true if not given"},
    {"x", "x", "cu", "all sources are CUDA C++, whatever their names end in"},
    {"isystem", "system-include", "FOLDER", "looks for headers there, too"},
    {"Xcompiler", "compiler-options", "OPTION,...", "options of the host's compiler"},
    {"Xlinker", "linker-options", "OPTION,...", "options of the linker"},
    {"rdc", "relocatable-device-code", "true|false",
     "taken and without effect: device code can call functions of other files"},
    {"cudart", "cudart", "shared|static|none", "taken and without effect: Heddle's runtime is shared"},
    {"ccbin", "compiler-bindir", "PROGRAM", "taken and without effect: clang compiles host code"},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", nullptr, "is always so"},
    {"expt-extended-lambda", "extended-lambda", nullptr, "is always so"},
    {"diag-suppress", "diag-suppress", "N,...", "taken and without effect"},
    {"Xptxas", "ptxas-options", "OPTION,...", "taken and without effect: there is no ptxas"},
    {"maxrregcount", "maxrregcount", "N", "taken and without effect"},
    {"threads", "threads", "N", "taken and without effect"},
    {"default-stream", "default-stream", "legacy|per-thread",
     "taken and without effect: the default stream is the legacy one, which waits for all others"},
    {"ftz", "ftz", "true|false", "taken and without effect: only --use_fast_math flushes denormals"},
    {"prec-div", "prec-div", "true|false",
     "taken and without effect: only --use_fast_math rounds quotients less exactly"},
    {"prec-sqrt", "prec-sqrt", "true|false", "the same of roots"},
    {"restrict", "restrict", nullptr, "taken and without effect"},
    {"resource-usage", "res-usage", nullptr, "taken and without effect: see heddle occupancy"},
    {"keep", "save-temps", nullptr, "taken and without effect"},
    {"m64", "m64", nullptr, "is always so"},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", nullptr, "taken and without effect"},
    {"extra-device-vectorization", "extra-device-vectorization", nullptr, "taken and without effect"},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", nullptr,
     "taken and without effect: an unknown option is refused"},
    {"compiler", "compiler", "PROGRAM",
     "clang 14 or newer; otherwise $HEDDLE_CUDA_COMPILER, or the newest that is found"},
};

const LongOption* find_long(std::string_view word) {
  const auto* found = std::ranges::find_if(
      kOptions, [word](const LongOption& option) { return word == option.name || word == option.also; });
  return found == std::end(kOptions) ? nullptr : found;
}

/// The options between commas.
std::vector<std::string> split(const std::vector<std::string>& lists) {
  std::vector<std::string> all;
  for (const std::string& list : lists) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (end > begin) all.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return all;
}

/// 80 of "sm_80", "compute_80" and "arch=compute_80,code=sm_80"; the newest that a compiler knows of "native"
/// and "all".
std::optional<unsigned> capability_of(const std::string& text) {
  const std::size_t number = text.find('_');
  if (number == std::string::npos) return std::nullopt;
  const std::string digits =
      text.substr(number + 1, text.find_first_not_of("0123456789", number + 1) - number - 1);
  return number_in<unsigned>(digits);
}

unsigned newest_capability(const OptionValues& values) {
  constexpr unsigned kUnlessGiven = 90;
  std::vector<std::string> all = list_of(values, "gencode");
  for (const char* option : {"arch", "code"}) {
    const std::vector<std::string> more = split(list_of(values, option));
    all.insert(all.end(), more.begin(), more.end());
  }
  unsigned newest = 0;
  for (const std::string& each : all) newest = std::max(newest, capability_of(each).value_or(kUnlessGiven));
  return newest == 0 ? kUnlessGiven : newest;
}

/// What an option said that can be given several times: the last counts.
std::optional<std::string> last_of(const OptionValues& values, const char* option) {
  const std::vector<std::string> all = list_of(values, option);
  return all.empty() ? std::optional<std::string>() : all.back();
}

/// Makefiles give flags twice, when they compile and when they link.
auto* flag() { return boost::program_options::value<std::vector<std::string>>()->zero_tokens(); }

/// A value whose words the help lists is one of them.
void check_words(const OptionValues& values) {
  for (const LongOption& option : kOptions) {
    const std::string words = fmt::format("|{}|", option.value == nullptr ? "" : option.value);
    if (words.find('|', 1) == words.size() - 1) continue;
    for (const std::string& given : list_of(values, std::string(option.name).c_str()))
      if (given.empty() || words.find(fmt::format("|{}|", given)) == std::string::npos)
        throw UsageError(fmt::format("-{} takes {}, not '{}'", option.name, option.value, given));
  }
}

unsigned device_optimization(const OptionValues& values) {
  constexpr unsigned kMost = 3;
  const auto level = last_of(values, "optimize");
  const auto number = level ? number_in<unsigned>(*level) : kMost;
  return number ? std::min(*number, kMost) : kMost;
}

std::vector<std::string> with_prefix(const char* prefix, const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words) all.push_back(prefix + word);
  return all;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void add_nvcc_options(Syntax& syntax) {
  auto add = syntax.options.add_options();
  add("output,o", text_option("FILE"), "the program, or the object; a.out if not given");
  add("compile,c", flag(), "makes objects, which heddle cuda links");
  add("dc", flag(), "the same");
  add("define,D", list_option("NAME[=VALUE]"), "defines a macro");
  add("undefine,U", list_option("NAME"), "makes it undefined");
  add("include,I", list_option("FOLDER"), "looks for headers there too");
  add("optimize,O", list_option("0|1|2|3"), "of host code and device code; 3 of device code if not given");
  add("debug,g", flag(), "what debuggers need of host code");
  add("device-debug,G", flag(), "the same");
  add("disable-warnings,w", flag(), "no warnings");
  add("library,l", list_option("NAME"), "links a library");
  add("library-path,L", list_option("FOLDER"), "looks for libraries there too");
  for (const LongOption& option : kOptions) {
    const std::string name(option.name);
    if (option.value != nullptr) {
      add(name.c_str(), list_option(option.value), option.help);
    } else {
      add(name.c_str(), flag(), option.help);
    }
  }
}

Arguments as_long_options(const Arguments& arguments) {
  Arguments result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const std::size_t name = argument.find_first_not_of('-');
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const bool is_dashed = name == 1 || name == 2;
    const LongOption* option =
        is_dashed ? find_long(std::string_view(argument).substr(name, equals - name)) : nullptr;
    if (option == nullptr) {
      result.push_back(argument == "-dc" ? "--dc" : argument);
    } else if (option->value == nullptr) {
      result.push_back(fmt::format("--{}", option->name));
    } else if (equals < argument.size()) {
      result.push_back(fmt::format("--{}{}", option->name, argument.substr(equals)));
    } else if (++i < arguments.size()) {
      result.push_back(fmt::format("--{}={}", option->name, arguments[i]));
    } else {
      throw UsageError(fmt::format("{} has no value", argument));
    }
  }
  return result;
}

cuda::ProgramOptions program_options_of(const OptionValues& values) {
  cuda::ProgramOptions options;
  options.inputs = list_of(values, "file");
  if (options.inputs.empty()) throw UsageError("there is no file to compile");
  check_words(values);
  options.output = text_of(values, "output").value_or("");
  options.is_compiled_only = values.count("compile") != 0 || values.count("dc") != 0;
  if (values.count("ptx") != 0) options.device_code_ending = ".ptx";
  if (values.count("fatbin") != 0) options.device_code_ending = ".fatbin";
  const bool makes_parts = options.is_compiled_only || !options.device_code_ending.empty();
  if (makes_parts && !options.output.empty() && options.inputs.size() > 1)
    throw UsageError("-o names one object, and there are several files to compile");
  options.code.compiler = last_of(values, "compiler");
  options.code.defines = list_of(values, "define");
  options.code.include_directories = list_of(values, "include");
  append(options.code.include_directories, list_of(values, "isystem"));
  if (const auto language = last_of(values, "x")) {
    if (*language != "cu") throw UsageError(fmt::format("-x takes cu, not '{}'", *language));
    options.are_all_cuda = true;
  }
  if (last_of(values, "fmad") == "false") options.code.more_arguments.emplace_back("-ffp-contract=off");
  options.code.standard = last_of(values, "std").value_or(options.code.standard);
  options.code.optimization = device_optimization(values);
  options.code.compute_capability = newest_capability(values);
  options.code.fast_math = values.count("use_fast_math") != 0;
  if (const auto level = last_of(values, "optimize")) options.host_arguments.push_back("-O" + *level);
  if (values.count("debug") + values.count("device-debug") != 0) options.host_arguments.emplace_back("-g");
  if (values.count("disable-warnings") != 0) options.host_arguments.emplace_back("-w");
  append(options.host_arguments, with_prefix("-U", list_of(values, "undefine")));
  append(options.host_arguments, split(list_of(values, "Xcompiler")));
  append(options.link_arguments, with_prefix("-L", list_of(values, "library-path")));
  append(options.link_arguments, with_prefix("-l", list_of(values, "library")));
  append(options.link_arguments, with_prefix("-Wl,", list_of(values, "Xlinker")));
  return options;
}

}  // namespace heddle::command

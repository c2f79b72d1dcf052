#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "isa/base/diagnostic.h"
#include "isa/base/new_file.h"
#include "sim/config/load.h"
#include "tools/conditions/fail_condition.h"
#include "tools/cuda/process.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/cuda/cuda_command.h"
#include "tools/heddle/cuda/nvcc_program.h"

namespace heddle::command {

namespace {

/// An option that a variable of the environment says as well.
struct VariableOption {
  const char* option;
  const char* variable;
};

constexpr VariableOption kVariables[] = {
    {"gpu", "HEDDLE_GPU"},         {"sms", "HEDDLE_SMS"},       {"threads", "HEDDLE_THREADS"},
    {"timed", "HEDDLE_TIMED"},     {"report", "HEDDLE_REPORT"}, {"gpus", "HEDDLE_GPUS"},
    {"summary", "HEDDLE_SUMMARY"}, {"check", "HEDDLE_CHECK"},   {"record", "HEDDLE_RECORD"},
    {"html", "HEDDLE_HTML"},       {"code", "HEDDLE_CODE"},
};

/// Where the program begins: behind "--", or the first word that is neither an option nor the value of one.
std::size_t program_of(const Syntax& syntax, const Arguments& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") return i + 1;
    if (!word.starts_with("-")) return i;
    const auto* known = word.starts_with("--") ? syntax.options.find_nothrow(word.substr(2), false) : nullptr;
    if (known != nullptr && known->semantic()->min_tokens() > 0) ++i;
  }
  return arguments.size();
}

void set_variable(const char* name, const std::string& value) {
  if (::setenv(name, value.c_str(), 1) != 0) throw std::bad_alloc();
}

/// What the program reads when it first asks for a GPU is refused before it starts.
void set_limits(const OptionValues& values) {
  constexpr Cycle kMost = kNever - 1;
  if (const auto cycles = number_of(values, "max-cycles", kMost))
    set_variable("HEDDLE_MAX_CYCLES", fmt::format("{}", *cycles));
  std::string conditions;
  std::vector<std::string> baselines;
  for (const std::string& text : list_of(values, "fail-if")) {
    const auto condition = conditions::read_fail_condition(text, "--fail-if");
    conditions += (conditions.empty() ? "" : ";") + condition.rooted_text();
    if (condition.baseline) baselines.push_back(condition.baseline->path);
  }
  if (!conditions.empty()) set_variable("HEDDLE_FAIL_IF", conditions);
  if (const auto totals = text_of(values, "totals")) {
    require_writable(*totals);
    require_own_places({*totals}, baselines);
    set_variable("HEDDLE_TOTALS", std::filesystem::absolute(*totals).string());
  }
}

void set_environment(const OptionValues& values) {
  if (const auto code = text_of(values, "code"); code && *code != "ptx" && *code != "machine")
    throw UsageError(fmt::format("--code {}: there are ptx and machine", *code));
  set_variable("HEDDLE_SUMMARY", "-");
  for (const VariableOption& each : kVariables) {
    if (const auto value = text_of(values, each.option)) set_variable(each.variable, *value);
  }
  std::string settings;
  for (const std::string& setting : list_of(values, "set"))
    settings += (settings.empty() ? "" : ",") + setting;
  if (!settings.empty()) set_variable("HEDDLE_SET", settings);
  set_limits(values);
  // A program that was built by another copy of Heddle finds this one's GPU files.
  if (::getenv("HEDDLE_CONFIGS") == nullptr) set_variable("HEDDLE_CONFIGS", sim::default_configs_directory());
}

/// A list of files or folders, with colons between them.
void put_first(const char* variable, const std::string& item) {
  if (item.empty()) return;
  const char* others = ::getenv(variable);
  set_variable(variable, others != nullptr && *others != '\0' ? item + ":" + others : item);
}

/// Becomes the program. Returns only if that fails.
[[noreturn]] void become(const Arguments& program) {
  const std::string path = cuda::find_program(program.front());
  if (path.empty()) throw InputError({program.front(), 0, 0}, "there is no such program");
  const char* code = ::getenv("HEDDLE_CODE");
  const ProgramNeeds needs = needs_of_program(path, code == nullptr || std::string_view(code) != "machine");
  put_first("LD_LIBRARY_PATH", needs.library_folder);
  put_first("LD_PRELOAD", needs.preloaded);
  std::vector<char*> words;
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(path.c_str(), words.data());
  throw InputError({path, 0, 0}, fmt::format("the program cannot be run: {}", std::strerror(errno)));
}

}  // namespace

Syntax exec_syntax() {
  Syntax syntax = make_syntax(
      "heddle exec [OPTION...] [--] PROGRAM [ARGUMENT...]",
      "Runs a CUDA program on a simulated GPU, and prints at its end what its kernels and copies took. The program is "
      "one that heddle cuda has made, or nvcc of CUDA 12 or 13 with -cudart shared. Its exit code is that of this command, unless a "
      "check fails (3) or it takes more than --max-cycles and --fail-if allow (4).",
      "program",
      "  heddle exec ./app\n"
      "  heddle exec --gpu a100 --set l1.latency=40 -- ./app --size 1000\n"
      "  heddle exec --timed reduce,3-7 --report reports -- ./app\n"
      "  heddle exec --fail-if 'cycles > 1.05 * baseline.json' --totals now.json ./app\n");
  auto add = syntax.options.add_options();
  add("gpu", text_option("NAME|FILE"), "the GPU; an H100 if not given");
  add("set", list_option("KEY=VALUE"), "changes a value of the GPU, as l1.latency=40");
  add("sms", text_option("N"), "how many SMs it has");
  add("gpus", text_option("N"), "how many such GPUs the program sees");
  add("threads", text_option("N"), "simulates on so many threads; on all cores if not given");
  add("code", text_option("ptx|machine"),
      "takes the PTX of a program that nvcc has compiled, or the machine code in it that a driver would choose for the "
      "GPU; ptx if not given");
  add("timed", text_option("all|none|sample|NAME|3-7"),
      "which launches are timed, by kernels' names and numbers from 1, with commas between them; the others are "
      "executed for their results alone; sample: some stand for all, and the table says how sure their time is");
  add("report", text_option("FOLDER"), "writes a report of each timed launch there, as text and as JSON");
  add("html", text_option("FILE"),
      "writes a page for a browser there: kernels and launches as tables, a click shows a launch");
  add("record", text_option("FOLDER"),
      "writes a trace of each timed launch there, and a list of them for heddle run");
  add("check", text_option("memory,initial,races,sync"),
      "looks for bad addresses and memory that is not freed, for reads of device memory that nobody has written, for "
      "races in shared memory and between blocks, and for barriers to which not all threads come; all: for all of them. The exit code is "
      "3 if something is found. For the second and third no launch is timed");
  add("max-cycles", text_option("N"),
      "ends with exit code 4 if the program's timed launches take more cycles, all of them together; a launch "
      "that alone takes more is ended as a fault");
  add("fail-if", list_option("'FIGURE > NUMBER [* FILE]'"),
      "ends with exit code 4 if that is true of all timed launches together: of a figure of the JSON report, as "
      "cycles, by >, >=, <, <=, == or !=; the file is a JSON report or earlier totals, whose figure is meant");
  add("totals", text_option("FILE"),
      "writes the figures of all timed launches by kernel and together there, as JSON that --fail-if and heddle "
      "diff read");
  add("summary", text_option("FILE"), "writes the table at the end into a file; - is standard error");
  return syntax;
}

int exec_command(const Arguments& arguments) {
  const Syntax syntax = exec_syntax();
  const std::size_t program = program_of(syntax, arguments);
  const auto from = arguments.begin() + static_cast<std::ptrdiff_t>(program);
  const bool has_dashes = program > 0 && program <= arguments.size() && *(from - 1) == "--";
  const auto values = parse_or_help(syntax, Arguments(arguments.begin(), has_dashes ? from - 1 : from));
  if (!values) return kDone;
  if (program == arguments.size()) throw UsageError("there is no program to run");
  set_environment(*values);
  become(Arguments(from, arguments.end()));
}

}  // namespace heddle::command

#include "tools/heddle/base/again.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "tools/heddle/base/file_hash.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/provenance.h"
#include "tools/json/json_reader.h"

namespace heddle::command {

namespace {

namespace po = boost::program_options;

constexpr std::string_view kAgain[] = {"again"};
constexpr std::string_view kCommands[] = {"run", "occupancy", "trace info", "validate", "bench"};

std::string shell_text(const Arguments& words) {
  report::Provenance provenance;
  provenance.command = words;
  return provenance.command_text();
}

/// Whether the words begin with "heddle COMMAND".
bool is_command(const Arguments& words, std::string_view command) {
  const std::string text = shell_text(words);
  const std::string begin = fmt::format("heddle {}", command);
  return text == begin || text.starts_with(begin + ' ');
}

/// Collects all provenances of a report: of a run, of a list of runs, or of the kernels of a list and their
/// sum.
void collect(const Json& value, std::vector<Json>& found) {
  if (const Json* provenance = look_up(value, "provenance")) found.push_back(*provenance);
  if (value.is_object()) {
    for (const char* key : {"kernels", "all", "failures"}) {
      if (const Json* inner = look_up(value, key)) collect(*inner, found);
    }
  }
  if (value.is_array()) {
    for (const Json& each : value) collect(each, found);
  }
}

/// Refuses a report of another command. The message shows how to repeat that one.
[[noreturn]] void refuse_other(const Arguments& words, const std::string& path) {
  for (const std::string_view other : kCommands) {
    if (!is_command(words, other)) continue;
    throw InputError({path, 0, 0},
                     fmt::format("is a report of 'heddle {0}'; this repeats it: heddle {0} --again {1}",
                                 other, report::shell_quoted(path)));
  }
  throw InputError({path, 0, 0}, fmt::format("is a report of '{} {}'; this repeats it: {}", words[0],
                                             words[1], shell_text(words)));
}

/// The arguments after "heddle COMMAND".
Arguments arguments_in(const Json& provenance, std::string_view command_name, const std::string& path) {
  const Json* command = look_up(provenance, "command");
  const bool is_list =
      command != nullptr && command->is_array() && command->size() >= 2 &&
      std::all_of(command->begin(), command->end(), [](const Json& word) { return word.is_string(); });
  if (!is_list) throw InputError({path, 0, 0}, "provenance.command must be a list of words");
  const auto words = command->get<Arguments>();
  if (!is_command(words, command_name)) refuse_other(words, path);
  const auto own = 2 + std::count(command_name.begin(), command_name.end(), ' ');
  return {words.begin() + own, words.end()};
}

void require_same_file(const Json& file, const std::string& report, Diagnostics& problems,
                       std::set<std::string>& seen) {
  JsonReader reader(report, problems);
  const std::string path = reader.text(file, "path", "provenance.files.");
  const std::string then = reader.text(file, "sha256", "provenance.files.");
  const bool is_hashed = look_up(file, "sha256") == nullptr || !then.empty();
  if (path.empty() || !seen.insert(path).second) return;
  if (path == kStandardInput)
    return problems.add({report, 0, 0}, "was made of standard input, which is gone");
  if (!is_hashed)
    return problems.add({path, 0, 0}, fmt::format("was a pipe when {} was made of it, and is gone", report));
  try {
    const std::string now = sha256_of_file(place_of(path));
    if (now == then) return;
    problems.add({path, 0, 0},
                 fmt::format("has changed since {} was made of it (SHA-256 {}, then {})", report, now, then));
  } catch (const InputError& error) {
    problems.add(error);
  }
}

void require_same_files(const std::vector<Json>& provenances, const std::string& report) {
  Diagnostics problems;
  std::set<std::string> seen;
  for (const Json& provenance : provenances) {
    const Json* files = look_up(provenance, "files");
    if (files == nullptr || !files->is_array())
      throw InputError({report, 0, 0}, "provenance.files must be a list of files");
    for (const Json& file : *files) require_same_file(file, report, problems, seen);
  }
  problems.throw_if_any();
}

void tell_of_version(const Json& provenance, const std::string& report) {
  const Json* version = look_up(provenance, "version");
  if (version == nullptr || *version == program_version()) return;
  print_error(fmt::format("note: {} was made by heddle {}, this is {}: figures may differ\n", report,
                          version->is_string() ? version->get<std::string>() : version->dump(),
                          program_version()));
}

Arguments arguments_of(std::string_view command, const std::string& path) {
  const Json report = parse_json(read_file(path), path);
  std::vector<Json> provenances;
  collect(report, provenances);
  if (provenances.empty()) {
    throw InputError(
        {path, 0, 0},
        fmt::format("has no 'provenance': --again takes what heddle {} --format json has written", command));
  }
  Arguments arguments = arguments_in(provenances[0], command, path);
  tell_of_version(provenances[0], path);
  require_same_files(provenances, path);
  return arguments;
}

std::set<std::string> names_of(const Syntax& syntax, const Arguments& arguments) {
  std::set<std::string> names;
  for (const po::option& option : given_options(syntax, arguments)) {
    if (option.position_key < 0) names.insert(option.string_key);
  }
  return names;
}

}  // namespace

std::span<const std::string_view> commands_with_again() { return kCommands; }

void add_again(Syntax& syntax) {
  syntax.options.add_options()("again", text_option("REPORT.json"),
                               "repeats what a JSON report is of; options beside it change that");
}

Arguments with_report_again(const Syntax& syntax, std::string_view command, const Arguments& arguments) {
  const auto report = text_of(parse(syntax, arguments), "again");
  if (!report) return arguments;
  const Arguments others = essential_arguments(syntax, arguments, kAgain);
  if (!list_of(parse(syntax, others), std::string(syntax.operands)).empty())
    throw UsageError(
        fmt::format("--again {}: the files are the report's; none can be named beside it", *report));
  const std::set<std::string> given = names_of(syntax, others);
  const std::vector<std::string_view> replaced(given.begin(), given.end());
  Arguments again = essential_arguments(syntax, arguments_of(command, *report), replaced);
  again.insert(std::find(again.begin(), again.end(), "--"), others.begin(), others.end());
  return again;
}

}  // namespace heddle::command

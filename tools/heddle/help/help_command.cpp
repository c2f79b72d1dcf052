#include "tools/heddle/help/help_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "isa/base/diagnostic.h"
#include "tools/heddle/base/help.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/help/completion.h"
#include "tools/heddle/help/man_page.h"
#include "tools/heddle/help/words.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;

/// The files with their places below share/.
std::vector<std::pair<std::string, std::string>> files_to_install(const Program& program) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"bash-completion/completions/heddle", bash_completion(program)},
      {"zsh/site-functions/_heddle", zsh_completion(program)}};
  for (const ManPage& page : man_pages(program))
    files.emplace_back(fmt::format("man/man1/{}.1", page.name), page.text);
  return files;
}

int write_all(const Program& program, const fs::path& folder) {
  for (const auto& [name, text] : files_to_install(program)) {
    const fs::path path = folder / name;
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    if (failure) throw InputError({path.parent_path().string(), 0, 0}, failure.message());
    write_file(path.string(), text);
  }
  return kDone;
}

std::string man_page_of(const Program& program, const std::vector<std::string>& names) {
  const std::string wanted = names.empty() ? "heddle" : fmt::format("heddle-{}", fmt::join(names, "-"));
  for (ManPage& page : man_pages(program)) {
    if (page.name == wanted) return std::move(page.text);
  }
  throw UsageError(fmt::format("there is no man page {}", wanted));
}

/// The help for "run" or "trace info".
std::string help_of(const Program& program, const std::vector<std::string>& names) {
  std::span<const Command> table = program.commands;
  std::string prefix;
  const Command* found = nullptr;
  for (const std::string& name : names) {
    if (table.empty()) throw UsageError(fmt::format("there is no command '{}{}'", prefix, name));
    found = &find_command(table, prefix, name);
    table = found->commands == nullptr ? std::span<const Command>() : found->commands();
    prefix += name + ' ';
  }
  return found == nullptr ? help_text(program.syntax, table) : help_text(found->syntax(), table);
}

std::string text_asked_for(const Program& program, const OptionValues& values) {
  const std::vector<std::string> names = list_of(values, "command");
  if (values.count("man") != 0) return man_page_of(program, names);
  if (const auto kind = text_of(values, "words")) return words_text(*kind);
  if (values.count("completion") == 0) return help_of(program, names);
  return choice_of(values, "completion", {"bash", "zsh"}) == "bash" ? bash_completion(program)
                                                                    : zsh_completion(program);
}

}  // namespace

Syntax help_syntax() {
  Syntax syntax = make_syntax(
      "heddle help [COMMAND...] [--man]\n"
      "heddle help --completion bash|zsh",
      "Says more about a command, as heddle COMMAND --help does. Or prints what makes a shell complete "
      "commands, options, names of GPUs and of examples; where Heddle is installed it is there already.",
      "command",
      "  heddle help run\n"
      "  heddle help trace info\n"
      "  heddle help run --man | man -l -\n"
      "  source <(heddle help --completion bash)\n");
  auto add = syntax.options.add_options();
  add("man", "prints the man page of the command");
  add("completion", text_option("bash|zsh"), "prints the completion script for this shell");
  add("words", text_option("gpus|examples|policies|keys"), "prints a list of words, for such scripts");
  add("install", text_option("DIR"), "writes all man pages and completion scripts below this folder");
  return syntax;
}

int run_help(const Program& program, const Arguments& arguments) {
  const auto values = parse_or_help(help_syntax(), arguments);
  if (!values) return kDone;
  if (const auto folder = text_of(*values, "install")) return write_all(program, *folder);
  write_output(text_asked_for(program, *values));
  return kDone;
}

}  // namespace heddle::command

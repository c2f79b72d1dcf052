#include "tools/heddle/examples/examples_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "sim/config/yaml_document.h"
#include "tools/heddle/base/data_files.h"
#include "tools/heddle/base/examples.h"
#include "tools/heddle/base/help.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;

/// The kernel in CUDA C++ that stands beside the one which the launch names, with what it includes from
/// there.
std::vector<fs::path> cuda_beside(fs::path kernel) {
  kernel.replace_extension(".cu");
  if (!fs::exists(kernel)) return {};
  constexpr std::string_view kInclude = "#include \"";
  std::vector<fs::path> files = {kernel};
  std::istringstream lines(read_file(kernel.string()));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kInclude)) continue;
    const std::string name = line.substr(kInclude.size(), line.rfind('"') - kInclude.size());
    if (fs::exists(kernel.parent_path() / name)) files.push_back(kernel.parent_path() / name);
  }
  return files;
}

/// The launch file, the files that it names, and its kernel in CUDA C++.
std::vector<fs::path> files_of(const std::string& name) {
  const fs::path launch = example_path(name);
  std::vector<fs::path> files = {launch};
  for (const std::string& source :
       launch::load_launch(launch.string(), {}, launch::Contents::Checked).sources)
    files.emplace_back(source);
  for (const fs::path& file : cuda_beside(files.at(1))) files.push_back(file);
  return files;
}

std::string description_of(const std::string& name) {
  const sim::YamlDocument document = sim::YamlDocument::load(example_path(name).string());
  const auto description = document.root().find("description");
  return description ? description->text() : std::string();
}

/// Lists the examples with descriptions. If a file cannot be read, the others are still listed, and the error
/// is reported at the end.
int list_examples() {
  const std::vector<std::string> names = example_names();
  if (names.empty()) throw InputError({data_folder("traces").string(), 0, 0}, "there are no examples here");
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  Diagnostics problems;
  std::string text;
  for (const std::string& name : names) {
    try {
      text += fmt::format("{:<{}}  {}\n", name, width,
                          wrapped(description_of(name), kHelpColumns - width - 2, width + 2));
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
  write_output(text);
  problems.throw_if_any();
  return kDone;
}

/// Prints each file after its name.
int show(const std::string& name) {
  std::string text;
  for (const fs::path& file : files_of(name)) {
    if (!text.empty()) text += '\n';
    text += fmt::format("==> {} <==\n{}", file.string(), read_file(file.string()));
  }
  write_output(text);
  return kDone;
}

/// Writes no file if one of them exists already.
int copy(const std::string& name, const fs::path& folder) {
  if (!fs::is_directory(folder)) throw InputError({folder.string(), 0, 0}, "there is no such folder");
  const std::vector<fs::path> files = files_of(name);
  Diagnostics problems;
  for (const fs::path& file : files) {
    if (fs::exists(folder / file.filename()))
      problems.add({(folder / file.filename()).string(), 0, 0},
                   "this file exists already, and is not replaced");
  }
  problems.throw_if_any();
  for (const fs::path& file : files) {
    const std::string to = (folder / file.filename()).string();
    write_file(to, read_file(file.string()));
    write_output(fmt::format("{}\n", to));
  }
  return kDone;
}

}  // namespace

Syntax examples_syntax() {
  Syntax syntax = make_syntax(
      "heddle examples [EXAMPLE] [--copy DIR]",
      "Lists the launches that come with Heddle and what each shows, or prints the launch file of one and "
      "its kernel, as Heddle's text and as CUDA C++. heddle run takes them by their names.",
      "example",
      "  heddle examples\n"
      "  heddle examples vecadd\n"
      "  heddle examples reduce_v1 --copy .\n");
  syntax.options.add_options()("copy", text_option("DIR"),
                               "copies the example's files into this folder, to be changed there");
  return syntax;
}

int examples_command(const Arguments& arguments) {
  const auto values = parse_or_help(examples_syntax(), arguments);
  if (!values) return kDone;
  const std::vector<std::string> names = list_of(*values, "example");
  const auto folder = text_of(*values, "copy");
  if (names.size() > 1) throw UsageError("one example at a time can be shown");
  if (names.empty() && folder) throw UsageError("--copy needs the name of the example");
  if (names.empty()) return list_examples();
  return folder ? copy(names[0], *folder) : show(names[0]);
}

}  // namespace heddle::command

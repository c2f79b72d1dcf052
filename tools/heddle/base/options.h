// Command lines: Boost.Program_options, with mistakes told as everywhere else in Heddle.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/dim3.h"
#include "tools/heddle/base/command.h"

namespace heddle::command {

using OptionValues = boost::program_options::variables_map;

/// What a command takes, and how --help shows it.
struct Syntax {
  std::string_view usage;     ///< "heddle run LAUNCH.yaml..."
  std::string_view about;     ///< Paragraphs; where their lines end is of no meaning.
  std::string_view operands;  ///< The key under which arguments without a dash are found, as a list.
  std::string_view examples;  ///< A line each.
  boost::program_options::options_description options;
  std::vector<std::string> words = {};  ///< That operands can be, for completion.
  std::string notes = {};               ///< Lines that stand at the end as they are.
};

/// With the option --help in it.
Syntax make_syntax(std::string_view usage, std::string_view about, std::string_view operands,
                   std::string_view examples);

/// Of an option with a value, which the help shows as `shown`.
boost::program_options::typed_value<std::string>* text_option(const char* shown);
/// The same of one that may stand several times.
boost::program_options::typed_value<std::vector<std::string>>* list_option(const char* shown);

/// Throws UsageError.
OptionValues parse(const Syntax& syntax, const Arguments& arguments);

/// What stands on the command line, in its order: operands have a position. Throws UsageError.
std::vector<boost::program_options::option> given_options(const Syntax& syntax, const Arguments& arguments);

/// As parse(), but nothing where help was asked for, which has been shown then. Throws UsageError, and
/// InputError if it could not be shown.
std::optional<OptionValues> parse_or_help(const Syntax& syntax, const Arguments& arguments);

/// All that was given for an option that may stand several times.
std::vector<std::string> list_of(const OptionValues& values, const std::string& option);
/// The operands "launch" of a command that takes launch files: their paths, as launch_path() finds them.
/// Throws UsageError where one is a kernel, or is neither a file nor an example.
std::vector<std::string> launches_of(const OptionValues& values, std::string_view command);
std::optional<std::string> text_of(const OptionValues& values, const std::string& option);

/// --output: a file; nothing for standard output, which "-" names, too.
std::optional<std::string> output_of(const OptionValues& values);

// These throw UsageError, naming the option.
std::optional<std::uint64_t> number_of(const OptionValues& values, const std::string& option,
                                       std::uint64_t most);
/// The same where it counts what is held in 32 bits.
std::optional<std::uint32_t> size_of(const OptionValues& values, const std::string& option,
                                     std::uint32_t most = std::numeric_limits<std::uint32_t>::max());
/// "8192", "8KiB", "8K".
std::optional<std::uint32_t> bytes_of(const OptionValues& values, const std::string& option);
std::optional<Dim3> extents_of(const OptionValues& values, const std::string& option);
/// --threads: all of the machine's cores if it was not given.
unsigned threads_of(const OptionValues& values);
/// One of several words; the first one if the option was not given.
std::string choice_of(const OptionValues& values, const std::string& option,
                      const std::vector<std::string>& words);

}  // namespace heddle::command

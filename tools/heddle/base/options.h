// Parses command lines with Boost.Program_options. Mistakes are reported like everywhere else in Heddle.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/dim3.h"
#include "isa/base/override.h"
#include "tools/heddle/base/command.h"

namespace heddle::command {

using OptionValues = boost::program_options::variables_map;

/// The options and operands of a command, and its help.
struct Syntax {
  std::string_view usage;     ///< "heddle run LAUNCH.yaml..."
  std::string_view about;     ///< Paragraphs. Line ends within them have no meaning.
  std::string_view operands;  ///< The name under which the arguments without a dash are stored as a list.
  std::string_view examples;  ///< One per line.
  boost::program_options::options_description options;
  std::vector<std::string> words = {};  ///< Possible operands, for completion.
  std::string notes = {};               ///< Lines at the end of the help, unchanged.
};

/// Adds the option --help.
Syntax make_syntax(std::string_view usage, std::string_view about, std::string_view operands,
                   std::string_view examples);

/// An option with a value. The help shows the value as `shown`.
boost::program_options::typed_value<std::string>* text_option(const char* shown);
/// The same for an option that can be given several times.
boost::program_options::typed_value<std::vector<std::string>>* list_option(const char* shown);

/// Throws UsageError.
OptionValues parse(const Syntax& syntax, const Arguments& arguments);

/// The options as given on the command line, in order; operands have a position. Throws UsageError.
std::vector<boost::program_options::option> given_options(const Syntax& syntax, const Arguments& arguments);

/// Like parse(). If help was asked for, shows it and returns nothing. Throws UsageError, and InputError if
/// the help cannot be written.
std::optional<OptionValues> parse_or_help(const Syntax& syntax, const Arguments& arguments);

/// All values of an option that can be given several times.
std::vector<std::string> list_of(const OptionValues& values, const std::string& option);
/// The same, each KEY=VALUE. Messages call one "--set KEY=VALUE".
Overrides overrides_of(const OptionValues& values, const std::string& option);
/// The operands "launch" of a command that takes launch files, as paths that launch_path() finds. Throws
/// UsageError if one is a kernel, or neither a file nor an example.
std::vector<std::string> launches_of(const OptionValues& values, std::string_view command);
std::optional<std::string> text_of(const OptionValues& values, const std::string& option);

/// The file of --output; nothing for standard output, also if "-" was given.
std::optional<std::string> output_of(const OptionValues& values);

// The following throw UsageError, which names the option.
std::optional<std::uint64_t> number_of(const OptionValues& values, const std::string& option,
                                       std::uint64_t most);
/// The same for a count of 32 bits.
std::optional<std::uint32_t> size_of(const OptionValues& values, const std::string& option,
                                     std::uint32_t most = std::numeric_limits<std::uint32_t>::max());
/// Accepts "8192", "8KiB", "8K".
std::optional<std::uint32_t> bytes_of(const OptionValues& values, const std::string& option);
std::optional<Dim3> extents_of(const OptionValues& values, const std::string& option);
/// The value of --threads; all cores of the machine if it was not given.
unsigned threads_of(const OptionValues& values);
/// One of several words; the first one is the default.
std::string choice_of(const OptionValues& values, const std::string& option,
                      const std::vector<std::string>& words);

}  // namespace heddle::command

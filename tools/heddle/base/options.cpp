#include "tools/heddle/base/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "isa/base/file_kind.h"
#include "isa/base/read_bytes.h"
#include "isa/base/read_extents.h"
#include "isa/base/read_number.h"
#include "sim/config/suggest.h"
#include "tools/heddle/base/examples.h"
#include "tools/heddle/base/help.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/base/optional_word.h"
#include "tools/heddle/base/output.h"

namespace heddle::command {

namespace {

namespace po = boost::program_options;

constexpr unsigned kMostThreads = 1024;

std::string suggestion_for(const Syntax& syntax, const std::string& option) {
  std::vector<std::string> names;
  for (const auto& known : syntax.options.options()) names.push_back(fmt::format("--{}", known->long_name()));
  return sim::suggestion(option, names);
}

bool is_one_of(std::string_view words, std::string_view word) {
  for (std::size_t end = 0; !words.empty(); words.remove_prefix(std::min(end + 1, words.size()))) {
    end = std::min(words.find('|'), words.size());
    if (words.substr(0, end) == word) return true;
  }
  return false;
}

/// Whether the argument is an option that may stand without a value, and the next one is a word of it.
bool takes_word(const Syntax& syntax, const std::string& argument, const std::string& next) {
  if (!argument.starts_with("--")) return false;
  const po::option_description* option = syntax.options.find_nothrow(argument.substr(2), false);
  if (option == nullptr) return false;
  const auto& value = *option->semantic();
  return value.min_tokens() == 0 && value.max_tokens() == 1 && is_one_of(value.name(), next);
}

/// "--lines ptx" becomes "--lines=ptx": Boost takes only the latter as a value that may be left out.
Arguments with_words_joined(const Syntax& syntax, const Arguments& arguments) {
  Arguments joined;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--") {
      joined.insert(joined.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
      break;
    }
    joined.push_back(arguments[i]);
    if (i + 1 < arguments.size() && takes_word(syntax, arguments[i], arguments[i + 1]))
      joined.back() += '=' + arguments[++i];
  }
  return joined;
}

/// Passes the command line to `take` in parts. Throws UsageError.
template <typename Take>
void parse_and(const Syntax& syntax, const Arguments& arguments, const Take& take) {
  po::options_description all;
  const std::string operands(syntax.operands);
  all.add(syntax.options).add_options()(operands.c_str(), po::value<std::vector<std::string>>());
  po::positional_options_description positions;
  positions.add(operands.c_str(), -1);
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    take(po::command_line_parser(with_words_joined(syntax, arguments))
             .options(all)
             .positional(positions)
             .style(style)
             .run());
  } catch (const po::unknown_option& error) {
    throw UsageError(fmt::format("there is no option '{}'; {}", error.get_option_name(),
                                 suggestion_for(syntax, error.get_option_name())));
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
}

/// A hint for numbers with separators: "65,536" is clear to people, but "3,2" could be a list or a fraction.
std::string_view hint_for(std::string_view text) {
  return text.find_first_of(",_'") == std::string_view::npos ? "" : "; nothing stands between thousands";
}

}  // namespace

Syntax make_syntax(std::string_view usage, std::string_view about, std::string_view operands,
                   std::string_view examples) {
  Syntax syntax{usage, about, operands, examples, po::options_description("options")};
  syntax.options.add_options()("help,h", "shows this");
  return syntax;
}

po::typed_value<std::string>* text_option(const char* shown) {
  return po::value<std::string>()->value_name(shown);
}

po::typed_value<std::string>* optional_word(const char* shown) {
  return po::value<std::string>()->implicit_value("", "")->value_name(shown);
}

po::typed_value<std::vector<std::string>>* list_option(const char* shown) {
  return po::value<std::vector<std::string>>()->composing()->value_name(shown);
}

OptionValues parse(const Syntax& syntax, const Arguments& arguments) {
  OptionValues values;
  parse_and(syntax, arguments, [&values](const po::parsed_options& parsed) {
    po::store(parsed, values);
    po::notify(values);
  });
  return values;
}

std::vector<po::option> given_options(const Syntax& syntax, const Arguments& arguments) {
  std::vector<po::option> given;
  parse_and(syntax, arguments, [&given](const po::parsed_options& parsed) { given = parsed.options; });
  return given;
}

std::optional<OptionValues> parse_or_help(const Syntax& syntax, const Arguments& arguments) {
  OptionValues values = parse(syntax, arguments);
  if (values.count("help") == 0) return values;
  write_output(help_text(syntax));
  return std::nullopt;
}

std::vector<std::string> list_of(const OptionValues& values, const std::string& option) {
  return values.count(option) == 0 ? std::vector<std::string>()
                                   : values[option].as<std::vector<std::string>>();
}

Overrides overrides_of(const OptionValues& values, const std::string& option) {
  return overrides_of_option("--" + option, list_of(values, option));
}

std::vector<std::string> launches_of(const OptionValues& values, std::string_view command) {
  std::vector<std::string> launches = list_of(values, "launch");
  for (const std::string& launch : launches) {
    if (launch.ends_with(".sass")) {
      throw UsageError(
          fmt::format("{} is a kernel; {} takes the launch file that names it, such as traces/vecadd.yaml",
                      launch, command));
    }
  }
  if (std::count(launches.begin(), launches.end(), kStandardInput) > 1)
    throw UsageError("standard input can be read once: '-' is given more than once");
  std::transform(launches.begin(), launches.end(), launches.begin(), launch_path);
  for (const std::string& launch : launches) require_role_of_file(FileRole::Launch, launch);
  return launches;
}

std::optional<std::string> text_of(const OptionValues& values, const std::string& option) {
  if (values.count(option) == 0) return std::nullopt;
  return values[option].as<std::string>();
}

std::optional<std::string> output_of(const OptionValues& values) {
  std::optional<std::string> output = text_of(values, "output");
  if (output == "") throw UsageError("--output: must be the name of a file");
  return output == "-" ? std::nullopt : output;
}

std::optional<std::uint64_t> number_of(const OptionValues& values, const std::string& option,
                                       std::uint64_t most) {
  const auto text = text_of(values, option);
  if (!text) return std::nullopt;
  const auto number = count_in(*text);
  if (!number || *number > most) {
    throw UsageError(
        fmt::format("--{} {}: must be a whole number, at most {}{}", option, *text, most, hint_for(*text)));
  }
  return number;
}

std::optional<std::uint32_t> size_of(const OptionValues& values, const std::string& option,
                                     std::uint32_t most) {
  const auto number = number_of(values, option, most);
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

// K and KB also mean KiB, because shared memory is counted in multiples of 1024.
std::optional<std::uint32_t> bytes_of(const OptionValues& values, const std::string& option) {
  const auto text = text_of(values, option);
  if (!text) return std::nullopt;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  const auto bytes = count_in(*text);
  if (!bytes || *bytes > kMost) {
    throw UsageError(fmt::format("--{} {}: must be a number of bytes, or of KiB as 8KiB, and at most 1 GiB",
                                 option, *text));
  }
  return static_cast<std::uint32_t>(*bytes);
}

std::optional<Dim3> extents_of(const OptionValues& values, const std::string& option) {
  const auto text = text_of(values, option);
  if (!text) return std::nullopt;
  const auto extents = extents_in(*text);
  if (!extents || extents->x == 0 || extents->y == 0 || extents->z == 0) {
    throw UsageError(
        fmt::format("--{} {}: must be a size above 0 and at most {}, or up to three: X, XxY or XxYxZ", option,
                    *text, std::numeric_limits<std::uint32_t>::max()));
  }
  return extents;
}

unsigned threads_of(const OptionValues& values) {
  const unsigned threads =
      size_of(values, "threads", kMostThreads).value_or(std::thread::hardware_concurrency());
  if (threads == 0 && values.count("threads") != 0) throw UsageError("--threads 0: must be at least 1");
  return std::max(threads, 1U);
}

std::string choice_of(const OptionValues& values, const std::string& option,
                      const std::vector<std::string>& words) {
  const auto text = text_of(values, option);
  if (!text) return words.front();
  if (std::find(words.begin(), words.end(), *text) != words.end()) return *text;
  throw UsageError(fmt::format("--{} {}: must be one of {}; {}", option, *text, fmt::join(words, ", "),
                               sim::suggestion(*text, words)));
}

}  // namespace heddle::command

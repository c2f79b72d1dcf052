#include "tools/cuda/nvrtc/rtc_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "isa/base/read_number.h"

namespace heddle::nvrtc {

namespace {

using Apply = void (*)(RtcOptions& options, const std::string& value);

/// An option under both of its names. `apply` is null if it has no effect here.
struct Option {
  std::string_view name;
  std::string_view short_name;
  bool has_value;
  Apply apply;
};

void pass(RtcOptions& options, std::initializer_list<const char*> words) {
  options.code.more_arguments.insert(options.code.more_arguments.end(), words.begin(), words.end());
}

/// The number of "compute_80" and "sm_90a".
void set_architecture(RtcOptions& options, const std::string& value) {
  const std::size_t at = value.find('_');
  const std::string digits = at == std::string::npos ? "" : value.substr(at + 1);
  const auto number = number_in<unsigned>(digits.substr(0, digits.find_first_not_of("0123456789")));
  if (!number)
    throw OptionError(fmt::format("--gpu-architecture={}: must be compute_80, sm_80 or the like", value));
  options.code.compute_capability = *number;
}

constexpr Option kOptions[] = {
    {"gpu-architecture", "arch", true, set_architecture},
    {"include-path", "I", true,
     [](RtcOptions& o, const std::string& value) { o.code.include_directories.push_back(value); }},
    {"define-macro", "D", true,
     [](RtcOptions& o, const std::string& value) { o.code.defines.push_back(value); }},
    {"undefine-macro", "U", true,
     [](RtcOptions& o, const std::string& value) { o.code.more_arguments.push_back("-U" + value); }},
    {"pre-include", "include", true,
     [](RtcOptions& o, const std::string& value) {
       o.code.more_arguments.insert(o.code.more_arguments.end(), {"-include", value});
     }},
    {"std", "std", true, [](RtcOptions& o, const std::string& value) { o.code.standard = value; }},
    {"use_fast_math", "use_fast_math", false,
     [](RtcOptions& o, const std::string&) { o.code.fast_math = true; }},
    {"fmad", "fmad", true,
     [](RtcOptions& o, const std::string& value) {
       if (value == "false") pass(o, {"-ffp-contract=off"});
     }},
    {"ftz", "ftz", true,
     [](RtcOptions& o, const std::string& value) {
       if (value == "true") pass(o, {"-fcuda-flush-denormals-to-zero"});
     }},
    {"prec-div", "prec-div", true,
     [](RtcOptions& o, const std::string& value) {
       if (value == "false") pass(o, {"-mllvm", "-nvptx-prec-divf32=0"});
     }},
    {"prec-sqrt", "prec-sqrt", true,
     [](RtcOptions& o, const std::string& value) {
       if (value == "false") pass(o, {"-mllvm", "-nvptx-prec-sqrtf32=0"});
     }},
    {"disable-warnings", "w", false, [](RtcOptions& o, const std::string&) { pass(o, {"-w"}); }},
    {"device-as-default-execution-space", "default-device", false,
     [](RtcOptions& o, const std::string&) { o.is_for_device = true; }},
    {"dopt", "dopt", true, nullptr},
    {"device-debug", "G", false, nullptr},
    {"generate-line-info", "lineinfo", false, nullptr},
    {"device-c", "dc", false, nullptr},
    {"device-w", "dw", false, nullptr},
    {"relocatable-device-code", "rdc", true, nullptr},
    {"extensible-whole-program", "ewp", false, nullptr},
    {"maxrregcount", "maxrregcount", true, nullptr},
    {"ptxas-options", "Xptxas", true, nullptr},
    {"extra-device-vectorization", "extra-device-vectorization", false, nullptr},
    {"restrict", "restrict", false, nullptr},
    {"builtin-move-forward", "builtin-move-forward", true, nullptr},
    {"builtin-initializer-list", "builtin-initializer-list", true, nullptr},
    {"modify-stack-limit", "modify-stack-limit", true, nullptr},
    {"diag-error", "diag-error", true, nullptr},
    {"diag-suppress", "diag-suppress", true, nullptr},
    {"diag-warn", "diag-warn", true, nullptr},
    {"display-error-number", "err-no", false, nullptr},
    {"no-display-error-number", "no-err-no", false, nullptr},
    {"split-compile", "split-compile", true, nullptr},
    {"minimal", "minimal", false, nullptr},
    {"no-source-include", "no-source-include", false, nullptr},
};

/// "-Ifolder" and "-DNAME": one letter with its value behind it.
const Option* with_glued_value(const std::string& word) {
  const auto* found = std::ranges::find_if(kOptions, [&](const Option& option) {
    return option.has_value && option.short_name.size() == 1 && word.size() > 2 && word[0] == '-' &&
           word[1] == option.short_name[0];
  });
  return found == std::end(kOptions) ? nullptr : found;
}

const Option* find(std::string_view name) {
  const auto* found = std::ranges::find_if(
      kOptions, [name](const Option& option) { return name == option.name || name == option.short_name; });
  return found == std::end(kOptions) ? nullptr : found;
}

}  // namespace

RtcOptions read_options(std::span<const char* const> words) {
  RtcOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] != nullptr ? words[i] : "";
    const std::size_t dashes = word.find_first_not_of('-');
    const std::size_t equals = std::min(word.find('='), word.size());
    const bool is_dashed = dashes == 1 || dashes == 2;
    const Option* option = is_dashed ? find(std::string_view(word).substr(dashes, equals - dashes)) : nullptr;
    std::string value;
    if (option == nullptr) {
      option = with_glued_value(word);
      if (option == nullptr) throw OptionError(fmt::format("'{}' is no option", word));
      value = word.substr(2);
    } else if (option->has_value && equals < word.size()) {
      value = word.substr(equals + 1);
    } else if (option->has_value) {
      if (++i == words.size() || words[i] == nullptr) throw OptionError(fmt::format("{} has no value", word));
      value = words[i];
    }
    if (option->apply != nullptr) option->apply(options, value);
  }
  return options;
}

}  // namespace heddle::nvrtc

#include "tools/cuda/launch_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace heddle::cuda {

namespace {

constexpr std::string_view kGlobal = "__attribute__((global))";  // what __global__ becomes
constexpr std::string_view kDevice = "__attribute__((device))";
constexpr std::string_view kHost = "__attribute__((host))";
constexpr std::size_t kNowhere = std::string_view::npos;

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Behind the quoted text that begins there: "a\"b", 'x', or R"(raw)".
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool is_raw = quote == '"' && at > 0 && text[at - 1] == 'R';
  if (is_raw) {
    const std::size_t open = text.find('(', at);
    if (open == kNowhere) return text.size();
    const std::string end = fmt::format("){}\"", text.substr(at + 1, open - at - 1));
    const std::size_t found = text.find(end, open);
    return found == kNowhere ? text.size() : found + end.size();
  }
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

/// The text with blanks where it has quoted text and lines that begin with #: what is left is code.
std::string code_of(std::string_view text) {
  std::string code(text);
  const auto clear = [&code](std::size_t from, std::size_t to) {
    for (; from < to; ++from) {
      if (code[from] != '\n') code[from] = ' ';
    }
  };
  bool begins_line = true;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_separator = text[at] == '\'' && at > 0 && is_of_name(text[at - 1]);  // 1'000
    std::size_t next = at + 1;
    if (begins_line && text[at] == '#') {
      next = std::min(text.find('\n', at), text.size());
      clear(at, next);
    } else if (text[at] == '"' || (text[at] == '\'' && !is_separator)) {
      next = end_of_quoted(text, at);
      clear(at, next);
    }
    begins_line = text[at] == '\n' || (begins_line && is_blank(text[at]));
    at = next;
  }
  return code;
}

/// Behind the bracket that closes the one at `open`; the end of the text if none does.
std::size_t end_of_brackets(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if ((c == ')' || c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return code.size();
}

/// A piece of the text.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The body of the function whose declaration goes on there; nothing if it has none, or is a variable.
std::optional<Range> body_behind(std::string_view code, std::size_t at) {
  while (at < code.size() && std::string_view(";=}").find(code[at]) == kNowhere) {
    if (code[at] == '{') return Range{at, end_of_brackets(code, at)};
    const bool is_operator = code.substr(at).starts_with("operator") && !is_of_name(code[at - 1]);
    if (is_operator) at = std::min(code.find('(', at), code.size());
    if (at < code.size()) at = code[at] == '(' || code[at] == '[' ? end_of_brackets(code, at) : at + 1;
  }
  return std::nullopt;
}

/// Whether the declaration that goes on at `at` is a host's function, too: those may launch as a host does.
bool is_for_host(std::string_view code, std::size_t at, std::size_t body) {
  const std::size_t before = code.substr(0, at).find_last_of(";{}");
  const std::size_t begin = before == kNowhere ? 0 : before;
  return code.substr(begin, body - begin).find(kHost) != kNowhere;
}

/// The bodies of all functions that run on the device alone, in order.
std::vector<Range> device_bodies(std::string_view code) {
  std::vector<Range> bodies;
  for (const std::string_view word : {kGlobal, kDevice}) {
    for (std::size_t at = code.find(word); at != kNowhere; at = code.find(word, at + 1)) {
      const auto body = body_behind(code, at + word.size());
      if (body && !is_for_host(code, at, body->begin)) bodies.push_back(*body);
    }
  }
  return bodies;
}

/// Behind as many of this sign as wanted, with blanks between them; nowhere if there are fewer.
std::size_t end_of_signs(std::string_view code, std::size_t at, char sign, int wanted) {
  for (int found = 0; found < wanted; ++at) {
    if (at >= code.size()) return kNowhere;
    if (code[at] == sign) {
      ++found;
    } else if (!is_blank(code[at])) {
      return kNowhere;
    }
  }
  return at;
}

/// A launch: where <<< and >>> stand.
struct Launch {
  Range open;
  Range close;
};

/// The launch whose configuration begins behind `open`; nothing if no >>> ends it.
std::optional<Launch> launch_from(std::string_view code, Range open) {
  for (std::size_t at = open.end; at < code.size();) {
    const char c = code[at];
    if (c == ';' || c == '}' || c == ')') return std::nullopt;
    const std::size_t end = c == '>' ? end_of_signs(code, at, '>', 3) : kNowhere;
    if (end != kNowhere) return Launch{open, {at, end}};
    at = c == '(' || c == '{' || c == '[' ? end_of_brackets(code, at) : at + 1;
  }
  return std::nullopt;
}

std::vector<Launch> launches_in(std::string_view code) {
  std::vector<Launch> launches;
  for (std::size_t at = code.find("<<"); at != kNowhere; at = code.find("<<", at + 1)) {
    const std::size_t end = end_of_signs(code, at, '<', 3);
    const auto launch = end == kNowhere ? std::nullopt : launch_from(code, {at, end});
    if (launch) launches.push_back(*launch);
  }
  return launches;
}

/// Where the name that ends before `end` begins: ns::kernel<N, f(x)>.
std::size_t begin_of_kernel(std::string_view code, std::size_t end) {
  const auto before = [&code](std::size_t at) {
    const std::size_t last = code.substr(0, at).find_last_not_of(" \t\n");
    return last == kNowhere ? 0 : last + 1;
  };
  std::size_t at = before(end);
  int depth = 0;
  while (at > 0 && (depth > 0 || code[at - 1] == '>')) {
    if (code[at - 1] == '>' || code[at - 1] == ')') ++depth;
    if (code[at - 1] == '<' || code[at - 1] == '(') --depth;
    --at;
  }
  at = before(at);
  while (at > 0 && (is_of_name(code[at - 1]) || code[at - 1] == ':')) --at;
  return at;
}

/// What stands for a piece of the text.
struct Edit {
  Range range;
  std::string text;
};

/// The lines of a piece of text without what is in them.
std::string lines_of(std::string_view text) {
  return std::string(static_cast<std::size_t>(std::ranges::count(text, '\n')), '\n');
}

std::string without_lines(std::string_view text) {
  std::string result(text);
  std::ranges::replace(result, '\n', ' ');
  return result;
}

void add_edits(std::string_view code, const Launch& launch, bool is_on_device, std::vector<Edit>& edits) {
  const auto signs = [&](Range range, std::string_view plain) {
    const std::string_view now = code.substr(range.begin, range.end - range.begin);
    return Edit{range, fmt::format("{}{}", plain, lines_of(now))};
  };
  if (!is_on_device) {
    edits.push_back(signs(launch.open, "<<<"));
    edits.push_back(signs(launch.close, ">>>"));
    return;
  }
  const std::size_t begin = begin_of_kernel(code, launch.open.begin);
  const std::string_view kernel = code.substr(begin, launch.open.begin - begin);
  edits.push_back(
      {{begin, begin}, fmt::format("__heddle_device_launch<decltype(&{}), &", without_lines(kernel))});
  edits.push_back(signs(launch.open, ">("));
  edits.push_back(signs(launch.close, ")"));
}

std::string edited(std::string_view text, const std::vector<Edit>& edits) {
  std::string result;
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    result.append(text.substr(done, edit.range.begin - done)).append(edit.text);
    done = edit.range.end;
  }
  return result.append(text.substr(done));
}

}  // namespace

std::optional<std::string> with_launches_for_clang(const std::string& preprocessed) {
  if (preprocessed.find("<<") == std::string::npos) return std::nullopt;
  const std::string code = code_of(preprocessed);
  const std::vector<Launch> launches = launches_in(code);
  if (launches.empty()) return std::nullopt;
  const std::vector<Range> bodies = device_bodies(code);
  std::vector<Edit> edits;
  for (const Launch& launch : launches) {
    const std::size_t at = launch.open.begin;
    const bool is_on_device =
        std::ranges::any_of(bodies, [at](const Range& body) { return body.begin < at && at < body.end; });
    const bool is_plain = launch.open.end - at == 3 && launch.close.end - launch.close.begin == 3;
    if (is_on_device || !is_plain) add_edits(code, launch, is_on_device, edits);
  }
  if (edits.empty()) return std::nullopt;
  return edited(preprocessed, edits);
}

}  // namespace heddle::cuda

#include "isa/text/dump_frame.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "isa/ir/opcode.h"

namespace heddle::text {

namespace {

using Kind = FrameLine::Kind;

constexpr std::string_view kCodeSection = ".text.";

/// Directives of object files. `.local` of theirs has a name behind it, ours a number.
constexpr std::array<std::string_view, 25> kObjectDirectives = {
    ".elftype", ".version", ".abiversion", ".sectionflags", ".sectioninfo", ".sectionentsize", ".align",
    ".global",  ".weak",    ".type",       ".size",         ".other",       ".zero",           ".byte",
    ".short",   ".word",    ".dword",      ".quad",         ".string",      ".common",         ".comm",
    ".extern",  ".file",    ".loc",        ".virtual"};

/// What cuobjdump says of each part of a file: "host = linux". The words before the sign.
constexpr std::array<std::string_view, 9> kHeads = {"code version", "producer", "host",
                                                    "compile_size", "arch",     "ptxasOptions",
                                                    "options",      "debug",    "version"};

/// How further lines of that kind begin.
constexpr std::array<std::string_view, 8> kBeginnings = {"Fatbin elf code:", "Fatbin ptx code:", "compressed",
                                                         "has debug info",   "identifier:",      "member ",
                                                         "cuobjdump ",       "nvdisasm "};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool consists_of(std::string_view text, char c) {
  return !text.empty() && text.find_first_not_of(c) == std::string_view::npos;
}

/// The number behind a word such as "sm_"; 0 if it is not there.
unsigned number_behind(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  unsigned number = 0;
  if (at == std::string_view::npos) return 0;
  const std::string_view digits = line.substr(at + word.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// The part of the line as a token of its own.
Token part(const Token& first, std::string_view text) {
  Token made = first;
  made.kind = Token::Kind::Word;
  made.column += static_cast<std::uint32_t>(text.data() - first.text.data());
  made.text = text;
  return made;
}

/// "Function : _Z6vecaddPKfS0_Pfi": a label has no blank before its colon.
std::optional<FrameLine> function_line(const Token& first, std::string_view line) {
  constexpr std::string_view kWord = "Function :";
  if (!line.starts_with(kWord)) return std::nullopt;
  const std::string_view name = trimmed(line.substr(kWord.size()));
  if (name.empty() || name.find_first_of(" \t;") != std::string_view::npos) return std::nullopt;
  return FrameLine{Kind::Function, part(first, name), 0, {}};
}

bool is_head(std::string_view line) {
  return std::any_of(kHeads.begin(), kHeads.end(), [line](std::string_view head) {
    return line.starts_with(head) && trimmed(line.substr(head.size())).starts_with('=');
  });
}

bool has_beginning(std::string_view line) {
  return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [line](std::string_view beginning) { return line.starts_with(beginning); });
}

FrameLine machine_line(std::string_view line, std::string_view word) {
  const unsigned capability = number_behind(line, word);
  return {capability == 0 ? Kind::PassedOver : Kind::Machine, {}, capability, {}};
}

std::optional<FrameLine> directive_line(const Token& first, std::string_view line) {
  if (consists_of(first.text, '.') && first.text.size() > 2) return FrameLine{Kind::End, {}, 0, {}};
  if (first.text == ".headerflags") return machine_line(line, "EF_CUDA_SM");
  if (first.text == ".target") return machine_line(line, "sm_");
  const std::string_view rest = trimmed(line.substr(first.text.size()));
  if (first.text == ".section") {
    const std::string_view name = trimmed(rest.substr(0, rest.find(',')));
    return FrameLine{Kind::Section, part(first, name), 0, {}};
  }
  const bool begins_number = !rest.empty() && rest.front() >= '0' && rest.front() <= '9';
  if (first.text == ".local" && !begins_number && !rest.empty()) return FrameLine{};
  const bool is_known =
      std::find(kObjectDirectives.begin(), kObjectDirectives.end(), first.text) != kObjectDirectives.end();
  return is_known ? std::optional(FrameLine{}) : std::nullopt;
}

/// Whether what stands behind the colon is an instruction, or nothing, so that a label stands before it.
bool instruction_follows(std::string_view line) {
  const std::string_view rest = trimmed(line.substr(std::min(line.find(':'), line.size() - 1) + 1));
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t;"));
  return rest.empty() || rest.starts_with("//") || rest.front() == '@' || ir::find_opcode(word).has_value();
}

std::optional<FrameLine> frame_line(const Token& first, std::string_view line) {
  if (first.text.starts_with('.') && first.kind == Token::Kind::Word) return directive_line(first, line);
  if (consists_of(trimmed(line), '=')) return FrameLine{};
  if (first.kind != Token::Kind::Word) return std::nullopt;
  if (const auto function = function_line(first, line)) return function;
  if (line.starts_with("code for sm_") || (line.starts_with("arch") && is_head(line)))
    return machine_line(line, "sm_");
  return is_head(line) || has_beginning(line) ? std::optional(FrameLine{}) : std::nullopt;
}

}  // namespace

std::optional<FrameLine> take_frame_line(StatementReader& reader) {
  const Token first = reader.peek();
  // Only `Function :` and `identifier: FILE` look like labels.
  if (reader.is_label() && first.text != "Function" && first.text != "identifier") return std::nullopt;
  if (first.text == "identifier" && instruction_follows(reader.rest_of_line())) return std::nullopt;
  const std::string_view line = reader.rest_of_line();
  auto found = frame_line(first, line);
  if (!found) return std::nullopt;
  found->text = line;
  reader.skip_line();
  return found;
}

std::string_view function_of_section(std::string_view section) {
  return section.starts_with(kCodeSection) ? section.substr(kCodeSection.size()) : std::string_view();
}

}  // namespace heddle::text

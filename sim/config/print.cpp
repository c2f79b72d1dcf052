#include "sim/config/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/describe.h"

namespace heddle::sim {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes != 0 && bytes % (1u << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes != 0 && bytes % (1u << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{}", bytes);
}

class YamlPrinter {
 public:
  [[nodiscard]] std::string take() { return std::move(text_); }

  void text(std::string_view key, std::string_view, const std::string& value) { add(key, quoted(value)); }
  void boolean(std::string_view key, std::string_view, bool value) { add(key, value ? "true" : "false"); }

  template <typename Number>
  void number(const NumberKey& key, Number value) {
    if constexpr (std::integral<Number>) {
      add(key.key, key.unit == "bytes" ? bytes_text(value) : fmt::format("{}", value));
    } else {
      add(key.key, fmt::format("{}", value));
    }
  }

  void sizes(std::string_view key, std::string_view, const std::vector<std::uint32_t>& values) {
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const std::uint32_t value : values) texts.push_back(bytes_text(value));
    add(key, fmt::format("[{}]", fmt::join(texts, ", ")));
  }

  void pipe_names(std::string_view key, std::string_view, const std::vector<PipeSpec>& pipes) {
    for (const PipeSpec& pipe : pipes) pipes_.push_back(quoted(pipe.name));
    add(key, fmt::format("[{}]", fmt::join(pipes_, ", ")));
  }

  void pipe_choice(std::string_view key, std::string_view, const std::vector<std::uint8_t>& choice) {
    std::vector<std::string> names;
    names.reserve(choice.size());
    for (const std::uint8_t pipe : choice) names.push_back(pipes_.at(pipe));
    add(key, fmt::format("[{}]", fmt::join(names, ", ")));
  }

  template <typename Spec>
  void group(std::string_view key, std::string_view, const Spec& spec) {
    text_ += fmt::format("{}{}:\n", indent_, key);
    indent_ += "  ";
    describe(*this, spec);
    indent_.resize(indent_.size() - 2);
  }

  /// A class of instructions takes one line: there are many.
  void group(std::string_view key, std::string_view, const ClassSpec& spec) {
    if (spec.is_absent()) return add(key, std::string(kAbsentClass));
    YamlPrinter fields;
    fields.pipes_ = pipes_;
    fields.separator_ = ", ";
    describe(fields, spec);
    fields.text_.resize(fields.text_.size() - fields.separator_.size());
    add(key, "{" + fields.text_ + "}");
  }

 private:
  void add(std::string_view key, const std::string& value) {
    text_ += fmt::format("{}{}: {}{}", indent_, key, value, separator_);
  }

  std::string text_;
  std::string indent_;
  std::string separator_ = "\n";
  std::vector<std::string> pipes_;
};

}  // namespace

std::string to_yaml(const GpuSpec& spec) {
  YamlPrinter printer;
  describe(printer, spec);
  return printer.take();
}

}  // namespace heddle::sim

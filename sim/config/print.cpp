#include "sim/config/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

/// The text of each value, handed to `Form`: add(key, value), add_text(key, words) for what may hold any
/// character, and open(key) and close() around a group.
template <typename Form>
class Printer {
 public:
  explicit Printer(Form& form, std::vector<std::string> pipes = {}) : form_(form), pipes_(std::move(pipes)) {}

  void text(std::string_view key, std::string_view, const std::string& value) { form_.add_text(key, value); }
  void policy(std::string_view key, std::string_view doc, const PolicyKind&, const std::string& value) {
    text(key, doc, value);
  }
  void boolean(std::string_view key, std::string_view, bool value) {
    form_.add(key, value ? "true" : "false");
  }

  template <typename Number>
  void number(const NumberKey& key, Number value) {
    if constexpr (std::integral<Number>) {
      form_.add(key.key, key.unit == "bytes" ? bytes_text(value) : fmt::format("{}", value));
    } else {
      form_.add(key.key, fmt::format("{}", value));
    }
  }

  void sizes(std::string_view key, std::string_view, const std::vector<std::uint32_t>& values) {
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const std::uint32_t value : values) texts.push_back(bytes_text(value));
    form_.add(key, fmt::format("[{}]", fmt::join(texts, ", ")));
  }

  void pipe_names(std::string_view key, std::string_view, const std::vector<PipeSpec>& pipes) {
    for (const PipeSpec& pipe : pipes) pipes_.push_back(quoted(pipe.name));
    form_.add(key, fmt::format("[{}]", fmt::join(pipes_, ", ")));
  }

  void pipe_choice(std::string_view key, std::string_view, const std::vector<std::uint8_t>& choice) {
    std::vector<std::string> names;
    names.reserve(choice.size());
    for (const std::uint8_t pipe : choice) names.push_back(pipes_.at(pipe));
    form_.add(key, fmt::format("[{}]", fmt::join(names, ", ")));
  }

  template <typename Spec>
  void group(std::string_view key, std::string_view, const Spec& spec) {
    form_.open(key);
    describe(*this, spec);
    form_.close();
  }

  void group(std::string_view key, std::string_view summary, const ClassSpec& spec) {
    if (spec.is_absent()) return form_.add(key, std::string(kAbsentClass));
    if constexpr (Form::kClassesOnOneLine) {
      form_.add(key, one_line(spec));
    } else {
      group<ClassSpec>(key, summary, spec);
    }
  }

 private:
  [[nodiscard]] std::string one_line(const ClassSpec& spec) const {
    Form fields(", ");
    Printer printer(fields, pipes_);
    describe(printer, spec);
    const std::string text = fields.take();
    return fmt::format("{{{}}}", text.substr(0, text.size() - 2));
  }

  Form& form_;
  std::vector<std::string> pipes_;
};

class YamlForm {
 public:
  static constexpr bool kClassesOnOneLine = true;  // there are many

  explicit YamlForm(std::string separator) : separator_(std::move(separator)) {}

  void add(std::string_view key, const std::string& value) {
    text_ += fmt::format("{}{}: {}{}", indent_, key, value, separator_);
  }
  void add_text(std::string_view key, const std::string& words) { add(key, quoted(words)); }
  void open(std::string_view key) {
    text_ += fmt::format("{}{}:\n", indent_, key);
    indent_ += "  ";
  }
  void close() { indent_.resize(indent_.size() - 2); }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string indent_;
  std::string separator_;
};

class FlatForm {
 public:
  static constexpr bool kClassesOnOneLine = false;

  void add(std::string_view key, const std::string& value) {
    values_.emplace_back(fmt::format("{}{}", prefix_, key), value);
  }
  void add_text(std::string_view key, const std::string& words) { add(key, words); }
  void open(std::string_view key) { prefix_ += fmt::format("{}.", key); }
  void close() { prefix_.resize(prefix_.find_last_of('.', prefix_.size() - 2) + 1); }

  [[nodiscard]] KeyValues take() { return std::move(values_); }

 private:
  KeyValues values_;
  std::string prefix_;
};

}  // namespace

std::string to_yaml(const GpuSpec& spec) {
  YamlForm form("\n");
  Printer printer(form);
  describe(printer, spec);
  return form.take();
}

KeyValues changed_values(const GpuSpec& before, const GpuSpec& after) {
  const auto values_of = [](const GpuSpec& spec) {
    FlatForm form;
    Printer printer(form);
    describe(printer, spec);
    return form.take();
  };
  const KeyValues known = values_of(before);
  KeyValues changed;
  for (const auto& value : values_of(after)) {
    if (std::find(known.begin(), known.end(), value) == known.end()) changed.push_back(value);
  }
  return changed;
}

}  // namespace heddle::sim

#include "tools/occupancy/ptxas.h"

#include <fmt/format.h>

#include <limits>

#include "isa/base/cpp_name.h"
#include "isa/base/read_number.h"

namespace heddle::occupancy {

namespace {

constexpr std::string_view kEntry = "Compiling entry function '";
constexpr std::string_view kProperties = "Function properties for ";
constexpr std::string_view kUsed = "Used ";
constexpr std::string_view kFunction = " Function ";
constexpr std::string_view kArchitecture = "arch = ";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text between `from` and the next quote.
std::string_view until_quote(std::string_view text) { return text.substr(0, text.find('\'')); }

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t\r:")); }

/// Larger numbers are treated as unreadable.
constexpr std::uint32_t kMostAmount = std::numeric_limits<std::int32_t>::max();

std::string_view digits_at_end(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  return text.substr(begin);
}

/// A number that stands before words.
struct Amount {
  bool is_there = false;
  std::optional<std::uint32_t> value;  ///< Nothing if it is too large.
};

/// The number, or sum of numbers (4096+16), before these words.
Amount number_before(std::string_view line, std::string_view words) {
  const std::size_t found = line.find(words);
  if (found == std::string_view::npos) return {};
  std::string_view front = line.substr(0, found);
  std::string_view digits = digits_at_end(front);
  if (digits.empty()) return {};
  std::uint64_t sum = 0;
  while (!digits.empty()) {
    const auto number = number_in<std::uint32_t>(digits);
    if (!number || *number > kMostAmount) return {true, std::nullopt};
    sum += *number;
    front.remove_suffix(digits.size());
    if (!front.ends_with('+')) break;
    front.remove_suffix(1);
    digits = digits_at_end(front);
  }
  if (sum > kMostAmount) return {true, std::nullopt};
  return {true, static_cast<std::uint32_t>(sum)};
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  void read(std::string_view line) {
    ++line_;
    if (const auto at = line.find(kEntry); at != std::string_view::npos) {
      begin_kernel(line.substr(at + kEntry.size()));
    } else if (const auto name = line.find(kProperties); name != std::string_view::npos) {
      properties_ = {};
      properties_.mangled = first_word(line.substr(name + kProperties.size()));
      properties_.where = {file_, line_, 0};
    } else if (line.starts_with(kFunction)) {
      begin_usage(line.substr(kFunction.size()));
    } else if (line.starts_with(kArchitecture)) {
      architecture_ = first_word(line.substr(kArchitecture.size()));
    } else if (line.find("REG:") != std::string_view::npos && line.find("SHARED:") != std::string_view::npos) {
      read_usage(line);
    } else if (line.find(" bytes stack frame") != std::string_view::npos) {
      read_stack(line);
    } else if (line.find(kUsed) != std::string_view::npos && number_before(line, " registers").is_there) {
      read_used(line);
    } else if (is_open_) {
      // Some tools break long lines when they pass them on.
      read_rest(line);
    }
  }

  std::vector<CompiledKernel> finish() {
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      if (has_registers_[i]) continue;
      problems_.add(kernels_[i].where,
                    fmt::format("kernel '{}' has no line 'Used ... registers'", kernels_[i].name));
    }
    if (kernels_.empty()) {
      problems_.add({file_, 0, 0},
                    "there is no kernel in it; ptxas -v, nvcc -Xptxas -v and nvcc --resource-usage "
                    "print \"ptxas info : Compiling entry function '...' for 'sm_..'\" for each, cuobjdump -res-usage "
                    "\"Function ...:\"");
    }
    problems_.throw_if_any();
    return std::move(kernels_);
  }

 private:
  void begin_kernel(std::string_view rest) {
    const std::string mangled(until_quote(rest));
    const std::size_t architecture = rest.find("for '");
    kernels_.push_back({mangled, demangled(mangled), {}, 0, 0, {}, 0, 0, 0, {file_, line_, 0}});
    has_registers_.push_back(false);
    if (architecture != std::string_view::npos)
      kernels_.back().architecture = until_quote(rest.substr(architecture + 5));
    properties_ = {};
    properties_.mangled = mangled;
    is_open_ = false;
  }

  /// Begins a kernel in cuobjdump's format.
  void begin_usage(std::string_view rest) {
    begin_kernel(rest.substr(0, rest.find(':')));
    kernels_.back().architecture = architecture_;
  }

  void read_usage(std::string_view line) {
    if (kernels_.empty() || has_registers_.back()) return;
    CompiledKernel& kernel = kernels_.back();
    kernel.registers = amount_behind(line, "REG:");
    kernel.static_shared = amount_behind(line, "SHARED:");
    kernel.stack_bytes = amount_behind(line, "STACK:");
    has_registers_.back() = true;
  }

  /// Begins a kernel with properties only, as a JIT compiler prints it.
  void begin_unannounced() {
    const CompiledKernel said = properties_;
    begin_kernel(said.mangled);
    CompiledKernel& kernel = kernels_.back();
    kernel.where = said.where;
    kernel.stack_bytes = said.stack_bytes;
    kernel.spill_stores = said.spill_stores;
    kernel.spill_loads = said.spill_loads;
  }

  [[nodiscard]] bool are_of_kernel() const {
    return !kernels_.empty() && properties_.mangled == kernels_.back().mangled;
  }

  /// Functions that a kernel calls have lines of their own.
  void read_stack(std::string_view line) {
    CompiledKernel& kernel = are_of_kernel() ? kernels_.back() : properties_;
    kernel.stack_bytes = amount(line, " bytes stack frame").value_or(0);
    kernel.spill_stores = amount(line, " bytes spill stores").value_or(0);
    kernel.spill_loads = amount(line, " bytes spill loads").value_or(0);
  }

  void read_used(std::string_view line) {
    const bool is_announced = !kernels_.empty() && !has_registers_.back();
    if (!is_announced && !properties_.mangled.empty() && !are_of_kernel()) begin_unannounced();
    if (kernels_.empty() || has_registers_.back()) return;
    kernels_.back().registers = amount(line, " registers").value_or(0);
    has_registers_.back() = true;
    is_open_ = true;
    read_rest(line);
  }

  void read_rest(std::string_view line) {
    CompiledKernel& kernel = kernels_.back();
    if (const auto bytes = amount(line, " bytes smem")) kernel.static_shared = *bytes;
    if (const auto barriers = amount(line, " barriers")) kernel.barriers = barriers;
    const std::size_t last = line.find_last_not_of(" \t\r");
    is_open_ = last != std::string_view::npos && line[last] == ',';
  }

  /// The number after a word of cuobjdump's; 0 if the word is missing.
  std::uint32_t amount_behind(std::string_view line, std::string_view word) {
    const std::size_t found = line.find(word);
    if (found == std::string_view::npos) return 0;
    const std::string_view text = first_word(line.substr(found + word.size()));
    if (text == "UNKNOWN") return 0;  // the stack of a kernel that calls through function pointers
    const auto number = number_in<std::uint32_t>(text);
    if (!number || *number > kMostAmount)
      problems_.add({file_, line_, 0}, fmt::format("what stands behind '{}' is no number, or too large", word));
    return number.value_or(0);
  }

  std::optional<std::uint32_t> amount(std::string_view line, std::string_view words) {
    const Amount number = number_before(line, words);
    if (number.is_there && !number.value)
      problems_.add({file_, line_, 0}, fmt::format("the number before '{}' is too large", words.substr(1)));
    return number.value;
  }

  std::string file_;
  std::uint32_t line_ = 0;
  std::vector<CompiledKernel> kernels_;
  std::vector<bool> has_registers_;
  CompiledKernel properties_;  ///< The function to which property lines belong, and its properties.
  std::string architecture_;   ///< The last one that cuobjdump named.
  bool is_open_ = false;       ///< The line with the registers continues on the next line.
  Diagnostics problems_;
};

}  // namespace

std::vector<CompiledKernel> read_ptxas(std::string_view text, const std::string& file) {
  Reader reader(file);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

}  // namespace heddle::occupancy

// A program that is compiled at run time.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/cuda/nvrtc/rtc_options.h"

namespace heddle::nvrtc {

/// A header that the program can include, though it is in no folder.
struct Header {
  std::string name;  ///< As it is included: "kernels/common.h"
  std::string text;
};

/// How a compilation ended.
enum class Outcome { Compiled, WrongOption, Refused };

/// CUDA C++, and what has been made of it.
class RtcProgram {
 public:
  /// `name` stands for the source in messages.
  RtcProgram(std::string source, std::string name, std::vector<Header> headers)
      : source_(std::move(source)), name_(std::move(name)), headers_(std::move(headers)) {}

  /// A kernel, or the address of a variable, whose name in the PTX is wanted: "scale<float>", "&offset".
  void add_name_expression(const std::string& expression) { lowered_.try_emplace(expression); }

  /// What the compiler says stands in log() afterwards. Throws InputError if there is no compiler.
  Outcome compile(std::span<const char* const> options);

  [[nodiscard]] bool was_compiled() const { return was_compiled_; }
  /// Nothing before a compilation that succeeded.
  [[nodiscard]] const std::optional<std::string>& ptx() const { return ptx_; }
  [[nodiscard]] const std::string& log() const { return log_; }
  /// Null if the expression was not added, or is not in the PTX.
  [[nodiscard]] const std::string* lowered_name(const std::string& expression) const;

 private:
  [[nodiscard]] std::string whole_source(bool is_for_device) const;
  /// Takes what name expressions have become out of the PTX.
  std::string without_names(const std::string& ptx);

  std::string source_;
  std::string name_;
  std::vector<Header> headers_;
  std::map<std::string, std::string> lowered_;  // by expression
  bool was_compiled_ = false;
  std::optional<std::string> ptx_;
  std::string log_;
};

}  // namespace heddle::nvrtc

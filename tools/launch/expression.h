// Expressions in launch files: Lua 5.4 in a sandbox.
//
// An expression sees the launch's named numbers, its buffers (read-only, elements counted from 0, # for their
// number), the contents of buffers before the kernel (before.a[i]), math, a part of string, and
//   f32(x)         x rounded to single precision
//   ffma(a, b, c)  a * b + c in single precision, rounded once
//   s32(x) u32(x)  a whole number modulo 2^32, as int and unsigned hold it
// It is one expression, or statements that end in `return`. It cannot reach files, processes, the clock or
// random numbers, cannot leave anything behind for the next evaluation, and is stopped if it takes too many
// steps or too much memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tools/launch/element_type.h"

struct lua_State;

namespace heddle::launch {

/// A mistake in an expression, without the position in the launch file.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A compiled expression. It belongs to the interpreter that compiled it.
struct Expression {
  int reference = 0;
  std::size_t longest_text = 0;  ///< Length of its longest string literal in bytes.
};

/// Whether a value or buffer may have this name: a C identifier without another meaning in expressions.
bool is_usable_name(std::string_view name);

/// The resources that expressions may use. A step is an instruction of Lua's virtual machine, which takes
/// some ten nanoseconds. Instructions that create or compare many bytes count as several steps. No string can
/// be longer than 16 KiB.
struct ExpressionLimits {
  std::size_t bytes = 1024 * 1024;
  std::int64_t steps_of_evaluation = 20'000'000;
  std::int64_t steps_in_all = 2'000'000'000;
};

/// A Lua state in which expressions are compiled and evaluated.
class Interpreter {
 public:
  explicit Interpreter(const ExpressionLimits& limits = {});
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  void set_number(const std::string& name, Number value);
  /// Sets a number in nested tables: "long.memory.l1_hit_rate", "run.4.cycles" (run[4].cycles).
  void set_figure(const std::string& path, Number value);
  /// The bytes must stay valid as long as expressions are evaluated; they are read when an expression uses
  /// them.
  void set_buffer(const std::string& name, ElementType type, std::span<const std::byte> bytes);
  /// The same under the name before.NAME.
  void set_initial(const std::string& name, ElementType type, std::span<const std::byte> bytes);

  Expression compile(const std::string& text);
  /// The expression may use the index `i`.
  Expression compile_for_index(const std::string& text);

  /// All evaluations throw ExpressionError if the expression fails or does not give a number.
  Number evaluate(Expression expression);
  Number evaluate_at(Expression expression, std::uint64_t i);

  /// Whether an evaluation has read a buffer element.
  [[nodiscard]] bool has_read_buffers() const;

  /// The steps of all evaluations so far, including those that were added because other interpreters made
  /// them.
  [[nodiscard]] std::int64_t steps() const;
  void add_steps(std::int64_t steps);

 private:
  struct Budget;
  /// Closes the Lua state.
  struct Close {
    void operator()(lua_State* state) const;
  };

  static void* allocate(void* budget, void* block, std::size_t old_bytes, std::size_t new_bytes);
  Expression compile(const std::string& text, const std::string& prefix);
  Number call(Expression expression, const std::uint64_t* index);

  std::unique_ptr<Budget> budget_;  // must outlive the state, which allocates from it
  std::unique_ptr<lua_State, Close> state_;
};

}  // namespace heddle::launch

// Expressions in launch files: Lua 5.4, shut in.
//
// An expression sees the launch's named numbers, its buffers (read-only, elements counted from 0, # for their
// number), what buffers held before the kernel ran (before.a[i]), math, a part of string, and
//   f32(x)         x rounded to single precision
//   ffma(a, b, c)  a * b + c in single precision, rounded once
//   s32(x) u32(x)  a whole number modulo 2^32, as int and unsigned hold it
// It is one expression, or statements that end in `return`. It cannot reach files, processes, the clock or
// random numbers, cannot leave anything behind for the next evaluation, and is stopped when it takes too many
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

/// What is wrong with an expression, without its place in the launch file.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A compiled expression; belongs to the interpreter that made it.
struct Expression {
  int reference = 0;
  std::size_t longest_text = 0;  ///< Of those written in it, in bytes.
};

/// Whether a value or buffer may be called this: a name as in C that means nothing else in an expression.
bool is_usable_name(std::string_view name);

/// What expressions may use. Steps are instructions of Lua's machine, some ten nanoseconds each; those that
/// make or may compare many bytes count as several. No text is longer than 16 KiB.
struct ExpressionLimits {
  std::size_t bytes = 1024 * 1024;
  std::int64_t steps_of_evaluation = 20'000'000;
  std::int64_t steps_in_all = 2'000'000'000;
};

class Interpreter {
 public:
  explicit Interpreter(const ExpressionLimits& limits = {});
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  void set_number(const std::string& name, Number value);
  /// A number of a table of tables: "long.memory.l1_hit_rate", "run.4.cycles" (run[4].cycles).
  void set_figure(const std::string& path, Number value);
  /// The bytes must live as long as expressions are evaluated; they are read when an expression asks.
  void set_buffer(const std::string& name, ElementType type, std::span<const std::byte> bytes);
  /// The same as before.NAME.
  void set_initial(const std::string& name, ElementType type, std::span<const std::byte> bytes);

  Expression compile(const std::string& text);
  /// The expression may name `i`.
  Expression compile_for_index(const std::string& text);

  /// All evaluations throw ExpressionError where the expression fails or gives no number.
  Number evaluate(Expression expression);
  Number evaluate_at(Expression expression, std::uint64_t i);

  /// Whether an evaluation has read an element of a buffer.
  [[nodiscard]] bool has_read_buffers() const;

  /// Of all evaluations so far, and such that others have taken in this one's place.
  [[nodiscard]] std::int64_t steps() const;
  void add_steps(std::int64_t steps);

 private:
  struct Budget;
  struct Close {
    void operator()(lua_State* state) const;
  };

  static void* allocate(void* budget, void* block, std::size_t old_bytes, std::size_t new_bytes);
  Expression compile(const std::string& text, const std::string& prefix);
  Number call(Expression expression, const std::uint64_t* index);

  std::unique_ptr<Budget> budget_;  // outlives the state, which allocates from it
  std::unique_ptr<lua_State, Close> state_;
};

}  // namespace heddle::launch

#include "tools/launch/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <lua.hpp>

#include "tools/launch/sandbox.h"

namespace heddle::launch {

namespace {

constexpr int kStepsPerCheck = 1000;
// What one step pays for, with some margin: bytes that are created, compared as text, or moved on the stack.
constexpr std::size_t kBytesMadePerStep = 16;
constexpr std::size_t kTextBytesPerStep = 16;
constexpr std::size_t kStackBytesPerStep = 2048;
constexpr std::size_t kBytesOfBlock = 64;  // overhead of a block in bytes
constexpr std::size_t kUsualText = 80;     // texts up to this size, with Lua's overhead, cost nothing extra
constexpr std::size_t kUsualStack = 8 * 1024;
constexpr std::size_t kMostText = 16 * 1024;
constexpr int kMoreThanFirstStack = 100;   // values
constexpr std::int64_t kStepsOfCall = 20;  // cost of an evaluation apart from its own steps

// A local variable, because an assignment to the chunk's upvalue would affect the next evaluation.
constexpr const char* kOwnEnvironment = "local _ENV <const> = _ENV; ";
constexpr const char* kChunkName = "=expression";
constexpr std::string_view kPlace = "expression:";

/// Removes the position that Lua adds. A one-line expression does not need it.
std::string without_place(std::string message) {
  if (!message.starts_with(kPlace)) return message;
  const std::size_t colon = message.find(':', kPlace.size());
  if (colon == std::string::npos) return message;
  const std::string line = message.substr(kPlace.size(), colon - kPlace.size());
  const std::string rest = message.substr(std::min(colon + 2, message.size()));
  return line == "1" ? rest : fmt::format("line {} of the expression: {}", line, rest);
}

/// Pops the error from the stack.
ExpressionError pop_error(lua_State* state, int status) {
  std::string message = "the expression failed with a value that is no text";
  if (lua_type(state, -1) == LUA_TSTRING) message = without_place(lua_tostring(state, -1));
  if (status == LUA_ERRMEM) message = "needs more memory than an expression may take";
  lua_pop(state, 1);
  return ExpressionError(message);
}

/// Runs `body` so that Lua errors, such as lack of memory, become exceptions. The body must not own anything,
/// because errors leave it by longjmp.
template <typename Body>
void protect(lua_State* state, Body body) {
  lua_pushcfunction(state, [](lua_State* inner) -> int {
    (*static_cast<Body*>(lua_touserdata(inner, 1)))(inner);
    return 0;
  });
  lua_pushlightuserdata(state, &body);
  const int status = lua_pcall(state, 1, 0, 0);
  if (status != LUA_OK) throw pop_error(state, status);
}

void push_number(lua_State* state, Number value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    lua_pushinteger(state, *integer);
  } else {
    lua_pushnumber(state, std::get<double>(value));
  }
}

/// To Lua `65,536` is two values. Taking the first would silently give 65.
void require_one_value(lua_State* state) {
  const int values = lua_gettop(state);
  if (values <= 1) return;
  throw ExpressionError(
      fmt::format("gives {} values, not one number: nothing stands between the thousands of a number, "
                  "and a list has no place here",
                  values));
}

/// To Lua `8--3` is 8 and a comment, not 11. In several lines of statements, comments are allowed.
void require_no_comment(std::string_view text) {
  if (text.find('\n') != std::string_view::npos || text.find("--") == std::string_view::npos) return;
  throw ExpressionError(
      "'--' begins a comment here, and what stands behind it would not be read; to subtract a "
      "negative number, write a - (-b)");
}

Number number_on_top(lua_State* state) {
  require_one_value(state);
  if (lua_gettop(state) == 0) lua_pushnil(state);
  if (lua_type(state, -1) != LUA_TNUMBER) {
    if (lua_isnil(state, -1))
      throw ExpressionError("gives nothing; statements must end in 'return' and a number");
    const std::string kind = lua_isuserdata(state, -1) ? "buffer" : luaL_typename(state, -1);
    throw ExpressionError(fmt::format("gives a {}, not a number", kind));
  }
  if (lua_isinteger(state, -1) != 0) return std::int64_t{lua_tointeger(state, -1)};
  return lua_tonumber(state, -1);
}

}  // namespace

/// The resources that the Lua state has used. The allocator's argument points to it.
///
/// Lua's hook counts instructions of the virtual machine, but one instruction can create, compare or move
/// many bytes. So created bytes are counted, too; and while there is a long text or a deep stack, each step
/// costs as much as using all of it.
struct Interpreter::Budget {
  struct Block {
    const void* begin = nullptr;
    std::size_t bytes = 0;
  };

  ExpressionLimits limits;
  std::size_t bytes = 0;
  std::size_t bytes_made = 0;  // not yet counted as steps
  std::size_t longest_text = 0;
  Block newest = {};
  Block stack = {};
  bool is_finding_stack = false;
  std::int64_t steps_of_evaluation = 0;
  std::int64_t steps_in_all = 0;
  bool has_read_buffers = false;

  void begin_evaluation(Expression expression) {
    steps_of_evaluation = 0;
    bytes_made = 0;
    longest_text = expression.longest_text;
    add_steps(kStepsOfCall);
  }

  void add_steps(std::int64_t steps) {
    steps += static_cast<std::int64_t>(bytes_made / kBytesMadePerStep);
    bytes_made = 0;
    steps_of_evaluation += steps;
    steps_in_all += steps;
  }

  [[nodiscard]] std::int64_t price_of_step() const {
    std::size_t price = 1;
    if (longest_text > kUsualText) price += longest_text / kTextBytesPerStep;
    if (stack.bytes > kUsualStack) price += stack.bytes / kStackBytesPerStep;
    return static_cast<std::int64_t>(price);
  }

  /// Decides whether a block of `freed` bytes may become one of `wanted` bytes. If not, Lua runs a full
  /// garbage collection, which is counted.
  bool admit(std::size_t freed, std::size_t wanted, bool is_text) {
    const bool fits = wanted <= freed || bytes - freed + wanted <= limits.bytes;
    if (fits && !(is_text && wanted > kMostText)) {
      bytes_made += wanted + kBytesOfBlock;
      if (is_text) longest_text = std::max(longest_text, wanted);
      return true;
    }
    bytes_made += bytes;
    return false;
  }

  [[nodiscard]] bool is_stack(const void* block) const {
    return block != nullptr && (block == stack.begin || is_finding_stack);
  }

  static void count_steps(lua_State* state, lua_Debug*) {
    void* argument = nullptr;
    lua_getallocf(state, &argument);
    auto* budget = static_cast<Budget*>(argument);
    budget->add_steps(kStepsPerCheck * budget->price_of_step());
    if (budget->steps_of_evaluation > budget->limits.steps_of_evaluation) {
      luaL_error(state, "takes more than %I steps: is there a loop without end?",
                 static_cast<LUAI_UACINT>(budget->limits.steps_of_evaluation));
    }
    if (budget->steps_in_all > budget->limits.steps_in_all) {
      luaL_error(state, "the expressions of this launch take more than %I steps in all",
                 static_cast<LUAI_UACINT>(budget->limits.steps_in_all));
    }
  }
};

void Interpreter::Close::operator()(lua_State* state) const { lua_close(state); }

void* Interpreter::allocate(void* budget, void* block, std::size_t old_bytes, std::size_t new_bytes) {
  auto* used = static_cast<Budget*>(budget);
  // For a new block, old_bytes is the kind of the object.
  const std::size_t freed = block == nullptr ? 0 : old_bytes;
  if (new_bytes == 0) {
    // Some versions of Lua allocate the new stack before they free the old one.
    if (used->is_stack(block)) used->stack = used->newest;
    std::free(block);
    used->bytes -= freed;
    return nullptr;
  }
  if (!used->admit(freed, new_bytes, block == nullptr && old_bytes == LUA_TSTRING)) return nullptr;
  const bool is_stack = used->is_stack(block);
  void* result = std::realloc(block, new_bytes);
  if (result == nullptr) return nullptr;
  used->bytes = used->bytes - freed + new_bytes;
  used->newest = {result, new_bytes};
  if (is_stack) used->stack = used->newest;
  return result;
}

Interpreter::Interpreter(const ExpressionLimits& limits)
    : budget_(std::make_unique<Budget>(Budget{.limits = limits})),
      state_(lua_newstate(allocate, budget_.get())) {
  if (!state_) throw std::bad_alloc();
  // This call makes the stack grow; the only block that changes is the stack.
  budget_->is_finding_stack = true;
  lua_checkstack(state_.get(), kMoreThanFirstStack);
  budget_->is_finding_stack = false;
  protect(state_.get(), open_sandbox);
  lua_sethook(state_.get(), Budget::count_steps, LUA_MASKCOUNT, kStepsPerCheck);
}

Interpreter::~Interpreter() = default;

void Interpreter::set_number(const std::string& name, Number value) {
  protect(state_.get(), [&](lua_State* state) {
    push_number(state, value);
    publish(state, name);
  });
}

void Interpreter::set_figure(const std::string& path, Number value) {
  protect(state_.get(), [&](lua_State* state) {
    push_number(state, value);
    publish_figure(state, path);
  });
}

void Interpreter::set_buffer(const std::string& name, ElementType type, std::span<const std::byte> bytes) {
  protect(state_.get(), [&](lua_State* state) {
    push_buffer(state, name, type, bytes.data(), bytes.size() / info(type).bytes, budget_->has_read_buffers);
    publish(state, name);
  });
}

void Interpreter::set_initial(const std::string& name, ElementType type, std::span<const std::byte> bytes) {
  protect(state_.get(), [&](lua_State* state) {
    push_buffer(state, name, type, bytes.data(), bytes.size() / info(type).bytes, budget_->has_read_buffers);
    publish_initial(state, name);
  });
}

Expression Interpreter::compile(const std::string& text) { return compile(text, kOwnEnvironment); }

Expression Interpreter::compile_for_index(const std::string& text) {
  return compile(text, fmt::format("{}local i = ...; ", kOwnEnvironment));
}

Expression Interpreter::compile(const std::string& text, const std::string& prefix) {
  require_no_comment(text);
  const std::string as_expression = prefix + "return " + text;
  const std::string as_chunk = prefix + text;
  const bool mentions_return = text.find("return") != std::string::npos;
  Expression result;
  budget_->longest_text = 0;
  protect(state_.get(), [&](lua_State* state) {
    const auto load = [state](const std::string& code) {
      return luaL_loadbufferx(state, code.data(), code.size(), kChunkName, "t") == LUA_OK;
    };
    // There are two messages: report the one for the form that was probably meant.
    if (!load(as_expression) && !load(as_chunk)) {
      if (!mentions_return) lua_pop(state, 1);
      lua_error(state);
    }
    push_environment(state);
    lua_setupvalue(state, -2, 1);
    result.reference = luaL_ref(state, LUA_REGISTRYINDEX);
  });
  result.longest_text = budget_->longest_text;
  return result;
}

Number Interpreter::evaluate(Expression expression) { return call(expression, nullptr); }

Number Interpreter::evaluate_at(Expression expression, std::uint64_t i) { return call(expression, &i); }

Number Interpreter::call(Expression expression, const std::uint64_t* index) {
  lua_State* state = state_.get();
  budget_->begin_evaluation(expression);
  lua_settop(state, 0);
  lua_rawgeti(state, LUA_REGISTRYINDEX, expression.reference);
  if (index != nullptr) lua_pushinteger(state, static_cast<lua_Integer>(*index));
  const int status = lua_pcall(state, index != nullptr ? 1 : 0, LUA_MULTRET, 0);
  budget_->add_steps(0);
  if (status != LUA_OK) throw pop_error(state, status);
  return number_on_top(state);
}

bool Interpreter::has_read_buffers() const { return budget_->has_read_buffers; }

std::int64_t Interpreter::steps() const { return budget_->steps_in_all; }

void Interpreter::add_steps(std::int64_t steps) { budget_->steps_in_all += steps; }

bool is_usable_name(std::string_view name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (name.empty() || !is_letter(name[0]) || is_reserved_name(name)) return false;
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace heddle::launch

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
constexpr std::int64_t kStepsOfCall = 20;  // what an evaluation costs beside its own steps

// Not the chunk's upvalue, which an assignment would change for the next evaluation too.
constexpr const char* kOwnEnvironment = "local _ENV <const> = _ENV; ";
constexpr const char* kChunkName = "=expression";
constexpr std::string_view kPlace = "expression:";

/// Lua names the line; a one-line expression needs none.
std::string without_place(std::string message) {
  if (!message.starts_with(kPlace)) return message;
  const std::size_t colon = message.find(':', kPlace.size());
  if (colon == std::string::npos) return message;
  const std::string line = message.substr(kPlace.size(), colon - kPlace.size());
  const std::string rest = message.substr(std::min(colon + 2, message.size()));
  return line == "1" ? rest : fmt::format("line {} of the expression: {}", line, rest);
}

/// Takes the error off the stack.
ExpressionError pop_error(lua_State* state, int status) {
  std::string message = "the expression failed with a value that is no text";
  if (lua_type(state, -1) == LUA_TSTRING) message = without_place(lua_tostring(state, -1));
  if (status == LUA_ERRMEM) message = "needs more memory than an expression may take";
  lua_pop(state, 1);
  return ExpressionError(message);
}

/// Runs `body` where an error of Lua's, such as lack of memory, becomes an exception. The body must not own
/// anything: errors leave it by longjmp.
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

Number number_on_top(lua_State* state) {
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

/// What the state has used. Found again through the allocator's argument.
struct Interpreter::Budget {
  ExpressionLimits limits;
  std::size_t bytes = 0;
  std::int64_t steps_of_evaluation = 0;
  std::int64_t steps_in_all = 0;

  static void count_steps(lua_State* state, lua_Debug*) {
    void* argument = nullptr;
    lua_getallocf(state, &argument);
    auto* budget = static_cast<Budget*>(argument);
    budget->steps_of_evaluation += kStepsPerCheck;
    budget->steps_in_all += kStepsPerCheck;
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
  // For a new block, old_bytes says what kind it is.
  const std::size_t freed = block == nullptr ? 0 : old_bytes;
  if (new_bytes == 0) {
    std::free(block);
    used->bytes -= freed;
    return nullptr;
  }
  if (new_bytes > freed && used->bytes - freed + new_bytes > used->limits.bytes) return nullptr;
  void* result = std::realloc(block, new_bytes);
  if (result != nullptr) used->bytes = used->bytes - freed + new_bytes;
  return result;
}

Interpreter::Interpreter(const ExpressionLimits& limits)
    : budget_(std::make_unique<Budget>(Budget{.limits = limits})),
      state_(lua_newstate(allocate, budget_.get())) {
  if (!state_) throw std::bad_alloc();
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
    push_buffer(state, name, type, bytes.data(), bytes.size() / info(type).bytes);
    publish(state, name);
  });
}

void Interpreter::set_initial(const std::string& name, ElementType type, std::span<const std::byte> bytes) {
  protect(state_.get(), [&](lua_State* state) {
    push_buffer(state, name, type, bytes.data(), bytes.size() / info(type).bytes);
    publish_initial(state, name);
  });
}

Expression Interpreter::compile(const std::string& text) { return compile(text, kOwnEnvironment); }

Expression Interpreter::compile_for_index(const std::string& text) {
  return compile(text, fmt::format("{}local i = ...; ", kOwnEnvironment));
}

Expression Interpreter::compile(const std::string& text, const std::string& prefix) {
  const std::string as_expression = prefix + "return " + text;
  const std::string as_chunk = prefix + text;
  const bool mentions_return = text.find("return") != std::string::npos;
  Expression result;
  protect(state_.get(), [&](lua_State* state) {
    const auto load = [state](const std::string& code) {
      return luaL_loadbufferx(state, code.data(), code.size(), kChunkName, "t") == LUA_OK;
    };
    // Of two messages, the one about what was probably meant.
    if (!load(as_expression) && !load(as_chunk)) {
      if (!mentions_return) lua_pop(state, 1);
      lua_error(state);
    }
    push_environment(state);
    lua_setupvalue(state, -2, 1);
    result.reference = luaL_ref(state, LUA_REGISTRYINDEX);
  });
  return result;
}

Number Interpreter::evaluate(Expression expression) { return call(expression, nullptr); }

Number Interpreter::evaluate_at(Expression expression, std::uint64_t i) { return call(expression, &i); }

Number Interpreter::call(Expression expression, const std::uint64_t* index) {
  lua_State* state = state_.get();
  budget_->steps_of_evaluation = 0;
  budget_->steps_in_all += kStepsOfCall;
  lua_settop(state, 0);
  lua_rawgeti(state, LUA_REGISTRYINDEX, expression.reference);
  if (index != nullptr) lua_pushinteger(state, static_cast<lua_Integer>(*index));
  const int status = lua_pcall(state, index != nullptr ? 1 : 0, 1, 0);
  if (status != LUA_OK) throw pop_error(state, status);
  return number_on_top(state);
}

std::int64_t Interpreter::steps() const { return budget_->steps_in_all; }

void Interpreter::add_steps(std::int64_t steps) { budget_->steps_in_all += steps; }

bool is_usable_name(std::string_view name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (name.empty() || !is_letter(name[0]) || is_reserved_name(name)) return false;
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace heddle::launch

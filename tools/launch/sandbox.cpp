#include "tools/launch/sandbox.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <lua.hpp>

// All code here runs inside lua_pcall, and errors leave it by longjmp. So no object with a destructor may
// live across a call into Lua.

namespace heddle::launch {

namespace {

// Left out on purpose: functions that read files or the clock; functions that catch errors, because they
// would also catch the step limit; functions with side effects or an undefined order (pairs, random, print,
// addresses as text); metatables, because their finalizers run outside of the step limit; and string
// functions that can run long inside C without producing long text (find, match, rep, format, pack and
// similar).
constexpr std::array kBaseNames = {"assert", "error", "ipairs", "select", "tonumber", "type"};
constexpr std::array kMathNames = {"abs", "acos",       "asin", "atan", "ceil", "cos", "deg",
                                   "exp", "floor",      "fmod", "huge", "log",  "max", "maxinteger",
                                   "min", "mininteger", "modf", "pi",   "rad",  "sin", "sqrt",
                                   "tan", "tointeger",  "type", "ult"};
constexpr std::array kStringNames = {"byte", "char", "len", "lower", "reverse", "sub", "upper"};
constexpr std::array kOwnNames = {"before", "f32", "ffma", "i", "math", "s32", "string", "u32"};
constexpr std::array kKeywords = {"and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
                                  "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
                                  "repeat",   "return", "then", "true", "until",  "while"};

constexpr const char* kPublished = "heddle.published";
constexpr const char* kInitial = "heddle.initial";
// from the path of a table of figures to the writable table behind its read-only proxy
constexpr const char* kRecords = "heddle.records";
constexpr const char* kEnvironment = "heddle.environment";
constexpr const char* kBufferKind = "buffer";

/// The payload of a buffer's userdata. The name follows it in memory.
struct BufferView {
  ElementType type;
  const std::byte* data;
  lua_Integer count;
  bool* was_read;

  [[nodiscard]] const char* name() const { return reinterpret_cast<const char*>(this + 1); }
};

int refuse_write(lua_State* state) { return luaL_error(state, "only names declared 'local' can be set"); }

int unknown_name(lua_State* state) {
  return luaL_error(state, "'%s' is no value, buffer or function here", luaL_tolstring(state, 2, nullptr));
}

int unknown_initial(lua_State* state) {
  return luaL_error(state, "'before' has no buffer '%s'", luaL_tolstring(state, 2, nullptr));
}

int unknown_figure(lua_State* state) {
  return luaL_error(state, "there is no figure '%s'", luaL_tolstring(state, 2, nullptr));
}

int read_buffer(lua_State* state) {
  const auto* view = static_cast<const BufferView*>(lua_touserdata(state, 1));
  int is_integer = 0;
  const lua_Integer index = lua_tointegerx(state, 2, &is_integer);
  if (is_integer == 0) return luaL_error(state, "'%s' is indexed by whole numbers", view->name());
  if (index < 0 || index >= view->count) {
    return luaL_error(state, "%s[%I] is out of range: '%s' has %I elements, counted from 0", view->name(),
                      static_cast<LUAI_UACINT>(index), view->name(), static_cast<LUAI_UACINT>(view->count));
  }
  *view->was_read = true;
  const Number value =
      load_element(view->type, view->data + static_cast<std::size_t>(index) * info(view->type).bytes);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    lua_pushinteger(state, *integer);
  } else {
    lua_pushnumber(state, std::get<double>(value));
  }
  return 1;
}

int buffer_length(lua_State* state) {
  lua_pushinteger(state, static_cast<const BufferView*>(lua_touserdata(state, 1))->count);
  return 1;
}

/// The argument rounded to f32. Integers are rounded once, without a conversion to double.
float float_argument(lua_State* state, int argument) {
  Number number = luaL_checknumber(state, argument);
  if (lua_isinteger(state, argument) != 0) number = std::int64_t{lua_tointeger(state, argument)};
  float value = 0;
  store_element(ElementType::F32, reinterpret_cast<std::byte*>(&value), number);
  return value;
}

int f32(lua_State* state) {
  lua_pushnumber(state, static_cast<double>(float_argument(state, 1)));
  return 1;
}

int ffma(lua_State* state) {
  const float sum = std::fma(float_argument(state, 1), float_argument(state, 2), float_argument(state, 3));
  lua_pushnumber(state, static_cast<double>(sum));
  return 1;
}

int s32(lua_State* state) {
  lua_pushinteger(state, static_cast<std::int32_t>(luaL_checkinteger(state, 1)));
  return 1;
}

int u32(lua_State* state) {
  lua_pushinteger(state, static_cast<std::uint32_t>(luaL_checkinteger(state, 1)));
  return 1;
}

constexpr luaL_Reg kOwnFunctions[] = {{"f32", f32}, {"ffma", ffma}, {"s32", s32}, {"u32", u32}};

/// Copies fields of the table below the top into the table on top.
void pick(lua_State* state, const char* const* names, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    lua_getfield(state, -2, names[i]);
    lua_setfield(state, -2, names[i]);
  }
}

/// Replaces the table on top by an empty one that forwards reads to it and refuses writes.
void make_read_only(lua_State* state) {
  lua_newtable(state);
  lua_createtable(state, 0, 2);
  lua_rotate(state, -3, -1);  // proxy, metatable, table
  lua_setfield(state, -2, "__index");
  lua_pushcfunction(state, refuse_write);
  lua_setfield(state, -2, "__newindex");
  lua_setmetatable(state, -2);
}

/// Pushes a table with the named fields of a standard library.
void push_part(lua_State* state, const char* library, lua_CFunction open, const char* const* names,
               std::size_t count) {
  luaL_requiref(state, library, open, 0);
  lua_newtable(state);
  pick(state, names, count);
  lua_remove(state, -2);
}

/// Gives the table on top a function that is called for missing fields.
void answer_missing(lua_State* state, lua_CFunction answer) {
  lua_createtable(state, 0, 1);
  lua_pushcfunction(state, answer);
  lua_setfield(state, -2, "__index");
  lua_setmetatable(state, -2);
}

void publish_libraries(lua_State* state) {
  push_part(state, LUA_MATHLIBNAME, luaopen_math, kMathNames.data(), kMathNames.size());
  make_read_only(state);
  publish(state, LUA_MATHLIBNAME);

  push_part(state, LUA_STRLIBNAME, luaopen_string, kStringNames.data(), kStringNames.size());
  lua_pushliteral(state, "");
  // the metatable of all strings: ("x"):rep(n) must not give access to other functions
  lua_getmetatable(state, -1);
  lua_pushvalue(state, -3);
  lua_setfield(state, -2, "__index");
  lua_pop(state, 2);
  make_read_only(state);
  publish(state, LUA_STRLIBNAME);
}

void make_buffer_kind(lua_State* state) {
  luaL_newmetatable(state, kBufferKind);
  constexpr luaL_Reg kMethods[] = {
      {"__index", read_buffer}, {"__newindex", refuse_write}, {"__len", buffer_length}, {nullptr, nullptr}};
  luaL_setfuncs(state, kMethods, 0);
  lua_pop(state, 1);
}

void publish_into(lua_State* state, const char* table, std::string_view name) {
  lua_getfield(state, LUA_REGISTRYINDEX, table);
  lua_pushlstring(state, name.data(), name.size());
  lua_rotate(state, -3, -1);  // table, name, value
  lua_rawset(state, -3);
  lua_pop(state, 1);
}

/// Pushes a part of a figure's path; a whole number is pushed as a number.
void push_part_name(lua_State* state, std::string_view part) {
  lua_pushlstring(state, part.data(), part.size());
  if (lua_stringtonumber(state, lua_tostring(state, -1)) != 0) lua_remove(state, -2);
}

/// Replaces the table on top by its subtable for this part of a path, and creates that if necessary.
void enter_record(lua_State* state, std::string_view path, std::string_view part) {
  lua_getfield(state, LUA_REGISTRYINDEX, kRecords);
  lua_pushlstring(state, path.data(), path.size());
  if (lua_rawget(state, -2) == LUA_TNIL) {
    lua_pop(state, 1);
    lua_newtable(state);
    answer_missing(state, unknown_figure);
    lua_pushlstring(state, path.data(), path.size());
    lua_pushvalue(state, -2);
    lua_rawset(state, -4);  // parent, records, table
    push_part_name(state, part);
    lua_pushvalue(state, -2);
    make_read_only(state);
    lua_rawset(state, -5);
  }
  lua_replace(state, -3);
  lua_pop(state, 1);
}

template <std::size_t kCount>
bool contains(const std::array<const char*, kCount>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void open_sandbox(lua_State* state) {
  push_part(state, LUA_GNAME, luaopen_base, kBaseNames.data(), kBaseNames.size());
  answer_missing(state, unknown_name);
  lua_setfield(state, LUA_REGISTRYINDEX, kPublished);

  publish_libraries(state);
  for (const luaL_Reg& function : kOwnFunctions) {
    lua_pushcfunction(state, function.func);
    publish(state, function.name);
  }

  lua_newtable(state);
  answer_missing(state, unknown_initial);
  lua_pushvalue(state, -1);
  lua_setfield(state, LUA_REGISTRYINDEX, kInitial);
  make_read_only(state);
  publish(state, "before");

  lua_newtable(state);
  lua_setfield(state, LUA_REGISTRYINDEX, kRecords);

  lua_getfield(state, LUA_REGISTRYINDEX, kPublished);
  make_read_only(state);
  lua_setfield(state, LUA_REGISTRYINDEX, kEnvironment);
  make_buffer_kind(state);
}

void push_environment(lua_State* state) { lua_getfield(state, LUA_REGISTRYINDEX, kEnvironment); }

void publish(lua_State* state, std::string_view name) { publish_into(state, kPublished, name); }

void publish_initial(lua_State* state, std::string_view name) { publish_into(state, kInitial, name); }

void publish_figure(lua_State* state, std::string_view path) {
  lua_getfield(state, LUA_REGISTRYINDEX, kPublished);
  std::size_t begin = 0;
  for (std::size_t end = path.find('.'); end != std::string_view::npos; end = path.find('.', begin)) {
    enter_record(state, path.substr(0, end), path.substr(begin, end - begin));
    begin = end + 1;
  }
  push_part_name(state, path.substr(begin));
  lua_pushvalue(state, -3);  // number, table, name, number
  lua_rawset(state, -3);
  lua_pop(state, 2);
}

void push_buffer(lua_State* state, std::string_view name, ElementType type, const std::byte* data,
                 std::size_t count, bool& was_read) {
  void* block = lua_newuserdatauv(state, sizeof(BufferView) + name.size() + 1, 0);
  auto* view = new (block) BufferView{type, data, static_cast<lua_Integer>(count), &was_read};
  char* text = reinterpret_cast<char*>(view + 1);
  std::memcpy(text, name.data(), name.size());
  text[name.size()] = '\0';
  luaL_setmetatable(state, kBufferKind);
}

bool is_reserved_name(std::string_view name) {
  return contains(kBaseNames, name) || contains(kOwnNames, name) || contains(kKeywords, name);
}

}  // namespace heddle::launch

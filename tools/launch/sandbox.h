// What Lua code in a launch file can name.
#pragma once

#include <cstddef>
#include <string_view>

#include "tools/launch/element_type.h"

struct lua_State;

namespace heddle::launch {

/// Makes the environment in the registry. Called under lua_pcall, as is all that follows.
void open_sandbox(lua_State* state);

/// Pushes the table that expressions get as their _ENV: it reads through to what is published and takes no
/// writes.
void push_environment(lua_State* state);

/// Publishes the value on top of the stack under a name, and pops it.
void publish(lua_State* state, std::string_view name);
/// The same as before.NAME.
void publish_initial(lua_State* state, std::string_view name);

/// Publishes the number on top of the stack as a figure, "long.l1.hits" or "run.4.cycles", and pops it: the
/// parts between the points are read-only tables, those of whole numbers indexed by them.
void publish_figure(lua_State* state, std::string_view path);

/// Pushes a read-only view of a buffer, which sets `was_read` when an element is read.
void push_buffer(lua_State* state, std::string_view name, ElementType type, const std::byte* data,
                 std::size_t count, bool& was_read);

/// Whether an expression could mean something else by the name.
bool is_reserved_name(std::string_view name);

}  // namespace heddle::launch

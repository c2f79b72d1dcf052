// The sandbox of Lua code in launch files: the names that it can use.
#pragma once

#include <cstddef>
#include <string_view>

#include "tools/launch/element_type.h"

struct lua_State;

namespace heddle::launch {

/// Creates the environment in the Lua registry. Like all functions below, it must be called under lua_pcall.
void open_sandbox(lua_State* state);

/// Pushes the table that is the _ENV of expressions. It gives read access to what is published and refuses
/// writes.
void push_environment(lua_State* state);

/// Publishes the value on top of the stack under a name and pops it.
void publish(lua_State* state, std::string_view name);
/// The same under the name before.NAME.
void publish_initial(lua_State* state, std::string_view name);

/// Publishes the number on top of the stack as a figure, "long.l1.hits" or "run.4.cycles", and pops it. The
/// parts between the points become read-only tables; whole numbers become indices.
void publish_figure(lua_State* state, std::string_view path);

/// Pushes a read-only view of a buffer. Reading an element sets `was_read`.
void push_buffer(lua_State* state, std::string_view name, ElementType type, const std::byte* data,
                 std::size_t count, bool& was_read);

/// Whether the name has another meaning in expressions.
bool is_reserved_name(std::string_view name);

}  // namespace heddle::launch

// Where the command's words go.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/stream/kernel_fault.h"

namespace heddle::command {

/// To standard output. Throws InputError if it takes no more, as on a full disk.
void write_output(std::string_view text);

/// To standard error, but for bytes that would make a terminal do something: files and command lines may hold
/// some. Nothing can be done if that fails.
void print_error(std::string_view text);
/// The same with all its bytes: a line that is drawn over.
void print_progress(std::string_view text);

/// What standard error says of a mistake of the simulated program.
std::string fault_text(const stream::KernelFault& fault);

/// Writes a file: all of it, or nothing and an InputError. An older file is replaced only by a complete new
/// one.
void write_file(const std::string& path, std::string_view text);

/// Where a report goes: into a file, as write_file does it, or to standard output.
void deliver(std::string_view text, const std::optional<std::string>& file);

/// Throws InputError where a file to be written is one that is read, or is to be written twice: each would be
/// lost.
void require_own_places(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

bool is_terminal(std::FILE* stream);

/// Whether escape sequences are welcome there: a terminal, unless NO_COLOR is set or it is a dumb one.
bool wants_colour(std::FILE* stream);

}  // namespace heddle::command

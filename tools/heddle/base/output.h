// Writes to standard output, standard error and files.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/stream/kernel_fault.h"

namespace heddle::command {

/// Writes to standard output. Throws InputError if that fails, as on a full disk.
void write_output(std::string_view text);

/// Writes to standard error. Bytes that would control a terminal are removed, because files and command lines
/// may contain them. A failure is ignored.
void print_error(std::string_view text);
/// The same with all bytes, for a progress line that is overwritten later.
void print_progress(std::string_view text);

/// The message on standard error about a mistake of the simulated program.
std::string fault_text(const stream::KernelFault& fault);

/// Writes a file completely, or throws InputError and writes nothing. An older file is replaced only by a
/// complete new one.
void write_file(const std::string& path, std::string_view text);

/// Writes a report to a file, as write_file does, or to standard output.
void deliver(std::string_view text, const std::optional<std::string>& file);

/// Throws InputError if an output file is also an input, or is to be written twice, because one of the two
/// would be lost.
void require_own_places(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

bool is_terminal(std::FILE* stream);

/// Whether to use colours: on a terminal, unless NO_COLOR is set or the terminal is dumb.
bool wants_colour(std::FILE* stream);

}  // namespace heddle::command

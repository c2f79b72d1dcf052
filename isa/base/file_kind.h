// Recognizes files of the wrong kind. If a CUDA source is given as a kernel, the message says so instead of
// complaining about its first line.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// The kinds of files that a caller can expect.
enum class FileRole {
  Kernel,
  Launch,
  Gpu,
  Trace,
  Report,  ///< Output of a program: a compiler's log, a profiler's table.
  Suite,
  Table,     ///< Comma-separated values.
  Document,  ///< JSON.
};

/// Throws InputError if the first bytes or the name of a file show that it is of a kind that cannot be used
/// here: CUDA C++, PTX, machine code, a profiler's binary report, or one of Heddle's own files with another
/// role. The message says what the file is and what can be done with it. A Report may quote source code.
/// `beginning` holds the first bytes, some thousand or all.
void require_role(FileRole role, const std::string& path, std::string_view beginning);

/// The same for a file; reads its beginning. Does nothing if the file cannot be read; whatever opens it later
/// reports that.
void require_role_of_file(FileRole role, const std::string& path);

/// Whether this is PTX, by the file's name or by its text.
bool is_ptx(std::string_view path, std::string_view text);

/// Whether this is CUDA C++, by the file's name or by its text.
bool is_cuda(std::string_view path, std::string_view text);

}  // namespace heddle

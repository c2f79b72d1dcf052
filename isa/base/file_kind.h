// What a file is, where another kind was expected: a person who hands over a CUDA source learns that, and not
// that its first line is no instruction.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// What a file can be taken for.
enum class FileRole {
  Kernel,
  Launch,
  Gpu,
  Trace,
  Report,  ///< What a program printed: a compiler's log, a profiler's table.
  Suite,
  Table,     ///< Comma-separated values.
  Document,  ///< JSON.
};

/// Throws InputError, saying what the file is and what can be done with it, if its first bytes or its name
/// show that it is of a kind that does not serve here: CUDA C++, PTX, machine code, a profiler's binary
/// report, or one of Heddle's own of another role. What programs print may quote a source. `beginning`: its
/// first bytes, some thousand or all.
void require_role(FileRole role, const std::string& path, std::string_view beginning);

/// The same, reading the beginning; of files that cannot be read others tell.
void require_role_of_file(FileRole role, const std::string& path);

}  // namespace heddle

// The provenance of a result: enough to make it again, and to see whether that is still possible.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::report {

/// An input file and the SHA-256 of its bytes in hexadecimal digits, as sha256sum prints it.
struct HashedFile {
  /// The name on the command line or in another file; "configs/h100.yaml" for a GPU by name.
  std::string path;
  std::string sha256;  ///< Empty for a pipe whose bytes could not be hashed while they were read.

  bool operator==(const HashedFile&) const = default;
};

/// What a result was made from.
struct Provenance {
  std::string version;  ///< Version of the program: "0.1.0".
  /// The command line from "heddle" on. Options on which neither figures nor the report depend, such as
  /// --threads and --output, are left out.
  std::vector<std::string> command;
  /// Changed keys of the GPU file, and their values.
  std::vector<std::pair<std::string, std::string>> gpu_changes;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< Values of the launch file in this run.
  std::vector<HashedFile> files;

  /// The command line in the syntax of a POSIX shell.
  [[nodiscard]] std::string command_text() const;
  /// "l1.latency 40, l2.latency 200"; empty if nothing was changed.
  [[nodiscard]] std::string changes_text() const;

  /// Adds the files that are not there yet.
  void add_files(const std::vector<HashedFile>& others);
};

/// The word, in single quotes if a POSIX shell needs them.
std::string shell_quoted(const std::string& word);

}  // namespace heddle::report

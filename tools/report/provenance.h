// What made a result: enough to make it again, and to see whether that is still possible.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::report {

/// A file that was read, with the SHA-256 of its bytes in hexadecimal digits, as sha256sum prints it.
struct HashedFile {
  std::string path;  ///< As the command line or another file names it; "configs/h100.yaml" for a GPU by name.
  std::string sha256;  ///< Empty of a pipe that had to be read where nobody could count along.

  bool operator==(const HashedFile&) const = default;
};

struct Provenance {
  std::string version;  ///< That of the program: "0.1.0".
  /// The command line from "heddle" on, without the options that no figure and no line of the report depends
  /// on, such as --threads and --output.
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>>
      gpu_changes;  ///< Keys of the GPU's file, and what they are.
  std::vector<std::pair<std::string, std::string>> parameters;  ///< Values of the launch file, as it was run.
  std::vector<HashedFile> files;

  /// As a POSIX shell reads it.
  [[nodiscard]] std::string command_text() const;
  /// "l1.latency 40, l2.latency 200"; empty where nothing is changed.
  [[nodiscard]] std::string changes_text() const;

  /// Adds those that are not there yet.
  void add_files(const std::vector<HashedFile>& others);
};

/// A word in single quotes where a POSIX shell would not take it as it is.
std::string shell_quoted(const std::string& word);

}  // namespace heddle::report

// The command lines that reports name, as these name them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace heddle::command {

/// The arguments behind "heddle" of the command that the provenance names.
std::vector<std::string> command_in(const nlohmann::json& report);

/// What a text says behind "Made by heddle 0.1.0: ", if need be in several lines and behind marks of
/// comments.
std::string shown_command(const std::string& text);

/// Without what stands from there on, and the empty line before it.
std::string without_made_by(const std::string& text);
/// A GPU file without its lines of comment.
std::string without_comments(const std::string& text);
/// A table without its last columns, which say what made it.
std::string without_provenance_columns(const std::string& csv);

/// What a shell in the root of the project writes, where `heddle` is the command.
std::string out_of_shell(const std::string& line);

}  // namespace heddle::command

// The calculation behind an answer, line by line as people do it by hand, and the textbook formula for
// comparison.
#pragma once

#include <string>
#include <vector>

#include "tools/occupancy/question.h"

namespace heddle::occupancy {

/// A line and its subject: {"registers", "65,536 in 4 pools ..."}.
struct ExplainedLine {
  std::string about;
  std::string text;
};

/// The calculation in parts.
struct Explanation {
  std::vector<ExplainedLine> block;     ///< What one block takes.
  std::vector<ExplainedLine> hardware;  ///< How many blocks an SM holds.
  std::vector<ExplainedLine> textbook;
  std::vector<std::string> differences;  ///< Why the two results differ; empty if they are equal.
};

Explanation explain(const Answer& answer);

/// Lines are wrapped at this many columns.
std::string to_text(const Explanation& explanation, std::size_t columns = std::string::npos);

}  // namespace heddle::occupancy

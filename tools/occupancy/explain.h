// The arithmetic of an answer, line by line, as a person would write it by hand, with the textbook's formula
// beside it.
#pragma once

#include <string>
#include <vector>

#include "tools/occupancy/question.h"

namespace heddle::occupancy {

/// A line with what it is about: {"registers", "65,536 in 4 pools ..."}.
struct ExplainedLine {
  std::string about;
  std::string text;
};

struct Explanation {
  std::vector<ExplainedLine> block;     ///< What one block takes.
  std::vector<ExplainedLine> hardware;  ///< How many an SM holds.
  std::vector<ExplainedLine> textbook;
  std::vector<std::string> differences;  ///< Why the two differ; empty if they do not.
};

Explanation explain(const Answer& answer);

/// Lines of no more columns than that; what does not fit stands below.
std::string to_text(const Explanation& explanation, std::size_t columns = std::string::npos);

}  // namespace heddle::occupancy

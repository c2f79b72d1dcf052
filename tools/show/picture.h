// A picture for a lecture, in both of its forms.
#pragma once

#include <string>

#include "tools/report/document.h"

namespace heddle::show {

/// The same facts twice.
struct Picture {
  report::Document text;    ///< For 80 columns.
  std::string svg;          ///< A file of its own.
  std::string before = {};  ///< Text before `text` that is laid out already.
};

}  // namespace heddle::show

// Options whose value may be left out.
#pragma once

#include <boost/program_options.hpp>
#include <string>

namespace heddle::command {

/// An option that may stand without a value, which is "" then. It takes one of the words `shown`, "ptx|ir", after an
/// equals sign or a blank.
boost::program_options::typed_value<std::string>* optional_word(const char* shown);

}  // namespace heddle::command

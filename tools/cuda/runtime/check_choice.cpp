#include "tools/cuda/runtime/check_choice.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"

namespace heddle::cudart {

CheckChoice CheckChoice::read(const std::vector<std::string>& words) {
  CheckChoice choice;
  for (const std::string& word : words) {
    const bool is_all = word == "all";
    if (!is_all && word != "memory" && word != "initial" && word != "races" && word != "sync")
      throw InputError({"HEDDLE_CHECK", 0, 0},
                       fmt::format("'{}' is no check; there are memory, initial, races, sync, all", word));
    choice.memory |= is_all || word == "memory";
    choice.initial |= is_all || word == "initial";
    choice.races |= is_all || word == "races";
    choice.sync |= is_all || word == "sync";
  }
  return choice;
}

}  // namespace heddle::cudart

// Which line of one source is which line of another.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heddle::diff {

/// For each text of `before` the index of its partner in `after`, at most one for each. First come the pairs
/// of a longest common subsequence, as `diff` finds them; then what is left over pairs with equal text that
/// stands elsewhere, in its order. Of texts that are so many that this would take long, all are paired by
/// their order alone.
std::vector<std::optional<std::size_t>> partners(const std::vector<std::string>& before,
                                                 const std::vector<std::string>& after);

}  // namespace heddle::diff

// What stands in a page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace heddle::test {

/// The data that a page was made with. Throws if it has none.
nlohmann::json data_of_page(const std::string& page);

}  // namespace heddle::test

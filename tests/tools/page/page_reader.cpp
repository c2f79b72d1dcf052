#include "tests/tools/page/page_reader.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace heddle::test {

nlohmann::json data_of_page(const std::string& page) {
  constexpr std::string_view kBegin = "id=\"data\">";
  const std::size_t begin = page.find(kBegin) + kBegin.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

}  // namespace heddle::test

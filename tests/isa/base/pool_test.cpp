#include "isa/base/pool.h"

#include <set>
#include <string>

#include "tests/support/catch.h"

namespace heddle {
namespace {

TEST_CASE("A pool makes things as they are needed, and gives what came back before it makes more") {
  Pool<std::string> pool;
  CHECK(pool.all().empty());
  const std::uint32_t first = pool.take();
  const std::uint32_t second = pool.take();
  CHECK(std::set{first, second} == std::set{0U, 1U});
  pool[first] = "one";
  pool[second] = "two";
  pool.give_back(first);
  CHECK(pool[second] == "two");
  CHECK(pool.take() == first);
  CHECK(pool[first] == "one");
  CHECK(pool.take() == 2);
  CHECK(pool.all().size() == 3);
}

}  // namespace
}  // namespace heddle

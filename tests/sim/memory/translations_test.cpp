// Pages that an SM accesses for the first time in a cold launch.
#include "sim/memory/translations.h"

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

constexpr Cycle kWait = 100;
constexpr Addr kPage = 4096;

TEST_CASE("the first access to a page waits, those that follow meanwhile wait with it") {
  Translations pages({.enabled = true, .translation_latency = kWait, .page_bytes = kPage});
  CHECK(pages.wait(kPage, 10) == kWait);
  CHECK(pages.wait(2 * kPage - 1, 30) == kWait - 20);
  CHECK(pages.wait(kPage + 1, 10 + kWait) == 0);
  CHECK(pages.wait(2 * kPage, 200) == kWait);
  CHECK(pages.wait(0, 201) == kWait);
  CHECK(pages.wait(kPage, 202) == 0);
}

TEST_CASE("a launch that is not cold knows all pages") {
  Translations pages({.enabled = false, .translation_latency = kWait, .page_bytes = kPage});
  CHECK(pages.wait(kPage, 10) == 0);
}

}  // namespace
}  // namespace heddle::sim

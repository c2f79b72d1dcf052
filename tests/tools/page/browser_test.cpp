// Pages in a browser: Chromium without a window, where there is one.
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (std::system(fmt::format("command -v {} >/dev/null", name).c_str()) == 0) return name;
  }
  return {};
}

/// The page as the browser has it when its program has run, and what the program said.
struct Shown {
  std::string dom;
  std::string console;
};

Shown show(const launch::ScratchFolder& folder, const std::string& page) {
  const std::string call = fmt::format(
      "cd '{}' && HOME='{}' timeout 60 {} --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--no-first-run --user-data-dir='{}/profile' --enable-logging=stderr --virtual-time-budget=2000 "
      "--window-size=1280,800 --dump-dom 'file://{}/{}' >dom 2>err",
      folder.path(), folder.path(), browser(), folder.path(), folder.path(), page);
  REQUIRE(std::system(call.c_str()) == 0);
  std::string console;
  for (const std::string& line : lines_of(contents_of(folder.path("err")))) {
    if (line.find("CONSOLE") != std::string::npos) console += line + '\n';
  }
  return {contents_of(folder.path("dom")), console};
}

bool is_skipped() {
  if (!browser().empty()) return false;
  WARN("skipped: there is no Chromium on this machine");
  return true;
}

}  // namespace

TEST_CASE("A page opens in a browser without a message, and shows all its parts") {
  if (is_skipped()) return;
  const launch::ScratchFolder folder;
  run_report(
      {"traces/reduce_v1.yaml", "--gpu", "tiny", "--param", "n=4096", "--html", folder.path("run.html")});
  const Shown shown = show(folder, "run.html");
  CHECK(shown.console.empty());
  for (const char* part : {"id=\"ledgers\"", "id=\"time\"", "id=\"sms\"", "id=\"code\"", "id=\"warps\"",
                           "id=\"made\"", "What holds it back", "Achieved occupancy", "BAR.SYNC"}) {
    INFO(part);
    CHECK(shown.dom.find(part) != std::string::npos);
  }
}

TEST_CASE("A page of a kernel with a hostile name opens in a browser without a message") {
  if (is_skipped()) return;
  const launch::ScratchFolder folder;
  const std::string name = "<img src=x onerror=console.log(1)>'\"&amp;<";
  folder.write(name + ".sass", ".kernel k\nMOV R1, RZ\nEXIT\n");
  folder.write("run.yaml",
               "kernel: \"<img src=x onerror=console.log(1)>'\\\"&amp;<.sass\"\ngrid: 2\nblock: 64\n");
  run_report({folder.path("run.yaml"), "--gpu", "tiny", "--html", folder.path("run.html")});
  const Shown shown = show(folder, "run.html");
  CHECK(shown.console.empty());
  CHECK(shown.dom.find("<img") == std::string::npos);
  CHECK(shown.dom.find("&lt;img src=x onerror=console.log(1)&gt;") != std::string::npos);
}

}  // namespace heddle::command

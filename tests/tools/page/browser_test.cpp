// Pages in a browser: Chromium without a window, where there is one. Each start of it takes seconds.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/catch.h"
#include "tests/tools/cuda/cuda_program.h"
#include "tests/tools/cuda/many_launches.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tests/tools/page/page_reader.h"
#include "tests/tools/page/two_levels.h"

namespace heddle::command {

namespace {

using Json = nlohmann::json;

std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (std::system(fmt::format("command -v {} >/dev/null", name).c_str()) == 0) return name;
  }
  return {};
}

bool is_skipped() {
  if (!browser().empty()) return false;
  WARN("skipped: there is no Chromium on this machine");
  return true;
}

/// The page as the browser has it when its program has run, and what the program said.
struct Shown {
  std::string dom;
  std::string console;
};

Shown show(const launch::ScratchFolder& folder, const std::string& page,
           const std::string& window = "1280,800") {
  const std::string call = fmt::format(
      "cd '{}' && HOME='{}' timeout 300 {} --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--no-first-run --user-data-dir='{}/profile' --enable-logging=stderr --virtual-time-budget=2000 "
      "--window-size={} --dump-dom 'file://{}/{}' >dom 2>err",
      folder.path(), folder.path(), browser(), folder.path(), window, folder.path(), page);
  REQUIRE(std::system(call.c_str()) == 0);
  std::string console;
  for (const std::string& line : lines_of(contents_of(folder.path("err")))) {
    if (line.find("CONSOLE") != std::string::npos) console += line + '\n';
  }
  return {contents_of(folder.path("dom")), console};
}

void replace(std::string& text, std::string_view part, std::string_view by) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  text.replace(at, part.size(), by);
}

/// What drive.js saw in the page: it is run in a copy, whose policy allows it but no request, either.
Json drive(const launch::ScratchFolder& folder, const std::string& page,
           const std::string& window = "1280,800") {
  std::string copy = contents_of(folder.path(page));
  const std::size_t policy = copy.find("default-src 'none'");
  REQUIRE(policy != std::string::npos);
  copy.replace(policy, copy.find('"', policy) - policy,
               "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'");
  replace(copy, "</body>",
          "<script>" + contents_of(HEDDLE_SOURCE_DIR "/tests/tools/page/drive.js") + "</script></body>");
  folder.write("driven.html", copy);
  const Shown shown = show(folder, "driven.html", window);
  CHECK(shown.console.empty());
  const std::string begin = "id=\"driven\">";
  const std::size_t at = shown.dom.find(begin);
  REQUIRE(at != std::string::npos);
  const std::size_t from = at + begin.size();
  const Json said = Json::parse(shown.dom.substr(from, shown.dom.find("</script>", from) - from));
  INFO(said["errors"].dump());
  CHECK(said["errors"].empty());
  CHECK(said["requests"] == 0);
  CHECK(said["wide"] <= 0);
  return said;
}

void check_zoom(const Json& zoom, std::uint64_t cycles) {
  INFO(zoom.dump() << ", " << cycles << " cycles");
  const auto width = [&](const char* step) {
    return zoom[step][1].get<std::uint64_t>() - zoom[step][0].get<std::uint64_t>();
  };
  CHECK(zoom["whole"] == Json({0, cycles}));
  CHECK(width("half") == Approx(static_cast<double>(cycles) / 2).margin(1));
  CHECK(width("wheel") == Approx(static_cast<double>(cycles) / 1.4).margin(1));
  CHECK(zoom["wheel"][1].get<double>() ==
        Approx(static_cast<double>(cycles)).margin(1));  // at the right edge
  CHECK(width("cycles") == 16);
  CHECK(width("earlier") == 16);
  CHECK(zoom["earlier"][0].get<std::uint64_t>() == zoom["cycles"][0].get<std::uint64_t>() - 4);
  CHECK(zoom["back"] == zoom["whole"]);
}

/// Equal pieces of a picture that lie side by side are equal ranges of cycles that do.
void check_drag(const Json& drag, std::uint64_t cycles) {
  INFO(drag.dump() << ", " << cycles << " cycles");
  const auto at = [&](const char* step, int end) { return drag[step][end].get<double>(); };
  const double width = at("left", 1) - at("left", 0);
  // A fifth of the picture, which has margins: at least that of the cycles, and not much more.
  CHECK(width >= std::floor(0.2 * static_cast<double>(cycles)));
  CHECK(width < 0.3 * static_cast<double>(cycles));
  CHECK(at("right", 0) == Approx(at("left", 1)).margin(1));
  CHECK(at("right", 1) - at("right", 0) == Approx(width).margin(1));
  CHECK(drag["back"] == drag["left"]);
  for (const char* none : {"little", "touch"}) CHECK(drag[none] == Json({0, cycles}));
  for (const char* picture : {"chart", "heat"}) {
    CHECK(at(picture, 1) - at(picture, 0) < 0.4 * static_cast<double>(cycles));
    CHECK(at(picture, 1) - at(picture, 0) > 0.2 * static_cast<double>(cycles) - 1);
  }
}

using Numbers = std::set<std::uint64_t>;

/// Of each pane, the rows of those instructions that stand in this row of this pane.
std::vector<Numbers> linked(const Json& data, std::size_t pane, std::uint64_t number) {
  const std::size_t levels = data["sources"].size();
  const auto rows = [&](const Json& instruction, std::size_t of) {
    if (of == levels) return Numbers{instruction["pc"].get<std::uint64_t>()};
    const Json& place = instruction["places"][of];
    return place.empty() ? Numbers{} : Numbers{place[1].get<std::uint64_t>()};
  };
  std::vector<Numbers> all(levels + 1);
  for (const Json& instruction : data["code"]["instructions"]) {
    if (rows(instruction, pane).count(number) == 0) continue;
    for (std::size_t i = 0; i <= levels; ++i) all[i].merge(rows(instruction, i));
  }
  return all;
}

/// A row that is clicked or pointed at marks those that belong to it, in all panes.
void check_links(const Json& clicks, const Json& data) {
  std::set<std::size_t> panes;
  for (const Json& click : clicks) {
    const auto pane = click["pane"].get<std::size_t>();
    panes.insert(pane);
    const std::vector<Numbers> wanted = linked(data, pane, click["number"].get<std::uint64_t>());
    for (const char* kind : {"chosen", "pointed"}) {
      INFO(kind << ": " << click.dump());
      for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(click[kind].at(i).get<Numbers>() == wanted[i]);
    }
    CHECK_FALSE(click["detail"].get<std::string>().empty());
  }
  CHECK(panes.size() == data["sources"].size() + 1);
}

}  // namespace

TEST_CASE("A page opens in a browser without a message, and shows all its parts", "[.heavy]") {
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

TEST_CASE("A page is zoomed, its lines are clicked, and it says nothing and asks for nothing", "[.heavy]") {
  if (is_skipped()) return;
  for (const char* window : {"1280,800", "500,844"}) {
    INFO(window);
    const launch::ScratchFolder folder;
    const Json report = run_report(
        {"traces/reduce_v1.yaml", "--gpu", "tiny", "--param", "n=4096", "--html", folder.path("run.html")});
    const Json data = test::data_of_page(contents_of(folder.path("run.html")));
    const Json said = drive(folder, "run.html", window);
    check_zoom(said["zoom"], report["cycles"].get<std::uint64_t>());
    check_drag(said["drag"], report["cycles"].get<std::uint64_t>());
    check_links(said["links"], data);
    CHECK(said["keys"].back() == Json({1}));
    CHECK(said["theme"][0] != said["theme"][1]);
    CHECK(said["glossary"]["text"].get<std::string>().size() > 40);
    CHECK(said["glossary"]["hidden"] == false);
    CHECK(said["glossary"]["after"] == true);
  }
}

TEST_CASE("A page lists other runs that its reader chooses, and compares one with its own", "[.heavy]") {
  if (is_skipped()) return;
  const launch::ScratchFolder folder;
  const Json report = run_report(
      {"traces/reduce_v1.yaml", "--gpu", "tiny", "--param", "n=4096", "--html", folder.path("run.html")});
  const Json said = drive(folder, "run.html")["beside"];
  INFO(said.dump());
  CHECK(said["rows"].size() == 4);  // three that were chosen, and the page's own
  CHECK(said["wrong"].get<std::string>().find("none.txt") != std::string::npos);
  CHECK(said["wrong"].get<std::string>().find("slower.html") == std::string::npos);
  CHECK(said["name"].get<std::string>().find("<img src=x>.json, run 1") == 0);
  const auto row = [&](const std::string& name) {
    for (const Json& each : said["compared"]) {
      if (each[0] == name) return each;
    }
    return Json();
  };
  CHECK(row("Cycles")[3] == "\u221266.7 %");  // a third
  CHECK(row("barrier")[3] == "\u2212123 k");
  CHECK(row("Warp instructions")[3] == "");
}

TEST_CASE("A page shows CUDA C++, PTX and instructions, linked both ways", "[.heavy]") {
  if (is_skipped()) return;
  const launch::ScratchFolder folder;
  const std::string launch = write_two_levels(folder);
  run_report({launch, "--gpu", "tiny", "--html", folder.path("run.html")});
  const Json said = drive(folder, "run.html");
  CHECK(said["panes"] == Json({"CUDA C++: scale.cu", "PTX: scale.ptx", "Instructions"}));
  check_links(said["links"], test::data_of_page(contents_of(folder.path("run.html"))));
  const auto line3 = std::find_if(said["links"].begin(), said["links"].end(), [](const Json& click) {
    return click["pane"] == 0 && click["number"] == 3;
  });
  REQUIRE(line3 != said["links"].end());
  // Its addition, load and store, at least.
  const auto ptx = (*line3)["chosen"][1].get<Numbers>();
  for (const std::uint64_t number : {18, 19, 20}) CHECK(ptx.count(number) == 1);
}

TEST_CASE("The page of a program of 200 launches shows each kernel, and a launch when it is chosen", "[.heavy]") {
  if (is_skipped() || !cuda::has_clang() || !cuda::has_plain_library()) return;
  const launch::ScratchFolder folder;
  const cuda::CudaProgram program(test::many_launches(200));
  const std::string page = folder.path("program.html");
  REQUIRE(program.run({"HEDDLE_GPU=tiny", "HEDDLE_HTML=" + page}).exit_code == 0);
  const Json said = drive(folder, "program.html")["launches"];
  INFO(said.dump());
  REQUIRE(said.size() == 2);
  for (const Json& kernel : said) {
    const bool is_add = kernel["kernel"].get<std::string>().find("add") == 0;
    CHECK(kernel["rows"] == 100);
    CHECK(kernel["launch"] == fmt::format("launch {}: 2 of 100 of this kernel", is_add ? 3 : 4));
    CHECK(kernel["title"].get<std::string>().find(is_add ? "add" : "scale") != std::string::npos);
    for (const char* section : {"warps", "code", "time"})
      CHECK(std::ranges::count(kernel["sections"], Json(section)) == 1);
  }
}

TEST_CASE("Pages of kernels and sources with hostile names open without a message", "[.heavy]") {
  if (is_skipped()) return;
  const std::string name = "</script><img src=x onerror=console.log(1)>'\"&amp;<!--";
  const launch::ScratchFolder folder;
  folder.write("k.sass", ".kernel k\nMOV R1, RZ\nEXIT\n");
  folder.write("run.yaml", "kernel: k.sass\ngrid: 2\nblock: 64\n");
  run_report({folder.path("run.yaml"), "--gpu", "tiny", "--html", folder.path("run.html")});
  std::string page = contents_of(folder.path("run.html"));
  // What a file system does not allow in a name, data can hold.
  Json data = test::data_of_page(page);
  for (const std::string& hostile : {name, std::string(10'000, '<') + name}) {
    data["report"]["kernel"] = hostile;
    data["description"] = hostile;
    data["sources"][0]["files"][0]["name"] = hostile;
    for (Json& line : data["sources"][0]["files"][0]["lines"]) line = hostile;
    for (Json& instruction : data["code"]["instructions"]) instruction["text"] = hostile;
    std::string text = data.dump(-1, ' ', true);
    for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
    const std::string begin = "id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    folder.write("hostile.html", page.substr(0, from) + text + page.substr(page.find("</script>", from)));
    const Shown shown = show(folder, "hostile.html");
    CHECK(shown.console.empty());
    CHECK(shown.dom.find("<img") == std::string::npos);
    CHECK(shown.dom.find("&lt;img src=x onerror=console.log(1)&gt;") != std::string::npos);
    const Json said = drive(folder, "hostile.html");
    CHECK(said["links"].size() >= 4);
  }
}

}  // namespace heddle::command

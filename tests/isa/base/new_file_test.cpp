#include "isa/base/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

std::string contents_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool has_nameless_files(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

}  // namespace

TEST_CASE("A new file is there when it is kept, whole, and not before") {
  const test::ScratchFolder folder;
  const std::string path = folder.write("report.json", "old");
  {
    NewFile file(path);
    file.write("new ");
    CHECK(contents_of(path) == "old");
    file.write("report");
    file.keep();
  }
  CHECK(contents_of(path) == "new report");
  CHECK(folder.files() == 1);
}

TEST_CASE("A new file that is not kept leaves what was there, and nothing else") {
  const test::ScratchFolder folder;
  const std::string path = folder.write("report.json", "old");
  { NewFile(path).write("half of a re"); }
  CHECK(contents_of(path) == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("A new file can be written by who opens it again") {
  const test::ScratchFolder folder;
  const std::string path = folder.path("new");
  NewFile file(path);
  std::ofstream(file.temporary()) << "written elsewhere";
  file.keep();
  CHECK(contents_of(path) == "written elsewhere");
}

TEST_CASE("A new file takes the place of what a symbolic link names, and the link stays") {
  const test::ScratchFolder folder;
  const std::string path = folder.write("report.json", "old");
  const std::string link = path + ".link";
  fs::create_symlink(path, link);
  NewFile file(link);
  file.write("new");
  file.keep();
  CHECK(fs::is_symlink(link));
  CHECK(contents_of(path) == "new");
}

TEST_CASE("A link to a file that does not exist yet stays, too") {
  const test::ScratchFolder folder;
  fs::create_symlink("new", folder.path("link"));
  NewFile file(folder.path("link"));
  file.write("new");
  file.keep();
  CHECK(fs::is_symlink(folder.path("link")));
  CHECK(contents_of(folder.path("new")) == "new");
}

TEST_CASE("A process that is killed leaves no half of a file where files need no name") {
  const test::ScratchFolder folder;
  if (!has_nameless_files(folder.path())) return;
  NewFile file(folder.path("new"));
  file.write("half of a re");
  CHECK(folder.files() == 0);
}

TEST_CASE("A folder that is made before the file is kept is early enough") {
  const test::ScratchFolder folder;
  NewFile file(folder.path("later/new"), folder.path());
  file.write("all");
  CHECK(folder.files() == (has_nameless_files(folder.path()) ? 0 : 1));
  std::filesystem::create_directory(folder.path("later"));
  file.keep();
  CHECK(contents_of(folder.path("later/new")) == "all");
  CHECK(folder.files() == 1);
  CHECK_THROWS_AS(NewFile(folder.path("later"), folder.path()), InputError);
  CHECK_THROWS_AS(NewFile(folder.path("no/folder"), folder.path("nor/this")), InputError);
}

TEST_CASE("A file in a folder that does not exist, or in the place of a folder, is refused at once") {
  const test::ScratchFolder folder;
  CHECK_THROWS_AS(NewFile(folder.path("no/folder")), InputError);
  CHECK_THROWS_AS(NewFile(folder.path()), InputError);
}

}  // namespace heddle

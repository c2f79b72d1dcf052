#include <csignal>

#include "isa/base/huge_pages.h"
#include "tools/heddle/commands.h"

int main(int argc, char** argv) {
  // The state of a GPU, and to spare, for it is taken when it is touched.
  constexpr std::size_t kStateOfAGpu = std::size_t{256} << 20;
  heddle::prefer_huge_pages(kStateOfAGpu);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that becomes too large is told of as any that cannot be written
  return heddle::command::dispatch({argv + (argc > 0 ? 1 : 0), argv + argc});
}

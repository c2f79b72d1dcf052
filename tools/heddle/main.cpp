#include <csignal>

#include "isa/base/huge_pages.h"
#include "tools/heddle/dispatch.h"

int main(int argc, char** argv) {
  // Enough for the state of a GPU and more, since memory is taken only when it is touched.
  constexpr std::size_t kStateOfAGpu = std::size_t{256} << 20;
  heddle::prefer_huge_pages(kStateOfAGpu);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that becomes too large is reported like any write error
  return heddle::command::dispatch({argv + (argc > 0 ? 1 : 0), argv + argc});
}

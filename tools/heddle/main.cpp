#include <csignal>

#include "tools/heddle/command.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that becomes too large is told of as any that cannot be written
  return heddle::command::dispatch({argv + (argc > 0 ? 1 : 0), argv + argc});
}

#include "tools/heddle/command.h"

int main(int argc, char** argv) {
  return heddle::command::dispatch({argv + (argc > 0 ? 1 : 0), argv + argc});
}

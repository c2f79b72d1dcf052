// Runs a fuzz target where there is no libFuzzer: over a corpus, then over random changes of it.
//
//   fuzz_trace CORPUS SECONDS [SEED]
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr long kMostMemory = 300 * 1024;  // KiB; sanitizers take more

bool has_sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::vector<std::string> read_corpus(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, std::uint64_t seed) : corpus_(corpus), random_(seed) {}

  std::string next() {
    std::string input = corpus_[below(corpus_.size())];
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(input);
    return input;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  void change(std::string& input) {
    static const char* const kPieces[] = {"-1",
                                          "18446744073709551616",
                                          "4294967295",
                                          "0x",
                                          "ffffffffffffffff",
                                          "\n",
                                          " ",
                                          "#BEGIN_TB\n",
                                          "#END_TB\n",
                                          "warp = 0\n",
                                          "insts = 9\n",
                                          "EXIT",
                                          "Val 32 ",
                                          "NoVal",
                                          "REPLAY_START",
                                          "UTMALDG",
                                          "HGMMA",
                                          "{",
                                          "}",
                                          "[",
                                          "(",
                                          ";\n",
                                          "/*",
                                          "\"",
                                          ".reg .b32 %r<4294967295>;",
                                          ".global .b8 x[1099511627776] = {1};",
                                          ".loc 1 2 3, function_name L, inlined_at 1 2 3\n",
                                          "L: .branchtargets L;"};
    if (input.empty()) return;
    const std::size_t at = below(input.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(input.size() - at, 64));
    switch (below(7)) {
      case 0:
        input[at] = static_cast<char>(random_());
        break;
      case 1:
        input[at] = static_cast<char>(input[at] ^ 1 << below(8));
        break;
      case 2:
        input.erase(at, length);
        break;
      case 3:
        input.insert(at, input.substr(below(input.size()), length));
        break;
      case 4:
        input.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      case 5: {
        const std::string& other = corpus_[below(corpus_.size())];
        if (!other.empty()) input.replace(at, length, other.substr(below(other.size()), length));
        break;
      }
      default:
        input.resize(at);
    }
  }

  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::vector<std::string> corpus = read_corpus(argv[1]);
  if (corpus.empty()) return 2;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : std::random_device{}();
  std::printf("%zu files, seed %llu\n", corpus.size(), static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  for (const std::string& input : corpus) run(input);
  Mutator mutator(corpus, seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[2]));
  std::uint64_t inputs = 0;
  for (; std::chrono::steady_clock::now() < end; ++inputs) run(mutator.next());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%llu inputs, %ld MiB\n", static_cast<unsigned long long>(inputs), usage.ru_maxrss / 1024);
  return has_sanitizer() || usage.ru_maxrss < kMostMemory ? 0 : 1;
}

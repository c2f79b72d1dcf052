#include "sim/config/keys.h"

#include <fmt/format.h>

#include "sim/config/describe.h"

namespace heddle::sim {

namespace {

class KeyLister {
 public:
  explicit KeyLister(std::vector<KeyInfo>& keys) : keys_(keys) {}

  void text(std::string_view key, std::string_view doc, const std::string&) { add(key, "text", doc); }
  void policy(std::string_view key, std::string_view doc, const PolicyKind& kind, const std::string&) {
    add(key, "name of a policy", doc);
    keys_.back().policies = &kind;
  }
  void boolean(std::string_view key, std::string_view doc, bool) { add(key, "true or false", doc); }
  template <typename Number>
  void number(const NumberKey& key, Number) {
    const char* which = key.values == Values::PowersOfTwo ? ", a power of two" : "";
    add(key.key, fmt::format("{} to {} {}{}", key.least, key.most, key.unit, which), key.doc);
  }
  void sizes(std::string_view key, std::string_view doc, const std::vector<std::uint32_t>&) {
    add(key, "list of bytes", doc);
  }
  void pipe_names(std::string_view key, std::string_view doc, const std::vector<PipeSpec>&) {
    add(key, "list of names", doc);
  }
  void pipe_choice(std::string_view key, std::string_view doc, const std::vector<std::uint8_t>&) {
    add(key, "list of sm.pipes", doc);
  }

  void group(std::string_view key, std::string_view doc, const ClassSpec& spec) {
    const std::size_t place = keys_.size();
    group<ClassSpec>(key, doc, spec);
    keys_[place].allowed = fmt::format("keys below it, or {}", kAbsentClass);
    keys_[place].may_be_absent = true;
  }

  template <typename Spec>
  void group(std::string_view key, std::string_view doc, const Spec& spec) {
    add(key, "keys below it", doc);
    keys_.back().is_group = true;
    const std::size_t length = prefix_.size();
    prefix_ += fmt::format("{}.", key);
    describe(*this, spec);
    prefix_.resize(length);
  }

 private:
  void add(std::string_view key, std::string allowed, std::string_view doc) {
    keys_.push_back({prefix_ + std::string(key), std::move(allowed), std::string(doc), false, false, nullptr});
  }

  std::vector<KeyInfo>& keys_;
  std::string prefix_;
};

}  // namespace

std::vector<KeyInfo> gpu_keys() {
  std::vector<KeyInfo> keys;
  KeyLister lister(keys);
  const GpuSpec spec;
  describe(lister, spec);
  return keys;
}

}  // namespace heddle::sim

#include "isa/lower/rewrite_body.h"

#include "isa/lower/moved_labels.h"

namespace heddle::lower {

namespace {

void move_all(std::vector<ptx::Instruction>& to, std::vector<ptx::Instruction>& from) {
  for (ptx::Instruction& one : from) to.push_back(std::move(one));
}

}  // namespace

void BodyRewrite::apply() {
  std::vector<ptx::Instruction> body;
  Moved starts;
  for (std::uint32_t at = 0; at < function_.body.size(); ++at) {
    starts.push_back(static_cast<std::uint32_t>(body.size()));
    const auto found = insertions_.find(at);
    if (found != insertions_.end()) move_all(body, found->second.before);
    body.push_back(std::move(function_.body[at]));
    if (found != insertions_.end()) move_all(body, found->second.behind);
  }
  starts.push_back(static_cast<std::uint32_t>(body.size()));
  function_.body = std::move(body);
  move_labels(function_, starts);
  insertions_.clear();
}

}  // namespace heddle::lower

#include <algorithm>

#include "isa/lower/allocate_colour.h"
#include "isa/lower/number_sorter.h"

namespace heddle::lower {

void RegisterSet::add_before(const RegisterSet& other, unsigned distance) {
  const std::size_t words = distance / 64;
  const unsigned bits = distance % 64;
  for (std::size_t i = 0; i + words < kWords; ++i) {
    words_[i] |= other.words_[i + words] >> bits;
    if (bits != 0 && i + words + 1 < kWords) words_[i] |= other.words_[i + words + 1] << (64 - bits);
  }
}

ColouringProblem::ColouringProblem(const Webs& webs, Bundles& bundles, const std::vector<Copy>& copies,
                                   ir::RegisterFile file)
    : member_of_(webs.list.size(), kPhysical) {
  add_nodes(webs, bundles, file);
  add_edges(webs, bundles);
  add_wishes(webs, bundles, copies);
}

void ColouringProblem::add_nodes(const Webs& webs, Bundles& bundles, ir::RegisterFile file) {
  for (std::uint32_t index = 0; index < bundles.list().size(); ++index) {
    const Bundle& bundle = bundles.list()[index];
    if (bundle.members.empty() || bundle.file != file) continue;
    const WebInfo& web = webs.list[bundle.members[0].shared];
    if (web.is_fixed()) {
      physical_ = std::max(physical_, web.name.index - first_register(file) + 1);
      continue;
    }
    Node node;
    node.bundle = index;
    node.extent = bundle.extent();
    node.alignment = bundle.alignment;
    node.residue = (bundle.residue + static_cast<unsigned>(bundle.first())) & (bundle.alignment - 1);
    node.first_member = static_cast<std::uint32_t>(members_.size());
    node.members = static_cast<std::uint32_t>(bundle.members.size());
    for (const Bundle::Member& each : bundle.members) {
      member_of_[each.shared] = static_cast<std::uint32_t>(members_.size());
      const auto offset = static_cast<unsigned>(each.place - bundle.first());
      members_.push_back({static_cast<std::uint32_t>(nodes_.size()), offset, {}, {}, {}, {}});
    }
    nodes_.push_back(std::move(node));
  }
}

void ColouringProblem::add_edges(const Webs& webs, Bundles& bundles) {
  NumberSorter sorter(members_.size());
  for (Web web = 0; web < member_of_.size(); ++web) {
    if (member_of_[web] == kPhysical) continue;
    Member& member = members_[member_of_[web]];
    for (const Web other : bundles.interfering(web)) {
      const WebInfo& info = webs.list[other];
      if (info.is_fixed()) {
        member.taken.add(info.name.index - first_register(info.name.file));
      } else {
        member.neighbours.push_back(member_of_[bundles.shared(other)]);
      }
    }
    sorter.sort(member.neighbours);
    edges_ += member.neighbours.size();
  }
}

void ColouringProblem::add_wishes(const Webs& webs, Bundles& bundles, const std::vector<Copy>& copies) {
  const auto add = [&](Web one, Web other) {
    const std::uint32_t own = member_of_[bundles.shared(one)];
    if (own == kPhysical) return;
    const int offset = static_cast<int>(members_[own].offset);
    Node& node = nodes_[members_[own].node];
    const WebInfo& info = webs.list[other];
    if (info.is_fixed()) {
      const unsigned index = info.name.index - first_register(info.name.file);
      node.wishes.push_back({kPhysical, static_cast<int>(index) - offset});
      return;
    }
    const Member& wanted = members_[member_of_[bundles.shared(other)]];
    if (wanted.node != members_[own].node)
      node.wishes.push_back({wanted.node, static_cast<int>(wanted.offset) - offset});
  };
  for (const Copy& copy : copies) {
    for (const auto& [to, from] : copy.words) {
      add(to, from);
      add(from, to);
    }
  }
}

void ColouringProblem::add_preferences(const Preferences& preferences, Bundles& bundles) {
  const auto add = [&](std::uint32_t own, const std::vector<Web>& webs,
                       std::vector<std::uint32_t> Member::*list) {
    for (const Web web : webs) {
      const std::uint32_t other = member_of_[bundles.shared(web)];
      if (other != kPhysical && other != own) (members_[own].*list).push_back(other);
    }
  };
  for (Web web = 0; web < member_of_.size(); ++web) {
    const std::uint32_t own = member_of_[bundles.shared(web)];
    if (own == kPhysical) continue;
    add(own, preferences.other_bank[web], &Member::other_bank);
    add(own, preferences.resting[web], &Member::resting);
  }
}

}  // namespace heddle::lower

#include "isa/lower/allocate_bundles.h"

#include <algorithm>
#include <iterator>

namespace heddle::lower {

namespace {

constexpr unsigned kWidestUsual = 4;  // what a load or store takes at most

unsigned modulo(int value, unsigned power) { return static_cast<unsigned>(value) & (power - 1); }

}  // namespace

Bundles::Bundles(const Webs& webs, const Interference& interference, const std::vector<unsigned>& most)
    : webs_(&webs), most_(most), shares_(webs.list.size()) {
  for (Web web = 0; web < webs.list.size(); ++web) {
    edges_.push_back(interference.of(web));
    sharing_.push_back({web});
    bundle_of_.push_back(web);
    place_of_.push_back(0);
    bundles_.push_back({webs.list[web].name.file, {{0, web}}, 1, 0});
  }
}

bool Bundles::join_run(const std::vector<Web>& run, unsigned alignment) {
  for (std::size_t i = 1; i < run.size(); ++i) {
    if (!join(run[0], run[i], static_cast<int>(i))) return false;
  }
  return align(bundle_of(run[0]), place_of(run[0]), alignment);
}

bool Bundles::join_copy(Web one, Web other) {
  if (webs_->list[shared(one)].is_fixed() || webs_->list[shared(other)].is_fixed()) return false;
  const Bundle& a = bundles_[bundle_of(one)];
  const Bundle& b = bundles_[bundle_of(other)];
  const int shift = place_of(one) - place_of(other);
  const int first = std::min(a.first(), b.first() + shift);
  const int last = std::max(a.members.back().place, b.members.back().place + shift);
  // Copies make no bundle that is harder to place than those that instructions ask for.
  const unsigned usual = std::max({a.extent(), b.extent(), kWidestUsual});
  return last - first < static_cast<int>(usual) && join(one, other, 0);
}

/// The register of `other` is to be `distance` behind that of `one`.
bool Bundles::join(Web one, Web other, int distance) {
  const std::uint32_t a = bundle_of(one);
  const std::uint32_t b = bundle_of(other);
  if (a == b) return place_of(other) == place_of(one) + distance;
  const int shift = place_of(one) + distance - place_of(other);
  const bool a_is_larger = bundles_[a].members.size() >= bundles_[b].members.size();
  const std::uint32_t into = a_is_larger ? a : b;
  const std::uint32_t from = a_is_larger ? b : a;
  const int by = a_is_larger ? shift : -shift;
  if (!fits(bundles_[into], bundles_[from], by)) return false;
  merge(into, from, by);
  return true;
}

/// Whether the two can be one, `other` being so much further on.
bool Bundles::fits(const Bundle& one, const Bundle& other, int shift) const {
  if (one.file != other.file) return false;
  const int first = std::min(one.first(), other.first() + shift);
  const int last = std::max(one.members.back().place, other.members.back().place + shift);
  if (last - first >= static_cast<int>(most_[static_cast<std::size_t>(one.file)])) return false;
  const unsigned common = std::min(one.alignment, other.alignment);
  if (modulo(static_cast<int>(one.residue), common) !=
      modulo(static_cast<int>(other.residue) - shift, common))
    return false;
  auto member = one.members.begin();
  for (const Bundle::Member& each : other.members) {
    while (member != one.members.end() && member->place < each.place + shift) ++member;
    if (member == one.members.end()) break;
    if (member->place == each.place + shift && interfere(member->shared, each.shared)) return false;
  }
  return true;
}

bool Bundles::interfere(Web one, Web other) const {
  const bool one_is_less = sharing_[one].size() < sharing_[other].size();
  const std::vector<Web>& few = sharing_[one_is_less ? one : other];
  const std::vector<Web>& edges = edges_[one_is_less ? other : one];
  return std::any_of(few.begin(), few.end(),
                     [&](Web web) { return std::binary_search(edges.begin(), edges.end(), web); });
}

void Bundles::share(Web one, Web other) {
  std::vector<Web> edges;
  std::set_union(edges_[one].begin(), edges_[one].end(), edges_[other].begin(), edges_[other].end(),
                 std::back_inserter(edges));
  edges_[one] = std::move(edges);
  edges_[other] = {};
  sharing_[one].insert(sharing_[one].end(), sharing_[other].begin(), sharing_[other].end());
  sharing_[other] = {};
  shares_.unite(one, other);
}

void Bundles::merge(std::uint32_t into, std::uint32_t from, int shift) {
  Bundle& one = bundles_[into];
  Bundle other = std::move(bundles_[from]);
  bundles_[from].members.clear();
  if (other.alignment > one.alignment) {
    one.alignment = other.alignment;
    one.residue = modulo(static_cast<int>(other.residue) - shift, other.alignment);
  }
  std::vector<Bundle::Member> merged;
  auto member = one.members.begin();
  for (const Bundle::Member& each : other.members) {
    const int place = each.place + shift;
    while (member != one.members.end() && member->place < place) merged.push_back(*member++);
    if (member != one.members.end() && member->place == place) {
      share(member->shared, each.shared);
      continue;
    }
    merged.push_back({place, each.shared});
    bundle_of_[each.shared] = into;
    place_of_[each.shared] = place;
  }
  merged.insert(merged.end(), member, one.members.end());
  one.members = std::move(merged);
}

bool Bundles::align(std::uint32_t index, int place, unsigned alignment) {
  Bundle& bundle = bundles_[index];
  const unsigned common = std::min(bundle.alignment, alignment);
  const unsigned residue = modulo(-place, alignment);
  if (modulo(static_cast<int>(bundle.residue), common) != modulo(static_cast<int>(residue), common))
    return false;
  if (alignment > bundle.alignment) {
    bundle.alignment = alignment;
    bundle.residue = residue;
  }
  return true;
}

}  // namespace heddle::lower

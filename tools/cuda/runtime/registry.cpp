#include "tools/cuda/runtime/registry.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tools/cuda/image/ptx_link.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/image_text.h"

namespace heddle::cudart {

namespace {

/// What both compilers hand over: clang 14 to 22 and nvcc (its fatbinary_section.h).
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* image;
  const void* const* linked_of;  ///< Of version 2: the images that were linked, then a null pointer.
};

/// Linking leaves machine code alone; the images that it was made of have PTX.
std::vector<const void*> images_of(const FatBinaryWrapper& wrapper) {
  constexpr std::uint32_t kLinked = 2;
  if (wrapper.version != kLinked || wrapper.linked_of == nullptr) return {wrapper.image};
  std::vector<const void*> images;
  for (const void* const* each = wrapper.linked_of; *each != nullptr; ++each) images.push_back(*each);
  return images;
}

template <typename Value>
const Value* found_in(const std::map<const void*, Value>& all, const void* key) {
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace

const void* image_in_wrapper(const void* image) {
  constexpr std::uint32_t kWrapperMagic = 0x466243b1;
  std::uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  return magic == kWrapperMagic ? static_cast<const FatBinaryWrapper*>(image)->image : image;
}

const session::Module& Image::module(unsigned capability, bool is_machine_code) {
  if (!module_ && is_machine_code && wrapper_ != nullptr) {
    const std::string code =
        machine_code_of(static_cast<const FatBinaryWrapper*>(wrapper_)->image, capability);
    module_ = session::Module::from_text(code, "device code.cubin");
  }
  if (!module_) {
    if (wrapper_ != nullptr)
      ptx_ = ptx_of(images_of(*static_cast<const FatBinaryWrapper*>(wrapper_)), capability);
    module_ = session::Module::from_text(ptx_, "device code.ptx");
    target_ = target_of(ptx_);
    ptx_.clear();
  }
  return *module_;
}

Image* Registry::add_image(const void* wrapper) {
  images_.push_back(std::make_unique<Image>(wrapper));
  return images_.back().get();
}

void Registry::add_variable(std::span<std::byte> host, Registered variable) {
  const bool is_managed = std::ranges::any_of(managed_, [host](std::span<std::byte> all) {
    return host.data() >= all.data() && host.data() + host.size() <= all.data() + all.size();
  });
  if (is_managed) variable.image->shared_with_host[variable.name] = host;
  add_variable(host.data(), std::move(variable));
}

std::optional<std::string_view> Image::plain_ptx() const {
  if (wrapper_ == nullptr) return std::nullopt;
  return plain_text_of(image_in_wrapper(wrapper_));
}

void Image::write_shared_variables() {
  constexpr unsigned kAny = 80;  // of text, which is the same for all
  for (const ir::Variable& variable : module(kAny).variables()) {
    const auto place = shared_with_host.find(variable.name);
    if (place == shared_with_host.end()) continue;
    std::ranges::fill(place->second, std::byte{0});
    std::ranges::copy(std::span(variable.data).first(std::min(variable.data.size(), place->second.size())),
                      place->second.begin());
  }
}

void Image::place_managed() {
  bool is_new = false;
  for (const ManagedVariable& each : managed) {
    const auto& all = module_->variables();
    const auto variable = std::ranges::find(all, each.name, &ir::Variable::name);
    if (variable == all.end() || shared_with_host.contains(each.name)) continue;
    managed_memory_.emplace_back(variable->bytes / sizeof(Line) + 1);
    shared_with_host[each.name] = {managed_memory_.back().front().bytes, variable->bytes};
    is_new = true;
  }
  if (is_new) write_shared_variables();
}

void Registry::link_once() {
  if (std::exchange(is_linked_, true)) return;
  std::vector<Image*> parts;
  std::vector<std::string_view> texts;
  for (const auto& image : images_) {
    const std::optional<std::string_view> text = image->plain_ptx();
    if (!text) continue;
    parts.push_back(image.get());
    texts.push_back(*text);
  }
  if (parts.size() < 2 || std::ranges::none_of(texts, image::needs_other_files)) return;
  image::LinkedPtx linked = image::link_ptx(std::vector<std::string>(texts.begin(), texts.end()));
  images_.push_back(std::make_unique<Image>(Image::of_ptx(std::move(linked.text))));
  Image& whole = *images_.back();
  const auto new_name = [&](std::size_t part, const std::string& name) {
    const auto found = linked.renamed[part].find(name);
    return found == linked.renamed[part].end() ? name : found->second;
  };
  const auto move_to_whole = [&](Registered& registered) {
    const auto found = std::ranges::find(parts, registered.image);
    if (found == parts.end()) return;
    registered = {&whole, new_name(static_cast<std::size_t>(found - parts.begin()), registered.name)};
  };
  for (auto& [host, function] : functions_) move_to_whole(function);
  for (auto& [host, variable] : variables_) move_to_whole(variable);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const auto& [name, place] : parts[part]->shared_with_host)
      whole.shared_with_host[new_name(part, name)] = place;
  }
}

const Registered* Registry::find_function(const void* host) {
  link_once();
  return found_in(functions_, host);
}

const Registered* Registry::find_variable(const void* host) {
  link_once();
  return found_in(variables_, host);
}

}  // namespace heddle::cudart

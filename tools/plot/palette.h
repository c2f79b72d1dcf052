// Colours that people with any kind of colour vision can tell apart, and that differ in print.
//
// Source: M. Okabe and K. Ito, "Color Universal Design", 2008; its yellow is left out, which white paper
// hides.
#pragma once

#include <array>
#include <string_view>

namespace heddle::plot {

inline constexpr std::array<std::string_view, 7> kPalette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                             "#e69f00", "#56b4e9", "#000000"};

}  // namespace heddle::plot

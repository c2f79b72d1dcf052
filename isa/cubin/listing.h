// Machine code as text: what nvdisasm prints of it, with the control codes of each instruction in a column in
// front.
//
//   .section .text._Z3onePi,"ax",@progbits
//           [B------:R-:W-:-:S02] /*0000*/ IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;
//
// Targets of jumps are addresses, as cuobjdump -sass prints them. text::read_module() reads it again.
#pragma once

#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/cubin/image.h"

namespace heddle::cubin {

/// The text of a .cubin, and what of it could not be decoded.
struct Listing {
  std::string text;
  /// For each function of the image: an instruction whose encoding is not known, with its address and its
  /// encoding. In the text a comment stands in its place.
  std::vector<std::vector<Diagnostic>> mistakes;
  /// Likewise, what keeps a function from being run though its encodings are known: a call through a
  /// register, an address that is left open.
  std::vector<std::vector<Diagnostic>> refusals;
};

/// Lists the image. Messages call its file `file`.
Listing list_image(const Image& image, const std::string& file);

}  // namespace heddle::cubin

// The documents of `heddle explain`.
#pragma once

#include "tools/report/document.h"
#include "tools/report/glossary.h"

namespace heddle::report {

/// A word: its meaning, causes, cures, and where it appears.
Document word_document(const FoundWord& found);

/// The words of a group, each with a short definition.
Document group_document(const WordGroup& group);

/// All words by group.
Document glossary_document();

}  // namespace heddle::report

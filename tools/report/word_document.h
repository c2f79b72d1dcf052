// What `heddle explain` shows.
#pragma once

#include "tools/report/document.h"
#include "tools/report/glossary.h"

namespace heddle::report {

/// What the word is, what makes it so, what helps, and where it is found.
Document word_document(const FoundWord& found);

/// The words of a group, each with a few of its own.
Document group_document(const WordGroup& group);

/// All words by groups.
Document glossary_document();

}  // namespace heddle::report

# Writes the C++ file OUTPUT that holds the style and the program of pages: cmake -DWEB=folder -DOUTPUT=file -P.
cmake_minimum_required(VERSION 3.25)

function(read_all pattern text hash)
  file(GLOB paths ${WEB}/${pattern})
  list(SORT paths)
  set(all "")
  foreach(path IN LISTS paths)
    file(READ ${path} contents)
    string(APPEND all "${contents}")
  endforeach()
  string(SHA256 sum "${all}")
  set(${text} "${all}" PARENT_SCOPE)
  set(${hash} "${sum}" PARENT_SCOPE)
endfunction()

read_all("*.css" style style_hash)
read_all("*.js" program program_hash)
file(WRITE ${OUTPUT} "#include \"tools/page/web_sources.h\"

namespace heddle::page {

const WebSource kStyle{R\"web(${style})web\", \"${style_hash}\"};
const WebSource kProgram{R\"web(${program})web\", \"${program_hash}\"};

}  // namespace heddle::page
")

# What find_package(heddle) reads: the packages that heddle::heddle links, and the target itself.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
find_dependency(yaml-cpp)
find_dependency(PkgConfig)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
include(${CMAKE_CURRENT_LIST_DIR}/heddleTargets.cmake)

// Catch2 by either of its include paths: version 2 is Debian 12's, version 3 that of Debian 13 and Ubuntu 24.04.
#pragma once

#ifdef HEDDLE_CATCH2_V2
#include <catch2/catch.hpp>
#else
#include <catch2/catch_all.hpp>
using Catch::Approx;
#endif

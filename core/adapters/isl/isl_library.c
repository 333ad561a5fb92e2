/* isl's library, opened at the first call of one of its functions: only judgements of whole
 * relations use it (docs/decisions/0112-sqlite-and-isl-are-opened-on-first-use.md).
 * AFFIRM_ISL_FILE is the library's name for the dynamic loader; without it the library is linked or
 * missing, and this file is empty. A library that cannot be opened ends the program: no judge may
 * be lost unseen. */
#ifdef AFFIRM_ISL_FILE
#pragma GCC visibility push(hidden)
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <isl/version.h>
#pragma GCC visibility pop

#define LATE_ROWS "core/adapters/isl/isl_library.def"
#define LATE_LIBRARY isl_library
#define LATE_FILE AFFIRM_ISL_FILE
#define LATE_WHAT "isl"
#include "core/base/late_functions.h"
#undef LATE_ROWS
#undef LATE_LIBRARY
#undef LATE_FILE
#undef LATE_WHAT
#else
typedef int isl_library_is_not_opened;
#endif

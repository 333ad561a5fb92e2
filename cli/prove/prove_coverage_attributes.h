/* Which judges see an attribute: two modules that differ in its value alone. */
#ifndef CLI_PROVE_PROVE_COVERAGE_ATTRIBUTES_H
#define CLI_PROVE_PROVE_COVERAGE_ATTRIBUTES_H

#include "core/base/error.h"
#include "core/base/text.h"

/* A line for each attribute of core/hlo/opcodes.def, and for each pair of an attribute that is not
 * there. */
[[nodiscard]] bool coverage_attributes(Text *text, Error *error);

#endif

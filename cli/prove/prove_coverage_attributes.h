/* Reports which judges notice an attribute, by two modules that differ only in its value. */
#ifndef CLI_PROVE_PROVE_COVERAGE_ATTRIBUTES_H
#define CLI_PROVE_PROVE_COVERAGE_ATTRIBUTES_H

#include "core/base/error.h"
#include "core/base/text.h"

/* Prints a line for each attribute of core/hlo/opcodes.def, and for each listed attribute that does
 * not exist. */
[[nodiscard]] bool coverage_attributes(Text *text, Error *error);

#endif

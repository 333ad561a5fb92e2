/* Both sides of a rule as numbers, for a picture: one letter runs, the other letters have values
 * under which the guard holds. The page draws it (page/sides.js). */
#ifndef CLI_REPORT_RULE_SIDES_H
#define CLI_REPORT_RULE_SIDES_H

#include "core/base/text.h"
#include "smt/rules/rule_value.h"

/* ` data-sides='{...}'`, of at most 41 values of the letter that runs. Of a constraint a side is 1
 * where it holds and 0 elsewhere. `refuting`: the picture goes through these values, and marks
 * them; or nullptr, and values under which the guard holds are looked for. Nothing is printed where
 * none are found, no letter runs through two of them, or a value is past 2^53. */
void rule_sides_print(Text *text, const Rule *rule, const RuleValues *refuting);

#endif

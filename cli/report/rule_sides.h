/* Both sides of a rule as numbers, for a picture: one letter varies, the others have values that
 * satisfy the guard. page/sides.js draws it. */
#ifndef CLI_REPORT_RULE_SIDES_H
#define CLI_REPORT_RULE_SIDES_H

#include "core/base/text.h"
#include "smt/rules/rule_value.h"

/* Prints ` data-sides='{...}'` with at most 41 values of the varying letter. A side that is a
 * constraint is 1 if it holds, else 0. `refuting`: values that the picture contains and marks;
 * nullptr: values that satisfy the guard are searched. Prints nothing if none are found, if no
 * letter takes two values, or if a value exceeds 2^53. */
void rule_sides_print(Text *text, const Rule *rule, const RuleValues *refuting);

#endif

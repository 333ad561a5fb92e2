/* How often each of the engine's rules fires on the corpus, as corpus/fired.txt records it: in the
 * steps of the maps of every module's root, both directions, and of the maps that cases simplify.
 * A test counts again. */
#ifndef CLI_REPORT_FIRED_H
#define CLI_REPORT_FIRED_H

#include "core/rules/rule.h"

/* -1: not recorded, since the rule is not the engine's own. */
[[nodiscard]] int64_t fired_on_corpus(const Rule *rule);
/* Of corpus/fired.txt: a line `NAME COUNT` for each rule, after remarks. */
[[nodiscard]] const char *fired_text(void);

#endif

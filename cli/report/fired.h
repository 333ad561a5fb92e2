/* How often each of the engine's rules fires on the corpus, as recorded in corpus/fired.txt: in the
 * steps of the maps of every module's root, both directions, and of the maps that cases simplify. A
 * test counts again. */
#ifndef CLI_REPORT_FIRED_H
#define CLI_REPORT_FIRED_H

#include "core/rules/rule.h"

/* -1: not recorded, because the rule is not the engine's own. */
[[nodiscard]] int64_t fired_on_corpus(const Rule *rule);
/* The text of corpus/fired.txt: a line `NAME COUNT` for each rule, after comments. */
[[nodiscard]] const char *fired_text(void);

#endif

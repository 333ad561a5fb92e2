/* A rule on the page: its statement and location, verdict and method, certificate, the values that
 * refute its negative example, how often it fired in the page's derivations, and a picture of both
 * sides. The rule is proved again, without a store. */
#ifndef CLI_REPORT_RULE_PAGE_H
#define CLI_REPORT_RULE_PAGE_H

#include "cli/report/html.h"
#include "smt/rules/prove.h"

/* Prints a row numbered `number`, and returns its verdict as a word and a status. `fired` < 0: not
 * counted. A rule with an unsatisfiable guard is bad input. */
void rule_page_row(Text *text, const RuleSet *rules, const Rule *rule, int64_t fired,
    uint32_t number, const char **verdict, Status *status);
/* Prints the section that the steps of derivations link to. Returns the status of the rule. */
Status rule_page_section(Text *text, const Rule *rule, int64_t fired);
/* Prints the section of a rule that an interrupt leaves out. */
void rule_page_left_out(Text *text, const Rule *rule);

#endif

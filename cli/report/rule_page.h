/* A rule on the page: its statement and place, verdict and method, certificate, what refutes its
 * negative example, how often it fired in the page's own derivations, and a picture of both sides.
 * The rule is proved anew, without a store. */
#ifndef CLI_REPORT_RULE_PAGE_H
#define CLI_REPORT_RULE_PAGE_H

#include "cli/report/html.h"
#include "smt/rules/prove.h"

/* A row of the page, as of an operand, numbered `number`; its verdict is given back as a word and a
 * status. `fired` < 0: not counted. A guard that nothing satisfies is the row of a bad input. */
void rule_page_row(Text *text, const Rule *rule, int64_t fired, uint32_t number, const char **word,
    Status *status);
/* The section that the steps of derivations link to; whether the rule is proved. */
Status rule_page_section(Text *text, const Rule *rule, int64_t fired);

#endif

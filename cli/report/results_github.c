/* Annotations as a workflow prints them: `::error file=F,line=N,title=T::TEXT`. Refuted ones first;
 * at most most_annotations, then the true totals. */
#include <string.h>

#include "cli/report/results.h"

/* In properties `,` and `:` are escaped as well. */
static void print_escaped(Text *text, const char *value, bool property) {
  for (; *value != 0; value++) {
    bool escaped =
        strchr("%\r\n", *value) != nullptr || (property && strchr(",:", *value) != nullptr);
    if (escaped) text_printf(text, "%%%02X", (unsigned)(unsigned char)*value);
    else text_append(text, value, 1);
  }
}

static void print_one(Text *text, const Result *result) {
  text_printf(text, "::%s ", result->status == STATUS_UNDECIDED ? "warning" : "error");
  if (result->file != nullptr) {
    text_string(text, "file=");
    print_escaped(text, result->file, true);
    if (result->line > 0) text_printf(text, ",line=%u", result->line);
    text_string(text, ",");
  }
  text_string(text, "title=");
  print_escaped(text, result->part, true);
  text_string(text, " ");
  print_escaped(text, result->name, true);
  text_string(text, "::");
  print_escaped(text, result->text, false);
  text_string(text, "\n");
}

void results_print_annotations(Text *text, const Results *results) {
  static constexpr Status order[] = {STATUS_REFUTED, STATUS_BAD, STATUS_UNDECIDED};
  uint64_t counts[STATUS_BAD + 1] = {};
  uint32_t shown = 0;
  for (uint32_t i = 0; i < results->count; i++) counts[results->items[i].status]++;
  for (uint32_t k = 0; k < 3; k++)
    for (uint32_t i = 0; i < results->count && shown < most_annotations; i++)
      if (results->items[i].status == order[k]) print_one(text, &results->items[i]), shown++;
  uint64_t all = counts[STATUS_REFUTED] + counts[STATUS_UNDECIDED] + counts[STATUS_BAD];
  text_printf(text,
      "::notice title=affirm::%llu passed, %llu refuted, %llu open, %llu bad input; %u of %llu shown\n",
      (unsigned long long)counts[STATUS_PROVED], (unsigned long long)counts[STATUS_REFUTED],
      (unsigned long long)counts[STATUS_UNDECIDED], (unsigned long long)counts[STATUS_BAD], shown,
      (unsigned long long)all);
}

/* The table of affirm check: for each operation that was asked about, the number of operands with
 * each verdict. Operations are in the order of the opcode table. */
#include "cli/check/check.h"

static constexpr uint32_t name_width = 28;

static void print_head(Text *text) {
  text_printf(text, "%-*s", (int)name_width, "operation");
  for (uint32_t i = 0; i < judge_answer_count; i++)
    text_printf(text, " %10s", judge_answer_text(judge_answers[i]));
  text_string(text, "\n");
}

static void print_table_row(Text *text, const char *name, const uint64_t *row) {
  text_printf(text, "%-*s", (int)name_width, name);
  for (uint32_t i = 0; i < judge_answer_count; i++)
    text_printf(text, " %10llu", (unsigned long long)row[judge_answers[i]]);
  text_string(text, "\n");
}

void check_print_table(Text *text, const CheckTally *tally) {
  uint64_t all[verdict_reason_count] = {};
  print_head(text);
  for (uint32_t i = 0; i < opcode_count; i++) {
    const uint64_t *row = tally->by_opcode[i];
    if (verdict_counts_sum(row) == 0) continue;
    print_table_row(text, opcode_name((Opcode)i), row);
    for (uint32_t k = 0; k < verdict_reason_count; k++) all[k] += row[k];
  }
  print_table_row(text, "all", all);
}

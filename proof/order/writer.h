/* Facts and obligations of one rule's order, as texts of the rule language. */
#ifndef PROOF_ORDER_WRITER_H
#define PROOF_ORDER_WRITER_H

#include "proof/order/measure.h"
#include "proof/order/order.h"

static constexpr uint32_t writer_max_facts = 120;

typedef struct Writer {
  Arena *arena;
  const Rule *rule;
  OrderProof *proof;
  Error *error;
  MeasuredSum left, right;
  uint32_t fact_count, equal_count;
  const char *facts[writer_max_facts], *equal[order_max_obligations];
  bool is_bound[rule_max_letters];
  uint32_t nonzero_count;
  const char *nonzero[measured_max_items]; /* coefficients that are not 0 where the rule matches */
  uint32_t next_letter;
} Writer;

[[nodiscard]] const char *writer_symbol(const Writer *writer, Symbol of, uint32_t letter);
[[nodiscard]] const char *writer_weight(const Writer *writer, const MeasuredSum *sum);

[[gnu::format(printf, 2, 3)]] void writer_fact(Writer *writer, const char *format, ...);
void assume_guards(Writer *writer);
void assume_letter(Writer *writer, uint32_t letter);
/* Facts about the sums of a left side, in the order of matching. May replace the letters of a sum
 * by one, and may add an obligation. False with an error if there are too many. */
[[nodiscard]] bool assume_sum(Writer *writer, MeasuredSum *sum);
/* The sum is not constant. */
void assume_present(Writer *writer, const MeasuredSum *sum);
/* The facts that share a letter with the term, as a guard list. */
[[nodiscard]] const char *writer_assumptions(const Writer *writer, const char *term);
/* The same without what earlier parts are; nullptr if nothing is assumed of them. */
[[nodiscard]] const char *writer_alone(const Writer *writer, const char *term);

/* A rule that claims term >= least, or term == 0 if `least` is negative. */
[[nodiscard]] const char *obligation_text(Arena *arena, const char *name, const char *part,
    const char *term, int32_t least, const char *assumptions);
/* Adds an obligation; a part that has one already gets a number, since an obligation is a rule with
 * a name of its own. False with an error if there are too many. */
[[nodiscard]] bool writer_oblige(
    Writer *writer, const char *given, const char *term, int32_t least);
/* Sets the error; false. */
bool writer_reject(Writer *writer, const char *why);

#endif

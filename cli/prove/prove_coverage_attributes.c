/* corpus/attributes.pairs, embedded, lists each attribute with two values and a module in which @
 * is replaced by a value, or with a reason why it has none. A judge notices the attribute if it
 * finds an output element that differs: the oracle by evaluation, smt by its terms, which name the
 * element's index. No solver is asked: a question that needs one is an error. */
#include "cli/prove/prove_coverage_attributes.h"

#include <string.h>

#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"

static const char pairs_text[] = {
#embed "../../corpus/attributes.pairs" suffix(, 0)
};

typedef struct AttributePair {
  const char *name, *reason, *values[2], *module; /* either a reason or the other fields */
} AttributePair;

typedef struct AttributePairs {
  uint32_t count, capacity;
  AttributePair *items;
} AttributePairs;

/* If the line at *at begins with the word, returns the rest of it in *rest and advances *at to the
 * next line. */
static bool pair_line(char **at, const char *word, const char **rest) {
  if (strncmp(*at, word, strlen(word)) != 0) return false;
  *rest = *at + strlen(word);
  char *end = strchr(*at, '\n');
  if (end == nullptr) return false;
  *end = 0;
  *at = end + 1;
  return true;
}

static bool pairs_read(Arena *arena, AttributePairs *pairs, Error *error) {
  char *at = strstr(arena_text(arena, pairs_text, strlen(pairs_text)), "\nattribute ");
  while (at != nullptr) {
    AttributePair pair = {};
    char *line = at + 1;
    if (!pair_line(&line, "attribute ", &pair.name) ||
        (!pair_line(&line, "reason: ", &pair.reason) &&
            (!pair_line(&line, "first: ", &pair.values[0]) ||
                !pair_line(&line, "second: ", &pair.values[1]))))
      return error_set(error, ERROR_INPUT,
          "corpus/attributes.pairs: first and second, or a reason, after %s", pair.name);
    pair.module = line;
    at = pair.reason != nullptr && strncmp(line, "\nattribute ", 11) == 0
             ? line
             : strstr(line, "\nattribute ");
    if (at != nullptr) *at = 0;
    *ARENA_PUSH(arena, pairs) = pair;
  }
  return true;
}

/* Parses the module with a value in place of @. */
static bool pair_module(
    Arena *arena, const AttributePair *pair, uint32_t which, const Module **module, Error *error) {
  Text text = text_create(arena);
  for (const char *c = pair->module; *c != 0; c++)
    if (*c == '@') text_string(&text, pair->values[which]);
    else text_append(&text, c, 1);
  Source *source = ARENA_NEW(arena, Source, 1);
  *source =
      (Source){.name = pair->name, .text = text.bytes, .length = text.length, .first_line = 1};
  return hlo_read(arena, source, module, error);
}

static bool pair_judge(Arena *arena, const AttributePair *pair, Smt *smt, bool *oracle_sees,
    bool *smt_sees, Error *error) {
  const Module *before, *after;
  EquivValues values;
  ValuesVerdict verdict;
  Verdict proof;
  if (!pair_module(arena, pair, 0, &before, error) || !pair_module(arena, pair, 1, &after, error) ||
      !equiv_values_open(arena, before, after, nullptr, smt, &values, error))
    return false;
  equiv_values_query(&values, 0, &verdict);
  *oracle_sees = verdict.answer == REASON_DIFFERENT;
  bool is_answered = smt_values_query(values.proof, 0, &proof, error);
  *smt_sees = is_answered && proof.status == VERDICT_REFUTED;
  if (is_answered && proof.work > 0) is_answered = error_set(error, ERROR_LIMIT, "the solver ran");
  equiv_values_close(&values);
  return is_answered;
}

static bool attribute_coverage(
    Text *text, const AttributePairs *pairs, const char *name, Smt *smt, Error *error) {
  for (uint32_t i = 0; i < pairs->count; i++) {
    if (strcmp(pairs->items[i].name, name) != 0) continue;
    if (pairs->items[i].reason != nullptr) {
      text_printf(text, "fewer: attribute %s: %s\n", name, pairs->items[i].reason);
      return true;
    }
    bool oracle_sees, smt_sees;
    Arena *arena = arena_create();
    bool judged = pair_judge(arena, &pairs->items[i], smt, &oracle_sees, &smt_sees, error);
    arena_destroy(arena);
    if (!judged) return false;
    text_printf(text, "%sattribute %s: %s and %s have other values by %s\n",
        oracle_sees && smt_sees ? "" : "fewer: ", name, pairs->items[i].values[0],
        pairs->items[i].values[1],
        oracle_sees && smt_sees ? "oracle and smt"
        : oracle_sees           ? "oracle alone"
        : smt_sees              ? "smt alone"
                                : "nobody");
    return true;
  }
  text_printf(text, "fewer: attribute %s: no pair of modules\n", name);
  return true;
}

bool coverage_attributes(Text *text, Error *error) {
  static const char *const names[] = {
#define ATTRIBUTE(id, text, form, opcode, owner, field) #id,
#include "core/hlo/opcodes.def"
#undef ATTRIBUTE
  };
  AttributePairs pairs = {};
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, &(SmtOptions){.without_solver = true});
  bool all = pairs_read(text->arena, &pairs, error);
  for (size_t i = 0; all && i < sizeof names / sizeof names[0]; i++)
    all = attribute_coverage(text, &pairs, names[i], smt, error);
  for (uint32_t i = 0; all && i < pairs.count; i++) {
    size_t at = 0;
    while (at < sizeof names / sizeof names[0] && strcmp(names[at], pairs.items[i].name) != 0) at++;
    if (at == sizeof names / sizeof names[0])
      all = error_set(
          error, ERROR_INPUT, "corpus/attributes.pairs: no attribute is %s", pairs.items[i].name);
  }
  smt_destroy(smt);
  map_context_destroy(context);
  return all;
}

/* One piece is contained in another if, for some values of the outer one's hidden integers, its
 * constraints imply each constraint of the outer one. These integers are solved for in an equation,
 * or are the inner one's at the same position. Each constraint is a rule: its guards are the
 * constraints that share unknowns with it, and `x in [a, b] => 0 in [0, 0]` states that x is in [a,
 * b]. Unknowns are k1, k2, .. in textual order, so that equal statements of different claims have
 * one text.
 * A guard with a divisor below 1 is false. So an additional rule states that the divisor is at
 * least 1, with the guards without a division by an unknown. */
#include "smt/semantics/sizes_statements.h"

#include <assert.h>

#include "smt/relation/relation_parts.h"
#include "smt/terms/polynomial.h"

typedef struct SizesWriter {
  const SizesClaim *claim;
  SmtStatements *statements;
  Text text;
  Atoms letters; /* k1, k2, .. */
} SizesWriter;

static bool writer_fails(SizesWriter *writer, const char *why) {
  if (writer->statements->why == nullptr) writer->statements->why = why;
  return false;
}

static void put_sum(SizesWriter *writer, Sum sum);

static void put_letter(SizesWriter *writer, uint32_t atom) {
  uint32_t at = 0;
  while (at < writer->letters.count && writer->letters.items[at] != atom) at++;
  if (at == writer->letters.count) *ARENA_PUSH(writer->claim->sums->arena, &writer->letters) = atom;
  text_printf(&writer->text, "k%u", at + 1);
}

static void put_pair(
    SizesWriter *writer, const char *before, Sum a, const char *between, Sum b, const char *after) {
  text_string(&writer->text, before);
  put_sum(writer, a);
  text_string(&writer->text, between);
  put_sum(writer, b);
  text_string(&writer->text, after);
}

static void put_atom(SizesWriter *writer, uint32_t at) {
  const SumAtom atom = writer->claim->sums->atoms[at];
  switch (atom.kind) {
    case ATOM_FREE:
      if (atom.bounded) (void)writer_fails(writer, "an unknown has bounds of its own");
      put_letter(writer, at);
      return;
    case ATOM_QUOTIENT:
      put_pair(writer, "((", atom.a, ") floordiv ",
          sum_of_constant(writer->claim->sums, atom.divisor), ")");
      return;
    case ATOM_RATIO: put_pair(writer, "((", atom.a, ") floordiv (", atom.b, "))"); return;
    case ATOM_PRODUCT: put_pair(writer, "(", atom.a, ")*(", atom.b, ")"); return;
    case ATOM_MIN: put_pair(writer, "min(", atom.a, ", ", atom.b, ")"); return;
    case ATOM_MAX: put_pair(writer, "max(", atom.a, ", ", atom.b, ")"); return;
    case ATOM_VALUE: (void)writer_fails(writer, "an element's value has no name"); return;
  }
}

static void put_sum(SizesWriter *writer, Sum sum) {
  const SumNode node = writer->claim->sums->sums[sum.at];
  Text *text = &writer->text;
  for (uint32_t i = 0; i < node.term_count; i++) {
    Wide factor = node.terms[i].coefficient;
    text_string(text, factor < 0 ? i == 0 ? "-" : " - " : i == 0 ? "" : " + ");
    if (factor != 1 && factor != -1) {
      wide_print(text, factor < 0 ? -factor : factor);
      text_string(text, "*");
    }
    put_atom(writer, node.terms[i].atom);
  }
  if (node.constant == 0 && node.term_count > 0) return;
  if (node.term_count > 0) text_string(text, node.constant < 0 ? " - " : " + ");
  wide_print(text, node.constant < 0 && node.term_count > 0 ? -node.constant : node.constant);
}

static void put_guard(SizesWriter *writer, const Within *guard) {
  bool has_lo = guard->lo != -no_bound, has_hi = guard->hi != no_bound;
  if (guard->lo == guard->hi) has_hi = false;
  for (uint32_t end = 0; end < 2; end++) {
    if (!(end == 0 ? has_lo : has_hi)) continue;
    text_string(
        &writer->text, writer->text.bytes[writer->text.length - 1] == '\n' ? "  when " : ", ");
    put_sum(writer, guard->sum);
    text_string(&writer->text, guard->lo == guard->hi ? " == " : end == 0 ? " >= " : " <= ");
    wide_print(&writer->text, end == 0 ? guard->lo : guard->hi);
  }
}

/* Prints `x in [a, b]`; a missing end is x itself. */
static void put_fact(SizesWriter *writer, const Within *fact) {
  bool has_lo = fact->lo != -no_bound, has_hi = fact->hi != no_bound;
  Sum x = fact->sum, lo = sum_of_constant(writer->claim->sums, fact->lo),
      hi = sum_of_constant(writer->claim->sums, fact->hi);
  put_sum(writer, has_lo && has_hi ? x : has_lo ? lo : hi);
  put_pair(writer, " in [", has_lo ? lo : x, ", ", has_hi ? hi : x, "]  =>  0 in [0, 0]\n");
}

static void ratios_find(Sums *sums, Sum sum, Atoms *ratios) {
  assert(sums_has(sums, sum));
  const SumNode node = sums->sums[sum.at];
  for (uint32_t i = 0; i < node.term_count; i++) {
    const SumAtom atom = sums->atoms[node.terms[i].atom];
    if (atom.kind == ATOM_FREE) continue;
    ratios_find(sums, atom.a, ratios);
    ratios_find(sums, atom.b, ratios);
    if (atom.kind == ATOM_RATIO) *ARENA_PUSH(sums->arena, ratios) = node.terms[i].atom;
  }
}

/* States the rule that the guards imply the fact. */
static bool state_fact(SizesWriter *writer, const Piece *guards, const Within *fact) {
  Sums *sums = writer->claim->sums;
  Piece part = {};
  *ARENA_PUSH(sums->arena, &part.withins) = *fact;
  const Piece linked = piece_slice(sums, guards, &part);
  writer->text = text_create(sums->arena);
  writer->letters = (Atoms){};
  put_fact(writer, fact);
  for (uint32_t i = 0; i < linked.withins.count; i++) put_guard(writer, &linked.withins.items[i]);
  text_string(&writer->text, "\n");
  *ARENA_PUSH(sums->arena, writer->statements) =
      arena_text(sums->arena, writer->text.bytes, writer->text.length);
  return writer->statements->why == nullptr && !sums->overflow;
}

/* States that each divisor in the guards is at least 1, from the guards without such a division. */
static bool state_divisors(SizesWriter *writer, const Piece *guards) {
  Sums *sums = writer->claim->sums;
  Piece plain = {};
  Atoms ratios = {};
  for (uint32_t i = 0; i < guards->withins.count; i++) {
    const uint32_t known = ratios.count;
    ratios_find(sums, guards->withins.items[i].sum, &ratios);
    if (ratios.count == known) *ARENA_PUSH(sums->arena, &plain.withins) = guards->withins.items[i];
  }
  for (uint32_t i = 0; i < ratios.count; i++)
    if (!state_fact(writer, &plain,
            &(Within){.sum = sums->atoms[ratios.items[i]].b, .lo = 1, .hi = no_bound}))
      return false;
  return true;
}

static Piece guards_of(const SizesWriter *writer, const Piece *inner) {
  Piece guards = {};
  const Withins *lists[] = {&writer->claim->work->given, &inner->withins};
  for (uint32_t l = 0; l < 2; l++)
    for (uint32_t i = 0; i < lists[l]->count; i++)
      *ARENA_PUSH(writer->claim->sums->arena, &guards.withins) = lists[l]->items[i];
  return guards;
}

static Wide coefficient_in(const Sums *sums, Sum sum, uint32_t atom) {
  assert(sums_has(sums, sum));
  assert(sums_has_atom(sums, atom));
  const SumNode *node = &sums->sums[sum.at];
  for (uint32_t i = 0; i < node->term_count; i++)
    if (node->terms[i].atom == atom) return node->terms[i].coefficient;
  return 0;
}

/* The value of a hidden integer of the outer piece: by one of its equations, otherwise the inner
 * piece's integer at the same position. */
static bool hidden_value(
    Sums *sums, const Piece *inner, const Piece *outer, uint32_t at, Sum *value) {
  assert(piece_is_well_formed(sums, inner));
  assert(piece_is_well_formed(sums, outer));
  const uint32_t atom = outer->hidden.items[at];
  for (uint32_t i = 0; i < outer->withins.count; i++) {
    const Within *within = &outer->withins.items[i];
    Wide factor = coefficient_in(sums, within->sum, atom);
    if (within->lo != within->hi || (factor != 1 && factor != -1)) continue;
    Sum own = sum_scale(sums, sum_of_atom(sums, atom), factor),
        rest = sum_subtract(
            sums, sum_subtract(sums, within->sum, own), sum_of_constant(sums, within->lo));
    bool *is_hidden = ARENA_NEW(sums->arena, bool, sums->atom_count);
    for (uint32_t k = 0; k < outer->hidden.count; k++) is_hidden[outer->hidden.items[k]] = true;
    sums_mark_dependent(sums, is_hidden);
    if (sum_depends(sums, is_hidden, rest)) continue;
    *value = sum_scale(sums, rest, -factor);
    return true;
  }
  if (at >= inner->hidden.count) return false;
  *value = sum_of_atom(sums, inner->hidden.items[at]);
  return true;
}

static bool state_inside(
    SizesWriter *writer, const Piece *guards, const Piece *inner, const Piece *outer) {
  Sums *sums = writer->claim->sums;
  Piece shown = piece_copy(sums, outer);
  for (uint32_t h = 0; h < outer->hidden.count; h++) {
    Sum value;
    if (!hidden_value(sums, inner, outer, h, &value))
      return writer_fails(writer, "a hidden integer is not solved for");
    for (uint32_t i = 0; i < shown.withins.count; i++)
      sums_replace_atom(sums, outer->hidden.items[h], value, 1, &shown.withins.items[i].sum);
  }
  for (uint32_t i = 0; i < shown.withins.count; i++) {
    const Within *fact = &shown.withins.items[i];
    Wide value;
    bool is_number =
        sum_is_constant(sums, fact->sum, &value) && fact->lo <= value && value <= fact->hi;
    if (!is_number && !state_fact(writer, guards, fact)) return false;
  }
  return state_divisors(writer, guards);
}

/* Compares unions of equal length piece by piece, or every inner piece with the only outer
 * piece. */
static bool state_contained(SizesWriter *writer, const Relation *inner, const Relation *outer) {
  if (outer->count != 1 && outer->count != inner->count)
    return writer_fails(writer, "pieces cannot be paired");
  for (uint32_t i = 0; i < inner->count; i++) {
    const Piece guards = guards_of(writer, &inner->items[i]);
    if (!state_inside(writer, &guards, &inner->items[i], &outer->items[outer->count == 1 ? 0 : i]))
      return false;
  }
  return true;
}

/* The negation of the only inequality of the piece beyond the box. */
static bool piece_negation(
    SizesWriter *writer, const Piece *piece, const Piece *box, Within * not) {
  const Within *only = nullptr;
  for (uint32_t i = 0; i < piece->withins.count; i++) {
    const Within *within = &piece->withins.items[i];
    bool is_in_box = false;
    for (uint32_t k = 0; k < box->withins.count && !is_in_box; k++)
      is_in_box = sum_same(within->sum, box->withins.items[k].sum) &&
                  within->lo == box->withins.items[k].lo && within->hi == box->withins.items[k].hi;
    if (is_in_box) continue;
    if (only != nullptr) return writer_fails(writer, "a piece has several constraints");
    only = within;
  }
  if (only == nullptr || (only->lo == -no_bound) == (only->hi == no_bound))
    return writer_fails(writer, "a piece is no inequality");
  *not= (Within){.sum = only->sum, .lo = -no_bound, .hi = no_bound};
  if (only->lo == -no_bound) not->lo = only->hi + 1;
  else not->hi = only->lo - 1;
  return true;
}

/* The box is the disjoint union of the single read piece and the stated pieces: a point outside of
 * all stated pieces is in the read piece, and a point of the read piece is in none of them. */
static bool state_complement(SizesWriter *writer, const Relation *box) {
  const SizesClaim *claim = writer->claim;
  if (claim->read.count != 1 || box->count != 1)
    return writer_fails(writer, "the complement is of several pieces");
  const Piece *read = &claim->read.items[0];
  Piece outside = guards_of(writer, &box->items[0]);
  const Piece inside = guards_of(writer, read);
  for (uint32_t i = 0; i < claim->stated.count; i++) {
    Within not;
    if (!piece_negation(writer, &claim->stated.items[i], &box->items[0], &not)) return false;
    *ARENA_PUSH(claim->sums->arena, &outside.withins) = not;
    if (!state_fact(writer, &inside, &not)) return false;
  }
  return state_divisors(writer, &inside) && state_inside(writer, &outside, &box->items[0], read);
}

bool sizes_statements(const SizesClaim *claim, const Relation *box, SmtStatements *statements) {
  SizesWriter writer = {.claim = claim, .statements = statements};
  if (claim->is_complement) return state_complement(&writer, box);
  return state_contained(&writer, &claim->read, &claim->stated) &&
         state_contained(&writer, &claim->stated, &claim->read) &&
         state_contained(&writer, &claim->stated, box);
}

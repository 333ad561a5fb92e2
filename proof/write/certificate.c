/* Prints certificates in the format of docs/certificates.md. A clause that several obligations use
 * is stated once, before the first of them. */
#include "proof/write/certificate.h"

#include <string.h>

typedef struct CertificateWriter {
  Arena *arena;
  RuleProof *proof;
  const char **names; /* of unknowns; nullptr: not defined */
  Text text;
  uint32_t label; /* the last one */
  size_t line_start;
  bool is_broken; /* the next piece starts a new line */
  struct {
    uint32_t count, capacity;
    struct Labelled {
      Premise premise;
      uint32_t label;
    } *items;
  } stated;
  const Refuted *refuted; /* the current obligation */
  uint32_t *rounded;      /* labels of its rounded facts */
} CertificateWriter;

void poly_print_named(Text *text, const PolyRing *ring, Poly poly, const char *const *names) {
  if (poly.count == 0) text_string(text, "0");
  for (uint32_t i = 0; i < poly.count; i++) {
    Wide factor = poly.terms[i].coefficient, size = factor < 0 ? -factor : factor;
    const Monomial *monomial = &ring->items[poly.terms[i].monomial];
    text_string(text, i == 0 ? factor < 0 ? "-" : "" : factor < 0 ? " - " : " + ");
    if (size != 1 || monomial->degree == 0) wide_print(text, size);
    for (uint32_t k = 0; k < monomial->degree; k++)
      text_printf(text, "%s%s", k > 0 || size != 1 ? "*" : "", names[monomial->atoms[k]]);
  }
}

static void writer_poly(CertificateWriter *writer, Poly poly) {
  poly_print_named(&writer->text, writer->proof->ring, poly, writer->names);
}

static void writer_fact(CertificateWriter *writer, const Fact *fact) {
  writer_poly(writer, fact->poly);
  text_string(&writer->text, fact->is_equation ? " = 0" : " >= 0");
}

static void writer_clause(CertificateWriter *writer, const Clause *clause) {
  for (uint32_t b = 0; b < clause->count; b++)
    for (uint32_t f = 0; f < clause->branches[b].count; f++) {
      text_string(&writer->text, f > 0 ? ", " : b > 0 ? " | " : ": ");
      writer_fact(writer, &clause->branches[b].items[f]);
    }
  text_string(&writer->text, "\n");
}

static void writer_operand(CertificateWriter *writer, const char *before, Poly poly) {
  text_printf(&writer->text, "%s(", before);
  writer_poly(writer, poly);
  text_string(&writer->text, ")");
}

static bool same_premise(const Premise *a, const Premise *b) {
  if (a->reason != b->reason || a->number != b->number || a->part != b->part) return false;
  if (a->reason == REASON_INTEGER)
    return poly_equal(a->clause.branches[0].items[0].poly, b->clause.branches[0].items[0].poly);
  if (a->reason != REASON_LEMMA) return true;
  const Candidate *left = a->clause.instance, *right = b->clause.instance;
  return left->kind == right->kind && a->clause.k == b->clause.k && poly_equal(left->a, right->a) &&
         poly_equal(left->b, right->b);
}

static uint32_t premise_label(const CertificateWriter *writer, const Premise *premise) {
  for (uint32_t i = 0; i < writer->stated.count; i++)
    if (same_premise(&writer->stated.items[i].premise, premise))
      return writer->stated.items[i].label;
  return 0;
}

static void writer_reason(CertificateWriter *writer, const Premise *premise) {
  Text *text = &writer->text;
  const Clause *clause = &premise->clause;
  switch (premise->reason) {
    case REASON_GUARD: text_printf(text, "guard %u", premise->number); return;
    case REASON_GUARD_DIVISOR:
      text_printf(text, "guard %u divisor %u", premise->number, premise->part);
      return;
    case REASON_DIVISOR: text_printf(text, "divisor %u", premise->number); return;
    case REASON_LOWER: text_printf(text, "lower %s", writer->names[premise->number]); return;
    case REASON_UPPER: text_printf(text, "upper %s", writer->names[premise->number]); return;
    case REASON_DEFINE: text_printf(text, "define %s", writer->names[premise->number]); return;
    case REASON_INTEGER:
      writer_operand(writer, "integer ", clause->branches[0].items[0].poly);
      return;
    case REASON_LEMMA:
      text_string(text, lemma_name(clause->instance->kind));
      writer_operand(writer, " ", clause->instance->a);
      writer_operand(writer, " ", clause->instance->b);
      if (clause->instance->kind == LEMMA_SPLIT) {
        text_string(text, " ");
        wide_print(text, clause->k);
      }
      return;
    case REASON_GOAL:
    case REASON_LOW:
    case REASON_HIGH: return;
  }
}

static bool has_label(const Premise *premise) {
  return premise->reason != REASON_GOAL && premise->reason != REASON_LOW &&
         premise->reason != REASON_HIGH;
}

static void writer_premises(CertificateWriter *writer) {
  const Premises *premises = &writer->refuted->premises;
  for (uint32_t i = 0; i < premises->count; i++) {
    const Premise *premise = &premises->items[i];
    bool is_needed = has_label(premise) && tree_uses(writer->refuted->tree, premises, i);
    if (!is_needed || premise_label(writer, premise) != 0) continue;
    *ARENA_PUSH(writer->arena, &writer->stated) =
        (struct Labelled){.premise = *premise, .label = ++writer->label};
    text_printf(&writer->text, "%u ", writer->label);
    writer_reason(writer, premise);
    writer_clause(writer, &premise->clause);
  }
}

static void writer_tree(CertificateWriter *writer, const Tree *tree, int indent);

static void writer_terms(CertificateWriter *writer, Text *text, const Tree *tree) {
  for (uint32_t i = 0; i < tree->count; i++) {
    const TreeTerm *term = &tree->items[i];
    text_string(text, i > 0 ? " + " : " ");
    wide_print(text, term->factor);
    if (term->premise == UINT32_MAX) {
      text_printf(text, "*%u", writer->rounded[term->fact]);
      continue;
    }
    const Premise *premise = &writer->refuted->premises.items[term->premise];
    if (has_label(premise)) text_printf(text, "*%u", premise_label(writer, premise));
    else
      text_string(text, premise->reason == REASON_GOAL  ? "*goal"
                        : premise->reason == REASON_LOW ? "*low"
                                                        : "*high");
    if (term->fact > 0) text_printf(text, ".%u", term->fact + 1);
  }
}

/* Appends a piece that must not be broken, on the current line if it fits. */
static void writer_piece(CertificateWriter *writer, const char *piece, int indent) {
  static constexpr size_t width = 100;
  if (writer->is_broken || writer->text.length - writer->line_start + 2 + strlen(piece) > width) {
    text_string(&writer->text, "\n");
    writer->line_start = writer->text.length;
    text_printf(&writer->text, "%*s%s", indent, "", piece);
  } else {
    text_printf(&writer->text, "  %s", piece);
  }
  writer->is_broken = false;
}

/* Prints `cases` and the refutations of the options. If two or more are not plain sums, each starts
 * a line. */
static void writer_cases(CertificateWriter *writer, const Tree *tree, int indent) {
  const Premise *premise = &writer->refuted->premises.items[tree->premise];
  uint32_t open = 0;
  for (uint32_t i = 0; i < premise->clause.count; i++) open += tree->children[i]->kind != TREE_SUM;
  writer_piece(
      writer, arena_printf(writer->arena, "cases %u", premise_label(writer, premise)), indent);
  for (uint32_t i = 0; i < premise->clause.count; i++) {
    writer->is_broken |= open > 1;
    writer_tree(writer, tree->children[i], open > 1 ? indent + 2 : indent);
  }
}

static void writer_tree(CertificateWriter *writer, const Tree *tree, int indent) {
  Text piece = text_create(writer->arena);
  switch (tree->kind) {
    case TREE_SUM:
      text_string(&piece, "sum");
      writer_terms(writer, &piece, tree);
      writer_piece(writer, piece.bytes, indent);
      return;
    case TREE_ROUND:
      writer->rounded[tree->rounded] = ++writer->label;
      text_printf(&piece, "%u round ", writer->label);
      wide_print(&piece, tree->divisor);
      writer_terms(writer, &piece, tree);
      text_string(&piece, ": ");
      writer_piece(writer, piece.bytes, indent);
      writer_poly(writer, tree->poly);
      text_string(&writer->text, " >= 0");
      writer_tree(writer, tree->children[0], indent);
      return;
    case TREE_CASES: writer_cases(writer, tree, indent); return;
  }
}

static uint32_t rounded_count(const Tree *tree, const Premises *premises) {
  uint32_t most = tree->kind == TREE_ROUND ? tree->rounded + 1 : 0;
  uint32_t children = tree->kind == TREE_ROUND   ? 1
                      : tree->kind == TREE_CASES ? premises->items[tree->premise].clause.count
                                                 : 0;
  for (uint32_t i = 0; i < children; i++) {
    uint32_t below = rounded_count(tree->children[i], premises);
    if (below > most) most = below;
  }
  return most;
}

static void writer_obligation(CertificateWriter *writer, const Refuted *refuted) {
  writer->refuted = refuted;
  writer->rounded =
      ARENA_NEW(writer->arena, uint32_t, rounded_count(refuted->tree, &refuted->premises) + 1);
  writer_premises(writer);
  const ProofObligation *obligation = refuted->obligation;
  writer->line_start = writer->text.length;
  text_printf(&writer->text, "refute %s %s", obligation->what, obligation->which);
  if (obligation->has_side) {
    text_string(&writer->text, "  low: ");
    writer_fact(writer, &(Fact){.poly = obligation->low});
    text_string(&writer->text, "  high: ");
    writer_fact(writer, &(Fact){.poly = obligation->high});
  }
  text_string(&writer->text, "  goal: ");
  writer_fact(writer, &(Fact){.poly = obligation->goal});
  writer->is_broken = refuted->tree->kind != TREE_SUM;
  writer_tree(writer, refuted->tree, 2);
  text_string(&writer->text, "\n");
}

static void definition_line(CertificateWriter *writer, uint32_t number) {
  const RuleUnknown *unknown = &writer->proof->items[number];
  Text *text = &writer->text;
  const char *name = writer->names[number];
  switch (unknown->kind) {
    case UNKNOWN_QUOTIENT: text_printf(text, "define %s = floordiv", name); break;
    case UNKNOWN_MAX: text_printf(text, "define %s = positive", name); break;
    case UNKNOWN_NAMED: text_printf(text, "define %s = poly", name); break;
    case UNKNOWN_GCD:
      text_printf(text, "define %s ga%s gb%s gs%s gt%s = gcd", name, name + 1, name + 1, name + 1,
          name + 1);
      break;
    case UNKNOWN_CONSTANT:
    case UNKNOWN_EXPR:
    case UNKNOWN_LO:
    case UNKNOWN_HI:
    case UNKNOWN_GCD_LEFT:
    case UNKNOWN_GCD_RIGHT:
    case UNKNOWN_BEZOUT_LEFT:
    case UNKNOWN_BEZOUT_RIGHT: return;
  }
  writer_operand(writer, " ", unknown->a);
  if (unknown->kind == UNKNOWN_QUOTIENT || unknown->kind == UNKNOWN_GCD)
    writer_operand(writer, " ", unknown->b);
  text_string(text, "\n");
}

static uint32_t count_lines(const char *text) {
  uint32_t lines = 0;
  for (; *text != 0; text++) lines += *text == '\n';
  return lines;
}

Certificate certificate_write(Arena *arena, const Refutations *refutations) {
  RuleProof *proof = refutations->statement->refutation->proof;
  Certificate certificate = {.figures = refutations->figures, .why = refutations->why};
  if (certificate.why != nullptr) return certificate;
  CertificateWriter writer = {
      .arena = arena, .proof = proof, .names = refutations->names, .text = text_create(arena)};
  text_printf(&writer.text, "certificate 1\nrule %s\n", proof->rule->name);
  for (uint32_t i = 0; i < proof->count; i++)
    if (refutations->names[i] != nullptr) definition_line(&writer, i);
  for (uint32_t i = 0; i < refutations->statement->obligations.count; i++)
    writer_obligation(&writer, &refutations->items[i]);
  text_string(&writer.text, "end\n");
  certificate.text = writer.text.bytes;
  certificate.figures.lines = count_lines(writer.text.bytes);
  return certificate;
}

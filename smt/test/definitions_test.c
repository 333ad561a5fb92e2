/* Whole functions of smt against definitions of this file: parts and slices of pieces, positions in
 * memory, which parameters a body uses, and what a caller passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "smt/relation/relation_parts.h"
#include "smt/semantics/hlo_reading.h"

static uint64_t state_of_pieces = 9;

static uint32_t piece_below(uint32_t end) {
  state_of_pieces = state_of_pieces * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_pieces >> 33) % end;
}

static int64_t piece_between(int64_t lo, int64_t hi) {
  return lo + (int64_t)piece_below((uint32_t)(hi - lo + 1));
}

/* ---- parts of pieces ---- */

static constexpr uint32_t seen_count = 2, hidden_count = 4,
                          unknown_count = seen_count + hidden_count, most_facts = 8;

typedef struct DrawnPiece {
  Sums *sums;
  Sum unknowns[unknown_count]; /* the visible ones first */
  uint32_t atoms[unknown_count];
  Piece piece;
} DrawnPiece;

static Sum draw_sum(const DrawnPiece *drawn) {
  Sums *sums = drawn->sums;
  Sum sum = sum_of_constant(sums, piece_between(-3, 3));
  for (uint32_t terms = 1 + piece_below(3); terms > 0; terms--)
    sum = sum_add(sums, sum,
        sum_scale(sums, drawn->unknowns[piece_below(unknown_count)], piece_between(-2, 2)));
  return sum;
}

static void draw_fact(DrawnPiece *drawn) {
  Sums *sums = drawn->sums;
  Sum sum = draw_sum(drawn);
  switch (piece_below(5)) {
    case 0: sum = sum_floordiv(sums, sum, 3); break;
    case 1: sum = sum_mod(sums, sum, 4); break;
    case 2: sum = sum_min(sums, sum, draw_sum(drawn)); break;
    default: break;
  }
  int64_t lo = piece_between(-3, 2);
  piece_within(sums, &drawn->piece, sum, lo, lo + piece_between(0, 3));
}

static DrawnPiece draw_piece(Arena *arena) {
  DrawnPiece drawn = {.sums = sums_create(arena)};
  for (uint32_t i = 0; i < unknown_count; i++) {
    drawn.unknowns[i] =
        i < seen_count ? sum_free_within(drawn.sums, "x", 0, 2) : sum_free(drawn.sums, "h");
    assert_true(sum_is_atom(drawn.sums, drawn.unknowns[i], &drawn.atoms[i]));
    if (i >= seen_count) *ARENA_PUSH(arena, &drawn.piece.hidden) = drawn.atoms[i];
  }
  for (uint32_t facts = 1 + piece_below(most_facts); facts > 0; facts--) draw_fact(&drawn);
  return drawn;
}

static bool has_unknown(const DrawnPiece *drawn, Sum sum, uint32_t unknown) {
  bool *depends = ARENA_NEW(drawn->sums->arena, bool, drawn->sums->atom_count);
  depends[drawn->atoms[unknown]] = true;
  sums_mark_dependent(drawn->sums, depends);
  return sum_depends(drawn->sums, depends, sum);
}

/* Whether some values of the hidden integers, each in [-1, 1], satisfy all facts. */
static bool facts_have_values(const DrawnPiece *drawn, const Withins *facts, const int64_t *seen) {
  const Sums *sums = drawn->sums;
  Wide *values = ARENA_NEW(sums->arena, Wide, sums->atom_count);
  for (uint32_t code = 0; code < 3 * 3 * 3 * 3; code++) {
    bool holds = true;
    for (uint32_t i = 0, rest = code; i < unknown_count; i++) {
      values[drawn->atoms[i]] = i < seen_count ? seen[i] : (Wide)(rest % 3) - 1;
      if (i >= seen_count) rest /= 3;
    }
    assert_true(sums_complete(sums, values));
    for (uint32_t i = 0; i < facts->count && holds; i++) {
      Wide value;
      assert_true(sum_evaluate(sums, values, facts->items[i].sum, &value));
      holds = value >= facts->items[i].lo && value <= facts->items[i].hi;
    }
    if (holds) return true;
  }
  return false;
}

/* Facts that share an unknown, from the `first` on, get the same label, the smallest. */
static void label_facts(const DrawnPiece *drawn, uint32_t first, uint32_t *labels) {
  const Withins *facts = &drawn->piece.withins;
  for (uint32_t i = 0; i < facts->count; i++) labels[i] = i;
  for (uint32_t round = 0; round < facts->count; round++)
    for (uint32_t i = 0; i < facts->count; i++)
      for (uint32_t k = 0; k < facts->count; k++)
        for (uint32_t u = first; u < unknown_count; u++)
          if (labels[k] < labels[i] && has_unknown(drawn, facts->items[i].sum, u) &&
              has_unknown(drawn, facts->items[k].sum, u))
            labels[i] = labels[k];
}

/* The facts of the given label, in their order. */
static void check_facts(
    const Withins *all, const uint32_t *labels, uint32_t label, const Withins *facts) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < all->count; i++) {
    if (labels[i] != label) continue;
    assert_true(count < facts->count);
    const Within *one = &facts->items[count++];
    assert_true(sum_same(one->sum, all->items[i].sum) && one->lo == all->items[i].lo &&
                one->hi == all->items[i].hi);
  }
  assert_int_equal(facts->count, count);
}

static uint32_t check_parts(DrawnPiece *drawn) {
  const Withins *all = &drawn->piece.withins;
  uint32_t labels[most_facts] = {}, at = 0;
  Relation parts = piece_parts(drawn->sums, &drawn->piece);
  label_facts(drawn, seen_count, labels);
  for (uint32_t i = 0; i < all->count; i++) {
    if (labels[i] != i) continue;
    assert_true(at < parts.count);
    assert_int_equal(parts.items[at].hidden.count, hidden_count);
    check_facts(all, labels, i, &parts.items[at++].withins);
  }
  assert_int_equal(parts.count, at);
  for (uint32_t code = 0; code < 9; code++) {
    const int64_t seen[] = {code % 3, code / 3};
    bool holds = true;
    for (uint32_t i = 0; i < parts.count; i++)
      holds = holds && facts_have_values(drawn, &parts.items[i].withins, seen);
    assert_int_equal(holds, facts_have_values(drawn, all, seen));
  }
  return parts.count;
}

/* The slice for one fact has the facts that are linked to it by any unknown. */
static void check_slices(DrawnPiece *drawn) {
  const Withins *all = &drawn->piece.withins;
  uint32_t labels[most_facts] = {};
  label_facts(drawn, 0, labels);
  for (uint32_t i = 0; i < all->count; i++) {
    Wide value;
    if (sum_is_constant(drawn->sums, all->items[i].sum, &value)) continue; /* it is in no slice */
    Piece part = {.hidden = drawn->piece.hidden, .withins = {.items = &all->items[i], .count = 1}};
    Piece slice = piece_slice(drawn->sums, &drawn->piece, &part);
    check_facts(all, labels, labels[i], &slice.withins);
  }
}

static void parts_share_no_hidden_integer(void **) {
  uint32_t several = 0;
  for (uint32_t round = 0; round < 250; round++) {
    Arena *arena = arena_create();
    DrawnPiece drawn = draw_piece(arena);
    several += check_parts(&drawn) > 1;
    check_slices(&drawn);
    arena_destroy(arena);
  }
  assert_true(several > 60);
}

/* ---- positions ---- */

static void check_position(Sums *sums, uint32_t rank, const int64_t *sizes, const uint32_t *order) {
  Sum index[4], back[4], seen[4];
  int64_t at[4], defined = 0;
  Wide *values, value = 0;
  bool has_no_single = true;
  for (uint32_t i = 0; i < rank; i++) {
    has_no_single &= sizes[i] > 1;
    at[i] = piece_between(0, sizes[i] - 1);
    index[i] = sum_free_within(sums, "i", 0, sizes[i] - 1);
  }
  for (uint32_t i = rank; i-- > 0;) defined = defined * sizes[order[i]] + at[order[i]];
  Sum position = position_of(sums, rank, sizes, order, index);
  index_at(sums, rank, sizes, order, position, back);
  index_at(sums, rank, sizes, order, sum_of_constant(sums, defined), seen);
  values = ARENA_NEW(sums->arena, Wide, sums->atom_count);
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t atom;
    if (sum_is_atom(sums, index[i], &atom)) values[atom] = at[i];
  }
  assert_true(sums_complete(sums, values) && sum_evaluate(sums, values, position, &value));
  assert_true(value == defined);
  for (uint32_t i = 0; i < rank; i++) {
    assert_true(sum_evaluate(sums, values, back[i], &value) && value == at[i]);
    if (has_no_single) assert_true(sum_same(back[i], index[i]));
    assert_true(sum_is_constant(sums, seen[i], &value) && value == at[i]);
  }
}

static void positions_are_digits_in_the_order(void **) {
  for (uint32_t round = 0; round < 400; round++) {
    Arena *arena = arena_create();
    Sums *sums = sums_create(arena);
    int64_t sizes[4];
    uint32_t order[4] = {0, 1, 2, 3}, rank = piece_below(5);
    for (uint32_t i = 0; i < rank; i++) {
      sizes[i] = piece_below(3) == 0 ? piece_between(1, 100000) : piece_between(1, 4);
      uint32_t with = piece_below(i + 1), moved = order[i];
      order[i] = order[with];
      order[with] = moved;
    }
    check_position(sums, rank, sizes, order);
    arena_destroy(arena);
  }
}

static void values_are_found_at_their_first_place(void **) {
  for (uint32_t code = 0; code < 3 * 3 * 3 * 3; code++)
    for (uint32_t count = 0; count <= 4; count++)
      for (int64_t value = 0; value < 4; value++) {
        int64_t values[] = {code % 3, code / 3 % 3, code / 9 % 3, code / 27};
        uint32_t at, first = 0;
        while (first < count && values[first] != value) first++;
        Ints list = {.count = count, .values = values};
        assert_int_equal(reading_finds(list, value, &at), first < count);
        assert_int_equal(at, first);
      }
}

/* ---- bodies ---- */

static constexpr uint32_t body_parameters = 3, most_steps = 9;

typedef enum UseKind : uint8_t { USE_NEGATE, USE_ADD, USE_CALL, USE_FUSION } UseKind;

/* Steps 0 to 2 are the parameters; the last step is the root. */
typedef struct DrawnUses {
  uint32_t count;
  struct {
    UseKind kind;
    uint32_t operands[body_parameters];
  } steps[most_steps];
} DrawnUses;

static void draw_uses(DrawnUses *uses, uint32_t body) {
  uses->count = body_parameters + 1 + piece_below(most_steps - body_parameters);
  for (uint32_t i = body_parameters; i < uses->count; i++) {
    uses->steps[i].kind = (UseKind)piece_below(body == 0 ? 2 : 4);
    for (uint32_t k = 0; k < body_parameters; k++) uses->steps[i].operands[k] = piece_below(i);
  }
}

static void print_uses(Text *text, const DrawnUses *uses, uint32_t body) {
  text_printf(text, "b%u {\n", body);
  for (uint32_t i = 0; i < uses->count; i++) {
    const uint32_t *of = uses->steps[i].operands;
    text_printf(text, "%sv%u = f32[2] ", i + 1 == uses->count ? "ROOT " : "", i);
    if (i < body_parameters) text_printf(text, "parameter(%u)\n", i);
    else if (uses->steps[i].kind == USE_NEGATE) text_printf(text, "negate(v%u)\n", of[0]);
    else if (uses->steps[i].kind == USE_ADD) text_printf(text, "add(v%u, v%u)\n", of[0], of[1]);
    else if (uses->steps[i].kind == USE_CALL)
      text_printf(text, "call(v%u, v%u, v%u), to_apply=b%u\n", of[0], of[1], of[2], body - 1);
    else
      text_printf(
          text, "fusion(v%u, v%u, v%u), kind=kLoop, calls=b%u\n", of[0], of[1], of[2], body - 1);
  }
  text_string(text, "}\n");
}

/* Whether the step of the body depends on the parameter: a call through the parameters that its
 * body's root depends on. */
static bool depends_on(const DrawnUses *bodies, uint32_t body, uint32_t step, uint32_t parameter) {
  const DrawnUses *uses = &bodies[body];
  if (step < body_parameters) return step == parameter;
  UseKind kind = uses->steps[step].kind;
  for (uint32_t k = 0; k < body_parameters; k++) {
    bool is_there = kind == USE_NEGATE ? k == 0
                    : kind == USE_ADD ? k < 2
                                      : depends_on(bodies, body - 1, bodies[body - 1].count - 1, k);
    if (is_there && depends_on(bodies, body, uses->steps[step].operands[k], parameter)) return true;
  }
  return false;
}

static const Module *definitions_module(Arena *arena, const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  return module;
}

static void bodies_use_what_their_root_depends_on(void **) {
  uint32_t used = 0, unused = 0;
  for (uint32_t round = 0; round < 400; round++) {
    Arena *arena = arena_create();
    DrawnUses bodies[3];
    Text text = text_create(arena);
    text_string(&text, "HloModule m\n");
    for (uint32_t i = 0; i < 3; i++) {
      draw_uses(&bodies[i], i);
      print_uses(&text, &bodies[i], i);
    }
    text_string(&text,
        "ENTRY e {\np = f32[2] parameter(0)\nROOT r = f32[2] call(p, p, p), to_apply=b2\n}\n");
    const Module *module = definitions_module(arena, text.bytes);
    const SmtReading reading = {.sums = sums_create(arena)};
    for (uint32_t i = 0; i < 3; i++)
      for (uint32_t parameter = 0; parameter <= body_parameters; parameter++) {
        bool uses =
            parameter < body_parameters && depends_on(bodies, i, bodies[i].count - 1, parameter);
        if (reading_body_uses(&reading, module->computations[i], parameter) != uses)
          fail_msg("b%u, parameter %u\n%s", i, parameter, text.bytes);
        used += uses;
        unused += !uses;
      }
    arena_destroy(arena);
  }
  assert_true(used > 500 && unused > 500);
}

static void callers_pass_operands_by_number_or_branch(void **) {
  static const char text[] =
      "HloModule m\n"
      "b0 {\nx = f32[] parameter(0)\nROOT y = f32[] parameter(1)\n}\n"
      "b1 {\nROOT x = f32[] parameter(0)\n}\nb2 {\nROOT x = f32[] parameter(0)\n}\n"
      "ENTRY e {\np = f32[] parameter(0)\nk = s32[] parameter(1)\nv = f32[1] parameter(2)\n"
      "c = f32[] call(p, p), to_apply=b0\nf = f32[] fusion(p, p), kind=kLoop, calls=b0\n"
      "m = f32[1] map(v, v), dimensions={0}, to_apply=b0\n"
      "ROOT s = f32[] conditional(k, p, p), branch_computations={b1, b2}\n}\n";
  Arena *arena = arena_create();
  const Module *module = definitions_module(arena, text);
  uint32_t callers = 0, operand;
  for (uint32_t i = 0; i < module->entry->instruction_count; i++) {
    const Instruction *caller = module->entry->instructions[i];
    const CallSite frame = {.caller = caller};
    for (uint32_t c = 0; c < caller->called_count; c++)
      for (uint32_t k = 0; k < caller->called[c]->parameter_count; k++) {
        const Instruction *parameter = caller->called[c]->parameters[k];
        bool is_branch = caller->opcode == HLO_CONDITIONAL;
        assert_int_equal(frame_operand(&frame, parameter, &operand), caller->opcode != HLO_MAP);
        assert_int_equal(operand, is_branch ? c + 1 : k);
        Instruction beyond = *parameter;
        beyond.number = caller->operand_count;
        if (!is_branch) assert_false(frame_operand(&frame, &beyond, &operand));
        callers++;
      }
  }
  assert_int_equal(callers, 8);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_share_no_hidden_integer),
      cmocka_unit_test(positions_are_digits_in_the_order),
      cmocka_unit_test(values_are_found_at_their_first_place),
      cmocka_unit_test(bodies_use_what_their_root_depends_on),
      cmocka_unit_test(callers_pass_operands_by_number_or_branch),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}

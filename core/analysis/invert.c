/* The inverse of a map by decoding. Each result is an equation: a sum of atoms equals e_j. So is
 * each constraint to a single value. Let the summand with the widest extent have a coefficient c
 * larger than the extent of all others together, lo <= rest <= lo + |c| - 1. It is then a digit:
 *   a = (value - lo) floordiv c,  rest = (value - lo) mod c + lo
 * (c > 0; for c < 0 the same with -a). A known remainder x mod c with a known quotient gives a
 * further equation, x = c*(x floordiv c) + x mod c. Every variable must be solved. The result is
 * accepted only if inverse(map(d)) simplifies to d; its domain are the e with map(inverse(e)) = e,
 * within all bounds and constraints. */
#include <string.h>

#include "core/base/checked.h"
#include "core/map/bounds.h"
#include "core/simplify/engine.h"
#include "core/analysis/algebra.h"

typedef struct InvertEquation {
  NormalSum *sum;
  Expr value; /* over e_0, e_1, ... */
  bool is_done;
} InvertEquation;

typedef struct KnownAtom {
  NormalAtom *atom;
  Expr value;
} KnownAtom;

typedef struct InvertDecoder {
  Simplifier *simplifier;
  ExprPool *pool;
  uint64_t ticket;
  uint32_t equation_count, known_count;
  InvertEquation *equations;
  KnownAtom *known;
  bool fits; /* no value overflows, and nothing nests too deep */
} InvertDecoder;

static constexpr uint32_t max_equations = 1000;

/* ---- values ---- */

static Expr invert_combine(InvertDecoder *decoder, ExprOp op, Expr left, Expr right) {
  uint32_t deepest = expr_deepest(decoder->pool) / 2;
  if (expr_node(decoder->pool, left)->depth >= deepest ||
      expr_node(decoder->pool, right)->depth >= deepest) {
    decoder->fits = false;
    return left;
  }
  return expr_binary(decoder->pool, op, left, right);
}

static Expr invert_plus(InvertDecoder *decoder, Expr value, int64_t constant) {
  return constant == 0
             ? value
             : invert_combine(decoder, EXPR_ADD, value, expr_const(decoder->pool, constant));
}

static Expr invert_times(InvertDecoder *decoder, Expr value, int64_t factor) {
  return factor == 1 ? value
                     : invert_combine(decoder, EXPR_MUL, value, expr_const(decoder->pool, factor));
}

static int64_t invert_minus(InvertDecoder *decoder, int64_t value) {
  int64_t negative;
  if (!sub64(0, value, &negative)) decoder->fits = false;
  return negative;
}

static bool is_known(const InvertDecoder *decoder, const NormalAtom *atom) {
  return atom->ticket == decoder->ticket;
}

static void invert_learn(InvertDecoder *decoder, NormalAtom *atom, Expr value) {
  if (is_known(decoder, atom) || decoder->known_count == max_equations) return;
  atom->ticket = decoder->ticket;
  atom->position = decoder->known_count;
  decoder->known[decoder->known_count++] = (KnownAtom){atom, value};
}

static void add_equation(InvertDecoder *decoder, NormalSum *sum, Expr value) {
  if (decoder->equation_count < max_equations)
    decoder->equations[decoder->equation_count++] = (InvertEquation){.sum = sum, .value = value};
}

/* The value of a sum of known atoms. */
static bool invert_value_of(InvertDecoder *decoder, const NormalSum *sum, Expr *value) {
  *value = expr_const(decoder->pool, sum->constant);
  for (uint32_t i = 0; i < sum->count; i++) {
    if (!is_known(decoder, sum->items[i].atom)) return false;
    Expr one = invert_times(
        decoder, decoder->known[sum->items[i].atom->position].value, sum->items[i].coefficient);
    *value = invert_combine(decoder, EXPR_ADD, *value, one);
  }
  return true;
}

/* ---- one equation ---- */

typedef struct Digit {
  Summand item;
  Interval reach; /* the bounds of coefficient * atom */
} Digit;

static uint64_t width_of(Interval reach) { return (uint64_t)reach.hi - (uint64_t)reach.lo; }

/* The unknown summands of an equation, those with the widest extent first; known summands are
 * subtracted from `value`. */
static bool unknown_digits(InvertDecoder *decoder, const InvertEquation *equation, Digit *digits,
    uint32_t *count, Expr *value) {
  *value = invert_plus(decoder, equation->value, invert_minus(decoder, equation->sum->constant));
  *count = 0;
  for (uint32_t i = 0; i < equation->sum->count; i++) {
    Summand item = equation->sum->items[i];
    Interval bounds;
    int64_t a, b;
    if (is_known(decoder, item.atom)) {
      *value = invert_combine(decoder, EXPR_ADD, *value,
          invert_times(decoder, decoder->known[item.atom->position].value,
              invert_minus(decoder, item.coefficient)));
      continue;
    }
    if (!facts_atom(decoder->simplifier, item.atom, &bounds) ||
        !mul64(item.coefficient, bounds.lo, &a) || !mul64(item.coefficient, bounds.hi, &b))
      return false;
    digits[(*count)++] = (Digit){item, {min64(a, b), max64(a, b)}};
  }
  for (uint32_t i = 1; i < *count; i++) {
    Digit one = digits[i];
    uint32_t at = i;
    for (; at > 0 && width_of(digits[at - 1].reach) < width_of(one.reach); at--)
      digits[at] = digits[at - 1];
    digits[at] = one;
  }
  return true;
}

static bool rest_of(const Digit *digits, uint32_t from, uint32_t count, Interval *rest) {
  *rest = (Interval){};
  for (uint32_t i = from; i < count; i++)
    if (!add64(rest->lo, digits[i].reach.lo, &rest->lo) ||
        !add64(rest->hi, digits[i].reach.hi, &rest->hi))
      return false;
  return true;
}

/* Splits off the digit at `at`; the remainder is the new value. */
static bool take_digit(
    InvertDecoder *decoder, const Digit *digits, uint32_t at, uint32_t count, Expr *value) {
  int64_t c = digits[at].item.coefficient, size = c < 0 ? invert_minus(decoder, c) : c, width;
  Interval rest;
  if (!decoder->fits || !rest_of(digits, at + 1, count, &rest) ||
      !sub64(rest.hi, rest.lo, &width) || width >= size)
    return false;
  Expr shifted = invert_plus(decoder, *value, invert_minus(decoder, rest.lo));
  Expr quotient = invert_combine(decoder, EXPR_FLOORDIV, shifted, expr_const(decoder->pool, size));
  invert_learn(
      decoder, digits[at].item.atom, c < 0 ? invert_times(decoder, quotient, -1) : quotient);
  *value = invert_plus(decoder,
      invert_combine(decoder, EXPR_MOD, shifted, expr_const(decoder->pool, size)), rest.lo);
  return decoder->fits;
}

/* True if anything was learned. If only some digits could be split off, the rest becomes a new
 * equation. */
static bool invert_decode(InvertDecoder *decoder, InvertEquation *equation) {
  Bump *temp = &decoder->simplifier->normal.temp;
  Digit *digits = BUMP_NEW(temp, Digit, equation->sum->count);
  uint32_t count, taken = 0;
  Expr value;
  if (!unknown_digits(decoder, equation, digits, &count, &value)) return false;
  equation->is_done = count == 0;
  while (taken < count && take_digit(decoder, digits, taken, count, &value)) taken++;
  equation->is_done |= taken > 0;
  if (taken == 0 || taken == count) return taken > 0;
  Gather gather = gather_create(&decoder->simplifier->normal, count);
  for (uint32_t i = taken; i < count; i++)
    gather_atom(&gather, digits[i].item.coefficient, digits[i].item.atom);
  NormalSum *rest = gather_finish(&gather);
  if (rest != nullptr) add_equation(decoder, rest, value);
  return true;
}

/* If a remainder and its quotient are known, their argument is known. */
static bool recombine(InvertDecoder *decoder, uint32_t at) {
  NormalAtom *atom = decoder->known[at].atom;
  if (atom->op != EXPR_MOD || decoder->known[at].atom->arguments[0]->ticket == decoder->ticket)
    return false;
  NormalSum *argument = atom->arguments[0];
  NormalSum *quotient =
      rewrite_division(decoder->simplifier, EXPR_FLOORDIV, argument, atom->divisor);
  Expr value;
  if (quotient == nullptr || !invert_value_of(decoder, quotient, &value)) return false;
  argument->ticket = decoder->ticket;
  add_equation(decoder, argument,
      invert_combine(decoder, EXPR_ADD, invert_times(decoder, value, atom->divisor),
          decoder->known[at].value));
  return true;
}

static void decode_all(InvertDecoder *decoder) {
  for (bool again = true; again && decoder->fits;) {
    again = false;
    for (uint32_t i = 0; i < decoder->equation_count; i++)
      if (!decoder->equations[i].is_done) again |= invert_decode(decoder, &decoder->equations[i]);
    for (uint32_t i = 0; i < decoder->known_count; i++) again |= recombine(decoder, i);
  }
}

/* ---- the inverse ---- */

static bool invert_reject(Error *error, const char *why) {
  return error_set(error, ERROR_UNSUPPORTED, "no inverse is found: %s", why);
}

static bool invert_solve(Simplifier *simplifier, const Map *map, Expr *dims, Error *error) {
  ExprPool *pool = simplifier->context->pool;
  InvertDecoder decoder = {
      .simplifier = simplifier, .pool = pool, .ticket = ++simplifier->ticket, .fits = true};
  decoder.equations = ARENA_NEW(simplifier->context->arena, InvertEquation, max_equations);
  decoder.known = ARENA_NEW(simplifier->context->arena, KnownAtom, max_equations);
  for (uint32_t i = 0; i < map->result_count; i++) {
    NormalSum *sum = convert_in(simplifier, map->results[i]);
    if (sum == nullptr) return invert_reject(error, "a result leaves int64 or nests past a limit");
    add_equation(&decoder, sum, expr_var(pool, VAR_DIM, i));
  }
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Interval in = map->constraints[i].in;
    NormalSum *sum = in.lo == in.hi ? convert_in(simplifier, map->constraints[i].expr) : nullptr;
    if (sum != nullptr) add_equation(&decoder, sum, expr_const(pool, in.lo));
  }
  decode_all(&decoder);
  for (uint32_t i = 0; i < map->dim_count; i++) {
    Interval bounds = map->dims[i].bounds;
    NormalAtom *atom = simplifier->atoms[VAR_DIM][i];
    if (bounds.lo == bounds.hi) dims[i] = expr_const(pool, bounds.lo);
    else if (is_known(&decoder, atom)) dims[i] = decoder.known[atom->position].value;
    else return invert_reject(error, "this search does not express every dimension by the results");
  }
  return decoder.fits || invert_reject(error, "it nests past a limit");
}

static bool name_images(MapContext *context, const Map *map, Map *inverse, Error *error) {
  for (uint32_t i = 0; i < map->result_count; i++)
    if (!expr_bounds(context, map, map->results[i], &inverse->dims[i].bounds))
      return invert_reject(error, "a result leaves int64");
  return true;
}

/* The domain of the inverse: each dimension within its bounds, the map's own constraints, and
 * map(inverse(e)) = e. */
static bool write_domain(
    MapContext *context, const Map *map, const Expr *dims, Map *inverse, Error *error) {
  Substitution by = {.dims = dims};
  Constraint *next = inverse->constraints;
  for (uint32_t i = 0; i < map->dim_count; i++)
    *next++ = (Constraint){dims[i], map->dims[i].bounds};
  if (!constraints_substitute(context, &by, map->constraint_count, map->constraints, next, error))
    return false;
  next += map->constraint_count;
  for (uint32_t i = 0; i < map->result_count; i++, next++) {
    Expr image, minus_one = expr_const(context->pool, -1);
    if (!expr_substitute(context->pool, context->arena, &by, 1, &map->results[i], &image, error))
      return false;
    Expr negative =
        expr_binary(context->pool, EXPR_MUL, expr_var(context->pool, VAR_DIM, i), minus_one);
    *next = (Constraint){.expr = expr_binary(context->pool, EXPR_ADD, image, negative)};
  }
  return true;
}

/* Checks that inverse(map(d)) simplifies to d. */
static bool is_confirmed(Simplifier *simplifier, const Map *map, const Expr *dims, Error *error) {
  MapContext *context = simplifier->context;
  Map round = *map;
  const Map *simplified;
  round.result_count = map->dim_count;
  round.results = ARENA_NEW(context->arena, Expr, map->dim_count);
  if (!expr_substitute(context->pool, context->arena, &(Substitution){.dims = map->results},
          map->dim_count, dims, round.results, error))
    return false;
  if (!map_check(context, &round, error) ||
      !simplify_map(simplifier, &round, nullptr, &simplified, nullptr, error))
    return false;
  if (simplified->state == MAP_KNOWN_EMPTY) return true;
  for (uint32_t i = 0; i < map->dim_count; i++) {
    Interval bounds = map->dims[i].bounds;
    Expr wanted = bounds.lo == bounds.hi ? expr_const(context->pool, bounds.lo)
                                         : expr_var(context->pool, VAR_DIM, i);
    if (!expr_same(simplified->results[i], wanted))
      return invert_reject(error, "what was found is not confirmed");
  }
  return true;
}

/* Simplifies the map and, unless it is known empty then, expresses its dimensions by its results:
 * `dims` [dim_count]. */
static bool invert_decoded(
    Simplifier *simplifier, const Map *given, const Map **map, Expr **dims, Error *error) {
  if (!simplify_map(simplifier, given, nullptr, map, nullptr, error)) return false;
  if ((*map)->state == MAP_KNOWN_EMPTY) return true;
  if ((*map)->state == MAP_UNDEFINED) return invert_reject(error, "the map is undefined");
  if ((*map)->range_count + (*map)->runtime_count > 0)
    return invert_reject(error, "the map has range or runtime variables");
  *dims = ARENA_NEW(simplifier->context->arena, Expr, (*map)->dim_count);
  simplifier_begin(simplifier, *map);
  return invert_solve(simplifier, *map, *dims, error) &&
         is_confirmed(simplifier, *map, *dims, error);
}

bool map_is_decoded(Simplifier *simplifier, const Map *given) {
  const Map *map;
  Expr *dims;
  Error ignored = {};
  return invert_decoded(simplifier, given, &map, &dims, &ignored);
}

bool map_inverse(Simplifier *simplifier, const Map *given, const Map **inverse, Error *error) {
  MapContext *context = simplifier->context;
  const Map *map;
  Expr *dims;
  *inverse = given;
  if (!invert_decoded(simplifier, given, &map, &dims, error)) return false;
  if (map->state == MAP_KNOWN_EMPTY) {
    *inverse = map;
    return true;
  }
  Map *found = map_create(context, map->result_count, 0, 0, map->dim_count,
      map->dim_count + map->constraint_count + map->result_count);
  memcpy(found->results, dims, map->dim_count * sizeof *dims);
  if (!name_images(context, map, found, error) || !write_domain(context, map, dims, found, error))
    return false;
  return map_check(context, found, error) &&
         simplify_map(simplifier, found, nullptr, inverse, nullptr, error);
}

/* Expressions are decoded in prefix order: one byte per operator or leaf, one more for a constant
 * or a variable. Most domains are small enough to be enumerated. Some bounds and constants are
 * large on purpose. */
#include "generate/decode_map.h"

#include "core/base/checked.h"
#include "core/base/edges.h"
#include "core/map/bounds.h"

typedef struct DecodeMapReader {
  MapContext *context;
  const uint8_t *bytes;
  size_t size, at;
  Map *map;
} DecodeMapReader;

static uint8_t decode_map_next(DecodeMapReader *reader) {
  return reader->at < reader->size ? reader->bytes[reader->at++] : 0;
}

static constexpr uint32_t deepest = 7;

/* A quarter of the byte values are edges or other large numbers. */
static int64_t decode_map_constant(DecodeMapReader *reader) {
  static const int64_t large[] = {
      1 << 20, 12288, 1000003, INT64_C(1) << 40, 4096, 65537, 255, 1024};
  uint8_t byte = decode_map_next(reader);
  if (byte >= 248) return large[byte - 248];
  if (byte >= 192) return edge_integer(byte - 192u);
  return byte < 128 ? byte % 33 : -(int64_t)(byte % 33);
}

static Expr decode_map_variable(DecodeMapReader *reader) {
  const Map *map = reader->map;
  uint32_t all = map_variable_count(map);
  if (all == 0) return expr_const(reader->context->pool, decode_map_constant(reader));
  uint32_t index = decode_map_next(reader) % all;
  if (index < map->dim_count) return expr_var(reader->context->pool, VAR_DIM, index);
  index -= map->dim_count;
  if (index < map->range_count) return expr_var(reader->context->pool, VAR_RANGE, index);
  return expr_var(reader->context->pool, VAR_RUNTIME, index - map->range_count);
}

static bool decode_map_fits(DecodeMapReader *reader, Expr expr) {
  Interval bounds;
  return expr_bounds(reader->context, reader->map, expr, &bounds);
}

static Expr map_expression(DecodeMapReader *reader, uint32_t depth);

static int64_t positive_divisor(int64_t divisor) {
  if (divisor > 0) return divisor;
  return divisor > -INT64_MAX ? 1 - divisor : INT64_MAX;
}

static Expr map_operation(DecodeMapReader *reader, uint8_t code, uint32_t depth) {
  static const ExprOp operators[] = {EXPR_ADD, EXPR_ADD, EXPR_ADD, EXPR_MUL, EXPR_MUL,
      EXPR_FLOORDIV, EXPR_FLOORDIV, EXPR_MOD, EXPR_MOD, EXPR_CEILDIV, EXPR_MIN, EXPR_MAX};
  ExprOp op = operators[code % (sizeof operators / sizeof *operators)];
  ExprPool *pool = reader->context->pool;
  Expr left = map_expression(reader, depth + 1), right;
  if (op == EXPR_FLOORDIV || op == EXPR_CEILDIV || op == EXPR_MOD) {
    int64_t divisor = decode_map_constant(reader);
    right = expr_const(pool, positive_divisor(divisor));
  } else if (op == EXPR_MUL && code < 200) {
    right = expr_const(pool, decode_map_constant(reader));
  } else {
    right = map_expression(reader, depth + 1);
  }
  Expr whole = expr_binary(pool, op, left, right);
  return decode_map_fits(reader, whole) ? whole : left;
}

static Expr map_expression(DecodeMapReader *reader, uint32_t depth) {
  uint8_t code = decode_map_next(reader);
  if (code == 0 || depth >= deepest || code % 16 >= 12) {
    if (code % 4 == 3) return expr_const(reader->context->pool, decode_map_constant(reader));
    return decode_map_variable(reader);
  }
  return map_operation(reader, code, depth);
}

/* An interval of this width with the edge at one end. */
static Interval bounds_at_edge(uint32_t which, int64_t width) {
  int64_t edge = edge_integer(which), lo;
  return sub64(edge, width, &lo) ? (Interval){lo, edge} : (Interval){edge, edge + width};
}

static Interval bounds(DecodeMapReader *reader) {
  uint8_t low = decode_map_next(reader), span = decode_map_next(reader);
  int64_t lo = low < 192 ? 0 : (int64_t)low - 224;
  int64_t width = span < 240 ? span % 24 : INT64_C(1) << (span - 232);
  Interval around = {lo, lo + width};
  if (low >= 248) around = bounds_at_edge(low - 248u + 8u * (span / 24u), span % 24);
  return around;
}

static void read_bounds(DecodeMapReader *reader, uint32_t count, Variable *variables) {
  for (uint32_t i = 0; i < count; i++) variables[i].bounds = bounds(reader);
}

/* If a byte after all others asks for it, adds a constraint that fixes the remainder of a variable,
 * mostly a range variable. Random constraints hardly ever do that. */
static void add_congruence(DecodeMapReader *reader) {
  Map *map = reader->map;
  uint8_t how = decode_map_next(reader);
  if (how % 4 != 3 || map_first_number(map, VAR_RUNTIME) == 0) return;
  Expr kept = map->range_count > 0 && how < 192
                  ? expr_var(reader->context->pool, VAR_RANGE, how / 4 % map->range_count)
                  : decode_map_variable(reader);
  uint8_t choice = decode_map_next(reader);
  int64_t modulus = 2 + choice % 7, residue = choice / 7 % modulus;
  map->constraints[map->constraint_count++] =
      (Constraint){.expr = expr_binary(reader->context->pool, EXPR_MOD, kept,
                       expr_const(reader->context->pool, modulus)),
          .in = {residue, residue}};
}

const Map *fuzz_decode_map(MapContext *context, const uint8_t *bytes, size_t size) {
  DecodeMapReader reader = {.context = context, .bytes = bytes, .size = size};
  uint8_t variables = decode_map_next(&reader), results = decode_map_next(&reader),
          constraints = decode_map_next(&reader);
  reader.map =
      map_create(context, variables % 4, variables / 4 % 3, variables / 16 % 2, results % 4, 0);
  read_bounds(&reader, reader.map->dim_count, reader.map->dims);
  read_bounds(&reader, reader.map->range_count, reader.map->ranges);
  read_bounds(&reader, reader.map->runtime_count, reader.map->runtimes);
  for (uint32_t i = 0; i < reader.map->result_count; i++)
    reader.map->results[i] = map_expression(&reader, 0);
  uint32_t count = constraints % 4;
  reader.map->constraints = ARENA_NEW(context->arena, Constraint, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    Expr expr = map_expression(&reader, 2);
    reader.map->constraints[i] = (Constraint){.expr = expr, .in = bounds(&reader)};
  }
  reader.map->constraint_count = count;
  add_congruence(&reader);
  return reader.map;
}

static const Map *with_results(MapContext *context, const Map *map, uint32_t count) {
  Map *copy = ARENA_NEW(context->arena, Map, 1);
  *copy = *map;
  copy->results = ARENA_NEW(context->arena, Expr, count);
  for (uint32_t i = 0; i < count; i++)
    copy->results[i] =
        map->result_count > 0 ? map->results[i % map->result_count] : expr_const(context->pool, i);
  copy->result_count = count;
  return copy;
}

FuzzPair fuzz_decode_pair(MapContext *context, const uint8_t *bytes, size_t size) {
  const Map *second = fuzz_decode_map(context, bytes, size / 2);
  return (FuzzPair){
      with_results(
          context, fuzz_decode_map(context, bytes + size / 2, size - size / 2), second->dim_count),
      second};
}

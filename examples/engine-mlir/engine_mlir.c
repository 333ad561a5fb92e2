/* MLIR's affine maps as an engine: simplify is mlirSimplifyAffineExpr on each result and each
 * constraint; compose is mlirAffineExprCompose, then the same. MLIR parses and prints affirm's
 * expressions unchanged, so only texts are exchanged. Range variables, then runtime variables, are
 * MLIR's symbols. Bounds are returned unchanged, since MLIR only considers expressions. Not
 * offered: min and max, which AffineExpr lacks, and products of two dimensions, which are not
 * affine. A context never frees its expressions, so it is replaced now and then. */
#include <affirm_engine.h>
#include <assert.h>
#include <mlir-c/AffineExpr.h>
#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/Diagnostics.h>
#include <mlir-c/IR.h>

#include "examples/map_text.h"

enum { calls_a_context = 4096 };

static struct {
  MlirContext context;
  int calls;
  char complaint[200];
  Out out;
} engine;

static void keep_words(MlirStringRef part, void *unused) {
  (void)unused;
  size_t used = strlen(engine.complaint), capacity = sizeof engine.complaint - 1 - used,
         length = part.length < capacity ? part.length : capacity;
  memcpy(engine.complaint + used, part.data, length);
  engine.complaint[used + length] = 0;
}

static MlirLogicalResult keep_diagnostic(MlirDiagnostic diagnostic, void *unused) {
  (void)unused;
  if (engine.complaint[0] == 0) mlirDiagnosticPrint(diagnostic, keep_words, NULL);
  return mlirLogicalResultSuccess();
}

static void begin_call(void) {
  if (engine.calls++ % calls_a_context == 0) {
    if (engine.calls > 1) mlirContextDestroy(engine.context);
    engine.context = mlirContextCreateWithThreading(false);
    mlirContextAttachDiagnosticHandler(engine.context, keep_diagnostic, NULL, NULL);
  }
  engine.complaint[0] = 0;
  out_clear(&engine.out);
}

static AffirmEngineStatus say(AffirmEngineStatus status, const char *words, const char **text) {
  out_clear(&engine.out);
  out_say(&engine.out, "%s", words);
  *text = engine.out.text;
  return status;
}

/* The symbols of a composed map: `before` foreign ones, the map's own, `after` foreign ones; first
 * the range variables, then the runtime variables. */
typedef struct Around {
  int ranges_before, ranges_after, runtimes_before, runtimes_after;
} Around;

static void write_symbols(Out *out, const MapText *map, int first, int count, int before, int after,
    const char *prefix, const char **between) {
  assert(first >= 0);
  for (int i = 0; i < before; i++, *between = ", ") out_say(out, "%s%sb%d", *between, prefix, i);
  for (int i = 0; i < count; i++, *between = ", ")
    out_say(out, "%s%s", *between, map->variable[first + i].text);
  for (int i = 0; i < after; i++, *between = ", ") out_say(out, "%s%sa%d", *between, prefix, i);
}

/* Parses results, then constraints, as the results of one affine map. Null with a message if MLIR
 * rejects it. */
static MlirAffineMap engine_mlir_parse(const MapText *map, Around around) {
  Out *out = &engine.out;
  const char *between = "";
  out_clear(out);
  out_say(out, "affine_map<");
  out_names(out, "d", 0, map->dims, '(', ')');
  out_say(out, "[");
  write_symbols(
      out, map, map->dims, map->ranges, around.ranges_before, around.ranges_after, "r", &between);
  write_symbols(out, map, map->dims + map->ranges, map->runtimes, around.runtimes_before,
      around.runtimes_after, "q", &between);
  out_say(out, "] -> (");
  between = "";
  for (int i = 0; i < map->results + map->constraints; i++, between = ", ") {
    const char *expr =
        i < map->results ? map->result[i].text : map->constraint[i - map->results].text;
    out_say(out, "%s", between);
    out_bytes(out, expr, strlen(expr));
  }
  out_say(out, ")>");
  MlirAttribute attribute =
      mlirAttributeParseGet(engine.context, mlirStringRefCreate(out->text, out->length));
  return mlirAttributeIsNull(attribute) ? (MlirAffineMap){NULL}
                                        : mlirAffineMapAttrGetValue(attribute);
}

static AffirmEngineStatus complain(const char **text) {
  int is_not_affine = strstr(engine.complaint, "non-affine") != NULL;
  char words[sizeof engine.complaint];
  memcpy(words, engine.complaint, sizeof words);
  return say(is_not_affine ? AFFIRM_ENGINE_NOT_OFFERED : AFFIRM_ENGINE_REFUSED, words, text);
}

static void print_part(MlirStringRef part, void *out) { out_bytes(out, part.data, part.length); }

static void write_expr(MlirAffineExpr expr, int dims, int symbols) {
#ifdef AFFIRM_MLIR_HAS_SIMPLIFY
  expr = mlirSimplifyAffineExpr(expr, (uint32_t)dims, (uint32_t)symbols);
#else
  (void)dims, (void)symbols; /* LLVM 19 and older: only the folds of building and composing */
#endif
  mlirAffineExprPrint(expr, print_part, &engine.out);
}

/* `(d0)[s0]{s1} -> (`: MLIR prints every symbol as s, and the requester accepts any names. */
static void write_head(int dims, int ranges, int runtimes) {
  out_clear(&engine.out);
  out_names(&engine.out, "d", 0, dims, '(', ')');
  out_names(&engine.out, "s", 0, ranges, '[', ']');
  out_names(&engine.out, "s", ranges, runtimes, '{', '}');
  out_say(&engine.out, " -> (");
}

static const char *write_bounds(
    const MapText *map, int first, int count, const char *prefix, int number, const char *between) {
  for (int i = 0; i < count; i++, between = ", ")
    out_say(&engine.out, "%s%s%d in [%s, %s]", between, prefix, number + i,
        map->variable[first + i].lo, map->variable[first + i].hi);
  return between;
}

static AffirmEngineStatus engine_mlir_simplify(
    void *state, const char *map_text, const char **text) {
  (void)state;
  begin_call();
  MapText map;
  if (!map_text_read(map_text, &map)) {
    map_text_free(&map);
    return say(AFFIRM_ENGINE_NOT_OFFERED, "no plain map, or too large", text);
  }
  int has_choice = strstr(map_text, "min(") != NULL || strstr(map_text, "max(") != NULL;
  MlirAffineMap form =
      has_choice ? (MlirAffineMap){NULL} : engine_mlir_parse(&map, (Around){0, 0, 0, 0});
  AffirmEngineStatus status = AFFIRM_ENGINE_ANSWERED;
  if (has_choice) {
    status = say(AFFIRM_ENGINE_NOT_OFFERED, "min and max", text);
  } else if (mlirAffineMapIsNull(form)) {
    status = complain(text);
  } else {
    int symbols = map.ranges + map.runtimes;
    write_head(map.dims, map.ranges, map.runtimes);
    for (int i = 0; i < map.results; i++) {
      out_say(&engine.out, i == 0 ? "" : ", ");
      write_expr(mlirAffineMapGetResult(form, i), map.dims, symbols);
    }
    out_say(&engine.out, ")%s", map.variables + map.constraints > 0 ? ", domain: " : "");
    const char *between = write_bounds(&map, 0, map.dims, "d", 0, "");
    between = write_bounds(&map, map.dims, symbols, "s", 0, between);
    for (int i = 0; i < map.constraints; i++, between = ", ") {
      out_say(&engine.out, "%s", between);
      write_expr(mlirAffineMapGetResult(form, map.results + i), map.dims, symbols);
      out_say(&engine.out, " in [%s, %s]", map.constraint[i].lo, map.constraint[i].hi);
    }
    *text = engine.out.text;
  }
  map_text_free(&map);
  return status;
}

static void write_composed(
    const MapText *consumer, const MapText *producer, MlirAffineMap outer, MlirAffineMap inner) {
  int ranges = consumer->ranges + producer->ranges,
      runtimes = consumer->runtimes + producer->runtimes, symbols = ranges + runtimes,
      dims = consumer->dims;
  MlirAffineExpr between_exprs[piece_limit];
  for (int i = 0; i < consumer->results; i++) between_exprs[i] = mlirAffineMapGetResult(inner, i);
  MlirAffineMap through =
      mlirAffineMapGet(engine.context, dims, symbols, consumer->results, between_exprs);
  write_head(dims, ranges, runtimes);
  for (int i = 0; i < producer->results; i++) {
    out_say(&engine.out, i == 0 ? "" : ", ");
    write_expr(mlirAffineExprCompose(mlirAffineMapGetResult(outer, i), through), dims, symbols);
  }
  int has_domain =
      dims + symbols + consumer->constraints + producer->dims + producer->constraints > 0;
  out_say(&engine.out, ")%s", has_domain ? ", domain: " : "");
  const char *comma = write_bounds(consumer, 0, dims, "d", 0, "");
  comma = write_bounds(consumer, dims, consumer->ranges, "s", 0, comma);
  comma = write_bounds(producer, producer->dims, producer->ranges, "s", consumer->ranges, comma);
  comma = write_bounds(consumer, dims + consumer->ranges, consumer->runtimes, "s", ranges, comma);
  comma = write_bounds(producer, producer->dims + producer->ranges, producer->runtimes, "s",
      ranges + consumer->runtimes, comma);
  for (int i = 0; i < consumer->constraints + producer->dims + producer->constraints;
      i++, comma = ", ") {
    int own = i - consumer->constraints, late = own - producer->dims;
    const MapTextPiece *piece = own < 0    ? &consumer->constraint[i]
                                : late < 0 ? &producer->variable[own]
                                           : &producer->constraint[late];
    MlirAffineExpr expr =
        own < 0    ? mlirAffineMapGetResult(inner, consumer->results + i)
        : late < 0 ? between_exprs[own]
                   : mlirAffineExprCompose(
                         mlirAffineMapGetResult(outer, producer->results + late), through);
    out_say(&engine.out, "%s", comma);
    write_expr(expr, dims, symbols);
    out_say(&engine.out, " in [%s, %s]", piece->lo, piece->hi);
  }
}

static AffirmEngineStatus compose_read(
    const MapText *consumer, const MapText *producer, const char **text) {
  if (consumer->results != producer->dims)
    return say(
        AFFIRM_ENGINE_REFUSED, "the consumer's results are not the producer's dimensions", text);
  MlirAffineMap inner =
      engine_mlir_parse(consumer, (Around){0, producer->ranges, 0, producer->runtimes});
  if (mlirAffineMapIsNull(inner)) return complain(text);
  MlirAffineMap outer =
      engine_mlir_parse(producer, (Around){consumer->ranges, 0, consumer->runtimes, 0});
  if (mlirAffineMapIsNull(outer)) return complain(text);
  write_composed(consumer, producer, outer, inner);
  *text = engine.out.text;
  return AFFIRM_ENGINE_ANSWERED;
}

static AffirmEngineStatus compose(
    void *state, const char *consumer_text, const char *producer_text, const char **text) {
  (void)state;
  begin_call();
  const char *const texts[] = {consumer_text, producer_text};
  for (int i = 0; i < 2; i++)
    if (strstr(texts[i], "min(") != NULL || strstr(texts[i], "max(") != NULL)
      return say(AFFIRM_ENGINE_NOT_OFFERED, "min and max", text);
  MapText consumer, producer;
  int has_both = map_text_read(consumer_text, &consumer);
  has_both &= map_text_read(producer_text, &producer);
  AffirmEngineStatus status =
      has_both ? compose_read(&consumer, &producer, text)
               : say(AFFIRM_ENGINE_NOT_OFFERED, "no plain map, or too large", text);
  map_text_free(&consumer);
  map_text_free(&producer);
  return status;
}

const AffirmEngine *affirm_engine(void) {
  static const AffirmEngine offered = {
      AFFIRM_ENGINE_VERSION, "mlir " MLIR_VERSION, NULL, NULL, engine_mlir_simplify, compose, NULL};
  return &offered;
}

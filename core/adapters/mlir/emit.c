/* Writes the module: declarations of the pair functions, and the functions, each preceded by its
 * map as a comment. MLIR verifies all of it. */
#include "core/adapters/mlir/emit.h"

#include <inttypes.h>
#include <string.h>

#include "core/map/text.h"
#include "core/adapters/mlir/affine.h"
#include "core/adapters/mlir/context.h"
#include "core/adapters/mlir/emit_text.h"

/* Limit of written nodes in comments, and for MLIR's canonicalization, which composes the cuts
 * again. */
static constexpr uint64_t largest_tree = 4096;

static bool fits_symbol(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A symbol of letters, digits and _, without a leading digit. A name that another function already
 * has gets the function's number as a suffix. */
static const char *symbol_of(
    Arena *scratch, const char *const *taken, uint32_t number, const char *name) {
  char *symbol = arena_printf(scratch, "%s", name == nullptr || name[0] == '\0' ? "map" : name);
  for (char *c = symbol; *c != '\0'; c++)
    if (!fits_symbol(*c)) *c = '_';
  if (symbol[0] >= '0' && symbol[0] <= '9') symbol = arena_printf(scratch, "m%s", symbol);
  for (uint32_t i = 0; i < number; i++)
    if (strcmp(taken[i], symbol) == 0) return arena_printf(scratch, "%s.n%" PRIu32, symbol, number);
  return symbol;
}

/* The number of nodes of all expressions written as trees; saturates. */
static uint64_t tree_size(const MapContext *context, Arena *scratch, const Map *map) {
  AffineText affine = affine_text_create(context, scratch, nullptr);
  uint64_t size = 0;
  for (uint32_t i = 0; i < map->result_count; i++)
    size += affine_tree_size(&affine, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    size += affine_tree_size(&affine, map->constraints[i].expr);
  return size;
}

/* Writes each line of the map, including those of its runtime variables, as a comment. */
static void write_comment(const MapContext *context, Arena *scratch, const Map *map, Text *text) {
  if (tree_size(context, scratch, map) > largest_tree) {
    text_string(text, "// a map whose expressions share too much to be written out\n");
    return;
  }
  const char *at = map_text(scratch, context, map, MAP_STYLE_LINE);
  while (*at != '\0') {
    size_t length = strcspn(at, "\n");
    text_string(text, "// ");
    text_append(text, at, length);
    text_string(text, "\n");
    at += length + (at[length] == '\n');
  }
}

static bool emit_write_map(const MapContext *context, Arena *scratch, const char *symbol,
    const NamedMap *named, Text *text, Error *error) {
  if (named->of != nullptr) text_printf(text, "// %s\n", named->of);
  text_printf(text, "func.func private @%s.pair", symbol);
  emit_pair_types(named->map, text);
  text_string(text, "\n");
  write_comment(context, scratch, named->map, text);
  return emit_function(context, scratch, symbol, named->map, text, error);
}

static bool write_maps(const MapContext *context, Arena *scratch, uint32_t count,
    const NamedMap *maps, AffineForm form, Text *text, Error *error) {
  const char **symbols = ARENA_NEW(scratch, const char *, count);
  for (uint32_t i = 0; i < count; i++) {
    if (form == AFFINE_CANONICAL && tree_size(context, scratch, maps[i].map) > largest_tree)
      return error_set(error, ERROR_LIMIT,
          "a map of more than %" PRIu64 " nodes is not canonicalized", largest_tree);
    symbols[i] = symbol_of(scratch, symbols, i, maps[i].name);
    if (i > 0) text_string(text, "\n");
    if (!emit_write_map(context, scratch, symbols[i], &maps[i], text, error)) return false;
  }
  return true;
}

static bool verify(
    MlirSession *session, AffineForm form, const Text *stated, Text *text, Error *error) {
  MlirModule module;
  if (!mlir_session_parse(session, stated, &module, error)) return false;
  bool done = true;
  if (form == AFFINE_CANONICAL) {
    done = mlir_session_passes(session, "builtin.module(canonicalize)", module, error);
    if (done) mlir_session_print(module, text);
  } else text_append(text, stated->bytes, stated->length);
  mlirModuleDestroy(module);
  return done;
}

bool affine_whole(const Text *stated, AffineForm form, Text *text, Error *error) {
  MlirSession session;
  mlir_session_open(&session);
  bool done = verify(&session, form, stated, text, error);
  mlir_session_close(&session);
  return done;
}

bool affine_emit(const MapContext *context, uint32_t count, const NamedMap *maps, AffineForm form,
    Text *text, Error *error) {
  Arena *scratch = arena_create();
  Text stated = text_create(scratch);
  bool done = write_maps(context, scratch, count, maps, form, &stated, error) &&
              affine_whole(&stated, form, text, error);
  arena_destroy(scratch);
  return done;
}

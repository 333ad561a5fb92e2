/* Parses a subject by its form, in its own memory. A rejected subject is bad input; a trial could
 * not distinguish it from a subject without a fault. Bytes of FORM_TEXT may be rejected: their
 * finding is how the parsers end. An algebraic operation of a case may have two maps in
 * FORM_MAP. */
#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "core/rules/rule.h"
#include "reduce/shrink.h"

static bool reads_map(MapContext *context, const Source *source, Error *error) {
  const Map *map;
  return map_parse(context, source, &map, error);
}

static bool reads_maps(Arena *arena, ShrinkForm form, const Source *subject, Error *error) {
  MapContext *context = map_context_create();
  Source pair[2];
  bool reads = false;
  if (map_cut_pair(arena, subject, pair))
    reads = reads_map(context, &pair[0], error) && reads_map(context, &pair[1], error);
  else if (form == FORM_MAP) reads = reads_map(context, subject, error);
  else reads = error_at(error, ERROR_INPUT, subject, 0, 1, "expected MAP ; MAP");
  map_context_destroy(context);
  return reads;
}

static bool reads_form(Arena *arena, ShrinkForm form, const Source *subject, Error *error) {
  const Module *module;
  RuleSet rules = {};
  switch (form) {
    case FORM_MODULE: return hlo_read(arena, subject, &module, error);
    case FORM_MAP:
    case FORM_COMPOSE:
    case FORM_SAME:
    case FORM_RELATION:
    case FORM_CONTAINED: return reads_maps(arena, form, subject, error);
    case FORM_RULES: return rules_parse(arena, subject, &rules, error);
    case FORM_TEXT: return true;
  }
  return false;
}

bool shrink_subject_reads(ShrinkForm form, const Source *subject, Error *error) {
  Arena *arena = arena_create();
  bool reads = reads_form(arena, form, subject, error);
  arena_destroy(arena);
  return reads;
}

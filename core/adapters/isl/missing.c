/* The judges' errors if isl is not installed. */
#include "core/adapters/isl/relation.h"

#ifndef AFFIRM_HAS_ISL

bool relation_available(void) { return false; }
const char *relation_version(void) { return ""; }

static bool missing(Error *error) {
  return error_set(error, ERROR_ENVIRONMENT, "this build of affirm has no isl");
}

bool relation_same(
    MapContext *, const Map *, const Map *, uint64_t, RelationReport *, Error *error) {
  return missing(error);
}
bool relation_same_map(
    MapContext *, const Map *, const Map *, uint64_t, RelationReport *, Error *error) {
  return missing(error);
}
bool relation_text_same(MapContext *, const RelationPart *, uint32_t, const char *const *,
    const Map *const *, const char *, uint64_t, VerdictStatus *, Error *error) {
  return missing(error);
}
#endif

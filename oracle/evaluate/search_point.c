/* Decides whether a map has a point, for maps without other variables to compare. */
#include "oracle/evaluate/program.h"
#include "oracle/compare/same.h"

PointSearch search_point(Oracle *oracle, const Map *map, int64_t limit, uint64_t *points) {
  Program program;
  program_compile(&program, oracle->arena, oracle->context, map, nullptr);
  Box box = {.count = program.variable_count, .of = program.box};
  int64_t *slots = ARENA_NEW(oracle->arena, int64_t, program.slot_count);
  bool is_whole = box_count(&box, limit);
  int64_t most = is_whole ? box.points : limit;
  for (uint32_t i = 0; i < box.count; i++) slots[i] = box.of[i].lo;
  for (int64_t point = 0; point < most; point++, box_next(&box, slots)) {
    ++*points;
    if (program_point(&program, slots, 0) != ANSWER_OUTSIDE) return POINT_FOUND;
  }
  return is_whole ? POINT_NONE : POINT_NOT_KNOWN;
}

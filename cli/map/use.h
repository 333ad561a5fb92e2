/* What affirm use asks about maps, as the options give it. */
#ifndef CLI_USE_H
#define CLI_USE_H

#include "cli/session.h"
#include "core/analysis/analysis.h"

/* Numbers that stand for one dimension each. */
typedef struct UseOrder {
  uint32_t count, capacity;
  uint32_t *items;
} UseOrder;
typedef struct UseTile {
  uint32_t count, capacity;
  TileDim *items;
} UseTile;

typedef struct AnalysisQuery {
  bool json;
  bool has_tile, has_order, has_width;
  UseTile tile;   /* of the output */
  UseOrder order; /* of the output's dimensions, minor first, as threads walk them; without one its
                     layout */
  ElementType
      width; /* has the bits of an element of the operand, where they are not its own type's */
  int64_t threads; /* of a block */
  WarpAccess warp;
  const char *file;
} AnalysisQuery;

/* `1,0`: each dimension once. */
[[nodiscard]] bool use_order_parse(Arena *arena, const char *text, UseOrder *order);
/* The array in that order instead of its layout's; nullptr: as it is. False where the order is of
 * another rank. */
[[nodiscard]] bool use_order_apply(
    const UseOrder *order, const Shape *array, Shape *ordered, Error *error);
/* `0:4,2:8:2`: OFFSET:SIZE or OFFSET:SIZE:STRIDE for each dimension; size and stride at least 1, no
 * end past int64. */
[[nodiscard]] bool use_tile_parse(Arena *arena, const char *text, UseTile *tile);

/* A type with elements of so many bits. */
[[nodiscard]] bool use_width_type(int64_t bits, ElementType *type);

/* Appends everything that is asked about one question; STATUS_UNDECIDED where something could not
 * be computed, with its reason. */
[[nodiscard]] Status use_answer(
    Judge *judge, const AnalysisQuery *query, const Question *question, Text *text);

#endif

/* The queries of affirm use, as its options select them. */
#ifndef CLI_USE_H
#define CLI_USE_H

#include "cli/session.h"
#include "core/analysis/analysis.h"

/* A permutation of dimension numbers. */
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
  UseOrder order; /* of the output's dimensions, minor first, as threads visit them; without it the
                     output's layout is used */
  ElementType
      width; /* has the bits of an element of the operand, where they are not its own type's */
  int64_t threads; /* in a block */
  WarpAccess warp;
  const char *file;
} AnalysisQuery;

/* Parses a permutation such as `1,0`, with each dimension once. */
[[nodiscard]] bool use_order_parse(Arena *arena, const char *text, UseOrder *order);
/* Gives the array this order instead of its layout; nullptr leaves it unchanged. False if the order
 * has another rank. */
[[nodiscard]] bool use_order_apply(
    const UseOrder *order, const Shape *array, Shape *ordered, Error *error);
/* Parses `0:4,2:8:2`: OFFSET:SIZE or OFFSET:SIZE:STRIDE for each dimension. Size and stride must be
 * at least 1, and no end may exceed int64. */
[[nodiscard]] bool use_tile_parse(Arena *arena, const char *text, UseTile *tile);

/* Finds an element type of `bits` bits. */
[[nodiscard]] bool use_width_type(int64_t bits, ElementType *type);

/* Appends all requested results for one question. STATUS_UNDECIDED if one could not be computed;
 * its reason is printed. */
[[nodiscard]] Status use_answer(
    Judge *judge, const AnalysisQuery *query, const Question *question, Text *text);

#endif

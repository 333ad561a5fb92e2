/* Threads visit an output leaf in memory order. Composed with an output-to-input map this gives the
 * operand element that a thread reads. Maps that become equal by composition are not merged: the
 * union is the same. */
#include "cli/map/map.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/* Parses `A` or `A,B`, each at least 1; the default of B is 1. */
static bool read_pair(const char *text, int64_t *first, int64_t *second) {
  char *end;
  errno = 0;
  *first = *text >= '0' && *text <= '9' ? strtoll(text, &end, 10) : 0;
  *second = 1;
  if (*first < 1) return false;
  if (*end == ',') *second = end[1] >= '0' && end[1] <= '9' ? strtoll(end + 1, &end, 10) : 0;
  return errno == 0 && *second >= 1 && *end == 0;
}

bool map_threads_parse(const char *text, ThreadGrid *grid) {
  return read_pair(text, &grid->threads, &grid->vector);
}

bool map_devices_parse(const char *text, IndexMesh *world) {
  return read_pair(text, &world->replicas, &world->partitions);
}

/* The array in the order of the query. */
static bool grid_order(const MapQuery *query, const Shape *output, Shape *ordered, Error *error) {
  *ordered = *output;
  return !shape_is_array(output) ||
         use_order_apply(query->has_order ? &query->order : nullptr, output, ordered, error);
}

bool map_query_grid(
    Judge *judge, const MapQuery *query, const Shape *output, MapSet *maps, Error *error) {
  Shape ordered;
  return grid_order(query, output, &ordered, error) &&
         use_threads(judge->context, judge->simplifier, &ordered, &query->grid, maps, error);
}

static bool query_threads(
    Judge *judge, const MapQuery *query, const Question *question, MapSet *maps, Error *error) {
  MapSet plain;
  Shape ordered;
  assert(question->direction == OUTPUT_TO_INPUT);
  return judge_query_engine(judge, question, &plain, error) &&
         grid_order(
             query, shape_leaf(question->instruction->shape, question->output), &ordered, error) &&
         use_through_threads(
             judge->context, judge->simplifier, &ordered, &query->grid, &plain, maps, error);
}

static bool query_devices(
    Judge *judge, const MapQuery *query, const Question *question, MapSet *maps, Error *error) {
  if (question->direction == INPUT_TO_OUTPUT)
    return index_replicas_input_to_output(judge->indexer, question->instruction, query->world,
        question->operand, question->operand_leaf, question->output, maps, error);
  return index_replicas_output_to_input(judge->indexer, question->instruction, query->world,
      question->output, question->operand, question->operand_leaf, maps, error);
}

bool map_query(
    Judge *judge, const MapQuery *query, const Question *question, MapSet *maps, Error *error) {
  if (query->has_threads) return query_threads(judge, query, question, maps, error);
  if (query->has_devices) return query_devices(judge, query, question, maps, error);
  return judge_query_engine(judge, question, maps, error);
}

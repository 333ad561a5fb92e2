/* Pairs are found by evaluating every point of every map's box. A pair that some values of the
 * runtime variables alone give is light; the judge's witness has a ring: a read that the maps miss,
 * or a pair that is too much. */
#include "cli/report/report_picture.h"

#include <assert.h>

#include "core/map/evaluate.h"

static constexpr uint64_t most_points = 1 << 18;
static constexpr uint32_t most_variables = 32;
static constexpr int cell = 8;

typedef struct Picture {
  const MapContext *context;
  const Shape *from, *to;
  int64_t columns, rows;
  uint8_t marks[picture_side][picture_side]; /* [row][column]: 2 for every value of the runtime
                                                variables, 1 for some */
} Picture;

/* -1 outside the shape. */
static int64_t place(const Shape *shape, const int64_t *index) {
  int64_t at = 0;
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (index[i] < 0 || index[i] >= shape->sizes[i]) return -1;
    at = at * shape->sizes[i] + index[i];
  }
  return at;
}

static uint32_t variables_of(const Map *map, Interval *bounds) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < map->dim_count; i++) bounds[count++] = map->dims[i].bounds;
  for (uint32_t i = 0; i < map->range_count; i++) bounds[count++] = map->ranges[i].bounds;
  for (uint32_t i = 0; i < map->runtime_count; i++) bounds[count++] = map->runtimes[i].bounds;
  return count;
}

static bool is_small(const Map *map, uint32_t count, const Interval *bounds) {
  uint64_t points = 1;
  for (uint32_t i = 0; i < count; i++) {
    if (bounds[i].lo > bounds[i].hi) return true;
    if (bounds[i].hi - bounds[i].lo > (int64_t)most_points) return false;
    points *= (uint64_t)(bounds[i].hi - bounds[i].lo + 1);
    if (points > most_points) return false;
  }
  return map->result_count <= most_variables;
}

static void mark(Picture *picture, const Map *map, const int64_t *values) {
  int64_t results[most_variables];
  Point point = {.dims = values,
      .ranges = values + map->dim_count,
      .runtimes = values + map->dim_count + map->range_count};
  if (map_evaluate(picture->context, map, &point, results) != POINT_INSIDE) return;
  int64_t column = place(picture->from, values), row = place(picture->to, results);
  if (column < 0 || row < 0) return;
  uint8_t *at = &picture->marks[row][column], shade = map->runtime_count > 0 ? 1 : 2;
  if (*at < shade) *at = shade;
}

static bool mark_map(Picture *picture, const Map *map) {
  if (map->state == MAP_KNOWN_EMPTY) return true;
  Interval bounds[3 * most_variables];
  int64_t values[3 * most_variables];
  if (map->state != MAP_PLAIN || map->dim_count != picture->from->rank ||
      map->result_count != picture->to->rank)
    return false;
  if (map->dim_count > most_variables || map->range_count > most_variables ||
      map->runtime_count > most_variables)
    return false;
  uint32_t count = variables_of(map, bounds), at = 0;
  if (!is_small(map, count, bounds)) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (bounds[i].lo > bounds[i].hi) return true;
    values[i] = bounds[i].lo;
  }
  do {
    mark(picture, map, values);
    for (at = 0; at < count && ++values[at] > bounds[at].hi; at++) values[at] = bounds[at].lo;
  } while (at < count);
  return true;
}

static bool fits(const Shape *shape) {
  return shape_is_array(shape) && shape->rank <= most_variables &&
         shape_elements(shape) <= picture_side && shape_elements(shape) > 0;
}

static void print_marks(Text *text, const Picture *picture) {
  for (int64_t row = 0; row < picture->rows; row++)
    for (int64_t column = 0; column < picture->columns; column++)
      if (picture->marks[row][column] > 0)
        text_printf(text, "<rect class=\"%s\" x=\"%lld\" y=\"%lld\" width=\"%d\" height=\"%d\"/>",
            picture->marks[row][column] > 1 ? "pair" : "some", (long long)column * cell,
            (long long)row * cell, cell - 1, cell - 1);
}

static void print_witness(Text *text, const Picture *picture, const Judgement *judgement) {
  const OracleVerdict *verdict = &judgement->oracle;
  bool has_pair = judgement->has_oracle &&
                  (verdict->answer == ORACLE_WRONG || verdict->answer == ORACLE_COVERING);
  if (!has_pair || verdict->point_rank != picture->from->rank ||
      verdict->element_rank != picture->to->rank)
    return;
  int64_t column = place(picture->from, verdict->point), row = place(picture->to, verdict->element);
  if (column < 0 || row < 0) return;
  text_printf(text, "<circle class=\"witness\" cx=\"%lld\" cy=\"%lld\" r=\"%d\"/>",
      (long long)column * cell + cell / 2, (long long)row * cell + cell / 2, cell);
}

bool picture_print(Text *text, const MapContext *context, const Judgement *judgement) {
  const Question *question = &judgement->question;
  const Shape *output = shape_leaf(question->instruction->shape, question->output);
  const Shape *operand =
      shape_leaf(question->instruction->operands[question->operand]->shape, question->operand_leaf);
  bool forward = question->direction == OUTPUT_TO_INPUT;
  if (!fits(output) || !fits(operand)) return false;
  Picture *picture = ARENA_NEW(text->arena, Picture, 1);
  *picture = (Picture){
      .context = context, .from = forward ? output : operand, .to = forward ? operand : output};
  picture->columns = shape_elements(picture->from);
  picture->rows = shape_elements(picture->to);
  assert(picture->columns <= picture_side && picture->rows <= picture_side);
  for (uint32_t i = 0; i < judgement->maps.count; i++)
    if (!mark_map(picture, judgement->maps.maps[i])) return false;
  text_printf(text,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lld\" height=\"%lld\"><rect class=\"frame\" width=\"%lld\" height=\"%lld\"/>",
      (long long)picture->columns * cell, (long long)picture->rows * cell,
      (long long)picture->columns * cell, (long long)picture->rows * cell);
  print_marks(text, picture);
  print_witness(text, picture, judgement);
  text_string(text, "</svg>");
  return true;
}

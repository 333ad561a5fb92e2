/* Questions as text: parsing, printing and reading back, and each error. */
#include "judge/maps/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* r: two outputs, operands an array and a pair. */
static const Instruction *make(Arena *arena) {
  const Shape *array, *pair;
  Error error = {};
  assert_true(shape_array(arena, TYPE_f32, 1, (const int64_t[]){4}, &array, &error));
  pair = shape_tuple(arena, 2, (const Shape *const[]){array, array});
  Instruction *all = ARENA_NEW(arena, Instruction, 3);
  all[0] = (Instruction){.name = "a", .shape = array};
  all[1] = (Instruction){.name = "b", .shape = pair};
  all[2] = (Instruction){.name = "r",
      .shape = pair,
      .operand_count = 2,
      .operands = ARENA_NEW(arena, Instruction *, 2)};
  all[2].operands[0] = &all[0];
  all[2].operands[1] = &all[1];
  return &all[2];
}

static bool question_parse_text(
    const Instruction *instruction, const char *text, Question *question) {
  Error error = {};
  Source source = {.name = "q", .text = text, .length = strlen(text), .first_line = 1};
  bool read = question_parse(&source, instruction, question, &error);
  assert_int_equal(read, error.kind == ERROR_NONE);
  return read;
}

static void reads_both_directions(void **) {
  Arena *arena = arena_create();
  const Instruction *r = make(arena);
  Question question;
  assert_true(question_parse_text(r, "o2i 1 1.1", &question));
  assert_int_equal(question.direction, OUTPUT_TO_INPUT);
  assert_int_equal(question.output, 1);
  assert_int_equal(question.operand, 1);
  assert_int_equal(question.operand_leaf, 1);
  assert_true(question_parse_text(r, "i2o 0 1 ", &question));
  assert_int_equal(question.direction, INPUT_TO_OUTPUT);
  assert_int_equal(question.operand, 0);
  assert_int_equal(question.output, 1);
  static const char *const faults[] = {"", "o2i", "o2i 0", "o2i 2 0", "o2i 0 2", "o2i 0 0.1",
      "o2i 0 1.2", "o2i 0 1.", "o2i -1 0", "o2i 0 0 0", "i2o 0.0.0 0", "x 0 0",
      "o2i 99999999999999999999 0", "o2i 0 4294967296"};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    assert_false(question_parse_text(r, faults[i], &question));
  arena_destroy(arena);
}

static bool reads_number(const char **text, int64_t *number) {
  const char *first = *text;
  for (*number = 0; **text >= '0' && **text <= '9'; ++*text)
    *number = *number * 10 + (**text - '0');
  return *text != first && *number <= UINT32_MAX;
}

/* Every text of up to five of these letters: one number, or two with a point between them. */
static void an_operand_is_a_number_or_two(void **) {
  static const char letters[] = "049.- ";
  static constexpr uint32_t count = sizeof letters - 1;
  static const char *const large[] = {"4294967295.4294967295", "4294967296", "0.4294967296",
      "99999999999999999999", "0.99999999999999999999"};
  int64_t operand, leaf;
  for (uint32_t code = 1; code < count * count * count * count * count; code++) {
    char text[6] = {};
    const char *at = text;
    uint32_t length = 0;
    for (uint32_t rest = code; rest > 0; rest /= count) text[length++] = letters[rest % count];
    int64_t number = -1, second = -1;
    bool is_operand = reads_number(&at, &number) &&
                      (*at == 0 || (*at++ == '.' && reads_number(&at, &second) && *at == 0));
    assert_int_equal(operand_parse(text, &operand, &leaf), is_operand);
    if (!is_operand) continue;
    assert_int_equal(operand, number);
    assert_int_equal(leaf, second);
  }
  assert_false(operand_parse("", &operand, &leaf));
  for (size_t i = 0; i < sizeof large / sizeof *large; i++)
    assert_int_equal(operand_parse(large[i], &operand, &leaf), i == 0);
}

static void all_questions_once_in_order(void **) {
  Arena *arena = arena_create();
  const Instruction *r = make(arena);
  QuestionList list = {};
  questions_add(arena, r, &question_filter_all, &list);
  assert_int_equal(list.count, 2 * 2 * 3);
  for (uint32_t i = 0; i < list.count; i++) {
    Question again;
    const Question *one = &list.items[i];
    const char *text =
        one->direction == OUTPUT_TO_INPUT
            ? arena_printf(arena, "o2i %u %u.%u", one->output, one->operand, one->operand_leaf)
            : arena_printf(arena, "i2o %u.%u %u", one->operand, one->operand_leaf, one->output);
    assert_true(question_parse_text(r, text, &again));
    assert_memory_equal(&again.output, &one->output, 3 * sizeof one->output);
    for (uint32_t k = 0; k < i; k++) assert_true(memcmp(&list.items[k], one, sizeof *one) != 0);
  }
  QuestionList some = {};
  questions_add(arena, r,
      &(QuestionFilter){.o2i = true, .output = 1, .operand = 1, .operand_leaf = -1}, &some);
  assert_int_equal(some.count, 2);
  arena_destroy(arena);
}

static void a_tuple_is_queried_at_its_own_positions(void **) {
  Arena *arena = arena_create();
  const Instruction *r = make(arena);
  const Shape *triple =
      shape_tuple(arena, 2, (const Shape *const[]){r->operands[0]->shape, r->operands[1]->shape});
  Instruction tuple = {.name = "t",
      .opcode = HLO_TUPLE,
      .shape = triple,
      .operand_count = 2,
      .operands = r->operands};
  QuestionList list = {};
  questions_add(arena, &tuple,
      &(QuestionFilter){.o2i = true, .output = -1, .operand = -1, .operand_leaf = -1}, &list);
  assert_int_equal(list.count, 3);
  for (uint32_t i = 0; i < 3; i++)
    assert_int_equal(list.items[i].operand + list.items[i].operand_leaf, list.items[i].output);
  QuestionList named = {};
  questions_add(arena, &tuple,
      &(QuestionFilter){.o2i = true, .output = 0, .operand = 1, .operand_leaf = -1}, &named);
  assert_int_equal(named.count, 2);
  arena_destroy(arena);
}

static uint32_t queried_of_an_element(Arena *arena, uint32_t leaves, const Instruction *first) {
  const Shape **elements = ARENA_NEW(arena, const Shape *, leaves);
  for (uint32_t i = 0; i < leaves; i++) elements[i] = first->operands[0]->shape;
  Instruction from = {
      .name = "a", .opcode = HLO_PARAMETER, .shape = shape_tuple(arena, leaves, elements)};
  Instruction element = {.name = "g",
      .opcode = HLO_GET_TUPLE_ELEMENT,
      .number = 3,
      .shape = elements[3],
      .operand_count = 1,
      .operands = (Instruction *[]){&from}};
  QuestionList list = {};
  questions_add(arena, &element, &question_filter_all, &list);
  if (list.count == 2) assert_int_equal(list.items[0].operand_leaf, 3);
  return list.count;
}

static void an_element_of_a_long_tuple_is_queried_at_its_own_position(void **) {
  Arena *arena = arena_create();
  const Instruction *r = make(arena);
  assert_int_equal(queried_of_an_element(arena, 64, r), 128);
  assert_int_equal(queried_of_an_element(arena, 65, r), 2);
  arena_destroy(arena);
}

/* A walk over all pairs of 200,000 outputs and operands would not end. */
static void a_walk_over_a_long_tuple_takes_a_step_a_leaf(void **) {
  static constexpr uint32_t leaves = 200'000;
  Arena *arena = arena_create();
  const Instruction *r = make(arena);
  const Shape **elements = ARENA_NEW(arena, const Shape *, leaves);
  Instruction **operands = ARENA_NEW(arena, Instruction *, leaves);
  for (uint32_t i = 0; i < leaves; i++) {
    operands[i] = r->operands[0];
    elements[i] = operands[i]->shape;
  }
  Instruction tuple = {.name = "t",
      .opcode = HLO_TUPLE,
      .shape = shape_tuple(arena, leaves, elements),
      .operand_count = leaves,
      .operands = operands};
  QuestionWalk walk = question_walk(&tuple, &question_filter_all);
  uint32_t count = 0;
  for (Question question; question_next(&walk, &question); count++) {
    assert_int_equal(question.output, count % leaves);
    assert_int_equal(question.operand, count % leaves);
  }
  assert_int_equal(count, 2 * leaves);
  arena_destroy(arena);
}

static void headings_are_those_of_print_indexing(void **) {
  Arena *arena = arena_create();
  Computation computation = {.name = "f", .is_entry = true};
  Instruction r_in = *make(arena), *r = &r_in;
  r->parent = &computation;
  Text text = text_create(arena);
  question_print_heading(&text, &(Question){.instruction = r, .output = 1, .operand = 0});
  text_string(&text, "|");
  question_print_heading(&text,
      &(Question){.instruction = r, .direction = INPUT_TO_OUTPUT, .operand = 1, .operand_leaf = 1});
  text_string(&text, "|");
  question_print_options(&text, &(Question){.instruction = r, .operand = 1});
  text_string(&text, "|");
  computation.is_entry = false;
  question_print_options(&text, &(Question){.instruction = r, .operand = 1});
  assert_string_equal(text.bytes, "Output 1 operand 0|Operand 1.1 output 0|"
                                  "--instruction r --direction o2i --output 0 --operand 1.0|"
                                  "--instruction f/r --direction o2i --output 0 --operand 1.0");
  arena_destroy(arena);
}

/* --- every walk, against the list that its definition gives --- */

static constexpr uint32_t listed_most = 400;

typedef struct ListedQuestions {
  uint32_t count;
  Question items[listed_most];
} ListedQuestions;

static uint32_t leaves_of(const Shape *shape) {
  if (!shape_is_tuple(shape)) return 1;
  uint32_t leaves = 0;
  for (uint32_t i = 0; i < shape->element_count; i++) leaves += leaves_of(shape->elements[i]);
  return leaves;
}

static bool is_free_or(int64_t wanted, uint32_t number) { return wanted == -1 || wanted == number; }

static void list_one(ListedQuestions *list, const QuestionFilter *filter, Question question) {
  if (!is_free_or(filter->output, question.output) ||
      !is_free_or(filter->operand, question.operand) ||
      !is_free_or(filter->operand_leaf, question.operand_leaf))
    return;
  assert_true(list->count < listed_most);
  list->items[list->count++] = question;
}

/* A tuple, and an element of a tuple of more than 64 leaves, have a question for each leaf of the
 * output, unless an output and an operand are named. */
static bool is_listed_by_output(const Instruction *instruction, const QuestionFilter *filter) {
  if (filter->output != -1 && filter->operand != -1) return false;
  return instruction->opcode == HLO_TUPLE || (instruction->opcode == HLO_GET_TUPLE_ELEMENT &&
                                                 leaves_of(instruction->operands[0]->shape) > 64);
}

static void list_direction(ListedQuestions *list, const Instruction *instruction,
    const QuestionFilter *filter, Direction direction) {
  const uint32_t outputs = leaves_of(instruction->shape);
  bool by_output = is_listed_by_output(instruction, filter);
  uint32_t before = 0; /* leaves of the tuple's elements before the one that is read */
  for (int64_t i = 0;
      by_output && instruction->opcode == HLO_GET_TUPLE_ELEMENT && i < instruction->number; i++)
    before += leaves_of(instruction->operands[0]->shape->elements[i]);
  for (uint32_t output = 0; output < outputs; output++) {
    uint32_t leaf = 0;
    for (uint32_t operand = 0; operand < instruction->operand_count; operand++)
      for (uint32_t k = 0; k < leaves_of(instruction->operands[operand]->shape); k++, leaf++)
        if (!by_output || leaf == before + output)
          list_one(list, filter,
              (Question){.instruction = instruction,
                  .direction = direction,
                  .output = output,
                  .operand = operand,
                  .operand_leaf = k});
  }
}

static void check_walk(Arena *arena, const Instruction *instruction, const QuestionFilter *filter) {
  static ListedQuestions wanted;
  wanted.count = 0;
  if (filter->o2i) list_direction(&wanted, instruction, filter, OUTPUT_TO_INPUT);
  if (filter->i2o) list_direction(&wanted, instruction, filter, INPUT_TO_OUTPUT);
  ArenaMark mark = arena_mark(arena);
  QuestionList list = {};
  questions_add(arena, instruction, filter, &list);
  assert_int_equal(list.count, wanted.count);
  for (uint32_t i = 0; i < list.count; i++) {
    const Question *a = &list.items[i], *b = &wanted.items[i];
    assert_ptr_equal(a->instruction, b->instruction);
    assert_int_equal(a->direction, b->direction);
    assert_int_equal(a->output, b->output);
    assert_int_equal(a->operand, b->operand);
    assert_int_equal(a->operand_leaf, b->operand_leaf);
  }
  arena_rewind(arena, mark);
}

/* All filters with numbers up to 3, one more than any array of outputs or operands here has. */
static void check_filters(Arena *arena, const Instruction *instruction) {
  for (uint32_t code = 0; code < 4 * 5 * 5 * 4; code++)
    check_walk(arena, instruction,
        &(QuestionFilter){.o2i = code % 2 == 1,
            .i2o = code / 2 % 2 == 1,
            .output = (int64_t)(code / 4 % 5) - 1,
            .operand = (int64_t)(code / 20 % 5) - 1,
            .operand_leaf = (int64_t)(code / 100) - 1});
}

static constexpr uint32_t shape_kinds = 4;

/* An array, a tuple of nothing, a pair, and a tuple with nested ones. */
static void make_shapes(Arena *arena, const Shape *shapes[shape_kinds]) {
  Error error = {};
  assert_true(shape_array(arena, TYPE_f32, 1, (const int64_t[]){4}, &shapes[0], &error));
  const Shape *array = shapes[0];
  shapes[1] = shape_tuple(arena, 0, nullptr);
  shapes[2] = shape_tuple(arena, 2, (const Shape *const[]){array, array});
  const Shape *inner = shape_tuple(arena, 2, (const Shape *const[]){shapes[1], array});
  shapes[3] = shape_tuple(arena, 3, (const Shape *const[]){inner, shapes[1], array});
}

/* An instruction of up to three operands of each kind of shape, with a result of each kind; and the
 * tuple of the operands. */
static void walks_are_what_their_definition_lists(void **) {
  Arena *arena = arena_create();
  const Shape *shapes[shape_kinds];
  make_shapes(arena, shapes);
  Instruction from[shape_kinds], *operands[3];
  for (uint32_t i = 0; i < shape_kinds; i++)
    from[i] = (Instruction){.opcode = HLO_PARAMETER, .shape = shapes[i]};
  for (uint32_t count = 0, codes = 1; count <= 3; count++, codes *= shape_kinds)
    for (uint32_t code = 0; code < codes; code++) {
      const Shape *elements[3];
      for (uint32_t i = 0, left = code; i < count; i++, left /= shape_kinds) {
        operands[i] = &from[left % shape_kinds];
        elements[i] = shapes[left % shape_kinds];
      }
      Instruction instruction = {.opcode = HLO_TUPLE,
          .shape = shape_tuple(arena, count, elements),
          .operand_count = count,
          .operands = operands};
      check_filters(arena, &instruction);
      instruction.opcode = HLO_CUSTOM_CALL;
      for (uint32_t i = 0; i < shape_kinds; i++) {
        instruction.shape = shapes[i];
        if (count < 3) check_filters(arena, &instruction);
      }
    }
  arena_destroy(arena);
}

/* Each element of tuples of 64 and of more leaves, among which tuples of nothing stand. */
static void walks_of_elements_are_what_their_definition_lists(void **) {
  Arena *arena = arena_create();
  const Shape *shapes[shape_kinds];
  make_shapes(arena, shapes);
  for (uint32_t count = 47; count <= 50; count++) {
    const Shape *elements[50];
    for (uint32_t i = 0; i < count; i++) elements[i] = shapes[i % 3 == 0 ? 3 : i % 3];
    Instruction from = {.opcode = HLO_PARAMETER, .shape = shape_tuple(arena, count, elements)};
    for (uint32_t number = 0; number < count; number++)
      for (int64_t output = -1; output < 3; output++)
        for (int64_t operand = -1; operand < 2; operand++) {
          const Instruction element = {.opcode = HLO_GET_TUPLE_ELEMENT,
              .number = number,
              .shape = elements[number],
              .operand_count = 1,
              .operands = (Instruction *[]){&from}};
          check_walk(arena, &element,
              &(QuestionFilter){.o2i = true,
                  .i2o = true,
                  .output = output,
                  .operand = operand,
                  .operand_leaf = -1});
        }
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_both_directions),
      cmocka_unit_test(an_operand_is_a_number_or_two),
      cmocka_unit_test(all_questions_once_in_order),
      cmocka_unit_test(a_tuple_is_queried_at_its_own_positions),
      cmocka_unit_test(an_element_of_a_long_tuple_is_queried_at_its_own_position),
      cmocka_unit_test(a_walk_over_a_long_tuple_takes_a_step_a_leaf),
      cmocka_unit_test(walks_are_what_their_definition_lists),
      cmocka_unit_test(walks_of_elements_are_what_their_definition_lists),
      cmocka_unit_test(headings_are_those_of_print_indexing),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}

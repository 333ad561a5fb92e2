/* HLO modules: their instructions, the maps of an operand, and the judges' verdicts. */
#include <string.h>

#include "core/hlo/find.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"
#include "library/context.h"

static_assert((int)AFFIRM_INPUT_TO_OUTPUT == (int)INPUT_TO_OUTPUT);
static_assert((int)AFFIRM_LAWS_FAST == (int)LAW_FAST && (int)AFFIRM_LAWS_EXACT == (int)LAW_EXACT);

/* False with an error if the text, which cannot be read as one module, has several. */
static bool module_is_alone(AffirmContext *context, const Source *source) {
  uint32_t count = 0;
  Source *parts;
  Error error = {};
  if (!hlo_split(context_arena(context), source, &count, &parts, &error) || count < 2) return true;
  size_t begin = strspn(parts[1].text, " \t\r\n");
  return error_at(&context->error, ERROR_INPUT, &parts[1], begin, strlen("HloModule"),
      "the text has %u modules, and affirm_module_read takes one", count);
}

const AffirmModule *affirm_module_read(AffirmContext *context, const char *name, const char *text) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_HAS(context, name) || !CONTEXT_HAS(context, text))
    return nullptr;
  MapMark mark = map_context_mark(context->judge->context);
  const Source *source = context_source(context, name, text);
  const Module *module = nullptr;
  Error error = {};
  if (hlo_read(context_arena(context), source, &module, &error))
    return (const AffirmModule *)module;
  if (module_is_alone(context, source) && context->error.kind == ERROR_NONE) context->error = error;
  context_forget(context, mark);
  return nullptr;
}

const char *affirm_module_text(AffirmContext *context, const AffirmModule *module) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, module)) return nullptr;
  Text text = text_create(context_arena(context));
  hlo_print(&text, module_of(module));
  return text.bytes;
}

const AffirmInstruction *affirm_module_root(const AffirmModule *module) {
  return module == nullptr ? nullptr : (const AffirmInstruction *)module_of(module)->entry->root;
}

uint32_t affirm_module_instruction_count(const AffirmModule *module) {
  return module == nullptr ? 0 : module_of(module)->entry->instruction_count;
}

const AffirmInstruction *affirm_module_instruction(
    AffirmContext *context, const AffirmModule *module, uint32_t index) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, module) ||
      !context_has_index(
          context, "instruction", index, module_of(module)->entry->instruction_count))
    return nullptr;
  return (const AffirmInstruction *)module_of(module)->entry->instructions[index];
}

const AffirmInstruction *affirm_module_find(
    AffirmContext *context, const AffirmModule *module, const char *name) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, module) || !CONTEXT_HAS(context, name))
    return nullptr;
  const Instruction *found;
  if (instruction_find(module_of(module), name, &found, &context->error) && found == nullptr)
    error_set_from(
        &context->error, ERROR_INPUT, __FILE__, __LINE__, "there is no instruction %s", name);
  return (const AffirmInstruction *)found;
}

const char *affirm_instruction_name(const AffirmInstruction *instruction) {
  return instruction == nullptr ? nullptr : instruction_of(instruction)->name;
}

const char *affirm_instruction_opcode(const AffirmInstruction *instruction) {
  return instruction == nullptr ? nullptr : opcode_name(instruction_of(instruction)->opcode);
}

uint32_t affirm_instruction_operand_count(const AffirmInstruction *instruction) {
  return instruction == nullptr ? 0 : instruction_of(instruction)->operand_count;
}

const char *affirm_instruction_text(AffirmContext *context, const AffirmInstruction *instruction) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, instruction)) return nullptr;
  Text text = text_create(context_arena(context));
  hlo_print_instruction(&text, instruction_of(instruction));
  return text.bytes;
}

/* The judges require that the leaves and the operand exist. */
static bool question_read(AffirmContext *context, const AffirmQuestion *from, Question *question) {
  if (!context_has_index(context, "direction", (uint32_t)from->direction, 2)) return false;
  const Instruction *instruction = instruction_of(from->instruction);
  if (!context_has_index(context, "output", from->output, shape_leaf_count(instruction->shape)) ||
      !context_has_index(context, "operand", from->operand, instruction->operand_count) ||
      !context_has_index(context, "operand leaf", from->operand_leaf,
          shape_leaf_count(instruction->operands[from->operand]->shape)))
    return false;
  *question = (Question){.instruction = instruction,
      .direction = (Direction)from->direction,
      .output = from->output,
      .operand = from->operand,
      .operand_leaf = from->operand_leaf};
  return true;
}

const AffirmMaps *affirm_maps_compute(AffirmContext *context, const AffirmQuestion *question) {
  CONTEXT_ENTER(context);
  Question query;
  if (context == nullptr || !CONTEXT_HAS(context, question) ||
      !CONTEXT_OWNS(context, question->instruction) || !question_read(context, question, &query))
    return nullptr;
  AffirmMaps *maps = ARENA_NEW(context_arena(context), AffirmMaps, 1);
  return judge_query_engine(context->judge, &query, &maps->set, &context->error) ? maps : nullptr;
}

const AffirmMaps *affirm_maps_create(
    AffirmContext *context, uint32_t count, const AffirmMap *const *maps) {
  CONTEXT_ENTER(context);
  if (context == nullptr || (count > 0 && !CONTEXT_HAS(context, maps))) return nullptr;
  AffirmMaps *made = ARENA_NEW(context_arena(context), AffirmMaps, 1);
  made->set =
      (MapSet){.claim = INDEX_EXACT, .maps = ARENA_NEW(context_arena(context), const Map *, count)};
  for (uint32_t i = 0; i < count; i++) {
    if (!CONTEXT_OWNS(context, maps[i])) return nullptr;
    if (map_of(maps[i])->state == MAP_UNDEFINED) {
      error_set_from(&context->error, ERROR_INPUT, __FILE__, __LINE__, "map %u is undefined", i);
      return nullptr;
    }
    if (map_of(maps[i])->state == MAP_PLAIN) made->set.maps[made->set.count++] = map_of(maps[i]);
  }
  return made;
}

uint32_t affirm_maps_count(const AffirmMaps *maps) { return maps == nullptr ? 0 : maps->set.count; }

const AffirmMap *affirm_maps_at(AffirmContext *context, const AffirmMaps *maps, uint32_t index) {
  CONTEXT_ENTER(context);
  if (context == nullptr || !CONTEXT_OWNS(context, maps) ||
      !context_has_index(context, "map", index, maps->set.count))
    return nullptr;
  return map_to(maps->set.maps[index]);
}

const char *affirm_maps_reason(const AffirmMaps *maps) {
  return maps == nullptr ? "there are no maps" : maps->set.reason;
}

/* The judges require maps between the indices of the question's arrays. */
static bool maps_fit(AffirmContext *context, const Question *question, const MapSet *maps) {
  const Instruction *instruction = question->instruction;
  uint32_t output = shape_leaf(instruction->shape, question->output)->rank;
  uint32_t operand =
      shape_leaf(instruction->operands[question->operand]->shape, question->operand_leaf)->rank;
  bool is_forward = question->direction == OUTPUT_TO_INPUT;
  uint32_t dims = is_forward ? output : operand, results = is_forward ? operand : output;
  for (uint32_t i = 0; i < maps->count; i++)
    if (maps->maps[i]->dim_count != dims || maps->maps[i]->result_count != results)
      return error_set(&context->error, ERROR_INPUT,
          "map %u goes from %u to %u dimensions; the question wants %u and %u", i,
          maps->maps[i]->dim_count, maps->maps[i]->result_count, dims, results);
  return true;
}

AffirmStatus affirm_maps_judge(AffirmContext *context, const AffirmQuestion *question,
    const AffirmMaps *maps, AffirmVerdict *verdict) {
  CONTEXT_ENTER(context);
  Question query;
  if (context == nullptr || !CONTEXT_OWNS(context, maps) || !CONTEXT_HAS(context, question) ||
      !CONTEXT_OWNS(context, question->instruction) || !question_read(context, question, &query) ||
      !maps_fit(context, &query, &maps->set))
    return verdict_fail(context, verdict);
  Judgement judgement;
  judge_maps(context->judge, &query, &maps->set, &judgement);
  return verdict_give(verdict, judge_answer_status(judgement.answer),
      judge_answer_text(judgement.answer), judgement.reason);
}

uint32_t affirm_module_output_count(const AffirmModule *module) {
  return module == nullptr ? 0 : shape_leaf_count(module_of(module)->entry->root->shape);
}

static const char *values_text(Arena *arena, const EquivValuesVerdict *verdict) {
  const ValuesVerdict *found = &verdict->values;
  if (verdict->answer == REASON_DISSENT || found->values[0] == nullptr)
    return arena_text(arena, verdict->reason, strlen(verdict->reason));
  Text text = text_create(arena);
  text_string(&text, "element ");
  text_tuple(&text, found->rank, found->point);
  text_printf(
      &text, ": %s before, %s after, where %s", found->values[0], found->values[1], found->inputs);
  return text.bytes;
}

/* A disagreement of the judges is an error of the context: the verdict's status says so. */
static AffirmStatus values_judge(
    AffirmContext *context, const EquivValues *values, uint32_t output, AffirmVerdict *verdict) {
  if (!context_has_index(context, "output", output, values->leaf_count))
    return verdict_fail(context, verdict);
  if (!shape_leaf_has_value(shape_leaf(values->output, output)))
    return verdict_give(verdict, STATUS_UNDECIDED, "unknown", "the output is a token");
  EquivValuesVerdict found;
  equiv_values_judge(values, output, &found);
  Status status = equiv_values_status(found.answer);
  const char *text = values_text(context_arena(context), &found);
  if (status == STATUS_BAD)
    (void)error_set(&context->error, ERROR_UNSUPPORTED, "the judges disagree: %s", text);
  return verdict_give(verdict, status, equiv_values_text(found.answer), text);
}

AffirmStatus affirm_modules_equivalent(AffirmContext *context, const AffirmModule *before,
    const AffirmModule *after, AffirmLaws laws, uint32_t output, AffirmVerdict *verdict) {
  CONTEXT_ENTER(context);
  EquivValues values;
  if (context == nullptr || !CONTEXT_OWNS(context, before) || !CONTEXT_OWNS(context, after) ||
      !context_has_index(context, "grade of laws", (uint32_t)laws, AFFIRM_LAWS_FAST + 1) ||
      !equiv_values_open(context_arena(context), module_of(before), module_of(after),
          &(ValuesLimits){.grade = (LawGrade)laws, .one_judge = true}, context->judge->smt, &values,
          &context->error))
    return verdict_fail(context, verdict);
  AffirmStatus status = values_judge(context, &values, output, verdict);
  equiv_values_close(&values);
  return status;
}

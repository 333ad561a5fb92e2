/* Parses the attributes after an instruction's operands. Each is kept as text. An attribute of
 * opcodes.def is also parsed into its field, if the table lists it for the instruction's opcode;
 * its text is then exactly what was parsed. A name may occur only once. */
#include <assert.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/hlo/attribute.h"
#include "core/hlo/read/reader.h"

static constexpr uint32_t most_attributes = 200;

static AttributeId find_attribute(Slice name, Opcode opcode) {
  for (uint32_t i = 0; i < ATTRIBUTE_OTHER; i++) {
    const AttributeRow *row = &attribute_rows[i];
    if (attribute_row_fits(row, opcode) && slice_is(name, row->name)) return (AttributeId)i;
  }
  return ATTRIBUTE_OTHER;
}

/* The struct that has the attribute's field; allocated if it does not exist yet. */
static void *owner_of(Reader *reader, Instruction *instruction, AttributeOwner owner) {
  switch (owner) {
    case OWNER_SELF: return instruction;
    case OWNER_DOT:
      if (instruction->dot == nullptr) instruction->dot = ARENA_NEW(reader->arena, DotNumbers, 1);
      return instruction->dot;
    case OWNER_GATHER:
      if (instruction->gather == nullptr)
        instruction->gather = ARENA_NEW(reader->arena, GatherNumbers, 1);
      return instruction->gather;
    case OWNER_SCATTER:
      if (instruction->scatter == nullptr)
        instruction->scatter = ARENA_NEW(reader->arena, ScatterNumbers, 1);
      return instruction->scatter;
  }
  assert(false);
  return nullptr;
}

static void *field_of(Reader *reader, Instruction *instruction, AttributeId id) {
  assert(id < ATTRIBUTE_OTHER);
  return (char *)owner_of(reader, instruction, attribute_rows[id].owner) +
         attribute_rows[id].member_offset;
}

static const char *role_of(AttributeId id) {
  bool is_branch = id == ATTRIBUTE_TRUE_COMPUTATION || id == ATTRIBUTE_FALSE_COMPUTATION ||
                   id == ATTRIBUTE_BRANCH_COMPUTATIONS;
  if (is_branch) return "branch";
  return id == ATTRIBUTE_CALLED_COMPUTATIONS ? "calls" : attribute_rows[id].name;
}

/* Adds a called computation; the arrays grow by doubling. */
static uint32_t add_called(Reader *reader, Instruction *caller, const char *role) {
  uint32_t count = caller->called_count;
  if ((count & (count - 1)) == 0) {
    uint32_t capacity = count == 0 ? 1 : 2 * count;
    caller->called =
        arena_grow(reader->arena, caller->called, count, capacity, sizeof *caller->called);
    caller->called_roles = arena_grow(
        reader->arena, caller->called_roles, count, capacity, sizeof *caller->called_roles);
  }
  assert(caller->called[count] == nullptr);
  caller->called_roles[count] = role;
  caller->called_count = count + 1;
  return count;
}

/* A computation in braces, as the value of an attribute. Its name contains its offset, which is
 * unique in the text. */
static bool read_nested(Reader *reader, Instruction *caller, uint32_t slot) {
  assert(slot < caller->called_count);
  size_t start = reader->scan.at;
  Computation *computation = ARENA_NEW(reader->arena, Computation, 1);
  computation->name = arena_printf(reader->arena, "%s.nested.%zu", caller->name, start);
  computation->offset = start;
  caller->called[slot] = computation;
  Slice name = {.text = computation->name, .length = strlen(computation->name), .offset = start};
  if (!read_deeper(reader) || !reader->body_rule(reader, computation)) return false;
  reader->depth--;
  *ARENA_PUSH(reader->scratch, &reader->bodies) =
      (NestedBody){.start = start, .end = reader->scan.at, .name = computation->name};
  return read_add_computation(reader, computation, name);
}

/* true_computation gets the first slot, in whatever order the two are written. */
static uint32_t slot_for(Reader *reader, Instruction *caller, AttributeId id) {
  bool yes = id == ATTRIBUTE_TRUE_COMPUTATION, no = id == ATTRIBUTE_FALSE_COMPUTATION;
  if (!yes && !no) return add_called(reader, caller, role_of(id));
  while (caller->called_count < 2) (void)add_called(reader, caller, role_of(id));
  return yes ? 0 : 1;
}

static bool read_call(Reader *reader, Instruction *caller, AttributeId id) {
  uint32_t slot = slot_for(reader, caller, id);
  if (scan_peek(&reader->scan) == '{') return read_nested(reader, caller, slot);
  Slice name;
  if (!scan_name(&reader->scan, &name, "a computation's name")) return false;
  caller->called[slot] = names_find(&reader->names, computation_scope, name.text, name.length);
  if (caller->called[slot] == nullptr) {
    *ARENA_PUSH(reader->scratch, &reader->calls) =
        (Call){.caller = caller, .slot = slot, .name = name};
  }
  return true;
}

/* True if a brace opens a list of names rather than a computation: no '=' follows its first
 * name. */
static bool is_call_list(Scanner *scan) {
  size_t start = scan->at;
  bool is = scan_accept(scan, '{');
  if (is && scan_peek(scan) != '}' && scan_peek(scan) != '{') {
    Slice word;
    scan_accept(scan, '%');
    is = scan_accept_word(scan, &word) && !slice_is(word, "ROOT") && scan_peek(scan) != '=';
  }
  scan->at = start;
  return is;
}

static bool read_calls(Reader *reader, Instruction *caller, AttributeId id) {
  Scanner *scan = &reader->scan;
  if (!is_call_list(scan)) return read_call(reader, caller, id);
  if (!scan_expect(scan, '{', "before the computations")) return false;
  if (scan_accept(scan, '}')) return true;
  do {
    if (!read_call(reader, caller, id)) return false;
  } while (scan_accept(scan, ','));
  return scan_expect(scan, '}', "after the computations");
}

static bool read_pad_attribute(Reader *reader, Instruction *instruction) {
  size_t start = (scan_blanks(&reader->scan), reader->scan.at);
  const Shape *padded = instruction->shape;
  if (padded == nullptr && instruction->operand_count > 0) padded = instruction->operands[0]->shape;
  /* For a scalar XLA prints `padding=` with no value. */
  bool is_scalar = padded != nullptr && shape_is_array(padded) && padded->rank == 0;
  char next = scan_peek(&reader->scan);
  if (is_scalar && next != '-' && (next < '0' || next > '9')) return true;
  uint32_t rank;
  if (!read_padding(reader, &instruction->padding, &rank)) return false;
  if (padded != nullptr && shape_is_array(padded) && padded->rank == rank) return true;
  return read_fail(reader, ERROR_INPUT, start, reader->scan.at - start,
      "the padding has %s, the array %u", counted(rank, "dimension"),
      padded == nullptr ? 0 : padded->rank);
}

/* f32[2]{0} {1, 2}, f32[] 0.5 or (f32[2] {1, 2}, pred[] true): a shape and its values, or several
 * in parentheses; kept as text. */
static bool read_literal_attribute(Scanner *scan) {
  return scan_peek(scan) == '(' ? scan_group(scan) : scan_value(scan) && scan_value(scan);
}

static bool read_form(Reader *reader, Instruction *instruction, AttributeId id) {
  Scanner *scan = &reader->scan;
  switch (attribute_rows[id].form) {
    case FORM_INTS: return read_ints(reader, field_of(reader, instruction, id));
    case FORM_INT: return scan_integer(scan, field_of(reader, instruction, id), "an integer");
    case FORM_BOOL: return scan_bool(scan, field_of(reader, instruction, id));
    case FORM_CALL: return read_call(reader, instruction, id);
    case FORM_CALLS: return read_calls(reader, instruction, id);
    case FORM_WINDOW: return read_window(reader, &instruction->window);
    case FORM_LABELS: return read_dim_labels(reader, &instruction->convolution);
    case FORM_PADDING: return read_pad_attribute(reader, instruction);
    case FORM_RANGES: return read_slice_ranges(reader, instruction);
    case FORM_GROUPS:
      return read_replica_groups(reader, instruction->opcode, &instruction->replica_groups);
    case FORM_PAIRS: return read_pairs(reader, &instruction->source_target_pairs);
    case FORM_LITERAL: return read_literal_attribute(scan);
  }
  assert(false);
  return false;
}

/* `first`: the number of attributes on the stack that belong to other instructions. */
static bool is_repeated(const AttributeList *list, uint32_t first, Slice name) {
  for (uint32_t i = first; i < list->count; i++) {
    if (slice_is(name, list->items[i].name)) return true;
  }
  return false;
}

bool read_fail_repeated(Reader *reader, Slice name) {
  return read_fail(reader, ERROR_INPUT, name.offset, name.length, "attribute '%.*s' is given twice",
      (int)(name.length < 100 ? name.length : 100), name.text);
}

/* name= */
static bool read_attribute_name(Reader *reader, uint32_t first, Slice *name) {
  Scanner *scan = &reader->scan;
  if (reader->attributes.count - first == most_attributes) {
    return read_fail(reader, ERROR_LIMIT, scan->at, 1, "more than %u attributes", most_attributes);
  }
  if (!scan_accept_word(scan, name)) return scan_fail(scan, "an attribute's name");
  if (!scan_expect(scan, '=', "after an attribute's name")) return false;
  return !is_repeated(&reader->attributes, first, *name) || read_fail_repeated(reader, *name);
}

/* The value as written, with each nested computation replaced by its name. */
static const char *value_text(Reader *reader, size_t start, uint32_t first_body) {
  const Scanner *scan = &reader->scan;
  if (reader->bodies.count == first_body) return slice_copy(reader->arena, scan_slice(scan, start));
  Text text = text_create(reader->arena);
  for (uint32_t i = first_body; i < reader->bodies.count; i++) {
    const NestedBody *body = &reader->bodies.items[i];
    assert(start <= body->start && body->start < body->end && body->end <= scan->at);
    text_append(&text, scan->text + start, body->start - start);
    text_printf(&text, "%%%s", body->name);
    start = body->end;
  }
  text_append(&text, scan->text + start, scan->at - start);
  reader->bodies.count = first_body;
  return text.bytes;
}

/* After a value its scratch memory is free, except when a call added to the tables there. */
static bool read_known(Reader *reader, Instruction *instruction, AttributeId id) {
  bool calls = attribute_rows[id].form == FORM_CALL || attribute_rows[id].form == FORM_CALLS;
  ArenaMark mark = arena_mark(reader->scratch);
  if (!read_form(reader, instruction, id)) return false;
  if (!calls) arena_rewind(reader->scratch, mark);
  return true;
}

static bool read_one(Reader *reader, Instruction *instruction, uint32_t first) {
  Scanner *scan = &reader->scan;
  Slice name;
  if (!read_attribute_name(reader, first, &name)) return false;
  AttributeId id = find_attribute(name, instruction->opcode);
  size_t start = (scan_blanks(scan), scan->at);
  uint32_t bodies = reader->bodies.count;
  bool is_known = id != ATTRIBUTE_OTHER;
  if (is_known ? !read_known(reader, instruction, id) : !scan_value(scan)) return false;
  *ARENA_PUSH(reader->scratch, &reader->attributes) = (Attribute){
      .name = id == ATTRIBUTE_OTHER ? slice_copy(reader->arena, name) : attribute_rows[id].name,
      .text = value_text(reader, start, bodies),
      .offset = name.offset,
  };
  return true;
}

/* Pops the attributes above `first` from the stack. */
static Attribute *take_attributes(Reader *reader, uint32_t first, uint32_t *count) {
  AttributeList *list = &reader->attributes;
  assert(first <= list->count);
  *count = list->count - first;
  list->count = first;
  return *count == 0
             ? nullptr
             : arena_grow(reader->arena, list->items + first, *count, *count, sizeof *list->items);
}

bool read_plain_attributes(Reader *reader, uint32_t *count, Attribute **items) {
  uint32_t first = reader->attributes.count;
  while (scan_accept(&reader->scan, ',')) {
    Slice name;
    if (!read_attribute_name(reader, first, &name)) return false;
    size_t start = (scan_blanks(&reader->scan), reader->scan.at);
    if (!scan_value(&reader->scan)) return false;
    *ARENA_PUSH(reader->scratch, &reader->attributes) = (Attribute){
        .name = slice_copy(reader->arena, name),
        .text = slice_copy(reader->arena, scan_slice(&reader->scan, start)),
        .offset = name.offset,
    };
  }
  *items = take_attributes(reader, first, count);
  return true;
}

/* An attribute that the reader does not know and whose name is near the missing one; or nullptr. */
static const char *misspelt_attribute(const Instruction *instruction, const char *missing) {
  for (uint32_t i = 0; i < instruction->attribute_count; i++) {
    const char *name = instruction->attributes[i].name;
    Nearest nearest = nearest_begin(name, strlen(name));
    nearest_try(&nearest, missing);
    const Slice slice = {.text = name, .length = strlen(name)};
    bool is_known = find_attribute(slice, instruction->opcode) != ATTRIBUTE_OTHER;
    if (nearest.found != nullptr && !is_known) return name;
  }
  return nullptr;
}

static bool has_required(Reader *reader, const Instruction *instruction) {
  const char *missing = attribute_missing(instruction);
  if (missing == nullptr) return true;
  const char *near = misspelt_attribute(instruction, missing);
  return read_fail(reader, ERROR_INPUT, instruction->offset, strlen(instruction->name),
      "%s: %s is missing%s%.100s%s", opcode_name(instruction->opcode), missing,
      near == nullptr ? "" : "; did you mean it by '", near == nullptr ? "" : near,
      near == nullptr ? "" : "'?");
}

/* A conditional has either two computations for a pred, or a list for an index. */
static bool has_branches(Reader *reader, const Instruction *instruction) {
  if (instruction->opcode != HLO_CONDITIONAL) return true;
  bool yes = instruction_attribute(instruction, "true_computation") != nullptr;
  bool no = instruction_attribute(instruction, "false_computation") != nullptr;
  bool list = instruction_attribute(instruction, "branch_computations") != nullptr;
  if (yes != no || yes == list)
    return read_fail(reader, ERROR_INPUT, instruction->offset, strlen(instruction->name),
        "conditional: expected true_computation and false_computation, or branch_computations");
  bool is_pair =
      instruction->operand_count > 0 && instruction->operands[0]->shape->type == TYPE_pred;
  return instruction->operand_count == 0 || is_pair == yes ||
         read_fail(reader, ERROR_INPUT, instruction->offset, strlen(instruction->name),
             "conditional: %s",
             yes ? "true_computation is for a pred"
                 : "a pred has true_computation and false_computation");
}

/* iota(), dimensions={1} means the same as iota_dimension=1. */
static bool is_old_iota(const Instruction *instruction) {
  return instruction->opcode == HLO_IOTA && instruction->dimensions.count == 1 &&
         instruction_attribute(instruction, "iota_dimension") == nullptr;
}

bool read_no_attributes(Reader *reader, const Instruction *instruction) {
  return has_required(reader, instruction) && has_branches(reader, instruction);
}

bool read_attributes(Reader *reader, Instruction *instruction) {
  uint32_t first = reader->attributes.count;
  while (scan_accept(&reader->scan, ',')) {
    if (!read_one(reader, instruction, first)) return false;
  }
  instruction->attributes = take_attributes(reader, first, &instruction->attribute_count);
  if (is_old_iota(instruction)) {
    instruction->number = instruction->dimensions.values[0];
    return true;
  }
  return read_no_attributes(reader, instruction);
}

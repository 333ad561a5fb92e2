/* A foreign text names a source `off`, `%off`, `%off = s32[] ...` or `parameter(2)`. The name is
 * looked up in the root's own computation. If it is not there, it is looked up in the computations
 * that the root calls, whose parameters are replaced by the caller's operands. `body/off` is looked
 * up only in `body`. An ambiguous name decides nothing. A printed index map has its own variables:
 * d1, s0, rt0 there are the owner's variables with these names. Its domain is dropped, because the
 * value is only needed at points of the owner's domain. If its result uses a range or runtime
 * variable that the owner lacks or has with other bounds, the source is unknown, unless the
 * variable has only one value. */
#include "judge/audit/audit_sources.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/index/index.h"

static constexpr uint32_t deepest = 64; /* limit of nested calls */

/* --- names to instructions --- */

typedef struct AuditSourcesFrame {
  const Instruction *caller;
  const struct AuditSourcesFrame *outer;
} AuditSourcesFrame;

typedef struct Lookup {
  const char *computation; /* not NUL-terminated; nullptr: any computation */
  size_t computation_length;
  const char *name;
  size_t length;
  const Instruction *found;
  bool is_ambiguous;
} Lookup;

static bool has_body(const Instruction *instruction) {
  return instruction->called_count == 1 &&
         (instruction->opcode == HLO_FUSION || instruction->opcode == HLO_CALL ||
             instruction->opcode == HLO_ASYNC_START);
}

/* Replaces a parameter of a called computation by the caller's operand, at every level. */
static const Instruction *climb(const Instruction *instruction, const AuditSourcesFrame *frame) {
  for (; frame != nullptr && instruction->opcode == HLO_PARAMETER; frame = frame->outer) {
    if (instruction->number < 0 || instruction->number >= frame->caller->operand_count)
      return nullptr;
    instruction = frame->caller->operands[instruction->number];
  }
  return instruction;
}

static void audit_sources_note(Lookup *lookup, const Instruction *instruction) {
  if (instruction == nullptr) return;
  lookup->is_ambiguous |= lookup->found != nullptr && lookup->found != instruction;
  lookup->found = instruction;
}

static bool audit_sources_is_word(const char *name, const char *word, size_t length) {
  return strlen(name) == length && memcmp(name, word, length) == 0;
}

static bool has_name(const Lookup *lookup, const Instruction *instruction) {
  if (lookup->computation != nullptr && !audit_sources_is_word(instruction->parent->name,
                                            lookup->computation, lookup->computation_length))
    return false;
  return audit_sources_is_word(instruction->name, lookup->name, lookup->length);
}

/* Parses `body/off` or `off` and ignores the text after it. */
static Lookup lookup_of(const char *text) {
  Lookup lookup = {.name = text + (text[0] == '%')};
  lookup.length = strcspn(lookup.name, " =");
  const char *slash = memchr(lookup.name, '/', lookup.length);
  if (slash == nullptr) return lookup;
  lookup.computation = lookup.name;
  lookup.computation_length = (size_t)(slash - lookup.name);
  lookup.length -= lookup.computation_length + 1;
  lookup.name = slash + 1;
  return lookup;
}

/* The recursion is bounded by `deepest`. */
static void audit_sources_search(
    Lookup *lookup, const Instruction *caller, const AuditSourcesFrame *outer, uint32_t depth) {
  if (!has_body(caller) || depth == deepest) return;
  const AuditSourcesFrame frame = {.caller = caller, .outer = outer};
  const Computation *body = caller->called[0];
  for (uint32_t i = 0; i < body->instruction_count; i++) {
    const Instruction *instruction = body->instructions[i];
    if (has_name(lookup, instruction)) audit_sources_note(lookup, climb(instruction, &frame));
    audit_sources_search(lookup, instruction, &frame, depth + 1);
  }
}

static void search_own(Lookup *lookup, const Computation *own) {
  for (uint32_t i = 0; i < own->instruction_count; i++)
    if (has_name(lookup, own->instructions[i])) audit_sources_note(lookup, own->instructions[i]);
}

static bool read_parameter(const char *text, uint64_t *number) {
  static const char word[] = "parameter(";
  if (strncmp(text, word, sizeof word - 1) != 0 || !isdigit((unsigned char)text[sizeof word - 1]))
    return false;
  char *end;
  *number = strtoull(text + sizeof word - 1, &end, 10);
  return *end == ')' && end[strspn(end + 1, " ") + 1] == 0;
}

static const Instruction *parameter(const Instruction *root, uint64_t number) {
  if (has_body(root)) return number < root->operand_count ? root->operands[number] : nullptr;
  return number < root->parent->parameter_count ? root->parent->parameters[number] : nullptr;
}

/* Returns nullptr, with the reason in `why`, unless the name denotes exactly one instruction. */
static const Instruction *audit_sources_find(const Instruction *root, const char *text, Text *why) {
  uint64_t number;
  Lookup lookup = lookup_of(text);
  if (read_parameter(text, &number)) {
    lookup.found = parameter(root, number);
  } else {
    search_own(&lookup, root->parent);
    if (lookup.found == nullptr) audit_sources_search(&lookup, root, nullptr, 0);
  }
  if (lookup.found != nullptr && !lookup.is_ambiguous) return lookup.found;
  text_printf(why, "%s '%.80s'",
      lookup.is_ambiguous ? "more than one instruction is called" : "no instruction is called",
      text);
  return nullptr;
}

/* --- index maps --- */

static void print_name(
    char name[static 64], VarKind kind, const Variable *variable, uint32_t index) {
  if (variable->name != nullptr) snprintf(name, 64, "%s", variable->name);
  else snprintf(name, 64, "%s%u", variable_prefix(kind), index);
}

/* Finds the owner's variable with this name and kind. Returns false if there is none. */
static bool owner_variable(
    VarKind kind, const char *name, uint32_t count, const Variable *variables, uint32_t *index) {
  for (*index = 0; *index < count; (*index)++) {
    char own[64];
    print_name(own, kind, &variables[*index], *index);
    if (strcmp(own, name) == 0) return true;
  }
  return false;
}

static bool is_within(Interval inner, Interval outer) {
  return inner.lo >= outer.lo && inner.hi <= outer.hi;
}

typedef struct SourceKind {
  VarKind kind;
  uint32_t count, owner_count;
  const Variable *variables, *owner;
} SourceKind;

/* The owner's variable with this name; else the variable's only value; else handle 0. */
static Expr stand_in(MapContext *context, const SourceKind *kind, uint32_t at) {
  char name[64];
  uint32_t index;
  Interval own = kind->variables[at].bounds;
  print_name(name, kind->kind, &kind->variables[at], at);
  bool is_there = owner_variable(kind->kind, name, kind->owner_count, kind->owner, &index);
  assert(!is_there || index < kind->owner_count);
  if (is_there && (kind->kind == VAR_DIM || is_within(kind->owner[index].bounds, own)))
    return expr_var(context->pool, kind->kind, index);
  return own.lo == own.hi ? expr_const(context->pool, own.lo) : (Expr){};
}

/* Handle 0 if the owner has no such variable: a result that uses it is then unknown. */
static Expr *stand_ins(MapContext *context, const SourceKind *kind) {
  Expr *made = ARENA_NEW(context->arena, Expr, kind->count + 1);
  for (uint32_t i = 0; i < kind->count; i++) made[i] = stand_in(context, kind, i);
  return made;
}

/* Visits nodes from the results down: children have smaller handles. */
static bool reaches_unknown(
    const MapContext *context, bool *reached, uint32_t highest, VarKind kind, const Expr *known) {
  for (uint32_t at = highest; at > 0; at--) {
    if (!reached[at]) continue;
    const ExprNode *node = &context->pool->nodes[at];
    assert(node->op == EXPR_VAR || node->op == EXPR_CONST ||
           (node->left.at < at && node->right.at < at));
    if (node->op == EXPR_VAR && node->var_kind == kind && known[node->var_index].at == 0)
      return true;
    if (node->op != EXPR_VAR && node->op != EXPR_CONST)
      reached[node->left.at] = reached[node->right.at] = true;
  }
  return false;
}

/* True if the results use a variable of the kind that has no stand-in. */
static bool uses_unknown(
    const MapContext *context, const Map *index, VarKind kind, const Expr *known) {
  uint32_t highest = 0;
  for (uint32_t i = 0; i < index->result_count; i++)
    if (index->results[i].at > highest) highest = index->results[i].at;
  ArenaMark mark = arena_mark(context->arena);
  bool *reached = ARENA_NEW(context->arena, bool, highest + 1);
  for (uint32_t i = 0; i < index->result_count; i++) reached[index->results[i].at] = true;
  bool uses = reaches_unknown(context, reached, highest, kind, known);
  arena_rewind(context->arena, mark);
  return uses;
}

static bool audit_sources_rebuild(
    MapContext *context, const Map *owner, const Map *index, const Map **rebuilt, Error *error) {
  const SourceKind kinds[] = {
      {VAR_DIM, index->dim_count, owner->dim_count, index->dims, owner->dims},
      {VAR_RANGE, index->range_count, owner->range_count, index->ranges, owner->ranges},
      {VAR_RUNTIME, index->runtime_count, owner->runtime_count, index->runtimes, owner->runtimes}};
  Expr *by[3];
  assert(owner->state == MAP_PLAIN && index->state == MAP_PLAIN);
  *rebuilt = nullptr;
  for (uint32_t i = 0; i < 3; i++) {
    by[i] = stand_ins(context, &kinds[i]);
    if (uses_unknown(context, index, kinds[i].kind, by[i])) return true;
  }
  Map *made = map_create(
      context, owner->dim_count, owner->range_count, owner->runtime_count, index->result_count, 0);
  for (uint32_t i = 0; i < owner->dim_count; i++) made->dims[i] = owner->dims[i];
  for (uint32_t i = 0; i < owner->range_count; i++) made->ranges[i] = owner->ranges[i];
  for (uint32_t i = 0; i < owner->runtime_count; i++) made->runtimes[i] = owner->runtimes[i];
  const Substitution substitution = {.dims = by[0], .ranges = by[1], .runtimes = by[2]};
  *rebuilt = made;
  return expr_substitute(context->pool, context->arena, &substitution, index->result_count,
      index->results, made->results, error);
}

/* --- one source --- */

static bool audit_sources_resolve(MapContext *context, const Instruction *root, const Map *owner,
    const RuntimeSource *source, RuntimeSource *resolved, Text *why, Error *error) {
  *resolved = (RuntimeSource){.clamp = source->clamp};
  if (source->name == nullptr || source->index == nullptr || source->index->state != MAP_PLAIN) {
    text_string(why, "no source is given");
    return true;
  }
  const Instruction *instruction = audit_sources_find(root, source->name, why);
  assert(instruction != nullptr || why->length > 0);
  if (instruction == nullptr) return true;
  const Map *index;
  if (!audit_sources_rebuild(context, owner, source->index, &index, error)) return false;
  if (index == nullptr) {
    text_printf(
        why, "the index map of '%.80s' uses variables that are not those of its map", source->name);
    return true;
  }
  assert(index->dim_count == owner->dim_count && index->runtime_count == owner->runtime_count);
  *resolved = (RuntimeSource){.instruction = instruction,
      .name = index_source_name(context->arena, root, instruction),
      .index = index,
      .clamp = source->clamp};
  return true;
}

bool audit_resolve_sources(MapContext *context, const Instruction *root, const Map *map,
    const Map **resolved, Text *why, Error *error) {
  *resolved = map;
  if (map->state != MAP_PLAIN || map->runtime_count == 0) return true;
  Map *made = ARENA_NEW(context->arena, Map, 1);
  *made = *map;
  made->sources = ARENA_NEW(context->arena, RuntimeSource, map->runtime_count);
  for (uint32_t i = 0; i < map->runtime_count; i++) {
    static constexpr RuntimeSource unknown = {};
    size_t length = why->length;
    if (!audit_sources_resolve(context, root, map,
            map->sources == nullptr ? &unknown : &map->sources[i], &made->sources[i], why, error))
      return false;
    if (why->length > length) text_printf(why, " (rt%u); ", i);
  }
  if (map->sources != nullptr) *resolved = made;
  return true;
}

/* Groups are searched linearly: a run has few different sets of failing operations. */
#include "exhaust/fault_groups.h"

#include <assert.h>

#include "core/hlo/read/read.h"

FaultGroup fault_group_of_case(const ScopePlan *plan, const KeptCase *kept) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  scope_write_case(plan, kept->number, &text);
  Source source = {.name = "case", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module;
  Error error = {};
  FaultGroup group = {.cases = 1, .smallest = *kept, .size = counterexample_text_size(text.length)};
  bool is_module = scope_is_of_modules(plan->scope->kind);
  bool is_judged = kept->end[0] == 0;
  if (is_module && is_judged && hlo_read(arena, &source, &module, &error)) {
    opcode_set_add_instruction(&group.operations, module->entry->root);
    group.size = counterexample_size(module->entry->root, text.length);
  } else if (is_module) {
    opcode_set_add_text(&group.operations, text.bytes, text.length);
  }
  arena_destroy(arena);
  return group;
}

static void fault_group_join(FaultGroup *group, const FaultGroup *other) {
  opcode_set_intersect(&group->operations, &other->operations);
  group->cases += other->cases;
  bool is_smaller = other->size < group->size ||
                    (other->size == group->size && other->smallest.number < group->smallest.number);
  if (!is_smaller) return;
  group->size = other->size;
  group->smallest = other->smallest;
}

void fault_groups_add(FaultGroups *groups, const FaultGroup *group) {
  uint32_t at = 0;
  while (
      at < groups->count && !opcode_set_is_same(&groups->items[at].operations, &group->operations))
    at++;
  if (at < groups->count) fault_group_join(&groups->items[at], group);
  else if (groups->count < fault_groups_most) groups->items[groups->count++] = *group;
  else fault_group_join(&groups->items[fault_groups_most - 1], group);
  assert(groups->count <= fault_groups_most);
}

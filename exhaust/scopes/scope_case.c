/* Builds one case. Operands are parameters and constants of the case; each helper computation is in
 * its module once. */
#include "exhaust/scopes/scope_case.h"

#include <assert.h>

#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "core/hlo/shape.h"

static Instruction *case_laid_array(
    OperandSource *source, ElementType type, const Tensor *tensor, const uint32_t *minor_to_major) {
  Builder *body = &((ScopeCase *)source)->body;
  return hlo_build_parameter(
      body, hlo_build_laid_shape(body, type, tensor->rank, tensor->sizes, minor_to_major));
}

static Instruction *case_parameter(OperandSource *source, const Shape *shape) {
  return hlo_build_parameter(&((ScopeCase *)source)->body, shape);
}

static Instruction *case_array(OperandSource *source, ElementType type, const Tensor *tensor) {
  Builder *body = &((ScopeCase *)source)->body;
  return case_parameter(source, hlo_build_shape(body, type, tensor->rank, tensor->sizes));
}

static Instruction *case_of_type(
    OperandSource *source, Instruction *operand, ElementType type, const Tensor *tensor) {
  return operand->shape->type == type ? operand : case_array(source, type, tensor);
}

static Instruction *case_scalar(OperandSource *source, ElementType type) {
  return case_array(source, type, &(Tensor){});
}

static Instruction *case_indices(OperandSource *source, const Tensor *tensor) {
  return case_array(source, TYPE_s32, tensor);
}

static Instruction *case_constants(
    OperandSource *source, const Tensor *tensor, const int64_t *values) {
  Builder *body = &((ScopeCase *)source)->body;
  return hlo_build_constant(
      body, hlo_build_shape(body, TYPE_s32, tensor->rank, tensor->sizes), values);
}

static Computation *case_called(OperandSource *, Computation *computation) { return computation; }

/* The reducer of a case: one `add` computation for each number of arrays, shared by the chain. */
static Computation *case_reducer(OperandSource *source, uint32_t count, const ElementType *types) {
  static const char *const names[] = {"add", "add_two", "add_three"};
  ModuleBuilder *module = &((ScopeCase *)source)->module;
  Computation *found = hlo_built_computation(module, names[count - 1]);
  return found != nullptr ? found
                          : hlo_build_combiner(module, names[count - 1], HLO_ADD, count, types);
}

static Computation *case_comparison(OperandSource *source) {
  ModuleBuilder *module = &((ScopeCase *)source)->module;
  Computation *found = hlo_built_computation(module, "at_least");
  return found != nullptr ? found : operation_comparison(module);
}

void scope_case_begin(ScopeCase *made, Arena *arena, const Tensor *tensor, Wrapper wrapper) {
  *made = (ScopeCase){.source = {.array = case_array,
                          .laid_array = case_laid_array,
                          .of_type = case_of_type,
                          .parameter = case_parameter,
                          .constants = case_constants,
                          .scalar = case_scalar,
                          .indices = case_indices,
                          .reducer = case_reducer,
                          .called = case_called,
                          .comparison = case_comparison},
      .module = hlo_module_builder(arena)};
  made->body = hlo_build_computation(&made->module, wrapper == WRAP_NOT ? "e" : "f");
  made->at_hand = case_array(&made->source, TYPE_f32, tensor);
}

/* Appends a computation with the same parameters that calls the last computation with them. */
static void wrap_last(ScopeCase *made, const char *name, bool is_call) {
  ModuleBuilder *module = &made->module;
  Computation *callee = module->computations.items[module->computations.count - 1];
  Builder caller = hlo_build_computation(module, name);
  for (uint32_t i = 0; i < callee->parameter_count; i++)
    (void)hlo_build_parameter(&caller, callee->parameters[i]->shape);
  Instruction *call = hlo_build_begin(
      &caller, is_call ? HLO_CALL : HLO_FUSION, callee->parameter_count, caller.parameters.items);
  if (!is_call) hlo_build_attribute(&caller, call, "kind", "kLoop");
  hlo_build_call(&caller, call, is_call ? "to_apply" : "calls", callee);
  (void)hlo_build_finish(&caller, hlo_build_end(&caller, call, nullptr));
}

static bool has_layouts(const Computation *computation) {
  for (uint32_t i = 0; i < computation->instruction_count; i++)
    if (computation->instructions[i]->shape->has_layout) return true;
  return false;
}

static bool has_same_shapes(const Computation *built, const Computation *read) {
  bool same = built->instruction_count == read->instruction_count;
  for (uint32_t i = 0; same && i < built->instruction_count; i++)
    same = shape_equal(built->instructions[i]->shape, read->instructions[i]->shape);
  return same;
}

/* Detects a layout that was lost in the text: the case would silently be another one. Without
 * layouts the reader infers each shape and checks the text against it. */
static bool keeps_layouts(const BuiltComputations *all, Text *text, size_t begin) {
  bool is_laid = false;
  for (uint32_t i = 0; i < all->count; i++) is_laid |= has_layouts(all->items[i]);
  if (!is_laid) return true;
  const Source source = {
      .name = "case", .text = text->bytes + begin, .length = text->length - begin, .first_line = 1};
  const Module *read;
  Error error = {};
  /* the caller parses the text again and reports the error */
  if (!hlo_read(text->arena, &source, &read, &error)) return true;
  bool same = read->computation_count == all->count;
  for (uint32_t i = 0; same && i < all->count; i++)
    same = has_same_shapes(all->items[i], read->computations[i]);
  return same;
}

void scope_case_finish(ScopeCase *made, Wrapper wrapper, Text *text) {
  Builder *body = &made->body;
  Instruction *root = made->at_hand;
  if (wrapper == WRAP_TUPLE)
    root = hlo_build_tuple(body, 2, (Instruction *[]){root, body->parameters.items[0]});
  if (wrapper == WRAP_TWICE)
    root = hlo_build_elementwise(body, HLO_ADD, 2, (Instruction *[]){root, root});
  (void)hlo_build_finish(body, root);
  assert(made->module.error.kind == ERROR_NONE);
  if (wrapper == WRAP_NESTED) wrap_last(made, "g", false);
  if (wrapper != WRAP_NOT) wrap_last(made, "e", wrapper == WRAP_CALL);
  const BuiltComputations *all = &made->module.computations;
  assert(made->module.error.kind == ERROR_NONE && all->count > 0);
  all->items[all->count - 1]->is_entry = true;
  size_t begin = text->length;
  for (uint32_t i = 0; i < all->count; i++) {
    if (i > 0) text_string(text, "\n");
    hlo_print_computation(text, all->items[i]);
  }
  if (!keeps_layouts(all, text, begin)) text_string(text, "the text above lost a layout\n");
}

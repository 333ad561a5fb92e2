/* Records that run another computation (async pairs, loops, branches, a fusion or a call in the
 * middle) and those of structure: barriers, copies, tokens, nested tuples. Each called computation
 * is written for its one use and is named by the number of the value that it serves. */
#include "generate/decoder.h"

/* A computation of one parameter of the value's shape that gives it back, changed elementwise. */
static uint32_t write_callee(Decoder *decoder, const FuzzValue *value, const char *operation) {
  uint32_t number = decoder->next_id++;
  Text *text = &decoder->computations;
  text_printf(text, "call_%u {\n  p = ", number);
  print_value_shape(text, value);
  text_string(text, " parameter(0)\n  ROOT r = ");
  print_value_shape(text, value);
  text_printf(text, " %s(p)\n}\n\n", operation);
  return number;
}

static uint32_t write_condition(Decoder *decoder, const FuzzValue *value) {
  uint32_t number = decoder->next_id++;
  Text *text = &decoder->computations;
  text_printf(text, "call_%u {\n  p = ", number);
  print_value_shape(text, value);
  text_string(text, " parameter(0)\n  ROOT c = pred[] constant(true)\n}\n\n");
  return number;
}

static void write_async_shape(Decoder *decoder, uint32_t id, const FuzzValue *value) {
  text_printf(&decoder->body, "  v%u = ((", id);
  print_value_shape(&decoder->body, value);
  text_string(&decoder->body, "), ");
  print_value_shape(&decoder->body, value);
  text_string(&decoder->body, ", u32[]) ");
}

bool fuzz_write_async(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  uint32_t callee = write_callee(decoder, &operand, "copy"), started = decoder->next_id++;
  write_async_shape(decoder, started, &operand);
  text_printf(&decoder->body, "async-start(v%u), calls=call_%u\n", operand.id, callee);
  if (record_choose(decoder, 2, 2) == 0) {
    uint32_t updated = decoder->next_id++;
    write_async_shape(decoder, updated, &operand);
    text_printf(&decoder->body, "async-update(v%u)\n", started);
    started = updated;
  }
  begin_value(decoder, &value);
  text_printf(&decoder->body, "async-done(v%u)", started);
  finish_value(decoder, &value);
  return true;
}

static void write_while(Decoder *decoder, const FuzzValue *operand, FuzzValue *value) {
  uint32_t body = write_callee(decoder, operand, "copy"),
           condition = write_condition(decoder, operand);
  begin_value(decoder, value);
  text_printf(
      &decoder->body, "while(v%u), condition=call_%u, body=call_%u", operand->id, condition, body);
}

static void write_conditional(Decoder *decoder, const FuzzValue *operand, FuzzValue *value) {
  bool by_number = record_choose(decoder, 3, 2) != 0,
       has_third = by_number && record_choose(decoder, 4, 2) != 0;
  FuzzValue index = add_parameter(decoder, (FuzzValue){.type = by_number ? TYPE_s32 : TYPE_pred});
  uint32_t first = write_callee(decoder, operand, "copy"),
           second = write_callee(decoder, operand, "copy");
  uint32_t third = has_third ? write_callee(decoder, operand, "copy") : 0;
  begin_value(decoder, value);
  text_printf(&decoder->body, "conditional(v%u, v%u, v%u%s), ", index.id, operand->id, operand->id,
      has_third ? arena_printf(decoder->arena, ", v%u", operand->id) : "");
  if (has_third)
    text_printf(
        &decoder->body, "branch_computations={call_%u, call_%u, call_%u}", first, second, third);
  else
    text_printf(&decoder->body,
        by_number ? "branch_computations={call_%u, call_%u}"
                  : "true_computation=call_%u, false_computation=call_%u",
        first, second);
}

/* A computation of two parameters: the first reversed along some dimensions, and the second as it
 * is; both, or the first alone. */
static uint32_t write_fused(Decoder *decoder, const FuzzValue *both, bool gives_both) {
  uint32_t number = decoder->next_id++;
  Text *text = &decoder->computations;
  int64_t dimensions[fuzz_max_rank];
  uint32_t count = 0;
  for (uint32_t i = 0; i < both[0].rank; i++)
    if ((record_choose(decoder, 4, 16) >> i & 1) == 0) dimensions[count++] = i;
  text_printf(text, "call_%u {\n", number);
  for (uint32_t i = 0; i < 2; i++) {
    text_printf(text, "  p%u = ", i);
    print_value_shape(text, &both[i]);
    text_printf(text, " parameter(%u)\n", i);
  }
  text_string(text, gives_both ? "  r = " : "  ROOT r = ");
  print_value_shape(text, &both[0]);
  text_string(text, " reverse(p0)");
  print_numbers(text, "dimensions", count, dimensions);
  if (gives_both) {
    text_string(text, "\n  ROOT t = (");
    print_value_shape(text, &both[0]);
    text_string(text, ", ");
    print_value_shape(text, &both[1]);
    text_string(text, ") tuple(r, p1)");
  }
  text_string(text, "\n}\n\n");
  return number;
}

/* A fusion or a call among other operations; with one output its second operand is not used. */
static void write_fusion(Decoder *decoder, FuzzValue operand, bool is_call) {
  FuzzValue both[2] = {operand, pick_value(decoder, record_choose(decoder, 5, 64))};
  bool gives_both = record_choose(decoder, 3, 2) != 0;
  uint32_t callee = write_fused(decoder, both, gives_both), tuple = 0;
  if (gives_both) tuple = begin_tuple(decoder, 2, both, "");
  else begin_value(decoder, &operand);
  text_printf(&decoder->body,
      is_call ? "call(v%u, v%u), to_apply=call_%u" : "fusion(v%u, v%u), kind=kLoop, calls=call_%u",
      both[0].id, both[1].id, callee);
  if (!gives_both) {
    finish_value(decoder, &operand);
    return;
  }
  text_string(&decoder->body, "\n");
  take_element(decoder, tuple, 1, both[1]);
  take_element(decoder, tuple, 0, both[0]);
}

bool fuzz_write_control(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  uint32_t how = record_choose(decoder, 2, 5);
  if (how >= 2) {
    write_fusion(decoder, operand, how == 4);
    return true;
  }
  if (how == 0) write_while(decoder, &operand, &value);
  else write_conditional(decoder, &operand, &value);
  finish_value(decoder, &value);
  return true;
}

uint32_t add_token(Decoder *decoder) {
  uint32_t token = decoder->next_id++;
  text_printf(&decoder->body, "  v%u = token[] after-all()\n", token);
  return token;
}

uint32_t begin_tuple(Decoder *decoder, uint32_t count, const FuzzValue *values, const char *more) {
  uint32_t tuple = decoder->next_id++;
  text_printf(&decoder->body, "  v%u = (", tuple);
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(&decoder->body, ", ");
    print_value_shape(&decoder->body, &values[i]);
  }
  text_printf(&decoder->body, "%s) ", more);
  return tuple;
}

void take_element(Decoder *decoder, uint32_t tuple, uint32_t index, FuzzValue value) {
  begin_value(decoder, &value);
  text_printf(&decoder->body, "get-tuple-element(v%u), index=%u", tuple, index);
  finish_value(decoder, &value);
}

/* ((a, b), a), and back to one of the inner elements. */
static void write_nested_tuple(Decoder *decoder, const FuzzValue *value) {
  FuzzValue both[2] = {*value, pick_value(decoder, record_choose(decoder, 3, 64))};
  uint32_t inner = begin_tuple(decoder, 2, both, "");
  text_printf(&decoder->body, "tuple(v%u, v%u)\n", both[0].id, both[1].id);
  uint32_t outer = decoder->next_id++;
  Text *text = &decoder->body;
  text_printf(text, "  v%u = ((", outer);
  print_value_shape(text, &both[0]);
  text_string(text, ", ");
  print_value_shape(text, &both[1]);
  text_string(text, "), ");
  print_value_shape(text, &both[0]);
  text_printf(text, ") tuple(v%u, v%u)\n", inner, both[0].id);
  uint32_t back = begin_tuple(decoder, 2, both, ""), which = record_choose(decoder, 4, 2);
  text_printf(text, "get-tuple-element(v%u), index=0\n", outer);
  take_element(decoder, back, which, both[which]);
}

static void write_copy_pair(Decoder *decoder, const FuzzValue *operand) {
  FuzzValue both[2] = {*operand, *operand}, value = *operand;
  uint32_t started = begin_tuple(decoder, 2, both, ", u32[]");
  text_printf(&decoder->body, "copy-start(v%u)\n", operand->id);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "copy-done(v%u)", started);
  finish_value(decoder, &value);
}

static void write_passed_on(Decoder *decoder, const FuzzValue *operand, uint32_t how) {
  FuzzValue value = *operand;
  uint32_t token = how == 2 ? add_token(decoder) : 0;
  begin_value(decoder, &value);
  if (how == 0) text_printf(&decoder->body, "opt-barrier(v%u)", operand->id);
  if (how == 1)
    text_printf(&decoder->body,
        "domain(v%u), domain={kind=\"sharding\", entry={replicated}, exit={replicated}}",
        operand->id);
  if (how == 2) text_printf(&decoder->body, "add-dependency(v%u, v%u)", operand->id, token);
  finish_value(decoder, &value);
}

bool fuzz_write_structure(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64));
  uint32_t how = record_choose(decoder, 2, 5);
  if (how == 3) write_copy_pair(decoder, &operand);
  else if (how == 4) write_nested_tuple(decoder, &operand);
  else write_passed_on(decoder, &operand, how);
  return true;
}

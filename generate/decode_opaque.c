/* Records of what maps say nothing about (custom calls, feeds, channels, dynamic sizes, batch
 * norms) and of the sources that no other file writes. Tokens and tuples are taken apart at once,
 * so that later records find arrays alone. */
#include <inttypes.h>

#include "generate/decoder.h"

static void write_with_token(Decoder *decoder, FuzzValue operand, uint32_t how) {
  uint32_t token = add_token(decoder);
  Text *text = &decoder->body;
  operand.has_layout = false;
  if (how == 0) {
    uint32_t fed = begin_tuple(decoder, 1, &operand, ", token[]");
    text_printf(text, "infeed(v%u)\n", token);
    take_element(decoder, fed, 0, operand);
    return;
  }
  if (how == 1) {
    text_printf(text, "  v%u = token[] outfeed(v%u, v%u)\n", decoder->next_id, operand.id, token);
    decoder->next_id++;
    return;
  }
  uint32_t begun = begin_tuple(decoder, 1, &operand, ", u32[], token[]");
  if (how == 2) {
    text_printf(text,
        "send(v%u, v%u), channel_id=1\n  v%u = token[] send-done(v%u), channel_id=1\n", operand.id,
        token, decoder->next_id, begun);
    decoder->next_id++;
    return;
  }
  text_printf(text, "recv(v%u), channel_id=2\n", token);
  uint32_t done = begin_tuple(decoder, 1, &operand, ", token[]");
  text_printf(text, "recv-done(v%u), channel_id=2\n", begun);
  take_element(decoder, done, 0, operand);
}

/* Two operands and two results. */
static void write_custom_call_of_two(Decoder *decoder, FuzzValue operand) {
  FuzzValue both[2] = {operand, pick_value(decoder, record_choose(decoder, 5, 64))};
  uint32_t tuple = begin_tuple(decoder, 2, both, "");
  text_printf(&decoder->body, "custom-call(v%u, v%u), custom_call_target=\"pair\"\n", both[1].id,
      both[0].id);
  take_element(decoder, tuple, 1, both[1]);
  take_element(decoder, tuple, 0, both[0]);
}

static void write_custom_call(Decoder *decoder, FuzzValue operand) {
  if (record_choose(decoder, 4, 3) == 2) {
    write_custom_call_of_two(decoder, operand);
    return;
  }
  FuzzValue value = operand;
  begin_value(decoder, &value);
  text_printf(&decoder->body, "custom-call(v%u), custom_call_target=\"%s\"", operand.id,
      record_choose(decoder, 3, 2) != 0 ? "PadToStatic" : "unknown");
  finish_value(decoder, &value);
}

static bool write_dimension_size(Decoder *decoder, FuzzValue operand, bool sets) {
  if (operand.rank == 0) return false;
  FuzzValue value = {.type = TYPE_s32};
  uint32_t along = record_choose(decoder, 3, operand.rank);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "get-dimension-size(v%u), dimensions={%u}", operand.id, along);
  finish_value(decoder, &value);
  if (!sets) return true;
  FuzzValue result = operand;
  begin_value(decoder, &result);
  text_printf(
      &decoder->body, "set-dimension-size(v%u, v%u), dimensions={%u}", operand.id, value.id, along);
  finish_value(decoder, &result);
  return true;
}

static void write_dynamic_reshape(Decoder *decoder, FuzzValue operand) {
  FuzzValue value = {.type = operand.type, .rank = 1, .sizes = {fuzz_elements(&operand)}},
            size = add_parameter(decoder, (FuzzValue){.type = TYPE_s32});
  begin_value(decoder, &value);
  text_printf(&decoder->body, "dynamic-reshape(v%u, v%u)", operand.id, size.id);
  finish_value(decoder, &value);
}

/* training: 3 operands and results; inference: 5 and 1; grad: 5 (the last one like the first) and
 * 3. */
static bool write_batch_norm(Decoder *decoder, FuzzValue operand, uint32_t how) {
  if (operand.rank == 0 || operand.type != TYPE_f32) return false;
  uint32_t along = record_choose(decoder, 3, operand.rank);
  FuzzValue feature = {.type = TYPE_f32, .rank = 1, .sizes = {operand.sizes[along]}},
            value = operand;
  FuzzValue a = add_parameter(decoder, feature), b = add_parameter(decoder, feature),
            results[3] = {operand, feature, feature};
  uint32_t tuple = 0;
  if (how == 1) begin_value(decoder, &value);
  else tuple = begin_tuple(decoder, 3, results, "");
  if (how == 0)
    text_printf(&decoder->body, "batch-norm-training(v%u, v%u, v%u)", operand.id, a.id, b.id);
  if (how == 1)
    text_printf(&decoder->body, "batch-norm-inference(v%u, v%u, v%u, v%u, v%u)", operand.id, a.id,
        b.id, a.id, b.id);
  if (how == 2)
    text_printf(&decoder->body, "batch-norm-grad(v%u, v%u, v%u, v%u, v%u)", operand.id, a.id, a.id,
        b.id, operand.id);
  text_printf(&decoder->body, ", epsilon=0.001, feature_index=%u", along);
  if (how == 1) {
    finish_value(decoder, &value);
    return true;
  }
  text_string(&decoder->body, "\n");
  for (uint32_t i = 3; i > 0; i--) take_element(decoder, tuple, i - 1, results[i - 1]);
  return true;
}

bool fuzz_write_opaque(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64));
  uint32_t how = record_choose(decoder, 2, 11);
  if (how < 4) write_with_token(decoder, operand, how);
  else if (how == 4) write_custom_call(decoder, operand);
  else if (how < 7) return write_dimension_size(decoder, operand, how == 6);
  else if (how == 7) write_dynamic_reshape(decoder, operand);
  else return write_batch_norm(decoder, operand, how - 8);
  return true;
}

static void write_rng(Decoder *decoder) {
  FuzzValue value = pick_value(decoder, record_choose(decoder, 1, 64));
  value.type = TYPE_f32;
  FuzzValue low = add_constant(decoder, TYPE_f32, 0), high = add_constant(decoder, TYPE_f32, 1);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "rng(v%u, v%u), distribution=rng_uniform", low.id, high.id);
  finish_value(decoder, &value);
}

static void write_bit_generator(Decoder *decoder) {
  FuzzValue state = add_parameter(decoder, (FuzzValue){.type = TYPE_u64, .rank = 1, .sizes = {2}}),
            both[2] = {state, pick_value(decoder, record_choose(decoder, 1, 64))};
  both[1].type = TYPE_u32;
  both[1].has_layout = false;
  uint32_t tuple = begin_tuple(decoder, 2, both, "");
  text_printf(&decoder->body, "rng-bit-generator(v%u), algorithm=rng_default\n", state.id);
  take_element(decoder, tuple, 0, both[0]);
  take_element(decoder, tuple, 1, both[1]);
}

bool fuzz_write_source(Decoder *decoder) {
  static const char *const plain[] = {
      "partition-id()", "replica-id()", "rng-get-and-update-state(), delta=1"};
  uint32_t how = record_choose(decoder, 2, 5);
  if (how == 3) write_rng(decoder);
  if (how == 4) write_bit_generator(decoder);
  if (how >= 3) return true;
  FuzzValue value = how == 2 ? (FuzzValue){.type = TYPE_u64, .rank = 1, .sizes = {2}}
                             : (FuzzValue){.type = TYPE_u32};
  begin_value(decoder, &value);
  text_string(&decoder->body, plain[how]);
  finish_value(decoder, &value);
  return true;
}

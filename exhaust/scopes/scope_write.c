/* Text of the instructions of a case. Nothing is looked up or checked here: the reader of HLO
 * judges what comes out. */
#include "exhaust/scopes/scope_write.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/hlo/print/print.h"

static void write_number(Text *text, int64_t value) {
  if (value < 0 || value > 9) {
    text_integer(text, value);
    return;
  }
  char figure = (char)('0' + value);
  text_append(text, &figure, 1);
}

void scope_write_numbers(Text *text, const char *name, uint32_t count, const uint32_t *numbers) {
  text_string(text, ", ");
  text_string(text, name);
  text_string(text, "={");
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) text_string(text, ",");
    write_number(text, numbers[i]);
  }
  text_string(text, "}");
}

void scope_write_sizes(Text *text, const char *name, uint32_t count, const int64_t *numbers) {
  uint32_t small[tensor_max_rank];
  assert(count <= tensor_max_rank);
  for (uint32_t i = 0; i < count; i++) small[i] = (uint32_t)numbers[i];
  scope_write_numbers(text, name, count, small);
}

void scope_write_shape(
    Text *text, const char *type, const Tensor *tensor, const uint32_t *minor_to_major) {
  text_string(text, type);
  text_string(text, "[");
  for (uint32_t i = 0; i < tensor->rank; i++) {
    if (i > 0) text_string(text, ",");
    write_number(text, tensor->sizes[i]);
  }
  text_string(text, "]");
  if (minor_to_major == nullptr || tensor->rank == 0) return;
  text_string(text, "{");
  for (uint32_t i = 0; i < tensor->rank; i++) {
    if (i > 0) text_string(text, ",");
    write_number(text, minor_to_major[i]);
  }
  text_string(text, "}");
}

/* `  p1 = `: a line begins that makes the value of that letter and number. */
static void write_name(ScopeWriter *writer, const char *letter, uint32_t number) {
  text_string(writer->text, letter);
  write_number(writer->text, number);
  text_string(writer->text, " = ");
}

/* `OPCODE(NUMBER)`, the end of a line. */
static void write_numbered(ScopeWriter *writer, const char *opcode, int64_t number) {
  text_string(writer->text, opcode);
  write_number(writer->text, number);
  text_string(writer->text, ")\n");
}

uint32_t scope_write_parameter(ScopeWriter *writer, const char *type, const Tensor *tensor) {
  return scope_write_laid_parameter(writer, type, tensor, nullptr);
}

uint32_t scope_write_laid_parameter(
    ScopeWriter *writer, const char *type, const Tensor *tensor, const uint32_t *minor_to_major) {
  assert(writer->parameter_count < scope_max_parameters);
  uint32_t number = writer->parameter_count++;
  writer->parameters[number] = (ScopeParameter){.type = type, .tensor = *tensor};
  write_name(writer, "  p", number);
  scope_write_shape(writer->text, type, tensor, minor_to_major);
  write_numbered(writer, " parameter(", number);
  return number;
}

/* False: a computation of that name is there. */
static bool takes_name(ScopeWriter *writer, const char *name) {
  for (uint32_t i = 0; i < writer->called_count; i++)
    if (strcmp(writer->called[i], name) == 0) return false;
  assert(writer->called_count < scope_max_called);
  writer->called[writer->called_count++] = name;
  return true;
}

void scope_write_computation(ScopeWriter *writer, const Computation *computation) {
  assert(computation != nullptr);
  if (!takes_name(writer, computation->name)) return;
  hlo_print_computation(writer->computations, computation);
  text_string(writer->computations, "\n");
}

void scope_write_add(ScopeWriter *writer) {
  if (takes_name(writer, "add"))
    text_string(writer->computations,
        "add { x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] add(x, y) }\n\n");
}

static void write_value_name(char name[16], uint32_t number) {
  if (number > 9) {
    snprintf(name, 16, "v%u", number);
    return;
  }
  name[0] = 'v';
  name[1] = (char)('0' + number);
  name[2] = 0;
}

void scope_write_begin_with(ScopeWriter *writer, const char *type, const Tensor *out,
    const uint32_t *minor_to_major, const char *opcode) {
  char name[16];
  write_value_name(name, writer->value_count++);
  text_string(writer->text, writer->is_last ? "  ROOT " : "  ");
  text_string(writer->text, name);
  text_string(writer->text, " = ");
  scope_write_shape(writer->text, type, out, minor_to_major);
  text_string(writer->text, " ");
  text_string(writer->text, opcode);
  text_string(writer->text, "(");
  text_string(writer->text, writer->at_hand);
  memcpy(writer->at_hand, name, sizeof name);
}

void scope_write_begin(ScopeWriter *writer, const Tensor *out, const char *opcode) {
  scope_write_begin_with(writer, "f32", out, nullptr, opcode);
}

void scope_write_end(ScopeWriter *writer) { text_string(writer->text, "\n"); }

ShapeWords scope_shape_words(const char *type, const Tensor *tensor) {
  ShapeWords words;
  int at = snprintf(words.text, sizeof words.text, "%s[", type);
  for (uint32_t i = 0; i < tensor->rank; i++)
    at += snprintf(words.text + at, sizeof words.text - (size_t)at, "%s%lld", i == 0 ? "" : ",",
        (long long)tensor->sizes[i]);
  assert((size_t)at + 2 < sizeof words.text);
  snprintf(words.text + at, sizeof words.text - (size_t)at, "]");
  return words;
}

void scope_write_filled(ScopeWriter *writer, const Tensor *tensor, const char *form) {
  ShapeWords shape = scope_shape_words("f32", tensor);
  for (; *form != 0; form++) switch (*form) {
      case 'X': text_string(writer->text, shape.text); break;
      case 'V': text_string(writer->text, writer->at_hand); break;
      case 'P': text_printf(writer->text, "p1 = %s parameter(1)", shape.text); break;
      default: text_append(writer->text, form, 1); break;
    }
}

/* Parses a module: an optional header (read_header.c), tables of source positions, computations.
 * The text is read once. Calls by name are resolved when all computations are known; the
 * computations are then ordered, callees first. Without ENTRY the last computation is the entry. */
#include "core/hlo/read/read.h"

#include <assert.h>
#include <string.h>

#include "core/hlo/bounded.h"
#include "core/hlo/devices.h"
#include "core/hlo/namesakes.h"
#include "core/hlo/read/reader.h"
#include "core/hlo/stateful.h"
#include "core/hlo/verify/verify.h"

/* 1 "file.py" 2 {line=3 column=4} ...: numbers, each with a string or a group */
static bool read_table(Scanner *scan) {
  for (;;) {
    size_t end = scan->at;
    char next = scan_peek(scan);
    if (next < '0' || next > '9') {
      scan->at = end;
      return true;
    }
    int64_t number;
    if (!scan_integer(scan, &number, "a number")) return false;
    if (scan_peek(scan) == '{' ? !scan_group(scan) : !scan_string(scan)) return false;
  }
}

static bool read_stack_frames(Reader *reader, Module *module) {
  static const char *const tables[] = {
      "FileNames", "FunctionNames", "FileLocations", "StackFrames"};
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  for (uint32_t i = 0; i < 4; i++) {
    if (!scan_accept_keyword(scan, tables[i])) {
      if (i == 0) return true;
      return scan_fail(scan, tables[i]);
    }
    if (!read_table(scan)) return false;
  }
  module->stack_frames = slice_copy(reader->arena, scan_slice(scan, start));
  return true;
}

/* (name: shape, ...) -> shape, which the body must agree with */
static bool read_signature(Reader *reader, const Shape **result, size_t *offset) {
  Scanner *scan = &reader->scan;
  if (!scan_expect(scan, '(', "before the parameters")) return false;
  if (!scan_accept(scan, ')')) {
    do {
      Slice name;
      const Shape *shape;
      if (!scan_name(scan, &name, "a parameter's name") ||
          !scan_expect(scan, ':', "after a parameter's name") ||
          !read_shared_shape(reader, &shape)) {
        return false;
      }
    } while (scan_accept(scan, ','));
    if (!scan_expect(scan, ')', "after the parameters")) return false;
  }
  if (!scan_accept_text(scan, "->")) return scan_fail(scan, "'->' after the parameters");
  *offset = (scan_blanks(scan), scan->at);
  return read_shared_shape(reader, result);
}

static bool signature_agrees(
    Reader *reader, const Computation *computation, const Shape *result, size_t offset) {
  if (result == nullptr || shape_compatible(result, computation->root->shape)) return true;
  Text text = text_create(reader->arena);
  shape_print(&text, computation->root->shape);
  return read_fail(reader, ERROR_INPUT, offset, 1, "the root '%.100s' has the shape %.150s",
      computation->root->name, text.bytes);
}

static bool read_computation(Reader *reader, Module *module) {
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  Computation *computation = ARENA_NEW(reader->arena, Computation, 1);
  computation->is_entry = scan_accept_keyword(scan, "ENTRY");
  if (computation->is_entry && module->entry != nullptr) {
    return read_fail(reader, ERROR_INPUT, start, 5, "a second ENTRY");
  }
  Slice name;
  if (!scan_name(scan, &name, "a computation")) return false;
  computation->name = slice_copy(reader->arena, name);
  computation->offset = name.offset;
  const Shape *result = nullptr;
  size_t result_offset = 0;
  if (scan_peek(scan) == '(' && !read_signature(reader, &result, &result_offset)) return false;
  if (!read_instructions(reader, computation)) return false;
  if (!signature_agrees(reader, computation, result, result_offset)) return false;
  if (computation->is_entry) module->entry = computation;
  return read_plain_attributes(reader, &computation->attribute_count, &computation->attributes) &&
         read_add_computation(reader, computation, name);
}

static bool resolve_calls(Reader *reader) {
  for (uint32_t i = 0; i < reader->calls.count; i++) {
    const Call *call = &reader->calls.items[i];
    assert(call->slot < call->caller->called_count && call->caller->called[call->slot] == nullptr);
    Computation *callee =
        names_find(&reader->names, computation_scope, call->name.text, call->name.length);
    if (callee == nullptr) {
      return read_fail(reader, ERROR_INPUT, call->name.offset, call->name.length,
          "no computation '%.*s'", (int)(call->name.length < 100 ? call->name.length : 100),
          call->name.text);
    }
    call->caller->called[call->slot] = callee;
  }
  return true;
}

/* Rejects a second module in the text. A computation may have the name HloModule. */
static bool check_one_module(Reader *reader) {
  Scanner *scan = &reader->scan;
  (void)scan_peek(scan); /* moves past blanks and comments */
  size_t before = scan->at;
  bool is_header =
      scan_accept_keyword(scan, "HloModule") && scan_peek(scan) != '{' && scan_peek(scan) != '(';
  if (is_header)
    return read_fail(reader, ERROR_INPUT, before, strlen("HloModule"),
        "a second module; one module is expected");
  scan->at = before;
  return true;
}

static bool read_module(Reader *reader, Module *module) {
  if (!read_header(reader, module) || !read_stack_frames(reader, module)) return false;
  do {
    if (!check_one_module(reader) || !read_computation(reader, module)) return false;
  } while (!scan_at_end(&reader->scan));
  assert(reader->computations.count > 0 && reader->operands.count == 0 && reader->body.count == 0);
  assert(reader->attributes.count == 0 && reader->bodies.count == 0 && reader->uses.count == 0);
  assert(reader->implied.count == 0);
  if (module->entry == nullptr)
    module->entry = reader->computations.items[reader->computations.count - 1];
  module->entry->is_entry = true;
  if (!entry_layout_agrees(reader, module->entry)) return false;
  if (module->name == nullptr)
    module->name = arena_printf(reader->arena, "module_%s", module->entry->name);
  module->computation_count = reader->computations.count;
  module->computations = arena_grow(reader->arena, reader->computations.items,
      module->computation_count, module->computation_count, sizeof *module->computations);
  return resolve_calls(reader) &&
         order_computations(reader->scratch, reader->scan.source, module->computation_count,
             module->computations, reader->scan.error);
}

/* Callees come first, so that one pass suffices. */
static void find_unbounded(Module *module) {
  for (uint32_t i = 0; i < module->computation_count; i++) {
    Computation *computation = module->computations[i];
    for (uint32_t k = 0; computation->unbounded == nullptr && k < computation->instruction_count;
        k++)
      computation->unbounded = instruction_unbounded(computation->instructions[k]);
  }
}

/* Finds, in a verified module, the instructions that keep a graph from being a function of arrays
 * of known sizes, and those that exchange elements between devices. */
static void find_states(Module *module) {
  for (uint32_t i = 0; i < module->computation_count; i++) {
    Computation *computation = module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count; k++) {
      const Instruction *instruction = computation->instructions[k];
      if (computation->stateful == nullptr)
        computation->stateful = instruction_stateful(instruction);
      Exchange exchange = instruction_exchange(instruction);
      if (exchange > computation->exchange) computation->exchange = exchange;
    }
  }
}

/* Offsets and counts have 32 bits, and a NUL would truncate the texts that are kept. */
static bool check_text(const Source *source, Error *error) {
  if (source->length > INT32_MAX) {
    return error_set(error, ERROR_LIMIT, "a module's text is longer than %d bytes", INT32_MAX);
  }
  const char *nul = source->length == 0 ? nullptr : memchr(source->text, 0, source->length);
  if (nul == nullptr) return true;
  return error_at(error, ERROR_INPUT, source, (size_t)(nul - source->text), 1,
      "a byte 0x00 in the text; XLA dumps modules as text with --xla_dump_hlo_as_text");
}

bool hlo_read(Arena *arena, const Source *source, const Module **result, Error *error) {
  if (!check_text(source, error)) return false;
  Reader reader = {.arena = arena,
      .scratch = arena_create(),
      .body_rule = read_instructions,
      .definition_rule = read_definition};
  reader.scan =
      (Scanner){.source = source, .text = source->text, .length = source->length, .error = error};
  Module *module = ARENA_NEW(arena, Module, 1);
  module->source = source;
  bool valid = read_module(&reader, module);
  if (valid) find_unbounded(module);
  if (valid) hlo_read_devices(module);
  valid = valid && hlo_verify(arena, module, error);
  if (valid) find_states(module);
  if (valid) hlo_mark_devices(arena, module);
  if (valid) hlo_mark_bounded(reader.scratch, module);
  if (valid) hlo_mark_namesakes(reader.scratch, module);
  arena_destroy(reader.scratch);
  assert(valid || error->kind != ERROR_NONE);
  if (valid) *result = module;
  return valid;
}

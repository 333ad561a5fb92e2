/* The header of a module: its name and attributes, which are kept as text. The shapes in
 * entry_computation_layout must be those of ENTRY, as in XLA's verifier; their layouts are not
 * compared. */
#include <string.h>

#include "core/hlo/read/reader.h"

static constexpr uint32_t most_header_attributes = 64;

/* {(shape, shape, ...)->shape} */
static bool read_entry_layout(Reader *reader) {
  Scanner *scan = &reader->scan;
  EntryLayout *layout = &reader->entry_layout;
  layout->offset = (scan_blanks(scan), scan->at);
  if (!scan_expect(scan, '{', "before the layout of ENTRY") ||
      !scan_expect(scan, '(', "before the parameters"))
    return false;
  if (!scan_accept(scan, ')')) {
    do {
      const Shape **shape = ARENA_PUSH(reader->scratch, layout);
      if (!read_shape(reader, shape)) return false;
    } while (scan_accept(scan, ','));
    if (!scan_expect(scan, ')', "after the parameters")) return false;
  }
  if (!scan_accept_text(scan, "->")) return scan_fail(scan, "'->' after the parameters");
  return read_shape(reader, &layout->result) && scan_expect(scan, '}', "after the layout of ENTRY");
}

static bool entry_shape_agrees(
    Reader *reader, const Instruction *instruction, const Shape *stated, const char *what) {
  if (shape_compatible(instruction->shape, stated)) return true;
  Text of_entry = text_create(reader->arena), of_layout = text_create(reader->arena);
  shape_print(&of_entry, instruction->shape);
  shape_print(&of_layout, stated);
  return read_fail(reader, ERROR_INPUT, reader->entry_layout.offset, 1,
      "the %s '%.100s' of ENTRY has the shape %.150s, and entry_computation_layout states %.150s",
      what, instruction->name, of_entry.bytes, of_layout.bytes);
}

bool entry_layout_agrees(Reader *reader, const Computation *entry) {
  const EntryLayout *layout = &reader->entry_layout;
  if (layout->result == nullptr) return true;
  if (layout->count != entry->parameter_count)
    return read_fail(reader, ERROR_INPUT, layout->offset, 1,
        "ENTRY has %s, and entry_computation_layout states %u",
        counted(entry->parameter_count, "parameter"), layout->count);
  for (uint32_t i = 0; i < layout->count; i++)
    if (!entry_shape_agrees(reader, entry->parameters[i], layout->items[i], "parameter"))
      return false;
  return entry_shape_agrees(reader, entry->root, layout->result, "root");
}

/* name=value. `names` has the attributes before this one. */
static bool read_module_attribute(Reader *reader, uint32_t count, Slice *names) {
  Scanner *scan = &reader->scan;
  Slice *name = &names[count];
  if (!scan_accept_word(scan, name)) return scan_fail(scan, "an attribute of the module");
  for (uint32_t i = 0; i < count; i++)
    if (names[i].length == name->length && memcmp(names[i].text, name->text, name->length) == 0)
      return read_fail_repeated(reader, *name);
  if (!scan_expect(scan, '=', "after an attribute's name")) return false;
  return slice_is(*name, "entry_computation_layout") ? read_entry_layout(reader) : scan_value(scan);
}

/* name=value, name=value, ... after the module's name */
static bool read_module_attributes(Reader *reader, Module *module) {
  Scanner *scan = &reader->scan;
  Slice names[most_header_attributes];
  uint32_t count = 0;
  if (!scan_accept(scan, ',')) return true;
  size_t start = (scan_blanks(scan), scan->at);
  do {
    if (count == most_header_attributes)
      return read_fail(reader, ERROR_LIMIT, scan->at, 1, "more than %u attributes of the module",
          most_header_attributes);
    if (!read_module_attribute(reader, count++, names)) return false;
  } while (scan_accept(scan, ','));
  module->header_rest = slice_copy(reader->arena, scan_slice(scan, start));
  return true;
}

bool read_header(Reader *reader, Module *module) {
  if (!scan_accept_keyword(&reader->scan, "HloModule")) return true;
  Slice name;
  if (!scan_name(&reader->scan, &name, "the module's name")) return false;
  module->name = slice_copy(reader->arena, name);
  scan_accept(&reader->scan, ':');
  return read_module_attributes(reader, module);
}

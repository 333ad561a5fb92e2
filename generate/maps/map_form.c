/* Chooses the items slot by slot, then writes the text from the left. */
#include "generate/maps/map_form.h"

#include <ctype.h>
#include <string.h>

#include "core/map/text.h"

typedef struct FormItems {
  uint32_t count;
  const char *items[form_max_list];
} FormItems;

typedef struct FilledForm {
  const MapForm *form;
  FormItems chosen[form_max_slots]; /* by slot */
} FilledForm;

/* The choices after a slot depend only on the number of the slot and on how many items of its list
 * are still to be chosen. */
static void slot_join(Choices *choices, uint32_t slot, uint64_t left) {
  if (slot > 0 || left > 0) choices_join(choices, &(ChoiceKey){2, {slot, left}});
}

static FormItems slot_choose(
    const FormSlot *slot, uint32_t number, Choices *choices, const MapLimits *limits) {
  bool by_second = slot->kind == SLOT_SECOND || slot->kind == SLOT_LIST_SECOND;
  uint64_t limit = by_second ? (uint64_t)limits->second : limits->first, count = slot->count;
  FormItems chosen = {.count = 1};
  slot_join(choices, number, 0);
  switch (slot->kind) {
    case SLOT_ANY: break;
    case SLOT_LEVEL: count = limit > 1 ? count : 1; break;
    case SLOT_FIRST:
    case SLOT_SECOND:
      assert(limit <= count);
      count = limit;
      break;
    case SLOT_LIST_FIRST:
    case SLOT_LIST_SECOND: chosen.count = (uint32_t)choose(choices, limit + 1); break;
  }
  assert(chosen.count <= form_max_list);
  for (uint32_t i = 0; i < chosen.count; i++) {
    if (slot->kind >= SLOT_LIST_FIRST) slot_join(choices, number, chosen.count - i);
    chosen.items[i] = slot->items[choose(choices, count)];
  }
  return chosen;
}

/* The slot whose name begins at `*name`, which moves past it. */
static uint32_t slot_named(const MapForm *form, const char **name) {
  size_t length = 0;
  while (isalpha((unsigned char)(*name)[length])) length++;
  uint32_t slot = 0;
  while (
      strncmp(form->slots[slot].name, *name, length) != 0 || form->slots[slot].name[length] != 0) {
    slot++;
    assert(form->slots[slot].name != nullptr && "a slot of no name");
  }
  *name += length;
  return slot;
}

/* The recursion depth is bounded by the number of slots: no item contains its own slot. */
static void form_write(const FilledForm *filled, const char *form, Text *text) {
  for (const char *end; *form != 0;) {
    end = form + strcspn(form, "$");
    text_append(text, form, (size_t)(end - form));
    if (*end == 0) return;
    form = end + 1;
    const FormItems *chosen = &filled->chosen[slot_named(filled->form, &form)];
    for (uint32_t i = 0; i < chosen->count; i++) {
      if (i > 0) text_string(text, ", ");
      form_write(filled, chosen->items[i], text);
    }
  }
}

const Map *map_of_text(MapContext *context, const char *text, size_t length) {
  const Source source = {.name = "form", .text = text, .length = length, .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  [[maybe_unused]] bool is_map = map_parse(context, &source, &map, &error);
  assert(is_map);
  for (uint32_t i = 0; map != nullptr && i < map_variable_count(map); i++)
    map_variable(map, i)->name = nullptr;
  return map;
}

MadeMaps form_generate(
    const MapForm *form, Choices *choices, const MapLimits *limits, MapContext *context) {
  FilledForm filled = {.form = form};
  for (uint32_t i = 0; form->slots[i].name != nullptr; i++) {
    assert(i < form_max_slots);
    filled.chosen[i] = slot_choose(&form->slots[i], i, choices, limits);
  }
  if (context == nullptr) return (MadeMaps){};
  Text text = text_create(context->arena);
  form_write(&filled, form->text, &text);
  const Source source = {.text = text.bytes, .length = text.length};
  Source pair[2];
  if (!map_cut_pair(context->arena, &source, pair))
    return (MadeMaps){{map_of_text(context, text.bytes, text.length)}};
  return (MadeMaps){{map_of_text(context, pair[0].text, pair[0].length),
      map_of_text(context, pair[1].text, pair[1].length)}};
}

static void slot_words(const FormSlot *slot, Text *text) {
  bool is_first = true;
  for (uint32_t i = 0; i < slot->count; i++) {
    const char *item = slot->items[i];
    if (*item == 0) continue;
    if (!is_first) text_string(text, slot->between);
    is_first = false;
    for (; *item != 0; item++)
      if (*item != '$') text_append(text, item, 1);
  }
}

void form_words(const MapForm *form, Text *text) {
  for (const char *words = form->words, *end;;) {
    end = words + strcspn(words, "$");
    text_append(text, words, (size_t)(end - words));
    if (*end == 0) return;
    words = end + 1;
    slot_words(&form->slots[slot_named(form, &words)], text);
  }
}

void words_list(Text *text, const char *what, uint32_t count, const char *const *items) {
  text_printf(text, "%s: ", what);
  for (uint32_t i = 0; i < count; i++) text_printf(text, "%s%s", i == 0 ? "" : " | ", items[i]);
}

void words_intervals(Text *text, const char *what, uint32_t count, const Interval *list) {
  text_string(text, what);
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, " [%lld, %lld]", (long long)list[i].lo, (long long)list[i].hi);
}

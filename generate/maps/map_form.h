/* A form: one or two maps as text with a slot wherever there is a choice, `$name`, and a list of
 * items for each slot. An item may contain slots too.
 * Keeps: the maps are those of the text that the parser builds, without the form's names of
 * variables. */
#ifndef GENERATE_MAPS_MAP_FORM_H
#define GENERATE_MAPS_MAP_FORM_H

#include "generate/maps/map_generator.h"

/* What a choice is made of: one item; one of the first so many, by a limit; one if the first limit
 * is 1; or up to a limit of them, in any order and repeated. */
typedef enum SlotKind : uint8_t {
  SLOT_ANY,
  SLOT_FIRST,
  SLOT_SECOND,
  SLOT_LEVEL,
  SLOT_LIST_FIRST,
  SLOT_LIST_SECOND
} SlotKind;

typedef struct FormSlot {
  const char *name;    /* letters */
  const char *between; /* separates the items in the words */
  SlotKind kind;
  uint32_t count;
  const char *const *items;
} FormSlot;

static constexpr uint32_t form_max_slots = 18, form_max_list = 4;

typedef struct MapForm {
  const char *text; /* `A ; B` for two maps */
  const char
      *words; /* describes it for people; a slot is the list of its items, except empty ones */
  const FormSlot *slots; /* in the order of the choices, the last one without a name */
} MapForm;

[[nodiscard]] MadeMaps form_generate(
    const MapForm *form, Choices *choices, const MapLimits *limits, MapContext *context);
void form_words(const MapForm *form, Text *text);
/* The map of a text, which must be one. */
[[nodiscard]] const Map *map_of_text(MapContext *context, const char *text, size_t length);

/* Writes `what [0, 1] [2, 3]`. */
void words_intervals(Text *text, const char *what, uint32_t count, const Interval *list);

#define MAP_GENERATOR(id, ...) \
  MadeMaps generate_maps_##id(Choices *choices, const MapLimits *limits, MapContext *context); \
  void words_maps_##id(Text *text);
#define MAP_FORM(id, ...) extern const MapForm form_##id;
#include "generate/maps/map_generators.def"

#endif

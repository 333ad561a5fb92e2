/* Claims and runtime variables of maps that are composed across collectives; exchange.h states when
 * such a composition is an over-approximation. `crossed` is set at a step if, going backward, a
 * collective is between the step and the root or, going forward, one of the step's producers
 * differs by device. */
#include "core/index/fusion/exchange.h"

#include "core/index/mesh/collective.h"
#include "core/index/runtime/runtime.h"

static Exchange exchange_of_step(const ExchangeStep *step) {
  bool is_operand = opcode_family(step->instruction->opcode) == FAMILY_COLLECTIVE &&
                    collective_is_alias(step->instruction, step->output_leaf);
  return is_operand ? EXCHANGE_NOTHING : instruction_exchange(step->instruction);
}

/* Replaces the runtime variables of all maps whose values are not known. A map without points is
 * left out. */
static bool widen_runtimes(
    Indexer *indexer, const ExchangeStep *step, IndexResult *maps, Error *error) {
  MapContext *context = indexer->context;
  const Map **items = ARENA_NEW(context->arena, const Map *, maps->count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < maps->count; i++) {
    Error reason = {};
    const Map *map = maps->items[i];
    bool has_runtimes = map->runtime_count > 0;
    if (has_runtimes && !runtime_fold(context, map, &map, &reason))
      return error_of_instruction(step->instruction, &reason, error);
    if (map->runtime_count > 0)
      answer_claim(step->to, INDEX_OVER_APPROXIMATION,
          "each device has its own values of runtime variables: any of them");
    while (map->runtime_count > 0)
      if (!runtime_to_range(context, map, 0, &map, error)) return false;
    if (has_runtimes && !settle(indexer, step->instruction, map, &map, error)) return false;
    if (map != nullptr) items[count++] = map;
  }
  maps->items = items;
  maps->count = count;
  return true;
}

bool exchange_cross(Indexer *indexer, const ExchangeStep *step, Error *error) {
  Exchange exchange = exchange_of_step(step);
  bool is_collective = exchange != EXCHANGE_NOTHING, is_apart = exchange == EXCHANGE_APART,
       is_backward = step->direction == OUTPUT_TO_INPUT;
  bool meets = is_backward ? is_apart : is_collective;
  if (step->from->crossed && meets)
    answer_claim(step->to, INDEX_OVER_APPROXIMATION,
        "a collective reads what another has exchanged, and an index names no device");
  step->to->crossed |= step->from->crossed || (is_backward ? is_collective : is_apart);
  if (is_backward && step->from->crossed) return widen_runtimes(indexer, step, step->maps, error);
  if (!is_backward && is_collective) return widen_runtimes(indexer, step, step->from, error);
  return true;
}

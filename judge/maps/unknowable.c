/* The list: external code, the other end of a transfer, sizes that are values, and generators whose
 * algorithm is platform-specific. */
#include "judge/maps/unknowable.h"

bool is_unknowable(Opcode opcode) {
  static constexpr Opcode list[] = {HLO_CUSTOM_CALL, HLO_INFEED, HLO_OUTFEED, HLO_SEND,
      HLO_SEND_DONE, HLO_RECV, HLO_RECV_DONE, HLO_RNG_BIT_GENERATOR, HLO_GET_DIMENSION_SIZE,
      HLO_SET_DIMENSION_SIZE, HLO_DYNAMIC_RESHAPE, HLO_DYNAMIC_PAD};
  for (uint32_t i = 0; i < sizeof list / sizeof *list; i++)
    if (list[i] == opcode) return true;
  return false;
}

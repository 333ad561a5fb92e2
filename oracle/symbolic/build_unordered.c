/* The operation of several updates that meet in one element, if their order is not stated and
 * decides how it rounds, or which NaN or zero an extremum is. It has a signature of its own, so it
 * equals no operation whose order a graph states, and no law applies to it. */
#include "oracle/symbolic/build.h"

static bool is_extremum(Opcode opcode) { return opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM; }

bool builder_rounds_in_order(const TermBuilder *builder, Term function) {
  const TermData *data = term_data(builder->terms, function);
  if (element_type_is_integral(data->type) || !term_is_free_of_order(builder->terms, function))
    return false;
  Opcode opcode = signature_at(builder->terms, data->signature)->instruction->opcode;
  return !(is_extremum(opcode) && terms_has_one_nan(builder->terms));
}

/* The least power of two that is no less. */
static uint32_t rounded_up(int64_t count) {
  uint32_t power = 1;
  while (power < count && power < 1U << 30) power *= 2;
  return power;
}

Term builder_unordered(
    TermBuilder *builder, Term function, int64_t updates, const Term arguments[2]) {
  Terms *terms = builder->terms;
  const TermData data = *term_data(terms, function);
  const TermSignature *of = signature_at(terms, data.signature);
  const Instruction *operation = of->instruction;
  const char *name = of->name;
  uint32_t most = rounded_up(updates);
  if (is_extremum(operation->opcode)) {
    Term folded = term_substitute(terms, function, arguments);
    if (term_data(terms, folded)->kind == TERM_CONSTANT) return folded;
  }
  Text text = text_create(builder->arena);
  text_printf(&text, "unordered %s %s of %u", opcode_name(operation->opcode),
      element_type_name(data.type), most);
  uint32_t signature = signature_of(terms, text.bytes, name);
  TermSignature *made = signature_at(terms, signature);
  made->instruction = operation;
  made->is_unordered = true;
  made->number = most;
  return term_make(terms, TERM_APPLY, data.type, signature, 0, 2, arguments);
}

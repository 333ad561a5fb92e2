/* Reductions along whole dimensions and running reductions.
 * reduce: element i of every output reads every initial value and, of every input, all elements
 * that agree with i on the kept dimensions.
 * scan, with n carries: the operands are inputs and n initial carries; the outputs are sequences
 * and n final carries. Along the scanned dimension (from its end if reversed), to_apply maps the
 * inputs' slices and the carries to the outputs' slices and the next carries. So an output element
 * at position p reads the initial carries and the inputs at positions up to p; a final carry reads
 * all positions.
 * Convention: reducer and to_apply use all of their parameters for each of their results. The
 * to_apply of a scan over more than one dimension works on slices: it is judged if all its
 * operations are elementwise, otherwise rejected. */
#include "core/hlo/compare.h"
#include "oracle/semantics/product.h"

bool read_reduce(Reading *reading) {
  const Instruction *reduce = reading->node->instruction;
  assert(reduce->operand_count % 2 == 0);
  uint32_t inputs = reduce->operand_count / 2;
  for (uint32_t operand = 0; operand < inputs; operand++) {
    if (!read_wants(reading, operand)) continue;
    Product product;
    product_begin(reading, operand, &product);
    for (uint32_t i = 0, kept = 0; i < product.leaf->rank; i++) {
      if (ints_has(&reduce->dimensions, i)) product_add_all(&product, i);
      else product_add(&product, i, reading->at[kept++]);
    }
    product_read(reading, &product);
  }
  for (uint32_t operand = inputs; operand < reduce->operand_count; operand++)
    if (read_wants(reading, operand)) read_element(reading, operand, 0);
  return true;
}

static bool is_elementwise(const Computation *body) {
  for (uint32_t i = 0; i < body->instruction_count; i++) {
    const Instruction *instruction = body->instructions[i];
    OpcodeFamily family = opcode_family(instruction->opcode);
    bool is_plain = family == FAMILY_ELEMENTWISE || instruction->opcode == HLO_PARAMETER ||
                    instruction->opcode == HLO_CONSTANT || instruction->opcode == HLO_TUPLE;
    if (!is_plain) return false;
  }
  return true;
}

/* Reads the input positions that an output element at position p reads; all positions for a final
 * carry (p < 0). */
static void read_positions(
    Reading *reading, uint32_t operand, uint32_t along, int64_t p, bool is_reversed) {
  Product product;
  bool is_carry = p < 0;
  assert(is_carry || p == reading->at[along]);
  product_begin(reading, operand, &product);
  for (uint32_t i = 0, kept = 0; i < product.leaf->rank; i++) {
    int64_t last = product.leaf->sizes[i] - 1;
    if (i == along)
      product_add_range(
          &product, i, !is_carry && is_reversed ? p : 0, is_carry || is_reversed ? last : p);
    else product_add(&product, i, reading->at[is_carry ? kept : i]);
    kept += i != along;
  }
  product_read(reading, &product);
}

/* An initial carry has the index of the slice: the output's index without the scanned dimension. */
static void read_carry(Reading *reading, uint32_t operand, uint32_t along, bool is_carry) {
  int64_t at[oracle_max_rank] = {};
  for (uint32_t i = 0, kept = 0; i < reading->node->leaves[reading->leaf].rank; i++)
    if (is_carry || i != along) at[kept++] = reading->at[i];
  read_index(reading, operand, at);
}

static bool is_scan_described(const Reading *reading) {
  const Instruction *scan = reading->node->instruction;
  if (scan->dimensions.count != 1 || scan->called_count != 1 || scan->number < 0 ||
      scan->number >= scan->operand_count)
    return false;
  uint32_t inputs = scan->operand_count - (uint32_t)scan->number,
           slice_rank = read_operand(reading, 0)->rank - 1;
  for (uint32_t i = inputs; i < scan->operand_count; i++)
    if (read_operand(reading, i)->rank != slice_rank) return false;
  return slice_rank == 0 || is_elementwise(scan->called[0]);
}

bool read_scan(Reading *reading) {
  const Instruction *scan = reading->node->instruction;
  if (!is_scan_described(reading)) return read_unsupported(reading);
  assert(scan->dimensions.values[0] >= 0 &&
         scan->dimensions.values[0] < read_operand(reading, 0)->rank);
  uint32_t along = (uint32_t)scan->dimensions.values[0],
           inputs = scan->operand_count - (uint32_t)scan->number;
  bool is_carry = reading->leaf + (uint32_t)scan->number >= reading->node->leaf_count;
  for (uint32_t i = 0; i < inputs; i++)
    if (read_wants(reading, i))
      read_positions(reading, i, along, is_carry ? -1 : reading->at[along], scan->flag);
  for (uint32_t i = inputs; i < scan->operand_count; i++)
    if (read_wants(reading, i)) read_carry(reading, i, along, is_carry);
  return true;
}

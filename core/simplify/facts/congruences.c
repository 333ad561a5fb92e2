/* Joins congruences. p = r (mod a) and p = s (mod b) hold together exactly if gcd(a, b) divides
 * s - r and
 *   p = r + a * t (mod lcm(a, b)),  t = ((s - r) / g) * (a / g)^-1 (mod b / g),  g = gcd(a, b);
 * otherwise never. p is a sum without constant; `(p + k) mod a in [m, m]` means p = m - k (mod a).
 * They are joined only if lcm(a, b) fits int64; a congruence without a partner keeps its text. */
#include <assert.h>

#include "core/base/checked.h"
#include "core/simplify/facts/constraints.h"

typedef struct Congruence {
  NormalSum *part; /* p; nullptr: the constraint is no congruence */
  int64_t modulus, residue;
} Congruence;

static const NormalAtom *remainder_of(const Demand *demand) {
  if (demand->in.lo != demand->in.hi || !sum_is_atom(demand->sum)) return nullptr;
  const NormalAtom *atom = demand->sum->items[0].atom;
  bool within = demand->in.lo >= 0 && demand->in.lo < atom->divisor;
  return atom->op == EXPR_MOD && within ? atom : nullptr;
}

static Congruence congruence_of(Simplifier *simplifier, const Demand *demand) {
  const NormalAtom *atom = remainder_of(demand);
  if (atom == nullptr) return (Congruence){};
  const NormalSum *argument = atom->arguments[0];
  Congruence congruence = {.modulus = atom->divisor};
  int64_t constant = mod64(argument->constant, atom->divisor);
  congruence.residue = mod64(demand->in.lo - constant, atom->divisor);
  congruence.part = sum_intern(&simplifier->normal, argument->items, argument->count, 0);
  return congruence;
}

/* x with a * x = gcd(a, b) (mod b), 0 <= x < b, for 0 < a, 0 < b. */
static int64_t congruences_inverse(int64_t a, int64_t b) {
  int64_t r0 = mod64(a, b), r1 = b, x0 = 1, x1 = 0;
  while (r0 != 0) {
    int64_t q = r1 / r0, r = r1 - q * r0, x = x1 - q * x0;
    r1 = r0;
    r0 = r;
    x1 = x0;
    x0 = x;
  }
  assert((_BitInt(128))mod64(x1, b) * a % b == (_BitInt(128))r1 % b);
  return mod64(x1, b);
}

typedef enum CongruenceJoin : uint8_t {
  JOINING_FITS,
  JOINING_IMPOSSIBLE,
  JOINING_TOO_LARGE
} CongruenceJoin;

static CongruenceJoin congruence_join(
    const Congruence *x, const Congruence *y, Congruence *both) {
  assert(x->part == y->part && x->modulus > 0 && y->modulus > 0);
  int64_t g = (int64_t)gcd64(x->modulus, y->modulus), reduced = y->modulus / g, product, step;
  if ((y->residue - x->residue) % g != 0) return JOINING_IMPOSSIBLE;
  int64_t difference = mod64((y->residue - x->residue) / g, reduced);
  *both = (Congruence){.part = x->part};
  if (!mul64(x->modulus, reduced, &both->modulus) ||
      !mul64(difference, congruences_inverse(x->modulus / g, reduced), &product))
    return JOINING_TOO_LARGE;
  if (!mul64(x->modulus, mod64(product, reduced), &step) ||
      !add64(x->residue, step, &both->residue))
    return JOINING_TOO_LARGE;
  both->residue = mod64(both->residue, both->modulus);
  assert(both->residue % x->modulus == x->residue && both->residue % y->modulus == y->residue);
  return JOINING_FITS;
}

/* (p - r) mod m in [0, 0] */
static bool congruences_write(
    Simplifier *simplifier, const Congruence *congruence, Demand *demand) {
  const NormalSum *part = congruence->part;
  NormalSum *argument =
      sum_intern(&simplifier->normal, part->items, part->count, -congruence->residue);
  NormalAtom *atom = atom_division(&simplifier->normal, EXPR_MOD, argument, congruence->modulus);
  Interval ignored;
  if (atom == nullptr || !facts_atom(simplifier, atom, &ignored)) return false;
  assert(congruence->residue >= 0 && congruence->residue < congruence->modulus);
  *demand = (Demand){.sum = sum_atom(atom)};
  return true;
}

/* Joins demand i into the earlier one on the same part. True if demand i is then redundant. */
static bool join_into(Simplifier *simplifier, Demands *demands, Congruence *seen,
    uint32_t earlier, uint32_t i) {
  Congruence both;
  switch (congruence_join(&seen[earlier], &seen[i], &both)) {
    case JOINING_TOO_LARGE: return false;
    case JOINING_IMPOSSIBLE: demands->is_empty = true; return true;
    case JOINING_FITS:
      if (!congruences_write(simplifier, &both, &demands->items[earlier])) return false;
      seen[earlier] = both;
      return true;
  }
  return false;
}

bool congruences_join(Simplifier *simplifier, Demands *demands) {
  BumpMark mark = bump_mark(&simplifier->normal.temp);
  Congruence *seen =
      BUMP_NEW(&simplifier->normal.temp, Congruence, demands->count);
  uint32_t kept = 0;
  simplifier->ticket++;
  for (uint32_t i = 0; i < demands->count; i++) {
    Demand demand = demands->items[i];
    seen[kept] = congruence_of(simplifier, &demand);
    NormalSum *part = seen[kept].part;
    demands->items[kept] = demand;
    bool met = part != nullptr && part->ticket == simplifier->ticket;
    if (met && join_into(simplifier, demands, seen, part->position, kept)) continue;
    if (part != nullptr && !met) {
      part->ticket = simplifier->ticket;
      part->position = kept;
    }
    kept++;
  }
  assert(kept <= demands->count);
  bool joined = kept < demands->count;
  demands->count = kept;
  bump_release(&simplifier->normal.temp, mark);
  return joined;
}

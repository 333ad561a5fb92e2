/* Operations between a parameter and an output whose modelled reads do not determine what is read.
 * Loops, branches, operations about which nothing is known, and bodies that ignore an operand have
 * over-approximated reads: equal over-approximations may hide different reads. A collective reads
 * another device's element, and an index does not name the device. */
#ifndef JUDGE_GRAPHS_EQUIV_BETWEEN_H
#define JUDGE_GRAPHS_EQUIV_BETWEEN_H

#include "judge/graphs/equiv.h"

/* Withdraws an answer that rests on such an operation: it becomes UNKNOWN and names the operation.
 * These answers stay:
 *   same       if neither side has such an operation in between; if every path crosses the same
 *              collectives that keep an element's index, with the same groups, pairs and channels;
 *              or if the graphs are literally the same up to the output
 *   more       like same, except for literal equality; otherwise it becomes different or unknown
 *   different  if the reads of the side that reads the element are exact: the other side reads at
 *              most its over-approximation */
void equiv_withdraw(const Equiv *equiv, EquivVerdict *verdict);

#endif

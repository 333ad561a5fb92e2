/* What stands between a parameter and an output, where stated reads alone do not say what is read.
 * A loop or a branch, an operation of which nothing is known, and a body that does not use what it
 * is given are stated to read all that they may read: two of them with equal statements may read
 * different elements. A collective reads another device's element, and an index does not say which
 * device. */
#ifndef JUDGE_EQUIV_BETWEEN_H
#define JUDGE_EQUIV_BETWEEN_H

#include "judge/graphs/equiv.h"

/* Withdraws an answer that is drawn from such a statement: it becomes UNKNOWN with the operation's
 * name. What stays:
 *   same       where nothing of the kind stands between on either side; where every path crosses
 * the same collectives that keep an element's index, with the same groups, pairs and channels;
 * where the graphs are literally the same up to the output; more       as same, without the last;
 * else it is different or unknown; different  where the side that reads the element is stated
 * exactly: the other side reads no more than is stated. */
void equiv_withdraw(const Equiv *equiv, EquivVerdict *verdict);

#endif

/* The results of a case of the scope `graphs`, for the comparison with the judges of values. */
#ifndef EXHAUST_SCOPES_SCOPE_GRAPHS_H
#define EXHAUST_SCOPES_SCOPE_GRAPHS_H

#include "exhaust/scopes/graph_forms.h"
#include "exhaust/scopes/scope.h"

/* Computes both results of case k under each assignment. They have the same shape. */
void scope_graphs_results(const ScopePlan *plan, uint64_t k, Array results[2]);

#endif

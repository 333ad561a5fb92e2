/* Decides, at one point where every visible atom has a value, whether hidden integers exist with
 * which a piece holds: by search, without Z3. */
#ifndef SMT_RELATION_RELATION_SEARCH_H
#define SMT_RELATION_RELATION_SEARCH_H

#include "smt/relation/piece.h"

typedef enum SearchResult : uint8_t { FOUND, FOUND_NONE, FOUND_TOO_FAR } SearchResult;

/* `atoms` [count]: completed values of the first atoms, among them those of the piece; those of its
 * hidden atoms are ignored. The value at an index that no given atom has is taken to be its
 * smallest. FOUND_TOO_FAR after a fixed number of visited nodes, or out of time. */
[[nodiscard]] SearchResult relation_search(
    Sums *sums, const Piece *piece, uint32_t count, const Wide *atoms);

#endif

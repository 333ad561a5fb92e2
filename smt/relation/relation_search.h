/* At one point, where every visible atom has a value: are there hidden integers with which a piece
 * holds? By search, without Z3. */
#ifndef SMT_RELATION_SEARCH_H
#define SMT_RELATION_SEARCH_H

#include "smt/relation/piece.h"

typedef enum SearchResult : uint8_t { FOUND, FOUND_NONE, FOUND_TOO_FAR } SearchResult;

/* `atoms`: completed values of all atoms; those hidden in the piece are ignored. A value at an
 * index that no given atom has is taken as its smallest. FOUND_TOO_FAR after a fixed number of
 * places visited, or out of time. */
[[nodiscard]] SearchResult relation_search(Sums *sums, const Piece *piece, const Wide *atoms);

#endif

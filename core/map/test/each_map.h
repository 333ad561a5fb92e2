/* Every map that stands as text in the files of a directory, for tests: from the first "(" of a
 * line, or the words KNOWN EMPTY and UNDEFINED alone on it, to the line's end. Lines that are no
 * map are passed over, so a test states how many it wants to see. */
#ifndef CORE_MAP_EACH_MAP_H
#define CORE_MAP_EACH_MAP_H

#include "core/map/map.h"

/* Each map has the context to itself: it is rewound after the visit. Gives the number of files; 0
 * when there is no directory. */
int each_map(const char *directory,
    void (*visit)(void *user, MapContext *context, const Map *map, const char *path, uint32_t line),
    void *user);

#endif

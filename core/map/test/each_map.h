/* For tests: every map in the files of a directory. A map's text begins at the first "(" of a line,
 * or is the words KNOWN EMPTY or UNDEFINED alone on it, and goes to the line's end. Lines without a
 * map are skipped, so a test states how many maps it expects. */
#ifndef CORE_MAP_TEST_EACH_MAP_H
#define CORE_MAP_TEST_EACH_MAP_H

#include "core/map/map.h"

/* The context is rewound after each visit. Returns the number of files; 0 if the directory does not
 * exist. */
int each_map(const char *directory,
    void (*visit)(void *user, MapContext *context, const Map *map, const char *path, uint32_t line),
    void *user);

#endif

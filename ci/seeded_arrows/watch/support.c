/* Uses support of tests. */
#include "core/map/test/random_map.h"

/* Nothing forbidden here. */
#include <z3.h>
#include "core/rules/rule.h"

#include <affirm_engine.h>
#include <mlir-c/IR.h>
#include "core/map/map.h"

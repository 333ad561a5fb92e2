/* A picture of one judged relation as SVG: a column an element that the maps go from, a row an
 * element that they go to, both in row-major order. */
#ifndef CLI_REPORT_PICTURE_H
#define CLI_REPORT_PICTURE_H

#include "core/base/text.h"
#include "judge/maps/judge.h"

/* False, with nothing printed, where a side has more than picture_side elements or the maps more
 * points than are gone through. */
static constexpr int64_t picture_side = 64;
[[nodiscard]] bool picture_print(Text *text, const MapContext *context, const Judgement *judgement);

#endif

/* A simplified map with its proof, as docs/map_certificates.md defines it. */
#ifndef CLI_REPORT_MAP_CERTIFICATE_H
#define CLI_REPORT_MAP_CERTIFICATE_H

#include "core/base/text.h"
#include "core/simplify/simplify.h"

/* Appends the certificate: the states of the trace, and between them the instances of rules. The
 * trace was made with `keeps_unseen`. */
void map_certificate_print(
    Text *text, MapContext *context, const Map *map, const Map *simplified, const Trace *trace);

#endif

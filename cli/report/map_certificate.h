/* Prints a simplified map with its proof (docs/map_certificates.md). */
#ifndef CLI_REPORT_MAP_CERTIFICATE_H
#define CLI_REPORT_MAP_CERTIFICATE_H

#include "core/base/text.h"
#include "core/simplify/simplify.h"

/* Appends the certificate: the states of the trace, and the instances of rules between them. The
 * trace must be made with `keeps_unseen`. */
void map_certificate_print(
    Text *text, MapContext *context, const Map *map, const Map *simplified, const Trace *trace);

#endif

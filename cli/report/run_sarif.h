/* Reads the results of SARIF as rows of a run. */
#ifndef CLI_REPORT_RUN_SARIF_H
#define CLI_REPORT_RUN_SARIF_H

#include <cjson/cJSON.h>

#include "cli/report/run.h"

/* A list of results may be empty: then the run passed. False without any list. */
[[nodiscard]] bool run_read_sarif(Arena *arena, const cJSON *whole, ReportRun *run);

#endif

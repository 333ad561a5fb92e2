/* isl's library, which is opened on first use (isl_library.c). */
#ifndef CORE_ADAPTERS_ISL_ISL_LIBRARY_H
#define CORE_ADAPTERS_ISL_ISL_LIBRARY_H

/* True if its functions can be called. */
[[nodiscard]] bool isl_library_opens(void);

#endif

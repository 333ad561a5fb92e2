/* Settings of the host program's thread that must not affect the library: the locale, which strtod
 * and printf use, and the floating-point modes, such as rounding, subnormal numbers that are
 * flushed to zero, and exceptions that end the process. A function begins with CONTEXT_ENTER, which
 * replaces these settings; the compiler restores them at each return. */
#ifndef LIBRARY_HOST_H
#define LIBRARY_HOST_H

#include <fenv.h>
#include <locale.h>
#include <stdint.h>

#if defined(__x86_64__)
/* fegetenv and fesetenv take ten times as long: they also store registers that nothing uses. */
typedef struct HostModes {
  uint32_t vector;
  uint16_t stack; /* strtod and printf ask it how to round */
} HostModes;
#else
typedef fenv_t HostModes;
#endif

typedef struct HostSettings {
  locale_t locale;
  HostModes modes;
} HostSettings;

/* Sets the locale, unless it is null, and the usual modes. */
[[nodiscard]] HostSettings host_leave(locale_t locale);
void host_return(const HostSettings *host);

#endif

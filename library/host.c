/* Keeps: after host_return the thread has its former settings, including exception flags. */
#include "library/host.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

/* Both round to nearest and mask all exceptions; the vector unit keeps subnormal numbers. */
static constexpr uint32_t usual_vector_modes = 0x1f80, all_flags = 0x3f;
static constexpr uint16_t usual_stack_modes = 0x37f;

static void host_set_stack(uint16_t modes) { __asm__ volatile("fldcw %0" ::"m"(modes)); }

static void host_modes_leave(HostModes *modes) {
  modes->vector = _mm_getcsr();
  __asm__ volatile("fnstcw %0" : "=m"(modes->stack));
  if ((modes->vector & ~all_flags) != usual_vector_modes) _mm_setcsr(usual_vector_modes);
  if (modes->stack != usual_stack_modes) host_set_stack(usual_stack_modes);
}

static void host_modes_return(const HostModes *modes) {
  _mm_setcsr(modes->vector);
  if (modes->stack != usual_stack_modes) host_set_stack(modes->stack);
}
#else
static void host_modes_leave(HostModes *modes) {
  fegetenv(modes);
  fesetenv(FE_DFL_ENV);
}
static void host_modes_return(const HostModes *modes) { fesetenv(modes); }
#endif

HostSettings host_leave(locale_t locale) {
  HostSettings host = {.locale = uselocale(locale)};
  host_modes_leave(&host.modes);
  return host;
}

void host_return(const HostSettings *host) {
  uselocale(host->locale);
  host_modes_return(&host->modes);
}

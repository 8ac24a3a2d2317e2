/* The error domain of the engine. */
#include "base/status.h"

/* G_DEFINE_QUARK() makes it by an unguarded static variable, and errors come in any thread. */
GQuark
weir_error_quark (void)
{
  static gsize quark;

  if (g_once_init_enter (&quark))
    g_once_init_leave (&quark, g_quark_from_static_string ("weir-error-quark"));
  return (GQuark) quark;
}

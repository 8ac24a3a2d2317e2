/* The one place where sizes from files are refused. See budget.h. */
#include "base/budget.h"

#include "base/error.h"
#include "base/phrase.h"

gboolean
weir_budget_allows (guint64 n, gsize size, const char *what, const char *remedy, GError **error)
{
  static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  double bytes;
  guint unit = 0;

  g_return_val_if_fail (what != NULL, FALSE);
  g_return_val_if_fail (remedy != NULL, FALSE);

  if (weir_budget_multiply (n, size) <= WEIR_BUDGET)
    return TRUE;
  bytes = (double) n * (double) size / 1024;
  for (; bytes >= 1024 && unit + 1 < G_N_ELEMENTS (units); unit++)
    bytes /= 1024;
  weir_error_set (
      error, WEIR_ERROR_INVALID, "%s would need %.3g %s of memory, but %u GiB is the limit; %s.",
      weir_phrase (what), bytes, units[unit], (guint) (WEIR_BUDGET >> 30), weir_phrase (remedy));
  return FALSE;
}

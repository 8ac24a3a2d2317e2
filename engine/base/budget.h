/* What a file may make the program ask for.
 *
 * Sizes that come from a file (how wide a signal is, how many points a delay keeps, how many rows a
 * table has) are multiplied here, where nothing overflows, and refused here, before memory is asked
 * for: a program that runs out of memory ends, and takes everybody's work with it. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes that one part of a file, and a whole model's values, may take at most. */
#define WEIR_BUDGET ((gsize) 1 << 30)

/* Numbers of which the true sum or product does not fit are G_MAXUINT64. */
static inline guint64
weir_budget_add (guint64 a, guint64 b)
{
  guint64 sum;

  return g_uint64_checked_add (&sum, a, b) ? sum : G_MAXUINT64;
}

static inline guint64
weir_budget_multiply (guint64 a, guint64 b)
{
  guint64 product;

  return g_uint64_checked_mul (&product, a, b) ? product : G_MAXUINT64;
}

/* Whether @n things of @size bytes may be asked for. If not, @error (WEIR_ERROR_INVALID) says
 * "@what would need 12 GiB of memory, but 1 GiB is the limit; @remedy." */
gboolean weir_budget_allows (guint64 n, gsize size, const char *what, const char *remedy,
                             GError **error);

G_END_DECLS

/* The rows of one run in memory: times, and the values of signals. For who looks at a run when it
 * is over; what is looked at while it goes on is a recorder's.
 *
 * Thread: *owner*.
 */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint n_signals;
  gsize n_rows, n_room;
  gsize most; /* bytes */
  double *times;
  double **values; /* by signal */
} WeirSeries;

static inline void
weir_series_init (WeirSeries *self, guint n_signals, gsize most)
{
  *self = (WeirSeries) { .n_signals = n_signals, .most = most };
  self->values = g_new0 (double *, n_signals + 1);
}

static inline void
weir_series_clear (WeirSeries *self)
{
  for (guint i = 0; i < self->n_signals; i++)
    g_free (self->values[i]);
  g_free (self->values);
  g_free (self->times);
  memset (self, 0, sizeof *self);
}

/* Room for another row, whose number is n_rows until that is counted up. FALSE: it would take more
 * memory than it may. */
static inline gboolean
weir_series_make_room (WeirSeries *self)
{
  gsize n = MAX (2 * self->n_room, 64);

  if (G_LIKELY (self->n_rows < self->n_room))
    return TRUE;
  if (n * (self->n_signals + 1) * sizeof (double) > self->most)
    return FALSE;
  self->times = g_renew (double, self->times, n);
  for (guint i = 0; i < self->n_signals; i++)
    self->values[i] = g_renew (double, self->values[i], n);
  self->n_room = n;
  return TRUE;
}

G_END_DECLS

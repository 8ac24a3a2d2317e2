/* What a unit's inputs are between two instants: held, or a line or parabola through the last
 * values.
 *
 * What is known of an input at the end of the step, as it comes along the list, is on the curve;
 * what is not is where the curve leads. At the start of a run, when there are too few values, the
 * order is less. With h the length of the step, u0 the value where it begins, u1 and u2 those a
 * step and two before, v the one at its end:
 *
 *   line       (v - u0) / h                        or (u0 - u1) / h
 *   parabola   (v - u1) / 2h, (v - 2 u0 + u1) / 2h^2   or (3 u0 - 4 u1 + u2) / 2h,
 *                                                     (u0 - 2 u1 + u2) / 2h^2
 *
 * Where steps are of several lengths the curve goes through the same values where they are.
 */
#include <string.h>

#include "cosim/cosim-private.h"

#define N_KNOWN 3

void
weir_participant_init_feeding (WeirParticipant *self)
{
  const WeirUnitKind *kind = self->info.kind;

  for (guint k = 0; k < self->info.n_inputs; k++)
    {
      WeirInputPort *port = &self->ports[k];

      if (kind->unit_class->describe_input != NULL)
        port->use = kind->unit_class->describe_input (kind->data, k);
      port->use.order = kind->unit_class->set_slopes != NULL
                            ? MIN (port->use.order, WEIR_UNIT_MAX_ORDER)
                            : 0;
      self->is_shaped |= port->use.order > 0;
    }
  if (!self->is_shaped)
    return;
  self->known = g_new0 (double, N_KNOWN * self->info.n_u);
  self->slopes = g_new0 (double, WEIR_UNIT_MAX_ORDER * self->info.n_u);
}

void
weir_participant_clear_feeding (WeirParticipant *self)
{
  g_free (self->known);
  g_free (self->slopes);
  g_clear_pointer (&self->started, g_bytes_unref);
}

void
weir_participant_note_known (WeirParticipant *self, const double *u)
{
  guint n = self->info.n_u;

  if (!self->is_shaped)
    return;
  memmove (self->known + n, self->known, (N_KNOWN - 1) * n * sizeof *u);
  memcpy (self->known, u, n * sizeof *u);
  memmove (self->known_at + 1, self->known_at, (N_KNOWN - 1) * sizeof *self->known_at);
  self->known_at[0] = self->begins;
  self->n_known = MIN (self->n_known + 1, N_KNOWN);
}

/* Through v at h and u1 at -h1, or, where @v is not known, through u1 and u2 at -h2, from u0 on. */
static void
shape_unevenly (const WeirParticipant *self, guint order, const double *v, const double *u,
                double *s1, double *s2)
{
  double h = self->t_end - self->t, step = self->cosim->step;
  double a = v != NULL ? h : -step * (double) (self->known_at[0] - self->known_at[1]), b, p, q;

  p = ((v != NULL ? *v : u[1]) - u[0]) / a;
  *s1 = p;
  if (order < 2)
    return;
  b = -step * (double) (self->known_at[0] - self->known_at[v != NULL ? 1 : 2]);
  q = (u[v != NULL ? 1 : 2] - u[0]) / b;
  *s2 = (p - q) / (a - b);
  *s1 = p - *s2 * a;
}

/* Are the step and those between the known values that the curve goes through equally long? */
static gboolean
is_even (const WeirParticipant *self, guint n_known)
{
  gint64 length = self->ends - self->begins;

  for (guint k = 1; k < n_known; k++)
    if (self->known_at[k - 1] - self->known_at[k] != length)
      return FALSE;
  return TRUE;
}

/* @end: whether u holds the value at the end of the step. */
static void
shape_value (WeirParticipant *self, guint i, guint order, gboolean end)
{
  double h = self->t_end - self->t;
  guint n = self->info.n_u;
  const double u[] = { self->known[i], self->known[n + i], self->known[2 * n + i] };
  double *s1 = &self->slopes[i], *s2 = &self->slopes[n + i];
  double v = self->u[i];

  *s1 = *s2 = 0;
  order = MIN (order, end ? self->n_known : self->n_known - 1);
  if (order == 0)
    return;
  self->u[i] = u[0];
  if (!is_even (self, end ? order : order + 1))
    shape_unevenly (self, order, end ? &v : NULL, u, s1, s2);
  else if (order == 1)
    *s1 = end ? (v - u[0]) / h : (u[0] - u[1]) / h;
  else
    {
      *s1 = (end ? v - u[1] : 3 * u[0] - 4 * u[1] + u[2]) / (2 * h);
      *s2 = (end ? v - 2 * u[0] + u[1] : u[0] - 2 * u[1] + u[2]) / (2 * h * h);
    }
}

void
weir_participant_shape (WeirParticipant *self)
{
  if (!self->is_shaped)
    return;
  for (guint k = 0; k < self->info.n_inputs; k++)
    {
      const WeirInputPort *port = &self->ports[k];
      gboolean end = port->kind != WEIR_PORT_AT_INSTANT && !port->is_overridden;

      for (guint e = 0; e < port->size; e++)
        shape_value (self, port->offset + e, port->use.order, end);
    }
  self->info.kind->unit_class->set_slopes (self->instance, self->slopes);
}

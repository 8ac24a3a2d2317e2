/* The root locus. See margins.h. */
#include "linear/margins.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define VIEW 3.0  /* of the largest pole or zero */
#define STEP 0.01 /* of the view, that a root moves from one gain to the next */
#define MOST_GAINS 5000
#define FIRST_GAIN 1e-3 /* of the gain that moves a pole by its own size */

typedef struct {
  const WeirLinear *l;
  guint n;
  double view;
  GArray *gains; /* double */
  GArray *roots; /* double complex, n a gain */
} Locus;

/* Eigenvalues of A - k B (1 + k D)^-1 C. */
static gboolean
find_roots (const Locus *self, double k, double complex *roots)
{
  const WeirLinear *l = self->l;
  guint n = self->n;
  g_autoptr (WeirMatrix) a = weir_matrix_dup (l->a);
  g_autofree double *re = g_new (double, n + 1);
  g_autofree double *im = g_new (double, n + 1);
  double factor = k / (1 + k * l->d->v[0]);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      *weir_matrix_at (a, i, j) -= factor * l->b->v[i] * l->c->v[j];
  if (!isfinite (factor) || !weir_matrix_get_eigenvalues (a, re, im))
    return FALSE;
  for (guint i = 0; i < n; i++)
    roots[i] = re[i] + WEIR_I * im[i];
  return TRUE;
}

/* Puts @roots into the order of @before, the nearest pairs first. Returns how far one moved. */
static double
match (guint n, const double complex *before, double complex *roots)
{
  g_autofree double complex *matched = g_new (double complex, n);
  g_autofree gboolean *is_from = g_new0 (gboolean, n);
  g_autofree gboolean *is_to = g_new0 (gboolean, n);
  double farthest = 0;

  for (guint k = 0; k < n; k++)
    {
      double nearest = INFINITY;
      guint from = 0, to = 0;

      for (guint i = 0; i < n; i++)
        for (guint j = 0; j < n && !is_from[i]; j++)
          if (!is_to[j] && cabs (roots[j] - before[i]) < nearest)
            {
              nearest = cabs (roots[j] - before[i]);
              from = i;
              to = j;
            }
      is_from[from] = is_to[to] = TRUE;
      matched[from] = roots[to];
      farthest = fmax (farthest, nearest);
    }
  memcpy (roots, matched, n * sizeof *roots);
  return farthest;
}

static gboolean
is_out_of_view (const Locus *self, const double complex *roots, const GArray *zeros)
{
  for (guint i = 0; i < self->n; i++)
    {
      double nearest = INFINITY;

      for (guint k = 0; k < zeros->len; k++)
        nearest = fmin (nearest, cabs (roots[i] - g_array_index (zeros, double complex, k)));
      if (cabs (roots[i]) < self->view && nearest > STEP * self->view)
        return FALSE;
    }
  return TRUE;
}

static void
take (Locus *self, double gain, const double complex *roots)
{
  g_array_append_val (self->gains, gain);
  g_array_append_vals (self->roots, roots, self->n);
}

/* Follows the branches; steps of the gain are halved until no root in view moves far. */
static void
follow (Locus *self, const GArray *zeros, double first, double most)
{
  guint n = self->n;
  g_autofree double complex *before = g_new (double complex, n);
  g_autofree double complex *roots = g_new (double complex, n);
  double gain = 0, step = first;

  if (!find_roots (self, 0, before))
    return;
  take (self, 0, before);
  while (self->gains->len < MOST_GAINS && (most == 0 || gain < most))
    {
      double next = most > 0 ? fmin (gain + step, most) : gain + step, moved;

      if (!find_roots (self, next, roots))
        return;
      moved = match (n, before, roots);
      if (moved > STEP * self->view && step > 1e-9 * (gain + first)
          && !is_out_of_view (self, before, zeros))
        {
          step /= 2;
          continue;
        }
      take (self, next, roots);
      memcpy (before, roots, n * sizeof *before);
      gain = next;
      step *= moved < STEP / 3 * self->view ? 2 : 1;
      if (most == 0 && (is_out_of_view (self, roots, zeros) || gain > 1e12 * first))
        return;
    }
}

/* dL/ds = -C (s - A)^-2 B is zero. */
static GArray *
list_breaks (const Locus *self)
{
  const WeirLinear *l = self->l;
  guint n = self->n;
  WeirMatrix *a = weir_matrix_new (2 * n, 2 * n), *b = weir_matrix_new (2 * n, 1);
  WeirMatrix *c = weir_matrix_new (1, 2 * n);
  g_autoptr (WeirLinear) slope = NULL;
  g_autoptr (GArray) zeros = NULL;
  g_autoptr (WeirResponse) response = weir_response_new (l);
  GArray *breaks = g_array_new (FALSE, FALSE, sizeof (WeirLocusBreak));

  weir_matrix_put (a, 0, 0, l->a);
  weir_matrix_put (a, n, n, l->a);
  for (guint i = 0; i < n; i++)
    *weir_matrix_at (a, n + i, i) = 1;
  weir_matrix_put (b, 0, 0, l->b);
  weir_matrix_put (c, 0, n, l->c);
  slope = weir_linear_new (a, b, c, weir_matrix_new (1, 1), 0, NULL);
  zeros = weir_linear_list_zeros (slope);
  for (guint i = 0; i < zeros->len; i++)
    {
      WeirLocusBreak found = { g_array_index (zeros, double complex, i), 0 };
      double complex s = l->period > 0 ? clog (found.root) / l->period : found.root, value;

      if (!weir_response_eval_at (response, s, &value) || cabs (value) == 0)
        continue;
      found.gain = creal (-1 / value);
      if (found.gain > 0 && fabs (cimag (-1 / value)) < 1e-6 * found.gain)
        g_array_append_val (breaks, found);
    }
  return breaks;
}

WeirLocus *
weir_locus_new (const WeirLinear *l, double most)
{
  g_autoptr (GArray) zeros = NULL;
  g_autofree double complex *poles = NULL;
  Locus locus = { .l = l, .n = l->a->rows };
  WeirLocus *self;
  double largest = 0, pull = 0;

  if (l->n_delays > 0 || l->n_slots > 1 || locus.n == 0 || l->n_inputs != 1 || l->n_outputs != 1)
    return NULL;
  zeros = weir_linear_list_zeros (l);
  poles = g_new0 (double complex, locus.n);
  if (!find_roots (&locus, 0, poles))
    return NULL;
  for (guint i = 0; i < locus.n; i++)
    largest = fmax (largest, cabs (poles[i]));
  for (guint i = 0; i < zeros->len; i++)
    largest = fmax (largest, cabs (g_array_index (zeros, double complex, i)));
  locus.view = VIEW * (largest > 0 ? largest : 1);
  for (guint i = 0; i < locus.n; i++)
    pull = fmax (pull, fabs (l->b->v[i])) * 1;
  pull *= weir_matrix_get_max (l->c);
  locus.gains = g_array_new (FALSE, FALSE, sizeof (double));
  locus.roots = g_array_new (FALSE, FALSE, sizeof (double complex));
  follow (&locus, zeros, FIRST_GAIN * locus.view / (pull > 0 ? pull : 1), most);
  self = g_new0 (WeirLocus, 1);
  self->n_roots = locus.n;
  self->n_gains = locus.gains->len;
  self->gains = (double *) (gpointer) g_array_free (locus.gains, FALSE);
  self->roots = (double complex *) (gpointer) g_array_free (locus.roots, FALSE);
  self->breaks = list_breaks (&locus);
  return self;
}

void
weir_locus_free (WeirLocus *self)
{
  if (self == NULL)
    return;
  g_free (self->gains);
  g_free (self->roots);
  g_array_unref (self->breaks);
  g_free (self);
}

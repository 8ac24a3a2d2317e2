/* Transmission zeros of linear systems. See state-space.h. */
#include "linear/state-space.h"

#include <float.h>
#include <math.h>

/* A system that shrinks. */
typedef struct {
  WeirMatrix *a, *b, *c, *d;
  double small; /* what counts as zero */
} Pencil;

static void
pencil_clear (Pencil *self)
{
  weir_matrix_free (self->a);
  weir_matrix_free (self->b);
  weir_matrix_free (self->c);
  weir_matrix_free (self->d);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pencil, pencil_clear)

static guint
count_rank (const Pencil *self, const double *s, guint n)
{
  guint rank = 0;

  while (rank < n && s[rank] > self->small)
    rank++;
  return rank;
}

static void
replace (WeirMatrix **a, WeirMatrix *by)
{
  weir_matrix_free (*a);
  *a = by;
}

/* Turns outputs so that the last ones are passed nothing at once. Returns how many of them. */
static guint
turn_outputs (Pencil *self)
{
  g_autofree double *s = g_new0 (double, self->d->rows + self->d->columns + 1);
  g_autoptr (WeirMatrix) u = NULL;
  g_autoptr (WeirMatrix) back = NULL;
  guint rank;

  if (!weir_matrix_svd (self->d, s, &u, NULL))
    return 0;
  rank = count_rank (self, s, MIN (self->d->rows, self->d->columns));
  back = weir_matrix_transpose (u);
  replace (&self->c, weir_matrix_times (back, self->c));
  replace (&self->d, weir_matrix_times (back, self->d));
  return self->d->rows - rank;
}

/* Turns states so that the last @rank ones are those that the last @n outputs see. */
static guint
turn_states (Pencil *self, guint n)
{
  guint states = self->a->rows;
  g_autoptr (WeirMatrix) seen = weir_matrix_part (self->c, self->c->rows - n, 0, n, states);
  g_autofree double *s = g_new0 (double, states + n + 1);
  g_autoptr (WeirMatrix) vt = NULL;
  g_autoptr (WeirMatrix) v = NULL;
  g_autoptr (WeirMatrix) turned = weir_matrix_new (states, states);
  g_autoptr (WeirMatrix) product = NULL;
  guint rank;

  if (!weir_matrix_svd (seen, s, NULL, &vt))
    return 0;
  rank = count_rank (self, s, MIN (n, states));
  /* The seen ones, which come first, go last. */
  for (guint i = 0; i < states; i++)
    for (guint j = 0; j < states; j++)
      *weir_matrix_at (turned, (i + states - rank) % states, j) = weir_matrix_get (vt, i, j);
  v = weir_matrix_transpose (turned);
  product = weir_matrix_times (turned, self->a);
  replace (&self->a, weir_matrix_times (product, v));
  replace (&self->b, weir_matrix_times (turned, self->b));
  replace (&self->c, weir_matrix_times (self->c, v));
  return rank;
}

/* Takes away states until all outputs are passed something at once, independently: an output that
 * is zero holds the states that it sees at zero, and their derivatives become outputs. */
static void
shrink (Pencil *self)
{
  for (;;)
    {
      guint n = self->a->rows, m = self->b->columns, lone = turn_outputs (self);
      guint kept = self->c->rows - lone;
      guint rank = lone > 0 ? turn_states (self, lone) : 0;
      Pencil next = { .small = self->small };

      next.a = weir_matrix_part (self->a, 0, 0, n - rank, n - rank);
      next.b = weir_matrix_part (self->b, 0, 0, n - rank, m);
      next.c = weir_matrix_new (kept + rank, n - rank);
      next.d = weir_matrix_new (kept + rank, m);
      for (guint i = 0; i < kept + rank; i++)
        {
          const WeirMatrix *states = i < kept ? self->c : self->a;
          const WeirMatrix *inputs = i < kept ? self->d : self->b;
          guint row = i < kept ? i : n - rank + i - kept;

          for (guint j = 0; j < n - rank; j++)
            *weir_matrix_at (next.c, i, j) = weir_matrix_get (states, row, j);
          for (guint j = 0; j < m; j++)
            *weir_matrix_at (next.d, i, j) = weir_matrix_get (inputs, row, j);
        }
      pencil_clear (self);
      *self = next;
      if (lone == 0 || rank == 0)
        return;
    }
}

static void
transpose (Pencil *self)
{
  WeirMatrix *b = weir_matrix_transpose (self->c);

  replace (&self->a, weir_matrix_transpose (self->a));
  replace (&self->c, weir_matrix_transpose (self->b));
  replace (&self->b, b);
  replace (&self->d, weir_matrix_transpose (self->d));
}

GArray *
weir_linear_list_zeros (const WeirLinear *self)
{
  GArray *zeros = g_array_new (FALSE, FALSE, sizeof (double complex));
  g_auto (Pencil) pencil = { weir_matrix_dup (self->a), weir_matrix_dup (self->b),
                             weir_matrix_dup (self->c), weir_matrix_dup (self->d), 0 };
  g_autoptr (WeirMatrix) feedback = NULL;
  g_autoptr (WeirMatrix) product = NULL;
  g_autoptr (WeirMatrix) left = NULL;
  g_autofree double *re = NULL;
  g_autofree double *im = NULL;
  double size;

  weir_matrix_balance_states (pencil.a, pencil.b, pencil.c);
  size = fmax (fmax (weir_matrix_get_row_sum (pencil.a), weir_matrix_get_row_sum (pencil.b)),
               fmax (weir_matrix_get_row_sum (pencil.c), weir_matrix_get_row_sum (pencil.d)));
  pencil.small = 20 * DBL_EPSILON * size * (pencil.a->rows + 1);
  shrink (&pencil);
  transpose (&pencil);
  shrink (&pencil);
  if (pencil.a->rows == 0 || pencil.d->rows != pencil.d->columns)
    return zeros;
  feedback = weir_matrix_solve (pencil.d, pencil.c);
  if (feedback == NULL)
    return zeros;
  product = weir_matrix_times (pencil.b, feedback);
  left = weir_matrix_plus (pencil.a, -1, product);
  re = g_new (double, left->rows);
  im = g_new (double, left->rows);
  if (weir_matrix_get_eigenvalues (left, re, im))
    for (guint i = 0; i < left->rows; i++)
      {
        double complex zero = re[i] + WEIR_I * im[i];

        g_array_append_val (zeros, zero);
      }
  return zeros;
}

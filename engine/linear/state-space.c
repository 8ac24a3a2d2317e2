/* Linear systems: making, picking, closing. See state-space.h. */
#include "linear/state-space.h"

#include <float.h>
#include <math.h>

#include "base/mat-array.h"

WeirLinear *
weir_linear_new (WeirMatrix *a, WeirMatrix *b, WeirMatrix *c, WeirMatrix *d, guint n_delays,
                 const double *delays)
{
  WeirLinear *self = g_new0 (WeirLinear, 1);

  g_assert (a->rows == a->columns && b->rows == a->rows && c->columns == a->rows);
  g_assert (d->rows == c->rows && d->columns == b->columns);
  *self = (WeirLinear) { .a = a,
                         .b = b,
                         .c = c,
                         .d = d,
                         .n_inputs = b->columns - n_delays,
                         .n_outputs = c->rows - n_delays,
                         .n_delays = n_delays,
                         .n_slots = 1 };
  if (n_delays > 0)
    self->delays = g_memdup2 (delays, n_delays * sizeof *delays);
  return self;
}

void
weir_linear_free (WeirLinear *self)
{
  if (self == NULL)
    return;
  weir_matrix_free (self->a);
  weir_matrix_free (self->b);
  weir_matrix_free (self->c);
  weir_matrix_free (self->d);
  g_free (self->delays);
  g_free (self);
}

WeirLinear *
weir_linear_dup (const WeirLinear *self)
{
  WeirLinear *dup = weir_linear_new (weir_matrix_dup (self->a), weir_matrix_dup (self->b),
                                     weir_matrix_dup (self->c), weir_matrix_dup (self->d),
                                     self->n_delays, self->delays);

  dup->n_inputs = self->n_inputs;
  dup->n_outputs = self->n_outputs;
  dup->n_slots = self->n_slots;
  dup->period = self->period;
  return dup;
}

guint
weir_linear_get_n_states (const WeirLinear *self)
{
  return self->a->rows;
}

/* Columns (or rows) of one signal in all slots, then the delays'. */
static guint
list_places (const WeirLinear *self, guint n_signals, guint signal, guint *places)
{
  guint n = 0;

  for (guint slot = 0; slot < self->n_slots; slot++)
    places[n++] = slot * n_signals + signal;
  for (guint i = 0; i < self->n_delays; i++)
    places[n++] = self->n_slots * n_signals + i;
  return n;
}

WeirLinear *
weir_linear_pick (const WeirLinear *self, guint output, guint input)
{
  guint n = self->a->rows, size = self->n_slots + self->n_delays;
  g_autofree guint *rows = g_new (guint, size);
  g_autofree guint *columns = g_new (guint, size);
  WeirMatrix *b = weir_matrix_new (n, size), *c = weir_matrix_new (size, n);
  WeirMatrix *d = weir_matrix_new (size, size);
  WeirLinear *picked;

  list_places (self, self->n_outputs, output, rows);
  list_places (self, self->n_inputs, input, columns);
  for (guint k = 0; k < size; k++)
    for (guint i = 0; i < n; i++)
      {
        *weir_matrix_at (b, i, k) = weir_matrix_get (self->b, i, columns[k]);
        *weir_matrix_at (c, k, i) = weir_matrix_get (self->c, rows[k], i);
      }
  for (guint k = 0; k < size; k++)
    for (guint l = 0; l < size; l++)
      *weir_matrix_at (d, k, l) = weir_matrix_get (self->d, rows[k], columns[l]);
  picked = weir_linear_new (weir_matrix_dup (self->a), b, c, d, self->n_delays, self->delays);
  picked->n_inputs = picked->n_outputs = 1;
  picked->n_slots = self->n_slots;
  picked->period = self->period;
  return picked;
}

WeirLinear *
weir_linear_scale (const WeirLinear *self, double factor)
{
  WeirLinear *scaled = weir_linear_dup (self);
  guint n = self->n_outputs * self->n_slots;

  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < scaled->c->columns; j++)
        *weir_matrix_at (scaled->c, i, j) *= factor;
      for (guint j = 0; j < scaled->d->columns; j++)
        *weir_matrix_at (scaled->d, i, j) *= factor;
    }
  return scaled;
}

/* u = r - y: with E picking the outputs that are fed back, M = (I + D11)^-1. */
WeirLinear *
weir_linear_close (const WeirLinear *self)
{
  guint n = self->a->rows, m = self->b->columns, p = self->c->rows;
  guint k = self->n_inputs * self->n_slots;
  g_autoptr (WeirMatrix) sum = weir_matrix_identity (k);
  g_autoptr (WeirMatrix) right = weir_matrix_new (k, n + m);
  g_autoptr (WeirMatrix) fed = NULL; /* u of the loop, by x, r and w: (I + D11)^-1 [-C1, I, -D12] */
  WeirLinear *closed;
  WeirMatrix *a, *b, *c, *d;

  g_assert (self->n_inputs == self->n_outputs);
  for (guint i = 0; i < k; i++)
    for (guint j = 0; j < k; j++)
      *weir_matrix_at (sum, i, j) += weir_matrix_get (self->d, i, j);
  for (guint i = 0; i < k; i++)
    {
      for (guint j = 0; j < n; j++)
        *weir_matrix_at (right, i, j) = -weir_matrix_get (self->c, i, j);
      *weir_matrix_at (right, i, n + i) = 1;
      for (guint j = k; j < m; j++)
        *weir_matrix_at (right, i, n + j) = -weir_matrix_get (self->d, i, j);
    }
  fed = weir_matrix_solve (sum, right);
  if (fed == NULL)
    return NULL;
  a = weir_matrix_dup (self->a);
  b = weir_matrix_dup (self->b);
  c = weir_matrix_dup (self->c);
  d = weir_matrix_dup (self->d);
  for (guint i = 0; i < n + p; i++)
    {
      const WeirMatrix *from = i < n ? self->b : self->d;
      guint row = i < n ? i : i - n;

      for (guint j = 0; j < n + m; j++)
        {
          double add = 0;

          for (guint l = 0; l < k; l++)
            add += weir_matrix_get (from, row, l) * weir_matrix_get (fed, l, j);
          if (j < n)
            *weir_matrix_at (i < n ? a : c, row, j) += add;
          else if (j - n < k)
            *weir_matrix_at (i < n ? b : d, row, j - n) = add;
          else
            *weir_matrix_at (i < n ? b : d, row, j - n) += add;
        }
    }
  closed = weir_linear_new (a, b, c, d, self->n_delays, self->delays);
  closed->n_inputs = self->n_inputs;
  closed->n_outputs = self->n_outputs;
  closed->n_slots = self->n_slots;
  closed->period = self->period;
  return closed;
}

gboolean
weir_linear_get_poles (const WeirLinear *self, double *re, double *im)
{
  return weir_matrix_get_eigenvalues (self->a, re, im);
}

GArray *
weir_linear_list_poles (const WeirLinear *self)
{
  guint n = weir_linear_get_n_states (self);
  g_autofree double *re = g_new (double, n + 1);
  g_autofree double *im = g_new (double, n + 1);
  GArray *poles = g_array_new (FALSE, FALSE, sizeof (double complex));

  for (guint i = 0; weir_linear_get_poles (self, re, im) && i < n; i++)
    {
      double complex pole = re[i] + WEIR_I * im[i];

      g_array_append_val (poles, pole);
    }
  return poles;
}

/* --- What is seen and reached ---------------------------------------------------------------- */

/* Splits off what B does not reach, by singular values of growing blocks (staircase): the first
 * columns of @basis span what it reaches. Returns their number. */
static guint
find_reached (const WeirMatrix *a, const WeirMatrix *b, WeirMatrix **basis)
{
  guint n = a->rows, reached = 0;
  double small = 10 * n * DBL_EPSILON * (weir_matrix_get_row_sum (a) + weir_matrix_get_row_sum (b));
  g_autoptr (WeirMatrix) q = weir_matrix_identity (n);
  g_autoptr (WeirMatrix) turned = weir_matrix_dup (a);
  g_autoptr (WeirMatrix) entering = weir_matrix_dup (b);

  while (reached < n)
    {
      guint size = n - reached, rank = 0;
      g_autofree double *s = g_new0 (double, MAX (size, entering->columns) + 1);
      g_autoptr (WeirMatrix) u = NULL;
      g_autoptr (WeirMatrix) whole = weir_matrix_identity (n);
      g_autoptr (WeirMatrix) back = NULL;
      g_autoptr (WeirMatrix) product = NULL;
      WeirMatrix *next;

      if (!weir_matrix_svd (entering, s, &u, NULL))
        break;
      while (rank < MIN (size, entering->columns) && s[rank] > small)
        rank++;
      if (rank == 0)
        break;
      weir_matrix_put (whole, reached, reached, u);
      back = weir_matrix_transpose (whole);
      product = weir_matrix_times (back, turned);
      weir_matrix_free (turned);
      turned = weir_matrix_times (product, whole);
      next = weir_matrix_times (q, whole);
      weir_matrix_free (q);
      q = next;
      weir_matrix_free (entering);
      reached += rank;
      entering = weir_matrix_part (turned, reached, reached - rank, n - reached, rank);
    }
  *basis = g_steal_pointer (&q);
  return reached;
}

static WeirLinear *
turn (const WeirLinear *self, const WeirMatrix *basis, guint n)
{
  g_autoptr (WeirMatrix) kept = weir_matrix_part (basis, 0, 0, basis->rows, n);
  g_autoptr (WeirMatrix) back = weir_matrix_transpose (kept);
  g_autoptr (WeirMatrix) product = weir_matrix_times (back, self->a);
  WeirLinear *turned = weir_linear_new (
      weir_matrix_times (product, kept), weir_matrix_times (back, self->b),
      weir_matrix_times (self->c, kept), weir_matrix_dup (self->d), self->n_delays, self->delays);

  turned->n_inputs = self->n_inputs;
  turned->n_outputs = self->n_outputs;
  turned->n_slots = self->n_slots;
  turned->period = self->period;
  return turned;
}

WeirLinear *
weir_linear_reduce (const WeirLinear *self)
{
  g_autoptr (WeirMatrix) basis = NULL;
  g_autoptr (WeirMatrix) seen = NULL;
  g_autoptr (WeirMatrix) a = NULL;
  g_autoptr (WeirMatrix) c = NULL;
  g_autoptr (WeirLinear) reached = NULL;
  guint n = find_reached (self->a, self->b, &basis);

  reached = n < self->a->rows ? turn (self, basis, n) : weir_linear_dup (self);
  a = weir_matrix_transpose (reached->a);
  c = weir_matrix_transpose (reached->c);
  n = find_reached (a, c, &seen);
  return n < reached->a->rows ? turn (reached, seen, n) : g_steal_pointer (&reached);
}

/* --- Ways ------------------------------------------------------------------------------------ */

/* Of the system as one matrix [A, B; C, D]: does row @i read column @j? */
static gboolean
reads (const WeirLinear *self, guint i, guint j)
{
  guint n = self->a->rows;

  return (i < n ? weir_matrix_get (j < n ? self->a : self->b, i, j < n ? j : j - n)
                : weir_matrix_get (j < n ? self->c : self->d, i - n, j < n ? j : j - n))
         != 0;
}

/* Marks what is reached from what is marked: states, then delays. Inputs stand in columns before
 * the delays' as outputs do in rows, so that one number stands for both ends of a delay. */
static void
spread (const WeirLinear *self, gboolean backwards, gboolean *marked)
{
  guint n = self->a->rows, outer = self->n_inputs * self->n_slots;
  guint outer_out = self->n_outputs * self->n_slots, size = n + self->n_delays;
  gboolean again = TRUE;

  while (again)
    {
      again = FALSE;
      for (guint k = 0; k < size; k++)
        for (guint l = 0; l < size && !marked[k]; l++)
          {
            guint row = backwards ? l : k, column = backwards ? k : l;

            if (marked[l]
                && reads (self, row < n ? row : row + outer_out,
                          column < n ? column : column + outer))
              marked[k] = again = TRUE;
          }
    }
}

static gboolean *
mark (const WeirLinear *self, gboolean backwards)
{
  guint n = self->a->rows, ins = self->n_inputs * self->n_slots;
  guint outs = self->n_outputs * self->n_slots, size = n + self->n_delays;
  gboolean *marked = g_new0 (gboolean, size + 1);

  for (guint k = 0; k < size; k++)
    for (guint i = 0; i < (backwards ? outs : ins); i++)
      marked[k] |= backwards ? reads (self, n + i, k < n ? k : k + ins)
                             : reads (self, k < n ? k : k + outs, n + i);
  spread (self, backwards, marked);
  return marked;
}

/* Rows and columns of @from that are listed. */
static WeirMatrix *
gather (const WeirMatrix *from, const GArray *rows, const GArray *columns)
{
  WeirMatrix *m = weir_matrix_new (rows->len, columns->len);

  for (guint i = 0; i < rows->len; i++)
    for (guint j = 0; j < columns->len; j++)
      *weir_matrix_at (m, i, j) = weir_matrix_get (from, g_array_index (rows, guint, i),
                                                   g_array_index (columns, guint, j));
  return m;
}

GArray *
weir_linear_list_on_the_way (const WeirLinear *self)
{
  g_autofree gboolean *reached = mark (self, FALSE);
  g_autofree gboolean *seen = mark (self, TRUE);
  GArray *states = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->a->rows; i++)
    if (reached[i] && seen[i])
      g_array_append_val (states, i);
  return states;
}

WeirLinear *
weir_linear_prune (const WeirLinear *self)
{
  guint n = self->a->rows, ins = self->n_inputs * self->n_slots;
  guint outs = self->n_outputs * self->n_slots;
  g_autofree gboolean *reached = mark (self, FALSE);
  g_autofree gboolean *seen = mark (self, TRUE);
  g_autoptr (GArray) states = weir_linear_list_on_the_way (self);
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) delays = g_array_new (FALSE, FALSE, sizeof (double));
  WeirLinear *pruned;

  for (guint i = 0; i < ins; i++)
    g_array_append_val (columns, i);
  for (guint i = 0; i < outs; i++)
    g_array_append_val (rows, i);
  for (guint i = 0; i < self->n_delays; i++)
    if (reached[n + i] && seen[n + i])
      {
        guint column = ins + i, row = outs + i;

        g_array_append_val (columns, column);
        g_array_append_val (rows, row);
        g_array_append_val (delays, self->delays[i]);
      }
  pruned = weir_linear_new (gather (self->a, states, states), gather (self->b, states, columns),
                            gather (self->c, rows, states), gather (self->d, rows, columns),
                            delays->len, (const double *) (gpointer) delays->data);
  pruned->n_inputs = self->n_inputs;
  pruned->n_outputs = self->n_outputs;
  pruned->n_slots = self->n_slots;
  pruned->period = self->period;
  return pruned;
}

/* --- Files ------------------------------------------------------------------------------------ */

static void
append (GByteArray *bytes, const char *name, const WeirMatrix *m)
{
  weir_mat_append_matrix (bytes, name, m->rows, m->columns, m->v);
}

GBytes *
weir_linear_to_mat (const WeirLinear *self)
{
  GByteArray *bytes = g_byte_array_new ();

  weir_mat_append_header (bytes);
  append (bytes, "A", self->a);
  append (bytes, "B", self->b);
  append (bytes, "C", self->c);
  append (bytes, "D", self->d);
  weir_mat_append_matrix (bytes, "Ts", 1, 1, &self->period);
  if (self->n_delays > 0)
    weir_mat_append_matrix (bytes, "delays", 1, self->n_delays, self->delays);
  return g_byte_array_free_to_bytes (bytes);
}

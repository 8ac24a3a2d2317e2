/* What charts of a study show. See views.h. */
#include "study/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VALUES 64 /* of a parameter, that have cells of their own */
#define MOST_PARTS 40

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* --- Over time ------------------------------------------------------------------------------- */

static const double parts[WEIR_N_BANDS] = { 0.05, 0.25, 0.5, 0.75, 0.95 };

/* The value at @t; NAN outside. @row: (inout) that at or before an earlier time. Of several rows of
 * one time the last holds. */
static double
get_value (const WeirStudyCurve *curve, gsize *row, double t, gboolean is_held)
{
  gsize i = *row;
  double part;

  if (curve->n == 0 || t < curve->times[0] || t > curve->times[curve->n - 1])
    return NAN;
  while (i + 1 < curve->n && curve->times[i + 1] <= t)
    i++;
  *row = i;
  if (is_held || curve->times[i] == t || i + 1 == curve->n)
    return curve->values[i];
  part = (t - curve->times[i]) / (curve->times[i + 1] - curve->times[i]);
  return curve->values[i] + part * (curve->values[i + 1] - curve->values[i]);
}

WeirStudyBands *
weir_study_bands_new (guint n_curves, const WeirStudyCurve *curves, gboolean is_held, guint n_times)
{
  WeirStudyBands *self = g_new0 (WeirStudyBands, 1);
  g_autofree gsize *rows = g_new0 (gsize, n_curves + 1);
  g_autofree double *there = g_new (double, n_curves + 1);
  double first = INFINITY, last = -INFINITY;

  for (guint i = 0; i < n_curves; i++)
    if (curves[i].n > 0)
      {
        first = fmin (first, curves[i].times[0]);
        last = fmax (last, curves[i].times[curves[i].n - 1]);
      }
  self->n = first <= last ? MAX (n_times, 2) : 0;
  self->times = g_new (double, self->n + 1);
  self->counts = g_new0 (guint, self->n + 1);
  for (guint b = 0; b < WEIR_N_BANDS; b++)
    self->levels[b] = g_new (double, self->n + 1);
  for (guint k = 0; k < self->n; k++)
    {
      double t = k + 1 == self->n ? last : first + (last - first) * k / (self->n - 1);

      self->times[k] = t;
      for (guint i = 0; i < n_curves; i++)
        {
          double value = get_value (&curves[i], &rows[i], t, is_held);

          if (isfinite (value))
            there[self->counts[k]++] = value;
        }
      qsort (there, self->counts[k], sizeof *there, compare);
      for (guint b = 0; b < WEIR_N_BANDS; b++)
        self->levels[b][k] = self->counts[k] > 0
                                 ? weir_study_get_quantile (there, self->counts[k], parts[b])
                                 : (double) NAN;
    }
  return self;
}

void
weir_study_bands_free (WeirStudyBands *self)
{
  for (guint b = 0; b < WEIR_N_BANDS; b++)
    g_free (self->levels[b]);
  g_free (self->times);
  g_free (self->counts);
  g_free (self);
}

/* --- What a figure owes to parameters -------------------------------------------------------- */

WeirEffectKind
weir_study_get_effect_kind (const WeirStudy *study)
{
  switch ((int) study->method)
    {
    case WEIR_POINTS_ONE_AT_A_TIME:
    case WEIR_POINTS_LOCAL:
      return WEIR_EFFECT_SWING;
    case WEIR_POINTS_MORRIS:
      return WEIR_EFFECT_MORRIS;
    case WEIR_POINTS_INDICES:
      return WEIR_EFFECT_INDEX;
    default:
      return WEIR_EFFECT_RANK;
    }
}

/* Which parameter alone differs from the middle; -1: none, or several. */
static int
find_varied (const double *values, const double *middle, guint n)
{
  int found = -1;

  for (guint k = 0; k < n; k++)
    if (values[k] != middle[k])
      {
        if (found >= 0)
          return -1;
        found = (int) k;
      }
  return found;
}

/* The middle is the first point. */
static void
calc_swings (const WeirStudyTable *table, guint n, guint f, double *middle, WeirEffect *effects)
{
  if (table->n == 0 || table->numbers[0] != 0)
    return;
  *middle = table->figures[0][f];
  for (guint64 p = 1; p < table->n; p++)
    {
      int k = find_varied (table->values[p], table->values[0], n);
      double figure = table->figures[p][f];

      if (k < 0 || !isfinite (figure))
        continue;
      if (isnan (effects[k].low))
        effects[k].low = effects[k].high = isfinite (*middle) ? *middle : figure;
      effects[k].low = fmin (effects[k].low, figure);
      effects[k].high = fmax (effects[k].high, figure);
    }
}

typedef struct {
  double value;
  guint64 place;
} Ranked;

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  return compare (&((const Ranked *) a)->value, &((const Ranked *) b)->value);
}

/* Equal ones share the mean of their ranks. */
static void
rank (const double *values, guint64 n, double *ranks)
{
  g_autofree Ranked *sorted = g_new (Ranked, n + 1);

  for (guint64 i = 0; i < n; i++)
    sorted[i] = (Ranked) { values[i], i };
  qsort (sorted, n, sizeof *sorted, compare_ranked);
  for (guint64 i = 0, end; i < n; i = end)
    {
      for (end = i + 1; end < n && sorted[end].value == sorted[i].value; end++)
        ;
      for (guint64 k = i; k < end; k++)
        ranks[sorted[k].place] = (double) (i + end - 1) / 2;
    }
}

/* NAN: one of them is the same everywhere. */
static double
correlate (const double *a, const double *b, guint64 n)
{
  double mean = (double) (n - 1) / 2, ab = 0, aa = 0, bb = 0;

  for (guint64 i = 0; i < n; i++)
    {
      ab += (a[i] - mean) * (b[i] - mean);
      aa += (a[i] - mean) * (a[i] - mean);
      bb += (b[i] - mean) * (b[i] - mean);
    }
  return aa > 0 && bb > 0 ? ab / sqrt (aa * bb) : (double) NAN;
}

double
weir_study_calc_rank_correlation (guint64 n, const double *x, const double *y)
{
  g_autofree double *whole_x = g_new (double, n + 1), *whole_y = g_new (double, n + 1);
  g_autofree double *x_ranks = g_new (double, n + 1), *y_ranks = g_new (double, n + 1);
  guint64 n_whole = 0;

  for (guint64 i = 0; i < n; i++)
    if (isfinite (x[i]) && isfinite (y[i]))
      {
        whole_x[n_whole] = x[i];
        whole_y[n_whole++] = y[i];
      }
  if (n_whole < 3)
    return NAN;
  rank (whole_x, n_whole, x_ranks);
  rank (whole_y, n_whole, y_ranks);
  return correlate (x_ranks, y_ranks, n_whole);
}

static void
calc_ranks (const WeirStudyTable *table, guint n, guint f, WeirEffect *effects)
{
  g_autofree double *x = g_new (double, table->n + 1), *y = g_new (double, table->n + 1);

  for (guint k = 0; k < n; k++)
    {
      for (guint64 p = 0; p < table->n; p++)
        {
          x[p] = table->values[p][k];
          y[p] = table->figures[p][f];
        }
      effects[k].low = effects[k].high = weir_study_calc_rank_correlation (table->n, x, y);
    }
}

static double
get_size (const WeirEffect *effect, WeirEffectKind kind)
{
  if (isnan (effect->high))
    return -1;
  return kind == WEIR_EFFECT_SWING ? effect->high - effect->low : fabs (effect->high);
}

static int
compare_effects (gconstpointer a, gconstpointer b, gpointer kind)
{
  double x = get_size (a, GPOINTER_TO_UINT (kind)), y = get_size (b, GPOINTER_TO_UINT (kind));

  return (x < y) - (x > y);
}

void
weir_study_calc_effects (const WeirStudy *study, const WeirStudyTable *table,
                         const WeirStudySummary *summary, guint f, double *middle,
                         WeirEffect *effects)
{
  guint n = study->parameters->len;
  WeirEffectKind kind = weir_study_get_effect_kind (study);
  const WeirInfluence *influences = summary != NULL && summary->influences != NULL
                                        ? summary->influences + (gsize) f * n
                                        : NULL;

  *middle = NAN;
  for (guint k = 0; k < n; k++)
    {
      effects[k] = (WeirEffect) { k, NAN, NAN };
      if (influences != NULL && kind == WEIR_EFFECT_MORRIS)
        effects[k].low = effects[k].high = influences[k].absolute_mean;
      else if (influences != NULL && kind == WEIR_EFFECT_INDEX)
        {
          effects[k].low = influences[k].first;
          effects[k].high = influences[k].total;
        }
    }
  if (kind == WEIR_EFFECT_SWING)
    calc_swings (table, n, f, middle, effects);
  else if (kind == WEIR_EFFECT_RANK)
    calc_ranks (table, n, f, effects);
  g_qsort_with_data (effects, (int) n, sizeof *effects, compare_effects, GUINT_TO_POINTER (kind));
}

/* --- Over two parameters ---------------------------------------------------------------------- */

/* Ends and middles of cells along an axis. How many there are. */
static guint
divide (const double *values, guint n, double **ends, double **middles)
{
  g_autofree double *sorted = g_memdup2 (values, (n + 1) * sizeof *values);
  guint n_distinct = 0, n_parts;
  double low, width;

  qsort (sorted, n, sizeof *sorted, compare);
  for (guint i = 0; i < n; i++)
    if (n_distinct == 0 || sorted[i] != sorted[n_distinct - 1])
      sorted[n_distinct++] = sorted[i];
  if (n_distinct <= MOST_VALUES && (n_distinct < 3 || 2 * n_distinct <= n))
    {
      *middles = g_memdup2 (sorted, n_distinct * sizeof *sorted);
      *ends = g_new (double, n_distinct + 1);
      for (guint i = 1; i < n_distinct; i++)
        (*ends)[i] = (sorted[i - 1] + sorted[i]) / 2;
      width = n_distinct > 1 ? sorted[1] - sorted[0] : 1;
      (*ends)[0] = sorted[0] - width / 2;
      width = n_distinct > 1 ? sorted[n_distinct - 1] - sorted[n_distinct - 2] : 1;
      (*ends)[n_distinct] = sorted[n_distinct - 1] + width / 2;
      return n_distinct;
    }
  n_parts = (guint) CLAMP (sqrt (n) / 2, 2, MOST_PARTS);
  low = sorted[0];
  width = (sorted[n_distinct - 1] - low) / n_parts;
  *ends = g_new (double, n_parts + 1);
  *middles = g_new (double, n_parts);
  for (guint i = 0; i <= n_parts; i++)
    (*ends)[i] = i == n_parts ? sorted[n_distinct - 1] : low + width * i;
  for (guint i = 0; i < n_parts; i++)
    (*middles)[i] = ((*ends)[i] + (*ends)[i + 1]) / 2;
  return n_parts;
}

/* Those at the very end are of the last. */
static guint
find_cell (const double *ends, guint n, double value)
{
  guint low = 0, high = n;

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (value < ends[middle])
        high = middle;
      else
        low = middle;
    }
  return low;
}

static void
find_means (WeirStudyMap *self)
{
  self->least = self->most = NAN;
  for (guint c = 0; c < self->n_x * self->n_y; c++)
    {
      if (self->counts[c] == 0)
        self->means[c] = NAN;
      else
        self->means[c] /= self->counts[c];
      self->least = fmin (self->least, self->means[c]);
      self->most = fmax (self->most, self->means[c]);
    }
}

WeirStudyMap *
weir_study_map_new (guint n, const double *x, const double *y, const double *z)
{
  WeirStudyMap *self = g_new0 (WeirStudyMap, 1);
  g_autofree double *xs = g_new (double, n + 1), *ys = g_new (double, n + 1);
  guint n_whole = 0;

  for (guint i = 0; i < n; i++)
    if (isfinite (x[i]) && isfinite (y[i]))
      {
        xs[n_whole] = x[i];
        ys[n_whole++] = y[i];
      }
  if (n_whole > 0)
    {
      self->n_x = divide (xs, n_whole, &self->x, &self->x_middle);
      self->n_y = divide (ys, n_whole, &self->y, &self->y_middle);
    }
  self->means = g_new0 (double, self->n_x * self->n_y + 1);
  self->counts = g_new0 (guint, self->n_x * self->n_y + 1);
  for (guint i = 0; i < n; i++)
    {
      guint cell;

      if (!isfinite (x[i]) || !isfinite (y[i]) || !isfinite (z[i]))
        continue;
      cell = find_cell (self->y, self->n_y, y[i]) * self->n_x
             + find_cell (self->x, self->n_x, x[i]);
      self->means[cell] += z[i];
      self->counts[cell]++;
    }
  find_means (self);
  return self;
}

void
weir_study_map_free (WeirStudyMap *self)
{
  g_free (self->x);
  g_free (self->y);
  g_free (self->x_middle);
  g_free (self->y_middle);
  g_free (self->means);
  g_free (self->counts);
  g_free (self);
}

static void
append (GArray *x, GArray *y, double at_x, double at_y)
{
  g_array_append_val (x, at_x);
  g_array_append_val (y, at_y);
}

/* Corners in a round; each side where the level is crossed gives a point, two points a piece. Of
 * four, the mean of the corners says which belong together. */
static void
trace_square (const double *px, const double *py, const double *values, double level, GArray *x,
              GArray *y)
{
  double at[4][2], mean = (values[0] + values[1] + values[2] + values[3]) / 4;
  guint n = 0, first;

  if (!isfinite (mean))
    return;
  for (guint k = 0; k < 4; k++)
    {
      guint next = (k + 1) % 4;
      double part = (level - values[k]) / (values[next] - values[k]);

      if ((values[k] < level) == (values[next] < level))
        continue;
      at[n][0] = px[k] + part * (px[next] - px[k]);
      at[n++][1] = py[k] + part * (py[next] - py[k]);
    }
  first = n == 4 && (values[0] < level) != (mean < level) ? 1 : 0;
  for (guint k = 0; k < n; k += 2)
    {
      const double *from = at[(k + first) % n], *to = at[(k + first + 1) % n];

      append (x, y, from[0], from[1]);
      append (x, y, to[0], to[1]);
      append (x, y, NAN, NAN);
    }
}

void
weir_study_map_trace (const WeirStudyMap *self, double level, GArray *x, GArray *y)
{
  for (guint j = 0; j + 1 < self->n_y; j++)
    for (guint i = 0; i + 1 < self->n_x; i++)
      {
        const double *below = self->means + j * self->n_x + i, *above = below + self->n_x;
        const double values[4] = { below[0], below[1], above[1], above[0] };
        const double px[4] = { self->x_middle[i], self->x_middle[i + 1], self->x_middle[i + 1],
                               self->x_middle[i] };
        const double py[4] = { self->y_middle[j], self->y_middle[j], self->y_middle[j + 1],
                               self->y_middle[j + 1] };

        trace_square (px, py, values, level, x, y);
      }
}

/* --- Lines through boxes ---------------------------------------------------------------------- */

/* Cuts the part @part[0] ... @part[1] of a way from @from on down to what of it is within. FALSE:
 * nothing is. */
static gboolean
cut (double from, double way, const double ends[2], double part[2])
{
  double enters, leaves;

  if (way == 0)
    return from >= ends[0] && from <= ends[1];
  enters = ((way > 0 ? ends[0] : ends[1]) - from) / way;
  leaves = ((way > 0 ? ends[1] : ends[0]) - from) / way;
  part[0] = fmax (part[0], enters);
  part[1] = fmin (part[1], leaves);
  return part[0] <= part[1];
}

/* Ends of lines are looked at by themselves: a box without extent has just them in it. */
gboolean
weir_study_passes (guint n, const double *x, const double *y, const double ends[2][2])
{
  for (guint i = 0; i < n; i++)
    {
      double part[2] = { 0, 1 };

      if (x[i] >= ends[0][0] && x[i] <= ends[0][1] && y[i] >= ends[1][0] && y[i] <= ends[1][1])
        return TRUE;
      if (i > 0 && isfinite (x[i - 1] + y[i - 1] + x[i] + y[i])
          && cut (x[i - 1], x[i] - x[i - 1], ends[0], part)
          && cut (y[i - 1], y[i] - y[i - 1], ends[1], part))
        return TRUE;
    }
  return FALSE;
}

/* --- Two figures ------------------------------------------------------------------------------ */

typedef struct {
  double a, b;
  guint place;
} Rival;

static int
compare_rivals (gconstpointer x, gconstpointer y)
{
  const Rival *p = x, *q = y;

  return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* From the best in @a on: each that is better in @b than all before; equal ones too. */
guint
weir_study_find_front (guint n, const double *a, double a_factor, const double *b, double b_factor,
                       gboolean *is_front)
{
  g_autofree Rival *rivals = g_new (Rival, n + 1);
  const Rival *best = NULL;
  guint n_rivals = 0, n_front = 0;

  for (guint i = 0; i < n; i++)
    {
      is_front[i] = FALSE;
      if (isfinite (a[i]) && isfinite (b[i]))
        rivals[n_rivals++] = (Rival) { a_factor * a[i], b_factor * b[i], i };
    }
  qsort (rivals, n_rivals, sizeof *rivals, compare_rivals);
  for (guint i = 0; i < n_rivals; i++)
    if (best == NULL || rivals[i].b < best->b || (rivals[i].b == best->b && rivals[i].a == best->a))
      {
        is_front[rivals[i].place] = TRUE;
        best = &rivals[i];
        n_front++;
      }
  return n_front;
}

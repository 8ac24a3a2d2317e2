/* Pictures over many columns of a study at once: each against each other (a scatter matrix, with
 * the histogram of each in its diagonal), and side by side (parallel coordinates, in which a point
 * is a line). See studies-page-private.h.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "gui/pages/studies-page-private.h"
#include "paint/plots/axis.h"

#define MOST_IN_MATRIX 6
#define MOST_SPECKS 20000 /* in all panels */
#define MOST_MATRIX_BINS 15
#define MOST_SIDE_BY_SIDE 12
#define MOST_LINES 1000
#define MOST_PAIRS 6 /* that are told in words */

/* The columns that there is room for, in order: the figure that is looked at, then parameters, then
 * other figures. (transfer full) */
static guint *
dup_columns (const WeirStudyPicture *self, guint most, guint *n)
{
  guint n_columns = weir_study_picture_get_n_columns (self);
  guint n_parameters = weir_study_job_get_study (self->job)->parameters->len;
  g_autofree gboolean *is_taken = g_new0 (gboolean, n_columns + 1);
  guint *columns = g_new (guint, n_columns + 1), n_taken = 0;

  if (n_parameters + self->figure < n_columns)
    {
      is_taken[n_parameters + self->figure] = TRUE;
      n_taken++;
    }
  for (guint c = 0; c < n_columns && n_taken < most; c++)
    if (!is_taken[c])
      {
        is_taken[c] = TRUE;
        n_taken++;
      }
  *n = 0;
  for (guint c = 0; c < n_columns; c++)
    if (is_taken[c])
      columns[(*n)++] = c;
  return columns;
}

/* Which columns there was no room for. */
static void
append_left_out (const WeirStudyPicture *self, guint n, const guint *columns, GString *words)
{
  GString *left = g_string_new (NULL);

  for (guint c = 0, k = 0; c < weir_study_picture_get_n_columns (self); c++)
    if (k < n && columns[k] == c)
      k++;
    else
      g_string_append_printf (left, "%s%s", left->len > 0 ? ", " : "",
                              weir_study_picture_get_name (self, c));
  if (left->len > 0)
    {
      g_string_append_c (words, '\n');
      /* Translators: %s are names of parameters and figures. */
      g_string_append_printf (words, _ ("No room for: %s."), left->str);
    }
  g_string_free (left, TRUE);
}

/* How parameters are searched: one that is even in its logarithm by that. */
static double
get_measure (const WeirStudyPicture *self, guint row, guint column)
{
  const WeirStudy *study = weir_study_job_get_study (self->job);
  double value = weir_study_picture_get_number (self, row, column);

  return column < study->parameters->len
             ? weir_study_parameter_to_search (weir_study_get_parameter (study, column), value)
             : value;
}

/* @is_measured: as get_measure() has them. FALSE: no point has it. */
static gboolean
find_ends (const WeirStudyPicture *self, guint column, gboolean is_measured, double ends[2])
{
  ends[0] = (double) INFINITY;
  ends[1] = -(double) INFINITY;
  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    {
      double value = is_measured ? get_measure (self, i, column)
                                 : weir_study_picture_get_number (self, i, column);

      if (!isfinite (value))
        continue;
      ends[0] = fmin (ends[0], value);
      ends[1] = fmax (ends[1], value);
    }
  return ends[0] <= ends[1];
}

/* --- Each against each other ------------------------------------------------------------------ */

typedef struct {
  guint a, b; /* columns */
  double correlation;
} Pair;

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  double x = fabs (((const Pair *) a)->correlation), y = fabs (((const Pair *) b)->correlation);

  return (x < y) - (x > y);
}

static double
correlate (const WeirStudyPicture *self, guint a, guint b)
{
  guint n = weir_study_picture_get_n (self);
  g_autofree double *x = g_new (double, n + 1), *y = g_new (double, n + 1);

  if (self->cancel != NULL && g_atomic_int_get (self->cancel) != 0)
    return NAN;
  for (guint i = 0; i < n; i++)
    {
      x[i] = weir_study_picture_get_number (self, i, a);
      y[i] = weir_study_picture_get_number (self, i, b);
    }
  return weir_study_calc_rank_correlation (n, x, y);
}

/* The pairs that depend on each other most. */
static char *
say_pairs (const WeirStudyPicture *self, guint n, const guint *columns)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  GString *words = g_string_new (_ ("Rank correlations, the strongest first:"));

  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++)
      {
        const Pair pair = { columns[a], columns[b], correlate (self, columns[a], columns[b]) };

        if (!isnan (pair.correlation))
          g_array_append_val (pairs, pair);
      }
  g_array_sort (pairs, compare_pairs);
  for (guint i = 0; i < MIN (pairs->len, MOST_PAIRS); i++)
    {
      const Pair *pair = &g_array_index (pairs, Pair, i);
      g_autofree char *number = weir_axis_format_value (round (pair->correlation * 1000) / 1000);

      g_string_append_printf (words, "\n%s, %s: %s", weir_study_picture_get_name (self, pair->a),
                              weir_study_picture_get_name (self, pair->b), number);
    }
  append_left_out (self, n, columns, words);
  return g_string_free (words, FALSE);
}

/* Bars as high as the panel, so that its axis is that of its row. */
static void
draw_diagonal (const WeirStudyPicture *self, WeirChart *chart, guint panel, guint column,
               const double range[2])
{
  WeirStudyBins bins;
  double most = 1;

  weir_study_picture_count (self, column, MOST_MATRIX_BINS, &bins);
  for (guint b = 0; b < bins.n; b++)
    most = fmax (most, bins.counts[b]);
  for (guint b = 0; b < bins.n; b++)
    {
      double unit = (range[1] - range[0]) / most;
      g_autofree char *text = weir_study_bins_say (&bins, b);

      weir_chart_add_box (chart, panel, 0, 0.3, bins.edges[b], bins.edges[b + 1], range[0],
                          range[0] + bins.counts[b] * unit, text);
      if (bins.lit[b] > 0)
        weir_chart_add_box (chart, panel, 1, (double) NAN, bins.edges[b], bins.edges[b + 1],
                            range[0], range[0] + bins.lit[b] * unit, NULL);
    }
}

static void
draw_pairs (const WeirStudyPicture *self, WeirChart *chart, guint panel, guint x, guint y,
            guint n_rows, const guint *rows)
{
  const guint columns[] = { x, y };

  for (guint k = 0; k < n_rows; k++)
    {
      gboolean is_chosen = weir_study_picture_is_chosen (self, rows[k]);
      double at_x = weir_study_picture_get_number (self, rows[k], x);
      double at_y = weir_study_picture_get_number (self, rows[k], y);
      g_autofree char *text = NULL;

      if (!isfinite (at_x) || !isfinite (at_y))
        continue;
      text = weir_study_picture_say_point (self, rows[k], 2, columns);
      weir_chart_add_mark (chart, panel, is_chosen ? WEIR_CHART_SQUARE : WEIR_CHART_SPECK,
                           is_chosen ? 1 : 0, at_x, at_y, text);
    }
}

char *
weir_study_draw_matrix (const WeirStudyPicture *self, WeirChart *chart)
{
  guint n, n_rows;
  g_autofree guint *columns = dup_columns (self, MOST_IN_MATRIX, &n);
  g_autofree guint *rows = weir_study_picture_dup_rows (self, MAX (MOST_SPECKS / (n * n), 1),
                                                        &n_rows);
  double ranges[MOST_IN_MATRIX][2];

  for (guint i = 0; i < n; i++)
    {
      if (!find_ends (self, columns[i], FALSE, ranges[i]))
        ranges[i][0] = 0, ranges[i][1] = 1;
      weir_axis_round_out (&ranges[i][0], &ranges[i][1], 4);
    }
  for (guint p = 0; p < n * n; p++)
    {
      const guint x = p % n, y = p / n;

      weir_chart_add_panel (chart, weir_study_picture_get_name (self, columns[x]),
                            WEIR_CHART_LINEAR, weir_study_picture_get_name (self, columns[y]),
                            WEIR_CHART_LINEAR, FALSE, FALSE);
      weir_chart_set_range (chart, p, ranges[x][0], ranges[x][1], ranges[y][0], ranges[y][1]);
      if (x == y)
        draw_diagonal (self, chart, p, columns[x], ranges[x]);
      else
        draw_pairs (self, chart, p, columns[x], columns[y], n_rows, rows);
    }
  weir_chart_set_columns (chart, n);
  return say_pairs (self, n, columns);
}

void
weir_study_find_in_matrix (const WeirStudyPicture *self, const WeirChartBox *box, gboolean *rows)
{
  guint n;
  g_autofree guint *columns = dup_columns (self, MOST_IN_MATRIX, &n);
  const guint x = box->panel % n, y = box->panel / n;

  if (x == y)
    {
      weir_study_picture_find_bins (self, columns[x], MOST_MATRIX_BINS, box->ends[0], rows);
      return;
    }
  for (guint i = 0; y < n && i < weir_study_picture_get_n (self); i++)
    {
      double at_x = weir_study_picture_get_number (self, i, columns[x]);
      double at_y = weir_study_picture_get_number (self, i, columns[y]);

      if (at_x >= box->ends[0][0] && at_x <= box->ends[0][1] && at_y >= box->ends[1][0]
          && at_y <= box->ends[1][1])
        rows[i] = TRUE;
    }
}

/* --- Side by side ----------------------------------------------------------------------------- */

/* Axes from the least to the largest value: where each begins, and how long it is. */
typedef struct {
  guint n;
  guint *columns;
  double (*ends)[2];
  double *places, *heights; /* of a line: its corners */
} Axes;

static void
axes_clear (Axes *self)
{
  g_free (self->columns);
  g_free (self->ends);
  g_free (self->places);
  g_free (self->heights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Axes, axes_clear)

static void
axes_init (Axes *self, const WeirStudyPicture *picture)
{
  self->columns = dup_columns (picture, MOST_SIDE_BY_SIDE, &self->n);
  self->ends = g_malloc_n (self->n + 1, sizeof *self->ends);
  self->places = g_new (double, self->n + 1);
  self->heights = g_new (double, self->n + 1);
  for (guint k = 0; k < self->n; k++)
    {
      self->places[k] = k;
      if (!find_ends (picture, self->columns[k], TRUE, self->ends[k]))
        self->ends[k][0] = self->ends[k][1] = (double) NAN;
    }
}

/* The line of a point; where it has no value there is a gap, and where all have one it is in the
 * middle. */
static void
axes_trace (Axes *self, const WeirStudyPicture *picture, guint row)
{
  for (guint k = 0; k < self->n; k++)
    {
      double value = get_measure (picture, row, self->columns[k]);
      double length = self->ends[k][1] - self->ends[k][0];

      self->heights[k] = length > 0         ? (value - self->ends[k][0]) / length
                         : isfinite (value) ? 0.5
                                            : (double) NAN;
    }
}

/* "Spring.gain" and, below it, "2 … 5". (transfer full) */
static GStrv
dup_names (const WeirStudyPicture *self, const Axes *axes)
{
  GStrv names = g_new0 (char *, axes->n + 1);

  for (guint k = 0; k < axes->n; k++)
    {
      double ends[2];
      g_autofree char *range = find_ends (self, axes->columns[k], FALSE, ends)
                                   ? WEIR_STUDY_SAY ("%s … %s", ends[0], ends[1])
                                   : g_strdup ("–");

      names[k] = g_strdup_printf ("%s\n%s", weir_study_picture_get_name (self, axes->columns[k]),
                                  range);
    }
  return names;
}

static char *
say_axes (const WeirStudyPicture *self, const Axes *axes)
{
  GString *words = g_string_new (_ ("Each line is a point; each axis goes from the least value up "
                                    "to the largest:"));

  for (guint k = 0; k < axes->n; k++)
    {
      double ends[2];
      g_autofree char *range = find_ends (self, axes->columns[k], FALSE, ends)
                                   ? WEIR_STUDY_SAY (_ ("from %s to %s"), ends[0], ends[1])
                                   : g_strdup ("–");

      g_string_append_printf (words, "\n%s: %s",
                              weir_study_picture_get_name (self, axes->columns[k]), range);
    }
  append_left_out (self, axes->n, axes->columns, words);
  return g_string_free (words, FALSE);
}

char *
weir_study_draw_parallel (const WeirStudyPicture *self, WeirChart *chart)
{
  static const char *const none[] = { NULL };
  gboolean pales;
  g_auto (Axes) axes = { 0 };
  g_auto (GStrv) names = NULL;
  guint n_rows;
  g_autofree guint *rows = weir_study_picture_dup_rows (self, MOST_LINES, &n_rows);

  pales = weir_study_picture_has_chosen (self) || n_rows > WEIR_STUDY_MOST_SOLID;
  axes_init (&axes, self);
  names = dup_names (self, &axes);
  weir_chart_add_panel (chart, "", WEIR_CHART_LINEAR, "", WEIR_CHART_LINEAR, FALSE, FALSE);
  weir_chart_set_names (chart, 0, 0, (const char *const *) names);
  weir_chart_set_names (chart, 0, 1, none);
  weir_chart_set_range (chart, 0, -0.4, axes.n - 0.6, -0.04, 1.04);
  for (guint k = 0; k < n_rows; k++)
    {
      gboolean is_chosen = weir_study_picture_is_chosen (self, rows[k]);
      g_autofree char *text = weir_study_picture_say_point (self, rows[k], axes.n, axes.columns);

      axes_trace (&axes, self, rows[k]);
      weir_chart_add_curve (chart, 0, is_chosen || !pales ? WEIR_CHART_LINE : WEIR_CHART_PALE,
                            is_chosen ? 1 : 0, text, axes.n, axes.places, axes.heights);
    }
  return say_axes (self, &axes);
}

void
weir_study_find_in_parallel (const WeirStudyPicture *self, const WeirChartBox *box, gboolean *rows)
{
  g_auto (Axes) axes = { 0 };

  axes_init (&axes, self);
  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    {
      axes_trace (&axes, self, i);
      if (weir_study_passes (axes.n, axes.places, axes.heights, box->ends))
        rows[i] = TRUE;
    }
}

/* WeirPlotCard. See plot-card.h. */
#include "scopes/plot-card.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/number.h"
#include "scopes/bounds-check.h"
#include "scopes/bounds-editor.h"
#include "scopes/curve-strip.h"
#include "scopes/signal-name.h"
#include "scopes/plot-axes.h"
#include "scopes/plot-menu.h"
#include "widgets/pieces.h"
#include "widgets/look.h"
#include "widgets/tooltips.h"

struct _WeirPlotCard {
  GtkWidget parent;
  WeirPlotView *view;
  GtkWidget *spectrum; /* WeirSpectrumView; seen in place of the view, or not */
  GtkWidget *curves;   /* WeirCurveStrip of toggles, in the curves' order */
  WeirBoundsCheck *check;
  GHashTable *verdicts; /* line of a bound -> WeirBoundVerdict */
  GHashTable *look;     /* set of lines: "right NAME", "time FIRST LAST" ... */
};

G_DEFINE_FINAL_TYPE (WeirPlotCard, weir_plot_card, GTK_TYPE_WIDGET)

enum { PROPERTY_LOG_TIME = 1, PROPERTY_LOG_VALUES, PROPERTY_SPECTRUM, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

enum {
  SIGNAL_REMOVE,
  SIGNAL_LOOK_CHANGED,
  SIGNAL_TIME_CHANGED,
  SIGNAL_LARGE,
  SIGNAL_APART,
  SIGNAL_BOUNDS_CHECKED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

WeirPlotView *
weir_plot_card_get_view (WeirPlotCard *self)
{
  g_return_val_if_fail (WEIR_IS_PLOT_CARD (self), NULL);

  return self->view;
}

/* --- How it is looked at --------------------------------------------------------------------- */

#define HIDDEN "hidden "
#define LEVELS "levels "

/* How the lines about an axis begin; of a logarithmic one the line itself. @curve: of a curve that
 * is measured by it; NULL: nothing is said of those. */
static const struct {
  const char *range, *log, *title, *curve;
} axis_lines[WEIR_N_PLOT_AXES] = {
  [WEIR_PLOT_TIME] = { "time ", "log time", "title time ", NULL },
  [WEIR_PLOT_LEFT] = { "values ", "log values", "title values ", NULL },
  [WEIR_PLOT_RIGHT] = { "right-values ", "log right", "title right ", "right " },
  [WEIR_PLOT_RIGHT_2] = { "right-2-values ", "log right-2", "title right-2 ", "right-2 " },
  [WEIR_PLOT_RIGHT_3] = { "right-3-values ", "log right-3", "title right-3 ", "right-3 " },
};

static gboolean
has_look (WeirPlotCard *self, const char *what, const char *curve)
{
  g_autofree char *line = g_strconcat (what, curve, NULL);

  return g_hash_table_contains (self->look, line);
}

static void
set_look (WeirPlotCard *self, const char *what, guint curve, gboolean has)
{
  const char *name = weir_plot_get_curve_name (weir_plot_view_get_plot (self->view), curve);

  if (has == has_look (self, what, name))
    return;
  if (has)
    g_hash_table_add (self->look, g_strconcat (what, name, NULL));
  else
    {
      g_autofree char *line = g_strconcat (what, name, NULL);

      g_hash_table_remove (self->look, line);
    }
  g_signal_emit (self, signals[SIGNAL_LOOK_CHANGED], 0);
}

void
weir_plot_card_set_apart (WeirPlotCard *self, gboolean apart)
{
  g_return_if_fail (WEIR_IS_PLOT_CARD (self));

  if (apart ? g_hash_table_add (self->look, g_strdup (WEIR_PLOT_APART))
            : g_hash_table_remove (self->look, WEIR_PLOT_APART))
    g_signal_emit (self, signals[SIGNAL_LOOK_CHANGED], 0);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
weir_plot_card_dup_look (WeirPlotCard *self)
{
  g_autofree const char **lines = NULL;
  guint n;

  g_return_val_if_fail (WEIR_IS_PLOT_CARD (self), NULL);

  lines = (const char **) g_hash_table_get_keys_as_array (self->look, &n);
  qsort (lines, n, sizeof *lines, compare_lines);
  return g_strjoinv ("\n", (char **) lines);
}

/* Of a file: lines that mean nothing are kept, and do nothing. */
static GHashTable *
look_new (const char *text)
{
  GHashTable *look = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_hash_table_add (look, g_strdup (lines[i]));
  return look;
}

static gboolean
is_of_axis (gpointer line, G_GNUC_UNUSED gpointer value, G_GNUC_UNUSED gpointer data)
{
  for (guint i = 0; i < WEIR_N_PLOT_AXES; i++)
    if (g_str_has_prefix (line, axis_lines[i].range) || g_str_equal (line, axis_lines[i].log)
        || g_str_has_prefix (line, axis_lines[i].title))
      return TRUE;
  return FALSE;
}

static void
keep_axis (WeirPlotCard *self, WeirPlotAxis axis)
{
  WeirPlotAxisLook look = weir_plot_view_get_axis_look (self->view, axis);
  char a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE];

  if (look.limits[0] < look.limits[1])
    g_hash_table_add (self->look,
                      g_strconcat (axis_lines[axis].range, weir_number_to_text (look.limits[0], a),
                                   " ", weir_number_to_text (look.limits[1], b), NULL));
  if (look.is_log)
    g_hash_table_add (self->look, g_strdup (axis_lines[axis].log));
  if (look.title != NULL)
    g_hash_table_add (self->look, g_strconcat (axis_lines[axis].title, look.title, NULL));
}

static void
keep_axes (WeirPlotCard *self)
{
  g_autofree char *before = weir_plot_card_dup_look (self), *after = NULL;

  g_hash_table_foreach_remove (self->look, is_of_axis, NULL);
  for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++)
    keep_axis (self, axis);
  after = weir_plot_card_dup_look (self);
  if (!g_str_equal (before, after))
    g_signal_emit (self, signals[SIGNAL_LOOK_CHANGED], 0);
}

static void
axes_changed (WeirPlotCard *self)
{
  keep_axes (self);
  for (guint i = 1; i < N_PROPERTIES; i++)
    g_object_notify_by_pspec (G_OBJECT (self), properties[i]);
  g_signal_emit (self, signals[SIGNAL_TIME_CHANGED], 0);
}

void
weir_plot_card_take_time (WeirPlotCard *self, WeirPlotCard *other)
{
  WeirPlot *plot = weir_plot_view_get_plot (self->view);
  WeirPlot *shown = weir_plot_view_get_plot (other->view);
  double first = 0, last = 0;

  g_return_if_fail (WEIR_IS_PLOT_CARD (self));

  if (weir_plot_is_range_fixed (shown, WEIR_PLOT_TIME))
    weir_plot_get_range (shown, WEIR_PLOT_TIME, &first, &last);
  weir_plot_set_range (plot, WEIR_PLOT_TIME, first, last);
  weir_plot_view_update (self->view);
  keep_axes (self);
}

/* FALSE: the line says no range of this axis. */
static gboolean
read_range (const char *line, const char *what, double *low, double *high)
{
  char *end;

  if (!g_str_has_prefix (line, what))
    return FALSE;
  *low = g_ascii_strtod (line + strlen (what), &end);
  if (*end != ' ')
    return FALSE;
  *high = g_ascii_strtod (end, &end);
  return *end == '\0' && isfinite (*low) && isfinite (*high) && *low < *high;
}

static void
take_axes (WeirPlotCard *self)
{
  WeirPlot *plot = weir_plot_view_get_plot (self->view);
  GHashTableIter iter;
  gpointer line;

  g_hash_table_iter_init (&iter, self->look);
  while (g_hash_table_iter_next (&iter, &line, NULL))
    for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++)
      {
        const char *title = axis_lines[axis].title;
        double low, high;

        if (read_range (line, axis_lines[axis].range, &low, &high))
          weir_plot_set_range (plot, axis, low, high);
        else if (g_str_equal (line, axis_lines[axis].log))
          weir_plot_set_log (plot, axis, TRUE);
        else if (g_str_has_prefix (line, title))
          weir_plot_set_axis_title (plot, axis, (const char *) line + strlen (title));
      }
}

/* --- Cursors at values ----------------------------------------------------------------------- */

#define CURSOR "cursor " /* "cursor Y1 1.5" */

static gboolean
is_of_cursor (gpointer line, G_GNUC_UNUSED gpointer value, G_GNUC_UNUSED gpointer data)
{
  return g_str_has_prefix (line, CURSOR);
}

static void
keep_value_cursors (WeirPlotCard *self)
{
  WeirPlot *plot = weir_plot_view_get_plot (self->view);
  g_autofree char *before = weir_plot_card_dup_look (self), *after = NULL;

  g_hash_table_foreach_remove (self->look, is_of_cursor, NULL);
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    {
      double value = weir_plot_get_value_cursor (plot, i);
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      if (!isnan (value))
        g_hash_table_add (self->look, g_strconcat (CURSOR, weir_value_cursor_names[i], " ",
                                                   weir_number_to_text (value, number), NULL));
    }
  after = weir_plot_card_dup_look (self);
  if (!g_str_equal (before, after))
    g_signal_emit (self, signals[SIGNAL_LOOK_CHANGED], 0);
}

static void
take_value_cursors (WeirPlotCard *self)
{
  GHashTableIter iter;
  gpointer line;

  g_hash_table_iter_init (&iter, self->look);
  while (g_hash_table_iter_next (&iter, &line, NULL))
    for (guint i = 0; i < WEIR_N_CURSORS; i++)
      {
        g_autofree char *begin = g_strconcat (CURSOR, weir_value_cursor_names[i], " ", NULL);
        double value;
        char *end;

        if (!g_str_has_prefix (line, begin))
          continue;
        value = weir_number_read ((const char *) line + strlen (begin), &end);
        if (*end == '\0' && isfinite (value))
          weir_plot_set_value_cursor (weir_plot_view_get_plot (self->view), i, value);
      }
}

/* --- The spectrum ---------------------------------------------------------------------------- */

#define SPECTRUM "spectrum "

WeirSpectrumView *
weir_plot_card_get_spectrum (WeirPlotCard *self)
{
  g_return_val_if_fail (WEIR_IS_PLOT_CARD (self), NULL);

  return gtk_widget_get_visible (self->spectrum) ? WEIR_SPECTRUM_VIEW (self->spectrum) : NULL;
}

static gboolean
is_of_spectrum (gpointer line, G_GNUC_UNUSED gpointer value, G_GNUC_UNUSED gpointer data)
{
  return g_str_has_prefix (line, SPECTRUM);
}

static void
keep_spectrum (WeirPlotCard *self)
{
  g_hash_table_foreach_remove (self->look, is_of_spectrum, NULL);
  if (gtk_widget_get_visible (self->spectrum))
    {
      g_autofree char *look = weir_spectrum_view_dup_look (WEIR_SPECTRUM_VIEW (self->spectrum));

      g_hash_table_add (self->look, g_strconcat (SPECTRUM, look, NULL));
    }
  g_signal_emit (self, signals[SIGNAL_LOOK_CHANGED], 0);
}

static void
show_spectrum (WeirPlotCard *self, gboolean shows)
{
  gtk_widget_set_visible (self->spectrum, shows);
  gtk_widget_set_visible (GTK_WIDGET (self->view), !shows);
}

static void
set_spectrum (WeirPlotCard *self, gboolean shows)
{
  if (shows == gtk_widget_get_visible (self->spectrum))
    return;
  show_spectrum (self, shows);
  gtk_widget_grab_focus (
      shows ? weir_spectrum_view_get_chart_view (WEIR_SPECTRUM_VIEW (self->spectrum))
            : GTK_WIDGET (self->view));
  keep_spectrum (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROPERTY_SPECTRUM]);
}

static void
take_spectrum (WeirPlotCard *self)
{
  GHashTableIter iter;
  gpointer line;

  g_hash_table_iter_init (&iter, self->look);
  while (g_hash_table_iter_next (&iter, &line, NULL))
    if (is_of_spectrum (line, NULL, NULL))
      {
        weir_spectrum_view_set_look (WEIR_SPECTRUM_VIEW (self->spectrum),
                                     (const char *) line + strlen (SPECTRUM));
        show_spectrum (self, TRUE);
      }
}

/* --- How steps are judged -------------------------------------------------------------------- */

#define N_LEVELS 5

static const char *
get_curve_name (WeirPlotCard *self, guint curve)
{
  return weir_plot_get_curve_name (weir_plot_view_get_plot (self->view), curve);
}

/* FALSE: the line is about something else. */
static gboolean
read_levels (const char *line, const char *curve, WeirStepLevels *levels)
{
  double numbers[N_LEVELS];
  const char *at = line + strlen (LEVELS);
  char *end;

  if (!g_str_has_prefix (line, LEVELS))
    return FALSE;
  for (guint i = 0; i < N_LEVELS; i++, at = end + 1)
    {
      numbers[i] = g_ascii_strtod (at, &end);
      if (end == at || *end != ' ')
        return FALSE;
    }
  *levels = (WeirStepLevels) { numbers[0], numbers[1], numbers[2], numbers[3], numbers[4] };
  return g_str_equal (at, curve);
}

static gboolean
is_levels_of (gpointer line, G_GNUC_UNUSED gpointer value, gpointer curve)
{
  WeirStepLevels levels;

  return read_levels (line, curve, &levels);
}

WeirStepLevels
weir_plot_card_get_levels (WeirPlotCard *self, guint curve)
{
  const char *name = get_curve_name (self, curve);
  WeirStepLevels levels;
  GHashTableIter iter;
  gpointer line;

  g_hash_table_iter_init (&iter, self->look);
  while (g_hash_table_iter_next (&iter, &line, NULL))
    if (read_levels (line, name, &levels))
      return levels;
  return WEIR_STEP_LEVELS;
}

void
weir_plot_card_set_levels (WeirPlotCard *self, guint curve, const WeirStepLevels *levels)
{
  const WeirStepLevels common = WEIR_STEP_LEVELS;
  const double numbers[N_LEVELS] = { levels->initial, levels->final, levels->low, levels->high,
                                     levels->band };
  g_autoptr (GString) line = g_string_new (LEVELS);

  g_return_if_fail (WEIR_IS_PLOT_CARD (self));

  g_hash_table_foreach_remove (self->look, is_levels_of, (gpointer) get_curve_name (self, curve));
  for (guint i = 0; i < N_LEVELS; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (
          line, "%s ",
          isnan (numbers[i]) ? "nan" : g_ascii_dtostr (number, sizeof number, numbers[i]));
    }
  g_string_append (line, get_curve_name (self, curve));
  if (!isnan (levels->initial) || !isnan (levels->final) || levels->low != common.low
      || levels->high != common.high || levels->band != common.band)
    g_hash_table_add (self->look, g_string_free (g_steal_pointer (&line), FALSE));
  g_signal_emit (self, signals[SIGNAL_LOOK_CHANGED], 0);
}

/* --- Bounds ---------------------------------------------------------------------------------- */

static gboolean
is_bound (const char *line, const char *curve, WeirBound *bound)
{
  const char *name;

  return weir_bound_parse (line, bound, &name) && (curve == NULL || g_str_equal (name, curve));
}

static gboolean
is_bound_of (gpointer line, G_GNUC_UNUSED gpointer value, gpointer curve)
{
  WeirBound bound;

  return is_bound (line, curve, &bound);
}

GArray *
weir_plot_card_dup_bounds (WeirPlotCard *self, guint curve)
{
  GArray *bounds = g_array_new (FALSE, TRUE, sizeof (WeirJudgedBound));
  const char *name = get_curve_name (self, curve);
  g_autofree char *look = weir_plot_card_dup_look (self);
  g_auto (GStrv) lines = g_strsplit (look, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const WeirBoundVerdict *verdict = g_hash_table_lookup (self->verdicts, lines[i]);
      WeirJudgedBound judged = { 0 };

      if (!is_bound (lines[i], name, &judged.bound))
        continue;
      judged.is_judged = verdict != NULL;
      if (verdict != NULL)
        judged.verdict = *verdict;
      g_array_append_val (bounds, judged);
    }
  return bounds;
}

gboolean
weir_plot_card_has_bounds (WeirPlotCard *self)
{
  return g_hash_table_find (self->look, is_bound_of, NULL) != NULL;
}

/* The one that is broken first; else whether all are kept. (transfer full) */
static char *
dup_verdict (WeirPlotCard *self)
{
  WeirPlot *plot = weir_plot_view_get_plot (self->view);
  gboolean any = FALSE, is_seen = TRUE;
  double first = (double) INFINITY;
  g_autofree char *text = NULL;

  for (guint i = 0; i < weir_plot_get_n_curves (plot); i++)
    {
      g_autoptr (GArray) bounds = weir_plot_card_dup_bounds (self, i);

      for (guint k = 0; weir_plot_get_curve_visible (plot, i) && k < bounds->len; k++)
        {
          const WeirJudgedBound *judged = &g_array_index (bounds, WeirJudgedBound, k);

          any = TRUE;
          is_seen &= judged->is_judged && judged->verdict.state != WEIR_BOUND_UNSEEN;
          if (judged->is_judged && judged->verdict.broken_at < first)
            {
              first = judged->verdict.broken_at;
              g_free (text);
              text = g_strdup_printf (judged->bound.is_upper
                                          ? _ ("✗ %s is above its bound at %.6g s")
                                          : _ ("✗ %s is below its bound at %.6g s"),
                                      get_curve_name (self, i), first);
            }
        }
    }
  if (text == NULL && any)
    text = g_strdup (is_seen ? _ ("✓ All bounds are kept")
                             : _ ("No bound is broken, but not all were seen in full"));
  return g_steal_pointer (&text);
}

static void
show_bounds (WeirPlotCard *self)
{
  WeirPlot *plot = weir_plot_view_get_plot (self->view);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (WeirPlotBound));
  g_autofree char *verdict = dup_verdict (self);

  for (guint i = 0; i < weir_plot_get_n_curves (plot); i++)
    {
      g_autoptr (GArray) bounds = weir_plot_card_dup_bounds (self, i);

      for (guint k = 0; k < bounds->len; k++)
        {
          const WeirJudgedBound *judged = &g_array_index (bounds, WeirJudgedBound, k);
          WeirPlotBound bound = { .curve = i,
                                  .is_upper = judged->bound.is_upper,
                                  .is_broken = judged->is_judged
                                               && judged->verdict.state == WEIR_BOUND_BROKEN,
                                  .from = judged->bound.from,
                                  .to = judged->bound.to,
                                  .values = { judged->bound.values[0], judged->bound.values[1] } };

          g_array_append_val (all, bound);
        }
    }
  if (all->len == 0 && weir_plot_get_n_bounds (plot) == 0)
    return;
  weir_plot_view_set_bounds (self->view, (const WeirPlotBound *) (gpointer) all->data, all->len,
                             verdict);
}

static void
bounds_checked (gpointer data, const GArray *list)
{
  WeirPlotCard *self = data;

  g_hash_table_remove_all (self->verdicts);
  for (guint i = 0; i < list->len; i++)
    {
      const WeirFiguresSignal *signal = &g_array_index (list, WeirFiguresSignal, i);

      for (guint k = 0; k < signal->bounds->len; k++)
        {
          const WeirJudgedBound *judged = &g_array_index (signal->bounds, WeirJudgedBound, k);

          g_hash_table_insert (self->verdicts, weir_bound_to_text (&judged->bound, signal->name),
                               g_memdup2 (&judged->verdict, sizeof judged->verdict));
        }
    }
  show_bounds (self);
  g_signal_emit (self, signals[SIGNAL_BOUNDS_CHECKED], 0);
}

void
weir_plot_card_check_bounds (WeirPlotCard *self, GArray *list)
{
  g_return_if_fail (WEIR_IS_PLOT_CARD (self));

  weir_bounds_check_ask (self->check, list);
}

gboolean
weir_plot_card_is_checked (WeirPlotCard *self)
{
  return weir_bounds_check_is_settled (self->check);
}

void
weir_plot_card_set_bounds (WeirPlotCard *self, guint curve, const GArray *bounds)
{
  const char *name = get_curve_name (self, curve);

  g_return_if_fail (WEIR_IS_PLOT_CARD (self));

  g_hash_table_foreach_remove (self->look, is_bound_of, (gpointer) name);
  for (guint i = 0; i < bounds->len; i++)
    g_hash_table_add (self->look, weir_bound_to_text (&g_array_index (bounds, WeirBound, i), name));
  show_bounds (self);
  g_signal_emit (self, signals[SIGNAL_LOOK_CHANGED], 0);
}

/* --- Toggles of curves ----------------------------------------------------------------------- */

static guint
curve_of (GtkWidget *toggle)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (toggle), "weir-curve"));
}

static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer toggle)
{
  WeirPlotCard *self = WEIR_PLOT_CARD (gtk_widget_get_ancestor (toggle, WEIR_TYPE_PLOT_CARD));
  guint index = weir_plot_get_curve_color (weir_plot_view_get_plot (self->view), curve_of (toggle));
  WeirColor color = weir_look_get_palette ()->curves[index];
  gboolean shown = gtk_toggle_button_get_active (toggle);

  weir_set_source (cr, color);
  cairo_set_line_width (cr, 1.5);
  cairo_rectangle (cr, 1, height / 2.0 - 4, width - 2, 8);
  if (shown)
    cairo_fill (cr);
  else
    cairo_stroke (cr);
}

static void
curve_toggled (GtkToggleButton *toggle, WeirPlotCard *self)
{
  guint curve = curve_of (GTK_WIDGET (toggle));
  gboolean shown = gtk_toggle_button_get_active (toggle);

  weir_plot_view_set_curve_visible (self->view, curve, shown);
  set_look (self, HIDDEN, curve, !shown);
  gtk_widget_queue_draw (gtk_widget_get_first_child (gtk_button_get_child (GTK_BUTTON (toggle))));
}

/* --- The axis of a curve --------------------------------------------------------------------- */

static WeirPlotAxis
get_curve_axis (WeirPlotCard *self, const char *name)
{
  for (WeirPlotAxis axis = WEIR_PLOT_RIGHT; axis < WEIR_N_PLOT_AXES; axis++)
    if (has_look (self, axis_lines[axis].curve, name))
      return axis;
  return WEIR_PLOT_LEFT;
}

static void
axis_toggled (GtkCheckButton *check, GtkWidget *toggle)
{
  WeirPlotCard *self = WEIR_PLOT_CARD (gtk_widget_get_ancestor (toggle, WEIR_TYPE_PLOT_CARD));
  WeirPlotAxis axis = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "weir-axis"));
  guint curve = curve_of (toggle);

  if (!gtk_check_button_get_active (check))
    return;
  for (WeirPlotAxis other = WEIR_PLOT_RIGHT; other < WEIR_N_PLOT_AXES; other++)
    set_look (self, axis_lines[other].curve, curve, other == axis);
  weir_plot_view_set_curve_axis (self->view, curve, axis);
}

static void
show_axis (GtkWidget *toggle)
{
  static const char *const names[WEIR_N_PLOT_AXES] = { NULL, N_ ("Axis on the Left"),
                                                       N_ ("Axis on the Right"),
                                                       N_ ("Second Axis on the Right"),
                                                       N_ ("Third Axis on the Right") };
  WeirPlotCard *self = WEIR_PLOT_CARD (gtk_widget_get_ancestor (toggle, WEIR_TYPE_PLOT_CARD));
  WeirPlotAxis now = weir_plot_get_curve_axis (weir_plot_view_get_plot (self->view),
                                               curve_of (toggle));
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *first = NULL;

  for (WeirPlotAxis axis = WEIR_PLOT_LEFT; axis < WEIR_N_PLOT_AXES; axis++)
    {
      GtkWidget *check = gtk_check_button_new_with_label (_ (names[axis]));

      gtk_check_button_set_group (GTK_CHECK_BUTTON (check), (GtkCheckButton *) first);
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), axis == now);
      g_object_set_data (G_OBJECT (check), "weir-axis", GUINT_TO_POINTER (axis));
      g_signal_connect (check, "toggled", G_CALLBACK (axis_toggled), toggle);
      gtk_box_append (GTK_BOX (box), check);
      first = first != NULL ? first : check;
    }
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_widget_set_parent (popover, toggle);
  weir_popover_unparent_when_closed (popover);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
toggle_pressed (GtkGestureClick *gesture, G_GNUC_UNUSED int n_press, G_GNUC_UNUSED double x,
                G_GNUC_UNUSED double y, GtkWidget *toggle)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  show_axis (toggle);
}

static gboolean
toggle_key (G_GNUC_UNUSED GtkEventControllerKey *keys, guint keyval, G_GNUC_UNUSED guint keycode,
            GdkModifierType state, GtkWidget *toggle)
{
  if (keyval != GDK_KEY_Menu && (keyval != GDK_KEY_F10 || !(state & GDK_SHIFT_MASK)))
    return GDK_EVENT_PROPAGATE;
  show_axis (toggle);
  return GDK_EVENT_STOP;
}

static void
add_axis_controllers (GtkWidget *toggle)
{
  GtkGesture *click = gtk_gesture_click_new (), *press = gtk_gesture_long_press_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (toggle_pressed), toggle);
  gtk_widget_add_controller (toggle, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (show_axis), toggle);
  gtk_widget_add_controller (toggle, GTK_EVENT_CONTROLLER (press));
  g_signal_connect (keys, "key-pressed", G_CALLBACK (toggle_key), toggle);
  gtk_widget_add_controller (toggle, keys);
}

#define NAME_CHARS 9 /* of a signal that are seen however little room there is */

static GtkWidget *
toggle_new (WeirPlotCard *self, guint curve, const char *name)
{
  GtkWidget *toggle = gtk_toggle_button_new (), *swatch = gtk_drawing_area_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5),
            *label = weir_path_label_new (name, NAME_CHARS);
  g_autofree char *tooltip = g_strdup_printf (
      "%s\n%s", _ ("Show or Hide This Signal (Right Click: Its Axis)"), name);

  g_object_set_data (G_OBJECT (toggle), "weir-curve", GUINT_TO_POINTER (curve));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle), !has_look (self, HIDDEN, name));
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), 12);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), 12);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch, toggle, NULL);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  weir_look_follow (swatch, G_CALLBACK (gtk_widget_queue_draw));
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (toggle), box);
  gtk_widget_add_css_class (toggle, "flat");
  gtk_widget_add_css_class (toggle, "weir-curve");
  weir_set_tooltip (toggle, tooltip);
  add_axis_controllers (toggle);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect (toggle, "toggled", G_CALLBACK (curve_toggled), self);
  return toggle;
}

void
weir_plot_card_add_signal (WeirPlotCard *self, WeirRecorder *recorder, guint signal,
                           const char *name, WeirCurveStyle style)
{
  WeirPlot *plot;
  guint curve;

  g_return_if_fail (WEIR_IS_PLOT_CARD (self));

  plot = weir_plot_view_get_plot (self->view);
  curve = weir_plot_add_signal (plot, recorder, signal, style);
  weir_plot_set_curve_name (plot, curve, name);
  weir_plot_set_curve_axis (plot, curve, get_curve_axis (self, name));
  if (has_look (self, HIDDEN, name))
    weir_plot_view_set_curve_visible (self->view, curve, FALSE);
  weir_curve_strip_add (WEIR_CURVE_STRIP (self->curves), toggle_new (self, curve, name), name);
  show_bounds (self);
}

gboolean
weir_plot_card_add_earlier (WeirPlotCard *self, WeirRecorder *recorder, const char *signal,
                            const char *run)
{
  WeirPlot *plot;
  const char *curve, *last;
  g_autofree char *name = NULL;
  guint found, newest;

  g_return_val_if_fail (WEIR_IS_PLOT_CARD (self), FALSE);

  plot = weir_plot_view_get_plot (self->view);
  newest = weir_plot_get_n_curves (plot) - 1;
  curve = weir_plot_get_curve_name (plot, newest);
  last = strrchr (curve, '.');
  if (!weir_recorder_find_signal (recorder, signal, &found)
      && !weir_recorder_find_signal (recorder, curve, &found)
      && (last == NULL || !weir_recorder_find_signal (recorder, last + 1, &found)))
    return FALSE;
  name = g_strdup_printf ("%s (%s)", curve, run);
  weir_plot_add_earlier (plot, newest, recorder, found, name);
  return TRUE;
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
emit_remove (WeirPlotCard *self)
{
  g_signal_emit (self, signals[SIGNAL_REMOVE], 0);
}

static void
ask_axes (GtkWidget *widget, G_GNUC_UNUSED const char *action, G_GNUC_UNUSED GVariant *parameter)
{
  weir_plot_axes_ask (widget, WEIR_PLOT_CARD (widget)->view);
}

static void
ask_bounds (GtkWidget *widget, G_GNUC_UNUSED const char *action, G_GNUC_UNUSED GVariant *parameter)
{
  weir_bounds_ask (WEIR_PLOT_CARD (widget));
}

static void
toggle_large (GtkWidget *widget, G_GNUC_UNUSED const char *action,
              G_GNUC_UNUSED GVariant *parameter)
{
  g_signal_emit (widget, signals[SIGNAL_LARGE], 0);
}

static void
toggle_apart (GtkWidget *widget, G_GNUC_UNUSED const char *action,
              G_GNUC_UNUSED GVariant *parameter)
{
  g_signal_emit (widget, signals[SIGNAL_APART], 0);
}

static void
toggle_value_cursors (GtkWidget *widget, G_GNUC_UNUSED const char *action,
                      G_GNUC_UNUSED GVariant *parameter)
{
  weir_plot_view_toggle_value_cursors (weir_plot_card_get_view (WEIR_PLOT_CARD (widget)));
}

static WeirPlotAxis
get_axis (guint property)
{
  return property == PROPERTY_LOG_TIME ? WEIR_PLOT_TIME : WEIR_PLOT_LEFT;
}

static void
get_property (GObject *object, guint id, GValue *value, G_GNUC_UNUSED GParamSpec *spec)
{
  WeirPlotCard *self = WEIR_PLOT_CARD (object);

  if (id == PROPERTY_SPECTRUM)
    g_value_set_boolean (value, gtk_widget_get_visible (self->spectrum));
  else
    g_value_set_boolean (value,
                         weir_plot_is_log (weir_plot_view_get_plot (self->view), get_axis (id)));
}

static void
set_property (GObject *object, guint id, const GValue *value, G_GNUC_UNUSED GParamSpec *spec)
{
  if (id == PROPERTY_SPECTRUM)
    set_spectrum (WEIR_PLOT_CARD (object), g_value_get_boolean (value));
  else
    weir_plot_view_set_log (WEIR_PLOT_CARD (object)->view, get_axis (id),
                            g_value_get_boolean (value));
}

static void
dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&WEIR_PLOT_CARD (object)->look, g_hash_table_unref);
  g_clear_pointer (&WEIR_PLOT_CARD (object)->verdicts, g_hash_table_unref);
  g_clear_pointer (&WEIR_PLOT_CARD (object)->check, weir_bounds_check_free);
  G_OBJECT_CLASS (weir_plot_card_parent_class)->dispose (object);
}

static void
weir_plot_card_class_init (WeirPlotCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  properties[PROPERTY_LOG_TIME] = g_param_spec_boolean (
      "log-time", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROPERTY_LOG_VALUES] = g_param_spec_boolean (
      "log-values", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROPERTY_SPECTRUM] = g_param_spec_boolean (
      "spectrum", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  gtk_widget_class_install_property_action (widget_class, "plot.log-time", "log-time");
  gtk_widget_class_install_property_action (widget_class, "plot.log-values", "log-values");
  gtk_widget_class_install_property_action (widget_class, "plot.spectrum", "spectrum");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_s, 0, "plot.spectrum", NULL);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action (widget_class, "plot.axes", NULL, ask_axes);
  gtk_widget_class_install_action (widget_class, "plot.large", NULL, toggle_large);
  gtk_widget_class_install_action (widget_class, "plot.value-cursors", NULL, toggle_value_cursors);
  gtk_widget_class_install_action (widget_class, "plot.apart", NULL, toggle_apart);
  weir_plot_menu_bind_apart (widget_class);
  gtk_widget_class_install_action (widget_class, "plot.bounds", NULL, ask_bounds);
  signals[SIGNAL_BOUNDS_CHECKED] = g_signal_new ("bounds-checked", G_TYPE_FROM_CLASS (klass),
                                                 G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                 G_TYPE_NONE, 0);
  signals[SIGNAL_TIME_CHANGED] = g_signal_new ("time-changed", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               0);
  signals[SIGNAL_LARGE] = g_signal_new ("large", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_APART] = g_signal_new ("apart", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_REMOVE] = g_signal_new ("remove", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_LOOK_CHANGED] = g_signal_new ("look-changed", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               0);
}

static void
weir_plot_card_init (WeirPlotCard *self)
{
  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
}

static GtkWidget *
button_new (const char *icon, const char *tooltip)
{
  GtkWidget *button = weir_icon_button_new (icon, NULL, tooltip);

  gtk_widget_add_css_class (button, "flat");
  return button;
}

GtkWidget *
weir_plot_card_new (const char *title, gboolean removable, const char *look, GMenuModel *menu)
{
  WeirPlotCard *self = g_object_new (WEIR_TYPE_PLOT_CARD, NULL);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3), *label = gtk_label_new (title);
  GtkWidget *button;

  self->look = look_new (look);
  self->verdicts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->check = weir_bounds_check_new (bounds_checked, self);
  self->view = WEIR_PLOT_VIEW (weir_plot_view_new (title));
  take_axes (self);
  take_value_cursors (self);
  g_signal_connect_swapped (self->view, "axes-changed", G_CALLBACK (axes_changed), self);
  g_signal_connect_swapped (self->view, "across-moved", G_CALLBACK (keep_value_cursors), self);
  self->spectrum = weir_spectrum_view_new (title);
  gtk_widget_set_visible (self->spectrum, FALSE);
  take_spectrum (self);
  g_signal_connect_swapped (self->spectrum, "changed", G_CALLBACK (keep_spectrum), self);
  self->curves = weir_curve_strip_new ();
  gtk_widget_set_hexpand (self->curves, TRUE);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_margin_start (label, 9);
  gtk_box_append (GTK_BOX (head), label);
  gtk_box_append (GTK_BOX (head), self->curves);
  if (removable)
    {
      button = button_new ("edit-clear-symbolic", _ ("Stop Plotting These Signals"));
      g_signal_connect_swapped (button, "clicked", G_CALLBACK (emit_remove), self);
      gtk_box_append (GTK_BOX (head), button);
    }
  button = button_new ("zoom-fit-best-symbolic", _ ("Fit Everything (Home)"));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (weir_plot_view_fit), self->view);
  gtk_box_append (GTK_BOX (head), button);
  gtk_box_append (GTK_BOX (head), weir_plot_menu_button_new (menu));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_widget_set_parent (head, GTK_WIDGET (self));
  gtk_widget_set_parent (GTK_WIDGET (self->view), GTK_WIDGET (self));
  gtk_widget_set_parent (self->spectrum, GTK_WIDGET (self));
  weir_plot_menu_attach (GTK_WIDGET (self->view), menu);
  weir_plot_menu_attach (weir_spectrum_view_get_chart_view (WEIR_SPECTRUM_VIEW (self->spectrum)),
                         menu);
  return GTK_WIDGET (self);
}

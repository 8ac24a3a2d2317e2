/* WeirFiguresPanel. See figures-panel.h.
 *
 * The measures of signals are kept from one request to the next, so that a run that goes on costs
 * its new samples only; while a thread works they are its own.
 */
#include "scopes/figures-panel.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"
#include "numerics/number.h"
#include "paint/plots/axis.h"
#include "scopes/levels-editor.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define MAX_PEAKS 100   /* of a signal that are listed */
#define PEAK_SWING 0.05 /* of the peak-to-peak value, that a peak stands out by */
#define PAUSE_MS 60     /* between two requests: tables need not be faster than the eye */

typedef enum {
  SHOWS_CURSORS,
  SHOWS_RANGE,
  SHOWS_STEP,
  SHOWS_PERIOD,
  SHOWS_PEAKS,
  SHOWS_BOUNDS,
  N_SHOWN,
} Shown;

static const struct {
  const char *name, *title;
} shown_groups[N_SHOWN] = {
  [SHOWS_CURSORS] = { "cursors", N_ ("Cursors") }, [SHOWS_RANGE] = { "range", N_ ("Statistics") },
  [SHOWS_STEP] = { "step", N_ ("Step") },          [SHOWS_PERIOD] = { "period", N_ ("Period") },
  [SHOWS_PEAKS] = { "peaks", N_ ("Peaks") },       [SHOWS_BOUNDS] = { "bounds", N_ ("Bounds") },
};

/* --- Rows ------------------------------------------------------------------------------------ */

#define WEIR_TYPE_FIGURE_ROW (weir_figure_row_get_type ())
G_DECLARE_FINAL_TYPE (WeirFigureRow, weir_figure_row, WEIR, FIGURE_ROW, GObject)

struct _WeirFigureRow {
  GObject parent_instance;
  GStrv shown, exact; /* by column; exact: for CSV */
};

G_DEFINE_FINAL_TYPE (WeirFigureRow, weir_figure_row, G_TYPE_OBJECT)

static guint row_changed_signal;

static void
weir_figure_row_finalize (GObject *object)
{
  WeirFigureRow *self = WEIR_FIGURE_ROW (object);

  g_strfreev (self->shown);
  g_strfreev (self->exact);
  G_OBJECT_CLASS (weir_figure_row_parent_class)->finalize (object);
}

static void
weir_figure_row_class_init (WeirFigureRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = weir_figure_row_finalize;
  row_changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
weir_figure_row_init (G_GNUC_UNUSED WeirFigureRow *self)
{
}

/* Cells as they are put together. */
typedef struct {
  GStrvBuilder *shown, *exact;
} Cells;

static Cells
cells_new (const char *title)
{
  Cells cells = { g_strv_builder_new (), g_strv_builder_new () };

  g_strv_builder_add (cells.shown, title);
  g_strv_builder_add (cells.exact, title);
  return cells;
}

static void
add_text (Cells *cells, const char *shown, const char *exact)
{
  g_strv_builder_add (cells->shown, shown);
  g_strv_builder_add (cells->exact, exact);
}

/* NAN: a dash. */
static void
add_number (Cells *cells, double value)
{
  g_autofree char *shown = isnan (value) ? g_strdup ("–") : weir_axis_format_value (value);
  char exact[G_ASCII_DTOSTR_BUF_SIZE];

  add_text (cells, shown, isnan (value) ? "" : weir_number_to_text (value, exact));
}

static WeirFigureRow *
cells_end (Cells *cells)
{
  WeirFigureRow *row = g_object_new (WEIR_TYPE_FIGURE_ROW, NULL);

  row->shown = g_strv_builder_end (cells->shown);
  row->exact = g_strv_builder_end (cells->exact);
  g_strv_builder_unref (cells->shown);
  g_strv_builder_unref (cells->exact);
  return row;
}

/* --- The panel ------------------------------------------------------------------------------- */

typedef struct {
  WeirFigures figures;
  GArray *peaks; /* WeirPeak */
} Found;

struct _WeirFiguresPanel {
  GtkWidget parent;
  GtkWidget *groups, *view, *note;
  GtkWidget *levels; /* WeirLevelsEditor */
  GListStore *rows;
  GStrv header;
  GArray *signals; /* WeirFiguresSignal */
  double cursors[WEIR_N_CURSORS];
  GHashTable *measures; /* key of a signal -> WeirMeasure; NULL: a thread has them */
  GArray *found;        /* Found, of the signals that were there then */
  gboolean is_stale;    /* since the thread began */
  guint pause;
};

G_DEFINE_FINAL_TYPE (WeirFiguresPanel, weir_figures_panel, GTK_TYPE_WIDGET)

enum { SIGNAL_GROUP_CHOSEN, SIGNAL_LEVELS_EDITED, SIGNAL_LEVELS_FOUND, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
clear_signal (gpointer data)
{
  WeirFiguresSignal *signal = data;

  g_free (signal->name);
  weir_recorder_unref (signal->recorder);
  g_clear_pointer (&signal->bounds, g_array_unref);
}

GArray *
weir_figures_signals_new (void)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (WeirFiguresSignal));

  g_array_set_clear_func (list, clear_signal);
  return list;
}

static const WeirFiguresSignal *
get_signal (const GArray *list, guint i)
{
  return &g_array_index (list, WeirFiguresSignal, i);
}

static void
clear_found (gpointer data)
{
  g_array_unref (((Found *) data)->peaks);
}

static GArray *
found_new (void)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Found));

  g_array_set_clear_func (found, clear_found);
  return found;
}

static Shown
get_shown (WeirFiguresPanel *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->groups));

  return selected < N_SHOWN ? (Shown) selected : SHOWS_CURSORS;
}

/* --- The table ------------------------------------------------------------------------------- */

static void
fill_cell (WeirFigureRow *row, GtkListItem *item)
{
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (item), "weir-column"));

  if (column < g_strv_length (row->shown))
    gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), row->shown[column]);
}

static void
setup_cell (GtkListItemFactory *factory, GtkListItem *item)
{
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "weir-column"));
  GtkWidget *label = gtk_label_new (NULL);

  g_object_set_data (G_OBJECT (item), "weir-column", GUINT_TO_POINTER (column));
  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  if (column > 0) /* signs stand before numbers in any language */
    {
      gtk_widget_add_css_class (label, "numeric");
      gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
    }
  gtk_list_item_set_child (item, label);
}

static void
bind_cell (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item)
{
  WeirFigureRow *row = gtk_list_item_get_item (item);

  gulong handler = g_signal_connect (row, "changed", G_CALLBACK (fill_cell), item);

  g_object_set_data (G_OBJECT (item), "weir-handler", GSIZE_TO_POINTER (handler));
  fill_cell (row, item);
}

static void
unbind_cell (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item)
{
  gulong handler = GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (item), "weir-handler"));

  g_signal_handler_disconnect (gtk_list_item_get_item (item), handler);
}

static void
set_header (WeirFiguresPanel *self, GStrv header)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  guint n = g_list_model_get_n_items (columns);

  if (self->header != NULL
      && g_strv_equal ((const char *const *) self->header, (const char *const *) header))
    {
      g_strfreev (header);
      return;
    }
  g_list_store_remove_all (self->rows);
  while (n-- > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, n);

      gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view), column);
    }
  for (guint i = 0; header[i] != NULL; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (header[i], factory);

      g_object_set_data (G_OBJECT (factory), "weir-column", GUINT_TO_POINTER (i));
      g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), NULL);
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), NULL);
      g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), NULL);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
    }
  g_strfreev (self->header);
  self->header = header;
}

/* Rows that are there stay, so that nothing is scrolled away while figures follow a run. @rows:
 * WeirFigureRow. */
static void
set_rows (WeirFiguresPanel *self, GPtrArray *rows)
{
  GListModel *model = G_LIST_MODEL (self->rows);
  guint n = g_list_model_get_n_items (model), n_kept = MIN (n, rows->len);

  for (guint i = 0; i < n_kept; i++)
    {
      g_autoptr (WeirFigureRow) row = g_list_model_get_item (model, i);
      WeirFigureRow *made = g_ptr_array_index (rows, i);
      gboolean is_same = g_strv_equal ((const char *const *) row->shown,
                                       (const char *const *) made->shown);
      GStrv shown = row->shown, exact = row->exact;

      row->shown = made->shown;
      row->exact = made->exact;
      made->shown = shown;
      made->exact = exact;
      if (!is_same)
        g_signal_emit (row, row_changed_signal, 0);
    }
  g_list_store_splice (self->rows, n_kept, n - n_kept, rows->pdata + n_kept, rows->len - n_kept);
}

/* --- Cursors --------------------------------------------------------------------------------- */

static void
add_reading (Cells *cells, double value, gboolean is_sample)
{
  g_autofree char *number = weir_axis_format_value (value);
  g_autofree char *shown = g_strconcat ("≈ ", number, NULL);
  char exact[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value) || is_sample)
    add_number (cells, value);
  else
    add_text (cells, shown, weir_number_to_text (value, exact));
}

static void
list_cursors (WeirFiguresPanel *self, GPtrArray *rows, GString *note)
{
  double dt = self->cursors[1] - self->cursors[0];
  Cells cells = cells_new (_ ("Time (s)"));
  gboolean any_between = FALSE;

  add_number (&cells, self->cursors[0]);
  add_number (&cells, self->cursors[1]);
  add_number (&cells, dt);
  add_text (&cells, "", "");
  g_ptr_array_add (rows, cells_end (&cells));
  cells = cells_new (_ ("1/Δt (Hz)"));
  add_text (&cells, "", "");
  add_text (&cells, "", "");
  add_number (&cells, dt != 0 ? 1 / dt : (double) NAN);
  add_text (&cells, "", "");
  g_ptr_array_add (rows, cells_end (&cells));
  for (guint i = 0; i < self->signals->len; i++)
    {
      const WeirFiguresSignal *signal = get_signal (self->signals, i);
      double dy = signal->readings[1] - signal->readings[0];

      cells = cells_new (signal->name);
      for (guint k = 0; k < WEIR_N_CURSORS; k++)
        {
          add_reading (&cells, signal->readings[k], signal->is_sample[k]);
          any_between |= !isnan (signal->readings[k]) && !signal->is_sample[k];
        }
      add_reading (&cells, dy, signal->is_sample[0] && signal->is_sample[1]);
      add_number (&cells, dt != 0 ? dy / dt : (double) NAN);
      g_ptr_array_add (rows, cells_end (&cells));
    }
  if (isnan (dt))
    g_string_append (note, _ ("Press A or B in a plot, or the button beside it, for a cursor."));
  else if (any_between)
    g_string_append (note, _ ("≈: interpolated between two samples"));
}

/* --- Figures --------------------------------------------------------------------------------- */

static void
note_reason (GString *note, const char *signal, const char *why)
{
  if (why == NULL)
    return;
  if (note->len > 0)
    g_string_append_c (note, '\n');
  g_string_append_printf (note, "%s: %s", signal, _ (why));
}

/* Rows that no signal has a figure for are left out. */
static gboolean
is_row_wanted (WeirFiguresPanel *self, WeirFigure figure)
{
  gboolean any = FALSE;

  if (figure == WEIR_FIGURE_PHASE)
    return self->found->len > 1;
  if (figure != WEIR_FIGURE_GAPS)
    return TRUE;
  for (guint i = 0; i < self->found->len; i++)
    any |= g_array_index (self->found, Found, i).figures.values[figure] > 0;
  return any;
}

static void
list_group (WeirFiguresPanel *self, WeirFigureGroup group, GPtrArray *rows, GString *note)
{
  for (guint k = 0; k < WEIR_N_FIGURES; k++)
    {
      const WeirFigureInfo *info = weir_figure_get_info ((WeirFigure) k);
      g_autofree char *title = *info->unit != '\0'
                                   ? g_strdup_printf ("%s (%s)", _ (info->title), info->unit)
                                   : g_strdup (_ (info->title));
      Cells cells;

      if (info->group != group || !is_row_wanted (self, (WeirFigure) k))
        continue;
      cells = cells_new (title);
      for (guint i = 0; i < self->found->len; i++)
        add_number (&cells, g_array_index (self->found, Found, i).figures.values[k]);
      g_ptr_array_add (rows, cells_end (&cells));
    }
  for (guint i = 0; i < self->found->len && i < self->signals->len; i++)
    {
      const WeirFigures *figures = &g_array_index (self->found, Found, i).figures;
      const char *why = figures->why_not[group], *name = get_signal (self->signals, i)->name;

      note_reason (note, name, why);
      if (group == WEIR_FIGURES_PERIOD && figures->why_no_phase != why)
        note_reason (note, name, figures->why_no_phase);
    }
}

static void
list_peaks (WeirFiguresPanel *self, GPtrArray *rows, GString *note)
{
  guint n = 0;

  for (guint i = 0; i < self->found->len; i++)
    n = MAX (n, g_array_index (self->found, Found, i).peaks->len);
  for (guint k = 0; k < MIN (n, MAX_PEAKS); k++)
    {
      g_autofree char *title = g_strdup_printf ("%u", k + 1);
      Cells cells = cells_new (title);

      for (guint i = 0; i < self->found->len; i++)
        {
          const GArray *peaks = g_array_index (self->found, Found, i).peaks;
          WeirPeak peak = { 0 };
          g_autofree char *value = NULL, *time = NULL, *shown = NULL;

          if (k >= peaks->len)
            {
              add_text (&cells, "", "");
              continue;
            }
          peak = g_array_index (peaks, WeirPeak, k);
          value = weir_axis_format_value (peak.value);
          time = weir_axis_format_value (peak.time);
          /* Translators: the value of a peak, and its time. */
          shown = g_strdup_printf (_ ("%s at %s s"), value, time);
          add_text (&cells, shown, shown);
        }
      g_ptr_array_add (rows, cells_end (&cells));
    }
  g_string_append_c (note, ' ');
  if (n > MAX_PEAKS)
    g_string_append_printf (note, ngettext ("and %u more", "and %u more", n - MAX_PEAKS),
                            n - MAX_PEAKS);
  else
    g_string_append (note,
                     n == 0 ? _ ("No peak stands out by a twentieth of the peak-to-peak value.")
                            : _ ("Those that stand out by a twentieth of the peak-to-peak value."));
}

/* "≤ 1.2, 0 s to 5 s" */
static char *
dup_bound_title (const char *signal, const WeirBound *bound)
{
  g_autofree char *values[2] = { weir_axis_format_value (bound->values[0]),
                                 weir_axis_format_value (bound->values[1]) };
  g_autofree char *from = weir_axis_format_value (bound->from);
  g_autofree char *to = weir_axis_format_value (bound->to);
  GString *title = g_string_new (signal);

  g_string_append_printf (title, " %s %s", bound->is_upper ? "≤" : "≥", values[0]);
  if (bound->values[0] != bound->values[1])
    g_string_append_printf (title, " … %s", values[1]);
  if (isfinite (bound->from) && isfinite (bound->to)) /* Translators: times */
    g_string_append_printf (title, _ (", %s s to %s s"), from, to);
  else if (isfinite (bound->from))
    g_string_append_printf (title, _ (", from %s s on"), from);
  else if (isfinite (bound->to))
    g_string_append_printf (title, _ (", up to %s s"), to);
  return g_string_free (title, FALSE);
}

static void
add_bound (const char *signal, const WeirJudgedBound *judged, GPtrArray *rows)
{
  static const char *const states[] = { [WEIR_BOUND_KEPT] = N_ ("kept"),
                                        [WEIR_BOUND_BROKEN] = N_ ("broken"),
                                        [WEIR_BOUND_UNSEEN] = N_ ("not seen in full") };
  const WeirBoundVerdict *verdict = &judged->verdict;
  g_autofree char *title = dup_bound_title (signal, &judged->bound);
  const char *state = judged->is_judged ? _ (states[verdict->state]) : "–";
  Cells cells = cells_new (title);

  add_text (&cells, state, state);
  add_number (&cells, judged->is_judged ? verdict->broken_at : (double) NAN);
  add_number (&cells, judged->is_judged ? verdict->worst : (double) NAN);
  add_number (&cells, judged->is_judged ? verdict->worst_at : (double) NAN);
  g_ptr_array_add (rows, cells_end (&cells));
}

static void
list_bounds (WeirFiguresPanel *self, GStrvBuilder *header, GPtrArray *rows, GString *note)
{
  const char *const titles[] = { _ ("Bound"), _ ("Verdict"), _ ("Broken at (s)"), _ ("Beyond by"),
                                 _ ("At (s)") };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    g_strv_builder_add (header, titles[i]);
  for (guint i = 0; i < self->signals->len; i++)
    {
      const WeirFiguresSignal *signal = get_signal (self->signals, i);

      for (guint k = 0; signal->bounds != NULL && k < signal->bounds->len; k++)
        add_bound (signal->name, &g_array_index (signal->bounds, WeirJudgedBound, k), rows);
    }
  g_string_append (note, rows->len > 0
                             ? _ ("Of the whole run. Below 0: so much room is left at least.")
                             : _ ("No signal that is shown has bounds: the menu of a plot sets "
                                  "them."));
}

static void
add_names (WeirFiguresPanel *self, GStrvBuilder *header)
{
  for (guint i = 0; i < self->found->len && i < self->signals->len; i++)
    g_strv_builder_add (header, get_signal (self->signals, i)->name);
}

static void
fill (WeirFiguresPanel *self)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GStrvBuilder) header = g_strv_builder_new ();
  g_autoptr (GString) note = g_string_new (NULL);
  Shown shown = get_shown (self);

  if (shown == SHOWS_CURSORS)
    {
      static const char *const titles[] = { "A", "B", "B − A", "Δy/Δt" };

      g_strv_builder_add (header, _ ("Signal"));
      for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
        g_strv_builder_add (header, titles[i]);
      list_cursors (self, rows, note);
    }
  else if (shown == SHOWS_BOUNDS)
    list_bounds (self, header, rows, note);
  else
    {
      g_strv_builder_add (header, shown == SHOWS_PEAKS ? _ ("Peak") : _ ("Figure"));
      g_string_append (note, isnan (self->cursors[1] - self->cursors[0])
                                 ? _ ("Of what is shown.")
                                 : _ ("Between the cursors."));
      add_names (self, header);
      if (shown == SHOWS_PEAKS)
        list_peaks (self, rows, note);
      else
        list_group (self,
                    shown == SHOWS_RANGE  ? WEIR_FIGURES_RANGE
                    : shown == SHOWS_STEP ? WEIR_FIGURES_STEP
                                          : WEIR_FIGURES_PERIOD,
                    rows, note);
    }
  set_header (self, g_strv_builder_end (header));
  set_rows (self, rows);
  gtk_label_set_text (GTK_LABEL (self->note), note->str);
  gtk_widget_set_visible (self->note, note->len > 0);
  gtk_widget_set_visible (self->levels, shown == SHOWS_STEP);
  g_signal_emit (self, signals[SIGNAL_LEVELS_FOUND], 0);
}

/* --- In the thread --------------------------------------------------------------------------- */

typedef struct {
  GWeakRef panel;
  GArray *signals;
  GHashTable *measures;
  GArray *found;
} Finding;

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_weak_ref_clear (&finding->panel);
  g_array_unref (finding->signals);
  g_clear_pointer (&finding->measures, g_hash_table_unref);
  g_clear_pointer (&finding->found, g_array_unref);
  g_free (finding);
}

static char *
dup_key (const WeirFiguresSignal *signal)
{
  return g_strdup_printf ("%p %u %d", (gpointer) signal->recorder, signal->signal, signal->between);
}

static GHashTable *
measures_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                (GDestroyNotify) weir_measure_free);
}

/* Those of all signals, as far as there are rows by now; what else was measured is forgotten. */
static void
update_measures (Finding *finding)
{
  g_autoptr (GHashTable) before = finding->measures;

  finding->measures = measures_new ();
  for (guint i = 0; i < finding->signals->len; i++)
    {
      const WeirFiguresSignal *signal = get_signal (finding->signals, i);
      g_autofree char *key = dup_key (signal);
      gpointer kept, measure = NULL;

      if (g_hash_table_contains (finding->measures, key))
        continue;
      if (g_hash_table_steal_extended (before, key, &kept, &measure))
        {
          g_free (kept);
          weir_measure_update (measure);
        }
      else
        measure = weir_measure_new_for_signal (signal->recorder, signal->signal, signal->between);
      g_hash_table_insert (finding->measures, g_steal_pointer (&key), measure);
    }
}

static WeirMeasure *
find_measure (Finding *finding, guint i)
{
  g_autofree char *key = dup_key (get_signal (finding->signals, i));

  return g_hash_table_lookup (finding->measures, key);
}

static void
find (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
      G_GNUC_UNUSED GCancellable *cancellable)
{
  Finding *finding = data;

  update_measures (finding);
  finding->found = found_new ();
  for (guint i = 0; i < finding->signals->len; i++)
    {
      const WeirFiguresSignal *signal = get_signal (finding->signals, i);
      const WeirMeasure *measure = find_measure (finding, i);
      Found found = { 0 };

      weir_figures_find (measure, signal->range, &signal->levels,
                         i > 0 ? find_measure (finding, 0) : NULL, &found.figures);
      found.peaks = weir_measure_list_peaks (
          measure, signal->range, PEAK_SWING * found.figures.values[WEIR_FIGURE_PEAK_TO_PEAK]);
      g_array_append_val (finding->found, found);
    }
  g_task_return_boolean (task, TRUE);
}

/* --- Asking it ------------------------------------------------------------------------------- */

static void request (WeirFiguresPanel *self);

static gboolean
pause_over (gpointer data)
{
  WeirFiguresPanel *self = data;

  self->pause = 0;
  if (self->is_stale)
    request (self);
  return G_SOURCE_REMOVE;
}

static void
found (G_GNUC_UNUSED GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  Finding *finding = g_task_get_task_data (G_TASK (result));
  g_autoptr (WeirFiguresPanel) self = g_weak_ref_get (&finding->panel);

  if (self == NULL || self->signals == NULL)
    return;
  self->measures = g_steal_pointer (&finding->measures);
  g_array_unref (self->found);
  self->found = g_steal_pointer (&finding->found);
  self->pause = g_timeout_add (PAUSE_MS, pause_over, self);
  if (get_shown (self) != SHOWS_CURSORS)
    fill (self);
}

static void
request (WeirFiguresPanel *self)
{
  Finding *finding;
  g_autoptr (GTask) task = NULL;

  self->is_stale = TRUE;
  if (self->measures == NULL || self->pause != 0)
    return;
  self->is_stale = FALSE;
  finding = g_new0 (Finding, 1);
  g_weak_ref_init (&finding->panel, self);
  finding->signals = g_array_ref (self->signals); /* never altered, only replaced */
  finding->measures = g_steal_pointer (&self->measures);
  task = g_task_new (NULL, NULL, found, NULL);
  g_task_set_task_data (task, finding, finding_free);
  g_task_run_in_thread (task, find);
}

gboolean
weir_figures_panel_is_settled (WeirFiguresPanel *self)
{
  return self->measures != NULL && !self->is_stale;
}

/* --- What is shown --------------------------------------------------------------------------- */

/* Have they the same names, in the same order? */
static gboolean
are_alike (const GArray *a, const GArray *b)
{
  gboolean alike = a->len == b->len;

  for (guint i = 0; alike && i < a->len; i++)
    alike = g_str_equal (get_signal (a, i)->name, get_signal (b, i)->name);
  return alike;
}

static void
name_signals (WeirFiguresPanel *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (guint i = 0; i < self->signals->len; i++)
    g_strv_builder_add (names, get_signal (self->signals, i)->name);
  list = g_strv_builder_end (names);
  weir_levels_editor_set_signals (WEIR_LEVELS_EDITOR (self->levels), (const char *const *) list);
}

static void
show_levels (WeirFiguresPanel *self)
{
  guint signal = weir_levels_editor_get_signal (WEIR_LEVELS_EDITOR (self->levels));

  if (signal < self->signals->len)
    weir_levels_editor_set_levels (WEIR_LEVELS_EDITOR (self->levels),
                                   &get_signal (self->signals, signal)->levels);
}

void
weir_figures_panel_show (WeirFiguresPanel *self, GArray *list, const double cursors[WEIR_N_CURSORS])
{
  gboolean alike;

  g_return_if_fail (WEIR_IS_FIGURES_PANEL (self));

  alike = are_alike (self->signals, list);
  g_array_unref (self->signals);
  self->signals = list;
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    self->cursors[i] = cursors[i];
  if (!alike)
    {
      g_array_set_size (self->found, 0); /* of others */
      name_signals (self);
    }
  show_levels (self);
  if (!alike || get_shown (self) == SHOWS_CURSORS || get_shown (self) == SHOWS_BOUNDS)
    fill (self);
  request (self);
}

const char *
weir_figures_panel_get_group (WeirFiguresPanel *self)
{
  return shown_groups[get_shown (self)].name;
}

void
weir_figures_panel_set_group (WeirFiguresPanel *self, const char *group)
{
  g_return_if_fail (WEIR_IS_FIGURES_PANEL (self));

  for (guint i = 0; i < N_SHOWN; i++)
    if (g_str_equal (shown_groups[i].name, group))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->groups), i);
}

WeirStepLevels
weir_figures_panel_get_edited (WeirFiguresPanel *self, G_GNUC_UNUSED guint signal)
{
  return weir_levels_editor_get_levels (WEIR_LEVELS_EDITOR (self->levels));
}

gboolean
weir_figures_panel_get_levels (WeirFiguresPanel *self, guint *signal, WeirStepLevels *levels)
{
  *signal = weir_levels_editor_get_signal (WEIR_LEVELS_EDITOR (self->levels));
  if (get_shown (self) != SHOWS_STEP || *signal >= self->found->len)
    return FALSE;
  *levels = g_array_index (self->found, Found, *signal).figures.levels;
  return isfinite (levels->initial) && isfinite (levels->final);
}

/* --- Copying --------------------------------------------------------------------------------- */

static void
append_line (GString *text, GStrv cells, gboolean csv)
{
  for (guint i = 0; cells[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (text, csv ? ',' : '\t');
      if (csv)
        weir_csv_append_field (text, cells[i]);
      else
        g_string_append (text, cells[i]);
    }
  g_string_append_c (text, '\n');
}

char *
weir_figures_panel_to_text (WeirFiguresPanel *self, gboolean csv)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->header != NULL)
    append_line (text, self->header, csv);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->rows)); i++)
    {
      g_autoptr (WeirFigureRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

      append_line (text, csv ? row->exact : row->shown, csv);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
copy (GtkWidget *widget, const char *action, G_GNUC_UNUSED GVariant *parameter)
{
  g_autofree char *text = weir_figures_panel_to_text (WEIR_FIGURES_PANEL (widget),
                                                      g_str_equal (action, "figures.copy-csv"));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
group_selected (WeirFiguresPanel *self)
{
  fill (self);
  g_signal_emit (self, signals[SIGNAL_GROUP_CHOSEN], 0);
}

static void
levels_edited (WeirFiguresPanel *self)
{
  g_signal_emit (self, signals[SIGNAL_LEVELS_EDITED], 0,
                 weir_levels_editor_get_signal (WEIR_LEVELS_EDITOR (self->levels)));
}

static void
signal_chosen (WeirFiguresPanel *self)
{
  show_levels (self);
  g_signal_emit (self, signals[SIGNAL_LEVELS_FOUND], 0);
}

static void
dispose (GObject *object)
{
  WeirFiguresPanel *self = WEIR_FIGURES_PANEL (object);
  GtkWidget *child;

  g_clear_handle_id (&self->pause, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->header, g_strfreev);
  g_clear_pointer (&self->signals, g_array_unref);
  g_clear_pointer (&self->measures, g_hash_table_unref);
  g_clear_pointer (&self->found, g_array_unref);
  G_OBJECT_CLASS (weir_figures_panel_parent_class)->dispose (object);
}

static void
weir_figures_panel_class_init (WeirFiguresPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "weir-figures");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action (widget_class, "figures.copy-text", NULL, copy);
  gtk_widget_class_install_action (widget_class, "figures.copy-csv", NULL, copy);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK,
                                       "figures.copy-text", NULL);
  signals[SIGNAL_GROUP_CHOSEN] = g_signal_new ("group-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                               NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_LEVELS_EDITED] = g_signal_new ("levels-edited", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_LEVELS_FOUND] = g_signal_new ("levels-found", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                               NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
copy_button_new (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (menu, _ ("Copy as _Text"), "figures.copy-text");
  g_menu_append (menu, _ ("Copy as _CSV"), "figures.copy-csv");
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "edit-copy-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  weir_set_tooltip (button, _ ("Copy the Table"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Copy the Table"), -1);
  return button;
}

static GtkWidget *
head_new (WeirFiguresPanel *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < N_SHOWN; i++)
    gtk_string_list_append (titles, _ (shown_groups[i].title));
  self->groups = weir_drop_down_new (g_steal_pointer (&titles), _ ("Figures"));
  self->levels = weir_levels_editor_new ();
  gtk_box_append (GTK_BOX (head), self->groups);
  gtk_box_append (GTK_BOX (head), self->levels);
  gtk_box_append (GTK_BOX (head), copy_button_new ());
  return head;
}

static void
weir_figures_panel_init (WeirFiguresPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkSelectionModel *selection;

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  self->signals = weir_figures_signals_new ();
  self->found = found_new ();
  self->measures = measures_new ();
  self->cursors[0] = self->cursors[1] = (double) NAN;
  self->rows = g_list_store_new (WEIR_TYPE_FIGURE_ROW);
  gtk_widget_set_parent (head_new (self), GTK_WIDGET (self));

  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->rows))));
  self->view = gtk_column_view_new (selection);
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Figures"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));

  self->note = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (self->note), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_xalign (GTK_LABEL (self->note), 0);
  gtk_label_set_selectable (GTK_LABEL (self->note), TRUE);
  gtk_widget_add_css_class (self->note, "caption");
  weir_set_margins (self->note, 6, 3);
  gtk_widget_set_parent (self->note, GTK_WIDGET (self));

  g_signal_connect_swapped (self->groups, "notify::selected", G_CALLBACK (group_selected), self);
  g_signal_connect_swapped (self->levels, "edited", G_CALLBACK (levels_edited), self);
  g_signal_connect_swapped (self->levels, "signal-chosen", G_CALLBACK (signal_chosen), self);
  fill (self);
}

GtkWidget *
weir_figures_panel_new (void)
{
  return g_object_new (WEIR_TYPE_FIGURES_PANEL, NULL);
}

/* The bounds of a plot, typed. See bounds-editor.h. */
#include "scopes/bounds-editor.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "numerics/number.h"
#include "scopes/plot-menu.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define MOST_WIDTH 520 /* px: more is scrolled */
#define MOST_HEIGHT 340
#define N_NUMBERS 4  /* of a bound: from, to, both values */
#define N_ENVELOPE 4 /* of an envelope: rise, settling, overshoot, undershoot */

typedef struct {
  GtkWidget *box, *side, *numbers[N_NUMBERS];
} Row;

typedef struct {
  WeirPlotCard *card; /* lives as long as the popover */
  GtkWidget *popover, *curve, *list, *problem, *envelope[N_ENVELOPE];
  GArray *rows;   /* Row */
  GArray *curves; /* guint: of the drop-down's entries */
} Editor;

static void
editor_free (gpointer data)
{
  Editor *self = data;

  g_array_unref (self->rows);
  g_array_unref (self->curves);
  g_free (self);
}

static guint
get_curve (Editor *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->curve));

  return i < self->curves->len ? g_array_index (self->curves, guint, i) : 0;
}

static void
complain (Editor *self, const char *problem)
{
  gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem, problem != NULL);
}

/* FALSE: it is none. Nothing: @otherwise. */
static gboolean
read_number (GtkWidget *entry, double otherwise, double *value)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
  char *end;

  *value = *text == '\0' ? otherwise : g_ascii_strtod (text, &end);
  return *text == '\0' || (end != text && *end == '\0' && isfinite (*value));
}

static void
show_number (GtkWidget *entry, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  gtk_editable_set_text (GTK_EDITABLE (entry),
                         isfinite (value) ? weir_number_to_text (value, text) : "");
}

/* --- Rows ------------------------------------------------------------------------------------ */

static void apply (Editor *self);

static GtkWidget *
entry_new (Editor *self, const char *name, const char *placeholder)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 6);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 8);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), placeholder);
  weir_set_tooltip (entry, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (apply), self);
  return entry;
}

static void
remove_row (GtkButton *button, Editor *self)
{
  GtkWidget *box = gtk_widget_get_parent (GTK_WIDGET (button));

  for (guint i = 0; i < self->rows->len; i++)
    if (g_array_index (self->rows, Row, i).box == box)
      {
        g_array_remove_index (self->rows, i);
        break;
      }
  gtk_box_remove (GTK_BOX (self->list), box);
}

static void
add_row (Editor *self, const WeirBound *bound)
{
  static const char *const names[N_NUMBERS] = { N_ ("From (s)"), N_ ("To (s)"),
                                                N_ ("Value at the beginning"),
                                                N_ ("Value at the end") };
  static const char *const placeholders[N_NUMBERS] = { N_ ("begin"), N_ ("end"), NULL, NULL };
  const double numbers[N_NUMBERS] = { bound->from, bound->to, bound->values[0], bound->values[1] };
  g_autoptr (GtkStringList) sides = gtk_string_list_new (NULL);
  GtkWidget *button = weir_icon_button_new ("list-remove-symbolic", NULL, _ ("Remove This Bound"));
  Row row = { .box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3) };

  gtk_string_list_append (sides, _ ("Not below"));
  gtk_string_list_append (sides, _ ("Not above"));
  row.side = weir_drop_down_new (g_steal_pointer (&sides), _ ("Which Side Is Not Allowed"));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (row.side), bound->is_upper);
  gtk_widget_set_size_request (row.side, 110, -1);
  gtk_box_append (GTK_BOX (row.box), row.side);
  for (guint i = 0; i < N_NUMBERS; i++)
    {
      row.numbers[i] = entry_new (self, _ (names[i]),
                                  placeholders[i] != NULL ? _ (placeholders[i]) : NULL);
      show_number (row.numbers[i], numbers[i]);
      gtk_box_append (GTK_BOX (row.box), row.numbers[i]);
    }
  gtk_widget_add_css_class (button, "flat");
  g_signal_connect (button, "clicked", G_CALLBACK (remove_row), self);
  gtk_box_append (GTK_BOX (row.box), button);
  gtk_box_append (GTK_BOX (self->list), row.box);
  g_array_append_val (self->rows, row);
}

static void
add_empty (Editor *self)
{
  add_row (self, &(WeirBound) { TRUE, -INFINITY, INFINITY, { (double) NAN, (double) NAN } });
  gtk_widget_grab_focus (g_array_index (self->rows, Row, self->rows->len - 1).numbers[2]);
}

static void
show_bounds (Editor *self)
{
  g_autoptr (GArray) bounds = weir_plot_card_dup_bounds (self->card, get_curve (self));
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  g_array_set_size (self->rows, 0);
  for (guint i = 0; i < bounds->len; i++)
    add_row (self, &g_array_index (bounds, WeirJudgedBound, i).bound);
  complain (self, NULL);
}

/* FALSE: it is not sound. */
static gboolean
read_row (const Row *row, WeirBound *bound)
{
  bound->is_upper = gtk_drop_down_get_selected (GTK_DROP_DOWN (row->side)) == 1;
  return read_number (row->numbers[0], -INFINITY, &bound->from)
         && read_number (row->numbers[1], INFINITY, &bound->to)
         && read_number (row->numbers[2], (double) NAN, &bound->values[0])
         && read_number (row->numbers[3], bound->values[0], &bound->values[1])
         && weir_bound_is_sound (bound);
}

static void
apply (Editor *self)
{
  g_autoptr (GArray) bounds = g_array_new (FALSE, FALSE, sizeof (WeirBound));

  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      WeirBound bound;

      if (!read_row (row, &bound))
        {
          complain (self, _ ("A bound has a value, and goes from a time to a later one; without "
                             "times it has one value."));
          gtk_widget_grab_focus (row->numbers[2]);
          return;
        }
      g_array_append_val (bounds, bound);
    }
  weir_plot_card_set_bounds (self->card, get_curve (self), bounds);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

/* --- The envelope of a step ------------------------------------------------------------------ */

/* A level as the curve has it there, in digits that can be read; as it is if the curve has none. */
static void
read_level (WeirPlot *plot, guint curve, double time, double *level)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (weir_plot_get_value_at (plot, curve, time, level))
    *level = g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.4g", *level), NULL);
}

/* From the beginning of what is shown to its end; of levels that are not given, what is there. */
static void
add_envelope (Editor *self)
{
  WeirPlot *plot = weir_plot_view_get_plot (weir_plot_card_get_view (self->card));
  WeirStepLevels levels = weir_plot_card_get_levels (self->card, get_curve (self));
  const WeirAxis *time = weir_plot_get_axis (plot, WEIR_PLOT_TIME);
  WeirBound bounds[WEIR_N_ENVELOPE_BOUNDS];
  double numbers[N_ENVELOPE];
  gboolean is_sound = TRUE;

  for (guint i = 0; i < N_ENVELOPE; i++)
    is_sound = read_number (self->envelope[i], (double) NAN, &numbers[i]) && numbers[i] >= 0
               && is_sound;
  if (isnan (levels.initial))
    read_level (plot, get_curve (self), time->low, &levels.initial);
  if (isnan (levels.final))
    read_level (plot, get_curve (self), time->high, &levels.final);
  if (!is_sound || !(numbers[0] > 0 && numbers[0] < numbers[1])
      || !(numbers[1] < time->high - time->low) || !(isfinite (levels.initial + levels.final)))
    {
      complain (self, _ ("A step rises before it settles, and settles within what is shown."));
      return;
    }
  complain (self, NULL);
  weir_bound_make_envelope (&levels, time->low, time->high, numbers[0], numbers[1],
                            numbers[2] / 100, numbers[3] / 100, bounds);
  for (guint i = 0; i < WEIR_N_ENVELOPE_BOUNDS; i++)
    add_row (self, &bounds[i]);
}

static GtkWidget *
envelope_new (Editor *self)
{
  static const char *const names[N_ENVELOPE] = { N_ ("Rise time (s)"), N_ ("Settling time (s)"),
                                                 N_ ("Overshoot (%)"), N_ ("Undershoot (%)") };
  GtkWidget *expander = gtk_expander_new (_ ("Envelope of a Step")), *grid = gtk_grid_new ();
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("Add _Envelope"));

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  for (guint i = 0; i < N_ENVELOPE; i++)
    {
      GtkWidget *label = gtk_label_new (_ (names[i]));

      self->envelope[i] = entry_new (self, _ (names[i]), NULL);
      if (i >= 2)
        show_number (self->envelope[i], i == 2 ? 10 : 5);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_grid_attach (GTK_GRID (grid), label, 0, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), self->envelope[i], 1, (int) i, 1, 1);
    }
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (add_envelope), self);
  gtk_grid_attach (GTK_GRID (grid), button, 0, N_ENVELOPE, 2, 1);
  gtk_expander_set_child (GTK_EXPANDER (expander), grid);
  return expander;
}

/* --- Asking ---------------------------------------------------------------------------------- */

static GtkWidget *
curve_choice_new (Editor *self)
{
  WeirPlot *plot = weir_plot_view_get_plot (weir_plot_card_get_view (self->card));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < weir_plot_get_n_curves (plot); i++)
    if (weir_plot_get_curve_visible (plot, i) && !weir_plot_is_earlier (plot, i))
      {
        gtk_string_list_append (names, weir_plot_get_curve_name (plot, i));
        g_array_append_val (self->curves, i);
      }
  self->curve = weir_drop_down_new (g_steal_pointer (&names), _ ("Signal With Bounds"));
  g_signal_connect_swapped (self->curve, "notify::selected", G_CALLBACK (show_bounds), self);
  return self->curve;
}

static GtkWidget *
scrolled_new (GtkWidget *child)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), child);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MOST_HEIGHT);
  gtk_scrolled_window_set_max_content_width (GTK_SCROLLED_WINDOW (scrolled), MOST_WIDTH);
  return scrolled;
}

static void
append_button (GtkWidget *box, const char *label, void (*clicked) (Editor *self), Editor *self)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked), self);
  gtk_box_append (GTK_BOX (box), button);
}

void
weir_bounds_ask (WeirPlotCard *card)
{
  Editor *self = g_new0 (Editor, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *inside = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->card = card;
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self->curves = g_array_new (FALSE, FALSE, sizeof (guint));
  self->popover = gtk_popover_new ();
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  self->problem = weir_problem_label_new (36);
  gtk_box_append (GTK_BOX (box), curve_choice_new (self));
  gtk_box_append (GTK_BOX (inside), self->list);
  append_button (inside, _ ("Add a _Bound"), add_empty, self);
  gtk_box_append (GTK_BOX (inside), envelope_new (self));
  gtk_box_append (GTK_BOX (box), scrolled_new (inside));
  gtk_box_append (GTK_BOX (box), self->problem);
  append_button (box, _ ("_Apply"), apply, self);
  show_bounds (self);
  g_object_set_data_full (G_OBJECT (self->popover), "weir-bounds", self, editor_free);
  gtk_popover_set_child (GTK_POPOVER (self->popover), box);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (card));
  weir_popover_unparent_when_closed (self->popover);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

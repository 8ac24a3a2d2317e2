/* The form of a study: what varies between which values, how points are laid out, what is kept. See
 * studies-page-private.h.
 *
 * Each row of the form is of the draft's parameter or figure in the same place. What is chosen from
 * a list is the draft's at once; what is typed once it is asked for.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "gui/pages/studies-page-private.h"
#include "blocks/library/registry.h"
#include "model/completion/completion.h"
#include "numerics/number.h"
#include "paint/plots/axis.h"
#include "scopes/signal-name.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define MOST_CURVES 200 /* points whose signals are kept unless it is asked for otherwise */

typedef enum {
  FIELDS_NONE, /* the points are listed */
  FIELDS_ENDS,
  FIELDS_NORMAL,
  FIELDS_MEAN,
  FIELDS_VALUES,
} Fields;

/* A parameter that varies. */
typedef struct {
  GtkWidget *label, *remove;
  Fields fields;
  GtkWidget *entries[2]; /* NULL beyond its fields */
} Variation;

/* A figure that is kept. */
typedef struct {
  GtkWidget *label; /* of an expression; else NULL */
  GtkDropDown *kinds, *ports;
  GtkWidget *remove;
} Kept;

static const struct {
  const char *title;
  WeirPointsMethod method;
  gboolean is_largest;
} methods[] = {
  { N_ ("Grid"), WEIR_POINTS_GRID, FALSE },
  { N_ ("Latin Hypercube"), WEIR_POINTS_LATIN_HYPERCUBE, FALSE },
  { N_ ("Sobol's Sequence"), WEIR_POINTS_SOBOL, FALSE },
  { N_ ("Find the Least"), WEIR_POINTS_OPTIMISE, FALSE },
  { N_ ("Find the Largest"), WEIR_POINTS_OPTIMISE, TRUE },
  { N_ ("Random"), WEIR_POINTS_RANDOM, FALSE },
  { N_ ("One at a Time"), WEIR_POINTS_ONE_AT_A_TIME, FALSE },
  { N_ ("All Corners"), WEIR_POINTS_CORNERS, FALSE },
  { N_ ("Derivatives at the Middle"), WEIR_POINTS_LOCAL, FALSE },
  { N_ ("Morris's Walks"), WEIR_POINTS_MORRIS, FALSE },
  { N_ ("Sobol's Indices"), WEIR_POINTS_INDICES, FALSE },
  /* Of files that have what these need. */
  { N_ ("Listed Points"), WEIR_POINTS_LIST, FALSE },
  { N_ ("Fit to Measurements"), WEIR_POINTS_FIT, FALSE },
};

static const char *const kinds[WEIR_FIGURE_EXPRESSION] = {
  [WEIR_FIGURE_MAXIMUM] = N_ ("Maximum"),
  [WEIR_FIGURE_MINIMUM] = N_ ("Minimum"),
  [WEIR_FIGURE_MEAN] = N_ ("Mean"),
  [WEIR_FIGURE_RMS] = N_ ("RMS"),
  [WEIR_FIGURE_DEVIATION] = N_ ("Standard Deviation"),
  [WEIR_FIGURE_INTEGRAL] = N_ ("Integral"),
  [WEIR_FIGURE_INITIAL] = N_ ("Initial Value"),
  [WEIR_FIGURE_FINAL] = N_ ("Final Value"),
  [WEIR_FIGURE_PEAK] = N_ ("Peak"),
  [WEIR_FIGURE_PEAK_TIME] = N_ ("Time of the Peak"),
  [WEIR_FIGURE_OVERSHOOT] = N_ ("Overshoot"),
  [WEIR_FIGURE_UNDERSHOOT] = N_ ("Undershoot"),
  [WEIR_FIGURE_RISE_TIME] = N_ ("Rise Time"),
  [WEIR_FIGURE_SETTLING_TIME] = N_ ("Settling Time"),
  [WEIR_FIGURE_MEDIAN] = N_ ("Median"),
  [WEIR_FIGURE_PERIOD] = N_ ("Period"),
};

static WeirModel *
get_model (WeirStudiesPage *self)
{
  return weir_document_get_model (self->parent.document);
}

static WeirStudyParameter *
get_parameter (WeirStudiesPage *self, guint i)
{
  return &g_array_index (self->draft->parameters, WeirStudyParameter, i);
}

static void
draft_changed (WeirStudiesPage *self)
{
  if (self->is_filling)
    return;
  weir_studies_files_update_name (self);
  weir_studies_page_preview (self);
}

/* What is typed, one edit for each entry. */
static void
typed (WeirStudiesPage *self, GtkEditable *entry)
{
  weir_studies_history_begin (self, entry);
  weir_studies_form_enter (self, FALSE);
  draft_changed (self);
}

/* --- What varies ------------------------------------------------------------------------------ */

static Fields
get_fields (const WeirStudy *draft, const WeirStudyParameter *p)
{
  if (draft->method == WEIR_POINTS_LIST)
    return FIELDS_NONE;
  if (p->values != NULL
      && (draft->method == WEIR_POINTS_GRID || draft->method == WEIR_POINTS_ONE_AT_A_TIME))
    return FIELDS_VALUES;
  switch (p->distribution)
    {
    case WEIR_DISTRIBUTION_NORMAL:
    case WEIR_DISTRIBUTION_LOG_NORMAL:
    case WEIR_DISTRIBUTION_WEIBULL:
      return FIELDS_NORMAL;
    case WEIR_DISTRIBUTION_EXPONENTIAL:
      return FIELDS_MEAN;
    case WEIR_DISTRIBUTION_UNIFORM:
    case WEIR_DISTRIBUTION_LOG_UNIFORM:
    case WEIR_DISTRIBUTION_TRIANGULAR:
    case WEIR_N_DISTRIBUTIONS:
    default:
      return FIELDS_ENDS;
    }
}

static const char *
get_field_name (Fields fields, guint i)
{
  switch (fields)
    {
    case FIELDS_NORMAL:
      return i == 0 ? _ ("Mean") : _ ("Standard Deviation");
    case FIELDS_MEAN:
      return i == 0 ? _ ("Mean") : NULL;
    case FIELDS_VALUES:
      return i == 0 ? _ ("Values") : NULL;
    case FIELDS_NONE:
      return NULL;
    case FIELDS_ENDS:
    default:
      return i == 0 ? _ ("From") : _ ("To");
    }
}

static double *
get_field (WeirStudyParameter *p, Fields fields, guint i)
{
  if (fields == FIELDS_ENDS)
    return i == 0 ? &p->from : &p->to;
  return i == 0 ? &p->mean : &p->deviation;
}

static char *
dup_field_text (WeirStudyParameter *p, Fields fields, guint i)
{
  GString *text;

  if (fields != FIELDS_VALUES)
    {
      double value = *get_field (p, fields, i);
      char digits[G_ASCII_DTOSTR_BUF_SIZE];

      return g_strdup (isnan (value) ? "" : weir_number_to_text (value, digits));
    }
  text = g_string_new (NULL);
  for (guint k = 0; k < p->n_values; k++)
    {
      char digits[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "%s%s", k > 0 ? " " : "",
                              weir_number_to_text (p->values[k], digits));
    }
  return g_string_free (text, FALSE);
}

static GtkWidget *
entry_new (WeirStudiesPage *self, guint i, Fields fields, guint field)
{
  WeirStudyParameter *p = get_parameter (self, i);
  GtkWidget *entry = gtk_entry_new ();
  g_autofree char *label = g_strdup_printf ("%s: %s", p->path, get_field_name (fields, field));
  g_autofree char *text = dup_field_text (p, fields, field);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 7);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), fields == FIELDS_VALUES ? 20 : 7);
  weir_set_tooltip (entry, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (gtk_widget_activate), self->run);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (typed), self);
  return entry;
}

static void
remove_clicked (GtkButton *button, WeirStudiesPage *self)
{
  for (guint i = 0; i < self->varied->len; i++)
    {
      Variation *variation = self->varied->pdata[i];

      if (variation->remove != GTK_WIDGET (button))
        continue;
      weir_studies_history_begin (self, NULL);
      gtk_grid_remove (self->variations, variation->label);
      for (guint k = 0; k < 2 && variation->entries[k] != NULL; k++)
        gtk_grid_remove (self->variations, variation->entries[k]);
      gtk_grid_remove (self->variations, variation->remove);
      g_ptr_array_remove_index (self->varied, i);
      weir_study_remove_parameter (self->draft, i);
      gtk_widget_grab_focus (GTK_WIDGET (self->add));
      draft_changed (self);
      return;
    }
}

/* A row below the last: rows that were removed leave none behind. */
static int
find_free_row (GtkGrid *grid)
{
  int row = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (grid)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int at;

      gtk_grid_query_child (grid, child, NULL, &at, NULL, NULL);
      row = MAX (row, at + 1);
    }
  return row;
}

static GtkWidget *
name_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_width_chars (GTK_LABEL (label), 8);
  gtk_widget_set_hexpand (label, TRUE);
  weir_set_tooltip (label, text);
  return label;
}

/* Of parameter @i, which is the last. */
static void
add_variation_row (WeirStudiesPage *self, guint i)
{
  Variation *variation = g_new0 (Variation, 1);
  const WeirStudyParameter *p = get_parameter (self, i);
  g_autofree char *remove = g_strdup_printf (_ ("No Longer Vary %s"), p->path);
  int row = find_free_row (self->variations);

  variation->fields = get_fields (self->draft, p);
  variation->label = name_new (p->path);
  gtk_grid_attach (self->variations, variation->label, 0, row, 1, 1);
  for (guint k = 0; k < 2 && get_field_name (variation->fields, k) != NULL; k++)
    {
      variation->entries[k] = entry_new (self, i, variation->fields, k);
      gtk_grid_attach (self->variations, variation->entries[k], 1 + (int) k, row,
                       get_field_name (variation->fields, 1) != NULL ? 1 : 2, 1);
    }
  variation->remove = weir_icon_button_new ("list-remove-symbolic", NULL, remove);
  g_signal_connect (variation->remove, "clicked", G_CALLBACK (remove_clicked), self);
  gtk_grid_attach (self->variations, variation->remove, 3, row, 1, 1);
  g_ptr_array_add (self->varied, variation);
}

static void
empty_grid (GtkGrid *grid)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (grid))) != NULL)
    gtk_grid_remove (grid, child);
}

static void
fill_variations (WeirStudiesPage *self)
{
  empty_grid (self->variations);
  g_ptr_array_set_size (self->varied, 0);
  for (guint i = 0; i < self->draft->parameters->len; i++)
    add_variation_row (self, i);
}

static gboolean
has_variation (WeirStudiesPage *self, const char *path)
{
  for (guint i = 0; i < self->draft->parameters->len; i++)
    if (g_str_equal (get_parameter (self, i)->path, path))
      return TRUE;
  return FALSE;
}

/* As people write it: six digits. */
static double
round_end (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.6g", value), NULL);
}

gboolean
weir_studies_form_vary (WeirStudiesPage *self, const char *path, double value)
{
  double reach = value != 0 ? fabs (value) / 2 : 1;

  if (has_variation (self, path))
    return FALSE;
  weir_studies_history_begin (self, NULL);
  add_variation_row (self, weir_study_add_parameter (self->draft, path, round_end (value - reach),
                                                     round_end (value + reach)));
  draft_changed (self);
  return TRUE;
}

/* --- Points ----------------------------------------------------------------------------------- */

/* The last ones only where the draft has what they need. */
static guint
count_methods (WeirStudiesPage *self)
{
  guint n = G_N_ELEMENTS (methods);

  if (self->draft->method == WEIR_POINTS_FIT || self->draft->measured != NULL)
    return n;
  return self->draft->method == WEIR_POINTS_LIST || self->draft->points->len > 0 ? n - 1 : n - 2;
}

static void
fill_points (WeirStudiesPage *self)
{
  guint n = count_methods (self);

  if (g_list_model_get_n_items (gtk_drop_down_get_model (self->methods)) != n)
    {
      g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

      for (guint i = 0; i < n; i++)
        gtk_string_list_append (list, _ (methods[i].title));
      gtk_drop_down_set_model (self->methods, G_LIST_MODEL (list));
    }
  for (guint i = 0; i < n; i++)
    if (methods[i].method == self->draft->method
        && (self->draft->method != WEIR_POINTS_OPTIMISE
            || methods[i].is_largest == self->draft->objective.is_largest))
      gtk_drop_down_set_selected (self->methods, i);
  gtk_spin_button_set_value (self->points, (double) weir_study_get_count (self->draft));
  gtk_widget_set_sensitive (GTK_WIDGET (self->points), weir_study_is_counted (self->draft));
}

static void
method_chosen (WeirStudiesPage *self)
{
  guint i = gtk_drop_down_get_selected (self->methods);

  if (self->is_filling || i == GTK_INVALID_LIST_POSITION)
    return;
  weir_studies_history_begin (self, NULL);
  weir_study_set_method (self->draft, methods[i].method);
  if (methods[i].method == WEIR_POINTS_OPTIMISE && self->draft->figures->len > 0)
    weir_study_set_objective (
        self->draft, self->draft->objective.figure != NULL ? self->draft->objective.place : 0,
        methods[i].is_largest);
  self->is_filling = TRUE;
  fill_variations (self);
  fill_points (self);
  self->is_filling = FALSE;
  draft_changed (self);
}

static void
points_changed (WeirStudiesPage *self)
{
  guint64 n = (guint64) gtk_spin_button_get_value (self->points);

  if (self->is_filling)
    return;
  weir_studies_history_begin (self, self->points);
  weir_study_set_count (self->draft, n);
  if (weir_study_get_n_points (self->draft) > MOST_CURVES)
    {
      self->is_filling = TRUE;
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->keeps), FALSE);
      self->is_filling = FALSE;
      weir_study_keep_signals (self->draft, FALSE);
    }
  draft_changed (self);
}

/* --- What is kept ----------------------------------------------------------------------------- */

static void
keep_signals (WeirStudiesPage *self)
{
  weir_study_keep_signals (self->draft, FALSE);
  weir_study_keep_signals (self->draft,
                           gtk_check_button_get_active (GTK_CHECK_BUTTON (self->keeps)));
}

static void
keeps_toggled (WeirStudiesPage *self)
{
  if (self->is_filling)
    return;
  weir_studies_history_begin (self, NULL);
  keep_signals (self);
  draft_changed (self);
}

static const char *
get_port (WeirStudiesPage *self, const Kept *kept)
{
  guint i = gtk_drop_down_get_selected (kept->ports);

  return i != GTK_INVALID_LIST_POSITION ? self->recorded[i] : NULL;
}

static void
figure_chosen (WeirStudiesPage *self)
{
  if (self->is_filling)
    return;
  weir_studies_history_begin (self, NULL);
  for (guint i = 0; i < self->kept->len; i++)
    {
      const Kept *kept = self->kept->pdata[i];
      guint kind = kept->kinds != NULL ? gtk_drop_down_get_selected (kept->kinds) : 0;

      if (kept->kinds != NULL && kind != GTK_INVALID_LIST_POSITION && get_port (self, kept) != NULL)
        weir_study_change_figure (self->draft, i, (WeirFigureKind) kind, get_port (self, kept));
    }
  keep_signals (self);
  draft_changed (self);
}

static GtkStringList *
list_ports (WeirStudiesPage *self)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  for (guint i = 0; self->recorded[i] != NULL; i++)
    {
      g_auto (WeirSignalName) name = weir_signal_name_find (get_model (self), self->recorded[i]);

      gtk_string_list_append (list, name.name);
    }
  return list;
}

static guint
find_port (WeirStudiesPage *self, const char *port)
{
  for (guint i = 0; self->recorded[i] != NULL; i++)
    if (g_strcmp0 (self->recorded[i], port) == 0)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

static void fill_figures (WeirStudiesPage *self);

static gboolean
fill_figures_later (gpointer page)
{
  WeirStudiesPage *self = page;

  if (self->parent.host != NULL)
    {
      fill_figures (self);
      gtk_widget_grab_focus (self->add_figure);
    }
  return G_SOURCE_REMOVE;
}

/* The button goes with its row, once what it does is done. */
static void
drop_clicked (GtkButton *button, WeirStudiesPage *self)
{
  for (guint i = 0; i < self->kept->len; i++)
    if (((Kept *) self->kept->pdata[i])->remove == GTK_WIDGET (button))
      {
        weir_studies_history_begin (self, NULL);
        weir_study_remove_figure (self->draft, i);
        keep_signals (self);
        draft_changed (self);
        g_idle_add_full (G_PRIORITY_DEFAULT, fill_figures_later, g_object_ref (self),
                         g_object_unref);
        gtk_widget_set_sensitive (GTK_WIDGET (button), FALSE);
        return;
      }
}

static GtkDropDown *
choice_new (WeirStudiesPage *self, GtkStringList *list, const char *label, guint selected)
{
  GtkWidget *choice = weir_drop_down_new (list, label);

  gtk_widget_set_hexpand (choice, TRUE);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), selected);
  g_signal_connect_swapped (choice, "notify::selected", G_CALLBACK (figure_chosen), self);
  return GTK_DROP_DOWN (choice);
}

static void
add_figure_row (WeirStudiesPage *self, guint i)
{
  const WeirStudyFigure *figure = weir_study_get_figure (self->draft, i);
  Kept *kept = g_new0 (Kept, 1);
  g_autofree char *remove = g_strdup_printf (_ ("No Longer Keep %s"), figure->name);

  if (figure->kind == WEIR_FIGURE_EXPRESSION)
    {
      g_autofree char *text = g_strdup_printf ("%s = %s", figure->name, figure->expression);

      kept->label = name_new (text);
      gtk_grid_attach (self->figures, kept->label, 0, (int) i, 2, 1);
    }
  else
    {
      GtkStringList *titles = gtk_string_list_new (NULL);

      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        gtk_string_list_append (titles, _ (kinds[k]));
      kept->kinds = choice_new (self, titles, _ ("What is kept of each run"), figure->kind);
      kept->ports = choice_new (self, list_ports (self), _ ("Of which signal"),
                                find_port (self, figure->port));
      gtk_grid_attach (self->figures, GTK_WIDGET (kept->kinds), 0, (int) i, 1, 1);
      gtk_grid_attach (self->figures, GTK_WIDGET (kept->ports), 1, (int) i, 1, 1);
    }
  kept->remove = weir_icon_button_new ("list-remove-symbolic", NULL, remove);
  gtk_widget_set_sensitive (kept->remove, self->draft->figures->len > 1);
  g_signal_connect (kept->remove, "clicked", G_CALLBACK (drop_clicked), self);
  gtk_grid_attach (self->figures, kept->remove, 2, (int) i, 1, 1);
  g_ptr_array_add (self->kept, kept);
}

static void
fill_figures (WeirStudiesPage *self)
{
  gboolean was_filling = self->is_filling;

  self->is_filling = TRUE;
  empty_grid (self->figures);
  g_ptr_array_set_size (self->kept, 0);
  for (guint i = 0; i < self->draft->figures->len; i++)
    add_figure_row (self, i);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->keeps), self->draft->signals->len > 0);
  self->is_filling = was_filling;
}

static void list_recorded (WeirStudiesPage *self);

void
weir_studies_form_keep (WeirStudiesPage *self, WeirFigureKind kind, const char *port)
{
  weir_studies_history_begin (self, NULL);
  weir_study_add_figure (self->draft, kind, port);
  list_recorded (self);
  keep_signals (self);
  fill_figures (self);
  draft_changed (self);
}

static void
add_figure_clicked (WeirStudiesPage *self)
{
  if (self->recorded == NULL || self->recorded[0] == NULL)
    {
      weir_studies_page_say (
          self, _ ("Connect a signal to a Scope, so that there is something to keep."));
      return;
    }
  weir_studies_form_keep (self, WEIR_FIGURE_MAXIMUM, self->recorded[0]);
}

/* Has the model no such signal any more? @recorded: what it records by itself, of which a Scope has
 * nothing else. */
static gboolean
is_gone (WeirStudiesPage *self, const char *port, GPtrArray *recorded)
{
  g_autofree char *whole = g_strndup (port, strcspn (port, "["));
  const char *dot = strrchr (whole, '.');
  g_autofree char *path = dot != NULL ? g_strndup (whole, (gsize) (dot - whole)) : g_strdup (whole);
  const WeirBlock *block = weir_model_find_path (get_model (self), path);
  const WeirBlockType *type = block != NULL ? weir_registry_find (weir_block_get_type_name (block))
                                            : NULL;

  return block == NULL
         || (type != NULL && type->is_recorded_sink
             && !g_ptr_array_find_with_equal_func (recorded, whole, g_str_equal, NULL));
}

/* Those that the draft names are offered in any case, so that nothing of a file is lost. */
static void
list_recorded (WeirStudiesPage *self)
{
  g_auto (GStrv) recorded = weir_model_dup_recorded_ports (get_model (self));
  g_autoptr (GPtrArray) all = g_ptr_array_new_null_terminated (1, NULL, TRUE);

  for (guint i = 0; recorded[i] != NULL; i++)
    g_ptr_array_add (all, g_strdup (recorded[i]));
  for (guint i = 0; i < self->draft->figures->len; i++)
    {
      WeirStudyFigure *figure = &g_array_index (self->draft->figures, WeirStudyFigure, i);

      if (figure->port == NULL
          || g_ptr_array_find_with_equal_func (all, figure->port, g_str_equal, NULL))
        continue;
      if (self->file == NULL && all->len > 0 && is_gone (self, figure->port, all))
        weir_study_change_figure (self->draft, i, figure->kind, all->pdata[0]);
      else
        g_ptr_array_add (all, g_strdup (figure->port));
    }
  g_strfreev (self->recorded);
  self->recorded = (GStrv) g_ptr_array_steal (all, NULL);
}

void
weir_studies_form_offer_ports (WeirStudiesPage *self)
{
  g_auto (GStrv) before = g_strdupv (self->recorded);
  gboolean is_first;

  list_recorded (self);
  is_first = self->file == NULL && self->draft->figures->len == 0 && self->recorded[0] != NULL;
  if (!is_first && before != NULL
      && g_strv_equal ((const char *const *) before, (const char *const *) self->recorded)
      && self->kept->len == self->draft->figures->len)
    return;
  if (is_first)
    {
      weir_study_add_figure (self->draft, WEIR_FIGURE_MAXIMUM, self->recorded[0]);
      weir_study_keep_signals (self->draft, TRUE);
    }
  fill_figures (self);
}

const char *
weir_study_figure_get_title (WeirFigureKind kind)
{
  return _ (kinds[kind]);
}

char *
weir_studies_form_dup_figure_title (WeirStudiesPage *self, const WeirStudyFigure *figure)
{
  if (figure->kind == WEIR_FIGURE_EXPRESSION)
    return g_strdup (figure->name);
  {
    g_auto (WeirSignalName) name = weir_signal_name_find (get_model (self), figure->port);

    /* Translators: a figure, such as Maximum, and the name of a signal. */
    return g_strdup_printf (_ ("%s of %s"), _ (kinds[figure->kind]), name.name);
  }
}

/* --- Entering --------------------------------------------------------------------------------- */

static gboolean
complain (WeirStudiesPage *self, const Variation *variation, guint field, const char *path,
          gboolean complains)
{
  g_autofree char *sentence = NULL;

  if (!complains)
    return FALSE;
  sentence = g_strdup_printf (_ ("%s: “%s” is no number; write it with a decimal point."), path,
                              gtk_editable_get_text (GTK_EDITABLE (variation->entries[field])));
  weir_studies_page_say (self, sentence);
  gtk_widget_grab_focus (variation->entries[field]);
  return FALSE;
}

static gboolean
parse (const char *text, double *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

static gboolean
enter_values (WeirStudyParameter *p, const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " ,;", -1);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; words[i] != NULL; i++)
    {
      double value;

      if (words[i][0] == '\0')
        continue;
      if (!parse (words[i], &value))
        return FALSE;
      g_array_append_val (values, value);
    }
  if (values->len == 0)
    return FALSE;
  g_free (p->values);
  p->n_values = values->len;
  p->values = (double *) (gpointer) g_array_steal (values, NULL);
  return TRUE;
}

/* A derivative needs no ends. */
static gboolean
enter_field (WeirStudiesPage *self, WeirStudyParameter *p, Fields fields, guint i, const char *text)
{
  double value = NAN;

  if (fields == FIELDS_VALUES)
    return enter_values (p, text);
  if (!(text[0] == '\0' && self->draft->method == WEIR_POINTS_LOCAL) && !parse (text, &value))
    return FALSE;
  *get_field (p, fields, i) = value;
  return TRUE;
}

gboolean
weir_studies_form_enter (WeirStudiesPage *self, gboolean complains)
{
  gboolean is_whole = TRUE;

  for (guint i = 0; i < self->varied->len; i++)
    {
      const Variation *variation = self->varied->pdata[i];
      WeirStudyParameter *p = get_parameter (self, i);

      for (guint k = 0; k < 2 && variation->entries[k] != NULL; k++)
        if (!enter_field (self, p, variation->fields, k,
                          gtk_editable_get_text (GTK_EDITABLE (variation->entries[k]))))
          is_whole = complain (self, variation, k, p->path, complains && is_whole);
    }
  if (complains && is_whole && self->draft->parameters->len == 0)
    weir_studies_page_say (self, _ ("Select a block and press Vary to choose what is varied."));
  else if (complains && is_whole && self->draft->figures->len + self->draft->signals->len == 0)
    weir_studies_page_say (self,
                           _ ("Connect a signal to a Scope, so that there is something to keep."));
  return is_whole && self->draft->parameters->len > 0
         && self->draft->figures->len + self->draft->signals->len > 0;
}

/* --- Life ------------------------------------------------------------------------------------ */

void
weir_studies_form_set_draft (WeirStudiesPage *self, WeirStudy *draft)
{
  weir_study_free (self->draft);
  self->draft = draft;
  self->is_filling = TRUE;
  fill_variations (self);
  fill_points (self);
  list_recorded (self);
  fill_figures (self);
  self->is_filling = FALSE;
}

void
weir_studies_form_init (WeirStudiesPage *self)
{
  g_autoptr (GtkStringList) none = gtk_string_list_new (NULL);

  self->varied = g_ptr_array_new_with_free_func (g_free);
  self->kept = g_ptr_array_new_with_free_func (g_free);
  self->draft = weir_study_new ();
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->methods, G_LIST_MODEL (none));
  fill_points (self);
  weir_drop_down_make_narrow (self->methods);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->keeps), TRUE);
  self->is_filling = FALSE;
  g_signal_connect_swapped (self->methods, "notify::selected", G_CALLBACK (method_chosen), self);
  g_signal_connect_swapped (self->points, "value-changed", G_CALLBACK (points_changed), self);
  g_signal_connect_swapped (self->keeps, "toggled", G_CALLBACK (keeps_toggled), self);
  g_signal_connect_swapped (self->add_figure, "clicked", G_CALLBACK (add_figure_clicked), self);
}

void
weir_studies_form_clear (WeirStudiesPage *self)
{
  g_clear_pointer (&self->varied, g_ptr_array_unref);
  g_clear_pointer (&self->kept, g_ptr_array_unref);
  g_clear_pointer (&self->recorded, g_strfreev);
  g_clear_pointer (&self->draft, weir_study_free);
}

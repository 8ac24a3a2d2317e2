/* WeirLevelsEditor. See levels-editor.h. */
#include "scopes/levels-editor.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "numerics/number.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

typedef enum { INITIAL, FINAL, LOW, HIGH, BAND, N_FIELDS } Field;

struct _WeirLevelsEditor {
  GtkWidget parent;
  GtkWidget *choice, *entries[N_FIELDS], *problem;
  GtkStringList *names;
  WeirStepLevels levels;
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (WeirLevelsEditor, weir_levels_editor, GTK_TYPE_WIDGET)

static guint chosen_signal, edited_signal;

/* --- The fields ------------------------------------------------------------------------------ */

static double *
get_level (WeirStepLevels *levels, Field field)
{
  double *const all[N_FIELDS] = { &levels->initial, &levels->final, &levels->low, &levels->high,
                                  &levels->band };

  return all[field];
}

/* Parts of the step are typed in percent. */
static double
get_unit (Field field)
{
  return field >= LOW ? 0.01 : 1;
}

static void
show_levels (WeirLevelsEditor *self)
{
  self->is_filling = TRUE;
  for (guint i = 0; i < N_FIELDS; i++)
    {
      double level = *get_level (&self->levels, (Field) i) / get_unit ((Field) i);
      char text[G_ASCII_DTOSTR_BUF_SIZE] = "";

      if (isfinite (level))
        g_ascii_formatd (text, sizeof text, "%.12g", level);
      gtk_editable_set_text (GTK_EDITABLE (self->entries[i]), text);
    }
  self->is_filling = FALSE;
}

/* FALSE: it is no number. */
static gboolean
read_field (WeirLevelsEditor *self, Field field, double *level)
{
  g_autofree char *text = g_strstrip (
      g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entries[field]))));
  char *end;

  if (*text == '\0' && field <= FINAL)
    {
      *level = (double) NAN;
      return TRUE;
    }
  *level = g_ascii_strtod (text, &end) * get_unit (field);
  return end != text && *end == '\0' && isfinite (*level);
}

static void
tell (WeirLevelsEditor *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->problem), text);
  gtk_widget_set_visible (self->problem, *text != '\0');
}

static void
entered (WeirLevelsEditor *self)
{
  WeirStepLevels levels = self->levels;
  gboolean is_other = FALSE;

  if (self->is_filling)
    return;
  for (guint i = 0; i < N_FIELDS; i++)
    if (!read_field (self, (Field) i, get_level (&levels, (Field) i)))
      {
        tell (self, _ ("Type numbers, such as 0.5 or 1e-3."));
        return;
      }
  if (!(levels.low >= 0 && levels.low < levels.high && levels.high <= 1) || !(levels.band > 0))
    {
      tell (self, _ ("The rise goes from a part of the step to a larger one, within 0 to 100 %; "
                     "the band is above 0 %."));
      return;
    }
  tell (self, "");
  for (guint i = 0; i < N_FIELDS; i++)
    {
      double a = *get_level (&self->levels, (Field) i), b = *get_level (&levels, (Field) i);

      is_other |= !(a == b || (isnan (a) && isnan (b)));
    }
  self->levels = levels;
  if (is_other)
    g_signal_emit (self, edited_signal, 0);
}

/* --- What is edited -------------------------------------------------------------------------- */

static void
chosen (WeirLevelsEditor *self)
{
  if (!self->is_filling)
    g_signal_emit (self, chosen_signal, 0);
}

void
weir_levels_editor_set_signals (WeirLevelsEditor *self, const char *const *names)
{
  guint selected = weir_levels_editor_get_signal (self);
  g_autofree char *kept = g_strdup (gtk_string_list_get_string (self->names, selected));

  self->is_filling = TRUE;
  gtk_string_list_splice (self->names, 0, g_list_model_get_n_items (G_LIST_MODEL (self->names)),
                          names);
  for (guint i = 0; names[i] != NULL && kept != NULL; i++)
    if (g_str_equal (names[i], kept))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), i);
  self->is_filling = FALSE;
}

guint
weir_levels_editor_get_signal (WeirLevelsEditor *self)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));
}

void
weir_levels_editor_set_levels (WeirLevelsEditor *self, const WeirStepLevels *levels)
{
  gboolean is_same = TRUE;

  for (guint i = 0; i < N_FIELDS; i++)
    {
      WeirStepLevels other = *levels;
      double a = *get_level (&self->levels, (Field) i), b = *get_level (&other, (Field) i);

      is_same &= a == b || (isnan (a) && isnan (b));
    }
  if (is_same) /* what is being typed stays */
    return;
  self->levels = *levels;
  show_levels (self);
}

WeirStepLevels
weir_levels_editor_get_levels (WeirLevelsEditor *self)
{
  return self->levels;
}

/* --- Life ------------------------------------------------------------------------------------ */

static GtkWidget *
entry_new (WeirLevelsEditor *self, const char *name)
{
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 8);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (entered), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (entered), self);
  gtk_widget_add_controller (entry, focus);
  return entry;
}

static GtkWidget *
fields_new (WeirLevelsEditor *self)
{
  static const char *const names[N_FIELDS] = {
    [INITIAL] = N_ ("Initial value y0"), [FINAL] = N_ ("Final value yf"),
    [LOW] = N_ ("Rise from (%)"),        [HIGH] = N_ ("Rise to (%)"),
    [BAND] = N_ ("Settling band (%)"),
  };
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  for (guint i = 0; i < N_FIELDS; i++)
    {
      GtkWidget *label = gtk_label_new (_ (names[i]));

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      self->entries[i] = entry_new (self, _ (names[i]));
      if (i <= FINAL)
        gtk_entry_set_placeholder_text (GTK_ENTRY (self->entries[i]), _ ("as found"));
      gtk_grid_attach (GTK_GRID (grid), label, 0, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), self->entries[i], 1, (int) i, 1, 1);
    }
  self->problem = weir_problem_label_new (32);
  gtk_grid_attach (GTK_GRID (grid), self->problem, 0, N_FIELDS, 2, 1);
  return grid;
}

static void
dispose (GObject *object)
{
  GtkWidget *child;

  WEIR_LEVELS_EDITOR (object)->is_filling = TRUE; /* fields lose the focus as they go */
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (weir_levels_editor_parent_class)->dispose (object);
}

static void
weir_levels_editor_class_init (WeirLevelsEditorClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  chosen_signal = g_signal_new ("signal-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 0);
  edited_signal = g_signal_new ("edited", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                0);
}

static void
weir_levels_editor_init (WeirLevelsEditor *self)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();

  self->levels = WEIR_STEP_LEVELS;
  self->names = gtk_string_list_new (NULL);
  self->choice = weir_drop_down_new (self->names, _ ("Signal Whose Levels Are Drawn"));
  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (chosen), self);
  gtk_popover_set_child (GTK_POPOVER (popover), fields_new (self));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "document-edit-symbolic");
  gtk_widget_add_css_class (button, "flat");
  weir_set_tooltip (button, _ ("How the Step Is Judged"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("How the Step Is Judged"), -1);
  gtk_widget_set_parent (self->choice, GTK_WIDGET (self));
  gtk_widget_set_parent (button, GTK_WIDGET (self));
  show_levels (self);
}

GtkWidget *
weir_levels_editor_new (void)
{
  return g_object_new (WEIR_TYPE_LEVELS_EDITOR, NULL);
}

/* WeirBreakEditor. See break-editor.h. */
#include "cache/break-editor.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "numerics/number.h"
#include "cache/break-text.h"
#include "widgets/pieces.h"

typedef enum {
  THEN_PAUSE,
  THEN_PAUSE_ONCE,
  THEN_COUNT,
} Then;

struct _WeirBreakEditor {
  GtkWidget parent;
  GtkWidget *kind, *what, *by, *test, *number, *element, *at_least, *phase, *skips, *then, *problem;
  GtkWidget *by_label, *test_label, *element_label, *at_least_label;
  GtkWidget *rate, *rate_label, *requests, *requests_label;
  WeirCacheModel *model;
  WeirBreakpoint breakpoint;
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (WeirBreakEditor, weir_break_editor, GTK_TYPE_WIDGET)

static guint edited_signal;

/* --- What it says ---------------------------------------------------------------------------- */

static gboolean
is_of_value (WeirBreakKind kind)
{
  return kind == WEIR_BREAK_COMPUTED || kind == WEIR_BREAK_REUSED;
}

static gboolean
is_of_invalidation (WeirBreakKind kind)
{
  return kind == WEIR_BREAK_OUT_OF_DATE || kind == WEIR_BREAK_UNUSED;
}

static void
set_shown (GtkWidget *label, GtkWidget *field, gboolean shown)
{
  gtk_widget_set_visible (label, shown);
  gtk_widget_set_visible (field, shown);
}

static void
show_problem (WeirBreakEditor *self)
{
  WeirLayout *layout = weir_cache_model_ensure (self->model)
                           ? weir_cache_model_get_layout (self->model)
                           : NULL;
  g_autoptr (GPtrArray) errors = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) one = weir_breakpoint_list_new ();
  WeirBreakpoint copy = weir_breakpoint_copy (&self->breakpoint);
  const char *error = NULL;

  g_array_append_val (one, copy);
  if (layout != NULL)
    {
      weir_breakpoints_free (weir_breakpoints_new (layout, one, errors));
      error = g_ptr_array_index (errors, 0);
    }
  gtk_label_set_text (GTK_LABEL (self->problem), error != NULL ? error : "");
  gtk_widget_set_visible (self->problem, error != NULL);
}

/* Only what makes a difference is shown. */
static void
update (WeirBreakEditor *self)
{
  const WeirBreakpoint *breakpoint = &self->breakpoint;
  gboolean has_number = breakpoint->test == WEIR_BREAK_ABOVE || breakpoint->test == WEIR_BREAK_BELOW
                        || breakpoint->test == WEIR_BREAK_EQUAL;

  set_shown (self->by_label, self->by, is_of_invalidation (breakpoint->kind));
  set_shown (self->test_label, self->test, is_of_value (breakpoint->kind));
  gtk_widget_set_visible (self->number, is_of_value (breakpoint->kind) && has_number);
  set_shown (self->element_label, self->element,
             is_of_value (breakpoint->kind)
                 && (has_number || breakpoint->test == WEIR_BREAK_NOT_FINITE));
  set_shown (self->rate_label, self->rate, breakpoint->kind == WEIR_BREAK_RATE);
  set_shown (self->requests_label, self->requests, breakpoint->kind == WEIR_BREAK_RATE);
  set_shown (self->at_least_label, self->at_least, breakpoint->kind == WEIR_BREAK_EVENT);
  show_problem (self);
}

static void
set_text (char **text, GtkWidget *entry)
{
  g_free (*text);
  *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
}

/* A number that is none is marked and leaves the breakpoint as it is. */
static void
take_number (WeirBreakEditor *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->number));
  char *end;
  double number = g_ascii_strtod (text, &end);

  if (*text != '\0' && *end == '\0')
    {
      self->breakpoint.number = number;
      gtk_widget_remove_css_class (self->number, "error");
    }
  else
    gtk_widget_add_css_class (self->number, "error");
}

static void
edited (WeirBreakEditor *self)
{
  WeirBreakpoint *breakpoint = &self->breakpoint;
  Then then;

  if (self->is_filling)
    return;
  then = (Then) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->then));
  breakpoint->kind = (WeirBreakKind) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kind));
  breakpoint->test = is_of_value (breakpoint->kind)
                         ? (WeirBreakTest) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->test))
                         : WEIR_BREAK_ALWAYS;
  set_text (&breakpoint->what, self->what);
  set_text (&breakpoint->by, self->by);
  if (breakpoint->kind == WEIR_BREAK_RATE)
    breakpoint->number = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->rate));
  else
    take_number (self);
  breakpoint->element = (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->element));
  breakpoint->at_least = breakpoint->kind == WEIR_BREAK_EVENT
                             ? (guint) gtk_spin_button_get_value_as_int (
                                 GTK_SPIN_BUTTON (self->at_least))
                         : breakpoint->kind == WEIR_BREAK_RATE
                             ? (guint) gtk_spin_button_get_value_as_int (
                                 GTK_SPIN_BUTTON (self->requests))
                             : 0;
  breakpoint->skips = (guint64) gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->skips));
  breakpoint->phase = (int) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->phase)) - 1;
  breakpoint->only_counts = then == THEN_COUNT;
  breakpoint->is_once = then == THEN_PAUSE_ONCE;
  update (self);
  g_signal_emit (self, edited_signal, 0);
}

void
weir_break_editor_set (WeirBreakEditor *self, const WeirBreakpoint *breakpoint)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  WeirBreakpoint copy = weir_breakpoint_copy (breakpoint);

  g_return_if_fail (WEIR_IS_BREAK_EDITOR (self));

  weir_breakpoint_clear (&self->breakpoint);
  self->breakpoint = copy;
  self->is_filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kind), copy.kind);
  gtk_editable_set_text (GTK_EDITABLE (self->what), copy.what != NULL ? copy.what : "");
  gtk_editable_set_text (GTK_EDITABLE (self->by), copy.by != NULL ? copy.by : "");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->test), copy.test);
  gtk_editable_set_text (GTK_EDITABLE (self->number), weir_number_to_text (copy.number, number));
  if (copy.kind == WEIR_BREAK_RATE)
    {
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->rate), copy.number);
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->requests), copy.at_least);
    }
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->element), copy.element);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->at_least),
                             copy.kind == WEIR_BREAK_EVENT ? copy.at_least : 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->skips), (double) copy.skips);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->phase), (guint) (copy.phase + 1));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->then), copy.only_counts ? THEN_COUNT
                                                          : copy.is_once   ? THEN_PAUSE_ONCE
                                                                           : THEN_PAUSE);
  self->is_filling = FALSE;
  update (self);
}

const WeirBreakpoint *
weir_break_editor_get (WeirBreakEditor *self)
{
  g_return_val_if_fail (WEIR_IS_BREAK_EDITOR (self), NULL);
  return &self->breakpoint;
}

/* --- The form -------------------------------------------------------------------------------- */

/* The label of the row. */
static GtkWidget *
add_row (GtkWidget *grid, int row, const char *title, GtkWidget *field)
{
  GtkWidget *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_hexpand (field, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (field), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_grid_attach (GTK_GRID (grid), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), field, 1, row, 1, 1);
  return label;
}

static GtkWidget *
drop_down_new (WeirBreakEditor *self, const char **titles)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (titles);

  g_signal_connect_swapped (drop_down, "notify::selected", G_CALLBACK (edited), self);
  return drop_down;
}

static GtkWidget *
entry_new (WeirBreakEditor *self, const char *placeholder)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), placeholder);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 28);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (edited), self);
  return entry;
}

static GtkWidget *
spin_new (WeirBreakEditor *self)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (0, 1e9, 1);

  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (edited), self);
  return spin;
}

static void
dispose (GObject *object)
{
  WeirBreakEditor *self = WEIR_BREAK_EDITOR (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->model);
  weir_breakpoint_clear (&self->breakpoint);
  G_OBJECT_CLASS (weir_break_editor_parent_class)->dispose (object);
}

static void
weir_break_editor_class_init (WeirBreakEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  edited_signal = g_signal_new ("edited", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 0);
}

static void
weir_break_editor_init (WeirBreakEditor *self)
{
  GtkWidget *grid = gtk_grid_new (), *tests = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  const char *kinds[WEIR_N_BREAK_KINDS + 1] = { NULL }, *values[WEIR_N_BREAK_TESTS + 1] = { NULL };
  const char *phases[WEIR_LOG_N_PHASES + 2] = { _ ("any phase"), NULL };
  const char *thens[] = { _ ("pause"), _ ("pause once"), _ ("only count"), NULL };
  int row = 0;

  for (guint i = 0; i < WEIR_N_BREAK_KINDS; i++)
    kinds[i] = weir_break_kind_get_title ((WeirBreakKind) i);
  for (guint i = 0; i < WEIR_N_BREAK_TESTS; i++)
    values[i] = weir_break_test_get_title ((WeirBreakTest) i);
  for (guint i = 0; i < WEIR_LOG_N_PHASES; i++)
    phases[i + 1] = weir_break_phase_get_title ((WeirLogPhase) i);
  self->breakpoint = (WeirBreakpoint) { .what = g_strdup (""), .phase = -1 };
  self->is_filling = TRUE;
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  self->what = entry_new (self, _ ("Block:value, Block.parameter, time"));
  add_row (grid, row++, _ ("When"), self->what);
  self->kind = drop_down_new (self, kinds);
  add_row (grid, row++, "", self->kind);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->kind), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What happens to it"), -1);
  self->by = entry_new (self, _ ("any event"));
  self->by_label = add_row (grid, row++, _ ("By"), self->by);
  self->test = drop_down_new (self, values);
  self->number = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->number), 8);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->number), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Number to compare with"), -1);
  g_signal_connect_swapped (self->number, "changed", G_CALLBACK (edited), self);
  gtk_widget_set_hexpand (self->test, TRUE);
  gtk_box_append (GTK_BOX (tests), self->test);
  gtk_box_append (GTK_BOX (tests), self->number);
  self->test_label = add_row (grid, row++, _ ("And is"), tests);
  self->element = spin_new (self);
  self->element_label = add_row (grid, row++, _ ("Element"), self->element);
  self->rate = spin_new (self);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->rate), 0, 100);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->rate), 50);
  self->rate_label = add_row (grid, row++, _ ("In less than (%)"), self->rate);
  self->requests = spin_new (self);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->requests), 1, 1e6);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->requests), 100);
  self->requests_label = add_row (grid, row++, _ ("Of the last requests"), self->requests);
  self->at_least = spin_new (self);
  self->at_least_label = add_row (grid, row++, _ ("Values it puts out of date, at least"),
                                  self->at_least);
  self->phase = drop_down_new (self, phases);
  add_row (grid, row++, _ ("In"), self->phase);
  self->skips = spin_new (self);
  add_row (grid, row++, _ ("After so many times"), self->skips);
  self->then = drop_down_new (self, thens);
  add_row (grid, row++, _ ("Then"), self->then);
  self->problem = weir_problem_label_new (40);
  gtk_grid_attach (GTK_GRID (grid), self->problem, 0, row, 2, 1);
  gtk_widget_set_parent (grid, GTK_WIDGET (self));
  self->is_filling = FALSE;
}

GtkWidget *
weir_break_editor_new (WeirCacheModel *model)
{
  WeirBreakEditor *self = g_object_new (WEIR_TYPE_BREAK_EDITOR, NULL);

  self->model = g_object_ref (model);
  return GTK_WIDGET (self);
}

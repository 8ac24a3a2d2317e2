/* WeirSchedulePage: the units of co-simulation in their order, with the levels of a cascade and
 * what comes late in it; both kinds of schedule side by side, by what their results differ in; what
 * steps took in the newest run, and on which threads they were made.
 *
 * It has a tab while the model has units. Order, schedule and who takes part are edits of the model
 * like any other; the last a run takes over.
 * Thread: *main*; schedules are compared in a thread of their own.
 */
#include <glib/gi18n-lib.h>

#include <math.h>

#include "base/error.h"
#include "cache/cache-figures.h"
#include "cosim/order.h"
#include "gui/host/page.h"
#include "gui/pages/schedule-steps.h"
#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "model/tree/settings.h"
#include "model/tree/unit-settings.h"
#include "system/evaluation/eval.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define INTERVAL (G_USEC_PER_SEC / 4) /* between figures of a run that goes on */

G_DECLARE_FINAL_TYPE (WeirSchedulePage, weir_schedule_page, WEIR, SCHEDULE_PAGE, WeirPage)

struct _WeirSchedulePage {
  WeirPage parent;
  GtkDropDown *types;
  GtkLabel *summary;
  GtkWidget *suggest, *compare;
  GtkGrid *grid;
  GtkLabel *measured;
  WeirScheduleSteps *steps;

  WeirSystem *system;   /* as it was last completed; NULL: there are no units */
  WeirContext *context; /* of the simulator that tells of the units; it makes no step */
  WeirSimulator *simulator;
  WeirCosim *cosim;        /* the simulator's */
  GHashTable *differences; /* path of a unit to a text, owned; NULL: none were compared */
  gint *cancel;            /* of the comparison under way, which owns it; NULL: there is none */
  gboolean is_updating;

  GPtrArray *times; /* by unit: the label of what its steps take; those of the grid */
  gint64 shown_at;  /* us, monotonic: when figures were shown last */
};

G_DEFINE_FINAL_TYPE (WeirSchedulePage, weir_schedule_page, WEIR_TYPE_PAGE)

enum { PLACE, UNIT, PART, LEVEL, STEPS, TIME, LATE, DIFFERENCE, MOVE, N_COLUMNS };

static WeirModel *
get_model (WeirSchedulePage *self)
{
  return weir_document_get_model (self->parent.document);
}

static const char *
get_name (WeirSchedulePage *self, guint who)
{
  return who == WEIR_COSIM_REST ? _ ("The rest of the model")
                                : weir_cosim_get_path (self->cosim, who);
}

/* --- Edits ----------------------------------------------------------------------------------- */

static void
edit (WeirSchedulePage *self, WeirPatch *patch, const char *label)
{
  g_autoptr (GError) error = NULL;

  if (!weir_patch_is_empty (patch)
      && !weir_document_edit (self->parent.document, patch, label, NULL, &error))
    weir_host_toast (self->parent.host, weir_error_say (error));
}

/* One setting of a unit is another. FALSE: the model has no such block any more. */
static gboolean
change_unit (WeirSchedulePage *self, WeirPatch *patch, guint unit, const char *name,
             const char *text)
{
  WeirBlock *block = weir_model_find_path (get_model (self),
                                           weir_cosim_get_path (self->cosim, unit));
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (WeirBlock) changed = NULL;

  if (block == NULL)
    return FALSE;
  weir_model_find_block (get_model (self), weir_block_get_id (block), ids);
  changed = weir_block_with_unit_setting (block, name, text);
  weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len },
                        changed);
  return TRUE;
}

/* Each unit gets its place in @list, and so does the rest. */
static void
set_list (WeirSchedulePage *self, const guint *list)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  guint n = weir_cosim_get_n_units (self->cosim);

  for (guint k = 0; k <= n; k++)
    {
      g_autofree char *place = g_strdup_printf ("%u", k + 1);

      if (list[k] == WEIR_COSIM_REST)
        weir_patch_set_setting (patch, WEIR_SETTING_REST_PLACE, k < n ? place : NULL);
      else if (!change_unit (self, patch, list[k], "place", place))
        return; /* the model is another by now */
    }
  edit (self, patch, _ ("Change Order of Units"));
}

static void
suggest (WeirSchedulePage *self)
{
  g_autofree guint *list = g_new (guint, weir_cosim_get_n_units (self->cosim) + 1);

  weir_cosim_suggest_list (self->cosim, list);
  set_list (self, list);
}

static void
move_clicked (GtkButton *button, WeirSchedulePage *self)
{
  guint n = weir_cosim_get_n_units (self->cosim) + 1;
  guint k = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "weir-place"));
  g_autofree guint *list = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    list[i] = weir_cosim_get_at (self->cosim, i == k ? k - 1 : i == k - 1 ? k : i);
  set_list (self, list);
}

static void
type_chosen (WeirSchedulePage *self)
{
  guint selected = gtk_drop_down_get_selected (self->types);
  const WeirParameterSpec *spec = weir_settings_find_spec (WEIR_SETTING_SCHEDULE);
  g_autoptr (WeirPatch) patch = NULL;

  if (self->is_updating || selected == GTK_INVALID_LIST_POSITION)
    return;
  patch = weir_patch_new ();
  weir_patch_set_setting (patch, WEIR_SETTING_SCHEDULE, spec->choices[selected]);
  edit (self, patch, _ ("Change Schedule of Units"));
}

static void
part_chosen (GtkDropDown *choice, G_GNUC_UNUSED GParamSpec *pspec, WeirSchedulePage *self)
{
  const WeirParameterSpec *spec = weir_unit_settings_find_spec (WEIR_UNIT_TAKES_PART);
  guint unit = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (choice), "weir-unit"));
  guint selected = gtk_drop_down_get_selected (choice);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autofree char *label = NULL;

  if (self->is_updating || self->cosim == NULL || selected > WEIR_UNIT_OFF)
    return;
  label = g_strdup_printf (_ ("Change %s of %s"), _ (spec->label), get_name (self, unit));
  if (change_unit (self, patch, unit, WEIR_UNIT_TAKES_PART,
                   selected != WEIR_UNIT_ON ? spec->choices[selected] : NULL))
    edit (self, patch, label);
}

/* --- The table ------------------------------------------------------------------------------- */

static GtkWidget *
add_text (WeirSchedulePage *self, int column, int row, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  if (row == 0)
    gtk_widget_add_css_class (label, "caption-heading");
  gtk_grid_attach (self->grid, label, column, row, 1, 1);
  return label;
}

static void
add_number (WeirSchedulePage *self, int column, int row, guint number)
{
  g_autofree char *text = g_strdup_printf ("%u", number);

  add_text (self, column, row, text);
}

/* Of whom it sees values that are an instant old, in a cascade. (transfer full) */
static char *
dup_late (WeirSchedulePage *self, const GArray *late, guint who)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < late->len; i++)
    {
      const WeirCosimLink *link = &g_array_index (late, WeirCosimLink, i);

      if (link->to == who)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                                get_name (self, link->from));
    }
  return g_string_free (text, FALSE);
}

static void
go_to (GtkButton *button, WeirSchedulePage *self)
{
  weir_host_go_to_path (self->parent.host, gtk_button_get_label (button));
}

static void
add_part (WeirSchedulePage *self, guint who, int row)
{
  const char *choices[] = { [WEIR_UNIT_ON] = C_ ("unit", "On"),
                            [WEIR_UNIT_IGNORED] = C_ ("unit", "Ignored"),
                            [WEIR_UNIT_OFF] = C_ ("unit", "Off"),
                            NULL };
  g_autofree char *label = g_strdup_printf (_ ("Whether %s takes part"), get_name (self, who));
  GtkWidget *choice = weir_drop_down_new (gtk_string_list_new (choices), label);
  const WeirBlock *block = weir_model_find_path (get_model (self), get_name (self, who));

  gtk_widget_set_hexpand (choice, FALSE);
  gtk_widget_set_valign (choice, GTK_ALIGN_CENTER);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (choice),
                              block != NULL ? weir_block_get_unit_activity (block) : WEIR_UNIT_ON);
  g_object_set_data (G_OBJECT (choice), "weir-unit", GUINT_TO_POINTER (who));
  g_signal_connect (choice, "notify::selected", G_CALLBACK (part_chosen), self);
  gtk_grid_attach (self->grid, choice, PART, row, 1, 1);
}

static void
add_row (WeirSchedulePage *self, const GArray *late, guint k, int row)
{
  guint who = weir_cosim_get_at (self->cosim, k);
  g_autofree char *from = dup_late (self, late, who);
  const char *name = get_name (self, who);

  add_number (self, PLACE, row, (guint) row);
  if (who == WEIR_COSIM_REST)
    add_text (self, UNIT, row, name);
  else
    {
      GtkWidget *button = gtk_button_new_with_label (name);

      gtk_widget_add_css_class (button, "flat");
      gtk_widget_set_halign (button, GTK_ALIGN_START);
      g_signal_connect (button, "clicked", G_CALLBACK (go_to), self);
      gtk_grid_attach (self->grid, button, UNIT, row, 1, 1);
      add_part (self, who, row);
      self->times->pdata[who] = add_text (self, TIME, row, NULL);
      gtk_label_set_wrap (self->times->pdata[who], FALSE);
      add_number (self, STEPS, row, weir_cosim_get_n_steps (self->cosim, who));
      if (self->differences != NULL)
        add_text (self, DIFFERENCE, row, g_hash_table_lookup (self->differences, name));
    }
  add_number (self, LEVEL, row, weir_cosim_get_level (self->cosim, who) + 1);
  add_text (self, LATE, row, from);
  if (row > 1)
    {
      GtkWidget *up = gtk_button_new_from_icon_name ("go-up-symbolic");
      g_autofree char *label = g_strdup_printf (_ ("Move %s up"), name);

      gtk_widget_add_css_class (up, "flat");
      gtk_widget_set_valign (up, GTK_ALIGN_CENTER);
      weir_set_tooltip (up, label);
      gtk_accessible_update_property (GTK_ACCESSIBLE (up), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                      -1);
      g_object_set_data (G_OBJECT (up), "weir-place", GUINT_TO_POINTER (k));
      g_signal_connect (up, "clicked", G_CALLBACK (move_clicked), self);
      gtk_grid_attach (self->grid, up, MOVE, row, 1, 1);
    }
}

static void
fill_table (WeirSchedulePage *self)
{
  static const char *const titles[N_COLUMNS] = {
    [PLACE] = N_ ("Place"),
    [UNIT] = N_ ("Unit"),
    [PART] = N_ ("Takes part"),
    [LEVEL] = N_ ("Cascade level"),
    [STEPS] = N_ ("Communication steps"),
    [TIME] = N_ ("Time per step"),
    [LATE] = N_ ("Late from"),
    [DIFFERENCE] = N_ ("Full against cascading"),
  };
  g_autoptr (GArray) late = weir_cosim_list_late (self->cosim);
  int row = 1;

  g_ptr_array_set_size (self->times, 0);
  g_ptr_array_set_size (self->times, (int) weir_cosim_get_n_units (self->cosim));
  for (int c = 0; c < N_COLUMNS; c++)
    if (titles[c] != NULL && (c != DIFFERENCE || self->differences != NULL))
      add_text (self, c, 0, _ (titles[c]));
  for (guint k = 0; k <= weir_cosim_get_n_units (self->cosim); k++)
    if (weir_cosim_get_at (self->cosim, k) != WEIR_COSIM_REST || weir_cosim_has_rest (self->cosim))
      add_row (self, late, k, row++);
}

/* Names of a chain. (transfer full) */
static char *
dup_chain (WeirSchedulePage *self, const guint *path, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " → " : "", get_name (self, path[i]));
  return g_string_free (text, FALSE);
}

/* Of those that wait for each other in a cascade, the most. (transfer full) */
static char *
dup_longest_chain (WeirSchedulePage *self)
{
  guint n = weir_cosim_get_n_units (self->cosim), last = weir_cosim_get_at (self->cosim, 0), level;
  g_autofree guint *path = g_new (guint, n + 1);

  for (guint k = 1; k <= n; k++)
    if (weir_cosim_get_level (self->cosim, weir_cosim_get_at (self->cosim, k))
        > weir_cosim_get_level (self->cosim, last))
      last = weir_cosim_get_at (self->cosim, k);
  level = weir_cosim_get_level (self->cosim, last);
  path[level] = last;
  for (guint l = level; l-- > 0;)
    for (guint k = 0; k <= n; k++)
      {
        guint before = weir_cosim_get_at (self->cosim, k);

        if (weir_cosim_get_level (self->cosim, before) == l
            && weir_cosim_precedes (self->cosim, before, path[l + 1]))
          path[l] = before;
      }
  return dup_chain (self, path, level + 1);
}

static void
show_summary (WeirSchedulePage *self)
{
  g_autoptr (GArray) late = weir_cosim_list_late (self->cosim);
  g_autofree guint *list = g_new (guint, weir_cosim_get_n_units (self->cosim) + 1);
  guint fewest = weir_cosim_suggest_list (self->cosim, list);
  g_autofree char *chain = dup_longest_chain (self);
  g_autofree char *text = g_strdup_printf (
      /* Translators: the numbers are of links between units, then comes a chain of names. */
      _ ("Every %g s · late in a cascade: %u, at least %u · longest chain: %s"),
      weir_model_get_setting_number (get_model (self), WEIR_SETTING_COMMUNICATION_STEP), late->len,
      fewest, chain);

  gtk_label_set_text (self->summary, text);
  gtk_widget_set_sensitive (self->suggest, fewest < late->len);
}

static void
show_type (WeirSchedulePage *self)
{
  const WeirParameterSpec *spec = weir_settings_find_spec (WEIR_SETTING_SCHEDULE);
  const char *text = weir_model_get_setting (get_model (self), WEIR_SETTING_SCHEDULE);

  self->is_updating = TRUE;
  for (guint i = 0; spec->choices[i] != NULL; i++)
    if (g_strcmp0 (spec->choices[i], text != NULL ? text : spec->default_text) == 0)
      gtk_drop_down_set_selected (self->types, i);
  self->is_updating = FALSE;
}

/* --- What the newest run took ---------------------------------------------------------------- */

/* The work of a unit of the run; NULL: the run has none of that name. */
static const WeirUnitWork *
find_work (WeirSchedulePage *self, guint unit)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  const WeirSnapshot *snapshot = session != NULL ? weir_session_get_snapshot (session) : NULL;

  for (guint i = 0; snapshot != NULL && i < snapshot->n_units; i++)
    {
      g_autofree char *path = weir_layout_dup_path (weir_session_get_layout (session),
                                                    snapshot->unit_work[i].node);

      if (g_str_equal (path, weir_cosim_get_path (self->cosim, unit)))
        return &snapshot->unit_work[i];
    }
  return NULL;
}

/* Means, in us; those of units that made no step are 0. @took: n_units + 1, the rest's last. FALSE:
 * no unit made a step. */
static gboolean
calc_means (WeirSchedulePage *self, double *took)
{
  guint n = weir_cosim_get_n_units (self->cosim);
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  double H = weir_model_get_setting_number (get_model (self), WEIR_SETTING_COMMUNICATION_STEP);
  gboolean is_any = FALSE;

  took[n] = 0;
  for (guint i = 0; i < n; i++)
    {
      const WeirUnitWork *work = find_work (self, i);

      took[i] = work != NULL && work->n_steps > 0 ? (double) work->took / (double) work->n_steps
                                                  : 0;
      is_any |= work != NULL && work->n_steps > 0;
    }
  if (is_any && weir_cosim_has_rest (self->cosim))
    {
      const WeirSnapshot *snapshot = weir_session_get_snapshot (session);

      took[n] = snapshot->time > 0 ? snapshot->times.solver * G_USEC_PER_SEC * H / snapshot->time
                                   : 0;
    }
  return is_any;
}

static gboolean
is_on_path (const guint *path, guint n_path, guint who)
{
  for (guint i = 0; i < n_path; i++)
    if (path[i] == who)
      return TRUE;
  return FALSE;
}

static void
show_times (WeirSchedulePage *self, const double *took, const guint *path, guint n_path)
{
  for (guint i = 0; i < self->times->len; i++)
    {
      g_autofree char *time = weir_cache_format_time (took[i] * 1e3);
      g_autofree char *critical = g_strdup_printf (_ ("%s, critical"), time);

      if (self->times->pdata[i] != NULL)
        gtk_label_set_text (self->times->pdata[i], is_on_path (path, n_path, i) ? critical : time);
    }
}

/* The newest steps: those that ended where the last did. */
static void
show_steps (WeirSchedulePage *self, const guint *path, guint n_path)
{
  g_autoptr (GArray) bars = weir_schedule_steps_bars_new ();
  guint n = weir_cosim_get_n_units (self->cosim);
  double last = -INFINITY;

  for (guint i = 0; i < n; i++)
    {
      const WeirUnitWork *work = find_work (self, i);

      if (work != NULL && work->n_steps > 0)
        last = fmax (last, work->t_end);
    }
  for (guint i = 0; i < n; i++)
    {
      const WeirUnitWork *work = find_work (self, i);
      WeirStepBar bar;

      if (work == NULL || work->n_steps == 0 || work->t_end < last)
        continue;
      bar = (WeirStepBar) { g_strdup (weir_cosim_get_path (self->cosim, i)), work->thread,
                            (double) work->begin, (double) work->end,
                            is_on_path (path, n_path, i) };
      g_array_append_val (bars, bar);
    }
  weir_schedule_steps_set (self->steps, bars);
}

static void
show_work (WeirSchedulePage *self)
{
  guint n = weir_cosim_get_n_units (self->cosim), n_path;
  g_autofree double *took = g_new (double, n + 1);
  g_autofree guint *path = g_new (guint, n + 1);
  g_autofree char *chain = NULL, *all = NULL, *critical = NULL, *text = NULL;
  gboolean is_any = calc_means (self, took);
  double sum = took[n];

  gtk_widget_set_visible (GTK_WIDGET (self->measured), is_any);
  gtk_widget_set_visible (GTK_WIDGET (self->steps), is_any);
  if (!is_any)
    return;
  for (guint i = 0; i < n; i++)
    sum += took[i];
  critical = weir_cache_format_time (
      1e3 * weir_cosim_find_critical_path (self->cosim, took, path, &n_path));
  all = weir_cache_format_time (1e3 * sum);
  chain = dup_chain (self, path, n_path);
  /* Translators: times, then a chain of names. */
  text = g_strdup_printf (_ ("A step takes %s one after the other, on average; its critical path "
                             "takes %s: %s. Last steps of units, by thread:"),
                          all, critical, chain);
  gtk_label_set_text (self->measured, text);
  show_times (self, took, path, n_path);
  show_steps (self, path, n_path);
}

/* While a run goes on, a few times a second. */
static void
run_changed (WeirSchedulePage *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  gint64 now = g_get_monotonic_time ();

  if (self->cosim == NULL || session == NULL || !weir_page_is_shown (&self->parent)
      || (weir_session_get_state (session) == WEIR_SESSION_RUNNING
          && now - self->shown_at < INTERVAL))
    return;
  self->shown_at = now;
  show_work (self);
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Which cell of the table has the keyboard. */
static gboolean
find_focus (WeirSchedulePage *self, int *column, int *row)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *cell = root != NULL ? gtk_root_get_focus (root) : NULL;
  int width, height;

  while (cell != NULL && gtk_widget_get_parent (cell) != GTK_WIDGET (self->grid))
    cell = gtk_widget_get_parent (cell);
  if (cell != NULL)
    gtk_grid_query_child (self->grid, cell, column, row, &width, &height);
  return cell != NULL;
}

/* The cell of the table that is made anew has the keyboard again; one above it if it is gone. */
static void
restore_focus (WeirSchedulePage *self, int column, int row)
{
  for (; row > 0; row--)
    {
      GtkWidget *cell = gtk_grid_get_child_at (self->grid, column, row);

      if (cell != NULL && gtk_widget_grab_focus (cell))
        return;
      column = column == MOVE ? UNIT : column;
    }
}

static void
show_units (WeirSchedulePage *self)
{
  GtkWidget *child;
  int column, row;
  gboolean has_focus = find_focus (self, &column, &row);

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->grid))) != NULL)
    gtk_grid_remove (self->grid, child);
  weir_page_set_available (&self->parent, self->cosim != NULL);
  if (self->cosim == NULL)
    return;
  show_type (self);
  show_summary (self);
  fill_table (self);
  if (has_focus)
    restore_focus (self, column, row);
  show_work (self);
}

/* --- On the canvas --------------------------------------------------------------------------- */

static void
show_late_wires (WeirSchedulePage *self)
{
  const WeirLayout *layout = self->system != NULL ? weir_system_get_layout (self->system) : NULL;
  g_autoptr (GArray) inputs = NULL;
  g_autoptr (GHashTable) late = g_hash_table_new (NULL, NULL);

  if (self->cosim != NULL)
    inputs = weir_cosim_list_late_inputs (self->cosim);
  for (guint i = 0; inputs != NULL && i < inputs->len; i++)
    {
      const WeirInputPlace *input = &g_array_index (inputs, WeirInputPlace, i);
      g_autofree char *path = weir_layout_dup_path (layout, input->node);

      weir_model_note_wires_to (get_model (self), path,
                                weir_layout_get_input_name (layout, input->node, input->in), late);
    }
  weir_canvas_set_late_wires (weir_host_get_canvas (self->parent.host),
                              g_hash_table_size (late) > 0 ? late : NULL);
}

/* --- Following the model --------------------------------------------------------------------- */

static void
forget (WeirSchedulePage *self)
{
  self->cosim = NULL;
  g_clear_pointer (&self->simulator, weir_simulator_free);
  g_clear_pointer (&self->context, weir_context_free);
  g_clear_pointer (&self->system, weir_system_unref);
}

static void
completed (gpointer data)
{
  WeirSchedulePage *self = data;
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirSystem) system = NULL;
  WeirSimulatorOptions options;

  if (self->parent.host == NULL)
    return;
  weir_document_peek_completion (self->parent.document, &system, &diagnostics);
  forget (self);
  if (system != NULL)
    {
      weir_model_get_run_settings (get_model (self), &options, NULL);
      self->system = g_steal_pointer (&system);
      self->context = weir_system_create_context (self->system);
      self->simulator = weir_simulator_new (self->system, self->context, &options, NULL);
      self->cosim = self->simulator != NULL ? weir_cosim_get (self->simulator) : NULL;
    }
  show_late_wires (self);
  show_units (self);
}

static void
document_changed (WeirSchedulePage *self, WeirAspects aspects)
{
  if ((aspects & ~(WeirAspects) WEIR_ASPECTS_OF_LOOKS) == 0)
    return;
  g_clear_pointer (&self->differences, g_hash_table_unref);
  if (weir_model_has_units (get_model (self))) /* that is cheap, completing a model is not */
    weir_document_when_completed (self->parent.document, completed, self);
  else if (self->cosim != NULL)
    {
      forget (self);
      show_late_wires (self);
      show_units (self);
    }
}

/* --- Comparing ------------------------------------------------------------------------------- */

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
  double stop_time;
  GArray *differences; /* WeirCosimDifference */
  gint cancel;
} Comparison;

static void
comparison_free (gpointer data)
{
  Comparison *self = data;

  weir_system_unref (self->system);
  g_array_unref (self->differences);
  g_free (self);
}

static void
run_both (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
          G_GNUC_UNUSED GCancellable *cancellable)
{
  Comparison *comparison = data;
  GError *error = NULL;

  if (weir_cosim_compare (comparison->system, &comparison->options, comparison->stop_time,
                          WEIR_STEP_SCHEDULING_FULL_PARALLEL,
                          WEIR_STEP_SCHEDULING_CASCADING_PARALLEL, &comparison->cancel,
                          comparison->differences, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Of each unit the greatest, in parts of the value. */
static void
take_differences (WeirSchedulePage *self, const GArray *differences)
{
  guint n = weir_cosim_get_n_units (self->cosim);
  g_autofree const WeirCosimDifference **greatest = g_new0 (const WeirCosimDifference *, n + 1);

  for (guint i = 0; i < differences->len; i++)
    {
      const WeirCosimDifference *d = &g_array_index (differences, WeirCosimDifference, i);

      if (greatest[d->unit] == NULL || d->relative > greatest[d->unit]->relative)
        greatest[d->unit] = d;
    }
  self->differences = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < n; i++)
    if (greatest[i] != NULL)
      g_hash_table_insert (
          self->differences, g_strdup (weir_cosim_get_path (self->cosim, i)),
          greatest[i]->difference > 0
              /* Translators: two values, their difference in per cent, and when it was. */
              ? g_strdup_printf (_ ("%.5g and %.5g (%.2g %%) at %g s"), greatest[i]->a,
                                 greatest[i]->b, 100 * greatest[i]->relative, greatest[i]->time)
              : g_strdup (_ ("the same")));
}

static void
compared (GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirSchedulePage *self = WEIR_SCHEDULE_PAGE (source);
  Comparison *comparison = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  self->cancel = NULL;
  if (self->parent.host == NULL)
    return;
  gtk_widget_set_sensitive (self->compare, TRUE);
  if (!done)
    weir_host_toast (self->parent.host, weir_error_say (error));
  else if (comparison->system == self->system && self->cosim != NULL)
    {
      g_clear_pointer (&self->differences, g_hash_table_unref);
      take_differences (self, comparison->differences);
      show_units (self);
    }
}

static void
compare (WeirSchedulePage *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, compared, NULL);
  Comparison *comparison;

  if (self->cosim == NULL || self->cancel != NULL)
    return;
  comparison = g_new0 (Comparison, 1);
  comparison->system = weir_system_ref (self->system);
  comparison->differences = g_array_new (FALSE, FALSE, sizeof (WeirCosimDifference));
  weir_model_get_run_settings (get_model (self), &comparison->options, &comparison->stop_time);
  self->cancel = &comparison->cancel;
  gtk_widget_set_sensitive (self->compare, FALSE);
  g_task_set_task_data (task, comparison, comparison_free);
  g_task_run_in_thread (task, run_both);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
ready (WeirPage *page)
{
  document_changed (WEIR_SCHEDULE_PAGE (page), WEIR_ASPECT_ALL);
}

static void
constructed (GObject *object)
{
  WeirSchedulePage *self = WEIR_SCHEDULE_PAGE (object);
  g_autoptr (GtkStringList)
      names = gtk_string_list_new (weir_settings_find_spec (WEIR_SETTING_SCHEDULE)->choices);

  G_OBJECT_CLASS (weir_schedule_page_parent_class)->constructed (object);
  self->is_updating = TRUE;
  gtk_drop_down_set_model (self->types, G_LIST_MODEL (names));
  self->is_updating = FALSE;
  weir_page_set_available (&self->parent, FALSE);
  g_signal_connect_object (self->parent.runner, "state-changed", G_CALLBACK (run_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (run_changed), NULL);
  g_signal_connect_object (self->parent.document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
dispose (GObject *object)
{
  WeirSchedulePage *self = WEIR_SCHEDULE_PAGE (object);

  if (self->cancel != NULL)
    g_atomic_int_set (self->cancel, 1);
  g_clear_pointer (&self->differences, g_hash_table_unref);
  forget (self);
  g_clear_pointer (&self->times, g_ptr_array_unref);
  G_OBJECT_CLASS (weir_schedule_page_parent_class)->dispose (object);
}

static void
weir_schedule_page_class_init (WeirSchedulePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  WEIR_PAGE_CLASS (klass)->ready = ready;
  g_type_ensure (WEIR_TYPE_SCHEDULE_STEPS);
  weir_set_template (klass, "schedule-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirSchedulePage, types);
  gtk_widget_class_bind_template_child (widget_class, WeirSchedulePage, summary);
  gtk_widget_class_bind_template_child (widget_class, WeirSchedulePage, suggest);
  gtk_widget_class_bind_template_child (widget_class, WeirSchedulePage, compare);
  gtk_widget_class_bind_template_child (widget_class, WeirSchedulePage, grid);
  gtk_widget_class_bind_template_child (widget_class, WeirSchedulePage, measured);
  gtk_widget_class_bind_template_child (widget_class, WeirSchedulePage, steps);
  gtk_widget_class_bind_template_callback (widget_class, type_chosen);
  gtk_widget_class_bind_template_callback (widget_class, suggest);
  gtk_widget_class_bind_template_callback (widget_class, compare);
}

static void
weir_schedule_page_init (WeirSchedulePage *self)
{
  self->times = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

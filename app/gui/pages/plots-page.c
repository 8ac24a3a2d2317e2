/* The page of plots. See plots-page.h. */
#include "gui/pages/plots-page.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "blocks/library/registry.h"
#include "blocks/parts/part.h"
#include "cache/runs-panel.h"
#include "canvas/edits/edits.h"
#include "gui/host/chooser.h"
#include "gui/host/export.h"
#include "gui/host/settings.h"
#include "gui/pages/runs-page.h"
#include "scopes/scopes.h"
#include "scopes/signal-name.h"
#include "sim/result-file.h"
#include "sim/results.h"

#define BEFORE "before" /* of what to compare with; else the number of a run, or none */
#define MEASURED "file"
#define PICTURE_WIDTH 960.0 /* points */
#define PICTURE_HEIGHT 540.0

struct _WeirPlotsPage {
  WeirPage parent;
  WeirScopes *panel;
  char *key;              /* of the plot to be saved; NULL: none was */
  GMenu *menu;            /* of the runs to compare with */
  WeirRecorder *measured; /* of a file to compare with; NULL: none was opened */
  char *measured_name;
};

G_DEFINE_FINAL_TYPE (WeirPlotsPage, weir_plots_page, WEIR_TYPE_PAGE)

/* --- Pictures -------------------------------------------------------------------------------- */

static gboolean
export_plot (WeirPlotsPage *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file);
  g_autoptr (GError) error = NULL;
  WeirPictureFunc draw;
  gpointer data;
  gboolean is_written;

  if (self->key == NULL || !weir_scopes_find_picture (self->panel, self->key, &draw, &data))
    {
      weir_host_toast (self->parent.host, _ ("That plot is there no longer."));
      return FALSE;
    }
  is_written = path != NULL
               && weir_picture_write (path, PICTURE_WIDTH, PICTURE_HEIGHT, draw, data, &error);
  return weir_export_tell (self->parent.host, name, is_written, error);
}

static void
export_to (gpointer data, GFile *file)
{
  export_plot (data, file);
}

static void
choose_plot (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirPlotsPage *self = data;
  const char *key = g_variant_get_string (value, NULL);
  /* The path of a Scope within subsystems is no folder. */
  g_autofree char *base = g_strdelimit (g_strdup (*key != '\0' ? key : _ ("Signals")),
                                        G_DIR_SEPARATOR_S, '-');
  g_autofree char *proposal = g_strconcat (base, ".png", NULL);

  g_free (self->key);
  self->key = g_strdup (key);
  weir_ask_for_file (self->parent.host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Save Plot as Picture"),
                                           .accept = _ ("_Save"),
                                           .kind = _ ("Pictures: SVG, PDF, PNG"),
                                           .suffixes = { "png", "svg", "pdf" },
                                           .name = proposal },
                     export_to, self, NULL);
}

static void
copy_plot (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer user_data)
{
  WeirPlotsPage *self = user_data;
  WeirPictureFunc draw;
  gpointer data;

  if (!weir_scopes_find_picture (self->panel, g_variant_get_string (value, NULL), &draw, &data))
    return;
  weir_export_copy_drawing (self->parent.host, PICTURE_WIDTH, PICTURE_HEIGHT, draw, data);
}

/* --- Results --------------------------------------------------------------------------------- */

/* Of the columns, as the legends of the plots have them: a signal that two Scopes show has its
 * recorded name the second time, so that no two columns are called the same. */
static char **
dup_column_names (WeirPlotsPage *self, WeirRecorder *recorder)
{
  WeirModel *model = weir_runner_get_session_model (self->parent.runner);
  guint n = weir_recorder_get_n_signals (recorder);
  char **names = g_new0 (char *, n + 1);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    {
      const char *own = weir_recorder_get_signal_name (recorder, i);
      g_auto (WeirSignalName) shown = weir_signal_name_find (model, own);

      names[i] = g_strdup (g_hash_table_contains (taken, shown.name) ? own : shown.name);
      g_hash_table_add (taken, names[i]);
    }
  return names;
}

/* NULL if nothing was recorded, or it could not be written. (transfer full) */
static GBytes *
dup_results (WeirPlotsPage *self, const WeirResultFormat *format)
{
  WeirRecorder *recorder = weir_runner_get_results (self->parent.runner);
  g_autoptr (GOutputStream) stream = NULL;
  g_auto (GStrv) names = NULL;

  if (recorder == NULL || weir_recorder_get_n_rows (recorder) == 0)
    return NULL;
  stream = g_memory_output_stream_new_resizable ();
  names = dup_column_names (self, recorder);
  if (!weir_results_write (format, recorder, (const char *const *) names, stream, NULL)
      || !g_output_stream_close (stream, NULL, NULL))
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

gboolean
weir_plots_page_export_results (WeirPlotsPage *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  const WeirResultFormat *format = weir_result_format_find (name);
  g_autoptr (GBytes) bytes = NULL;

  if (format == NULL && strchr (name, '.') != NULL)
    {
      g_autofree char *suffixes = weir_result_formats_dup_suffixes (", ");
      g_autofree char *text = g_strdup_printf (_ ("“%s”: results are written as %s."), name,
                                               suffixes);

      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, text);
      return FALSE;
    }
  bytes = dup_results (self, format != NULL ? format : weir_result_format_get (0));
  return weir_export_bytes (self->parent.host, file, bytes);
}

static void
export_results_to (gpointer data, GFile *file)
{
  weir_plots_page_export_results (data, file);
}

static void
choose_results (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirPlotsPage *self = data;
  guint n = weir_result_format_get_n ();
  g_autofree char *name = weir_host_dup_stem (self->parent.host);
  g_autofree char *proposal = g_strdup_printf (
      "%s.%s", name, weir_result_format_get_suffixes (weir_result_format_get (0))[0]);
  g_autofree WeirFileFilter *kinds = g_new0 (WeirFileFilter, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const WeirResultFormat *format = weir_result_format_get (i);

      kinds[i] = (WeirFileFilter) { _ (weir_result_format_get_title (format)),
                                    weir_result_format_get_suffixes (format) };
    }
  weir_ask_for_file (self->parent.host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Export the Results"),
                                           .accept = _ ("_Export"),
                                           .kinds = kinds,
                                           .name = proposal },
                     export_results_to, self, NULL);
}

/* --- The run to compare with ----------------------------------------------------------------- */

/* NULL while there is no page of runs. */
static WeirRunsPage *
get_runs (WeirPlotsPage *self)
{
  return weir_host_find (self->parent.host, WEIR_TYPE_RUNS_PAGE);
}

/* FALSE if there is none. */
static gboolean
find_compared (WeirRunsPage *runs, const char *wanted, guint *found)
{
  guint n = runs != NULL ? weir_runs_panel_get_n (weir_runs_page_get_panel (runs)) : 0;

  if (g_str_equal (wanted, BEFORE))
    {
      guint n_before = n > 0 && weir_runs_page_has_present (runs) ? n - 1 : n;

      *found = n_before - 1;
      return n_before > 0;
    }
  for (*found = 0; *found < n; (*found)++)
    {
      g_autofree char *number = g_strdup_printf ("%u", weir_runs_page_get_number (runs, *found));

      if (g_str_equal (wanted, number))
        return TRUE;
    }
  return FALSE;
}

static void
show_compared (WeirPlotsPage *self)
{
  GActionGroup *actions = G_ACTION_GROUP (weir_host_get_actions (self->parent.host));
  g_autoptr (GVariant) state = g_action_group_get_action_state (actions, "compare-run");
  WeirRunsPage *runs = get_runs (self);
  WeirRecorder *recorder = NULL;
  g_autofree char *name = NULL;
  guint i;

  if (g_str_equal (g_variant_get_string (state, NULL), MEASURED))
    {
      recorder = self->measured;
      name = g_strdup (self->measured_name);
    }
  else if (find_compared (runs, g_variant_get_string (state, NULL), &i))
    {
      recorder = weir_past_run_get_recorder (
          weir_runs_panel_get_run (weir_runs_page_get_panel (runs), i));
      name = g_strdup_printf (_ ("Run %u"), weir_runs_page_get_number (runs, i));
    }
  weir_scopes_set_earlier (self->panel, recorder, name);
}

static void
append_run (GMenu *menu, const char *label, const char *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);

  g_menu_item_set_attribute (item, G_MENU_ATTRIBUTE_LABEL, "s", label);
  g_menu_item_set_action_and_target (item, "win.compare-run", "s", target);
  g_menu_append_item (menu, item);
}

/* The page of runs has others now, or the present run is another. */
static void
refresh_compared (WeirPlotsPage *self)
{
  WeirRunsPage *page = get_runs (self);
  g_autoptr (GMenu) runs = g_menu_new ();

  g_menu_remove_all (self->menu);
  append_run (self->menu, _ ("_Nothing"), "");
  append_run (self->menu, _ ("The Run _Before"), BEFORE);
  if (self->measured != NULL)
    append_run (self->menu, self->measured_name, MEASURED);
  g_menu_append (self->menu, _ ("A _File…"), "win.compare-file");
  for (guint i = page != NULL ? weir_runs_panel_get_n (weir_runs_page_get_panel (page)) : 0;
       i-- > 0;)
    {
      WeirPastRun *run = weir_runs_panel_get_run (weir_runs_page_get_panel (page), i);
      g_autofree char *number = g_strdup_printf ("%u", weir_runs_page_get_number (page, i));

      append_run (runs, weir_past_run_get_title (run), number);
    }
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (runs));
  show_compared (self);
}

/* --- Measured results ------------------------------------------------------------------------ */

static void
read_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer path,
                G_GNUC_UNUSED GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (WeirResultFile) table = weir_result_file_read (path, &error);

  if (table == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, weir_recorder_new_for_table (table),
                           (GDestroyNotify) weir_recorder_unref);
}

static void
measured_read (GObject *object, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirPlotsPage *self = WEIR_PLOTS_PAGE (object);
  g_autoptr (GError) error = NULL;
  WeirRecorder *recorder = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->parent.host == NULL) /* the editor is gone */
    {
      g_clear_pointer (&recorder, weir_recorder_unref);
      return;
    }
  if (recorder == NULL)
    {
      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, weir_error_say (error));
      return;
    }
  g_clear_pointer (&self->measured, weir_recorder_unref);
  self->measured = recorder;
  g_free (self->measured_name);
  self->measured_name = g_path_get_basename (g_task_get_task_data (G_TASK (result)));
  g_action_group_change_action_state (G_ACTION_GROUP (weir_host_get_actions (self->parent.host)),
                                      "compare-run", g_variant_new_string (MEASURED));
  refresh_compared (self);
  if (weir_scopes_get_n_plots (self->panel) > 0 && weir_scopes_get_n_earlier (self->panel) == 0)
    weir_host_toast (self->parent.host, _ ("No curve is called as a column of this file is: "
                                           "“Motor.speed”, or “speed”."));
}

void
weir_plots_page_compare_with (WeirPlotsPage *self, GFile *file)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, measured_read, NULL);

  char *path = g_file_get_path (file);

  g_task_set_task_data (task, path != NULL ? path : g_file_get_uri (file), g_free);
  g_task_run_in_thread (task, read_in_thread);
}

static void
compare_with (gpointer data, GFile *file)
{
  weir_plots_page_compare_with (data, file);
}

static void
choose_measured (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirPlotsPage *self = data;

  weir_ask_for_file (self->parent.host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_OPEN,
                                           .title = _ ("Compare With a File"),
                                           .accept = _ ("_Open"),
                                           .kind = _ ("Results"),
                                           .suffixes = { "csv", "txt", "mat", "h5" } },
                     compare_with, self, NULL);
}

static void
change_compared (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_simple_action_set_state (action, value);
  show_compared (data);
}

/* The page of runs wants its run A seen. */
static void
show_earlier (WeirPlotsPage *self, guint i, WeirRunsPage *runs)
{
  GActionGroup *actions = G_ACTION_GROUP (weir_host_get_actions (self->parent.host));
  g_autofree char *number = g_strdup_printf ("%u", weir_runs_page_get_number (runs, i));

  g_action_group_change_action_state (actions, "compare-run", g_variant_new_string (number));
  weir_host_show_page (self->parent.host, "plots");
}

/* --- How plots are looked at ----------------------------------------------------------------- */

static void
look_changed (WeirPlotsPage *self, const char *name, const char *text)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;

  weir_patch_set_plot (patch, name, text);
  if (!weir_document_edit (self->parent.document, patch, "", NULL, &error)) /* no step: no label */
    weir_host_toast (self->parent.host, weir_error_say (error));
}

static void
change_measure (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_scopes_set_measures (((WeirPlotsPage *) data)->panel, g_variant_get_boolean (value));
}

static void
change_figures (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_scopes_set_shows_figures (((WeirPlotsPage *) data)->panel, g_variant_get_boolean (value));
}

static void
change_linked (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_scopes_set_linked (((WeirPlotsPage *) data)->panel, g_variant_get_boolean (value));
}

static void
measuring_changed (WeirPlotsPage *self)
{
  weir_host_set_state (self->parent.host, "link-time",
                       g_variant_new_boolean (weir_scopes_get_linked (self->panel)));
  weir_host_set_state (self->parent.host, "measure",
                       g_variant_new_boolean (weir_scopes_get_measures (self->panel)));
  weir_host_set_state (self->parent.host, "figures",
                       g_variant_new_boolean (weir_scopes_get_shows_figures (self->panel)));
}

#define CHOSEN_SIGNALS "signals" /* what the ports that no Scope shows are kept under: lines */

static void
looks_changed (WeirPlotsPage *self, guint aspects)
{
  WeirModel *model = weir_document_get_model (self->parent.document);
  const char *chosen;
  g_auto (GStrv) paths = NULL;

  if ((aspects & WEIR_ASPECT_PLOTS) == 0)
    return;
  weir_scopes_set_looks (self->panel, model);
  chosen = weir_model_get_plot (model, CHOSEN_SIGNALS);
  paths = g_strsplit (chosen != NULL ? chosen : "", "\n", -1);
  weir_runner_set_logs (self->parent.runner, (const char *const *) paths);
}

static void
keep_chosen (WeirPlotsPage *self)
{
  g_auto (GStrv) paths = weir_runner_dup_added_logs (self->parent.runner);
  g_autofree char *text = g_strjoinv ("\n", paths);

  look_changed (self, CHOSEN_SIGNALS, *text != '\0' ? text : NULL);
}

/* --- Where nothing is recorded --------------------------------------------------------------- */

#define SCOPE_GAP 60 /* px, between an output and the Scope that is to show it */

/* The output at the top level that a Scope would show: of the block selected there, else the one
 * farthest to the right that leads nowhere, else the one farthest to the right. */
static const WeirPortShape *
find_output (WeirScene *scene, guint32 selected, guint32 *block)
{
  const WeirPortShape *found = NULL;
  int best = -1;

  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);
      guint32 id = weir_block_get_id (shape->block);

      for (guint k = shape->n_inputs; k < shape->n_inputs + shape->n_outputs; k++)
        {
          const WeirPortShape *port = &shape->ports[k];
          int rank = id == selected                                           ? 2
                     : !weir_scene_is_connected (scene, id, port->name, TRUE) ? 1
                                                                              : 0;

          if (rank > best || (rank == best && port->position.x > found->position.x))
            {
              best = rank;
              found = port;
              *block = id;
            }
        }
    }
  return found;
}

/* What a diagram of parts is looked at for: of the part selected, else of the one farthest to the
 * right that stores something. (transfer full), or NULL */
static char *
dup_part_value (WeirScene *scene, guint32 selected)
{
  const WeirBlockShape *found = NULL;
  int best = -1;
  g_autoptr (GPtrArray) values = NULL;

  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);
      const WeirPartType *part = shape->type != NULL ? weir_block_get_part (shape->block) : NULL;
      gboolean stores = FALSE;
      int rank;

      if (part == NULL || part->reference != WEIR_NO_PIN)
        continue;
      for (guint k = 0; k < part->roles->len; k++)
        stores = stores || g_array_index (part->roles, WeirPartRole, k).kind == WEIR_ROLE_STORES;
      rank = weir_block_get_id (shape->block) == selected ? 2 : stores;
      if (rank > best || (rank == best && shape->box.x > found->box.x))
        {
          best = rank;
          found = shape;
        }
    }
  if (found == NULL)
    return NULL;
  values = weir_part_type_list_values (weir_block_get_part (found->block));
  return g_strdup_printf ("%s.%s", weir_block_get_name (found->block),
                          (const char *) values->pdata[0]);
}

/* Parts need no Scope. */
static void
plot_part (WeirPlotsPage *self, WeirScene *scene)
{
  g_autofree char *path = dup_part_value (scene,
                                          weir_canvas_get_selected_block (self->parent.canvas));

  if (path == NULL)
    {
      weir_host_toast (self->parent.host,
                       _ ("There is no output at the top level that a Scope could show."));
      return;
    }
  weir_runner_add_log (self->parent.runner, path);
  keep_chosen (self);
  weir_runner_begin (self->parent.runner);
  weir_runner_run (self->parent.runner);
}

static void
add_scope (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirPlotsPage *self = data;
  WeirSite site = { weir_document_get_model (self->parent.document), WEIR_PLACE_ROOT };
  g_autoptr (WeirScene) scene = weir_scene_new (weir_site_get_diagram (site), NULL);
  guint32 block = 0;
  const WeirPortShape *port = find_output (
      scene, weir_canvas_get_selected_block (self->parent.canvas), &block);
  g_autoptr (WeirEdit) edit = NULL;
  g_autoptr (GError) error = NULL;

  if (port != NULL)
    {
      g_autoptr (WeirBlock) sample = weir_block_new (1, "Scope", "Scope", (WeirPoint) { 0, 0 });
      g_autoptr (WeirBlockShape) shape = weir_block_shape_new (sample);
      WeirPoint in = shape->ports[0].position;
      WeirPoint at = weir_edit_find_room (
          scene, (WeirPoint) { shape->box.width, shape->box.height },
          (WeirPoint) { port->position.x + SCOPE_GAP - in.x, port->position.y - in.y });

      edit = weir_edit_add_connected (site, "Scope", block, port->name, TRUE,
                                      (WeirPoint) { at.x + in.x, at.y + in.y });
    }
  if (edit == NULL)
    plot_part (self, scene);
  else if (!weir_document_edit (self->parent.document, edit->patch, edit->label, NULL, &error))
    weir_host_toast (self->parent.host, weir_error_say (error));
  else
    {
      weir_canvas_select_blocks (self->parent.canvas,
                                 (const guint32 *) (gpointer) edit->new_blocks->data,
                                 edit->new_blocks->len);
      weir_runner_begin (self->parent.runner); /* one that goes on records nothing of it */
      weir_runner_run (self->parent.runner);
    }
}

/* --- Other ways to it ------------------------------------------------------------------------ */

/* Of a Scope its plot; of others the parameters. */
static void
block_activated (WeirPlotsPage *self, guint block)
{
  WeirModel *model = weir_document_get_model (self->parent.document);
  WeirBlock *found = weir_model_find_block (model, block, NULL);
  const WeirBlockType *type = found == NULL ? NULL
                                            : weir_registry_find (weir_block_get_type_name (found));
  g_autofree char *path = NULL;

  if (type == NULL || !type->is_recorded_sink)
    {
      weir_host_activate (self->parent.host, "properties");
      return;
    }
  path = weir_model_dup_block_path (model, block);
  weir_host_show_page (self->parent.host, "plots");
  if (!weir_scopes_show_plot (self->panel, path))
    weir_host_toast_until_run (self->parent.host,
                               _ ("There is nothing to plot yet: run the model (F5)."));
}

static void
plot_port (WeirPlotsPage *self, const char *path)
{
  gboolean is_awaited = weir_runner_add_log (self->parent.runner, path);

  keep_chosen (self);
  weir_host_show_page (self->parent.host, "plots");
  if (is_awaited)
    {
      g_autofree char *text = g_strdup_printf (_ ("%s will be plotted in the next run."), path);

      weir_host_toast_until_run (self->parent.host, text);
    }
}

static void
forget_chosen (WeirPlotsPage *self)
{
  weir_runner_clear_logs (self->parent.runner);
  keep_chosen (self);
}

static void
session_replaced (WeirPlotsPage *self)
{
  g_autofree char *name = weir_host_dup_stem (self->parent.host);

  weir_scopes_set_model_name (self->panel, name);
  weir_scopes_set_model (self->panel, weir_runner_get_session_model (self->parent.runner));
  weir_scopes_set_session (self->panel, weir_runner_get_session (self->parent.runner));
}

/* --- Instant results ------------------------------------------------------------------------- */

/* What was before stays in sight as long as a hand drags a value. */
static void
results_changed (WeirPlotsPage *self)
{
  weir_scopes_set_results (self->panel, weir_runner_get_results (self->parent.runner),
                           weir_document_is_merging (self->parent.document));
}

static void
merge_ended (WeirPlotsPage *self)
{
  weir_scopes_drop_shadows (self->panel);
}

static void
change_instant (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_simple_action_set_state (action, value);
  weir_runner_set_instant (((WeirPlotsPage *) data)->parent.runner, g_variant_get_boolean (value));
  weir_settings_set_instant (g_variant_get_boolean (value));
}

static void
instant_setting_changed (WeirPlotsPage *self)
{
  weir_host_set_state (self->parent.host, "instant-results",
                       g_variant_new_boolean (weir_settings_get_instant ()));
  weir_runner_set_instant (self->parent.runner, weir_settings_get_instant ());
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
ready (WeirPage *page)
{
  WeirPlotsPage *self = WEIR_PLOTS_PAGE (page);
  WeirRunsPage *runs = get_runs (self);

  if (runs != NULL)
    {
      g_signal_connect_object (runs, "changed", G_CALLBACK (refresh_compared), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (runs, "show-earlier", G_CALLBACK (show_earlier), self,
                               G_CONNECT_SWAPPED);
    }
  refresh_compared (self);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "export-plot", .activate = choose_plot, .parameter_type = "s" },
    { .name = "copy-plot", .activate = copy_plot, .parameter_type = "s" },
    { .name = "export-results", .activate = choose_results },
    { .name = "add-scope", .activate = add_scope },
    { .name = "compare-file", .activate = choose_measured },
    { .name = "measure", .state = "false", .change_state = change_measure },
    { .name = "figures", .state = "false", .change_state = change_figures },
    { .name = "link-time", .state = "false", .change_state = change_linked },
    { .name = "instant-results", .state = "true", .change_state = change_instant },
    { .name = "compare-run",
      .parameter_type = "s",
      .state = "''",
      .change_state = change_compared },
  };
  WeirPlotsPage *self = WEIR_PLOTS_PAGE (object);

  G_OBJECT_CLASS (weir_plots_page_parent_class)->constructed (object);
  self->menu = g_menu_new ();
  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  weir_scopes_set_actions (self->panel, G_ACTION_GROUP (weir_host_get_actions (self->parent.host)));
  weir_scopes_set_runs_menu (self->panel, G_MENU_MODEL (self->menu));
  g_signal_connect_object (self->parent.runner, "notify::session", G_CALLBACK (session_replaced),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.canvas, "activate-block", G_CALLBACK (block_activated),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.canvas, "plot-port", G_CALLBACK (plot_port), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.runner, "results-changed", G_CALLBACK (results_changed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.document, "merge-ended", G_CALLBACK (merge_ended), self,
                           G_CONNECT_SWAPPED);
  if (weir_settings_get () != NULL)
    g_signal_connect_object (weir_settings_get (), "changed::instant-results",
                             G_CALLBACK (instant_setting_changed), self, G_CONNECT_SWAPPED);
  instant_setting_changed (self);
  g_signal_connect_object (self->panel, "measuring-changed", G_CALLBACK (measuring_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->panel, "look-changed", G_CALLBACK (look_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.document, "changed", G_CALLBACK (looks_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
finalize (GObject *object)
{
  WeirPlotsPage *self = WEIR_PLOTS_PAGE (object);

  g_clear_object (&self->menu);
  g_clear_pointer (&self->measured, weir_recorder_unref);
  g_free (self->measured_name);
  g_free (self->key);
  G_OBJECT_CLASS (weir_plots_page_parent_class)->finalize (object);
}

static void
weir_plots_page_class_init (WeirPlotsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  WEIR_PAGE_CLASS (klass)->ready = ready;
  g_type_ensure (WEIR_TYPE_SCOPES);
  weir_set_template (klass, "plots-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirPlotsPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, forget_chosen);
}

static void
weir_plots_page_init (WeirPlotsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

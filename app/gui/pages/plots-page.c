/* What leaves the plots, and what is compared in them: pictures of plots, recorded results as a
 * table, and an earlier run's curves beneath those of the present one.
 *
 * The run to compare with is the state of the action compare-run: "" for none, "before" for the one
 * before, whichever that is, or the number of a run that the page of runs keeps.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "cache/runs-panel.h"
#include "canvas/edits/edits.h"
#include "gui/host/chooser.h"
#include "gui/shell/editor-private.h"
#include "scopes/scopes.h"
#include "scopes/signal-name.h"
#include "sim/results.h"

#define BEFORE "before"
#define PICTURE_WIDTH 960.0 /* points */
#define PICTURE_HEIGHT 540.0

/* --- Pictures -------------------------------------------------------------------------------- */

gboolean
weir_editor_export_plot (WeirEditor *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file);
  g_autoptr (GError) error = NULL;
  WeirPictureFunc draw;
  gpointer data;
  gboolean is_written;

  if (self->plot_key == NULL
      || !weir_scopes_find_picture (WEIR_SCOPES (self->scopes), self->plot_key, &draw, &data))
    {
      weir_editor_toast (self, _ ("That plot is there no longer."));
      return FALSE;
    }
  is_written = path != NULL
               && weir_picture_write (path, PICTURE_WIDTH, PICTURE_HEIGHT, draw, data, &error);
  return weir_editor_tell_exported (self, name, is_written, error);
}

static void
export_to (WeirEditor *self, GFile *file)
{
  weir_editor_export_plot (self, file);
}

static void
choose_plot (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirEditor *self = data;
  const char *key = g_variant_get_string (value, NULL);
  /* The path of a Scope within subsystems is no folder. */
  g_autofree char *base = g_strdelimit (g_strdup (*key != '\0' ? key : _ ("Signals")),
                                        G_DIR_SEPARATOR_S, '-');
  g_autofree char *proposal = g_strconcat (base, ".png", NULL);

  g_free (self->plot_key);
  self->plot_key = g_strdup (key);
  weir_editor_ask_for_file (self,
                            &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                                  .title = _ ("Save Plot as Picture"),
                                                  .accept = _ ("_Save"),
                                                  .kind = _ ("Pictures: SVG, PDF, PNG"),
                                                  .suffixes = { "png", "svg", "pdf" },
                                                  .name = proposal },
                            export_to);
}

static void
copy_plot (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer user_data)
{
  WeirEditor *self = user_data;
  WeirPictureFunc draw;
  gpointer data;

  if (!weir_scopes_find_picture (WEIR_SCOPES (self->scopes), g_variant_get_string (value, NULL),
                                 &draw, &data))
    return;
  weir_editor_copy_drawing (self, PICTURE_WIDTH, PICTURE_HEIGHT, draw, data);
}

/* --- Results --------------------------------------------------------------------------------- */

/* Of the columns, as the legends of the plots have them: a signal that two Scopes show has its
 * recorded name the second time, so that no two columns are called the same. */
static char **
dup_column_names (WeirEditor *self, WeirRecorder *recorder)
{
  WeirModel *model = weir_runner_get_session_model (self->runner);
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
dup_results (WeirEditor *self, const WeirResultFormat *format)
{
  WeirSession *session = weir_runner_get_session (self->runner);
  WeirRecorder *recorder = session != NULL ? weir_session_get_recorder (session) : NULL;
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
weir_editor_export_results (WeirEditor *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  const WeirResultFormat *format = weir_result_format_find (name);
  g_autoptr (GBytes) bytes = NULL;

  if (format == NULL && strchr (name, '.') != NULL)
    {
      g_autofree char *suffixes = weir_result_formats_dup_suffixes (", ");
      g_autofree char *text = g_strdup_printf (_ ("“%s”: results are written as %s."), name,
                                               suffixes);

      weir_editor_set_banner (self, GTK_MESSAGE_ERROR, text);
      return FALSE;
    }
  bytes = dup_results (self, format != NULL ? format : weir_result_format_get (0));
  return weir_editor_export_bytes (self, file, bytes);
}

static void
export_results_to (WeirEditor *self, GFile *file)
{
  weir_editor_export_results (self, file);
}

static void
choose_results (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirEditor *self = data;
  guint n = weir_result_format_get_n ();
  g_autofree char *name = weir_editor_dup_stem (self);
  g_autofree char *proposal = g_strdup_printf (
      "%s.%s", name, weir_result_format_get_suffixes (weir_result_format_get (0))[0]);
  g_autofree WeirFileFilter *kinds = g_new0 (WeirFileFilter, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const WeirResultFormat *format = weir_result_format_get (i);

      kinds[i] = (WeirFileFilter) { _ (weir_result_format_get_title (format)),
                                    weir_result_format_get_suffixes (format) };
    }
  weir_editor_ask_for_file (self,
                            &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                                  .title = _ ("Export the Results"),
                                                  .accept = _ ("_Export"),
                                                  .kinds = kinds,
                                                  .name = proposal },
                            export_results_to);
}

/* --- The run to compare with ----------------------------------------------------------------- */

/* Of the run that the page of runs keeps at @i. */
static guint
get_number (WeirEditor *self, guint i)
{
  return self->n_runs + 1 - (weir_runs_panel_get_n (WEIR_RUNS_PANEL (self->runs)) - i);
}

/* FALSE if there is none. */
static gboolean
find_compared (WeirEditor *self, const char *wanted, guint *found)
{
  guint n = weir_runs_panel_get_n (WEIR_RUNS_PANEL (self->runs));
  guint n_before = self->compared != NULL && n > 0 ? n - 1 : n; /* the present run is kept too */

  if (g_str_equal (wanted, BEFORE))
    {
      *found = n_before - 1;
      return n_before > 0;
    }
  for (*found = 0; *found < n; (*found)++)
    {
      g_autofree char *number = g_strdup_printf ("%u", get_number (self, *found));

      if (g_str_equal (wanted, number))
        return TRUE;
    }
  return FALSE;
}

static void
show_compared (WeirEditor *self)
{
  g_autoptr (GVariant)
      state = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "compare-run");
  WeirRecorder *recorder = NULL;
  g_autofree char *name = NULL;
  guint i;

  if (find_compared (self, g_variant_get_string (state, NULL), &i))
    {
      recorder = weir_run_record_get_recorder (
          weir_runs_panel_get_run (WEIR_RUNS_PANEL (self->runs), i));
      name = g_strdup_printf (_ ("Run %u"), get_number (self, i));
    }
  weir_scopes_set_earlier (WEIR_SCOPES (self->scopes), recorder, name);
}

static void
append_run (GMenu *menu, const char *label, const char *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);

  g_menu_item_set_attribute (item, G_MENU_ATTRIBUTE_LABEL, "s", label);
  g_menu_item_set_action_and_target (item, "win.compare-run", "s", target);
  g_menu_append_item (menu, item);
}

void
weir_editor_refresh_compared (WeirEditor *self)
{
  g_autoptr (GMenu) runs = g_menu_new ();
  GMenu *menu = self->runs_menu;

  g_menu_remove_all (menu);
  append_run (menu, _ ("_Nothing"), "");
  append_run (menu, _ ("The Run _Before"), BEFORE);
  for (guint i = weir_runs_panel_get_n (WEIR_RUNS_PANEL (self->runs)); i-- > 0;)
    {
      WeirRunRecord *run = weir_runs_panel_get_run (WEIR_RUNS_PANEL (self->runs), i);
      g_autofree char *number = g_strdup_printf ("%u", get_number (self, i));

      append_run (runs, weir_run_record_get_title (run), number);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (runs));
  show_compared (self);
}

static void
change_compared (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_simple_action_set_state (action, value);
  show_compared (data);
}

/* The page of runs wants its run A seen. */
static void
show_earlier (WeirEditor *self, guint i)
{
  g_autofree char *number = g_strdup_printf ("%u", get_number (self, i));

  g_action_group_change_action_state (G_ACTION_GROUP (self->actions), "compare-run",
                                      g_variant_new_string (number));
  weir_editor_show_page (self, "plots");
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

static void
add_scope (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirEditor *self = data;
  WeirSite site = { weir_document_get_model (self->document), WEIR_PLACE_ROOT };
  g_autoptr (WeirScene) scene = weir_scene_new (weir_site_get_diagram (site), NULL);
  guint32 block = 0;
  const WeirPortShape *port = find_output (scene, weir_canvas_get_selected_block (self->canvas),
                                           &block);
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
    weir_editor_toast (self, _ ("There is no output at the top level that a Scope could show."));
  else if (!weir_document_edit (self->document, edit->patch, edit->label, NULL, &error))
    weir_editor_toast (self, error->message);
  else
    {
      weir_canvas_select_blocks (self->canvas, (const guint32 *) (gpointer) edit->new_blocks->data,
                                 edit->new_blocks->len);
      if (weir_runner_begin (self->runner)) /* a run that goes on records nothing */
        weir_runner_run (self->runner);
    }
}

/* --- How plots are looked at ----------------------------------------------------------------- */

static void
look_changed (WeirEditor *self, const char *name, const char *text)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;

  weir_patch_set_plot (patch, name, text);
  if (!weir_document_edit (self->document, patch, "", NULL, &error)) /* no step, so no label */
    weir_editor_toast (self, error->message);
}

static void
looks_changed (WeirEditor *self, guint aspects)
{
  if ((aspects & WEIR_ASPECT_PLOTS) != 0)
    weir_scopes_set_looks (WEIR_SCOPES (self->scopes), weir_document_get_model (self->document));
}

void
weir_editor_add_plots (WeirEditor *self)
{
  static const GActionEntry entries[] = {
    { .name = "export-plot", .activate = choose_plot, .parameter_type = "s" },
    { .name = "copy-plot", .activate = copy_plot, .parameter_type = "s" },
    { .name = "export-results", .activate = choose_results },
    { .name = "add-scope", .activate = add_scope },
    { .name = "compare-run",
      .parameter_type = "s",
      .state = "''",
      .change_state = change_compared },
  };

  self->runs_menu = g_menu_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  weir_scopes_set_runs_menu (WEIR_SCOPES (self->scopes), G_MENU_MODEL (self->runs_menu));
  g_signal_connect_swapped (self->runs, "show-earlier", G_CALLBACK (show_earlier), self);
  g_signal_connect_object (self->scopes, "look-changed", G_CALLBACK (look_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (looks_changed), self,
                           G_CONNECT_SWAPPED);
  weir_editor_refresh_compared (self);
}

void
weir_editor_remove_plots (WeirEditor *self)
{
  g_clear_object (&self->runs_menu);
  g_clear_pointer (&self->plot_key, g_free);
}

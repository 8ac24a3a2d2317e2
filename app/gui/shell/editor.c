/* WeirEditor: its widgets, and what each hears from the others. See editor.h.
 *
 * The document tells the title, the actions and (after a pause) the problems; the runner tells the
 * run controls, the status bar, plots and cache; the canvas tells inspector and breadcrumb.
 */
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "gui/host/settings.h"
#include "gui/shell/editor-private.h"
#include "panels/inspector.h"
#include "panels/outline-panel.h"
#include "panels/problem-list.h"
#include "scopes/scopes.h"

#define CHECK_DELAY_MS 300

G_DEFINE_FINAL_TYPE (WeirEditor, weir_editor, ADW_TYPE_BIN)

enum { PROPERTY_TITLE = 1, PROPERTY_RUNNING, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

WeirDocument *
weir_editor_get_document (WeirEditor *self)
{
  return self->document;
}

WeirCanvas *
weir_editor_get_canvas (WeirEditor *self)
{
  return self->canvas;
}

GtkWidget *
weir_editor_get_header (WeirEditor *self)
{
  return self->header;
}

GActionGroup *
weir_editor_get_actions (WeirEditor *self)
{
  return G_ACTION_GROUP (self->actions);
}

GtkWindow *
weir_editor_get_toplevel (WeirEditor *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

gboolean
weir_editor_is_pristine (WeirEditor *self)
{
  return weir_document_get_file (self->document) == NULL
         && !weir_document_get_modified (self->document)
         && !weir_document_can_undo (self->document);
}

#define TOAST_CHARS 44

/* A toast whose text wraps: a title of its own would be cut off. */
static AdwToast *
toast_new (const char *text)
{
  AdwToast *toast = adw_toast_new (text);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TOAST_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  adw_toast_set_custom_title (toast, label);
  return toast;
}

void
weir_editor_toast (WeirEditor *self, const char *text)
{
  AdwToast *toast = toast_new (text);

  adw_toast_set_timeout (toast, 4);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), toast);
}

void
weir_editor_toast_until_run (WeirEditor *self, const char *text)
{
  AdwToast *toast = toast_new (text);

  g_set_weak_pointer (&self->run_toast, toast);
  adw_toast_set_timeout (toast, 4);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), toast);
}

void
weir_editor_offer_undo (WeirEditor *self, const char *text)
{
  AdwToast *toast = toast_new (text);

  if (self->undo_toast != NULL)
    adw_toast_dismiss (self->undo_toast);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_action_name (toast, "win.undo");
  g_set_weak_pointer (&self->undo_toast, toast);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), toast);
}

/* Several at once may have been more than was meant. */
static void
elements_deleted (WeirEditor *self, guint n)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u element deleted", "%u elements deleted", n), n);

  weir_editor_offer_undo (self, text);
}

void
weir_editor_set_banner (WeirEditor *self, GtkMessageType type, const char *text)
{
  weir_editor_set_offer (self, type, text, NULL, NULL);
}

void
weir_editor_set_offer (WeirEditor *self, GtkMessageType type, const char *text, const char *label,
                       const char *action)
{
  self->is_file_told = FALSE;
  gtk_widget_set_visible (self->bar_button, label != NULL);
  if (label != NULL)
    {
      gtk_button_set_label (GTK_BUTTON (self->bar_button), label);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->bar_button), action);
    }
  gtk_label_set_text (GTK_LABEL (self->bar_text), text != NULL ? text : "");
  gtk_info_bar_set_message_type (GTK_INFO_BAR (self->bar), type);
  gtk_widget_set_visible (self->bar, text != NULL);
}

void
weir_editor_show_page (WeirEditor *self, const char *name)
{
  gtk_widget_set_visible (self->bottom, TRUE);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
}

/* Besides those of the canvas: all problems but the inputs that are open because their block was
 * made just now. These are on the list of problems only. */
static void
show_marks (WeirEditor *self)
{
  WeirProblemList *list = WEIR_PROBLEM_LIST (self->problems);
  GtkStackPage *page = gtk_stack_get_page (GTK_STACK (self->stack), self->problems);
  g_autoptr (WeirDiagnostics) marked = weir_diagnostics_new ();

  for (guint i = 0; i < weir_problem_list_get_n_rows (list); i++)
    {
      const WeirDiagnostic *diagnostic = weir_problem_list_get (list, i);

      if (!weir_canvas_is_fresh (self->canvas, diagnostic))
        weir_diagnostics_add_copy (marked, diagnostic);
    }
  weir_outline_panel_set_diagnostics (WEIR_OUTLINE_PANEL (self->outline), marked);
  gtk_stack_page_set_needs_attention (page, weir_diagnostics_get_size (marked) > 0);
}

void
weir_editor_show_problems (WeirEditor *self, WeirDiagnostics *diagnostics)
{
  GtkStackPage *page = gtk_stack_get_page (GTK_STACK (self->stack), self->problems);
  guint n = diagnostics != NULL ? weir_diagnostics_get_size (diagnostics) : 0;
  g_autofree char *title = n > 0 ? g_strdup_printf (_ ("Problems (%u)"), n)
                                 : g_strdup (_ ("Problems"));

  weir_problem_list_set_diagnostics (WEIR_PROBLEM_LIST (self->problems), diagnostics);
  weir_canvas_set_diagnostics (self->canvas, diagnostics);
  gtk_stack_page_set_title (page, title);
  show_marks (self);
}

/* --- The document ---------------------------------------------------------------------------- */

char *
weir_gui_dup_folder_name (GFile *file)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) home = g_file_new_for_path (g_get_home_dir ());
  g_autofree char *below = folder == NULL ? NULL : g_file_get_relative_path (home, folder);

  if (folder == NULL)
    return NULL;
  if (below != NULL)
    return g_build_filename ("~", below, NULL);
  return g_file_equal (folder, home) ? g_strdup ("~") : g_file_get_parse_name (folder);
}

char *
weir_editor_dup_name (WeirEditor *self)
{
  GFile *file = weir_document_get_file (self->document);

  if (file != NULL)
    return g_file_get_basename (file);
  return self->number < 2 ? g_strdup (_ ("Untitled"))
                          : g_strdup_printf ("%s %u", _ ("Untitled"), self->number);
}

static void
update_title (WeirEditor *self)
{
  g_autofree char *title = weir_editor_is_welcome (self) ? g_strdup (_ ("Welcome"))
                                                         : weir_editor_dup_name (self);
  GFile *file = weir_document_get_file (self->document);
  g_autofree char *folder = NULL;

  g_free (self->shown_title);
  self->shown_title = weir_document_get_modified (self->document) ? g_strconcat ("• ", title, NULL)
                                                                  : g_strdup (title);
  if (file != NULL)
    folder = weir_gui_dup_folder_name (file);
  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title), self->shown_title);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title),
                                 folder != NULL ? folder
                                                : weir_translate (weir_model_get_title (
                                                    weir_document_get_model (self->document))));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROPERTY_TITLE]);
}

void
weir_editor_set_number (WeirEditor *self, guint number)
{
  self->number = number;
  update_title (self);
}

static gboolean
check_now (gpointer data)
{
  WeirEditor *self = data;
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirSystem) system = weir_document_complete (self->document, &diagnostics);

  self->check = 0;
  weir_editor_set_problems (self, diagnostics);
  return G_SOURCE_REMOVE;
}

/* What other programs did to the file; nothing any more once it is as it was. */
static void
file_changed (WeirEditor *self)
{
  gboolean was_told = self->is_file_told;
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;

  g_object_get (self->document, "title", &title, NULL);
  if (weir_document_is_file_gone (self->document))
    {
      text = g_strdup_printf (
          _ ("“%s” is no longer where it was: it was deleted, moved or renamed. "
             "The model is here only now."),
          title);
      weir_editor_set_offer (self, GTK_MESSAGE_WARNING, text, _ ("_Save Again"), "win.save");
    }
  else if (weir_document_is_file_changed (self->document))
    {
      text = g_strdup_printf (_ ("“%s” was changed by another program."), title);
      weir_editor_set_offer (self, GTK_MESSAGE_WARNING, text, _ ("_Reload"), "win.reload");
    }
  else if (was_told)
    weir_editor_set_banner (self, GTK_MESSAGE_INFO, NULL);
  self->is_file_told = text != NULL;
}

void
weir_editor_note_saved (WeirEditor *self)
{
  if (self->is_file_told)
    weir_editor_set_banner (self, GTK_MESSAGE_INFO, NULL);
}

/* --- The welcome page ------------------------------------------------------------------------ */

gboolean
weir_editor_is_welcome (WeirEditor *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), "welcome") == 0;
}

/* The tab of the same window that shows it already; NULL: none does. */
static WeirEditor *
find_welcome (WeirEditor *self)
{
  AdwTabView *tabs = weir_window_get_tabs (weir_window_get_of (self));

  for (int i = 0; i < adw_tab_view_get_n_pages (tabs); i++)
    {
      WeirEditor *other = WEIR_EDITOR (
          adw_tab_page_get_child (adw_tab_view_get_nth_page (tabs, i)));

      if (weir_editor_is_welcome (other))
        return other;
    }
  return NULL;
}

WeirEditor *
weir_editor_show_welcome (WeirEditor *self)
{
  WeirEditor *there = find_welcome (self);

  if (there != NULL)
    {
      weir_window_present (there);
      return there;
    }
  if (!weir_editor_is_pristine (self))
    self = weir_window_add_beside (self);
  if (gtk_stack_get_child_by_name (GTK_STACK (self->pages), "welcome") == NULL)
    gtk_stack_add_named (GTK_STACK (self->pages), weir_welcome_new (), "welcome");
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "welcome");
  gtk_widget_child_focus (self->pages, GTK_DIR_TAB_FORWARD);
  return self;
}

/* A first lesson goes without the cache: its page, the badge of verification, the counts. */
static void
update_simple (WeirEditor *self)
{
  gboolean shown = !weir_settings_get_simple ();

  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), self->cache), shown);
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), self->explain), shown);
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), self->lab), shown);
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), self->breaks), shown);
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), self->runs), shown);
  gtk_widget_set_visible (self->verify_button, shown);
  gtk_widget_set_visible (self->cache_status, shown);
  if (!shown
      && !gtk_stack_page_get_visible (gtk_stack_get_page (
          GTK_STACK (self->stack), gtk_stack_get_visible_child (GTK_STACK (self->stack)))))
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "plots");
  weir_editor_update_actions (self);
}

static void
update_autosave (WeirEditor *self)
{
  weir_document_set_autosave (self->document, weir_settings_get_autosave_interval () * 1000);
}

static void
follow_settings (WeirEditor *self)
{
  GSettings *settings = weir_settings_get ();

  update_simple (self);
  update_autosave (self);
  if (settings == NULL)
    return;
  g_signal_connect_object (settings, "changed::simple", G_CALLBACK (update_simple), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "changed::autosave-interval", G_CALLBACK (update_autosave),
                           self, G_CONNECT_SWAPPED);
}

static void
document_changed (WeirEditor *self, guint aspects)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "editor");
  weir_editor_update_status (self);
  if (self->undo_toast != NULL) /* Undo would mean this change */
    adw_toast_dismiss (self->undo_toast);
  if ((aspects & WEIR_ASPECT_NAMES) != 0)
    weir_editor_update_breadcrumb (self);
  if ((aspects & WEIR_ASPECT_METADATA) != 0)
    update_title (self);
  if (aspects == WEIR_ASPECT_LAYOUT)
    return;
  g_clear_handle_id (&self->check, g_source_remove);
  self->check = g_timeout_add (CHECK_DELAY_MS, check_now, self);
}

/* --- The canvas ------------------------------------------------------------------------------ */

static void
selection_changed (WeirEditor *self)
{
  guint n;
  const guint32 *blocks = weir_canvas_get_selected (self->canvas, &n);

  weir_inspector_set_selected (WEIR_INSPECTOR (self->inspector), blocks, n);
  weir_editor_update_outline (self);
}

/* Of a Scope its plot; of others the parameters. */
static void
block_activated (WeirEditor *self, guint block)
{
  WeirModel *model = weir_document_get_model (self->document);
  WeirBlock *found = weir_model_find_block (model, block, NULL);
  const WeirBlockType *type = found == NULL ? NULL
                                            : weir_registry_find (weir_block_get_type_name (found));
  g_autofree char *path = NULL;

  if (type == NULL || !type->is_sink_log)
    {
      g_action_group_activate_action (G_ACTION_GROUP (self->actions), "properties", NULL);
      return;
    }
  path = weir_model_dup_block_path (model, block);
  weir_editor_show_page (self, "plots");
  if (!weir_scopes_show_plot (WEIR_SCOPES (self->scopes), path))
    weir_editor_toast_until_run (self, _ ("There is nothing to plot yet: run the model (F5)."));
}

static void
plot_port (WeirEditor *self, const char *path)
{
  weir_runner_add_log (self->runner, path);
  weir_editor_show_page (self, "plots");
}

static void
forget_chosen (WeirEditor *self)
{
  weir_runner_clear_logs (self->runner);
}

static void
add_block (WeirEditor *self, const char *type)
{
  weir_canvas_add_block (self->canvas, type);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
go_to_problem (WeirEditor *self, guint i)
{
  weir_canvas_show_problem (self->canvas,
                            weir_problem_list_get (WEIR_PROBLEM_LIST (self->problems), i));
}

static void
point_at_problem (WeirEditor *self, int i)
{
  weir_canvas_point_at_problem (
      self->canvas,
      i < 0 ? NULL : weir_problem_list_get (WEIR_PROBLEM_LIST (self->problems), (guint) i));
}

static void
fix_problem (WeirEditor *self, guint i, guint fix)
{
  if (!weir_editor_remedy (self, i, fix))
    weir_canvas_fix (self->canvas, weir_problem_list_get (WEIR_PROBLEM_LIST (self->problems), i),
                     fix);
}

/* --- The runner ------------------------------------------------------------------------------ */

static void
session_replaced (WeirEditor *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);

  if (session != NULL)
    weir_editor_end_building (self);
  self->failed = NULL;
  weir_editor_set_banner (self, GTK_MESSAGE_INFO, NULL);
  weir_scopes_set_model (WEIR_SCOPES (self->scopes), weir_runner_get_session_model (self->runner));
  weir_scopes_set_session (WEIR_SCOPES (self->scopes), session);
}

/* What is open by now is no longer just being built: all its problems are marked. */
void
weir_editor_end_building (WeirEditor *self)
{
  weir_canvas_set_first_fresh (self->canvas,
                               weir_model_get_next_id (weir_document_get_model (self->document)));
  show_marks (self);
}

static void
modified_changed (WeirEditor *self)
{
  if (!weir_document_get_modified (self->document))
    weir_editor_end_building (self);
}

static void
problems_found (WeirEditor *self, WeirDiagnostics *diagnostics)
{
  weir_editor_end_building (self); /* a run was asked for */
  weir_editor_set_problems (self, diagnostics);
  if (diagnostics != NULL && weir_diagnostics_has_errors (diagnostics))
    weir_editor_show_page (self, "problems");
}

static void
caching_switched (WeirEditor *self, gboolean enabled)
{
  weir_runner_set_caching (self->runner, enabled);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WeirEditor *self = WEIR_EDITOR (object);

  switch (id)
    {
    case PROPERTY_TITLE:
      g_value_set_string (value, self->shown_title);
      break;
    case PROPERTY_RUNNING:
      g_value_set_boolean (value, self->is_running);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
dispose (GObject *object)
{
  WeirEditor *self = WEIR_EDITOR (object);

  g_clear_handle_id (&self->check, g_source_remove);
  g_clear_handle_id (&self->fold_soon, g_source_remove);
  g_clear_weak_pointer (&self->undo_toast);
  g_clear_weak_pointer (&self->run_toast);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  if (self->runner != NULL)
    g_signal_handlers_disconnect_by_data (self->runner, self);
  if (self->canvas != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->canvas, self);
      g_signal_handlers_disconnect_by_data (self->pages, self);
    }
  weir_editor_close_lesson (self);
  weir_editor_remove_present (self);
  weir_editor_remove_record (self);
  weir_editor_remove_slow (self);
  weir_editor_remove_verify (self);
  weir_editor_remove_views (self);
  weir_editor_remove_troubles (self);
  self->canvas = NULL;
  g_clear_pointer (&self->shown_title, g_free);
  g_clear_object (&self->chooser);
  g_clear_object (&self->header);
  g_clear_object (&self->actions);
  g_clear_object (&self->runner);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (weir_editor_parent_class)->dispose (object);
}

static void
surface_laid_out (WeirEditor *self, int width)
{
  weir_editor_note_width (self, width);
}

/* The window that it is in may be another one than before. */
static void
map (GtkWidget *widget)
{
  GdkSurface *surface = gtk_native_get_surface (gtk_widget_get_native (widget));

  GTK_WIDGET_CLASS (weir_editor_parent_class)->map (widget);
  g_signal_connect_object (surface, "layout", G_CALLBACK (surface_laid_out), widget,
                           G_CONNECT_SWAPPED);
  weir_editor_note_width (WEIR_EDITOR (widget), gdk_surface_get_width (surface));
}

static void
unmap (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_data (gtk_native_get_surface (gtk_widget_get_native (widget)),
                                        widget);
  GTK_WIDGET_CLASS (weir_editor_parent_class)->unmap (widget);
}

static void
weir_editor_class_init (WeirEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  GTK_WIDGET_CLASS (klass)->map = map;
  GTK_WIDGET_CLASS (klass)->unmap = unmap;
  properties[PROPERTY_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL,
                                                    G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY
                                                        | G_PARAM_STATIC_STRINGS);
  properties[PROPERTY_RUNNING] = g_param_spec_boolean ("running", NULL, NULL, FALSE,
                                                       G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY
                                                           | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
}

static void
connect_swapped (WeirEditor *self, gpointer object, const char *signal, GCallback callback)
{
  g_signal_connect_swapped (object, signal, callback, self);
}

static void
weir_editor_init (WeirEditor *self)
{
  static guint n_tabs;

  self->serial = ++n_tabs;
  self->document = weir_document_new ();
  self->runner = weir_runner_new (self->document);
  self->cache_model = weir_cache_model_new (self->document);
  weir_editor_build (self);
  weir_editor_restore_layout (self);
  weir_editor_add_actions (self);

  connect_swapped (self, self->document, "changed", G_CALLBACK (document_changed));
  connect_swapped (self, self->document, "file-changed", G_CALLBACK (file_changed));
  connect_swapped (self, self->pages, "notify::visible-child", G_CALLBACK (update_title));
  connect_swapped (self, self->document, "notify::title", G_CALLBACK (update_title));
  connect_swapped (self, self->document, "notify::file", G_CALLBACK (update_title));
  connect_swapped (self, self->document, "notify::file", G_CALLBACK (weir_editor_end_building));
  connect_swapped (self, self->document, "notify::modified", G_CALLBACK (update_title));
  connect_swapped (self, self->document, "notify::modified", G_CALLBACK (modified_changed));
  connect_swapped (self, self->document, "notify::can-undo",
                   G_CALLBACK (weir_editor_update_actions));
  connect_swapped (self, self->document, "notify::can-redo",
                   G_CALLBACK (weir_editor_update_actions));
  connect_swapped (self, self->runner, "state-changed", G_CALLBACK (weir_editor_update_status));
  connect_swapped (self, self->runner, "notify::session", G_CALLBACK (session_replaced));
  connect_swapped (self, self->runner, "problems", G_CALLBACK (problems_found));
  connect_swapped (self, self->runner, "message", G_CALLBACK (weir_editor_toast));
  connect_swapped (self, self->canvas, "selection-changed", G_CALLBACK (selection_changed));
  connect_swapped (self, self->canvas, "place-changed", G_CALLBACK (weir_editor_update_breadcrumb));
  connect_swapped (self, self->canvas, "activate-block", G_CALLBACK (block_activated));
  connect_swapped (self, self->canvas, "plot-port", G_CALLBACK (plot_port));
  connect_swapped (self, self->canvas, "message", G_CALLBACK (weir_editor_toast));
  connect_swapped (self, self->canvas, "deleted", G_CALLBACK (elements_deleted));
  connect_swapped (self, self->canvas, "made", G_CALLBACK (weir_editor_offer_undo));
  connect_swapped (self, self->palette, "add-block", G_CALLBACK (add_block));
  connect_swapped (self, self->problems, "go-to", G_CALLBACK (go_to_problem));
  connect_swapped (self, self->problems, "pointed", G_CALLBACK (point_at_problem));
  connect_swapped (self, self->problems, "fix", G_CALLBACK (fix_problem));
  connect_swapped (self, self->scopes, "remove-chosen", G_CALLBACK (forget_chosen));
  connect_swapped (self, self->cache, "caching-switched", G_CALLBACK (caching_switched));
  weir_editor_add_verify (self);
  weir_editor_add_views (self);
  weir_editor_add_outline (self);
  weir_editor_add_help (self);
  weir_editor_add_troubles (self);
  weir_editor_add_slow (self);
  weir_editor_add_record (self);
  weir_editor_add_present (self);
  weir_editor_add_lesson (self);
  follow_settings (self);
  weir_editor_end_building (self);
  update_title (self);
  weir_editor_update_status (self);
  weir_editor_update_breadcrumb (self);
}

WeirEditor *
weir_editor_new (void)
{
  return g_object_new (WEIR_TYPE_EDITOR, NULL);
}

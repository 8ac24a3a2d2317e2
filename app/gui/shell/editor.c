/* WeirEditor: its frame, and what that hears from the document and the runs. See editor.h.
 *
 * The document tells the title, the actions and (after a pause) the problems; the runner tells the
 * run controls and the status bar; the canvas tells the breadcrumb. All else is pages and parts
 * (host.h), which hear for themselves.
 */
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "gui/host/settings.h"
#include "gui/shell/editor-private.h"
#include "gui/host/narrow.h"
#include "gui/host/page.h"
#include "widgets/tooltips.h"

#define CHECK_DELAY_MS 300

G_DEFINE_FINAL_TYPE_WITH_CODE (WeirEditor, weir_editor, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (WEIR_TYPE_HOST, weir_editor_host_init))

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

gboolean
weir_editor_is_pristine (WeirEditor *self)
{
  return self->opening == NULL && weir_document_get_file (self->document) == NULL
         && !weir_document_get_modified (self->document)
         && !weir_document_can_undo (self->document);
}

/* --- The document ---------------------------------------------------------------------------- */

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
  /* The whole name where the bar is too short for it. */
  weir_set_tooltip (self->title, file != NULL ? g_file_peek_path (file) : NULL);
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

  self->check = 0;
  weir_document_request_completion (self->document);
  return G_SOURCE_REMOVE;
}

/* What was found of the model as it is. */
static void
completed (WeirEditor *self)
{
  g_autoptr (WeirDiagnostics) diagnostics = NULL;

  if (weir_document_peek_completion (self->document, NULL, &diagnostics))
    weir_host_tell_problems (WEIR_HOST (self), diagnostics, FALSE);
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
      weir_host_set_offer (WEIR_HOST (self), GTK_MESSAGE_WARNING, text, _ ("_Save Again"),
                           "win.save");
    }
  else if (weir_document_is_file_changed (self->document))
    {
      text = g_strdup_printf (_ ("“%s” was changed by another program."), title);
      weir_host_set_offer (WEIR_HOST (self), GTK_MESSAGE_WARNING, text, _ ("_Reload"),
                           "win.reload");
    }
  else if (was_told)
    weir_host_set_banner (WEIR_HOST (self), GTK_MESSAGE_INFO, NULL);
  self->is_file_told = text != NULL;
}

void
weir_editor_note_saved (WeirEditor *self)
{
  if (self->is_file_told)
    weir_host_set_banner (WEIR_HOST (self), GTK_MESSAGE_INFO, NULL);
}

/* --- The welcome page ------------------------------------------------------------------------ */

gboolean
weir_editor_is_welcome (WeirEditor *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->content)), "welcome") == 0;
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
    self = weir_window_add_beside (self, weir_editor_new ());
  if (gtk_stack_get_child_by_name (GTK_STACK (self->content), "welcome") == NULL)
    gtk_stack_add_named (GTK_STACK (self->content), weir_welcome_new (), "welcome");
  gtk_stack_set_visible_child_name (GTK_STACK (self->content), "welcome");
  gtk_widget_child_focus (self->content, GTK_DIR_TAB_FORWARD);
  return self;
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

  update_autosave (self);
  if (settings == NULL)
    return;
  g_signal_connect_object (settings, "changed::autosave-interval", G_CALLBACK (update_autosave),
                           self, G_CONNECT_SWAPPED);
}

static void
document_changed (WeirEditor *self, guint aspects)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->content), "editor");
  weir_editor_update_status (self);
  if (self->undo_toast != NULL) /* Undo would mean this change */
    adw_toast_dismiss (self->undo_toast);
  if ((aspects & WEIR_ASPECT_NAMES) != 0)
    weir_editor_update_breadcrumb (self);
  if ((aspects & WEIR_ASPECT_METADATA) != 0)
    update_title (self);
  if ((aspects & ~(guint) (WEIR_ASPECT_LAYOUT | WEIR_ASPECT_PLOTS)) == 0)
    return;
  g_clear_handle_id (&self->check, g_source_remove);
  self->check = g_timeout_add (CHECK_DELAY_MS, check_now, self);
}

/* --- The canvas ------------------------------------------------------------------------------ */

/* Several at once may have been more than was meant. */
static void
elements_deleted (WeirEditor *self, guint n)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u element deleted", "%u elements deleted", n), n);

  weir_host_offer_undo (WEIR_HOST (self), text);
}

/* --- The runner ------------------------------------------------------------------------------ */

static void
session_replaced (WeirEditor *self)
{
  weir_host_set_banner (WEIR_HOST (self), GTK_MESSAGE_INFO, NULL);
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

  weir_editor_cancel_opening (self);
  g_clear_handle_id (&self->check, g_source_remove);
  g_clear_handle_id (&self->fold_soon, g_source_remove);
  g_clear_handle_id (&self->pages_soon, g_source_remove);
  g_clear_weak_pointer (&self->undo_toast);
  g_clear_weak_pointer (&self->run_toast);
  if (self->document != NULL)
    {
      weir_editor_close_parts (self);
      g_signal_handlers_disconnect_by_data (self->content, self);
      g_signal_handlers_disconnect_by_data (self->canvas, self);
      g_signal_handlers_disconnect_by_data (self->runner, self);
      g_signal_handlers_disconnect_by_data (self->document, self);
    }
  self->canvas = NULL;
  g_clear_pointer (&self->shown_title, g_free);
  g_clear_object (&self->actions);
  g_clear_object (&self->cache_model);
  g_clear_object (&self->runner);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (weir_editor_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  WeirEditor *self = WEIR_EDITOR (object);

  weir_editor_clear_layouts (self);
  g_ptr_array_unref (self->parts);
  g_ptr_array_unref (self->pages);
  g_ptr_array_unref (self->widgets);
  G_OBJECT_CLASS (weir_editor_parent_class)->finalize (object);
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

/* What lasts as long as its offer ends with it. */
static void
bar_closed (WeirEditor *self, int response)
{
  GActionGroup *actions = G_ACTION_GROUP (weir_host_get_actions (WEIR_HOST (self)));
  const char *name = gtk_actionable_get_action_name (GTK_ACTIONABLE (self->bar_button));
  g_autoptr (GVariant) state = NULL;

  gtk_widget_set_visible (self->bar, FALSE);
  if (response != GTK_RESPONSE_CLOSE || !gtk_widget_get_visible (self->bar_button) || name == NULL)
    return;
  name += strlen ("win.");
  state = g_action_group_get_action_state (actions, name);
  if (state != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE_BOOLEAN)
      && g_variant_get_boolean (state))
    g_action_group_activate_action (actions, name, NULL);
}

GResource *weir_shell_get_resource (void); /* made by glib-compile-resources */

static void
bind_template (GtkWidgetClass *klass)
{
  weir_shell_get_resource (); /* or it would not be linked in */
  g_type_ensure (WEIR_TYPE_NARROW);
  weir_set_template (klass, "editor.ui");
  gtk_widget_class_bind_template_child (klass, WeirEditor, header);
  gtk_widget_class_bind_template_child (klass, WeirEditor, title);
  gtk_widget_class_bind_template_child (klass, WeirEditor, undo_button);
  gtk_widget_class_bind_template_child (klass, WeirEditor, redo_button);
  gtk_widget_class_bind_template_child (klass, WeirEditor, header_end);
  gtk_widget_class_bind_template_child (klass, WeirEditor, run_buttons);
  gtk_widget_class_bind_template_child (klass, WeirEditor, overlay);
  gtk_widget_class_bind_template_child (klass, WeirEditor, toasts);
  gtk_widget_class_bind_template_child (klass, WeirEditor, bar);
  gtk_widget_class_bind_template_child (klass, WeirEditor, bar_text);
  gtk_widget_class_bind_template_child (klass, WeirEditor, bar_button);
  gtk_widget_class_bind_template_child (klass, WeirEditor, content);
  gtk_widget_class_bind_template_child (klass, WeirEditor, left);
  gtk_widget_class_bind_template_child (klass, WeirEditor, right);
  gtk_widget_class_bind_template_child (klass, WeirEditor, bottom);
  gtk_widget_class_bind_template_child (klass, WeirEditor, left_stack);
  gtk_widget_class_bind_template_child (klass, WeirEditor, bottom_stack);
  gtk_widget_class_bind_template_child (klass, WeirEditor, switcher);
  gtk_widget_class_bind_template_child (klass, WeirEditor, perspectives);
  gtk_widget_class_bind_template_child (klass, WeirEditor, analysis_toggle);
  gtk_widget_class_bind_template_child (klass, WeirEditor, left_paned);
  gtk_widget_class_bind_template_child (klass, WeirEditor, right_paned);
  gtk_widget_class_bind_template_child (klass, WeirEditor, bottom_paned);
  gtk_widget_class_bind_template_child (klass, WeirEditor, breadcrumb);
  gtk_widget_class_bind_template_child (klass, WeirEditor, above_canvas);
  gtk_widget_class_bind_template_child (klass, WeirEditor, stage);
  gtk_widget_class_bind_template_child (klass, WeirEditor, status_bar);
  gtk_widget_class_bind_template_child (klass, WeirEditor, status);
  gtk_widget_class_bind_template_child (klass, WeirEditor, progress);
  gtk_widget_class_bind_template_child (klass, WeirEditor, recent_menu);
  gtk_widget_class_bind_template_child (klass, WeirEditor, examples_menu);
  gtk_widget_class_bind_template_child (klass, WeirEditor, overlay_menu);
  gtk_widget_class_bind_template_callback (klass, bar_closed);
  gtk_widget_class_bind_template_callback (klass, update_title);
  gtk_widget_class_bind_template_callback_full (klass, "page_shown",
                                                G_CALLBACK (weir_editor_reveal_tab));
  gtk_widget_class_bind_template_callback (klass, weir_editor_show_end);
}

static void
weir_editor_class_init (WeirEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
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
  bind_template (GTK_WIDGET_CLASS (klass));
}

/* What the frame hears. */
static void
connect_all (WeirEditor *self)
{
  const WeirListening wanted[] = {
    { self->document, "changed", G_CALLBACK (document_changed) },
    { self->document, "completed", G_CALLBACK (completed) },
    { self->document, "file-changed", G_CALLBACK (file_changed) },
    { self->document, "notify::title", G_CALLBACK (update_title) },
    { self->document, "notify::file", G_CALLBACK (update_title) },
    { self->document, "notify::modified", G_CALLBACK (update_title) },
    { self->document, "notify::can-undo", G_CALLBACK (weir_editor_update_actions) },
    { self->document, "notify::can-redo", G_CALLBACK (weir_editor_update_actions) },
    { self->runner, "state-changed", G_CALLBACK (weir_editor_update_status) },
    { self->runner, "notify::session", G_CALLBACK (session_replaced) },
    { self->runner, "message", G_CALLBACK (weir_host_toast) },
    { self->canvas, "place-changed", G_CALLBACK (weir_editor_update_breadcrumb) },
    { self->canvas, "message", G_CALLBACK (weir_host_toast) },
    { self->canvas, "deleted", G_CALLBACK (elements_deleted) },
    { self->canvas, "made", G_CALLBACK (weir_host_offer_undo) },
  };

  weir_listen (self, wanted, G_N_ELEMENTS (wanted));
}

static void
weir_editor_init (WeirEditor *self)
{
  static guint n_tabs;

  self->serial = ++n_tabs;
  self->parts = g_ptr_array_new ();
  self->pages = g_ptr_array_new ();
  self->widgets = g_ptr_array_new ();
  self->document = weir_document_new ();
  self->runner = weir_runner_new (self->document);
  self->cache_model = weir_cache_model_new (self->document);
  gtk_widget_init_template (GTK_WIDGET (self));
  self->canvas = WEIR_CANVAS (weir_canvas_new (self->document));
  gtk_widget_set_hexpand (GTK_WIDGET (self->canvas), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->canvas), TRUE);
  gtk_box_append (GTK_BOX (self->stage), GTK_WIDGET (self->canvas));
  weir_editor_fill_menus (self);
  weir_editor_add_actions (self);
  connect_all (self);
  weir_editor_make_parts (self);
  follow_settings (self);
  update_title (self);
  weir_editor_update_status (self);
  weir_editor_update_breadcrumb (self);
}

WeirEditor *
weir_editor_new_without_pages (void)
{
  return g_object_new (WEIR_TYPE_EDITOR, NULL);
}

WeirEditor *
weir_editor_new (void)
{
  WeirEditor *self = weir_editor_new_without_pages ();

  weir_editor_make_pages (self);
  return self;
}

static gboolean
make_pages_now (gpointer data)
{
  WeirEditor *self = data;

  self->pages_soon = 0;
  gdk_display_flush (gtk_widget_get_display (GTK_WIDGET (self))); /* the frame is seen meanwhile */
  weir_editor_make_pages (self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_first_frame (GtkWidget *widget, G_GNUC_UNUSED GdkFrameClock *clock, G_GNUC_UNUSED gpointer data)
{
  WeirEditor *self = WEIR_EDITOR (widget);

  if (self->pages->len == 0)
    self->pages_soon = g_idle_add_full (G_PRIORITY_HIGH, make_pages_now, self, NULL);
  return G_SOURCE_REMOVE;
}

WeirEditor *
weir_editor_new_for_welcome (void)
{
  WeirEditor *self = weir_editor_new_without_pages ();

  gtk_widget_add_tick_callback (GTK_WIDGET (self), on_first_frame, NULL, NULL);
  return self;
}

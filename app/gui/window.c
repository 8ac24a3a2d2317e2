/* WeirWindow: its widgets, and what each hears from the others. See window.h.
 *
 * The document tells the title, the actions and (after a pause) the problems; the runner tells the run
 * controls, the status bar, plots and cache; the canvas tells inspector and breadcrumb.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cache/cache-panel.h"
#include "cache/cache-row.h"
#include "config.h"
#include "gui/window-private.h"
#include "panels/inspector.h"
#include "panels/palette-panel.h"
#include "panels/problem-list.h"
#include "scopes/scopes.h"

#define CHECK_DELAY_MS 300

G_DEFINE_FINAL_TYPE (WeirWindow, weir_window, ADW_TYPE_APPLICATION_WINDOW)

WeirDocument *
weir_window_get_document (WeirWindow *self)
{
  return self->document;
}

WeirRunner *
weir_window_get_runner (WeirWindow *self)
{
  return self->runner;
}

WeirCanvas *
weir_window_get_canvas (WeirWindow *self)
{
  return self->canvas;
}

gboolean
weir_window_is_pristine (WeirWindow *self)
{
  return weir_document_get_file (self->document) == NULL
         && !weir_document_get_modified (self->document)
         && !weir_document_can_undo (self->document);
}

void
weir_window_toast (WeirWindow *self, const char *text)
{
  AdwToast *toast = adw_toast_new (text);

  adw_toast_set_timeout (toast, 4);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), toast);
}

void
weir_window_show_page (WeirWindow *self, const char *name)
{
  gtk_widget_set_visible (self->bottom, TRUE);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
}

void
weir_window_set_problems (WeirWindow *self, WeirDiagnostics *diagnostics)
{
  GtkStackPage *page = gtk_stack_get_page (GTK_STACK (self->stack), self->problems);

  weir_problem_list_set_diagnostics (WEIR_PROBLEM_LIST (self->problems), diagnostics);
  weir_canvas_set_diagnostics (self->canvas, diagnostics);
  gtk_stack_page_set_needs_attention (
      page, diagnostics != NULL && weir_diagnostics_get_size (diagnostics) > 0);
}

/* --- The document -------------------------------------------------------------------------------- */

static void
update_title (WeirWindow *self)
{
  g_autofree char *title = NULL;
  g_autofree char *shown = NULL;
  GFile *file = weir_document_get_file (self->document);
  g_autofree char *folder = NULL;

  g_object_get (self->document, "title", &title, NULL);
  shown = weir_document_get_modified (self->document) ? g_strconcat ("• ", title, NULL)
                                                      : g_strdup (title);
  if (file != NULL)
    {
      g_autoptr (GFile) parent = g_file_get_parent (file);

      const char *home = g_get_home_dir ();

      folder = parent != NULL ? g_file_get_parse_name (parent) : NULL;
      if (folder != NULL && g_str_has_prefix (folder, home))
        {
          g_autofree char *full = g_steal_pointer (&folder);

          folder = g_strconcat ("~", full + strlen (home), NULL);
        }
    }
  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title), shown);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), folder != NULL ? folder : "");
  gtk_window_set_title (GTK_WINDOW (self), shown);
}

static gboolean
check_now (gpointer data)
{
  WeirWindow *self = data;
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirSystem) system = weir_document_complete (self->document, &diagnostics);

  self->check = 0;
  weir_window_set_problems (self, diagnostics);
  return G_SOURCE_REMOVE;
}

static void update_breadcrumb (WeirWindow *self);

static void
document_changed (WeirWindow *self, guint aspects)
{
  weir_window_update_actions (self);
  if ((aspects & WEIR_ASPECT_NAMES) != 0)
    update_breadcrumb (self);
  if (aspects == WEIR_ASPECT_LAYOUT)
    return;
  g_clear_handle_id (&self->check, g_source_remove);
  self->check = g_timeout_add (CHECK_DELAY_MS, check_now, self);
}

/* --- The canvas ---------------------------------------------------------------------------------- */

static void
selection_changed (WeirWindow *self)
{
  guint n;

  weir_canvas_get_selected (self->canvas, &n);
  weir_inspector_set_selected (WEIR_INSPECTOR (self->inspector),
                               weir_canvas_get_selected_block (self->canvas), n);
}

static void
crumb_clicked (GtkButton *button, WeirWindow *self)
{
  guint depth = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "weir-depth"));
  WeirPlace place = weir_canvas_get_place (self->canvas);
  g_autofree guint32 *ids = g_memdup2 (place.ids, place.n_ids * sizeof *ids);

  weir_canvas_set_place (self->canvas, (WeirPlace) { ids, MIN (depth, place.n_ids) });
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
add_crumb (WeirWindow *self, const char *name, guint depth, gboolean is_last)
{
  GtkWidget *button = gtk_button_new_with_label (name);

  gtk_widget_add_css_class (button, "flat");
  if (is_last)
    gtk_widget_add_css_class (button, "heading");
  g_object_set_data (G_OBJECT (button), "weir-depth", GUINT_TO_POINTER (depth));
  g_signal_connect (button, "clicked", G_CALLBACK (crumb_clicked), self);
  gtk_box_append (GTK_BOX (self->breadcrumb), button);
}

static void
update_breadcrumb (WeirWindow *self)
{
  WeirPlace place = weir_canvas_get_place (self->canvas);
  WeirModel *model = weir_document_get_model (self->document);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->breadcrumb)) != NULL)
    gtk_box_remove (GTK_BOX (self->breadcrumb), child);
  add_crumb (self, _ ("Model"), 0, place.n_ids == 0);
  for (guint i = 0; i < place.n_ids; i++)
    {
      WeirBlock *block = weir_model_find_block (model, place.ids[i], NULL);
      GtkWidget *separator = gtk_label_new ("›");

      gtk_widget_add_css_class (separator, "dim-label");
      gtk_box_append (GTK_BOX (self->breadcrumb), separator);
      add_crumb (self, block != NULL ? weir_block_get_name (block) : "?", i + 1,
                 i + 1 == place.n_ids);
    }
}

static void
block_activated (WeirWindow *self)
{
  g_action_group_activate_action (G_ACTION_GROUP (self), "properties", NULL);
}

static void
plot_port (WeirWindow *self, const char *path)
{
  weir_runner_add_log (self->runner, path);
  weir_window_show_page (self, "plots");
}

static void
add_block (WeirWindow *self, const char *type)
{
  weir_canvas_add_block (self->canvas, type);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
go_to (WeirWindow *self, guint block, guint wire)
{
  if (wire != 0)
    weir_canvas_select_wire (self->canvas, wire);
  else if (block != 0)
    weir_canvas_select_block (self->canvas, block);
}

static void
select_path (WeirWindow *self, const char *path)
{
  WeirBlock *block = weir_model_find_path (weir_document_get_model (self->document), path);

  if (block != NULL)
    weir_canvas_select_block (self->canvas, weir_block_get_id (block));
}

/* --- The runner ---------------------------------------------------------------------------------- */

static const char *
state_text (WeirSessionState state)
{
  switch (state)
    {
    case WEIR_SESSION_RUNNING:
      return _ ("Running");
    case WEIR_SESSION_PAUSED:
      return _ ("Paused");
    case WEIR_SESSION_FINISHED:
      return _ ("Finished");
    case WEIR_SESSION_STOPPED:
      return _ ("Stopped");
    case WEIR_SESSION_FAILED:
      return _ ("Failed");
    case WEIR_SESSION_IDLE:
    default:
      return _ ("Ready");
    }
}

static void
update_status (WeirWindow *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);
  const WeirSnapshot *snapshot;
  g_autofree char *text = NULL, *events = NULL, *steps = NULL, *cache = NULL, *rate = NULL;
  guint64 hits = 0, misses = 0;

  weir_window_update_actions (self);
  if (session == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->status), _ ("Ready"));
      gtk_label_set_text (GTK_LABEL (self->cache_status), "");
      gtk_widget_set_visible (self->progress, FALSE);
      return;
    }
  snapshot = weir_session_get_snapshot (session);
  steps = weir_cache_format_count (snapshot->statistics.steps);
  /* Translators: state, time of stop time, number of steps. */
  text = g_strdup_printf (_ ("%s · t = %.4g of %.4g s · %s steps"),
                          state_text (weir_session_get_state (session)), snapshot->time,
                          snapshot->stop_time, steps);
  gtk_label_set_text (GTK_LABEL (self->status), text);
  gtk_widget_set_visible (self->progress, weir_runner_is_active (self->runner));
  gtk_progress_bar_set_fraction (
      GTK_PROGRESS_BAR (self->progress),
      snapshot->stop_time > 0 ? CLAMP (snapshot->time / snapshot->stop_time, 0, 1) : 1);

  for (guint e = 0; snapshot->counters != NULL && e < snapshot->n_entries; e++)
    {
      hits += snapshot->counters[e].hits;
      misses += weir_cache_misses (&snapshot->counters[e]);
    }
  events = weir_cache_format_count (snapshot->n_events);
  rate = weir_cache_format_rate (hits, misses);
  cache = snapshot->caching ? g_strdup_printf (_ ("%s events · hit rate %s"), events, rate)
                            : g_strdup_printf (_ ("%s events · caching is off"), events);
  gtk_label_set_text (GTK_LABEL (self->cache_status), cache);
}

static void
session_replaced (WeirWindow *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);

  weir_scopes_set_model (WEIR_SCOPES (self->scopes), weir_runner_get_session_model (self->runner));
  weir_scopes_set_session (WEIR_SCOPES (self->scopes), session);
  weir_cache_panel_set_session (WEIR_CACHE_PANEL (self->cache), session);
}

static void
problems_found (WeirWindow *self, WeirDiagnostics *diagnostics)
{
  weir_window_set_problems (self, diagnostics);
  if (diagnostics != NULL && weir_diagnostics_has_errors (diagnostics))
    weir_window_show_page (self, "problems");
}

static void
verifying_changed (WeirWindow *self)
{
  gboolean busy = weir_runner_is_verifying (self->runner);

  gtk_widget_set_visible (self->verify_spinner, busy);
  gtk_widget_set_visible (self->verify_icon, !busy);
  gtk_spinner_set_spinning (GTK_SPINNER (self->verify_spinner), busy);
  gtk_widget_set_tooltip_text (self->verify_button,
                               busy ? _ ("Stop Verifying (Ctrl+Shift+E)")
                                    : _ ("Verify: Run Cached Against Uncached (Ctrl+Shift+E)"));
}

static void
verified (WeirWindow *self, gboolean identical, const char *text)
{
  gtk_widget_remove_css_class (self->verify_button, "success");
  gtk_widget_remove_css_class (self->verify_button, "error");
  if (text == NULL)
    {
      gtk_image_set_from_icon_name (GTK_IMAGE (self->verify_icon), "security-medium-symbolic");
      gtk_widget_set_visible (self->bar, FALSE);
      return;
    }
  gtk_widget_add_css_class (self->verify_button, identical ? "success" : "error");
  gtk_image_set_from_icon_name (GTK_IMAGE (self->verify_icon),
                                identical ? "emblem-ok-symbolic" : "dialog-error-symbolic");
  gtk_label_set_text (GTK_LABEL (self->bar_text), text);
  gtk_info_bar_set_message_type (GTK_INFO_BAR (self->bar),
                                 identical ? GTK_MESSAGE_INFO : GTK_MESSAGE_ERROR);
  gtk_widget_set_visible (self->bar, TRUE);
}

static void
caching_switched (WeirWindow *self, gboolean enabled)
{
  weir_runner_set_caching (self->runner, enabled);
}

/* --- Widgets ------------------------------------------------------------------------------------- */

static GtkWidget *
button_new (const char *icon, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  return button;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

/* The examples that come with the program, wherever it runs from. */
static GMenu *
examples_menu_new (void)
{
  static const char *const folders[] = { WEIR_SOURCE_DATA_DIR, WEIR_DATA_DIR };
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *folder = g_build_filename (folders[i], "examples", NULL);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        if (g_str_has_suffix (name, ".weir"))
          g_ptr_array_add (names, g_strdup (name));
      g_ptr_array_sort (names, compare_names);
      for (guint k = 0; k < names->len; k++)
        {
          g_autofree char *path = g_build_filename (folder, g_ptr_array_index (names, k), NULL);
          g_autoptr (GMenuItem) item = g_menu_item_new (g_ptr_array_index (names, k), NULL);

          g_menu_item_set_action_and_target (item, "win.open-example", "s", path);
          g_menu_append_item (menu, item);
        }
      if (names->len > 0)
        break;
    }
  return menu;
}

static GMenuModel *
primary_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new (), help = g_menu_new (), panes = g_menu_new ();
  g_autoptr (GMenu) examples = examples_menu_new ();

  g_menu_append (files, _ ("_New Window"), "app.new-window");
  g_menu_append (files, _ ("_Save"), "win.save");
  g_menu_append (files, _ ("Save _As…"), "win.save-as");
  g_menu_append_submenu (files, _ ("_Examples"), G_MENU_MODEL (examples));
  g_menu_append (panes, _ ("Show Block _Library"), "win.show-palette");
  g_menu_append (panes, _ ("Show _Inspector"), "win.show-inspector");
  g_menu_append (panes, _ ("Show _Plots, Cache and Problems"), "win.show-bottom");
  g_menu_append (panes, _ ("_Caching"), "win.caching");
  g_menu_append (panes, _ ("Chec_k Model"), "win.check");
  g_menu_append (help, _ ("_Keyboard Shortcuts"), "win.show-help-overlay");
  g_menu_append (help, _ ("_About Weir"), "win.about");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (panes));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (help));
  return G_MENU_MODEL (menu);
}

static GtkWidget *
verify_button_new (WeirWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->verify_icon = gtk_image_new_from_icon_name ("security-medium-symbolic");
  self->verify_spinner = gtk_spinner_new ();
  gtk_box_append (GTK_BOX (box), self->verify_icon);
  gtk_box_append (GTK_BOX (box), self->verify_spinner);
  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("Verify")));
  self->verify_button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->verify_button), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->verify_button), "win.verify");
  verifying_changed (self);
  return self->verify_button;
}

static GtkWidget *
header_new (WeirWindow *self)
{
  GtkWidget *header = adw_header_bar_new (), *menu = gtk_menu_button_new ();
  GtkWidget *history = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *run = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  g_autoptr (GMenuModel) model = primary_menu_new ();

  self->title = adw_window_title_new ("Weir", "");
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header),
                             button_new ("document-open-symbolic", "win.open", _ ("Open (Ctrl+O)")));
  gtk_widget_add_css_class (history, "linked");
  gtk_box_append (GTK_BOX (history),
                  button_new ("edit-undo-symbolic", "win.undo", _ ("Undo (Ctrl+Z)")));
  gtk_box_append (GTK_BOX (history),
                  button_new ("edit-redo-symbolic", "win.redo", _ ("Redo (Ctrl+Shift+Z)")));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), history);

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (menu), "open-menu-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (menu), model);
  gtk_menu_button_set_primary (GTK_MENU_BUTTON (menu), TRUE);
  gtk_widget_set_tooltip_text (menu, _ ("Main Menu (F10)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (menu), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Main Menu"), -1);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), menu);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), verify_button_new (self));

  gtk_widget_add_css_class (run, "linked");
  self->run_button
      = button_new ("media-playback-start-symbolic", "win.run", _ ("Run or Continue (F5)"));
  gtk_box_append (GTK_BOX (run), self->run_button);
  gtk_box_append (GTK_BOX (run),
                  button_new ("media-playback-pause-symbolic", "win.pause", _ ("Pause (F6)")));
  gtk_box_append (GTK_BOX (run),
                  button_new ("media-skip-forward-symbolic", "win.step", _ ("One Step (F8)")));
  gtk_box_append (GTK_BOX (run),
                  button_new ("media-playback-stop-symbolic", "win.stop", _ ("Stop (Shift+F5)")));
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), run);
  return header;
}

static GtkWidget *
bottom_new (WeirWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *switcher = gtk_stack_switcher_new ();

  self->stack = gtk_stack_new ();
  self->scopes = weir_scopes_new ();
  self->cache = weir_cache_panel_new ();
  self->problems = weir_problem_list_new ();
  gtk_stack_add_titled (GTK_STACK (self->stack), self->scopes, "plots", _ ("Plots"));
  gtk_stack_add_titled (GTK_STACK (self->stack), self->cache, "cache", _ ("Cache"));
  gtk_stack_add_titled (GTK_STACK (self->stack), self->problems, "problems", _ ("Problems"));
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (self->stack));
  gtk_widget_set_halign (switcher, GTK_ALIGN_START);
  gtk_widget_set_margin_start (switcher, 6);
  gtk_widget_set_margin_top (switcher, 6);
  gtk_widget_set_margin_bottom (switcher, 6);
  gtk_box_append (GTK_BOX (box), switcher);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), self->stack);
  gtk_widget_set_size_request (box, -1, 120);
  return box;
}

static GtkWidget *
status_bar_new (WeirWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->status = gtk_label_new (NULL);
  self->cache_status = gtk_label_new (NULL);
  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (self->progress, 120, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Progress of the run"), -1);
  gtk_widget_set_hexpand (self->status, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->status), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->status), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->status, "numeric");
  gtk_widget_add_css_class (self->cache_status, "numeric");
  gtk_widget_add_css_class (self->status, "caption");
  gtk_widget_add_css_class (self->cache_status, "caption");
  gtk_box_append (GTK_BOX (box), self->status);
  gtk_box_append (GTK_BOX (box), self->progress);
  gtk_box_append (GTK_BOX (box), self->cache_status);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 3);
  gtk_widget_set_margin_bottom (box, 3);
  return box;
}

static GtkWidget *
bar_new (WeirWindow *self)
{
  self->bar = gtk_info_bar_new ();
  self->bar_text = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->bar_text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->bar_text), 0);
  gtk_label_set_selectable (GTK_LABEL (self->bar_text), TRUE);
  gtk_widget_set_hexpand (self->bar_text, TRUE);
  gtk_info_bar_add_child (GTK_INFO_BAR (self->bar), self->bar_text);
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (self->bar), TRUE);
  g_signal_connect_swapped (self->bar, "response", G_CALLBACK (gtk_widget_hide), self->bar);
  gtk_widget_set_visible (self->bar, FALSE);
  return self->bar;
}

static GtkWidget *
paned_new (GtkOrientation orientation, GtkWidget *start, GtkWidget *end, gboolean start_grows,
           int position)
{
  GtkWidget *paned = gtk_paned_new (orientation);

  gtk_paned_set_start_child (GTK_PANED (paned), start);
  gtk_paned_set_end_child (GTK_PANED (paned), end);
  gtk_paned_set_resize_start_child (GTK_PANED (paned), start_grows);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), !start_grows);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_position (GTK_PANED (paned), position);
  return paned;
}

static void
build (WeirWindow *self)
{
  GtkWidget *root = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *middle = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *body;

  self->palette = weir_palette_panel_new (WEIR_CANVAS_DROP_PREFIX);
  self->left = self->palette;
  gtk_widget_set_size_request (self->left, 170, -1);

  self->breadcrumb = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_margin_start (self->breadcrumb, 3);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->breadcrumb), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Place in the model"), -1);
  self->canvas = WEIR_CANVAS (weir_canvas_new (self->document));
  gtk_widget_set_hexpand (GTK_WIDGET (self->canvas), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->canvas), TRUE);
  gtk_box_append (GTK_BOX (middle), self->breadcrumb);
  gtk_box_append (GTK_BOX (middle), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (middle), GTK_WIDGET (self->canvas));
  gtk_widget_set_size_request (middle, 240, 160);

  self->inspector = weir_inspector_new (self->document);
  self->right = self->inspector;
  gtk_widget_set_size_request (self->right, 220, -1);
  self->bottom = bottom_new (self);

  body = paned_new (GTK_ORIENTATION_VERTICAL, middle, self->bottom, TRUE, 430);
  body = paned_new (GTK_ORIENTATION_HORIZONTAL, body, self->right, TRUE, 900);
  body = paned_new (GTK_ORIENTATION_HORIZONTAL, self->left, body, FALSE, 190);
  gtk_widget_set_vexpand (body, TRUE);

  self->toasts = adw_toast_overlay_new ();
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (self->toasts), body);
  gtk_widget_set_vexpand (self->toasts, TRUE);

  gtk_box_append (GTK_BOX (root), header_new (self));
  gtk_box_append (GTK_BOX (root), bar_new (self));
  gtk_box_append (GTK_BOX (root), self->toasts);
  gtk_box_append (GTK_BOX (root), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (root), status_bar_new (self));
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (self), root);
}

/* --- Life -------------------------------------------------------------------------------------- */

static void
close_anyway (WeirWindow *self)
{
  self->may_close = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

static gboolean
close_request (GtkWindow *window)
{
  WeirWindow *self = WEIR_WINDOW (window);

  if (!self->may_close && !weir_window_confirm_loss (self, close_anyway))
    return GDK_EVENT_STOP;
  return GTK_WINDOW_CLASS (weir_window_parent_class)->close_request (window);
}

static void
dispose (GObject *object)
{
  WeirWindow *self = WEIR_WINDOW (object);

  g_clear_handle_id (&self->check, g_source_remove);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  if (self->runner != NULL)
    g_signal_handlers_disconnect_by_data (self->runner, self);
  if (self->canvas != NULL)
    g_signal_handlers_disconnect_by_data (self->canvas, self);
  self->canvas = NULL;
  g_clear_object (&self->chooser);
  g_clear_object (&self->runner);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (weir_window_parent_class)->dispose (object);
}

static void
weir_window_class_init (WeirWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WINDOW_CLASS (klass)->close_request = close_request;
}

static void
connect_swapped (WeirWindow *self, gpointer object, const char *signal, GCallback callback)
{
  g_signal_connect_swapped (object, signal, callback, self);
}

static void
weir_window_init (WeirWindow *self)
{
  self->document = weir_document_new ();
  self->runner = weir_runner_new (self->document);
  gtk_window_set_default_size (GTK_WINDOW (self), 1320, 840);
  build (self);
  weir_window_add_actions (self);

  connect_swapped (self, self->document, "changed", G_CALLBACK (document_changed));
  connect_swapped (self, self->document, "notify::title", G_CALLBACK (update_title));
  connect_swapped (self, self->document, "notify::file", G_CALLBACK (update_title));
  connect_swapped (self, self->document, "notify::modified", G_CALLBACK (update_title));
  connect_swapped (self, self->document, "notify::can-undo", G_CALLBACK (weir_window_update_actions));
  connect_swapped (self, self->document, "notify::can-redo", G_CALLBACK (weir_window_update_actions));
  connect_swapped (self, self->runner, "state-changed", G_CALLBACK (update_status));
  connect_swapped (self, self->runner, "notify::session", G_CALLBACK (session_replaced));
  connect_swapped (self, self->runner, "notify::verifying", G_CALLBACK (verifying_changed));
  connect_swapped (self, self->runner, "problems", G_CALLBACK (problems_found));
  connect_swapped (self, self->runner, "message", G_CALLBACK (weir_window_toast));
  connect_swapped (self, self->runner, "verified", G_CALLBACK (verified));
  connect_swapped (self, self->canvas, "selection-changed", G_CALLBACK (selection_changed));
  connect_swapped (self, self->canvas, "place-changed", G_CALLBACK (update_breadcrumb));
  connect_swapped (self, self->canvas, "activate-block", G_CALLBACK (block_activated));
  connect_swapped (self, self->canvas, "plot-port", G_CALLBACK (plot_port));
  connect_swapped (self, self->canvas, "message", G_CALLBACK (weir_window_toast));
  connect_swapped (self, self->palette, "add-block", G_CALLBACK (add_block));
  connect_swapped (self, self->problems, "go-to", G_CALLBACK (go_to));
  connect_swapped (self, self->cache, "select-path", G_CALLBACK (select_path));
  connect_swapped (self, self->cache, "caching-switched", G_CALLBACK (caching_switched));
  update_title (self);
  update_status (self);
  update_breadcrumb (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

WeirWindow *
weir_window_new (GtkApplication *application)
{
  return g_object_new (WEIR_TYPE_WINDOW, "application", application, NULL);
}

/* The widgets of an editor and how they lie. What they say is editor.c's. */
#include <glib/gi18n-lib.h>

#include "cache/break-panel.h"
#include "cache/cache-panel.h"
#include "cache/explain-panel.h"
#include "cache/live-strip.h"
#include "cache/runs-panel.h"
#include "cache/slow-bar.h"
#include "gui/shell/editor-private.h"
#include "gui/host/key-display.h"
#include "gui/host/narrow.h"
#include "lab/lab-panel.h"
#include "lab/timeline-panel.h"
#include "panels/inspector.h"
#include "panels/lesson-editor.h"
#include "panels/lesson-panel.h"
#include "panels/outline-panel.h"
#include "panels/palette-panel.h"
#include "panels/problem-list.h"
#include "scopes/scopes.h"
#include "widgets/icon-button.h"
#include "widgets/margins.h"
#include "widgets/reveal.h"

static GtkWidget *
verify_button_new (WeirEditor *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->verify_icon = gtk_image_new_from_icon_name ("security-medium-symbolic");
  self->verify_spinner = gtk_spinner_new ();
  gtk_box_append (GTK_BOX (box), self->verify_icon);
  gtk_box_append (GTK_BOX (box), self->verify_spinner);
  self->verify_text = gtk_label_new (_ ("Verify"));
  gtk_box_append (GTK_BOX (box), self->verify_text);
  self->verify_button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->verify_button), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->verify_button), "win.verify");
  return self->verify_button;
}

static GtkWidget *
header_new (WeirEditor *self)
{
  GtkWidget *header = adw_header_bar_new (), *menu = gtk_menu_button_new ();
  GtkWidget *history = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *run = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  g_autoptr (GMenuModel) model = weir_editor_menu_new (self);

  self->title = adw_window_title_new ("Weir", "");
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  adw_header_bar_pack_start (
      ADW_HEADER_BAR (header),
      weir_icon_button_new ("tab-new-symbolic", "win.new-tab", _ ("New Tab (Ctrl+T)")));
  adw_header_bar_pack_start (
      ADW_HEADER_BAR (header),
      weir_icon_button_new ("document-open-symbolic", "win.open", _ ("Open (Ctrl+O)")));
  gtk_widget_add_css_class (history, "linked");
  self->undo_button = weir_icon_button_new ("edit-undo-symbolic", "win.undo", _ ("Undo (Ctrl+Z)"));
  self->redo_button = weir_icon_button_new ("edit-redo-symbolic", "win.redo",
                                            _ ("Redo (Ctrl+Shift+Z)"));
  gtk_box_append (GTK_BOX (history), self->undo_button);
  gtk_box_append (GTK_BOX (history), self->redo_button);
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
  self->run_button = weir_icon_button_new ("media-playback-start-symbolic", "win.run",
                                           _ ("Run or Continue (F5)"));
  gtk_box_append (GTK_BOX (run), self->run_button);
  gtk_box_append (GTK_BOX (run), weir_icon_button_new ("media-playback-pause-symbolic", "win.pause",
                                                       _ ("Pause (F6)")));
  gtk_box_append (GTK_BOX (run), weir_icon_button_new ("media-skip-backward-symbolic",
                                                       "win.step-back", _ ("One Step Back (F7)")));
  gtk_box_append (GTK_BOX (run), weir_icon_button_new ("media-skip-forward-symbolic", "win.step",
                                                       _ ("One Step (F8)")));
  gtk_box_append (GTK_BOX (run), weir_icon_button_new ("media-playback-stop-symbolic", "win.stop",
                                                       _ ("Stop (Shift+F5)")));
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), run);
  return header;
}

static GtkWidget *
switcher_new (GtkWidget *stack)
{
  GtkWidget *switcher = gtk_stack_switcher_new ();

  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (stack));
  gtk_widget_add_css_class (switcher, "weir-pages");
  weir_set_margins (switcher, 6, 4);
  return switcher;
}

static GtkWidget *
left_new (WeirEditor *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->left_stack = gtk_stack_new ();
  self->palette = weir_palette_panel_new (WEIR_CANVAS_DROP_PREFIX);
  self->outline = weir_outline_panel_new (self->document);
  gtk_stack_add_titled (GTK_STACK (self->left_stack), self->palette, "library", _ ("Library"));
  gtk_stack_add_titled (GTK_STACK (self->left_stack), self->outline, "outline", _ ("Outline"));
  self->lesson_editor = weir_lesson_editor_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->left_stack), FALSE);
  gtk_stack_add_titled (GTK_STACK (self->left_stack), self->lesson_editor, "lesson", _ ("Lesson"));
  gtk_widget_set_vexpand (self->left_stack, TRUE);
  gtk_box_append (GTK_BOX (box), switcher_new (self->left_stack));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), self->left_stack);
  gtk_widget_set_size_request (box, 170, -1);
  return box;
}

/* The name of the page that is shown stays in view. */
static void
page_shown (GtkStack *stack, G_GNUC_UNUSED GParamSpec *pspec, GtkWidget *scrolled)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (stack);
  GtkWidget *viewport = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled));
  GtkWidget *button = gtk_widget_get_first_child (gtk_viewport_get_child (GTK_VIEWPORT (viewport)));

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)) && button != NULL; i++)
    {
      g_autoptr (GObject) page = g_list_model_get_item (G_LIST_MODEL (pages), i);

      if (gtk_stack_page_get_child (GTK_STACK_PAGE (page)) == gtk_stack_get_visible_child (stack))
        weir_reveal (scrolled, button, 0);
      button = gtk_widget_get_next_sibling (button);
    }
}

static GtkWidget *
bottom_new (WeirEditor *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *switcher, *pages;

  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE); /* a hidden table asks for no room */
  self->scopes = weir_scopes_new ();
  self->cache = weir_cache_panel_new (self->cache_model);
  self->problems = weir_problem_list_new (weir_editor_list_fixes, self);
  gtk_stack_add_titled (GTK_STACK (self->stack), self->scopes, "plots", _ ("Plots"));
  gtk_stack_add_titled (GTK_STACK (self->stack), self->cache, "cache", _ ("Cache"));
  self->explain = weir_explain_panel_new (self->cache_model);
  gtk_stack_add_titled (GTK_STACK (self->stack), self->explain, "dependencies", _ ("Dependencies"));
  self->lab = weir_lab_panel_new ();
  gtk_stack_add_titled (GTK_STACK (self->stack), self->lab, "lab", _ ("Lab"));
  self->breaks = weir_break_panel_new (self->cache_model);
  gtk_stack_add_titled (GTK_STACK (self->stack), self->breaks, "breakpoints", _ ("Breakpoints"));
  self->timeline = weir_timeline_panel_new ();
  gtk_stack_add_titled (GTK_STACK (self->stack), self->timeline, "timeline", _ ("Timeline"));
  self->runs = weir_runs_panel_new ();
  gtk_stack_add_titled (GTK_STACK (self->stack), self->runs, "runs", _ ("Runs"));
  gtk_stack_add_titled (GTK_STACK (self->stack), self->problems, "problems", _ ("Problems"));
  gtk_widget_set_vexpand (self->stack, TRUE);
  /* The pages' names may be longer than a small window is wide. */
  pages = switcher_new (self->stack);
  gtk_widget_set_halign (pages, GTK_ALIGN_START);
  switcher = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (switcher), GTK_POLICY_EXTERNAL,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (switcher), pages);
  g_signal_connect_object (self->stack, "notify::visible-child", G_CALLBACK (page_shown), switcher,
                           0);
  gtk_box_append (GTK_BOX (box), switcher);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), self->stack);
  gtk_widget_set_size_request (box, -1, 120);
  return box;
}

static GtkWidget *
status_bar_new (WeirEditor *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->status = gtk_label_new (NULL);
  self->cache_status = weir_live_strip_new (self->cache_model, "win.show-cache");
  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (self->progress, 120, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Progress of the run"), -1);
  gtk_widget_set_hexpand (self->status, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->status), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->status), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->status, "numeric");
  gtk_widget_add_css_class (self->status, "caption");
  gtk_box_append (GTK_BOX (box), self->status);
  gtk_box_append (GTK_BOX (box), self->progress);
  gtk_box_append (GTK_BOX (box), self->cache_status);
  weir_set_margins (box, 12, 3);
  return box;
}

static GtkWidget *
bar_new (WeirEditor *self)
{
  self->bar = gtk_info_bar_new ();
  self->bar_text = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->bar_text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->bar_text), 0);
  gtk_label_set_selectable (GTK_LABEL (self->bar_text), TRUE);
  gtk_widget_set_hexpand (self->bar_text, TRUE);
  gtk_info_bar_add_child (GTK_INFO_BAR (self->bar), self->bar_text);
  self->bar_button = gtk_button_new ();
  gtk_button_set_use_underline (GTK_BUTTON (self->bar_button), TRUE);
  gtk_info_bar_add_action_widget (GTK_INFO_BAR (self->bar), self->bar_button, GTK_RESPONSE_OK);
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

void
weir_editor_build (WeirEditor *self)
{
  GtkWidget *root = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *middle = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *overlay = gtk_overlay_new ();

  self->left = left_new (self);

  self->breadcrumb = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->breadcrumb, "weir-breadcrumb");
  gtk_widget_set_margin_start (self->breadcrumb, 3);
  gtk_widget_set_margin_top (self->breadcrumb, 3);
  gtk_widget_set_margin_bottom (self->breadcrumb, 3);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->breadcrumb), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Place in the model"), -1);
  self->canvas = WEIR_CANVAS (weir_canvas_new (self->document));
  gtk_widget_set_hexpand (GTK_WIDGET (self->canvas), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->canvas), TRUE);
  gtk_box_append (GTK_BOX (middle), self->breadcrumb);
  gtk_box_append (GTK_BOX (middle), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  self->slow_bar = weir_slow_bar_new (self->cache_model);
  gtk_widget_set_visible (self->slow_bar, FALSE);
  gtk_box_append (GTK_BOX (middle), self->slow_bar);
  self->stage = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->lesson_panel = weir_lesson_panel_new ();
  gtk_widget_set_visible (self->lesson_panel, FALSE);
  gtk_box_append (GTK_BOX (self->stage), self->lesson_panel);
  gtk_box_append (GTK_BOX (self->stage), GTK_WIDGET (self->canvas));
  gtk_box_append (GTK_BOX (middle), self->stage);
  gtk_widget_set_size_request (middle, 240, 160);

  self->inspector = weir_inspector_new (self->document);
  self->right = self->inspector;
  gtk_widget_set_size_request (self->right, 220, -1);
  self->bottom = weir_narrow_new (bottom_new (self));

  self->bottom_paned = paned_new (GTK_ORIENTATION_VERTICAL, weir_narrow_new (middle), self->bottom,
                                  TRUE, 460);
  /* In a low window both get less, not the canvas alone. */
  gtk_paned_set_resize_end_child (GTK_PANED (self->bottom_paned), TRUE);
  self->right_paned = paned_new (GTK_ORIENTATION_HORIZONTAL, self->bottom_paned, self->right, TRUE,
                                 860);
  self->left_paned = paned_new (GTK_ORIENTATION_HORIZONTAL, self->left, self->right_paned, FALSE,
                                190);
  gtk_widget_set_vexpand (self->left_paned, TRUE);

  self->toasts = adw_toast_overlay_new ();
  self->pages = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->pages),
                              FALSE); /* what is hidden need not be measured */
  gtk_stack_set_vhomogeneous (GTK_STACK (self->pages), FALSE);
  gtk_stack_add_named (GTK_STACK (self->pages), self->left_paned, "editor");
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (self->toasts), self->pages);
  gtk_widget_set_vexpand (self->toasts, TRUE);

  self->header = g_object_ref_sink (header_new (self));
  gtk_box_append (GTK_BOX (root), bar_new (self));
  gtk_box_append (GTK_BOX (root), self->toasts);
  gtk_box_append (GTK_BOX (root), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (root), status_bar_new (self));
  self->key_display = weir_key_display_new ();
  gtk_widget_set_visible (self->key_display, FALSE);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), root);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->key_display);
  adw_bin_set_child (ADW_BIN (self), overlay);
}

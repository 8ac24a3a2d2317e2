/* WeirTimelinePanel. See timeline-panel.h. */
#include "lab/timeline-panel.h"

#include <glib/gi18n-lib.h>

#include "lab/timeline-text.h"
#include "lab/timeline-view.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

struct _WeirTimelinePanel {
  GtkWidget parent;
  GtkWidget *stack; /* "empty", "busy" or "timeline" */
  GtkWidget *record, *mode, *budget, *state, *progress, *tools;
  GtkWidget *view, *title, *sentence, *list;
  GtkStringList *lines;
  GPtrArray *paths; /* by line, or NULL */
  WeirPlayback *playback;
  gboolean is_busy;
};

G_DEFINE_FINAL_TYPE (WeirTimelinePanel, weir_timeline_panel, GTK_TYPE_WIDGET)

enum { SIGNAL_MOMENT_CHANGED, SIGNAL_GO_TO, N_SIGNALS };
static guint signals[N_SIGNALS];

/* What a log may keep. */
static const guint capacities[] = { 1u << 18, 1u << 20, 1u << 22, 1u << 24 };

static WeirTimeline *
get_timeline (WeirTimelinePanel *self)
{
  return weir_timeline_view_get_timeline (WEIR_TIMELINE_VIEW (self->view));
}

/* --- The text -------------------------------------------------------------------------------- */

static void
show_lines (WeirTimelinePanel *self, const char *sentence, GArray *lines)
{
  guint n_old = g_list_model_get_n_items (G_LIST_MODEL (self->lines));
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  g_ptr_array_set_size (self->paths, 0);
  for (guint i = 0; i < lines->len; i++)
    {
      const WeirTimelineLine *line = &g_array_index (lines, WeirTimelineLine, i);

      g_ptr_array_add (texts, line->text);
      g_ptr_array_add (self->paths, g_strdup (line->path));
    }
  g_ptr_array_add (texts, NULL);
  gtk_string_list_splice (self->lines, 0, n_old, (const char *const *) texts->pdata);
  gtk_label_set_text (GTK_LABEL (self->sentence), sentence);
  weir_timeline_view_describe (WEIR_TIMELINE_VIEW (self->view), sentence);
}

static void
show_moment (WeirTimelinePanel *self)
{
  g_autoptr (GArray) lines = NULL;
  g_autofree char *sentence = NULL;
  gsize first, end, cursor = weir_timeline_get_cursor (get_timeline (self));

  if (self->playback == NULL)
    return;
  if (weir_timeline_get_selection (get_timeline (self), &first, &end))
    {
      const WeirLogStep *step = weir_timeline_get_step (get_timeline (self));

      sentence = step != NULL ? weir_timeline_describe_step (self->playback, step)
                              : weir_timeline_describe_range (self->playback, first, end);
      lines = weir_timeline_list_range (self->playback, first, end);
    }
  else if (cursor != G_MAXSIZE)
    {
      sentence = weir_timeline_describe_record (self->playback, cursor);
      lines = weir_timeline_list_record (self->playback, cursor);
    }
  else
    {
      sentence = g_strdup (
          _ ("Click a mark, or press . for the next change event. Shift+drag chooses a range."));
      lines = weir_timeline_lines_new ();
    }
  show_lines (self, sentence, lines);
}

static void
moment_changed (WeirTimelinePanel *self)
{
  show_moment (self);
  g_signal_emit (self, signals[SIGNAL_MOMENT_CHANGED], 0);
}

void
weir_timeline_panel_set_effect (WeirTimelinePanel *self, const WeirEventEffect *result)
{
  g_autoptr (GArray) lines = NULL;
  g_autofree char *sentence = NULL;

  g_return_if_fail (WEIR_IS_TIMELINE_PANEL (self));

  lines = result != NULL ? weir_timeline_list_effect (result) : weir_timeline_lines_new ();
  sentence = result != NULL ? weir_timeline_describe_effect (result)
                            : g_strdup (_ ("Repeating the run without this event…"));
  show_lines (self, sentence, lines);
}

void
weir_timeline_panel_describe (WeirTimelinePanel *self, const char *text)
{
  g_autoptr (GArray) nothing = weir_timeline_lines_new ();

  g_return_if_fail (WEIR_IS_TIMELINE_PANEL (self));

  show_lines (self, text, nothing);
}

static void
line_activated (WeirTimelinePanel *self, guint position)
{
  const char *path = position < self->paths->len ? g_ptr_array_index (self->paths, position) : NULL;

  if (path != NULL && *path != '\0')
    g_signal_emit (self, signals[SIGNAL_GO_TO], 0, path);
}

/* --- The log --------------------------------------------------------------------------------- */

static void
show_page (WeirTimelinePanel *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), self->is_busy            ? "busy"
                                                             : self->playback != NULL ? "timeline"
                                                                                      : "empty");
  gtk_widget_set_visible (self->tools, self->playback != NULL && !self->is_busy);
}

void
weir_timeline_panel_set_playback (WeirTimelinePanel *self, WeirPlayback *playback,
                                  const char *title)
{
  g_autoptr (WeirPlayback) older = NULL;
  g_autofree char *records = NULL, *lost = NULL, *text = NULL;
  guint64 n_lost;
  gsize n;

  g_return_if_fail (WEIR_IS_TIMELINE_PANEL (self));

  older = g_steal_pointer (&self->playback);
  self->playback = playback;
  weir_timeline_view_set_playback (WEIR_TIMELINE_VIEW (self->view), playback);
  show_page (self);
  if (playback != NULL)
    {
      n_lost = weir_trace_get_n_lost (weir_playback_get_trace (playback));
      weir_trace_get_records (weir_playback_get_trace (playback), &n);
      records = weir_timeline_format (n);
      lost = weir_timeline_format (n_lost);
      text = n_lost == 0
                 ? g_strdup_printf (_ ("%s · %s records"), title, records)
                 : g_strdup_printf (_ ("%s · the newest %s records; %s older ones were given up"),
                                    title, records, lost);
      gtk_label_set_text (GTK_LABEL (self->title), text);
      weir_set_tooltip (self->title, text);
    }
  moment_changed (self);
}

WeirPlayback *
weir_timeline_panel_get_playback (WeirTimelinePanel *self)
{
  return self->playback;
}

GtkWidget *
weir_timeline_panel_get_view (WeirTimelinePanel *self)
{
  return self->view;
}

void
weir_timeline_panel_set_progress (WeirTimelinePanel *self, double progress)
{
  g_return_if_fail (WEIR_IS_TIMELINE_PANEL (self));

  self->is_busy = progress >= 0;
  if (self->is_busy)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), MIN (progress, 1));
  show_page (self);
}

void
weir_timeline_panel_set_log (WeirTimelinePanel *self, guint64 n_logged, guint64 n_given_up,
                             guint64 capacity)
{
  g_autofree char *logged = weir_timeline_format (n_logged);
  g_autofree char *given_up = weir_timeline_format (n_given_up);
  g_autofree char *text = NULL;

  g_return_if_fail (WEIR_IS_TIMELINE_PANEL (self));

  gtk_widget_set_sensitive (self->mode, capacity == 0);
  gtk_widget_set_sensitive (self->budget, capacity == 0);
  if (capacity == 0)
    text = g_strdup ("");
  else if (n_given_up == 0)
    text = g_strdup_printf (_ ("Change log: %s records"), logged);
  else
    text = g_strdup_printf (
        _ ("Change log: the %u MB are full; newer records take the place of older "
           "ones, %s so far"),
        (guint) (capacity * sizeof (WeirLogRecord) >> 20), given_up);
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->state)), text) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (self->state), text);
  weir_set_tooltip (self->state, text);
  gtk_widget_set_visible (self->state, *text != '\0');
}

WeirLogMode
weir_timeline_panel_get_mode (WeirTimelinePanel *self)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->mode)) == 1 ? WEIR_LOG_MODE_ALL
                                                                      : WEIR_LOG_MODE_EVENTS;
}

gsize
weir_timeline_panel_get_capacity (WeirTimelinePanel *self)
{
  return capacities[MIN (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->budget)),
                         G_N_ELEMENTS (capacities) - 1)];
}

/* --- Moving ---------------------------------------------------------------------------------- */

gsize
weir_timeline_panel_get_cursor (WeirTimelinePanel *self)
{
  return weir_timeline_get_cursor (get_timeline (self));
}

gboolean
weir_timeline_panel_get_range (WeirTimelinePanel *self, gsize *first, gsize *end)
{
  return weir_timeline_get_selection (get_timeline (self), first, end);
}

gboolean
weir_timeline_panel_step (WeirTimelinePanel *self, int direction, const guint64 *entries)
{
  WeirScrubber *scrubber;
  gsize cursor, found;

  g_return_val_if_fail (WEIR_IS_TIMELINE_PANEL (self), FALSE);

  if (self->playback == NULL)
    return FALSE;
  scrubber = weir_playback_get_scrubber (self->playback);
  cursor = weir_timeline_get_cursor (get_timeline (self));
  if (direction > 0)
    found = weir_scrubber_find_next_event (scrubber, cursor, entries); /* none + 1 is the first */
  else
    found = weir_scrubber_find_previous_event (scrubber, cursor, entries);
  if (found == G_MAXSIZE)
    return FALSE;
  weir_timeline_view_set_cursor (WEIR_TIMELINE_VIEW (self->view), found);
  return TRUE;
}

void
weir_timeline_panel_go_to (WeirTimelinePanel *self, gsize record)
{
  g_return_if_fail (WEIR_IS_TIMELINE_PANEL (self));

  if (self->playback != NULL)
    weir_timeline_view_set_cursor (WEIR_TIMELINE_VIEW (self->view), record);
}

void
weir_timeline_panel_go_to_time (WeirTimelinePanel *self, double time)
{
  g_return_if_fail (WEIR_IS_TIMELINE_PANEL (self));

  if (self->playback != NULL)
    weir_timeline_view_set_cursor (
        WEIR_TIMELINE_VIEW (self->view),
        weir_scrubber_find_time (weir_playback_get_scrubber (self->playback), time));
}

void
weir_timeline_panel_leave (WeirTimelinePanel *self)
{
  g_return_if_fail (WEIR_IS_TIMELINE_PANEL (self));

  weir_timeline_view_set_range (WEIR_TIMELINE_VIEW (self->view), 0, 0);
  weir_timeline_view_set_cursor (WEIR_TIMELINE_VIEW (self->view), G_MAXSIZE);
}

/* --- Widgets --------------------------------------------------------------------------------- */

static GtkWidget *
button_new (const char *icon, const char *action, const char *text)
{
  GtkWidget *button = weir_icon_button_new (icon, action, text);

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  return button;
}

static GtkWidget *
record_button_new (void)
{
  GtkWidget *button = gtk_toggle_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("media-record-symbolic"));
  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("Log")));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.log");
  weir_set_tooltip (button, _ ("Log change events of the run that goes on, or of the next"));
  return button;
}

static GtkWidget *
choice_new (const char *const *texts, const char *label)
{
  GtkWidget *choice = weir_drop_down_new (gtk_string_list_new (texts), label);

  gtk_widget_set_hexpand (choice, FALSE);
  return choice;
}

/* One whose text is shortened where there is little room; its tooltip says more. */
static GtkWidget *
text_button_new (const char *text, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_button_new (), *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  weir_set_tooltip (button, tooltip);
  gtk_widget_set_margin_start (button, 6);
  return button;
}

static GtkWidget *
toolbar_new (WeirTimelinePanel *self)
{
  const char *modes[] = { _ ("Events and requests"), _ ("Every evaluation"), NULL };
  const char *budgets[] = { _ ("8 MB"), _ ("32 MB"), _ ("128 MB"), _ ("512 MB"), NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *tools, *skip, *slow;

  self->record = record_button_new ();
  self->mode = choice_new (modes, _ ("What is logged"));
  self->budget = choice_new (
      budgets, _ ("Memory for the change log; then newer records take the place of older ones"));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->budget), 1);
  self->state = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->state), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->state), 0);
  gtk_widget_add_css_class (self->state, "caption");
  gtk_widget_set_margin_start (self->state, 12);
  gtk_widget_set_margin_bottom (self->state, 4);
  gtk_widget_set_visible (self->state, FALSE);

  self->tools = tools = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append (GTK_BOX (tools), button_new ("go-previous-symbolic", "win.timeline-previous",
                                               _ ("Previous change event (,)")));
  gtk_box_append (GTK_BOX (tools), button_new ("go-next-symbolic", "win.timeline-next",
                                               _ ("Next change event (.)")));
  skip = text_button_new (_ ("Skip and Replay"), "win.timeline-skip",
                          _ ("Repeat the run without this event, and show what differs"));
  slow = text_button_new (_ ("Slow Motion"), "win.timeline-slow",
                          _ ("Play what was logged from here on, wave by wave"));
  gtk_widget_set_margin_end (skip, 6);
  gtk_box_append (GTK_BOX (tools), slow);
  gtk_box_append (GTK_BOX (tools), skip);
  gtk_box_append (GTK_BOX (tools), button_new ("document-save-symbolic", "win.timeline-save",
                                               _ ("Save the change log")));
  gtk_box_append (GTK_BOX (tools), button_new ("window-close-symbolic", "win.timeline-close",
                                               _ ("Close the change log")));

  gtk_box_append (GTK_BOX (box), self->record);
  gtk_box_append (GTK_BOX (box), self->mode);
  gtk_box_append (GTK_BOX (box), self->budget);
  gtk_box_append (GTK_BOX (box), button_new ("document-open-symbolic", "win.timeline-open",
                                             _ ("Open a change log")));
  gtk_widget_set_hexpand (tools, TRUE);
  gtk_widget_set_halign (tools, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (box), tools);
  weir_set_margins (box, 6, 4);
  return weir_sideways_new (box); /* with large texts it is wider than many a window */
}

static void
setup_line (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "caption");
  gtk_list_item_set_child (item, label);
}

static void
bind_line (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item)
{
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_lines (GTK_LABEL (label),
                       g_str_has_prefix (text, WEIR_TIMELINE_DIFFERENCE) ? 3 : 1);
  gtk_label_set_text (GTK_LABEL (label), text);
  weir_set_tooltip (label, text);
}

static GtkWidget *
details_new (WeirTimelinePanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4),
            *scrolled = gtk_scrolled_window_new ();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *labels[2];

  labels[0] = self->title = gtk_label_new (NULL);
  labels[1] = self->sentence = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->title, "dim-label");
  gtk_widget_add_css_class (self->title, "caption");
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->sentence), TRUE);
  gtk_widget_set_focusable (self->sentence, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      gtk_label_set_xalign (GTK_LABEL (labels[i]), 0);
      gtk_widget_set_margin_start (labels[i], 8);
      gtk_widget_set_margin_end (labels[i], 8);
      gtk_box_append (GTK_BOX (box), labels[i]);
    }
  gtk_widget_set_margin_top (self->title, 4);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_line), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_line), NULL);
  self->lines = gtk_string_list_new (NULL);
  self->list = gtk_list_view_new (
      GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->lines)))),
      factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (self->list), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What happened there"), -1);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (line_activated), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_widget_set_size_request (box, 280, -1);
  return box;
}

static GtkWidget *
timeline_new (WeirTimelinePanel *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL),
            *scrolled = gtk_scrolled_window_new ();

  self->view = weir_timeline_view_new ();
  g_signal_connect_swapped (self->view, "cursor-moved", G_CALLBACK (moment_changed), self);
  g_signal_connect_swapped (self->view, "range-changed", G_CALLBACK (moment_changed), self);
  g_signal_connect_swapped (self->view, "leave", G_CALLBACK (weir_timeline_panel_leave), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  /* It is focused by each click, and may be higher than what is seen of it. */
  gtk_viewport_set_scroll_to_focus (
      GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled))), FALSE);
  gtk_paned_set_start_child (GTK_PANED (paned), scrolled);
  gtk_paned_set_end_child (GTK_PANED (paned), details_new (self));
  gtk_paned_set_resize_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  return weir_sideways_new (paned);
}

static void
dispose (GObject *object)
{
  WeirTimelinePanel *self = WEIR_TIMELINE_PANEL (object);
  GtkWidget *child;

  if (self->view != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->view, self);
      weir_timeline_view_set_playback (WEIR_TIMELINE_VIEW (self->view), NULL);
      self->view = NULL;
    }
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->lines);
  g_clear_pointer (&self->paths, g_ptr_array_unref);
  g_clear_pointer (&self->playback, weir_playback_free);
  G_OBJECT_CLASS (weir_timeline_panel_parent_class)->dispose (object);
}

static void
weir_timeline_panel_class_init (WeirTimelinePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "weir-timeline-panel");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SIGNAL_MOMENT_CHANGED] = g_signal_new ("moment-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                                 NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_GO_TO] = g_signal_new ("go-to", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
weir_timeline_panel_init (WeirTimelinePanel *self)
{
  GtkWidget *toolbar = toolbar_new (self);

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_halign (self->progress, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (self->progress, 240, -1);
  self->stack = gtk_stack_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_hexpand (self->stack, TRUE);
  gtk_stack_add_named (
      GTK_STACK (self->stack),
      weir_empty_page_new (
          _ ("Nothing Logged Yet"),
          _ ("Press Log and run the model: every change event appears here, with "
             "what it put out of date and what was computed again. The diagram and the "
             "cache table then show any of these moments. Change logs made with “weir "
             "run --record” can be opened too."),
          NULL),
      "empty");
  gtk_stack_add_named (GTK_STACK (self->stack),
                       weir_empty_page_new (_ ("Reading the Change Log…"), NULL, self->progress),
                       "busy");
  gtk_stack_add_named (GTK_STACK (self->stack), timeline_new (self), "timeline");
  gtk_widget_set_parent (toolbar, GTK_WIDGET (self));
  gtk_widget_set_parent (self->state, GTK_WIDGET (self));
  gtk_widget_set_parent (gtk_separator_new (GTK_ORIENTATION_HORIZONTAL), GTK_WIDGET (self));
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  show_page (self);
}

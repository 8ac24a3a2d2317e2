/* WeirBreakPanel. See break-panel.h. */
#include "cache/break-panel.h"

#include <glib/gi18n-lib.h>

#include "cache/break-editor.h"
#include "cache/break-text.h"
#include "cache/cache-figures.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

typedef struct {
  GtkWidget *line, *toggle, *mark, *title, *limits, *count, *edit;
  gulong toggle_handler;
} Row;

struct _WeirBreakPanel {
  GtkWidget parent;
  GtkWidget *stack; /* "empty" or "list" */
  GtkWidget *list_box, *popover, *editor;
  WeirCacheModel *model;
  GArray *list;      /* WeirBreakpoint */
  GArray *rows;      /* Row, likewise */
  guint edited;      /* whose editor is open */
  GPtrArray *errors; /* by breakpoint: what of it the model does not have, or NULL */
};

G_DEFINE_FINAL_TYPE (WeirBreakPanel, weir_break_panel, GTK_TYPE_WIDGET)

enum { SIGNAL_EDITED, SIGNAL_GO_TO, N_SIGNALS };
static guint signals[N_SIGNALS];

static WeirBreakpoint *
get (WeirBreakPanel *self, guint i)
{
  return &g_array_index (self->list, WeirBreakpoint, i);
}

static Row *
get_row (WeirBreakPanel *self, guint i)
{
  return &g_array_index (self->rows, Row, i);
}

static guint
index_of (WeirBreakPanel *self, GtkWidget *widget)
{
  GtkWidget *line = gtk_widget_get_ancestor (widget, GTK_TYPE_LIST_BOX_ROW);

  return line != NULL ? (guint) gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (line))
                      : self->list->len;
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* What is named and not there, as after a block was renamed. */
static void
find_errors (WeirBreakPanel *self)
{
  WeirLayout *layout = self->model != NULL && self->list->len > 0
                           ? weir_cache_model_get_layout (self->model)
                           : NULL;

  g_ptr_array_set_size (self->errors, 0);
  if (layout != NULL)
    weir_breakpoints_free (weir_breakpoints_new (layout, self->list, self->errors));
}

static void
update_row (WeirBreakPanel *self, guint i)
{
  const WeirBreakpoint *breakpoint = get (self, i);
  Row *row = get_row (self, i);
  g_autofree char *title = weir_break_describe (breakpoint);
  g_autofree char *limits = weir_break_describe_limits (breakpoint);
  const char *error = i < self->errors->len ? g_ptr_array_index (self->errors, i) : NULL;

  gtk_label_set_text (GTK_LABEL (row->title), title);
  weir_set_tooltip (row->title, title);
  gtk_label_set_text (GTK_LABEL (row->limits), error != NULL    ? error
                                               : limits != NULL ? limits
                                                                : "");
  gtk_widget_set_visible (row->limits, error != NULL || limits != NULL);
  if (error != NULL)
    gtk_widget_add_css_class (row->limits, "error");
  else
    gtk_widget_remove_css_class (row->limits, "error");
  g_signal_handler_block (row->toggle, row->toggle_handler);
  gtk_switch_set_active (GTK_SWITCH (row->toggle), !breakpoint->is_disabled);
  g_signal_handler_unblock (row->toggle, row->toggle_handler);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, -1);
  gtk_widget_set_opacity (row->title, breakpoint->is_disabled ? 0.6 : 1);
}

static void
toggled (GtkWidget *toggle, G_GNUC_UNUSED GParamSpec *pspec, WeirBreakPanel *self)
{
  guint i = index_of (self, toggle);

  if (i >= self->list->len)
    return;
  get (self, i)->is_disabled = !gtk_switch_get_active (GTK_SWITCH (toggle));
  update_row (self, i);
  g_signal_emit (self, signals[SIGNAL_EDITED], 0);
}

static void fill (WeirBreakPanel *self);

static void
remove_clicked (GtkWidget *button, WeirBreakPanel *self)
{
  guint i = index_of (self, button);

  if (i >= self->list->len)
    return;
  g_array_remove_index (self->list, i);
  fill (self);
  g_signal_emit (self, signals[SIGNAL_EDITED], 0);
}

static void
edit_clicked (GtkWidget *button, WeirBreakPanel *self)
{
  weir_break_panel_edit (self, index_of (self, button));
}

static GtkWidget *
button_new (WeirBreakPanel *self, const char *icon, const char *title,
            void (*clicked) (GtkWidget *button, WeirBreakPanel *self))
{
  GtkWidget *button = weir_icon_button_new (icon, NULL, title);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect (button, "clicked", G_CALLBACK (clicked), self);
  return button;
}

static void
add_row (WeirBreakPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  Row row = { .line = gtk_list_box_row_new (),
              .toggle = gtk_switch_new (),
              .mark = gtk_image_new_from_icon_name ("media-playback-pause-symbolic"),
              .title = gtk_label_new (NULL),
              .limits = gtk_label_new (NULL),
              .count = gtk_label_new (NULL) };

  gtk_widget_set_valign (row.toggle, GTK_ALIGN_CENTER);
  row.toggle_handler = g_signal_connect (row.toggle, "notify::active", G_CALLBACK (toggled), self);
  weir_set_tooltip (row.mark, _ ("The run is paused here"));
  gtk_widget_add_css_class (row.mark, "accent");
  gtk_widget_set_opacity (row.mark, 0);
  gtk_label_set_xalign (GTK_LABEL (row.title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (row.title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (row.limits), 0);
  gtk_label_set_ellipsize (GTK_LABEL (row.limits), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (row.limits, "dim-label");
  gtk_widget_add_css_class (row.limits, "caption");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (texts), row.title);
  gtk_box_append (GTK_BOX (texts), row.limits);
  gtk_widget_add_css_class (row.count, "numeric");
  weir_set_tooltip (row.count, _ ("How often it was met in this run"));
  row.edit = button_new (self, "document-edit-symbolic", _ ("Edit"), edit_clicked);
  gtk_box_append (GTK_BOX (box), row.toggle);
  gtk_box_append (GTK_BOX (box), row.mark);
  gtk_box_append (GTK_BOX (box), texts);
  gtk_box_append (GTK_BOX (box), row.count);
  gtk_box_append (GTK_BOX (box), row.edit);
  gtk_box_append (GTK_BOX (box),
                  button_new (self, "user-trash-symbolic", _ ("Remove"), remove_clicked));
  weir_set_margins (box, 6, 3);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row.line), box);
  gtk_list_box_append (GTK_LIST_BOX (self->list_box), row.line);
  g_array_append_val (self->rows, row);
}

/* As many rows as breakpoints, each saying what its own is. */
static void
fill (WeirBreakPanel *self)
{
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  while (self->rows->len < self->list->len)
    add_row (self);
  while (self->rows->len > self->list->len)
    {
      gtk_list_box_remove (GTK_LIST_BOX (self->list_box),
                           get_row (self, self->rows->len - 1)->line);
      g_array_set_size (self->rows, self->rows->len - 1);
    }
  find_errors (self);
  for (guint i = 0; i < self->list->len; i++)
    update_row (self, i);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    self->list->len > 0 ? "list" : "empty");
}

static void
row_activated (WeirBreakPanel *self, GtkListBoxRow *line)
{
  g_signal_emit (self, signals[SIGNAL_GO_TO], 0, (guint) gtk_list_box_row_get_index (line));
}

/* --- Editing --------------------------------------------------------------------------------- */

static void
editor_edited (WeirBreakPanel *self)
{
  WeirBreakpoint copy;

  if (self->edited >= self->list->len)
    return;
  copy = weir_breakpoint_copy (weir_break_editor_get (WEIR_BREAK_EDITOR (self->editor)));
  copy.is_disabled = get (self, self->edited)->is_disabled;
  weir_breakpoint_clear (get (self, self->edited));
  *get (self, self->edited) = copy;
  find_errors (self);
  update_row (self, self->edited);
  g_signal_emit (self, signals[SIGNAL_EDITED], 0);
}

void
weir_break_panel_edit (WeirBreakPanel *self, guint index)
{
  graphene_rect_t bounds;

  g_return_if_fail (WEIR_IS_BREAK_PANEL (self));

  if (index >= self->list->len)
    return;
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  self->edited = index;
  weir_break_editor_set (WEIR_BREAK_EDITOR (self->editor), get (self, index));
  if (gtk_widget_compute_bounds (get_row (self, index)->edit, GTK_WIDGET (self), &bounds)
      && bounds.size.width > 0) /* a row just added has no place yet */
    gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                                 &(GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y,
                                                   (int) bounds.size.width,
                                                   (int) bounds.size.height });
  else
    gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), NULL);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

/* A row just added has its place after the next layout. */
static gboolean
edit_last (gpointer data)
{
  WeirBreakPanel *self = data;

  if (self->list != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    weir_break_panel_edit (self, self->list->len - 1);
  return G_SOURCE_REMOVE;
}

static void
add_clicked (G_GNUC_UNUSED GtkWidget *button, WeirBreakPanel *self)
{
  WeirBreakpoint one = {
    .kind = WEIR_BREAK_EVENT, .what = g_strdup (""), .phase = -1, .is_disabled = TRUE
  };

  g_array_append_val (self->list, one);
  fill (self);
  g_signal_emit (self, signals[SIGNAL_EDITED], 0);
  g_timeout_add_full (G_PRIORITY_DEFAULT, 50, edit_last, g_object_ref (self), g_object_unref);
}

/* --- From outside ---------------------------------------------------------------------------- */

/* Names may be there again, or not any more. */
static void
structure_changed (WeirBreakPanel *self)
{
  find_errors (self);
  for (guint i = 0; i < self->rows->len; i++)
    update_row (self, i);
}

void
weir_break_panel_set_list (WeirBreakPanel *self, const GArray *list)
{
  g_autofree char *before = NULL, *after = NULL;

  g_return_if_fail (WEIR_IS_BREAK_PANEL (self));

  before = weir_breakpoint_list_to_text (self->list);
  after = weir_breakpoint_list_to_text (list);
  if (g_str_equal (before, after)) /* it may be our own: an open editor stays */
    return;
  g_array_unref (self->list);
  self->list = weir_breakpoint_list_copy (list);
  fill (self);
}

const GArray *
weir_break_panel_get_list (WeirBreakPanel *self)
{
  g_return_val_if_fail (WEIR_IS_BREAK_PANEL (self), NULL);
  return self->list;
}

void
weir_break_panel_update (WeirBreakPanel *self, const WeirSnapshot *snapshot, guint serial)
{
  gboolean is_known;

  g_return_if_fail (WEIR_IS_BREAK_PANEL (self));

  is_known = snapshot != NULL && snapshot->break_serial == serial
             && snapshot->n_breakpoints == self->list->len;
  for (guint i = 0; i < self->list->len; i++)
    {
      Row *row = get_row (self, i);
      g_autofree char *count = is_known && snapshot->break_counts[i] > 0
                                   ? weir_cache_format_count (snapshot->break_counts[i])
                                   : g_strdup ("");

      if (!g_str_equal (gtk_label_get_text (GTK_LABEL (row->count)), count))
        gtk_label_set_text (GTK_LABEL (row->count), count);
      gtk_widget_set_opacity (
          row->mark, is_known && snapshot->is_at_break && snapshot->hit.index == i ? 1 : 0);
    }
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirBreakPanel *self = WEIR_BREAK_PANEL (object);
  GtkWidget *child;

  if (self->popover != NULL)
    gtk_widget_unparent (self->popover);
  self->popover = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_pointer (&self->errors, g_ptr_array_unref);
  g_clear_pointer (&self->list, g_array_unref);
  g_clear_pointer (&self->rows, g_array_unref);
  G_OBJECT_CLASS (weir_break_panel_parent_class)->dispose (object);
}

static void
weir_break_panel_class_init (WeirBreakPanelClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[SIGNAL_EDITED] = g_signal_new ("edited", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  signals[SIGNAL_GO_TO] = g_signal_new ("go-to", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_UINT);
}

static GtkWidget *
add_button_new (WeirBreakPanel *self)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Add Breakpoint…"));

  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  g_signal_connect (button, "clicked", G_CALLBACK (add_clicked), self);
  return button;
}

static GtkWidget *
empty_new (WeirBreakPanel *self)
{
  return weir_empty_page_new (
      _ ("No Breakpoints"),
      _ ("A breakpoint pauses the run when a value is computed, reused or put out of date, or when "
         "something changes. Set one in the menu of a block, in the cache table, or here."),
      add_button_new (self));
}

static GtkWidget *
list_new (WeirBreakPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (),
            *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *add = add_button_new (self);

  self->list_box = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list_box), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list_box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Breakpoints"), -1);
  g_signal_connect_swapped (self->list_box, "row-activated", G_CALLBACK (row_activated), self);
  gtk_box_append (GTK_BOX (box), self->list_box);
  gtk_widget_set_margin_bottom (add, 6);
  gtk_box_append (GTK_BOX (box), add);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  return scrolled;
}

static void
weir_break_panel_init (WeirBreakPanel *self)
{
  self->list = weir_breakpoint_list_new ();
  self->errors = g_ptr_array_new_with_free_func (g_free);
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), empty_new (self), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), list_new (self), "list");
  gtk_widget_set_hexpand (self->stack, TRUE);
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  self->popover = gtk_popover_new ();
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_TOP);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
}

void
weir_break_panel_set_model (WeirBreakPanel *self, WeirCacheModel *model)
{
  g_return_if_fail (WEIR_IS_BREAK_PANEL (self) && self->model == NULL);

  self->model = g_object_ref (model);
  g_signal_connect_swapped (model, "structure-changed", G_CALLBACK (structure_changed), self);
  self->editor = weir_break_editor_new (model);
  g_signal_connect_swapped (self->editor, "edited", G_CALLBACK (editor_edited), self);
  gtk_popover_set_child (GTK_POPOVER (self->popover), self->editor);
}

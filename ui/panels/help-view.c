/* WeirHelpView. See help-view.h.
 *
 * Widgets are made per page: a page has some hundreds of them at most. What is to be scrolled to
 * has its place only once it is laid out, so that scrolling waits for the second frame.
 */
#include "panels/help-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "widgets/pieces.h"

#define WIDTH 720      /* px, of lines at most */
#define INDENT 24      /* px, per depth of lists */
#define MARGIN 24      /* px, around the page */
#define COPIED_MS 1500 /* for which a button says that it has copied */

typedef struct {
  GtkLabel *label; /* borrowed from the page */
  guint start, end;
} Match; /* bytes of its text */

struct _WeirHelpView {
  GtkWidget parent;
  GtkWidget *scrolled, *box;
  gboolean (*is_insertable) (const char *code);

  GPtrArray *labels; /* GtkLabel with text of the page, in order; borrowed */
  GPtrArray *places; /* GtkWidget of each block; borrowed */
  GtkWidget *grid;   /* of the table that is being filled, or NULL */
  int n_rows;        /* in it */
  char *bullet;      /* of a list's entry that the next block begins, or NULL */

  GArray *matches;
  guint match; /* that is looked at */

  GtkWidget *target; /* to be scrolled to; borrowed; NULL: to @position */
  double target_y;   /* within it */
  double position;
  gboolean is_centered;
  guint reveal, n_frames;
};

G_DEFINE_FINAL_TYPE (WeirHelpView, weir_help_view, GTK_TYPE_WIDGET)

enum { SIGNAL_LINK, SIGNAL_INSERT, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- Scrolling ------------------------------------------------------------------------------- */

static GtkAdjustment *
get_adjustment (WeirHelpView *self)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
}

static gboolean
reveal_now (G_GNUC_UNUSED GtkWidget *widget, G_GNUC_UNUSED GdkFrameClock *clock, gpointer data)
{
  WeirHelpView *self = data;
  GtkAdjustment *adjustment = get_adjustment (self);
  double y = self->position;

  if (++self->n_frames < 2)
    return G_SOURCE_CONTINUE;
  if (self->target != NULL)
    {
      gtk_widget_translate_coordinates (self->target, self->box, 0, self->target_y, NULL, &y);
      y -= self->is_centered ? gtk_adjustment_get_page_size (adjustment) / 3 : MARGIN / 2;
    }
  gtk_adjustment_set_value (adjustment, y);
  self->target = NULL;
  self->reveal = 0;
  return G_SOURCE_REMOVE;
}

static void
reveal (WeirHelpView *self, GtkWidget *target, double y, gboolean is_centered)
{
  self->target = target;
  self->target_y = y;
  self->is_centered = is_centered;
  self->n_frames = 0;
  if (self->reveal == 0)
    self->reveal = gtk_widget_add_tick_callback (GTK_WIDGET (self), reveal_now, self, NULL);
}

double
weir_help_view_get_position (WeirHelpView *self)
{
  g_return_val_if_fail (WEIR_IS_HELP_VIEW (self), 0);
  return gtk_adjustment_get_value (get_adjustment (self));
}

void
weir_help_view_set_position (WeirHelpView *self, double position)
{
  g_return_if_fail (WEIR_IS_HELP_VIEW (self));

  self->position = position;
  reveal (self, NULL, 0, FALSE);
}

/* --- Text ------------------------------------------------------------------------------------ */

/* The spans of a block that are in @cell, as markup. (transfer full) */
static char *
make_markup (const WeirHelpBlock *block, int cell)
{
  static const char *const before[] = {
    [WEIR_HELP_TEXT] = "",      [WEIR_HELP_CODE_SPAN] = "<tt>", [WEIR_HELP_EMPHASIS] = "<i>",
    [WEIR_HELP_STRONG] = "<b>", [WEIR_HELP_GUI] = "<b>",        [WEIR_HELP_LINK] = ""
  };
  static const char *const after[] = {
    [WEIR_HELP_TEXT] = "",       [WEIR_HELP_CODE_SPAN] = "</tt>", [WEIR_HELP_EMPHASIS] = "</i>",
    [WEIR_HELP_STRONG] = "</b>", [WEIR_HELP_GUI] = "</b>",        [WEIR_HELP_LINK] = ""
  };
  GString *markup = g_string_new (NULL);

  for (guint i = 0; i < block->n_spans; i++)
    {
      const WeirHelpSpan *span = &block->spans[i];
      g_autofree char *text = g_markup_escape_text (span->text, -1);
      g_autofree char *target = span->target != NULL ? g_markup_escape_text (span->target, -1)
                                                     : NULL;

      if (span->cell != cell)
        continue;
      if (span->kind == WEIR_HELP_LINK && target != NULL)
        g_string_append_printf (markup, "<a href=\"%s\">%s</a>", target, text);
      else
        g_string_append_printf (markup, "%s%s%s", before[span->kind], text, after[span->kind]);
    }
  return g_string_free (markup, FALSE);
}

static gboolean
link_activated (WeirHelpView *self, const char *target)
{
  g_signal_emit (self, signals[SIGNAL_LINK], 0, target);
  return GDK_EVENT_STOP;
}

static GtkWidget *
label_new (WeirHelpView *self, const char *markup, GtkAccessibleRole role)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "accessible-role", role, NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  g_signal_connect_swapped (label, "activate-link", G_CALLBACK (link_activated), self);
  g_ptr_array_add (self->labels, label);
  return label;
}

static GtkWidget *
title_new (WeirHelpView *self, const WeirHelpBlock *block)
{
  static const char *const classes[] = { "title-1", "title-2", "title-3" };
  guint level = (guint) CLAMP (block->level, 0, (int) G_N_ELEMENTS (classes) - 1);
  g_autofree char *markup = make_markup (block, 0);
  GtkWidget *label = label_new (self, markup, GTK_ACCESSIBLE_ROLE_HEADING);

  gtk_widget_add_css_class (label, classes[level]);
  gtk_widget_set_margin_top (label, level == 0 ? 0 : 18);
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LEVEL,
                                  (int) level + 1, -1);
  return label;
}

/* --- Examples -------------------------------------------------------------------------------- */

static gboolean
stop_saying_copied (gpointer button)
{
  gtk_button_set_icon_name (button, "edit-copy-symbolic");
  return G_SOURCE_REMOVE;
}

static void
copy_clicked (GtkButton *button, GtkLabel *code)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)),
                          gtk_label_get_text (code));
  gtk_button_set_icon_name (button, "emblem-ok-symbolic");
  g_timeout_add_full (G_PRIORITY_DEFAULT, COPIED_MS, stop_saying_copied, g_object_ref (button),
                      g_object_unref);
}

static void
insert_clicked (WeirHelpView *self, GtkButton *button)
{
  g_signal_emit (self, signals[SIGNAL_INSERT], 0,
                 gtk_label_get_text (g_object_get_data (G_OBJECT (button), "weir-code")));
}

static GtkWidget *
code_button_new (const char *icon, const char *tooltip)
{
  GtkWidget *button = weir_icon_button_new (icon, NULL, tooltip);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  return button;
}

static GtkWidget *
code_new (WeirHelpView *self, const WeirHelpBlock *block)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *scrolled = gtk_scrolled_window_new (), *copy, *label;
  const char *code = block->n_spans > 0 ? block->spans[0].text : "";
  g_autofree char *markup = g_markup_escape_text (code, -1);

  label = label_new (self, markup, GTK_ACCESSIBLE_ROLE_LABEL);
  gtk_label_set_wrap (GTK_LABEL (label), FALSE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE); /* its button copies; Tab goes from link to link */
  gtk_widget_add_css_class (label, "monospace");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), label);
  gtk_widget_set_hexpand (scrolled, TRUE);
  copy = code_button_new ("edit-copy-symbolic", _ ("Copy"));
  g_signal_connect (copy, "clicked", G_CALLBACK (copy_clicked), label);
  gtk_box_append (GTK_BOX (box), scrolled);
  if (self->is_insertable != NULL && self->is_insertable (code))
    {
      GtkWidget *insert = code_button_new ("list-add-symbolic", _ ("Insert as Block"));

      g_object_set_data (G_OBJECT (insert), "weir-code", label);
      g_signal_connect_swapped (insert, "clicked", G_CALLBACK (insert_clicked), self);
      gtk_box_append (GTK_BOX (box), insert);
    }
  gtk_box_append (GTK_BOX (box), copy);
  gtk_widget_add_css_class (box, "weir-code");
  return box;
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static void
add_row (WeirHelpView *self, const WeirHelpBlock *block)
{
  int n_cells = 1;

  for (guint i = 0; i < block->n_spans; i++)
    n_cells = MAX (n_cells, block->spans[i].cell + 1);
  for (int cell = 0; cell < n_cells; cell++)
    {
      g_autofree char *markup = make_markup (block, cell);
      GtkWidget *label = label_new (self, markup,
                                    block->kind == WEIR_HELP_HEAD
                                        ? GTK_ACCESSIBLE_ROLE_COLUMN_HEADER
                                        : GTK_ACCESSIBLE_ROLE_CELL);

      gtk_label_set_yalign (GTK_LABEL (label), 0);
      if (block->kind == WEIR_HELP_HEAD)
        gtk_widget_add_css_class (label, "heading");
      gtk_grid_attach (GTK_GRID (self->grid), label, cell, self->n_rows, 1, 1);
    }
  self->n_rows++;
}

static GtkWidget *
grid_new (WeirHelpView *self)
{
  GtkWidget *grid = g_object_new (GTK_TYPE_GRID, "accessible-role", GTK_ACCESSIBLE_ROLE_TABLE,
                                  "row-spacing", 6, "column-spacing", 18, NULL);

  gtk_widget_add_css_class (grid, "weir-table");
  self->grid = grid;
  self->n_rows = 0;
  return grid;
}

static GtkWidget *
text_new (WeirHelpView *self, const WeirHelpBlock *block)
{
  g_autofree char *markup = make_markup (block, 0);
  GtkWidget *label = label_new (self, markup, GTK_ACCESSIBLE_ROLE_LABEL);

  if (block->kind == WEIR_HELP_TERM)
    gtk_widget_add_css_class (label, "heading");
  else if (block->kind == WEIR_HELP_NOTE)
    gtk_widget_add_css_class (label, "weir-note");
  return label;
}

/* The widget of a block that has something to show; NULL: it only begins an entry of a list. */
static GtkWidget *
block_new (WeirHelpView *self, const WeirHelpBlock *block)
{
  gboolean is_row = block->kind == WEIR_HELP_HEAD || block->kind == WEIR_HELP_ROW;

  if (!is_row || block->kind == WEIR_HELP_HEAD)
    self->grid = NULL;
  switch (block->kind)
    {
    case WEIR_HELP_TITLE:
      return title_new (self, block);
    case WEIR_HELP_CODE:
      return code_new (self, block);
    case WEIR_HELP_ITEM:
    case WEIR_HELP_STEP:
      g_free (self->bullet);
      self->bullet = block->kind == WEIR_HELP_STEP ? g_strdup_printf ("%d.", block->number)
                                                   : g_strdup ("•");
      return block->n_spans > 0 ? text_new (self, block) : NULL;
    case WEIR_HELP_HEAD:
    case WEIR_HELP_ROW:
      return self->grid != NULL ? NULL : grid_new (self);
    case WEIR_HELP_PARAGRAPH:
    case WEIR_HELP_TERM:
    case WEIR_HELP_NOTE:
    default:
      return text_new (self, block);
    }
}

/* @widget behind the bullet that waits for it, if any. */
static GtkWidget *
with_bullet (WeirHelpView *self, GtkWidget *widget)
{
  GtkWidget *box, *bullet;

  if (self->bullet == NULL)
    return widget;
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  bullet = gtk_label_new (self->bullet);
  gtk_widget_set_valign (bullet, GTK_ALIGN_START);
  gtk_label_set_xalign (GTK_LABEL (bullet), 0);
  gtk_widget_set_size_request (bullet, INDENT, -1);
  gtk_box_append (GTK_BOX (box), bullet);
  gtk_box_append (GTK_BOX (box), widget);
  g_clear_pointer (&self->bullet, g_free);
  return box;
}

static void
add_block (WeirHelpView *self, const WeirHelpBlock *block)
{
  GtkWidget *widget = block_new (self, block);

  if (widget != NULL)
    {
      gboolean has_bullet = self->bullet != NULL;

      widget = with_bullet (self, widget);
      gtk_widget_set_margin_start (widget, INDENT * MAX (block->indent - (has_bullet ? 1 : 0), 0));
      gtk_box_append (GTK_BOX (self->box), widget);
    }
  if (self->grid != NULL)
    add_row (self, block);
  g_ptr_array_add (self->places, widget != NULL ? widget : gtk_widget_get_last_child (self->box));
}

/* --- A guide's children ---------------------------------------------------------------------- */

static void
child_activated (WeirHelpView *self, GtkListBoxRow *row)
{
  g_signal_emit (self, signals[SIGNAL_LINK], 0, g_object_get_data (G_OBJECT (row), "weir-page"));
}

static void
add_children (WeirHelpView *self, const WeirHelp *help, const WeirHelpPage *page)
{
  GtkWidget *list;

  if (help == NULL || !page->is_guide || page->n_children == 0)
    return;
  list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_set_margin_top (list, 12);
  for (guint i = 0; i < page->n_children; i++)
    {
      const WeirHelpPage *child = weir_help_get_page (help, page->children[i]);
      GtkWidget *row = adw_action_row_new ();
      g_autofree char *title = g_markup_escape_text (child->title, -1);
      g_autofree char *summary = child->summary != NULL ? g_markup_escape_text (child->summary, -1)
                                                        : NULL;

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), summary);
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
      g_object_set_data (G_OBJECT (row), "weir-page", (gpointer) child->id);
      gtk_list_box_append (GTK_LIST_BOX (list), row);
    }
  g_signal_connect_swapped (list, "row-activated", G_CALLBACK (child_activated), self);
  gtk_box_append (GTK_BOX (self->box), list);
}

/* --- The page -------------------------------------------------------------------------------- */

void
weir_help_view_set_insertable (WeirHelpView *self, gboolean (*is_insertable) (const char *code))
{
  g_return_if_fail (WEIR_IS_HELP_VIEW (self));

  self->is_insertable = is_insertable;
}

void
weir_help_view_show (WeirHelpView *self, const WeirHelp *help, const WeirHelpPage *page,
                     guint block)
{
  GtkWidget *child;

  g_return_if_fail (WEIR_IS_HELP_VIEW (self));
  g_return_if_fail (page != NULL);

  g_array_set_size (self->matches, 0);
  g_ptr_array_set_size (self->labels, 0);
  g_ptr_array_set_size (self->places, 0);
  self->grid = NULL;
  self->target = NULL;
  g_clear_pointer (&self->bullet, g_free);
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  for (guint i = 0; i < page->n_blocks; i++)
    add_block (self, &page->blocks[i]);
  add_children (self, help, page);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, page->title,
                                  -1);
  self->position = 0;
  reveal (self, block > 0 && block < self->places->len ? self->places->pdata[block] : NULL, 0,
          FALSE);
}

/* --- Finding --------------------------------------------------------------------------------- */

/* The end of @sought where @text begins with it, upper and lower case alike; NULL: it does not. */
static const char *
match_here (const char *text, const char *sought)
{
  for (; *sought != '\0'; text = g_utf8_next_char (text), sought = g_utf8_next_char (sought))
    if (g_unichar_tolower (g_utf8_get_char (text)) != g_unichar_tolower (g_utf8_get_char (sought)))
      return NULL;
  return text;
}

static void
collect_matches (WeirHelpView *self, GtkLabel *label, const char *sought)
{
  const char *text = gtk_label_get_text (label), *end;

  for (const char *at = text; *at != '\0'; at = end != NULL ? end : g_utf8_next_char (at))
    {
      end = match_here (at, sought);
      if (end != NULL)
        {
          Match match = { label, (guint) (at - text), (guint) (end - text) };

          g_array_append_val (self->matches, match);
        }
    }
}

/* Black on yellow, the one that is looked at on orange, in light and dark alike. */
static void
mark (PangoAttrList *attributes, const Match *match, gboolean is_present)
{
  PangoAttribute *both[] = { is_present ? pango_attr_background_new (0xffff, 0xa300, 0x4800)
                                        : pango_attr_background_new (0xf900, 0xf000, 0x6b00),
                             pango_attr_foreground_new (0, 0, 0) };

  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    {
      both[i]->start_index = match->start;
      both[i]->end_index = match->end;
      pango_attr_list_insert (attributes, both[i]);
    }
}

static void
mark_all (WeirHelpView *self)
{
  for (guint i = 0; i < self->labels->len; i++)
    {
      g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

      for (guint k = 0; k < self->matches->len; k++)
        {
          const Match *match = &g_array_index (self->matches, Match, k);

          if (match->label == self->labels->pdata[i])
            mark (attributes, match, k == self->match);
        }
      gtk_label_set_attributes (self->labels->pdata[i], attributes);
    }
}

static void
go_to_match (WeirHelpView *self)
{
  const Match *match = &g_array_index (self->matches, Match, self->match);
  PangoRectangle place;

  mark_all (self);
  pango_layout_index_to_pos (gtk_label_get_layout (match->label), (int) match->start, &place);
  reveal (self, GTK_WIDGET (match->label), (double) place.y / PANGO_SCALE, TRUE);
}

guint
weir_help_view_find (WeirHelpView *self, const char *text)
{
  g_return_val_if_fail (WEIR_IS_HELP_VIEW (self), 0);

  g_array_set_size (self->matches, 0);
  self->match = 0;
  for (guint i = 0; text != NULL && text[0] != '\0' && i < self->labels->len; i++)
    collect_matches (self, self->labels->pdata[i], text);
  if (self->matches->len > 0)
    go_to_match (self);
  else
    mark_all (self);
  return self->matches->len;
}

guint
weir_help_view_find_next (WeirHelpView *self, int step)
{
  g_return_val_if_fail (WEIR_IS_HELP_VIEW (self), 0);

  if (self->matches->len == 0)
    return 0;
  self->match = (guint) ((int) (self->match + self->matches->len) + step) % self->matches->len;
  go_to_match (self);
  return self->match + 1;
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirHelpView *self = WEIR_HELP_VIEW (object);
  GtkWidget *child;

  if (self->reveal != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->reveal);
  self->reveal = 0;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->places, g_ptr_array_unref);
  g_clear_pointer (&self->matches, g_array_unref);
  g_clear_pointer (&self->bullet, g_free);
  G_OBJECT_CLASS (weir_help_view_parent_class)->dispose (object);
}

/* One line more or less, as in any text that is read. */
static void
scroll_lines (GtkWidget *widget, G_GNUC_UNUSED const char *name, GVariant *value)
{
  GtkAdjustment *adjustment = get_adjustment (WEIR_HELP_VIEW (widget));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment)
                                            + g_variant_get_double (value)
                                                  * gtk_adjustment_get_step_increment (adjustment));
}

static void
scroll_pages (GtkWidget *widget, G_GNUC_UNUSED const char *name, GVariant *value)
{
  GtkAdjustment *adjustment = get_adjustment (WEIR_HELP_VIEW (widget));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment)
                                            + g_variant_get_double (value)
                                                  * gtk_adjustment_get_page_increment (adjustment));
}

static void
weir_help_view_class_init (WeirHelpViewClass *klass)
{
  static const struct {
    guint key;
    const char *action;
    double amount;
  } keys[] = { { GDK_KEY_Up, "scroll-lines", -1 },        { GDK_KEY_Down, "scroll-lines", 1 },
               { GDK_KEY_Page_Up, "scroll-pages", -1 },   { GDK_KEY_Page_Down, "scroll-pages", 1 },
               { GDK_KEY_BackSpace, "scroll-pages", -1 }, { GDK_KEY_space, "scroll-pages", 1 },
               { GDK_KEY_Home, "scroll-pages", -1e6 },    { GDK_KEY_End, "scroll-pages", 1e6 } };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "weir-help-view");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action (widget_class, "scroll-lines", "d", scroll_lines);
  gtk_widget_class_install_action (widget_class, "scroll-pages", "d", scroll_pages);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i].key, 0, keys[i].action, "d",
                                         keys[i].amount);
  signals[SIGNAL_LINK] = g_signal_new ("link", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_INSERT] = g_signal_new ("insert", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
weir_help_view_init (WeirHelpView *self)
{
  GtkWidget *clamp = adw_clamp_new ();

  self->labels = g_ptr_array_new ();
  self->places = g_ptr_array_new ();
  self->matches = g_array_new (FALSE, FALSE, sizeof (Match));
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  weir_set_margins (self->box, MARGIN, MARGIN);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), WIDTH);
  adw_clamp_set_child (ADW_CLAMP (clamp), self->box);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), clamp);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

GtkWidget *
weir_help_view_new (void)
{
  return g_object_new (WEIR_TYPE_HELP_VIEW, NULL);
}

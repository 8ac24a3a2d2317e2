/* A popover to choose from by typing. See picker.h. */
#include "canvas/widget/picker.h"

#include <glib/gi18n-lib.h>

#include "paint/drawing/diagram.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

typedef struct {
  GtkWidget *popover, *search, *list, *scroller;
  WeirPickerSearch find;
  WeirPickerChosen chosen, glance;
  gpointer data;
  GDestroyNotify free_data;
  GPtrArray *choices;
  gboolean done, has_glanced;
} Picker;

/* --- Rows ------------------------------------------------------------------------------------ */

static GtkWidget *
make_icon (const char *type)
{
  GtkWidget *icon = weir_block_icon_new (type, 40, 32);

  gtk_widget_set_valign (icon, GTK_ALIGN_CENTER);
  return icon;
}

static GtkWidget *
make_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  weir_set_tooltip (label, text);
  return label;
}

static GtkWidget *
make_row (const WeirChoice *choice)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *title = make_label (choice->title);

  gtk_widget_set_sensitive (title, !choice->is_off);
  gtk_box_append (GTK_BOX (texts), title);
  if (choice->detail != NULL)
    {
      GtkWidget *detail = make_label (choice->detail);

      if (!choice->is_off)
        gtk_widget_add_css_class (detail, "dim-label");
      gtk_widget_add_css_class (detail, "caption");
      gtk_box_append (GTK_BOX (texts), detail);
    }
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  if (choice->icon != NULL)
    gtk_box_append (GTK_BOX (box), make_icon (choice->icon));
  gtk_box_append (GTK_BOX (box), texts);
  if (choice->keys != NULL)
    {
      guint key;
      GdkModifierType modifiers;
      g_autofree char *shown = NULL;
      GtkWidget *label;

      if (gtk_accelerator_parse (choice->keys, &key, &modifiers))
        shown = gtk_accelerator_get_label (key, modifiers);
      label = gtk_label_new (shown);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_set_sensitive (label, !choice->is_off);
      gtk_box_append (GTK_BOX (box), label);
    }
  gtk_widget_set_margin_top (box, 4);
  gtk_widget_set_margin_bottom (box, 4);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  choice->title, -1);
  if (choice->is_off)
    {
      /* It can be gone to, so that why it cannot be chosen is read out. */
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
      gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      choice->detail, -1);
      gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_DISABLED, TRUE, -1);
    }
  return row;
}

static void
refill (Picker *self)
{
  GtkListBoxRow *row;

  /* Not the first child: the note that nothing was found is one too. */
  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  g_ptr_array_set_size (self->choices, 0);
  self->has_glanced = FALSE;
  self->find (gtk_editable_get_text (GTK_EDITABLE (self->search)), self->choices, self->data);
  if (self->choices->len > WEIR_MAX_CHOICES)
    g_ptr_array_set_size (self->choices, WEIR_MAX_CHOICES);
  for (guint i = 0; i < self->choices->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), make_row (self->choices->pdata[i]));
  gtk_list_box_select_row (GTK_LIST_BOX (self->list),
                           gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0));
}

/* --- Choosing -------------------------------------------------------------------------------- */

static void
choose (Picker *self, GtkListBoxRow *row)
{
  WeirChoice *choice;

  if (row == NULL || self->done
      || ((WeirChoice *) self->choices->pdata[gtk_list_box_row_get_index (row)])->is_off)
    return;
  choice = g_ptr_array_steal_index (self->choices, (guint) gtk_list_box_row_get_index (row));
  self->done = TRUE;
  g_object_ref (self->popover);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  self->chosen (choice, self->data);
  g_object_unref (self->popover);
  weir_choice_free (choice);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, Picker *self)
{
  choose (self, row);
}

/* What is typed last counts, although the list waits for a pause in typing. */
static void
on_activate (GtkSearchEntry *search, Picker *self)
{
  GtkListBoxRow *row;
  int index;

  row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  index = row != NULL ? gtk_list_box_row_get_index (row) : 0;
  if (index == 0)
    refill (self);
  choose (self, gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), index));
}

static void
on_stop_search (GtkSearchEntry *search, Picker *self)
{
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

static void
on_closed (GtkPopover *popover, Picker *self)
{
  if (self->done)
    return;
  self->done = TRUE;
  self->chosen (NULL, self->data);
}

static void
scroll_to (Picker *self, GtkWidget *row)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (self->scroller));
  double x, y;

  if (gtk_widget_translate_coordinates (row, self->list, 0, 0, &x, &y))
    gtk_adjustment_clamp_page (adjustment, y, y + gtk_widget_get_height (row));
}

static void
select_row (Picker *self, GtkListBoxRow *row)
{
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  scroll_to (self, GTK_WIDGET (row));
}

/* To the next or previous choice, round the ends, from which the caller shows what it stands for.
 * The first time it is the one that is selected already. */
static void
glance_on (Picker *self, int step)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  int n = (int) self->choices->len, index;

  if (n == 0)
    return;
  index = self->has_glanced && row != NULL ? gtk_list_box_row_get_index (row) + step
                                           : (step > 0 ? 0 : n - 1);
  index = (index + n) % n;
  self->has_glanced = TRUE;
  select_row (self, gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), index));
  self->glance (self->choices->pdata[index], self->data);
}

static gboolean
is_find_key (guint keyval, GdkModifierType state)
{
  return keyval == GDK_KEY_F3
         || (gdk_keyval_to_lower (keyval) == GDK_KEY_g && (state & GDK_CONTROL_MASK) != 0);
}

/* Up and Down go through the list while typing. */
static gboolean
on_key (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
        Picker *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  int step = keyval == GDK_KEY_Down ? 1 : keyval == GDK_KEY_Up ? -1 : 0;

  if (self->glance != NULL && is_find_key (keyval, state))
    {
      glance_on (self, state & GDK_SHIFT_MASK ? -1 : 1);
      return GDK_EVENT_STOP;
    }
  if (step == 0)
    return GDK_EVENT_PROPAGATE;
  row = gtk_list_box_get_row_at_index (
      GTK_LIST_BOX (self->list),
      row != NULL ? MAX (0, gtk_list_box_row_get_index (row) + step) : 0);
  if (row != NULL)
    select_row (self, row);
  return GDK_EVENT_STOP;
}

/* --- The popover ----------------------------------------------------------------------------- */

static void
picker_free (gpointer data)
{
  Picker *self = data;

  if (self->free_data != NULL)
    self->free_data (self->data);
  g_ptr_array_unref (self->choices);
  g_free (self);
}

GtkWidget *
weir_picker_new (const char *label, WeirPickerSearch search, WeirPickerChosen chosen, gpointer data,
                 GDestroyNotify free_data)
{
  Picker *self = g_new0 (Picker, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *none = gtk_label_new (_ ("Nothing found"));
  GtkEventController *keys = gtk_event_controller_key_new ();

  *self = (Picker) { gtk_popover_new (),
                     gtk_search_entry_new (),
                     gtk_list_box_new (),
                     gtk_scrolled_window_new (),
                     search,
                     chosen,
                     NULL,
                     data,
                     free_data,
                     weir_choices_new (),
                     FALSE,
                     FALSE };
  g_object_set_data_full (G_OBJECT (self->popover), "picker", self, picker_free);
  g_object_set (self->search, "placeholder-text", label, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  gtk_list_box_set_activate_on_single_click (GTK_LIST_BOX (self->list), TRUE);
  gtk_widget_add_css_class (none, "dim-label");
  gtk_widget_set_margin_top (none, 24);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), none);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (self->scroller, 380, 280);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->search), 36); /* with large text too */
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), self->scroller);
  gtk_popover_set_child (GTK_POPOVER (self->popover), box);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (refill), self);
  g_signal_connect (self->search, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect (self->search, "stop-search", G_CALLBACK (on_stop_search), self);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  g_signal_connect (self->popover, "closed", G_CALLBACK (on_closed), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->search, keys);
  refill (self);
  return self->popover;
}

void
weir_picker_set_glance (GtkWidget *picker, WeirPickerChosen glance)
{
  Picker *self = g_object_get_data (G_OBJECT (picker), "picker");

  self->glance = glance;
}

void
weir_picker_grab_focus (GtkWidget *picker)
{
  Picker *self = g_object_get_data (G_OBJECT (picker), "picker");

  gtk_widget_grab_focus (self->search);
}

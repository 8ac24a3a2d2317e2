/* The widgets of the cache table. See cache-panel-private.h. */
#include <glib/gi18n-lib.h>

#include "cache/cache-panel-private.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

static GtkColumnViewColumn *
add_column (WeirCachePanel *self, WeirColumn column)
{
  GtkColumnViewColumn *view_column = gtk_column_view_column_new (
      weir_column_get_title (column), weir_cache_panel_factory_new (self, column));
  g_autoptr (GtkSorter) sorter = weir_cache_panel_sorter_new (self, column);

  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_expand (view_column, column == WEIR_COLUMN_ENTRY);
  gtk_column_view_column_set_sorter (view_column, sorter);
  gtk_column_view_column_set_visible (view_column, weir_column_is_shown_at_first (column));
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), view_column);
  g_object_unref (view_column);
  return view_column;
}

/* A column has no tooltip in GTK 4.8, but the titles are the children of the view's first child. */
static void
explain_columns (WeirCachePanel *self)
{
  GtkWidget *header = gtk_widget_get_first_child (self->view);
  GtkWidget *title = header == NULL ? NULL : gtk_widget_get_first_child (header);

  for (WeirColumn column = 0; column < WEIR_N_COLUMNS && title != NULL; column++)
    {
      weir_set_tooltip (title, weir_column_get_tooltip (column));
      title = gtk_widget_get_next_sibling (title);
    }
}

static GtkWidget *
view_new (WeirCachePanel *self, GtkWidget *choices)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->view = gtk_column_view_new (NULL);
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Cache entries"), -1);
  for (WeirColumn column = 0; column < WEIR_N_COLUMNS; column++)
    {
      GtkColumnViewColumn *view_column = add_column (self, column);
      GtkWidget *choice = gtk_check_button_new_with_label (weir_column_get_title (column));

      weir_set_tooltip (choice, weir_column_get_tooltip (column));
      g_object_bind_property (view_column, "visible", choice, "active",
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
      if (column != WEIR_COLUMN_ENTRY)
        gtk_box_append (GTK_BOX (choices), choice);
      else
        g_object_unref (g_object_ref_sink (choice));
    }
  explain_columns (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
columns_button_new (GtkWidget **choices)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  *choices = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), *choices);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 400);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  weir_set_tooltip (button, _ ("Choose columns"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Choose columns"), -1);
  return button;
}

static GtkWidget *
search_new (void)
{
  GtkWidget *search = gtk_search_entry_new ();
  GtkEditable *delegate = gtk_editable_get_delegate (GTK_EDITABLE (search));

  gtk_widget_set_hexpand (search, TRUE);
  weir_set_tooltip (search, _ ("Show only entries whose name contains this"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter entries"), -1);
  if (GTK_IS_TEXT (delegate)) /* GTK 4.8 has no placeholder for search entries */
    gtk_text_set_placeholder_text (GTK_TEXT (delegate), _ ("Filter entries"));
  return search;
}

static GtkWidget *
states_new (void)
{
  const char *names[] = { _ ("any state"),
                          weir_badge_get_name (WEIR_BADGE_FRESH),
                          weir_badge_get_name (WEIR_BADGE_STALE),
                          weir_badge_get_name (WEIR_BADGE_NEVER),
                          weir_badge_get_name (WEIR_BADGE_DISABLED),
                          weir_badge_get_name (WEIR_BADGE_HELD),
                          NULL };
  GtkWidget *states = gtk_drop_down_new_from_strings (names);

  weir_set_tooltip (states, _ ("Show only entries in this state"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (states), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("State"), -1);
  return states;
}

static GtkWidget *
tool_row_new (WeirCachePanel *self, GtkWidget **choices)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("_Caching"));

  weir_set_margins (box, 12, 6);
  self->caching = gtk_switch_new ();
  gtk_switch_set_active (GTK_SWITCH (self->caching), TRUE);
  gtk_widget_set_valign (self->caching, GTK_ALIGN_CENTER);
  weir_set_tooltip (
      self->caching,
      _ ("Off: everything is computed anew at each request; results must stay the same"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->caching);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->caching);
  self->search = search_new ();
  gtk_box_append (GTK_BOX (box), self->search);
  self->states = states_new ();
  gtk_box_append (GTK_BOX (box), self->states);
  gtk_box_append (GTK_BOX (box), weir_icon_button_new ("document-save-symbolic", "win.export-cache",
                                                       _ ("Export the Table…")));
  gtk_box_append (GTK_BOX (box), columns_button_new (choices));
  return weir_sideways_new (box);
}

static GtkWidget *
totals_row_new (WeirCachePanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->totals = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->totals), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->totals), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->totals, TRUE);
  gtk_widget_add_css_class (self->totals, "numeric");
  self->rate = weir_rate_line_new ();
  gtk_widget_set_valign (self->rate, GTK_ALIGN_CENTER);
  weir_set_tooltip (self->rate, _ ("The hit rate of late, from 0 to 100 %"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rate), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("The hit rate of late, from 0 to 100 %"), -1);
  gtk_box_append (GTK_BOX (box), self->totals);
  gtk_box_append (GTK_BOX (box), self->rate);
  weir_set_margins (box, 12, 3);
  return box;
}

static GtkWidget *
empty_state_new (void)
{
  return weir_empty_page_new (
      _ ("No Cache Yet"),
      _ ("Run the model to see which values the engine reuses, which it computes anew, and what "
         "put them out of date."),
      NULL);
}

void
weir_cache_panel_build (WeirCachePanel *self)
{
  GtkWidget *table = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *choices;

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  gtk_box_append (GTK_BOX (table), tool_row_new (self, &choices));
  gtk_box_append (GTK_BOX (table), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (table), view_new (self, choices));
  gtk_box_append (GTK_BOX (table), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (table), totals_row_new (self));

  self->stack = gtk_stack_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_hexpand (self->stack, TRUE);
  gtk_stack_add_named (GTK_STACK (self->stack), empty_state_new (), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), table, "table");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}

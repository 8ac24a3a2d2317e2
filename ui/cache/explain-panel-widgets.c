/* The widgets of the panel of dependencies. See explain-panel-private.h. */
#include "cache/explain-panel-private.h"

#include <glib/gi18n-lib.h>

#include "cache/lane-view.h"
#include "widgets/pieces.h"

static GtkWidget *
tool_new (GtkWidget *row, GtkWidget *tool)
{
  gtk_widget_add_css_class (tool, "flat");
  gtk_widget_set_valign (tool, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (row), tool);
  return tool;
}

#define LEAST_WAY 120 /* px that the way of the event keeps beside the tools */

static GtkWidget *
icon_new (GtkWidget *row, const char *icon, const char *text)
{
  return tool_new (row, weir_icon_button_new (icon, NULL, text));
}

static GtkWidget *
sentence_new (void)
{
  GtkWidget *sentence = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (sentence), TRUE);
  gtk_label_set_selectable (GTK_LABEL (sentence), TRUE);
  gtk_widget_set_can_focus (sentence, FALSE);
  gtk_widget_set_hexpand (sentence, TRUE);
  gtk_label_set_xalign (GTK_LABEL (sentence), 0);
  return sentence;
}

static GtkWidget *
tool_row_new (WeirExplainPanel *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);

  self->previous = icon_new (row, "go-previous-symbolic",
                             _ ("Previous cause: the change event before that reached this value"));
  self->latest = icon_new (row, "go-last-symbolic", _ ("Latest cause, as the run goes on"));
  self->copy = icon_new (row, "edit-copy-symbolic",
                         _ ("Copy as text: the sentence and the way of the event"));
  self->break_here = icon_new (
      row, "media-record-symbolic",
      _ ("Break here: runs pause, or do not any more, when this value is put out of date"));
  self->composites = tool_new (row, gtk_toggle_button_new_with_mnemonic (_ ("C_omposites")));
  gtk_widget_set_tooltip_text (
      self->composites, _ ("Show prerequisites as declared: “all inputs” as one, not each input"));
  self->observe = tool_new (row, gtk_button_new_with_label (_ ("Observe Reads")));
  gtk_widget_set_tooltip_text (self->observe,
                               _ ("Run the model once beside, and see which declared "
                                  "prerequisites its computations really read"));
  self->observe_spinner = gtk_spinner_new ();
  gtk_widget_set_visible (self->observe_spinner, FALSE);
  gtk_box_append (GTK_BOX (row), self->observe_spinner);
  return row;
}

/* In some languages they are wider than the page. */
static GtkWidget *
tools_new (WeirExplainPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), tool_row_new (self));
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_set_halign (scrolled, GTK_ALIGN_END);
  return scrolled;
}

static GtkWidget *
why_new (WeirExplainPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  weir_set_margins (box, 12, 3);
  self->crumbs = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_widget_add_css_class (self->crumbs, "weir-breadcrumb");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->crumbs), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Way of the change event"), -1);
  self->crumbs_scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->crumbs_scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->crumbs_scrolled), self->crumbs);
  gtk_widget_set_hexpand (self->crumbs_scrolled, TRUE);
  self->sentence = sentence_new ();
  gtk_box_append (GTK_BOX (row), self->crumbs_scrolled);
  gtk_widget_set_size_request (self->crumbs_scrolled, LEAST_WAY, -1);
  gtk_box_append (GTK_BOX (row), tools_new (self));
  gtk_box_append (GTK_BOX (box), self->sentence); /* which beside the tools may have no room */
  gtk_box_append (GTK_BOX (box), row);
  return box;
}

static GtkWidget *
graph_new (WeirExplainPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->lanes = weir_lane_view_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->lanes);
  /* The view scrolls to what is chosen in it itself. */
  gtk_viewport_set_scroll_to_focus (
      GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled))), FALSE);
  self->too_large = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->too_large, "dim-label");
  self->graph_stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->graph_stack), scrolled, "graph");
  gtk_stack_add_named (GTK_STACK (self->graph_stack), self->too_large, "too-large");
  gtk_widget_set_vexpand (self->graph_stack, TRUE);
  return self->graph_stack;
}

static GtkWidget *
empty_new (void)
{
  return weir_empty_page_new (
      _ ("Nothing Chosen"),
      _ ("Select a block, a port or a wire and press Shift+W to see why its value is up to date or "
         "out of date, or D to see what depends on what."),
      NULL);
}

GtkWidget *
weir_explain_panel_build (WeirExplainPanel *self)
{
  GtkWidget *shown = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (shown), why_new (self));
  gtk_box_append (GTK_BOX (shown), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (shown), graph_new (self));
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), empty_new (), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), shown, "shown");
  return self->stack;
}

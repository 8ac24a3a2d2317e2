/* What a study varies, taken from the diagram, and what it keeps, taken from plots: a block that is
 * dragged from the canvas, a row of the inspector or what its menu says; a curve that is clicked
 * while one is asked for, or what the menu of a plot says. See studies-page-private.h.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "gui/pages/studies-page-private.h"
#include "model/completion/parameters.h"
#include "panels/inspector.h"
#include "scopes/scopes.h"

/* --- Numbers to choose from ------------------------------------------------------------------- */

typedef struct {
  char *path;
  double value;
} Number;

static void
clear_number (gpointer number)
{
  g_free (((Number *) number)->path);
}

/* What is selected, by path; NULL: nothing is. (transfer full) */
static GStrv
dup_selected (WeirStudiesPage *self)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_null_terminated (0, NULL, TRUE);
  guint n;
  const guint32 *selected = weir_canvas_get_selected (self->parent.canvas, &n);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (paths, weir_model_dup_block_path (
                                weir_document_get_model (self->parent.document), selected[i]));
  return n > 0 ? (GStrv) g_ptr_array_steal (paths, NULL) : NULL;
}

/* Is it one of @wanted, or of something in it? */
static gboolean
is_wanted (const char *path, const char *const *wanted)
{
  for (guint i = 0; wanted != NULL && wanted[i] != NULL; i++)
    if (g_str_has_prefix (path, wanted[i]) && strchr (".[", path[strlen (wanted[i])]) != NULL)
      return TRUE;
  return wanted == NULL;
}

/* @wanted: paths; NULL: all of the model. (element-type Number) (transfer full) */
static GArray *
list_numbers (WeirStudiesPage *self, const char *const *wanted)
{
  g_autoptr (WeirParameters)
      parameters = weir_parameters_new (weir_document_get_model (self->parent.document), NULL);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (Number));

  g_array_set_clear_func (numbers, clear_number);
  for (guint i = 0; i < weir_parameters_get_size (parameters); i++)
    {
      const WeirParameterEntry *entry = weir_parameters_get (parameters, i);

      if (entry->value == NULL || entry->is_hidden || !is_wanted (entry->path, wanted))
        continue;
      for (guint k = 0; k < entry->size; k++)
        if (isfinite (entry->value[k]))
          {
            const Number number = { entry->size == 1
                                        ? g_strdup (entry->path)
                                        : g_strdup_printf ("%s[%u]", entry->path, k + 1),
                                    entry->value[k] };

            g_array_append_val (numbers, number);
          }
    }
  return numbers;
}

/* --- What varies ------------------------------------------------------------------------------ */

static void
vary (WeirStudiesPage *self, const char *path, double value)
{
  gboolean is_new = weir_studies_form_vary (self, path, value);
  /* Translators: %s is a parameter, such as Spring.gain. */
  g_autofree char *text = g_strdup_printf (
      is_new ? _ ("%s is varied.") : _ ("%s is varied already."), path);

  weir_studies_page_say (self, text);
}

static void
number_chosen (WeirStudiesPage *self, GtkListBoxRow *row)
{
  const double *value = g_object_get_data (G_OBJECT (row), "weir-value");

  vary (self, g_object_get_data (G_OBJECT (row), "weir-path"), *value);
  gtk_menu_button_popdown (self->add);
}

static void
offer_number (GtkListBox *list, const Number *number)
{
  GtkWidget *row = gtk_list_box_row_new (), *label = gtk_label_new (number->path);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  g_object_set_data_full (G_OBJECT (row), "weir-path", g_strdup (number->path), g_free);
  g_object_set_data_full (G_OBJECT (row), "weir-value",
                          g_memdup2 (&number->value, sizeof number->value), g_free);
  gtk_list_box_append (list, row);
}

/* Numbers of what is asked for, else of what is selected, else of all. */
static void
fill_menu (GtkMenuButton *button, gpointer data)
{
  WeirStudiesPage *self = data;
  GtkWidget *popover = gtk_popover_new (), *scrolled = gtk_scrolled_window_new (),
            *list = gtk_list_box_new (), *empty = gtk_label_new (_ ("No numbers here"));
  g_auto (GStrv) wanted = self->wanted != NULL ? g_steal_pointer (&self->wanted)
                                               : dup_selected (self);
  g_autoptr (GArray) numbers = list_numbers (self, (const char *const *) wanted);

  for (guint i = 0; i < numbers->len; i++)
    offer_number (GTK_LIST_BOX (list), &g_array_index (numbers, Number, i));
  gtk_list_box_set_placeholder (GTK_LIST_BOX (list), empty);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Parameters"), -1);
  g_signal_connect_swapped (list, "row-activated", G_CALLBACK (number_chosen), self);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 300);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  gtk_menu_button_set_popover (button, popover);
}

/* The page was shown just now, and has its place with the next frame. */
static gboolean
ask_which (gpointer page)
{
  WeirStudiesPage *self = page;

  if (self->parent.host != NULL && self->wanted != NULL)
    gtk_menu_button_popup (self->add);
  return G_SOURCE_REMOVE;
}

/* The one number there is, or one that is chosen. @wanted: (transfer full) paths */
static void
vary_of (WeirStudiesPage *self, GStrv wanted)
{
  g_auto (GStrv) paths = wanted;
  g_autoptr (GArray) numbers = list_numbers (self, (const char *const *) paths);

  weir_host_show_page (self->parent.host, "studies");
  if (numbers->len == 1)
    {
      const Number *number = &g_array_index (numbers, Number, 0);

      vary (self, number->path, number->value);
      return;
    }
  g_strfreev (self->wanted);
  self->wanted = g_steal_pointer (&paths);
  g_idle_add_full (G_PRIORITY_LOW, ask_which, g_object_ref (self), g_object_unref);
}

static void
vary_path (WeirStudiesPage *self, const char *path)
{
  g_autoptr (WeirParameters)
      parameters = weir_parameters_new (weir_document_get_model (self->parent.document), NULL);
  guint element;
  const WeirParameterEntry *entry = weir_parameters_find (parameters, path, &element);

  if (entry != NULL && entry->size == 1 && entry->value != NULL && isfinite (entry->value[0]))
    {
      weir_host_show_page (self->parent.host, "studies");
      vary (self, entry->path, entry->value[0]);
    }
  else
    vary_of (self, g_strdupv ((char *[]) { (char *) path, NULL }));
}

static gboolean
row_dropped (G_GNUC_UNUSED GtkDropTarget *target, const GValue *value, G_GNUC_UNUSED double x,
             G_GNUC_UNUSED double y, WeirStudiesPage *self)
{
  vary_path (self, g_value_get_boxed (value));
  return TRUE;
}

/* Looks as what is dragged by the toolkit makes it look. */
static gboolean
block_carried (WeirStudiesPage *self, double x, double y, gboolean lets_go)
{
  GtkWidget *widget = GTK_WIDGET (self);
  g_auto (GStrv) selected = NULL;
  double at_x, at_y;
  gboolean is_over = gtk_widget_get_mapped (widget) && !isnan (x)
                     && gtk_widget_translate_coordinates (GTK_WIDGET (self->parent.canvas), widget,
                                                          x, y, &at_x, &at_y)
                     && gtk_widget_contains (widget, at_x, at_y)
                     && (selected = dup_selected (self)) != NULL;

  if (is_over && !lets_go)
    gtk_widget_set_state_flags (widget, GTK_STATE_FLAG_DROP_ACTIVE, FALSE);
  else
    gtk_widget_unset_state_flags (widget, GTK_STATE_FLAG_DROP_ACTIVE);
  if (is_over && lets_go)
    vary_of (self, g_steal_pointer (&selected));
  return is_over;
}

static void
on_vary (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_host_enter_typed (WEIR_PAGE (data)->host);
  vary_path (data, g_variant_get_string (value, NULL));
}

/* --- What is kept ----------------------------------------------------------------------------- */

static void
ask_for_curve (GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirStudiesPage *self = data;
  WeirHost *host = self->parent.host;
  WeirScopes *scopes = weir_host_find (host, WEIR_TYPE_SCOPES);
  gboolean asks = g_variant_get_boolean (value);
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (action));

  if (asks == g_variant_get_boolean (state))
    return;
  if (asks && weir_runner_get_session (self->parent.runner) == NULL)
    {
      weir_studies_page_say (self, _ ("Run the model, so that there are curves to choose from."));
      return;
    }
  g_simple_action_set_state (action, value);
  weir_host_show_page (host, asks ? "plots" : "studies");
  weir_scopes_set_asks (scopes, asks);
  if (asks)
    weir_host_set_offer (host, GTK_MESSAGE_INFO,
                         _ ("Click a curve to keep a figure of it, or press Enter to choose one."),
                         _ ("_Cancel"), "win.study-ask");
  else
    {
      weir_host_set_banner (host, GTK_MESSAGE_INFO, NULL);
      gtk_widget_grab_focus (self->add_figure);
    }
}

static void
stop_asking (WeirStudiesPage *self)
{
  g_action_group_change_action_state (G_ACTION_GROUP (weir_host_get_actions (self->parent.host)),
                                      "study-ask", g_variant_new_boolean (FALSE));
}

/* Of a signal, by the names that files have for figures. */
static void
keep (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirStudiesPage *self = data;
  const char *port, *name;

  g_variant_get (value, "(&s&s)", &port, &name);
  for (WeirFigureKind kind = 0; kind < WEIR_FIGURE_EXPRESSION; kind++)
    if (g_str_equal (weir_figure_kind_names[kind], name))
      {
        g_autofree char *title = NULL, *text = NULL;

        weir_studies_form_keep (self, kind, port);
        title = weir_studies_form_dup_figure_title (
            self, weir_study_get_figure (self->draft, self->draft->figures->len - 1));
        /* Translators: %s is a figure, such as Maximum of Spring.y. */
        text = g_strdup_printf (_ ("%s is kept."), title);
        weir_studies_page_say (self, text);
        stop_asking (self);
        weir_host_show_page (self->parent.host, "studies");
      }
}

/* --- Life ------------------------------------------------------------------------------------- */

void
weir_studies_choose_ready (WeirPage *page)
{
  WeirScopes *scopes = weir_host_find (page->host, WEIR_TYPE_SCOPES);
  g_autoptr (GMenu) uses = g_menu_new ();

  for (WeirFigureKind kind = 0; kind < WEIR_FIGURE_EXPRESSION; kind++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (weir_study_figure_get_title (kind), NULL);

      g_menu_item_set_action_and_target (item, "win.study-figure", "s",
                                         weir_figure_kind_names[kind]);
      g_menu_append_item (uses, item);
    }
  weir_scopes_set_uses (scopes, G_MENU_MODEL (uses));
  g_signal_connect_object (scopes, "asking-ended", G_CALLBACK (stop_asking), page,
                           G_CONNECT_SWAPPED);
}

void
weir_studies_choose_init (WeirStudiesPage *self)
{
  static const GActionEntry entries[] = {
    { .name = "study-vary", .parameter_type = "s", .activate = on_vary },
    { .name = "study-figure", .parameter_type = "(ss)", .activate = keep },
    { .name = "study-ask", .state = "false", .change_state = ask_for_curve },
  };
  GtkDropTarget *target = gtk_drop_target_new (WEIR_TYPE_PARAMETER_PATH, GDK_ACTION_COPY);

  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  gtk_menu_button_set_create_popup_func (self->add, fill_menu, self, NULL);
  g_signal_connect (target, "drop", G_CALLBACK (row_dropped), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  g_signal_connect_object (self->parent.canvas, "carried", G_CALLBACK (block_carried), self,
                           G_CONNECT_SWAPPED);
}

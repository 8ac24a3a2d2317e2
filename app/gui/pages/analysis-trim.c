/* What is fixed and what is free at rest: a table of states, sources and measured signals. See
 * analysis-page-private.h.
 *
 * It is kept with the model, a line for what is otherwise than at first: states are found, sources
 * keep their values, of measured signals nothing is asked.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "blocks/library/registry.h"
#include "gui/pages/analysis-page-private.h"
#include "model/tree/analysis-points.h"
#include "numerics/number.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define KEPT "trim"       /* what it is kept under (weir_model_get_plot()) */
#define SOURCES "Sources" /* the category of those */
#define MOST_HEIGHT 320   /* px, of the table */

/* "hold 2 Motor.speed", "move Controller", "free Reference.y" */
static const char *const words[] = {
  [WEIR_TRIM_HOLD] = "hold ", [WEIR_TRIM_MOVE] = "move ", [WEIR_TRIM_FREE] = "free "
};

/* --- How it is kept -------------------------------------------------------------------------- */

static gboolean
parse_line (const char *line, WeirTrimWish *wish)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (words); kind++)
    {
      char *at;

      if (!g_str_has_prefix (line, words[kind]))
        continue;
      at = (char *) line + strlen (words[kind]);
      *wish = (WeirTrimWish) { .kind = (WeirTrimKind) kind };
      if (kind == WEIR_TRIM_HOLD)
        {
          char *end;

          wish->value = weir_number_read (at, &end);
          if (end == at || *end != ' ')
            return FALSE;
          at = end + 1;
        }
      wish->path = g_intern_string (at);
      return *at != '\0';
    }
  return FALSE;
}

GArray *
weir_trim_list_wishes (WeirModel *model)
{
  const char *text = weir_model_get_plot (model, KEPT);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  GArray *wishes = g_array_new (FALSE, FALSE, sizeof (WeirTrimWish));

  for (guint i = 0; lines[i] != NULL; i++)
    {
      WeirTrimWish wish;

      if (parse_line (lines[i], &wish))
        g_array_append_val (wishes, wish);
    }
  return wishes;
}

static void
append_wish (GString *text, const WeirTrimWish *wish)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", words[wish->kind]);
  if (wish->kind == WEIR_TRIM_HOLD)
    g_string_append_printf (text, "%s ", weir_number_to_text (wish->value, number));
  g_string_append (text, wish->path);
}

/* --- Rows ------------------------------------------------------------------------------------ */

typedef enum { OF_STATE, OF_SOURCE, OF_MEASURED } Kind;

/* What a row may say: the first is what it says at first. */
static const struct {
  const char *titles[3];
  WeirTrimKind kinds[3];
  guint n;
} choices[] = {
  [OF_STATE] = { { N_ ("Found"), N_ ("Held"), N_ ("May Change") },
                 { 0, WEIR_TRIM_HOLD, WEIR_TRIM_MOVE },
                 3 },
  [OF_SOURCE] = { { N_ ("Kept"), N_ ("Found") }, { 0, WEIR_TRIM_FREE }, 2 },
  [OF_MEASURED] = { { N_ ("Found"), N_ ("Given") }, { 0, WEIR_TRIM_HOLD }, 2 },
};

typedef struct {
  Kind kind;
  char *path;
  GtkWidget *choice, *value; /* @value: NULL: it has none */
} Row;

static void
row_clear (gpointer data)
{
  g_free (((Row *) data)->path);
}

typedef struct {
  WeirDocument *document;
  GArray *wishes; /* as it is kept, when the table was made */
  GArray *rows;   /* Row */
  GtkGrid *grid;
} Table;

static void
table_free (gpointer data)
{
  Table *self = data;

  g_array_unref (self->wishes);
  g_array_unref (self->rows);
  g_free (self);
}

static gboolean
read_value (GtkWidget *entry, double *value)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
  char *end = NULL;

  *value = (double) NAN;
  if (*text != '\0')
    *value = weir_number_read (text, &end);
  return *text == '\0' || (*end == '\0' && isfinite (*value));
}

/* What the table says now is what the model keeps; no step of undo. */
static void
changed (Table *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (row->choice));
      WeirTrimWish wish = { .path = row->path };
      gboolean is_given = FALSE, is_fine = TRUE;

      if (chosen > 0 && chosen < choices[row->kind].n)
        {
          wish.kind = choices[row->kind].kinds[chosen];
          is_given = wish.kind == WEIR_TRIM_HOLD;
          is_fine = !is_given || read_value (row->value, &wish.value);
          if (is_fine)
            append_wish (text, &wish);
        }
      if (row->value == NULL)
        continue;
      gtk_widget_set_sensitive (row->value, is_given);
      (is_fine ? gtk_widget_remove_css_class : gtk_widget_add_css_class) (row->value, "error");
    }
  weir_patch_set_plot (patch, KEPT, text->len > 0 ? text->str : NULL);
  weir_document_edit (self->document, patch, "", NULL, NULL);
}

static const WeirTrimWish *
find_wish (const Table *self, const char *path)
{
  for (guint i = 0; i < self->wishes->len; i++)
    if (g_str_equal (g_array_index (self->wishes, WeirTrimWish, i).path, path))
      return &g_array_index (self->wishes, WeirTrimWish, i);
  return NULL;
}

static GtkWidget *
choice_new (Kind kind, const char *path, const WeirTrimWish *wish)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  GtkWidget *choice;

  for (guint i = 0; i < choices[kind].n; i++)
    gtk_string_list_append (titles, _ (choices[kind].titles[i]));
  choice = weir_drop_down_new (g_steal_pointer (&titles), path);
  for (guint i = 1; wish != NULL && i < choices[kind].n; i++)
    if (choices[kind].kinds[i] == wish->kind)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), i);
  return choice;
}

/* @now: NAN: not known. */
static GtkWidget *
value_new (const char *path, const WeirTrimWish *wish, double now)
{
  GtkWidget *entry = gtk_entry_new ();
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean is_given = wish != NULL && wish->kind == WEIR_TRIM_HOLD;

  if (is_given && !isnan (wish->value))
    gtk_editable_set_text (GTK_EDITABLE (entry), weir_number_to_text (wish->value, number));
  if (!isnan (now))
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry),
                                    g_ascii_formatd (number, sizeof number, "%.6g", now));
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 10);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 12);
  gtk_widget_set_sensitive (entry, is_given);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, path, -1);
  return entry;
}

static void
add_row (Table *self, Kind kind, const char *path, double now)
{
  const WeirTrimWish *wish = find_wish (self, path);
  Row row = { .kind = kind, .path = g_strdup (path), .choice = choice_new (kind, path, wish) };
  int at = (int) self->rows->len + 1;
  GtkWidget *label = gtk_label_new (path);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), 14);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 28);
  gtk_widget_set_hexpand (label, TRUE);
  weir_set_tooltip (label, path);
  gtk_grid_attach (self->grid, label, 0, at, 1, 1);
  gtk_grid_attach (self->grid, row.choice, 1, at, 1, 1);
  g_signal_connect_swapped (row.choice, "notify::selected", G_CALLBACK (changed), self);
  if (kind != OF_SOURCE)
    {
      row.value = value_new (path, wish, now);
      gtk_grid_attach (self->grid, row.value, 2, at, 1, 1);
      g_signal_connect_swapped (row.value, "changed", G_CALLBACK (changed), self);
    }
  g_array_append_val (self->rows, row);
}

static void
add_head (Table *self)
{
  static const char *const titles[] = { N_ ("State or Signal"), N_ ("At Rest It Is"),
                                        N_ ("Value") };

  for (int i = 0; i < (int) G_N_ELEMENTS (titles); i++)
    {
      GtkWidget *label = gtk_label_new (_ (titles[i]));

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "caption-heading");
      gtk_grid_attach (self->grid, label, i, 0, 1, 1);
    }
}

/* --- What there is --------------------------------------------------------------------------- */

static gboolean
add_sources (WeirBlock *block, gpointer data)
{
  Table *self = data;
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));
  g_autofree char *path = NULL;

  if (weir_block_get_diagram (block) != NULL)
    weir_diagram_foreach_block (weir_block_get_diagram (block), add_sources, self);
  if (type == NULL || !g_str_equal (type->category, SOURCES))
    return TRUE;
  path = weir_model_dup_block_path (weir_document_get_model (self->document),
                                    weir_block_get_id (block));
  if (path != NULL)
    {
      g_autofree char *port = g_strconcat (path, ".y", NULL);

      add_row (self, OF_SOURCE, port, (double) NAN);
    }
  return TRUE;
}

static void
add_measured (Table *self, const WeirLinearAnswer *answer)
{
  g_autoptr (GArray) saved = weir_model_list_points (weir_document_get_model (self->document));

  for (guint i = 0; i < saved->len; i++)
    {
      const WeirSavedPoint *point = &g_array_index (saved, WeirSavedPoint, i);
      WeirPointKinds kinds = 0;
      double now = (double) NAN;

      if (!weir_point_kinds_parse (point->words, &kinds) || (kinds & WEIR_POINT_OUTPUT) == 0)
        continue;
      for (guint k = 0; answer != NULL && k < answer->loop->outputs->len; k++)
        if (g_str_equal (answer->loop->outputs->pdata[k], point->path))
          now = answer->loop->output_values[k];
      add_row (self, OF_MEASURED, point->path, now);
    }
}

GtkWidget *
weir_trim_table_new (WeirDocument *document, WeirSystem *system, const WeirLinearAnswer *answer)
{
  Table *self = g_new0 (Table, 1);
  GtkWidget *scrolled = gtk_scrolled_window_new (), *grid = gtk_grid_new ();
  const WeirLayout *layout = weir_system_get_layout (system);
  gboolean is_same = answer != NULL
                     && weir_layout_get_n_states (weir_context_get_layout (answer->context))
                            == weir_layout_get_n_states (layout);

  self->document = document;
  self->wishes = weir_trim_list_wishes (weir_document_get_model (document));
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_array_set_clear_func (self->rows, row_clear);
  self->grid = GTK_GRID (grid);
  gtk_grid_set_row_spacing (self->grid, 3);
  gtk_grid_set_column_spacing (self->grid, 9);
  add_head (self);
  for (guint i = 0; i < weir_layout_get_n_states (layout); i++)
    {
      g_autofree char *name = weir_layout_dup_state_name (layout, i);

      add_row (self, OF_STATE, name,
               is_same ? weir_context_get_state (answer->context)[i] : (double) NAN);
    }
  add_measured (self, answer);
  weir_diagram_foreach_block (weir_model_get_root (weir_document_get_model (document)), add_sources,
                              self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MOST_HEIGHT);
  g_object_set_data_full (G_OBJECT (scrolled), "weir-trim-table", self, table_free);
  return scrolled;
}

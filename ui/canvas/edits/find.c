/* Finding elements in all levels of a model. See find.h. */
#include "canvas/edits/find.h"

#include <glib/gi18n-lib.h>

#include "blocks/library/registry.h"

typedef struct {
  char *title, *detail;
  const char *icon;
  guint32 id;
  WeirSelectKind kind;
  int rating;
  guint order; /* as met: by level and id */
} Found;

typedef struct {
  const char *text;
  const char *prefix; /* path of the level, with a dot */
  GArray *found;
} Search;

static void
found_clear (gpointer data)
{
  Found *found = data;

  g_free (found->title);
  g_free (found->detail);
}

/* @title, @detail: taken over. */
static void
add (Search *search, WeirSelectKind kind, guint32 id, char *title, char *detail, const char *icon,
     int rating)
{
  Found found = { title, detail, icon, id, kind, rating, search->found->len };

  if (rating > 0)
    g_array_append_val (search->found, found);
  else
    found_clear (&found);
}

static void search_diagram (Search *search, const WeirDiagram *diagram);

/* "Gain, gain = 2": what it is, and the parameters it was given. */
static char *
describe_block (const WeirBlock *block)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));
  GString *text = g_string_new (type != NULL ? _ (type->title) : weir_block_get_type_name (block));

  for (guint i = 0; i < weir_block_get_n_parameters (block); i++)
    {
      const char *name, *value;

      weir_block_get_parameter_at (block, i, &name, &value);
      g_string_append_printf (text, ", %s = %s", name, value);
    }
  return g_string_free (text, FALSE);
}

static gboolean
search_block (WeirBlock *block, gpointer data)
{
  Search *search = data;
  g_autofree char *detail = describe_block (block);
  const char *name = weir_block_get_name (block);
  gboolean is_known = weir_registry_find (weir_block_get_type_name (block)) != NULL;
  int rating = weir_choice_rate (search->text, name, detail);

  add (search, WEIR_SELECT_BLOCK, weir_block_get_id (block),
       g_strconcat (search->prefix, name, NULL), g_steal_pointer (&detail),
       is_known ? weir_block_get_type_name (block) : NULL, rating);
  if (weir_block_get_diagram (block) != NULL)
    {
      g_autofree char *prefix = g_strconcat (search->prefix, name, ".", NULL);
      Search inner = { search->text, prefix, search->found };

      search_diagram (&inner, weir_block_get_diagram (block));
    }
  return TRUE;
}

static gboolean
search_wire (WeirWire *wire, gpointer data)
{
  Search *search = data;
  const char *label = weir_wire_get_label (wire);

  if (label[0] != '\0')
    add (search, WEIR_SELECT_WIRE, weir_wire_get_id (wire),
         g_strconcat (search->prefix, label, NULL), g_strdup (_ ("Wire")), NULL,
         weir_choice_rate (search->text, label, NULL));
  return TRUE;
}

static gboolean
search_note (WeirNote *note, gpointer data)
{
  Search *search = data;
  g_auto (GStrv) lines = g_strsplit (weir_note_get_text (note), "\n", 2);

  add (search, WEIR_SELECT_NOTE, weir_note_get_id (note),
       g_strdup (lines[0] != NULL ? lines[0] : ""),
       g_strdup_printf ("%s%s", search->prefix,
                        weir_note_is_frame (note) ? _ ("Frame") : _ ("Note")),
       NULL, weir_choice_rate (search->text, weir_note_get_text (note), NULL));
  return TRUE;
}

static void
search_diagram (Search *search, const WeirDiagram *diagram)
{
  weir_diagram_foreach_block (diagram, search_block, search);
  weir_diagram_foreach_wire (diagram, search_wire, search);
  weir_diagram_foreach_note (diagram, search_note, search);
}

static int
compare_found (gconstpointer a, gconstpointer b)
{
  const Found *x = a, *y = b;

  return x->rating != y->rating ? y->rating - x->rating : x->order < y->order ? -1 : 1;
}

void
weir_find_elements (WeirModel *model, const char *text, GPtrArray *choices)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  Search search = { text, "", found };

  g_array_set_clear_func (found, found_clear);
  search_diagram (&search, weir_model_get_root (model));
  g_array_sort (found, compare_found);
  for (guint i = 0; i < found->len && i < WEIR_MAX_CHOICES; i++)
    {
      const Found *one = &g_array_index (found, Found, i);
      WeirChoice *choice = weir_choices_add (choices, one->title, one->detail);

      choice->id = one->id;
      choice->icon = one->icon;
      choice->data = GUINT_TO_POINTER (one->kind);
    }
}

/* Choices by typing. See choices.h. */
#include "canvas/edits/choices.h"
#include "blocks/library/registry.h"

#include <string.h>
#include <glib/gi18n-lib.h>

void
weir_choice_free (WeirChoice *choice)
{
  g_free (choice->title);
  g_free (choice->detail);
  g_free (choice->keys);
  g_free (choice);
}

GPtrArray *
weir_choices_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) weir_choice_free);
}

WeirChoice *
weir_choices_add (GPtrArray *choices, const char *title, const char *detail)
{
  WeirChoice *choice = g_new0 (WeirChoice, 1);

  choice->title = g_strdup (title);
  choice->detail = g_strdup (detail);
  g_ptr_array_add (choices, choice);
  return choice;
}

/* Whether the letters of @needle come in @text in this order. */
static gboolean
is_scattered (const char *text, const char *needle)
{
  for (; *needle != '\0'; needle = g_utf8_next_char (needle))
    {
      text = g_utf8_strchr (text, -1, g_utf8_get_char (needle));
      if (text == NULL)
        return FALSE;
      text = g_utf8_next_char (text);
    }
  return TRUE;
}

int
weir_choice_rate (const char *wanted, const char *title, const char *rest)
{
  g_autofree char *needle = g_utf8_casefold (wanted, -1);
  g_autofree char *folded = g_utf8_casefold (title, -1);
  g_autofree char *more = g_utf8_casefold (rest != NULL ? rest : "", -1);
  const char *at;

  g_strstrip (needle);
  if (needle[0] == '\0')
    return 1;
  if (g_str_equal (folded, needle))
    return 7;
  if (g_str_has_prefix (folded, needle))
    return 6;
  at = strstr (folded, needle);
  if (at != NULL)
    return at[-1] == ' ' ? 5 : 4;
  if (strstr (more, needle) != NULL)
    return 3;
  return g_utf8_strlen (needle, -1) > 2 && is_scattered (folded, needle) ? 2 : 0;
}

/* --- Elements of a model --------------------------------------------------------------------- */

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

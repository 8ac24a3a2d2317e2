/* Approximate equality of models, by pairing blocks of equal path.
 *
 * Diagrams are compared level by level. Blocks pair by name, then those left over by type,
 * parameters and inner size if that leaves one of a kind on each side. Wires are compared as texts
 * of the names that their blocks have in A, so that a renamed block changes no wire.
 */
#include "model/tree/difference.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/tree/model-private.h"

typedef struct {
  GPtrArray *differences;
} Comparison;

static void
difference_free (gpointer data)
{
  WeirDifference *self = data;

  g_free (self->path);
  g_free (self->text);
  g_free (self);
}

static void G_GNUC_PRINTF (4, 5)
    note (Comparison *c, WeirDifferenceKind kind, const char *path, const char *format, ...)
{
  WeirDifference *difference = g_new (WeirDifference, 1);
  va_list args;

  va_start (args, format);
  difference->kind = kind;
  difference->path = g_strdup (path);
  difference->text = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (c->differences, difference);
}

static char *
join_path (const char *prefix, const char *name)
{
  return prefix[0] == '\0' ? g_strdup (name) : g_strconcat (prefix, ".", name, NULL);
}

/* --- Texts ----------------------------------------------------------------------------------- */

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* "setting step", or the name alone if @what is NULL. (transfer full) */
static char *
dup_name (const char *what, const char *name)
{
  return what != NULL ? g_strconcat (what, " ", name, NULL) : g_strdup (name);
}

/* Notes what only the first of two sorted lists of strings holds. @what: before each. */
static void
note_missing (Comparison *c, WeirDifferenceKind kind, const char *path, const char *what,
              GPtrArray *here, GPtrArray *there)
{
  for (guint i = 0, j = 0; i < here->len; i++)
    {
      const char *text = g_ptr_array_index (here, i);
      int order = -1;

      while (j < there->len && (order = strcmp (text, g_ptr_array_index (there, j))) > 0)
        j++;
      if (j < there->len && order == 0)
        j++;
      else
        note (c, kind, path, "%s %s", what, text);
    }
}

static void
compare_sorted (Comparison *c, const char *path, const char *what, GPtrArray *a, GPtrArray *b)
{
  note_missing (c, WEIR_DIFFERENCE_ONLY_IN_A, path, what, a, b);
  note_missing (c, WEIR_DIFFERENCE_ONLY_IN_B, path, what, b, a);
}

/* The lines of a text that say something, sorted. (transfer full) */
static GPtrArray *
list_lines (const char *text)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) all = g_strsplit (text, "\n", -1);

  for (guint i = 0; all[i] != NULL; i++)
    if (g_strstrip (all[i])[0] != '\0')
      g_ptr_array_add (lines, g_strdup (all[i]));
  g_ptr_array_sort (lines, compare_strings);
  return lines;
}

/* Equal as numbers, however they are written? */
static gboolean
is_same_number (const char *a, const char *b)
{
  guint n_a, n_b;
  g_autofree double *values_a = weir_value_parse (a, &n_a, NULL);
  g_autofree double *values_b = weir_value_parse (b, &n_b, NULL);

  return values_a != NULL && values_b != NULL && n_a == n_b
         && memcmp (values_a, values_b, n_a * sizeof (double)) == 0;
}

/* NULL: there is none. @is_text: numbers are not read. */
static void
compare_texts (Comparison *c, const char *path, const char *name, gboolean is_text, const char *a,
               const char *b)
{
  if (g_strcmp0 (a, b) == 0 || (a != NULL && b != NULL && !is_text && is_same_number (a, b)))
    return;
  if (a != NULL && b != NULL && (strchr (a, '\n') != NULL || strchr (b, '\n') != NULL))
    {
      g_autoptr (GPtrArray) lines_a = list_lines (a);
      g_autoptr (GPtrArray) lines_b = list_lines (b);
      g_autofree char *what = g_strconcat (name, ":", NULL);

      compare_sorted (c, path, what, lines_a, lines_b);
      return;
    }
  if (b == NULL)
    note (c, WEIR_DIFFERENCE_ONLY_IN_A, path, "%s: %s", name, a);
  else if (a == NULL)
    note (c, WEIR_DIFFERENCE_ONLY_IN_B, path, "%s: %s", name, b);
  else
    note (c, WEIR_DIFFERENCE_CHANGED, path, "%s: %s -> %s", name, a, b);
}

/* @what: before each name, NULL = nothing. @type: whose defaults stand for what is not given; NULL
 * = none. */
static void
compare_lists (Comparison *c, const char *path, const char *what, const WeirBlockType *type,
               const WeirTexts *a, const WeirTexts *b)
{
  guint n_a = weir_texts_get_size (a), n_b = weir_texts_get_size (b);
  guint i = 0, j = 0;

  while (i < n_a || j < n_b)
    {
      const char *name_a = i < n_a ? weir_texts_get_name (a, i) : NULL;
      const char *name_b = j < n_b ? weir_texts_get_name (b, j) : NULL;
      int order = name_a == NULL ? 1 : name_b == NULL ? -1 : strcmp (name_a, name_b);
      const WeirParameterSpec *spec = weir_block_type_find_parameter (type,
                                                                      order <= 0 ? name_a : name_b);
      const char *fallback = spec != NULL ? spec->default_text : NULL;
      g_autofree char *name = dup_name (what, order <= 0 ? name_a : name_b);

      compare_texts (c, path, name,
                     spec != NULL
                         && (spec->kind == WEIR_VALUE_TEXT || spec->kind == WEIR_VALUE_CHOICE),
                     order <= 0 ? weir_texts_get_text (a, i++) : fallback,
                     order >= 0 ? weir_texts_get_text (b, j++) : fallback);
    }
}

static void
compare_metadata (Comparison *c, const char *path, const WeirMetadata *a, const WeirMetadata *b)
{
  const WeirMetadata *lists[] = { a, b };
  GPtrArray *texts[2];

  for (guint i = 0; i < 2; i++)
    {
      texts[i] = g_ptr_array_new_with_free_func (g_free);
      for (guint k = 0; k < weir_metadata_get_size (lists[i]); k++)
        {
          WeirMetadataItem item = weir_metadata_get_item (lists[i], k);

          g_ptr_array_add (texts[i],
                           g_strdup_printf ("%s%s%s = %s", item.of, item.of[0] != '\0' ? "." : "",
                                            item.name, item.text));
        }
      g_ptr_array_sort (texts[i], compare_strings);
    }
  compare_sorted (c, path, _ ("metadata"), texts[0], texts[1]);
  g_ptr_array_unref (texts[0]);
  g_ptr_array_unref (texts[1]);
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static void compare_diagrams (Comparison *c, const char *path, const WeirDiagram *a,
                              const WeirDiagram *b);

static void
compare_blocks (Comparison *c, const char *path, WeirBlock *a, WeirBlock *b)
{
  static const char *const modes[] = { N_ ("active"), N_ ("commented out"), N_ ("passed through") };
  gboolean is_same_type = strcmp (a->content->type, b->content->type) == 0;

  if (a == b)
    return;
  if (strcmp (a->name, b->name) != 0)
    note (c, WEIR_DIFFERENCE_CHANGED, path, _ ("is called %s"), b->name);
  if (!is_same_type)
    note (c, WEIR_DIFFERENCE_CHANGED, path, _ ("type: %s -> %s"), a->content->type,
          b->content->type);
  if (a->mode != b->mode)
    note (c, WEIR_DIFFERENCE_CHANGED, path, "%s -> %s", _ (modes[a->mode]), _ (modes[b->mode]));
  compare_lists (c, path, NULL, is_same_type ? weir_registry_find (a->content->type) : NULL,
                 a->content->parameters, b->content->parameters);
  if ((a->unit != NULL) != (b->unit != NULL))
    note (c, a->unit != NULL ? WEIR_DIFFERENCE_ONLY_IN_A : WEIR_DIFFERENCE_ONLY_IN_B, path, "%s",
          _ ("a unit"));
  else
    compare_lists (c, path, _ ("unit"), NULL, a->unit, b->unit);
  compare_metadata (c, path, a->metadata, b->metadata);
  if (a->diagram != NULL && b->diagram != NULL)
    compare_diagrams (c, path, a->diagram, b->diagram);
  else if (a->diagram != b->diagram)
    note (c, a->diagram != NULL ? WEIR_DIFFERENCE_ONLY_IN_A : WEIR_DIFFERENCE_ONLY_IN_B, path, "%s",
          _ ("a diagram"));
}

/* What two blocks of different names must have in common to be the same one: type, parameters, how
 * much they hold. (transfer full) */
static char *
dup_likeness (const WeirBlock *block)
{
  GString *text = g_string_new (block->content->type);

  for (guint i = 0; i < weir_block_get_n_parameters (block); i++)
    {
      const char *name, *value;

      weir_block_get_parameter_at (block, i, &name, &value);
      g_string_append_printf (text, "\n%s=%s", name, value);
    }
  if (block->diagram != NULL)
    g_string_append_printf (text, "\n%u", weir_diagram_get_n_blocks (block->diagram));
  return g_string_free (text, FALSE);
}

/* Likeness to the one block among @blocks that has it, or NULL if several do. (transfer full) */
static GHashTable *
index_by_likeness (GPtrArray *blocks)
{
  GHashTable *index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      char *likeness = dup_likeness (g_ptr_array_index (blocks, i));
      gboolean is_alone = !g_hash_table_contains (index, likeness);

      g_hash_table_replace (index, likeness, is_alone ? g_ptr_array_index (blocks, i) : NULL);
    }
  return index;
}

typedef struct {
  GPtrArray *a, *b; /* WeirBlock: those of one index are the same block */
  GPtrArray *only_a, *only_b;
} Pairs;

/* Blocks of a bad file may share a name; the first of them is found by it, the others
 * stay alone. */
static void
pair_by_name (Pairs *pairs, const WeirDiagram *a, const WeirDiagram *b)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &a->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      WeirBlock *other = weir_diagram_find_block_by_name (b, weir_block_get_name (value));

      if (other == NULL || !g_hash_table_add (taken, other))
        {
          g_ptr_array_add (pairs->only_a, value);
          continue;
        }
      g_ptr_array_add (pairs->a, value);
      g_ptr_array_add (pairs->b, other);
    }
  weir_pmap_iter_init (&iter, &b->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    if (!g_hash_table_contains (taken, value))
      g_ptr_array_add (pairs->only_b, value);
}

static void
pair_by_likeness (Pairs *pairs)
{
  g_autoptr (GHashTable) in_a = index_by_likeness (pairs->only_a);
  g_autoptr (GHashTable) in_b = index_by_likeness (pairs->only_b);
  GHashTableIter iter;
  gpointer key, a;

  g_hash_table_iter_init (&iter, in_a);
  while (g_hash_table_iter_next (&iter, &key, &a))
    {
      gpointer b = g_hash_table_lookup (in_b, key);

      if (a == NULL || b == NULL)
        continue;
      g_ptr_array_remove (pairs->only_a, a);
      g_ptr_array_remove (pairs->only_b, b);
      g_ptr_array_add (pairs->a, a);
      g_ptr_array_add (pairs->b, b);
    }
}

/* --- Wires and notes ------------------------------------------------------------------------- */

typedef struct {
  const WeirDiagram *diagram;
  GHashTable *names; /* WeirBlock of B to the name of the same block in A; NULL = of A */
  GPtrArray *texts;
} Listing;

static void
append_end (GString *text, const Listing *listing, WeirWireEnd end)
{
  const WeirBlock *block = end.block != 0 ? weir_diagram_find_block (listing->diagram, end.block)
                                          : NULL;
  const char *name = block != NULL ? block->name : end.line != 0 ? "a line" : "nothing";

  if (block != NULL && listing->names != NULL && g_hash_table_contains (listing->names, block))
    name = g_hash_table_lookup (listing->names, block);
  g_string_append (text, name);
  if (end.port != NULL)
    g_string_append_printf (text, ".%s", end.port);
}

static gboolean
list_wire (WeirWire *wire, gpointer data)
{
  const Listing *listing = data;
  GString *text = g_string_new (NULL);

  append_end (text, listing, weir_wire_get_from (wire));
  g_string_append (text, weir_wire_is_line (wire) ? " - " : " -> ");
  append_end (text, listing, weir_wire_get_to (wire));
  if (weir_wire_get_label (wire)[0] != '\0')
    g_string_append_printf (text, " (%s)", weir_wire_get_label (wire));
  g_ptr_array_add (listing->texts, g_string_free (text, FALSE));
  return TRUE;
}

static gboolean
list_note (WeirNote *element, gpointer data)
{
  const Listing *listing = data;

  g_ptr_array_add (listing->texts, g_strdup (weir_note_get_text (element)));
  return TRUE;
}

static void
compare_wires_and_notes (Comparison *c, const char *path, const WeirDiagram *a,
                         const WeirDiagram *b, GHashTable *names)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GPtrArray) texts_a = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GPtrArray) texts_b = g_ptr_array_new_with_free_func (g_free);
      Listing listing_a = { a, NULL, texts_a }, listing_b = { b, names, texts_b };

      if (i == 0)
        {
          weir_diagram_foreach_wire (a, list_wire, &listing_a);
          weir_diagram_foreach_wire (b, list_wire, &listing_b);
        }
      else
        {
          weir_diagram_foreach_note (a, list_note, &listing_a);
          weir_diagram_foreach_note (b, list_note, &listing_b);
        }
      g_ptr_array_sort (texts_a, compare_strings);
      g_ptr_array_sort (texts_b, compare_strings);
      compare_sorted (c, path, i == 0 ? _ ("wire") : _ ("note"), texts_a, texts_b);
    }
}

/* --- Diagrams and models --------------------------------------------------------------------- */

static void
compare_diagrams (Comparison *c, const char *path, const WeirDiagram *a, const WeirDiagram *b)
{
  g_autoptr (GHashTable) names = NULL;
  Pairs pairs;

  if (a == b)
    return;
  names = g_hash_table_new (NULL, NULL);
  pairs = (Pairs) { g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new (),
                    g_ptr_array_new () };
  pair_by_name (&pairs, a, b);
  pair_by_likeness (&pairs);
  for (guint i = 0; i < pairs.a->len; i++)
    {
      WeirBlock *block = g_ptr_array_index (pairs.a, i);
      g_autofree char *inner = join_path (path, block->name);

      g_hash_table_insert (names, g_ptr_array_index (pairs.b, i), block->name);
      compare_blocks (c, inner, block, g_ptr_array_index (pairs.b, i));
    }
  for (guint i = 0; i < pairs.only_a->len; i++)
    {
      const WeirBlock *block = g_ptr_array_index (pairs.only_a, i);
      g_autofree char *inner = join_path (path, block->name);

      note (c, WEIR_DIFFERENCE_ONLY_IN_A, inner, "%s", block->content->type);
    }
  for (guint i = 0; i < pairs.only_b->len; i++)
    {
      const WeirBlock *block = g_ptr_array_index (pairs.only_b, i);
      g_autofree char *inner = join_path (path, block->name);

      note (c, WEIR_DIFFERENCE_ONLY_IN_B, inner, "%s", block->content->type);
    }
  compare_wires_and_notes (c, path, a, b, names);
  g_ptr_array_unref (pairs.a);
  g_ptr_array_unref (pairs.b);
  g_ptr_array_unref (pairs.only_a);
  g_ptr_array_unref (pairs.only_b);
}

static int
compare_differences (gconstpointer a, gconstpointer b)
{
  const WeirDifference *difference_a = *(const WeirDifference *const *) a;
  const WeirDifference *difference_b = *(const WeirDifference *const *) b;

  return strcmp (difference_a->path, difference_b->path);
}

GPtrArray *
weir_model_list_differences (WeirModel *a, WeirModel *b)
{
  Comparison c;

  g_return_val_if_fail (a != NULL && b != NULL, NULL);

  c.differences = g_ptr_array_new_with_free_func (difference_free);
  if (a == b)
    return c.differences;
  compare_texts (&c, "", _ ("title"), TRUE, a->head.title, b->head.title);
  compare_metadata (&c, "", a->head.metadata, b->head.metadata);
  compare_lists (&c, "", _ ("setting"), NULL, a->head.settings, b->head.settings);
  compare_lists (&c, "", _ ("variable"), NULL, a->head.variables, b->head.variables);
  compare_lists (&c, "", _ ("assertion"), NULL, a->head.assertions, b->head.assertions);
  compare_diagrams (&c, "", a->root, b->root);
  g_ptr_array_sort (c.differences, compare_differences);
  return c.differences;
}

char *
weir_difference_to_string (const WeirDifference *self)
{
  static const char signs[] = { '-', '+', '~' };

  g_return_val_if_fail (self != NULL, NULL);

  return g_strdup_printf ("%c %s%s%s", signs[self->kind], self->path,
                          self->path[0] != '\0' ? ": " : "", self->text);
}

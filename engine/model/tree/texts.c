/* Sorted lists of names with texts. Names and texts are shared strings, so that a changed list
 * copies pointers only. */
#include "model/tree/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/sync.h"

struct _WeirTexts {
  gatomicrefcount ref_count;
  guint n;
  WeirTextPair pairs[];
};

void
weir_text_pair_clear (WeirTextPair *pair)
{
  g_clear_pointer (&pair->name, g_ref_string_release);
  g_clear_pointer (&pair->text, g_ref_string_release);
}

static WeirTexts *
texts_new (guint n)
{
  WeirTexts *self = g_malloc (sizeof (WeirTexts) + n * sizeof (WeirTextPair));

  g_atomic_ref_count_init (&self->ref_count);
  self->n = n;
  return self;
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  return strcmp (((const WeirTextPair *) a)->name, ((const WeirTextPair *) b)->name);
}

WeirTexts *
weir_texts_new (WeirTextPair *pairs, guint n, const char **twice)
{
  WeirTexts *self;

  *twice = NULL;
  if (n == 0)
    return NULL;
  qsort (pairs, n, sizeof *pairs, compare_pairs);
  for (guint i = 1; i < n; i++)
    if (strcmp (pairs[i - 1].name, pairs[i].name) == 0)
      {
        *twice = pairs[i].name;
        return NULL;
      }
  self = texts_new (n);
  for (guint i = 0; i < n; i++)
    {
      self->pairs[i] = pairs[i];
      g_ref_string_acquire (pairs[i].name);
      g_ref_string_acquire (pairs[i].text);
    }
  return self;
}

WeirTexts *
weir_texts_ref (WeirTexts *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_texts_unref (WeirTexts *self)
{
  if (self == NULL || !weir_sync_drop (self, &self->ref_count))
    return;
  for (guint i = 0; i < self->n; i++)
    weir_text_pair_clear (&self->pairs[i]);
  g_free (self);
}

guint
weir_texts_get_size (const WeirTexts *self)
{
  return self != NULL ? self->n : 0;
}

const char *
weir_texts_get_name (const WeirTexts *self, guint i)
{
  g_return_val_if_fail (i < weir_texts_get_size (self), NULL);

  return self->pairs[i].name;
}

const char *
weir_texts_get_text (const WeirTexts *self, guint i)
{
  g_return_val_if_fail (i < weir_texts_get_size (self), NULL);

  return self->pairs[i].text;
}

int
weir_texts_get_line (const WeirTexts *self, guint i)
{
  g_return_val_if_fail (i < weir_texts_get_size (self), 0);

  return self->pairs[i].line;
}

/* The index of the first name that is not less than @name. */
static guint
lower_bound (const WeirTexts *self, const char *name)
{
  guint low = 0, high = weir_texts_get_size (self);

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (strcmp (self->pairs[middle].name, name) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const char *
weir_texts_find (const WeirTexts *self, const char *name)
{
  guint i = lower_bound (self, name);

  if (i < weir_texts_get_size (self) && strcmp (self->pairs[i].name, name) == 0)
    return self->pairs[i].text;
  return NULL;
}

WeirTexts *
weir_texts_with (WeirTexts *self, const char *name, const char *text)
{
  guint n = weir_texts_get_size (self);
  guint at = lower_bound (self, name);
  gboolean found = at < n && strcmp (self->pairs[at].name, name) == 0;
  WeirTexts *result;
  guint n_result = n - (found ? 1 : 0) + (text != NULL ? 1 : 0);
  guint j = 0;

  if (found ? g_strcmp0 (self->pairs[at].text, text) == 0 : text == NULL)
    return weir_texts_ref (self);
  if (n_result == 0)
    return NULL;

  result = texts_new (n_result);
  for (guint i = 0; i < at; i++)
    result->pairs[j++] = self->pairs[i];
  if (text != NULL)
    {
      result->pairs[j].name = found ? self->pairs[at].name : g_ref_string_new_intern (name);
      result->pairs[j].line = found ? self->pairs[at].line : 0;
      result->pairs[j++].text = g_ref_string_new (text);
    }
  for (guint i = at + (found ? 1 : 0); i < n; i++)
    result->pairs[j++] = self->pairs[i];
  for (j = 0; j < n_result; j++)
    {
      if (j != at || text == NULL)
        g_ref_string_acquire (result->pairs[j].text);
      if (j != at || text == NULL || found)
        g_ref_string_acquire (result->pairs[j].name);
    }
  return result;
}

guint
weir_texts_hash (const WeirTexts *self)
{
  guint hash = 5381;

  for (guint i = 0; i < weir_texts_get_size (self); i++)
    hash = hash * 31 + g_str_hash (self->pairs[i].text);
  return hash;
}

gboolean
weir_texts_equal (const WeirTexts *a, const WeirTexts *b)
{
  guint n = weir_texts_get_size (a);

  if (a == b)
    return TRUE;
  if (n != weir_texts_get_size (b))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (strcmp (a->pairs[i].name, b->pairs[i].name) != 0
        || strcmp (a->pairs[i].text, b->pairs[i].text) != 0)
      return FALSE;
  return TRUE;
}

/* One entry of a context at a time: its caching switch, its flag, its serial number, its value as
 * it stands. None of this notifies anybody: who changes a source uses context-sources.c.
 */
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "system/context/context-private.h"

/* --- Flags ----------------------------------------------------------------------------------- */

static void
set_caching (WeirContext *self, guint32 entry, gboolean enabled)
{
  if (weir_bit (self->disabled, entry) != enabled)
    return;
  if (weir_context_is (self, WEIR_MODE_LOGGED))
    self->logger->note_entry_caching (self, entry, enabled);
  if (enabled)
    weir_bit_clear (self->disabled, entry);
  else
    weir_bit_set (self->disabled, entry);
  weir_context_count (self, &self->n_disabled, !enabled, WEIR_MODE_DISABLED);
}

void
weir_context_set_entry_caching (WeirContext *self, WeirEntry entry, gboolean enabled)
{
  g_return_if_fail (entry.i < self->layout->n_entries);

  set_caching (self, entry.i, enabled);
}

void
weir_context_set_node_caching (WeirContext *self, WeirNode node, gboolean enabled)
{
  const WeirLayout *layout = self->layout;
  guint32 end;

  g_return_if_fail (node.i < layout->n_nodes);

  end = weir_layout_subtree_end (layout, node.i);
  for (guint32 n = node.i; n < end; n++)
    for (guint32 k = 0; k < layout->nodes[n].shape->entries->len; k++)
      set_caching (self, layout->entry_of_local[layout->nodes[n].first_entry + k], enabled);
}

gboolean
weir_context_get_entry_caching (const WeirContext *self, WeirEntry entry)
{
  g_return_val_if_fail (entry.i < self->layout->n_entries, FALSE);

  return !weir_bit (self->disabled, entry.i);
}

void
weir_context_set_all_out_of_date (WeirContext *self)
{
  const WeirLayout *layout = self->layout;

  if (G_UNLIKELY (weir_context_is (self, WEIR_MODE_LOGGED)))
    self->logger->note_all_out_of_date (self);
  if (layout->n_words == 0)
    return;
  weir_bits_set_all (self->stale, layout->n_entries);
}

gboolean
weir_context_is_up_to_date (const WeirContext *self, WeirEntry entry)
{
  g_return_val_if_fail (entry.i < self->layout->n_entries, FALSE);

  return !weir_bit (self->stale, entry.i);
}

void
weir_context_mark (WeirContext *self, WeirEntry entry, gboolean up_to_date)
{
  g_return_if_fail (entry.i < self->layout->n_entries);

  if (weir_context_is (self, WEIR_MODE_LOGGED))
    self->logger->note_mark (self, entry.i, up_to_date);
  if (up_to_date)
    weir_bit_clear (self->stale, entry.i);
  else
    weir_bit_set (self->stale, entry.i);
}

guint64
weir_context_get_serial (const WeirContext *self, WeirEntry entry)
{
  guint64 serial;

  g_return_val_if_fail (entry.i < self->layout->n_entries, 0);

  serial = 1 + self->rewrites[entry.i] + self->entry_off[entry.i];
  for (guint32 e = 0; e <= entry.i; e++)
    serial += self->calc_steps[e] + self->off_steps[e];
  return serial;
}

/* --- Values ---------------------------------------------------------------------------------- */

static double *
value_word (const WeirContext *self, WeirEntry entry)
{
  return self->arena + self->layout->value_offset[entry.i];
}

static GVariant **
value_abstract (const WeirContext *self, WeirEntry entry)
{
  return &self->abstract[*(const guint64 *) (const void *) value_word (self, entry)];
}

const double *
weir_context_peek (const WeirContext *self, WeirEntry entry)
{
  g_return_val_if_fail (entry.i < self->layout->n_entries, NULL);

  return value_word (self, entry);
}

GVariant *
weir_context_peek_abstract (const WeirContext *self, WeirEntry entry)
{
  g_return_val_if_fail (entry.i < self->layout->n_entries, NULL);
  g_return_val_if_fail (weir_layout_decl (self->layout, entry.i)->type != NULL, NULL);

  return *value_abstract (self, entry);
}

static gboolean
refuse (const WeirContext *self, WeirEntry entry, GError **error, const char *why)
{
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, entry);

  weir_error_set (error, WEIR_ERROR_INVALID, "%s: %s.", path, weir_phrase (why));
  return FALSE;
}

/* @type: NULL for doubles. (transfer full) */
static WeirMessage *
name_kind (const GVariantType *type)
{
  if (type == NULL)
    return weir_message_new (N_ ("numbers"));
  return weir_message_new (N_ ("an abstract value of type %.*s"),
                           (int) g_variant_type_get_string_length (type),
                           g_variant_type_peek_string (type));
}

/* @type: of an abstract value that is given or asked for; NULL for doubles. */
static gboolean
check_kind (const WeirContext *self, WeirEntry entry, const GVariantType *type, GError **error)
{
  g_autoptr (WeirMessage) declared = NULL, given = NULL;
  g_autofree char *path = NULL;
  const WeirEntryDecl *decl;

  g_return_val_if_fail (entry.i < self->layout->n_entries, FALSE);

  decl = weir_layout_decl (self->layout, entry.i);
  if ((decl->type == NULL) == (type == NULL)
      && (type == NULL || g_variant_type_is_subtype_of (decl->type, type)))
    return TRUE;
  path = weir_layout_dup_entry_path (self->layout, entry);
  declared = name_kind (decl->type);
  given = name_kind (type);
  weir_error_set (error, WEIR_ERROR_MISMATCH, "%s: holds %s, not %s.", path,
                  weir_message_get_text (declared), weir_message_get_text (given));
  return FALSE;
}

static gboolean
check_readable (const WeirContext *self, WeirEntry entry, GError **error)
{
  if (weir_bit (self->stale, entry.i))
    return refuse (self, entry, error, N_ ("the current value is out of date"));
  return TRUE;
}

/* An up-to-date value is not overwritten, for nobody downstream would hear of it: its source has
 * changed first, or the value is the same. */
static gboolean
check_writable (const WeirContext *self, WeirEntry entry, GError **error)
{
  if (weir_context_is (self, WEIR_MODE_FROZEN))
    return refuse (self, entry, error, N_ ("the cache is frozen"));
  if (!weir_bit (self->stale, entry.i) && !weir_bit (self->disabled, entry.i))
    return refuse (self, entry, error, N_ ("the current value is already up to date"));
  return TRUE;
}

const double *
weir_context_read (const WeirContext *self, WeirEntry entry, GError **error)
{
  if (!check_kind (self, entry, NULL, error) || !check_readable (self, entry, error))
    return NULL;
  return value_word (self, entry);
}

GVariant *
weir_context_read_abstract (const WeirContext *self, WeirEntry entry, GError **error)
{
  GVariant *value;

  if (!check_kind (self, entry, G_VARIANT_TYPE_ANY, error))
    return NULL;
  value = *value_abstract (self, entry);
  if (value == NULL)
    refuse (self, entry, error, N_ ("no value is present"));
  else if (!check_readable (self, entry, error))
    return NULL;
  return value;
}

/* Its serial number goes on. */
static void
note_write (WeirContext *self, WeirEntry entry)
{
  if (weir_context_is (self, WEIR_MODE_LOGGED))
    self->logger->note_write (self, entry.i);
  self->rewrites[entry.i]++;
}

double *
weir_context_change_value (WeirContext *self, WeirEntry entry, GError **error)
{
  if (!check_kind (self, entry, NULL, error) || !check_writable (self, entry, error))
    return NULL;
  note_write (self, entry);
  return value_word (self, entry);
}

gboolean
weir_context_put (WeirContext *self, WeirEntry entry, const double *value, GError **error)
{
  double *to = weir_context_change_value (self, entry, error);

  if (to == NULL)
    return FALSE;
  memmove (to, value, weir_layout_decl (self->layout, entry.i)->size * sizeof *value);
  weir_context_mark (self, entry, TRUE);
  return TRUE;
}

gboolean
weir_context_put_abstract (WeirContext *self, WeirEntry entry, GVariant *value, GError **error)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  GVariant **to;

  if (!check_kind (self, entry, g_variant_get_type (value), error)
      || !check_writable (self, entry, error))
    return FALSE;
  to = value_abstract (self, entry);
  g_clear_pointer (to, g_variant_unref);
  *to = g_steal_pointer (&owned);
  note_write (self, entry);
  weir_context_mark (self, entry, TRUE);
  return TRUE;
}

gboolean
weir_context_swap (WeirContext *self, WeirEntry entry, double *value, GError **error)
{
  double *at;

  if (!check_kind (self, entry, NULL, error))
    return FALSE;
  if (weir_context_is (self, WEIR_MODE_FROZEN))
    return refuse (self, entry, error, N_ ("the cache is frozen"));
  at = value_word (self, entry);
  for (guint32 k = 0; k < weir_layout_decl (self->layout, entry.i)->size; k++)
    {
      double kept = at[k];

      at[k] = value[k];
      value[k] = kept;
    }
  note_write (self, entry);
  weir_context_mark (self, entry, FALSE);
  return TRUE;
}

gboolean
weir_context_swap_abstract (WeirContext *self, WeirEntry entry, GVariant **value, GError **error)
{
  GVariant *given = *value, **at;

  g_return_val_if_fail (given != NULL, FALSE);

  if (!check_kind (self, entry, g_variant_get_type (given), error))
    return FALSE;
  if (weir_context_is (self, WEIR_MODE_FROZEN))
    return refuse (self, entry, error, N_ ("the cache is frozen"));
  at = value_abstract (self, entry);
  *value = *at;
  *at = g_variant_take_ref (given);
  note_write (self, entry);
  weir_context_mark (self, entry, FALSE);
  return TRUE;
}

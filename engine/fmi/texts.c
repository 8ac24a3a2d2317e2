/* Texts and bytes of an FMU: at its start, and at its ports, where they are abstract values of the
 * types "s" and "ay". See leaf-private.h.
 *
 * What an FMU gives has no more bytes than the region that it is exchanged in (process.h); a text
 * that is no UTF-8 is refused.
 */
#include "fmi/leaf-private.h"

#include <string.h>

#include "base/error.h"

static const WeirFmuType types[WEIR_FMU_N_TEXT_TYPES] = { WEIR_FMU_STRING, WEIR_FMU_BINARY };

static gboolean
is_text (const WeirFmuVariable *variable)
{
  return (variable->traits.type == WEIR_FMU_STRING || variable->traits.type == WEIR_FMU_BINARY)
         && variable->n_dimensions == 0 && variable->n_clocks == 0;
}

/* --- At the start ---------------------------------------------------------------------------- */

gboolean
weir_fmu_leaf_takes_text (const WeirFmuVariable *variable)
{
  gboolean is_set = variable->causality == WEIR_FMU_PARAMETER
                    || variable->causality == WEIR_FMU_INPUT;
  gboolean is_begun = variable->n_start > 0 && variable->variability != WEIR_FMU_CONSTANT
                      && (variable->initial == WEIR_FMU_EXACT
                          || variable->initial == WEIR_FMU_APPROX);

  return is_text (variable) && (is_set || is_begun);
}

void
weir_fmu_leaf_list_texts (const WeirFmuDescription *d, const WeirFmuLeafOptions *options,
                          WeirFmuTexts *texts, WeirFmuBinary *binary)
{
  for (guint i = 0; i < WEIR_FMU_N_TEXT_TYPES; i++)
    {
      GDestroyNotify free_value = types[i] == WEIR_FMU_STRING ? g_free
                                                              : (GDestroyNotify) g_bytes_unref;

      texts->refs[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
      texts->values[i] = g_ptr_array_new_with_free_func (free_value);
      for (guint k = 0; k < options->n_starts; k++)
        {
          const WeirFmuText *text = &options->starts[k].text;
          guint v = weir_fmu_description_find (d, options->starts[k].variable);

          if (text->data == NULL || v == WEIR_FMU_NONE || d->variables[v].traits.type != types[i])
            continue;
          g_array_append_val (texts->refs[i], d->variables[v].reference);
          g_ptr_array_add (texts->values[i], types[i] == WEIR_FMU_STRING
                                                 ? (gpointer) g_strndup (text->data, text->size)
                                                 : (gpointer) g_bytes_new (text->data, text->size));
        }
      if (texts->refs[i]->len > 0)
        binary->texts[binary->n_texts++] = (WeirFmuValues) {
          .type = types[i],
          .refs = (const guint32 *) (gpointer) texts->refs[i]->data,
          .n_refs = texts->refs[i]->len,
          .values = texts->values[i]->pdata,
          .n_values = texts->values[i]->len,
        };
    }
}

void
weir_fmu_texts_clear (WeirFmuTexts *self)
{
  for (guint i = 0; i < WEIR_FMU_N_TEXT_TYPES; i++)
    {
      g_clear_pointer (&self->refs[i], g_array_unref);
      g_clear_pointer (&self->values[i], g_ptr_array_unref);
    }
}

void
weir_fmu_leaf_add_texts_to_checksum (const WeirFmuLeafOptions *options, GChecksum *sum)
{
  for (guint k = 0; k < options->n_starts; k++)
    {
      const WeirFmuStart *start = &options->starts[k];
      guint64 size = start->text.size;

      if (start->text.data == NULL)
        continue;
      g_checksum_update (sum, (const guchar *) start->variable,
                         (gssize) strlen (start->variable) + 1);
      g_checksum_update (sum, (const guchar *) &size, sizeof size);
      g_checksum_update (sum, (const guchar *) start->text.data, (gssize) start->text.size);
    }
}

/* --- At ports -------------------------------------------------------------------------------- */

gboolean
weir_fmu_leaf_has_text_port (const WeirFmuVariable *variable)
{
  return is_text (variable)
         && (variable->causality == WEIR_FMU_INPUT || variable->causality == WEIR_FMU_OUTPUT);
}

const char *
weir_fmu_text_get_type (WeirFmuType type)
{
  return type == WEIR_FMU_STRING ? "s" : "ay";
}

WeirFmuTextPort
weir_fmu_text_port (const WeirFmuVariable *variable)
{
  return (WeirFmuTextPort) { .max_size = variable->traits.max_size,
                             .type = variable->traits.type,
                             .reference = variable->reference };
}

static GVariant *
value_new (WeirFmuType type, gconstpointer data, gsize size)
{
  g_autofree char *text = NULL;

  if (type == WEIR_FMU_BINARY)
    return g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, data, size, 1);
  text = g_utf8_make_valid (data, (gssize) size);
  return g_variant_new_string (text);
}

GVariant *
weir_fmu_text_new_start (const WeirFmuDescription *d, const WeirFmuLeafOptions *options, guint v)
{
  const WeirFmuVariable *variable = &d->variables[v];
  WeirFmuText text = { "", 0 };

  if (variable->start_texts != NULL && variable->n_start > 0)
    text = variable->start_texts[0];
  for (guint k = 0; k < options->n_starts; k++)
    if (options->starts[k].text.data != NULL
        && weir_fmu_description_find (d, options->starts[k].variable) == v)
      text = options->starts[k].text;
  return value_new (variable->traits.type, text.data, text.size);
}

/* @value: (transfer full). NULL and @error: it is no text. (transfer full) */
static GVariant *
take_value (WeirFmuType type, gpointer value, GError **error)
{
  GVariant *taken = NULL;

  if (type == WEIR_FMU_BINARY)
    {
      taken = g_variant_ref_sink (
          g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, value, TRUE));
      g_bytes_unref (value);
      return taken;
    }
  if (g_utf8_validate (value, -1, NULL))
    taken = g_variant_ref_sink (g_variant_new_take_string (value));
  else
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "a text that the FMU gives is not written in UTF-8, as the standard asks");
      g_free (value);
    }
  return taken;
}

/* Those of one type: their references, and where they are among all. */
static WeirFmuValues
list_values (const WeirFmuTextPort *ports, guint n, WeirFmuType type, guint32 *refs, guint *places)
{
  WeirFmuValues group = { .type = type, .refs = refs };

  for (guint i = 0; i < n; i++)
    if (ports[i].type == type)
      {
        refs[group.n_refs] = ports[i].reference;
        places[group.n_refs++] = i;
      }
  group.n_values = group.n_refs;
  group.values = g_new0 (gpointer, group.n_refs + 1);
  return group;
}

static gboolean
fits (const WeirFmuTextPort *port, gsize size, GError **error)
{
  if (port->max_size == 0 || size <= port->max_size)
    return TRUE;
  weir_error_set (error, WEIR_ERROR_FAILED,
                  "An input of the FMU takes at most %zu bytes (maxSize), but is given %zu.",
                  (gsize) port->max_size, size);
  return FALSE;
}

static gboolean
set_of_type (WeirFmuInstance *instance, const WeirFmuTextPort *ports, guint n,
             GVariant *const *values, WeirFmuType type, GError **error)
{
  g_autofree guint32 *refs = g_new (guint32, n + 1);
  g_autofree guint *places = g_new (guint, n + 1);
  WeirFmuValues group = list_values (ports, n, type, refs, places);
  WeirFmuOutcome outcome = WEIR_FMU_DONE;
  gboolean ok = TRUE;

  for (guint k = 0; k < group.n_values; k++)
    {
      GVariant *value = values[places[k]];

      ok &= fits (&ports[places[k]], type == WEIR_FMU_BINARY ? g_variant_get_size (value) : 0,
                  ok ? error : NULL);
      ((gpointer *) group.values)[k] = type == WEIR_FMU_BINARY
                                           ? (gpointer) g_variant_get_data_as_bytes (value)
                                           : (gpointer) g_variant_get_string (value, NULL);
    }
  if (ok && group.n_values > 0)
    outcome = weir_fmu_instance_set (instance, &group, 1, error);
  for (guint k = 0; k < group.n_values && type == WEIR_FMU_BINARY; k++)
    g_bytes_unref (((GBytes **) group.values)[k]);
  g_free (group.values);
  if (outcome == WEIR_FMU_DISCARDED)
    weir_error_set (error, WEIR_ERROR_FAILED, "The FMU discards the values that it is given.");
  return ok && outcome == WEIR_FMU_DONE;
}

gboolean
weir_fmu_texts_set (WeirFmuInstance *instance, const WeirFmuTextPort *ports, guint n,
                    GVariant *const *values, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < WEIR_FMU_N_TEXT_TYPES && n > 0 && ok; i++)
    ok = set_of_type (instance, ports, n, values, types[i], error);
  return ok;
}

gboolean
weir_fmu_texts_get (WeirFmuInstance *instance, const WeirFmuTextPort *ports, guint n,
                    const WeirFmuEvaluation *evaluation, GVariant **values, GError **error)
{
  WeirFmuEvaluation here = evaluation != NULL ? *evaluation : (WeirFmuEvaluation) { 0 };
  g_autofree guint32 *refs = g_new (guint32, 2 * n + 1);
  g_autofree guint *places = g_new (guint, 2 * n + 1);
  WeirFmuValues groups[WEIR_FMU_N_TEXT_TYPES];
  WeirFmuOutcome outcome;
  guint n_groups = 0;
  gboolean ok;

  for (guint i = 0, at = 0; i < WEIR_FMU_N_TEXT_TYPES; i++)
    {
      groups[n_groups] = list_values (ports, n, types[i], refs + at, places + at);
      at += groups[n_groups].n_refs;
      if (groups[n_groups].n_refs > 0)
        n_groups++;
      else
        g_free (groups[n_groups].values);
    }
  here.outputs = groups;
  here.n_outputs = n_groups;
  outcome = evaluation != NULL ? weir_fmu_instance_evaluate (instance, &here, error)
                               : weir_fmu_instance_get (instance, groups, n_groups, error);
  ok = outcome == WEIR_FMU_DONE;
  if (outcome == WEIR_FMU_DISCARDED)
    weir_error_set (error, WEIR_ERROR_FAILED,
                    "The FMU has no values for these times, states and inputs (it discards the "
                    "call).");
  for (guint g = 0, at = 0; g < n_groups; at += groups[g].n_values, g++)
    {
      for (guint k = 0; k < groups[g].n_values && outcome == WEIR_FMU_DONE; k++)
        {
          GVariant *value = take_value (groups[g].type, ((gpointer *) groups[g].values)[k],
                                        ok ? error : NULL);

          ok &= value != NULL;
          if (value != NULL)
            weir_fmu_text_keep (&values[places[at + k]], value);
        }
      g_free (groups[g].values);
    }
  return ok;
}

void
weir_fmu_text_keep (GVariant **to, GVariant *value)
{
  if (*to != NULL)
    g_variant_unref (*to);
  *to = value;
}

double
weir_fmu_text_count (WeirFmuType type, gpointer value)
{
  guint32 hash = value == NULL             ? 0
                 : type == WEIR_FMU_BINARY ? g_bytes_hash (value)
                                           : g_str_hash (value);

  if (value != NULL && type == WEIR_FMU_BINARY)
    g_bytes_unref (value);
  else
    g_free (value);
  return hash;
}

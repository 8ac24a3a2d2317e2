/* Signal dictionaries of SSP (.ssb): signals that elements of a system write and read by name,
 * through references that stand among them. See ssp-private.h.
 */
#include "model/structures/ssp-private.h"

#include <string.h>

#include "base/text.h"

static void
signal_clear (gpointer data)
{
  WeirSspSignal *self = data;

  g_free (self->dictionary);
  g_free (self->name);
}

static void
read_entry (const WeirMarkup *entry, const char *dictionary, GHashTable *own, GHashTable *outer,
            GArray *signals)
{
  const WeirMarkup *typed = weir_markup_get_size (entry) > 0 ? weir_markup_get_child (entry, 0)
                                                             : NULL;
  const char *name = weir_markup_get (entry, "name");
  const char *unit_name = weir_markup_get (typed, "unit");
  const WeirFmuUnit *unit = weir_ssp_find_unit (own, unit_name);
  WeirSspSignal signal = { .part = WEIR_SELF };

  if (name == NULL)
    return;
  if (unit == NULL)
    unit = weir_ssp_find_unit (outer, unit_name);
  if (unit != NULL)
    signal.unit = *unit;
  signal.dictionary = g_strdup (dictionary);
  signal.name = g_strdup (name);
  g_array_append_val (signals, signal);
}

GArray *
weir_ssp_read_signals (WeirSsp *self, const WeirMarkup *system)
{
  const WeirMarkup *list = weir_markup_find (system, "SignalDictionaries");
  GArray *signals = g_array_new (FALSE, FALSE, sizeof (WeirSspSignal));

  g_array_set_clear_func (signals, signal_clear);
  for (guint i = 0; i < weir_markup_get_size (list) && !self->r->is_failed; i++)
    {
      const WeirMarkup *element = weir_markup_get_child (list, i);
      const char *name = weir_markup_get (element, "name");
      WeirMarkup *owned = NULL;
      const WeirMarkup *dictionary = weir_ssp_find_content (self, element, NULL, "SignalDictionary",
                                                            NULL, &owned);
      g_autoptr (GHashTable) units = weir_ssp_read_units (weir_markup_find (dictionary, "Units"));

      for (guint k = 0; k < weir_markup_get_size (dictionary) && name != NULL; k++)
        if (weir_markup_is (weir_markup_get_child (dictionary, k), "DictionaryEntry"))
          read_entry (weir_markup_get_child (dictionary, k), name, units, self->units, signals);
      g_clear_pointer (&owned, weir_markup_free);
    }
  return signals;
}

WeirSspSignal *
weir_ssp_find_signal (WeirSsp *self, const WeirMarkup *reference, const char *name)
{
  const char *dictionary = weir_markup_get (reference, "dictionary");
  gboolean has_dictionary = FALSE;

  for (guint i = 0; i < self->signals->len && dictionary != NULL; i++)
    {
      WeirSspSignal *signal = &g_array_index (self->signals, WeirSspSignal, i);

      if (strcmp (signal->dictionary, dictionary) != 0)
        continue;
      has_dictionary = TRUE;
      if (strcmp (signal->name, name) == 0)
        return signal;
    }
  if (has_dictionary)
    weir_structure_fail (self->r, "STR04", reference->line,
                         N_ ("The signal dictionary \"%s\" has no signal \"%s\"."), dictionary,
                         name);
  else
    weir_structure_fail (self->r, "STR06", reference->line,
                         N_ ("The system itself has no signal dictionary \"%s\": one of a system "
                             "around it cannot be kept, join what it joins by connections."),
                         dictionary != NULL ? dictionary : "");
  return NULL;
}

guint
weir_ssp_get_signal_part (WeirSsp *self, WeirSspSignal *signal, WeirStructure *structure, int line)
{
  g_autofree char *name = NULL;
  WeirPart *part;

  if (signal->part != WEIR_SELF)
    return signal->part;
  name = g_strdelimit (g_strconcat (signal->dictionary, "_", signal->name, NULL), ".", '_');
  part = weir_structure_add (self->r, structure, WEIR_PART_LINEAR, name, line);
  part->factor = 1;
  signal->part = structure->parts->len - 1;
  return signal->part;
}

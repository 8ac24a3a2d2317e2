/* Signal dictionaries of SSP (.ssb): signals that elements of a system, and of those within it,
 * write and read by name, through references that stand among them. See ssp-private.h.
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
            WeirSspLevel *level)
{
  const WeirMarkup *typed = weir_markup_get_size (entry) > 0 ? weir_markup_get_child (entry, 0)
                                                             : NULL;
  const char *name = weir_markup_get (entry, "name");
  const char *unit_name = weir_markup_get (typed, "unit");
  const WeirFmuUnit *unit = weir_ssp_find_unit (own, unit_name);
  WeirSspSignal signal = { .level = level, .part = WEIR_SELF };

  if (name == NULL)
    return;
  if (unit == NULL)
    unit = weir_ssp_find_unit (outer, unit_name);
  if (unit != NULL)
    signal.unit = *unit;
  signal.dictionary = g_strdup (dictionary);
  signal.name = g_strdup (name);
  g_array_append_val (level->signals, signal);
}

static void
read_signals (WeirSsp *self, WeirSspLevel *level)
{
  const WeirMarkup *list = weir_markup_find (level->system, "SignalDictionaries");

  for (guint i = 0; i < weir_markup_get_size (list) && !self->r->is_failed; i++)
    {
      const WeirMarkup *element = weir_markup_get_child (list, i);
      const char *name = weir_markup_get (element, "name");
      WeirMarkup *owned = NULL;
      const WeirMarkup *dictionary = weir_ssp_find_content (self, element, NULL, "SignalDictionary",
                                                            NULL, &owned);
      g_autoptr (GHashTable)
          units = weir_ssp_read_units (self->r, weir_markup_find (dictionary, "Units"));

      for (guint k = 0; k < weir_markup_get_size (dictionary) && name != NULL; k++)
        if (weir_markup_is (weir_markup_get_child (dictionary, k), "DictionaryEntry"))
          read_entry (weir_markup_get_child (dictionary, k), name, units, self->units, level);
      g_clear_pointer (&owned, weir_markup_free);
    }
}

WeirSspLevel *
weir_ssp_add_level (WeirSsp *self, const WeirMarkup *system, WeirStructure *structure,
                    WeirSspLevel *around, guint part)
{
  WeirSspLevel *level = g_new (WeirSspLevel, 1);

  *level = (WeirSspLevel) { .system = system,
                            .structure = structure,
                            .around = around,
                            .part = part,
                            .signals = g_array_new (FALSE, FALSE, sizeof (WeirSspSignal)),
                            .inputs = g_hash_table_new (NULL, NULL),
                            .outputs = g_hash_table_new (NULL, NULL) };
  g_array_set_clear_func (level->signals, signal_clear);
  g_ptr_array_add (self->levels, level);
  read_signals (self, level);
  return level;
}

void
weir_ssp_level_free (WeirSspLevel *self)
{
  g_array_unref (self->signals);
  g_hash_table_unref (self->inputs);
  g_hash_table_unref (self->outputs);
  g_free (self);
}

WeirSspSignal *
weir_ssp_find_signal (WeirSsp *self, const WeirSspLevel *level, const WeirMarkup *reference,
                      const char *name)
{
  const char *dictionary = weir_markup_get (reference, "dictionary");
  gboolean has_dictionary = FALSE;

  for (; level != NULL && dictionary != NULL && !has_dictionary; level = level->around)
    for (guint i = 0; i < level->signals->len; i++)
      {
        WeirSspSignal *signal = &g_array_index (level->signals, WeirSspSignal, i);

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
    weir_structure_fail (self->r, "STR04", reference->line,
                         N_ ("Neither the system nor one around it has a signal dictionary "
                             "\"%s\"."),
                         dictionary != NULL ? dictionary : "");
  return NULL;
}

/* --- Where it passes ------------------------------------------------------------------------- */

/* (transfer full) */
static char *
dup_signal_name (const WeirSspSignal *signal)
{
  return g_strdelimit (g_strconcat (signal->dictionary, "_", signal->name, NULL), ".", '_');
}

static guint
get_part (WeirSsp *self, WeirSspSignal *signal, int line)
{
  WeirStructure *structure = signal->level->structure;

  if (signal->part == WEIR_SELF)
    {
      g_autofree char *name = dup_signal_name (signal);

      weir_structure_add (self->r, structure, WEIR_PART_LINEAR, name, line)->factor = 1;
      signal->part = structure->parts->len - 1;
    }
  return signal->part;
}

static gboolean
has_port (const WeirStructure *structure, const char *name)
{
  return g_ptr_array_find_with_equal_func (structure->inputs, name, g_str_equal, NULL)
         || g_ptr_array_find_with_equal_func (structure->outputs, name, g_str_equal, NULL);
}

/* A port more of a system. (transfer none) */
static const char *
add_port (WeirSspLevel *level, const WeirSspSignal *signal, gboolean is_output)
{
  GPtrArray *ports = is_output ? level->structure->outputs : level->structure->inputs;
  g_autofree char *name = dup_signal_name (signal);

  while (has_port (level->structure, name))
    {
      char *longer = g_strconcat (name, "_", NULL);

      g_free (name);
      name = longer;
    }
  g_ptr_array_add (ports, g_steal_pointer (&name));
  return ports->pdata[ports->len - 1];
}

WeirLinkEnd
weir_ssp_get_signal_end (WeirSsp *self, WeirSspLevel *level, WeirSspSignal *signal,
                         gboolean is_written, int line)
{
  GHashTable *ports = is_written ? level->outputs : level->inputs;
  const char *port;

  if (level == signal->level)
    return (WeirLinkEnd) { get_part (self, signal, line), g_strdup (is_written ? "u" : "y") };
  port = g_hash_table_lookup (ports, signal);
  if (port == NULL)
    {
      WeirLinkEnd outer = weir_ssp_get_signal_end (self, level->around, signal, is_written, line);
      WeirLinkEnd own = { level->part };
      WeirLink link = { .factor = 1, .line = line };

      port = add_port (level, signal, is_written);
      g_hash_table_insert (ports, signal, (char *) port);
      own.port = g_strdup (port);
      link.from = is_written ? own : outer;
      link.to = is_written ? outer : own;
      g_array_append_val (level->around->structure->links, link);
    }
  return (WeirLinkEnd) { WEIR_SELF, g_strdup (port) };
}

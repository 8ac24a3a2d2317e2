/* The domains of physical networks. */
#include "blocks/parts/part.h"

#include <string.h>

#include "base/sync.h"
#include "base/text.h"

/* Across in mechanics is the position: stops and backlash need it. */
static const WeirDomain domains[] = {
  { N_ ("electrical"), "v", "i", "V", "A" },     { N_ ("rotational"), "phi", "tau", "rad", "N*m" },
  { N_ ("translational"), "s", "f", "m", "N" },  { N_ ("thermal"), "T", "Q", "K", "W" },
  { N_ ("hydraulic"), "p", "q", "Pa", "m^3/s" }, { N_ ("magnetic"), "Vm", "Phi", "A", "Wb" },
};

const WeirDomain *
weir_domain_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    if (strcmp (domains[i].name, name) == 0)
      return &domains[i];
  return NULL;
}

char *
weir_domain_dup_text (const WeirDomain *self)
{
  return g_strdup_printf ("%s: %s \"%s\", %s \"%s\"", self->name, self->potential,
                          self->potential_unit, self->flow, self->flow_unit);
}

const WeirDomain *
weir_domain_declare (const WeirDomain *domain)
{
  static GMutex mutex;
  static GHashTable *declared;
  g_autofree char *key = weir_domain_dup_text (domain);
  WeirDomain *found;

  weir_sync_lock (&mutex);
  if (declared == NULL)
    declared = g_hash_table_new (g_str_hash, g_str_equal);
  found = g_hash_table_lookup (declared, key);
  if (found == NULL)
    {
      found = g_new (WeirDomain, 1);
      *found = (WeirDomain) { g_intern_string (domain->name), g_intern_string (domain->potential),
                              g_intern_string (domain->flow),
                              g_intern_string (domain->potential_unit),
                              g_intern_string (domain->flow_unit) };
      g_hash_table_insert (declared, g_steal_pointer (&key), found);
    }
  weir_sync_unlock (&mutex);
  return found;
}

/* The domains of physical networks. */
#include "blocks/parts/part.h"

#include <string.h>

/* Across in mechanics is the position: stops and backlash need it. */
static const WeirDomain domains[] = {
  { "electrical", "v", "i", "V", "A" },     { "rotational", "phi", "tau", "rad", "N*m" },
  { "translational", "s", "f", "m", "N" },  { "thermal", "T", "Q", "K", "W" },
  { "hydraulic", "p", "q", "Pa", "m^3/s" }, { "magnetic", "Vm", "Phi", "A", "Wb" },
};

const WeirDomain *
weir_domain_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    if (strcmp (domains[i].name, name) == 0)
      return &domains[i];
  return NULL;
}

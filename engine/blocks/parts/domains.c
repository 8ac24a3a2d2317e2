/* The domains of physical networks. */
#include "blocks/parts/part.h"

#include <string.h>

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

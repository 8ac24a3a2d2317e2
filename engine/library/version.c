/* The version of the library. See version.h.in. */
#include "version.h"

#include "config.h"

const char *
weir_version (void)
{
  return WEIR_VERSION;
}

int
weir_check_version (unsigned major, unsigned minor, unsigned micro)
{
  const unsigned asked[] = { major, minor, micro };
  const unsigned here[] = { WEIR_MAJOR_VERSION, WEIR_MINOR_VERSION, WEIR_MICRO_VERSION };

  for (unsigned i = 0; i < 3; i++)
    if (here[i] != asked[i])
      return here[i] > asked[i];
  return 1;
}

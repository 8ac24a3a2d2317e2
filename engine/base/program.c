/* Programs of ours. See program.h. */
#include "base/program.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"

/* Is @folder one within the tree that this was built in? */
static gboolean
is_within_build (const char *folder)
{
  char *build = realpath (WEIR_BUILD_DIR, NULL); /* as the kernel names folders */
  gboolean result = build != NULL && g_str_has_prefix (folder, build)
                    && folder[strlen (build)] == G_DIR_SEPARATOR;

  free (build);
  return result;
}

char *
weir_program_find (const char *name)
{
  char *self = realpath ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (self != NULL ? self : "");
  g_autofree char *beside = g_build_filename (folder, name, NULL);

  free (self);
  if (g_path_is_absolute (folder) && g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&beside);
  return g_build_filename (is_within_build (folder) ? WEIR_BUILD_DIR : WEIR_LIBEXEC_DIR, name,
                           NULL);
}

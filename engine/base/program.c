/* Programs of ours. See program.h. */
#include "base/program.h"

#include "config.h"

char *
weir_program_find (const char *name)
{
  g_autofree char *built = g_build_filename (WEIR_BUILD_DIR, name, NULL);

  return g_file_test (built, G_FILE_TEST_IS_EXECUTABLE)
             ? g_steal_pointer (&built)
             : g_build_filename (WEIR_LIBEXEC_DIR, name, NULL);
}

/* Folders that a test made and takes away again. */
#pragma once

#include <gio/gio.h>

/* With all that is in it. */
static inline void
remove_folder (const char *folder)
{
  g_autoptr (GSubprocess)
      remove = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "rm", "-rf", folder, NULL);

  g_assert_true (g_subprocess_wait_check (remove, NULL, NULL));
}

/* How a target says that something is wrong. */
#pragma once

#include <glib.h>
#include <stdlib.h>

/* Where libFuzzer sees it and keeps the input. */
static void G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN fuzz_fail (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("%s\n", text);
  abort ();
}

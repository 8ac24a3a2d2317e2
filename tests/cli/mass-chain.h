/* A wall, ten masses 1, springs 1 and dampers .05 beside them; force and position at the free end.
 */
#pragma once

#include <glib.h>

/* Its matrices, as parameters of a StateSpace have them, appended to each. */
static inline void
write_mass_chain (GString *a, GString *b, GString *c)
{
  g_string_append_c (a, '[');
  g_string_append_c (b, '[');
  g_string_append_c (c, '[');
  for (guint i = 0; i < 20; i++)
    {
      for (guint j = 0; j < 20; j++)
        {
          guint row = i - 10, column = j % 10;
          double spring = i < 10          ? (j == i + 10)
                          : row == column ? (row == 9 ? -1 : -2) * (j < 10 ? 1 : 0.05)
                          : row + 1 == column || column + 1 == row ? (j < 10 ? 1 : 0.05)
                                                                   : 0;

          g_string_append_printf (a, "%s%g", j > 0 ? "," : i > 0 ? ";" : "", spring);
        }
      g_string_append_printf (b, "%s%d", i > 0 ? ";" : "", i == 19);
      g_string_append_printf (c, "%s%d", i > 0 ? "," : "", i == 9);
    }
  g_string_append_c (a, ']');
  g_string_append_c (b, ']');
  g_string_append_c (c, ']');
}

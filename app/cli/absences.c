/* Units that the command line switches off: UNIT, UNIT@FROM, UNIT@FROM..UNTIL. */
#include "cli/cli-private.h"

#include <math.h>
#include <string.h>

#include "cosim/cosim.h"

void
weir_absences_clear (WeirAbsences *self)
{
  g_clear_pointer (&self->off, g_strfreev);
  g_clear_pointer (&self->ignored, g_strfreev);
}

/* The @length first letters: "2." is a number too. */
static gboolean
parse_time (const char *text, gsize length, double *time)
{
  g_autofree char *number = g_strndup (text, length);
  char *after;

  *time = g_ascii_strtod (number, &after);
  return after > number && *after == '\0' && isfinite (*time);
}

/* "FROM" or "FROM..UNTIL" */
static gboolean
parse_span (const char *text, double *from, double *until)
{
  const char *dots = strstr (text, "..");

  if (dots == NULL)
    return parse_time (text, strlen (text), from);
  return parse_time (text, (gsize) (dots - text), from)
         && parse_time (dots + 2, strlen (dots + 2), until) && *until > *from;
}

static gboolean
complain_of_unit (WeirCosim *cosim, const char *option, const char *name)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < weir_cosim_get_n_units (cosim); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", weir_cosim_get_path (cosim, i));
  weir_cli_complain ("--%s=%s: there is no such unit; there are %s", option, name, names->str);
  return FALSE;
}

static gboolean
plan (WeirCosim *cosim, const char *option, const char *text, WeirUnitActivity activity)
{
  const char *at = strrchr (text, '@');
  g_autofree char *name = at != NULL ? g_strndup (text, (gsize) (at - text)) : g_strdup (text);
  double from = -INFINITY, until = INFINITY;
  guint unit;

  if (cosim == NULL)
    {
      weir_cli_complain ("--%s=%s: the model has no units of co-simulation", option, text);
      return FALSE;
    }
  if (!weir_cosim_find (cosim, name, &unit))
    return complain_of_unit (cosim, option, name);
  if (at != NULL && !parse_span (at + 1, &from, &until))
    {
      weir_cli_complain ("--%s=%s: after the unit and @ stands a time in seconds, or two with .. "
                         "between them, the later one last",
                         option, text);
      return FALSE;
    }
  weir_cosim_plan_activity (cosim, unit, from, until, activity);
  return TRUE;
}

gboolean
weir_absences_apply (const WeirAbsences *self, WeirSimulator *simulator)
{
  WeirCosim *cosim = weir_cosim_get (simulator);

  for (guint i = 0; self->off != NULL && self->off[i] != NULL; i++)
    if (!plan (cosim, "off", self->off[i], WEIR_UNIT_OFF))
      return FALSE;
  for (guint i = 0; self->ignored != NULL && self->ignored[i] != NULL; i++)
    if (!plan (cosim, "ignore", self->ignored[i], WEIR_UNIT_IGNORED))
      return FALSE;
  return TRUE;
}

/* What all commands share: who draws, lines for people, options, JSON. */
#include "cli/cli-private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "numerics/number.h"

static const WeirCliPainter *painter;

const WeirCliPainter *
weir_cli_get_painter (void)
{
  return painter;
}

void
weir_cli_set_painter (const WeirCliPainter *with)
{
  painter = with;
}

/* One line; the line ends before and after it are those of @format. */
static char *G_GNUC_PRINTF (1, 0) format_line (const char *format, va_list arguments)
{
  g_autofree char *text = g_strdup_vprintf (format, arguments), *line = NULL, *shown = NULL;
  gsize before = strspn (format, "\n"), after = 0, length = strlen (text);

  for (const char *end = format + strlen (format); end > format + before && end[-1] == '\n'; end--)
    after++;
  line = g_strndup (text + before, length - before - after);
  shown = weir_text_escape (line);
  return g_strdup_printf ("%.*s%s%.*s", (int) before, text, shown, (int) after,
                          text + length - after);
}

void
weir_cli_say (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = format_line (format, arguments);
  va_end (arguments);
  g_print ("%s", text);
}

void
weir_cli_tell (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = format_line (format, arguments);
  va_end (arguments);
  g_printerr ("%s", text);
}

void
weir_cli_complain (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = format_line (format, arguments);
  va_end (arguments);
  g_printerr ("weir: %s\n", text);
}

gboolean
weir_cli_parse (int *argc, char ***argv, const char *arguments, const char *description,
                const GOptionEntry *entries, int min, int max)
{
  g_autoptr (GOptionContext) context = g_option_context_new (arguments);
  g_autofree char *name = g_strdup ((*argv)[0]);
  g_autofree char *program = g_strconcat ("weir ", name, NULL);
  g_autoptr (GError) error = NULL;

  g_set_prgname (program); /* in the usage line */
  g_option_context_set_description (context, description);
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, &error))
    {
      weir_cli_complain ("%s: %s", name, error->message);
      return FALSE;
    }
  if (*argc - 1 >= min && *argc - 1 <= max)
    return TRUE;
  if (*argc - 1 < min)
    weir_cli_complain ("%s: a file is missing; usage: %s %s", name, program, arguments);
  else
    weir_cli_complain ("%s: \"%s\" is one argument too many; usage: %s %s", name, (*argv)[max + 1],
                       program, arguments);
  return FALSE;
}

/* --- JSON ------------------------------------------------------------------------------------ */

void
weir_json_append_string (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json, '"');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (json, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (json, "\\u%04x", (guint) (guchar) *p);
    else
      g_string_append_c (json, *p);
  g_string_append_c (json, '"');
}

void
weir_json_append_strings (GString *json, const GPtrArray *texts)
{
  g_string_append_c (json, '[');
  for (guint i = 0; i < texts->len; i++)
    {
      g_string_append (json, i > 0 ? ", " : "");
      weir_json_append_string (json, texts->pdata[i]);
    }
  g_string_append_c (json, ']');
}

void
weir_json_append_number (GString *json, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json, isfinite (value) ? weir_number_to_text (value, text) : "null");
}

/* The values of a description's attributes: numbers, flags, words, start values. */
#include "fmi/description-private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/text.h"

#define MAX_EXACT 9007199254740992.0 /* 2^53: integers up to it are doubles */

/* --- One value ------------------------------------------------------------------------------- */

const char *
weir_fmu_read_text (WeirFmuReading *r, const char *attribute)
{
  return weir_fmu_keep_text (r, weir_xml_get_attribute (&r->xml, attribute));
}

/* What XML calls white space does not count. */
static gboolean
is_space (char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *
skip_space (const char *text)
{
  while (is_space (*text))
    text++;
  return text;
}

/* Whether nothing but space, or the next of a list, follows. */
static gboolean
is_end (const char *text)
{
  return *text == '\0' || is_space (*text);
}

static void
pass_over (WeirFmuReading *r, const char *attribute, const char *value, const char *what)
{
  gboolean is_long = strlen (value) > 60;
  g_autofree char *start = g_strndup (value, 60), *shown = g_utf8_make_valid (start, -1);

  weir_fmu_warn (r, "FMU05", "%s=\"%s%s\" is no %s, and is passed over.", attribute, shown,
                 is_long ? "..." : "", weir_phrase (what));
}

gboolean
weir_fmu_read_flag (WeirFmuReading *r, const char *attribute, gboolean otherwise)
{
  const char *value = weir_xml_get_attribute (&r->xml, attribute);
  gboolean flag = otherwise;

  if (value == NULL)
    return otherwise;
  if (strcmp (value, "true") == 0 || strcmp (value, "1") == 0)
    flag = TRUE;
  else if (strcmp (value, "false") == 0 || strcmp (value, "0") == 0)
    flag = FALSE;
  else
    pass_over (r, attribute, value, N_ ("truth value"));
  return flag;
}

/* The number at @text, and what follows it; FALSE: there is none. As XML Schema writes them. */
static gboolean
parse_double (const char *text, const char **end, double *number)
{
  const char *digits = text + (*text == '-' || *text == '+');
  char *after;

  *end = text;
  if (!g_ascii_isdigit (*digits) && *digits != '.' && !g_str_has_prefix (digits, "INF")
      && !g_str_has_prefix (digits, "NaN"))
    return FALSE;
  if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
    return FALSE;
  *number = g_ascii_strtod (text, &after);
  *end = after;
  return after != text && is_end (after);
}

double
weir_fmu_read_double (WeirFmuReading *r, const char *attribute, double otherwise)
{
  const char *value = weir_xml_get_attribute (&r->xml, attribute), *end;
  double number;

  if (value == NULL)
    return otherwise;
  if (parse_double (skip_space (value), &end, &number) && *skip_space (end) == '\0')
    return number;
  pass_over (r, attribute, value, N_ ("number"));
  return otherwise;
}

/* An integer without sign, up to @most. */
static gboolean
parse_unsigned (const char *text, const char **end, guint64 most, guint64 *number)
{
  char *after = (char *) text;

  if (*text == '+')
    text++;
  errno = 0;
  *number = g_ascii_isdigit (*text) ? g_ascii_strtoull (text, &after, 10) : 0;
  *end = after;
  return g_ascii_isdigit (*text) && errno == 0 && *number <= most && is_end (after);
}

static gboolean
parse_integer (const char *text, const char **end, gint64 least, gint64 most, gint64 *number)
{
  const char *digits = text + (*text == '-' || *text == '+');
  char *after = (char *) text;

  errno = 0;
  *number = g_ascii_isdigit (*digits) ? g_ascii_strtoll (text, &after, 10) : 0;
  *end = after;
  return g_ascii_isdigit (*digits) && errno == 0 && *number >= least && *number <= most
         && is_end (after);
}

guint64
weir_fmu_read_unsigned (WeirFmuReading *r, const char *attribute, guint64 most, guint64 otherwise)
{
  const char *value = weir_xml_get_attribute (&r->xml, attribute), *end;
  guint64 number;

  if (value == NULL)
    return otherwise;
  if (parse_unsigned (skip_space (value), &end, most, &number) && *skip_space (end) == '\0')
    return number;
  pass_over (r, attribute, value, N_ ("whole number that can be here"));
  return otherwise;
}

gint64
weir_fmu_read_integer (WeirFmuReading *r, const char *attribute, gint64 least, gint64 most,
                       gint64 otherwise)
{
  const char *value = weir_xml_get_attribute (&r->xml, attribute), *end;
  gint64 number;

  if (value == NULL)
    return otherwise;
  if (parse_integer (skip_space (value), &end, least, most, &number) && *skip_space (end) == '\0')
    return number;
  pass_over (r, attribute, value, N_ ("whole number that can be here"));
  return otherwise;
}

int
weir_fmu_read_word (WeirFmuReading *r, const char *attribute, int (*find) (const char *name),
                    int otherwise)
{
  const char *value = weir_xml_get_attribute (&r->xml, attribute);
  int found = value != NULL ? find (value) : otherwise;

  if (found >= 0 || value == NULL)
    return found;
  pass_over (r, attribute, value, N_ ("word that is known here"));
  return otherwise;
}

gboolean
weir_fmu_read_numbers (WeirFmuReading *r, const char *attribute)
{
  const char *value = weir_xml_get_attribute (&r->xml, attribute);

  g_array_set_size (r->numbers, 0);
  if (value == NULL)
    return FALSE;
  for (const char *p = skip_space (value); *p != '\0'; p = skip_space (p))
    {
      guint64 number;
      guint kept;

      if (!parse_unsigned (p, &p, G_MAXUINT32, &number))
        {
          pass_over (r, attribute, value, N_ ("list of whole numbers"));
          return FALSE;
        }
      kept = (guint) number;
      g_array_append_val (r->numbers, kept);
    }
  return TRUE;
}

/* --- Start values ---------------------------------------------------------------------------- */

/* What the type holds; those of 64 bits are looked at by themselves. */
static gboolean
parse_integer_of (WeirFmuType type, const char *text, const char **end, double *number)
{
  static const struct {
    gint64 least, most;
  } ranges[] = {
    [WEIR_FMU_INT8] = { G_MININT8, G_MAXINT8 },    [WEIR_FMU_UINT8] = { 0, G_MAXUINT8 },
    [WEIR_FMU_INT16] = { G_MININT16, G_MAXINT16 }, [WEIR_FMU_UINT16] = { 0, G_MAXUINT16 },
    [WEIR_FMU_INT32] = { G_MININT32, G_MAXINT32 }, [WEIR_FMU_UINT32] = { 0, G_MAXUINT32 },
  };
  gint64 signed_number;
  guint64 unsigned_number;

  if (type == WEIR_FMU_UINT64)
    {
      if (!parse_unsigned (text, end, G_MAXUINT64, &unsigned_number))
        return FALSE;
      *number = (double) unsigned_number;
      return TRUE;
    }
  if (!parse_integer (text, end, type <= WEIR_FMU_UINT32 ? ranges[type].least : G_MININT64,
                      type <= WEIR_FMU_UINT32 ? ranges[type].most : G_MAXINT64, &signed_number))
    return FALSE;
  *number = (double) signed_number;
  return TRUE;
}

static gboolean
parse_start (WeirFmuType type, const char *text, const char **end, double *number)
{
  static const struct {
    const char *text;
    double value;
  } words[] = { { "true", 1 }, { "false", 0 }, { "1", 1 }, { "0", 0 } };

  if (weir_fmu_type_is_float (type))
    return parse_double (text, end, number);
  if (type != WEIR_FMU_BOOLEAN)
    return parse_integer_of (type, text, end, number);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (text, words[i].text) && is_end (text + strlen (words[i].text)))
      {
        *end = text + strlen (words[i].text);
        *number = words[i].value;
        return TRUE;
      }
  return FALSE;
}

/* Of pairs of hexadecimal digits, or NULL. (transfer full) */
static char *
dup_bytes (const char *digits, gsize *size)
{
  gsize length = strlen (digits);
  g_autofree char *bytes = g_malloc (length / 2 + 1);

  if (length % 2 != 0 || strspn (digits, "0123456789abcdefABCDEF") != length)
    return NULL;
  *size = length / 2;
  for (gsize i = 0; i < *size; i++)
    bytes[i] = (char) (g_ascii_xdigit_value (digits[2 * i]) << 4
                       | g_ascii_xdigit_value (digits[2 * i + 1]));
  bytes[*size] = '\0';
  return g_steal_pointer (&bytes);
}

void
weir_fmu_read_start_text (WeirFmuReading *r, WeirFmuType type, const char *value)
{
  g_autofree char *bytes = NULL;
  WeirFmuText text = { value, 0 };

  if (type == WEIR_FMU_BINARY)
    text.data = bytes = dup_bytes (value, &text.size);
  else
    text.size = strlen (value);
  if (text.data == NULL)
    {
      pass_over (r, "value", value, N_ ("row of pairs of hexadecimal digits"));
      return;
    }
  text.data = weir_fmu_keep (r, text.data, text.size + 1);
  g_array_append_val (r->texts, text);
}

void
weir_fmu_read_start (WeirFmuReading *r, WeirFmuVariable *variable)
{
  const char *value = weir_xml_get_attribute (&r->xml, "start");
  WeirFmuType type = variable->traits.type;
  gboolean is_exact = TRUE;

  if (value == NULL || type == WEIR_FMU_CLOCK)
    return;
  if (type == WEIR_FMU_STRING || type == WEIR_FMU_BINARY)
    {
      weir_fmu_read_start_text (r, type, value);
      return;
    }
  g_array_set_size (r->doubles, 0);
  for (const char *p = skip_space (value); *p != '\0'; p = skip_space (p))
    {
      double number;

      if (!parse_start (type, p, &p, &number))
        {
          pass_over (r, "start", value, weir_fmu_type_get_name (type));
          return;
        }
      is_exact &= weir_fmu_type_is_float (type) || fabs (number) <= MAX_EXACT;
      g_array_append_val (r->doubles, number);
    }
  if (!is_exact)
    weir_fmu_warn (r, "FMU22",
                   "A start value is beyond 2^53: Weir keeps integers as doubles, which do not "
                   "hold it exactly.");
  if (r->doubles->len > 0)
    variable->start = weir_fmu_keep (r, r->doubles->data, r->doubles->len * sizeof (double));
  variable->n_start = r->doubles->len;
}

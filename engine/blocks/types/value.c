/* Parameter values as text: numbers, vectors and matrices, in the C locale whatever the user's
 * locale is.
 *
 * Reading and writing agree: a written value reads back to the same bits. Not-a-number cannot be
 * written by a user and is refused.
 */
#include "blocks/types/block-type.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "numerics/number.h"

static const char *
skip_space (const char *p)
{
  while (g_ascii_isspace (*p))
    p++;
  return p;
}

/* Reads one number at @p; NULL if there is none. Decimal only: no hexadecimal, no "nan". */
static const char *
parse_number (const char *p, double *value)
{
  const char *digits = p + (*p == '-' || *p == '+');
  char *end;

  if (g_ascii_strncasecmp (digits, "inf", 3) == 0)
    {
      *value = *p == '-' ? -INFINITY : INFINITY;
      return digits + 3;
    }
  if (!g_ascii_isdigit (*digits) && *digits != '.')
    return NULL;
  if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
    return NULL;
  *value = weir_number_read (p, &end);
  return end == p ? NULL : end;
}

static gboolean
looks_like_decimal_comma (const char *text)
{
  const char *comma = strchr (text, ',');

  return comma != NULL && comma > text && g_ascii_isdigit (comma[-1]) && g_ascii_isdigit (comma[1]);
}

static double *
refuse (const char *text, GError **error)
{
  if (*skip_space (text) == '\0')
    weir_error_set (error, WEIR_ERROR_INVALID, "A number is missing.");
  else if (*skip_space (text) == '[')
    weir_error_set (error, WEIR_ERROR_INVALID, "\"%s\" is not a vector such as [1, 2.5, -3].",
                    text);
  else if (looks_like_decimal_comma (text))
    weir_error_set (error, WEIR_ERROR_INVALID,
                    "\"%s\" is not a number; write a decimal point, and a vector as [1, 2].", text);
  else
    weir_error_set (error, WEIR_ERROR_INVALID, "\"%s\" is not a number.", text);
  return NULL;
}

/* Elements of a row are separated by commas, white space or both, rows by semicolons. NULL without
 * an error if it is not so. */
static double *
parse_rows (const char *text, guint *n_rows, guint *n_columns)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const char *p = skip_space (text);
  gboolean is_vector = *p == '[';
  guint row_start = 0;
  double value;

  *n_rows = 1;
  *n_columns = 0;
  if (is_vector)
    p = skip_space (p + 1);
  do
    {
      const char *end = parse_number (p, &value);

      if (end == NULL)
        return NULL;
      g_array_append_val (values, value);
      p = skip_space (end);
      if (!is_vector)
        break;
      if (*p == ';')
        {
          if (*n_rows > 1 && values->len - row_start != *n_columns)
            return NULL;
          *n_columns = values->len - row_start;
          row_start = values->len;
          ++*n_rows;
          p = skip_space (p + 1);
        }
      else if (*p == ',')
        {
          p = skip_space (p + 1);
          if (*p == ']')
            return NULL;
        }
      else if (*p != ']' && p == end)
        return NULL;
    }
  while (*p != ']');
  if (is_vector)
    p = skip_space (p + 1);
  if (*p != '\0' || (*n_rows > 1 && values->len - row_start != *n_columns))
    return NULL;

  *n_columns = values->len - row_start;
  return (double *) g_array_free (g_steal_pointer (&values), FALSE);
}

double *
weir_value_parse (const char *text, guint *size, GError **error)
{
  guint n_rows;
  g_autofree double *values = parse_rows (text, &n_rows, size);

  return values != NULL && n_rows == 1 ? g_steal_pointer (&values) : refuse (text, error);
}

double *
weir_matrix_parse (const char *text, guint *n_rows, guint *n_columns, GError **error)
{
  double *values = parse_rows (text, n_rows, n_columns);

  if (values == NULL)
    weir_error_set (error, WEIR_ERROR_INVALID,
                    "\"%s\" is not a matrix such as [1, 2; 3, 4], with rows of one length.", text);
  return values;
}

char *
weir_value_to_string (const double *value, guint size)
{
  GString *text = g_string_new (size == 1 ? "" : "[");
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < size; i++)
    {
      if (i > 0)
        g_string_append (text, ", ");
      g_string_append (text, weir_number_to_text (value[i], buffer));
    }
  if (size != 1)
    g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* Reading tables of numbers from text files (CSV): strictly, or not at all.
 *
 * What parts the columns is what stands first in this list and in the first line that is not empty:
 * tabs, semicolons, commas, blanks. Commas between digits in a line that has blanks besides are
 * decimal commas, as they are wherever commas do not part columns and the first number that has a
 * comma or a point has a comma. The first line is a header if none of its fields begins as a
 * number. Everything else is rows of numbers, as many in each, with ascending times first.
 *
 * A guess that is wrong would be a wrong result without a word: whatever does not fit is refused
 * with its line and column, and what was guessed can be told.
 */
#include "blocks/library/table-file.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/file.h"
#include "base/phrase.h"
#include "base/text.h"

/* Numbers kept for one that was read: in the array here, which doubles, in the leaf, in contexts.
 */
#define COPIES 6
#define MAX_SHOWN 24 /* bytes of a field that is complained about */

typedef struct {
  const char *path;
  const char *at, *end;     /* the rest of the text */
  const char *line, *after; /* the line under way, and where it ends */
  guint number;             /* of that line, from 1 */
  char separator;           /* 0: not known yet */
  char mark;                /* of decimals, '.' or ','; 0: not known yet */
  gboolean has_header;
  GArray *row;     /* double; of the line under way */
  guint n_columns; /* of the first row; 0: there is none yet */
  guint n_rows;
  GError **error;
} Reader;

/* @place: in the line under way. FALSE, so that it can be returned. */
static gboolean G_GNUC_PRINTF (3, 4)
    refuse (Reader *self, const char *place, const char *format, ...)
{
  g_autoptr (WeirMessage) text = NULL;
  va_list arguments;
  guint column = 1;

  for (const char *p = self->line; p < place; p++)
    column += (*p & 0xc0) != 0x80; /* characters, not bytes */
  va_start (arguments, format);
  text = weir_message_new_valist (format, arguments);
  va_end (arguments);
  weir_error_set (self->error, WEIR_ERROR_INVALID, "%s, line %u, column %u: %s", self->path,
                  self->number, column, weir_message_get_text (text));
  return FALSE;
}

/* --- Lines and fields ------------------------------------------------------------------------ */

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

/* The next line that is not empty; FALSE at the end. Lines end in LF, CR LF or CR. */
static gboolean
next_line (Reader *self)
{
  gboolean is_empty = TRUE;

  while (is_empty && self->at < self->end)
    {
      const char *p = self->at;

      for (; p < self->end && *p != '\n' && *p != '\r'; p++)
        is_empty = is_empty && is_blank (*p);
      self->line = self->at;
      self->after = p;
      self->number++;
      if (p + 1 < self->end && p[0] == '\r' && p[1] == '\n')
        p++;
      self->at = p < self->end ? p + 1 : p;
    }
  return !is_empty;
}

/* From @*p on, past what parts it from the one before, without blanks around it. FALSE where there
 * is none. @is_first: of the line. */
static gboolean
next_field (const Reader *self, const char **p, gboolean is_first, const char **begin,
            const char **end)
{
  const char *at = *p, *stop;

  if (self->separator == ' ')
    {
      while (at < self->after && is_blank (*at))
        at++;
      if (at == self->after)
        return FALSE;
      for (stop = at; stop < self->after && !is_blank (*stop); stop++)
        ;
      *p = stop;
    }
  else
    {
      if (!is_first && at == self->after)
        return FALSE;
      at += is_first ? 0 : 1;
      stop = memchr (at, self->separator, (gsize) (self->after - at));
      *p = stop = stop != NULL ? stop : self->after;
      while (at < stop && is_blank (*at))
        at++;
      while (stop > at && is_blank (stop[-1]))
        stop--;
    }
  *begin = at;
  *end = stop;
  return TRUE;
}

static gboolean
is_digit_at (const Reader *self, const char *p)
{
  return p >= self->line && p < self->after && g_ascii_isdigit (*p);
}

static char
find_separator (const Reader *self)
{
  gsize size = (gsize) (self->after - self->line);
  const char *first = self->line, *last = self->after;
  gboolean has_blanks = FALSE, are_decimal = TRUE, has_commas = FALSE;

  if (memchr (first, '\t', size) != NULL)
    return '\t';
  if (memchr (first, ';', size) != NULL)
    return ';';
  while (first < last && is_blank (*first))
    first++;
  while (last > first && is_blank (last[-1]))
    last--;
  for (const char *p = first; p < last; p++)
    {
      has_blanks |= is_blank (*p);
      if (*p != ',')
        continue;
      has_commas = TRUE;
      are_decimal &= is_digit_at (self, p - 1) && is_digit_at (self, p + 1);
    }
  return has_commas && !(has_blanks && are_decimal) ? ',' : ' ';
}

/* --- Numbers --------------------------------------------------------------------------------- */

static gboolean
is_word (const char *p, const char *end, const char *word)
{
  gsize length = strlen (word);

  return (gsize) (end - p) >= length && g_ascii_strncasecmp (p, word, length) == 0;
}

static const char *
skip_sign (const char *p, const char *end)
{
  return p < end && (*p == '-' || *p == '+') ? p + 1 : p;
}

/* What computers write where a number is none. */
static gboolean
is_not_finite (const char *p, const char *end)
{
  p = skip_sign (p, end);
  return (is_word (p, end, "nan") && (end - p == 3 || p[3] == '('))
         || (is_word (p, end, "inf") && end - p == 3)
         || (is_word (p, end, "infinity") && end - p == 8);
}

static gboolean
begins_as_number (const char *p, const char *end)
{
  if (is_not_finite (p, end))
    return TRUE;
  p = skip_sign (p, end);
  if (p < end && (*p == '.' || *p == ','))
    p++;
  return p < end && g_ascii_isdigit (*p);
}

static gboolean
refuse_field (Reader *self, const char *p, const char *end)
{
  g_autofree char *field = g_strndup (p, MIN ((gsize) (end - p), MAX_SHOWN));
  g_autofree char *shown = g_strescape (field, NULL);
  const char *digits = skip_sign (p, end);

  if (p == end)
    return refuse (self, p, N_ ("a number is missing."));
  if (memchr (p, '\0', (gsize) (end - p)) != NULL)
    return refuse (
        self, memchr (p, '\0', (gsize) (end - p)),
        N_ ("a byte is 0, which is none of a text; the file is damaged or of another kind."));
  if (is_not_finite (p, end))
    return refuse (self, p, N_ ("\"%s\" is not a finite number; leave such rows out."), shown);
  if (is_word (digits, end, "0x"))
    return refuse (self, p, N_ ("\"%s\" is hexadecimal; write a decimal number."), shown);
  return refuse (self, p,
                 self->mark == ','   ? N_ ("\"%s\" is not a number with a decimal comma.")
                 : self->mark == '.' ? N_ ("\"%s\" is not a number with a decimal point.")
                                     : N_ ("\"%s\" is not a number."),
                 shown);
}

static const char *
skip_digits (const char *p, const char *end)
{
  while (p < end && g_ascii_isdigit (*p))
    p++;
  return p;
}

/* Digits, a decimal mark, an exponent: nothing else. */
static gboolean
read_number (Reader *self, const char *begin, const char *end, double *number)
{
  char buffer[512];
  const char *p = skip_digits (skip_sign (begin, end), end);
  gboolean has_digits = p > skip_sign (begin, end);
  char *mark = NULL;

  if ((gsize) (end - begin) >= sizeof buffer)
    return refuse_field (self, begin, end);
  memcpy (buffer, begin, (gsize) (end - begin));
  buffer[end - begin] = '\0';
  if (p < end && (*p == '.' || (*p == ',' && self->separator != ',')))
    {
      if (self->mark == 0)
        self->mark = *p;
      if (*p != self->mark)
        return refuse_field (self, begin, end);
      mark = buffer + (p - begin);
      *mark = '.';
      has_digits |= is_digit_at (self, p + 1);
      p = skip_digits (p + 1, end);
    }
  if (has_digits && p < end && (*p == 'e' || *p == 'E'))
    {
      const char *exponent = skip_sign (p + 1, end);

      p = skip_digits (exponent, end);
      has_digits = p > exponent;
    }
  if (!has_digits || p != end)
    return refuse_field (self, begin, end);
  *number = g_ascii_strtod (buffer, NULL);
  if (!isfinite (*number))
    return refuse (self, begin, N_ ("the number is too large."));
  return TRUE;
}

/* --- Rows ------------------------------------------------------------------------------------ */

static gboolean
is_header (const Reader *self)
{
  const char *p = self->line, *begin, *end;

  for (gboolean is_first = TRUE; next_field (self, &p, is_first, &begin, &end); is_first = FALSE)
    if (begins_as_number (begin, end))
      return FALSE;
  return TRUE;
}

static gboolean
read_row (Reader *self)
{
  const char *p = self->line, *begin, *end;

  g_array_set_size (self->row, 0);
  for (gboolean is_first = TRUE; next_field (self, &p, is_first, &begin, &end); is_first = FALSE)
    {
      double number;

      if (!read_number (self, begin, end, &number))
        return FALSE;
      g_array_append_val (self->row, number);
      if (self->n_columns > 0 && self->row->len > self->n_columns)
        return refuse (self, begin, N_ ("there are more numbers than the %u of the first row."),
                       self->n_columns);
    }
  if (self->row->len < self->n_columns)
    return refuse (self, self->after, N_ ("there are %u numbers where the first row has %u."),
                   self->row->len, self->n_columns);
  self->n_columns = self->row->len;
  return TRUE;
}

/* Appends the row under way to @rows: time, then the chosen columns. */
static gboolean
take_row (Reader *self, const double *columns, guint n_columns, GArray *rows)
{
  double time = g_array_index (self->row, double, 0);
  gsize row_size = 1 + (gsize) n_columns;
  g_autoptr (GError) error = NULL;

  if (rows->len > 0 && !(time > g_array_index (rows, double, rows->len - row_size)))
    return refuse (self, self->line,
                   N_ ("the time %g is not above the one before, %g; times must ascend."), time,
                   g_array_index (rows, double, rows->len - row_size));
  g_array_append_val (rows, time);
  for (guint i = 0; i < n_columns; i++)
    {
      if (columns[i] != floor (columns[i]) || columns[i] >= self->row->len)
        return refuse (self, self->after,
                       N_ ("column %g is chosen, but there are %u after the time."), columns[i],
                       self->row->len - 1);
      g_array_append_val (rows, g_array_index (self->row, double, (guint) columns[i]));
    }
  self->n_rows++;
  if (!weir_budget_allows (rows->len, COPIES * sizeof (double), N_ ("The table up to here"),
                           N_ ("choose fewer columns, or make the file shorter"), &error))
    return refuse (self, self->line, "%s", weir_error_get_text (error));
  return TRUE;
}

static gboolean
read_lines (Reader *self, const double *columns, guint n_columns, GArray *rows)
{
  while (next_line (self))
    {
      if (self->separator == 0)
        {
          self->separator = find_separator (self);
          self->has_header = is_header (self);
          if (self->has_header)
            continue;
        }
      if (!read_row (self) || !take_row (self, columns, n_columns, rows))
        return FALSE;
    }
  if (self->n_rows > 0)
    return TRUE;
  weir_error_set (self->error, WEIR_ERROR_INVALID, "%s: there is no row of numbers.", self->path);
  return FALSE;
}

/* What was found by rule, unless that is what everybody expects. (transfer full) or NULL */
static WeirMessage *
describe (const Reader *self)
{
  const char *separator = self->separator == '\t'  ? weir_phrase (N_ ("tabs"))
                          : self->separator == ';' ? weir_phrase (N_ ("semicolons"))
                                                   : weir_phrase (N_ ("blanks"));
  g_autofree char *basename = NULL;

  if (self->separator == ',')
    return NULL;
  basename = g_path_get_basename (self->path);
  return weir_message_new (
      N_ ("%s was read as %u rows of %u numbers parted by %s, with decimal %s%s."), basename,
      self->n_rows, self->n_columns, separator,
      self->mark == ',' ? weir_phrase (N_ ("commas")) : weir_phrase (N_ ("points")),
      self->has_header ? weir_phrase (N_ (", below a header")) : "");
}

GArray *
weir_table_read (const char *path, const double *columns, guint n_columns, WeirMessage **note,
                 GError **error)
{
  static const char utf8_mark[] = "\xef\xbb\xbf";
  g_autoptr (GError) cause = NULL;
  g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_TABLE, &cause);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) row = g_array_new (FALSE, FALSE, sizeof (double));
  Reader reader = { .path = path, .row = row, .error = error };
  gsize size;

  *note = NULL;
  if (bytes == NULL)
    {
      weir_error_set (error, WEIR_ERROR_FILE, "%s.", weir_error_get_text (cause));
      return NULL;
    }
  reader.at = g_bytes_get_data (bytes, &size);
  reader.end = reader.at + size;
  if (size >= 3 && memcmp (reader.at, utf8_mark, 3) == 0)
    reader.at += 3;
  else if (size >= 2
           && (memcmp (reader.at, "\xff\xfe", 2) == 0 || memcmp (reader.at, "\xfe\xff", 2) == 0))
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "%s: the text is in UTF-16; save it in UTF-8.",
                      path);
      return NULL;
    }
  if (!read_lines (&reader, columns, n_columns, rows))
    return NULL;
  *note = describe (&reader);
  return g_steal_pointer (&rows);
}

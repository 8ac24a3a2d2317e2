/* Sentences as data. See message.h.
 *
 * A message holds the pieces that its places were filled with, each written by its own conversion.
 * A translation is put together from its literal parts and these pieces.
 */
#include "base/message.h"

#include <string.h>

#include "base/text.h"

struct _WeirMessage {
  gatomicrefcount ref_count;
  const char *format; /* interned; NULL: a literal, or two that are joined */
  char **pieces;      /* NULL-terminated: what stands in the places of the format */
  WeirMessage *first, *second;
  char *between;
  char *text;
};

/* A conversion: "%", what stands between, and its letter. */
typedef struct {
  const char *start, *end; /* behind its letter */
  guint place;             /* from 1 as in "%2$s"; 0: the next one */
  guint n_long;            /* 'l' once or twice, 'z' or 'j' like one */
  gboolean has_star;       /* a precision or width that is an argument */
  char letter;
} Conversion;

/* The next conversion at or after @p; FALSE if there is none. "%%" is one, too. */
static gboolean
find_conversion (const char *p, Conversion *found)
{
  const char *digits;
  char *end;
  guint64 place;

  p = strchr (p, '%');
  if (p == NULL)
    return FALSE;
  *found = (Conversion) { .start = p++ };
  digits = p;
  place = g_ascii_isdigit (*p) ? g_ascii_strtoull (digits, &end, 10) : 0;
  if (place > 0 && *end == '$')
    {
      found->place = (guint) MIN (place, G_MAXUINT);
      p = end + 1;
    }
  for (; *p != '\0' && strchr ("-+ #0123456789.*", *p) != NULL; p++)
    found->has_star |= *p == '*';
  for (; *p != '\0' && strchr ("lhzj", *p) != NULL; p++)
    found->n_long += *p != 'h';
  if (*p == '\0')
    return FALSE;
  found->letter = *p;
  found->end = p + 1;
  return TRUE;
}

/* What the next argument is in the place of @conversion. NULL: no letter that is known. */
static char *
fill (const Conversion *conversion, va_list *args)
{
  g_autofree char *format = g_strndup (conversion->start,
                                       (gsize) (conversion->end - conversion->start));

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  switch (conversion->letter)
    {
    case 's':
      if (conversion->has_star)
        {
          int precision = va_arg (*args, int);

          return g_strdup_printf (format, precision, va_arg (*args, const char *));
        }
      return g_strdup_printf (format, va_arg (*args, const char *));
    case 'c':
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
      if (conversion->n_long == 0)
        return g_strdup_printf (format, va_arg (*args, int));
      return conversion->n_long == 1 ? g_strdup_printf (format, va_arg (*args, long))
                                     : g_strdup_printf (format, va_arg (*args, long long));
    case 'e':
    case 'f':
    case 'g':
      return g_strdup_printf (format, va_arg (*args, double));
    default:
      return NULL;
    }
#pragma GCC diagnostic pop
}

/* @format with its places filled. NULL: it names one that there is not. (transfer full) */
static char *
put_together (const char *format, char *const *pieces)
{
  GString *text = g_string_new (NULL);
  guint n = g_strv_length ((char **) pieces), next = 0;
  Conversion conversion;

  for (; find_conversion (format, &conversion); format = conversion.end)
    {
      g_string_append_len (text, format, conversion.start - format);
      if (conversion.letter == '%')
        g_string_append_c (text, '%');
      else
        {
          guint place = conversion.place > 0 ? conversion.place - 1 : next++;

          if (place >= n)
            {
              g_string_free (text, TRUE);
              return NULL;
            }
          g_string_append (text, pieces[place]);
        }
    }
  g_string_append (text, format);
  return g_string_free (text, FALSE);
}

WeirMessage *
weir_message_new_valist (const char *format, va_list args)
{
  WeirMessage *self = g_new0 (WeirMessage, 1);
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func (g_free);
  Conversion conversion;
  va_list rest;

  va_copy (rest, args);
  g_atomic_ref_count_init (&self->ref_count);
  self->text = g_strdup_vprintf (format, args);
  for (const char *p = format; find_conversion (p, &conversion); p = conversion.end)
    if (conversion.letter != '%')
      {
        char *piece = fill (&conversion, &rest);

        if (piece == NULL)
          {
            va_end (rest);
            return self;
          }
        g_ptr_array_add (pieces, piece);
      }
  va_end (rest);
  g_ptr_array_add (pieces, NULL);
  self->format = g_intern_string (format);
  self->pieces = (char **) g_ptr_array_steal (pieces, NULL);
  return self;
}

WeirMessage *
weir_message_new (const char *format, ...)
{
  WeirMessage *self;
  va_list args;

  va_start (args, format);
  self = weir_message_new_valist (format, args);
  va_end (args);
  return self;
}

WeirMessage *
weir_message_new_literal (const char *text)
{
  WeirMessage *self = g_new0 (WeirMessage, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->text = g_strdup (text);
  return self;
}

WeirMessage *
weir_message_join (WeirMessage *first, const char *between, WeirMessage *second)
{
  g_autofree char *text = g_strconcat (first->text, between, second->text, NULL);
  WeirMessage *self = weir_message_new_literal (text);

  self->first = first;
  self->second = second;
  self->between = g_strdup (between);
  return self;
}

WeirMessage *
weir_message_ref (WeirMessage *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_message_unref (WeirMessage *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  weir_message_unref (self->first);
  weir_message_unref (self->second);
  g_free (self->between);
  g_strfreev (self->pieces);
  g_free (self->text);
  g_free (self);
}

const char *
weir_message_get_text (const WeirMessage *self)
{
  return self->text;
}

char *
weir_message_translate (const WeirMessage *self)
{
  const char *format;
  char *text;

  if (self->first != NULL)
    {
      g_autofree char *first = weir_message_translate (self->first);
      g_autofree char *second = weir_message_translate (self->second);

      return g_strconcat (first, self->between, second, NULL);
    }
  format = self->format != NULL ? weir_translate (self->format) : NULL;
  text = format != NULL && format != self->format ? put_together (format, self->pieces) : NULL;

  return text != NULL ? text : g_strdup (self->text);
}

/* Sentences as data. See message.h.
 *
 * A message holds the pieces that its places were filled with, each written by its own conversion.
 * A translation is put together from its literal parts and these pieces, or the translations of
 * those that are messages.
 */
#include "base/message.h"
#include "base/phrase.h"

#include <string.h>

#include "base/sync.h"
#include "base/text.h"

struct _WeirMessage {
  gatomicrefcount ref_count;
  const char *format; /* interned; NULL: a literal, or two that are joined */
  GPtrArray *pieces;  /* char *: what stands in the places of the format */
  GPtrArray *parts;   /* WeirMessage, by piece: where it is its text, else NULL */
  WeirMessage *first, *second;
  char *between;
  WeirMessageRewrite rewrite; /* NULL: the message is none that was rewritten, which is the first */
  gpointer data;
  GDestroyNotify free_data;
  char *text;
};

/* --- Those that there are -------------------------------------------------------------------- */

static GMutex mutex;
static GHashTable *messages; /* WeirMessage by the address of its text */

/* There is a message now. */
static WeirMessage *
enter (WeirMessage *self)
{
  weir_sync_lock (&mutex);
  if (messages == NULL)
    messages = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (messages, self->text, self);
  weir_sync_unlock (&mutex);
  return self;
}

static void
leave (WeirMessage *self)
{
  weir_sync_lock (&mutex);
  g_hash_table_remove (messages, self->text);
  weir_sync_unlock (&mutex);
}

/* The message whose text it is. Who passes the text holds that: it does not go meanwhile.
 * (transfer full) (nullable) */
static WeirMessage *
find_message (const char *text)
{
  WeirMessage *self;

  weir_sync_lock (&mutex);
  self = messages != NULL ? weir_message_ref (g_hash_table_lookup (messages, text)) : NULL;
  weir_sync_unlock (&mutex);
  return self;
}

/* --- Conversions ----------------------------------------------------------------------------- */

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

/* What the next argument is in the place of @conversion. NULL: no letter that is known. @part:
 * (out) the message that it is all of. */
static char *
fill (const Conversion *conversion, va_list *args, WeirMessage **part)
{
  g_autofree char *format = g_strndup (conversion->start,
                                       (gsize) (conversion->end - conversion->start));
  const char *string;

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
      string = va_arg (*args, const char *);
      if (conversion->end - conversion->start == strlen ("%s"))
        *part = find_message (string);
      return g_strdup_printf (format, string);
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
put_together (const char *format, const WeirMessage *self)
{
  GString *text = g_string_new (NULL);
  guint next = 0;
  Conversion conversion;

  for (; find_conversion (format, &conversion); format = conversion.end)
    {
      g_string_append_len (text, format, conversion.start - format);
      if (conversion.letter == '%')
        g_string_append_c (text, '%');
      else
        {
          guint place = conversion.place > 0 ? conversion.place - 1 : next++;

          g_autofree char *part = NULL;

          if (place >= self->pieces->len)
            {
              g_string_free (text, TRUE);
              return NULL;
            }
          if (self->parts->pdata[place] != NULL)
            part = weir_message_translate (self->parts->pdata[place]);
          g_string_append (text, part != NULL ? part : self->pieces->pdata[place]);
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
  g_autoptr (GPtrArray)
      parts = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_message_unref);
  Conversion conversion;
  va_list rest;

  va_copy (rest, args);
  g_atomic_ref_count_init (&self->ref_count);
  self->text = g_strdup_vprintf (format, args);
  for (const char *p = format; find_conversion (p, &conversion); p = conversion.end)
    if (conversion.letter != '%')
      {
        WeirMessage *part = NULL;
        char *piece = fill (&conversion, &rest, &part);

        if (piece == NULL)
          {
            va_end (rest);
            return enter (self);
          }
        g_ptr_array_add (pieces, piece);
        g_ptr_array_add (parts, part);
      }
  va_end (rest);
  self->format = g_intern_string (format);
  self->pieces = g_steal_pointer (&pieces);
  self->parts = g_steal_pointer (&parts);
  return enter (self);
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
  return enter (self);
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
weir_message_new_list (const char *const *names)
{
  guint n = g_strv_length ((char **) names);
  g_autoptr (GString) but_last = g_string_new (NULL);

  if (n < 2)
    return weir_message_new_literal (n > 0 ? names[0] : "");
  for (guint i = 0; i + 1 < n; i++)
    g_string_append_printf (but_last, "%s%s", i > 0 ? ", " : "", names[i]);
  return weir_message_new (N_ ("%s and %s"), but_last->str, names[n - 1]);
}

WeirMessage *
weir_message_rewrite (WeirMessage *first, WeirMessageRewrite rewrite, gpointer data,
                      GDestroyNotify free_data)
{
  g_autofree char *text = rewrite (first->text, FALSE, data);
  WeirMessage *self = weir_message_new_literal (text);

  self->first = first;
  self->rewrite = rewrite;
  self->data = data;
  self->free_data = free_data;
  return self;
}

const char *
weir_phrase (const char *text)
{
  static GMutex phrases_mutex;
  static GHashTable *phrases; /* WeirMessage by its text */
  WeirMessage *message;

  message = find_message (text);
  if (message != NULL)
    {
      weir_message_unref (message); /* whose text is the caller's */
      return text;
    }
  weir_sync_lock (&phrases_mutex);
  if (phrases == NULL)
    phrases = g_hash_table_new (g_str_hash, g_str_equal);
  message = g_hash_table_lookup (phrases, text);
  if (message == NULL)
    {
      message = weir_message_new ("%s", text);
      message->format = g_intern_string (text);
      g_hash_table_insert (phrases, message->text, message);
    }
  weir_sync_unlock (&phrases_mutex);
  return message->text;
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
  leave (self);
  weir_message_unref (self->first);
  weir_message_unref (self->second);
  g_free (self->between);
  if (self->free_data != NULL)
    self->free_data (self->data);
  g_clear_pointer (&self->pieces, g_ptr_array_unref);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_free (self->text);
  g_free (self);
}

const char *
weir_message_get_text (const WeirMessage *self)
{
  return self->text;
}

/* Whether there is anything in @format to translate: "%s: %s" is the same in all languages. */
static gboolean
has_words (const char *format)
{
  Conversion conversion = { .end = format };
  const char *from = format;

  while (find_conversion (from, &conversion))
    {
      for (; from < conversion.start; from++)
        if (g_ascii_isalpha (*from))
          return TRUE;
      from = conversion.end;
    }
  for (; *from != '\0'; from++)
    if (g_ascii_isalpha (*from))
      return TRUE;
  return FALSE;
}

char *
weir_message_translate (const WeirMessage *self)
{
  const char *format;
  char *text = NULL;

  if (self->first != NULL)
    {
      g_autofree char *first = weir_message_translate (self->first), *second = NULL;

      if (self->rewrite != NULL)
        return strcmp (first, self->first->text) == 0 ? g_strdup (self->text)
                                                      : self->rewrite (first, TRUE, self->data);
      second = weir_message_translate (self->second);
      return g_strconcat (first, self->between, second, NULL);
    }
  format = self->format != NULL ? weir_translate (self->format) : NULL;
  if (format != NULL && (format != self->format || !has_words (format)))
    text = put_together (format, self);
  return text != NULL ? text : g_strdup (self->text);
}

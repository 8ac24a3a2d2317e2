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
  char *format;      /* NULL: a literal, or two that are joined */
  GPtrArray *pieces; /* char *: what stands in the places of the format */
  GPtrArray *parts;  /* WeirMessage, by piece: where it is its text, else NULL */
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
put_together (const char *format, const WeirMessage *self, gboolean translates)
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
          if (translates && self->parts->pdata[place] != NULL)
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
  self->format = g_strdup (format);
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
      g_free (message->format);
      message->format = g_strdup (text);
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
  if (self == NULL || !weir_sync_drop (self, &self->ref_count))
    return;
  leave (self);
  g_free (self->format);
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
    text = put_together (format, self, TRUE);
  return text != NULL ? text : g_strdup (self->text);
}

/* --- Stored ----------------------------------------------------------------------------------
 *
 * The text; a separator, the version, and what the text is made of: "f", the format and as many
 * pieces as it has conversions; "j", a message, what stands between, and another; "t", a text. A
 * string has its length before it, "3:abc". What is rewritten is a text.
 */

#define SEPARATOR '\x1e'
#define VERSION '1'
#define MOST_DEPTH 16

static void
append_string (GString *to, char kind, const char *string)
{
  g_string_append_printf (to, "%c%" G_GSIZE_FORMAT ":%s", kind, strlen (string), string);
}

static void
append_message (GString *to, const WeirMessage *self, guint depth)
{
  Conversion conversion;
  guint n = 0;

  if (depth < MOST_DEPTH && self->first != NULL && self->rewrite == NULL)
    {
      append_string (to, 'j', self->between);
      append_message (to, self->first, depth + 1);
      append_message (to, self->second, depth + 1);
      return;
    }
  if (depth == MOST_DEPTH || self->format == NULL)
    {
      append_string (to, 't', self->text);
      return;
    }
  append_string (to, 'f', self->format);
  for (const char *p = self->format; n < self->pieces->len && find_conversion (p, &conversion);
       p = conversion.end)
    if (conversion.letter != '%')
      {
        if (self->parts->pdata[n] != NULL)
          append_message (to, self->parts->pdata[n], depth + 1);
        else
          append_string (to, 't', self->pieces->pdata[n]);
        n++;
      }
}

char *
weir_message_store (const WeirMessage *self)
{
  GString *stored = g_string_new (self->text);

  if (strchr (self->text, SEPARATOR) == NULL && self->rewrite == NULL
      && (self->format != NULL || self->first != NULL))
    {
      g_string_append_c (stored, SEPARATOR);
      g_string_append_c (stored, VERSION);
      append_message (stored, self, 0);
    }
  return g_string_free (stored, FALSE);
}

/* Behind its length. NULL: there is none such. (transfer full) */
static char *
read_string (const char **p)
{
  char *end;
  guint64 length = g_ascii_isdigit (**p) ? g_ascii_strtoull (*p, &end, 10) : 0;
  const char *from;

  if (!g_ascii_isdigit (**p) || *end != ':' || strnlen (end + 1, length) < length)
    return NULL;
  from = end + 1;
  *p = from + length;
  return g_strndup (from, length);
}

static WeirMessage *read_message (const char **p, guint depth);

/* Fills in what stands in the places of its format, from which no place may be left out or taken
 * twice. FALSE: that is not there. */
static gboolean
read_pieces (WeirMessage *self, const char **p, guint depth)
{
  Conversion conversion;

  for (const char *at = self->format; find_conversion (at, &conversion); at = conversion.end)
    {
      WeirMessage *part;

      if (conversion.letter == '%')
        continue;
      part = conversion.place == 0 ? read_message (p, depth + 1) : NULL;
      if (part == NULL)
        return FALSE;
      g_ptr_array_add (self->pieces, g_strdup (part->text));
      g_ptr_array_add (self->parts, part);
    }
  return TRUE;
}

static WeirMessage *
read_format (char *format, const char **p, guint depth)
{
  WeirMessage *self = weir_message_new_literal ("");
  gboolean ok;

  leave (self);
  self->format = format;
  self->pieces = g_ptr_array_new_with_free_func (g_free);
  self->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_message_unref);
  ok = read_pieces (self, p, depth);
  g_free (self->text);
  self->text = ok ? put_together (format, self, FALSE) : g_strdup ("");
  enter (self);
  if (ok)
    return self;
  weir_message_unref (self);
  return NULL;
}

/* NULL: it is none. (transfer full) */
static WeirMessage *
read_message (const char **p, guint depth)
{
  char kind = **p;
  g_autofree char *string = NULL;
  WeirMessage *first, *second;

  if (depth > MOST_DEPTH || kind == '\0')
    return NULL;
  ++*p;
  string = read_string (p);
  if (string == NULL)
    return NULL;
  if (kind == 't')
    return weir_message_new_literal (string);
  if (kind == 'f')
    return read_format (g_steal_pointer (&string), p, depth);
  if (kind != 'j' || (first = read_message (p, depth + 1)) == NULL)
    return NULL;
  second = read_message (p, depth + 1);
  if (second != NULL)
    return weir_message_join (first, string, second);
  weir_message_unref (first);
  return NULL;
}

WeirMessage *
weir_message_restore (const char *stored)
{
  const char *separator = strchr (stored, SEPARATOR);
  g_autofree char *valid = g_utf8_make_valid (stored, -1);
  g_autoptr (WeirMessage) self = NULL;
  const char *p;

  if (separator == NULL || separator[1] != VERSION || strcmp (valid, stored) != 0)
    return weir_message_new_literal (valid);
  p = separator + 2;
  self = read_message (&p, 0);
  if (self == NULL || *p != '\0' || strlen (self->text) != (gsize) (separator - stored)
      || strncmp (self->text, stored, strlen (self->text)) != 0)
    return weir_message_new_literal (stored);
  return g_steal_pointer (&self);
}

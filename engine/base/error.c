/* The error domain of the engine. See error.h. */
#include "base/error.h"

#include <string.h>

typedef struct {
  WeirMessage *message; /* NULL: the text is all there is */
  char *said;           /* its translation, as far as it was asked for */
} WeirErrorPrivate;

static void
weir_error_private_init (G_GNUC_UNUSED WeirErrorPrivate *self)
{
}

static void
weir_error_private_copy (const WeirErrorPrivate *self, WeirErrorPrivate *copy)
{
  copy->message = weir_message_ref (self->message);
}

static void
weir_error_private_clear (WeirErrorPrivate *self)
{
  weir_message_unref (self->message);
  g_free (self->said);
}

G_DEFINE_EXTENDED_ERROR (WeirError, weir_error)

static void
set (GError **error, int code, WeirMessage *message)
{
  g_set_error_literal (error, WEIR_ERROR, code, weir_message_get_text (message));
  weir_error_get_private (*error)->message = message;
}

void
weir_error_set (GError **error, WeirError code, const char *format, ...)
{
  WeirMessage *message;
  va_list args;

  if (error == NULL)
    return;
  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  set (error, (int) code, message);
}

/* NULL: it keeps none, or has got a prefix since. */
static const WeirMessage *
get_message (const GError *error)
{
  const WeirMessage *message = error->domain == WEIR_ERROR ? weir_error_get_private (error)->message
                                                           : NULL;

  return message != NULL && strcmp (weir_message_get_text (message), error->message) == 0 ? message
                                                                                          : NULL;
}

void
weir_error_prefix (GError **error, const char *name)
{
  g_autoptr (GError) old = NULL;

  if (error == NULL || *error == NULL)
    return;
  if (get_message (*error) == NULL)
    {
      g_prefix_error (error, "%s: ", name);
      return;
    }
  old = g_steal_pointer (error);
  set (error, old->code,
       weir_message_new ("%s: %s", name, weir_message_get_text (get_message (old))));
}

const char *
weir_error_get_text (const GError *error)
{
  const WeirMessage *message = get_message (error);

  return message != NULL ? weir_message_get_text (message) : error->message;
}

const char *
weir_error_say (const GError *error)
{
  const WeirMessage *message = get_message (error);
  WeirErrorPrivate *private;

  if (message == NULL)
    return error->message;
  private = weir_error_get_private (error);
  g_free (private->said);
  private->said = weir_message_translate (message);
  return private->said;
}

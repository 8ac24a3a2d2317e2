/* The last lines that an FMU has said. See log.h. */
#include "fmi/log.h"

#include <string.h>

#include "base/sync.h"

struct _WeirFmuLog {
  GMutex mutex;
  char *lines[WEIR_FMU_LOG_LINES]; /* a ring */
  guint64 n;
  char open[WEIR_FMU_LOG_LINE_BYTES + 1]; /* a line without its end */
  gsize n_open;
  gboolean is_open;
};

WeirFmuLog *
weir_fmu_log_new (void)
{
  WeirFmuLog *self = g_new0 (WeirFmuLog, 1);

  g_mutex_init (&self->mutex);
  return self;
}

void
weir_fmu_log_free (WeirFmuLog *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < WEIR_FMU_LOG_LINES; i++)
    g_free (self->lines[i]);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static void
end_line (WeirFmuLog *self)
{
  char **line = &self->lines[self->n % WEIR_FMU_LOG_LINES];

  g_free (*line);
  *line = g_utf8_make_valid (self->open, (gssize) self->n_open);
  self->n++;
  self->n_open = 0;
  self->is_open = FALSE;
}

static void
append (WeirFmuLog *self, const char *text, gsize n)
{
  while (n > 0)
    {
      const char *end = memchr (text, '\n', n);
      gsize size = end != NULL ? (gsize) (end - text) : n;
      gsize kept = MIN (size, WEIR_FMU_LOG_LINE_BYTES - self->n_open);

      memcpy (self->open + self->n_open, text, kept);
      self->n_open += kept;
      self->is_open = TRUE;
      if (end == NULL)
        return;
      end_line (self);
      text += size + 1;
      n -= size + 1;
    }
}

void
weir_fmu_log_append (WeirFmuLog *self, const char *text, gsize n)
{
  weir_sync_lock (&self->mutex);
  append (self, text, n);
  weir_sync_unlock (&self->mutex);
}

void
weir_fmu_log_append_line (WeirFmuLog *self, const char *line)
{
  weir_sync_lock (&self->mutex);
  append (self, line, strlen (line));
  append (self, "\n", 1);
  weir_sync_unlock (&self->mutex);
}

char **
weir_fmu_log_dup_tail (WeirFmuLog *self, guint n)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  guint64 from;

  weir_sync_lock (&self->mutex);
  from = self->n - MIN (self->n, MIN (n, WEIR_FMU_LOG_LINES));
  if (self->is_open && from < self->n && self->n - from == n)
    from++;
  for (guint64 i = from; i < self->n; i++)
    g_ptr_array_add (found, g_strdup (self->lines[i % WEIR_FMU_LOG_LINES]));
  if (self->is_open && n > 0)
    g_ptr_array_add (found, g_utf8_make_valid (self->open, (gssize) self->n_open));
  weir_sync_unlock (&self->mutex);
  if (found->len == 0)
    return NULL;
  g_ptr_array_add (found, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}

guint64
weir_fmu_log_get_n_lines (WeirFmuLog *self)
{
  guint64 n;

  weir_sync_lock (&self->mutex);
  n = self->n;
  weir_sync_unlock (&self->mutex);
  return n;
}

/* Lists of problems. A list is filled by one thread; once it is handed on, nothing in it changes
 * but the file name that weir_diagnostics_set_file() fills in.
 */
#include "base/diagnostic.h"

#include "base/sync.h"
#include "base/text.h"

#define MAX_EQUAL 10  /* that say the same of one path */
#define MAX_KEPT 1000 /* of a severity */

/* One that stands for several that were not kept. */
typedef struct {
  guint n;                 /* found */
  WeirDiagnostic *summary; /* NULL while all are kept */
} Group;

struct _WeirDiagnostics {
  gatomicrefcount ref_count;
  GPtrArray *items;     /* of WeirDiagnostic, owned */
  WeirDiagnostic *last; /* added; NULL if it was not kept */
  GHashTable *alike;    /* what it says (char *) to Group *; made with the second */
  Group severities[WEIR_SEVERITY_ERROR + 1];
  guint n_errors;
};

static void
weir_diagnostic_free (gpointer data)
{
  WeirDiagnostic *diagnostic = data;

  g_free (diagnostic->code);
  g_free (diagnostic->path);
  g_free (diagnostic->subject);
  g_free (diagnostic->wires);
  g_free (diagnostic->file);
  weir_message_unref (diagnostic->message);
  g_free (diagnostic);
}

WeirDiagnostics *
weir_diagnostics_new (void)
{
  WeirDiagnostics *self = g_new0 (WeirDiagnostics, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->items = g_ptr_array_new_with_free_func (weir_diagnostic_free);
  return self;
}

WeirDiagnostics *
weir_diagnostics_ref (WeirDiagnostics *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_diagnostics_unref (WeirDiagnostics *self)
{
  g_return_if_fail (self != NULL);

  if (weir_sync_drop (self, &self->ref_count))
    {
      g_ptr_array_unref (self->items);
      g_clear_pointer (&self->alike, g_hash_table_unref);
      g_free (self);
    }
}

static WeirDiagnostic *
append (WeirDiagnostics *self, const WeirDiagnostic *like)
{
  WeirDiagnostic *diagnostic = g_memdup2 (like, sizeof *like);

  diagnostic->code = g_strdup (like->code);
  diagnostic->path = g_strdup (like->path);
  diagnostic->file = g_strdup (like->file);
  diagnostic->subject = g_strdup (like->subject);
  diagnostic->wires = g_memdup2 (like->wires, like->n_wires * sizeof *like->wires);
  diagnostic->message = weir_message_ref (like->message);
  g_ptr_array_add (self->items, diagnostic);
  return diagnostic;
}

/* Takes over @message. */
static void
set_message (WeirDiagnostic *self, WeirMessage *message)
{
  self->message = message;
  self->text = weir_message_get_text (message);
}

/* Counts @diagnostic in @group, of which @most are kept. FALSE: it is one too many. */
static gboolean
has_room (WeirDiagnostics *self, Group *group, guint most, const WeirDiagnostic *diagnostic)
{
  WeirDiagnostic alone = { .code = diagnostic->code,
                           .severity = diagnostic->severity,
                           .path = diagnostic->path };
  gboolean is_any = most == MAX_KEPT;
  guint n;

  if (++group->n <= most)
    return TRUE;
  if (is_any)
    alone.path = (char *) "";
  if (group->summary == NULL)
    group->summary = append (self, &alone);
  weir_message_unref (group->summary->message);
  n = group->n - most;
  set_message (group->summary,
               !is_any ? weir_message_new (N_ ("The same is to be said %u times more."), n)
               : diagnostic->severity == WEIR_SEVERITY_ERROR
                   ? weir_message_new (N_ ("There are %u more errors, which are not listed."), n)
               : diagnostic->severity == WEIR_SEVERITY_WARNING
                   ? weir_message_new (N_ ("There are %u more warnings, which are not listed."), n)
                   : weir_message_new (N_ ("There are %u more hints, which are not listed."), n));
  return FALSE;
}

/* Takes over @diagnostic. */
static void
take (WeirDiagnostics *self, WeirDiagnostic *diagnostic)
{
  char *key = g_strdup_printf ("%d %s %s: %s", diagnostic->severity, diagnostic->code,
                               diagnostic->path, diagnostic->text);
  Group *severity = &self->severities[diagnostic->severity], *alike;

  if (self->alike == NULL)
    self->alike = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  alike = g_hash_table_lookup (self->alike, key);
  /* One that will not be kept is counted, but not remembered: a file can have millions. */
  if (alike == NULL && severity->n < MAX_KEPT)
    {
      alike = g_new0 (Group, 1);
      g_hash_table_insert (self->alike, g_steal_pointer (&key), alike);
    }
  g_free (key);
  if ((alike == NULL || has_room (self, alike, MAX_EQUAL, diagnostic))
      && has_room (self, severity, MAX_KEPT, diagnostic))
    {
      g_ptr_array_add (self->items, diagnostic);
      self->last = diagnostic;
    }
  else
    {
      weir_diagnostic_free (diagnostic);
      self->last = NULL;
    }
}

void
weir_diagnostics_add_message (WeirDiagnostics *self, WeirSeverity severity, const char *code,
                              const char *path, guint32 block, guint32 wire, int line,
                              WeirMessage *message)
{
  WeirDiagnostic *diagnostic;

  g_return_if_fail (self != NULL);
  g_return_if_fail (code != NULL);
  g_return_if_fail (message != NULL);

  diagnostic = g_new0 (WeirDiagnostic, 1);
  diagnostic->code = g_strdup (code);
  diagnostic->severity = severity;
  diagnostic->path = g_strdup (path != NULL ? path : "");
  diagnostic->block = block;
  diagnostic->wire = wire;
  diagnostic->line = MAX (line, 0);
  set_message (diagnostic, message);
  if (severity == WEIR_SEVERITY_ERROR)
    self->n_errors++;
  take (self, diagnostic);
}

void
weir_diagnostics_add (WeirDiagnostics *self, WeirSeverity severity, const char *code,
                      const char *path, guint32 block, guint32 wire, int line, const char *format,
                      ...)
{
  WeirMessage *message;
  va_list args;

  g_return_if_fail (format != NULL);

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  weir_diagnostics_add_message (self, severity, code, path, block, wire, line, message);
}

void
weir_diagnostics_add_copy (WeirDiagnostics *self, const WeirDiagnostic *other)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (other != NULL);

  self->last = append (self, other);
  if (other->severity == WEIR_SEVERITY_ERROR)
    self->n_errors++;
}

void
weir_diagnostics_set_subject (WeirDiagnostics *self, const char *name)
{
  WeirDiagnostic *last;

  g_return_if_fail (self != NULL && self->items->len > 0);

  last = self->last;
  if (last == NULL)
    return;
  g_free (last->subject);
  last->subject = g_strdup (name);
}

void
weir_diagnostics_set_wires (WeirDiagnostics *self, const guint32 *wires, guint n_wires)
{
  WeirDiagnostic *last;

  g_return_if_fail (self != NULL && self->items->len > 0);

  last = self->last;
  if (last == NULL)
    return;
  g_free (last->wires);
  last->wires = g_memdup2 (wires, n_wires * sizeof *wires);
  last->n_wires = n_wires;
}

guint
weir_diagnostics_get_size (const WeirDiagnostics *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->items->len;
}

const WeirDiagnostic *
weir_diagnostics_get (const WeirDiagnostics *self, guint i)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (i < self->items->len, NULL);

  return g_ptr_array_index (self->items, i);
}

guint
weir_diagnostics_get_n_errors (const WeirDiagnostics *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_errors;
}

gboolean
weir_diagnostics_has_errors (const WeirDiagnostics *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->n_errors > 0;
}

void
weir_diagnostics_set_file (WeirDiagnostics *self, const char *file)
{
  g_return_if_fail (self != NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      WeirDiagnostic *diagnostic = g_ptr_array_index (self->items, i);

      if (diagnostic->file == NULL)
        diagnostic->file = g_strdup (file);
    }
}

const char *
weir_severity_to_string (WeirSeverity severity)
{
  switch (severity)
    {
    case WEIR_SEVERITY_HINT:
      return "hint";
    case WEIR_SEVERITY_WARNING:
      return "warning";
    case WEIR_SEVERITY_ERROR:
      return "error";
    default:
      g_return_val_if_reached ("error");
    }
}

char *
weir_diagnostic_to_string (const WeirDiagnostic *diagnostic)
{
  GString *line;

  g_return_val_if_fail (diagnostic != NULL, NULL);

  line = g_string_new (NULL);
  if (diagnostic->file != NULL)
    g_string_append_printf (line, "%s:", diagnostic->file);
  if (diagnostic->line > 0)
    g_string_append_printf (line, "%d:", diagnostic->line);
  if (line->len > 0)
    g_string_append_c (line, ' ');
  g_string_append_printf (line, "%s[%s]: ", weir_severity_to_string (diagnostic->severity),
                          diagnostic->code);
  if (diagnostic->path[0] != '\0')
    g_string_append_printf (line, "%s: ", diagnostic->path);
  g_string_append (line, diagnostic->text);
  return g_string_free (line, FALSE);
}

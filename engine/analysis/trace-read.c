/* Reading a trace. data/change-log.md describes the format; trace-write.c writes it.
 *
 * Nothing of the file is believed: every number is checked before it is used, so that a trace that
 * was read can be replayed without looking again. The first mistake is reported with its line or
 * record.
 */
#include "analysis/trace-private.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#define RECORD_BYTES 32
#define STEP_BYTES 72

typedef struct {
  const char *at, *end;
  guint line;
  guint64 version;
  WeirTrace *trace;
  GError **error;
} Reader;

static gboolean fail (Reader *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (Reader *self, const char *format, ...)
{
  g_autoptr (WeirMessage) what = NULL;
  va_list arguments;

  va_start (arguments, format);
  what = weir_message_new_valist (format, arguments);
  va_end (arguments);
  if (self->line > 0)
    weir_error_set (self->error, WEIR_ERROR_FILE, "line %u of the change log: %s", self->line,
                    weir_message_get_text (what));
  else
    weir_error_set (self->error, WEIR_ERROR_FILE, "the change log is damaged: %s",
                    weir_message_get_text (what));
  return FALSE;
}

/* --- Lines ----------------------------------------------------------------------------------- */

/* The next line without its end, split at tabs into @n fields. (transfer full); NULL
 * after failing. */
static char **
read_fields (Reader *self, guint n)
{
  const char *end = memchr (self->at, '\n', (gsize) (self->end - self->at));
  g_autofree char *line = NULL;
  g_auto (GStrv) fields = NULL;

  self->line++;
  if (end == NULL)
    {
      fail (self, N_ ("it ends in the middle of the description"));
      return NULL;
    }
  if (memchr (self->at, '\0', (gsize) (end - self->at)) != NULL
      || !g_utf8_validate (self->at, end - self->at, NULL))
    {
      fail (self, N_ ("it is not text"));
      return NULL;
    }
  line = g_strndup (self->at, (gsize) (end - self->at));
  self->at = end + 1;
  fields = g_strsplit (line, "\t", -1);
  if (g_strv_length (fields) != n)
    {
      fail (self, N_ ("there are %u fields where %u belong"), g_strv_length (fields), n);
      return NULL;
    }
  return g_steal_pointer (&fields);
}

static gboolean
parse_number (Reader *self, const char *text, guint64 limit, guint64 *number)
{
  guint64 value = 0;

  for (const char *c = text; *c != '\0'; c++)
    {
      if (!g_ascii_isdigit (*c) || c - text > 18)
        return fail (self, N_ ("\"%.30s\" is not a number that fits here"), text);
      value = value * 10 + (guint64) (*c - '0');
    }
  if (*text == '\0' || value >= limit)
    return fail (self, N_ ("\"%.30s\" is not a number below %llu"), text,
                 (unsigned long long) limit);
  *number = value;
  return TRUE;
}

/* A number below @limit, or "-" for none. */
static gboolean
parse_index (Reader *self, const char *text, guint limit, guint32 *index)
{
  guint64 number;

  *index = WEIR_NO_INDEX;
  if (strcmp (text, "-") == 0)
    return TRUE;
  if (!parse_number (self, text, limit, &number))
    return FALSE;
  *index = (guint32) number;
  return TRUE;
}

static gboolean
parse_owner (Reader *self, const char *text, guint32 *system)
{
  if (!parse_index (self, text, self->trace->parents->len, system))
    return FALSE;
  return *system != WEIR_NO_INDEX || fail (self, N_ ("it belongs to no system"));
}

/* Numbers below @limit, apart by one space, or "-" for none; ends a list of @rows. */
static gboolean
parse_list (Reader *self, const char *text, guint limit, WeirTraceRows *rows)
{
  g_auto (GStrv) parts = NULL;
  guint64 number;

  if (strcmp (text, "-") != 0)
    {
      parts = g_strsplit (text, " ", -1);
      for (guint i = 0; parts[i] != NULL; i++)
        {
          if (!parse_number (self, parts[i], limit, &number))
            return FALSE;
          weir_trace_rows_add (rows, (guint32) number);
        }
    }
  weir_trace_rows_end (rows);
  return TRUE;
}

/* (transfer full); NULL after failing. */
static char *
parse_name (Reader *self, const char *text)
{
  GString *name = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (*text != '\\')
      g_string_append_c (name, *text);
    else if (*++text == '\\' || *text == 'n' || *text == 't')
      g_string_append_c (name, *text == 'n' ? '\n' : *text == 't' ? '\t' : '\\');
    else
      {
        fail (self, N_ ("a name has a backslash before neither \\, n nor t"));
        g_string_free (name, TRUE);
        return NULL;
      }
  return g_string_free (name, FALSE);
}

/* A line of two fields whose first is @key; the second, (transfer full). NULL after failing. */
static char *
read_value (Reader *self, const char *key)
{
  g_auto (GStrv) fields = read_fields (self, 2);

  if (fields == NULL)
    return NULL;
  if (strcmp (fields[0], key) != 0)
    {
      fail (self, N_ ("\"%.30s\" stands where \"%s\" belongs"), fields[0], key);
      return NULL;
    }
  return g_strdup (fields[1]);
}

static gboolean
read_choice (Reader *self, const char *key, const char *first, const char *second,
             gboolean *is_second)
{
  g_autofree char *value = read_value (self, key);

  if (value == NULL)
    return FALSE;
  *is_second = second != NULL && strcmp (value, second) == 0;
  if (*is_second || strcmp (value, first) == 0)
    return TRUE;
  return fail (self, N_ ("%s \"%.30s\" is not known here"), key, value);
}

/* A count; each of what is counted takes at least @bytes of the rest of the file. */
static gboolean
read_count (Reader *self, const char *key, guint64 bytes, guint64 *count)
{
  g_autofree char *value = read_value (self, key);

  if (value == NULL || !parse_number (self, value, G_MAXINT64, count))
    return FALSE;
  if (*count > (guint64) (self->end - self->at) / bytes || *count >= G_MAXINT32)
    return fail (self, N_ ("%s of %s are more than the file holds"), key, value);
  return TRUE;
}

/* --- The graph ------------------------------------------------------------------------------- */

static gboolean
take_name (Reader *self, const char *text, GPtrArray *names)
{
  char *name = parse_name (self, text);

  if (name == NULL)
    return FALSE;
  g_ptr_array_add (names, name);
  return TRUE;
}

static gboolean
read_systems (Reader *self)
{
  WeirTrace *trace = self->trace;
  guint64 n;

  if (!read_count (self, "systems", 3, &n))
    return FALSE;
  if (n == 0)
    return fail (self, N_ ("there is no system"));
  for (guint32 s = 0; s < n; s++)
    {
      g_auto (GStrv) fields = read_fields (self, 2);
      guint32 parent;

      if (fields == NULL || !parse_index (self, fields[0], s, &parent)
          || !take_name (self, fields[1], trace->system_names))
        return FALSE;
      if ((parent == WEIR_NO_INDEX) != (s == 0))
        return fail (self, N_ ("the first system, and no other, has no parent"));
      g_array_append_val (trace->parents, parent);
    }
  return TRUE;
}

static gboolean
read_entries (Reader *self)
{
  WeirTrace *trace = self->trace;
  guint64 n;

  if (!read_count (self, "entries", 10, &n))
    return FALSE;
  for (guint32 e = 0; e < n; e++)
    {
      g_auto (GStrv) fields = read_fields (self, 4);
      guint32 system;
      gboolean lazy;

      /* Where evaluations are rebuilt, the order of numbers is the order of evaluation. */
      if (fields == NULL || !parse_owner (self, fields[0], &system)
          || !parse_list (self, fields[2], trace->stores_evaluations ? (guint) n : e, &trace->reads)
          || !take_name (self, fields[3], trace->entry_names))
        return FALSE;
      lazy = strcmp (fields[1], "lazy") == 0;
      if (!lazy && strcmp (fields[1], "eager") != 0)
        return fail (self, N_ ("\"%.30s\" is neither lazy nor eager"), fields[1]);
      g_array_append_val (trace->entry_systems, system);
      g_array_append_val (trace->lazy, lazy);
    }
  trace->n_words = weir_bits_n_words ((gsize) n);
  return TRUE;
}

static gboolean
read_trackers (Reader *self)
{
  WeirTrace *trace = self->trace;
  g_autofree gboolean *has_tracker = g_new0 (gboolean, trace->entry_names->len + 1);
  guint64 n;

  if (!read_count (self, "trackers", 7, &n))
    return FALSE;
  for (guint32 t = 0; t < n; t++)
    {
      g_auto (GStrv) fields = read_fields (self, 4);
      guint32 system, entry;

      if (fields == NULL || !parse_owner (self, fields[0], &system)
          || !parse_index (self, fields[1], trace->entry_names->len, &entry)
          || !parse_list (self, fields[2], (guint) n, &trace->subscribers)
          || !take_name (self, fields[3], trace->tracker_names))
        return FALSE;
      g_array_append_val (trace->tracker_systems, system);
      g_array_append_val (trace->tracker_entries, entry);
      if (entry != WEIR_NO_INDEX)
        has_tracker[entry] = TRUE;
    }
  for (guint e = 0; e < trace->entry_names->len; e++)
    if (!has_tracker[e])
      return fail (self, N_ ("entry %u has no tracker"), e);
  return TRUE;
}

static gboolean
read_sources (Reader *self)
{
  WeirTrace *trace = self->trace;
  guint64 n;

  if (!read_count (self, "sources", 3, &n))
    return FALSE;
  for (guint32 s = 0; s < n; s++)
    {
      g_auto (GStrv) fields = read_fields (self, 2);
      const guint32 *changed;
      guint n_changed;

      if (fields == NULL
          || !parse_list (self, fields[0], trace->tracker_names->len, &trace->changed)
          || !take_name (self, fields[1], trace->source_names))
        return FALSE;
      changed = weir_trace_get_source_trackers (trace, s, &n_changed);
      for (guint i = 0; i < n_changed; i++)
        if (weir_trace_get_tracker_entry (trace, changed[i]) != WEIR_NO_INDEX)
          return fail (self, N_ ("a change cannot begin at tracker %u, which is an entry's"),
                       changed[i]);
    }
  return TRUE;
}

/* --- Keyframes and records ------------------------------------------------------------------- */

static guint64
get_word (const char *at)
{
  guint64 word;

  memcpy (&word, at, sizeof word);
  return GUINT64_FROM_LE (word);
}

static guint32
get_half (const char *at)
{
  guint32 half;

  memcpy (&half, at, sizeof half);
  return GUINT32_FROM_LE (half);
}

static gboolean
read_keyframes (Reader *self)
{
  WeirTrace *trace = self->trace;
  gsize n_words = WEIR_LOG_KEYFRAME_SIZE (trace->n_words);
  guint tail = weir_trace_get_n_entries (trace) % 64;

  trace->keyframes = g_new (guint64, MAX (trace->n_keyframes, 1) * n_words);
  for (gsize i = 0; i < trace->n_keyframes * n_words; i++, self->at += sizeof (guint64))
    trace->keyframes[i] = get_word (self->at);
  if (trace->n_keyframes == 0)
    return trace->n_records == 0
           || fail (self, N_ ("there is no keyframe before the first record"));
  for (gsize k = 0; k < trace->n_keyframes; k++)
    {
      const guint64 *frame = trace->keyframes + k * n_words;
      guint64 before = k > 0 ? frame[-(gssize) n_words] : 0;

      if (frame[0] > trace->n_records || frame[0] < before || (k == 0 && frame[0] != 0))
        return fail (self, N_ ("keyframe %zu belongs to no record in order"), k);
      for (gsize part = 1; part <= 3 && tail != 0; part++)
        if (frame[1 + part * trace->n_words] >> tail != 0)
          return fail (self, N_ ("keyframe %zu has flags of entries that do not exist"), k);
    }
  return TRUE;
}

static gboolean
has_subject (guint8 kind)
{
  return kind != WEIR_LOG_JOINT && kind != WEIR_LOG_ALL_OUT_OF_DATE && kind != WEIR_LOG_CACHING
         && kind != WEIR_LOG_RESTORED;
}

/* What a record's subject and detail must be below. */
static gboolean
check_record (Reader *self, const WeirLogRecord *record, gsize i)
{
  guint64 n_entries = weir_trace_get_n_entries (self->trace), subject = 0, detail = 1;

  switch (record->kind)
    {
    case WEIR_LOG_EVENT:
    case WEIR_LOG_PART:
      subject = weir_trace_get_n_sources (self->trace);
      break;
    case WEIR_LOG_REQUEST:
    case WEIR_LOG_CALCULATION:
    case WEIR_LOG_WRITE:
      subject = n_entries;
      break;
    case WEIR_LOG_MARK:
    case WEIR_LOG_ENTRY_CACHING:
    case WEIR_LOG_FAILED:
      subject = n_entries;
      detail = 2;
      break;
    case WEIR_LOG_CACHING:
      detail = 2;
      break;
    case WEIR_LOG_NESTED:
    case WEIR_LOG_DEMAND:
    case WEIR_LOG_READ:
    case WEIR_LOG_MEMBER:
    case WEIR_LOG_TRY:
      subject = detail = n_entries;
      break;
    case WEIR_LOG_EVALUATED:
      subject = n_entries;
      detail = 65;
      if (record->detail == 0 || record->subject + (guint64) record->detail > n_entries)
        return fail (self, N_ ("record %zu computed entries that do not exist"), i);
      break;
    case WEIR_LOG_JOINT:
    case WEIR_LOG_ALL_OUT_OF_DATE:
    case WEIR_LOG_RESTORED:
      break;
    default:
      return fail (self, N_ ("record %zu is of a kind that is not known"), i);
    }
  if (record->phase >= WEIR_LOG_N_PHASES || record->reason >= WEIR_LOG_N_REASONS
      || (record->flags & ~WEIR_LOG_ALL_FLAGS) != 0)
    return fail (self, N_ ("record %zu has a phase, reason or flag that is not known"), i);
  /* Where there is none, it is 0. */
  if (record->subject >= subject && (record->subject != 0 || has_subject (record->kind)))
    return fail (self, N_ ("record %zu is about number %u of %llu"), i, record->subject,
                 (unsigned long long) subject);
  if (record->detail >= detail)
    return fail (self, N_ ("record %zu has the detail %u"), i, record->detail);
  return TRUE;
}

static double
get_double (const char *at)
{
  union {
    guint64 bits;
    double number;
  } it = { get_word (at) };

  return it.number;
}

static gboolean
read_steps (Reader *self)
{
  WeirTrace *trace = self->trace;

  trace->steps = g_new (WeirLogStep, MAX (trace->n_steps, 1));
  for (gsize i = 0; i < trace->n_steps; i++, self->at += STEP_BYTES)
    {
      WeirLogStep *step = &trace->steps[i];

      *step = (WeirLogStep) {
        .first = get_word (self->at),
        .end = get_word (self->at + 8),
        .first_at = (gint64) get_word (self->at + 16),
        .end_at = (gint64) get_word (self->at + 24),
        .begin_at = (gint64) get_word (self->at + 32),
        .done_at = (gint64) get_word (self->at + 40),
        .t = get_double (self->at + 48),
        .t_end = get_double (self->at + 56),
        .node = get_half (self->at + 64),
        .thread = get_half (self->at + 68),
      };
      if (step->node >= weir_trace_get_n_systems (trace))
        return fail (self, N_ ("step %zu is of system %u of %u"), i, step->node,
                     weir_trace_get_n_systems (trace));
      if (step->first > step->end || step->end > trace->n_records
          || (i > 0 && step->end < step[-1].end))
        return fail (self, N_ ("step %zu lies between no records in order"), i);
      if (step->first_at < 0 || step->begin_at < step->first_at || step->done_at < step->begin_at
          || step->end_at < step->done_at || (i > 0 && step->end_at < step[-1].end_at))
        return fail (self, N_ ("the times of step %zu are in no order"), i);
    }
  return TRUE;
}

static gboolean
read_records (Reader *self)
{
  WeirTrace *trace = self->trace;

  trace->records = g_new (WeirLogRecord, MAX (trace->n_records, 1));
  for (gsize i = 0; i < trace->n_records; i++, self->at += RECORD_BYTES)
    {
      trace->records[i] = (WeirLogRecord) {
        .time = get_double (self->at),
        .number = get_word (self->at + 8),
        .subject = get_half (self->at + 16),
        .detail = get_half (self->at + 20),
        .ns = get_half (self->at + 24),
        .kind = (guint8) self->at[28],
        .phase = (guint8) self->at[29],
        .reason = (guint8) self->at[30],
        .flags = (guint8) self->at[31],
      };
      if (!check_record (self, &trace->records[i], i))
        return FALSE;
    }
  return TRUE;
}

/* --- The whole ------------------------------------------------------------------------------- */

static gboolean
read_version (Reader *self)
{
  g_autofree char *text = read_value (self, "weir-change-log");

  if (text == NULL || !parse_number (self, text, G_MAXINT64, &self->version))
    return FALSE;
  if (self->version == 0)
    return fail (self, N_ ("there is no format version 0"));
  return self->version <= WEIR_TRACE_VERSION
         || fail (self, N_ ("it has format version %s, but this program reads versions up to %d"),
                  text, WEIR_TRACE_VERSION);
}

static gboolean
read_head (Reader *self)
{
  g_autofree char *engine = NULL, *model = NULL;
  gboolean unused;

  if ((gsize) (self->end - self->at) < 16 || memcmp (self->at, "weir-change-log\t", 16) != 0)
    {
      weir_error_set (self->error, WEIR_ERROR_FILE, "this is not a change log");
      return FALSE;
    }
  return read_version (self) && read_choice (self, "byte-order", "little", NULL, &unused)
         && (engine = read_value (self, "engine")) != NULL
         && (self->trace->engine = parse_name (self, engine)) != NULL
         && (model = read_value (self, "model")) != NULL
         && (self->trace->model = parse_name (self, model)) != NULL
         && read_choice (self, "evaluations", "rebuilt", "stored",
                         &self->trace->stores_evaluations);
}

static gboolean
read_binary (Reader *self)
{
  WeirTrace *trace = self->trace;
  guint64 n_keyframes, n_records, n_steps = 0, size;
  g_autofree char *lost = NULL;
  g_auto (GStrv) end = NULL;

  if (!read_count (self, "keyframes", WEIR_LOG_KEYFRAME_SIZE (trace->n_words) * 8, &n_keyframes)
      || (lost = read_value (self, "lost")) == NULL
      || !parse_number (self, lost, G_MAXINT64, &trace->n_lost)
      || !read_count (self, "records", RECORD_BYTES, &n_records)
      || (self->version > WEIR_TRACE_VERSION_WITHOUT_STEPS
          && !read_count (self, "steps", STEP_BYTES, &n_steps))
      || (end = read_fields (self, 1)) == NULL)
    return FALSE;
  if (strcmp (end[0], "end") != 0)
    return fail (self, N_ ("\"%.30s\" stands where \"end\" belongs"), end[0]);
  self->line = 0;
  trace->n_keyframes = n_keyframes;
  trace->n_records = n_records;
  trace->n_steps = n_steps;
  size = n_keyframes * WEIR_LOG_KEYFRAME_SIZE (trace->n_words) * 8 + n_records * RECORD_BYTES
         + n_steps * STEP_BYTES;
  if (size != (guint64) (self->end - self->at))
    return fail (self, N_ ("%zu bytes follow its description where %llu belong"),
                 (gsize) (self->end - self->at), (unsigned long long) size);
  return read_keyframes (self) && read_records (self) && read_steps (self);
}

WeirTrace *
weir_trace_read (GBytes *bytes, GError **error)
{
  g_autoptr (WeirTrace) trace = weir_trace_new_empty ();
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  Reader reader = { .at = data, .end = data + size, .trace = trace, .error = error };

  if (read_head (&reader) && read_systems (&reader) && read_entries (&reader)
      && read_trackers (&reader) && read_sources (&reader) && read_binary (&reader))
    return g_steal_pointer (&trace);
  return NULL;
}

WeirTrace *
weir_trace_load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_CHANGE_LOG, error);
  WeirTrace *trace;

  if (bytes == NULL)
    return NULL;
  trace = weir_trace_read (bytes, error);
  if (trace == NULL)
    weir_error_prefix (error, path);
  return trace;
}

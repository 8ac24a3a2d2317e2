/* Writing a trace. data/change-log.md describes the format; trace-read.c reads it. */
#include "analysis/trace-private.h"

#include "base/file.h"

/* A name is the last field of its line, so that only what would end the line is spelled out. */
static void
append_name (GString *text, const char *name)
{
  for (; *name != '\0'; name++)
    if (*name == '\\')
      g_string_append (text, "\\\\");
    else if (*name == '\n')
      g_string_append (text, "\\n");
    else if (*name == '\t')
      g_string_append (text, "\\t");
    else
      g_string_append_c (text, *name);
  g_string_append_c (text, '\n');
}

static void
append_number (GString *text, guint32 number)
{
  if (number == WEIR_NO_INDEX)
    g_string_append (text, "-\t");
  else
    g_string_append_printf (text, "%u\t", number);
}

static void
append_list (GString *text, const guint32 *list, guint n)
{
  if (n == 0)
    g_string_append_c (text, '-');
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", list[i]);
  g_string_append_c (text, '\t');
}

static void
append_graph (const WeirTrace *self, GString *text)
{
  const guint32 *list;
  guint n;

  g_string_append_printf (text, "systems\t%u\n", weir_trace_get_n_systems (self));
  for (guint32 s = 0; s < weir_trace_get_n_systems (self); s++)
    {
      append_number (text, weir_trace_get_parent (self, s));
      append_name (text, weir_trace_get_system_name (self, s));
    }
  g_string_append_printf (text, "entries\t%u\n", weir_trace_get_n_entries (self));
  for (guint32 e = 0; e < weir_trace_get_n_entries (self); e++)
    {
      append_number (text, weir_trace_get_entry_system (self, e));
      g_string_append (text, weir_trace_is_lazy (self, e) ? "lazy\t" : "eager\t");
      list = weir_trace_get_reads (self, e, &n);
      append_list (text, list, n);
      append_name (text, weir_trace_get_entry_name (self, e));
    }
  g_string_append_printf (text, "trackers\t%u\n", weir_trace_get_n_trackers (self));
  for (guint32 t = 0; t < weir_trace_get_n_trackers (self); t++)
    {
      append_number (text, weir_trace_get_tracker_system (self, t));
      append_number (text, weir_trace_get_tracker_entry (self, t));
      list = weir_trace_get_subscribers (self, t, &n);
      append_list (text, list, n);
      append_name (text, weir_trace_get_tracker_name (self, t));
    }
  g_string_append_printf (text, "sources\t%u\n", weir_trace_get_n_sources (self));
  for (guint32 s = 0; s < weir_trace_get_n_sources (self); s++)
    {
      list = weir_trace_get_source_trackers (self, s, &n);
      append_list (text, list, n);
      append_name (text, weir_trace_get_source_name (self, s));
    }
}

static void
append_words (GString *text, const guint64 *words, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint64 word = GUINT64_TO_LE (words[i]);

      g_string_append_len (text, (const char *) &word, sizeof word);
    }
}

static guint64
get_bits (double number)
{
  union {
    double number;
    guint64 bits;
  } it = { .number = number };

  return it.bits;
}

static void
append_record (GString *text, const WeirLogRecord *record)
{
  const guint64 words[] = { get_bits (record->time), record->number };
  guint32 halves[3] = { GUINT32_TO_LE (record->subject), GUINT32_TO_LE (record->detail),
                        GUINT32_TO_LE (record->ns) };
  guint8 bytes[4] = { record->kind, record->phase, record->reason, record->flags };

  append_words (text, words, G_N_ELEMENTS (words));
  g_string_append_len (text, (const char *) halves, sizeof halves);
  g_string_append_len (text, (const char *) bytes, sizeof bytes);
}

static void
append_step (GString *text, const WeirLogStep *step)
{
  const guint64 words[] = {
    step->first,
    step->end,
    (guint64) step->first_at,
    (guint64) step->end_at,
    (guint64) step->begin_at,
    (guint64) step->done_at,
    get_bits (step->t),
    get_bits (step->t_end),
    step->node | (guint64) step->thread << 32,
  };

  append_words (text, words, G_N_ELEMENTS (words));
}

GBytes *
weir_trace_write (const WeirTrace *self)
{
  GString *text = g_string_sized_new (self->n_records * sizeof (WeirLogRecord) + 4096);

  g_string_append_printf (text, "weir-change-log\t%d\nbyte-order\tlittle\nengine\t",
                          self->n_steps > 0 ? WEIR_TRACE_VERSION
                                            : WEIR_TRACE_VERSION_WITHOUT_STEPS);
  append_name (text, self->engine);
  g_string_append (text, "model\t");
  append_name (text, self->model);
  g_string_append_printf (text, "evaluations\t%s\n",
                          self->stores_evaluations ? "stored" : "rebuilt");
  append_graph (self, text);
  g_string_append_printf (text,
                          "keyframes\t%" G_GSIZE_FORMAT "\nlost\t%" G_GUINT64_FORMAT
                          "\nrecords\t%" G_GSIZE_FORMAT "\n",
                          self->n_keyframes, self->n_lost, self->n_records);
  if (self->n_steps > 0)
    g_string_append_printf (text, "steps\t%" G_GSIZE_FORMAT "\n", self->n_steps);
  g_string_append (text, "end\n");
  append_words (text, self->keyframes, self->n_keyframes * WEIR_LOG_KEYFRAME_SIZE (self->n_words));
  for (gsize i = 0; i < self->n_records; i++)
    append_record (text, &self->records[i]);
  for (gsize i = 0; i < self->n_steps; i++)
    append_step (text, &self->steps[i]);
  return g_string_free_to_bytes (text);
}

gboolean
weir_trace_save (const WeirTrace *self, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = weir_trace_write (self);

  return weir_file_write (path, bytes, 0666, error);
}

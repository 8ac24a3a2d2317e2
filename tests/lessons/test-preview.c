/* Previews: what is shown of a change or a step is what the run itself then counts, and the run
 * never notices. */
#include <string.h>

#include "analysis/preview.h"
#include "analysis/slow-motion.h"
#include "lessons/lesson-check.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "sim/session.h"

typedef struct {
  WeirModel *model;
  WeirSystem *system;
  WeirLayout *layout;
  char **recorded_ports;
  WeirPreview preview;
} Subject;

static void
subject_init (Subject *s, const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  s->model = weir_model_read_file (file, diagnostics);
  g_assert_nonnull (s->model);
  s->system = weir_model_complete (s->model, diagnostics);
  g_assert_nonnull (s->system);
  s->layout = weir_system_get_layout (s->system);
  s->recorded_ports = weir_model_dup_recorded_ports (s->model);
  s->preview = (WeirPreview) { .root = s->system,
                               .recorded_ports = (const char *const *) s->recorded_ports };
  weir_simulator_options_init (&s->preview.options);
  s->preview.options.solver = weir_model_get_setting (s->model, "solver");
  s->preview.options.step = g_ascii_strtod (weir_model_get_setting (s->model, "step"), NULL);
  s->preview.stop_time = g_ascii_strtod (weir_model_get_setting (s->model, "stop-time"), NULL);
}

static void
subject_clear (Subject *s)
{
  g_strfreev (s->recorded_ports);
  weir_system_unref (s->system);
  weir_model_unref (s->model);
}

static WeirSession *
session_new (const Subject *s)
{
  g_autoptr (GError) error = NULL;
  WeirSession *session = weir_session_new (s->system, &s->preview.options, s->preview.stop_time, 0,
                                           s->preview.recorded_ports, &error);

  g_assert_no_error (error);
  return session;
}

static void
settle (WeirSession *session)
{
  while (!weir_session_is_settled (session))
    g_main_context_iteration (NULL, FALSE);
}

/* How often a mark is made of an entry. */
static guint
count_marks (const WeirSlowMotion *slow, WeirEntry entry, WeirBeatMarkKind kind)
{
  guint n = 0;

  for (guint b = 0; b < weir_slow_motion_get_n_beats (slow); b++)
    {
      const WeirBeat *beat = weir_slow_motion_get_beat (slow, b);
      const WeirBeatMark *marks = weir_slow_motion_get_marks (slow, beat);

      for (guint i = 0; i < beat->n; i++)
        n += marks[i].entry == entry.i && marks[i].kind == kind;
    }
  return n;
}

/* In a step from anywhere in a run: every entry's hits, misses and invalidations, as the run counts
 * them. */
static void
check_step (gconstpointer name)
{
  Subject s;
  g_autoptr (WeirSession) session = NULL;

  subject_init (&s, name);
  session = session_new (&s);
  for (guint step = 0; step < 4; step++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) run = step > 0 ? weir_session_save (session, &error) : NULL;
      g_autoptr (GBytes) again = NULL;
      g_autoptr (WeirTrace) trace = NULL;
      g_autoptr (WeirSlowMotion) slow = NULL;
      g_autofree WeirCounters *before = NULL;
      const WeirSnapshot *snapshot = weir_session_get_snapshot (session);

      g_assert_no_error (error);
      before = g_memdup2 (snapshot->counters, snapshot->n_entries * sizeof *before);
      s.preview.run = run;
      trace = weir_preview_step (&s.preview, &error);
      g_assert_no_error (error);
      slow = weir_slow_motion_new (trace, 0, G_MAXSIZE, 0, &error);
      g_assert_no_error (error);
      if (run != NULL)
        {
          again = weir_session_save (session, &error);
          g_assert_true (g_bytes_equal (run, again));
        }
      weir_session_step (session);
      settle (session);
      if (run == NULL) /* the run asked for its first values only now */
        continue;
      snapshot = weir_session_get_snapshot (session);
      for (guint32 e = 0; e < snapshot->n_entries; e++)
        {
          WeirEntry entry = { e };
          WeirCounters n = snapshot->counters[e];
          g_autofree char *path = weir_layout_dup_entry_path (s.layout, entry);

          g_test_message ("step %u: %s", step, path);
          g_assert_cmpuint (count_marks (slow, entry, WEIR_BEAT_MARK_COMPUTED), ==,
                            n.first + n.stale + n.disabled - before[e].first - before[e].stale
                                - before[e].disabled);
          /* The solution of an algebraic loop asks by itself, and the log keeps only what it found
           * out of date. */
          if (strcmp (name, "loop.weir") == 0)
            g_assert_cmpuint (count_marks (slow, entry, WEIR_BEAT_MARK_HIT), <=,
                              n.hits - before[e].hits);
          else
            g_assert_cmpuint (count_marks (slow, entry, WEIR_BEAT_MARK_HIT), ==,
                              n.hits - before[e].hits);
          g_assert_cmpuint (count_marks (slow, entry, WEIR_BEAT_MARK_OUT_OF_DATE)
                                + count_marks (slow, entry, WEIR_BEAT_MARK_WAS_OUT_OF_DATE)
                                + count_marks (slow, entry, WEIR_BEAT_MARK_DISABLED),
                            ==, n.invalidations - before[e].invalidations);
        }
    }
  g_clear_object (&session);
  subject_clear (&s);
}

static const WeirSourceInfo *
find_source (const Subject *s, const GArray *sources, const char *name)
{
  for (guint i = 0; i < sources->len; i++)
    {
      const WeirSourceInfo *source = &g_array_index (sources, WeirSourceInfo, i);
      g_autofree char *text = weir_source_info_dup_name (s->layout, source);

      g_test_message ("source %s", text);
      if (strcmp (text, name) == 0)
        return source;
    }
  g_assert_not_reached ();
}

/* One change and what follows: of a standing model, and of a run in its middle. */
static void
test_change (void)
{
  Subject s;
  g_autoptr (WeirSession) session = NULL;
  g_autoptr (GArray) sources = NULL;
  WeirEntry gain, derivatives;

  subject_init (&s, "push-and-pull.weir");
  session = session_new (&s);
  sources = weir_layout_list_sources (s.layout);
  g_assert_true (weir_lesson_find_entry (s.layout, "Gain:y", &gain));
  g_assert_true (weir_lesson_find_entry (s.layout, "Tank:time derivatives", &derivatives));
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) run = k > 0 ? weir_session_save (session, &error) : NULL;
      g_autoptr (WeirTrace) trace = NULL, time = NULL;
      g_autoptr (WeirSlowMotion) slow = NULL, still = NULL;

      g_assert_no_error (error);
      s.preview.run = run;
      trace = weir_preview_change (&s.preview, find_source (&s, sources, "Gain: parameter gain"), 1,
                                   &error);
      g_assert_no_error (error);
      slow = weir_slow_motion_new (trace, 0, G_MAXSIZE, 0, &error);
      g_assert_cmpuint (count_marks (slow, gain, WEIR_BEAT_MARK_OUT_OF_DATE), ==, 1);
      g_assert_cmpuint (count_marks (slow, gain, WEIR_BEAT_MARK_COMPUTED), ==, 1);
      g_assert_cmpuint (count_marks (slow, derivatives, WEIR_BEAT_MARK_OUT_OF_DATE), ==, 1);
      g_assert_cmpuint (count_marks (slow, derivatives, WEIR_BEAT_MARK_COMPUTED), ==, 1);

      /* Nothing here depends on time. */
      time = weir_preview_change (&s.preview, find_source (&s, sources, "time"), 1, &error);
      g_assert_no_error (error);
      still = weir_slow_motion_new (time, 0, G_MAXSIZE, 0, &error);
      g_assert_cmpuint (count_marks (still, gain, WEIR_BEAT_MARK_OUT_OF_DATE), ==, 0);
      g_assert_cmpuint (count_marks (still, gain, WEIR_BEAT_MARK_COMPUTED), ==, 0);

      weir_session_step (session);
      settle (session);
    }
  g_clear_object (&session);
  subject_clear (&s);
}

/* What cannot be copied says so. */
static void
test_refused (void)
{
  Subject s;
  g_autoptr (WeirSession) session = NULL;
  g_autoptr (GError) error = NULL;

  subject_init (&s, "stages.weir");
  session = session_new (&s);
  g_assert_null (weir_session_save (session, &error));
  g_assert_nonnull (strstr (error->message, "while it pauses"));
  g_clear_error (&error);

  weir_session_run (session);
  settle (session);
  s.preview.run = weir_session_save (session, &error);
  g_assert_no_error (error);
  g_assert_null (weir_preview_step (&s.preview, &error));
  g_assert_nonnull (strstr (error->message, "no further step"));
  g_bytes_unref (s.preview.run);
  g_clear_object (&session);
  subject_clear (&s);
}

int
main (int argc, char **argv)
{
  static const char *const models[] = { "push-and-pull.weir", "diamond.weir",
                                        "time-or-state.weir", "parameter-edit.weir",
                                        "forgotten.weir",     "cautious.weir",
                                        "stages.weir",        "switched-off.weir",
                                        "loop.weir",          "sampled.weir" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *test = g_strconcat ("/lessons/preview/step/", models[i], NULL);

      g_test_add_data_func (test, models[i], check_step);
    }
  g_test_add_func ("/lessons/preview/change", test_change);
  g_test_add_func ("/lessons/preview/refused", test_refused);
  return g_test_run ();
}

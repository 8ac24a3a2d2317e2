/* Any bytes through the readers of what is not a model: lessons, studies, tables, change logs,
 * checkpoints, and through all that is done with what they gave. Each is TRUE where the bytes are
 * such a file.
 */
#pragma once

#include "fail.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/scrubber.h"
#include "analysis/event-effect.h"
#include "analysis/slow-motion.h"
#include "blocks/library/registry.h"
#include "lessons/lesson-check.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "sim/result-file.h"
#include "sim/simulator.h"
#include "study/study.h"
#include "system/evaluation/checkpoint.h"
#include "system/evaluation/eval.h"

/* --- A system ----------------------------------------------------------------------------------
 */

/* Of a model with each kind of state: continuous, discrete, a past, random numbers, abstract. */
static WeirSystem *
make_system (void)
{
  static const char text[] =
      "<weir version=\"1\"><diagram>"
      "<block id=\"1\" type=\"Sine\" name=\"s\" x=\"0\" y=\"0\"/>"
      "<block id=\"2\" type=\"Integrator\" name=\"i\" x=\"0\" y=\"0\"/>"
      "<block id=\"3\" type=\"TransportDelay\" name=\"d\" x=\"0\" y=\"0\">"
      "<parameter name=\"points\" value=\"4\"/></block>"
      "<block id=\"4\" type=\"Counter\" name=\"c\" x=\"0\" y=\"0\"/>"
      "<block id=\"5\" type=\"UniformRandom\" name=\"r\" x=\"0\" y=\"0\"/>"
      "<wire id=\"8\" from=\"1.y\" to=\"2.u\"/><wire id=\"9\" from=\"2.y\" to=\"3.u\"/>"
      "</diagram></weir>";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "fuzz", diagnostics);
  WeirSystem *system = model != NULL ? weir_model_complete (model, diagnostics) : NULL;

  if (system == NULL)
    fuzz_fail ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  return system;
}

static WeirSystem *
get_system (void)
{
  static WeirSystem *system;

  if (system == NULL)
    system = make_system ();
  return system;
}

/* --- Lessons --------------------------------------------------------------------------------- */

/* What was read is written and read alike. */
static G_GNUC_UNUSED gboolean
fuzz_one_lesson (gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirLesson) lesson = weir_lesson_read_bytes (bytes, "fuzz", diagnostics);
  g_autoptr (WeirLesson) again = NULL;
  g_autoptr (GBytes) written = NULL;
  g_autoptr (GBytes) written_again = NULL;

  if (lesson == NULL)
    {
      if (!weir_diagnostics_has_errors (diagnostics))
        fuzz_fail ("a lesson is refused without a reason");
      return FALSE;
    }
  written = weir_lesson_write_bytes (lesson);
  again = weir_lesson_read_bytes (written, "fuzz", diagnostics);
  if (again == NULL)
    fuzz_fail ("the lesson written is not read again: %s",
               weir_diagnostics_get (diagnostics, 0)->text);
  written_again = weir_lesson_write_bytes (again);
  if (!g_bytes_equal (written, written_again))
    fuzz_fail ("the lesson read again is written otherwise");
  return TRUE;
}

/* --- Studies --------------------------------------------------------------------------------- */

#define MOST_POINTS 50

/* What was read is written and read alike, and its points are numbers. */
static G_GNUC_UNUSED gboolean
fuzz_one_study (gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirStudy) study = weir_study_read_bytes (bytes, "fuzz", diagnostics);
  g_autoptr (WeirStudy) again = NULL;
  g_autoptr (GBytes) written = NULL;
  g_autoptr (GBytes) written_again = NULL;
  g_autofree double *values = NULL;

  if (study == NULL)
    {
      if (!weir_diagnostics_has_errors (diagnostics))
        fuzz_fail ("a study is refused without a reason");
      return FALSE;
    }
  values = g_new (double, study->parameters->len + 1);
  for (guint64 i = 0; i < MIN (weir_study_get_n_points (study), MOST_POINTS); i++)
    {
      weir_study_get_point (study, i, values);
      weir_study_get_point (study, weir_study_get_n_points (study) - 1 - i, values);
    }
  written = weir_study_write_bytes (study);
  again = weir_study_read_bytes (written, "fuzz", diagnostics);
  if (again == NULL)
    fuzz_fail ("the study written is not read again: %s",
               weir_diagnostics_get (diagnostics, 0)->text);
  written_again = weir_study_write_bytes (again);
  if (!g_bytes_equal (written, written_again))
    fuzz_fail ("the study read again is written otherwise");
  return TRUE;
}

/* --- Tables ---------------------------------------------------------------------------------- */

static const char *
get_file (const char *parameter, gpointer name)
{
  return strcmp (parameter, "file") == 0 ? name : NULL;
}

static G_GNUC_UNUSED gboolean
fuzz_one_table (gconstpointer data, gsize size)
{
  static char *name;
  const WeirBlockType *type = weir_registry_find ("FromFile");
  g_autoptr (WeirArguments) arguments = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) refused = NULL;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirResultFile) table = NULL;
  g_autoptr (WeirMessage) note = NULL;
  FILE *file;

  if (name == NULL)
    name = g_strdup_printf ("%s/weir-fuzz-%d.csv", g_get_tmp_dir (), (int) getpid ());
  file = g_fopen (name, "wb");
  if (file == NULL || fwrite (data, 1, size, file) != size || fclose (file) != 0)
    fuzz_fail ("%s cannot be written", name);
  arguments = weir_arguments_new (type, get_file, name, NULL);
  system = type->build_beside (arguments, NULL, NULL, &note, &error);
  table = weir_result_file_read (name, &refused);
  g_unlink (name);
  if (table == NULL && refused == NULL)
    fuzz_fail ("results are refused without a reason");
  if (system == NULL && error == NULL)
    fuzz_fail ("a table is refused without a reason");
  return system != NULL;
}

/* --- Change logs ----------------------------------------------------------------------------- */

#define MOST_BEATS 200
#define MOST_PLACES 50
#define MOST_SKIPPED 2

static G_GNUC_UNUSED guint fuzz_n_scrubbed, fuzz_n_slowed; /* logs that got so far */
static G_GNUC_UNUSED guint fuzz_n_skipped;                 /* events that came again */

static void
look_with_scrubber (WeirTrace *trace, gsize n)
{
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, weir_trace_get_n_entries (trace) + 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirScrubber) scrubber = weir_scrubber_new (trace, 0, NULL, NULL, &error);

  if (scrubber == NULL)
    {
      if (error == NULL)
        fuzz_fail ("a change log is refused without a reason");
      return;
    }
  fuzz_n_scrubbed++;
  for (gsize i = 0; i <= n; i += n / MOST_PLACES + 1)
    {
      g_autoptr (GArray) notifications = NULL, evaluations = NULL;

      weir_scrubber_seek (scrubber, n - i, NULL);
      weir_scrubber_read_counters (scrubber, counters);
      weir_scrubber_find_next_event (scrubber, i, NULL);
      weir_scrubber_find_previous_event (scrubber, i, NULL);
      if (i == n)
        break;
      weir_scrubber_get_place_after (scrubber, i);
      notifications = weir_scrubber_list_notifications (scrubber, i, NULL);
      evaluations = weir_scrubber_list_evaluations (scrubber, i, NULL);
    }
  weir_scrubber_find_time (scrubber, 0.5);
  weir_scrubber_read_range (scrubber, n / 3, n, counters, NULL);
}

static void
look_in_slow_motion (WeirTrace *trace, gsize n)
{
  gboolean is_seen = FALSE;

  for (gsize i = 0; i < n; i += n / MOST_PLACES + 1)
    {
      g_autoptr (WeirSlowMotion) slow = weir_slow_motion_new (trace, i, n, MOST_BEATS, NULL);

      for (guint beat = 0; slow != NULL && beat <= weir_slow_motion_get_n_beats (slow); beat++)
        weir_slow_motion_go (slow, beat);
      is_seen |= slow != NULL;
    }
  fuzz_n_slowed += is_seen;
}

/* Another model's log, or a damaged one, names events that do not come, and come otherwise. */
static void
look_without_events (WeirTrace *trace, gsize n)
{
  static const char *const nothing[] = { NULL };
  const WeirLogRecord *records = weir_trace_get_records (trace, &n);
  WeirSimulatorOptions options;
  guint n_looked = 0;

  weir_simulator_options_init (&options);
  options.max_steps = 20;
  for (gsize i = 0; i < n && n_looked < MOST_SKIPPED; i += n / MOST_PLACES + 1)
    {
      WeirEventEffect result;
      g_autoptr (GError) error = NULL;

      if (records[i].kind != WEIR_LOG_EVENT && records[i].kind != WEIR_LOG_JOINT)
        continue;
      n_looked++;
      if (weir_find_event_effect (get_system (), &options, 0.02, nothing, NULL, &records[i], 3,
                                  NULL, &result, &error))
        fuzz_n_skipped++;
      else if (error == NULL)
        fuzz_fail ("a run without an event is refused without a reason");
      weir_event_effect_clear (&result);
    }
}

static G_GNUC_UNUSED gboolean
fuzz_one_change_log (gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirTrace) trace = weir_trace_read (bytes, &error);
  g_autoptr (GBytes) written = NULL;
  gsize n;

  if (trace == NULL)
    {
      if (error == NULL)
        fuzz_fail ("a change log is refused without a reason");
      return FALSE;
    }
  weir_trace_get_records (trace, &n);
  look_with_scrubber (trace, n);
  look_in_slow_motion (trace, n);
  look_without_events (trace, n);
  written = weir_trace_write (trace);
  return TRUE;
}

/* --- Checkpoints ----------------------------------------------------------------------------- */

static WeirSimulator *
make_simulator (WeirSystem *system, WeirContext *context)
{
  WeirSimulatorOptions options;
  WeirSimulator *simulator;

  weir_simulator_options_init (&options);
  options.max_steps = 200;
  simulator = weir_simulator_new (system, context, &options, NULL);
  if (simulator == NULL)
    fuzz_fail ("there is no simulator");
  return simulator;
}

#define HEADER_SIZE 56 /* with the length and the digest of what follows from byte 16 on */

/* A good one. */
static GBytes *
get_checkpoint (void)
{
  static GBytes *bytes;
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  if (bytes != NULL)
    return bytes;
  context = weir_system_create_context (get_system ());
  simulator = make_simulator (get_system (), context);
  if (!weir_simulator_initialize (simulator, &error)
      || !weir_simulator_advance_to (simulator, 0.3, &error))
    fuzz_fail ("%s", error->message);
  bytes = weir_simulator_save (simulator, &error);
  if (bytes == NULL)
    fuzz_fail ("%s", error->message);
  return bytes;
}

/* What follows its header, to begin with. (transfer full) */
static G_GNUC_UNUSED GBytes *
fuzz_make_checkpoint (void)
{
  GBytes *bytes = get_checkpoint ();

  return g_bytes_new_from_bytes (bytes, HEADER_SIZE, g_bytes_get_size (bytes) - HEADER_SIZE);
}

/* @data with a header that is right for it. (transfer full) */
static GBytes *
add_header (gconstpointer data, gsize size)
{
  guint8 *bytes = g_malloc0 (HEADER_SIZE + size);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint64 length = size;
  gsize n = 32;

  memcpy (bytes, g_bytes_get_data (get_checkpoint (), NULL), 16); /* the version and the like */
  memcpy (bytes + 16, &length, sizeof length);
  g_checksum_update (checksum, data, (gssize) size);
  g_checksum_get_digest (checksum, bytes + 24, &n);
  memcpy (bytes + HEADER_SIZE, data, size);
  return g_bytes_new_take (bytes, HEADER_SIZE + size);
}

/* One that is taken can be gone on from, or fails with a sentence. */
static G_GNUC_UNUSED gboolean
fuzz_one_checkpoint (gconstpointer data, gsize size)
{
  g_autoptr (WeirContext) context = weir_system_create_context (get_system ());
  g_autoptr (WeirSimulator) simulator = make_simulator (get_system (), context);
  g_autoptr (GBytes) bytes = add_header (data, size);
  g_autoptr (GError) refused = NULL, error = NULL;

  if (!weir_simulator_load (simulator, bytes, &refused))
    {
      if (refused == NULL)
        fuzz_fail ("a checkpoint is refused without a reason");
      return FALSE;
    }
  if (!weir_simulator_advance_to (simulator, weir_context_get_time (context) + 0.1, &error)
      && error == NULL)
    fuzz_fail ("a run fails without a reason");
  return TRUE;
}

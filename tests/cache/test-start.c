/* Starts of runs in a thread: what runs is the model as it was when the run was asked for, the
 * newest counts, and what is asked for meanwhile is done. No display is needed.
 */
#include "run/runner.h"

typedef struct {
  WeirDocument *document;
  WeirRunner *runner;
  guint n_sessions, n_refused;
} Desk;

static void
note_session (Desk *self)
{
  self->n_sessions++;
}

static void
note_problems (Desk *self, WeirDiagnostics *diagnostics)
{
  self->n_refused += weir_diagnostics_has_errors (diagnostics) ? 1 : 0;
}

static void
set_block (Desk *self, guint32 id, const char *type, const char *parameter, const char *value)
{
  g_autoptr (WeirBlock) block = weir_block_new (id, type, type, (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlock) changed = parameter != NULL
                                      ? weir_block_with_parameter (block, parameter, value)
                                      : weir_block_ref (block);
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, changed);
  g_assert_true (weir_document_edit (self->document, patch, "Edit", NULL, NULL));
}

static void
set_value (Desk *self, const char *value)
{
  set_block (self, 1, "Constant", "value", value);
}

/* A Constant on a Scope. */
static void
desk_init (Desk *self)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirWire) wire = weir_wire_new (3, (WeirWireEnd) { 1, "y", { 0, 0 } },
                                             (WeirWireEnd) { 2, "in1", { 0, 0 } }, NULL, 0);

  *self = (Desk) { .document = weir_document_new () };
  set_value (self, "1");
  set_block (self, 2, "Scope", NULL, NULL);
  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
  weir_patch_set_setting (patch, "stop-time", "1");
  g_assert_true (weir_document_edit (self->document, patch, "Wire", NULL, NULL));
  self->runner = weir_runner_new (self->document);
  g_signal_connect_swapped (self->runner, "notify::session", G_CALLBACK (note_session), self);
  g_signal_connect_swapped (self->runner, "problems", G_CALLBACK (note_problems), self);
}

static void
desk_clear (Desk *self)
{
  g_object_unref (self->runner);
  g_object_unref (self->document);
}

static void
wait_for_start (Desk *self)
{
  while (weir_runner_is_starting (self->runner))
    g_main_context_iteration (NULL, TRUE);
}

static WeirSessionState
get_state (Desk *self)
{
  return weir_session_get_state (weir_runner_get_session (self->runner));
}

static void
wait_for_state (Desk *self, WeirSessionState state)
{
  wait_for_start (self);
  while (get_state (self) != state)
    g_main_context_iteration (NULL, TRUE);
}

static double
get_recorded (Desk *self)
{
  WeirRecorder *recorder;

  wait_for_state (self, WEIR_SESSION_FINISHED);
  weir_session_join (weir_runner_get_session (self->runner));
  recorder = weir_session_get_recorder (weir_runner_get_session (self->runner));
  return weir_recorder_get_value (recorder, 0, weir_recorder_get_n_rows (recorder) - 1);
}

/* A run right after an edit is of the edited model; nothing waits. */
static void
test_after_edit (void)
{
  Desk desk;

  desk_init (&desk);
  for (guint i = 2; i < 6; i++)
    {
      g_autofree char *value = g_strdup_printf ("%u", i);

      set_value (&desk, value);
      weir_runner_run (desk.runner);
      g_assert_true (weir_runner_is_starting (desk.runner));
      g_assert_cmpuint (desk.n_sessions, ==, i - 2);
      g_assert_cmpfloat (get_recorded (&desk), ==, i);
      g_assert_cmpuint (desk.n_sessions, ==, i - 1);
      g_assert_true (weir_runner_get_session_model (desk.runner)
                     == weir_document_get_model (desk.document));
    }
  desk_clear (&desk);
}

/* Of several starts the newest counts, and only its session is ever there. */
static void
test_newest (void)
{
  Desk desk;

  desk_init (&desk);
  for (guint i = 2; i < 10; i++)
    {
      g_autofree char *value = g_strdup_printf ("%u", i);

      set_value (&desk, value);
      weir_runner_run (desk.runner);
    }
  g_assert_cmpfloat (get_recorded (&desk), ==, 9);
  g_assert_cmpuint (desk.n_sessions, ==, 1);
  desk_clear (&desk);
}

/* An edit after the run was asked for is one while it goes on: the run takes the value up. */
static void
test_edit_meanwhile (void)
{
  Desk desk;

  desk_init (&desk);
  weir_runner_begin (desk.runner);
  set_value (&desk, "7");
  wait_for_start (&desk);
  g_assert_cmpint (get_state (&desk), ==, WEIR_SESSION_IDLE);
  g_assert_true (weir_runner_get_session_model (desk.runner)
                 != weir_document_get_model (desk.document));
  weir_runner_run (desk.runner);
  g_assert_false (weir_runner_is_starting (desk.runner));
  g_assert_cmpfloat (get_recorded (&desk), ==, 7);
  g_assert_cmpuint (desk.n_sessions, ==, 1);
  desk_clear (&desk);
}

/* What is asked for meanwhile is done once the run is there. */
static void
test_steered_meanwhile (void)
{
  Desk desk;

  desk_init (&desk);
  weir_runner_run (desk.runner);
  weir_runner_pause (desk.runner);
  wait_for_state (&desk, WEIR_SESSION_PAUSED);
  weir_runner_run (desk.runner);
  wait_for_state (&desk, WEIR_SESSION_FINISHED);

  weir_runner_begin (desk.runner);
  weir_runner_run_until (desk.runner, 0.5);
  wait_for_state (&desk, WEIR_SESSION_PAUSED);
  g_assert_cmpfloat (weir_session_get_snapshot (weir_runner_get_session (desk.runner))->time, ==,
                     0.5);
  g_assert_cmpuint (desk.n_sessions, ==, 2);
  weir_runner_stop (desk.runner);

  /* Given up: the run before stays. */
  set_value (&desk, "3");
  wait_for_state (&desk, WEIR_SESSION_STOPPED);
  weir_runner_run (desk.runner);
  weir_runner_stop (desk.runner);
  g_assert_false (weir_runner_is_starting (desk.runner));
  weir_runner_run (desk.runner);
  weir_runner_stop (desk.runner);
  for (guint i = 0; i < 200; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (500);
    }
  g_assert_cmpuint (desk.n_sessions, ==, 2);
  desk_clear (&desk);
}

/* A pause that is asked for meanwhile comes before the first step, however short the run is. */
static void
test_paused_meanwhile (void)
{
  Desk desk;

  desk_init (&desk);
  for (guint i = 0; i < 200; i++)
    {
      WeirSession *session;

      weir_runner_run (desk.runner);
      weir_runner_pause (desk.runner);
      wait_for_start (&desk);
      session = weir_runner_get_session (desk.runner);
      while (!weir_session_is_settled (session))
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_PAUSED);
      g_assert_cmpfloat (weir_session_get_snapshot (session)->time, ==, 0);
      g_assert_cmpuint (weir_session_get_snapshot (session)->statistics.steps, ==, 0);
      weir_runner_stop (desk.runner);
      wait_for_state (&desk, WEIR_SESSION_STOPPED);
    }
  desk_clear (&desk);
}

/* A model that cannot run says so, and the run before stays. */
static void
test_refused (void)
{
  Desk desk;

  desk_init (&desk);
  weir_runner_run (desk.runner);
  g_assert_cmpfloat (get_recorded (&desk), ==, 1);
  set_value (&desk, "nonsense");
  weir_runner_run (desk.runner);
  wait_for_start (&desk);
  g_assert_cmpuint (desk.n_refused, ==, 1);
  g_assert_cmpuint (desk.n_sessions, ==, 1);
  weir_runner_verify (desk.runner);
  while (weir_runner_is_verifying (desk.runner))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (desk.n_refused, ==, 2);
  g_assert_null (weir_runner_get_verify_result (desk.runner));
  desk_clear (&desk);
}

/* The tab is closed while the thread makes the session. */
static void
test_closed_meanwhile (void)
{
  for (guint i = 0; i < 20; i++)
    {
      Desk desk;

      desk_init (&desk);
      weir_runner_run (desk.runner);
      g_usleep (i * 100);
      desk_clear (&desk);
    }
  for (guint i = 0; i < 100; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (500);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cache/start/after-edit", test_after_edit);
  g_test_add_func ("/cache/start/newest", test_newest);
  g_test_add_func ("/cache/start/edit-meanwhile", test_edit_meanwhile);
  g_test_add_func ("/cache/start/steered-meanwhile", test_steered_meanwhile);
  g_test_add_func ("/cache/start/paused-meanwhile", test_paused_meanwhile);
  g_test_add_func ("/cache/start/refused", test_refused);
  g_test_add_func ("/cache/start/closed-meanwhile", test_closed_meanwhile);
  return g_test_run ();
}

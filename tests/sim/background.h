/* Runs in the background, for the tests of sessions. Waiting is running the main loop. */
#pragma once

#include "models.h"
#include "sim/session.h"

#define ENDLESS 1e9 /* s; no test waits for it */

static inline WeirSystem *
swing_new (void)
{
  g_autoptr (WeirSystem) leaf = pendulum_new (1);

  return wrap_new ("swing", leaf);
}

/* @port: to record, or NULL. */
static inline WeirSession *
session_new (WeirSystem *system, const char *solver, double stop_time, double rate,
             const char *port)
{
  WeirSimulatorOptions options = options_for (solver, 1e-6);
  const char *ports[] = { port, NULL };
  g_autoptr (GError) error = NULL;
  WeirSession *session = weir_session_new (system, &options, stop_time, rate, ports, &error);

  g_assert_no_error (error);
  return session;
}

static inline void
wait_for_state (WeirSession *session, WeirSessionState state)
{
  while (weir_session_get_state (session) != state)
    g_main_context_iteration (NULL, TRUE);
}

/* Until the run has come to @time. */
static inline void
wait_for_time (WeirSession *session, double time)
{
  while (weir_session_get_snapshot (session)->time < time)
    g_main_context_iteration (NULL, TRUE);
}

static inline gsize
get_n_rows (WeirSession *session)
{
  return weir_recorder_get_n_rows (weir_session_get_recorder (session));
}

/* Both recorded the very same rows, to the bit. */
static inline void
assert_same_rows (WeirSession *a, WeirSession *b)
{
  WeirRecorder *x = weir_session_get_recorder (a), *y = weir_session_get_recorder (b);

  g_assert_cmpuint (weir_recorder_get_n_signals (x), ==, weir_recorder_get_n_signals (y));
  g_assert_cmpuint (weir_recorder_get_n_signals (x), >, 0);
  g_assert_cmpuint (weir_recorder_get_n_rows (x), ==, weir_recorder_get_n_rows (y));
  for (gsize row = 0; row < weir_recorder_get_n_rows (x); row++)
    {
      g_assert_cmpfloat (weir_recorder_get_time (x, row), ==, weir_recorder_get_time (y, row));
      for (guint s = 0; s < weir_recorder_get_n_signals (x); s++)
        {
          double p = weir_recorder_get_value (x, s, row), q = weir_recorder_get_value (y, s, row);

          g_assert_cmpmem (&p, sizeof p, &q, sizeof q);
        }
    }
}

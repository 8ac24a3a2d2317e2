/* What is left of a run: its counters and what was recorded of it, to be compared with another's.
 *
 * Entries and signals are matched by name, so that runs of edited models, with other solvers, or
 * with corrected declarations can be set side by side. Immutable and reference-counted; thread
 * *any* once made.
 */
#pragma once

#include "sim/session.h"

G_BEGIN_DECLS

typedef struct _WeirPastRun WeirPastRun;

/* Of @session as its newest snapshot has it; what it records later is part of it. @title: what to
 * call it. Thread: *main*. */
WeirPastRun *weir_past_run_new (WeirSession *session, const char *title);
WeirPastRun *weir_past_run_ref (WeirPastRun *self);
void weir_past_run_unref (WeirPastRun *self);
const char *weir_past_run_get_title (const WeirPastRun *self);
/* (transfer none) */
WeirRecorder *weir_past_run_get_recorder (const WeirPastRun *self);

/* One entry in two runs. */
typedef struct {
  char *entry;              /* "Gain:y" */
  gboolean is_in[2];        /* of A and B */
  WeirCounters counters[2]; /* 0 where it is not */
  double spent_ns[2];       /* all calculations, from samples */
} WeirRunRow;

/* In plan order of @a, then what only @b has. (transfer full) */
GArray *weir_past_run_compare_counters (const WeirPastRun *a, const WeirPastRun *b);
/* "entry,hits_a,hits_b,..." and a line each. (transfer full) */
char *weir_run_rows_to_csv (const GArray *rows);

/* A value of a signal at one time in two runs. */
typedef struct {
  const char *signal; /* of A; NULL: there is none */
  double time;        /* s */
  double values[2];
} WeirRunValues;

typedef struct {
  gboolean is_identical; /* in signals that both have: the same times and the same bits */
  guint n_signals;       /* in both */
  guint n_only[2];       /* signals that only one has */
  gsize n_rows[2];
  guint64 n_common;      /* instants at which both have a row */
  guint64 n_compared;    /* values at those, times included */
  WeirRunValues first;   /* that differ at one of those by a bit or more, in the order of time */
  guint64 n_ulps;        /* from one to the other */
  WeirRunValues common;  /* that differ most at one of those, by their absolute value */
  gsize n_between;       /* rows of one for which the other has none, but one before and after */
  WeirRunValues between; /* that differ most at those, the other's on the straight line from the
                            row before to the row after */
} WeirRunDifference;

/* By time. A row is matched with the other's row of the same time (the first of several with the
 * first, and so on). Where the runs' steps differ, the rest is compared with straight lines between
 * the other's rows, which curves and jumps leave: `between` says so much about the lines as about
 * the runs. */
WeirRunDifference weir_past_run_compare_recorded (const WeirPastRun *a, const WeirPastRun *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirPastRun, weir_past_run_unref)

G_END_DECLS

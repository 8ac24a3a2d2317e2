/* WeirJournal: what was done to a run from outside, and between which of its steps, so that other
 * runs of the same system can repeat it, step for step, while it goes on or later.
 *
 * A run's stages are its initialisation (0) and its steps (1, 2, ...). Whatever is done to it is
 * done before one of them. The run's thread writes; any number of others follow at their own pace,
 * none ahead of it. Reference-counted; thread *any* where nothing else is said.
 */
#pragma once

#include "sim/simulator.h"

G_BEGIN_DECLS

typedef struct _WeirJournal WeirJournal;

/* @boundary: s; what steps are made towards until weir_journal_note_boundary() says otherwise. */
WeirJournal *weir_journal_new (double boundary);
/* Of the same run after it was taken back to where @n_stages were completed: holds what was done to
 * it until then, and goes on from there. Thread: the run's. */
WeirJournal *weir_journal_branch (WeirJournal *self, guint64 n_stages);
WeirJournal *weir_journal_ref (WeirJournal *self);
void weir_journal_unref (WeirJournal *self);

/* Before the next stage a parameter was given another value (copied). Thread: the run's. */
void weir_journal_note_parameter (WeirJournal *self, WeirNode node, WeirParameter parameter,
                                  const double *value, guint size);
/* From the next stage on, steps are made towards another time. Thread: the run's. */
void weir_journal_note_boundary (WeirJournal *self, double boundary);
/* Another stage was completed, or failed. Thread: the run's. */
void weir_journal_note_stage (WeirJournal *self);
/* There will be no more. Thread: the run's. */
void weir_journal_end (WeirJournal *self);

/* How far a follower is; begins as all zeros. */
typedef struct {
  guint n_repeated; /* of what is noted */
  guint64 stage;    /* the next */
  double boundary;  /* s; what that is made towards */
} WeirJournalPlace;

/* Waits until the run has completed the stage at @place; does what was done before that to @context
 * and moves @place on. FALSE: the run ended before that stage, or
 * @cancel (nullable) was set. Thread: the context's owner. */
gboolean weir_journal_follow (WeirJournal *self, WeirJournalPlace *place, WeirContext *context,
                              gint *cancel);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirJournal, weir_journal_unref)

G_END_DECLS

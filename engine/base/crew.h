/* Work of some tens of microseconds, cut into pieces that several threads take.
 *
 * Work goes in phases: a phase begins when all pieces of the one before are done. Whoever asks
 * takes pieces too, from the front, and the helpers from the back, so that each tends to have the
 * same pieces in every phase. He never waits for a helper who is not there yet, however slowly that
 * is scheduled: only for pieces that helpers have taken. After the work, helpers look out for more
 * for a few times of what waking a thread costs, then leave.
 *
 * Which thread runs which piece differs from time to time: results are the same if no piece of a
 * phase reads what another of it writes.
 *
 * Helpers run on the program's pool (tasks.h); what is asked for within one of its tasks runs
 * inline.
 *
 * Thread: a crew belongs to its *owner*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WeirCrew WeirCrew;

/* Runs piece @piece of phase @phase. */
typedef void (*WeirCrewFunc) (gpointer data, guint phase, guint piece);

#define WEIR_CREW_MOST_PIECES 65535 /* of a phase */

/* How many threads right-hand sides take, where they are large: 0 = as many as the machine has
 * processors, 1 = the one that asks. Alters no bit. To be set while nothing is computed;
 * WEIR_THREADS in the environment sets it at the start. */
extern guint weir_crew_threads;
guint weir_crew_get_n_threads (void);

/* @n_threads: at most, the owner's included. */
WeirCrew *weir_crew_new (guint n_threads);
/* Waits until the helpers have left. */
void weir_crew_free (WeirCrew *self);

void weir_crew_run (WeirCrew *self, WeirCrewFunc func, gpointer data, guint n_phases,
                    const guint *n_pieces);

/* Around work that can be done alone as well, and is asked for again and again: tells which is the
 * faster, TRUE for weir_crew_run(). That depends on who else wants the processors, so it is
 * measured: some times alone, then some with helpers, then many times what was faster. */
gboolean weir_crew_begin (WeirCrew *self);
void weir_crew_end (WeirCrew *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirCrew, weir_crew_free)

G_END_DECLS

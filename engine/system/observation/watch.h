/* A watcher: who is told, while a context works, what a change event reached and what a request
 * computed.
 *
 * It is called between calculations and between sweeps only: flags, values and counters of the
 * context are consistent, and may be read; nothing may be changed. How long a call takes alters no
 * result, so that a debugger may wait within it. Without a watcher none of this costs anything;
 * with one, every request and every event takes a pass over the flags.
 *
 * An entry may be held: as in a frozen context, it may be read while it is up to date, but not
 * computed. Where it must be, the watcher is asked, and without its leave the request fails, naming
 * the entry.
 *
 * Thread: the context's *owner*, in which the watcher is called. Neither is cloned or saved.
 */
#pragma once

#include "system/observation/change-log.h"

G_BEGIN_DECLS

/* Bits are by entry, 64 a word, valid within the call. */
typedef struct {
  /* After a change event. @source: i is WEIR_NO_INDEX for one made of several changes. @reached:
   * all that depends on it; @newly: what of that was up to date. NULL: not told. */
  void (*changed) (WeirContext *context, WeirSource source, const guint64 *reached,
                   const guint64 *newly, gpointer data);
  /* After a request for @entry from outside or by an event handler, answered or failed. @computed:
   * what was calculated for it; @reads: as before it, by entry: how often somebody had read it who
   * had not declared to (weir_context_get_reads()). NULL: not told. */
  void (*answered) (WeirContext *context, WeirEntry entry, const guint64 *computed,
                    const guint64 *reads, gpointer data);
  /* Before a held entry is calculated on the way to @requested (i is WEIR_NO_INDEX if nobody has
   * asked): TRUE lets it be. NULL: never. */
  gboolean (*releases) (WeirContext *context, WeirEntry entry, WeirEntry requested, gpointer data);
} WeirWatcher;

/* @watcher: copied; NULL ends it. May be called by a watcher: then what is going on is not told to
 * the new one. */
void weir_context_set_watcher (WeirContext *self, const WeirWatcher *watcher, gpointer data);

/* By entry, how often it was read from outside, or by a calculation that had not declared to or
 * decides in its course. (transfer none) */
const guint64 *weir_context_get_reads (const WeirContext *self);

void weir_context_set_entry_held (WeirContext *self, WeirEntry entry, gboolean held);
gboolean weir_context_get_entry_held (const WeirContext *self, WeirEntry entry);
guint weir_context_get_n_held (const WeirContext *self); /* entries */

/* What is going on (change-log.h), and the time in force meanwhile: of a solver's trial, that of
 * the trial (s). */
WeirLogPhase weir_context_get_phase (const WeirContext *self);
double weir_context_get_time_in_force (const WeirContext *self);

G_END_DECLS

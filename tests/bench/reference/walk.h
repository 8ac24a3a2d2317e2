/* Reference of a change event: trackers that notify their subscribers, one by one.
 *
 * Allocated in build order, block by block: trackers of its input ports, of its entry and of its
 * output port; before them, one for the source. Each remembers the last event it heard of; a first
 * notification sets its out-of-date flag and is passed on. A full tracker graph has more: every
 * block's composites (all inputs, all sources, ...) hear of the same change. Without ports, entries
 * subscribe to entries: as lean as a walk can be, though no longer one over a diagram.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct Walk Walk;

/* Entry i reads entries ups[first[i] .. first[i + 1]); one that reads none depends on
 * the source. */
Walk *reference_walk_new (uint32_t n, const uint32_t *first, const uint32_t *ups, bool with_ports);
void reference_walk_free (Walk *self);

/* One change event of the source. */
void reference_walk_iterate (Walk *self);
void reference_walk_recurse (Walk *self);

/* How many entries' flags are set; clears them. */
uint32_t reference_walk_take_flags (Walk *self);

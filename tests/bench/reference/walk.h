/* Reference of a change event: trackers that notify their subscribers, one by one.
 *
 * One tracker per entry and one for the source, allocated in build order; each remembers the last event
 * it heard of, and a first notification sets its out-of-date flag and is passed on. Leaner than a
 * full tracker graph, which also has trackers for ports and composites.
 */
#pragma once

#include <stdint.h>

typedef struct Walk Walk;

/* Tracker i subscribes to trackers ups[first[i] .. first[i + 1]); one that subscribes to none subscribes
 * to the source. */
Walk *reference_walk_new (uint32_t n, const uint32_t *first, const uint32_t *ups);
void reference_walk_free (Walk *self);

/* One change event of the source. */
void reference_walk_iterate (Walk *self);
void reference_walk_recurse (Walk *self);

/* How many flags are set; clears them. */
uint32_t reference_walk_take_flags (Walk *self);

/* Runs of many members of one layout, advanced together in lanes by an explicit Runge-Kutta method.
 *
 * Each member has steps of its own and takes those that it would take alone: what it ends with,
 * counts and shows is what a WeirSimulator gives for it, to the bit. A member whose run leaves the
 * ordinary (it comes to a value that is not finite, stalls, reaches its limit of steps, becomes
 * stiff) is given back to be run alone from its start, so that all such cases are handled in one
 * place.
 *
 * Between two steps, members are added behind those that are there, and removed: then the last one
 * takes the place.
 *
 * Thread: *owner*.
 */
#pragma once

#include "sim/series.h"
#include "sim/simulator.h"
#include "system/evaluation/wide.h"

G_BEGIN_DECLS

typedef struct _WeirLanes WeirLanes;

typedef enum {
  WEIR_LANE_GOES_ON,
  WEIR_LANE_ARRIVED, /* its context has the final time and state */
  WEIR_LANE_ALONE,   /* it is to be run alone, from its start */
} WeirLaneFate;

/* @ports: of rows; NULL: there are none. @most: members at once, or fewer where that is too much
 * for the caches. @has_common_step: all take the step of whom it has to be the shortest for, unless
 * something else limits steps. NULL and
 * @reason (transfer full), why the system has to be run member by member: it has events,
 * calculations without a wide form, or the solver is no such method. */
WeirLanes *weir_lanes_new (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                           const WeirPort *ports, guint n_ports, guint most,
                           gboolean has_common_step, char **reason);
void weir_lanes_free (WeirLanes *self);

guint weir_lanes_get_n (const WeirLanes *self);
/* May another be added now? */
gboolean weir_lanes_has_room (const WeirLanes *self);
/* Adds a member that begins with @context and leaves its rows in @series; both are borrowed until
 * it is removed. FALSE: it is to be run alone; it was not added. */
gboolean weir_lanes_add (WeirLanes *self, WeirContext *context, WeirSeries *series);
/* One trial step of every member. TRUE: the fate of some is decided. */
gboolean weir_lanes_try_step (WeirLanes *self);
WeirLaneFate weir_lanes_get_fate (const WeirLanes *self, guint lane);
WeirSimulatorStatistics weir_lanes_get_statistics (const WeirLanes *self, guint lane);
void weir_lanes_remove (WeirLanes *self, guint lane);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLanes, weir_lanes_free)

G_END_DECLS

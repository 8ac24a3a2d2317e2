/* Many members in lanes. See lanes.h.
 *
 * Invariants between trials: x is the state of every member at its time t, and k[0] the derivative
 * there if `first_stage_known`; members [0, n_begun) have shown their start and chosen their first
 * step. A trial computes all stages for all lanes; lanes whose trial is rejected keep x and k[0]. A
 * lane's numbers that have no part in the arithmetic of all lanes are in its Lane.
 */
#include "sim/lanes.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "numerics/lanes.h"
#include "numerics/vector.h"
#include "sim/simulator-private.h"
#include "sim/step-control.h"
#include "system/evaluation/loop.h"
#include "system/evaluation/phase.h"
#include "system/layout/units.h"

#define BYTES_AT_ONCE (256 * 1024)       /* of all lanes: what the second-level cache holds */
#define MOST_BYTES_OF_LANE (1024 * 1024) /* a member so large gains nothing */
#define MOST_ROWS_OF_STEP 1e6
#define MOST_POINTS 1e9     /* of a grid, up to which a time says without doubt at which it is */
#define LEAST_INTERVAL 1e-8 /* of recording, of the run; below that it may be refused */

/* What auto looks at (auto.c). */
#define STABILITY_EDGE 3.25
#define STIFF_STEPS 15
#define EASY_STEPS 6
#define SUSPECT 1.0
#define MOST_SUSPECTS 12 /* in a row, until it compares states */

/* What limits a member's steps beside its error; stays with its place. */
typedef struct {
  WeirProblem problem;
  WeirPace *pace;
} Limits;

typedef struct {
  Limits *limits;       /* NULL: nothing */
  WeirContext *context; /* borrowed, as is */
  WeirSeries *series;
  WeirStepControl control;
  WeirStepLength trial;
  gboolean was_rejected;
  double start, step;  /* s */
  double next;         /* s; where the derivatives jump next; INFINITY: nowhere */
  double limit;        /* s; that, or the stop time */
  double near_limit;   /* s; a little before: no earlier time is the same instant */
  double max_step;     /* s; of the step in hand */
  gboolean has_jumped; /* something may have, where the member is */
  double part;         /* of its step that is shown next, if steps are shown within */
  WeirGrid grid;
  double point; /* of that, where the trial ends; 0 = it need not end at one */
  double most_points;
  guint64 next_sample;
  WeirSimulatorStatistics statistics;
  WeirProgress progress;
  guint64 next_look; /* steps, when it is looked at */
  guint n_stiff, n_easy, n_suspect;
  guint64 n_more;   /* right-hand sides beside those of all trials */
  gboolean has_end; /* the derivative at the end of the step was asked for */
  WeirLaneFate fate;
} Lane;

struct _WeirLanes {
  WeirSimulatorOptions options;
  double stop; /* s */
  double relative_tolerance;
  const WeirButcherTable *table;
  gboolean is_auto, has_common_step, has_pace;
  guint n_events;
  WeirSystem *root; /* borrowed */
  WeirWide *wide;
  guint *sizes; /* of ports */
  guint n_ports;
  gboolean records; /* times at least */

  guint n_states, width, n, n_begun;
  gboolean first_stage_known;
  gboolean has_news; /* the fate of some lane is decided */
  Lane *lanes;
  double *x, *x_new, *x_trial; /* states x width, as are the stages */
  double *starts;
  double *k[WEIR_BUTCHER_MAX_STAGES];
  double *end; /* the derivative at the end of the step, where no stage gives it */
  /* Rows. */
  double *t, *t_new, *t_stage, *h, *norm, *stiffness, *bottom, *takes;
  double *powers, *bases;
  double *last;    /* s; no stage sees a later time: just before a jump */
  double *factors; /* MAX_STAGES rows */
  double *columns; /* of one lane: 5 vectors */
  gpointer memory;
};

static void
limits_free (Limits *limits)
{
  if (limits == NULL)
    return;
  weir_pace_free (limits->pace);
  weir_problem_forget_failure (&limits->problem);
  g_free (limits);
}

/* --- Making ---------------------------------------------------------------------------------- */

/* The first event that is more than a jump at a time that a leaf knows; NULL: there is none.
 * (transfer full) */
static char *
find_event (WeirSystem *root)
{
  for (guint i = 0; i < weir_system_get_n_events (root); i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (root, i);

      if (event.trigger != WEIR_TRIGGER_FORCED
          && (event.trigger != WEIR_TRIGGER_TIMED || event.action != WEIR_ACTION_BREAK))
        return weir_layout_dup_path (weir_system_get_layout (root), event.node);
    }
  return NULL;
}

/* Why the system has no members that run together; NULL: it has. (transfer full) */
static char *
find_reason (WeirSystem *root, const WeirSimulatorOptions *options, const WeirSolverInfo *info,
             const WeirButcherTable *table)
{
  WeirLayout *layout = weir_system_get_layout (root);
  g_autoptr (GArray) units = weir_system_list_units (root);
  g_autofree char *event = find_event (root);

  if (table == NULL || table->n_dense_stages > 0)
    return g_strdup_printf ("%s steps one member at a time", info->name);
  if (weir_layout_get_n_states (layout) == 0)
    return g_strdup ("the model has no continuous state");
  if (event != NULL)
    return g_strdup_printf ("%s has events", *event != '\0' ? event : "the model");
  if (units->len > 0 || weir_layout_get_n_starts (layout) > 0)
    return g_strdup ("the model has algebraic loops or units that step by themselves");
  return NULL;
}

static gboolean
has_phases (WeirSystem *root)
{
  WeirPhases *phases = weir_phases_new (root, WEIR_PHASES_OF_STEPS);

  weir_phases_free (phases);
  return phases != NULL;
}

static guint
choose_width (gsize bytes, guint most)
{
  gsize n = CLAMP (BYTES_AT_ONCE / MAX (bytes, 1), WEIR_LANES_AT_ONCE, MAX (most, 1));

  n = (n + WEIR_LANES_AT_ONCE - 1) / WEIR_LANES_AT_ONCE * WEIR_LANES_AT_ONCE;
  return (guint) n;
}

static void
give_memory (WeirLanes *self)
{
  gsize size = (gsize) self->n_states * self->width, n_stages = self->table->n_stages;
  gsize n_rows = 11 + WEIR_BUTCHER_MAX_STAGES;
  gsize n = (n_stages + 5) * size + n_rows * self->width + 5 * (gsize) self->n_states;
  double *next;

  self->memory = g_malloc0 (n * sizeof (double) + 64);
  next = (double *) (((guintptr) self->memory + 63) & ~(guintptr) 63);
  for (gsize i = 0; i < n_stages; i++, next += size)
    self->k[i] = next;
  self->x = next;
  self->x_new = self->x + size;
  self->x_trial = self->x_new + size;
  self->end = self->x_trial + size;
  self->starts = self->end + size;
  self->t = self->starts + size;
  self->t_new = self->t + self->width;
  self->t_stage = self->t_new + self->width;
  self->h = self->t_stage + self->width;
  self->norm = self->h + self->width;
  self->stiffness = self->norm + self->width;
  self->bottom = self->stiffness + self->width;
  self->takes = self->bottom + self->width;
  self->last = self->takes + self->width;
  self->powers = self->last + self->width;
  self->bases = self->powers + self->width;
  self->factors = self->bases + self->width;
  self->columns = self->factors + WEIR_BUTCHER_MAX_STAGES * (gsize) self->width;
  self->lanes = g_new0 (Lane, self->width);
}

/* Of the values that it is about, in words. */
static char *
explain_obstacle (WeirLayout *layout, WeirEntry obstacle)
{
  g_autofree char *path = obstacle.i != WEIR_NO_INDEX
                              ? weir_layout_dup_entry_path (layout, obstacle)
                              : g_strdup ("what is recorded");

  return g_strdup_printf ("%s is computed for one member at a time", path);
}

WeirLanes *
weir_lanes_new (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                const WeirPort *ports, guint n_ports, guint most, gboolean has_common_step,
                char **reason)
{
  const WeirSolverInfo *info = weir_solver_find (options->solver != NULL ? options->solver
                                                                         : "auto");
  gboolean is_auto = g_str_equal (info->name, "auto");
  const WeirButcherTable *table = weir_butcher_find (is_auto ? "dormand-prince" : info->name);
  WeirLayout *layout = weir_system_get_layout (root);
  WeirWide *probe;
  WeirEntry obstacle;
  WeirLanes *self;
  gsize bytes;

  *reason = find_reason (root, options, info, table);
  if (*reason != NULL)
    return NULL;
  probe = weir_wide_new (root, ports, n_ports, WEIR_LANES_AT_ONCE, &obstacle);
  if (probe == NULL)
    {
      *reason = explain_obstacle (layout, obstacle);
      return NULL;
    }
  bytes = weir_wide_get_lane_size (probe)
          + weir_layout_get_n_states (layout) * (table->n_stages + 5) * sizeof (double);
  weir_wide_free (probe);
  if (bytes > MOST_BYTES_OF_LANE)
    {
      *reason = g_strdup ("the model is so large that nothing is gained");
      return NULL;
    }
  self = g_new0 (WeirLanes, 1);
  self->options = *options;
  self->stop = stop_time;
  self->root = root;
  self->n_events = weir_system_get_n_events (root);
  self->has_pace = info->is_adaptive && has_phases (root);
  self->relative_tolerance = self->has_pace ? weir_pace_get_tolerance (options->relative_tolerance)
                                            : options->relative_tolerance;
  self->table = table;
  self->is_auto = is_auto;
  self->has_common_step = has_common_step && !self->has_pace && self->n_events == 0;
  self->n_states = weir_layout_get_n_states (layout);
  self->width = choose_width (bytes, most);
  self->wide = weir_wide_new (root, ports, n_ports, self->width, &obstacle);
  self->n_ports = n_ports;
  self->records = ports != NULL;
  self->sizes = g_new0 (guint, n_ports + 1);
  for (guint i = 0; i < n_ports; i++)
    self->sizes[i] = ports[i].is_input
                         ? weir_layout_get_input_size (layout, ports[i].node,
                                                       (WeirInput) { (guint16) ports[i].index })
                         : weir_layout_get_output_size (layout, ports[i].node,
                                                        (WeirOutput) { (guint16) ports[i].index });
  give_memory (self);
  return self;
}

void
weir_lanes_free (WeirLanes *self)
{
  if (self == NULL)
    return;
  for (guint l = 0; l < self->width; l++)
    limits_free (self->lanes[l].limits);
  weir_wide_free (self->wide);
  g_free (self->sizes);
  g_free (self->lanes);
  g_free (self->memory);
  g_free (self);
}

guint
weir_lanes_get_n (const WeirLanes *self)
{
  return self->n;
}

gboolean
weir_lanes_has_room (const WeirLanes *self)
{
  /* With a common step all begin together. */
  return self->n < self->width && (!self->has_common_step || self->n_begun == 0);
}

WeirLaneFate
weir_lanes_get_fate (const WeirLanes *self, guint lane)
{
  return self->lanes[lane].fate;
}

/* Each trial has its stages; the first of them is the last of the step before, or asked for there.
 */
WeirSimulatorStatistics
weir_lanes_get_statistics (const WeirLanes *self, guint l)
{
  const Lane *lane = &self->lanes[l];
  WeirSimulatorStatistics statistics = lane->statistics;
  guint64 n_trials = statistics.steps + statistics.rejected_steps;
  gboolean has_first = self->table->first_same_as_last;

  statistics.rhs_calls = n_trials * (self->table->n_stages - has_first) + lane->n_more;
  return statistics;
}

static void
set_fate (WeirLanes *self, Lane *lane, WeirLaneFate fate)
{
  lane->fate = fate;
  self->has_news = TRUE;
}

/* --- Members --------------------------------------------------------------------------------- */

/* Asks the leaves where derivatives jump after where the member is, or, at its start, there. FALSE:
 * something is wrong with that. */
static gboolean
find_next_jump (WeirLanes *self, WeirContext *context, Lane *lane, double t, gboolean is_start)
{
  lane->next = INFINITY;
  for (guint i = 0; i < self->n_events; i++)
    {
      double after = is_start ? nextafter (t, -INFINITY) : t, time = INFINITY;

      if (weir_system_get_event (self->root, i).trigger != WEIR_TRIGGER_TIMED)
        continue;
      do
        {
          if (weir_system_call_next_time (self->root, context, i, after, &time) != WEIR_OK)
            return FALSE;
          after = time;
        }
      while (!is_start && weir_is_same_instant (time, t));
      if (!is_start && time - t < LEAST_INTERVAL * (self->stop - lane->start))
        return FALSE;
      lane->next = MIN (lane->next, time);
    }
  lane->limit = MIN (lane->next, self->stop);
  lane->near_limit = lane->limit - 8 * DBL_EPSILON * fabs (lane->limit);
  return TRUE;
}

/* Where the member begins, and after a jump. */
static gboolean
find_first_jump (WeirLanes *self, WeirContext *context, Lane *lane, double t)
{
  return find_next_jump (self, context, lane, t, TRUE)
         && (!weir_is_same_instant (lane->next, t)
             || find_next_jump (self, context, lane, t, FALSE));
}

static void
make_limits (WeirLanes *self, Lane *lane)
{
  Limits *limits = g_new0 (Limits, 1);

  limits->problem = (WeirProblem) { .root = self->root,
                                    .context = lane->context,
                                    .layout = weir_system_get_layout (self->root),
                                    .n = self->n_states };
  limits->pace = weir_pace_new (&limits->problem, FALSE);
  lane->limits = limits;
}

gboolean
weir_lanes_add (WeirLanes *self, WeirContext *context, WeirSeries *series)
{
  guint l = self->n;
  Lane *lane = &self->lanes[l];
  double t = weir_context_get_time (context), interval = self->options.record_interval;
  const double *x = weir_context_get_state (context);

  if (!(self->stop > t) || !isfinite (self->stop - t) || weir_is_same_instant (self->stop, t)
      || (interval > 0 && interval < LEAST_INTERVAL * (self->stop - t)))
    return FALSE;
  weir_context_set_accuracy (context, self->options.relative_tolerance);
  *lane = (Lane) {
    .limits = lane->limits,
    .context = context,
    .series = series,
    .start = t,
    .max_step = self->options.max_step > 0 ? self->options.max_step : (double) INFINITY,
    .next_sample = 1,
    .has_jumped = TRUE,
  };
  lane->step = MIN (self->options.step > 0 ? self->options.step
                                           : MIN (0.01, (self->stop - t) / 100),
                    lane->max_step);
  lane->most_points = fabs (t) < MOST_POINTS * lane->step ? MOST_POINTS : 0;
  if (!find_first_jump (self, context, lane, t) || !weir_wide_load (self->wide, l, context))
    return FALSE;
  if (self->has_pace && lane->limits == NULL)
    make_limits (self, lane);
  if (self->has_pace)
    {
      lane->limits->problem.context = context;
      weir_pace_restart (lane->limits->pace);
    }
  weir_grid_begin (&lane->grid, t);
  weir_step_control_init (&lane->control, self->table);
  weir_progress_begin (&lane->progress, &lane->statistics, t);
  lane->next_look = MIN (self->options.max_stalled_steps > 0 ? self->options.max_stalled_steps
                                                             : G_MAXUINT64,
                         self->options.max_steps > 0 ? self->options.max_steps : G_MAXUINT64);
  series->n_rows = 0;
  self->t[l] = t;
  for (guint i = 0; i < self->n_states; i++)
    self->x[(gsize) i * self->width + l] = self->starts[(gsize) i * self->width + l] = x[i];
  self->n++;
  return TRUE;
}

static void
read_column (const WeirLanes *self, const double *from, guint lane, double *to)
{
  for (guint i = 0; i < self->n_states; i++)
    to[i] = from[(gsize) i * self->width + lane];
}

static void
copy_column (const WeirLanes *self, double *vectors, guint from, guint to)
{
  for (gsize i = 0; i < (gsize) self->n_states * self->width; i += self->width)
    vectors[i + to] = vectors[i + from];
}

void
weir_lanes_remove (WeirLanes *self, guint lane)
{
  guint last = --self->n;
  Limits *limits;

  weir_wide_unload (self->wide, lane);
  g_assert (self->n_begun == last + 1);
  self->n_begun = last;
  if (self->n == 0)
    self->first_stage_known = FALSE;
  if (lane == last)
    return;
  limits = self->lanes[lane].limits;
  self->lanes[lane] = self->lanes[last];
  self->lanes[last].limits = limits;
  self->last[lane] = self->last[last];
  self->t[lane] = self->t[last];
  self->t_new[lane] = self->t_new[last];
  self->h[lane] = self->h[last];
  copy_column (self, self->x, last, lane);
  copy_column (self, self->starts, last, lane);
  copy_column (self, self->k[0], last, lane);
  weir_wide_move_lane (self->wide, last, lane);
}

/* --- Rows ------------------------------------------------------------------------------------ */

static void
append_row (WeirLanes *self, guint l, const double *t, const double *x)
{
  Lane *lane = &self->lanes[l];
  WeirSeries *series = lane->series;
  guint signal = 0;

  if (!weir_series_make_room (series))
    {
      set_fate (self, lane, WEIR_LANE_ALONE);
      return;
    }
  for (guint p = 0; p < self->n_ports; p++)
    for (guint i = 0; i < self->sizes[p]; i++)
      series->values[signal++][series->n_rows] = weir_wide_get_output (self->wide, p, i, t, x)[l];
  series->times[series->n_rows++] = t[l];
}

/* How many lanes are computed: as many as go together, but for a lone one. */
static guint
round_up (guint n)
{
  return (n + WEIR_LANES_AT_ONCE - 1) / WEIR_LANES_AT_ONCE * WEIR_LANES_AT_ONCE;
}

static WeirLaneShape
get_shape (const WeirLanes *self)
{
  return (WeirLaneShape) { self->n_states, self->width, self->n };
}

/* The instant of the record interval that @lane meets next. */
static double
get_sample_time (const WeirLanes *self, const Lane *lane)
{
  return lane->start + (double) lane->next_sample * self->options.record_interval;
}

/* Is a row taken within the step of @lane from @begin to @end, which is accepted; when next? A
 * sample that cannot be told apart from its begin is left to whoever runs it alone. */
static gboolean
has_row_within (WeirLanes *self, Lane *lane, double begin, double end, double *time)
{
  double parts;

  if (lane->fate != WEIR_LANE_GOES_ON)
    return FALSE;
  if (self->options.record_interval > 0)
    {
      *time = get_sample_time (self, lane);
      if (weir_is_same_instant (*time, begin))
        set_fate (self, lane, WEIR_LANE_ALONE);
      return *time < end && !weir_is_same_instant (*time, end);
    }
  parts = self->table->error_order > 0 ? ceil ((end - begin) / self->options.record_gap) : 1;
  *time = begin + (end - begin) * lane->part / parts;
  return lane->part < parts;
}

/* The factors of the stages for the state at theta of each lane's step. */
static void
find_dense_factors (WeirLanes *self, const double *theta)
{
  const WeirButcherTable *table = self->table;

  for (guint i = 0; i < table->n_stages; i++)
    for (guint l = 0; l < self->n; l++)
      {
        double sum = 0;

        for (guint j = table->n_dense; j > 0; j--)
          sum = (sum + table->dense[i][j - 1]) * theta[l];
        self->factors[i * self->width + l] = self->h[l] * sum;
      }
}

static void
find_hermite_factors (WeirLanes *self, const double *theta_of)
{
  for (guint l = 0; l < self->n; l++)
    {
      double theta = theta_of[l], s = theta * theta * (3 - 2 * theta), h = self->h[l];
      double *factor = self->factors + l;

      factor[0] = 1 - s;
      factor[self->width] = s;
      factor[2 * self->width] = h * theta * (1 - theta) * (1 - theta);
      factor[3 * self->width] = -h * theta * theta * (1 - theta);
    }
}

/* The states at t_stage, within the step, into x_trial. */
static void
interpolate (WeirLanes *self)
{
  const WeirButcherTable *table = self->table;
  const double *end = table->first_same_as_last ? self->k[table->n_stages - 1] : self->end;
  const double *terms[] = { self->x, self->x_new, self->k[0], end };
  double *theta = self->bottom;

  for (guint l = 0; l < self->n; l++)
    theta[l] = (self->t_stage[l] - self->t[l]) / self->h[l];
  if (table->n_dense > 0)
    {
      find_dense_factors (self, theta);
      weir_lanes_combine (get_shape (self), self->x, table->n_stages, self->factors,
                          (const double *const *) self->k, self->x_trial);
    }
  else
    {
      find_hermite_factors (self, theta);
      weir_lanes_combine (get_shape (self), NULL, G_N_ELEMENTS (terms), self->factors, terms,
                          self->x_trial);
    }
}

/* Where no stage is the derivative at the end of the step. It will be the first of the next; a run
 * alone asks for it where it comes to a sample. */
static void
find_end (WeirLanes *self)
{
  weir_lanes_times (get_shape (self), self->t_new, 0, self->h, self->last, self->bottom);
  weir_wide_rhs (self->wide, self->bottom, self->x_new, self->end, 0, round_up (self->n));
}

/* Appends what the record interval or gap asks for within the steps just made. Has it found the
 * derivatives at their ends? */
static gboolean
show_samples (WeirLanes *self)
{
  const WeirButcherTable *table = self->table;
  gboolean needs_end = table->n_dense == 0 && !table->first_same_as_last, has_end = FALSE;

  for (guint l = 0; l < self->n; l++)
    self->lanes[l].part = 1;
  for (;;)
    {
      gboolean any = FALSE;

      for (guint l = 0; l < self->n; l++)
        {
          Lane *lane = &self->lanes[l];
          gboolean is_within = self->takes[l] != 0
                               && has_row_within (self, lane, self->t[l], self->t_new[l],
                                                  &self->t_stage[l]);

          self->norm[l] = is_within;
          if (!is_within)
            self->t_stage[l] = self->t[l];
          any |= is_within;
          lane->has_end |= is_within && needs_end;
        }
      if (!any)
        return has_end;
      if (needs_end && !has_end)
        find_end (self);
      has_end = needs_end;
      interpolate (self);
      weir_wide_outputs (self->wide, self->t_stage, self->x_trial, 0, round_up (self->n));
      for (guint l = 0; l < self->n; l++)
        if (self->norm[l] != 0)
          {
            append_row (self, l, self->t_stage, self->x_trial);
            self->lanes[l].next_sample++;
            self->lanes[l].part++;
          }
    }
}

/* Of members whose step ended where a row is taken. */
static void
show_ends (WeirLanes *self)
{
  gboolean any = FALSE;

  for (guint l = 0; l < self->n; l++)
    {
      Lane *lane = &self->lanes[l];
      gboolean is_row = self->takes[l] != 0 && lane->fate != WEIR_LANE_ALONE;

      if (is_row && self->options.record_interval > 0)
        {
          gboolean is_sample = weir_is_same_instant (get_sample_time (self, lane), self->t[l]);

          lane->next_sample += is_sample;
          is_row = is_sample || lane->fate == WEIR_LANE_ARRIVED;
        }
      self->norm[l] = is_row;
      any |= is_row;
    }
  if (!any)
    return;
  weir_wide_outputs (self->wide, self->t, self->x, 0, round_up (self->n));
  for (guint l = 0; l < self->n; l++)
    if (self->norm[l] != 0)
      append_row (self, l, self->t, self->x);
}

/* How far a member tries to get next. */
static inline void
plan_trial (WeirLanes *self, guint l)
{
  Lane *lane = &self->lanes[l];
  double t = self->t[l];

  if (self->table->error_order == 0)
    {
      /* After one point comes the next: a division less. */
      double point = lane->point > 0 ? lane->point + 1
                                     : weir_grid_find_next (&lane->grid, lane->step, t);

      self->t_new[l] = weir_grid_get_time (&lane->grid, lane->step, point, lane->limit);
      self->h[l] = self->t_new[l] - t;
      lane->point = self->t_new[l] != lane->limit && point < lane->most_points ? point : 0;
      return;
    }
  lane->trial = weir_limit_step (t, lane->control.h, lane->limit, lane->max_step);
  if (lane->trial.h < lane->trial.floor)
    set_fate (self, lane, WEIR_LANE_ALONE);
  self->h[l] = lane->trial.h;
  self->t_new[l] = lane->trial.reaches ? lane->limit : t + lane->trial.h;
}

/* The context of a member, with its time and state, until it is given back. */
static WeirContext *
borrow_context (WeirLanes *self, guint l)
{
  WeirContext *context = weir_wide_borrow (self->wide, l);

  read_column (self, self->x, l, self->columns);
  weir_context_set_time_and_state (context, self->t[l], self->columns);
  return context;
}

/* What limits the next step of a member, beside its error. */
static inline void
limit_step (WeirLanes *self, guint l)
{
  Lane *lane = &self->lanes[l];
  double before = weir_time_before_jump (self->t[l], lane->limit);

  if (self->has_pace)
    {
      double most = self->options.max_step > 0 ? self->options.max_step : (double) INFINITY,
             longest;

      borrow_context (self, l);
      longest = weir_pace_get_longest (lane->limits->pace, self->stop - lane->start,
                                       lane->has_jumped);
      lane->max_step = MIN (most, longest);
      weir_wide_give_back (self->wide, l);
    }
  lane->has_jumped = FALSE;
  self->last[l] = weir_is_same_instant (lane->limit, lane->next) && before > self->t[l]
                      ? before
                      : (double) INFINITY;
}

/* The derivatives jump where the member has come to: its next step begins with new ones. */
static void
meet_jump (WeirLanes *self, guint l)
{
  Lane *lane = &self->lanes[l];

  if (!find_next_jump (self, borrow_context (self, l), lane, self->t[l], FALSE))
    set_fate (self, lane, WEIR_LANE_ALONE);
  weir_wide_give_back (self->wide, l);
  lane->has_jumped = TRUE;
  lane->n_suspect = 0;
  if (self->first_stage_known)
    weir_wide_rhs (self->wide, self->t, self->x, self->k[0], l, 1);
  lane->n_more += self->table->first_same_as_last != 0;
}

/* --- Beginning ------------------------------------------------------------------------------- */

/* The first step of error control, as one member alone chooses it; what was computed for it is in
 * @x, @xdot and, a probe further, in @ahead. */
static void
measure_start (WeirLanes *self, guint l, double *slope, double *probe)
{
  guint n = self->n_states;
  double *x = self->columns, *xdot = x + n, *weight = xdot + n;

  read_column (self, self->x, l, x);
  read_column (self, self->k[0], l, xdot);
  weir_vector_error_weights (n, x, x, self->relative_tolerance, self->options.absolute_tolerance,
                             weight);
  *slope = weir_vector_wrms_norm (n, xdot, weight);
  *probe = weir_first_probe (weir_vector_wrms_norm (n, x, weight), *slope,
                             MIN (self->lanes[l].max_step, self->lanes[l].limit - self->t[l]));
  weir_vector_linear_sum (n, 1, x, *probe, xdot, weight + n);
  for (guint i = 0; i < n; i++)
    self->x_trial[(gsize) i * self->width + l] = weight[n + i];
}

static void
choose_first_step (WeirLanes *self, guint l, double slope, double probe)
{
  guint n = self->n_states;
  double *x = self->columns, *xdot = x + n, *weight = xdot + n, *ahead = weight + n;
  double bend;

  read_column (self, self->x, l, x);
  read_column (self, self->k[0], l, xdot);
  read_column (self, self->x_new, l, ahead);
  weir_vector_error_weights (n, x, x, self->relative_tolerance, self->options.absolute_tolerance,
                             weight);
  weir_vector_linear_sum (n, 1, ahead, -1, xdot, ahead);
  bend = weir_vector_wrms_norm (n, ahead, weight) / probe;
  if (!isfinite (bend) || !isfinite (slope))
    set_fate (self, &self->lanes[l], WEIR_LANE_ALONE);
  else
    self->lanes[l].control.h = weir_first_step (
        probe, slope, bend, self->table->order,
        MIN (self->lanes[l].max_step, self->lanes[l].limit - self->t[l]));
}

/* The shortest of all that go on, for all of them. */
static void
share_step (WeirLanes *self)
{
  double h = INFINITY;

  for (guint l = 0; l < self->n; l++)
    if (self->lanes[l].fate == WEIR_LANE_GOES_ON)
      h = MIN (h, self->lanes[l].control.h);
  for (guint l = 0; l < self->n; l++)
    self->lanes[l].control.h = h;
}

/* The first step of error control of members [first, n). */
static void
choose_first_steps (WeirLanes *self, guint first)
{
  for (guint l = first; l < self->n; l++)
    {
      measure_start (self, l, &self->norm[l], &self->bottom[l]);
      self->t_stage[l] = MIN (self->t[l] + self->bottom[l], self->last[l]);
      self->lanes[l].n_more = 2;
    }
  weir_wide_rhs (self->wide, self->t_stage, self->x_trial, self->x_new, first, self->n - first);
  for (guint l = first; l < self->n; l++)
    choose_first_step (self, l, self->norm[l], self->bottom[l]);
  if (self->has_common_step)
    share_step (self);
}

/* What a run alone does before its first step, for members [n_begun, n). */
static void
begin_members (WeirLanes *self)
{
  guint first = self->n_begun;
  gboolean is_adaptive = self->table->error_order > 0;

  self->n_begun = self->n;
  if (self->records)
    {
      weir_wide_outputs (self->wide, self->t, self->x, first, self->n - first);
      for (guint l = first; l < self->n; l++)
        append_row (self, l, self->t, self->x);
    }
  for (guint l = first; l < self->n; l++)
    limit_step (self, l);
  if (is_adaptive || self->first_stage_known)
    weir_wide_rhs (self->wide, self->t, self->x, self->k[0], first, self->n - first);
  if (is_adaptive)
    choose_first_steps (self, first);
  self->first_stage_known |= is_adaptive;
  for (guint l = first; l < self->n; l++)
    plan_trial (self, l);
}

/* --- Steps ----------------------------------------------------------------------------------- */

/* The stages and x_new of all lanes. */
static void
compute_stages (WeirLanes *self)
{
  const WeirButcherTable *table = self->table;
  guint n = round_up (self->n), n_stages = table->n_stages;
  const double *const *stages = (const double *const *) self->k;

  if (!self->first_stage_known)
    weir_wide_rhs (self->wide, self->t, self->x, self->k[0], 0, n);
  for (guint i = 1; i < n_stages; i++)
    {
      gboolean is_end = table->first_same_as_last && i == n_stages - 1;
      double *x = is_end ? self->x_new : self->x_trial;

      weir_lanes_times (get_shape (self), self->t, table->c[i], self->h, self->last, self->t_stage);
      weir_lanes_step (get_shape (self), self->x, i, table->a[i], self->h, stages, x);
      weir_wide_rhs (self->wide, self->t_stage, x, self->k[i], 0, n);
    }
  if (!table->first_same_as_last)
    weir_lanes_step (get_shape (self), self->x, n_stages, table->b, self->h, stages, self->x_new);
}

/* norm: of the error, at most 1 where the step is accepted; not finite where some stage is not. */
static void
judge_trials (WeirLanes *self)
{
  const WeirButcherTable *table = self->table;
  double relative = self->relative_tolerance, absolute = self->options.absolute_tolerance;
  guint last = table->n_stages - 1;
  double most = 0;

  if (table->error_order == 0)
    {
      weir_lanes_test_finite (get_shape (self), self->x_new, self->norm);
      return;
    }
  weir_lanes_error_norm (get_shape (self), self->x, self->x_new, table->n_stages, table->e, self->h,
                         (const double *const *) self->k, relative, absolute, self->norm);
  if (self->is_auto)
    {
      weir_lanes_distance (get_shape (self), self->k[last], self->k[last - 1], self->x, self->x_new,
                           relative, absolute, self->stiffness);
      weir_lanes_distance (get_shape (self), self->x_new, self->x_trial, self->x, self->x_new,
                           relative, absolute, self->bottom);
    }
  for (guint l = 0; l < self->n && self->has_common_step; l++)
    most = isfinite (self->norm[l]) ? MAX (most, self->norm[l]) : most;
  for (guint l = 0; l < self->n && self->has_common_step; l++)
    self->norm[l] = isfinite (self->norm[l]) ? most : self->norm[l];
}

/* Does auto, after an accepted step, think of another method? */
static void
look_for_stiffness (WeirLanes *self, guint l)
{
  Lane *lane = &self->lanes[l];
  double h = self->h[l], bottom = self->bottom[l];
  double stiffness = bottom > 0 ? h * self->stiffness[l] / bottom : 0;
  gboolean is_cut = self->t_new[l] >= lane->limit
                    || self->t_new[l] - self->t[l] >= 0.99 * lane->max_step;

  if (stiffness > STABILITY_EDGE)
    {
      lane->n_easy = 0;
      lane->n_stiff++;
    }
  else if (++lane->n_easy >= EASY_STEPS)
    lane->n_stiff = 0;
  if (is_cut || stiffness <= SUSPECT)
    lane->n_suspect = 0;
  else
    lane->n_suspect++;
  if (lane->n_stiff >= STIFF_STEPS || lane->n_suspect > MOST_SUSPECTS)
    set_fate (self, lane, WEIR_LANE_ALONE);
}

/* What step control takes of the norms: powers. */
static void
find_powers (WeirLanes *self)
{
  double exponent = 0;

  for (guint l = 0; l < self->n; l++)
    {
      const WeirStepControl *control = &self->lanes[l].control;

      self->powers[l] = control->error_before;
      self->bases[l] = MAX (self->norm[l], WEIR_LEAST_NORM);
      exponent = control->exponent; /* of the table */
    }
  weir_lanes_multiply_powers (get_shape (self), self->powers, WEIR_BETA, self->bases, -exponent,
                              self->powers);
}

/* Which members' trials are their next steps: takes. FALSE: some are not. */
static gboolean
decide (WeirLanes *self)
{
  gboolean all = TRUE;

  if (self->table->error_order == 0 && weir_all_finite (self->n, self->norm))
    {
      for (guint l = 0; l < self->n; l++)
        self->takes[l] = 1;
      return TRUE;
    }
  if (self->table->error_order > 0)
    find_powers (self);
  for (guint l = 0; l < self->n; l++)
    {
      Lane *lane = &self->lanes[l];
      double norm = self->norm[l];

      self->takes[l] = 0;
      if (!isfinite (norm))
        set_fate (self, lane, WEIR_LANE_ALONE);
      else if (self->table->error_order > 0 && norm > 1)
        {
          weir_step_control_reject (&lane->control, &lane->trial, norm);
          lane->statistics.rejected_steps++;
          lane->was_rejected = TRUE;
        }
      else
        {
          if (self->table->error_order > 0)
            weir_step_control_accept_by (&lane->control, &lane->trial, norm, self->powers[l],
                                         lane->was_rejected);
          if (self->is_auto)
            look_for_stiffness (self, l);
          lane->was_rejected = FALSE;
          self->takes[l] = 1;
        }
      all &= self->takes[l] != 0;
    }
  return all;
}

static void
swap (double **a, double **b)
{
  double *c = *a;

  *a = *b;
  *b = c;
}

/* Puts members whose step is accepted where it ends. */
static void
move (WeirLanes *self, gboolean all, gboolean has_end)
{
  const WeirButcherTable *table = self->table;
  gboolean gives_first = table->first_same_as_last || has_end;
  double **first = table->first_same_as_last ? &self->k[table->n_stages - 1] : &self->end;

  if (all)
    {
      swap (&self->x, &self->x_new);
      if (gives_first)
        swap (&self->k[0], first);
    }
  else
    {
      weir_lanes_take (get_shape (self), self->takes, self->x_new, self->x);
      if (gives_first)
        weir_lanes_take (get_shape (self), self->takes, *first, self->k[0]);
    }
  self->first_stage_known = gives_first;
}

/* Does @lane, which made a step, get nowhere, or no further than it may? */
static void
look_at_progress (WeirLanes *self, Lane *lane, double t)
{
  guint most = self->options.max_stalled_steps;
  guint64 limit = self->options.max_steps;
  WeirStretch since;

  if (weir_progress_is_stalled (&lane->progress, &lane->statistics, t, most,
                                self->stop - lane->start, &since)
      || (limit > 0 && lane->statistics.steps >= limit && lane->fate != WEIR_LANE_ARRIVED))
    set_fate (self, lane, WEIR_LANE_ALONE);
  lane->next_look = most > 0 ? lane->statistics.steps + most : G_MAXUINT64;
  if (limit > lane->statistics.steps)
    lane->next_look = MIN (lane->next_look, limit);
}

/* A member has come to its limit, or close to it. */
static void
meet_limit (WeirLanes *self, guint l)
{
  Lane *lane = &self->lanes[l];
  gboolean is_end = weir_is_same_instant (self->stop, self->t[l]);
  gboolean is_jump = weir_is_same_instant (lane->next, self->t[l]);

  lane->n_more += lane->has_end && (is_end || is_jump) && !isfinite (self->last[l]);
  if (is_end && lane->fate == WEIR_LANE_GOES_ON)
    set_fate (self, lane, WEIR_LANE_ARRIVED);
  else if (is_jump)
    meet_jump (self, l);
}

/* A member has made a step. */
static inline void
count_step (WeirLanes *self, guint l)
{
  Lane *lane = &self->lanes[l];
  double t = self->t_new[l];

  weir_statistics_count_step (&lane->statistics, t - self->t[l]);
  self->t[l] = t;
  /* The next step of a run alone begins with it unless it may be that before a jump. */
  if (G_UNLIKELY (lane->has_end))
    lane->n_more += isfinite (self->last[l]);
  if (G_UNLIKELY (t >= lane->near_limit))
    meet_limit (self, l);
  lane->has_end = FALSE;
  if (G_UNLIKELY (lane->statistics.steps >= lane->next_look))
    look_at_progress (self, lane, t);
  if ((self->has_pace || self->n_events > 0) && lane->fate == WEIR_LANE_GOES_ON)
    limit_step (self, l);
}

static void
count_steps (WeirLanes *self, gboolean all)
{
  for (guint l = 0; l < self->n; l++)
    {
      if (all || self->takes[l] != 0)
        count_step (self, l);
      if (G_LIKELY (self->lanes[l].fate == WEIR_LANE_GOES_ON))
        plan_trial (self, l);
    }
}

/* What gave no value is to be told by a run alone. */
static void
take_failures (WeirLanes *self)
{
  for (guint l = 0; l < self->n; l++)
    if (weir_wide_take_failure (self->wide, l))
      set_fate (self, &self->lanes[l], WEIR_LANE_ALONE);
}

/* The contexts of those that arrived end with what they arrived at; of those that are to be run
 * alone, with what they began with. */
static void
leave (WeirLanes *self)
{
  for (guint l = 0; l < self->n; l++)
    {
      Lane *lane = &self->lanes[l];
      gboolean has_arrived = lane->fate == WEIR_LANE_ARRIVED;

      if (lane->fate == WEIR_LANE_GOES_ON)
        continue;
      weir_wide_unload (self->wide, l);
      read_column (self, has_arrived ? self->x : self->starts, l, self->columns);
      weir_context_set_time_and_state (lane->context, has_arrived ? self->t[l] : lane->start,
                                       self->columns);
    }
}

gboolean
weir_lanes_try_step (WeirLanes *self)
{
  gboolean all, has_end = FALSE;

  self->has_news = FALSE;
  if (self->n_begun < self->n)
    begin_members (self);
  compute_stages (self);
  judge_trials (self);
  all = decide (self);
  if ((self->options.record_interval > 0 || self->options.record_gap > 0) && self->records)
    has_end = show_samples (self);
  move (self, all, has_end);
  count_steps (self, all);
  if (self->records)
    show_ends (self);
  if (weir_wide_is_mixed (self->wide))
    take_failures (self);
  if (self->has_news)
    leave (self);
  return self->has_news;
}

/* --- Solvers --------------------------------------------------------------------------------- */

static const WeirSolverInfo weir_solver_infos[] = {
  { "euler", "", "", 1, FALSE },
  { "heun", "", "", 2, FALSE },
  { "rk4", "", "", 4, FALSE },
  { "dormand-prince", "", "", 5, TRUE },
};

static const WeirSolverInfo *
weir_solver_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (weir_solver_infos); i++)
    if (strcmp (weir_solver_infos[i].name, name) == 0)
      return &weir_solver_infos[i];
  return NULL;
}

static WeirSolver *
weir_solver_new (const char *name, WeirProblem *problem, GError **error)
{
  return runge_kutta_class.make (weir_solver_find (name), problem, error);
}

static void
weir_solver_free (WeirSolver *self)
{
  if (self != NULL)
    self->class->free (self);
}

/* --- Runs ------------------------------------------------------------------------------------ */

typedef struct {
  WeirSimulator simulator;
  WeirRecordFunc record;
  void *data;
  gint8 *domain; /* by element of what may cross: the sign that others last saw; 0 = none did */
  GError error;
} Run;

static gboolean
weir_simulator_show (WeirSimulator *self, WeirPhase phase, GError **error)
{
  const Run *run = (const Run *) (const void *) self;

  if (phase == WEIR_PHASE_PLUS || run->record == NULL)
    return TRUE;
  switch (run->record (self->context, run->data))
    {
    case WEIR_OK:
      return TRUE;
    case WEIR_TERMINATE:
      self->is_terminated = TRUE;
      return TRUE;
    case WEIR_PENDING:
    case WEIR_FAILED:
    case WEIR_DID_NOTHING:
    default:
      return weir_simulator_fail (self, "the monitor of the run failed", error);
    }
}

WeirSimulator *
weir_simulator_make (WeirContext *context, const WeirRunSettings *settings, WeirRecordFunc record,
                     void *data)
{
  Run *run = g_new0 (Run, 1);
  GError *error;
  WeirSimulator *self;

  if (run == NULL || weir_solver_find (settings->solver) == NULL)
    {
      free (run);
      return NULL;
    }
  error = &run->error;
  self = &run->simulator;
  run->record = record;
  run->data = data;
  self->root = context->system;
  self->context = context;
  self->options.solver = settings->solver;
  self->options.step = settings->step;
  self->options.relative_tolerance = settings->relative_tolerance;
  self->options.absolute_tolerance = settings->absolute_tolerance;
  self->options.max_step = settings->max_step;
  self->options.event_tolerance = settings->event_tolerance;
  self->options.max_crossings = settings->max_crossings;
  self->options.max_event_iterations = settings->max_event_iterations;
  self->options.max_stalled_steps = settings->max_stalled_steps;
  self->options.max_steps = settings->max_steps;
  self->problem.root = context->system;
  self->problem.context = context;
  self->problem.layout = (WeirLayout *) (uintptr_t) context->system;
  self->problem.n = context->system->n_states;
  self->problem.relative_tolerance = settings->relative_tolerance;
  self->problem.absolute_tolerance = settings->absolute_tolerance;
  self->problem.max_step = settings->max_step > 0 ? settings->max_step : (double) INFINITY;
  self->problem.statistics = &self->statistics;
  self->problem.cause = &self->cause;
  if (!weir_simulator_make_parts (self, &error) || self->updates == NULL
      || (self->crossings != NULL && (run->domain = g_new0 (gint8, self->crossings->n)) == NULL))
    {
      weir_simulator_destroy (self);
      return NULL;
    }
  return self;
}

void
weir_simulator_destroy (WeirSimulator *self)
{
  if (self == NULL)
    return;
  free (((Run *) (void *) self)->domain);
  weir_solver_free (self->solver);
  weir_updates_free (self->updates);
  weir_crossings_free (self->crossings);
  weir_pace_free (self->pace);
  free (self->events);
  free (self->start_state);
  free (self->derivatives);
  free (self->x_event);
  free (self->x_sample);
  free (self);
}

int
weir_simulator_begin (WeirSimulator *self)
{
  GError *error = &((Run *) (void *) self)->error;

  error->text[0] = '\0';
  return simulator_initialize (self, &error);
}

/* What whoever steps calls @time may be rounded otherwise than where an event falls, or where a
 * fixed step ends: he may have added up what is multiplied here. */
static double
find_end (const WeirSimulator *self, double time)
{
  gboolean is_timed = FALSE;
  double next = weir_simulator_get_next_event_time (self, &is_timed);
  double step = self->problem.step;
  double end = self->start + round ((time - self->start) / step) * step;

  if (weir_is_same_instant (next, time))
    return next;
  return step > 0 && weir_is_same_instant (end, time) ? end : time;
}

int
weir_simulator_advance (WeirSimulator *self, double time)
{
  int is_at_event = FALSE;

  return weir_simulator_advance_to_event (self, time, FALSE, &is_at_event);
}

int
weir_simulator_advance_to_event (WeirSimulator *self, double time, int stops, int *is_at_event)
{
  GError *error = &((Run *) (void *) self)->error;
  gboolean done = FALSE;

  while (!done)
    {
      if (!simulator_step (self, find_end (self, time), &done, &error))
        return FALSE;
      done |= stops && self->has_due;
    }
  *is_at_event = self->has_due && !self->is_terminated;
  return TRUE;
}

/* Updates of each step are the next step's. */
int
weir_simulator_execute (WeirSimulator *self, int *has_changed, double *next)
{
  GError *error = &((Run *) (void *) self)->error;
  gboolean any = FALSE, is_timed = FALSE;

  weir_simulator_take_up_changes (self);
  if ((self->has_due || self->is_changed) && !self->has_step_updates)
    {
      if (!weir_simulator_execute_updates (self, &any, &error))
        return FALSE;
      weir_simulator_own_changes (self);
    }
  *has_changed = any;
  *next = weir_simulator_get_next_event_time (self, &is_timed);
  return TRUE;
}

/* --- For others who integrate ---------------------------------------------------------------- */

/* They see a crossing wherever an indicator goes from above zero to at most zero, or back; so each
 * keeps its sign until something crosses, which leaving zero seldom does and landing on it does. */
int
weir_simulator_get_indicators (WeirSimulator *self, double *z)
{
  const gint8 *domain = ((Run *) (void *) self)->domain;
  WeirCrossings *crossings = self->crossings;
  GError *error = &((Run *) (void *) self)->error;

  if (crossings == NULL)
    return TRUE;
  if (!evaluate_at (crossings, self->context->now, self->context->state, z, &error))
    return FALSE;
  for (guint k = 0; k < crossings->n; k++)
    if (domain[k] != 0)
      z[k] = (direction_of (crossings, k, z[k]) != 0 ? -domain[k] : domain[k])
             * MAX (fabs (z[k]), DBL_MIN);
  return TRUE;
}

/* Until the events of an instant are met it is seen as just before them. */
double
weir_simulator_get_time_seen (const WeirSimulator *self)
{
  gboolean is_timed = FALSE;
  double now = self->context->now, last;

  if (!self->has_timed)
    return now;
  last = weir_time_before_jump (self->time, weir_simulator_get_next_event_time (self, &is_timed));
  return is_timed && last > self->time ? MIN (now, last) : now;
}

static void
begin_domains (WeirSimulator *self)
{
  gint8 *domain = ((Run *) (void *) self)->domain;

  for (guint k = 0; self->crossings != NULL && k < self->crossings->n; k++)
    if (domain[k] == 0)
      domain[k] = self->crossings->left[k] > 0 ? 1 : -1;
}

/* What crossed in the course of time since the last look. Whoever integrates tells of signs that
 * changed; which of them are crossings is found here. */
static gboolean
look_over (WeirSimulator *simulator, gboolean commits, gboolean *found, GError **error)
{
  WeirContext *context = simulator->context;
  WeirCrossings *self = simulator->crossings;
  gint8 *domain = ((Run *) (void *) simulator)->domain;

  if (!evaluate_at (self, context->now, context->state, self->right, error))
    return FALSE;
  *found = crosses (self, self->right, TRUE);
  if (*found && !commits)
    return TRUE;
  for (guint k = 0; k < self->n; k++)
    if (direction_of (self, k, self->right[k]) != 0)
      domain[k] = (gint8) -domain[k];
  memcpy (self->before, self->left, self->n * sizeof *self->left);
  commit (self, self->right, TRUE);
  memset (self->blur, 0, self->n * sizeof *self->blur);
  return TRUE;
}

int
weir_simulator_meet (WeirSimulator *self, int *has_changed, double *next)
{
  GError *error = &((Run *) (void *) self)->error;
  gboolean any = FALSE, is_timed = FALSE;

  begin_domains (self);
  if (self->time != self->context->now)
    {
      self->time = self->context->now;
      if (self->crossings != NULL && !look_over (self, TRUE, &self->has_crossed, &error))
        return FALSE;
      if (!weir_simulator_meet_events (self, &error))
        return FALSE;
    }
  if (!weir_simulator_execute_updates (self, &any, &error)
      || (self->has_sides && !weir_simulator_keep_past (self, TRUE, &error))
      || !simulator_move_starts (self, &error))
    return FALSE;
  *has_changed = any;
  *next = weir_simulator_get_next_event_time (self, &is_timed);
  return TRUE;
}

int
weir_simulator_complete_step (WeirSimulator *self, int *has_updates)
{
  GError *error = &((Run *) (void *) self)->error;
  double now = self->context->now;
  gboolean has_crossed = FALSE, is_kept = TRUE;

  begin_domains (self);
  if (self->crossings != NULL && !look_over (self, FALSE, &has_crossed, &error))
    return FALSE;
  *has_updates = self->has_step_updates || self->has_step_publishes || has_crossed;
  if (self->has_sides)
    {
      weir_context_set_time (self->context, weir_simulator_get_time_seen (self));
      is_kept = weir_simulator_keep_past (self, FALSE, &error);
      weir_context_set_time (self->context, now);
    }
  return is_kept && simulator_move_starts (self, &error);
}

int
weir_simulator_has_ended (const WeirSimulator *self)
{
  return self->is_terminated;
}

guint64
weir_simulator_count_events (const WeirSimulator *self)
{
  guint64 n = 0;

  for (guint i = 0; i < self->n_events; i++)
    n += self->events[i].count;
  return n;
}

const char *
weir_simulator_get_error (const WeirSimulator *self)
{
  return ((const Run *) (const void *) self)->error.text;
}

char *
weir_write_number (double value, char *buffer)
{
  return weir_number_write (value, buffer);
}

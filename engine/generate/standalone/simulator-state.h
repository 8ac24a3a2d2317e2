/* --- The state of a run ------------------------------------------------------------------------
 *
 * All numbers that a run goes on from, one after the other. They are not the pointers, so that
 * another instance of the same model takes them too.
 */

typedef struct {
  guint8 *bytes;  /* NULL: they are counted */
  gsize n;        /* so far */
  gboolean takes; /* from the bytes into the run */
} Visit;

static void
visit (Visit *self, gpointer place, gsize size)
{
  if (self->bytes != NULL && size > 0 && self->takes)
    memcpy (place, self->bytes + self->n, size);
  else if (self->bytes != NULL && size > 0)
    memcpy (self->bytes + self->n, place, size);
  self->n += size;
}

#define VISIT(v, value) visit (v, &(value), sizeof (value))
#define VISIT_ALL(v, values, count) visit (v, values, (gsize) (count) * sizeof *(values))

static void
visit_context (Visit *v, WeirContext *context)
{
  VISIT (v, context->now);
  VISIT (v, context->accuracy);
  VISIT (v, context->n_changes);
  VISIT_ALL (v, context->state, context->system->n_states);
  VISIT_ALL (v, context->row, context->system->n_row);
}

static void
visit_events (Visit *v, WeirSimulator *self)
{
  for (guint i = 0; i < self->n_events; i++)
    {
      WeirSimulatorEvent *event = &self->events[i];

      VISIT (v, event->n);
      VISIT (v, event->time);
      VISIT (v, event->is_due);
      VISIT (v, event->count);
      VISIT (v, event->n_close);
      VISIT (v, event->first_close);
      VISIT (v, event->last_crossing);
    }
}

static void
visit_crossings (Visit *v, WeirCrossings *self)
{
  VISIT_ALL (v, self->side, self->n);
  VISIT_ALL (v, self->directions, self->n);
  VISIT_ALL (v, self->is_answered, self->n);
  VISIT_ALL (v, self->put_from, self->n);
  VISIT_ALL (v, self->blur, self->n);
  VISIT_ALL (v, self->is_settled, self->n);
  VISIT_ALL (v, self->left, self->n);
  VISIT_ALL (v, self->before, self->n);
  VISIT_ALL (v, self->largest, self->n);
  VISIT_ALL (v, self->courses, self->n);
  VISIT_ALL (v, self->away, self->n);
  VISIT_ALL (v, self->is_grazed, self->n);
  VISIT_ALL (v, self->piles, self->n);
  VISIT_ALL (v, self->sizes, self->problem->n);
  if (self->phases != NULL)
    VISIT_ALL (v, self->left_phases, self->n_phases);
  VISIT (v, self->begin);
  VISIT (v, self->window);
  VISIT (v, self->n_narrowed);
  VISIT (v, self->course_begin);
  VISIT (v, self->course_length);
  VISIT (v, self->has_piles);
  VISIT (v, self->span);
}

static void
visit_pace (Visit *v, WeirPace *self)
{
  VISIT (v, self->has_before);
  VISIT (v, self->time);
  VISIT_ALL (v, self->before, self->n);
}

static void
visit_solver (Visit *v, RungeKutta *self)
{
  const guint n_stages = self->table->n_stages + self->table->n_dense_stages;

  VISIT (v, self->base.t_previous);
  VISIT (v, self->base.t);
  VISIT (v, self->first_stage_known);
  VISIT (v, self->control);
  VISIT (v, self->h_taken);
  VISIT (v, self->stiffness);
  VISIT (v, self->grid);
  VISIT (v, self->end_known);
  VISIT (v, self->end_is_limited);
  for (guint i = 0; i < n_stages; i++)
    VISIT_ALL (v, self->k[i], self->n);
  VISIT_ALL (v, self->base.x, self->n);
  VISIT_ALL (v, self->x_previous, self->n);
  VISIT_ALL (v, self->end_derivative, self->n);
}

static void
visit_run (Visit *v, WeirSimulator *self)
{
  WeirProblem *problem = &self->problem;

  visit_context (v, self->context);
  VISIT (v, problem->step);
  VISIT (v, problem->max_step);
  VISIT (v, problem->last_time);
  VISIT (v, problem->start_time);
  VISIT (v, self->statistics);
  VISIT (v, self->start);
  VISIT (v, self->horizon);
  VISIT (v, self->time);
  VISIT (v, self->n_changes);
  VISIT (v, self->step_taken);
  VISIT (v, self->progress);
  VISIT (v, self->is_sample);
  VISIT (v, self->is_initialized);
  VISIT (v, self->is_terminated);
  VISIT (v, self->needs_restart);
  VISIT (v, self->is_solver_used);
  VISIT (v, self->is_at_start);
  VISIT (v, self->has_due);
  VISIT (v, self->has_crossed);
  VISIT (v, self->is_changed);
  visit_events (v, self);
  if (self->crossings != NULL)
    {
      visit_crossings (v, self->crossings);
      VISIT_ALL (v, ((Run *) (void *) self)->domain, self->crossings->n);
    }
  if (self->pace != NULL)
    visit_pace (v, self->pace);
  if (self->solver != NULL)
    visit_solver (v, (RungeKutta *) (void *) self->solver);
}

size_t
weir_simulator_get_state_size (WeirSimulator *self)
{
  Visit v = { NULL, 0, FALSE };

  visit_run (&v, self);
  return v.n;
}

void
weir_simulator_get_state (WeirSimulator *self, void *bytes)
{
  Visit v = { bytes, 0, FALSE };

  visit_run (&v, self);
}

void
weir_simulator_set_state (WeirSimulator *self, const void *bytes)
{
  Visit v = { (guint8 *) (uintptr_t) bytes, 0, TRUE };

  visit_run (&v, self);
  self->context->values_set = 0;
  weir_updates_clear (self->updates);
}

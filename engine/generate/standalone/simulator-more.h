/* --- What the program does beside, which changes no value ---------------------------------------
 */

static gboolean weir_simulator_show (WeirSimulator *self, WeirPhase phase, GError **error);

static inline gboolean
weir_problem_is_cancelled (const WeirProblem *self)
{
  (void) self;
  return FALSE;
}

static inline void
weir_problem_note_failure (WeirProblem *self, double t)
{
  (void) self;
  (void) t;
}

static inline void
weir_problem_forget_failure (WeirProblem *self)
{
  (void) self;
}

static inline gboolean
weir_problem_fail (const WeirProblem *self, GError **error, double t, guint state, const char *what)
{
  (void) state;
  weir_set_error (error, "%s at t = %.6g s: %s", what, t, self->context->failure);
  return FALSE;
}

static inline void
weir_problem_set_cause_place (const WeirProblem *self, double t, const WeirFailurePlace *place)
{
  (void) self;
  (void) t;
  (void) place;
}

static inline gboolean
weir_problem_check_finite (const WeirProblem *self, double t, const double *x, GError **error)
{
  return weir_all_finite (self->n, x)
         || weir_problem_fail (self, error, t, G_MAXUINT,
                               "the step led to a state that is not finite");
}

static inline gboolean
weir_simulator_fail (WeirSimulator *self, const char *what, GError **error)
{
  weir_set_error (error, "%s at t = %.6g s: %s", what, self->context->now, self->context->failure);
  return FALSE;
}

/* No block that code is generated of has states whose sizes change. */
static inline gboolean
weir_simulator_take_nominals (WeirSimulator *self)
{
  (void) self;
  return FALSE;
}

static inline void
weir_simulator_forget_remarks (WeirSimulator *self)
{
  self->context->failure[0] = '\0';
}

static inline void
simulator_events_take_note (WeirSimulator *self, const WeirSimulatorEvent *event,
                            WeirOccurrence *occurrence, WeirStatus status)
{
  (void) self;
  (void) event;
  (void) occurrence;
  (void) status;
}

static inline void
weir_simulator_doubt_crossings (WeirSimulator *self, WeirEntry witness, double begin, double end)
{
  (void) self;
  (void) witness;
  (void) begin;
  (void) end;
}

static inline void
weir_simulator_doubt_graze (WeirSimulator *self, const WeirGraze *graze)
{
  (void) self;
  (void) graze;
}

static inline void
weir_simulator_set_cause_node (WeirSimulator *self, WeirTroubleKind kind, WeirNode node)
{
  (void) self;
  (void) kind;
  (void) node;
}

static inline gboolean
simulator_progress_fail_stalled (WeirSimulator *self, const WeirStretch *since, GError **error)
{
  (void) since;
  return weir_simulator_fail (self, "the run stalls", error);
}

static inline gboolean
simulator_progress_refuse_event (WeirSimulator *self, const WeirDeclaredEvent *declared,
                                 const char *what, double interval, double length, double least,
                                 GError **error)
{
  weir_set_error (error, "%s: %s of %g s is too short for a run of %g s; give it at least %.2g s",
                  declared->leaf->path, what, interval, length, least);
  (void) self;
  return FALSE;
}

static inline gboolean
weir_simulator_check_limit (WeirSimulator *self, GError **error)
{
  return self->options.max_steps == 0 || self->statistics.steps < self->options.max_steps
         || weir_simulator_fail (self, "the run took as many steps as were allowed", error);
}

static inline gboolean
weir_simulator_show_samples (WeirSimulator *self, double begin, double end, GError **error)
{
  (void) self;
  (void) begin;
  (void) end;
  (void) error;
  return TRUE;
}

static inline gboolean
weir_simulator_show_within (WeirSimulator *self, double begin, double end, GError **error)
{
  return weir_simulator_show_samples (self, begin, end, error);
}

static inline gboolean
weir_simulator_begin_master (WeirSimulator *self, GError **error)
{
  (void) self;
  (void) error;
  return TRUE;
}

#define weir_simulator_begin_exchange(self, error) weir_simulator_begin_master (self, error)
#define weir_simulator_end_exchange(self, error) weir_simulator_begin_master (self, error)
#define weir_simulator_get_communication_time(self) ((void) (self), (double) INFINITY)
#define weir_simulator_note_failure(self, error) ((void) (self), (void) (error))

static const WeirSolverInfo *weir_solver_find (const char *name);
static WeirSolver *weir_solver_new (const char *name, WeirProblem *problem, GError **error);
static void weir_solver_free (WeirSolver *self);

/* Running a generated model. See <weir-simulator.h>.
 *
 * What follows the first part is Weir's own: the same text as that of the program, so that a run
 * here is the same run.
 */
#include "weir-simulator.h"

#include <stdlib.h>

/* --- What the program has in its place ------------------------------------------------------- */

typedef struct {
  char text[WEIR_MESSAGE_SIZE];
} GError;
typedef struct GVariant GVariant;
typedef struct GArray GArray;
typedef struct GPtrArray GPtrArray;
typedef struct WeirMaster WeirMaster;
typedef struct WeirLayout WeirLayout;
typedef struct _WeirMessage WeirMessage; /* never one here */
typedef struct _WeirSimulatorOptions WeirSimulatorOptions;
typedef int WeirStepSchedulingType;
typedef int WeirStopwatch;
typedef int WeirSeverity;
typedef WeirStatus (*WeirMonitorFunc) (WeirSimulator *simulator, int phase, gpointer data);

#define g_autofree /* only ever of names, which nobody owns here: what is allocated is freed by    \
                      hand */
#define WEIR_TIME_TEXT_SIZE 48
#define G_ASCII_DTOSTR_BUF_SIZE 40
#define g_new0(type, n) ((type *) weir_make_zeros ((gsize) (n), sizeof (type)))
#define g_new(type, n) g_new0 (type, n)
#define g_try_malloc0_n(n, size) weir_make_zeros ((gsize) (n), size)
#define g_free(memory) free (memory)
/* Whoever comes meanwhile, in a thread of his own, makes the same once more. */
#ifdef __GNUC__
#define g_once_init_enter(place) (__atomic_load_n (place, __ATOMIC_ACQUIRE) == 0)
#define g_once_init_leave(place, value) __atomic_store_n (place, value, __ATOMIC_RELEASE)
#else
#define g_once_init_enter(place) (*(place) == 0)
#define g_once_init_leave(place, value) ((void) (*(place) = (value)))
#endif
#define g_snprintf snprintf
#define g_str_equal(a, b) (strcmp (a, b) == 0)
#define g_set_error(error, domain, code, ...) weir_set_error (error, __VA_ARGS__)
#define weir_error_set(error, code, ...) weir_set_error (error, __VA_ARGS__)
#define weir_phrase(text) (text) /* nobody translates here */
#define N_(text) text
/* What leads to a pole is only told to people. */
#define weir_pole_watch_new(problem) NULL
#define weir_simulator_doubt_step(self, pole) ((void) (self))
#define weir_pole_watch_restart(self) ((void) (self))
#define weir_pole_watch_begin_step(self, ...) ((void) (self))
#define weir_pole_watch_end_step(self, t, x, found) ((void) (found), FALSE)
#define weir_context_set_phase(context, phase) ((void) (context))

/* The upper half of a * b; *@low: the lower. Not every processor has numbers so wide. */
static inline guint64
weir_multiply_wide (guint64 a, guint64 b, guint64 *low)
{
  const guint64 half = G_MAXUINT32;
  guint64 a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
  guint64 middle = a1 * b0 + (a0 * b0 >> 32);
  guint64 other = a0 * b1 + (middle & half);

  *low = a * b;
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

static gpointer
weir_make_zeros (gsize n, gsize size)
{
  return calloc (n > 0 ? n : 1, size);
}

/* In the C locale, which a program has that does not choose another. */
#define g_ascii_strtod(text, end) strtod (text, end)

static inline char *
g_ascii_formatd (char *buffer, gsize size, const char *format, double value)
{
  (void) snprintf (buffer, size, format, value);
  return buffer;
}

static inline char *
g_stpcpy (char *to, const char *text)
{
  gsize n = strlen (text);

  memcpy (to, text, n + 1);
  return to + n;
}

static G_GNUC_PRINTF (2, 3) void weir_set_error (GError **error, const char *format, ...)
{
  va_list args;

  if (error == NULL || *error == NULL || (*error)->text[0] != '\0')
    return;
  va_start (args, format);
  (void) vsnprintf ((*error)->text, sizeof (*error)->text, format, args);
  va_end (args);
}

static inline WeirStopwatch
weir_stopwatch_begin (WeirStopwatch *self)
{
  return *self;
}

static inline void
weir_stopwatch_end (WeirStopwatch *self, gint64 begin)
{
  *self = (int) begin;
}

static inline char *
weir_time_to_text (double time, double beside, char *buffer)
{
  (void) beside;
  (void) snprintf (buffer, WEIR_TIME_TEXT_SIZE, "%.6g s", time);
  return buffer;
}

/* --- The model ------------------------------------------------------------------------------- */

static inline guint
weir_system_get_n_events (WeirSystem *root)
{
  return root->n_events;
}

static inline WeirDeclaredEvent
weir_system_get_event (WeirSystem *root, guint i)
{
  return root->events[i];
}

static inline guint
weir_layout_get_n_starts (const WeirLayout *layout)
{
  return ((WeirSystem *) (const void *) layout)->n_starts;
}

static inline gboolean
weir_layout_depends_on_time (const WeirLayout *layout)
{
  return ((WeirSystem *) (const void *) layout)->follows_time;
}

static inline char *
weir_layout_dup_path (const WeirLayout *layout, WeirNode node)
{
  WeirSystem *root = (WeirSystem *) (const void *) layout;
  static char unknown[] = "the model";

  for (guint i = 0; i < root->n_events; i++)
    if (root->events[i].node.i == node.i)
      return (char *) (uintptr_t) root->events[i].leaf->path;
  return unknown;
}

static inline char *
weir_layout_dup_entry_path (const WeirLayout *layout, WeirEntry entry)
{
  static char what[] = "what crosses zero";

  (void) layout;
  (void) entry;
  return what;
}

typedef struct {
  WeirNode node;
  guint32 size;
} WeirEntryInfo;

/* Entries are known by their places in the row. */
static inline WeirEntryInfo
weir_layout_get_entry (const WeirLayout *layout, WeirEntry entry)
{
  WeirSystem *root = (WeirSystem *) (const void *) layout;

  for (guint i = 0; i < root->n_events; i++)
    if (root->events[i].trigger == WEIR_TRIGGER_CROSSING && root->events[i].witness.i == entry.i)
      return (WeirEntryInfo) { root->events[i].node, root->events[i].n_witnesses };
  return (WeirEntryInfo) { { WEIR_NO_INDEX }, 0 };
}

static inline double
weir_context_get_accuracy (const WeirContext *context)
{
  return context->accuracy;
}

static inline double
weir_context_get_time (const WeirContext *context)
{
  return context->now;
}

static inline const double *
weir_context_get_state (const WeirContext *context)
{
  return context->state;
}

static inline void
weir_context_set_time (WeirContext *context, double time)
{
  context->now = time;
  context->values_set = 0;
}

static inline void
weir_context_set_time_and_state (WeirContext *context, double time, const double *x)
{
  weir_context_set_time (context, time);
  memmove (context->state, x, context->system->n_states * sizeof *x);
}

static inline void
weir_context_set_accuracy (WeirContext *context, double accuracy)
{
  context->accuracy = accuracy;
  context->values_set = 0;
}

static inline guint64
weir_context_get_n_events (const WeirContext *context)
{
  return context->n_changes;
}

static inline gboolean
weir_context_has_changed_since (const WeirContext *context, guint64 n_changes)
{
  return context->n_changes != n_changes;
}

static inline WeirStatus
weir_eval_rhs (WeirSystem *root, WeirContext *context, double time, const double *x, double *xdot)
{
  if (root->n_states == 0)
    return WEIR_OK;
  if (root->derivatives (context, time, x, xdot) != WEIR_OK)
    return WEIR_FAILED;
  if (weir_all_finite (root->n_states, xdot))
    return WEIR_OK;
  (void) snprintf (context->failure, WEIR_MESSAGE_SIZE, "the derivatives are not finite");
  return WEIR_FAILED;
}

static inline const double *
weir_eval_derivatives (WeirSystem *root, WeirContext *context)
{
  return root->n_states > 0
                 && root->derivatives (context, context->now, context->state, context->xdot)
                        != WEIR_OK
             ? NULL
             : context->xdot;
}

static inline const double *
weir_eval_entry (WeirSystem *root, WeirContext *context, WeirEntry entry)
{
  return root->witness (context, context->now, context->state) == WEIR_OK ? context->row + entry.i
                                                                          : NULL;
}

static inline WeirStatus
weir_eval_entries_at (WeirSystem *root, WeirContext *context, double time, const double *x, guint n,
                      const WeirEntry *entries, double *const *out)
{
  const WeirLayout *layout = (const WeirLayout *) (const void *) root;

  if (root->witness (context, time, x) != WEIR_OK)
    return WEIR_FAILED;
  for (guint i = 0; i < n; i++)
    memcpy (out[i], context->row + entries[i].i,
            weir_layout_get_entry (layout, entries[i]).size * sizeof (double));
  return WEIR_OK;
}

static inline WeirStatus
weir_context_move_starts (WeirSystem *root, WeirContext *context)
{
  (void) root;
  return context->system->move_starts (context);
}

/* --- How far repeated things have got --------------------------------------------------------- */

typedef enum {
  WEIR_PHASES_OF_STEPS,
  WEIR_PHASES_OF_WITNESSES,
} WeirPhaseUse;

typedef struct {
  WeirSystem *root;
  guint use;
} WeirPhases;

static inline WeirPhases *
weir_phases_new (WeirSystem *root, WeirPhaseUse use)
{
  WeirPhases *self;

  if (root->n_phases[use] == 0)
    return NULL;
  self = g_new0 (WeirPhases, 1);
  if (self != NULL)
    *self = (WeirPhases) { root, use };
  return self;
}

static inline void
weir_phases_free (WeirPhases *self)
{
  free (self);
}

static inline guint
weir_phases_get_n (const WeirPhases *self)
{
  return self->root->n_phases[self->use];
}

static inline gboolean
weir_phases_calc_at (const WeirPhases *self, WeirContext *context, double time, const double *x,
                     double *phases)
{
  return self->root->phases (context, self->use, time, x, phases) == WEIR_OK;
}

/* --- Events ----------------------------------------------------------------------------------- */

static inline WeirStatus
weir_system_call_event (WeirSystem *root, WeirContext *context, guint i, WeirOccurrence *occurrence,
                        double *next)
{
  return root->events[i].action == WEIR_ACTION_BREAK
             ? WEIR_OK
             : root->call_event (context, i, occurrence, next, NULL);
}

static inline WeirStatus
weir_system_call_next_time (WeirSystem *root, WeirContext *context, guint i, double after,
                            double *time)
{
  *time = (double) NAN;
  if (root->next_time (context, i, after, time) != WEIR_OK)
    return WEIR_FAILED;
  if (*time > after)
    return WEIR_OK;
  (void) snprintf (context->failure, WEIR_MESSAGE_SIZE,
                   "%s: the time of its next event is %g, which is not later",
                   root->events[i].leaf->path, *time);
  return WEIR_FAILED;
}

/* What simultaneous updates want to write: a copy of the state and of the row, and who wrote
 * what. */
typedef struct {
  WeirSystem *root;
  guint32 *writers; /* by event: where its block's begin in writer */
  guint32 *writer;
  gsize n_writers;
  double *state, *row;
  WeirNextState next;
} WeirUpdates;

static void
weir_updates_clear (WeirUpdates *self)
{
  for (gsize i = 0; i < self->n_writers; i++)
    self->writer[i] = WEIR_NOBODY;
}

static void
weir_updates_free (WeirUpdates *self)
{
  if (self == NULL)
    return;
  free (self->writers);
  free (self->writer);
  free (self->state);
  free (self->row);
  free (self);
}

static WeirUpdates *
weir_updates_new (WeirSystem *root)
{
  WeirUpdates *self = g_new0 (WeirUpdates, 1);
  guint32 at = 0;

  if (self == NULL)
    return NULL;
  self->root = root;
  self->writers = g_new0 (guint32, root->n_events);
  for (guint i = 0; i < root->n_events && self->writers != NULL; i++)
    if (i > 0 && root->events[i].leaf == root->events[i - 1].leaf)
      self->writers[i] = self->writers[i - 1];
    else
      {
        self->writers[i] = at;
        at += 1 + root->events[i].leaf->n_groups;
      }
  self->n_writers = at;
  self->writer = g_new0 (guint32, at);
  self->state = g_new0 (double, root->n_states);
  self->row = g_new0 (double, root->n_row);
  if (self->writers == NULL || self->writer == NULL || self->state == NULL || self->row == NULL)
    {
      weir_updates_free (self);
      return NULL;
    }
  weir_updates_clear (self);
  return self;
}

static WeirStatus
weir_updates_call (WeirUpdates *self, WeirContext *context, guint i, WeirOccurrence *occurrence)
{
  const WeirDeclaredEvent *event = &self->root->events[i];
  WeirNextState *next = &self->next;
  double *values = NULL;
  WeirStatus status = WEIR_FAILED;

  *next = (WeirNextState) { .context = context,
                            .leaf = event->leaf,
                            .event = i,
                            .conflict = G_MAXUINT,
                            .writer = self->writer + self->writers[i],
                            .state = self->state,
                            .row = self->row };
  if (event->action == WEIR_ACTION_DISCRETE_UPDATE)
    values = weir_next_state_discrete (next, event->group);
  else if (event->action == WEIR_ACTION_RESET)
    values = weir_next_state_xc (next);
  if (next->conflict == G_MAXUINT)
    status = self->root->call_event (context, i, occurrence, values, next);
  if (next->conflict != G_MAXUINT)
    {
      (void) snprintf (context->failure, WEIR_MESSAGE_SIZE,
                       "%s: two events write the same state; only one can", event->leaf->path);
      return WEIR_FAILED;
    }
  if (status == WEIR_DID_NOTHING || status == WEIR_FAILED)
    for (guint p = 0; p <= event->leaf->n_groups; p++)
      if (next->writer[p] == i)
        next->writer[p] = WEIR_NOBODY;
  return status;
}

static WeirStatus
weir_updates_apply (WeirUpdates *self, WeirContext *context)
{
  for (guint i = 0; i < self->root->n_events; i++)
    {
      const WeirLeaf *leaf = self->root->events[i].leaf;
      const guint32 *writer = self->writer + self->writers[i];

      for (guint p = 0; p <= leaf->n_groups; p++)
        if (writer[p] != i)
          continue;
        else if (p == 0)
          memcpy (context->state + leaf->state, self->state + leaf->state,
                  ((gsize) leaf->nq + leaf->nv + leaf->nz) * sizeof (double));
        else
          memcpy (context->row + leaf->groups[p - 1], self->row + leaf->groups[p - 1],
                  leaf->group_sizes[p - 1] * sizeof (double));
    }
  context->values_set = 0;
  weir_updates_clear (self);
  return WEIR_OK;
}

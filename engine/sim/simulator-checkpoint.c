/* Saving a run and going on with it.
 *
 * The format, little-endian: magic, version, bytes that follow and their SHA-256, 56 bytes in all;
 * then one GVariant of type RUN_TYPE. What was damaged on the way is noticed before any of it is
 * used; what belongs to another model is refused by the context's own fingerprint; another version
 * is refused, naming both.
 */
#include "sim/simulator-private.h"

#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "base/bytes.h"
#include "system/evaluation/checkpoint.h"
#include "system/evaluation/event.h"

#define MAX_REMEMBERED 65536 /* bytes */
#define MAGIC "WEIRRUN\n"
#define VERSION 4u
#define N_DIGEST 32

/* Steps, rejected ones, calls of the right-hand side, Jacobians, discrete updates, publishes,
 * restarts; unrestricted updates, resets, crossings, event iterations; the last step, the shortest,
 * the longest. */
#define STATISTICS_TYPE "(tttttttttttddd)"
/* Solver; context; statistics; t0, time, last step, fixed step; next sample; is_sample,
 * is_terminated, needs_restart, has_due, is_changed; events; sides; what the solver remembers;
 * what limits steps; units; notes. */
#define RUN_TYPE "(say" STATISTICS_TYPE "ddddtbbbbba(xdbtudd)mvmvmvmvas)"

/* Written field by field; the version has the same place in every version. */
typedef struct {
  char magic[8];
  guint32 version, reserved; /* 0 */
  guint64 size;              /* bytes that follow */
  guint8 digest[N_DIGEST];
} Header;

#define HEADER_SIZE 56 /* bytes */

static void
put_header (guint8 **at, const Header *header)
{
  memcpy (*at, header->magic, sizeof header->magic);
  *at += sizeof header->magic;
  weir_bytes_put_32 (at, header->version);
  weir_bytes_put_32 (at, header->reserved);
  weir_bytes_put_64 (at, header->size);
  memcpy (*at, header->digest, N_DIGEST);
  *at += N_DIGEST;
}

static Header
take_header (const guint8 **at)
{
  Header header;

  memcpy (header.magic, *at, sizeof header.magic);
  *at += sizeof header.magic;
  header.version = weir_bytes_take_32 (at);
  header.reserved = weir_bytes_take_32 (at);
  header.size = weir_bytes_take_64 (at);
  memcpy (header.digest, *at, N_DIGEST);
  *at += N_DIGEST;
  return header;
}

static void
calc_digest (const guint8 *data, gsize size, guint8 *digest)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize n = N_DIGEST;

  g_checksum_update (checksum, data, (gssize) size);
  g_checksum_get_digest (checksum, digest, &n);
}

/* --- Saving ---------------------------------------------------------------------------------- */

static GVariant *
save_events (const WeirSimulator *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(xdbtudd)"));
  for (guint i = 0; i < self->n_events; i++)
    {
      const WeirSimulatorEvent *event = &self->events[i];

      g_variant_builder_add (&builder, "(xdbtudd)", event->n, event->time, event->is_due,
                             event->count, event->n_close, event->first_close,
                             event->last_crossing);
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
box (GVariant *value)
{
  return g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                              value != NULL ? g_variant_new_variant (value) : NULL);
}

static GVariant *
save_notes (const WeirSimulator *self)
{
  g_autofree const char **texts = g_new (const char *, self->notes->len + 1);

  for (guint i = 0; i < self->notes->len; i++)
    texts[i] = ((const WeirTrouble *) self->notes->pdata[i])->text;
  return g_variant_new_strv (texts, (gssize) self->notes->len);
}

static GVariant *
save_statistics (const WeirSimulatorStatistics *s)
{
  return g_variant_new (STATISTICS_TYPE, s->steps, s->rejected_steps, s->rhs_calls, s->jacobians,
                        s->discrete_updates, s->publishes, s->reinitialisations,
                        s->unrestricted_updates, s->resets, s->crossings, s->event_iterations,
                        s->last_step, s->shortest_step, s->longest_step);
}

/* What this simulator has saved itself need neither be examined nor be taken apart when it goes
 * back there, which units do many times in a step. Only what is small is kept for that. */
struct _WeirRemembered {
  GBytes *bytes;
  GVariant *run; /* that they were made of */
};

void
weir_remembered_free (WeirRemembered *self)
{
  if (self == NULL)
    return;
  g_bytes_unref (self->bytes);
  g_variant_unref (self->run);
  g_free (self);
}

static void
remember (WeirSimulator *self, GBytes *saved, GVariant *run)
{
  g_clear_pointer (&self->remembered, weir_remembered_free);
  if (g_bytes_get_size (saved) > MAX_REMEMBERED)
    return;
  self->remembered = g_new (WeirRemembered, 1);
  *self->remembered = (WeirRemembered) { g_bytes_ref (saved), g_variant_ref (run) };
}

GBytes *
weir_simulator_save (WeirSimulator *self, GError **error)
{
  g_autoptr (GBytes) context = NULL;
  g_autoptr (GVariant) run = NULL;
  g_autoptr (GVariant) units = NULL;
  g_autoptr (GVariant) ordered = NULL;
  Header header = { .magic = MAGIC, .version = VERSION };
  guint8 *bytes, *at;
  GBytes *saved;

  if (!self->is_initialized || self->has_crossed
      || weir_context_get_time (self->context) != self->time)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "a run is saved between two steps, and this one is not there");
      return NULL;
    }
  weir_simulator_take_up_changes (self);
  if (self->master != NULL)
    {
      units = weir_simulator_save_master (self, error);
      if (units == NULL)
        return NULL;
      g_variant_ref_sink (units);
    }
  context = weir_context_save_all (self->context, error);
  if (context == NULL)
    return NULL;
  run = g_variant_ref_sink (g_variant_new (
      "(s@ay@" STATISTICS_TYPE "ddddtbbbbb@a(xdbtudd)@mv@mv@mv@mv@as)", self->options.solver,
      g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, context, TRUE),
      save_statistics (&self->statistics), self->start, self->time, self->step_taken,
      self->problem.step, self->next_sample, self->is_sample, self->is_terminated,
      self->needs_restart, self->has_due, self->is_changed, save_events (self),
      box (self->crossings != NULL ? weir_crossings_save (self->crossings) : NULL),
      box (self->solver != NULL && self->solver->class->save != NULL
               ? self->solver->class->save (self->solver)
               : NULL),
      box (self->pace != NULL ? weir_pace_save (self->pace) : NULL), box (units),
      save_notes (self)));
  ordered = weir_bytes_order_variant (g_variant_ref (run));
  header.size = g_variant_get_size (ordered);
  bytes = g_malloc (HEADER_SIZE + header.size);
  g_variant_store (ordered, bytes + HEADER_SIZE);
  calc_digest (bytes + HEADER_SIZE, header.size, header.digest);
  at = bytes;
  put_header (&at, &header);
  saved = g_bytes_new_take (bytes, HEADER_SIZE + header.size);
  remember (self, saved, run);
  return saved;
}

/* --- Loading --------------------------------------------------------------------------------- */

static gboolean
refuse (GError **error, const char *why)
{
  weir_error_set (error, WEIR_ERROR_MISMATCH, "The run cannot be continued: %s.", why);
  return FALSE;
}

/* The run as it was saved, whole and undamaged. (transfer full) */
static GVariant *
read_run (GBytes *bytes, GError **error)
{
  g_autoptr (GBytes) part = NULL;
  g_autoptr (GVariant) run = NULL;
  g_autoptr (WeirMessage) why = NULL;
  guint8 digest[N_DIGEST];
  gsize size;
  const guint8 *at = g_bytes_get_data (bytes, &size);
  Header header;

  if (size < HEADER_SIZE || memcmp (at, MAGIC, sizeof header.magic) != 0)
    {
      refuse (error, weir_phrase (N_ ("this is no checkpoint of a run")));
      return NULL;
    }
  header = take_header (&at);
  if (header.version != VERSION)
    why = weir_message_new (N_ ("the checkpoint has version %u, and this program reads version %u"),
                            header.version, VERSION);
  else if (header.size != size - HEADER_SIZE)
    why = weir_message_new (N_ ("the checkpoint has %lu bytes where %lu belong"), (gulong) size,
                            (gulong) (HEADER_SIZE + header.size));
  if (why != NULL)
    {
      refuse (error, weir_message_get_text (why));
      return NULL;
    }
  calc_digest (at, header.size, digest);
  part = g_bytes_new_from_bytes (bytes, HEADER_SIZE, header.size);
  run = weir_bytes_order_variant (
      g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (RUN_TYPE), part, FALSE)));
  if (memcmp (digest, header.digest, sizeof digest) != 0 || header.reserved != 0
      || !g_variant_is_normal_form (run))
    {
      refuse (error, weir_phrase (N_ ("the checkpoint is damaged")));
      return NULL;
    }
  return g_steal_pointer (&run);
}

static void
load_statistics (WeirSimulatorStatistics *s, GVariant *from)
{
  g_variant_get (from, STATISTICS_TYPE, &s->steps, &s->rejected_steps, &s->rhs_calls, &s->jacobians,
                 &s->discrete_updates, &s->publishes, &s->reinitialisations,
                 &s->unrestricted_updates, &s->resets, &s->crossings, &s->event_iterations,
                 &s->last_step, &s->shortest_step, &s->longest_step);
}

static void
load_events (WeirSimulator *self, GVariant *events)
{
  for (guint i = 0; i < self->n_events; i++)
    {
      WeirSimulatorEvent *event = &self->events[i];

      g_variant_get_child (events, i, "(xdbtudd)", &event->n, &event->time, &event->is_due,
                           &event->count, &event->n_close, &event->first_close,
                           &event->last_crossing);
    }
}

static GVariant *
unbox (GVariant *maybe)
{
  g_autoptr (GVariant) boxed = g_variant_get_maybe (maybe);

  return boxed != NULL ? g_variant_get_variant (boxed) : NULL;
}

/* A new solver at the present time and state, with what the one saved knew if it is of the same
 * kind. */
static gboolean
load_solver (WeirSimulator *self, const char *name, GVariant *saved, GError **error)
{
  const double *x = weir_context_get_state (self->context);
  WeirSolver *solver = self->solver;

  if (saved == NULL || solver->class->load == NULL || !g_str_equal (name, self->options.solver))
    {
      self->needs_restart = TRUE;
      return TRUE;
    }
  weir_simulator_take_nominals (self);
  if (!weir_solver_restart (solver, self->time, x, error))
    return FALSE;
  if (!solver->class->load (solver, saved))
    self->needs_restart = TRUE;
  return TRUE;
}

/* A solver that has not been used; the present one otherwise. (transfer full) */
static gboolean
renew_solver (WeirSimulator *self, GError **error)
{
  WeirSolver *fresh;

  if (self->solver == NULL || !self->is_solver_used)
    return TRUE;
  fresh = weir_solver_new (self->options.solver, &self->problem, error);
  if (fresh == NULL)
    return FALSE;
  weir_solver_free (self->solver);
  self->solver = fresh;
  self->is_solver_used = FALSE;
  return TRUE;
}

/* A run that goes back finds the notes of before as they were made. */
static void
load_notes (WeirSimulator *self, GVariant *notes)
{
  gsize n, n_same = 0;
  g_autofree const char **texts = g_variant_get_strv (notes, &n);

  while (n_same < MIN (n, self->notes->len)
         && g_str_equal (texts[n_same], ((WeirTrouble *) self->notes->pdata[n_same])->text))
    n_same++;
  g_ptr_array_set_size (self->notes, (int) n_same);
  g_array_set_size (self->doubts, 0);
  for (gsize i = n_same; i < n; i++)
    g_ptr_array_add (self->notes,
                     weir_trouble_new (WEIR_TROUBLE_NOTE, WEIR_SEVERITY_HINT, self->time,
                                       weir_message_new_literal (texts[i])));
}

gboolean
weir_simulator_load (WeirSimulator *self, GBytes *bytes, GError **error)
{
  gboolean is_own = self->remembered != NULL && bytes == self->remembered->bytes;
  g_autoptr (GVariant) run = is_own ? g_variant_ref (self->remembered->run)
                                    : read_run (bytes, error);
  g_autoptr (GVariant) context = NULL;
  g_autoptr (GVariant) statistics = NULL;
  g_autoptr (GVariant) events = NULL;
  g_autoptr (GVariant) sides_box = NULL;
  g_autoptr (GVariant) solver_box = NULL;
  g_autoptr (GVariant) pace_box = NULL;
  g_autoptr (GVariant) units_box = NULL;
  g_autoptr (GVariant) units = NULL;
  g_autoptr (GVariant) notes = NULL;
  g_autoptr (GVariant) sides = NULL;
  g_autoptr (GVariant) saved = NULL;
  g_autoptr (GVariant) pace = NULL;
  g_autoptr (GBytes) state = NULL;
  gboolean is_sample, is_terminated, needs_restart, has_due, is_changed;
  double start, time, step_taken, step;
  guint64 next_sample;
  const char *solver;

  if (run == NULL)
    return FALSE;
  g_variant_get (run, "(&s@ay@" STATISTICS_TYPE "ddddtbbbbb@a(xdbtudd)@mv@mv@mv@mv@as)", &solver,
                 &context, &statistics, &start, &time, &step_taken, &step, &next_sample, &is_sample,
                 &is_terminated, &needs_restart, &has_due, &is_changed, &events, &sides_box,
                 &solver_box, &pace_box, &units_box, &notes);
  pace = unbox (pace_box);
  units = unbox (units_box);
  sides = unbox (sides_box);
  saved = unbox (solver_box);
  if (g_variant_n_children (events) != self->n_events
      || (sides != NULL) != (self->crossings != NULL) || (units != NULL) != (self->master != NULL)
      || (sides != NULL && !weir_crossings_fits (self->crossings, sides)))
    return refuse (
        error, weir_phrase (N_ ("the checkpoint belongs to a model that is built differently")));
  if (self->master != NULL && !weir_simulator_can_load_master (self, units, error))
    return FALSE;
  state = g_variant_get_data_as_bytes (context);
  if (!renew_solver (self, error) || !weir_context_load (self->context, self->root, state, error))
    return FALSE;

  load_statistics (&self->statistics, statistics);
  self->start = self->problem.start_time = start;
  self->time = time;
  self->step_taken = step_taken;
  self->problem.step = self->options.step > 0 ? self->options.step : step;
  self->problem.ends_at_jump = FALSE;
  self->next_sample = next_sample;
  self->is_sample = is_sample;
  self->is_terminated = is_terminated;
  self->needs_restart = needs_restart;
  self->has_due = has_due;
  self->is_changed = is_changed;
  self->has_crossed = self->is_at_start = FALSE;
  weir_simulator_begin_progress (self);
  load_events (self, events);
  weir_updates_clear (self->updates);
  if (sides != NULL)
    weir_crossings_load (self->crossings, sides);
  if (self->pace != NULL && (pace == NULL || !weir_pace_load (self->pace, pace)))
    weir_pace_restart (self->pace);
  if (self->poles != NULL)
    weir_pole_watch_restart (self->poles);
  if (self->master != NULL && !weir_simulator_load_master (self, units, error))
    return FALSE;
  load_notes (self, notes);
  weir_simulator_keep_troubles (self, time);
  weir_context_set_accuracy (self->context, self->options.relative_tolerance);
  self->is_solver_used = self->is_initialized = TRUE;
  weir_simulator_own_changes (self);
  return self->solver == NULL || load_solver (self, solver, saved, error);
}

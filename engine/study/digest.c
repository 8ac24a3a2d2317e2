/* Plans: what is recorded of a run of one structure, and the keys of runs. See subject.h. */
#include "study/subject-private.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "sim/port.h"
#include "study/environment.h"
#include "system/context/source-values.h"
#include "system/layout/sources.h"

#define KEY_VERSION "weir run 1"

/* --- What is recorded ------------------------------------------------------------------------ */

static char *
dup_port_path (const WeirLayout *layout, const WeirPort *port)
{
  const char *name = port->is_input
                         ? weir_layout_get_input_name (layout, port->node,
                                                       (WeirInput) { (guint16) port->index })
                         : weir_layout_get_output_name (layout, port->node,
                                                        (WeirOutput) { (guint16) port->index });

  return weir_layout_dup_name_path (layout, port->node, name);
}

static guint
get_port_size (const WeirLayout *layout, const WeirPort *port)
{
  return port->is_input ? weir_layout_get_input_size (layout, port->node,
                                                      (WeirInput) { (guint16) port->index })
                        : weir_layout_get_output_size (layout, port->node,
                                                       (WeirOutput) { (guint16) port->index });
}

/* The first column of a recorded port, which is added if it is new. */
static guint
record (WeirRunPlan *self, const WeirPort *port)
{
  char *path = dup_port_path (self->layout, port);
  guint at, column = self->n_columns;

  if (g_ptr_array_find_with_equal_func (self->recorded, path, g_str_equal, &at))
    {
      g_free (path);
      return g_array_index (self->first_columns, guint, at);
    }
  g_ptr_array_add (self->recorded, path);
  g_array_append_val (self->first_columns, column);
  self->n_columns += get_port_size (self->layout, port);
  return column;
}

/* The first column of a port that is worked out. */
static guint
work_out (WeirRunPlan *self, const WeirPort *port)
{
  guint column = 0;

  for (guint i = 0; i < self->after->len; i++)
    {
      const WeirPort *other = &g_array_index (self->after, WeirPort, i);

      if (other->node.i == port->node.i && other->index == port->index
          && other->is_input == port->is_input)
        return column;
      column += self->after_sizes[i];
    }
  g_array_append_val (self->after, *port);
  self->after_sizes = g_renew (guint, self->after_sizes, self->after->len);
  self->after_sizes[self->after->len - 1] = get_port_size (self->layout, port);
  self->n_after_columns += self->after_sizes[self->after->len - 1];
  return column;
}

static void
choose_recorded (WeirRunPlan *self, const WeirPort *ports)
{
  const GArray *kept = self->subject->kept;

  self->places = g_new0 (WeirKeptPlace, kept->len + 1);
  for (guint i = 0; i < kept->len; i++)
    {
      const WeirKeptSignal *signal = &g_array_index (kept, WeirKeptSignal, i);
      WeirKeptPlace *place = &self->places[i];

      place->is_after = weir_layout_is_port_after (self->layout, self->reach, &ports[i]);
      place->column = (place->is_after ? work_out (self, &ports[i]) : record (self, &ports[i]))
                      + signal->element;
    }
  self->edge_columns = g_new0 (guint, self->edges->len + 1);
  for (guint i = 0; i < self->edges->len; i++)
    {
      const WeirEdge *edge = &g_array_index (self->edges, WeirEdge, i);
      const WeirPort port = { edge->place.node, edge->place.in.i, TRUE };

      self->edge_columns[i] = edge->same_as == i ? record (self, &port)
                                                 : self->edge_columns[edge->same_as];
    }
  g_ptr_array_add (self->recorded, NULL);
}

/* --- Structure ------------------------------------------------------------------------------- */

static void
digest_structure (const WeirRunPlan *self, WeirReach reach, guint8 *digest)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = WEIR_RUN_KEY_SIZE;

  for (guint32 n = 0; n < weir_layout_get_n_nodes (self->layout); n++)
    if (self->reach[n] == reach)
      weir_layout_digest_leaf (self->layout, (WeirNode) { n }, checksum);
  g_checksum_get_digest (checksum, digest, &length);
}

static void
list_sources (WeirRunPlan *self)
{
  g_autoptr (GArray) all = weir_layout_list_sources (self->layout);

  self->sources = g_array_new (FALSE, FALSE, sizeof (WeirSourceInfo));
  for (guint pass = WEIR_REACH_RUN; pass <= WEIR_REACH_AFTER; pass++)
    {
      for (guint i = 0; i < all->len; i++)
        {
          const WeirSourceInfo *source = &g_array_index (all, WeirSourceInfo, i);

          if (!weir_ticket_is_common (source->ticket) && self->reach[source->node.i] == pass)
            g_array_append_val (self->sources, *source);
        }
      if (pass == WEIR_REACH_RUN)
        self->n_run_sources = self->sources->len;
    }
}

static void
take_structure (WeirRunPlan *self)
{
  g_clear_pointer (&self->sources, g_array_unref);
  list_sources (self);
  digest_structure (self, WEIR_REACH_RUN, self->run_structure);
  digest_structure (self, WEIR_REACH_AFTER, self->after_structure);
}

/* --- Plans ----------------------------------------------------------------------------------- */

static gboolean
find_ports (const WeirRunPlan *self, WeirPort *ports, GError **error)
{
  for (guint i = 0; i < self->subject->kept->len; i++)
    {
      const WeirKeptSignal *kept = &g_array_index (self->subject->kept, WeirKeptSignal, i);
      guint size;

      if (!weir_port_find (self->layout, kept->path, &ports[i], &size, error))
        return FALSE;
      if (kept->element >= size)
        {
          g_set_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH,
                       "%s has %u values here, but the %u. is kept", kept->path, size,
                       kept->element + 1);
          return FALSE;
        }
    }
  return TRUE;
}

WeirRunPlan *
weir_run_plan_new (const WeirStudySubject *subject, WeirSystem *system, const WeirContext *context,
                   GError **error)
{
  WeirRunPlan *self = g_new0 (WeirRunPlan, 1);
  g_autofree WeirPort *ports = g_new0 (WeirPort, subject->kept->len + 1);

  self->subject = subject;
  self->system = weir_system_ref (system);
  self->layout = weir_system_get_layout (system);
  self->context = weir_context_clone (context);
  if (!find_ports (self, ports, error))
    {
      weir_run_plan_free (self);
      return NULL;
    }
  self->reach = weir_layout_calc_reach (self->layout, ports, subject->kept->len);
  self->edges = weir_layout_list_edges (self->layout, self->reach);
  self->recorded = g_ptr_array_new_with_free_func (g_free);
  self->first_columns = g_array_new (FALSE, FALSE, sizeof (guint));
  self->after = g_array_new (FALSE, FALSE, sizeof (WeirPort));
  choose_recorded (self, ports);
  take_structure (self);
  return self;
}

void
weir_run_plan_free (WeirRunPlan *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->context, weir_context_free);
  weir_system_unref (self->system);
  g_clear_pointer (&self->sources, g_array_unref);
  g_clear_pointer (&self->recorded, g_ptr_array_unref);
  g_clear_pointer (&self->first_columns, g_array_unref);
  g_clear_pointer (&self->edges, g_array_unref);
  g_clear_pointer (&self->after, g_array_unref);
  g_free (self->edge_columns);
  g_free (self->after_sizes);
  g_free (self->places);
  g_free (self->reach);
  g_free (self);
}

WeirEnsemble *
weir_run_plan_create_ensemble (const WeirRunPlan *self, const WeirEnsembleOptions *options,
                               GError **error)
{
  return weir_ensemble_new (self->system, self->context, options,
                            (const char *const *) self->recorded->pdata, error);
}

guint
weir_run_plan_get_n_recorded (const WeirRunPlan *self)
{
  return self->n_columns;
}

WeirSystem *
weir_run_plan_get_system (const WeirRunPlan *self)
{
  return self->system;
}

const WeirReach *
weir_run_plan_get_reach (const WeirRunPlan *self)
{
  return self->reach;
}

gboolean
weir_run_plan_forget_leaf (WeirRunPlan *self, const char *path)
{
  WeirNode node;

  if (!weir_layout_find_node (self->layout, path, &node) || self->reach[node.i] == WEIR_REACH_NONE)
    return FALSE;
  self->reach[node.i] = WEIR_REACH_NONE;
  take_structure (self);
  return TRUE;
}

/* --- Keys ------------------------------------------------------------------------------------ */

static void
digest_bytes (GChecksum *checksum, gconstpointer bytes, gsize size)
{
  guint64 length = GUINT64_TO_LE (size);

  g_checksum_update (checksum, (const guchar *) &length, sizeof length);
  if (size > 0)
    g_checksum_update (checksum, bytes, (gssize) size);
}

static void
digest_text (GChecksum *checksum, const char *text)
{
  digest_bytes (checksum, text, strlen (text));
}

static void
digest_double (GChecksum *checksum, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  bits = GUINT64_TO_LE (bits);
  g_checksum_update (checksum, (const guchar *) &bits, sizeof bits);
}

static void
digest_doubles (GChecksum *checksum, const double *values, gsize n)
{
  digest_double (checksum, (double) n);
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  g_checksum_update (checksum, (const guchar *) values, (gssize) (n * sizeof (double)));
#else
  for (gsize i = 0; i < n; i++)
    digest_double (checksum, values[i]);
#endif
}

/* What a driven input sees is its driver's. */
static gboolean
is_own_value (const WeirRunPlan *self, const WeirContext *context, const WeirSourceInfo *source)
{
  WeirInput in = { (guint16) source->index };

  return !source->is_input || weir_layout_is_input_undriven (self->layout, source->node, in)
         || weir_context_is_input_fixed (context, source->node, in);
}

static void
digest_source (const WeirRunPlan *self, const WeirContext *context, const WeirSourceInfo *source,
               GChecksum *checksum)
{
  guint size = 0;
  const double *value;

  if (!is_own_value (self, context, source))
    return;
  value = weir_context_get_ticket_value (context, source->node, source->ticket, &size);
  if (value != NULL)
    digest_doubles (checksum, value, size);
  else
    {
      GVariant *variant = weir_context_get_ticket_variant (context, source->node, source->ticket);
      g_autofree char *text = variant != NULL ? g_variant_print (variant, TRUE) : g_strdup ("");

      digest_text (checksum, text);
    }
}

static void
digest_options (GChecksum *checksum, const WeirEnsembleOptions *options)
{
  const WeirSimulatorOptions *run = &options->run;
  const double numbers[] = {
    options->stop_time,
    run->relative_tolerance,
    run->absolute_tolerance,
    run->step,
    run->max_step,
    run->event_tolerance,
    run->max_crossings,
    run->max_event_iterations,
    (double) run->max_steps,
    run->max_stalled_steps,
    run->record_interval,
    run->record_gap,
    run->skips_initialization_events,
    run->communication_step,
    run->longest_communication_step,
    run->communication_tolerance,
    run->schedule,
    run->rest_place,
    options->memory,
    options->has_common_step,
  };

  digest_text (checksum, run->solver != NULL ? run->solver : "auto");
  digest_doubles (checksum, numbers, G_N_ELEMENTS (numbers));
}

void
weir_run_plan_calc_key (const WeirRunPlan *self, const WeirContext *context, const double *values,
                        WeirRunKey *key)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = WEIR_RUN_KEY_SIZE;

  digest_text (checksum, KEY_VERSION);
  digest_text (checksum, weir_environment_get_code ());
  digest_text (checksum, weir_environment_get_processor ());
  digest_bytes (checksum, self->run_structure, sizeof self->run_structure);
  digest_options (checksum, &self->subject->options);
  for (guint i = 0; i + 1 < self->recorded->len; i++)
    digest_text (checksum, self->recorded->pdata[i]);
  digest_double (checksum, weir_context_get_time (context));
  for (guint i = 0; i < self->n_run_sources; i++)
    digest_source (self, context, &g_array_index (self->sources, WeirSourceInfo, i), checksum);
  g_checksum_get_digest (checksum, key->run, &length);

  g_checksum_reset (checksum);
  digest_bytes (checksum, key->run, sizeof key->run);
  digest_bytes (checksum, self->after_structure, sizeof self->after_structure);
  digest_text (checksum, self->subject->figures_text);
  if (self->subject->program != NULL)
    digest_doubles (checksum, values, self->subject->bindings->len);
  for (guint i = self->n_run_sources; i < self->sources->len; i++)
    digest_source (self, context, &g_array_index (self->sources, WeirSourceInfo, i), checksum);
  length = WEIR_RUN_KEY_SIZE;
  g_checksum_get_digest (checksum, key->whole, &length);
}

/* Plans: what is recorded of a run of one structure, and the keys of runs. See subject.h. */
#include "study/subject-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/status.h"
#include "sim/port.h"
#include "study/environment.h"
#include "system/context/source-values.h"
#include "system/layout/sources.h"

#define KEY_VERSION "weir run 1"
#define MOST_NAMED 2000 /* values that a change is told of by name */

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
          weir_error_set (error, WEIR_ERROR_MISMATCH, "%s has %u values here, but the %u. is kept",
                          kept->path, size, kept->element + 1);
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
  self->after_list = weir_value_list_new (system, (const WeirPort *) self->after->data,
                                          self->after->len);
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
  weir_value_list_free (self->after_list);
  g_free (self->places);
  g_free (self->reach);
  g_free (self);
}

WeirEnsemble *
weir_run_plan_create_ensemble (const WeirRunPlan *self, const WeirEnsembleOptions *options,
                               GError **error)
{
  /* What is worked out after the run may need its times alone. */
  const char *const *ports = self->subject->kept->len > 0
                                 ? (const char *const *) self->recorded->pdata
                                 : NULL;

  return weir_ensemble_new (self->system, self->context, options, ports, error);
}

guint
weir_run_plan_get_n_recorded (const WeirRunPlan *self)
{
  return self->n_columns;
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

/* What varies, and in which model: the file's name, as that of a model in the window has no path.
 */
static guint64
calc_point (const WeirRunPlan *self, GChecksum *checksum, const double *values)
{
  const WeirStudySubject *subject = self->subject;
  const char *slash = strrchr (subject->model_path, '/');
  guint8 digest[WEIR_RUN_KEY_SIZE];
  gsize length = sizeof digest;
  guint64 point;

  g_checksum_reset (checksum);
  digest_text (checksum, slash != NULL ? slash + 1 : subject->model_path);
  for (guint i = 0; i < subject->bindings->len; i++)
    {
      const WeirBinding *b = &g_array_index (subject->bindings, WeirBinding, i);

      digest_text (checksum, b->path);
      digest_double (checksum, b->element);
      digest_double (checksum, values[i]);
    }
  g_checksum_get_digest (checksum, digest, &length);
  memcpy (&point, digest, sizeof point);
  return GUINT64_FROM_LE (point);
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
  key->point = calc_point (self, checksum, values);
}

/* --- Parts of keys ---------------------------------------------------------------------------- */

static void
append_part (GString *text, const char *name, GChecksum *checksum)
{
  g_string_append_printf (text, "%s %.16s\n", name, g_checksum_get_string (checksum));
  g_checksum_reset (checksum);
}

/* What @values of all that varies would be in other points is no part. */
static gboolean
is_varied (const WeirRunPlan *self, const WeirContext *other, const WeirSourceInfo *source)
{
  g_autoptr (GChecksum) a = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GChecksum) b = g_checksum_new (G_CHECKSUM_SHA256);

  if (other == NULL)
    return FALSE;
  digest_source (self, self->context, source, a);
  digest_source (self, other, source, b);
  return strcmp (g_checksum_get_string (a), g_checksum_get_string (b)) != 0;
}

void
weir_study_subject_set_values (const WeirStudySubject *self, WeirContext *context,
                               const double *values)
{
  weir_context_begin_change (context);
  for (guint i = 0; i < self->bindings->len; i++)
    {
      const WeirBinding *b = &g_array_index (self->bindings, WeirBinding, i);
      double *place;

      if (isnan (values[i]))
        continue;
      if (b->size == 1)
        {
          weir_context_set_parameter (context, b->node, b->slot, &values[i]);
          continue;
        }
      place = weir_context_change_parameter (context, b->node, b->slot);
      place[b->element] = values[i];
    }
  weir_context_end_change (context);
}

/* (transfer full) (nullable): points do not complete the model anew. */
static WeirContext *
create_other (const WeirStudySubject *self)
{
  g_autofree double *values = g_new (double, self->bindings->len + 1);
  WeirContext *context;

  if (self->rebuild_reason != NULL)
    return NULL;
  for (guint i = 0; i < self->bindings->len; i++)
    {
      const WeirBinding *b = &g_array_index (self->bindings, WeirBinding, i);

      values[i] = b->value[b->element] == 0 ? 1 : -b->value[b->element];
    }
  context = weir_context_clone (self->plan->context);
  weir_study_subject_set_values (self, context, values);
  return context;
}

static void
append_values (const WeirRunPlan *self, const WeirContext *other, GString *text,
               GChecksum *checksum)
{
  gboolean are_many = self->n_run_sources > MOST_NAMED;

  for (guint i = 0; i < self->n_run_sources; i++)
    {
      const WeirSourceInfo *source = &g_array_index (self->sources, WeirSourceInfo, i);
      g_autofree char *name = NULL;

      if (is_varied (self, other, source))
        continue;
      digest_source (self, self->context, source, checksum);
      if (are_many)
        continue;
      name = weir_source_info_dup_name (self->layout, source);
      append_part (text, name, checksum);
    }
  if (are_many)
    append_part (text, "values", checksum);
}

char *
weir_study_subject_dup_parts (const WeirStudySubject *self)
{
  const WeirRunPlan *plan = self->plan;
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (WeirContext) other = create_other (self);
  GString *text = g_string_new (NULL);

  digest_text (checksum, KEY_VERSION);
  digest_text (checksum, weir_environment_get_code ());
  append_part (text, "program", checksum);
  digest_text (checksum, weir_environment_get_processor ());
  append_part (text, "processor", checksum);
  digest_bytes (checksum, plan->run_structure, sizeof plan->run_structure);
  append_part (text, "structure", checksum);
  digest_options (checksum, &self->options);
  digest_double (checksum, weir_context_get_time (plan->context));
  append_part (text, "settings", checksum);
  for (guint i = 0; i + 1 < plan->recorded->len; i++)
    digest_text (checksum, plan->recorded->pdata[i]);
  append_part (text, "signals", checksum);
  append_values (plan, other, text, checksum);
  return g_string_free (text, FALSE);
}

/* The name on a line of parts: all but the sum at its end. */
static char *
dup_name (const char *line)
{
  const char *end = strrchr (line, ' ');

  return end != NULL ? g_strndup (line, (gsize) (end - line)) : g_strdup (line);
}

/* Of lines that are in one of the two alone. */
static char *
list_differing (char **before, char **now)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GString *names = g_string_new (NULL);

  for (guint i = 0; before[i] != NULL; i++)
    g_hash_table_add (known, before[i]);
  for (guint i = WEIR_RUN_PART_VALUES; now[i] != NULL && now[i][0] != '\0'; i++)
    if (!g_hash_table_contains (known, now[i]))
      {
        g_autofree char *name = dup_name (now[i]);

        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
      }
  return g_string_free (names, FALSE);
}

WeirRunPart
weir_run_parts_compare (const char *before, const char *now, char **values)
{
  g_auto (GStrv) a = g_strsplit (before, "\n", -1), b = g_strsplit (now, "\n", -1);

  *values = NULL;
  if (strcmp (before, now) == 0)
    return WEIR_N_RUN_PARTS;
  for (guint part = 0; part < WEIR_RUN_PART_VALUES; part++)
    if (a[part] == NULL || b[part] == NULL || strcmp (a[part], b[part]) != 0)
      return (WeirRunPart) part;
  *values = list_differing (a, b);
  return WEIR_RUN_PART_VALUES;
}

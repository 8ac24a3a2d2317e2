/* Saving what a master knows, and going on with it. See sim/master.h.
 *
 * A run is saved while steps may be under way: those that were started end first, and are saved as
 * having ended, with what they gave; those that wait for the rest are saved before their step, with
 * what they have seen so far.
 */
#include <string.h>

#include "base/error.h"
#include "cosim/cosim-private.h"
#include "sim/schedule.h"
#include "system/evaluation/checkpoint.h"

/* Path; state; u, y, new y; when the next step begins and the present one ends; late, has stepped;
 * the context, or nothing; what its inputs were, when, and how many times; what its outputs were,
 * when, how many times, and what was supposed of its inputs; what it is in the step that begins
 * late, whether it begins anew in it, and was off; abstract u, y, new y. */
#define UNIT_TYPE "(sayadadadxxbbayadaxuadaxuadubbamvamvamv)"
/* Version of all that is saved of units, what they save of themselves included; type, list, units,
 * length of steps, statistics. */
#define VERSION 6u
#define COSIM_TYPE "(uuaua" UNIT_TYPE "x(ttdd))"

/* Those before had none, and are told by their types: from version 1 on. In the first three a
 * context knew nothing of whether units take part; in all of them an FMU nothing of clocks. */
static const char *const earlier_types[] = {
  "(uaua(sayadadadxxbbay))",
  "(uaua(sayadadadxxbbayadu))",
  "(uaua(sayadadadxxbbayadaxuadaxuaduubb)x(ttdd))",
  "(uaua(sayadadadxxbbayadaxuadaxuadubb)x(ttdd))",
};

static GVariant *
box_numbers (const double *values, guint n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, values, n, sizeof *values);
}

static GVariant *
box_bytes (GBytes *bytes)
{
  return bytes != NULL ? g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE)
                       : g_variant_new_array (G_VARIANT_TYPE_BYTE, NULL, 0);
}

static GVariant *
box_instants (const gint64 *instants)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, instants, 3, sizeof *instants);
}

static GVariant *
box_abstract (GVariant *const *values, guint n)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("amv"));
  for (guint i = 0; i < n; i++)
    g_variant_builder_add (&list, "mv", values[i]);
  return g_variant_builder_end (&list);
}

static GVariant *
save_unit (WeirParticipant *unit, GError **error)
{
  const WeirUnitClass *class = unit->info.kind->unit_class;
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GBytes) context = NULL;

  if (class->save == NULL || unit->instance == NULL)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "%s: the state of a unit of this kind (%s) cannot be saved", unit->path,
                      class->name);
      return NULL;
    }
  state = class->save (unit->instance, error);
  if (state == NULL)
    {
      weir_error_prefix (error, unit->path);
      return NULL;
    }
  if (unit->is_late && unit->context != NULL)
    context = weir_context_save (unit->context);
  return g_variant_new ("(s@ay@ad@ad@adxxbb@ay@ad@axu@ad@axu@adubb@amv@amv@amv)", unit->path,
                        box_bytes (state), box_numbers (unit->u, unit->info.n_u),
                        box_numbers (unit->y, unit->info.n_y),
                        box_numbers (unit->y_new, unit->info.n_y), unit->begins, unit->ends,
                        unit->is_late, unit->has_stepped, box_bytes (context),
                        box_numbers (unit->known, unit->is_shaped ? 3 * unit->info.n_u : 0),
                        box_instants (unit->known_at), unit->n_known,
                        box_numbers (unit->past, unit->past != NULL ? 2 * unit->info.n_y : 0),
                        box_instants (unit->past_at), unit->n_past,
                        box_numbers (unit->supposed, unit->supposed != NULL ? unit->info.n_u : 0),
                        (guint32) unit->active, unit->begins_anew, unit->was_off,
                        box_abstract (unit->abstract_u, unit->info.n_abstract_u),
                        box_abstract (unit->abstract_y, unit->info.n_abstract_y),
                        box_abstract (unit->abstract_y_new, unit->info.n_abstract_y));
}

GVariant *
weir_cosim_save (WeirMaster *master, GError **error)
{
  WeirCosim *self = (WeirCosim *) master;
  GVariantBuilder units;

  weir_cosim_settle (self);
  if (!weir_cosim_check (self, weir_context_get_time (self->context), error))
    return NULL;
  g_variant_builder_init (&units, G_VARIANT_TYPE ("a" UNIT_TYPE));
  for (guint i = 0; i < self->n; i++)
    {
      GVariant *unit = save_unit (self->units[i], error);

      if (unit == NULL)
        {
          g_variant_builder_clear (&units);
          return NULL;
        }
      g_variant_builder_add_value (&units, unit);
    }
  return g_variant_new ("(uu@aua" UNIT_TYPE "x(ttdd))", VERSION, (guint32) self->type,
                        g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, self->list, self->n + 1,
                                                   sizeof *self->list),
                        &units, self->length, self->statistics.steps, self->statistics.rejected,
                        self->statistics.shortest, self->statistics.longest);
}

/* --- Loading --------------------------------------------------------------------------------- */

static gboolean
refuse (GError **error, const char *path)
{
  if (path != NULL)
    weir_error_set (
        error, WEIR_ERROR_MISMATCH,
        "The run cannot be continued: what was saved of the unit %s does not fit the model.", path);
  else
    weir_error_set (
        error, WEIR_ERROR_MISMATCH,
        "The run cannot be continued: what was saved of the units does not fit the model.");
  return FALSE;
}

static gboolean
take_numbers (GVariant *from, double *values, guint n)
{
  gsize size;
  gconstpointer data = g_variant_get_fixed_array (from, &size, sizeof *values);

  if (size != n)
    return FALSE;
  if (n > 0)
    memcpy (values, data, n * sizeof *values);
  return TRUE;
}

static gboolean
take_instants (GVariant *from, gint64 *instants)
{
  gsize size;
  gconstpointer data = g_variant_get_fixed_array (from, &size, sizeof *instants);

  if (size == 3)
    memcpy (instants, data, size * sizeof *instants);
  return size == 3;
}

/* Values between which curves are drawn lie at instants of their own. */
static gboolean
are_apart (const gint64 *instants, guint n)
{
  for (guint i = 1; i < n && n <= 3; i++)
    if (instants[i] >= instants[i - 1])
      return FALSE;
  return n <= 3;
}

/* Those of the inputs, or of the outputs, each of the type of its port. */
static gboolean
take_abstract (const WeirParticipant *unit, GVariant *from, gboolean are_inputs, GVariant **values)
{
  WeirLayout *layout = unit->cosim->layout;
  guint n_ports = are_inputs ? unit->info.n_inputs : unit->info.n_outputs;
  guint n = are_inputs ? unit->info.n_abstract_u : unit->info.n_abstract_y;

  if (g_variant_n_children (from) != n)
    return FALSE;
  for (guint16 k = 0, i = 0; k < n_ports; k++)
    {
      const GVariantType *type = are_inputs ? weir_layout_get_input_type (layout, unit->info.node,
                                                                          (WeirInput) { k })
                                            : weir_layout_get_output_type (layout, unit->info.node,
                                                                           (WeirOutput) { k });
      g_autoptr (GVariant) value = NULL;

      if (type == NULL)
        continue;
      g_variant_get_child (from, i, "mv", &value);
      if (value != NULL && !g_variant_is_of_type (value, type))
        return FALSE;
      weir_abstract_set (&values[i++], value);
    }
  return TRUE;
}

static gboolean
load_unit (WeirParticipant *unit, GVariant *saved, GError **error)
{
  g_autoptr (GVariant) state = NULL, u = NULL, y = NULL, y_new = NULL, context = NULL, known = NULL;
  guint32 active;
  g_autoptr (GVariant) known_at = NULL, past = NULL, past_at = NULL, supposed = NULL;
  g_autoptr (GVariant) abstract_u = NULL, abstract_y = NULL, abstract_y_new = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const char *path;

  g_variant_get (saved, "(&s@ay@ad@ad@adxxbb@ay@ad@axu@ad@axu@adubb@amv@amv@amv)", &path, &state,
                 &u, &y, &y_new, &unit->begins, &unit->ends, &unit->is_late, &unit->has_stepped,
                 &context, &known, &known_at, &unit->n_known, &past, &past_at, &unit->n_past,
                 &supposed, &active, &unit->begins_anew, &unit->was_off, &abstract_u, &abstract_y,
                 &abstract_y_new);
  if (!g_str_equal (path, unit->path) || !take_numbers (u, unit->u, unit->info.n_u)
      || !take_numbers (y, unit->y, unit->info.n_y)
      || !take_numbers (y_new, unit->y_new, unit->info.n_y)
      || !take_numbers (known, unit->known, unit->is_shaped ? 3 * unit->info.n_u : 0)
      || !take_instants (known_at, unit->known_at) || !are_apart (unit->known_at, unit->n_known)
      || !take_numbers (past, unit->past, unit->past != NULL ? 2 * unit->info.n_y : 0)
      || !take_instants (past_at, unit->past_at) || !are_apart (unit->past_at, unit->n_past)
      || !take_numbers (supposed, unit->supposed, unit->supposed != NULL ? unit->info.n_u : 0)
      || unit->n_past == 0 || active > WEIR_UNIT_OFF
      || !take_abstract (unit, abstract_u, TRUE, unit->abstract_u)
      || !take_abstract (unit, abstract_y, FALSE, unit->abstract_y)
      || !take_abstract (unit, abstract_y_new, FALSE, unit->abstract_y_new))
    return refuse (error, path);
  unit->active = (WeirUnitActivity) active;
  unit->t = weir_periodic_time (unit->cosim->step, unit->cosim->start, unit->begins);
  if (unit->ends >= 0)
    unit->t_end = weir_periodic_time (unit->cosim->step, unit->cosim->start, unit->ends);
  bytes = g_variant_get_data_as_bytes (state);
  if (!weir_participant_make (unit, error))
    return FALSE;
  if (unit->info.kind->unit_class->restore == NULL)
    return refuse (error, path);
  if (!unit->info.kind->unit_class->restore (unit->instance, bytes, error))
    {
      weir_error_prefix (error, unit->path);
      return FALSE;
    }
  weir_participant_note_parameters (unit);
  if (unit->context != NULL && g_variant_n_children (context) > 0)
    {
      g_autoptr (GBytes) values = g_variant_get_data_as_bytes (context);

      return weir_context_load (unit->context, unit->cosim->root, values, error);
    }
  return TRUE;
}

gboolean
weir_cosim_can_load (G_GNUC_UNUSED WeirMaster *master, GVariant *saved, GError **error)
{
  guint32 version = 0;

  for (guint i = 0; i < G_N_ELEMENTS (earlier_types); i++)
    if (g_variant_is_of_type (saved, G_VARIANT_TYPE (earlier_types[i])))
      version = i + 1;
  if (version == 0 && g_str_has_prefix (g_variant_get_type_string (saved), "(uu"))
    g_variant_get_child (saved, 0, "u", &version);
  if (version == 0
      || (version == VERSION && !g_variant_is_of_type (saved, G_VARIANT_TYPE (COSIM_TYPE))))
    return refuse (error, NULL);
  if (version == VERSION)
    return TRUE;
  weir_error_set (
      error, WEIR_ERROR_MISMATCH,
      "The run cannot be continued: what was saved of its units has version %u, and this "
      "program reads version %u.",
      version, VERSION);
  return FALSE;
}

gboolean
weir_cosim_load (WeirMaster *master, double start, double step, GVariant *saved, GError **error)
{
  WeirCosim *self = (WeirCosim *) master;
  g_autoptr (GVariant) units = NULL, list = NULL;
  guint32 type;
  gsize n;
  const guint32 *places;

  weir_cosim_settle (self);
  weir_cosim_set_grid (self, start, step);
  g_variant_get (saved, "(uu@au@a" UNIT_TYPE "x(ttdd))", NULL, &type, &list, &units, &self->length,
                 &self->statistics.steps, &self->statistics.rejected, &self->statistics.shortest,
                 &self->statistics.longest);
  places = g_variant_get_fixed_array (list, &n, sizeof *places);
  if (n != self->n + 1 || g_variant_n_children (units) != self->n || self->length < 1
      || self->length > self->most)
    return refuse (error, NULL);
  if (!weir_cosim_set_step_scheduling_type (self, (WeirStepSchedulingType) type, error)
      || !weir_cosim_set_list (self, places, error))
    return FALSE;
  g_array_set_size (self->late, 0);
  weir_cosim_plan (self);
  for (guint i = 0; i < self->n; i++)
    {
      g_autoptr (GVariant) unit = g_variant_get_child_value (units, i);

      g_clear_error (&self->units[i]->error);
      self->units[i]->is_skipped = FALSE;
      if (!load_unit (self->units[i], unit, error))
        return FALSE;
    }
  for (guint k = 0; k <= self->n; k++)
    if (self->list[k] != WEIR_COSIM_REST && self->units[self->list[k]]->is_late)
      g_array_append_val (self->late, self->list[k]);
  return TRUE;
}

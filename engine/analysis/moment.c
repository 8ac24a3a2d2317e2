/* Moments of a context. See moment.h. */
#include "analysis/moment.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"
#include "system/layout/units.h"

/* What units of co-simulation give is discrete state that no event writes. */
static void
add_units (WeirMomentShape *self, const GArray *units)
{
  for (guint i = 0; i < units->len; i++)
    {
      const WeirUnitInfo *unit = &g_array_index (units, WeirUnitInfo, i);

      for (guint16 o = 0; o < unit->n_outputs; o++)
        {
          WeirDeclaredEvent *event = &self->groups[self->n_groups++];

          event->node = unit->node;
          event->group.i = o;
          event->size = weir_layout_get_output_size (self->layout, unit->node, (WeirOutput) { o });
          self->n_discrete += weir_moment_group_size (event);
        }
    }
}

static guint
count_numbers (const WeirLayout *layout, guint32 e)
{
  WeirEntryInfo entry = weir_layout_get_entry (layout, (WeirEntry) { e });

  return entry.type != NULL ? 1 : entry.size;
}

void
weir_moment_shape_init (WeirMomentShape *self, WeirSystem *root)
{
  g_autoptr (GArray) units = weir_system_list_units (root);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint n_events = weir_system_get_n_events (root), n_unit_outputs = 0;

  self->root = root;
  self->layout = weir_system_get_layout (root);
  self->n_states = weir_layout_get_n_states (self->layout);
  self->n_entries = weir_layout_get_n_entries (self->layout);
  self->first_value = g_new0 (gsize, self->n_entries + 1);
  for (guint e = 0; e < self->n_entries; e++)
    self->first_value[e + 1] = self->first_value[e] + count_numbers (self->layout, e);
  self->n_values = self->first_value[self->n_entries];
  self->n_discrete = 0;
  self->n_groups = 0;
  for (guint i = 0; i < units->len; i++)
    n_unit_outputs += g_array_index (units, WeirUnitInfo, i).n_outputs;
  self->groups = g_new0 (WeirDeclaredEvent, n_events + n_unit_outputs);
  for (guint i = 0; i < n_events; i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (root, i);
      gint64 key = ((gint64) event.node.i << 16) | event.group.i;

      if (event.action != WEIR_ACTION_DISCRETE_UPDATE
          || !g_hash_table_add (seen, g_memdup2 (&key, sizeof key)))
        continue;
      self->groups[self->n_groups++] = event;
      self->n_discrete += weir_moment_group_size (&event);
    }
  add_units (self, units);
}

void
weir_moment_shape_clear (WeirMomentShape *self)
{
  g_free (self->first_value);
  g_free (self->groups);
}

void
weir_moment_init (WeirMoment *self, const WeirMomentShape *shape)
{
  self->states = g_new0 (double, MAX (shape->n_states + shape->n_discrete, 1));
  self->values = g_new0 (double, MAX (shape->n_values, 1));
  self->has_value = g_new0 (guint8, shape->n_entries);
  self->abstract = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
}

void
weir_moment_clear (WeirMoment *self)
{
  g_free (self->states);
  g_free (self->values);
  g_free (self->has_value);
  g_ptr_array_unref (self->abstract);
}

/* FNV-1a of its bytes, as far as a double holds it. */
static double
stand_for (GVariant *value)
{
  const guint8 *bytes = g_variant_get_data (value);
  gsize n = g_variant_get_size (value);
  guint64 hash = 0xcbf29ce484222325;

  for (gsize i = 0; i < n; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  return (double) (hash >> 11);
}

void
weir_moment_take (WeirMoment *self, const WeirMomentShape *shape, WeirContext *context,
                  WeirPhase phase)
{
  double *discrete = self->states + shape->n_states;

  g_ptr_array_set_size (self->abstract, 0);
  self->phase = phase;
  self->time = weir_context_get_time (context);
  memcpy (self->states, weir_context_get_state (context), shape->n_states * sizeof (double));
  for (guint g = 0; g < shape->n_groups; g++)
    {
      const WeirDeclaredEvent *event = &shape->groups[g];

      if (event->size == 0)
        {
          GVariant *state = weir_context_get_abstract_state (context, event->node, event->group);

          g_ptr_array_add (self->abstract, g_variant_ref (state));
          *discrete = stand_for (state);
        }
      else
        memcpy (discrete, weir_context_get_discrete (context, event->node, event->group),
                event->size * sizeof *discrete);
      discrete += weir_moment_group_size (event);
    }
  for (guint e = 0; e < shape->n_entries; e++)
    {
      WeirEntry entry = { e };
      const double *value;

      if (weir_layout_get_entry (weir_context_get_layout (context), entry).type != NULL)
        {
          GVariant *abstract = weir_eval_abstract_entry (shape->root, context, entry);

          self->has_value[e] = abstract != NULL;
          if (abstract != NULL)
            self->values[shape->first_value[e]] = stand_for (abstract);
          continue;
        }
      value = weir_eval_entry (shape->root, context, entry);
      self->has_value[e] = value != NULL;
      if (value != NULL)
        memcpy (self->values + shape->first_value[e], value,
                (shape->first_value[e + 1] - shape->first_value[e]) * sizeof *value);
    }
}

gboolean
weir_same_bits (double a, double b)
{
  return memcmp (&a, &b, sizeof a) == 0;
}

/* The doubles in a row: ..., -2, -1, 0 (both zeros), 1, 2, ... */
static gint64
rank (double value)
{
  gint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits >= 0 ? bits : G_MININT64 - bits;
}

guint64
weir_ulp_distance (double a, double b)
{
  gint64 from = rank (MIN (a, b)), to = rank (MAX (a, b));

  if (isnan (a) || isnan (b))
    return G_MAXUINT64;
  return (guint64) to - (guint64) from;
}

guint32
weir_moment_find_difference (const WeirMomentShape *shape, const WeirMoment *a, const WeirMoment *b,
                             gsize *at)
{
  for (guint32 e = 0; e < shape->n_entries; e++)
    {
      *at = shape->first_value[e];
      if (a->has_value[e] != b->has_value[e])
        return e;
      for (; a->has_value[e] && *at < shape->first_value[e + 1]; ++*at)
        if (!weir_same_bits (a->values[*at], b->values[*at]))
          return e;
    }
  return WEIR_NO_INDEX;
}

char *
weir_moment_shape_dup_state_path (const WeirMomentShape *self, gsize i)
{
  g_autofree char *path = NULL;

  if (i < self->n_states)
    {
      for (guint k = 0; k < weir_layout_get_n_slices (self->layout); k++)
        {
          WeirStateSlice slice = weir_layout_get_slice (self->layout, k);

          if (i >= slice.offset && i < slice.offset + slice.nq + slice.nv + slice.nz)
            {
              path = weir_layout_dup_path (self->layout, slice.node);
              return g_strdup_printf (_ ("%s: continuous state [%u]"), path,
                                      (guint) i - slice.offset);
            }
        }
      g_assert_not_reached ();
    }
  i -= self->n_states;
  for (guint g = 0; g < self->n_groups; g++)
    {
      const WeirDeclaredEvent *event = &self->groups[g];

      if (i < weir_moment_group_size (event))
        {
          path = weir_layout_dup_path (self->layout, event->node);
          return g_strdup_printf (_ ("%s: discrete state group %u [%u]"), path, event->group.i,
                                  (guint) i);
        }
      i -= weir_moment_group_size (event);
    }
  g_assert_not_reached ();
}

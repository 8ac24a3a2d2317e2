/* Values of an FMU as doubles, there and back. See leaf-private.h. */
#include "fmi/leaf-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define LARGEST_WHOLE 0x1p53 /* up to which every whole number is a double */

/* Those that are got in one trip. */
enum { MAX_GROUPS = 16 };

static gsize
type_size (WeirFmuType type)
{
  switch ((int) type)
    {
    case WEIR_FMU_INT8:
    case WEIR_FMU_UINT8:
    case WEIR_FMU_BOOLEAN:
    case WEIR_FMU_CLOCK:
      return 1;
    case WEIR_FMU_INT16:
    case WEIR_FMU_UINT16:
      return 2;
    case WEIR_FMU_FLOAT32:
    case WEIR_FMU_INT32:
    case WEIR_FMU_UINT32:
      return 4;
    default:
      return 8;
    }
}

/* The least and the largest whole number of a type. */
static void
get_range (WeirFmuType type, double *least, double *largest)
{
  gsize bits = 8 * type_size (type);

  *least = 0;
  switch ((int) type)
    {
    case WEIR_FMU_UINT8:
    case WEIR_FMU_UINT16:
    case WEIR_FMU_UINT32:
      *largest = ldexp (1, (int) bits) - 1;
      break;
    case WEIR_FMU_INT8:
    case WEIR_FMU_INT16:
    case WEIR_FMU_INT32:
      *least = -ldexp (1, (int) bits - 1);
      *largest = -*least - 1;
      break;
    case WEIR_FMU_UINT64:
      *largest = LARGEST_WHOLE;
      break;
    default:
      *least = -LARGEST_WHOLE;
      *largest = LARGEST_WHOLE;
    }
}

gboolean
weir_fmu_leaf_put (WeirFmuType type, gpointer values, guint i, double x, GError **error)
{
  double least, largest;

  if (type == WEIR_FMU_FLOAT64)
    ((double *) values)[i] = x;
  else if (type == WEIR_FMU_FLOAT32)
    ((float *) values)[i] = (float) x;
  else if (type == WEIR_FMU_BOOLEAN)
    ((guint8 *) values)[i] = x != 0;
  if (type <= WEIR_FMU_FLOAT64 || type == WEIR_FMU_BOOLEAN)
    return TRUE;
  get_range (type, &least, &largest);
  if (!(x == trunc (x) && x >= least && x <= largest))
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "A value is %.17g, but an input of type %s takes whole numbers from %.0f to "
                      "%.0f: round it before.",
                      x, weir_fmu_type_get_name (type), least, largest);
      return FALSE;
    }
  switch (type_size (type))
    {
    case 1:
      ((guint8 *) values)[i] = type == WEIR_FMU_UINT8 ? (guint8) x : (guint8) (gint8) x;
      break;
    case 2:
      ((guint16 *) values)[i] = type == WEIR_FMU_UINT16 ? (guint16) x : (guint16) (gint16) x;
      break;
    case 4:
      ((guint32 *) values)[i] = type == WEIR_FMU_UINT32 ? (guint32) x : (guint32) (gint32) x;
      break;
    default:
      ((guint64 *) values)[i] = type == WEIR_FMU_UINT64 ? (guint64) x : (guint64) (gint64) x;
    }
  return TRUE;
}

double
weir_fmu_leaf_take (WeirFmuType type, gconstpointer values, guint i)
{
  switch ((int) type)
    {
    case WEIR_FMU_FLOAT32:
      return (double) ((const float *) values)[i];
    case WEIR_FMU_FLOAT64:
      return ((const double *) values)[i];
    case WEIR_FMU_INT8:
      return ((const gint8 *) values)[i];
    case WEIR_FMU_UINT8:
      return ((const guint8 *) values)[i];
    case WEIR_FMU_INT16:
      return ((const gint16 *) values)[i];
    case WEIR_FMU_UINT16:
      return ((const guint16 *) values)[i];
    case WEIR_FMU_INT32:
      return ((const gint32 *) values)[i];
    case WEIR_FMU_UINT32:
      return ((const guint32 *) values)[i];
    case WEIR_FMU_UINT64:
      return (double) ((const guint64 *) values)[i];
    case WEIR_FMU_BOOLEAN:
      return ((const guint8 *) values)[i] != 0;
    default:
      return (double) ((const gint64 *) values)[i];
    }
}

/* How many from @i on are of one type, and their values. */
static guint
measure_run (const WeirFmuPlaceOfValue *variables, guint n, guint i, guint *n_values)
{
  guint end = i;

  *n_values = 0;
  for (; end < n && variables[end].type == variables[i].type; end++)
    *n_values += variables[end].size;
  return end - i;
}

gboolean
weir_fmu_leaf_set (WeirFmuInstance *instance, const WeirFmuPlaceOfValue *variables, guint n,
                   const double *values, GError **error)
{
  guint n_run, n_values;

  for (guint i = 0; i < n; i += n_run, values += n_values)
    {
      WeirFmuType type = variables[i].type;
      g_autofree guint32 *refs = NULL;
      g_autofree guint64 *room = NULL;
      WeirFmuValues group;

      n_run = measure_run (variables, n, i, &n_values);
      refs = g_new (guint32, n_run);
      room = g_new (guint64, n_values + 1);
      for (guint k = 0; k < n_run; k++)
        refs[k] = variables[i + k].reference;
      for (guint k = 0; k < n_values; k++)
        if (!weir_fmu_leaf_put (type, room, k, values[k], error))
          return FALSE;
      group = (WeirFmuValues) { type, refs, n_run, room, n_values };
      switch (weir_fmu_instance_set (instance, &group, 1, error))
        {
        case WEIR_FMU_DONE:
          break;
        case WEIR_FMU_DISCARDED:
          if (error != NULL && *error == NULL)
            weir_error_set (error, WEIR_ERROR_FAILED,
                            "The FMU discards the values that it is given.");
          return FALSE;
        case WEIR_FMU_FAILED:
        default:
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
finish (WeirFmuOutcome outcome, GError **error)
{
  if (outcome == WEIR_FMU_DISCARDED && error != NULL && *error == NULL)
    weir_error_set (error, WEIR_ERROR_FAILED,
                    "The FMU has no values for these times, states and inputs (it discards the "
                    "call).");
  return outcome == WEIR_FMU_DONE;
}

gboolean
weir_fmu_leaf_get (WeirFmuInstance *instance, const WeirFmuPlaceOfValue *variables,
                   const guint32 *refs, guint n, const WeirFmuEvaluation *evaluation,
                   double *values, GError **error)
{
  WeirFmuValues groups[MAX_GROUPS];
  gpointer rooms[MAX_GROUPS] = { NULL };
  guint n_groups = 0, n_run, n_values;
  double *out = values;
  WeirFmuEvaluation here;
  WeirFmuOutcome outcome;

  for (guint i = 0; i < n; i += n_run, out += n_values)
    {
      WeirFmuType type = variables[i].type;
      gpointer at = out;

      n_run = measure_run (variables, n, i, &n_values);
      g_assert (n_groups < MAX_GROUPS);
      if (type != WEIR_FMU_FLOAT64)
        at = rooms[n_groups] = g_new0 (guint64, n_values + 1);
      groups[n_groups++] = (WeirFmuValues) { type, refs + i, n_run, at, n_values };
    }
  if (evaluation != NULL)
    {
      here = *evaluation;
      here.outputs = groups;
      here.n_outputs = n_groups;
      outcome = weir_fmu_instance_evaluate (instance, &here, error);
    }
  else
    outcome = weir_fmu_instance_get (instance, groups, n_groups, error);
  out = values;
  for (guint g = 0; g < n_groups; out += groups[g].n_values, g++)
    {
      WeirFmuType type = groups[g].type;

      for (guint k = 0; k < groups[g].n_values && rooms[g] != NULL; k++)
        out[k] = type == WEIR_FMU_STRING || type == WEIR_FMU_BINARY
                     ? weir_fmu_text_count (type, ((gpointer *) rooms[g])[k])
                     : weir_fmu_leaf_take (type, rooms[g], k);
      g_free (rooms[g]);
    }
  return finish (outcome, error);
}

double *
weir_fmu_leaf_dup_start (const WeirFmuDescription *d, const WeirFmuLeafOptions *options, guint v,
                         GError **error)
{
  const WeirFmuVariable *variable = &d->variables[v];
  double *values = g_new0 (double, variable->size + 1);

  for (gsize i = 0; i < variable->size && variable->start != NULL && variable->n_start > 0; i++)
    values[i] = variable->start[variable->n_start == variable->size ? i : 0];
  for (guint k = 0; k < options->n_starts; k++)
    {
      const WeirFmuStart *start = &options->starts[k];

      if (weir_fmu_description_find (d, start->variable) != v)
        continue;
      if (start->n_values != 1 && start->n_values != variable->size)
        {
          weir_error_set (error, WEIR_ERROR_INVALID,
                          "%s: \"%s\" has %zu values, but is to start with %u.", options->name,
                          start->variable, variable->size, start->n_values);
          g_free (values);
          return NULL;
        }
      for (gsize i = 0; i < variable->size; i++)
        values[i] = start->values[start->n_values == 1 ? 0 : i];
    }
  return values;
}

GArray *
weir_fmu_leaf_list_structure (const WeirFmuDescription *d)
{
  GArray *structure = g_array_new (FALSE, TRUE, sizeof (WeirFmuStructural));
  gboolean is_other = weir_fmu_description_get_base (d) != d;

  for (guint v = 0; v < d->n_variables && is_other; v++)
    {
      const WeirFmuVariable *variable = &d->variables[v];
      WeirFmuStructural s = { variable->traits.type, variable->reference, 0 };

      if (variable->causality == WEIR_FMU_STRUCTURAL_PARAMETER && variable->n_dimensions == 0
          && variable->start != NULL
          && weir_fmu_leaf_put (s.type, &s.value, 0, variable->start[0], NULL))
        g_array_append_val (structure, s);
    }
  return structure;
}

void
weir_fmu_leaf_add_structure_to_checksum (const WeirFmuBinary *binary, GChecksum *sum)
{
  for (guint i = 0; i < binary->n_structure; i++)
    {
      const WeirFmuStructural *s = &binary->structure[i];

      g_checksum_update (sum, (const guchar *) &s->reference, sizeof s->reference);
      g_checksum_update (sum, (const guchar *) &s->value, sizeof s->value);
    }
}

/* Descriptions with other values of structural parameters (3.0): sizes of arrays, and what follows
 * from them. See description.h.
 *
 * Such a description shares all but its variables with the one that it is of, which it keeps.
 */
#include "fmi/description-private.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/error.h"

#define MAX_DIMENSIONS 32

typedef struct {
  WeirFmuDescription *d;
  WeirFmuVariable *variables; /* of it */
} Resizing;

const WeirFmuDescription *
weir_fmu_description_get_base (const WeirFmuDescription *self)
{
  return self->private->base != NULL ? self->private->base : self;
}

/* --- Values ---------------------------------------------------------------------------------- */

static gboolean
is_dimension (const WeirFmuDescription *d, guint parameter)
{
  for (guint v = 0; v < d->n_variables; v++)
    for (guint k = 0; k < d->variables[v].n_dimensions; k++)
      if (d->variables[v].dimensions[k].variable == parameter)
        return TRUE;
  return FALSE;
}

static gboolean
check (const WeirFmuDescription *d, const WeirFmuSizing *sizing, GError **error)
{
  const WeirFmuVariable *variable = &d->variables[sizing->variable];
  gboolean is_size = is_dimension (d, sizing->variable);
  double least = variable->traits.min, largest = variable->traits.max;

  if (is_size)
    least = least >= 1 ? least : 1;
  if (variable->causality != WEIR_FMU_STRUCTURAL_PARAMETER || variable->n_dimensions > 0)
    weir_error_set (error, WEIR_ERROR_INVALID, "\"%s\" is no structural parameter of one value.",
                    variable->name);
  else if (is_size && sizing->value != trunc (sizing->value))
    weir_error_set (error, WEIR_ERROR_INVALID,
                    "\"%s\" is %.17g, but it is the size of arrays: a whole number is needed.",
                    variable->name, sizing->value);
  else if (sizing->value < least || sizing->value > largest || !isfinite (sizing->value))
    weir_error_set (error, WEIR_ERROR_INVALID, "\"%s\" is %.17g, but must be from %.17g to %.17g.",
                    variable->name, sizing->value, isnan (least) ? (double) -INFINITY : least,
                    isnan (largest) ? (double) INFINITY : largest);
  else
    return TRUE;
  return FALSE;
}

/* --- Arrays ---------------------------------------------------------------------------------- */

static gpointer
keep (Resizing *self, gpointer data)
{
  g_ptr_array_add (self->d->private->blocks, data);
  return data;
}

/* Elements stay where they are by their indices; those that the file has none for are 0. */
static void
move_starts (Resizing *self, const WeirFmuVariable *from, WeirFmuVariable *to)
{
  double *start = keep (self, g_new0 (double, to->size + 1));
  gsize at[MAX_DIMENSIONS] = { 0 };

  for (gsize i = 0; i < from->size; i++)
    {
      gsize place = 0;
      gboolean is_there = TRUE;

      for (guint k = 0; k < to->n_dimensions; k++)
        {
          is_there &= at[k] < to->dimensions[k].size;
          place = place * to->dimensions[k].size + at[k];
        }
      if (is_there)
        start[place] = from->start[i];
      for (guint k = to->n_dimensions; k-- > 0;)
        {
          if (++at[k] < from->dimensions[k].size)
            break;
          at[k] = 0;
        }
    }
  to->start = start;
  to->n_start = (guint) to->size;
}

/* FALSE: all variables together have too many elements. */
static gboolean
resize (Resizing *self, const WeirFmuVariable *from, WeirFmuVariable *to, guint64 *sum)
{
  WeirFmuDimension *dimensions = keep (
      self, g_memdup2 (from->dimensions, from->n_dimensions * sizeof *dimensions));
  guint64 size = 1;

  for (guint k = 0; k < to->n_dimensions; k++)
    {
      if (dimensions[k].variable != WEIR_FMU_NONE)
        dimensions[k].size = (guint64) self->variables[dimensions[k].variable].start[0];
      size = weir_budget_multiply (size, dimensions[k].size);
    }
  *sum = weir_budget_add (*sum, size);
  if (*sum > WEIR_BUDGET / sizeof (double))
    return FALSE;
  to->dimensions = dimensions;
  to->size = (gsize) size;
  if (to->n_start > 1 && to->size != from->size && to->start != NULL)
    move_starts (self, from, to);
  else if (to->n_start > 1 && to->size != from->size)
    {
      to->n_start = 0; /* texts */
      to->start_texts = NULL;
    }
  return TRUE;
}

static void
count (WeirFmuDescription *d)
{
  d->n_states = d->n_indicators = 0;
  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_DERIVATIVES]; i++)
    d->n_states += d->variables[d->unknowns[WEIR_FMU_DERIVATIVES][i].variable].size;
  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_EVENT_INDICATORS]; i++)
    d->n_indicators += d->variables[d->unknowns[WEIR_FMU_EVENT_INDICATORS][i].variable].size;
}

/* --- All together ---------------------------------------------------------------------------- */

/* With the tables of the other, which it keeps. */
static WeirFmuDescription *
copy (WeirFmuDescription *base)
{
  WeirFmuDescription *self = g_memdup2 (base, sizeof *self);
  WeirFmuDescriptionPrivate *p = g_new0 (WeirFmuDescriptionPrivate, 1);

  g_atomic_ref_count_init (&p->ref_count);
  p->base = weir_fmu_description_ref (base);
  p->blocks = g_ptr_array_new_with_free_func (g_free);
  p->names = g_hash_table_ref (base->private->names);
  p->references = g_hash_table_ref (base->private->references);
  p->unit_names = g_hash_table_ref (base->private->unit_names);
  p->type_names = g_hash_table_ref (base->private->type_names);
  self->private = p;
  return self;
}

WeirFmuDescription *
weir_fmu_description_resize (WeirFmuDescription *base, const WeirFmuSizing *sizings, guint n,
                             GError **error)
{
  g_autoptr (WeirFmuDescription) self = NULL;
  Resizing resizing;
  guint64 sum = 0;

  g_return_val_if_fail (base->private->base == NULL, NULL);

  for (guint i = 0; i < n; i++)
    if (!check (base, &sizings[i], error))
      return NULL;
  self = copy (base);
  resizing.d = self;
  resizing.variables = keep (
      &resizing, g_memdup2 (base->variables, base->n_variables * sizeof *base->variables));
  self->variables = resizing.variables;
  for (guint i = 0; i < n; i++)
    {
      WeirFmuVariable *variable = &resizing.variables[sizings[i].variable];

      variable->start = keep (&resizing, g_memdup2 (&sizings[i].value, sizeof (double)));
      variable->n_start = 1;
    }
  for (guint v = 0; v < base->n_variables; v++)
    if (base->variables[v].n_dimensions > MAX_DIMENSIONS
        || !resize (&resizing, &base->variables[v], &resizing.variables[v], &sum))
      {
        weir_error_set (error, WEIR_ERROR_INVALID,
                        "\"%s\" becomes too large: all variables together may have %zu elements.",
                        base->variables[v].name, WEIR_BUDGET / sizeof (double));
        return NULL;
      }
  count (self);
  return g_steal_pointer (&self);
}

/* What refers to what in a description that has been read: numbers of the file become numbers of
 * variables, variables get what their types say, arrays their sizes.
 */
#include "fmi/description-private.h"

#include <math.h>

#include "base/budget.h"

#define VARIABLE(r, i) (&g_array_index ((r)->variables, WeirFmuVariable, i))

/* --- Names and references -------------------------------------------------------------------- */

static void
note_name (WeirFmuReading *r, const char *name, guint i)
{
  GHashTable *names = r->d->private->names;

  if (g_hash_table_contains (names, name))
    weir_fmu_warn_of (r, "FMU08", name, VARIABLE (r, i)->line,
                      "The name is given twice; the first of that name is meant by it.");
  else
    g_hash_table_insert (names, (gpointer) name, GUINT_TO_POINTER (i + 1));
}

static void
note_reference (WeirFmuReading *r, guint i)
{
  WeirFmuVariable *variable = VARIABLE (r, i);
  gint64 key = weir_fmu_get_key (r->d->version, variable->traits.type, variable->reference);
  gpointer found = g_hash_table_lookup (r->d->private->references, &key);

  if (found == NULL)
    {
      g_hash_table_insert (r->d->private->references, g_memdup2 (&key, sizeof key),
                           GUINT_TO_POINTER (i + 1));
      return;
    }
  variable->alias_of = GPOINTER_TO_UINT (found) - 1;
  if (r->d->version == 3)
    weir_fmu_warn_of (r, "FMU09", variable->name, variable->line,
                      "The value reference %u is that of \"%s\" too; further names of a variable "
                      "are written as <Alias>.",
                      variable->reference, VARIABLE (r, variable->alias_of)->name);
}

static void
note_units (WeirFmuReading *r)
{
  for (guint i = 0; i < r->units->len; i++)
    {
      const WeirFmuUnit *unit = &g_array_index (r->units, WeirFmuUnit, i);

      if (!g_hash_table_insert (r->d->private->unit_names, (gpointer) unit->name,
                                GUINT_TO_POINTER (i + 1)))
        weir_fmu_warn_of (r, "FMU08", unit->name, unit->line, "The unit is defined twice.");
    }
}

/* The variable that the file means by @number: 2.0 counts them from 1, 3.0 gives references. */
static guint
find_variable (const WeirFmuReading *r, guint number)
{
  gint64 key;

  if (r->d->version == 2)
    return number >= 1 && number <= r->variables->len ? number - 1 : WEIR_FMU_NONE;
  key = weir_fmu_get_key (3, WEIR_FMU_FLOAT64, number);
  return GPOINTER_TO_UINT (g_hash_table_lookup (r->d->private->references, &key)) - 1;
}

/* --- Types ----------------------------------------------------------------------------------- */

static void
inherit_text (const char **own, const char *declared)
{
  if (*own == NULL)
    *own = declared;
}

static void
inherit_number (double *own, double declared)
{
  if (isnan (*own))
    *own = declared;
}

static void
inherit (WeirFmuReading *r, WeirFmuVariable *variable)
{
  WeirFmuTraits *own = &variable->traits;
  const WeirFmuDeclaredType *declared;

  if (variable->declared_type == WEIR_FMU_NONE)
    {
      if (own->type == WEIR_FMU_ENUMERATION)
        weir_fmu_warn_of (r, "FMU23", variable->name, variable->line,
                          "The enumeration has no declared type, so that its items are not known.");
      return;
    }
  declared = &g_array_index (r->types, WeirFmuDeclaredType, variable->declared_type);
  if (declared->traits.type != own->type)
    {
      weir_fmu_warn_of (r, "FMU12", variable->name, variable->line,
                        "The declared type \"%s\" is %s, but the variable is %s.", declared->name,
                        weir_fmu_type_get_name (declared->traits.type),
                        weir_fmu_type_get_name (own->type));
      variable->declared_type = WEIR_FMU_NONE;
      return;
    }
  inherit_text (&own->quantity, declared->traits.quantity);
  inherit_text (&own->unit, declared->traits.unit);
  inherit_text (&own->display_unit, declared->traits.display_unit);
  inherit_text (&own->mime_type, declared->traits.mime_type);
  inherit_number (&own->min, declared->traits.min);
  inherit_number (&own->max, declared->traits.max);
  inherit_number (&own->nominal, declared->traits.nominal);
  own->is_relative |= declared->traits.is_relative;
  own->is_unbounded |= declared->traits.is_unbounded;
  own->max_size = own->max_size != 0 ? own->max_size : declared->traits.max_size;
  own->items = declared->traits.items;
  own->n_items = declared->traits.n_items;
  own->clock = own->clock != NULL ? own->clock : declared->traits.clock;
}

/* --- References of a variable ---------------------------------------------------------------- */

/* @number becomes a variable. FALSE: there is none, which is told. */
static gboolean
resolve (WeirFmuReading *r, guint *number, const WeirFmuVariable *variable, const char *attribute)
{
  guint found;

  if (*number == WEIR_FMU_NONE)
    return FALSE;
  found = find_variable (r, *number);
  if (found == WEIR_FMU_NONE)
    weir_fmu_complain_of (r, "FMU13", variable->name, variable->line, "%s=\"%u\" is no variable.",
                          attribute, *number);
  *number = found;
  return found != WEIR_FMU_NONE;
}

static void
resolve_references (WeirFmuReading *r, guint i)
{
  WeirFmuVariable *variable = VARIABLE (r, i);
  guint *clocks = (guint *) variable->clocks;

  if (resolve (r, &variable->derivative_of, variable, "derivative"))
    VARIABLE (r, variable->derivative_of)->derivative = i;
  resolve (r, &variable->previous, variable, "previous");
  for (guint k = 0; k < variable->n_clocks; k++)
    if (resolve (r, &clocks[k], variable, "clocks")
        && VARIABLE (r, clocks[k])->traits.type != WEIR_FMU_CLOCK)
      weir_fmu_complain_of (r, "FMU13", variable->name, variable->line,
                            "\"clocks\" names \"%s\", which is no clock.",
                            VARIABLE (r, clocks[k])->name);
}

/* --- Sizes ----------------------------------------------------------------------------------- */

static guint64
get_size (WeirFmuReading *r, const WeirFmuVariable *variable, WeirFmuDimension *dimension)
{
  const WeirFmuVariable *parameter;

  if (dimension->variable == WEIR_FMU_NONE
      || !resolve (r, &dimension->variable, variable, "valueReference"))
    return dimension->size;
  parameter = VARIABLE (r, dimension->variable);
  if ((parameter->causality != WEIR_FMU_STRUCTURAL_PARAMETER
       && parameter->variability != WEIR_FMU_CONSTANT)
      || !weir_fmu_type_is_integer (parameter->traits.type) || parameter->n_dimensions > 0)
    weir_fmu_complain_of (r, "FMU17", variable->name, variable->line,
                          "A dimension is given by \"%s\", which is no single integer that is a "
                          "structural parameter.",
                          parameter->name);
  else if (parameter->start == NULL || !(parameter->start[0] >= 0 && parameter->start[0] <= 1e15))
    weir_fmu_complain_of (r, "FMU17", variable->name, variable->line,
                          "A dimension is given by \"%s\", which starts at no size.",
                          parameter->name);
  else
    return (guint64) parameter->start[0];
  return dimension->size;
}

static void
measure (WeirFmuReading *r, WeirFmuVariable *variable, guint64 *sum)
{
  WeirFmuDimension *dimensions = (WeirFmuDimension *) variable->dimensions;
  guint64 size = 1;

  for (guint k = 0; k < variable->n_dimensions; k++)
    {
      dimensions[k].size = get_size (r, variable, &dimensions[k]);
      size = weir_budget_multiply (size, dimensions[k].size);
    }
  *sum = weir_budget_add (*sum, size);
  if (size > WEIR_BUDGET / sizeof (double) || *sum > WEIR_BUDGET / sizeof (double))
    {
      weir_fmu_complain_of (r, "FMU17", variable->name, variable->line,
                            "The array is too large: all variables together may have %zu elements.",
                            WEIR_BUDGET / sizeof (double));
      size = *sum = 0; /* tells of each once */
    }
  variable->size = (gsize) size;
  if (variable->n_start > 1 && variable->n_start != size)
    {
      weir_fmu_warn_of (r, "FMU11", variable->name, variable->line,
                        "There are %u start values for %zu elements; they are passed over.",
                        variable->n_start, variable->size);
      variable->n_start = 0;
      variable->start = NULL;
      variable->start_texts = NULL;
    }
}

/* --- The structure --------------------------------------------------------------------------- */

static void
resolve_dependencies (WeirFmuReading *r, WeirFmuUnknown *unknown)
{
  guint *dependencies = (guint *) unknown->dependencies;

  for (guint k = 0; dependencies != NULL && k < unknown->n_dependencies; k++)
    {
      guint found = find_variable (r, dependencies[k]);

      if (found == WEIR_FMU_NONE)
        {
          weir_fmu_warn_of (r, "FMU13", VARIABLE (r, unknown->variable)->name, unknown->line,
                            "It is to depend on variable %u, which does not exist; it is taken "
                            "to depend on everything.",
                            dependencies[k]);
          unknown->dependencies = NULL;
          unknown->n_dependencies = 0;
          unknown->kinds = NULL;
          return;
        }
      dependencies[k] = found;
    }
}

static void
resolve_unknowns (WeirFmuReading *r, WeirFmuUnknowns list)
{
  GArray *unknowns = r->unknowns[list];
  guint n = 0;

  for (guint i = 0; i < unknowns->len; i++)
    {
      WeirFmuUnknown unknown = g_array_index (unknowns, WeirFmuUnknown, i);
      guint found = find_variable (r, unknown.variable);

      if (found == WEIR_FMU_NONE)
        {
          /* Without a derivative there is one state less than the FMU has. */
          weir_diagnostics_add (r->diagnostics,
                                list == WEIR_FMU_DERIVATIVES || list == WEIR_FMU_EVENT_INDICATORS
                                    ? WEIR_SEVERITY_ERROR
                                    : WEIR_SEVERITY_WARNING,
                                "FMU13", NULL, 0, 0, unknown.line,
                                "The structure names variable %u, which does not exist.",
                                unknown.variable);
          continue;
        }
      unknown.variable = found;
      resolve_dependencies (r, &unknown);
      g_array_index (unknowns, WeirFmuUnknown, n++) = unknown;
    }
  g_array_set_size (unknowns, n);
}

void
weir_fmu_resolve (WeirFmuReading *r)
{
  guint64 sum = 0;

  note_units (r);
  for (guint i = 0; i < r->variables->len; i++)
    {
      WeirFmuVariable *variable = VARIABLE (r, i);

      note_name (r, variable->name, i);
      for (guint k = 0; k < variable->n_aliases; k++)
        note_name (r, variable->aliases[k].name, i);
      note_reference (r, i);
      inherit (r, variable);
      if (variable->causality == WEIR_FMU_INDEPENDENT && r->d->time == WEIR_FMU_NONE)
        r->d->time = i;
    }
  for (guint i = 0; i < r->variables->len; i++)
    resolve_references (r, i);
  for (guint i = 0; i < r->variables->len; i++)
    measure (r, VARIABLE (r, i), &sum);
  for (guint i = 0; i < WEIR_FMU_N_UNKNOWNS; i++)
    resolve_unknowns (r, (WeirFmuUnknowns) i);
}

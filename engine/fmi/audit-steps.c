/* Whether an FMU for co-simulation, brought back to a state that was saved, makes the same steps
 * again, to the bit. See audit.h. The unit that it would be is run, as a run would do. */
#include "fmi/audit.h"

#include <math.h>
#include <string.h>

#include "fmi/leaf-private.h"
#include "fmi/unit.h"
#include "system/structure/unit.h"

#define N_STEPS 4
#define DEFAULT_STEP 0.01 /* s */

typedef struct {
  const WeirUnitKind *kind;
  gpointer instance;
  GArray *u;       /* double */
  GArray *changes; /* double: how much of itself each is changed by from step to step */
  double t, step;
  guint n_y;
} Steps;

/* The steps from @from on, each with other inputs; what they give, one after the other. */
static gboolean
make_steps (Steps *self, guint from, double *y)
{
  g_autofree double *u = g_memdup2 (self->u->data, self->u->len * sizeof *u);

  for (guint k = from; k < from + N_STEPS; k++, y += self->n_y)
    {
      double t = self->t + k * self->step, end = self->t + (k + 1) * self->step, reached = end;

      for (guint i = 0; i < self->u->len; i++)
        u[i] = g_array_index (self->u, double, i)
               * (1 + k * g_array_index (self->changes, double, i));
      if (!self->kind->unit_class->step (self->instance, t, end, u, y, &reached, NULL))
        return FALSE;
    }
  return TRUE;
}

static void
list_inputs (const WeirFmuDescription *d, const WeirFmuLeafOptions *options, GArray *u,
             GArray *changes)
{
  for (guint v = 0; v < d->n_variables; v++)
    if (d->variables[v].causality == WEIR_FMU_INPUT && weir_fmu_leaf_has_port (d, &d->variables[v])
        && !weir_fmu_leaf_has_text_port (&d->variables[v]))
      {
        g_autofree double *start = weir_fmu_leaf_dup_start (d, options, v, NULL);
        double change = weir_fmu_type_is_float (d->variables[v].traits.type) ? 0x1p-6 : 0;

        g_array_append_vals (u, start, (guint) d->variables[v].size);
        for (gsize k = 0; k < d->variables[v].size; k++)
          g_array_append_val (changes, change);
      }
}

static double
find_step (const WeirFmuDescription *d)
{
  double fixed = d->modes[WEIR_FMU_CO_SIMULATION].fixed_step;

  if (isfinite (fixed) && fixed > 0)
    return fixed;
  return isfinite (d->experiment.step) && d->experiment.step > 0 ? d->experiment.step
                                                                 : DEFAULT_STEP;
}

static gboolean
repeats (Steps *self)
{
  const WeirUnitClass *class = self->kind->unit_class;
  gsize size = (gsize) (self->n_y * N_STEPS) * sizeof (double);
  g_autofree double *once = g_malloc0 (size + sizeof (double));
  g_autofree double *again = g_malloc0 (size + sizeof (double));
  const double *u = (const double *) (gpointer) self->u->data;
  g_autoptr (GBytes) saved = NULL;

  return class->initialize (self->instance, self->t, u, once, NULL) && make_steps (self, 0, once)
         && (saved = class->save (self->instance, NULL)) != NULL && make_steps (self, N_STEPS, once)
         && class->restore (self->instance, saved, NULL) && make_steps (self, N_STEPS, again)
         && memcmp (once, again, size) == 0;
}

gboolean
weir_fmu_audit_steps (const WeirFmuDescription *d, const char *folder, const char *name,
                      const WeirFmuStart *starts, guint n_starts)
{
  g_autoptr (GArray) u = g_array_new (TRUE, TRUE, sizeof (double));
  WeirFmuLeafOptions options = { .folder = folder,
                                 .name = name,
                                 .instance = weir_fmu_default_options,
                                 .starts = starts,
                                 .n_starts = n_starts };
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (double));
  Steps steps = { .u = u, .changes = changes, .step = find_step (d) };
  WeirSystem *system;
  gboolean is_same;

  if (!d->modes[WEIR_FMU_CO_SIMULATION].is_offered
      || !d->modes[WEIR_FMU_CO_SIMULATION].can_serialize_state)
    return FALSE;
  options.instance.limit = WEIR_FMU_AUDIT_LIMIT;
  system = weir_fmu_unit_new (d, &options, 1, NULL);
  if (system == NULL)
    return FALSE;
  list_inputs (d, &options, u, changes);
  for (guint i = 0; i < weir_system_get_n_outputs (system); i++)
    steps.n_y += weir_system_get_output_size (system, (WeirOutput) { (guint16) i });
  steps.t = isfinite (d->experiment.start_time) ? d->experiment.start_time : 0;
  steps.kind = weir_system_get_unit (system);
  steps.instance = steps.kind->unit_class->make (steps.kind->data, NULL);
  is_same = steps.instance != NULL && repeats (&steps);
  if (steps.instance != NULL)
    steps.kind->unit_class->free (steps.instance);
  weir_system_unref (system);
  return is_same;
}

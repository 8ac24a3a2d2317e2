/* The programs of a leaf. See program-list.h. */
#include "blocks/equations/program-list.h"

#include "blocks/equations/equations.h"
#include "numerics/newton.h"

gboolean
weir_equations_is_calc (WeirAnyFunction calc)
{
  return calc == (WeirAnyFunction) weir_equations_calc
         || calc == (WeirAnyFunction) weir_equations_assign_values
         || calc == (WeirAnyFunction) weir_equations_decide
         || calc == (WeirAnyFunction) weir_equations_update
         || calc == (WeirAnyFunction) weir_equations_keep;
}

typedef void (*PartFunc) (const WeirEquationsData *data, const WeirPart *part, gpointer user_data);

static void
visit_computations (const WeirEquationsData *data, guint32 computations, guint32 n, PartFunc visit,
                    gpointer user_data)
{
  const WeirComputation *computation = weir_equations_at (data, computations);

  for (guint32 i = 0; i < n; i++)
    {
      const WeirPart *parts = weir_equations_at (data, computation[i].parts);

      for (guint32 p = 0; p < computation[i].n_parts; p++)
        if (parts[p].kind != WEIR_PART_DECIDED && parts[p].program != 0)
          visit (data, &parts[p], user_data);
    }
}

static void
visit_parts (const WeirEquationsData *data, gboolean has_phases, PartFunc visit, gpointer user_data)
{
  visit_computations (data, data->entries, data->n_entries, visit, user_data);
  visit_computations (data, data->events, data->n_events, visit, user_data);
  if (has_phases)
    visit_computations (data, data->phases, 1, visit, user_data);
}

static void
add_program (G_GNUC_UNUSED const WeirEquationsData *data, const WeirPart *part, gpointer user_data)
{
  GArray *programs = user_data;

  for (guint i = 0; i < programs->len; i++)
    if (g_array_index (programs, guint32, i) == part->program)
      return;
  g_array_append_val (programs, part->program);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

GArray *
weir_equations_list_programs (gconstpointer data, gboolean has_phases)
{
  GArray *programs = g_array_new (FALSE, FALSE, sizeof (guint32));

  visit_parts (data, has_phases, add_program, programs);
  g_array_sort (programs, compare);
  return programs;
}

static void
add_work (const WeirEquationsData *data, const WeirPart *part, gpointer user_data)
{
  const WeirProgram *program = weir_equations_at (data, part->program);
  WeirBand band = { part->n, part->lower, part->upper };
  gsize n_in = weir_program_get_n_inputs (program), n_out = weir_program_get_n_outputs (program);
  gsize size = 2
                   * ((gsize) part->n_operands + n_in + n_out + weir_program_get_work_size (program)
                      + part->n)
               + 64;
  gsize *largest = user_data;

  if (part->kind == WEIR_PART_SOLVED)
    size += weir_newton_get_work_size (&band, part->n_exponents);
  if (part->kind == WEIR_PART_PROJECTED)
    size += weir_band_get_size (&band) + 4 * n_in;
  *largest += size; /* those of a delay are needed together */
}

gsize
weir_equations_get_work_size (gconstpointer data, gboolean has_phases)
{
  gsize largest = 0;

  visit_parts (data, has_phases, add_work, &largest);
  return largest;
}

static gboolean
is_value (const WeirPart *part)
{
  return part->kind == WEIR_PART_EXPLICIT || part->kind == WEIR_PART_SOLVED;
}

gboolean
weir_equations_has_tangent (gconstpointer data, guint local)
{
  const WeirEquationsData *equations = data;
  const WeirComputation *computation = (const WeirComputation *) weir_equations_at (
                                           data, equations->entries)
                                       + local;
  const WeirPart *parts = weir_equations_at (data, computation->parts);

  for (guint32 p = 0; p < computation->n_parts; p++)
    if (!is_value (&parts[p]) && parts[p].kind != WEIR_PART_ASSERTED)
      return FALSE;
  return TRUE;
}

typedef struct {
  guint32 offset;
  guint n;
} Moving;

static void
count_moving (const WeirEquationsData *data, const WeirPart *part, gpointer user_data)
{
  Moving *moving = user_data;

  if (part->program == moving->offset && is_value (part))
    moving->n = MAX (moving->n,
                     part->kind == WEIR_PART_SOLVED
                         ? part->n
                         : weir_program_get_n_outputs (weir_equations_at (data, part->program)));
}

guint
weir_equations_count_moving (gconstpointer data, guint32 offset)
{
  const WeirEquationsData *equations = data;
  Moving moving = { offset, 0 };

  visit_computations (equations, equations->entries, equations->n_entries, count_moving, &moving);
  return moving.n;
}

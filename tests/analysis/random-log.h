/* Random diagrams whose calculations tell what they do: every calculation of a random leaf notes
 * that it ran, what it read first, whether it failed and whether it wrote other bytes. What a
 * change log says is compared with that.
 *
 * The leaves read inputs, a parameter, time and each other's cached values; some are lazy, some
 * read a value that they did not declare, some fail for large parameters, some are kernels, some
 * integrate.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "../system/blocks.h"
#include "system/evaluation/evaluator-private.h"

enum { MAX_CACHED = 2, N_CALCS = 4, LAZY = N_CALCS - 1 }; /* two cached values, two outputs */

/* What a leaf's calculations read, as bits: inputs 0 to 2, the parameter, time, cached 0 and 1. */
enum { READS_PARAMETER = 8, READS_TIME = 16, READS_CACHED = 32 };

typedef struct {
  guint32 reads[N_CALCS], undeclared[N_CALCS];
  guint32 is_lazy, fails; /* the last output; above 0.8 */
} RandomData;

/* What calculations did, in order. */
typedef struct {
  gboolean is_read; /* of entry by reader, else an evaluation of entry */
  guint32 entry, reader;
  gboolean has_failed, changed;
  gboolean asks;      /* a read of what was not up to date */
  gboolean is_beside; /* an evaluation beside the cache (weir_calc_entry()) */
} Observed;

static WeirContext *observed_context; /* whose calculations are noted */
static GArray *observed;              /* Observed */

static inline void
observe (const WeirCalc *c, Observed what)
{
  if (observed != NULL && c->context == observed_context)
    g_array_append_val (observed, what);
}

static inline void
observe_read (const WeirCalc *c, WeirOrigin origin, gboolean asks)
{
  if (origin.kind == WEIR_ORIGIN_ENTRY)
    observe (c, (Observed) { TRUE, origin.index, c->entry, FALSE, FALSE, asks, FALSE });
}

static inline WeirStatus
random_sum (const WeirCalc *c, guint i, double *sum)
{
  const RandomData *data = weir_calc_data (c);
  guint32 reads = data->reads[i];
  gboolean lazy = i == LAZY && data->is_lazy;
  double p = weir_calc_parameter (c, (WeirParameter) { 0 })[0];

  *sum = reads & READS_PARAMETER ? p : 0.5;
  if (reads & READS_TIME)
    *sum += weir_calc_time (c);
  for (guint16 k = 0; k < 3; k++)
    if (reads & (1u << k))
      {
        WeirInput in = { k };
        WeirOrigin origin;

        if (lazy && *sum > 0.6 && k > 0)
          continue;
        /* A wired input that is fixed is brought up to date all the same, but for lazy readers. */
        origin = lazy ? weir_context_trace (c->context, c->node_index, k)
                      : c->context->layout->inputs[c->node->first_input + k];
        /* What is up to date was not brought up to date for a lazy reader. */
        if (!lazy
            || (origin.kind == WEIR_ORIGIN_ENTRY
                && (weir_bit (c->context->stale, origin.index)
                    || weir_bit (c->context->disabled, origin.index))))
          observe_read (c, origin, lazy);
        if (lazy && !weir_calc_demand (c, in))
          return WEIR_PENDING;
        *sum = *sum * 0.75 + weir_calc_input (c, in)[0];
      }
  for (guint16 k = 0; k < MAX_CACHED; k++)
    {
      WeirOrigin origin = { WEIR_ORIGIN_ENTRY, c->node_index,
                            c->context->layout->entry_of_local[c->node->first_entry + k] };
      gboolean undeclared = (data->undeclared[i] & (READS_CACHED << k)) != 0;

      if (!(reads & (READS_CACHED << k)) && !undeclared)
        continue;
      if (!undeclared || weir_bit (c->context->stale, origin.index))
        observe_read (c, origin, undeclared);
      *sum = *sum * 0.5 + weir_calc_cached (c, (WeirCached) { k })[0];
    }
  *sum = fmod (*sum, 3);
  return data->fails && p > 0.8 ? weir_calc_fail (c, "the parameter is too large") : WEIR_OK;
}

static inline WeirStatus
random_calc (const WeirCalc *c, guint i, double *out)
{
  double sum = 0;
  WeirStatus status = random_sum (c, i, &sum);

  if (status != WEIR_PENDING)
    {
      gboolean fails = status != WEIR_OK || c->has_failed;

      gboolean is_beside = out != c->context->arena + c->context->layout->value_offset[c->entry];

      observe (c, (Observed) { FALSE, c->entry, 0, fails, memcmp (out, &sum, sizeof sum) != 0,
                               FALSE, is_beside });
      *out = sum;
    }
  return status;
}

#define RANDOM_CALC(n)                                                                             \
  static WeirStatus random_calc_##n (const WeirCalc *c, double *out)                               \
  {                                                                                                \
    return random_calc (c, n, out);                                                                \
  }
RANDOM_CALC (0)
RANDOM_CALC (1)
RANDOM_CALC (2)
RANDOM_CALC (3)

static inline void
random_list (WeirLeafBuilder *b, guint32 reads, gboolean with_parameter, WeirTicket list[10])
{
  guint n = 0;

  for (guint16 k = 0; k < 3; k++)
    if (reads & (1u << k))
      list[n++] = weir_input_ticket (b, (WeirInput) { k });
  if ((reads & READS_PARAMETER) || with_parameter)
    list[n++] = weir_parameter_ticket (b, (WeirParameter) { 0 });
  if (reads & READS_TIME)
    list[n++] = WEIR_TIME;
  for (guint16 k = 0; k < MAX_CACHED; k++)
    if (reads & (READS_CACHED << k))
      list[n++] = weir_cached_ticket (b, (WeirCached) { k });
  if (n == 0)
    list[n++] = WEIR_NOTHING;
  list[n].i = WEIR_TICKET_END;
}

static inline WeirSystem *
random_leaf_new (GRand *rand, guint n_inputs)
{
  static const WeirCalcFunc calcs[] = { random_calc_0, random_calc_1, random_calc_2,
                                        random_calc_3 };
  static const char *const names[] = { "a", "b", "c", "d" };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Random");
  guint32 inputs = (1u << n_inputs) - 1;
  RandomData data = { .is_lazy = g_rand_int_range (rand, 0, 3) == 0,
                      .fails = g_rand_int_range (rand, 0, 10) == 0 };
  const double p = 0.25;
  WeirTicket list[10];

  for (guint i = 0; i < n_inputs; i++)
    weir_leaf_add_input (b, names[i], 1);
  weir_leaf_add_parameter (b, "p", &p, 1);
  for (guint i = 0; i < N_CALCS; i++)
    {
      guint32 cached = i == 0 ? 0 : i == 1 ? READS_CACHED : READS_CACHED * 3;
      guint32 all = inputs | READS_PARAMETER | READS_TIME | cached;

      data.reads[i] = g_rand_int (rand) & all;
      if (i > 0 && g_rand_int_range (rand, 0, 6) == 0)
        data.undeclared[i] = g_rand_int (rand) & cached & ~data.reads[i];
      random_list (b, data.reads[i], data.fails != 0, list);
      if (i < MAX_CACHED)
        weir_leaf_add_cache_entry (b, names[i], 1, calcs[i], list);
      else
        {
          WeirOutput y = weir_leaf_add_output (b, names[i], 1, calcs[i], list);

          if (i == LAZY && data.is_lazy && (data.reads[i] & READS_CACHED * 3) == 0)
            weir_leaf_set_lazy (b, weir_output_ticket (b, y));
          else if (i == LAZY)
            data.is_lazy = FALSE;
        }
    }
  weir_leaf_set_data (b, &data, sizeof data);
  return weir_leaf_builder_build (b);
}

/* @n_outputs: of the diagram, which all have outputs of one value. */
static inline WeirSystem *
random_diagram_new (GRand *rand, guint depth, guint *n_outputs)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  guint n = (guint) g_rand_int_range (rand, 3, 8), n_inputs = depth > 0 ? 2 : 0;
  g_autoptr (GArray) ports = g_array_new (FALSE, FALSE, sizeof (guint32)); /* child * 16 + output */
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  for (guint i = 0; i < n_inputs; i++)
    weir_diagram_builder_add_input (b, i == 0 ? "u" : "v", 1);
  for (guint c = 0; c < n; c++)
    {
      guint kind = (guint) g_rand_int_range (rand, 0, 8), n_in = 1, n_out = 1;
      g_autoptr (WeirSystem) child = NULL;
      g_autofree char *name = g_strdup_printf ("s%u", c);
      WeirChild added;

      if (kind == 0 && depth < 3)
        {
          child = random_diagram_new (rand, depth + 1, &n_out);
          n_in = 2;
        }
      else if (kind == 1)
        child = test_integrator_new (0.1);
      else if (kind == 2 || kind == 3)
        child = test_gain_new (0.5);
      else
        {
          n_in = (guint) g_rand_int_range (rand, 0, 4);
          n_out = 2;
          child = random_leaf_new (rand, n_in);
        }
      added = weir_diagram_builder_add (b, name, child);
      for (guint16 i = 0; i < n_in; i++)
        {
          guint k = (guint) g_rand_int_range (rand, 0, (gint) (ports->len + n_inputs + 1));

          if (k < ports->len)
            {
              guint32 port = g_array_index (ports, guint32, k);

              weir_diagram_builder_connect (b, (WeirChild) { port / 16 },
                                            (WeirOutput) { (guint16) (port % 16) }, added,
                                            (WeirInput) { i });
            }
          else if (k < ports->len + n_inputs)
            weir_diagram_builder_connect_input (b, (WeirInput) { (guint16) (k - ports->len) },
                                                added, (WeirInput) { i });
        }
      for (guint o = 0; o < n_out; o++)
        {
          guint32 port = added.i * 16 + o;

          g_array_append_val (ports, port);
        }
    }
  *n_outputs = MIN (ports->len, 3);
  for (guint o = 0; o < *n_outputs; o++)
    {
      guint32 port = g_array_index (ports, guint32, ports->len - 1 - o);
      g_autofree char *name = g_strdup_printf ("y%u", o);

      weir_diagram_builder_add_output (b, name, (WeirChild) { port / 16 },
                                       (WeirOutput) { (guint16) (port % 16) });
    }
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

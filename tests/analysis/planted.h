/* A leaf whose entries mix a random choice of sources, declared in full or with one omission, for
 * the tests of what finds omissions. */
#pragma once

#include "../seeds.h"
#include "../sim/models.h"

/* What the entries of the planted leaf can read. */
enum {
  SOURCE_TIME,
  SOURCE_Q,
  SOURCE_V,
  SOURCE_Z,
  SOURCE_GROUP,
  SOURCE_INPUT,
  SOURCE_CACHED,
  N_SOURCES,
};
enum { ENTRY_CACHED, ENTRY_OUTPUT, ENTRY_XCDOT, N_ENTRIES };

typedef struct {
  guint32 reads[N_ENTRIES]; /* bits of sources */
} Reads;

static double
mix (const WeirCalc *c, guint entry)
{
  const Reads *data = weir_calc_data (c);
  guint32 reads = data->reads[entry];
  double sum = 0;

  if (reads & (1u << SOURCE_TIME))
    sum += 0.5 * weir_calc_time (c);
  if (reads & (1u << SOURCE_Q))
    sum += 0.25 * weir_calc_q (c)[0];
  if (reads & (1u << SOURCE_V))
    sum -= 0.75 * weir_calc_v (c)[0];
  if (reads & (1u << SOURCE_Z))
    sum += 0.375 * weir_calc_z (c)[0];
  if (reads & (1u << SOURCE_GROUP))
    sum += 0.125 * weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  if (reads & (1u << SOURCE_INPUT))
    sum -= 0.3 * weir_calc_input (c, (WeirInput) { 0 })[0];
  if (reads & (1u << SOURCE_CACHED))
    sum += 0.2 * weir_calc_cached (c, (WeirCached) { 0 })[0];
  return sum;
}

static WeirStatus
planted_cached (const WeirCalc *c, double *out)
{
  out[0] = mix (c, ENTRY_CACHED);
  return WEIR_OK;
}

static WeirStatus
planted_output (const WeirCalc *c, double *out)
{
  out[0] = mix (c, ENTRY_OUTPUT);
  return WEIR_OK;
}

static WeirStatus
planted_xcdot (const WeirCalc *c, double *xdot)
{
  double f = mix (c, ENTRY_XCDOT);

  xdot[0] = 0.7 - f;
  xdot[1] = 0.3 + 0.5 * f;
  xdot[2] = 1 - 0.25 * f;
  return WEIR_OK;
}

typedef struct {
  Reads reads;
  gboolean input_is_discrete;
  guint entry;  /* with the omission */
  guint source; /* omitted */
} Plant;

/* From test_rand. */
static inline void
random_plant (Plant *plant)
{
  for (guint e = 0; e < N_ENTRIES; e++)
    {
      guint n_sources = e == ENTRY_CACHED ? SOURCE_CACHED : N_SOURCES;

      plant->reads.reads[e] = 0;
      while (plant->reads.reads[e] == 0)
        for (guint s = 0; s < n_sources; s++)
          if (g_rand_int_range (test_rand, 0, 3) == 0)
            plant->reads.reads[e] |= 1u << s;
    }
  plant->input_is_discrete = g_rand_boolean (test_rand);
  plant->entry = (guint) g_rand_int_range (test_rand, 0, N_ENTRIES);
  do
    plant->source = (guint) g_rand_int_range (test_rand, 0, N_SOURCES);
  while (!(plant->reads.reads[plant->entry] & (1u << plant->source)));
}

/* The leaf, with the omission or without. */
static inline WeirSystem *
planted_leaf_new (const Plant *plant, gboolean omits)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Planted");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 1 }, 1);
  WeirTicket tickets[N_SOURCES] = {
    WEIR_TIME, WEIR_Q, WEIR_V, WEIR_Z, weir_group_ticket (b, x), weir_input_ticket (b, u)
  };

  weir_leaf_set_data (b, &plant->reads, sizeof plant->reads);
  weir_leaf_set_continuous_state (b, 1, 1, 1, (double[]) { 0.3, 0.2, 0.1 });
  weir_leaf_add_periodic_update (b, x, 0.1, 0, counter_update);
  for (guint e = 0; e < N_ENTRIES; e++)
    {
      WeirTicket depends[N_SOURCES + 1];
      guint n = 0;

      for (guint s = 0; s < N_SOURCES; s++)
        if ((plant->reads.reads[e] & (1u << s))
            && !(omits && e == plant->entry && s == plant->source))
          depends[n++] = tickets[s];
      if (n == 0)
        depends[n++] = WEIR_NOTHING;
      depends[n] = (WeirTicket) { WEIR_TICKET_END };
      if (e == ENTRY_CACHED)
        tickets[SOURCE_CACHED] = weir_cached_ticket (
            b, weir_leaf_add_cache_entry (b, "inner", 1, planted_cached, depends));
      else if (e == ENTRY_OUTPUT)
        weir_leaf_add_output (b, "y", 1, planted_output, depends);
      else
        weir_leaf_set_derivatives (b, planted_xcdot, depends);
    }
  return weir_leaf_builder_build (b);
}

/* A leaf that listens to everything: one cache entry per built-in source ticket, each depending on
 * that ticket alone, beside states and parameters of every kind, xcdot, energies and power.
 *
 * What a change reached is read off the flags of those entries.
 */
#pragma once

#include <string.h>

#include "blocks.h"
#include "system/context/context-private.h"
#include "system/layout/layout-private.h"

enum {
  PROBE_N = WEIR_TICKET_KINEMATICS + 1, /* listening entries: cache entry i listens to ticket i */
  PROBE_D = 0,
  PROBE_A = 1, /* groups: doubles, abstract */
  PROBE_P = 0,
  PROBE_B = 1, /* parameters: doubles, abstract */
};

static inline WeirStatus
probe_calc (G_GNUC_UNUSED const WeirCalc *c, double *out)
{
  out[0] = 1;
  return WEIR_OK;
}

static inline WeirStatus
probe_xcdot (const WeirCalc *c, double *out)
{
  const double *x = weir_calc_xc (c);

  for (guint i = 0; i < 3; i++)
    out[i] = -x[i] + weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static inline WeirStatus
probe_y (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_input (c, (WeirInput) { 0 })[0] + weir_calc_q (c)[0];
  return WEIR_OK;
}

static inline WeirStatus
probe_energy (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_q (c)[0] * weir_calc_parameter (c, (WeirParameter) { PROBE_P })[0];
  return WEIR_OK;
}

static inline WeirStatus
probe_power (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_v (c)[0] * weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

/* y = u + q; x' = u - x; pe = ke = pc = n q; pnc = v u. Without any state and parameter if
 * @is_bare. */
static inline WeirSystem *
probe_full_new (gboolean is_bare)
{
  static const double zero = 0, states[3] = { 1, 2, 3 }, five = 5;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Probe");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_input_default (b, u, &zero);
  if (!is_bare)
    {
      weir_leaf_set_continuous_state (b, 1, 1, 1, states);
      weir_leaf_add_discrete_state (b, "d", &five, 1);
      weir_leaf_add_abstract_state (b, "a", g_variant_new_string ("a"));
      weir_leaf_add_parameter (b, "n", &five, 1);
      weir_leaf_add_abstract_parameter (b, "b", g_variant_new_string ("b"));
    }
  for (guint16 t = 0; t < PROBE_N; t++)
    {
      g_autofree char *name = g_strdup_printf ("listens to %s", weir_built_in_ticket_name (t));
      WeirTicket ticket = { t };

      weir_leaf_add_cache_entry (b, name, 1, probe_calc, WEIR_DEPENDS (ticket));
    }
  if (!is_bare)
    {
      weir_leaf_add_output (b, "y", 1, probe_y, WEIR_DEPENDS (weir_input_ticket (b, u), WEIR_Q));
      weir_leaf_set_derivatives (b, probe_xcdot, WEIR_DEPENDS (WEIR_XC, weir_input_ticket (b, u)));
      for (guint16 t = WEIR_TICKET_PE; t <= WEIR_TICKET_PC; t++)
        weir_leaf_set_energy (b, (WeirTicket) { t }, probe_energy,
                              WEIR_DEPENDS (WEIR_CONFIGURATION));
      weir_leaf_set_energy (b, WEIR_PNC, probe_power,
                            WEIR_DEPENDS (WEIR_V, weir_input_ticket (b, u)));
    }
  return weir_leaf_builder_build (b);
}

static inline WeirSystem *
probe_new (void)
{
  return probe_full_new (FALSE);
}

/* Root { a, inner { b, c } }: root u -> a.u; a.y -> inner.u -> b.u; b.y -> c.u; c.y -> inner.y ->
 * root y. */
static inline WeirSystem *
probe_tree_new (void)
{
  g_autoptr (WeirSystem) probe = probe_new (), inner = NULL;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirChild b = weir_diagram_builder_add (d, "b", probe);
  WeirChild c = weir_diagram_builder_add (d, "c", probe), a, nested;
  WeirInput u = weir_diagram_builder_add_input (d, "u", 1);
  WeirSystem *system;

  weir_diagram_builder_connect_input (d, u, b, (WeirInput) { 0 });
  weir_diagram_builder_connect_by_name (d, "b", "y", "c", "u");
  weir_diagram_builder_add_output (d, "y", c, (WeirOutput) { 0 });
  inner = weir_diagram_builder_build (d, NULL);

  d = weir_diagram_builder_new ();
  a = weir_diagram_builder_add (d, "a", probe);
  nested = weir_diagram_builder_add (d, "inner", inner);
  u = weir_diagram_builder_add_input (d, "u", 1);
  weir_diagram_builder_connect_input (d, u, a, (WeirInput) { 0 });
  weir_diagram_builder_connect_by_name (d, "a", "y", "inner", "u");
  weir_diagram_builder_add_output (d, "y", nested, (WeirOutput) { 0 });
  system = weir_diagram_builder_build (d, NULL);
  g_assert_nonnull (system);
  return system;
}

/* A context of it, its input fixed to 0 and everything evaluated. */
static inline void probe_eval_all (WeirSystem *system, WeirContext *context);

static inline WeirContext *
probe_context_new (WeirSystem *tree)
{
  static const double zero = 0;
  WeirContext *context = weir_system_create_context (tree);

  weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 0 }, &zero);
  probe_eval_all (tree, context);
  return context;
}

static inline WeirNode
probe_node (const WeirContext *context, const char *path)
{
  WeirNode node;

  g_assert_true (weir_layout_find_node (weir_context_get_layout (context), path, &node));
  return node;
}

/* The entry under a ticket of a node: a built-in computation. */
static inline WeirEntry
probe_entry (const WeirContext *context, const char *path, WeirTicket ticket)
{
  WeirEntry entry;

  g_assert_true (weir_layout_find_entry (weir_context_get_layout (context),
                                         probe_node (context, path), ticket, &entry));
  return entry;
}

/* The entry of a probe that listens to a built-in source ticket. */
static inline WeirEntry
probe_listener (const WeirContext *context, const char *path, guint16 ticket)
{
  const WeirLayout *layout = weir_context_get_layout (context);

  return (WeirEntry) {
    layout->entry_of_local[layout->nodes[probe_node (context, path).i].first_entry + ticket]
  };
}

static inline void
probe_eval_all (WeirSystem *system, WeirContext *context)
{
  guint n = weir_layout_get_n_entries (weir_context_get_layout (context));

  for (guint e = 0; e < n; e++)
    g_assert_nonnull (weir_eval_entry (system, context, (WeirEntry) { e }));
}

/* The tickets whose listeners are out of date, as bits. */
static inline guint32
probe_heard (const WeirContext *context, const char *path)
{
  guint32 heard = 0;

  for (guint16 t = 0; t < PROBE_N; t++)
    if (!weir_context_is_up_to_date (context, probe_listener (context, path, t)))
      heard |= 1u << t;
  return heard;
}

static inline WeirCounters
probe_counters (const WeirContext *context, WeirEntry entry)
{
  guint n = weir_layout_get_n_entries (weir_context_get_layout (context));
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, n);

  weir_context_read_counters (context, counters);
  return counters[entry.i];
}

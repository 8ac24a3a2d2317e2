/* Random diagrams, described twice: once to the engine through its builders, once as a table of
 * leaves, what each entry reads and where each input comes from. The second description knows
 * nothing of tickets beyond the table of composites.
 */
#pragma once

#include "blocks.h"
#include "system/context/context-private.h"
#include "system/layout/layout-private.h"

/* What an entry can read, as bits. */
enum {
  ATOM_TIME = 0,
  ATOM_ACCURACY = 1,
  ATOM_Q = 2, /* then v, z */
  ATOM_PARAMETER = 5,
  ATOM_GROUP = 7,
  ATOM_INPUT = 9,
  ATOM_ENTRY = 13,
  MAX_PARAMETERS = 2,
  MAX_GROUPS = 2,
  MAX_INPUTS = 4,
  MAX_ENTRIES = 5, /* cache entries and outputs with a calculation, then xcdot */
};
#define BIT(i) (1u << (i))

typedef struct {
  guint32 atoms[MAX_ENTRIES];
  guint n_entries;
  guint nq, nv, nz, n_parameters, n_groups, n_inputs;
} Data;

typedef enum { FROM_ENTRY, FROM_STATE, FROM_GROUP, FROM_PARAMETER, FROM_TIME, FROM_FIXED } FromKind;

typedef struct {
  FromKind kind;
  guint leaf, index; /* entry; q, v, z as 0, 1, 2; group; parameter */
} From;

typedef struct {
  Data data;
  char *path;
  WeirNode node;
  WeirEntry entries[MAX_ENTRIES];
  From outputs[3];
  guint n_outputs;
  From inputs[MAX_INPUTS];
  guint first_entry; /* in the reference's numbering */
} Leaf;

typedef struct {
  GRand *rand;
  GArray *leaves; /* Leaf */
  guint n_entries;
  guint depth;
} Random;

static inline Leaf *
leaf_at (Random *r, guint i)
{
  return &g_array_index (r->leaves, Leaf, i);
}

/* --- The leaf: every entry mixes all it reads ------------------------------------------------ */

static inline void
mix (double *out, double value)
{
  *out = *out * 0.75 + value * 1.25 + 0.0625;
}

static inline WeirStatus
calc_entry (const WeirCalc *c, guint e, double *out)
{
  const Data *data = weir_calc_data (c);
  guint32 atoms = data->atoms[e];
  double sum = e;

  if (atoms & BIT (ATOM_TIME))
    mix (&sum, weir_calc_time (c));
  if (atoms & BIT (ATOM_ACCURACY))
    mix (&sum, weir_calc_accuracy (c));
  for (guint i = 0; (atoms & BIT (ATOM_Q)) && i < data->nq; i++)
    mix (&sum, weir_calc_q (c)[i]);
  for (guint i = 0; (atoms & BIT (ATOM_Q + 1)) && i < data->nv; i++)
    mix (&sum, weir_calc_v (c)[i]);
  for (guint i = 0; (atoms & BIT (ATOM_Q + 2)) && i < data->nz; i++)
    mix (&sum, weir_calc_z (c)[i]);
  for (guint16 i = 0; i < MAX_PARAMETERS; i++)
    if (atoms & BIT (ATOM_PARAMETER + i))
      mix (&sum, weir_calc_parameter (c, (WeirParameter) { i })[0]);
  for (guint16 i = 0; i < MAX_GROUPS; i++)
    if (atoms & BIT (ATOM_GROUP + i))
      mix (&sum, weir_calc_discrete (c, (WeirGroup) { i })[0]);
  for (guint16 i = 0; i < MAX_INPUTS; i++)
    if (atoms & BIT (ATOM_INPUT + i))
      mix (&sum, weir_calc_input (c, (WeirInput) { i })[0]);
  for (guint16 i = 0; i < MAX_ENTRIES; i++)
    if (atoms & BIT (ATOM_ENTRY + i))
      mix (&sum, weir_calc_cached (c, (WeirCached) { i })[0]);
  *out = sum;
  return WEIR_OK;
}

#define CALC(n)                                                                                    \
  static WeirStatus calc_##n (const WeirCalc *c, double *out)                                      \
  {                                                                                                \
    return calc_entry (c, n, out);                                                                 \
  }
CALC (0)
CALC (1)
CALC (2)
CALC (3)
static const WeirCalcFunc calcs[] = { calc_0, calc_1, calc_2, calc_3 };

static inline WeirStatus
calc_xcdot (const WeirCalc *c, double *out)
{
  const Data *data = weir_calc_data (c);

  for (guint i = 0; i < data->nq + data->nv + data->nz; i++)
    {
      calc_entry (c, data->n_entries - 1, &out[i]);
      out[i] += i;
    }
  return WEIR_OK;
}

/* A random prerequisite and what it stands for, by the table of composites. */
static inline guint32
pick (Random *r, const Data *d, guint n_before, WeirLeafBuilder *b, WeirTicket *ticket)
{
  guint32 p = BIT (ATOM_PARAMETER + d->n_parameters) - BIT (ATOM_PARAMETER);
  guint32 g = BIT (ATOM_GROUP + d->n_groups) - BIT (ATOM_GROUP);
  guint32 u = BIT (ATOM_INPUT + d->n_inputs) - BIT (ATOM_INPUT);
  guint32 q = BIT (ATOM_Q), v = BIT (ATOM_Q + 1), z = BIT (ATOM_Q + 2);
  guint32 t = BIT (ATOM_TIME), a = BIT (ATOM_ACCURACY);
  const struct {
    guint16 ticket;
    guint32 atoms;
  } composites[] = {
    { WEIR_TICKET_TIME, t },
    { WEIR_TICKET_ACCURACY, a },
    { WEIR_TICKET_Q, q },
    { WEIR_TICKET_V, v },
    { WEIR_TICKET_Z, z },
    { WEIR_TICKET_XC, q | v | z },
    { WEIR_TICKET_XD, g },
    { WEIR_TICKET_ALL_STATE, q | v | z | g },
    { WEIR_TICKET_PN, p },
    { WEIR_TICKET_ALL_PARAMETERS, p },
    { WEIR_TICKET_ALL_SOURCES_EXCEPT_INPUTS, t | a | q | v | z | g | p },
    { WEIR_TICKET_ALL_INPUTS, u },
    { WEIR_TICKET_ALL_SOURCES, t | a | q | v | z | g | p | u },
    { WEIR_TICKET_CONFIGURATION, q | z | a | p | g },
    { WEIR_TICKET_KINEMATICS, q | z | a | p | g | v },
    { WEIR_TICKET_NOTHING, 0 },
  };
  guint k;

  switch (g_rand_int_range (r->rand, 0, 6))
    {
    case 0:
      if (d->n_parameters == 0)
        break;
      k = (guint) g_rand_int_range (r->rand, 0, (gint) d->n_parameters);
      *ticket = weir_parameter_ticket (b, (WeirParameter) { (guint16) k });
      return BIT (ATOM_PARAMETER + k);
    case 1:
      if (d->n_groups == 0)
        break;
      k = (guint) g_rand_int_range (r->rand, 0, (gint) d->n_groups);
      *ticket = weir_group_ticket (b, (WeirGroup) { (guint16) k });
      return BIT (ATOM_GROUP + k);
    case 2:
    case 3:
      if (d->n_inputs == 0)
        break;
      k = (guint) g_rand_int_range (r->rand, 0, (gint) d->n_inputs);
      *ticket = weir_input_ticket (b, (WeirInput) { (guint16) k });
      return BIT (ATOM_INPUT + k);
    case 4:
      if (n_before == 0)
        break;
      k = (guint) g_rand_int_range (r->rand, 0, (gint) n_before);
      *ticket = weir_cached_ticket (b, (WeirCached) { (guint16) k });
      return BIT (ATOM_ENTRY + k);
    default:
      break;
    }
  k = (guint) g_rand_int_range (r->rand, 0, G_N_ELEMENTS (composites));
  ticket->i = composites[k].ticket;
  return composites[k].atoms;
}

static inline guint32
pick_list (Random *r, const Data *d, guint n_before, WeirLeafBuilder *b, WeirTicket list[4])
{
  guint n = (guint) g_rand_int_range (r->rand, 1, 4);
  guint32 atoms = 0;

  for (guint i = 0; i < n; i++)
    atoms |= pick (r, d, n_before, b, &list[i]);
  list[n].i = WEIR_TICKET_END;
  return atoms;
}

static inline WeirSystem *
leaf_new (Random *r, Leaf *leaf)
{
  static const char *const names[] = { "a", "b", "c", "d" };
  const double zero[8] = { 0 };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Random");
  Data *d = &leaf->data;
  guint n_calcs = (guint) g_rand_int_range (r->rand, 1, 5), n_cache;
  WeirTicket list[4];

  d->n_inputs = (guint) g_rand_int_range (r->rand, 0, MAX_INPUTS + 1);
  d->n_parameters = (guint) g_rand_int_range (r->rand, 0, MAX_PARAMETERS + 1);
  d->n_groups = (guint) g_rand_int_range (r->rand, 0, MAX_GROUPS + 1);
  if (g_rand_boolean (r->rand))
    {
      d->nq = (guint) g_rand_int_range (r->rand, 0, 3);
      d->nv = (guint) g_rand_int_range (r->rand, 0, 3);
      d->nz = (guint) g_rand_int_range (r->rand, 0, 3);
    }
  for (guint i = 0; i < d->n_inputs; i++)
    weir_leaf_add_input (b, names[i], 1);
  for (guint i = 0; i < d->n_parameters; i++)
    weir_leaf_add_parameter (b, names[i], zero, 1);
  for (guint i = 0; i < d->n_groups; i++)
    weir_leaf_add_discrete_state (b, names[i], zero, 1);
  if (d->nq + d->nv + d->nz > 0)
    weir_leaf_set_continuous_state (b, d->nq, d->nv, d->nz, zero);

  n_cache = (guint) g_rand_int_range (r->rand, 0, (gint) n_calcs);
  for (guint e = 0; e < n_calcs; e++)
    {
      d->atoms[e] = pick_list (r, d, e, b, list);
      if (e < n_cache)
        weir_leaf_add_cache_entry (b, names[e], 1, calcs[e], list);
      else if (leaf->n_outputs < 3)
        {
          weir_leaf_add_output (b, names[leaf->n_outputs], 1, calcs[e], list);
          leaf->outputs[leaf->n_outputs++] = (From) { FROM_ENTRY, 0, e };
        }
      else
        weir_leaf_add_cache_entry (b, names[e], 1, calcs[e], list);
    }
  d->n_entries = n_calcs;
  if (d->nq + d->nv + d->nz > 0)
    {
      d->atoms[d->n_entries++] = pick_list (r, d, n_calcs, b, list);
      weir_leaf_set_derivatives (b, calc_xcdot, list);
    }
  if (leaf->n_outputs < 3 && d->nz == 1)
    {
      weir_leaf_add_output_window (b, "window", WEIR_Z);
      leaf->outputs[leaf->n_outputs++] = (From) { FROM_STATE, 0, 2 };
    }
  if (leaf->n_outputs < 3 && d->n_groups > 0)
    {
      weir_leaf_add_output_window (b, "held", weir_group_ticket (b, (WeirGroup) { 0 }));
      leaf->outputs[leaf->n_outputs++] = (From) { FROM_GROUP, 0, 0 };
    }
  weir_leaf_set_data (b, d, sizeof *d);
  return weir_leaf_builder_build (b);
}

/* --- The diagram ----------------------------------------------------------------------------- */

/* Builds a diagram of random children. @own: origins of its inputs, filled by the caller; inputs of
 * leaves that end at input j of this diagram get the origin own[j]. */
static inline WeirSystem *
diagram_new (Random *r, const char *path, guint depth, const From *own, guint n_own,
             GArray *outputs)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  guint n_children = (guint) g_rand_int_range (r->rand, 2, 6);
  g_autoptr (GArray) froms = g_array_new (FALSE, FALSE, sizeof (From)); /* of available outputs */
  g_autoptr (GArray) ports = g_array_new (FALSE, FALSE, sizeof (guint32)); /* child * 16 + output */
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  r->depth = MAX (r->depth, depth);
  for (guint i = 0; i < n_own; i++)
    {
      g_autofree char *name = g_strdup_printf ("in%u", i);

      weir_diagram_builder_add_input (b, name, 1);
    }
  for (guint c = 0; c < n_children; c++)
    {
      g_autofree char *name = g_strdup_printf ("s%u", c);
      g_autofree char *child_path = *path == '\0' ? g_strdup (name)
                                                  : g_strconcat (path, ".", name, NULL);
      gboolean nested = depth < 4 && (c == 0 || g_rand_int_range (r->rand, 0, 3) == 0);
      guint n_inputs = nested ? (guint) g_rand_int_range (r->rand, 0, 3) : 0;
      From inputs[MAX_INPUTS] = { 0 };
      gint wired[MAX_INPUTS];
      g_autoptr (GArray) child_outputs = g_array_new (FALSE, FALSE, sizeof (From));
      g_autoptr (WeirSystem) child = NULL;
      guint leaf_index = r->leaves->len;
      WeirChild added;

      if (!nested)
        {
          Leaf leaf = { .path = g_strdup (child_path), .first_entry = r->n_entries };

          child = leaf_new (r, &leaf);
          for (guint o = 0; o < leaf.n_outputs; o++)
            {
              leaf.outputs[o].leaf = leaf_index;
              g_array_append_val (child_outputs, leaf.outputs[o]);
            }
          n_inputs = leaf.data.n_inputs;
          r->n_entries += leaf.data.n_entries;
          g_array_append_val (r->leaves, leaf);
        }
      /* Inputs come from earlier siblings (no loops), from this diagram's inputs, or are fixed. */
      for (guint i = 0; i < n_inputs; i++)
        {
          gint k = g_rand_int_range (r->rand, -1, (gint) (froms->len + n_own));

          wired[i] = k;
          if (k < 0)
            inputs[i] = (From) { FROM_FIXED, 0, 0 };
          else
            inputs[i] = (guint) k < froms->len ? g_array_index (froms, From, (guint) k)
                                               : own[(guint) k - froms->len];
        }
      if (nested)
        child = diagram_new (r, child_path, depth + 1, inputs, n_inputs, child_outputs);
      else
        memcpy (leaf_at (r, leaf_index)->inputs, inputs, sizeof inputs);

      added = weir_diagram_builder_add (b, name, child);
      for (guint i = 0; i < n_inputs; i++)
        if (wired[i] >= (gint) froms->len)
          weir_diagram_builder_connect_input (
              b, (WeirInput) { (guint16) (wired[i] - (gint) froms->len) }, added,
              (WeirInput) { (guint16) i });
        else if (wired[i] >= 0)
          {
            guint32 port = g_array_index (ports, guint32, (guint) wired[i]);

            weir_diagram_builder_connect (b, (WeirChild) { port / 16 },
                                          (WeirOutput) { (guint16) (port % 16) }, added,
                                          (WeirInput) { (guint16) i });
          }
      for (guint o = 0; o < child_outputs->len; o++)
        {
          guint32 port = added.i * 16 + o;

          g_array_append_val (froms, g_array_index (child_outputs, From, o));
          g_array_append_val (ports, port);
        }
    }
  for (guint o = 0; o < froms->len && outputs->len < 12; o++)
    if (g_rand_boolean (r->rand))
      {
        guint32 port = g_array_index (ports, guint32, o);
        g_autofree char *name = g_strdup_printf ("out%u", outputs->len);

        weir_diagram_builder_add_output (b, name, (WeirChild) { port / 16 },
                                         (WeirOutput) { (guint16) (port % 16) });
        g_array_append_val (outputs, g_array_index (froms, From, o));
      }
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

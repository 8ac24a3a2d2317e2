/* Random diagrams: after every mutation the masks, the walk and a reachability search that reads
 * only the declarations leave identical flags; every evaluation equals an uncached one bit for bit;
 * the plan and the pull agree; counters equal those of a naive evaluator that counts as it goes.
 *
 * The diagram is described twice: once to the engine through its builders, once here as a table of
 * leaves, what each entry reads and where each input comes from. The second description is the
 * reference and knows nothing of tickets beyond the seed's table of composites.
 */
#include <string.h>

#include "blocks.h"
#include "system/context-private.h"
#include "system/layout-private.h"
#include "system/walk.h"

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

static Leaf *
leaf_at (Random *r, guint i)
{
  return &g_array_index (r->leaves, Leaf, i);
}

/* --- The leaf: every entry mixes all it reads ------------------------------------------------ */

static void
mix (double *out, double value)
{
  *out = *out * 0.75 + value * 1.25 + 0.0625;
}

static WeirStatus
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

static WeirStatus
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

/* A random prerequisite and what it stands for, by seed 000's table. */
static guint32
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

static guint32
pick_list (Random *r, const Data *d, guint n_before, WeirLeafBuilder *b, WeirTicket list[4])
{
  guint n = (guint) g_rand_int_range (r->rand, 1, 4);
  guint32 atoms = 0;

  for (guint i = 0; i < n; i++)
    atoms |= pick (r, d, n_before, b, &list[i]);
  list[n].i = WEIR_TICKET_END;
  return atoms;
}

static WeirSystem *
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
static WeirSystem *
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

/* --- The reference --------------------------------------------------------------------------- */

/* Does entry @e of leaf @l read what changed? Then so does all that reads it. */
typedef struct {
  FromKind kind;
  gint leaf;  /* -1: every leaf */
  gint index; /* of inputs: fixed ones at the leaf; -1: every one of the kind */
} Change;

static gboolean
reads_change (Random *r, guint l, guint e, const Change *change, const guint8 *marked)
{
  const Leaf *leaf = leaf_at (r, l);
  guint32 atoms = leaf->data.atoms[e];
  const guint sizes[] = { leaf->data.nq, leaf->data.nv, leaf->data.nz };
  gboolean here = change->leaf < 0 || change->leaf == (gint) l;

  if (change->kind == FROM_TIME && (atoms & BIT (ATOM_TIME + (guint) change->index)))
    return TRUE;
  for (guint k = 0; k < 3; k++)
    if (change->kind == FROM_STATE && here && (change->index < 0 || change->index == (gint) k)
        && sizes[k] > 0 && (atoms & BIT (ATOM_Q + k)))
      return TRUE;
  if (change->kind == FROM_PARAMETER && here
      && (atoms & BIT (ATOM_PARAMETER + (guint) change->index)))
    return TRUE;
  if (change->kind == FROM_GROUP && here && (atoms & BIT (ATOM_GROUP + (guint) change->index)))
    return TRUE;
  for (guint i = 0; i < MAX_ENTRIES; i++)
    if ((atoms & BIT (ATOM_ENTRY + i)) && marked[leaf->first_entry + i])
      return TRUE;
  for (guint i = 0; i < leaf->data.n_inputs; i++)
    {
      From from = leaf->inputs[i];
      gboolean there = change->leaf < 0 || change->leaf == (gint) from.leaf;

      if (!(atoms & BIT (ATOM_INPUT + i)))
        continue;
      if (change->kind == FROM_FIXED && change->leaf == (gint) l && change->index == (gint) i)
        return TRUE;
      if (from.kind == FROM_ENTRY && marked[leaf_at (r, from.leaf)->first_entry + from.index])
        return TRUE;
      if (from.kind != FROM_ENTRY && from.kind != FROM_FIXED && from.kind == change->kind && there
          && (change->index < 0 || change->index == (gint) from.index))
        return TRUE;
    }
  return FALSE;
}

/* Leaves are in an order in which inputs come from earlier ones, so one pass reaches everything. */
static void
reach (Random *r, const Change *change, guint8 *marked)
{
  for (guint l = 0; l < r->leaves->len; l++)
    for (guint e = 0; e < leaf_at (r, l)->data.n_entries; e++)
      if (reads_change (r, l, e, change, marked))
        marked[leaf_at (r, l)->first_entry + e] = TRUE;
}

/* The naive evaluator: valid flags, counters, recursion. */
typedef struct {
  guint8 *valid;
  guint64 *hits, *misses;
} Naive;

static void
naive_eval (Random *r, Naive *n, guint l, guint e)
{
  const Leaf *leaf = leaf_at (r, l);
  guint id = leaf->first_entry + e;

  if (n->valid[id])
    {
      n->hits[id]++;
      return;
    }
  for (guint i = 0; i < MAX_ENTRIES; i++)
    if (leaf->data.atoms[e] & BIT (ATOM_ENTRY + i))
      naive_eval (r, n, l, i);
  for (guint i = 0; i < leaf->data.n_inputs; i++)
    if ((leaf->data.atoms[e] & BIT (ATOM_INPUT + i)) && leaf->inputs[i].kind == FROM_ENTRY)
      naive_eval (r, n, leaf->inputs[i].leaf, leaf->inputs[i].index);
  n->misses[id]++;
  n->valid[id] = TRUE;
}

/* --- The test -------------------------------------------------------------------------------- */

typedef struct {
  WeirContext *context;
  WeirWalk *walk;
  guint64 *walk_bits;
  Naive naive;
} Subject;

static void
check_flags (Random *r, Subject *s)
{
  for (guint l = 0; l < r->leaves->len; l++)
    for (guint e = 0; e < leaf_at (r, l)->data.n_entries; e++)
      {
        const Leaf *leaf = leaf_at (r, l);
        gboolean valid = weir_context_is_up_to_date (s->context, leaf->entries[e]);

        g_assert_cmpint (valid, ==, s->naive.valid[leaf->first_entry + e]);
      }
}

/* What a mutation changed, for the reference, and the sources that it changed, for the walk. */
typedef struct {
  GArray *changes; /* Change */
  GArray *sources; /* WeirSource */
} Mutation;

static void
note (Mutation *m, WeirSource source, Change change)
{
  g_array_append_val (m->sources, source);
  g_array_append_val (m->changes, change);
}

static void
note_state (Mutation *m, guint32 source, gint part)
{
  note (m, (WeirSource) { source }, (Change) { FROM_STATE, -1, part });
}

/* One call of a random setter with random values. */
static void
mutate_once (Random *r, WeirContext *context, Mutation *m)
{
  WeirLayout *layout = weir_context_get_layout (context);
  guint n_states = weir_layout_get_n_states (layout);
  gint l = g_rand_int_range (r->rand, 0, (gint) r->leaves->len);
  const Leaf *leaf = leaf_at (r, (guint) l);
  const guint sizes[] = { leaf->data.nq, leaf->data.nv, leaf->data.nz };
  g_autofree double *x = g_new (double, n_states + 1);
  double value = g_rand_double_range (r->rand, -1, 1);
  WeirStatePart part = (WeirStatePart) g_rand_int_range (r->rand, 0, 3);
  Change time = { FROM_TIME, -1, ATOM_TIME };

  for (guint i = 0; i <= n_states; i++)
    x[i] = g_rand_double_range (r->rand, -1, 1);
  switch (g_rand_int_range (r->rand, 0, 12))
    {
    case 0:
      weir_context_set_accuracy (context, fabs (value) + 1);
      note (m, (WeirSource) { WEIR_SOURCE_ACCURACY }, (Change) { FROM_TIME, -1, ATOM_ACCURACY });
      break;
    case 1:
      weir_context_set_state (context, x);
      note_state (m, WEIR_SOURCE_STATE, -1);
      break;
    case 2:
      weir_context_set_time_and_state (context, value, x);
      note_state (m, WEIR_SOURCE_TIME_STATE, -1);
      g_array_append_val (m->changes, time);
      break;
    case 3:
      if (leaf->data.n_parameters == 0)
        break;
      weir_context_set_parameter (context, leaf->node, (WeirParameter) { 0 }, &value);
      note (m, weir_layout_parameter_source (layout, leaf->node.i, 0),
            (Change) { FROM_PARAMETER, l, 0 });
      break;
    case 4:
      if (leaf->data.n_groups == 0)
        break;
      weir_context_set_discrete (context, leaf->node, (WeirGroup) { 0 }, &value);
      note (m, weir_layout_group_source (layout, leaf->node.i, 0), (Change) { FROM_GROUP, l, 0 });
      break;
    case 5:
      if (sizes[0] + sizes[1] + sizes[2] == 0)
        break;
      weir_context_set_part (context, leaf->node, WEIR_STATE_XC, x);
      note (m, weir_layout_state_source (layout, leaf->node.i, WEIR_ORIGIN_XC),
            (Change) { FROM_STATE, l, -1 });
      break;
    case 6:
      if (leaf->data.n_inputs == 0 || leaf->inputs[0].kind != FROM_FIXED)
        break;
      weir_context_fix_input (context, leaf->node, (WeirInput) { 0 }, &value);
      note (m, weir_layout_input_source (layout, leaf->node.i, 0), (Change) { FROM_FIXED, l, 0 });
      break;
    case 7:
      if (sizes[part] == 0)
        break;
      weir_context_set_part (context, leaf->node, part, x);
      note (m, weir_layout_state_source (layout, leaf->node.i, WEIR_ORIGIN_Q + part),
            (Change) { FROM_STATE, l, (gint) part });
      break;
    case 8:
      weir_context_set_part (context, WEIR_ROOT, WEIR_STATE_Q, x);
      note_state (m, WEIR_SOURCE_Q, 0);
      break;
    case 9:
      weir_context_set_v_and_z (context, WEIR_ROOT, x, x);
      note_state (m, WEIR_SOURCE_VZ, 1);
      g_array_append_val (m->changes, ((Change[]) { { FROM_STATE, -1, 2 } })[0]);
      break;
    case 10:
      weir_context_set_time_and_q (context, value, x);
      note_state (m, WEIR_SOURCE_TIME_Q, 0);
      g_array_append_val (m->changes, time);
      break;
    default:
      weir_context_set_time (context, value);
      note (m, (WeirSource) { WEIR_SOURCE_TIME }, time);
      break;
    }
}

/* Applies a random mutation, or several in one event, to the context, and the same to the walk and
 * the reference. */
static void
mutate (Random *r, Subject *s)
{
  guint n_calls = g_rand_int_range (r->rand, 0, 3) == 0 ? 3 : 1;
  gsize n_words;
  const guint64 *flags = weir_context_get_flags (s->context, &n_words);
  guint64 n_events = weir_context_get_n_events (s->context);
  g_autofree guint8 *marked = g_new0 (guint8, r->n_entries);
  g_autofree guint64 *before = g_memdup2 (flags, n_words * sizeof *flags);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (WeirSource));
  g_autoptr (GArray) trackers = g_array_new (FALSE, FALSE, sizeof (guint32));
  Mutation m = { changes, sources };

  if (n_calls > 1)
    weir_context_begin_change (s->context);
  for (guint i = 0; i < n_calls; i++)
    mutate_once (r, s->context, &m);
  if (n_calls > 1)
    weir_context_end_change (s->context);
  g_assert_cmpuint (weir_context_get_n_events (s->context), ==, n_events + (sources->len > 0));

  for (guint k = 0; k < changes->len; k++)
    reach (r, &g_array_index (changes, Change, k), marked);
  for (guint i = 0; i < r->n_entries; i++)
    if (marked[i])
      s->naive.valid[i] = FALSE;
  check_flags (r, s);

  for (guint k = 0; k < sources->len; k++)
    {
      g_autoptr (GArray)
          changed = weir_walk_list_changed (s->walk, g_array_index (sources, WeirSource, k));

      g_array_append_vals (trackers, changed->data, changed->len);
    }
  if (sources->len == 0)
    return;
  memcpy (s->walk_bits, before, n_words * sizeof *before);
  weir_walk_notify (s->walk, &g_array_index (trackers, guint32, 0), trackers->len, s->walk_bits);
  g_assert_cmpmem (s->walk_bits, n_words * 8, flags, n_words * 8);
}

static void
fix_all_inputs (Random *r, WeirContext *context)
{
  WeirLayout *layout = weir_context_get_layout (context);

  for (guint32 n = 0; n < weir_layout_get_n_nodes (layout); n++)
    for (guint16 i = 0; i < weir_layout_get_n_inputs (layout, (WeirNode) { n }); i++)
      if (weir_layout_is_input_unconnected (layout, (WeirNode) { n }, (WeirInput) { i })
          && !weir_context_is_input_fixed (context, (WeirNode) { n }, (WeirInput) { i })
          && layout->inputs[layout->nodes[n].first_input + i].node == n)
        {
          double value = g_rand_double_range (r->rand, -1, 1);

          weir_context_fix_input (context, (WeirNode) { n }, (WeirInput) { i }, &value);
        }
}

static void
check_counters (Random *r, Subject *s)
{
  guint n = weir_layout_get_n_entries (weir_context_get_layout (s->context));
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, n);

  weir_context_read_counters (s->context, counters);
  for (guint l = 0; l < r->leaves->len; l++)
    for (guint e = 0; e < leaf_at (r, l)->data.n_entries; e++)
      {
        const Leaf *leaf = leaf_at (r, l);
        WeirCounters c = counters[leaf->entries[e].i];

        g_assert_cmpuint (c.first + c.stale, ==, s->naive.misses[leaf->first_entry + e]);
        g_assert_cmpuint (c.hits, ==, s->naive.hits[leaf->first_entry + e]);
        g_assert_cmpuint (c.invalidations, ==,
                          weir_walk_get_invalidations (s->walk, leaf->entries[e]));
      }
}

/* Entries disabled one by one and subtrees disabled as a whole change no value. */
static void
check_disabled (Random *r, WeirSystem *system, const WeirContext *context, WeirEntry entry,
                const double *truth)
{
  g_autoptr (WeirContext) clone = weir_context_clone (context);
  WeirLayout *layout = weir_context_get_layout (clone);
  guint n = weir_layout_get_n_entries (layout);
  gsize size = weir_layout_get_entry (layout, entry).size * sizeof (double);
  const double *value;

  for (guint k = 0; k < 5; k++)
    weir_context_set_entry_caching (
        clone, (WeirEntry) { (guint32) g_rand_int_range (r->rand, 0, (gint) n) }, FALSE);
  if (g_rand_boolean (r->rand))
    weir_context_set_node_caching (clone,
                                   (WeirNode) { (guint32) g_rand_int_range (
                                       r->rand, 1, (gint) weir_layout_get_n_nodes (layout)) },
                                   FALSE);
  value = weir_eval_entry (system, clone, entry);
  g_assert_nonnull (value);
  g_assert_cmpmem (value, size, truth, size);
  weir_context_set_node_caching (clone, WEIR_ROOT, TRUE);
  value = weir_eval_entry (system, clone, entry);
  g_assert_cmpmem (value, size, truth, size);
}

/* Frozen: exactly what is up to date is answered, and nothing is written. */
static void
check_frozen (Random *r, WeirSystem *system, const WeirContext *context)
{
  g_autoptr (WeirContext) frozen = weir_context_clone (context);
  const WeirLayout *layout = weir_context_get_layout (frozen);

  weir_context_set_frozen (frozen, TRUE);
  for (guint k = 0; k < 10; k++)
    {
      WeirEntry entry = { (guint32) g_rand_int_range (r->rand, 0, (gint) layout->n_entries) };

      g_assert_cmpint (weir_eval_entry (system, frozen, entry) != NULL, ==,
                       weir_context_is_up_to_date (context, entry));
    }
  g_assert_cmpmem (frozen->arena, layout->arena.size * sizeof (double), context->arena,
                   layout->arena.size * sizeof (double));
}

/* How many entries read the most read one, and how many read the same entry in two ways. */
static void
describe_graph (const WeirLayout *layout, guint *fan_out, guint *n_diamonds)
{
  *fan_out = *n_diamonds = 0;
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      guint32 row = layout->n_sources + e;

      *fan_out = MAX (*fan_out, layout->row_first[row + 1] - layout->row_first[row]);
      for (guint32 i = layout->up_first[e]; i < layout->up_first[e + 1]; i++)
        for (guint32 j = i + 1; j < layout->up_first[e + 1]; j++)
          for (guint32 k = layout->up_first[layout->ups[i]];
               k < layout->up_first[layout->ups[i] + 1]; k++)
            *n_diamonds += layout->ups[k] == layout->ups[j];
    }
}

/* TRUE if the diagram was as large as the test asks for. */
static gboolean
check_diagram (guint32 seed)
{
  Random r = { .rand = g_rand_new_with_seed (seed),
               .leaves = g_array_new (FALSE, TRUE, sizeof (Leaf)) };
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (From));
  g_autoptr (WeirSystem) system = diagram_new (&r, "", 1, NULL, 0, outputs);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirLayout *layout = weir_context_get_layout (context);
  guint n_states = weir_layout_get_n_states (layout);
  g_autofree double *a = g_new0 (double, n_states + 1), *b = g_new0 (double, n_states + 1);
  g_autofree double *x = g_new0 (double, n_states + 1);
  Subject s = { .context = context, .walk = weir_walk_new (layout) };
  guint fan_out, n_diamonds;
  gboolean is_large;
  gsize n_words;

  weir_context_get_flags (context, &n_words);
  s.walk_bits = g_new0 (guint64, n_words);
  s.naive = (Naive) { g_new0 (guint8, r.n_entries), g_new0 (guint64, r.n_entries),
                      g_new0 (guint64, r.n_entries) };
  for (guint l = 0; l < r.leaves->len; l++)
    {
      Leaf *leaf = leaf_at (&r, l);
      const WeirNodeInfo *info;

      g_assert_true (weir_layout_find_node (layout, leaf->path, &leaf->node));
      info = &layout->nodes[leaf->node.i];
      for (guint e = 0; e < leaf->data.n_entries; e++)
        leaf->entries[e].i = layout->entry_of_local[info->first_entry + e];
    }
  fix_all_inputs (&r, context);
  weir_context_set_all_out_of_date (context);
  weir_context_clear_counters (context);

  for (guint step = 0; step < 40; step++)
    {
      guint l = (guint) g_rand_int_range (r.rand, 0, (gint) r.leaves->len);
      guint e = (guint) g_rand_int_range (r.rand, 0, (gint) leaf_at (&r, l)->data.n_entries);
      WeirEntry entry = leaf_at (&r, l)->entries[e];
      g_autoptr (WeirContext) uncached = NULL;
      const double *cached_value, *truth;

      mutate (&r, &s);
      cached_value = weir_eval_entry (system, context, entry);
      g_assert_nonnull (cached_value);
      naive_eval (&r, &s.naive, l, e);
      check_flags (&r, &s);

      uncached = weir_context_clone (context);
      weir_context_set_caching (uncached, FALSE);
      truth = weir_eval_entry (system, uncached, entry);
      g_assert_cmpmem (cached_value, weir_layout_get_entry (layout, entry).size * 8, truth,
                       weir_layout_get_entry (layout, entry).size * 8);
      if (step % 8 == 0)
        {
          check_disabled (&r, system, context, entry, truth);
          check_frozen (&r, system, context);
        }
    }
  check_counters (&r, &s);

  /* The plan and the pull: same bits, flags and counters, at trial points and at home. */
  {
    g_autoptr (WeirContext) pull = weir_context_clone (context);
    g_autofree WeirCounters *plan_counters = g_new0 (WeirCounters,
                                                     weir_layout_get_n_entries (layout));
    g_autofree WeirCounters *pull_counters = g_new0 (WeirCounters,
                                                     weir_layout_get_n_entries (layout));
    guint n_entries = weir_layout_get_n_entries (layout);

    weir_context_set_pull_only (pull, TRUE);
    for (guint k = 0; k < 5; k++)
      {
        for (guint i = 0; i < n_states; i++)
          x[i] = g_rand_double_range (r.rand, -1, 1);
        g_assert_cmpint (weir_eval_rhs (system, context, k, x, a), ==, WEIR_OK);
        g_assert_cmpint (weir_eval_rhs (system, pull, k, x, b), ==, WEIR_OK);
        g_assert_cmpmem (a, n_states * 8, b, n_states * 8);
      }
    weir_eval_derivatives (system, context);
    weir_eval_derivatives (system, pull);
    g_assert_cmpmem (weir_context_get_flags (context, &n_words), n_words * 8,
                     weir_context_get_flags (pull, &n_words), n_words * 8);
    weir_context_read_counters (context, plan_counters);
    weir_context_read_counters (pull, pull_counters);
    g_assert_cmpmem (plan_counters, n_entries * sizeof *plan_counters, pull_counters,
                     n_entries * sizeof *pull_counters);
  }

  is_large = r.depth >= 4 && r.n_entries >= 50;
  describe_graph (layout, &fan_out, &n_diamonds);
  g_test_message ("seed %u: %u leaves, %u entries, depth %u, fan-out %u, %u diamonds", seed,
                  r.leaves->len, r.n_entries, r.depth, fan_out, n_diamonds);
  for (guint l = 0; l < r.leaves->len; l++)
    g_free (leaf_at (&r, l)->path);
  g_array_unref (r.leaves);
  g_rand_free (r.rand);
  g_free (s.walk_bits);
  g_free (s.naive.valid);
  g_free (s.naive.hits);
  g_free (s.naive.misses);
  weir_walk_free (s.walk);
  return is_large;
}

static void
test_random (void)
{
  guint32 seed = g_test_rand_int ();

  for (guint n_large = 0; n_large < 1000;)
    n_large += check_diagram (seed++);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/random/flags-values-counters", test_random);
  return g_test_run ();
}

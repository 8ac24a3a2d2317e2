/* What depends on what is stored alone, although no equation shows it by itself.
 *
 * Capacitors side by side between two nodes with no way to ground but through resistors give as
 * many equations as there are potentials, and determine only their difference: that the capacitors
 * depend on each other is seen after subtracting. The same is true of any loop of them, and of
 * cuts: where all that leads to some nodes are inductors, their currents sum to zero, which is seen
 * after the balances of all of these nodes are added. So what closes a loop is written as the sum
 * of what it closes it with, and one balance of such an island as that of the whole island.
 */
#include "network/network-private.h"

typedef struct {
  guint part, across;
  guint from, to; /* nodes: sets by potential; the last is the reference */
} Branch;

struct _WeirNetworkLoops {
  WeirNetworks *networks;
  guint reference;     /* the node */
  guint *above;        /* trees of nodes */
  GArray *tree;        /* of Branch: what is fixed or kept, without loops */
  GHashTable *of_node; /* node + 1 to GArray of guint: branches of the tree */
  GHashTable *sums;    /* part and across to GArray of WeirNetworkTerm, owned */
  GHashTable *islands; /* set + 1 to GArray of guint, owned */
};

static guint
get_node (const WeirNetworkLoops *self, guint part, guint pin)
{
  const WeirNetworkSet *set;
  guint potential;

  if (pin == WEIR_NO_PIN)
    return self->reference;
  set = &g_array_index (
      self->networks->sets, WeirNetworkSet,
      self->networks->set_of[weir_networks_get_pin (self->networks, part, pin).i]);
  potential = set->potential;
  set = &g_array_index (self->networks->sets, WeirNetworkSet, potential);
  return set->is_reference ? self->reference : potential;
}

static guint
find_top (guint *above, guint node)
{
  while (above[node] != node)
    node = above[node] = above[above[node]];
  return node;
}

static void
part_all (WeirNetworkLoops *self)
{
  for (guint i = 0; i <= self->reference; i++)
    self->above[i] = i;
}

static gboolean
has_role (const WeirPartType *type, WeirPartRoleKind kind, guint from, guint to)
{
  for (guint i = 0; i < type->roles->len; i++)
    {
      const WeirPartRole *role = &g_array_index (type->roles, WeirPartRole, i);

      if (role->kind == kind
          && ((role->from == from && role->to == to) || (role->from == to && role->to == from)))
        return TRUE;
    }
  return FALSE;
}

/* --- Loops ----------------------------------------------------------------------------------- */

static gpointer
get_key (guint part, guint across)
{
  return GUINT_TO_POINTER ((gsize) part * 256 + across + 1);
}

static void
note_branch (WeirNetworkLoops *self, guint node, guint branch)
{
  gpointer key = GUINT_TO_POINTER (node + 1);
  GArray *list = g_hash_table_lookup (self->of_node, key);

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (self->of_node, key, list);
    }
  g_array_append_val (list, branch);
}

/* The branches of the tree that lead from one end of @closing to the other: breadth first. */
static GArray *
find_way (const WeirNetworkLoops *self, const Branch *closing)
{
  g_autoptr (GHashTable) via = g_hash_table_new (NULL, NULL); /* node + 1 to branch + 1 */
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *sum = g_array_new (FALSE, FALSE, sizeof (WeirNetworkTerm));

  g_array_append_val (queue, closing->from);
  for (guint head = 0; head < queue->len; head++)
    {
      guint at = g_array_index (queue, guint, head);
      const GArray *list = g_hash_table_lookup (self->of_node, GUINT_TO_POINTER (at + 1));

      for (guint i = 0; at != closing->to && list != NULL && i < list->len; i++)
        {
          guint number = g_array_index (list, guint, i);
          const Branch *branch = &g_array_index (self->tree, Branch, number);
          guint next = branch->from == at ? branch->to : branch->from;

          if (next == closing->from || g_hash_table_contains (via, GUINT_TO_POINTER (next + 1)))
            continue;
          g_hash_table_insert (via, GUINT_TO_POINTER (next + 1), GUINT_TO_POINTER (number + 1));
          g_array_append_val (queue, next);
        }
    }
  for (guint node = closing->to; node != closing->from;)
    {
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (via, GUINT_TO_POINTER (node + 1))) - 1;
      const Branch *branch = &g_array_index (self->tree, Branch, number);
      WeirNetworkTerm term = { branch->part, branch->across, branch->to == node ? 1.0 : -1.0 };

      g_array_append_val (sum, term);
      node = branch->to == node ? branch->from : branch->to;
    }
  return sum;
}

/* @fixed: what fixes the difference; else what keeps it. */
static void
add_branches (WeirNetworkLoops *self, guint part, gboolean fixed)
{
  const WeirPartType *type = weir_networks_get_part (self->networks, part)->part;

  for (guint i = 0; i < type->acrosses->len; i++)
    {
      const WeirAcross *across = &g_array_index (type->acrosses, WeirAcross, i);
      Branch branch = { part, i, get_node (self, part, across->from),
                        get_node (self, part, across->to) };
      guint from = find_top (self->above, branch.from), to = find_top (self->above, branch.to);

      if (fixed ? !has_role (type, WEIR_ROLE_FIXES, across->from, across->to) : !across->is_kept)
        continue;
      if (from != to)
        {
          self->above[from] = to;
          note_branch (self, branch.from, self->tree->len);
          note_branch (self, branch.to, self->tree->len);
          g_array_append_val (self->tree, branch);
        }
      else if (!fixed && branch.from != branch.to)
        g_hash_table_insert (self->sums, get_key (part, i), find_way (self, &branch));
    }
}

/* --- Islands --------------------------------------------------------------------------------- */

/* Joins the nodes between which flows are none of the states and not given. */
static void
join_nodes (WeirNetworkLoops *self, guint part)
{
  const WeirPartType *type = weir_networks_get_part (self->networks, part)->part;

  for (guint pin = 0; pin < type->pins->len; pin++)
    {
      gboolean has_through = FALSE;

      for (guint i = 0; i < type->throughs->len; i++)
        {
          const WeirThrough *through = &g_array_index (type->throughs, WeirThrough, i);

          if (through->from != pin && through->to != pin)
            continue;
          has_through = TRUE;
          if (!through->is_kept && !has_role (type, WEIR_ROLE_DRIVES, through->from, through->to))
            self->above[find_top (self->above, get_node (self, part, through->from))] = find_top (
                self->above, get_node (self, part, through->to));
        }
      if (!has_through)
        self->above[find_top (self->above, get_node (self, part, pin))] = find_top (
            self->above, self->reference);
    }
}

/* Of each island without a reference, the first set stands for all. */
static void
find_islands (WeirNetworkLoops *self, const GArray *parts)
{
  guint reference;
  g_autoptr (GHashTable) first = g_hash_table_new (NULL, NULL); /* top + 1 to GArray of guint */
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);  /* set of sets + 1 */

  part_all (self);
  for (guint i = 0; i < parts->len; i++)
    join_nodes (self, g_array_index (parts, guint, i));
  reference = find_top (self->above, self->reference);
  for (guint i = 0; i < parts->len; i++)
    {
      guint part = g_array_index (parts, guint, i);
      const WeirPartType *type = weir_networks_get_part (self->networks, part)->part;

      for (guint pin = 0; pin < type->pins->len; pin++)
        {
          guint set = self->networks->set_of[weir_networks_get_pin (self->networks, part, pin).i];
          guint top = find_top (self->above, get_node (self, part, pin));
          GArray *island = g_hash_table_lookup (first, GUINT_TO_POINTER (top + 1));

          if (top == reference || !g_hash_table_add (seen, GUINT_TO_POINTER (set + 1)))
            continue;
          if (island == NULL)
            {
              island = g_array_new (FALSE, FALSE, sizeof (guint));
              g_hash_table_insert (first, GUINT_TO_POINTER (top + 1), island);
              g_hash_table_insert (self->islands, GUINT_TO_POINTER (set + 1), island);
            }
          g_array_append_val (island, set);
        }
    }
}

/* --- The whole ------------------------------------------------------------------------------- */

WeirNetworkLoops *
weir_network_loops_new (WeirNetworks *networks, const GArray *parts)
{
  WeirNetworkLoops *self = g_new0 (WeirNetworkLoops, 1);

  self->networks = networks;
  self->reference = networks->sets->len;
  self->above = g_new (guint, self->reference + 1);
  self->tree = g_array_new (FALSE, FALSE, sizeof (Branch));
  self->of_node = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->sums = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->islands = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  part_all (self);
  for (guint i = 0; i < parts->len; i++)
    add_branches (self, g_array_index (parts, guint, i), TRUE);
  for (guint i = 0; i < parts->len; i++)
    add_branches (self, g_array_index (parts, guint, i), FALSE);
  find_islands (self, parts);
  return self;
}

void
weir_network_loops_free (WeirNetworkLoops *self)
{
  g_free (self->above);
  g_array_unref (self->tree);
  g_hash_table_unref (self->of_node);
  g_hash_table_unref (self->sums);
  g_hash_table_unref (self->islands);
  g_free (self);
}

const GArray *
weir_network_loops_find_sum (const WeirNetworkLoops *self, guint part, guint across)
{
  return g_hash_table_lookup (self->sums, get_key (part, across));
}

const GArray *
weir_network_loops_find_island (const WeirNetworkLoops *self, guint set)
{
  const GArray *island = g_hash_table_lookup (self->islands, GUINT_TO_POINTER (set + 1));

  return island != NULL && island->len > 1 ? island : NULL;
}

gboolean
weir_network_loops_is_within (const WeirNetworkLoops *self, guint part, const WeirThrough *through)
{
  return find_top (self->above, get_node (self, part, through->from))
         == find_top (self->above, get_node (self, part, through->to));
}

/* Networks that make no sense, found by what joins what, before any equation.
 *
 * A graph has the sets of joined pins as nodes, and one more: the reference, to which everything
 * belongs that is absolute (ground, what has mass, what has a temperature). Edges are what parts do
 * between two pins, or between one and the reference. Three things can be wrong in it: what fixes
 * differences of potential closes a loop; what drives flows is all that leads to a node; what
 * stores starts otherwise than a loop of the same allows.
 */
#include "network/network-private.h"

#include "base/phrase.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

typedef enum {
  EDGE_CONDUCTS, /* lets flow through, as it may be */
  EDGE_FIXES,
  EDGE_JOINS, /* one potential: what has no resistance */
  EDGE_DRIVES,
  EDGE_STORES,
  EDGE_CLOSES, /* joins at times; it conducts besides */
} EdgeKind;

typedef struct {
  EdgeKind kind;
  guint part;
  guint from, to; /* nodes */
  double start;   /* NAN: free */
} Edge;

typedef struct {
  WeirNetworks *networks;
  GArray *edges;   /* of Edge */
  guint reference; /* the node */
  guint *above;    /* trees of nodes, of the question asked last */
  GArray *tree;    /* of guint: the edges that made them */
  WeirDiagnostics *diagnostics;
} Checking;

static const WeirNetworkPart *
get_part (const Checking *c, guint part)
{
  return weir_networks_get_part (c->networks, part);
}

static guint
get_node (const Checking *c, guint part, guint pin)
{
  return pin == WEIR_NO_PIN ? c->reference
                            : c->networks->set_of[weir_networks_get_pin (c->networks, part, pin).i];
}

static void
add_edge (Checking *c, EdgeKind kind, guint part, guint from, guint to)
{
  Edge edge = { kind, part, get_node (c, part, from), get_node (c, part, to), 0 };

  g_array_append_val (c->edges, edge);
}

/* --- The graph ------------------------------------------------------------------------------- */

static gboolean
has_role (const WeirPartType *type, guint from, guint to)
{
  for (guint i = 0; i < type->roles->len; i++)
    {
      const WeirPartRole *role = &g_array_index (type->roles, WeirPartRole, i);

      if (role->kind != WEIR_ROLE_JOINS && role->kind != WEIR_ROLE_CARRIES
          && ((role->from == from && role->to == to) || (role->from == to && role->to == from)))
        return TRUE;
    }
  return type->equal[0] == from && type->equal[1] == to;
}

/* What a role names. */
static double
get_number (const WeirNetworkPart *self, const WeirPartRole *role)
{
  return role->start != NULL ? weir_arguments_get_number (self->arguments, role->start)
                             : role->value;
}

static void
add_roles (Checking *c, guint part)
{
  static const EdgeKind kinds[] = { [WEIR_ROLE_FIXES] = EDGE_FIXES,
                                    [WEIR_ROLE_DRIVES] = EDGE_DRIVES,
                                    [WEIR_ROLE_STORES] = EDGE_STORES,
                                    [WEIR_ROLE_JOINS] = EDGE_CLOSES };
  const WeirNetworkPart *self = get_part (c, part);

  for (guint i = 0; i < self->part->roles->len; i++)
    {
      const WeirPartRole *role = &g_array_index (self->part->roles, WeirPartRole, i);

      if (role->kind == WEIR_ROLE_CARRIES)
        continue;
      add_edge (c, kinds[role->kind], part, role->from, role->to);
      if (role->kind == WEIR_ROLE_STORES)
        g_array_index (c->edges, Edge, c->edges->len - 1).start = get_number (self, role);
    }
}

static void
add_part (Checking *c, guint part)
{
  const WeirPartType *type = get_part (c, part)->part;

  add_roles (c, part);
  if (type->reference != WEIR_NO_PIN)
    add_edge (c, EDGE_JOINS, part, type->reference, WEIR_NO_PIN);
  if (type->equal[0] != WEIR_NO_PIN)
    add_edge (c, EDGE_JOINS, part, type->equal[0], type->equal[1]);
  for (guint i = 0; i < type->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (type->throughs, WeirThrough, i);

      if (!has_role (type, through->from, through->to))
        add_edge (c, EDGE_CONDUCTS, part, through->from, through->to);
    }
  for (guint i = 0; i < type->pins->len; i++)
    if (!weir_part_type_has_through (type, i) && i != type->reference)
      add_edge (c, EDGE_CONDUCTS, part, i, WEIR_NO_PIN);
}

static guint
find_top (Checking *c, guint node)
{
  while (c->above[node] != node)
    node = c->above[node] = c->above[c->above[node]];
  return node;
}

static void
part_all (Checking *c)
{
  for (guint i = 0; i <= c->reference; i++)
    c->above[i] = i;
  g_array_set_size (c->tree, 0);
}

/* FALSE if both ends of the edge belong together already. */
static gboolean
grow (Checking *c, guint i)
{
  const Edge *edge = &g_array_index (c->edges, Edge, i);
  guint from = find_top (c, edge->from), to = find_top (c, edge->to);

  if (from == to)
    return FALSE;
  c->above[from] = to;
  g_array_append_val (c->tree, i);
  return TRUE;
}

/* --- Sentences ------------------------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* (transfer full) */
static WeirMessage *
list_names (const Checking *c, const GArray *parts)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (WeirMessage) more = NULL;

  for (guint i = 0; i < parts->len; i++)
    {
      char *path = get_part (c, g_array_index (parts, guint, i))->path;

      if (!g_ptr_array_find (names, path, NULL))
        g_ptr_array_add (names, path);
    }
  g_ptr_array_sort (names, compare_names);
  if (names->len > 8)
    {
      more = weir_message_new (N_ ("%u more parts"), names->len - 7);
      g_ptr_array_set_size (names, 7);
      g_ptr_array_add (names, (gpointer) weir_message_get_text (more));
    }
  g_ptr_array_add (names, NULL);
  return weir_message_new_list ((const char *const *) names->pdata);
}

static void G_GNUC_PRINTF (4, 5)
    report (const Checking *c, const char *code, guint part, const char *format, ...)
{
  const WeirNetworkPart *self = get_part (c, part);
  WeirMessage *message;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  weir_diagnostics_add_message (c->diagnostics, WEIR_SEVERITY_ERROR, code, self->path, self->block,
                                0, self->line, message);
}

/* What people call the potential, the flow and the reference of a domain. */
typedef struct {
  const char *domain, *potential, *flow, *advice;
} Words;

static const Words *
get_words (const WeirDomain *domain)
{
  static const Words all[] = {
    { "electrical", N_ ("voltage"), N_ ("current"), N_ ("connect a Ground") },
    { "rotational", N_ ("angle"), N_ ("torque"), N_ ("connect a Rotational Fixed or an Inertia") },
    { "translational", N_ ("position"), N_ ("force"), N_ ("connect a Linear Fixed or a Mass") },
    { "thermal", N_ ("temperature"), N_ ("heat flow"),
      N_ ("connect a Heat Capacity or a Fixed Temperature") },
    { "hydraulic", N_ ("pressure"), N_ ("flow"), N_ ("connect a Hydraulic Reference or a Tank") },
    { "magnetic", N_ ("magnetic voltage"), N_ ("flux"), N_ ("connect a Magnetic Reference") },
  };
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (all) && strcmp (all[i].domain, domain->name) != 0)
    i++;
  return &all[i];
}

static const Words *
get_words_at (const Checking *c, const Edge *edge)
{
  guint node = edge->from != c->reference ? edge->from : edge->to;

  return get_words (g_array_index (c->networks->sets, WeirNetworkSet, node).domain);
}

/* --- Loops of what is fixed ------------------------------------------------------------------ */

static gboolean
is_stiff (const Edge *edge)
{
  return edge->kind == EDGE_FIXES || edge->kind == EDGE_JOINS;
}

/* The edges of the tree that lead from the one end of @last to the other: a breadth-first search.
 * @signs: 1 where an edge is gone along from-to. (transfer full) */
static GArray *
find_way (const Checking *c, guint last, GArray *signs)
{
  const Edge *closing = &g_array_index (c->edges, Edge, last);
  g_autofree guint *via = g_new (guint, c->reference + 1);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *way = g_array_new (FALSE, FALSE, sizeof (guint));

  memset (via, 0xff, (c->reference + 1) * sizeof *via);
  via[closing->from] = last;
  g_array_append_val (queue, closing->from);
  for (guint head = 0; head < queue->len && via[closing->to] == G_MAXUINT; head++)
    for (guint i = 0; i < c->tree->len; i++)
      {
        const Edge *edge = &g_array_index (c->edges, Edge, g_array_index (c->tree, guint, i));
        guint at = g_array_index (queue, guint, head);
        guint next = edge->from == at ? edge->to : edge->from;

        if ((edge->from != at && edge->to != at) || via[next] != G_MAXUINT)
          continue;
        via[next] = g_array_index (c->tree, guint, i);
        g_array_append_val (queue, next);
      }
  for (guint node = closing->to; node != closing->from;)
    {
      const Edge *edge = &g_array_index (c->edges, Edge, via[node]);
      double sign = edge->to == node ? 1.0 : -1.0;

      g_array_append_val (way, via[node]);
      g_array_append_val (signs, sign);
      node = edge->to == node ? edge->from : edge->to;
    }
  return way;
}

/* Without grounds, where something else is left: they are what is fixed against. */
static GArray *
list_parts (const Checking *c, const GArray *way, guint last)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = way->len; i-- > 0;)
    {
      const Edge *edge = &g_array_index (c->edges, Edge, g_array_index (way, guint, i));

      if (get_part (c, edge->part)->part->reference == WEIR_NO_PIN)
        g_array_append_val (parts, edge->part);
    }
  if (get_part (c, g_array_index (c->edges, Edge, last).part)->part->reference == WEIR_NO_PIN)
    g_array_append_val (parts, g_array_index (c->edges, Edge, last).part);
  return parts;
}

/* The first by name: problems are told of it. */
static guint
get_first (const Checking *c, const GArray *parts)
{
  guint first = g_array_index (parts, guint, 0);

  for (guint i = 1; i < parts->len; i++)
    if (strcmp (get_part (c, g_array_index (parts, guint, i))->path, get_part (c, first)->path) < 0)
      first = g_array_index (parts, guint, i);
  return first;
}

static gboolean
is_of_references (const Checking *c, const GArray *way, guint last)
{
  g_autoptr (GArray) parts = list_parts (c, way, last);

  return parts->len == 0;
}

static gboolean
has_fixed (const Checking *c, const GArray *way, guint last)
{
  gboolean has = g_array_index (c->edges, Edge, last).kind == EDGE_FIXES;

  for (guint i = 0; i < way->len; i++)
    has = has || g_array_index (c->edges, Edge, g_array_index (way, guint, i)).kind == EDGE_FIXES;
  return has;
}

static void
report_loop (const Checking *c, const GArray *way, guint last)
{
  g_autoptr (GArray) parts = list_parts (c, way, last);
  g_autoptr (WeirMessage) names = list_names (c, parts);
  const Edge *edge = &g_array_index (c->edges, Edge, last);
  const Words *words = get_words_at (c, edge);
  guint part = get_first (c, parts);

  if (parts->len == 1 && !has_fixed (c, way, last))
    report (c, "LIN05", part,
            N_ ("Both pins of %s are joined: what flows through it is not determined; take the "
                "line around it away."),
            weir_message_get_text (names));
  else if (parts->len == 1)
    report (c, "LIN05", part,
            N_ ("%s is short-circuited: its pins are joined, but it sets the %s between them."),
            weir_message_get_text (names), weir_phrase (words->potential));
  else if (!has_fixed (c, way, last))
    report (c, "LIN05", part,
            N_ ("%s lie side by side without any resistance: how the %s divides between them is "
                "not determined."),
            weir_message_get_text (names), weir_phrase (words->flow));
  else if (parts->len == 2)
    report (c, "LIN05", part,
            N_ ("%s are in parallel: both set that %s; put something between them or take one "
                "away."),
            weir_message_get_text (names), weir_phrase (words->potential));
  else
    report (c, "LIN05", part,
            N_ ("%s close a loop in which all of them set the %s; put something else into it."),
            weir_message_get_text (names), weir_phrase (words->potential));
}

/* What joins at times where the potentials are set already: none of them can give way. */
static gboolean
check_closing (Checking *c)
{
  gboolean are_right = TRUE;

  for (guint i = 0; i < c->edges->len; i++)
    {
      const Edge *edge = &g_array_index (c->edges, Edge, i);
      const Words *words = get_words_at (c, edge);
      g_autoptr (GArray) signs = NULL;
      g_autoptr (GArray) way = NULL;
      g_autoptr (GArray) parts = NULL;
      g_autoptr (WeirMessage) own = NULL;
      g_autoptr (WeirMessage) names = NULL;

      if (edge->kind != EDGE_CLOSES || find_top (c, edge->from) != find_top (c, edge->to))
        continue;
      signs = g_array_new (FALSE, FALSE, sizeof (double));
      way = find_way (c, i, signs);
      are_right = FALSE;
      if (!has_fixed (c, way, i))
        {
          report_loop (c, way, i);
          continue;
        }
      parts = list_parts (c, way, i);
      g_array_remove_index (parts, parts->len - 1);
      names = list_names (c, parts);
      g_array_set_size (parts, 0);
      g_array_append_val (parts, edge->part);
      own = list_names (c, parts);
      report (c, "LIN05", edge->part,
              N_ ("%s cannot close: the %s between its pins is set already, by %s; put something "
                  "else between them."),
              weir_message_get_text (own), weir_phrase (words->potential),
              weir_message_get_text (names));
    }
  return are_right;
}

static gboolean
check_loops (Checking *c)
{
  gboolean are_right = TRUE;

  part_all (c);
  for (guint i = 0; i < c->edges->len; i++)
    {
      g_autoptr (GArray) signs = NULL;
      g_autoptr (GArray) way = NULL;

      if (!is_stiff (&g_array_index (c->edges, Edge, i)) || grow (c, i))
        continue;
      signs = g_array_new (FALSE, FALSE, sizeof (double));
      way = find_way (c, i, signs);
      /* Several grounds may be joined. */
      if (is_of_references (c, way, i))
        continue;
      are_right = FALSE;
      report_loop (c, way, i);
    }
  return are_right && check_closing (c);
}

/* --- Starts ---------------------------------------------------------------------------------- */

/* The parameter from which the part starts, to set it free; NULL: a text of equations says it. */
static const char *
find_start (const Checking *c, guint part)
{
  const GArray *roles = get_part (c, part)->part->roles;

  for (guint i = 0; i < roles->len; i++)
    if (g_array_index (roles, WeirPartRole, i).kind == WEIR_ROLE_STORES)
      return g_array_index (roles, WeirPartRole, i).start;
  return NULL;
}

/* Of a loop of what stores alone, the starts add up to zero. */
static gboolean
check_start (const Checking *c, const GArray *way, const GArray *signs, guint last)
{
  const Edge *closing = &g_array_index (c->edges, Edge, last);
  g_autoptr (GArray) parts = list_parts (c, way, last);
  g_autoptr (GString) values = g_string_new (NULL);
  g_autoptr (WeirMessage) names = list_names (c, parts);
  const char *unit = g_array_index (c->networks->sets, WeirNetworkSet,
                                    closing->from != c->reference ? closing->from : closing->to)
                         .domain->potential_unit;
  double sum = -closing->start, scale = fabs (closing->start);

  for (guint i = 0; i < way->len; i++)
    {
      const Edge *edge = &g_array_index (c->edges, Edge, g_array_index (way, guint, i));

      if (edge->kind == EDGE_FIXES && get_part (c, edge->part)->part->inputs->len > 0)
        {
          report (
              c, "LIN07", closing->part,
              N_ ("%s sets the %s of %s by a signal, and how fast that changes is not known; put "
                  "a resistance between them."),
              get_part (c, edge->part)->path, weir_phrase (get_words_at (c, closing)->potential),
              get_part (c, closing->part)->path);
          return FALSE;
        }
      if (edge->kind == EDGE_FIXES)
        {
          /* It starts where that is, which only a run knows. */
          g_array_index (c->networks->parts, WeirNetworkPart, closing->part).is_free = TRUE;
          return TRUE;
        }
      sum += g_array_index (signs, double, i) * edge->start;
      scale = fmax (scale, fabs (edge->start));
    }
  if (isnan (sum) || fabs (sum) <= 1e-9 * scale)
    return TRUE;
  for (guint i = 0; i < parts->len; i++)
    for (guint j = 0; j < c->edges->len; j++)
      {
        const Edge *edge = &g_array_index (c->edges, Edge, j);
        g_autofree char *number = weir_value_to_string (&edge->start, 1);

        if (edge->part == g_array_index (parts, guint, i) && edge->kind == EDGE_STORES)
          g_string_append_printf (values, "%s%s %s", values->len > 0 ? ", " : "", number, unit);
      }
  report (c, "LIN07", get_first (c, parts),
          N_ ("%s depend on each other, but start at %s; give them starts that agree."),
          weir_message_get_text (names), values->str);
  weir_diagnostics_set_subject (c->diagnostics, find_start (c, get_first (c, parts)));
  return FALSE;
}

/* After check_loops(), whose tree grows on. */
static gboolean
check_starts (Checking *c)
{
  gboolean are_right = TRUE;

  for (guint i = 0; i < c->edges->len; i++)
    {
      g_autoptr (GArray) signs = NULL;
      g_autoptr (GArray) way = NULL;

      if (g_array_index (c->edges, Edge, i).kind != EDGE_STORES || grow (c, i))
        continue;
      signs = g_array_new (FALSE, FALSE, sizeof (double));
      way = find_way (c, i, signs);
      are_right = check_start (c, way, signs, i) && are_right;
    }
  return are_right;
}

/* --- Islands --------------------------------------------------------------------------------- */

/* What drives a node of the island @top, or leads about in it. */
static GArray *
list_at (Checking *c, guint top, gboolean of_drives)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < c->edges->len; i++)
    {
      const Edge *edge = &g_array_index (c->edges, Edge, i);

      if ((edge->kind == EDGE_DRIVES) == of_drives
          && (find_top (c, edge->from) == top || find_top (c, edge->to) == top))
        g_array_append_val (parts, edge->part);
    }
  return parts;
}

/* Does any of these drive more than nothing, as a sensor does? Sensors have outputs. */
static gboolean
are_sources (const Checking *c, const GArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    if (get_part (c, g_array_index (parts, guint, i))->part->outputs->len == 0)
      return TRUE;
  return FALSE;
}

static void
report_island (Checking *c, guint node)
{
  g_autoptr (GArray) drives = list_at (c, node, TRUE);
  g_autoptr (GArray) others = list_at (c, node, FALSE);
  g_autoptr (WeirMessage) driving = list_names (c, drives);
  g_autoptr (WeirMessage) held = list_names (c, others);
  const WeirDomain *domain = g_array_index (c->networks->sets, WeirNetworkSet, node).domain;
  const Words *words = get_words (domain);
  gboolean is_mechanical = domain->potential[0] == 's' || strcmp (domain->potential, "phi") == 0;

  if (others->len > 0)
    report (c, "LIN04", get_first (c, others), N_ ("%s have no %s reference: %s."),
            weir_message_get_text (held), weir_phrase (domain->name), weir_phrase (words->advice));
  else if (!are_sources (c, drives))
    report (c, "LIN06", get_first (c, drives),
            N_ ("Nothing sets the %s at a pin of %s; join it with what is to be measured."),
            weir_phrase (words->potential), weir_message_get_text (driving));
  else if (is_mechanical)
    report (c, "LIN06", get_first (c, drives),
            N_ ("The %s of %s acts on nothing that has mass: %s."), weir_phrase (words->flow),
            weir_message_get_text (driving), weir_phrase (words->advice));
  else if (drives->len == 1)
    report (c, "LIN06", get_first (c, drives),
            N_ ("The %s of %s has no way on: join its other pin."), weir_phrase (words->flow),
            weir_message_get_text (driving));
  else
    report (c, "LIN06", get_first (c, drives),
            N_ ("The %s of %s has no way on: they are in series, and each sets it."),
            weir_phrase (words->flow), weir_message_get_text (driving));
}

/* What only drives lead to, or nothing that is absolute. */
static gboolean
check_islands (Checking *c, const GArray *parts)
{
  gboolean are_right = TRUE;
  g_autofree gboolean *is_told = g_new0 (gboolean, c->reference + 1);

  part_all (c);
  for (guint i = 0; i < c->edges->len; i++)
    {
      const Edge *edge = &g_array_index (c->edges, Edge, i);

      if (edge->kind != EDGE_DRIVES)
        c->above[find_top (c, edge->from)] = find_top (c, edge->to);
    }
  for (guint i = 0; i < parts->len; i++)
    {
      guint part = g_array_index (parts, guint, i);

      for (guint pin = 0; pin < get_part (c, part)->part->pins->len; pin++)
        {
          guint top = find_top (c, get_node (c, part, pin));

          if (top == find_top (c, c->reference) || is_told[top])
            continue;
          is_told[top] = TRUE;
          are_right = FALSE;
          report_island (c, top);
        }
    }
  return are_right;
}

/* --- Fluids ---------------------------------------------------------------------------------- */

/* What a part says of the fluid at a node. */
typedef struct {
  const WeirPartRole *role;
  guint part, node;
} Carried;

/* What flows, or may flow, from one set to another is one fluid in both. */
static void
join_fluids (Checking *c, guint part)
{
  const WeirPartType *type = get_part (c, part)->part;

  for (guint i = 0; i < type->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (type->throughs, WeirThrough, i);

      if (through->to != WEIR_NO_PIN)
        c->above[find_top (c, get_node (c, part, through->from))] = find_top (
            c, get_node (c, part, through->to));
    }
}

static void
report_fluids (Checking *c, const Carried *one, const Carried *other)
{
  const WeirNetworkPart *self = get_part (c, one->part);
  const WeirParameterSpec *spec = weir_block_type_find_parameter (&self->part->type,
                                                                  one->role->name);
  g_autoptr (GArray) both = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (WeirMessage) names = NULL;
  double values[] = { get_number (self, one->role),
                      get_number (get_part (c, other->part), other->role) };
  g_autofree char *first = weir_value_to_string (&values[0], 1);
  g_autofree char *second = weir_value_to_string (&values[1], 1);
  const char *unit = spec != NULL && spec->unit != NULL ? spec->unit : "";

  g_array_append_val (both, one->part);
  g_array_append_val (both, other->part);
  names = list_names (c, both);
  report (c, "LIN09", other->part,
          N_ ("%s carry the same fluid, but '%s' is %s and %s %s; one network has one fluid: give "
              "both the same."),
          weir_message_get_text (names), one->role->name, first, second, unit);
  weir_diagnostics_set_subject (c->diagnostics, other->role->start);
}

/* All that a fluid fills says the same of it. */
static gboolean
check_fluids (Checking *c, const GArray *parts)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Carried));
  gboolean are_right = TRUE;

  part_all (c);
  for (guint i = 0; i < parts->len; i++)
    join_fluids (c, g_array_index (parts, guint, i));
  for (guint i = 0; i < parts->len; i++)
    {
      guint part = g_array_index (parts, guint, i);
      const GArray *roles = get_part (c, part)->part->roles;

      for (guint k = 0; k < roles->len; k++)
        {
          const WeirPartRole *role = &g_array_index (roles, WeirPartRole, k);
          Carried carried = { role, part, find_top (c, get_node (c, part, role->from)) };
          const Carried *first = NULL;

          if (role->kind != WEIR_ROLE_CARRIES)
            continue;
          for (guint j = 0; j < all->len && first == NULL; j++)
            {
              const Carried *at = &g_array_index (all, Carried, j);

              if (at->node == carried.node && strcmp (at->role->name, role->name) == 0)
                first = at;
            }
          if (first == NULL)
            g_array_append_val (all, carried);
          else if (get_number (get_part (c, first->part), first->role)
                   != get_number (get_part (c, part), role))
            {
              report_fluids (c, first, &carried);
              are_right = FALSE;
            }
        }
    }
  return are_right;
}

gboolean
weir_networks_check (WeirNetworks *self, guint network, WeirDiagnostics *diagnostics)
{
  const GArray *parts = weir_networks_get_parts (self, network);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  g_autofree guint *above = g_new (guint, self->sets->len + 1);
  g_autoptr (GArray) tree = g_array_new (FALSE, FALSE, sizeof (guint));
  Checking c = { self, edges, self->sets->len, above, tree, diagnostics };

  for (guint i = 0; i < parts->len; i++)
    add_part (&c, g_array_index (parts, guint, i));
  return check_loops (&c) && check_starts (&c) && check_islands (&c, parts)
         && check_fluids (&c, parts);
}

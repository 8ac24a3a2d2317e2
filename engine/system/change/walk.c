/* The classic walk over trackers. See walk.h.
 *
 * The trackers of node n are numbered first_tracker[n] + ticket, then one more per input for the
 * value that it may be fixed to. Subscriptions are made ticket by ticket:
 * composites to their parts, entries to their declared prerequisites, output ports to what they
 * show, input ports to whatever drives them and to their fixed value, a diagram's composites to its
 * children's.
 */
#include "system/change/walk.h"
#include "base/text.h"
#include "system/layout/sources.h"

#include "numerics/rows.h"
#include "system/layout/layout-private.h"
#include "system/structure/shape-private.h"

struct _WeirWalk {
  WeirLayout *layout;
  guint32 n_trackers;
  guint32 *first_tracker;            /* by node, and one more */
  guint32 *first, *subscribers;      /* rows */
  guint32 *up_first, *prerequisites; /* the same turned round */
  guint32 *entry;                    /* by tracker; WEIR_NO_INDEX if none */
  guint64 *last_event;               /* by tracker */
  WeirTrackerCounters *counters;
  guint64 *invalidations; /* by entry */
  guint64 event;
  GArray *stack; /* Visit */
};

typedef struct {
  guint32 tracker, next;
} Visit;

guint32
weir_walk_get_tracker (WeirWalk *self, WeirNode node, WeirTicket ticket)
{
  return self->first_tracker[node.i] + ticket.i;
}

guint32
weir_walk_get_input_tracker (const WeirWalk *self, WeirNode node, WeirInput in)
{
  return self->first_tracker[node.i]
         + weir_shape_input (self->layout->nodes[node.i].shape, in.i)->ticket;
}

guint32
weir_walk_get_output_tracker (const WeirWalk *self, WeirNode node, WeirOutput out)
{
  return self->first_tracker[node.i]
         + weir_shape_output (self->layout->nodes[node.i].shape, out.i)->ticket;
}

guint32
weir_walk_get_fixed_tracker (WeirWalk *self, WeirNode node, WeirInput in)
{
  return self->first_tracker[node.i] + self->layout->nodes[node.i].shape->items->len + in.i;
}

guint32
weir_walk_get_n_trackers (const WeirWalk *self)
{
  return self->n_trackers;
}

/* --- Subscriptions --------------------------------------------------------------------------- */

typedef struct {
  WeirWalk *walk;
  GArray *edges; /* Edge */
} Subscriptions;

typedef struct {
  guint32 from, to;
} Edge;

static void
subscribe (Subscriptions *s, guint32 to, guint32 from)
{
  Edge edge = { from, to };

  g_array_append_val (s->edges, edge);
}

/* State kinds, groups, parameters, xcdot and energies of a diagram gather their children's. */
static const guint16 gathered[] = {
  WEIR_TICKET_Q,  WEIR_TICKET_V,  WEIR_TICKET_Z,  WEIR_TICKET_XD,
  WEIR_TICKET_XA, WEIR_TICKET_PN, WEIR_TICKET_PA, WEIR_TICKET_XCDOT,
  WEIR_TICKET_PE, WEIR_TICKET_KE, WEIR_TICKET_PC, WEIR_TICKET_PNC,
};

static void
subscribe_built_ins (Subscriptions *s, guint32 n)
{
  const WeirLayout *layout = s->walk->layout;
  const WeirShape *shape = layout->nodes[n].shape;
  guint32 base = s->walk->first_tracker[n];

  for (guint16 t = 0; t < WEIR_N_BUILT_IN_TICKETS; t++)
    for (const guint16 *p = weir_composite_prerequisites (t); *p != WEIR_TICKET_END; p++)
      subscribe (s, base + t, base + *p);
  for (guint i = 0; i < shape->inputs->len; i++)
    subscribe (s, base + WEIR_TICKET_ALL_INPUTS, base + weir_shape_input (shape, i)->ticket);
  for (guint i = 0; i < shape->groups->len; i++)
    subscribe (s,
               base + (weir_shape_group (shape, i)->type == NULL ? WEIR_TICKET_XD : WEIR_TICKET_XA),
               base + weir_shape_group (shape, i)->ticket);
  for (guint i = 0; i < shape->parameters->len; i++)
    subscribe (
        s, base + (weir_shape_parameter (shape, i)->type == NULL ? WEIR_TICKET_PN : WEIR_TICKET_PA),
        base + weir_shape_parameter (shape, i)->ticket);
  for (guint32 c = 0; c < shape->n_children; c++)
    for (guint k = 0; k < G_N_ELEMENTS (gathered); k++)
      subscribe (s, base + gathered[k],
                 s->walk->first_tracker[weir_layout_child (layout, n, c)] + gathered[k]);
}

static void
subscribe_ports (Subscriptions *s, guint32 n)
{
  WeirWalk *walk = s->walk;
  const WeirLayout *layout = walk->layout;
  const WeirNodeInfo *node = &layout->nodes[n];
  const WeirShape *shape = node->shape;
  guint32 base = walk->first_tracker[n];

  for (guint o = 0; o < shape->outputs->len; o++)
    {
      const WeirOutputDecl *out = weir_shape_output (shape, o);

      if (shape->is_diagram)
        {
          guint32 child = weir_layout_child (layout, n, out->child);

          subscribe (
              s, base + out->ticket,
              walk->first_tracker[child]
                  + weir_shape_output (layout->nodes[child].shape, out->child_output)->ticket);
        }
      else
        subscribe (s, base + out->ticket, base + out->shown);
    }
  for (guint i = 0; i < shape->inputs->len; i++)
    {
      guint32 input = base + weir_shape_input (shape, i)->ticket;
      const WeirShape *parent;
      WeirWiring wiring;

      subscribe (s, input,
                 weir_walk_get_fixed_tracker (walk, (WeirNode) { n }, (WeirInput) { (guint16) i }));
      if (node->parent == WEIR_NO_INDEX)
        continue;
      parent = layout->nodes[node->parent].shape;
      wiring = parent->wiring[parent->first_wiring[node->child] + i];
      if (wiring.child == WEIR_WIRED_PARENT)
        subscribe (s, input,
                   walk->first_tracker[node->parent]
                       + weir_shape_input (parent, wiring.port)->ticket);
      else if (wiring.child != WEIR_WIRED_NOTHING)
        {
          guint32 sibling = weir_layout_child (layout, node->parent, wiring.child);

          subscribe (s, input,
                     walk->first_tracker[sibling]
                         + weir_shape_output (layout->nodes[sibling].shape, wiring.port)->ticket);
        }
    }
}

static void
subscribe_entries (Subscriptions *s, guint32 n)
{
  const WeirShape *shape = s->walk->layout->nodes[n].shape;
  guint32 base = s->walk->first_tracker[n];

  for (guint e = 0; e < shape->entries->len; e++)
    {
      const WeirEntryDecl *decl = weir_shape_entry (shape, e);

      for (guint k = 0; k < decl->n_depends; k++)
        subscribe (s, base + decl->ticket, base + decl->depends[k]);
    }
}

/* To the values that what comes back to the leaf @n, which solves a loop, may be fixed to. */
static void
subscribe_returns (Subscriptions *s, guint32 solution, guint32 n)
{
  for (guint i = 0; i < s->walk->layout->nodes[n].shape->inputs->len; i++)
    subscribe (
        s, solution,
        weir_walk_get_fixed_tracker (s->walk, (WeirNode) { n }, (WeirInput) { (guint16) i }));
}

/* The solution of an algebraic loop subscribes to whatever its members do. */
static void
subscribe_loops (Subscriptions *s)
{
  const WeirLayout *layout = s->walk->layout;

  for (guint i = 0; i < layout->loops->len; i++)
    {
      const WeirLoop *loop = &g_array_index (layout->loops, WeirLoop, i);
      guint32 solution = s->walk->first_tracker[loop->node]
                         + weir_layout_decl (layout, loop->entry)->ticket;

      subscribe_returns (s, solution, loop->node);
      for (guint k = 0; k < loop->members->len; k++)
        {
          guint32 e = g_array_index (loop->members, guint32, k);
          const WeirEntryDecl *decl = weir_layout_decl (layout, e);

          for (guint d = 0; d < decl->n_depends; d++)
            subscribe (s, solution, s->walk->first_tracker[layout->node_of[e]] + decl->depends[d]);
          if (layout->nodes[layout->node_of[e]].shape->is_loop)
            subscribe_returns (s, solution, layout->node_of[e]);
        }
    }
}

static void
write_rows (WeirWalk *self, const GArray *edges)
{
  WeirRows rows;

  weir_rows_init (&rows, self->n_trackers);
  for (guint k = 0; k < edges->len; k++)
    weir_rows_count (&rows, g_array_index (edges, Edge, k).from);
  weir_rows_make_room (&rows);
  for (guint k = 0; k < edges->len; k++)
    {
      Edge edge = g_array_index (edges, Edge, k);

      weir_rows_put (&rows, edge.from, edge.to);
    }
  self->first = rows.first;
  self->subscribers = rows.items;
}

static void
write_prerequisites (WeirWalk *self)
{
  WeirRows rows;

  weir_rows_transpose (&rows, self->n_trackers, self->n_trackers, self->first, self->subscribers);
  self->up_first = rows.first;
  self->prerequisites = rows.items;
}

WeirWalk *
weir_walk_new (WeirLayout *layout)
{
  WeirWalk *self = g_new0 (WeirWalk, 1);
  Subscriptions s = { .walk = self, .edges = g_array_new (FALSE, FALSE, sizeof (Edge)) };

  self->layout = weir_layout_ref (layout);
  self->first_tracker = g_new (guint32, layout->n_nodes + 1);
  for (guint32 n = 0; n < layout->n_nodes; n++)
    {
      const WeirShape *shape = layout->nodes[n].shape;

      self->first_tracker[n] = self->n_trackers;
      self->n_trackers += shape->items->len + shape->inputs->len;
    }
  self->first_tracker[layout->n_nodes] = self->n_trackers;

  self->entry = g_new (guint32, self->n_trackers);
  for (guint32 t = 0; t < self->n_trackers; t++)
    self->entry[t] = WEIR_NO_INDEX;
  for (guint32 n = 0; n < layout->n_nodes; n++)
    {
      const WeirNodeInfo *node = &layout->nodes[n];

      for (guint e = 0; e < node->shape->entries->len; e++)
        self->entry[self->first_tracker[n] + weir_shape_entry (node->shape, e)->ticket] =
            layout->entry_of_local[node->first_entry + e];
      subscribe_built_ins (&s, n);
      subscribe_ports (&s, n);
      subscribe_entries (&s, n);
    }
  subscribe_loops (&s);
  write_rows (self, s.edges);
  write_prerequisites (self);
  g_array_unref (s.edges);

  self->last_event = g_new0 (guint64, self->n_trackers);
  self->counters = g_new0 (WeirTrackerCounters, self->n_trackers);
  self->invalidations = g_new0 (guint64, MAX (layout->n_entries, 1));
  self->stack = g_array_new (FALSE, FALSE, sizeof (Visit));
  return self;
}

void
weir_walk_free (WeirWalk *self)
{
  if (self == NULL)
    return;
  g_free (self->first_tracker);
  g_free (self->first);
  g_free (self->subscribers);
  g_free (self->up_first);
  g_free (self->prerequisites);
  g_free (self->entry);
  g_free (self->last_event);
  g_free (self->counters);
  g_free (self->invalidations);
  g_array_unref (self->stack);
  weir_layout_unref (self->layout);
  g_free (self);
}

/* --- Notification ---------------------------------------------------------------------------- */

static void
pass_on (WeirWalk *self, guint32 tracker)
{
  Visit visit = { tracker, self->first[tracker] };

  self->counters[tracker].sent += self->first[tracker + 1] - self->first[tracker];
  g_array_append_val (self->stack, visit);
}

static void
note_prerequisite_change (WeirWalk *self, guint32 tracker, guint64 *bits)
{
  guint32 e = self->entry[tracker];

  self->counters[tracker].prerequisite_changes++;
  if (self->last_event[tracker] == self->event)
    {
      self->counters[tracker].ignored++;
      return;
    }
  self->last_event[tracker] = self->event;
  if (e != WEIR_NO_INDEX)
    {
      self->invalidations[e]++;
      if (bits != NULL)
        weir_bit_set (bits, e);
    }
  pass_on (self, tracker);
}

void
weir_walk_notify (WeirWalk *self, const guint32 *trackers, guint n, guint64 *bits)
{
  self->event++;
  for (guint k = 0; k < n; k++)
    {
      self->counters[trackers[k]].value_changes++;
      if (self->last_event[trackers[k]] == self->event)
        {
          self->counters[trackers[k]].ignored++;
          continue;
        }
      self->last_event[trackers[k]] = self->event;
      pass_on (self, trackers[k]); /* its own entry was just set: it stays */
      while (self->stack->len > 0)
        {
          Visit *top = &g_array_index (self->stack, Visit, self->stack->len - 1);

          if (top->next == self->first[top->tracker + 1])
            g_array_set_size (self->stack, self->stack->len - 1);
          else
            note_prerequisite_change (self, self->subscribers[top->next++], bits);
        }
    }
}

/* --- Questions ------------------------------------------------------------------------------- */

WeirTrackerCounters
weir_walk_get_counters (const WeirWalk *self, guint32 tracker)
{
  return self->counters[tracker];
}

const guint32 *
weir_walk_get_subscribers (const WeirWalk *self, guint32 tracker, guint *n)
{
  *n = self->first[tracker + 1] - self->first[tracker];
  return self->subscribers + self->first[tracker];
}

const guint32 *
weir_walk_get_prerequisites (const WeirWalk *self, guint32 tracker, guint *n)
{
  *n = self->up_first[tracker + 1] - self->up_first[tracker];
  return self->prerequisites + self->up_first[tracker];
}

gboolean
weir_walk_get_entry (const WeirWalk *self, guint32 tracker, WeirEntry *entry)
{
  entry->i = self->entry[tracker];
  return entry->i != WEIR_NO_INDEX;
}

guint32
weir_walk_get_entry_tracker (const WeirWalk *self, WeirEntry entry)
{
  return self->first_tracker[self->layout->node_of[entry.i]]
         + weir_layout_decl (self->layout, entry.i)->ticket;
}

guint64
weir_walk_get_invalidations (const WeirWalk *self, WeirEntry entry)
{
  return self->invalidations[entry.i];
}

void
weir_walk_locate (const WeirWalk *self, guint32 tracker, WeirNode *node, WeirTicket *ticket)
{
  guint32 low = 0, high = self->layout->n_nodes;

  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->first_tracker[middle] <= tracker)
        low = middle;
      else
        high = middle;
    }
  node->i = low;
  tracker -= self->first_tracker[low];
  ticket->i = tracker < self->layout->nodes[low].shape->items->len ? (guint16) tracker
                                                                   : WEIR_TICKET_END;
}

WeirMessage *
weir_walk_describe (const WeirWalk *self, guint32 tracker)
{
  const WeirShape *shape;
  g_autofree char *path = NULL, *label = NULL;
  g_autoptr (WeirMessage) name = NULL;
  WeirNode node;
  WeirTicket ticket;

  weir_walk_locate (self, tracker, &node, &ticket);
  shape = self->layout->nodes[node.i].shape;
  path = weir_layout_dup_path (self->layout, node);
  label = ticket.i != WEIR_TICKET_END ? weir_shape_dup_ticket_name (shape, ticket.i) : NULL;
  name = label != NULL
             ? weir_label_describe (label)
             : weir_message_new (
                 N_ ("fixed value of %s"),
                 weir_shape_input (shape, tracker - self->first_tracker[node.i] - shape->items->len)
                     ->name);
  return weir_message_new ("%s:%s", path, weir_message_get_text (name));
}

char *
weir_walk_dup_name (const WeirWalk *self, guint32 tracker)
{
  g_autoptr (WeirMessage) name = weir_walk_describe (self, tracker);

  return g_strdup (weir_message_get_text (name));
}

/* --- Sources --------------------------------------------------------------------------------- */

static void
add_everywhere (const WeirWalk *self, guint16 ticket, GArray *trackers)
{
  for (guint32 n = 0; n < self->layout->n_nodes; n++)
    {
      guint32 tracker = self->first_tracker[n] + ticket;

      g_array_append_val (trackers, tracker);
    }
}

/* A kind of state that a leaf has none of never changes. */
static gboolean
has_states (const WeirShape *shape, guint16 ticket)
{
  return (ticket == WEIR_TICKET_Q && shape->nq > 0) || (ticket == WEIR_TICKET_V && shape->nv > 0)
         || (ticket == WEIR_TICKET_Z && shape->nz > 0);
}

/* The states (tickets @first to @last), groups or parameters of leaves: composites above them hear
 * by subscription. */
static void
add_constituents (const WeirWalk *self, guint16 first, guint16 last, gboolean others,
                  GArray *trackers)
{
  for (guint32 n = 0; n < self->layout->n_nodes; n++)
    {
      const WeirShape *shape = self->layout->nodes[n].shape;
      guint32 base = self->first_tracker[n], tracker;

      for (guint16 t = first; t <= last; t++)
        if (has_states (shape, t))
          {
            tracker = base + t;
            g_array_append_val (trackers, tracker);
          }
      for (guint i = 0; others && i < shape->groups->len; i++)
        {
          tracker = base + weir_shape_group (shape, i)->ticket;
          g_array_append_val (trackers, tracker);
        }
      for (guint i = 0; others && i < shape->parameters->len; i++)
        {
          tracker = base + weir_shape_parameter (shape, i)->ticket;
          g_array_append_val (trackers, tracker);
        }
    }
}

static void
add_own (const WeirWalk *self, WeirOrigin origin, GArray *trackers)
{
  const WeirShape *shape = self->layout->nodes[origin.node].shape;
  guint32 base = self->first_tracker[origin.node], tracker;

  switch (origin.kind)
    {
    case WEIR_ORIGIN_Q:
    case WEIR_ORIGIN_V:
    case WEIR_ORIGIN_Z:
      tracker = base + WEIR_TICKET_Q + (origin.kind - WEIR_ORIGIN_Q);
      break;
    case WEIR_ORIGIN_XC:
      for (guint16 t = WEIR_TICKET_Q; t <= WEIR_TICKET_Z; t++)
        if (has_states (shape, t))
          {
            tracker = base + t;
            g_array_append_val (trackers, tracker);
          }
      return;
    case WEIR_ORIGIN_GROUP:
      tracker = base + weir_shape_group (shape, origin.index)->ticket;
      break;
    case WEIR_ORIGIN_PARAMETER:
      tracker = base + weir_shape_parameter (shape, origin.index)->ticket;
      break;
    case WEIR_ORIGIN_FIXED:
      tracker = base + shape->items->len + origin.index;
      break;
    case WEIR_ORIGIN_ENTRY:
    case WEIR_ORIGIN_TIME:
    case WEIR_ORIGIN_COMMON:
    default:
      g_assert_not_reached ();
    }
  g_array_append_val (trackers, tracker);
}

GArray *
weir_walk_list_changed (const WeirWalk *self, WeirSource source)
{
  GArray *trackers = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (source.i == WEIR_SOURCE_TIME_Q || source.i == WEIR_SOURCE_TIME_STATE)
    add_everywhere (self, WEIR_TICKET_TIME, trackers);
  for (guint16 t = WEIR_TICKET_TIME; t <= WEIR_TICKET_LAST_COMMON; t++)
    if (source.i == weir_source_of_common ((WeirTicket) { t }).i || source.i == WEIR_SOURCE_ALL)
      add_everywhere (self, t, trackers);
  if (source.i == WEIR_SOURCE_STATE || source.i == WEIR_SOURCE_TIME_STATE
      || source.i == WEIR_SOURCE_ALL)
    add_constituents (self, WEIR_TICKET_Q, WEIR_TICKET_Z, source.i == WEIR_SOURCE_ALL, trackers);
  if (source.i == WEIR_SOURCE_Q || source.i == WEIR_SOURCE_TIME_Q)
    add_constituents (self, WEIR_TICKET_Q, WEIR_TICKET_Q, FALSE, trackers);
  if (source.i == WEIR_SOURCE_VZ)
    add_constituents (self, WEIR_TICKET_V, WEIR_TICKET_Z, FALSE, trackers);
  if (source.i >= WEIR_N_JOINT_SOURCES)
    add_own (self, weir_layout_describe_source (self->layout, source), trackers);
  return trackers;
}

guint64 *
weir_walk_find_sources (const WeirWalk *self, const guint32 *trackers, guint n)
{
  g_autofree guint64 *upstream = g_new0 (guint64, weir_walk_get_n_trackers (self) / 64 + 1);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint64 *sources = g_new0 (guint64, self->layout->n_sources / 64 + 1);

  for (guint i = 0; i < n; i++)
    {
      weir_bit_set (upstream, trackers[i]);
      g_array_append_val (queue, trackers[i]);
    }
  for (guint i = 0; i < queue->len; i++)
    {
      guint n_before;
      const guint32 *before = weir_walk_get_prerequisites (self, g_array_index (queue, guint32, i),
                                                           &n_before);

      for (guint k = 0; k < n_before; k++)
        if (!weir_bit (upstream, before[k]))
          {
            weir_bit_set (upstream, before[k]);
            g_array_append_val (queue, before[k]);
          }
    }
  for (guint32 s = 0; s < self->layout->n_sources; s++)
    {
      g_autoptr (GArray) changed = weir_walk_list_changed (self, (WeirSource) { s });

      for (guint k = 0; k < changed->len; k++)
        if (weir_bit (upstream, g_array_index (changed, guint32, k)))
          weir_bit_set (sources, s);
    }
  return sources;
}

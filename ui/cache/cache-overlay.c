/* Filling the canvas's overlay. See cache-overlay.h. */
#include "cache/cache-overlay.h"

#include <math.h>

#include "cache/cache-figures.h"

#define HEAT_MEMORY_US (0.7 * G_USEC_PER_SEC) /* after which a burst has fallen to 37 % */
#define NOWHERE G_MAXUINT32

/* A block in view. */
typedef struct {
  guint32 id;
  WeirBlockOverlay *shown; /* borrowed from the overlay */
  guint64 computed;        /* as of the snapshot before */
  double heat;             /* computations per second */

  /* Of the snapshot being read. */
  WeirCacheTotals totals;
  guint n_of[WEIR_N_BADGES];
} Slot;

/* An output in view and the entry that it shows. */
typedef struct {
  WeirPortOverlay *shown; /* borrowed from the overlay */
  WeirEntry entry;
} PortSlot;

struct _WeirCacheOverlay {
  WeirCacheModel *model;
  WeirOverlay *overlay;
  WeirDiagram *diagram; /* that the tables are for; NULL = none */
  GArray *slots;        /* Slot */
  GArray *ports;        /* PortSlot */
  guint32 *slot_of_entry;
  guint32 *slot_of_node;
  GHashTable
      *port_of_tracker; /* tracker + 1 -> WeirPortOverlay; made when something is emphasised */
  gint64 last_update;   /* us, 0 = none */
};

/* --- The tables ------------------------------------------------------------------------------ */

static void
clear_tables (WeirCacheOverlay *self)
{
  WeirOverlay *fresh = weir_overlay_new ();

  fresh->mode = self->overlay->mode;
  weir_overlay_unref (self->overlay);
  self->overlay = fresh;
  g_array_set_size (self->slots, 0);
  g_array_set_size (self->ports, 0);
  g_clear_pointer (&self->slot_of_entry, g_free);
  g_clear_pointer (&self->slot_of_node, g_free);
  g_clear_pointer (&self->port_of_tracker, g_hash_table_unref);
  g_clear_pointer (&self->diagram, weir_diagram_unref);
  self->last_update = 0;
}

static gboolean
add_block (WeirBlock *block, gpointer data)
{
  WeirCacheOverlay *self = data;
  WeirLayout *layout = weir_cache_model_get_layout (self->model);
  guint32 id = weir_block_get_id (block);
  WeirNode node;
  guint n_inputs, n_outputs;
  Slot slot = { .id = id };

  if (!weir_cache_model_find_node (self->model, id, &node))
    return TRUE;
  n_inputs = weir_layout_get_n_inputs (layout, node);
  n_outputs = weir_layout_get_n_outputs (layout, node);
  slot.shown = weir_overlay_add_block (self->overlay, id, n_inputs + n_outputs);
  for (guint i = 0; i < n_inputs; i++)
    weir_port_overlay_init (&slot.shown->ports[i],
                            weir_layout_get_input_name (layout, node, (WeirInput) { (guint16) i }),
                            FALSE);
  for (guint i = 0; i < n_outputs; i++)
    {
      WeirOutput out = { (guint16) i };
      PortSlot port = { &slot.shown->ports[n_inputs + i], { 0 } };

      weir_port_overlay_init (port.shown, weir_layout_get_output_name (layout, node, out), TRUE);
      if (weir_layout_find_output_entry (layout, node, out, &port.entry))
        g_array_append_val (self->ports, port);
    }
  self->slot_of_node[node.i] = self->slots->len;
  g_array_append_val (self->slots, slot);
  return TRUE;
}

/* Of a node within a block in view: that block's; nodes have higher numbers than those
 * around them. */
static void
spread_slots (WeirCacheOverlay *self, WeirLayout *layout)
{
  guint n_nodes = weir_layout_get_n_nodes (layout), n_entries = weir_layout_get_n_entries (layout);

  for (guint32 n = 1; n < n_nodes; n++)
    {
      WeirNode parent = weir_layout_get_parent (layout, (WeirNode) { n });

      g_assert (parent.i < n);
      if (self->slot_of_node[n] == NOWHERE)
        self->slot_of_node[n] = self->slot_of_node[parent.i];
    }
  self->slot_of_entry = g_new (guint32, MAX (n_entries, 1));
  for (guint32 e = 0; e < n_entries; e++)
    self->slot_of_entry[e] =
        self->slot_of_node[weir_layout_get_entry (layout, (WeirEntry) { e }).node.i];
}

void
weir_cache_overlay_set_diagram (WeirCacheOverlay *self, WeirDiagram *diagram)
{
  WeirLayout *layout;
  guint n_nodes;

  if (diagram == self->diagram)
    return;
  clear_tables (self);
  layout = weir_cache_model_get_layout (self->model);
  if (layout == NULL)
    return;
  self->diagram = weir_diagram_ref (diagram);
  n_nodes = weir_layout_get_n_nodes (layout);
  self->slot_of_node = g_new (guint32, n_nodes);
  for (guint n = 0; n < n_nodes; n++)
    self->slot_of_node[n] = NOWHERE;
  weir_diagram_foreach_block (diagram, add_block, self);
  spread_slots (self, layout);
}

/* --- Figures --------------------------------------------------------------------------------- */

static void
set_figure (char *figure, gsize size, char *text)
{
  g_strlcpy (figure, text, size);
  g_free (text);
}

/* One state for many values: what needs attention wins, what nobody asked for does not count. */
static WeirBadge
judge (const Slot *slot)
{
  static const WeirBadge order[] = { WEIR_BADGE_FAULT, WEIR_BADGE_DISABLED, WEIR_BADGE_STALE,
                                     WEIR_BADGE_FRESH, WEIR_BADGE_NEVER };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (slot->n_of[order[i]] > 0)
      return order[i];
  return WEIR_BADGE_NONE;
}

static double
get_amount (const WeirCacheOverlay *self, const Slot *slot)
{
  switch (self->overlay->mode)
    {
    case WEIR_OVERLAY_HEAT:
      return slot->heat;
    case WEIR_OVERLAY_COST:
      return slot->totals.spent_ns;
    case WEIR_OVERLAY_SAVED:
      return slot->totals.saved_ns;
    case WEIR_OVERLAY_OFF:
    case WEIR_OVERLAY_STATE:
    case WEIR_N_OVERLAYS:
    default:
      return 0;
    }
}

static char *
format_amount (const WeirCacheOverlay *self, double amount)
{
  g_autofree char *number = NULL;

  if (self->overlay->mode != WEIR_OVERLAY_HEAT)
    return weir_cache_format_time (amount);
  number = weir_cache_format_short (amount);
  return g_strconcat (number, "/s", NULL);
}

static void
show_slot (WeirCacheOverlay *self, const Slot *slot, double largest)
{
  WeirBlockOverlay *shown = slot->shown;
  guint64 requests = slot->totals.hits + slot->totals.misses;

  shown->badge = judge (slot);
  shown->ratio = requests == 0 ? -1 : (double) slot->totals.hits / (double) requests;
  shown->amount = largest > 0 ? get_amount (self, slot) / largest : 0;
  shown->figure[0] = '\0';
  if (self->overlay->mode == WEIR_OVERLAY_STATE && requests > 0)
    g_snprintf (shown->figure, sizeof shown->figure, "%.0f %%", 100 * shown->ratio);
  else if (self->overlay->mode > WEIR_OVERLAY_STATE && slot->shown->badge != WEIR_BADGE_NONE)
    set_figure (shown->figure, sizeof shown->figure, format_amount (self, get_amount (self, slot)));
}

static void
show_port (const PortSlot *port, const WeirSnapshot *snapshot)
{
  const WeirCounters *counters = &snapshot->counters[port->entry.i];
  g_autofree char *hits = weir_cache_format_short ((double) counters->hits);
  g_autofree char *misses = weir_cache_format_short ((double) weir_cache_get_misses (counters));

  port->shown->badge = weir_cache_get_badge (snapshot, port->entry.i);
  g_snprintf (port->shown->figure, sizeof port->shown->figure, "%s / %s", hits, misses);
}

static void
read_counters (WeirCacheOverlay *self, const WeirSnapshot *snapshot)
{
  for (guint i = 0; i < self->slots->len; i++)
    {
      Slot *slot = &g_array_index (self->slots, Slot, i);

      slot->totals = (WeirCacheTotals) { 0 };
      memset (slot->n_of, 0, sizeof slot->n_of);
    }
  for (guint32 e = 0; e < snapshot->n_entries; e++)
    if (self->slot_of_entry[e] != NOWHERE)
      {
        Slot *slot = &g_array_index (self->slots, Slot, self->slot_of_entry[e]);

        weir_cache_totals_add (&slot->totals, snapshot, e);
        slot->n_of[weir_cache_get_badge (snapshot, e)]++;
      }
}

static void
follow_heat (WeirCacheOverlay *self, gint64 now)
{
  double elapsed = (double) (now - self->last_update);
  double fall = exp (-elapsed / HEAT_MEMORY_US);

  for (guint i = 0; i < self->slots->len; i++)
    {
      Slot *slot = &g_array_index (self->slots, Slot, i);

      if (self->last_update > 0 && elapsed > 0)
        slot->heat = slot->heat * fall
                     + (double) (slot->totals.misses - slot->computed) * G_USEC_PER_SEC / elapsed
                           * (1 - fall);
      slot->computed = slot->totals.misses;
    }
  self->last_update = now;
}

void
weir_cache_overlay_show_moment (WeirCacheOverlay *self, const guint64 *out_of_date,
                                const guint64 *disabled, const guint64 *known)
{
  guint n_entries = weir_layout_get_n_entries (weir_cache_model_get_layout (self->model));
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, MAX (n_entries, 1));
  g_autofree float *mean_ns = g_new0 (float, MAX (n_entries, 1));
  g_autofree guint64 *held = g_new0 (guint64, n_entries / 64 + 1);
  WeirSnapshot snapshot = { .caching = TRUE,
                            .n_entries = n_entries,
                            .flags = out_of_date,
                            .disabled = disabled,
                            .held = held,
                            .counters = counters,
                            .mean_ns = mean_ns };

  if (self->slot_of_entry == NULL)
    return;
  for (guint e = 0; e < n_entries; e++)
    counters[e].first = known[e / 64] >> (e % 64) & 1;
  read_counters (self, &snapshot);
  for (guint i = 0; i < self->slots->len; i++)
    {
      Slot *slot = &g_array_index (self->slots, Slot, i);

      slot->shown->badge = judge (slot);
      slot->shown->ratio = -1;
      slot->shown->figure[0] = '\0';
    }
  for (guint i = 0; i < self->ports->len; i++)
    {
      const PortSlot *port = &g_array_index (self->ports, PortSlot, i);

      port->shown->badge = weir_cache_get_badge (&snapshot, port->entry.i);
      port->shown->figure[0] = '\0';
    }
}

void
weir_cache_overlay_update (WeirCacheOverlay *self, gint64 now)
{
  const WeirSnapshot *snapshot = weir_cache_model_get_snapshot (self->model);
  double largest = 0;

  if (snapshot == NULL || self->slot_of_entry == NULL)
    return;
  if (!self->overlay->has_emphasis)
    {
      g_free (self->overlay->caption);
      self->overlay->caption = g_strdup (weir_cache_model_get_logged (self->model));
    }
  read_counters (self, snapshot);
  follow_heat (self, now);
  for (guint i = 0; i < self->slots->len; i++)
    largest = MAX (largest, get_amount (self, &g_array_index (self->slots, Slot, i)));
  set_figure (self->overlay->largest, sizeof self->overlay->largest, format_amount (self, largest));
  for (guint i = 0; i < self->slots->len; i++)
    show_slot (self, &g_array_index (self->slots, Slot, i), largest);
  for (guint i = 0; i < self->ports->len; i++)
    show_port (&g_array_index (self->ports, PortSlot, i), snapshot);
}

void
weir_cache_overlay_set_mode (WeirCacheOverlay *self, WeirOverlayMode mode)
{
  self->overlay->mode = mode;
}

WeirOverlay *
weir_cache_overlay_get (WeirCacheOverlay *self)
{
  return self->overlay;
}

/* --- Emphasis -------------------------------------------------------------------------------- */

static void
note_ports (WeirCacheOverlay *self, const WeirWalk *walk)
{
  WeirLayout *layout = weir_cache_model_get_layout (self->model);

  self->port_of_tracker = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->slots->len; i++)
    {
      const Slot *slot = &g_array_index (self->slots, Slot, i);
      WeirNode node;
      guint n_inputs;

      if (!weir_cache_model_find_node (self->model, slot->id, &node))
        continue;
      n_inputs = weir_layout_get_n_inputs (layout, node);
      for (guint p = 0; p < slot->shown->n_ports; p++)
        {
          guint32 tracker = p < n_inputs ? weir_walk_get_input_tracker (walk, node,
                                                                        (WeirInput) { (guint16) p })
                                         : weir_walk_get_output_tracker (
                                             walk, node, (WeirOutput) { (guint16) (p - n_inputs) });

          g_hash_table_insert (self->port_of_tracker, GUINT_TO_POINTER (tracker + 1),
                               &slot->shown->ports[p]);
        }
    }
}

void
weir_cache_overlay_mark_beat (WeirCacheOverlay *self, guint32 tracker, WeirBeatSign sign)
{
  const WeirWalk *walk = weir_explainer_get_walk (weir_cache_model_get_explainer (self->model));
  WeirPortOverlay *port;
  WeirNode node;
  WeirTicket ticket;

  if (self->slot_of_node == NULL)
    return;
  if (self->port_of_tracker == NULL)
    note_ports (self, walk);
  weir_walk_locate (walk, tracker, &node, &ticket);
  if (self->slot_of_node[node.i] != NOWHERE)
    {
      WeirBlockOverlay *shown = g_array_index (self->slots, Slot, self->slot_of_node[node.i]).shown;

      shown->sign = MAX (shown->sign, sign);
    }
  port = g_hash_table_lookup (self->port_of_tracker, GUINT_TO_POINTER (tracker + 1));
  if (port != NULL && !port->is_output)
    port->moves = TRUE;
}

static void
lower_depth (int *depth, guint to)
{
  if (*depth < 0 || (guint) *depth > to)
    *depth = (int) to;
}

void
weir_cache_overlay_emphasize (WeirCacheOverlay *self, const GArray *steps, const char *caption)
{
  WeirExplainer *explainer;
  const WeirWalk *walk;

  weir_overlay_clear_emphasis (self->overlay);
  explainer = steps != NULL ? weir_cache_model_get_explainer (self->model) : NULL;
  if (explainer == NULL || self->slot_of_node == NULL)
    return;
  walk = weir_explainer_get_walk (explainer);
  if (self->port_of_tracker == NULL)
    note_ports (self, walk);
  for (guint i = 0; i < steps->len; i++)
    {
      const WeirStepTaken *step = &g_array_index (steps, WeirStepTaken, i);
      WeirPortOverlay *port = g_hash_table_lookup (self->port_of_tracker,
                                                   GUINT_TO_POINTER (step->tracker + 1));
      WeirNode node;
      WeirTicket ticket;

      weir_walk_locate (walk, step->tracker, &node, &ticket);
      if (self->slot_of_node[node.i] != NOWHERE)
        lower_depth (&g_array_index (self->slots, Slot, self->slot_of_node[node.i]).shown->depth,
                     step->depth);
      if (port != NULL)
        lower_depth (&port->depth, step->depth);
    }
  self->overlay->has_emphasis = TRUE;
  self->overlay->caption = g_strdup (caption);
}

/* --- Life ------------------------------------------------------------------------------------ */

WeirCacheOverlay *
weir_cache_overlay_new (WeirCacheModel *model)
{
  WeirCacheOverlay *self = g_new0 (WeirCacheOverlay, 1);

  self->model = g_object_ref (model);
  self->overlay = weir_overlay_new ();
  self->slots = g_array_new (FALSE, TRUE, sizeof (Slot));
  self->ports = g_array_new (FALSE, TRUE, sizeof (PortSlot));
  return self;
}

void
weir_cache_overlay_free (WeirCacheOverlay *self)
{
  if (self == NULL)
    return;
  clear_tables (self);
  g_array_unref (self->slots);
  g_array_unref (self->ports);
  weir_overlay_unref (self->overlay);
  g_object_unref (self->model);
  g_free (self);
}

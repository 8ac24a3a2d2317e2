/* WeirWireValues: values on wires: the run tells those of the diagram that is shown, the canvas
 * draws them. Of physical parts these are the potentials of nodes, what flows into a part at the
 * first pin of each flow, and the power that a part takes up, where its domain makes that of both.
 *
 * The run is asked for the source of every wire of the level that is shown, once a port, while
 * values are to be seen; so what is not looked at costs nothing. Nothing is shown for a structure
 * other than the run's, nor while a moment of a log is looked at, which holds no values.
 */
#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#include "blocks/parts/part.h"
#include "gui/host/part.h"
#include "paint/drawing/diagram.h"

G_DECLARE_FINAL_TYPE (WeirWireValues, weir_wire_values, WEIR, WIRE_VALUES, WeirPart)

/* Wires that carry the value of one port, or lines of one node its potential. */
typedef struct {
  WeirShownPort port;
  guint size;
  const char *unit; /* of a potential; NULL: of a signal, which is shown without */
  GArray *wires;    /* guint32 */
} Carried;

#define NOTHING G_MAXUINT /* zero: a reference */

/* How power follows from potential and flow. */
typedef enum {
  POWER_UNKNOWN,
  POWER_PRODUCT,        /* v i, p q */
  POWER_POTENTIAL_RATE, /* f ds/dt, tau dphi/dt */
  POWER_FLOW_RATE,      /* Vm dPhi/dt */
  POWER_FLOW,           /* heat is power as it is */
} Power;

/* What flows at a pin of a part. */
typedef struct {
  guint32 block;
  const char *pin, *unit;
  guint flow; /* which of the scalars asked for */
  Power power;
  guint from, to;  /* the scalars that are the potentials, or their rates; NOTHING: zero */
  guint by;        /* what these are multiplied by: the flow, or its rate */
  gboolean leaves; /* at another pin of the part */
} Flow;

struct _WeirWireValues {
  WeirPart parent;
  GArray *scalars;      /* of WeirShownPort, asked for behind those of @carried */
  GArray *flows;        /* of Flow */
  GArray *carried;      /* Carried, in the order in which the run was asked; NULL: it was not */
  WeirSession *session; /* that was; only compared */
  guint serial;         /* of the list asked for */
  WeirDiagram *diagram; /* whose wires they are */
};

G_DEFINE_FINAL_TYPE (WeirWireValues, weir_wire_values, WEIR_TYPE_PART)

static void
carried_clear (gpointer data)
{
  g_array_unref (((Carried *) data)->wires);
}

typedef struct {
  WeirWireValues *self;
  WeirLayout *layout;
  WeirDiagram *diagram;
  WeirNode around;   /* what the diagram is the inside of */
  GHashTable *known; /* "block.port" -> its place in the list, plus 1 */
  GArray *carried;
  GArray *scalars, *flows;
} Search;

/* The port whose value leaves @block there; FALSE if it has no place of its own in a run. */
static gboolean
find_port (const Search *search, WeirBlock *block, const char *name, Carried *found)
{
  WeirNode node;
  WeirOutput out;
  WeirInput in;

  /* What comes into a Subsystem is its input, seen from within. */
  if (g_str_equal (weir_block_get_type_name (block), "In"))
    {
      if (!weir_layout_find_input (search->layout, search->around, weir_block_get_name (block),
                                   &in))
        return FALSE;
      found->port = (WeirShownPort) { .node = search->around, .is_input = TRUE, .index = in.i };
      found->size = weir_layout_get_input_size (search->layout, search->around, in);
      return TRUE;
    }
  if (!weir_cache_model_find_node (search->self->parent.cache, weir_block_get_id (block), &node)
      || !weir_layout_find_output (search->layout, node, name, &out))
    return FALSE;
  found->port = (WeirShownPort) { .node = node, .index = out.i };
  found->size = weir_layout_get_output_size (search->layout, node, out);
  return TRUE;
}

static gboolean
note_wire (WeirWire *wire, gpointer data)
{
  Search *search = data;
  WeirWireEnd from = weir_wire_get_from (wire);
  WeirBlock *block = weir_diagram_find_block (search->diagram, from.block);
  guint32 id = weir_wire_get_id (wire);
  g_autofree char *name = NULL;
  Carried carried = { 0 };
  guint place;

  if (block == NULL || weir_wire_is_line (wire))
    return TRUE;
  name = g_strdup_printf ("%u.%s", from.block, from.port);
  place = GPOINTER_TO_UINT (g_hash_table_lookup (search->known, name));
  if (place == 0)
    {
      if (!find_port (search, block, from.port, &carried))
        return TRUE;
      carried.wires = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (search->carried, carried);
      place = search->carried->len;
      g_hash_table_insert (search->known, g_steal_pointer (&name), GUINT_TO_POINTER (place));
    }
  g_array_append_val (g_array_index (search->carried, Carried, place - 1).wires, id);
  return TRUE;
}

/* The potential at an end of @wire that is a pin of a part; FALSE if there is none. */
static gboolean
find_potential (const Search *search, const WeirWireShape *shape, Carried *found)
{
  WeirModel *model = weir_document_get_model (search->self->parent.document);
  WeirWireEnd ends[2] = { weir_wire_get_from (shape->wire), weir_wire_get_to (shape->wire) };

  for (guint i = 0; i < 2 && shape->domain != NULL; i++)
    {
      g_autofree char *block = ends[i].block != 0 ? weir_model_dup_block_path (model, ends[i].block)
                                                  : NULL;
      g_autofree char *path = g_strdup_printf ("%s.%s.%s", block, ends[i].port,
                                               shape->domain->potential);
      const char *name;
      WeirNode node;
      WeirOutput out;

      if (block == NULL || !weir_layout_find_owner (search->layout, path, &node, &name)
          || !weir_layout_find_output (search->layout, node, name, &out))
        continue;
      found->port = (WeirShownPort) { .node = node, .index = out.i };
      found->size = weir_layout_get_output_size (search->layout, node, out);
      found->unit = shape->domain->potential_unit;
      return TRUE;
    }
  return FALSE;
}

/* The potentials of the nodes of lines, each asked for once. */
static void
note_nodes (Search *search)
{
  g_autoptr (WeirScene) scene = weir_scene_new (search->diagram, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL); /* node -> place, plus 1 */

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
      {
        const WeirWireShape *shape = weir_scene_get_wire (scene, i);
        gpointer node = GUINT_TO_POINTER (shape->node);
        guint place = GPOINTER_TO_UINT (g_hash_table_lookup (known, node));
        guint32 id = weir_wire_get_id (shape->wire);
        Carried carried = { 0 };

        if (shape->node == 0)
          continue;
        if (pass == 0 && place == 0 && find_potential (search, shape, &carried))
          {
            carried.wires = g_array_new (FALSE, FALSE, sizeof (guint32));
            g_array_append_val (search->carried, carried);
            g_hash_table_insert (known, node, GUINT_TO_POINTER (search->carried->len));
          }
        else if (pass == 1 && place != 0)
          g_array_append_val (g_array_index (search->carried, Carried, place - 1).wires, id);
      }
}

/* --- Flows ----------------------------------------------------------------------------------- */

/* Which of the scalars "R1.i" is, or its rate; NOTHING: there is none. */
static guint
ask_for (Search *search, const char *block, const char *name, gboolean is_rate)
{
  g_autofree char *path = g_strdup_printf ("%s.%s", block, name);
  const char *found;
  WeirNode node;
  WeirOutput out;
  WeirShownPort port;

  if (!weir_layout_find_owner (search->layout, path, &node, &found)
      || !weir_layout_find_output (search->layout, node, found, &out)
      || weir_layout_get_output_size (search->layout, node, out) != 1)
    return NOTHING;
  port = (WeirShownPort) { .node = node, .index = out.i, .is_rate = is_rate };
  g_array_append_val (search->scalars, port);
  return search->scalars->len - 1;
}

static guint
ask_for_potential (Search *search, const char *block, const WeirPartType *part, guint pin,
                   gboolean is_rate)
{
  const WeirPinSpec *spec;
  g_autofree char *name = NULL;

  if (pin == WEIR_NO_PIN)
    return NOTHING;
  spec = &g_array_index (part->pins, WeirPinSpec, pin);
  name = g_strdup_printf ("%s.%s", spec->name, spec->domain->potential);
  return ask_for (search, block, name, is_rate);
}

/* By the units alone, so that domains of one's own count too. */
static Power
find_power (const WeirDomain *domain)
{
  static const struct {
    const char *potential, *flow;
    Power power;
  } table[] = {
    { "V", "A", POWER_PRODUCT },        { "Pa", "m^3/s", POWER_PRODUCT },
    { "m", "N", POWER_POTENTIAL_RATE }, { "rad", "N*m", POWER_POTENTIAL_RATE },
    { "A", "Wb", POWER_FLOW_RATE },     { "K", "W", POWER_FLOW },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_str_equal (domain->potential_unit, table[i].potential)
        && g_str_equal (domain->flow_unit, table[i].flow))
      return table[i].power;
  return POWER_UNKNOWN;
}

static void
add_flow (Search *search, guint32 id, const char *block, const WeirPartType *part, const char *name,
          guint from, guint to)
{
  const WeirPinSpec *pin = &g_array_index (part->pins, WeirPinSpec, from);
  Flow flow = { .block = id,
                .pin = pin->name,
                .unit = pin->domain->flow_unit,
                .flow = ask_for (search, block, name, FALSE),
                .power = find_power (pin->domain),
                .from = NOTHING,
                .to = NOTHING,
                .leaves = to != WEIR_NO_PIN };

  if (flow.flow == NOTHING)
    return;
  flow.by = flow.power == POWER_FLOW_RATE ? ask_for (search, block, name, TRUE) : flow.flow;
  if (flow.power != POWER_UNKNOWN && flow.power != POWER_FLOW)
    {
      gboolean is_rate = flow.power == POWER_POTENTIAL_RATE;

      flow.from = ask_for_potential (search, block, part, from, is_rate);
      flow.to = ask_for_potential (search, block, part, to, is_rate);
    }
  g_array_append_val (search->flows, flow);
}

static gboolean
has_through (const WeirPartType *part, guint pin)
{
  for (guint i = 0; i < part->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (part->throughs, WeirThrough, i);

      if (through->from == pin || through->to == pin)
        return TRUE;
    }
  return FALSE;
}

static gboolean
note_part (WeirBlock *block, gpointer data)
{
  Search *search = data;
  const WeirPartType *part = weir_block_get_part (block);
  guint32 id = weir_block_get_id (block);
  g_autofree char *path = part != NULL ? weir_model_dup_block_path (
                              weir_document_get_model (search->self->parent.document), id)
                                       : NULL;

  if (path == NULL)
    return TRUE;
  for (guint i = 0; i < part->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (part->throughs, WeirThrough, i);

      add_flow (search, id, path, part, through->name, through->from, through->to);
    }
  for (guint i = 0; i < part->pins->len; i++)
    {
      const WeirPinSpec *pin = &g_array_index (part->pins, WeirPinSpec, i);
      g_autofree char *name = g_strdup_printf ("%s.%s", pin->name, pin->domain->flow);

      if (i != part->reference && !has_through (part, i))
        add_flow (search, id, path, part, name, i, WEIR_NO_PIN);
    }
  return TRUE;
}

/* --- Asking ---------------------------------------------------------------------------------- */

/* Nothing is wanted any more. */
static void
forget (WeirWireValues *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);

  if (self->carried != NULL && session != NULL && session == self->session)
    weir_session_set_shown (session, NULL, 0);
  g_clear_pointer (&self->carried, g_array_unref);
  g_clear_pointer (&self->scalars, g_array_unref);
  g_clear_pointer (&self->flows, g_array_unref);
  g_clear_pointer (&self->diagram, weir_diagram_unref);
  self->session = NULL;
}

static void
ask (WeirWireValues *self, WeirSession *session, WeirDiagram *diagram)
{
  WeirPlace place = weir_canvas_get_place (self->parent.canvas);
  g_autoptr (GArray) ports = g_array_new (FALSE, FALSE, sizeof (WeirShownPort));
  Search search = { .self = self, .layout = weir_session_get_layout (session), .diagram = diagram };

  forget (self);
  if (place.n_ids > 0
      && !weir_cache_model_find_node (self->parent.cache, place.ids[place.n_ids - 1],
                                      &search.around))
    return;
  search.known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  search.carried = g_array_new (FALSE, FALSE, sizeof (Carried));
  g_array_set_clear_func (search.carried, carried_clear);
  weir_diagram_foreach_wire (diagram, note_wire, &search);
  note_nodes (&search);
  search.scalars = g_array_new (FALSE, FALSE, sizeof (WeirShownPort));
  search.flows = g_array_new (FALSE, FALSE, sizeof (Flow));
  weir_diagram_foreach_block (diagram, note_part, &search);
  g_hash_table_unref (search.known);
  for (guint i = 0; i < search.carried->len; i++)
    g_array_append_val (ports, g_array_index (search.carried, Carried, i).port);
  g_array_append_vals (ports, search.scalars->data, search.scalars->len);
  self->carried = search.carried;
  self->scalars = search.scalars;
  self->flows = search.flows;
  self->session = session;
  self->diagram = weir_diagram_ref (diagram);
  self->serial = weir_session_set_shown (session, (const WeirShownPort *) (gpointer) ports->data,
                                         ports->len);
}

static GHashTable *
make_texts (const WeirWireValues *self, const WeirSnapshot *snapshot)
{
  GHashTable *texts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  const double *values = snapshot->values;

  for (guint i = 0; i < self->carried->len; i++)
    {
      const Carried *carried = &g_array_index (self->carried, Carried, i);
      g_autofree char *number = weir_value_dup_text (values, carried->size);
      g_autofree char *text = !snapshot->has_value[i] ? g_strdup (_ ("no value"))
                              : carried->unit != NULL
                                  ? g_strdup_printf ("%s %s", number, carried->unit)
                                  : g_strdup (number);

      values += carried->size;
      for (guint k = 0; k < carried->wires->len; k++)
        g_hash_table_insert (texts, GUINT_TO_POINTER (g_array_index (carried->wires, guint32, k)),
                             g_strdup (text));
    }
  return texts;
}

static double
get_scalar (const double *scalars, guint i)
{
  return i != NOTHING ? scalars[i] : 0.0;
}

/* What the part takes up there; NAN: not known. */
static double
calc_power (const Flow *flow, const double *scalars)
{
  switch (flow->power)
    {
    case POWER_PRODUCT:
    case POWER_POTENTIAL_RATE:
    case POWER_FLOW_RATE:
      return (get_scalar (scalars, flow->from) - get_scalar (scalars, flow->to))
             * get_scalar (scalars, flow->by);
    case POWER_FLOW:
      return flow->leaves ? 0.0 : scalars[flow->flow];
    case POWER_UNKNOWN:
    default:
      return (double) NAN;
    }
}

/* @scalars: their values, those without one NAN. */
static WeirPartFlows *
make_flows (const WeirWireValues *self, const double *scalars)
{
  WeirPartFlows *flows = weir_part_flows_new ();
  GHashTableIter iter;
  gpointer value;
  double most = 0;

  for (guint i = 0; i < self->flows->len; i++)
    {
      const Flow *flow = &g_array_index (self->flows, Flow, i);
      double amount = scalars[flow->flow], size = fabs (amount);
      double taken = calc_power (flow, scalars);
      double *power = g_hash_table_lookup (flows->powers, GUINT_TO_POINTER (flow->block));
      g_autofree char *number = weir_value_dup_text (&size, 1);
      WeirPinFlow shown = { flow->block, flow->pin, NULL, amount > 0 ? 1 : amount < 0 ? -1 : 0 };

      if (isnan (amount))
        continue;
      shown.text = g_strdup_printf ("%s %s", number, flow->unit);
      g_array_append_val (flows->flows, shown);
      if (isnan (taken))
        continue;
      if (power == NULL)
        {
          power = g_new0 (double, 1);
          g_hash_table_insert (flows->powers, GUINT_TO_POINTER (flow->block), power);
        }
      *power += taken;
    }
  g_hash_table_iter_init (&iter, flows->powers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    most = fmax (most, fabs (*(double *) value));
  g_hash_table_iter_init (&iter, flows->powers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    *(double *) value = most > 0 ? *(double *) value / most : 0;
  return flows;
}

static WeirPartFlows *
find_flows (const WeirWireValues *self, const WeirSnapshot *snapshot)
{
  guint n = self->carried->len;
  g_autofree double *scalars = g_new (double, self->scalars->len + 1);
  const double *values = snapshot->values;

  for (guint i = 0; i < n; i++)
    values += g_array_index (self->carried, Carried, i).size;
  for (guint i = 0; i < self->scalars->len; i++)
    scalars[i] = snapshot->has_value[n + i] ? values[i] : (double) NAN;
  return make_flows (self, scalars);
}

/* What is shown follows from the canvas, the document and the run. */
static void
refresh (WeirWireValues *self)
{
  WeirDiagram *diagram;
  WeirSession *session = NULL;
  const WeirSnapshot *snapshot;
  g_autoptr (GHashTable) texts = NULL;
  WeirPartFlows *flows = NULL;
  gboolean wanted;

  diagram = weir_model_get_diagram (weir_document_get_model (self->parent.document),
                                    weir_canvas_get_place (self->parent.canvas));
  g_object_get (self->parent.canvas, "show-values", &wanted, NULL);
  if (wanted && weir_cache_model_ensure (self->parent.cache)
      && weir_cache_model_get_logged (self->parent.cache) == NULL)
    session = weir_cache_model_get_session (self->parent.cache);
  if (session == NULL)
    forget (self);
  else if (self->carried == NULL || session != self->session || diagram != self->diagram)
    ask (self, session, diagram);
  if (self->carried != NULL)
    {
      snapshot = weir_session_get_snapshot (session);
      if (snapshot->shown_serial != self->serial || snapshot->state == WEIR_SESSION_IDLE)
        return; /* the answer follows */
      texts = make_texts (self, snapshot);
      flows = find_flows (self, snapshot);
    }
  weir_canvas_set_flows (self->parent.canvas, flows);
  g_clear_pointer (&flows, weir_part_flows_unref);
  weir_canvas_set_values (self->parent.canvas, texts,
                          session == NULL
                              || weir_session_get_state (session) != WEIR_SESSION_RUNNING);
}

static void
switched (WeirWireValues *self)
{
  gboolean wanted;

  g_object_get (self->parent.canvas, "show-values", &wanted, NULL);
  if (wanted && weir_runner_get_session (self->parent.runner) == NULL)
    weir_host_toast_until_run (self->parent.host,
                               _ ("Wires will show their values once the model runs."));
  refresh (self);
}

static void
constructed (GObject *object)
{
  WeirWireValues *self = WEIR_WIRE_VALUES (object);
  WeirPart *part = &self->parent;
  const WeirListening wanted[] = {
    { part->canvas, "notify::show-values", G_CALLBACK (switched) },
    { part->canvas, "place-changed", G_CALLBACK (refresh) },
    { part->cache, "structure-changed", G_CALLBACK (refresh) },
    { part->cache, "figures-changed", G_CALLBACK (refresh) },
    { part->document, "changed", G_CALLBACK (refresh) },
  };

  G_OBJECT_CLASS (weir_wire_values_parent_class)->constructed (object);
  weir_listen (self, wanted, G_N_ELEMENTS (wanted));
}

static void
dispose (GObject *object)
{
  forget (WEIR_WIRE_VALUES (object));
  G_OBJECT_CLASS (weir_wire_values_parent_class)->dispose (object);
}

static void
weir_wire_values_class_init (WeirWireValuesClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
weir_wire_values_init (G_GNUC_UNUSED WeirWireValues *self)
{
}

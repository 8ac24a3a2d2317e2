/* What an editor does to wires, as patches. See edits.h. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "canvas/edits/edits.h"
#include "paint/ground/routing.h"

#define INSERT_REACH 12.0     /* how far from its middle a block parts a wire */
#define STRAIGHTEN_REACH 20.0 /* how far it is then moved to keep the wire straight */

/* A port of a signal; pins are no such thing. */
static gboolean
has_signal (const WeirBlockShape *shape, const char *port, gboolean is_output)
{
  const WeirPortShape *found = shape != NULL ? weir_block_shape_find_port (shape, port, is_output)
                                             : NULL;

  return found != NULL && !found->is_pin;
}

/* An In or an Out, which takes what comes. */
static gboolean
is_border (const WeirBlockShape *shape)
{
  const char *type = weir_block_get_type_name (shape->block);

  return g_str_equal (type, "In") || g_str_equal (type, "Out");
}

char *
weir_edit_refuse_connection (WeirScene *scene, guint32 from, const char *output, guint32 to,
                             const char *input, guint32 ignore_wire)
{
  const WeirBlockShape *from_shape = weir_scene_find_block (scene, from);
  const WeirBlockShape *to_shape = weir_scene_find_block (scene, to);
  WeirPortSpec out, in;
  WeirWire *taken;

  if (from != 0 && !has_signal (from_shape, output, TRUE))
    return g_strdup (_ ("A wire begins at an output."));
  if (to == 0)
    return NULL;
  if (!has_signal (to_shape, input, FALSE))
    return g_strdup (_ ("A wire ends at an input."));
  taken = weir_diagram_find_wire_into (weir_scene_get_diagram (scene), to, input);
  if (taken != NULL && weir_wire_get_id (taken) != ignore_wire)
    {
      WeirWireEnd end = weir_wire_get_from (taken);
      const WeirBlockShape *source = weir_scene_find_block (scene, end.block);

      if (source != NULL)
        return g_strdup_printf (_ ("%s: input %s is already wired to %s."),
                                weir_block_get_name (to_shape->block), input,
                                weir_block_get_name (source->block));
      return g_strdup_printf (_ ("%s: input %s is already wired."),
                              weir_block_get_name (to_shape->block), input);
    }
  if (from == 0)
    return NULL;
  if (!weir_block_find_port (from_shape->block, output, TRUE, &out)
      || !weir_block_find_port (to_shape->block, input, FALSE, &in))
    return NULL;
  if (g_strcmp0 (in.type, out.type) != 0 && !is_border (from_shape) && !is_border (to_shape))
    return g_strdup_printf (
        _ ("%s: input %s takes %s, but %s.%s carries %s."), weir_block_get_name (to_shape->block),
        input, _ (weir_port_type_describe (in.type)), weir_block_get_name (from_shape->block),
        output, _ (weir_port_type_describe (out.type)));
  if (!weir_port_spec_fits (&in, &out) && !is_border (from_shape) && !is_border (to_shape))
    return g_strdup_printf (_ ("%s: input %s takes bytes of the kind %s, but %s.%s gives %s."),
                            weir_block_get_name (to_shape->block), input, in.mime_type,
                            weir_block_get_name (from_shape->block), output, out.mime_type);
  if (in.size > 0 && out.size > 0 && out.size != in.size)
    return g_strdup_printf (_ ("%s: input %s takes size %u, but %s.%s has size %u."),
                            weir_block_get_name (to_shape->block), input, in.size,
                            weir_block_get_name (from_shape->block), output, out.size);
  return NULL;
}

/* --- One more input -------------------------------------------------------------------------- */

/* The text of a parameter that says how many inputs there are, for one more: a number, or a letter
 * for each. NULL if it says no such thing. (transfer full) */
static char *
dup_one_more (const WeirParameterSpec *spec, const char *text)
{
  if (text == NULL)
    return NULL;
  if (spec->kind == WEIR_VALUE_TEXT && spec->characters != NULL)
    return strlen (text) < spec->maximum ? g_strdup_printf ("%s%c", text, spec->characters[0])
                                         : NULL;
  if (spec->kind == WEIR_VALUE_INTEGER)
    {
      gint64 n;

      if (g_ascii_string_to_signed (text, 10, 0, G_MAXINT32, &n, NULL) && n < spec->maximum)
        return g_strdup_printf ("%" G_GINT64_FORMAT, n + 1);
    }
  return NULL;
}

/* Whether @after has one input more, at the end, and is otherwise wired as @before. */
static gboolean
has_one_more (const WeirBlock *before, const WeirBlock *after)
{
  g_auto (GStrv) inputs = weir_block_dup_inputs (before), more = weir_block_dup_inputs (after);
  g_auto (GStrv) outputs = weir_block_dup_outputs (before), same = weir_block_dup_outputs (after);
  guint n = g_strv_length (inputs);

  if (n == 0 || g_strv_length (more) != n + 1
      || !g_strv_equal ((const char *const *) outputs, (const char *const *) same))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_str_equal (inputs[i], more[i]))
      return FALSE;
  return TRUE;
}

WeirBlock *
weir_edit_grow_block (const WeirBlock *block, const char **input)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

  for (guint i = 0; type != NULL && i < type->n_parameters; i++)
    {
      const WeirParameterSpec *spec = &type->parameters[i];
      g_autofree char *text = dup_one_more (spec,
                                            weir_block_get_effective_parameter (block, spec->name));
      g_autoptr (WeirBlock)
          grown = text != NULL ? weir_block_with_parameter (block, spec->name, text) : NULL;

      if (grown != NULL && has_one_more (block, grown))
        {
          g_auto (GStrv) inputs = weir_block_dup_inputs (grown);

          *input = g_intern_string (inputs[g_strv_length (inputs) - 1]);
          return g_steal_pointer (&grown);
        }
    }
  return NULL;
}

const char *
weir_edit_find_new_input (WeirScene *scene, guint32 block, guint32 ignore_wire)
{
  const WeirBlockShape *shape = weir_scene_find_block (scene, block);
  WeirDiagram *diagram = weir_scene_get_diagram (scene);
  g_autoptr (WeirBlock) grown = NULL;
  const char *input = NULL;

  for (guint i = 0; shape != NULL && i < shape->n_inputs; i++)
    {
      WeirWire *wire = weir_diagram_find_wire_into (diagram, block, shape->ports[i].name);

      if (wire == NULL || weir_wire_get_id (wire) == ignore_wire)
        return NULL;
    }
  if (shape != NULL)
    grown = weir_edit_grow_block (shape->block, &input);
  return grown != NULL ? input : NULL;
}

/* The input that a new wire ends at comes to be if there is none of its name. */
static void
grow_for (WeirEdit *edit, WeirSite site, WeirWireEnd to)
{
  WeirBlock *block = weir_site_find_block (site, to.block);
  g_auto (GStrv) inputs = block != NULL ? weir_block_dup_inputs (block) : NULL;
  g_autoptr (WeirBlock) grown = NULL;
  const char *input;

  if (block == NULL || g_strv_contains ((const char *const *) inputs, to.port))
    return;
  grown = weir_edit_grow_block (block, &input);
  if (grown != NULL && g_str_equal (input, to.port))
    weir_edit_put_block (edit, site, grown);
}

/* --- Ends, bends, labels --------------------------------------------------------------------- */

WeirEdit *
weir_edit_wire (WeirSite site, guint32 id, WeirWireEnd from, WeirWireEnd to, const WeirPoint *bends,
                guint n_bends)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirWire *old = diagram != NULL && id != 0 ? weir_diagram_find_wire (diagram, id) : NULL;
  WeirBlock *a = weir_site_find_block (site, from.block),
            *b = weir_site_find_block (site, to.block);
  g_autoptr (WeirWire) wire = NULL;
  WeirEdit *edit;

  if (diagram == NULL || (id != 0 && old == NULL) || (from.block != 0 && a == NULL)
      || (to.block != 0 && b == NULL) || (a == NULL && b == NULL && old == NULL))
    return NULL;
  if (a == NULL || b == NULL)
    edit = weir_edit_new (g_strdup (old != NULL ? _ ("Disconnect wire") : _ ("Add loose wire")));
  else if (old != NULL)
    edit = weir_edit_new (g_strdup (_ ("Reconnect wire")));
  else
    edit = weir_edit_new (
        g_strdup_printf (_ ("Connect %s to %s"), weir_block_get_name (a), weir_block_get_name (b)));
  if (old != NULL)
    {
      g_autoptr (WeirWire) ended = weir_wire_with_ends (old, from, to);

      wire = weir_wire_with_bends (ended, bends, n_bends);
    }
  else
    wire = weir_wire_new (weir_model_get_next_id (site.model), from, to, bends, n_bends);
  grow_for (edit, site, to);
  weir_edit_put_wire (edit, site, wire);
  return edit;
}

WeirEdit *
weir_edit_set_bends (WeirSite site, guint32 id, const WeirPoint *bends, guint n_bends)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirWire *old = diagram != NULL ? weir_diagram_find_wire (diagram, id) : NULL;
  g_autoptr (WeirWire) wire = NULL;
  WeirEdit *edit;

  if (old == NULL)
    return NULL;
  edit = weir_edit_new (g_strdup (_ ("Bend wire")));
  wire = weir_wire_with_bends (old, bends, n_bends);
  weir_edit_put_wire (edit, site, wire);
  return edit;
}

WeirEdit *
weir_edit_set_label (WeirSite site, guint32 id, const char *label)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirWire *old = diagram != NULL ? weir_diagram_find_wire (diagram, id) : NULL;
  g_autoptr (WeirWire) wire = NULL;
  WeirEdit *edit;

  if (old == NULL || g_str_equal (weir_wire_get_label (old), label))
    return NULL;
  edit = weir_edit_new (g_strdup (_ ("Label wire")));
  wire = weir_wire_with_label (old, label);
  weir_edit_put_wire (edit, site, wire);
  return edit;
}

/* --- Into a wire ----------------------------------------------------------------------------- */

/* The first input or output at which no wire ends, or NULL. */
static const WeirPortShape *
find_free_port (WeirScene *scene, const WeirBlockShape *shape, gboolean is_output)
{
  for (guint i = 0; i < shape->n_inputs + shape->n_outputs; i++)
    if (shape->ports[i].is_output == is_output
        && !weir_scene_is_connected (scene, weir_block_get_id (shape->block), shape->ports[i].name,
                                     is_output))
      return &shape->ports[i];
  return NULL;
}

guint32
weir_edit_find_wire_under (WeirScene *scene, WeirBlock *block, WeirPoint *offset)
{
  g_autoptr (WeirBlockShape) shape = weir_block_shape_new (block);
  const WeirPortShape *in = find_free_port (scene, shape, FALSE);
  WeirPoint middle = weir_rect_get_center (shape->box);
  guint32 id = weir_block_get_id (block), best = 0;
  double best_distance = INSERT_REACH;

  *offset = (WeirPoint) { 0, 0 };
  if (in == NULL || find_free_port (scene, shape, TRUE) == NULL)
    return weir_edit_find_line_under (scene, block, offset);
  for (guint i = weir_scene_get_n_wires (scene); i > 0; i--)
    {
      const WeirWireShape *wire = weir_scene_get_wire (scene, i - 1);
      WeirPoint a, b;
      double distance;
      int segment;

      if (!weir_rect_contains (weir_rect_grow (wire->reach, INSERT_REACH), middle)
          || wire->node != 0 || weir_wire_get_from (wire->wire).block == id
          || weir_wire_get_to (wire->wire).block == id)
        continue;
      segment = weir_route_hit (wire->points, wire->n_points, middle, best_distance);
      if (segment < 0)
        continue;
      a = wire->points[segment];
      b = wire->points[segment + 1];
      distance = weir_point_distance_to_segment (middle, a, b);
      if (best != 0 && distance >= best_distance)
        continue;
      best = weir_wire_get_id (wire->wire);
      best_distance = distance;
      *offset = (WeirPoint) { 0, 0 };
      if (a.y == b.y && in->normal.y == 0 && fabs (a.y - in->position.y) <= STRAIGHTEN_REACH)
        offset->y = a.y - in->position.y;
      else if (a.x == b.x && in->normal.x == 0 && fabs (a.x - in->position.x) <= STRAIGHTEN_REACH)
        offset->x = a.x - in->position.x;
    }
  return best;
}

/* How many of the bends come before the point of the route nearest to @middle. */
static guint
count_bends_before (const WeirWireShape *wire, WeirPoint middle)
{
  int segment = weir_route_hit (wire->points, wire->n_points, middle, INFINITY);
  guint n_bends, n = 0;
  const WeirPoint *bends = weir_wire_get_bends (wire->wire, &n_bends);

  for (guint i = 0; i < n_bends; i++)
    for (int k = 0; k <= segment; k++)
      if (bends[i].x == wire->points[k].x && bends[i].y == wire->points[k].y)
        {
          n = i + 1;
          break;
        }
  return n;
}

WeirEdit *
weir_edit_insert_into_wire (WeirSite site, WeirScene *scene, guint32 id, WeirBlock *block)
{
  const WeirWireShape *wire = weir_scene_find_wire (scene, id);
  g_autoptr (WeirBlockShape) shape = weir_block_shape_new (block);
  const WeirPortShape *in = find_free_port (scene, shape, FALSE);
  const WeirPortShape *out = find_free_port (scene, shape, TRUE);
  guint32 block_id = weir_block_get_id (block);
  guint32 new_id = MAX (weir_model_get_next_id (site.model), block_id + 1);
  g_autoptr (WeirWire) ended = NULL;
  g_autoptr (WeirWire) before = NULL;
  g_autoptr (WeirWire) after = NULL;
  const WeirPoint *bends;
  guint n_bends, n_before;
  WeirEdit *edit;

  if (wire != NULL && wire->node != 0)
    return weir_edit_insert_into_line (site, scene, id, block);
  if (wire == NULL || in == NULL || out == NULL)
    return NULL;
  edit = weir_edit_new (g_strdup_printf (_ ("Insert %s into wire"), weir_block_get_name (block)));
  bends = weir_wire_get_bends (wire->wire, &n_bends);
  n_before = count_bends_before (wire, weir_rect_get_center (shape->box));
  ended = weir_wire_with_ends (wire->wire, weir_wire_get_from (wire->wire),
                               (WeirWireEnd) { .block = block_id, .port = in->name });
  before = weir_wire_with_bends (ended, bends, n_before);
  after = weir_wire_new (new_id, (WeirWireEnd) { .block = block_id, .port = out->name },
                         weir_wire_get_to (wire->wire), bends + n_before, n_bends - n_before);
  weir_edit_put_block (edit, site, block);
  weir_edit_put_wire (edit, site, before);
  weir_edit_put_wire (edit, site, after);
  return edit;
}

/* --- New blocks at ports, blocks to blocks --------------------------------------------------- */

gboolean
weir_edit_type_fits (const char *type, gboolean needs_input)
{
  g_autoptr (WeirBlock) sample = weir_block_new (1, type, type, (WeirPoint) { 0, 0 });
  g_auto (GStrv) ports = needs_input ? weir_block_dup_inputs (sample)
                                     : weir_block_dup_outputs (sample);

  return ports[0] != NULL;
}

WeirEdit *
weir_edit_add_connected (WeirSite site, const char *type, guint32 block, const char *port,
                         gboolean is_output, WeirPoint at)
{
  WeirEdit *edit = weir_edit_add_block (site, type, at);
  g_autoptr (WeirBlock) sample = NULL;
  g_autoptr (WeirBlock) placed = NULL;
  g_autoptr (WeirBlockShape) shape = NULL;
  g_autoptr (WeirWire) wire = NULL;
  g_autofree char *name = NULL;
  const WeirPortShape *fitting = NULL;
  guint32 id = weir_model_get_next_id (site.model);
  WeirWireEnd there = { .block = block, .port = port }, here = { .block = id };

  if (edit == NULL || weir_site_find_block (site, block) == NULL)
    {
      g_clear_pointer (&edit, weir_edit_free);
      return NULL;
    }
  name = weir_edit_dup_name (weir_site_get_diagram (site), type);
  sample = weir_block_new (id, type, name, (WeirPoint) { 0, 0 });
  shape = weir_block_shape_new (sample);
  for (guint i = 0; i < shape->n_inputs + shape->n_outputs && fitting == NULL; i++)
    if (shape->ports[i].is_output != is_output)
      fitting = &shape->ports[i];
  if (fitting == NULL)
    {
      weir_edit_free (edit);
      return NULL;
    }
  placed = weir_block_with_position (sample,
                                     (WeirPoint) { weir_snap (at.x) - fitting->position.x,
                                                   weir_snap (at.y) - fitting->position.y });
  here.port = fitting->name;
  wire = weir_wire_new (id + 1, is_output ? there : here, is_output ? here : there, NULL, 0);
  weir_edit_put_block (edit, site, placed);
  weir_edit_put_wire (edit, site, wire);
  return edit;
}

/* The two of their pins that may be joined and are nearest to each other. */
static WeirEdit *
connect_pins (WeirSite site, WeirScene *scene, const WeirBlockShape *a, const WeirBlockShape *b)
{
  WeirWireEnd best[2] = { { 0 } };
  double best_distance = INFINITY;

  for (guint i = a->n_ports - a->n_pins; i < a->n_ports; i++)
    for (guint k = b->n_ports - b->n_pins; k < b->n_ports; k++)
      {
        WeirWireEnd here = { .block = weir_block_get_id (a->block), .port = a->ports[i].name };
        WeirWireEnd there = { .block = weir_block_get_id (b->block), .port = b->ports[k].name };
        g_autofree char *reason = weir_edit_refuse_line (scene, here, there, 0);
        double distance = hypot (a->ports[i].position.x - b->ports[k].position.x,
                                 a->ports[i].position.y - b->ports[k].position.y);

        if (reason != NULL || distance >= best_distance)
          continue;
        best[0] = here;
        best[1] = there;
        best_distance = distance;
      }
  return best[0].block != 0 ? weir_edit_line (site, 0, best[0], best[1], NULL, 0) : NULL;
}

WeirEdit *
weir_edit_connect_blocks (WeirSite site, WeirScene *scene, guint32 from, guint32 to)
{
  const WeirBlockShape *a = weir_scene_find_block (scene, from);
  const WeirBlockShape *b = weir_scene_find_block (scene, to);
  const WeirPortShape *output = a != NULL ? find_free_port (scene, a, TRUE) : NULL;
  const char *grown;

  if (a == NULL || b == NULL || a->n_outputs == 0)
    return a != NULL && b != NULL ? connect_pins (site, scene, a, b) : NULL;
  if (output == NULL)
    output = &a->ports[a->n_inputs]; /* an output may have several wires */
  for (guint i = 0; i < b->n_inputs; i++)
    {
      g_autofree char *reason = weir_edit_refuse_connection (scene, from, output->name, to,
                                                             b->ports[i].name, 0);

      if (reason == NULL)
        return weir_edit_wire (site, 0, (WeirWireEnd) { .block = from, .port = output->name },
                               (WeirWireEnd) { .block = to, .port = b->ports[i].name }, NULL, 0);
    }
  grown = weir_edit_find_new_input (scene, to, 0);
  return grown == NULL
             ? connect_pins (site, scene, a, b)
             : weir_edit_wire (site, 0, (WeirWireEnd) { .block = from, .port = output->name },
                               (WeirWireEnd) { .block = to, .port = grown }, NULL, 0);
}

/* Fixes of problems. See fixes.h. */
#include "canvas/edits/fixes.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "blocks/library/registry.h"
#include "canvas/edits/edits.h"
#include "equations/compile/equations.h"
#include "model/completion/completion.h"
#include "model/tree/file-names.h"
#include "model/tree/part-records.h"

#define CONNECT_REACH 200.0 /* from a loose end to the port that it may have been meant for */
#define NEW_BLOCK_GAP 30.0  /* between an input and the block put before it */

static const struct {
  const char *code;
  WeirFix fixes[4]; /* ended by WEIR_N_FIXES */
} table[] = {
  { "LIN02", { WEIR_FIX_REMOVE_WIRE, WEIR_N_FIXES } },
  { "LIN03", { WEIR_FIX_REMOVE_WIRE, WEIR_N_FIXES } },
  { "LIN04", { WEIR_FIX_ADD_GROUND, WEIR_N_FIXES } },
  { "LIN05", { WEIR_FIX_ADD_SERIES_RESISTANCE, WEIR_FIX_DELETE_BLOCK, WEIR_N_FIXES } },
  { "LIN07", { WEIR_FIX_FREE_START, WEIR_N_FIXES } },
  { "NET01", { WEIR_FIX_REMOVE_WIRE, WEIR_N_FIXES } },
  { "NET02", { WEIR_FIX_CONNECT_CONSTANT, WEIR_FIX_MAKE_INPUT, WEIR_N_FIXES } },
  { "NET03", { WEIR_FIX_REMOVE_WIRE, WEIR_N_FIXES } },
  { "NET04", { WEIR_FIX_INSERT_DELAY, WEIR_FIX_SOLVE_LOOPS, WEIR_FIX_REMOVE_WIRE, WEIR_N_FIXES } },
  { "NET06", { WEIR_FIX_CONNECT_NEAREST, WEIR_FIX_REMOVE_WIRE, WEIR_N_FIXES } },
  { "NET07", { WEIR_FIX_CONNECT_NEAREST, WEIR_FIX_REMOVE_WIRE, WEIR_N_FIXES } },
  { "NET08", { WEIR_FIX_DELETE_BLOCK, WEIR_N_FIXES } },
  { "NET09", { WEIR_FIX_RENAME, WEIR_N_FIXES } },
  { "EQ02",
    { WEIR_FIX_DECLARE_PARAMETER, WEIR_FIX_DECLARE_INPUT, WEIR_FIX_ADD_VARIABLE, WEIR_N_FIXES } },
  { "FMU32", { WEIR_FIX_JOIN_TERMINALS, WEIR_N_FIXES } },
  { "PAR01", { WEIR_FIX_USE_DEFAULT, WEIR_N_FIXES } },
  { "PAR02", { WEIR_FIX_USE_DEFAULT, WEIR_N_FIXES } },
  { "PAR03", { WEIR_FIX_REMOVE_PARAMETER, WEIR_N_FIXES } },
  { "PAR04", { WEIR_FIX_USE_DEFAULT, WEIR_N_FIXES } },
  { "PAR06", { WEIR_FIX_USE_DEFAULT, WEIR_N_FIXES } },
  { "PAR07", { WEIR_FIX_ADD_VARIABLE, WEIR_N_FIXES } },
  { "PRT01", { WEIR_FIX_TAKE_PART, WEIR_N_FIXES } },
  { "PRT02", { WEIR_FIX_KEEP_VALUES, WEIR_FIX_ACCEPT_PART, WEIR_N_FIXES } },
  { "PRT03", { WEIR_FIX_ACCEPT_PART, WEIR_N_FIXES } },
  { "PRT05", { WEIR_FIX_TAKE_PART, WEIR_N_FIXES } },
  { "UNI01", { WEIR_FIX_USE_DEFAULT, WEIR_N_FIXES } },
  { "UNI02", { WEIR_FIX_USE_DEFAULT, WEIR_N_FIXES } },
  { "SET01", { WEIR_FIX_USE_DEFAULT, WEIR_N_FIXES } },
  { "SET02", { WEIR_FIX_REMOVE_SETTING, WEIR_N_FIXES } },
};

const char *
weir_fix_get_title (WeirFix fix)
{
  static const char *const titles[WEIR_N_FIXES] = {
    [WEIR_FIX_INSERT_DELAY] = N_ ("Insert Delay"),
    [WEIR_FIX_SOLVE_LOOPS] = N_ ("Solve Loops"),
    [WEIR_FIX_CONNECT_CONSTANT] = N_ ("Connect Constant"),
    [WEIR_FIX_MAKE_INPUT] = N_ ("Make It an Input"),
    [WEIR_FIX_CONNECT_NEAREST] = N_ ("Connect to Nearest Port"),
    [WEIR_FIX_REMOVE_WIRE] = N_ ("Remove Wire"),
    [WEIR_FIX_USE_DEFAULT] = N_ ("Use Default"),
    [WEIR_FIX_REMOVE_PARAMETER] = N_ ("Remove Parameter"),
    [WEIR_FIX_REMOVE_SETTING] = N_ ("Remove Setting"),
    [WEIR_FIX_DECLARE_PARAMETER] = N_ ("Make It a Parameter"),
    [WEIR_FIX_DECLARE_INPUT] = N_ ("Make It an Input"),
    [WEIR_FIX_ADD_VARIABLE] = N_ ("Add It to the Model’s Variables"),
    [WEIR_FIX_RENAME] = N_ ("Give It a Free Name"),
    [WEIR_FIX_JOIN_TERMINALS] = N_ ("Join Terminals"),
    [WEIR_FIX_DELETE_BLOCK] = N_ ("Delete Block"),
    [WEIR_FIX_ADD_GROUND] = N_ ("Add Ground"),
    [WEIR_FIX_ADD_SERIES_RESISTANCE] = N_ ("Add Series Resistance"),
    [WEIR_FIX_FREE_START] = N_ ("Free This Start"),
    [WEIR_FIX_TAKE_PART] = N_ ("Take the Part on Disk"),
    [WEIR_FIX_KEEP_VALUES] = N_ ("Keep Former Values"),
    [WEIR_FIX_ACCEPT_PART] = N_ ("Accept the Part as It Is"),
  };

  g_return_val_if_fail (fix < WEIR_N_FIXES, "");
  return _ (titles[fix]);
}

/* By the problem alone: the model is not looked at, as lists of problems may be long. */
static gboolean
may_help (const WeirDiagnostic *diagnostic, WeirFix fix)
{
  switch (fix)
    {
    case WEIR_FIX_INSERT_DELAY:
      return diagnostic->n_wires > 0;
    case WEIR_FIX_SOLVE_LOOPS: /* a hint says that they are solved */
      return diagnostic->severity == WEIR_SEVERITY_ERROR;
    case WEIR_FIX_CONNECT_CONSTANT:
    case WEIR_FIX_MAKE_INPUT:
    case WEIR_FIX_USE_DEFAULT:
    case WEIR_FIX_REMOVE_PARAMETER:
    case WEIR_FIX_REMOVE_SETTING:
    case WEIR_FIX_DECLARE_PARAMETER:
    case WEIR_FIX_DECLARE_INPUT:
    case WEIR_FIX_ADD_VARIABLE:
    case WEIR_FIX_FREE_START:
    case WEIR_FIX_KEEP_VALUES:
    case WEIR_FIX_JOIN_TERMINALS:
      return diagnostic->subject != NULL;
    case WEIR_FIX_TAKE_PART:
      return diagnostic->block != 0 || diagnostic->subject != NULL;
    case WEIR_FIX_CONNECT_NEAREST:
    case WEIR_FIX_REMOVE_WIRE:
      return diagnostic->wire != 0;
    case WEIR_FIX_RENAME:
    case WEIR_FIX_DELETE_BLOCK:
    case WEIR_FIX_ADD_GROUND:
    case WEIR_FIX_ADD_SERIES_RESISTANCE:
    case WEIR_FIX_ACCEPT_PART:
    case WEIR_N_FIXES:
    default:
      return diagnostic->block != 0;
    }
}

guint
weir_fix_list (const WeirDiagnostic *diagnostic, WeirFix *fixes)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    for (guint k = 0;
         g_str_equal (table[i].code, diagnostic->code) && table[i].fixes[k] != WEIR_N_FIXES; k++)
      if (may_help (diagnostic, table[i].fixes[k]))
        fixes[n++] = table[i].fixes[k];
  return n;
}

/* --- The diagram that has the problem -------------------------------------------------------- */

static gboolean
find_place (WeirModel *model, const WeirDiagnostic *diagnostic, GArray *place)
{
  if (diagnostic->block != 0)
    return weir_model_find_block (model, diagnostic->block, place) != NULL;
  return weir_model_find_wire (model, diagnostic->wire, place) != NULL;
}

/* --- Blocks added ---------------------------------------------------------------------------- */

/* A block of @type before the input, wired to it. */
static WeirEdit *
put_before (WeirSite site, WeirScene *scene, const WeirDiagnostic *diagnostic, const char *type)
{
  const WeirBlockShape *shape = weir_scene_find_block (scene, diagnostic->block);
  const WeirPortShape *port = shape == NULL
                                  ? NULL
                                  : weir_block_shape_find_port (shape, diagnostic->subject, FALSE);
  g_autoptr (WeirBlock) sample = weir_block_new (1, type, type, (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlockShape) sample_shape = weir_block_shape_new (sample);
  WeirPoint size = { sample_shape->box.width, sample_shape->box.height };
  WeirPoint out, at;

  if (port == NULL || sample_shape->n_outputs == 0
      || weir_scene_is_connected (scene, diagnostic->block, port->name, FALSE))
    return NULL;
  out = sample_shape->ports[sample_shape->n_inputs].position;
  at.x = port->position.x + port->normal.x * (NEW_BLOCK_GAP + size.x / 2) - size.x / 2;
  at.y = port->position.y + port->normal.y * (NEW_BLOCK_GAP + size.y / 2) - out.y;
  at = weir_edit_find_room (scene, size, at);
  return weir_edit_add_connected (site, type, diagnostic->block, port->name, FALSE,
                                  (WeirPoint) { at.x + out.x, at.y + out.y });
}

/* The block that weir_edit_add_connected() has just added, with a parameter set. */
static void
set_parameter_of_added (WeirEdit *edit, WeirSite site, const char *name, const char *text)
{
  guint32 id = g_array_index (edit->new_blocks, guint32, 0);
  g_autoptr (WeirModel) after = weir_model_apply (site.model, edit->patch, NULL, NULL);
  WeirBlock *block = after == NULL ? NULL : weir_model_find_block (after, id, NULL);
  g_autoptr (WeirBlock) changed = NULL;

  if (block == NULL)
    return;
  changed = weir_block_with_parameter (block, name, text);
  weir_edit_put_block (edit, site, changed);
}

static WeirEdit *
connect_constant (WeirSite site, WeirScene *scene, const WeirDiagnostic *diagnostic)
{
  WeirEdit *edit = put_before (site, scene, diagnostic, "Constant");
  WeirBlock *block = weir_site_find_block (site, diagnostic->block);
  guint size;

  if (edit == NULL)
    return NULL;
  size = weir_block_get_port_size (block, diagnostic->subject, FALSE);
  if (size > 1)
    {
      g_autofree double *zeros = g_new0 (double, size);
      g_autofree char *text = weir_value_to_string (zeros, size);

      set_parameter_of_added (edit, site, "value", text);
    }
  return edit;
}

/* An In named as the input that it leads to. */
static WeirEdit *
make_input (WeirSite site, WeirScene *scene, const WeirDiagnostic *diagnostic)
{
  WeirEdit *edit = put_before (site, scene, diagnostic, "In");
  g_autofree char *name = NULL;
  g_autoptr (WeirModel) after = NULL;
  g_autoptr (WeirBlock) named = NULL;
  WeirBlock *added;

  if (edit == NULL)
    return NULL;
  name = weir_diagram_dup_free_name (weir_site_get_diagram (site), diagnostic->subject);
  after = weir_model_apply (site.model, edit->patch, NULL, NULL);
  added = after == NULL
              ? NULL
              : weir_model_find_block (after, g_array_index (edit->new_blocks, guint32, 0), NULL);
  if (added != NULL)
    {
      named = weir_block_with_name (added, name);
      weir_edit_put_block (edit, site, named);
    }
  return edit;
}

/* The segment that runs furthest against the flow, to the left, is where a loop is fed back. */
static const WeirWireShape *
find_feedback (WeirScene *scene, const WeirDiagnostic *diagnostic, guint *segment)
{
  const WeirWireShape *best = NULL;
  double best_run = -INFINITY;

  for (guint i = 0; i < diagnostic->n_wires; i++)
    {
      const WeirWireShape *wire = weir_scene_find_wire (scene, diagnostic->wires[i]);

      for (guint k = 0; wire != NULL && k + 1 < wire->n_points; k++)
        if (wire->points[k].x - wire->points[k + 1].x > best_run)
          {
            best = wire;
            best_run = wire->points[k].x - wire->points[k + 1].x;
            *segment = k;
          }
    }
  return best;
}

static WeirEdit *
insert_delay (WeirSite site, WeirScene *scene, const WeirDiagnostic *diagnostic)
{
  guint segment = 0;
  const WeirWireShape *wire = find_feedback (scene, diagnostic, &segment);
  g_autofree char *name = NULL;
  g_autoptr (WeirBlock) sample = NULL;
  g_autoptr (WeirBlock) turned = NULL;
  g_autoptr (WeirBlock) placed = NULL;
  WeirPoint a, b, size, at;

  if (wire == NULL)
    return NULL;
  a = wire->points[segment];
  b = wire->points[segment + 1];
  name = weir_diagram_dup_free_name (weir_site_get_diagram (site), "Delay");
  sample = weir_block_new (weir_model_get_next_id (site.model), "UnitDelay", name,
                           (WeirPoint) { 0, 0 });
  turned = weir_block_with_orientation (sample, WEIR_ROTATION_0, b.x < a.x);
  size = weir_block_get_turned_size (turned);
  at = weir_edit_find_room (scene, size,
                            (WeirPoint) { (a.x + b.x - size.x) / 2, (a.y + b.y - size.y) / 2 });
  placed = weir_block_with_position (turned, at);
  return weir_edit_insert_into_wire (site, scene, weir_wire_get_id (wire->wire), placed);
}

/* --- Wires ----------------------------------------------------------------------------------- */

static gboolean
is_end_at_port (WeirScene *scene, WeirWireEnd end, gboolean is_output)
{
  const WeirBlockShape *shape = weir_scene_find_block (scene, end.block);

  return shape != NULL && weir_block_shape_find_port (shape, end.port, is_output) != NULL;
}

/* Ends the loose end of a wire at the nearest port that may have it; at an unknown port of a block,
 * at another one of the same block. */
static WeirEdit *
connect_nearest (WeirSite site, WeirScene *scene, guint32 id)
{
  const WeirWireShape *wire = weir_scene_find_wire (scene, id);
  WeirWireEnd ends[2], *loose, *other;
  const WeirPortShape *best = NULL;
  double best_distance = CONNECT_REACH;
  gboolean is_output;
  WeirPoint at;

  if (wire == NULL)
    return NULL;
  ends[0] = weir_wire_get_from (wire->wire);
  ends[1] = weir_wire_get_to (wire->wire);
  is_output = !is_end_at_port (scene, ends[0], TRUE);
  if (!is_output && is_end_at_port (scene, ends[1], FALSE))
    return NULL;
  loose = &ends[is_output ? 0 : 1];
  other = &ends[is_output ? 1 : 0];
  at = wire->points[is_output ? 0 : wire->n_points - 1];
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);
      guint32 block = weir_block_get_id (shape->block);

      if (loose->block != 0 ? block != loose->block : block == other->block)
        continue;
      for (guint k = 0; k < shape->n_inputs + shape->n_outputs; k++)
        {
          const WeirPortShape *port = &shape->ports[k];
          double distance = hypot (port->position.x - at.x, port->position.y - at.y);
          g_autofree char *refusal = NULL;

          if (port->is_output != is_output || distance >= best_distance)
            continue;
          refusal = is_output ? weir_edit_refuse_connection (scene, block, port->name, other->block,
                                                             other->port, id)
                              : weir_edit_refuse_connection (scene, other->block, other->port,
                                                             block, port->name, id);
          if (refusal != NULL)
            continue;
          best = port;
          best_distance = distance;
          loose->block = block;
        }
    }
  if (best == NULL)
    return NULL;
  loose->port = best->name;
  return weir_edit_wire (site, id, ends[0], ends[1], NULL, 0);
}

/* --- Physical networks ----------------------------------------------------------------------- */

#define REFERENCE_GAP 40.0 /* below the pin that it is joined with */
#define SERIES_RESISTANCE "0.01"

/* What is put into a network of a domain. */
static const struct {
  const char *domain, *reference, *resistance, *parameter;
} network_parts[] = {
  { "electrical", "Ground", "Resistor", "R" },
  { "rotational", "RotationalFixed", NULL, NULL },
  { "translational", "LinearFixed", NULL, NULL },
  { "thermal", "FixedTemperature", "ThermalResistor", "R" },
  { "hydraulic", "HydraulicReference", NULL, NULL },
  { "magnetic", "MagneticReference", NULL, NULL },
};

static guint
find_network_parts (const WeirDomain *domain)
{
  guint i = 0;

  while (domain != NULL && i < G_N_ELEMENTS (network_parts)
         && !g_str_equal (network_parts[i].domain, domain->name))
    i++;
  return domain != NULL ? i : G_N_ELEMENTS (network_parts);
}

/* The lowest pin of the domain that the problem names, where the part has several. */
static const WeirPortShape *
find_lowest_pin (const WeirBlockShape *shape, const WeirDiagnostic *diagnostic)
{
  const WeirPortShape *found = NULL;
  gboolean is_named = FALSE;

  for (guint i = shape->n_ports - shape->n_pins; i < shape->n_ports; i++)
    {
      const WeirPortShape *pin = &shape->ports[i];
      gboolean named = pin->domain != NULL && strstr (diagnostic->text, pin->domain->name) != NULL;

      if (found == NULL || (named && !is_named)
          || (named == is_named && pin->position.y > found->position.y))
        {
          found = pin;
          is_named = named;
        }
    }
  return found;
}

static WeirEdit *
add_ground (WeirSite site, WeirScene *scene, const WeirDiagnostic *diagnostic)
{
  const WeirBlockShape *shape = weir_scene_find_block (scene, diagnostic->block);
  const WeirPortShape *pin = shape != NULL ? find_lowest_pin (shape, diagnostic) : NULL;
  guint i = pin != NULL ? find_network_parts (pin->domain) : G_N_ELEMENTS (network_parts);
  g_autoptr (WeirBlock) sample = NULL;
  g_autoptr (WeirBlockShape) look = NULL;
  WeirPoint size, end, at;

  if (i == G_N_ELEMENTS (network_parts))
    return NULL;
  sample = weir_block_new (1, network_parts[i].reference, "sample", (WeirPoint) { 0, 0 });
  look = weir_block_shape_new (sample);
  size = (WeirPoint) { look->box.width, look->box.height };
  end = look->ports[look->n_ports - look->n_pins].position;
  at = weir_edit_find_room (
      scene, size, (WeirPoint) { pin->position.x - end.x, pin->position.y + REFERENCE_GAP });
  return weir_edit_add_part (site, scene, network_parts[i].reference,
                             (WeirWireEnd) { .block = diagnostic->block, .port = pin->name },
                             pin->position, (WeirPoint) { at.x + end.x, at.y + end.y });
}

/* What ended at @pin of a block ends at @part instead. */
static void
move_lines (WeirEdit *edit, WeirSite site, guint32 block, const char *pin, WeirWireEnd part)
{
  g_autoptr (GPtrArray) wires = weir_diagram_list_wires (weir_site_get_diagram (site), block);

  for (guint i = 0; i < wires->len; i++)
    {
      WeirWireEnd from = weir_wire_get_from (wires->pdata[i]);
      WeirWireEnd to = weir_wire_get_to (wires->pdata[i]);
      gboolean from_goes = from.block == block && g_strcmp0 (from.port, pin) == 0;
      gboolean to_goes = to.block == block && g_strcmp0 (to.port, pin) == 0;
      g_autoptr (WeirWire) moved = NULL;

      if (!from_goes && !to_goes)
        continue;
      moved = weir_wire_with_ends (wires->pdata[i], from_goes ? part : from, to_goes ? part : to);
      weir_edit_put_wire (edit, site, moved);
    }
}

/* Where a part that leads on from @pin begins, so that it lies on nothing whichever way it is
 * turned there. */
static WeirPoint
find_series_place (WeirScene *scene, const char *type, const WeirPortShape *pin)
{
  g_autoptr (WeirBlock) sample = weir_block_new (1, type, "sample", (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlockShape) look = weir_block_shape_new (sample);
  double half = fmax (look->box.width, look->box.height) / 2, reach = half + 2 * WEIR_GRID;
  WeirPoint room = weir_edit_find_room (
      scene, (WeirPoint) { 2 * half, 2 * half },
      (WeirPoint) { pin->position.x + reach * pin->normal.x - half,
                    pin->position.y + reach * pin->normal.y - half });
  WeirPoint middle = { room.x + half, room.y + half };
  double dx = middle.x - pin->position.x, dy = middle.y - pin->position.y;

  if (fabs (dx) >= fabs (dy))
    middle.x -= copysign (half, dx);
  else
    middle.y -= copysign (half, dy);
  return middle;
}

/* Between the first pin that lines end at and these. */
static WeirEdit *
add_series_resistance (WeirSite site, WeirScene *scene, const WeirDiagnostic *diagnostic)
{
  const WeirBlockShape *shape = weir_scene_find_block (scene, diagnostic->block);
  const WeirPortShape *pin = NULL;
  WeirWireEnd own = { .block = diagnostic->block };
  WeirEdit *edit;
  guint32 added;
  guint kind;

  for (guint i = 0; shape != NULL && i < shape->n_ports && pin == NULL; i++)
    if (shape->ports[i].is_pin
        && weir_scene_find_line_at (scene, diagnostic->block, shape->ports[i].name) != NULL)
      pin = &shape->ports[i];
  kind = pin != NULL ? find_network_parts (pin->domain) : G_N_ELEMENTS (network_parts);
  if (kind == G_N_ELEMENTS (network_parts) || network_parts[kind].resistance == NULL)
    return NULL;
  own.port = pin->name;
  edit = weir_edit_add_part (site, scene, network_parts[kind].resistance, own, pin->position,
                             find_series_place (scene, network_parts[kind].resistance, pin));
  if (edit == NULL)
    return NULL;
  set_parameter_of_added (edit, site, network_parts[kind].parameter, SERIES_RESISTANCE);
  added = g_array_index (edit->new_blocks, guint32, 0);
  {
    g_autoptr (WeirModel) after = weir_model_apply (site.model, edit->patch, NULL, NULL);
    WeirBlock *block = after != NULL ? weir_model_find_block (after, added, NULL) : NULL;
    g_autoptr (GArray) pins = block != NULL ? weir_block_list_pins (block) : NULL;

    if (pins != NULL && pins->len == 2)
      move_lines (
          edit, site, diagnostic->block, pin->name,
          (WeirWireEnd) { .block = added, .port = g_array_index (pins, WeirPinSpec, 1).name });
  }
  return edit;
}

static WeirEdit *
join_terminals (WeirSite site, const WeirDiagnostic *diagnostic)
{
  g_autoptr (GArray)
      wires = weir_model_list_terminal_wires (site.model, diagnostic->block, diagnostic->subject);
  WeirEdit *edit = weir_edit_new (NULL);
  guint32 id = weir_model_get_next_id (site.model);

  for (guint i = 0; i < wires->len; i++)
    {
      const WeirTerminalWire *wire = &g_array_index (wires, WeirTerminalWire, i);
      g_autoptr (WeirWire) joined = weir_wire_new (wire->replaces != 0 ? wire->replaces : id++,
                                                   wire->from, wire->to, NULL, 0);

      weir_edit_put_wire (edit, site, joined);
    }
  return edit;
}

/* --- Names, parameters, settings ------------------------------------------------------------- */

static WeirEdit *
give_free_name (WeirSite site, guint32 id)
{
  WeirBlock *block = weir_site_find_block (site, id);
  g_autofree char *wanted = NULL;
  g_autofree char *name = NULL;

  if (block == NULL)
    return NULL;
  wanted = g_strdelimit (g_strdup (weir_block_get_name (block)), ".", '_');
  for (char *c = wanted; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = '_';
  g_strstrip (wanted);
  name = weir_diagram_dup_free_name (weir_site_get_diagram (site),
                                     *wanted != '\0' ? wanted : weir_block_get_type_name (block));
  return weir_edit_rename (site, id, name);
}

static WeirEdit *
remove_text (WeirSite site, const WeirDiagnostic *diagnostic)
{
  WeirBlock *block = weir_site_find_block (site, diagnostic->block);
  WeirEdit *edit = weir_edit_new (NULL);

  if (diagnostic->block == 0 && !g_str_has_prefix (diagnostic->code, "SET"))
    return weir_edit_finish (edit); /* of a variable, which has no default */
  if (diagnostic->block == 0)
    weir_patch_set_setting (edit->patch, diagnostic->subject, NULL);
  else if (block != NULL && weir_block_get_parameter (block, diagnostic->subject) != NULL)
    {
      g_autoptr (WeirBlock) changed = weir_block_with_parameter (block, diagnostic->subject, NULL);

      weir_edit_put_block (edit, site, changed);
    }
  return weir_edit_finish (edit);
}

static WeirEdit *
free_start (WeirSite site, const WeirDiagnostic *diagnostic)
{
  WeirBlock *block = weir_site_find_block (site, diagnostic->block);
  WeirEdit *edit = weir_edit_new (NULL);
  g_autoptr (WeirBlock) changed = NULL;

  if (block == NULL)
    return weir_edit_finish (edit);
  changed = weir_block_with_parameter (block, diagnostic->subject, WEIR_START_FREE);
  weir_edit_put_block (edit, site, changed);
  return weir_edit_finish (edit);
}

/* A line more in the equations, in front of the others. */
static WeirEdit *
declare_name (WeirSite site, const WeirDiagnostic *diagnostic, WeirRole role)
{
  WeirBlock *block = weir_site_find_block (site, diagnostic->block);
  const char *text = block != NULL ? weir_block_get_parameter (block, "equations") : NULL;
  WeirEdit *edit = weir_edit_new (NULL);
  g_autofree char *longer = NULL;
  g_autoptr (WeirBlock) changed = NULL;

  if (text == NULL)
    return weir_edit_finish (edit);
  longer = weir_equations_declare (text, diagnostic->subject, role);
  changed = weir_block_with_parameter (block, "equations", longer);
  weir_edit_put_block (edit, site, changed);
  return weir_edit_finish (edit);
}

static WeirEdit *
add_variable (const char *name)
{
  WeirEdit *edit = weir_edit_new (NULL);

  weir_patch_set_variable (edit->patch, name, "1");
  return edit;
}

static WeirEdit *
solve_loops (void)
{
  WeirEdit *edit = weir_edit_new (NULL);

  weir_patch_set_setting (edit->patch, "algebraic-loops", NULL);
  return edit;
}

/* --- Parts whose text is another by now: at all blocks of the part, on all levels
 * ----------------- */

/* The blocks of a type are to be others. */
typedef struct {
  const char *type;
  const char *new_type;          /* or NULL */
  const char *parameter, *value; /* where they do not give it; or NULL */
  GArray *place;                 /* of guint32: of the diagram at hand */
  WeirEdit *edit;
} Changing;

static gboolean
change (WeirBlock *block, gpointer data)
{
  const Changing *c = data;
  g_autoptr (WeirBlock) changed = NULL;
  guint32 id = weir_block_get_id (block);

  if (g_str_equal (weir_block_get_type_name (block), c->type))
    {
      if (c->new_type != NULL)
        changed = weir_block_with_type (block, c->new_type);
      else if (weir_block_get_parameter (block, c->parameter) == NULL)
        changed = weir_block_with_parameter (block, c->parameter, c->value);
      if (changed != NULL)
        weir_patch_set_block (
            c->edit->patch,
            (WeirPlace) { (const guint32 *) (gpointer) c->place->data, c->place->len }, changed);
    }
  if (weir_block_get_diagram (block) != NULL)
    {
      g_array_append_val (c->place, id);
      weir_diagram_foreach_block (weir_block_get_diagram (block), change, data);
      g_array_set_size (c->place, c->place->len - 1);
    }
  return TRUE;
}

static void
change_all (WeirModel *model, Changing *c)
{
  c->place = g_array_new (FALSE, FALSE, sizeof (guint32));
  weir_diagram_foreach_block (weir_model_get_root (model), change, c);
  g_array_unref (c->place);
}

static void
take_part (WeirModel *model, const char *type, WeirEdit *edit)
{
  g_autofree char *name = g_strndup (type, strcspn (type, ":"));
  const char *present = weir_part_name_resolve (name, weir_model_get_folder (model));

  if (strchr (present, ':') == NULL || g_str_equal (present, type))
    return;
  change_all (model, &(Changing) { .type = type, .new_type = present, .edit = edit });
  if (weir_metadata_get_text (weir_model_get_metadata (model), type, weir_key_part) != NULL)
    weir_patch_set_metadata (edit->patch, type, weir_key_part, NULL);
}

static void
keep_values (WeirModel *model, const char *type, const char *parameter, WeirEdit *edit)
{
  const WeirParameterSpec *spec = weir_block_type_find_parameter (weir_registry_find (type),
                                                                  parameter);
  const char *record = weir_metadata_get_text (weir_model_get_metadata (model), type,
                                               weir_key_part);
  g_autofree char *was = spec != NULL && record != NULL
                             ? weir_part_record_dup_default (record, spec)
                             : NULL;

  if (was != NULL)
    change_all (model,
                &(Changing) { .type = type, .parameter = parameter, .value = was, .edit = edit });
}

static WeirEdit *
fix_part (WeirModel *model, const WeirDiagnostic *diagnostic, WeirFix fix)
{
  WeirBlock *block = diagnostic->block != 0 ? weir_model_find_block (model, diagnostic->block, NULL)
                                            : NULL;
  const char *type = block != NULL ? weir_block_get_type_name (block) : diagnostic->subject;
  WeirEdit *edit = weir_edit_new (NULL);

  if (type == NULL || (block == NULL && fix != WEIR_FIX_TAKE_PART))
    return edit;
  if (fix == WEIR_FIX_TAKE_PART)
    take_part (model, type, edit);
  else if (fix == WEIR_FIX_KEEP_VALUES)
    keep_values (model, type, diagnostic->subject, edit);
  else if (weir_metadata_get_text (weir_model_get_metadata (model), type, weir_key_part) != NULL)
    weir_patch_set_metadata (edit->patch, type, weir_key_part, NULL);
  return edit;
}

/* --- All of them ----------------------------------------------------------------------------- */

static WeirEdit *
make (WeirSite site, WeirScene *scene, const WeirDiagnostic *diagnostic, WeirFix fix)
{
  switch (fix)
    {
    case WEIR_FIX_INSERT_DELAY:
      return insert_delay (site, scene, diagnostic);
    case WEIR_FIX_SOLVE_LOOPS:
      return solve_loops ();
    case WEIR_FIX_CONNECT_CONSTANT:
      return connect_constant (site, scene, diagnostic);
    case WEIR_FIX_MAKE_INPUT:
      return make_input (site, scene, diagnostic);
    case WEIR_FIX_CONNECT_NEAREST:
      return connect_nearest (site, scene, diagnostic->wire);
    case WEIR_FIX_REMOVE_WIRE:
      return weir_edit_delete (site, (WeirElements) { .wires = &diagnostic->wire, .n_wires = 1 });
    case WEIR_FIX_USE_DEFAULT:
    case WEIR_FIX_REMOVE_PARAMETER:
    case WEIR_FIX_REMOVE_SETTING:
      return remove_text (site, diagnostic);
    case WEIR_FIX_DECLARE_PARAMETER:
      return declare_name (site, diagnostic, WEIR_ROLE_PARAMETER);
    case WEIR_FIX_DECLARE_INPUT:
      return declare_name (site, diagnostic, WEIR_ROLE_INPUT);
    case WEIR_FIX_ADD_VARIABLE:
      return add_variable (diagnostic->subject);
    case WEIR_FIX_JOIN_TERMINALS:
      return join_terminals (site, diagnostic);
    case WEIR_FIX_RENAME:
      return give_free_name (site, diagnostic->block);
    case WEIR_FIX_DELETE_BLOCK:
      return weir_edit_delete (site,
                               (WeirElements) { .blocks = &diagnostic->block, .n_blocks = 1 });
    case WEIR_FIX_ADD_GROUND:
      return add_ground (site, scene, diagnostic);
    case WEIR_FIX_ADD_SERIES_RESISTANCE:
      return add_series_resistance (site, scene, diagnostic);
    case WEIR_FIX_FREE_START:
      return free_start (site, diagnostic);
    case WEIR_FIX_TAKE_PART:
    case WEIR_FIX_KEEP_VALUES:
    case WEIR_FIX_ACCEPT_PART:
      return fix_part (site.model, diagnostic, fix);
    case WEIR_N_FIXES:
    default:
      g_return_val_if_reached (NULL);
    }
}

WeirEdit *
weir_fix_make (WeirModel *model, const WeirDiagnostic *diagnostic, WeirFix fix)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (WeirScene) scene = NULL;
  WeirSite site = { .model = model };
  WeirEdit *edit;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (diagnostic != NULL, NULL);

  if (diagnostic->block != 0 || diagnostic->wire != 0)
    {
      if (!find_place (model, diagnostic, ids))
        return NULL;
      site.place = (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len };
      scene = weir_scene_new (weir_site_get_diagram (site), NULL);
    }
  edit = weir_edit_finish (make (site, scene, diagnostic, fix));
  if (edit != NULL)
    {
      g_free (edit->label);
      edit->label = g_strdup (weir_fix_get_title (fix));
    }
  return edit;
}

/* Shapes of blocks. See geometry.h.
 *
 * A block is laid out in its own frame first (inputs on the left, outputs on the right, the box
 * from (0, 0) to its own size), then flipped left to right, then turned clockwise into its box on
 * the diagram. The top left of the turned box is always the block's position.
 */
#include "paint/ground/geometry.h"

#include <math.h>

#include "paint/ground/symbols.h"

WeirRect
weir_rect_from_corners (WeirPoint a, WeirPoint b)
{
  return (WeirRect) { MIN (a.x, b.x), MIN (a.y, b.y), fabs (a.x - b.x), fabs (a.y - b.y) };
}

WeirPoint
weir_rect_get_center (WeirRect rect)
{
  return (WeirPoint) { rect.x + rect.width / 2, rect.y + rect.height / 2 };
}

double
weir_snap (double value)
{
  return WEIR_GRID * floor (value / WEIR_GRID + 0.5);
}

double
weir_point_distance_to_segment (WeirPoint point, WeirPoint a, WeirPoint b)
{
  double dx = b.x - a.x, dy = b.y - a.y;
  double length2 = dx * dx + dy * dy;
  double t = length2 > 0 ? ((point.x - a.x) * dx + (point.y - a.y) * dy) / length2 : 0;

  t = CLAMP (t, 0, 1);
  return hypot (point.x - (a.x + t * dx), point.y - (a.y + t * dy));
}

/* --- Sizes ----------------------------------------------------------------------------------- */

/* What a type looks like; types not listed are plain boxes of the default size. */
static const struct {
  const char *type;
  WeirOutline outline;
  double width, height;
} forms[] = {
  { "Abs", WEIR_OUTLINE_BOX, 60, 60 },
  { "Clock", WEIR_OUTLINE_BOX, 60, 60 },
  { "Constant", WEIR_OUTLINE_BOX, 60, 40 },
  { "Gain", WEIR_OUTLINE_TRIANGLE, 60, 60 },
  { "In", WEIR_OUTLINE_PILL, 40, 20 },
  { "Integrator", WEIR_OUTLINE_BOX, 60, 60 },
  { "Out", WEIR_OUTLINE_PILL, 40, 20 },
  { "Pendulum", WEIR_OUTLINE_BOX, 160, 100 },
  { "Pin", WEIR_OUTLINE_PILL, 40, 20 },
  { "Mux", WEIR_OUTLINE_BOX, 40, 60 },
  { "Terminator", WEIR_OUTLINE_BOX, 40, 40 },
  { "Product", WEIR_OUTLINE_BOX, 60, 60 },
  { "Scope", WEIR_OUTLINE_SCREEN, 60, 60 },
  { "Sine", WEIR_OUTLINE_BOX, 60, 60 },
  { "Step", WEIR_OUTLINE_BOX, 60, 60 },
  { "Subsystem", WEIR_OUTLINE_BOX, 120, 80 },
  { "Sum", WEIR_OUTLINE_CIRCLE, 40, 40 },
  { "Switch", WEIR_OUTLINE_BOX, 60, 80 },
  { "UnitDelay", WEIR_OUTLINE_BOX, 60, 60 },
  { "ZeroOrderHold", WEIR_OUTLINE_BOX, 60, 60 },
  { "Atan2", WEIR_OUTLINE_BOX, 80, 60 },
  { "BouncingBall", WEIR_OUTLINE_BOX, 120, 60 },
  { "Chirp", WEIR_OUTLINE_BOX, 60, 60 },
  { "DeadZone", WEIR_OUTLINE_BOX, 60, 60 },
  { "Demux", WEIR_OUTLINE_BOX, 40, 60 },
  { "Display", WEIR_OUTLINE_BOX, 80, 40 },
  { "EdgeDetector", WEIR_OUTLINE_BOX, 60, 60 },
  { "FromFile", WEIR_OUTLINE_BOX, 60, 60 },
  { "Function", WEIR_OUTLINE_BOX, 60, 60 },
  { "GaussianRandom", WEIR_OUTLINE_BOX, 60, 60 },
  { "HitCrossing", WEIR_OUTLINE_BOX, 100, 60 },
  { "Lag", WEIR_OUTLINE_BOX, 60, 60 },
  { "LimitedIntegrator", WEIR_OUTLINE_BOX, 120, 80 },
  { "Logic", WEIR_OUTLINE_BOX, 60, 60 },
  { "LookupTable", WEIR_OUTLINE_BOX, 60, 60 },
  { "Guess", WEIR_OUTLINE_BOX, 60, 40 },
  { "MinMax", WEIR_OUTLINE_BOX, 60, 60 },
  { "Power", WEIR_OUTLINE_BOX, 60, 60 },
  { "Quantizer", WEIR_OUTLINE_BOX, 60, 60 },
  { "RateLimiter", WEIR_OUTLINE_BOX, 60, 60 },
  { "Sawtooth", WEIR_OUTLINE_BOX, 60, 60 },
  { "SecondOrderLag", WEIR_OUTLINE_BOX, 60, 60 },
  { "StateSpace", WEIR_OUTLINE_BOX, 100, 60 },
  { "Stop", WEIR_OUTLINE_BOX, 60, 60 },
  { "TimeTable", WEIR_OUTLINE_BOX, 60, 60 },
  { "TransferFunction", WEIR_OUTLINE_BOX, 100, 60 },
  { "TransportDelay", WEIR_OUTLINE_BOX, 60, 60 },
  { "Triangle", WEIR_OUTLINE_BOX, 60, 60 },
  { "UniformRandom", WEIR_OUTLINE_BOX, 60, 60 },
  { "DiscreteStateSpace", WEIR_OUTLINE_BOX, 100, 60 },
  { "DiscreteTransferFunction", WEIR_OUTLINE_BOX, 100, 60 },
  { "DiscreteIntegrator", WEIR_OUTLINE_BOX, 60, 60 },
  { "Bias", WEIR_OUTLINE_BOX, 60, 60 },
  { "Delay", WEIR_OUTLINE_BOX, 60, 60 },
  { "Derivative", WEIR_OUTLINE_BOX, 60, 60 },
  { "DigitalClock", WEIR_OUTLINE_BOX, 60, 60 },
  { "DiscreteDerivative", WEIR_OUTLINE_BOX, 60, 60 },
  { "DotProduct", WEIR_OUTLINE_BOX, 60, 60 },
  { "DoubleIntegrator", WEIR_OUTLINE_BOX, 80, 60 },
  { "Elements", WEIR_OUTLINE_BOX, 60, 60 },
  { "Expression", WEIR_OUTLINE_BOX, 120, 60 },
  { "Friction", WEIR_OUTLINE_BOX, 60, 60 },
  { "Lorenz", WEIR_OUTLINE_BOX, 120, 80 },
  { "PID2", WEIR_OUTLINE_BOX, 140, 60 },
  { "Polynomial", WEIR_OUTLINE_BOX, 60, 60 },
  { "PredatorPrey", WEIR_OUTLINE_BOX, 160, 60 },
  { "DCMotor", WEIR_OUTLINE_BOX, 160, 60 },
  { "Robertson", WEIR_OUTLINE_BOX, 160, 80 },
  { "Room", WEIR_OUTLINE_BOX, 140, 60 },
  { "SampleAndHold", WEIR_OUTLINE_BOX, 120, 60 },
  { "Slider", WEIR_OUTLINE_BOX, 100, 40 },
  { "VanDerPol", WEIR_OUTLINE_BOX, 140, 60 },
  { "XYScope", WEIR_OUTLINE_SCREEN, 80, 60 },
  { "ADC", WEIR_OUTLINE_BOX, 60, 60 },
  { "Backlash", WEIR_OUTLINE_BOX, 60, 60 },
  { "CrossProduct", WEIR_OUTLINE_BOX, 60, 60 },
  { "DAC", WEIR_OUTLINE_BOX, 60, 60 },
  { "DiscreteFilter", WEIR_OUTLINE_BOX, 60, 60 },
  { "DiscreteZeroPoleGain", WEIR_OUTLINE_BOX, 100, 60 },
  { "FIR", WEIR_OUTLINE_BOX, 80, 60 },
  { "Filter", WEIR_OUTLINE_BOX, 60, 60 },
  { "FirstOrderHold", WEIR_OUTLINE_BOX, 60, 60 },
  { "LookupTable2D", WEIR_OUTLINE_BOX, 120, 60 },
  { "MatrixGain", WEIR_OUTLINE_BOX, 60, 60 },
  { "Memory", WEIR_OUTLINE_BOX, 60, 60 },
  { "Modulo", WEIR_OUTLINE_BOX, 60, 60 },
  { "MultiportSwitch", WEIR_OUTLINE_BOX, 100, 100 },
  { "PRBS", WEIR_OUTLINE_BOX, 60, 60 },
  { "Spectrum", WEIR_OUTLINE_BOX, 160, 80 },
  { "TappedDelay", WEIR_OUTLINE_BOX, 60, 60 },
  { "VariableDelay", WEIR_OUTLINE_BOX, 100, 60 },
  { "ZeroPoleGain", WEIR_OUTLINE_BOX, 100, 60 },
};

#define DEFAULT_WIDTH 80.0
#define DEFAULT_HEIGHT 60.0
#define MAX_SIZE 4000.0     /* whatever a file says */
#define MAX_CIRCLE_INPUTS 3 /* left and below; above too; a box from the fourth on */

#define TERMINALS_WIDTH 160.0 /* of a block with names of terminals */

/* Where inputs, or outputs, are along their side: those of a terminal together, behind a place for
 * its name, and what follows a place apart from them. */
typedef struct {
  const char **terminals; /* by port; NULL: there are none */
  guint *places;          /* by port; NULL without terminals: its number */
  guint n;                /* places */
} Row;

/* The ports of a block, as its type and parameters imply. */
typedef struct {
  char **inputs, **outputs;
  GArray *pins; /* WeirPinSpec */
  guint n_inputs, n_outputs;
  Row rows[2]; /* inputs, outputs */
} Ports;

/* Of the ports that are in @i's terminal, the first is @i: gives places to all of them. */
static void
place_terminal (Row *row, guint i, guint n, const guint *following)
{
  row->n++; /* the name */
  for (; i < n; i = following[i])
    row->places[i] = row->n++;
}

static void
row_init (Row *row, const WeirBlock *block, gboolean is_output, guint n)
{
  g_autoptr (GHashTable) last = NULL; /* by terminal: number of its last port so far */
  g_autofree guint *following = NULL; /* by port: the next of its terminal, or n */
  gboolean is_apart = FALSE;

  *row = (Row) { .terminals = weir_block_list_terminals (block, is_output), .n = n };
  if (row->terminals == NULL)
    return;
  last = g_hash_table_new (NULL, NULL);
  following = g_new (guint, n);
  row->places = g_new (guint, n);
  row->n = 0;
  for (guint i = 0; i < n; i++)
    {
      gpointer before = g_hash_table_lookup (last, row->terminals[i]);

      following[i] = n;
      row->places[i] = n; /* not the first of its terminal */
      if (row->terminals[i] == NULL)
        continue;
      if (before != NULL)
        following[GPOINTER_TO_UINT (before) - 1] = i;
      else
        row->places[i] = 0;
      g_hash_table_insert (last, (gpointer) row->terminals[i], GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < n; i++)
    if (row->terminals[i] == NULL)
      {
        row->n += is_apart;
        row->places[i] = row->n++;
        is_apart = FALSE;
      }
    else if (row->places[i] == 0)
      {
        place_terminal (row, i, n, following);
        is_apart = TRUE;
      }
}

static guint
get_place (const Row *row, guint i)
{
  return row->places != NULL ? row->places[i] : i;
}

static gboolean
has_terminals (const Ports *ports)
{
  return ports->rows[0].terminals != NULL || ports->rows[1].terminals != NULL;
}

static void
ports_init (Ports *self, const WeirBlock *block)
{
  *self = (Ports) { .inputs = weir_block_dup_inputs (block),
                    .outputs = weir_block_dup_outputs (block),
                    .pins = weir_block_list_pins (block) };
  self->n_inputs = g_strv_length (self->inputs);
  self->n_outputs = g_strv_length (self->outputs);
  row_init (&self->rows[0], block, FALSE, self->n_inputs);
  row_init (&self->rows[1], block, TRUE, self->n_outputs);
}

static void
ports_clear (Ports *self)
{
  g_strfreev (self->inputs);
  g_strfreev (self->outputs);
  g_array_unref (self->pins);
  for (guint i = 0; i < 2; i++)
    {
      g_free (self->rows[i].terminals);
      g_free (self->rows[i].places);
    }
}

static guint
count_pins (const Ports *ports, WeirSide side)
{
  guint n = 0;

  for (guint i = 0; i < ports->pins->len; i++)
    n += g_array_index (ports->pins, WeirPinSpec, i).side == side;
  return n;
}

/* Where the signals of a block are. Those of a part keep out of the way of its pins, where they
 * can, so that the pins of a two-pole are on one line. */
static WeirSide
get_signal_side (const Ports *ports, gboolean is_part, gboolean is_output)
{
  const WeirSide sides[2][3] = { { WEIR_SIDE_LEFT, WEIR_SIDE_TOP, WEIR_SIDE_BOTTOM },
                                 { WEIR_SIDE_RIGHT, WEIR_SIDE_BOTTOM, WEIR_SIDE_TOP } };

  for (guint i = 0; is_part && i < 3; i++)
    if (count_pins (ports, sides[is_output][i]) == 0)
      return sides[is_output][i];
  return sides[is_output][0];
}

/* Places on a side. */
static guint
count_ports (const Ports *ports, gboolean is_part, WeirSide side)
{
  return count_pins (ports, side)
         + (get_signal_side (ports, is_part, FALSE) == side ? ports->rows[0].n : 0)
         + (get_signal_side (ports, is_part, TRUE) == side ? ports->rows[1].n : 0);
}

static gboolean
is_part (const WeirBlock *block)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

  return type != NULL && type->part != NULL;
}

/* Room for the ports of the fullest sides. */
static void
make_room_for_ports (const WeirBlock *block, const Ports *ports, WeirPoint *size)
{
  gboolean part = is_part (block);
  guint n[4];

  for (guint side = 0; side < 4; side++)
    n[side] = count_ports (ports, part, (WeirSide) side);
  if (has_terminals (ports))
    size->x = MAX (size->x, TERMINALS_WIDTH);
  size->y = MAX (size->y, WEIR_PORT_SPACING * (1 + MAX (n[WEIR_SIDE_LEFT], n[WEIR_SIDE_RIGHT])));
  if (n[WEIR_SIDE_TOP] + n[WEIR_SIDE_BOTTOM] > 0)
    size->x = MAX (size->x, WEIR_PORT_SPACING * (1 + MAX (n[WEIR_SIDE_TOP], n[WEIR_SIDE_BOTTOM])));
}

static WeirPoint
get_size_for_ports (const WeirBlock *block, const Ports *ports, WeirOutline *outline)
{
  const char *type = weir_block_get_type_name (block);
  const WeirSymbol *symbol = weir_symbol_find (block);
  WeirPoint size = { DEFAULT_WIDTH, DEFAULT_HEIGHT };
  WeirPoint set = weir_block_get_size (block);

  *outline = WEIR_OUTLINE_BOX;
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (g_str_equal (forms[i].type, type))
      {
        *outline = forms[i].outline;
        size = (WeirPoint) { forms[i].width, forms[i].height };
      }
  if (*outline == WEIR_OUTLINE_CIRCLE
      && (ports->n_inputs > MAX_CIRCLE_INPUTS || ports->n_outputs > 1))
    *outline = WEIR_OUTLINE_BOX;
  if (symbol != NULL)
    {
      *outline = WEIR_OUTLINE_NONE;
      size = (WeirPoint) { symbol->width, symbol->height };
    }
  else if (*outline != WEIR_OUTLINE_CIRCLE && *outline != WEIR_OUTLINE_PILL)
    make_room_for_ports (block, ports, &size);
  if (set.x > 0 && set.y > 0)
    size = (WeirPoint) { MIN (set.x, MAX_SIZE), MIN (set.y, MAX_SIZE) };
  return size;
}

WeirPoint
weir_block_get_own_size (const WeirBlock *block)
{
  WeirOutline outline;
  WeirPoint size;
  Ports ports;

  ports_init (&ports, block);
  size = get_size_for_ports (block, &ports, &outline);
  ports_clear (&ports);
  return size;
}

static gboolean
is_sideways (const WeirBlock *block)
{
  return weir_block_get_rotation (block) % 2 == 1;
}

WeirPoint
weir_block_get_turned_size (const WeirBlock *block)
{
  WeirPoint own = weir_block_get_own_size (block);

  return is_sideways (block) ? (WeirPoint) { own.y, own.x } : own;
}

const char *
weir_block_get_effective_parameter (const WeirBlock *block, const char *name)
{
  const char *text = weir_block_get_parameter (block, name);
  const WeirParameterSpec *spec;

  if (text != NULL)
    return text;
  spec = weir_block_type_find_parameter (weir_registry_find (weir_block_get_type_name (block)),
                                         name);
  return spec != NULL ? spec->default_text : NULL;
}

/* --- Ports ----------------------------------------------------------------------------------- */

/* Offset along a side of @length of port @i of @n: a port spacing apart, or closer if they must. */
static double
get_port_offset (double length, guint i, guint n)
{
  double spacing = MIN (WEIR_PORT_SPACING, length / (n + 1));

  return length / 2 + (i - (n - 1) / 2.0) * spacing;
}

/* Port @i of the @n of a side. */
static void
place_on_side (WeirPortShape *port, WeirPoint size, WeirSide side, guint i, guint n)
{
  switch (side)
    {
    case WEIR_SIDE_TOP:
    case WEIR_SIDE_BOTTOM:
      port->normal = (WeirPoint) { 0, side == WEIR_SIDE_TOP ? -1 : 1 };
      port->position = (WeirPoint) { get_port_offset (size.x, i, n),
                                     side == WEIR_SIDE_TOP ? 0 : size.y };
      break;
    case WEIR_SIDE_LEFT:
    case WEIR_SIDE_RIGHT:
    default:
      port->normal = (WeirPoint) { side == WEIR_SIDE_LEFT ? -1 : 1, 0 };
      port->position = (WeirPoint) { side == WEIR_SIDE_LEFT ? 0 : size.x,
                                     get_port_offset (size.y, i, n) };
      break;
    }
}

/* Left and below, the usual places of reference and feedback; a third input comes from above. */
static void
place_around_circle (WeirPortShape *port, WeirPoint size, guint i, guint n)
{
  guint side = n == 2 ? i + 1 : i;

  port->normal = (WeirPoint) { side == 1 ? -1 : 0, side == 0 ? -1 : side == 2 ? 1 : 0 };
  port->position = (WeirPoint) { size.x / 2 * (1 + port->normal.x),
                                 size.y / 2 * (1 + port->normal.y) };
}

/* The terminals of a row that begins at place @from of the @n of a side. */
static void
add_terminals (WeirBlockShape *self, const Ports *ports, gboolean is_output, WeirPoint size,
               WeirSide side, guint from, guint n)
{
  const Row *row = &ports->rows[is_output];
  guint n_ports = is_output ? ports->n_outputs : ports->n_inputs;
  g_autoptr (GHashTable) found = g_hash_table_new (NULL, NULL); /* by name: its number + 1 */

  for (guint i = 0; i < n_ports; i++)
    {
      const WeirPortShape *port = &self->ports[is_output ? self->n_inputs + i : i];
      const char *name = row->terminals[i];
      guint known = GPOINTER_TO_UINT (name != NULL ? g_hash_table_lookup (found, name) : NULL);
      WeirTerminalShape terminal = { .name = name,
                                     .first = port->position,
                                     .last = port->position };
      WeirPortShape label;

      if (name == NULL)
        continue;
      if (known > 0)
        {
          g_array_index (self->terminals, WeirTerminalShape, known - 1).last = port->position;
          continue;
        }
      place_on_side (&label, size, side, from + get_place (row, i) - 1, n);
      terminal.name_position = label.position;
      terminal.normal = label.normal;
      g_array_append_val (self->terminals, terminal);
      g_hash_table_insert (found, (gpointer) name, GUINT_TO_POINTER (self->terminals->len));
    }
}

/* In the block's own frame: along each side inputs, then outputs, then pins. */
static void
place_ports (WeirBlockShape *self, const Ports *ports, WeirPoint size)
{
  gboolean part = self->type != NULL && self->type->part != NULL;
  WeirSide sides[2] = { get_signal_side (ports, part, FALSE), get_signal_side (ports, part, TRUE) };
  guint placed[4] = { 0, 0, 0, 0 }, from[2];

  for (guint row = 0; row < 2; row++)
    {
      from[row] = placed[sides[row]];
      placed[sides[row]] += ports->rows[row].n;
    }

  for (guint i = 0; i < self->n_ports; i++)
    {
      WeirPortShape *port = &self->ports[i];
      guint pin = i - self->n_inputs - self->n_outputs;
      WeirSide side = port->is_pin ? g_array_index (ports->pins, WeirPinSpec, pin).side
                                   : sides[port->is_output];

      if (self->outline == WEIR_OUTLINE_CIRCLE && !port->is_output && self->n_inputs > 1)
        place_around_circle (port, size, i, self->n_inputs);
      else
        place_on_side (port, size, side,
                       port->is_pin ? placed[side]++
                                    : from[port->is_output]
                                          + get_place (&ports->rows[port->is_output],
                                                       port->is_output ? i - self->n_inputs : i),
                       count_ports (ports, part, side));
    }
  if (!has_terminals (ports))
    return;
  self->terminals = g_array_new (FALSE, FALSE, sizeof (WeirTerminalShape));
  for (guint row = 0; row < 2; row++)
    if (ports->rows[row].terminals != NULL)
      add_terminals (self, ports, row == 1, size, sides[row], from[row],
                     count_ports (ports, part, sides[row]));
}

/* A place on the outline, and what is outward there. */
static void
turn_place (WeirPoint *position, WeirPoint *normal, WeirPoint own_size, const WeirBlock *block)
{
  WeirPoint p = *position, n = *normal;
  WeirPoint origin = weir_block_get_position (block);

  if (weir_block_get_flipped (block))
    {
      p.x = own_size.x - p.x;
      n.x = -n.x;
    }
  switch (weir_block_get_rotation (block))
    {
    case WEIR_ROTATION_90:
      p = (WeirPoint) { own_size.y - p.y, p.x };
      n = (WeirPoint) { -n.y, n.x };
      break;
    case WEIR_ROTATION_180:
      p = (WeirPoint) { own_size.x - p.x, own_size.y - p.y };
      n = (WeirPoint) { -n.x, -n.y };
      break;
    case WEIR_ROTATION_270:
      p = (WeirPoint) { p.y, own_size.x - p.x };
      n = (WeirPoint) { n.y, -n.x };
      break;
    case WEIR_ROTATION_0:
    default:
      break;
    }
  *position = (WeirPoint) { origin.x + p.x, origin.y + p.y };
  *normal = n;
}

static void
turn_terminal (WeirTerminalShape *terminal, WeirPoint own_size, const WeirBlock *block)
{
  WeirPoint first = terminal->normal, last = terminal->normal;

  turn_place (&terminal->first, &first, own_size, block);
  turn_place (&terminal->last, &last, own_size, block);
  turn_place (&terminal->name_position, &terminal->normal, own_size, block);
}

void
weir_block_apply_turn (const WeirBlock *block, cairo_t *cr)
{
  WeirPoint origin = weir_block_get_position (block), own = weir_block_get_own_size (block);
  WeirPoint turned = is_sideways (block) ? (WeirPoint) { own.y, own.x } : own;

  cairo_translate (cr, origin.x + turned.x / 2, origin.y + turned.y / 2);
  cairo_rotate (cr, weir_block_get_rotation (block) * G_PI_2);
  cairo_scale (cr, weir_block_get_flipped (block) ? -1 : 1, 1);
  cairo_translate (cr, -own.x / 2, -own.y / 2);
}

/* --- Shapes ---------------------------------------------------------------------------------- */

#define USUAL_LETTER 6.2 /* width of a letter of a name, on the average */

static void
place_name (WeirBlockShape *self)
{
  gboolean up = FALSE, down = FALSE, right = FALSE;
  glong n_letters = g_utf8_strlen (weir_block_get_name (self->block), -1);
  double width = USUAL_LETTER * n_letters;
  WeirRect reach = weir_rect_grow (self->box, 6);

  for (guint i = 0; i < self->n_ports; i++)
    {
      up |= self->ports[i].normal.y < 0;
      down |= self->ports[i].normal.y > 0;
      right |= self->ports[i].normal.x > 0;
    }
  self->name_place = !down                                          ? WEIR_NAME_BELOW
                     : !up                                          ? WEIR_NAME_ABOVE
                     : self->outline == WEIR_OUTLINE_NONE && !right ? WEIR_NAME_RIGHT
                                                                    : WEIR_NAME_BESIDE;
  if (self->outline == WEIR_OUTLINE_NONE && self->n_pins == 1 && self->n_ports == 1
      && weir_symbol_is_reference (weir_block_get_type_name (self->block)))
    {
      self->name_place = WEIR_NAME_NOWHERE;
      self->reach = reach;
      return;
    }
  self->name = (WeirRect) { self->box.x + self->box.width / 2 - width / 2,
                            self->box.y + self->box.height, width, WEIR_NAME_HEIGHT };
  if (self->name_place == WEIR_NAME_ABOVE)
    self->name.y = self->box.y - WEIR_NAME_HEIGHT;
  if (self->name_place == WEIR_NAME_BESIDE)
    {
      self->name.x = self->box.x + 0.8 * self->box.width;
      self->name.y -= 0.2 * WEIR_NAME_HEIGHT;
    }
  if (self->name_place == WEIR_NAME_RIGHT)
    {
      self->name.x = self->box.x + self->box.width;
      self->name.y = self->box.y + (self->box.height - WEIR_NAME_HEIGHT) / 2;
    }
  /* How wide a name is drawn is not known here; 7 units a letter is more than any takes. */
  double half = MAX (0, 3.5 * n_letters - self->box.width / 2);
  reach.x -= half;
  reach.width += 2 * half;
  if (self->name_place == WEIR_NAME_ABOVE)
    reach.y -= WEIR_NAME_HEIGHT;
  if (self->name_place == WEIR_NAME_BESIDE || self->name_place == WEIR_NAME_RIGHT)
    reach.width += half + self->box.width / 2;
  reach.height += WEIR_NAME_HEIGHT;
  self->reach = reach;
}

WeirBlockShape *
weir_block_shape_new (WeirBlock *block)
{
  WeirBlockShape *self = g_new0 (WeirBlockShape, 1);
  WeirPoint position = weir_block_get_position (block);
  WeirPoint size;
  Ports ports;

  ports_init (&ports, block);
  g_atomic_ref_count_init (&self->ref_count);
  self->block = weir_block_ref (block);
  self->type = weir_registry_find (weir_block_get_type_name (block));
  self->n_inputs = ports.n_inputs;
  self->n_outputs = ports.n_outputs;
  self->n_pins = ports.pins->len;
  self->n_ports = self->n_inputs + self->n_outputs + self->n_pins;
  self->ports = g_new0 (WeirPortShape, self->n_ports);
  size = get_size_for_ports (block, &ports, &self->outline);
  for (guint i = 0; i < self->n_ports; i++)
    {
      WeirPortShape *port = &self->ports[i];
      guint out = i - self->n_inputs, pin = out - self->n_outputs;

      if (i < self->n_inputs + self->n_outputs)
        {
          port->is_output = i >= self->n_inputs;
          port->name = g_strdup (port->is_output ? ports.outputs[out] : ports.inputs[i]);
          continue;
        }
      port->is_pin = TRUE;
      port->name = g_strdup (g_array_index (ports.pins, WeirPinSpec, pin).name);
      port->domain = g_array_index (ports.pins, WeirPinSpec, pin).domain;
    }
  place_ports (self, &ports, size);
  for (guint i = 0; i < self->n_ports; i++)
    turn_place (&self->ports[i].position, &self->ports[i].normal, size, block);
  for (guint i = 0; self->terminals != NULL && i < self->terminals->len; i++)
    turn_terminal (&g_array_index (self->terminals, WeirTerminalShape, i), size, block);
  ports_clear (&ports);
  self->box = is_sideways (block) ? (WeirRect) { position.x, position.y, size.y, size.x }
                                  : (WeirRect) { position.x, position.y, size.x, size.y };
  place_name (self);
  return self;
}

WeirBlockShape *
weir_block_shape_ref (WeirBlockShape *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_block_shape_unref (WeirBlockShape *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < self->n_ports; i++)
    g_free (self->ports[i].name);
  g_free (self->ports);
  g_clear_pointer (&self->terminals, g_array_unref);
  weir_block_unref (self->block);
  g_free (self);
}

const WeirPortShape *
weir_block_shape_find_port (const WeirBlockShape *self, const char *name, gboolean is_output)
{
  for (guint i = 0; name != NULL && i < self->n_ports; i++)
    if ((self->ports[i].is_pin || self->ports[i].is_output == is_output)
        && g_str_equal (self->ports[i].name, name))
      return &self->ports[i];
  return NULL;
}

gboolean
weir_block_shape_hits (const WeirBlockShape *self, WeirPoint point, double slack)
{
  if (self->outline == WEIR_OUTLINE_CIRCLE)
    {
      WeirPoint center = weir_rect_get_center (self->box);

      /* Scaled to a unit circle, since a size set by hand may make it an ellipse. */
      return hypot ((point.x - center.x) / (self->box.width / 2 + slack),
                    (point.y - center.y) / (self->box.height / 2 + slack))
             <= 1;
    }
  return weir_rect_contains (weir_rect_grow (self->box, slack), point);
}

const WeirPortShape *
weir_block_shape_hit_port (const WeirBlockShape *self, WeirPoint point, double slack)
{
  const WeirPortShape *best = NULL;
  double best_distance = slack;

  if (!weir_rect_contains (weir_rect_grow (self->box, slack), point))
    return NULL;
  for (guint i = 0; i < self->n_ports; i++)
    {
      const WeirPortShape *port = &self->ports[i];
      double distance = hypot (point.x - port->position.x, point.y - port->position.y);

      if (distance <= best_distance)
        {
          best = port;
          best_distance = distance;
        }
    }
  return best;
}

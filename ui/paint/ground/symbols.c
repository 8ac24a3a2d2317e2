/* Symbols of parts. See symbols.h. */
#include "paint/ground/symbols.h"

#include <math.h>
#include <string.h>

#define LEADS "M 0 20 L 12 20 M 48 20 L 60 20 "
#define RESISTOR LEADS "R 12 13 36 14 "
#define SOURCE "M 20 0 L 20 15 C 20 30 15 M 20 45 L 20 60 "
#define ARROW_DOWN "M 20 21 L 20 39 M 16 34 L 20 39 L 24 34 "
#define SIGNS "M 20 18 L 20 26 M 16 22 L 24 22 M 16 38 L 24 38 "
#define METER "M 0 20 L 17 20 C 30 20 13 M 43 20 L 60 20 "
#define METER_OUT "M 30 33 L 30 40 "
#define GROUND "M 20 0 L 20 7 M 7 7 L 33 7 M 12 12 L 28 12 M 17 17 L 23 17 "
#define WALL                                                                                       \
  "M 20 0 L 20 8 M 5 8 L 35 8 M 8 16 L 13 8 M 15 16 L 20 8 M 22 16 L 27 8 M 29 16 L 34 8 "
#define DIODE "M 0 20 L 22 20 M 22 10 L 22 30 L 38 20 Z "
#define CATHODE "M 38 10 L 38 30 M 38 20 L 60 20 "
#define SPRING "M 0 20 L 10 20 L 13 10 L 19 30 L 25 10 L 31 30 L 37 10 L 43 30 L 47 20 L 60 20 "
#define DAMPER "M 0 20 L 27 20 M 27 13 L 27 27 M 17 9 L 42 9 L 42 31 L 17 31 M 42 20 L 60 20 "
#define SPRING_DAMPER                                                                              \
  "M 0 20 L 8 20 M 8 10 L 8 31 M 8 10 L 14 10 L 17 4 L 22 16 L 27 4 L 32 16 L 37 4 L 42 16 "       \
  "L 45 10 L 52 10 M 8 31 L 28 31 M 28 26 L 28 36 M 20 23 L 40 23 L 40 39 L 20 39 "                \
  "M 40 31 L 52 31 M 52 10 L 52 31 M 52 20 L 60 20 "
#define FORCE "M 14 20 L 60 20 M 46 13 L 54 20 L 46 27 "
#define TORQUE "M 46 20 L 60 20 M 18.7 26.5 A 30 20 13 150 390 M 37 26 L 41 27 L 43 23 "
#define SIGNAL_IN "M 0 20 L 10 20 "
#define FRICTION                                                                                   \
  "M 0 20 L 22 20 M 22 9 L 22 31 M 27 9 L 27 31 M 27 20 L 60 20 M 18 9 L 31 9 M 18 31 L 31 31 "
#define CLUTCH "M 0 20 L 24 20 M 24 8 L 24 32 M 34 8 L 34 32 M 34 20 L 60 20 "
#define BACKLASH                                                                                   \
  "M 0 20 L 22 20 L 22 28 L 38 28 M 38 10 L 22 10 M 38 10 L 38 15 M 38 20 L 60 20 "                \
  "M 38 20 L 38 28 "
#define VALVE                                                                                      \
  "M 0 20 L 18 20 M 18 10 L 42 30 M 18 30 L 42 10 M 18 10 L 18 30 M 42 10 L 42 30 "                \
  "M 42 20 L 60 20 "
#define LEFT_COIL                                                                                  \
  "M 0 20 L 20 20 A 20 23.4 3.4 -90 90 A 20 30 3.4 -90 90 A 20 36.6 3.4 -90 90 "                   \
  "L 0 40 "
#define RIGHT_COIL                                                                                 \
  "M 60 20 L 40 20 B 40 23.4 3.4 -90 90 B 40 30 3.4 -90 90 "                                       \
  "B 40 36.6 3.4 -90 90 L 60 40 "
#define AMPLIFIER                                                                                  \
  "M 10 4 L 10 56 L 53 30 Z M 0 20 L 10 20 M 0 40 L 10 40 M 53 30 L 60 30 M 14 20 L 20 20 "        \
  "M 17 17 L 17 23 M 14 40 L 20 40 "
#define OUT_METER "M 0 20 L 17 20 C 30 20 13 M 43 20 L 60 20 "

static const WeirSymbol symbols[] = {
  /* electrical */
  { "Resistor", 60, 40, RESISTOR },
  { "Conductor", 60, 40, RESISTOR "T 30 20 G" },
  { "VariableResistor", 60, 40, RESISTOR "M 18 34 L 42 6 M 36 8 L 42 6 L 41 12 M 30 0 L 30 5" },
  { "Resistor heats", 60, 40, RESISTOR "M 30 27 L 30 40 T 30 20 T" },
  { "Capacitor", 60, 40,
    "M 0 20 L 26.5 20 M 26.5 8 L 26.5 32 M 33.5 8 L 33.5 32 M 33.5 20 L 60 20" },
  { "Inductor", 60, 40,
    "M 0 20 L 12 20 A 16.5 20 4.5 180 360 A 25.5 20 4.5 180 360 A 34.5 20 4.5 180 360 "
    "A 43.5 20 4.5 180 360 L 60 20" },
  { "Ground", 40, 20, GROUND },
  { "VoltageSource", 40, 60, SOURCE SIGNS },
  { "CurrentSource", 40, 60, SOURCE ARROW_DOWN },
  { "SignalVoltage", 40, 60, SOURCE SIGNS "M 0 30 L 5 30" },
  { "SignalCurrent", 40, 60, SOURCE ARROW_DOWN "M 0 30 L 5 30" },
  { "SineVoltage", 40, 60, SOURCE "M 11 30 A 15.5 30 4.5 180 360 B 24.5 30 4.5 180 0" },
  { "StepVoltage", 40, 60, SOURCE "M 11 35 L 20 35 L 20 25 L 29 25" },
  { "SineCurrent", 40, 60,
    SOURCE "M 16 30 A 14.5 30 3 180 360 B 20.5 30 3 180 0 "
           "M 29 24 L 29 36 M 26.5 33 L 29 36 L 31.5 33" },
  { "StepCurrent", 40, 60,
    SOURCE "M 10 34 L 16 34 L 16 26 L 22 26 "
           "M 28 24 L 28 36 M 25.5 33 L 28 36 L 30.5 33" },
  { "TableVoltage", 40, 60, SOURCE "M 11 34 L 17 26 L 22 31 L 29 24" },
  { "TableCurrent", 40, 60,
    SOURCE "M 11 34 L 17 26 L 22 31 L 29 24 M 34 47 L 34 57 M 31 53 L 34 57 L 37 53" },
  { "VoltageSensor", 60, 40, METER METER_OUT "T 30 20 V" },
  { "CurrentSensor", 60, 40, METER METER_OUT "T 30 20 A" },
  { "PotentialSensor", 60, 40, OUT_METER "T 30 20 V" },
  { "IdealDiode", 60, 40, DIODE CATHODE },
  { "Diode", 60, 40, DIODE "S " CATHODE },
  { "Thyristor", 60, 40, DIODE CATHODE "M 30 0 L 38 12" },
  { "IdealSwitch", 60, 40,
    "M 0 20 L 18 20 F 18 20 2.2 M 18 20 L 41 9 F 42 20 2.2 M 42 20 L 60 20 M 30 0 L 30 14" },
  { "CoupledInductors", 60, 60, LEFT_COIL RIGHT_COIL "T 30 30 M" },
  { "IdealTransformer", 60, 60, LEFT_COIL RIGHT_COIL "M 28 17 L 28 43 M 32 17 L 32 43" },
  { "OpAmp", 60, 60, AMPLIFIER },
  { "OpAmpFinite", 60, 60, AMPLIFIER "M 26 36 L 31 36 L 37 24 L 42 24" },
  { "EMF", 60, 60, "M 30 0 L 30 14 C 30 30 16 M 30 46 L 30 60 M 46 30 L 60 30 T 30 30 M" },
  /* translational */
  { "Mass", 60, 40, "M 0 20 L 12 20 R 12 6 36 28 M 48 20 L 60 20 T 30 20 m" },
  { "LinearSpring", 60, 40, SPRING },
  { "LinearDamper", 60, 40, DAMPER },
  { "LinearSpringDamper", 60, 40, SPRING_DAMPER },
  { "LinearFixed", 40, 20, WALL },
  { "LinearBacklash", 60, 40, BACKLASH },
  { "LinearFriction", 60, 40, FRICTION },
  { "Force", 60, 40, SIGNAL_IN FORCE },
  { "ConstantForce", 60, 40, FORCE "T 24 11 F" },
  { "TableForce", 60, 40, FORCE "M 18 13 L 23 7 L 28 11 L 34 5" },
  { "Weight", 60, 40, "R 6 10 24 20 M 30 20 L 60 20 T 18 20 m M 47 14 L 41 20 L 47 26" },
  { "HardStop", 60, 40,
    "M 0 20 L 24 20 M 24 9 L 24 31 M 36 9 L 36 31 M 36 20 L 60 20 M 36 14 L 42 9 "
    "M 36 31 L 42 26" },
  { "LinearPositionSensor", 60, 40, METER METER_OUT "T 30 20 s" },
  { "LinearSpeedSensor", 60, 40, METER METER_OUT "T 30 20 v" },
  { "ForceSensor", 60, 40, METER METER_OUT "T 30 20 f" },
  { "LinearPosition", 60, 40, "M 0 20 L 16 20 C 30 20 14 M 44 20 L 60 20 T 30 20 s" },
  { "LinearPlace", 60, 40, "M 0 20 L 16 20 C 30 20 14 M 44 20 L 60 20 T 30 20 s" },
  { "LinearSpeed", 60, 40, "M 0 20 L 16 20 C 30 20 14 M 44 20 L 60 20 T 30 20 v" },
  /* rotational */
  { "Inertia", 60, 40, "M 0 20 L 18 20 R 18 3 24 34 M 42 20 L 60 20 T 30 20 J" },
  { "RotationalSpring", 60, 40, SPRING },
  { "RotationalDamper", 60, 40, DAMPER },
  { "RotationalSpringDamper", 60, 40, SPRING_DAMPER },
  { "RotationalFixed", 40, 20, WALL },
  { "RotationalBacklash", 60, 40, BACKLASH },
  { "RotationalFriction", 60, 40, FRICTION },
  { "Torque", 60, 40, "M 0 20 L 8 20 " TORQUE },
  { "ConstantTorque", 60, 40, TORQUE "T 30 20 τ" },
  { "Gear", 60, 40, "M 0 20 L 19 20 R 19 11 10 18 R 31 2 10 36 M 41 20 L 60 20" },
  { "Clutch", 60, 40, CLUTCH },
  { "OneWayClutch", 60, 40, CLUTCH "M 27 16 L 31 20 L 27 24" },
  { "RackAndPinion", 60, 40,
    "M 0 20 L 14 20 C 27 17 11 M 14 31 L 46 31 M 18 28 L 18 31 "
    "M 24 28 L 24 31 M 30 28 L 30 31 M 36 28 L 36 31 "
    "M 46 31 L 46 20 L 60 20" },
  { "RotationalAngleSensor", 60, 40, METER METER_OUT "T 30 20 φ" },
  { "RotationalSpeedSensor", 60, 40, METER METER_OUT "T 30 20 ω" },
  { "TorqueSensor", 60, 40, METER METER_OUT "T 30 20 τ" },
  { "RotationalPosition", 60, 40, "M 0 20 L 16 20 C 30 20 14 M 44 20 L 60 20 T 30 20 φ" },
  { "RotationalAngle", 60, 40, "M 0 20 L 16 20 C 30 20 14 M 44 20 L 60 20 T 30 20 φ" },
  { "RotationalSpeed", 60, 40, "M 0 20 L 16 20 C 30 20 14 M 44 20 L 60 20 T 30 20 ω" },
  { "Brake", 60, 40,
    "M 0 20 L 26 20 M 26 7 L 26 33 M 33 12 L 33 28 M 33 20 L 46 20 M 46 8 L 46 32 "
    "M 52 10 L 46 15 M 52 17 L 46 22 M 52 24 L 46 29" },
  /* thermal */
  { "HeatCapacity", 40, 40, "R 6 5 28 25 M 20 30 L 20 40 T 20 17 C" },
  { "ThermalConductor", 60, 40,
    LEADS "R 12 10 36 20 M 21 10 L 21 30 M 30 10 L 30 30 M 39 10 L 39 30" },
  { "ThermalResistor", 60, 40, RESISTOR "T 30 20 R" },
  { "Convection", 60, 40,
    LEADS "M 12 10 L 12 30 M 48 10 L 48 30 M 16 15 L 43 15 M 16 25 L 43 25 "
          "M 39 12 L 43 15 L 39 18 M 39 22 L 43 25 L 39 28 M 30 0 L 30 9" },
  { "Radiation", 60, 40,
    LEADS "M 12 10 L 12 30 M 48 10 L 48 30 M 16 20 A 19 20 3 180 360 "
          "B 25 20 3 180 0 A 31 20 3 180 360 B 37 20 3 180 0 M 40 20 L 44 20" },
  { "FixedTemperature", 60, 40, "C 30 20 14 M 44 20 L 60 20 T 30 20 T" },
  { "AmbientTemperature", 60, 40, "C 30 20 14 C 30 20 10.5 M 44 20 L 60 20 T 30 20 T" },
  { "PrescribedTemperature", 60, 40, "M 0 20 L 16 20 C 30 20 14 M 44 20 L 60 20 T 30 20 T" },
  { "FixedHeatFlow", 60, 40, "M 12 20 L 60 20 M 44 13 L 52 20 L 44 27 T 24 11 Q" },
  { "PrescribedHeatFlow", 60, 40, SIGNAL_IN "M 14 20 L 60 20 M 44 13 L 52 20 L 44 27 T 24 11 Q" },
  { "TemperatureSensor", 60, 40, OUT_METER "T 30 20 T" },
  { "HeatFlowSensor", 60, 40, METER METER_OUT "T 30 20 Q" },
  /* hydraulic */
  { "LaminarPipe", 60, 40, "M 0 20 L 10 20 R 10 14 40 12 M 50 20 L 60 20" },
  { "Orifice", 60, 40,
    "M 0 20 L 60 20 M 39.8 11.9 A 30 5 12 35 145 M 39.8 28.1 B 30 35 12 -35 -145" },
  { "Tank", 40, 40, "M 6 4 L 6 30 L 34 30 L 34 4 M 6 12 L 34 12 M 20 30 L 20 40" },
  { "Accumulator", 40, 40,
    "M 8 14 A 20 14 12 180 360 L 32 20 A 20 20 12 0 180 Z M 8 17 L 32 17 "
    "M 20 32 L 20 40" },
  { "FlowSource", 60, 40, "M 33 11 L 43 20 L 33 29 Z S M 0 20 L 17 20 C 30 20 13 M 43 20 L 60 20" },
  { "PressureSource", 40, 60, SOURCE "T 20 30 p" },
  { "CheckValve", 60, 40, "M 0 20 L 24 20 M 38 9 L 24 20 L 38 31 C 33 20 5.5 M 38.5 20 L 60 20" },
  { "HydraulicReference", 40, 20, "M 20 0 L 20 7 M 8 2 L 8 17 L 32 17 L 32 2 M 8 7 L 32 7" },
  { "PressureSensor", 60, 40, OUT_METER "T 30 20 p" },
  { "FlowSensor", 60, 40, METER METER_OUT "T 30 20 q" },
  /* magnetic */
  { "Reluctance", 60, 40, RESISTOR "S " },
  { "MagneticPath", 60, 40, RESISTOR "M 18 20 L 42 20 M 37 17 L 42 20 L 37 23" },
  { "MagneticReference", 40, 20, GROUND },
  { "FluxSensor", 60, 40, METER METER_OUT "T 30 20 Φ" },
  { "Coil", 60, 60, LEFT_COIL "M 60 20 L 40 20 L 40 40 L 60 40 M 31 17 L 31 43" },
};

static const WeirSymbol *
find (const char *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
    if (strcmp (symbols[i].type, type) == 0)
      return &symbols[i];
  return NULL;
}

const WeirSymbol *
weir_symbol_find (const WeirBlock *block)
{
  const char *type = weir_block_get_type_name (block);
  const char *heats = weir_block_get_parameter (block, "heats");
  g_autofree char *with_pin = g_strcmp0 (heats, "yes") == 0 ? g_strconcat (type, " heats", NULL)
                                                            : NULL;

  return find (with_pin != NULL ? with_pin : type);
}

gboolean
weir_symbol_is_reference (const char *type)
{
  static const char *const references[] = { "Ground", "HydraulicReference", "LinearFixed",
                                            "MagneticReference", "RotationalFixed" };

  for (guint i = 0; i < G_N_ELEMENTS (references); i++)
    if (strcmp (references[i], type) == 0)
      return TRUE;
  return FALSE;
}

/* --- Drawing --------------------------------------------------------------------------------- */

#define LETTER_SIZE 12.0

/* Reads @n numbers after @text. Returns what follows. */
static const char *
read_numbers (const char *text, double *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    numbers[i] = g_ascii_strtod (text, (char **) &text);
  return text;
}

/* A word at (@x, @y) of the part's frame, upright. */
static void
draw_word (WeirPen *pen, const char *word, double x, double y)
{
  cairo_matrix_t frame, upright;
  double origin_x = x, origin_y = y, scale;

  cairo_get_matrix (pen->cr, &frame);
  scale = sqrt (fabs (frame.xx * frame.yy - frame.xy * frame.yx));
  cairo_user_to_device (pen->cr, &origin_x, &origin_y);
  cairo_matrix_init (&upright, scale, 0, 0, scale, origin_x, origin_y);
  cairo_set_matrix (pen->cr, &upright);
  weir_pen_text (pen, word, LETTER_SIZE, 0, 0, 0.5, 0.5, 0);
  cairo_set_matrix (pen->cr, &frame);
}

void
weir_symbol_draw (WeirPen *pen, const WeirSymbol *self)
{
  static const char kinds[] = "MLCFABR";
  static const guint n_numbers[] = { 2, 2, 3, 3, 5, 5, 4 };
  cairo_t *cr = pen->cr;
  const char *c = self->strokes;

  cairo_new_path (cr);
  while (*c != '\0')
    {
      char kind = *c++;
      const char *known = strchr (kinds, kind);
      double n[5] = { 0 };

      if (known != NULL)
        c = read_numbers (c, n, n_numbers[known - kinds]);
      switch (kind)
        {
        case 'M':
          cairo_move_to (cr, n[0], n[1]);
          break;
        case 'L':
          cairo_line_to (cr, n[0], n[1]);
          break;
        case 'Z':
          cairo_close_path (cr);
          break;
        case 'C':
          cairo_new_sub_path (cr);
          cairo_arc (cr, n[0], n[1], n[2], 0, 2 * G_PI);
          break;
        case 'F':
          cairo_stroke (cr);
          cairo_arc (cr, n[0], n[1], n[2], 0, 2 * G_PI);
          cairo_fill (cr);
          cairo_move_to (cr, n[0], n[1]);
          break;
        case 'A':
          cairo_arc (cr, n[0], n[1], n[2], n[3] * G_PI / 180, n[4] * G_PI / 180);
          break;
        case 'B':
          cairo_arc_negative (cr, n[0], n[1], n[2], n[3] * G_PI / 180, n[4] * G_PI / 180);
          break;
        case 'R':
          cairo_rectangle (cr, n[0], n[1], n[2], n[3]);
          break;
        case 'S':
          cairo_fill_preserve (cr);
          cairo_stroke (cr);
          break;
        case 'T':
          {
            g_autofree char *word = NULL;
            const char *end;

            c = read_numbers (c, n, 2);
            c += strspn (c, " ");
            end = c + strcspn (c, " ");
            word = g_strndup (c, (gsize) (end - c));
            c = end;
            cairo_stroke (cr);
            draw_word (pen, word, n[0], n[1]);
          }
          break;
        default: /* a space */
          break;
        }
    }
  cairo_stroke (cr);
}

/* --- Domains --------------------------------------------------------------------------------- */

typedef enum {
  PIN_SQUARE,
  PIN_DISC,
  PIN_DIAMOND,
  PIN_TRIANGLE,
  PIN_DROP,
  PIN_HEXAGON,
  PIN_CROSS,
} PinForm;

/* Colours are those of curves, which are told apart in all palettes. */
static const struct {
  const char *domain;
  guint8 curve;
  PinForm form;
} looks[] = {
  { "electrical", 0, PIN_SQUARE }, { "translational", 2, PIN_DIAMOND },
  { "rotational", 8, PIN_DISC },   { "thermal", 3, PIN_TRIANGLE },
  { "hydraulic", 5, PIN_DROP },    { "magnetic", 1, PIN_HEXAGON },
};

WeirColor
weir_domain_get_color (const WeirDomain *domain, const WeirPalette *palette)
{
  for (guint i = 0; domain != NULL && i < G_N_ELEMENTS (looks); i++)
    if (strcmp (looks[i].domain, domain->name) == 0)
      return palette->curves[looks[i].curve];
  return palette->wire;
}

static void
polygon (cairo_t *cr, guint n, double radius, double turn)
{
  for (guint i = 0; i < n; i++)
    {
      double angle = turn + 2 * G_PI * i / n;

      (i == 0 ? cairo_move_to : cairo_line_to) (cr, radius * cos (angle), radius * sin (angle));
    }
  cairo_close_path (cr);
}

void
weir_domain_pin_path (cairo_t *cr, const WeirDomain *domain, double radius)
{
  PinForm form = PIN_CROSS;
  double r = radius;

  for (guint i = 0; domain != NULL && i < G_N_ELEMENTS (looks); i++)
    if (strcmp (looks[i].domain, domain->name) == 0)
      form = looks[i].form;
  switch (form)
    {
    case PIN_SQUARE:
      cairo_rectangle (cr, -0.9 * r, -0.9 * r, 1.8 * r, 1.8 * r);
      break;
    case PIN_DISC:
      cairo_new_sub_path (cr);
      cairo_arc (cr, 0, 0, r, 0, 2 * G_PI);
      cairo_close_path (cr);
      break;
    case PIN_DIAMOND:
      polygon (cr, 4, 1.35 * r, 0);
      break;
    case PIN_TRIANGLE:
      polygon (cr, 3, 1.35 * r, -G_PI_2);
      break;
    case PIN_DROP:
      cairo_move_to (cr, 0, -1.6 * r);
      cairo_arc (cr, 0, 0.3 * r, r, -0.25 * G_PI, 1.25 * G_PI);
      cairo_close_path (cr);
      break;
    case PIN_HEXAGON:
      polygon (cr, 6, 1.15 * r, 0);
      break;
    case PIN_CROSS:
    default:
      cairo_rectangle (cr, -1.2 * r, -0.45 * r, 2.4 * r, 0.9 * r);
      cairo_rectangle (cr, -0.45 * r, -1.2 * r, 0.9 * r, 2.4 * r);
      break;
    }
}

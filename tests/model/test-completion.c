/* Completion: every code is provoked and names its block; sizes, nesting and loops; what
 * is recorded. */
#include "../seeds.h"
#include "helpers.h"
#include "model/tree/model-private.h"
#include "system/evaluation/eval.h"

#define CONSTANT(id, name, value)                                                                  \
  "<block id='" id "' type='Constant' name='" name                                                 \
  "' x='0' y='0'><parameter name='value' value='" value "'/></block>\n"
#define BLOCK(id, type, name) "<block id='" id "' type='" type "' name='" name "' x='0' y='0'/>\n"
#define WITH(id, type, name, parameter, value)                                                     \
  "<block id='" id "' type='" type "' name='" name "' x='0' y='0'><parameter name='" parameter     \
  "' value='" value "'/></block>\n"
#define SUBSYSTEM(id, name, inside)                                                                \
  "<block id='" id "' type='Subsystem' name='" name "' x='0' y='0'><diagram>\n" inside             \
  "</diagram></block>\n"
#define PARAMETERS(id, name, parameter, value, inside)                                             \
  "<block id='" id "' type='Subsystem' name='" name "' x='0' y='0'><parameter name='" parameter    \
  "' value='" value "'/><diagram>\n" inside "</diagram></block>\n"
#define IN_UNIT(id, name, unit)                                                                    \
  "<block id='" id "' type='Constant' name='" name                                                 \
  "' x='0' y='0'><meta name='unit' of='y' value='" unit "'/></block>\n"
#define WIRE(id, from, to) "<wire id='" id "' from='" from "' to='" to "'/>\n"

/* --- Problems -------------------------------------------------------------------------------- */

typedef struct {
  const char *inside; /* the first line of the diagram's inside is line 1 */
  const char *code, *path;
  guint32 block, wire;
  int line;
  WeirSeverity severity;
  const char *part; /* of the text */
} Case;

static const Case cases[] = {
  { CONSTANT ("1", "a", "1") CONSTANT ("2", "b", "1") BLOCK ("3", "Gain", "g")
        WIRE ("4", "1.y", "3.u") WIRE ("5", "2.y", "3.u"),
    "NET01", "g", 3, 5, 5, WEIR_SEVERITY_ERROR, "'u' is wired twice: by wire 4 and by wire 5" },
  { BLOCK ("1", "Gain", "g"), "NET02", "g", 1, 0, 1, WEIR_SEVERITY_ERROR, "'u' is not connected" },
  { BLOCK ("1", "Scope", "s"), "NET02", "s", 1, 0, 1, WEIR_SEVERITY_WARNING,
    "'in1' is not connected" },
  { BLOCK ("1", "Out", "y"), "NET02", "y", 1, 0, 1, WEIR_SEVERITY_ERROR, "not connected" },
  { SUBSYSTEM ("1", "s",
               BLOCK ("2", "In", "u") BLOCK ("3", "Terminator", "t") WIRE ("4", "2.y", "3.u")),
    "NET02", "s", 1, 0, 1, WEIR_SEVERITY_ERROR, "'u' is not connected" },
  { SUBSYSTEM ("1", "s", BLOCK ("2", "Gain", "g")), "NET02", "s.g", 2, 0, 2, WEIR_SEVERITY_ERROR,
    "'u'" },
  { CONSTANT ("1", "a", "[1, 2]") CONSTANT ("2", "b", "[1, 2, 3]") BLOCK ("3", "Sum", "sum")
        WIRE ("4", "1.y", "3.in1") WIRE ("5", "2.y", "3.in2") BLOCK ("6", "Terminator", "t")
            WIRE ("7", "3.y", "6.u"),
    "NET03", "sum", 3, 0, 3, WEIR_SEVERITY_ERROR, "size" },
  { CONSTANT ("1", "a", "[1, 2]") WITH ("2", "Gain", "g", "gain", "[1, 2, 3]")
        WIRE ("3", "1.y", "2.u"),
    "NET03", "g", 2, 0, 2, WEIR_SEVERITY_ERROR, "size" },
  { BLOCK ("1", "Sum", "s") BLOCK ("2", "Gain", "g") WIRE ("3", "1.y", "2.u")
        WIRE ("4", "2.y", "1.in1") CONSTANT ("5", "c", "1") WIRE ("6", "5.y", "1.in2"),
    "NET04", "s", 1, 3, 1, WEIR_SEVERITY_ERROR, "s.y (wire 3) -> g.y (wire 4) -> s.y" },
  { BLOCK ("1", "Gain", "g") WIRE ("2", "1.y", "1.u"), "NET04", "g", 1, 2, 1, WEIR_SEVERITY_ERROR,
    "g.y (wire 2) -> g.y" },
  { CONSTANT ("1", "a", "1") "<wire id='2' from='1.y' to-x='3' to-y='4'/>", "NET06", "a", 1, 2, 2,
    WEIR_SEVERITY_ERROR, "end of wire 2 is not connected" },
  { BLOCK ("1", "Gain", "g") "<wire id='2' from-x='3' from-y='4' to='1.u'/>", "NET06", "g", 1, 2, 2,
    WEIR_SEVERITY_ERROR, "start of wire 2 is not connected" },
  { BLOCK ("1", "Gain", "g") WIRE ("2", "9.y", "1.u"), "NET06", "g", 1, 2, 2, WEIR_SEVERITY_ERROR,
    "block 9, which does not exist" },
  { CONSTANT ("1", "a", "1") BLOCK ("2", "Terminator", "t") WIRE ("3", "1.z", "2.u"), "NET07", "a",
    1, 3, 3, WEIR_SEVERITY_ERROR, "no output 'z' for wire 3; the block has y" },
  { CONSTANT ("1", "a", "1") CONSTANT ("2", "b", "1") WIRE ("3", "1.y", "2.u"), "NET07", "b", 2, 3,
    3, WEIR_SEVERITY_ERROR, "no input 'u' for wire 3; the block has none" },
  { BLOCK ("1", "Flux capacitor", "f"), "NET08", "f", 1, 0, 1, WEIR_SEVERITY_ERROR,
    "'Flux capacitor'" },
  { CONSTANT ("1", "a.b", "1"), "NET09", "a.b", 1, 0, 1, WEIR_SEVERITY_ERROR,
    "'a.b' contains a '.'" },
  { CONSTANT ("1", "", "1"), "NET09", "", 1, 0, 1, WEIR_SEVERITY_ERROR, "is empty" },
  { CONSTANT ("1", "a", "1") CONSTANT ("2", "a", "1"), "NET09", "a", 2, 0, 2, WEIR_SEVERITY_ERROR,
    "'a' is already used" },
  { CONSTANT ("1", "a", "1 +"), "PAR02", "a", 1, 0, 1, WEIR_SEVERITY_ERROR, "value" },
  { CONSTANT ("1", "a", "one"), "PAR04", "a", 1, 0, 1, WEIR_SEVERITY_ERROR,
    "Parameter value: there is no 'one' in a, the model's variables." },
  { PARAMETERS ("3", "s", "k", "2", CONSTANT ("1", "a", "3*kk")), "PAR04", "s.a", 1, 0, 2,
    WEIR_SEVERITY_ERROR, "there is no 'kk' in s.a, s, the model's variables; did you mean 'k'?" },
  { PARAMETERS ("3", "s", "k", "n + 1' /><parameter name='n' value='k/2", ""), "PAR01", "s", 3, 0,
    1, WEIR_SEVERITY_ERROR, "these define each other: s.k = n + 1, s.n = k/2." },
  { CONSTANT ("1", "a", "2*sin(t)"), "PAR06", "a", 1, 0, 1, WEIR_SEVERITY_ERROR,
    "depends on time" },
  { CONSTANT ("1", "a", "1/0"), "PAR06", "a", 1, 0, 1, WEIR_SEVERITY_ERROR,
    "\"1/0\" has no finite value." },
  { CONSTANT ("1", "a", "[1, 2] + [1, 2, 3]"), "PAR06", "a", 1, 0, 1, WEIR_SEVERITY_ERROR,
    "[1, 2] + [1, 2, 3]" },
  { CONSTANT ("1", "a", "3 &quot;furlongs&quot;"), "UNI01", "a", 1, 0, 1, WEIR_SEVERITY_ERROR,
    "furlongs" },
  { WITH ("1", "Pendulum", "p", "length", "3 &quot;kg&quot;"), "UNI02", "p", 1, 0, 1,
    WEIR_SEVERITY_ERROR, "Parameter length: \"3 \"kg\"\" is in kg, but must be in m." },
  { "<block id='1' type='Constant' name='a' x='0' y='0'><meta name='unit' of='y' "
    "value='smoot'/></block>\n",
    "UNI01", "a", 1, 0, 1, WEIR_SEVERITY_ERROR, "Port 'y': " },
  { WITH ("1", "UnitConversion", "c", "to", "kg") CONSTANT ("2", "a", "1") WIRE ("3", "2.y", "1.u"),
    "PAR02", "c", 1, 0, 1, WEIR_SEVERITY_ERROR, "deg and kg measure different things" },
  { IN_UNIT ("1", "v", "km/h") IN_UNIT ("2", "w", "m/s") BLOCK ("3", "Sum", "sum")
        WIRE ("4", "1.y", "3.in1") WIRE ("5", "2.y", "3.in2") BLOCK ("6", "Terminator", "t")
            WIRE ("7", "3.y", "6.u"),
    "UNI04", "sum", 3, 0, 3, WEIR_SEVERITY_ERROR,
    "Ports 'in1' and 'in2' must have one unit, but are in km/h and in m/s; put a UnitConversion "
    "block from m/s to "
    "km/h between them." },
  { IN_UNIT ("1", "v", "km/h") BLOCK ("2", "Pendulum", "p") WIRE ("3", "1.y", "2.torque"), "UNI03",
    "p", 2, 3, 3, WEIR_SEVERITY_ERROR,
    "Input 'torque' takes N*m, but output 'y' of v is in km/h; these measure different things" },
  { IN_UNIT ("1", "v", "kN*m") BLOCK ("4", "UnitDelay", "d") BLOCK ("2", "Pendulum", "p")
        WIRE ("3", "4.y", "2.torque") WIRE ("5", "1.y", "4.u"),
    "UNI03", "p", 2, 3, 4, WEIR_SEVERITY_ERROR,
    "put a UnitConversion block from kN*m to N*m between them." },
  { "<block id='1' type='Constant' name='a' x='0' y='0'><meta name='mass' type='number' "
    "value='heavy'/></block>\n",
    "MET01", "a", 1, 0, 1, WEIR_SEVERITY_WARNING,
    "The metadata 'mass' are 'heavy', but must be a number." },
  { SUBSYSTEM ("3", "s", CONSTANT ("1", "a", "")), "PAR02", "s.a", 1, 0, 2, WEIR_SEVERITY_ERROR,
    "value" },
  { WITH ("1", "Constant", "a", "valeu", "1"), "PAR03", "a", 1, 0, 1, WEIR_SEVERITY_ERROR,
    "no parameter 'valeu'; a block of type Constant has value" },
};

/* @loops: the setting. */
static WeirDiagnostics *
complete_with (const char *inside, const char *loops, WeirSystem **system)
{
  g_autofree char *text = g_strconcat (
      "<weir version='1'><settings><setting name='algebraic-loops' value='", loops,
      "'/></settings><diagram>", inside, "</diagram></weir>", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  WeirDiagnostics *diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, NULL, diagnostics);
  g_autoptr (WeirSystem) made = NULL;

  if (model == NULL)
    g_error ("%s: %s", text, weir_diagnostics_get (diagnostics, 0)->text);
  made = weir_model_complete (model, diagnostics);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      g_autofree char *line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, i));

      g_test_message ("%s", line);
    }
  if (made == NULL && !weir_diagnostics_has_errors (diagnostics))
    g_error ("no system and no error");
  if (system != NULL)
    *system = g_steal_pointer (&made);
  return diagnostics;
}

static WeirDiagnostics *
complete (const char *inside, WeirSystem **system)
{
  return complete_with (inside, "refuse", system);
}

/* Each file has the one problem meant, and no other. */
static void
test_problems (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      g_autoptr (WeirSystem) system = NULL;
      g_autoptr (WeirDiagnostics) diagnostics = complete (c->inside, &system);
      const WeirDiagnostic *d;

      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
      d = weir_diagnostics_get (diagnostics, 0);
      g_assert_cmpstr (d->code, ==, c->code);
      g_assert_cmpstr (d->path, ==, c->path);
      g_assert_cmpuint (d->block, ==, c->block);
      g_assert_cmpuint (d->wire, ==, c->wire);
      g_assert_cmpint (d->line, ==, c->line);
      g_assert_cmpint (d->severity, ==, c->severity);
      if (strstr (d->text, c->part) == NULL)
        g_error ("'%s' is not in: %s", c->part, d->text);
      g_assert_cmpint (system != NULL, ==, c->severity != WEIR_SEVERITY_ERROR);
    }
}

/* All of them in one model, each in a Subsystem of its own: every problem is told, whatever else is
 * wrong. */
static void
test_all_at_once (void)
{
  g_autoptr (GString) inside = g_string_new (NULL);
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  guint n_found = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GRegex) ids = g_regex_new ("(id='|from='|to=')([0-9]+)", 0, 0, NULL);
      g_autofree char *replacement = g_strdup_printf ("\\g<1>%u0\\g<2>", i + 1);
      g_autofree char *renumbered = g_regex_replace (ids, cases[i].inside, -1, 0, replacement, 0,
                                                     NULL);

      g_string_append_printf (
          inside,
          "<block id='%u' type='Subsystem' name='case %u' x='0' y='0'><diagram>%s</diagram>"
          "</block>\n",
          10000 + i, i, renumbered);
    }
  diagnostics = complete (inside->str, NULL);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, G_N_ELEMENTS (cases));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("case %u%s%s", i, ".", cases[i].path);

      for (guint k = 0; k < weir_diagnostics_get_size (diagnostics); k++)
        {
          const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, k);

          if (strcmp (d->path, path) == 0 && strcmp (d->code, cases[i].code) == 0)
            {
              n_found++;
              break;
            }
        }
    }
  g_assert_cmpuint (n_found, ==, G_N_ELEMENTS (cases));
}

static void
test_settings (void)
{
  static const struct {
    const char *name, *text;
    gboolean is_valid;
  } settings[] = {
    { "stop-time", "10", TRUE },
    { "stop-time", "0", TRUE },
    { "stop-time", "-1", FALSE },
    { "stop-time", "soon", FALSE },
    { "stop-time", "inf", FALSE },
    { "stop-time", "[1, 2]", FALSE },
    { "relative-tolerance", "1e-6", TRUE },
    { "relative-tolerance", "0", FALSE },
    { "relative-tolerance", "1", FALSE },
    { "absolute-tolerance", "1e-9", TRUE },
    { "absolute-tolerance", "0", FALSE },
    { "absolute-tolerance", "nan", FALSE },
    { "step", "0", TRUE },
    { "step", "-0.1", FALSE },
    { "max-step", "", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      WeirPatch *patch = weir_patch_new ();
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = NULL;
      g_autoptr (WeirSystem) system = NULL;

      weir_patch_set_setting (patch, settings[i].name, settings[i].text);
      model = apply (model_from_xml (CONSTANT ("1", "a", "1")), patch, NULL);
      system = weir_model_complete (model, diagnostics);
      g_test_message ("%s=%s", settings[i].name, settings[i].text);
      g_assert_cmpint (system != NULL, ==, settings[i].is_valid);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, settings[i].is_valid ? 0 : 1);
      if (!settings[i].is_valid)
        {
          const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, 0);

          g_assert_cmpstr (d->code, ==, "SET01");
          g_assert_nonnull (strstr (d->text, settings[i].name));
        }
    }
}

/* A setting that there is not: kept, and told with its line and what may have been meant. */
static void
test_unknown_settings (void)
{
  static const struct {
    const char *name, *told;
  } unknown[] = {
    { "stop-tmie", "There is no setting 'stop-tmie', so that it changes nothing; did you mean "
                   "'stop-time'? The settings are stop-time, solver, relative-tolerance, " },
    { "interval", "; did you mean 'record-interval'? The settings are " },
    { "stop_time", "; did you mean 'stop-time'? The settings are " },
    { "colour", "There is no setting 'colour', so that it changes nothing. The settings are " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "<weir version=\"1\">\n  <settings>\n    <setting name=\"%s\" value=\"2\"/>\n"
          "  </settings>\n  <diagram/>\n</weir>\n",
          unknown[i].name);
      g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
      g_autoptr (GBytes) written = NULL;
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "x.weir", diagnostics);
      g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
      const WeirDiagnostic *d;

      g_assert_nonnull (system);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
      d = weir_diagnostics_get (diagnostics, 0);
      g_test_message ("%s", d->text);
      g_assert_cmpstr (d->code, ==, "SET02");
      g_assert_cmpint (d->severity, ==, WEIR_SEVERITY_WARNING);
      g_assert_cmpint (d->line, ==, 3);
      g_assert_cmpstr (d->subject, ==, unknown[i].name);
      g_assert_nonnull (strstr (d->text, unknown[i].told));
      g_assert_true (g_str_has_suffix (d->text, " and max-stalled-steps."));
      written = weir_model_write_bytes (model);
      g_assert_nonnull (g_strstr_len (g_bytes_get_data (written, NULL),
                                      (gssize) g_bytes_get_size (written), "value=\"2\"/>"));
    }
}

/* A problem does not make others out of what hangs on it. */
static void
test_no_consequences (void)
{
  g_autoptr (WeirDiagnostics) diagnostics = complete (
      BLOCK ("1", "Unheard of", "x") BLOCK ("2", "Sum", "sum") CONSTANT ("3", "c", "[1, 2]") WIRE (
          "4", "1.anything", "2.in1") WIRE ("5", "3.y", "2.in2") WIRE ("6", "2.y", "1.whatever")
          SUBSYSTEM ("7", "s",
                     BLOCK ("8", "In", "u") BLOCK ("9", "Pendulum", "p") BLOCK ("10", "Out", "y")
                         WIRE ("11", "8.y", "9.torque") WIRE ("12", "9.theta", "10.u"))
              WIRE ("13", "2.y", "7.u") BLOCK ("14", "Scope", "scope") WIRE ("15", "7.y", "14.in1"),
      NULL);

  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
  g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, "NET08");
}

/* Two loops are told as two. A loop through a Subsystem is told where it closes. */
static void
test_loops (void)
{
  g_autoptr (WeirDiagnostics) two = complete (
      BLOCK ("1", "Gain", "a") WIRE ("2", "1.y", "1.u") BLOCK ("3", "Gain", "b")
          BLOCK ("4", "Gain", "c") WIRE ("5", "3.y", "4.u") WIRE ("6", "4.y", "3.u"),
      NULL);
  g_autoptr (WeirDiagnostics) nested = complete (
      SUBSYSTEM ("1", "s",
                 BLOCK ("2", "In", "u") BLOCK ("3", "Gain", "g") BLOCK ("4", "Out", "y")
                     WIRE ("5", "2.y", "3.u") WIRE ("6", "3.y", "4.u")) BLOCK ("7", "Gain", "h")
          WIRE ("8", "1.y", "7.u") WIRE ("9", "7.y", "1.u"),
      NULL);
  g_autoptr (WeirSystem) broken = NULL;
  g_autoptr (WeirDiagnostics)
      state = complete (BLOCK ("1", "Integrator", "x") BLOCK ("2", "Gain", "g")
                            WIRE ("3", "1.y", "2.u") WIRE ("4", "2.y", "1.u"),
                        &broken);

  g_assert_cmpuint (weir_diagnostics_get_size (two), ==, 2);
  g_assert_cmpstr (weir_diagnostics_get (two, 0)->path, ==, "a");
  g_assert_cmpstr (weir_diagnostics_get (two, 1)->path, ==, "b");
  g_assert_cmpuint (weir_diagnostics_get_size (nested), ==, 1);
  g_assert_cmpstr (weir_diagnostics_get (nested, 0)->path, ==, "s");
  g_assert_cmpuint (weir_diagnostics_get_size (state), ==, 0);
  g_assert_nonnull (broken);
}

/* Discrete blocks whose numbers are not those that Simulink's order of ticks would give: told where
 * the input changes between ticks, through a Subsystem too; not behind a hold, nor among discrete
 * blocks, nor of what samples its input itself. */
static void
test_conventions (void)
{
#define BEHIND(source, type)                                                                       \
  source BLOCK ("2", type, "d") WIRE ("3", "1.y", "2.u") BLOCK ("9", "Terminator", "t")            \
      WIRE ("10", "2.y", "9.u")
#define HELD(type)                                                                                 \
  BLOCK ("1", "Clock", "c")                                                                        \
  BLOCK ("4", "ZeroOrderHold", "z")                                                                \
  WIRE ("5", "1.y", "4.u")                                                                         \
  BLOCK ("2", type, "d")                                                                           \
  WIRE ("3", "4.y", "2.u") BLOCK ("9", "Terminator", "t") WIRE ("10", "2.y", "9.u")
  static const struct {
    const char *inside, *code;
  } conventions[] = {
    { BEHIND (BLOCK ("1", "Clock", "c"), "UnitDelay"), "SEM01" },
    { BEHIND (BLOCK ("1", "Clock", "c"), "Delay"), "SEM01" },
    { BEHIND (BLOCK ("1", "Clock", "c"), "TappedDelay"), "SEM01" },
    { BEHIND (BLOCK ("1", "Clock", "c"), "DiscreteTransferFunction"), "SEM01" },
    { BEHIND (BLOCK ("1", "Clock", "c"), "FIR"), "SEM02" },
    { BEHIND (BLOCK ("1", "Clock", "c"), "DiscreteFilter"), "SEM02" },
    { BEHIND (BLOCK ("1", "Clock", "c"), "DiscretePID"), NULL },
    { BEHIND (BLOCK ("1", "Clock", "c"), "DiscreteDerivative"), NULL },
    { BEHIND (BLOCK ("1", "Clock", "c"), "ZeroOrderHold"), NULL },
    { BEHIND (BLOCK ("1", "Counter", "c"), "UnitDelay"), NULL },
    { BEHIND (CONSTANT ("1", "c", "1"), "FIR"), NULL },
    { HELD ("UnitDelay"), NULL },
    { HELD ("FIR"), NULL },
    { CONSTANT ("6", "k", "1") BLOCK ("1", "Integrator", "c") WIRE ("7", "6.y", "1.u") SUBSYSTEM (
          "5", "s",
          BLOCK ("11", "In", "u") BLOCK ("12", "UnitDelay", "d") WIRE ("13", "11.y", "12.u")
              BLOCK ("14", "Terminator", "t") WIRE ("15", "12.y", "14.u")) WIRE ("8", "1.y", "5.u"),
      "SEM01" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (conventions); i++)
    {
      g_autoptr (WeirSystem) system = NULL;
      g_autoptr (WeirDiagnostics) diagnostics = complete (conventions[i].inside, &system);

      g_assert_nonnull (system);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, conventions[i].code != NULL);
      if (conventions[i].code == NULL)
        continue;
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, conventions[i].code);
      g_assert_cmpint (weir_diagnostics_get (diagnostics, 0)->severity, ==, WEIR_SEVERITY_HINT);
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->subject, ==, "u");
      g_assert_nonnull (
          strstr (weir_diagnostics_get (diagnostics, 0)->text, "put a ZeroOrderHold"));
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->path, ==,
                       i + 1 == G_N_ELEMENTS (conventions) ? "s.d" : "d");
    }
}

/* Solved unless the model refuses: a hint with the same path, and a system with the solution
 * in it. */
static void
test_solved_loop (void)
{
  const char *inside = BLOCK ("1", "Sum", "s") WITH ("2", "Gain", "g", "gain", "-3")
      WIRE ("3", "1.y", "2.u") WIRE ("4", "2.y", "1.in1") CONSTANT ("5", "c", "2")
          WIRE ("6", "5.y", "1.in2");
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = complete_with (inside, "solve", &system);
  g_autoptr (WeirDiagnostics) wrong = NULL;
  g_autoptr (WeirContext) context = NULL;
  const WeirDiagnostic *hint;
  WeirNode node;

  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
  hint = weir_diagnostics_get (diagnostics, 0);
  g_assert_cmpstr (hint->code, ==, "NET04");
  g_assert_cmpint (hint->severity, ==, WEIR_SEVERITY_HINT);
  g_assert_nonnull (strstr (hint->text, "s.y (wire 3) -> g.y (wire 4) -> s.y"));
  context = weir_system_create_context (system);
  g_assert_true (weir_layout_find_node (weir_system_get_layout (system), "s", &node));
  /* s = 2 - 3 s */
  g_assert_cmpfloat_with_epsilon (*weir_eval_output (system, context, node, (WeirOutput) { 0 }),
                                  0.5, 1e-15);

  wrong = complete_with (inside, "ignore", NULL);
  g_assert_cmpstr (weir_diagnostics_get (wrong, 0)->code, ==, "SET01");
  g_assert_nonnull (strstr (weir_diagnostics_get (wrong, 0)->text, "must be solve or refuse"));
}

/* A size that grows around a loop ends in a problem, not in a long wait. */
static void
test_growing_size (void)
{
  g_autoptr (WeirDiagnostics)
      diagnostics = complete (BLOCK ("1", "Mux", "m") CONSTANT ("2", "c", "1")
                                  WIRE ("3", "2.y", "1.in1") WIRE ("4", "1.y", "1.in2"),
                              NULL);

  g_assert_true (weir_diagnostics_has_errors (diagnostics));
  g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, "NET03");
  g_assert_nonnull (strstr (weir_diagnostics_get (diagnostics, 0)->text, "does not settle"));
}

/* --- Systems --------------------------------------------------------------------------------- */

static const double *
eval (WeirSystem *system, WeirContext *context, const char *path, const char *port_name,
      guint *size)
{
  WeirLayout *layout = weir_system_get_layout (system);
  WeirNode node;
  WeirOutput out;

  g_assert_true (weir_layout_find_node (layout, path, &node));
  g_assert_true (weir_layout_find_output (layout, node, port_name, &out));
  *size = weir_layout_get_output_size (layout, node, out);
  return weir_eval_output (system, context, node, out);
}

/* y = 3 (2 [1, 2, 3] + 0.5): three levels, a scalar spread over a vector, ports in order of id. */
static void
test_nested (void)
{
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = complete (
      CONSTANT ("1", "v", "[1, 2, 3]") CONSTANT ("2", "offset", "0.5") SUBSYSTEM (
          "3", "outer",
          BLOCK ("4", "In", "a") BLOCK ("5", "In", "b") SUBSYSTEM (
              "6", "inner",
              BLOCK ("7", "In", "u") WITH ("8", "Gain", "twice", "gain", "2")
                  BLOCK ("9", "Sum", "sum") BLOCK ("10", "In", "c") BLOCK ("11", "Out", "y") WIRE (
                      "12", "7.y", "8.u") WIRE ("13", "8.y", "9.in1") WIRE ("14", "10.y", "9.in2")
                      WIRE ("15", "9.y", "11.u")) BLOCK ("16", "Out", "y") WIRE ("17", "4.y", "6.u")
              WIRE ("18", "5.y", "6.c") WIRE ("19", "6.y", "16.u") BLOCK ("30", "Out", "through")
                  WIRE ("31", "4.y", "30.u")) WITH ("20", "Gain", "thrice", "gain", "3")
          BLOCK ("21", "Out", "result") WIRE ("22", "1.y", "3.a") WIRE ("23", "2.y", "3.b")
              WIRE ("24", "3.y", "20.u") WIRE ("25", "20.y", "21.u") BLOCK ("32", "Scope", "scope")
                  WIRE ("33", "3.through", "32.in1"),
      &system);
  g_autoptr (WeirContext) context = NULL;
  const double expected[] = { 7.5, 13.5, 19.5 };
  const double passed[] = { 1, 2, 3 };
  const double *value;
  guint size;

  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_assert_nonnull (system);
  context = weir_system_create_context (system);
  value = eval (system, context, "", "result", &size);
  g_assert_cmpuint (size, ==, 3);
  g_assert_cmpmem (value, size * sizeof *value, expected, sizeof expected);
  value = eval (system, context, "outer", "through", &size);
  g_assert_cmpmem (value, size * sizeof *value, passed, sizeof passed);
  value = eval (system, context, "outer.inner.sum", "y", &size);
  g_assert_cmpfloat (value[0], ==, 2.5);
}

/* The size of a state loop comes from what is added to it, against the order of ids. */
static void
test_size_in_loop (void)
{
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = complete (
      BLOCK ("1", "Integrator", "x") BLOCK ("2", "Gain", "g") BLOCK ("3", "Sum", "sum")
          CONSTANT ("4", "c", "[1, 2]") WIRE ("5", "3.y", "1.u") WIRE ("6", "1.y", "2.u")
              WIRE ("7", "2.y", "3.in1") WIRE ("8", "4.y", "3.in2"),
      &system);

  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_assert_cmpuint (weir_layout_get_n_states (weir_system_get_layout (system)), ==, 2);
}

/* Inputs of the root are ports of the system. */
static void
test_root_ports (void)
{
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = complete (
      BLOCK ("1", "In", "force") BLOCK ("2", "Gain", "g") BLOCK ("3", "Out", "y")
          WIRE ("4", "1.y", "2.u") WIRE ("5", "2.y", "3.u"),
      &system);

  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_assert_cmpuint (weir_system_get_n_inputs (system), ==, 1);
  g_assert_cmpstr (weir_system_get_input_name (system, (WeirInput) { 0 }), ==, "force");
  g_assert_cmpstr (weir_system_get_output_name (system, (WeirOutput) { 0 }), ==, "y");
}

static void
test_empty (void)
{
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = complete (SUBSYSTEM ("1", "s", ""), &system);

  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_assert_nonnull (system);
}

static void
test_signal_names (void)
{
  static const struct {
    const char *path, *name;
  } expected[] = {
    { "Scope.in1", "c.y" },
    { "Scope.in1[2]", "c.y[2]" },
    { "Scope.in2", "Scope.in2" }, /* nothing drives it */
    { "s.inner.in1", "s.c.y" },
    { "s.inner.in2", "s.u" }, /* the Subsystem's own input */
    { "s.u", "c.y" },
    { "both.u", "both.u" }, /* an output too */
    { "c.y", "c.y" },
    { "nobody.in1", "nobody.in1" },
    { "result", "result" },
  };
  g_autoptr (WeirModel) model = model_from_xml (
      CONSTANT ("1", "c", "1")
          SUBSYSTEM ("2", "s",
                     CONSTANT ("3", "c", "1") BLOCK ("4", "In", "u")
                         WITH ("5", "Scope", "inner", "inputs", "2") WIRE ("6", "3.y", "5.in1")
                             WIRE ("7", "4.y", "5.in2")) WITH ("8", "Scope", "Scope", "inputs", "2")
              WIRE ("9", "1.y", "8.in1")
                  SUBSYSTEM ("10", "both", BLOCK ("11", "In", "u") BLOCK ("12", "Out", "u"))
                      WIRE ("13", "1.y", "2.u") WIRE ("14", "1.y", "10.u"));

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *name = weir_model_dup_signal_name (model, expected[i].path);

      g_assert_cmpstr (name, ==, expected[i].name);
    }
}

static void
test_default_log (void)
{
  g_autoptr (WeirModel) model = model_from_xml (
      CONSTANT ("1", "c", "1") SUBSYSTEM ("2", "s",
                                          CONSTANT ("3", "c", "1") BLOCK ("4", "Scope", "inner")
                                              WIRE ("5", "3.y", "4.in1"))
          WITH ("6", "Scope", "Scope", "inputs", "3") WIRE ("7", "1.y", "6.in3")
              WIRE ("8", "1.y", "6.in1") BLOCK ("9", "Out", "result") WIRE ("10", "1.y", "9.u"));
  g_auto (GStrv) logs = weir_model_dup_recorded_ports (model);
  g_autofree char *all = g_strjoinv (" ", logs);

  g_assert_cmpstr (all, ==, "s.inner.in1 Scope.in1 Scope.in3 result");
}

static void
test_ports (void)
{
  g_autoptr (WeirModel) model = model_from_xml (
      SUBSYSTEM ("1", "s",
                 BLOCK ("9", "In", "late") BLOCK ("3", "In", "early") BLOCK ("4", "Out", "y"))
          WITH ("5", "Sum", "sum", "signs", "+-+") WITH ("6", "Sum", "bad", "signs", "abc")
              BLOCK ("7", "What", "x"));
  static const struct {
    guint32 id;
    const char *inputs, *outputs;
  } expected[] = {
    { 1, "early late", "y" }, { 5, "in1 in2 in3", "y" }, { 6, "", "" }, { 7, "", "" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const WeirBlock *block = weir_model_find_block (model, expected[i].id, NULL);
      g_auto (GStrv) inputs = weir_block_dup_inputs (block);
      g_auto (GStrv) outputs = weir_block_dup_outputs (block);
      g_autofree char *all_inputs = g_strjoinv (" ", inputs);
      g_autofree char *all_outputs = g_strjoinv (" ", outputs);

      g_assert_cmpstr (all_inputs, ==, expected[i].inputs);
      g_assert_cmpstr (all_outputs, ==, expected[i].outputs);
    }
}

static void
test_tunable (void)
{
  g_autoptr (WeirBlock) gain = weir_block_new (1, "Gain", "g", (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlock) sum = weir_block_new (2, "Sum", "s", (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlock) unknown = weir_block_new (3, "What", "x", (WeirPoint) { 0, 0 });
  const char *name = NULL;

  g_assert_true (weir_model_is_tunable (gain, "gain", &name));
  g_assert_cmpstr (name, ==, "gain");
  g_assert_false (weir_model_is_tunable (gain, "no such", NULL));
  g_assert_false (weir_model_is_tunable (sum, "signs", NULL));
  g_assert_false (weir_model_is_tunable (unknown, "gain", NULL));
}

/* Whatever a model holds, completing it ends in a system or in errors, and says nothing else. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (26));

  for (guint round = 0; round < 150; round++)
    {
      g_autoptr (WeirModel) model = random_model (rand, 2 * round);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
      g_auto (GStrv) logs = weir_model_dup_recorded_ports (model);

      g_assert_cmpint (system == NULL, ==, weir_diagnostics_has_errors (diagnostics));
      for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
        {
          const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, i);

          if (d->block != 0)
            {
              g_autofree char *path = weir_model_dup_block_path (model, d->block);

              g_assert_cmpstr (path, ==, d->path);
            }
          g_assert_true (g_str_has_suffix (d->text, "."));
        }
    }
}

/* A chain of 20 000 blocks wired against the order of ids is completed in time,
 * without recursion. */
static void
test_long_chain (void)
{
  enum { N = 20000 };
  g_autoptr (GString) inside = g_string_new (CONSTANT ("1", "c", "[1, 2]"));
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < N; i++)
    g_string_append_printf (inside, "<block id='%u' type='Gain' name='g%u' x='0' y='0'/>", 10 + i,
                            i);
  for (guint i = 0; i < N; i++)
    g_string_append_printf (inside, "<wire id='%u' from='%u.y' to='%u.u'/>", 100000 + i,
                            i + 1 < N ? 10 + i + 1 : 1, 10 + i);
  diagnostics = complete (inside->str, &system);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_assert_nonnull (system);
  g_test_message ("read and completed in %.2f s", (double) (g_get_monotonic_time () - start) / 1e6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/completion/problems", test_problems);
  g_test_add_func ("/model/completion/all-at-once", test_all_at_once);
  g_test_add_func ("/model/completion/signal-names", test_signal_names);
  g_test_add_func ("/model/completion/settings", test_settings);
  g_test_add_func ("/model/completion/unknown-settings", test_unknown_settings);
  g_test_add_func ("/model/completion/no-consequences", test_no_consequences);
  g_test_add_func ("/model/completion/loops", test_loops);
  g_test_add_func ("/model/completion/growing-size", test_growing_size);
  g_test_add_func ("/model/completion/nested", test_nested);
  g_test_add_func ("/model/completion/conventions", test_conventions);
  g_test_add_func ("/model/completion/solved-loop", test_solved_loop);
  g_test_add_func ("/model/completion/size-in-loop", test_size_in_loop);
  g_test_add_func ("/model/completion/root-ports", test_root_ports);
  g_test_add_func ("/model/completion/empty", test_empty);
  g_test_add_func ("/model/completion/default-log", test_default_log);
  g_test_add_func ("/model/completion/ports", test_ports);
  g_test_add_func ("/model/completion/tunable", test_tunable);
  g_test_add_func ("/model/completion/random", test_random);
  g_test_add_func ("/model/completion/long-chain", test_long_chain);
  return g_test_run ();
}

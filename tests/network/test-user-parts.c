/* Parts that users write: found beside the model, kept in it, and what is told when a text is
 * another by now. Expected numbers: Ohm's law.
 */
#include "networks.h"

#include <glib/gstdio.h>

#include "blocks/parts/user-parts.h"

#define LAMP(R)                                                                                    \
  "# what stands between parts is passed over\n"                                                   \
  "group \"Mine\"\n"                                                                               \
  "part Lamp \"Lamp\" Lamp\n"                                                                      \
  "  help \"Glows.\"\n"                                                                            \
  "  pin p: electrical left\n"                                                                     \
  "  pin n: electrical right\n"                                                                    \
  "  through i: p -> n\n"                                                                          \
  "  across v: p - n\n"                                                                            \
  "  parameter R > 0 = " R " \"ohm\"  # Resistance: Of it.\n"                                      \
  "  v ~ R*i\n"

#define MODEL(HEAD, TYPE)                                                                          \
  "<weir version='4'>" HEAD "<diagram>"                                                            \
  "<block id='1' type='VoltageSource' name='V1' x='0' y='0'>"                                      \
  "<parameter name='V' value='10'/></block>"                                                       \
  "<block id='2' type='" TYPE "' name='L1' x='90' y='0'/>"                                         \
  "<block id='3' type='Ground' name='G' x='0' y='90'/>"                                            \
  "<line id='4' from='1.p' to='2.p'/><line id='5' from='1.n' to='3.p'/>"                           \
  "<line id='6' from='2.n' to='3.p'/></diagram></weir>"

static char *
write_file (const char *folder, const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static WeirModel *
read_file (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  WeirModel *model = weir_model_read_file (file, found);

  g_assert_nonnull (model);
  return model;
}

static WeirModel *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  WeirModel *model = weir_model_read_bytes (bytes, NULL, found);

  g_assert_nonnull (model);
  return model;
}

static char *
dup_text (WeirModel *model)
{
  g_autoptr (GBytes) bytes = weir_model_write_bytes (model);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* "CODE path: sentence\n" of each. @current: (nullable) through L1 at the start. */
static char *
complete (WeirModel *model, double *current)
{
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, found);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < weir_diagnostics_get_size (found); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (found, i);

      g_string_append_printf (text, "%s %s: %s\n", d->code, d->path, d->text);
    }
  if (current != NULL)
    {
      g_autoptr (WeirContext) context = NULL;
      g_autoptr (WeirSimulator) simulator = NULL;
      WeirSimulatorOptions options;
      g_autoptr (GError) error = NULL;

      if (system == NULL)
        g_error ("%s", text->str);
      weir_simulator_options_init (&options);
      context = weir_system_create_context (system);
      simulator = weir_simulator_new (system, context, &options, &error);
      g_assert_no_error (error);
      g_assert_true (weir_simulator_initialize (simulator, &error));
      *current = net_value (simulator, "L1.i");
    }
  return g_string_free (text, FALSE);
}

/* A part beside the model is found by its name; what is saved opens where there is no such file,
 * and goes on with its text where the file has changed. */
static void
test_embedded (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-parts-XXXXXX", NULL);
  g_autofree char *parts = write_file (folder, "lamp.weirpart", LAMP ("500"));
  g_autofree char *path = write_file (folder, "a.weir", MODEL ("", "Lamp"));
  g_autoptr (WeirModel) model = read_file (path);
  g_autoptr (WeirModel) elsewhere = NULL;
  g_autoptr (WeirModel) changed = NULL;
  g_autofree char *none = NULL, *none_either = NULL, *told = NULL, *saved = dup_text (model);
  g_autofree char *again = NULL, *rewritten = NULL;
  double current;

  none = complete (model, &current);
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpfloat (current, ==, 10.0 / 500);
  g_assert_nonnull (strstr (saved, "parameter R &gt; 0 = 500"));

  elsewhere = read_text (saved);
  none_either = complete (elsewhere, &current);
  g_assert_cmpstr (none_either, ==, "");
  g_assert_cmpfloat (current, ==, 10.0 / 500);
  again = dup_text (elsewhere);
  g_assert_cmpstr (again, ==, saved);

  g_free (g_steal_pointer (&parts));
  parts = write_file (folder, "lamp.weirpart", LAMP ("2000"));
  rewritten = write_file (folder, "a.weir", saved);
  changed = read_file (path);
  told = complete (changed, &current);
  g_assert_cmpfloat (current, ==, 10.0 / 500);
  g_assert_cmpstr (told, ==,
                   "PRT01 L1: The file of the part Lamp has changed; the model goes on with the "
                   "text that it was drawn with.\n");
  g_remove (parts);
  g_remove (path);
  g_rmdir (folder);
}

/* A text that somebody edits in the file is the part. */
static void
test_edited (void)
{
  g_autofree char *text = g_strdup (MODEL ("<meta name='part' of='Lamp:0123456789abcdef' "
                                           "value='group \"Mine\"&#10;part Lamp \"Lamp\" L&#10;"
                                           "pin p: electrical left&#10;pin n: electrical right"
                                           "&#10;through i: p -> n&#10;across v: p - n&#10;"
                                           "v ~ 40*i'/>",
                                           "Lamp:0123456789abcdef"));
  g_autoptr (WeirModel) model = read_text (text);
  double current;
  g_autofree char *none = complete (model, &current);

  g_assert_cmpstr (none, ==, "");
  g_assert_cmpfloat (current, ==, 10.0 / 40);
}

/* A text that is not understood is told, and kept. */
static void
test_kept (void)
{
  static const char part[] =
      "<meta name=\"part\" of=\"Lamp:0123456789abcdef\" value=\"nonsense\"/>";
  g_autofree char *text = g_strconcat ("<weir version='4'>", part,
                                       "<diagram><block id='2' type='Lamp:0123456789abcdef' "
                                       "name='L1' x='90' y='0'/></diagram></weir>",
                                       NULL);
  g_autoptr (WeirModel) model = read_text (text);
  g_autofree char *told = complete (model, NULL), *saved = dup_text (model);

  g_assert_nonnull (strstr (told,
                            "PRT05 : The text of a part in the model is kept, but not "
                            "understood: Part ?, line 1: 'nonsense' stands before any part."));
  g_assert_nonnull (strstr (told, "NET08 L1"));
  g_assert_nonnull (strstr (saved, part));
  g_assert_nonnull (strstr (saved, "type=\"Lamp:0123456789abcdef\""));
}

typedef struct {
  const char *text, *problem;
} Wrong;

#define PART "group \"G\"\npart A \"A\" A\n"
#define PINS PART "pin p: electrical left\npin n: electrical right\n"

static const Wrong wrongs[] = {
  { "parameter x = 1\n", "1: part ?: 'parameter' stands before any part." },
  { "part A \"A\" A\n", "1: part A: a part stands in a group, and has a title in quotes." },
  { "group G\n", "1: part ?: a group has a title in quotes." },
  { PART, "2: part A: it has no pins." },
  { PART "pin p electrical\n", "3: part A: a pin is written 'pin p: electrical left'." },
  { PART "pin p: sound left\n", "3: part A: there is no domain 'sound'." },
  { PART "pin p: thermal under\n",
    "3: part A: a pin is at the left, right, top or bottom, but not at 'under'." },
  { PINS "pin p: electrical left\n", "5: part A: there is a 'p' already." },
  { PINS "through i: p -> x\n", "5: part A: there is no pin 'x'." },
  { PINS "pin h: thermal top\nthrough i: p -> h\n",
    "6: part A: the pins of 'i' are of two domains." },
  { PINS "parameter R\n", "5: part A: parameter 'R' has no value." },
  { PINS "parameter R = many\n", "5: part A: parameter 'R' is 'many', but must be a number." },
  { PINS "parameter R > 0 = -1\n",
    "5: part A: parameter 'R' is '-1', but must be a number greater than 0." },
  { PINS "parameter R > a = 1\n", "5: part A: 'a' is no number." },
  { PINS "parameter 2R = 1\n", "5: part A: a name is missing" },
  { PINS "help me\n", "5: part A: help is a sentence in quotes." },
  { PINS "stores p n v0\n", "2: part A: there is no start 'v0', from which it stores." },
  { PINS "carries p rho\n", "2: part A: there is no parameter 'rho', which it carries." },
  { PINS "part A \"A\" A\n", "5: part A: there is a 'A' already." },
  { PINS "option heats\nif heats: pin p: thermal top\n", "6: part A: there is a 'p' already." },
  { PINS "if heats: p.v ~ 0\n", "5: part A: there is no option 'heats' before it." },
  { PINS "count m = 0\n", "5: part A: a count is written 'count n = 3'." },
  { PINS "for k in 1:z: pin q[k]: electrical left\n", "5: part A: a loop is written" },
  { PINS "for k in 1:2000: variable x[k]\n",
    "5: part A: the line stands for more than 1000 lines." },
  { PINS "w ~ 0\n", "5: part A: there is no 'w'; declare it: variable w." },
  { PINS "parameter times = [0, 1]\n",
    "5: part A: a list of numbers is a constant, but 'times' is none." },
  { PINS "reference p\nthrough i: p\n", "2: part A: pin 'p' is the reference" },
  { "domain electrical: p \"Pa\", q \"W\"\n",
    "1: part ?: there is a domain 'electrical' already." },
  { "domain sound: p \"Pa\"\n",
    "1: part ?: a domain is written 'domain acoustic: p \"Pa\", q \"m^3/s\"'." },
};

/* One sentence with file and line. */
static void
test_wrong (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *expected = g_strconcat ("a.weirpart:", wrongs[i].problem, NULL);

      g_assert_null (weir_parts_parse (wrongs[i].text, "a.weirpart", &error));
      if (!g_str_has_prefix (error->message, expected))
        g_error ("%u: expected %s\nfound %s", i, expected, error->message);
    }
}

/* A file that is not understood is told where it matters, and others beside it are. */
static void
test_bad_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-parts-XXXXXX", NULL);
  g_autofree char *bad = write_file (folder, "bad.weirpart", PART "pin p: sound left\n");
  g_autofree char *good = write_file (folder, "lamp.weirpart", LAMP ("100"));
  g_autofree char *path = write_file (folder, "a.weir", MODEL ("", "Lamp"));
  g_autofree char *plain = write_file (folder, "b.weir", MODEL ("", "Resistor"));
  g_autoptr (WeirModel) model = read_file (path);
  g_autoptr (WeirModel) other = read_file (plain);
  g_autofree char *expected = g_strdup_printf ("PRT04 : %s:3: part A: there is no domain "
                                               "'sound'.\n",
                                               bad);
  g_autofree char *at_block = g_strdup_printf ("PRT04 L1: %s:3: part A: there is no domain "
                                               "'sound'.\n",
                                               bad);
  g_autofree char *missing = write_file (folder, "c.weir", MODEL ("", "A"));
  g_autoptr (WeirModel) lacking = read_file (missing);
  g_autofree char *where = complete (lacking, NULL);
  double current;
  g_autofree char *told = complete (model, &current), *none = complete (other, NULL);

  g_assert_cmpstr (told, ==, expected);
  g_assert_nonnull (strstr (where, at_block));
  g_assert_cmpfloat (current, ==, 10.0 / 100);
  g_assert_cmpstr (none, ==, "");
  g_remove (missing);
  g_remove (bad);
  g_remove (good);
  g_remove (path);
  g_remove (plain);
  g_rmdir (folder);
}

/* What is saved says what its built-in parts were, so that another default is told; until somebody
 * decides, it is saved again. */
static void
test_built_in (void)
{
  g_autoptr (WeirModel) model = read_text (MODEL ("", "Resistor"));
  g_autofree char *saved = dup_text (model), *none = NULL, *told = NULL, *kept = NULL,
                  *other = NULL;
  char *at = strstr (saved, " R=1000 ");
  g_autoptr (WeirModel) same = read_text (saved);
  g_autoptr (WeirModel) changed = NULL;
  g_autoptr (WeirModel) computes = NULL;

  none = complete (same, NULL);
  g_assert_cmpstr (none, ==, "");
  g_assert_null (weir_model_get_metadata (same));
  g_assert_nonnull (at);

  at[3] = '7';
  changed = read_text (saved);
  told = complete (changed, NULL);
  g_assert_cmpstr (told, ==,
                   "PRT02 L1: 'R' is not given and is 1000, the default of the part Resistor; when "
                   "the model was saved, it was 7000. Blocks of which this holds: 1.\n");
  kept = dup_text (changed);
  g_assert_nonnull (strstr (kept, " R=7000 "));

  at[3] = '1';
  at[-1] = at[-1] == '0' ? '1' : '0';
  computes = read_text (saved);
  other = complete (computes, NULL);
  g_assert_cmpstr (
      other, ==,
      "PRT03 L1: The built-in part Resistor has changed since the model was saved: its "
      "pins, its parameters or its equations.\n");
}

/* Equal declarations are one domain, and that is not another of the name. */
static void
test_domain (void)
{
  static const char horn[] = "domain acoustic: p \"Pa\", q \"m^3/s\"\ngroup \"G\"\n"
                             "part Horn \"H\" H\npin a: acoustic left\npin b: acoustic right\n"
                             "through q: a -> b\nacross p: a - b\nparameter r = 2\np ~ r*q\n";
  static const char other[] = "domain acoustic: p \"bar\", q \"m^3/s\"\ngroup \"G\"\n"
                              "part Pipe \"P\" P\npin a: acoustic left\nthrough q: a\na.p ~ q\n";
  const WeirPartType *a = weir_user_parts_add (horn, NULL), *b = weir_user_parts_add (horn, NULL);
  const WeirPartType *c = weir_user_parts_add (other, NULL), *d;

  g_assert_true (a != NULL && a == b && c != NULL);
  g_assert_true (g_array_index (a->pins, WeirPinSpec, 0).domain
                 != g_array_index (c->pins, WeirPinSpec, 0).domain);
  d = weir_user_parts_add (a->text, NULL);
  g_assert_true (d != NULL);
  g_assert_cmpstr (d->text, ==, a->text);
  g_assert_true (&a->type == weir_user_parts_find (a->type.name));
}

/* What can be read by default may make no sense with another count: the block is told. */
static void
test_shaped (void)
{
  static const char chain[] = PART "count n = 2\nfor k in 1:3: pin q[k]: electrical left\n"
                                   "for k in 2:n: through i[k]: q[k-1] -> q[k]\n"
                                   "for k in 2:n: q[k-1].v - q[k].v ~ i[k]\nq3.i ~ 0\n";
  g_autofree char *folder = g_dir_make_tmp ("weir-parts-XXXXXX", NULL);
  g_autofree char *file = write_file (folder, "a.weirpart", chain);
  g_autofree char *path = write_file (
      folder, "a.weir",
      "<weir version='4'><diagram><block id='1' type='A' name='A1' x='0' y='0'><parameter name='n' "
      "value='4'/></block></diagram></weir>");
  g_autoptr (WeirModel) model = read_file (path);
  g_autofree char *told = complete (model, NULL);

  g_assert_cmpstr (told, ==, "PAR02 A1: Part A, line 5: there is no pin 'q4'.\n");
  g_remove (file);
  g_remove (path);
  g_rmdir (folder);
}

/* --- What is around -------------------------------------------------------------------------- */

/* @path at @time. */
static double
run (const char *text, const char *path, double time)
{
  g_autoptr (WeirModel) model = read_text (text);
  g_autoptr (WeirSystem) system = NULL;
  g_autofree char *problems = net_dup_problems (model, &system);
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;

  if (system == NULL || problems[0] != '\0')
    g_error ("%s", problems);
  weir_simulator_options_init (&options);
  options.relative_tolerance = 1e-9;
  context = weir_system_create_context (system);
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  weir_simulator_advance_to (simulator, time, &error);
  g_assert_no_error (error);
  return net_value (simulator, path);
}

#define VARIABLE(NAME, VALUE) "<variables><variable name='" NAME "' value='" VALUE "'/></variables>"
#define FALLING                                                                                    \
  "<block id='1' type='Mass' name='m' x='0' y='0'><parameter name='m' value='2'/></block>"         \
  "<block id='2' type='Weight' name='w' x='0' y='0'><parameter name='m' value='2'/></block>"       \
  "<line id='3' from='1.a' to='2.a'/>"
#define WITHIN(PARAMETERS)                                                                         \
  "<block id='9' type='Subsystem' name='moon' x='0' y='0'>" PARAMETERS "<diagram>" FALLING         \
  "</diagram></block>"
#define OWN_GRAVITY                                                                                \
  "<block id='1' type='Mass' name='m' x='0' y='0'/>"                                               \
  "<block id='2' type='Weight' name='w' x='0' y='0'><parameter name='g' value='4'/></block>"       \
  "<line id='3' from='1.a' to='2.a'/>"
#define WHOLE(HEAD, INSIDE) "<weir version='4'>" HEAD "<diagram>" INSIDE "</diagram></weir>"

/* Gravity is the model's, that of a subsystem around it, or the earth's: -g t^2 / 2 after a second.
 * A part that says its own has that. */
static void
test_gravity (void)
{
  static const double earth = -9.80665 / 2, moon = -1.62 / 2;

  g_assert_cmpfloat_with_epsilon (run (WHOLE ("", FALLING), "m.a.s", 1), earth, 1e-9);
  g_assert_cmpfloat_with_epsilon (run (WHOLE (VARIABLE ("gravity", "1.62"), FALLING), "m.a.s", 1),
                                  moon, 1e-9);
  g_assert_cmpfloat_with_epsilon (
      run (WHOLE (VARIABLE ("gravity", "162 &quot;cm/s^2&quot;"), FALLING), "m.a.s", 1), moon,
      1e-9);
  g_assert_cmpfloat_with_epsilon (
      run (WHOLE (VARIABLE ("gravity", "9"), WITHIN ("<parameter name='gravity' value='1.62'/>")),
           "moon.m.a.s", 1),
      moon, 1e-9);
  g_assert_cmpfloat_with_epsilon (
      run (WHOLE (VARIABLE ("gravity", "9"), WITHIN ("")), "moon.m.a.s", 1), -4.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (run (WHOLE (VARIABLE ("gravity", "9"), OWN_GRAVITY), "m.a.s", 1),
                                  -2, 1e-9);
}

/* What cools starts at the temperature that is around, and stays there. */
static void
test_ambient (void)
{
  static const char cooling[] =
      "<block id='1' type='HeatCapacity' name='C' x='0' y='0'/>"
      "<block id='2' type='AmbientTemperature' name='A' x='0' y='0'/>"
      "<block id='3' type='ThermalConductor' name='K' x='0' y='0'/>"
      "<line id='4' from='1.a' to='3.a'/><line id='5' from='3.b' to='2.a'/>";
  g_autofree char *text = g_strdup_printf (
      WHOLE (VARIABLE ("ambient", "-10 &quot;degC&quot;"), "%s"), cooling);

  g_assert_cmpfloat_with_epsilon (run (text, "C.T", 10), 263.15, 1e-9);
  g_assert_cmpfloat_with_epsilon (run (text, "A.a.T", 10), 263.15, 1e-9);
}

/* One density for a whole model, or for a level of it: the pressure at the bottom is rho g h. */
static void
test_fluid (void)
{
  static const char tank[] = "<block id='1' type='Tank' name='T' x='0' y='0'/>"
                             "<block id='2' type='Orifice' name='O' x='0' y='0'/>"
                             "<line id='3' from='1.a' to='2.a'/>";
  g_autofree char *text = g_strdup_printf (WHOLE (VARIABLE ("fluid_density", "850"), "%s"), tank);

  g_assert_cmpfloat_with_epsilon (run (text, "T.a.p", 1), 850 * 9.80665, 1e-6);
}

/* Texts of equations take what they do not say. */
static void
test_text_around (void)
{
  static const char inside[] =
      "<block id='1' type='VoltageSource' name='V1' x='0' y='0'>"
      "<parameter name='V' value='10'/></block>"
      "<block id='2' type='Equations' name='E' x='0' y='0'><parameter name='equations' value='"
      "pin p: electrical&#10;pin n: electrical&#10;parameter R&#10;through i: p -> n&#10;"
      "p.v - n.v ~ (R + Rmore)*i'/></block><block id='3' type='Ground' name='G' x='0' y='0'/>"
      "<line id='4' from='1.p' to='2.p'/><line id='5' from='1.n' to='3.p'/>"
      "<line id='6' from='2.n' to='3.p'/>";
  g_autofree char *text = g_strdup_printf (
      WHOLE (
          "<variables><variable name='R' value='3'/><variable name='Rmore' value='2'/></variables>",
          "%s"),
      inside);

  g_assert_cmpfloat_with_epsilon (run (text, "E.i", 0), 2, 1e-12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/network/user-parts/embedded", test_embedded);
  g_test_add_func ("/network/user-parts/edited", test_edited);
  g_test_add_func ("/network/user-parts/kept", test_kept);
  g_test_add_func ("/network/user-parts/wrong", test_wrong);
  g_test_add_func ("/network/user-parts/bad-file", test_bad_file);
  g_test_add_func ("/network/user-parts/built-in", test_built_in);
  g_test_add_func ("/network/user-parts/domain", test_domain);
  g_test_add_func ("/network/user-parts/shaped", test_shaped);
  g_test_add_func ("/network/around/gravity", test_gravity);
  g_test_add_func ("/network/around/ambient", test_ambient);
  g_test_add_func ("/network/around/fluid", test_fluid);
  g_test_add_func ("/network/around/text", test_text_around);
  return g_test_run ();
}

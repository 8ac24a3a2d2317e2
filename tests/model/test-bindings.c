/* Parameters that are expressions: what names mean, what comes out, which units are converted; what
 * models promise about dependencies. */
#include "helpers.h"
#include "model/completion/parameters.h"

#include "system/context/context.h"
#include "system/layout/layout.h"
#include "system/evaluation/eval.h"

/* A whole model from its head and the inside of its root diagram. */
static WeirModel *
model_from (const char *head, const char *inside)
{
  g_autofree char *text = g_strconcat ("<weir version='1'>", head, "<diagram>", inside,
                                       "</diagram></weir>", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model = weir_model_read_bytes (bytes, "test", diagnostics);

  if (model == NULL)
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  return model;
}

/* The values of a parameter of a block of the completed model. */
static void
assert_parameter (WeirModel *model, const char *path, const char *name, const double *expected,
                  guint n)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  g_autoptr (WeirContext) context = NULL;
  WeirParameter parameter;
  const double *value;
  guint size;
  WeirNode node;

  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    g_test_message ("%s", weir_diagnostics_get (diagnostics, i)->text);
  g_assert_nonnull (system);
  context = weir_system_create_context (system);
  g_assert_true (weir_layout_find_node (weir_system_get_layout (system), path, &node));
  g_assert_true (
      weir_layout_find_parameter (weir_system_get_layout (system), node, name, &parameter, &size));
  value = weir_context_get_parameter (context, node, parameter);
  g_assert_cmpmem (value, size * sizeof *value, expected, n * sizeof *expected);
}

#define ASSERT_PARAMETER(model, path, name, ...)                                                   \
  assert_parameter (model, path, name, (const double[]) { __VA_ARGS__ },                           \
                    sizeof ((const double[]) { __VA_ARGS__ }) / sizeof (double))

#define VARIABLES(...) "<variables>" __VA_ARGS__ "</variables>"
#define VARIABLE(name, value) "<variable name='" name "' value='" value "'/>"
#define CONSTANT(value)                                                                            \
  "<block id='1' type='Constant' name='c' x='0' y='0'><parameter name='value' value='" value       \
  "'/></block>"

static void
test_values (void)
{
  static const struct {
    const char *text;
    double values[3];
    guint n;
  } cases[] = {
    { "g", { 9.81 }, 1 },
    { "2*g", { 2 * 9.81 }, 1 },
    { "-k^2 + 1", { -8 }, 1 },
    { "[k, 2*k, v[2]]", { 3, 6, 20 }, 3 },
    { "v .* [1, 2]", { 10, 40 }, 2 },
    { "sum(v)/max(k, 1)", { 10 }, 1 },
    { "if k > 2 then 1 else 0", { 1 }, 1 },
    { "h", { 30 }, 1 }, /* by way of another variable */
  };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *escaped = g_markup_escape_text (cases[i].text, -1);
      g_autofree char *block = g_strconcat (
          "<block id='1' type='Constant' name='c' x='0' y='0'><parameter name='value' value='",
          escaped, "'/></block>", NULL);
      g_autoptr (WeirModel)
          model = model_from (VARIABLES (VARIABLE ("g", "9.81") VARIABLE ("k", "3")
                                             VARIABLE ("v", "[10, 20]") VARIABLE ("h", "k*v[1]")),
                              block);

      g_test_message ("%s", cases[i].text);
      assert_parameter (model, "c", "value", cases[i].values, cases[i].n);
    }
}

/* Own, then what is around, then the model; a parameter's own name means the next one outwards. */
static void
test_scopes (void)
{
  g_autoptr (WeirModel) model = model_from (
      VARIABLES (VARIABLE ("k", "1") VARIABLE ("m", "10") VARIABLE ("gain", "100")),
      "<block id='1' type='Subsystem' name='outer' x='0' y='0'>"
      "<parameter name='k' value='k + 1'/>" /* 2 */
      "<diagram>"
      "<block id='2' type='Subsystem' name='inner' x='0' y='0'>"
      "<parameter name='k' value='3*k'/><parameter name='n' value='k + m'/>" /* 6, 16 */
      "<diagram>"
      "<block id='3' type='Constant' name='a' x='0' y='0'><parameter name='value' value='[k, m, "
      "n]'/></block>"
      "</diagram></block>"
      "<block id='4' type='Constant' name='b' x='0' y='0'><parameter name='value' "
      "value='k'/></block>"
      "<block id='5' type='Pulse' name='p' x='0' y='0'><parameter name='period' value='2*duty'/>"
      "<parameter name='duty' value='k'/></block>"
      "</diagram></block>"
      "<block id='6' type='Gain' name='g' x='0' y='0'><parameter name='gain' "
      "value='2*gain'/></block>"
      "<block id='7' type='Constant' name='c' x='0' y='0'><parameter name='value' "
      "value='k'/></block>"
      "<wire id='8' from='7.y' to='6.u'/>");

  ASSERT_PARAMETER (model, "outer.inner.a", "value", 6, 10, 16);
  ASSERT_PARAMETER (model, "outer.b", "value", 2);
  ASSERT_PARAMETER (model, "outer.p", "period", 4); /* its own duty, which is outer's k */
  ASSERT_PARAMETER (model, "g", "gain", 200);
  ASSERT_PARAMETER (model, "c", "value", 1);
}

/* 5 "cm" for a length in metres, directly and by name. */
static void
test_units (void)
{
  g_autoptr (WeirModel)
      model = model_from (VARIABLES (VARIABLE ("l", "50 &quot;cm&quot;") VARIABLE ("l2", "l")),
                          "<block id='1' type='Pendulum' name='a' x='0' y='0'><parameter "
                          "name='length' value='25 &quot;cm&quot;'/></block>"
                          "<block id='2' type='Pendulum' name='b' x='0' y='0'><parameter "
                          "name='length' value='l2'/></block>"
                          "<block id='3' type='Pendulum' name='c' x='0' y='0'><parameter "
                          "name='length' value='2*convert(l, &quot;m&quot;)'/>"
                          "</block>");

  ASSERT_PARAMETER (model, "a", "length", 0.25);
  ASSERT_PARAMETER (model, "b", "length", 0.5);
  ASSERT_PARAMETER (model, "c", "length", 1);
}

/* --- Problems of the head -------------------------------------------------------------------- */

static void
assert_problem (WeirModel *model, const char *code, const char *text)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  const WeirDiagnostic *d;

  g_assert_null (system);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
  d = weir_diagnostics_get (diagnostics, 0);
  g_assert_cmpstr (d->code, ==, code);
  g_assert_cmpstr (d->text, ==, text);
}

static void
test_problems (void)
{
  static const struct {
    const char *head, *inside, *code, *text;
  } cases[] = {
    { VARIABLES (VARIABLE ("a", "b + 1") VARIABLE ("b", "a")), "", "PAR01",
      "Variable a: these define each other: a = b + 1, b = a." },
    { VARIABLES (VARIABLE ("a", "a + 1")), "", "PAR01",
      "Variable a: it is defined by itself: a = a + 1." },
    { VARIABLES (VARIABLE ("length", "2*lenght") VARIABLE ("lengthy", "1")), "", "PAR04",
      "Variable length: there is no 'lenght' in the model's variables; did you mean 'lengthy'?" },
    { VARIABLES (VARIABLE ("2k", "1")), "", "PAR05",
      "Variable 2k: the name must begin with a letter." },
    { VARIABLES (VARIABLE ("a b", "1")), "", "PAR05",
      "Variable a b: the name may hold letters, digits and _ only." },
    { VARIABLES (VARIABLE ("t", "1")), "", "PAR05",
      "Variable t: the name is a word of the equation language." },
    { VARIABLES (VARIABLE ("k", "(")), CONSTANT ("k"), "PAR02", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel) model = model_from (cases[i].head, cases[i].inside);

      if (cases[i].text != NULL)
        assert_problem (model, cases[i].code, cases[i].text);
      else
        {
          g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
          g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);

          /* The variable is told, not everything that uses it. */
          g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
          g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, cases[i].code);
        }
    }
}

/* A chain of names longer than any stack would like. */
static void
test_long_chain (void)
{
  g_autoptr (GString) head = g_string_new ("<variables>");
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (head, "<variable name='a%06u' value='a%06u'/>", i, i + 1);
  g_string_append (head, "<variable name='a100000' value='1'/></variables>");
  model = model_from (head->str, "");
  system = weir_model_complete (model, diagnostics);
  g_assert_null (system);
  g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, "PAR06");
  g_assert_nonnull (strstr (weir_diagnostics_get (diagnostics, 0)->text, "levels deep"));
}

/* --- Dependencies ---------------------------------------------------------------------------- */

#define LOOP                                                                                       \
  "<block id='1' type='Constant' name='r' x='0' y='0'/>"                                           \
  "<block id='2' type='Gain' name='Kp' x='0' y='0'><parameter name='gain' value='2*k'/></block>"   \
  "<block id='3' type='Integrator' name='x' x='0' y='0'/>"                                         \
  "<block id='4' type='Abs' name='a' x='0' y='0'/>"                                                \
  "<wire id='5' from='1.y' to='2.u'/><wire id='6' from='2.y' to='3.u'/><wire id='7' from='2.y' "   \
  "to='4.u'/>"

static void
test_dependencies (void)
{
  static const struct {
    const char *sentence, *code, *part; /* NULL: it holds */
  } cases[] = {
    { "x.y must not depend on Kp.gain", NULL, NULL }, /* only its derivative does */
    { "`a.y` must depend on `Kp.gain`", NULL, NULL },
    { "changing Kp.gain must not invalidate x.y", NULL, NULL },
    { "changing Kp.gain must invalidate x:time derivatives", NULL, NULL },
    { "changing k must not invalidate x.y", NULL, NULL },
    { "changing k must invalidate a.y", NULL, NULL },
    { "a.y must not depend on Kp.gain", "DEP01", "it does, by way of Kp:" },
    { "changing k must not invalidate a.y", "DEP01", "it does, by way of Kp:" },
    { "x.y must depend on r.value", "DEP01", "it does not: no change of r.value reaches x.y." },
    { "x.y depends on k", "DEP02", "no sentence such as" },
    { "x.y must not depend on z", "DEP02", "There is no \"z\"" },
    { "nobody.y must not depend on k", "DEP02", "There is no \"nobody" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *head = g_strdup_printf (
          "<variables><variable name='k' value='3'/></variables>"
          "<assertions><assertion text='%s' reason='for a reason'/></assertions>",
          cases[i].sentence);
      g_autoptr (WeirModel) model = model_from (head, LOOP);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirDiagnostics) unchecked = weir_diagnostics_new ();
      g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
      g_autoptr (WeirSystem)
          anyway = weir_model_check (model, WEIR_CHECKS_ALL & ~WEIR_CHECKS_DEPENDENCIES, unchecked);
      const WeirDiagnostic *d;

      g_test_message ("%s", cases[i].sentence);
      g_assert_nonnull (anyway);
      g_assert_cmpuint (weir_diagnostics_get_size (unchecked), ==, 0);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, cases[i].code != NULL ? 1 : 0);
      g_assert_true ((system == NULL) == (cases[i].code != NULL));
      if (cases[i].code == NULL)
        continue;
      d = weir_diagnostics_get (diagnostics, 0);
      g_test_message ("%s", d->text);
      g_assert_cmpstr (d->code, ==, cases[i].code);
      g_assert_nonnull (strstr (d->text, cases[i].part));
      g_assert_nonnull (strstr (d->text, cases[i].sentence));
      g_assert_nonnull (strstr (d->text, "(for a reason)"));
    }
}

/* --- Groups of checks ------------------------------------------------------------------------ */

static void
test_groups (void)
{
  g_autoptr (WeirModel) model = model_from (
      "<assertions><assertion text='a.y must not depend on a.value'/></assertions>",
      "<block id='1' type='Constant' name='a' x='0' y='0'><meta name='unit' of='y' "
      "value='kg'/></block>"
      "<block id='2' type='Pendulum' name='p' x='0' y='0'/><wire id='3' from='1.y' to='2.torque'/>"
      "<block id='4' type='Scope' name='s' x='0' y='0'/>");
  static const struct {
    WeirChecks checks;
    const char *codes;
  } cases[] = {
    { WEIR_CHECKS_NONE, "" },
    { WEIR_CHECKS_COMPONENTS, "NET02 " }, /* the scope sees nothing */
    { WEIR_CHECKS_UNITS, "UNI03 " },
    { WEIR_CHECKS_DEPENDENCIES, "DEP01 " },
    { WEIR_CHECKS_ALL, "UNI03 NET02 " }, /* without a system there are no dependencies to check */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirSystem) system = weir_model_check (model, cases[i].checks, diagnostics);
      g_autoptr (GString) codes = g_string_new (NULL);

      for (guint k = 0; k < weir_diagnostics_get_size (diagnostics); k++)
        g_string_append_printf (codes, "%s ", weir_diagnostics_get (diagnostics, k)->code);
      g_assert_cmpstr (codes->str, ==, cases[i].codes);
      g_assert_true ((system == NULL) == weir_diagnostics_has_errors (diagnostics));
    }
}

/* --- Units of signals ------------------------------------------------------------------------ */

static void
test_signal_units (void)
{
  static const struct {
    const char *path, *unit;
    gboolean is_given;
  } expected[] = {
    { "v.y", "km/h", TRUE }, { "c.u", "km/h", TRUE }, { "c.y", "m/s", TRUE },
    { "s.v", "m/s", FALSE }, { "s.x", "m", FALSE },   { "s.i.u", "m/s", FALSE },
    { "s.i.y", "m", FALSE }, { "t.u", "m", FALSE },
  };
  g_autoptr (WeirModel) model = model_from (
      "", "<block id='1' type='Constant' name='v' x='0' y='0'><meta name='unit' of='y' "
          "value='km/h'/></block>"
          "<block id='2' type='UnitConversion' name='c' x='0' y='0'><parameter name='from' "
          "value='km/h'/>"
          "<parameter name='to' value='m/s'/></block>"
          "<block id='3' type='Subsystem' name='s' x='0' y='0'><diagram>"
          "<block id='4' type='In' name='v' x='0' y='0'/><block id='5' type='Integrator' name='i' "
          "x='0' y='0'/>"
          "<block id='6' type='Out' name='x' x='0' y='0'/><wire id='7' from='4.y' to='5.u'/>"
          "<wire id='8' from='5.y' to='6.u'/></diagram></block>"
          "<block id='9' type='Terminator' name='t' x='0' y='0'/>"
          "<wire id='10' from='1.y' to='2.u'/><wire id='11' from='2.y' to='3.v'/><wire id='12' "
          "from='3.x' to='9.u'/>");
  g_autoptr (GArray) units = weir_model_list_units (model);

  for (guint i = 0; i < units->len; i++)
    {
      const WeirPortUnit *unit = &g_array_index (units, WeirPortUnit, i);

      g_test_message ("%s %s %d", unit->path, unit->unit, unit->is_given);
    }
  g_assert_cmpuint (units->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < units->len; i++)
    {
      const WeirPortUnit *unit = &g_array_index (units, WeirPortUnit, i);

      g_assert_cmpstr (unit->path, ==, expected[i].path);
      g_assert_cmpstr (unit->unit, ==, expected[i].unit);
      g_assert_cmpint (unit->is_given, ==, expected[i].is_given);
    }
}

/* --- The index ------------------------------------------------------------------------------- */

static void
test_index (void)
{
  g_autoptr (WeirModel) model = model_from (VARIABLES (VARIABLE ("k", "2")),
                                            "<block id='1' type='Subsystem' name='s' x='0' "
                                            "y='0'><parameter name='m' value='[k, 7]'/><diagram>"
                                            "<block id='2' type='Constant' name='c' x='0' "
                                            "y='0'><parameter name='value' value='2*m'/></block>"
                                            "<block id='3' type='Integrator' name='i' x='0' "
                                            "y='0'><parameter name='initial' value='m'/></block>"
                                            "<block id='4' type='Counter' name='n' x='0' y='0'/>"
                                            "<wire id='5' from='2.y' to='3.u'/></diagram></block>");
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  g_autoptr (WeirParameters) parameters = weir_parameters_new (model, system);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  const WeirParameterEntry *entry;
  guint element;

  entry = weir_parameters_find (parameters, "s.c.value[2]", &element);
  g_assert_nonnull (entry);
  g_assert_cmpuint (element, ==, 1);
  g_assert_cmpint (entry->role, ==, WEIR_PARAMETER_TUNABLE);
  g_assert_cmpfloat (entry->value[element], ==, 14);
  g_assert_cmpstr (entry->origin, ==, "m is s.m");
  g_assert_true (entry->has_slot);
  g_assert_cmpfloat (weir_context_get_parameter (context, entry->node, entry->slot)[element], ==,
                     14);

  entry = weir_parameters_find (parameters, "s.i.initial", &element);
  g_assert_cmpint (entry->role, ==, WEIR_PARAMETER_INITIAL);
  g_assert_cmpuint (element, ==, G_MAXUINT);
  g_assert_false (entry->has_slot);
  g_assert_cmpint (weir_parameters_find (parameters, "s.n.period", &element)->role, ==,
                   WEIR_PARAMETER_CONSTANT);
  g_assert_cmpint (weir_parameters_find (parameters, "k", &element)->role, ==,
                   WEIR_PARAMETER_VARIABLE);
  g_assert_cmpstr (weir_parameters_find (parameters, "s.m", &element)->origin, ==, "k is k");
  g_assert_null (weir_parameters_find (parameters, "s.c.value[3]", &element));
  g_assert_null (weir_parameters_find (parameters, "s.c.value[0]", &element));
  g_assert_null (weir_parameters_find (parameters, "s.c.nothing", &element));

  /* By role, then by path, each once. */
  for (guint i = 1; i < weir_parameters_get_size (parameters); i++)
    {
      const WeirParameterEntry *a = weir_parameters_get (parameters, i - 1);
      const WeirParameterEntry *b = weir_parameters_get (parameters, i);

      g_assert_true (a->role < b->role || (a->role == b->role && strcmp (a->path, b->path) < 0));
    }
}

/* --- What a run takes over ------------------------------------------------------------------- */

static void
append_tuned (const WeirParameterEntry *entry, gpointer data)
{
  g_string_append_printf (data, "%s %u.%s=%g ", entry->path, entry->block, entry->leaf_parameter,
                          entry->value[entry->size - 1]);
}

/* The values that follow @path being worth @value; that of a variable: "k". */
static char *
dup_tuned (WeirModel *model, const char *path, const char *value, gboolean *is_indexed)
{
  g_autoptr (WeirModel) edited = NULL;
  g_autoptr (WeirParameters) known = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (strchr (path, '.') != NULL)
    edited = weir_model_assign (model, path, value, &error);
  else
    {
      g_autoptr (WeirPatch) patch = weir_patch_new ();

      weir_patch_set_variable (patch, path, value);
      edited = weir_model_apply (model, patch, NULL, &error);
    }
  g_assert_no_error (error);
  weir_model_visit_tuned (model, edited, &known, append_tuned, found);
  *is_indexed = known != NULL;
  return g_strdup (found->str);
}

/* A block that nobody else can name is looked at alone; what others name leads to all of them. */
static void
test_tuned (void)
{
  static const struct {
    const char *path, *value, *tuned;
    gboolean is_wide;
  } edits[] = {
    { "s.c.value", "[3, 5]", "s.c.value 2.value=5 ", FALSE },
    { "s.c.value", "3*m", "s.c.value 2.value=21 ", FALSE },
    { "s.c.value", "[4, 14]", "", FALSE }, /* as it was */
    { "s.c.value", "nothing", "", FALSE }, /* no value at all */
    { "s.i.initial", "[1, 1]", "", FALSE },
    { "g.gain", "-2", "g.gain 6.gain=-2 ", FALSE },
    { "k", "8", "g.gain 6.gain=24 s.c.value 2.value=14 ", TRUE },
  };
  g_autoptr (WeirModel) model = model_from (
      VARIABLES (VARIABLE ("k", "2")),
      "<block id='1' type='Subsystem' name='s' x='0' y='0'><parameter name='m' value='[k, 7]'/>"
      "<diagram><block id='2' type='Constant' name='c' x='0' y='0'>"
      "<parameter name='value' value='2*m'/></block>"
      "<block id='3' type='Integrator' name='i' x='0' y='0'>"
      "<parameter name='initial' value='m'/></block>"
      "<wire id='5' from='2.y' to='3.u'/></diagram></block>"
      "<block id='6' type='Gain' name='g' x='0' y='0'><parameter name='gain' "
      "value='3*k'/></block>");

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      gboolean is_indexed;
      g_autofree char *tuned = dup_tuned (model, edits[i].path, edits[i].value, &is_indexed);

      g_test_message ("%s = %s", edits[i].path, edits[i].value);
      g_assert_cmpstr (tuned, ==, edits[i].tuned);
      g_assert_cmpint (is_indexed, ==, edits[i].is_wide);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/bindings/values", test_values);
  g_test_add_func ("/model/bindings/scopes", test_scopes);
  g_test_add_func ("/model/bindings/units", test_units);
  g_test_add_func ("/model/bindings/problems", test_problems);
  g_test_add_func ("/model/bindings/long-chain", test_long_chain);
  g_test_add_func ("/model/bindings/dependencies", test_dependencies);
  g_test_add_func ("/model/bindings/groups", test_groups);
  g_test_add_func ("/model/bindings/signal-units", test_signal_units);
  g_test_add_func ("/model/bindings/index", test_index);
  g_test_add_func ("/model/bindings/tuned", test_tuned);
  return g_test_run ();
}

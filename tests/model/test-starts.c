/* Values at the start: hidden ones in the index of parameters, and those that outer levels give. */
#include "helpers.h"

#include <math.h>

#include "model/completion/parameters.h"
#include "system/context/context.h"
#include "system/evaluation/eval.h"
#include "../examples.h"

#define LAW                                                                                        \
  "<block id='2' type='Equations' name='law' x='0' y='0'><parameter name='equations' "             \
  "value='variable x[3]; "                                                                         \
  "parameter p = 2, q = p + 1; constant g = 9.81; D(x) ~ -p*x; output y; y ~ 2*x[1]; initial "     \
  "x[1] = 1; "                                                                                     \
  "initial x[3] = 3; guess x[2] = 5; n ~ q*y; when x[1] &lt; 0.5: m := pre(m) + 1'/></block>"
#define INTEGRATOR                                                                                 \
  "<block id='3' type='Integrator' name='i' x='0' y='0'><parameter name='initial' "                \
  "value='0.5'/></block>"                                                                          \
  "<wire id='4' from='2.y' to='3.u'/>"

/* A Subsystem "plant" with both, what it gives, and what the model gives. */
static WeirModel *
make (const char *variables, const char *parameters)
{
  g_autofree char *text = g_strdup_printf (
      "<weir version='1'><variables>%s</variables><diagram><block id='1' type='Subsystem' "
      "name='plant' "
      "x='0' y='0'>%s<diagram>%s</diagram></block></diagram></weir>",
      variables, parameters, LAW INTEGRATOR);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model = weir_model_read_bytes (bytes, "test", diagnostics);

  if (model == NULL)
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  return model;
}

static const WeirParameterEntry *
find (const WeirParameters *parameters, const char *path)
{
  guint element;
  const WeirParameterEntry *entry = weir_parameters_find (parameters, path, &element);

  if (entry == NULL)
    g_error ("there is no %s", path);
  return entry;
}

/* Each is there once, as a whole array; what nobody gives is no number. */
static void
test_hidden (void)
{
  g_autoptr (WeirModel) model = make ("", "");
  g_autoptr (WeirSystem) system = complete (model);
  g_autoptr (WeirParameters) parameters = weir_parameters_new (model, system);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  static const struct {
    const char *path;
    guint size;
    WeirParameterRole role;
    gboolean is_hidden;
  } expected[] = {
    { "plant.law.p", 1, WEIR_PARAMETER_TUNABLE, FALSE },
    { "plant.law.g", 1, WEIR_PARAMETER_CONSTANT, FALSE },
    { "plant.law.m", 1, WEIR_PARAMETER_DISCRETE, FALSE },
    { "plant.law.Initial(x)", 3, WEIR_PARAMETER_INITIAL, TRUE },
    { "plant.law.Initial(D(x))", 3, WEIR_PARAMETER_INITIAL, TRUE },
    { "plant.law.Initial(y)", 1, WEIR_PARAMETER_INITIAL, TRUE },
    { "plant.law.Initial(D(y))", 1, WEIR_PARAMETER_INITIAL, TRUE },
    { "plant.law.Initial(n)", 1, WEIR_PARAMETER_INITIAL, TRUE },
    { "plant.law.Initial(m)", 1, WEIR_PARAMETER_INITIAL, TRUE },
    { "plant.law.Initial(q)", 1, WEIR_PARAMETER_INITIAL, TRUE },
    { "plant.i.initial", 1, WEIR_PARAMETER_INITIAL, FALSE },
  };
  const WeirParameterEntry *x, *p;
  guint element;

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const WeirParameterEntry *entry = find (parameters, expected[i].path);

      g_assert_cmpuint (entry->size, ==, expected[i].size);
      g_assert_cmpint (entry->role, ==, expected[i].role);
      g_assert_cmpint (entry->is_hidden, ==, expected[i].is_hidden);
    }
  x = weir_parameters_find (parameters, "plant.law.Initial(x)[3]", &element);
  g_assert_cmpuint (element, ==, 2);
  g_assert_cmpfloat (x->value[0], ==, 1);
  g_assert_true (isnan (x->value[1])); /* a guess is no value */
  g_assert_cmpfloat (x->value[2], ==, 3);
  p = find (parameters, "plant.law.p");
  g_assert_true (p->has_slot);
  g_assert_cmpfloat (weir_context_get_parameter (context, p->node, p->slot)[0], ==, 2);
  g_assert_null (
      weir_parameters_find (parameters, "plant.law.q", &element)); /* others determine it */
}

#define START(name, value) "<parameter name='" name "' value='" value "'/>"
#define VARIABLE(name, value) "<variable name='" name "' value='" value "'/>"

/* The outermost wins, element by element, and says over what. */
static void
test_outer (void)
{
  static const struct {
    const char *variables, *parameters;
    double x[3], i;
  } cases[] = {
    { "", "", { 1, NAN, 3 }, 0.5 },
    { "", START ("law.Initial(x)", "[10, 20, 30]"), { 10, 20, 30 }, 0.5 },
    { "", START ("law.Initial(x[2])", "20") START ("i.initial", "2"), { 1, 20, 3 }, 2 },
    { VARIABLE ("a", "4") VARIABLE ("plant.law.Initial(x[2])", "2*a")
          VARIABLE ("plant.i.initial", "a"),
      START ("law.Initial(x)", "[10, 20, 30]") START ("law.Initial(x[2])", "7")
          START ("i.initial", "2"),
      { 10, 8, 30 },
      4 },
    { VARIABLE ("plant.law.Initial(x)", "[4, 5, 6]"),
      START ("law.Initial(x[2])", "7"),
      { 4, 5, 6 },
      0.5 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      g_autoptr (WeirModel) model = make (cases[k].variables, cases[k].parameters);
      g_autoptr (WeirSystem) system = complete (model);
      g_autoptr (WeirParameters) parameters = weir_parameters_new (model, system);
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      const WeirParameterEntry *x = find (parameters, "plant.law.Initial(x)");
      const WeirParameterEntry *i = find (parameters, "plant.i.initial");
      const double *state = weir_context_get_state (context);

      for (guint j = 0; j < 3; j++)
        {
          g_assert_true (x->value[j] == cases[k].x[j]
                         || (isnan (x->value[j]) && isnan (cases[k].x[j])));
          g_assert_cmpfloat (state[j], ==, isnan (cases[k].x[j]) ? 5 : cases[k].x[j]);
        }
      g_assert_cmpfloat (state[3], ==, cases[k].i);
      g_assert_cmpfloat (i->value[0], ==, cases[k].i);
      g_assert_cmpstr (i->own, ==, cases[k].i == 0.5 ? NULL : "0.5");
    }
}

static void
test_described (void)
{
  g_autoptr (WeirModel)
      model = make (VARIABLE ("plant.law.Initial(x[1])", "8"), START ("law.Guess(x[2])", "6"));
  g_autofree char *text = weir_model_describe_blocks (model, WEIR_DESCRIPTION_START);

  g_assert_nonnull (strstr (text, "\nplant.law\nInitialization: "));
  g_assert_nonnull (strstr (text, "\nx[1]     8, not 1  -         8"));
  g_assert_nonnull (strstr (text, "\nx[2]     -         6, not 5  6"));
}

static void
test_problems (void)
{
  static const struct {
    const char *variables, *parameters, *path, *problem;
  } cases[] = {
    { "", START ("lwa.Initial(x)", "1"), "plant",
      "PAR03 Initialization: there is no 'lwa.Initial(x)' in plant; a value at the start is named "
      "like "
      "block.initial, or block.Initial(x) where the block has equations." },
    { VARIABLE ("plant.i.gain", "1"), "", "",
      "PAR03 Initialization: there is no 'plant.i.gain' in the model; a value at the start is "
      "named like "
      "block.initial, or block.Initial(x) where the block has equations." },
    { "", START ("i.initial", "k"), "plant",
      "PAR04 Parameter i.initial of plant: there is no 'k' in plant, the model's variables." },
    { VARIABLE ("plant.law.Initial(z)", "1"), "", "plant.law",
      "EQ02 Model: line 1 of what is given at the start: 'z' is neither an input, a parameter nor "
      "defined; add 'input z', "
      "'parameter z = ...' or "
      "an equation." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel) model = make (cases[i].variables, cases[i].parameters);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
      const WeirDiagnostic *d = NULL;
      g_autofree char *found = NULL;

      g_assert_null (system);
      for (guint j = 0; d == NULL || d->severity != WEIR_SEVERITY_ERROR; j++)
        d = weir_diagnostics_get (diagnostics, j);
      found = g_strdup_printf ("%s %s", d->code, d->text);
      g_assert_cmpstr (found, ==, cases[i].problem);
      g_assert_cmpstr (d->path, ==, cases[i].path);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/starts/hidden", test_hidden);
  g_test_add_func ("/model/starts/outer", test_outer);
  g_test_add_func ("/model/starts/described", test_described);
  g_test_add_func ("/model/starts/problems", test_problems);
  return g_test_run ();
}

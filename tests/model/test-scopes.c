/* Names that texts of equations take from around them: what they mean, what is said of those that
 * are nowhere, and that a change of such a value is a change of values only. */
#include "helpers.h"
#include "model/completion/parameters.h"

#include "system/context/context.h"
#include "system/evaluation/eval.h"
#include "system/layout/layout.h"
#include "../examples.h"

/* @text: the equations of the block plant.eq. */
static WeirModel *
model_from (const char *variables, const char *parameters, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);
  g_autofree char *xml = g_strdup_printf (
      "<weir version='1'><variables>%s</variables><diagram>"
      "<block id='1' type='Subsystem' name='plant' x='0' y='0'>%s<diagram>"
      "<block id='2' type='Equations' name='eq' x='0' y='0'><parameter name='equations' "
      "value='%s'/>"
      "</block></diagram></block>"
      "<block id='3' type='Equations' name='other' x='0' y='0'>"
      "<parameter name='equations' value='parameter a = 1; z ~ 2*a; w ~ a + t'/></block>"
      "</diagram></weir>",
      variables, parameters, escaped);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_auto (GStrv) split = g_strsplit (xml, "\n", -1);
  g_autofree char *lines = g_strjoinv ("&#10;", split);
  WeirModel *model;

  bytes = g_bytes_new (lines, strlen (lines));
  model = weir_model_read_bytes (bytes, "test", diagnostics);
  if (model == NULL)
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  return model;
}

#define VARIABLE(name, value) "<variable name='" name "' value='" value "'/>"
#define PARAMETER(name, value) "<parameter name='" name "' value='" value "'/>"

/* y of plant.eq at the start, and where a name was found: "-" where it is no parameter of the
 * index. */
static void
test_meaning (void)
{
  static const struct {
    const char *variables, *parameters, *text;
    double y;
    const char *path, *origin;
    WeirParameterRole role;
  } cases[] = {
    /* the model's, the parent's, inside out, its own */
    { VARIABLE ("k", "3"), "", "y ~ 2*k", 6, "plant.eq.k", "k is k", WEIR_PARAMETER_TUNABLE },
    { "", PARAMETER ("k", "4"), "y ~ 2*k", 8, "plant.eq.k", "k is plant.k",
      WEIR_PARAMETER_TUNABLE },
    { VARIABLE ("k", "3"), PARAMETER ("k", "k + 2"), "y ~ 2*k", 10, "plant.eq.k", "k is plant.k",
      WEIR_PARAMETER_TUNABLE },
    { VARIABLE ("k", "3"), PARAMETER ("k", "4"), "parameter k = 5; y ~ 2*k", 10, "plant.eq.k", NULL,
      WEIR_PARAMETER_TUNABLE },
    /* declared without a value */
    { VARIABLE ("k", "3"), "", "parameter k; y ~ 2*k", 6, "plant.eq.k", "k is k",
      WEIR_PARAMETER_TUNABLE },
    { VARIABLE ("k", "3"), "", "constant k; y ~ 2*k", 6, "plant.eq.k", "k is k",
      WEIR_PARAMETER_CONSTANT },
    /* in the value of a parameter */
    { VARIABLE ("k", "3"), "", "parameter m = k + 1; y ~ 2*m", 8, "plant.eq.k", "k is k",
      WEIR_PARAMETER_TUNABLE },
    /* a vector; what shapes the equations is a constant */
    { VARIABLE ("k", "[1, 2, 3]"), "", "y ~ sum(k)", 6, "plant.eq.k", "k is k",
      WEIR_PARAMETER_TUNABLE },
    { VARIABLE ("n", "4"), "", "for i in 1:n: q[i] ~ i\ny ~ sum(q)", 10, "plant.eq.n", "n is n",
      WEIR_PARAMETER_CONSTANT },
    { VARIABLE ("T", "0.5"), "", "y ~ 1 + delay(t, T)", 1, "plant.eq.T", "T is T",
      WEIR_PARAMETER_CONSTANT },
    { VARIABLE ("T", "0.5"), "", "y ~ 1 + delay(t, T, 2)", 1, "plant.eq.T", "T is T",
      WEIR_PARAMETER_TUNABLE },
    /* a text that makes sense by itself takes nothing, whatever there is */
    { VARIABLE ("x", "3") VARIABLE ("y", "1"), "", "x + y ~ 10; x - y ~ 2", 4, "plant.eq.x", "-",
      0 },
    /* what is set here is never taken */
    { VARIABLE ("x", "3") VARIABLE ("k", "1"), "", "D(x) ~ k; initial x = 7; y ~ x", 7,
      "plant.eq.x", "-", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel)
          model = model_from (cases[i].variables, cases[i].parameters, cases[i].text);
      g_autoptr (WeirSystem) system = complete (model);
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      g_autoptr (WeirParameters) parameters = weir_parameters_new (model, system);
      const WeirParameterEntry *entry;
      WeirOutput out;
      WeirNode node;
      guint element;

      g_test_message ("%s", cases[i].text);
      g_assert_true (weir_layout_find_node (weir_system_get_layout (system), "plant.eq", &node));
      g_assert_true (weir_layout_find_output (weir_system_get_layout (system), node, "y", &out));
      g_assert_cmpfloat (weir_eval_output (system, context, node, out)[0], ==, cases[i].y);
      entry = weir_parameters_find (parameters, cases[i].path, &element);
      if (g_strcmp0 (cases[i].origin, "-") == 0)
        {
          g_assert_null (entry);
          continue;
        }
      g_assert_nonnull (entry);
      g_assert_cmpstr (entry->origin, ==, cases[i].origin);
      g_assert_cmpint (entry->role, ==, cases[i].role);
      g_assert_cmpint (entry->has_slot, ==, cases[i].role == WEIR_PARAMETER_TUNABLE);
    }
}

static void
test_problems (void)
{
  static const struct {
    const char *variables, *text, *code, *problem;
  } cases[] = {
    { "", "parameter k; y ~ 2*k", "PAR07",
      "Model: line 1: the parameter k has no value, and there is no 'k' in plant, the model's "
      "variables; "
      "write "
      "parameter k = ..." },
    { VARIABLE ("speed", "1"), "y ~ 2*sped", "EQ02",
      "Model: line 1: 'sped' is neither an input, a parameter nor defined, and there is no 'sped' "
      "in plant, the model's variables; did you mean 'speed'?" },
    { VARIABLE ("k", "[1, 2]"), "for i in 1:k: y[i] ~ i", "EQ07",
      "Model: line 1: the end of a loop must be a whole number made of numbers and constants." },
    { VARIABLE ("k", "2 &quot;m&quot;") VARIABLE ("s", "1 &quot;s&quot;"), "y ~ k + s", "EQ06",
      "Model: line 1: here are added m and s, which are of different kinds." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel) model = model_from (cases[i].variables, "", cases[i].text);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
      const WeirDiagnostic *d;

      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), >, 0);
      d = weir_diagnostics_get (diagnostics, 0);
      g_assert_cmpstr (d->text, ==, cases[i].problem);
      g_assert_cmpstr (d->code, ==, cases[i].code);
      g_assert_cmpstr (d->path, ==, "plant.eq");
    }
}

static WeirAspects
set_variable (WeirModel **model, const char *name, const char *text)
{
  g_autoptr (WeirModel) before = weir_model_ref (*model);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;
  WeirAspects aspects;
  WeirModel *result;

  weir_patch_set_variable (patch, name, text);
  result = weir_model_apply (*model, patch, &aspects, &error);
  g_assert_no_error (error);
  weir_model_unref (*model);
  *model = result;
  return weir_aspects_resolve (aspects, before, result);
}

/* What a change of a variable, or of a text, means: values only where a running system can take
 * them over. */
static void
test_aspects (void)
{
  static const struct {
    const char *text, *variable, *value;
    WeirAspects aspects;
  } cases[] = {
    { "y ~ 2*k", "k", "4", WEIR_ASPECT_PARAMETERS },
    { "y ~ 2*k", "k", "3*m", WEIR_ASPECT_PARAMETERS },
    { "y ~ 2*k", "m", "3", WEIR_ASPECT_PARAMETERS },
    { "y ~ 2*k", "k", "[1, 2]", WEIR_ASPECT_STRUCTURE },
    { "y ~ 2*k", "k", "nonsense", WEIR_ASPECT_STRUCTURE },
    { "y ~ 2*k", "new", "1", WEIR_ASPECT_STRUCTURE },
    { "for i in 1:k: y[i] ~ i", "k", "4", WEIR_ASPECT_STRUCTURE },
    { "for i in 1:k: y[i] ~ i", "m", "3", WEIR_ASPECT_PARAMETERS },
  };
  static const struct {
    const char *before, *after;
    WeirAspects aspects;
  } texts[] = {
    { "parameter a = 1\ny ~ 2*a", "parameter a = 2\ny ~ 2*a", WEIR_ASPECT_PARAMETERS },
    { "parameter a = [1, 2]\ny ~ sum(a)", "parameter a = [3, -4]\ny ~ sum(a)",
      WEIR_ASPECT_PARAMETERS },
    { "parameter a = [1, 2]\ny ~ sum(a)", "parameter a = [3, 4, 5]\ny ~ sum(a)",
      WEIR_ASPECT_STRUCTURE },
    { "constant a = 1\ny ~ 2*a", "constant a = 2\ny ~ 2*a", WEIR_ASPECT_STRUCTURE },
    { "parameter a = 1\ny ~ 2*a", "parameter a = 1\ny ~ 3*a", WEIR_ASPECT_STRUCTURE },
    { "parameter a = 1, b = 2*a\ny ~ b", "parameter a = 1, b = 3*a\ny ~ b", WEIR_ASPECT_STRUCTURE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel)
          model = model_from (VARIABLE ("k", "3") VARIABLE ("m", "1"), "", cases[i].text);

      g_test_message ("%s: %s = %s", cases[i].text, cases[i].variable, cases[i].value);
      g_assert_cmpint (set_variable (&model, cases[i].variable, cases[i].value), ==,
                       cases[i].aspects);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (WeirModel) before = model_from ("", "", texts[i].before);
      g_autoptr (WeirModel) after = model_from ("", "", texts[i].after);

      g_test_message ("%s", texts[i].after);
      g_assert_cmpint (weir_aspects_resolve (weir_model_compare (before, after), before, after), ==,
                       texts[i].aspects);
    }
}

/* A running context takes the new value over: it gives what the rebuilt model gives, and nothing
 * but the dependants is computed again. */
static void
test_live (void)
{
  g_autoptr (WeirModel)
      model = model_from (VARIABLE ("k", "3"), PARAMETER ("m", "2*k"), "y ~ m + t\nu ~ 5*t");
  g_autoptr (WeirSystem) system = complete (model);
  g_autoptr (WeirSystem) rebuilt = NULL;
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirContext) fresh = NULL;
  g_autoptr (WeirParameters) parameters = NULL;
  WeirLayout *layout = weir_system_get_layout (system);
  const WeirParameterEntry *entry;
  WeirNode plant, other;
  WeirEntry entries[3];
  WeirOutput y, u, w;
  guint element;

  g_assert_true (weir_layout_find_node (layout, "plant.eq", &plant));
  g_assert_true (weir_layout_find_node (layout, "other", &other));
  g_assert_true (weir_layout_find_output (layout, plant, "y", &y));
  g_assert_true (weir_layout_find_output (layout, plant, "u", &u));
  g_assert_true (weir_layout_find_output (layout, other, "w", &w));
  g_assert_cmpfloat (weir_eval_output (system, context, plant, y)[0], ==, 6.0);
  weir_eval_output (system, context, plant, u);
  weir_eval_output (system, context, other, w);
  g_assert_cmpint (set_variable (&model, "k", "4"), ==, WEIR_ASPECT_PARAMETERS);
  parameters = weir_parameters_new (model, system);
  entry = weir_parameters_find (parameters, "plant.eq.m", &element);
  g_assert_true (entry->has_slot);
  g_assert_cmpstr (entry->leaf_parameter, ==, "m");
  weir_context_set_parameter (context, entry->node, entry->slot, entry->value);
  g_assert_true (weir_layout_find_output_entry (layout, plant, y, &entries[0]));
  g_assert_true (weir_layout_find_output_entry (layout, plant, u, &entries[1]));
  g_assert_true (weir_layout_find_output_entry (layout, other, w, &entries[2]));
  g_assert_false (weir_context_is_up_to_date (context, entries[0]));
  g_assert_true (weir_context_is_up_to_date (context, entries[1]));
  g_assert_true (weir_context_is_up_to_date (context, entries[2]));
  rebuilt = complete (model);
  fresh = weir_system_create_context (rebuilt);
  g_assert_cmpfloat (weir_eval_output (system, context, plant, y)[0], ==, 8.0);
  g_assert_cmpfloat (weir_eval_output (rebuilt, fresh, plant, y)[0], ==, 8.0);
}

/* Ports are known without the model: those that the text would have with the names. */
static void
test_ports (void)
{
  g_autoptr (WeirModel)
      model = model_from (VARIABLE ("k", "3"), "", "input v\nD(x) ~ -k*x + v\ny ~ x/m");
  g_auto (GStrv) inputs = weir_block_dup_inputs (weir_model_find_path (model, "plant.eq"));
  g_auto (GStrv) outputs = weir_block_dup_outputs (weir_model_find_path (model, "plant.eq"));
  g_autofree char *in = g_strjoinv (" ", inputs);
  g_autofree char *out = g_strjoinv (" ", outputs);

  g_assert_cmpstr (in, ==, "v");
  g_assert_cmpstr (out, ==, "x y");
}

/* --- Texts that extend others ---------------------------------------------------------------- */

#define TEXT(id, name, mode, text)                                                                 \
  "<block id='" id "' type='Equations' name='" name "' x='0' y='0'" mode ">"                       \
  "<parameter name='equations' value='" text "'/></block>"
#define DEFINITION(id, name, text) TEXT (id, name, " mode='commented-out'", text)
#define ACTIVE(id, name, text) TEXT (id, name, "", text)
#define WITHIN(text)                                                                               \
  "<block id='90' type='Subsystem' name='plant' x='0' y='0'><diagram>" text "</diagram></block>"

/* y of a block, at the start. */
static double
get_start (const char *inside, const char *path)
{
  g_autoptr (WeirModel) model = model_from_xml (inside);
  g_autoptr (WeirSystem) system = complete (model);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirOutput y;
  WeirNode node;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (system), path, &node));
  g_assert_true (weir_layout_find_output (weir_system_get_layout (system), node, "y", &y));
  return weir_eval_output (system, context, node, y)[0];
}

static void
test_extends (void)
{
  static const char base[] = DEFINITION (
      "1", "Base",
      "parameter c = 2, k[2] = [1, 5]&#10;D(x) ~ -c*x + F&#10;initial x = 3&#10;y ~ c*x + sum(k)");

  /* c x + sum (k), with values from the base, and replaced */
  static const struct {
    const char *text;
    double y;
  } cases[] = {
    { "extends Base&#10;F ~ 1", 12 },
    { "extends Base&#10;F ~ 1&#10;parameter c = 4", 18 },
    { "extends Base&#10;F ~ 1&#10;initial x = 5", 16 },
    { "extends Base&#10;F ~ 1&#10;parameter k = 7", 20 }, /* of size 2 still */
    { "parameter c = 4&#10;F ~ 1&#10;extends Base", 18 },
    { "extends &quot;Base&quot;; F ~ c", 12 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      /* What is extended by two ways is there once. */
      g_autofree char *inside = g_strdup_printf (
          "%s" WITHIN (ACTIVE ("2", "eq", "%s") ACTIVE ("3", "more",
                                                        "extends eq, Base; parameter c = 10; "
                                                        "initial x = 3; parameter k = 3")),
          base, cases[i].text);

      g_assert_cmpfloat (get_start (inside, "plant.eq"), ==, cases[i].y);
      g_assert_cmpfloat (get_start (inside, "plant.more"), ==, 36.0);
    }
}

static void
test_extends_problems (void)
{
  static const struct {
    const char *inside, *path, *problem;
  } cases[] = {
    { ACTIVE ("1", "a", "y ~ 1&#10;extends b.c"), "a",
      "Model: line 2: extends b.c: there is no block 'b.c' in the model." },
    { WITHIN (ACTIVE ("1", "a", "extends b")), "plant.a",
      "Model: line 1: extends b: there is no block 'b' in plant, nor around it." },
    { ACTIVE ("1", "a", "extends b") ACTIVE ("2", "b", "extends c") ACTIVE ("3", "c", "extends a"),
      "a", "Model: line 1: extends b: they extend each other in a cycle: a -> b -> c -> a." },
    { ACTIVE ("1", "a", "extends a"), "a",
      "Model: line 1: extends a: they extend each other in a cycle: a -> a." },
    { ACTIVE ("1", "a", "extends g") "<block id='2' type='Ground' name='g' x='0' y='0'/>", "a",
      "Model: line 1: extends g: that is a block of type Ground; only blocks of type Equations "
      "have "
      "equations to "
      "extend." },
    { ACTIVE ("1", "a", "extends b&#10;x ~ 2") DEFINITION ("2", "b", "&#10;x ~ 1"), "a",
      "Model: x is defined twice: in line 2 and in line 2 of b." },
    { ACTIVE ("1", "a", "extends b") DEFINITION ("2", "b", "y ~ 1&#10;x ~ ("), "a",
      "Model: line 1: b, which is extended here, cannot be read: line 2, column 6: expected a "
      "value, but "
      "found "
      "the end of the text; the '(' of line 2, column 5 is still open." },
    { ACTIVE ("1", "a", "extends b") DEFINITION ("2", "b", "y ~ 2*q"), "a",
      "Model: line 1 of b: 'q' is neither an input, a parameter nor defined, and there is no 'q' "
      "in the model's variables; add 'input q', 'parameter q = ...' or an equation." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel) model = model_from_xml (cases[i].inside);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);

      g_assert_null (system);
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->text, ==, cases[i].problem);
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->path, ==, cases[i].path);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/scopes/meaning", test_meaning);
  g_test_add_func ("/model/scopes/problems", test_problems);
  g_test_add_func ("/model/scopes/aspects", test_aspects);
  g_test_add_func ("/model/scopes/live", test_live);
  g_test_add_func ("/model/scopes/ports", test_ports);
  g_test_add_func ("/model/scopes/extends", test_extends);
  g_test_add_func ("/model/scopes/extends-problems", test_extends_problems);
  return g_test_run ();
}

/* The registry: complete tables, arguments and the sentences about wrong ones. */
#include "block-fixture.h"
#include "system/structure/shape-private.h"

static void
test_find (void)
{
  g_assert_cmpstr (weir_registry_find ("Gain")->title, ==, "Gain");
  g_assert_null (weir_registry_find ("gain"));
  g_assert_null (weir_registry_find (""));
}

/* Every table says all that an inspector and a palette need. */
static void
test_tables (void)
{
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirArguments) arguments = weir_arguments_new (type, NULL, NULL, &error);

      g_assert_no_error (error); /* the defaults are valid */
      g_assert_true (weir_registry_find (type->name) == type);
      g_assert_cmpuint (strlen (type->title), >, 0);
      g_assert_cmpuint (strlen (type->category), >, 0);
      g_assert_true (g_str_has_suffix (type->summary, "."));
      for (guint k = 0; k < type->n_parameters; k++)
        {
          const WeirParameterSpec *spec = &type->parameters[k];

          g_assert_nonnull (spec->label);
          g_assert_true (g_str_has_suffix (spec->help, "."));
          g_assert_true (weir_parameter_spec_check (spec, spec->default_text, NULL));
          if (spec->kind == WEIR_VALUE_CHOICE)
            g_assert_nonnull (spec->choices);
          else if (spec->kind != WEIR_VALUE_TEXT)
            g_assert_cmpfloat (spec->minimum, <, spec->maximum);
        }
    }
}

/* What the built leaf has agrees with what the table lists: ports, sizes, tunable parameters. */
static void
test_leaves (void)
{
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      g_autoptr (WeirArguments) arguments = weir_arguments_new (type, NULL, NULL, NULL);
      g_autoptr (GArray) inputs = weir_arguments_list_inputs (arguments);
      g_autoptr (GArray) outputs = weir_arguments_list_outputs (arguments);
      g_autofree guint *sizes = g_new (guint, inputs->len + 1);
      g_autoptr (WeirSystem) system = NULL;
      g_autoptr (WeirContext) context = NULL;

      if (type->build == NULL)
        continue;
      for (guint k = 0; k < inputs->len; k++)
        sizes[k] = MAX (g_array_index (inputs, WeirPortSpec, k).size, 1);
      system = type->build (arguments, sizes, NULL);
      g_assert_nonnull (system);
      context = weir_system_create_context (system);
      g_assert_cmpstr (weir_system_get_kind (system), ==, type->name);
      g_assert_cmpuint (weir_system_get_n_inputs (system), ==, inputs->len);
      g_assert_cmpuint (weir_system_get_n_outputs (system), ==, outputs->len);
      for (guint16 k = 0; k < inputs->len; k++)
        g_assert_cmpstr (weir_system_get_input_name (system, (WeirInput) { k }), ==,
                         g_array_index (inputs, WeirPortSpec, k).name);
      for (guint16 k = 0; k < outputs->len; k++)
        {
          WeirPortSpec port = g_array_index (outputs, WeirPortSpec, k);
          guint size = port.size;

          if (type->get_output_size != NULL)
            size = type->get_output_size (arguments, sizes, k);
          g_assert_cmpstr (weir_system_get_output_name (system, (WeirOutput) { k }), ==, port.name);
          g_assert_cmpuint (weir_system_get_output_size (system, (WeirOutput) { k }), ==,
                            size > 0 ? size : 1);
        }
      for (guint k = 0; k < type->n_parameters; k++)
        {
          const char *tunable = type->parameters[k].tunable;
          WeirParameter parameter;
          guint size;

          if (tunable != NULL)
            g_assert_true (weir_layout_find_parameter (weir_context_get_layout (context), WEIR_ROOT,
                                                       tunable, &parameter, &size));
        }
    }
}

/* --- Positions ------------------------------------------------------------------------------- */

/* What stands at @position of @system, or NULL. */
static const char *
get_name_at (WeirSystem *system, const WeirPosition *position)
{
  const WeirShape *shape = system->shape;
  guint i = *position->place;

  switch (position->kind)
    {
    case WEIR_POSITION_INPUT:
      return i < shape->inputs->len ? weir_shape_input (shape, i)->name : NULL;
    case WEIR_POSITION_PARAMETER:
      return i < shape->parameters->len ? weir_shape_parameter (shape, i)->name : NULL;
    case WEIR_POSITION_GROUP:
      return i < shape->groups->len ? weir_shape_group (shape, i)->name : NULL;
    case WEIR_POSITION_CACHED:
      return i < shape->entries->len ? weir_shape_entry (shape, i)->name : NULL;
    default:
      g_assert_not_reached ();
    }
}

/* Compares where there is something; a type may have more with other arguments. */
static guint64
compare_positions (const WeirBlockType *type, const char *const *pairs)
{
  g_autoptr (WeirArguments)
      arguments = weir_arguments_new (type, fixture_get_text, (gpointer) pairs, NULL);
  g_autoptr (GArray) inputs = weir_arguments_list_inputs (arguments);
  g_autofree guint *sizes = g_new (guint, inputs->len + 1);
  g_autoptr (WeirSystem) system = NULL;
  guint64 seen = 0;

  for (guint k = 0; k < inputs->len; k++)
    sizes[k] = MAX (g_array_index (inputs, WeirPortSpec, k).size, 1);
  system = type->build (arguments, sizes, NULL);
  for (guint i = 0; system != NULL && type->positions[i].name != NULL; i++)
    {
      const char *name = get_name_at (system, &type->positions[i]);

      if (name != NULL && strcmp (name, type->positions[i].name) != 0)
        g_error ("%s: %s stands where its computations read %s", type->name, name,
                 type->positions[i].name);
      seen |= (guint64) (name != NULL) << i;
    }
  return seen;
}

/* The constants by which computations name what they read are right, in every form of each type. */
static void
test_positions (void)
{
  for (guint t = 0; t < weir_registry_get_n_types (); t++)
    {
      const WeirBlockType *type = weir_registry_get_type (t);
      const char *none[] = { NULL };
      guint64 seen;

      if (type->positions == NULL)
        continue;
      seen = compare_positions (type, none);
      for (guint p = 0; p < type->n_parameters; p++)
        for (guint c = 0;
             type->parameters[p].choices != NULL && type->parameters[p].choices[c] != NULL; c++)
          {
            const char *pairs[] = { type->parameters[p].name, type->parameters[p].choices[c],
                                    NULL };

            seen |= compare_positions (type, pairs);
          }
      for (guint i = 0; type->positions[i].name != NULL; i++)
        if ((seen >> i & 1) == 0)
          g_error ("%s: there is nothing where its computations read %s", type->name,
                   type->positions[i].name);
    }
}

/* Calls @check for every match of @pattern in @text: what its first group holds. */
static void
foreach_match (const char *file, const char *text, const char *pattern,
               void (*check) (const char *file, const char *text, const char *word))
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_assert_nonnull (regex);
  g_regex_match (regex, text, 0, &match);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *word = g_match_info_fetch (match, 1);

      check (file, text, word);
    }
}

static void
check_listed (const char *file, const char *text, const char *constant)
{
  g_autofree char *listed = g_strdup_printf ("WEIR_POSITION (%s, ", constant);

  if (strstr (text, listed) == NULL)
    g_error ("%s: the position %s stands in no type's WEIR_POSITIONS", file, constant);
}

static void
check_bare (const char *file, G_GNUC_UNUSED const char *text, const char *word)
{
  g_error ("%s: %s has no name; make it a constant and list it in WEIR_POSITIONS", file, word);
}

static void
check_registered (const char *file, G_GNUC_UNUSED const char *text, const char *type)
{
  if (weir_registry_find (type) == NULL)
    g_error ("%s: the type %s is not registered; is its family in meson.build?", file, type);
}

/* Nothing that a file of the library says is forgotten elsewhere. */
static void
test_files (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("G_TEST_SRCDIR"),
                                              "../engine/blocks/library", NULL);
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (files);
  while ((name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;

      if (!g_str_has_suffix (name, ".c"))
        continue;
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      foreach_match (name, text, "\\b([A-Z][A-Z0-9_]*) = \\{ \\d+ \\}[,;]", check_listed);
      foreach_match (name, text, "(\\(Weir(Input|Parameter|Group|Cached)\\) \\{ \\d+ \\})",
                     check_bare);
      foreach_match (name, text, "^static const WeirBlockType \\w+ = \\{\n  .name = \"(\\w+)\"",
                     check_registered);
    }
}

static void
test_bad_arguments (void)
{
  static const struct {
    const char *type, *parameter, *text, *sentence;
  } cases[] = {
    { "Gain", "gain", "2 *", "Parameter gain: \"2 *\" is not a number." },
    { "Gain", "gain", "inf", "Parameter gain is \"inf\", but must be finite." },
    { "Gain", "gain", "1e999", "Parameter gain is \"1e999\", but must be finite." },
    { "Step", "time", "[1, 2]", "Parameter time is \"[1, 2]\", but must be a number." },
    { "Counter", "period", "0",
      "Parameter period is \"0\", but must be a number greater than 0 s." },
    { "Counter", "offset", "-1",
      "Parameter offset is \"-1\", but must be a number of at least 0 s." },
    { "Pulse", "duty", "101", "Parameter duty is \"101\", but must be a number from 0 to 100 %." },
    { "Scope", "inputs", "1.5",
      "Parameter inputs is \"1.5\", but must be a whole number from 1 "
      "to 64." },
    { "Scope", "inputs", "many",
      "Parameter inputs is \"many\", but must be a whole number from 1 "
      "to 64." },
    { "Switch", "criterion", "<", "Parameter criterion is \"<\", but must be one of >=, >, !=." },
    { "StateSpace", "a", "[1, 2; 3]",
      "Parameter a: \"[1, 2; 3]\" is not a matrix such as [1, 2; 3, 4], with rows of one length." },
    { "PID", "n", "0", "Parameter n is \"0\", but must be a number greater than 0 rad/s." },
    { "Sum", "signs", "+*",
      "Parameter signs is \"+*\", but must be 1 to 64 of the characters +-." },
    { "Sum", "signs", "", "Parameter signs is \"\", but must be 1 to 64 of the characters +-." },
    { "Selector", "elements", "[1, 0]",
      "Parameter elements is \"[1, 0]\", but must be a number or a vector such as [1, 2, 3], each "
      "from 1 to 1000000." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const pairs[] = { cases[i].parameter, cases[i].text, NULL };
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_arguments_new (weir_registry_find (cases[i].type), fixture_get_text,
                                         (gpointer) pairs, &error));
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, cases[i].sentence);
    }
}

static void
test_bad_blocks (void)
{
  static const struct {
    const char *type;
    const char *pairs[7];
    guint sizes[3];
    const char *sentence;
  } cases[] = {
    { "Sum", { "signs", "+++" }, { 3, 1, 2 }, "Input in3 has size 2, but size 1 or 3 is needed." },
    { "Gain",
      { "gain", "[1, 2]" },
      { 3 },
      "Parameter gain has size 2, but size 1 or 3 is needed." },
    { "Integrator",
      { "initial", "[1, 2]" },
      { 3 },
      "Parameter initial has size 2, but size 1 or 3 is needed." },
    { "ZeroOrderHold",
      { "initial", "[1, 2]" },
      { 1 },
      "Parameter initial has size 2, but size 1 is needed." },
    { "Switch", { NULL }, { 1, 2, 1 }, "Input control has size 2, but size 1 is needed." },
    { "Saturation",
      { "lower", "2", "upper", "1" },
      { 1 },
      "The lower limit 2 is above the upper limit 1." },
    { "StateSpace",
      { "a", "[1, 2]" },
      { 1 },
      "Matrix A has 1 rows and 2 columns, but 1 rows and 1 columns are needed." },
    { "StateSpace",
      { "a", "[0, 1; -1, 0]", "b", "[0; 1]", "c", "[1; 0]" },
      { 1 },
      "Matrix C has 2 rows and 1 columns, but 2 rows and 2 columns are needed." },
    { "StateSpace", { NULL }, { 2 }, "Input u has size 2, but matrix B has 1 columns." },
    { "TransferFunction",
      { "numerator", "[1, 0, 0]" },
      { 1 },
      "The numerator has degree 2, which is more than the denominator's 1; such a block would look "
      "ahead." },
    { "TransferFunction",
      { "denominator", "2" },
      { 1 },
      "The denominator is a number, but needs two coefficients at least; for a factor take a "
      "Gain." },
    { "TransferFunction",
      { "denominator", "[0, 1]" },
      { 1 },
      "The denominator begins with 0; leave that out." },
    { "PID",
      { "output", "limited", "lower", "2" },
      { 1 },
      "The lower limit 2 is above the upper limit 1." },
    { "DeadZone", { "start", "2" }, { 1 }, "The start 2 is above the end 1." },
    { "LookupTable",
      { "points", "[0, 1]" },
      { 1 },
      "There are 2 points, but 3 values; one value for each point is needed." },
    { "TimeTable",
      { "points", "[0, 2, 2]" },
      { 0 },
      "Point 3 is 2, which is not above point 2, 2; points must ascend." },
    { "Demux", { NULL }, { 3 }, "Input u has size 3, but the outputs take 2." },
    { "Selector",
      { "elements", "4" },
      { 3 },
      "Element 4 is chosen, but the input has elements 1 to 3." },
    { "Selector",
      { "elements", "1.5" },
      { 3 },
      "Element 1.5 is chosen, but the input has elements 1 to 3." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirArguments) arguments = fixture_arguments (cases[i].type, cases[i].pairs);
      g_autoptr (GError) error = NULL;

      g_assert_null (
          weir_arguments_get_type (arguments)->build (arguments, cases[i].sizes, &error));
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, cases[i].sentence);
    }
}

/* Sizes as completion asks for them, with 0 for what it does not know yet. */
static void
test_output_sizes (void)
{
  static const struct {
    const char *type;
    const char *pairs[3];
    guint sizes[3], expected;
  } cases[] = {
    { "Gain", { NULL }, { 0 }, 0 },
    { "Gain", { NULL }, { 3 }, 3 },
    { "Gain", { "gain", "[1, 2]" }, { 0 }, 2 },
    { "Gain", { "gain", "[1, 2]" }, { 1 }, 2 },
    { "Integrator", { NULL }, { 0 }, 0 },
    { "Integrator", { "initial", "[0, 0]" }, { 0 }, 2 },
    { "Mux", { "inputs", "3" }, { 1, 2, 3 }, 6 },
    { "Mux", { "inputs", "3" }, { 1, 0, 3 }, 0 },
    { "Switch", { NULL }, { 0, 1, 3 }, 3 },
    { "Switch", { NULL }, { 1, 1, 0 }, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirArguments) arguments = fixture_arguments (cases[i].type, cases[i].pairs);
      const WeirBlockType *type = weir_arguments_get_type (arguments);

      g_assert_cmpuint (type->get_output_size (arguments, cases[i].sizes, 0), ==,
                        cases[i].expected);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/registry/find", test_find);
  g_test_add_func ("/blocks/registry/tables", test_tables);
  g_test_add_func ("/blocks/registry/leaves", test_leaves);
  g_test_add_func ("/blocks/registry/positions", test_positions);
  g_test_add_func ("/blocks/registry/files", test_files);
  g_test_add_func ("/blocks/registry/bad-arguments", test_bad_arguments);
  g_test_add_func ("/blocks/registry/bad-blocks", test_bad_blocks);
  g_test_add_func ("/blocks/registry/output-sizes", test_output_sizes);
  return g_test_run ();
}

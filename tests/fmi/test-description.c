/* Descriptions: what they say is found, and what breaks a rule is told with its line. */
#include <math.h>
#include <string.h>

#include "fmi/description.h"

/* --- Reading --------------------------------------------------------------------------------- */

static GBytes *
load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fmi", "descriptions", name, NULL);
  char *text = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  return g_bytes_new_take (text, size);
}

static WeirFmuDescription *
read_good (const char *name, const char *terminals_name)
{
  g_autoptr (GBytes) bytes = load (name);
  g_autoptr (GBytes) terminals = terminals_name != NULL ? load (terminals_name) : NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirFmuDescription *d = weir_fmu_description_read_bytes (bytes, terminals, name, diagnostics);

  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      g_autofree char *line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, i));

      g_test_message ("%s", line);
    }
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_assert_nonnull (d);
  return d;
}

static const WeirFmuVariable *
get_variable (const WeirFmuDescription *d, const char *name)
{
  guint i = weir_fmu_description_find (d, name);

  g_assert_cmpuint (i, !=, WEIR_FMU_NONE);
  return &d->variables[i];
}

/* @expected: names, apart by spaces; NULL: everything. */
static void
assert_unknown (const WeirFmuDescription *d, WeirFmuUnknowns list, guint i, const char *name,
                const char *expected)
{
  const WeirFmuUnknown *unknown = &d->unknowns[list][i];
  g_autoptr (GString) names = g_string_new (NULL);

  g_assert_cmpuint (i, <, d->n_unknowns[list]);
  g_assert_cmpstr (d->variables[unknown->variable].name, ==, name);
  if (expected == NULL)
    {
      g_assert_null (unknown->dependencies);
      return;
    }
  g_assert_nonnull (unknown->dependencies);
  for (guint k = 0; k < unknown->n_dependencies; k++)
    g_string_append_printf (names, "%s%s", k > 0 ? " " : "",
                            d->variables[unknown->dependencies[k]].name);
  g_assert_cmpstr (names->str, ==, expected);
}

/* --- A file of 2.0 --------------------------------------------------------------------------- */

static void
test_ball (void)
{
  g_autoptr (WeirFmuDescription) d = read_good ("ball-2.xml", NULL);
  const WeirFmuModeInfo *me = &d->modes[WEIR_FMU_MODEL_EXCHANGE];
  const WeirFmuModeInfo *cs = &d->modes[WEIR_FMU_CO_SIMULATION];

  g_assert_cmpint (d->version, ==, 2);
  g_assert_cmpstr (d->version_text, ==, "2.0");
  g_assert_cmpstr (d->name, ==, "Ball");
  g_assert_cmpstr (d->token, ==, "{8c4e810f-3df3-4a00-8276-176fa3c9f9e0}");
  g_assert_cmpstr (d->description, ==, "A ball that bounces");
  g_assert_cmpstr (d->author, ==, "A. N. Other");
  g_assert_cmpstr (d->model_version, ==, "1.2");
  g_assert_cmpstr (d->copyright, ==, "none");
  g_assert_cmpstr (d->license, ==, "free");
  g_assert_cmpstr (d->tool, ==, "by hand");
  g_assert_cmpstr (d->date, ==, "2026-01-02T03:04:05Z");
  g_assert_true (d->has_structured_names);
  g_assert_cmpfloat (d->experiment.start_time, ==, 0);
  g_assert_cmpfloat (d->experiment.stop_time, ==, 3);
  g_assert_cmpfloat (d->experiment.tolerance, ==, 1e-6);
  g_assert_cmpfloat (d->experiment.step, ==, 0.01);
  g_assert_cmpuint (d->n_log_categories, ==, 2);
  g_assert_cmpstr (d->log_categories[0].name, ==, "logEvents");
  g_assert_cmpstr (d->log_categories[0].description, ==, "events");
  g_assert_null (d->log_categories[1].description);

  g_assert_true (me->is_offered);
  g_assert_cmpstr (me->identifier, ==, "ball");
  g_assert_false (me->needs_completed_step);
  g_assert_true (me->can_get_and_set_state);
  g_assert_true (me->can_serialize_state);
  g_assert_true (me->has_directional_derivatives);
  g_assert_false (me->only_once_per_process);
  g_assert_true (cs->is_offered);
  g_assert_cmpstr (cs->identifier, ==, "ball_cs");
  g_assert_true (cs->can_vary_step);
  g_assert_true (cs->can_interpolate_inputs);
  g_assert_true (cs->can_run_asynchronously);
  g_assert_true (cs->only_once_per_process);
  g_assert_false (cs->can_get_and_set_state);
  g_assert_cmpuint (cs->max_output_derivative_order, ==, 2);
  g_assert_true (isnan (cs->fixed_step));
  g_assert_false (d->modes[WEIR_FMU_SCHEDULED_EXECUTION].is_offered);
}

static void
test_ball_variables (void)
{
  g_autoptr (WeirFmuDescription) d = read_good ("ball-2.xml", NULL);
  const WeirFmuVariable *h = get_variable (d, "h"), *v = get_variable (d, "v");
  const WeirFmuVariable *hdot = get_variable (d, "der(h)"), *vdot = get_variable (d, "der(v)");
  const WeirFmuVariable *kind = get_variable (d, "kind"), *warmth = get_variable (d, "warmth");

  g_assert_cmpuint (d->n_variables, ==, 11);
  g_assert_cmpuint (d->time, ==, 0);
  g_assert_cmpuint (h->reference, ==, 1);
  g_assert_cmpint (h->causality, ==, WEIR_FMU_OUTPUT);
  g_assert_cmpint (h->variability, ==, WEIR_FMU_CONTINUOUS);
  g_assert_cmpint (h->initial, ==, WEIR_FMU_EXACT);
  g_assert_cmpint (h->traits.type, ==, WEIR_FMU_FLOAT64);
  g_assert_cmpstr (h->traits.unit, ==, "m"); /* of its type, like what follows */
  g_assert_cmpstr (h->traits.display_unit, ==, "mm");
  g_assert_cmpstr (h->traits.quantity, ==, "Length");
  g_assert_cmpfloat (h->traits.min, ==, 0);
  g_assert_cmpfloat (h->traits.nominal, ==, 2);
  g_assert_cmpfloat (h->traits.max, ==, 10); /* its own */
  g_assert_cmpuint (h->n_start, ==, 1);
  g_assert_cmpfloat (h->start[0], ==, 1);
  g_assert_true (h->can_be_reinitialized);
  g_assert_cmpint (h->line, ==, 50);
  g_assert_cmpuint (h->size, ==, 1);
  g_assert_cmpuint (h->derivative, ==, weir_fmu_description_find (d, "der(h)"));
  g_assert_cmpuint (h->derivative_of, ==, WEIR_FMU_NONE);
  g_assert_cmpuint (hdot->derivative_of, ==, weir_fmu_description_find (d, "h"));
  g_assert_cmpint (hdot->initial, ==, WEIR_FMU_CALCULATED);
  g_assert_cmpuint (hdot->n_start, ==, 0);
  g_assert_null (hdot->start);
  g_assert_true (isnan (hdot->traits.nominal));
  /* The same value reference: one variable by two names. */
  g_assert_cmpuint (v->alias_of, ==, weir_fmu_description_find (d, "der(h)"));
  g_assert_cmpuint (hdot->alias_of, ==, WEIR_FMU_NONE);
  g_assert_cmpfloat (v->start[0], ==, -1.5e-3);
  g_assert_cmpstr (vdot->description, ==, "acceleration");
  g_assert_false (vdot->can_be_set_often);
  g_assert_true (v->can_be_set_often);
  g_assert_cmpint (get_variable (d, "push")->initial, ==, WEIR_FMU_NO_INITIAL);
  g_assert_cmpint (get_variable (d, "push")->variability, ==, WEIR_FMU_CONTINUOUS);
  g_assert_cmpint (get_variable (d, "count")->traits.type, ==, WEIR_FMU_INT32);
  g_assert_cmpfloat (get_variable (d, "count")->traits.max, ==, 100);
  g_assert_cmpint (kind->traits.type, ==, WEIR_FMU_ENUMERATION);
  g_assert_cmpuint (kind->traits.n_items, ==, 2);
  g_assert_cmpstr (kind->traits.items[0].description, ==, "soft");
  g_assert_cmpstr (kind->traits.items[1].name, ==, "steel");
  g_assert_cmpint (kind->traits.items[1].value, ==, 4);
  g_assert_cmpfloat (kind->start[0], ==, 4);
  g_assert_cmpint (get_variable (d, "awake")->variability, ==, WEIR_FMU_TUNABLE);
  g_assert_cmpfloat (get_variable (d, "awake")->start[0], ==, 1);
  g_assert_null (get_variable (d, "label")->start);
  g_assert_cmpuint (get_variable (d, "label")->start_texts[0].size, ==, 7);
  g_assert_cmpstr (get_variable (d, "label")->start_texts[0].data, ==, "a <b> c");
  g_assert_true (warmth->traits.is_relative);
  g_assert_true (warmth->traits.is_unbounded);
  g_assert_cmpfloat (warmth->start[0], ==, INFINITY);
  g_assert_cmpint (warmth->initial, ==, WEIR_FMU_APPROX);
  g_assert_cmpuint (weir_fmu_description_find (d, "no such"), ==, WEIR_FMU_NONE);
}

static void
test_ball_structure (void)
{
  g_autoptr (WeirFmuDescription) d = read_good ("ball-2.xml", NULL);
  const WeirFmuUnit *degrees = &d->units[weir_fmu_description_find_unit (d, "degC")];
  const WeirFmuUnit *speed = &d->units[weir_fmu_description_find_unit (d, "m/s")];
  const WeirFmuUnknown *count;

  g_assert_cmpuint (d->n_unknowns[WEIR_FMU_OUTPUTS], ==, 3);
  assert_unknown (d, WEIR_FMU_OUTPUTS, 0, "h", "");
  assert_unknown (d, WEIR_FMU_OUTPUTS, 1, "v", NULL);
  assert_unknown (d, WEIR_FMU_OUTPUTS, 2, "count", "h push time");
  count = &d->unknowns[WEIR_FMU_OUTPUTS][2];
  g_assert_cmpint (count->kinds[0], ==, WEIR_FMU_DISCRETE_KIND);
  g_assert_cmpint (count->kinds[1], ==, WEIR_FMU_CONSTANT_KIND);
  g_assert_cmpint (count->kinds[2], ==, WEIR_FMU_DEPENDENT_KIND);
  g_assert_cmpint (count->line, ==, 86);
  g_assert_cmpuint (d->n_unknowns[WEIR_FMU_DERIVATIVES], ==, 2);
  assert_unknown (d, WEIR_FMU_DERIVATIVES, 0, "der(h)", "v");
  assert_unknown (d, WEIR_FMU_DERIVATIVES, 1, "der(v)", "push");
  g_assert_null (d->unknowns[WEIR_FMU_DERIVATIVES][1].kinds);
  g_assert_cmpuint (d->n_unknowns[WEIR_FMU_INITIAL_UNKNOWNS], ==, 3);
  assert_unknown (d, WEIR_FMU_INITIAL_UNKNOWNS, 1, "der(v)", NULL);
  g_assert_cmpuint (d->n_states, ==, 2);
  g_assert_cmpuint (d->n_indicators, ==, 1);

  g_assert_cmpuint (d->n_units, ==, 4);
  g_assert_cmpfloat (degrees->offset, ==, 273.15);
  g_assert_cmpfloat (degrees->factor, ==, 1);
  g_assert_cmpint (degrees->exponents[4], ==, 1);
  g_assert_cmpint (speed->exponents[1], ==, 1);
  g_assert_cmpint (speed->exponents[2], ==, -1);
  g_assert_false (d->units[3].has_base);
  g_assert_cmpuint (d->units[0].n_display_units, ==, 1);
  g_assert_cmpstr (d->units[0].display_units[0].name, ==, "mm");
  g_assert_cmpfloat (d->units[0].display_units[0].factor, ==, 1000);
  g_assert_cmpuint (d->n_types, ==, 2);
  g_assert_cmpstr (d->types[0].name, ==, "Height");
  g_assert_cmpstr (d->types[0].description, ==, "above ground");
}

/* --- A file of 3.0 --------------------------------------------------------------------------- */

static void
test_plant (void)
{
  g_autoptr (WeirFmuDescription) d = read_good ("plant-3.xml", NULL);
  const WeirFmuModeInfo *me = &d->modes[WEIR_FMU_MODEL_EXCHANGE];
  const WeirFmuModeInfo *cs = &d->modes[WEIR_FMU_CO_SIMULATION];

  g_assert_cmpint (d->version, ==, 3);
  g_assert_cmpstr (d->version_text, ==, "3.0.1");
  g_assert_cmpstr (d->token, ==, "{1AE5E10D-9521-4DE3-80B9-D0EAAA7D5AF1}");
  g_assert_false (d->has_structured_names);
  g_assert_null (d->tool);
  g_assert_true (isnan (d->experiment.stop_time));
  g_assert_true (me->needs_completed_step);
  g_assert_true (me->has_evaluate_discrete_states);
  g_assert_true (me->has_directional_derivatives);
  g_assert_true (me->has_adjoint_derivatives);
  g_assert_true (me->has_element_dependencies);
  g_assert_true (me->can_get_and_set_state);
  g_assert_true (me->can_serialize_state);
  g_assert_false (cs->needs_completed_step);
  g_assert_true (cs->needs_execution_tool);
  g_assert_cmpfloat (cs->fixed_step, ==, 0.125);
  g_assert_cmpint (cs->input_smoothness, ==, -1);
  g_assert_true (cs->has_intermediate_update);
  g_assert_true (cs->might_return_early);
  g_assert_true (cs->can_return_early_after_update);
  g_assert_true (cs->has_event_mode);
  g_assert_false (cs->can_vary_step);
  g_assert_cmpstr (d->modes[WEIR_FMU_SCHEDULED_EXECUTION].identifier, ==, "plant_se");
}

static void
test_plant_variables (void)
{
  static const struct {
    const char *name;
    WeirFmuType type;
    double start;
  } integers[] = {
    { "i8", WEIR_FMU_INT8, -128 },
    { "u8", WEIR_FMU_UINT8, 255 },
    { "i16", WEIR_FMU_INT16, -32768 },
    { "u16", WEIR_FMU_UINT16, 65535 },
    { "i32", WEIR_FMU_INT32, -2147483648.0 },
    { "u32", WEIR_FMU_UINT32, 4294967295.0 },
    { "i64", WEIR_FMU_INT64, -9007199254740992.0 },
  };
  g_autoptr (WeirFmuDescription) d = read_good ("plant-3.xml", NULL);
  const WeirFmuVariable *x = get_variable (d, "x"), *t = get_variable (d, "T");
  const WeirFmuVariable *b = get_variable (d, "b"), *words = get_variable (d, "words");
  const WeirFmuVariable *picture = get_variable (d, "picture");

  g_assert_cmpuint (x->n_dimensions, ==, 2);
  g_assert_cmpuint (x->dimensions[0].variable, ==, weir_fmu_description_find (d, "n"));
  g_assert_cmpuint (x->dimensions[0].size, ==, 2);
  g_assert_cmpuint (x->dimensions[1].variable, ==, WEIR_FMU_NONE);
  g_assert_cmpuint (x->dimensions[1].size, ==, 3);
  g_assert_cmpuint (x->size, ==, 6);
  g_assert_cmpuint (x->n_start, ==, 6);
  g_assert_cmpfloat (x->start[4], ==, 5);
  g_assert_cmpuint (x->n_aliases, ==, 1);
  g_assert_cmpstr (x->aliases[0].description, ==, "of the plant");
  g_assert_cmpuint (weir_fmu_description_find (d, "state"), ==, weir_fmu_description_find (d, "x"));
  g_assert_cmpuint (x->derivative, ==, weir_fmu_description_find (d, "xdot"));
  g_assert_cmpuint (d->n_states, ==, 6);
  g_assert_cmpuint (d->n_indicators, ==, 1);
  g_assert_cmpint (get_variable (d, "xdot")->causality, ==, WEIR_FMU_LOCAL);
  g_assert_cmpint (get_variable (d, "n")->causality, ==, WEIR_FMU_STRUCTURAL_PARAMETER);
  g_assert_cmpint (t->variability, ==, WEIR_FMU_FIXED);
  g_assert_cmpstr (t->traits.unit, ==, "s");
  g_assert_cmpfloat (t->traits.max, ==, 60);
  g_assert_cmpfloat (t->traits.nominal, ==, 0.1);
  g_assert_cmpuint (t->declared_type, ==, 0);
  g_assert_true (d->units[0].display_units[0].is_inverse);
  g_assert_cmpint (get_variable (d, "u")->traits.type, ==, WEIR_FMU_FLOAT32);
  g_assert_true (get_variable (d, "u")->has_intermediate_update);
  for (guint i = 0; i < G_N_ELEMENTS (integers); i++)
    {
      const WeirFmuVariable *v = get_variable (d, integers[i].name);

      g_assert_cmpint (v->traits.type, ==, integers[i].type);
      g_assert_cmpint (v->variability, ==, WEIR_FMU_DISCRETE);
      g_assert_cmpfloat (v->start[0], ==, integers[i].start);
    }
  g_assert_cmpuint (b->n_start, ==, 3);
  g_assert_cmpfloat (b->start[0], ==, 1);
  g_assert_cmpfloat (b->start[2], ==, 0);
  g_assert_cmpuint (words->n_start, ==, 2);
  g_assert_cmpstr (words->start_texts[0].data, ==, "one");
  g_assert_cmpuint (words->start_texts[1].size, ==, 0);
  g_assert_cmpmem (picture->start_texts[0].data, picture->start_texts[0].size, "\x89PNG\xff", 5);
  g_assert_cmpstr (picture->traits.mime_type, ==, "image/png");
  g_assert_cmpuint (picture->traits.max_size, ==, 1000);
  g_assert_cmpint (get_variable (d, "mode")->traits.items[1].value, ==, -7);
}

static void
test_plant_clocks (void)
{
  g_autoptr (WeirFmuDescription) d = read_good ("plant-3.xml", NULL);
  const WeirFmuVariable *tick = get_variable (d, "tick"), *alarm = get_variable (d, "alarm");
  const WeirFmuVariable *sampled = get_variable (d, "sampled");

  g_assert_cmpint (tick->traits.clock->interval, ==, WEIR_FMU_INTERVAL_CONSTANT);
  g_assert_cmpfloat (tick->traits.clock->period, ==, 0.5);
  g_assert_cmpfloat (tick->traits.clock->shift, ==, 0.1);
  g_assert_cmpint (alarm->traits.clock->interval, ==, WEIR_FMU_INTERVAL_TRIGGERED);
  g_assert_cmpuint (alarm->n_clocks, ==, 1);
  g_assert_cmpuint (sampled->n_clocks, ==, 2);
  g_assert_cmpuint (sampled->clocks[0], ==, weir_fmu_description_find (d, "tick"));
  g_assert_cmpuint (sampled->clocks[1], ==, weir_fmu_description_find (d, "alarm"));
  g_assert_cmpuint (sampled->previous, ==, weir_fmu_description_find (d, "before"));
  assert_unknown (d, WEIR_FMU_OUTPUTS, 0, "x", "");
  assert_unknown (d, WEIR_FMU_OUTPUTS, 1, "alarm", NULL);
  assert_unknown (d, WEIR_FMU_DERIVATIVES, 0, "xdot", "x u time");
  g_assert_cmpint (d->unknowns[WEIR_FMU_DERIVATIVES][0].kinds[0], ==, WEIR_FMU_TUNABLE_KIND);
  g_assert_cmpint (d->unknowns[WEIR_FMU_DERIVATIVES][0].kinds[1], ==, WEIR_FMU_FIXED_KIND);
  assert_unknown (d, WEIR_FMU_CLOCKED_STATES, 0, "sampled", "u");
  assert_unknown (d, WEIR_FMU_INITIAL_UNKNOWNS, 0, "xdot", NULL);
  assert_unknown (d, WEIR_FMU_EVENT_INDICATORS, 0, "z", "x");
}

static void
test_terminals (void)
{
  g_autoptr (WeirFmuDescription) d = read_good ("plant-3.xml", "plant-3-terminals.xml");
  const WeirFmuTerminal *shaft = &d->terminals[0], *heat = &d->terminals[1];

  g_assert_cmpuint (d->n_terminals, ==, 3);
  g_assert_cmpstr (shaft->name, ==, "shaft");
  g_assert_cmpstr (shaft->matching_rule, ==, "plug");
  g_assert_cmpstr (shaft->kind, ==, "rotation");
  g_assert_cmpstr (shaft->description, ==, "to the wheel");
  g_assert_cmpuint (shaft->parent, ==, WEIR_FMU_NONE);
  g_assert_cmpuint (shaft->n_members, ==, 2);
  g_assert_cmpstr (shaft->members[0].name, ==, "torque");
  g_assert_cmpstr (shaft->members[0].kind, ==, "inflow");
  g_assert_cmpuint (shaft->members[0].variable, ==, weir_fmu_description_find (d, "u"));
  g_assert_cmpuint (shaft->members[1].variable, ==, weir_fmu_description_find (d, "x"));
  g_assert_cmpstr (heat->name, ==, "heat");
  g_assert_cmpuint (heat->parent, ==, 0);
  g_assert_cmpuint (heat->n_members, ==, 2);
  g_assert_cmpstr (heat->members[1].name, ==, "b");
  g_assert_cmpstr (d->terminals[2].name, ==, "other");
  g_assert_cmpuint (d->terminals[2].parent, ==, WEIR_FMU_NONE);
}

/* --- What is wrong --------------------------------------------------------------------------- */

/* Lines: what is given stands on line 3 and after. */
#define WHOLE_2(head, variables, structure)                                                        \
  "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n"                          \
  "<CoSimulation modelIdentifier=\"m\"/>\n" head "\n<ModelVariables>\n" variables                  \
  "\n</ModelVariables>\n<ModelStructure>" structure "</ModelStructure></fmiModelDescription>"
#define WHOLE_3(head, variables, structure)                                                        \
  "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"g\">\n"            \
  "<ModelExchange modelIdentifier=\"m\"/>\n" head                                                  \
  "\n<ModelVariables><Float64 name=\"time\" valueReference=\"999\" "                               \
  "causality=\"independent\"/>\n" variables "\n</ModelVariables>\n<ModelStructure>" structure      \
  "</ModelStructure></fmiModelDescription>"
#define REAL(more, typed)                                                                          \
  "<ScalarVariable name=\"r\" valueReference=\"7\" " more "><Real " typed "/></ScalarVariable>"
#define FLOAT(more) "<Float64 name=\"r\" valueReference=\"7\" " more "/>"
#define ARRAY(start, dimensions)                                                                   \
  "<Float64 name=\"r\" valueReference=\"7\" start=\"" start                                        \
  "\" causality=\"parameter\">" dimensions "</Float64>"
#define PARAMETER(more) "causality=\"parameter\" variability=\"fixed\" " more
#define ONE REAL (PARAMETER (""), "start=\"1\"")
#define GOOD_VARIABLE REAL ("", "")

typedef struct {
  const char *text;
  const char *code;
  WeirSeverity severity;
  int line;
  const char *path; /* the variable, or "" */
  const char *part; /* of the sentence */
} Problem;

#define WARNING WEIR_SEVERITY_WARNING
#define ERROR WEIR_SEVERITY_ERROR

static const Problem problems[] = {
  /* The file. */
  { "", "XML01", ERROR, 0, "", "empty" },
  { "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">", "XML01", ERROR, 1, "",
    "not whole" },
  { "<!DOCTYPE a [<!ENTITY x \"y\">]><fmiModelDescription/>", "XML03", ERROR, 1, "", "DOCTYPE" },
  { "<weir/>", "FMU02", ERROR, 1, "", "<weir>" },
  { "<fmiModelDescription/>", "FMU03", ERROR, 1, "", "does not say" },
  { "<fmiModelDescription fmiVersion=\"1.0\"/>", "FMU03", ERROR, 1, "", "1.0" },
  { "<fmiModelDescription fmiVersion=\"20\"/>", "FMU03", ERROR, 1, "", "20" },
  /* What is needed. */
  { "<fmiModelDescription fmiVersion=\"2.0\" guid=\"g\"><CoSimulation modelIdentifier=\"m\"/>"
    "<ModelVariables>" ONE "</ModelVariables><ModelStructure/></fmiModelDescription>",
    "FMU04", ERROR, 1, "", "modelName" },
  { "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"g\"><CoSimulation "
    "modelIdentifier=\"m\"/><ModelVariables><Float64 name=\"t\" valueReference=\"0\" "
    "causality=\"independent\"/></ModelVariables><ModelStructure/></fmiModelDescription>",
    "FMU04", ERROR, 1, "", "instantiationToken" },
  { "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><CoSimulation/>"
    "<ModelVariables>" ONE "</ModelVariables><ModelStructure/></fmiModelDescription>",
    "FMU04", ERROR, 1, "", "modelIdentifier" },
  { "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><CoSimulation "
    "modelIdentifier=\"../m\"/><ModelVariables>" ONE
    "</ModelVariables><ModelStructure/></fmiModelDescription>",
    "FMU04", ERROR, 1, "", "../m" },
  { "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><ModelVariables>" ONE
    "</ModelVariables><ModelStructure/></fmiModelDescription>",
    "FMU07", ERROR, 0, "", "neither" },
  { WHOLE_2 ("", "", ""), "FMU04", ERROR, 0, "", "no variables" },
  { WHOLE_2 ("", "<ScalarVariable valueReference=\"1\"><Real/></ScalarVariable>", ""), "FMU04",
    ERROR, 5, "", "no name" },
  { WHOLE_2 ("", "<ScalarVariable name=\"a\"><Real/></ScalarVariable>", ""), "FMU04", ERROR, 5, "a",
    "valueReference" },
  { WHOLE_2 ("", "<ScalarVariable name=\"a\" valueReference=\"1\"/>", ""), "FMU04", ERROR, 5, "a",
    "no type" },
  { WHOLE_2 ("", "<ScalarVariable name=\"a\" valueReference=\"1\"><Real/><Real/></ScalarVariable>",
             ""),
    "FMU04", ERROR, 5, "a", "two types" },
  { WHOLE_2 ("<TypeDefinitions><SimpleType name=\"T\"/></TypeDefinitions>", ONE, ""), "FMU04",
    WARNING, 3, "T", "says nothing" },
  { WHOLE_2 ("", ONE, "<Outputs><Unknown/></Outputs>"), "FMU04", ERROR, 7, "", "\"index\"" },
  /* Values. */
  { WHOLE_2 ("", REAL (PARAMETER (""), "start=\"1,5\""), ""), "FMU05", WARNING, 5, "r", "1,5" },
  { WHOLE_2 ("", REAL (PARAMETER (""), "start=\"1\" min=\"0x1\""), ""), "FMU05", WARNING, 5, "r",
    "min" },
  { WHOLE_2 ("", REAL (PARAMETER ("canHandleMultipleSetPerTimeInstant=\"yes\""), "start=\"1\""),
             ""),
    "FMU05", WARNING, 5, "r", "truth value" },
  { WHOLE_2 ("", REAL ("causality=\"inner\"", ""), ""), "FMU05", WARNING, 5, "r", "inner" },
  { WHOLE_2 ("", "<ScalarVariable name=\"r\" valueReference=\"-1\"><Real/></ScalarVariable>", ""),
    "FMU05", WARNING, 5, "r", "valueReference" },
  { WHOLE_3 ("", "<UInt8 name=\"r\" valueReference=\"7\" causality=\"parameter\" start=\"256\"/>",
             ""),
    "FMU05", WARNING, 5, "r", "256" },
  { WHOLE_3 ("",
             "<Binary name=\"r\" valueReference=\"7\" causality=\"parameter\"><Start "
             "value=\"0g\"/></Binary>",
             ""),
    "FMU05", WARNING, 5, "r", "hexadecimal" },
  { WHOLE_2 ("", GOOD_VARIABLE REAL ("", ""),
             "<InitialUnknowns/><Outputs><Unknown index=\"1\" dependencies=\"1\" "
             "dependenciesKind=\"strange\"/></Outputs>"),
    "FMU05", WARNING, 7, "", "strange" },
  { WHOLE_2 ("<UnitDefinitions><Unit name=\"u\"><BaseUnit m=\"1.5\"/></Unit></UnitDefinitions>",
             ONE, ""),
    "FMU05", WARNING, 3, "u", "1.5" },
  /* Elements. */
  { WHOLE_2 ("<Colour><Red/></Colour>", ONE, ""), "FMU06", WARNING, 3, "", "<Colour>" },
  { WHOLE_2 ("", "<Float64 name=\"a\" valueReference=\"0\"/>" ONE, ""), "FMU06", WARNING, 5, "",
    "<Float64>" },
  { WHOLE_3 ("", "<Float64 name=\"r\" valueReference=\"7\"><Start value=\"1\"/></Float64>", ""),
    "FMU06", WARNING, 5, "r", "<Start>" },
  /* Names and references given twice. */
  { WHOLE_2 ("", ONE ONE, ""), "FMU08", WARNING, 5, "r", "twice" },
  { WHOLE_2 ("<CoSimulation modelIdentifier=\"n\"/>", ONE, ""), "FMU08", WARNING, 3, "", "twice" },
  { WHOLE_2 ("<UnitDefinitions><Unit name=\"u\"/><Unit name=\"u\"/></UnitDefinitions>", ONE, ""),
    "FMU08", WARNING, 3, "u", "twice" },
  { WHOLE_3 ("<TypeDefinitions><Int8Type name=\"u\"/><Int8Type name=\"u\"/></TypeDefinitions>",
             FLOAT (""), ""),
    "FMU08", WARNING, 3, "u", "twice" },
  { WHOLE_3 ("", FLOAT ("") "<Float64 name=\"s\" valueReference=\"7\"/>", ""), "FMU09", WARNING, 5,
    "s", "\"r\"" },
  /* Kinds. */
  { WHOLE_2 ("", "<ScalarVariable name=\"r\" valueReference=\"7\"><Integer/></ScalarVariable>", ""),
    "FMU10", WARNING, 5, "r", "taken for discrete" },
  { WHOLE_3 ("", "<Int8 name=\"r\" valueReference=\"7\" variability=\"continuous\"/>", ""), "FMU10",
    WARNING, 5, "r", "Int8 cannot be continuous" },
  { WHOLE_2 ("", REAL ("causality=\"parameter\" variability=\"discrete\"", "start=\"1\""), ""),
    "FMU10", WARNING, 5, "r", "parameter and discrete" },
  { WHOLE_2 ("", REAL (PARAMETER ("initial=\"calculated\""), "start=\"1\""), ""), "FMU10", WARNING,
    5, "r", "initial=\"calculated\"" },
  /* Start values. */
  { WHOLE_2 ("", REAL (PARAMETER (""), ""), ""), "FMU11", WARNING, 5, "r", "missing" },
  { WHOLE_2 ("", REAL ("causality=\"input\"", ""), ""), "FMU11", WARNING, 5, "r", "missing" },
  { WHOLE_2 ("", REAL ("", "start=\"1\""), ""), "FMU11", WARNING, 5, "r", "all the same" },
  { WHOLE_2 ("", REAL ("causality=\"independent\"", "start=\"1\""), ""), "FMU11", WARNING, 5, "r",
    "Time" },
  { WHOLE_3 ("", ARRAY ("1 2", "<Dimension start=\"3\"/>"), ""), "FMU11", WARNING, 5, "r",
    "2 start values for 3" },
  /* Units and types. */
  { WHOLE_2 ("", REAL ("", "unit=\"ell\""), ""), "FMU12", WARNING, 5, "r", "\"ell\"" },
  { WHOLE_2 ("", REAL ("", "displayUnit=\"ell\""), ""), "FMU12", WARNING, 5, "r", "\"ell\"" },
  { WHOLE_2 ("<UnitDefinitions><Unit name=\"m\"/></UnitDefinitions>",
             REAL ("", "unit=\"m\" displayUnit=\"ell\""), ""),
    "FMU12", WARNING, 5, "r", "with \"m\"" },
  { WHOLE_2 ("", REAL ("", "declaredType=\"T\""), ""), "FMU12", WARNING, 5, "r", "\"T\"" },
  { WHOLE_3 ("<TypeDefinitions><Int8Type name=\"T\"/></TypeDefinitions>",
             FLOAT ("declaredType=\"T\""), ""),
    "FMU12", WARNING, 5, "r", "Int8, but the variable is Float64" },
  /* References. */
  { WHOLE_2 ("", REAL ("", "derivative=\"5\""), ""), "FMU13", ERROR, 5, "r", "derivative=\"5\"" },
  { WHOLE_2 ("", REAL ("", "derivative=\"0\""), ""), "FMU13", ERROR, 5, "r", "derivative=\"0\"" },
  { WHOLE_3 ("", FLOAT ("clocks=\"6\""), ""), "FMU13", ERROR, 5, "r", "clocks=\"6\"" },
  { WHOLE_3 ("", FLOAT ("clocks=\"999\""), ""), "FMU13", ERROR, 5, "r", "no clock" },
  { WHOLE_3 ("", FLOAT ("previous=\"6\""), ""), "FMU13", ERROR, 5, "r", "previous=\"6\"" },
  { WHOLE_2 ("", ONE, "<Outputs><Unknown index=\"2\"/></Outputs>"), "FMU13", WARNING, 7, "",
    "variable 2" },
  { WHOLE_2 ("", ONE, "<Derivatives><Unknown index=\"0\"/></Derivatives>"), "FMU13", ERROR, 7, "",
    "variable 0" },
  { WHOLE_2 ("", REAL ("causality=\"output\" initial=\"exact\"", "start=\"1\""),
             "<Outputs><Unknown index=\"1\" dependencies=\"9\"/></Outputs>"),
    "FMU13", WARNING, 7, "r", "variable 9" },
  /* The structure. */
  { "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><CoSimulation "
    "modelIdentifier=\"m\"/><ModelVariables>" ONE "</ModelVariables></fmiModelDescription>",
    "FMU14", WARNING, 0, "", "ModelStructure" },
  { WHOLE_2 ("", REAL ("causality=\"output\" initial=\"exact\"", "start=\"1\""), ""), "FMU14",
    WARNING, 5, "r", "does not list this output" },
  { WHOLE_2 ("", ONE, "<Outputs><Unknown index=\"1\"/></Outputs>"), "FMU14", WARNING, 5, "r",
    "but it is parameter" },
  { WHOLE_2 ("", REAL ("causality=\"output\" initial=\"exact\"", "start=\"1\""),
             "<Outputs><Unknown index=\"1\"/><Unknown index=\"1\"/></Outputs>"),
    "FMU14", WARNING, 7, "r", "twice" },
  { WHOLE_2 ("", GOOD_VARIABLE, "<Derivatives><Unknown index=\"1\"/></Derivatives>"), "FMU14",
    WARNING, 5, "r", "of which" },
  { WHOLE_3 ("", FLOAT (""), "<ContinuousStateDerivative valueReference=\"7\"/>"), "FMU14", ERROR,
    5, "r", "of which" },
  { WHOLE_3 ("", FLOAT ("derivative=\"8\"") "<Float32 name=\"s\" valueReference=\"8\"/>",
             "<ContinuousStateDerivative valueReference=\"7\"/>"),
    "FMU14", ERROR, 5, "r", "differ" },
  { WHOLE_3 ("", "<Int8 name=\"r\" valueReference=\"7\"/>",
             "<EventIndicator valueReference=\"7\"/>"),
    "FMU14", ERROR, 5, "r", "real number" },
  { WHOLE_3 ("", FLOAT (""), "<ClockedState valueReference=\"7\"/>"), "FMU14", WARNING, 5, "r",
    "clocked state" },
  { WHOLE_2 ("", REAL ("causality=\"output\"", ""), "<Outputs><Unknown index=\"1\"/></Outputs>"),
    "FMU14", WARNING, 5, "r", "unknown at the start" },
  { WHOLE_2 ("", ONE, "<InitialUnknowns><Unknown index=\"1\"/></InitialUnknowns>"), "FMU14",
    WARNING, 5, "r", "it is none" },
  { WHOLE_2 ("", REAL ("causality=\"output\" initial=\"exact\"", "start=\"1\""),
             "<Outputs><Unknown index=\"1\" dependencies=\"1\" dependenciesKind=\"fixed "
             "fixed\"/></Outputs>"),
    "FMU15", WARNING, 7, "", "1 dependencies, but 2 kinds" },
  { WHOLE_2 ("", REAL ("causality=\"output\" initial=\"exact\"", "start=\"1\""),
             "<Outputs><Unknown index=\"1\" dependenciesKind=\"fixed\"/></Outputs>"),
    "FMU15", WARNING, 7, "", "without" },
  /* Limits. */
  { WHOLE_2 ("<DefaultExperiment startTime=\"2\" stopTime=\"1\"/>", ONE, ""), "FMU16", WARNING, 3,
    "", "ends before" },
  { WHOLE_2 ("", REAL ("", "min=\"2\" max=\"1\""), ""), "FMU16", WARNING, 5, "r", "above" },
  { WHOLE_2 ("", REAL ("", "nominal=\"-3\""), ""), "FMU16", WARNING, 5, "r", "-3" },
  { WHOLE_2 ("", REAL (PARAMETER (""), "start=\"1\" min=\"2\""), ""), "FMU16", WARNING, 5, "r",
    "outside" },
  /* Dimensions. */
  { WHOLE_3 ("", ARRAY ("1", "<Dimension/>"), ""), "FMU17", ERROR, 5, "r", "either" },
  { WHOLE_3 ("", ARRAY ("1", "<Dimension start=\"1\" valueReference=\"7\"/>"), ""), "FMU17", ERROR,
    5, "r", "either" },
  { WHOLE_3 ("", ARRAY ("1", "<Dimension valueReference=\"999\"/>"), ""), "FMU17", ERROR, 5, "r",
    "\"time\"" },
  { WHOLE_3 ("",
             "<Int8 name=\"n\" valueReference=\"8\" causality=\"structuralParameter\" "
             "start=\"-1\"/>" ARRAY ("1", "<Dimension valueReference=\"8\"/>"),
             ""),
    "FMU17", ERROR, 5, "r", "no size" },
  { WHOLE_3 ("", ARRAY ("1", "<Dimension start=\"4294967296\"/><Dimension start=\"4294967296\"/>"),
             ""),
    "FMU17", ERROR, 5, "r", "too large" },
  { WHOLE_3 ("", "<Float64 name=\"time2\" valueReference=\"1\" causality=\"independent\"/>", ""),
    "FMU18", WARNING, 4, "", "there are 2" },
  /* Clocks, names, integers, enumerations. */
  { WHOLE_3 ("", "<Clock name=\"r\" valueReference=\"7\"/>", ""), "FMU20", WARNING, 5, "r",
    "intervalVariability" },
  { WHOLE_3 ("", "<Clock name=\"r\" valueReference=\"7\" intervalVariability=\"constant\"/>", ""),
    "FMU20", WARNING, 5, "r", "intervalDecimal" },
  { WHOLE_3 ("",
             "<Clock name=\"r\" valueReference=\"7\" causality=\"output\" "
             "intervalVariability=\"countdown\"/>",
             "<Output valueReference=\"7\"/>"),
    "FMU20", WARNING, 5, "r", "countdown" },
  { WHOLE_3 ("",
             "<Int64 name=\"r\" valueReference=\"7\" causality=\"parameter\" "
             "start=\"9007199254740994\"/>",
             ""),
    "FMU22", WARNING, 5, "r", "2^53" },
  { WHOLE_2 ("",
             "<ScalarVariable name=\"r\" valueReference=\"7\" " PARAMETER (
                 "") "><Enumeration start=\"1\"/></ScalarVariable>",
             ""),
    "FMU23", WARNING, 5, "r", "no declared type" },
  { WHOLE_2 (
        "<TypeDefinitions><SimpleType name=\"T\"><Enumeration/></SimpleType></TypeDefinitions>",
        ONE, ""),
    "FMU23", WARNING, 3, "T", "no items" },
  { WHOLE_2 ("<TypeDefinitions><SimpleType name=\"T\"><Enumeration><Item name=\"a\"/></Enumeration>"
             "</SimpleType></TypeDefinitions>",
             ONE, ""),
    "FMU23", WARNING, 3, "T", "no value" },
  { WHOLE_2 ("<TypeDefinitions><SimpleType name=\"T\"><Enumeration><Item name=\"a\" value=\"1\"/>"
             "</Enumeration></SimpleType></TypeDefinitions>",
             "<ScalarVariable name=\"r\" valueReference=\"7\" " PARAMETER (
                 "") "><Enumeration declaredType=\"T\" start=\"2\"/></ScalarVariable>",
             ""),
    "FMU23", WARNING, 5, "r", "none of the enumeration's items" },
};

static const WeirDiagnostic *
find_problem (const WeirDiagnostics *diagnostics, const Problem *problem)
{
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, i);

      if (strcmp (d->code, problem->code) == 0 && strstr (d->text, problem->part) != NULL)
        return d;
    }
  return NULL;
}

/* The problem is told, nothing worse is, and warnings do not keep the file from being read. */
static void
test_problems (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (problems); i++)
    {
      const Problem *problem = &problems[i];
      g_autoptr (GBytes) bytes = g_bytes_new_static (problem->text, strlen (problem->text));
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      WeirFmuDescription *d = weir_fmu_description_read_bytes (bytes, NULL, "m.xml", diagnostics);
      const WeirDiagnostic *found = find_problem (diagnostics, problem);

      g_test_message ("%s", problem->text);
      for (guint k = 0; k < weir_diagnostics_get_size (diagnostics); k++)
        {
          g_autofree char *line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, k));

          g_test_message ("  %s", line);
        }
      g_assert_nonnull (found);
      g_assert_cmpint (found->severity, ==, problem->severity);
      g_assert_cmpint (found->line, ==, problem->line);
      g_assert_cmpstr (found->path, ==, problem->path);
      g_assert_cmpstr (found->file, ==, "m.xml");
      g_assert_cmpint (d == NULL, ==, problem->severity == WEIR_SEVERITY_ERROR);
      g_clear_pointer (&d, weir_fmu_description_unref);
    }
}

/* Several at once, in one reading. */
static void
test_several_problems (void)
{
  static const char text[] = WHOLE_2 (
      "", REAL ("", "unit=\"ell\"") "\n" REAL ("causality=\"input\"", "min=\"2\" max=\"1\""),
      "<Outputs><Unknown index=\"3\"/></Outputs>");
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuDescription)
      d = weir_fmu_description_read_bytes (bytes, NULL, "m.xml", diagnostics);

  g_assert_nonnull (d);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 5);
}

/* Dependencies that cannot be understood are on everything. */
static void
test_cautious (void)
{
  static const char text[] = WHOLE_2 (
      "",
      REAL ("causality=\"output\" initial=\"exact\"", "start=\"1\"")
          REAL (PARAMETER (""), "start=\"1\" nominal=\"-4\""),
      "<Outputs><Unknown index=\"1\" dependencies=\"2 9\"/></Outputs>");
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuDescription)
      d = weir_fmu_description_read_bytes (bytes, NULL, "m.xml", diagnostics);

  g_assert_nonnull (d);
  g_assert_null (d->unknowns[WEIR_FMU_OUTPUTS][0].dependencies);
  g_assert_cmpfloat (d->variables[1].traits.nominal, ==, 4);
}

/* Structured names: the grammar of the standard, appendix of 2.0. */
static void
test_names (void)
{
  static const struct {
    const char *name;
    gboolean is_good;
  } names[] = {
    { "a", TRUE },          { "a.b[1,2].c_3", TRUE },
    { "der(a.b)", TRUE },   { "der(x[1],2)", TRUE },
    { "'odd name'", TRUE }, { "a.'b\\'c'[4]", TRUE },
    { "1a", FALSE },        { "a b", FALSE },
    { "a.", FALSE },        { "a[]", FALSE },
    { "a[1", FALSE },       { "der(a", FALSE },
    { "'open", FALSE },     { "", FALSE },
    { "a[x]", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\" "
          "variableNamingConvention=\"structured\"><CoSimulation modelIdentifier=\"m\"/>"
          "<ModelVariables><ScalarVariable name=\"%s\" valueReference=\"0\"><Real/>"
          "</ScalarVariable></ModelVariables><ModelStructure/></fmiModelDescription>",
          names[i].name);
      g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirFmuDescription)
          d = weir_fmu_description_read_bytes (bytes, NULL, "m.xml", diagnostics);

      g_test_message ("%s", names[i].name);
      g_assert_nonnull (d);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, names[i].is_good ? 0 : 1);
      if (!names[i].is_good)
        g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, "FMU21");
    }
}

/* Damaged terminals are told and leave the rest as it is. */
static void
test_bad_terminals (void)
{
  static const struct {
    const char *text;
    guint n_kept;
    const char *part;
  } cases[] = {
    { "<fmiTerminalsAndIcons>", 0, "not whole" },
    { "<fmiTerminalsAndIcons><Terminals><Terminal name=\"t\" matchingRule=\"plug\">\n"
      "<TerminalMemberVariable variableName=\"none\"/></Terminal></Terminals>"
      "</fmiTerminalsAndIcons>",
      1, "\"none\"" },
    { "<fmiTerminalsAndIcons><Terminals><Terminal/></Terminals></fmiTerminalsAndIcons>", 1,
      "needs a name" },
  };
  g_autoptr (GBytes) bytes = load ("plant-3.xml");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) terminals = g_bytes_new_static (cases[i].text, strlen (cases[i].text));
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirFmuDescription) d = weir_fmu_description_read_bytes (
          bytes, terminals, "a.fmu/modelDescription.xml", diagnostics);

      g_assert_nonnull (d);
      g_assert_cmpuint (d->n_terminals, ==, cases[i].n_kept);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, "FMU24");
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->file, ==,
                       "a.fmu/terminalsAndIcons/terminalsAndIcons.xml");
      g_assert_nonnull (strstr (weir_diagnostics_get (diagnostics, 0)->text, cases[i].part));
    }
}

/* --- In an archive --------------------------------------------------------------------------- */

static WeirFmuArchive *
pack (const char *description, const char *library)
{
  g_autoptr (GBytes) bytes = load ("ball-2.xml"), program = g_bytes_new_static ("x", 1);
  WeirFmuFile files[] = { { description, bytes }, { library, program } };
  g_autoptr (GBytes) zip = weir_fmu_archive_write (files, library != NULL ? 2 : 1, NULL);

  return weir_fmu_archive_new (zip, "ball.fmu", NULL);
}

static void
test_archive (void)
{
  g_autofree char *here = g_strconcat ("binaries/", weir_fmu_get_platform (2), "/other.so", NULL);
  const struct {
    const char *description, *library;
    const char *code, *part;
  } cases[] = {
    { "modelDescription.xml", "binaries/win64/ball.dll", "FMU19", "libraries for win64" },
    { "modelDescription.xml", NULL, "FMU19", "no libraries" },
    { "modelDescription.xml", here, "FMU19", "is not in it" },
    { "ball/modelDescription.xml", NULL, "FMU02", "ball/modelDescription.xml" },
    { "readme.txt", NULL, "FMU02", "no FMU" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirFmuArchive) archive = pack (cases[i].description, cases[i].library);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirFmuDescription) d = weir_fmu_description_read (archive, diagnostics);

      if (d != NULL)
        weir_fmu_description_check_libraries (d, archive, diagnostics);
      g_test_message ("%s", weir_diagnostics_get (diagnostics, 0)->text);
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, cases[i].code);
      g_assert_nonnull (strstr (weir_diagnostics_get (diagnostics, 0)->text, cases[i].part));
      g_assert_cmpint (d == NULL, ==, strcmp (cases[i].code, "FMU02") == 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/description/ball", test_ball);
  g_test_add_func ("/fmi/description/ball-variables", test_ball_variables);
  g_test_add_func ("/fmi/description/ball-structure", test_ball_structure);
  g_test_add_func ("/fmi/description/plant", test_plant);
  g_test_add_func ("/fmi/description/plant-variables", test_plant_variables);
  g_test_add_func ("/fmi/description/plant-clocks", test_plant_clocks);
  g_test_add_func ("/fmi/description/terminals", test_terminals);
  g_test_add_func ("/fmi/description/problems", test_problems);
  g_test_add_func ("/fmi/description/several-problems", test_several_problems);
  g_test_add_func ("/fmi/description/cautious", test_cautious);
  g_test_add_func ("/fmi/description/names", test_names);
  g_test_add_func ("/fmi/description/bad-terminals", test_bad_terminals);
  g_test_add_func ("/fmi/description/archive", test_archive);
  return g_test_run ();
}

/* The elements of modelDescription.xml, as they come.
 *
 * What may stand where is a table. Elements that are not in it are told and passed over with all
 * that is in them; so are, without a word, annotations and whatever has a namespace of its own.
 * What refers to something else is kept as the number that the file gives, until all has been read
 * (description-resolve.c).
 */
#include "fmi/description-private.h"

#include <math.h>
#include <string.h>

#define MAX_DIMENSIONS 32

/* --- The model and its modes ----------------------------------------------------------------- */

static const char *
read_needed (WeirFmuReading *r, const char *attribute, const char *what)
{
  const char *text = weir_fmu_read_text (r, attribute);

  if (text == NULL || *text == '\0')
    weir_fmu_complain (r, "FMU04", "<%s> has no \"%s\".", what, attribute);
  return text != NULL ? text : "";
}

static void
start_root (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuDescription *d = r->d;
  const char *version = weir_xml_get_attribute (&r->xml, "fmiVersion");
  const char *convention = weir_xml_get_attribute (&r->xml, "variableNamingConvention");

  if (version == NULL)
    weir_xml_fail (&r->xml, "FMU03", weir_xml_get_line (&r->xml),
                   "The description does not say which version of FMI it is of.");
  else if (g_str_has_prefix (version, "2.") || g_str_has_prefix (version, "3."))
    d->version = version[0] - '0';
  else
    weir_xml_fail (&r->xml, "FMU03", weir_xml_get_line (&r->xml),
                   "The FMU is of FMI version %.30s; versions 2.0 and 3.0 can be read.", version);
  if (r->xml.code != NULL)
    return;
  d->version_text = weir_fmu_keep_text (r, version);
  d->name = read_needed (r, "modelName", "fmiModelDescription");
  d->token = read_needed (r, d->version == 2 ? "guid" : "instantiationToken",
                          "fmiModelDescription");
  d->description = weir_fmu_read_text (r, "description");
  d->author = weir_fmu_read_text (r, "author");
  d->model_version = weir_fmu_read_text (r, "version");
  d->copyright = weir_fmu_read_text (r, "copyright");
  d->license = weir_fmu_read_text (r, "license");
  d->tool = weir_fmu_read_text (r, "generationTool");
  d->date = weir_fmu_read_text (r, "generationDateAndTime");
  d->has_structured_names = g_strcmp0 (convention, "structured") == 0;
  if (d->version == 2)
    d->n_indicators = (gsize) weir_fmu_read_unsigned (r, "numberOfEventIndicators", G_MAXINT32, 0);
}

static void
start_mode (WeirFmuReading *r, guint mode)
{
  WeirFmuModeInfo *info = &r->d->modes[mode];
  gboolean is_2 = r->d->version == 2;

  if (info->is_offered)
    weir_fmu_warn (r, "FMU08", "<%s> is given twice.", weir_fmu_mode_get_name (mode));
  info->is_offered = TRUE;
  info->identifier = read_needed (r, "modelIdentifier", weir_fmu_mode_get_name (mode));
  if (strchr (info->identifier, '/') != NULL)
    weir_fmu_complain (r, "FMU04", "modelIdentifier=\"%s\" is no name of a library.",
                       info->identifier);
  info->needs_execution_tool = weir_fmu_read_flag (r, "needsExecutionTool", FALSE);
  info->only_once_per_process = weir_fmu_read_flag (r, "canBeInstantiatedOnlyOncePerProcess",
                                                    FALSE);
  info->can_get_and_set_state = weir_fmu_read_flag (
      r, is_2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", FALSE);
  info->can_serialize_state = weir_fmu_read_flag (
      r, is_2 ? "canSerializeFMUstate" : "canSerializeFMUState", FALSE);
  info->has_directional_derivatives = weir_fmu_read_flag (
      r, is_2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives", FALSE);
  info->needs_completed_step = mode == WEIR_FMU_MODEL_EXCHANGE
                               && (is_2 ? !weir_fmu_read_flag (
                                       r, "completedIntegratorStepNotNeeded", FALSE)
                                        : weir_fmu_read_flag (r, "needsCompletedIntegratorStep",
                                                              FALSE));
  info->can_vary_step = weir_fmu_read_flag (r, "canHandleVariableCommunicationStepSize", FALSE);
  info->max_output_derivative_order = (guint) weir_fmu_read_unsigned (r, "maxOutputDerivativeOrder",
                                                                      G_MAXINT32, 0);
  if (is_2)
    {
      info->can_interpolate_inputs = weir_fmu_read_flag (r, "canInterpolateInputs", FALSE);
      info->can_run_asynchronously = weir_fmu_read_flag (r, "canRunAsynchronuously", FALSE);
      return;
    }
  info->has_adjoint_derivatives = weir_fmu_read_flag (r, "providesAdjointDerivatives", FALSE);
  info->has_element_dependencies = weir_fmu_read_flag (r, "providesPerElementDependencies", FALSE);
  info->has_evaluate_discrete_states = weir_fmu_read_flag (r, "providesEvaluateDiscreteStates",
                                                           FALSE);
  info->has_intermediate_update = weir_fmu_read_flag (r, "providesIntermediateUpdate", FALSE);
  info->might_return_early = weir_fmu_read_flag (r, "mightReturnEarlyFromDoStep", FALSE);
  info->can_return_early_after_update = weir_fmu_read_flag (
      r, "canReturnEarlyAfterIntermediateUpdate", FALSE);
  info->has_event_mode = weir_fmu_read_flag (r, "hasEventMode", FALSE);
  info->fixed_step = weir_fmu_read_double (r, "fixedInternalStepSize", NAN);
  info->input_smoothness = (int) weir_fmu_read_integer (r, "recommendedIntermediateInputSmoothness",
                                                        G_MININT32, G_MAXINT32, 0);
}

static void
start_experiment (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuExperiment *e = &r->d->experiment;

  e->start_time = weir_fmu_read_double (r, "startTime", NAN);
  e->stop_time = weir_fmu_read_double (r, "stopTime", NAN);
  e->tolerance = weir_fmu_read_double (r, "tolerance", NAN);
  e->step = weir_fmu_read_double (r, "stepSize", NAN);
  if (e->stop_time < e->start_time)
    weir_fmu_warn (r, "FMU16", "The default experiment ends before it begins.");
}

static void
start_category (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuLogCategory category = { read_needed (r, "name", "Category"),
                                  weir_fmu_read_text (r, "description") };

  g_array_append_val (r->categories, category);
}

/* --- Units and types ------------------------------------------------------------------------- */

/* Of problems that follow. */
static void
set_subject (WeirFmuReading *r, const char *name)
{
  g_free (r->subject);
  r->subject = g_strdup (name);
}

#define LAST(array, Type) (&g_array_index (array, Type, (array)->len - 1))

static void
start_unit (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuUnit unit = { .name = read_needed (r, "name", "Unit"),
                       .factor = 1,
                       .line = weir_xml_get_line (&r->xml) };

  set_subject (r, unit.name);
  g_array_append_val (r->units, unit);
}

static void
start_base_unit (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  static const char *const names[WEIR_FMU_N_BASE_UNITS] = { "kg", "m",   "s",  "A",
                                                            "K",  "mol", "cd", "rad" };
  WeirFmuUnit *unit = LAST (r->units, WeirFmuUnit);

  unit->has_base = TRUE;
  for (guint i = 0; i < WEIR_FMU_N_BASE_UNITS; i++)
    unit->exponents[i] = (int) weir_fmu_read_integer (r, names[i], -1000, 1000, 0);
  unit->factor = weir_fmu_read_double (r, "factor", 1);
  unit->offset = weir_fmu_read_double (r, "offset", 0);
}

static void
start_display_unit (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuDisplayUnit unit = { .name = read_needed (r, "name", "DisplayUnit"),
                              .factor = weir_fmu_read_double (r, "factor", 1),
                              .offset = weir_fmu_read_double (r, "offset", 0),
                              .is_inverse = weir_fmu_read_flag (r, "inverse", FALSE) };

  g_array_append_val (r->display_units, unit);
}

static void
end_unit (WeirFmuReading *r)
{
  WeirFmuUnit *unit = LAST (r->units, WeirFmuUnit);

  unit->n_display_units = r->display_units->len;
  unit->display_units = weir_fmu_keep (r, r->display_units->data,
                                       r->display_units->len * sizeof (WeirFmuDisplayUnit));
  g_array_set_size (r->display_units, 0);
  set_subject (r, NULL);
}

static const WeirFmuClock *
read_clock (WeirFmuReading *r)
{
  WeirFmuClock clock = {
    .can_be_deactivated = weir_fmu_read_flag (r, "canBeDeactivated", FALSE),
    .has_fractions = weir_fmu_read_flag (r, "supportsFraction", FALSE),
    .priority = (guint) weir_fmu_read_unsigned (r, "priority", G_MAXUINT32, G_MAXUINT),
    .period = weir_fmu_read_double (r, "intervalDecimal", NAN),
    .shift = weir_fmu_read_double (r, "shiftDecimal", NAN),
    .resolution = weir_fmu_read_unsigned (r, "resolution", G_MAXUINT64, 0),
    .period_ticks = weir_fmu_read_unsigned (r, "intervalCounter", G_MAXUINT64, 0),
    .shift_ticks = weir_fmu_read_unsigned (r, "shiftCounter", G_MAXUINT64, 0),
  };
  int interval = weir_fmu_read_word (r, "intervalVariability", weir_fmu_interval_find, -1);

  if (interval < 0)
    return NULL; /* or what the declared type says */
  clock.interval = (WeirFmuInterval) interval;
  return weir_fmu_keep (r, &clock, sizeof clock);
}

static WeirFmuTraits
read_traits (WeirFmuReading *r, WeirFmuType type)
{
  WeirFmuTraits traits = { .type = type, .min = NAN, .max = NAN, .nominal = NAN };

  traits.quantity = weir_fmu_read_text (r, "quantity");
  if (weir_fmu_type_is_float (type))
    {
      traits.unit = weir_fmu_read_text (r, "unit");
      traits.display_unit = weir_fmu_read_text (r, "displayUnit");
      traits.nominal = weir_fmu_read_double (r, "nominal", NAN);
      traits.is_relative = weir_fmu_read_flag (r, "relativeQuantity", FALSE);
      traits.is_unbounded = weir_fmu_read_flag (r, "unbounded", FALSE);
    }
  if (type < WEIR_FMU_BOOLEAN || type == WEIR_FMU_ENUMERATION)
    {
      traits.min = weir_fmu_read_double (r, "min", NAN);
      traits.max = weir_fmu_read_double (r, "max", NAN);
    }
  if (type == WEIR_FMU_BINARY)
    {
      traits.mime_type = weir_fmu_read_text (r, "mimeType");
      traits.max_size = weir_fmu_read_unsigned (r, "maxSize", G_MAXUINT64, 0);
    }
  if (type == WEIR_FMU_CLOCK)
    traits.clock = read_clock (r);
  return traits;
}

static void
start_type (WeirFmuReading *r, guint type)
{
  WeirFmuDeclaredType *declared;

  if (r->d->version == 3)
    {
      WeirFmuDeclaredType new = { .name = read_needed (r, "name", "a type"),
                                  .description = weir_fmu_read_text (r, "description"),
                                  .line = weir_xml_get_line (&r->xml) };

      set_subject (r, new.name);
      g_array_append_val (r->types, new);
    }
  declared = LAST (r->types, WeirFmuDeclaredType);
  declared->traits = read_traits (r, (WeirFmuType) type);
  r->has_typed = TRUE;
}

static void
start_simple_type (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuDeclaredType declared = { .name = read_needed (r, "name", "SimpleType"),
                                   .description = weir_fmu_read_text (r, "description"),
                                   .line = weir_xml_get_line (&r->xml) };

  declared.traits = (WeirFmuTraits) {
    .type = WEIR_FMU_FLOAT64, .min = NAN, .max = NAN, .nominal = NAN
  };
  set_subject (r, declared.name);
  r->has_typed = FALSE;
  g_array_append_val (r->types, declared);
}

static void
start_item (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuItem item = { .name = read_needed (r, "name", "Item"),
                       .description = weir_fmu_read_text (r, "description") };

  if (weir_xml_get_attribute (&r->xml, "value") == NULL)
    weir_fmu_warn (r, "FMU23", "The item \"%s\" has no value.", item.name);
  item.value = weir_fmu_read_integer (r, "value", G_MININT64, G_MAXINT64, r->items->len + 1);
  g_array_append_val (r->items, item);
}

static void
end_type (WeirFmuReading *r)
{
  WeirFmuTraits *traits = &LAST (r->types, WeirFmuDeclaredType)->traits;

  if (traits->type == WEIR_FMU_ENUMERATION && r->items->len == 0)
    weir_fmu_warn (r, "FMU23", "The enumeration has no items.");
  traits->n_items = r->items->len;
  traits->items = weir_fmu_keep (r, r->items->data, r->items->len * sizeof (WeirFmuItem));
  g_array_set_size (r->items, 0);
  if (r->d->version == 3)
    set_subject (r, NULL);
}

static void
end_simple_type (WeirFmuReading *r)
{
  if (!r->has_typed)
    weir_fmu_warn (r, "FMU04", "The type says nothing, and is taken for Real.");
  set_subject (r, NULL);
}

/* --- Variables ------------------------------------------------------------------------------- */

/* The attributes that are on the same element in both versions. */
static void
start_any_variable (WeirFmuReading *r)
{
  WeirFmuVariable variable = {
    .name = weir_fmu_read_text (r, "name"),
    .description = weir_fmu_read_text (r, "description"),
    .line = weir_xml_get_line (&r->xml),
    .declared_type = WEIR_FMU_NONE,
    .alias_of = WEIR_FMU_NONE,
    .derivative_of = WEIR_FMU_NONE,
    .derivative = WEIR_FMU_NONE,
    .previous = WEIR_FMU_NONE,
    .size = 1,
    .traits = { .type = WEIR_FMU_FLOAT64, .min = NAN, .max = NAN, .nominal = NAN },
  };

  set_subject (r, variable.name);
  if (variable.name == NULL)
    {
      weir_fmu_complain (r, "FMU04", "A variable has no name.");
      variable.name = "";
    }
  if (weir_xml_get_attribute (&r->xml, "valueReference") == NULL)
    weir_fmu_complain (r, "FMU04", "The variable has no \"valueReference\".");
  variable.reference = (guint32) weir_fmu_read_unsigned (r, "valueReference", G_MAXUINT32,
                                                         G_MAXUINT32);
  variable.causality = (WeirFmuCausality) weir_fmu_read_word (
      r, "causality", weir_fmu_causality_find, WEIR_FMU_LOCAL);
  /* Not said: found from the rest when all is known. */
  variable.variability = (WeirFmuVariability) weir_fmu_read_word (
      r, "variability", weir_fmu_variability_find, WEIR_FMU_N_VARIABILITIES);
  variable.initial = (WeirFmuInitial) weir_fmu_read_word (r, "initial", weir_fmu_initial_find,
                                                          WEIR_FMU_N_INITIALS);
  variable.can_be_set_often = weir_fmu_read_flag (r, "canHandleMultipleSetPerTimeInstant", TRUE);
  g_array_append_val (r->variables, variable);
}

/* Those of the element that says the type. What is referred to is kept as the file has it. */
static void
read_typed (WeirFmuReading *r, WeirFmuType type)
{
  WeirFmuVariable *variable = LAST (r->variables, WeirFmuVariable);
  const char *declared = weir_fmu_read_text (r, "declaredType");

  variable->traits = read_traits (r, type);
  /* By name, until all types are known. */
  if (declared != NULL)
    variable->declared_type = (guint) GPOINTER_TO_UINT (
                                  g_hash_table_lookup (r->d->private->type_names, declared))
                              - 1;
  if (declared != NULL && variable->declared_type == WEIR_FMU_NONE)
    weir_fmu_warn (r, "FMU12", "The declared type \"%s\" is not defined.", declared);
  variable->derivative_of = (guint) weir_fmu_read_unsigned (r, "derivative", G_MAXUINT32 - 1,
                                                            WEIR_FMU_NONE);
  variable->can_be_reinitialized = weir_fmu_read_flag (r, "reinit", FALSE);
  weir_fmu_read_start (r, variable);
}

static void
start_scalar (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  start_any_variable (r);
  r->has_typed = FALSE;
}

static void
start_scalar_type (WeirFmuReading *r, guint type)
{
  if (r->has_typed)
    weir_fmu_complain (r, "FMU04", "The variable has two types.");
  r->has_typed = TRUE;
  read_typed (r, (WeirFmuType) type);
}

static void
start_variable (WeirFmuReading *r, guint type)
{
  WeirFmuVariable *variable;

  start_any_variable (r);
  r->has_typed = TRUE;
  read_typed (r, (WeirFmuType) type);
  variable = LAST (r->variables, WeirFmuVariable);
  variable->has_intermediate_update = weir_fmu_read_flag (r, "intermediateUpdate", FALSE);
  variable->previous = (guint) weir_fmu_read_unsigned (r, "previous", G_MAXUINT32 - 1,
                                                       WEIR_FMU_NONE);
  if (weir_fmu_read_numbers (r, "clocks"))
    {
      variable->n_clocks = r->numbers->len;
      variable->clocks = weir_fmu_keep (r, r->numbers->data, r->numbers->len * sizeof (guint));
    }
}

static void
start_dimension (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuDimension dimension;

  dimension.variable = (guint) weir_fmu_read_unsigned (r, "valueReference", G_MAXUINT32 - 1,
                                                       WEIR_FMU_NONE);
  dimension.size = weir_fmu_read_unsigned (r, "start", G_MAXUINT64, 1);
  if ((weir_xml_get_attribute (&r->xml, "start") == NULL) == (dimension.variable == WEIR_FMU_NONE))
    weir_fmu_complain (r, "FMU17", "A dimension needs either \"start\" or \"valueReference\".");
  if (r->dimensions->len == MAX_DIMENSIONS)
    weir_fmu_complain (r, "FMU17", "The variable has more than %d dimensions.", MAX_DIMENSIONS);
  else
    g_array_append_val (r->dimensions, dimension);
}

static void
start_start (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuType type = LAST (r->variables, WeirFmuVariable)->traits.type;
  const char *value = weir_xml_get_attribute (&r->xml, "value");

  if (type == WEIR_FMU_STRING || type == WEIR_FMU_BINARY)
    weir_fmu_read_start_text (r, type, value != NULL ? value : "");
  else
    weir_fmu_warn (r, "FMU06", "<Start> is for strings and binaries, and is passed over.");
}

static void
start_alias (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  WeirFmuAlias alias = { .name = read_needed (r, "name", "Alias"),
                         .description = weir_fmu_read_text (r, "description"),
                         .display_unit = weir_fmu_read_text (r, "displayUnit") };

  g_array_append_val (r->aliases, alias);
}

static void
end_variable (WeirFmuReading *r)
{
  WeirFmuVariable *variable = LAST (r->variables, WeirFmuVariable);

  if (!r->has_typed)
    weir_fmu_complain (r, "FMU04", "The variable has no type.");
  if (r->dimensions->len > 0)
    {
      variable->n_dimensions = r->dimensions->len;
      variable->dimensions = weir_fmu_keep (r, r->dimensions->data,
                                            r->dimensions->len * sizeof (WeirFmuDimension));
      g_array_set_size (r->dimensions, 0);
    }
  if (r->aliases->len > 0)
    {
      variable->n_aliases = r->aliases->len;
      variable->aliases = weir_fmu_keep (r, r->aliases->data,
                                         r->aliases->len * sizeof (WeirFmuAlias));
      g_array_set_size (r->aliases, 0);
    }
  if (r->texts->len > 0)
    {
      variable->n_start = r->texts->len;
      variable->start_texts = weir_fmu_keep (r, r->texts->data,
                                             r->texts->len * sizeof (WeirFmuText));
      g_array_set_size (r->texts, 0);
    }
  set_subject (r, NULL);
}

/* --- The structure --------------------------------------------------------------------------- */

static void
read_dependencies (WeirFmuReading *r, WeirFmuUnknown *unknown)
{
  const char *kinds = weir_xml_get_attribute (&r->xml, "dependenciesKind");

  if (weir_xml_get_attribute (&r->xml, "dependencies") == NULL)
    {
      if (kinds != NULL)
        weir_fmu_warn (r, "FMU15", "\"dependenciesKind\" without \"dependencies\" is passed over.");
      return;
    }
  if (!weir_fmu_read_numbers (r, "dependencies"))
    return;
  unknown->n_dependencies = r->numbers->len;
  unknown->dependencies = weir_fmu_keep (r, r->numbers->data, r->numbers->len * sizeof (guint));
  if (kinds == NULL)
    return;
  g_byte_array_set_size (r->kinds, 0);
  for (const char *p = kinds + strspn (kinds, " \t\r\n"); *p != '\0'; p += strspn (p, " \t\r\n"))
    {
      gsize length = strcspn (p, " \t\r\n");
      char word[16] = "";
      int kind;
      guint8 kept;

      memcpy (word, p, MIN (length, sizeof word - 1));
      kind = weir_fmu_dependency_kind_find (word);
      if (kind < 0)
        weir_fmu_warn (r, "FMU05",
                       "\"%.15s\" is no kind of dependency, and is taken for \"dependent\".", word);
      kept = (guint8) MAX (kind, 0);
      g_byte_array_append (r->kinds, &kept, 1);
      p += length;
    }
  if (r->kinds->len == unknown->n_dependencies)
    unknown->kinds = weir_fmu_keep (r, r->kinds->data, r->kinds->len);
  else
    weir_fmu_warn (r, "FMU15",
                   "There are %u dependencies, but %u kinds of them, which are passed over.",
                   unknown->n_dependencies, r->kinds->len);
}

static void
start_unknown (WeirFmuReading *r, guint list)
{
  const char *attribute = r->d->version == 2 ? "index" : "valueReference";
  WeirFmuUnknown unknown = { .line = weir_xml_get_line (&r->xml) };

  if (weir_xml_get_attribute (&r->xml, attribute) == NULL)
    {
      weir_fmu_complain (r, "FMU04", "An unknown has no \"%s\".", attribute);
      return;
    }
  unknown.variable = (guint) weir_fmu_read_unsigned (r, attribute, G_MAXUINT32 - 1, WEIR_FMU_NONE);
  read_dependencies (r, &unknown);
  g_array_append_val (r->unknowns[list], unknown);
}

static void
start_variables (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  r->has_variables = TRUE;
}

static void
start_structure (WeirFmuReading *r, G_GNUC_UNUSED guint argument)
{
  r->has_structure = TRUE;
}

/* --- The table ------------------------------------------------------------------------------- */

#define ANY 0
#define AT(place) WEIR_FMU_AT_##place

static const struct {
  WeirFmuElement parent;
  const char *name;
  int version; /* ANY, or of this alone */
  WeirFmuElement place;
  void (*start) (WeirFmuReading *r, guint argument);
  guint argument;
} elements[] = {
  { AT (NOTHING), "fmiModelDescription", ANY, AT (ROOT), start_root, 0 },
  { AT (ROOT), "ModelExchange", ANY, AT (MODE), start_mode, WEIR_FMU_MODEL_EXCHANGE },
  { AT (ROOT), "CoSimulation", ANY, AT (MODE), start_mode, WEIR_FMU_CO_SIMULATION },
  { AT (ROOT), "ScheduledExecution", 3, AT (MODE), start_mode, WEIR_FMU_SCHEDULED_EXECUTION },
  { AT (MODE), "SourceFiles", 2, AT (SOURCES), NULL, 0 },
  { AT (SOURCES), "File", 2, AT (LEAF), NULL, 0 },
  { AT (ROOT), "UnitDefinitions", ANY, AT (UNITS), NULL, 0 },
  { AT (UNITS), "Unit", ANY, AT (UNIT), start_unit, 0 },
  { AT (UNIT), "BaseUnit", ANY, AT (LEAF), start_base_unit, 0 },
  { AT (UNIT), "DisplayUnit", ANY, AT (LEAF), start_display_unit, 0 },
  { AT (ROOT), "TypeDefinitions", ANY, AT (TYPES), NULL, 0 },
  { AT (TYPES), "SimpleType", 2, AT (SIMPLE_TYPE), start_simple_type, 0 },
  { AT (TYPE), "Item", ANY, AT (LEAF), start_item, 0 },
  { AT (ROOT), "LogCategories", ANY, AT (CATEGORIES), NULL, 0 },
  { AT (CATEGORIES), "Category", ANY, AT (LEAF), start_category, 0 },
  { AT (ROOT), "DefaultExperiment", ANY, AT (LEAF), start_experiment, 0 },
  { AT (ROOT), "ModelVariables", ANY, AT (VARIABLES), start_variables, 0 },
  { AT (VARIABLES), "ScalarVariable", 2, AT (SCALAR), start_scalar, 0 },
  { AT (VARIABLE), "Dimension", 3, AT (LEAF), start_dimension, 0 },
  { AT (VARIABLE), "Start", 3, AT (LEAF), start_start, 0 },
  { AT (VARIABLE), "Alias", 3, AT (LEAF), start_alias, 0 },
  { AT (ROOT), "ModelStructure", ANY, AT (STRUCTURE), start_structure, 0 },
  { AT (STRUCTURE), "Outputs", 2, AT (OUTPUTS), NULL, 0 },
  { AT (STRUCTURE), "Derivatives", 2, AT (DERIVATIVES), NULL, 0 },
  { AT (STRUCTURE), "InitialUnknowns", 2, AT (INITIAL_UNKNOWNS), NULL, 0 },
  { AT (OUTPUTS), "Unknown", 2, AT (LEAF), start_unknown, WEIR_FMU_OUTPUTS },
  { AT (DERIVATIVES), "Unknown", 2, AT (LEAF), start_unknown, WEIR_FMU_DERIVATIVES },
  { AT (INITIAL_UNKNOWNS), "Unknown", 2, AT (LEAF), start_unknown, WEIR_FMU_INITIAL_UNKNOWNS },
  { AT (STRUCTURE), "Output", 3, AT (LEAF), start_unknown, WEIR_FMU_OUTPUTS },
  { AT (STRUCTURE), "ContinuousStateDerivative", 3, AT (LEAF), start_unknown,
    WEIR_FMU_DERIVATIVES },
  { AT (STRUCTURE), "ClockedState", 3, AT (LEAF), start_unknown, WEIR_FMU_CLOCKED_STATES },
  { AT (STRUCTURE), "InitialUnknown", 3, AT (LEAF), start_unknown, WEIR_FMU_INITIAL_UNKNOWNS },
  { AT (STRUCTURE), "EventIndicator", 3, AT (LEAF), start_unknown, WEIR_FMU_EVENT_INDICATORS },
};

static WeirFmuElement
get_place (const WeirFmuReading *r)
{
  return r->places->len > 0 ? (WeirFmuElement) r->places->data[r->places->len - 1] : AT (NOTHING);
}

/* Elements that are named by a type: that of a variable, or of a type's definition. */
static gboolean
start_typed_element (WeirFmuReading *r, WeirFmuElement parent, const char *name,
                     WeirFmuElement *place)
{
  int type = -1;

  if (parent == (r->d->version == 2 ? AT (SCALAR) : AT (VARIABLES)))
    {
      type = weir_fmu_type_find (r->d->version, name);
      *place = AT (VARIABLE);
    }
  else if (parent == AT (SIMPLE_TYPE))
    {
      type = weir_fmu_type_find (2, name);
      *place = AT (TYPE);
    }
  else if (parent == AT (TYPES) && r->d->version == 3 && g_str_has_suffix (name, "Type"))
    {
      g_autofree char *base = g_strndup (name, strlen (name) - strlen ("Type"));

      type = weir_fmu_type_find (3, base);
      *place = AT (TYPE);
    }
  if (type < 0)
    return FALSE;
  if (*place == AT (TYPE))
    start_type (r, (guint) type);
  else if (r->d->version == 2)
    start_scalar_type (r, (guint) type);
  else
    start_variable (r, (guint) type);
  return TRUE;
}

static gboolean
start_known_element (WeirFmuReading *r, WeirFmuElement parent, const char *name,
                     WeirFmuElement *place)
{
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (elements[i].parent == parent
        && (elements[i].version == ANY || elements[i].version == r->d->version)
        && strcmp (elements[i].name, name) == 0)
      {
        *place = elements[i].place;
        if (elements[i].start != NULL)
          elements[i].start (r, elements[i].argument);
        return TRUE;
      }
  return start_typed_element (r, parent, name, place);
}

static void
note_start (gpointer data, const char *name, const char *uri,
            G_GNUC_UNUSED const char *const *attributes, G_GNUC_UNUSED guint n_attributes)
{
  WeirFmuReading *r = data;
  WeirFmuElement place = AT (SKIPPED);
  guint8 kept;

  if (r->n_skipped > 0)
    r->n_skipped++;
  else if (uri != NULL && r->places->len > 0)
    r->n_skipped = 1; /* of some other standard */
  else if (!start_known_element (r, get_place (r), name, &place))
    {
      if (r->places->len == 0)
        weir_xml_fail (&r->xml, "FMU02", weir_xml_get_line (&r->xml),
                       "The outermost element is <%s>, but must be "
                       "<fmiModelDescription>.",
                       name);
      else if (strcmp (name, "Annotations") != 0 && strcmp (name, "VendorAnnotations") != 0)
        weir_fmu_warn (r, "FMU06", "<%s> is not known here, and is passed over.", name);
      r->n_skipped = 1;
    }
  else
    {
      kept = (guint8) place;
      g_byte_array_append (r->places, &kept, 1);
    }
}

/* So that variables find them. */
static void
note_types (WeirFmuReading *r)
{
  for (guint i = 0; i < r->types->len; i++)
    {
      const WeirFmuDeclaredType *type = &g_array_index (r->types, WeirFmuDeclaredType, i);

      if (!g_hash_table_insert (r->d->private->type_names, (gpointer) type->name,
                                GUINT_TO_POINTER (i + 1)))
        weir_fmu_warn_of (r, "FMU08", type->name, type->line, "The type is defined twice.");
    }
}

static void
note_end (gpointer data, G_GNUC_UNUSED const char *name)
{
  WeirFmuReading *r = data;
  WeirFmuElement place = get_place (r);

  if (r->n_skipped > 0)
    {
      r->n_skipped--;
      return;
    }
  g_byte_array_set_size (r->places, r->places->len - 1);
  if (place == AT (UNIT))
    end_unit (r);
  else if (place == AT (TYPE))
    end_type (r);
  else if (place == AT (SIMPLE_TYPE))
    end_simple_type (r);
  else if (place == AT (TYPES))
    note_types (r);
  else if (place == AT (SCALAR) || (place == AT (VARIABLE) && r->d->version == 3))
    end_variable (r);
}

/* --- The file -------------------------------------------------------------------------------- */

gboolean
weir_fmu_read_elements (WeirFmuReading *r, GBytes *bytes)
{
  static const WeirXmlHandlers handlers = { note_start, note_end, NULL, NULL };
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  gboolean is_read;

  r->xml = (WeirXml) {
    .handlers = &handlers, .data = r, .stream = stream, .limit = WEIR_FMU_MAX_DESCRIPTION
  };
  is_read = weir_xml_read (&r->xml);
  if (!is_read)
    weir_diagnostics_add_message (r->diagnostics, WEIR_SEVERITY_ERROR, r->xml.code, "", 0, 0,
                                  r->xml.line, g_steal_pointer (&r->xml.sentence));
  weir_xml_clear (&r->xml);
  g_clear_pointer (&r->subject, g_free);
  return is_read;
}

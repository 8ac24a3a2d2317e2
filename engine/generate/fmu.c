/* What an FMU says of itself: modelDescription.xml of both versions. See generate-private.h. */
#include "generate/generate-private.h"

#include <math.h>

#define MOST_VARIABLES 256 /* of one parameter or input */

/* A variable's index: as the standard numbers them in dependencies. */
typedef struct {
  WeirGenerator *generator;
  GHashTable *units; /* text, by path; or NULL */
  guint version;
  guint n_states;
  GHashTable *taken;  /* names of variables */
  GString *variables; /* elements */
  guint n_variables;  /* 2.0 counts them from 1 */
  guint time_index;
  guint *state_index;     /* by state */
  guint *field_index;     /* by field: its first variable's; 0 = it has none */
  GPtrArray *used_units;  /* char * */
  GPtrArray *state_units; /* char *, by state; NULL = not known */
  guint8 **factors;       /* by entry: of a kernel, what was found of its operands; or NULL */
} Description;

/* --- Dependencies ---------------------------------------------------------------------------- */

/* WeirFactor of each; of entries by what they come into the unknown. */
typedef struct {
  guint8 *entries, *states, *fields;
  guint8 time;
} Dependencies;

static void
append_index (GString *list, guint index)
{
  g_string_append_printf (list, "%s%u", list->len > 0 ? " " : "", index);
}

static void
raise_factor (guint8 *factors, gsize n, guint8 factor)
{
  for (gsize i = 0; i < n; i++)
    factors[i] = MAX (factors[i], factor);
}

static void
note_source (const Description *self, WeirCodePlace at, guint8 factor, Dependencies *found)
{
  if (at.kind == WEIR_PLACE_ENTRY)
    raise_factor (&found->entries[at.index], 1, factor);
  else if (at.kind == WEIR_PLACE_TIME)
    raise_factor (&found->time, 1, factor);
  else if (at.kind == WEIR_PLACE_STATE)
    raise_factor (found->states + at.index, at.n, factor);
  else if (at.kind == WEIR_PLACE_INPUT || at.kind == WEIR_PLACE_PARAMETER)
    raise_factor (&found->fields[weir_generator_find_field (self->generator, at)], 1, factor);
}

/* A kernel's operands each have a factor of their own. */
static void
note_operands (const Description *self, guint32 entry, guint n_operands, Dependencies *found)
{
  WeirGenerator *g = self->generator;

  if (self->factors[entry] == NULL)
    self->factors[entry] = weir_generator_find_factors (g, entry);
  for (guint k = 0; k < n_operands; k++)
    {
      gboolean broadcast;
      WeirCodePlace at = weir_code_get_operand (g->root, (WeirEntry) { entry }, k, &broadcast);

      note_source (self, at, MAX (found->entries[entry], self->factors[entry][k]), found);
    }
}

/* All that is read counts. */
static void
note_reads (const Description *self, guint32 entry, Dependencies *found)
{
  WeirGenerator *g = self->generator;
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (WeirCodePlace));
  guint n;
  const guint32 *reads = weir_layout_get_reads (g->layout, (WeirEntry) { entry }, &n);

  weir_code_list_sources (g->root, (WeirEntry) { entry }, sources);
  for (guint i = 0; i < sources->len; i++)
    note_source (self, g_array_index (sources, WeirCodePlace, i), WEIR_FACTOR_DEPENDENT, found);
  for (guint i = 0; i < n; i++)
    raise_factor (&found->entries[reads[i]], 1, WEIR_FACTOR_DEPENDENT);
}

/* What @place depends on, by declaration. What an entry reads has lower numbers, so that one
 * descending pass finds all ways. */
static void
find_dependencies (const Description *self, WeirCodePlace place, Dependencies *found)
{
  note_source (self, place, WEIR_FACTOR_CONSTANT, found);
  for (guint32 e = place.kind == WEIR_PLACE_ENTRY ? place.index + 1 : 0; e-- > 0;)
    {
      WeirEntryCodeInfo info;

      if (found->entries[e] == WEIR_FACTOR_NONE)
        continue;
      info = weir_code_get_entry (self->generator->root, (WeirEntry) { e });
      if (info.kernel != NULL)
        note_operands (self, e, info.n_operands, found);
      else
        note_reads (self, e, found);
    }
}

/* At the start what may be tuned later and changes at events is nothing apart. */
static void
append_kind (GString *kinds, guint8 factor, gboolean is_start)
{
  static const char *const names[WEIR_N_FACTORS] = {
    [WEIR_FACTOR_CONSTANT] = "constant",
    [WEIR_FACTOR_TUNABLE] = "tunable",
    [WEIR_FACTOR_DISCRETE] = "discrete",
    [WEIR_FACTOR_DEPENDENT] = "dependent",
  };

  if (is_start && factor != WEIR_FACTOR_CONSTANT)
    factor = WEIR_FACTOR_DEPENDENT;
  g_string_append_printf (kinds, "%s%s", kinds->len > 0 ? " " : "", names[factor]);
}

/* (transfer full) the attributes that tell them. @is_start: those at the start, when parameters are
 * not fixed yet. */
static char *
dup_dependencies (const Description *self, WeirCodePlace place, gboolean is_start)
{
  const GArray *all = self->generator->fields;
  g_autofree guint8 *entries = g_new0 (guint8,
                                       weir_layout_get_n_entries (self->generator->layout) + 1);
  g_autofree guint8 *states = g_new0 (guint8, self->n_states + 1);
  g_autofree guint8 *fields = g_new0 (guint8, all->len + 1);
  Dependencies found = { entries, states, fields, WEIR_FACTOR_NONE };
  g_autoptr (GString) list = g_string_new (NULL), kinds = g_string_new (NULL);

  find_dependencies (self, place, &found);
  if (found.time != WEIR_FACTOR_NONE)
    {
      append_index (list, self->time_index);
      append_kind (kinds, found.time, is_start);
    }
  for (guint i = 0; i < self->n_states; i++)
    if (states[i] != WEIR_FACTOR_NONE)
      {
        append_index (list, self->state_index[i]);
        append_kind (kinds, states[i], is_start);
      }
  for (guint i = 0; i < all->len; i++)
    {
      const WeirField *field = &g_array_index (all, WeirField, i);
      gboolean is_told = fields[i] != WEIR_FACTOR_NONE && self->field_index[i] > 0
                         && (is_start || field->kind == WEIR_FIELD_INPUT);

      for (guint32 k = 0; k < field->size && is_told; k++)
        {
          append_index (list, self->field_index[i] + k);
          append_kind (kinds, fields[i], is_start);
        }
    }
  return g_strdup_printf ("dependencies=\"%s\" dependenciesKind=\"%s\"", list->str, kinds->str);
}

/* --- Variables ------------------------------------------------------------------------------- */

static char *
dup_unique (Description *self, const char *name)
{
  char *unique = g_strdup (name);

  for (guint i = 2; g_hash_table_contains (self->taken, unique); i++)
    {
      g_free (unique);
      unique = g_strdup_printf ("%s (%u)", name, i);
    }
  g_hash_table_add (self->taken, g_strdup (unique));
  return unique;
}

/* @unit: NULL = none. @start: NULL = none. @derivative: of which variable, by its index; 0 = of
 * none. Returns the variable's index. */
static guint
add_variable (Description *self, const char *name, const char *unit, guint reference,
              const char *causality, const char *variability, const char *initial,
              const double *start, guint derivative)
{
  g_autofree char *unique = dup_unique (self, name);
  g_autofree char *escaped = g_markup_escape_text (unique, -1);
  gboolean is_2 = self->version == 2;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (self->variables,
                          "    <%s name=\"%s\" valueReference=\"%u\" causality=\"%s\" "
                          "variability=\"%s\"",
                          is_2 ? "ScalarVariable" : "Float64", escaped, reference, causality,
                          variability);
  if (initial != NULL)
    g_string_append_printf (self->variables, " initial=\"%s\"", initial);
  g_string_append (self->variables, is_2 ? "><Real" : "");
  if (start != NULL)
    g_string_append_printf (self->variables, " start=\"%s\"",
                            isfinite (*start) ? weir_number_to_text (*start, number) : "0");
  weir_fmu_append_unit (self->variables, unit, self->used_units);
  if (derivative > 0)
    g_string_append_printf (self->variables, " derivative=\"%u\"", derivative);
  g_string_append (self->variables, is_2 ? "/></ScalarVariable>\n" : "/>\n");
  self->n_variables++;
  return is_2 ? self->n_variables : reference;
}

static void
add_states (Description *self, GArray *derivatives)
{
  WeirGenerator *g = self->generator;
  const double *start = weir_context_get_state (g->context);

  for (guint i = 0; i < self->n_states; i++)
    {
      g_autofree char *name = weir_layout_dup_state_name (g->layout, i);

      self->state_index[i] = add_variable (self, name, self->state_units->pdata[i], 1 + i, "local",
                                           "continuous", "exact", &start[i], 0);
    }
  for (guint i = 0; i < self->n_states; i++)
    {
      g_autofree char *name = weir_layout_dup_state_name (g->layout, i);
      g_autofree char *derivative = g_strdup_printf ("der(%s)", name);
      g_autofree char *unit = weir_fmu_dup_unit_of_rate (self->state_units->pdata[i]);
      guint index = add_variable (self, derivative, unit, 1 + self->n_states + i, "local",
                                  "continuous", "calculated", NULL, self->state_index[i]);

      g_array_append_val (derivatives, index);
    }
}

/* Of long tables there are none. */
static gboolean
has_variables (const WeirField *field)
{
  return field->kind <= WEIR_FIELD_INPUT && field->size <= MOST_VARIABLES;
}

/* Parameters and inputs. */
static void
add_fields (Description *self)
{
  WeirGenerator *g = self->generator;
  guint first = 1 + 2 * self->n_states + g->columns->len;

  for (guint kind = 0; kind < WEIR_N_FIELD_KINDS; kind++)
    for (guint i = 0; i < g->fields->len; i++)
      {
        const WeirField *field = &g_array_index (g->fields, WeirField, i);
        static const double zero = 0;

        if (field->kind != kind)
          continue;
        for (guint32 k = 0; k < field->size && has_variables (field); k++)
          {
            g_autofree char *name = field->size == 1 ? g_strdup (field->origin)
                                                     : g_strdup_printf ("%s[%u]", field->origin, k);
            const double *start = field->initial != NULL ? &field->initial[k] : &zero;
            guint index = add_variable (self, name, weir_fmu_find_unit (self->units, name),
                                        first + k, kind == WEIR_FIELD_INPUT ? "input" : "parameter",
                                        kind == WEIR_FIELD_INPUT ? "continuous" : "tunable",
                                        kind == WEIR_FIELD_INPUT ? NULL : "exact", start, 0);

            if (k == 0)
              self->field_index[i] = index;
          }
        first += field->size;
      }
}

/* Each block of them, once, whichever events share it. (transfer full) of WeirDeclaredEvent. */
static GArray *
list_witnesses (const WeirGenerator *g)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *witnesses = g_array_new (FALSE, FALSE, sizeof (WeirDeclaredEvent));

  for (guint i = 0; i < weir_system_get_n_events (g->root); i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (g->root, i);

      if (event.trigger == WEIR_TRIGGER_CROSSING
          && g_hash_table_add (seen, GUINT_TO_POINTER (event.witness.i + 1)))
        g_array_append_val (witnesses, event);
    }
  return witnesses;
}

static guint
count_indicators (const GArray *witnesses)
{
  guint n = 0;

  for (guint i = 0; i < witnesses->len; i++)
    n += g_array_index (witnesses, WeirDeclaredEvent, i).n_witnesses;
  return n;
}

/* Variables of 3.0, and what they depend on. */
static void
add_indicators (Description *self, const GArray *witnesses, guint reference, GString *structure)
{
  guint n = 0;

  for (guint i = 0; i < witnesses->len; i++)
    {
      const WeirDeclaredEvent *event = &g_array_index (witnesses, WeirDeclaredEvent, i);
      WeirCodePlace place = { .kind = WEIR_PLACE_ENTRY, .index = event->witness.i };
      g_autofree char *dependencies = dup_dependencies (self, place, FALSE);

      for (guint k = 0; k < event->n_witnesses; k++, reference++)
        {
          g_autofree char *name = g_strdup_printf ("indicator[%u]", n++);

          add_variable (self, name, NULL, reference, "local", "continuous", "calculated", NULL, 0);
          g_string_append_printf (structure, "    <EventIndicator valueReference=\"%u\" %s/>\n",
                                  reference, dependencies);
        }
    }
}

static guint
count_row (const WeirGenerator *g, guint n_states)
{
  guint n = MAX (n_states, 1);

  for (guint i = 0; i < g->fields->len; i++)
    if (!g_array_index (g->fields, WeirField, i).is_passing)
      n += g_array_index (g->fields, WeirField, i).size;
  return n;
}

/* --- The description ------------------------------------------------------------------------- */

/* The derivative of a state: the entry of its block. */
static WeirCodePlace
find_derivative_entry (const WeirGenerator *g, guint state)
{
  WeirCodePlace place = { .kind = WEIR_PLACE_TIME };

  for (guint32 e = 0; e < weir_layout_get_n_entries (g->layout); e++)
    {
      WeirEntryCodeInfo info = weir_code_get_entry (g->root, (WeirEntry) { e });
      WeirLeafCode leaf = weir_code_get_leaf (g->root, info.node);

      if (info.kind == WEIR_ENTRY_DERIVATIVES && !leaf.is_diagram && state >= leaf.state
          && state < leaf.state + leaf.nq + leaf.nv + leaf.nz)
        place = (WeirCodePlace) { .kind = WEIR_PLACE_ENTRY, .index = e };
    }
  return place;
}

/* An unknown in continuous time, and at the start. */
static void
append_unknown (const Description *self, GString *text, GString *initial, const char *kind,
                guint index, WeirCodePlace place)
{
  g_autofree char *dependencies = dup_dependencies (self, place, FALSE);
  g_autofree char *at_start = dup_dependencies (self, place, TRUE);
  gboolean is_2 = self->version == 2;

  g_string_append_printf (text, "    <%s%s=\"%u\" %s/>\n", is_2 ? "Unknown" : kind,
                          is_2 ? " index" : " valueReference", index, dependencies);
  g_string_append_printf (initial, "    <%s=\"%u\" %s/>\n",
                          is_2 ? "Unknown index" : "InitialUnknown valueReference", index,
                          at_start);
}

static void
append_structure (Description *self, GString *text, const GArray *derivatives,
                  const GArray *outputs, const GString *indicators)
{
  WeirGenerator *g = self->generator;
  gboolean is_2 = self->version == 2;
  g_autoptr (GString) initial = g_string_new (NULL);

  g_string_append_printf (text, "  <ModelStructure>\n%s",
                          is_2 && outputs->len > 0 ? "    <Outputs>\n" : "");
  for (guint i = 0; i < outputs->len; i++)
    append_unknown (self, text, initial, "Output", g_array_index (outputs, guint, i),
                    g_array_index (g->columns, WeirColumnPlace, i).place);
  g_string_append_printf (text, "%s%s", is_2 && outputs->len > 0 ? "    </Outputs>\n" : "",
                          is_2 && derivatives->len > 0 ? "    <Derivatives>\n" : "");
  for (guint i = 0; i < derivatives->len; i++)
    append_unknown (self, text, initial, "ContinuousStateDerivative",
                    g_array_index (derivatives, guint, i), find_derivative_entry (g, i));
  if (is_2)
    g_string_append_printf (text, "%s%s%s%s", derivatives->len > 0 ? "    </Derivatives>\n" : "",
                            initial->len > 0 ? "    <InitialUnknowns>\n" : "", initial->str,
                            initial->len > 0 ? "    </InitialUnknowns>\n" : "");
  else
    g_string_append_printf (text, "%s%s", initial->str, indicators->str);
  g_string_append (text, "  </ModelStructure>\n");
}

static void
append_interfaces (const Description *self, GString *text, const char *sources)
{
  const char *name = self->generator->lower;
  const char *tangents = !self->generator->has_tangents ? ""
                         : self->version == 2           ? " providesDirectionalDerivative=\"true\""
                                              : " providesDirectionalDerivatives=\"true\" "
                                                "providesAdjointDerivatives=\"true\"";

  if (self->version == 2)
    g_string_append_printf (
        text,
        "  <ModelExchange modelIdentifier=\"%s\" canGetAndSetFMUstate=\"true\" "
        "canSerializeFMUstate=\"true\"%s>\n    <SourceFiles>\n%s    </SourceFiles>\n"
        "  </ModelExchange>\n"
        "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\" "
        "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"%s>\n"
        "    <SourceFiles>\n%s    </SourceFiles>\n  </CoSimulation>\n",
        name, tangents, sources, name, tangents, sources);
  else
    g_string_append_printf (
        text,
        "  <ModelExchange modelIdentifier=\"%s\" needsCompletedIntegratorStep=\"true\" "
        "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"%s/>\n"
        "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\" "
        "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" hasEventMode=\"true\"%s/>\n",
        name, tangents, name, tangents);
}

static void
append_categories (GString *text)
{
  g_string_append (text, "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n"
                         "    <Category name=\"logEvents\"/>\n  </LogCategories>\n");
}

char *
weir_generator_dup_description (WeirGenerator *g, GHashTable *units, const char *token,
                                guint version, const char *sources, double stop_time)
{
  g_autoptr (GArray) witnesses = list_witnesses (g);
  guint n_states = weir_layout_get_n_states (g->layout);
  guint32 n_entries = weir_layout_get_n_entries (g->layout);
  Description self = { .generator = g,
                       .units = units,
                       .version = version,
                       .n_states = n_states,
                       .taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                       .variables = g_string_new (NULL),
                       .state_index = g_new0 (guint, n_states + 1),
                       .field_index = g_new0 (guint, g->fields->len + 1),
                       .used_units = g_ptr_array_new_with_free_func (g_free),
                       .state_units = weir_generator_list_state_units (g, units),
                       .factors = g_new0 (guint8 *, n_entries + 1) };
  g_autoptr (GArray) derivatives = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GString) indicators = g_string_new (NULL);
  GString *text = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  guint first_indicator = 1 + 2 * n_states + g->columns->len + count_row (g, n_states);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  self.time_index = add_variable (&self, "time", "s", 0, "independent", "continuous", NULL, NULL,
                                  0);
  for (guint i = 0; i < g->columns->len; i++)
    {
      const char *name = g_ptr_array_index (g->column_names, i);
      guint index = add_variable (&self, name, weir_fmu_find_unit (self.units, name),
                                  1 + 2 * n_states + i, "output", "continuous", "calculated", NULL,
                                  0);

      g_array_append_val (outputs, index);
    }
  add_states (&self, derivatives);
  add_fields (&self);
  if (version == 3)
    add_indicators (&self, witnesses, first_indicator, indicators);
  g_string_append_printf (text,
                          "<fmiModelDescription fmiVersion=\"%u.0\" modelName=\"%s\" %s=\"%s\" "
                          "generationTool=\"Weir\"",
                          version, g->lower, version == 2 ? "guid" : "instantiationToken", token);
  if (version == 2)
    g_string_append_printf (text, " numberOfEventIndicators=\"%u\"", count_indicators (witnesses));
  g_string_append (text, " variableNamingConvention=\"flat\">\n");
  append_interfaces (&self, text, sources);
  weir_fmu_append_units (text, self.used_units, version);
  append_categories (text);
  g_string_append_printf (text, "  <DefaultExperiment startTime=\"0\" stopTime=\"%s\"/>\n",
                          weir_number_to_text (stop_time, number));
  g_string_append_printf (text, "  <ModelVariables>\n%s  </ModelVariables>\n", self.variables->str);
  append_structure (&self, text, derivatives, outputs, indicators);
  g_string_append (text, "</fmiModelDescription>\n");
  g_hash_table_unref (self.taken);
  g_string_free (self.variables, TRUE);
  g_free (self.state_index);
  g_free (self.field_index);
  g_ptr_array_unref (self.used_units);
  g_ptr_array_unref (self.state_units);
  for (guint32 e = 0; e < n_entries; e++)
    g_free (self.factors[e]);
  g_free (self.factors);
  return g_string_free (text, FALSE);
}

/* --- Terminals ------------------------------------------------------------------------------- */

/* Of @size variables called @name[0], @name[1], ... */
static void
append_terminal (GString *text, const char *name, guint size)
{
  g_autofree char *escaped = g_markup_escape_text (name, -1);

  g_string_append_printf (text, "    <Terminal name=\"%s\" matchingRule=\"sequence\">\n", escaped);
  for (guint k = 0; k < size; k++)
    g_string_append_printf (text,
                            "      <TerminalMemberVariable variableName=\"%s[%u]\" "
                            "variableKind=\"signal\"/>\n",
                            escaped, k);
  g_string_append (text, "    </Terminal>\n");
}

char *
weir_generator_dup_terminals (const WeirGenerator *self)
{
  g_autoptr (GHashTable) recorded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->columns->len; i++)
    {
      const char *name = g_ptr_array_index (self->column_names, i);
      guint size = weir_generator_count_elements (self, i);

      if (size > 1)
        {
          g_autofree char *port = g_strndup (name, strlen (name) - strlen ("[0]"));

          append_terminal (text, port, size);
          g_hash_table_add (recorded, g_steal_pointer (&port));
        }
    }
  /* An input that is recorded too has given its name away. */
  for (guint i = 0; i < self->fields->len; i++)
    {
      const WeirField *field = &g_array_index (self->fields, WeirField, i);

      if (field->kind == WEIR_FIELD_INPUT && field->size > 1 && has_variables (field)
          && !g_hash_table_contains (recorded, field->origin))
        append_terminal (text, field->origin, field->size);
    }
  return text->len == 0
             ? NULL
             : g_strdup_printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n  <Terminals>\n%s"
                                "  </Terminals>\n</fmiTerminalsAndIcons>\n",
                                text->str);
}

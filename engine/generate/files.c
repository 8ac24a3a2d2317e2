/* The files of a generated model: header, body, main, Makefile, map. See generate-private.h. */
#include "generate/generate-private.h"

#include <errno.h>
#include <math.h>

#include "base/error.h"
#include "base/file.h"

#define MOST_INLINES 64 /* calls of blocks' functions; with more, code would grow without end */

static const char *const struct_names[] = { "Parameters", "Inputs", "Discrete", "Values" };
static const char *const struct_members[] = { "p", "u", "d", "v" };
static const char *const struct_comments[] = {
  "May be set between two steps.",
  "What nothing in the model drives.",
  "Changed by events.",
  "Computed.",
};

static void
append_comment (GString *text, const char *origin)
{
  g_autofree char *safe = weir_generate_dup_comment (origin);

  g_string_append_printf (text, " /* %s */\n", safe);
}

static gboolean
is_member (const WeirField *field)
{
  return field->size > 0 && !field->is_passing;
}

static guint
count_fields (const WeirGenerator *self, WeirFieldKind kind)
{
  guint n = 0;

  for (guint i = 0; i < self->fields->len; i++)
    n += g_array_index (self->fields, WeirField, i).kind == kind
         && is_member (&g_array_index (self->fields, WeirField, i));
  return n;
}

/* Numbers of parameters and inputs. */
static guint
count_settable (const WeirGenerator *self)
{
  guint n = 0;

  for (guint i = 0; i < self->fields->len; i++)
    if (g_array_index (self->fields, WeirField, i).kind <= WEIR_FIELD_INPUT)
      n += g_array_index (self->fields, WeirField, i).size;
  return n;
}

/* --- Outputs --------------------------------------------------------------------------------- */

guint
weir_generator_count_elements (const WeirGenerator *self, guint column)
{
  const char *name = g_ptr_array_index (self->column_names, column);
  guint n = 1;

  while (g_str_has_suffix (name, "[0]") && column + n < self->columns->len
         && g_array_index (self->columns, WeirColumnPlace, column + n).element == n)
    n++;
  return n;
}

/* A member of the struct of what is recorded. */
typedef struct {
  char *name, *origin;
  guint size;
} Member;

static void
member_clear (gpointer data)
{
  Member *self = data;

  g_free (self->name);
  g_free (self->origin);
}

/* (transfer full) of Member, in the order of the columns. */
static GArray *
list_outputs (WeirGenerator *self)
{
  GArray *members = g_array_new (FALSE, FALSE, sizeof (Member));
  GHashTable *others = self->names; /* those of this struct are its own */

  g_array_set_clear_func (members, member_clear);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < self->columns->len;)
    {
      const char *name = g_ptr_array_index (self->column_names, i);
      guint n = weir_generator_count_elements (self, i);
      Member member = { .origin = n > 1 ? g_strndup (name, strlen (name) - strlen ("[0]"))
                                        : g_strdup (name),
                        .size = n };

      member.name = weir_generator_dup_name (self, "", member.origin);
      g_array_append_val (members, member);
      i += n;
    }
  g_hash_table_unref (self->names);
  self->names = others;
  return members;
}

static void
write_outputs (WeirGenerator *self, GString *text)
{
  g_autoptr (GArray) members = list_outputs (self);

  if (members->len == 0)
    return;
  g_string_append (text, "/* What is recorded. */\ntypedef struct {\n");
  for (guint i = 0; i < members->len; i++)
    {
      const Member *member = &g_array_index (members, Member, i);

      if (member->size == 1)
        g_string_append_printf (text, "  double %s;", member->name);
      else
        g_string_append_printf (text, "  double %s[%u];", member->name, member->size);
      append_comment (text, member->origin);
    }
  g_string_append_printf (text, "} %sOutputs;\n\n", self->name);
}

/* --- The header ------------------------------------------------------------------------------ */

static void
write_struct (const WeirGenerator *self, GString *text, WeirFieldKind kind)
{
  if (count_fields (self, kind) == 0)
    return;
  g_string_append_printf (text, "/* %s */\ntypedef struct {\n", struct_comments[kind]);
  for (guint i = 0; i < self->fields->len; i++)
    {
      const WeirField *field = &g_array_index (self->fields, WeirField, i);

      if (field->kind != kind || !is_member (field))
        continue;
      if (field->size == 1)
        g_string_append_printf (text, "  double %s;", field->name);
      else
        g_string_append_printf (text, "  double %s[%u];", field->name, field->size);
      append_comment (text, field->origin);
    }
  g_string_append_printf (text, "} %s%s;\n\n", self->name, struct_names[kind]);
}

static char *
dup_header (WeirGenerator *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = MAX (weir_layout_get_n_states (self->layout), 1);

  g_string_append_printf (text,
                          "/* A model as C. Each instance is a struct; nothing is shared between "
                          "them.\n *\n"
                          " * %s_init () comes first. Then weir-simulator.h makes whole runs, as "
                          "main.c does; or steps are\n"
                          " * one's own, which need no other file than %s.c. For these set the "
                          "time, context.now, the inputs,\n"
                          " * row.u, and what was integrated, state; then call the function of "
                          "each rate that is due, and those\n"
                          " * for derivatives and outputs. Parameters, row.p, may be set between "
                          "any two calls. %s.map\n"
                          " * says what each member is called in the model.\n */\n"
                          "#ifndef %s_H\n#define %s_H\n\n#include \"weir-simulator.h\"\n\n",
                          self->lower, self->lower, self->lower, self->upper, self->upper);
  for (guint kind = 0; kind < WEIR_N_FIELD_KINDS; kind++)
    write_struct (self, text, kind);
  write_outputs (self, text);
  g_string_append (text, "/* All but outputs, in one row of doubles. */\ntypedef struct {\n");
  for (guint kind = 0; kind < WEIR_N_FIELD_KINDS; kind++)
    if (count_fields (self, kind) > 0)
      g_string_append_printf (text, "  %s%s %s;\n", self->name, struct_names[kind],
                              struct_members[kind]);
  g_string_append_printf (text, "  double xdot[%u];\n} %sRow;\n\n", n, self->name);
  g_string_append_printf (text,
                          "typedef struct {\n  WeirContext context;\n  %sRow row;\n"
                          "  double state[%u];\n",
                          self->name, n);
  if (self->n_scratch > 0)
    g_string_append_printf (text, "  double scratch[%u];\n", self->n_scratch);
  g_string_append_printf (
      text,
      "} %s;\n\n"
      "/* As the model is at the start. */\n"
      "void %s_init (%s *self);\n"
      "/* At any time (s) and state: 0 if that has a value. */\n"
      "int %s_derivatives (%s *self, double t, const double *x, double *xdot);\n"
      "extern const WeirRunSettings %s_settings;\n",
      self->name, self->lower, self->name, self->lower, self->name, self->lower);
  if (self->columns->len > 0)
    g_string_append_printf (text,
                            "/* What is recorded at the instance's time and state: 0 if that has a "
                            "value. */\n"
                            "int %s_outputs (%s *self, %sOutputs *outputs);\n",
                            self->lower, self->name, self->name);
  g_string_append (text, self->rates->str);
  if (self->has_tangents)
    g_string_append_printf (
        text,
        "/* What derivatives and what is recorded move by, at time @t, where time moves by @dt and "
        "the states,\n"
        " * inputs and parameters by what @along has in their places: into its row.xdot and "
        "@columns. 0 if\n * that has a value. @room: what is in it is lost. */\n"
        "#define %s_HAS_TANGENTS\n"
        "#define %s_N_SET %uu /* parameters and inputs: the first numbers of the row */\n"
        "int %s_tangents (%s *self, double t, %s *along, double dt, double *columns, %s *room);\n",
        self->upper, self->upper, count_settable (self), self->lower, self->name, self->name,
        self->name);
  g_string_append (text, "\n#endif\n");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- Steps of rates -------------------------------------------------------------------------- */

/* The blocks that change with the event @first, for a comment; of many some. (transfer full) */
static char *
dup_blocks_of_rate (const WeirGenerator *self, guint first)
{
  const guint most = 6;
  GString *text = g_string_new (NULL);
  guint32 last = WEIR_NO_INDEX;
  guint n = 0;

  for (guint i = first; i < weir_system_get_n_events (self->root) && n <= most; i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (self->root, i);
      g_autofree char *path = weir_generator_dup_path (self, event.node.i);
      g_autofree char *safe = weir_generate_dup_comment (path);

      if (self->event_set[i] != self->event_set[first]
          || event.action != WEIR_ACTION_DISCRETE_UPDATE || event.node.i == last)
        continue;
      last = event.node.i;
      g_string_append_printf (text, "%s%s", n > 0 ? ", " : "", n < most ? safe : "...");
      n++;
    }
  return g_string_free (text, FALSE);
}

/* @number: of the function, from 0 on. FALSE: there is nothing to step. */
static gboolean
write_rate (WeirGenerator *self, GString *text, guint first, guint number)
{
  WeirDeclaredEvent event = weir_system_get_event (self->root, first);
  guint set = self->event_set[first];
  g_autoptr (GString) calls = g_string_new (NULL), ends = g_string_new (NULL);
  g_autofree char *blocks = dup_blocks_of_rate (self, first);
  char period[G_ASCII_DTOSTR_BUF_SIZE], offset[G_ASCII_DTOSTR_BUF_SIZE];

  weir_number_to_text (event.period, period);
  weir_number_to_text (event.offset, offset);
  for (guint i = first; i < weir_system_get_n_events (self->root); i++)
    {
      WeirDeclaredEvent other = weir_system_get_event (self->root, i);
      g_autofree char *pointer = NULL;

      if (self->event_set[i] != set || other.action != WEIR_ACTION_DISCRETE_UPDATE)
        continue;
      pointer = weir_generator_dup_pointer (
          self, (WeirCodePlace) { WEIR_PLACE_GROUP, other.node.i, other.group.i });
      g_string_append_printf (calls,
                              "  memcpy (next_%u, %s, sizeof next_%u);\n"
                              "  status_%u = call_event (&self->context, %u, &occurrence, next_%u, "
                              "NULL);\n"
                              "  if (status_%u == WEIR_FAILED)\n    return 1;\n",
                              i, pointer, i, i, i, i, i);
      g_string_append_printf (ends,
                              "  if (status_%u == WEIR_OK)\n    memcpy (%s, next_%u, sizeof "
                              "next_%u);\n",
                              i, pointer, i, i);
    }
  if (calls->len == 0)
    return FALSE;
  g_string_append_printf (self->rates,
                          "/* What changes every %s s, at %s + n %s s: %s. 0 if that has a value. "
                          "*/\n"
                          "int %s_step_%u (%s *self, gint64 n);\n",
                          period, offset, period, blocks, self->lower, number, self->name);
  g_string_append_printf (text,
                          "int\n%s_step_%u (%s *self, gint64 n)\n{\n  %sRow *r = &self->row;\n"
                          "  WeirOccurrence occurrence = { n, NULL, NULL };\n",
                          self->lower, number, self->name, self->name);
  for (guint i = first; i < weir_system_get_n_events (self->root); i++)
    if (self->event_set[i] == set
        && weir_system_get_event (self->root, i).action == WEIR_ACTION_DISCRETE_UPDATE)
      g_string_append_printf (text, "  double next_%u[%u];\n  WeirStatus status_%u;\n", i,
                              weir_system_get_event (self->root, i).size, i);
  g_string_append_printf (text,
                          "\n  self->context.values_set = 0;\n%s%s"
                          "  self->context.values_set = 0;\n  return 0;\n}\n\n",
                          calls->str, ends->str);
  return TRUE;
}

static void
write_rates (WeirGenerator *self, GString *text)
{
  g_autoptr (GHashTable) done = g_hash_table_new (NULL, NULL);
  guint n = 0;

  for (guint i = 0; i < weir_system_get_n_events (self->root); i++)
    if (weir_system_get_event (self->root, i).trigger == WEIR_TRIGGER_PERIODIC
        && g_hash_table_add (done, GUINT_TO_POINTER (self->event_set[i])))
      n += write_rate (self, text, i, n);
}

/* --- The body -------------------------------------------------------------------------------- */

static void
append_number (GString *text, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, isnan (value)   ? "(double) NAN"
                         : isinf (value) ? (value > 0 ? "(double) INFINITY" : "-(double) INFINITY")
                                         : weir_number_to_text (value, number));
}

static gboolean
is_zero (const double *values, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    if (values[i] != 0 || signbit (values[i]))
      return FALSE;
  return TRUE;
}

/* Values at the start that are not 0. */
static void
write_start (GString *text, const char *member, const char *name, const double *values, guint32 n)
{
  if (values == NULL || is_zero (values, n))
    return;
  if (n == 1)
    {
      g_string_append_printf (text, "  %s = ", member);
      append_number (text, values[0]);
      g_string_append (text, ";\n");
      return;
    }
  g_string_append_printf (text, "  {\n    static const double %s[] = {", name);
  for (guint32 i = 0; i < n; i++)
    {
      g_string_append (text, i % 6 == 0 ? "\n      " : " ");
      append_number (text, values[i]);
      g_string_append_c (text, ',');
    }
  g_string_append_printf (text, "\n    };\n\n    memcpy (%s, %s, sizeof %s);\n  }\n", member, name,
                          name);
}

static void
write_init (WeirGenerator *self, GString *text)
{
  g_string_append_printf (text,
                          "void\n%s_init (%s *self)\n{\n  %sRow *r = &self->row;\n\n"
                          "  memset (self, 0, sizeof *self);\n"
                          "  self->context.system = &model;\n"
                          "  self->context.state = self->state;\n"
                          "  self->context.row = (double *) (void *) r;\n"
                          "  self->context.xdot = r->xdot;\n",
                          self->lower, self->name, self->name);
  if (self->n_scratch > 0)
    g_string_append (text, "  self->context.scratch = self->scratch;\n");
  g_string_append (text, "  self->context.accuracy = ");
  append_number (text, self->options->relative_tolerance);
  g_string_append (text, ";\n  self->context.now = ");
  append_number (text, weir_context_get_time (self->context));
  g_string_append (text, ";\n");
  for (guint i = 0; i < self->fields->len; i++)
    {
      const WeirField *field = &g_array_index (self->fields, WeirField, i);
      g_autofree char *member = weir_generator_dup_member (self, i);

      if (is_member (field))
        write_start (text, member, "start", field->initial, field->size);
    }
  write_start (
      text, weir_layout_get_n_states (self->layout) == 1 ? "self->state[0]" : "self->state",
      "start", weir_context_get_state (self->context), weir_layout_get_n_states (self->layout));
  g_string_append (text, "}\n\n");
}

static void
write_record (WeirGenerator *self, GString *text)
{
  g_string_append_printf (text,
                          "static WeirStatus\nrecord (WeirContext *context, double *values)\n{\n"
                          "  %s *self = (%s *) (void *) context;\n  %sRow *r = &self->row;\n"
                          "  const double t = context->now, *x = context->state;\n\n"
                          "  (void) r;\n  (void) t;\n  (void) x;\n  (void) values;\n"
                          "  context->values_set = 0;\n"
                          "  if (calc_%d (self, t, x) != WEIR_OK)\n    return WEIR_FAILED;\n",
                          self->name, self->name, self->name, WEIR_SET_RECORD);
  for (guint i = 0; i < self->columns->len; i++)
    {
      const WeirColumnPlace *column = &g_array_index (self->columns, WeirColumnPlace, i);
      g_autofree char *pointer = weir_generator_dup_pointer (self, column->place);

      g_string_append_printf (text, "  values[%u] = (%s)[%u];", i, pointer, column->element);
      append_comment (text, g_ptr_array_index (self->column_names, i));
    }
  g_string_append (text, "  return WEIR_OK;\n}\n\n");
  g_string_append (text, "static const char *const columns[] = {\n");
  for (guint i = 0; i < self->columns->len; i++)
    {
      g_autoptr (GString) field = g_string_new (NULL);
      g_autofree char *quoted = NULL;

      weir_csv_append_field (field, g_ptr_array_index (self->column_names, i));
      quoted = g_strescape (field->str, NULL);
      g_string_append_printf (text, "  \"%s\",\n", quoted);
    }
  g_string_append (text, "  NULL,\n};\n\n");
}

/* Does computing it change values that others may have computed at another instant? */
static gboolean
leaves_values (const WeirGenerator *self, guint s)
{
  const WeirSet *set = g_ptr_array_index (self->sets, s);
  g_autofree guint8 *is_passing = weir_generator_find_passing (self, set);

  for (guint i = 0; i < set->entries->len; i++)
    {
      guint32 entry = g_array_index (set->entries, guint32, i);

      if (!is_passing[entry]
          && weir_layout_get_entry (self->layout, (WeirEntry) { entry }).kind
                 != WEIR_ENTRY_DERIVATIVES)
        return TRUE;
    }
  return weir_generator_reads_derivatives (self);
}

static void
write_system (WeirGenerator *self, GString *text)
{
  const WeirSimulatorOptions *options = self->options;
  guint n_events = weir_system_get_n_events (self->root);
  g_autofree char *quoted = g_strescape (self->name, NULL);

  g_string_append_printf (
      text,
      "static WeirStatus\nderivatives (WeirContext *context, double t, const double *x, double "
      "*restrict xdot)\n{\n%s  return calc_%d ((%s *) (void *) context, t, x, xdot);\n}\n\n"
      "static WeirStatus\nwitness (WeirContext *context, double t, const double *x)\n{\n"
      "  context->values_set = 0;\n"
      "  return calc_%d ((%s *) (void *) context, t, x);\n}\n\n",
      leaves_values (self, WEIR_SET_DERIVATIVES) ? "  context->values_set = 0;\n" : "",
      WEIR_SET_DERIVATIVES, self->name, WEIR_SET_WITNESSES, self->name);
  g_string_append_printf (
      text,
      "static const WeirSystem model = {\n  .name = \"%s\",\n  .n_states = %u,\n  .n_events = %u,\n"
      "  .n_starts = %u,\n  .n_row = sizeof (%sRow) / sizeof (double),\n  .follows_time = %d,\n",
      quoted, weir_layout_get_n_states (self->layout), n_events,
      weir_code_get_n_starts (self->root), self->name, weir_layout_depends_on_time (self->layout));
  if (n_events > 0)
    g_string_append (text, "  .events = events,\n");
  g_string_append_printf (
      text,
      "  .columns = columns,\n  .n_columns = %u,\n  .n_phases = { %u, %u },\n"
      "  .derivatives = derivatives,\n  .witness = witness,\n  .call_event = call_event,\n"
      "  .next_time = next_time,\n  .move_starts = move_starts,\n"
      "  .phases = calc_phases_of_all,\n  .record = record,\n};\n\n",
      self->columns->len, self->n_phases[0], self->n_phases[1]);
  g_string_append_printf (
      text,
      "int\n%s_derivatives (%s *self, double t, const double *x, double *xdot)\n{\n"
      "  return (int) derivatives (&self->context, t, x, xdot);\n}\n\n",
      self->lower, self->name);
  if (self->columns->len > 0)
    g_string_append_printf (
        text,
        "_Static_assert (sizeof (%sOutputs) == %u * sizeof (double), \"outputs are a row\");\n\n"
        "int\n%s_outputs (%s *self, %sOutputs *outputs)\n{\n"
        "  return record (&self->context, (double *) (void *) outputs) == WEIR_OK ? 0 : 1;\n}\n\n",
        self->name, self->columns->len, self->lower, self->name, self->name);
  g_string_append_printf (text, "const WeirRunSettings %s_settings = {\n  .solver = \"%s\",\n",
                          self->lower, options->solver);
  g_string_append (text, "  .step = ");
  append_number (text, options->step);
  g_string_append (text, ",\n  .relative_tolerance = ");
  append_number (text, options->relative_tolerance);
  g_string_append (text, ",\n  .absolute_tolerance = ");
  append_number (text, options->absolute_tolerance);
  g_string_append (text, ",\n  .max_step = ");
  append_number (text, options->max_step);
  g_string_append (text, ",\n  .event_tolerance = ");
  append_number (text, options->event_tolerance);
  g_string_append_printf (text,
                          ",\n  .max_crossings = %u,\n  .max_event_iterations = %u,\n"
                          "  .max_stalled_steps = %u,\n  .max_steps = %" G_GUINT64_FORMAT
                          ",\n};\n\n",
                          options->max_crossings, options->max_event_iterations,
                          options->max_stalled_steps, options->max_steps);
}

static void
write_programs (WeirGenerator *self, GString *text)
{
  g_string_append (text, self->programs->str);
  g_string_append (text, "static void\nweir_program_run (guint program, const double *in, double "
                         "*out)\n{\n  switch (program)\n    {\n");
  for (guint i = 0; i < self->n_programs; i++)
    g_string_append_printf (text, "    case %u:\n      program_%u (in, out);\n      break;\n", i,
                            i);
  g_string_append (text, "    default:\n      break;\n    }\n}\n\n");
}

static char *
dup_body (WeirGenerator *self)
{
  static const char few[] = "#define WEIR_HAS_FEW_CALLS\n";
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) sets = g_string_new (NULL), events = g_string_new (NULL),
                      loops = g_string_new (NULL), leaves = g_string_new (NULL),
                      rates = g_string_new (NULL), tangents = g_string_new (NULL);

  weir_generator_mark_passing_fields (self);
  /* Written first, as they say which texts and leaves are used. */
  weir_generator_write_sets (self, sets);
  weir_generator_write_loops (self, loops);
  weir_generator_write_events (self, events);
  weir_generator_write_loop_moves (self, events);
  write_rates (self, rates);
  if (self->has_tangents)
    weir_generator_write_tangents (self, tangents);
  weir_generator_write_leaves (self, leaves);
  weir_texts_want_words (self->wanted_texts, loops->str);
  if (self->n_programs > 0)
    {
      weir_texts_want_words (self->wanted_texts, weir_standalone_programs_h);
      weir_texts_want_words (self->wanted_texts, self->programs->str);
    }
  if (self->has_tangents)
    {
      weir_texts_want_words (self->wanted_texts, self->tangent_programs->str);
      weir_texts_want_words (self->wanted_texts, tangents->str);
      if (self->n_programs > 0)
        weir_texts_want_words (self->wanted_texts, weir_standalone_tangents_h);
    }
  weir_texts_close (self->wanted_texts);

  g_string_append_printf (text,
                          "/* A model as C. See %s.h.\n *\n"
                          " * First what blocks compute, in the words of the program that made "
                          "this; then which block does\n"
                          " * so with which values, in the order of evaluation.\n */\n"
                          "%s#include \"%s.h\"\n\n"
                          "/* Of a member, its place in the row. */\n"
                          "#define AT(member) ((guint32) (offsetof (%sRow, member) / sizeof "
                          "(double)))\n\n"
                          "_Static_assert (offsetof (%s, row) == sizeof (WeirContext), \"the row "
                          "lies behind the context\");\n\n",
                          self->lower, self->n_calls <= MOST_INLINES ? few : "", self->lower,
                          self->name, self->name);
  weir_texts_write (text, self->wanted_texts, TRUE);
  if (self->n_programs > 0)
    g_string_append (text, weir_standalone_programs_h);
  weir_texts_write_prototypes (text, self->wanted_texts);
  weir_texts_write (text, self->wanted_texts, FALSE);
  g_string_append (text, "/* --- The blocks of the model, and where their values are --- */\n\n");
  if (self->n_programs > 0)
    write_programs (self, text);
  if (self->has_tangents && self->n_programs > 0)
    g_string_append (text, weir_standalone_tangents_h);
  if (self->has_tangents)
    weir_generator_write_tangent_programs (self, text);
  g_string_append (text, leaves->str);
  g_string_append (text, loops->str);
  g_string_append (text, sets->str);
  g_string_append (text, events->str);
  write_record (self, text);
  write_system (self, text);
  g_string_append (text, rates->str);
  g_string_append (text, tangents->str);
  write_init (self, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- The others ------------------------------------------------------------------------------ */

static char *
dup_simulator (void)
{
  g_autofree guint8 *wanted = g_new0 (guint8, weir_n_texts);
  g_autoptr (GString) text = g_string_new (weir_standalone_simulator_words_h);

  weir_texts_want_words (wanted, weir_standalone_simulator_words_h);
  weir_texts_want_words (wanted, weir_standalone_simulator_more_h);
  weir_texts_want_words (wanted, weir_standalone_simulator_run_h);
  weir_texts_want_words (wanted, weir_standalone_simulator_state_h);
  weir_texts_close (wanted);
  g_string_append_c (text, '\n');
  weir_texts_write (text, wanted, TRUE);
  g_string_append (text, weir_standalone_simulator_more_h);
  g_string_append_c (text, '\n');
  weir_texts_write_prototypes (text, wanted);
  weir_texts_write (text, wanted, FALSE);
  g_string_append (text, weir_standalone_simulator_run_h);
  g_string_append_c (text, '\n');
  g_string_append (text, weir_standalone_simulator_state_h);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
weir_generator_dup_named (const WeirGenerator *self, const char *text)
{
  g_autofree char *typed = weir_generate_dup_replaced (text, "TheModel", self->name);
  g_autofree char *defined = weir_generate_dup_replaced (typed, "THE_MODEL", self->upper);

  return weir_generate_dup_replaced (defined, "the_model", self->lower);
}

static char *
dup_makefile (const WeirGenerator *self)
{
  return g_strdup_printf (
      "# make builds run; ./run STOP-TIME prints what is recorded.\n"
      "# The bits are those of the program that made this as long as nothing is fused, reordered "
      "or\n"
      "# folded: these flags say so, whatever CFLAGS adds.\n"
      "CFLAGS ?= -O2\n"
      "EXACT = %s\n\n"
      "run: main.o %s.o weir-simulator.o\n\t$(CC) $(LDFLAGS) -o $@ $^ -lm\n\n"
      "main.o: main.c %s.h weir-simulator.h weir.h\n"
      "%s.o: %s.c %s.h weir-simulator.h weir.h\n"
      "weir-simulator.o: weir-simulator.c weir-simulator.h weir.h\n\n"
      "%%.o: %%.c\n\t$(CC) $(EXACT) $(CFLAGS) -c -o $@ $<\n\n"
      "clean:\n\trm -f run main.o %s.o weir-simulator.o\n\n.PHONY: clean\n",
      WEIR_GENERATE_EXACT, self->lower, self->lower, self->lower, self->lower, self->lower,
      self->lower);
}

/* From each member to its name in the model. */
static char *
dup_map (WeirGenerator *self)
{
  g_autoptr (GArray) outputs = list_outputs (self);
  g_autoptr (GString) text = g_string_new ("# member\tname in the model\tnumbers\n");

  for (guint i = 0; i < self->fields->len; i++)
    {
      const WeirField *field = &g_array_index (self->fields, WeirField, i);
      g_autofree char *shown = weir_text_escape (field->origin != NULL ? field->origin : "");

      if (is_member (field))
        g_string_append_printf (text, "row.%s.%s\t%s\t%u\n", struct_members[field->kind],
                                field->name, shown, field->size);
    }
  for (guint i = 0; i < weir_layout_get_n_states (self->layout); i++)
    {
      g_autofree char *name = weir_layout_dup_state_name (self->layout, i);
      g_autofree char *shown = weir_text_escape (name);

      g_string_append_printf (text, "state[%u]\t%s\t1\n", i, shown);
    }
  for (guint i = 0; i < outputs->len; i++)
    {
      const Member *member = &g_array_index (outputs, Member, i);
      g_autofree char *shown = weir_text_escape (member->origin);

      g_string_append_printf (text, "outputs.%s\t%s\t%u\n", member->name, shown, member->size);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_file (WeirGenerated *files, char *name, char *text)
{
  g_ptr_array_add (files->names, name);
  g_ptr_array_add (files->texts, text);
}

WeirGenerated *
weir_generator_write_files (WeirGenerator *self)
{
  WeirGenerated *files = g_new0 (WeirGenerated, 1);
  char *body;

  files->names = g_ptr_array_new_with_free_func (g_free);
  files->texts = g_ptr_array_new_with_free_func (g_free);
  body = dup_body (self);
  add_file (files, g_strconcat (self->lower, ".h", NULL), dup_header (self));
  add_file (files, g_strconcat (self->lower, ".c", NULL), body);
  add_file (files, g_strconcat (self->lower, ".map", NULL), dup_map (self));
  add_file (files, g_strdup ("weir.h"), g_strdup (weir_standalone_weir_h));
  add_file (files, g_strdup ("weir-simulator.h"), g_strdup (weir_standalone_simulator_h));
  add_file (files, g_strdup ("weir-simulator.c"), dup_simulator ());
  add_file (files, g_strdup ("main.c"), weir_generator_dup_named (self, weir_standalone_main_c));
  add_file (files, g_strdup ("Makefile"), dup_makefile (self));
  return files;
}

void
weir_generated_free (WeirGenerated *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

guint
weir_generated_get_n_files (const WeirGenerated *self)
{
  return self->names->len;
}

const char *
weir_generated_get_name (const WeirGenerated *self, guint i)
{
  return g_ptr_array_index (self->names, i);
}

const char *
weir_generated_get_text (const WeirGenerated *self, guint i)
{
  return g_ptr_array_index (self->texts, i);
}

gboolean
weir_generated_write (const WeirGenerated *self, const char *folder, GError **error)
{
  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      int number = errno;

      weir_error_set (error, WEIR_ERROR_FILE, "the folder %s cannot be made: %s", folder,
                      g_strerror (number));
      return FALSE;
    }
  for (guint i = 0; i < self->names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, weir_generated_get_name (self, i), NULL);
      const char *text = weir_generated_get_text (self, i);
      g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

      if (!weir_file_write (path, bytes, 0666, error))
        return FALSE;
    }
  return TRUE;
}

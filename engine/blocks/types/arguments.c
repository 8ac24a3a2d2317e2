/* Arguments: the checked parameter values of one block, read from the texts of a model.
 *
 * Arguments that exist are valid: every parameter of the type has a value of its kind within its
 * limits, so that ports and leaves are made from them without further checks of single values.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "equations/text/syntax.h"

typedef struct {
  double *vector; /* of a number, vector, matrix or integer */
  guint size;
  guint n_rows; /* of a matrix */
  char *text;   /* of a text or choice */
} Argument;

struct _WeirArguments {
  const WeirBlockType *type;
  gboolean has_expressions;
  WeirSurroundings *around; /* or NULL */
  const WeirArguments *own; /* borrowed; only while what is derived is made */
  Argument *values;         /* in the order of type->parameters */
  gpointer derived;         /* atomic; NULL until it is asked for */
  GDestroyNotify destroy_derived;
  GArray *inputs, *outputs; /* atomic; NULL until they are asked for */
};

/* --- Checking one text ----------------------------------------------------------------------- */

/* NULL: there are none. */
static WeirMessage *
say_limits (const WeirParameterSpec *spec)
{
  const char *unit = spec->unit != NULL ? spec->unit : "";
  const char *space = spec->unit != NULL ? " " : "";
  g_autofree char *least = weir_value_to_string (&spec->minimum, 1);
  g_autofree char *most = weir_value_to_string (&spec->maximum, 1);
  g_autofree char *low = g_strconcat (least, space, unit, NULL);
  g_autofree char *high = g_strconcat (most, space, unit, NULL);
  gboolean has_low = isfinite (spec->minimum), has_high = isfinite (spec->maximum);

  if (has_low && has_high && spec->exclusive_minimum)
    return weir_message_new (N_ ("greater than %s and at most %s"), least, high);
  if (has_low && has_high)
    return weir_message_new (N_ ("from %s to %s"), least, high);
  if (has_low && spec->exclusive_minimum)
    return weir_message_new (N_ ("greater than %s"), low);
  if (has_low)
    return weir_message_new (N_ ("of at least %s"), low);
  if (has_high)
    return weir_message_new (N_ ("of at most %s"), high);
  return NULL;
}

static WeirMessage *
say_numbers (const WeirParameterSpec *spec, const char *what, const char *format)
{
  g_autoptr (WeirMessage) limits = say_limits (spec);

  if (limits == NULL)
    return weir_message_new ("%s", weir_phrase (what));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return weir_message_new (format, weir_phrase (what), weir_message_get_text (limits));
#pragma GCC diagnostic pop
}

WeirMessage *
weir_parameter_spec_dup_expectation (const WeirParameterSpec *spec)
{
  g_autofree char *choices = NULL;

  switch (spec->kind)
    {
    case WEIR_VALUE_NUMBER:
      return say_numbers (spec, N_ ("a number"), "%s %s");
    case WEIR_VALUE_VECTOR:
      return say_numbers (spec, N_ ("a number or a vector such as [1, 2, 3]"), N_ ("%s, each %s"));
    case WEIR_VALUE_MATRIX:
      return say_numbers (spec, N_ ("a number or a matrix such as [1, 2; 3, 4]"),
                          N_ ("%s, each %s"));
    case WEIR_VALUE_INTEGER:
      return say_numbers (spec, N_ ("a whole number"), "%s %s");
    case WEIR_VALUE_CHOICE:
      if (g_strv_length ((char **) spec->choices) == 2)
        return weir_message_new (N_ ("%s or %s"), spec->choices[0], spec->choices[1]);
      choices = g_strjoinv (", ", (char **) spec->choices);
      return weir_message_new (N_ ("one of %s"), choices);
    case WEIR_VALUE_TEXT:
    default:
      if (spec->characters == NULL)
        return weir_message_new (N_ ("texts"));
      return weir_message_new (N_ ("%g to %g of the characters %s"), spec->minimum, spec->maximum,
                               spec->characters);
    }
}

static gboolean
refuse (const WeirParameterSpec *spec, const char *text, GError **error)
{
  g_autoptr (WeirMessage) expected = weir_parameter_spec_dup_expectation (spec);

  weir_error_set (error, WEIR_ERROR_INVALID, "Parameter %s is \"%s\", but must be %s.", spec->name,
                  text, weir_message_get_text (expected));
  return FALSE;
}

static gboolean
is_within_limits (const WeirParameterSpec *spec, double value)
{
  return value <= spec->maximum
         && (spec->exclusive_minimum ? value > spec->minimum : value >= spec->minimum);
}

static gboolean
parse_text (const WeirParameterSpec *spec, const char *text, GError **error)
{
  if (spec->kind == WEIR_VALUE_CHOICE)
    return g_strv_contains (spec->choices, text) || refuse (spec, text, error);
  if (spec->characters != NULL)
    {
      gsize length = strlen (text);

      if (strspn (text, spec->characters) != length || !is_within_limits (spec, (double) length))
        return refuse (spec, text, error);
    }
  return TRUE;
}

static double *
parse_rows (const WeirParameterSpec *spec, const char *text, Argument *value, GError **error)
{
  double *vector;

  value->n_rows = 1;
  if (spec->kind != WEIR_VALUE_MATRIX)
    return weir_value_parse (text, &value->size, error);
  vector = weir_matrix_parse (text, &value->n_rows, &value->size, error);
  value->size *= value->n_rows;
  return vector;
}

static gboolean
is_free (const WeirParameterSpec *spec, const char *text)
{
  return spec->may_be_free && strcmp (text, WEIR_START_FREE) == 0;
}

gboolean
weir_parameter_spec_is_expression (const WeirParameterSpec *spec, const char *text)
{
  g_autoptr (WeirExprPool) pool = NULL;
  g_autoptr (WeirDiagnostics) silent = NULL;
  g_autofree double *vector = NULL;
  WeirReport report = { .path = "", .first_line = 1 };
  guint size;

  if ((spec->kind != WEIR_VALUE_NUMBER && spec->kind != WEIR_VALUE_VECTOR) || spec->is_literal
      || is_free (spec, text))
    return FALSE;
  vector = weir_value_parse (text, &size, NULL);
  if (vector != NULL)
    return FALSE;
  pool = weir_expr_pool_new ();
  silent = weir_diagnostics_new ();
  report.diagnostics = silent;
  return !weir_expr_equal (weir_expr_parse (pool, text, &report), WEIR_NO_EXPR);
}

static gboolean
parse_numbers (const WeirParameterSpec *spec, const char *text, Argument *value, GError **error)
{
  g_autofree double *vector = parse_rows (spec, text, value, NULL);
  gboolean may_be_many = spec->kind == WEIR_VALUE_VECTOR || spec->kind == WEIR_VALUE_MATRIX;

  /* The parser's own sentence knows more about vectors and decimal commas. */
  if (vector == NULL && spec->kind != WEIR_VALUE_INTEGER)
    {
      g_autoptr (GError) why = NULL;
      g_autofree double *none = parse_rows (spec, text, value, &why);

      weir_error_set (error, WEIR_ERROR_INVALID, "Parameter %s: %s", spec->name,
                      weir_error_get_text (why));
      return FALSE;
    }
  if (vector == NULL || (!may_be_many && value->size != 1))
    return refuse (spec, text, error);
  for (guint i = 0; i < value->size; i++)
    {
      gboolean is_whole = fabs (vector[i]) <= 1e15 && vector[i] == floor (vector[i]);

      if (!isfinite (vector[i]))
        {
          weir_error_set (error, WEIR_ERROR_INVALID, "Parameter %s is \"%s\", but must be finite.",
                          spec->name, text);
          return FALSE;
        }
      if (!is_within_limits (spec, vector[i]) || (spec->kind == WEIR_VALUE_INTEGER && !is_whole))
        return refuse (spec, text, error);
    }
  value->vector = g_steal_pointer (&vector);
  return TRUE;
}

static gboolean
parse (const WeirParameterSpec *spec, const char *text, Argument *value, GError **error)
{
  if (is_free (spec, text))
    {
      value->vector = g_new (double, 1);
      value->vector[0] = NAN;
      value->size = value->n_rows = 1;
      return TRUE;
    }
  if (spec->kind != WEIR_VALUE_CHOICE && spec->kind != WEIR_VALUE_TEXT)
    return parse_numbers (spec, text, value, error);
  if (!parse_text (spec, text, error))
    return FALSE;
  value->text = g_strdup (text);
  return TRUE;
}

gboolean
weir_parameter_spec_check (const WeirParameterSpec *spec, const char *text, GError **error)
{
  Argument value = { 0 };
  gboolean is_valid = parse (spec, text, &value, error);

  g_free (value.vector);
  g_free (value.text);
  return is_valid;
}

/* --- Arguments ------------------------------------------------------------------------------- */

WeirArguments *
weir_arguments_new (const WeirBlockType *type, WeirGetTextFunc get_text, gpointer data,
                    GError **error)
{
  g_autoptr (WeirArguments) self = g_new0 (WeirArguments, 1);

  self->type = type;
  self->values = g_new0 (Argument, type->n_parameters);
  for (guint i = 0; i < type->n_parameters; i++)
    {
      const WeirParameterSpec *spec = &type->parameters[i];
      const char *text = get_text != NULL ? get_text (spec->name, data) : NULL;

      if (text != NULL && weir_parameter_spec_is_expression (spec, text))
        {
          self->has_expressions = TRUE;
          text = NULL;
        }
      if (!parse (spec, text != NULL ? text : spec->default_text, &self->values[i], error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
weir_arguments_free (WeirArguments *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->type->n_parameters; i++)
    {
      g_free (self->values[i].vector);
      g_free (self->values[i].text);
    }
  g_free (self->values);
  g_clear_pointer (&self->around, weir_surroundings_unref);
  if (self->derived != NULL)
    self->destroy_derived (self->derived);
  g_clear_pointer (&self->inputs, g_array_unref);
  g_clear_pointer (&self->outputs, g_array_unref);
  g_free (self);
}

WeirArguments *
weir_arguments_new_within (const WeirArguments *own, WeirSurroundings *around)
{
  WeirArguments *self = g_new0 (WeirArguments, 1);

  self->type = own->type;
  self->own = own;
  self->around = weir_surroundings_ref (around);
  self->values = g_new (Argument, own->type->n_parameters);
  for (guint i = 0; i < own->type->n_parameters; i++)
    {
      const Argument *value = &own->values[i];

      self->values[i] = *value;
      self->values[i].vector = g_memdup2 (value->vector, value->size * sizeof *value->vector);
      self->values[i].text = g_strdup (value->text);
    }
  return self;
}

WeirSurroundings *
weir_arguments_get_surroundings (const WeirArguments *self)
{
  return self->around;
}

const WeirArguments *
weir_arguments_get_own (const WeirArguments *self)
{
  return self->own;
}

gpointer
weir_arguments_get_derived (const WeirArguments *self, gpointer (*make) (const WeirArguments *self),
                            GDestroyNotify destroy)
{
  WeirArguments *mutable_self = (WeirArguments *) self;
  gpointer derived = g_atomic_pointer_get (&mutable_self->derived);

  if (derived != NULL)
    return derived;
  derived = make (self);
  mutable_self->destroy_derived = destroy;
  if (g_atomic_pointer_compare_and_exchange (&mutable_self->derived, NULL, derived))
    return derived;
  destroy (derived); /* another thread was first */
  return g_atomic_pointer_get (&mutable_self->derived);
}

const WeirBlockType *
weir_arguments_get_type (const WeirArguments *self)
{
  return self->type;
}

static const Argument *
find (const WeirArguments *self, const char *parameter)
{
  const WeirParameterSpec *spec = weir_block_type_find_parameter (self->type, parameter);

  if (spec != NULL)
    return &self->values[spec - self->type->parameters];
  g_error ("Block type %s has no parameter \"%s\".", self->type->name, parameter);
}

gboolean
weir_arguments_has_expressions (const WeirArguments *self)
{
  return self->has_expressions;
}

double
weir_arguments_get_number (const WeirArguments *self, const char *parameter)
{
  return find (self, parameter)->vector[0];
}

gint64
weir_arguments_get_integer (const WeirArguments *self, const char *parameter)
{
  return (gint64) find (self, parameter)->vector[0];
}

const double *
weir_arguments_get_vector (const WeirArguments *self, const char *parameter, guint *size)
{
  const Argument *value = find (self, parameter);

  *size = value->size;
  return value->vector;
}

const double *
weir_arguments_get_matrix (const WeirArguments *self, const char *parameter, guint *n_rows,
                           guint *n_columns)
{
  const Argument *value = find (self, parameter);

  *n_rows = value->n_rows;
  *n_columns = value->size / value->n_rows;
  return value->vector;
}

const char *
weir_arguments_get_text (const WeirArguments *self, const char *parameter)
{
  return find (self, parameter)->text;
}

guint
weir_arguments_get_choice (const WeirArguments *self, const char *parameter)
{
  const WeirParameterSpec *spec = weir_block_type_find_parameter (self->type, parameter);
  const char *text = find (self, parameter)->text;
  guint i = 0;

  while (strcmp (spec->choices[i], text) != 0)
    i++;
  return i;
}

double *
weir_arguments_dup_vector_of_size (const WeirArguments *self, const char *parameter, guint size,
                                   GError **error)
{
  const Argument *value = find (self, parameter);
  g_autofree char *what = g_strdup_printf ("Parameter %s", parameter);
  double *vector;

  if (!weir_check_size (what, value->size, size, error))
    return NULL;
  vector = g_new (double, size);
  for (guint i = 0; i < size; i++)
    vector[i] = value->vector[value->size == 1 ? 0 : i];
  return vector;
}

/* Listed once, into @place: many blocks share their arguments. */
static GArray *
list_ports (const WeirArguments *self, void (*list) (const WeirArguments *, GArray *),
            GArray **place)
{
  GArray *ports = g_atomic_pointer_get (place);

  if (ports != NULL)
    return g_array_ref (ports);
  ports = g_array_new (FALSE, FALSE, sizeof (WeirPortSpec));
  if (list != NULL)
    list (self, ports);
  if (g_atomic_pointer_compare_and_exchange (place, NULL, ports))
    return g_array_ref (ports);
  g_array_unref (ports); /* another thread was first */
  return g_array_ref (g_atomic_pointer_get (place));
}

GArray *
weir_arguments_list_pins (const WeirArguments *self)
{
  GArray *pins = g_array_new (FALSE, FALSE, sizeof (WeirPinSpec));

  if (self->type->list_pins != NULL)
    self->type->list_pins (self, pins);
  return pins;
}

/* Without its parameters ("text/plain; charset=UTF-8"), and whatever the case. */
static gboolean
is_same_mime_type (const char *a, const char *b)
{
  gsize length = strcspn (a, "; ");

  return length == strcspn (b, "; ") && g_ascii_strncasecmp (a, b, length) == 0;
}

gboolean
weir_port_spec_fits (const WeirPortSpec *input, const WeirPortSpec *output)
{
  return g_strcmp0 (input->type, output->type) == 0
         && (input->mime_type == NULL || output->mime_type == NULL
             || is_same_mime_type (input->mime_type, output->mime_type));
}

const char *
weir_port_type_describe (const char *type)
{
  if (type == NULL)
    return N_ ("numbers");
  return strcmp (type, "s") == 0 ? N_ ("texts") : N_ ("bytes");
}

GArray *
weir_arguments_list_inputs (const WeirArguments *self)
{
  return list_ports (self, self->type->list_inputs, &((WeirArguments *) self)->inputs);
}

GArray *
weir_arguments_list_outputs (const WeirArguments *self)
{
  return list_ports (self, self->type->list_outputs, &((WeirArguments *) self)->outputs);
}

const WeirParameterSpec *
weir_block_type_find_parameter (const WeirBlockType *type, const char *name)
{
  for (guint i = 0; type != NULL && i < type->n_parameters; i++)
    if (strcmp (type->parameters[i].name, name) == 0)
      return &type->parameters[i];
  return NULL;
}

gboolean
weir_check_size (const char *what, guint size, guint common, GError **error)
{
  const char *input = g_str_has_prefix (what, "Input ") ? what + strlen ("Input ") : NULL;

  if (size == 1 || size == common)
    return TRUE;
  if (input != NULL && common == 1)
    weir_error_set (error, WEIR_ERROR_MISMATCH, "Input %s has size %u, but size 1 is needed.",
                    input, size);
  else if (input != NULL)
    weir_error_set (error, WEIR_ERROR_MISMATCH, "Input %s has size %u, but size 1 or %u is needed.",
                    input, size, common);
  else if (common == 1)
    weir_error_set (error, WEIR_ERROR_MISMATCH, "%s has size %u, but size 1 is needed.", what,
                    size);
  else
    weir_error_set (error, WEIR_ERROR_MISMATCH, "%s has size %u, but size 1 or %u is needed.", what,
                    size, common);
  return FALSE;
}

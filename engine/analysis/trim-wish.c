/* Trims by what people name. See operating-point.h. */
#include "analysis/operating-point.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* What of a path comes before a mark after the last dot: "Motor.speed[1]" without "[1]". */
static char *
dup_port_path (const char *path)
{
  char *port = g_strdup (path), *dot = strrchr (port, '.');
  char *bracket = strchr (dot != NULL ? dot : port, '[');

  if (bracket != NULL)
    *bracket = '\0';
  return port;
}

static gboolean
is_output (const WeirLayout *layout, const char *port)
{
  g_autofree char *owner = g_strdup (port);
  char *dot = strrchr (owner, '.');
  WeirNode node;
  WeirOutput output;

  if (dot != NULL)
    *dot = '\0';
  return weir_layout_find_node (layout, dot != NULL ? owner : "", &node)
         && weir_layout_find_output (layout, node, dot != NULL ? dot + 1 : port, &output);
}

static gboolean
has_port (GPtrArray *ports, const char *port)
{
  return g_ptr_array_find_with_equal_func (ports, port, g_str_equal, NULL);
}

/* The ports that wishes are about, beside those that are inputs anyway. */
static void
add_ports (const WeirLayout *layout, const WeirTrimWish *wishes, guint n, GPtrArray *inputs,
           GPtrArray *outputs)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *port = dup_port_path (wishes[i].path);
      gboolean is_measured = wishes[i].kind == WEIR_TRIM_HOLD && is_output (layout, port);
      guint state;

      if (wishes[i].kind == WEIR_TRIM_MOVE
          || weir_layout_find_state (layout, wishes[i].path, &state) || has_port (inputs, port)
          || has_port (outputs, port))
        continue;
      g_ptr_array_add (is_measured ? outputs : inputs, g_steal_pointer (&port));
    }
}

typedef struct {
  gboolean *held_states, *moving_states, *free_inputs;
  double *outputs, *x, *u;
} Conditions;

static void
conditions_clear (Conditions *self)
{
  g_free (self->held_states);
  g_free (self->moving_states);
  g_free (self->free_inputs);
  g_free (self->outputs);
  g_free (self->x);
  g_free (self->u);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Conditions, conditions_clear)

/* Is @name @path itself or a part of it, which goes on with one of @separators? */
static gboolean
is_part_of (const char *name, const char *path, const char *separators)
{
  gsize length = strlen (path);

  return strncmp (name, path, length) == 0
         && (name[length] == '\0' || strchr (separators, name[length]) != NULL);
}

static gboolean
hold (const WeirOperatingPoint *point, const WeirTrimWish *wish, Conditions *conditions)
{
  guint i;

  if (weir_layout_find_state (weir_operating_point_get_layout (point), wish->path, &i))
    {
      conditions->held_states[i] = TRUE;
      if (!isnan (wish->value))
        conditions->x[i] = wish->value;
    }
  else if (weir_operating_point_find_input (point, wish->path, &i))
    conditions->u[i] = isnan (wish->value) ? conditions->u[i] : wish->value;
  else if (weir_operating_point_find_output (point, wish->path, &i))
    conditions->outputs[i] = wish->value;
  else
    return FALSE;
  return TRUE;
}

static gboolean
set_free (const WeirOperatingPoint *point, const WeirTrimWish *wish, Conditions *conditions)
{
  gboolean any = FALSE;

  for (guint i = 0; i < weir_operating_point_get_n_inputs (point); i++)
    if (is_part_of (weir_operating_point_get_input_name (point, i), wish->path, "["))
      any = conditions->free_inputs[i] = TRUE;
  return any;
}

static gboolean
set_moving (const WeirOperatingPoint *point, const WeirTrimWish *wish, Conditions *conditions)
{
  const WeirLayout *layout = weir_operating_point_get_layout (point);
  gboolean any = FALSE;

  for (guint i = 0; i < weir_layout_get_n_states (layout); i++)
    {
      g_autofree char *name = weir_layout_dup_state_name (layout, i);

      if (is_part_of (name, wish->path, ".["))
        any = conditions->moving_states[i] = TRUE;
    }
  return any;
}

static gboolean
take_wishes (const WeirOperatingPoint *point, const WeirTrimWish *wishes, guint n,
             Conditions *conditions, GError **error)
{
  for (guint i = 0; i < n; i++)
    switch (wishes[i].kind)
      {
      case WEIR_TRIM_HOLD:
        if (hold (point, &wishes[i], conditions))
          break;
        weir_error_set (error, WEIR_ERROR_NOT_FOUND,
                        "%s: the model has no state and no port element of that name",
                        wishes[i].path);
        return FALSE;
      case WEIR_TRIM_FREE:
        if (set_free (point, &wishes[i], conditions))
          break;
        weir_error_set (error, WEIR_ERROR_NOT_FOUND, "%s: this is no input", wishes[i].path);
        return FALSE;
      case WEIR_TRIM_MOVE:
      default:
        if (set_moving (point, &wishes[i], conditions))
          break;
        weir_error_set (error, WEIR_ERROR_NOT_FOUND,
                        "%s: this is no state and no block with states", wishes[i].path);
        return FALSE;
      }
  return TRUE;
}

gboolean
weir_trim_context (WeirSystem *system, WeirContext *context, const char *const *inputs,
                   const WeirTrimWish *wishes, guint n_wishes, GPtrArray *notes, GError **error)
{
  g_autoptr (GPtrArray) cut = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  g_autoptr (GPtrArray) measured = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  g_autoptr (WeirOperatingPoint) point = NULL;
  g_auto (Conditions) conditions = { 0 };
  guint n, m, p;

  for (; inputs != NULL && *inputs != NULL; inputs++)
    g_ptr_array_add (cut, g_strdup (*inputs));
  add_ports (weir_system_get_layout (system), wishes, n_wishes, cut, measured);
  point = weir_operating_point_new (system, context, (const char *const *) cut->pdata,
                                    (const char *const *) measured->pdata, error);
  if (point == NULL)
    return FALSE;
  n = weir_operating_point_get_n_states (point);
  m = weir_operating_point_get_n_inputs (point);
  p = weir_operating_point_get_n_outputs (point);
  conditions.held_states = g_new0 (gboolean, n + 1);
  conditions.moving_states = g_new0 (gboolean, n + 1);
  conditions.free_inputs = g_new0 (gboolean, m + 1);
  conditions.outputs = g_new0 (double, p + 1);
  conditions.x = g_new0 (double, n + 1);
  conditions.u = g_new0 (double, m + 1);
  for (guint i = 0; i < n; i++)
    conditions.x[i] = weir_operating_point_get_state (point)[i];
  for (guint i = 0; i < m; i++)
    conditions.u[i] = weir_operating_point_get_input (point)[i];
  for (guint i = 0; i < p; i++)
    conditions.outputs[i] = (double) NAN;
  if (!take_wishes (point, wishes, n_wishes, &conditions, error))
    return FALSE;
  weir_operating_point_move (point, conditions.x, conditions.u);
  if (!weir_trim (point,
                  &(WeirTrimConditions) { conditions.held_states, conditions.moving_states,
                                          conditions.free_inputs, conditions.outputs },
                  notes, error))
    return FALSE;
  weir_operating_point_apply (point, context);
  return TRUE;
}

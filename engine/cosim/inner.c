/* A system as a unit. See inner.h. */
#include "cosim/inner.h"

#include "cosim/cosim-private.h"

#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "sim/port.h"
#include "system/evaluation/calc.h"
#include "system/evaluation/eval.h"
#include "system/layout/layout.h"
#include "system/structure/diagram.h"
#include "system/structure/leaf.h"
#include "system/structure/unit-maker.h"

/* A port within that is an output of the unit. */
typedef struct {
  WeirPort port;
  guint size;
} Port;

/* A parameter within, which is one of the unit. */
typedef struct {
  WeirNode node;
  WeirParameter parameter;
  guint offset, size; /* in the values of all */
} Slot;

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
  GArray *ports;     /* Port: beside the system's outputs */
  GHashTable *slots; /* Slot, owned, by the name of the unit's parameter */
  guint n_values;    /* of all parameters */
  guint n_inputs;    /* ports of the unit, the first of the system */
  WeirUnitInputUse *inputs;
  gboolean is_fed_by_curves;
  guint
      *slope_inputs; /* by input: where the system has its slopes and their beginning; 0: nowhere */
} Inner;

typedef struct {
  const Inner *inner;
  WeirContext *context;
  WeirSimulator *simulator;
  double *values;                     /* of the parameters, as they were set */
  gboolean *are_set;                  /* by value */
  GPtrArray *abstract_u, *abstract_y; /* GVariant, by abstract port */
  const double *slopes;               /* borrowed; NULL: all are 0 */
  double begin;                       /* s; of the step */
} Instance;

static void
free_inner (gpointer data)
{
  Inner *self = data;

  weir_system_unref (self->system);
  g_array_unref (self->ports);
  g_hash_table_unref (self->slots);
  g_free (self->inputs);
  g_free (self->slope_inputs);
  g_free (self);
}

static guint
get_size (const Inner *self, gboolean is_input, guint i)
{
  return is_input ? weir_system_get_input_size (self->system, (WeirInput) { (guint16) i })
                  : weir_system_get_output_size (self->system, (WeirOutput) { (guint16) i });
}

/* NULL: it carries numbers. */
static const GVariantType *
get_type (const Inner *self, gboolean is_input, guint i)
{
  WeirLayout *layout = weir_system_get_layout (self->system);

  return is_input ? weir_layout_get_input_type (layout, WEIR_ROOT, (WeirInput) { (guint16) i })
                  : weir_layout_get_output_type (layout, WEIR_ROOT, (WeirOutput) { (guint16) i });
}

/* The port of value @value, where abstract ones come behind all others; @n: it is of none. */
static guint
find_port (const Inner *self, gboolean is_input, guint n, guint value)
{
  for (guint i = 0; i < n; i++)
    {
      if (value < get_size (self, is_input, i))
        return i;
      value -= get_size (self, is_input, i);
    }
  for (guint i = 0; i < self->ports->len && !is_input; i++)
    {
      if (value < g_array_index (self->ports, Port, i).size)
        return n;
      value -= g_array_index (self->ports, Port, i).size;
    }
  for (guint i = 0; i < n; i++)
    if (get_type (self, is_input, i) != NULL && value-- == 0)
      return i;
  return n;
}

/* Is what output @out shows at once a matter of input @in? They count values of ports. */
static gboolean
starts_with (gpointer data, guint in, guint out)
{
  const Inner *self = data;
  guint n = weir_system_get_n_outputs (self->system);
  guint input = find_port (self, TRUE, self->n_inputs, in);
  guint output = find_port (self, FALSE, n, out);

  if (output == n)
    return FALSE; /* a port within: nobody's input */
  return weir_system_has_direct_feedthrough (self->system, (WeirInput) { (guint16) input },
                                             (WeirOutput) { (guint16) output });
}

static void
free_instance (gpointer instance)
{
  Instance *self = instance;

  weir_simulator_free (self->simulator);
  weir_context_free (self->context);
  g_free (self->values);
  g_free (self->are_set);
  g_ptr_array_unref (self->abstract_u);
  g_ptr_array_unref (self->abstract_y);
  g_free (self);
}

static gpointer
make (gpointer data, GError **error)
{
  const Inner *inner = data;
  Instance *self = g_new0 (Instance, 1);

  self->inner = inner;
  self->context = weir_system_create_context (inner->system);
  self->values = g_new0 (double, inner->n_values);
  self->are_set = g_new0 (gboolean, inner->n_values);
  self->abstract_u = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  self->abstract_y = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  self->simulator = weir_simulator_new (inner->system, self->context, &inner->options, error);
  if (self->simulator != NULL)
    return self;
  free_instance (self);
  return NULL;
}

/* Inputs that are as they were change nothing, so that integration need not start again. */
static void
set_input (Instance *self, guint i, const double *u)
{
  WeirSystem *system = self->inner->system;
  WeirInput in = { (guint16) i };
  guint size = weir_system_get_input_size (system, in);

  if (!weir_context_is_input_fixed (self->context, WEIR_ROOT, in)
      || memcmp (weir_eval_input (system, self->context, WEIR_ROOT, in), u, size * sizeof *u) != 0)
    weir_context_fix_input (self->context, WEIR_ROOT, in, u);
}

static void
set_abstract_input (Instance *self, guint i, GVariant *value)
{
  WeirSystem *system = self->inner->system;
  WeirInput in = { (guint16) i };

  if (!weir_context_is_input_fixed (self->context, WEIR_ROOT, in)
      || !g_variant_equal (weir_eval_abstract_input (system, self->context, WEIR_ROOT, in), value))
    weir_context_fix_abstract_input (self->context, WEIR_ROOT, in, value, NULL);
}

static void
set_inputs (Instance *self, const double *u)
{
  const Inner *inner = self->inner;
  const double *slopes = self->slopes;
  guint n_u = 0, n_abstract = 0;

  for (guint i = 0; i < inner->n_inputs; i++)
    n_u += weir_system_get_input_size (inner->system, (WeirInput) { (guint16) i });
  for (guint i = 0; i < inner->n_inputs; i++)
    {
      guint size = weir_system_get_input_size (inner->system, (WeirInput) { (guint16) i });
      g_autofree double *zeros = inner->slope_inputs[i] > 0 ? g_new0 (double, size) : NULL;

      if (get_type (inner, TRUE, i) != NULL)
        set_abstract_input (self, i, self->abstract_u->pdata[n_abstract++]);
      else
        set_input (self, i, u);
      u += size;
      if (zeros != NULL)
        {
          set_input (self, inner->slope_inputs[i], slopes != NULL ? slopes : zeros);
          set_input (self, inner->slope_inputs[i] + 1, slopes != NULL ? slopes + n_u : zeros);
          set_input (self, inner->slope_inputs[i] + 2, &self->begin);
        }
      slopes = slopes != NULL ? slopes + size : NULL;
    }
}

static WeirUnitInputUse
describe_input (gpointer data, guint in)
{
  return ((const Inner *) data)->inputs[in];
}

static void
set_slopes (gpointer instance, const double *slopes)
{
  ((Instance *) instance)->slopes = slopes;
}

static void
set_abstract_inputs (gpointer instance, GVariant *const *values)
{
  Instance *self = instance;

  g_ptr_array_set_size (self->abstract_u, 0);
  for (guint i = 0, n = 0; i < self->inner->n_inputs; i++)
    if (get_type (self->inner, TRUE, i) != NULL)
      g_ptr_array_add (self->abstract_u, g_variant_ref (values[n++]));
}

static void
get_abstract_outputs (gpointer instance, GVariant **values)
{
  const Instance *self = instance;

  for (guint i = 0; i < self->abstract_y->len; i++)
    values[i] = g_variant_ref (self->abstract_y->pdata[i]);
}

static gboolean
fail (const Instance *self, GError **error)
{
  const char *why = weir_context_get_failure (self->context);
  weir_error_set (error, WEIR_ERROR_FAILED, "%s",
                  why != NULL ? why : weir_phrase (N_ ("its outputs cannot be computed")));
  return FALSE;
}

static gboolean
take_value (Instance *self, const double *value, guint size, double **y, GError **error)
{
  if (value == NULL)
    return fail (self, error);
  memcpy (*y, value, size * sizeof **y);
  *y += size;
  return TRUE;
}

static gboolean
take_abstract (Instance *self, GVariant *value, GError **error)
{
  if (value == NULL)
    return fail (self, error);
  g_ptr_array_add (self->abstract_y, g_variant_ref (value));
  return TRUE;
}

static const double *
eval_port (Instance *self, WeirPort port)
{
  WeirSystem *system = self->inner->system;

  return port.is_input
             ? weir_eval_input (system, self->context, port.node, (WeirInput) { port.index })
             : weir_eval_output (system, self->context, port.node, (WeirOutput) { port.index });
}

static gboolean
get_outputs (Instance *self, double *y, GError **error)
{
  WeirSystem *system = self->inner->system;

  g_ptr_array_set_size (self->abstract_y, 0);
  for (guint i = 0; i < weir_system_get_n_outputs (system); i++)
    {
      WeirOutput out = { (guint16) i };

      if (get_type (self->inner, FALSE, i) != NULL)
        {
          if (!take_abstract (
                  self, weir_eval_abstract_output (system, self->context, WEIR_ROOT, out), error))
            return FALSE;
        }
      else if (!take_value (self, weir_eval_output (system, self->context, WEIR_ROOT, out),
                            weir_system_get_output_size (system, out), &y, error))
        return FALSE;
    }
  for (guint i = 0; i < self->inner->ports->len; i++)
    {
      const Port *port = &g_array_index (self->inner->ports, Port, i);

      if (!take_value (self, eval_port (self, port->port), port->size, &y, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
set_parameter (gpointer instance, const char *path, const double *values, guint n, GError **error)
{
  Instance *self = instance;
  const Slot *slot = g_hash_table_lookup (self->inner->slots, path);

  g_return_val_if_fail (slot != NULL && n == slot->size, FALSE);

  memcpy (self->values + slot->offset, values, n * sizeof *values);
  self->are_set[slot->offset] = TRUE;
  weir_context_set_parameter (self->context, slot->node, slot->parameter, values);
  return TRUE;
}

/* Starting anew gives every source its first value, but parameters stay as they were set. */
static void
reset (Instance *self)
{
  GHashTableIter iter;
  gpointer value;

  weir_context_reset (self->context);
  g_hash_table_iter_init (&iter, self->inner->slots);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Slot *slot = value;

      if (self->are_set[slot->offset])
        weir_context_set_parameter (self->context, slot->node, slot->parameter,
                                    self->values + slot->offset);
    }
}

static gboolean
initialize (gpointer instance, double t, const double *u, double *y, GError **error)
{
  Instance *self = instance;

  weir_context_begin_change (self->context);
  reset (self);
  self->slopes = NULL;
  self->begin = t;
  weir_context_set_time (self->context, t);
  weir_context_end_change (self->context);
  set_inputs (self, u);
  return weir_simulator_initialize (self->simulator, error) && get_outputs (self, y, error);
}

/* Updates due at the end wait for the next step, whose inputs are those of that instant. */
static gboolean
step (gpointer instance, double t, double end, const double *u, double *y, double *reached,
      GError **error)
{
  Instance *self = instance;

  self->begin = t;
  set_inputs (self, u);
  if (!weir_simulator_advance_to (self->simulator, end, error))
    return FALSE;
  if (weir_simulator_is_terminated (self->simulator))
    *reached = weir_context_get_time (self->context);
  return get_outputs (self, y, error);
}

static GBytes *
save (gpointer instance, GError **error)
{
  return weir_simulator_save (((Instance *) instance)->simulator, error);
}

static gboolean
restore (gpointer instance, GBytes *bytes, GError **error)
{
  return weir_simulator_load (((Instance *) instance)->simulator, bytes, error);
}

static void
set_caching (gpointer instance, gboolean enabled)
{
  weir_context_set_caching (((Instance *) instance)->context, enabled);
}

static void
set_cancel (gpointer instance, const gint *cancel)
{
  weir_simulator_set_cancel (((Instance *) instance)->simulator, cancel);
}

#define INNER_CLASS(ABILITIES)                                                                     \
  {                                                                                                \
    .name = "Subsystem",                                                                           \
    .abilities = WEIR_UNIT_RESTORES | WEIR_UNIT_VARIABLE_STEP | WEIR_UNIT_ANY_THREAD               \
                 | WEIR_UNIT_STOPS | (ABILITIES),                                                  \
    .starts_with = starts_with, .make = make, .initialize = initialize, .step = step,              \
    .save = save, .restore = restore, .set_parameter = set_parameter, .set_caching = set_caching,  \
    .set_cancel = set_cancel, .describe_input = describe_input, .set_slopes = set_slopes,          \
    .set_abstract_inputs = set_abstract_inputs, .get_abstract_outputs = get_abstract_outputs,      \
    .free = free_instance,                                                                         \
  }

/* A run that is restored goes on with the same bits (simulator.h), with an explicit method or where
 * there is nothing to integrate. */
static const WeirUnitClass repeating_class = INNER_CLASS (WEIR_UNIT_REPEATS_BITS);
static const WeirUnitClass other_class = INNER_CLASS (0);

static gboolean
repeats_bits (WeirSystem *system, const char *solver)
{
  static const char *const names[] = {
    "dormand-prince", "dop853", "bogacki-shampine", "rk4", "heun", "euler", NULL
  };

  return weir_layout_get_n_states (weir_system_get_layout (system)) == 0
         || g_strv_contains (names, solver);
}

/* What tells two such units apart beside their ports. */
typedef struct {
  WeirFingerprint system;
  double relative_tolerance, absolute_tolerance, step, max_step, event_tolerance;
  char solver[32];
} Identity;

/* --- The leaf -------------------------------------------------------------------------------- */

#define INSIDE "inside" /* where the system is that is fed by curves */

/* Lines and parabolas, which begin at input 3 and go on by 1 and 2. */
static WeirStatus
calc_curve (const WeirCalc *c, double *y)
{
  const guint *size = weir_calc_data (c);
  const double *u = weir_calc_input (c, (WeirInput) { 0 });
  const double *s1 = weir_calc_input (c, (WeirInput) { 1 });
  const double *s2 = weir_calc_input (c, (WeirInput) { 2 });
  double t = weir_calc_time (c) - weir_calc_input (c, (WeirInput) { 3 })[0];

  for (guint i = 0; i < *size; i++)
    y[i] = u[i] + t * (s1[i] + t * s2[i]);
  return WEIR_OK;
}

static WeirSystem *
curve_new (guint size)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Curve");

  weir_leaf_set_data (b, &size, sizeof size);
  weir_leaf_add_input (b, "u", size);
  weir_leaf_add_input (b, "s1", size);
  weir_leaf_add_input (b, "s2", size);
  weir_leaf_add_input (b, "begin", 1);
  weir_leaf_add_output (b, "y", size, calc_curve, WEIR_DEPENDS (WEIR_ALL_INPUTS, WEIR_TIME));
  return weir_leaf_builder_build (b);
}

/* A curve before input @in; its slopes and its beginning are inputs of the whole. */
static void
add_curve (WeirDiagramBuilder *d, WeirChild inside, const char *name, WeirInput in, guint size,
           Inner *inner)
{
  g_autoptr (WeirSystem) curve = curve_new (size);
  WeirChild child = weir_diagram_builder_add (d, name, curve);

  weir_diagram_builder_connect_input (d, in, child, (WeirInput) { 0 });
  for (guint s = 1; s <= 3; s++)
    {
      g_autofree char *slope_name = g_strdup_printf ("%s:%u", name, s);
      WeirInput slope = weir_diagram_builder_add_input (d, slope_name, s < 3 ? size : 1);

      if (s == 1)
        inner->slope_inputs[in.i] = slope.i;
      weir_diagram_builder_connect_input (d, slope, child, (WeirInput) { (guint16) s });
    }
  weir_diagram_builder_connect (d, child, (WeirOutput) { 0 }, inside, in);
}

/* The system behind curves. (transfer full) */
static WeirSystem *
feed_by_curves (WeirSystem *system, Inner *inner)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirChild inside = weir_diagram_builder_add (d, INSIDE, system);

  for (guint16 i = 0; i < inner->n_inputs; i++)
    {
      WeirInput in = { i };
      const GVariantType *type = weir_layout_get_input_type (weir_system_get_layout (system),
                                                             WEIR_ROOT, in);

      if (type != NULL)
        weir_diagram_builder_add_abstract_input (d, weir_system_get_input_name (system, in), type);
      else
        weir_diagram_builder_add_input (d, weir_system_get_input_name (system, in),
                                        weir_system_get_input_size (system, in));
    }
  for (guint16 i = 0; i < inner->n_inputs; i++)
    {
      WeirInput in = { i };

      if (inner->inputs[i].order > 0 && weir_system_get_input_size (system, in) > 0)
        add_curve (d, inside, weir_system_get_input_name (system, in), in,
                   weir_system_get_input_size (system, in), inner);
      else
        weir_diagram_builder_connect_input (d, in, inside, in);
    }
  for (guint16 i = 0; i < weir_system_get_n_outputs (system); i++)
    weir_diagram_builder_add_output (d, weir_system_get_output_name (system, (WeirOutput) { i }),
                                     inside, (WeirOutput) { i });
  return weir_diagram_builder_build (d, NULL);
}

/* What GVariant has where nothing is said: no text, no bytes, 0. (transfer full) */
static GVariant *
dup_default (const GVariantType *type)
{
  g_autoptr (GVariant)
      nothing = g_variant_ref_sink (g_variant_new_from_data (type, NULL, 0, FALSE, NULL, NULL));

  return g_variant_get_normal_form (nothing);
}

static void
add_ports (WeirLeafBuilder *b, WeirSystem *system, guint n_inputs)
{
  WeirLayout *layout = weir_system_get_layout (system);

  for (guint i = 0; i < n_inputs; i++)
    {
      WeirInput in = { (guint16) i };
      const GVariantType *type = weir_layout_get_input_type (layout, WEIR_ROOT, in);

      if (type != NULL)
        weir_leaf_add_abstract_input (b, weir_system_get_input_name (system, in), type);
      else
        weir_leaf_add_input (b, weir_system_get_input_name (system, in),
                             weir_system_get_input_size (system, in));
    }
  for (guint i = 0; i < weir_system_get_n_outputs (system); i++)
    {
      WeirOutput out = { (guint16) i };
      const GVariantType *type = weir_layout_get_output_type (layout, WEIR_ROOT, out);
      g_autoptr (GVariant) initial = type != NULL ? dup_default (type) : NULL;

      if (type != NULL)
        weir_leaf_add_abstract_unit_output (b, weir_system_get_output_name (system, out), initial);
      else
        weir_leaf_add_unit_output (b, weir_system_get_output_name (system, out),
                                   weir_system_get_output_size (system, out), NULL);
    }
}

/* A port within that carries numbers is an output; what is not there, or carries none, is left
 * out. */
static void
add_inner_port (WeirLeafBuilder *b, Inner *inner, const char *path)
{
  g_autofree char *inside = inner->is_fed_by_curves ? g_strconcat (INSIDE ".", path, NULL)
                                                    : g_strdup (path);
  Port port = { 0 };

  if (!weir_port_find (weir_system_get_layout (inner->system), inside, &port.port, &port.size, NULL)
      || port.size == 0)
    return;
  g_array_append_val (inner->ports, port);
  weir_leaf_add_unit_output (b, path, port.size, NULL);
}

static const char *
get_path_within (const Inner *inner, const char *path)
{
  if (!inner->is_fed_by_curves)
    return path;
  path += strlen (INSIDE);
  return *path == '.' ? path + 1 : path;
}

/* Its parameters of numbers are those of all within, called by their paths. */
static void
add_parameters (WeirLeafBuilder *b, Inner *inner)
{
  WeirLayout *layout = weir_system_get_layout (inner->system);
  g_autoptr (WeirContext) context = weir_system_create_context (inner->system);

  for (guint32 n = 0; n < weir_layout_get_n_nodes (layout); n++)
    for (guint k = 0; k < weir_layout_get_n_parameters (layout, (WeirNode) { n }); k++)
      {
        WeirParameter parameter = { (guint16) k };
        guint size = weir_layout_get_parameter_size (layout, (WeirNode) { n }, parameter);
        const char *name = weir_layout_get_parameter_name (layout, (WeirNode) { n }, parameter);
        g_autofree char *node = weir_layout_dup_path (layout, (WeirNode) { n });
        const char *block = get_path_within (inner, node);
        char *path = *block != '\0' ? g_strconcat (block, ".", name, NULL) : g_strdup (name);
        Slot slot = { { n }, parameter, inner->n_values, size };

        if (size == 0 || g_str_equal (path, WEIR_UNIT_ACTIVITY)
            || !g_hash_table_insert (inner->slots, path, g_memdup2 (&slot, sizeof slot)))
          continue;
        weir_leaf_add_parameter (b, path,
                                 weir_context_get_parameter (context, slot.node, parameter), size);
        inner->n_values += size;
      }
}

/* Its data tell of its inputs too. */
static void
set_data (WeirLeafBuilder *b, const Identity *identity, const Inner *inner)
{
  gsize n = inner->n_inputs * sizeof *inner->inputs;
  g_autofree guint8 *data = g_malloc (sizeof *identity + n);

  memcpy (data, identity, sizeof *identity);
  memcpy (data + sizeof *identity, inner->inputs, n);
  weir_leaf_set_data (b, data, sizeof *identity + n);
}

static Inner *
inner_new (WeirSystem *system, const WeirSimulatorOptions *options, const WeirUnitInputUse *inputs)
{
  Inner *self = g_new0 (Inner, 1);
  guint n = weir_system_get_n_inputs (system);

  self->n_inputs = n;
  self->inputs = g_new0 (WeirUnitInputUse, n + 1);
  self->slope_inputs = g_new0 (guint, n + 1);
  for (guint i = 0; i < n && inputs != NULL; i++)
    {
      self->inputs[i] = inputs[i];
      self->is_fed_by_curves |= inputs[i].order > 0;
    }
  self->ports = g_array_new (FALSE, FALSE, sizeof (Port));
  self->slots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->options = *options;
  self->options.solver = options->solver != NULL ? weir_solver_find (options->solver)->name : NULL;
  self->system = self->is_fed_by_curves ? feed_by_curves (system, self) : weir_system_ref (system);
  return self;
}

static WeirSystem *
build (WeirSystem *system, const WeirSimulatorOptions *options, const WeirUnitRequest *request,
       GError **error)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  Identity identity = { .system = weir_layout_get_fingerprint (weir_system_get_layout (system)) };
  const char *const *ports = request->ports;
  WeirLeafBuilder *b;
  Inner *inner;

  simulator = weir_simulator_new (system, context, options, error);
  if (simulator == NULL)
    return NULL;
  inner = inner_new (system, options, request->inputs);
  g_strlcpy (identity.solver, options->solver != NULL ? options->solver : "auto",
             sizeof identity.solver);
  identity.relative_tolerance = options->relative_tolerance;
  identity.absolute_tolerance = options->absolute_tolerance;
  identity.step = options->step;
  identity.max_step = options->max_step;
  identity.event_tolerance = options->event_tolerance;

  b = weir_leaf_builder_new ("Subsystem");
  set_data (b, &identity, inner);
  weir_leaf_set_unit (b, repeats_bits (system, identity.solver) ? &repeating_class : &other_class,
                      inner, free_inner, request->n_steps, request->place);
  weir_leaf_set_unit_activity (b, request->activity);
  add_ports (b, system, inner->n_inputs);
  for (; *ports != NULL; ports++)
    add_inner_port (b, inner, *ports);
  add_parameters (b, inner);
  return weir_leaf_builder_build (b);
}

WeirSystem *
weir_inner_unit_new (WeirSystem *system, const WeirSimulatorOptions *options, guint n_steps,
                     int place, GError **error)
{
  static const char *const none[] = { NULL };

  return build (system, options,
                &(WeirUnitRequest) { .n_steps = n_steps, .place = place, .ports = none }, error);
}

WeirSystem *
weir_inner_unit_make (WeirSystem *system, const WeirUnitRequest *request, GError **error)
{
  WeirSimulatorOptions options;

  weir_simulator_options_init (&options);
  options.solver = request->solver;
  options.relative_tolerance = request->relative_tolerance;
  options.absolute_tolerance = request->absolute_tolerance;
  options.step = request->step;
  options.max_step = request->max_step;
  return build (system, &options, request, error);
}

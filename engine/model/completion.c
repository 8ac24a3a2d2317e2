/* Completion, first step: an instance for every block, and the wires between their ports.
 *
 * A block whose type is unknown or whose parameters do not parse has no known ports: wires at it are
 * taken on trust, and what depends on it is not judged.
 */
#include "model/bindings-private.h"
#include "model/derived-private.h"

#include <string.h>

#include "model/settings.h"

#define MAX_PORTS 60000 /* ports are numbered with 16 bits */

static void G_GNUC_PRINTF (5, 6)
report (WeirDiagnostics *diagnostics, const WeirInstance *instance, const char *code,
        WeirSeverity severity, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  weir_diagnostics_add (diagnostics, severity, code, instance->path, weir_instance_get_id (instance), 0,
                        weir_instance_get_line (instance), "%s", text);
}

/* --- Instances ----------------------------------------------------------------------------------- */

static void
instance_free (gpointer data)
{
  WeirInstance *self = data;

  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_clear_pointer (&self->system, weir_system_unref);
  g_clear_pointer (&self->evaluated, weir_arguments_free);
  g_clear_pointer (&self->diagram, weir_diagram_unref);
  g_free (self->inputs);
  g_free (self->outputs);
  g_free (self->path);
  g_free (self);
}

/* @specs: of WeirPortSpec, taken over. */
static WeirInstancePort *
make_ports (WeirInstance *self, GArray *specs, guint *n_ports)
{
  WeirInstancePort *ports = g_new0 (WeirInstancePort, specs->len);

  *n_ports = specs->len;
  for (guint i = 0; i < specs->len; i++)
    {
      ports[i].owner = self;
      ports[i].name = g_array_index (specs, WeirPortSpec, i).name;
      ports[i].declared = g_array_index (specs, WeirPortSpec, i).size;
      ports[i].unit_text = g_array_index (specs, WeirPortSpec, i).unit;
    }
  g_array_unref (specs);
  return ports;
}

/* The ports of a Subsystem: its In or Out blocks in order of id. */
static WeirInstancePort *
make_outer_ports (WeirInstance *self, gboolean is_input, guint *n_ports)
{
  GArray *specs = g_array_new (FALSE, FALSE, sizeof (WeirPortSpec));
  WeirInstancePort *ports;
  guint n = 0;

  for (guint i = 0; i < self->children->len; i++)
    {
      const WeirInstance *child = g_ptr_array_index (self->children, i);
      WeirPortSpec spec = { child->block->name, 0 };

      if (is_input ? child->is_in : child->is_out)
        g_array_append_val (specs, spec);
    }
  ports = make_ports (self, specs, n_ports);
  for (guint i = 0; i < self->children->len; i++)
    {
      WeirInstance *child = g_ptr_array_index (self->children, i);

      if (is_input ? child->is_in : child->is_out)
        child->outer = &ports[n++];
    }
  return ports;
}

/* The ports of a Subsystem that is commented out: the same, without its blocks. */
static WeirInstancePort *
make_grounded_ports (WeirInstance *self, const WeirDiagram *diagram, const char *type, guint *n_ports)
{
  GArray *specs = g_array_new (FALSE, FALSE, sizeof (WeirPortSpec));
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      WeirPortSpec spec = { ((WeirBlock *) value)->name, 0 };

      if (weir_block_is_type (value, type))
        g_array_append_val (specs, spec);
    }
  return make_ports (self, specs, n_ports);
}

static void
check_name (WeirInstance *self, WeirDiagnostics *diagnostics)
{
  const char *name = self->block->name;
  const char *problem = weir_name_get_problem (name);

  self->is_misnamed = problem != NULL
                      || weir_diagram_find_block_by_name (self->parent->diagram, name) != self->block;
  if (problem != NULL)
    report (diagnostics, self, "NET09", WEIR_SEVERITY_ERROR, "The name '%s' %s.", name, problem);
  else if (self->is_misnamed)
    report (diagnostics, self, "NET09", WEIR_SEVERITY_ERROR,
            "The name '%s' is already used by another block of this diagram; give it a name of its own.",
            name);
}

/* The first whose text alone is wrong; NULL if it is only wrong beside others. */
static const char *
find_bad_parameter (const WeirInstance *self)
{
  for (guint i = 0; i < self->type->n_parameters; i++)
    {
      const WeirParameterSpec *spec = &self->type->parameters[i];
      const char *text = weir_block_get_parameter (self->block, spec->name);

      if (text != NULL && !weir_parameter_spec_is_expression (spec, text)
          && !weir_parameter_spec_check (spec, text, NULL))
        return spec->name;
    }
  return NULL;
}

typedef struct {
  const WeirInstance *instance;
  WeirBindings *bindings;
  GPtrArray *texts; /* of values, owned */
  gboolean is_complete;
} Evaluating;

/* The text of a parameter with its expression evaluated. */
static const char *
get_evaluated (const char *parameter, gpointer data)
{
  Evaluating *evaluating = data;
  const WeirBinding *binding;
  const char *text = weir_block_get_parameter (evaluating->instance->block, parameter);
  const WeirBlockType *type = evaluating->instance->type;

  for (guint i = 0; text != NULL && i < type->n_parameters; i++)
    {
      if (strcmp (type->parameters[i].name, parameter) != 0
          || !weir_parameter_spec_is_expression (&type->parameters[i], text))
        continue;
      binding = weir_bindings_evaluate (evaluating->bindings, evaluating->instance, parameter);
      if (binding == NULL)
        {
          evaluating->is_complete = FALSE;
          return NULL;
        }
      g_ptr_array_add (evaluating->texts, weir_value_to_string (binding->value, binding->size));
      return g_ptr_array_index (evaluating->texts, evaluating->texts->len - 1);
    }
  return text;
}

/* Arguments with the values of expressions in them; NULL after reporting why there are none. */
static void
evaluate_arguments (WeirInstance *self, WeirBindings *bindings, WeirDiagnostics *diagnostics)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  Evaluating evaluating = { self, bindings, texts, TRUE };
  g_autoptr (GError) error = NULL;

  self->evaluated = weir_arguments_new (self->type, get_evaluated, &evaluating, &error);
  if (self->evaluated == NULL)
    report (diagnostics, self, "PAR02", WEIR_SEVERITY_ERROR, "%s", error->message);
  if (!evaluating.is_complete)
    g_clear_pointer (&self->evaluated, weir_arguments_free);
  self->arguments = self->evaluated;
}

static void
check_metadata (const WeirInstance *self, WeirDiagnostics *diagnostics)
{
  for (guint i = 0; i < weir_metadata_get_size (self->block->metadata); i++)
    {
      WeirMetadataItem item = weir_metadata_get_item (self->block->metadata, i);
      const char *problem = weir_metadata_type_get_problem (item.type, item.text);

      if (problem != NULL)
        report (diagnostics, self, "MET01", WEIR_SEVERITY_WARNING, "The metadata '%s%s%s' are '%s', but %s.",
                item.of, item.of[0] != '\0' ? "." : "", item.name, item.text, problem);
    }
}

static void
check_parameters (WeirInstance *self, WeirBindings *bindings, WeirDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirArguments) fresh = NULL;

  for (guint i = 0; i < weir_block_get_n_parameters (self->block); i++)
    {
      g_autoptr (GString) known = g_string_new (NULL);
      gboolean is_known = FALSE;
      const char *name;

      weir_block_get_parameter_at (self->block, i, &name, NULL);
      for (guint j = 0; j < self->type->n_parameters; j++)
        {
          is_known = is_known || strcmp (self->type->parameters[j].name, name) == 0;
          g_string_append_printf (known, "%s%s", j > 0 ? ", " : "", self->type->parameters[j].name);
        }
      if (!is_known)
        report (diagnostics, self, "PAR03", WEIR_SEVERITY_ERROR,
                "There is no parameter '%s'; a block of type %s has %s.", name, self->type->name,
                known->len > 0 ? known->str : "none");
      if (!is_known)
        weir_diagnostics_set_subject (diagnostics, name);
    }

  self->arguments = weir_block_get_arguments (self->block);
  if (self->arguments == NULL)
    {
      fresh = weir_block_parse_arguments (self->block, &error);
      report (diagnostics, self, "PAR02", WEIR_SEVERITY_ERROR, "%s",
              error != NULL ? error->message : "A parameter does not parse.");
      weir_diagnostics_set_subject (diagnostics, find_bad_parameter (self));
    }
  else if (weir_arguments_has_expressions (self->arguments))
    evaluate_arguments (self, bindings, diagnostics);
  else if (self->type->list_free_names != NULL)
    weir_instance_look_around (self, bindings);
}

/* FALSE if the block type finds errors in its arguments. */
static gboolean
check_block (const WeirInstance *self, WeirDiagnostics *diagnostics)
{
  guint n_before = weir_diagnostics_get_size (diagnostics);

  if (self->type->check == NULL)
    return TRUE;
  self->type->check (self->arguments, diagnostics, self->path, weir_instance_get_id (self),
                     weir_instance_get_line (self));
  for (guint i = n_before; i < weir_diagnostics_get_size (diagnostics); i++)
    if (weir_diagnostics_get (diagnostics, i)->severity == WEIR_SEVERITY_ERROR)
      return FALSE;
  return TRUE;
}

static void connect_wires (WeirInstance *self, WeirDiagnostics *diagnostics);

/* What is to be known of all instances. */
typedef struct {
  WeirBindings *bindings;
  WeirDiagnostics *diagnostics;
  WeirChecks checks;
} Completing;

/* @block: NULL at the top, where @diagram is the root. */
static WeirInstance *
instance_new (WeirInstance *parent, const WeirBlock *block, WeirDiagram *diagram,
              const Completing *completing)
{
  WeirInstance *self = g_new0 (WeirInstance, 1);
  gboolean is_subsystem = block == NULL || weir_block_is_type (block, WEIR_TYPE_NAME_SUBSYSTEM);
  WeirDiagnostics *diagnostics = completing->diagnostics;
  WeirPMapIter iter;
  gpointer value;

  self->parent = parent;
  self->block = block;
  if (block == NULL)
    self->path = g_strdup ("");
  else if (parent->path[0] == '\0')
    self->path = g_strdup (block->name);
  else
    self->path = g_strconcat (parent->path, ".", block->name, NULL);
  if (block != NULL)
    check_name (self, diagnostics);
  if (block != NULL && (completing->checks & WEIR_CHECKS_COMPONENTS) != 0)
    check_metadata (self, diagnostics);

  self->is_grounded = block != NULL && block->mode == WEIR_BLOCK_COMMENTED_OUT
                      && !weir_block_is_type (block, WEIR_TYPE_NAME_IN)
                      && !weir_block_is_type (block, WEIR_TYPE_NAME_OUT);
  if (is_subsystem && self->is_grounded)
    {
      self->inputs = make_grounded_ports (self, diagram, WEIR_TYPE_NAME_IN, &self->n_inputs);
      self->outputs = make_grounded_ports (self, diagram, WEIR_TYPE_NAME_OUT, &self->n_outputs);
      self->are_ports_known = TRUE;
    }
  else if (is_subsystem)
    {
      self->diagram = weir_diagram_dup_effective (diagram);
      for (guint i = 0; block != NULL && i < weir_block_get_n_parameters (block); i++)
        {
          const char *name;

          weir_block_get_parameter_at (block, i, &name, NULL);
          weir_bindings_evaluate (completing->bindings, self, name);
        }
      self->children = g_ptr_array_new_with_free_func (instance_free);
      weir_pmap_iter_init (&iter, &self->diagram->blocks);
      while (weir_pmap_iter_next (&iter, NULL, &value))
        g_ptr_array_add (self->children, instance_new (self, value, ((WeirBlock *) value)->diagram,
                                                       completing));
      self->inputs = make_outer_ports (self, TRUE, &self->n_inputs);
      self->outputs = make_outer_ports (self, FALSE, &self->n_outputs);
      self->are_ports_known = TRUE;
      connect_wires (self, diagnostics);
    }
  else
    {
      self->type = weir_registry_find (weir_block_get_type_name (block));
      self->is_in = weir_block_is_type (block, WEIR_TYPE_NAME_IN);
      self->is_out = weir_block_is_type (block, WEIR_TYPE_NAME_OUT);
      if (self->type == NULL)
        report (diagnostics, self, "NET08", WEIR_SEVERITY_ERROR,
                "There is no block type '%s'; the block is kept, but cannot run.",
                weir_block_get_type_name (block));
      else
        check_parameters (self, completing->bindings, diagnostics);
      if (self->arguments != NULL)
        {
          self->inputs = make_ports (self, weir_arguments_list_inputs (self->arguments), &self->n_inputs);
          self->outputs = make_ports (self, weir_arguments_list_outputs (self->arguments),
                                      &self->n_outputs);
          /* The ports of a block with problems of its own are not certain. */
          self->are_ports_known = check_block (self, diagnostics);
        }
      for (guint i = 0; self->is_grounded && i < self->n_inputs; i++)
        self->inputs[i].declared = 0;
      self->is_doubtful = !self->are_ports_known;
    }
  if (self->n_inputs > MAX_PORTS || self->n_outputs > MAX_PORTS)
    {
      report (diagnostics, self, "NET07", WEIR_SEVERITY_ERROR, "There are more than %d ports.", MAX_PORTS);
      self->is_doubtful = TRUE;
    }
  return self;
}

/* --- Wires --------------------------------------------------------------------------------------- */

typedef struct {
  WeirInstance *diagram;
  WeirDiagnostics *diagnostics;
  GHashTable *by_id; /* id of a block to its instance */
} Wiring;

static void G_GNUC_PRINTF (5, 6)
report_wire (const Wiring *wiring, const WeirWire *wire, const WeirInstance *at, const char *code,
             const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  weir_diagnostics_add (wiring->diagnostics, WEIR_SEVERITY_ERROR, code,
                        at != NULL ? at->path : wiring->diagram->path,
                        at != NULL ? weir_instance_get_id (at) : 0, weir_wire_get_id (wire),
                        weir_wire_get_line (wire), "%s", text);
}

static char *
dup_port_names (const WeirInstancePort *ports, guint n)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < n && i < 20; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", ports[i].name);
  if (n > 20)
    g_string_append (names, ", ...");
  if (n == 0)
    g_string_append (names, "none");
  return g_string_free (names, FALSE);
}

/* The port at an end of a wire; NULL if it cannot be told. @is_trusted: it is at a block whose ports are
 * not known. @other: the block at the other end, to place the problem. */
static WeirInstancePort *
find_port (const Wiring *wiring, const WeirWire *wire, WeirWireEnd end, gboolean is_input,
           const WeirInstance *other, gboolean *is_trusted)
{
  const char *which = is_input ? "end" : "start";
  g_autofree char *names = NULL;
  WeirInstancePort *ports;
  WeirInstance *instance;
  guint n_ports;

  *is_trusted = FALSE;
  if (end.block == 0)
    {
      report_wire (wiring, wire, other, "NET06", "The %s of wire %u is not connected to a port.", which,
                   weir_wire_get_id (wire));
      return NULL;
    }
  instance = g_hash_table_lookup (wiring->by_id, GUINT_TO_POINTER (end.block));
  if (instance == NULL)
    {
      report_wire (wiring, wire, other, "NET06", "The %s of wire %u is at block %u, which does not exist.",
                   which, weir_wire_get_id (wire), end.block);
      return NULL;
    }
  if (!instance->are_ports_known)
    {
      *is_trusted = TRUE;
      return NULL;
    }
  ports = is_input ? instance->inputs : instance->outputs;
  n_ports = is_input ? instance->n_inputs : instance->n_outputs;
  for (guint i = 0; i < n_ports; i++)
    if (strcmp (ports[i].name, end.port) == 0)
      return &ports[i];
  names = dup_port_names (ports, n_ports);
  report_wire (wiring, wire, instance, "NET07", "There is no %s '%s' for wire %u; the block has %s.",
               is_input ? "input" : "output", end.port, weir_wire_get_id (wire), names);
  weir_diagnostics_set_subject (wiring->diagnostics, end.port);
  return NULL;
}

static gboolean
connect_wire (WeirWire *wire, gpointer data)
{
  const Wiring *wiring = data;
  WeirWireEnd from_end = weir_wire_get_from (wire), to_end = weir_wire_get_to (wire);
  gboolean is_from_trusted, is_to_trusted;
  WeirInstancePort *from, *to;

  from = find_port (wiring, wire, from_end, FALSE,
                    g_hash_table_lookup (wiring->by_id, GUINT_TO_POINTER (to_end.block)), &is_from_trusted);
  to = find_port (wiring, wire, to_end, TRUE,
                  g_hash_table_lookup (wiring->by_id, GUINT_TO_POINTER (from_end.block)), &is_to_trusted);
  if (to == NULL)
    return TRUE;
  if (to->wire != NULL)
    {
      report_wire (wiring, wire, to->owner, "NET01",
                   "Input '%s' is wired twice: by wire %u and by wire %u; remove one of them.", to->name,
                   weir_wire_get_id (to->wire), weir_wire_get_id (wire));
      weir_diagnostics_set_subject (wiring->diagnostics, to->name);
      return TRUE;
    }
  to->wire = wire;
  if (from == NULL)
    {
      to->owner->is_doubtful = TRUE;
      return TRUE;
    }
  to->source = from;
  to->next = from->consumers;
  from->consumers = to;
  return TRUE;
}

static void
connect_wires (WeirInstance *self, WeirDiagnostics *diagnostics)
{
  g_autoptr (GHashTable) by_id = g_hash_table_new (NULL, NULL);
  Wiring wiring = { self, diagnostics, by_id };

  for (guint i = 0; i < self->children->len; i++)
    {
      WeirInstance *child = g_ptr_array_index (self->children, i);

      g_hash_table_insert (by_id, GUINT_TO_POINTER (child->block->id), child);
    }
  weir_diagram_foreach_wire (self->diagram, connect_wire, &wiring);
}

/* --- Settings ------------------------------------------------------------------------------------ */

/* Unless the model refuses them. */
static gboolean
solves_loops (WeirModel *model)
{
  const char *text = weir_model_get_setting (model, "algebraic-loops");

  return text == NULL || strcmp (text, "refuse") != 0;
}

static void
check_settings (WeirModel *model, WeirDiagnostics *diagnostics)
{
  guint n;
  const WeirParameterSpec *specs = weir_settings_get_specs (&n);

  for (guint i = 0; i < n; i++)
    {
      const char *text = weir_model_get_setting (model, specs[i].name);
      g_autoptr (GError) error = NULL;

      if (text == NULL || weir_settings_check (&specs[i], text, &error))
        continue;
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "SET01", "", 0, 0, 0, "%s",
                            error->message);
      weir_diagnostics_set_subject (diagnostics, specs[i].name);
    }
}

/* --- The whole ----------------------------------------------------------------------------------- */

/* What is found on the way that does not prevent a system from being built. */
static void
add_selected (WeirDiagnostics *to, const WeirDiagnostics *from, WeirChecks checks)
{
  for (guint i = 0; i < weir_diagnostics_get_size (from); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (from, i);

      if (d->severity == WEIR_SEVERITY_ERROR || (checks & WEIR_CHECKS_COMPONENTS) != 0)
        weir_diagnostics_add_copy (to, d);
    }
}

WeirSystem *
weir_model_check (WeirModel *model, WeirChecks checks, WeirDiagnostics *diagnostics)
{
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = NULL;
  g_autoptr (WeirLeaves) leaves = NULL;
  Completing completing;
  WeirInstance *top;
  WeirSystem *system = NULL;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  bindings = weir_bindings_new (model, found);
  completing = (Completing) { bindings, found, checks };
  check_settings (model, found);
  weir_bindings_check_variables (bindings);
  top = instance_new (NULL, NULL, model->root, &completing);
  top->folder = model->head.folder;
  weir_instance_find_sizes (top, found);
  if ((checks & WEIR_CHECKS_UNITS) != 0)
    weir_instance_find_units (top, found);
  leaves = weir_model_get_derived (model, &weir_derived_leaves);
  weir_instance_build (top, leaves, solves_loops (model), found);
  weir_leaves_sweep (leaves);
  if ((checks & WEIR_CHECKS_DEPENDENCIES) != 0 && !weir_diagnostics_has_errors (found))
    weir_model_check_assertions (model, top->system, bindings, found);
  if (!weir_diagnostics_has_errors (found))
    system = g_steal_pointer (&top->system);
  add_selected (diagnostics, found, checks);
  instance_free (top);
  return system;
}

WeirSystem *
weir_model_complete (WeirModel *model, WeirDiagnostics *diagnostics)
{
  return weir_model_check (model, WEIR_CHECKS_ALL, diagnostics);
}

/* --- What else is known of a model --------------------------------------------------------------- */

typedef void (*LookFunc) (const WeirInstance *instance, gpointer data);

static void
look_at (const WeirInstance *self, LookFunc look, gpointer data)
{
  look (self, data);
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    look_at (g_ptr_array_index (self->children, i), look, data);
}

/* Calls @look for every instance of a model whose sizes, and units, are found. */
static void
look_at_all (WeirModel *model, gboolean with_units, LookFunc look, gpointer data)
{
  g_autoptr (WeirDiagnostics) silent = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = weir_bindings_new (model, silent);
  Completing completing = { bindings, silent, WEIR_CHECKS_NONE };
  WeirInstance *top = instance_new (NULL, NULL, model->root, &completing);

  weir_instance_find_sizes (top, silent);
  if (with_units)
    weir_instance_find_units (top, silent);
  look_at (top, look, data);
  instance_free (top);
}

static const WeirInstance *
find_instance (const WeirInstance *self, guint32 block)
{
  if (weir_instance_get_id (self) == block)
    return self;
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    {
      const WeirInstance *found = find_instance (g_ptr_array_index (self->children, i), block);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static char *
describe_uses (const WeirBinding *binding)
{
  GString *uses = g_string_new (NULL);

  for (guint i = 0; binding->uses != NULL && i < binding->uses->len; i++)
    {
      const WeirBinding *used = g_ptr_array_index (binding->uses, i);
      g_autofree char *value
          = used->value != NULL ? weir_value_to_string (used->value, used->size) : g_strdup (used->text);

      g_string_append_printf (uses, "%s%s = %s", uses->len > 0 ? ", " : "", used->path, value);
    }
  return g_string_free (uses, FALSE);
}

char *
weir_model_evaluate_parameter (WeirModel *model, guint32 block, const char *parameter, char **uses,
                               GError **error)
{
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = NULL;
  const WeirInstance *instance;
  const WeirBinding *binding = NULL;
  Completing completing;
  WeirInstance *top;
  char *text = NULL;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (parameter != NULL, NULL);

  bindings = weir_bindings_new (model, found);
  completing = (Completing) { bindings, found, WEIR_CHECKS_NONE };
  top = instance_new (NULL, NULL, model->root, &completing);
  instance = find_instance (top, block);
  if (instance != NULL)
    binding = weir_bindings_evaluate (bindings, instance, parameter);
  if (binding != NULL)
    {
      text = weir_value_to_string (binding->value, binding->size);
      if (uses != NULL)
        *uses = describe_uses (binding);
    }
  else
    {
      const WeirDiagnostic *problem = NULL;

      for (guint i = 0; i < weir_diagnostics_get_size (found) && problem == NULL; i++)
        if (weir_diagnostics_get (found, i)->block == block
            && g_strcmp0 (weir_diagnostics_get (found, i)->subject, parameter) == 0)
          problem = weir_diagnostics_get (found, i);
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID, "%s",
                   problem != NULL ? problem->text : "The parameter has no value.");
    }
  instance_free (top);
  return text;
}

WeirArguments *
weir_model_dup_arguments (WeirModel *model, guint32 block)
{
  g_autoptr (WeirDiagnostics) silent = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = NULL;
  WeirArguments *arguments = NULL;
  Completing completing;
  WeirInstance *top, *instance;

  g_return_val_if_fail (model != NULL, NULL);

  bindings = weir_bindings_new (model, silent);
  completing = (Completing) { bindings, silent, WEIR_CHECKS_NONE };
  top = instance_new (NULL, NULL, model->root, &completing);
  instance = (WeirInstance *) find_instance (top, block);
  if (instance != NULL && instance->evaluated != NULL)
    arguments = g_steal_pointer (&instance->evaluated);
  else if (instance != NULL && instance->arguments != NULL)
    arguments = weir_block_parse_arguments (instance->block, NULL);
  instance_free (top);
  return arguments;
}

typedef struct {
  WeirBindings *bindings;
  void (*visit) (const WeirInstance *instance, WeirBindings *bindings);
} Visiting;

static void
visit_instance (const WeirInstance *self, gpointer data)
{
  const Visiting *visiting = data;

  visiting->visit (self, visiting->bindings);
}

void
weir_model_visit_bindings (WeirModel *model,
                           void (*visit) (const WeirInstance *instance, WeirBindings *bindings),
                           void (*finish) (WeirBindings *bindings, gpointer data), gpointer data)
{
  g_autoptr (WeirDiagnostics) silent = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = weir_bindings_new (model, silent);
  Completing completing = { bindings, silent, WEIR_CHECKS_NONE };
  Visiting visiting = { bindings, visit };
  WeirInstance *top = instance_new (NULL, NULL, model->root, &completing);

  look_at (top, visit_instance, &visiting);
  finish (bindings, data);
  instance_free (top);
}

static void
collect_sizes (const WeirInstance *self, gpointer data)
{
  for (guint i = 0; i < self->n_inputs; i++)
    if (self->inputs[i].wire != NULL && self->inputs[i].source != NULL
        && !self->inputs[i].source->owner->is_doubtful && self->inputs[i].source->size > 0)
      g_hash_table_insert (data, GUINT_TO_POINTER (weir_wire_get_id (self->inputs[i].wire)),
                           GUINT_TO_POINTER (self->inputs[i].source->size));
}

GHashTable *
weir_model_find_signal_sizes (WeirModel *model)
{
  GHashTable *sizes = g_hash_table_new (NULL, NULL);

  look_at_all (model, FALSE, collect_sizes, sizes);
  return sizes;
}

GHashTable *
weir_model_dup_signal_sizes (WeirModel *model)
{
  g_return_val_if_fail (model != NULL, NULL);

  return weir_model_get_derived (model, &weir_derived_signal_sizes);
}

static void
port_unit_clear (gpointer data)
{
  WeirPortUnit *self = data;

  g_free (self->path);
  g_free (self->unit);
}

static void
collect_units (const WeirInstance *self, gpointer data)
{
  for (guint i = 0; i < self->n_inputs + self->n_outputs; i++)
    {
      const WeirInstancePort *port = i < self->n_inputs ? &self->inputs[i] : &self->outputs[i - self->n_inputs];
      WeirPortUnit found;

      if (!port->has_unit || self->is_in || self->is_out)
        continue;
      found = (WeirPortUnit) { g_strconcat (self->path, ".", port->name, NULL),
                               port->unit_text != NULL ? g_strdup (port->unit_text)
                                                       : weir_unit_to_string (&port->unit),
                               port->is_unit_given };
      g_array_append_val ((GArray *) data, found);
    }
}

GArray *
weir_model_list_units (WeirModel *model)
{
  GArray *units = g_array_new (FALSE, FALSE, sizeof (WeirPortUnit));

  g_return_val_if_fail (model != NULL, NULL);

  g_array_set_clear_func (units, port_unit_clear);
  look_at_all (model, TRUE, collect_units, units);
  return units;
}

static gboolean
collect_port (WeirWire *wire, gpointer data)
{
  const char *port = weir_wire_get_to (wire).port;

  if (port != NULL)
    g_hash_table_add (data, (gpointer) port);
  return TRUE;
}

static void
collect_logs (WeirDiagram *whole, const char *prefix, GPtrArray *logs)
{
  g_autoptr (WeirDiagram) diagram = weir_diagram_dup_effective (whole);
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      const WeirBlock *block = value;
      const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

      if (block->mode == WEIR_BLOCK_COMMENTED_OUT)
        continue;
      if (block->diagram != NULL)
        {
          g_autofree char *inner = g_strconcat (prefix, block->name, ".", NULL);

          collect_logs (block->diagram, inner, logs);
        }
      else if (type != NULL && type->is_sink_log)
        {
          g_autoptr (GHashTable) wired = g_hash_table_new (g_str_hash, g_str_equal);
          g_auto (GStrv) inputs = weir_block_dup_inputs (block);

          weir_diagram_foreach_wire_at (diagram, block->id, collect_port, wired);
          for (guint i = 0; inputs[i] != NULL; i++)
            if (g_hash_table_contains (wired, inputs[i]))
              g_ptr_array_add (logs, g_strconcat (prefix, block->name, ".", inputs[i], NULL));
        }
    }
}

char **
weir_model_dup_default_log (WeirModel *model)
{
  GPtrArray *logs = g_ptr_array_new ();
  WeirPMapIter iter;
  gpointer value;

  g_return_val_if_fail (model != NULL, NULL);

  collect_logs (model->root, "", logs);
  weir_pmap_iter_init (&iter, &model->root->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    if (weir_block_is_type (value, WEIR_TYPE_NAME_OUT))
      g_ptr_array_add (logs, g_strdup (weir_block_get_name (value)));
  g_ptr_array_add (logs, NULL);
  return (char **) g_ptr_array_free (logs, FALSE);
}

static void
collect_diagnostic (const WeirDiagram *diagram, const char *prefix, GPtrArray *paths)
{
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      const WeirBlock *block = value;
      const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

      if (block->diagram != NULL)
        {
          g_autofree char *inner = g_strconcat (prefix, block->name, ".", NULL);

          collect_diagnostic (block->diagram, inner, paths);
        }
      else if (type != NULL && type->is_diagnostic && block->mode == WEIR_BLOCK_ACTIVE)
        g_ptr_array_add (paths, g_strconcat (prefix, block->name, NULL));
    }
}

char **
weir_model_dup_diagnostic_blocks (WeirModel *model)
{
  GPtrArray *paths = g_ptr_array_new ();

  g_return_val_if_fail (model != NULL, NULL);

  collect_diagnostic (model->root, "", paths);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}

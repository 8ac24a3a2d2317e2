/* Completion, first step: an instance for every block.
 *
 * A block whose type is unknown or whose parameters do not parse has no known ports: wires at it
 * are taken on trust, and what depends on it is not judged.
 */
#include "model/completion/completion-private.h"
#include "base/error.h"
#include "base/text.h"

#include <string.h>

#include "base/budget.h"
#include "base/phrase.h"

#define MAX_PORTS 60000 /* numbered with 16 bits, outputs with an entry of their own */

static void G_GNUC_PRINTF (5, 6)
    report (WeirDiagnostics *diagnostics, const WeirInstance *instance, const char *code,
            WeirSeverity severity, const char *format, ...)
{
  WeirMessage *message;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  weir_diagnostics_add_message (diagnostics, severity, code, instance->path,
                                weir_instance_get_id (instance), 0,
                                weir_instance_get_line (instance), message);
}

static void
instance_clear (gpointer data)
{
  WeirInstance *self = data;

  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_clear_pointer (&self->networks, g_ptr_array_unref);
  g_clear_pointer (&self->taps, g_array_unref);
  g_clear_pointer (&self->starts, g_array_unref);
  g_clear_pointer (&self->system, weir_system_unref);
  g_clear_pointer (&self->evaluated, weir_arguments_free);
  g_clear_pointer (&self->diagram, weir_diagram_unref);
}

void
weir_instance_free (WeirInstance *self)
{
  WeirArena *arena = self->arena;

  instance_clear (self);
  weir_arena_free (arena);
}

/* @specs: of WeirPortSpec, taken over. */
static WeirInstancePort *
make_ports (WeirInstance *self, WeirArena *arena, GArray *specs, guint *n_ports)
{
  WeirInstancePort *ports = weir_arena_new_of (arena, WeirInstancePort, specs->len);

  *n_ports = specs->len;
  for (guint i = 0; i < specs->len; i++)
    {
      ports[i].owner = self;
      ports[i].name = g_array_index (specs, WeirPortSpec, i).name;
      ports[i].declared = g_array_index (specs, WeirPortSpec, i).size;
      ports[i].unit_text = g_array_index (specs, WeirPortSpec, i).unit;
      ports[i].type = g_array_index (specs, WeirPortSpec, i).type;
      ports[i].mime_type = g_array_index (specs, WeirPortSpec, i).mime_type;
    }
  g_array_unref (specs);
  return ports;
}

/* The ports of a Subsystem: its In or Out blocks in order of id. */
static WeirInstancePort *
make_outer_ports (WeirInstance *self, WeirArena *arena, gboolean is_input, guint *n_ports)
{
  GArray *specs = g_array_new (FALSE, FALSE, sizeof (WeirPortSpec));
  WeirInstancePort *ports;
  guint n = 0;

  for (guint i = 0; i < self->children->len; i++)
    {
      const WeirInstance *child = g_ptr_array_index (self->children, i);
      WeirPortSpec spec = { .name = child->block->name };

      if (is_input ? child->is_in : child->is_out)
        g_array_append_val (specs, spec);
    }
  ports = make_ports (self, arena, specs, n_ports);
  for (guint i = 0; i < self->children->len; i++)
    {
      WeirInstance *child = g_ptr_array_index (self->children, i);

      if (is_input ? child->is_in : child->is_out)
        child->outer = &ports[n++];
    }
  return ports;
}

/* The ports of a Subsystem that is commented out: the same, without its blocks; where several have
 * one name, the first. */
static WeirInstancePort *
make_grounded_ports (WeirInstance *self, WeirArena *arena, const WeirDiagram *diagram,
                     const char *type, guint *n_ports)
{
  GArray *specs = g_array_new (FALSE, FALSE, sizeof (WeirPortSpec));
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      WeirPortSpec spec = { .name = ((WeirBlock *) value)->name };

      if (weir_block_is_type (value, type)
          && weir_diagram_find_block_by_name (diagram, spec.name) == value)
        g_array_append_val (specs, spec);
    }
  return make_ports (self, arena, specs, n_ports);
}

static void
check_name (WeirInstance *self, WeirDiagnostics *diagnostics)
{
  const char *name = self->block->name;
  const char *problem = weir_name_get_problem (name);

  self->is_misnamed = problem != NULL
                      || weir_diagram_find_block_by_name (self->parent->diagram, name)
                             != self->block;
  if (problem != NULL)
    report (diagnostics, self, "NET09", WEIR_SEVERITY_ERROR, N_ ("The name '%s' %s."), name,
            problem);
  else if (self->is_misnamed)
    report (
        diagnostics, self, "NET09", WEIR_SEVERITY_ERROR,
        N_ ("The name '%s' is already used by another block of this diagram; give it a name of its "
            "own."),
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
  char *start = weir_instance_dup_start_text (evaluating->instance, parameter, text);

  if (start != NULL)
    {
      g_ptr_array_add (evaluating->texts, start);
      return start;
    }
  for (guint i = 0; i < type->n_parameters; i++)
    {
      const WeirParameterSpec *spec = &type->parameters[i];

      if (strcmp (spec->name, parameter) != 0
          || (text != NULL
                  ? !weir_parameter_spec_is_expression (spec, text)
                  : !weir_bindings_is_outer (evaluating->bindings, evaluating->instance, spec)))
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
    report (diagnostics, self, "PAR02", WEIR_SEVERITY_ERROR, "%s", weir_error_get_text (error));
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
        report (diagnostics, self, "MET01", WEIR_SEVERITY_WARNING,
                N_ ("The metadata '%s%s%s' are '%s', but %s."), item.of,
                item.of[0] != '\0' ? "." : "", item.name, item.text, problem);
    }
}

static gboolean
has_parameter (const WeirBlockType *type, const char *name)
{
  for (guint i = 0; i < type->n_parameters; i++)
    if (strcmp (type->parameters[i].name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
report_unknown_parameter (const WeirInstance *self, const char *name, WeirDiagnostics *diagnostics)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < self->type->n_parameters; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", self->type->parameters[i].name);
  report (diagnostics, self, "PAR03", WEIR_SEVERITY_ERROR,
          N_ ("There is no parameter '%s'; a block of type %s has %s."), name, self->type->name,
          known->len > 0 ? known->str : "none");
  weir_diagnostics_set_subject (diagnostics, name);
}

/* Does a parameter take its value from around the block, which gives none? */
static gboolean
has_outer_values (const WeirInstance *self, WeirBindings *bindings)
{
  for (guint i = 0; i < self->type->n_parameters; i++)
    if (weir_bindings_is_outer (bindings, self, &self->type->parameters[i]))
      return TRUE;
  return FALSE;
}

static void
check_parameters (WeirInstance *self, WeirBindings *bindings, WeirDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirArguments) fresh = NULL;

  for (guint i = 0; i < weir_block_get_n_parameters (self->block); i++)
    {
      const char *name;

      weir_block_get_parameter_at (self->block, i, &name, NULL);
      if (!has_parameter (self->type, name))
        report_unknown_parameter (self, name, diagnostics);
    }

  self->arguments = weir_block_get_arguments (self->block);
  if (self->arguments == NULL)
    {
      fresh = weir_block_parse_arguments (self->block, &error);
      report (diagnostics, self, "PAR02", WEIR_SEVERITY_ERROR, "%s",
              error != NULL ? weir_error_get_text (error)
                            : weir_phrase (N_ ("A parameter does not parse.")));
      weir_diagnostics_set_subject (diagnostics, find_bad_parameter (self));
    }
  else if (self->starts != NULL || weir_arguments_has_expressions (self->arguments)
           || has_outer_values (self, bindings))
    evaluate_arguments (self, bindings, diagnostics);
  if (self->arguments != NULL && self->type->list_free_names != NULL)
    weir_instance_look_around (self, bindings);
}

/* A text that only others extend may lack what they add. */
static gboolean
is_definition (const WeirInstance *self)
{
  return self->is_grounded && self->type->list_extended != NULL;
}

/* FALSE if the block type finds errors in its arguments. */
static gboolean
check_block (const WeirInstance *self, WeirDiagnostics *diagnostics)
{
  guint n_before = weir_diagnostics_get_n_errors (diagnostics);

  if (self->type->check == NULL)
    return TRUE;
  self->type->check (self->arguments, diagnostics, self->path, weir_instance_get_id (self),
                     weir_instance_get_line (self));
  return weir_diagnostics_get_n_errors (diagnostics) == n_before;
}

static void
list_fmu_ports (WeirInstance *self, const WeirCompleting *completing)
{
  GArray *inputs, *outputs;

  weir_block_read_fmu (self->block, completing->model->head.folder); /* it may be another now */
  if (!weir_instance_list_fmu_ports (self, completing->model->head.folder, &inputs, &outputs,
                                     completing->diagnostics))
    return;
  self->inputs = make_ports (self, completing->arena, inputs, &self->n_inputs);
  self->outputs = make_ports (self, completing->arena, outputs, &self->n_outputs);
  self->are_ports_known = TRUE;
}

static WeirInstance *instance_new (WeirInstance *parent, const WeirBlock *block,
                                   WeirDiagram *diagram, const WeirCompleting *completing);

static void
add_child (WeirInstance *self, const WeirBlock *block, const WeirCompleting *completing)
{
  g_ptr_array_add (self->children, instance_new (self, block, block->diagram, completing));
}

/* All blocks within, in order of id, or those on the path. */
static void
add_children (WeirInstance *self, const WeirCompleting *completing)
{
  WeirPMapIter iter;
  gpointer value;

  for (guint i = 0; completing->path != NULL && i < completing->path->len; i++)
    {
      const WeirBlock *block = weir_diagram_find_block (
          self->diagram, g_array_index (completing->path, guint32, i));

      if (block != NULL)
        add_child (self, block, completing);
    }
  if (completing->path != NULL)
    return;
  weir_pmap_iter_init (&iter, &self->diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    add_child (self, value, completing);
}

/* "plant.spring" */
static char *
make_path (const WeirInstance *parent, const WeirBlock *block, WeirArena *arena)
{
  gsize n_before = parent != NULL ? strlen (parent->path) : 0;
  gsize n = block != NULL ? strlen (block->name) : 0;
  char *path = weir_arena_give (arena, n_before + 1 + n + 1), *at = path;

  if (n_before > 0)
    {
      memcpy (at, parent->path, n_before);
      at += n_before;
      *at++ = '.';
    }
  if (n > 0)
    memcpy (at, block->name, n);
  return path;
}

/* With all that are within it, and their wires. @block: NULL at the top, where @diagram is the
 * root. */
static WeirInstance *
instance_new (WeirInstance *parent, const WeirBlock *block, WeirDiagram *diagram,
              const WeirCompleting *completing)
{
  WeirArena *arena = completing->arena;
  WeirInstance *self = weir_arena_new_of (arena, WeirInstance, 1);
  gboolean is_subsystem = block == NULL || weir_block_is_type (block, WEIR_TYPE_NAME_SUBSYSTEM);
  WeirDiagnostics *diagnostics = completing->diagnostics;

  self->parent = parent;
  self->block = block;
  self->path = make_path (parent, block, arena);
  if (block != NULL)
    check_name (self, diagnostics);
  if (block != NULL && (completing->checks & WEIR_CHECKS_COMPONENTS) != 0)
    check_metadata (self, diagnostics);

  self->is_grounded = block != NULL && block->mode == WEIR_BLOCK_COMMENTED_OUT
                      && !weir_block_is_type (block, WEIR_TYPE_NAME_IN)
                      && !weir_block_is_type (block, WEIR_TYPE_NAME_OUT);
  if (is_subsystem && self->is_grounded)
    {
      self->inputs = make_grounded_ports (self, arena, diagram, WEIR_TYPE_NAME_IN, &self->n_inputs);
      self->outputs = make_grounded_ports (self, arena, diagram, WEIR_TYPE_NAME_OUT,
                                           &self->n_outputs);
      self->are_ports_known = TRUE;
    }
  else if (is_subsystem)
    {
      self->diagram = completing->path == NULL ? weir_diagram_dup_effective (diagram)
                                               : weir_diagram_ref (diagram);
      self->gives_starts = (parent != NULL && parent->gives_starts)
                           || weir_instance_gives_starts (completing, block != NULL ? self : NULL);
      for (guint i = 0; block != NULL && i < weir_block_get_n_parameters (block); i++)
        {
          const char *name;

          weir_block_get_parameter_at (block, i, &name, NULL);
          weir_bindings_evaluate (completing->bindings, self, name);
        }
      self->children = g_ptr_array_new_with_free_func (instance_clear);
      add_children (self, completing);
      self->inputs = make_outer_ports (self, arena, TRUE, &self->n_inputs);
      self->outputs = make_outer_ports (self, arena, FALSE, &self->n_outputs);
      self->are_ports_known = TRUE;
      if (completing->path == NULL)
        weir_instance_connect_wires (self, diagnostics);
      if (self->gives_starts && completing->path == NULL)
        weir_instance_check_starts (completing, block != NULL ? self : NULL);
    }
  else
    {
      self->type = weir_registry_find (weir_block_get_type_name (block));
      self->is_in = weir_block_is_type (block, WEIR_TYPE_NAME_IN);
      self->is_out = weir_block_is_type (block, WEIR_TYPE_NAME_OUT);
      self->is_pin = weir_block_is_type (block, WEIR_TYPE_NAME_PIN);
      if (self->type == NULL)
        report (diagnostics, self, "NET08", WEIR_SEVERITY_ERROR,
                N_ ("There is no block type '%s'; the block is kept, but cannot run."),
                weir_block_get_type_name (block));
      else
        {
          weir_instance_find_starts (self, completing);
          check_parameters (self, completing->bindings, diagnostics);
        }
      if (self->arguments != NULL && weir_block_is_type (block, WEIR_TYPE_NAME_FMU))
        list_fmu_ports (self, completing);
      else if (self->arguments != NULL)
        {
          self->inputs = make_ports (self, arena, weir_arguments_list_inputs (self->arguments),
                                     &self->n_inputs);
          self->outputs = make_ports (self, arena, weir_arguments_list_outputs (self->arguments),
                                      &self->n_outputs);
          /* The ports of a block with problems of its own are not certain. */
          self->are_ports_known = is_definition (self) || check_block (self, diagnostics);
        }
      for (guint i = 0; self->is_grounded && i < self->n_inputs; i++)
        self->inputs[i].declared = 0;
      self->is_doubtful = self->is_doubtful || !self->are_ports_known;
    }
  if (weir_budget_add (self->n_inputs, 2 * (guint64) self->n_outputs) > MAX_PORTS)
    {
      report (diagnostics, self, "NET07", WEIR_SEVERITY_ERROR,
              N_ ("There are more than %d ports, outputs counted twice."), MAX_PORTS);
      self->is_doubtful = self->has_too_many_ports = TRUE;
    }
  return self;
}

WeirInstance *
weir_instance_new_top (WeirModel *model, WeirBindings *bindings, WeirChecks checks,
                       WeirDiagnostics *diagnostics)
{
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  WeirArena *arena = weir_arena_new ();
  WeirCompleting completing = { model, arena, bindings, diagnostics, checks, used, NULL };
  WeirInstance *top = instance_new (NULL, NULL, model->root, &completing);

  top->arena = arena;
  return top;
}

WeirInstance *
weir_instance_new_path (WeirModel *model, WeirBindings *bindings, guint32 id, WeirInstance **block,
                        WeirDiagnostics *diagnostics)
{
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirArena *arena = weir_arena_new ();
  WeirCompleting completing = { model, arena, bindings, diagnostics, WEIR_CHECKS_NONE, used, path };
  gboolean is_there = weir_model_find_block (model, id, path) != NULL;
  WeirInstance *top;

  if (is_there)
    g_array_append_val (path, id);
  top = instance_new (NULL, NULL, model->root, &completing);
  top->arena = arena;
  *block = top;
  for (guint i = 0; i < path->len && *block != NULL; i++)
    *block = (*block)->children != NULL && (*block)->children->len > 0
                 ? g_ptr_array_index ((*block)->children, 0)
                 : NULL;
  if (!is_there)
    *block = id == 0 ? top : NULL;
  return top;
}

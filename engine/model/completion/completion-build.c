/* Completion, last step: systems, from the leaves up.
 *
 * A leaf is built as soon as its sizes are certain, a diagram when all its children are, so that a
 * problem in one corner hides none in another. Algebraic loops are searched level by level, before
 * the builder cuts or refuses them, to report every one with its wires.
 */
#include "model/completion/completion-private.h"
#include "base/error.h"
#include "base/text.h"
#include "base/budget.h"
#include "system/evaluation/calc.h"
#include "system/layout/layout.h"
#include "system/structure/diagram.h"
#include "system/structure/leaf.h"

#define MAX_LOOPS 20 /* reported of one diagram */

static void
note_unconnected (const WeirInstance *self, const WeirInstancePort *input,
                  WeirDiagnostics *diagnostics)
{
  gboolean is_log = self->type != NULL && self->type->is_recorded_sink;

  weir_diagnostics_add (diagnostics, is_log ? WEIR_SEVERITY_WARNING : WEIR_SEVERITY_ERROR, "NET02",
                        self->path, weir_instance_get_id (self), 0, weir_instance_get_line (self),
                        is_log ? N_ ("Input '%s' is not connected; nothing is recorded there.")
                               : N_ ("Input '%s' is not connected; connect it to an output."),
                        input->name);
  weir_diagnostics_set_subject (diagnostics, input->name);
}

/* What has no wire must have a default of its own. */
static void
check_inputs (const WeirInstance *self, WeirDiagnostics *diagnostics)
{
  for (guint i = 0; i < self->n_inputs && !self->is_grounded; i++)
    {
      WeirInput in;

      if (self->inputs[i].wire != NULL)
        continue;
      if (self->system == NULL && weir_block_is_type (self->block, WEIR_TYPE_NAME_FMU))
        continue; /* its inputs have a start, and its problem is told */
      if (self->children == NULL && self->system != NULL
          && weir_system_find_input (self->system, self->inputs[i].name, &in)
          && !weir_layout_is_input_unconnected (weir_system_get_layout (self->system), WEIR_ROOT,
                                                in))
        continue;
      note_unconnected (self, &self->inputs[i], diagnostics);
    }
}

/* No text, or no bytes. (transfer floating) */
static GVariant *
empty_new (const WeirInstancePort *port)
{
  return g_str_equal (port->type, "s") ? g_variant_new_string ("")
                                       : g_variant_new_array (G_VARIANT_TYPE_BYTE, NULL, 0);
}

/* What is commented out computes nothing: zeros, whatever comes in. */
static WeirSystem *
ground_new (const WeirInstance *self)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Ground");

  for (guint i = 0; i < self->n_inputs; i++)
    {
      const WeirInstancePort *port = &self->inputs[i];
      g_autofree double *zeros = g_new0 (double, port->size);

      if (port->type != NULL)
        weir_leaf_set_abstract_input_default (
            b, weir_leaf_add_abstract_input (b, port->name, G_VARIANT_TYPE (port->type)),
            empty_new (port));
      else
        weir_leaf_set_input_default (b, weir_leaf_add_input (b, port->name, port->size), zeros);
    }
  for (guint i = 0; i < self->n_outputs; i++)
    {
      const WeirInstancePort *port = &self->outputs[i];
      g_autofree double *zeros = g_new0 (double, port->size);
      WeirParameter zero = port->type != NULL
                               ? weir_leaf_add_abstract_parameter (b, port->name, empty_new (port))
                               : weir_leaf_add_parameter (b, port->name, zeros, port->size);

      weir_leaf_add_output_window (b, self->outputs[i].name, weir_parameter_ticket (b, zero));
    }
  return weir_leaf_builder_build (b);
}

static WeirInstance *
find_top (WeirInstance *self)
{
  while (self->parent != NULL)
    self = self->parent;
  return self;
}

/* FALSE after reporting that, with all before it, the block keeps more than may be: it has @n
 * numbers. A block's table of feedthrough, a byte for each input with each output, is among them;
 * of a single one MAX_PORTS admits no more than 450 MB. */
static gboolean
count_numbers (WeirInstance *self, guint64 n, WeirDiagnostics *diagnostics)
{
  WeirInstance *top = find_top (self);
  g_autoptr (GError) error = NULL;

  n = weir_budget_add (top->n_numbers, n);
  if (weir_budget_allows (
          n, sizeof (double), N_ ("This block's values and those before"),
          N_ ("give the model narrower signals, shorter delays or blocks of fewer ports"), &error))
    {
      top->n_numbers = n;
      return TRUE;
    }
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "NET10", self->path,
                        weir_instance_get_id (self), 0, weir_instance_get_line (self), "%s",
                        weir_error_get_text (error));
  return FALSE;
}

static void
build_leaf (WeirInstance *self, WeirLeaves *leaves, WeirDiagnostics *diagnostics)
{
  WeirTexts *parameters = self->block->content->parameters;
  g_autofree guint *sizes = g_new0 (guint, self->n_inputs + 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirMessage) note = NULL;
  /* What an expression or a file gives depends on more than the block. */
  gboolean is_shared = self->evaluated == NULL && self->type != NULL
                       && self->type->build_beside == NULL && self->type->build != NULL;

  if (self->is_grounded)
    {
      self->system = ground_new (self);
      return;
    }
  for (guint i = 0; i < self->n_inputs; i++)
    {
      const WeirInstancePort *input = &self->inputs[i];

      if ((input->declared > 0 && input->size != input->declared)
          || (input->source != NULL && !weir_instance_port_fits (input, input->source)))
        return; /* reported with the sizes */
      sizes[i] = input->size;
    }
  if (is_shared)
    self->system = weir_leaves_find (leaves, self->type->name, parameters, sizes, self->n_inputs);
  if (self->system != NULL)
    {
      if (!count_numbers (self, weir_system_get_n_numbers (self->system), diagnostics))
        g_clear_pointer (&self->system, weir_system_unref);
      return;
    }
  if (self->type->build_beside != NULL)
    self->system = self->type->build_beside (self->arguments, sizes, find_top (self)->folder, &note,
                                             &error);
  else if (self->type->build != NULL)
    self->system = self->type->build (self->arguments, sizes, &error);
  else
    self->system = weir_instance_build_fmu (self, find_top (self)->folder, diagnostics, &error);
  if (note != NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_HINT, "PAR07", self->path,
                          weir_instance_get_id (self), 0, weir_instance_get_line (self), "%s",
                          weir_message_get_text (note));
  if (self->system == NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR,
                          g_error_matches (error, WEIR_ERROR, WEIR_ERROR_MISMATCH) ? "NET03"
                                                                                   : "PAR02",
                          self->path, weir_instance_get_id (self), 0, weir_instance_get_line (self),
                          "%s", weir_error_get_text (error));
  else if (!count_numbers (self, weir_system_get_n_numbers (self->system), diagnostics))
    g_clear_pointer (&self->system, weir_system_unref);
  else if (is_shared)
    weir_leaves_add (leaves, self->type->name, parameters, sizes, self->n_inputs, self->system);
}

/* --- Algebraic loops ------------------------------------------------------------------------- */

typedef enum {
  UNSEEN,
  OPEN, /* on the stack */
  DONE,
} Mark;

/* A place in the search: at @input, about to follow what it feeds through to. */
typedef struct {
  WeirInstancePort *input;
  guint output;           /* of the input's block */
  WeirInstancePort *next; /* consumer of that output */
  WeirInstancePort *via;  /* consumer that led on */
} Frame;

/* The next input that the frame's input feeds through to; NULL when there is none left. */
static WeirInstancePort *
advance (Frame *frame)
{
  const WeirInstance *block = frame->input->owner;
  WeirInput in = { (guint16) (frame->input - block->inputs) };

  while (frame->next == NULL)
    {
      WeirOutput out = { (guint16) frame->output };

      if (frame->output >= block->n_outputs)
        return NULL;
      if (weir_system_has_direct_feedthrough (block->system, in, out))
        frame->next = block->outputs[frame->output].consumers;
      frame->output++;
    }
  frame->via = frame->next;
  frame->next = frame->next->next;
  return frame->via;
}

static void
report_loop (const WeirInstance *diagram, const GArray *stack, guint first, gboolean is_solved,
             WeirDiagnostics *diagnostics)
{
  g_autoptr (GString) path = g_string_new (NULL);
  g_autoptr (GArray) wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  const Frame *start = &g_array_index (stack, Frame, first);
  const WeirInstance *block = start->input->owner;

  for (guint i = first; i < stack->len; i++)
    {
      const Frame *frame = &g_array_index (stack, Frame, i);
      guint32 wire = weir_wire_get_id (frame->via->wire);

      g_array_append_val (wires, wire);
      g_string_append_printf (path, "%s.%s (wire %u) -> ", frame->via->source->owner->path,
                              frame->via->source->name, wire);
    }
  g_string_append_printf (path, "%s.%s", start->via->source->owner->path, start->via->source->name);
  weir_diagnostics_add (
      diagnostics, is_solved ? WEIR_SEVERITY_HINT : WEIR_SEVERITY_ERROR, "NET04", block->path,
      weir_instance_get_id (block), weir_wire_get_id (start->via->wire),
      weir_instance_get_line (block) != 0 ? weir_instance_get_line (block)
                                          : weir_instance_get_line (diagram),
      is_solved ? N_ ("These outputs depend on each other at one instant: %s. Newton's "
                      "method solves this loop.")
                : N_ ("These outputs depend on each other at one instant: %s. Break the "
                      "loop with a block that has state, such as an Integrator or a "
                      "UnitDelay."),
      path->str);
  weir_diagnostics_set_wires (diagnostics, (const guint32 *) (gpointer) wires->data, wires->len);
}

/* A diagnostic for each loop; FALSE if there is any that is not solved. Without recursion: a chain
 * may be very long. */
static gboolean
check_loops (const WeirInstance *self, gboolean are_solved, WeirDiagnostics *diagnostics)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, TRUE, sizeof (Frame));
  guint n_loops = 0;

  for (guint c = 0; c < self->children->len; c++)
    {
      const WeirInstance *child = g_ptr_array_index (self->children, c);

      for (guint i = 0; i < child->n_inputs && child->system != NULL; i++)
        {
          WeirInstancePort *input = &child->inputs[i];

          while (input != NULL || stack->len > 0)
            {
              Frame *top;

              if (input != NULL)
                {
                  if (input->mark == OPEN)
                    {
                      report_loop (self, stack, input->depth, are_solved, diagnostics);
                      if (++n_loops == MAX_LOOPS)
                        return are_solved;
                    }
                  else if (input->mark == UNSEEN && input->owner->system != NULL)
                    {
                      Frame frame = { .input = input };

                      input->mark = OPEN;
                      input->depth = stack->len;
                      g_array_append_val (stack, frame);
                    }
                  input = NULL;
                  if (stack->len == 0)
                    break;
                }
              top = &g_array_index (stack, Frame, stack->len - 1);
              input = advance (top);
              if (input == NULL)
                {
                  top->input->mark = DONE;
                  g_array_set_size (stack, stack->len - 1);
                }
            }
        }
    }
  return n_loops == 0 || are_solved;
}

/* --- Diagrams -------------------------------------------------------------------------------- */

static WeirStatus
pass_abstract (const WeirCalc *c, GVariant **out)
{
  *out = g_variant_ref (weir_calc_abstract_input (c, (WeirInput) { 0 }));
  return WEIR_OK;
}

/* An Out that shows an In needs something between them: y = u. */
static WeirSystem *
pass_new (const WeirInstancePort *port)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Out");

  if (port->type != NULL)
    weir_leaf_add_abstract_output (
        b, "y", G_VARIANT_TYPE (port->type), pass_abstract,
        WEIR_DEPENDS (weir_input_ticket (
            b, weir_leaf_add_abstract_input (b, "u", G_VARIANT_TYPE (port->type)))));
  else
    weir_leaf_add_output_kernel (
        b, "y", port->size, weir_kernel_copy, 0,
        WEIR_DEPENDS (weir_input_ticket (b, weir_leaf_add_input (b, "u", port->size))));
  return weir_leaf_builder_build (b);
}

static WeirChild
get_child (const WeirInstance *instance)
{
  return (WeirChild) { instance->number };
}

static WeirInput
get_input (const WeirInstance *in)
{
  return (WeirInput) { (guint16) in->number };
}

/* Does the signal come into the diagram by an input of it? */
static gboolean
comes_in (const WeirInstance *self, const WeirInstancePort *source, WeirInput *in)
{
  const WeirTap *tap;

  if (source->owner->is_in)
    {
      *in = get_input (source->owner);
      return TRUE;
    }
  if (source->owner->network == NULL || source->owner->network->home == self)
    return FALSE;
  tap = weir_instance_find_tap (self, source);
  in->i = (guint16) tap->number;
  return TRUE;
}

/* Which child, and which output of it, gives a signal that does not come in. */
static WeirChild
find_source (const WeirInstancePort *source, WeirOutput *out)
{
  if (source->owner->network != NULL)
    {
      *out = weir_instance_port_find_output (source);
      return (WeirChild) { source->owner->network->number };
    }
  out->i = (guint16) (source - source->owner->outputs);
  return get_child (source->owner);
}

static void
connect_source (WeirDiagramBuilder *builder, const WeirInstance *self,
                const WeirInstancePort *source, WeirChild to, WeirInput in)
{
  WeirInput outer;
  WeirOutput out;
  WeirChild from;

  if (comes_in (self, source, &outer))
    {
      weir_diagram_builder_connect_input (builder, outer, to, in);
      return;
    }
  from = find_source (source, &out);
  weir_diagram_builder_connect (builder, from, out, to, in);
}

static void
connect_inputs (WeirDiagramBuilder *builder, const WeirInstance *self, const WeirInstance *child)
{
  for (guint i = 0; i < child->n_inputs; i++)
    {
      const WeirInstancePort *source = child->inputs[i].source;

      if (source == NULL)
        continue;
      if (child->network == NULL)
        connect_source (builder, self, source, get_child (child), (WeirInput) { (guint16) i });
      else if (child->network->home == self)
        connect_source (builder, self, source, (WeirChild) { child->network->number },
                        weir_instance_port_find_input (&child->inputs[i]));
    }
}

static WeirInput
add_input (WeirDiagramBuilder *builder, const char *name, const WeirInstancePort *port)
{
  return port->type != NULL
             ? weir_diagram_builder_add_abstract_input (builder, name, G_VARIANT_TYPE (port->type))
             : weir_diagram_builder_add_input (builder, name, port->size);
}

static WeirOutput
add_output (WeirDiagramBuilder *builder, const WeirInstance *self, const char *name,
            const WeirInstancePort *source)
{
  WeirInput outer;
  WeirOutput out;
  WeirChild from;

  if (comes_in (self, source, &outer))
    {
      g_autoptr (WeirSystem) system = pass_new (source);
      g_autofree char *called = g_strdelimit (g_strdup (name), ".", ' ');

      from = weir_diagram_builder_add (builder, called, system);
      weir_diagram_builder_connect_input (builder, outer, from, (WeirInput) { 0 });
      return weir_diagram_builder_add_output (builder, name, from, (WeirOutput) { 0 });
    }
  from = find_source (source, &out);
  return weir_diagram_builder_add_output (builder, name, from, out);
}

/* --- Networks in diagrams -------------------------------------------------------------------- */

static void
add_networks (WeirDiagramBuilder *builder, WeirInstance *self)
{
  for (guint i = 0; self->networks != NULL && i < self->networks->len; i++)
    {
      WeirNetworkLeaf *leaf = g_ptr_array_index (self->networks, i);
      g_autofree char *base = g_strdup_printf ("network%u", i + 1);
      g_autofree char *name = weir_diagram_dup_free_name (self->diagram, base);

      leaf->number = weir_diagram_builder_add (builder, name, leaf->system).i;
    }
}

static void
add_tap_inputs (WeirDiagramBuilder *builder, WeirInstance *self)
{
  weir_instance_find_taps (self);
  for (guint i = 0; self->taps != NULL && i < self->taps->len; i++)
    {
      WeirTap *tap = &g_array_index (self->taps, WeirTap, i);
      g_autofree char *name = weir_tap_dup_name (tap, self);

      if (!tap->is_input)
        tap->number = weir_diagram_builder_add_input (builder, name, tap->port->size).i;
    }
}

/* What leads on, further in or out; after the diagram's own outputs. */
static void
connect_taps (WeirDiagramBuilder *builder, WeirInstance *self)
{
  for (guint i = 0; self->taps != NULL && i < self->taps->len; i++)
    {
      WeirTap *tap = &g_array_index (self->taps, WeirTap, i);
      const WeirTap *inner = tap->via != NULL ? weir_instance_find_tap (tap->via, tap->port) : NULL;
      g_autofree char *name = weir_tap_dup_name (tap, self);

      if (inner != NULL && tap->is_input)
        tap->number = weir_diagram_builder_add_output (builder, name, get_child (tap->via),
                                                       (WeirOutput) { (guint16) inner->number })
                          .i;
      else if (tap->is_input)
        tap->number = add_output (builder, self, name, tap->port->source).i;
      else if (inner != NULL)
        weir_diagram_builder_connect_input (builder, (WeirInput) { (guint16) tap->number },
                                            get_child (tap->via),
                                            (WeirInput) { (guint16) inner->number });
    }
}

/* A Subsystem's taps that end here. */
static void
connect_inner_taps (WeirDiagramBuilder *builder, const WeirInstance *self,
                    const WeirInstance *child)
{
  for (guint i = 0; child->taps != NULL && i < child->taps->len; i++)
    {
      const WeirTap *tap = &g_array_index (child->taps, WeirTap, i);
      const WeirNetworkLeaf *leaf = tap->port->owner->network;
      WeirChild number = { leaf->number };

      if (leaf->home != self)
        continue;
      if (tap->is_input)
        weir_diagram_builder_connect (builder, get_child (child),
                                      (WeirOutput) { (guint16) tap->number }, number,
                                      weir_instance_port_find_input (tap->port));
      else
        weir_diagram_builder_connect (builder, number, weir_instance_port_find_output (tap->port),
                                      get_child (child), (WeirInput) { (guint16) tap->number });
    }
}

/* All children are built and every Out is wired. */
static void
build_diagram (WeirInstance *self, gboolean solves_loops, WeirDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  WeirDiagramBuilder *builder;

  if (!count_numbers (self, (guint64) self->n_inputs * self->n_outputs / sizeof (double),
                      diagnostics))
    return;
  builder = weir_diagram_builder_new ();
  for (guint i = 0; i < self->children->len; i++)
    {
      WeirInstance *child = g_ptr_array_index (self->children, i);

      if (child->is_in)
        child->number = add_input (builder, child->block->name, &child->outputs[0]).i;
      else if (!child->is_out && !child->is_pin && child->network == NULL)
        {
          child->number = weir_diagram_builder_add (builder, child->block->name, child->system).i;
        }
    }
  add_networks (builder, self);
  add_tap_inputs (builder, self);
  for (guint i = 0; i < self->children->len; i++)
    {
      WeirInstance *child = g_ptr_array_index (self->children, i);

      if (child->is_out)
        add_output (builder, self, child->block->name, child->inputs[0].source);
      else if (!child->is_in)
        connect_inputs (builder, self, child);
      connect_inner_taps (builder, self, child);
    }
  connect_taps (builder, self);
  weir_diagram_builder_set_solves_loops (builder, solves_loops);
  self->system = weir_diagram_builder_build (builder, &error);
  if (self->system == NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "NET04", self->path,
                          weir_instance_get_id (self), 0, weir_instance_get_line (self), "%s",
                          weir_error_get_text (error));
}

void
weir_instance_build (WeirInstance *self, const WeirModel *model, WeirLeaves *leaves,
                     gboolean solves_loops, WeirDiagnostics *diagnostics)
{
  gboolean are_children_built = TRUE;

  if (self->children != NULL)
    {
      are_children_built = weir_instance_are_networks_built (self);
      for (guint i = 0; i < self->children->len; i++)
        {
          WeirInstance *child = g_ptr_array_index (self->children, i);

          weir_instance_build (child, model, leaves, solves_loops, diagnostics);
          if (child->is_doubtful || child->is_misnamed
              || (child->is_out && child->inputs[0].source == NULL)
              || (!child->is_in && !child->is_out && !child->is_pin && child->network == NULL
                  && child->system == NULL))
            are_children_built = FALSE;
        }
      if (check_loops (self, solves_loops, diagnostics) && are_children_built
          && !self->has_too_many_ports)
        build_diagram (self, solves_loops, diagnostics);
      if (self->system != NULL && weir_instance_is_unit (self))
        weir_instance_make_unit (self, model, diagnostics);
    }
  else if (!self->is_doubtful && !self->is_in && !self->is_out && !self->is_pin
           && (self->is_grounded || weir_arguments_get_part (self->arguments) == NULL))
    build_leaf (self, leaves, diagnostics);
  if (self->block != NULL && self->block->unit != NULL && self->children == NULL)
    weir_instance_check_no_unit (self, diagnostics);
  if (self->parent != NULL)
    check_inputs (self, diagnostics);
}

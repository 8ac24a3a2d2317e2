/* Completion: the physical unit of every signal, and where units contradict.
 *
 * A port has the unit that the model gives it (metadata "unit" of the port), else the one its block
 * type gives it, else that of what comes in. Units flow along wires, through Subsystems, through
 * blocks whose ports have one unit (a sum, a delay) and through integrators, until nothing changes.
 * A signal without a unit fits anything. Nothing is converted by itself: a wire between units is
 * refused, with the block that would convert.
 */
#include "model/completion/completion-private.h"
#include "base/error.h"
#include "base/text.h"

#include <string.h>

static void
queue_consumers (GQueue *queue, const WeirInstancePort *output)
{
  for (WeirInstancePort *port = output->consumers; port != NULL; port = port->next)
    g_queue_push_tail (queue, port);
}

/* --- What is given --------------------------------------------------------------------------- */

/* TRUE if the port has a unit of its own. */
static gboolean
take_given (const WeirInstance *self, WeirInstancePort *port, WeirDiagnostics *diagnostics)
{
  const char *noted = self->block != NULL ? weir_metadata_get_text (self->block->metadata,
                                                                    port->name, weir_key_unit)
                                          : NULL;
  g_autoptr (GError) error = NULL;

  if (noted != NULL)
    port->unit_text = noted;
  if (port->unit_text == NULL)
    return FALSE;
  port->has_unit = weir_unit_parse (port->unit_text, &port->unit, &error);
  if (!port->has_unit)
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "UNI01", self->path,
                            weir_instance_get_id (self), 0, weir_instance_get_line (self),
                            N_ ("Port '%s': %s"), port->name, weir_error_get_text (error));
      port->unit_text = NULL;
    }
  port->is_unit_given = port->has_unit;
  return port->has_unit;
}

/* Queues what is given; returns how many ports have a unit. */
static guint
take_all_given (WeirInstance *self, GQueue *queue, WeirDiagnostics *diagnostics)
{
  guint n = 0;

  for (guint i = 0; i < self->n_inputs; i++)
    if (take_given (self, &self->inputs[i], diagnostics))
      {
        g_queue_push_tail (queue, &self->inputs[i]);
        n++;
      }
  for (guint i = 0; i < self->n_outputs; i++)
    if (take_given (self, &self->outputs[i], diagnostics))
      {
        queue_consumers (queue, &self->outputs[i]);
        n++;
      }
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    n += take_all_given (g_ptr_array_index (self->children, i), queue, diagnostics);
  return n;
}

/* --- What follows ---------------------------------------------------------------------------- */

static void
set_output (GQueue *queue, WeirInstancePort *output, WeirUnit unit, const char *text)
{
  if (output->has_unit)
    return;
  output->has_unit = TRUE;
  output->unit = unit;
  output->unit_text = text;
  queue_consumers (queue, output);
}

/* The unit of @input is known: what follows for the outputs of its block. */
static void
pass_on (GQueue *queue, WeirInstancePort *input)
{
  WeirInstance *self = input->owner;
  WeirUnit second, unit = input->unit;
  const char *text = input->unit_text;

  if (self->is_out)
    set_output (queue, self->outer, unit, text);
  else if (self->children != NULL)
    {
      for (guint i = 0; i < self->children->len; i++)
        {
          WeirInstance *child = g_ptr_array_index (self->children, i);

          if (child->is_in && child->outer == input && child->n_outputs > 0)
            set_output (queue, &child->outputs[0], unit, text);
        }
    }
  else if (self->type != NULL && self->type->units != WEIR_UNITS_APART && !self->is_grounded)
    {
      if (self->type->units == WEIR_UNITS_INTEGRAL && weir_unit_parse ("s", &second, NULL))
        {
          unit = weir_unit_multiply (&input->unit, &second);
          text = NULL;
        }
      for (guint i = 0; i < self->n_outputs; i++)
        set_output (queue, &self->outputs[i], unit, text);
    }
}

static void
settle (GQueue *queue)
{
  WeirInstancePort *input;

  while ((input = g_queue_pop_head (queue)) != NULL)
    {
      if (!input->has_unit && input->source != NULL && input->source->has_unit)
        {
          input->has_unit = TRUE;
          input->unit = input->source->unit;
          input->unit_text = input->source->unit_text;
        }
      if (input->has_unit)
        pass_on (queue, input);
    }
}

/* --- Contradictions -------------------------------------------------------------------------- */

/* As it is given, or as it follows. (transfer full) */
static char *
dup_text (const WeirInstancePort *port)
{
  return port->unit_text != NULL ? g_strdup (port->unit_text) : weir_unit_to_string (&port->unit);
}

/* What to do about it. (transfer full) */
static WeirMessage *
describe_advice (const WeirInstancePort *from, const WeirInstancePort *to)
{
  g_autofree char *text_from = dup_text (from);
  g_autofree char *text_to = dup_text (to);
  double factor, offset;

  if (!weir_unit_convert (&from->unit, &to->unit, &factor, &offset))
    return weir_message_new (
        N_ ("these measure different things, and nothing converts one to the other"));
  return weir_message_new (N_ ("put a UnitConversion block from %s to %s between them"), text_from,
                           text_to);
}

static void
check_wire (const WeirInstancePort *input, WeirDiagnostics *diagnostics)
{
  const WeirInstance *self = input->owner;
  const WeirInstancePort *source = input->source;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  g_autoptr (WeirMessage) advice = NULL;

  if (source == NULL || !source->has_unit || !input->has_unit
      || weir_unit_equal (&source->unit, &input->unit))
    return;
  from = dup_text (source);
  to = dup_text (input);
  advice = describe_advice (source, input);
  weir_diagnostics_add (
      diagnostics, WEIR_SEVERITY_ERROR, "UNI03", self->path, weir_instance_get_id (self),
      weir_wire_get_id (input->wire), weir_wire_get_line (input->wire),
      N_ ("Input '%s' takes %s, but output '%s' of %s is in %s; %s."), input->name, to,
      source->name, source->owner->path, from, weir_message_get_text (advice));
}

/* Ports that share one unit: all that is known is to be the same. */
static void
check_same (const WeirInstance *self, WeirDiagnostics *diagnostics)
{
  const WeirInstancePort *first = NULL;

  if (self->type == NULL || self->type->units != WEIR_UNITS_SAME || self->is_grounded)
    return;
  for (guint i = 0; i < self->n_inputs + self->n_outputs; i++)
    {
      const WeirInstancePort *port = i < self->n_inputs ? &self->inputs[i]
                                                        : &self->outputs[i - self->n_inputs];
      g_autofree char *a = NULL;
      g_autofree char *b = NULL;
      g_autoptr (WeirMessage) advice = NULL;

      if (!port->has_unit)
        continue;
      if (first == NULL)
        first = port;
      if (weir_unit_equal (&first->unit, &port->unit))
        continue;
      a = dup_text (first);
      b = dup_text (port);
      advice = describe_advice (port, first);
      weir_diagnostics_add (
          diagnostics, WEIR_SEVERITY_ERROR, "UNI04", self->path, weir_instance_get_id (self), 0,
          weir_instance_get_line (self),
          N_ ("Ports '%s' and '%s' must have one unit, but are in %s and in %s; %s."), first->name,
          port->name, a, b, weir_message_get_text (advice));
      return;
    }
}

static void
check_all (const WeirInstance *self, WeirDiagnostics *diagnostics)
{
  for (guint i = 0; i < self->n_inputs; i++)
    check_wire (&self->inputs[i], diagnostics);
  check_same (self, diagnostics);
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    check_all (g_ptr_array_index (self->children, i), diagnostics);
}

void
weir_instance_find_units (WeirInstance *top, WeirDiagnostics *diagnostics)
{
  GQueue queue = G_QUEUE_INIT;

  if (take_all_given (top, &queue, diagnostics) == 0)
    return;
  settle (&queue);
  check_all (top, diagnostics);
}

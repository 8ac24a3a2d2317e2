/* Completion, second step: the size of every signal, and what it carries: numbers, texts or bytes.
 *
 * Sizes flow along wires, into Subsystems through In and out of them through Out, until nothing
 * changes: a block's outputs are computed again whenever one of its inputs becomes known or grows.
 * What is still unknown then lies in loops that no block gives a size; it is taken to be 1, one
 * port at a time. What carries texts or bytes says so itself, and passes through the borders of
 * Subsystems alone. Doubt flows the same way: what depends on an error is not judged.
 */
#include "model/completion/completion-private.h"
#include "base/phrase.h"
#include "base/text.h"

#include <string.h>

#define MAX_SIZE 1000000
#define MAX_UPDATES 10000 /* of one block; a size that has not settled then never will */

/* Linked by instances themselves; each is in it once. */
typedef struct {
  WeirInstance *first, *last;
} Queue;

static void
queue_instance (Queue *queue, WeirInstance *instance)
{
  if (instance->is_queued)
    return;
  instance->is_queued = TRUE;
  instance->next = NULL;
  if (queue->first == NULL)
    queue->first = instance;
  else
    queue->last->next = instance;
  queue->last = instance;
}

static void
queue_consumers (Queue *queue, const WeirInstancePort *output)
{
  for (WeirInstancePort *port = output->consumers; port != NULL; port = port->next)
    queue_instance (queue, port->owner);
}

static void
set_output_size (Queue *queue, WeirInstancePort *output, guint size)
{
  if (output->size == size)
    return;
  output->size = size;
  queue_consumers (queue, output);
}

/* Passes a signal on through a border, with what it carries. */
static void
pass_output (Queue *queue, WeirInstancePort *output, const WeirInstancePort *from)
{
  gboolean is_other = output->type != from->type || output->mime_type != from->mime_type;

  output->type = from->type;
  output->mime_type = from->mime_type;
  if (is_other && output->size == from->size)
    queue_consumers (queue, output);
  set_output_size (queue, output, from->size);
}

/* Does the block take what comes, be it what it may? */
static gboolean
is_border (const WeirInstance *self)
{
  return self->is_in || self->is_out || self->children != NULL || self->is_grounded;
}

static void
set_doubtful (Queue *queue, WeirInstance *instance)
{
  if (instance->is_doubtful)
    return;
  instance->is_doubtful = TRUE;
  queue_instance (queue, instance);
}

/* Where does the signal come from that an In brings in? NULL at the top. */
static const WeirInstancePort *
get_outer_source (const WeirInstance *in)
{
  return in->parent->parent != NULL ? in->outer->source : NULL;
}

/* Does an error stand behind one of the inputs? */
static gboolean
has_doubtful_source (const WeirInstance *instance)
{
  const WeirInstancePort *outer;

  if (instance->is_in)
    {
      outer = get_outer_source (instance);
      return outer != NULL && outer->owner->is_doubtful;
    }
  for (guint i = 0; i < instance->n_inputs; i++)
    if (instance->inputs[i].source != NULL && instance->inputs[i].source->owner->is_doubtful)
      return TRUE;
  return FALSE;
}

static void
update_leaf (Queue *queue, WeirInstance *self, WeirDiagnostics *diagnostics)
{
  guint few[8] = { 0 };
  g_autofree guint *many = self->n_inputs >= G_N_ELEMENTS (few) ? g_new0 (guint, self->n_inputs + 1)
                                                                : NULL;
  guint *sizes = many != NULL ? many : few;
  guint widest = 0;

  for (guint i = 0; i < self->n_inputs; i++)
    {
      sizes[i] = self->inputs[i].size;
      widest = MAX (widest, sizes[i]);
    }
  for (guint i = 0; i < self->n_outputs; i++)
    {
      guint size = self->type != NULL && self->type->get_output_size != NULL
                       ? self->type->get_output_size (self->arguments, sizes, i)
                   : self->outputs[i].declared > 0 ? self->outputs[i].declared
                                                   : widest;

      if (size > MAX_SIZE || self->n_updates > MAX_UPDATES)
        {
          weir_diagnostics_add (
              diagnostics, WEIR_SEVERITY_ERROR, "NET03", self->path, weir_instance_get_id (self), 0,
              weir_instance_get_line (self),
              N_ ("The size of output '%s' does not settle: it grows around a loop."),
              self->outputs[i].name);
          set_doubtful (queue, self);
          return;
        }
      if (size > 0)
        set_output_size (queue, &self->outputs[i], size);
    }
}

static void
update (Queue *queue, WeirInstance *self, WeirDiagnostics *diagnostics)
{
  self->n_updates++;
  for (guint i = 0; i < self->n_inputs; i++)
    {
      WeirInstancePort *input = &self->inputs[i];

      if (input->source != NULL && is_border (self))
        {
          input->type = input->source->type;
          input->mime_type = input->source->mime_type;
        }
      if (input->source != NULL)
        input->size = input->source->size;
      else if (self->parent != NULL)
        input->size = input->declared > 0 ? input->declared : 1;
    }
  if (self->parent == NULL)
    return;

  if (!self->is_doubtful && has_doubtful_source (self))
    self->is_doubtful = TRUE;
  if (self->is_doubtful)
    {
      for (guint i = 0; i < self->n_outputs; i++)
        for (WeirInstancePort *port = self->outputs[i].consumers; port != NULL; port = port->next)
          set_doubtful (queue, port->owner);
      /* A Subsystem whose ports are doubted is doubted through its In blocks. */
    }

  if (self->children != NULL)
    {
      for (guint i = 0; i < self->children->len; i++)
        {
          WeirInstance *child = g_ptr_array_index (self->children, i);

          if (child->is_in)
            queue_instance (queue, child);
        }
    }
  else if (self->is_in)
    {
      const WeirInstancePort *outer = self->outer;

      if (self->parent->parent != NULL && self->n_outputs > 0 && outer->size > 0)
        pass_output (queue, &self->outputs[0], outer);
    }
  else if (self->is_out)
    {
      if (self->is_doubtful && self->parent->parent != NULL)
        set_doubtful (queue, self->parent);
      if (self->n_inputs > 0 && self->inputs[0].size > 0)
        pass_output (queue, self->outer, &self->inputs[0]);
    }
  else if (!self->is_doubtful)
    update_leaf (queue, self, diagnostics);
}

static void
settle (Queue *queue, WeirDiagnostics *diagnostics)
{
  while (queue->first != NULL)
    {
      WeirInstance *instance = queue->first;

      queue->first = instance->next;
      instance->is_queued = FALSE;
      update (queue, instance, diagnostics);
    }
}

static void
queue_tree (Queue *queue, WeirInstance *self)
{
  queue_instance (queue, self);
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    queue_tree (queue, g_ptr_array_index (self->children, i));
}

/* Gives every output that is still unknown a size, the first one first. */
static void
settle_rest (Queue *queue, WeirInstance *self, WeirDiagnostics *diagnostics)
{
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    settle_rest (queue, g_ptr_array_index (self->children, i), diagnostics);
  if (self->parent == NULL || self->children != NULL)
    return;
  for (guint i = 0; i < self->n_outputs; i++)
    if (self->outputs[i].size == 0)
      {
        set_output_size (queue, &self->outputs[i], 1);
        settle (queue, diagnostics);
      }
}

gboolean
weir_instance_port_fits (const WeirInstancePort *input, const WeirInstancePort *output)
{
  return weir_port_spec_fits (
      &(WeirPortSpec) { .type = input->type, .mime_type = input->mime_type },
      &(WeirPortSpec) { .type = output->type, .mime_type = output->mime_type });
}

static void
check_type (const WeirInstancePort *input, WeirDiagnostics *diagnostics)
{
  const WeirInstance *self = input->owner;
  const WeirInstancePort *output = input->source;

  if (weir_instance_port_fits (input, output))
    return;
  if (g_strcmp0 (input->type, output->type) != 0)
    weir_diagnostics_add (
        diagnostics, WEIR_SEVERITY_ERROR, "NET11", self->path, weir_instance_get_id (self),
        weir_wire_get_id (input->wire), weir_wire_get_line (input->wire),
        N_ ("Input '%s' takes %s, but output '%s' of %s carries %s."), input->name,
        weir_phrase (weir_port_type_describe (input->type)), output->name, output->owner->path,
        weir_phrase (weir_port_type_describe (output->type)));
  else
    weir_diagnostics_add (
        diagnostics, WEIR_SEVERITY_ERROR, "NET11", self->path, weir_instance_get_id (self),
        weir_wire_get_id (input->wire), weir_wire_get_line (input->wire),
        N_ ("Input '%s' takes bytes of the kind %s, but output '%s' of %s gives %s."), input->name,
        input->mime_type, output->name, output->owner->path, output->mime_type);
  weir_diagnostics_set_subject (diagnostics, input->name);
}

static void
check_sizes (const WeirInstance *self, WeirDiagnostics *diagnostics)
{
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    check_sizes (g_ptr_array_index (self->children, i), diagnostics);
  for (guint i = 0; i < self->n_inputs; i++)
    {
      const WeirInstancePort *input = &self->inputs[i];

      if (!self->is_doubtful && input->source != NULL && !input->source->owner->is_doubtful)
        check_type (input, diagnostics);
      if (self->is_doubtful || input->source == NULL || input->declared == 0
          || input->source->size == input->declared)
        continue;
      weir_diagnostics_add (
          diagnostics, WEIR_SEVERITY_ERROR, "NET03", self->path, weir_instance_get_id (self),
          weir_wire_get_id (input->wire), weir_wire_get_line (input->wire),
          N_ ("Input '%s' takes size %u, but output '%s' of %s has size %u."), input->name,
          input->declared, input->source->name, input->source->owner->path, input->source->size);
      weir_diagnostics_set_subject (diagnostics, input->name);
    }
}

void
weir_instance_find_sizes (WeirInstance *top, WeirDiagnostics *diagnostics)
{
  Queue queue = { NULL, NULL };

  queue_tree (&queue, top);
  settle (&queue, diagnostics);
  settle_rest (&queue, top, diagnostics);
  check_sizes (top, diagnostics);
}

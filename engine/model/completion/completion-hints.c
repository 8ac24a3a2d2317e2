/* Where a right model does something else than its author may expect: see completion-private.h.
 *
 * A block of samples (type->is_sequence) takes in what is there at its ticks, and what it computes
 * from it shows at once, until after the next tick. Where its input is discrete itself, nothing
 * tells that from Simulink's order; where it changes between ticks, what comes out is a period
 * early, or follows the input in between.
 */
#include "model/completion/completion-private.h"
#include "base/text.h"
#include "system/change/walk.h"

/* The trackers that hear of time and continuous states: by number, what changes between events.
 * (transfer full) */
static guint8 *
find_changing (WeirWalk *walk, const WeirLayout *layout)
{
  guint8 *is_changing = g_new0 (guint8, weir_walk_get_n_trackers (walk) + 1);
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 node = 0; node < weir_layout_get_n_nodes (layout); node++)
    {
      guint32 time = weir_walk_get_tracker (walk, (WeirNode) { node }, WEIR_TIME);

      g_array_append_val (waiting, time);
    }
  for (guint i = 0; i < weir_layout_get_n_slices (layout); i++)
    {
      static const WeirTicket parts[] = { { WEIR_TICKET_Q }, { WEIR_TICKET_V }, { WEIR_TICKET_Z } };
      WeirStateSlice slice = weir_layout_get_slice (layout, i);

      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        {
          guint32 tracker = weir_walk_get_tracker (walk, slice.node, parts[k]);

          g_array_append_val (waiting, tracker);
        }
    }
  while (waiting->len > 0)
    {
      guint32 tracker = g_array_index (waiting, guint32, waiting->len - 1);
      const guint32 *subscribers;
      guint n;

      g_array_set_size (waiting, waiting->len - 1);
      if (is_changing[tracker])
        continue;
      is_changing[tracker] = TRUE;
      subscribers = weir_walk_get_subscribers (walk, tracker, &n);
      for (guint i = 0; i < n; i++)
        if (!is_changing[subscribers[i]])
          g_array_append_val (waiting, subscribers[i]);
    }
  return is_changing;
}

static gboolean
feeds_through (const WeirInstance *self, WeirInput in)
{
  for (guint i = 0; i < self->n_outputs; i++)
    if (weir_system_has_direct_feedthrough (self->system, in, (WeirOutput) { (guint16) i }))
      return TRUE;
  return FALSE;
}

static void
report (const WeirInstance *self, WeirInput in, WeirDiagnostics *diagnostics)
{
  const char *name = self->inputs[in.i].name;

  if (feeds_through (self, in))
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_HINT, "SEM02", self->path,
                          weir_instance_get_id (self), 0, weir_instance_get_line (self),
                          N_ ("Input '%s' changes between ticks, and what comes out follows it "
                              "there instead of being "
                              "held; put a ZeroOrderHold of the same period before it."),
                          name);
  else
    weir_diagnostics_add (
        diagnostics, WEIR_SEVERITY_HINT, "SEM01", self->path, weir_instance_get_id (self), 0,
        weir_instance_get_line (self),
        N_ ("Input '%s' changes between ticks, so that what a tick takes in shows at that tick, "
            "not "
            "one period later; put a ZeroOrderHold of the same period before it."),
        name);
  weir_diagnostics_set_subject (diagnostics, name);
}

/* The blocks of samples below @self, on all levels. Nesting of Subsystems bounds the recursion. */
static void
list_sequences (const WeirInstance *self, GPtrArray *found)
{
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    {
      const WeirInstance *child = g_ptr_array_index (self->children, i);

      if (child->children != NULL && !child->is_grounded)
        list_sequences (child, found);
      else if (child->type != NULL && child->type->is_sequence && child->system != NULL
               && !child->is_grounded)
        g_ptr_array_add (found, (gpointer) child);
    }
}

void
weir_instance_find_hints (const WeirInstance *top, WeirDiagnostics *diagnostics)
{
  g_autoptr (GPtrArray) sequences = g_ptr_array_new ();
  g_autoptr (WeirWalk) walk = NULL;
  g_autofree guint8 *is_changing = NULL;
  WeirLayout *layout;

  list_sequences (top, sequences);
  if (sequences->len == 0)
    return;
  layout = weir_system_get_layout (top->system);
  walk = weir_walk_new (layout);
  is_changing = find_changing (walk, layout);
  for (guint i = 0; i < sequences->len; i++)
    {
      const WeirInstance *block = g_ptr_array_index (sequences, i);
      WeirNode node;

      if (!weir_layout_find_node (layout, block->path, &node))
        continue;
      for (guint k = 0; k < block->n_inputs; k++)
        {
          WeirInput in = { (guint16) k };

          if (block->inputs[k].source == NULL
              || !is_changing[weir_walk_get_input_tracker (walk, node, in)])
            continue;
          report (block, in, diagnostics);
          break;
        }
    }
}

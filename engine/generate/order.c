/* What is computed together: for the derivatives, for what is recorded, for the events of one
 * instant. See generate-private.h.
 *
 * Entries are numbered in an order of evaluation, so one descending pass finds all that is
 * upstream, and to compute a set is to compute it ascending.
 */
#include "generate/generate-private.h"

void
weir_set_free (gpointer data)
{
  WeirSet *set = data;

  g_array_unref (set->entries);
  g_array_unref (set->asked);
  g_free (set->what);
  g_free (set);
}

static guint8 *
make_marks (const WeirGenerator *self)
{
  return g_new0 (guint8, weir_layout_get_n_entries (self->layout) + 1);
}

static void
mark (guint8 *marks, WeirCodePlace place)
{
  if (place.kind == WEIR_PLACE_ENTRY)
    marks[place.index] = TRUE;
}

/* Each try of a loop computes its members and the parts of its solution. */
static void
use_members (WeirGenerator *self, const guint8 *marks)
{
  for (guint i = 0; i < weir_code_get_n_loops (self->root); i++)
    {
      WeirLoopCode loop = weir_code_get_loop (self->root, i);
      WeirLeafCode leaf = weir_code_get_leaf (self->root, loop.node);

      for (guint k = 0; k < loop.n_members && marks[loop.solution.i]; k++)
        self->is_used[loop.members[k]] = TRUE;
      for (guint k = 0; k < leaf.n_entries && marks[loop.solution.i]; k++)
        self->is_used[weir_code_get_leaf_entry (self->root, loop.node, k).i] = TRUE;
    }
}

/* All that @marks need, as a set. Frees @marks. */
static guint
add_set (WeirGenerator *self, guint8 *marks, char *what)
{
  WeirSet *set = g_new0 (WeirSet, 1);
  guint32 n_entries = weir_layout_get_n_entries (self->layout);

  set->what = what;
  set->entries = g_array_new (FALSE, FALSE, sizeof (guint32));
  set->asked = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 e = 0; e < n_entries; e++)
    if (marks[e])
      g_array_append_val (set->asked, e);
  for (guint32 e = n_entries; e-- > 0;)
    {
      const guint32 *reads;
      guint n;

      if (!marks[e])
        continue;
      reads = weir_layout_get_reads (self->layout, (WeirEntry) { e }, &n);
      for (guint i = 0; i < n; i++)
        marks[reads[i]] = TRUE;
    }
  for (guint32 e = 0; e < n_entries; e++)
    if (marks[e])
      {
        g_array_append_val (set->entries, e);
        self->is_used[e] = TRUE;
      }
  use_members (self, marks);
  g_free (marks);
  g_ptr_array_add (self->sets, set);
  return self->sets->len - 1;
}

/* What a handler of the leaf may read. */
static void
mark_leaf (const WeirGenerator *self, guint8 *marks, WeirNode node)
{
  WeirLeafCode leaf = weir_code_get_leaf (self->root, node);

  for (guint16 i = 0; i < leaf.n_inputs; i++)
    mark (marks, weir_code_get_input (self->root, node, (WeirInput) { i }));
  for (guint i = 0; i < leaf.n_entries; i++)
    {
      WeirEntry entry = weir_code_get_leaf_entry (self->root, node, i);
      WeirEntryCodeInfo info = weir_code_get_entry (self->root, entry);

      if (!info.is_slopes && (info.kind == WEIR_ENTRY_CACHE || info.kind == WEIR_ENTRY_UPDATE))
        marks[entry.i] = TRUE;
    }
}

static guint8 *
mark_phases (WeirGenerator *self, WeirPhaseUse use)
{
  guint8 *marks = make_marks (self);
  WeirPhases *phases = weir_phases_new (self->root, use);
  const guint32 *nodes;
  guint n = 0;

  if (phases != NULL)
    nodes = weir_phases_get_nodes (phases, &n);
  for (guint i = 0; i < n; i++)
    mark_leaf (self, marks, (WeirNode) { nodes[i] });
  weir_phases_free (phases);
  return marks;
}

/* --- Events ---------------------------------------------------------------------------------- */

static gboolean
is_same_rate (const WeirDeclaredEvent *a, const WeirDeclaredEvent *b)
{
  return b->trigger == WEIR_TRIGGER_PERIODIC && a->period == b->period && a->offset == b->offset;
}

/* Those of one rate are computed together; others with those of their leaf. */
static void
find_event_sets (WeirGenerator *self)
{
  guint n = weir_system_get_n_events (self->root);

  self->event_set = g_new0 (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (self->root, i);
      gboolean is_periodic = event.trigger == WEIR_TRIGGER_PERIODIC;
      g_autofree char *path = weir_generator_dup_path (self, event.node.i);
      g_autofree char *shown = weir_generate_dup_comment (path);
      guint8 *marks;
      guint set;

      if (self->event_set[i] != 0)
        continue;
      marks = make_marks (self);
      for (guint k = i; k < n; k++)
        {
          WeirDeclaredEvent other = weir_system_get_event (self->root, k);

          if (is_periodic ? !is_same_rate (&event, &other)
                          : other.node.i != event.node.i || other.trigger == WEIR_TRIGGER_PERIODIC)
            continue;
          mark_leaf (self, marks, other.node);
          self->event_set[k] = G_MAXUINT;
        }
      set = add_set (self, marks,
                     is_periodic ? g_strdup_printf ("What is read every %.17g s.", event.period)
                                 : g_strdup_printf ("What the events of %s read.", shown));
      for (guint k = i; k < n; k++)
        if (self->event_set[k] == G_MAXUINT)
          self->event_set[k] = set + 1;
    }
}

/* --- What is recorded ------------------------------------------------------------------------ */

static gboolean
find_port (WeirGenerator *self, const char *path, WeirCodePlace *place, guint *size)
{
  const char *name;
  WeirNode node;
  WeirInput in;
  WeirOutput out;

  if (!weir_layout_find_owner (self->layout, path, &node, &name))
    return FALSE;
  if (weir_layout_find_output (self->layout, node, name, &out))
    {
      *place = weir_code_get_output (self->root, node, out);
      *size = weir_layout_get_output_size (self->layout, node, out);
      return TRUE;
    }
  if (!weir_layout_find_input (self->layout, node, name, &in))
    return FALSE;
  *place = weir_code_get_input (self->root, node, in);
  *size = weir_layout_get_input_size (self->layout, node, in);
  return TRUE;
}

static guint8 *
mark_ports (WeirGenerator *self, const char *const *ports)
{
  guint8 *marks = make_marks (self);

  for (; ports != NULL && *ports != NULL; ports++)
    {
      WeirColumnPlace column = { 0 };
      guint size;

      if (!find_port (self, *ports, &column.place, &size))
        {
          weir_diagnostics_add (self->diagnostics, WEIR_SEVERITY_ERROR, "GEN02", "", 0, 0, 0,
                                N_ ("There is no port \"%s\" to record."), *ports);
          self->has_failed = TRUE;
          continue;
        }
      mark (marks, column.place);
      for (; column.element < size; column.element++)
        {
          g_array_append_val (self->columns, column);
          g_ptr_array_add (self->column_names,
                           size == 1 ? g_strdup (*ports)
                                     : g_strdup_printf ("%s[%u]", *ports, column.element));
        }
    }
  return marks;
}

void
weir_generator_find_sets (WeirGenerator *self, const char *const *ports)
{
  guint8 *derivatives = make_marks (self), *witnesses = make_marks (self),
         *starts = make_marks (self);

  for (guint32 e = 0; e < weir_layout_get_n_entries (self->layout); e++)
    derivatives[e] = weir_layout_get_entry (self->layout, (WeirEntry) { e }).kind
                     == WEIR_ENTRY_DERIVATIVES;
  for (guint i = 0, n = weir_system_get_n_events (self->root); i < n; i++)
    if (weir_system_get_event (self->root, i).trigger == WEIR_TRIGGER_CROSSING)
      witnesses[weir_system_get_event (self->root, i).witness.i] = TRUE;
  for (guint i = 0; i < weir_code_get_n_starts (self->root); i++)
    starts[weir_code_get_start (self->root, i).entry.i] = TRUE;
  add_set (self, derivatives, g_strdup ("What the derivatives need, and they."));
  add_set (self, witnesses, g_strdup ("What may cross zero."));
  add_set (self, mark_ports (self, ports), g_strdup ("What is recorded."));
  add_set (self, mark_phases (self, WEIR_PHASES_OF_STEPS),
           g_strdup ("What repeated things read that drive the derivatives."));
  add_set (self, mark_phases (self, WEIR_PHASES_OF_WITNESSES),
           g_strdup ("What repeated things read that may cross zero."));
  add_set (self, starts, g_strdup ("What is looked for, from where it was before."));
  find_event_sets (self);
}

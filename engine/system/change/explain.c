/* Answering questions about invalidation. See explain.h. */
#include "system/change/explain.h"

#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "system/layout/layout-private.h"

struct _WeirExplainer {
  WeirLayout *layout;
  WeirWalk *walk;
};

WeirExplainer *
weir_explainer_new (WeirLayout *layout)
{
  WeirExplainer *self = g_new0 (WeirExplainer, 1);

  self->layout = weir_layout_ref (layout);
  self->walk = weir_walk_new (layout);
  return self;
}

void
weir_explainer_free (WeirExplainer *self)
{
  if (self == NULL)
    return;
  weir_walk_free (self->walk);
  weir_layout_unref (self->layout);
  g_free (self);
}

const WeirWalk *
weir_explainer_get_walk (WeirExplainer *self)
{
  return self->walk;
}

void
weir_flags_free (WeirFlags *self)
{
  if (self == NULL)
    return;
  g_free (self->stale);
  g_free (self->disabled);
  g_free (self->computed);
  g_free (self->source_last);
  g_free (self);
}

/* --- Names ----------------------------------------------------------------------------------- */

static gboolean
find_vector (const GArray *vectors, const char *name, WeirTicket *ticket)
{
  for (guint i = 0; i < vectors->len; i++)
    if (g_str_equal (g_array_index (vectors, WeirVectorDecl, i).name, name))
      {
        ticket->i = g_array_index (vectors, WeirVectorDecl, i).ticket;
        return TRUE;
      }
  return FALSE;
}

/* A port, parameter or group by its name. */
static gboolean
find_item (const WeirShape *shape, const char *name, WeirTicket *ticket)
{
  if (find_vector (shape->parameters, name, ticket) || find_vector (shape->groups, name, ticket)
      || find_vector (shape->inputs, name, ticket))
    return TRUE;
  if (shape->aliases != NULL && g_hash_table_contains (shape->aliases, name))
    name = g_hash_table_lookup (shape->aliases, name);
  for (guint i = 0; i < shape->outputs->len; i++)
    if (g_str_equal (weir_shape_output (shape, i)->name, name))
      {
        ticket->i = weir_shape_output (shape, i)->ticket;
        return TRUE;
      }
  return FALSE;
}

/* An entry or a built-in ticket by its name. */
static gboolean
find_entry_or_built_in (const WeirShape *shape, const char *name, WeirTicket *ticket)
{
  for (guint e = 0; e < shape->entries->len; e++)
    if (g_str_equal (weir_shape_entry (shape, e)->name, name))
      {
        ticket->i = weir_shape_entry (shape, e)->ticket;
        return TRUE;
      }
  for (guint16 t = 0; t < WEIR_N_BUILT_IN_TICKETS; t++)
    if (g_str_equal (weir_built_in_ticket_name (t), name))
      {
        ticket->i = t;
        return TRUE;
      }
  return FALSE;
}

static const char *
get_vector_name (gconstpointer vectors, guint i)
{
  return g_array_index ((const GArray *) vectors, WeirVectorDecl, i).name;
}

static const char *
get_output_name (gconstpointer shape, guint i)
{
  return weir_shape_output (shape, i)->name;
}

static const char *
get_child_name (gconstpointer shape, guint i)
{
  return ((const WeirShape *) shape)->child_names[i];
}

/* Goes on with "; " and the @n names of things of that @kind, to be translated, if there are any.
 * @text: taken over. */
static WeirMessage *
list_names (WeirMessage *text, const char *kind, guint n,
            const char *(*get_name) (gconstpointer data, guint i), gconstpointer data)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (n == 0)
    return text;
  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", get_name (data, i));
  return weir_message_join (text, "; ", weir_message_new ("%s %s", weir_phrase (kind), names->str));
}

static gboolean
explain_unknown (const WeirLayout *layout, guint32 n, const char *name, const char *path,
                 GError **error)
{
  const WeirShape *shape = layout->nodes[n].shape;
  g_autofree char *block = weir_layout_dup_path (layout, (WeirNode) { n });
  g_autoptr (WeirMessage)
      text = weir_message_new (N_ ("There is no \"%s\" (from \"%s\") in %s"), name, path,
                               *block != '\0' ? block : weir_phrase (N_ ("the model")));

  text = list_names (text, N_ ("inputs"), shape->inputs->len, get_vector_name, shape->inputs);
  text = list_names (text, N_ ("outputs"), shape->outputs->len, get_output_name, shape);
  text = list_names (text, N_ ("parameters"), shape->parameters->len, get_vector_name,
                     shape->parameters);
  text = list_names (text, N_ ("discrete states"), shape->groups->len, get_vector_name,
                     shape->groups);
  text = list_names (text, N_ ("blocks"), shape->n_children, get_child_name, shape);
  weir_error_set (error, WEIR_ERROR_NOT_FOUND, "%s.", weir_message_get_text (text));
  return FALSE;
}

/* What the tree has once, by its name. */
static gboolean
find_common (const WeirLayout *layout, const char *name, WeirTicket *ticket)
{
  for (*ticket = WEIR_TIME; weir_ticket_is_common (*ticket); ticket->i++)
    {
      g_autofree char *own = weir_layout_dup_source_name (layout, weir_source_of_common (*ticket));

      if (g_str_equal (own, name))
        return TRUE;
    }
  return FALSE;
}

gboolean
weir_explainer_find (WeirExplainer *self, const char *path, guint32 *tracker, GError **error)
{
  const WeirLayout *layout = self->layout;
  const char *colon = strrchr (path, ':'), *dot = strrchr (path, '.');
  g_autofree char *block = g_strndup (path, colon != NULL ? (gsize) (colon - path)
                                            : dot != NULL ? (gsize) (dot - path)
                                                          : 0);
  const char *name = colon != NULL ? colon + 1 : dot != NULL ? dot + 1 : path, *rest;
  WeirTicket ticket;
  WeirNode node = WEIR_ROOT;

  if (find_common (layout, path, &ticket))
    node = WEIR_ROOT;
  else if (colon == NULL && weir_layout_find_node (layout, path, &node))
    ticket = WEIR_ALL_SOURCES_EXCEPT_INPUTS;
  else if (colon != NULL || !weir_layout_find_owner (layout, path, &node, &rest)
           || !find_item (layout->nodes[node.i].shape, rest, &ticket))
    {
      const WeirShape *shape;

      while (!weir_layout_find_node (layout, block, &node)) /* as far as the path is known */
        {
          char *last = strrchr (block, '.');

          name = path + (last != NULL ? last + 1 - block : 0);
          if (last == NULL)
            {
              *block = '\0';
              continue;
            }
          *last = '\0';
        }
      shape = layout->nodes[node.i].shape;
      if (!(colon != NULL ? find_entry_or_built_in (shape, name, &ticket)
                          : find_item (shape, name, &ticket)))
        return explain_unknown (layout, node.i, name, path, error);
    }
  *tracker = weir_walk_get_tracker (self->walk, node, ticket);
  return TRUE;
}

/* --- Searching ------------------------------------------------------------------------------- */

static WeirCondition
judge (WeirExplainer *self, guint32 tracker, const WeirFlags *flags)
{
  WeirEntry entry;

  if (!weir_walk_get_entry (self->walk, tracker, &entry) || flags == NULL)
    return WEIR_CONDITION_NONE;
  return weir_bit (flags->disabled, entry.i)    ? WEIR_CONDITION_DISABLED
         : !weir_bit (flags->stale, entry.i)    ? WEIR_CONDITION_UP_TO_DATE
         : !weir_bit (flags->computed, entry.i) ? WEIR_CONDITION_NEVER_COMPUTED
                                                : WEIR_CONDITION_OUT_OF_DATE;
}

typedef const guint32 *(*NeighboursFunc) (const WeirWalk *walk, guint32 tracker, guint *n);

static void
visit (WeirExplainer *self, GArray *steps, guint64 *seen, guint32 tracker, gint32 from,
       const WeirFlags *flags)
{
  WeirStepTaken step = {
    .tracker = tracker,
    .from = from,
    .depth = from < 0 ? 0 : g_array_index (steps, WeirStepTaken, from).depth + 1,
    .condition = judge (self, tracker, flags),
  };

  if (weir_bit (seen, tracker))
    return;
  weir_bit_set (seen, tracker);
  g_array_append_val (steps, step);
}

/* Breadth first from what @steps holds. */
static void
search (WeirExplainer *self, GArray *steps, guint64 *seen, NeighboursFunc neighbours,
        const WeirFlags *flags)
{
  for (guint i = 0; i < steps->len; i++)
    {
      guint n;
      const guint32 *next = neighbours (self->walk, g_array_index (steps, WeirStepTaken, i).tracker,
                                        &n);

      for (guint k = 0; k < n; k++)
        visit (self, steps, seen, next[k], (gint32) i, flags);
    }
}

/* Drops the chains that end in no entry; where there is no other, the first beginning stays. */
static void
prune (WeirExplainer *self, GArray *steps)
{
  g_autofree guint8 *keep = g_new0 (guint8, MAX (steps->len, 1));
  g_autofree gint32 *place = g_new (gint32, MAX (steps->len, 1));
  gboolean any = FALSE;
  WeirEntry entry;
  guint kept = 0;

  for (guint i = steps->len; i-- > 0;)
    {
      const WeirStepTaken *step = &g_array_index (steps, WeirStepTaken, i);

      keep[i] |= (i == 0 && !any)
                 || (step->from >= 0 && weir_walk_get_entry (self->walk, step->tracker, &entry));
      any |= keep[i];
      if (keep[i] && step->from >= 0)
        keep[step->from] = TRUE;
    }
  for (guint i = 0; i < steps->len; i++)
    if (keep[i])
      {
        WeirStepTaken step = g_array_index (steps, WeirStepTaken, i);

        if (step.from >= 0)
          step.from = place[step.from];
        place[i] = (gint32) kept;
        g_array_index (steps, WeirStepTaken, kept++) = step;
      }
  g_array_set_size (steps, kept);
}

static GArray *
search_from (WeirExplainer *self, const guint32 *trackers, guint n, NeighboursFunc neighbours,
             const WeirFlags *flags)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (WeirStepTaken));
  g_autofree guint64 *seen = g_new0 (guint64, weir_walk_get_n_trackers (self->walk) / 64 + 1);

  for (guint i = 0; i < n; i++)
    visit (self, steps, seen, trackers[i], -1, flags);
  search (self, steps, seen, neighbours, flags);
  return steps;
}

/* What changes when the value under @tracker does: of a composite, its parts, as the setters do it;
 * time and accuracy change everywhere at once. */
static void
add_changed (WeirExplainer *self, guint32 tracker, gboolean is_part, GArray *changed)
{
  const guint32 *parts;
  WeirNode node;
  WeirTicket ticket;
  guint n;

  weir_walk_locate (self->walk, tracker, &node, &ticket);
  if (weir_ticket_is_common (ticket))
    {
      g_autoptr (GArray) everywhere = NULL;

      if (is_part) /* they are the whole tree's, never one block's */
        return;
      everywhere = weir_walk_list_changed (self->walk, weir_source_of_common (ticket));
      g_array_append_vals (changed, everywhere->data, everywhere->len);
      return;
    }
  parts = weir_walk_get_prerequisites (self->walk, tracker, &n);
  if (n == 0 || ticket.i >= WEIR_TICKET_XCDOT)
    g_array_append_val (changed, tracker);
  else
    for (guint k = 0; k < n; k++)
      add_changed (self, parts[k], TRUE, changed);
}

GArray *
weir_explain_downstream (WeirExplainer *self, guint32 tracker, const WeirFlags *flags)
{
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *steps;

  add_changed (self, tracker, FALSE, changed);
  steps = search_from (self, (const guint32 *) (const void *) changed->data, changed->len,
                       weir_walk_get_subscribers, flags);
  prune (self, steps);
  return steps;
}

GArray *
weir_explain_change (WeirExplainer *self, WeirSource source, const WeirFlags *flags)
{
  g_autoptr (GArray) changed = weir_walk_list_changed (self->walk, source);
  GArray *steps = search_from (self, (const guint32 *) (const void *) changed->data, changed->len,
                               weir_walk_get_subscribers, flags);

  prune (self, steps);
  return steps;
}

GArray *
weir_explain_upstream (WeirExplainer *self, guint32 tracker, const WeirFlags *flags)
{
  return search_from (self, &tracker, 1, weir_walk_get_prerequisites, flags);
}

/* --- Why ------------------------------------------------------------------------------------- */

typedef struct {
  guint64 event;
  guint32 source;
} Happening;

/* The newest first; of one event the source with the lowest number. */
static int
compare_happenings (gconstpointer a, gconstpointer b)
{
  const Happening *x = a, *y = b;

  if (x->event != y->event)
    return x->event > y->event ? -1 : 1;
  return x->source < y->source ? -1 : x->source > y->source;
}

/* The source of the last event before @before among those that reach the entry; FALSE if there is
 * none. */
static gboolean
find_last_source (WeirExplainer *self, WeirEntry entry, const WeirFlags *flags, guint64 before,
                  WeirWhy *why)
{
  const WeirLayout *layout = self->layout;
  g_autofree guint64 *bits = g_new (guint64, MAX (layout->n_words, 1));
  g_autofree guint64 *scratch = g_new0 (guint64, MAX (layout->n_words, 1));
  g_autoptr (GArray) happenings = g_array_new (FALSE, FALSE, sizeof (Happening));

  for (guint32 s = 0; s < flags->n_sources; s++)
    if (flags->source_last[s] > 0 && flags->source_last[s] < before)
      {
        Happening happening = { flags->source_last[s], s };

        g_array_append_val (happenings, happening);
      }
  g_array_sort (happenings, compare_happenings); /* most sources never change: few are looked at */
  for (guint i = 0; i < happenings->len && why->event == 0; i++)
    {
      const Happening *happening = &g_array_index (happenings, Happening, i);

      memset (bits, 0, layout->n_words * sizeof *bits);
      weir_masks_mark (layout->masks, happening->source, bits, scratch);
      if (!weir_bit (bits, entry.i))
        continue;
      why->event = happening->event;
      why->source.i = happening->source;
    }
  return why->event > 0;
}

WeirWhy
weir_explain_why (WeirExplainer *self, WeirEntry entry, const WeirFlags *flags)
{
  return weir_explain_why_before (self, entry, flags, G_MAXUINT64);
}

WeirWhy
weir_explain_why_before (WeirExplainer *self, WeirEntry entry, const WeirFlags *flags,
                         guint64 before)
{
  guint32 target = weir_walk_get_entry_tracker (self->walk, entry);
  WeirWhy why = {
    .condition = judge (self, target, flags),
    .path = g_array_new (FALSE, FALSE, sizeof (WeirStepTaken)),
  };
  g_autoptr (GArray) steps = NULL;
  gint32 at;

  if (!find_last_source (self, entry, flags, before, &why))
    return why;
  steps = weir_explain_change (self, why.source, flags);
  for (at = 0; g_array_index (steps, WeirStepTaken, at).tracker != target; at++)
    ;
  for (; at >= 0; at = g_array_index (steps, WeirStepTaken, at).from)
    g_array_prepend_val (why.path, g_array_index (steps, WeirStepTaken, at));
  for (guint i = 0; i < why.path->len; i++) /* places in this list, not in the search */
    g_array_index (why.path, WeirStepTaken, i).from = (gint32) i - 1;
  return why;
}

void
weir_explain_last_events (const WeirExplainer *self, const guint64 *source_last, guint64 *events)
{
  weir_masks_spread_largest (self->layout->masks, source_last, events);
}

void
weir_why_clear (WeirWhy *self)
{
  g_clear_pointer (&self->path, g_array_unref);
}

/* --- As text --------------------------------------------------------------------------------- */

static const char *
condition_text (WeirCondition condition)
{
  switch (condition)
    {
    case WEIR_CONDITION_UP_TO_DATE:
      return "up to date";
    case WEIR_CONDITION_OUT_OF_DATE:
      return "out of date";
    case WEIR_CONDITION_DISABLED:
      return "not cached";
    case WEIR_CONDITION_NEVER_COMPUTED:
      return "never computed";
    case WEIR_CONDITION_NONE:
    default:
      return NULL;
    }
}

static void
append_step (WeirExplainer *self, GString *text, const WeirStepTaken *step)
{
  g_autofree char *name = weir_walk_dup_name (self->walk, step->tracker);
  g_autofree char *shown = weir_text_escape (name[0] == ':' ? name + 1 : name);
  const char *condition = condition_text (step->condition);

  g_string_append_printf (text, "%*s%s", (int) step->depth * 2, "", shown);
  if (condition != NULL)
    g_string_append_printf (text, "  (%s)", condition);
  g_string_append_c (text, '\n');
}

char *
weir_explain_to_text (WeirExplainer *self, const GArray *steps)
{
  GString *text = g_string_new (NULL);
  g_autofree gint32 *first_child = g_new (gint32, MAX (steps->len, 1));
  g_autofree gint32 *next = g_new (gint32, MAX (steps->len, 1));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (gint32));

  for (guint i = 0; i < steps->len; i++)
    first_child[i] = next[i] = -1;
  for (gint32 i = (gint32) steps->len - 1; i >= 0; i--)
    {
      gint32 from = g_array_index (steps, WeirStepTaken, i).from;

      if (from >= 0)
        {
          next[i] = first_child[from];
          first_child[from] = i;
        }
      else
        g_array_append_val (stack, i);
    }
  while (stack->len > 0)
    {
      gint32 at = g_array_index (stack, gint32, stack->len - 1);

      g_array_set_size (stack, stack->len - 1);
      append_step (self, text, &g_array_index (steps, WeirStepTaken, at));
      if (next[at] >= 0)
        g_array_append_val (stack, next[at]);
      if (first_child[at] >= 0)
        g_array_append_val (stack, first_child[at]);
    }
  return g_string_free (text, FALSE);
}

char *
weir_why_to_text (WeirExplainer *self, WeirEntry entry, const WeirWhy *why)
{
  g_autofree char *name = weir_layout_dup_entry_path (self->layout, entry);
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s is %s", name, condition_text (why->condition));
  if (why->path->len == 0)
    {
      g_string_append (text, "; no change event has reached it");
      return g_string_free (text, FALSE);
    }
  g_string_append_printf (text, "%s event %" G_GUINT64_FORMAT ": ",
                          why->condition == WEIR_CONDITION_UP_TO_DATE
                              ? "; it was last invalidated by"
                              : "; last reached by",
                          why->event);
  for (guint i = 0; i < why->path->len; i++)
    {
      g_autofree char *step = weir_walk_dup_name (
          self->walk, g_array_index (why->path, WeirStepTaken, i).tracker);

      g_string_append_printf (text, "%s%s", i > 0 ? " -> " : "", step[0] == ':' ? step + 1 : step);
    }
  return g_string_free (text, FALSE);
}

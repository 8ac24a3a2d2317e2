/* The search over a diagram's wires: algebraic loops and feedthrough.
 *
 * It goes port by port: an edge leads from an input to each output that it feeds through to, and
 * from an output to each input that it is wired to. A nested diagram contributes its own table of
 * feedthrough, so every level is searched once.
 */
#include "base/budget.h"
#include "base/error.h"
#include "base/text.h"
#include "numerics/rows.h"
#include "system/structure/shape-private.h"

#include <string.h>

/* --- Loops and feedthrough: a search over the inputs of the children ------------------------- */

typedef struct {
  const WeirShape *shape;
  guint32 first_input;  /* among the inputs of all children */
  guint32 first_output; /* its outputs' place in driven */
} SearchChild;

typedef struct {
  guint32 input, child; /* an input and the child it belongs to */
} Target;

/* What a step of the search needs lies together: large diagrams are searched at the speed of
 * memory. */
typedef struct {
  guint32 n; /* inputs of all children */
  SearchChild *children;
  WeirRows driven; /* by output: the inputs that it drives, which are in targets */
  Target *targets;
} Search;

static void
search_init (Search *s, const WeirDiagramBuilder *b)
{
  guint32 n_outputs = 0;

  s->n = b->wiring->len;
  s->children = g_new (SearchChild, MAX (b->systems->len, 1));
  for (guint32 c = 0; c < b->systems->len; c++)
    {
      const WeirShape *shape = weir_diagram_builder_shape (b, c);

      s->children[c] = (SearchChild) { shape, g_array_index (b->first_wiring, guint32, c),
                                       n_outputs };
      n_outputs += shape->outputs->len;
    }
  weir_rows_init (&s->driven, n_outputs);
  for (guint32 i = 0; i < s->n; i++)
    {
      WeirWiring w = g_array_index (b->wiring, WeirWiring, i);

      if (w.child < WEIR_WIRED_PARENT)
        weir_rows_count (&s->driven, s->children[w.child].first_output + w.port);
    }
  weir_rows_add_up (&s->driven);
  s->targets = g_new (Target, MAX (weir_rows_get_n_items (&s->driven), 1));
  for (guint32 c = 0; c < b->systems->len; c++)
    for (guint i = 0; i < s->children[c].shape->inputs->len; i++)
      {
        guint32 input = s->children[c].first_input + i;
        WeirWiring w = g_array_index (b->wiring, WeirWiring, input);

        if (w.child < WEIR_WIRED_PARENT)
          s->targets[weir_rows_take (&s->driven, s->children[w.child].first_output + w.port)] =
              (Target) { input, c };
      }
}

static void
search_clear (Search *s)
{
  g_free (s->children);
  weir_rows_clear (&s->driven);
  g_free (s->targets);
}

typedef struct {
  Target at;
  guint16 output; /* being followed */
  guint32 target; /* next of its targets */
} Frame;

/* Moves a frame to the next input it leads to; FALSE when there is none left. */
static gboolean
search_next (const Search *s, Frame *f, Target *next)
{
  const SearchChild *child = &s->children[f->at.child];
  const WeirShape *shape = child->shape;
  guint in = f->at.input - child->first_input;

  for (; f->output < shape->outputs->len; f->output++, f->target = 0)
    {
      guint32 o = child->first_output + f->output;

      if (!shape->feedthrough[f->output * shape->inputs->len + in])
        continue;
      if (s->driven.first[o] + f->target < s->driven.first[o + 1])
        {
          *next = s->targets[s->driven.first[o] + f->target++];
          return TRUE;
        }
    }
  return FALSE;
}

/* --- Loops ----------------------------------------------------------------------------------- */

/* One search finds loops and the groups that belong together (Tarjan's strongly connected
 * components): the wires that lead back to an input whose search is under way close every loop
 * there is. */
typedef struct {
  WeirDiagramBuilder *b;
  const Search *s;
  guint32 *order;  /* by input: when it was met; 0 = not yet */
  guint32 *low;    /* the earliest met that it leads to */
  guint32 *group;  /* 1 + its group, once known */
  guint8 *is_open; /* on the stack of frames */
  guint32 n_met, n_groups;
  GArray *stack;   /* Frame */
  GArray *pending; /* guint32: inputs met, whose group is not known */
  GArray *torn;    /* Torn */
  guint8 *is_cut;  /* by input: the search does not go there; NULL = none is */
  guint32 only;    /* the input whose loops are noted; WEIR_NO_INDEX = every one */
} LoopSearch;

typedef struct {
  Target at;  /* the input that closes a loop */
  char *path; /* "a.u -> a.y -> b.u -> ... -> a.u" */
} Torn;

static void
clear_torn (gpointer data)
{
  g_free (((Torn *) data)->path);
}

/* The loop that closes at the input @at, which is on the stack. */
static char *
dup_loop_path (const LoopSearch *l, Target at)
{
  const WeirDiagramBuilder *b = l->b;
  const Search *s = l->s;
  g_autoptr (GString) path = g_string_new (NULL);
  guint from = 0;

  while (g_array_index (l->stack, Frame, from).at.input != at.input)
    from++;
  for (guint k = from; k < l->stack->len; k++)
    {
      const Frame *f = &g_array_index (l->stack, Frame, k);
      const SearchChild *child = &s->children[f->at.child];
      const char *name = weir_diagram_builder_name (b, f->at.child);

      g_string_append_printf (
          path, "%s.%s -> %s.%s -> ", name,
          weir_shape_input (child->shape, f->at.input - child->first_input)->name, name,
          weir_shape_output (child->shape, f->output)->name);
    }
  g_string_append_printf (
      path, "%s.%s", weir_diagram_builder_name (b, at.child),
      weir_shape_input (s->children[at.child].shape, at.input - s->children[at.child].first_input)
          ->name);
  return g_string_free (g_steal_pointer (&path), FALSE);
}

static void
meet (LoopSearch *l, Target at)
{
  Frame frame = { .at = at };

  l->order[at.input] = l->low[at.input] = ++l->n_met;
  l->is_open[at.input] = TRUE;
  g_array_append_val (l->pending, at.input);
  g_array_append_val (l->stack, frame);
}

static void
note_torn (LoopSearch *l, Target at)
{
  Torn torn = { at, NULL };

  for (guint i = 0; i < l->torn->len; i++)
    if (g_array_index (l->torn, Torn, i).at.input == at.input)
      return;
  torn.path = dup_loop_path (l, at);
  g_array_append_val (l->torn, torn);
}

/* All that the top frame's input leads to has been searched. */
static void
leave (LoopSearch *l)
{
  guint32 input = g_array_index (l->stack, Frame, l->stack->len - 1).at.input;

  l->is_open[input] = FALSE;
  g_array_set_size (l->stack, l->stack->len - 1);
  if (l->stack->len > 0)
    {
      guint32 up = g_array_index (l->stack, Frame, l->stack->len - 1).at.input;

      l->low[up] = MIN (l->low[up], l->low[input]);
    }
  if (l->low[input] != l->order[input])
    return;
  l->n_groups++;
  for (guint32 last = WEIR_NO_INDEX; last != input;)
    {
      last = g_array_index (l->pending, guint32, l->pending->len - 1);
      g_array_set_size (l->pending, l->pending->len - 1);
      l->group[last] = l->n_groups;
    }
}

static void
search_from (LoopSearch *l, Target start)
{
  if (l->order[start.input] != 0)
    return;
  meet (l, start);
  while (l->stack->len > 0)
    {
      Frame *top = &g_array_index (l->stack, Frame, l->stack->len - 1);
      guint32 input = top->at.input;
      Target next;

      if (!search_next (l->s, top, &next))
        {
          leave (l);
          continue;
        }
      if (l->is_cut != NULL && l->is_cut[next.input])
        continue;
      if (l->order[next.input] == 0)
        {
          meet (l, next);
          continue;
        }
      if (l->is_open[next.input] && (l->only == WEIR_NO_INDEX || l->only == next.input))
        note_torn (l, next);
      if (l->group[next.input] == 0)
        l->low[input] = MIN (l->low[input], l->order[next.input]);
    }
}

static const WeirOutputDecl *
wired_output (const WeirDiagramBuilder *b, WeirWiring from)
{
  return weir_shape_output (weir_diagram_builder_shape (b, from.child), from.port);
}

/* The guess that the output declares, or the one within a diagram which it shows. */
static const double *
find_guess (const WeirDiagramBuilder *b, WeirWiring from)
{
  const WeirShape *shape;
  const WeirOutputDecl *out;

  if (from.child >= WEIR_WIRED_PARENT)
    return NULL;
  shape = weir_diagram_builder_shape (b, from.child);
  out = weir_shape_output (shape, from.port);
  while (shape->is_diagram)
    {
      shape = shape->children[out->child];
      out = weir_shape_output (shape, out->child_output);
    }
  return out->guess;
}

/* A signal that a loop is cut at. */
typedef struct {
  char *name; /* the output that gives it: "Sum1.y" */
  guint size;
  const double *guess; /* size values, or NULL */
} LoopSignal;

/* The leaf that stands for a loop. It has declarations and no code: evaluation knows how its
 * entries, the solution and then the parts of it that are its outputs, are computed. @path: the
 * loop as people read it. (transfer full) */
static WeirSystem *
loop_leaf_new (const LoopSignal *signals, guint n, const char *path)
{
  WeirLeafBuilder *b = weir_leaf_builder_new_for_loop ();
  g_autoptr (GArray) start = g_array_new (FALSE, TRUE, sizeof (double));
  g_autoptr (GByteArray) data = g_byte_array_new ();
  gboolean has_guess = FALSE;
  WeirGroup group;
  WeirCached solution;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("u%u", i + 1);

      weir_leaf_add_input (b, name, signals[i].size);
      if (signals[i].guess != NULL)
        g_array_append_vals (start, signals[i].guess, signals[i].size);
      else
        g_array_set_size (start, start->len + signals[i].size);
      has_guess |= signals[i].guess != NULL;
    }
  group = weir_leaf_add_discrete_state (b, "start", (const double *) (gpointer) start->data,
                                        start->len);
  solution = weir_leaf_add_cache_entry (b, "solution", start->len, NULL,
                                        WEIR_DEPENDS (weir_group_ticket (b, group)));
  weir_leaf_set_start (b, solution, group);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("y%u", i + 1);

      weir_leaf_add_output (b, name, signals[i].size, NULL,
                            WEIR_DEPENDS (weir_cached_ticket (b, solution)));
    }
  g_byte_array_append (data, (const guint8[]) { has_guess ? WEIR_LOOP_HAS_GUESS : '-' }, 1);
  g_byte_array_append (data, (const guint8 *) path, (guint) strlen (path) + 1);
  for (guint i = 0; i < n; i++)
    g_byte_array_append (data, (const guint8 *) signals[i].name,
                         (guint) strlen (signals[i].name) + 1);
  weir_leaf_set_data (b, data->data, data->len);
  return weir_leaf_builder_build (b);
}

static void
clear_signal (gpointer data)
{
  g_free (((LoopSignal *) data)->name);
}

/* FALSE after noting that the full matrix of the equations that solve the loop is too much. */
static gboolean
check_loop_budget (WeirDiagramBuilder *b, const GArray *signals, const char *path)
{
  g_autoptr (GError) error = NULL;
  guint64 n = 0;

  for (guint i = 0; i < signals->len; i++)
    n += g_array_index (signals, LoopSignal, i).size;
  if (weir_budget_allows (weir_budget_multiply (n, WEIR_LOOP_MATRICES * n + WEIR_LOOP_ROWS),
                          sizeof (double), N_ ("Solving it"),
                          N_ ("break it, or make its signals narrower"), &error))
    return TRUE;
  weir_diagram_builder_note_problem (b, N_ ("Algebraic loop with %lu unknowns: %s. %s"), n, path,
                                     weir_error_get_text (error));
  return FALSE;
}

/* Puts a leaf that solves @group's loops into the wires that close them. */
static void
cut_group (LoopSearch *l, guint32 group)
{
  WeirDiagramBuilder *b = l->b;
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (WeirWiring));
  g_autoptr (GArray) signals = g_array_new (FALSE, FALSE, sizeof (LoopSignal));
  g_autoptr (GArray) cuts = g_array_new (FALSE, FALSE, sizeof (guint32)); /* input, source, ... */
  g_autoptr (WeirSystem) leaf = NULL;
  g_autofree char *name = NULL;
  const char *path = NULL;
  WeirChild child;

  g_array_set_clear_func (signals, clear_signal);
  for (guint i = 0; i < l->torn->len; i++)
    {
      const Torn *torn = &g_array_index (l->torn, Torn, i);
      WeirWiring from = g_array_index (b->wiring, WeirWiring, torn->at.input);
      const WeirOutputDecl *output;
      guint32 k = 0;

      if (l->group[torn->at.input] != group)
        continue;
      output = wired_output (b, from);
      if (output->type != NULL)
        {
          weir_diagram_builder_note_problem (
              b,
              N_ ("Algebraic loop of abstract values, which cannot be "
                  "solved: %s."),
              torn->path);
          return;
        }
      path = path != NULL ? path : torn->path;
      while (k < sources->len
             && (g_array_index (sources, WeirWiring, k).child != from.child
                 || g_array_index (sources, WeirWiring, k).port != from.port))
        k++;
      if (k == sources->len)
        {
          LoopSignal loop_signal = {
            g_strdup_printf ("%s.%s", weir_diagram_builder_name (b, from.child), output->name),
            output->size,
            find_guess (b, from),
          };

          g_array_append_val (sources, from);
          g_array_append_val (signals, loop_signal);
        }
      g_array_append_val (cuts, torn->at.input);
      g_array_append_val (cuts, k);
    }
  if (!check_loop_budget (b, signals, path))
    return;
  leaf = loop_leaf_new ((const LoopSignal *) (gpointer) signals->data, signals->len, path);
  for (guint32 i = 1;
       name == NULL || g_hash_table_contains (weir_diagram_builder_get_by_name (b), name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("loop%u", i);
    }
  child = weir_diagram_builder_add (b, name, leaf);
  for (guint k = 0; k < sources->len; k++)
    *weir_diagram_builder_wiring (b, child.i, k) = g_array_index (sources, WeirWiring, k);
  for (guint i = 0; i < cuts->len; i += 2)
    g_array_index (b->wiring, WeirWiring, g_array_index (cuts, guint32, i)) = (WeirWiring) {
      child.i, (guint16) g_array_index (cuts, guint32, i + 1)
    };
}

static void
search_all (LoopSearch *l)
{
  const Search *s = l->s;

  for (guint32 c = 0; c < l->b->systems->len; c++)
    for (guint i = 0; i < s->children[c].shape->inputs->len; i++)
      search_from (l, (Target) { s->children[c].first_input + i, c });
}

/* Forgets what was met, and nothing else. */
static void
begin_again (LoopSearch *l)
{
  memset (l->order, 0, l->s->n * sizeof *l->order);
  memset (l->group, 0, l->s->n * sizeof *l->group);
  g_array_set_size (l->pending, 0);
  l->n_met = 0;
}

/* Where somebody has given a guess the loop is cut, and elsewhere only as far as that leaves loops.
 * The groups stay those of the whole. */
static void
prefer_guesses (LoopSearch *l)
{
  const WeirDiagramBuilder *b = l->b;
  const Search *s = l->s;
  g_autofree guint8 *is_loop = g_new0 (guint8, l->n_groups + 1);
  g_autofree guint32 *groups = NULL;
  guint32 n_groups = l->n_groups;

  for (guint i = 0; i < l->torn->len; i++)
    is_loop[l->group[g_array_index (l->torn, Torn, i).at.input]] = TRUE;
  groups = g_memdup2 (l->group, s->n * sizeof *groups);
  for (guint32 c = 0; c < b->systems->len; c++)
    for (guint i = 0; i < s->children[c].shape->inputs->len; i++)
      {
        Target at = { s->children[c].first_input + i, c };

        if (!is_loop[groups[at.input]]
            || find_guess (b, g_array_index (b->wiring, WeirWiring, at.input)) == NULL)
          continue;
        if (l->is_cut == NULL)
          {
            l->is_cut = g_new0 (guint8, s->n);
            g_array_set_size (l->torn, 0);
          }
        begin_again (l);
        l->only = at.input;
        search_from (l, at);
        l->is_cut[at.input] = TRUE;
      }
  if (l->is_cut != NULL)
    {
      begin_again (l);
      l->only = WEIR_NO_INDEX;
      search_all (l);
    }
  memcpy (l->group, groups, s->n * sizeof *groups);
  l->n_groups = n_groups;
}

static void
find_loops (WeirDiagramBuilder *b, const Search *s, LoopSearch *l)
{
  gsize n = MAX (s->n, 1);

  *l = (LoopSearch) {
    .b = b,
    .s = s,
    .order = g_new0 (guint32, n),
    .low = g_new0 (guint32, n),
    .group = g_new0 (guint32, n),
    .is_open = g_new0 (guint8, n),
    .stack = g_array_new (FALSE, FALSE, sizeof (Frame)),
    .pending = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .torn = g_array_new (FALSE, FALSE, sizeof (Torn)),
    .only = WEIR_NO_INDEX,
  };
  g_array_set_clear_func (l->torn, clear_torn);
  search_all (l);
  if (l->torn->len > 0)
    prefer_guesses (l);
  if (l->torn->len > 0 && !b->solves_loops)
    weir_diagram_builder_note_problem (
        b,
        N_ ("Algebraic loop: %s. Break it with a block that has state, such as an Integrator or a "
            "Unit delay."),
        g_array_index (l->torn, Torn, 0).path);
}

/* Each group once, in the order that its first wire was found. */
static void
cut_loops (LoopSearch *l)
{
  g_autofree guint8 *done = g_new0 (guint8, l->n_groups + 1);

  for (guint i = 0; i < l->torn->len && l->b->error == NULL; i++)
    {
      guint32 group = l->group[g_array_index (l->torn, Torn, i).at.input];

      if (!done[group])
        cut_group (l, group);
      done[group] = TRUE;
    }
}

static void
loop_search_clear (LoopSearch *l)
{
  g_free (l->order);
  g_free (l->low);
  g_free (l->group);
  g_free (l->is_open);
  g_free (l->is_cut);
  g_clear_pointer (&l->stack, g_array_unref);
  g_clear_pointer (&l->pending, g_array_unref);
  g_clear_pointer (&l->torn, g_array_unref);
}

/* TRUE if every wire that could be part of a loop leads to a later child: then there is none, and
 * large diagrams built in order need no search. */
static gboolean
is_in_order (const WeirDiagramBuilder *b)
{
  for (guint32 c = 0; c < b->systems->len; c++)
    {
      const WeirShape *shape = weir_diagram_builder_shape (b, c);

      for (guint i = 0; i < shape->inputs->len; i++)
        {
          guint32 from = weir_diagram_builder_wiring (b, c, i)->child;
          gboolean feeds_through = FALSE;

          if (from < c || from >= WEIR_WIRED_PARENT)
            continue;
          for (guint o = 0; o < shape->outputs->len; o++)
            feeds_through |= shape->feedthrough[o * shape->inputs->len + i];
          if (feeds_through)
            return FALSE;
        }
    }
  return TRUE;
}

static void
calc_feedthrough (WeirDiagramBuilder *b, const Search *s)
{
  WeirShape *shape = b->shape;
  guint n_inputs = shape->inputs->len, n_outputs = shape->outputs->len;
  g_autofree guint8 *seen = g_new (guint8, MAX (s->n, 1));
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (Target));

  for (guint j = 0; j < n_inputs && n_outputs > 0; j++)
    {
      memset (seen, 0, s->n);
      g_array_set_size (queue, 0);
      for (guint32 c = 0; c < b->systems->len; c++)
        for (guint i = 0; i < s->children[c].shape->inputs->len; i++)
          {
            Target at = { s->children[c].first_input + i, c };
            WeirWiring w = g_array_index (b->wiring, WeirWiring, at.input);

            if (w.child == WEIR_WIRED_PARENT && w.port == j)
              {
                seen[at.input] = TRUE;
                g_array_append_val (queue, at);
              }
          }
      for (guint k = 0; k < queue->len; k++)
        {
          Frame f = { .at = g_array_index (queue, Target, k) };
          Target next;

          while (search_next (s, &f, &next))
            if (!seen[next.input])
              {
                seen[next.input] = TRUE;
                g_array_append_val (queue, next);
              }
        }
      for (guint o = 0; o < n_outputs; o++)
        {
          const WeirOutputDecl *out = weir_shape_output (shape, o);
          const SearchChild *child = &s->children[out->child];

          for (guint i = 0; i < child->shape->inputs->len; i++)
            if (seen[child->first_input + i]
                && child->shape->feedthrough[out->child_output * child->shape->inputs->len + i])
              shape->feedthrough[o * n_inputs + j] = TRUE;
        }
    }
}

void
weir_diagram_builder_search (WeirDiagramBuilder *b)
{
  gboolean is_ordered = is_in_order (b);
  LoopSearch loops = { 0 };
  Search search;

  if (is_ordered && (b->shape->inputs->len == 0 || b->shape->outputs->len == 0))
    return;
  search_init (&search, b);
  if (!is_ordered)
    find_loops (b, &search, &loops);
  calc_feedthrough (b, &search); /* through loops as well, so before they are cut */
  if (b->error == NULL && loops.torn != NULL)
    cut_loops (&loops);
  loop_search_clear (&loops);
  search_clear (&search);
}

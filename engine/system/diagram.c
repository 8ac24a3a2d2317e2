/* The diagram builder: children, wires and exported ports become a shape and a system.
 *
 * Problems are collected as the calls come and reported by weir_diagram_builder_build(), the first one
 * wins. Algebraic loops are found port by port: an edge leads from an input to each output that it
 * feeds through to, and from an output to each input that it is wired to. A nested diagram contributes
 * its own table of feedthrough, so every level is searched once.
 */
#include "system/diagram.h"
#include "system/system-private.h"

#include <string.h>

struct _WeirDiagramBuilder {
  WeirShape *shape;
  GPtrArray *systems;   /* WeirSystem */
  GPtrArray *names;     /* char * */
  GHashTable *by_name;  /* name -> child + 1 */
  GArray *first_wiring; /* guint32 by child */
  GArray *wiring;       /* WeirWiring */
  GError *error;        /* the first problem */
};

WeirDiagramBuilder *
weir_diagram_builder_new (void)
{
  WeirDiagramBuilder *b = g_new0 (WeirDiagramBuilder, 1);

  b->shape = weir_shape_new ("Diagram", TRUE);
  b->systems = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_system_unref);
  b->names = g_ptr_array_new_with_free_func (g_free);
  b->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  b->first_wiring = g_array_new (FALSE, FALSE, sizeof (guint32));
  b->wiring = g_array_new (FALSE, FALSE, sizeof (WeirWiring));
  return b;
}

void
weir_diagram_builder_free (WeirDiagramBuilder *b)
{
  if (b == NULL)
    return;
  g_clear_pointer (&b->shape, weir_shape_unref);
  g_clear_pointer (&b->systems, g_ptr_array_unref);
  g_clear_pointer (&b->names, g_ptr_array_unref);
  g_hash_table_unref (b->by_name);
  g_array_unref (b->first_wiring);
  g_array_unref (b->wiring);
  g_clear_error (&b->error);
  g_free (b);
}

static void G_GNUC_PRINTF (2, 3)
note_problem (WeirDiagramBuilder *b, const char *format, ...)
{
  va_list arguments;

  if (b->error != NULL)
    return;
  va_start (arguments, format);
  b->error = g_error_new_valist (WEIR_ERROR, WEIR_ERROR_INVALID, format, arguments);
  va_end (arguments);
}

static const WeirShape *
child_shape (const WeirDiagramBuilder *b, guint32 child)
{
  return ((WeirSystem *) g_ptr_array_index (b->systems, child))->shape;
}

static const char *
child_name (const WeirDiagramBuilder *b, guint32 child)
{
  return g_ptr_array_index (b->names, child);
}

/* FALSE, with a problem noted, unless the child was added here and has that port. */
static gboolean
check_port (WeirDiagramBuilder *b, WeirChild child, gboolean is_input, guint i)
{
  const WeirShape *shape;
  guint n;

  if (child.i >= b->systems->len)
    {
      note_problem (b, "There is no block number %u to wire; %u were added.", child.i, b->systems->len);
      return FALSE;
    }
  shape = child_shape (b, child.i);
  n = is_input ? shape->inputs->len : shape->outputs->len;
  if (i >= n)
    note_problem (b, "%s has no %s number %u; it has %u.", child_name (b, child.i),
                  is_input ? "input" : "output", i, n);
  return i < n;
}

/* Ports of the diagram are told apart by their names. */
static void
check_port_name (WeirDiagramBuilder *b, gboolean is_input, const char *name)
{
  guint n = is_input ? b->shape->inputs->len : b->shape->outputs->len;

  for (guint i = 0; i < n; i++)
    if (g_str_equal (name, is_input ? weir_shape_input (b->shape, i)->name
                                    : weir_shape_output (b->shape, i)->name))
      note_problem (b, "Two %s of the diagram are called \"%s\".", is_input ? "inputs" : "outputs",
                    name);
}

static WeirWiring *
wiring_of (const WeirDiagramBuilder *b, guint32 child, guint in)
{
  return &g_array_index (b->wiring, WeirWiring,
                         g_array_index (b->first_wiring, guint32, child) + in);
}

WeirChild
weir_diagram_builder_add (WeirDiagramBuilder *b, const char *name, WeirSystem *system)
{
  static const WeirWiring nothing = { WEIR_WIRED_NOTHING, 0 };
  guint32 child = b->systems->len;

  if (name[0] == '\0' || strchr (name, '.') != NULL)
    note_problem (b, "\"%s\" is no name for a block: a name is not empty and has no '.'.", name);
  else if (g_hash_table_contains (b->by_name, name))
    note_problem (b, "Two blocks of one diagram are called \"%s\".", name);
  g_ptr_array_add (b->systems, weir_system_ref (system));
  g_ptr_array_add (b->names, g_strdup (name));
  g_hash_table_insert (b->by_name, g_ptr_array_index (b->names, child), GUINT_TO_POINTER (child + 1));
  g_array_append_val (b->first_wiring, b->wiring->len);
  for (guint i = 0; i < system->shape->inputs->len; i++)
    g_array_append_val (b->wiring, nothing);
  return (WeirChild) { child };
}

/* What a wire carries. */
typedef struct {
  guint size;
  const GVariantType *type; /* of abstract values */
} Signal;

static char *
signal_dup_text (guint size, const GVariantType *type)
{
  return type == NULL ? g_strdup_printf ("has size %u", size)
                      : g_strdup_printf ("carries abstract values of type \"%.*s\"",
                                         (int) g_variant_type_get_string_length (type),
                                         g_variant_type_peek_string (type));
}

static gboolean
is_same_signal (Signal a, guint size, const GVariantType *type)
{
  return a.size == size && (a.type == NULL) == (type == NULL)
         && (type == NULL || g_variant_type_equal (a.type, type));
}

static void
wire (WeirDiagramBuilder *b, WeirWiring from, Signal signal, const char *from_block,
      const char *from_port, WeirChild to, WeirInput in)
{
  const WeirVectorDecl *input;
  WeirWiring *wiring;

  if (!check_port (b, to, TRUE, in.i))
    return;
  input = weir_shape_input (child_shape (b, to.i), in.i);
  wiring = wiring_of (b, to.i, in.i);

  if (wiring->child != WEIR_WIRED_NOTHING)
    note_problem (b, "%s: input \"%s\" is wired twice; the second wire comes from %s.%s.",
                  child_name (b, to.i), input->name, from_block, from_port);
  else if (!is_same_signal (signal, input->size, input->type))
    {
      g_autofree char *wanted = signal_dup_text (input->size, input->type);
      g_autofree char *given = signal_dup_text (signal.size, signal.type);

      note_problem (b, "%s: input \"%s\" %s, but %s.%s %s.", child_name (b, to.i), input->name, wanted,
                    from_block, from_port, given);
    }
  else
    *wiring = from;
}

void
weir_diagram_builder_connect (WeirDiagramBuilder *b, WeirChild from, WeirOutput out, WeirChild to,
                              WeirInput in)
{
  const WeirOutputDecl *output;

  if (!check_port (b, from, FALSE, out.i))
    return;
  output = weir_shape_output (child_shape (b, from.i), out.i);
  wire (b, (WeirWiring) { from.i, out.i }, (Signal) { output->size, output->type },
        child_name (b, from.i), output->name, to, in);
}

static gboolean
find_child (WeirDiagramBuilder *b, const char *name, WeirChild *child)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (b->by_name, name));

  if (found == 0)
    note_problem (b, "There is no block \"%s\" to wire.", name);
  child->i = found - 1;
  return found != 0;
}

void
weir_diagram_builder_connect_by_name (WeirDiagramBuilder *b, const char *from, const char *out,
                                      const char *to, const char *in)
{
  WeirChild source, target;
  WeirOutput output;
  WeirInput input;

  if (!find_child (b, from, &source) || !find_child (b, to, &target))
    return;
  if (!weir_system_find_output (g_ptr_array_index (b->systems, source.i), out, &output))
    note_problem (b, "%s has no output \"%s\".", from, out);
  else if (!weir_system_find_input (g_ptr_array_index (b->systems, target.i), in, &input))
    note_problem (b, "%s has no input \"%s\".", to, in);
  else
    weir_diagram_builder_connect (b, source, output, target, input);
}

static WeirInput
add_input (WeirDiagramBuilder *b, const char *name, guint size, const GVariantType *type)
{
  WeirVectorDecl decl = {
    .name = g_strdup (name),
    .size = size,
    .type = type == NULL ? NULL : g_variant_type_copy (type),
    .ticket = weir_shape_add_item (b->shape, WEIR_ITEM_INPUT, b->shape->inputs->len),
  };

  check_port_name (b, TRUE, name);
  g_array_append_val (b->shape->inputs, decl);
  return (WeirInput) { (guint16) (b->shape->inputs->len - 1) };
}

WeirInput
weir_diagram_builder_add_input (WeirDiagramBuilder *b, const char *name, guint size)
{
  return add_input (b, name, size, NULL);
}

WeirInput
weir_diagram_builder_add_abstract_input (WeirDiagramBuilder *b, const char *name,
                                         const GVariantType *type)
{
  return add_input (b, name, 0, type);
}

void
weir_diagram_builder_connect_input (WeirDiagramBuilder *b, WeirInput in, WeirChild to,
                                    WeirInput child_in)
{
  const WeirVectorDecl *input;

  if (in.i >= b->shape->inputs->len)
    {
      note_problem (b, "The diagram has no input number %u; it has %u.", in.i, b->shape->inputs->len);
      return;
    }
  input = weir_shape_input (b->shape, in.i);
  wire (b, (WeirWiring) { WEIR_WIRED_PARENT, in.i }, (Signal) { input->size, input->type },
        "the diagram's input", input->name, to, child_in);
}

WeirOutput
weir_diagram_builder_add_output (WeirDiagramBuilder *b, const char *name, WeirChild from,
                                 WeirOutput out)
{
  const WeirOutputDecl *shown
      = check_port (b, from, FALSE, out.i) ? weir_shape_output (child_shape (b, from.i), out.i) : NULL;
  WeirOutputDecl decl = {
    .name = g_strdup (name),
    .size = shown == NULL ? 0 : shown->size,
    .type = shown == NULL || shown->type == NULL ? NULL : g_variant_type_copy (shown->type),
    .ticket = weir_shape_add_item (b->shape, WEIR_ITEM_OUTPUT, b->shape->outputs->len),
    .shown = WEIR_TICKET_NOTHING,
    .child = from.i,
    .child_output = out.i,
  };

  check_port_name (b, FALSE, name);
  g_array_append_val (b->shape->outputs, decl);
  return (WeirOutput) { (guint16) (b->shape->outputs->len - 1) };
}

/* --- Loops and feedthrough: a search over the inputs of the children ---------------------------- */

typedef struct {
  const WeirShape *shape;
  guint32 first_input;  /* among the inputs of all children */
  guint32 first_output; /* its outputs' place in first_target */
} SearchChild;

typedef struct {
  guint32 input, child; /* an input and the child it belongs to */
} Target;

/* What a step of the search needs lies together: large diagrams are searched at the speed of memory. */
typedef struct {
  guint32 n;             /* inputs of all children */
  SearchChild *children;
  guint32 *first_target; /* by output: the inputs that it drives, in targets */
  Target *targets;
} Search;

static void
search_init (Search *s, const WeirDiagramBuilder *b)
{
  guint32 n_outputs = 0;
  guint32 *fill;

  s->n = b->wiring->len;
  s->children = g_new (SearchChild, MAX (b->systems->len, 1));
  for (guint32 c = 0; c < b->systems->len; c++)
    {
      const WeirShape *shape = child_shape (b, c);

      s->children[c] = (SearchChild) { shape, g_array_index (b->first_wiring, guint32, c), n_outputs };
      n_outputs += shape->outputs->len;
    }
  s->first_target = g_new0 (guint32, n_outputs + 2);
  s->targets = g_new (Target, MAX (s->n, 1));
  for (guint32 i = 0; i < s->n; i++)
    {
      WeirWiring w = g_array_index (b->wiring, WeirWiring, i);

      if (w.child < WEIR_WIRED_PARENT)
        s->first_target[s->children[w.child].first_output + w.port + 2]++;
    }
  for (guint32 o = 0; o < n_outputs; o++)
    s->first_target[o + 2] += s->first_target[o + 1];
  fill = s->first_target + 1;
  for (guint32 c = 0; c < b->systems->len; c++)
    for (guint i = 0; i < s->children[c].shape->inputs->len; i++)
      {
        guint32 input = s->children[c].first_input + i;
        WeirWiring w = g_array_index (b->wiring, WeirWiring, input);

        if (w.child < WEIR_WIRED_PARENT)
          s->targets[fill[s->children[w.child].first_output + w.port]++] = (Target) { input, c };
      }
}

static void
search_clear (Search *s)
{
  g_free (s->children);
  g_free (s->first_target);
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
      if (s->first_target[o] + f->target < s->first_target[o + 1])
        {
          *next = s->targets[s->first_target[o] + f->target++];
          return TRUE;
        }
    }
  return FALSE;
}

/* The loop closes at the input @at, which is on the stack. */
static void
report_loop (WeirDiagramBuilder *b, const Search *s, const GArray *stack, Target at)
{
  g_autoptr (GString) path = g_string_new (NULL);
  guint from = 0;

  while (g_array_index (stack, Frame, from).at.input != at.input)
    from++;
  for (guint k = from; k < stack->len; k++)
    {
      const Frame *f = &g_array_index (stack, Frame, k);
      const SearchChild *child = &s->children[f->at.child];
      const char *name = child_name (b, f->at.child);

      g_string_append_printf (
          path, "%s.%s -> %s.%s -> ", name,
          weir_shape_input (child->shape, f->at.input - child->first_input)->name, name,
          weir_shape_output (child->shape, f->output)->name);
    }
  g_string_append_printf (
      path, "%s.%s", child_name (b, at.child),
      weir_shape_input (s->children[at.child].shape, at.input - s->children[at.child].first_input)
          ->name);
  note_problem (b, "Algebraic loop: %s. Break it with a block that has state, such as an Integrator "
                   "or a Unit delay.", path->str);
}

/* Searches from one input; FALSE if that met a loop. */
static gboolean
search_from (WeirDiagramBuilder *b, const Search *s, Target start, guint8 *colour, GArray *stack)
{
  enum { WHITE, GREY, BLACK };
  Frame first = { .at = start };

  if (colour[start.input] != WHITE)
    return TRUE;
  colour[start.input] = GREY;
  g_array_append_val (stack, first);
  while (stack->len > 0)
    {
      Frame *top = &g_array_index (stack, Frame, stack->len - 1);
      Frame frame = { 0 };

      if (!search_next (s, top, &frame.at))
        {
          colour[top->at.input] = BLACK;
          g_array_set_size (stack, stack->len - 1);
        }
      else if (colour[frame.at.input] == GREY)
        {
          report_loop (b, s, stack, frame.at);
          return FALSE;
        }
      else if (colour[frame.at.input] == WHITE)
        {
          colour[frame.at.input] = GREY;
          g_array_append_val (stack, frame);
        }
    }
  return TRUE;
}

static void
find_loops (WeirDiagramBuilder *b, const Search *s)
{
  g_autofree guint8 *colour = g_new0 (guint8, MAX (s->n, 1));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));

  for (guint32 c = 0; c < b->systems->len; c++)
    for (guint i = 0; i < s->children[c].shape->inputs->len; i++)
      if (!search_from (b, s, (Target) { s->children[c].first_input + i, c }, colour, stack))
        return;
}

/* TRUE if every wire that could be part of a loop leads to a later child: then there is none, and large
 * diagrams built in order need no search. */
static gboolean
is_in_order (const WeirDiagramBuilder *b)
{
  for (guint32 c = 0; c < b->systems->len; c++)
    {
      const WeirShape *shape = child_shape (b, c);

      for (guint i = 0; i < shape->inputs->len; i++)
        {
          guint32 from = wiring_of (b, c, i)->child;
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

/* --- The diagram's own computations: collected derivatives, summed energies ---------------------- */

static void
add_sum_entry (WeirDiagramBuilder *b, guint16 ticket, WeirEntryKind kind, const char *name)
{
  WeirShape *shape = b->shape;
  WeirEntryDecl decl = { .kind = kind, .ticket = ticket };

  for (guint32 c = 0; c < b->systems->len; c++)
    {
      const WeirShape *child = child_shape (b, c);
      int entry = weir_shape_find_entry (child, ticket);

      if (entry >= 0 && kind != WEIR_ENTRY_ENERGY)
        decl.size += weir_shape_entry (child, (guint) entry)->size;
      else if (entry >= 0)
        decl.size = 1;
    }
  if (decl.size == 0)
    return;
  decl.name = g_strdup (name);
  g_array_index (shape->items, WeirItem, ticket).index = (guint16) shape->entries->len;
  g_array_append_val (shape->entries, decl);
}

WeirSystem *
weir_diagram_builder_build (WeirDiagramBuilder *b, GError **error)
{
  WeirSystem *self = NULL;
  WeirShape *shape = b->shape;
  Search search;

  if (b->error == NULL)
    {
      gboolean is_ordered = is_in_order (b);

      shape->feedthrough
          = g_new0 (guint8, (gsize) MAX (shape->inputs->len, 1) * MAX (shape->outputs->len, 1));
      if (!is_ordered || (shape->inputs->len > 0 && shape->outputs->len > 0))
        {
          search_init (&search, b);
          if (!is_ordered)
            find_loops (b, &search);
          calc_feedthrough (b, &search);
          search_clear (&search);
        }
    }
  if (b->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&b->error));
      weir_diagram_builder_free (b);
      return NULL;
    }

  add_sum_entry (b, WEIR_TICKET_XCDOT, WEIR_ENTRY_DERIVATIVES, "time derivatives");
  for (guint16 t = WEIR_TICKET_PE; t <= WEIR_TICKET_PNC; t++)
    add_sum_entry (b, t, WEIR_ENTRY_ENERGY, weir_energy_name (t));
  add_sum_entry (b, WEIR_TICKET_XD_UPDATE, WEIR_ENTRY_UPDATE, "unique periodic update");

  shape->n_children = b->systems->len;
  shape->children = g_new (WeirShape *, MAX (shape->n_children, 1));
  shape->child_names = g_new (char *, MAX (shape->n_children, 1));
  for (guint32 c = 0; c < shape->n_children; c++)
    {
      shape->children[c]
          = weir_shape_ref (((WeirSystem *) g_ptr_array_index (b->systems, c))->shape);
      shape->child_names[c] = g_strdup (child_name (b, c));
    }
  shape->first_wiring = g_memdup2 (b->first_wiring->data, shape->n_children * sizeof (guint32));
  shape->wiring = g_memdup2 (b->wiring->data, b->wiring->len * sizeof (WeirWiring));
  weir_shape_seal (shape);

  self = weir_system_new (g_steal_pointer (&b->shape));
  self->children = g_memdup2 (b->systems->pdata, shape->n_children * sizeof (gpointer));
  g_ptr_array_set_free_func (b->systems, NULL); /* the references moved */
  weir_diagram_builder_free (b);
  return self;
}

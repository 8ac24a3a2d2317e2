/* The diagram builder: children, wires and exported ports become a shape and a system.
 *
 * Problems are collected as the calls come and reported by weir_diagram_builder_build(), the first
 * one wins.
 */
#include "system/structure/shape-private.h"

#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"

WeirDiagramBuilder *
weir_diagram_builder_new (void)
{
  WeirDiagramBuilder *b = g_new0 (WeirDiagramBuilder, 1);

  b->shape = weir_shape_new ("Diagram", TRUE);
  b->systems = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_system_unref);
  b->names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < G_N_ELEMENTS (b->port_names); i++)
    b->port_names[i] = g_hash_table_new (g_str_hash, g_str_equal);
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
  g_clear_pointer (&b->by_name, g_hash_table_unref);
  for (guint i = 0; i < G_N_ELEMENTS (b->port_names); i++)
    g_hash_table_unref (b->port_names[i]);
  g_array_unref (b->first_wiring);
  g_array_unref (b->wiring);
  g_clear_error (&b->error);
  g_free (b);
}

void
weir_diagram_builder_note_problem (WeirDiagramBuilder *b, const char *format, ...)
{
  g_autoptr (WeirMessage) problem = NULL;
  va_list arguments;

  weir_diagram_builder_take_wires (b); /* whose problems come before */
  if (b->error != NULL)
    return;
  va_start (arguments, format);
  problem = weir_message_new_valist (format, arguments);
  va_end (arguments);
  weir_error_set (&b->error, WEIR_ERROR_INVALID, "%s", weir_message_get_text (problem));
  b->n_before_error = b->systems->len;
}

/* FALSE, with a problem noted, unless the child was added here. */
static gboolean
check_child (WeirDiagramBuilder *b, WeirChild child)
{
  if (child.i < b->systems->len)
    return TRUE;
  weir_diagram_builder_note_problem (b, "There is no block number %u to wire; %u were added.",
                                     child.i, b->systems->len);
  return FALSE;
}

/* The same unless it has that port. */
static gboolean
check_port (WeirDiagramBuilder *b, WeirChild child, gboolean is_input, guint i)
{
  const WeirShape *shape;
  guint n;

  if (!check_child (b, child))
    return FALSE;
  shape = weir_diagram_builder_shape (b, child.i);
  n = is_input ? shape->inputs->len : shape->outputs->len;
  if (i >= n)
    weir_diagram_builder_note_problem (b,
                                       is_input ? N_ ("%s has no input number %u; it has %u.")
                                                : N_ ("%s has no output number %u; it has %u."),
                                       weir_diagram_builder_name (b, child.i), i, n);
  return i < n;
}

/* Ports of the diagram are told apart by their names. @name: the shape's. */
static void
check_port_name (WeirDiagramBuilder *b, gboolean is_input, char *name)
{
  if (!g_hash_table_add (b->port_names[is_input], name))
    weir_diagram_builder_note_problem (b,
                                       is_input
                                           ? N_ ("Two inputs of the diagram are called \"%s\".")
                                           : N_ ("Two outputs of the diagram are called \"%s\"."),
                                       name);
}

WeirChild
weir_diagram_builder_add (WeirDiagramBuilder *b, const char *name, WeirSystem *system)
{
  static const WeirWiring nothing = { WEIR_WIRED_NOTHING, 0 };
  guint32 child = b->systems->len;

  if (name[0] == '\0' || strchr (name, '.') != NULL)
    weir_diagram_builder_note_problem (
        b, "\"%s\" is no name for a block: a name is not empty and has no '.'.", name);
  g_ptr_array_add (b->systems, weir_system_ref (system));
  g_ptr_array_add (b->names, g_strdup (name));
  if (b->by_name != NULL)
    g_hash_table_insert (b->by_name, g_ptr_array_index (b->names, child),
                         GUINT_TO_POINTER (child + 1));
  g_array_append_val (b->first_wiring, b->wiring->len);
  for (guint i = 0; i < system->shape->inputs->len; i++)
    g_array_append_val (b->wiring, nothing);
  return (WeirChild) { child };
}

void
weir_diagram_builder_set_solves_loops (WeirDiagramBuilder *b, gboolean solves_loops)
{
  b->solves_loops = solves_loops;
}

/* What a wire carries. */
typedef struct {
  guint size;
  const GVariantType *type; /* of abstract values */
} Signal;

static WeirMessage *
signal_describe (guint size, const GVariantType *type)
{
  return type == NULL ? weir_message_new (N_ ("has size %u"), size)
                      : weir_message_new (N_ ("carries abstract values of type \"%.*s\""),
                                          (int) g_variant_type_get_string_length (type),
                                          g_variant_type_peek_string (type));
}

static gboolean
is_same_signal (Signal a, guint size, const GVariantType *type)
{
  return a.size == size && (a.type == NULL) == (type == NULL)
         && (type == NULL || g_variant_type_equal (a.type, type));
}

static const char *
get_driver_name (const WeirDiagramBuilder *b, WeirWiring from)
{
  return from.child == WEIR_WIRED_PARENT ? weir_phrase (N_ ("the diagram's input"))
                                         : weir_diagram_builder_name (b, from.child);
}

static void
wire (WeirDiagramBuilder *b, WeirWiring from, Signal signal, const char *from_port, WeirChild to,
      WeirInput in)
{
  const WeirVectorDecl *input;
  WeirWiring *wiring;

  if (!check_port (b, to, TRUE, in.i))
    return;
  input = weir_shape_input (weir_diagram_builder_shape (b, to.i), in.i);
  wiring = weir_diagram_builder_wiring (b, to.i, in.i);

  if (wiring->child != WEIR_WIRED_NOTHING)
    weir_diagram_builder_note_problem (
        b, "%s: input \"%s\" is wired twice; the second wire comes from %s.%s.",
        weir_diagram_builder_name (b, to.i), input->name, get_driver_name (b, from), from_port);
  else if (!is_same_signal (signal, input->size, input->type))
    {
      g_autoptr (WeirMessage) wanted = signal_describe (input->size, input->type);
      g_autoptr (WeirMessage) given = signal_describe (signal.size, signal.type);

      weir_diagram_builder_note_problem (b, "%s: input \"%s\" %s, but %s.%s %s.",
                                         weir_diagram_builder_name (b, to.i), input->name,
                                         weir_message_get_text (wanted), get_driver_name (b, from),
                                         from_port, weir_message_get_text (given));
    }
  else
    *wiring = from;
}

static void
take_wire (WeirDiagramBuilder *b, const WeirPendingWire *pending)
{
  WeirChild from = pending->from;
  const WeirOutputDecl *output;

  if (!check_port (b, from, FALSE, pending->out.i))
    return;
  output = weir_shape_output (weir_diagram_builder_shape (b, from.i), pending->out.i);
  wire (b, (WeirWiring) { from.i, pending->out.i }, (Signal) { output->size, output->type },
        output->name, pending->to, pending->in);
}

void
weir_diagram_builder_take_wires (WeirDiagramBuilder *b)
{
  guint n = b->n_pending;

  b->n_pending = 0; /* noting a problem comes here too */
  for (guint i = 0; i < n; i++)
    take_wire (b, &b->pending[i]);
}

void
weir_diagram_builder_connect (WeirDiagramBuilder *b, WeirChild from, WeirOutput out, WeirChild to,
                              WeirInput in)
{
  if (!check_child (b, from) || !check_child (b, to))
    return;
  __builtin_prefetch (&b->systems->pdata[from.i]);
  b->pending[b->n_pending++] = (WeirPendingWire) { from, to, out, in };
  if (b->n_pending == WEIR_N_PENDING_WIRES)
    weir_diagram_builder_take_wires (b);
}

GHashTable *
weir_diagram_builder_get_by_name (WeirDiagramBuilder *b)
{
  if (b->by_name == NULL)
    {
      b->by_name = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint32 c = 0; c < b->names->len; c++)
        g_hash_table_insert (b->by_name, g_ptr_array_index (b->names, c), GUINT_TO_POINTER (c + 1));
    }
  return b->by_name;
}

static gboolean
find_child (WeirDiagramBuilder *b, const char *name, WeirChild *child)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (weir_diagram_builder_get_by_name (b), name));

  if (found == 0)
    weir_diagram_builder_note_problem (b, "There is no block \"%s\" to wire.", name);
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
    weir_diagram_builder_note_problem (b, "%s has no output \"%s\".", from, out);
  else if (!weir_system_find_input (g_ptr_array_index (b->systems, target.i), in, &input))
    weir_diagram_builder_note_problem (b, "%s has no input \"%s\".", to, in);
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

  check_port_name (b, TRUE, decl.name);
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
      weir_diagram_builder_note_problem (b, "The diagram has no input number %u; it has %u.", in.i,
                                         b->shape->inputs->len);
      return;
    }
  weir_diagram_builder_take_wires (b);
  input = weir_shape_input (b->shape, in.i);
  wire (b, (WeirWiring) { WEIR_WIRED_PARENT, in.i }, (Signal) { input->size, input->type },
        input->name, to, child_in);
}

WeirOutput
weir_diagram_builder_add_output (WeirDiagramBuilder *b, const char *name, WeirChild from,
                                 WeirOutput out)
{
  const WeirOutputDecl *shown = check_port (b, from, FALSE, out.i) ? weir_shape_output (
                                    weir_diagram_builder_shape (b, from.i), out.i)
                                                                   : NULL;
  WeirOutputDecl decl = {
    .name = g_strdup (name),
    .size = shown == NULL ? 0 : shown->size,
    .type = shown == NULL || shown->type == NULL ? NULL : g_variant_type_copy (shown->type),
    .ticket = weir_shape_add_item (b->shape, WEIR_ITEM_OUTPUT, b->shape->outputs->len),
    .shown = WEIR_TICKET_NOTHING,
    .child = from.i,
    .child_output = out.i,
  };

  check_port_name (b, FALSE, decl.name);
  g_array_append_val (b->shape->outputs, decl);
  return (WeirOutput) { (guint16) (b->shape->outputs->len - 1) };
}

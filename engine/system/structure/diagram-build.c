/* The end of a diagram's building: its wires are searched for loops, its own computations
 * (collected derivatives, summed energies) declared, and its shape is sealed.
 */
#include "base/sort.h"
#include "system/structure/shape-private.h"

static void
add_sum_entry (WeirDiagramBuilder *b, guint16 ticket, WeirEntryKind kind, const char *name)
{
  WeirShape *shape = b->shape;
  WeirEntryDecl decl = { .kind = kind, .ticket = ticket };

  for (guint32 c = 0; c < b->systems->len; c++)
    {
      const WeirShape *child = weir_diagram_builder_shape (b, c);
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

/* The first child that is called like one before; their number if there is none. */
static guint32
find_namesake (const WeirDiagramBuilder *b)
{
  guint32 n = b->names->len, found = n;
  g_autofree WeirSortItem *items = g_new (WeirSortItem, MAX (n, 1));
  g_autofree WeirSortItem *spare = g_new (WeirSortItem, MAX (n, 1));

  for (guint32 c = 0; c < n; c++)
    items[c] = (WeirSortItem) { g_str_hash (weir_diagram_builder_name (b, c)),
                                GUINT_TO_POINTER (c) };
  weir_sort_items (items, spare, n);
  for (guint32 i = 1; i < n; i++)
    {
      const char *name = weir_diagram_builder_name (b, GPOINTER_TO_UINT (items[i].value));
      guint32 k = i;

      while (k > 0 && items[k - 1].key == items[i].key
             && !g_str_equal (weir_diagram_builder_name (b, GPOINTER_TO_UINT (items[k - 1].value)),
                              name))
        k--;
      if (k > 0 && items[k - 1].key == items[i].key)
        found = MIN (found, GPOINTER_TO_UINT (items[i].value));
    }
  return found;
}

/* Looked for once, when all are there; it is the first problem if it was there before any other. */
static void
check_names (WeirDiagramBuilder *b)
{
  guint32 child = find_namesake (b);

  if (child == b->names->len || (b->error != NULL && child >= b->n_before_error))
    return;
  g_clear_error (&b->error);
  weir_diagram_builder_note_problem (b, "Two blocks of one diagram are called \"%s\".",
                                     weir_diagram_builder_name (b, child));
}

/* The elements, with no room for more; nothing is left in the array. */
static gpointer
steal (GArray *array)
{
  gsize size = array->len * (gsize) g_array_get_element_size (array);

  return g_realloc (g_array_steal (array, NULL), MAX (size, 1));
}

WeirSystem *
weir_diagram_builder_build (WeirDiagramBuilder *b, GError **error)
{
  WeirSystem *self = NULL;
  WeirShape *shape = b->shape;

  weir_diagram_builder_take_wires (b);
  check_names (b);
  if (b->error == NULL)
    {
      shape->feedthrough = g_new0 (guint8, (gsize) MAX (shape->inputs->len, 1)
                                               * MAX (shape->outputs->len, 1));
      weir_diagram_builder_search (b);
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
  shape->child_names = (char **) g_ptr_array_steal (b->names, NULL);
  for (guint32 c = 0; c < shape->n_children; c++)
    shape->children[c] = weir_shape_ref (((WeirSystem *) g_ptr_array_index (b->systems, c))->shape);
  shape->first_wiring = steal (b->first_wiring);
  shape->wiring = steal (b->wiring);
  weir_shape_seal (shape);

  self = weir_system_new (g_steal_pointer (&b->shape));
  self->children = (WeirSystem **) g_ptr_array_steal (b->systems, NULL);
  weir_diagram_builder_free (b);
  return self;
}

/* Blocks that are added: at a place, or chosen by typing, wired to a port where one was asked from.
 */
#include <glib/gi18n-lib.h>

#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-shown.h"
#include "canvas/widget/picker.h"

#define ASKED_DISTANCE 80.0 /* from a port to the block asked for */

guint32
weir_canvas_insert (WeirCanvas *self, const char *type, WeirPoint center, gboolean find_room)
{
  g_autoptr (WeirBlock) sample = NULL;
  WeirPoint size, at;
  WeirEdit *edit;

  if (weir_registry_find (type) == NULL)
    return 0;
  sample = weir_block_new (1, type, type, (WeirPoint) { 0, 0 });
  size = weir_block_get_turned_size (sample);
  at = (WeirPoint) { center.x - size.x / 2, center.y - size.y / 2 };
  if (self->snap || find_room)
    at = (WeirPoint) { weir_snap (at.x), weir_snap (at.y) };
  if (find_room)
    at = weir_edit_find_room (self->scene, size, at);
  edit = weir_edit_add_block (weir_canvas_get_site (self), type, at);
  if (!weir_canvas_apply (self, edit, NULL))
    return 0;
  weir_canvas_focus_block (self, weir_canvas_get_selected_block (self));
  return weir_canvas_get_selected_block (self);
}

guint32
weir_canvas_add_block (WeirCanvas *self, const char *type)
{
  WeirRect visible;
  guint32 id;

  g_return_val_if_fail (WEIR_IS_CANVAS (self), 0);
  g_return_val_if_fail (type != NULL, 0);

  visible = weir_viewport_get_visible (&self->viewport);
  id = weir_canvas_insert (self, type, weir_rect_get_center (visible), TRUE);
  if (id != 0
      && weir_viewport_reveal (&self->viewport, weir_scene_find_block (self->scene, id)->reach))
    weir_canvas_view_changed (self);
  return id;
}

/* --- Quick insertion ------------------------------------------------------------------------- */

typedef struct {
  WeirCanvas *canvas;
  WeirPoint point;
  guint32 source; /* to be wired to this port; 0 = none */
  char *port;
  gboolean is_output;
} Insert;

static void
insert_free (gpointer data)
{
  Insert *insert = data;

  g_free (insert->port);
  g_free (insert);
}

typedef struct {
  const WeirBlockType *type;
  int rating;
} Rated;

static int
compare_rated (gconstpointer a, gconstpointer b)
{
  const Rated *x = a, *y = b;

  return x->rating != y->rating ? y->rating - x->rating
                                : g_utf8_collate (_ (x->type->title), _ (y->type->title));
}

static void
find_types (const char *text, GPtrArray *choices, gpointer data)
{
  const Insert *insert = data;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Rated));

  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      g_autofree char *rest = g_strdup_printf ("%s %s %s", type->name, _ (type->category),
                                               _ (type->summary));
      Rated rated = { type, weir_choice_rate (text, _ (type->title), rest) };

      if (rated.rating > 0
          && (insert->source == 0 || weir_edit_type_fits (type->name, insert->is_output)))
        g_array_append_val (found, rated);
    }
  g_array_sort (found, compare_rated);
  /* The last place is for the loose end. */
  for (guint i = 0; i < found->len && i < WEIR_MAX_CHOICES - 1; i++)
    {
      const WeirBlockType *type = g_array_index (found, Rated, i).type;
      WeirChoice *choice = weir_choices_add (choices, _ (type->title), _ (type->summary));

      choice->icon = choice->data = type->name;
    }
  /* Something must be typed to have it out of the way. */
  if (insert->source != 0 && text[0] == '\0')
    weir_choices_add (choices, _ ("Loose end"), _ ("Keep the wire and connect it later"));
}

static void
insert_type (const WeirChoice *choice, gpointer data)
{
  const Insert *insert = data;
  WeirSite site = weir_canvas_get_site (insert->canvas);

  if (choice == NULL)
    return;
  if (insert->source == 0)
    weir_canvas_insert (insert->canvas, choice->data, insert->point, TRUE);
  else if (choice->data != NULL)
    weir_canvas_apply (insert->canvas,
                       weir_edit_add_connected (site, choice->data, insert->source, insert->port,
                                                insert->is_output, insert->point),
                       NULL);
  else
    {
      WeirWireEnd port = { .block = insert->source, .port = insert->port };
      WeirWireEnd loose = { 0, NULL, { weir_snap (insert->point.x), weir_snap (insert->point.y) } };

      weir_canvas_apply (insert->canvas,
                         weir_edit_wire (site, 0, insert->is_output ? port : loose,
                                         insert->is_output ? loose : port, NULL, 0),
                         NULL);
    }
}

static GtkWidget *
show_insert (WeirCanvas *self, Insert *insert, const char *label)
{
  WeirPoint at = weir_viewport_to_pixel (&self->viewport, insert->point);
  GtkWidget *picker = weir_picker_new (label, find_types, insert_type, insert, insert_free);

  weir_canvas_pop_up (self, picker, (GdkRectangle) { (int) at.x, (int) at.y, 1, 1 });
  weir_picker_grab_focus (picker);
  return picker;
}

GtkWidget *
weir_canvas_ask_block (WeirCanvas *self, guint32 block, const char *port, gboolean is_output)
{
  const WeirBlockShape *shape = block != 0 ? weir_scene_find_block (self->scene, block) : NULL;
  const WeirPortShape *source = shape != NULL ? weir_block_shape_find_port (shape, port, is_output)
                                              : NULL;
  WeirPoint middle = { self->viewport.width / 2, self->viewport.height / 2 };
  Insert *insert = g_new0 (Insert, 1);

  *insert = (Insert) { .canvas = self,
                       .point = weir_viewport_to_diagram (&self->viewport, middle) };
  if (source == NULL)
    return show_insert (self, insert, _ ("Add a block: type its name"));
  insert->source = block;
  insert->port = g_strdup (port);
  insert->is_output = is_output;
  insert->point = (WeirPoint) { source->position.x + (is_output ? ASKED_DISTANCE : -ASKED_DISTANCE),
                                source->position.y };
  return show_insert (self, insert, _ ("Connect to a new block: type its name"));
}

void
weir_canvas_show_quick_insert (WeirCanvas *self, WeirPoint point)
{
  Insert *insert = g_new0 (Insert, 1);

  *insert = (Insert) { .canvas = self, .point = point };
  show_insert (self, insert, _ ("Add a block: type its name"));
}

void
weir_canvas_show_offer (WeirCanvas *self, WeirToolOffer offer)
{
  Insert *insert = g_new0 (Insert, 1);

  *insert = (Insert) { self, offer.point, offer.source.block, g_strdup (offer.source.port),
                       offer.source.is_output };
  show_insert (self, insert, _ ("Connect to a new block: type its name"));
}

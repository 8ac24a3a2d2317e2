/* Blocks that are added: at a place, or chosen by typing, wired to a port where one was asked from.
 */
#include <glib/gi18n-lib.h>

#include "blocks/parts/user-parts.h"
#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-shown.h"
#include "canvas/widget/picker.h"
#include "model/tree/file-names.h"

#define ASKED_DISTANCE 80.0 /* from a port to the block asked for */

/* Where a wire or line is that a new block would part. */
static WeirEdit *
insert_into_wire (WeirCanvas *self, const char *type, WeirPoint at)
{
  WeirSite site = weir_canvas_get_site (self);
  g_autofree char *name = weir_edit_dup_name (weir_site_get_diagram (site), type);
  guint32 id = weir_model_get_next_id (site.model);
  g_autoptr (WeirBlock) block = weir_block_new (id, type, name, at);
  g_autoptr (WeirBlock) straight = NULL;
  WeirPoint offset;
  guint32 wire = weir_edit_find_wire_under (self->scene, block, &offset);
  WeirEdit *edit;

  if (wire == 0)
    return NULL;
  straight = weir_block_with_position (block, (WeirPoint) { at.x + offset.x, at.y + offset.y });
  edit = weir_edit_insert_into_wire (site, self->scene, wire, straight);
  if (edit != NULL)
    {
      edit->new_blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (edit->new_blocks, id);
    }
  return edit;
}

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
  edit = find_room ? NULL : insert_into_wire (self, type, at);
  if (edit == NULL)
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
  WeirPoint point, from; /* where the block is to be; where a line to it begins */
  WeirToolPort source;   /* to be wired to this port or line; not set: none */
  char *port;            /* of the source */
} Insert;

static WeirWireEnd
get_source_end (const Insert *insert)
{
  WeirToolPort source = insert->source;

  return source.line != 0 ? (WeirWireEnd) { .point = source.point, .line = source.line }
                          : (WeirWireEnd) { .block = source.block, .port = insert->port };
}

/* Whether a block of the type could end the wire. */
static gboolean
is_fitting (const Insert *insert, const char *type)
{
  if (!weir_tool_port_is_set (insert->source))
    return TRUE;
  return insert->source.is_pin ? weir_edit_type_has_pin (
             type, weir_edit_find_domain (insert->canvas->scene, get_source_end (insert)))
                               : weir_edit_type_fits (type, insert->source.is_output);
}

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
  guint order; /* among equals, before the order of the alphabet */
} Rated;

static int
compare_rated (gconstpointer a, gconstpointer b)
{
  const Rated *x = a, *y = b;

  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return x->rating != y->rating ? y->rating - x->rating
                                : g_utf8_collate (_ (x->type->title), _ (y->type->title));
}

/* Among the parts, or after them. */
static guint
get_place_in_library (const WeirBlockType *type)
{
  const GPtrArray *parts = weir_parts_list ();

  for (guint i = 0; i < parts->len; i++)
    if (parts->pdata[i] == type->part)
      return i;
  return parts->len;
}

static void
rate_type (const Insert *insert, const char *text, const WeirBlockType *type, GArray *found)
{
  g_autofree char *rest = g_strdup_printf ("%s %s %s", type->name, _ (type->category),
                                           _ (type->summary));
  Rated rated = { type, weir_choice_rate (text, _ (type->title), rest), 0 };

  /* Nothing typed, parts come in the order of the library: resistors before thyristors. */
  if (insert->source.is_pin && text[0] == '\0')
    rated.order = get_place_in_library (type);
  if (rated.rating > 0 && is_fitting (insert, type->name))
    g_array_append_val (found, rated);
}

static void
find_types (const char *text, GPtrArray *choices, gpointer data)
{
  const Insert *insert = data;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Rated));
  g_autoptr (GPtrArray) own = weir_user_parts_list (
      weir_model_get_folder (weir_canvas_get_site (insert->canvas).model));

  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    rate_type (insert, text, weir_registry_get_type (i), found);
  for (guint i = 0; i < own->len; i++)
    rate_type (insert, text, &((const WeirPartType *) g_ptr_array_index (own, i))->type, found);
  g_array_sort (found, compare_rated);
  /* The last place is for the loose end. */
  for (guint i = 0; i < found->len && i < WEIR_MAX_CHOICES - 1; i++)
    {
      const WeirBlockType *type = g_array_index (found, Rated, i).type;
      WeirChoice *choice = weir_choices_add (choices, _ (type->title), _ (type->summary));

      choice->icon = choice->data = type->name;
    }
  /* Something must be typed to have it out of the way. */
  if (weir_tool_port_is_set (insert->source) && text[0] == '\0')
    weir_choices_add (choices, _ ("Loose end"), _ ("Keep the wire and connect it later"));
}

static WeirEdit *
connect_new (const Insert *insert, WeirSite site, const char *type)
{
  WeirToolPort source = insert->source;

  return source.is_pin ? weir_edit_add_part (site, insert->canvas->scene, type,
                                             get_source_end (insert), insert->from, insert->point)
                       : weir_edit_add_connected (site, type, source.block, insert->port,
                                                  source.is_output, insert->point);
}

static WeirEdit *
leave_loose (const Insert *insert, WeirSite site)
{
  WeirWireEnd source = get_source_end (insert);
  WeirWireEnd loose = { .point = { weir_snap (insert->point.x), weir_snap (insert->point.y) } };
  gboolean is_output = insert->source.is_output;

  if (insert->source.is_pin)
    return weir_edit_line (site, 0, source, loose, NULL, 0);
  return weir_edit_wire (site, 0, is_output ? source : loose, is_output ? loose : source, NULL, 0);
}

static void
insert_type (const WeirChoice *choice, gpointer data)
{
  const Insert *insert = data;
  WeirSite site = weir_canvas_get_site (insert->canvas);

  if (choice == NULL)
    return;
  if (!weir_tool_port_is_set (insert->source))
    weir_canvas_insert (insert->canvas, choice->data, insert->point, TRUE);
  else
    weir_canvas_apply (insert->canvas,
                       choice->data != NULL ? connect_new (insert, site, choice->data)
                                            : leave_loose (insert, site),
                       NULL);
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
  insert->source = (WeirToolPort) { .block = block,
                                    .is_output = is_output,
                                    .is_pin = source->is_pin };
  insert->port = g_strdup (port);
  insert->from = source->position;
  insert->point = (WeirPoint) { source->position.x + (is_output ? ASKED_DISTANCE : -ASKED_DISTANCE),
                                source->position.y };
  if (source->is_pin)
    insert->point = (WeirPoint) { source->position.x + ASKED_DISTANCE * source->normal.x,
                                  source->position.y + ASKED_DISTANCE * source->normal.y };
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

  *insert = (Insert) { self, offer.point, offer.from, offer.source, g_strdup (offer.source.port) };
  insert->source.port = NULL;
  show_insert (self, insert, _ ("Connect to a new block: type its name"));
}

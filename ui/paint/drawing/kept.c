/* See kept.h. The picture is of one style: with another, or elsewhere, all of it is drawn anew. */
#include "paint/drawing/kept.h"

#include <math.h>

#define REACH 20.0  /* around a shape: marks at it, ports, hops that it makes others have */
#define AROUND 12.0 /* beside what is drawn anew: marks of elements there come into it */
#define WASTE 4     /* so many times the area that changed is drawn at once, rather than by parts */

struct _WeirKept {
  cairo_surface_t *surface; /* NULL: nothing is kept */
  WeirScene *scene;
  WeirDiagramStyle style; /* of that; @sizes, @late and @marks are references */
  WeirPoint offset;
  int width, height, device_scale;
};

static void
forget (WeirKept *self)
{
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  g_clear_pointer (&self->scene, weir_scene_unref);
  g_clear_pointer (&self->style.sizes, g_hash_table_unref);
  g_clear_pointer (&self->style.late, g_hash_table_unref);
  g_clear_pointer (&self->style.marks, g_hash_table_unref);
}

WeirKept *
weir_kept_new (void)
{
  return g_new0 (WeirKept, 1);
}

void
weir_kept_free (WeirKept *self)
{
  forget (self);
  g_free (self);
}

gboolean
weir_kept_can (const WeirDiagramStyle *style)
{
  return style->overlay == NULL && style->values == NULL && style->flows == NULL
         && style->show_background && style->scale >= WEIR_GLYPH_SCALE;
}

/* --- What has changed ------------------------------------------------------------------------ */

static gboolean
are_same_marks (GHashTable *a, GHashTable *b)
{
  GHashTableIter iter;
  gpointer id, mark;

  if (a == NULL || b == NULL || g_hash_table_size (a) != g_hash_table_size (b))
    return a == b;
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &id, &mark))
    if (g_hash_table_lookup (b, id) != mark)
      return FALSE;
  return TRUE;
}

static gboolean
is_as_kept (const WeirKept *self, const WeirDiagramStyle *style, WeirPoint offset, int width,
            int height, int device_scale)
{
  const WeirDiagramStyle *kept = &self->style;

  return self->surface != NULL && self->width == width && self->height == height
         && self->device_scale == device_scale && self->offset.x == offset.x
         && self->offset.y == offset.y && kept->palette == style->palette
         && kept->scale == style->scale && kept->show_grid == style->show_grid
         && kept->show_ports == style->show_ports && kept->hide_wires == style->hide_wires
         && kept->show_labels == style->show_labels && kept->hidden_wire == style->hidden_wire
         && kept->sizes == style->sizes && are_same_marks (kept->late, style->late)
         && are_same_marks (kept->marks, style->marks);
}

static void
keep (WeirKept *self, const WeirDiagramStyle *style, WeirPoint offset, int width, int height,
      int device_scale)
{
  forget (self);
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width * device_scale,
                                              height * device_scale);
  cairo_surface_set_device_scale (self->surface, device_scale, device_scale);
  self->style = *style;
  if (style->sizes != NULL)
    g_hash_table_ref (style->sizes);
  if (style->late != NULL)
    g_hash_table_ref (style->late);
  if (style->marks != NULL)
    g_hash_table_ref (style->marks);
  self->offset = offset;
  self->width = width;
  self->height = height;
  self->device_scale = device_scale;
}

typedef struct {
  const WeirKept *kept;
  cairo_region_t *region; /* pixels of the window, whole ones */
} Damage;

/* Without a size: it is outside of the window. */
static cairo_rectangle_int_t
get_pixels (const WeirKept *self, WeirRect rect)
{
  WeirRect reach = weir_rect_grow (rect, REACH);
  double x = floor (reach.x * self->style.scale + self->offset.x);
  double y = floor (reach.y * self->style.scale + self->offset.y);
  double right = ceil ((reach.x + reach.width) * self->style.scale + self->offset.x);
  double bottom = ceil ((reach.y + reach.height) * self->style.scale + self->offset.y);

  x = CLAMP (x, 0, self->width);
  y = CLAMP (y, 0, self->height);
  right = CLAMP (right, x, self->width);
  bottom = CLAMP (bottom, y, self->height);
  return (cairo_rectangle_int_t) { (int) x, (int) y, (int) (right - x), (int) (bottom - y) };
}

static void
add_rect (WeirRect rect, gpointer data)
{
  Damage *damage = data;
  cairo_rectangle_int_t pixels = get_pixels (damage->kept, rect);

  if (pixels.width > 0 && pixels.height > 0)
    cairo_region_union_rectangle (damage->region, &pixels);
}

/* Loose wires are dashed: where one hops over what has changed, its dashes are elsewhere from there
 * on. */
static void
add_dashed (Damage *damage, WeirScene *scene)
{
  const WeirKept *self = damage->kept;
  guint n = weir_scene_get_n_wires (scene);
  cairo_region_t *changed = cairo_region_copy (damage->region);

  for (guint i = weir_scene_next_wire (scene, 0, self->style.clip); i < n;
       i = weir_scene_next_wire (scene, i + 1, self->style.clip))
    {
      const WeirWireShape *shape = weir_scene_get_wire (scene, i);
      cairo_rectangle_int_t pixels;

      if (shape->from_connected && shape->to_connected)
        continue;
      pixels = get_pixels (self, shape->reach);
      if (cairo_region_contains_rectangle (changed, &pixels) != CAIRO_REGION_OVERLAP_OUT)
        add_rect (shape->reach, damage);
    }
  cairo_region_destroy (changed);
}

/* --- Drawing --------------------------------------------------------------------------------- */

static void
draw_part (WeirKept *self, cairo_t *cr, const cairo_rectangle_int_t *pixels)
{
  WeirDiagramStyle style = self->style;
  double scale = style.scale;
  WeirRect part = { (pixels->x - self->offset.x) / scale, (pixels->y - self->offset.y) / scale,
                    pixels->width / scale, pixels->height / scale };

  cairo_save (cr);
  cairo_rectangle (cr, pixels->x, pixels->y, pixels->width, pixels->height);
  cairo_clip (cr);
  cairo_translate (cr, self->offset.x, self->offset.y);
  cairo_scale (cr, scale, scale);
  style.view = style.clip;
  style.clip = weir_rect_grow (part, AROUND);
  weir_diagram_draw (self->scene, cr, &style);
  cairo_restore (cr);
}

static void
draw_region (WeirKept *self, cairo_t *cr, const cairo_region_t *region)
{
  cairo_rectangle_int_t all, part;
  gint64 area = 0;
  int n = cairo_region_num_rectangles (region);

  cairo_region_get_extents (region, &all);
  for (int i = 0; i < n; i++)
    {
      cairo_region_get_rectangle (region, i, &part);
      area += (gint64) part.width * part.height;
    }
  if (n > 0 && (gint64) all.width * all.height <= WASTE * area)
    {
      draw_part (self, cr, &all);
      return;
    }
  for (int i = 0; i < n; i++)
    {
      cairo_region_get_rectangle (region, i, &part);
      draw_part (self, cr, &part);
    }
}

void
weir_kept_draw (WeirKept *self, cairo_t *cr, WeirScene *scene, const WeirDiagramStyle *style,
                WeirPoint offset, int width, int height, int device_scale)
{
  cairo_rectangle_int_t all = { 0, 0, width, height };
  Damage damage = { self, NULL };
  cairo_t *kept;

  if (!is_as_kept (self, style, offset, width, height, device_scale))
    keep (self, style, offset, width, height, device_scale);
  damage.region = cairo_region_create ();
  if (self->scene == NULL || !weir_scene_foreach_change (self->scene, scene, add_rect, &damage))
    cairo_region_union_rectangle (damage.region, &all);
  add_dashed (&damage, scene);
  g_clear_pointer (&self->scene, weir_scene_unref);
  self->scene = weir_scene_ref (scene);
  kept = cairo_create (self->surface);
  draw_region (self, kept, damage.region);
  cairo_destroy (kept);
  cairo_region_destroy (damage.region);

  cairo_save (cr);
  cairo_set_source_surface (cr, self->surface, 0, 0);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  cairo_restore (cr);
}

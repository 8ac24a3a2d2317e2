/* Writing with a pen. See pen.h. */
#include "paint/ground/pen.h"

#include <string.h>

/* --- Texts that were set -----------------------------------------------------------------------
 */

#define MAX_TEXTS 1024 /* of one scale */
#define MAX_SCALES 3   /* at once, in a thread: of the canvas, of its overview, of a picture */

typedef struct {
  PangoLayout *layout;
  int width, height; /* Pango units */
} Text;

/* Setting a text takes longer than drawing it, and a frame has most texts of the one before. */
struct _WeirPenTexts {
  cairo_matrix_t matrix; /* but for the translation: what fonts are found for */
  cairo_surface_type_t surface;
  guint serial; /* of the fonts */
  PangoContext *context;
  GHashTable *texts; /* "size width text" -> Text */
  GString *key;
};

static void
text_free (gpointer data)
{
  Text *text = data;

  g_object_unref (text->layout);
  g_free (text);
}

static void
texts_clear (gpointer data)
{
  WeirPenTexts *self = data;

  g_object_unref (self->context);
  g_hash_table_unref (self->texts);
  g_string_free (self->key, TRUE);
}

static void
texts_unref (WeirPenTexts *self)
{
  g_rc_box_release_full (self, texts_clear);
}

static PangoContext *
context_new (cairo_t *cr)
{
  PangoContext *context = pango_cairo_create_context (cr);
  cairo_font_options_t *options = cairo_font_options_create ();

  /* Text scales with the diagram: no hinting, which would make widths depend on the zoom. */
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  return context;
}

static gboolean
are_texts_for (const WeirPenTexts *self, const cairo_matrix_t *matrix, cairo_surface_type_t surface,
               guint serial)
{
  return self != NULL && self->surface == surface && self->serial == serial
         && self->matrix.xx == matrix->xx && self->matrix.xy == matrix->xy
         && self->matrix.yx == matrix->yx && self->matrix.yy == matrix->yy;
}

static void
slots_free (gpointer data)
{
  WeirPenTexts **slots = data;

  for (guint i = 0; i < MAX_SCALES; i++)
    g_clear_pointer (&slots[i], texts_unref);
  g_free (slots);
}

/* Those of the thread for this scale; the last used come first. (transfer full) */
static WeirPenTexts *
find_texts (cairo_t *cr)
{
  static GPrivate private = G_PRIVATE_INIT (slots_free);
  WeirPenTexts **slots = g_private_get (&private), *found;
  cairo_surface_type_t surface = cairo_surface_get_type (cairo_get_target (cr));
  guint serial = pango_font_map_get_serial (pango_cairo_font_map_get_default ()), i = 0;
  cairo_matrix_t matrix;

  cairo_get_matrix (cr, &matrix);
  if (slots == NULL)
    {
      slots = g_new0 (WeirPenTexts *, MAX_SCALES);
      g_private_set (&private, slots);
    }
  while (i < MAX_SCALES && !are_texts_for (slots[i], &matrix, surface, serial))
    i++;
  if (i == MAX_SCALES)
    {
      i = MAX_SCALES - 1;
      g_clear_pointer (&slots[i], texts_unref);
      slots[i] = g_rc_box_new (WeirPenTexts);
      *slots[i] = (WeirPenTexts) { matrix,
                                   surface,
                                   serial,
                                   context_new (cr),
                                   g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                          text_free),
                                   g_string_new (NULL) };
    }
  found = slots[i];
  memmove (&slots[1], &slots[0], i * sizeof *slots);
  slots[0] = found;
  return g_rc_box_acquire (found);
}

/* @width: in diagram units, where the text is ellipsized; 0: as wide as it is. Until the next. */
static const Text *
find_text (WeirPen *pen, const char *text, double size, double width)
{
  WeirPenTexts *self = pen->texts;
  Text *found;

  g_string_printf (self->key, "%.17g %.17g %s", size, width, text);
  found = g_hash_table_lookup (self->texts, self->key->str);
  if (found == NULL)
    {
      PangoFontDescription *font = pango_font_description_from_string (WEIR_FONT);

      if (g_hash_table_size (self->texts) >= MAX_TEXTS)
        g_hash_table_remove_all (self->texts);
      found = g_new (Text, 1);
      found->layout = pango_layout_new (self->context);
      pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
      pango_layout_set_font_description (found->layout, font);
      pango_font_description_free (font);
      if (width > 0)
        {
          pango_layout_set_ellipsize (found->layout, PANGO_ELLIPSIZE_END);
          pango_layout_set_width (found->layout, (int) (width * PANGO_SCALE));
        }
      pango_layout_set_text (found->layout, text, -1);
      pango_layout_get_size (found->layout, &found->width, &found->height);
      g_hash_table_insert (self->texts, g_strdup (self->key->str), found);
    }
  return found;
}

/* --- Pens --------------------------------------------------------------------------------------
 */

void
weir_pen_init (WeirPen *pen, cairo_t *cr, const WeirPalette *palette, double scale)
{
  *pen = (WeirPen) { cr, palette, scale, find_texts (cr), NULL };
  pen->layout = pango_layout_new (pen->texts->context);
}

void
weir_pen_clear (WeirPen *pen)
{
  g_clear_object (&pen->layout);
  g_clear_pointer (&pen->texts, texts_unref);
}

double
weir_pen_get_text_width (WeirPen *pen, const char *text, double size)
{
  return (double) find_text (pen, text, size, 0)->width / PANGO_SCALE;
}

void
weir_pen_text (WeirPen *pen, const char *text, double size, double x, double y, double align_x,
               double align_y, double width)
{
  const Text *set = find_text (pen, text, size, 0);

  if (width > 0 && (double) set->width / PANGO_SCALE > width)
    set = find_text (pen, text, size, width);
  cairo_move_to (pen->cr, x - align_x * set->width / PANGO_SCALE,
                 y - align_y * set->height / PANGO_SCALE);
  pango_cairo_show_layout (pen->cr, set->layout);
}

void
weir_rounded_path (cairo_t *cr, WeirRect rect, double radius)
{
  double r = MIN (radius, MIN (rect.width, rect.height) / 2);

  cairo_new_sub_path (cr);
  cairo_arc (cr, rect.x + rect.width - r, rect.y + r, r, -0.5 * G_PI, 0);
  cairo_arc (cr, rect.x + rect.width - r, rect.y + rect.height - r, r, 0, 0.5 * G_PI);
  cairo_arc (cr, rect.x + r, rect.y + rect.height - r, r, 0.5 * G_PI, G_PI);
  cairo_arc (cr, rect.x + r, rect.y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

void
weir_circle_path (cairo_t *cr, double x, double y, double radius)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
}

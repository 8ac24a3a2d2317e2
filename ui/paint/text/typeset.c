/* Text with formulas in it. See typeset.h.
 *
 * All ink is placed once, when the text is set; drawing walks over it. Widths are measured without
 * hinting, as they are drawn, so that they hold at every zoom.
 */
#include "paint/text/typeset.h"

#include "base/error.h"
#include "paint/text/formula-private.h"

#define LINE_HEIGHT 1.5 /* of the size, at least */
#define MAX_KEPT 512    /* texts a thread keeps */

typedef struct {
  double top, baseline;
} Line;

struct _WeirTypeset {
  GArray *inks;  /* WeirInk */
  GArray *lines; /* Line */
  double width, height;
};

/* What a thread measures with and has set of late. */
typedef struct {
  PangoLayout *layout;
  GHashTable *kept; /* "size text" -> WeirTypeset */
} Setting;

static void
setting_free (gpointer data)
{
  Setting *setting = data;

  g_object_unref (setting->layout);
  g_hash_table_unref (setting->kept);
  g_free (setting);
}

static Setting *
get_setting (void)
{
  static GPrivate private = G_PRIVATE_INIT (setting_free);
  Setting *setting = g_private_get (&private);
  cairo_font_options_t *options;
  PangoContext *context;

  if (setting != NULL)
    return setting;
  setting = g_new0 (Setting, 1);
  context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  options = cairo_font_options_create ();
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  setting->layout = pango_layout_new (context);
  g_object_unref (context);
  setting->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) weir_typeset_free);
  g_private_set (&private, setting);
  return setting;
}

static void
clear_ink (gpointer ink)
{
  g_free (((WeirInk *) ink)->text);
}

/* --- Parts of a line ------------------------------------------------------------------------- */

/* The next part of @line: plain text, with "\$" for "$", or the formula between two dollar signs. A
 * dollar sign alone is text. (transfer full) NULL at the end. */
static char *
next_part (const char **line, gboolean *is_formula)
{
  const char *at = *line;
  GString *text;

  *is_formula = FALSE;
  if (*at == '\0')
    return NULL;
  if (*at == '$')
    {
      const char *end = at + 1;

      while (*end != '\0' && *end != '$')
        end += *end == '\\' && end[1] != '\0' ? 2 : 1;
      if (*end == '$' && end > at + 1)
        {
          *is_formula = TRUE;
          *line = end + 1;
          return g_strndup (at + 1, (gsize) (end - at - 1));
        }
    }
  text = g_string_new (NULL);
  do
    {
      if (at[0] == '\\' && at[1] == '$')
        at++;
      g_string_append_c (text, *at++);
    }
  while (*at != '\0' && *at != '$');
  *line = at;
  return g_string_free (text, FALSE);
}

char *
weir_typeset_check (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *at = lines[i];
      gboolean is_formula;
      char *part;

      for (; (part = next_part (&at, &is_formula)) != NULL; g_free (part))
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (WeirFormula) formula = is_formula ? weir_formula_parse (part, &error) : NULL;

          if (error != NULL)
            {
              g_free (part);
              return g_strdup (weir_error_say (error));
            }
        }
    }
  return NULL;
}

/* --- Setting --------------------------------------------------------------------------------- */

static WeirExtent
set_text (PangoLayout *layout, const char *text, double size, GArray *inks)
{
  WeirInk ink = {
    .kind = WEIR_INK_TEXT, .face = WEIR_FACE_TEXT, .size = size, .text = g_strdup (text)
  };
  PangoRectangle logical;

  weir_ink_set_font (layout, WEIR_FACE_TEXT, size);
  pango_layout_set_text (layout, text, -1);
  pango_layout_line_get_extents (pango_layout_get_line_readonly (layout, 0), NULL, &logical);
  g_array_append_val (inks, ink);
  return (WeirExtent) { (double) logical.width / PANGO_SCALE, (double) -logical.y / PANGO_SCALE,
                        (double) (logical.y + logical.height) / PANGO_SCALE };
}

static WeirExtent
set_part (PangoLayout *layout, const char *part, gboolean is_formula, double size, GArray *inks)
{
  g_autoptr (WeirFormula) formula = is_formula ? weir_formula_parse (part, NULL) : NULL;
  g_autofree char *typed = NULL;

  if (formula != NULL)
    return weir_formula_set (formula, 1.1 * size, layout, inks);
  if (is_formula)
    typed = g_strdup_printf ("$%s$", part);
  return set_text (layout, typed != NULL ? typed : part, size, inks);
}

static void
add_line (WeirTypeset *self, PangoLayout *layout, const char *line, double size)
{
  guint from = self->inks->len;
  WeirExtent extent = set_text (layout, "x", size, self->inks);
  double ascent = extent.ascent, descent = extent.descent, x = 0, missing;
  gboolean is_formula;
  char *part;
  Line place;

  /* The measure of an empty line. */
  g_array_set_size (self->inks, from);
  for (; (part = next_part (&line, &is_formula)) != NULL; g_free (part))
    {
      guint first = self->inks->len;

      extent = set_part (layout, part, is_formula, size, self->inks);
      for (guint i = first; i < self->inks->len; i++)
        g_array_index (self->inks, WeirInk, i).x += x;
      x += extent.width;
      ascent = MAX (ascent, extent.ascent + (is_formula ? 0.1 * size : 0));
      descent = MAX (descent, extent.descent + (is_formula ? 0.1 * size : 0));
    }
  missing = MAX (0, LINE_HEIGHT * size - ascent - descent);
  place = (Line) { self->height, self->height + missing / 2 + ascent };
  for (guint i = from; i < self->inks->len; i++)
    g_array_index (self->inks, WeirInk, i).y += place.baseline;
  g_array_append_val (self->lines, place);
  self->height += ascent + descent + missing;
  self->width = MAX (self->width, x);
}

WeirTypeset *
weir_typeset_new (const char *text, double size)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  WeirTypeset *self = g_new0 (WeirTypeset, 1);
  Setting *setting = get_setting ();

  self->inks = g_array_new (FALSE, FALSE, sizeof (WeirInk));
  g_array_set_clear_func (self->inks, clear_ink);
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  for (guint i = 0; lines[i] != NULL; i++)
    add_line (self, setting->layout, lines[i], size);
  if (lines[0] == NULL) /* an empty text is one empty line */
    add_line (self, setting->layout, "", size);
  return self;
}

void
weir_typeset_free (WeirTypeset *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->inks);
  g_array_unref (self->lines);
  g_free (self);
}

const WeirTypeset *
weir_typeset_get (const char *text, double size)
{
  Setting *setting = get_setting ();
  g_autofree char *key = g_strdup_printf ("%g %s", size, text);
  WeirTypeset *self = g_hash_table_lookup (setting->kept, key);

  if (self != NULL)
    return self;
  if (g_hash_table_size (setting->kept) >= MAX_KEPT)
    g_hash_table_remove_all (setting->kept);
  self = weir_typeset_new (text, size);
  g_hash_table_insert (setting->kept, g_steal_pointer (&key), self);
  return self;
}

double
weir_typeset_get_width (const WeirTypeset *self)
{
  return self->width;
}

double
weir_typeset_get_height (const WeirTypeset *self)
{
  return self->height;
}

guint
weir_typeset_get_n_lines (const WeirTypeset *self)
{
  return self->lines->len;
}

void
weir_typeset_get_line (const WeirTypeset *self, guint line, double *top, double *baseline)
{
  g_return_if_fail (line < self->lines->len);
  *top = g_array_index (self->lines, Line, line).top;
  *baseline = g_array_index (self->lines, Line, line).baseline;
}

/* --- Drawing --------------------------------------------------------------------------------- */

void
weir_typeset_draw (const WeirTypeset *self, WeirPen *pen, double x, double y)
{
  cairo_save (pen->cr);
  cairo_translate (pen->cr, x, y);
  cairo_new_path (pen->cr);
  for (guint i = 0; i < self->inks->len; i++)
    weir_ink_draw (pen, &g_array_index (self->inks, WeirInk, i));
  cairo_restore (pen->cr);
}

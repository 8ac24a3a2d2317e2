/* Drawing the canvas: the tool's scene, then what a gesture shows on top of it.
 *
 * One cairo node over the visible part; ui/paint leaves out what cannot be seen.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "canvas/widget/canvas-shown.h"
#include "canvas/widget/minimap.h"
#include "paint/drawing/glyph.h"
#include "paint/scene/describe.h"

/* While a physical line is drawn: the lines that it may end on. */
static void
mark_legal_lines (WeirCanvas *self, GHashTable *marks)
{
  if (!weir_tool_get_wire_source (self->tool).is_pin)
    return;
  for (guint i = 0; i < weir_scene_get_n_wires (self->scene); i++)
    {
      guint32 id = weir_wire_get_id (weir_scene_get_wire (self->scene, i)->wire);

      if (weir_tool_is_legal_line (self->tool, id))
        weir_canvas_add_mark (marks, id, WEIR_MARK_HOVER);
    }
}

static GHashTable *
collect_marks (WeirCanvas *self)
{
  GHashTable *marks = g_hash_table_new (NULL, NULL);
  WeirHit hover = weir_tool_get_hover (self->tool);
  WeirSelection *selection = weir_tool_get_selection (self->tool);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  weir_canvas_add_problem_marks (self, marks);
  weir_canvas_add_break_marks (self, marks);
  for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    {
      guint n;
      const guint32 *ids = weir_selection_get (selection, (WeirSelectKind) kind, &n);

      for (guint i = 0; i < n; i++)
        weir_canvas_add_mark (marks, ids[i], WEIR_MARK_SELECTED);
    }
  weir_canvas_add_mark (marks, weir_tool_get_insert_wire (self->tool), WEIR_MARK_HOVER);
  mark_legal_lines (self, marks);
  weir_canvas_add_mark (marks, self->pointed_problem, WEIR_MARK_HOVER);
  if (hover.kind != WEIR_HIT_NOTHING && hover.kind != WEIR_HIT_PORT)
    weir_canvas_add_mark (marks, hover.id, WEIR_MARK_HOVER);
  if (GTK_IS_WINDOW (root) && gtk_window_get_focus_visible (GTK_WINDOW (root)))
    weir_canvas_add_mark (marks, weir_canvas_get_focus_block (self), WEIR_MARK_FOCUS);
  return marks;
}

/* While a wire is drawn: where it may end, and where not. */
static void
draw_candidates (WeirCanvas *self, cairo_t *cr, WeirRect visible)
{
  WeirToolPort source = weir_tool_get_wire_source (self->tool);
  WeirToolPort target = weir_tool_get_wire_target (self->tool);

  for (guint i = 0; i < weir_scene_get_n_blocks (self->scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (self->scene, i);
      guint32 id = weir_block_get_id (shape->block);

      if (!weir_rect_intersects (visible, weir_rect_grow (shape->box, 10)))
        continue;
      for (guint k = 0; k < shape->n_ports; k++)
        {
          const WeirPortShape *port = &shape->ports[k];
          WeirPortLook look = WEIR_PORT_ILLEGAL;
          gboolean is_source = id == source.block && g_strcmp0 (port->name, source.port) == 0;

          if (port->is_pin != source.is_pin)
            continue;
          if (port->is_pin && is_source)
            look = WEIR_PORT_TARGET;
          else if (!port->is_pin && port->is_output == source.is_output)
            {
              if (id != source.block || g_strcmp0 (port->name, source.port) != 0)
                continue;
              look = WEIR_PORT_TARGET;
            }
          else if (id == target.block && g_strcmp0 (port->name, target.port) == 0)
            look = WEIR_PORT_TARGET;
          else if (weir_tool_is_legal_target (self->tool, id, port))
            look = WEIR_PORT_CANDIDATE;
          weir_draw_port (cr, port, look, self->viewport.zoom, self->palette);
        }
    }
}

/* Where a line that is drawn ends on another. */
static void
draw_joint (WeirCanvas *self, cairo_t *cr, WeirPoint at)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, at.x, at.y, MAX (5, 4 / self->viewport.zoom), 0, 2 * G_PI);
  weir_set_source (cr, self->palette->candidate);
  cairo_fill (cr);
}

/* "R1.p", or what else a wire that is drawn by keyboard begins or ends at. (transfer full) */
static char *
dup_port_name (WeirCanvas *self, WeirToolPort port)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, port.block);

  if (port.line != 0)
    return weir_scene_describe_node (self->scene, port.line);
  return shape != NULL ? g_strdup_printf ("%s.%s", weir_block_get_name (shape->block), port.port)
                       : g_strdup (_ ("loose end"));
}

static void
draw_wiring (WeirCanvas *self, cairo_t *cr, WeirRect visible)
{
  guint n;
  gboolean ends;
  const WeirPoint *points = weir_tool_get_wire (self->tool, &n, &ends);
  WeirToolPort source = weir_tool_get_wire_source (self->tool);
  WeirToolPort target = weir_tool_get_wire_target (self->tool);
  const char *refusal = weir_tool_get_refusal (self->tool);
  WeirPoint at;

  if (n == 0)
    return;
  draw_candidates (self, cr, visible);
  if (target.line != 0)
    draw_joint (self, cr, target.point);
  if (source.line != 0)
    draw_joint (self, cr, source.point);
  weir_draw_loose_wire (cr, points, n, ends, self->viewport.zoom, self->palette);
  at = points[n - 1];
  at.x += 16 / self->viewport.zoom;
  at.y += 16 / self->viewport.zoom;
  if (weir_tool_makes_input (self->tool) && !weir_tool_is_by_keyboard (self->tool))
    {
      g_autofree char *text = g_strdup_printf (_ ("adds %s"), target.port);

      weir_draw_label (cr, text, at, visible, self->viewport.zoom, self->palette);
    }
  else if (refusal != NULL)
    weir_draw_label (cr, refusal, at, visible, self->viewport.zoom, self->palette);
  else if (weir_tool_is_by_keyboard (self->tool))
    {
      g_autofree char *start = dup_port_name (self, source);
      g_autofree char *end = ends ? dup_port_name (self, target) : NULL;
      g_autofree char *text = NULL;

      if (end == NULL)
        text = g_strdup_printf (_ ("%s: no port is free"), start);
      else
        text = g_strdup_printf (source.is_pin      ? "%s — %s"
                                : source.is_output ? "%s → %s"
                                                   : "%s ← %s",
                                start, end);
      weir_draw_label (cr, text, at, visible, self->viewport.zoom, self->palette);
    }
}

static void
draw_hint (WeirCanvas *self, cairo_t *cr)
{
  WeirPen pen;
  double x = self->viewport.width / 2, y = self->viewport.height / 2;

  weir_pen_init (&pen, cr, self->palette, 1);
  weir_set_source (cr, self->palette->dim_text);
  weir_pen_text (&pen, _ ("Double-click to add a block"), 17, x, y, 0.5, 1, self->viewport.width);
  weir_pen_text (&pen, _ ("or drag one here from the palette"), 12, x, y + 4, 0.5, 0,
                 self->viewport.width);
  weir_pen_clear (&pen);
}

/* Lines that what is moved lines up on. */
static void
draw_guides (WeirCanvas *self, cairo_t *cr)
{
  guint n;
  const WeirGuide *guides = weir_tool_get_guides (self->tool, &n);

  weir_set_source (cr, self->palette->curves[7]);
  cairo_set_line_width (cr, 1 / self->viewport.zoom);
  for (guint i = 0; i < n; i++)
    {
      cairo_move_to (cr, guides[i].a.x, guides[i].a.y);
      cairo_line_to (cr, guides[i].b.x, guides[i].b.y);
    }
  cairo_stroke (cr);
}

/* Whether a block has a sign at that corner, which a handle would hide: upper right that of a
 * problem, lower left that of the overlay. */
static gboolean
has_sign (WeirCanvas *self, GHashTable *marks, int corner)
{
  guint n;
  const guint32 *blocks = weir_selection_get (weir_tool_get_selection (self->tool),
                                              WEIR_SELECT_BLOCK, &n);
  guint shown = n == 1
                    ? GPOINTER_TO_UINT (g_hash_table_lookup (marks, GUINT_TO_POINTER (blocks[0])))
                    : 0;

  return (corner == 1 && (shown & WEIR_PROBLEM_MARKS) != 0)
         || (corner == 2 && self->overlay != NULL);
}

/* The corners that can be dragged. */
static void
draw_handles (WeirCanvas *self, cairo_t *cr, GHashTable *marks)
{
  double half = 3.5 / self->viewport.zoom;
  WeirToolState state = weir_tool_get_state (self->tool);
  WeirRect box;

  if ((state != WEIR_TOOL_IDLE && state != WEIR_TOOL_PRESSED && state != WEIR_TOOL_RESIZING)
      || self->viewport.zoom < 0.4 || !weir_tool_get_handles (self->tool, &box))
    return;
  for (int i = 0; i < 4; i++)
    if (!has_sign (self, marks, i))
      cairo_rectangle (cr, box.x + (i % 2 == 1 ? box.width : 0) - half,
                       box.y + (i >= 2 ? box.height : 0) - half, 2 * half, 2 * half);
  weir_set_source (cr, self->palette->background);
  cairo_fill_preserve (cr);
  weir_set_source (cr, self->palette->selection);
  cairo_set_line_width (cr, 1.2 / self->viewport.zoom);
  cairo_stroke (cr);
}

/* The ends of the one selected wire, which can be dragged. */
static void
draw_wire_ends (WeirCanvas *self, cairo_t *cr)
{
  WeirElements what = weir_canvas_get_elements (self);
  const WeirWireShape *wire;

  if (what.n_wires != 1 || what.n_blocks > 0 || weir_tool_get_state (self->tool) != WEIR_TOOL_IDLE)
    return;
  wire = weir_scene_find_wire (self->scene, what.wires[0]);
  for (int end = 0; end < 2; end++)
    {
      WeirPoint p = wire->points[end == 0 ? 0 : wire->n_points - 1];

      cairo_new_sub_path (cr); /* text may have left a point behind */
      cairo_arc (cr, p.x, p.y, 4.5 / MIN (self->viewport.zoom, 1), 0, 2 * G_PI);
      weir_set_source (cr, self->palette->background);
      cairo_fill_preserve (cr);
      weir_set_source (cr, self->palette->selection);
      cairo_set_line_width (cr, 1.6 / self->viewport.zoom);
      cairo_stroke (cr);
    }
}

/* How large texts of the window are here, compared with those of the desktop as it comes: the
 * legend is no part of the diagram and grows with them. */
static double
get_text_scale (GtkWidget *widget)
{
  const PangoFontDescription *font = pango_context_get_font_description (
      gtk_widget_get_pango_context (widget));
  PangoFontDescription *plain;
  g_autofree char *name = NULL;
  double size = pango_font_description_get_size (font), plain_size;

  g_object_get (gtk_widget_get_settings (widget), "gtk-font-name", &name, NULL);
  plain = pango_font_description_from_string (name != NULL ? name : "");
  plain_size = pango_font_description_get_size (plain) * 4 / 3.0; /* pixels of 96 dpi */
  if (!pango_font_description_get_size_is_absolute (font))
    size *= pango_cairo_context_get_resolution (gtk_widget_get_pango_context (widget)) / 72;
  pango_font_description_free (plain);
  return plain_size > 0 && size > 0 ? CLAMP (size / plain_size, 0.5, 4) : 1;
}

/* While a gesture shows what it would come to, of which most stays as it is, the picture is kept.
 */
static void
draw_diagram (WeirCanvas *self, cairo_t *cr, WeirScene *scene, const WeirDiagramStyle *style)
{
  if (scene != self->scene && weir_kept_can (style))
    {
      if (self->kept == NULL)
        self->kept = weir_kept_new ();
      weir_kept_draw (self->kept, cr, scene, style, self->viewport.offset,
                      (int) ceil (self->viewport.width), (int) ceil (self->viewport.height),
                      gtk_widget_get_scale_factor (GTK_WIDGET (self)));
      return;
    }
  g_clear_pointer (&self->kept, weir_kept_free);
  cairo_save (cr);
  cairo_translate (cr, self->viewport.offset.x, self->viewport.offset.y);
  cairo_scale (cr, self->viewport.zoom, self->viewport.zoom);
  weir_diagram_draw (scene, cr, style);
  cairo_restore (cr);
}

void
weir_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  g_autoptr (GHashTable) marks = collect_marks (self);
  WeirScene *scene = weir_tool_get_scene (self->tool);
  WeirRect visible = weir_viewport_get_visible (&self->viewport);
  WeirDiagramStyle style;
  WeirRect band;
  cairo_t *cr;

  if (self->viewport.width < 1 || self->viewport.height < 1)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) self->viewport.width,
                                                                 (float) self->viewport.height));
  weir_diagram_style_init (&style, self->palette);
  style.clip = visible;
  style.scale = self->viewport.zoom;
  style.show_grid = self->show_grid;
  style.marks = marks;
  style.show_labels = self->show_labels;
  style.sizes = self->sizes;
  style.late = self->late;
  style.values = self->show_values ? self->values : NULL;
  style.flows = self->show_values ? self->flows : NULL;
  style.hidden_wire = weir_tool_get_rewired (self->tool);
  style.overlay = self->overlay;
  if (self->overlay != NULL && self->overlay->device_scale != gtk_widget_get_scale_factor (widget))
    {
      weir_overlay_clear_signs (self->overlay);
      self->overlay->device_scale = gtk_widget_get_scale_factor (widget);
    }
  draw_diagram (self, cr, scene, &style);
  cairo_save (cr);
  cairo_translate (cr, self->viewport.offset.x, self->viewport.offset.y);
  cairo_scale (cr, self->viewport.zoom, self->viewport.zoom);
  weir_canvas_draw_lit (self, cr);
  weir_canvas_draw_problems (self, cr, visible);

  if (weir_tool_get_state (self->tool) == WEIR_TOOL_IDLE)
    {
      WeirHit hover = weir_tool_get_hover (self->tool);

      if (hover.kind == WEIR_HIT_PORT)
        weir_draw_port (cr, hover.port, WEIR_PORT_CANDIDATE, self->viewport.zoom, self->palette);
    }
  draw_handles (self, cr, marks);
  draw_wire_ends (self, cr);
  draw_guides (self, cr);
  draw_wiring (self, cr, visible);
  if (weir_tool_get_band (self->tool, &band))
    {
      cairo_rectangle (cr, band.x, band.y, band.width, band.height);
      weir_set_source_alpha (cr, self->palette->selection, 0.12);
      cairo_fill_preserve (cr);
      weir_set_source (cr, self->palette->selection);
      cairo_set_line_width (cr, 1 / self->viewport.zoom);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
  if (weir_scene_get_n_blocks (scene) == 0
      && weir_diagram_get_n_notes (weir_scene_get_diagram (scene)) == 0)
    draw_hint (self, cr);
  if (self->overlay != NULL)
    {
      /* Where there is little room it keeps to its corner. */
      double room = MAX (self->viewport.height / 300, 1);
      double scale = MIN (get_text_scale (widget), room), zoom = self->viewport.zoom / scale;
      WeirRect reach = weir_scene_get_reach (scene);
      WeirPoint corner = weir_viewport_to_pixel (&self->viewport, (WeirPoint) { reach.x, reach.y });

      cairo_scale (cr, scale, scale);
      weir_overlay_draw_legend (
          self->overlay, cr,
          (WeirRect) { 0, 0, self->viewport.width / scale, self->viewport.height / scale },
          (WeirRect) { corner.x / scale, corner.y / scale, zoom * reach.width,
                       zoom * reach.height },
          self->palette);
    }
  cairo_destroy (cr);
  if (gtk_widget_get_visible (self->minimap) && gtk_widget_get_child_visible (self->minimap))
    gtk_widget_snapshot_child (widget, self->minimap, snapshot);
}

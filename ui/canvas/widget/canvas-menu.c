/* The context menu: what can be done with what is under the pointer.
 *
 * Titles come from the table of actions; the menu only chooses and groups.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "canvas/widget/canvas-actions.h"
#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-shown.h"

/* Appends the actions named, separated by spaces; "align", "tint" and the like stand for all of
 * their targets. */
static GMenu *
make_section (GMenu *menu, const char *label, const char *names)
{
  g_auto (GStrv) wanted = g_strsplit (names, " ", -1);
  GMenu *section = g_menu_new ();

  for (guint k = 0; wanted[k] != NULL; k++)
    for (guint i = 0; i < weir_canvas_get_n_commands (); i++)
      {
        const WeirCanvasCommand *command = weir_canvas_get_command (i);
        g_autoptr (GMenuItem) item = NULL;

        if (!g_str_equal (command->action + strlen ("canvas."), wanted[k]))
          continue;
        item = g_menu_item_new (_ (command->title), NULL);
        g_menu_item_set_action_and_target_value (
            item, command->action,
            command->target != NULL ? g_variant_new_string (command->target) : NULL);
        g_menu_append_item (section, item);
      }
  if (label != NULL)
    g_menu_append_submenu (menu, label, G_MENU_MODEL (section));
  else
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return section;
}

static void
add_section (GMenu *menu, const char *names)
{
  g_object_unref (make_section (menu, NULL, names));
}

static void
add_submenu (GMenu *menu, const char *label, const char *names)
{
  g_object_unref (make_section (menu, label, names));
}

/* What a plot may show of a part, beside @first. */
static void
add_part_values (WeirCanvas *self, GMenu *plot, const char *first)
{
  g_autoptr (GPtrArray) paths = weir_canvas_list_part_values (self);
  g_autoptr (GMenu) others = g_menu_new ();

  for (guint i = 0; i < paths->len; i++)
    if (!g_str_equal (paths->pdata[i], first))
      {
        g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);

        g_menu_item_set_attribute (item, G_MENU_ATTRIBUTE_LABEL, "s", paths->pdata[i]);
        g_menu_item_set_action_and_target (item, "canvas.plot-value", "s", paths->pdata[i]);
        g_menu_append_item (others, item);
      }
  if (g_menu_model_get_n_items (G_MENU_MODEL (others)) > 0)
    g_menu_append_submenu (plot, _ ("Plot Ano_ther Value"), G_MENU_MODEL (others));
}

static void
add_block_items (GMenu *menu, const WeirBlockShape *shape, guint n_movable)
{
  g_autoptr (GMenu) block = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new ();

  g_menu_append (block,
                 weir_block_get_diagram (shape->block) != NULL ? _ ("_Open Subsystem")
                                                               : _ ("_Properties"),
                 "canvas.enter");
  g_menu_append (block, _ ("Re_name…"), "canvas.rename");
  g_menu_append (block, _ ("C_onnect From Here"), "canvas.connect");
  g_menu_append (block, _ ("_Help on This Block"), "win.help");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (block));
  add_submenu (more, _ ("_Turn"), "rotate rotate-back flip flip-vertically");
  add_submenu (more, _ ("_Arrange"),
               n_movable > 1 ? "align distribute-horizontally distribute-vertically match-size tidy"
                             : "tidy");
  add_submenu (more, _ ("Co_lor"), "tint");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (more));
  add_section (menu, weir_block_get_diagram (shape->block) != NULL
                         ? "comment-out pass-through disconnect group expand"
                         : "comment-out pass-through disconnect group");
}

static GMenu *
make_menu (WeirCanvas *self, WeirHit hit)
{
  GMenu *menu = g_menu_new ();
  const WeirBlockShape *shape = hit.kind == WEIR_HIT_BLOCK || hit.kind == WEIR_HIT_PORT
                                    ? weir_scene_find_block (self->scene, hit.id)
                                    : NULL;
  WeirElements what = weir_canvas_get_elements (self);
  g_autofree char *port = weir_canvas_get_selected_port (self);
  g_autoptr (GMenuModel)
      fixes = hit.kind != WEIR_HIT_NOTHING ? weir_canvas_make_fix_menu (self, hit.id) : NULL;

  if (fixes != NULL)
    g_menu_append_section (menu, NULL, fixes);
  if (port != NULL && hit.kind != WEIR_HIT_NOTHING && hit.kind != WEIR_HIT_NOTE)
    {
      g_autofree char *label = g_strdup_printf (_ ("_Plot Signal %s"), port);
      g_autoptr (GMenu) plot = g_menu_new ();

      g_menu_append (plot, label, "canvas.plot-port");
      add_part_values (self, plot, port);
      g_menu_append_section (menu, NULL, G_MENU_MODEL (plot));
    }
  if (shape != NULL)
    add_block_items (menu, shape, what.n_blocks + what.n_notes);
  else if (hit.kind == WEIR_HIT_WIRE)
    {
      g_autoptr (GMenu) wire = g_menu_new ();

      g_menu_append (wire, _ ("_Label…"), "canvas.rename");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (wire));
      add_section (menu, "connect reconnect straighten");
      add_submenu (menu, _ ("_Linear Analysis"), "analysis-point");
    }
  else if (hit.kind == WEIR_HIT_NOTE)
    {
      g_autoptr (GMenu) note = g_menu_new ();

      g_menu_append (note, _ ("_Edit Text…"), "canvas.rename");
      add_submenu (note, _ ("Co_lor"), "tint");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (note));
    }
  else
    add_section (menu, "quick-insert add-note add-frame");
  if (shape != NULL || hit.kind == WEIR_HIT_WIRE)
    add_submenu (menu, _ ("C_ache"), "why graph break-computed break-out-of-date");
  add_section (menu, hit.kind == WEIR_HIT_NOTHING ? "paste" : "cut copy paste duplicate delete");
  if (hit.kind == WEIR_HIT_NOTHING)
    {
      add_section (menu, self->place->len > 0 ? "select-all tidy leave" : "select-all tidy");
      add_section (menu, "zoom-fit show-grid snap show-labels show-values show-minimap");
    }
  return menu;
}

void
weir_canvas_show_menu (WeirCanvas *self, WeirPoint pixel)
{
  WeirPoint at = weir_viewport_to_diagram (&self->viewport, pixel);
  WeirHit hit = weir_scene_hit (self->scene, at, 6 / self->viewport.zoom);
  WeirSelection *selection = weir_tool_get_selection (self->tool);
  WeirSelectKind kind = hit.kind == WEIR_HIT_WIRE   ? WEIR_SELECT_WIRE
                        : hit.kind == WEIR_HIT_NOTE ? WEIR_SELECT_NOTE
                                                    : WEIR_SELECT_BLOCK;
  g_autoptr (GMenu) menu = NULL;
  GtkWidget *popover;

  /* The menu is about what is under the pointer. */
  if (hit.kind != WEIR_HIT_NOTHING && !weir_selection_contains (selection, kind, hit.id))
    weir_selection_set_one (selection, kind, hit.id);
  weir_canvas_update (self);
  if (hit.kind == WEIR_HIT_PORT && hit.port->is_output)
    {
      g_free (self->chosen_port);
      self->chosen_port = g_strdup (hit.port->name);
      self->chosen_block = hit.id;
    }
  self->pointer = pixel;
  self->pointer_inside = TRUE;
  weir_canvas_tell (self, WEIR_CANVAS_NEWS_COMMANDS);
  menu = make_menu (self, hit);
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  weir_canvas_pop_up (self, popover, (GdkRectangle) { (int) pixel.x, (int) pixel.y, 1, 1 });
}

/* What the canvas can do, as one table of actions with their keys.
 *
 * The keys are handled here rather than by key bindings of the class: they must not act while an
 * entry of a popover, which is a child of the canvas, has the focus. Menus, the command palette and
 * the window of shortcuts take their titles and keys from the same table.
 */
#include "canvas/widget/canvas-actions.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "paint/ground/routing.h"

/* What must be selected for an action to make sense. */
typedef enum {
  ALWAYS,
  ANYTHING,
  MOVABLE, /* blocks or notes */
  TWO_MOVABLE,
  THREE_MOVABLE,
  BLOCKS,
  TWO_BLOCKS,
  ONE_BLOCK,
  ONE_SUBSYSTEM,
  ONE_OF_ALL,
  ONE_BLOCK_OR_WIRE,
  ONE_WIRE,
  ANY_BLOCKS, /* in the diagram */
  ANY_WIRES,
  ANY_NOTES,
  A_SEARCH,
  INSIDE, /* a Subsystem */
  A_PORT, /* to plot */
  A_PAST,
  A_FUTURE,
} Need;

#define EDITING N_ ("Editing")
#define ARRANGING N_ ("Arranging")
#define DIAGRAM N_ ("Diagram")
#define VIEW N_ ("View")
#define CACHE N_ ("Cache")
#define ANALYSIS N_ ("Analysis")

static const struct {
  WeirCanvasCommand command;            /* action, title, group, keys, target */
  GtkWidgetActionActivateFunc activate; /* NULL: installed elsewhere in the table, or a property */
  Need need;
} table[] = {
  { { "canvas.cut", N_ ("Cut"), EDITING, "<Control>x", NULL }, weir_canvas_on_cut, MOVABLE },
  { { "canvas.copy", N_ ("Copy"), EDITING, "<Control>c", NULL }, weir_canvas_on_copy, MOVABLE },
  { { "canvas.paste", N_ ("Paste"), EDITING, "<Control>v", NULL }, weir_canvas_on_paste, ALWAYS },
  { { "canvas.duplicate", N_ ("Duplicate"), EDITING, "<Control>d", NULL },
    weir_canvas_on_duplicate,
    MOVABLE },
  { { "canvas.delete", N_ ("Delete"), EDITING, "Delete BackSpace KP_Delete", NULL },
    weir_canvas_on_delete,
    ANYTHING },
  { { "canvas.rename", N_ ("Rename, Label or Edit the Text"), EDITING, "F2", NULL },
    weir_canvas_on_rename,
    ONE_OF_ALL },
  { { "canvas.comment-out", N_ ("Comment Out"), EDITING, "<Control><Shift>x", NULL },
    weir_canvas_on_set_mode,
    BLOCKS },
  { { "canvas.pass-through", N_ ("Pass Through"), EDITING, "<Control><Shift>y", NULL },
    weir_canvas_on_set_mode,
    BLOCKS },
  { { "canvas.group", N_ ("Make a Subsystem"), EDITING, "<Control>g", NULL },
    weir_canvas_on_group,
    BLOCKS },
  { { "canvas.expand", N_ ("Expand the Subsystem"), EDITING, "<Control><Shift>g", NULL },
    weir_canvas_on_expand,
    ONE_SUBSYSTEM },
  { { "canvas.disconnect", N_ ("Disconnect"), EDITING, NULL, NULL },
    weir_canvas_on_disconnect,
    BLOCKS },

  { { "canvas.rotate", N_ ("Rotate"), ARRANGING, "<Control>r", NULL },
    weir_canvas_on_rotate,
    BLOCKS },
  { { "canvas.rotate-back", N_ ("Rotate Back"), ARRANGING, "<Control><Shift>r", NULL },
    weir_canvas_on_rotate,
    BLOCKS },
  { { "canvas.flip", N_ ("Flip"), ARRANGING, "<Control>i", NULL }, weir_canvas_on_flip, BLOCKS },
  { { "canvas.flip-vertically", N_ ("Flip Upside Down"), ARRANGING, NULL, NULL },
    weir_canvas_on_flip,
    BLOCKS },
  { { "canvas.align", N_ ("Align Left"), ARRANGING, "<Shift>l", "left" },
    weir_canvas_on_align,
    TWO_MOVABLE },
  { { "canvas.align", N_ ("Align Centers"), ARRANGING, "<Shift>c", "center" }, NULL, TWO_MOVABLE },
  { { "canvas.align", N_ ("Align Right"), ARRANGING, "<Shift>r", "right" }, NULL, TWO_MOVABLE },
  { { "canvas.align", N_ ("Align Top"), ARRANGING, "<Shift>t", "top" }, NULL, TWO_MOVABLE },
  { { "canvas.align", N_ ("Align Middles"), ARRANGING, "<Shift>m", "middle" }, NULL, TWO_MOVABLE },
  { { "canvas.align", N_ ("Align Bottom"), ARRANGING, "<Shift>b", "bottom" }, NULL, TWO_MOVABLE },
  { { "canvas.distribute-horizontally", N_ ("Distribute Horizontally"), ARRANGING, "<Shift>h",
      NULL },
    weir_canvas_on_distribute,
    THREE_MOVABLE },
  { { "canvas.distribute-vertically", N_ ("Distribute Vertically"), ARRANGING, "<Shift>v", NULL },
    weir_canvas_on_distribute,
    THREE_MOVABLE },
  { { "canvas.match-size", N_ ("Match Sizes"), ARRANGING, "<Shift>s", NULL },
    weir_canvas_on_match_size,
    TWO_BLOCKS },
  { { "canvas.tidy", N_ ("Tidy Up"), ARRANGING, "<Control><Shift>l", NULL },
    weir_canvas_on_tidy,
    ANY_BLOCKS },
  { { "canvas.straighten", N_ ("Reroute the Wire"), ARRANGING, NULL, NULL },
    weir_canvas_on_straighten,
    ONE_WIRE },
  { { "canvas.tint", N_ ("No Color"), ARRANGING, NULL, "none" }, weir_canvas_on_tint, MOVABLE },
  { { "canvas.tint", N_ ("Color Red"), ARRANGING, NULL, "red" }, NULL, MOVABLE },
  { { "canvas.tint", N_ ("Color Orange"), ARRANGING, NULL, "orange" }, NULL, MOVABLE },
  { { "canvas.tint", N_ ("Color Yellow"), ARRANGING, NULL, "yellow" }, NULL, MOVABLE },
  { { "canvas.tint", N_ ("Color Green"), ARRANGING, NULL, "green" }, NULL, MOVABLE },
  { { "canvas.tint", N_ ("Color Blue"), ARRANGING, NULL, "blue" }, NULL, MOVABLE },
  { { "canvas.tint", N_ ("Color Purple"), ARRANGING, NULL, "purple" }, NULL, MOVABLE },
  { { "canvas.tint", N_ ("Color Grey"), ARRANGING, NULL, "grey" }, NULL, MOVABLE },

  { { "canvas.quick-insert", N_ ("Add a Block by Name"), DIAGRAM, "slash <Control>space", NULL },
    weir_canvas_on_quick_insert,
    ALWAYS },
  { { "canvas.add-note", N_ ("Add a Note"), DIAGRAM, "n", NULL }, weir_canvas_on_add_note, ALWAYS },
  { { "canvas.add-frame", N_ ("Add a Frame"), DIAGRAM, "<Shift>n", NULL },
    weir_canvas_on_add_frame,
    ALWAYS },
  { { "canvas.connect", N_ ("Wire by Keyboard: Start at the Selection"), DIAGRAM, "c", NULL },
    weir_canvas_on_connect,
    ONE_BLOCK_OR_WIRE },
  { { "canvas.reconnect", N_ ("Move the End of the Selected Wire"), DIAGRAM, "e", NULL },
    weir_canvas_on_connect,
    ONE_WIRE },
  { { "canvas.next-wire", N_ ("Select the Next Wire of the Block"), DIAGRAM, "w", NULL },
    weir_canvas_on_next_wire,
    ANY_WIRES },
  { { "canvas.next-note", N_ ("Select the Next Note or Frame"), DIAGRAM, "t", NULL },
    weir_canvas_on_next_note,
    ANY_NOTES },
  { { "canvas.extend-selection", N_ ("Add to the Selection While Going About"), DIAGRAM, "x",
      NULL },
    NULL,
    ANY_BLOCKS },
  { { "canvas.find-next", N_ ("Next Find"), DIAGRAM, "F3", NULL },
    weir_canvas_on_find_next,
    A_SEARCH },
  { { "canvas.find-previous", N_ ("Find Before"), DIAGRAM, "<Shift>F3", NULL },
    weir_canvas_on_find_next,
    A_SEARCH },
  { { "canvas.plot-port", N_ ("Plot the Signal"), DIAGRAM, "p", NULL },
    weir_canvas_on_plot_port,
    A_PORT },
  { { "canvas.select-all", N_ ("Select All"), DIAGRAM, "<Control>a", NULL },
    weir_canvas_on_select_all,
    ANY_BLOCKS },
  { { "canvas.select-none", N_ ("Select Nothing"), DIAGRAM, "<Control><Shift>a Escape", NULL },
    weir_canvas_on_select_none,
    ALWAYS },
  { { "canvas.select-inverse", N_ ("Invert the Selection"), DIAGRAM, "<Control><Shift>i", NULL },
    weir_canvas_on_select_inverse,
    ANY_BLOCKS },
  { { "canvas.enter", N_ ("Enter a Subsystem"), DIAGRAM, "Return KP_Enter", NULL },
    weir_canvas_on_enter,
    ONE_OF_ALL },
  { { "canvas.leave", N_ ("Leave a Subsystem"), DIAGRAM, "<Alt>Up <Alt>KP_Up", NULL },
    weir_canvas_on_leave,
    INSIDE },
  { { "canvas.back", N_ ("Back to the Level Before"), DIAGRAM, "<Alt>Left", NULL },
    weir_canvas_on_back,
    A_PAST },
  { { "canvas.forward", N_ ("Forward Again"), DIAGRAM, "<Alt>Right", NULL },
    weir_canvas_on_back,
    A_FUTURE },

  { { "canvas.zoom-in", N_ ("Zoom In"), VIEW,
      "<Control>plus <Control><Shift>plus <Control>equal <Control>KP_Add", NULL },
    weir_canvas_on_zoom,
    ALWAYS },
  { { "canvas.zoom-out", N_ ("Zoom Out"), VIEW, "<Control>minus <Control>KP_Subtract", NULL },
    weir_canvas_on_zoom,
    ALWAYS },
  { { "canvas.zoom-100", N_ ("Zoom to 100 %"), VIEW, "<Control>0 <Control>KP_0", NULL },
    weir_canvas_on_zoom,
    ALWAYS },
  { { "canvas.zoom-fit", N_ ("Fit Everything"), VIEW, "space", NULL },
    weir_canvas_on_zoom_fit,
    ANY_BLOCKS },
  { { "canvas.zoom-selection", N_ ("Fit the Selection"), VIEW, "f", NULL },
    weir_canvas_on_zoom_selection,
    ALWAYS },
  { { "canvas.show-grid", N_ ("Show the Grid"), VIEW, "<Control>apostrophe", NULL }, NULL, ALWAYS },
  { { "canvas.snap", N_ ("Snap to Grid and Guides"), VIEW, NULL, NULL }, NULL, ALWAYS },
  { { "canvas.show-labels", N_ ("Show Names and Labels"), VIEW, "l", NULL }, NULL, ALWAYS },
  { { "canvas.show-values", N_ ("Show Values on Wires"), VIEW, "v", NULL }, NULL, ALWAYS },
  { { "canvas.show-minimap", N_ ("Show the Overview"), VIEW, "m", NULL }, NULL, ALWAYS },

  { { "canvas.cycle-overlay", N_ ("Next Overlay of the Cache"), CACHE, "k", NULL },
    weir_canvas_on_cycle_overlay,
    ALWAYS },
  { { "canvas.overlay", N_ ("No Overlay"), CACHE, NULL, "off" }, NULL, ALWAYS },
  { { "canvas.overlay", N_ ("Overlay: Cache State"), CACHE, NULL, "state" }, NULL, ALWAYS },
  { { "canvas.overlay", N_ ("Overlay: Computations per Second"), CACHE, NULL, "heat" },
    NULL,
    ALWAYS },
  { { "canvas.overlay", N_ ("Overlay: Time Spent Computing"), CACHE, NULL, "cost" }, NULL, ALWAYS },
  { { "canvas.overlay", N_ ("Overlay: Time Saved by the Cache"), CACHE, NULL, "saved" },
    NULL,
    ALWAYS },
  { { "canvas.clear", N_ ("Put All Overlays Away"), CACHE, "<Shift>Escape", NULL },
    weir_canvas_on_clear,
    ALWAYS },
  { { "canvas.why", N_ ("Why Out of Date, Why Up to Date?"), CACHE, "<Shift>w", NULL },
    weir_canvas_on_view_command,
    ALWAYS },
  { { "canvas.graph", N_ ("Show the Dependency Graph"), CACHE, "d", NULL },
    weir_canvas_on_view_command,
    ALWAYS },
  { { "canvas.break-computed", N_ ("Pause Runs When the Value Is Computed"), CACHE, "b F12", NULL },
    weir_canvas_on_view_command,
    ALWAYS },
  { { "canvas.break-out-of-date", N_ ("Pause Runs When the Value Is Put Out of Date"), CACHE, NULL,
      NULL },
    weir_canvas_on_view_command,
    ALWAYS },

  { { "canvas.analysis-point", N_ ("Open the Loop Here"), ANALYSIS, "<Shift>o", "loop" },
    weir_canvas_on_analysis_point,
    ONE_WIRE },
  { { "canvas.analysis-point", N_ ("Perturb Here"), ANALYSIS, "i", "input" }, NULL, ONE_WIRE },
  { { "canvas.analysis-point", N_ ("Measure Here"), ANALYSIS, "o", "output" }, NULL, ONE_WIRE },
  { { "canvas.analysis-point", N_ ("Measure With the Perturbation"), ANALYSIS, NULL, "after" },
    NULL,
    ONE_WIRE },
  { { "canvas.analysis-point", N_ ("Break Here"), ANALYSIS, NULL, "break" }, NULL, ONE_WIRE },
  { { "canvas.analysis-point", N_ ("No Analysis Point"), ANALYSIS, NULL, "none" }, NULL, ONE_WIRE },
};

guint
weir_canvas_get_n_commands (void)
{
  return G_N_ELEMENTS (table);
}

const WeirCanvasCommand *
weir_canvas_get_command (guint i)
{
  g_return_val_if_fail (i < G_N_ELEMENTS (table), NULL);
  return &table[i].command;
}

/* --- All of them ----------------------------------------------------------------------------- */

void
weir_canvas_class_install_actions (GtkWidgetClass *widget_class)
{
  static const char *const properties[] = { "show-grid",   "snap",         "show-labels",
                                            "show-values", "show-minimap", "extend-selection",
                                            "overlay" };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].activate != NULL)
      gtk_widget_class_install_action (widget_class, table[i].command.action,
                                       table[i].command.target != NULL ? "s" : NULL,
                                       table[i].activate);
  gtk_widget_class_install_action (widget_class, "canvas.fix", "(uu)", weir_canvas_on_fix);
  gtk_widget_class_install_action (widget_class, "canvas.plot-value", "s",
                                   weir_canvas_on_plot_value);
  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      g_autofree char *name = g_strconcat ("canvas.", properties[i], NULL);

      gtk_widget_class_install_property_action (widget_class, name, properties[i]);
    }
}

static gboolean
is_met (WeirCanvas *self, Need need)
{
  WeirElements what = weir_canvas_get_elements (self);
  guint32 one = weir_canvas_get_selected_block (self);
  guint n_movable = what.n_blocks + what.n_notes, n_all = n_movable + what.n_wires;
  const WeirBlockShape *shape;

  switch (need)
    {
    case ANYTHING:
      return n_all > 0;
    case MOVABLE:
      return n_movable > 0;
    case TWO_MOVABLE:
      return n_movable > 1;
    case THREE_MOVABLE:
      return n_movable > 2;
    case BLOCKS:
      return what.n_blocks > 0;
    case TWO_BLOCKS:
      return what.n_blocks > 1;
    case ONE_BLOCK:
      return one != 0;
    case ONE_SUBSYSTEM:
      shape = weir_scene_find_block (self->scene, one);
      return shape != NULL && weir_block_get_diagram (shape->block) != NULL;
    case ONE_OF_ALL:
      return one != 0 || n_all == 1;
    case ONE_BLOCK_OR_WIRE:
      return one != 0 || (what.n_wires == 1 && what.n_blocks == 0);
    case ONE_WIRE:
      return what.n_wires == 1 && what.n_blocks == 0;
    case ANY_BLOCKS:
      return weir_scene_get_n_blocks (self->scene) > 0;
    case ANY_WIRES:
      return weir_scene_get_n_wires (self->scene) > 0;
    case ANY_NOTES:
      return weir_diagram_get_n_notes (weir_scene_get_diagram (self->scene)) > 0;
    case A_SEARCH:
      return self->find_text != NULL;
    case INSIDE:
      return self->place->len > 0;
    case A_PORT:
      {
        g_autofree char *port = weir_canvas_get_selected_port (self);

        return port != NULL;
      }
    case A_PAST:
      return self->past->len > 0;
    case A_FUTURE:
      return self->future->len > 0;
    case ALWAYS:
    default:
      return TRUE;
    }
}

void
weir_canvas_update_actions (WeirCanvas *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].activate != NULL)
      gtk_widget_action_set_enabled (GTK_WIDGET (self), table[i].command.action,
                                     is_met (self, table[i].need));
}

const char *
weir_canvas_why_not (WeirCanvas *self, guint i)
{
  static const char *const reasons[] = {
    [ALWAYS] = NULL,
    [ANYTHING] = N_ ("Select something first"),
    [MOVABLE] = N_ ("Select a block or a note first"),
    [TWO_MOVABLE] = N_ ("Select two blocks or notes or more first"),
    [THREE_MOVABLE] = N_ ("Select three blocks or notes or more first"),
    [BLOCKS] = N_ ("Select a block first"),
    [TWO_BLOCKS] = N_ ("Select two blocks or more first"),
    [ONE_BLOCK] = N_ ("Select one block first"),
    [ONE_SUBSYSTEM] = N_ ("Select one Subsystem first"),
    [ONE_OF_ALL] = N_ ("Select one block, wire or note first"),
    [ONE_BLOCK_OR_WIRE] = N_ ("Select one block or wire first"),
    [ONE_WIRE] = N_ ("Select one wire first"),
    [ANY_BLOCKS] = N_ ("There is no block in this diagram"),
    [ANY_WIRES] = N_ ("There is no wire in this diagram"),
    [ANY_NOTES] = N_ ("There is no note in this diagram"),
    [A_SEARCH] = N_ ("Search for something first"),
    [INSIDE] = N_ ("Enter a Subsystem first"),
    [A_PORT] = N_ ("Select a block with an output, or a wire, first"),
    [A_PAST] = N_ ("No other level was shown before"),
    [A_FUTURE] = N_ ("No level was gone back from"),
  };

  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);
  g_return_val_if_fail (i < G_N_ELEMENTS (table), NULL);
  return is_met (self, table[i].need) ? NULL : reasons[table[i].need];
}

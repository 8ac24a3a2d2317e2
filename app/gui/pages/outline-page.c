/* The outline as a way to edit: what its keys do, and its rows in step with what is selected on the
 * canvas.
 *
 * The canvas selects what the rows chosen are about, so that its commands (delete, cut and paste,
 * group, comment out, ...) do from here what they do there. What the canvas asks with the pointer
 * is asked here by a list to type in: what to connect, what to insert, where to move to. Every one
 * is one undo step, and the keyboard stays with the outline.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "canvas/edits/edits.h"
#include "canvas/widget/picker.h"
#include "gui/host/page.h"
#include "panels/outline-panel.h"

G_DECLARE_FINAL_TYPE (WeirOutlinePage, weir_outline_page, WEIR, OUTLINE_PAGE, WeirPage)

struct _WeirOutlinePage {
  WeirPage parent;
  WeirOutlinePanel *panel;
};

G_DEFINE_FINAL_TYPE (WeirOutlinePage, weir_outline_page, WEIR_TYPE_PAGE)

static WeirSite
get_site (WeirOutlinePage *self)
{
  return (WeirSite) { weir_document_get_model (self->parent.document),
                      weir_canvas_get_place (self->parent.canvas) };
}

/* TRUE if it was done. @edit: (transfer full) (nullable). */
static gboolean
apply (WeirOutlinePage *self, WeirEdit *edit)
{
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (edit == NULL)
    {
      gtk_widget_error_bell (GTK_WIDGET (self->panel));
      return FALSE;
    }
  done = weir_document_edit (self->parent.document, edit->patch, edit->label, NULL, &error);
  if (!done)
    weir_host_toast (self->parent.host, weir_error_say (error));
  else if (edit->new_blocks != NULL && edit->new_blocks->len > 0)
    weir_canvas_select_block (self->parent.canvas, g_array_index (edit->new_blocks, guint32, 0));
  weir_edit_free (edit);
  return done;
}

/* --- Selection ------------------------------------------------------------------------------- */

static void
rows_chosen (WeirOutlinePage *self)
{
  g_autoptr (GArray) blocks = weir_outline_panel_get_blocks (self->panel);
  WeirOutlineRow row;

  if (blocks->len > 1)
    weir_canvas_select_blocks (self->parent.canvas, (const guint32 *) (gpointer) blocks->data,
                               blocks->len);
  else if (!weir_outline_panel_get_row (self->panel, &row))
    weir_canvas_select_block (self->parent.canvas, 0);
  else if (row.kind == WEIR_OUTLINE_NOTE)
    weir_canvas_select_note (self->parent.canvas, row.id);
  else if (row.kind == WEIR_OUTLINE_PORT && row.wire != 0)
    weir_canvas_select_wire (self->parent.canvas, row.wire);
  else
    weir_canvas_select_block (self->parent.canvas, row.id);
}

static void
selection_changed (WeirOutlinePage *self)
{
  guint n_blocks, n_wires;
  const guint32 *blocks = weir_canvas_get_selected (self->parent.canvas, &n_blocks);
  const guint32 *wires = weir_canvas_get_selected_wires (self->parent.canvas, &n_wires);

  if (n_blocks == 0 && n_wires == 1)
    weir_outline_panel_select_wire (self->panel, wires[0]);
  else
    weir_outline_panel_select_blocks (self->panel, blocks, n_blocks);
}

/* --- Lists to choose from -------------------------------------------------------------------- */

static gboolean
focus_outline (gpointer panel)
{
  if (gtk_widget_get_mapped (panel))
    weir_outline_panel_focus (panel);
  return G_SOURCE_REMOVE;
}

static void
return_focus_soon (GtkWidget *panel)
{
  g_idle_add_full (G_PRIORITY_LOW, focus_outline, g_object_ref (panel), g_object_unref);
}

/* The keyboard comes back once what was chosen is done, which gives it to the canvas. */
static void
return_focus (WeirOutlinePage *self, GtkWidget *picker)
{
  g_signal_connect_object (picker, "closed", G_CALLBACK (return_focus_soon),
                           GTK_WIDGET (self->panel), G_CONNECT_SWAPPED);
}

/* Above the canvas, as all of them; the keyboard comes back to the outline. */
static void
show_picker (WeirOutlinePage *self, GtkWidget *picker)
{
  weir_canvas_show_picker (self->parent.canvas, picker);
  return_focus (self, picker);
}

typedef struct {
  WeirOutlinePage *page; /* borrowed */
  WeirOutlineRow row;
  WeirScene *scene; /* of the level */
  GPtrArray *links; /* Link, as listed last */
} Asking;

/* A wire that may be drawn. */
typedef struct {
  guint32 from, to;
  char *output, *input;
  gboolean is_line; /* between pins */
} Link;

static void
link_free (gpointer data)
{
  Link *link = data;

  g_free (link->output);
  g_free (link->input);
  g_free (link);
}

static void
asking_free (gpointer data)
{
  Asking *asking = data;

  g_clear_pointer (&asking->scene, weir_scene_unref);
  g_ptr_array_unref (asking->links);
  g_free (asking);
}

static Asking *
asking_new (WeirOutlinePage *self, const WeirOutlineRow *row)
{
  Asking *asking = g_new0 (Asking, 1);
  WeirDiagram *diagram = weir_site_get_diagram (get_site (self));

  asking->page = self;
  asking->row = *row;
  asking->links = g_ptr_array_new_with_free_func (link_free);
  asking->scene = diagram != NULL ? weir_scene_new (diagram, NULL) : NULL;
  return asking;
}

/* --- Connecting ------------------------------------------------------------------------------ */

static void
offer_link (Asking *asking, GPtrArray *choices, const char *text, const WeirBlockShape *here,
            const WeirPortShape *a, const WeirBlockShape *there, const WeirPortShape *b)
{
  g_autofree char *title = g_strdup_printf ("%s.%s", weir_block_get_name (there->block), b->name);
  /* Translators: the port that a new wire begins at: "from y", "into u". */
  g_autofree char *detail = g_strdup_printf (a->is_output ? _ ("from %s") : _ ("into %s"), a->name);
  guint32 from = weir_block_get_id (a->is_output ? here->block : there->block);
  guint32 to = weir_block_get_id (a->is_output ? there->block : here->block);
  const char *output = a->is_output ? a->name : b->name, *input = a->is_output ? b->name : a->name;
  g_autofree char *refusal = NULL;
  WeirChoice *choice;
  Link *link;

  if (choices->len >= WEIR_MAX_CHOICES || weir_choice_rate (text, title, detail) == 0)
    return;
  refusal = a->is_pin ? weir_edit_refuse_line (asking->scene,
                                               (WeirWireEnd) { .block = from, .port = output },
                                               (WeirWireEnd) { .block = to, .port = input }, 0)
                      : weir_edit_refuse_connection (asking->scene, from, output, to, input, 0);
  if (refusal != NULL)
    return;
  link = g_new0 (Link, 1);
  *link = (Link) { from, to, g_strdup (output), g_strdup (input), a->is_pin };
  g_ptr_array_add (asking->links, link);
  choice = weir_choices_add (choices, title, detail);
  choice->icon = weir_block_get_type_name (there->block);
  choice->data = link;
}

/* Of the row's port, or of every port of its block, to every port that it fits. */
static void
find_links (const char *text, GPtrArray *choices, gpointer data)
{
  Asking *asking = data;
  const WeirBlockShape *here = weir_scene_find_block (asking->scene, asking->row.id);

  for (guint i = 0; here != NULL && i < here->n_ports; i++)
    {
      const WeirPortShape *port = &here->ports[i];

      if (asking->row.kind == WEIR_OUTLINE_PORT
          && (port->is_output != asking->row.is_output
              || !g_str_equal (port->name, asking->row.port)))
        continue;
      for (guint k = 0; k < weir_scene_get_n_blocks (asking->scene); k++)
        {
          const WeirBlockShape *there = weir_scene_get_block (asking->scene, k);

          for (guint m = 0; m < there->n_ports; m++)
            if (there->ports[m].is_pin == port->is_pin
                && (port->is_pin || there->ports[m].is_output != port->is_output))
              offer_link (asking, choices, text, here, port, there, &there->ports[m]);
        }
    }
}

static void
link_chosen (const WeirChoice *choice, gpointer data)
{
  Asking *asking = data;
  const Link *link = choice != NULL ? choice->data : NULL;

  if (link != NULL)
    {
      WeirWireEnd from = { .block = link->from, .port = link->output };
      WeirWireEnd to = { .block = link->to, .port = link->input };

      apply (asking->page, (link->is_line ? weir_edit_line : weir_edit_wire) (
                               get_site (asking->page), 0, from, to, NULL, 0));
    }
}

static void
connect_row (WeirOutlinePage *self, const WeirOutlineRow *row)
{
  Asking *asking = asking_new (self, row);

  show_picker (self, weir_picker_new (_ ("Connect to: type a block or port"), find_links,
                                      link_chosen, asking, asking_free));
}

/* --- Inserting ------------------------------------------------------------------------------- */

/* Wired to the row's port if that is free. */
static void
insert_at_row (WeirOutlinePage *self, const WeirOutlineRow *row)
{
  gboolean is_wired = row->kind == WEIR_OUTLINE_PORT && (row->is_output || row->wire == 0);

  return_focus (self, weir_canvas_ask_block (self->parent.canvas, is_wired ? row->id : 0, row->port,
                                             row->is_output));
}

/* --- Moving between levels ------------------------------------------------------------------- */

static void
offer_level (WeirOutlinePage *self, GPtrArray *choices, const char *text, guint32 id,
             const char *path)
{
  WeirPlace here = weir_canvas_get_place (self->parent.canvas);

  if ((here.n_ids > 0 ? here.ids[here.n_ids - 1] : 0) == id
      || weir_choice_rate (text, path, NULL) == 0 || choices->len >= WEIR_MAX_CHOICES)
    return;
  weir_choices_add (choices, path, NULL)->id = id;
}

typedef struct {
  WeirOutlinePage *page;
  GPtrArray *choices;
  const char *text, *path;
} Levels;

static gboolean
offer_levels_in (WeirBlock *block, gpointer data)
{
  Levels *outer = data;
  WeirDiagram *inner = weir_block_get_diagram (block);
  g_autofree char *path = NULL;
  Levels levels = *outer;

  if (inner == NULL)
    return TRUE;
  path = outer->path[0] == '\0' ? g_strdup (weir_block_get_name (block))
                                : g_strconcat (outer->path, ".", weir_block_get_name (block), NULL);
  offer_level (outer->page, outer->choices, outer->text, weir_block_get_id (block), path);
  levels.path = path;
  weir_diagram_foreach_block (inner, offer_levels_in, &levels);
  return TRUE;
}

static void
find_levels (const char *text, GPtrArray *choices, gpointer data)
{
  Asking *asking = data;
  Levels levels = { asking->page, choices, text, "" };

  offer_level (asking->page, choices, text, 0, _ ("Model"));
  weir_diagram_foreach_block (
      weir_model_get_root (weir_document_get_model (asking->page->parent.document)),
      offer_levels_in, &levels);
}

/* The selected blocks move into a Subsystem, or to the root. */
static void
move_to_level (WeirOutlinePage *self, guint level)
{
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirElements what = { 0 };

  what.blocks = weir_canvas_get_selected (self->parent.canvas, &what.n_blocks);
  if (level != 0)
    {
      guint32 id = level;

      weir_model_find_block (weir_document_get_model (self->parent.document), id, place);
      g_array_append_val (place, id);
    }
  apply (self, weir_edit_move_to_level (
                   get_site (self), what,
                   (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len }));
}

static void
level_chosen (const WeirChoice *choice, gpointer data)
{
  Asking *asking = data;

  if (choice != NULL)
    move_to_level (asking->page, choice->id);
}

static void
move_rows (WeirOutlinePage *self, const WeirOutlineRow *row)
{
  Asking *asking = asking_new (self, row);

  show_picker (self, weir_picker_new (_ ("Move to the level: type its name"), find_levels,
                                      level_chosen, asking, asking_free));
}

/* --- Keys ------------------------------------------------------------------------------------ */

static void
rename_block (WeirOutlinePage *self, guint block, const char *name)
{
  weir_canvas_select_block (self->parent.canvas, block);
  apply (self, weir_edit_rename (get_site (self), block, name));
}

/* A wire's row leads to the block at its other end; all others to the canvas, or into the
 * Subsystem. */
static void
row_activated (WeirOutlinePage *self)
{
  WeirOutlineRow row;
  WeirWire *wire;
  WeirDiagram *diagram = weir_site_get_diagram (get_site (self));

  if (!weir_outline_panel_get_row (self->panel, &row))
    return;
  wire = row.kind == WEIR_OUTLINE_PORT && row.wire != 0 ? weir_diagram_find_wire (diagram, row.wire)
                                                        : NULL;
  if (wire != NULL)
    {
      guint32 other = row.is_output ? weir_wire_get_to (wire).block
                                    : weir_wire_get_from (wire).block;

      if (other != 0)
        weir_canvas_select_block (self->parent.canvas, other);
      weir_outline_panel_focus (self->panel);
      return;
    }
  gtk_widget_activate_action (GTK_WIDGET (self->parent.canvas), "canvas.enter", NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->parent.canvas));
}

/* One of the canvas's editing commands: the rows are what it has selected. */
static gboolean
do_canvas_command (WeirOutlinePage *self, guint keyval, GdkModifierType modifiers)
{
  guint position = weir_outline_panel_get_position (self->panel);

  for (guint i = 0; i < weir_canvas_get_n_commands (); i++)
    {
      const WeirCanvasCommand *command = weir_canvas_get_command (i);
      g_auto (GStrv) keys = NULL;

      if (command->keys == NULL || !g_str_equal (command->group, "Editing")
          || weir_canvas_why_not (self->parent.canvas, i) != NULL)
        continue;
      keys = g_strsplit (command->keys, " ", -1);
      for (guint k = 0; keys[k] != NULL; k++)
        {
          GdkModifierType held;
          guint symbol;

          if (!gtk_accelerator_parse (keys[k], &symbol, &held)
              || gdk_keyval_to_lower (keyval) != symbol || modifiers != held)
            continue;
          gtk_widget_activate_action (GTK_WIDGET (self->parent.canvas), command->action, NULL);
          if (weir_outline_panel_get_position (self->panel) == GTK_INVALID_LIST_POSITION)
            weir_outline_panel_set_position (self->panel, position);
          weir_outline_panel_focus (self->panel);
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
key_pressed (WeirOutlinePage *self, guint keyval, guint modifiers)
{
  WeirOutlineRow row = { .kind = WEIR_OUTLINE_NOTE };
  gboolean has_row = weir_outline_panel_get_row (self->panel, &row);

  if ((keyval == GDK_KEY_slash && modifiers == 0)
      || (keyval == GDK_KEY_space && modifiers == GDK_CONTROL_MASK))
    insert_at_row (self, &row);
  else if (keyval == GDK_KEY_F2 && modifiers == 0 && has_row && row.kind == WEIR_OUTLINE_BLOCK)
    weir_outline_panel_ask_name (self->panel);
  else if (keyval == GDK_KEY_c && modifiers == 0 && has_row && row.kind != WEIR_OUTLINE_NOTE)
    connect_row (self, &row);
  else if (keyval == GDK_KEY_m && modifiers == 0 && has_row && row.kind == WEIR_OUTLINE_BLOCK)
    move_rows (self, &row);
  else
    return do_canvas_command (self, keyval, (GdkModifierType) modifiers);
  return TRUE;
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
show_outline (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_host_show_page (WEIR_PAGE (data)->host, "outline");
  weir_outline_panel_focus (WEIR_OUTLINE_PAGE (data)->panel);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entry = { .name = "show-outline", .activate = show_outline };
  WeirOutlinePage *self = WEIR_OUTLINE_PAGE (object);

  G_OBJECT_CLASS (weir_outline_page_parent_class)->constructed (object);
  weir_outline_panel_set_document (self->panel, self->parent.document);
  weir_page_add_actions (&self->parent, &entry, 1);
  g_signal_connect_object (self->parent.canvas, "selection-changed", G_CALLBACK (selection_changed),
                           self, G_CONNECT_SWAPPED);
}

static void
weir_outline_page_class_init (WeirOutlinePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  g_type_ensure (WEIR_TYPE_OUTLINE_PANEL);
  weir_set_template (klass, "outline-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirOutlinePage, panel);
  gtk_widget_class_bind_template_callback (widget_class, rows_chosen);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed);
  gtk_widget_class_bind_template_callback (widget_class, move_to_level);
  gtk_widget_class_bind_template_callback (widget_class, rename_block);
}

static void
weir_outline_page_init (WeirOutlinePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* The help in the editor: of what is selected, and examples that become blocks of the model. */
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "canvas/edits/edits.h"
#include "gui/shell/editor-private.h"
#include "gui/shell/help-window.h"
#include "panels/block-help.h"

#define BESIDE 40 /* px, below what is there already */

void
weir_editor_show_help (WeirEditor *self)
{
  WeirBlock *block = weir_model_find_block (weir_document_get_model (self->document),
                                            weir_canvas_get_selected_block (self->canvas), NULL);
  g_autofree char *target = block != NULL ? g_strconcat (WEIR_BLOCK_HELP_PREFIX,
                                                         weir_block_get_type_name (block), NULL)
                                          : NULL;

  weir_help_window_present (gtk_window_get_application (weir_host_get_toplevel (WEIR_HOST (self))),
                            target);
}

/* A new block of equations, which the patch adds, with their text. */
static void
set_text (WeirEdit *edit, WeirSite site, const char *text)
{
  guint32 id = g_array_index (edit->new_blocks, guint32, 0);
  g_autoptr (WeirModel) after = weir_model_apply (site.model, edit->patch, NULL, NULL);
  WeirBlock *block = after != NULL ? weir_model_find_block (after, id, NULL) : NULL;
  g_autoptr (WeirBlock) changed = NULL;

  if (block == NULL)
    return;
  changed = weir_block_with_parameter (block, "equations", text);
  weir_patch_set_block (edit->patch, site.place, changed);
}

void
weir_editor_insert_equations (WeirEditor *self, const char *text)
{
  WeirSite site = { weir_document_get_model (self->document),
                    weir_canvas_get_place (self->canvas) };
  g_autoptr (WeirScene) scene = weir_scene_new (weir_site_get_diagram (site), NULL);
  g_autoptr (WeirBlock) sample = weir_block_new (1, "Equations", "Equations", (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlockShape) shape = weir_block_shape_new (sample);
  WeirRect reach = weir_scene_get_reach (scene);
  WeirPoint below = { reach.x, reach.height > 0 ? reach.y + reach.height + BESIDE : 0 };
  WeirPoint at = weir_edit_find_room (scene, (WeirPoint) { shape->box.width, shape->box.height },
                                      below);
  g_autoptr (WeirEdit) edit = weir_edit_add_block (site, "Equations", at);
  g_autoptr (GError) error = NULL;

  if (edit == NULL)
    return;
  set_text (edit, site, text);
  if (!weir_document_edit (self->document, edit->patch, _ ("Insert Example"), NULL, &error))
    {
      weir_host_toast (WEIR_HOST (self), weir_error_say (error));
      return;
    }
  weir_canvas_select_blocks (self->canvas, (const guint32 *) (gpointer) edit->new_blocks->data,
                             edit->new_blocks->len);
}

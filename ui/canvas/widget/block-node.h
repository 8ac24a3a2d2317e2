/* WeirBlockNode: an invisible child of the canvas that stands for one block.
 *
 * It gives the block keyboard focus and a place in the accessible tree (role image, a label that
 * says what it is and what it is wired to). It draws nothing and takes no pointer events: the
 * canvas does both. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "paint/scene/scene.h"

G_BEGIN_DECLS

#define WEIR_TYPE_BLOCK_NODE (weir_block_node_get_type ())
G_DECLARE_FINAL_TYPE (WeirBlockNode, weir_block_node, WEIR, BLOCK_NODE, GtkWidget)

GtkWidget *weir_block_node_new (guint32 id);
guint32 weir_block_node_get_id (WeirBlockNode *self);

/* @problems: sentences to add, or NULL. */
void weir_block_node_update (WeirBlockNode *self, WeirScene *scene, const char *problems);

G_END_DECLS

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

/* WeirPartNode: an invisible child that stands for a port or a wire in the accessible tree: a name
 * that says what it is, what it is connected to and what is wrong with it. It takes no focus and no
 * pointer.
 */
#define WEIR_TYPE_PART_NODE (weir_part_node_get_type ())
G_DECLARE_FINAL_TYPE (WeirPartNode, weir_part_node, WEIR, PART_NODE, GtkWidget)

GtkWidget *weir_part_node_new (void);
void weir_part_node_set_name (WeirPartNode *self, const char *name);
/* What is told after the name, such as a value; NULL = nothing. */
void weir_part_node_set_description (WeirPartNode *self, const char *description);
/* Where it lies in its parent, as shares of the parent's size. */
void weir_part_node_set_share (WeirPartNode *self, double x, double y);
void weir_part_node_get_share (WeirPartNode *self, double *x, double *y);

G_END_DECLS

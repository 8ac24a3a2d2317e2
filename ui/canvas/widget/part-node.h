/* WeirPartNode: an invisible child that stands for a port or a wire in the accessible tree: a name
 * that says what it is, what it is connected to and what is wrong with it. It takes no focus and no
 * pointer. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WEIR_TYPE_PART_NODE (weir_part_node_get_type ())
G_DECLARE_FINAL_TYPE (WeirPartNode, weir_part_node, WEIR, PART_NODE, GtkWidget)

GtkWidget *weir_part_node_new (void);
void weir_part_node_set_name (WeirPartNode *self, const char *name);
/* What is told after the name, such as a value; NULL = nothing. */
void weir_part_node_set_description (WeirPartNode *self, const char *description);
const char *weir_part_node_get_name (WeirPartNode *self);
/* Where it lies in its parent, as shares of the parent's size. */
void weir_part_node_set_share (WeirPartNode *self, double x, double y);
void weir_part_node_get_share (WeirPartNode *self, double *x, double *y);

G_END_DECLS

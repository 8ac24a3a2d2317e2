/* The sources of a whole tree one by one: time, accuracy, and each leaf's q, v, z, groups,
 * parameters and inputs, read and changed by place instead of by kind.
 *
 * For who treats all sources alike, as the audit does. Changing goes through the setters of
 * context.h: one change event each. An input counts as a source because it can be fixed.
 *
 * Thread: lists are *immutable* data; a context belongs to its *owner*.
 */
#pragma once

#include "system/context.h"

G_BEGIN_DECLS

typedef struct {
  WeirNode node;            /* the root for time and accuracy */
  WeirTicket ticket;        /* of that node */
  guint32 size;             /* doubles; 0 for an abstract value */
  const GVariantType *type; /* of an abstract value, else NULL */
  gboolean is_input;
  guint32 index; /* of the input, parameter or group; of q, v, z: place in the leaf's states */
} WeirSourceInfo;

/* Time and accuracy first, then node by node; empty parts are left out. (transfer full) */
GArray *weir_layout_list_sources (const WeirLayout *self);
/* "t", "plant: parameter k", "plant: input u". (transfer full) */
char *weir_source_info_dup_name (const WeirLayout *self, const WeirSourceInfo *source);

/* The value under a ticket of a node now, @size doubles, evaluating nothing: a source, or an entry
 * as it stands; of an input, what drives it. NULL for composites and abstract values. */
const double *weir_context_get_ticket_value (const WeirContext *self, WeirNode node,
                                             WeirTicket ticket, guint *size);
/* The same of an abstract value (transfer none); NULL if it is none or was never computed. */
GVariant *weir_context_get_ticket_variant (const WeirContext *self, WeirNode node,
                                           WeirTicket ticket);

/* Changes a source; an input becomes fixed. @value: its size. */
void weir_context_set_source (WeirContext *self, const WeirSourceInfo *source, const double *value);
/* FALSE if @value has another type than the source. */
gboolean weir_context_set_source_variant (WeirContext *self, const WeirSourceInfo *source,
                                          GVariant *value);

/* The tickets of a node are 0 to n - 1. */
guint weir_layout_get_n_tickets (const WeirLayout *self, WeirNode node);
/* "time", "input u", "parameter k", "cache entry c", "q". (transfer full) */
char *weir_layout_dup_ticket_label (const WeirLayout *self, WeirNode node, WeirTicket ticket);
/* The same in the language of whoever shows it (base/text.h): "Eingang u". (transfer full) */
char *weir_layout_describe_ticket (const WeirLayout *self, WeirNode node, WeirTicket ticket);
/* Likewise, of any label of this kind. (transfer full) */
char *weir_label_translate (const char *label);
WeirTicket weir_layout_get_entry_ticket (const WeirLayout *self, WeirEntry entry);
/* The prerequisites of an entry as declared, and their number. */
guint weir_layout_get_declared (const WeirLayout *self, WeirEntry entry, const guint16 **tickets);
/* The sources, inputs and entries that the declared ones stand for, each once. */
guint weir_layout_get_primary (const WeirLayout *self, WeirEntry entry, const guint16 **tickets);
/* Does @ticket stand for @primary, directly or as a composite that contains it? */
gboolean weir_layout_stands_for (const WeirLayout *self, WeirNode node, WeirTicket ticket,
                                 WeirTicket primary);
/* Is a change of @ticket (no composite but xc) within the leaf bound to reach @entry by its
 * declared prerequisites, through other entries of the leaf too? Of xc: of any part of it. */
gboolean weir_layout_is_covered (const WeirLayout *self, WeirEntry entry, WeirTicket ticket);
/* Has the entry code of a leaf behind it, or is it a diagram's own? */
gboolean weir_layout_is_leaf_entry (const WeirLayout *self, WeirEntry entry);
/* Is it a kernel, which reads what it declares and nothing else? */
gboolean weir_layout_is_kernel_entry (const WeirLayout *self, WeirEntry entry);

/* What differs between two contexts of one structure: the name of the first source, else of the
 * first entry up to date in both, whose bytes differ; NULL if none. (transfer full) */
char *weir_context_dup_first_difference (const WeirContext *a, const WeirContext *b);

G_END_DECLS

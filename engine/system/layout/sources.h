/* The sources of a whole tree one by one: time, accuracy, and each leaf's q, v, z, groups,
 * parameters and inputs; and what is declared about entries and tickets.
 *
 * For who treats all sources alike, as the audit does; their values are in source-values.h. An
 * input counts as a source because it can be fixed.
 *
 * Thread: lists are *immutable* data.
 */
#pragma once

#include "base/message.h"
#include "system/layout/layout.h"

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

/* The tickets of a node are 0 to n - 1. */
guint weir_layout_get_n_tickets (const WeirLayout *self, WeirNode node);
/* "time", "input u", "parameter k", "cache entry c", "q". (transfer full) */
char *weir_layout_dup_ticket_label (const WeirLayout *self, WeirNode node, WeirTicket ticket);
/* The same in the language of whoever shows it (base/text.h): "Eingang u". (transfer full) */
char *weir_layout_describe_ticket (const WeirLayout *self, WeirNode node, WeirTicket ticket);
/* Likewise, of any label of this kind. (transfer full) */
char *weir_label_translate (const char *label);
/* As a part of sentences (base/phrase.h). (transfer full) */
WeirMessage *weir_label_describe (const char *label);
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

G_END_DECLS
